"""Ends that somebody claims for a whole unit: made exact where a hand put them down, and offered to the search."""

import math
from collections.abc import Mapping

import numpy as np

from tabletop.placement.candidates import ReachablePlaces, reachable_of
from tabletop.placement.improve import is_apart, stretched, ties_of
from tabletop.placement.legality import brought
from tabletop.placement.partial_plan import Assignment, empty
from tabletop.placement.problem import End, KnownPlan, Situation, Task
from tabletop.units import CONTACT


def offer(situation: Situation, ends: Mapping[int, End], *, slack: float) -> float:
    """Keep claimed ends, by model number, as a plan that every search of a situation may begin with, if they keep all conditions.

    What is claimed to touch misses by at most `slack` inches. Returns the longest move in inches, infinite if they are no plan: none at
    all, or with models turned as no search looks at.
    """
    reachable = reachable_of(Task(situation, situation.farthest))
    plan = _plan(reachable, ends, slack)
    if plan is None:
        return math.inf
    situation.memory.claims.append(KnownPlan(reachable.problem.task.asked, plan.candidates, plan.lengths))
    return float(plan.lengths.max())


def _plan(reachable: ReachablePlaces, ends: Mapping[int, End], slack: float) -> Assignment | None:
    """Give the complete plan that claimed ends stand for: the ends themselves, else of discs a plan within twice the slack of them."""
    assignment = empty(reachable.problem)
    for row, model in enumerate(reachable.problem.movers.models):
        placed = _put(reachable, assignment, row, ends[model.number], slack)
        if placed is None:
            return None
        assignment = placed
    if np.isfinite(assignment.lengths).all() and assignment.is_complete() and is_apart(assignment):
        return assignment
    settled = stretched(reachable, assignment, ties_of(reachable, assignment), furthest=True, stays=True)
    if settled is None or not np.isfinite(settled.lengths).all():
        return None
    off = np.hypot(*(settled.candidates.at - assignment.candidates.at).T).max()
    return settled if off <= 2.0 * slack else None


def _put(reachable: ReachablePlaces, assignment: Assignment, row: int, end: End, slack: float) -> Assignment | None:
    """Put a model down at its end, flush with the foe that it all but touches; None in a facing that no search looks at."""
    problem = reachable.problem
    model = problem.movers.models[row].at(end.pose, end.z)
    kind = next((number for number in problem.kinds_of[row] if problem.kinds[number].is_like(model)), None)
    if kind is None:
        return None
    at, z = np.array([end.pose.at]), np.array([end.z])
    between = problem.separations.gaps_to(problem.kinds[kind], at, problem.foes.models)[0]
    between[np.abs(problem.foes.models.heights - end.z) > CONTACT] = np.inf
    foe = int(np.argmin(np.abs(between)))
    if abs(between[foe]) <= slack:
        at = brought(problem.kinds[kind], at, problem.foes.models.models[foe], most=2.0 * slack)
    candidates = problem.measured(kind, at, z)
    usable = bool(problem.stands(problem.kinds[kind], at, z)[0])
    length = float(reachable.costs(row, candidates)[0]) if usable else math.inf
    return assignment.put(row, candidates, 0, length)


def claimed(reachable: ReachablePlaces) -> list[Assignment]:
    """Return the plans offered that are plans of a task without models placed."""
    task = reachable.problem.task
    known = [] if task.placed else [plan for plan in task.situation.memory.claims if plan.asked >= task.asked]
    within = [plan for plan in known if float(plan.lengths.max()) <= task.limit + CONTACT]
    return [Assignment(reachable.problem, plan.candidates, plan.lengths, np.ones(len(plan.lengths), dtype=bool)) for plan in within]
