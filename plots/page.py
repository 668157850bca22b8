"""The page: title, outcome, panels to one scale, ruler, key, caption and footer, each at its place in inches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plots import text
from plots.captions import Badge
from plots.frame import Frame
from plots.ink import Ink
from plots.key import key_marks, ruler_marks
from plots.labels import Placed, place
from plots.layout import GAP, Arrangement, arrange, rows
from plots.marks import Label, Line, Mark, Outline
from plots.panels import Panel
from plots.printed import Stamped, instead, kept, stamped, yielded
from plots.section import Section
from plots.theme import GREY, HEADING, INK, PAGE, SMALL, TEXT, TITLE
from tabletop.hexes import HexBoard
from tabletop.pose import Point
from tabletop.state import Board

WIDTH, MARGIN = 7.0, 0.1
"""Inches: a figure across two columns of a printed page."""
SPACE = WIDTH - 2 * MARGIN


@dataclass(frozen=True)
class Words:
    """One line of text of the page: its baseline's end or middle in inches from the page's upper-left corner, y downwards."""

    id: str
    text: str
    at: Point
    size: float = TEXT
    bold: bool = False
    colour: str = INK
    align: str = "left"


@dataclass(frozen=True)
class Shown:
    """A panel with its window and its labels where they stand."""

    panel: Panel
    frame: Frame
    labels: tuple[Placed, ...]
    printed: tuple[Stamped, ...] = ()


@dataclass(frozen=True)
class Page:
    """Everything of a figure at its place, in inches; y of words, marks and frames counts downwards from the top."""

    height: float
    shown: tuple[Shown, ...]
    words: tuple[Words, ...]
    marks: tuple[Mark, ...]
    scale: float


@dataclass(frozen=True)
class Picture:
    """What a page is made of; `meanings` are the words of roles that mean something else in each figure."""

    board: Board
    title: str
    badges: tuple[Badge, ...]
    panels: tuple[Panel, ...]
    caption: tuple[str, ...]
    footer: str
    most_height: float = 5.6
    meanings: Mapping[str, str] = field(default_factory=dict)


def lay_out(picture: Picture) -> Page:
    """Put a picture on a page; the page is as high as it needs to be."""
    arrangement = arrange(len(picture.panels), picture.panels[0].section, board=picture.board, width=SPACE, height=picture.most_height)
    top, head, head_marks = _head(picture)
    bottom, shown, panel_words = _panels(picture.panels, arrangement, top)
    low, ruler, ruler_words = _ruler_and_key(shown, bottom + 0.1, picture.meanings)
    end, foot, foot_marks = _foot(picture, arrangement.ratio, low + 0.06)
    return Page(end, shown, (*head, *panel_words, *ruler_words, *foot), (*head_marks, *ruler, *foot_marks), arrangement.scale)


def paragraph(
    name: str, lines: Sequence[str], top: float, *, left: float = MARGIN, size: float = TEXT, bold: bool = False, colour: str = INK
) -> tuple[Words, ...]:
    """Set lines below each other, the first one's top at `top`."""
    first, leading = top + text.ASCENT * size * text.POINT, text.LINE * size * text.POINT
    places = [(left, first + number * leading) for number in range(len(lines))]
    return tuple(
        Words(f"{name}.{number}", line, at, size, bold, colour)
        for number, (line, at) in enumerate(zip(lines, places, strict=True), start=1)
    )


def _head(picture: Picture) -> tuple[float, tuple[Words, ...], tuple[Mark, ...]]:
    lines = text.wrapped(picture.title, SPACE, TITLE, bold=True, most=3)
    words = [*paragraph("title", lines, MARGIN, size=TITLE, bold=True)]
    marks: list[Mark] = []
    top = MARGIN + text.height(len(lines), TITLE) + 0.05
    for badge in picture.badges:
        top, badge_words, pill = _badge(badge, top)
        words += badge_words
        marks.append(pill)
    return top + 0.02, tuple(words), tuple(marks)


def _badge(badge: Badge, top: float) -> tuple[float, tuple[Words, ...], Mark]:
    """Set the outcome in a filled box and what it is about behind it, or below it where the line is full."""
    pad, high = 0.06, text.height(1, TEXT) + 0.06
    verdict = text.wrapped(badge.words, SPACE - 2 * pad, TEXT, bold=True, most=1)[0]
    wide = text.width(verdict, TEXT, bold=True) + 2 * pad
    box = rectangle(f"{badge.id}.box", f"badge.{badge.outcome}", (MARGIN, top), (MARGIN + wide, top + high))
    words = paragraph(badge.id, (verdict,), top + 0.03, left=MARGIN + pad, bold=True, colour=PAGE)
    about = text.clean(badge.about)
    if text.width(about, TEXT) <= SPACE - wide - pad:
        beside = paragraph(f"{badge.id}.about", (about,), top + 0.03, left=MARGIN + wide + pad)
        return top + high + 0.05, (*words, *beside), box
    lines = text.wrapped(about, SPACE, TEXT, most=3)
    below = top + high + 0.04
    return below + text.height(len(lines), TEXT) + 0.05, (*words, *paragraph(f"{badge.id}.about", lines, below)), box


