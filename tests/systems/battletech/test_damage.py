"""Damage of a collision: how much, in which groups, on which table, and what has no weight."""

from typing import Any

import pytest

from tests.systems.battletech.tables import (
    Entry,
    after,
    charge,
    charger,
    finding,
    findings,
    ruling,
    shown,
    table,
    terrain,
    unit,
)

TABLES = {
    "mech front": "CT RA RA RL RT CT LT LL LA LA HD",
    "mech rear": "CT RA RA RL RT CT LT LL LA LA HD",
    "mech left": "LT LL LA LA LL LT CT RT RA RL HD",
    "mech right": "RT RL RA RA RL RT CT LT LA LL HD",
    "vehicle front": "FR FR FR RS FR FR FR LS TU TU TU",
    "vehicle rear": "RR RR RR LS RR RR RR RS TU TU TU",
    "vehicle right": "RS RS RS FR RS RS RS RR TU TU TU",
    "vehicle left": "LS LS LS FR LS LS LS RR TU TU TU",
}
"""What two dice from 2 to 12 hit."""
CRITICAL = {
    "mech": (2,),
    "vehicle front": (2, 12),
    "vehicle rear": (2, 12),
    "vehicle right": (2, 8, 12),
    "vehicle left": (2, 8, 12),
}
MOTIVE = (3, 4, 5, 9)
FACINGS = {"front": "S", "rear": "N", "left": "NW", "right": "NE"}
"""How a target faces that is struck from the south on that side."""
FACES = {total: ([1, total - 1] if total <= 7 else [6, total - 6]) for total in range(2, 13)}


def struck(
    kind: str, side: str, dice: list[int], rules: Entry | None = None, **profile: Any
) -> Any:
    """Let 10 tons hit a target once on one side: dice after the roll to hit."""
    is_tank = kind == "vehicle" or profile.pop("run_over", False)
    units = {
        "A": charger("0507", tons=10, type="vehicle" if is_tank else "mech"),
        "B": unit("0506", FACINGS[side], tons=10, type=kind, **profile),
    }
    return ruling(table(units, charge(5, dice=[6, 6, *dice]), rules=rules))


@pytest.mark.parametrize("total", range(2, 13))
@pytest.mark.parametrize("side", ["front", "rear", "left", "right"])
def test_damage_location_of_mechs(side: str, total: int) -> None:
    """battletech.damage.location: a 'Mech's table of the side attacked, total by total."""
    found = struck("mech", side, [3, 4, *FACES[total], 6, 6, 6, 6])
    assert shown(found, "side_target", "table_target", "locations_target", "criticals_target") == {
        "side_target": side,
        "table_target": "mech",
        "locations_target": [TABLES[f"mech {side}"].split()[total - 2]],
        "criticals_target": int(total == 2),
    }


