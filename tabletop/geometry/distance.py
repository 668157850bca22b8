"""Distances between shapes: signed gaps, how far one lies inside another, and the shortest segments that join two.

A signed gap is positive where two shapes are apart, and negative where they overlap: then it is minus the depth of the
overlap. All lengths are in inches. Discs and straight lines, which are needed in great numbers, are measured as arrays.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from tabletop.budget import check_deadline
from tabletop.geometry.arrays import FloatArray, IntArray, bearings_of, lengths_of
from tabletop.geometry.convex import edge_normals, ring_gap
from tabletop.geometry.ellipse import Ellipse, oval_gaps, ring_gaps
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape, disc
from tabletop.units import CONTACT

MANY, AT_ONCE = 16, 4096
"""Number of pairs of convex parts above which shapes are measured whole, and number of shifts above which in blocks."""

CORNERS_AT_ONCE = 200_000
"""Number of body corners whose gaps are measured at once."""

BOX_ROUNDING = 1e-9
"""Inches by which rounding may separate boxes."""

STICKING_OUT = 1e-9
"""Inches, and square inches, by which rounding may make a body stick out."""

ELLIPSE_POINTS = 4096
"""Number of points of an ellipse tested against a disc around it."""

SHIFT = 1e-4
"""Shift of a shape, in inches, used to find the direction in which the gap is measured."""

LEAST_SQUARE = 1e-18
"""Square inches that keep a line of no length from dividing by 0."""

TOUCHING_LINE = 1e-8
"""Inches by which rounding may bring a line into a disc that it touches."""


def gap(first: Shape, second: Shape) -> float:
    """Return the signed gap between two shapes in inches: positive apart, minus the depth of their overlap otherwise.

    The depth is the least shift that separates two convex shapes; for concave ones it is the greatest over pairs of
    their convex parts.

    Examples
    --------
    >>> from tabletop.geometry.pose import Pose
    >>> from tabletop.geometry.shape import disc, rectangle
    >>> round(gap(disc((0, 0), 1), disc((3, 0), 1)), 9)
    1.0
    >>> square = rectangle(Pose(0, 0, 0.0), 1, 1)
    >>> round(gap(square, rectangle(Pose(0.75, 0, 0.0), 1, 1)), 9)
    -0.25
    """
    if first.ellipse or second.ellipse:
        return float(gaps_at_shifts(first, np.zeros(2), second))
    apart = float(first.core.distance(second.core))
    if apart > 0.0:
        return apart - first.radius - second.radius
    return -_depth(first, second) - first.radius - second.radius


def _depth(first: Shape, second: Shape) -> float:
    """Return the depth in inches by which the cores of two shapes overlap: for concave ones the greatest over pairs of
    convex parts.
    """
    if len(first.pieces) == len(second.pieces) == 1:
        return _penetration(first.pieces[0], second.pieces[0])
    depths = [
        _penetration(first.parts[a], second.parts[b])
        for a, b in zip(*_meeting(first.parts, second.parts), strict=True)
    ]
    return max(depths, default=0.0)


def _meeting(
    first: Sequence[FloatArray], second: Sequence[FloatArray]
) -> tuple[list[int], list[int]]:
    """Return the indices of the rings of `first` and of `second` whose bounding boxes overlap, pair by pair, as two
    lists.
    """
    low, high = _boxes(first)
    other_low, other_high = _boxes(second)
    meet = (low[:, None] <= other_high) & (other_low <= high[:, None])
    one, other = np.nonzero(meet.all(axis=2))
    return one.tolist(), other.tolist()


def _boxes(rings: Sequence[FloatArray]) -> tuple[FloatArray, FloatArray]:
    """Return the lower left and the upper right corners, each (n, 2), of the bounding boxes of rings, widened by
    `BOX_ROUNDING`.
    """
    return np.array([ring.min(axis=0) for ring in rings]) - BOX_ROUNDING, np.array(
        [ring.max(axis=0) for ring in rings]
    ) + BOX_ROUNDING


def _penetration(first: FloatArray, second: FloatArray) -> float:
    """Return the depth in inches by which two convex rings overlap along their best separating axis; negative if apart,
    0 for points.
    """
    normals = [normal for normal in (edge_normals(first), edge_normals(second)) if len(normal)]
    if not normals:
        return 0.0
    axes = np.vstack(normals)
    a = axes @ first.T
    b = axes @ second.T
    separation = np.maximum(b.min(axis=1) - a.max(axis=1), a.min(axis=1) - b.max(axis=1))
    return -float(separation.max())


def are_boxes_apart(first: Shape, second: Shape, *, by: float = 0.0) -> bool:
    """Return whether the bounding boxes of two shapes are more than `by` inches apart along x or y: a quick test."""
    west, south, east, north = first.bounds
    left, low, right, high = second.bounds
    return east + by < left or right + by < west or north + by < low or high + by < south


def point_distances(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the distances (n, m) in inches between points (n, 2) and other points (m, 2)."""
    x = first[:, :1] - second[:, 0]
    y = first[:, 1:] - second[:, 1]
    distances: FloatArray = np.sqrt(x * x + y * y)
    return distances


