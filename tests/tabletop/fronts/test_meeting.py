"""Where moves meet a facing that stands at many places: at which point of it, and how nearly out of reach."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tabletop.fronts.approach import Approach
from tabletop.fronts.manoeuvre import FrontAmongHazards, Manoeuvres, Wheels
from tabletop.fronts.meeting import Mask, Numbers, local_shifts, met
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Pose
from tabletop.table.facing import facing_of
from tests.tabletop.fronts.sampling import approach_to, target_at

UP, SLACK = math.pi / 2, 0.01
WIDTH, AWAY = 4.0, 12.0
TARGET = target_at(Pose(50.0, 64.0, UP), 6.0, 2.0)


def scene() -> Approach:
    """Let a front 4 in wide look up the board at a facing 6 in long, 12 in away, with its middle straight ahead."""
    return approach_to(TARGET, facing_of(TARGET, "rear"), Pose(50.0, 50.0, UP), width=WIDTH)


def contacts(wheel: tuple[int, float], shifts: FloatArray, *, first: float) -> tuple[Mask, FloatArray]:
    """Ask one wheel (pivot, angle) about shifts; tell which are met, and at which point u of the facing, nan where not."""
    moves = FrontAmongHazards.careful(scene(), slack=SLACK).moves(Wheels(np.array([wheel[0]]), np.array([wheel[1]])), np.array([[first]]))
    met_at = np.full(len(shifts), np.nan)

    def usable(places: Numbers, u: FloatArray) -> Mask:
        met_at[places] = u[:, 0]
        return np.ones(u.shape, dtype=bool)

    found = met(scene(), moves, shifts, usable, slack=SLACK)
    return found, np.where(found, met_at, np.nan)


@pytest.mark.parametrize("first", [0.0, 2.0])
@pytest.mark.parametrize("angle", [0.1, 0.4, 0.8])
@pytest.mark.parametrize("side", [0, 1], ids=["right", "left"])
def test_a_facing_is_met_at_its_point_that_lies_least_ahead(side: int, angle: float, first: float) -> None:
    """No point of the facing before the front is nearer than the one told, whatever the first part."""
    shifts = np.stack(np.meshgrid(np.linspace(-9.0, 9.0, 37), [0.0, 3.0]), axis=-1).reshape(-1, 2)
    found, u = contacts((side, angle), shifts, first=first)
    assert found.any()
    wheels, ends = Wheels(np.array([side]), np.array([angle])), scene().halves.ends[side]
    shares = np.linspace(0.0, 1.0, 61)[:, None]
    for shift, told in zip(local_shifts(scene(), shifts)[side][found], u[found], strict=True):
        points = ends[0] + shares * (ends[1] - ends[0]) + shift
        point = ends[0] + told / scene().facing.length * (ends[1] - ends[0]) + shift
        begin = first * wheels.along[0, 1]
        across = points @ wheels.along[0] - begin
        is_before = (across >= 0.0) & (across <= WIDTH)
        assert -1e-9 <= point @ wheels.along[0] - begin <= WIDTH + 1e-9
        assert point @ wheels.ahead[0] <= (points @ wheels.ahead[0])[is_before].min() + 1e-9


@pytest.mark.parametrize(("spare", "is_met"), [(-1.0, False), (0.5, False), (1.5, True)])
def test_a_facing_is_met_with_slack_to_spare(spare: float, is_met: bool) -> None:
    """A way may be as long as it is free, less the slack; not longer, nor nearly as long."""
    whole = FrontAmongHazards.careful(scene(), slack=SLACK).moves(Wheels(np.array([0]), np.array([0.0])), np.array([[0.0]]))
    moves: Manoeuvres = replace(whole, longest=np.array([[AWAY + spare * SLACK]]))
    found = met(scene(), moves, np.zeros((1, 2)), lambda _, u: np.ones(u.shape, dtype=bool), slack=SLACK)
    assert found.tolist() == [is_met]


@pytest.mark.parametrize("angle", [0.0, 0.4, 0.8, 1.2])
def test_a_facing_that_looks_away_is_not_met(angle: float) -> None:
    """Whatever is ahead of the front, another side of the target comes first."""
    away = approach_to(TARGET, facing_of(TARGET, "front"), Pose(50.0, 50.0, UP), width=WIDTH)
    moves = FrontAmongHazards.careful(away, slack=SLACK).moves(Wheels(np.array([0]), np.array([angle])), np.array([[0.0]]))
    shifts = np.stack(np.meshgrid(np.linspace(-9.0, 20.0, 30), [-8.0, -4.0, 0.0]), axis=-1).reshape(-1, 2)
    assert not met(away, moves, shifts, lambda _, u: np.ones(u.shape, dtype=bool), slack=SLACK).any()
