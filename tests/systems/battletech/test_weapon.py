"""Between declaring and resolving: falls to weapon fire, skids and what they run into, MP lost."""

from fractions import Fraction
from typing import Any

import pytest

from tabletop.table.hexes import HexBoard
from tests.systems.battletech.tables import (
    Entry,
    after,
    charge,
    charger,
    finding,
    findings,
    odds,
    ruling,
    shown,
    table,
    terrain,
    unit,
)

A = charger("0507", tons=50, piloting=4)
B = unit("0506", "S", tons=60, piloting=4)
ROAD = terrain("pavement", "0507")
FELL = {"charger_psr": "failed"}


def skid(
    *ground: Entry,
    units: Entry | None = None,
    rules: Entry | None = None,
    moved: int = 7,
    **keys: Any,
) -> Entry:
    """Return what `table` needs for a skid of A, which has lost its feet on a road."""
    asked = charge(moved, weapon_phase=FELL, **keys)
    return {
        "units": {"A": A, "B": B, **(units or {})},
        "asked": asked,
        "ground": [ROAD, *ground],
        "rules": rules,
    }


def settled(scene: Entry) -> Any:
    """Read a skid."""
    return table(scene["units"], scene["asked"], ground=scene["ground"], rules=scene["rules"])


@pytest.mark.parametrize(
    ("event", "is_fallen"), [("none", False), ("passed", False), ("failed", True)]
)
def test_weapon_charger_fell(event: str, *, is_fallen: bool) -> None:
    """battletech.weapon.charger-fell: a failed roll makes the charge miss; a fall of 5 points to the right follows."""
    dice = [2, 3, 4, 6, 6] if is_fallen else [1, 1]
    found = ruling(
        table({"A": A, "B": B}, charge(4, weapon_phase={"charger_psr": event}, dice=dice))
    )
    assert found.rule == (
        "battletech.weapon.charger-fell" if is_fallen else "battletech.tohit.roll"
    )
    if is_fallen:
        assert shown(found, "fall_damage_charger", "pilot_hits_charger", "fell") == {
            "fall_damage_charger": 5,
            "pilot_hits_charger": 0,
            "fell": ["A"],
        }
        case = table({"A": A, "B": B}, charge(4, weapon_phase={"charger_psr": event}, dice=dice))
        assert after(case)["A"] == ("0507", "NE", ["prone"])


def test_weapon_charger_fell_decides_even_if_the_target_fell_too() -> None:
    """battletech.weapon.charger-fell: with both down the charger's fall is named; the target falls first."""
    phase = {"charger_psr": "failed", "target_psr": "failed"}
    dice = [1, 3, 4, 3, 4, 6, 6, 4, 3, 4, 6, 6]
    case = table({"A": A, "B": B}, charge(4, weapon_phase=phase, dice=dice))
    found = ruling(case)
    assert (found.rule, found.metrics["fell"]) == ("battletech.weapon.charger-fell", ["B", "A"])
    assert after(case) == {"A": ("0507", "S", ["prone"]), "B": ("0506", "S", ["prone"])}


def test_weapon_charger_fell_and_stands_beside() -> None:
    """battletech.weapon.charger-fell: by choice it is placed as after a miss."""
    case = table(
        {"A": A, "B": B},
        charge(4, weapon_phase=FELL, dice=[1, 3, 4, 6, 6]),
        rules={"auto_miss_placement": "side"},
    )
    assert after(case)["A"] == ("0606", "N", ["prone"])


def test_weapon_target_fell() -> None:
    """battletech.weapon.target-fell: no charge on who has fallen; the charger stays where it waits."""
    dice = [5, 3, 4, 3, 4, 2, 2]
    case = table({"A": A, "B": B}, charge(4, weapon_phase={"target_psr": "failed"}, dice=dice))
    found = ruling(case)
    assert (found.outcome, found.rule) == ("failed", "battletech.weapon.target-fell")
    assert shown(found, "fall_damage_target", "pilot_hits_target") == {
        "fall_damage_target": 6,
        "pilot_hits_target": 1,
    }
    assert after(case) == {"A": ("0507", "N", []), "B": ("0506", "NE", ["prone"])}
    assert odds(case).metrics["p_success_fraction"] == "0/1"


