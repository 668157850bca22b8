"""Plans whose models choose their places all at once, where none of them alone finds a better one."""

from dataclasses import replace

import numpy as np

from tabletop.budget import Budget
from tabletop.geometry.arrays import FloatArray
from tabletop.optimise.problem import Selection
from tabletop.optimise.selection import selected
from tabletop.placement.candidates import ReachablePlaces
from tabletop.placement.improve import move_lengths
from tabletop.placement.partial_plan import Assignment
from tabletop.placement.problem import Candidates, joined_candidates

NEAREST = (60, 30, 30)
"""Places that each model is offered in contact, else engaged, else neither: those that it reaches first."""


def with_one_more_engaged(reachable: ReachablePlaces, assignment: Assignment, *, budget: Budget) -> Assignment | None:
    """Choose ends for all models of a plan with one more engaged, as many in contact, and so least movement; None if none is found.

    They are chosen among special places, those of the plan, and those that touch models there or are just within coherency of them.
    """
    places, row = _offered(reachable, assignment), np.arange(len(assignment.placed))
    lengths = np.full((len(row), len(places)), np.inf)
    for mover in row.tolist():
        if budget.is_spent(0):
            return None
        lengths[mover] = _lengths(reachable, mover, places)
    usable = np.isfinite(lengths)
    each = replace(assignment, candidates=places, placed=np.ones(len(places), dtype=bool))
    overlaps, near = each.beside(places)
    coherency, (contacts, engaged, _) = reachable.problem.situation.coherency, assignment.counts
    worth = (np.broadcast_to(one.astype(float), usable.shape) for one in (places.touching, places.is_engaged))
    selection = Selection(
        usable, (*worth, -np.where(usable, lengths, 0.0)), overlaps, near, places.engaged.T,
        coherency.neighbours, is_one_group=coherency.is_one_group,
    )  # fmt: skip
    picks = selected(selection, at_least=(contacts, engaged + 1), budget=budget)
    if picks is None:
        return None
    found = replace(assignment, candidates=places.of(picks), lengths=lengths[row, picks])
    return found if found.is_complete() else None


def _offered(reachable: ReachablePlaces, assignment: Assignment) -> Candidates:
    """Give the places of a plan, and those of each model that it reaches first, the others where they are."""
    parts = [assignment.candidates]
    for mover in range(len(assignment.placed)):
        others = assignment.without(mover)
        found = reachable.options[mover].plus(reachable.around(others, mover)).plus(reachable.around(others, mover, what="contact"))
        touching, engaged = found.candidates.touching, found.candidates.is_engaged
        for asked, count in zip((touching, engaged & ~touching, ~engaged), NEAREST, strict=True):
            rows = np.flatnonzero(asked)
            parts.append(found.candidates.of(rows[np.argsort(found.lengths[rows], kind="stable")[:count]]))
    places = joined_candidates(parts)
    _, first = np.unique(np.column_stack([places.at.round(6), places.z.round(6), places.kind]), axis=0, return_index=True)
    return places.of(np.sort(first))


def _lengths(reachable: ReachablePlaces, mover: int, places: Candidates) -> FloatArray:
    """Measure the lengths (k,) in inches of a model's moves to places, infinite where it may not end in such a kind."""
    own, lengths = np.isin(places.kind, reachable.problem.kinds_of[mover]), np.full(len(places), np.inf)
    lengths[own] = move_lengths(reachable, mover, places.of(own))
    return lengths
