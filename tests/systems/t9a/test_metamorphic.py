"""What must not matter, does not: where the table stands, which way it looks, names, order, things far away."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.errors import NoVerdictError
from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tabletop.table.state import Board, State
from tabletop.testing.motions import mirrored, shifted, turned
from tests.oracles.scenes import random_case
from tests.scenes import box, charge, regiment, resolve

EXACT = 1e-9
FEW = settings(max_examples=25)
SCENES = st.integers(min_value=0, max_value=5000)
SPACE = 200.0
"""Inches around a table that is moved and turned, so that its edge plays no part."""


def roomy(case: Case) -> Case:
    """Take the edge of the board away, far from everything."""
    wide = replace(shifted(case.state, SPACE, SPACE), board=Board(2 * SPACE + 72, 2 * SPACE + 72))
    return replace(case, state=wide)


def answer(case: Case) -> Resolution | None:
    """Resolve a case; None if it is not modelled."""
    try:
        return resolve(case)
    except NoVerdictError:
        return None


def assert_same(
    first: Resolution | None, second: Resolution | None, *, but: tuple[str, ...] = ()
) -> None:
    """Compare verdicts, findings and metrics, save those named."""
    assert (first is None) == (second is None)
    for one, other in zip(
        first.rulings if first else (), second.rulings if second else (), strict=True
    ):
        assert (one.outcome, one.rule, one.choices, one.shortest_roll) == (
            other.outcome,
            other.rule,
            other.choices,
            other.shortest_roll,
        )
        assert [(item.rule, item.ok) for item in one.findings] == [
            (item.rule, item.ok) for item in other.findings
        ]
        assert one.metrics.keys() == other.metrics.keys()
        kept = [key for key in one.metrics if key not in but]
        assert [one.metrics[key] for key in kept] == [
            pytest.approx(other.metrics[key], abs=2e-6) for key in kept
        ]


def assert_near(pose: Pose, expected: Pose) -> None:
    """Compare poses to a billionth of an inch and a radian."""
    assert pose.at == pytest.approx(expected.at, abs=EXACT)
    assert math.remainder(pose.heading - expected.heading, math.tau) == pytest.approx(
        0.0, abs=EXACT
    )


def assert_same_poses(moved: State, expected: State) -> None:
    """Compare every unit's pose."""
    for name, unit in expected.units.items():
        assert_near(moved.units[name].pose, unit.pose)


@FEW
@given(number=SCENES, dx=st.floats(-100, 100), dy=st.floats(-100, 100))
def test_moving_the_table(number: int, dx: float, dy: float) -> None:
    """Moving everything moves the answer with it."""
    case = roomy(random_case(number))
    here = answer(case)
    there = answer(replace(case, state=shifted(case.state, dx, dy)))
    assert_same(here, there)
    if here and there:
        assert_same_poses(there.after, shifted(here.after, dx, dy))


@FEW
@given(number=SCENES, angle=st.floats(-math.pi, math.pi))
def test_turning_the_table(number: int, angle: float) -> None:
    """Turning everything turns the answer with it."""
    case = roomy(random_case(number))
    middle = case.state.units["T"].centre
    here = answer(case)
    there = answer(replace(case, state=turned(case.state, angle, middle)))
    assert_same(here, there)
    if here and there:
        assert_same_poses(there.after, turned(here.after, angle, middle))


def is_handed(case: Case, resolution: Resolution) -> bool:
    """Return whether left or right, or the order of facings, may have decided: equal places, a dividing line, an odd
    rear rank.
    """
    decided = any(
        (ruling.choices or 0) > 1 or any(item.rule == "t9a.arc.tie" for item in ruling.findings)
        for ruling in resolution.rulings
    )
    return decided or any(
        unit.rear_rank == "centre" and (unit.files - unit.models) % 2
        for unit in case.state.units.values()
    )


OTHER = {"left": "right", "right": "left"}


@FEW
@given(number=SCENES)
def test_mirroring_the_table(number: int) -> None:
    """Swapping left and right swaps them in the answer."""
    case = random_case(number)
    here = answer(case)
    there = answer(replace(case, state=mirrored(case.state)))
    if here is None or not is_handed(case, here):
        assert_same(here, there, but=("target_facing", "offset"))
    if here and there and not is_handed(case, here):
        assert_same_poses(there.after, mirrored(here.after))
        facing = str(here.rulings[0].metrics.get("target_facing"))
        assert str(there.rulings[0].metrics.get("target_facing")) == OTHER.get(facing, facing)


@FEW
@given(number=SCENES)
def test_renaming(number: int) -> None:
    """Names mean nothing."""
    case = random_case(number)
    units = {
        f"unit {name}": replace(unit, name=f"unit {name}")
        for name, unit in case.state.units.items()
    }
    renamed = replace(
        case,
        state=replace(case.state, units=units),
        charges=(charge("unit A", "unit T", dice=case.charges[0].dice),),
    )
    here = answer(case)
    there = answer(renamed)
    assert_same(here, there)
    if here and there:
        assert {f"unit {name}": unit.pose for name, unit in here.after.units.items()} == {
            name: unit.pose for name, unit in there.after.units.items()
        }


@FEW
@given(number=SCENES)
def test_order_of_units_and_terrain(number: int) -> None:
    """The order of the file means nothing for a single charge."""
    case = random_case(number)
    backwards = replace(
        case.state,
        units=dict(reversed(list(case.state.units.items()))),
        terrain=case.state.terrain[::-1],
    )
    here = answer(case)
    there = answer(replace(case, state=backwards))
    assert_same(here, there)
    if here and there:
        assert_same_poses(there.after, here.after)


@FEW
@given(number=SCENES)
def test_far_away_things(number: int) -> None:
    """A unit and a rock in the far corner change nothing."""
    case = roomy(random_case(number))
    far = regiment("far", (-5000, -5000)).at(Pose(20.0, 20.0, 1.0))
    state = replace(
        case.state.with_unit(far),
        terrain=(*case.state.terrain, box((5000, 5050), (4000, 4050), name="rock")),
    )
    here = answer(case)
    there = answer(replace(case, state=state))
    assert_same(here, there)
    if here and there:
        assert_same_poses(there.after, here.after)


@FEW
@given(number=SCENES)
def test_monotone_in_the_roll(number: int) -> None:
    """A higher roll never turns a completed charge into a failed one."""
    case = random_case(number)
    outcomes = [answer(replace(case, charges=(charge(dice=(face,)),))) for face in range(1, 7)]
    reached = [
        outcome is not None and outcome.rulings[0].outcome == "success" for outcome in outcomes
    ]
    assert reached == sorted(reached)


@FEW
@given(number=SCENES)
def test_the_question_is_not_changed(number: int) -> None:
    """The table before is the table asked about, and only units named by steps or charges differ afterwards."""
    case = random_case(number)
    state = replace(case.state)
    resolution = answer(case)
    assert case.state == state
    if resolution:
        moved = {
            step.unit
            for ruling in resolution.rulings
            for step in ruling.steps
            if step.end is not None
        }
        assert resolution.before == state
        assert all(
            unit.pose == state.units[name].pose
            for name, unit in resolution.after.units.items()
            if name not in moved
        )
        assert resolution.after.terrain == state.terrain


@FEW
@given(number=SCENES)
def test_the_answer_repeats(number: int) -> None:
    """The same question gets the same answer, to the last bit."""
    case = random_case(number)
    assert answer(case) == answer(case)
