"""The table seen from a front corner."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tabletop.fronts.approach import CornerView
from tabletop.geometry.pose import Pose, Side
from tabletop.geometry.shape import rectangle

poses = st.builds(Pose, st.floats(-30.0, 30.0), st.floats(-30.0, 30.0), st.floats(-math.pi, math.pi))
sides = st.sampled_from(["left", "right"])


@given(pose=poses, side=sides)
def test_the_front_lies_on_x_to_the_corner(pose: Pose, side: Side) -> None:
    """From both corners the rest of the front lies at negative x, and ahead is y."""
    view = CornerView.of(pose, side, width=4.0)
    ring = view.ring(rectangle(pose, 4.0, 2.0).pieces[0])
    assert sorted(map(tuple, np.round(ring, 9).tolist())) == [(-4.0, -2.0), (-4.0, 0.0), (0.0, -2.0), (0.0, 0.0)]
    assert shapely.is_ccw(shapely.linearrings(ring))


@given(pose=poses, side=sides, angle=st.floats(0.01, 1.5))
def test_a_wheel_is_clockwise_here(pose: Pose, side: Side, angle: float) -> None:
    """A wheel forward about either corner turns the picture of the front by the same angle; the sense tells how on the table."""
    view = CornerView.of(pose, side, width=4.0)
    wheeled = pose.wheeled(side, angle, width=4.0)
    far = view.points(np.array(wheeled.point(2.0 if side == "left" else -2.0, 0.0)))
    assert far == pytest.approx(4.0 * np.array([-math.cos(angle), math.sin(angle)]), abs=1e-9)
    assert wheeled.heading - pose.heading == pytest.approx(-view.sense * angle)
