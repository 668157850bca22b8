"""The arrangement of panels on a page: columns, scale, and the section of the table that each panel shows.

Panels are equal and stand in rows, all of one section; or, where some need less of it, each is cropped to what it needs and they
stand in columns of their own. Scales are round ratios, page inches per table inch.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from plots.marks.mark import Label, outlines
from plots.marks.panels import Panel
from plots.marks.section import FILLED, ROOM, Rect, around, broadened, fitted
from tabletop.table.hexes import HexBoard
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

LEAST_HIGH, LINES_HIGH, STRIP, HEAD, TALLER = 1.5, 0.9, 0.52, 0.25, 1.15
"""Inches of the page: the least height of what is cropped, that for each of the words that say what decided, and that of a free strip
above or below for them; the heading of a panel below another; and how many times higher than the first column others may be."""

CUT, SPACE = 0.6, 0.06
"""Inches of the page up to which more is shown above and below so that a unit is whole, and what is left about it."""

MOST_IN_ROW, STACK, TOWER, PAIR_TOWER = 3, 1.05, 1.25, 1.6
"""Panels in a row at most, and how many times smaller a row may be than columns of several, a single one, or a single one of a pair, which
leaves half of the page empty, to be taken in their stead."""

Columns = tuple[tuple[int, ...], ...]
"""The numbers of panels from the top, column by column."""


@dataclass(frozen=True)
class Arrangement:
    """Panels in rows of `columns`, all showing `section` at 1 : `ratio`."""

    columns: int
    ratio: float
    section: Rect

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


def at_ratio(count: int, section: Rect, *, ratio: float, width: float) -> Arrangement:
    """Set `count` equal panels at 1 : `ratio`, as many beside each other as there is room for."""
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
    """Return the least round ratio that is not below `least`."""
    return next((float(ratio) for ratio in RATIOS if ratio >= least - 1e-9), least)


def widened(section: Rect, room: float, board: Board, action: Rect | None) -> Rect:
    """Extend the section on both sides while the column and the table have room and the action stays large."""
    if action is not None and action.within(section).height < FILLED * section.height:
        room = min(room, action.within(section).width / FILLED)
    return broadened(section, board, room)


# Panels that show no more than they need.


@dataclass(frozen=True)
class GridLayout:
    """Panels in columns, by number from the top: at 1 : `ratio` each shows its section."""

    ratio: float
    columns: Columns
    sections: tuple[Rect, ...]

    @property
    def scale(self) -> float:
        """Page inches per table inch."""
        return 1.0 / self.ratio

    @property
    def width(self) -> float:
        """The width on the page of all panels with the gaps between them."""
        wide = (max(self.sections[number].width for number in column) for column in self.columns)
        return sum(wide) * self.scale + (len(self.columns) - 1) * GAP

    @property
    def height(self) -> float:
        """The height on the page of the highest column, without words."""
        return max(sum(self.sections[number].height for number in column) for column in self.columns) * self.scale

    @property
    def lowest(self) -> float:
        """The height on the page of the lowest panel."""
        return min(section.height for section in self.sections) * self.scale


def grid(count: int, arrangement: Arrangement) -> GridLayout:
    """Return the plan of equal panels in rows."""
    columns = tuple(tuple(range(start, count, arrangement.columns)) for start in range(min(count, arrangement.columns)))
    return GridLayout(arrangement.ratio, columns, (arrangement.section,) * count)


@dataclass(frozen=True)
class Room:
    """What there is for panels: inches of the page, how much all of it is enlarged, and whether the page is as high as it needs to be."""

    width: float
    height: float
    zoom: float
    is_open: bool

    @property
    def ratios(self) -> Iterator[float]:
        """The ratios that panels may have, the largest scale first."""
        return (self.zoom * ratio for ratio in RATIOS if ratio >= (FINEST if self.is_open else CLOSEST))


def cropped(panels: Sequence[Panel], board: Board, room: Room, *, is_narrow: bool, beside: float) -> GridLayout | None:
    """Return the plan with the largest scale in which panels show no more than they need; None if all need the same.

    They stand in a row, in a stack beside the first, in rows of two, or all below each other: if these leave `beside` for words, or the
    page is narrow. Two that show the same are to be compared, and so never stand aslant.
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
    """Return the plan of these columns with the largest scale that there is room for."""
    plans = (GridLayout(ratio, columns, tuple(_needed(panel, panels, board, ratio) for panel in panels)) for ratio in room.ratios)
    return next((plan for plan in plans if _fits(plan, room)), None)


def _fits(plan: GridLayout, room: Room) -> bool:
    highs = [sum(plan.sections[number].height for number in column) * plan.scale for column in plan.columns]
    highs = [high + (len(column) - 1) * (GAP + HEAD) for high, column in zip(highs, plan.columns, strict=True)]
    most = room.height if room.is_open and len(plan.columns[0]) == 1 else min(room.height, TALLER * highs[0])
    return plan.width <= room.width + 1e-9 and max(highs) <= most + 1e-9


def _needed(panel: Panel, panels: Sequence[Panel], board: Board, ratio: float) -> Rect:
    """Return what a panel shows at least, with room for words, also for those of panels that show the same."""
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
    """Take in what the upper or lower edge cuts of bodies, up to so many inches, where there is as much to show."""
    for one in (one.within(whole) for one in bodies if one.overlaps(section)):
        north, south = max(section.north, one.north), min(section.south, one.south)
        section = replace(section, north=north if north - section.north <= most else section.north)
        section = replace(section, south=south if section.south - south <= most else section.south)
    return section


def _decided(panel: Panel) -> int:
    """Count the words of a panel that say what decided."""
    return sum(isinstance(mark, Label) and mark.role.endswith("decided") for mark in panel.marks)


def _filled(panels: Sequence[Panel], board: Board, room: Room, plan: GridLayout) -> GridLayout:
    """Widen columns, the narrowest first, until the room is full, and show more at their sides."""
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
    """Return the width to which the narrower ones are widened so that all take the total.

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
    """Extend columns beside a single panel above and below until all are equally high; `room` separates stacked panels."""
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
    """Return whether panels of a page of this width stand below each other."""
    return width < NARROW
