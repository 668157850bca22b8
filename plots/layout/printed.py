"""Words that stand at a given place or not at all: numbers of models and hexes, levels of the ground.

They are drawn as outlines, all of one mark at once, and left out where they have no room, lie on an earlier one or are cut off.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.artist import Artist
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from plots.layout.boxes import Box
from plots.layout.frame import Frame
from plots.layout.labels import Placed
from plots.layout.paths import together
from plots.marks import text
from plots.marks.looks import style
from plots.marks.mark import Label, Mark, Printed
from plots.marks.theme import SCREEN, Theme, face
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
    return (text.width(word, size, bold=bold), text.DIGIT * size * text.POINT_SIZE)


def _fits(word: str, room: float, role: str) -> bool:
    """Tell whether a word lies within a circle `room` inches of the page across."""
    return math.hypot(*_extent(word, role)) <= room


def _is_inside(box: Box, frame: Frame) -> bool:
    return box.west >= 0.0 and box.south >= 0.0 and box.east <= frame.width and box.north <= frame.height


def printed_artists(printed: Sequence[Stamped], frame: Frame, theme: Theme = SCREEN) -> tuple[Artist, ...]:
    """Make the artists of printed words: where the look has an edge, a halo under all of them, and their letters."""
    made: list[Artist] = []
    for one in printed:
        look = style(one.mark.role, theme)
        letters = together([_letters(word, box, one.mark.role, frame) for word, box in one.words])
        if look.edge:
            made.append(_artist(f"{one.mark.id}.halo", letters, edge=look.edge, width=look.width, layer=look.layer))
        made.append(_artist(one.mark.id, letters, fill=look.fill or "none", layer=look.layer + 0.05))
    return tuple(made)


def _letters(word: str, box: Box, role: str, frame: Frame) -> Path:
    size, bold, _ = face(role)
    placed = Affine2D().scale(1 / frame.scale).translate(*frame.to_table(box.middle))
    return text.outline(word, size, bold=bold).transformed(placed)


def _artist(name: str, path: Path, *, fill: str = "none", edge: str = "none", width: float = 0.0, layer: float) -> Artist:
    patch = PathPatch(path, facecolor=fill, edgecolor=edge, linewidth=width, zorder=layer, joinstyle="round")
    patch.set_gid(name)
    return patch
