"""Styles of every role in every theme, and the drawing of terrain, hexes and steps.

The number at the end of a role is the palette index of a side. Symbols in hexes are in multiples of a hex's width.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from plots.marks.mark import Points
from plots.marks.theme import (
    ACCENT,
    GOLD,
    GOOD,
    GREY,
    INK,
    OUTCOME_NAMES,
    OUTCOME_PATTERNS,
    PAGE,
    SCREEN,
    SIDE_PATTERNS,
    TABLE_COLOUR,
    Pattern,
    Style,
    Theme,
    tint,
)
from tabletop.ruling.looks import APPROACH

STONE_EDGE = "#5f594c"
HEX_EDGE = "#756e5f"

_SOLID = Style(1.0, STONE_EDGE, 1.0, "#d8d2c4", pattern_colour="#b3ab98")

TERRAIN_LOOKS: Mapping[str, Style] = {
    "rock": replace(_SOLID, pattern="counter_stripes"),
    "screen": Style(1.0, STONE_EDGE, 0.9, "#e3ddcf", pattern="dots", pattern_colour="#a1988a"),
    "wood": Style(1.0, "#4c6640", 0.9, "#d5e0c4", pattern="crowns", pattern_colour="#b1c69b"),
    "hill": Style(0.9, "#776640", 0.9, "#e6d9b9"),
    "building": replace(_SOLID, width=1.6, pattern="squares"),
    "neutral": Style(1.0, STONE_EDGE, 0.8, None, dash=(5.0, 2.0, 1.0, 2.0)),
    "block": replace(_SOLID, pattern="squares"),
    "wall": Style(1.1, "#4a4539", 0.7, "#c0b8a9"),
    "floor": Style(1.2, STONE_EDGE, 0.9, "#f4f0e6", pattern="rows", pattern_colour="#d2cab8"),
    "barricade": Style(
        1.3, STONE_EDGE, 0.8, "#e2d5b4", pattern="columns", pattern_colour="#a8946a"
    ),
    "area": Style(
        0.9,
        STONE_EDGE,
        0.8,
        "#dfe5d0",
        dash=(5.0, 2.0, 1.0, 2.0),
        pattern="dots",
        pattern_colour="#a3b392",
    ),
    "water": Style(0.85, "#3b789d", 0.9, "#d3e5ee", pattern="rows", pattern_colour="#a9c9da"),
}
"""Kinds of terrain used on open tables."""

UNKNOWN = "neutral"

SHADED = ("rock", "building", "block", "wall", "barricade")
"""Kinds of terrain that stand above the table and cast a shadow."""

RISING = ("hill",)
"""Kinds of terrain that rise towards their middle, drawn with contour lines."""

SLABS = ("floor",)
"""Kinds of terrain with open space below them; all others are solid from the ground up."""

LOWEST, HIGHEST, BROWN = -2, 4, "#8a6a2a"
"""Range of ground levels with their own tint; others are shown by their number alone."""

TREE = tuple(
    (r * math.sin(turn), r * math.cos(turn))
    for number in range(16)
    for r, turn in [((0.115, 0.099)[number % 2], math.pi * number / 8)]
)

SQUARE_MARKER = ((0.0, 0.055), (0.055, 0.0), (0.0, -0.055), (-0.055, 0.0))

PUFF = (
    (0.075, 0.0),
    (0.053, 0.053),
    (0.0, 0.075),
    (-0.053, 0.053),
    (-0.075, 0.0),
    (-0.053, -0.053),
    (0.0, -0.075),
    (0.053, -0.053),
)

WALLS = ((-0.38, -0.28), (0.38, -0.28), (0.38, 0.28), (-0.38, 0.28))

ROOF = (
    *(((x, y), (0.4 * x, 0.0)) for x in (-0.38, 0.38) for y in (-0.28, 0.28)),
    ((-0.152, 0.0), (0.152, 0.0)),
)

WAVE = ((-0.09, 0.0), (-0.045, 0.035), (0.0, 0.0), (0.045, -0.035), (0.09, 0.0))

PEAK = ((-0.065, -0.045), (0.0, 0.055), (0.065, -0.045))

THREE = ((-0.38, 0.03), (0.38, 0.03), (0.0, -0.02))

SIX = ((-0.37, 0.08), (0.37, 0.08), (-0.27, -0.2), (0.27, -0.2), (0.0, 0.14), (0.0, -0.14))

FIVE = ((-0.40, 0.10), (0.40, 0.10), (-0.38, -0.13), (0.38, -0.13), (0.0, 0.0))


@dataclass(frozen=True)
class HexStyle:
    """Drawing of terrain that fills a hex: the ground, and a symbol at some places about the centre, in multiples of a
    hex's width.

    A symbol that `is_open` is a line; others are closed rings with `lines` over them, which cast a shadow if they are
    `shaded`.
    """

    ground: Style
    symbol: Style
    shape: Points = ()
    places: Points = ()
    is_open: bool = False
    lines: tuple[Points, ...] = ()
    shaded: bool = False


def _ground(fill: str | None, pattern: Pattern = "") -> Style:
    return Style(0.3, HEX_EDGE, 0.6, fill, pattern=pattern, pattern_colour="#b9b1a0")


LEAF = "#4d7040"
WATER = "#3b789d"
STONE = "#6b5d45"

HEXES: Mapping[str, HexStyle] = {
    "wood": HexStyle(_ground("#e0e8d3"), Style(0.7, LEAF, 0.6, "#c3d3b0"), TREE, THREE),
    "dense_wood": HexStyle(_ground("#cfdebd"), Style(0.7, LEAF, 0.5, "#7b9a68"), TREE, SIX),
    "rough": HexStyle(_ground("#e6dcc6"), Style(0.7, STONE, 0.9), PEAK, FIVE, is_open=True),
    "rubble": HexStyle(_ground("#dfd8ca"), Style(0.7, STONE, 0.5, STONE), SQUARE_MARKER, FIVE),
    "water": HexStyle(_ground("#d3e5ee"), Style(0.7, WATER, 0.9), WAVE, FIVE, is_open=True),
    "paved": HexStyle(_ground("#dedbd4", "squares"), Style(0.7)),
    "building": HexStyle(
        _ground(None),
        Style(0.7, STONE_EDGE, 1.0, "#d6cfc0"),
        WALLS,
        ((0.0, 0.0),),
        lines=ROOF,
        shaded=True,
    ),
    "smoke": HexStyle(_ground(None), Style(0.8, GREY, 0.7), PUFF, THREE),
    "dense_smoke": HexStyle(_ground(None), Style(0.8, GREY, 0.5, "#b4b4b4"), PUFF, SIX),
    "prohibited": HexStyle(_ground(None, "crossed"), Style(0.7)),
}
"""Kinds of terrain that fill hexes; `level` only changes the ground's tint."""

