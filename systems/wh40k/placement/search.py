"""Where all models of a charging unit end: some plan, the best plan, and the least distance for which there is one."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from systems.wh40k.owing import MOST_DOUBTS, Owing
from systems.wh40k.placement.assignment import Layout
from systems.wh40k.placement.bounds import chain_bound, most_contacts, most_engaged, reach_bound, straight_bound, tree_bound
from systems.wh40k.placement.branch_and_bound import Regions
from systems.wh40k.placement.branch_and_bound_turning import Turnings
from systems.wh40k.placement.caged_construction import from_caged
from systems.wh40k.placement.coherency_bound import Company
from systems.wh40k.placement.incumbents import recalled
from systems.wh40k.placement.least_distance import least, made, some_plan
from systems.wh40k.placement.local_search import improved, is_better, move_lengths
from systems.wh40k.placement.packing_bound import filled
from systems.wh40k.placement.polish import stretched, ties_of, with_one_more_contact
from systems.wh40k.placement.reachable import Yard, yard_of
from systems.wh40k.placement.spanning_tree_bound import FEW, Trees
from systems.wh40k.placement.task import Answer, End, Least, Plan, Task
from tabletop.budget import Budget
from tabletop.ruling.finding import Proof
from tabletop.units import CONTACT, MARGINAL

MOST_POLISHED = 4
"""Plans of a few models that are improved to the end: which of them is shortest shows only then."""

ROUNDS, ROUNDS_OF_MANY = 12, 2
"""Times that a plan of a few models, or of many, is improved one by one and then pulled tight."""

SHORTER = (0.75, 0.5, 0.25, 0.0)
"""Shares of the distance above the least that can do, at which a plan is looked for where none was found."""

TIGHTENING = 0.3
"""Seconds that it may take to pull a plan tight: it is not begun if fewer are left."""

STARTS, STARTS_OF_OTHERS = 8, 3
"""Plans that are made from scratch before the best is improved."""


def find(task: Task, *, budget: Budget) -> Answer:
    """Find some plan that keeps the task's conditions, or tell that there is none."""
    yard = yard_of(task)
    layout = None if is_too_short(yard) else some_plan(yard, budget=budget)
    if layout is None:
        return _none(yard, budget)
    return Answer(_plan(yard, layout, most_contacts(yard)), "exact")


def best(task: Task, *, budget: Budget) -> Answer:
    """Find the plan with most contacts, then most models engaged, then least movement."""
    yard = yard_of(task)
    layout, most = (None, 0) if is_too_short(yard) else _best(yard, budget)
    if layout is None:
        return _none(yard, budget)
    plan = _plan(yard, layout, most)
    return Answer(plan, plan.proof, _limit_text(budget) if plan.proof == "best_found" else "")


def farther(plan: Plan, task: Task) -> Plan:
    """Take a plan of a shorter charge for one of a task's: what none exceeds is asked again."""
    yard = yard_of(task)
    most = max(most_contacts(yard), len(plan.contacts))
    able = max(most_engaged(yard), len(plan.engaged)) if yard.arena.wants_engaged else len(plan.engaged)
    proof: Proof = "exact" if most == len(plan.contacts) else "best_found"
    return replace(plan, most_contacts=most, most_engaged=able, proof=proof, shortest="best_found", choices=None)


def _none(yard: Yard, budget: Budget) -> Answer:
    """Answer that no plan was found, and whether that is sure whatever each model does."""
    limit = yard.arena.task.limit + CONTACT
    if is_too_short(yard):
        return Answer(None, "exact")
    company = Company(yard)
    if company.is_asked and not company.allows(limit):
        return Answer(None, "exact")
    if not yard.comes_closer:
        return Answer(None, "tolerance")
    for bound in (Trees(yard), Regions(yard), Turnings(yard)):
        if bound.can_be_asked and not budget.is_spent(0) and bound.least_distance(limit + 2.0 * MARGINAL) > limit + MARGINAL:
            return Answer(None, "tolerance")
    return Answer(None, "best_found", _limit_text(budget))


