"""The chances, exactly: hand-reckoned fractions, what is left out, several charges, and the table of totals."""

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Any

import pytest

from tabletop.api import odds as odds_of
from tests.systems.battletech.tables import (
    Entry,
    charge,
    charger,
    odds,
    ruling,
    table,
    terrain,
    unit,
)

AT_LEAST = {
    number: Fraction(ways, 36)
    for number, ways in zip(range(2, 13), (36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1), strict=True)
}
A = charger("0507", tons=60)
B = unit("0506", "S", tons=60)


def chance(case: Any, name: str) -> Fraction:
    """Return one chance of the last charge of a case as its fraction says; the number beside it agrees."""
    metrics = odds(case).metrics
    exact = Fraction(metrics[f"{name}_fraction"])
    assert metrics[name] == pytest.approx(float(exact), abs=1e-12)
    return exact


@pytest.mark.parametrize("number", range(-1, 15))
def test_chance_to_hit(number: int) -> None:
    """From certain at two to impossible over twelve."""
    case = table({"A": A, "B": B}, charge(2, modifiers={"Aim": number - 7}))
    expected = Fraction(int(number <= 2)) if not 2 < number <= 12 else AT_LEAST[number]
    assert chance(case, "p_hit") == expected
    assert chance(case, "p_success") == expected
    found = odds(case)
    assert found.outcomes["success"] == expected
    assert found.shortest_roll == (None if number > 12 else max(2, number))


@pytest.mark.parametrize(("hexes", "charger_at", "target_at"), [(2, [7], [7]), (5, [7], [8, 8])])
def test_chance_to_fall(hexes: int, charger_at: list[int], target_at: list[int]) -> None:
    """One less what all rolls passing makes; over everything times the chance to hit."""
    case = table({"A": A, "B": B}, charge(hexes))
    for role, numbers in (("charger", charger_at), ("target", target_at)):
        falls = 1 - prod((AT_LEAST[number] for number in numbers), start=Fraction(1))
        assert chance(case, f"p_{role}_falls_if_hit") == falls
        assert chance(case, f"p_{role}_falls") == falls * AT_LEAST[7]


@pytest.mark.parametrize(("hexes", "groups"), [(0, 0), (1, 2), (2, 3), (5, 6)])
def test_chance_of_a_head_hit(hexes: int, groups: int) -> None:
    """Each group misses the head 35 times of 36; so it does the critical two."""
    case = table({"A": A, "B": B}, charge(hexes))
    expected = 1 - Fraction(35, 36) ** groups
    assert (chance(case, "p_head_if_hit"), chance(case, "p_critical_if_hit")) == (
        expected,
        expected,
    )


@pytest.mark.parametrize(
    ("facing", "ways"),
    [
        ("S", {"ct": 7, "ra": 5, "la": 5, "rt": 5, "lt": 5, "rl": 4, "ll": 4, "hd": 1}),
        ("N", {"ct": 7, "ra": 5, "la": 5, "rt": 5, "lt": 5, "rl": 4, "ll": 4, "hd": 1}),
        ("NW", {"ll": 7, "la": 7, "lt": 7, "ct": 5, "rt": 4, "ra": 3, "rl": 2, "hd": 1}),
        ("NE", {"rl": 7, "ra": 7, "rt": 7, "ct": 5, "lt": 4, "la": 3, "ll": 2, "hd": 1}),
    ],
)
def test_expected_damage_by_location(facing: str, ways: dict[str, int]) -> None:
    """Twelve points, each group where its table sends it."""
    case = table({"A": A, "B": unit("0506", facing, tons=60)}, charge(2))
    assert {code: chance(case, f"expected_target_{code}_if_hit") for code in ways} == {
        code: Fraction(12 * count, 36) for code, count in ways.items()
    }
    assert sum(ways.values()) == 36


def test_expected_damage() -> None:
    """Points of the collision times the chance to hit."""
    case = table({"A": A, "B": B}, charge(2))
    assert (chance(case, "expected_damage_target"), chance(case, "expected_damage_charger")) == (
        12 * AT_LEAST[7],
        6 * AT_LEAST[7],
    )


def test_expected_damage_behind_a_wall() -> None:
    """What the building of the target takes does not reach it."""
    case = table({"A": A, "B": B}, charge(2), ground=[terrain("building", "0506", cf=20)])
    assert chance(case, "expected_damage_target") == (3 + 3) * AT_LEAST[7]
    case = table(
        {"A": A, "B": B},
        charge(2, whom="building 0506"),
        ground=[terrain("building", "0506", cf=20)],
    )
    assert chance(case, "expected_damage_target") == 12


