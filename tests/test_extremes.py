"""Files at the limits of the format: little memory, no bugs, answers that stand by themselves; seconds are asked by the
long runs.
"""

import re
import tracemalloc
from typing import Any

import pytest

from tabletop.api import resolve
from tabletop.errors import NoVerdictError
from tabletop.scenario.reading import case_from_tables
from tests.oracles.extreme import forms
from tests.oracles.extreme.holding import by_processor_time, held
from tests.oracles.extreme.scenes import SCENES
from tests.systems.wh40k.tables import Spots
from tests.tables import charger

Tables = dict[str, Any]
SLOW = "took"
FEW = {
    "t9a": (1, 3, 4, 8, 19),
    "conquest": (1, 4, 9, 14, 24),
    "wh40k": (2, 3, 9, 10, 13),
    "battletech": (1, 2, 4, 5, 7, 10),
}
"""Scenes of each game that are quickly held."""
STAR = forms.gear(forms.MOST_CORNERS, 1.5, 0.2)
COMB = forms.comb(forms.MOST_CORNERS, 3.0)
MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    ("system", "number"),
    [(system, number) for system, numbers in FEW.items() for number in numbers],
)
def test_extreme_scenes_are_answered(system: str, number: int) -> None:
    """They read, what is resolved is judged right, and the table afterwards reads again."""
    held_scene = held(SCENES[system], number)
    assert held_scene.outcome != "refused"
    assert [complaint for complaint in held_scene.complaints if SLOW not in complaint] == []


def test_limits_by_the_time_of_the_processor_strike() -> None:
    """The clock by which a limit starts is the one by which it is asked: what began late has no time left."""
    with by_processor_time(), pytest.raises(NoVerdictError, match=r"\blimit\b.* -1 s\b"):
        resolve(case_from_tables(SCENES["wh40k"](FEW["wh40k"][0])), max_seconds=-1.0)


def test_counting_paths_asks_for_the_time() -> None:
    """On a wide board with many MP all paths are counted before anything else is looked at: that takes seconds."""
    with by_processor_time(), pytest.raises(NoVerdictError, match=r"\blimit\b.* -1 s\b"):
        resolve(case_from_tables(SCENES["battletech"](528)), max_seconds=-1.0)


def piece(kind: str, ring: forms.Ring, at: forms.Point, number: int) -> Tables:
    """Write a piece of terrain."""
    return {
        "name": f"piece {number}",
        "kind": kind,
        "polygon": forms.turned(ring, 0.1 * number, at),
    }


def garrisoned(house: forms.Ring, chargers: int, *, files: int, around: int) -> Tables:
    """Write a charge, or several, at a garrison of very many corners, with stars of as many around it."""
    units = {
        f"A{number}": charger(at=(20 + 7 * number, 10), files=files, base="25.4x25.4mm", march=8)
        for number in range(chargers)
    }
    terrain = [
        {"name": "house", "kind": "garrison", "polygon": forms.turned(house, 0.0, (24.0, 22.0))}
    ]
    terrain += [
        piece("forest", STAR, (8.0 + 7.0 * number, 14.0), number) for number in range(around)
    ]
    charges = [{"charger": name, "targets": ["house"]} for name in units]
    return {
        "system": "conquest",
        "board": {"width": 72, "depth": 48},
        "units": units,
        "terrain": terrain,
        "charges": charges,
    }


def strewn(system: str, units: Tables, pieces: list[Tables]) -> Tables:
    """Write a charge of A at T among pieces."""
    charges = [{"charger": "A", "targets": ["T"]}]
    return {
        "system": system,
        "board": {"width": 60, "depth": 60},
        "units": units,
        "terrain": pieces,
        "charges": charges,
    }


def block(at: forms.Point, facing: float, side: str) -> Tables:
    """Write a regiment of ten."""
    place = {"side": side, "at": list(at), "facing_deg": facing}
    return {**place, "files": 5, "models": 10, "base": "25x25mm", "profile": {"charge_speed": 8}}


def hulls(count: int, corners: int) -> Tables:
    """Write a charge of concave hulls at nine others."""
    hull = forms.gear(corners, 1.0, 0.4)
    chargers: Spots = [
        (10.0 + 2.3 * (number % 9), 10.0 + 2.3 * (number // 9)) for number in range(count)
    ]
    targets: Spots = [(10.0 + 2.3 * number, 36.0) for number in range(9)]
    units = {
        name: {"side": side, "at": spots, "hull": hull}
        for name, side, spots in (("A", "blue", chargers), ("T", "red", targets))
    }
    return strewn("wh40k", units, [])


REGIMENTS = {"A": block((30, 20), 90, "blue"), "T": block((31, 34), 270, "red")}
NAMED = {
    "sight lines to the sides of a garrison": lambda: garrisoned(
        forms.rounded(2000, 6.0), 1, files=20, around=6
    ),
    "three charges at one garrison": lambda: garrisoned(
        forms.rounded(2000, 6.0), 3, files=3, around=0
    ),
    "a star as garrison": lambda: garrisoned(forms.gear(2000, 6.0, 0.2), 1, files=3, around=3),
    "t9a among stars": lambda: strewn(
        "t9a", REGIMENTS, [piece("impassable", STAR, (17.0 + 4.0 * n, 27.0), n) for n in range(6)]
    ),
    "t9a among combs": lambda: strewn(
        "t9a", REGIMENTS, [piece("impassable", COMB, (12.0 + 8.0 * n, 27.0), n) for n in range(5)]
    ),
    "t9a sees past stars": lambda: strewn(
        "t9a", REGIMENTS, [piece("opaque", STAR, (24.0 + 2.0 * n, 27.0), n) for n in range(6)]
    ),
    "concave hulls": lambda: hulls(63, 8),
    "hulls of many corners": lambda: hulls(20, 200),
}


@pytest.mark.parametrize("name", NAMED)
def test_very_many_corners_take_little_memory(name: str) -> None:
    """However far the search comes in its time, it never holds more than a small part of what is allowed."""
    case = case_from_tables(NAMED[name]())
    tracemalloc.start()
    try:
        with by_processor_time():
            resolve(case, max_seconds=0.2)
    except NoVerdictError as error:
        assert re.search(r"\b(time|limit)\b", str(error))  # noqa: PT017 - no verdict is one of the answers allowed
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 500 * MEGABYTE
