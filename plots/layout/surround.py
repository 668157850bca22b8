"""What surrounds the panels of a page: title and outcomes above, ruler, key, caption and footer below."""

from collections.abc import Sequence

from plots.layout import dice
from plots.layout.frame import Frame
from plots.layout.key import key_marks, paper_ruler, ruler_marks
from plots.layout.labels import KEY_RADIUS
from plots.layout.lines import Words, paragraph, rectangle
from plots.layout.picture import Picture
from plots.layout.sheet import MARGIN, Sheet
from plots.marks import text
from plots.marks.captions import Badge
from plots.marks.mark import Label, LineMark, Mark, Outline, Printed
from plots.marks.panel import seen_in
from plots.marks.section import is_shown
from plots.marks.theme import SMALL, TEXT, TITLE
from tabletop.geometry.pose import Point
from tabletop.table.hexes import HexBoard

NARROW, MOST_LINES, MOST_LETTERS, SMALL_PRINT, HANGING = 5.0, 60, 20_000, 3, 0.22
"""Inches: the width of a page or of its first column up to which the key stands below the ruler; lines of a paragraph of the caption, and
letters of it that are looked at: more is in the description; lines of the small print; inches by which a sentence stands behind its
number."""


def head_of(picture: Picture, sheet: Sheet) -> tuple[float, tuple[Words, ...], tuple[Mark, ...]]:
    """Set title and outcomes; give also where they end."""
    lines = text.wrapped(picture.title, sheet.space, TITLE, bold=True, most=3)
    words = [*paragraph("title", lines, MARGIN, size=TITLE, bold=True)]
    marks: list[Mark] = []
    top = MARGIN + text.height(len(lines), TITLE) + 0.05
    for badge in picture.badges:
        top, badge_words, badge_marks = _badge(badge, top, sheet)
        words += badge_words
        marks += badge_marks
    return top + 0.02, tuple(words), tuple(marks)


def _badge(badge: Badge, top: float, sheet: Sheet) -> tuple[float, tuple[Words, ...], tuple[Mark, ...]]:
    """Set the outcome in a filled box, what it is about behind it or below it where the line is full, and the dice at the right."""
    pad = 0.06
    verdict = text.wrapped(badge.words, sheet.space - 2 * pad, TEXT, bold=True, most=2)
    high = text.height(len(verdict), TEXT) + 0.06
    wide = max(text.width(line, TEXT, bold=True) for line in verdict) + 2 * pad
    box = rectangle(f"{badge.id}.box", f"badge.{badge.outcome}", (MARGIN, top), (MARGIN + wide, top + high))
    words = paragraph(badge.id, verdict, top + 0.03, left=MARGIN + pad, bold=True, colour="page")
    about = text.clean(badge.about)
    low, start = top + high + 0.05, MARGIN + wide + pad
    if text.width(about, TEXT) <= sheet.right - start:
        words += paragraph(f"{badge.id}.about", (about,), top + 0.03, left=start)
        start += text.width(about, TEXT)
    else:
        lines = text.wrapped(about, sheet.space, TEXT, most=3)
        words += paragraph(f"{badge.id}.about", lines, low - 0.01)
        low, start = low - 0.01 + text.height(len(lines), TEXT) + 0.05, sheet.right
    if badge.dice is None:
        return low, words, (box,)
    across = dice.width(badge.dice)
    is_beside = start + 2 * pad + across <= sheet.right
    at = (sheet.right - across, top + (high - dice.SIDE) / 2) if is_beside else (MARGIN, low)
    dice_marks, dice_words = dice.dice_marks(badge.dice, f"{badge.id}.dice", at)
    return (low if is_beside else low + dice.SIDE + 0.05), (*words, *dice_words), (box, *dice_marks)


def ruler_and_key(
    picture: Picture,
    frames: Sequence[Frame],
    top: float,
    sheet: Sheet,
    beside: tuple[Point, Point] | None = None,
    right: float | None = None,
) -> tuple[float, tuple[Mark, ...], tuple[Words, ...]]:
    """Set ruler and key below the panels, and where a scale is given the bar to check a print by; give also where they end.

    The key stands `beside` the panels, between an upper-left and a lower-right corner, if it has room there; else it ends at the `right`.
    """
    right = sheet.right if right is None else right
    language, frame, shown = picture.setting.language, frames[0], seen(picture, frames)
    ruler, ruler_labels, wide = ruler_marks(frame, (frame.x, top), language)
    start = (frame.x + wide + 0.3, top) if right >= NARROW - MARGIN else (frame.x, top + 0.28)
    key, key_labels, low = key_marks(shown, start, right, picture.meanings, language=language)
    if beside is not None:
        nook, end = beside
        own, own_labels, below = key_marks(shown, nook, end[0], picture.meanings, language=language)
        key, key_labels, low = (own, own_labels, top) if below <= end[1] else (key, key_labels, low)
    low = max(low, top + 0.26)
    marks, notes = [*ruler, *key], [*ruler_labels, *key_labels]
    if picture.setting.ratio is not None:
        paper, paper_labels = paper_ruler((frame.x, low + 0.04), sheet, language)
        marks, notes, low = [*marks, *paper], [*notes, *paper_labels], low + 0.18
    words = [Words(name, line, at, SMALL, colour="grey", align=align) for name, line, at, align in notes]
    return low, tuple(marks), tuple(words)


