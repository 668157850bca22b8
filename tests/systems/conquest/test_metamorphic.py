"""What must not matter, does not: where the table stands, which way it looks, names, order, things far away."""

import copy
import math
from collections.abc import Callable
from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.geometry.pose import Point, Pose
from tabletop.ruling.verdict import Resolution
from tests.oracles.conquest.scenes import random_scenario
from tests.tables import Entry, box, read, resolve, unit, with_dice

NEAR = 1e-7
"""Inches and degrees: the angle at which a class of wheels changes is found to far less."""
FEW = settings(max_examples=10)
SCENES = st.integers(min_value=0, max_value=2000)
WIDE = 400.0


def carried(
    tables: Entry, point: Callable[[Point], Point], facing: Callable[[float], float]
) -> Entry:
    """Carry everything on a table by a motion, onto a wide board."""
    moved = copy.deepcopy(tables)
    moved["board"] = {"width": WIDE, "depth": WIDE}
    for entry in moved["units"].values():
        entry["at"], entry["facing_deg"] = (
            list(point(tuple(entry["at"]))),
            facing(entry["facing_deg"]),
        )
    for piece in moved["terrain"]:
        if "circle" in piece:
            piece["circle"]["centre"] = list(point(tuple(piece["circle"]["centre"])))
        else:
            piece["polygon"] = [list(point((x, y))) for x, y in piece["polygon"]]
    return moved


def shift(dx: float, dy: float) -> Callable[[Point], Point]:
    """Move points."""
    return lambda point: (point[0] + dx, point[1] + dy)


def turn(angle_deg: float) -> Callable[[Point], Point]:
    """Turn points about the middle of the wide board, where they are moved first."""
    angle = math.radians(angle_deg)
    return lambda point: (
        Pose(point[0] + 164, point[1] + 176, 0.0).turned_about((200.0, 200.0), angle).at
    )


def answer(tables: Entry) -> Resolution:
    """Resolve a file given as tables."""
    return resolve(read(tables))


def assert_same(first: Resolution, second: Resolution, *, but: tuple[str, ...] = ()) -> None:
    """Compare verdicts, findings and metrics, save those named."""
    one = first.rulings[0]
    other = second.rulings[0]
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


def assert_poses(
    found: Resolution,
    expected: Resolution,
    point: Callable[[Point], Point],
    facing: Callable[[float], float],
) -> None:
    """Compare every unit's place with the carried one."""
    for name, item in expected.after.units.items():
        pose = found.after.units[name].pose
        assert pose.at == pytest.approx(point(item.pose.at), abs=NEAR)
        assert math.remainder(
            math.degrees(pose.heading) - facing(math.degrees(item.pose.heading)), 360.0
        ) == pytest.approx(0.0, abs=1e-5)


def same(facing: float) -> float:
    """Keep a facing."""
    return facing


@FEW
@given(number=SCENES, dx=st.floats(20, 300), dy=st.floats(20, 300))
def test_moving_the_table(number: int, dx: float, dy: float) -> None:
    """Moving everything moves the answer with it."""
    tables = carried(random_scenario(number), shift(20, 20), same)
    here = answer(tables)
    there = answer(carried(tables, shift(dx - 20, dy - 20), same))
    assert_same(here, there)
    assert_poses(there, here, shift(dx - 20, dy - 20), same)


@FEW
@given(number=SCENES, angle=st.floats(-180, 180))
def test_turning_the_table(number: int, angle: float) -> None:
    """Turning everything turns the answer with it."""
    tables = random_scenario(number)
    middle = carried(tables, turn(0.0), same)
    here = answer(middle)
    there = answer(carried(tables, turn(angle), lambda facing: facing + angle))
    assert_same(here, there, but=("charged_normal_deg",))
    back = Pose(200.0, 200.0, math.radians(angle))
    assert_poses(
        there,
        here,
        lambda point: back.turned_about((200.0, 200.0), 0.0).point(*_local(point)),
        lambda facing: facing + angle,
    )


def _local(point: Point) -> Point:
    """Return how far right and ahead a point lies of the middle of the wide board, seen along +x."""
    return (200.0 - point[1], point[0] - 200.0)


