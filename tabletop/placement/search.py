"""Where all models of a unit may end: some plan (`find`), the best plan (`best`), and the least distance with a plan
(`least_distance`).

Each question is answered in the same way: bounds may prove that there is no plan, constructions make one, and for the
best it is improved until nothing helps or no plan can have more contacts. The least distance is bounded from below by
what no plan can beat, and from above by plans that are found.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from tabletop.budget import Budget, Proof
from tabletop.messages import say
from tabletop.placement.bounds import (
    MOST_IN_TREES,
    CoherencyBound,
    LeastMoves,
    SpanningTrees,
    is_unbeaten,
    least_total,
)
from tabletop.placement.candidates import Solver
from tabletop.placement.construct import (
    ORDERS,
    around_engagers,
    chained,
    confined_first,
    greedy_plan,
    together,
)
from tabletop.placement.contact_packing import packed_plans
from tabletop.placement.improve import improved, with_one_more
from tabletop.placement.objective import Counted
from tabletop.placement.partial_plan import PartialPlan, empty
from tabletop.placement.polish import active_constraints, is_apart, polished
from tabletop.placement.problem import Answer, End, Least, Plan
from tabletop.units import CONTACT, MARGINAL

PLANS_TRIED = 4
"""Orders in which plans are made from scratch before it is taken that there is none, and of bases that are not round
(which take long).
"""

SHARINGS = 3
"""Ways to share the targets among models around which a plan is made."""

MOST_IMPROVED = 5
"""Plans that are improved, since which becomes shortest shows only then; at half this number moves are longer on 11 of
110 random and crowded tables, by up to 4.7 in; at double three are shorter by up to 0.3 in, one longer by 1.3 in.
"""

ROUNDS, ROUNDS_OF_MANY = 12, 2
"""Times that a plan of a few models, or of many, is improved one by one and then pulled tight."""

FINDING, CONSTRUCTION, IMPROVEMENT, NARROWING = 0.5, 0.3, 0.8, 0.6
"""Shares of the work allowed for a first plan, for others, for improving them, and for the least distance."""

TIGHTENING = 0.3
"""Seconds that it may take to pull a plan tight: it is not begun if fewer are left."""

LEAST_DISTANCE_TOLERANCE = 1e-3
"""Tolerance of a least distance, in inches."""

DETOUR = 4.0
"""Inches more than in a straight line that are looked at first."""

TREE_SLACK = 2e-4
"""Inches that the least move of a tree may be off."""

MAX_FAILED_DISTANCES = 3
"""Distances one after the other at which no plan is found before no more are asked: without a plan nothing is
proved. At 2 the crowded table 16 is told to need up to 2.82 in rather than 2.61, at 6 up to twice as many fail."""

REMADE, MORE = 3, 0.6
"""Times that plans of a few discs are made anew to be pulled tighter, within so many inches more than what is
enough."""

TIGHTENED_AGAIN = 6
"""Times that a plan of a few discs is pulled tight along its paths and past terrain."""

TIGHTENED = 2
"""Plans, those with the shortest longest moves, that are pulled tight."""


def find(solver: Solver, *, budget: Budget) -> Answer:
    """Return some plan that keeps the limit and the conditions, or that there is none."""
    if is_too_short(solver):
        return Answer(None, LeastMoves(solver).proof)
    budget = solver.part_of(budget, FINDING)
    assignment = some_plan(solver, budget=budget)
    if assignment is None:
        return _none(solver, budget)
    return Answer(_plan(solver, assignment, LeastMoves(solver).most_contacts), "exact")


def is_too_short(solver: Solver) -> bool:
    """Return whether simple bounds prove that there is no plan: straight lines, the longest chain, and each model's
    move alone.
    """
    limit = solver.limit + CONTACT
    moves = LeastMoves(solver)
    return not (
        moves.in_straight_lines <= limit
        and CoherencyBound(solver).spans_targets
        and moves.to_engage_all <= limit
    )


def some_plan(solver: Solver, *, budget: Budget) -> PartialPlan | None:
    """Return a complete plan, a known one or else a constructed one; None if none is found.

    One construction is tried in any case.
    """
    known = solver.known_plans()
    if known or solver in solver.root.tried:
        return known[0] if known else None
    solver.root.tried.add(solver)
    for assignment in chain(
        constructed(solver, PLANS_TRIED, budget=budget), confined_first(solver)
    ):
        if assignment is not None:
            solver.keep(assignment)
            return assignment
        if solver.is_spent(budget):
            return None
    return None


def constructed(
    solver: Solver, count: int = len(ORDERS), *, budget: Budget
) -> Iterator[PartialPlan | None]:
    """Yield plans constructed in various ways, None where one fails: grown in up to `count` orders, then as whole
    units.
    """
    yield from _begun(solver, count)
    yield from together(solver)
    yield _along_chains(solver, budget)
    yield from _flown(solver)
    assignment = next(_shared(solver.turned), None) if solver.turned else None
    yield (replace(assignment, legality=solver.legality) if assignment else None)


def _begun(solver: Solver, count: int = len(ORDERS)) -> Iterator[PartialPlan | None]:
    """Yield plans grown in up to `count` orders, then around those that engage, None where one fails."""
    some = ORDERS[: count if solver.legality.is_round else PLANS_TRIED]
    yield from (greedy_plan(solver, solver.start, order) for order in some)
    yield from _shared(solver)


def _flown(solver: Solver) -> Iterator[PartialPlan]:
    """Yield the plans of the shortest flights of a single disc to where no candidate is, engaged and in contact."""
    from tabletop.placement.branch_and_bound import FlightSearch

    targets = tuple(solver.problem.target_numbers)
    for is_touching in (False, True) if len(solver.options) == 1 else ():
        flights = FlightSearch(solver, 0, targets, is_touching)
        plan = flights.plan if flights.applies else None
        if plan is not None and plan.longest <= solver.limit + CONTACT:
            yield replace(plan, legality=solver.legality)


def _along_chains(solver: Solver, budget: Budget) -> PartialPlan | None:
    """Return the known plan with the shortest longest move, after making those along chains, once for all limits; None
    without any.
    """
    far = solver.at(solver.problem.farthest)
    if far not in solver.root.strung_out and not solver.start.placed.any():
        solver.root.strung_out.add(far)
        for plan in chained(far):
            if plan is not None:
                far.keep(plan)
            if solver.is_spent(budget):
                break
    return next(iter(solver.known_plans()), None)


def _shared(solver: Solver) -> Iterator[PartialPlan]:
    """Yield plans around the models that engage all targets with the shortest moves."""
    for longest, sharing in LeastMoves(solver).assignments[:SHARINGS]:
        assignment = around_engagers(solver, sharing) if math.isfinite(longest) else None
        if assignment is not None:
            yield assignment


def _none(solver: Solver, budget: Budget) -> Answer:
    """Return the answer that no plan was found, with the proof that bounds give for it."""
    limit = solver.limit + CONTACT
    company = CoherencyBound(solver)
    if company.applies and not company.allows(limit):
        return Answer(None, "exact")
    from tabletop.placement.branch_and_bound import PlaneSearch, TurningSearch, come_closer

    if not come_closer(solver):
        return Answer(None, "tolerance")
    for bound in (SpanningTrees(solver), PlaneSearch(solver), TurningSearch(solver)):
        if (
            bound.applies
            and budget.seconds_left >= 0.0
            and bound.least_distance(limit + 2.0 * MARGINAL) > limit + MARGINAL
        ):
            return Answer(None, "tolerance")
    return Answer(None, "best_found", _limit_text(budget))


def _limit_text(budget: Budget) -> str:
    if budget.seconds is None or budget.seconds_left >= 0.0:
        return ""
    return say("The search ended at its limit of {seconds:g} s.", seconds=budget.seconds)


def _plan(solver: Solver, assignment: PartialPlan, most: int) -> Plan:
    models = [
        solver.legality.model_at(row, assignment.candidates, row)
        for row in range(len(assignment.placed))
    ]
    numbers = [model.number for model in models]
    ends = {model.number: End(model.pose, model.z) for model in models}
    contacts = tuple(
        number
        for number, is_touching in zip(numbers, assignment.candidates.touching, strict=True)
        if is_touching
    )
    engaged = tuple(
        number
        for number, is_near in zip(numbers, assignment.candidates.is_engaged, strict=True)
        if is_near
    )
    lengths = dict(zip(numbers, assignment.lengths.tolist(), strict=True))
    able = (
        max(len(engaged), LeastMoves(solver).most_engaged)
        if solver.problem.objective.wants_engaged
        else len(engaged)
    )
    return Plan(
        ends,
        lengths,
        contacts,
        engaged,
        max(most, len(contacts)),
        able,
        partial(_shortest, solver, assignment),
        partial(_choices, solver, assignment),
    )


def _shortest(solver: Solver, assignment: PartialPlan) -> Proof:
    """Return how certain it is that no plan with the same counts has a smaller total move."""
    values = assignment.values
    spare = values.move - least_total(solver, values)
    if spare <= CONTACT and solver.problem.flies:
        straight = values.move - least_total(solver, values, flies_straight=True)
        spare = min(straight, LEAST_DISTANCE_TOLERANCE)
    return (
        "exact"
        if spare <= CONTACT
        else "tolerance"
        if spare <= LEAST_DISTANCE_TOLERANCE
        else "best_found"
    )


def _choices(solver: Solver, assignment: PartialPlan) -> int | None:
    """Return the number of ends of a single model that serve the goals as well as its own; None for more models."""
    if len(assignment.placed) > 1 or solver.start.placed.any():
        return None
    candidates = solver.options[0].candidates
    length = float(assignment.lengths[0])
    same = (candidates.touching == assignment.candidates.touching[0]) & candidates.engaged.all(
        axis=1
    )
    near = solver.options[0].lengths <= length + CONTACT
    rows = np.flatnonzero(same & near)
    rows = rows[np.abs(solver.move_costs(0, candidates.of(rows)) - length) <= CONTACT]
    kept: list[np.ndarray] = []
    for place in candidates.at[rows]:
        if all(np.hypot(*(place - other)) > MARGINAL for other in kept):
            kept.append(place)
    return max(1, len(kept))


def best(solver: Solver, *, budget: Budget) -> Answer:
    """Return the best plan by the objective of its problem, or that there is none."""
    if is_too_short(solver):
        return Answer(None, LeastMoves(solver).proof)
    assignment, most = _best(solver, budget)
    if assignment is None:
        return _none(solver, budget)
    plan = _plan(solver, assignment, most)
    return Answer(plan, plan.proof, _limit_text(budget) if plan.proof == "best_found" else "")


def _best(solver: Solver, budget: Budget) -> tuple[PartialPlan | None, int]:
    """Return the best plan found, None for none, and an upper bound on the number of contacts."""
    found, most = packed_plans(solver, solver.part_of(budget, FINDING))
    if not found:  # where nobody may go farther than it takes, a plan is found soonest
        some_plan(
            solver.at(min(solver.limit, LeastMoves(solver).to_engage_all)),
            budget=solver.part_of(budget, FINDING),
        )
    if not (found and budget.seconds_left < 0.0):
        _make_more(solver, solver.part_of(budget, CONSTRUCTION), most, found)
    found += solver.known_plans()
    budget = solver.part_of(budget, IMPROVEMENT)
    trees = SpanningTrees(solver)
    best, most = _shortest_of(trees, found, most, budget)
    for goal in reversed(solver.problem.objective.counted):
        while (
            best is not None
            and _may_serve_more(solver, best, goal, most)
            and not solver.is_spent(budget)
        ):
            fuller = with_one_more(solver, best, goal, budget=budget)
            if fuller is None:
                break
            best, most = _polished(trees, fuller, most, budget)
    if best is not None and not solver.start.placed.any():
        solver.keep(best)
    return best, most


def _is_small(solver: Solver) -> bool:
    """Return whether there are so few discs that bounds tell when a plan is best."""
    return len(solver.options) <= MOST_IN_TREES and solver.legality.is_round


def _make_more(solver: Solver, budget: Budget, most: int, found: list[PartialPlan]) -> None:
    """Add plans made in several ways to those found, at least one tried; of few discs until bounds tell that one is
    best.

    Of more, where a plan has `most` contacts, only those that begin elsewhere; else all ways, until one has as many.
    """
    is_small = _is_small(solver)
    is_full = any(plan.values.contacts >= most for plan in found)
    # the sum of moves hangs on where a plan begins
    ways = _begun(solver) if is_full and not is_small else _all_ways(solver, budget, found)
    for plan in ways:
        if plan is not None:
            found.append(plan)
            becomes_full = plan.values.contacts >= most and not is_full
            if is_unbeaten(solver, plan.values, most) if is_small else becomes_full:
                break
        if solver.is_spent(budget):
            break


def _all_ways(
    solver: Solver, budget: Budget, found: list[PartialPlan]
) -> Iterator[PartialPlan | None]:
    """Yield plans constructed in all ways; those around confined models in larger units only if no other plan is
    found.
    """
    yield from constructed(solver, budget=budget)
    for assignment in confined_first(solver):
        if found and len(solver.options) > MOST_IN_TREES:
            break
        yield assignment


def _shortest_of(
    trees: SpanningTrees, found: list[PartialPlan], most: int, budget: Budget
) -> tuple[PartialPlan | None, int]:
    """Return the best plan after improving the best of those found, and the bound on contacts."""
    solver = trees.solver
    is_small = _is_small(solver)
    starts = _fullest(found, MOST_IMPROVED)
    if not is_small:  # model by model shows which becomes shortest; all together take too long
        movable = np.flatnonzero(~solver.start.placed).tolist()
        tried = [improved(solver, plan, movable, budget=budget, most=most) for plan in starts]
        starts = _fullest(tried, 1)
    best: PartialPlan | None = None
    for plan in (*starts, *solver.known_plans(claims_only=True)):
        improved_plan, most = _polished(trees, plan, most, budget)
        if best is None or improved_plan.is_better(best):
            best = improved_plan
        if is_small and is_unbeaten(solver, best.values, most):
            break
    return best, most


def _fullest(found: list[PartialPlan], count: int) -> list[PartialPlan]:
    """Return up to `count` plans, the best first, one of those with the same counts and total move."""
    ordered = sorted(found, key=lambda assignment: assignment.key, reverse=True)
    different = {
        tuple(round(value, 4) for value in assignment.key): assignment
        for assignment in reversed(ordered)
    }
    return sorted(different.values(), key=lambda assignment: assignment.key, reverse=True)[:count]


def _polished(
    trees: SpanningTrees, assignment: PartialPlan, most: int, budget: Budget
) -> tuple[PartialPlan, int]:
    """Return a plan improved model by model, then all models together, for as long as it helps, and the bound on
    contacts.
    """
    solver = trees.solver
    movable = [mover for mover in range(len(assignment.placed)) if not solver.start.placed[mover]]
    if (
        len(movable) <= MOST_IN_TREES
        and solver.legality.is_round
        and is_unbeaten(solver, assignment.values, most)
    ):
        return assignment, most
    for _ in range(ROUNDS if len(movable) <= MOST_IN_TREES else ROUNDS_OF_MANY):
        assignment = improved(solver, assignment, movable, budget=budget, most=most)
        if solver.is_spent(budget) or budget.seconds_left < TIGHTENING:
            break
        tight = polished(solver, assignment, active_constraints(solver, assignment))
        contacts = assignment.values.contacts
        if (tight is None or not tight.is_better(assignment)) and contacts < most:
            most = max(contacts, trees.most_contacts(most)) if trees.applies else most
            tight = (
                with_one_more(solver, assignment, "contact", budget=budget)
                if contacts < most
                else None
            )
        if tight is None or not tight.is_better(assignment):
            break
        assignment = tight
    return assignment, most


def _may_serve_more(solver: Solver, assignment: PartialPlan, goal: Counted, most: int) -> bool:
    """Return whether more models might count for a goal, in contact or engaged, if at most `most` can be in contact."""
    if goal == "contact":
        return assignment.values.contacts < most
    return not solver.fixed and assignment.values.engaged < LeastMoves(solver).most_engaged


def least_distance(solver: Solver, *, budget: Budget) -> Least:
    """Return the infimum of the distances for which there is a plan; the limit of the solver is not read."""
    farthest = solver.problem.farthest
    enough = solver.known_distance
    whole = solver.at(min(farthest, enough))
    straight = LeastMoves(whole).in_straight_lines
    if not (straight <= farthest and CoherencyBound(whole).spans_targets):
        return Least(math.inf, math.inf, "exact")
    near = whole if enough < math.inf else solver.at(min(farthest, straight + DETOUR))
    bound = LeastMoves(near).to_engage_all
    far = near if bound < math.inf else whole
    bound = bound if bound < math.inf else LeastMoves(whole).to_engage_all
    if not bound <= farthest:
        return Least(math.inf, math.inf, LeastMoves(whole).proof)
    is_reached = len(far.options) == 1 and far.alone <= bound
    is_asked = math.isinf(enough) or budget.seconds_left >= 0.0
    if is_reached or (
        is_asked and some_plan(far.at(bound), budget=far.part_of(budget, FINDING)) is not None
    ):
        return Least(bound, bound, LeastMoves(far).proof)
    return _above(far, bound, enough, budget)


def _above(far: Solver, bound: float, enough: float, budget: Budget) -> Least:
    """Return the least distance found above the lower bound `bound`, which may be out of reach; `enough` is known to
    suffice.
    """
    farthest = far.problem.farthest
    if len(far.options) == 1:
        return _of_one(far, bound, enough, budget)
    from tabletop.placement.branch_and_bound import PlaneSearch, come_closer

    if not come_closer(far):
        return Least(math.inf, math.inf, "tolerance")
    company = CoherencyBound(far)
    trees = SpanningTrees(far.at(farthest))  # no tree at a limit says nothing of greater ones
    if company.applies:
        bound = company.least_distance(bound, min(enough, farthest))
    if trees.applies and budget.seconds_left >= 0.0:
        bound = max(bound, trees.least_distance(min(enough, farthest), low=bound) - TREE_SLACK)
    if bound > farthest - LEAST_DISTANCE_TOLERANCE:
        return Least(math.inf, math.inf, "tolerance")
    if math.isinf(enough):
        part = far.part_of(budget, FINDING)
        some_plan(far, budget=part) or some_plan(far.at(farthest), budget=part)
    enough = _tightened(far)
    regions = PlaneSearch(far)
    if math.isinf(enough) and regions.applies and budget.seconds_left >= 0.0:
        bound = max(bound, regions.least_distance(farthest))
        if bound > farthest - LEAST_DISTANCE_TOLERANCE:
            return Least(math.inf, math.inf, "tolerance")
    return _narrowed(far, (bound, enough), budget)


def _of_one(far: Solver, bound: float, enough: float, budget: Budget) -> Least:
    """Return the least distance of a single model above the lower bound `bound`; `enough` is known to suffice."""
    farthest = far.problem.farthest
    alone = min(enough, far.alone)
    if alone > bound + LEAST_DISTANCE_TOLERANCE:
        # a flight over an obstacle may be longer than the detour that `far` allows, or end at no candidate
        whole = far.at(farthest)
        alone = min([alone, whole.alone, *(plan.longest for plan in _flown(whole))])
    is_asked = budget.explains or math.isinf(alone) or _whole_inches(bound, alone)
    if alone - bound > LEAST_DISTANCE_TOLERANCE and is_asked and budget.seconds_left >= 0.0:
        from tabletop.placement.facing import turned

        least, shorter = turned(far.at(min(alone, farthest)))
        bound = max(bound, least)
        alone = min(alone, shorter)
    return Least(
        alone, bound, "tolerance" if alone - bound <= LEAST_DISTANCE_TOLERANCE else "best_found"
    )


def _narrowed(far: Solver, between: tuple[float, float], budget: Budget) -> Least:
    """Return the least distance between one that is too short and one that is enough, by plans that are pulled tight.

    Where the distance is not told, only the whole inch that suffices is sought.
    """
    bound, high = between
    low = bound
    part = far.part_of(budget, NARROWING)
    if not budget.explains:
        low, high = _bisected(far, between, part, is_told=False)
    if budget.explains or _whole_inches(low, high):
        made = _remade(far, (bound, high), part)
        _, high = _bisected(far, (min(low, made), made), part, is_told=budget.explains)
    return Least(
        high, bound, "tolerance" if high - bound <= LEAST_DISTANCE_TOLERANCE else "best_found"
    )


def _bisected(
    far: Solver, between: tuple[float, float], part: Budget, *, is_told: bool
) -> tuple[float, float]:
    """Return the distances without and with a plan that is found between which the least lies, in inches.

    Without `is_told` only whole inches between the two given ones are asked about.
    """
    low, high = between
    failures = 0
    while (
        math.isfinite(high)
        and high - low > LEAST_DISTANCE_TOLERANCE
        and not far.is_spent(part)
        and failures < MAX_FAILED_DISTANCES
    ):
        whole = _whole_inches(low, high)
        if not (whole or is_told):
            break
        # whoever asks for the whole inch that suffices asks about the lowest in any case
        middle = (low + high) / 2.0 if not whole else whole[0 if not failures else len(whole) // 2]
        if some_plan(far.at(middle), budget=part) is None:
            low = middle
            failures = failures + 1
        else:
            high = min(middle, _tightened(far))
            failures = 0
    return low, high


def _whole_inches(low: float, high: float) -> range:
    """Return the whole inches between a distance that is too short and one that is enough; none if this is infinite."""
    first = math.floor(low + LEAST_DISTANCE_TOLERANCE) + 1
    return range(first, math.ceil(high - LEAST_DISTANCE_TOLERANCE) if high < math.inf else first)


def _remade(far: Solver, between: tuple[float, float], part: Budget) -> float:
    """Return the shortest distance known to be enough after making plans of a few discs anew, each pulled tight."""
    bound, high = between
    for _ in range(REMADE):
        if math.isinf(high) or high - bound <= LEAST_DISTANCE_TOLERANCE or far.is_spent(part):
            break
        for plan in together(far.at(high + MORE), furthest=True):
            far.keep(plan)
        shorter = min(high, _tightened(far))
        if shorter >= high - LEAST_DISTANCE_TOLERANCE:
            break
        high = shorter
    return high


def _tightened(far: Solver) -> float:
    """Return the least longest move in inches of known plans, after pulling the best ones tight; infinite if none is
    known.
    """
    for known in far.at(far.problem.farthest).known_plans()[:TIGHTENED]:
        tight = polished(
            far, known, active_constraints(far, known), furthest=True, again=TIGHTENED_AGAIN
        )
        if tight is not None and tight.longest < far.known_distance:
            far.keep(tight)
    return far.known_distance


def offer(solver: Solver, ends: Mapping[int, End], *, slack: float) -> float:
    """Record claimed ends, by model number, as a plan that every search of a problem may begin with, if they keep all
    conditions.

    A model that is claimed to touch a foe misses it by at most `slack` inches. Returns the longest move in inches;
    infinite if the ends make no plan, or have models turned in ways that no search examines.
    """
    solver = solver.at(solver.problem.farthest)
    plan = _claimed_plan(solver, ends, slack)
    if plan is None:
        return math.inf
    solver.keep(plan, is_claim=True)
    return plan.longest


def _claimed_plan(solver: Solver, ends: Mapping[int, End], slack: float) -> PartialPlan | None:
    """Return the complete plan that claimed ends stand for: the ends themselves, else of discs a plan within twice the
    slack of them.
    """
    assignment = empty(solver.legality)
    for row, model in enumerate(solver.problem.models.models):
        placed = _with_end(solver, assignment, row, ends[model.number], slack)
        if placed is None:
            return None
        assignment = placed
    if np.isfinite(assignment.lengths).all() and assignment.is_complete() and is_apart(assignment):
        return assignment
    settled = polished(
        solver, assignment, active_constraints(solver, assignment), furthest=True, stays=True
    )
    if settled is None or not np.isfinite(settled.lengths).all():
        return None
    off = np.hypot(*(settled.candidates.at - assignment.candidates.at).T).max()
    return settled if off <= 2.0 * slack else None


def _with_end(
    solver: Solver, assignment: PartialPlan, row: int, end: End, slack: float
) -> PartialPlan | None:
    """Return the plan with a model at its claimed end, snapped to a foe that it almost touches; None for a heading not
    examined.
    """
    legality = solver.legality
    model = solver.problem.models.models[row].at(end.pose, end.z)
    kind = next(
        (number for number in legality.kinds_of[row] if legality.kinds[number].is_like(model)), None
    )
    if kind is None:
        return None
    at = legality.snapped(
        legality.kinds[kind], np.array([end.pose.at]), np.array([end.z]), within=slack
    )
    z = np.array([end.z])
    candidates = legality.measured(kind, at, z)
    usable = bool(legality.are_legal(legality.kinds[kind], at, z)[0])
    length = float(solver.move_costs(row, candidates)[0]) if usable else math.inf
    return assignment.with_model_at(row, candidates, 0, length)