@pytest.mark.parametrize(("choice", "lost", "rule"), [
    ("charges", 8, "battletech.tohit.roll"),
    ("cancelled", 4, "battletech.weapon.mp-loss"),
    ("cancelled", 3, "battletech.tohit.roll"),
])  # fmt: skip
def test_weapon_mp_loss(choice: str, lost: int, rule: str) -> None:
    """battletech.weapon.mp-loss: lost MP stop nothing, unless all are gone and the reading chosen says so."""
    units = {"A": charger("0507", tons=50, walk=4), "B": B}
    dice = [] if rule.endswith("mp-loss") else [1, 1]
    found = ruling(
        table(
            units,
            charge(4, weapon_phase={"charger_mp_lost": lost}, dice=dice),
            rules={"immobile_charger": choice},
        )
    )
    assert (found.outcome, found.rule) == ("failed", rule)


@pytest.mark.parametrize(("moved", "rounding"), [(0, "up"), (1, "down")])
def test_weapon_skid_of_no_hex(moved: int, rounding: str) -> None:
    """battletech.weapon.skid: where nothing is left to skid it is a plain fall."""
    case = settled(skid(moved=moved, rules={"skid_rounding": rounding}, dice=[2, 3, 4, 6, 6]))
    assert (ruling(case).rule, after(case)["A"]) == (
        "battletech.weapon.charger-fell",
        ("0507", "NE", ["prone"]),
    )
    assert ruling(case).metrics["fall_damage_charger"] == 5


def test_weapon_skid_only_on_pavement() -> None:
    """battletech.weapon.skid: off the road a charger falls as usual."""
    found = ruling(table({"A": A, "B": B}, charge(7, weapon_phase=FELL, dice=[1, 3, 4, 6, 6])))
    assert "skid_limit" not in found.metrics
    assert findings(found, "battletech.weapon.skid") == []


def test_weapon_skid_with_a_fall_by_choice() -> None:
    """battletech.weapon.skid: a fall in the last hex besides; it turns the charger."""
    dice = [1, 1, *[3, 4] * 3, 2, 3, 4, 6, 6]
    case = settled(skid(rules={"skid_damage": "per_hex_and_fall"}, dice=dice))
    assert shown(ruling(case), "skid_damage", "fall_damage_charger") == {
        "skid_damage": 12,
        "fall_damage_charger": 5,
    }
    assert after(case)["A"] == ("0503", "NE", ["prone"])


def test_weapon_skid_over_an_edge_with_a_fall_by_choice() -> None:
    """battletech.weapon.skid: the fall by choice comes besides the one down two levels."""
    ground = [terrain("level", "0507", "0506", level=2), terrain("level", "0505", level=0)]
    down = [2, *[3, 4] * 3, 6, 6]
    besides = [1, *[3, 4], 6, 6]
    case = settled(
        skid(
            *ground,
            rules={"skid_damage": "per_hex_and_fall"},
            dice=[1, 1, *down, 3, 4, 3, 4, *besides],
        )
    )
    assert shown(ruling(case), "skid_hexes", "skid_damage", "fall_damage_charger") == {
        "skid_hexes": 2,
        "skid_damage": 6,
        "fall_damage_charger": 20,
    }
    assert after(case)["A"] == ("0505", "NE", ["prone"])


def test_weapon_skid_ends_at_the_edge() -> None:
    """battletech.weapon.skid: the board's edge stops it."""
    units = {"A": charger("0502", tons=50, piloting=4), "B": unit("0501", "S")}
    asked = charge(8, weapon_phase=FELL, dice=[1, 1, 3, 4])
    case = table(units, asked, ground=[terrain("pavement", "0502")])
    assert shown(ruling(case), "skid_limit", "skid_hexes", "skid_damage") == {
        "skid_limit": 4,
        "skid_hexes": 1,
        "skid_damage": 3,
    }


