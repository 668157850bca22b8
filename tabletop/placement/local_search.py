"""Plans made better step by step: models change places, and each in turn moves to its best place while the others stand."""

import numpy as np

from tabletop.budget import Budget
from tabletop.geometry.pose import FloatArray
from tabletop.optimise.assignment import cheapest
from tabletop.placement.assignment import Assignment, keeping
from tabletop.placement.candidates import Candidates
from tabletop.placement.reachable import Options, ReachablePlaces

ROUNDS, ROUNDS_OF_OTHERS = 8, 2
"""Most rounds of moving each model once, discs or others: those that are not take long, and a few rounds are enough."""

GAIN = 1e-7
"""Inches by which a plan must be shorter to count as better."""


def improved(reachable: ReachablePlaces, assignment: Assignment, movable: list[int], *, budget: Budget) -> Assignment:
    """Improve a complete plan until no single model and no exchange of places makes it better, or the budget is spent."""
    stale = set(movable)
    for work in range(ROUNDS if reachable.problem.is_round else ROUNDS_OF_OTHERS):
        if budget.is_spent(work):
            return assignment
        before, exchanged_places = assignment, exchanged(reachable, assignment, movable)
        stale |= _near(exchanged_places, assignment, movable)
        assignment = exchanged_places
        for mover in [mover for mover in movable if mover in stale]:
            if budget.is_spent(work):
                return assignment
            moved = _moved(reachable, assignment, mover)
            stale.discard(mover)
            stale |= _near(moved, assignment, movable) - {mover}
            assignment = moved
        if assignment is before:
            break
    return assignment


def _near(assignment: Assignment, before: Assignment, movable: list[int]) -> set[int]:
    """Give the models near to where others have left or gone."""
    changed = np.flatnonzero((assignment.candidates.at != before.candidates.at).any(axis=1))
    if not len(changed):
        return set()
    places = np.concatenate([assignment.candidates.at[changed], before.candidates.at[changed]])
    apart = assignment.candidates.at[movable][:, None, :] - places[None, :, :]
    reach = 2.0 * assignment.problem.movers.radii.max() + assignment.problem.situation.coherency.horizontal
    near = np.hypot(apart[..., 0], apart[..., 1]).min(axis=1) <= 2.0 * reach
    return {mover for mover, is_near in zip(movable, near, strict=True) if is_near}


def is_better(counts: tuple[int, int, float], others: tuple[int, int, float]) -> bool:
    """Tell whether a plan serves the goals better than another."""
    if counts[:2] != others[:2]:
        return counts[:2] > others[:2]
    return counts[2] > others[2] + GAIN


def exchanged(reachable: ReachablePlaces, assignment: Assignment, movable: list[int]) -> Assignment:
    """Let models of one kind exchange places so that they move least in total."""
    models = reachable.problem.movers.models
    for base in dict.fromkeys(models[mover].base for mover in movable):
        who = np.array([mover for mover in movable if models[mover].base == base])
        places = assignment.candidates.of(who)
        if _is_straight_best(reachable, assignment, who, places):
            continue
        costs = np.stack([move_lengths(reachable, int(mover), places) for mover in who])
        taken = cheapest(costs)
        if taken is None or costs[np.arange(len(who)), taken].sum() >= assignment.lengths[who].sum() - GAIN:
            continue
        for mover, place in zip(who.tolist(), taken.tolist(), strict=True):
            row = int(np.flatnonzero(who == mover)[0])
            assignment = assignment.put(mover, places, place, float(costs[row, place]))
    return assignment


def _is_straight_best(reachable: ReachablePlaces, assignment: Assignment, who: np.ndarray, places: Candidates) -> bool:
    """Tell whether no exchange helps even if all ways were straight."""
    aside = reachable.problem.movers.centres[who][:, None, :] - places.at[None, :, :]
    straight = np.hypot(aside[..., 0], aside[..., 1])
    taken = cheapest(straight)
    return taken is not None and float(straight[np.arange(len(who)), taken].sum()) >= float(assignment.lengths[who].sum()) - GAIN


def move_lengths(reachable: ReachablePlaces, mover: int, places: Candidates) -> FloatArray:
    """Give the lengths (k,) in inches of a model's moves to places, infinite where it may not end there."""
    lengths = reachable.costs(mover, places)
    if reachable.stay(mover) is not None:
        here = (places.at == reachable.problem.movers.centres[mover]).all(axis=1) & (places.z == reachable.problem.movers.heights[mover])
        lengths[here] = 0.0
    return lengths


def _moved(reachable: ReachablePlaces, assignment: Assignment, mover: int) -> Assignment:
    """Move one model to its best place while the others stand."""
    found = _better_places(reachable, assignment, mover)
    worth = _worth(reachable, found.candidates)
    kept = keeping(assignment, mover, found.candidates) if len(found.candidates) else np.empty(0, dtype=bool)
    for rank in np.unique(worth[kept])[::-1]:
        picked = reachable.pick(mover, found, kept & (worth == rank))
        if picked is not None:
            moved = assignment.put(mover, found.candidates, *picked)
            return moved if is_better(moved.counts, assignment.counts) else assignment
    return assignment


def _better_places(reachable: ReachablePlaces, assignment: Assignment, mover: int) -> Options:
    """Give the places that could serve the goals better than where a model stands now, its way there not yet measured."""
    others, now, length = assignment.without(mover), int(_worth(reachable, assignment.candidates)[mover]), float(assignment.lengths[mover])
    found = reachable.options[mover].plus(reachable.around(others, mover, near=length))
    if now < CONTACT_WORTH:
        found = found.plus(reachable.around(others, mover, what="contact"))
    if now < ENGAGED_WORTH and reachable.problem.situation.wants_engaged:
        found = found.plus(reachable.around(others, mover, what="engagement"))
    worth = _worth(reachable, found.candidates)
    return found.of((worth > now) | ((worth == now) & (found.lengths < length - GAIN)))


CONTACT_WORTH, ENGAGED_WORTH = 2, 1


def _worth(reachable: ReachablePlaces, candidates: Candidates) -> np.ndarray:
    """Rank candidates (k,) by what they are to the goals."""
    engaged = candidates.is_engaged & reachable.problem.situation.wants_engaged
    return np.asarray(np.where(candidates.touching, CONTACT_WORTH, np.where(engaged, ENGAGED_WORTH, 0)))
