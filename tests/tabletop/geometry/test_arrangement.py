"""Curves taken apart: crossings, nearest points and glancing lines against dense samples."""

import math

import numpy as np
import pytest
import shapely

from tabletop.geometry import arrangement
from tabletop.geometry.arrangement import (
    ArcPieces,
    circles,
    crossings,
    join_tracks,
    perpendicular_feet,
    polyline,
    tangent_normals,
    tracks,
)
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.curve import ArcCurve, configuration_obstacle
from tabletop.geometry.distance import gaps_at_shifts
from tabletop.geometry.ellipse import Ellipse
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, oval, polygon

SQUARE = polygon([(0, 0), (4, 0), (4, 4), (0, 4)])
BALL = disc((0.0, 0.0), 1.0)
AROUND = tracks(configuration_obstacle(SQUARE, BALL))
CORNERS = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])


def _ring(*about: tuple[float, float, float]) -> ArcPieces:
    return circles(np.array([one[:2] for one in about]), np.array([one[2] for one in about]))


def _sampled(track: ArcPieces, count: int = 4000) -> FloatArray:
    turns = track.starts[:, None] + track.spans[:, None] * np.linspace(0.0, 1.0, count)
    arcs = track.centres[:, None, :] + track.radii[:, None, None] * np.stack(
        [np.cos(turns), np.sin(turns)], axis=-1
    )
    share = np.linspace(0.0, 1.0, count)[None, :, None]
    edges = track.tails[:, None, :] + share * (track.heads - track.tails)[:, None, :]
    return np.concatenate([arcs.reshape(-1, 2), edges.reshape(-1, 2)])


def test_two_circles_cross_in_two_points_touch_in_one_and_miss() -> None:
    """Radii 5 and 5 about points 6 apart cross 4 to each side; touching circles meet once, twice told; far ones
    never.
    """
    points, one, other = crossings(_ring((0, 0, 5)), _ring((6, 0, 5), (10, 0, 5), (20, 0, 5)))
    assert sorted(np.round(points[other == 0], 9).tolist()) == [[3.0, -4.0], [3.0, 4.0]]
    assert np.allclose(points[other == 1], [5.0, 0.0], atol=1e-6)
    assert 2 not in other
    assert set(one.tolist()) == {0}


def test_a_circle_inside_another_does_not_cross_it() -> None:
    """Nor do circles about the same point."""
    assert not len(crossings(_ring((0, 0, 5)), _ring((1, 0, 1), (0, 0, 5)))[0])


def test_crossings_lie_on_both_curves() -> None:
    """Of a rounded square and circles of all sizes, whatever is found is on both, and as much is found as samples
    change sides.
    """
    chance = np.random.default_rng(3)
    for _ in range(60):
        x = chance.uniform(-3, 7)
        y = chance.uniform(-3, 7)
        radius = chance.uniform(0.3, 4)
        ring = _ring((x, y, radius))
        points, _, _ = crossings(AROUND, ring)
        assert np.allclose(np.hypot(points[:, 0] - x, points[:, 1] - y), radius, atol=1e-8)
        assert np.allclose(gaps_at_shifts(BALL, points, SQUARE), 0.0, atol=1e-8)
        inside = gaps_at_shifts(BALL, _sampled(ring), SQUARE) < 0.0
        changes = int((inside != np.roll(inside, 1)).sum())
        assert len(np.unique(np.round(points, 6), axis=0)) == changes


def test_edges_cross_edges_and_circles() -> None:
    """A square's ring meets a diagonal square's ring in eight points, and the circle through its corners in those
    corners.
    """
    tilted = polyline(np.array([[2.0, -1.0], [5.0, 2.0], [2.0, 5.0], [-1.0, 2.0]]))
    assert len(crossings(polyline(CORNERS), tilted)[0]) == 8
    points = crossings(polyline(CORNERS), _ring((2, 2, math.sqrt(8.0))))[0]
    assert {tuple(point) for point in np.round(points, 6).tolist()} == {
        (0, 0),
        (4, 0),
        (4, 4),
        (0, 4),
    }


