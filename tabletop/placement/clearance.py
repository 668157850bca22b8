"""Room of models at places where they may end.

The room of a place is its gap in inches to each thing that forbids an end there: other bodies, solid terrain, ranges to keep out of;
edges are asked apart.
"""

import numpy as np

from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.geometry.distance import gaps_at_shifts
from tabletop.geometry.shape import Shape
from tabletop.placement.legality import Legality, OrientedBase
from tabletop.units import CONTACT

OVAL_CURVES_OFF = 1e-4
"""Inches that curves about ovals may be off, and within which a foe counts as touched."""


def obstacles(legality: Legality) -> list[Shape]:
    """Give what forbids ends: bodies, solid terrain, models to keep out of the range of."""
    bodies, keep_out = (
        [model.footprint for model in models] for models in (legality.problem.bodies.models, legality.keep_out.models.models)
    )
    return [*bodies, *(piece.shape for piece in legality.problem.solids), *keep_out]


def clearances(legality: Legality, kind: OrientedBase, at: FloatArray, z: FloatArray) -> FloatArray:
    """Measure the room (k, obstacles) in inches of places (k, 2) of one kind at heights (k,): negative inside, foes touched left out."""
    problem = legality.problem
    level = np.abs(z[:, None] - problem.bodies.heights[None, :]) <= CONTACT
    between = legality.gaps.gaps_to(kind, at, problem.bodies)
    bodies = np.where(level & (np.abs(between) > OVAL_CURVES_OFF), between, np.inf)
    solids = [np.where(z < piece.top - CONTACT, gaps_at_shifts(kind.shape, at, piece.shape), np.inf) for piece in problem.solids]
    needed = problem.engagement.horizontal + problem.clearance
    near = problem.rises(z, legality.keep_out) <= problem.engagement.vertical + CONTACT
    zones = np.where(near, legality.gaps.gaps_to(kind, at, legality.keep_out.models) - needed, np.inf)
    return np.column_stack([bodies, *solids, zones])


def may_stand(legality: Legality, kind: OrientedBase, at: FloatArray, z: FloatArray, *, off: float) -> BoolArray:
    """Tell near which places (k, 2) at heights (k,) a base, no point of it more than `off` inches away, may be clear of what forbids ends.

    That is on the board, and where something may hold it up.
    """
    board, (west, south, east, north) = legality.problem.board, kind.shape.bounds
    is_open = np.asarray((clearances(legality, kind, at, z) >= -off - CONTACT).all(axis=1))
    low, high = np.array([west, south]), np.array([east - board.width, north - board.depth])
    is_open &= ((at + low >= -off - CONTACT) & (at + high <= off + CONTACT)).all(axis=1)
    for surface in legality.problem.surfaces:
        if surface.shape is not None:
            west, south, east, north = surface.shape.bounds
            over = (at >= (west - off, south - off)) & (at <= (east + off, north + off))
            is_open &= over.all(axis=1) | (np.abs(z - surface.z) > CONTACT)
    return is_open
