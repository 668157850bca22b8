"""The worked examples of the rules page: exact numbers."""

import math
from fractions import Fraction
from typing import Any

import pytest

from tabletop.geometry.pose import Point, Pose
from tabletop.ruling.system import Case
from tests.tables import Entry, box, case, charger, end, finding, kinds, resolve, unit

EXACT = 1e-6
ROUNDED = 6e-5
LEAST: dict[str, Any] = {"wheel_policy": "least-turn"}


def assert_stands(
    question: Case, name: str, at: Point, facing: float, *, near: float = EXACT
) -> None:
    """Compare where a unit stands afterwards."""
    pose: Pose = end(question, name)
    assert pose.at == pytest.approx(at, abs=near)
    assert math.degrees(
        math.remainder(pose.heading - math.radians(facing), math.tau)
    ) == pytest.approx(0.0, abs=1e-3)


def duel(at: Point, facing: float = 270, files: int = 3, **rest: Any) -> dict[str, Entry]:
    """Return B on the table."""
    return {"B": unit(at, facing, files, **rest)}


@pytest.mark.parametrize(("reroll", "chance"), [(False, Fraction(4, 6)), (True, Fraction(8, 9))])
def test_example_1_exactly_far_enough(reroll: bool, chance: Fraction) -> None:
    """Eight inches for a March of five and a three: straight ahead, all stands in contact."""
    question = case({"A": charger(reroll=reroll), **duel((20, 18))}, **LEAST)
    ruling = resolve(question).rulings[0]
    assert ruling.outcome == "success"
    assert ruling.metrics["distance"] == pytest.approx(8.0, abs=1e-9)
    assert (ruling.metrics["stands_reaching"], ruling.metrics["wheel_deg"]) == (3, 0)
    assert ruling.metrics["advance"] == pytest.approx(8.0, abs=EXACT)
    assert ruling.metrics["contact_length"] == pytest.approx(6.0, abs=EXACT)
    assert (
        ruling.metrics["charger_stands_in_contact"],
        ruling.metrics["target_stands_in_contact"],
    ) == (3, 3)
    assert ruling.metrics["chance_roll"] == pytest.approx(float(chance), abs=1e-12)
    assert ruling.chance_success == chance
    assert kinds(ruling) == ["advance"]
    assert_stands(question, "A", (20, 18), 90)


def test_example_1_an_inch_short() -> None:
    """One pip less fails by an inch: the charger slides the roll and is done."""
    question = case(duel((20, 18)), dice=(2,), **LEAST)
    resolution = resolve(question)
    ruling = resolution.rulings[0]
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.range")
    assert finding(ruling, "conquest.range").margin == pytest.approx(-1.0, abs=1e-9)
    assert_stands(question, "A", (20, 12), 90)
    assert resolution.after.units["A"].status == ("done",)


def test_example_2_halted_by_a_corner() -> None:
    """A failed charge halts an inch from the corner of an enemy beside its way."""
    question = case({**duel((20, 22)), "X": unit((24.5, 14), 270, 1)}, dice=(6,), **LEAST)
    ruling = resolve(question).rulings[0]
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.range")
    assert ruling.metrics["failed_move"] == pytest.approx(4 - math.sqrt(0.75), abs=2e-6)
    assert_stands(question, "A", (20, 10 + 4 - math.sqrt(0.75)), 90, near=2e-6)


def test_example_3_an_enemy_in_every_way() -> None:
    """An enemy across every way to the target: the charge fails by it."""
    question = case(
        {"A": charger(march=8, size=2), **duel((20, 22)), "X": unit((20, 14), 270)},
        dice=(5,),
        **LEAST,
    )
    ruling = resolve(question).rulings[0]
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.path.enemy")
    assert_stands(question, "A", (20, 13), 90, near=2e-6)


SLANTED = duel((17 + 3 * math.cos(math.pi / 6), 19.5), 300)


def test_example_4_turning_about_a_corner() -> None:
    """The left end of the front meets the target's corner and is what the charger turns about."""
    question = case(SLANTED, **LEAST)
    ruling = resolve(question).rulings[0]
    assert ruling.metrics["wheel_deg"] == 0
    assert ruling.metrics["align_deg"] == pytest.approx(30.0, abs=EXACT)
    assert ruling.metrics["contact_length"] == pytest.approx(6.0, abs=EXACT)
    assert kinds(ruling) == ["advance", "align"]
    assert_stands(question, "A", (19.598076, 19.5), 120)


def test_example_5_least_turn() -> None:
    """The right wheel of the least angle at which the third stand reaches."""
    question = case(duel((28, 18)), dice=(4,), **LEAST)
    ruling = resolve(question).rulings[0]
    angle = math.atan2(2, 8) + math.asin(4.001 / math.sqrt(68))
    assert ruling.metrics["distance"] == pytest.approx(math.sqrt(68), abs=1e-9)
    assert ruling.metrics["stands_reaching"] == 3
    assert ruling.metrics["wheel_deg"] == pytest.approx(-math.degrees(angle), abs=2e-5)
    assert ruling.metrics["wheel_deg"] == pytest.approx(-43.0613, abs=ROUNDED)
    assert ruling.metrics["advance"] == pytest.approx(7.2105, abs=ROUNDED)
    assert kinds(ruling) == ["wheel", "advance", "align"]
    assert_stands(question, "A", (26.001, 18), 90, near=2e-6)


