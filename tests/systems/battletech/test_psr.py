"""Keeping one's feet after a charge, and what a fall does."""

from typing import Any

import pytest

from tabletop.errors import ScenarioError
from tabletop.messages import names_in
from tests.systems.battletech.tables import (
    Entry,
    after,
    charge,
    charger,
    findings,
    ruling,
    shown,
    table,
    terrain,
    unit,
)

A = charger("0507", tons=10)
B = unit("0506", "S", tons=10)
HIT = [6, 6, 3, 4, 3, 4]
HEAVY = [6, 6, *[3, 4] * 5]


def hit(
    dice: list[int],
    *,
    a: Entry = A,
    b: Entry = B,
    rules: Entry | None = None,
    ground: list[Entry] | None = None,
) -> Any:
    """Let A hit B after five hexes: all the faces."""
    return table({"A": a, "B": b}, charge(5, dice=dice), rules=rules, ground=ground or [])


@pytest.mark.parametrize(
    ("a", "b", "numbers"),
    [
        (A, B, [7, 7]),
        (charger("0507", tons=10, piloting=3), unit("0506", "S", tons=10, piloting=4), [5, 6]),
        (
            charger("0507", tons=10, psr_modifier=2),
            unit("0506", "S", tons=10, psr_modifier=-1),
            [9, 6],
        ),
    ],
)
def test_psr_charge(a: Entry, b: Entry, numbers: list[int]) -> None:
    """battletech.psr.charge: both roll their piloting and 2 and their other modifiers."""
    found = ruling(hit([*HIT, 6, 6, 6, 6], a=a, b=b))
    assert (found.metrics["psr_charger"], found.metrics["psr_target"], found.metrics["fell"]) == (
        [numbers[0]],
        [numbers[1]],
        [],
    )
    assert [one.measured for one in findings(found, "battletech.psr.charge")] == [12, 12]


@pytest.mark.parametrize(("roll", "is_up"), [([3, 4], True), ([3, 3], False)])
def test_psr_charge_decides(roll: list[int], *, is_up: bool) -> None:
    """battletech.psr.charge: seven stands at seven, six falls; falling is no failure of the charge."""
    fall = [] if is_up else [1, 3, 4, 6, 6]
    found = ruling(hit([*HIT, *roll, *fall, 6, 6]))
    assert (found.outcome, found.metrics["fell"]) == ("success", [] if is_up else ["A"])


def test_psr_charge_is_not_rolled_after_a_miss() -> None:
    """battletech.psr.charge: a miss shakes nobody."""
    found = ruling(hit([1, 1]))
    assert findings(found, "battletech.psr.charge") == []


@pytest.mark.parametrize(
    ("choice", "numbers"), [("shared", [8, 8]), ("separate", [7, 6]), ("off", [7])]
)
def test_psr_heavy_damage(choice: str, numbers: list[int]) -> None:
    """battletech.psr.heavy-damage: twenty points make two rolls, both harder or one of them, or nothing, as chosen."""
    a = charger("0507", tons=40)
    found = ruling(
        hit([*HEAVY, 6, 6, *[6, 6] * len(numbers)], a=a, rules={"heavy_damage_psr": choice})
    )
    assert (
        found.metrics["damage_target"],
        found.metrics["psr_target"],
        found.metrics["psr_charger"],
    ) == (20, numbers, [7])
    assert bool(findings(found, "battletech.psr.heavy-damage")) is (choice != "off")


def test_psr_heavy_damage_counts_all_of_the_charge() -> None:
    """battletech.psr.heavy-damage: five points of the collision and fifteen of falling masonry are twenty."""
    units = {"A": charger("0507", tons=50, piloting=4), "B": unit("0506", "S", tons=50)}
    dice = [6, 6, 3, 4, 1, 1, *[3, 4] * 3, 6, 6, 6, 6, 6, 6]
    found = ruling(table(units, charge(1, dice=dice), ground=[terrain("building", "0506", cf=150)]))
    assert found.metrics["psr_charger"] == [7, 7]


def test_psr_heavy_damage_rolls_once_after_a_fall() -> None:
    """battletech.psr.heavy-damage: whoever fails one of two rolls falls once."""
    dice = [*HEAVY, 6, 6, 6, 6, 3, 4, 1, 3, 4, 6, 6]
    found = ruling(hit(dice, a=charger("0507", tons=40)))
    assert (found.metrics["psr_target"], found.metrics["fell"]) == ([8, 8], ["B"])


