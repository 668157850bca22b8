"""No bound reads what a search has changed: asked of a new solver, and of one that has searched, it is the same.

`python -m tests.oracles.wh40k.unchanged [COUNT [FIRST]]` asks it of random tables, of flyers over blocks, and of small
units among walls, in turn.
"""

import sys
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from systems.wh40k.declare import declare
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

ROUNDING = 1e-9
CELL = 0.05
"""Inches of the cells of curves of contact."""
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
        "lines": line_bound(solver, CELL).most,
    }
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
    problem = problem_of(declare(case, case.charges[0], case.state).scene)
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


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], unchanged_held, count=100))
