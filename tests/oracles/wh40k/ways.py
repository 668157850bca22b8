"""The way that a ruling shows for a model: as long as told, and clear of everything that hinders.

Arcs are shown by chords whose corners lie on them. A short chord may therefore cut as deep into what it leads round as a circle
bulges over it, and the way told is longer than the chords by no more than their turns allow.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import shapely

from tabletop.ruling import Spot
from tests.oracles.wh40k.table import LEVEL, Discs, Table

TOUCH = 2e-6
"""Inches by which a way may seem to enter what it leads along."""
WIDEST = 0.15
"""Radians of an arc that one chord may stand for."""
ENGAGED, ENGAGED_UP = 1.0, 5.0
Leg = tuple[Spot, Spot]


def complaints(table: Table, row: int, path: Sequence[Spot], length: float) -> Iterator[str]:
    """Hold one model's way against all that hinders it, and its length against the way."""
    legs = list(pairwise(path))
    if any(_is_slanted(leg) for leg in legs):
        yield "its way rises while it goes ahead"
    shortest = sum(math.dist(*leg) for leg in legs)
    longest = sum(_arc(path, number) for number in range(len(legs)))
    if not shortest - TOUCH <= length <= longest + TOUCH:
        yield f"its way is {shortest:.5f} to {longest:.5f} long, told {length:.5f}"
    radius = float(table.charger.radii[row])
    for leg in legs:
        yield from _met(table, leg, radius)


def _is_slanted(leg: Leg) -> bool:
    (x, y, z), (other_x, other_y, other_z) = leg
    return abs(z - other_z) > LEVEL and math.hypot(x - other_x, y - other_y) > LEVEL


def _arc(path: Sequence[Spot], number: int) -> float:
    """Give the greatest length of the arc for which a leg may stand, by how much the way turns at its ends."""
    chord = math.dist(path[number], path[number + 1])
    turn = max(_turn(path, number), _turn(path, number + 1))
    return chord * (turn / 2) / math.sin(turn / 2) if 0.0 < turn <= 2 * WIDEST else chord


def _turn(path: Sequence[Spot], corner: int) -> float:
    if not 0 < corner < len(path) - 1:
        return 0.0
    before, here, after = (np.array(path[at][:2]) for at in (corner - 1, corner, corner + 1))
    first, second = here - before, after - here
    return abs(math.atan2(first[0] * second[1] - first[1] * second[0], float(first @ second)))


def _met(table: Table, leg: Leg, radius: float) -> Iterator[str]:
    line, height, chord = _line(leg), leg[0][2], math.dist(leg[0][:2], leg[1][:2])
    room = min(min(x, y, table.size[0] - x, table.size[1] - y) for x, y, _ in leg) - radius
    if room < -TOUCH:
        yield f"its way leaves the board by {-room:.5f}"
    if abs(leg[0][2] - leg[1][2]) > LEVEL:
        return
    yield from _bodies_met(table.enemies, line, height, chord, reach=radius, rise=LEVEL, name="an enemy's body")
    yield from _bodies_met(table.others, line, height, chord, reach=radius + ENGAGED, rise=ENGAGED_UP, name="the range of no target")
    for solid in table.blocking:
        if solid.is_climbed and solid.height <= height + LEVEL:
            continue
        depth = radius - float(line.distance(solid.area))
        if depth > bulge(chord, radius) + TOUCH:
            yield f"its way enters terrain by {depth:.5f}"


def _bodies_met(unit: Discs, line: shapely.Geometry, height: float, chord: float, *, reach: float, rise: float, name: str) -> Iterator[str]:
    for centre, level, radius in zip(unit.centres, unit.heights, unit.radii, strict=True):
        depth = float(radius) + reach - float(line.distance(shapely.Point(centre)))
        if abs(level - height) <= rise and depth > bulge(chord, float(radius) + reach) + TOUCH:
            yield f"its way enters {name} by {depth:.5f}"


def _line(leg: Leg) -> shapely.Geometry:
    start, end = leg[0][:2], leg[1][:2]
    return shapely.Point(start) if start == end else shapely.LineString([start, end])


def bulge(chord: float, radius: float) -> float:
    """Give how far an arc of a radius bulges over its chord; 0 if the chord is too long to stand for an arc."""
    return radius - math.sqrt(radius**2 - chord**2 / 4) if chord <= WIDEST * radius else 0.0
