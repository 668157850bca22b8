"""The way to the target: what each hex costs, which ways are legal, and which of them is taken."""

import math
from dataclasses import replace
from typing import Any

import pytest

from tests.systems.battletech.tables import (
    Entry,
    after,
    charge,
    charger,
    finding,
    refusals,
    ruling,
    shown,
    table,
    terrain,
    unit,
)

A = charger("0508", walk=8)
B = unit("0505", "S")
STRAIGHT = ["0507", "0506"]


def asked(
    path: list[str] | None,
    *ground: Entry,
    who: Entry = A,
    others: Entry | None = None,
    rules: Entry | None = None,
    **keys: Any,
) -> list[str]:
    """Return the rules that refuse A's charge on B along a path, or along one that is searched."""
    way: Entry = {} if path is None else {"path": path}
    return refusals(
        table(
            {"A": who, "B": B, **(others or {})}, charge(**way, **keys), ground=ground, rules=rules
        )
    )


def test_declare_enough_mp_says_how_many_any_way_needs() -> None:
    """battletech.declare.enough-mp: with nothing found it names the fewest MP of any way, and of what is not there
    nothing.
    """
    short = ruling(table({"A": charger("0508", walk=1), "B": B}, charge()))
    found = finding(short, "battletech.declare.enough-mp")
    assert (found.measured, found.limit, found.margin) == (3, 2, -1)
    wall = [terrain("prohibited", "0507", "0607", "0608", "0509", "0408", "0407")]
    shut = finding(
        ruling(table({"A": A, "B": B}, charge(), ground=wall)), "battletech.declare.enough-mp"
    )
    assert (shut.ok, shut.measured) == (False, None)


@pytest.mark.parametrize(
    ("walk", "limit", "is_walked"),
    [(3, 5, False), (4, 4, True), (5, 5, True), (6, None, True)],
)
def test_declare_enough_mp_through_water(walk: int, limit: int | None, *, is_walked: bool) -> None:
    """battletech.declare.enough-mp: where a run's MP would do, just or amply, but the only way is wet, those of a walk
    are the limit.
    """
    gorge = [
        terrain("prohibited", "0607", "0608", "0509", "0408", "0407"),
        terrain("water", "0507", depth=1),
    ]
    found = finding(
        ruling(table({"A": charger("0508", walk=walk), "B": B}, charge(), ground=gorge)),
        "battletech.declare.enough-mp",
    )
    assert (found.ok, found.measured) == (limit is None, 6)
    if limit is not None:
        assert found.limit == limit
        assert ("walk" in found.text) is is_walked


@pytest.mark.parametrize(
    ("choice", "hexes"), [("forbidden", None), ("counted", 4), ("since_reversal", 3)]
)
def test_path_forward_only(choice: str, hexes: int | None) -> None:
    """battletech.path.forward-only: steps back are forbidden; by choice they count, or only what follows the last
    change of sense.
    """
    case = table(
        {"A": A, "B": B}, charge(path=["back:0509", "0508", *STRAIGHT]), rules={"backward": choice}
    )
    assert refusals(case) == ([] if hexes else ["path.forward-only"])
    if hexes:
        assert shown(ruling(case), "hexes_entered", "mp_spent", "movement") == {
            "hexes_entered": hexes,
            "mp_spent": 5,
            "movement": "walk",
        }


@pytest.mark.parametrize("choice", ["forbidden", "counted", "since_reversal"])
def test_path_forward_only_never_sideways(choice: str) -> None:
    """battletech.path.forward-only: no reading allows a step to the side."""
    assert "path.forward-only" in asked(["side:0407", "0406", "0405"], rules={"backward": choice})


def test_path_forward_only_back_steps_are_walked() -> None:
    """battletech.path.forward-only: steps back are made at a walk and on the level."""
    path = ["back:0509", "0508", *STRAIGHT]
    counted = {"backward": "counted"}
    assert asked(path, who=charger("0508", walk=4), rules=counted) != []
    assert asked(path, movement="run", rules=counted) != []
    assert asked(path, terrain("level", "0509", level=1), rules=counted) != []
    assert asked(path, rules=counted) == []


def test_path_connected() -> None:
    """battletech.path.connected: hexes must border; the MP of a way with gaps are not asked about."""
    assert asked(["0506"]) == ["path.connected"]
    assert asked(["0507", "0405"]) == ["path.connected"]


def test_path_connected_to_the_target() -> None:
    """battletech.declare.front-hex: a way that ends elsewhere leaves the target not before the charger."""
    assert asked(["0507"]) == ["declare.front-hex"]


@pytest.mark.parametrize(
    ("pieces", "others", "is_refused"),
    [
        ([terrain("prohibited", "0507")], {}, True),
        ([terrain("prohibited", "0507", **{"for": ["vehicle"]})], {}, False),
        ([terrain("level", "0507", level=3)], {}, True),
        ([], {"C": unit("0507")}, True),
        ([], {"C": unit("0507", type="infantry", tons=None)}, False),
        ([], {"C": unit("0507", type="vehicle")}, True),
        ([], {"C": charger("0507")}, False),
    ],
)
def test_path_enterable(pieces: list[Entry], others: Entry, *, is_refused: bool) -> None:
    """battletech.path.enterable: not through prohibited hexes, cliffs or enemies; through infantry and friends yes."""
    broken = asked(STRAIGHT, *pieces, others=others)
    assert broken == (["path.enterable"] if is_refused else [])


def test_path_enterable_not_through_the_target() -> None:
    """battletech.path.enterable: the way leads before the target, never through its hex."""
    assert "path.enterable" in asked([*STRAIGHT, "0505", "0504"], end_facing="S")


