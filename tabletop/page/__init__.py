"""The page: a table in the browser, and the server beside it."""
