"""What is told of a charge at many places at once, against the search for each place alone."""

import numpy as np
import pytest

from tabletop.fronts.approach import PIVOTS
from tabletop.fronts.branch_and_bound import ShiftedTargets, narrowed
from tabletop.fronts.manoeuvre import FrontAmongHazards, Wheels
from tabletop.fronts.meeting import Mask, Numbers, met
from tabletop.fronts.reach import WheelRanges
from tabletop.fronts.reach_of_many import reached
from tabletop.geometry.arrays import FloatArray
from tests.tabletop.fronts.places import is_part_reached, is_reached, with_places
from tests.tabletop.fronts.sampling import Moves, body, keeps_away, on_board, random_scene

SEEDS = range(16)
SLACK = 0.01


def everywhere(places: Numbers, u: FloatArray) -> Mask:
    """Let every contact be of use."""
    del places
    return np.ones(u.shape, dtype=bool)


def some_wheels(count: int) -> Wheels:
    """Give wheels about both corners."""
    return Wheels(np.repeat([0, 1], count), np.tile(np.linspace(0.0, np.pi / 2, count), 2))


@pytest.mark.parametrize("seed", SEEDS)
def test_moves_told_to_be_free_are_free(seed: int) -> None:
    """What a move sweeps up to its longest second part keeps away from all hazards and stays on the board, by Shapely."""
    scene, wheels = random_scene(seed), some_wheels(9)
    first = np.broadcast_to(np.linspace(0.0, 8.0, 9), (18, 9))
    told = FrontAmongHazards.careful(scene, slack=SLACK).moves(wheels, first)
    free, longest = told.longest > 0.0, np.clip(told.longest, 0.0, 30.0)
    for number, side in enumerate(PIVOTS):
        which = free & (wheels.side == number)[:, None]
        moves = Moves(scene, side, first[which], np.broadcast_to(wheels.angle[:, None], first.shape)[which])
        swept = moves.last_strips(longest[which])
        assert on_board(np.concatenate([moves.first_strips(), swept], axis=1), scene.board, slack=1e-6).all()
        if not scene.ignores_way:
            _assert_clear(moves, swept)


def _assert_clear(moves: Moves, swept: FloatArray) -> None:
    import shapely

    for corners in (moves.first_strips(), swept):
        for hazard in moves.approach.hazards:
            assert keeps_away(shapely.polygons(corners), hazard, slack=1e-6).all(), body(hazard.ring)


@pytest.mark.parametrize("seed", SEEDS)
def test_places_met_by_a_few_moves_are_reached(seed: int) -> None:
    """Where one of a few moves meets the facing the search finds one too."""
    scene, shifts = with_places(seed)
    moves = FrontAmongHazards.careful(scene, slack=SLACK).moves(some_wheels(19), np.broadcast_to(np.linspace(0.0, 12.0, 13), (38, 13)))
    found = met(scene, moves, shifts, everywhere, slack=SLACK)
    assert is_reached(scene, shifts)[found].all()


@pytest.mark.parametrize("seed", SEEDS)
def test_narrowing_agrees_with_the_search(seed: int) -> None:
    """Witnesses are reached, what is ruled out is not, and what is left open is decided as the search decides it."""
    scene, shifts = with_places(seed)
    expected, found = is_reached(scene, shifts), narrowed(ShiftedTargets(scene, shifts, everywhere, SLACK))
    assert expected[found.yes].all()
    assert not expected[found.none].any()
    left, place = np.unique(found.place, return_inverse=True)
    slices = reached(scene, shifts[left], place, found.cells, counting=(0.0, scene.facing.length))
    np.testing.assert_array_equal(slices.is_met, expected[left])
    assert set(left[slices.place].tolist()) <= set(np.flatnonzero(expected).tolist())


@pytest.mark.parametrize("seed", SEEDS)
def test_slices_of_all_places_agree_with_the_search(seed: int) -> None:
    """Without any narrowing before, with all wheels as one range for each corner, the same places are met."""
    scene, shifts = with_places(seed, count=8)
    place = np.repeat(np.arange(len(shifts)), 2)
    cells = WheelRanges(np.tile([0, 1], len(shifts)), np.zeros(len(place)), np.full(len(place), scene.wheel_limit))
    found = reached(scene, shifts, place, cells, counting=(0.0, scene.facing.length))
    np.testing.assert_array_equal(found.is_met, is_reached(scene, shifts))


@pytest.mark.parametrize("seed", SEEDS)
def test_each_place_may_ask_for_a_part_of_its_own(seed: int) -> None:
    """A part of the facing that is another one for each place is met where the search for that place meets it, and told from end to end."""
    scene, shifts = with_places(seed, count=6)
    low, high = np.sort(np.random.default_rng(seed).uniform(0.0, scene.facing.length, (2, len(shifts))), axis=0)
    place = np.repeat(np.arange(len(shifts)), 2)
    cells = WheelRanges(np.tile([0, 1], len(shifts)), np.zeros(len(place)), np.full(len(place), scene.wheel_limit))
    found = reached(scene, shifts, place, cells, counting=(low, high))
    np.testing.assert_array_equal(found.is_met, [is_part_reached(scene, *one) for one in zip(shifts, low, high, strict=True)])
    assert ((found.low >= low[found.place]) & (found.high <= high[found.place])).all()
    assert (found.low < found.high).all()