@pytest.mark.parametrize(("motion", "facing", "ways"), [
    ("tracked", "S", (10, 11, 9, 5, 1)),
    ("tracked", "N", (6, 9, 11, 7, 3)),
    ("wheeled", "S", (3, 7, 11, 9, 6)),
    ("hover", "S", (1, 5, 9, 11, 10)),
    ("wheeled", "NE", (0, 3, 7, 11, 15)),
    ("hover", "NW", (0, 1, 5, 9, 21)),
])  # fmt: skip
def test_chances_of_motive_damage(motion: str, facing: str, ways: tuple[int, ...]) -> None:
    """The immediate roll of a target, from its side and by its motion."""
    units = {
        "A": charger("0507", type="vehicle"),
        "B": unit("0506", facing, type="vehicle", motion=motion),
    }
    case = table(units, charge(1))
    results = ("none", "minor", "moderate", "heavy", "immobile")
    assert [chance(case, f"p_motive_target_{result}") * 36 for result in results] == list(ways)
    assert [chance(case, f"p_motive_charger_{result}") * 36 for result in results] == [
        10,
        11,
        9,
        5,
        1,
    ]


def test_chance_of_one_leg() -> None:
    """Of n groups on two legs all hit the same one twice in two to the n; from the side it is certain."""
    kick = {"A": charger("0507", type="vehicle", tons=60), "B": unit("0506", "S", tons=60)}
    assert chance(table(kick, charge(2)), "p_one_leg_if_hit") == Fraction(2, 8)
    side = {**kick, "B": unit("0506", "NE", tons=60)}
    assert chance(table(side, charge(2)), "p_one_leg_if_hit") == 1
    assert "p_head_if_hit" not in odds(table(kick, charge(2))).metrics


@pytest.mark.parametrize(
    ("phase", "success", "falls"),
    [
        ({"charger_psr": "failed"}, Fraction(0), Fraction(1)),
        ({"target_psr": "failed"}, Fraction(0), Fraction(0)),
        ({"charger_psr": "passed"}, AT_LEAST[7], AT_LEAST[7] * (1 - AT_LEAST[7])),
        (
            {"charger_psr": "roll"},
            AT_LEAST[6] * AT_LEAST[7],
            (1 - AT_LEAST[6]) + AT_LEAST[6] * AT_LEAST[7] * (1 - AT_LEAST[7]),
        ),
        (
            {"target_psr": "roll"},
            AT_LEAST[6] * AT_LEAST[7],
            AT_LEAST[6] * AT_LEAST[7] * (1 - AT_LEAST[7]),
        ),
    ],
)
def test_chances_after_weapon_fire(phase: Entry, success: Fraction, falls: Fraction) -> None:
    """Rolls that are still to be made count, events that are declared are certain."""
    case = table({"A": A, "B": B}, charge(2, weapon_phase=phase))
    assert (chance(case, "p_success"), chance(case, "p_charger_falls")) == (success, falls)


def test_chance_to_be_displaced() -> None:
    """Only who can be pushed is, if hit."""
    assert chance(table({"A": A, "B": B}, charge(2)), "p_displaced") == AT_LEAST[7]
    assert (
        chance(
            table({"A": A, "B": B}, charge(2), ground=[terrain("prohibited", "0505")]),
            "p_displaced",
        )
        == 0
    )


def test_chances_of_a_refused_charge() -> None:
    """What may not be declared has no chance, and its rule is certain."""
    found = odds(table({"A": charger("0507", tons=60, status=["fired"]), "B": B}, charge(2)))
    assert found.outcomes["not_allowed"] == 1
    assert found.shortest_roll is None
    assert found.rules["battletech.declare.no-weapon-attacks"] == 1
    assert not [key for key in found.metrics if key.startswith("p_")]


def test_chances_by_total() -> None:
    """Eleven totals with their shares, hits from seven on; rules and outcomes add up to one."""
    found = odds(table({"A": A, "B": B}, charge(2)))
    assert [row.total for row in found.by_total] == list(range(2, 13))
    assert sum(row.chance for row in found.by_total) == 1
    assert [row.outcome for row in found.by_total] == ["failed"] * 5 + ["success"] * 6
    assert found.rules == {"battletech.tohit.roll": 1 - AT_LEAST[7]}
    assert sum(found.outcomes.values()) == 1


def test_chances_of_two_charges() -> None:
    """The second charge finds its target in its place only where the first has missed."""
    units = {
        "A": charger("0508", tons=50),
        "B": unit("0507", tons=50),
        "C": unit("0506", tons=50),
        "D": charger("0406", "NE", tons=50),
    }
    both = odds_of(
        table(units, charge(2, movement="walk"), charge(1, movement="walk", who="D", whom="C"))
    ).charges
    assert both[0].outcomes["success"] == AT_LEAST[6]
    assert both[1].outcomes["success"] == (1 - AT_LEAST[6]) * AT_LEAST[6]
    assert both[1].rules["battletech.resolve.front-hex"] == AT_LEAST[6]