def seen(picture: Picture, frames: Sequence[Frame]) -> list[Mark]:
    """Give what the panels show in their frames."""
    pairs = [(seen_in(panel, frame.section), frame.section) for panel, frame in zip(picture.everything, frames, strict=True)]
    return [mark for panel, section in pairs for mark in panel.marks if isinstance(mark, Label | Printed) or is_shown(mark, section)]


def told_of(
    picture: Picture, at: Point, width: float, most: int, *, has_callouts: bool = True
) -> tuple[float, tuple[Words, ...], tuple[Mark, ...]]:
    """Set the callouts, and of the caption at most so many paragraphs, from an upper-left corner; give also where they end."""
    words: list[Words] = []
    marks: list[Mark] = []
    left, top = at
    for number, sentence in picture.callouts.items() if has_callouts else ():
        lines = text.wrapped(sentence, width - HANGING, TEXT, most=MOST_LINES)
        disc, digit = numbered(f"callout.{number}", number, at=(left, top))
        marks.append(disc)
        words += [digit, *paragraph(f"callout.{number}", lines, top, left=left + HANGING)]
        top += text.height(len(lines), TEXT) + 0.07
    top += 0.04 if marks else 0.0
    for number, line in enumerate(picture.caption[:most]):
        lines = text.wrapped(line[:MOST_LETTERS], width, TEXT, most=MOST_LINES)
        words += paragraph(f"caption.{number + 1}", lines, top, left=left)
        top += text.height(len(lines), TEXT) + 0.05
    return top, tuple(words), tuple(marks)


def numbered(name: str, number: int, *, at: Point) -> tuple[Mark, Words]:
    """Set a number in a disc before the first line of a sentence, of which the upper-left corner is given."""
    middle = (at[0] + KEY_RADIUS, at[1] + text.height(1, TEXT) / 2)
    base = middle[1] + text.DIGIT / 2 * SMALL * text.POINT_SIZE
    digit = Words(f"{name}.number", str(number), (middle[0], base), SMALL, bold=True, colour="page", align="center")
    return Outline(f"{name}.key", "key", dice.circle(middle, KEY_RADIUS)), digit


def foot_of(picture: Picture, ratio: float, top: float, sheet: Sheet, most: int) -> tuple[float, tuple[Words, ...], tuple[Mark, ...]]:
    """Set the small print, if there is room for any, and the footer below it, on a sheet of given height at its end."""
    most_lines = SMALL_PRINT if sheet.zoom == 1.0 else 1
    small = text.wrapped(picture.small_print, sheet.space, SMALL, most=most_lines) if picture.small_print and most else ()
    high = 0.05 + text.height(len(small) + 1, SMALL) + 0.06
    top = max(top, (sheet.height or 0.0) - high)
    rule = LineMark("footer.rule", "rule", ((MARGIN, top + 0.02), (sheet.right, top + 0.02)))
    words = paragraph("small-print", small, top + 0.05, size=SMALL, colour="grey")
    base = top + 0.05 + (len(small) * text.LINE + text.ASCENT) * SMALL * text.POINT_SIZE
    return top + high, (*words, *_footer(picture, ratio, base, sheet)), (rule,)


def _footer(picture: Picture, ratio: float, base: float, sheet: Sheet) -> tuple[Words, ...]:
    """Name the game on the left and the scale on the right."""
    board, language = picture.board, picture.setting.language
    scale = language.say("caption.scale", ratio=f"{ratio:.6g}")
    if isinstance(board, HexBoard):
        scale = language.say("caption.hexes", scale=scale, size=f"{board.hex_inches:g}")
    left = text.wrapped(picture.footer, max(sheet.space - text.width(scale, SMALL) - 0.2, 0.3), SMALL, most=1)
    game = tuple(Words("footer.game", line, (MARGIN, base), SMALL, colour="grey") for line in left)
    return (*game, Words("footer.scale", scale, (sheet.right, base), SMALL, colour="grey", align="right"))
