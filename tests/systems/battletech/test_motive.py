"""Motive damage of vehicles: each result, what it does at once, and when it is rolled."""

import pytest

from tabletop.scenario import result
from tests.systems.battletech.tables import (
    after,
    charge,
    charger,
    finding,
    resolve,
    ruling,
    table,
    unit,
)

RESULTS = {
    "none": range(2, 6),
    "minor": (6, 7),
    "moderate": (8, 9),
    "heavy": (10, 11),
    "immobile": range(12, 20),
}
FACES = {total: ([1, total - 1] if total <= 7 else [6, total - 6]) for total in range(2, 13)}


@pytest.mark.parametrize(("motion", "added"), [("tracked", 0), ("wheeled", 2), ("hover", 3)])
@pytest.mark.parametrize("total", range(2, 13))
def test_motive_immediate_of_the_charger(motion: str, added: int, total: int) -> None:
    """battletech.motive.immediate: a vehicle that hits rolls at once, from its front; some kinds of motion are
    frailer.
    """
    units = {
        "A": charger("0507", tons=10, type="vehicle", motion=motion),
        "B": unit("0506", "S", tons=10),
    }
    found = ruling(table(units, charge(5, dice=[6, 6, *FACES[total], 3, 4, 1, 6, 6])))
    expected = next(name for name, totals in RESULTS.items() if total + added in totals)
    assert found.metrics["motive_charger"] == [expected]
    assert finding(found, "battletech.motive.immediate").ok


@pytest.mark.parametrize(
    ("facing", "added"), [("S", 0), ("N", 1), ("NW", 2), ("NE", 2), ("SW", 2), ("SE", 2)]
)
@pytest.mark.parametrize("total", [2, 5, 7, 9, 11, 12])
def test_motive_immediate_of_the_target(facing: str, added: int, total: int) -> None:
    """battletech.motive.immediate: a vehicle that is hit rolls too, worse from the side and from behind."""
    units = {
        "A": charger("0507", tons=10, type="vehicle"),
        "B": unit("0506", facing, tons=10, type="vehicle"),
    }
    found = ruling(table(units, charge(5, dice=[6, 6, 1, 1, 3, 4, *FACES[total], 3, 3])))
    expected = next(name for name, totals in RESULTS.items() if total + added in totals)
    assert found.metrics["motive_target"] == [expected]


@pytest.mark.parametrize(
    ("rolls", "walk", "piloting"),
    [
        ([[1, 1]], 5, 5),
        ([[3, 3]], 5, 6),
        ([[4, 4]], 4, 7),
        ([[5, 5]], 3, 8),
        ([[3, 3], [3, 4]], 5, 6),
        ([[3, 3], [4, 4]], 4, 8),
    ],
)
def test_motive_immediate_harms(rolls: list[list[int]], walk: int, piloting: int) -> None:
    """battletech.motive.immediate: driving gets worse, each kind once; cruising is lost, of half of it rounded up is
    kept.
    """
    units = {
        "A": charger("0507", tons=10, type="vehicle"),
        "B": unit("0506", "S", tons=10, type="vehicle", walk=5),
    }
    location = [3, 3] if len(rolls) == 1 else [1, 2, *rolls[1]]
    case = table(units, charge(5, dice=[6, 6, 1, 1, 3, 4, *rolls[0], *location]))
    profile = result(case, resolve(case))["after"]["units"]["B"]["profile"]
    assert (profile["walk"], profile.get("piloting", 5) + profile.get("psr_modifier", 0)) == (
        walk,
        piloting,
    )


def test_motive_immediate_immobilises() -> None:
    """battletech.motive.immediate: at 12 it does not move any more."""
    units = {
        "A": charger("0507", tons=10, type="vehicle"),
        "B": unit("0506", "S", tons=10, type="vehicle", walk=5),
    }
    case = table(units, charge(5, dice=[6, 6, 1, 1, 3, 4, 6, 6, 3, 3]))
    assert after(case)["B"] == ("0505", "S", ["immobile"])


def test_motive_immediate_not_after_a_miss() -> None:
    """battletech.motive.immediate: only a charge that hits shakes anybody."""
    units = {
        "A": charger("0507", tons=10, type="vehicle"),
        "B": unit("0506", "S", tons=10, type="vehicle"),
    }
    found = ruling(table(units, charge(5, dice=[1, 1])))
    assert found.metrics.get("motive_charger", []) == []
    assert not any(one.rule == "battletech.motive.immediate" for one in found.findings)


def test_motive_immediate_of_what_has_landed() -> None:
    """battletech.motive.immediate: what has landed is hurt as a vehicle is: on the vehicle's table, with a motive roll
    at once.
    """
    units = {
        "A": charger("0507", tons=10, type="vehicle"),
        "B": unit("0506", "S", tons=10, type="airship", status=["landed"]),
    }
    found = ruling(table(units, charge(1, dice=[6, 6, 1, 1, 3, 4, 4, 4, 3, 4])))
    assert (found.metrics["table_target"], found.metrics["motive_target"]) == (
        "vehicle",
        ["moderate"],
    )