OTHER = {"left": "right", "right": "left"}
SIGNED = (
    "wheel_deg",
    "align_deg",
    "target_wheel_deg",
    "charged_normal_deg",
    "charged_facing",
    "area_left",
    "area_right",
)


@FEW
@given(number=SCENES.filter(lambda number: number % 3))
def test_mirroring_the_table(number: int) -> None:
    """Swapping left and right swaps them in the answer, unless a tie of the two decided."""
    tables = carried(random_scenario(number), shift(100, 100), same)
    here = answer(tables)
    there = answer(
        carried(tables, lambda point: (WIDE - point[0], point[1]), lambda facing: 180.0 - facing)
    )
    if here.rulings[0].choices == 2:
        return
    assert_same(here, there, but=SIGNED)
    assert_poses(
        there, here, lambda point: (WIDE - point[0], point[1]), lambda facing: 180.0 - facing
    )
    one = here.rulings[0].metrics
    other = there.rulings[0].metrics
    assert other.get("charged_facing") == OTHER.get(
        str(one.get("charged_facing")), one.get("charged_facing")
    )
    assert [other.get(key) for key in ("wheel_deg", "align_deg", "target_wheel_deg")] == [
        None if one.get(key) is None else pytest.approx(-one[key], abs=1e-5)
        for key in ("wheel_deg", "align_deg", "target_wheel_deg")
    ]


@FEW
@given(number=SCENES)
def test_renaming(number: int) -> None:
    """Names mean nothing."""
    tables = random_scenario(number)
    named = copy.deepcopy(tables)
    named["units"] = {f"unit {name}": entry for name, entry in named["units"].items()}
    for piece in named["terrain"]:
        piece["name"] = f"unit {piece['name']}"
    named["charges"][0] |= {"charger": "unit A", "targets": ["unit B"]}
    here = answer(tables)
    there = answer(named)
    assert_same(here, there)
    assert {f"unit {name}": item.pose for name, item in here.after.units.items()} == {
        name: item.pose for name, item in there.after.units.items()
    }


@FEW
@given(number=SCENES)
def test_order_of_units_and_terrain(number: int) -> None:
    """The order of the file means nothing, but for who is pushed first."""
    tables = random_scenario(number)
    backwards = {
        **tables,
        "units": dict(reversed(list(tables["units"].items()))),
        "terrain": tables["terrain"][::-1],
    }
    here = answer(tables)
    there = answer(backwards)
    if here.rulings[0].metrics.get("pushed", 0) < 2:
        assert_same(here, there)
        assert_poses(there, here, shift(0, 0), same)


@FEW
@given(number=SCENES)
def test_far_away_things(number: int) -> None:
    """A regiment and a rock in the far corner change nothing but what is nearest."""
    tables = carried(random_scenario(number), shift(20, 20), same)
    far = {
        **tables,
        "units": {**tables["units"], "far": unit((380, 380), 30)},
        "terrain": [*tables["terrain"], box((300, 310), (380, 390))],
    }
    here = answer(tables)
    there = answer(far)
    if "nearest_other" in here.rulings[0].metrics or here.rulings[0].outcome != "success":
        assert_same(here, there)
    assert_poses(there, here, shift(0, 0), same)


@FEW
@given(number=SCENES)
def test_monotone_in_the_roll(number: int) -> None:
    """A larger face never turns a completed charge into a failed one."""
    case = read(random_scenario(number))
    completed = [
        resolve(with_dice(case, face)).rulings[0].outcome == "success" for face in range(1, 7)
    ]
    assert completed == sorted(completed)


@FEW
@given(number=SCENES)
def test_the_question_is_not_changed(number: int) -> None:
    """The table before is the table asked about, and only units with steps end elsewhere."""
    case = read(random_scenario(number))
    state = replace(case.state)
    resolution = resolve(case)
    assert case.state == state
    moved = {step.unit for step in resolution.rulings[0].steps if step.end is not None}
    assert all(
        item.pose == state.units[name].pose
        for name, item in resolution.after.units.items()
        if name not in moved
    )


@FEW
@given(number=SCENES)
def test_the_answer_repeats(number: int) -> None:
    """The same question gets the same answer, to the last bit."""
    tables = random_scenario(number)
    assert repr(asdict(answer(tables))) == repr(asdict(answer(tables)))
