"""Regions of the table: polygons, discs, ovals and hulls, with their convex parts.

A shape is a core, a Shapely polygon or point, with a radius around it: a disc is a point with a radius, a rectangle or
polygon a core with radius 0. Discs are never polygons here: a buffered point is up to 8e-4 in too small, and calls 39 %
of the gaps just under an inch "outside 1 inch". Nor are ovals: such a shape carries its exact ellipse, and its core is
a polygon with corners on it, for drawing and for a rough place only.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import shapely

from tabletop.budget import check_deadline
from tabletop.geometry.arrays import FloatArray, IntArray, cross_product, unit_vectors
from tabletop.geometry.convex import MOST_CORNERS, convex_parts, next_vertices, split_ring
from tabletop.geometry.ellipse import Ellipse, ring_gaps
from tabletop.geometry.pose import Point, Pose

REFLEX_AREA = 1e-12
"""Square inches by which rounding may make a convex corner look reflex."""

RECTANGLES_KEPT = 2048
"""Number of rectangles that are cached with their derived values."""

OVAL_CORNERS = 96
"""Corners of the polygon that stands for an oval where nothing is measured."""


@dataclass(frozen=True, eq=False)
class Shape:
    """A closed region of the table: every point within `radius` inches of `core`, or of `ellipse` if there is one."""

    core: shapely.Polygon | shapely.Point
    radius: float = 0.0
    ellipse: Ellipse | None = None
    hull: tuple[Pose, tuple[Point, ...]] | None = None
    """Pose and corners in its own frame of a hull with very many corners, decomposed once for all poses."""

    @cached_property
    def pieces(self) -> tuple[FloatArray, ...]:
        """Convex parts of the core, each a counter-clockwise ring (n, 2) in inches; a point is one ring of one
        vertex.
        """
        if isinstance(self.core, shapely.Point):
            return (np.array([[self.core.x, self.core.y]]),)
        check_deadline()
        if self.hull is not None:
            return _placed(*self.hull)
        ring = _counter_clockwise(shapely.get_coordinates(self.core)[:-1])
        if bool((_turns(ring) >= -REFLEX_AREA).all()):
            return (ring,)
        triangles = shapely.constrained_delaunay_triangles(self.core)
        rings = tuple(
            _counter_clockwise(shapely.get_coordinates(part)[:-1]) for part in triangles.geoms
        )
        return rings if len(ring) <= MOST_CORNERS else tuple(convex_parts(rings))

    @cached_property
    def parts(self) -> tuple[FloatArray, ...]:
        """The same region as `pieces`, in convex rings of at most `MOST_CORNERS` corners, for calls with many
        bodies.
        """
        return (
            tuple(part for piece in self.pieces for part in split_ring(piece))
            if len(self.pieces[0]) > MOST_CORNERS
            else self.pieces
        )

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Bounding box: least x, least y, greatest x, greatest y, in inches."""
        west, south, east, north = self.ellipse.bounds if self.ellipse else self.core.bounds
        return (west - self.radius, south - self.radius, east + self.radius, north + self.radius)

    def outline(self, segments: int = 96) -> FloatArray:
        """Return vertices (n, 2) of the boundary for drawing only; a disc or an oval becomes a polygon of `segments`
        sides.
        """
        if self.ellipse is not None:
            return self.ellipse.outline(segments)
        if isinstance(self.core, shapely.Point):
            angles = np.linspace(0.0, math.tau, segments, endpoint=False)
            return np.array([[self.core.x, self.core.y]]) + self.radius * unit_vectors(angles)
        return _counter_clockwise(shapely.get_coordinates(self.core)[:-1])

    def holds(self, point: Point, *, depth: float = 0.0) -> bool:
        """Return whether a table point lies inside the shape and at least `depth` inches from its boundary."""
        if self.ellipse is not None:
            return float(ring_gaps(self.ellipse, np.array([point]))) <= -depth
        spot = shapely.Point(point)
        if isinstance(self.core, shapely.Point):
            return float(spot.distance(self.core)) <= self.radius - depth
        return bool(self.core.covers(spot)) and float(self.core.exterior.distance(spot)) >= depth


