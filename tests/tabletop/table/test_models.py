"""Loose models, the units they make up, and many of them held against one pair at a time."""

import math

import numpy as np
import pytest

from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Pose
from tabletop.table.models import (
    BaseShape,
    Formation,
    Hull,
    Model,
    ModelArray,
    OvalBase,
    RoundBase,
    Squad,
    crowd,
    gap_matrix,
)
from tabletop.table.state import Base

HERE = Pose(1.0, 2.0, 0.5)
THERE = Pose(4.0, -3.0, 2.0)
FOOTINGS: tuple[BaseShape, ...] = (
    RoundBase(1.26),
    OvalBase(2.95, 1.65),
    Base(1.0, 2.0),
    Hull(((-1.0, -1.0), (2.0, 0.0), (-1.0, 1.0))),
)


@pytest.mark.parametrize(("height", "z"), [((), 0.0), ((2.5,), 2.5)])
def test_a_model_put_elsewhere_stands_on_the_table_unless_a_height_is_told(
    height: tuple[float, ...], z: float
) -> None:
    """It leaves the height that it had, and keeps its number and its base."""
    assert Model(7, HERE, RoundBase(1.0), 3.0, "leader").at(THERE, *height) == Model(
        7, THERE, RoundBase(1.0), z, "leader"
    )


def test_a_unit_put_elsewhere_keeps_the_order_of_its_models() -> None:
    """Poses and heights of a formation are given out one by one."""
    squad = Squad("A", "blue", tuple(Model(number, HERE, RoundBase(1.0)) for number in range(2)))
    place = Formation((THERE, HERE), (0.0, 1.5))
    assert squad.at(place).place == place
    assert [model.number for model in squad.at(place).models] == [0, 1]


def scattered(seed: int, count: int, footings: tuple[BaseShape, ...] = FOOTINGS) -> ModelArray:
    """Scatter models with footings in turn over a table of 20 by 20 inches."""
    chance = np.random.default_rng(seed)
    spots = chance.random((count, 3)) * np.array([20.0, 20.0, math.tau])
    return crowd(
        [
            Model(number, Pose(*spot), footings[number % len(footings)])
            for number, spot in enumerate(spots.tolist())
        ]
    )


@pytest.mark.parametrize("footings", [FOOTINGS[:1], FOOTINGS])
def test_gaps_are_those_of_pairs(footings: tuple[BaseShape, ...]) -> None:
    """Every entry is the gap of that pair of footprints."""
    first = scattered(1, 8, footings)
    second = scattered(2, 6, footings)
    pairs = [
        [gap(one.footprint, other.footprint) for other in second.models] for one in first.models
    ]
    assert gap_matrix(first, second) == pytest.approx(np.array(pairs), abs=1e-9)


def test_gaps_beyond_a_limit_stay_beyond_it() -> None:
    """Gaps that are not asked for exactly are never told as less than the limit, the others are exact."""
    first = scattered(3, 8)
    second = scattered(4, 8)
    exact = gap_matrix(first, second)
    quick = gap_matrix(first, second, beyond=3.0)
    assert ((quick > 3.0) == (exact > 3.0)).all()
    assert quick[exact <= 3.0] == pytest.approx(exact[exact <= 3.0], abs=1e-12)


def test_no_models_have_no_gaps() -> None:
    """Empty crowds give empty tables."""
    assert gap_matrix(crowd([]), scattered(5, 3)).shape == (0, 3)
    assert gap_matrix(scattered(5, 3), crowd([])).shape == (3, 0)
