"""Figures for other places: films, players, galleries; may touch all other rooms of the figures."""
