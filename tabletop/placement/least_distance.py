"""The least distance for which there is a plan: from below by what no plan can do better than, from above by plans."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from tabletop.budget import Budget
from tabletop.placement.assignment import Assignment
from tabletop.placement.bounds import chain_bound, engagers, reach_bound, straight_bound
from tabletop.placement.branch_and_bound import PlaneSearch
from tabletop.placement.caged_construction import from_caged
from tabletop.placement.coherency_bound import CoherencyBound
from tabletop.placement.construction import from_sharing, grown, manners
from tabletop.placement.pair_construction import paired
from tabletop.placement.polish import first_ties, stretched, ties_of
from tabletop.placement.reachable import ReachablePlaces, reachable_of
from tabletop.placement.spanning_tree_bound import MOST_IN_TREES, SpanningTrees
from tabletop.placement.task import Least, Task
from tabletop.units import CONTACT

TOLD_TO = 1e-3
"""Inches to which a least distance is told; nearer to one than this a distance is asked about itself."""

DETOUR = 4.0
"""Inches more than in a straight line that are looked at first."""

PLANS_TRIED = 4
"""Plans made from scratch before it is taken that there is none."""

TREE_SLACK = 2e-4
"""Inches that the least move of a tree may be off."""

HALVINGS, HALVINGS_OF_OTHERS = 10, 4
"""Distances at which a plan is looked for between what is too short and what is enough: of discs, and of a few that may turn as well."""

NARROW = 2.0
"""Inches between too short and enough from which on whole inches are asked about first: they decide about rolls."""

PULLED_SHARINGS = 3
"""Ways to share the targets among models from which a plan is pulled into shape."""


def some_plan(reachable: ReachablePlaces, *, budget: Budget) -> Assignment | None:
    """Find a complete plan: model by model, else by pulling the whole unit along; one way is tried whatever the budget."""
    for work, assignment in enumerate(chain(made(reachable, PLANS_TRIED), from_caged(reachable))):
        if assignment is not None:
            return assignment
        if budget.is_spent(work):
            return None
    return None


def made(reachable: ReachablePlaces, count: int) -> Iterator[Assignment | None]:
    """Make plans in one way after the other, None where one leads nowhere: grown in so many manners, then as whole units."""
    yield from (grown(reachable, reachable.start, manner) for manner in manners(count))
    yield from _shared(reachable)
    yield from paired(reachable)
    yield _pulled(reachable)
    yield _turned(reachable)


def _turned(reachable: ReachablePlaces) -> Assignment | None:
    """Make a plan in which all models turn."""
    assignment = next(_shared(reachable.turned), None) if reachable.turned else None
    return replace(assignment, problem=reachable.problem) if assignment else None


def _shared(reachable: ReachablePlaces) -> Iterator[Assignment]:
    """Make plans around the models that engage all targets with the shortest moves."""
    for longest, sharing in engagers(reachable)[:PULLED_SHARINGS]:
        assignment = from_sharing(reachable, sharing, manners(1)[0]) if math.isfinite(longest) else None
        if assignment is not None:
            yield assignment


def _pulled(reachable: ReachablePlaces) -> Assignment | None:
    """Pull the unit as it stands into a complete plan, with the longest move as short as can be."""
    for longest, sharing in engagers(reachable)[:PULLED_SHARINGS]:
        if math.isfinite(longest):
            assignment, ties = first_ties(reachable, sharing)
            found = stretched(reachable, assignment, ties, furthest=True)
            if found is not None:
                return found
    return None


def least(task: Task, *, budget: Budget, enough: float = math.inf) -> Least:
    """Give the least distance at which a task has a plan, whatever its own limit; `enough` is a distance that is known to do."""
    farthest = task.situation.farthest
    whole = reachable_of(task.within(min(farthest, enough)))
    straight = max(straight_bound(whole), chain_bound(whole))
    if not straight <= farthest:
        return Least(math.inf, math.inf, "exact")
    near = whole if enough < math.inf else reachable_of(task.within(min(farthest, straight + DETOUR)))
    bound = reach_bound(near)
    far = near if bound < math.inf else whole
    bound = bound if bound < math.inf else reach_bound(whole)
    if not bound <= farthest:
        return Least(math.inf, math.inf, "exact")
    is_asked = math.isinf(enough) or not budget.is_spent(0)
    if is_asked and _is_enough(task, bound, budget) is not None:
        return Least(bound, bound, "exact")
    return _above(task, far, bound, enough, budget)


def _is_enough(task: Task, distance: float, budget: Budget) -> Assignment | None:
    return some_plan(reachable_of(task.within(distance)), budget=budget)


def _above(task: Task, far: ReachablePlaces, bound: float, enough: float, budget: Budget) -> Least:
    """Look for the least distance above a bound that may be out of reach."""
    farthest = task.situation.farthest
    if len(far.options) == 1:
        alone = min(enough, far.shortest(0, np.asarray(far.options[0].candidates.engaged.all(axis=1))))
        return Least(alone, bound, "tolerance" if alone - bound <= TOLD_TO else "best_found")
    if not far.comes_closer:
        return Least(math.inf, math.inf, "tolerance")
    company, trees = CoherencyBound(far), SpanningTrees(far)
    if company.is_asked:
        bound = company.least_distance(bound, min(enough, farthest))
    if trees.can_be_asked and not budget.is_spent(0):
        bound = max(bound, trees.least_distance(min(enough, farthest)) - TREE_SLACK)
    if bound > farthest - TOLD_TO:
        return Least(math.inf, math.inf, "tolerance")
    if math.isinf(enough):
        assignment = some_plan(far, budget=budget) or _is_enough(task, farthest, budget)
        enough = math.inf if assignment is None else _tightened(far, assignment)
    regions = PlaneSearch(far)
    if math.isinf(enough) and regions.can_be_asked and not budget.is_spent(0):
        bound = max(bound, regions.least_distance(farthest))
        if bound > farthest - TOLD_TO:
            return Least(math.inf, math.inf, "tolerance")
    of_others = HALVINGS_OF_OTHERS if len(far.options) <= MOST_IN_TREES else 0
    return _narrowed(task, far, (bound, enough), budget, halvings=HALVINGS if far.problem.is_round else of_others)


def _narrowed(task: Task, far: ReachablePlaces, between: tuple[float, float], budget: Budget, *, halvings: int) -> Least:
    """Look for plans between a distance that is too short and one that is enough, each pulled as tight as it goes."""
    bound, high = between
    low = bound
    for work in range(halvings):
        if math.isinf(high) or high - low <= TOLD_TO or budget.is_spent(work):
            break
        whole = math.ceil(high - TOLD_TO) - 1.0
        middle = whole if low + TOLD_TO < whole and high - low < NARROW else (low + high) / 2.0
        found = _is_enough(task, middle, budget)
        if found is None:
            low = middle
        else:
            high = min(middle, _tightened(far, found))
    return Least(high, bound, "tolerance" if high - bound <= TOLD_TO else "best_found")


def _tightened(far: ReachablePlaces, assignment: Assignment) -> float:
    """Give the longest move of a plan once it is pulled tight; that plan is remembered."""
    tight = stretched(far, assignment, ties_of(far, assignment), furthest=True)
    if tight is not None and float(tight.lengths.max()) < float(assignment.lengths.max()):
        assignment = tight
    remember(assignment)
    return float(assignment.lengths.max())


def remember(assignment: Assignment) -> None:
    """Keep a complete plan with its situation, for limits of at least its longest move."""
    assignment.problem.situation.memory.plans.append(assignment)


def recalled(reachable: ReachablePlaces) -> list[Assignment]:
    """Return the shortest of the plans kept that is one of a task without models placed, as a list; none if there is none."""
    task = reachable.problem.task
    if task.placed:
        return []
    known = [assignment for assignment in task.situation.memory.plans if assignment.problem.task.asked >= task.asked]
    lengths = np.array([float(assignment.lengths.max()) for assignment in known])
    if not known or lengths.min() > task.limit + CONTACT:
        return []
    first = int(np.flatnonzero(lengths <= lengths.min() + CONTACT)[0])  # no rounding decides
    return [replace(known[first], problem=reachable.problem)]
