"""The tables of kinds: each look its own, told apart without colour."""

import math
from itertools import combinations
from typing import cast, get_args

import pytest

from plots.layout.key import key_entries
from plots.marks.mark import Rings
from plots.marks.styles import (
    HEXES,
    LEVEL_LOOKS,
    TERRAIN_LOOKS,
    hex_kind,
    style,
)
from plots.marks.theme import TABLE_COLOUR
from tabletop.ruling.looks import STEP_LOOKS, GroundLook, Looks, StepLook, step_kind
from tests.plots.contrast import contrast


def test_kinds_of_terrain_differ_without_colour() -> None:
    """No two kinds share pattern, dash and the weight of fill and edge."""
    looks = {
        kind: (look.pattern, look.dash, look.width, look.fill is None, look.pattern_colour)
        for kind, look in TERRAIN_LOOKS.items()
    }
    assert not [pair for pair in combinations(looks, 2) if looks[pair[0]] == looks[pair[1]]]


def test_kinds_of_hexes_differ_without_colour() -> None:
    """No two kinds share symbol, its places, whether it is filled, and the pattern of the ground."""
    looks = {
        kind: (look.shape, look.places, look.symbol.fill is None, look.ground.pattern)
        for kind, look in HEXES.items()
    }
    assert not [pair for pair in combinations(looks, 2) if looks[pair[0]] == looks[pair[1]]]


@pytest.mark.parametrize("kind", [*TERRAIN_LOOKS, *HEXES])
def test_edges_stand_out(kind: str) -> None:
    """The edge of each kind, and of its symbols, keeps 3:1 against the table and its own ground."""
    looks = (
        [TERRAIN_LOOKS[kind]] if kind in TERRAIN_LOOKS else [HEXES[kind].ground, HEXES[kind].symbol]
    )
    ground = looks[0].fill or TABLE_COLOUR
    for edge in (look.edge for look in looks if look.edge):
        assert min(contrast(edge, TABLE_COLOUR), contrast(edge, ground)) >= 3.0


def test_symbols_stay_inside_a_hex() -> None:
    """No corner of a symbol lies beyond the hex it stands in, a hex being 1 across its flats."""
    for kind in HEXES.values():
        for at in kind.places:
            for x, y in ((at[0] + right, at[1] + up) for right, up in kind.shape):
                assert (
                    max(
                        abs(x * math.cos(turn) + y * math.sin(turn))
                        for turn in (math.pi / 6, math.pi / 2, 5 * math.pi / 6)
                    )
                    <= 0.5
                )


def test_higher_ground_is_darker() -> None:
    """From the lowest level above the table to the highest the tints darken."""
    tones = [
        contrast(look.fill or TABLE_COLOUR, "#ffffff")
        for level, look in sorted(LEVEL_LOOKS.items())
        if level >= 0
    ]
    assert tones == sorted(tones)


def test_unknown_words_have_a_look() -> None:
    """A kind of hex or step that no table lists is drawn all the same, and named in the key."""
    assert hex_kind("deep_mud").ground == style("hexes.deep_mud.deep_mud")
    assert style("terrain.deep_mud.deep_mud") == style("terrain.neutral")
    assert key_entries([Rings("mud", "hexes.deep_mud.deep_mud", ())]) == [
        ("hexes.deep_mud.deep_mud", "deep mud")
    ]
    assert step_kind("somersault").role == "path"


def test_looks_that_games_may_name_are_those_that_figures_know() -> None:
    """Each is drawn, and nothing is drawn that no game may name; two of one look are told apart by their words."""
    assert {*TERRAIN_LOOKS, *HEXES} == set(get_args(GroundLook))
    assert set(STEP_LOOKS) == set(get_args(StepLook))
    marks = [Rings("a", "terrain.wood.copse", ()), Rings("b", "terrain.wood.forest", ())]
    assert sorted(meaning for _, meaning in key_entries(marks)) == ["copse", "forest"]


def test_a_look_that_is_none_is_refused() -> None:
    """With the one that is meant."""
    with pytest.raises(ValueError, match=r"looks\.terrain\.copse: .*'wod'; did you mean 'wood'\?"):
        Looks(terrain={"copse": cast("GroundLook", "wod")})
    with pytest.raises(ValueError, match=r"looks\.words\.de: 'copse' .*'terrain', 'step'"):
        Looks(words={"de": {"copse": "Gehölz"}})