@lru_cache(maxsize=RECTANGLES_KEPT)
def rectangle(pose: Pose, width: float, depth: float) -> Shape:
    """Return the rectangle, `depth` inches deep, behind a front edge of `width` inches whose middle is at `pose`."""
    return Shape(shapely.Polygon(rectangle_ring(pose, width, depth)))


def rectangle_ring(pose: Pose, width: float, depth: float) -> FloatArray:
    """Return the corners (4, 2), counter-clockwise from the rear left one, of the rectangle that `rectangle` makes of
    these arguments.
    """
    half = width / 2
    return pose.to_table(np.array([[-half, -depth], [half, -depth], [half, 0.0], [-half, 0.0]]))


def polygon(points: Sequence[Point] | FloatArray) -> Shape:
    """Return the shape of a simple polygon, given its corners as table points in inches in either orientation."""
    return Shape(shapely.Polygon(points))


def disc(centre: Point, radius: float) -> Shape:
    """Return the disc of `radius` inches about a table point."""
    return Shape(shapely.Point(centre), radius)


def oval(pose: Pose, length: float, width: float) -> Shape:
    """Return the ellipse about a pose whose long axis, of `length` inches, lies along the heading; equal axes make a
    disc.
    """
    if length == width:
        return disc(pose.at, length / 2)
    ellipse = Ellipse(pose.at, length / 2, width / 2, pose.heading)
    return Shape(shapely.Polygon(ellipse.outline(OVAL_CORNERS)), 0.0, ellipse)


def hull(pose: Pose, points: Sequence[Point] | FloatArray) -> Shape:
    """Return the simple polygon whose corners are given in the frame of a model at `pose`: inches ahead and inches to
    the left of it.
    """
    ahead, left = np.asarray(points, dtype=np.float64).T
    core = shapely.Polygon(pose.to_table(np.column_stack([-left, ahead])))
    return Shape(
        core,
        hull=(pose, points) if isinstance(points, tuple) and len(points) > MOST_CORNERS else None,
    )


def _placed(pose: Pose, points: tuple[Point, ...]) -> tuple[FloatArray, ...]:
    """Return the convex parts, rings (n, 2) of table points, of a hull at `pose` with corners `points`, inches ahead
    and to the left.
    """
    corners, starts = _parted(points)
    return tuple(np.split(pose.to_table(corners), starts))


@lru_cache(maxsize=64)
def _parted(points: tuple[Point, ...]) -> tuple[FloatArray, IntArray]:
    """Return the corners (n, 2) of all convex parts of a hull in its body frame, and the start index of each part but
    the first.
    """
    ahead, left = np.array(points).T
    parts = polygon(np.column_stack([-left, ahead])).pieces
    return np.concatenate(parts), np.cumsum([len(part) for part in parts])[:-1]


def convex_hull_of(first: Shape, second: Shape) -> Shape:
    """Return the convex hull of two shapes as a polygon; discs and ovals enter as the polygons of `outline`."""
    return Shape(shapely.MultiPoint(np.vstack([first.outline(), second.outline()])).convex_hull)


def _counter_clockwise(ring: FloatArray) -> FloatArray:
    x = ring[:, 0]
    y = ring[:, 1]
    doubled_area = float(np.dot(x, next_vertices(y)) - np.dot(y, next_vertices(x)))
    return ring if doubled_area >= 0.0 else ring[::-1].copy()


def reflex_corners(shape: Shape) -> FloatArray:
    """Return the reflex corners (n, 2) of a polygon, with an interior angle above 180 degrees.

    Examples
    --------
    >>> reflex_corners(polygon([(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)])).tolist()
    [[1.0, 1.0]]
    """
    ring = _counter_clockwise(shapely.get_coordinates(shape.core)[:-1])
    return ring[_turns(ring) < -REFLEX_AREA]


def _turns(ring: FloatArray) -> FloatArray:
    """Return the cross products (n,) of the edges before and after each vertex of a ring: negative where it turns
    clockwise.
    """
    after = next_vertices(ring) - ring
    before = np.concatenate([after[-1:], after[:-1]])
    return cross_product(before, after)
