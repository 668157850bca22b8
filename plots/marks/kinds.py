"""What things may look like: terrain, terrain of hexes, steps.

Figures know no game: each says in its vocabulary which of these its words look like. A kind that looks like none of them is outlined and
named in the key, such a step is an arrow.
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
    "rock": replace(_SOLID, pattern="counter_stripes"),
    "screen": Style(1.0, STONE_EDGE, 0.9, "#e3ddcf", pattern="dots", pattern_colour="#a1988a"),
    "wood": Style(1.0, "#4c6640", 0.9, "#d5e0c4", pattern="crowns", pattern_colour="#b1c69b"),
    "hill": Style(0.9, "#776640", 0.9, "#e6d9b9"),
    "building": replace(_SOLID, width=1.6, pattern="squares"),
    "neutral": Style(1.0, STONE_EDGE, 0.8, None, dash=(5.0, 2.0, 1.0, 2.0)),
    "block": replace(_SOLID, pattern="squares"),
    "wall": Style(1.1, "#4a4539", 0.7, "#c0b8a9"),
    "floor": Style(1.2, STONE_EDGE, 0.9, "#f4f0e6", pattern="rows", pattern_colour="#d2cab8"),
    "barricade": Style(1.3, STONE_EDGE, 0.8, "#e2d5b4", pattern="columns", pattern_colour="#a8946a"),
    "area": Style(0.9, STONE_EDGE, 0.8, "#dfe5d0", dash=(5.0, 2.0, 1.0, 2.0), pattern="dots", pattern_colour="#a3b392"),
    "water": Style(0.85, "#3b789d", 0.9, "#d3e5ee", pattern="rows", pattern_colour="#a9c9da"),
}
"""Kinds of terrain that stand free on a table."""
UNKNOWN = "neutral"
SHADED = ("rock", "building", "block", "wall", "barricade")
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

    `is_open` symbols are lines, others closed rings, which have `lines` on them and throw a shadow if they are `shaded`.
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


LEAF, WATER, STONE = "#4d7040", "#3b789d", "#6b5d45"
HEXES: Mapping[str, HexKind] = {
    "wood": HexKind(_ground("#e0e8d3"), Style(0.7, LEAF, 0.6, "#c3d3b0"), TREE, THREE),
    "dense_wood": HexKind(_ground("#cfdebd"), Style(0.7, LEAF, 0.5, "#7b9a68"), TREE, SIX),
    "rough": HexKind(_ground("#e6dcc6"), Style(0.7, STONE, 0.9), PEAK, FIVE, is_open=True),
    "rubble": HexKind(_ground("#dfd8ca"), Style(0.7, STONE, 0.5, STONE), SQUARE, FIVE),
    "water": HexKind(_ground("#d3e5ee"), Style(0.7, WATER, 0.9), WAVE, FIVE, is_open=True),
    "paved": HexKind(_ground("#dedbd4", "squares"), Style(0.7)),
    "building": HexKind(_ground(None), Style(0.7, STONE_EDGE, 1.0, "#d6cfc0"), WALLS, ((0.0, 0.0),), lines=ROOF, shaded=True),
    "smoke": HexKind(_ground(None), Style(0.8, GREY, 0.7), PUFF, THREE),
    "dense_smoke": HexKind(_ground(None), Style(0.8, GREY, 0.5, "#b4b4b4"), PUFF, SIX),
    "prohibited": HexKind(_ground(None, "crossed"), Style(0.7)),
}
"""Kinds of terrain that fill hexes; `level` is told by the tints of the ground."""
LEVEL_LOOKS: Mapping[int, Style] = {
    level: _ground(TABLE if level == 0 else tint(*((BROWN, 0.13 * level) if level > 0 else ("#3f6c98", -0.2 * level)), ground=TABLE))
    for level in range(LOWEST, HIGHEST + 1)
}

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
STEP_LOOKS: Mapping[str, StepKind] = {
    "neutral": StepKind(),
    "turn": StepKind(),
    "wheel": StepKind(word="wheel"),
    "align": StepKind("align"),
    "move": StepKind(family="move"),
    "approach": StepKind(family=APPROACH),
    "rise": StepKind(family=APPROACH),
    "push": StepKind("pushed", "push"),
    "follow": StepKind(family="displacement"),
    "displace": StepKind("pushed", "displacement"),
    "aside": StepKind("stepped", "displacement"),
    "miss": StepKind("stepped"),
    "skid": StepKind("slid", "skid"),
    "fall": StepKind(family="fall"),
    "falling": StepKind(family="fall"),
    "consequence": StepKind(is_consequence=True),
    "loss": StepKind(),
}
NAMED_FAMILIES = (APPROACH,)
"""Families of which the steps are called together by one name, whichever of them there are."""


def look_of(role: str) -> tuple[str, str]:
    """Return the group and the look that a role of terrain is made of: "terrain.wood.forest" is terrain that is drawn as a wood."""
    group, look, *_ = role.split(".", 2)
    return group, look


def step_kind(look: str) -> StepKind:
    """Give how steps of a look are drawn."""
    return STEP_LOOKS.get(look, StepKind())


def hex_kind(look: str) -> HexKind:
    """Give how terrain of a look fills a hex; any other is outlined and named in the key."""
    return HEXES.get(look, HexKind(_ground(None, "rows"), Style(0.7)))
