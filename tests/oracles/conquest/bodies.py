"""Rectangles by the thousand, what stands around them, and the signed gaps between the two."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import shapely
from numpy.typing import NDArray

from tabletop.table.state import Regiment, Terrain

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Which = NDArray[np.intp]
Role = Literal["enemy", "garrison", "impassable", "friend", "crossable"]
TOUCH = 1e-6
"""Inches: what every comparison of lengths allows."""


def direction(angles: Floats) -> Floats:
    """Return unit vectors (n, 2) of angles (n,)."""
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def to_right(vectors: Floats) -> Floats:
    """Turn vectors (..., 2) by a right angle clockwise."""
    return np.stack([vectors[..., 1], -vectors[..., 0]], axis=-1)


def turned(points: Floats, pivots: Floats, angles: Floats) -> Floats:
    """Turn points (n, k, 2) about pivots (n, 2) by angles (n,), counter-clockwise."""
    cos = np.cos(angles)[:, None]
    sin = np.sin(angles)[:, None]
    x, y = (points - pivots[:, None, :]).transpose(2, 0, 1)
    return np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1) + pivots[:, None, :]


@dataclass(frozen=True)
class Frames:
    """Many frames of one regiment: left front corners (n, 2), headings (n,), width and depth in inches."""

    left: Floats
    heading: Floats
    width: float
    depth: float

    @property
    def ahead(self) -> Floats:
        """Unit vectors along the headings."""
        return direction(self.heading)

    @property
    def right(self) -> Floats:
        """Unit vectors from the left to the right end of the fronts."""
        return to_right(self.ahead)

    @property
    def corners(self) -> Floats:
        """Corners (n, 4, 2): front left, front right, rear right, rear left."""
        across = self.width * self.right
        back = -self.depth * self.ahead
        return np.stack(
            [self.left, self.left + across, self.left + across + back, self.left + back], axis=1
        )

    @property
    def front(self) -> Floats:
        """Middles of the fronts (n, 2), where the file says the regiments stand."""
        return self.left + self.width / 2 * self.right

    def take(self, which: Any) -> "Frames":
        """Keep some of the frames."""
        return Frames(self.left[which], self.heading[which], self.width, self.depth)

    def moved(self, lengths: Floats) -> "Frames":
        """Move each straight ahead by a length."""
        return Frames(
            self.left + lengths[:, None] * self.ahead, self.heading, self.width, self.depth
        )

    def shifted(self, vectors: Floats) -> "Frames":
        """Move each by a vector, without turning it."""
        return Frames(self.left + vectors, self.heading, self.width, self.depth)

    def turned(self, pivots: Floats, angles: Floats) -> "Frames":
        """Turn each about a table point."""
        return Frames(
            turned(self.left[:, None, :], pivots, angles)[:, 0],
            self.heading + angles,
            self.width,
            self.depth,
        )

    def strips(self, lengths: Floats) -> Floats:
        """Return the corners (n, 4, 2) of what each covers while it moves straight ahead by a length."""
        return Frames(
            self.left + lengths[:, None] * self.ahead, self.heading, self.width, 0.0
        ).with_depths(self.depth + lengths)

    def with_depths(self, depths: Floats) -> Floats:
        """Return corners (n, 4, 2) with a depth for each in place of the common one."""
        across = self.width * self.right
        back = -depths[:, None] * self.ahead
        return np.stack(
            [self.left, self.left + across, self.left + across + back, self.left + back], axis=1
        )


def frames_of(unit: Regiment) -> Frames:
    """See one regiment as it stands; a single frame."""
    heading = np.array([unit.pose.heading])
    left = np.array([[unit.pose.x, unit.pose.y]]) - unit.width / 2 * to_right(direction(heading))
    return Frames(left, heading, unit.width, unit.depth)


@dataclass(frozen=True)
class Body:
    """Something that stands on the table: `core` with `radius` around it, and the gap in inches that the charger must
    keep.
    """

    name: str
    role: Role
    core: shapely.Geometry
    radius: float
    needed: float

    @cached_property
    def pieces(self) -> tuple[Floats, ...]:
        """Convex parts of the core, vertices (m, 2); a point is one vertex."""
        if isinstance(self.core, shapely.Point):
            return (np.array([[self.core.x, self.core.y]]),)
        if self.core.convex_hull.area - self.core.area < TOUCH * TOUCH:
            return (shapely.get_coordinates(self.core)[:-1],)
        parts = shapely.constrained_delaunay_triangles(self.core).geoms
        return tuple(shapely.get_coordinates(part)[:-1] for part in parts)

    def distances(self, points: Floats) -> Floats:
        """Return how far points (n, 2) are away, 0 or less within."""
        return np.asarray(shapely.distance(shapely.points(points), self.core)) - self.radius

    def gaps(self, corners: Floats) -> Floats:
        """Return the signed gaps (n,) to convex bodies with corners (n, k, 2): negative the depth of an overlap."""
        apart: Floats = (
            np.asarray(shapely.distance(shapely.polygons(corners), self.core)) - self.radius
        )
        inside = apart + self.radius <= 0.0
        if inside.any():
            apart[inside] = (
                -np.max([_depths(corners[inside], piece) for piece in self.pieces], axis=0)
                - self.radius
            )
        return apart


def pair_gaps(first: Floats, second: Floats) -> Floats:
    """Return the signed gap (n,) of each two rectangles with corners (n, 4, 2)."""
    apart: Floats = np.asarray(shapely.distance(shapely.polygons(first), shapely.polygons(second)))
    sides = [_units(np.roll(item, -1, axis=1) - item) for item in (first, second)]
    depth = np.maximum(_along(first, second, sides[0]), _along(first, second, sides[1]))
    return np.where(apart > 0.0, apart, depth)


def _depths(corners: Floats, ring: Floats) -> Floats:
    """Return how deep convex bodies (n, k, 2) reach into a convex ring (m, 2), by the least shift that parts them."""
    rings = np.broadcast_to(ring, (len(corners), *ring.shape))
    apart = _along(corners, rings, _units(np.roll(corners, -1, axis=1) - corners))
    if len(ring) > 1:
        apart = np.maximum(
            apart, _along(corners, rings, _units(np.roll(rings, -1, axis=1) - rings))
        )
    return -apart


def _units(sides: Floats) -> Floats:
    lengths = np.hypot(sides[..., 0], sides[..., 1])[..., None]
    return to_right(sides / np.where(lengths > 0.0, lengths, 1.0)) * np.where(
        lengths > 0.0, 1.0, np.nan
    )


def _along(first: Floats, second: Floats, axes: Floats) -> Floats:
    """Return how far two bodies are apart at most along axes (n, a, 2)."""
    one = np.einsum("naj,nkj->nak", axes, first)
    other = np.einsum("naj,nkj->nak", axes, second)
    apart = np.maximum(other.min(axis=2) - one.max(axis=2), one.min(axis=2) - other.max(axis=2))
    return np.asarray(np.nanmax(apart, axis=1))


@dataclass(frozen=True)
class Edge:
    """The edge of the board as something to stay within."""

    width: float
    depth: float
    name: str = "board"
    role: Literal["board"] = "board"
    needed: float = 0.0

    def distances(self, points: Floats) -> Floats:
        """Return how far inside the board points (n, 2) lie."""
        return self.gaps(points[:, None, :])

    def gaps(self, corners: Floats) -> Floats:
        """Return how far inside the board bodies with corners (n, k, 2) lie, negative beyond its edge."""
        inside = np.minimum(corners, np.array([self.width, self.depth]) - corners)
        return np.asarray(inside.min(axis=(1, 2)))


Obstacle = Body | Edge


def body_of(unit: Regiment, role: Role, needed: float) -> Body:
    """See another regiment as an obstacle: its full rectangle."""
    return Body(unit.name, role, shapely.Polygon(frames_of(unit).corners[0]), 0.0, needed)


def piece_of(piece: Terrain, role: Role, needed: float) -> Body:
    """See a piece of terrain as an obstacle."""
    return Body(piece.name, role, piece.shape.core, piece.shape.radius, needed)


def wrapped(angles: Floats) -> Floats:
    """Bring angles into [-pi, pi)."""
    return np.asarray((angles + math.pi) % math.tau - math.pi)