def test_a_corner_on_an_edge_is_a_crossing() -> None:
    """Whichever of the two curves has the corner."""
    tip = polyline(np.array([[1.0, 0.0], [3.0, -2.0], [3.0, -1.0]]))
    for first, second in ((polyline(CORNERS), tip), (tip, polyline(CORNERS))):
        points, _, _ = crossings(first, second)
        assert {tuple(point) for point in points.round(9).tolist()} == {(1.0, 0.0)}


def test_edges_cross_edges_where_shapely_says() -> None:
    """Random triangles: the same points, each on both rings."""
    chance = np.random.default_rng(6)
    for _ in range(30):
        first, second = chance.uniform(0.0, 10.0, (2, 3, 2))
        expected = shapely.get_coordinates(
            shapely.intersection(shapely.LinearRing(first), shapely.LinearRing(second))
        )
        points, _, _ = crossings(polyline(first), polyline(second))
        assert sorted(map(tuple, points.round(6).tolist())) == sorted(
            map(tuple, expected.round(6).tolist())
        )


def test_feet_are_the_nearest_points() -> None:
    """From anywhere outside, one of a curve's feet is as near as the nearest of dense samples."""
    chance = np.random.default_rng(4)
    samples = _sampled(AROUND)
    for _ in range(40):
        point = chance.uniform(-6, 10, 2)
        if float(gaps_at_shifts(BALL, point[None], SQUARE)[0]) <= 0.0:
            continue
        found, seen, owner = perpendicular_feet(AROUND, point[None])
        nearest = np.hypot(*(found - point).T).min()
        assert nearest == pytest.approx(np.hypot(*(samples - point).T).min(), abs=1e-4)
        assert set(seen.tolist()) == {0}
        assert set(owner.tolist()) == {0}


def test_feet_on_short_edges() -> None:
    """Above the middle of each side of a square of a tenth of an inch lies one foot on that side."""
    side = 0.1
    outer = np.array([[0.05, -0.2], [0.3, 0.05], [0.05, 0.3], [-0.2, 0.05]])
    points, seen, _ = perpendicular_feet(polyline(CORNERS * side / 4.0), outer)
    near = {(int(who), *point) for who, point in zip(seen, points.round(9).tolist(), strict=True)}
    assert {(0, 0.05, 0.0), (1, 0.1, 0.05), (2, 0.05, 0.1), (3, 0.0, 0.05)} <= near


def test_a_glancing_line_touches_the_obstacle_and_meets_the_curve_squarely() -> None:
    """Towards a circle of radius 2 about (10, 0) past a disc of radius 1 about (5, 0): the line runs on to the
    middle.
    """
    found = tangent_normals(_ring((10, 0, 2)), _ring((5, 0, 1)))
    turn = math.asin(1.0 / 5.0)
    expected = {
        (round(10 - 2 * math.cos(turn), 9), round(side * 2 * math.sin(turn), 9)) for side in (-1, 1)
    }
    assert {tuple(point) for point in np.round(found, 9).tolist()} == expected


def test_a_glancing_line_meets_an_edge_squarely_too() -> None:
    """Past a disc towards a straight side, the line drops onto it at right angles."""
    found = tangent_normals(polyline(CORNERS), _ring((2, 9, 0.5)))
    assert {(1.5, 4.0), (2.5, 4.0)} <= {tuple(point) for point in np.round(found, 9).tolist()}


@pytest.mark.parametrize(
    ("middle", "corner"), [(4.5, (4.0, 4.0)), (-0.5, (0.0, 4.0))], ids=["its tail", "its head"]
)
def test_a_glancing_line_meets_an_edge_at_its_ends_too(
    middle: float, corner: tuple[float, float]
) -> None:
    """The end of a side belongs to it."""
    found = tangent_normals(polyline(CORNERS), _ring((middle, 9, 0.5)))
    assert corner in {tuple(point) for point in np.round(found, 9).tolist()}


