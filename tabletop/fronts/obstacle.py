"""Obstacles of a move as convex bodies: how far a body can slide or turn before it comes too near, and the smallest
gaps.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import ring_gap, stack_padded
from tabletop.geometry.motion import SlideBlock, blocked_slide, blocked_turns
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape
from tabletop.messages import say
from tabletop.optimise.interval import Interval, Intervals, without
from tabletop.table.state import Board
from tabletop.units import CONTACT

BOARD_EDGE = say("the board's edge")


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A body that a move must keep away from: its name, the rule that demands it, its shape, and the gap needed in
    inches.
    """

    name: str
    rule: str
    shape: Shape
    needed: float

    @property
    def hazards(self) -> tuple["ConvexObstacle", ...]:
        """The convex parts of the shape, each with the gap needed; a rounded shape's radius is added to the gap."""
        return tuple(
            ConvexObstacle(piece, self.needed + self.shape.radius, self.name)
            for piece in self.shape.parts
        )


@dataclass(frozen=True, eq=False)
class ConvexObstacle:
    """A convex body from which a move keeps `needed` inches.

    Attributes
    ----------
    ring
        Vertices (n, 2) in inches, counter-clockwise; a single vertex is a point.
    needed
        Gap needed, in inches.
    name
        What it is, for messages.
    """

    ring: FloatArray
    needed: float
    name: str = ""


def outside_board(board: Board, *, margin: float) -> tuple[ConvexObstacle, ...]:
    """Return the outside of the board as four rectangles, one beyond each edge, that extend at least `margin` inches
    outwards.
    """
    width = board.width
    depth = board.depth
    far = 4 * (width + depth + margin)
    boxes = (
        (-far, -far, 0.0, depth + far),
        (width, -far, width + far, depth + far),
        (-far, -far, width + far, 0.0),
    )
    rings = (
        np.array([(west, south), (east, south), (east, north), (west, north)])
        for west, south, east, north in (*boxes, (-far, depth, width + far, depth + far))
    )
    return tuple(ConvexObstacle(ring, 0.0, BOARD_EDGE) for ring in rings)


def convex_parts_of(obstacles: Iterable[Obstacle]) -> tuple[ConvexObstacle, ...]:
    """Return the convex parts of all obstacles, in order, each with the gap that its obstacle needs."""
    return tuple(hazard for obstacle in obstacles for hazard in obstacle.hazards)


@dataclass(frozen=True, eq=False)
class FreeMotion:
    """How far a move is free, in inches (slide) or radians (turn), and the obstacle that stops it; inf and None if
    nothing does.
    """

    free: float
    hazard: ConvexObstacle | None = None


def free_slide(
    body: FloatArray, hazards: Sequence[ConvexObstacle], *, direction: Point
) -> FreeMotion:
    """Return how far a ring (n, 2) can slide along the unit vector `direction`, in inches, until a gap is less than
    needed.
    """
    stop = FreeMotion(math.inf)
    for hazard in hazards:
        stretch = blocked_slide(body, hazard.ring, direction=direction, needed=hazard.needed)
        if stretch is not None and stretch[1] > CONTACT and max(0.0, stretch[0]) < stop.free:
            stop = FreeMotion(max(0.0, stretch[0]), hazard)
    return stop


def free_slides(
    body: FloatArray,
    hazards: Iterable[ConvexObstacle],
    *,
    direction: Point,
    within: Interval,
    shifts: FloatArray,
    slack: float = CONTACT,
) -> list[Intervals]:
    """Return the slides of a ring (n, 2) along the unit vector `direction` at which it keeps every gap, as intervals of
    inches.

    Slides are looked for in the interval `within`. There is one set of intervals for each of `shifts` (k, 2), by which
    the ring is moved before it slides. Two hazards whose blocked intervals meet within `slack` inches leave a single
    point between them.
    """
    blocks = [
        SlideBlock.of(body, hazard.ring, direction=direction, needed=hazard.needed)
        for hazard in hazards
    ]
    x, y = shifts.T
    along_x, along_y = direction
    starts = zip(
        (y * along_x - x * along_y).tolist(), (x * along_x + y * along_y).tolist(), strict=True
    )
    blocked = ((block.at(across, along) for block in blocks) for across, along in starts)
    return [
        without([within], (stretch for stretch in some if stretch is not None), slack=slack)
        for some in blocked
    ]


def free_turn(
    body: FloatArray, hazards: Sequence[ConvexObstacle], *, pivot: Point, sense: int, until: float
) -> FreeMotion:
    """Return how far a ring (n, 2) can turn about a point, in radians, until a gap is less than needed; inf if it can
    to `until`.

    `sense` is +1 for a counter-clockwise turn and -1 for a clockwise one.
    """
    if not hazards:
        return FreeMotion(math.inf)
    rings = stack_padded([hazard.ring for hazard in hazards])
    needed = np.array([hazard.needed for hazard in hazards])
    found = blocked_turns(body, rings, needed=needed, until=until, pivot=pivot, sense=sense)
    if not len(found.low):
        return FreeMotion(math.inf)
    first = int(found.low.argmin())
    return FreeMotion(float(found.low[first]), hazards[int(found.pair[first])])


@dataclass(frozen=True, eq=False)
class Clearance:
    """The smallest gap of a move, in inches, and the obstacle to which it is the smallest."""

    gap: float
    hazard: ConvexObstacle

    @property
    def margin(self) -> float:
        """Excess of the gap over the gap needed, in inches."""
        return self.gap - self.hazard.needed


def gaps_on_slide(
    body: FloatArray, hazards: Sequence[ConvexObstacle], *, direction: Point, length: float
) -> FloatArray:
    """Return the smallest gap (m,), in inches, to each of m hazards while a ring slides along a unit vector by `length`
    inches.
    """
    if not hazards:
        return np.empty(0)
    return ring_gap(
        _swept(body, length * np.array(direction)),
        stack_padded([hazard.ring for hazard in hazards]),
    )


def _swept(ring: FloatArray, shift: FloatArray) -> FloatArray:
    """Return the convex hull of a convex ring (n, 2) and of the same ring displaced by `shift`: the area that it
    sweeps.

    The ring has two or more vertices. Vertices of leading edges are displaced; where leading and trailing edges meet,
    both places stay.
    """
    edges = np.roll(ring, -1, axis=0) - ring
    outward = edges[:, 1] * shift[0] - edges[:, 0] * shift[1]
    goes_after = (outward > 0.0) | ((outward == 0.0) & (edges @ shift > 0.0))
    goes_before = np.roll(goes_after, 1)
    corner = np.repeat(np.arange(len(ring)), 1 + (goes_after != goes_before))
    is_first = np.append(True, corner[1:] != corner[:-1])
    goes = np.where(is_first, goes_before[corner], goes_after[corner])
    covered: FloatArray = ring[corner] + goes[:, None] * shift
    return covered
