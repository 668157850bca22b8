"""A contact sheet: how some of the bundled charges end, small, a row for each system."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from plots.export.exhibits import Exhibit
from plots.layout.frame import Frame
from plots.layout.page import Page, Shown, Words, paragraph, shown_in
from plots.layout.sheet import MARGIN
from plots.marks import text
from plots.marks.mark import Label, Magnifier, identifier
from plots.marks.section import Section, fitted, whole_board
from plots.marks.shots import shots, within
from plots.marks.theme import HEADING, SMALL
from plots.render.defaults import as_shipped
from plots.render.files import save
from plots.render.paint import paint
from tabletop import asking
from tabletop.geometry.pose import Point
from tabletop.scenario.reading import read_case
from tabletop.table.state import Board

WIDTH, COLUMNS, ROWS, GAP, HIGH = 7.0, 4, 1, 0.12, 1.25
"""Inches of the page; pictures in a row, rows of a system; inches between pictures, and of a picture's height."""
PICTURE_WIDTH = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
TITLED = text.height(2, SMALL) + 0.1
"""Inches for a picture's title below it."""


@as_shipped()
def contact_sheet(path: Path, exhibits: Sequence[Exhibit], systems: dict[str, str]) -> None:
    """Draw some of the charges that succeed, evenly chosen of each system, as SVG, PDF or PNG.

    Raises
    ------
    UsageError
        If the file cannot be written.
    """
    chosen = [one for name in systems for one in _chosen([one for one in exhibits if one.system == name])]
    top, shown, words = MARGIN, list[Shown](), list[Words]()
    for name, group in groupby(chosen, key=lambda one: one.system):
        words += paragraph(f"{name}.heading", (text.clean(systems[name]),), top, size=HEADING, bold=True)
        top += text.height(1, HEADING) + 0.06
        for number, one in enumerate(every := list(group)):
            row, column = divmod(number, COLUMNS)
            corner = (MARGIN + column * (PICTURE_WIDTH + GAP), top + row * (HIGH + TITLED))
            shown.append(_picture(one, corner))
            lines = text.wrapped(one.title, PICTURE_WIDTH, SMALL, most=2)
            words += paragraph(f"{one.anchor}.title", lines, corner[1] + HIGH + 0.03, left=corner[0], size=SMALL)
        top += -(-len(every) // COLUMNS) * (HIGH + TITLED) + 0.08
    titles = "; ".join(one.title for one in chosen)
    save(paint(Page(WIDTH, top, tuple(shown), tuple(words), ())), path, title="Contact sheet", description=f"How charges end: {titles}.")


def _chosen(exhibits: Sequence[Exhibit]) -> list[Exhibit]:
    """Choose as many as there is room for, evenly among those that succeed and claim nothing."""
    whole = [one for one in exhibits if set(one.outcomes) == {"success"} and one.judged is None]
    count = min(ROWS * COLUMNS, len(whole))
    return [whole[number * len(whole) // count] for number in range(count)]


def _picture(one: Exhibit, corner: Point) -> Shown:
    """Show the end of a charge in a window of its own scale: so small that of all words only the names of units can be read."""
    case = read_case(one.name)
    shot = shots(case, asking.resolve(case))[-1]
    frame = _frame(shot.panel.section, case.state.board, corner)
    panel = within(shot, frame.section).panel
    kept = (mark for mark in panel.marks if not isinstance(mark, Label | Magnifier) or mark.role.startswith("name."))
    marks = tuple(replace(mark, id=identifier(one.anchor, mark.id)) for mark in kept)
    return shown_in(replace(panel, name=one.anchor, marks=marks), frame)


def _frame(section: Section, board: Board, corner: Point) -> Frame:
    """Widen a section to the window where there is more of the table to show, and put it in the middle of the window."""
    scale = min(PICTURE_WIDTH / section.width, HIGH / section.height)
    whole = whole_board(board).joined(section)
    west, east = fitted(section.west, section.east, PICTURE_WIDTH / scale, (whole.west, whole.east))
    south, north = fitted(section.south, section.north, HIGH / scale, (whole.south, whole.north))
    wide, high = (east - west) * scale, (north - south) * scale
    return Frame(Section(west, south, east, north), scale, corner[0] + (PICTURE_WIDTH - wide) / 2, corner[1] + (HIGH - high) / 2)
