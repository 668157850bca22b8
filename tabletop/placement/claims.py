"""Ends that somebody claims for a whole unit: made exact where a hand put them down, and offered to the search."""

import math
from collections.abc import Mapping

import numpy as np

from tabletop.placement.candidates import Solver
from tabletop.placement.improve import active_constraints, is_apart, polished
from tabletop.placement.legality import snapped_to_contact
from tabletop.placement.partial_plan import PartialPlan, empty
from tabletop.placement.problem import End
from tabletop.units import CONTACT


def offer(solver: Solver, ends: Mapping[int, End], *, slack: float) -> float:
    """Keep claimed ends, by model number, as a plan that every search of a problem may begin with, if they keep all conditions.

    What is claimed to touch misses by at most `slack` inches. Returns the longest move in inches, infinite if they are no plan: none at
    all, or with models turned as no search looks at.
    """
    solver = solver.at(solver.problem.farthest)
    plan = _plan(solver, ends, slack)
    if plan is None:
        return math.inf
    solver.keep(plan, is_claim=True)
    return float(plan.lengths.max())


def _plan(solver: Solver, ends: Mapping[int, End], slack: float) -> PartialPlan | None:
    """Give the complete plan that claimed ends stand for: the ends themselves, else of discs a plan within twice the slack of them."""
    assignment = empty(solver.legality)
    for row, model in enumerate(solver.problem.models.models):
        placed = _put(solver, assignment, row, ends[model.number], slack)
        if placed is None:
            return None
        assignment = placed
    if np.isfinite(assignment.lengths).all() and assignment.is_complete() and is_apart(assignment):
        return assignment
    settled = polished(solver, assignment, active_constraints(solver, assignment), furthest=True, stays=True)
    if settled is None or not np.isfinite(settled.lengths).all():
        return None
    off = np.hypot(*(settled.candidates.at - assignment.candidates.at).T).max()
    return settled if off <= 2.0 * slack else None


def _put(solver: Solver, assignment: PartialPlan, row: int, end: End, slack: float) -> PartialPlan | None:
    """Put a model down at its end, flush with the foe that it all but touches; None in a facing that no search looks at."""
    problem, legality = solver.problem, solver.legality
    model = problem.models.models[row].at(end.pose, end.z)
    kind = next((number for number in legality.kinds_of[row] if legality.kinds[number].is_like(model)), None)
    if kind is None:
        return None
    at, z = np.array([end.pose.at]), np.array([end.z])
    between = legality.gaps.gaps_to(legality.kinds[kind], at, problem.target_models.models)[0]
    between[np.abs(problem.target_models.models.heights - end.z) > CONTACT] = np.inf
    foe = int(np.argmin(np.abs(between)))
    if abs(between[foe]) <= slack:
        at = snapped_to_contact(legality.kinds[kind], at, problem.target_models.models.models[foe], most=2.0 * slack)
    candidates = legality.measured(kind, at, z)
    usable = bool(legality.are_legal(legality.kinds[kind], at, z)[0])
    length = float(solver.move_costs(row, candidates)[0]) if usable else math.inf
    return assignment.with_model_at(row, candidates, 0, length)
