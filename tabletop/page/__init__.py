"""The page: a scenario's table in the browser, and the local server that answers it."""
