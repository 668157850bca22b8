"""Facings and arcs of regiments: their sides as lines, the models these show, who touches whom.

The arcs of a convex ring are parted by rays, one from each corner, midway between the normals of its two sides; between the rays lies
the arc of a side.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tabletop.geometry.arrays import FloatArray
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
    """One side of a boundary as a line on the table.

    `origin` is where u = 0; u runs along `along` to `length` inches, v along the outward `normal`. An attacker, who comes
    from v > 0 and looks along -normal, has his right at small u.
    """

    name: FacingName
    origin: Point
    along: Point
    normal: Point
    length: float

    def point(self, u: float, v: float = 0.0) -> Point:
        """Return the table point at coordinates (u, v), in inches."""
        (ax, ay), (nx, ny) = self.along, self.normal
        return (self.origin[0] + u * ax + v * nx, self.origin[1] + u * ay + v * ny)

    def coordinates(self, point: Point) -> Point:
        """Return (u, v) of a table point, in inches."""
        dx, dy = point[0] - self.origin[0], point[1] - self.origin[1]
        return (dx * self.along[0] + dy * self.along[1], dx * self.normal[0] + dy * self.normal[1])

    def flush_pose(self, start: float, width: float) -> Pose:
        """Return the pose of a front of `width` inches that lies flush on the facing and covers u from `start` on."""
        x, y = self.point(start + width / 2)
        return Pose(x, y, math.atan2(-self.normal[1], -self.normal[0]))

    @property
    def ends(self) -> tuple[Point, Point]:
        """The points at u = 0 and u = length."""
        return self.origin, self.point(self.length)


def facing_of(unit: Regiment, name: FacingName) -> Facing:
    """Return one facing of a regiment's boundary."""
    ahead, right = unit.pose.forward, unit.pose.right
    half, depth = unit.width / 2, unit.depth
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
    """A model visible from a facing: its interval on u in inches, its number, and whether it stands behind empty places."""

    low: float
    high: float
    number: int
    is_set_back: bool


def shown_models(unit: Regiment, name: FacingName) -> tuple[ShownModel, ...]:
    """Return the models first met looking inward over a facing: one per file (front, rear) or per rank (flanks)."""
    places = unit.places()
    numbers = {place: number for number, place in enumerate(places)}
    shown = []
    axis, first = 0 if name in ("front", "rear") else 1, min if name in ("front", "left") else max
    for line in range(unit.ranks if axis else unit.files):
        rank, file = first((place for place in places if place[1 - axis] == line), key=lambda place: place[axis])
        outer = {"front": 0, "rear": unit.ranks - 1, "left": 0, "right": unit.files - 1}[name]
        low, high = _interval(unit, name, line)
        shown.append(ShownModel(low, high, numbers[rank, file], (file if axis else rank) != outer))
    return tuple(sorted(shown, key=lambda model: model.low))


def _interval(unit: Regiment, name: FacingName, line: int) -> tuple[float, float]:
    """Return the interval on u of a file (front, rear) or rank (flanks); u runs against the numbering on the rear and the left."""
    size = unit.base.width if name in ("front", "rear") else unit.base.depth
    low = line * (size + unit.spacing)
    if name in ("rear", "left"):
        length = unit.width if name == "rear" else unit.depth
        return length - low - size, length - low
    return low, low + size


def touches(first: Regiment, second: Regiment) -> bool:
    """Return whether two boundaries touch."""
    return gap(first.boundary, second.boundary) <= CONTACT


def is_engaged(state: State, unit: Regiment) -> bool:
    """Return whether a unit's boundary touches an enemy's."""
    return any(other.side != unit.side and touches(unit, other) for other in state.units.values())


def arcs_of(unit: Regiment, point: Point) -> tuple[FacingName, ...]:
    """Return the arc of a regiment that contains a table point, or both arcs on whose dividing line it lies.

    The dividing lines leave the corners at 135 degrees to both facings.
    """
    lengthwise, sideways = nearest_facings(unit, point)
    off = off_dividing_line(point, facing_of(unit, lengthwise), facing_of(unit, sideways))
    if abs(off) <= CONTACT:
        return tuple(name for name in FACINGS if name in (lengthwise, sideways))
    return (lengthwise,) if off > 0 else (sideways,)


def nearest_facings(unit: Regiment, point: Point) -> tuple[FacingName, FacingName]:
    """Return front or rear, and left or right, of the quarter of a regiment in which a table point lies."""
    across, ahead = unit.pose.local(point)
    return "front" if ahead > -unit.depth / 2 else "rear", "right" if across > 0 else "left"


def off_dividing_line(point: Point, one: Facing, other: Facing) -> float:
    """Return how far a table point lies from the line that divides the arcs of two facings with a common corner.

    In inches, greater than 0 in the arc of the first.
    """
    return (one.coordinates(point)[1] - other.coordinates(point)[1]) / math.dist(one.normal, other.normal)


def arc_names(unit: Regiment) -> tuple[tuple[str, float], ...]:
    """Return the names of a regiment's arcs with the directions (radians) in which they lie."""
    turns = (("front", 0.0), ("left", math.pi / 2), ("rear", math.pi), ("right", -math.pi / 2))
    return tuple((name, unit.pose.heading + turn) for name, turn in turns)


def arc_rays(ring: FloatArray) -> Rays:
    """Return the rays between the arcs of a ring, as origin and unit direction, in the order of its corners."""
    return tuple(
        ((float(x), float(y)), (float(along_x), float(along_y)))
        for (x, y), (along_x, along_y) in zip(ring.tolist(), bisectors(ring).tolist(), strict=True)
    )


def arc(ring: FloatArray, side: int, *, slack: float = 0.0) -> tuple[HalfPlane, ...]:
    """Return the arc of the side after corner `side`, widened by `slack` inches, as an intersection of half-planes."""
    return between_rays(ring, side, normals=edge_normals(ring), rays=bisectors(ring), slack=slack)


def between_rays(ring: FloatArray, side: int, *, normals: FloatArray, rays: FloatArray, slack: float = 0.0) -> tuple[HalfPlane, ...]:
    """Return that arc where the ring's normals (n, 2) and bisectors (n, 2) are known."""
    following, normal = (side + 1) % len(ring), normals[side]
    (left_x, left_y), (right_x, right_y) = rays[side], rays[following]
    outward = ((ring[side], (-normal[0], -normal[1])), (ring[side], (left_y, -left_x)), (ring[following], (-right_y, right_x)))
    return tuple(((float(x), float(y)), float(at[0] * x + at[1] * y) + slack) for at, (x, y) in outward)


def bisectors(ring: FloatArray) -> FloatArray:
    """Return the unit directions (n, 2) of the rays from the corners of a counter-clockwise convex ring (n, 2)."""
    normals = edge_normals(ring)
    between = normals + np.roll(normals, 1, axis=0)
    return between / np.hypot(between[:, 0], between[:, 1])[:, None]