def farthest(points: FloatArray, point: Point) -> float:
    """Return the largest distance of points (n, 2) from another point."""
    return float(np.hypot(*(points - point).T).max())


def gaps_at_shifts(moved: Shape, shifts: FloatArray, other: Shape) -> FloatArray:
    """Return the signed gaps (...) in inches between `moved`, shifted by each of `shifts` (..., 2), and `other`, which
    stays.

    Examples
    --------
    >>> gaps_at_shifts(disc((0, 0), 1), np.array([[3.0, 0.0], [0.0, 1.5]]), disc((0, 0), 1)).tolist()
    [1.0, -0.5]
    """
    flat = shifts.reshape(-1, 2)
    corners = max(len(piece) for shape in (moved, other) for piece in shape.pieces)
    if len(flat) > (size := max(CORNERS_AT_ONCE // corners, 1)):
        some = (flat[start : start + size] for start in range(0, len(flat), size))
        return np.concatenate([gaps_at_shifts(moved, part, other) for part in some]).reshape(
            shifts.shape[:-1]
        )
    if moved.ellipse is not None and other.ellipse is not None:
        apart = oval_gaps(other.ellipse, moved.ellipse, shifts)
    elif moved.ellipse is not None:
        apart = _least(
            ring_gaps(moved.ellipse, piece - shifts[..., None, :]) for piece in other.pieces
        )
    elif other.ellipse is not None:
        apart = _least(
            ring_gaps(other.ellipse, piece + shifts[..., None, :]) for piece in moved.pieces
        )
    elif len(moved.pieces) * len(other.pieces) > MANY:
        apart = _gaps_of_many(moved, shifts.reshape(-1, 2), other).reshape(shifts.shape[:-1])
    else:
        apart = _least(
            _part_gaps(one + shifts[..., None, :], two)
            for one in moved.pieces
            for two in other.pieces
        )
    return apart - moved.radius - other.radius


def _least(parts: Iterable[FloatArray]) -> FloatArray:
    """Return the elementwise minimum of arrays of one shape, checking the deadline before each of them."""
    least: FloatArray | None = None
    for part in parts:
        check_deadline()
        least = part if least is None else np.minimum(least, part)
    if least is None:
        raise AssertionError("every shape has a part")
    return least


def _gaps_of_many(moved: Shape, shifts: FloatArray, other: Shape) -> FloatArray:
    """Return the signed gaps (n,) in inches between the cores of `moved`, shifted by `shifts` (n, 2), and `other`, with
    very many parts.

    Depths are measured only where the cores overlap, and between parts whose bounding boxes meet.
    """
    shapely.prepare(other.core)
    apart = np.empty(len(shifts))
    corners = shapely.get_coordinates(moved.core)
    for some in (slice(start, start + AT_ONCE) for start in range(0, len(shifts), AT_ONCE)):
        check_deadline()
        rings = corners + shifts[some, None]
        cores = (
            shapely.points(rings[:, 0])
            if isinstance(moved.core, shapely.Point)
            else shapely.polygons(rings)
        )
        apart[some] = shapely.distance(cores, other.core)
    inside = np.flatnonzero(apart <= 0.0)
    least, most = _boxes(other.parts)
    for ring in moved.parts if len(inside) else ():
        check_deadline()
        low = ring.min(axis=0) + shifts[inside]
        high = ring.max(axis=0) + shifts[inside]
        for number in np.flatnonzero(
            ((low.min(axis=0) <= most) & (least <= high.max(axis=0))).all(axis=1)
        ).tolist():
            rows = inside[((low <= most[number]) & (least[number] <= high)).all(axis=1)]
            if len(rows):
                apart[rows] = np.minimum(
                    apart[rows], _part_gaps(ring + shifts[rows, None], other.parts[number])
                )
    return apart


def _part_gaps(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the signed gaps (...) in inches between convex rings (..., n, 2) and one ring (m, 2).

    Two rings of one vertex each, the cores of discs and the most frequent case, are measured by a closed form.
    """
    if first.shape[-2] == second.shape[-2] == 1:
        apart: FloatArray = np.hypot(
            first[..., 0, 0] - second[0, 0], first[..., 0, 1] - second[0, 1]
        )
        return apart
    return ring_gap(first, second)


def depth_inside(body: Shape, around: Shape) -> float:
    """Return how deep a body lies inside `around`, in inches: its least distance from the boundary, negative where it
    sticks out.

    For a body that sticks out of a concave shape, or lies across one of its recesses, the result is -inf.

    Examples
    --------
    >>> from tabletop.geometry.shape import disc, polygon
    >>> square = polygon([(0, 0), (4, 0), (4, 4), (0, 4)])
    >>> depth_inside(disc((1, 2), 0.75), square), depth_inside(disc((0.5, 2), 0.75), square)
    (0.25, -0.25)
    >>> depth_inside(square, disc((2, 2), 3.0)).__round__(4)
    0.1716
    """
    return float(depths_at_shifts(body, np.zeros((1, 2)), around)[0])


def depths_at_shifts(moved: Shape, shifts: FloatArray, around: Shape) -> FloatArray:
    """Return how deep (n,) in inches a body that is `moved` by shifts (n, 2) lies inside `around`; see
    `depth_inside`.
    """
    is_oval = moved.ellipse is not None and isinstance(around.core, shapely.Point)
    corners = (
        moved.ellipse.outline(ELLIPSE_POINTS)
        if moved.ellipse is not None and is_oval
        else shapely.get_coordinates(moved.core)
    )
    size = max(CORNERS_AT_ONCE // len(corners), 1)
    if len(shifts) > size:
        some = (shifts[start : start + size] for start in range(0, len(shifts), size))
        return np.concatenate([depths_at_shifts(moved, part, around) for part in some])
    check_deadline()
    rings = corners + shifts[:, None]
    if isinstance(around.core, shapely.Point):
        away = lengths_of(rings - np.array(around.core.coords[0]))
        return np.asarray(around.radius - (away.max(axis=1) + moved.radius))
    if len(around.pieces) == 1:
        ring = around.pieces[0]
        normals = edge_normals(ring)
        limits = (normals @ ring.T).max(axis=1) - _support(moved, normals)
        return np.asarray((limits - shifts @ normals.T).min(axis=1) + around.radius)
    is_point = isinstance(moved.core, shapely.Point)
    cores = shapely.points(rings[:, 0]) if is_point else shapely.polygons(rings)
    sticks_out = (shapely.distance(around.core, cores) > STICKING_OUT) | (
        shapely.area(shapely.difference(cores, around.core)) > STICKING_OUT
    )
    depths = shapely.distance(around.core.exterior, cores) - moved.radius + around.radius
    return np.where(sticks_out, -np.inf, depths)


def _support(body: Shape, normals: FloatArray) -> FloatArray:
    """Return the support function (n,) of a body, in inches: how far it reaches from the origin along unit vectors (n,
    2).
    """
    if body.ellipse is not None:
        reach: FloatArray = normals @ body.ellipse.centre + body.ellipse.reach(bearings_of(normals))
        return reach + body.radius
    corners = shapely.get_coordinates(body.core)
    farthest: FloatArray = (normals @ corners.T).max(axis=1)
    return farthest + body.radius


def shortest_segments_region(first: Shape, second: Shape) -> shapely.Geometry:
    """Return the union of all shortest segments between two shapes: a line, a strip or several; empty if the shapes are
    not apart.

    Examples
    --------
    >>> from tabletop.geometry.pose import Pose
    >>> from tabletop.geometry.shape import disc, rectangle
    >>> shortest_segments_region(disc((0, 0), 1), disc((4, 0), 1)).wkt
    'LINESTRING (1 0, 3 0)'
    >>> shortest_segments_region(rectangle(Pose(0, 0, 0.0), 2, 2), rectangle(Pose(3, 1.5, 0.0), 2, 1)).bounds
    (0.0, 0.5, 2.0, 1.0)
    """
    if isinstance(first.core, shapely.Point) and isinstance(second.core, shapely.Point):
        line = shapely.LineString([first.core, second.core])
        return (
            shapely.LineString(_between(first, second, line))
            if line.length > first.radius + second.radius
            else shapely.LineString()
        )
    pairs = [(gap(one, two), one, two) for one in _convex(first) for two in _convex(second)]
    least = min(width for width, _, _ in pairs)
    parts = (
        [_join(one, two, width) for width, one, two in pairs if width <= least + CONTACT]
        if least > 0.0
        else []
    )
    return shapely.union_all(parts)


def _convex(shape: Shape) -> Iterator[Shape]:
    """Yield the convex parts of a shape as shapes; the shape itself if it is an oval or convex."""
    if shape.ellipse is not None or len(shape.pieces) == 1:
        yield shape
    else:
        yield from (Shape(shapely.Polygon(ring), shape.radius) for ring in shape.pieces)


def _join(first: Shape, second: Shape, width: float) -> shapely.Geometry:
    """Return the region of all shortest segments between two convex shapes that are `width` inches apart."""
    if first.ellipse is None and second.ellipse is None:
        apart = float(first.core.distance(second.core))
        lines = [line for line in _lines(first, second) if line.length <= apart + CONTACT]
        return shapely.MultiPoint(
            [spot for line in lines for spot in _between(first, second, line)]
        ).convex_hull
    if first.ellipse is None:
        return _join(second, first, width).reverse()
    if second.ellipse is not None:
        out = _towards(first, second)
        start = _foot(first.ellipse, out)
        return shapely.LineString([start, start + width * out])
    return _from_oval(first, first.ellipse, second)


def _lines(first: Shape, second: Shape) -> Iterator[shapely.LineString]:
    """Yield the shortest lines from the corners of each core to the other core, all directed from the first to the
    second.
    """
    yield from (
        shapely.shortest_line(shapely.Point(corner), second.core) for corner in first.pieces[0]
    )
    yield from (
        shapely.shortest_line(first.core, shapely.Point(corner)) for corner in second.pieces[0]
    )


def _from_oval(first: Shape, oval: Ellipse, second: Shape) -> shapely.LineString:
    """Return the shortest segment from an oval to a convex polygon or disc.

    It starts where the oval is nearest to a corner, or where its normal faces an edge.
    """
    ring = second.pieces[0]
    towards = [_towards(first, disc(corner, 0.0)) for corner in ring.tolist()]
    feet = [_foot(oval, out) for out in (*towards, *-edge_normals(ring))]
    line = min(
        (shapely.shortest_line(shapely.Point(foot), second.core) for foot in feet),
        key=lambda one: float(one.length),
    )
    return shapely.LineString(_between(first, second, line))


def _foot(oval: Ellipse, out: FloatArray) -> FloatArray:
    """Return the boundary point of an ellipse with a given outward unit normal."""
    ahead = oval.along
    x = float(out @ ahead)
    y = float(out[1] * ahead[0] - out[0] * ahead[1])
    reach = float(np.hypot(oval.half_length * x, oval.half_width * y))
    along = oval.half_length**2 * x / reach
    across = oval.half_width**2 * y / reach
    foot: FloatArray = oval.centre + along * ahead + across * np.array([-ahead[1], ahead[0]])
    return foot


def _between(first: Shape, second: Shape, line: shapely.LineString) -> FloatArray:
    """Return the ends (2, 2) of the part of a line between two cores that lies outside the radii of both shapes."""
    start, end = shapely.get_coordinates(line)
    # cores may be apart by less than a point of them can tell
    out = (end - start) / max(line.length, np.finfo(float).tiny)
    return np.array([start + first.radius * out, end - second.radius * out])


def shortest_segment(first: Shape, second: Shape) -> tuple[Point, Point] | None:
    """Return the ends of a shortest segment from one shape to another, the middle one of a strip; None if the shapes
    are not apart.

    Examples
    --------
    >>> from tabletop.geometry.pose import Pose
    >>> from tabletop.geometry.shape import rectangle
    >>> shortest_segment(rectangle(Pose(0, 0, 0.0), 2, 2), rectangle(Pose(3, 1.5, 0.0), 2, 1))
    ((0.0, 0.75), (2.0, 0.75))
    """
    found = [
        part
        for part in shapely.get_parts(shortest_segments_region(first, second))
        if not part.is_empty
    ]
    if not found:
        return None
    if isinstance(found[0], shapely.LineString):
        start, end = shapely.get_coordinates(found[0])[[0, -1]].tolist()
    else:
        middle = shapely.get_coordinates(found[0].centroid)[0]
        half = 0.5 * gap(first, second) * _towards(first, second)
        start = (middle - half).tolist()
        end = (middle + half).tolist()
    return (start[0], start[1]), (end[0], end[1])


def _towards(first: Shape, second: Shape) -> FloatArray:
    """Return the unit vector (2,) along the unique shortest segment from an oval to another oval or a point, the
    gradient of the gap.
    """
    steps = SHIFT * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    east, west, north, south = gaps_at_shifts(first, steps, second)
    slope = np.array([west - east, south - north])
    towards: FloatArray = slope / np.hypot(*slope)
    return towards


@dataclass(frozen=True)
class Closest:
    """Distance of two bodies in inches, with the nearest point of the first (`near`) and of the second (`far`)."""

    distance: float
    near: Point
    far: Point


def closest(first: Shape, second: Shape) -> Closest:
    """Return the distance between two bodies without a radius, 0 where they overlap, and their closest points.

    Examples
    --------
    >>> from tabletop.geometry.shape import polygon
    >>> closest(polygon([(0, 0), (1, 0), (0, 1)]), polygon([(3, 0), (4, 0), (4, 1)]))
    Closest(distance=2.0, near=(1.0, 0.0), far=(3.0, 0.0))
    """
    return Closest(max(0.0, gap(first, second)), *_closest_points(first.core, second.core))


def closest_to_line(line: tuple[Point, Point], body: Shape) -> Closest:
    """Return the distance between a segment, given by its ends, and a body without a radius, and their closest
    points.
    """
    segment = shapely.LineString(line)
    return Closest(float(segment.distance(body.core)), *_closest_points(segment, body.core))


def _closest_points(first: shapely.Geometry, second: shapely.Geometry) -> tuple[Point, Point]:
    near, far = shapely.get_coordinates(shapely.shortest_line(first, second)).tolist()
    return (near[0], near[1]), (far[0], far[1])


def nearest_discs(
    points: FloatArray, centres: FloatArray, radii: FloatArray
) -> tuple[FloatArray, IntArray]:
    """Return the gap (n,) in inches from each point (n, 2) to the nearest disc, negative inside it, and that disc's
    index (n,).

    The discs have `centres` (m, 2) and `radii` (m,).

    Examples
    --------
    >>> nearest_discs(np.array([[0.0, 0.0]]), np.array([[5.0, 0.0], [0.0, 7.0]]), np.array([1.0, 4.0]))
    (array([3.]), array([1]))
    """
    x, y = np.ascontiguousarray(points.T)
    gaps = np.full(len(points), np.inf)
    numbers = np.zeros(len(points), dtype=np.intp)
    for number, ((centre_x, centre_y), radius) in enumerate(
        zip(centres.tolist(), radii.tolist(), strict=True)
    ):
        gap = np.hypot(x - centre_x, y - centre_y) - radius
        numbers[gap < gaps] = number
        np.minimum(gaps, gap, out=gaps)
    return gaps, numbers


def gaps_on_grid(
    x: FloatArray, y: FloatArray, centres: FloatArray, radius: float, *, beyond: float
) -> FloatArray:
    """Return the gap (p, q) in inches from each point of a grid to the nearest of equal discs about `centres` (m, 2).

    The coordinates `x` (p,) and `y` (q,) increase. A gap greater than `beyond` is reported as `beyond`.

    Examples
    --------
    >>> x, y, centres = np.array([0.0, 1.0, 9.0]), np.array([0.0, 4.0]), np.array([[5.0, 0.0], [0.0, 7.0]])
    >>> gaps_on_grid(x, y, centres, 1.0, beyond=3.5).round(2).tolist()
    [[3.5, 2.0], [3.0, 2.16], [3.0, 3.5]]
    """
    reach = beyond + radius
    gaps = np.full((len(x), len(y)), beyond, dtype=float)
    around_x, around_y = (
        np.searchsorted(line, [at - reach, at + reach]).T
        for line, at in zip((x, y), centres.T, strict=True)
    )
    near = gaps[around_x.min() : around_x.max(), around_y.min() : around_y.max()]
    near.fill(reach * reach)
    squares_x, squares_y = (
        np.square(line - at[:, None]) for line, at in zip((x, y), centres.T, strict=True)
    )
    for across, up, (west, east), (south, north) in zip(
        squares_x, squares_y, around_x.tolist(), around_y.tolist(), strict=True
    ):
        window = gaps[west:east, south:north]
        np.minimum(window, across[west:east, None] + up[south:north], out=window)
    np.sqrt(near, out=near)
    near -= radius
    return gaps


def line_gaps(starts: FloatArray, ends: FloatArray, points: FloatArray) -> FloatArray:
    """Return the distances (n, m) in inches from `points` (m, 2) to straight segments from `starts`, (n, 2) or (2,), to
    `ends` (n, 2).

    Examples
    --------
    >>> line_gaps(np.zeros(2), np.array([[4.0, 0.0], [0.0, 3.0]]), np.array([[2.0, 1.0]])).tolist()
    [[1.0], [2.0]]
    """
    along = ends - starts
    to_points = points[None, :, :] - np.broadcast_to(starts, ends.shape)[:, None, :]
    lengths = np.maximum((along * along).sum(axis=1), LEAST_SQUARE)
    shares = np.clip((along[:, None, :] * to_points).sum(axis=2) / lengths[:, None], 0.0, 1.0)
    aside = shares[..., None] * along[:, None, :] - to_points
    return lengths_of(aside)
