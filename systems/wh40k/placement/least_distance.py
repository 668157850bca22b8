"""The least charge distance for which there is a plan: from below by what no plan can do better than, from above by plans."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from systems.wh40k.placement.assignment import Layout
from systems.wh40k.placement.bounds import chain_bound, engagers, reach_bound, straight_bound
from systems.wh40k.placement.branch_and_bound import Regions
from systems.wh40k.placement.caged_construction import from_caged
from systems.wh40k.placement.coherency_bound import Company
from systems.wh40k.placement.construction import from_sharing, grown, manners
from systems.wh40k.placement.incumbents import remember
from systems.wh40k.placement.pair_construction import paired
from systems.wh40k.placement.polish import first_ties, stretched, ties_of
from systems.wh40k.placement.reachable import Yard, yard_of
from systems.wh40k.placement.spanning_tree_bound import FEW, Trees
from systems.wh40k.placement.task import Least, Task
from systems.wh40k.roll import MOST_NEEDED
from tabletop.budget import Budget

FAR = float(MOST_NEEDED)
"""Inches: no charge goes farther than two sixes with the greatest bonus."""

GRAIN = 1e-3
"""Inches to which a least distance is told; nearer to one than this a distance is asked about itself."""

DETOUR = 4.0
"""Inches more than in a straight line that are looked at first."""

TRIES = 4
"""Plans made from scratch before it is taken that there is none."""

SLACK = 2e-4
"""Inches that the least move of a tree may be off."""

HALVINGS, HALVINGS_OF_OTHERS = 10, 4
"""Distances at which a plan is looked for between what is too short and what is enough: of discs, and of a few that may turn as well."""

NARROW = 2.0
"""Inches between too short and enough from which on whole inches are asked about first: they decide about rolls."""

SHARINGS = 3
"""Ways to share the targets among models from which a plan is pulled into shape."""


def some_plan(yard: Yard, *, budget: Budget) -> Layout | None:
    """Find a complete plan: model by model, else by pulling the whole unit along; one way is tried whatever the budget."""
    for work, layout in enumerate(chain(made(yard, TRIES), from_caged(yard))):
        if layout is not None:
            return layout
        if budget.is_spent(work):
            return None
    return None


def made(yard: Yard, count: int) -> Iterator[Layout | None]:
    """Make plans in one way after the other, None where one leads nowhere: grown in so many manners, then as whole units."""
    yield from (grown(yard, yard.start, manner) for manner in manners(count))
    yield from _shared(yard)
    yield from paired(yard)
    yield _pulled(yard)
    yield _turned(yard)


def _turned(yard: Yard) -> Layout | None:
    """Make a plan in which all models turn."""
    layout = next(_shared(yard.turned), None) if yard.turned else None
    return replace(layout, arena=yard.arena) if layout else None


def _shared(yard: Yard) -> Iterator[Layout]:
    """Make plans around the models that engage all targets with the shortest moves."""
    for longest, sharing in engagers(yard)[:SHARINGS]:
        layout = from_sharing(yard, sharing, manners(1)[0]) if math.isfinite(longest) else None
        if layout is not None:
            yield layout


def _pulled(yard: Yard) -> Layout | None:
    """Pull the unit as it stands into a complete plan, with the longest move as short as can be."""
    for longest, sharing in engagers(yard)[:SHARINGS]:
        if math.isfinite(longest):
            layout, ties = first_ties(yard, sharing)
            found = stretched(yard, layout, ties, furthest=True)
            if found is not None:
                return found
    return None


def least(task: Task, *, budget: Budget, enough: float = math.inf) -> Least:
    """Give the least distance at which a task has a plan, whatever its own limit; `enough` is a distance that is known to do."""
    whole = yard_of(task.within(min(FAR, enough)))
    straight = max(straight_bound(whole), chain_bound(whole))
    if not straight <= FAR:
        return Least(math.inf, math.inf, "exact")
    near = whole if enough < math.inf else yard_of(task.within(min(FAR, straight + DETOUR)))
    bound = reach_bound(near)
    far = near if bound < math.inf else whole
    bound = bound if bound < math.inf else reach_bound(whole)
    if not bound <= FAR:
        return Least(math.inf, math.inf, "exact")
    is_asked = math.isinf(enough) or not budget.is_spent(0)
    if is_asked and _is_enough(task, bound, budget) is not None:
        return Least(bound, bound, "exact")
    return _above(task, far, bound, enough, budget)


def _is_enough(task: Task, distance: float, budget: Budget) -> Layout | None:
    return some_plan(yard_of(task.within(distance)), budget=budget)


def _above(task: Task, far: Yard, bound: float, enough: float, budget: Budget) -> Least:
    """Look for the least distance above a bound that may be out of reach."""
    if len(far.options) == 1:
        alone = min(enough, far.shortest(0, np.asarray(far.options[0].spots.engaged.all(axis=1))))
        return Least(alone, bound, "tolerance" if alone - bound <= GRAIN else "best_found")
    if not far.comes_closer:
        return Least(math.inf, math.inf, "tolerance")
    company, trees = Company(far), Trees(far)
    if company.is_asked:
        bound = company.least_distance(bound, min(enough, FAR))
    if trees.can_be_asked and not budget.is_spent(0):
        bound = max(bound, trees.least_distance(min(enough, FAR)) - SLACK)
    if bound > FAR - GRAIN:
        return Least(math.inf, math.inf, "tolerance")
    if math.isinf(enough):
        layout = some_plan(far, budget=budget) or _is_enough(task, FAR, budget)
        enough = math.inf if layout is None else _tightened(far, layout)
    regions = Regions(far)
    if math.isinf(enough) and regions.can_be_asked and not budget.is_spent(0):
        bound = max(bound, regions.least_distance(FAR))
        if bound > FAR - GRAIN:
            return Least(math.inf, math.inf, "tolerance")
    of_others = HALVINGS_OF_OTHERS if len(far.options) <= FEW else 0
    return _narrowed(task, far, (bound, enough), budget, halvings=HALVINGS if far.arena.is_round else of_others)


def _narrowed(task: Task, far: Yard, between: tuple[float, float], budget: Budget, *, halvings: int) -> Least:
    """Look for plans between a distance that is too short and one that is enough, each pulled as tight as it goes."""
    bound, high = between
    low = bound
    for work in range(halvings):
        if math.isinf(high) or high - low <= GRAIN or budget.is_spent(work):
            break
        whole = math.ceil(high - GRAIN) - 1.0
        middle = whole if low + GRAIN < whole and high - low < NARROW else (low + high) / 2.0
        found = _is_enough(task, middle, budget)
        if found is None:
            low = middle
        else:
            high = min(middle, _tightened(far, found))
    return Least(high, bound, "tolerance" if high - bound <= GRAIN else "best_found")


def _tightened(far: Yard, layout: Layout) -> float:
    """Give the longest move of a plan once it is pulled tight; that plan is remembered."""
    tight = stretched(far, layout, ties_of(far, layout), furthest=True)
    if tight is not None and float(tight.lengths.max()) < float(layout.lengths.max()):
        layout = tight
    remember(layout)
    return float(layout.lengths.max())
