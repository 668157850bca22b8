"""What must not matter, does not: where on the board it happens, names, order, heights counted from elsewhere; and
mirrors.
"""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from tabletop.api import odds as odds_of
from tabletop.api import resolve
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tabletop.scenario import case_from_text, result
from tests.oracles.battletech.board import FACINGS, Hex, Tables, printed, read_hex
from tests.oracles.battletech.scenes import COLUMNS, random_scene

WIDE = 25
FAR = (6, 6)
"""Where the scenes are put on a wide board, so that its edges are out of reach."""
MIRRORED = {"N": "N", "NE": "NW", "SE": "SW", "S": "S", "SW": "SE", "NW": "NE"}
OTHER_SIDE = {"la": "ra", "lt": "rt", "ll": "rl", "ls": "rs", "fll": "frl", "rll": "rrl"} | {
    "ra": "la",
    "rt": "lt",
    "rl": "ll",
    "rs": "ls",
    "frl": "fll",
    "rrl": "rll",
}
SEEDS = range(200, 224)
IN_PLACE = tuple(number for number in SEEDS if "hexes_moved" in random_scene(number)["charges"][0])
"""Scenes in which no way is searched: which of equal ways is taken depends on the numbers of hexes."""


def carried(tables: Tables, place: Callable[[Hex], Hex]) -> Tables:
    """Carry all hexes of a file somewhere else."""
    moved = copy.deepcopy(tables)
    for entry in moved["units"].values():
        entry["hex"] = printed(place(read_hex(entry["hex"])))
    for piece in moved["terrain"]:
        piece["hexes"] = [printed(place(read_hex(text))) for text in piece["hexes"]]
    for charge in moved["charges"]:
        if "path" in charge:
            charge["path"] = [printed(place(read_hex(text))) for text in charge["path"]]
    return moved


def shifted(tables: Tables, columns: int, rows: int) -> Tables:
    """Put a file on a wide board, so many columns to the right and rows down."""
    return carried(tables, lambda place: (place[0] + columns, place[1] + rows)) | {
        "board": {"columns": WIDE, "rows": WIDE}
    }


def read(tables: Tables) -> Case:
    """Read a file given as tables."""
    return case_from_text(json.dumps(tables))


def told(resolution: Resolution) -> list[Any]:
    """Return what does not depend on places: verdict, findings and metrics."""
    ruling = resolution.rulings[0]
    places = ("charger_x", "charger_y", "target_x", "target_y", "path_hexes", "miss_options")
    metrics = {key: value for key, value in ruling.metrics.items() if key not in places}
    metrics["distance_inches"] = pytest.approx(metrics["distance_inches"])
    return [
        ruling.outcome,
        ruling.rule,
        ruling.choices,
        [(one.rule, one.ok) for one in ruling.findings],
        metrics,
    ]


def ends(case: Case, resolution: Resolution) -> dict[str, tuple[Hex, str, list[str]]]:
    """Return where all stand afterwards."""
    units = result(case, resolution)["after"]["units"]
    return {
        name: (read_hex(entry["hex"]), entry["facing"], entry.get("status", []))
        for name, entry in units.items()
    }


@pytest.mark.parametrize("number", SEEDS)
@pytest.mark.parametrize("by", [(2, 0), (0, 1)])
def test_somewhere_else_on_the_board(number: int, by: tuple[int, int]) -> None:
    """Two columns or one row on, everything is the same but for the hexes' numbers."""
    here, there = (
        read(shifted(random_scene(number), FAR[0] + columns, FAR[1] + rows))
        for columns, rows in ((0, 0), by)
    )
    first = resolve(here, seed=number)
    second = resolve(there, seed=number)
    assert told(first) == told(second)
    moved = {
        name: ((place[0] + by[0], place[1] + by[1]), *rest)
        for name, (place, *rest) in ends(here, first).items()
    }
    assert moved == ends(there, second)


@pytest.mark.parametrize("number", IN_PLACE)
def test_in_the_mirror(number: int) -> None:
    """On a board of an odd number of columns right and left change places in all chances."""
    tables = random_scene(number)
    tables["rules"].pop("vehicle_front_5", None)
    tables["charges"][0].setdefault("miss", "right")
    mirrored = carried(tables, lambda place: (COLUMNS + 1 - place[0], place[1]))
    for entry in mirrored["units"].values():
        entry["facing"] = MIRRORED[entry["facing"]]
    mirrored["charges"][0]["miss"] = {"right": "left", "left": "right"}[
        tables["charges"][0]["miss"]
    ]
    first = odds_of(read(tables)).charges[0]
    second = odds_of(read(mirrored)).charges[0]
    assert dict(first.outcomes) == dict(second.outcomes)
    assert {key: value for key, value in first.metrics.items() if "fraction" in key} == {
        _swapped(key): value for key, value in second.metrics.items() if "fraction" in key
    }


