"""Layout of a page: title, outcomes, panels at one scale, ruler, key, caption and footer.

`lay_out` places a `FigureContent` on a `Page`. Lengths are in inches on the page, y downwards from the top.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plots.layout import text
from plots.layout.blocks import Block, TextLine, circle, dice_row, dice_width, paragraph, rectangle, stack, sum_block, text_lines, together
from plots.layout.frame import Frame
from plots.layout.grid import (
    CLOSEST,
    FINEST,
    GAP,
    HEAD,
    NARROW,
    STACKED,
    WORTH,
    Arrangement,
    GridLayout,
    Room,
    arrange,
    at_ratio,
    cropped,
    grid,
    heightened,
    is_narrow,
)
from plots.layout.key import key_of, paper_ruler, ruler_of
from plots.layout.labels import KEY_RADIUS, Ink, Lens, PlacedLabel, Stamped, fallback, kept, lenses, place, stamped, without_covered
from plots.layout.setting import DEFAULT, MARGIN, MOST_SIDE, Setting, Sheet, Size, sheets
from plots.marks.captions import Badge
from plots.marks.mark import DrawnMark, Label, Lines, Printed, Rings, outlines
from plots.marks.panels import Panel, seen_in
from plots.marks.section import Rect, around, is_shown
from plots.marks.theme import HEADING, KICKER, SCREEN, SMALL, TEXT, TITLE, Theme
from tabletop.errors import UsageError
from tabletop.geometry.pose import Point
from tabletop.messages import say
from tabletop.ruling.contrast import Term
from tabletop.table.hexes import HexBoard
from tabletop.table.state import Board

KEY_BELOW, MOST_LINES, MOST_LETTERS, SMALL_PRINT, HANGING = 5.0, 60, 20_000, 3, 0.22
"""Width in inches of a page or first column up to which the key stands below the ruler; lines per caption paragraph; letters considered of
one (the description has the full text); lines of small print; indent in inches of numbered sentences."""

LEAST_NOOK = 1.8
"""Least width of text beside panels, in inches."""

LEAST_PANEL, LEAST_ENLARGED, LEAST_SHARE, ROUNDS = 1.0, 0.8, 0.5, 8
"""Least height of a panel in inches, and before zoom; least share of an enlarged page that panels take; greatest number of attempts at
reducing panels to fit a page."""

LARGE, WIDE = 0.8, 0.9
"""Share of the greatest zoom that is kept before the caption is cut, and share of the page's width that panels fill."""

NOOK, BESIDE, ROOMY = 2.2, 5.0, 0.4
"""Inches: width left beside panels for text, and on a page with a single panel; share of a page's width from which on text beside panels
may end below them."""

LOWER = 0.5
"""Inches by which text beside the key may extend below it, and by which other columns must pass the first to leave room for text."""

DICE_BELOW = 0.05
"""Inches from the line above the title to the dice beside the title."""

HIGHER = 1.3
"""Greatest height of panels with an inset, or of three in a narrow column, relative to others."""


@dataclass(frozen=True)
class FigureContent:
    """Content of a figure: panels and texts; `meanings` are key texts of roles whose meaning differs between figures.

    The `kicker` above the title names the passage of the rules. The `inset` is a panel with its own section, placed below or beside the
    others at their scale. Panels that are `is_abreast` are compared and placed side by side. `callouts` maps the numbers in the panels to
    sentences. `sums` are numbers as a rule works them out, each as its sentence and its terms.
    """

    board: Board
    title: str
    badges: tuple[Badge, ...]
    panels: tuple[Panel, ...]
    caption: tuple[str, ...]
    footer: str
    kicker: str = ""
    small_print: str = ""
    most_height: float = 5.6
    meanings: Mapping[str, str] = field(default_factory=dict)
    setting: Setting = DEFAULT
    inset: Panel | None = None
    is_abreast: bool = False
    callouts: Mapping[int, str] = field(default_factory=dict)
    sums: tuple[tuple[str, tuple[Term, ...]], ...] = ()

    @property
    def everything(self) -> tuple[Panel, ...]:
        """All panels, the inset last."""
        return self.panels if self.inset is None else (*self.panels, self.inset)


@dataclass(frozen=True)
class PlacedPanel:
    """A panel with its frame on the page, placed labels, printed texts and magnifiers."""

    panel: Panel
    frame: Frame
    labels: tuple[PlacedLabel, ...]
    printed: tuple[Stamped, ...] = ()
    lenses: tuple[Lens, ...] = ()


