"""Rendering of pages with Matplotlib into reproducible files; these modules may import marks and layout."""

from plots.layout import backend

backend.load()  # before any module of this package imports Matplotlib
