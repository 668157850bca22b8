"""Panels on a page: each with its heading above and its text below, in the columns of a plan."""

from collections.abc import Sequence
from dataclasses import dataclass

from plots.layout.columns import GAP
from plots.layout.frame import Frame
from plots.layout.lines import Words, paragraph
from plots.layout.plan import Plan
from plots.layout.sheet import MARGIN, Sheet
from plots.layout.surround import HANGING, numbered
from plots.marks import text
from plots.marks.mark import Mark
from plots.marks.panel import Panel
from plots.marks.theme import HEADING, TEXT

LEAST_NOOK = 1.8
"""Inches: the least width of words beside panels."""


@dataclass(frozen=True)
class Cells:
    """Frames of panels with their words and the discs of their numbers, where each ends with its text, and where all of it does."""

    bottom: float
    frames: tuple[Frame, ...]
    ends: tuple[float, ...]
    words: tuple[Words, ...]
    discs: tuple[Mark, ...]


def cells(panels: Sequence[Panel], plan: Plan, top: float, sheet: Sheet, most: int) -> Cells:
    """Set panels in columns, each with its heading above and its text of at most so many lines below, behind its number if it has one.

    Headings in a row are as high as the highest of them, and so are the texts.
    """
    sections = plan.sections
    wide = [max(sections[number].width for number in column) * plan.scale for column in plan.columns]
    rooms = {number: room for column, room in zip(plan.columns, wide, strict=True) for number in column}
    heads = [text.wrapped(panel.heading, rooms[number], HEADING, bold=True, most=2) for number, panel in enumerate(panels)]
    hanging = [HANGING if panel.key else 0.0 for panel in panels]
    notes = [
        text.wrapped(panel.text, rooms[number] - hanging[number], TEXT, most=most) if most else () for number, panel in enumerate(panels)
    ]
    head_rows = _rows(plan, [text.height(len(lines), HEADING) + 0.04 if lines else 0.0 for lines in heads])
    depths = [text.height(len(lines), TEXT) + 0.05 if lines else 0.0 for lines in notes]
    note_rows = _rows(plan, depths)
    x = MARGIN if sheet.space - plan.width - GAP >= LEAST_NOOK else (sheet.width - plan.width) / 2
    placed: dict[int, tuple[Frame, float]] = {}
    words: list[Words] = []
    discs: list[Mark] = []
    bottom = top
    for column, across in zip(plan.columns, wide, strict=True):
        low = top
        for row, number in enumerate(column):
            name = panels[number].name
            words += paragraph(f"{name}.heading", heads[number], low, left=x, size=HEADING, bold=True)
            frame = Frame(sections[number], plan.scale, x, low + head_rows[row])
            edge = frame.y + frame.height
            under = edge + 0.05
            placed[number] = (frame, edge + depths[number])
            words += paragraph(f"{name}.text", notes[number], under, left=x + hanging[number])
            if panels[number].key and notes[number]:
                disc, digit = numbered(f"{name}.text", panels[number].key, at=(x, under))
                discs, words = [*discs, disc], [*words, digit]
            bottom = max(bottom, edge + note_rows[row])
            low = edge + note_rows[row] + GAP
        x += across + GAP
    frames, ends = zip(*(placed[number] for number in sorted(placed)), strict=True)
    return Cells(bottom, frames, ends, tuple(words), tuple(discs))


def _rows(plan: Plan, heights: Sequence[float]) -> list[float]:
    """Give the height of each row: that of the highest in it."""
    most = max(len(column) for column in plan.columns)
    return [max(heights[column[row]] for column in plan.columns if row < len(column)) for row in range(most)]
