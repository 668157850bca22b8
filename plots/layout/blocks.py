"""Blocks: parts of a page with texts and marks, such as paragraphs, bar charts of chances, and dice.

All lengths are in inches on the page, with y downwards.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from plots.layout import text
from plots.marks.mark import DrawnMark, Lines, Points, Rings
from plots.marks.theme import SMALL, TEXT, Tone, Typeface
from tabletop.geometry.pose import Point
from tabletop.language.language import current_language
from tabletop.ruling.contrast import Term
from tabletop.ruling.evidence import Dice
from tabletop.ruling.odds import TotalOdds
from tabletop.table.dice import SIDES as CUBE

HIGH, WIDE, AXIS, HEADROOM = 1.1, 3.1, 0.38, 0.16
"""Height and width of the column chart in inches, space at its left for the scale, and above it for fractions."""

BASE = HEADROOM + HIGH
"""Offset of the columns from the top, in inches."""

SHARE, ROW, BAR, PAD = 0.62, 0.2, 0.11, 0.08
"""Share of its space that a column fills; height of a row and of its bar, and spacing of its parts, in inches."""

TOPS = (
    Fraction(1, 5),
    Fraction(3, 10),
    Fraction(2, 5),
    Fraction(3, 5),
    Fraction(4, 5),
    Fraction(1),
)

LEAST_BAR = Fraction(1, 2000)

MOST_LETTERS = 11
"""Number of digits up to which a fraction is shown."""

DIE_SIDE, DIE_GAP, ROUND, PIP = 0.17, 0.05, 0.03, 0.016
"""Side of a die, spacing, corner radius and pip radius, in inches."""

EDGE, FACE = 0.1, 6.0
"""Centre to vertex of dice that are not six-sided, in inches, and text size of their number in points."""

PART, BETWEEN, COUNT = 0.2, 0.16, 14.0
"""Inches: height of a sum's bar, and space about a sign between two numbers; size in points of a sum's numbers."""

PLACES: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Pip positions of each face, in thirds of half a side from the centre."""


@dataclass(frozen=True)
class TextLine:
    """Line of text on a page; `at` is the left end, middle or right end of its baseline by `align`, in inches from the
    upper-left corner.

    y is downwards; `size` is in points.
    """

    id: str
    text: str
    at: Point
    size: float = TEXT
    typeface: Typeface = "plain"
    colour: Tone = "ink"
    align: str = "left"


@dataclass(frozen=True)
class Block:
    """Part of a page with its height in inches: texts and marks in inches from its upper-left corner, y downwards."""

    height: float = 0.0
    words: tuple[TextLine, ...] = ()
    marks: tuple[DrawnMark, ...] = ()

    def at(self, left: float, top: float) -> "Block":
        """Return the block moved to the position (left, top) in inches; the space above it becomes part of its
        height.
        """

        def move(point: Point) -> Point:
            """Return a point shifted by (left, top)."""
            return (left + point[0], top + point[1])

        words = tuple(replace(word, at=move(word.at)) for word in self.words)
        return Block(top + self.height, words, tuple(mark.mapped(move) for mark in self.marks))


def together(*blocks: Block) -> Block:
    """Return one block of several, unmoved; its height is the greatest of theirs."""
    words = tuple(word for block in blocks for word in block.words)
    return Block(
        max((block.height for block in blocks), default=0.0),
        words,
        tuple(mark for block in blocks for mark in block.marks),
    )


def stack(blocks: Iterable[Block], gap: float) -> Block:
    """Return one block of several below each other, `gap` inches apart."""
    top = 0.0
    placed = []
    for block in blocks:
        placed.append(block.at(0.0, top))
        top = placed[-1].height + gap
    return together(*placed)


