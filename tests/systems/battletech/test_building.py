"""Buildings: what they absorb of each group, and the rolls of who enters them."""

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

A = charger("0507", tons=50, piloting=4)
B = unit("0506", "S", tons=50)
HEAVY = 20
"""Points in one charge, those of falling masonry too, that make a second roll to keep one's feet."""


def hit(cf: int, hexes: int, dice: list[int] | None = None, **rules: str) -> Any:
    """Let A hit B in a building after some hexes: faces after the roll to hit, or any."""
    faces: Entry = {} if dice is None else {"dice": [6, 6, *dice]}
    case = table({"A": A, "B": B}, charge(hexes, **faces), ground=[_house(cf)], rules=rules)
    if dice is not None:
        return ruling(case)
    return next(
        found for seed in range(99) if (found := ruling(case, seed=seed)).outcome == "success"
    )


def _house(cf: int, place: str = "0506") -> Entry:
    return terrain("building", place, cf=cf)


@pytest.mark.parametrize(
    ("cf", "hexes", "groups", "absorbed"),
    [
        (10, 3, [4, 4, 4], 3),
        (11, 2, [3, 3], 4),
        (30, 3, [2, 2, 2], 9),
        (40, 1, [1], 4),
        (50, 2, [], 10),
        (150, 3, [], 15),
    ],
)
def test_building_absorbs(cf: int, hexes: int, groups: list[int], absorbed: int) -> None:
    """battletech.building.absorbs: a tenth of the CF off each group, rounded up; what is swallowed whole is not
    located.
    """
    found = hit(cf, hexes)
    assert shown(found, "groups_target", "absorbed", "damage_through", "damage_target") == {
        "groups_target": groups,
        "absorbed": absorbed,
        "damage_through": 5 * hexes - absorbed,
        "damage_target": 5 * hexes,
    }
    assert len(found.metrics["locations_target"]) == len(groups)
    assert found.metrics["building_cf"] == max(0, cf - absorbed - (5 if cf > absorbed else 0))
    assert finding(found, "battletech.building.absorbs").ok


