"""Measures in words, and places for them along a line."""

import math

from plots.marks.language import Language
from plots.marks.mark import Points
from plots.marks.signs import UNBREAKING
from tabletop.geometry.pose import Point

SEEN = 0.01
"""Inches from which two decimals show a length."""
SHORTEST = 1e-6
"""Inches. A leg shorter than this leaves nothing to draw."""


def number(value: float, unit: str) -> str:
    r"""Write a measure with at most two decimals and its unit, held together by a space that does not break.

    Examples
    --------
    >>> number(3.0, "in"), number(7.456, "in"), number(-30.0, "°")
    ('3\xa0in', '7.46\xa0in', '-30°')
    """
    digits = f"{value:.2f}".rstrip("0").rstrip(".")
    return f"{'0' if digits == '-0' else digits}{'' if unit == '°' else UNBREAKING}{unit}"


def small(value: float) -> str:
    r"""Write a length below an inch with two decimals, or as many as show two digits of it.

    Examples
    --------
    >>> small(0.0005), small(0.031551), small(0.00123)
    ('0.0005\xa0in', '0.03\xa0in', '0.0012\xa0in')
    """
    digits = 2 if value >= SEEN else 1 - math.floor(math.log10(value))
    return f"{value:.{digits}f}".rstrip("0") + f"{UNBREAKING}in"


def climb_words(across: float, up: float, language: Language) -> str:
    r"""Say of a length, in inches, how far it goes across the plan and how far up, of which a plan shows the first alone.

    Examples
    --------
    >>> from plots.marks.language import ENGLISH
    >>> climb_words(3.6, 6.0, ENGLISH)
    '3.6\xa0in across, 6 up'
    """
    return language.say("measure.climb", across=number(across, "in"), up=number(up, "").strip())


def along(start: Point, end: Point) -> Points:
    """Give places along a line, the middle first."""
    return tuple((start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])) for share in (0.5, 0.4, 0.6, 0.3, 0.7))
