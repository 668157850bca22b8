"""What scenario files and rulings call things, and how each is shown: terrain, terrain of hexes, steps, status words.

Figures know no game: a kind that is not listed here is outlined and named in the key, a step that is not listed is an arrow.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from plots.marks.mark import Points
from plots.marks.theme import GREY, TABLE, Pattern, Style, tint

STONE_EDGE, HEX_EDGE = "#5f594c", "#756e5f"
_SOLID = Style(1.0, STONE_EDGE, 1.0, "#d8d2c4", pattern_colour="#b3ab98")

TERRAIN_LOOKS: Mapping[str, Style] = {
    "impassable": replace(_SOLID, pattern="counter_stripes"),
    "opaque": Style(1.0, STONE_EDGE, 0.9, "#e3ddcf", pattern="dots", pattern_colour="#a1988a"),
    "forest": Style(1.0, "#4c6640", 0.9, "#d5e0c4", pattern="crowns", pattern_colour="#b1c69b"),
    "hill": Style(0.9, "#776640", 0.9, "#e6d9b9"),
    "garrison": replace(_SOLID, width=1.6, pattern="squares"),
    "open": Style(1.0, STONE_EDGE, 0.8, None, dash=(5.0, 2.0, 1.0, 2.0)),
    "block": replace(_SOLID, pattern="squares"),
    "wall": Style(1.1, "#4a4539", 0.7, "#c0b8a9"),
    "floor": Style(1.2, STONE_EDGE, 0.9, "#f4f0e6", pattern="rows", pattern_colour="#d2cab8"),
    "barricade": Style(1.3, STONE_EDGE, 0.8, "#e2d5b4", pattern="columns", pattern_colour="#a8946a"),
    "area": Style(0.9, STONE_EDGE, 0.8, "#dfe5d0", dash=(5.0, 2.0, 1.0, 2.0), pattern="dots", pattern_colour="#a3b392"),
}
"""Kinds of terrain that stand free on a table."""
UNKNOWN = "open"
SHADED = ("impassable", "garrison", "block", "wall", "barricade")
"""Kinds of terrain that stand up from the table, and throw a shadow."""
RISING = ("hill",)
"""Kinds of terrain that rise towards their middle, as lines of height show."""
SLABS = ("floor",)
"""Kinds of terrain that lie at their height, with room below: all others are solid from the ground up."""

LOWEST, HIGHEST, BROWN = -2, 4, "#8a6a2a"
"""Levels of ground that have a tint of their own; of what lies beyond only the number speaks."""
TREE = tuple(
    (r * math.sin(turn), r * math.cos(turn)) for number in range(16) for r, turn in [((0.115, 0.099)[number % 2], math.pi * number / 8)]
)
SQUARE = ((0.0, 0.055), (0.055, 0.0), (0.0, -0.055), (-0.055, 0.0))
PUFF = ((0.075, 0.0), (0.053, 0.053), (0.0, 0.075), (-0.053, 0.053), (-0.075, 0.0), (-0.053, -0.053), (0.0, -0.075), (0.053, -0.053))
WALLS = ((-0.38, -0.28), (0.38, -0.28), (0.38, 0.28), (-0.38, 0.28))
ROOF = (*(((x, y), (0.4 * x, 0.0)) for x in (-0.38, 0.38) for y in (-0.28, 0.28)), ((-0.152, 0.0), (0.152, 0.0)))
WAVE = ((-0.09, 0.0), (-0.045, 0.035), (0.0, 0.0), (0.045, -0.035), (0.09, 0.0))
PEAK = ((-0.065, -0.045), (0.0, 0.055), (0.065, -0.045))
THREE = ((-0.38, 0.03), (0.38, 0.03), (0.0, -0.02))
SIX = ((-0.37, 0.08), (0.37, 0.08), (-0.27, -0.2), (0.27, -0.2), (0.0, 0.14), (0.0, -0.14))
FIVE = ((-0.40, 0.10), (0.40, 0.10), (-0.38, -0.13), (0.38, -0.13), (0.0, 0.0))


@dataclass(frozen=True)
class HexKind:
    """How a kind of terrain fills a hex: its ground, and a symbol at places about the middle; measures in flats of the hex.

    `is_open` symbols are lines, others closed rings, which have `lines` on them and throw a shadow if they are `shaded`; `tags` are
    the keys of its numbers that are written into the hex.
    """

    ground: Style
    symbol: Style
    shape: Points = ()
    places: Points = ()
    is_open: bool = False
    tags: tuple[str, ...] = ()
    lines: tuple[Points, ...] = ()
    shaded: bool = False


def _ground(fill: str | None, pattern: Pattern = "") -> Style:
    return Style(0.3, HEX_EDGE, 0.6, fill, pattern=pattern, pattern_colour="#b9b1a0")


LEAF, WATER, STONE = "#4d7040", "#3b789d", "#6b5d45"
HEXES: Mapping[str, HexKind] = {
    "light_woods": HexKind(_ground("#e0e8d3"), Style(0.7, LEAF, 0.6, "#c3d3b0"), TREE, THREE),
    "heavy_woods": HexKind(_ground("#cfdebd"), Style(0.7, LEAF, 0.5, "#7b9a68"), TREE, SIX),
    "rough": HexKind(_ground("#e6dcc6"), Style(0.7, STONE, 0.9), PEAK, FIVE, is_open=True),
    "rubble": HexKind(_ground("#dfd8ca"), Style(0.7, STONE, 0.5, STONE), SQUARE, FIVE),
    "water": HexKind(_ground("#d3e5ee"), Style(0.7, WATER, 0.9), WAVE, FIVE, is_open=True, tags=("depth",)),
    "pavement": HexKind(_ground("#dedbd4", "squares"), Style(0.7)),
    "building": HexKind(_ground(None), Style(0.7, STONE_EDGE, 1.0, "#d6cfc0"), WALLS, ((0.0, 0.0),), tags=("cf",), lines=ROOF, shaded=True),
    "light_smoke": HexKind(_ground(None), Style(0.8, GREY, 0.7), PUFF, THREE),
    "heavy_smoke": HexKind(_ground(None), Style(0.8, GREY, 0.5, "#b4b4b4"), PUFF, SIX),
    "prohibited": HexKind(_ground(None, "crossed"), Style(0.7)),
}
"""Kinds of terrain that fill hexes; `level` is told by the tints of the ground."""
LEVEL_LOOKS: Mapping[int, Style] = {
    level: _ground(TABLE if level == 0 else tint(*((BROWN, 0.13 * level) if level > 0 else ("#3f6c98", -0.2 * level)), ground=TABLE))
    for level in range(LOWEST, HIGHEST + 1)
}
TAGS = ("level", "depth", "cf")
"""Numbers of a hex's terrain that are written into the hex."""

