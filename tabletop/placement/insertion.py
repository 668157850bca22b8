"""Plans with one more model in contact or engaged: it is put where it serves the goal, and the others make room.

First the others stay where they are as far as they are clear of it, and the rest is placed anew; where that fails all models are shifted
together, so that as many as served the goals before still do; of small units the plan is then completed anew around the new place.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from tabletop.budget import Budget
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.placement.candidates import Options, Solver
from tabletop.placement.construct import completed, orderings
from tabletop.placement.improve import ActiveConstraints, active_constraints, coherency_tree, polished
from tabletop.placement.partial_plan import PartialPlan
from tabletop.placement.problem import Candidates

Goal = Literal["contact", "engagement"]
"""What is counted: models in base contact with a target, or models engaged with one."""

MOST_SHIFTED_IN = 12
"""Places, those with the shortest moves, at which a model is put and the others are shifted."""

FOES_TRIED = 3
"""Foes, the nearest, at each of which a model is put."""

MOST_ANEW = 6
"""Models of a unit that is completed anew around one more: with more it takes too long."""

PLACES_ANEW = 6
"""Places of a model around which the plan is completed anew: the shortest move, then always the farthest from those."""


def with_one_more(solver: Solver, assignment: PartialPlan, goal: Goal, *, budget: Budget) -> PartialPlan | None:
    """Give a plan that serves the goals better since one more model serves one of them, None if none is found."""
    ways = [(_beside(solver, assignment, goal), True), (_shifted(solver, assignment, goal), False)]
    if len(assignment.placed) <= MOST_ANEW:
        ways.append((_anew(solver, assignment, goal), False))
    for way, is_first_taken in ways:
        best = assignment
        for found in () if solver.is_spent(budget) else way:
            best = found if found is not None and found.values > best.values else best
            if solver.is_spent(budget) or (is_first_taken and best.values[:2] > assignment.values[:2]):
                break
        if best.values[:2] > assignment.values[:2]:
            return best
    return None


def _beside(solver: Solver, assignment: PartialPlan, goal: Goal) -> Iterator[PartialPlan | None]:
    """Put one more model where it serves a goal, beside those in contact: all others stay as far as they are clear, or are placed anew."""
    serving, touching = _serving(assignment.candidates, goal), assignment.candidates.touching
    others = np.argsort(~serving, kind="stable").tolist()
    begun = staying(solver.start, assignment, np.flatnonzero(touching).tolist())
    for mover in _idle(solver, assignment, goal):
        for placed in _at_places(solver, begun, mover, goal):
            yield completed(solver, staying(placed, assignment, others), orderings(1)[0])
            yield completed(solver, placed, orderings(1)[0])


def staying(placed: PartialPlan, before: PartialPlan, rows: Sequence[int]) -> PartialPlan:
    """Put models where they were before, as far as they are clear of those placed."""
    for row in rows:
        if not placed.placed[row] and placed.meets(before.candidates.of(np.array([row])))[0][0]:
            placed = placed.with_model_at(row, before.candidates, row, float(before.lengths[row]))
    return placed


def _serving(candidates: Candidates, goal: Goal) -> BoolArray:
    """Tell which places (k,) serve a goal."""
    return candidates.touching if goal == "contact" else candidates.is_engaged


def _idle(solver: Solver, assignment: PartialPlan, goal: Goal) -> list[int]:
    """Give the models that do not serve a goal and are free to, those nearest to where they would first."""
    idle = np.flatnonzero(~_serving(assignment.candidates, goal) & ~solver.start.placed)
    nearest = [solver.shortest(mover, _serving(solver.options[mover].candidates, goal)) for mover in idle.tolist()]
    return [int(mover) for mover, length in sorted(zip(idle, nearest, strict=True), key=lambda one: one[1]) if np.isfinite(length)]


def _shifted(solver: Solver, assignment: PartialPlan, goal: Goal) -> Iterator[PartialPlan | None]:
    """Put one more model at its nearest places that serve a goal, those with the shortest moves first, and shift all models."""
    ties = active_constraints(solver, assignment)
    entries = [(*entry, mover) for mover in _idle(solver, assignment, goal) for entry in _entries(solver, mover, goal)]
    for length, row, foe, mover in sorted(entries)[:MOST_SHIFTED_IN]:
        moved = assignment.with_model_at(mover, solver.options[mover].candidates, row, length)
        touched, engaged = ties.touched.copy(), ties.engaged.copy()
        touched[mover, foe], engaged[mover, foe] = goal == "contact", goal != "contact"
        for linked in (coherency_tree(solver, moved, ()), ties.linked):
            found = polished(solver, moved, ActiveConstraints(touched, engaged, linked))
            yield found or polished(solver, moved, ActiveConstraints(touched, engaged, linked), furthest=True)


def _entries(solver: Solver, mover: int, goal: Goal) -> list[tuple[float, int, int]]:
    """Give the places nearest to a model that serve a goal, one of each of a few foes: the length of its move, its row, the foe."""
    problem, legality, found = solver.problem, solver.legality, solver.options[mover]
    rows = np.flatnonzero(_serving(found.candidates, goal))
    rows = rows[np.argsort(found.lengths[rows], kind="stable")]
    if not len(rows):
        return []
    between = legality.gaps.gaps_to(
        legality.kinds[int(legality.kind_numbers[mover])], found.candidates.at[rows], problem.target_models.models
    )
    foes = np.argmin(np.abs(between), axis=1)
    first = np.sort(np.unique(foes, return_index=True)[1])[:FOES_TRIED]
    lengths = solver.move_costs(mover, found.candidates.of(rows[first]))
    reached = np.isfinite(lengths)
    return list(zip(lengths[reached].tolist(), rows[first][reached].tolist(), foes[first][reached].tolist(), strict=True))


def _anew(solver: Solver, assignment: PartialPlan, goal: Goal) -> Iterator[PartialPlan | None]:
    """Place one more model where it serves a goal, beside those that do, and complete the plan around them.

    First those that serve the goals stay, then only those in contact, then none; those that do not stay are placed anew after it.
    """
    serving = np.flatnonzero(_serving(assignment.candidates, goal))
    kept = [serving, serving[assignment.candidates.touching[serving]], serving[:0]]
    for mover in _idle(solver, assignment, goal):
        for stays in kept[goal == "contact" :]:
            begun = solver.start
            for row in stays.tolist():
                begun = begun.with_model_at(row, assignment.candidates, row, float(assignment.lengths[row]))
            for placed in _at_places(solver, begun, mover, goal):
                yield completed(solver, _with_others(solver, placed, assignment, serving), orderings(1)[0])


def _at_places(solver: Solver, begun: PartialPlan, mover: int, goal: Goal) -> Iterator[PartialPlan]:
    """Place a model at each of a few places that serve a goal, clear of those placed, and far from each other."""
    found = _found(solver, begun, mover, goal)
    clear, _ = begun.meets(found.candidates)
    rows = np.flatnonzero(clear & _serving(found.candidates, goal))
    lengths = solver.move_costs(mover, found.candidates.of(rows))
    rows, lengths = rows[np.isfinite(lengths)], lengths[np.isfinite(lengths)]
    for one in _spread(found.candidates.at[rows], lengths):
        yield begun.with_model_at(mover, found.candidates, int(rows[one]), float(lengths[one]))


def _found(solver: Solver, begun: PartialPlan, mover: int, goal: Goal) -> Options:
    """Give the special places of a model and those that serve a goal beside the models placed."""
    return solver.options[mover].plus(solver.dependent_candidates(begun, mover, what=goal)) if begun.placed.any() else solver.options[mover]


def _spread(at: FloatArray, lengths: FloatArray) -> list[int]:
    """Choose a few of some places (k, 2): that with the shortest move, then always the one farthest from those chosen."""
    chosen = [int(np.argmin(lengths))] if len(at) else []
    while len(chosen) < min(PLACES_ANEW, len(at)):
        aside = at[:, None, :] - at[chosen][None, :, :]
        apart = np.hypot(aside[..., 0], aside[..., 1]).min(axis=1)
        apart[chosen] = -1.0
        chosen.append(int(np.argmax(apart)))
    return chosen


def _with_others(solver: Solver, placed: PartialPlan, before: PartialPlan, serving: IntArray) -> PartialPlan:
    """Place those that served a goal before, as far as they are not placed, where each still does what it did, with the shortest move."""
    for row in serving[~placed.placed[serving]].tolist():
        goal: Goal = "contact" if before.candidates.touching[row] else "engagement"
        found = _found(solver, placed, row, goal)
        clear, _ = placed.meets(found.candidates)
        picked = solver.cheapest_legal(row, found, clear & _serving(found.candidates, goal))
        placed = placed if picked is None else placed.with_model_at(row, found.candidates, *picked)
    return placed
