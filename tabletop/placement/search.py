"""Where all models of a unit may end: some plan (`find`), the best plan (`best`), and the least distance with a plan (`least_distance`).

Each question goes the same way: bounds tell whether there can be a plan, constructions make one, and for the best it is improved until
nothing helps or no plan can have more contacts. The least distance is bounded from below by what no plan can do better than, and from
above by plans that are found.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from tabletop.budget import Budget, Proof
from tabletop.messages import say
from tabletop.placement.bounds import (
    MOST_IN_TREES,
    CoherencyBound,
    SpanningTrees,
    chain_bound,
    engagers,
    least_total,
    most_contacts,
    most_engaged,
    reach_bound,
    straight_bound,
    tree_bound,
)
from tabletop.placement.branch_and_bound import PlaneSearch, TurningSearch
from tabletop.placement.candidates import ReachablePlaces, reachable_of
from tabletop.placement.chains import chained
from tabletop.placement.claims import claimed
from tabletop.placement.construct import from_caged, from_sharing, grown, manners, paired
from tabletop.placement.contact_packing import filled
from tabletop.placement.improve import first_ties, improved, is_better, move_lengths, stretched, ties_of
from tabletop.placement.insertion import with_one_more
from tabletop.placement.mandatory_contact import OPEN_DEBTS, Owing
from tabletop.placement.partial_plan import Assignment
from tabletop.placement.problem import Answer, End, KnownPlan, Least, Plan, Task
from tabletop.placement.together import together
from tabletop.units import CONTACT, MARGINAL

PLANS_TRIED = 4
"""Plans made from scratch before it is taken that there is none."""

SHARINGS = 3
"""Ways to share the targets among models around which a plan is made."""

STARTS, STARTS_OF_OTHERS = 8, 3
"""Plans that are made from scratch before the best is improved."""

SHORTER = (0.75, 0.5, 0.25, 0.0)
"""Shares of the distance above the least that can do, at which a plan is looked for where none was found."""

MOST_POLISHED = 4
"""Plans of a few models that are improved to the end: which of them is shortest shows only then."""

ROUNDS, ROUNDS_OF_MANY = 12, 2
"""Times that a plan of a few models, or of many, is improved one by one and then pulled tight."""

TIGHTENING = 0.3
"""Seconds that it may take to pull a plan tight: it is not begun if fewer are left."""

TOLD_TO = 1e-3
"""Inches to which a least distance is told; nearer to one than this a distance is asked about itself."""

DETOUR = 4.0
"""Inches more than in a straight line that are looked at first."""

TREE_SLACK = 2e-4
"""Inches that the least move of a tree may be off."""

HALVINGS, HALVINGS_OF_OTHERS = 10, 4
"""Distances at which a plan is looked for between what is too short and what is enough: of discs, and of a few that may turn as well."""

NARROW = 2.0
"""Inches between too short and enough from which on whole inches are asked about first: they decide about rolls."""


def find(task: Task, *, budget: Budget) -> Answer:
    """Find some plan that keeps the task's conditions, or tell that there is none."""
    reachable = reachable_of(task)
    assignment = None if is_too_short(reachable) else some_plan(reachable, budget=budget)
    if assignment is None:
        return _none(reachable, budget)
    return Answer(_plan(reachable, assignment, most_contacts(reachable)), "exact")


def is_too_short(reachable: ReachablePlaces) -> bool:
    """Tell whether even straight ways, the longest chain, or the models looked at one by one tell that there is no plan."""
    limit = reachable.problem.task.limit + CONTACT
    return not max(straight_bound(reachable), chain_bound(reachable)) <= limit or not reach_bound(reachable) <= limit


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
    yield from chained(reachable)
    combined = list(together(reachable, (-1, -1)))
    yield from combined or paired(reachable)
    yield _pulled(reachable)
    assignment = next(_shared(reachable.turned), None) if reachable.turned else None
    yield (replace(assignment, problem=reachable.problem) if assignment else None)


