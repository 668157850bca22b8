"""Blocks: parts of a page as words and marks at their places, such as paragraphs, bar charts of chances, and dice.

All lengths are inches of the page, y downwards from its top.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from plots.layout import text
from plots.layout.setting import MARGIN, Sheet
from plots.marks.language import ENGLISH, Language
from plots.marks.mark import Lines, Mark, Points, Rings
from plots.marks.theme import SMALL, TEXT, Tone
from tabletop.geometry.pose import Point
from tabletop.ruling.evidence import Dice
from tabletop.ruling.odds import TotalOdds
from tabletop.table.dice import SIDES as CUBE

HIGH, WIDE, AXIS, HEADROOM = 1.1, 3.1, 0.38, 0.16
"""Inches: height and width of the columns' field, room to its left for the scale, and above it for the fractions."""

SHARE, ROW, BAR, PAD = 0.62, 0.2, 0.11, 0.08
"""Share of a column's room that it fills; height of a row, of its bar, and space between its parts, in inches."""

TOPS = (Fraction(1, 5), Fraction(3, 10), Fraction(2, 5), Fraction(3, 5), Fraction(4, 5), Fraction(1))

LEAST_BAR = Fraction(1, 2000)

MOST_LETTERS = 11
"""Letters of a fraction that is still read."""

DIE_SIDE, DIE_GAP, ROUND, PIP = 0.17, 0.05, 0.03, 0.016
"""Inches: side of a die, room between two, radius of its corners and of a pip."""

EDGE, FACE = 0.1, 6.0
"""Inches from the middle of a die of other than six sides to its corners, and points of the number on it."""

PLACES: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where the pips of each face stand, in thirds of half a side from its middle."""


@dataclass(frozen=True)
class Words:
    """One line of text of the page: its baseline's end or middle in inches from the page's upper-left corner, y downwards."""

    id: str
    text: str
    at: Point
    size: float = TEXT
    bold: bool = False
    colour: Tone = "ink"
    align: str = "left"


def paragraph(
    name: str, lines: Sequence[str], top: float, *, left: float = MARGIN, size: float = TEXT, bold: bool = False, colour: Tone = "ink"
) -> tuple[Words, ...]:
    """Set lines below each other, the first one's top at `top`."""
    first, leading = top + text.ASCENT * size * text.POINT_SIZE, text.LINE * size * text.POINT_SIZE
    places = [(left, first + number * leading) for number in range(len(lines))]
    return tuple(
        Words(f"{name}.{number}", line, at, size, bold, colour)
        for number, (line, at) in enumerate(zip(lines, places, strict=True), start=1)
    )


def rectangle(name: str, role: str, upper_left: Point, lower_right: Point) -> Mark:
    """Outline a box of the page."""
    (west, north), (east, south) = upper_left, lower_right
    return Rings(name, role, (((west, north), (east, north), (east, south), (west, south)),))


@dataclass(frozen=True)
class Block:
    """A part of the page: where it ends, in inches from the top, with its words and marks."""

    bottom: float
    words: tuple[Words, ...] = ()
    marks: tuple[Mark, ...] = ()


def together(blocks: Iterable[Block]) -> Block:
    """Make one part of several, which ends where the lowest does."""
    parts = tuple(blocks)
    words = tuple(word for part in parts for word in part.words)
    return Block(max(part.bottom for part in parts), words, tuple(mark for part in parts for mark in part.marks))


def across(name: str, said: str, at: float, sheet: Sheet, *, size: float = TEXT, bold: bool = False, colour: Tone = "ink") -> Block:
    """Set a paragraph from a height of the page on, as wide as the page."""
    lines = text.wrapped(said, sheet.space, size, bold=bold, most=6)
    return Block(at + text.height(len(lines), size), paragraph(name, lines, at, size=size, bold=bold, colour=colour))


def footer(said: str, at: float, sheet: Sheet) -> Block:
    """Set a line in small letters below a rule across the page at a height."""
    rule = Lines("footer.rule", "rule", (((MARGIN, at), (sheet.right, at)),))
    base = at + 0.03 + text.ASCENT * SMALL * text.POINT_SIZE
    words = Words("footer.game", text.wrapped(said, sheet.space, SMALL, most=1)[0], (MARGIN, base), SMALL, colour="grey")
    return Block(base + text.DESCENT * SMALL * text.POINT_SIZE + 0.06, (words,), (rule,))


# Chances: columns by roll, and rows by outcome.


@dataclass(frozen=True)
class Row:
    """A chance with its name; `role` is the look of its bar."""

    id: str
    label: str
    role: str
    chance: Fraction


