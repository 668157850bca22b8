"""Themes: colours, patterns and sizes. Lengths on the page are in inches, line widths and text sizes in points.

Colours follow Okabe and Ito's palette for colour-blind readers, and each side also has a pattern. Tints are the same
colours mixed with the table's. Outlines have a contrast of at least 3:1, text 4.5:1, in every theme.
"""

import colorsys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Pattern = Literal[
    "",
    "stripes",
    "counter_stripes",
    "dots",
    "crossed",
    "rows",
    "columns",
    "squares",
    "specks",
    "crowns",
]

Tone = Literal["ink", "grey", "page", "accent", "good", "kicker"]
"""Use of a text's colour in a theme."""

PAGE = "#ffffff"

TABLE_COLOUR = "#eeead8"

INK = "#1a1a1a"

GREY = "#595959"

ACCENT = "#c4002f"

GOOD = "#007d5c"

KICKER_COLOUR = "#8a4a14"

GOLD = "#8a6100"

SIDE_PATTERNS: tuple[Pattern, ...] = ("", "stripes", "dots", "crossed")

SIDE_WORDS = {"blue": 0, "red": 1, "orange": 1, "green": 2, "purple": 3, "pink": 3, "violet": 3}

OUTCOME_NAMES = ("success", "failed", "not_allowed", "undecided")

SPOT_NAMES = ("invalid", "no_verdict", "not_allowed", "failed", "success")
"""Outcomes of a tried table, worst first."""

OUTCOME_PATTERNS: tuple[Pattern, ...] = ("", "stripes", "crossed", "dots")

Typeface = Literal["plain", "bold", "title"]
"""Sans serif in two weights, and the serif of titles."""

TYPEFACE = ("Open Sans of tabletop", "DejaVu Sans of matplotlib", "Pagella of tabletop")
"""Names in Matplotlib of the typeface of text, of its fallback and of the typeface of titles; all fonts are bundled."""

NAME, TEXT, LABEL, SMALL, TITLE, HEADING, KICKER, COST = 9.0, 8.0, 7.5, 7.0, 15.0, 10.0, 7.0, 13.0
"""Text sizes in points: names on the table, running text, lengths, smallest text, figure title, panel heading, line
above the title, and movement points in hexes."""


@dataclass(frozen=True, repr=False)
class Theme:
    """Colours of a figure; `sides` by palette index, `outcomes` for success, failed, not allowed, undecided.

    `accent` is used only for what decides against something; what holds has the colour of a success. `grounds` selects
    the treatment of terrain colours: unchanged, greys of equal luminance, or inverted luminance. `hatch` is the share
    of a side's colour in its pattern. `zoom` scales line widths and text sizes.
    """

    name: str
    page: str
    table: str
    ink: str
    grey: str
    sides: tuple[str, ...]
    outcomes: tuple[str, ...]
    accent: str
    grounds: Literal["kept", "grey", "dark"] = "kept"
    hatch: float = 0.55
    zoom: float = 1.0

    def __repr__(self) -> str:
        return f"Theme({self.name!r})"

    @property
    def good(self) -> str:
        """Colour of what holds: that of a success."""
        return self.outcomes[OUTCOME_NAMES.index("success")]

    def word_colour(self, tone: Tone) -> str:
        """Return the colour of text in a tone."""
        return {
            "ink": self.ink,
            "grey": self.grey,
            "page": self.page,
            "accent": self.accent,
            "good": self.good,
            "kicker": self.turned(KICKER_COLOUR),
        }[tone]

    def tint(self, colour: str, share: float) -> str:
        """Return a colour mixed with the one under it: the table in dark themes, else the page; `share` 1 is the colour
        itself.
        """
        return tint(colour, share, ground=self.table if self.grounds == "dark" else self.page)

    def turned(self, colour: str) -> str:
        """Return this theme's counterpart of a colour of the theme "screen", as "#rrggbb"."""
        named = {
            PAGE: self.page,
            TABLE_COLOUR: self.table,
            INK: self.ink,
            GREY: self.grey,
            ACCENT: self.accent,
            GOOD: self.good,
        }
        return named[colour] if colour in named else _turned(colour, self.grounds)


SCREEN = Theme(
    name="screen",
    page=PAGE,
    table=TABLE_COLOUR,
    ink=INK,
    grey=GREY,
    sides=("#0072b2", "#c65300", "#007d5c", "#9c4877"),
    outcomes=(GOOD, "#b34700", "#8a2b5f", "#3b5a86"),
    accent=ACCENT,
)
"""Blue, vermillion, bluish green and reddish purple; the last three are darkened to a contrast of 4.5:1 as text on
white."""

