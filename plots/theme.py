"""The look: colours, line widths, patterns, sizes. Lengths on the page in inches, line widths and text in points.

Colours are those of Okabe and Ito, chosen to be told apart by everybody; a side is told by its pattern too. Tints are
the same colours towards white. Outlines keep a contrast of 3:1 or better, text 4.5:1.
"""

from dataclasses import dataclass
from typing import Literal

Pattern = Literal["", "stripes", "counter_stripes", "dots", "crossed"]

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
    """How marks of one role look. `dash` in points; `layer` is the order of painting; `key` names it in the key."""

    layer: float
    edge: str | None = None
    width: float = 0.0
    fill: str | None = None
    dash: tuple[float, ...] = ()
    pattern: Pattern = ""
    pattern_colour: str = GREY
    alpha: float = 1.0
    key: str = ""


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


def _side_styles(tone: int) -> dict[str, Style]:
    colour = SIDES[tone]
    pattern = SIDE_PATTERNS[tone]
    pale = tint(colour, 0.14 if pattern else 0.22)
    return {
        f"models.{tone}": Style(4.0, tint(colour, 0.55), 0.5, pale, pattern=pattern, pattern_colour=tint(colour, 0.38)),
        f"contact.{tone}": Style(4.5, PAGE, 0.7, tint(colour, 0.95)),
        f"touching.{tone}": Style(4.7, None, 0.0, PAGE),
        f"unit.{tone}": Style(5.0, colour, 1.3),
        f"front.{tone}": Style(5.5, PAGE, 0.5, colour),
        f"hollow.{tone}": Style(3.1, colour, 0.7, PAGE),
        f"ghost.{tone}": Style(6.0, colour, 0.8, dash=(3.0, 2.0)),
        f"start.{tone}": Style(3.0, colour, 0.8, dash=(3.0, 2.0)),
        f"path.{tone}": Style(7.0, colour, 1.4, colour),
        f"pivot.{tone}": Style(8.0, colour, 1.1, PAGE),
        f"name.{tone}": Style(11.0, colour, 0.7, PAGE),
    }


STYLES: dict[str, Style] = {
    "board": Style(0.0, INK, 1.6, TABLE),
    "terrain.impassable": Style(1.0, GREY, 1.0, "#e3e1dc", pattern="counter_stripes", pattern_colour="#8c8c8c", key="impassable"),
    "terrain.opaque": Style(1.0, GREY, 0.9, "#ecebe6", pattern="dots", pattern_colour="#7a7a7a", key="blocks sight"),
    "terrain.open": Style(1.0, GREY, 0.8, None, dash=(5.0, 2.0, 1.0, 2.0), key="open terrain"),
    "ray": Style(2.0, "#767676", 0.6, dash=(4.0, 3.0), key="arcs of the target"),
    "sight": Style(7.0, INK, 0.8, dash=(1.0, 1.8), key="line of sight"),
    "facing": Style(6.5, INK, 2.4, key="facing charged"),
    "align": Style(7.0, GREY, 1.0, GREY, dash=(2.5, 1.5)),
    "dimension": Style(7.5, INK, 0.7, INK),
    "contact_point": Style(9.0, PAGE, 0.9, INK, key="initial contact (P)"),
    "leader": Style(10.0, GREY, 0.5),
    "text": Style(11.0, None, 0.0, TABLE, alpha=0.86),
    "strong": Style(11.0, None, 0.0, TABLE, alpha=0.86),
    "arc_name": Style(11.0, None, 0.0, TABLE, alpha=0.7),
    "bar": Style(1.0, INK, 0.6, INK),
    "bar_light": Style(1.0, INK, 0.6, PAGE),
    "rule": Style(1.0, "#b0b0b0", 0.5),
    **{f"badge.{outcome}": Style(1.0, colour, 0.8, colour) for outcome, colour in OUTCOMES.items()},
    **{
        f"odds.{outcome}": Style(
            2.0, colour, 0.9, tint(colour, 0.14 if pattern else 0.8), pattern=pattern, pattern_colour=tint(colour, 0.6)
        )
        for (outcome, colour), pattern in zip(OUTCOMES.items(), OUTCOME_PATTERNS, strict=True)
    },
    "odds.together": Style(2.0, GREY, 0.9, "#9a9a9a"),
    "odds.track": Style(1.0, "#8c8c8c", 0.5, PAGE),
    "odds.paper": Style(1.5, None, 0.0, PAGE),
    "odds.axis": Style(3.0, INK, 0.9),
} | {role: style for tone in range(len(SIDES)) for role, style in _side_styles(tone).items()}


def style(role: str) -> Style:
    """Give the look of a role; a kind of terrain that the theme does not know is drawn as open terrain."""
    return STYLES[role] if role in STYLES or not role.startswith("terrain.") else STYLES["terrain.open"]


def face(role: str) -> tuple[float, bool, str]:
    """Give size in points, boldness and colour of the text of a label's role."""
    if role.startswith("name."):
        return NAME, True, INK
    return {"strong": (TEXT, True, INK), "arc_name": (SMALL, False, GREY)}.get(role, (LABEL, False, INK))