SURFACES: Mapping[str, tuple[str, str]] = {
    "grass": ("#e4e3c8", "#dcdcbd"),
    "steppe": ("#ece4cd", "#e6dcc1"),
    "dust": ("#e5e1d7", "#dedacd"),
    "meadow": ("#dfe6c8", "#dfe6c8"),
}
"""Colours of the ground of a game's table and of the irregular patches on it."""

LEVEL_LOOKS: Mapping[int, Style] = {
    level: _ground(
        tint(
            *((BROWN, 0.13 * level) if level >= 0 else ("#3f6c98", -0.2 * level)),
            ground=SURFACES["meadow"][0],
        )
    )
    for level in range(LOWEST, HIGHEST + 1)
}

NAMED_FAMILIES = (APPROACH,)
"""Families whose steps share one title, whichever of them occur."""

PLAIN_LOOKS: dict[str, Style] = {
    **{f"terrain.{kind}": look for kind, look in TERRAIN_LOOKS.items()},
    **{f"hexes.{kind}": look.ground for kind, look in HEXES.items()},
    "board": Style(0.3, INK, 1.6),
    **{f"surface.{kind}": Style(0.0, None, 0.0, fill) for kind, (fill, _) in SURFACES.items()},
    **{f"patches.{kind}": Style(0.05, None, 0.0, spots) for kind, (_, spots) in SURFACES.items()},
    "panel": Style(0.1, "#7f775d", 0.9),
    "backdrop": Style(0.0, None, 0.0, TABLE_COLOUR),
    "ground": Style(1.5, INK, 1.4),
    "ray": Style(2.0, "#767676", 0.6, dash=(4.0, 3.0)),
    "sight": Style(7.0, INK, 0.8, dash=(1.0, 1.8)),
    "facing": Style(6.5, INK, 2.4),
    "aim": Style(7.1, INK, 0.9, INK, dash=(1.5, 1.2), halo=0.6),
    "align": Style(7.0, GREY, 1.0, GREY, dash=(2.5, 1.5), halo=0.7),
    "dimension": Style(7.5, INK, 0.7, INK),
    "contact_point": Style(9.0, PAGE, 0.9, INK),
    "leader": Style(10.0, GREY, 0.5),
    **dict.fromkeys(
        ("text", "strong", "arc_name", "decided", "goal_decided"), Style(11.0, TABLE_COLOUR, 2.2)
    ),
    "zone.target": Style(2.2, INK, 0.8, dash=(5.0, 2.5)),
    "zone.forbidden": Style(
        2.1, GREY, 0.8, dash=(5.0, 2.5), pattern="counter_stripes", pattern_colour="#9c9c9c"
    ),
    "reach": Style(7.4, INK, 1.6, dash=(3.5, 1.8)),
    "would_stand": Style(7.4, INK, 1.3, dash=(6.0, 1.5, 1.2, 1.5)),
    "limit": Style(7.4, INK, 1.6, dash=(1.8, 1.1)),
    "noted": Style(7.5, INK, 1.8, halo=0.8),
    "deciding": Style(7.55, ACCENT, 3.0, halo=0.8),
    "goal_deciding": Style(7.55, GOOD, 3.0, halo=0.8),
    "deciding_area": Style(5.9, ACCENT, 1.2, pattern="stripes", pattern_colour=ACCENT),
    "goal_area": Style(5.9, GOOD, 1.2, pattern="stripes", pattern_colour=GOOD),
    "measured": Style(3.4, GREY, 0.6, dash=(1.0, 1.0)),
    "uncertain": Style(5.6, INK, 0.5, pattern="specks", pattern_colour=GREY),
    "overlap": Style(5.8, INK, 1.2, pattern="crossed", pattern_colour=INK),
    "beyond": Style(5.8, INK, 1.2, pattern="counter_stripes", pattern_colour=INK),
    "sight_stop": Style(8.5, INK, 2.0, halo=1.0),
    "link": Style(3.5, INK, 0.9, dash=(1.0, 1.4)),
    "best_facing": Style(7.0, INK, 0.8, INK),
    "contour": Style(0.95, "#b39c63", 0.6),
    "hex": Style(0.2, "#8f8f8f", 0.5),
    "entered": Style(0.4, "#756e5f", 0.6, "#c9dbe0"),
    "no_room": Style(1.43, None, 0.0, pattern="counter_stripes", pattern_colour="#a8a8a8"),
    "no_verdict": Style(1.43, None, 0.0, pattern="specks", pattern_colour=GREY),
    "outlined": Style(1.46, STONE_EDGE, 0.9),
    "zero": Style(1.42, GREY, 0.35, PAGE, alpha=0.6),
    "tick": Style(7.5, GREY, 0.8),
    "axis": Style(7.6, TABLE_COLOUR, 1.6, INK),
    "spot.invalid": Style(6.5, GREY, 0.8, PAGE),
    "spot.no_verdict": Style(6.6, INK, 0.8, PAGE),
    "spot.nothing": Style(6.5, GREY, 0.6, PAGE),
    "number": Style(7.6, PAGE, 1.2, INK),
    "number_light": Style(7.6, None, 0.0, PAGE),
    "count": Style(7.7, None, 0.0, INK),
    "hex_number": Style(7.6, TABLE_COLOUR, 1.4, GREY),
    "letter": Style(7.8, PAGE, 1.6, INK),
    "cost": Style(7.65, TABLE_COLOUR, 1.8, INK),
    "hex_tag": Style(7.65, TABLE_COLOUR, 1.8, INK),
    "bar": Style(1.0, INK, 0.6, INK),
    "bar_light": Style(1.0, INK, 0.6, PAGE),
    "sum_left": Style(1.0, INK, 0.6, "#dfe6c8"),
    "sum_taken": Style(1.0, INK, 0.6, "#d9cfc2", pattern="squares", pattern_colour="#b9ab97"),
    "equal_area": Style(2.3, GOLD, 1.0, "#f5dc9b"),
    "equal": Style(11.0, TABLE_COLOUR, 2.2),
    "rule": Style(1.0, "#b0b0b0", 0.5),
    "magnified": Style(9.5, INK, 0.8, halo=0.7),
    "magnifier": Style(14.0, INK, 1.2, TABLE_COLOUR, halo=1.0),
    "key": Style(1.0, None, 0.0, INK),
    "die": Style(1.0, INK, 0.9, PAGE),
    "pip": Style(2.0, None, 0.0, INK),
    "die_ignored": Style(1.0, "#818181", 0.5, PAGE),
    "pip_ignored": Style(2.0, None, 0.0, "#818181"),
    "crop": Style(1.0, INK, 0.5),
    "sheet": Style(1.0, INK, 0.8),
    "odds.together": Style(2.0, GREY, 0.9, "#9a9a9a"),
    "odds.track": Style(1.0, "#818181", 0.5, PAGE),
    "odds.paper": Style(1.5, None, 0.0, PAGE),
    "odds.axis": Style(3.0, INK, 0.9),
}
"""Styles that depend on neither side nor outcome, in the theme "screen"."""

