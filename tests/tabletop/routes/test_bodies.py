"""Positions on the boundaries of bodies, and where these cross."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import shapely

from tabletop.budget import CLOSING_SECONDS, Budget
from tabletop.errors import NoVerdictError
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.curve import ArcCurve, configuration_obstacle, curves
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, oval, polygon, rectangle
from tabletop.routes.bodies import BOARD, ArcBodies, crossings, flatten

BASE = disc((0, 0), 0.5)
OBSTACLES = (
    disc((3, 3), 1.0),
    rectangle(Pose(7, 4, 0.4), 3, 1),
    oval(Pose(5, 8, 1.0), 3, 1),
    polygon([(1, 7), (3, 9), (0.5, 9)]),
)
REGIONS = [shapely.Polygon(shape.outline(2000)).buffer(0.5, quad_segs=1000) for shape in OBSTACLES]
BOX = (0.0, 0.0, 12.0, 10.0)


def bodies() -> ArcBodies:
    """Gather what the obstacles are to a round base."""
    return flatten([curve for shape in OBSTACLES for curve in configuration_obstacle(shape, BASE)])


def test_positions_run_round_the_boundary() -> None:
    """Evenly spaced positions lie on the boundary, as far apart as they say, and the last inch leads to the first."""
    one = bodies()
    for number, region in enumerate(REGIONS):
        positions = np.linspace(0.0, float(one.perimeters[number]), 2001)
        points = one.points(np.full(2001, number), positions)
        assert shapely.distance(shapely.points(points), region.exterior) == pytest.approx(
            np.zeros(2001), abs=1e-3
        )
        steps = np.hypot(*np.diff(points, axis=0).T)
        assert steps.sum() == pytest.approx(float(one.perimeters[number]), rel=1e-4)
        assert steps.max() == pytest.approx(positions[1], rel=1e-3)
        assert float(one.perimeters[number]) == pytest.approx(region.length, rel=1e-4)


def test_positions_of_normals_are_those_of_their_points() -> None:
    """Every arc's middle normal leads to a position, and that to the point on the arc."""
    one = bodies()
    arcs = np.arange(len(one.arc_owner))
    normals = one.starts + one.spans / 2
    positions = one.position_at(arcs, normals)
    expected: FloatArray = one.centres + one.radii[:, None] * np.column_stack(
        [np.cos(normals), np.sin(normals)]
    )
    assert one.points(one.arc_owner, positions) == pytest.approx(expected, abs=1e-9)


def circles(*found: tuple[float, float, float]) -> ArcBodies:
    """Gather circles (x, y, radius)."""
    return flatten(
        [ArcCurve(np.array([[x, y]]), np.array([radius]), np.zeros(1)) for x, y, radius in found]
    )


@pytest.mark.parametrize(
    ("x", "points"),
    [
        pytest.param(8.0, [], id="apart"),
        pytest.param(7.0, [(6.0, 5.0)], id="touching"),
        pytest.param(
            6.5,
            [(5.75, 5 - math.sqrt(1 - 0.0625 * 9)), (5.75, 5 + math.sqrt(1 - 0.0625 * 9))],
            id="overlapping",
        ),
        pytest.param(5.0, [], id="the same"),
    ],
)
def test_two_discs_cross_twice_or_touch_once(x: float, points: list[tuple[float, float]]) -> None:
    """A touch may be found from either side, at the same place."""
    cuts = crossings(circles((5.0, 5.0, 1.0), (x, 5.0, 1.0)), BOX)
    assert {tuple(np.round(point, 6).tolist()) for point in cuts.points} == {
        (round(px, 6), round(py, 6)) for px, py in points
    }


def test_cosines_tell_touching_from_inside_and_from_outside() -> None:
    """1 inside, -1 outside, 0 at a right angle."""
    inner = crossings(circles((5.0, 5.0, 2.0), (6.0, 5.0, 1.0)), BOX)
    outer = crossings(circles((5.0, 5.0, 2.0), (8.0, 5.0, 1.0)), BOX)
    square = crossings(circles((5.0, 5.0, 3.0), (10.0, 5.0, 4.0)), BOX)
    assert inner.cosines == pytest.approx(np.ones(len(inner.cosines)))
    assert outer.cosines == pytest.approx(-np.ones(len(outer.cosines)))
    assert square.cosines[square.second != BOARD] == pytest.approx([0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (rectangle(Pose(4, 6, 0.3), 3, 2), rectangle(Pose(5, 5, 1.2), 4, 1)),
        (rectangle(Pose(4, 6, 0.3), 3, 2), oval(Pose(4, 5, 2.0), 4, 1.5)),
        (oval(Pose(5, 5, 0.3), 4, 1), oval(Pose(5, 5, 1.9), 4, 1)),
        (polygon([(2, 2), (8, 3), (4, 7)]), disc((5, 4), 2.2)),
    ],
    ids=["blocks", "block and oval", "crossed ovals", "triangle and disc"],
)
def test_boundaries_cross_where_shapely_says(first: Shape, second: Shape) -> None:
    """Every crossing and no other, each at the positions that it names."""
    bodies = flatten([*configuration_obstacle(first, BASE), *configuration_obstacle(second, BASE)])
    cuts = crossings(bodies, BOX)
    rings = [
        shapely.Polygon(shape.outline(4000)).buffer(0.5, quad_segs=2000).exterior
        for shape in (first, second)
    ]
    expected = shapely.get_coordinates(shapely.intersection(*rings))
    points = cuts.points[cuts.second != BOARD]
    apart = np.hypot(*(points[:, None] - expected).transpose(2, 0, 1))
    assert apart.min(axis=0).max() < 5e-3
    assert apart.min(axis=1).max() < 5e-3
    on_body = cuts.second != BOARD
    assert bodies.points(cuts.first, cuts.first_positions) == pytest.approx(cuts.points, abs=1e-8)
    assert bodies.points(cuts.second[on_body], cuts.second_positions[on_body]) == pytest.approx(
        points, abs=1e-8
    )


def test_boundaries_cross_the_edges_of_the_board() -> None:
    """A disc and a block over the same edge, twice each."""
    cuts = crossings(
        flatten([*curves(disc((0.5, 5), 1)), *curves(rectangle(Pose(1, 8, 0.0), 1, 3))]), BOX
    )
    assert (cuts.second == BOARD).all()
    assert np.sort(cuts.points[:, 1]) == pytest.approx(
        [5 - math.sqrt(0.75), 5 + math.sqrt(0.75), 7.5, 8.5]
    )
    assert cuts.points[:, 0] == pytest.approx(np.zeros(4))


@pytest.mark.parametrize("asked", range(14))
def test_each_step_keeps_to_the_time(monkeypatch: pytest.MonkeyPatch, asked: int) -> None:
    """Each of them takes tenths of a second where terrain has thousands of corners: all are asked for before the next
    one begins.
    """
    bodies = flatten(
        [
            *curves(rectangle(Pose(5, 5, 0.0), 2, 2)),
            *curves(disc((6, 5), 1)),
            *curves(disc((5, 6), 1)),
        ]
    )
    times = iter([0.0] * asked)
    monkeypatch.setattr(
        "tabletop.budget.time",
        SimpleNamespace(monotonic=lambda: next(times, 1.0 + 2.0 * CLOSING_SECONDS)),
    )
    with (
        Budget(seconds=1.0, started=0.0).running(),
        pytest.raises(NoVerdictError, match=r"\b1 s\b"),
    ):
        crossings(bodies, BOX)
