"""Arcs of convex bodies: rays, and how much of another body lies between them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import area, clipped
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import polygon, rectangle
from tabletop.table.facing import arc, arc_rays, bisectors

BLOCK = rectangle(Pose(0.0, 0.0, math.pi / 2), 6.0, 4.0).pieces[0]
"""Its corners: rear left, rear right, front right, front left; it looks up the table from y = 0."""
TRIANGLE = polygon([(0.0, 0.0), (4.0, 0.0), (0.0, 3.0)]).pieces[0]


def test_rays_of_a_rectangle_leave_at_135_degrees_to_both_sides() -> None:
    """Each lies midway between the normals of its two sides."""
    root = math.sqrt(0.5)
    assert bisectors(BLOCK) == pytest.approx(np.array([[-root, -root], [root, -root], [root, root], [-root, root]]))
    assert [origin for origin, _ in arc_rays(BLOCK)] == [tuple(corner) for corner in BLOCK.tolist()]


@pytest.mark.parametrize(
    ("pose", "areas"),
    [
        pytest.param(Pose(0.0, 9.0, -math.pi / 2), (0.0, 0.0, 4.0, 0.0), id="before the front"),
        pytest.param(Pose(0.0, -9.0, math.pi / 2), (4.0, 0.0, 0.0, 0.0), id="behind the rear"),
        pytest.param(Pose(9.0, -2.0, math.pi), (0.0, 4.0, 0.0, 0.0), id="beside the right flank"),
        pytest.param(Pose(5.0, 2.0, -3 * math.pi / 4), (0.0, 2.0, 2.0, 0.0), id="astride a ray"),
    ],
)
def test_area_in_each_arc(pose: Pose, areas: tuple[float, ...]) -> None:
    """Arcs in the order of the sides: rear, right, front, left."""
    square = rectangle(pose, 2.0, 2.0).pieces[0]
    assert [area(clipped(square, arc(BLOCK, side))) for side in range(4)] == pytest.approx(areas)


@given(
    ring=st.sampled_from([BLOCK, TRIANGLE]),
    place=st.tuples(st.floats(-15, 15), st.floats(-15, 15)).filter(lambda place: math.hypot(*place) > 9.5),
    facing=st.floats(-math.pi, math.pi),
)
def test_the_arcs_divide_the_table(ring: FloatArray, place: tuple[float, float], facing: float) -> None:
    """Whatever lies outside of a body lies in its arcs, and nothing in two of them."""
    body = rectangle(Pose(*place, facing), 2.0, 1.0).pieces[0]
    assert sum(area(clipped(body, arc(ring, side))) for side in range(len(ring))) == pytest.approx(2.0, abs=1e-9)


def test_an_arc_is_closed_and_may_be_widened() -> None:
    """A body that just misses the ray is not in the arc, unless it misses by no more than the slack."""
    corner = np.array([[3.0 + 1e-3, 0.0], [4.0, -1.0], [4.0, 0.0]])
    assert len(clipped(corner, arc(BLOCK, 2, slack=1e-9))) == 0
    assert len(clipped(corner, arc(BLOCK, 2, slack=1e-2))) > 0
    assert area(np.empty((0, 2))) == 0.0