@pytest.mark.parametrize(
    ("motion", "walk", "movement", "is_refused"),
    [
        ("legs", 7, "auto", False),
        ("legs", 6, "walk", False),
        ("legs", 5, "auto", True),
        ("legs", 7, "run", True),
        ("hover", 7, "run", False),
    ],
)
def test_path_enterable_water(motion: str, walk: int, movement: str, *, is_refused: bool) -> None:
    """battletech.path.enterable: water a level deep is not entered at a run, save by hover; six MP are needed here."""
    kind: Entry = {} if motion == "legs" else {"type": "vehicle", "motion": motion}
    broken = asked(
        STRAIGHT,
        terrain("water", "0507", depth=1),
        who=charger("0508", walk=walk, **kind),
        movement=movement,
    )
    assert broken == (["path.enterable"] if is_refused else [])


@pytest.mark.parametrize(
    ("others", "choice", "is_refused"),
    [
        ({"C": charger("0506")}, "total_warfare", True),
        ({"C": charger("0506", type="vehicle")}, "total_warfare", False),
        (
            {"C": charger("0506", type="vehicle"), "D": charger("0506", type="vehicle")},
            "total_warfare",
            True,
        ),
        ({"C": charger("0506", type="infantry", tons=None)}, "total_warfare", False),
        ({"C": charger("0506", type="vehicle")}, "single", True),
        ({"C": charger("0506", type="infantry", tons=None)}, "single", False),
        ({"C": unit("0506", type="infantry", tons=None)}, "total_warfare", False),
    ],
)
def test_path_end_hex(others: Entry, choice: str, *, is_refused: bool) -> None:
    """battletech.path.end-hex: the charger waits in its last hex, so there must be room: one 'Mech and two units, or
    one unit.
    """
    broken = asked(STRAIGHT, others=others, rules={"stacking": choice})
    assert broken == (["path.end-hex"] if is_refused else [])


def test_path_end_hex_is_not_asked_on_the_way() -> None:
    """battletech.path.end-hex: passing through a friend's hex is no stop."""
    assert asked(STRAIGHT, others={"C": charger("0507")}) == []


def test_path_best_goes_for_hexes_first() -> None:
    """battletech.path.best: a longer way at a run beats the straight one at a walk; smaller hex numbers decide among
    equals.
    """
    found = ruling(table({"A": charger("0507", walk=4), "B": B}, charge()))
    names = (
        "paths_legal",
        "best_paths",
        "option_hexes",
        "option_mp",
        "option_paths",
        "path_hexes",
        "mp_spent",
        "movement",
    )
    assert [found.metrics[name] for name in names] == [
        5,
        4,
        [1, 2],
        [2, 6],
        [1, 4],
        ["0406", "0405"],
        6,
        "run",
    ]
    assert ruling(table({"A": charger("0507", walk=3), "B": B}, charge())).metrics[
        "path_hexes"
    ] == ["0506"]


def test_path_best_prefers_a_walk() -> None:
    """battletech.path.best: of ways with as many hexes the one that hits more easily; of these the cheapest."""
    woods = [terrain("heavy_woods", "0406", "0405")]
    found = ruling(
        table({"A": charger("0507", walk=6, run=9), "B": B}, charge(movement="walk"), ground=woods)
    )
    assert shown(found, "path_hexes", "mp_spent", "movement") == {
        "path_hexes": ["0506", "0605"],
        "mp_spent": 6,
        "movement": "walk",
    }


def test_path_best_lists_all_ways_on_demand() -> None:
    """battletech.path.best: all five ways are listed where they are asked for."""
    case = table({"A": charger("0507", walk=4), "B": B}, charge())
    listed = ruling(replace(case, detail=True)).metrics["all_paths"]
    assert sorted(listed) == [
        ["0406", "0405"],
        ["0506"],
        ["0506", "0405"],
        ["0506", "0605"],
        ["0606", "0605"],
    ]


@pytest.mark.parametrize("dice", [[6, 6, *[3, 4] * 5, 6, 6, 6, 6], [1, 1]], ids=["hit", "miss"])
def test_mp_target_hex(dice: list[int]) -> None:
    """battletech.mp.target-hex: the MP for the target's hex are spent whether the charge hits or misses."""
    found = ruling(
        table(
            {"A": A, "B": B},
            charge(path=STRAIGHT, dice=dice),
            ground=[terrain("heavy_woods", "0505")],
        )
    )
    assert finding(found, "battletech.mp.target-hex").ok
    assert found.metrics["mp_spent"] == 5


def test_prone_charger_stands_up() -> None:
    """A charger that lay stands when it charges."""
    case = table(
        {"A": charger("0508", walk=8, status=["prone"]), "B": B}, charge(path=STRAIGHT, dice=[1, 1])
    )
    assert [step.kind for step in ruling(case).steps[:3]] == ["stand_up", "enter", "enter"]
    assert after(case)["A"] == ("0605", "N", [])


@pytest.mark.parametrize(
    ("facing", "sides"), [("NE", 1), ("SE", 2), ("S", 3), ("SW", -2), ("NW", -1)]
)
def test_turns_go_the_shorter_way(facing: str, sides: int) -> None:
    """A step shows the turn to the first hex: counter-clockwise from the right, clockwise from the left, never more
    than half way.
    """
    found = ruling(table({"A": charger("0508", facing, walk=8), "B": B}, charge(path=STRAIGHT)))
    turns = [step.angle for step in found.steps if step.kind == "turn"]
    assert turns == pytest.approx([math.radians(60.0 * sides)])
