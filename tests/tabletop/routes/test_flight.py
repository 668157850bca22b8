"""Ways through the air."""

import math

import numpy as np
import pytest

from tabletop.geometry.shape import disc, polygon
from tabletop.routes.configuration_space import ConfigurationSpace
from tabletop.routes.flight import taut_strings, through_the_air
from tabletop.routes.hindrances import Barrier, Solid

BASE = disc((0, 0), 0.5)
TOWER = Solid(polygon([(14, 8), (18, 8), (18, 12), (14, 12)]), 3.0)
STEP = Solid(polygon([(20, 8), (21, 8), (21, 12), (20, 12)]), 1.0)
START = (10.0, 10.0, 0.0)


@pytest.mark.parametrize(
    ("end", "length"),
    [
        pytest.param((22.0, 10.0, 0.0), 2 * math.hypot(3.5, 3) + 5, id="over a tower"),
        pytest.param((16.0, 10.0, 3.0), math.hypot(3.5, 3) + 2.5, id="onto its top"),
        pytest.param((13.5, 10.0, 0.0), 3.5, id="to its foot"),
        pytest.param((10.0, 15.0, 0.0), 5.0, id="past it"),
        pytest.param((12.0, 10.0, 2.0), math.hypot(2, 2), id="up in the open"),
    ],
)
def test_lengths_are_those_of_a_taut_string(end: tuple[float, float, float], length: float) -> None:
    """The whole base counts: the string leaves half a base before the wall."""
    one = ConfigurationSpace(BASE, 40, 20, [TOWER])
    assert float(one.air_lengths(START, np.array([end]))[0]) == pytest.approx(length, abs=1e-9)
    points = through_the_air(one.land, START, end)
    assert points is not None
    assert np.sqrt((np.diff(points, axis=0) ** 2).sum(axis=1)).sum() == pytest.approx(length)


def test_the_string_passes_high_over_what_is_low() -> None:
    """From the tower's top to the table the step below does not touch it; walking up from its foot is straight up."""
    one = ConfigurationSpace(BASE, 40, 20, [TOWER, STEP])
    assert float(
        one.air_lengths((16.0, 10.0, 3.0), np.array([[26.0, 10.0, 0.0]]))[0]
    ) == pytest.approx(2.5 + math.hypot(7.5, 3))
    assert float(
        one.air_lengths((13.5, 10.0, 0.0), np.array([[16.0, 10.0, 3.0]]))[0]
    ) == pytest.approx(5.5)


def test_nobody_flies_through_what_is_impassable() -> None:
    """A barrier without heights stops every string; one with heights those that come to them; the board's edge
    holds.
    """
    ends = np.array([[22.0, 10.0, 0.0], [10.0, 19.9, 0.0]])
    assert np.isinf(
        ConfigurationSpace(BASE, 40, 20, barriers=[Barrier(TOWER.shape)]).air_lengths(START, ends)
    ).all()
    low = Barrier(disc((16, 10), 0.5), 1.0, -2.0, 2.0)
    high = Barrier(disc((16, 10), 0.5), 1.0, -5.0, 5.0)
    assert np.isfinite(
        ConfigurationSpace(BASE, 40, 20, [TOWER], barriers=[low]).air_lengths(START, ends[:1])
    ).all()
    assert np.isinf(
        ConfigurationSpace(BASE, 40, 20, [TOWER], barriers=[high]).air_lengths(START, ends[:1])
    ).all()


@pytest.mark.parametrize(
    ("corners", "string"),
    [
        pytest.param([], [(0.0, 1.0), (8.0, 0.0)], id="nothing"),
        pytest.param([(2.0, 0.0), (5.0, 0.3)], [(0.0, 1.0), (8.0, 0.0)], id="all below"),
        pytest.param(
            [(0.0, 4.0), (3.0, 4.0)],
            [(0.0, 1.0), (0.0, 4.0), (3.0, 4.0), (8.0, 0.0)],
            id="from the foot of a wall",
        ),
        pytest.param(
            [(6.0, 4.0), (8.0, 4.0)],
            [(0.0, 1.0), (6.0, 4.0), (8.0, 4.0), (8.0, 0.0)],
            id="to the foot of a wall",
        ),
    ],
)
def test_strings_are_convex_from_above(
    corners: list[tuple[float, float]], string: list[tuple[float, float]]
) -> None:
    """Only what stands out bends them."""
    (line,) = taut_strings(
        np.array([(0.0, 1.0)]), np.array([(8.0, 0.0)]), np.reshape(corners, (1, -1, 2))
    )
    assert list(dict.fromkeys(map(tuple, line.tolist()))) == string


def test_many_flights_at_once_are_as_long_as_each_alone() -> None:
    """Over nothing, over the step, over both, onto the tower and stopped by a post: no string changes another."""
    post = Barrier(disc((16, 14), 0.5), 1.0, -2.0, 2.0)
    one = ConfigurationSpace(BASE, 40, 20, [TOWER, STEP], barriers=[post])
    ends = np.array(
        [(12, 3, 0), (22, 10, 0), (16, 10, 3), (24, 11, 0), (22, 16.5, 0), (16.5, 11, 0.5)]
    )
    lengths = one.air_lengths(START, ends)
    alone = [float(one.air_lengths(START, end[None])[0]) for end in ends]
    assert lengths.tolist() == pytest.approx(alone, abs=1e-12)
    assert np.isinf(lengths).tolist() == [False, False, False, False, True, False]
    for end, length in zip(ends.tolist(), lengths.tolist(), strict=True):
        points = through_the_air(one.land, START, (end[0], end[1], end[2]))
        flown = math.inf if points is None else np.hypot.reduce(np.diff(points, axis=0), 1).sum()
        assert flown == pytest.approx(length, abs=1e-12)
