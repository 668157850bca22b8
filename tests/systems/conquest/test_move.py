"""Legs of a way: what a wheel to either side and a straight one meet first, against poses tried one after another."""

import math

import numpy as np
import pytest

from systems.conquest.move import Leg
from tabletop.fronts.obstacle import ConvexObstacle
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import ring_gap
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import rectangle_ring
from tabletop.table.state import Base, Regiment

UNIT = Regiment("A", "blue", Pose(20.0, 20.0, math.pi / 2), files=3, models=3, base=Base(2.0, 2.0))
PIVOT = (17.0, 20.0)
STEPS = 2000


def post(angle: float, away: float = 5.0, needed: float = 0.0) -> ConvexObstacle:
    """Place a small square on a bearing from the pivot."""
    x = PIVOT[0] + away * math.cos(angle)
    y = PIVOT[1] + away * math.sin(angle)
    return ConvexObstacle(
        np.array([[x - 0.1, y - 0.1], [x + 0.1, y - 0.1], [x + 0.1, y + 0.1], [x - 0.1, y + 0.1]]),
        needed,
    )


def first_near(leg: Leg, hazard: ConvexObstacle) -> float | None:
    """Try poses along the leg, and give the part of it before the first that is too near."""
    parts = np.linspace(0.0, abs(leg.amount), STEPS)
    rings = np.stack([_frame(leg.at(float(part))) for part in parts])
    near = np.flatnonzero(ring_gap(rings, hazard.ring) < hazard.needed - 1e-6)
    return float(parts[near[0]]) if len(near) else None


def _frame(pose: Pose) -> FloatArray:
    return rectangle_ring(pose, UNIT.width, UNIT.depth)


@pytest.mark.parametrize("needed", [0.0, 0.3])
@pytest.mark.parametrize("amount", [1.0, -1.0], ids=["to the left", "to the right"])
def test_a_wheel_meets_what_stands_on_its_side(amount: float, needed: float) -> None:
    """Posts ahead are met turning left about the left corner, posts behind turning right, and the others never."""
    leg = Leg(UNIT, UNIT.pose, amount, pivot=PIVOT)
    posts = [post(angle, needed=needed) for angle in (0.5, -0.9, 0.8, -1.2, 2.5)]
    expected = [first_near(leg, one) for one in posts]
    assert [part is not None for part in expected] == [amount > 0.0, amount < 0.0] * 2 + [False]
    found = [leg.meets(one) for one in posts]
    assert [part for part in found if part is not None] == pytest.approx(
        [part for part in expected if part is not None], abs=2e-3
    )
    assert leg.crosses(posts) == [
        number for number, part in enumerate(expected) if part is not None
    ]


def test_a_straight_leg_meets_what_lies_ahead() -> None:
    """The way to it is free; what lies beyond the end is not met, nor what lies beside or behind."""
    leg = Leg(UNIT, UNIT.pose, 4.0, direction=(0.0, 1.0))
    posts = [post(math.pi / 2, 3.0), post(math.pi / 2, 4.2), post(0.0, 7.0), post(-1.0)]
    assert leg.meets(posts[0]) == pytest.approx(2.9)
    assert leg.crosses(posts) == [0]