def test_example_5_most_contact() -> None:
    """The farthest wheel with which the right stand still reaches brings the longest contact."""
    question = case(duel((28, 18)), dice=(4,))
    ruling = resolve(question).rulings[0]
    angle = math.pi / 4 + math.asin(1.999 / math.sqrt(128))
    assert ruling.metrics["wheel_deg"] == pytest.approx(-math.degrees(angle), abs=2e-5)
    assert ruling.metrics["wheel_deg"] == pytest.approx(-55.1769, abs=ROUNDED)
    assert ruling.metrics["contact_length"] == pytest.approx(5.4253, abs=ROUNDED)
    assert_stands(question, "A", (27.4253, 18), 90, near=ROUNDED)


def test_example_6_the_flank() -> None:
    """Most of the charger stands in the arc of the right side, so that is charged, by a hair's overlap."""
    question = case(
        {"A": charger((24, 22), 180, 1, stands=4), **duel((20, 20), 90, 3, stands=6)}, **LEAST
    )
    ruling = resolve(question).rulings[0]
    assert (ruling.metrics["area_front"], ruling.metrics["area_right"]) == pytest.approx(
        (2, 14), abs=EXACT
    )
    assert ruling.metrics["charged_facing"] == "right"
    angle = math.pi / 4 + math.asin(0.001 / math.sqrt(2))
    assert ruling.metrics["wheel_deg"] == pytest.approx(math.degrees(angle), abs=1e-4)
    assert_stands(question, "A", (23, 20.999), 180, near=2e-6)


WALLS = (box((15, 17), (4, 14), name="west"), box((23, 25), (4, 14), name="east"))


def test_example_7_the_target_turns() -> None:
    """Walls bar any wheel and a rock the charger's turn: the target turns instead."""
    question = case(
        {"A": charger(stands=6), **SLANTED}, [*WALLS, box((23.3, 24), (17.5, 18.5))], **LEAST
    )
    ruling = resolve(question).rulings[0]
    assert ruling.outcome == "success"
    assert ruling.metrics["target_wheel_deg"] == pytest.approx(-30.0, abs=EXACT)
    assert "align_deg" not in ruling.metrics
    assert kinds(ruling) == ["advance", "target_wheel"]
    assert_stands(question, "A", (20, 18), 90)
    assert_stands(question, "B", (20, 18), 270)


def test_example_8_two_are_pushed() -> None:
    """A target wedged in between two others: both are pushed an inch back."""
    units = {**duel((21, 18), files=1), "L": unit((17, 18), 270), "R": unit((25, 18), 270)}
    question = case(units, **LEAST)
    ruling = resolve(question).rulings[0]
    assert ruling.outcome == "success"
    assert (ruling.metrics["pushed"], ruling.metrics["stands_reaching"]) == (2, 2)
    assert ruling.metrics["push_distance"] == pytest.approx(2.0, abs=EXACT)
    assert kinds(ruling) == ["advance", "push", "push"]
    assert_stands(question, "A", (20, 18), 90)
    assert_stands(question, "L", (17, 19), 270)
    assert_stands(question, "R", (25, 19), 270)


def test_example_9_past_a_corner_without_a_push() -> None:
    """A wheel that keeps clear of an enemy's corner comes before any push."""
    units = {"A": charger((21, 10)), **duel((20, 18)), "X": unit((26.5, 18), 270)}
    question = case(units, dice=(4,), **LEAST)
    ruling = resolve(question).rulings[0]
    angle = math.asin(6.001 / math.hypot(5.5, 8)) - math.atan2(5.5, 8)
    assert ruling.metrics["wheel_deg"] == pytest.approx(math.degrees(angle), abs=5e-5)
    assert ruling.metrics["wheel_deg"] == pytest.approx(3.6715, abs=ROUNDED)
    assert ruling.metrics["pushed"] == 0
    assert_stands(question, "A", (20.498, 18), 90, near=ROUNDED)


def test_example_10_mired() -> None:
    """There is less room behind the friend than the charger is deep: both are Broken, and it stands where they met."""
    units = {
        "A": charger(march=8, size=2),
        "F": unit((20, 15), 90, side="blue"),
        **duel((20, 16.5)),
    }
    question = case(units, dice=(4,), **LEAST)
    resolution = resolve(question)
    ruling = resolution.rulings[0]
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.through.clear")
    assert "failed_move" not in ruling.metrics
    assert ruling.metrics["broken"] == 2
    assert kinds(ruling)[-1] == "mired"
    assert_stands(question, "A", (20, 13), 90, near=2e-6)
    assert_stands(question, "F", (20, 15), 90)
    assert "broken" in resolution.after.units["A"].status
    assert "broken" in resolution.after.units["F"].status


def test_example_10_through_a_friend() -> None:
    """With more room the friend is crossed and cleared."""
    units = {"A": charger(march=8, size=2), "F": unit((20, 15), 90, side="blue"), **duel((20, 22))}
    question = case(units, dice=(4,), **LEAST)
    ruling = resolve(question).rulings[0]
    assert ruling.outcome == "success"
    assert ruling.metrics["advance"] == pytest.approx(12.0, abs=EXACT)
    assert_stands(question, "A", (20, 22), 90)