def test_weapon_skid_ends_before_prohibited_terrain() -> None:
    """battletech.weapon.skid: prohibited terrain stops it and hurts by a fifth of its weight, beside the hexes."""
    case = settled(skid(terrain("prohibited", "0504"), dice=[1, 1, *[3, 4] * 2, *[3, 4] * 2]))
    assert shown(ruling(case), "skid_hexes", "skid_damage") == {"skid_hexes": 2, "skid_damage": 6}
    assert after(case)["A"] == ("0505", "N", ["prone"])


def test_weapon_skid_down_a_drop() -> None:
    """battletech.weapon.skid: a drop of two levels ends it with a fall of three times the weight; the pilot has it
    harder.
    """
    high = terrain("level", "0507", "0506", level=2)
    case = settled(skid(high, dice=[1, 1, 1, *[3, 4] * 3, 6, 1, *[3, 4] * 2]))
    found = ruling(case)
    assert shown(found, "skid_hexes", "skid_damage", "fall_damage_charger") == {
        "skid_hexes": 2,
        "skid_damage": 6,
        "fall_damage_charger": 15,
    }
    assert after(case)["A"] == ("0505", "N", ["prone"])


def test_unusual_hill() -> None:
    """battletech.unusual.hill: a higher hex is always hit, hurts the skidder by its own weight, and ends the skid
    before it.
    """
    case = settled(skid(terrain("level", "0505", level=1), dice=[1, 1, *[3, 4], *[3, 4]]))
    found = ruling(case)
    assert finding(found, "battletech.unusual.hill").ok
    assert shown(found, "skid_hexes", "skid_damage") == {"skid_hexes": 1, "skid_damage": 3}
    assert after(case) == {"A": ("0507", "N", ["prone"]), "B": ("0506", "S", [])}


def test_unusual_hill_before_the_target() -> None:
    """battletech.unusual.hill: the slope on which the target stands shields it."""
    case = settled(skid(terrain("level", "0506", level=1), dice=[3, 4]))
    found = ruling(case)
    assert (found.outcome, found.rule) == ("failed", "battletech.weapon.charger-fell")
    assert shown(found, "skid_hexes", "p_success_fraction") == {
        "skid_hexes": 0,
        "p_success_fraction": "0/1",
    }
    assert after(case)["A"] == ("0507", "N", ["prone"])


def test_weapon_unintentional_charge() -> None:
    """battletech.weapon.unintentional-charge: 3 harder to hit; damage by the hexes entered before the skid."""
    dice = [6, 6, *[3, 4] * 2, *[3, 4] * 7, 6, 6, 6, 6, 3, 4]
    case = settled(skid(dice=dice))
    found = ruling(case)
    assert found.outcome == "success"
    assert shown(found, "to_hit_unintentional", "tn", "damage_target") == {
        "to_hit_unintentional": 3,
        "tn": 9,
        "damage_target": 35,
    }
    assert finding(found, "battletech.weapon.unintentional-charge").ok
    assert findings(found, "battletech.psr.charge") != []
    assert [step.kind for step in found.steps if step.unit == "A" and step.end is not None][
        -1
    ] == "skid", "it does not run there"


def test_weapon_unintentional_charge_on_another() -> None:
    """battletech.weapon.unintentional-charge: whoever stands in the way further on is charged too; this is no
    success.
    """
    other = {"C": unit("0505", "S", tons=40, piloting=4)}
    dice = [1, 1, 6, 6, *[3, 4], *[3, 4] * 7, 6, 6, 6, 6, *[3, 4] * 2]
    case = settled(skid(units=other, dice=dice))
    found = ruling(case)
    assert (found.outcome, found.rule) == ("failed", "battletech.weapon.charger-fell")
    assert found.metrics["damage_target"] == 35
    assert after(case) == {
        "A": ("0505", "N", ["prone"]),
        "B": ("0506", "S", []),
        "C": ("0504", "S", []),
    }


