"""Lines through bodies, and points in them."""

import math

import numpy as np
import pytest
import shapely

from tabletop.geometry.curve import kept_out
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import disc, rectangle
from tabletop.routes.bodies import gathered
from tabletop.routes.lines import Segments, chords, holding, near_pairs
from tests.tabletop.routes.test_bodies import BASE, REGIONS, bodies


def random_lines(number: int) -> Segments:
    """Draw lines across the obstacles."""
    ends = np.random.default_rng(11).uniform(0.0, 10.0, (2, number, 2))
    return Segments(ends[0], ends[1])


def test_lines_run_inside_bodies_where_shapely_says() -> None:
    """Which bodies each line meets, and from where to where, clipped to the line."""
    lines, one = random_lines(400), bodies()
    hits = chords(one, lines, near_pairs(one, lines), depth=0.0)
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
        line = Segments(np.array([[0.0, 6.5 - depth]]), np.array([[20.0, 6.5 - depth]]))
        assert len(chords(one, line, near_pairs(one, line), depth=1e-6).line) == number


def test_points_are_held_as_deep_as_they_lie() -> None:
    """By Shapely's distance to the boundary, for several depths."""
    points = np.random.default_rng(5).uniform(0.0, 10.0, (500, 2))
    for depth in (1e-6, 0.1, 0.4):
        held = holding(bodies(), points, depth=depth)
        for number, region in enumerate(REGIONS):
            margin = np.where(shapely.contains_xy(region, points[:, 0], points[:, 1]), 1, -1) * shapely.distance(
                shapely.points(points), region.exterior
            )
            clear = np.abs(margin - depth) > 2e-2
            assert (held[:, number] == (margin > depth))[clear].all()


def test_very_many_lines_are_cut_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same chords as all at once."""
    lines, one = random_lines(60), bodies()
    pairs = near_pairs(one, lines)
    whole = chords(one, lines, pairs, depth=0.0)
    monkeypatch.setattr("tabletop.routes.lines.PAIRS_CUT_AT_ONCE", 7)
    parts = chords(one, lines, pairs, depth=0.0)
    first, second = (sorted(zip(*(column.tolist() for column in hits), strict=True)) for hits in (whole, parts))
    assert len(pairs.line) > 7
    assert first == second
