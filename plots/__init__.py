"""Figures made from rulings: what to show as plain marks, then artists, then a page."""
