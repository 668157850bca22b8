"""Figures for other places: films, players, galleries; may touch all other rooms of the figures."""

from plots.marks import library

library.load()  # before anything else of this room imports matplotlib