@pytest.mark.parametrize("total", range(2, 13))
@pytest.mark.parametrize("side", ["front", "rear", "left", "right"])
def test_damage_location_of_vehicles(side: str, total: int) -> None:
    """battletech.damage.location: a vehicle's table; some locations ask for a motive roll at once, without taking
    critical hits.
    """
    motive = [1, 1] if total in MOTIVE else []
    found = struck("vehicle", side, [1, 1, 3, 4, 1, 1, *FACES[total], *motive])
    assert shown(
        found,
        "side_target",
        "table_target",
        "locations_target",
        "criticals_target",
        "motive_target",
    ) == {
        "side_target": side,
        "table_target": "vehicle",
        "locations_target": [TABLES[f"vehicle {side}"].split()[total - 2]],
        "criticals_target": int(total in CRITICAL[f"vehicle {side}"]),
        "motive_target": ["none"] * (1 + len(motive) // 2),
    }


def test_damage_location_of_the_front_by_choice() -> None:
    """battletech.damage.location: by choice five on a vehicle's front is its left side."""
    found = struck(
        "vehicle", "front", [1, 1, 3, 4, 1, 1, 1, 4, 1, 1], rules={"vehicle_front_5": "left"}
    )
    assert found.metrics["locations_target"] == ["LS"]


@pytest.mark.parametrize(
    ("side", "code"), [("front", "FR"), ("rear", "RR"), ("left", "LS"), ("right", "RS")]
)
def test_damage_location_without_turret(side: str, code: str) -> None:
    """battletech.damage.location: turret hits on a vehicle without one go to the side attacked."""
    assert struck("vehicle", side, [1, 1, 3, 4, 1, 1, 6, 4], turret=False).metrics[
        "locations_target"
    ] == [code]


@pytest.mark.parametrize(
    ("facing", "mech", "vehicle"),
    [
        ("S", "front", "front"),
        ("SW", "front", "left"),
        ("NW", "left", "left"),
        ("N", "rear", "rear"),
        ("NE", "right", "right"),
        ("SE", "front", "right"),
    ],
)
def test_damage_location_by_side_attacked(facing: str, mech: str, vehicle: str) -> None:
    """battletech.damage.location: three hexsides are a 'Mech's front, one a vehicle's; the charger stands to the
    south.
    """
    for kind, side in (("mech", mech), ("vehicle", vehicle)):
        units = {
            "A": charger("0507", tons=10, type=kind),
            "B": unit("0506", facing, tons=10, type=kind),
        }
        assert (
            ruling(table(units, charge(5), rules={}), seed=_hit(units)).metrics["side_target"]
            == side
        )


def _hit(units: Entry) -> int:
    return next(
        seed
        for seed in range(99)
        if ruling(table(units, charge(5)), seed=seed).outcome == "success"
    )


@pytest.mark.parametrize(
    ("legs", "side", "die", "code"),
    [
        *(
            (2, side, die, "RL" if die <= 3 else "LL")
            for side in ("front", "rear")
            for die in range(1, 7)
        ),
        (2, "left", None, "LL"),
        (2, "right", None, "RL"),
        *((4, "front", die, "FLL" if die <= 3 else "FRL") for die in range(1, 7)),
        *((4, "rear", die, "RLL" if die <= 3 else "RRL") for die in range(1, 7)),
        *((4, "left", die, "RLL" if die <= 3 else "FLL") for die in range(1, 7)),
        *((4, "right", die, "RRL" if die <= 3 else "FRL") for die in range(1, 7)),
    ],
)
def test_damage_kick(legs: int, side: str, die: int | None, code: str) -> None:
    """battletech.damage.kick: a vehicle hits the legs of a standing 'Mech; from the side a two-legged one has but one
    to hit.
    """
    found = struck(
        "mech", side, [1, 1, 3, 4, *([] if die is None else [die]), 6, 6], legs=legs, run_over=True
    )
    assert shown(found, "table_target", "locations_target") == {
        "table_target": "kick",
        "locations_target": [code],
    }


def test_damage_kick_spares_who_lies() -> None:
    """battletech.damage.kick: a 'Mech that lies is hit on its usual table."""
    found = struck_prone([6, 6, 1, 1, 3, 4, 6, 6])
    assert shown(found, "table_target", "locations_target", "psr_target") == {
        "table_target": "mech",
        "locations_target": ["HD"],
        "psr_target": [],
    }


def struck_prone(dice: list[int]) -> Any:
    """Let a tank of 10 tons hit a 'Mech that lies."""
    units = {
        "A": charger("0507", tons=10, type="vehicle"),
        "B": unit("0506", "S", tons=10, status=["prone"]),
    }
    return ruling(table(units, charge(5, dice=dice)))


def test_damage_location_of_the_charger() -> None:
    """battletech.damage.location: the charger is hit on its front whatever the side of the target."""
    found = struck("mech", "right", [6, 6, 1, 1, 6, 6, 6, 6])
    assert (found.metrics["locations_charger"], found.metrics["criticals_charger"]) == (["HD"], 0)


@pytest.mark.parametrize(
    ("tons", "hexes", "points"),
    [
        (65, 4, 26),
        (35, 5, 18),
        (25, 3, 8),
        (100, 0, 0),
        (20, 10, 20),
        (10, 1, 1),
        (11, 1, 2),
        (95, 7, 67),
    ],
)
def test_damage_target(tons: int, hexes: int, points: int) -> None:
    """battletech.damage.target: a tenth of the charger's tons for each hex entered, rounded up at the end; in fives,
    the rest last.
    """
    units = {"A": charger("0507", tons=tons), "B": unit("0506", "S")}
    found = ruling(table(units, charge(hexes)), seed=_hit(units))
    assert found.metrics["damage_target"] == points
    groups = found.metrics["groups_target"]
    assert groups == [5] * (points // 5) + ([points % 5] if points % 5 else [])
    assert finding(found, "battletech.damage.target").measured == points


def test_damage_groups() -> None:
    """battletech.damage.groups: five at a time, and the finding says how many."""
    units = {"A": charger("0507", tons=60), "B": unit("0506", "S", tons=60)}
    found = ruling(table(units, charge(2)), seed=_hit(units))
    assert (found.metrics["groups_target"], found.metrics["groups_charger"]) == ([5, 5, 2], [5, 1])
    assert finding(found, "battletech.damage.groups").ok


@pytest.mark.parametrize(("equipment", "points"), [([], 7), (["bulldozer"], 3)])
def test_damage_charger_with_a_bulldozer(equipment: list[str], points: int) -> None:
    """battletech.damage.charger: a bulldozer halves what the charger takes, rounded down at the end."""
    units = {
        "A": charger("0507", tons=40, type="vehicle", equipment=equipment),
        "B": unit("0506", "S", tons=65),
    }
    found = ruling(table(units, charge(2)), seed=_hit(units))
    assert (found.metrics["damage_charger"], found.metrics["damage_target"]) == (points, 8)


def test_unusual_damage() -> None:
    """battletech.unusual.damage: against a DropShip the charger is hurt by its own weight; the ship's groups are not
    located.
    """
    units = {"A": charger("0507", tons=55), "B": unit("0506", "S", tons=3500, type="dropship")}
    found = ruling(table(units, charge(3, dice=[6, 6, 3, 4, 3, 4, 6, 6])))
    assert shown(
        found, "damage_charger", "groups_target", "locations_target", "blocked_reason"
    ) == {
        "damage_charger": 6,
        "groups_target": [5, 5, 5, 2],
        "blocked_reason": "not_displaceable",
    }
    assert finding(found, "battletech.unusual.damage").measured == 6


def test_unusual_building() -> None:
    """battletech.unusual.building: it is always hit, by all of the damage; the charger is hurt by its own weight."""
    house = terrain("building", "0506", cf=90)
    case = table(
        {"A": charger("0507", tons=55)},
        charge(3, whom=house["name"], dice=[3, 4, 3, 4, 6, 6, 6, 6]),
        ground=[house],
    )
    found = ruling(case)
    assert found.outcome == "success"
    assert shown(
        found,
        "damage_target",
        "damage_charger",
        "building_cf",
        "entry_psr",
        "psr_charger",
        "p_hit_fraction",
    ) == {
        "damage_target": 17,
        "damage_charger": 6,
        "building_cf": 90 - 17 - 6,
        "entry_psr": 5 + 3 + 2,
        "psr_charger": [7],
        "p_hit_fraction": "1/1",
    }
    assert [one.ok for one in findings(found, "battletech.unusual.building")] == [True, True]
    assert after(case)["A"][0] == "0506"


def test_unusual_building_by_choice() -> None:
    """battletech.unusual.building: by choice the charger stays before it, and there is no entry roll."""
    house = terrain("building", "0506", cf=90)
    asked = charge(3, whom=house["name"], dice=[3, 4, 3, 4, 6, 6])
    case = table(
        {"A": charger("0507", tons=55)},
        asked,
        ground=[house],
        rules={"building_charge_advance": "stay"},
    )
    assert (ruling(case).metrics["building_cf"], after(case)["A"][0]) == (73, "0507")
    assert "entry_psr" not in ruling(case).metrics


@pytest.mark.parametrize(("equipment", "points"), [([], 18), (["bulldozer"], 36)])
def test_unusual_building_with_a_bulldozer(equipment: list[str], points: int) -> None:
    """battletech.unusual.building: a bulldozer doubles the damage to it."""
    wall = terrain("building", "0506", cf=150)
    units = {"A": charger("0507", tons=60, type="vehicle", equipment=equipment)}
    found = ruling(table(units, charge(3, whom=wall["name"]), ground=[wall]))
    assert found.metrics["damage_target"] == points