PLAIN_LOOKS |= {f"symbol.{kind}": look.symbol for kind, look in HEXES.items()}

PLAIN_LOOKS |= {
    f"detail.{kind}": Style(look.symbol.layer + 0.05, tint(look.symbol.edge or GREY, 0.5), 0.6)
    for kind, look in HEXES.items()
}

PLAIN_LOOKS |= {f"level.{level}": look for level, look in LEVEL_LOOKS.items()}

SHADES = ("#fdf3c4", "#f3d69a", "#e6b583", "#d49378", "#bb7274", "#995673", "#6f4070", "#432d63")
"""Scale from pale to dark in even steps of lightness, so that it also works in greyscale."""

GROUNDS, SPARED = ("terrain.", "hexes.", "level."), 0.55
"""Roles on the ground, and the share of their grey that is kept where a theme saves ink."""


@lru_cache(maxsize=16)
def styles_of(theme: Theme = SCREEN) -> Mapping[str, Style]:
    """Return the styles of all roles in a theme, by role, in the order of the figure's key."""
    styles = {
        role: _spared(role, _turned(look, theme), theme) for role, look in PLAIN_LOOKS.items()
    }
    styles |= {
        f"heat.{number}": Style(1.44, theme.grey, 0.35, shade)
        for number, shade in enumerate(shades_of(theme))
    }
    styles |= {
        f"spot.{number}": Style(6.6, theme.ink, 0.35, shade)
        for number, shade in enumerate(shades_of(theme))
    }
    # errors in a proposal have the colour of "not allowed"
    colour = theme.outcomes[OUTCOME_NAMES.index("not_allowed")]
    styles |= {
        "fault": Style(8.6, colour, 2.0, halo=0.9),
        "owed": Style(8.2, colour, 1.1, dash=(3.0, 2.0), halo=0.7),
    }
    # decisive lines have two strokes and errors two rows of dashes, to differ from lines that are only heavy
    if theme.grounds == "grey":
        styles |= {
            role: replace(styles[role], width=4.2, core=1.5)
            for role in ("deciding", "goal_deciding")
        }
        styles["fault"] = replace(
            styles["fault"], edge=theme.ink, width=4.2, core=1.5, dash=(3.0, 1.2)
        )
    styles["shadow"] = Style(0.65, None, 0.0, _shadow(theme))
    # the table itself is the ground, with patches where it is not paper
    if theme.grounds != "kept":
        spots = None if theme.table == theme.page else tint(theme.ink, 0.04, ground=theme.table)
        styles |= {
            f"{part}.{kind}": Style(0.0, None, 0.0, fill)
            for kind in SURFACES
            for part, fill in (("surface", theme.table), ("patches", spots))
        }
    styles |= {
        role: look
        for place in range(len(OUTCOME_NAMES))
        for role, look in _outcome_styles(place, theme).items()
    }
    styles |= {
        role: look
        for tone in range(len(SIDE_PATTERNS))
        for role, look in _side_styles(tone, theme).items()
    }
    return {role: _zoomed(look, theme.zoom) for role, look in styles.items()}


