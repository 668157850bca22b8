"""Layout of a page: title, outcomes, panels at one scale, ruler, key, caption and footer.

`lay_out` places a `FigureContent` on a `Page`. Lengths are in inches on the page, y downwards from the top.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from plots.layout import text
from plots.layout.blocks import (
    Block,
    TextLine,
    circle,
    dice_row,
    dice_width,
    paragraph,
    rectangle,
    stack,
    sum_block,
    text_lines,
    together,
)
from plots.layout.frame import Frame
from plots.layout.grid import GAP, NARROW, STACKED, WORTH, GridLayout, Room, arrange, at_ratio
from plots.layout.key import key_of, paper_ruler, ruler_of
from plots.layout.labels import (
    KEY_RADIUS,
    Ink,
    Lens,
    PlacedLabel,
    Stamped,
    fallback,
    kept,
    lenses,
    place,
    stamped,
    without_covered,
)
from plots.layout.setting import DEFAULT, MARGIN, MOST_SIDE, Setting, Sheet, Size, sheets
from plots.marks.captions import Badge
from plots.marks.mark import Discs, DrawnMark, Label, Lines, Printed, Rings, outlines
from plots.marks.panels import Panel, seen_in
from plots.marks.section import around, is_shown
from plots.marks.theme import HEADING, KICKER, SCREEN, SMALL, TEXT, TITLE, Theme
from tabletop.errors import UsageError
from tabletop.geometry.pose import Point
from tabletop.language.language import current_language, speaking
from tabletop.messages import say
from tabletop.ruling.contrast import Term
from tabletop.table.hexes import HexBoard
from tabletop.table.state import Board

KEY_BELOW, MOST_LINES, MOST_LETTERS, SMALL_PRINT, HANGING = 5.0, 60, 20_000, 3, 0.22
"""Width in inches of a page or first column up to which the key stands below the ruler; lines per caption paragraph;
letters considered of one (the description has the full text); lines of small print; indent in inches of numbered
sentences."""

LEAST_COLUMN = 1.8
"""Least width of text beside panels, in inches."""

SUM_WIDTH = 3.6
"""Greatest width of a sum, in inches."""

LEAST_PANEL, LEAST_ENLARGED, LEAST_SHARE, ROUNDS = 1.0, 0.8, 0.5, 8
"""Least height of a panel in inches, and before zoom; least share of an enlarged page that panels take; greatest number
of attempts at reducing panels to fit a page."""

LARGE, WIDE = 0.8, 0.9
"""Share of the greatest zoom that is kept before the caption is cut, and share of the page's width that panels fill."""

ASIDE, BESIDE, LOWER = 2.2, 5.0, 0.5
"""Inches: width left beside panels for text, width of a page with a single panel from which it is, and how far such
text may extend below the key."""

DICE_BELOW = 0.05
"""Inches from the line above the title to the dice beside the title."""

HIGHER = 1.3
"""Greatest height of three panels in a narrow column, relative to others."""


