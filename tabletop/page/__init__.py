"""The page: a table in the browser, and its local server."""
