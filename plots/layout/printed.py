"""Words that stand at a given place or not at all: numbers of models and hexes, levels of the ground.

They are left out where they have no room, lie on an earlier one or are cut off.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import shapely

from plots.layout.boxes import Box
from plots.layout.frame import Frame
from plots.layout.labels import Placed
from plots.marks import text
from plots.marks.ground import NUMBER_AT, ROOM
from plots.marks.mark import GridMark, Label, Mark, Printed
from plots.marks.strokes import strokes
from plots.marks.theme import face
from tabletop.geometry.pose import Point

YIELDING = "hex_number"
"""The role of words that give way to labels."""
AIR = 0.012
"""Inches on the page that two printed words keep apart."""
ON_HEXES, WAYS, ASIDE = ("hex_number", "hex_tag"), ("path", "pushed", "stepped", "slid", "aim"), 0.36
"""Roles of words of the ground that stand aside where ways run, those of ways, and the share of a word's room by which it does at most."""
BESIDE_WAY, SLOPE, HIDDEN = 0.02, math.sqrt(3.0), 0.3
"""Inches on the page between a way and a word beside it: half a heavy line and its halo; how steeply the sides of a hex rise; and the share
of a number that units may hide."""


@dataclass(frozen=True)
class Stamped:
    """The words of a mark that are printed, each with its box on the panel."""

    mark: Printed
    words: tuple[tuple[str, Box], ...]


def stamped(marks: Sequence[Mark], frame: Frame) -> tuple[Stamped, ...]:
    """Choose the words of a panel that are printed: those that have room, earlier ones first and last what gives way to labels.

    Numbers of rows and columns stand only where hexes are too small for their own.
    """
    taken: list[Box] = []
    made: list[Stamped] = []
    ways, standing = _ways(marks, frame), _standing(marks, frame)
    for mark in sorted(marks, key=lambda one: one.role == YIELDING):
        if not isinstance(mark, Printed) or (mark.role == YIELDING and any(one.words and one.mark.role == YIELDING for one in made)):
            continue
        kept = []
        for at, word, room in mark.words:
            own = _box(word, at, mark.role, frame)
            places = _off_ways(own, ways, ASIDE * room * frame.scale) if mark.role in ON_HEXES else (own,)
            if mark.role == YIELDING and ways.intersects(_region(places[0])):
                places = [one for one in _in_hex(own, ways, room / ROOM * frame.scale) if _is_open(one, standing)]
            box = next((one for one in places if _is_inside(one, frame) and not any(one.overlaps(other) for other in taken)), None)
            if box is not None and _fits(word, room * frame.scale, mark.role):
                taken.append(box)
                kept.append((word, box))
        made.append(Stamped(mark, tuple(kept)))
    return tuple(one for one in made if one.words)


def kept(printed: Sequence[Stamped], *, is_yielding: bool = False) -> tuple[Box, ...]:
    """Give the boxes of words that labels keep off, or of those that give way."""
    return tuple(box for one in printed if (one.mark.role == YIELDING) is is_yielding for _, box in one.words)


def yielded(printed: Sequence[Stamped], labels: Sequence[Placed]) -> tuple[Stamped, ...]:
    """Leave out the words that give way to labels."""
    boxes = [placed.box for placed in labels]
    return tuple(
        Stamped(one.mark, words)
        for one in printed
        if (words := tuple(word for word in one.words if not any(word[1].overlaps(box) for box in boxes)))
    )


def instead(marks: Sequence[Mark], printed: Sequence[Stamped]) -> tuple[Label, ...]:
    """Give the labels of the marks that were not printed whole."""
    whole = {one.mark.id for one in printed if len(one.words) == len(one.mark.words)}
    return tuple(mark.instead for mark in marks if isinstance(mark, Printed) and mark.instead is not None and mark.id not in whole)


def _ways(marks: Sequence[Mark], frame: Frame) -> shapely.Geometry:
    """Give the ways on a panel, in its inches."""
    lines = [line for mark in marks if mark.role.partition(".")[0] in WAYS for line in strokes(mark)]
    return shapely.union_all([shapely.LineString([frame.to_panel(point) for point in line]) for line in lines])


def _standing(marks: Sequence[Mark], frame: Frame) -> shapely.Geometry:
    """Give what units in hexes cover, in inches of the panel."""
    rings = [ring for mark in marks if isinstance(mark, GridMark) and mark.role.startswith("standing.") for ring in mark.rings]
    return shapely.union_all([shapely.Polygon([frame.to_panel(point) for point in ring]) for ring in rings])


def _is_open(box: Box, standing: shapely.Geometry) -> bool:
    """Tell whether units leave most of a box free."""
    place = _region(box)
    return bool(shapely.area(shapely.intersection(standing, place)) <= HIDDEN * shapely.area(place))


def _off_ways(box: Box, ways: shapely.Geometry, farthest: float) -> Sequence[Box]:
    """Move a word to the left or right of a way that runs through it, if that is not far; else it stays."""
    moves = (aside for aside in _asides(box, ways) if abs(aside) <= farthest)
    clear = [one for aside in moves if not ways.intersects(_region(one := box.shifted(aside, 0.0)))]
    return clear[:1] or (box,)


def _in_hex(box: Box, ways: shapely.Geometry, flats: float) -> Sequence[Box]:
    """Give the places off ways for a number above the middle of a hex: below it, or as high as there is room beside the way."""
    _, y = box.middle
    middle = y - NUMBER_AT * flats
    places = [box.shifted(0.0, -2 * NUMBER_AT * flats)]
    for aside in _asides(box, ways):
        outer = abs(aside) + (box.east - box.west) / 2
        top = flats - SLOPE * (outer + BESIDE_WAY)
        places.append(box.shifted(aside, min(0.0, middle + top - box.north)))
    return [one for one in places if not ways.intersects(_region(one)) and one.south > middle - flats / 2]


def _asides(box: Box, ways: shapely.Geometry) -> Sequence[float]:
    """Give by how much a word is moved to the left or right off the way that runs through it, the shorter first."""
    crossed = shapely.intersection(ways, _region(box))
    if crossed.is_empty:
        return ()
    west, _, east, _ = crossed.bounds
    return sorted((west - box.east - BESIDE_WAY, east - box.west + BESIDE_WAY), key=abs)


def _region(box: Box) -> shapely.Geometry:
    return shapely.box(box.west, box.south, box.east, box.north)


def _box(word: str, at: Point, role: str, frame: Frame) -> Box:
    (x, y), (wide, high) = frame.to_panel(at), _extent(word, role)
    return Box(x - wide / 2 - AIR, y - high / 2 - AIR, x + wide / 2 + AIR, y + high / 2 + AIR)


def _extent(word: str, role: str) -> Point:
    size, bold, _ = face(role)
    return (text.drawn_width(word, size, bold=bold), text.DIGIT * size * text.POINT_SIZE)


def _fits(word: str, room: float, role: str) -> bool:
    """Tell whether a word lies within a circle `room` inches of the page across."""
    return math.hypot(*_extent(word, role)) <= room


def _is_inside(box: Box, frame: Frame) -> bool:
    return box.west >= 0.0 and box.south >= 0.0 and box.east <= frame.width and box.north <= frame.height
