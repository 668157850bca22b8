"""Poses in the middle of steps: ends as the step says, distances along the way right, rigid."""

import math
from itertools import pairwise

import pytest

import tabletop
from plots.marks.steps import beats, eased, path_underway, pose_underway, step_underway
from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Step
from tabletop.scenario.sources import bundled_names
from tests.plots import hexed, loose, scenes

SHARES = (0.0, 0.1, 0.25, 0.5, 0.9, 1.0)
WHEEL = Step(
    "wheel",
    "A",
    Pose(0.0, 0.0, math.pi / 2),
    Pose(0.0, 0.0, math.pi / 2).turned_about((2.0, 0.0), -0.5),
    1.0,
    -0.5,
    (2.0, 0.0),
)
ALIGN = Step("align", "A", Pose(3.0, 1.0, 0.2), Pose(4.0, 3.0, 1.4))
PATH = ((0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (3.0, 0.0, 4.0), (3.0, 0.0, 4.0), (3.0, 3.0, 4.0))
CLIMB = Step("move", "A", Pose(0.0, 0.0, 0.0), Pose(3.0, 3.0, 0.6), 10.0, model=0, path=PATH)
STRAIGHT = Step("forward", "A", Pose(0.0, 0.0, 0.5), Pose(0.0, 0.0, 0.5).advanced(4.0), 4.0)


def all_steps() -> list[Step]:
    """Return steps of every kind that moves something, made by hand and resolved."""
    resolutions = [scenes.charge_resolution(), loose.charge_resolution(), hexed.charge_resolution()]
    resolutions += [
        tabletop.resolve(tabletop.read_case(name))
        for name in ("t9a/align-corner", "conquest/push-of-two", "wh40k/flying-up")
    ]
    steps = [
        step for resolution in resolutions for ruling in resolution.rulings for step in ruling.steps
    ]
    return [
        step
        for step in (WHEEL, ALIGN, CLIMB, STRAIGHT, *steps)
        if step.start is not None and step.end is not None
    ]


def test_a_step_begins_and_ends_where_it_says() -> None:
    """Nothing is rounded at the ends, and nothing jumps just before the end."""
    for step in all_steps():
        assert pose_underway(step, 0.0) == step.start
        assert pose_underway(step, 1.0) == step.end
        last = pose_underway(step, 1.0 - 1e-12)
        end = pose_underway(step, 1.0)
        assert math.dist(last.at, end.at) < 1e-6
        assert abs(math.remainder(last.heading - end.heading, math.tau)) < 1e-6


def test_a_wheel_turns_about_its_pivot() -> None:
    """The distance to the pivot never changes, and the angle grows evenly."""
    assert WHEEL.start is not None
    for share in SHARES:
        pose = pose_underway(WHEEL, share)
        assert math.dist(pose.at, (2.0, 0.0)) == pytest.approx(2.0)
        assert pose.heading == pytest.approx(WHEEL.start.heading - 0.5 * share)
        assert pose.local((2.0, 0.0)) == pytest.approx(WHEEL.start.local((2.0, 0.0)))


def test_an_advance_runs_straight() -> None:
    """Lengths along the way are the share of the step's, the heading stays."""
    assert STRAIGHT.start is not None
    for share in SHARES:
        pose = pose_underway(STRAIGHT, share)
        assert STRAIGHT.start.local(pose.at) == pytest.approx((0.0, 4.0 * share))
        assert pose.heading == pytest.approx(0.5)


def test_what_is_put_down_aligned_turns_about_one_point() -> None:
    """A move without a pivot that turns leaves one point of the table where it is, the same all the way."""
    assert ALIGN.start is not None
    assert ALIGN.end is not None
    start = ALIGN.start
    end = ALIGN.end
    angle = 1.2
    away = math.dist(start.at, end.at) / (2.0 * math.tan(angle / 2))
    x = (start.x + end.x) / 2
    y = (start.y + end.y) / 2
    dx = end.x - start.x
    dy = end.y - start.y
    middle = (x - away * dy / math.hypot(dx, dy), y + away * dx / math.hypot(dx, dy))
    for share in SHARES:
        assert pose_underway(ALIGN, share).local(middle) == pytest.approx(start.local(middle))


def test_the_least_turn_is_as_good_as_straight() -> None:
    """An angle of rounding makes no arc of endless radius."""
    step = Step("align", "A", Pose(0.0, 0.0, 0.0), Pose(2.0, 0.0, 1e-13))
    assert pose_underway(step, 0.5).at == pytest.approx((1.0, 0.0))


def test_a_path_is_followed_with_its_climbs() -> None:
    """Shares are of the whole length: half of ten inches lies two inches up the wall."""
    assert path_underway(PATH, 0.5) == ((0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (3.0, 0.0, 2.0))
    for share in SHARES:
        done = path_underway(PATH, share)
        assert sum(math.dist(*leg) for leg in pairwise(done)) == pytest.approx(10.0 * share)
        assert step_underway(CLIMB, share).path == done
        assert pose_underway(CLIMB, share).at == pytest.approx(done[-1][:2])
    assert path_underway(PATH[:1], 0.7) == PATH[:1]
    assert path_underway((PATH[0], PATH[0]), 0.7) == PATH[:1]


def test_what_moves_nothing_has_no_pose() -> None:
    """A roll is refused."""
    with pytest.raises(ValueError, match=r"\broll\b"):
        pose_underway(Step("roll"), 0.5)


def test_turns_of_hexes_go_facing_by_facing() -> None:
    """Two facings are two beats; a wheel, a move or an odd angle is one."""
    here = Pose(1.0, 1.0, math.pi / 2)
    assert (
        beats(
            Step(
                "turn",
                "A",
                here,
                Pose(1.0, 1.0, math.pi / 2 - 2 * math.pi / 3),
                angle=-2 * math.pi / 3,
            )
        )
        == 2
    )
    assert [
        beats(step)
        for step in (
            WHEEL,
            STRAIGHT,
            CLIMB,
            Step("roll"),
            Step("turn", "A", here, Pose(1.0, 1.0, 0.3)),
        )
    ] == [1] * 5


def test_motion_is_gentle() -> None:
    """It starts and ends slowly in each beat, never goes back, and is whole at the end."""
    for count in (1, 2, 3):
        places = [eased(number / 60, count) for number in range(61)]
        assert places == sorted(places)
        assert (places[0], places[-1]) == (0.0, 1.0)
        assert places[1] < 1 / 60


@pytest.mark.parametrize(
    "name", [name for name in bundled_names() if name.startswith(("t9a", "conquest"))]
)
def test_bundled_steps_with_a_pivot_end_where_it_turns_them(name: str) -> None:
    """What a step says of its pivot and angle and what it says of its ends is one thing."""
    for ruling in tabletop.resolve(tabletop.read_case(name)).rulings:
        for step in ruling.steps:
            if (
                step.pivot is not None
                and step.angle
                and step.start is not None
                and step.end is not None
            ):
                assert step.start.turned_about(step.pivot, step.angle).at == pytest.approx(
                    step.end.at, abs=1e-6
                )