def is_too_short(yard: Yard) -> bool:
    """Tell whether even straight ways, the longest chain, or the models looked at one by one tell that there is no plan."""
    limit = yard.arena.task.limit + CONTACT
    return not max(straight_bound(yard), chain_bound(yard)) <= limit or not reach_bound(yard) <= limit


def _limit_text(budget: Budget) -> str:
    return f"The search ended at its limit of {budget.seconds:g} s." if budget.seconds is not None and budget.is_spent(0) else ""


def least_distance(task: Task, *, budget: Budget, enough: float = math.inf) -> Least:
    """Give the infimum of the distances for which there is a plan; the task's own limit is not read, `enough` is known to do."""
    return least(task, budget=budget, enough=enough)


def _best(yard: Yard, budget: Budget) -> tuple[Layout | None, int]:
    """Find the best plan, and a number of contacts that none exceeds."""
    found, most = filled(yard, budget)
    is_small = len(yard.arena.movers.models) <= FEW and yard.arena.is_round
    is_open = not found or is_small or max(layout.counts[0] for layout in found) < most
    if is_open and not (found and budget.is_spent(0)):
        found += _grown(yard, budget, len(yard.options) + 1 if is_small else most)
    if not found:
        found += _from_shorter(yard, budget)
    best: Layout | None = None
    for layout in _fullest(found, MOST_POLISHED if is_small else 1):
        polished, most = _polished(yard, layout, most, budget)
        if best is None or is_better(polished.counts, best.counts):
            best = polished
    if best is not None and best.counts[0] < most and is_small:
        fuller = _fuller(yard, best.counts[0], budget)
        best, most = (best, most) if fuller is None else _polished(yard, fuller, most, budget)
    while best is not None and best.counts[0] < most and not (yard.arena.task.placed or budget.is_spent(0)):
        owed = _owed(yard, best, budget)
        if owed is None:
            break
        best, most = _polished(yard, owed, most, budget)
    return best, most


def _owed(yard: Yard, layout: Layout, budget: Budget) -> Layout | None:
    """Give a plan with one more model in contact that its judge would ask for, None if he would ask for none."""
    arena, touching = yard.arena, layout.spots.touching
    order = np.lexsort((np.arange(len(touching)), np.round(layout.lengths / CONTACT), ~touching)).tolist()
    owing = Owing(arena.task.scene, arena.task.limit, tuple(arena.model_at(row, layout.spots, row) for row in order))
    doubts = 0
    for turn in range(int(touching.sum()), len(order)):
        debt = owing.contact(turn, budget=budget, is_quick=doubts >= MOST_DOUBTS)
        if debt.plan is not None:
            lengths = [float(move_lengths(yard, row, debt.plan.spots.of(np.array([row])))[0]) for row in range(len(order))]
            return replace(debt.plan, arena=arena, lengths=np.array(lengths)) if np.isfinite(lengths).all() else None
        doubts += debt.proof == "best_found"
    return None


def _grown(yard: Yard, budget: Budget, most: int) -> list[Layout]:
    """Make plans from scratch in several ways, one in any case, until one has as many contacts as is enough.

    Larger units are placed around those of their models that are caged only if there is no other plan.
    """
    found, is_small = list[Layout](), len(yard.options) <= FEW
    for work, (layout, is_last) in enumerate(_all_made(yard)):
        if is_last and found and not is_small:
            break
        found += [] if layout is None else [layout]
        if budget.is_spent(work) or (layout is not None and layout.counts[0] >= most):
            break
    return found


def _all_made(yard: Yard) -> Iterator[tuple[Layout | None, bool]]:
    """Make plans in all ways there are, and tell of each whether it is one around caged models, which come last."""
    yield from ((layout, False) for layout in made(yard, STARTS if yard.arena.is_round else STARTS_OF_OTHERS))
    yield from ((layout, True) for layout in from_caged(yard))


