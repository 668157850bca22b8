"""Sets of closed intervals, with the exact fits that decide charges: points, gaps of a hair, laps of a hair."""

from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tabletop.optimise.interval import Intervals, intersection, is_within, length, union, without

numbers = st.integers(0, 40).map(lambda value: value / 4)
spans = st.tuples(numbers, numbers).map(lambda ends: (min(ends), max(ends)))
wide_spans = spans.filter(lambda span: span[0] < span[1])
sets = st.lists(spans, max_size=5)
GRID = [number / 8 for number in range(-8, 96)]


def holds(intervals: Intervals | list[tuple[float, float]], place: float) -> bool:
    """Return whether a closed set holds a place."""
    return any(low <= place <= high for low, high in intervals)


@pytest.mark.parametrize(
    ("intervals", "expected"),
    [
        pytest.param([], (), id="nothing"),
        pytest.param([(1.0, 2.0), (2.0, 3.0)], ((1.0, 3.0),), id="met at a point"),
        pytest.param([(1.0, 2.0), (2.0 + 1e-7, 3.0)], ((1.0, 3.0),), id="a hair apart"),
        pytest.param(
            [(1.0, 2.0), (2.0 + 1e-5, 3.0)],
            ((1.0, 2.0), (2.0 + 1e-5, 3.0)),
            id="ten tolerances apart",
        ),
        pytest.param([(4.0, 5.0), (1.0, 9.0)], ((1.0, 9.0),), id="one inside the other"),
        pytest.param([(3.0, 3.0), (1.0, 1.0)], ((1.0, 1.0), (3.0, 3.0)), id="points, sorted"),
    ],
)
def test_intervals_that_meet_are_joined(
    intervals: list[tuple[float, float]], expected: Intervals
) -> None:
    """Up to the tolerance of contact."""
    assert union(intervals) == expected


def test_without_slack_only_what_meets_exactly_is_joined() -> None:
    """Two parts with an end in common are one; a hair between them stays."""
    assert union([(1.0, 2.0), (2.0, 3.0)], slack=0.0) == ((1.0, 3.0),)
    assert union([(1.0, 2.0), (2.0 + 1e-9, 3.0)], slack=0.0) == ((1.0, 2.0), (2.0 + 1e-9, 3.0))


@given(sets)
def test_a_union_is_sorted_apart_and_holds_the_same_places(
    intervals: list[tuple[float, float]],
) -> None:
    """No two parts meet, and every place of a grid is held as before."""
    joined = union(intervals)
    assert all(before[1] < after[0] for before, after in pairwise(joined))
    assert all(holds(joined, place) == holds(intervals, place) for place in GRID)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param([(0.0, 2.0)], [(2.0, 3.0)], ((2.0, 2.0),), id="a point"),
        pytest.param(
            [(0.0, 2.0)],
            [(2.0 + 4e-7, 3.0)],
            ((2.0 + 2e-7, 2.0 + 2e-7),),
            id="a hair apart: the point between",
        ),
        pytest.param([(0.0, 2.0)], [(2.0 + 1e-5, 3.0)], (), id="ten tolerances apart"),
        pytest.param(
            [(0.0, 9.0)], [(1.0, 2.0), (4.0, 4.0)], ((1.0, 2.0), (4.0, 4.0)), id="parts and points"
        ),
        pytest.param([(0.0, 9.0)], [], (), id="nothing"),
    ],
)
def test_sets_have_in_common_what_both_hold(
    first: Intervals, second: Intervals, expected: Intervals
) -> None:
    """And a point where they miss each other by no more than the tolerance."""
    for common in (intersection(first, second), intersection(second, first)):
        assert len(common) == len(expected)
        assert np.array(common) == pytest.approx(np.array(expected), abs=1e-12)


@given(sets, sets)
def test_an_intersection_holds_the_places_that_both_hold(
    first: list[tuple[float, float]], second: list[tuple[float, float]]
) -> None:
    """Checked on a grid."""
    common = intersection(first, second)
    assert all(
        holds(common, place) == (holds(first, place) and holds(second, place)) for place in GRID
    )


@pytest.mark.parametrize(
    ("blocked", "expected"),
    [
        pytest.param([], ((0.0, 10.0),), id="nothing blocked"),
        pytest.param([(-1.0, 11.0)], (), id="all blocked"),
        pytest.param([(0.0, 10.0)], ((0.0, 0.0), (10.0, 10.0)), id="open: the ends stay"),
        pytest.param([(3.0, 4.0)], ((0.0, 3.0), (4.0, 10.0)), id="a hole"),
        pytest.param([(-1.0, 5.0), (5.0, 11.0)], ((5.0, 5.0),), id="an exact fit"),
        pytest.param(
            [(5.0, 11.0), (-1.0, 5.0)], ((5.0, 5.0),), id="an exact fit, the other way round"
        ),
        pytest.param(
            [(-1.0, 5.0 + 1e-7), (5.0, 11.0)], ((5.0, 5.0),), id="a fit too narrow by a hair"
        ),
        pytest.param(
            [(-1.0, 5.0 + 1e-5), (5.0, 11.0)], (), id="a fit too narrow by ten tolerances"
        ),
        pytest.param(
            [(-1.0, 5.0), (5.0 + 1e-5, 11.0)], ((5.0, 5.0 + 1e-5),), id="room of ten tolerances"
        ),
        pytest.param(
            [(3.0, 3.0 + 1e-7)], ((0.0, 10.0),), id="a stretch below the tolerance blocks nothing"
        ),
        pytest.param([(10.0, 12.0)], ((0.0, 10.0),), id="touching the end from outside"),
    ],
)
def test_what_is_blocked_is_taken_away_open(blocked: Intervals, expected: Intervals) -> None:
    """Ends of what is blocked stay free; a gap just as wide as what must go through leaves one place."""
    left = without([(0.0, 10.0)], blocked)
    assert len(left) == len(expected)
    assert np.array(left) == pytest.approx(np.array(expected), abs=2e-7)


@given(sets, st.lists(wide_spans, max_size=4))
def test_what_is_left_are_the_places_in_no_open_stretch(
    places: list[tuple[float, float]], blocked: list[tuple[float, float]]
) -> None:
    """Checked on a grid of closed places against open stretches."""
    left = without(union(places), blocked)
    for place in GRID:
        is_blocked = any(low < place < high for low, high in blocked)
        assert holds(left, place) == (holds(places, place) and not is_blocked)


@given(sets)
def test_the_length_of_a_union_is_that_of_its_lines(intervals: list[tuple[float, float]]) -> None:
    """Shapely's union of the same lines is as long."""
    lines = [shapely.LineString([(low, 0.0), (high, 0.0)]) for low, high in intervals if low < high]
    assert length(union(intervals)) == pytest.approx(
        shapely.union_all(lines).length if lines else 0.0
    )


@pytest.mark.parametrize(
    ("inner", "slack", "expected"),
    [
        ((1.0, 2.0), 0.0, True),
        ((1.0, 2.0 + 1e-7), 0.0, False),
        ((1.0, 2.0 + 1e-7), 1e-6, True),
        ((1.0 - 1e-5, 2.0), 1e-6, False),
        ((2.0, 4.0), 0.0, False),
        ((4.0, 4.0), 0.0, True),
    ],
)
def test_an_interval_is_within_one_part(
    inner: tuple[float, float], slack: float, expected: bool
) -> None:
    """Parts are widened by the slack, and no interval reaches over a hole between two."""
    assert is_within(inner, [(1.0, 2.0), (3.0, 4.0)], slack=slack) is expected
