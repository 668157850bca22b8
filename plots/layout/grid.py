"""Arrangement of panels on a page: rows of one to four panels, all at one scale, each with its own section of the
table.

Scales are round ratios of inches on the page to inches on the table.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from plots.marks.mark import Label, outlines
from plots.marks.panels import Panel
from plots.marks.section import FILLED, ROOM, Rect, around, broadened, fitted
from tabletop.table.hexes import HexBoard
from tabletop.table.state import Board

GAP, LEAST_COLUMN, MOST_COLUMNS = 0.16, 2.0, 4
"""Gap between panels and least width of a panel beside another, in inches; greatest number of panels in a row."""

NARROW, STACKED = 4.0, 3
"""Page width in inches up to which panels are stacked, and the greatest number of stacked panels; more would not fit on
paper and stand in pairs."""

WORTH, MORE, HOLE, PAIR = 1.4, 1.05, 0.5, 2
"""Greatest reduction accepted to place two panels in a row, and more than two; cost of a single empty place, which can
hold words, relative to others; number of panels in a pair (before and after)."""

FINEST, CLOSEST, CLEAR, CLEAR_PAIR = 1.5, 1.0, 2.2, 3.6
"""Scales, as the N of 1:N: the largest for a page as high as needed, and for one of given size; that at which
everything is legible, so that panels are not stacked to gain more; and the same for a pair."""

RATIOS = (
    *(1, 1.25, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9, 10, 11, 12, 14, 15),
    *(16, 18, 20, 22, 24, 27, 30, 33, 36, 40, 45, 50, 60, 80, 100, 150, 200),
)
"""Allowed scales as 1 : ratio, round so that readers can measure in print."""

LEAST_HIGH, LEAST_LOW, LINES_HIGH, STRIP, HEAD = 1.5, 1.0, 0.9, 0.52, 0.25
"""Page inches: height that a panel may always have, least height of one beside others, of each deciding label, and of a
free strip above or below for such labels; height of a heading."""

CUT, SPACE = 0.6, 0.06
"""Page inches by which a panel may grow above and below to show whole units, and the margin around them."""


@dataclass(frozen=True)
class GridLayout:
    """Panels in rows of `columns`, or the first beside a stack of the others; each shows its own section at the scale 1
    : `ratio`.
    """

    ratio: float
    columns: int
    sections: tuple[Rect, ...]
    is_stack: bool = False

    @property
    def scale(self) -> float:
        """Inches on the page per inch on the table."""
        return 1.0 / self.ratio

    @property
    def rows(self) -> tuple[range, ...]:
        """Indices of the panels of each row, from the top; of a stack, the first panel stands in the first row."""
        count = len(self.sections)
        if self.is_stack:
            return (range(2), *(range(place, place + 1) for place in range(2, count)))
        return tuple(
            range(start, min(start + self.columns, count))
            for start in range(0, count, self.columns)
        )

    @property
    def width(self) -> float:
        """Width on the page of the widest row with its gaps, in inches."""
        if self.is_stack:
            return (
                self.sections[0].width + max(section.width for section in self.sections[1:])
            ) * self.scale + GAP
        return max(
            sum(self.sections[place].width for place in row) * self.scale + (len(row) - 1) * GAP
            for row in self.rows
        )

    @property
    def height(self) -> float:
        """Height on the page of all rows with headings and gaps between them, in inches."""
        if self.is_stack:
            others = [section.height * self.scale for section in self.sections[1:]]
            return max(
                self.sections[0].height * self.scale, sum(others) + (len(others) - 1) * (GAP + HEAD)
            )
        high = sum(max(self.sections[place].height for place in row) for row in self.rows)
        return high * self.scale + (len(self.rows) - 1) * (GAP + HEAD)

    def lowest(self, panels: Sequence[Panel]) -> float:
        """Return the height on the page of the lowest panel that shows the table from above, in inches."""
        high = [
            section.height
            for panel, section in zip(panels, self.sections, strict=True)
            if panel.is_table
        ]
        return min(high, default=math.inf) * self.scale


@dataclass(frozen=True)
class Room:
    """Space for panels: width and height in inches on the page, the zoom, and whether the page is as high as it needs
    to be (`is_open`).
    """

    width: float
    height: float
    zoom: float = 1.0
    is_open: bool = True

    @property
    def ratios(self) -> Iterator[float]:
        """Ratios N of the scales 1:N that panels may have, the largest scale first; without end beyond the round
        ones.
        """
        last = float(RATIOS[-1])
        yield from (
            self.zoom * ratio for ratio in RATIOS if ratio >= (FINEST if self.is_open else CLOSEST)
        )
        while True:
            last *= WORTH
            yield self.zoom * last


def arrange(
    panels: Sequence[Panel], board: Board, room: Room, *, is_level: bool = True
) -> GridLayout:
    """Return the arrangement of panels that makes the scale large and leaves few places empty.

    More panels stand in a row while that costs little scale. The panels of a row fill the width by showing more of the
    table and, if the layout `is_level`, are as high as the highest of them.
    """
    count = len(panels)
    most = max(1, min(MOST_COLUMNS, count, int((room.width + GAP) / (LEAST_COLUMN + GAP))))
    numbers = range(1, most + 1) if room.width >= NARROW else (1,) if count <= STACKED else (2,)
    plans = [_largest(panels, board, room, columns) for columns in numbers]
    if (
        count == STACKED
        and most >= PAIR
        and room.width >= NARROW
        and any(panel.own is not None for panel in panels)
    ):
        stack = _largest(panels, board, room, PAIR, is_stack=True)
        plans[PAIR - 1] = min(stack, plans[PAIR - 1], key=lambda plan: plan.ratio)
    plans = [plan for plan in plans if plan.lowest(panels) >= LEAST_LOW] or plans
    clear = CLEAR if count > PAIR else CLEAR_PAIR
    costs = [
        max(plan.ratio, clear)
        * (1.0 + _empty(0 if plan.is_stack else -count % plan.columns) / count)
        for plan in plans
    ]
    least = min(costs)
    found = list(zip(plans, costs, strict=True))
    worth = [
        plan
        for plan, cost in found
        if cost <= (WORTH if plan.columns <= PAIR or count > STACKED else MORE) * least
    ]
    return _filled(max(worth, key=lambda one: one.columns), panels, board, room, is_level=is_level)


def at_ratio(panels: Sequence[Panel], ratio: float, width: float) -> GridLayout:
    """Return the arrangement of panels with all their sections at the scale 1 : `ratio`, as many in a row as fit into a
    width in inches.
    """
    wide = max(panel.section.width for panel in panels) / ratio
    columns = max(1, min(len(panels), int((width + GAP + 1e-9) / (wide + GAP))))
    return GridLayout(ratio, columns, tuple(panel.section for panel in panels))


def _empty(left: int) -> float:
    return HOLE if left == 1 else float(left)


def _largest(
    panels: Sequence[Panel], board: Board, room: Room, columns: int, *, is_stack: bool = False
) -> GridLayout:
    """Return the layout in rows of `columns` with the largest scale that fits; panels are at least `LEAST_HIGH` inches
    high.
    """
    rows = -(-len(panels) // columns)
    high = max(room.height, rows * LEAST_HIGH + (rows - 1) * (GAP + HEAD))
    made = (
        (ratio, tuple(_needed(panel, panels, board, ratio) for panel in panels))
        for ratio in room.ratios
    )
    plans = (GridLayout(ratio, columns, sections, is_stack) for ratio, sections in made)
    return next(
        plan for plan in plans if plan.width <= room.width + 1e-9 and plan.height <= high + 1e-9
    )


def _needed(panel: Panel, panels: Sequence[Panel], board: Board, ratio: float) -> Rect:
    """Return the least section for a panel, with space for its words; equal for panels with equal content."""
    whole = panel.section
    own = panel.own
    if own is None:
        return whole
    decided = max(_decided(other) for other in panels if other.own == own)
    more = max(0.0, STRIP * ratio - ROOM) if decided else 0.0
    is_above = whole.north - own.north >= more
    own = replace(own, north=own.north + more) if is_above else own
    own = (
        own
        if is_above and decided < PAIR
        else replace(own, south=max(own.south - more, whole.south))
    )
    south, north = fitted(
        own.south,
        own.north,
        max(LEAST_HIGH, LINES_HIGH * decided) * ratio,
        (whole.south, whole.north),
    )
    if isinstance(board, HexBoard):
        return replace(whole, south=south, north=north)
    west, east = fitted(own.west, own.east, LEAST_COLUMN * ratio, (whole.west, whole.east))
    bodies = [
        around(mark.rings[0]).grown(SPACE * ratio)
        for one in panels
        if one.own == panel.own
        for mark in outlines(one.marks, "unit")
    ]
    return _with_cut(Rect(west, south, east, north), bodies, whole, CUT * ratio)


def _with_cut(section: Rect, bodies: Sequence[Rect], whole: Rect, most: float) -> Rect:
    """Return the section grown by at most `most` inches, above and below, to show bodies that its edges would cut."""
    for one in (one.within(whole) for one in bodies if one.overlaps(section)):
        north = max(section.north, one.north)
        south = min(section.south, one.south)
        section = replace(section, north=north if north - section.north <= most else section.north)
        section = replace(section, south=south if section.south - south <= most else section.south)
    return section


def _decided(panel: Panel) -> int:
    """Return the number of labels of a panel that say what decided."""
    return sum(isinstance(mark, Label) and mark.role.endswith("decided") for mark in panel.marks)


def _filled(
    plan: GridLayout, panels: Sequence[Panel], board: Board, room: Room, *, is_level: bool
) -> GridLayout:
    """Return the layout with the panels of each row widened until they fill the width, the narrowest first, and perhaps
    equally high.

    A row with fewer panels than others keeps the rest of the width free.
    """
    sections = list(plan.sections)
    columns = [[0], list(range(1, len(sections)))] if plan.is_stack else []
    if plan.is_stack and is_level:
        sections[0] = _taller(panels[0], sections[0], plan.height * plan.ratio)
    for row in plan.rows if is_level and not plan.is_stack else ():
        for place in row:
            sections[place] = _taller(
                panels[place], sections[place], max(plan.sections[other].height for other in row)
            )
    for group in [columns] if plan.is_stack else [[[place] for place in row] for row in plan.rows]:
        wide = [max(sections[place].width for place in column) for column in group]
        each = (room.width - (plan.columns - 1) * GAP) / plan.columns * plan.ratio
        share = each if min(wide) == max(wide) else _level(wide, len(group) * each)
        for place in (place for column in group for place in column):
            section = sections[place]
            panel = panels[place]
            west, east = fitted(
                section.west,
                section.east,
                min(share, panel.section.width),
                (panel.section.west, panel.section.east),
            )
            section = replace(section, west=west, east=east)
            sections[place] = (
                widened(section, share, board, panel.action) if panel.is_table else section
            )
    return replace(
        plan, sections=tuple(map(partial(_alike, panels, sections), range(len(sections))))
    )


def _alike(panels: Sequence[Panel], sections: Sequence[Rect], place: int) -> Rect:
    """Return a panel's section reduced to what all panels with the same content show, so that they can be compared."""
    own = panels[place].own
    section = sections[place]
    alike = [
        one
        for panel, one in zip(panels, sections, strict=True)
        if panel.own == own and panel.is_table
    ]
    if (
        len(alike) == 1
        or not panels[place].is_table
        or (own is None and any(panel.own is not None for panel in panels))
    ):
        return section
    own = Rect(*section.middle, *section.middle) if own is None else own
    wide = min(one.width for one in alike)
    high = min(one.height for one in alike)
    west, east = fitted(
        max(own.west, section.west), min(own.east, section.east), wide, (section.west, section.east)
    )
    south, north = fitted(
        max(own.south, section.south),
        min(own.north, section.north),
        high,
        (section.south, section.north),
    )
    return Rect(west, south, east, north)


def _taller(panel: Panel, section: Rect, high: float) -> Rect:
    """Return a panel's section stretched to `high` inches, as far as all of the panel reaches."""
    limits = (min(panel.section.south, section.south), max(panel.section.north, section.north))
    south, north = fitted(section.south, section.north, high, limits)
    return replace(section, south=south, north=north)


def widened(section: Rect, room: float, board: Board, action: Rect | None) -> Rect:
    """Return the section widened on both sides to `room` inches on the table, as far as board and size of the action
    allow.
    """
    if action is not None and action.within(section).height < FILLED * section.height:
        room = min(room, action.within(section).width / FILLED)
    return broadened(section, board, room)


def _level(widths: Sequence[float], total: float) -> float:
    """Return the common width to which narrower columns are raised so that all sum to the total.

    Examples
    --------
    >>> _level([5.0, 2.0, 1.0], 10.0), _level([5.0, 2.0], 12.0)
    (2.5, 6.0)
    """
    ordered = sorted(widths)
    for count in range(len(ordered), 0, -1):
        level = (total - sum(ordered[count:])) / count
        if level >= ordered[count - 1]:
            return level
    return ordered[0]
