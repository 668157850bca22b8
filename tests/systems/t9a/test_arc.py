"""The Target Facing and its dividing lines."""

from typing import Any

import pytest

from tabletop.geometry.pose import Point
from tests.scenes import charger, finding, metric, regiment, rule_on, target


def facing_charged(at: Point, heading: float, **choices: Any) -> Any:
    """Return the facing that a single model at `at` charges, of a target 100 by 80 mm about the frame's origin."""
    ruling = rule_on(
        target(models=20, at=(0, 40)), charger(at, heading=heading, files=1, models=1), **choices
    )
    assert ruling.outcome == "success"
    return ruling.metrics["target_facing"]


@pytest.mark.parametrize(
    ("at", "heading", "facing"),
    [
        ((60, 60), 225, "front"),
        ((71, 60), 225, "right"),
        ((0, -41), 90, "rear"),
        ((-120, -50), 0, "left"),
        ((-60, -61), 45, "rear"),
    ],
)
def test_arc_target_facing(at: Point, heading: float, facing: str) -> None:
    """The facing is that of the arc which holds the middle of the charger's front."""
    assert facing_charged(at, heading) == facing


def test_arc_target_facing_is_found_at_the_start() -> None:
    """The front's middle decides, not its nearest corner nor where the charge meets the target."""
    ruling = rule_on(target(models=20, at=(0, 40)), charger((95, 90), heading=225, files=5))
    assert ruling.metrics["target_facing"] == "front"
    assert finding(ruling, "t9a.arc.target-facing").ok


def test_arc_tie_takes_the_better_result() -> None:
    """On the line the facing that brings more models counts: here a deep column's flank."""
    column = regiment("T", (0, 0), files=2, models=16)
    attacker = charger((80, 60), heading=225)
    best, flank = (rule_on(column, attacker, arc_tie=choice) for choice in ("best", "flank"))
    assert best.metrics["target_facing"] == "right"
    assert metric(best, "target_models_in_contact") > 2
    assert flank.metrics["target_facing"] == "right"


def test_arc_tie_with_a_better_front() -> None:
    """A broad, shallow target is charged in the front from its dividing line, unless the choice says flank."""
    broad = regiment("T", (0, 0), files=7, models=7)
    attacker = charger((130, 60), heading=225)
    best, flank = (rule_on(broad, attacker, arc_tie=choice) for choice in ("best", "flank"))
    assert (best.metrics["target_facing"], best.metrics["target_models_in_contact"]) == ("front", 7)
    assert (flank.metrics["target_facing"], flank.metrics["target_models_in_contact"]) == (
        "right",
        1,
    )


def test_arc_tie_of_equal_results() -> None:
    """Equal results go to front before left, right and rear."""
    square = regiment("T", (0, 0), files=3, models=9)
    ruling = rule_on(square, charger((50, 20), heading=225, files=1, models=1))
    assert ruling.metrics["target_facing"] == "front"