@dataclass(frozen=True)
class Page:
    """Finished page: everything with its position in inches, y downwards from the top.

    It is enlarged by the theme's zoom when painted; `scale` is page inches per table inch before that.
    """

    width: float
    height: float
    shown: tuple[PlacedPanel, ...]
    words: tuple[TextLine, ...]
    marks: tuple[DrawnMark, ...]
    scale: float = 1.0
    theme: Theme = SCREEN


@dataclass(frozen=True)
class _TextBudget:
    """Amount of text on a page: number of caption paragraphs, of lines below a panel, and whether there are callouts."""

    paragraphs: int = 99
    lines: int = 9
    has_callouts: bool = True


TRIMS = (_TextBudget(), _TextBudget(1), _TextBudget(1, 3), _TextBudget(0, 2), _TextBudget(0, 0, has_callouts=False))
"""Amounts of text tried on a page of given height, in order; enlarged pages such as slides have no room for long captions."""


@dataclass(frozen=True)
class Cells:
    """Frames of panels, the bottom edge of each with its text, their texts and number discs, and the total height, in inches."""

    frames: tuple[Frame, ...]
    ends: tuple[float, ...]
    told: Block


@dataclass(frozen=True)
class TextColumn:
    """Room for text beside panels: its left edge, top edge and width, in inches on the page."""

    left: float
    top: float
    width: float


@dataclass(frozen=True)
class _PageDraft:
    """A page before its labels are placed."""

    sheet: Sheet
    plan: GridLayout
    frames: tuple[Frame, ...]
    words: tuple[TextLine, ...]
    marks: tuple[DrawnMark, ...]
    height: float


def lay_out(picture: FigureContent) -> Page:
    """Return the page of a figure with everything placed, at the requested size, or as high as it needs to be.

    Raises
    ------
    UsageError
        If the picture does not fit into the size.
    """
    draft = _draft(picture)
    shown = tuple(shown_in(panel, frame) for panel, frame in zip(picture.everything, draft.frames, strict=True))
    theme = replace(picture.setting.theme, zoom=draft.sheet.zoom)
    return Page(draft.sheet.width, draft.height, shown, draft.words, draft.marks, draft.plan.scale, theme)


def _draft(picture: FigureContent) -> _PageDraft:
    size = picture.setting.size
    if size.height is None:
        is_tall = size.width < NARROW and len(picture.panels) == STACKED
        draft = _drafted(picture, Sheet(_grown(picture)), (HIGHER if is_tall else 1.0) * picture.most_height, TRIMS[0])
        return draft if picture.setting.ratio is None else _printable(draft)
    found = next(filter(None, (_largest(picture, *one) for one in _tries(size))), None)
    if found is None:
        least = _drafted(picture, Sheet(max(size.width, _widest(picture))), 0.0, TRIMS[-1])
        needed = say("{width:.1f} x {height:.1f}", width=max(size.width, _widest(picture)), height=least.height + 0.05)
        message = "--size: the figure does not fit into {width:.4g} x {height:.4g} in; it needs {needed} in"
        raise UsageError(message, width=size.width, height=size.height, needed=needed)
    return found


def _tries(size: Size) -> Iterator[tuple[tuple[Sheet, ...], _TextBudget]]:
    """Yield (sheets, amount of text) in the order of trial: the caption is cut before letters get smaller."""
    trims, large = TRIMS[1:] if size.zoom > 1.0 else TRIMS, tuple(one for one in sheets(size) if one.zoom >= LARGE * size.zoom)
    yield from ((large, trim) for trim in trims[:-1])
    yield from (((sheet,), trim) for trim in trims for sheet in sheets(size))


def _largest(picture: FigureContent, papers: Sequence[Sheet], trim: _TextBudget) -> _PageDraft | None:
    """Return the page with the largest panels, of equal ones that with the largest letters; None if no sheet fits."""
    drafts = filter(None, (_fitting(picture, sheet, trim) for sheet in papers))
    return max(drafts, key=lambda draft: (draft.plan.scale * draft.sheet.zoom, draft.sheet.zoom), default=None)


def _printable(draft: _PageDraft) -> _PageDraft:
    """Return a page at a given scale, unless it exceeds any paper or the limits of PDF: then raise UsageError."""
    if max(draft.sheet.width, draft.height) > MOST_SIDE:
        wide, high = draft.sheet.width, draft.height
        message = "--scale: the figure would be {wide:.0f} x {high:.0f} in; a page has at most {most:g} in"
        raise UsageError(message, wide=wide, high=high, most=MOST_SIDE)
    return draft


