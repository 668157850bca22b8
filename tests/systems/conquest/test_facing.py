"""Which side is charged: areas in the arcs, ties, sides out of reach, garrisons, contact at a corner."""

import math
from typing import Any

import pytest

from tabletop.geometry.pose import Point
from tabletop.ruling.verdict import Ruling
from tests.tables import Entry, charger, finding, has_finding, rule_on, unit

LEAST: dict[str, Any] = {"wheel_policy": "least-turn"}
CORNERED = {"B": unit((36, 24), 270)}
"""The corner (39, 24) parts B's front, below, from its left, beyond it."""


def towards_corner(shift: float, **rules: Any) -> Ruling:
    """Charge the corner from 45 degrees, with the charger moved to its right by some inches."""
    root = shift * math.sqrt(0.5)
    return rule_on(
        {"A": charger((44 + root, 19 + root), 135), **CORNERED}, dice=(6,), **{**LEAST, **rules}
    )


def test_facing_charged_by_the_larger_area() -> None:
    """The areas of the charger in the target's arcs decide, and are told."""
    ruling = rule_on(
        {"A": charger((24, 22), 180, 1, stands=4), "B": unit((20, 20), 90, 3, stands=6)}, **LEAST
    )
    areas = [ruling.metrics[f"area_{side}"] for side in ("front", "right", "rear", "left")]
    assert areas == pytest.approx([2, 14, 0, 0], abs=1e-6)
    assert ruling.metrics["charged_facing"] == "right"
    assert ruling.metrics["charged_normal_deg"] == pytest.approx(0.0, abs=1e-9)
    assert finding(ruling, "conquest.facing.charged").ok


@pytest.mark.parametrize(
    ("facing", "side"), [(270, "front"), (0, "right"), (90, "rear"), (180, "left")]
)
def test_facing_charged_each_side(facing: float, side: str) -> None:
    """The side that the charger stands before is charged, however the target looks."""
    ruling = rule_on({"B": _about((20, 20), facing)}, dice=(6,))
    assert ruling.metrics["charged_facing"] == side
    assert ruling.metrics["charged_normal_deg"] == pytest.approx(270.0)
    assert ruling.outcome == "success"


def _about(centre: Point, facing: float) -> Entry:
    """Write a square target of nine stands about a point."""
    angle = math.radians(facing)
    return unit(
        (centre[0] + 3 * math.cos(angle), centre[1] + 3 * math.sin(angle)), facing, 3, stands=9
    )


@pytest.mark.parametrize(
    ("shift", "tie", "side"),
    [
        (0.0, "front-first", "front"),
        (0.0, "flank-first", "left"),
        (1e-7, "front-first", "front"),
        (1e-4, "front-first", "left"),
        (-1e-4, "flank-first", "front"),
        (1.0, "front-first", "left"),
    ],
)
def test_facing_charged_ties(shift: float, tie: str, side: str) -> None:
    """On the line between two arcs the choice decides; a ten-thousandth of an inch aside the areas do."""
    assert towards_corner(shift, facing_tie=tie).metrics["charged_facing"] == side


@pytest.mark.parametrize("tie", ["front-first", "flank-first"])
def test_facing_charged_ties_behind(tie: str) -> None:
    """On the line between the left arc and the rear the left side is charged, whichever sides come first."""
    ruling = rule_on(
        {"A": charger((28, 19), 45), "B": _about((36, 27), 90)}, dice=(6,), **LEAST, facing_tie=tie
    )
    areas = [ruling.metrics[f"area_{side}"] for side in ("front", "right", "rear", "left")]
    assert areas[2] == pytest.approx(areas[3], abs=1e-9)
    assert ruling.metrics["charged_facing"] == "left"


@pytest.mark.parametrize(("shift", "side", "turn"), [(-1.5, "front", -45.0), (1.5, "left", 45.0)])
def test_facing_corner(shift: float, side: str, turn: float) -> None:
    """Where it meets a corner first, the charger turns flush to the side whose arc held more of it."""
    ruling = towards_corner(shift)
    assert ruling.metrics["charged_facing"] == side
    assert ruling.metrics["wheel_deg"] == 0
    assert ruling.metrics["align_deg"] == pytest.approx(turn, abs=1e-6)
    assert finding(ruling, "conquest.facing.corner").ok


def test_facing_corner_is_not_asked_along_a_side() -> None:
    """A front that meets the middle of a side has no corner to choose by."""
    ruling = rule_on({"B": unit((20, 18), 270, 5)})
    assert not has_finding(ruling, "conquest.facing.corner")


PASSED = {"A": charger((41, 24.5), 90, 1, stands=5), **CORNERED}
"""Most of this column stands before B's front, but its own front has passed the corner: no wheel looks at B's front."""


def test_facing_reach_next() -> None:
    """A side that no wheel reaches is passed over for the next in area."""
    ruling = rule_on(PASSED)
    assert ruling.metrics["area_front"] > ruling.metrics["area_left"] > 0
    assert ruling.metrics["charged_facing"] == "left"
    assert ruling.outcome == "success"


def test_facing_reach_fail() -> None:
    """With the other reading the charge fails."""
    ruling = rule_on(PASSED, facing_out_of_reach="fail")
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.facing.reach")
    assert not finding(ruling, "conquest.facing.reach").ok


HOUSE = {
    "name": "B",
    "kind": "garrison",
    "polygon": [[33, 24], [39, 24], [39, 28], [36, 25.5], [33, 28]],
}


def test_facing_charged_of_a_garrison() -> None:
    """A concave garrison is charged as its hull: the side across its dent has a normal, but no name."""
    ruling = rule_on({"A": charger((36, 36), 270)}, [HOUSE], dice=(6,))
    assert ruling.outcome == "success"
    assert ruling.metrics["charged_normal_deg"] == pytest.approx(90.0)
    assert ruling.metrics["advance"] == pytest.approx(8.0, abs=1e-6)
    assert not {"charged_facing", "area_front", "target_stands_in_contact"} & set(ruling.metrics)


def test_facing_charged_of_a_garrison_ties() -> None:
    """Of sides with equal areas a garrison's with the smaller direction of its normal is charged: 0 before 270
    degrees.
    """
    square = {"name": "B", "kind": "garrison", "polygon": [[33, 21], [39, 21], [39, 27], [33, 27]]}
    ruling = rule_on({"A": charger((43, 17), 135)}, [square], dice=(6,), **LEAST)
    assert ruling.metrics["charged_normal_deg"] == pytest.approx(0.0)
