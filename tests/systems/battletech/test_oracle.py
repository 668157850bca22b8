"""The program against the second implementation: the same faces, the same end; all small boards; chances by playing."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tabletop.api import odds
from tabletop.registry import scenarios
from tabletop.scenario import case_from_text
from tests.oracles.battletech.board import Table, Tables
from tests.oracles.battletech.chances import simulate
from tests.oracles.battletech.perft import by_program, counted, played, states
from tests.oracles.battletech.referee import compare
from tests.oracles.battletech.scenes import random_scene
from tests.oracles.battletech.ways import all_ways, search_metrics
from tests.systems.battletech.tables import charge, charger, ruling, terrain, unit

IN_EVERY_RUN = 60
REMEMBERED = (33, 67, 512, 622, 757, 1542, 10_268, 11_023, 19_237, 21_488)
"""Scenes in which the readings of the two once differed."""
SLICE = 149
FROZEN: dict[tuple[str, ...], int] = {
    ("failed", "tohit.roll", "none", "1 ways past", "0 fell"): 192,
    ("failed", "tohit.roll", "none", "2 ways past", "0 fell"): 576,
    ("success", "blocked", "prohibited", "B", "0 fell"): 596,
    ("success", "blocked", "prohibited", "B", "1 fell"): 813,
    ("success", "blocked", "prohibited", "B", "2 fell"): 319,
    ("success", "blocked", "too_high", "B", "0 fell"): 933,
    ("success", "blocked", "too_high", "B", "1 fell"): 1210,
    ("success", "blocked", "too_high", "B", "2 fell"): 449,
    ("success", "moved", "0 fell"): 2790,
    ("success", "moved", "1 fell"): 4377,
    ("success", "moved", "2 fell"): 2121,
    ("success", "moved", "3 fell"): 216,
}
"""How the charges of all small boards end."""
WAYS = {
    "open": [0, 1, 1, 1, 1, 5, 9, 13, 23, 59, 115],
    "rough": [0, 0, 0, 1, 1, 1, 1, 2, 4, 6, 9],
}
"""Legal ways of a walk of 1, 2, 3, ... MP."""
ROUGH = [
    terrain("light_woods", "0303", "0504"),
    terrain("level", "0304", "0404", "0503", level=1),
    terrain("prohibited", "0302"),
    terrain("level", "0505", level=3),
    terrain("rough", "0406", "0305"),
    terrain("water", "0502", depth=1),
]


@pytest.mark.parametrize("number", [*range(IN_EVERY_RUN), *REMEMBERED])
def test_random_tables(number: int) -> None:
    """On a random table both give the same verdict, metrics and end, and use the same faces."""
    assert compare(random_scene(number), number)[1] == []


@pytest.mark.oracle
@pytest.mark.parametrize("first", range(10_000, 13_000, 250))
def test_many_random_tables(first: int) -> None:
    """Three thousand more."""
    assert [
        (number, found)
        for number in range(first, first + 250)
        if (found := compare(random_scene(number), number)[1])
    ] == []


BEYOND = (
    "a-run-up-backwards",
    "three-things-wrong",
    "a-mech-at-a-tank",
    "a-target-that-has-not-moved",
)
"""Scenarios that turn on what the second implementation does not read: backward steps, and who may be charged."""


def bundled() -> list[tuple[str, Tables]]:
    """Return the bundled scenarios of one charge that the second implementation can play."""
    files = [
        (name, tomllib.loads(Path(str(path)).read_text(encoding="utf-8")))
        for name, path in scenarios("battletech")
    ]
    beyond = {f"battletech/{name}" for name in BEYOND}
    return [
        (name, _question(file))
        for name, file in files
        if name not in beyond and len(file["charges"]) == 1
    ]


def _question(file: Tables) -> Tables:
    return {key: value for key, value in file.items() if key not in {"expect", "proposal"}}


@pytest.mark.parametrize(
    ("name", "tables"), bundled(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_bundled_scenarios(name: str, tables: Tables) -> None:
    """Whatever the dice show, the bundled scenarios end alike."""
    assert name
    assert [compare(tables, seed)[1] for seed in range(3)] == [[]] * 3


def test_small_boards_by_the_second_implementation() -> None:
    """Every 149th of the 14,592 states: each way to end is one of those frozen, and never more often."""
    found = counted(SLICE)
    assert sum(found.values()) == 98
    assert all(count <= FROZEN[label] for label, count in found.items())


def test_small_boards() -> None:
    """Every 149th state ends in the program as it does in the second implementation."""
    for number, tables in enumerate(states()):
        if number % SLICE == 0:
            label, file = played(tables, number)
            assert by_program(file) == label, file


@pytest.mark.oracle
def test_all_small_boards_by_the_second_implementation() -> None:
    """All states end as they always did."""
    assert counted() == FROZEN


@pytest.mark.oracle
@pytest.mark.parametrize("part", range(16))
def test_all_small_boards(part: int) -> None:
    """All states end in the program as they do in the second implementation."""
    for number, tables in enumerate(states()):
        if number % 16 == part:
            label, file = played(tables, number)
            assert by_program(file) == label, file


@pytest.mark.parametrize("ground", ["open", "rough"])
def test_ways_are_counted_alike(ground: str) -> None:
    """The number of ways for each number of MP, told one by one and by the program, is the one that was frozen."""
    pieces = {"open": [], "rough": ROUGH}[ground]
    for walk, count in enumerate(WAYS[ground], start=1):
        tables = board_of_seven(walk, pieces)
        found = ruling(case_from_text(json.dumps(tables))).metrics
        table = Table(tables)
        expected = search_metrics(
            list(all_ways(table, table.units["A"], (4, 3), tables["charges"][0]))
        )
        assert expected["paths_legal"] == count
        assert {key: found[key] for key in expected} == expected


def board_of_seven(walk: int, pieces: list[Any]) -> Tables:
    """Return a charge two hexes away on a board of seven by seven."""
    units = {"A": charger("0405", walk=walk), "B": unit("0403", "S")}
    asked = charge(movement="walk")
    return {
        "system": "battletech",
        "board": {"columns": 7, "rows": 7},
        "units": units,
        "terrain": pieces,
        "charges": [asked],
    }


PLAYED = {
    "blocked": "nowhere-to-be-pushed",
    "kicked": "kicked-by-a-hovercraft",
    "dropped": "off-the-plateau",
    "vehicles": "rammed-from-behind",
    "shot at": "shot-down-on-the-run",
    "hill": "stopped-by-a-hill",
    "side": "struck-from-the-side",
    "domino": "out-of-the-way",
}
AGAIN = {
    "skid": {
        "system": "battletech",
        "board": {"columns": 15, "rows": 17},
        "units": {
            "A": charger("0507", tons=50, piloting=4),
            "B": unit("0506", "S", tons=60, piloting=4),
        },
        "terrain": [terrain("pavement", "0507")],
        "charges": [charge(7, weapon_phase={"charger_psr": "roll", "charger_psr_modifier": 4})],
    },
    "building": {
        "system": "battletech",
        "board": {"columns": 15, "rows": 17},
        "units": {"A": charger("0507", tons=90, piloting=4), "B": unit("0506", "S", tons=60)},
        "terrain": [terrain("building", "0506", cf=30)],
        "charges": [charge(5)],
    },
    "domino": {
        "system": "battletech",
        "board": {"columns": 15, "rows": 17},
        "units": {
            "A": charger("0507", tons=40),
            "B": unit("0506", tons=50),
            "C": unit("0505", "NE", tons=60, unspent_mp=2),
        },
        "charges": [charge(2, domino={"C": "forward"})],
    },
}


def complaints(tables: Tables, plays: int) -> list[str]:
    """Play a charge many times; give the odds that do not agree."""
    return list(
        simulate(tables, plays, 1).complaints(
            dict(odds(case_from_text(json.dumps(tables))).charges[-1].metrics)
        )
    )


@pytest.mark.parametrize("scene", AGAIN)
def test_odds_agree_with_plays(scene: str) -> None:
    """Two thousand plays belie no chance."""
    assert complaints(AGAIN[scene], 2000) == []


@pytest.mark.oracle
@pytest.mark.parametrize("scene", [*AGAIN, *PLAYED])
def test_odds_agree_with_many_plays(scene: str) -> None:
    """Two hundred thousand plays in all belie no chance."""
    files = dict(bundled())
    tables = AGAIN.get(scene) or files[f"battletech/{PLAYED[scene]}"]
    assert complaints(tables, 20_000) == []
