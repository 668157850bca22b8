"""Signed gaps between shapes, concave and round ones included."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tabletop.geometry.convex import edge_normals
from tabletop.geometry.distance import gap, gaps
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, between, disc, hull, oval, polygon, rectangle

UP = Pose(0.0, 0.0, math.pi / 2)
BLOCK = rectangle(UP, 4.0, 2.0)
CORNER = polygon([(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)])


def turned(shape: Shape, angle: float) -> Shape:
    """Turn a shape about the origin."""
    cos, sin = math.cos(angle), math.sin(angle)
    return Shape(shapely.transform(shape.core, lambda points: points @ np.array([[cos, sin], [-sin, cos]])), shape.radius)


def test_a_rectangle_lies_behind_its_front_edge() -> None:
    """Looking up the board, a front of 4 in at y = 0 with a depth of 2."""
    assert BLOCK.bounds == pytest.approx((-2.0, -2.0, 2.0, 0.0))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param(disc((0, 0), 1), disc((3, 4), 1.5), 2.5, id="discs apart"),
        pytest.param(disc((0, 0), 1), disc((0, 2), 1), 0.0, id="discs that touch"),
        pytest.param(disc((0, 0), 1), disc((0, 0.5), 1), -1.5, id="discs that overlap"),
        pytest.param(BLOCK, disc((3, 1), 0.5), math.sqrt(2) - 0.5, id="a disc off a corner"),
        pytest.param(BLOCK, disc((0, -0.25), 0.5), -0.75, id="a disc inside an edge"),
        pytest.param(BLOCK, rectangle(Pose(0, 1, -math.pi / 2), 1, 1), 1.0, id="face to face"),
        pytest.param(BLOCK, rectangle(Pose(0, -0.5, -math.pi / 2), 1, 1), -0.5, id="pushed in by half an inch"),
        pytest.param(CORNER, disc((3, 3), 1), 1.0, id="in the crook of a concave piece"),
        pytest.param(CORNER, rectangle(Pose(3, 2, -math.pi / 2), 1, 0.5), 1.0, id="a block in the crook"),
        pytest.param(CORNER, rectangle(Pose(2, 0.75, -math.pi / 2), 1, 2), -0.25, id="into one arm of it"),
    ],
)
def test_signed_gaps(first: Shape, second: Shape, expected: float) -> None:
    """Positive apart, negative the depth of the overlap, the same both ways and after a turn of the table."""
    assert gap(first, second) == pytest.approx(expected, abs=1e-12)
    assert gap(second, first) == pytest.approx(expected, abs=1e-12)
    assert gap(turned(first, 0.9), turned(second, 0.9)) == pytest.approx(expected, abs=1e-12)


@given(angle=st.floats(-3.2, 3.2))
def test_shapes_that_share_an_edge_touch_after_any_turn(angle: float) -> None:
    """The gap stays within 1e-12 in of 0, far inside the tolerance of contact."""
    assert abs(gap(turned(BLOCK, angle), turned(rectangle(Pose(1, 0, -math.pi / 2), 3, 1), angle))) < 1e-12


def test_polygons_are_taken_in_either_sense() -> None:
    """Clockwise and counter-clockwise corners give the same pieces, each convex and counter-clockwise, that cover the whole."""
    other = polygon([(0, 4), (1, 4), (1, 1), (4, 1), (4, 0), (0, 0)])
    for shape in (CORNER, other):
        pieces = [shapely.Polygon(ring) for ring in shape.pieces]
        assert all(piece.exterior.is_ccw for piece in pieces)
        assert shapely.union_all(pieces).equals(CORNER.core)


def test_normals_of_a_ring_point_outward() -> None:
    """A square's four unit normals; a point has none."""
    square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    assert edge_normals(square).tolist() == [[0, -1], [1, 0], [0, 1], [-1, 0]]
    assert edge_normals(square[:1]).shape == (0, 2)


def test_a_disc_is_drawn_but_never_measured_as_a_polygon() -> None:
    """Its outline has vertices on the circle, its core is one point."""
    round_one = disc((1, 2), 3)
    assert np.hypot(*(round_one.outline(12) - [1, 2]).T) == pytest.approx(np.full(12, 3.0))
    assert round_one.pieces[0].tolist() == [[1, 2]]
    assert round_one.bounds == (-2, -1, 4, 5)