def test_rulings_tell_the_same_chances() -> None:
    """The chances stand in a ruling too, whatever its dice."""
    case = table({"A": A, "B": B}, charge(2, dice=[1, 1]))
    found = ruling(case)
    expected = odds(case)
    chances = {
        key: value for key, value in expected.metrics.items() if key.startswith(("p_", "expected_"))
    }
    assert {key: found.metrics[key] for key in chances} == chances
    assert found.chance_success == expected.outcomes["success"]


def test_chances_after_a_miss_into_a_row() -> None:
    """Who stands aside is pushed on, so that a later charge finds it gone, unless an earlier one has put another behind
    it.
    """
    units = {
        "A": charger("0710", tons=50),
        "B": unit("0709", tons=50),
        "C": charger("0507", tons=50),
        "D": unit("0506", tons=50),
        "E": charger("0606", "S", tons=50),
        "F": unit("0607", tons=50),
    }
    first, *later = (
        charge(1, movement="walk", who=who, whom=whom, miss="right")
        for who, whom in ("AB", "CD", "EF")
    )
    more: Any = {
        "ground": [terrain("prohibited", "0407", "0808")],
        "rules": {"miss_into_occupied": "domino", "miss_hexes": "rear_sides"},
    }
    pushed = {**units, "A": charger("0709", tons=50), "B": unit("0708", tons=50)}
    gone, there = (chance(table(some, *later, **more), "p_success") for some in (units, pushed))
    hits, _, found = odds_of(table(units, first, *later, **more)).charges
    assert gone < there
    assert (
        found.outcomes["success"]
        == hits.outcomes["success"] * there + hits.outcomes["failed"] * gone
    )


def test_chances_of_a_skid_into_who_was_pushed_there_lying_down() -> None:
    """Whether the first charge fells a unit matters to the third, whose skid meets it where the second has pushed
    it.
    """

    def standing(felled: Sequence[str], at: str, behind: str) -> dict[str, Entry]:
        return {
            "A": charger("0507", tons=50, piloting=4),
            "B": B,
            "C": charger(behind, tons=50),
            "D": unit(at, tons=50, status=felled),
            "E": charger("0805", "NW", tons=50),
            "F": unit("0705", tons=50),
        }

    steps = [charge(1, movement="walk", who=who, whom=whom) for who, whom in ("CD", "EF")]
    asked = [*steps, charge(7, weapon_phase={"charger_psr": "failed"})]
    road = [terrain("pavement", "0507")]
    first, _, third = odds_of(table(standing((), "0605", "0606"), *asked, ground=road)).charges
    left = [
        standing(("prone",), "0604", "0605"),
        standing((), "0604", "0605"),
        standing((), "0605", "0606"),
    ]
    lying, upright, missed = (
        chance(table(units, *asked[1:], ground=road), "p_displaced") for units in left
    )
    hits = first.outcomes["success"]
    falls = Fraction(first.metrics["p_target_falls_fraction"])
    assert lying > upright > missed
    assert (
        Fraction(third.metrics["p_displaced_fraction"])
        == falls * lying + (hits - falls) * upright + (1 - hits) * missed
    )


@pytest.mark.parametrize("lost", ["ct", "ll", "rt"])
def test_chances_of_a_skid_into_who_skidded_there(lost: str) -> None:
    """A charger that skids goes farther than one hex: how it lies, anywhere, is asked of by who skids into it next."""
    felled: Any = {"weapon_phase": {"charger_psr": "failed"}}
    more: Any = {
        "ground": [terrain("pavement", "0104", "0507")],
        "rules": {"skid_damage": "per_hex_and_fall"},
    }
    who = {
        "A": charger("0507", tons=50, piloting=4),
        "B": unit("0506", "S", tons=50),
        "D": unit("0204", "S", tons=50),
    }
    case = table(
        {**who, "C": charger("0104", "SE", tons=50)},
        charge(8, who="C", whom="D", **felled),
        charge(8, **felled),
        **more,
    )
    first, second = odds_of(case).charges
    near = first.outcomes["success"]
    far = Fraction(first.metrics["p_displaced_fraction"]) - near
    left = [(table({k: who[k] for k in "ABD"}, charge(8, **felled), **more), 1 - far)]
    for facing in ("N", "NE", "SE", "S", "SW", "NW"):
        there = unit("0506", facing, tons=50)
        left.append(
            (
                table(
                    {"A": who["A"], "C": there},
                    charge(8, whom="C", modifiers={"Prone": -2}, **felled),
                    **more,
                ),
                far / 6,
            )
        )
    hits = sum(share * chance(one, "p_hit") for one, share in left)
    expected = sum(
        share * chance(one, "p_hit") * chance(one, f"expected_target_{lost}_if_hit")
        for one, share in left
    )
    assert Fraction(second.metrics[f"expected_target_{lost}_if_hit_fraction"]) == expected / hits
    assert second.metrics["p_hit_fraction"] == f"{hits.numerator}/{hits.denominator}"
