"""How panels share a page: columns, scale and the section that each shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from plots.marks.section import Section, fitted, whole_board
from tabletop.table.state import Board

GAP, LEAST_COLUMN = 0.16, 2.0
"""Inches between panels, and the least width of a panel beside another."""
NARROW, STACKED = 4.0, 3
"""Inches up to which panels stand below each other, and how many at most: of more the page would be higher than paper, so they
stand two by two.
"""
FINEST, CLOSEST = 3.0, 1.0
"""Ratios from which on a page may be set: one that is as high as it needs to be, and one whose size is given."""
RATIOS = (
    1,
    1.5,
    2,
    2.5,
    3,
    3.5,
    4,
    4.5,
    5,
    5.5,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
    14,
    15,
    16,
    18,
    20,
    22,
    24,
    27,
    30,
    33,
    36,
    40,
    45,
    50,
    60,
    80,
    100,
    150,
    200,
)
"""Scales a page may have, as 1 : ratio; round, so that a reader can measure in the printed figure."""


@dataclass(frozen=True)
class Arrangement:
    """Panels in rows of `columns`, all showing `section` at 1 : `ratio`."""

    columns: int
    ratio: float
    section: Section

    @property
    def scale(self) -> float:
        """Page inches per table inch."""
        return 1.0 / self.ratio

    @property
    def width(self) -> float:
        """Width of a panel on the page."""
        return self.section.width * self.scale

    @property
    def height(self) -> float:
        """Height of a panel on the page."""
        return self.section.height * self.scale


def arrange(
    count: int,
    section: Section,
    *,
    board: Board,
    width: float,
    height: float,
    zoom: float = 1.0,
    finest: float = FINEST,
    is_abreast: bool = False,
) -> Arrangement:
    """Choose the columns that give `count` equal panels the greatest scale in an area of the page.

    Among equals several columns are better than one, full rows than others, and more than fewer. The section is widened to fill
    its column. The scale is round once everything is enlarged `zoom` times, and not above 1 : `finest`.
    Panels that are to be compared stand `is_abreast`: as many in a row as a page of that width takes, whatever their scale.
    """
    is_tall = width < NARROW and count > STACKED
    numbers = (2,) if is_tall else range(1, min(count, _most_columns(width)) + 1)
    numbers = (max(numbers),) if is_abreast else numbers
    scales = {number: _scale(number, count, section, width=width, height=height) for number in numbers}
    ratios = {number: zoom * round_ratio(max(1.0 / (zoom * scale), finest)) for number, scale in scales.items()}
    columns = min(numbers, key=lambda number: (ratios[number], number == 1, -count % number, -number))
    ratio = ratios[columns]
    return Arrangement(columns, ratio, _widened(section, _column(columns, width) * ratio, board))


def at_ratio(count: int, section: Section, *, ratio: float, width: float) -> Arrangement:
    """Set `count` equal panels at 1 : `ratio`, as many beside each other as there is room for."""
    wide = section.width / ratio
    return Arrangement(max(1, min(count, int((width + GAP + 1e-9) / (wide + GAP)))), ratio, section)


def _most_columns(width: float) -> int:
    return max(1, int((width + GAP) / (LEAST_COLUMN + GAP)))


def _scale(columns: int, count: int, section: Section, *, width: float, height: float) -> float:
    rows = -(-count // columns)
    high = max((height - (rows - 1) * GAP) / rows, 1.5)
    return min(_column(columns, width) / section.width, high / section.height)


def _column(columns: int, width: float) -> float:
    return (width - (columns - 1) * GAP) / columns


def round_ratio(least: float) -> float:
    """Give the least round ratio that is not below `least`."""
    return next((float(ratio) for ratio in RATIOS if ratio >= least - 1e-9), least)


def _widened(section: Section, room: float, board: Board) -> Section:
    """Show more of the table at both sides where the column has room, and where there is table to show."""
    whole = whole_board(board)
    limits = (min(whole.west, section.west), max(whole.east, section.east))
    west, east = fitted(section.west, section.east, max(room, section.width), limits)
    return Section(west, section.south, east, section.north)


def rows(columns: int, heights: Sequence[float]) -> list[float]:
    """Give the height of each row: that of its highest panel."""
    return [max(heights[start : start + columns]) for start in range(0, len(heights), columns)]
