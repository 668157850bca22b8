"""Exports of figures: films and players; these modules may import all other packages of plots."""

from plots.layout import backend

backend.load()  # before any module of this package imports Matplotlib