@pytest.mark.parametrize(
    ("cf", "number", "points"),
    [
        (1, 7, 1),
        (15, 7, 2),
        (16, 8, 2),
        (40, 8, 4),
        (41, 9, 5),
        (90, 9, 9),
        (91, 12, 10),
        (150, 12, 15),
    ],
)
def test_building_entry_roll(cf: int, number: int, points: int) -> None:
    """battletech.building.entry-roll: piloting and 3, and up to 5 by the kind of building; a tenth of the CF as
    damage.
    """
    swallowed = min(1, cf)
    located = [3, 4] if -(-cf // 10) < 5 else []
    entry = [1, 1, *[3, 4] * -(-points // 5)]
    rolls = [6, 6] * (3 if points + 5 >= HEAVY else 2)
    found = hit(cf, 1, [3, 4, *located, *(entry if cf > swallowed else []), *rolls])
    if cf > swallowed:
        assert shown(found, "entry_psr", "entry_failed") == {
            "entry_psr": number,
            "entry_failed": True,
        }
        assert any(
            f"{points} point" in step.text for step in found.steps if step.kind == "building_roll"
        )


@pytest.mark.parametrize("place", ["0506", "0507"])
def test_building_entry_roll_not_when_blocked(place: str) -> None:
    """battletech.building.entry-roll: only who advances enters, not who stood in a building before and stays there."""
    dice = [6, 6, 3, 4, 3, 4, 6, 6, 6, 6]
    found = ruling(
        table(
            {"A": A, "B": B},
            charge(1, dice=dice),
            ground=[_house(40, place), terrain("prohibited", "0505")],
        )
    )
    assert "entry_psr" not in found.metrics
    assert found.metrics["displacement"] == "blocked"


@pytest.mark.parametrize(
    "location", [[1, 3], [1, 2]], ids=["front", "front that calls for a motive roll"]
)
def test_building_entry_roll_of_vehicles(location: list[int]) -> None:
    """battletech.building.entry-roll: a vehicle that fails rolls motive damage once after its groups, wherever they
    land.
    """
    units = {"A": charger("0507", tons=10, type="vehicle"), "B": unit("0506", "S", tons=10)}
    dice = [6, 6, 1, 1, 3, 4, 1, 1, 1, *location, 4, 4, 6, 6]
    found = ruling(table(units, charge(5, dice=dice), ground=[_house(40)]))
    assert shown(found, "entry_psr", "motive_charger") == {
        "entry_psr": 9,
        "motive_charger": ["none", "moderate"],
    }


@pytest.mark.parametrize(("kind", "place"), [("mech", "0507"), ("vehicle", "0506")])
def test_unusual_building_with_a_unit_in_it(kind: str, place: str) -> None:
    """battletech.unusual.building: all the damage is the building's; the charger stays where stacking leaves no room in
    the hex.
    """
    units = {"A": A, "B": unit("0506", "S", type=kind, tons=10)}
    entry = [6, 6] if place == "0506" else []
    case = table(
        units, charge(1, whom="building 0506", dice=[3, 4, *entry, 6, 6]), ground=[_house(40)]
    )
    found = ruling(case)
    assert shown(found, "damage_target", "building_cf", "psr_target") == {
        "damage_target": 5,
        "building_cf": 30 if entry else 35,
    }
    assert after(case) == {"A": (place, "N", []), "B": ("0506", "S", [])}
    assert [one.ok for one in findings(found, "battletech.unusual.building")] == [True, True]


PATH = ["0507", "0506", "0505"]


@pytest.mark.parametrize(
    ("rules", "numbers"),
    [
        ({}, [5, 6]),
        ({"building_plus_three": "all"}, [8, 9]),
        ({"building_speed_row": "on"}, [5, 7]),
    ],
)
def test_building_path_rolls(rules: Entry, numbers: list[int]) -> None:
    """battletech.building.path-rolls: every building hex on the way has its own roll, by choice at +3 and by the hexes
    entered so far.
    """
    ground = [terrain("building", "0507", cf=40), terrain("building", "0505", cf=90)]
    units = {"A": charger("0508", walk=12, tons=50, piloting=4), "B": unit("0504", "S")}
    for failed in (0, 1):
        entry = [number - failed for number in numbers]
        faces = [_faces(total) for total in entry]
        damage = ([3, 4] if failed else [], [3, 4, 3, 4] if failed else [])
        dice = [*faces[0], *damage[0], *faces[1], *damage[1], 1, 1]
        found = ruling(table(units, charge(path=PATH, dice=dice), ground=ground, rules=rules))
        assert len(findings(found, "battletech.building.path-rolls")) == 2
        assert [one.measured for one in findings(found, "battletech.building.path-rolls")] == entry


def _faces(total: int) -> list[int]:
    return [1, total - 1] if total <= 7 else [6, total - 6]


def test_building_path_rolls_make_nobody_fall() -> None:
    """battletech.building.path-rolls: a failure hurts, no more, and the charge goes on."""
    units = {"A": charger("0508", walk=12, tons=50, piloting=4), "B": unit("0504", "S", tons=10)}
    dice = [1, 1, 3, 4, 6, 6, 3, 4, *[3, 4] * 3, 6, 6, 6, 6]
    case = table(units, charge(path=PATH, dice=dice), ground=[terrain("building", "0506", cf=20)])
    assert (ruling(case).outcome, after(case)["A"]) == ("success", ("0504", "N", []))


def test_building_path_rolls_shake_a_vehicle_once() -> None:
    """battletech.building.path-rolls: one motive roll for each failed entry, though both groups land where hits call
    for one.
    """
    units = {
        "A": charger("0508", walk=16, tons=50, type="vehicle"),
        "B": unit("0504", "S", tons=10),
    }
    dice = [1, 1, 1, 2, 1, 3, 4, 4, 1, 1]
    found = ruling(
        table(units, charge(path=PATH, dice=dice), ground=[terrain("building", "0506", cf=90)])
    )
    assert shown(found, "motive_charger", "tn") == {"motive_charger": ["moderate"], "tn": 10}