@pytest.mark.parametrize("seed", range(4))
def test_glancing_lines_between_curves_of_many_arcs_are_all_found(seed: int) -> None:
    """As many as there are normals of one oval, of a dense sample, between which the line along them comes to touch
    another oval.
    """
    chance = np.random.default_rng(seed)
    first, second = (
        oval(Pose(x, y, turn), 3.0, 1.7) for x, y, turn in chance.uniform(0.0, 8.0, (2, 3)).tolist()
    )
    angles = np.linspace(0.0, math.tau, 20_001) + 1e-4
    count = sum(_turns(first, second, angles, side) for side in (-1.0, 1.0))
    found = tangent_normals(
        *(tracks(configuration_obstacle(shape, disc((0.0, 0.0), 0.0))) for shape in (first, second))
    )
    assert len(np.unique(np.round(found, 5), axis=0)) == count


def _turns(first: Shape, second: Shape, angles: FloatArray, side: float) -> int:
    """Count the normals of an oval between which a line ahead along them passes over another oval's rim."""
    own, other = (_ellipse(shape) for shape in (first, second))
    across = angles + side * math.pi / 2.0
    local = angles - own.heading
    rim = (
        np.array([own.half_length, own.half_width]) ** 2
        * np.column_stack([np.cos(local), np.sin(local)])
        / own.reach(angles)[:, None]
    )
    points = np.array(own.centre) + rim @ np.array([own.along, [-own.along[1], own.along[0]]])
    ahead, aside = (np.column_stack([np.cos(turn), np.sin(turn)]) for turn in (angles, across))
    left = ((np.array(other.centre) - points) * aside).sum(axis=1) + other.reach(across)
    is_ahead = ((np.array(other.centre) - points) * ahead).sum(axis=1) > 0.0
    return int(((np.diff(np.sign(left)) != 0.0) & is_ahead[1:]).sum())


def _ellipse(shape: Shape) -> Ellipse:
    assert shape.ellipse is not None
    return shape.ellipse


def test_what_is_near_keeps_all_that_is_near() -> None:
    """Pieces left out lie farther away than asked, all others stay."""
    near = AROUND.near(np.array([-2.0, -2.0]), 2.0)
    samples = _sampled(AROUND)
    close = samples[np.hypot(*(samples + 2.0).T) <= 2.0]
    kept = _sampled(near)
    assert len(kept) < len(samples)
    assert all(np.hypot(*(kept - point).T).min() < 1e-6 for point in close[::50])


def test_joined_curves_keep_their_numbers_in_order() -> None:
    """Curves of the second part count on from those of the first; shifted curves stand where they were shifted to."""
    both = join_tracks(
        [
            _ring((0, 0, 1), (9, 9, 1)),
            tracks([ArcCurve(np.zeros((1, 2)), np.ones(1), np.zeros(1))], np.array([[2.0, 0.0]])),
        ]
    )
    points, _, owner = crossings(_ring((1, 0, 1)), both)
    assert set(owner.tolist()) == {0, 2}
    assert len(points) == 4


def test_many_arcs_are_asked_in_parts_with_the_same_answer() -> None:
    """Beyond the number of pairs that are asked at once, nothing is lost."""
    chance = np.random.default_rng(5)
    first = circles(chance.uniform(0, 40, (200, 2)), np.ones(200))
    second = circles(chance.uniform(0, 40, (150, 2)), np.ones(150))
    points, one, other = crossings(first, second)
    apart = np.hypot(*(first.centres[:, None, :] - second.centres[None, :, :]).transpose(2, 0, 1))
    assert {(int(a), int(b)) for a, b in zip(one, other, strict=True)} == {
        (int(a), int(b)) for a, b in np.argwhere(apart <= 2.0)
    }
    assert len(points) == 2 * int((apart <= 2.0).sum())


def test_the_time_is_asked_while_crossings_are_put_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of millions of points that takes a second: between all parts of their places and of the numbers of both
    curves.
    """
    rings = _ring(*((x, 0.0, 1.0) for x in range(20)))
    whole = crossings(rings, rings)
    asked = list[bool]()
    monkeypatch.setattr(arrangement, "PAIRS_AT_ONCE", 1)
    monkeypatch.setattr(arrangement, "check_deadline", lambda: asked.append(True))
    some = crossings(rings, rings)
    assert len(asked) >= 3 * 4 * 20
    assert sorted(map(tuple, some[0].tolist())) == sorted(map(tuple, whole[0].tolist()))
