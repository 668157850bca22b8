"""Lines through bodies, and positions on their boundaries."""

import math

import numpy as np
import pytest
import shapely

from tabletop.pose import FloatArray, Pose
from tabletop.route.bodies import Bodies, Lines, gathered
from tabletop.route.curves import kept_out
from tabletop.shapes import disc, oval, polygon, rectangle

BASE = disc((0, 0), 0.5)
OBSTACLES = (
    disc((3, 3), 1.0),
    rectangle(Pose(7, 4, 0.4), 3, 1),
    oval(Pose(5, 8, 1.0), 3, 1),
    polygon([(1, 7), (3, 9), (0.5, 9)]),
)
REGIONS = [shapely.Polygon(shape.outline(2000)).buffer(0.5, quad_segs=1000) for shape in OBSTACLES]


def bodies() -> Bodies:
    """Gather what the obstacles are to a round base."""
    return gathered([curve for shape in OBSTACLES for curve in kept_out(shape, BASE)])


def random_lines(number: int) -> Lines:
    """Draw lines across the obstacles."""
    ends = np.random.default_rng(11).uniform(0.0, 10.0, (2, number, 2))
    return Lines(ends[0], ends[1])


def test_lines_run_inside_bodies_where_shapely_says() -> None:
    """Which bodies each line meets, and from where to where, clipped to the line."""
    lines, one = random_lines(400), bodies()
    hits = one.hits(lines, among=np.arange(4), depth=0.0)
    starts, ends = np.maximum(hits.start, 0.0), np.minimum(hits.end, lines.lengths[hits.line])
    inside = np.zeros((400, 4))
    np.add.at(inside, (hits.line, hits.body), ends - starts)
    segments = shapely.linestrings(np.stack([lines.tails, lines.heads], axis=1))
    expected = np.column_stack([shapely.length(shapely.intersection(segments, region)) for region in REGIONS])
    assert inside == pytest.approx(expected, abs=5e-3)
    assert (inside > 0.01) == pytest.approx(expected > 0.01)


def test_a_line_that_only_touches_is_not_inside() -> None:
    """Along a straight side and past a disc; a hundred thousandth deeper it is."""
    one = gathered([*kept_out(disc((5, 5), 1.0), BASE), *kept_out(rectangle(Pose(10, 6, math.pi / 2), 2, 2), BASE)])
    for depth, number in ((0.0, 0), (1e-5, 2)):
        line = Lines(np.array([[0.0, 6.5 - depth]]), np.array([[20.0, 6.5 - depth]]))
        assert len(one.hits(line, among=np.arange(2)).line) == number


def test_points_are_held_as_deep_as_they_lie() -> None:
    """By Shapely's distance to the boundary, for several depths."""
    points = np.random.default_rng(5).uniform(0.0, 10.0, (500, 2))
    for depth in (1e-6, 0.1, 0.4):
        held = bodies().holding(points, depth=depth)
        for number, region in enumerate(REGIONS):
            margin = np.where(shapely.contains_xy(region, points[:, 0], points[:, 1]), 1, -1) * shapely.distance(
                shapely.points(points), region.exterior
            )
            clear = np.abs(margin - depth) > 2e-2
            assert (held[:, number] == (margin > depth))[clear].all()


def test_positions_run_round_the_boundary() -> None:
    """Evenly spaced positions lie on the boundary, as far apart as they say, and the last inch leads to the first."""
    one = bodies()
    for number, region in enumerate(REGIONS):
        positions = np.linspace(0.0, float(one.perimeters[number]), 2001)
        points = one.points(np.full(2001, number), positions)
        assert shapely.distance(shapely.points(points), region.exterior) == pytest.approx(np.zeros(2001), abs=1e-3)
        steps = np.hypot(*np.diff(points, axis=0).T)
        assert steps.sum() == pytest.approx(float(one.perimeters[number]), rel=1e-4)
        assert steps.max() == pytest.approx(positions[1], rel=1e-3)
        assert float(one.perimeters[number]) == pytest.approx(region.length, rel=1e-4)


def test_positions_of_normals_are_those_of_their_points() -> None:
    """Every arc's middle normal leads to a position, and that to the point on the arc."""
    one = bodies()
    arcs = np.arange(len(one.owner))
    normals = one.starts + one.spans / 2
    positions = one.position_at(arcs, normals)
    expected: FloatArray = one.centres + one.radii[:, None] * np.column_stack([np.cos(normals), np.sin(normals)])
    assert one.points(one.owner, positions) == pytest.approx(expected, abs=1e-9)
