"""What a move keeps away from, and how far a body can slide or turn before it comes too near."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from tabletop.motion import blocked_slide, blocked_turns
from tabletop.pose import FloatArray, Point
from tabletop.rings import padded, ring_gap, turned
from tabletop.shapes import Shape
from tabletop.solve.windows import peak
from tabletop.state import Board
from tabletop.units import CONTACT

BOARD_EDGE = "the board's edge"


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
        return tuple(Hazard(piece, self.needed + self.shape.radius, self.name) for piece in self.shape.pieces)


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


TURNS = 61
"""Places at which a turn is looked at before its least gap is narrowed down."""


@dataclass(frozen=True, eq=False)
class Nearest:
    """Where a move leaves least room: the gap to a hazard, in inches; `margin` is what is left beyond the gap it needs."""

    gap: float
    hazard: Hazard

    @property
    def margin(self) -> float:
        """How much more than needed, in inches."""
        return self.gap - self.hazard.needed


def nearest_on_slide(body: FloatArray, hazards: Sequence[Hazard], *, direction: Point, length: float) -> Nearest | None:
    """Find where a ring that slides along a unit vector by `length` inches leaves least room, None without hazards."""
    moved = body + length * np.array(direction)
    swept = Shape(shapely.MultiPoint(np.vstack([body, moved])).convex_hull).pieces[0]
    found = [Nearest(float(ring_gap(swept, hazard.ring)), hazard) for hazard in hazards]
    return min(found, key=lambda one: one.margin, default=None)


def nearest_on_turn(body: FloatArray, hazards: Sequence[Hazard], *, pivot: Point, angle: float) -> Nearest | None:
    """Find where a ring that turns about a point by `angle` radians, counter-clockwise if positive, leaves least room."""
    centre = np.array(pivot)

    def gaps(hazard: Hazard, angles: FloatArray) -> FloatArray:
        return ring_gap(turned(body - centre, angles), hazard.ring - centre)

    if not hazards:
        return None
    places = np.linspace(0.0, angle, TURNS)
    coarse = ring_gap(turned(body - centre, places)[:, None], padded([hazard.ring for hazard in hazards]) - centre)
    about, which = np.unravel_index((coarse - np.array([hazard.needed for hazard in hazards])).argmin(), coarse.shape)
    low, high = sorted((float(places[max(about - 1, 0)]), float(places[min(about + 1, TURNS - 1)])))
    least = peak(lambda angles: -gaps(hazards[which], angles), low, high) if high > low else low
    return Nearest(float(min(coarse[about, which], gaps(hazards[which], np.array([least]))[0])), hazards[which])
