"""Terrain may go unnamed: it is called by its kind and its number among all pieces of that kind."""

import json
from typing import Any

import pytest

from tabletop import resolve
from tabletop.errors import ScenarioError
from tabletop.scenario import case_from_text, result, scenario_of, to_json, to_toml
from tabletop.scenario.reading import case_from_tables, read_tables
from tests.drill.files import MARCH, REMOVED, march_json
from tests.messages import untold

WALL, HEDGE = MARCH["terrain"]
UNNAMED = {key: value for key, value in WALL.items() if key != "name"}
UNIT = MARCH["units"]["A"]


def _hexes(*pieces: dict[str, Any]) -> dict[str, Any]:
    """Return a bundled hex map with other terrain."""
    return {**read_tables("battletech/a-wall-comes-down"), "terrain": list(pieces), "expect": []}


def _names(text: str) -> list[tuple[str, bool]]:
    return [(piece.name, piece.is_named) for piece in case_from_text(text).state.terrain]


def test_unnamed_pieces_are_called_by_kind_and_number() -> None:
    """The number counts all pieces of the kind, named ones too, in the order of the file."""
    text = march_json({"terrain": [UNNAMED, WALL, HEDGE, UNNAMED, {**HEDGE, "name": "Other"}]})
    assert _names(text) == [
        ("wall 1", False),
        ("Wall", True),
        ("Round hedge", True),
        ("wall 3", False),
        ("Other", True),
    ]


def test_underscores_of_a_kind_are_spaces() -> None:
    """Two pieces of `light_woods` are "light woods 1" and "light woods 2"."""
    pieces = [
        {"kind": kind, "hexes": [f"010{number}"]}
        for number, kind in enumerate(("light_woods", "rough", "light_woods"), 1)
    ]
    state = case_from_tables({**_hexes(*pieces), "charges": []}).state
    assert [piece.name for piece in state.hex_terrain] == [
        "light woods 1",
        "rough 1",
        "light woods 2",
    ]


@pytest.mark.parametrize(
    ("changes", "key", "parts"),
    [
        (
            {"terrain": [{**WALL, "name": "wall 2"}, UNNAMED]},
            "terrain[0].name",
            "'wall 2' .. terrain[1]",
        ),
        (
            {"terrain": [UNNAMED, {**HEDGE, "name": "wall 1"}]},
            "terrain[1].name",
            "'wall 1' .. terrain[0]",
        ),
        (
            {"terrain": [HEDGE, UNNAMED], "units/wall 1": UNIT},
            "units.'wall 1'",
            "'wall 1' .. terrain[1]",
        ),
    ],
)
def test_a_given_name_that_is_implied_elsewhere_is_refused(
    changes: dict[str, object], key: str, parts: str
) -> None:
    """Whoever is called as an unnamed piece is called gets another name, whatever the order."""
    with pytest.raises(ScenarioError) as raised:
        case_from_text(march_json(changes))
    (problem,) = raised.value.problems
    assert problem.key == key
    assert untold(problem.message, parts) == [], problem.message


def test_a_given_name_may_be_the_one_that_would_have_been_implied() -> None:
    """A second wall that is named "wall 2" is just that, and keeps its name when it is written."""
    text = march_json({"terrain": [UNNAMED, {**WALL, "name": "wall 2"}]})
    assert _names(text) == [("wall 1", False), ("wall 2", True)]
    assert _names(to_toml(scenario_of(case_from_text(text)))) == [
        ("wall 1", False),
        ("wall 2", True),
    ]


@pytest.mark.parametrize("write", [to_toml, to_json])
def test_unnamed_pieces_are_written_without_a_name(write: Any) -> None:
    """What was read without a name is written without one, and read again under the same."""
    case = case_from_text(march_json({"terrain/0/name": REMOVED}))
    text = write(scenario_of(case))
    assert "wall 1" not in text
    assert _names(text) == _names(march_json({"terrain/0/name": REMOVED}))


def test_the_answer_calls_unnamed_pieces_the_same_afterwards() -> None:
    """A building that collapses takes its number along: the next is then written with the name by which the answer
    calls it.
    """
    tables = _hexes(
        {"kind": "building", "hexes": ["0503"], "cf": 10},
        {"kind": "building", "hexes": ["0101"], "cf": 30},
    )
    charge = {key: value for key, value in tables["charges"][0].items() if key != "dice"}
    case = case_from_tables({**tables, "charges": [{**charge, "targets": ["building 1"]}]})
    answer = result(case, resolve(case))
    assert answer["rulings"][0]["targets"] == ["building 1"]
    assert [piece.get("name") for piece in answer["after"]["terrain"]] == ["building 2"]
    again = case_from_text(json.dumps(answer["after"]))
    assert [piece.name for piece in again.state.hex_terrain] == ["building 2"]


def test_an_unnamed_garrison_can_be_charged() -> None:
    """Targets name terrain by what it is called; near misses are told too."""
    tables = read_tables("conquest/charging-a-garrison")
    (garrison,) = [piece for piece in tables["terrain"] if piece["kind"] == "garrison"]
    own = garrison.pop("name")
    assert tables["charges"][0]["targets"] == [own]
    tables["charges"][0]["targets"] = ["garrison 1"]
    case = case_from_tables(tables)
    assert case.state.terrain[0].name == "garrison 1"
    tables["charges"][0]["targets"] = ["garison 1"]
    with pytest.raises(ScenarioError, match=r"'garison 1'.*'garrison 1'.*'garrison 1'"):
        case_from_tables(tables)
