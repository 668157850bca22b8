"""What a move keeps away from, and how far a body can slide or turn before it comes too near."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.geometry.motion import blocked_slide, blocked_turns
from tabletop.geometry.pose import FloatArray, Point
from tabletop.geometry.ring import padded, ring_gap, turned
from tabletop.geometry.shape import Shape
from tabletop.table.state import Board
from tabletop.units import CONTACT, MARGINAL

BOARD_EDGE = "the board's edge"
MOST_LINES = 64
"""Lines through the pivot at which the depth of an overlap is looked at: all there are between bodies of four corners."""
CORNERS_OF_EDGE = 2
"""Corners of a body that is an edge, without an inside."""
HALVED = 0.5 ** np.arange(1, 21)
BESIDE_ENDS = np.concatenate([HALVED, 1.0 - HALVED])
"""Shares of a turn, ever nearer to its ends: an edge that touches there is in the ring between two of them, unless by less than is seen."""


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A body to keep away from: whose it is, the rule that says so, and the gap needed in inches."""

    name: str
    rule: str
    shape: Shape
    needed: float

    @property
    def hazards(self) -> tuple["Hazard", ...]:
        """Its convex parts."""
        return tuple(Hazard(piece, self.needed + self.shape.radius, self.name) for piece in self.shape.parts)


@dataclass(frozen=True, eq=False)
class Hazard:
    """A convex body (vertices in inches, counter-clockwise; one vertex: a point) from which a move keeps `needed` inches."""

    ring: FloatArray
    needed: float
    name: str = ""


def beyond(board: Board, *, margin: float) -> tuple[Hazard, ...]:
    """Give what lies beyond each edge of a board, as bodies; `margin` inches or more reach outside of it."""
    width, depth = board.width, board.depth
    far = 4 * (width + depth + margin)
    boxes = ((-far, -far, 0.0, depth + far), (width, -far, width + far, depth + far), (-far, -far, width + far, 0.0))
    rings = (
        np.array([(west, south), (east, south), (east, north), (west, north)])
        for west, south, east, north in (*boxes, (-far, depth, width + far, depth + far))
    )
    return tuple(Hazard(ring, 0.0, BOARD_EDGE) for ring in rings)


def hazards_of(obstacles: Iterable[Obstacle]) -> tuple[Hazard, ...]:
    """Give the convex parts of obstacles."""
    return tuple(hazard for obstacle in obstacles for hazard in obstacle.hazards)


@dataclass(frozen=True, eq=False)
class Stop:
    """How far a move goes freely, in inches or radians, and what stops it; infinitely far if nothing does."""

    free: float
    hazard: Hazard | None = None


def free_slide(body: FloatArray, hazards: Sequence[Hazard], *, direction: Point) -> Stop:
    """Give how far a ring can slide along a unit vector before it comes nearer to something than needed."""
    stop = Stop(math.inf)
    for hazard in hazards:
        stretch = blocked_slide(body, hazard.ring, direction=direction, needed=hazard.needed)
        if stretch is not None and stretch[1] > CONTACT and max(0.0, stretch[0]) < stop.free:
            stop = Stop(max(0.0, stretch[0]), hazard)
    return stop


def free_turn(body: FloatArray, hazards: Sequence[Hazard], *, pivot: Point, sense: int, until: float) -> Stop:
    """Give how far a ring can turn about a point, at most `until` radians, before it comes nearer to something than needed."""
    stop = Stop(math.inf)
    for hazard in hazards:
        stretches = blocked_turns(body, hazard.ring, pivot=pivot, needed=hazard.needed, until=until, sense=sense)
        if stretches and stretches[0][0] < stop.free:
            stop = Stop(stretches[0][0], hazard)
    return stop


@dataclass(frozen=True, eq=False)
class Nearest:
    """Where a move leaves least room: the gap to a hazard, in inches; `margin` is what is left beyond the gap it needs."""

    gap: float
    hazard: Hazard

    @property
    def margin(self) -> float:
        """How much more than needed, in inches."""
        return self.gap - self.hazard.needed


def gaps_on_slide(body: FloatArray, hazards: Sequence[Hazard], *, direction: Point, length: float) -> FloatArray:
    """Give the least gap (m,) in inches to each hazard of a ring that slides along a unit vector by `length` inches."""
    if not hazards:
        return np.empty(0)
    return ring_gap(_swept(body, length * np.array(direction)), padded([hazard.ring for hazard in hazards]))


