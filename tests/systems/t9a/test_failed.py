"""The failed charge move: when it is made, its wheel and its forward move, and everything that can end them."""

import math
from typing import Any

import pytest

from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.state import Regiment, Terrain
from tests.oracles.failed import failed_move
from tests.oracles.referee import scene_of
from tests.scenes import (
    box,
    case,
    charge,
    charger,
    finding,
    has_finding,
    metric,
    parts,
    regiment,
    resolve,
    table,
    target,
)


def failing(*bodies: Regiment | Terrain, **choices: Any) -> tuple[Ruling, Pose, Case]:
    """Make A's charge of T fail by a one; return the ruling, A's pose afterwards, and the case."""
    asked = case(table(*bodies), charge(dice=(1,)), **choices)
    resolution = resolve(asked)
    assert resolution.rulings[0].outcome == "failed"
    return resolution.rulings[0], resolution.after.units["A"].pose, asked


def distant(x: float = 50.0, heading: float = 270.0, **rest: Any) -> Regiment:
    """Make a charger whose roll of one falls short."""
    return charger((x, 180), heading=heading, charge_speed=0, **rest)


def assert_as_in_small_steps(ruling: Ruling, pose: Pose, asked: Case) -> None:
    """Compare with the brute force that makes the move in small steps."""
    stop = failed_move(scene_of(asked), metric(ruling, "target_facing"))
    assert pose.at == pytest.approx(stop.pose.at, abs=0.01)
    assert pose.heading == pytest.approx(stop.pose.heading, abs=0.002)
    assert metric(ruling, "moved") == pytest.approx(stop.moved, abs=0.01)


def test_failed_when() -> None:
    """A range that is too short makes the charge a failed one; the unit moves and is marked."""
    ruling, pose, asked = failing(target(), distant())
    assert ruling.rule == "t9a.range"
    assert finding(ruling, "t9a.failed.when").ok
    assert pose != asked.state.units["A"].pose
    assert "failed_charge" in resolve(asked).after.units["A"].status


def test_failed_metrics() -> None:
    """What failed has distance, roll, chance, range, facing, wheel and length moved, and no contacts."""
    ruling, _, _ = failing(target(), distant())
    names = {
        "distance",
        "needed_roll",
        "success_chance",
        "success_chance_fraction",
        "range_chance",
        "range_chance_fraction",
        "charge_range",
        "target_facing",
        "wheel_angle_deg",
        "moved",
    }
    assert set(ruling.metrics) == names
    assert ruling.choices is None


def test_failed_forward() -> None:
    """Straight before the middle of the facing there is no wheel: four inches ahead."""
    ruling, pose, asked = failing(target(), distant())
    assert [step.kind for step in parts(ruling)] == ["forward"]
    assert pose.at == pytest.approx(asked.state.units["A"].pose.advanced(4.0).at, abs=1e-9)
    assert metric(ruling, "wheel_angle_deg") == 0
    assert metric(ruling, "moved") == pytest.approx(4.0, abs=1e-9)
    assert finding(ruling, "t9a.failed.forward").ok


@pytest.mark.parametrize(("x", "side"), [(90.0, -1), (10.0, 1)])
def test_failed_wheel(x: float, side: int) -> None:
    """The wheel goes towards the middle until the unit looks at it; what is left of the four inches goes ahead."""
    ruling, pose, asked = failing(target(), distant(x))
    (wheel,) = parts(ruling, "wheel")
    attacker = asked.state.units["A"].at(pose)
    across, ahead = attacker.pose.local((36 + 50 / 25.4, 24.0))
    assert math.copysign(1, wheel.angle) == side
    assert across == pytest.approx(0.0, abs=1e-6)
    assert ahead > 0
    assert metric(ruling, "moved") == pytest.approx(4.0, abs=1e-6)
    assert finding(ruling, "t9a.failed.wheel").ok
    assert_as_in_small_steps(ruling, pose, asked)


def test_failed_has_no_initial_forward() -> None:
    """The wheel comes first, where the unit stood."""
    ruling, _, asked = failing(target(), distant(90))
    first = parts(ruling)[0]
    assert first.kind == "wheel"
    assert first.start == asked.state.units["A"].pose


@pytest.mark.parametrize("kind", ["friend", "enemy", "wall"])
def test_failed_forward_is_stopped(kind: str) -> None:
    """Everything in the way stops the move a clearance short of it, friends too."""
    sides = {"friend": "blue", "enemy": "red"}
    unit = regiment("N", (50, 110), side=sides.get(kind, "red"), files=1, models=1, height=0)
    stop = box((40, 60), (90, 110), name="N") if kind == "wall" else unit
    beacon = target(files=25, at=(50, 0))
    ruling, pose, asked = failing(beacon, distant(files=3), stop)
    assert metric(ruling, "moved") == pytest.approx(70 / 25.4 - 0.001, abs=2e-6)
    assert_as_in_small_steps(ruling, pose, asked)


def test_failed_wheel_is_stopped() -> None:
    """A body beside the front ends the wheel; the move then goes on ahead as far as it can."""
    post = box((-60, 20), (100, 160), name="post")
    ruling, pose, asked = failing(target(files=9, at=(-40, 0)), distant(90, files=6), post)
    assert abs(metric(ruling, "wheel_angle_deg")) > 0
    assert_as_in_small_steps(ruling, pose, asked)


def test_failed_wheel_is_stopped_by_the_edge() -> None:
    """The board's edge ends the wheel as a wall does."""
    edge = (72 - 36) * 25.4
    attacker = charger((edge - 110, 180), heading=300, files=10, charge_speed=0)
    ruling, pose, asked = failing(target(at=(edge - 60, 0)), attacker)
    assert_as_in_small_steps(ruling, pose, asked)


def test_failed_forward_is_stopped_by_the_edge() -> None:
    """The front edge does not leave the board."""
    edge = (72 - 36) * 25.4
    goal = regiment("T", (edge - 20, 180), heading=270, files=1, models=2)
    ruling, pose, asked = failing(goal, charger((edge - 60, 0), heading=90, charge_speed=0))
    assert metric(ruling, "moved") < 4 - 0.01
    assert [step.kind for step in parts(ruling)] == ["wheel", "forward"]
    assert_as_in_small_steps(ruling, pose, asked)


def test_failed_move_ends_where_the_whole_unit_fits() -> None:
    """The body may sweep over a wall, but not end in it: the move ends at its last place that is free."""
    attacker = distant(120, files=3, models=30)
    wall = box((185, 200), (240, 300))
    ruling, pose, asked = failing(target(), attacker, wall)
    swept = failing(target(), attacker)[0]
    assert metric(ruling, "moved") < metric(swept, "moved")
    assert_as_in_small_steps(ruling, pose, asked)


def test_failed_flying_does_not_help() -> None:
    """A flying unit's failed move is stopped like any other."""
    post = regiment("N", (50, 110), files=1, models=1, height=0)
    walking, flying = (
        failing(target(files=25, at=(50, 0)), distant(files=3, fly=fly), post)[1]
        for fly in (False, True)
    )
    assert walking == flying


def test_failed_wheel_of_a_wide_unit_spends_it_all() -> None:
    """A unit wide enough spends its four inches on the wheel alone."""
    ruling, _, _ = failing(
        target(at=(240, 0), heading=120), charger((50, 180), heading=290, files=12, charge_speed=0)
    )
    assert metric(ruling, "moved") <= 4.0 + 1e-6
    assert has_finding(ruling, "t9a.failed.wheel")
