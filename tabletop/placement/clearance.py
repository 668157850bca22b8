"""Room of discs at places where they may end, and how far a model gets that is caged.

The room of a place is its gap in inches to each thing that forbids an end there: other bodies, solid terrain, ranges to keep out of;
edges are asked apart. A model is caged if it cannot get to some small ring about where it begins (`room_about`); whether it may still
come closer to a target is searched in squares of that room, none of them left out (`may_come_closer`).
"""

import math

import numpy as np

from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.geometry.distance import gaps_at_shifts
from tabletop.geometry.shape import Shape
from tabletop.placement.legality import PlacementProblem
from tabletop.units import CONTACT, STRICTLY_BEYOND

OVAL_CURVES_OFF = 1e-4
"""Inches that curves about ovals may be off, and within which a foe counts as touched."""

RING_RADII = (2.0, 1.0, 0.5, 0.2, 0.1, 0.05)
"""Inches of the rings; who gets to the first is not caged."""

RING_PLACES = 64
"""Places of a ring that are asked about, each for all that is no farther from it than from the next."""

QUARTERS = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
"""Where the four parts of a square lie from its middle."""

PARTS, HALVINGS, MOST_SQUARES = 8, 16, 4000
"""Squares along the side of what a caged model has, times that they are parted into four, and squares from which on they are not."""


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
    solids = [np.where(z < piece.top - CONTACT, gaps_at_shifts(kind.shape, at, piece.shape), np.inf) for piece in situation.solids]
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


def room_about(problem: PlacementProblem, mover: int, limit: float) -> float:
    """Return how many inches a disc gets at most from where it begins, moving up to `limit` inches; infinite if it is not caged.

    What can be climbed or flown over cages nobody.
    """
    if not (problem.kinds[problem.kind_numbers[mover]].is_round and problem.situation.is_level):
        return math.inf
    room = math.inf
    for radius in RING_RADII:
        if _is_reached(problem, mover, radius, limit):
            break
        room = radius
    return room


def _is_reached(problem: PlacementProblem, mover: int, radius: float, limit: float) -> bool:
    """Tell whether a model might get to some place of a ring: a smaller disc to one of those asked about."""
    turns = math.tau / RING_PLACES * np.arange(RING_PLACES)
    start, z = problem.movers.centres[mover], float(problem.movers.heights[mover])
    ring: FloatArray = start + radius * np.column_stack([np.cos(turns), np.sin(turns)])
    heights, off = np.full(RING_PLACES, z), math.pi * radius / RING_PLACES
    is_straight = problem.ways.are_straight(problem.movers.models[mover], np.column_stack([ring, heights])).any()
    if is_straight or off >= problem.radii[problem.kind_numbers[mover]]:
        return True
    return bool(np.isfinite(problem.shrunk_lengths(mover, ring, heights, by=off, limit=limit)).any())


def may_come_closer(problem: PlacementProblem, mover: int, room: float) -> bool:
    """Tell whether a disc that gets no farther than `room` inches may end closer to some target, by more than tolerances allow.

    Of squares of that room it is asked whether some place in one may do; those in which none does are left out.
    """
    start, z = problem.movers.centres[mover], float(problem.movers.heights[mover])
    if math.isinf(room) or len(problem.situation.surfaces) > 1:
        return True
    side = 2.0 * room / PARTS
    steps = side * (np.arange(PARTS) - (PARTS - 1) / 2.0)
    at: FloatArray = start + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    for _ in range(HALVINGS):
        off = side / math.sqrt(2.0)
        at = at[_gains(problem, mover, at) > STRICTLY_BEYOND - off]
        at = at[may_stand(problem, mover, at, np.full(len(at), z), off=off)]
        if not 0 < len(at) <= MOST_SQUARES:
            break
        at = (at[:, None, :] + side / 4.0 * QUARTERS[None, :, :]).reshape(-1, 2)
        side /= 2.0
    return len(at) > 0


def _gains(problem: PlacementProblem, mover: int, at: FloatArray) -> FloatArray:
    """Measure how much closer (k,) in inches to a target a model is at places (k, 2) of its own height than where it begins."""
    kind, z = problem.kinds[problem.kind_numbers[mover]], problem.movers.heights[[mover]]
    apart = np.hypot(np.maximum(problem.separations.gaps_to(kind, at, problem.foes.models), 0.0), problem.rises(z, problem.foes))
    nearest = [apart[:, problem.target_of == target].min(axis=1) for target in problem.targets]
    return np.asarray((problem.start_distances[mover] - np.stack(nearest, axis=1)).max(axis=1))
