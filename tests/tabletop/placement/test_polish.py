"""Points moved as little as possible within limits, where the answer can be had by hand."""

import numpy as np
import pytest

from tabletop.geometry.arrays import FloatArray
from tabletop.placement.polish import (
    NO_CUTS,
    Cuts,
    DistanceConstraints,
    least_displacement,
    longest_move_bound,
    total_move_bound,
)

NONE = np.empty((0, 2))


def _links(*rows: tuple[int, int, float, float]) -> DistanceConstraints:
    first, second, low, high = (np.array(column) for column in zip(*rows, strict=True))
    return DistanceConstraints(first, second, low.astype(float), high.astype(float))


def _at(*points: tuple[float, float]) -> FloatArray:
    return np.array(points, dtype=float)


def test_one_point_goes_straight_to_the_edge_of_its_ball() -> None:
    """Within 2 of (6, 0), from the origin: (4, 0)."""
    found = least_displacement(_at((0, 0)), _at((0, 1)), _at((6, 0)), _links((0, 1, 0.0, 2.0)))
    assert found == pytest.approx(_at((4, 0)), abs=1e-6)


def test_a_chain_is_stretched_between_two_balls() -> None:
    """Four points 3 apart between balls of radius 2, 12 apart: each moves 6 - sqrt(1.75) at least, as both inner ones
    do.
    """
    starts = _at((0, 1.5), (0, 4.5), (0, 7.5), (0, 10.5))
    links = _links(
        (0, 4, 0.0, 2.0), (3, 5, 0.0, 2.0), (0, 1, 0.0, 3.0), (1, 2, 0.0, 3.0), (2, 3, 0.0, 3.0)
    )
    found = least_displacement(starts, starts, _at((6, 0), (6, 12)), links, furthest=True)
    assert np.hypot(*(found - starts).T).max() == pytest.approx(6.0 - np.sqrt(1.75), abs=1e-6)


def test_a_point_stays_on_the_near_side_of_a_cut() -> None:
    """Within 2 of (6, 0), but not below y = 1, from the origin: the nearest such point is (6 - sqrt(3), 1)."""
    cut = Cuts(np.array([0]), _at((0, 1)), np.array([-1.0]), np.array([False]))
    found = least_displacement(
        _at((0, 0)), _at((4, 1)), _at((6, 0)), _links((0, 1, 0.0, 2.0)), cuts=cut, within=4.0
    )
    assert found == pytest.approx(_at((6 - np.sqrt(3.0), 1)), abs=1e-6)


@pytest.mark.parametrize("timed", [False, True])
def test_a_path_round_something_counts_by_its_length(timed: bool) -> None:
    """Two points 2 apart on a line, the first with 3 in more to go than straight: the longest is least where both go as
    far.
    """
    detour = (
        Cuts(np.array([0]), _at((-1, 0)), np.array([-3.0]), np.array([True])) if timed else NO_CUTS
    )
    starts = _at((0, 0), (10, 0))
    links = _links((0, 1, 0.0, 2.0))
    found = least_displacement(
        starts, _at((3, 0), (5, 0)), np.empty((0, 2)), links, furthest=True, cuts=detour
    )
    assert found[:, 0] == pytest.approx([2.5, 4.5] if timed else [4.0, 6.0], abs=1e-6)


def test_an_exact_distance_is_kept_exactly() -> None:
    """On the circle of radius 1 about (3, 0) and 2 away from (3, 3): the nearest such point is (3, 1), met from either
    side.
    """
    found = least_displacement(
        _at((0, 0)),
        _at((2.5, 0.8)),
        _at((3, 0), (3, 3)),
        _links((0, 1, 1.0, 1.0), (0, 2, 2.0, 2.0)),
    )
    assert found == pytest.approx(_at((3, 1)), abs=1e-4)


