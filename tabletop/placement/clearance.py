"""Room of discs at places where they may end, and how far a model gets that is caged.

The room of a place is its gap in inches to each thing that forbids an end there: other bodies, solid terrain, ranges to keep out of;
edges are asked apart. Whether a caged model may come closer to a target is searched in squares of the room that it has, none of them
left out (`may_come_closer`).
"""

import math

import numpy as np

from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.geometry.distance import gaps_at_shifts
from tabletop.geometry.shape import Shape
from tabletop.placement.legality import Legality
from tabletop.units import CONTACT, STRICTLY_BEYOND

OVAL_CURVES_OFF = 1e-4
"""Inches that curves about ovals may be off, and within which a foe counts as touched."""

QUARTERS = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
"""Where the four parts of a square lie from its middle."""

PARTS, HALVINGS, MOST_SQUARES = 8, 16, 4000
"""Squares along the side of what a caged model has, times that they are parted into four, and squares from which on they are not."""


def obstacles(legality: Legality) -> list[Shape]:
    """Give what forbids ends: bodies, solid terrain, models to keep out of the range of."""
    bodies, keep_out = (
        [model.footprint for model in models] for models in (legality.problem.bodies.models, legality.keep_out.models.models)
    )
    return [*bodies, *(piece.shape for piece in legality.problem.solids), *keep_out]


def clearances(legality: Legality, number: int, at: FloatArray, z: FloatArray) -> FloatArray:
    """Measure the room (k, obstacles) in inches of places (k, 2) of one kind at heights (k,): negative inside, foes touched left out."""
    kind, problem = legality.kinds[number], legality.problem
    level = np.abs(z[:, None] - problem.bodies.heights[None, :]) <= CONTACT
    between = legality.gaps.gaps_to(kind, at, problem.bodies)
    bodies = np.where(level & (np.abs(between) > OVAL_CURVES_OFF), between, np.inf)
    solids = [np.where(z < piece.top - CONTACT, gaps_at_shifts(kind.shape, at, piece.shape), np.inf) for piece in problem.solids]
    needed = problem.engagement.horizontal + problem.clearance
    near = problem.rises(z, legality.keep_out) <= problem.engagement.vertical + CONTACT
    zones = np.where(near, legality.gaps.gaps_to(kind, at, legality.keep_out.models) - needed, np.inf)
    return np.column_stack([bodies, *solids, zones])


def may_stand(legality: Legality, mover: int, at: FloatArray, z: FloatArray, *, off: float) -> BoolArray:
    """Tell near which places (k, 2) at heights (k,), no farther than `off` inches, a disc may be clear of all that forbids an end.

    That is on the board, and where something may hold it up.
    """
    problem, number = legality.problem, int(legality.kind_numbers[mover])
    rooms = clearances(legality, number, at, z)
    is_open = np.asarray((rooms >= -off - CONTACT).all(axis=1))
    board, radius = problem.board, float(legality.radii[number])
    low, high = np.full(2, radius - off - CONTACT), np.array([board.width, board.depth]) - radius + off + CONTACT
    is_open &= ((at >= low) & (at <= high)).all(axis=1)
    for surface in problem.surfaces:
        if surface.shape is not None:
            west, south, east, north = surface.shape.bounds
            over = (at >= (west - off, south - off)) & (at <= (east + off, north + off))
            is_open &= over.all(axis=1) | (np.abs(z - surface.z) > CONTACT)
    return is_open


def may_come_closer(legality: Legality, mover: int, room: float) -> bool:
    """Tell whether a disc that gets no farther than `room` inches may end closer to some target, by more than tolerances allow.

    Of squares of that room it is asked whether some place in one may do; those in which none does are left out.
    """
    problem = legality.problem
    start, z = problem.models.centres[mover], float(problem.models.heights[mover])
    if math.isinf(room) or len(problem.surfaces) > 1:
        return True
    side = 2.0 * room / PARTS
    steps = side * (np.arange(PARTS) - (PARTS - 1) / 2.0)
    at: FloatArray = start + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    for _ in range(HALVINGS):
        off = side / math.sqrt(2.0)
        at = at[_gains(legality, mover, at) > STRICTLY_BEYOND - off]
        at = at[may_stand(legality, mover, at, np.full(len(at), z), off=off)]
        if not 0 < len(at) <= MOST_SQUARES:
            break
        at = (at[:, None, :] + side / 4.0 * QUARTERS[None, :, :]).reshape(-1, 2)
        side /= 2.0
    return len(at) > 0


def _gains(legality: Legality, mover: int, at: FloatArray) -> FloatArray:
    """Measure how much closer (k,) in inches to a target a model is at places (k, 2) of its own height than where it begins."""
    problem, kind = legality.problem, legality.kinds[legality.kind_numbers[mover]]
    z = problem.models.heights[[mover]]
    apart = np.hypot(
        np.maximum(legality.gaps.gaps_to(kind, at, problem.target_models.models), 0.0), problem.rises(z, problem.target_models)
    )
    nearest = [apart[:, problem.target_index == target].min(axis=1) for target in problem.target_numbers]
    return np.asarray((legality.start_distances[mover] - np.stack(nearest, axis=1)).max(axis=1))