def _widest(picture: FigureContent) -> float:
    """Return the least page width, in inches, at the requested scale; 0 if no scale is requested."""
    ratio = picture.setting.ratio
    return 0.0 if ratio is None else picture.panels[0].section.width / ratio + 2 * MARGIN


def _grown(picture: FigureContent) -> float:
    """Return the width, in inches, of a page that is as high as it needs to be.

    Raises
    ------
    UsageError
        If panels at the requested scale are wider than the page, which may not grow.
    """
    size, widest = picture.setting.size, _widest(picture)
    if widest > size.width + 1e-9 and not size.may_grow:
        scale = f"1:{picture.setting.ratio:g}"
        message = "--size: at the scale {scale} the figure is {widest:.1f} in wide, the page {width:.4g} in"
        raise UsageError(message, scale=scale, widest=widest, width=size.width)
    return max(size.width, widest)


def _fitting(picture: FigureContent, sheet: Sheet, trim: _TextBudget) -> _PageDraft | None:
    """Return the page with the largest panels on a sheet, with text below or, if enlarged, beside them; None if it does not fit."""
    asides = (0.0, NOOK + GAP) if sheet.zoom > 1.0 and picture.inset is None and not picture.setting.is_bare else (0.0,)
    drafts = filter(None, (_squeezed(picture, sheet, trim, aside) for aside in asides))
    return max(drafts, key=lambda draft: (draft.plan.scale, sum(one.width * one.height for one in draft.frames)), default=None)


def _squeezed(picture: FigureContent, sheet: Sheet, trim: _TextBudget, aside: float) -> _PageDraft | None:
    """Return the page with panels reduced until it fits the sheet's height; None if they would become illegible."""
    height = sheet.height or 0.0
    room = height
    if _widest(picture) > sheet.width * sheet.zoom + 1e-9:
        return None
    for _ in range(ROUNDS):
        draft = _drafted(picture, sheet, room, trim, aside)
        room -= draft.height - height
        if draft.height <= height + 1e-9:
            return replace(draft, height=height) if _is_legible(draft, picture, aside) else None
    return None


def _is_legible(draft: _PageDraft, picture: FigureContent, aside: float) -> bool:
    """Return whether panels are high enough and, on enlarged pages, fill much of the height or nearly all of the width."""
    sheet, frames = draft.sheet, draft.frames
    high = max(one.y + one.height for one in frames) - min(one.y for one in frames)
    wide = max(one.x + one.width for one in frames) - min(one.x for one in frames) + aside
    is_used = not aside or all(one.at[0] > MARGIN + HANGING for one in draft.words if one.id.startswith(("callout", "caption")))
    is_large = sheet.zoom == 1.0 or high >= LEAST_SHARE * (sheet.height or 0.0) or wide >= WIDE * sheet.space
    least = LEAST_PANEL if sheet.zoom == 1.0 else LEAST_ENLARGED
    return picture.setting.ratio is not None or (draft.plan.lowest >= least and is_large and is_used)


def _drafted(picture: FigureContent, sheet: Sheet, room: float, trim: _TextBudget, aside: float = 0.0) -> _PageDraft:
    """Return the page before its labels are placed, with panels at most `room` inches high and at least `aside` inches for text.

    Where cropped panels leave space, text is placed there if it fits.
    """
    plan = grid(len(picture.panels), _arranged(picture, sheet, room, aside))
    if picture.setting.is_bare:
        return _bare(picture, sheet, plan)
    if picture.inset is None and picture.setting.ratio is None:
        space = Room(sheet.space - aside, room, sheet.zoom, is_open=sheet.height is None)
        other = cropped(picture.panels, picture.board, space, is_narrow=is_narrow(sheet.width), beside=max(0.0, NOOK + GAP - aside))
        if other is not None and other.ratio <= plan.ratio + 1e-9:
            whole = heightened(other, picture.panels, GAP + HEAD) if other.ratio < plan.ratio else plan
            return (None if aside else _composed(picture, other, sheet, trim)) or _assembled(picture, whole, sheet, trim)
    return _assembled(picture, plan, sheet, trim)


