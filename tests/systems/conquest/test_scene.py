"""The bearing of a side of the target, free of rounding just below a whole turn."""

import math

import pytest

from systems.conquest.scene import ChargedFacing
from tabletop.table.facing import Facing


@pytest.mark.parametrize(
    ("turn", "bearing"),
    [
        (0.0, 0.0),
        (-1e-12, 0.0),
        (-1e-4, math.tau - 1e-4),
        (1e-4, 1e-4),
        (math.pi, math.pi),
        (-math.pi / 2, 1.5 * math.pi),
    ],
)
def test_a_side_that_looks_east_but_for_rounding_has_bearing_0(turn: float, bearing: float) -> None:
    """A hair below a whole turn is none; all other bearings are kept, from 0 up to a whole turn."""
    normal = (math.cos(turn), math.sin(turn))
    along = (math.sin(turn), -math.cos(turn))
    side = ChargedFacing(Facing("front", (10.0, 10.0), along, normal, 6.0), 1.0, "front")
    assert side.bearing == pytest.approx(bearing, abs=1e-15)
    assert math.remainder(side.heading - side.bearing - math.pi, math.tau) == pytest.approx(
        0.0, abs=1e-12
    )
