"""Bodies on the table and the exact signed gap between them.

A shape is a core, a Shapely polygon or point, with a radius around it: a disc is a point with a radius, a rectangle or
polygon a core with radius 0. Discs are never polygons here: a buffered point is up to 8e-4 in too small, and calls
39 % of the gaps just under an inch "outside 1 inch". Nor are ovals: such a shape carries its exact ellipse, and its core is a
polygon with corners on it, for drawing and for a rough place only.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from tabletop.budget import keep_time
from tabletop.geometry.decomposition import MOST_CORNERS, joined, slices
from tabletop.geometry.ellipse import Ellipse, oval_gaps, ring_gaps
from tabletop.geometry.pose import FloatArray, Point, Pose
from tabletop.geometry.ring import following, ring_gap

REFLEX_AREA = 1e-12
"""Square inches by which rounding may make a convex corner look reflex."""

MANY, AT_ONCE = 16, 4096
"""Pairs of convex parts beyond which shapes are measured as wholes, and shifts that are at once."""

CORNERS_AT_ONCE = 200_000
"""Corners of bodies at places whose gaps are measured at once."""

BOX_ROUNDING = 1e-9
"""Inches by which boxes may be put apart by rounding."""

RECTANGLES_KEPT = 2048
"""Rectangles that are not made again, with what is known of them: of many cases of one table most units stand where they stood."""

OVAL_CORNERS = 96
"""Corners of the polygon that stands for an oval where nothing is measured."""


@dataclass(frozen=True, eq=False)
class Shape:
    """A closed region of the table: every point within `radius` inches of `core`, or of `ellipse` if there is one."""

    core: shapely.Polygon | shapely.Point
    radius: float = 0.0
    ellipse: Ellipse | None = None
    hull: tuple[Pose, tuple[Point, ...]] | None = None
    """Of a hull of very many corners: its pose and its corners in its own frame, in which it is parted once for all poses."""

    @cached_property
    def pieces(self) -> tuple[FloatArray, ...]:
        """Convex parts of the core, each (n, 2) in inches, counter-clockwise; a point is one part of one vertex."""
        if isinstance(self.core, shapely.Point):
            return (np.array([[self.core.x, self.core.y]]),)
        keep_time()
        if self.hull is not None:
            return _placed(*self.hull)
        ring = _counter_clockwise(shapely.get_coordinates(self.core)[:-1])
        if _is_convex(ring):
            return (ring,)
        triangles = shapely.constrained_delaunay_triangles(self.core)
        rings = tuple(_counter_clockwise(shapely.get_coordinates(part)[:-1]) for part in triangles.geoms)
        return rings if len(ring) <= MOST_CORNERS else tuple(joined(np.array(rings)))

    @cached_property
    def parts(self) -> tuple[FloatArray, ...]:
        """The same region in convex parts of few corners: what is asked of many bodies at once takes time by their corners."""
        return tuple(part for piece in self.pieces for part in slices(piece)) if len(self.pieces[0]) > MOST_CORNERS else self.pieces

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Least x, least y, greatest x, greatest y, in inches."""
        west, south, east, north = self.ellipse.bounds if self.ellipse else self.core.bounds
        return (west - self.radius, south - self.radius, east + self.radius, north + self.radius)

    def outline(self, segments: int = 96) -> FloatArray:
        """Give vertices (n, 2) of the boundary for drawing only; a disc or an oval becomes a polygon of `segments` sides."""
        if self.ellipse is not None:
            return self.ellipse.outline(segments)
        if isinstance(self.core, shapely.Point):
            angles = np.linspace(0.0, math.tau, segments, endpoint=False)
            return np.array([[self.core.x, self.core.y]]) + self.radius * np.column_stack([np.cos(angles), np.sin(angles)])
        return _counter_clockwise(shapely.get_coordinates(self.core)[:-1])

    def holds(self, point: Point, *, depth: float = 0.0) -> bool:
        """Tell whether a table point lies inside, at least `depth` inches from the boundary."""
        if self.ellipse is not None:
            return float(ring_gaps(self.ellipse, np.array([point]))) <= -depth
        spot = shapely.Point(point)
        if isinstance(self.core, shapely.Point):
            return float(spot.distance(self.core)) <= self.radius - depth
        return bool(self.core.covers(spot)) and float(self.core.exterior.distance(spot)) >= depth


@lru_cache(maxsize=RECTANGLES_KEPT)
def rectangle(pose: Pose, width: float, depth: float) -> Shape:
    """Make the rectangle behind a front edge of `width` inches whose middle is at `pose`."""
    return Shape(shapely.Polygon(rectangle_ring(pose, width, depth)))