@dataclass(frozen=True)
class FigureContent:
    """Content of a figure: panels and texts; `meanings` are key texts of roles whose meaning differs between figures.

    The `kicker` above the title names the passage of the rules. `callouts` maps the numbers in the panels to
    sentences. `sums` are numbers as a rule works them out, each as its heading or sentence and its terms.
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
    callouts: Mapping[int, str] = field(default_factory=dict)
    sums: tuple[tuple[str, tuple[Term, ...]], ...] = ()


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
    """Amount of text on a page: number of caption paragraphs, of lines below a panel, and whether there are
    callouts.
    """

    paragraphs: int = 99
    lines: int = 9
    has_callouts: bool = True


TRIMS = (
    _TextBudget(),
    _TextBudget(1),
    _TextBudget(1, 3),
    _TextBudget(0, 2),
    _TextBudget(0, 0, has_callouts=False),
)
"""Amounts of text tried on a page of given height, in order; enlarged pages such as slides have no room for long
captions."""


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
    with speaking(picture.setting.language):
        draft = _draft(picture)
    shown = tuple(
        shown_in(panel, frame) for panel, frame in zip(picture.panels, draft.frames, strict=True)
    )
    theme = replace(picture.setting.theme, zoom=draft.sheet.zoom)
    return Page(
        draft.sheet.width, draft.height, shown, draft.words, draft.marks, draft.plan.scale, theme
    )


def _draft(picture: FigureContent) -> _PageDraft:
    size = picture.setting.size
    if size.height is None:
        is_tall = size.width < NARROW and len(picture.panels) == STACKED
        draft = _drafted(
            picture,
            Sheet(_grown(picture)),
            (HIGHER if is_tall else 1.0) * picture.most_height,
            TRIMS[0],
        )
        return draft if picture.setting.ratio is None else _printable(draft)
    found = next(filter(None, (_largest(picture, *one) for one in _tries(size))), None)
    if found is None:
        least = _drafted(picture, Sheet(max(size.width, _widest(picture))), 0.0, TRIMS[-1])
        needed = say(
            "{width:.1f} x {height:.1f}",
            width=max(size.width, _widest(picture)),
            height=least.height + 0.05,
        )
        message = "--size: the figure does not fit into {width:.4g} x {height:.4g} in; it needs {needed} in"
        raise UsageError(message, width=size.width, height=size.height, needed=needed)
    return found


def _tries(size: Size) -> Iterator[tuple[tuple[Sheet, ...], _TextBudget]]:
    """Yield (sheets, amount of text) in the order of trial: the caption is cut before letters get smaller."""
    trims = TRIMS[1:] if size.zoom > 1.0 else TRIMS
    large = tuple(one for one in sheets(size) if one.zoom >= LARGE * size.zoom)
    yield from ((large, trim) for trim in trims[:-1])
    yield from (((sheet,), trim) for trim in trims for sheet in sheets(size))


def _largest(
    picture: FigureContent, papers: Sequence[Sheet], trim: _TextBudget
) -> _PageDraft | None:
    """Return the page with the largest panels, of equal ones that with the largest letters; None if no sheet fits."""
    drafts = filter(None, (_fitting(picture, sheet, trim) for sheet in papers))
    return max(
        drafts,
        key=lambda draft: (draft.plan.scale * draft.sheet.zoom, draft.sheet.zoom),
        default=None,
    )


def _printable(draft: _PageDraft) -> _PageDraft:
    """Return a page at a given scale, unless it exceeds any paper or the limits of PDF: then raise UsageError."""
    if max(draft.sheet.width, draft.height) > MOST_SIDE:
        wide = draft.sheet.width
        high = draft.height
        message = "--scale: the figure would be {wide:.0f} x {high:.0f} in; a page has at most {most:g} in"
        raise UsageError(message, wide=wide, high=high, most=MOST_SIDE)
    return draft


def _widest(picture: FigureContent) -> float:
    """Return the least page width, in inches, at the requested scale; 0 if no scale is requested."""
    ratio = picture.setting.ratio
    return (
        0.0
        if ratio is None
        else max(panel.section.width for panel in picture.panels) / ratio + 2 * MARGIN
    )


def _grown(picture: FigureContent) -> float:
    """Return the width, in inches, of a page that is as high as it needs to be.

    Raises
    ------
    UsageError
        If panels at the requested scale are wider than the page, which may not grow.
    """
    size = picture.setting.size
    widest = _widest(picture)
    if widest > size.width + 1e-9 and not size.may_grow:
        scale = f"1:{picture.setting.ratio:g}"
        message = "--size: at the scale {scale} the figure is {widest:.1f} in wide, the page {width:.4g} in"
        raise UsageError(message, scale=scale, widest=widest, width=size.width)
    return max(size.width, widest)


def _fitting(picture: FigureContent, sheet: Sheet, trim: _TextBudget) -> _PageDraft | None:
    """Return the page with the largest panels on a sheet, with text below or, if enlarged, beside them; None if it does
    not fit.
    """
    asides = (0.0, ASIDE + GAP) if sheet.zoom > 1.0 and not picture.setting.is_bare else (0.0,)
    drafts = filter(None, (_squeezed(picture, sheet, trim, aside) for aside in asides))
    return max(
        drafts,
        key=lambda draft: (draft.plan.scale, sum(one.width * one.height for one in draft.frames)),
        default=None,
    )


def _squeezed(
    picture: FigureContent, sheet: Sheet, trim: _TextBudget, aside: float
) -> _PageDraft | None:
    """Return the page with panels reduced until it fits the sheet's height; None if they would become illegible."""
    height = sheet.height or 0.0
    room = height
    if _widest(picture) > sheet.width * sheet.zoom + 1e-9:
        return None
    for _ in range(ROUNDS):
        draft = _drafted(picture, sheet, room, trim, aside)
        room = min(room, draft.plan.height) - (draft.height - height)
        if draft.height <= height + 1e-9:
            return replace(draft, height=height) if _is_legible(draft, picture, aside) else None
    return None


