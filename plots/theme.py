"""Colours, patterns, sizes and what a look is made of. Lengths on the page in inches, line widths and text in points.

Colours are those of Okabe and Ito, chosen to be told apart by everybody; a side is told by its pattern too. Tints are
the same colours towards white. Outlines keep a contrast of 3:1 or better, text 4.5:1.
"""

from dataclasses import dataclass
from typing import Literal

Pattern = Literal["", "stripes", "counter_stripes", "dots", "crossed", "rows", "columns", "squares", "specks"]

PAGE = "#ffffff"
TABLE = "#f7f5f0"
INK = "#1a1a1a"
GREY = "#595959"
SIDES = ("#0072b2", "#c65300", "#007d5c", "#9c4877")
"""Blue, vermillion, bluish green and reddish purple; the last three darkened to keep 4.5:1 on white as text."""
SIDE_PATTERNS: tuple[Pattern, ...] = ("", "stripes", "dots", "crossed")
SIDE_WORDS = {"blue": 0, "red": 1, "orange": 1, "green": 2, "purple": 3, "pink": 3, "violet": 3}
OUTCOMES = {"success": "#007d5c", "failed": "#b34700", "not_allowed": "#8a2b5f"}
OUTCOME_PATTERNS: tuple[Pattern, ...] = ("", "stripes", "crossed")

NAME, TEXT, LABEL, SMALL, TITLE, HEADING = 9.0, 8.0, 7.5, 7.0, 11.5, 9.0
"""Sizes of text in points: names on the table, running text, lengths, least, title of the figure, heading of a panel."""


@dataclass(frozen=True)
class Style:
    """How marks of one role look. `dash` in points; `layer` is the order of painting; `key` names it in the key.

    `halo` is the paper, in points, that keeps lines apart from what they cross.
    """

    layer: float
    edge: str | None = None
    width: float = 0.0
    fill: str | None = None
    dash: tuple[float, ...] = ()
    pattern: Pattern = ""
    pattern_colour: str = GREY
    alpha: float = 1.0
    key: str = ""
    halo: float = 0.0


def tint(colour: str, share: float) -> str:
    """Mix a colour with white: `share` 1 is the colour itself, 0 is white."""
    parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * share):02x}" for part in parts)


def luminance(colour: str) -> float:
    """Give the relative luminance of a colour, 0 to 1, as WCAG 2 defines it."""
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)  # noqa: PLR2004
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """Give the contrast ratio of two colours, 1 to 21, as WCAG 2 defines it."""
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def tones(sides: tuple[str, ...]) -> dict[str, int]:
    """Give every side a place in the palette: by its name if that is a colour, else the first one free.

    Examples
    --------
    >>> tones(("Empire", "blue"))
    {'Empire': 1, 'blue': 0}
    """
    named = {side: SIDE_WORDS[side.lower()] for side in sides if side.lower() in SIDE_WORDS}
    free = [place for place in range(len(SIDES)) if place not in named.values()]
    others = [side for side in sides if side not in named]
    given = {side: free[number] if number < len(free) else number % len(SIDES) for number, side in enumerate(others)}
    return {side: {**named, **given}[side] for side in sides}


FACES = {
    "strong": (TEXT, True, INK),
    "arc_name": (SMALL, False, GREY),
    "letter": (NAME, True, INK),
    **dict.fromkeys(("number", "number_light", "hex_tag"), (SMALL, False, INK)),
    "hex_number": (SMALL, False, GREY),
}
"""Roles of text that are not set like every label."""


def face(role: str) -> tuple[float, bool, str]:
    """Give size in points, boldness and colour of the text of a label's role."""
    if role.startswith("name."):
        return NAME, True, INK
    return FACES.get(role, (LABEL, False, INK))
