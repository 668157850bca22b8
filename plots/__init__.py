"""Figures made from rulings: what to show as plain marks, then artists, then a page."""

from plots.figure import View, draw

__all__ = ["View", "draw"]
