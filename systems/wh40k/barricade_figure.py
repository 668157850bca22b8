"""The lee of a barricade, for figures: where the longer engagement range across it counts, seen from one footprint.

From its outline rays lead straight out. What lies on a ray, from where it meets the barricade to where the range ends, is joined to
the footprint by a shortest line across the barricade.
"""

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import shapely

from tabletop.geometry.pose import FloatArray
from tabletop.geometry.shape import Shape

STEP, TURN = 0.04, math.radians(1.0)
"""Inches along an edge, and radians about a corner, from one ray to the next."""

FOOTPRINTS = 128
"""Footprints whose rays are kept."""

LEAST_PIECE = 1e-4
"""Square inches below which a piece of the lee is left out."""


def lee(footprint: Shape, barricade: Shape, reach: float) -> tuple[Shape, ...]:
    """Give the parts of the table within `reach` inches of a footprint that a shortest line from it comes to across a barricade."""
    body = shapely.Polygon(barricade.outline())
    if body.distance(shapely.Polygon(footprint.outline())) >= reach:
        return ()
    starts, ways = _rays_of(footprint)
    ends = starts + reach * ways
    met = shapely.intersection(shapely.linestrings(np.stack([starts, ends], axis=1)), body)
    first = shapely.distance(shapely.points(starts), met)
    tails = starts + np.where(np.isfinite(first), first, 0.0)[:, None] * ways
    strips = np.stack([tails, np.roll(tails, -1, axis=0), np.roll(ends, -1, axis=0), ends], axis=1)
    is_met = np.isfinite(first) & np.isfinite(np.roll(first, -1))
    joined = shapely.union_all(shapely.make_valid(shapely.polygons(strips[is_met])))
    parts = (part for part in shapely.get_parts(joined) if isinstance(part, shapely.Polygon) and part.area > LEAST_PIECE)
    return tuple(Shape(part) for part in parts)


@lru_cache(maxsize=FOOTPRINTS)
def _rays_of(footprint: Shape) -> tuple[FloatArray, FloatArray]:
    """Give all rays out of a footprint: starts and directions (k, 2); they are asked for with every barricade."""
    starts, ways = (np.concatenate(part) for part in zip(*_rays(footprint.outline(360)), strict=True))
    return starts, ways


def _rays(ring: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Give the rays out of a ring (n, 2), counter-clockwise: starts and directions (k, 2) of each corner, if it juts out, and each edge."""
    edges = np.roll(ring, -1, axis=0) - ring
    lengths, normals = np.hypot(edges[:, 0], edges[:, 1]), np.arctan2(-edges[:, 0], edges[:, 1])
    for corner, edge, length, before, after in zip(ring, edges, lengths, np.roll(normals, 1), normals, strict=True):
        turn = (after - before) % math.tau
        turn = turn if turn <= math.pi else 0.0
        angles = before + np.linspace(0.0, turn, math.ceil(turn / TURN) + 1)
        yield np.tile(corner, (len(angles), 1)), np.column_stack([np.cos(angles), np.sin(angles)])
        shares = np.linspace(0.0, 1.0, math.ceil(length / STEP) + 1)[1:]
        yield corner + shares[:, None] * edge, np.tile([math.cos(after), math.sin(after)], (len(shares), 1))
