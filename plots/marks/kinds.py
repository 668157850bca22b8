"""What scenario files and rulings call things, and how each is shown: terrain, terrain of hexes, steps, status words.

Figures know no game: a kind that is not listed here is outlined and named in the key, a step that is not listed is an arrow.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from plots.marks.mark import Points
from plots.marks.theme import GREY, Pattern, Style, tint

_SOLID = Style(1.0, GREY, 1.0, "#e3e1dc", pattern_colour="#8c8c8c")

TERRAIN_LOOKS: Mapping[str, Style] = {
    "impassable": replace(_SOLID, pattern="counter_stripes"),
    "opaque": Style(1.0, GREY, 0.9, "#ecebe6", pattern="dots", pattern_colour="#7a7a7a"),
    "forest": Style(1.0, GREY, 0.9, "#e6efe0", pattern="specks", pattern_colour="#5f7d52"),
    "hill": Style(0.9, GREY, 0.9, "#efe7d4", pattern="rows", pattern_colour="#c3ad7c"),
    "garrison": replace(_SOLID, width=1.6, pattern="squares"),
    "open": Style(1.0, GREY, 0.8, None, dash=(5.0, 2.0, 1.0, 2.0)),
    "block": replace(_SOLID, pattern="squares"),
    "wall": Style(1.1, GREY, 0.7, "#adadad"),
    "floor": Style(1.2, GREY, 0.9, "#f1efe9", pattern="rows", pattern_colour="#b5b1a6"),
    "barricade": Style(1.3, GREY, 0.8, "#efe7d4", pattern="columns", pattern_colour="#6e6e6e"),
    "area": Style(0.9, GREY, 0.8, "#eef3ea", dash=(5.0, 2.0, 1.0, 2.0), pattern="dots", pattern_colour="#8aa07e"),
}
"""Kinds of terrain that stand free on a table."""
UNKNOWN = "open"
SLABS = ("floor",)
"""Kinds of terrain that lie at their height, with room below: all others are solid from the ground up."""

LOWEST, HIGHEST, BROWN = -2, 4, "#8a6a2a"
"""Levels of ground that have a tint of their own; of what lies beyond only the number speaks."""
TREE = ((0.0, 0.115), (0.075, -0.035), (0.02, -0.035), (0.02, -0.09), (-0.02, -0.09), (-0.02, -0.035), (-0.075, -0.035))
SQUARE = ((0.0, 0.055), (0.055, 0.0), (0.0, -0.055), (-0.055, 0.0))
PUFF = ((0.075, 0.0), (0.053, 0.053), (0.0, 0.075), (-0.053, 0.053), (-0.075, 0.0), (-0.053, -0.053), (0.0, -0.075), (0.053, -0.053))
WALLS = ((-0.36, -0.2), (0.36, -0.2), (0.36, 0.25), (-0.36, 0.25))
WAVE = ((-0.09, 0.0), (-0.045, 0.035), (0.0, 0.0), (0.045, -0.035), (0.09, 0.0))
PEAK = ((-0.065, -0.045), (0.0, 0.055), (0.065, -0.045))
THREE = ((-0.42, 0.0), (0.42, 0.0), (0.0, 0.0))
SIX = ((-0.43, 0.04), (0.43, 0.04), (-0.31, -0.22), (0.31, -0.22), (0.0, 0.12), (0.0, -0.12))
FIVE = ((-0.40, 0.10), (0.40, 0.10), (-0.38, -0.13), (0.38, -0.13), (0.0, 0.0))


@dataclass(frozen=True)
class HexKind:
    """How a kind of terrain fills a hex: its ground, and a symbol at places about the middle; measures in flats of the hex.

    `is_open` symbols are lines, others closed rings; `tags` are the keys of its numbers that are written into the hex.
    """

    ground: Style
    symbol: Style
    shape: Points = ()
    places: Points = ()
    is_open: bool = False
    tags: tuple[str, ...] = ()


def _ground(fill: str | None, pattern: Pattern = "") -> Style:
    return Style(0.3, GREY, 0.6, fill, pattern=pattern, pattern_colour="#a5a5a5")


LEAF, WATER, STONE = "#3f6b33", "#1f6a93", "#6b5d45"
HEXES: Mapping[str, HexKind] = {
    "light_woods": HexKind(_ground("#edf3e7"), Style(0.7, LEAF, 0.7), TREE, THREE),
    "heavy_woods": HexKind(_ground("#d5e4ca"), Style(0.7, LEAF, 0.5, LEAF), TREE, SIX),
    "rough": HexKind(_ground("#f0eadd"), Style(0.7, STONE, 0.9), PEAK, FIVE, is_open=True),
    "rubble": HexKind(_ground("#e9e5dd"), Style(0.7, STONE, 0.5, STONE), SQUARE, FIVE),
    "water": HexKind(_ground("#dcecf6"), Style(0.7, WATER, 0.9), WAVE, FIVE, is_open=True, tags=("depth",)),
    "pavement": HexKind(_ground("#e9e9e9", "squares"), Style(0.7)),
    "building": HexKind(_ground(None), Style(0.7, GREY, 1.2, "#dbd8d2"), WALLS, ((0.0, 0.0),), tags=("cf",)),
    "light_smoke": HexKind(_ground(None), Style(0.8, GREY, 0.7), PUFF, THREE),
    "heavy_smoke": HexKind(_ground(None), Style(0.8, GREY, 0.5, "#b4b4b4"), PUFF, SIX),
    "prohibited": HexKind(_ground(None, "crossed"), Style(0.7)),
}
"""Kinds of terrain that fill hexes; `level` is told by the tints of the ground."""
LEVEL_LOOKS: Mapping[int, Style] = {
    level: _ground("#f7f5f0" if level == 0 else tint(BROWN, 0.13 * level) if level > 0 else tint("#4b6a8a", -0.14 * level))
    for level in range(LOWEST, HIGHEST + 1)
}
TAGS = ("level", "depth", "cf")
"""Numbers of a hex's terrain that are written into the hex."""

Role = Literal["path", "align", "pushed", "slid"]


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
    "step_out": StepKind(family="displacement"),
    "skid": StepKind("slid", "skid"),
    "psr": StepKind(family="fall"),
    "fall": StepKind(family="fall"),
    "pilot": StepKind(family="fall"),
    "damage": StepKind(is_consequence=True),
    "motive": StepKind(is_consequence=True),
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
