"""Lines of text and boxes of a page, in inches, y downwards from the top."""

from collections.abc import Sequence
from dataclasses import dataclass

from plots.layout.sheet import MARGIN
from plots.marks import text
from plots.marks.mark import Mark, Outline
from plots.marks.theme import TEXT, Tone
from tabletop.geometry.pose import Point


@dataclass(frozen=True)
class Words:
    """One line of text of the page: its baseline's end or middle in inches from the page's upper-left corner, y downwards."""

    id: str
    text: str
    at: Point
    size: float = TEXT
    bold: bool = False
    colour: Tone = "ink"
    align: str = "left"


def paragraph(
    name: str, lines: Sequence[str], top: float, *, left: float = MARGIN, size: float = TEXT, bold: bool = False, colour: Tone = "ink"
) -> tuple[Words, ...]:
    """Set lines below each other, the first one's top at `top`."""
    first, leading = top + text.ASCENT * size * text.POINT_SIZE, text.LINE * size * text.POINT_SIZE
    places = [(left, first + number * leading) for number in range(len(lines))]
    return tuple(
        Words(f"{name}.{number}", line, at, size, bold, colour)
        for number, (line, at) in enumerate(zip(lines, places, strict=True), start=1)
    )


def rectangle(name: str, role: str, upper_left: Point, lower_right: Point) -> Mark:
    """Outline a box of the page."""
    (west, north), (east, south) = upper_left, lower_right
    return Outline(name, role, ((west, north), (east, north), (east, south), (west, south)))
