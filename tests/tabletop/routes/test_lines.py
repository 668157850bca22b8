"""Lines through bodies, points in them, and straight pieces that touch arcs."""

import math

import numpy as np
import pytest
import shapely

from tabletop.geometry.curve import ArcCurve, configuration_obstacle, curves
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, oval, rectangle
from tabletop.routes.bodies import ArcBodies, flatten
from tabletop.routes.lines import (
    Segments,
    bitangents,
    bodies_containing,
    chords,
    near_pairs,
    tangents_from,
)
from tests.tabletop.routes.test_bodies import BASE, REGIONS, bodies


def random_lines(number: int) -> Segments:
    """Draw lines across the obstacles."""
    ends = np.random.default_rng(11).uniform(0.0, 10.0, (2, number, 2))
    return Segments(ends[0], ends[1])


def test_lines_run_inside_bodies_where_shapely_says() -> None:
    """Which bodies each line meets, and from where to where, clipped to the line."""
    lines = random_lines(400)
    one = bodies()
    hits = chords(one, lines, near_pairs(one, lines), depth=0.0)
    starts = np.maximum(hits.start, 0.0)
    ends = np.minimum(hits.end, lines.lengths[hits.line])
    inside = np.zeros((400, 4))
    np.add.at(inside, (hits.line, hits.body), ends - starts)
    segments = shapely.linestrings(np.stack([lines.tails, lines.heads], axis=1))
    expected = np.column_stack(
        [shapely.length(shapely.intersection(segments, region)) for region in REGIONS]
    )
    assert inside == pytest.approx(expected, abs=5e-3)
    assert (inside > 0.01) == pytest.approx(expected > 0.01)


def test_a_line_that_only_touches_is_not_inside() -> None:
    """Along a straight side and past a disc; a hundred thousandth deeper it is."""
    one = flatten(
        [
            *configuration_obstacle(disc((5, 5), 1.0), BASE),
            *configuration_obstacle(rectangle(Pose(10, 6, math.pi / 2), 2, 2), BASE),
        ]
    )
    for depth, number in ((0.0, 0), (1e-5, 2)):
        line = Segments(np.array([[0.0, 6.5 - depth]]), np.array([[20.0, 6.5 - depth]]))
        assert len(chords(one, line, near_pairs(one, line), depth=1e-6).line) == number


def test_points_are_held_as_deep_as_they_lie() -> None:
    """By Shapely's distance to the boundary, for several depths."""
    points = np.random.default_rng(5).uniform(0.0, 10.0, (500, 2))
    for depth in (1e-6, 0.1, 0.4):
        held = bodies_containing(bodies(), points, depth=depth)
        for number, region in enumerate(REGIONS):
            margin = np.where(
                shapely.contains_xy(region, points[:, 0], points[:, 1]), 1, -1
            ) * shapely.distance(shapely.points(points), region.exterior)
            clear = np.abs(margin - depth) > 2e-2
            assert (held[:, number] == (margin > depth))[clear].all()


