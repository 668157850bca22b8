"""Words that stand at a given place or not at all: numbers of models and hexes, levels of the ground.

They are left out where they have no room, lie on an earlier one or are cut off.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from plots.layout.boxes import Box
from plots.layout.frame import Frame
from plots.layout.labels import Placed
from plots.marks import text
from plots.marks.mark import Label, Mark, Printed
from plots.marks.theme import face
from tabletop.geometry.pose import Point

YIELDING = "hex_number"
"""The role of words that give way to labels."""
AIR = 0.012
"""Inches on the page that two printed words keep apart."""


@dataclass(frozen=True)
class Stamped:
    """The words of a mark that are printed, each with its box on the panel."""

    mark: Printed
    words: tuple[tuple[str, Box], ...]


def stamped(marks: Sequence[Mark], frame: Frame) -> tuple[Stamped, ...]:
    """Choose the words of a panel that are printed: those that have room, earlier ones first."""
    taken: list[Box] = []
    made = []
    for mark in marks:
        if isinstance(mark, Printed):
            kept = []
            for at, word, room in mark.words:
                box = _box(word, at, mark.role, frame)
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