def rectangle_ring(pose: Pose, width: float, depth: float) -> FloatArray:
    """Give the corners (4, 2) of that rectangle, counter-clockwise from the rear left one."""
    half = width / 2
    return pose.to_table(np.array([[-half, -depth], [half, -depth], [half, 0.0], [-half, 0.0]]))


def polygon(points: Sequence[Point] | FloatArray) -> Shape:
    """Make a simple polygon of table points in inches, in either sense of rotation."""
    return Shape(shapely.Polygon(points))


def disc(centre: Point, radius: float) -> Shape:
    """Make a disc about a table point, in inches."""
    return Shape(shapely.Point(centre), radius)


def oval(pose: Pose, length: float, width: float) -> Shape:
    """Make the ellipse about a pose whose long axis, of `length` inches, lies along the heading; equal axes make a disc."""
    if length == width:
        return disc(pose.at, length / 2)
    ellipse = Ellipse(pose.at, length / 2, width / 2, pose.heading)
    return Shape(shapely.Polygon(ellipse.outline(OVAL_CORNERS)), 0.0, ellipse)


def hull(pose: Pose, points: Sequence[Point] | FloatArray) -> Shape:
    """Make the simple polygon of points in a model's own frame: the pose is its origin, x runs ahead, y to the left, in inches."""
    ahead, left = np.asarray(points, dtype=np.float64).T
    core = shapely.Polygon(pose.to_table(np.column_stack([-left, ahead])))
    return Shape(core, hull=(pose, points) if isinstance(points, tuple) and len(points) > MOST_CORNERS else None)


def _placed(pose: Pose, points: tuple[Point, ...]) -> tuple[FloatArray, ...]:
    """Give the convex parts of a hull at a pose."""
    corners, starts = _parted(points)
    return tuple(np.split(pose.to_table(corners), starts))


@lru_cache(maxsize=64)
def _parted(points: tuple[Point, ...]) -> tuple[FloatArray, NDArray[np.intp]]:
    """Give the corners (n, 2) of a hull's convex parts, one after the other, to the right and ahead, and where all but the first begin."""
    ahead, left = np.array(points).T
    parts = polygon(np.column_stack([-left, ahead])).pieces
    return np.concatenate(parts), np.cumsum([len(part) for part in parts])[:-1]


def between(first: Shape, second: Shape) -> Shape:
    """Make the convex hull of two shapes: every line from one to the other lies in it. Discs and ovals are taken as they are drawn."""
    return Shape(shapely.MultiPoint(np.vstack([first.outline(), second.outline()])).convex_hull)


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
    if first.ellipse or second.ellipse:
        return float(gaps(first, np.zeros(2), second))
    apart = float(first.core.distance(second.core))
    if apart > 0.0:
        return apart - first.radius - second.radius
    return -_depth(first, second) - first.radius - second.radius


def are_boxes_apart(first: Shape, second: Shape, *, by: float = 0.0) -> bool:
    """Tell whether even the boxes around two shapes lie more than `by` inches apart: so do most, and it is told at once."""
    (west, south, east, north), (left, low, right, high) = first.bounds, second.bounds
    return east + by < left or right + by < west or north + by < low or high + by < south


def _depth(first: Shape, second: Shape) -> float:
    """Depth in inches by which the cores of two shapes overlap: of concave ones the greatest over convex parts whose boxes meet."""
    if len(first.pieces) == len(second.pieces) == 1:
        return _penetration(first.pieces[0], second.pieces[0])
    depths = [_penetration(first.parts[a], second.parts[b]) for a, b in zip(*_meeting(first.parts, second.parts), strict=True)]
    return max(depths, default=0.0)


def _boxes(rings: Sequence[FloatArray]) -> tuple[FloatArray, FloatArray]:
    """Give the corners (n, 2) with the least and the greatest coordinates of boxes around rings."""
    return np.array([ring.min(axis=0) for ring in rings]) - BOX_ROUNDING, np.array([ring.max(axis=0) for ring in rings]) + BOX_ROUNDING


def _meeting(first: Sequence[FloatArray], second: Sequence[FloatArray]) -> tuple[list[int], list[int]]:
    """Give the numbers of rings whose boxes meet."""
    (low, high), (other_low, other_high) = _boxes(first), _boxes(second)
    meet = (low[:, None] <= other_high) & (other_low <= high[:, None])
    one, other = np.nonzero(meet.all(axis=2))
    return one.tolist(), other.tolist()