def test_very_many_lines_are_cut_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same chords as all at once."""
    lines = random_lines(60)
    one = bodies()
    pairs = near_pairs(one, lines)
    whole = chords(one, lines, pairs, depth=0.0)
    monkeypatch.setattr("tabletop.routes.lines.PAIRS_CUT_AT_ONCE", 7)
    parts = chords(one, lines, pairs, depth=0.0)
    first, second = (
        sorted(zip(*(column.tolist() for column in hits), strict=True)) for hits in (whole, parts)
    )
    assert len(pairs.line) > 7
    assert first == second


def round_ones(*circles: tuple[float, float, float]) -> ArcBodies:
    """Gather circles (x, y, radius)."""
    return flatten(
        [ArcCurve(np.array([[x, y]]), np.array([radius]), np.zeros(1)) for x, y, radius in circles]
    )


def test_two_tangents_lead_from_a_point_to_a_disc() -> None:
    """They are as long as Pythagoras says, one on each side."""
    found = tangents_from(
        np.array([[0.0, 0.0]]), round_ones((5.0, 0.0, 3.0)), reach=np.array([9.0])
    )
    assert found.lines.lengths == pytest.approx([4.0, 4.0])
    assert sorted(found.lines.heads[:, 1]) == pytest.approx([-2.4, 2.4])


def test_a_point_on_a_disc_is_its_own_tangent() -> None:
    """Also a hair inside; but not deeper, and not farther than the reach."""
    one = round_ones((5.0, 0.0, 3.0))
    for x, number in ((2.0, 2), (2.0 + 1e-6, 2), (2.1, 0), (-9.0, 0)):
        assert len(tangents_from(np.array([[x, 0.0]]), one, reach=np.array([8.0])).arc) == number


def test_a_side_is_tangent_from_what_is_in_line_with_it() -> None:
    """From a point on the line of a block's front side both of its ends are touched, and on the other hand the nearer
    rear corner.
    """
    one = flatten(curves(rectangle(Pose(5.0, 0.0, math.pi / 2), 4.0, 2.0)))
    found = tangents_from(np.array([[-3.0, 0.0]]), one, reach=np.array([20.0]))
    assert sorted({tuple(np.round(head, 9) + 0.0) for head in found.lines.heads}) == [
        (3.0, -2.0),
        (3.0, 0.0),
        (7.0, 0.0),
    ]


@pytest.mark.parametrize(
    ("circles", "number"),
    [
        pytest.param([(0, 0, 1), (5, 0, 2)], 4, id="apart: two outside, two across"),
        pytest.param([(0, 0, 1), (2.5, 0, 2)], 2, id="overlapping: none across"),
        pytest.param([(0, 0, 1), (0.5, 0, 2)], 0, id="one in the other"),
        pytest.param([(0, 0, 1), (3, 0, 2)], 4, id="touching: both across are the touch"),
        pytest.param([(0, 0, 1), (50, 0, 2)], 0, id="out of reach"),
    ],
)
def test_common_tangents_of_two_discs(
    circles: list[tuple[float, float, float]], number: int
) -> None:
    """As many as there are, each touching both."""
    found = bitangents(round_ones(*circles), reach=20.0)
    assert len(found.tail_arc) == number
    for centre, points in ((circles[0], found.lines.tails), (circles[1], found.lines.heads)):
        assert np.hypot(points[:, 0] - centre[0], points[:, 1] - centre[1]) == pytest.approx(
            np.full(number, centre[2])
        )


@pytest.mark.parametrize(
    "pair",
    [
        (rectangle(Pose(0, 0, 0.3), 2, 1), rectangle(Pose(5, 1, 1.2), 3, 1)),
        (oval(Pose(0, 0, 0.3), 3, 1), rectangle(Pose(5, 1, 1.2), 3, 1)),
        (oval(Pose(0, 0, 0.3), 3, 1), oval(Pose(4, 3, 2.0), 3, 1.5)),
    ],
    ids=["blocks", "oval and block", "ovals"],
)
def test_two_convex_bodies_apart_have_four_common_tangents(pair: tuple[Shape, Shape]) -> None:
    """Whatever they are made of, each body keeps to one side of each."""
    one = flatten([curve for shape in pair for curve in curves(shape)])
    found = bitangents(one, reach=math.inf)
    ways = {
        tuple(np.round([*tail, *head], 4))
        for tail, head in zip(found.lines.tails, found.lines.heads, strict=True)
    }
    assert len(ways) == 4
    outlines = np.concatenate(
        [
            one.points(np.full(400, body), np.linspace(0, one.perimeters[body], 400))
            for body in (0, 1)
        ]
    )
    for tail, way in zip(found.lines.tails, found.lines.directions, strict=True):
        aside = (outlines - tail) @ np.array([-way[1], way[0]])
        for half in (aside[:400], aside[400:]):
            assert -0.02 <= min(half.max(), -half.min()) <= 1e-6  # samples may miss a corner