def rectangle(name: str, role: str, upper_left: Point, lower_right: Point) -> Mark:
    """Outline a box of the page."""
    (west, north), (east, south) = upper_left, lower_right
    return Outline(name, role, ((west, north), (east, north), (east, south), (west, south)))


def _panels(panels: Sequence[Panel], arrangement: Arrangement, top: float) -> tuple[float, tuple[Shown, ...], tuple[Words, ...]]:
    """Set the panels in rows, each with its heading above and its text below."""
    heads = [text.wrapped(panel.heading, arrangement.width, HEADING, bold=True, most=2) for panel in panels]
    notes = [text.wrapped(panel.text, arrangement.width, TEXT, most=9) for panel in panels]
    head_rows = rows(arrangement.columns, [text.height(len(lines), HEADING) + 0.04 if lines else 0.0 for lines in heads])
    note_rows = rows(arrangement.columns, [text.height(len(lines), TEXT) + 0.05 if lines else 0.0 for lines in notes])
    heights = [head + arrangement.height + note + GAP for head, note in zip(head_rows, note_rows, strict=True)]
    left = (WIDTH - arrangement.columns * arrangement.width - (arrangement.columns - 1) * GAP) / 2
    shown: list[Shown] = []
    words: list[Words] = []
    for number, panel in enumerate(panels):
        row, column = divmod(number, arrangement.columns)
        start, x = top + sum(heights[:row]), left + column * (arrangement.width + GAP)
        y = start + head_rows[row]
        shown.append(shown_in(panel, Frame(arrangement.section, arrangement.scale, x, y)))
        words += paragraph(f"{panel.name}.heading", heads[number], start, left=x, size=HEADING, bold=True)
        words += paragraph(f"{panel.name}.text", notes[number], y + arrangement.height + 0.05, left=x)
    return top + sum(heights) - GAP, tuple(shown), tuple(words)


def shown_in(panel: Panel, frame: Frame) -> Shown:
    """Place the labels of a panel in its window."""
    printed = stamped(panel.marks, frame)
    labels = [mark for mark in (*panel.marks, *instead(panel.marks, printed)) if isinstance(mark, Label) and _is_seen(mark, frame)]
    ink = Ink((mark for mark in panel.marks if not isinstance(mark, Label)), frame, boxes=kept(printed, is_yielding=True))
    placed = place(labels, frame, ink, kept=kept(printed))
    return Shown(panel, frame, placed, yielded(printed, placed))


def _is_seen(label: Label, frame: Frame) -> bool:
    """Tell whether something of what a label names is on the panel."""
    seen = frame.section
    xs, ys = zip(*(label.home or label.spots), strict=True)
    return Section(min(xs), min(ys), max(xs), max(ys)).overlaps(seen.grown(1e-9))


def _ruler_and_key(shown: Sequence[Shown], top: float, meanings: Mapping[str, str]) -> tuple[float, tuple[Mark, ...], tuple[Words, ...]]:
    frame = shown[0].frame
    ruler, ruler_labels, wide = ruler_marks(frame, (frame.x, top))
    marks = [mark for one in shown for mark in one.panel.marks]
    key, key_labels, low = key_marks(marks, (frame.x + wide + 0.3, top), WIDTH - MARGIN, meanings)
    words = [Words(name, line, at, SMALL, colour=GREY, align=align) for name, line, at, align in (*ruler_labels, *key_labels)]
    return max(low, top + 0.26), (*ruler, *key), tuple(words)


def _foot(picture: Picture, ratio: float, top: float) -> tuple[float, tuple[Words, ...], tuple[Mark, ...]]:
    words: list[Words] = []
    for number, line in enumerate(picture.caption):
        lines = text.wrapped(line, SPACE, TEXT)
        words += paragraph(f"caption.{number + 1}", lines, top)
        top += text.height(len(lines), TEXT) + 0.05
    rule = Line("footer.rule", "rule", ((MARGIN, top + 0.02), (WIDTH - MARGIN, top + 0.02)))
    hexes = f", hexes {picture.board.hex_inches:g} in across" if isinstance(picture.board, HexBoard) else ""
    scale = f"Scale 1 : {ratio:g}{hexes}"
    left = text.wrapped(picture.footer, SPACE - text.width(scale, SMALL) - 0.2, SMALL, most=1)
    base = top + 0.05 + text.ASCENT * SMALL * text.POINT
    words += [*(Words("footer.game", line, (MARGIN, base), SMALL, colour=GREY) for line in left)]
    words.append(Words("footer.scale", scale, (WIDTH - MARGIN, base), SMALL, colour=GREY, align="right"))
    return base + text.DESCENT * SMALL * text.POINT + 0.06, tuple(words), (rule,)
