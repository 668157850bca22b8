"""Words that stand at a given place or not at all: numbers of models and hexes, levels of the ground.

They are left out where they have no room, lie on an earlier one or are cut off.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import shapely

from plots.layout.boxes import Box
from plots.layout.frame import Frame
from plots.layout.labels import Placed
from plots.marks import text
from plots.marks.mark import Label, Mark, Printed
from plots.marks.strokes import strokes
from plots.marks.theme import face
from tabletop.geometry.pose import Point

YIELDING = "hex_number"
"""The role of words that give way to labels."""
AIR = 0.012
"""Inches on the page that two printed words keep apart."""
ON_HEXES, WAYS, ASIDE = ("hex_number", "hex_tag"), ("path", "pushed", "stepped", "slid", "aim"), 0.36
"""Roles of words of the ground that stand aside where ways run, those of ways, and the share of a word's room by which it does at most."""
BESIDE_WAY = 0.02
"""Inches on the page between a way and a word beside it: half a heavy line and its halo."""


@dataclass(frozen=True)
class Stamped:
    """The words of a mark that are printed, each with its box on the panel."""

    mark: Printed
    words: tuple[tuple[str, Box], ...]


def stamped(marks: Sequence[Mark], frame: Frame) -> tuple[Stamped, ...]:
    """Choose the words of a panel that are printed: those that have room, earlier ones first and last what gives way to labels."""
    taken: list[Box] = []
    made = []
    ways = _ways(marks, frame)
    for mark in sorted(marks, key=lambda one: one.role == YIELDING):
        if isinstance(mark, Printed):
            kept = []
            for at, word, room in mark.words:
                box = _box(word, at, mark.role, frame)
                box = _off_ways(box, ways, ASIDE * room * frame.scale) if mark.role in ON_HEXES else box
                if (
                    _fits(word, room * frame.scale, mark.role)
                    and _is_inside(box, frame)
                    and not any(box.overlaps(other) for other in taken)
                ):
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


def _off_ways(box: Box, ways: shapely.Geometry, farthest: float) -> Box:
    """Move a word to the left or right of a way that runs through it, if that is not far; else it stays."""
    crossed = shapely.intersection(ways, shapely.box(box.west, box.south, box.east, box.north))
    if crossed.is_empty:
        return box
    west, _, east, _ = crossed.bounds
    moves = sorted((east - box.west + BESIDE_WAY, west - box.east - BESIDE_WAY), key=abs)
    moved = (replace(box, west=box.west + aside, east=box.east + aside) for aside in moves if abs(aside) <= farthest)
    clear = (one for one in moved if not shapely.intersects(ways, shapely.box(one.west, one.south, one.east, one.north)))
    return next(clear, box)


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
