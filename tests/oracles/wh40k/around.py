"""The least that a model can have moved: round each single thing in its way, taken a little too small and alone.

Round one convex obstacle the shortest way follows the rim of the hull about it and both ends. Whatever else is in the
way only makes it longer, so whoever is told a shorter length is told wrong.
"""

import math
from collections.abc import Iterator

import numpy as np
import shapely

from tests.oracles.wh40k.bodies import Bodies, Floats, Form
from tests.oracles.wh40k.table import LEVEL, Table, walked

ENGAGED = 1.0
LOW = 4.9
CORNERS = 24
"""Corners of a quarter circle: a polygon inside the circle, so ways round it are shorter, by less than a thousandth."""


def least_moved(table: Table, ends: Bodies) -> Floats:
    """Return the least that each model (n,) must have moved, its pivot included."""
    across: Floats = np.hypot(*(ends.centres - table.charger.centres).T)
    climbs = np.abs(walked(ends.heights) - walked(table.charger.heights))
    if table.readings.flies:
        rises = np.abs(ends.heights - table.charger.heights)
        is_flown = np.maximum(ends.heights, table.charger.heights) > LEVEL
        climbs = np.where(is_flown & table.readings.flies_only, rises, np.minimum(climbs, rises))
    moved = np.hypot(across, climbs) if table.readings.flies else across + climbs
    for row in range(len(ends)):
        for obstacle, is_passed_over in _obstacles(table, ends, row):
            ahead = _round(obstacle, table.charger.centres[row], ends.centres[row])
            detour = math.hypot(ahead, climbs[row]) if table.readings.flies else ahead + climbs[row]
            over = across[row] + 2.0 * _lowest(table) if is_passed_over else np.inf
            moved[row] = max(moved[row], min(detour, over))
    return np.asarray(
        moved + np.where(ends.headings != table.charger.headings, table.readings.pivots, 0.0)
    )


def _obstacles(table: Table, ends: Bodies, row: int) -> Iterator[tuple[shapely.Geometry, bool]]:
    """Yield what is in a model's way, and whether it may be passed over from some piece of terrain."""
    own = _inner(table.charger.forms[row])
    is_flat = max(float(table.charger.heights[row]), float(ends.heights[row])) <= LEVEL
    is_climbing = is_flat and not table.readings.flies_level
    yield from (
        (_grown(piece.area, own), piece.is_climbed)
        for piece in table.blocking
        if is_climbing or not piece.is_climbed
    )
    for number in range(len(table.bodies)) if is_flat else ():
        if table.bodies.heights[number] <= LEVEL:
            yield (
                _grown(_core(table.bodies, number), own + _inner(table.bodies.forms[number])),
                True,
            )
    is_low = all(
        piece.height <= LOW or not piece.is_climbed for piece in (*table.blocking, *table.floors)
    )
    if table.readings.keeps_out and is_low and table.charger.tall == 0.0:
        for number in range(len(table.others)):
            if table.others.heights[number] <= LEVEL:
                yield (
                    _grown(
                        _core(table.others, number),
                        own + _inner(table.others.forms[number]) + ENGAGED,
                    ),
                    False,
                )


def _inner(form: Form) -> float:
    """Return the radius of a disc inside a form without corners; 0 of others."""
    return form.radius + min(form.axes)


def _core(bodies: Bodies, number: int) -> shapely.Geometry:
    form, heading = bodies.turned(number)
    return form.outline(bodies.centres[number], heading)


def _grown(core: shapely.Geometry, radius: float) -> shapely.Geometry:
    return shapely.buffer(core, radius, quad_segs=CORNERS) if radius else core


def _lowest(table: Table) -> float:
    """Return the least height to which a model may climb."""
    return min(
        (piece.height for piece in (*table.blocking, *table.floors) if piece.is_climbed),
        default=np.inf,
    )


def _round(obstacle: shapely.Geometry, start: Floats, end: Floats) -> float:
    """Measure the shortest way of a point round a convex obstacle; straight if neither end is clear of it."""
    here = shapely.Point(start)
    there = shapely.Point(end)
    straight = float(np.hypot(*(end - start)))
    if (
        obstacle.distance(here) <= 0.0
        or obstacle.distance(there) <= 0.0
        or not obstacle.intersects(shapely.LineString([start, end]))
    ):
        return straight
    rim = shapely.union_all([obstacle, here, there]).convex_hull.exterior
    corners = shapely.get_coordinates(rim)[:-1]
    first, last = (int(np.argmin(np.hypot(*(corners - spot).T))) for spot in (start, end))
    lengths = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    one = float(lengths[min(first, last) : max(first, last)].sum())
    return max(straight, min(one, float(lengths.sum()) - one))
