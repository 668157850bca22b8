"""Dice as one sees them: pips in rounded squares, in page inches, y downwards."""

import math
from collections.abc import Sequence

from plots.layout.lines import Words
from plots.marks import text
from plots.marks.mark import GridMark, Mark, Outline, Points
from plots.marks.theme import TEXT
from tabletop.geometry.pose import Point
from tabletop.ruling.evidence import Dice
from tabletop.table.dice import SIDES as CUBE

SIDE, GAP, ROUND, PIP = 0.17, 0.05, 0.03, 0.016
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


def width(dice: Dice) -> float:
    """Give the inches across that dice take with their words."""
    return _wide(dice) + text.width(text.clean(dice.words), TEXT, bold=True)


def _wide(dice: Dice) -> float:
    return (len(dice.faces) + len(dice.ignored)) * (SIDE + GAP)


def dice_marks(dice: Dice, name: str, at: Point) -> tuple[tuple[Mark, ...], tuple[Words, ...]]:
    """Draw dice in a row from an upper-left corner, those that do not count pale and first, and what the others make behind them."""
    x, y = at
    told = [*(("die_ignored", "pip_ignored", face) for face in dice.ignored), *(("die", "pip", face) for face in dice.faces)]
    marks: list[Mark] = []
    words: list[Words] = []
    for number, (die, pip, face) in enumerate(told):
        one, corner = f"{name}.{number + 1}", (x + number * (SIDE + GAP), y)
        if dice.sides == CUBE:
            marks += _die(one, (die, pip), face, corner)
        else:
            marks.append(_many_sided(one, die, corner))
            words.append(_face(f"{one}.face", face, corner))
    base = y + SIDE / 2 + 0.365 * TEXT * text.POINT_SIZE
    words.append(Words(f"{name}.words", text.clean(dice.words), (x + _wide(dice), base), TEXT, bold=True))
    return tuple(marks), tuple(words)


def _die(name: str, roles: Sequence[str], face: int, at: Point) -> tuple[Mark, ...]:
    middle = (at[0] + SIDE / 2, at[1] + SIDE / 2)
    pips = tuple(circle((middle[0] + right * SIDE / 4, middle[1] + down * SIDE / 4), PIP) for right, down in PLACES[face])
    return (Outline(name, roles[0], _rounded(at)), GridMark(f"{name}.pips", roles[1], pips))


def _many_sided(name: str, role: str, at: Point) -> Mark:
    """Outline a die of other than six sides: it stands on a corner."""
    middle = (at[0] + SIDE / 2, at[1] + SIDE / 2)
    return Outline(name, role, _arc(middle, EDGE, 0.25, 1.0, 6)[:-1])


def _face(name: str, face: int, at: Point) -> Words:
    """Write the face of a die into its middle."""
    base = at[1] + SIDE / 2 + text.DIGIT / 2 * FACE * text.POINT_SIZE
    return Words(name, str(face), (at[0] + SIDE / 2, base), FACE, bold=True, align="center")


def _rounded(at: Point) -> Points:
    corners = ((SIDE - ROUND, ROUND, -0.25), (SIDE - ROUND, SIDE - ROUND, 0.0), (ROUND, SIDE - ROUND, 0.25), (ROUND, ROUND, 0.5))
    return tuple(point for x, y, start in corners for point in _arc((at[0] + x, at[1] + y), ROUND, start, 0.25, 4))


def circle(middle: Point, radius: float) -> Points:
    """Give the corners of a disc."""
    return _arc(middle, radius, 0.0, 1.0, 16)[:-1]


def _arc(middle: Point, radius: float, start: float, sweep: float, parts: int) -> Points:
    """Give points of an arc by turns: where it starts and how far it goes."""
    angles = (math.tau * (start + sweep * part / parts) for part in range(parts + 1))
    return tuple((middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)) for angle in angles)