PAST: list[tuple[list[int], dict[str, Any]]] = [
    ([1, 1, 1, 1, *[3, 4] * 3], {"tn": 10, "roll": 2, "p_hit_fraction": "1/6"}),
    (
        [1, 1, 6, 6, *[3, 4], *[3, 4] * 7, 6, 6, 6, 6, *[3, 4] * 2],
        {"tn": 10, "roll": 12, "p_hit_fraction": "1/6"},
    ),
]


@pytest.mark.parametrize(("dice", "expected"), PAST, ids=["missed", "hit"])
def test_weapon_skid_past_two_units(dice: list[int], expected: dict[str, Any]) -> None:
    """battletech.weapon.unintentional-charge: the metrics, expectations too, are those of the last collision; falls
    those of the target.
    """
    other = {"C": unit("0505", "S", tons=40, piloting=3)}
    found = ruling(settled(skid(units=other, dice=dice)))
    assert shown(found, *expected) == expected
    reached = Fraction(13, 18) * Fraction(1, 6)
    chances = [
        Fraction(found.metrics[f"{name}_fraction"])
        for name in ("expected_damage_target", "expected_damage_charger", "p_success")
    ]
    assert chances == [35 * reached, 4 * reached, Fraction(5, 18)]
    falls = 1 - Fraction(21, 36) ** 2
    assert Fraction(found.metrics["p_target_falls_fraction"]) == falls * Fraction(5, 18)
    assert Fraction(found.metrics["p_target_falls_if_hit_fraction"]) == falls
    assert Fraction(found.metrics["expected_target_hd_if_hit_fraction"]) == Fraction(35, 36)
    assert (found.shortest_roll, found.chance_success) == (9, Fraction(5, 18))


STRUCK = [6, 6, *[3, 4] * 2, *[3, 4] * 7, 6, 6, 6, 6, 3, 4]
"""B is hit at once, and keeps its feet."""


@pytest.mark.parametrize(
    "ground",
    [[], [terrain("building", "0504", cf=60)], [terrain("level", "0504", level=1)]],
    ids=["open", "building", "hill"],
)
def test_weapon_skid_into_several_has_the_chances_of_falls_of_its_target(
    ground: list[Entry],
) -> None:
    """battletech.weapon.unintentional-charge: who falls and how likely, given a hit too, is that of the target whatever
    is thrown.
    """
    case = skid(*ground, units={"C": unit("0505", "S", tons=40, piloting=3)})
    told = odds(settled(case)).metrics
    names = [
        f"{name}{when}_fraction"
        for name in ("p_charger_falls", "p_target_falls")
        for when in ("", "_if_hit")
    ]
    # C in its way is pushed on, and rolls for it
    for dice in (PAST[0][0], [*STRUCK[:6], 3, 4, *STRUCK[6:]]):
        found = ruling(settled({**case, "asked": {**case["asked"], "dice": dice}}))
        assert {name: found.metrics[name] for name in names} == {name: told[name] for name in names}
    assert [told[name] for name in names] == ["1/1", "1/1", "475/2592", "95/144"]


@pytest.mark.parametrize(("dice", "row"), [(PAST[0][0], 5), (PAST[1][0], 4)], ids=["missed", "hit"])
def test_weapon_skid_past_two_units_tells_where_the_last_ends(dice: list[int], row: int) -> None:
    """battletech.weapon.unintentional-charge: the hex of the target is that of the last unit met, not of the one that
    was meant.
    """
    found = ruling(settled(skid(units={"C": unit("0505", "S", tons=40, piloting=3)}, dice=dice)))
    assert (found.metrics["target_x"], found.metrics["target_y"]) == HexBoard.of(15, 17).centre(
        (5, row)
    )


