"""Objectives in any order: the best plans of two discs against all places of a fine sample."""

import math
from dataclasses import replace
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.placement.candidates import Solver
from tabletop.placement.objective import GAIN, PlacementObjective, Values
from tabletop.placement.problem import Coherency
from tabletop.placement.search import best
from tests.tabletop.placement.test_search import BUDGET, RANGE, ROUNDING, problem

CONTACTS_FIRST = PlacementObjective(("contact", "engagement"))
ENGAGED_FIRST = PlacementObjective(("engagement", "contact"))
NO_CONTACTS = PlacementObjective(("engagement",))
CONTENDED = (5, 14, 23, 63, 81, 84, 87, 104, 133, 151)
"""Tables on which one disc can touch, or both can be engaged, but not both at once."""

OPEN = (0, 1, 2, 3, 4, 6, 7, 8, 9, 10)
COARSE = 0.2
"""Inches by which the best of the sample may be longer than the best there is."""

BEARINGS = np.linspace(0.0, math.tau, 120, endpoint=False)
RAYS = np.column_stack([np.cos(BEARINGS), np.sin(BEARINGS)])
WIDTH = 1.0


class Table(NamedTuple):
    """Two discs and two foes of one target, how far a disc may go, and how near the two must end to each other."""

    starts: FloatArray
    foes: FloatArray
    limit: float
    link: float


class Places(NamedTuple):
    """Where one disc may end: places (k, 2), moves (k,), and whether it touches a foe or is engaged there."""

    at: FloatArray
    moves: FloatArray
    touches: BoolArray
    is_engaged: BoolArray


@cache
def table_of(seed: int) -> Table:
    """Lay discs before foes that stand apart: who stays near the other may not do the best for itself."""
    chance = np.random.default_rng(seed)
    return Table(
        chance.uniform((-1.0, 0.5), (1.0, 1.5), (2, 2)) * [[1, 1], [1, -1]],
        chance.uniform((5.5, 1.5), (6.5, 3.0), (2, 2)) * [[1, 1], [1, -1]],
        float(chance.uniform(4.0, 5.5)),
        float(chance.choice([0.5, 1.0])),
    )


def places(table: Table, row: int) -> Places:
    """Sample the places of a disc: about the foes, straight ahead, on a grid, and where it stands."""
    start = table.starts[row]
    ranges = (WIDTH, WIDTH + RANGE / 2.0, WIDTH + RANGE - ROUNDING / 100.0)
    about = [foe + away * RAYS for foe in table.foes for away in ranges]
    ahead = table.foes - start
    far = np.linalg.norm(ahead, axis=1)
    straight = [start + ahead * ((far - away) / far)[:, None] for away in ranges]
    steps = np.arange(-table.limit, table.limit, 0.4)
    at = np.vstack([[start], *straight, *about, start + np.array(list(product(steps, steps)))])
    moves = np.linalg.norm(at - start, axis=1)
    gaps = (np.linalg.norm(at[:, None] - table.foes, axis=2) - WIDTH).min(axis=1)
    is_closer = (moves == 0.0) | (gaps < far.min() - WIDTH)
    kept = (moves <= table.limit) & (gaps >= -GAIN) & is_closer
    return Places(at[kept], moves[kept], gaps[kept] <= GAIN, gaps[kept] <= RANGE)


def best_sampled(table: Table, objective: PlacementObjective) -> Values | None:
    """Return the best values of all pairs of places that keep the conditions; None if no pair does."""
    first, second = places(table, 0), places(table, 1)
    gaps = np.linalg.norm(first.at[:, None] - second.at, axis=2) - WIDTH
    engages = first.is_engaged[:, None] | second.is_engaged
    one, other = np.nonzero((gaps >= -GAIN) & (gaps <= table.link) & engages)
    amounts = {
        "contact": first.touches[one].astype(int) + second.touches[other],
        "engagement": first.is_engaged[one].astype(int) + second.is_engaged[other],
        "move": first.moves[one] + second.moves[other],
    }
    ranked = np.lexsort(
        [amounts["move"], *(-amounts[goal] for goal in reversed(objective.counted))]
    )
    if not len(ranked):
        return None
    return Values(*(amount[ranked[0]].item() for amount in amounts.values()))


@cache
def best_planned(seed: int, objective: PlacementObjective) -> Values | None:
    """Return the values of the plan that the search finds best."""
    table = table_of(seed)
    asked = replace(
        problem(table.starts.tolist(), table.foes.tolist()),
        coherency=Coherency(2, 1, table.link, 1.0, single_group=True),
        objective=objective,
    )
    plan = best(Solver(asked, table.limit), budget=BUDGET).plan
    return None if plan is None else plan.values


@pytest.mark.parametrize("objective", [CONTACTS_FIRST, ENGAGED_FIRST, NO_CONTACTS])
@pytest.mark.parametrize(
    "seed", [*CONTENDED, *(pytest.param(seed, marks=pytest.mark.slow) for seed in OPEN)]
)
def test_no_pair_of_places_is_better(seed: int, objective: PlacementObjective) -> None:
    """As many models count as in the best pair of the sample, and the move is no longer."""
    sampled = best_sampled(table_of(seed), objective)
    planned = best_planned(seed, objective)
    assert (planned is None) == (sampled is None)
    if planned is not None and sampled is not None:
        assert objective.counts(planned) == objective.counts(sampled)
        assert sampled.move - COARSE <= planned.move <= sampled.move + ROUNDING


@pytest.mark.parametrize("seed", CONTENDED)
def test_the_order_decides(seed: int) -> None:
    """Where one disc can touch, or both can be engaged, the order says which is best."""
    first = best_planned(seed, CONTACTS_FIRST)
    turned = best_planned(seed, ENGAGED_FIRST)
    assert first is not None
    assert turned is not None
    assert (first[:2], turned[:2]) == ((1, 1), (0, 2))


@pytest.mark.parametrize(
    ("objective", "one", "other"),
    [
        (CONTACTS_FIRST, Values(1, 1, 9.0), Values(0, 2, 5.0)),
        (ENGAGED_FIRST, Values(0, 2, 9.0), Values(1, 1, 5.0)),
        (NO_CONTACTS, Values(0, 1, 5.0), Values(1, 1, 5.0 + 2.0 * GAIN)),
    ],
)
def test_a_plan_is_better(objective: PlacementObjective, one: Values, other: Values) -> None:
    """By the first amount that differs; of equal counts by a move that is shorter by more than rounding."""
    assert objective.is_better(one, other)
    assert not objective.is_better(other, one)
    nearly = other._replace(move=other.move - GAIN / 2.0)
    assert not objective.is_better(nearly, other)