def gaps(moved: Shape, shifts: FloatArray, other: Shape) -> FloatArray:
    """Measure the signed gap (...) in inches to another shape of a shape shifted by each of `shifts` (..., 2).

    Examples
    --------
    >>> gaps(disc((0, 0), 1), np.array([[3.0, 0.0], [0.0, 1.5]]), disc((0, 0), 1)).tolist()
    [1.0, -0.5]
    """
    flat, corners = shifts.reshape(-1, 2), max(len(piece) for shape in (moved, other) for piece in shape.pieces)
    if len(flat) > (size := max(CORNERS_AT_ONCE // corners, 1)):
        some = (flat[start : start + size] for start in range(0, len(flat), size))
        return np.concatenate([gaps(moved, part, other) for part in some]).reshape(shifts.shape[:-1])
    if moved.ellipse is not None and other.ellipse is not None:
        apart = oval_gaps(other.ellipse, moved.ellipse, shifts)
    elif moved.ellipse is not None:
        apart = _least(ring_gaps(moved.ellipse, piece - shifts[..., None, :]) for piece in other.pieces)
    elif other.ellipse is not None:
        apart = _least(ring_gaps(other.ellipse, piece + shifts[..., None, :]) for piece in moved.pieces)
    elif len(moved.pieces) * len(other.pieces) > MANY:
        apart = _gaps_of_many(moved, shifts.reshape(-1, 2), other).reshape(shifts.shape[:-1])
    else:
        apart = _least(_ring_gaps(one + shifts[..., None, :], two) for one in moved.pieces for two in other.pieces)
    return apart - moved.radius - other.radius


def _least(parts: Iterable[FloatArray]) -> FloatArray:
    """Give the least of arrays, place by place, as long as there is time for the next."""
    least: FloatArray | None = None
    for part in parts:
        keep_time()
        least = part if least is None else np.minimum(least, part)
    if least is None:
        raise AssertionError("every shape has a part")
    return least


def _gaps_of_many(moved: Shape, shifts: FloatArray, other: Shape) -> FloatArray:
    """Signed gaps (n,) between cores of very many convex parts: of parts only where they overlap, and of those whose boxes meet."""
    shapely.prepare(other.core)
    apart = np.empty(len(shifts))
    for some in (slice(start, start + AT_ONCE) for start in range(0, len(shifts), AT_ONCE)):
        keep_time()
        apart[some] = shapely.distance(_cores(moved, shifts[some]), other.core)
    inside = np.flatnonzero(apart <= 0.0)
    least, most = _boxes(other.parts)
    for ring in moved.parts if len(inside) else ():
        keep_time()
        low, high = ring.min(axis=0) + shifts[inside], ring.max(axis=0) + shifts[inside]
        for number in np.flatnonzero(((low.min(axis=0) <= most) & (least <= high.max(axis=0))).all(axis=1)).tolist():
            rows = inside[((low <= most[number]) & (least[number] <= high)).all(axis=1)]
            if len(rows):
                apart[rows] = np.minimum(apart[rows], _ring_gaps(ring + shifts[rows, None], other.parts[number]))
    return apart


def _cores(moved: Shape, shifts: FloatArray) -> np.ndarray:
    """Give the core of a shape shifted by each of `shifts` (n, 2)."""
    rings = shapely.get_coordinates(moved.core) + shifts[:, None]
    cores: np.ndarray = shapely.points(rings[:, 0]) if isinstance(moved.core, shapely.Point) else shapely.polygons(rings)
    return cores


def _ring_gaps(first: FloatArray, second: FloatArray) -> FloatArray:
    """Signed gaps of convex rings (..., n, 2) to one, a closed form for two points: those are discs, the bulk of all questions."""
    if first.shape[-2] == second.shape[-2] == 1:
        apart: FloatArray = np.hypot(first[..., 0, 0] - second[0, 0], first[..., 0, 1] - second[0, 1])
        return apart
    return ring_gap(first, second)


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
    edges = following(ring) - ring
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    return np.column_stack([edges[:, 1], -edges[:, 0]])[lengths > 0.0] / lengths[lengths > 0.0, None]


def _counter_clockwise(ring: FloatArray) -> FloatArray:
    x, y = ring[:, 0], ring[:, 1]
    doubled_area = float(np.dot(x, following(y)) - np.dot(y, following(x)))
    return ring if doubled_area >= 0.0 else ring[::-1].copy()


def reflex_corners(shape: Shape) -> FloatArray:
    """Give the corners (n, 2) of a polygon at which its inside takes more than half a turn.

    Examples
    --------
    >>> reflex_corners(polygon([(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)])).tolist()
    [[1.0, 1.0]]
    """
    ring = _counter_clockwise(shapely.get_coordinates(shape.core)[:-1])
    return ring[_turns(ring) < -REFLEX_AREA]


def _is_convex(ring: FloatArray) -> bool:
    return bool((_turns(ring) >= -REFLEX_AREA).all())


def _turns(ring: FloatArray) -> FloatArray:
    """Give twice the areas (n,) of the corners of a ring, negative where it turns clockwise."""
    after = following(ring) - ring
    before = np.concatenate([after[-1:], after[:-1]])
    turns: FloatArray = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return turns