PRINT = Theme(
    name="print",
    page=PAGE,
    table=PAGE,
    ink="#000000",
    grey="#4d4d4d",
    sides=("#000000",) * 4,
    outcomes=("#000000", "#4d4d4d", "#4d4d4d", "#4d4d4d"),
    accent="#000000",
    grounds="grey",
    hatch=0.62,
)
"""One black ink and its greys on a white table; sides differ by patterns and names only."""

DARK = Theme(
    name="dark",
    page="#14171c",
    table="#20252c",
    ink="#f2f2f2",
    grey="#b8bcc2",
    sides=("#56b4e9", "#ff9447", "#35c9a0", "#e69ac6"),
    outcomes=("#35c9a0", "#ff9447", "#e69ac6", "#9db9e8"),
    accent="#ff7a8c",
    grounds="dark",
)
"""The same hues, lightened, for dark slides."""

THEMES = {theme.name: theme for theme in (SCREEN, PRINT, DARK)}


@dataclass(frozen=True)
class Style:
    """Style of a role's marks; widths and `dash` are in points, and marks of a lower `layer` are painted first.

    `halo` is the width of paper beside lines where they cross others; `core` is the width of paper within a line, which
    makes it a double line.
    """

    layer: float
    edge: str | None = None
    width: float = 0.0
    fill: str | None = None
    dash: tuple[float, ...] = ()
    pattern: Pattern = ""
    pattern_colour: str = GREY
    alpha: float = 1.0
    halo: float = 0.0
    core: float = 0.0


def tint(colour: str, share: float, *, ground: str = PAGE) -> str:
    """Return a mix of a colour with the one under it, as "#rrggbb"; `share` 1 is the colour itself, 0 the ground."""
    pairs = zip(_parts(colour), _parts(ground), strict=True)
    return _written(below - (below - part) * share for part, below in pairs)


def _turned(colour: str, grounds: str) -> str:
    if grounds == "grey":
        return _written([_signal(luminance(colour))] * 3)
    if grounds == "dark":
        hue, lightness, saturation = colorsys.rgb_to_hls(*_parts(colour))
        return _written(colorsys.hls_to_rgb(hue, 0.14 + 0.8 * (1.0 - lightness), 0.7 * saturation))
    return colour


def _parts(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))


def _written(parts: Iterable[float]) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour "#rrggbb", from 0 to 1, as defined by WCAG 2."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004
        for part in _parts(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _signal(light: float) -> float:
    """Return the sRGB value, from 0 to 1, of a linear colour component from 0 to 1."""
    return 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055  # noqa: PLR2004


def tones(sides: tuple[str, ...]) -> dict[str, int]:
    """Return the palette index of each side: that of its name if that is a colour, else the first free one.

    Examples
    --------
    >>> tones(("Empire", "blue"))
    {'Empire': 1, 'blue': 0}
    """
    named = {side: SIDE_WORDS[side.lower()] for side in sides if side.lower() in SIDE_WORDS}
    free = [place for place in range(len(SIDE_PATTERNS)) if place not in named.values()]
    others = [side for side in sides if side not in named]
    given = {
        side: free[number] if number < len(free) else number % len(SIDE_PATTERNS)
        for number, side in enumerate(others)
    }
    return {side: {**named, **given}[side] for side in sides}


FACES: dict[str, tuple[float, Typeface, Tone]] = {
    "strong": (TEXT, "bold", "ink"),
    "arc_name": (SMALL, "plain", "grey"),
    "decided": (TEXT, "bold", "accent"),
    "goal_decided": (TEXT, "bold", "good"),
    "letter": (NAME, "bold", "ink"),
    "equal": (LABEL, "bold", "ink"),
    "number": (SMALL, "plain", "ink"),
    "count": (SMALL, "bold", "ink"),
    "number_light": (SMALL, "plain", "ink"),
    "cost": (COST, "title", "ink"),
    "hex_tag": (SMALL, "plain", "ink"),
    "hex_number": (SMALL, "plain", "grey"),
    "axis": (SMALL, "plain", "ink"),
}
"""Roles of text that differ from other labels."""


def face(role: str) -> tuple[float, Typeface, Tone]:
    """Return (size in points, typeface, tone) of the text of a label's role."""
    if role.startswith("name."):
        return NAME, "title", "page"
    return FACES.get(role, (LABEL, "plain", "ink"))