def _is_legible(draft: _PageDraft, picture: FigureContent, aside: float) -> bool:
    """Return whether panels are high enough and, on enlarged pages, fill much of the height or nearly all of the
    width.
    """
    sheet = draft.sheet
    frames = draft.frames
    high = max(one.bottom for one in frames) - min(one.y for one in frames)
    wide = max(one.right for one in frames) - min(one.x for one in frames) + aside
    is_used = not aside or all(
        one.at[0] > MARGIN + HANGING
        for one in draft.words
        if one.id.startswith(("callout", "caption"))
    )
    is_large = (
        sheet.zoom == 1.0
        or high >= LEAST_SHARE * (sheet.height or 0.0)
        or wide >= WIDE * sheet.space
    )
    least = LEAST_PANEL if sheet.zoom == 1.0 else LEAST_ENLARGED
    return picture.setting.ratio is not None or (
        draft.plan.lowest(picture.panels) >= least and is_large and is_used
    )


def _drafted(
    picture: FigureContent, sheet: Sheet, room: float, trim: _TextBudget, aside: float = 0.0
) -> _PageDraft:
    """Return the page before its labels are placed, with panels at most `room` inches high and at least `aside` inches
    for text.

    Text stands below a panel that is lower than others, beside all panels, or beside the last row, if the page is no
    higher for it; else below all.
    """
    level = _planned(picture, sheet, room, aside, is_level=True)
    if picture.setting.is_bare:
        return _bare(picture, sheet, level)
    low = (
        _planned(picture, sheet, room, aside, is_level=False)
        if level.is_stack or len(level.rows) == 1
        else level
    )
    draft, is_beside = _with_words(picture, sheet, low, trim)
    return draft if is_beside or low == level else _with_words(picture, sheet, level, trim)[0]