def _swept(ring: FloatArray, shift: FloatArray) -> FloatArray:
    """Give what a ring of two or more vertices covers while it is shifted: edges that look ahead go with it, ends of their run stay too."""
    edges = np.roll(ring, -1, axis=0) - ring
    outward = edges[:, 1] * shift[0] - edges[:, 0] * shift[1]
    goes_after = (outward > 0.0) | ((outward == 0.0) & (edges @ shift > 0.0))
    goes_before = np.roll(goes_after, 1)
    corner = np.repeat(np.arange(len(ring)), 1 + (goes_after != goes_before))
    is_first = np.append(True, corner[1:] != corner[:-1])
    goes = np.where(is_first, goes_before[corner], goes_after[corner])
    covered: FloatArray = ring[corner] + goes[:, None] * shift
    return covered


def gaps_on_turns(bodies: FloatArray, rings: FloatArray, turns: FloatArray, *, is_deepest: bool = False) -> FloatArray:
    """Give the least gap (N,) in inches to rings (N, m, 2) of bodies (N, n, 2) that hold the origin, on turns (N,) about it.

    Turns are in radians, counter-clockwise if positive. The gap is least at an end of a turn, or where the shortest line between
    the two leads through the origin: from corner to corner, or square to an edge. Where they overlap it is less than 0: how deep
    they do where the body reaches farthest into the ring as seen from the origin, or with `is_deepest` wherever such a line may be.
    An edge, a body of two corners, may touch at an end of the turn and be in the ring right beside it: that is asked as well.
    """
    sense, until = np.copysign(1.0, turns), np.abs(turns)
    bearings, rooms = _lines(bodies, rings)
    passed = np.remainder(sense[:, None] * bearings, math.tau)
    passed = np.where(passed < until[:, None], passed, 0.0)
    nearest = np.where(passed > 0.0, rooms, np.inf).argmin(axis=1)
    tried = np.stack([np.zeros_like(until), until, np.take_along_axis(passed, nearest[:, None], axis=1)[:, 0]])
    along = ring_gap(turned(bodies, sense * tried), rings[None])
    gaps: FloatArray = along.min(axis=0)
    touching = np.flatnonzero((np.abs(along[:2]) <= MARGINAL).any(axis=0) & (bodies.shape[1] == CORNERS_OF_EDGE))
    if len(touching):
        beside = ring_gap(turned(bodies[touching], turns[touching] * BESIDE_ENDS[:, None]), rings[None, touching])
        gaps[touching] = np.minimum(gaps[touching], beside.min(axis=0))
    overlapping = np.flatnonzero(gaps < 0.0) if is_deepest else np.empty(0, dtype=np.intp)
    for number in overlapping.tolist():
        deepest = np.argsort(np.where(passed[number] > 0.0, rooms[number], np.inf), kind="stable")[:MOST_LINES]
        angles = sense[number] * passed[number, deepest]
        gaps[number] = min(gaps[number], ring_gap(turned(bodies[number], angles), rings[number]).min())
    return gaps


def _lines(bodies: FloatArray, rings: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the turns (N, q) that bring points of bodies onto lines from the origin to points of rings, and the room left between them.

    The points are corners, and feet of the origin on edges; where a foot is beside its edge there is infinite room.
    """
    (here, reach), (there, away) = _bearings(bodies), _bearings(rings)
    corners, edges, count = bodies.shape[1], rings.shape[1], len(bodies)
    reach = np.where(np.isinf(reach), -np.inf, reach)
    turns = there[:, :, None] - here[:, None, :corners], there[:, :edges, None] - here[:, None, corners:]
    rooms = away[:, :, None] - reach[:, None, :corners], away[:, :edges, None] - reach[:, None, corners:]
    first, second = (np.concatenate([part.reshape(count, -1) for part in parts], axis=1) for parts in (turns, rooms))
    return first, second


def _bearings(rings: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give where corners of rings (N, n, 2) are, and behind them the feet of the origin on their edges: bearings and radii (N, 2 n).

    Feet beside their edge are infinitely far off.
    """
    x, y = rings[..., 0], rings[..., 1]
    along_x, along_y = (np.concatenate([plane[:, 1:], plane[:, :1]], axis=1) - plane for plane in (x, y))
    height, start, squared = x * along_y - y * along_x, x * along_x + y * along_y, along_x * along_x + along_y * along_y
    is_on = (start <= 0.0) & (start + squared >= 0.0) & (squared > 0.0)
    feet = np.where(is_on, np.abs(height) / np.sqrt(np.where(is_on, squared, 1.0)), np.inf)
    bearings = np.concatenate([np.arctan2(y, x), np.arctan2(-height * along_x, height * along_y)], axis=1)
    return bearings, np.concatenate([np.hypot(x, y), feet], axis=1)
