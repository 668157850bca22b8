"""How panels share a page: columns, scale and the section that each shows."""

from dataclasses import dataclass

from plots.marks.section import FILLED, Section, broadened
from tabletop.table.state import Board

GAP, LEAST_COLUMN = 0.16, 2.0
"""Inches between panels, and the least width of a panel beside another."""
NARROW, STACKED = 4.0, 3
"""Inches up to which panels stand below each other, and how many at most: of more the page would be higher than paper, so they
stand two by two.
"""
MOST_COLUMNS, WORTH, FLAT, HOLE = 4, 1.4, 2.0, 0.5
"""Panels in a row at most, how many times smaller panels may be to stand beside each other, and how many times wider than high they are
where they are compared one below the other; and what a single hole costs, in which words stand, of what holes
do."""
FINEST, CLOSEST, CLEAR, PAIR, CLEAR_PAIR = 1.5, 1.0, 2.2, 2, 3.6
"""Ratios from which on a page may be set: one that is as high as it needs to be, and one whose size is given; and that which shows
everything, so that panels stand below each other for no larger scale; a pair, before and after, stands beside each other rather.
"""
RATIOS = (
    1,
    1.25,
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


def arrange(  # noqa: PLR0913 - a word each
    count: int,
    section: Section,
    *,
    board: Board,
    width: float,
    height: float,
    zoom: float = 1.0,
    finest: float = FINEST,
    is_abreast: bool = False,
    action: Section | None = None,
) -> Arrangement:
    """Choose the columns that give `count` equal panels a great scale in an area of the page, in rows with few holes.

    More columns, up to `MOST_COLUMNS`, are taken as long as that makes nothing much smaller. The section is widened to fill its column,
    as far as the `action` stays large. The scale is round once everything is enlarged `zoom` times, and not above 1 : `finest`.
    Panels that are to be compared stand `is_abreast`: as many in a row as a page of that width takes, unless they are far wider than high.
    """
    is_tall = width < NARROW and count > STACKED
    numbers = (2,) if is_tall else range(1, min(count, _most_columns(width)) + 1)
    numbers = (max(numbers),) if is_abreast and section.width < FLAT * section.height else numbers
    scales = {number: _scale(number, count, section, width=width, height=height) for number in numbers}
    ratios = {number: zoom * round_ratio(max(1.0 / (zoom * scale), finest)) for number, scale in scales.items()}
    clear = CLEAR if count > PAIR else CLEAR_PAIR
    costs = {number: max(ratio, clear) * (1.0 + _holes(-count % number) / count) for number, ratio in ratios.items()}
    columns = max(number for number, cost in costs.items() if cost <= WORTH * min(costs.values()))
    ratio = ratios[columns]
    return Arrangement(columns, ratio, widened(section, _column(columns, width) * ratio, board, action))


def at_ratio(count: int, section: Section, *, ratio: float, width: float) -> Arrangement:
    """Set `count` equal panels at 1 : `ratio`, as many beside each other as there is room for."""
    wide = section.width / ratio
    return Arrangement(max(1, min(count, int((width + GAP + 1e-9) / (wide + GAP)))), ratio, section)


def _most_columns(width: float) -> int:
    return max(1, min(MOST_COLUMNS, int((width + GAP) / (LEAST_COLUMN + GAP))))


def _holes(left: int) -> float:
    return HOLE if left == 1 else float(left)


def _scale(columns: int, count: int, section: Section, *, width: float, height: float) -> float:
    rows = -(-count // columns)
    high = max((height - (rows - 1) * GAP) / rows, 1.5)
    return min(_column(columns, width) / section.width, high / section.height)


def _column(columns: int, width: float) -> float:
    return (width - (columns - 1) * GAP) / columns


def round_ratio(least: float) -> float:
    """Give the least round ratio that is not below `least`."""
    return next((float(ratio) for ratio in RATIOS if ratio >= least - 1e-9), least)


def widened(section: Section, room: float, board: Board, action: Section | None) -> Section:
    """Show more of the table at both sides where the column has room, and where there is any, as far as the action stays large."""
    if action is not None and action.within(section).height < FILLED * section.height:
        room = min(room, action.within(section).width / FILLED)
    return broadened(section, board, room)
