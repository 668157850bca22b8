"""Signed gaps of ellipses to points, rings and each other."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.ellipse import Ellipse, oval_gaps, point_gaps, ring_gaps

FLAT = Ellipse((0.0, 0.0), 2.0, 1.0, 0.0)
THIN = Ellipse((0.0, 0.0), 3.0, 0.15, 0.4)
SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])

lengths = st.floats(0.05, 3.0)
angles = st.floats(-4.0, 4.0)
places = st.tuples(st.floats(-5.0, 5.0), st.floats(-5.0, 5.0))
ovals = st.builds(
    lambda at, a, b, heading: Ellipse(at, max(a, b), min(a, b), heading),
    places,
    lengths,
    lengths,
    angles,
)


def reaches(oval: Ellipse, directions: FloatArray) -> FloatArray:
    """Return how far an ellipse reaches from the origin in directions."""
    centre = np.array(oval.centre)
    return np.asarray(
        np.cos(directions) * centre[0] + np.sin(directions) * centre[1] + oval.reach(directions)
    )


def sampled_gap(first: Ellipse, second: Ellipse) -> float:
    """Measure a gap by sampling directions, then more closely about the best ones."""
    directions = np.linspace(0.0, math.tau, 2001)
    for width in (4e-3, 4e-5, 4e-7):
        strips = -reaches(second, directions + math.pi) - reaches(first, directions)
        best = directions[np.argsort(strips)[-40:]]
        directions = (best[:, None] + np.linspace(-width, width, 101)).reshape(-1)
    return float((-reaches(second, directions + math.pi) - reaches(first, directions)).max())


@pytest.mark.parametrize(
    ("point", "gap"),
    [
        pytest.param((0.0, 0.0), -1.0, id="the centre"),
        pytest.param((3.0, 0.0), 1.0, id="beyond the end of the long axis"),
        pytest.param((0.0, -1.5), 0.5, id="beyond the end of the short axis"),
        pytest.param((2.0, 0.0), 0.0, id="on the end"),
        pytest.param((1.9, 0.0), -0.1, id="just inside the end"),
        pytest.param((1.5, 0.0), -0.5, id="where the end's circle of curvature has its centre"),
        pytest.param(
            (1.0, 0.0), -math.sqrt(2.0 / 3.0), id="on the long axis: two feet are equally near"
        ),
        pytest.param((math.sqrt(2.0), math.sqrt(0.5)), 0.0, id="on the boundary in between"),
    ],
)
def test_gaps_of_points(point: tuple[float, float], gap: float) -> None:
    """Also on the axes and inside, where the nearest point of the boundary may be any of several."""
    assert float(point_gaps(FLAT, np.array(point))) == pytest.approx(gap, abs=1e-9)


@given(oval=ovals, share=angles, out=st.floats(-0.02, 3.0))
def test_a_point_off_the_boundary_is_as_far_as_it_was_moved(
    oval: Ellipse, share: float, out: float
) -> None:
    """Outward along the normal by any length, inward by less than the least radius of curvature."""
    length = max(out, -0.9 * oval.half_width**2 / oval.half_length)
    along = np.array(
        [
            [math.cos(oval.heading), math.sin(oval.heading)],
            [-math.sin(oval.heading), math.cos(oval.heading)],
        ]
    )
    foot = np.array([oval.half_length * math.cos(share), oval.half_width * math.sin(share)])
    normal = foot / np.array([oval.half_length, oval.half_width]) ** 2
    point = (foot + length * normal / np.hypot(*normal)) @ along + np.array(oval.centre)
    assert float(point_gaps(oval, point)) == pytest.approx(length, abs=1e-9)


@given(first=ovals, second=ovals)
def test_gaps_of_two_ovals_are_the_widest_strips(first: Ellipse, second: Ellipse) -> None:
    """Sampled directions agree, apart and overlapping, whichever is asked first."""
    gap = float(oval_gaps(first, second, np.zeros(2)))
    assert gap == pytest.approx(sampled_gap(first, second), abs=1e-6)
    assert float(oval_gaps(second, first, np.zeros(2))) == pytest.approx(gap, abs=1e-9)


@given(oval=ovals, shift=places)
def test_gaps_of_rings_are_those_of_their_nearest_points(
    oval: Ellipse, shift: tuple[float, float]
) -> None:
    """Apart from the ellipse, a square is as near as the nearest of many points of its sides; else it overlaps."""
    ring = SQUARE + np.array(shift)
    shares = np.linspace(0.0, 1.0, 4001)[:, None, None]
    nearest = float(point_gaps(oval, ring + shares * (np.roll(ring, -1, axis=0) - ring)).min())
    gap = float(ring_gaps(oval, ring))
    holds_centre = float(np.abs(np.array(oval.centre) - np.array(shift)).max()) <= 0.5
    assert (
        gap == pytest.approx(nearest, abs=1e-5)
        if nearest > 1e-5 and not holds_centre
        else gap <= 1e-5
    )


@pytest.mark.parametrize(
    ("shift", "gap"),
    [
        pytest.param((3.5, 0.0), 1.0, id="an edge before the end of the long axis"),
        pytest.param((0.0, 1.5), 0.0, id="an edge on the flat side"),
        pytest.param((0.0, 1.25), -0.25, id="an edge pushed in"),
        pytest.param((0.0, 0.0), -1.5, id="in the middle"),
    ],
)
def test_gaps_of_squares(shift: tuple[float, float], gap: float) -> None:
    """The depth is the least shift that parts the two."""
    assert float(ring_gaps(FLAT, SQUARE + np.array(shift))) == pytest.approx(gap, abs=1e-9)


def test_a_thin_oval_has_sharp_best_directions() -> None:
    """Side by side and end to end, twenty times longer than wide."""
    across = np.array([-math.sin(0.4), math.cos(0.4)])
    along = np.array([math.cos(0.4), math.sin(0.4)])
    shifts = np.stack([0.5 * across, 7.0 * along, 0.2 * across])
    assert oval_gaps(THIN, THIN, shifts) == pytest.approx([0.2, 1.0, -0.1], abs=1e-9)


def test_many_places_are_asked_at_once() -> None:
    """Leading axes stay as they are, and each answer is that of the place alone."""
    shifts = np.random.default_rng(3).uniform(-4.0, 4.0, (4, 5, 2))
    gaps = oval_gaps(FLAT, THIN, shifts)
    assert gaps.shape == (4, 5)
    assert gaps[2, 3] == pytest.approx(float(oval_gaps(FLAT, THIN, shifts[2, 3])), abs=1e-12)
    assert ring_gaps(FLAT, SQUARE + shifts[..., None, :]).shape == (4, 5)


def test_outline_and_bounds_lie_on_the_ellipse() -> None:
    """Every point of the outline has gap 0, and the bounds just hold it."""
    points = THIN.outline(720)
    assert point_gaps(THIN, points) == pytest.approx(np.zeros(720), abs=1e-12)
    west, south, east, north = THIN.bounds
    assert (*points.min(axis=0), *points.max(axis=0)) == pytest.approx(
        (west, south, east, north), abs=1e-3
    )


def test_ellipses_of_one_form_are_as_far_apart_as_a_larger_one_from_a_point() -> None:
    """Two that look alike, or the other way round, have the gap that all but the same ones have."""
    shifts = np.random.default_rng(3).uniform(-6.0, 6.0, (60, 2))
    one = Ellipse((0.0, 0.0), 1.5, 0.8, 0.7)
    other = Ellipse((0.3, -0.2), 3.0, 1.6, 0.7 + math.pi)
    nearly = Ellipse((0.3, -0.2), 3.0, 1.6, 0.7 + 1e-9)
    assert oval_gaps(one, other, shifts) == pytest.approx(oval_gaps(one, nearly, shifts), abs=1e-7)