def _with_words(
    picture: FigureContent, sheet: Sheet, plan: GridLayout, trim: _TextBudget
) -> tuple[_PageDraft, bool]:
    """Return the page of an arrangement, and whether the text stands beside panels."""
    head = header_block(picture, sheet)
    frames, told = cells(picture.panels, plan, head.height, sheet, trim.lines)
    below = told.height + 0.1

    def words_in(width: float) -> Block:
        """Return callouts and caption as a block of a width in inches."""
        return caption_block(picture, width, trim.paragraphs, has_callouts=trim.has_callouts)

    ruler = ruler_and_key(picture, frames, below, sheet)
    parts = [ruler, words_in(sheet.space).at(MARGIN, ruler.height + 0.06)]
    is_beside = False
    left, top, width = _free(picture.panels, frames, plan, sheet, told.height)
    if width:
        place, right = (top, left + width) if plan.is_stack else (below, left - GAP)
        ruler = ruler_and_key(picture, frames, place, sheet, right=right)
        words = words_in(width).at(left, ruler.height + 0.06 if plan.is_stack else top)
        if not plan.is_stack:  # where there is room below the text, the key stands there
            beside = ruler_and_key(
                picture,
                frames,
                below,
                sheet,
                ((left, words.height + 0.1), (left + width, told.height)),
                right,
            )
            ruler = min(ruler, beside, key=lambda one: one.height)
        is_beside = max(ruler.height, words.height) <= parts[1].height
        parts = [ruler, words] if is_beside else parts
    low = max(part.height for part in (told, *parts))
    foot = footer_block(picture, plan.ratio / sheet.zoom, sheet, trim.paragraphs)
    foot = foot.at(MARGIN, max(low + 0.02, (sheet.height or 0.0) - foot.height))
    whole = together(Block(0.0, (), _edges(picture, frames)), head, told, *parts, foot)
    return _PageDraft(sheet, plan, frames, whole.words, whole.marks, foot.height), is_beside


def _planned(
    picture: FigureContent, sheet: Sheet, room: float, aside: float, *, is_level: bool
) -> GridLayout:
    """Return the arrangement of the panels, leaving `aside` inches for text, or more beside a single panel if that
    costs little scale.
    """
    ratio = picture.setting.ratio
    panels = picture.panels
    board = picture.board
    if ratio is not None:
        return at_ratio(panels, ratio * sheet.zoom, sheet.space)
    space = Room(sheet.space - aside, room, sheet.zoom, is_open=sheet.height is None)
    whole = arrange(panels, board, space, is_level=is_level)
    if aside or len(panels) > 1 or sheet.width < BESIDE or picture.setting.is_bare:
        return whole
    beside = arrange(
        panels, board, replace(space, width=space.width - ASIDE - GAP), is_level=is_level
    )
    return beside if beside.ratio <= WORTH * whole.ratio else whole


def _free(
    panels: Sequence[Panel], frames: Sequence[Frame], plan: GridLayout, sheet: Sheet, bottom: float
) -> tuple[float, float, float]:
    """Return left edge, top edge and width, in inches, of free space: below the panel that is lower, beside all, or
    beside the last row.

    The panel is the first beside a stack, or the last of all. The width is 0 if there is no space that is wide enough;
    `bottom` is the lower edge of all panels.
    """
    place = 0 if plan.is_stack else -1
    low = frames[place]
    is_lower = low.bottom + LOWER < bottom and not panels[place].text and low.width >= LEAST_COLUMN
    if is_lower and (plan.is_stack or len(plan.rows[-1]) > 1):
        return low.x, low.bottom + 0.1, low.width
    for row in () if plan.is_stack else (range(len(frames)), plan.rows[-1]):
        shown = [frames[number] for number in row]
        left = max(frame.right for frame in shown) + GAP
        if sheet.right - left >= LEAST_COLUMN:
            return left, min(frame.y for frame in shown), sheet.right - left
    return 0.0, 0.0, 0.0


def _bare(picture: FigureContent, sheet: Sheet, plan: GridLayout) -> _PageDraft:
    """Return a page of panels only, with headings if there are several; without a size, it is as large as they are."""
    several = len(picture.panels) > 1
    panels = [
        replace(panel, heading=panel.heading if several else "", text="")
        for panel in picture.panels
    ]
    frames, told = cells(panels, plan, 0.0, sheet, 0)
    if sheet.height is None:
        west = min(frame.x for frame in frames)
        east = max(frame.right for frame in frames)
        sheet = replace(sheet, width=east - west)
        told = told.at(-west, 0.0)
        frames = tuple(replace(frame, x=frame.x - west) for frame in frames)
    return _PageDraft(sheet, plan, frames, told.words, _edges(picture, frames), told.height)


