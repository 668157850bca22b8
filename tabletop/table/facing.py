"""Facings and arcs of regiments: their sides as lines, the models these show, who touches whom.

The arcs of a convex ring are divided by rays, one from each corner, midway between the outward normals of its two
sides; the arc of a side is the region between the rays of its two ends.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tabletop.geometry.arrays import FloatArray, lengths_of
from tabletop.geometry.convex import HalfPlane, edge_normals
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Point, Pose
from tabletop.messages import say
from tabletop.table.state import Regiment, State
from tabletop.units import CONTACT

FacingName = Literal["front", "left", "right", "rear"]

FACINGS: tuple[FacingName, ...] = ("front", "left", "right", "rear")

FACING_WORDS: Mapping[FacingName, str] = {
    "front": say("front"),
    "left": say("left flank"),
    "right": say("right flank"),
    "rear": say("rear"),
}
"""Names of facings in sentences."""

Rays = tuple[tuple[Point, Point], ...]


@dataclass(frozen=True)
class Facing:
    """One side of a regiment's boundary as a line on the table, with coordinates (u, v) in inches.

    Attributes
    ----------
    name
        "front", "left", "right" or "rear".
    origin
        Table point of the corner where u = 0.
    along, normal
        Unit vectors of increasing u and of increasing v, which points outward.
    length
        Length of the side; u runs from 0 to it.

    Seen by an attacker outside, who looks along -normal, small u is on the right.
    """

    name: FacingName
    origin: Point
    along: Point
    normal: Point
    length: float

    def point(self, u: float, v: float = 0.0) -> Point:
        """Return the table point at coordinates (u, v) of the facing, in inches."""
        ax, ay = self.along
        nx, ny = self.normal
        return (self.origin[0] + u * ax + v * nx, self.origin[1] + u * ay + v * ny)

    def coordinates(self, point: Point) -> Point:
        """Return the coordinates (u, v) of a table point on the facing, in inches."""
        dx = point[0] - self.origin[0]
        dy = point[1] - self.origin[1]
        return (dx * self.along[0] + dy * self.along[1], dx * self.normal[0] + dy * self.normal[1])

    def flush_pose(self, start: float, width: float) -> Pose:
        """Return the pose of the middle of a front that lies flush on the facing and covers u from `start` to
        `start + width`.
        """
        x, y = self.point(start + width / 2)
        return Pose(x, y, math.atan2(-self.normal[1], -self.normal[0]))

    @property
    def ends(self) -> tuple[Point, Point]:
        """The table points at u = 0 and at u = length."""
        return self.origin, self.point(self.length)


def facing_of(unit: Regiment, name: FacingName) -> Facing:
    """Return the named side of a regiment's boundary as a line on the table."""
    ahead = unit.pose.forward
    right = unit.pose.right
    half = unit.width / 2
    depth = unit.depth
    normal, corner, length = {
        "front": (ahead, (-half, 0.0), unit.width),
        "right": (right, (half, 0.0), depth),
        "rear": (_opposite(ahead), (half, -depth), unit.width),
        "left": (_opposite(right), (-half, -depth), depth),
    }[name]
    return Facing(name, unit.pose.point(*corner), (normal[1], -normal[0]), normal, length)


def _opposite(vector: Point) -> Point:
    return (-vector[0], -vector[1])


@dataclass(frozen=True)
class ShownModel:
    """A model visible from a facing: the interval from `low` to `high` of its u in inches, and its number in
    `Regiment.places`.

    `is_set_back` is whether it is placed behind empty places.
    """

    low: float
    high: float
    number: int
    is_set_back: bool


def shown_models(unit: Regiment, name: FacingName) -> tuple[ShownModel, ...]:
    """Return the models first met looking inward over a facing, in order of u: one per file (front, rear) or per rank
    (flanks).
    """
    places = unit.places()
    numbers = {place: number for number, place in enumerate(places)}
    shown = []
    axis = 0 if name in ("front", "rear") else 1
    first = min if name in ("front", "left") else max
    for line in range(unit.ranks if axis else unit.files):
        rank, file = first(
            (place for place in places if place[1 - axis] == line), key=lambda place: place[axis]
        )
        outer = {"front": 0, "rear": unit.ranks - 1, "left": 0, "right": unit.files - 1}[name]
        low, high = _interval(unit, name, line)
        shown.append(ShownModel(low, high, numbers[rank, file], (file if axis else rank) != outer))
    return tuple(sorted(shown, key=lambda model: model.low))