def _shared(reachable: ReachablePlaces) -> Iterator[Assignment]:
    """Make plans around the models that engage all targets with the shortest moves."""
    for longest, sharing in engagers(reachable)[:SHARINGS]:
        assignment = from_sharing(reachable, sharing, manners(1)[0]) if math.isfinite(longest) else None
        if assignment is not None:
            yield assignment


def _pulled(reachable: ReachablePlaces) -> Assignment | None:
    """Pull the unit as it stands into a complete plan, with the longest move as short as can be."""
    for longest, sharing in engagers(reachable)[:SHARINGS]:
        if math.isfinite(longest):
            assignment, ties = first_ties(reachable, sharing)
            found = stretched(reachable, assignment, ties, furthest=True)
            if found is not None:
                return found
    return None


def _none(reachable: ReachablePlaces, budget: Budget) -> Answer:
    """Answer that no plan was found, and whether that is sure whatever each model does."""
    limit = reachable.problem.task.limit + CONTACT
    if is_too_short(reachable):
        return Answer(None, "exact")
    company = CoherencyBound(reachable)
    if company.is_asked and not company.allows(limit):
        return Answer(None, "exact")
    if not reachable.comes_closer:
        return Answer(None, "tolerance")
    for bound in (SpanningTrees(reachable), PlaneSearch(reachable), TurningSearch(reachable)):
        if bound.can_be_asked and not budget.is_spent(0) and bound.least_distance(limit + 2.0 * MARGINAL) > limit + MARGINAL:
            return Answer(None, "tolerance")
    return Answer(None, "best_found", _limit_text(budget))


def _limit_text(budget: Budget) -> str:
    if budget.seconds is None or not budget.is_spent(0):
        return ""
    return say("The search ended at its limit of {seconds:g} s.", seconds=budget.seconds)


def _plan(reachable: ReachablePlaces, assignment: Assignment, most: int) -> Plan:
    models = [reachable.problem.model_at(row, assignment.candidates, row) for row in range(len(assignment.placed))]
    numbers = [model.number for model in models]
    ends = {model.number: End(model.pose, model.z) for model in models}
    contacts = tuple(number for number, is_touching in zip(numbers, assignment.candidates.touching, strict=True) if is_touching)
    engaged = tuple(number for number, is_near in zip(numbers, assignment.candidates.is_engaged, strict=True) if is_near)
    lengths = dict(zip(numbers, assignment.lengths.tolist(), strict=True))
    able = max(len(engaged), most_engaged(reachable)) if reachable.problem.situation.wants_engaged else len(engaged)
    return Plan(
        ends, lengths, contacts, engaged, max(most, len(contacts)), able, _shortest(reachable, assignment), _choices(reachable, assignment)
    )


def _shortest(reachable: ReachablePlaces, assignment: Assignment) -> Proof:
    """Tell how sure it is that no plan with the same counts moves less in total."""
    contacts, engaged, unmoved = assignment.counts
    spare = -unmoved - least_total(reachable, contacts, engaged, -unmoved)
    return "exact" if spare <= CONTACT else "tolerance" if spare <= TOLD_TO else "best_found"


def _choices(reachable: ReachablePlaces, assignment: Assignment) -> int | None:
    """Count the ends of a single model that serve the goals as well as its own; of more models they are not known."""
    if len(assignment.placed) > 1 or reachable.start.placed.any():
        return None
    candidates, length = reachable.options[0].candidates, float(assignment.lengths[0])
    same = (candidates.touching == assignment.candidates.touching[0]) & candidates.engaged.all(axis=1)
    near = reachable.options[0].lengths <= length + CONTACT
    rows = np.flatnonzero(same & near)
    rows = rows[np.abs(reachable.costs(0, candidates.of(rows)) - length) <= CONTACT]
    kept: list[np.ndarray] = []
    for place in candidates.at[rows]:
        if all(np.hypot(*(place - other)) > MARGINAL for other in kept):
            kept.append(place)
    return max(1, len(kept))


