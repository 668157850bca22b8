"""Figures for other places: films, players, galleries; may touch all other rooms of the figures."""

from plots.layout import backend

backend.load()  # before anything else of this room imports matplotlib
