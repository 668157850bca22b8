"""How far inside shapes lie, with shapes that stick out and recesses."""

import math

import pytest

from tabletop.geometry.distance import depth_inside
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, oval, polygon

SQUARE = polygon([(0, 0), (4, 0), (4, 4), (0, 4)])
ELL = polygon([(0, 0), (4, 0), (4, 4), (2, 4), (2, 2), (0, 2)])


@pytest.mark.parametrize(
    ("body", "around", "depth"),
    [
        (disc((2, 2), 1.0), SQUARE, 1.0),
        (disc((1, 2), 1.0), SQUARE, 0.0),
        (disc((0.5, 2), 1.0), SQUARE, -0.5),
        (disc((5, 2), 0.0), SQUARE, -1.0),
        (oval(Pose(2, 2, 0.0), 3.0, 1.0), SQUARE, 0.5),
        (oval(Pose(2, 2, math.pi / 4), 3.0, 1.0), SQUARE, 2.0 - math.sqrt(1.25)),
        (oval(Pose(2, 2, 1.0), 3.0, 1.0), disc((2, 2), 2.0), 0.5),
        (polygon([(1, 1), (3, 1), (3, 2), (1, 2)]), SQUARE, 1.0),
        (SQUARE, disc((2, 2), 3.0), 3.0 - math.sqrt(8.0)),
        (disc((3, 1), 0.75), ELL, 0.25),
        (disc((1, 1), 1.0), ELL, 0.0),
    ],
)
def test_depth_is_the_least_distance_from_the_boundary(body: Shape, around: Shape, depth: float) -> None:
    """Inside it is positive, flush it is 0, sticking out of a convex shape it is negative."""
    assert depth_inside(body, around) == pytest.approx(depth, abs=1e-6)


@pytest.mark.parametrize("body", [disc((1.5, 2.5), 0.2), disc((9, 9), 1.0), polygon([(0.5, 0.5), (3.5, 0.5), (3.0, 3.9)])])
def test_what_is_not_inside_a_concave_shape_has_no_depth(body: Shape) -> None:
    """A body in a recess, far away or across a reflex corner is not inside."""
    assert depth_inside(body, ELL) == -math.inf
