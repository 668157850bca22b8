"""Shapes that show findings in figures: overlap areas, rings around what is too small to see, fronts, and short
measures.
"""

import math
from collections.abc import Sequence

import shapely

from tabletop.fronts.obstacle import ConvexObstacle
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape, disc
from tabletop.messages import Digits
from tabletop.table.state import Regiment
from tabletop.units import CONTACT

RING, SEEN = 0.4, 0.02
"""Radius, in inches, of a ring around what is too small to be seen, and least visible area, in square inches."""

SMALL_GAP = 0.1
"""Gap or overlap, in inches, below which a mark states it instead of the free length of the way."""


def front(unit: Regiment, pose: Pose) -> tuple[Point, Point]:
    """Return the left and right end of the front of a unit in a pose, in inches on the table."""
    return pose.point(-unit.width / 2, 0.0), pose.point(unit.width / 2, 0.0)


def few_digits(value: float) -> str:
    """Return a measure as text with at most two decimals, or with more if it would read as zero."""
    digits = max(2, math.ceil(-math.log10(max(value, CONTACT))))
    return Digits(f"{value:.{digits}f}".rstrip("0").rstrip("."))


def overlap_areas(region: shapely.Polygon, hazards: Sequence[ConvexObstacle]) -> tuple[Shape, ...]:
    """Return the parts of hazards inside a region as shapes; where the overlap is too small to be seen, a disc around
    it.
    """
    found: list[Shape] = []
    for hazard in hazards:
        body = body_of(hazard)
        if seen := shared(region, [body]):
            found += seen
        else:
            kept = 0.0 if len(hazard.ring) == 1 else hazard.needed
            if (
                shapely.intersection(region, body).area > CONTACT
                or shapely.distance(region, body) < kept - CONTACT
            ):
                found.append(disc(nearest(region, hazard), RING))
    return tuple(found)


def body_of(hazard: ConvexObstacle) -> shapely.Polygon:
    """Return the area of a hazard as a polygon; a disc, given as its centre, is grown by the gap needed, which includes
    its radius.
    """
    hull = shapely.MultiPoint(hazard.ring).convex_hull
    return hull.buffer(hazard.needed) if len(hazard.ring) == 1 else hull


def nearest(region: shapely.Polygon, hazard: ConvexObstacle) -> Point:
    """Return a point of a hazard nearest to a region, in inches; if they overlap, the middle of the overlap."""
    body = body_of(hazard)
    part = shapely.intersection(region, body)
    spot = shapely.centroid(shapely.shortest_line(region, body) if part.is_empty else part)
    return spot.x, spot.y


def ring(start: Point, end: Point) -> tuple[Shape, ...]:
    """Return a disc around the end of a line shorter than SMALL_GAP, in a tuple; empty if the line is long enough to be
    seen.
    """
    return (disc(end, RING),) if math.dist(start, end) < SMALL_GAP else ()


def shared(region: shapely.Geometry, others: Sequence[shapely.Geometry]) -> tuple[Shape, ...]:
    """Return the areas, larger than SEEN square inches, that a region shares with each of some other geometries."""
    parts = [
        part for other in others for part in shapely.get_parts(shapely.intersection(region, other))
    ]
    return tuple(
        Shape(part) for part in parts if isinstance(part, shapely.Polygon) and part.area > SEEN
    )


def middle(areas: Sequence[Shape]) -> Point:
    """Return a point inside the largest of some areas, in inches."""
    x, y = shapely.get_coordinates(
        max((area.core for area in areas), key=lambda core: core.area).representative_point()
    )[0].tolist()
    return x, y


def clipped(line: Sequence[tuple[float, ...]], body: shapely.Polygon) -> tuple[Point, Point] | None:
    """Return the ends of the part of a line inside a convex body, in inches; None if it is no longer than the
    tolerance.
    """
    part = shapely.intersection(shapely.LineString(line), body)
    if part.length <= CONTACT:
        return None
    (x, y), (to_x, to_y) = shapely.get_coordinates(part).tolist()
    return (x, y), (to_x, to_y)
