"""The body frame, and the three ways in which a block moves."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.geometry.pose import Pose

UP = Pose(1.0, 2.0, math.pi / 2)
poses = st.builds(Pose, st.floats(-50, 50), st.floats(-50, 50), st.floats(-7, 7))


def test_the_body_frame_has_right_and_ahead() -> None:
    """Looking up the board, right is +x and ahead +y."""
    assert UP.point(3.0, 4.0) == pytest.approx((4.0, 6.0))
    assert UP.local((4.0, 6.0)) == pytest.approx((3.0, 4.0))


@given(pose=poses, x=st.floats(-20, 20), y=st.floats(-20, 20))
def test_table_and_body_frame_undo_each_other(pose: Pose, x: float, y: float) -> None:
    """One point and an array of points come back as they were."""
    assert pose.point(*pose.local((x, y))) == pytest.approx((x, y), abs=1e-9)
    points = np.array([[x, y], [y, x]])
    assert pose.to_body(pose.to_table(points)) == pytest.approx(points, abs=1e-9)
    assert pose.to_table(points[:1])[0] == pytest.approx(pose.point(x, y), abs=1e-9)


def test_advancing_keeps_the_heading_and_may_go_back() -> None:
    """Only the place changes."""
    assert UP.advanced(2.0).at == pytest.approx((1.0, 4.0))
    assert UP.advanced(-2.0).at == pytest.approx((1.0, 0.0))
    assert UP.advanced(2.0).heading == UP.heading


@pytest.mark.parametrize(("side", "sign"), [("right", -1.0), ("left", 1.0)])
def test_a_wheel_keeps_its_front_corner_and_takes_the_other_forward(side: str, sign: float) -> None:
    """A front of 4 in wheels by 30 degrees: the pivot stays, the outer corner gets 4 sin 30 ahead."""
    wheeled = UP.wheeled("right" if side == "right" else "left", math.radians(30), width=4.0)
    pivot = UP.point(-2.0 * sign, 0.0)
    outer = wheeled.point(2.0 * sign, 0.0)
    assert wheeled.point(-2.0 * sign, 0.0) == pytest.approx(pivot)
    assert UP.local(outer) == pytest.approx(
        (-2.0 * sign + sign * 4.0 * math.cos(math.radians(30)), 2.0)
    )
    assert wheeled.heading == pytest.approx(UP.heading + sign * math.radians(30))


@given(pose=poses, angle=st.floats(-3, 3))
def test_turning_there_and_back_is_nothing(pose: Pose, angle: float) -> None:
    """A turn about any point is undone by the opposite turn about it."""
    back = pose.turned_about((3.0, 4.0), angle).turned_about((3.0, 4.0), -angle)
    assert (*back.at, back.heading) == pytest.approx((*pose.at, pose.heading), abs=1e-9)