def text_lines(
    name: str,
    lines: Sequence[str],
    *,
    size: float = TEXT,
    typeface: Typeface = "plain",
    colour: Tone = "ink",
) -> Block:
    """Return lines of text below each other as a block; `size` is in points, and ids begin with `name`."""
    bases = (text.ASCENT + number * text.LINE for number in range(len(lines)))
    words = (
        TextLine(
            f"{name}.{number}", line, (0.0, base * size * text.POINT_SIZE), size, typeface, colour
        )
        for number, (line, base) in enumerate(zip(lines, bases, strict=True), start=1)
    )
    return Block(text.height(len(lines), size), tuple(words))


def paragraph(
    name: str,
    said: str,
    width: float,
    *,
    size: float = TEXT,
    typeface: Typeface = "plain",
    colour: Tone = "ink",
    most: int | None = 6,
) -> Block:
    """Return a text wrapped to a width in inches as a block, limited to `most` lines."""
    return text_lines(
        name,
        text.wrapped(said, width, size, typeface=typeface, most=most),
        size=size,
        typeface=typeface,
        colour=colour,
    )


def rectangle(name: str, role: str, upper_left: Point, lower_right: Point) -> DrawnMark:
    """Return the outline of a box on the page as a mark."""
    west, north = upper_left
    east, south = lower_right
    return Rings(name, role, (((west, north), (east, north), (east, south), (west, south)),))


def footer(said: str, width: float) -> Block:
    """Return a line of small text below a rule of a width in inches as a block."""
    rule = Lines("footer.rule", "rule", (((0.0, 0.0), (width, 0.0)),))
    base = 0.03 + text.ascent(SMALL)
    words = TextLine(
        "footer.game",
        text.wrapped(said, width, SMALL, most=1)[0],
        (0.0, base),
        SMALL,
        colour="grey",
    )
    return Block(base + text.DESCENT * SMALL * text.POINT_SIZE + 0.06, (words,), (rule,))


# Chances: columns by roll, rows by outcome.


@dataclass(frozen=True)
class Row:
    """A chance with its label, for a row of bars; `role` is the style of its bar."""

    id: str
    label: str
    role: str
    chance: Fraction


def percent(chance: Fraction) -> str:
    """Return a chance as a percentage with one decimal that shows 0% or 100% only if it is exact.

    Examples
    --------
    >>> percent(Fraction(1, 6)), percent(Fraction(1, 2)), percent(Fraction(1, 10**6)), percent(1 - Fraction(1, 10**6))
    ('16.7%', '50%', '<0.1%', '>99.9%')
    """
    language = current_language()
    if 0 < chance < LEAST_BAR:
        return f"<{language.number(0.1, 'g')}%"
    if 1 - LEAST_BAR < chance < 1:
        return f">{language.number(99.9, 'g')}%"
    rounded = round(float(100 * chance), 1)
    return f"{language.number(rounded, '.0f' if rounded.is_integer() else '.1f')}%"


def share(chance: Fraction) -> str:
    """Return a chance as text: fraction and percentage, or only the percentage if the fraction is too long or 0
    or 1.
    """
    written = str(chance)
    rounded = percent(chance)
    if chance in (0, 1) or len(written) > MOST_LETTERS:
        return rounded
    return (
        f"{written} {rounded[0]} {rounded[1:]}" if rounded[0] in "<>" else f"{written} = {rounded}"
    )


def scale_top(chances: Iterable[Fraction]) -> Fraction:
    """Return the least of the round upper ends `TOPS` of a scale that is at least the greatest chance."""
    greatest = max(chances, default=Fraction(0))
    return next(top for top in TOPS if greatest <= top)


