"""Ways of a front that games of others are made of: legs and a turn about any point of its own, and what stands in the
way.
"""

import math
from itertools import pairwise

import pytest

from tabletop.kit import Pose, Regiment, disc, legs, march, room_on_way
from tabletop.table.state import Base

UNIT = Regiment("A", "blue", Pose(10.0, 6.0, math.pi / 2), 5, 10, Base(1.0, 1.0))
POINTS = {
    "right corner": (2.5, 0.0),
    "left corner": (-2.5, 0.0),
    "front": (0.0, 0.0),
    "middle": (0.0, -1.0),
    "anywhere": (1.2, 0.7),
}


@pytest.mark.parametrize("turn", [-0.4, 0.9, 2.5])
@pytest.mark.parametrize("about", POINTS.values(), ids=POINTS)
def test_a_way_that_was_taken_is_found(about: tuple[float, float], turn: float) -> None:
    """Ahead, a turn about a point of its own, ahead: from the place where it ends the legs follow, and the steps chain
    to it.
    """
    ahead = UNIT.pose.advanced(3.0)
    end = ahead.turned_about(ahead.point(*about), turn).advanced(2.0)
    assert legs(UNIT.pose, end, about) == pytest.approx((3.0, 2.0))
    steps = march(UNIT, end, about)
    assert steps is not None
    assert [step.kind for step in steps] == ["forward", "wheel", "forward"]
    assert all(one.end == other.start for one, other in pairwise(steps))
    last = steps[1].end
    assert last is not None
    assert last.advanced(2.0).at == pytest.approx(end.at)
    assert steps[-1].end == end
    assert steps[1].angle == pytest.approx(turn)


def test_places_that_no_way_leads_to() -> None:
    """Aside, behind, or about-face: no turn brings it there."""
    x, y = UNIT.pose.at
    assert march(UNIT, Pose(x + 1.0, y + 3.0, math.pi / 2), (0.0, 0.0)) is None
    assert march(UNIT, UNIT.pose.advanced(-1.0), (0.0, 0.0)) is None
    assert march(UNIT, Pose(x, y + 3.0, -math.pi / 2), (0.0, 0.0)) is None
    straight = march(UNIT, UNIT.pose.advanced(3.0), (0.0, 0.0))
    assert straight is not None
    assert [step.length for step in straight] == [3.0]


def test_what_stands_where_a_corner_sweeps_is_in_the_way() -> None:
    """Five wide and two deep, the rear corner sweeps farthest: it passes one disc by the rest of its distance, and goes
    through another.
    """
    about = POINTS["right corner"]
    end = UNIT.pose.turned_about(UNIT.pose.point(*about), -math.pi / 3)
    steps = march(UNIT, end, about)
    assert steps is not None
    pivot = UNIT.pose.point(*about)
    far = math.radians(150.0)
    beyond, within = (
        (pivot[0] + reach * math.cos(far), pivot[1] + reach * math.sin(far)) for reach in (6.5, 5.2)
    )
    assert room_on_way(steps, UNIT, [disc(beyond, 1.0)]) == pytest.approx(
        6.5 - 1.0 - math.hypot(5.0, 2.0), abs=0.001
    )
    assert room_on_way(steps, UNIT, [disc(within, 1.0)]) < -0.5
    assert room_on_way(steps, UNIT, []) == math.inf
