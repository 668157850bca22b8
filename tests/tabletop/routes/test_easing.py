"""Places that are given a little inside what they should only touch."""

import math

import numpy as np
import pytest

from tabletop.geometry.shape import disc, polygon
from tabletop.routes.configuration_space import Barrier, ConfigurationSpace, Solid
from tabletop.routes.heights import eased

GROUND = ConfigurationSpace(
    disc((0, 0), 0.5),
    40,
    20,
    solids=[Solid(polygon([(14, 8), (18, 8), (18, 12), (14, 12)]), 3.0)],
    barriers=[Barrier(disc((10, 10), 0.5), 0.0, 0.0, 0.0), Barrier(disc((11.2, 10), 0.5), 0.0, 0.0, 0.0)],
)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        pytest.param((9.0004, 10.0, 0.0), (9.0, 10.0, 0.0), id="out of a disc"),
        pytest.param((13.5003, 9.0, 0.0), (13.5, 9.0, 0.0), id="out of a block's side"),
        pytest.param((13.5 + 3e-4, 9.0, 3.0), (13.5 + 3e-4, 9.0, 3.0), id="not from its top"),
        pytest.param((9.02, 10.0, 0.0), (9.02, 10.0, 0.0), id="too deep"),
        pytest.param((9.0004, 10.0, 3.0), (9.0004, 10.0, 3.0), id="at another height"),
        pytest.param((5.0, 5.0, 0.0), (5.0, 5.0, 0.0), id="in the open"),
    ],
)
def test_places_are_eased_out_straight(place: tuple[float, float, float], expected: tuple[float, float, float]) -> None:
    """To the nearest point of the boundary, if that is near."""
    assert eased(GROUND.land, np.array([place]), give=1e-3)[0] == pytest.approx(expected, abs=1e-9)


def test_a_place_between_two_bodies_is_eased_out_of_both() -> None:
    """Where their boundaries cross, a little inside each."""
    height = math.sqrt(1.0 - 0.36)
    found = eased(GROUND.land, np.array([[10.6, 10.0 + height - 2e-4, 0.0]]), give=1e-3)[0]
    assert found[:2] == pytest.approx([10.6, 10.0 + height], abs=1e-4)
