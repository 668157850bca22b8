"""Signed gaps between shapes, how far inside others they lie, and the shortest segments between them."""

import math

import numpy as np
import pytest
import shapely
import shapely.affinity
from hypothesis import given
from hypothesis import strategies as st

from tabletop.geometry.distance import (
    depth_inside,
    depths_at_shifts,
    gap,
    gaps_at_shifts,
    line_gaps,
    shortest_segment,
    shortest_segments_region,
)
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, hull, oval, polygon, rectangle
from tests.oracles.wh40k.bodies import shortest
from tests.oracles.wh40k.table import table_of
from tests.systems.wh40k.tables import case, unit
from tests.tabletop.geometry.test_shape import BLOCK, CORNER

SQUARE = polygon([(0, 0), (4, 0), (4, 4), (0, 4)])
ELL = polygon([(0, 0), (4, 0), (4, 4), (2, 4), (2, 2), (0, 2)])
BOX = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
CLAW = [
    (0.0, -2.0),
    (3.0, -2.0),
    (3.0, -1.0),
    (1.0, -1.0),
    (1.0, 1.0),
    (3.0, 1.0),
    (3.0, 2.0),
    (0.0, 2.0),
]


def turned(shape: Shape, angle: float) -> Shape:
    """Turn a shape about the origin."""
    cos = math.cos(angle)
    sin = math.sin(angle)
    return Shape(
        shapely.transform(shape.core, lambda points: points @ np.array([[cos, sin], [-sin, cos]])),
        shape.radius,
    )


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param(disc((0, 0), 1), disc((3, 4), 1.5), 2.5, id="discs apart"),
        pytest.param(disc((0, 0), 1), disc((0, 2), 1), 0.0, id="discs that touch"),
        pytest.param(disc((0, 0), 1), disc((0, 0.5), 1), -1.5, id="discs that overlap"),
        pytest.param(BLOCK, disc((3, 1), 0.5), math.sqrt(2) - 0.5, id="a disc off a corner"),
        pytest.param(BLOCK, disc((0, -0.25), 0.5), -0.75, id="a disc inside an edge"),
        pytest.param(BLOCK, rectangle(Pose(0, 1, -math.pi / 2), 1, 1), 1.0, id="face to face"),
        pytest.param(
            BLOCK,
            rectangle(Pose(0, -0.5, -math.pi / 2), 1, 1),
            -0.5,
            id="pushed in by half an inch",
        ),
        pytest.param(CORNER, disc((3, 3), 1), 1.0, id="in the crook of a concave piece"),
        pytest.param(
            CORNER, rectangle(Pose(3, 2, -math.pi / 2), 1, 0.5), 1.0, id="a block in the crook"
        ),
        pytest.param(
            CORNER, rectangle(Pose(2, 0.75, -math.pi / 2), 1, 2), -0.25, id="into one arm of it"
        ),
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
    assert (
        abs(gap(turned(BLOCK, angle), turned(rectangle(Pose(1, 0, -math.pi / 2), 3, 1), angle)))
        < 1e-12
    )


@pytest.mark.parametrize(("facing", "expected"), [(0, 5.8937), (45, 6.1989), (90, 6.5433)])
def test_an_oval_is_measured_as_an_ellipse(facing: float, expected: float) -> None:
    """A 32 mm disc and a 75 by 42 mm oval 8 in off, turned three ways; a circle about the oval would be nearer."""
    other = oval(Pose(8, 0, math.radians(facing)), 75 / 25.4, 42 / 25.4)
    assert gap(disc((0, 0), 16 / 25.4), other) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    "moved",
    [BLOCK, CORNER, disc((0, 0), 0.7), oval(Pose(0, 0, 0.5), 3, 1)],
    ids=["block", "corner", "disc", "oval"],
)
@pytest.mark.parametrize(
    "other",
    [BLOCK, CORNER, disc((1, 0), 0.7), oval(Pose(1, 1, 2.5), 3, 1)],
    ids=["block", "corner", "disc", "oval"],
)
def test_many_gaps_at_once_are_the_gaps_one_by_one(moved: Shape, other: Shape) -> None:
    """Every kind of body at random places to every other kind, apart and overlapping."""
    shifts = np.random.default_rng(7).uniform(-6.0, 6.0, (25, 2))
    one_by_one = [gap(_shifted(moved, shift), other) for shift in shifts]
    assert gaps_at_shifts(moved, shifts, other) == pytest.approx(one_by_one, abs=1e-9)


def _shifted(shape: Shape, shift: np.ndarray) -> Shape:
    if shape.ellipse is not None:
        x, y = (np.array(shape.ellipse.centre) + shift).tolist()
        return oval(Pose(x, y, shape.ellipse.heading), 3, 1)
    return Shape(shapely.transform(shape.core, lambda points: points + shift), shape.radius)


