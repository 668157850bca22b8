"""How far moves of a front may go: what stops them and what does not, and the room that a careful fan asks for."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tabletop.fronts.manoeuvre import FrontAmongHazards, Wheels, stopped_at
from tabletop.fronts.obstacle import Hazard
from tabletop.geometry.pose import Pose
from tabletop.table.facing import facing_of
from tests.tabletop.fronts.sampling import approach_to, target_at

UP = math.pi / 2
TARGET = target_at(Pose(50.0, 64.0, UP), 6.0, 2.0)


def fan(*gaps: float, slack: float, needed: float = 0.5) -> FrontAmongHazards:
    """Make a careful fan of a front 4 in wide with hazards so many inches ahead of it."""
    rings = [np.array([[49.0, 50.0 + gap], [51.0, 50.0 + gap], [51.0, 51.0 + gap], [49.0, 51.0 + gap]]) for gap in gaps]
    scene = approach_to(TARGET, facing_of(TARGET, "rear"), Pose(50.0, 50.0, UP), width=4.0)
    return FrontAmongHazards.careful(replace(scene, hazards=tuple(Hazard(ring, needed) for ring in rings)), slack=slack)


@pytest.mark.parametrize(
    ("gap", "asked"),
    [
        pytest.param(5.0, 0.6, id="far: all of the slack"),
        pytest.param(0.7, 0.6, id="just as far as twice the slack"),
        pytest.param(0.6, 0.55, id="near: half of what there is to spare"),
        pytest.param(0.5, 0.5, id="as near as it may be"),
        pytest.param(0.2, 0.5, id="nearer than it may be: no more than needed"),
    ],
)
def test_a_careful_fan_asks_for_what_there_is(gap: float, asked: float) -> None:
    """The slack comes on top of the gap that a hazard needs, but never more than half of the room at the start."""
    assert fan(gap, slack=0.1).needed == pytest.approx([asked])


def test_a_way_straight_ahead_ends_at_the_first_hazard() -> None:
    """The nearer of two hazards stops it, its gap and the slack before it; nothing stops it but the edge where there is none."""
    wheels, first = Wheels(np.array([0, 1]), np.zeros(2)), np.array([[0.0, 1.0], [0.0, 1.0]])
    told = fan(7.0, 4.0, slack=0.1).moves(wheels, first)
    assert told.longest == pytest.approx(np.array([[3.4, 2.4], [3.4, 2.4]]), abs=1e-9)
    assert fan(slack=0.1).moves(wheels, first).longest.min() > 20.0


@pytest.mark.parametrize(
    ("enter", "leave", "stop"),
    [
        ([-3.0, 2.0], [-0.5, 4.0], 2.0),
        ([-3.0, 2.0], [0.5, 4.0], -3.0),
        ([5.0, 2.0], [6.0, 4.0], 2.0),
        ([3.0, 2.0], [1.0, 1.0], math.inf),
        ([], [], math.inf),
    ],
    ids=["what lies behind is no matter", "already inside", "the first of two", "never met", "no hazards"],
)
def test_a_second_part_is_stopped_by_what_lies_ahead(enter: list[float], leave: list[float], stop: float) -> None:
    """The least second part at which a hazard is entered that is not left before it begins."""
    assert stopped_at(np.array([[enter]]), np.array([[leave]])).tolist() == [[stop]]