def _composed(picture: FigureContent, plan: GridLayout, sheet: Sheet, trim: _TextBudget) -> _PageDraft | None:
    """Return the page with text below the first column, beside higher columns; None if it does not fit there.

    The key is placed below all panels or, if the text needs the space below the first column, below the lower of the two.
    """
    if len(plan.columns) == 1:
        return None
    made = cells(picture.panels, plan, header_block(picture, sheet).height, sheet, trim.lines)
    later = [number for column in plan.columns[1:] for number in column]
    others = [made.frames[number] for number in later]
    left, low = min(frame.x for frame in others), max(made.ends[number] for number in later)
    first = max(made.ends[number] for number in plan.columns[0])
    if len(plan.columns) == 2 and first + LOWER < low:  # noqa: PLR2004 - in a narrower one words would be too high
        key_end = ruler_and_key(picture, made.frames, first + 0.1, sheet, right=left - GAP).height
        return _assembled(picture, plan, sheet, trim, nook=TextColumn(MARGIN, key_end + 0.06, left - GAP - MARGIN), first=first)
    nook = TextColumn(left, low + 0.1, max(frame.x + frame.width for frame in others) - left)
    end = nook.top + caption_block(picture, nook.width, trim.paragraphs, has_callouts=trim.has_callouts).height
    if end <= made.told.height:
        return _assembled(picture, plan, sheet, trim, nook=nook)
    key_end = ruler_and_key(picture, made.frames, first + 0.1, sheet, right=left - GAP).height
    return _assembled(picture, plan, sheet, trim, nook=nook, first=first) if end <= key_end + LOWER else None


def _assembled(
    picture: FigureContent, plan: GridLayout, sheet: Sheet, trim: _TextBudget, *, nook: TextColumn | None = None, first: float | None = None
) -> _PageDraft:
    """Return the page before its labels are placed; without a text column, text is beside the panels or below them.

    The key is placed below all panels, or beside the text below the first column, which ends at `first` inches.
    """
    head = header_block(picture, sheet)
    made = cells(picture.panels, plan, head.height, sheet, trim.lines)
    frames, panels = made.frames, made.told
    if picture.inset is not None:
        inset, heading = _inset(picture.inset, frames, (head.height, panels.height), sheet)
        frames, panels = (*frames, inset), together(panels, heading)
    bottom = panels.height
    nook = nook or nook_beside(frames, len(picture.panels), sheet) or nook_below(frames, made.ends[0], bottom)

    def told_in(width: float) -> Block:
        """Return callouts and caption as a block of a width in inches."""
        return caption_block(picture, width, trim.paragraphs, has_callouts=trim.has_callouts)

    told = Block(math.inf) if nook is None else told_in(nook.width).at(nook.left, nook.top)
    if nook is not None and nook.width >= ROOMY * sheet.space and told.height - bottom < told_in(sheet.space).height:
        bottom = max(bottom, told.height)
    beside = None if nook is None or told.height > bottom else ((nook.left, told.height + 0.08), (nook.left + nook.width, bottom))
    if nook is not None and first is not None:
        right = nook.left - GAP if nook.left > MARGIN else nook.width + MARGIN
        ruler = ruler_and_key(picture, frames, first + 0.1, sheet, right=right)
        low = bottom = max(ruler.height, bottom, told.height)
    else:
        ruler = ruler_and_key(picture, frames, bottom + 0.1, sheet, beside)
        low = ruler.height
    if told.height > bottom:
        told = told_in(sheet.space).at(MARGIN, low + 0.06)
        low = told.height - 0.06
    foot = footer_block(picture, plan.ratio / sheet.zoom, sheet, trim.paragraphs)
    foot = foot.at(MARGIN, max(low + 0.06, (sheet.height or 0.0) - foot.height))
    whole = together(Block(0.0, (), _edges(picture, frames)), head, panels, ruler, told, foot)
    return _PageDraft(sheet, plan, frames, whole.words, whole.marks, foot.height)