def _edges(picture: FigureContent, frames: Sequence[Frame]) -> tuple[DrawnMark, ...]:
    """Return the rims of panels."""
    pairs = zip(picture.panels, frames, strict=True)
    return tuple(
        rectangle(
            f"{panel.name}.edge",
            "panel",
            (frame.x, frame.y),
            (frame.right, frame.bottom),
        )
        for panel, frame in pairs
    )


# Around the panels: title and outcomes above; ruler, key, caption and footer below.


def header_block(picture: FigureContent, sheet: Sheet) -> Block:
    """Return kicker, title and outcomes as a block."""
    title = paragraph("title", picture.title, sheet.space, size=TITLE, typeface="title", most=3)
    kicker = _kicker(picture.kicker, sheet.space)
    badges = list(picture.badges)
    dice = Block()
    if len(badges) == 1 and badges[0].dice is not None:
        left = sheet.space - dice_width(badges[0].dice)
        if (
            len(title.words) == 1
            and text.width(title.words[0].text, TITLE, typeface="title") + GAP <= left
        ):
            dice = dice_row(badges[0].dice, f"{badges[0].id}.dice").at(
                left, kicker.height + DICE_BELOW
            )
            badges = [replace(badges[0], dice=None)]
    named = together(stack((kicker, title), 0.02) if picture.kicker else title, dice)
    head = stack((named, stack((_badge(badge, sheet) for badge in badges), 0.0)), 0.07).at(
        MARGIN, MARGIN
    )
    return replace(head, height=head.height + 0.03)


def _kicker(passage: str, space: float) -> Block:
    """Return a passage of the rules as a line in capitals; only its beginning, up to a colon, where there is no room
    for all of it.
    """
    words = text.clean(passage).upper().replace(": ", " \N{MIDDLE DOT} ")
    if text.width(words, KICKER, typeface="bold") > space:
        words = words.partition(" \N{MIDDLE DOT} ")[0]
    return paragraph("kicker", words, space, size=KICKER, typeface="bold", colour="kicker", most=1)