def columns(name: str, totals: Sequence[TotalOdds], *, top: Fraction, wide: float = WIDE) -> Block:
    """Return a block with a column chart: one column per total, stacked by outcome, with the scale at the left.

    `top` is the chance at the end of the scale, `wide` the chart's width in inches.
    """
    room = wide / len(totals)
    written = [str(one.chance) for one in totals]
    if any(text.width(fraction, SMALL) > 0.95 * room for fraction in written):
        written = [percent(one.chance) for one in totals]
    parts = [
        _column(f"{name}.roll.{one.total}", one, chance, half=SHARE * room / 2, top=top).at(
            AXIS + (number + 0.5) * room, 0.0
        )
        for number, (one, chance) in enumerate(zip(totals, written, strict=True))
    ]
    low = BASE + 0.04 + text.height(1, TEXT)
    line = low + text.ascent(SMALL)
    words = TextLine(
        f"{name}.axis",
        current_language().words["odds.axis"],
        (AXIS + wide / 2, line),
        SMALL,
        colour="grey",
        align="center",
    )
    return together(_scale(name, top, wide), *parts, Block(low + text.height(1, SMALL), (words,)))


def _scale(name: str, top: Fraction, wide: float) -> Block:
    """Return a block with the base line and the lines of round percentages with their numbers."""
    step = Fraction(1, 10) if top <= Fraction(2, 5) else Fraction(1, 5)
    words = []
    marks = []
    for tick in (step * number for number in range(int(top / step) + 1)):
        y = BASE - HIGH * float(tick / top)
        number = int(100 * tick)
        marks.append(
            Lines(
                f"{name}.scale.{number}",
                "rule" if tick else "odds.axis",
                (((AXIS, y), (AXIS + wide, y)),),
            )
        )
        at = (AXIS - 0.05, _centred(y, SMALL))
        words.append(
            TextLine(
                f"{name}.percent.{number}", percent(tick), at, SMALL, colour="grey", align="right"
            )
        )
    return Block(BASE, tuple(words), tuple(marks))


def _centred(middle: float, size: float) -> float:
    """Return the y of the baseline of digits of `size` points that are centred at the height `middle`, in inches."""
    return middle + 0.365 * size * text.POINT_SIZE


def _column(name: str, one: TotalOdds, chance: str, *, half: float, top: Fraction) -> Block:
    """Return a block with a column about x = 0, its total below and its chance above on a background that covers the
    scale's lines.
    """
    high = BASE
    marks = []
    for outcome, part in one.outcomes.items():
        if part:
            low = high
            high = high - float(part) * HIGH / float(top)
            marks.append(
                rectangle(f"{name}.{outcome}", f"odds.{outcome}", (-half, high), (half, low))
            )
    below = TextLine(
        f"{name}.total",
        str(one.total),
        (0.0, BASE + 0.03 + text.ascent(TEXT)),
        typeface="bold",
        align="center",
    )
    above = TextLine(f"{name}.chance", chance, (0.0, high - 0.035), SMALL, align="center")
    aside = text.width(chance, SMALL) / 2 + 0.02
    upper = high - 0.035 - text.ascent(SMALL)
    paper = rectangle(f"{name}.paper", "odds.paper", (-aside, upper), (aside, high))
    return Block(BASE, (below, above), (*marks, paper))


def rows(entries: Sequence[Row], *, width: float, most_label: float) -> Block:
    """Return a block with a row per chance: label, horizontal bar on a track that stands for 100%, and numbers.

    `width` is that of the block and `most_label` the greatest of a label, in inches.
    """
    labels = [text.wrapped(entry.label, most_label, TEXT, most=1)[0] for entry in entries]
    values = [share(entry.chance) for entry in entries]
    start = max(text.width(label, TEXT) for label in labels) + PAD
    end = width - max(text.width(value, TEXT) for value in values) - PAD
    return stack(
        (
            _row(entry, shown, (start, end))
            for entry, *shown in zip(entries, labels, values, strict=True)
        ),
        0.0,
    )