FIRST_FAILED = [*HEAVY, 6, 6, 3, 4, 1, 3, 4, 6, 6]


def test_psr_heavy_damage_is_not_rolled_by_who_lies() -> None:
    """battletech.psr.heavy-damage: where the first roll fails the second is not made, though its number is told."""
    found = ruling(hit(FIRST_FAILED, a=charger("0507", tons=40)))
    assert (found.metrics["psr_target"], found.metrics["fell"]) == ([8, 8], ["B"])
    assert [step.unit for step in found.steps if step.kind == "psr"] == ["A", "B"]
    assert names_in(findings(found, "battletech.psr.heavy-damage")[0].text) >= {"B", "20"}
    assert found.metrics["p_target_falls_if_hit"] == pytest.approx(1 - (15 / 36) ** 2)


def test_psr_heavy_damage_faces_for_who_lies_are_left_over() -> None:
    """battletech.psr.heavy-damage: faces for a second roll that is not made are too many."""
    with pytest.raises(ScenarioError, match=r"charges\[0\]\.dice: 2 .*\[6, 6\]"):
        ruling(hit([*FIRST_FAILED, 6, 6], a=charger("0507", tons=40)))


@pytest.mark.parametrize("kind", ["vehicle", "dropship"])
def test_psr_charge_is_for_mechs(kind: str) -> None:
    """battletech.psr.charge: nothing else rolls."""
    a = charger("0507", tons=10, type="vehicle")
    motive = [1, 1] if kind == "vehicle" else []
    located = [3, 4] if kind == "vehicle" else []
    found = ruling(
        hit([6, 6, 1, 1, 3, 4, *motive, *located], a=a, b=unit("0506", "S", tons=10, type=kind))
    )
    assert shown(found, "psr_charger", "psr_target", "fell") == {
        "psr_charger": [],
        "psr_target": [],
        "fell": [],
    }


@pytest.mark.parametrize(
    ("die", "facing", "code"),
    [
        (1, "N", "RA"),
        (2, "NE", "RL"),
        (3, "SE", "RL"),
        (4, "S", "RA"),
        (5, "SW", "LL"),
        (6, "NW", "LL"),
    ],
)
def test_fall_turns_and_hurts(die: int, facing: str, code: str) -> None:
    """battletech.fall: one die says which way it lands and on which side."""
    case = hit([*HIT, 1, 1, die, 1, 2, 6, 6, 6, 6])
    found = ruling(case)
    assert after(case)["A"] == ("0506", facing, ["prone"])
    assert code in [step.text for step in found.steps if step.kind == "damage"][-1]
    assert all(one.ok for one in findings(found, "battletech.fall"))


def test_fall_levels_are_never_fewer_than_none() -> None:
    """battletech.fall: by choice one level less, but not below the ground."""
    found = ruling(
        hit([*HIT, 1, 1, 1, 3, 4, 3, 4, 6, 6], rules={"pilot_levels": "levels_minus_one"})
    )
    assert found.metrics["pilot_hits_charger"] == 0
    found = ruling(
        hit([*HIT, 1, 1, 1, 3, 4, 3, 3, 6, 6], rules={"pilot_levels": "levels_minus_one"})
    )
    assert found.metrics["pilot_hits_charger"] == 1


@pytest.mark.parametrize(
    ("legs", "modifier", "numbers"), [(2, 0, [7]), (4, 0, [5]), (4, 3, [8]), (4, -2, [3])]
)
def test_psr_charge_on_four_legs(legs: int, modifier: int, numbers: list[int]) -> None:
    """battletech.psr.charge: four legs give -2 by themselves, besides what the file adds; the number to hit does not
    change.
    """
    a, b = (
        place(*at, tons=10, legs=legs, psr_modifier=modifier)
        for place, at in ((charger, ("0507", "N")), (unit, ("0506", "S")))
    )
    found = ruling(hit([6, 6, 3, 4, 3, 4, 6, 6, 6, 6], a=a, b=b))
    assert (found.metrics["psr_charger"], found.metrics["psr_target"], found.metrics["tn"]) == (
        numbers,
        numbers,
        7,
    )
