"""Laws of bounds: none reads what a search has changed, and no flight is shorter than that of a smaller disc.

`python -m tests.systems.wh40k.laws [COUNT [FIRST]]` asks all bounds of a new solver and of one that has searched, on
random tables, of flyers over blocks, and of small units among walls, in turn;
`python -m tests.systems.wh40k.laws squares [COUNT [FIRST]]` holds flights of a disc against lower bounds from those of
a smaller one to places near by.
"""

import math
import sys
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from systems.wh40k.feasibility import problem_of
from tabletop.budget import Budget
from tabletop.placement.bounds import CoherencyBound, LeastMoves, SpanningTrees, least_total
from tabletop.placement.branch_and_bound import (
    FlightSearch,
    PlaneSearch,
    TurningSearch,
    come_closer,
)
from tabletop.placement.candidates import Solver
from tabletop.placement.contact_packing import line_bound
from tabletop.placement.objective import Values
from tabletop.placement.search import best, find, is_too_short, least_distance
from tabletop.ruling.system import Case
from tests.oracles.running import Held, run
from tests.oracles.wh40k.flights import over_blocks
from tests.oracles.wh40k.scenes import QUICK_THEMES, flying_case, random_case, small_case
from tests.systems.wh40k.tables import SHIFT
from tests.systems.wh40k.test_regions import scene_of_case

ROUNDING = 1e-9
CELL = 0.05
"""Inches of the cells of curves of contact."""
MOVES = 40
"""Ends of the whole disc that are held against squares about them."""
MOST = 3
"""Models of the charger at most."""
MAKERS: tuple[Callable[[int], Case], ...] = (
    lambda number: random_case(number, most=MOST, themes=QUICK_THEMES),
    over_blocks,
    small_case,
    flying_case,
    lambda number: random_case(number, most=1),
)


def bounds(solver: Solver) -> Mapping[str, list[float]]:
    """Return all bounds of a solver at its limit, by their names."""
    moves = LeastMoves(solver)
    company = CoherencyBound(solver)
    trees = SpanningTrees(solver)
    squares = PlaneSearch(solver)
    turns = TurningSearch(solver)
    limit = solver.limit
    told: dict[str, object] = {
        "straight": moves.in_straight_lines,
        "least": moves.least,
        "engaged": moves.engaged,
        "contact": moves.contact,
        "to engage all": moves.to_engage_all,
        "most in contact": moves.most_contacts,
        "most engaged": moves.most_engaged,
        "too short": is_too_short(solver),
        "spans": company.spans_targets,
        "closer": come_closer(solver),
        "cages": solver.confinement_radii,
        "total": least_total(solver, Values(0, 1, 2.0 * limit)),
        "exact": moves.proof == "exact",
    }
    if solver.legality.is_round:
        told["lines"] = line_bound(solver, CELL).most
    if company.applies:
        told["company"] = [company.allows(limit), company.least_distance(0.0, 24.0)]
    if trees.applies:
        told["trees"] = [trees.least_distance(limit), trees.most_contacts(len(solver.options))]
    if squares.applies:
        told["squares"] = squares.least_distance(limit)
    if turns.applies:
        told["turns"] = turns.least_distance(limit)
    flights = FlightSearch(solver, 0, tuple(solver.problem.target_numbers))
    if flights.applies:
        told["flights"] = flights.least
    return {name: np.ravel(np.asarray(value, dtype=float)).tolist() for name, value in told.items()}


def changed(case: Case, limit: float) -> list[str]:
    """Return the bounds that differ after a search, with what they were."""
    problem = problem_of(scene_of_case(case))
    before = bounds(Solver(problem).at(limit))
    solver = Solver(problem).at(limit)
    for ask in (find, best, least_distance):
        ask(solver, budget=Budget())
    after = bounds(solver)
    return [
        f"{name}: {value} before a search, {after[name]} after it"
        for name, value in before.items()
        if value != pytest.approx(after[name], abs=ROUNDING)
    ]


def unchanged_held(number: int) -> Held:
    """Ask the law of a table, at a limit that is likely to decide something."""
    case = MAKERS[number % len(MAKERS)](number)
    return Held("asked", changed(case, 4.0 + number % 9))


def squares_held(number: int) -> Held:
    """Hold flights of the whole disc against those of smaller ones to the middles of squares in which they end."""
    scene = scene_of_case(over_blocks(number, many=True))
    solver = Solver(problem_of(scene)).at(24.0)
    radius = float(solver.legality.radii[0])
    dice = np.random.default_rng(number)
    heights = solver.problem.surface_heights
    at = SHIFT + dice.uniform((1.0, -4.0), (11.0, 4.0), (MOVES, 2))
    z = dice.choice(heights, MOVES)
    flown = solver.shrunk_flights(0, at, z, by=0.0, limit=24.0)
    found = []
    for off in (0.02, 0.1, 0.3 * radius, 0.7 * radius):
        turns = dice.uniform(0.0, math.tau, MOVES)
        aside = at + off * np.column_stack([np.cos(turns), np.sin(turns)])
        low = solver.shrunk_flights(0, aside, z, by=off, limit=24.0 + off) - off
        found += [
            f"{off:.3f} in off {place}: {length:.5f} in, at least {bound:.5f}"
            for place, length, bound in zip(at.tolist(), flown.tolist(), low.tolist(), strict=True)
            if bound > length + 2e-6
        ]
    return Held("held", found, {"stopped": int(np.isinf(flown).sum())})


if __name__ == "__main__":
    arguments = sys.argv[1:]
    is_squares = arguments[:1] == ["squares"]
    sys.exit(run(arguments[is_squares:], squares_held if is_squares else unchanged_held, count=100))