@pytest.mark.parametrize(
    ("point", "depth", "is_held"), [((0, -1), 0.0, True), ((0, 0), 0.0, True), ((0, 0), 0.1, False), ((0, 1), 0.0, False)]
)
def test_a_block_holds_points_at_a_depth(point: tuple[float, float], depth: float, *, is_held: bool) -> None:
    """Points of the boundary are held, but at no depth; a disc does the same."""
    assert BLOCK.holds(point, depth=depth) is is_held
    assert disc((0, -1), 1.0).holds(point, depth=depth) is is_held


@pytest.mark.parametrize(("facing", "expected"), [(0, 5.8937), (45, 6.1989), (90, 6.5433)])
def test_an_oval_is_measured_as_an_ellipse(facing: float, expected: float) -> None:
    """A 32 mm disc and a 75 by 42 mm oval 8 in off, turned three ways; a circle about the oval would be nearer."""
    other = oval(Pose(8, 0, math.radians(facing)), 75 / 25.4, 42 / 25.4)
    assert gap(disc((0, 0), 16 / 25.4), other) == pytest.approx(expected, abs=5e-5)


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


@pytest.mark.parametrize("moved", [BLOCK, CORNER, disc((0, 0), 0.7), oval(Pose(0, 0, 0.5), 3, 1)], ids=["block", "corner", "disc", "oval"])
@pytest.mark.parametrize("other", [BLOCK, CORNER, disc((1, 0), 0.7), oval(Pose(1, 1, 2.5), 3, 1)], ids=["block", "corner", "disc", "oval"])
def test_many_gaps_at_once_are_the_gaps_one_by_one(moved: Shape, other: Shape) -> None:
    """Every kind of body at random places to every other kind, apart and overlapping."""
    shifts = np.random.default_rng(7).uniform(-6.0, 6.0, (25, 2))
    one_by_one = [gap(_shifted(moved, shift), other) for shift in shifts]
    assert gaps(moved, shifts, other) == pytest.approx(one_by_one, abs=1e-9)


def _shifted(shape: Shape, shift: np.ndarray) -> Shape:
    if shape.ellipse is not None:
        x, y = (np.array(shape.ellipse.centre) + shift).tolist()
        return oval(Pose(x, y, shape.ellipse.heading), 3, 1)
    return Shape(shapely.transform(shape.core, lambda points: points + shift), shape.radius)


def test_an_oval_holds_points_and_has_a_depth() -> None:
    """By the exact ellipse, not by the polygon that stands for it in drawings."""
    flat = oval(Pose(0, 0, 0.0), 4, 2)
    assert flat.holds((0, 0.9999))
    assert not flat.holds((0, 0.9999), depth=0.001)
    assert not flat.holds((1.5, 0.7))


def test_what_lies_between_two_shapes() -> None:
    """The convex hull of both: what stands beside the way from one to the other is not between them, nor is what is behind one."""
    near, far = rectangle(Pose(0.0, 0.0, 0.0), 2.0, 1.0), polygon([(-3.0, 8.0), (3.0, 8.0), (0.0, 10.0)])
    way = between(near, far)
    apart = [gap(way, disc(place, 0.5)) for place in ((1.0, 4.0), (4.0, 4.0), (0.0, 11.0))]
    assert [one <= 0.0 for one in apart] == [True, False, False]
    assert apart[2] == pytest.approx(0.5)


@pytest.mark.parametrize("moved", [disc((0, 0), 0.6), CORNER, oval(Pose(0, 0, 0.3), 3, 1)])
def test_gaps_of_very_many_places_are_measured_in_parts(moved: Shape, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same as all at once, in the shape that was asked."""
    shifts = np.random.default_rng(3).uniform(-9.0, 9.0, (4, 5, 2))
    whole = gaps(moved, shifts, CORNER)
    monkeypatch.setattr("tabletop.geometry.distance.CORNERS_AT_ONCE", 20)
    assert gaps(moved, shifts, CORNER) == pytest.approx(whole, abs=1e-12)
