"""What the search over many places settles, and what it leaves: enough is settled, and what is left holds every move that lands."""

import numpy as np
import pytest

from tabletop.fronts.approach import PIVOTS
from tabletop.fronts.branch_and_bound import ShiftedTargets, narrowed
from tests.tabletop.fronts.places import at_place, with_places
from tests.tabletop.fronts.sampling import grid, landed
from tests.tabletop.fronts.test_many_places import SLACK, everywhere


def search(seed: int, count: int = 24) -> ShiftedTargets:
    """Ask about a random scene at many places, every contact being of use."""
    scene, shifts = with_places(seed, count=count)
    return ShiftedTargets(scene, shifts, everywhere, SLACK)


@pytest.mark.parametrize("seed", range(4))
def test_no_part_of_a_move_is_longer_than_the_farthest_point(seed: int) -> None:
    """It is the distance from either front corner to either end of the facing at any place, and the front's width."""
    asked = search(seed)
    scene, corners = asked.approach, [asked.approach.corner(side) for side in PIVOTS]
    ends = np.array(scene.facing.ends)[:, None] + asked.shifts
    farthest = max(float(np.linalg.norm(ends - np.array(corner), axis=2).max()) for corner in corners)
    assert asked.farthest == pytest.approx(farthest + scene.width)


def test_most_places_are_settled() -> None:
    """Of six random scenes six in seven places are told to be met, or not, without the search for slices."""
    told = [narrowed(search(seed)) for seed in range(6)]
    settled = np.concatenate([one.yes | one.none for one in told])
    assert settled.mean() > 0.85
    assert np.concatenate([one.yes for one in told]).mean() > 0.1


@pytest.mark.parametrize("seed", range(8))
def test_wheels_that_are_left_hold_all_moves_that_land(seed: int) -> None:
    """At a place that is left open, every sampled move that meets the facing wheels within a range that is left for its corner."""
    asked = search(seed)
    found = narrowed(asked)
    for place in np.unique(found.place)[:2]:
        for number, side in enumerate(PIVOTS):
            wheels = landed(grid(at_place(asked.approach, asked.shifts[place]), side, step=0.5, turn=0.05)).wheel
            mine = (found.place == place) & (found.cells.side == number)
            low, high = found.cells.low[mine] - 1e-9, found.cells.high[mine] + 1e-9
            assert ((wheels[:, None] >= low) & (wheels[:, None] <= high)).any(axis=1).all()