def test_weapon_skid_past_a_unit_tells_where_the_building_is() -> None:
    """battletech.unusual.building: target's hex and the CF left in it are those of the building that the skid ran into
    last.
    """
    found = ruling(settled(skid(terrain("building", "0505", cf=60), dice=[1, 1, *[3, 4], *[3, 4]])))
    assert (found.metrics["target_x"], found.metrics["target_y"]) == HexBoard.of(15, 17).centre(
        (5, 5)
    )
    assert found.metrics["building_cf"] == 25


def test_weapon_skid_into_a_unit_in_a_building_tells_what_is_left_of_it() -> None:
    """battletech.building.absorbs: the CF that is told is left in the hex where the last unit was hit."""
    units = {"C": unit("0505", "S", tons=40, piloting=3)}
    case = settled(
        skid(
            terrain("building", "0505", cf=40),
            units=units,
            dice=[1, 1, 6, 6, *[3, 4], *[3, 4] * 7, *[6, 6] * 2, *[3, 4] * 2],
        )
    )
    found = ruling(case)
    assert found.metrics["absorbed"] == 28
    assert found.metrics["building_cf"] == 40 - 28 - 5


@pytest.mark.parametrize(
    "ground",
    [terrain("building", "0505", cf=60), terrain("level", "0505", level=1)],
    ids=["building", "hill"],
)
def test_weapon_skid_past_a_fallen_target_forgets_it(ground: Entry) -> None:
    """battletech.weapon.unintentional-charge: past the target into a building or a hill, what became of the target is
    told no more.
    """
    phase = {"charger_psr": "failed", "target_psr": "roll"}
    dice = [1, 1, 1, *[3, 4] * 2, 6, 6, 1, 1, *[3, 4], *[3, 4]]
    case = table({"A": A, "B": B}, charge(7, weapon_phase=phase, dice=dice), ground=[ROAD, ground])
    assert shown(ruling(case), "fell", "psr_target", "fall_damage_target", "pilot_hits_target") == {
        "fell": ["B", "A"]
    }


def test_weapon_skid_into_a_hill_tells_of_the_target_still() -> None:
    """battletech.unusual.hill: a hill that is the only thing met takes nothing away from what is told of the target."""
    case = settled(skid(terrain("level", "0506", level=1), dice=[3, 4]))
    assert shown(ruling(case), "p_target_falls_fraction") == {"p_target_falls_fraction": "0/1"}


def test_weapon_skid_past_a_unit_into_a_building() -> None:
    """battletech.unusual.building: a building that the skid runs into last is hit without a roll, and its metrics are
    told.
    """
    found = ruling(settled(skid(terrain("building", "0505", cf=60), dice=[1, 1, *[3, 4], *[3, 4]])))
    assert shown(
        found,
        "tn",
        "roll",
        "damage_target",
        "p_hit_fraction",
        "p_success_fraction",
        "expected_damage_target_fraction",
    ) == {
        "damage_target": 35,
        "p_hit_fraction": "1/1",
        "p_success_fraction": "5/18",
        "expected_damage_target_fraction": str(35 * Fraction(13, 18)),
    }


def test_weapon_skid_past_a_unit_into_a_hill() -> None:
    """battletech.unusual.hill: the metrics tell of the hill, against which nothing is rolled: none of the roll before
    it are left.
    """
    found = ruling(settled(skid(terrain("level", "0505", level=1), dice=[1, 1, *[3, 4], *[3, 4]])))
    assert shown(
        found,
        "tn",
        "roll",
        "p_hit",
        "p_success_fraction",
        "expected_damage_target",
        "expected_damage_charger_fraction",
    ) == {
        "p_success_fraction": "5/18",
        "expected_damage_target": 0,
        "expected_damage_charger_fraction": str(5 * Fraction(13, 18)),
    }