def _row(entry: Row, shown: Sequence[str], track: tuple[float, float]) -> Block:
    start, end = track
    high = (ROW - BAR) / 2
    low = (ROW + BAR) / 2
    line = _centred(ROW / 2, TEXT)
    label = TextLine(f"{entry.id}.name", shown[0], (0.0, line))
    value = TextLine(f"{entry.id}.chance", shown[1], (end + PAD, line))
    marks = [rectangle(f"{entry.id}.track", "odds.track", (start, high), (end, low))]
    if entry.chance:
        marks.append(
            rectangle(
                f"{entry.id}.bar",
                entry.role,
                (start, high),
                (start + float(entry.chance) * (end - start), low),
            )
        )
    return Block(ROW, (label, value), tuple(marks))


# Sums of a mechanism: a bar of its parts, or an equation.


def sum_block(name: str, said: str, terms: Sequence[Term], width: float) -> Block:
    """Return a sum as a block of a width in inches: its heading or sentence, and below it its terms with the result
    last.

    Parts that add up to the first or last term are drawn as segments of a bar in proportion; other terms as an
    equation.
    """
    head = paragraph(name, said, width, typeface="bold")
    values = [term.value for term in terms]
    if len(values) > 2 and abs(sum(values[:-1]) - values[-1]) < 1e-9:  # noqa: PLR2004
        return stack(
            (
                head,
                _parts(name, terms[1:] if min(values[1:-1]) < 0 else terms[:-1], width),
            ),
            0.05,
        )
    return stack((head, _equation(name, terms, width)), 0.05)


def _parts(name: str, terms: Sequence[Term], width: float) -> Block:
    """Return a bar whose segments are in proportion to terms, each with its number in it and its label below."""
    scale = width / sum(abs(term.value) for term in terms)
    left = 0.0
    marks = list[DrawnMark]()
    words = list[TextLine]()
    for place, term in enumerate(terms):
        right = left + scale * abs(term.value)
        role = "sum_left" if term.value > 0 else "sum_taken"
        marks.append(rectangle(f"{name}.part.{place + 1}", role, (left, 0.0), (right, PART)))
        middle = (left + right) / 2
        room = right - left - 0.04
        number = current_language().number(abs(term.value), "g")
        value = TextLine(
            f"{name}.value.{place + 1}",
            number,
            (middle, _centred(PART / 2, TEXT)),
            TEXT,
            "bold",
            align="center",
        )
        label = text.wrapped(term.label, max(room, 0.3), SMALL, most=1)[0]
        under = TextLine(
            f"{name}.label.{place + 1}",
            label,
            (middle, PART + 0.13),
            SMALL,
            colour="grey",
            align="center",
        )
        words += [
            one
            for one in (value, under)
            if text.width(one.text, one.size, typeface=one.typeface) <= max(room, 0.0)
        ]
        left = right
    return Block(PART + 0.18, tuple(words), tuple(marks))


def _equation(name: str, terms: Sequence[Term], width: float) -> Block:
    """Return numbers in a row, the signs that join them, and their labels below if the width is enough for them."""
    values = [current_language().number(abs(term.value), "g") for term in terms]
    signs = [term.operator or ("\N{MINUS SIGN}" if term.value < 0 else "") for term in terms]
    gaps = [text.width(sign, TEXT, typeface="bold") + BETWEEN if sign else 0.0 for sign in signs]
    columns = [text.width(value, COUNT, typeface="title") for value in values]
    least = [
        max(column, _widest(term.label.split(), SMALL))
        for column, term in zip(columns, terms, strict=True)
    ]
    spare = (width - sum(least) - sum(gaps)) / len(terms)
    left = 0.0
    blocks = list[Block]()
    for place, term in enumerate(terms):
        lines = text.wrapped(term.label, least[place] + spare, SMALL) if spare > 0.0 else ()
        left = left + gaps[place]
        column = max(columns[place], _widest(lines, SMALL))
        middle = left + column / 2
        aside = left - gaps[place] / 2
        value = TextLine(
            f"{name}.value.{place + 1}",
            values[place],
            (middle, 0.2),
            COUNT,
            "title",
            align="center",
        )
        sign = TextLine(
            f"{name}.sign.{place + 1}",
            signs[place],
            (aside, 0.18),
            TEXT,
            "bold",
            colour="grey",
            align="center",
        )
        below = text_lines(
            f"{name}.label.{place + 1}",
            lines,
            size=SMALL,
            colour="grey" if term is not terms[-1] else "ink",
        )
        labels = replace(
            below,
            words=tuple(
                replace(one, at=(middle, one.at[1]), align="center") for one in below.words
            ),
        ).at(0.0, 0.25)
        blocks.append(together(Block(0.25, (value, sign) if signs[place] else (value,)), labels))
        left += column
    return together(*blocks)


