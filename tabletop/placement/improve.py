"""Plans made better: models exchange places, each moves to its best place while the others stand, or one more serves a
goal.

To serve a goal is to count for it: to be in base contact, or engaged. `improved` goes model by model until nothing
helps. `with_one_more` puts one more model in contact, or engaged: first the others stay where they are as far as they
are clear of it, and the rest is placed anew; where that fails all models are shifted together, so that as many as
before still count; of small units the plan is then completed anew around the new place, of others around all that
count but one.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from tabletop.budget import Budget
from tabletop.geometry.arrays import FloatArray, IntArray
from tabletop.geometry.distance import point_distances
from tabletop.placement.bounds import LeastMoves
from tabletop.placement.candidates import Kinship, Options, Solver
from tabletop.placement.construct import ORDERS, completed, greedy_plan
from tabletop.placement.objective import GAIN, Counted
from tabletop.placement.partial_plan import PartialPlan, completing, min_cost_assignment
from tabletop.placement.polish import (
    ActiveConstraints,
    active_constraints,
    coherency_tree,
    polished,
)
from tabletop.placement.problem import Candidates

ROUNDS, ROUNDS_OF_OTHERS = 8, 2
"""Most rounds of moving each model once, discs or others: those that are not take long, and a few rounds are enough."""

CONTACT_WORTH = 2
ENGAGED_WORTH = 1

MOST_SHIFTED_IN = 12
"""Places, those with the shortest moves, at which a model is put and the others are shifted."""

FOES_TRIED = 3
"""Foes, the nearest, at each of which a model is put."""

MOST_ANEW = 6
"""Models of a unit that is completed anew around one more: with more it takes too long."""

PLACES_TRIED = 6
"""Places of a model that are tried: the shortest move, then always the farthest from those."""


def improved(
    solver: Solver, assignment: PartialPlan, movable: list[int], *, budget: Budget, most: int
) -> PartialPlan:
    """Return a complete plan improved until no single model and no exchange of places makes it better, or the budget is
    spent.

    `movable` are the rows of models that may be moved. No plan has more than `most` models in contact.
    """
    stale = set(movable)
    moves = LeastMoves(solver)
    for _ in range(ROUNDS if solver.legality.is_round else ROUNDS_OF_OTHERS):
        if solver.is_spent(budget):
            return assignment
        before = assignment
        exchanged_places = exchanged(solver, assignment, movable)
        stale |= _near(exchanged_places, assignment, movable)
        assignment = exchanged_places
        for mover in [mover for mover in movable if mover in stale]:
            if solver.is_spent(budget):
                return assignment
            moved = _moved(moves, assignment, mover, most)
            stale.discard(mover)
            stale |= _near(moved, assignment, movable) - {mover}
            assignment = moved
        if assignment is before:
            break
    return assignment


def exchanged(solver: Solver, assignment: PartialPlan, movable: list[int]) -> PartialPlan:
    """Return the plan with places exchanged among models of one base so that their total move is least (linear
    assignment).
    """
    models = solver.problem.models
    for base in dict.fromkeys(models.models[mover].base for mover in movable):
        who = np.array([mover for mover in movable if models.models[mover].base == base])
        places = assignment.candidates.of(who)
        now = float(assignment.lengths[who].sum())
        straight = point_distances(models.centres[who], places.at)
        np.fill_diagonal(straight, assignment.lengths[who])
        if _shorter(straight, now) is None:  # no exchange helps even if all new ways were straight
            continue
        costs = np.stack([_move_lengths(solver, int(mover), places) for mover in who])
        taken = _shorter(costs, now)
        for row, place in enumerate([] if taken is None else taken.tolist()):
            assignment = assignment.with_model_at(
                int(who[row]), places, place, float(costs[row, place])
            )
    return assignment


def _shorter(costs: FloatArray, now: float) -> IntArray | None:
    """Return the column (n,) that each row takes so that the sum of `costs` (n, n) is least; None if it is not less
    than `now`.
    """
    taken = min_cost_assignment(costs)
    return (
        taken
        if taken is not None and costs[np.arange(len(costs)), taken].sum() < now - GAIN
        else None
    )


def _move_lengths(solver: Solver, mover: int, places: Candidates) -> FloatArray:
    """Return the lengths (k,) in inches of a model's moves to candidates, 0 for staying, infinite where it may not
    end.
    """
    lengths = solver.move_costs(mover, places)
    if solver.stay(mover) is not None:
        here = (places.at == solver.problem.models.centres[mover]).all(axis=1) & (
            places.z == solver.problem.models.heights[mover]
        )
        lengths[here] = 0.0
    return lengths


def _near(assignment: PartialPlan, before: PartialPlan, movable: list[int]) -> set[int]:
    """Return those of the movable models that are near places which other models have left or taken since `before`."""
    changed = np.flatnonzero((assignment.candidates.at != before.candidates.at).any(axis=1))
    if not len(changed):
        return set()
    places = np.concatenate([assignment.candidates.at[changed], before.candidates.at[changed]])
    reach = (
        2.0 * assignment.legality.problem.models.radii.max()
        + assignment.legality.problem.coherency.horizontal
    )
    near = point_distances(assignment.candidates.at[movable], places).min(axis=1) <= 2.0 * reach
    return {mover for mover, is_near in zip(movable, near, strict=True) if is_near}


def _moved(moves: LeastMoves, assignment: PartialPlan, mover: int, most: int) -> PartialPlan:
    """Return the plan with one model moved to its best place while the others stay; the same plan if that is no
    better.
    """
    solver = moves.solver
    found = _better_places(moves, assignment, mover, most)
    if found is None:
        return assignment
    worth = _worth(solver, found.candidates)
    kept = (
        completing(assignment, mover, found.candidates)
        if len(found.candidates)
        else np.empty(0, dtype=bool)
    )
    for rank in np.unique(worth[kept])[::-1]:
        moved = solver.place(assignment, mover, found, kept & (worth == rank))
        if moved is not None:
            return moved if moved.is_better(assignment) else assignment
    return assignment


def _better_places(
    moves: LeastMoves, assignment: PartialPlan, mover: int, most: int
) -> Options | None:
    """Return the options that could be better than where a model is, their paths not yet measured.

    None if bounds show that there is none: it moves no farther than it must for what it counts now, and no more models
    can count.
    """
    solver = moves.solver
    values = assignment.values
    others = assignment.without(mover)
    now = int(_worth(solver, assignment.candidates)[mover])
    length = float(assignment.lengths[mover])
    least = float((moves.contact if now == CONTACT_WORTH else moves.engaged)[mover]) if now else 0.0
    goals: list[tuple[Kinship, float]] = []
    if length - least > GAIN / 2.0:
        goals.append(("contact" if now == CONTACT_WORTH else "any", length))
    if now < CONTACT_WORTH and values.contacts < most and np.isfinite(moves.contact[mover]):
        goals.append(("contact", np.inf))
    if (
        now < ENGAGED_WORTH
        and solver.problem.objective.wants_engaged
        and np.isfinite(moves.engaged[mover])
        and values.engaged < moves.most_engaged
    ):
        goals.append(("engagement", np.inf))
    if not goals:
        return None
    found = solver.options[mover]
    for what, near in goals:
        found = found.plus(solver.dependent_candidates(others, mover, what=what, near=near))
    worth = _worth(solver, found.candidates)
    return found.of((worth > now) | ((worth == now) & (found.lengths < length - GAIN)))


def _worth(solver: Solver, candidates: Candidates) -> np.ndarray:
    """Return the ranks (k,) of candidates by what they count for: 2 in base contact, 1 engaged, else 0.

    A model in contact is engaged as well, so that this holds in whichever order the two count.
    """
    objective = solver.problem.objective
    touching = candidates.touching & objective.wants_contacts
    engaged = candidates.is_engaged & objective.wants_engaged
    return np.asarray(np.where(touching, CONTACT_WORTH, np.where(engaged, ENGAGED_WORTH, 0)))


def with_one_more(
    solver: Solver, assignment: PartialPlan, goal: Counted, *, budget: Budget
) -> PartialPlan | None:
    """Return a better plan in which one more model is in contact, or engaged, as `goal` says; None if none is found."""
    ways = [_shifted(solver, assignment, goal), _beside(solver, assignment, goal)]
    is_few = len(assignment.placed) <= MOST_ANEW
    ways.append((_anew if is_few else _freed)(solver, assignment, goal))
    for way in ways:
        for found in () if solver.is_spent(budget) else way:
            if found is not None and found.counts > assignment.counts:
                return found
            if solver.is_spent(budget):
                break
    return None


def _beside(solver: Solver, assignment: PartialPlan, goal: Counted) -> Iterator[PartialPlan | None]:
    """Yield plans with one more model that counts for a goal; the others stay where they are clear of it, or are placed
    anew.
    """
    serving = assignment.candidates.serving(goal)
    touching = assignment.candidates.touching
    others = np.argsort(~serving, kind="stable").tolist()
    begun = staying(solver.start, assignment, np.flatnonzero(touching).tolist())
    for mover in _idle(solver, assignment, goal):
        for placed in _at_places(solver, begun, mover, goal):
            yield completed(solver, staying(placed, assignment, others))
            yield completed(solver, placed)


def staying(placed: PartialPlan, before: PartialPlan, rows: Sequence[int]) -> PartialPlan:
    """Return the plan with models `rows` placed where they are in the plan `before`, as far as they are clear of those
    placed.
    """
    for row in rows:
        if not placed.placed[row] and placed.meets(before.candidates.of([row]))[0][0]:
            placed = placed.with_model_at(row, before.candidates, row, float(before.lengths[row]))
    return placed


def _idle(solver: Solver, assignment: PartialPlan, goal: Counted) -> list[int]:
    """Return the models that do not count for a goal and are free to, those with the shortest moves to where they would
    first.
    """
    idle = np.flatnonzero(~assignment.candidates.serving(goal) & ~solver.start.placed)
    nearest = [
        solver.shortest(mover, solver.options[mover].candidates.serving(goal))
        for mover in idle.tolist()
    ]
    return [
        int(mover)
        for mover, length in sorted(zip(idle, nearest, strict=True), key=lambda one: one[1])
        if np.isfinite(length)
    ]


def _shifted(
    solver: Solver, assignment: PartialPlan, goal: Counted
) -> Iterator[PartialPlan | None]:
    """Yield plans with one more model at a nearest place that counts for a goal, all models shifted to fit; None where
    that fails.
    """
    ties = active_constraints(solver, assignment)
    entries = [
        (*entry, mover)
        for mover in _idle(solver, assignment, goal)
        for entry in _contact_entries(solver, mover, goal)
    ]
    for length, row, foe, mover in sorted(entries)[:MOST_SHIFTED_IN]:
        moved = assignment.with_model_at(mover, solver.options[mover].candidates, row, length)
        touched = ties.touched.copy()
        engaged = ties.engaged.copy()
        touched[mover, foe], engaged[mover, foe] = goal == "contact", goal != "contact"
        for linked in (coherency_tree(solver, moved, ()), ties.linked):
            constraints = ActiveConstraints(touched, engaged, linked)
            # takes few steps, and where it fails so does the sum
            near = polished(solver, moved, constraints, furthest=True)
            yield near and (polished(solver, moved, constraints) or near)


def _contact_entries(solver: Solver, mover: int, goal: Counted) -> list[tuple[float, int, int]]:
    """Return the options nearest to a model that count for a goal, one at each of a few foes.

    Each is the length of the move in inches, the row of the option, and the row of the foe.
    """
    problem = solver.problem
    legality = solver.legality
    found = solver.options[mover]
    rows = np.flatnonzero(found.candidates.serving(goal))
    rows = rows[np.argsort(found.lengths[rows], kind="stable")]
    if not len(rows):
        return []
    between = legality.gaps_to(
        legality.own_kind(mover),
        found.candidates.at[rows],
        problem.target_models.models,
    )
    foes = np.argmin(np.abs(between), axis=1)
    first = np.sort(np.unique(foes, return_index=True)[1])[:FOES_TRIED]
    lengths = solver.move_costs(mover, found.candidates.of(rows[first]))
    reached = np.isfinite(lengths)
    return list(
        zip(
            lengths[reached].tolist(),
            rows[first][reached].tolist(),
            foes[first][reached].tolist(),
            strict=True,
        )
    )


def _anew(solver: Solver, assignment: PartialPlan, goal: Counted) -> Iterator[PartialPlan | None]:
    """Yield plans with one more model that counts for a goal, beside those that do, completed anew around them.

    First those that count stay, then only those in contact, then none; those that do not stay are placed anew after it.
    On the crowded tables 271 and 488 of the tests one more model is engaged so.
    """
    serving = np.flatnonzero(assignment.candidates.serving(goal))
    kept = [serving, serving[assignment.candidates.touching[serving]], serving[:0]]
    for mover in _idle(solver, assignment, goal):
        for stays in kept[goal == "contact" :]:
            begun = staying(solver.start, assignment, stays.tolist())
            for placed in _at_places(solver, begun, mover, goal):
                yield completed(solver, _with_others(solver, placed, assignment, serving))


def _freed(solver: Solver, assignment: PartialPlan, goal: Counted) -> Iterator[PartialPlan | None]:
    """Yield plans that keep all models that count for a goal but one, made again around them in every order.

    Of eight models between two targets, one more is in contact so.
    """
    serving = np.flatnonzero(assignment.candidates.serving(goal))
    for freed in serving[~solver.start.placed[serving]].tolist():
        kept = serving[serving != freed].tolist()
        begun = staying(solver.start, assignment, kept)
        yield from (greedy_plan(solver, begun, order) for order in ORDERS)


def _at_places(
    solver: Solver, begun: PartialPlan, mover: int, goal: Counted
) -> Iterator[PartialPlan]:
    """Yield plans with a model at each of a few places that count for a goal, clear of those placed, and far from each
    other.
    """
    found = solver.places_beside(begun, mover, what=goal)
    clear, _ = begun.meets(found.candidates)
    return solver.place_at_few(
        begun, mover, found, clear & found.candidates.serving(goal), PLACES_TRIED
    )


def _with_others(
    solver: Solver, placed: PartialPlan, before: PartialPlan, serving: IntArray
) -> PartialPlan:
    """Return the plan with models that counted for a goal before placed, if they are not, where each still does, by the
    shortest move.
    """
    for row in serving[~placed.placed[serving]].tolist():
        goal: Counted = "contact" if before.candidates.touching[row] else "engagement"
        found = solver.places_beside(placed, row, what=goal)
        clear, _ = placed.meets(found.candidates)
        placed = solver.place(placed, row, found, clear & found.candidates.serving(goal)) or placed
    return placed