def best(task: Task, *, budget: Budget) -> Answer:
    """Find the plan with most contacts, then most models engaged, then least movement."""
    reachable = reachable_of(task)
    assignment, most = (None, 0) if is_too_short(reachable) else _best(reachable, budget)
    if assignment is None:
        return _none(reachable, budget)
    plan = _plan(reachable, assignment, most)
    return Answer(plan, plan.proof, _limit_text(budget) if plan.proof == "best_found" else "")


def _best(reachable: ReachablePlaces, budget: Budget) -> tuple[Assignment | None, int]:
    """Find the best plan, and a number of contacts that none exceeds."""
    (found, most), offered = filled(reachable, budget), claimed(reachable)
    is_small = len(reachable.problem.movers.models) <= MOST_IN_TREES and reachable.problem.is_round
    is_open = not found or is_small or max(assignment.counts[0] for assignment in found) < most
    if is_open and not (found and budget.is_spent(0)):
        found += _grown(reachable, budget, len(reachable.options) + 1 if is_small else most)
    if not (found or offered):
        found += _from_shorter(reachable, budget)
    best: Assignment | None = None
    for assignment in (*_fullest(found, MOST_POLISHED if is_small else 1), *offered):
        polished, most = _polished(reachable, assignment, most, budget)
        if best is None or is_better(polished.counts, best.counts):
            best = polished
    while best is not None and _may_engage_more(reachable, best) and not budget.is_spent(0):
        wider = with_one_more(reachable, best, "engagement", budget=budget)
        if wider is None:
            break
        best, most = _polished(reachable, wider, most, budget)
    while best is not None and best.counts[0] < most and not (reachable.problem.task.placed or budget.is_spent(0)):
        owed = _owed(reachable, best, budget)
        if owed is None:
            break
        best, most = _polished(reachable, owed, most, budget)
    return best, most


def _grown(reachable: ReachablePlaces, budget: Budget, most: int) -> list[Assignment]:
    """Make plans from scratch in several ways, one in any case, until one has as many contacts as is enough.

    Larger units are placed around those of their models that are caged only if there is no other plan.
    """
    found, is_small = list[Assignment](), len(reachable.options) <= MOST_IN_TREES
    for work, (assignment, is_last) in enumerate(_all_made(reachable)):
        if is_last and found and not is_small:
            break
        found += [] if assignment is None else [assignment]
        if budget.is_spent(work) or (assignment is not None and assignment.counts[0] >= most):
            break
    return found


def _all_made(reachable: ReachablePlaces) -> Iterator[tuple[Assignment | None, bool]]:
    """Make plans in all ways there are, and tell of each whether it is one around caged models, which come last."""
    yield from ((assignment, False) for assignment in made(reachable, STARTS if reachable.problem.is_round else STARTS_OF_OTHERS))
    yield from ((assignment, True) for assignment in from_caged(reachable))


def _from_shorter(reachable: ReachablePlaces, budget: Budget) -> list[Assignment]:
    """Find a plan within a shorter limit: it is one of this task too, and sometimes easier to find, or it was found before."""
    known = recalled(reachable)
    if known:
        return known
    for work, shorter in enumerate(_shorter(reachable)):
        assignment = some_plan(shorter, budget=budget)
        if assignment is not None:
            return [replace(assignment, problem=reachable.problem)]
        if budget.is_spent(work):
            break
    return []


def _shorter(reachable: ReachablePlaces) -> Iterator[ReachablePlaces]:
    """Give the reachable places within shorter limits, down to the least that can do."""
    task, bound = reachable.problem.task, reach_bound(reachable)
    return (reachable_of(task.within(bound + share * (task.limit - bound))) for share in SHORTER)


def _fullest(found: list[Assignment], count: int) -> list[Assignment]:
    """Give some plans, the best first, of those with the same counts one."""
    ordered = sorted(found, key=lambda assignment: assignment.counts, reverse=True)
    different = {tuple(round(value, 4) for value in assignment.counts): assignment for assignment in reversed(ordered)}
    return sorted(different.values(), key=lambda assignment: assignment.counts, reverse=True)[:count]