def _arranged(picture: FigureContent, sheet: Sheet, room: float, aside: float) -> Arrangement:
    """Return scale and columns of equal panels, leaving room for text beside a single panel and for the inset beside several."""
    count, section, ratio, inset = len(picture.panels), picture.panels[0].section, picture.setting.ratio, picture.inset
    if ratio is not None:
        return at_ratio(count, section, ratio=ratio * sheet.zoom, width=sheet.space)
    shape: dict[str, Any] = {"board": picture.board, "zoom": sheet.zoom, "finest": FINEST if sheet.height is None else CLOSEST}
    shape |= {"is_abreast": picture.is_abreast, "action": picture.panels[0].action}
    if inset is not None and count == 1:
        wide = (sheet.space - GAP) * section.width / (section.width + inset.section.width)
        return arrange(1, section, **shape, width=wide, height=room * section.height / max(section.height, inset.section.height))
    whole = arrange(count, section, **shape, width=sheet.space - aside, height=room)
    if inset is not None:
        high = -(-count // whole.columns) * section.height
        below = arrange(count, section, **shape, width=sheet.space, height=HIGHER * room * high / (high + inset.section.height))
        return below if sheet.height is None else _in_row(picture, inset.section, sheet, room, shape, below)
    if aside or count > 1 or sheet.width < BESIDE or picture.setting.is_bare:
        return whole
    beside = arrange(1, section, **shape, width=sheet.space - NOOK - GAP, height=room)
    return beside if beside.ratio <= WORTH * whole.ratio else whole


def _in_row(picture: FigureContent, inset: Rect, sheet: Sheet, room: float, shape: dict[str, Any], below: Arrangement) -> Arrangement:
    """Return the arrangement of panels in a row with the inset, on a page of given height, unless `below` has larger panels."""
    count, section = len(picture.panels), picture.panels[0].section
    across, high = inset.width, max(section.height, inset.height)
    wide = (sheet.space - count * GAP) * count * section.width / (count * section.width + across) + (count - 1) * GAP
    beside = arrange(count, section, **shape, width=wide, height=room * section.height / high)
    return beside if beside.columns == count and beside.ratio <= below.ratio else below


def _bare(picture: FigureContent, sheet: Sheet, plan: GridLayout) -> _PageDraft:
    """Return a page of panels only, with headings if there are several; without a size, it is as large as they are."""
    several = len(picture.everything) > 1
    panels = [replace(panel, heading=panel.heading if several else "", text="") for panel in picture.panels]
    made = cells(panels, plan, 0.0, sheet, 0)
    frames, told = made.frames, made.told
    if picture.inset is not None:
        inset, heading = _inset(picture.inset, frames, (0.0, told.height), sheet)
        frames, told = (*frames, inset), together(told, heading)
    if sheet.height is None:
        west, east = min(frame.x for frame in frames), max(frame.x + frame.width for frame in frames)
        sheet = replace(sheet, width=east - west)
        frames = tuple(replace(frame, x=frame.x - west) for frame in frames)
        told = told.at(-west, 0.0)
    return _PageDraft(sheet, plan, frames, told.words, _edges(picture, frames), told.height)


def _inset(panel: Panel, frames: Sequence[Frame], between: tuple[float, float], sheet: Sheet) -> tuple[Frame, Block]:
    """Return the inset's frame and heading: beside panels in a row if there is room, else below them, reduced on a narrow page.

    `between` are the upper and lower bounds of the panels' area on the page, in inches.
    """
    first, (top, bottom) = frames[0], between
    beside = max(frame.x + frame.width for frame in frames) + GAP
    is_row = all(frame.y == first.y for frame in frames)
    is_beside = is_row and beside + panel.section.width * first.scale <= sheet.right + 1e-9
    left, top = (beside, top) if is_beside else (first.x, bottom + GAP)
    heading = paragraph(f"{panel.name}.heading", panel.heading, sheet.right - left, size=HEADING, typeface="title", most=2).at(left, top)
    frame = Frame(panel.section, min(first.scale, (sheet.right - left) / panel.section.width), left, heading.height + 0.04)
    return frame, replace(heading, height=frame.y + frame.height)


def _edges(picture: FigureContent, frames: Sequence[Frame]) -> tuple[DrawnMark, ...]:
    """Return the rims of panels."""
    pairs = zip(picture.everything, frames, strict=True)
    return tuple(
        rectangle(f"{panel.name}.edge", "panel", (frame.x, frame.y), (frame.x + frame.width, frame.y + frame.height))
        for panel, frame in pairs
    )


# Around the panels: title and outcomes above; ruler, key, caption and footer below.


def header_block(picture: FigureContent, sheet: Sheet) -> Block:
    """Return kicker, title and outcomes as a block."""
    title = paragraph("title", picture.title, sheet.space, size=TITLE, typeface="title", most=3)
    kicker, badges, dice = _kicker(picture.kicker, sheet.space), list(picture.badges), Block()
    if len(badges) == 1 and badges[0].dice is not None:
        left = sheet.space - dice_width(badges[0].dice)
        if len(title.words) == 1 and text.width(title.words[0].text, TITLE, typeface="title") + GAP <= left:
            dice = dice_row(badges[0].dice, f"{badges[0].id}.dice").at(left, kicker.height + DICE_BELOW)
            badges = [replace(badges[0], dice=None)]
    named = together(stack((kicker, title), 0.02) if picture.kicker else title, dice)
    head = stack((named, stack((_badge(badge, sheet) for badge in badges), 0.0)), 0.07).at(MARGIN, MARGIN)
    return replace(head, height=head.height + 0.03)


def _kicker(passage: str, space: float) -> Block:
    """Return a passage of the rules as a line in capitals; only its beginning, up to a colon, where there is no room for all of it."""
    words = text.clean(passage).upper().replace(": ", " \N{MIDDLE DOT} ")
    if text.width(words, KICKER, typeface="bold") > space:
        words = words.partition(" \N{MIDDLE DOT} ")[0]
    return paragraph("kicker", words, space, size=KICKER, typeface="bold", colour="kicker", most=1)


def _badge(badge: Badge, sheet: Sheet) -> Block:
    """Return an outcome as a block: its word in a filled box, its subject beside or below it, and the dice at the right."""
    pad = 0.06
    verdict = text.wrapped(badge.words, sheet.space - 2 * pad, TEXT, typeface="bold", most=2)
    high = text.height(len(verdict), TEXT) + 0.06
    wide = max(text.width(line, TEXT, typeface="bold") for line in verdict) + 2 * pad
    box = rectangle(f"{badge.id}.box", f"badge.{badge.outcome}", (0.0, 0.0), (wide, high))
    parts = [Block(high, (), (box,)), text_lines(badge.id, verdict, typeface="bold", colour="page").at(pad, 0.03)]
    about = text.clean(badge.about)
    low, start = high + 0.05, wide + pad
    if text.width(about, TEXT) <= sheet.space - start:
        parts.append(text_lines(f"{badge.id}.about", (about,)).at(start, 0.03))
        start += text.width(about, TEXT)
    else:
        parts.append(paragraph(f"{badge.id}.about", about, sheet.space, most=3).at(0.0, low - 0.01))
        low, start = parts[-1].height + 0.05, sheet.space
    if badge.dice is not None:
        across, dice = dice_width(badge.dice), dice_row(badge.dice, f"{badge.id}.dice")
        is_beside = start + 2 * pad + across <= sheet.space
        parts.append(dice.at(sheet.space - across, (high - dice.height) / 2) if is_beside else dice.at(0.0, low))
        low = low if is_beside else parts[-1].height + 0.05
    return together(*parts, Block(low))


def ruler_and_key(
    picture: FigureContent,
    frames: Sequence[Frame],
    top: float,
    sheet: Sheet,
    beside: tuple[Point, Point] | None = None,
    right: float | None = None,
) -> Block:
    """Return ruler and key below the panels as a block, with a bar for checking a print where a scale is given.

    The key is placed `beside` the panels, between the given upper-left and lower-right corner, if it fits; else at the `right`.
    """
    right = sheet.right if right is None else right
    language, frame, shown = picture.setting.language, frames[0], seen(picture, frames)
    ruler, wide = ruler_of(frame.scale, language)
    left, below = (frame.x + wide + 0.3, top) if right >= KEY_BELOW - MARGIN else (frame.x, top + 0.28)
    parts = [ruler.at(frame.x, top), key_of(shown, right - left, picture.meanings, language=language).at(left, below)]
    if beside is not None:
        nook, end = beside
        key = key_of(shown, end[0] - nook[0], picture.meanings, language=language).at(*nook)
        parts[1] = replace(key, height=top) if key.height <= end[1] else parts[1]
    low = max(parts[1].height, top + 0.26)
    if picture.setting.ratio is not None:
        parts.append(paper_ruler(sheet, frame.x, language).at(0.0, low + 0.04))
        low += 0.18
    return replace(together(*parts), height=low)


def seen(picture: FigureContent, frames: Sequence[Frame]) -> list[DrawnMark]:
    """Return the visible marks of all panels."""
    pairs = [(seen_in(panel, frame.section), frame.section) for panel, frame in zip(picture.everything, frames, strict=True)]
    return [mark for panel, section in pairs for mark in panel.marks if isinstance(mark, Label | Printed) or is_shown(mark, section)]


def caption_block(picture: FigureContent, width: float, most: int, *, has_callouts: bool = True) -> Block:
    """Return callouts, sums and caption as a block of a width in inches, with at most `most` paragraphs of caption."""
    top, parts = 0.0, [Block()]
    for number, sentence in picture.callouts.items() if has_callouts else ():
        parts.append(numbered(f"callout.{number}", number).at(0.0, top))
        parts.append(paragraph(f"callout.{number}", sentence, width - HANGING, most=MOST_LINES).at(HANGING, top))
        top = parts[-1].height + 0.07
    top += 0.04 if top else 0.0
    for number, (said, terms) in enumerate(picture.sums if most and has_callouts else (), start=1):
        parts.append(sum_block(f"sum.{number}", said, terms, width, picture.setting.language).at(0.0, top))
        top = parts[-1].height + 0.12
    for number, line in enumerate(picture.caption[:most], start=1):
        parts.append(paragraph(f"caption.{number}", line[:MOST_LETTERS], width, most=MOST_LINES).at(0.0, top))
        top = parts[-1].height + 0.05
    return together(*parts, Block(top))


def numbered(name: str, number: int) -> Block:
    """Return the numbered disc before a sentence as a block of no height."""
    middle = (KEY_RADIUS, text.height(1, TEXT) / 2)
    base = middle[1] + text.DIGIT / 2 * SMALL * text.POINT_SIZE
    digit = TextLine(f"{name}.number", str(number), (middle[0], base), SMALL, typeface="bold", colour="page", align="center")
    return Block(0.0, (digit,), (Rings(f"{name}.key", "key", (circle(middle, KEY_RADIUS),)),))


def footer_block(picture: FigureContent, ratio: float, sheet: Sheet, most: int) -> Block:
    """Return the small print, if there is room, and the footer with the scale 1 : `ratio` as a block."""
    most_lines = SMALL_PRINT if sheet.zoom == 1.0 else 1
    said = picture.small_print if most else ""
    small = paragraph("small-print", said, sheet.space, size=SMALL, colour="grey", most=most_lines).at(0.0, 0.05)
    board, language = picture.board, picture.setting.language
    scale = language.say("caption.scale", ratio=language.number(ratio, ".6g"))
    if isinstance(board, HexBoard):
        scale = language.say("caption.hexes", scale=scale, size=language.number(board.hex_inches, "g"))
    base = 0.05 + (len(small.words) * text.LINE + text.ASCENT) * SMALL * text.POINT_SIZE
    left = text.wrapped(picture.footer, max(sheet.space - text.width(scale, SMALL) - 0.2, 0.3), SMALL, most=1)
    game = tuple(TextLine("footer.game", line, (0.0, base), SMALL, colour="grey") for line in left)
    right = TextLine("footer.scale", scale, (sheet.space, base), SMALL, colour="grey", align="right")
    rule = Lines("footer.rule", "rule", (((0.0, 0.02), (sheet.space, 0.02)),))
    high = 0.05 + text.height(len(small.words) + 1, SMALL) + 0.06
    return Block(high, (*small.words, *game, right), (rule,))


# Panels in columns, each with heading above and text below, and the space left for text.


def cells(panels: Sequence[Panel], plan: GridLayout, top: float, sheet: Sheet, most: int) -> Cells:
    """Return panels in columns with headings and texts, each text at most `most` lines behind its number, from `top` inches on.

    Headings in a row get the same height, and so do texts.
    """
    sections = plan.sections
    wide = [max(sections[number].width for number in column) * plan.scale for column in plan.columns]
    rooms = {number: room for column, room in zip(plan.columns, wide, strict=True) for number in column}
    heads = [text.wrapped(panel.heading, rooms[number], HEADING, typeface="title", most=2) for number, panel in enumerate(panels)]
    hanging = [HANGING if panel.key else 0.0 for panel in panels]
    notes = [
        text.wrapped(panel.text, rooms[number] - hanging[number], TEXT, most=most) if most else () for number, panel in enumerate(panels)
    ]
    head_rows = _rows(plan, [text.height(len(lines), HEADING) + 0.04 if lines else 0.0 for lines in heads])
    depths = [text.height(len(lines), TEXT) + 0.05 if lines else 0.0 for lines in notes]
    note_rows = _rows(plan, depths)
    x = MARGIN if sheet.space - plan.width - GAP >= LEAST_NOOK else (sheet.width - plan.width) / 2
    placed: dict[int, tuple[Frame, float]] = {}
    told = [Block(top)]
    for column, across in zip(plan.columns, wide, strict=True):
        low = top
        for row, number in enumerate(column):
            name = panels[number].name
            frame = Frame(sections[number], plan.scale, x, low + head_rows[row])
            edge = frame.y + frame.height
            placed[number] = (frame, edge + depths[number])
            told.append(text_lines(f"{name}.heading", heads[number], size=HEADING, typeface="title").at(x, low))
            if notes[number]:
                told.append(text_lines(f"{name}.text", notes[number]).at(x + hanging[number], edge + 0.05))
                told += [numbered(f"{name}.text", panels[number].key).at(x, edge + 0.05)] if panels[number].key else []
            told.append(Block(edge + note_rows[row]))
            low = edge + note_rows[row] + GAP
        x += across + GAP
    frames, ends = zip(*(placed[number] for number in sorted(placed)), strict=True)
    return Cells(frames, ends, together(*told))


def _rows(plan: GridLayout, heights: Sequence[float]) -> list[float]:
    """Return the height of each row of panels, that of its highest entry."""
    most = max(len(column) for column in plan.columns)
    return [max(heights[column[row]] for column in plan.columns if row < len(column)) for row in range(most)]


def nook_beside(frames: Sequence[Frame], count: int, sheet: Sheet) -> TextColumn | None:
    """Return the space beside all panels, the last one or the inset that is wide enough for text; None if there is none."""
    last = frames[-1]
    row = [frame for frame in frames if abs(frame.y - last.y) < last.height and (len(frames) == count or frame is last)]
    for shown in (frames, row):
        left = max(frame.x + frame.width for frame in shown) + GAP
        if sheet.right - left >= LEAST_NOOK:
            return TextColumn(left, min(frame.y for frame in shown), sheet.right - left)
    return None


def nook_below(frames: Sequence[Frame], end: float, bottom: float) -> TextColumn | None:
    """Return the space below the first panel and its text, beside one higher panel, if it is wide enough for text; else None."""
    first, *others = frames
    is_lower = len(others) == 1 and others[0].x > first.x + first.width and end < bottom
    return TextColumn(first.x, end + 0.1, first.width) if is_lower and first.width >= LEAST_NOOK else None


# Pages without panels.


def page_of(setting: Setting, made: Callable[[Sheet], Block]) -> Page:
    """Return the page whose block `made` builds for a sheet, on the sheet with the largest letters that fits the size.

    Raises
    ------
    UsageError
        If the block does not fit the size.
    """
    whole = Block()
    for sheet in sheets(setting.size):
        whole = made(sheet)
        if sheet.height is None or whole.height <= sheet.height + 1e-9:
            theme = replace(setting.theme, zoom=sheet.zoom)
            return Page(sheet.width, max(whole.height, sheet.height or 0.0), (), whole.words, whole.marks, theme=theme)
    raise UsageError("--size: the figure does not fit; at this width it is {least:.1f} in high", least=whole.height)


# Single panels.


def shown_in(panel: Panel, frame: Frame) -> PlacedPanel:
    """Return a panel in its frame with its texts placed."""
    panel = seen_in(panel, frame.section)
    printed = stamped(panel.marks, frame)
    labels = [
        mark
        for mark in (*panel.marks, *fallback(panel.marks, printed))
        if isinstance(mark, Label) and _is_seen(mark, frame) and (text.clean(mark.text) or mark.key)
    ]
    ink = Ink((mark for mark in panel.marks if not isinstance(mark, Label)), frame, boxes=kept(printed, is_yielding=True))
    magnified = lenses(panel.marks, frame, ink)
    bodies, grounds = ([mark.rings[0] for mark in outlines(panel.marks, kind)] for kind in ("unit", "terrain"))
    placed = place(labels, frame, ink, kept=(*kept(printed), *(lens.box for lens in magnified)), bodies=bodies, grounds=grounds)
    return PlacedPanel(panel, frame, placed, _clear(without_covered(printed, placed), magnified), magnified)


def _clear(printed: Sequence[Stamped], magnified: Sequence[Lens]) -> tuple[Stamped, ...]:
    """Return the printed texts without those covered by magnifiers."""
    boxes = [lens.box for lens in magnified]
    left = (replace(one, words=tuple(word for word in one.words if not any(word[1].overlaps(box) for box in boxes))) for one in printed)
    return tuple(one for one in left if one.words)


def _is_seen(label: Label, frame: Frame) -> bool:
    """Return whether any part of what a label names is visible in a frame."""
    return around(label.home or label.spots).overlaps(frame.section.grown(1e-9))