def _shadow(theme: Theme) -> str | None:
    """Return the colour of a shadow on the table; None in print, to save ink."""
    shade = {"kept": INK, "dark": "#000000"}.get(theme.grounds)
    return (
        None
        if shade is None
        else tint(shade, 0.45 if theme.grounds == "dark" else 0.17, ground=theme.table)
    )


def _turned(look: Style, theme: Theme) -> Style:
    """Return a style of the theme "screen" with the corresponding colours of another theme."""
    edge, fill = (
        None if colour is None else theme.turned(colour) for colour in (look.edge, look.fill)
    )
    return replace(look, edge=edge, fill=fill, pattern_colour=theme.turned(look.pattern_colour))


def _spared(role: str, look: Style, theme: Theme) -> Style:
    """Return a style with a paler fill if its role is on the ground and the theme prints in greys; else unchanged."""
    if theme.grounds != "grey" or look.fill is None or not role.startswith(GROUNDS):
        return look
    return replace(look, fill=tint(look.fill, SPARED))


def _zoomed(look: Style, zoom: float) -> Style:
    """Return a style with line widths and dashes scaled by a factor."""
    return replace(
        look,
        width=zoom * look.width,
        halo=zoom * look.halo,
        core=zoom * look.core,
        dash=tuple(zoom * part for part in look.dash),
    )


