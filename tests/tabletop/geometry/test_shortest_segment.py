"""Shortest segments between shapes, all of them."""

import math

import numpy as np
import pytest
import shapely

from tabletop.geometry.distance import gap, joins, shortest_segment
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, hull, oval, polygon, rectangle
from tests.oracles.wh40k.bodies import shortest
from tests.oracles.wh40k.table import table_of
from tests.systems.wh40k.tables import case, unit

SQUARE = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
CLAW = [(0.0, -2.0), (3.0, -2.0), (3.0, -1.0), (1.0, -1.0), (1.0, 1.0), (3.0, 1.0), (3.0, 2.0), (0.0, 2.0)]


def shifted(points: list[tuple[float, float]], x: float, y: float) -> Shape:
    """Make a polygon of points moved."""
    return polygon([(east + x, north + y) for east, north in points])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (disc((0, 0), 1), disc((3, 4), 2), shapely.LineString([(0.6, 0.8), (1.8, 2.4)])),
        (disc((0, 0), 1), shifted(SQUARE, 4, 0.5), shapely.LineString([(1, 0), (3, 0)])),
        (shifted(SQUARE, 4, 0.5), disc((0, 0), 1), shapely.LineString([(3, 0), (1, 0)])),
        (shifted(SQUARE, 0, 0), shifted(SQUARE, 4, 0), shapely.box(1, -1, 3, 1)),
        (shifted(SQUARE, 0, 0), shifted(SQUARE, 4, 1.5), shapely.box(1, 0.5, 3, 1)),
        (shifted(SQUARE, 0, 0), shifted(SQUARE, 4, 2), shapely.LineString([(1, 1), (3, 1)])),
        (shifted(SQUARE, 0, 0), shifted(SQUARE, 4, 3), shapely.LineString([(1, 1), (3, 2)])),
        (shifted(SQUARE, 0, 0), shifted([(0, 0), (1, -1), (1, 1)], 3, 0.25), shapely.LineString([(1, 0.25), (3, 0.25)])),
        (
            polygon(CLAW),
            polygon([(4, -3), (5, -3), (5, 3), (4, 3)]),
            shapely.union_all([shapely.box(3, -2, 4, -1), shapely.box(3, 1, 4, 2)]),
        ),
    ],
)
def test_joins_of_discs_and_polygons(first: Shape, second: Shape, expected: shapely.Geometry) -> None:
    """A line between corners or discs, a strip where edges face each other, one for each arm of a claw."""
    assert joins(first, second).hausdorff_distance(expected) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("other", ["oval", "disc", "square", "corner"])
@pytest.mark.parametrize("turn", np.linspace(0.1, 3.1, 7))
def test_joins_of_ovals(other: str, turn: float) -> None:
    """The one segment is as long as the gap, and its ends lie on both shapes."""
    first = oval(Pose(0.0, 0.0, turn), 4.0, 2.0)
    second = {
        "oval": oval(Pose(5.0, 1.0, 2.0 * turn), 3.0, 1.5),
        "disc": disc((5.0, 1.0), 1.2),
        "square": shifted(SQUARE, 5.0, 1.0),
        "corner": hull(Pose(5.0, 1.0, turn), [(1, 0), (-1, 1), (-1, -1)]),
    }[other]
    for one, two in ((first, second), (second, first)):
        start, end = (disc(spot, 0.0) for spot in shapely.get_coordinates(joins(one, two)).tolist())
        assert gap(start, end) == pytest.approx(gap(one, two), abs=1e-12)
        assert (gap(one, start), gap(two, end)) == pytest.approx((0.0, 0.0), abs=1e-9)


def test_joins_of_an_oval_and_a_corner_before_its_tip() -> None:
    """Where a corner is straight before the tip the segment is neither turned to the edge nor to the other side."""
    line = joins(oval(Pose(0, 0, 0.0), 4, 2), polygon([(3, 0), (5, 0), (5, 2), (3, 2)]))
    assert shapely.get_coordinates(line) == pytest.approx(np.array([[2.0, 0.0], [3.0, 0.0]]), abs=1e-9)


def test_joins_of_ovals_end_to_end() -> None:
    """What is known by hand: from end to end."""
    line = joins(oval(Pose(0, 0, 0.0), 4, 2), oval(Pose(5, 0, math.pi), 4, 2))
    assert shapely.get_coordinates(line) == pytest.approx(np.array([[2.0, 0.0], [3.0, 0.0]]), abs=1e-9)


@pytest.mark.parametrize("second", [disc((1.5, 0), 1), shifted(SQUARE, 1.5, 0), oval(Pose(1.5, 0, 0.0), 3, 1), disc((2, 0), 1)])
def test_nothing_joins_what_is_not_apart(second: Shape) -> None:
    """Shapes that overlap or touch have nothing between them."""
    assert joins(disc((0, 0), 1), second).is_empty
    assert joins(second, disc((0, 0), 1)).is_empty


def test_joins_of_rectangles_turned() -> None:
    """The strip turns with the shapes."""
    turn = 0.7
    x, y = Pose(0.0, 0.0, turn).to_table(np.array([[0.0, 3.0]]))[0].tolist()
    first, second = rectangle(Pose(0.0, 0.0, turn), 2, 2), rectangle(Pose(x, y, turn), 2, 1)
    strip = joins(first, second)
    assert strip.area == pytest.approx(2 * gap(first, second))


@pytest.mark.parametrize("number", range(16))
def test_joins_against_a_second_measurement(number: int) -> None:
    """What an independent measurement finds between bases of all kinds, however they stand."""
    dice = np.random.default_rng(number)
    bases, turns = ("25.4mm round", "75x42mm oval", "50.8x50.8mm", "30x60mm"), (0.0, 45.0, 90.0, float(dice.uniform(0.0, 360.0)))
    x, y = 4.0 + float(dice.random()), float(dice.choice([0.0, 1.0, 4.0 * dice.random()]))
    first, second = (
        unit([at], base=str(dice.choice(bases)), facing_deg=float(dice.choice(turns)), side=side)
        for at, side in (((0.0, 0.0), "blue"), ((x, y), "red"))
    )
    asked = case(first, {"T": second})
    table = table_of(asked, 7.0)
    bodies = [asked.state.units[name].models[0].footprint for name in "AT"]
    between = shortest(table.charger, 0, table.targets[0], 0)
    assert joins(*bodies).hausdorff_distance(between) == pytest.approx(0.0, abs=1e-6)


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
        [(-9.24670420161213, -5.873355365369736), (-10.368261442831857, -7.766001490419952), (-8.79424950521466, -7.071389065942418)]
    )
    assert 0.0 < gap(first, second) < 1e-15
    assert np.asarray(shortest_segment(first, second)) == pytest.approx(np.array([[-8.7942495, -7.0713891]] * 2))
