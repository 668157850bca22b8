"""How much room discs have at places where they may end: to other bodies, solid terrain, ranges that they shun, and edges."""

import numpy as np

from tabletop.geometry.arrangement import BoolArray
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.shape import Shape, gaps
from tabletop.placement.problem import PlacementProblem
from tabletop.units import CONTACT

OVAL_CURVES_OFF = 1e-4
"""Inches that curves about ovals may be off, and within which a foe counts as touched."""


def obstacles(problem: PlacementProblem) -> list[Shape]:
    """Give what forbids ends: bodies, solid terrain, models whose range is shunned."""
    bodies, shunned = ([model.footprint for model in models] for models in (problem.situation.bodies.models, problem.shunned.models.models))
    return [*bodies, *(piece.shape for piece in problem.situation.solids), *shunned]


def rooms_of(problem: PlacementProblem, number: int, at: FloatArray, z: FloatArray) -> FloatArray:
    """Measure the room (k, obstacles) in inches of places (k, 2) of one kind at heights (k,): negative inside, foes touched left out."""
    kind, situation = problem.kinds[number], problem.situation
    level = np.abs(z[:, None] - situation.bodies.heights[None, :]) <= CONTACT
    between = problem.separations.gaps_to(kind, at, situation.bodies)
    bodies = np.where(level & (np.abs(between) > OVAL_CURVES_OFF), between, np.inf)
    solids = [np.where(z < piece.top - CONTACT, gaps(kind.shape, at, piece.shape), np.inf) for piece in situation.solids]
    needed = situation.engagement.horizontal + situation.clearance
    near = problem.rises(z, problem.shunned) <= situation.engagement.vertical + CONTACT
    zones = np.where(near, problem.separations.gaps_to(kind, at, problem.shunned.models) - needed, np.inf)
    return np.column_stack([bodies, *solids, zones])


def may_stand(problem: PlacementProblem, mover: int, at: FloatArray, z: FloatArray, *, off: float) -> BoolArray:
    """Tell near which places (k, 2) at heights (k,), no farther than `off` inches, a disc may be clear of all that forbids an end.

    That is on the board, and where something may hold it up.
    """
    number = int(problem.kind_numbers[mover])
    rooms = rooms_of(problem, number, at, z)
    is_open = np.asarray((rooms >= -off - CONTACT).all(axis=1))
    board, radius = problem.situation.board, float(problem.radii[number])
    low, high = np.full(2, radius - off - CONTACT), np.array([board.width, board.depth]) - radius + off + CONTACT
    is_open &= ((at >= low) & (at <= high)).all(axis=1)
    for surface in problem.situation.surfaces:
        if surface.shape is not None:
            west, south, east, north = surface.shape.bounds
            over = (at >= (west - off, south - off)) & (at <= (east + off, north + off))
            is_open &= over.all(axis=1) | (np.abs(z - surface.z) > CONTACT)
    return is_open
