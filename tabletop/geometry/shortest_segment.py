"""What lies between two shapes that are apart: their shortest segments, one, or a strip of them where straight edges face each other."""

from collections.abc import Iterator

import numpy as np
import shapely

from tabletop.geometry.ellipse import Ellipse
from tabletop.geometry.pose import FloatArray, Point
from tabletop.geometry.shape import Shape, disc, edge_normals, gap, gaps
from tabletop.units import CONTACT

SHIFT = 1e-4
"""Inches by which a shape is shifted to see in which direction the gap is measured."""


def joins(first: Shape, second: Shape) -> shapely.Geometry:
    """Give all points of all shortest segments between two shapes: a line, a strip, several of them; nothing if they are not apart.

    Examples
    --------
    >>> from tabletop.geometry.pose import Pose
    >>> from tabletop.geometry.shape import disc, rectangle
    >>> joins(disc((0, 0), 1), disc((4, 0), 1)).wkt
    'LINESTRING (1 0, 3 0)'
    >>> joins(rectangle(Pose(0, 0, 0.0), 2, 2), rectangle(Pose(3, 1.5, 0.0), 2, 1)).bounds
    (0.0, 0.5, 2.0, 1.0)
    """
    if isinstance(first.core, shapely.Point) and isinstance(second.core, shapely.Point):
        line = shapely.LineString([first.core, second.core])
        return shapely.LineString(_between(first, second, line)) if line.length > first.radius + second.radius else shapely.LineString()
    pairs = [(gap(one, two), one, two) for one in _convex(first) for two in _convex(second)]
    least = min(width for width, _, _ in pairs)
    parts = [_join(one, two, width) for width, one, two in pairs if width <= least + CONTACT] if least > 0.0 else []
    return shapely.union_all(parts)


def shortest_segment(first: Shape, second: Shape) -> tuple[Point, Point] | None:
    """Give the ends of a shortest segment from one shape to another: of a strip of them the middle one; None if they are not apart.

    Examples
    --------
    >>> from tabletop.geometry.pose import Pose
    >>> from tabletop.geometry.shape import rectangle
    >>> shortest_segment(rectangle(Pose(0, 0, 0.0), 2, 2), rectangle(Pose(3, 1.5, 0.0), 2, 1))
    ((0.0, 0.75), (2.0, 0.75))
    """
    found = [part for part in shapely.get_parts(joins(first, second)) if not part.is_empty]
    if not found:
        return None
    if isinstance(found[0], shapely.LineString):
        start, end = shapely.get_coordinates(found[0])[[0, -1]].tolist()
    else:
        middle = shapely.get_coordinates(found[0].centroid)[0]
        half = 0.5 * gap(first, second) * _towards(first, second)
        start, end = (middle - half).tolist(), (middle + half).tolist()
    return (start[0], start[1]), (end[0], end[1])


def _convex(shape: Shape) -> Iterator[Shape]:
    """Give the convex parts of a shape."""
    if shape.ellipse is not None or len(shape.pieces) == 1:
        yield shape
    else:
        yield from (Shape(shapely.Polygon(ring), shape.radius) for ring in shape.pieces)


def _join(first: Shape, second: Shape, width: float) -> shapely.Geometry:
    """Join two convex shapes that are `width` inches apart."""
    if first.ellipse is None and second.ellipse is None:
        return _strip(first, second)
    if first.ellipse is None:
        return _join(second, first, width).reverse()
    if second.ellipse is not None:
        out = _towards(first, second)
        start = _foot(first.ellipse, out)
        return shapely.LineString([start, start + width * out])
    return _from_oval(first, first.ellipse, second)


def _from_oval(first: Shape, oval: Ellipse, second: Shape) -> shapely.LineString:
    """Join an oval to a convex polygon or a disc: from where it is nearest to a corner, or looks straight at an edge."""
    ring = second.pieces[0]
    towards = [_towards(first, disc(corner, 0.0)) for corner in ring.tolist()]
    feet = [_foot(oval, out) for out in (*towards, *-edge_normals(ring))]
    line = min((shapely.shortest_line(shapely.Point(foot), second.core) for foot in feet), key=lambda one: float(one.length))
    return shapely.LineString(_between(first, second, line))


def _towards(first: Shape, second: Shape) -> FloatArray:
    """Give the unit vector along the one shortest segment from an oval to another, or to a point: against the slope of the gap."""
    steps = SHIFT * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    east, west, north, south = gaps(first, steps, second)
    slope = np.array([west - east, south - north])
    towards: FloatArray = slope / np.hypot(*slope)
    return towards


def _foot(oval: Ellipse, out: FloatArray) -> FloatArray:
    """Give the point of an ellipse's boundary whose outward normal is a unit vector."""
    ahead = oval.along
    x, y = float(out @ ahead), float(out[1] * ahead[0] - out[0] * ahead[1])
    reach = float(np.hypot(oval.half_length * x, oval.half_width * y))
    along, across = oval.half_length**2 * x / reach, oval.half_width**2 * y / reach
    foot: FloatArray = np.array(oval.centre) + along * ahead + across * np.array([-ahead[1], ahead[0]])
    return foot


def _strip(first: Shape, second: Shape) -> shapely.Geometry:
    """Join two convex polygons or discs: the strip ends where a corner of one or the other is nearest."""
    apart = float(first.core.distance(second.core))
    lines = [line for line in _lines(first, second) if line.length <= apart + CONTACT]
    return shapely.MultiPoint([spot for line in lines for spot in _between(first, second, line)]).convex_hull


def _lines(first: Shape, second: Shape) -> Iterator[shapely.LineString]:
    """Give the shortest lines from the corners of each core to the other core, all of them from the first to the second."""
    yield from (shapely.shortest_line(shapely.Point(corner), second.core) for corner in first.pieces[0])
    yield from (shapely.shortest_line(first.core, shapely.Point(corner)) for corner in second.pieces[0])


def _between(first: Shape, second: Shape, line: shapely.LineString) -> FloatArray:
    """Give the ends (2, 2) of what a line between two cores has outside of both radii."""
    start, end = shapely.get_coordinates(line)
    out = (end - start) / max(line.length, np.finfo(float).tiny)  # cores may be apart by less than a point of them can tell
    return np.array([start + first.radius * out, end - second.radius * out])