def _outcome_styles(place: int, theme: Theme) -> dict[str, Style]:
    outcome = OUTCOME_NAMES[place]
    pattern = OUTCOME_PATTERNS[place]
    colour = theme.outcomes[place]
    pale = theme.tint(colour, 0.14 if pattern else 0.8)
    lines = theme.tint(colour, 0.6)
    return {
        f"badge.{outcome}": Style(1.0, colour, 0.8, colour),
        f"odds.{outcome}": Style(2.0, colour, 0.9, pale, pattern=pattern, pattern_colour=lines),
        f"spot.{outcome}": Style(6.9 - 0.1 * place, theme.ink, 0.35, colour),
    }


def _side_styles(tone: int, theme: Theme) -> dict[str, Style]:
    colour = theme.sides[tone]
    pattern = SIDE_PATTERNS[tone]
    rim = theme.tint(colour, 0.32 if theme.grounds == "grey" else 0.5)
    pale = theme.tint(colour, 0.14 if pattern else 0.22)
    lines = theme.tint(colour, theme.hatch)
    return {
        f"tray.{tone}": Style(3.9, None, 0.0, rim),
        f"models.{tone}": Style(4.0, rim, 1.1, pale, pattern=pattern, pattern_colour=lines),
        f"figures.{tone}": Style(4.2, theme.tint(colour, 0.6), 0.5, theme.tint(colour, 0.06)),
        f"loose.{tone}": Style(4.0, colour, 1.3, pale, pattern=pattern, pattern_colour=lines),
        f"seen.{tone}": Style(4.2, theme.tint(colour, 0.95), 0.4, theme.tint(colour, 0.32)),
        f"seen_contact.{tone}": Style(
            4.55,
            theme.tint(colour, 0.5),
            0.5,
            tint(theme.ink, 0.28, ground=_contact(tone, theme).fill or colour),
        ),
        f"standing.{tone}": Style(
            5.0,
            colour,
            1.0,
            theme.tint(colour, 0.22 if pattern else 0.34),
            pattern=pattern,
            pattern_colour=lines,
        ),
        f"parts.{tone}": Style(5.2, None, 0.0, colour),
        f"raised.{tone}": Style(4.6, colour, 0.6),
        f"raised_contact.{tone}": Style(4.6, theme.page, 0.8),
        f"contact.{tone}": _contact(tone, theme),
        f"touching.{tone}": Style(4.7, colour, 0.5, theme.page),
        f"unit.{tone}": Style(5.0, colour, 1.3),
        f"front.{tone}": Style(5.5, theme.page, 0.5, colour),
        f"hollow.{tone}": Style(3.1, colour, 0.7, theme.page),
        f"ghost.{tone}": Style(6.0, colour, 0.8, dash=(3.0, 2.0)),
        f"start.{tone}": Style(3.0, colour, 0.8, dash=(3.0, 2.0)),
        f"fallen.{tone}": Style(5.6, colour, 1.4),
        f"lost.{tone}": Style(6.0, colour, 1.4),
        f"path.{tone}": Style(7.0, colour, 1.4, colour, halo=0.7),
        f"pushed.{tone}": Style(7.0, colour, 1.2, theme.page, dash=(4.0, 1.5), halo=0.7),
        f"stepped.{tone}": Style(7.0, colour, 1.2, theme.page, dash=(2.5, 1.2, 0.8, 1.2), halo=0.7),
        f"slid.{tone}": Style(7.0, colour, 1.4, colour, dash=(1.2, 1.4), halo=0.7),
        f"pivot.{tone}": Style(8.0, colour, 1.1, theme.page),
        f"climb.{tone}": Style(7.2, colour, 0.9, theme.page),
        f"name.{tone}": Style(11.0, theme.page, 0.8, colour),
    }


