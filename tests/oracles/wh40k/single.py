"""A search that shares nothing with the solver: straight moves of a single model to a dense ring of places, nothing cleverer."""

import numpy as np
from numpy.typing import NDArray

from tests.oracles.wh40k import ways
from tests.oracles.wh40k.limits import ENGAGED, margins
from tests.oracles.wh40k.table import Discs, Floats, Table

ANGLES, LENGTHS = 180, 24
SURE = 1e-3
"""Inches by which a place must keep every limit to count."""


def single_way(table: Table) -> tuple[float, float] | None:
    """Give a place that a lone charging model reaches straight and that completes its charge, if one of those tried does."""
    if len(table.charger) != 1:
        return None
    (x, y), height = table.charger.centres[0], float(table.charger.heights[0])
    lengths, angles = np.meshgrid(
        np.linspace(table.distance - SURE, 0.0, LENGTHS, endpoint=False), np.linspace(-np.pi, np.pi, ANGLES, endpoint=False)
    )
    spots = np.column_stack([(x + lengths * np.cos(angles)).ravel(), (y + lengths * np.sin(angles)).ravel()])
    for spot in spots[_is_near(table, spots)]:
        ends = table.charger.at(spot[None], table.charger.heights)
        if min(margins(table, ends).values()) < SURE:
            continue
        place = (float(spot[0]), float(spot[1]))
        path = ((float(x), float(y), height), (*place, height))
        if not list(ways.complaints(table, 0, path, float(np.hypot(*(spot - (x, y)))))):
            return place
    return None


def _is_near(table: Table, spots: Floats) -> NDArray[np.bool_]:
    """Tell which places (k, 2) are within engagement range of every target, seen from above."""
    count = len(spots)
    many = Discs(spots, np.repeat(table.charger.heights, count), np.repeat(table.charger.radii, count))
    near: NDArray[np.bool_] = np.all([many.gaps(target).min(axis=1) <= ENGAGED - SURE for target in table.targets], axis=0)
    return near