def _swapped(key: str) -> str:
    code = key.removeprefix("expected_target_").partition("_")[0]
    return key.replace(f"expected_target_{code}_", f"expected_target_{OTHER_SIDE.get(code, code)}_")


@pytest.mark.parametrize("number", SEEDS)
def test_renamed(number: int) -> None:
    """Names decide nothing."""
    tables = random_scene(number)
    names = {name: f"unit {ord(name) * 7 % 13}" for name in tables["units"]}
    renamed = copy.deepcopy(tables)
    renamed["units"] = {names[name]: entry for name, entry in renamed["units"].items()}
    for piece in renamed["terrain"]:
        piece["name"] += " of old"
    charge = renamed["charges"][0]
    charge |= {
        "charger": names["A"],
        "targets": [names.get(name, f"{name} of old") for name in charge["targets"]],
    }
    charge["domino"] = {names[name]: say for name, say in charge["domino"].items() if name in names}
    first = resolve(read(tables), seed=number)
    second = resolve(read(renamed), seed=number)
    assert {names[name]: end for name, end in ends(read(tables), first).items()} == ends(
        read(renamed), second
    )
    assert told(first)[:4] == told(second)[:4]


@pytest.mark.parametrize("number", SEEDS)
def test_in_another_order(number: int) -> None:
    """The order of terrain, and of units that do not share a hex, decides nothing."""
    tables = random_scene(number)
    turned = copy.deepcopy(tables)
    turned["units"] = dict(reversed(turned["units"].items()))
    turned["terrain"].reverse()
    first = resolve(read(tables), seed=number)
    second = resolve(read(turned), seed=number)
    assert ends(read(tables), first) == ends(read(turned), second)
    assert told(first) == told(second)


@pytest.mark.parametrize("number", SEEDS)
def test_all_of_it_higher(number: int) -> None:
    """Only differences of level count."""
    tables = shifted(random_scene(number), *FAR)
    raised = copy.deepcopy(tables)
    levels = {
        text: piece["level"]
        for piece in raised["terrain"]
        if piece["kind"] == "level"
        for text in piece["hexes"]
    }
    raised["terrain"] = [piece for piece in raised["terrain"] if piece["kind"] != "level"]
    by_level: dict[int, list[str]] = {}
    for place in [(column, row) for column in range(1, WIDE + 1) for row in range(1, WIDE + 1)]:
        by_level.setdefault(levels.get(printed(place), 0) + 3, []).append(printed(place))
    raised["terrain"] += [
        {"name": f"at {level}", "kind": "level", "hexes": hexes, "level": level}
        for level, hexes in by_level.items()
    ]
    first = resolve(read(tables), seed=number)
    second = resolve(read(raised), seed=number)
    assert told(first) == told(second)
    assert ends(read(tables), first) == ends(read(raised), second)


@pytest.mark.parametrize("turned", range(1, 6))
def test_turned_about_the_target(turned: int) -> None:
    """The six directions of a charge have the same chances."""
    units = {
        "A": {
            "side": "blue",
            "hex": "0507",
            "facing": "N",
            "profile": {"type": "mech", "tons": 60},
        },
        "B": {
            "side": "red",
            "hex": "0506",
            "facing": "SE",
            "profile": {"type": "mech", "tons": 60},
        },
    }
    starts = {0: "0507", 1: "0406", 2: "0405", 3: "0505", 4: "0605", 5: "0606"}
    charge = {"charger": "A", "targets": ["B"], "hexes_moved": 4, "movement": "run"}
    tables = {
        "system": "battletech",
        "board": {"columns": 15, "rows": 17},
        "units": units,
        "charges": [charge],
    }
    other = copy.deepcopy(tables)
    other_units: Any = other["units"]
    other_units["A"] |= {"hex": starts[turned], "facing": FACINGS[turned]}
    other_units["B"]["facing"] = FACINGS[(2 + turned) % 6]
    assert dict(odds_of(read(tables)).charges[0].metrics) == dict(
        odds_of(read(other)).charges[0].metrics
    )
