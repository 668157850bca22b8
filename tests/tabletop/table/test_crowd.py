"""Many loose models at once, held against one pair at a time."""

import math

import numpy as np
import pytest

from tabletop.geometry.distance import gap, line_gaps
from tabletop.geometry.pose import Pose
from tabletop.table.models import Crowd, Footing, Hull, Model, OvalBase, RoundBase, crowd, gaps
from tabletop.table.state import Base

FOOTINGS: tuple[Footing, ...] = (RoundBase(1.26), OvalBase(2.95, 1.65), Base(1.0, 2.0), Hull(((-1.0, -1.0), (2.0, 0.0), (-1.0, 1.0))))


def scattered(seed: int, count: int, footings: tuple[Footing, ...] = FOOTINGS) -> Crowd:
    """Scatter models with footings in turn over a table of 20 by 20 inches."""
    chance = np.random.default_rng(seed)
    spots = chance.random((count, 3)) * np.array([20.0, 20.0, math.tau])
    return crowd([Model(number, Pose(*spot), footings[number % len(footings)]) for number, spot in enumerate(spots.tolist())])


@pytest.mark.parametrize("footings", [FOOTINGS[:1], FOOTINGS])
def test_gaps_are_those_of_pairs(footings: tuple[Footing, ...]) -> None:
    """Every entry is the gap of that pair of footprints."""
    first, second = scattered(1, 8, footings), scattered(2, 6, footings)
    pairs = [[gap(one.footprint, other.footprint) for other in second.models] for one in first.models]
    assert gaps(first, second) == pytest.approx(np.array(pairs), abs=1e-9)


def test_gaps_beyond_a_limit_stay_beyond_it() -> None:
    """Gaps that are not asked for exactly are never told as less than the limit, the others are exact."""
    first, second = scattered(3, 8), scattered(4, 8)
    exact, quick = gaps(first, second), gaps(first, second, beyond=3.0)
    assert ((quick > 3.0) == (exact > 3.0)).all()
    assert quick[exact <= 3.0] == pytest.approx(exact[exact <= 3.0], abs=1e-12)


def test_no_models_have_no_gaps() -> None:
    """Empty crowds give empty tables."""
    assert gaps(crowd([]), scattered(5, 3)).shape == (0, 3)
    assert gaps(scattered(5, 3), crowd([])).shape == (3, 0)


def test_line_gaps_are_least_distances() -> None:
    """The distance from a line is the least over dense points of it, the ends included; a line without length is a point."""
    starts, ends = np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([[4.0, 2.0], [1.0, 1.0]])
    points = np.array([[2.0, 3.0], [-1.0, 0.0], [6.0, 2.0]])
    shares = np.linspace(0.0, 1.0, 4001)[:, None]
    for row, (start, end) in enumerate(zip(starts, ends, strict=True)):
        dense = start + shares * (end - start)
        least = np.hypot(*(dense[:, None] - points).transpose(2, 0, 1)).min(axis=0)
        assert line_gaps(starts, ends, points)[row] == pytest.approx(least, abs=1e-3)
