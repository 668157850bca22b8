"""Arrangement of panels on a page: columns, scale, and the section of the table in each panel.

Either all panels are equal, are in rows and show one section; or each is cropped to what it needs, and they are in columns. Scales are
round ratios of inches on the page to inches on the table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from plots.marks.mark import Label, outlines
from plots.marks.panels import Panel
from plots.marks.section import FILLED, ROOM, Rect, around, broadened, fitted
from tabletop.table.hexes import HexBoard
from tabletop.table.state import Board

GAP, LEAST_COLUMN = 0.16, 2.0
"""Gap between panels, and least width of a panel beside another, in inches."""

NARROW, STACKED = 4.0, 3
"""Page width in inches up to which panels are stacked, and the greatest number of stacked panels; more would not fit on paper and stand
in pairs."""

MOST_COLUMNS, WORTH, FLAT, HOLE = 4, 1.4, 2.0, 0.5
"""Greatest number of panels in a row; greatest reduction accepted to place panels side by side; ratio of width to height above which
compared panels are stacked; cost of a single hole, which can hold words, relative to other holes."""

FINEST, CLOSEST, CLEAR, PAIR, CLEAR_PAIR = 1.5, 1.0, 2.2, 2, 3.6
"""Scales, as the N of 1:N: the largest for a page as high as needed, and for one of given size; that at which everything is legible, so
that panels are not stacked to gain more; number of panels in a pair (before and after), and its own legible scale."""

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
"""Allowed scales as 1 : ratio, round so that readers can measure in print."""

LEAST_HIGH, LINES_HIGH, STRIP, HEAD, TALLER = 1.5, 0.9, 0.52, 0.25, 1.15
"""Page inches: least height of a cropped panel, of each deciding label, and of a free strip above or below for such labels; height of a
stacked panel's heading; and greatest height of other columns relative to the first."""

CUT, SPACE = 0.6, 0.06
"""Page inches by which a panel may grow above and below to show whole units, and the margin around them."""

MOST_IN_ROW, STACK, TOWER, PAIR_TOWER = 3, 1.05, 1.25, 1.6
"""Greatest number of panels in a row; greatest reduction accepted for a row instead of several columns, a single column, or a single
column of a pair, which leaves half of the page empty."""

Columns = tuple[tuple[int, ...], ...]
"""Indices of panels from top to bottom, by column."""


@dataclass(frozen=True)
class Arrangement:
    """Equal panels in rows of `columns`, all showing `section` of the table at the scale 1 : `ratio`."""

    columns: int
    ratio: float
    section: Rect

    @property
    def scale(self) -> float:
        """Inches on the page per inch on the table."""
        return 1.0 / self.ratio

    @property
    def width(self) -> float:
        """Width of a panel on the page, in inches."""
        return self.section.width * self.scale

    @property
    def height(self) -> float:
        """Height of a panel on the page, in inches."""
        return self.section.height * self.scale


