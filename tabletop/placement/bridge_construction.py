"""Groups of models joined by others between them, each placed as near to the other group as it goes."""

import numpy as np

from tabletop.geometry.arrangement import BoolArray
from tabletop.geometry.pose import FloatArray
from tabletop.placement.assignment import Assignment, groups
from tabletop.placement.reachable import ReachablePlaces

BRIDGES_TRIED = 4
"""Models, those nearest to the gap, that are tried for the next place of a bridge."""


def bridged(reachable: ReachablePlaces, assignment: Assignment) -> Assignment:
    """Join the groups that placed models form, by models not placed yet, or else by some that are; as far as that goes."""
    task = reachable.problem.task
    if not task.asks("coherent") or not task.situation.coherency.is_one_group:
        return assignment
    for _ in range(len(assignment.placed)):
        if len(assignment.who) < 2 or _number(assignment).max() == 0:  # noqa: PLR2004
            return assignment
        following = _one_more(reachable, assignment)
        if following is None:
            return assignment
        assignment = following
    return assignment


def _number(assignment: Assignment) -> np.ndarray:
    """Give the number of the group of each placed model, in the order of `who`."""
    _, near = assignment.meets(assignment.candidates.of(assignment.who))
    return groups(near & ~np.eye(len(near), dtype=bool))


def _one_more(reachable: ReachablePlaces, assignment: Assignment) -> Assignment | None:
    """Place one more model between the two groups that are nearest to each other; None if no model can come nearer."""
    own, other, apart = _nearest_groups(assignment)
    middle = assignment.candidates.at[np.concatenate([own, other])].mean(axis=0)
    best: tuple[float, Assignment] | None = None
    for mover in _asked(reachable, assignment, middle):
        found = _nearer(reachable, assignment, mover, own, other)
        if found is not None and (best is None or found[0] < best[0]):
            best = found
    return None if best is None or best[0] >= apart else best[1]


def _nearest_groups(assignment: Assignment) -> tuple[np.ndarray, np.ndarray, float]:
    """Give the rows of the two groups with the least gap between them, the smaller group first, and the gap in inches."""
    who, number = assignment.who, _number(assignment)
    gaps = assignment.gaps_from(assignment.candidates.of(who))
    gaps[number[:, None] == number[None, :]] = np.inf
    one, two = np.unravel_index(int(np.argmin(gaps)), gaps.shape)
    pair = sorted([number[one], number[two]], key=lambda group: int((number == group).sum()))
    return who[number == pair[0]], who[number == pair[1]], float(gaps[one, two])


def _asked(reachable: ReachablePlaces, assignment: Assignment, middle: FloatArray) -> list[int]:
    """Give the models to try: those not placed, else those in larger groups, that begin nearest to the gap."""
    apart = np.hypot(*(reachable.problem.movers.centres - middle).T)
    free = np.flatnonzero(~assignment.placed)
    if not len(free):
        free = np.flatnonzero(~reachable.start.placed)
    return list(free[np.argsort(apart[free], kind="stable")][:BRIDGES_TRIED].tolist())


def _nearer(
    reachable: ReachablePlaces, assignment: Assignment, mover: int, own: np.ndarray, other: np.ndarray
) -> tuple[float, Assignment] | None:
    """Place a model near one of two groups so that the gap to the other is least; give the gap in inches that is left."""
    without = assignment.without(mover)
    found = reachable.options[mover].plus(reachable.around(without, mover))
    clear, near = without.meets(found.candidates)
    gaps = without.gaps_from(found.candidates)
    sides = [np.isin(without.who, rows) for rows in (own, other)]
    if not all(side.any() for side in sides):
        return None
    left = [np.where(near[:, side].any(axis=1) & clear, gaps[:, ~side & _among(sides)].min(axis=1), np.inf) for side in sides]
    remains = np.minimum(*left)
    joined = near[:, sides[0]].any(axis=1) & near[:, sides[1]].any(axis=1) & clear
    picked = reachable.pick(mover, found, joined)
    if picked is not None:
        return 0.0, without.put(mover, found.candidates, *picked)
    picked = reachable.pick(mover, found, np.isfinite(remains), extra=WORTH * np.where(np.isfinite(remains), remains, 0.0))
    return None if picked is None else (float(remains[picked[0]]), without.put(mover, found.candidates, *picked))


WORTH = 20.0
"""Inches moved that an inch less of a gap is worth."""


def _among(sides: list[BoolArray]) -> BoolArray:
    return np.asarray(sides[0] | sides[1])