def _widest(lines: Iterable[str], size: float) -> float:
    return max((text.width(line, size) for line in lines), default=0.0)


# Dice: pips on six-sided dice, numbers on others.


def dice_width(dice: Dice) -> float:
    """Return the width in inches of a row of dice with their words."""
    return _faces_width(dice) + text.width(text.clean(dice.words), TEXT, typeface="bold")


def _faces_width(dice: Dice) -> float:
    return (len(dice.faces) + len(dice.ignored)) * (DIE_SIDE + DIE_GAP)


def dice_row(dice: Dice, name: str) -> Block:
    """Return a block with dice in a row, those that do not count first and pale, followed by the words on the
    others.
    """
    told = [
        *(("die_ignored", "pip_ignored", face) for face in dice.ignored),
        *(("die", "pip", face) for face in dice.faces),
    ]
    drawn = _cube if dice.sides == CUBE else _many_sided
    parts = [
        drawn(f"{name}.{number + 1}", die, pip, face).at(number * (DIE_SIDE + DIE_GAP), 0.0)
        for number, (die, pip, face) in enumerate(told)
    ]
    at = (_faces_width(dice), _centred(DIE_SIDE / 2, TEXT))
    return together(
        *parts,
        Block(
            DIE_SIDE,
            (TextLine(f"{name}.words", text.clean(dice.words), at, TEXT, typeface="bold"),),
        ),
    )


def _cube(name: str, die: str, pip: str, face: int) -> Block:
    corners = (
        (DIE_SIDE - ROUND, ROUND, -0.25),
        (DIE_SIDE - ROUND, DIE_SIDE - ROUND, 0.0),
        (ROUND, DIE_SIDE - ROUND, 0.25),
        (ROUND, ROUND, 0.5),
    )
    ring = tuple(point for x, y, start in corners for point in _arc((x, y), ROUND, start, 0.25, 4))
    pips = tuple(
        circle(((2 + right) * DIE_SIDE / 4, (2 + down) * DIE_SIDE / 4), PIP)
        for right, down in PLACES[face]
    )
    return Block(DIE_SIDE, (), (Rings(name, die, (ring,)), Rings(f"{name}.pips", pip, pips)))


def _many_sided(name: str, die: str, _pip: str, face: int) -> Block:
    """Return a block with a die that is not six-sided: a hexagon on its vertex, with the number in its centre."""
    outline = Rings(name, die, (_arc((DIE_SIDE / 2, DIE_SIDE / 2), EDGE, 0.25, 1.0, 6)[:-1],))
    base = DIE_SIDE / 2 + text.half_digit(FACE)
    return Block(
        DIE_SIDE,
        (
            TextLine(
                f"{name}.face",
                str(face),
                (DIE_SIDE / 2, base),
                FACE,
                typeface="bold",
                align="center",
            ),
        ),
        (outline,),
    )


def circle(middle: Point, radius: float) -> Points:
    """Return the vertices of a polygon that stands for a disc."""
    return _arc(middle, radius, 0.0, 1.0, 16)[:-1]


def _arc(middle: Point, radius: float, start: float, sweep: float, parts: int) -> Points:
    """Return points of an arc about `middle`; `start` and `sweep` are in full turns."""
    angles = (math.tau * (start + sweep * part / parts) for part in range(parts + 1))
    return tuple(
        (middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle))
        for angle in angles
    )
