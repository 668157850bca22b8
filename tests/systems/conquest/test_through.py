"""Charging through friends: crossed and cleared, or mired in them; and who becomes Broken."""

import math
from typing import Any

import pytest

from tabletop.geometry.pose import Point
from tabletop.ruling.system import Case
from tests.tables import box, case, charger, end, finding, kinds, resolve, rule_on, unit

LEAST: dict[str, Any] = {"wheel_policy": "least-turn"}


def through(y: float, *, dice: tuple[int, ...] = (4,), **rest: Any) -> Case:
    """Charge a target at a height through a friend whose front stands at y = 15."""
    units = {
        "A": charger(march=8, size=2),
        "F": unit((20, 15), 90, side="blue"),
        "B": unit((20, y), 270),
    }
    return case(units, dice=dice, **{**LEAST, **rest})


def test_through_friends() -> None:
    """A friend that no enemy touches is crossed."""
    ruling = resolve(through(22)).rulings[0]
    assert ruling.outcome == "success"
    assert finding(ruling, "conquest.through.friends").ok
    assert finding(ruling, "conquest.through.clear").ok


def test_through_friends_held_by_an_enemy() -> None:
    """A friend in contact with an enemy is not crossed: the charger finds no way."""
    units = {
        "A": charger(march=8, size=2),
        "F": unit((20, 15), 90, 14, side="blue"),
        "X": unit((35, 15), 90, 1),
        "B": unit((20, 22), 270),
    }
    ruling = rule_on(units, dice=(4,), **LEAST)
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.path.friend")


def test_mired_halt() -> None:
    """The mired charger stands where it met the friend, done; no failed move follows."""
    question = through(16.5)
    ruling = resolve(question).rulings[0]
    assert end(question).at == pytest.approx((20, 13), abs=2e-6)
    assert kinds(ruling)[-1] == "mired"
    assert "failed_move" not in ruling.metrics
    assert ruling.metrics["advance"] == pytest.approx(6.5, abs=1e-6)
    assert finding(ruling, "conquest.mired.halt").ok
    assert "done" in resolve(question).after.units["A"].status


def test_mired_halt_behind_its_present_place() -> None:
    """Who marched over the friend before the charge goes back to where they met."""
    units = {"F": unit((20, 9), 90, side="blue"), "B": unit((20, 10.5), 270)}
    question = case(units, dice=(1,), charge={"marched": 5}, **LEAST)
    ruling = resolve(question).rulings[0]
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.through.clear")
    assert end(question).at == pytest.approx((20, 7), abs=2e-6)


def test_mired_halt_at_the_first_met() -> None:
    """Of several friends the end would overlap, the one met first holds the charger; the others are not touched."""
    units = {
        "A": charger(march=8, size=2),
        "F": unit((18.5, 15), 90, 1, side="blue"),
        "G": unit((21.5, 14.5), 90, 1, side="blue"),
        "B": unit((20, 16), 270),
    }
    walls = [box((15, 17), (4, 14), name="west"), box((23, 25), (4, 14), name="east")]
    question = case(units, walls, dice=(4,), **LEAST)
    resolution = resolve(question)
    assert end(question).at == pytest.approx((20, 12.5), abs=2e-6)
    assert (
        "broken" in resolution.after.units["G"].status,
        "broken" in resolution.after.units["F"].status,
    ) == (True, False)


@pytest.mark.parametrize(("choice", "broken"), [("both", {"A", "F"}), ("charger", {"A"})])
def test_mired_broken(choice: str, broken: set[str]) -> None:
    """Both become Broken, or the charger alone."""
    resolution = resolve(through(16.5, mired_broken=choice))
    assert {
        name for name, one in resolution.after.units.items() if "broken" in one.status
    } == broken
    assert resolution.rulings[0].metrics["broken"] == len(broken)
    assert finding(resolution.rulings[0], "conquest.mired.broken").ok


@pytest.mark.parametrize(
    ("dice", "at", "is_mired"),
    [((4,), (20, 11), True), ((6,), (20, 16), False), ((1,), (20, 11), False)],
)
def test_mired_by_a_failed_move(dice: tuple[int, ...], at: Point, is_mired: bool) -> None:
    """A failed move crosses friends too; ending on one mires, but the rule named stays the first."""
    units = {"A": charger(size=2), "F": unit((20, 13), 90, side="blue"), "B": unit((20, 22), 270)}
    question = case(units, dice=dice, **LEAST)
    ruling = resolve(question).rulings[0]
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.range")
    assert end(question).at == pytest.approx(at, abs=2e-6)
    assert (kinds(ruling)[-1] == "mired", "failed_move" in ruling.metrics) == (
        is_mired,
        not is_mired,
    )
    assert ruling.metrics["broken"] == (2 if is_mired else 0)


def test_through_clear_counts_the_end_only() -> None:
    """A friend beside the place, touched by it, is clear."""
    ruling = rule_on({"F": unit((24, 18), 90, 1, side="blue"), "B": unit((20, 18), 270)}, **LEAST)
    assert ruling.outcome == "success"
    assert ruling.metrics["wheel_deg"] == 0


def test_through_clear_by_the_turn() -> None:
    """A friend overlapped at first contact may be cleared by the turn that follows; its sweep does not matter then."""
    units = {
        "A": charger(stands=6),
        "B": unit((17 + 3 * math.cos(math.pi / 6), 19.5), 300),
        "F": unit((17.5, 14.8), 90, 1, side="blue", base="12.7x12.7mm"),
    }
    walls = [box((15, 17), (4, 14), name="west"), box((23, 25), (4, 14), name="east")]
    ruling = rule_on(units, walls, **LEAST)
    assert ruling.outcome == "success"
    assert ruling.metrics["align_deg"] == pytest.approx(30.0, abs=1e-6)


def test_through_clear_not_by_the_turn_of_the_target() -> None:
    """Where the target would have to turn, the charger stays on the friend: both are mired."""
    units = {
        "A": charger(stands=6),
        "B": unit((17 + 3 * math.cos(math.pi / 6), 19.5), 300),
        "F": unit((17.5, 14.8), 90, 1, side="blue", base="12.7x12.7mm"),
    }
    barred = [
        box((15, 17), (4, 14), name="west"),
        box((23, 25), (4, 14), name="east"),
        box((23.3, 24), (17.5, 18.5)),
    ]
    assert rule_on(units, barred, **LEAST).rule == "conquest.through.clear"