def test_weapon_unintentional_charge_stops_even_if_blocked() -> None:
    """battletech.weapon.unintentional-charge: a hit on who cannot be pushed ends the skid before it."""
    dice = [6, 6, *[3, 4] * 2, *[3, 4] * 7, 6, 6, 6, 6]
    case = settled(skid(terrain("prohibited", "0505"), dice=dice))
    found = ruling(case)
    assert (found.outcome, found.metrics["displacement"]) == ("success", "blocked")
    assert after(case) == {"A": ("0507", "N", ["prone"]), "B": ("0506", "S", [])}


def test_weapon_skid_charges_a_building() -> None:
    """battletech.unusual.building: a building in the way is charged by the skid, takes all the damage, and stops it."""
    house = terrain("building", "0505", cf=60)
    case = settled(skid(house, dice=[1, 1, *[3, 4], *[3, 4]]))
    found = ruling(case)
    assert found.rule == "battletech.weapon.charger-fell"
    assert finding(found, "battletech.unusual.building").ok
    assert after(case)["A"] == ("0507", "N", ["prone"])


def test_weapon_skid_is_put_back() -> None:
    """battletech.weapon.skid: it may not end in a hex that is full; the hexes skidded count all the same."""
    case = settled(skid(moved=1, dice=[1, 1, 3, 4]))
    found = ruling(case)
    assert shown(found, "skid_hexes", "skid_damage") == {"skid_hexes": 1, "skid_damage": 3}
    assert after(case)["A"] == ("0507", "N", ["prone"])


def test_weapon_roll_that_decides_has_its_margin() -> None:
    """battletech.weapon.charger-fell: a roll that fails by one decides the charge by -1."""
    weapons = {"charger_psr": "roll", "charger_psr_modifier": 1}
    found = ruling(
        table(
            {"A": charger("0507", tons=10, piloting=5), "B": unit("0506", "S")},
            charge(2, weapon_phase=weapons, dice=[1, 4, 1, 3, 4, 6, 6]),
        )
    )
    told = finding(found, "battletech.weapon.charger-fell")
    assert (found.rule, told.ok, told.measured, told.limit, told.margin) == (
        told.rule,
        False,
        5,
        6,
        -1,
    )


@pytest.mark.parametrize(("dice", "pairs"), [
    ([6, 6, 1, 1], 26),
    ([1, 1, *STRUCK], 10),
    ([1, 1, 1, 1, *[3, 4] * 3], 10),
], ids=["on its feet", "a skid that hits", "a skid that misses"])  # fmt: skip
def test_chance_to_hit_is_that_of_the_roll_told(dice: list[int], pairs: int) -> None:
    """battletech.tohit.roll: `p_hit` is the chance of the roll that was made, whether a roll before it had failed or
    not.
    """
    case = skid(dice=dice)
    found = ruling(
        settled({**case, "asked": {**case["asked"], "weapon_phase": {"charger_psr": "roll"}}})
    )
    assert Fraction(found.metrics["p_hit_fraction"]) == Fraction(pairs, 36)
    assert Fraction(found.metrics["p_success_fraction"]) == Fraction(30 * 26 + 6 * 10, 36 * 36)


def test_chance_to_hit_before_any_roll() -> None:
    """battletech.tohit.roll: without dice `p_hit` is the chance of the roll that is made if the charger keeps its
    feet.
    """
    case = skid()
    found = odds(
        settled({**case, "asked": {**case["asked"], "weapon_phase": {"charger_psr": "roll"}}})
    )
    assert Fraction(found.metrics["p_hit_fraction"]) == Fraction(26, 36)


def test_a_target_that_fell_by_its_roll_decides_by_it() -> None:
    """battletech.weapon.target-fell: 4 rolled, 5 needed: both findings of the rule have the margin; without dice there
    is none.
    """
    keys = {"target_psr": "roll", "target_psr_modifier": 1}
    case = table({"A": A, "B": B}, charge(4, weapon_phase=keys, dice=[1, 3, 5, 3, 4, 3, 4, 2, 2]))
    told = findings(ruling(case), "battletech.weapon.target-fell")
    assert [one.margin for one in told] == [-1, -1]
