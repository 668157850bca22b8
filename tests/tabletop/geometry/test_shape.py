"""Shapes: their parts, outlines and bounds, which points they hold, ovals and hulls included."""

import math

import numpy as np
import pytest
import shapely

from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import convex_hull_of, disc, hull, oval, polygon, rectangle

UP = Pose(0.0, 0.0, math.pi / 2)
BLOCK = rectangle(UP, 4.0, 2.0)
CORNER = polygon([(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)])


def test_a_rectangle_lies_behind_its_front_edge() -> None:
    """Looking up the board, a front of 4 in at y = 0 with a depth of 2."""
    assert BLOCK.bounds == pytest.approx((-2.0, -2.0, 2.0, 0.0))


def test_polygons_are_taken_in_either_sense() -> None:
    """Clockwise and counter-clockwise corners give the same pieces, each convex and counter-clockwise, that cover the
    whole.
    """
    other = polygon([(0, 4), (1, 4), (1, 1), (4, 1), (4, 0), (0, 0)])
    for shape in (CORNER, other):
        pieces = [shapely.Polygon(ring) for ring in shape.pieces]
        assert all(piece.exterior.is_ccw for piece in pieces)
        assert shapely.union_all(pieces).equals(CORNER.core)


def test_a_disc_is_drawn_but_never_measured_as_a_polygon() -> None:
    """Its outline has vertices on the circle, its core is one point."""
    round_one = disc((1, 2), 3)
    assert np.hypot(*(round_one.outline(12) - [1, 2]).T) == pytest.approx(np.full(12, 3.0))
    assert round_one.pieces[0].tolist() == [[1, 2]]
    assert round_one.bounds == (-2, -1, 4, 5)


@pytest.mark.parametrize(
    ("point", "depth", "is_held"),
    [((0, -1), 0.0, True), ((0, 0), 0.0, True), ((0, 0), 0.1, False), ((0, 1), 0.0, False)],
)
def test_a_block_holds_points_at_a_depth(
    point: tuple[float, float], depth: float, *, is_held: bool
) -> None:
    """Points of the boundary are held, but at no depth; a disc does the same."""
    assert BLOCK.holds(point, depth=depth) is is_held
    assert disc((0, -1), 1.0).holds(point, depth=depth) is is_held


def test_an_oval_with_equal_axes_is_a_disc() -> None:
    """It is measured in closed form."""
    assert oval(Pose(1, 2, 0.3), 3, 3).ellipse is None
    assert gap(oval(Pose(1, 2, 0.3), 3, 3), disc((5, 5), 1)) == pytest.approx(2.5)


def test_a_hull_lies_in_its_models_frame() -> None:
    """Looking up the board, ahead is up and left is to the left."""
    wedge = hull(Pose(10, 20, math.pi / 2), [(2, 0), (-1, 1), (-1, -1)])
    assert wedge.bounds == pytest.approx((9, 19, 11, 22))
    assert wedge.holds((10, 21.9))
    assert not wedge.holds((9.2, 21.5))


def test_an_oval_holds_points_and_has_a_depth() -> None:
    """By the exact ellipse, not by the polygon that stands for it in drawings."""
    flat = oval(Pose(0, 0, 0.0), 4, 2)
    assert flat.holds((0, 0.9999))
    assert not flat.holds((0, 0.9999), depth=0.001)
    assert not flat.holds((1.5, 0.7))


def test_what_lies_between_two_shapes() -> None:
    """The convex hull of both: what stands beside the way from one to the other is not between them, nor is what is
    behind one.
    """
    near = rectangle(Pose(0.0, 0.0, 0.0), 2.0, 1.0)
    far = polygon([(-3.0, 8.0), (3.0, 8.0), (0.0, 10.0)])
    way = convex_hull_of(near, far)
    apart = [gap(way, disc(place, 0.5)) for place in ((1.0, 4.0), (4.0, 4.0), (0.0, 11.0))]
    assert [one <= 0.0 for one in apart] == [True, False, False]
    assert apart[2] == pytest.approx(0.5)
