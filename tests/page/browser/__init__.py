"""Flows in a real browser, as a user would do them."""
