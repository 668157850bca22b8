"""Ranges of wheels at many places: cut where the picture changes, and nothing of them lost."""

import numpy as np
import pytest

from tabletop.fronts.reach import WheelRanges, special_angles
from tabletop.fronts.reach_of_many import _parted
from tests.tabletop.fronts.sampling import random_scene


@pytest.mark.parametrize("seed", range(6))
def test_no_range_of_wheels_straddles_a_special_one(seed: int) -> None:
    """Each pivot's ranges are cut at its own special wheels and nowhere else, so that all together are what they were."""
    scene = random_scene(seed)
    place = np.array([0, 0, 1, 1])
    parts = _parted(scene, place, WheelRanges(np.array([0, 1, 0, 1]), np.full(4, 0.1), np.full(4, 1.5)))
    assert (parts.low < parts.high).all()
    for pivot in range(4):
        low, high = (np.sort(ends[parts.side == pivot]) for ends in (parts.low, parts.high))
        expected = sorted({0.1, 1.5, *(angle for angle in special_angles(scene, pivot % 2) if 0.1 < angle < 1.5)})
        assert low.tolist() == expected[:-1]
        assert high.tolist() == expected[1:]