def _polished(reachable: ReachablePlaces, assignment: Assignment, most: int, budget: Budget) -> tuple[Assignment, int]:
    """Improve a plan model by model, then all models together, for as long as it helps."""
    movable = [mover for mover in range(len(assignment.placed)) if not reachable.start.placed[mover]]
    for work in range(ROUNDS if len(movable) <= MOST_IN_TREES else ROUNDS_OF_MANY):
        assignment = improved(reachable, assignment, movable, budget=budget)
        if budget.is_spent(work) or budget.seconds_left < TIGHTENING:
            break
        tight = stretched(reachable, assignment, ties_of(reachable, assignment))
        if (tight is None or not is_better(tight.counts, assignment.counts)) and assignment.counts[0] < most:
            most = min(most, tree_bound(reachable, most, assignment.counts[0]))
            tight = with_one_more(reachable, assignment, "contact", budget=budget) if assignment.counts[0] < most else None
        if tight is None or not is_better(tight.counts, assignment.counts):
            break
        assignment = tight
    return assignment, most


def _may_engage_more(reachable: ReachablePlaces, assignment: Assignment) -> bool:
    """Tell whether more models might be engaged."""
    problem = reachable.problem
    return problem.situation.wants_engaged and not problem.task.placed and assignment.counts[1] < most_engaged(reachable)


def _owed(reachable: ReachablePlaces, assignment: Assignment, budget: Budget) -> Assignment | None:
    """Give a plan with one more model in contact that its judge would ask for, None if he would ask for none."""
    problem, touching = reachable.problem, assignment.candidates.touching
    order = np.lexsort((np.arange(len(touching)), np.round(assignment.lengths / CONTACT), ~touching)).tolist()
    owing = Owing(problem.situation, problem.task.limit, tuple(problem.model_at(row, assignment.candidates, row) for row in order))
    doubts = 0
    for turn in range(int(touching.sum()), len(order)):
        debt = owing.contact(turn, budget=budget, is_quick=doubts >= OPEN_DEBTS)
        if debt.plan is not None:
            lengths = [float(move_lengths(reachable, row, debt.plan.candidates.of(np.array([row])))[0]) for row in range(len(order))]
            return replace(debt.plan, problem=problem, lengths=np.array(lengths)) if np.isfinite(lengths).all() else None
        doubts += debt.proof == "best_found"
    return None


def farther(plan: Plan, task: Task) -> Plan:
    """Take a plan of a shorter limit for one of a task's: what none exceeds is asked again."""
    reachable = reachable_of(task)
    most = max(most_contacts(reachable), len(plan.contacts))
    able = max(most_engaged(reachable), len(plan.engaged)) if reachable.problem.situation.wants_engaged else len(plan.engaged)
    return replace(plan, most_contacts=most, most_engaged=able, shortest="best_found", choices=None)


def least_distance(task: Task, *, budget: Budget, enough: float = math.inf) -> Least:
    """Give the infimum of the distances for which there is a plan; the task's own limit is not read, `enough` is known to do."""
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
    task = assignment.problem.task
    task.situation.memory.plans.append(KnownPlan(task.asked, assignment.candidates, assignment.lengths))


def recalled(reachable: ReachablePlaces) -> list[Assignment]:
    """Return the shortest of the plans kept that is one of a task without models placed, as a list; none if there is none."""
    task = reachable.problem.task
    if task.placed:
        return []
    known = [plan for plan in task.situation.memory.plans if plan.asked >= task.asked]
    lengths = np.array([float(plan.lengths.max()) for plan in known])
    if not known or lengths.min() > task.limit + CONTACT:
        return []
    first = int(np.flatnonzero(lengths <= lengths.min() + CONTACT)[0])  # no rounding decides
    candidates, lengths = known[first].candidates, known[first].lengths
    return [Assignment(reachable.problem, candidates, lengths, np.ones(len(lengths), dtype=bool))]