def _fullest(found: list[Layout], count: int) -> list[Layout]:
    """Give some plans, the best first, of those with the same counts one."""
    ordered = sorted(found, key=lambda layout: layout.counts, reverse=True)
    different = {tuple(round(value, 4) for value in layout.counts): layout for layout in reversed(ordered)}
    return sorted(different.values(), key=lambda layout: layout.counts, reverse=True)[:count]


def _shorter(yard: Yard) -> Iterator[Yard]:
    """Give the yards of shorter charges, down to the least that can do."""
    task, bound = yard.arena.task, reach_bound(yard)
    return (yard_of(task.within(bound + share * (task.limit - bound))) for share in SHORTER)


def _from_shorter(yard: Yard, budget: Budget) -> list[Layout]:
    """Find a plan of a shorter charge: it is one of this charge too, and sometimes easier to find, or it was found before."""
    known = recalled(yard)
    if known:
        return known
    for work, shorter in enumerate(_shorter(yard)):
        layout = some_plan(shorter, budget=budget)
        if layout is not None:
            return [replace(layout, arena=yard.arena)]
        if budget.is_spent(work):
            break
    return []


def _fuller(yard: Yard, known: int, budget: Budget) -> Layout | None:
    """Find a plan of a shorter charge with more than `known` models in contact: it is one of this charge too."""
    for work, shorter in enumerate(_shorter(yard)):
        if budget.is_spent(work):
            break
        found = _grown(shorter, budget, known + 1)
        if found and found[-1].counts[0] > known:
            return replace(found[-1], arena=yard.arena)
    return None


def _polished(yard: Yard, layout: Layout, most: int, budget: Budget) -> tuple[Layout, int]:
    """Improve a plan model by model, then all models together, for as long as it helps."""
    movable = [mover for mover in range(len(layout.placed)) if not yard.start.placed[mover]]
    for work in range(ROUNDS if len(movable) <= FEW else ROUNDS_OF_MANY):
        layout = improved(yard, layout, movable, budget=budget)
        if budget.is_spent(work) or budget.seconds_left < TIGHTENING:
            break
        tight = stretched(yard, layout, ties_of(yard, layout))
        if (tight is None or not is_better(tight.counts, layout.counts)) and layout.counts[0] < most:
            most = min(most, tree_bound(yard, most, layout.counts[0]))
            tight = with_one_more_contact(yard, layout) if layout.counts[0] < most else None
        if tight is None or not is_better(tight.counts, layout.counts):
            break
        layout = tight
    return layout, most


def _plan(yard: Yard, layout: Layout, most: int) -> Plan:
    models = [yard.arena.model_at(row, layout.spots, row) for row in range(len(layout.placed))]
    numbers = [model.number for model in models]
    ends = {model.number: End(model.pose, model.z) for model in models}
    contacts = tuple(number for number, is_touching in zip(numbers, layout.spots.touching, strict=True) if is_touching)
    engaged = tuple(number for number, is_near in zip(numbers, layout.spots.is_engaged, strict=True) if is_near)
    lengths = dict(zip(numbers, layout.lengths.tolist(), strict=True))
    proof: Proof = "exact" if most <= len(contacts) else "best_found"
    able = max(len(engaged), most_engaged(yard)) if yard.arena.wants_engaged else len(engaged)
    return Plan(ends, lengths, contacts, engaged, max(most, len(contacts)), able, proof, choices=_choices(yard, layout))


def _choices(yard: Yard, layout: Layout) -> int | None:
    """Count the ends of a single model that serve the goals as well as its own; of more models they are not known."""
    if len(layout.placed) > 1 or yard.start.placed.any():
        return None
    spots, length = yard.options[0].spots, float(layout.lengths[0])
    same = (spots.touching == layout.spots.touching[0]) & spots.engaged.all(axis=1)
    near = yard.options[0].lengths <= length + CONTACT
    rows = np.flatnonzero(same & near)
    rows = rows[np.abs(yard.costs(0, spots.of(rows)) - length) <= CONTACT]
    kept: list[np.ndarray] = []
    for place in spots.at[rows]:
        if all(np.hypot(*(place - other)) > MARGINAL for other in kept):
            kept.append(place)
    return max(1, len(kept))
