"""Hitting: the number and each of its items, the roll, a target that is gone."""

import pytest

from tests.systems.battletech.tables import (
    Entry,
    after,
    charge,
    charger,
    finding,
    odds,
    resolve,
    ruling,
    shown,
    table,
    terrain,
    unit,
)

A = charger("0507", tons=10)
B = unit("0506", "S", tons=10)
ITEMS = (
    "piloting",
    "difference",
    "movement",
    "target_movement",
    "terrain",
    "prone",
    "immobile",
    "spotting",
    "unintentional",
    "other",
)


@pytest.mark.parametrize(
    ("who", "whom", "keys", "item", "value"),
    [
        (A, B, {}, "piloting", 5),
        (charger("0507", piloting=3), unit("0506", "S", piloting=6), {}, "difference", -3),
        (charger("0507", piloting=6), unit("0506", "S", piloting=3), {}, "difference", 3),
        (charger("0507", psr_modifier=4), unit("0506", "S", psr_modifier=2), {}, "difference", 0),
        (A, B, {"movement": "walk"}, "movement", 1),
        (A, B, {"movement": "run"}, "movement", 2),
        (A, unit("0506", "S", hexes_moved=4, status=["jumped"]), {}, "target_movement", 2),
        (A, unit("0506", "S", hexes_moved=4, status=["skidded"]), {}, "target_movement", 3),
        (A, unit("0506", "S", status=["immobile"]), {}, "immobile", -4),
        (charger("0507", type="vehicle"), unit("0506", "S", status=["prone"]), {}, "prone", -2),
        (charger("0507", status=["spotting"]), B, {}, "spotting", 1),
        (A, B, {"modifiers": {"Partial sunset": 2, "Cheers": -1}}, "other", 1),
    ],
)  # fmt: skip
def test_tohit_number(who: Entry, whom: Entry, keys: Entry, item: str, value: int) -> None:
    """battletech.tohit.number: the sum of its items, each of which is told."""
    found = ruling(table({"A": who, "B": whom}, charge(2, **keys)))
    assert found.metrics[f"to_hit_{item}"] == value
    assert found.metrics["tn"] == sum(found.metrics[f"to_hit_{one}"] for one in ITEMS)
    assert finding(found, "battletech.tohit.number").measured == found.metrics["tn"]


@pytest.mark.parametrize(
    ("kinds", "value"),
    [
        (["light_woods"], 1),
        (["heavy_woods"], 2),
        (["light_smoke"], 1),
        (["heavy_smoke"], 2),
        (["light_woods", "heavy_smoke"], 3),
        (["rough"], 0),
        (["rubble"], 0),
        (["pavement"], 0),
    ],
)
def test_tohit_number_by_terrain_of_the_target(kinds: list[str], value: int) -> None:
    """battletech.tohit.number: woods and smoke round the target count, those round the charger do not."""
    for place, expected in (("0506", value), ("0507", 0)):
        found = ruling(
            table({"A": A, "B": B}, charge(2), ground=[terrain(kind, place) for kind in kinds])
        )
        assert found.metrics["to_hit_terrain"] == expected


@pytest.mark.parametrize(
    ("roll", "is_hit"), [([3, 4], True), ([3, 3], False), ([6, 6], True), ([1, 1], False)]
)
def test_tohit_roll(roll: list[int], *, is_hit: bool) -> None:
    """battletech.tohit.roll: seven hits at seven, six does not."""
    dice = [*roll, 3, 4, 3, 4, 6, 6, 6, 6] if is_hit else roll
    found = ruling(table({"A": A, "B": B}, charge(2, dice=dice)))
    assert (found.outcome, found.rule) == (
        ("success", None) if is_hit else ("failed", "battletech.tohit.roll")
    )
    assert finding(found, "battletech.tohit.roll").margin == sum(roll) - 7


@pytest.mark.parametrize(
    ("piloting", "hexes", "number", "chance"),
    [(0, 0, -2, "1/1"), (8, 3, 14, "0/1"), (7, 3, 12, "1/36")],
)
def test_tohit_roll_is_left_out_where_it_decides_nothing(
    piloting: int, hexes: int, number: int, chance: str
) -> None:
    """battletech.tohit.roll: two or less is a hit and over twelve a miss, without faces."""
    status = ["immobile"] if number < 0 else []
    whom = unit(
        "0506",
        "S",
        tons=10,
        hexes_moved=hexes,
        status=status,
        piloting=0 if number < 0 else piloting - (3 if number > 12 else 2),
    )
    case = table(
        {"A": charger("0507", tons=10, piloting=piloting), "B": whom},
        charge(2, dice=None if number == 12 else _dice(number)),
    )
    found = ruling(case)
    assert shown(found, "tn", "p_hit_fraction") == {"tn": number, "p_hit_fraction": chance}
    assert ("roll" in found.metrics) is (number == 12)


def _dice(number: int) -> list[int]:
    return [3, 4, 3, 4] if number < 0 else []


GONE = {
    "A": charger("0508", tons=50),
    "B": unit("0507", tons=50),
    "C": unit("0506", tons=50),
    "D": charger("0406", "NE", tons=50),
}
PUSHED = [4, 4, *[3, 4] * 3, 6, 6, 4, 4, 5, 5]


@pytest.mark.parametrize(
    ("choice", "kind", "place"),
    [
        ("stay", "mech", "0406"),
        ("stay", "vehicle", "0406"),
        ("advance", "mech", "0406"),
        ("advance", "vehicle", "0506"),
    ],
)
def test_resolve_front_hex(choice: str, kind: str, place: str) -> None:
    """battletech.resolve.front-hex: nobody else in that hex is hit; by choice the charger takes it if stacking lets
    it.
    """
    charges = (
        charge(2, movement="walk", dice=PUSHED),
        charge(1, movement="walk", who="D", whom="C", dice=[]),
    )
    case = table(
        {**GONE, "D": charger("0406", "NE", tons=50, type=kind)},
        *charges,
        rules={"target_gone": choice},
    )
    last = resolve(case).rulings[-1]
    assert (last.outcome, last.rule) == ("failed", "battletech.resolve.front-hex")
    assert "tn" not in last.metrics
    assert after(case)["D"] == (place, "NE", [])


def test_charges_are_resolved_in_their_order() -> None:
    """battletech.resolve.front-hex: all are declared before the first is resolved, so the second stands in place by
    then.
    """
    charges = (
        charge(2, movement="walk", dice=PUSHED),
        charge(1, movement="walk", who="D", whom="C", dice=[]),
    )
    first, last = resolve(table(GONE, *charges)).rulings
    assert (first.charge.charger, last.charge.charger) == ("A", "D")
    assert odds(table(GONE, *charges)).metrics["p_success"] < 1