Role = Literal["path", "align", "pushed", "stepped", "slid"]


@dataclass(frozen=True)
class StepKind:
    """How the move of a step is drawn. Steps of one `family` in a row share a panel; `word` names a turn about a pivot.

    `is_consequence` steps share the panel of whatever caused them.
    """

    role: Role = "path"
    family: str = ""
    word: str = "turn"
    is_consequence: bool = False


APPROACH = "approach"
"""The family of the steps by which a charger comes before its target, of which notes tell the cost."""
STEP_WORDS: Mapping[str, StepKind] = {
    "wheel": StepKind(word="wheel"),
    "align": StepKind("align"),
    "special_align": StepKind("align"),
    "placed": StepKind("align"),
    "push": StepKind("pushed", "push"),
    "move": StepKind(family="move"),
    "stand_up": StepKind(family=APPROACH),
    "enter": StepKind(family=APPROACH),
    "turn": StepKind(family=APPROACH),
    "advance": StepKind(family="displacement"),
    "displace": StepKind("pushed", "displacement"),
    "step_out": StepKind("stepped", "displacement"),
    "miss": StepKind("stepped"),
    "skid": StepKind("slid", "skid"),
    "psr": StepKind(family="fall"),
    "fall": StepKind(family="fall"),
    "pilot": StepKind(family="fall"),
    "damage": StepKind(is_consequence=True),
    "motive": StepKind(is_consequence=True),
    "fights_first": StepKind(is_consequence=True),
}
NAMED_FAMILIES = (APPROACH,)
"""Families of which the steps are called together by one name, whichever of them there are."""
STATUS_AFTER: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {"fall": (("prone",), ()), "stand_up": ((), ("prone",))}
"""Status words that a step of a kind gives and takes away, as far as a figure shows them."""
SHOWN_STATUS = ("prone", "immobile", "broken")
"""Status words that are written beside a unit."""
LYING = "prone"
LOSSES = ("overwatch_before", "overwatch_after")
"""Steps in which models are taken away."""


def step_kind(kind: str) -> StepKind:
    """Give how steps of a kind are drawn."""
    return STEP_WORDS.get(kind, StepKind())


def hex_kind(kind: str) -> HexKind:
    """Give how terrain of a kind fills a hex; an unknown one is outlined and named in the key."""
    return HEXES.get(kind, HexKind(_ground(None, "rows"), Style(0.7)))