def percent(chance: Fraction, language: Language = ENGLISH) -> str:
    """Write a chance as a percentage that never reads as none or as certain unless it is.

    Examples
    --------
    >>> percent(Fraction(1, 6)), percent(Fraction(1, 2)), percent(Fraction(1, 10**6)), percent(1 - Fraction(1, 10**6))
    ('16.7%', '50%', '<0.1%', '>99.9%')
    """
    if 0 < chance < LEAST_BAR:
        return f"<{language.number(0.1, 'g')}%"
    if 1 - LEAST_BAR < chance < 1:
        return f">{language.number(99.9, 'g')}%"
    rounded = round(float(100 * chance), 1)
    return f"{language.number(rounded, '.0f' if rounded.is_integer() else '.1f')}%"


def share(chance: Fraction, language: Language = ENGLISH) -> str:
    """Write a chance as fraction and percentage, or where nobody would read the fraction as percentage alone."""
    written, rounded = str(chance), percent(chance, language)
    if chance in (0, 1) or len(written) > MOST_LETTERS:
        return rounded
    return f"{written} {rounded[0]} {rounded[1:]}" if rounded[0] in "<>" else f"{written} = {rounded}"


def scale_top(chances: Iterable[Fraction]) -> Fraction:
    """Choose the upper end of a scale of chances: a round one that holds the greatest."""
    greatest = max(chances, default=Fraction(0))
    return next(top for top in TOPS if greatest <= top)


def columns(name: str, totals: Sequence[TotalOdds], at: Point, *, top: Fraction, wide: float = WIDE, language: Language = ENGLISH) -> Block:
    """Draw a column per total, as high as its chance and parted by outcome, from an upper-left corner.

    `top` ends the scale, `wide` is the width of the field in inches.
    """
    left, base = at[0] + AXIS, at[1] + HEADROOM + HIGH
    room = wide / len(totals)
    written = [str(one.chance) for one in totals]
    if any(text.width(fraction, SMALL) > 0.95 * room for fraction in written):
        written = [percent(one.chance, language) for one in totals]
    parts = [_scale(name, (left, base), top, wide)]
    for number, one in enumerate(totals):
        middle = left + (number + 0.5) * room
        parts.append(_column(f"{name}.roll.{one.total}", one, (middle, base), half=SHARE * room / 2, unit=HIGH / float(top)))
        high = base - float(one.chance / top) * HIGH
        parts.append(_column_words(f"{name}.roll.{one.total}", (str(one.total), written[number]), (middle, high), base=base))
    low = base + 0.04 + text.height(1, TEXT)
    line = low + text.ASCENT * SMALL * text.POINT_SIZE
    words = Words(f"{name}.axis", language.words["odds.axis"], (left + wide / 2, line), SMALL, colour="grey", align="center")
    return together([*parts, Block(low + text.height(1, SMALL), (words,))])


def _scale(name: str, origin: Point, top: Fraction, wide: float) -> Block:
    """Draw the base line and the lines of round percentages with their numbers."""
    left, base = origin
    step = Fraction(1, 10) if top <= Fraction(2, 5) else Fraction(1, 5)
    ticks = [step * number for number in range(int(top / step) + 1)]
    words, marks = [], []
    for tick in ticks:
        y = base - HIGH * float(tick / top)
        marks.append(Lines(f"{name}.scale.{int(100 * tick)}", "odds.axis" if tick == 0 else "rule", (((left, y), (left + wide, y)),)))
        words.append(
            Words(
                f"{name}.percent.{int(100 * tick)}", percent(tick), (left - 0.05, _centred(y, SMALL)), SMALL, colour="grey", align="right"
            )
        )
    return Block(base, tuple(words), tuple(marks))


def _centred(middle: float, size: float) -> float:
    """Give the baseline of digits whose middle is at a height of the page."""
    return middle + 0.365 * size * text.POINT_SIZE


def _column(name: str, one: TotalOdds, foot: Point, *, half: float, unit: float) -> Block:
    x, low = foot
    marks = []
    for outcome, chance in one.outcomes.items():
        if chance:
            high = low - float(chance) * unit
            marks.append(rectangle(f"{name}.{outcome}", f"odds.{outcome}", (x - half, high), (x + half, low)))
            low = high
    return Block(foot[1], (), tuple(marks))


def _column_words(name: str, shown: tuple[str, str], top: Point, *, base: float) -> Block:
    """Write the total below a column and its chance above it, on paper of its own over the lines of the scale."""
    total, chance = shown
    below = Words(f"{name}.total", total, (top[0], base + 0.03 + text.ASCENT * TEXT * text.POINT_SIZE), bold=True, align="center")
    above = Words(f"{name}.chance", chance, (top[0], top[1] - 0.035), SMALL, align="center")
    half, high = text.width(chance, SMALL) / 2 + 0.02, top[1] - 0.035 - text.ASCENT * SMALL * text.POINT_SIZE
    paper = rectangle(f"{name}.paper", "odds.paper", (top[0] - half, high), (top[0] + half, top[1]))
    return Block(base, (below, above), (paper,))