def _interval(unit: Regiment, name: FacingName, line: int) -> tuple[float, float]:
    """Return the interval (low, high) of u, in inches, that a file (front, rear) or rank (flanks) covers on a facing.

    u runs against the numbering of files and ranks on the rear and the left.
    """
    size = unit.base.width if name in ("front", "rear") else unit.base.depth
    low = line * (size + unit.spacing)
    if name in ("rear", "left"):
        length = unit.width if name == "rear" else unit.depth
        return length - low - size, length - low
    return low, low + size


def touches(first: Regiment, second: Regiment) -> bool:
    """Return whether the boundaries of two regiments touch or overlap, to the tolerance `CONTACT`."""
    return gap(first.boundary, second.boundary) <= CONTACT


def is_engaged(state: State, unit: Regiment) -> bool:
    """Return whether a regiment's boundary touches or overlaps that of a unit of another side."""
    return any(other.side != unit.side and touches(unit, other) for other in state.units.values())


def arcs_of(unit: Regiment, point: Point) -> tuple[FacingName, ...]:
    """Return the name of the arc of a regiment that contains a table point; both names on the line that divides two
    arcs.

    The dividing lines leave the corners of the boundary at 135 degrees to both sides.
    """
    lengthwise, sideways = nearest_facings(unit, point)
    off = off_dividing_line(point, facing_of(unit, lengthwise), facing_of(unit, sideways))
    if abs(off) <= CONTACT:
        return tuple(name for name in FACINGS if name in (lengthwise, sideways))
    return (lengthwise,) if off > 0 else (sideways,)


def nearest_facings(unit: Regiment, point: Point) -> tuple[FacingName, FacingName]:
    """Return in which quarter of a regiment's boundary, extended outward, a table point lies: (front or rear, left or
    right).
    """
    across, ahead = unit.pose.local(point)
    return "front" if ahead > -unit.depth / 2 else "rear", "right" if across > 0 else "left"


def off_dividing_line(point: Point, one: Facing, other: Facing) -> float:
    """Return the signed distance in inches of a table point from the line that divides the arcs of two facings with a
    common corner.

    It is positive on the side of the arc of `one`.
    """
    return (one.coordinates(point)[1] - other.coordinates(point)[1]) / math.dist(
        one.normal, other.normal
    )


def arc_names(unit: Regiment) -> tuple[tuple[str, float], ...]:
    """Return the name of each arc of a regiment, with the heading in radians in which it lies from the regiment's
    centre.
    """
    turns = (("front", 0.0), ("left", math.pi / 2), ("rear", math.pi), ("right", -math.pi / 2))
    return tuple((name, unit.pose.heading + turn) for name, turn in turns)


def arc_rays(ring: FloatArray) -> Rays:
    """Return the rays between the arcs of a counter-clockwise convex ring (n, 2): (origin, unit direction) for each
    corner, in order.
    """
    return tuple(
        ((float(x), float(y)), (float(along_x), float(along_y)))
        for (x, y), (along_x, along_y) in zip(ring.tolist(), bisectors(ring).tolist(), strict=True)
    )


def arc(ring: FloatArray, side: int, *, slack: float = 0.0) -> tuple[HalfPlane, ...]:
    """Return the arc of the side after corner `side` of a ring (n, 2), widened by `slack` inches, as an intersection of
    half-planes.
    """
    return between_rays(ring, side, normals=edge_normals(ring), rays=bisectors(ring), slack=slack)


def between_rays(
    ring: FloatArray, side: int, *, normals: FloatArray, rays: FloatArray, slack: float = 0.0
) -> tuple[HalfPlane, ...]:
    """Return what `arc` returns, given the outward normals (n, 2) of the ring's sides and the bisectors (n, 2) at its
    corners.
    """
    following = (side + 1) % len(ring)
    normal = normals[side]
    left_x, left_y = rays[side]
    right_x, right_y = rays[following]
    outward = (
        (ring[side], (-normal[0], -normal[1])),
        (ring[side], (left_y, -left_x)),
        (ring[following], (-right_y, right_x)),
    )
    return tuple(
        ((float(x), float(y)), float(at[0] * x + at[1] * y) + slack) for at, (x, y) in outward
    )


def bisectors(ring: FloatArray) -> FloatArray:
    """Return the unit directions (n, 2) of the rays that divide arcs, from the corners of a counter-clockwise convex
    ring (n, 2).
    """
    normals = edge_normals(ring)
    between = normals + np.roll(normals, 1, axis=0)
    return between / lengths_of(between)[:, None]
