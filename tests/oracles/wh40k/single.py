"""A search that shares nothing with the solver: straight moves of a single model to a dense ring of places, nothing cleverer."""

import numpy as np

from tests.oracles.wh40k import ways
from tests.oracles.wh40k.limits import margins
from tests.oracles.wh40k.table import Table

ANGLES, LENGTHS = 180, 24
SURE = 1e-3
"""Inches by which a place must keep every limit to count."""


def single_way(table: Table) -> tuple[float, float] | None:
    """Give a place that a lone charging model reaches straight and that completes its charge, if one of those tried does."""
    if len(table.charger) != 1:
        return None
    (x, y), height = table.charger.centres[0], float(table.charger.heights[0])
    for length in np.linspace(table.distance - SURE, 0.0, LENGTHS, endpoint=False):
        for angle in np.linspace(-np.pi, np.pi, ANGLES, endpoint=False):
            spot = (float(x + length * np.cos(angle)), float(y + length * np.sin(angle)))
            ends = table.charger.at(np.array([spot]), table.charger.heights)
            if margins(table, ends)["engaged"] < SURE or min(margins(table, ends).values()) < SURE:
                continue
            path = ((float(x), float(y), height), (*spot, height))
            if not list(ways.complaints(table, 0, path, float(length))):
                return spot
    return None