@pytest.mark.parametrize("moved", [disc((0, 0), 0.6), CORNER, oval(Pose(0, 0, 0.3), 3, 1)])
def test_gaps_of_very_many_places_are_measured_in_parts(
    moved: Shape, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same as all at once, in the shape that was asked."""
    shifts = np.random.default_rng(3).uniform(-9.0, 9.0, (4, 5, 2))
    whole = gaps_at_shifts(moved, shifts, CORNER)
    monkeypatch.setattr("tabletop.geometry.distance.CORNERS_AT_ONCE", 20)
    assert gaps_at_shifts(moved, shifts, CORNER) == pytest.approx(whole, abs=1e-12)


def test_line_gaps_are_least_distances() -> None:
    """The distance from a line is the least over dense points of it, the ends included; a line without length is a
    point.
    """
    starts = np.array([[0.0, 0.0], [1.0, 1.0]])
    ends = np.array([[4.0, 2.0], [1.0, 1.0]])
    points = np.array([[2.0, 3.0], [-1.0, 0.0], [6.0, 2.0]])
    shares = np.linspace(0.0, 1.0, 4001)[:, None]
    for row, (start, end) in enumerate(zip(starts, ends, strict=True)):
        dense = start + shares * (end - start)
        least = np.hypot(*(dense[:, None] - points).transpose(2, 0, 1)).min(axis=0)
        assert line_gaps(starts, ends, points)[row] == pytest.approx(least, abs=1e-3)


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
def test_depth_is_the_least_distance_from_the_boundary(
    body: Shape, around: Shape, depth: float
) -> None:
    """Inside it is positive, flush it is 0, sticking out of a convex shape it is negative."""
    assert depth_inside(body, around) == pytest.approx(depth, abs=1e-6)


@pytest.mark.parametrize(
    "body",
    [disc((1.5, 2.5), 0.2), disc((9, 9), 1.0), polygon([(0.5, 0.5), (3.5, 0.5), (3.0, 3.9)])],
)
def test_what_is_not_inside_a_concave_shape_has_no_depth(body: Shape) -> None:
    """A body in a recess, far away or across a reflex corner is not inside."""
    assert depth_inside(body, ELL) == -math.inf


@pytest.mark.parametrize("around", [SQUARE, disc((2, 2), 1.5), ELL])
@pytest.mark.parametrize(
    "body",
    [disc((0, 0), 0.5), oval(Pose(0, 0, 0.5), 1.2, 0.8), polygon([(-0.5, 0), (0.5, 0), (0, 0.7)])],
)
def test_depths_of_many_places_are_those_of_each(body: Shape, around: Shape) -> None:
    """Inside, across the boundary and outside."""
    shifts = np.random.default_rng(1).uniform(0.0, 4.0, (40, 2))
    alone = [
        depth_inside(Shape(shapely.affinity.translate(body.core, x, y), body.radius), around)
        if body.ellipse is None
        else depth_inside(oval(Pose(x, y, 0.5), 1.2, 0.8), around)
        for x, y in shifts.tolist()
    ]
    assert depths_at_shifts(body, shifts, around) == pytest.approx(alone, abs=1e-9)


def shifted(points: list[tuple[float, float]], x: float, y: float) -> Shape:
    """Make a polygon of points moved."""
    return polygon([(east + x, north + y) for east, north in points])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (disc((0, 0), 1), disc((3, 4), 2), shapely.LineString([(0.6, 0.8), (1.8, 2.4)])),
        (disc((0, 0), 1), shifted(BOX, 4, 0.5), shapely.LineString([(1, 0), (3, 0)])),
        (shifted(BOX, 4, 0.5), disc((0, 0), 1), shapely.LineString([(3, 0), (1, 0)])),
        (shifted(BOX, 0, 0), shifted(BOX, 4, 0), shapely.box(1, -1, 3, 1)),
        (shifted(BOX, 0, 0), shifted(BOX, 4, 1.5), shapely.box(1, 0.5, 3, 1)),
        (shifted(BOX, 0, 0), shifted(BOX, 4, 2), shapely.LineString([(1, 1), (3, 1)])),
        (shifted(BOX, 0, 0), shifted(BOX, 4, 3), shapely.LineString([(1, 1), (3, 2)])),
        (
            shifted(BOX, 0, 0),
            shifted([(0, 0), (1, -1), (1, 1)], 3, 0.25),
            shapely.LineString([(1, 0.25), (3, 0.25)]),
        ),
        (
            polygon(CLAW),
            polygon([(4, -3), (5, -3), (5, 3), (4, 3)]),
            shapely.union_all([shapely.box(3, -2, 4, -1), shapely.box(3, 1, 4, 2)]),
        ),
    ],
)
def test_joins_of_discs_and_polygons(
    first: Shape, second: Shape, expected: shapely.Geometry
) -> None:
    """A line between corners or discs, a strip where edges face each other, one for each arm of a claw."""
    assert shortest_segments_region(first, second).hausdorff_distance(expected) == pytest.approx(
        0.0, abs=1e-9
    )


@pytest.mark.parametrize("other", ["oval", "disc", "square", "corner"])
@pytest.mark.parametrize("turn", np.linspace(0.1, 3.1, 7))
def test_joins_of_ovals(other: str, turn: float) -> None:
    """The one segment is as long as the gap, and its ends lie on both shapes."""
    first = oval(Pose(0.0, 0.0, turn), 4.0, 2.0)
    second = {
        "oval": oval(Pose(5.0, 1.0, 2.0 * turn), 3.0, 1.5),
        "disc": disc((5.0, 1.0), 1.2),
        "square": shifted(BOX, 5.0, 1.0),
        "corner": hull(Pose(5.0, 1.0, turn), [(1, 0), (-1, 1), (-1, -1)]),
    }[other]
    for one, two in ((first, second), (second, first)):
        start, end = (
            disc(spot, 0.0)
            for spot in shapely.get_coordinates(shortest_segments_region(one, two)).tolist()
        )
        assert gap(start, end) == pytest.approx(gap(one, two), abs=1e-12)
        assert (gap(one, start), gap(two, end)) == pytest.approx((0.0, 0.0), abs=1e-9)


def test_joins_of_an_oval_and_a_corner_before_its_tip() -> None:
    """Where a corner is straight before the tip the segment is neither turned to the edge nor to the other side."""
    line = shortest_segments_region(
        oval(Pose(0, 0, 0.0), 4, 2), polygon([(3, 0), (5, 0), (5, 2), (3, 2)])
    )
    assert shapely.get_coordinates(line) == pytest.approx(
        np.array([[2.0, 0.0], [3.0, 0.0]]), abs=1e-9
    )


def test_joins_of_ovals_end_to_end() -> None:
    """What is known by hand: from end to end."""
    line = shortest_segments_region(oval(Pose(0, 0, 0.0), 4, 2), oval(Pose(5, 0, math.pi), 4, 2))
    assert shapely.get_coordinates(line) == pytest.approx(
        np.array([[2.0, 0.0], [3.0, 0.0]]), abs=1e-9
    )


@pytest.mark.parametrize(
    "second",
    [disc((1.5, 0), 1), shifted(BOX, 1.5, 0), oval(Pose(1.5, 0, 0.0), 3, 1), disc((2, 0), 1)],
)
def test_nothing_joins_what_is_not_apart(second: Shape) -> None:
    """Shapes that overlap or touch have nothing between them."""
    assert shortest_segments_region(disc((0, 0), 1), second).is_empty
    assert shortest_segments_region(second, disc((0, 0), 1)).is_empty


def test_joins_of_rectangles_turned() -> None:
    """The strip turns with the shapes."""
    turn = 0.7
    x, y = Pose(0.0, 0.0, turn).to_table(np.array([[0.0, 3.0]]))[0].tolist()
    first = rectangle(Pose(0.0, 0.0, turn), 2, 2)
    second = rectangle(Pose(x, y, turn), 2, 1)
    strip = shortest_segments_region(first, second)
    assert strip.area == pytest.approx(2 * gap(first, second))


@pytest.mark.parametrize("number", range(16))
def test_joins_against_a_second_measurement(number: int) -> None:
    """What an independent measurement finds between bases of all kinds, however they stand."""
    dice = np.random.default_rng(number)
    bases = ("25.4mm round", "75x42mm oval", "50.8mm square", "30x60mm rectangle")
    turns = (0.0, 45.0, 90.0, float(dice.uniform(0.0, 360.0)))
    x = 4.0 + float(dice.random())
    y = float(dice.choice([0.0, 1.0, 4.0 * dice.random()]))
    first, second = (
        unit([at], base=str(dice.choice(bases)), facing_deg=float(dice.choice(turns)), side=side)
        for at, side in (((0.0, 0.0), "blue"), ((x, y), "red"))
    )
    asked = case(first, {"T": second})
    table = table_of(asked, 7.0)
    bodies = [asked.state.units[name].models[0].footprint for name in "AT"]
    between = shortest(table.charger, 0, table.targets[0], 0)
    assert shortest_segments_region(*bodies).hausdorff_distance(between) == pytest.approx(
        0.0, abs=1e-6
    )


def test_bodies_that_are_apart_by_rounding_alone_are_joined_by_a_point() -> None:
    """Their cores touch: such a segment has no direction, and was no number."""
    first = polygon(
        [
            (-8.284450759205694, -6.211095372737774),
            (-9.304048251223627, -7.931682759147061),
            (-8.18566645005759, -8.594421128958718),
            (-7.166068958039657, -6.873833742549431),
        ]
    )
    second = polygon(
        [
            (-9.24670420161213, -5.873355365369736),
            (-10.368261442831857, -7.766001490419952),
            (-8.79424950521466, -7.071389065942418),
        ]
    )
    assert 0.0 < gap(first, second) < 1e-15
    assert np.asarray(shortest_segment(first, second)) == pytest.approx(
        np.array([[-8.7942495, -7.0713891]] * 2)
    )