def _badge(badge: Badge, sheet: Sheet) -> Block:
    """Return an outcome as a block: its word in a filled box, its subject beside or below it, and the dice at the
    right.
    """
    pad = 0.06
    verdict = text.wrapped(badge.words, sheet.space - 2 * pad, TEXT, typeface="bold", most=2)
    high = text.height(len(verdict), TEXT) + 0.06
    wide = max(text.width(line, TEXT, typeface="bold") for line in verdict) + 2 * pad
    box = rectangle(f"{badge.id}.box", f"badge.{badge.outcome}", (0.0, 0.0), (wide, high))
    parts = [
        Block(high, (), (box,)),
        text_lines(badge.id, verdict, typeface="bold", colour="page").at(pad, 0.03),
    ]
    about = text.clean(badge.about)
    low = high + 0.05
    start = wide + pad
    if text.width(about, TEXT) <= sheet.space - start:
        parts.append(text_lines(f"{badge.id}.about", (about,)).at(start, 0.03))
        start += text.width(about, TEXT)
    else:
        parts.append(paragraph(f"{badge.id}.about", about, sheet.space, most=3).at(0.0, low - 0.01))
        low = parts[-1].height + 0.05
        start = sheet.space
    if badge.dice is not None:
        across = dice_width(badge.dice)
        dice = dice_row(badge.dice, f"{badge.id}.dice")
        is_beside = start + 2 * pad + across <= sheet.space
        parts.append(
            dice.at(sheet.space - across, (high - dice.height) / 2)
            if is_beside
            else dice.at(0.0, low)
        )
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

    The key is placed `beside` the panels, between the given upper-left and lower-right corner, if it fits; else at the
    `right`.
    """
    right = sheet.right if right is None else right
    frame = frames[0]
    shown = seen(picture, frames)
    ruler, wide = ruler_of(frame.scale)
    left, below = (
        (frame.x + wide + 0.3, top) if right >= KEY_BELOW - MARGIN else (frame.x, top + 0.28)
    )
    parts = [
        ruler.at(frame.x, top),
        key_of(shown, right - left, picture.meanings).at(left, below),
    ]
    if beside is not None:
        nook, end = beside
        key = key_of(shown, end[0] - nook[0], picture.meanings).at(*nook)
        parts[1] = replace(key, height=top) if key.height <= end[1] else parts[1]
    low = max(parts[1].height, top + 0.26)
    if picture.setting.ratio is not None:
        parts.append(paper_ruler(sheet, frame.x).at(0.0, low + 0.04))
        low += 0.18
    return replace(together(*parts), height=low)


def seen(picture: FigureContent, frames: Sequence[Frame]) -> list[DrawnMark]:
    """Return the visible marks of all panels."""
    pairs = [
        (seen_in(panel, frame.section), frame.section)
        for panel, frame in zip(picture.panels, frames, strict=True)
    ]
    return [
        mark
        for panel, section in pairs
        for mark in panel.marks
        if isinstance(mark, Label | Printed) or is_shown(mark, section)
    ]


def caption_block(
    picture: FigureContent, width: float, most: int, *, has_callouts: bool = True
) -> Block:
    """Return callouts, sums and caption as a block of a width in inches, with at most `most` paragraphs of caption."""
    top = 0.0
    parts = [Block()]
    for number, sentence in picture.callouts.items() if has_callouts else ():
        parts.append(numbered(f"callout.{number}", number).at(0.0, top))
        parts.append(
            paragraph(f"callout.{number}", sentence, width - HANGING, most=MOST_LINES).at(
                HANGING, top
            )
        )
        top = parts[-1].height + 0.07
    top += 0.04 if top else 0.0
    for number, (said, terms) in enumerate(picture.sums if most and has_callouts else (), start=1):
        parts.append(sum_block(f"sum.{number}", said, terms, min(width, SUM_WIDTH)).at(0.0, top))
        top = parts[-1].height + 0.12
    for number, line in enumerate(picture.caption[:most], start=1):
        parts.append(
            paragraph(f"caption.{number}", line[:MOST_LETTERS], width, most=MOST_LINES).at(0.0, top)
        )
        top = parts[-1].height + 0.05
    return together(*parts, Block(top))


def numbered(name: str, number: int) -> Block:
    """Return the numbered disc before a sentence as a block of no height."""
    middle = (KEY_RADIUS, text.height(1, TEXT) / 2)
    base = middle[1] + text.half_digit(SMALL)
    digit = TextLine(
        f"{name}.number",
        str(number),
        (middle[0], base),
        SMALL,
        typeface="bold",
        colour="page",
        align="center",
    )
    return Block(0.0, (digit,), (Rings(f"{name}.key", "key", (circle(middle, KEY_RADIUS),)),))


def footer_block(picture: FigureContent, ratio: float, sheet: Sheet, most: int) -> Block:
    """Return the small print, if there is room, and the footer with the scale 1 : `ratio` as a block."""
    most_lines = SMALL_PRINT if sheet.zoom == 1.0 else 1
    said = picture.small_print if most else ""
    small = paragraph(
        "small-print", said, sheet.space, size=SMALL, colour="grey", most=most_lines
    ).at(0.0, 0.05)
    board = picture.board
    language = current_language()
    scale = language.say("caption.scale", ratio=language.number(ratio, ".6g"))
    if isinstance(board, HexBoard):
        scale = language.say(
            "caption.hexes", scale=scale, size=language.number(board.hex_inches, "g")
        )
    base = 0.05 + (len(small.words) * text.LINE + text.ASCENT) * SMALL * text.POINT_SIZE
    left = text.wrapped(
        picture.footer, max(sheet.space - text.width(scale, SMALL) - 0.2, 0.3), SMALL, most=1
    )
    game = tuple(TextLine("footer.game", line, (0.0, base), SMALL, colour="grey") for line in left)
    right = TextLine(
        "footer.scale", scale, (sheet.space, base), SMALL, colour="grey", align="right"
    )
    rule = Lines("footer.rule", "rule", (((0.0, 0.02), (sheet.space, 0.02)),))
    high = 0.05 + text.height(len(small.words) + 1, SMALL) + 0.06
    return Block(high, (*small.words, *game, right), (rule,))


# Panels in rows, each with its heading above and its text below.


def cells(
    panels: Sequence[Panel], plan: GridLayout, top: float, sheet: Sheet, most: int
) -> tuple[tuple[Frame, ...], Block]:
    """Return the frames of panels in rows from `top` inches on, and their headings and texts as a block that ends below
    them.

    Each text has at most `most` lines behind its number. The panels of a row begin at the same height.
    """
    frames = list[Frame]()
    told = [Block(top)]
    ends = list[float]()
    start = (
        MARGIN if sheet.space - plan.width - GAP >= LEAST_COLUMN else (sheet.width - plan.width) / 2
    )
    for row in plan.rows:
        wide = [plan.sections[number].width * plan.scale for number in row]
        said = [panels[number].heading for number in row]
        heads = [
            text.wrapped(line, room, HEADING, typeface="title", most=2)
            for line, room in zip(said, wide, strict=True)
        ]
        below = top + max(
            text.height(len(lines), HEADING) + 0.04 if lines else 0.0 for lines in heads
        )
        x = frames[1].x if plan.is_stack and frames else start
        for number, room, lines in zip(row, wide, heads, strict=True):
            panel = panels[number]
            frame = Frame(plan.sections[number], plan.scale, x, below)
            frames.append(frame)
            told.append(
                text_lines(f"{panel.name}.heading", lines, size=HEADING, typeface="title").at(
                    x, top
                )
            )
            hanging = HANGING if panel.key else 0.0
            edge = frame.bottom
            notes = text.wrapped(panel.text, room - hanging, TEXT, most=most) if most else ()
            if notes:
                told.append(text_lines(f"{panel.name}.text", notes).at(x + hanging, edge + 0.05))
                told += (
                    [numbered(f"{panel.name}.text", panel.key).at(x, edge + 0.05)]
                    if panel.key
                    else []
                )
            ends.append(edge + (text.height(len(notes), TEXT) + 0.05 if notes else 0.0))
            x += room + GAP
        top = max(ends[number] for number in row if number or not plan.is_stack) + GAP
    return tuple(frames), together(*told, Block(max(ends)))


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
            return Page(
                sheet.width,
                max(whole.height, sheet.height or 0.0),
                (),
                whole.words,
                whole.marks,
                theme=theme,
            )
    raise UsageError(
        "--size: the figure does not fit; at this width it is {least:.1f} in high",
        least=whole.height,
    )


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
    ink = Ink(
        (mark for mark in panel.marks if not isinstance(mark, Label)),
        frame,
        boxes=kept(printed, is_yielding=True),
    )
    magnified = lenses(panel.marks, frame, ink)
    bodies, grounds = (
        [mark.rings[0] for mark in outlines(panel.marks, kind)] for kind in ("unit", "terrain")
    )
    bodies += [
        ring
        for mark in panel.marks
        if isinstance(mark, Rings | Discs) and mark.role.startswith("loose.")
        for ring in mark.rings
    ]
    placed = place(
        labels,
        frame,
        ink,
        kept=(*kept(printed), *(lens.box for lens in magnified)),
        bodies=bodies,
        grounds=grounds,
    )
    covering = [*(one.box for one in placed), *(lens.box for lens in magnified)]
    return PlacedPanel(panel, frame, placed, without_covered(printed, covering, frame), magnified)


def _is_seen(label: Label, frame: Frame) -> bool:
    """Return whether any part of what a label names is visible in a frame."""
    return around(label.home or label.spots).overlaps(frame.section.grown(1e-9))
