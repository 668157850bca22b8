"""Bodies on the table and the exact signed gap between them.

A shape is a core, a Shapely polygon or point, with a radius around it: a disc is a point with a radius, a rectangle or
polygon a core with radius 0. Discs are never polygons here: a buffered point is up to 8e-4 in too small, and calls
39 % of the gaps just under an inch "outside 1 inch".
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from tabletop.pose import FloatArray, Point, Pose

DUST = 1e-12
"""Square inches by which rounding may make a convex corner look reflex."""


@dataclass(frozen=True, eq=False)
class Shape:
    """A closed region of the table: every point within `radius` inches of `core`."""

    core: shapely.Polygon | shapely.Point
    radius: float = 0.0

    @cached_property
    def pieces(self) -> tuple[FloatArray, ...]:
        """Convex parts of the core, each (n, 2) in inches, counter-clockwise; a point is one part of one vertex."""
        if isinstance(self.core, shapely.Point):
            return (np.array([[self.core.x, self.core.y]]),)
        ring = _counter_clockwise(shapely.get_coordinates(self.core)[:-1])
        if _is_convex(ring):
            return (ring,)
        triangles = shapely.constrained_delaunay_triangles(self.core)
        return tuple(_counter_clockwise(shapely.get_coordinates(part)[:-1]) for part in triangles.geoms)

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Least x, least y, greatest x, greatest y, in inches."""
        west, south, east, north = self.core.bounds
        return (west - self.radius, south - self.radius, east + self.radius, north + self.radius)

    def outline(self, segments: int = 96) -> FloatArray:
        """Give vertices (n, 2) of the boundary for drawing only; a disc becomes a polygon of `segments` sides."""
        if isinstance(self.core, shapely.Point):
            angles = np.linspace(0.0, math.tau, segments, endpoint=False)
            return np.array([[self.core.x, self.core.y]]) + self.radius * np.column_stack([np.cos(angles), np.sin(angles)])
        return _counter_clockwise(shapely.get_coordinates(self.core)[:-1])

    def holds(self, point: Point, *, depth: float = 0.0) -> bool:
        """Tell whether a table point lies inside, at least `depth` inches from the boundary."""
        spot = shapely.Point(point)
        if isinstance(self.core, shapely.Point):
            return float(spot.distance(self.core)) <= self.radius - depth
        return bool(self.core.covers(spot)) and float(self.core.exterior.distance(spot)) >= depth


def rectangle(pose: Pose, width: float, depth: float) -> Shape:
    """Make the rectangle behind a front edge of `width` inches whose middle is at `pose`."""
    half = width / 2
    corners = np.array([[-half, -depth], [half, -depth], [half, 0.0], [-half, 0.0]])
    return Shape(shapely.Polygon(pose.to_table(corners)))


def polygon(points: Sequence[Point] | FloatArray) -> Shape:
    """Make a simple polygon of table points in inches, in either sense of rotation."""
    return Shape(shapely.Polygon(points))


def disc(centre: Point, radius: float) -> Shape:
    """Make a disc about a table point, in inches."""
    return Shape(shapely.Point(centre), radius)


def gap(first: Shape, second: Shape) -> float:
    """Measure the signed gap between two shapes in inches: positive apart, negative the depth of their overlap.

    The depth is the least shift that parts two convex shapes; of concave ones it is the greatest over their convex parts.

    Examples
    --------
    >>> round(gap(disc((0, 0), 1), disc((3, 0), 1)), 9)
    1.0
    >>> square = rectangle(Pose(0, 0, 0.0), 1, 1)
    >>> round(gap(square, rectangle(Pose(0.75, 0, 0.0), 1, 1)), 9)
    -0.25
    """
    apart = float(first.core.distance(second.core))
    if apart > 0.0:
        return apart - first.radius - second.radius
    depth = max(_penetration(a, b) for a in first.pieces for b in second.pieces)
    return -depth - first.radius - second.radius


def _penetration(first: FloatArray, second: FloatArray) -> float:
    """Depth in inches by which two convex vertex rings overlap along their best separating axis; negative if apart."""
    normals = [normal for normal in (edge_normals(first), edge_normals(second)) if len(normal)]
    if not normals:
        return 0.0
    axes = np.vstack(normals)
    a, b = axes @ first.T, axes @ second.T
    separation = np.maximum(b.min(axis=1) - a.max(axis=1), a.min(axis=1) - b.max(axis=1))
    return -float(separation.max())


def edge_normals(ring: FloatArray) -> FloatArray:
    """Give the outward unit normals (n, 2) of a counter-clockwise convex ring (n, 2); none for a single point."""
    if len(ring) < 2:  # noqa: PLR2004
        return np.empty((0, 2))
    edges = np.roll(ring, -1, axis=0) - ring
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    return np.column_stack([edges[:, 1], -edges[:, 0]])[lengths > 0.0] / lengths[lengths > 0.0, None]


def _counter_clockwise(ring: FloatArray) -> FloatArray:
    x, y = ring[:, 0], ring[:, 1]
    doubled_area = float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
    return ring if doubled_area >= 0.0 else ring[::-1].copy()


def _is_convex(ring: FloatArray) -> bool:
    before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
    turns = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return bool((turns >= -DUST).all())