def test_a_lower_limit_keeps_points_apart() -> None:
    """Two points that both want to go to (5, 0) stop 1 apart."""
    links = _links((0, 2, 0.0, 0.6), (1, 2, 0.0, 0.6), (0, 1, 1.0, np.inf))
    found = least_displacement(_at((0, 1), (0, -1)), _at((4, 1), (4, -1)), _at((5, 0)), links)
    assert np.hypot(*(found[0] - found[1])) >= 1.0 - 1e-7
    assert found[0] == pytest.approx(found[1] * [1, -1], abs=1e-5)


def test_slacks_tell_what_is_missing() -> None:
    """A distance of 5 exceeds a lower limit of 3 by 2 and an upper one of 4 by 1."""
    above, below = _links((0, 1, 3.0, 4.0)).slacks(_at((0, 0), (3, 4)))
    assert (above.tolist(), below.tolist()) == ([2.0], [-1.0])


@pytest.mark.parametrize("seed", range(6))
def test_no_ends_move_less_far_than_is_promised(seed: int) -> None:
    """Three in a chain between two places: the promise meets what was found to 1e-6 in, and is less where the ends are
    not the best.
    """
    chance = np.random.default_rng(seed)
    starts = chance.uniform(-2.0, 2.0, (3, 2))
    fixed = np.array([[6.0, -3.0], [6.0, 3.0]])
    rows = [(0, 1, 3.0), (1, 2, 3.0), (0, 3, 1.0), (2, 4, 1.0)]
    first, second, high = (np.array(column) for column in zip(*rows, strict=True))
    links = DistanceConstraints(first, second, np.zeros(len(rows)), high)
    best = least_displacement(starts, starts, fixed, links, furthest=True)
    longest = float(np.hypot(*(best - starts).T).max())
    assert longest_move_bound(starts, best, fixed, links, reach=24.0) == pytest.approx(
        longest, abs=1e-5
    )
    for _ in range(20):
        off = best + chance.normal(0.0, 0.3, best.shape)
        assert longest_move_bound(starts, off, fixed, links, reach=24.0) <= longest + 1e-6


def test_nothing_is_promised_of_who_need_not_move() -> None:
    """Both stand where they must: no move at all is enough."""
    links = DistanceConstraints(np.array([0]), np.array([1]), np.zeros(1), np.array([3.0]))
    at = np.array([[0.0, 0.0], [2.0, 0.0]])
    assert longest_move_bound(at, at, np.empty((0, 2)), links, reach=24.0) == 0.0


@pytest.mark.parametrize("seed", range(6))
def test_moves_do_not_add_up_to_less_than_is_promised(seed: int) -> None:
    """Three in a chain between two places, one of them free to stay: the promise meets what was found, and other ends
    promise no more.
    """
    chance = np.random.default_rng(seed)
    starts = chance.uniform(-2.0, 2.0, (3, 2))
    fixed = np.array([[5.0, -3.0], [5.0, 3.0]])
    links = _links((0, 1, 0.0, 3.0), (1, 2, 0.0, 3.0), (0, 3, 0.0, 1.0), (2, 4, 0.0, 1.0))
    found = least_displacement(starts, starts, fixed, links)
    total = float(np.hypot(*(found - starts).T).sum())
    assert total_move_bound(starts, found, fixed, links, reach=total) == pytest.approx(
        total, abs=2e-4
    )
    for _ in range(5):
        ends = found + chance.normal(0.0, 0.3, (3, 2))
        assert total_move_bound(starts, ends, fixed, links, reach=total) <= total + 1e-6


def test_who_need_not_move_adds_nothing() -> None:
    """One of two linked points goes 3 in, the other stays within the link: 3 in is promised."""
    starts = _at((0, 0), (1, 1))
    links = _links((0, 1, 0.0, 3.0), (0, 2, 0.0, 1.0))
    found = least_displacement(starts, starts, _at((0, 4)), links)
    assert total_move_bound(starts, found, _at((0, 4)), links, reach=4.0) == pytest.approx(
        3.0, abs=1e-6
    )
