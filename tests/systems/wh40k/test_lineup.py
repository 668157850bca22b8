"""Models in line along the foes: counts that geometry tells, bounds that meet them, first plans that are quick and
legal.
"""

import math
from typing import Any

import numpy as np
import pytest

from systems.wh40k.book import Book
from systems.wh40k.feasibility import problem_of
from systems.wh40k.scene import scene_of
from tabletop.budget import Budget
from tabletop.geometry.pose import Pose
from tabletop.placement.candidates import Solver
from tabletop.placement.contact_packing import (
    CELL_LENGTHS,
    QUICK,
    line_bound,
    packed_plans,
)
from tabletop.placement.problem import End
from tests.systems.wh40k.tables import SHIFT, Spots, case, piece, unit

RING: Spots = [(3.2 * math.cos(turn), 3.2 * math.sin(turn)) for turn in np.arange(8) * math.tau / 8]


def _yard(
    chargers: Spots,
    foes: Spots,
    limit: float,
    *,
    terrain: tuple[dict[str, Any], ...] = (),
    placed: Spots | None = None,
) -> Solver:
    one = case(unit(chargers), {"T": unit(foes)}, terrain=terrain)
    scene = scene_of(one.state, "A", ["T"], choices=one.choices, book=Book())
    ends = {
        number: End(Pose(SHIFT + spot[0], SHIFT + spot[1], 0.0))
        for number, spot in enumerate(placed or [])
    }
    return Solver(problem_of(scene), limit).with_fixed(ends)


def test_six_discs_stand_around_one_of_their_size() -> None:
    """Eight on a ring about a foe: six get into contact, and it is proven that no more do."""
    solver = _yard(RING, [(0, 0)], 8.0)
    found, most = packed_plans(solver, Budget())
    assert most == 6
    assert max(assignment.values.contacts for assignment in found) == 6


def test_a_model_placed_takes_the_room_of_one() -> None:
    """With one of them in contact already, as it was told, six are still the most."""
    solver = _yard(RING, [(0, 0)], 8.0, placed=[(1.0, 0.0)])
    assert line_bound(solver, CELL_LENGTHS[1]).most == 6


@pytest.mark.parametrize("length", [*CELL_LENGTHS[:2], QUICK])
def test_who_lines_up_keeps_clear_of_models_placed(length: float) -> None:
    """With one of them in contact already, as it was told, nobody is put into it."""
    lineup = line_bound(_yard(RING, [(0, 0)], 8.0, placed=[(1.0, 0.0)]), length)
    for assignment in (lineup.fullest(), lineup.quick()):
        at = assignment.placed_candidates.at
        apart = np.hypot(*(at[:, None] - at).transpose(2, 0, 1))[np.triu_indices(len(at), 1)]
        assert len(at) > 1
        assert apart.min() >= 1.0 - 1e-6


def test_between_two_foes_only_so_many_fit() -> None:
    """Two foes side by side, a wall behind them: a quarter of the way round each is left, and the corner between."""
    wall = piece("impassable", 1.6, -6, 2.6, 6)
    solver = _yard(
        [(-3, 1.1 * number) for number in range(-3, 5)], [(0, -0.5), (0, 0.5)], 7.0, terrain=(wall,)
    )
    found, most = packed_plans(solver, Budget())
    assert most == max(assignment.values.contacts for assignment in found)
    free = [
        spot
        for assignment in found
        for spot in assignment.candidates.at[assignment.candidates.touching]
    ]
    assert all(x <= SHIFT + 1.1 + 1e-6 for x, _ in free)


@pytest.mark.parametrize("length", [*CELL_LENGTHS[:2], 0.016, QUICK])
def test_no_more_are_found_than_the_bound_allows(length: float) -> None:
    """Of any cut, those that are lined up are in contact, apart from each other, and no more than the bound."""
    solver = _yard(
        [(-4, 1.05 * number) for number in range(-4, 5)], [(0, -1.4), (0, 0), (0.2, 1.4)], 6.0
    )
    lineup = line_bound(solver, length)
    for assignment in (lineup.fullest(), lineup.quick()):
        assert assignment.values.contacts == len(assignment.placed_rows) <= lineup.most
        gaps = assignment.gaps_from(assignment.candidates.of(assignment.placed_rows))
        np.fill_diagonal(gaps, np.inf)
        assert gaps.min() >= -1e-6
        assert assignment.lengths[assignment.placed_rows].max() <= 6.0 + 1e-6


def test_foes_out_of_reach_have_nobody_in_line() -> None:
    """Too far away, nobody is in contact."""
    solver = _yard([(0, 0), (0, 1.5)], [(9, 0)], 3.0)
    lineup = line_bound(solver, CELL_LENGTHS[0])
    assert (lineup.most, len(lineup.fullest().placed_rows)) == (0, 0)