def rows(entries: Sequence[Row], at: Point, *, width: float, most_label: float, language: Language = ENGLISH) -> Block:
    """Draw a bar per chance below each other, on a track that stands for certainty: name, bar, numbers."""
    labels = [text.wrapped(entry.label, most_label, TEXT, most=1)[0] for entry in entries]
    values = [share(entry.chance, language) for entry in entries]
    start = at[0] + max(text.width(label, TEXT) for label in labels) + PAD
    end = at[0] + width - max(text.width(value, TEXT) for value in values) - PAD
    return together(
        _row(entry, (label, value), (at[0], at[1] + number * ROW), (start, end))
        for number, (entry, label, value) in enumerate(zip(entries, labels, values, strict=True))
    )


def _row(entry: Row, shown: tuple[str, str], at: Point, track: tuple[float, float]) -> Block:
    (start, end), middle = track, at[1] + ROW / 2
    high, low, line = middle - BAR / 2, middle + BAR / 2, _centred(middle, TEXT)
    label, value = Words(f"{entry.id}.name", shown[0], (at[0], line)), Words(f"{entry.id}.chance", shown[1], (end + PAD, line))
    marks: list[Mark] = [rectangle(f"{entry.id}.track", "odds.track", (start, high), (end, low))]
    if entry.chance:
        marks.append(rectangle(f"{entry.id}.bar", entry.role, (start, high), (start + float(entry.chance) * (end - start), low)))
    return Block(at[1] + ROW, (label, value), tuple(marks))


# Dice: pips in rounded squares, the number on any other.


def dice_width(dice: Dice) -> float:
    """Give the inches across that dice take with their words."""
    return _faces_width(dice) + text.width(text.clean(dice.words), TEXT, bold=True)


def _faces_width(dice: Dice) -> float:
    return (len(dice.faces) + len(dice.ignored)) * (DIE_SIDE + DIE_GAP)


def dice_marks(dice: Dice, name: str, at: Point) -> tuple[tuple[Mark, ...], tuple[Words, ...]]:
    """Draw dice in a row from an upper-left corner, those that do not count pale and first, and what the others make behind them."""
    x, y = at
    told = [*(("die_ignored", "pip_ignored", face) for face in dice.ignored), *(("die", "pip", face) for face in dice.faces)]
    marks: list[Mark] = []
    words: list[Words] = []
    for number, (die, pip, face) in enumerate(told):
        one, corner = f"{name}.{number + 1}", (x + number * (DIE_SIDE + DIE_GAP), y)
        if dice.sides == CUBE:
            marks += _die(one, (die, pip), face, corner)
        else:
            marks.append(_many_sided(one, die, corner))
            words.append(_face(f"{one}.face", face, corner))
    base = _centred(y + DIE_SIDE / 2, TEXT)
    words.append(Words(f"{name}.words", text.clean(dice.words), (x + _faces_width(dice), base), TEXT, bold=True))
    return tuple(marks), tuple(words)


def _die(name: str, roles: Sequence[str], face: int, at: Point) -> tuple[Mark, ...]:
    middle = (at[0] + DIE_SIDE / 2, at[1] + DIE_SIDE / 2)
    pips = tuple(circle((middle[0] + right * DIE_SIDE / 4, middle[1] + down * DIE_SIDE / 4), PIP) for right, down in PLACES[face])
    return (Rings(name, roles[0], (_rounded(at),)), Rings(f"{name}.pips", roles[1], pips))


def _rounded(at: Point) -> Points:
    corners = (
        (DIE_SIDE - ROUND, ROUND, -0.25),
        (DIE_SIDE - ROUND, DIE_SIDE - ROUND, 0.0),
        (ROUND, DIE_SIDE - ROUND, 0.25),
        (ROUND, ROUND, 0.5),
    )
    return tuple(point for x, y, start in corners for point in _arc((at[0] + x, at[1] + y), ROUND, start, 0.25, 4))


def _many_sided(name: str, role: str, at: Point) -> Mark:
    """Outline a die of other than six sides: it stands on a corner."""
    middle = (at[0] + DIE_SIDE / 2, at[1] + DIE_SIDE / 2)
    return Rings(name, role, (_arc(middle, EDGE, 0.25, 1.0, 6)[:-1],))


def _face(name: str, face: int, at: Point) -> Words:
    """Write the face of a die into its middle."""
    base = at[1] + DIE_SIDE / 2 + text.DIGIT / 2 * FACE * text.POINT_SIZE
    return Words(name, str(face), (at[0] + DIE_SIDE / 2, base), FACE, bold=True, align="center")


def circle(middle: Point, radius: float) -> Points:
    """Give the corners of a disc."""
    return _arc(middle, radius, 0.0, 1.0, 16)[:-1]


def _arc(middle: Point, radius: float, start: float, sweep: float, parts: int) -> Points:
    """Give points of an arc by turns: where it starts and how far it goes."""
    angles = (math.tau * (start + sweep * part / parts) for part in range(parts + 1))
    return tuple((middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)) for angle in angles)
