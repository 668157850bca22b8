"""What is said of moves that were made."""

import math

import pytest

from systems.wh40k.move import Moved
from systems.wh40k.paths import ModelWay
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import disc
from tabletop.table.models import Model, OvalBase


@pytest.mark.parametrize("heading", [0.0, math.pi / 2])
@pytest.mark.parametrize(("x", "is_passed"), [(20.9, True), (21.1, False)])
def test_of_a_base_that_is_not_round_the_smaller_radius_counts(heading: float, x: float, *, is_passed: bool) -> None:
    """A base of 4 in by 1 in that goes north passes what its narrow half comes over, whichever way it looks."""
    start, end = (Model(0, Pose(20.0, y, heading), OvalBase(4.0, 1.0)) for y in (20.0, 26.0))
    moved = Moved(start, end, ModelWay(((20.0, 20.0, 0.0), (20.0, 26.0, 0.0)), 6.0))
    assert moved.passes(disc((x, 23.0), 0.5)) is is_passed
