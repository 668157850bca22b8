"""Which marks of a panel are one thing, and the order of things that hides least: the groups of an SVG that people move.

A unit is its body, its silhouettes, its facing and its name. Things are whole, so what lay between the parts of one lies below or
above all of it: that is chosen by what each covers of the others, counted in dots of a raster.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.path import Path
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from plots.layout.frame import Box, Frame
from plots.layout.page import Shown
from plots.marks.mark import Arrows, Lines, Mark
from plots.marks.styles import style
from plots.marks.theme import Style
from plots.render.paths import paths_of

DOTS = 40
"""Dots an inch of the page by which is counted what covers what."""
WORDS, LINES, FILLS, SHADOWS = 20.0, 5.0, 1.0, 0.1
"""What it costs to cover a dot of words, of lines, of areas, of shadows."""
WORDS_LAYER = 12.0
_PART = re.compile(
    r"\.(?:shadows?|tray|models|figures|contact|touching|facing|label|status|letter|numbers|parts|prone|raised|raised_contact|seen"
    r"|seen_contact|contours|details|symbols|pivot|stop|climbs|area|front|limit|magnifier|legs|border|cross|lost"
    r"|(?:height|climb)\.\d+|\d+)$"
)
_LEAST = {"unit": 2, "terrain": 2, "path": 2, "dimension": 2, "deciding": 2, "note": 2, "hex": 2, "arc": 2, "start": 2}
"""Words that the id of a thing has at least, by its first: a name or a number."""


def thing_of(bare: str) -> str:
    """Give the id of the thing that a mark is part of, both without the panel's name.

    Examples
    --------
    >>> thing_of("unit.A.numbers.contact"), thing_of("charge2.path.2.stop"), thing_of("unit.label"), thing_of("board")
    ('unit.A', 'charge2.path.2', 'unit.label', 'board')
    """
    kind = re.sub(r"^charge\d+\.", "", bare).partition(".")[0]
    least = _LEAST.get(kind, 1) + bare.startswith("charge")
    while (found := _PART.search(bare)) and bare[: found.start()].count(".") + 1 >= least:
        bare = bare[: found.start()]
    return bare


def things_of(shown: Shown) -> list[tuple[str, list[Mark]]]:
    """Give the things of a panel with their marks, in the order in which they are to be drawn."""
    start = f"{shown.panel.name}."
    pieces = sorted(_pieces(shown), key=lambda piece: piece.layer)
    things: dict[str, list[Mark]] = {}
    for piece in pieces:
        things.setdefault(thing_of(piece.mark.id.removeprefix(start)), []).append(piece.mark)
    names = list(things)
    owners = np.array([names.index(thing_of(piece.mark.id.removeprefix(start))) for piece in pieces], dtype=int)
    return [(names[number], things[names[number]]) for number in _order(owners, pieces, len(names))]


@dataclass(frozen=True, eq=False)
class _Piece:
    """A mark with its layer, the dots that it covers and what it costs to cover one of them."""

    mark: Mark
    layer: float
    dots: NDArray[np.bool_]
    cost: float


def _order(owners: NDArray[np.int_], pieces: Sequence[_Piece], count: int) -> list[int]:
    """Put things, given as the owners (n) of pieces from the lowest to the highest, into the order that hides least."""
    dots = np.array([piece.dots.ravel() for piece in pieces], dtype=np.float32)
    costs = np.array([piece.cost for piece in pieces], dtype=np.float32)
    above = np.triu(dots @ dots.T, 1) * costs[None, :]
    members = (owners[:, None] == np.arange(count)[None, :]).astype(np.float32)
    between = members.T @ above @ members
    hidden = np.maximum(between - between.T, 0.0)
    left, order = list(range(count)), []
    while left:
        first = left[int(np.argmin(hidden[np.ix_(left, left)].sum(axis=0)))]
        left.remove(first)
        order.append(first)
    return order


def _pieces(shown: Shown) -> Iterator[_Piece]:
    frame = shown.frame
    for mark in shown.panel.marks:
        look, paths = style(mark.role), paths_of(mark, frame)
        if paths:
            cost = SHADOWS if mark.role == "shadow" else FILLS if look.fill else LINES
            yield _Piece(mark, look.layer, _covered(mark, paths, look, frame), cost)
    for printed in shown.printed:
        yield _Piece(printed.mark, style(printed.mark.role).layer, _boxed([box for _, box in printed.words], frame), WORDS)
    for placed in shown.labels:
        yield _Piece(placed.label, WORDS_LAYER, _boxed([placed.box], frame), WORDS)


def _raster(frame: Frame) -> Image.Image:
    return Image.new("1", (max(1, round(frame.width * DOTS)), max(1, round(frame.height * DOTS))))


def _covered(mark: Mark, paths: Sequence[Path], look: Style, frame: Frame) -> NDArray[np.bool_]:
    """Give the dots (rows, columns) of a panel that paths cover: areas if they are filled, else lines."""
    image, corner = _raster(frame), np.array([frame.section.west, frame.section.south])
    draw = ImageDraw.Draw(image)
    is_filled = bool(look.fill or look.pattern) and (isinstance(mark, Arrows) or not isinstance(mark, Lines))
    for path in paths:
        for polygon in path.to_polygons(closed_only=False):
            spots = [(x, y) for x, y in ((np.asarray(polygon) - corner) * frame.scale * DOTS).tolist()]
            if is_filled and spots[0] == spots[-1] and len(spots) > 3:  # noqa: PLR2004 - a triangle and its end
                draw.polygon(spots, fill=1)
            else:
                draw.line(spots, fill=1)
    return np.asarray(image)


def _boxed(boxes: Sequence[Box], frame: Frame) -> NDArray[np.bool_]:
    image = _raster(frame)
    draw = ImageDraw.Draw(image)
    for box in boxes:
        draw.rectangle([DOTS * box.west, DOTS * box.south, DOTS * box.east, DOTS * box.north], fill=1)
    return np.asarray(image)