def _contact(tone: int, theme: Theme) -> Style:
    """Return the style of bases in contact: filled with the side's colour, with a white pattern where all sides share
    one ink.
    """
    if theme.grounds != "grey":
        return Style(4.5, theme.page, 0.7, theme.sides[tone])
    return Style(
        4.5,
        theme.page,
        0.7,
        theme.tint(theme.ink, 0.75),
        pattern=SIDE_PATTERNS[tone],
        pattern_colour=theme.page,
    )


def shades_of(theme: Theme) -> tuple[str, ...]:
    """Return the colours of a scale, from the least to the greatest value; the greatest contrasts most with the
    table.
    """
    return (
        SHADES[::-1] if theme.grounds == "dark" else tuple(theme.turned(shade) for shade in SHADES)
    )


def style(role: str, theme: Theme = SCREEN) -> Style:
    """Return the style of a role in a theme; terrain of an unknown look is drawn as an outline."""
    styles = styles_of(theme)
    if role in styles or not role.startswith(("terrain.", "hexes.")):
        return styles[role]
    group, look = look_of(role)
    if group == "hexes":
        return _zoomed(_spared(role, _turned(hex_kind(look).ground, theme), theme), theme.zoom)
    return styles.get(f"terrain.{look}", styles[f"terrain.{UNKNOWN}"])


def look_of(role: str) -> tuple[str, str]:
    """Return (group, look) of a terrain role: "terrain.wood.forest" is terrain of the kind forest drawn as a wood."""
    group, look, *_ = role.split(".", 2)
    return group, look


def hex_kind(look: str) -> HexStyle:
    """Return the drawing of hexes for terrain of a look; unknown looks have rows of lines, and the figure's key names
    them.
    """
    return HEXES.get(look, HexStyle(_ground(None, "rows"), Style(0.7)))