def arrange(  # noqa: PLR0913 - a word each
    count: int,
    section: Rect,
    *,
    board: Board,
    width: float,
    height: float,
    zoom: float = 1.0,
    finest: float = FINEST,
    is_abreast: bool = False,
    action: Rect | None = None,
) -> Arrangement:
    """Return the arrangement of `count` equal panels that makes the scale large and leaves few holes in a width and height in inches.

    More columns, up to `MOST_COLUMNS`, are used while that costs little scale. The section is widened to fill its column while the `action`
    stays large. The scale is round after enlarging by `zoom`, and at most 1 : `finest`. With `is_abreast`, panels to be compared stand in
    one row as far as the page's width allows, unless they are far wider than high.
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


def at_ratio(count: int, section: Rect, *, ratio: float, width: float) -> Arrangement:
    """Return the arrangement of `count` equal panels at the scale 1 : `ratio`, with as many in a row as fit into a width in inches."""
    wide = section.width / ratio
    return Arrangement(max(1, min(count, int((width + GAP + 1e-9) / (wide + GAP)))), ratio, section)


def _most_columns(width: float) -> int:
    return max(1, min(MOST_COLUMNS, int((width + GAP) / (LEAST_COLUMN + GAP))))


def _holes(left: int) -> float:
    return HOLE if left == 1 else float(left)


def _scale(columns: int, count: int, section: Rect, *, width: float, height: float) -> float:
    rows = -(-count // columns)
    high = max((height - (rows - 1) * GAP) / rows, 1.5)
    return min(_column(columns, width) / section.width, high / section.height)


def _column(columns: int, width: float) -> float:
    return (width - (columns - 1) * GAP) / columns


def round_ratio(least: float) -> float:
    """Return the smallest ratio of `RATIOS` that is at least `least`; `least` itself beyond the greatest."""
    return next((float(ratio) for ratio in RATIOS if ratio >= least - 1e-9), least)


def widened(section: Rect, room: float, board: Board, action: Rect | None) -> Rect:
    """Return the section widened on both sides to `room` inches on the table, as far as board and size of the action allow."""
    if action is not None and action.within(section).height < FILLED * section.height:
        room = min(room, action.within(section).width / FILLED)
    return broadened(section, board, room)


# Cropped panels, which show no more than they need.


@dataclass(frozen=True)
class GridLayout:
    """Panels in columns, by index from the top; each shows its own section of the table at the scale 1 : `ratio`."""

    ratio: float
    columns: Columns
    sections: tuple[Rect, ...]

    @property
    def scale(self) -> float:
        """Inches on the page per inch on the table."""
        return 1.0 / self.ratio

    @property
    def width(self) -> float:
        """Width on the page of all panels with their gaps, in inches."""
        wide = (max(self.sections[number].width for number in column) for column in self.columns)
        return sum(wide) * self.scale + (len(self.columns) - 1) * GAP

    @property
    def height(self) -> float:
        """Height on the page of the highest column, without headings and texts, in inches."""
        return max(sum(self.sections[number].height for number in column) for column in self.columns) * self.scale

    @property
    def lowest(self) -> float:
        """Height on the page of the lowest panel, in inches."""
        return min(section.height for section in self.sections) * self.scale


def grid(count: int, arrangement: Arrangement) -> GridLayout:
    """Return the layout in columns of an arrangement of `count` equal panels."""
    columns = tuple(tuple(range(start, count, arrangement.columns)) for start in range(min(count, arrangement.columns)))
    return GridLayout(arrangement.ratio, columns, (arrangement.section,) * count)


@dataclass(frozen=True)
class Room:
    """Space for panels in inches on the page, the zoom, and whether the page may be as high as it needs to be (`is_open`)."""

    width: float
    height: float
    zoom: float
    is_open: bool

    @property
    def ratios(self) -> Iterator[float]:
        """Ratios N of the scales 1:N that panels may have, the largest scale first."""
        return (self.zoom * ratio for ratio in RATIOS if ratio >= (FINEST if self.is_open else CLOSEST))


def cropped(panels: Sequence[Panel], board: Board, room: Room, *, is_narrow: bool, beside: float) -> GridLayout | None:
    """Return the layout of cropped panels with the largest scale; None if all panels need the same section, or none fits.

    Candidates are a row, a stack beside the first panel, rows of two, and a single stack, if that leaves a width of `beside` inches for
    text or the page is narrow. Two panels of equal content are compared, so they are aligned.
    """
    if all(panel.own is None for panel in panels):
        return None
    panels = [replace(panel, own=panel.moved or panel.own) for panel in panels] if is_narrow else panels
    every = tuple(range(len(panels)))
    tower = replace(room, width=room.width - (0.0 if is_narrow else beside))
    shapes: list[tuple[Columns, Room, float]] = [((every,), tower, 1.0 if is_narrow else TOWER if len(every) > PAIR else PAIR_TOWER)]
    if not is_narrow:
        shapes += [(tuple((number,) for number in every), room, 1.0)] if len(every) <= MOST_IN_ROW else []
        is_pair = len(every) == MOST_IN_ROW and panels[1].own == panels[2].own
        shapes += [((every[:1], every[1:]), room, STACK)] if len(every) == MOST_IN_ROW else []
        shapes += [((every[::2], every[1::2]), room, STACK)] if len(every) >= MOST_IN_ROW and not is_pair else []
    found = [(cost * plan.ratio, plan, own) for columns, own, cost in shapes if (plan := _largest(panels, board, own, columns)) is not None]
    if not found:
        return None
    _, plan, own = min(found, key=lambda one: one[0])
    return _filled(panels, board, own, plan)


def _largest(panels: Sequence[Panel], board: Board, room: Room, columns: Columns) -> GridLayout | None:
    """Return the layout in given columns with the largest scale that fits; None if none does."""
    plans = (GridLayout(ratio, columns, tuple(_needed(panel, panels, board, ratio) for panel in panels)) for ratio in room.ratios)
    return next((plan for plan in plans if _fits(plan, room)), None)


def _fits(plan: GridLayout, room: Room) -> bool:
    highs = [sum(plan.sections[number].height for number in column) * plan.scale for column in plan.columns]
    highs = [high + (len(column) - 1) * (GAP + HEAD) for high, column in zip(highs, plan.columns, strict=True)]
    most = room.height if room.is_open and len(plan.columns[0]) == 1 else min(room.height, TALLER * highs[0])
    return plan.width <= room.width + 1e-9 and max(highs) <= most + 1e-9


def _needed(panel: Panel, panels: Sequence[Panel], board: Board, ratio: float) -> Rect:
    """Return the least section for a panel, with space for its words; equal for panels with equal content."""
    whole, own = panel.section, panel.own
    if own is None:
        return whole
    decided = max(_decided(other) for other in panels if other.own == own)
    more = max(0.0, STRIP * ratio - ROOM) if decided else 0.0
    is_above = whole.north - own.north >= more
    own = replace(own, north=own.north + more) if is_above else replace(own, south=max(own.south - more, whole.south))
    south, north = fitted(own.south, own.north, max(LEAST_HIGH, LINES_HIGH * decided) * ratio, (whole.south, whole.north))
    if isinstance(board, HexBoard):
        return replace(whole, south=south, north=north)
    west, east = fitted(own.west, own.east, LEAST_COLUMN * ratio, (whole.west, whole.east))
    bodies = [around(mark.rings[0]).grown(SPACE * ratio) for one in panels if one.own == panel.own for mark in outlines(one.marks, "unit")]
    return _with_cut(Rect(west, south, east, north), bodies, whole, CUT * ratio)


def _with_cut(section: Rect, bodies: Sequence[Rect], whole: Rect, most: float) -> Rect:
    """Return the section grown by at most `most` inches, above and below, to show bodies that its edges would cut."""
    for one in (one.within(whole) for one in bodies if one.overlaps(section)):
        north, south = max(section.north, one.north), min(section.south, one.south)
        section = replace(section, north=north if north - section.north <= most else section.north)
        section = replace(section, south=south if section.south - south <= most else section.south)
    return section


def _decided(panel: Panel) -> int:
    """Return the number of labels of a panel that say what decided."""
    return sum(isinstance(mark, Label) and mark.role.endswith("decided") for mark in panel.marks)


def _filled(panels: Sequence[Panel], board: Board, room: Room, plan: GridLayout) -> GridLayout:
    """Return the layout with columns widened, the narrowest first, until they fill the width; their panels show more at the sides."""
    wide = [max(plan.sections[number].width for number in column) for column in plan.columns]
    share = _level(wide, (room.width - (len(wide) - 1) * GAP) * plan.ratio)
    sections = list(plan.sections)
    for column in plan.columns:
        for number in column:
            section, panel = sections[number], panels[number]
            limits = (panel.section.west, panel.section.east)
            west, east = fitted(section.west, section.east, min(share, panel.section.width), limits)
            sections[number] = widened(replace(section, west=west, east=east), share, board, panel.action)
    return replace(plan, sections=tuple(sections))


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


def heightened(plan: GridLayout, panels: Sequence[Panel], room: float) -> GridLayout:
    """Return the layout with the columns beside a single panel extended to its height; `room` inches separate stacked panels."""
    sections = list(plan.sections)
    first, *others = plan.columns
    total = sections[first[0]].height * plan.scale
    for column in others if len(first) == 1 else ():
        high = (total - (len(column) - 1) * room) / len(column) * plan.ratio
        for number in column:
            whole, section = panels[number].section, sections[number]
            south, north = fitted(section.south, section.north, high, (whole.south, whole.north))
            sections[number] = replace(section, south=south, north=north)
    return replace(plan, sections=tuple(sections))


def is_narrow(width: float) -> bool:
    """Return whether panels are stacked on a page of this width in inches."""
    return width < NARROW
