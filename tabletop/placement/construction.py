"""Plans made model by model: first those that can be in contact, each near the ones before it, then the rest behind them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.placement.assignment import Assignment
from tabletop.placement.bridge_construction import bridged
from tabletop.placement.pockets import pocket
from tabletop.placement.reachable import Options, ReachablePlaces

BY_CHANCE = 0.3
"""How much of an order or a choice chance decides, beside inches."""


@dataclass(frozen=True, eq=False)
class Manner:
    """How one plan is made: what comes first among models and places, with a share of chance.

    `hardest_first` orders models in contact by how little reach they have to spare, `tight` is the worth in inches of touching
    a model placed before, `joined` whether each model must be near one placed before.
    """

    chance: np.random.Generator
    hardest_first: bool
    tight: float
    joined: bool
    noise: float


def manners(count: int) -> list[Manner]:
    """Give a fixed list of manners: the plain ones first, then some by chance."""
    chance = np.random.default_rng(20)
    plain = [Manner(chance, hardest, tight, joined=True, noise=0.0) for hardest in (False, True) for tight in (0.0, 1.0)]
    drawn = [
        Manner(chance, hardest_first=number % 2 == 0, tight=float(chance.random() * 2.0), joined=number % 5 > 0, noise=BY_CHANCE)
        for number in range(max(0, count - len(plain)))
    ]
    return [*plain, *drawn][:count]


def grown(reachable: ReachablePlaces, start: Assignment, manner: Manner) -> Assignment | None:
    """Make a plan in some manner; None if a model finds no place or the plan is not complete."""
    return completed(reachable, _with_contacts(reachable, start, manner), manner)


def from_sharing(reachable: ReachablePlaces, sharing: Sequence[tuple[int, Sequence[int]]], manner: Manner) -> Assignment | None:
    """Make a plan around the models that engage the targets given for them; None if one finds no place or the plan is not complete."""
    assignment = reachable.start
    for mover, targets in sharing:
        if assignment.placed[mover]:
            continue
        found = reachable.options[mover]
        clear, _ = assignment.meets(found.candidates)
        picked = reachable.pick(mover, found, np.asarray(clear & found.candidates.engaged[:, list(targets)].all(axis=1)))
        if picked is None:
            return None
        assignment = assignment.put(mover, found.candidates, *picked)
    return completed(reachable, _with_contacts(reachable, assignment, manner), manner) or completed(reachable, assignment, manner)


def completed(reachable: ReachablePlaces, assignment: Assignment, manner: Manner) -> Assignment | None:
    """Place the models that are not placed yet, behind those that are; None if one finds no place or the plan is not complete."""
    assignment = bridged(reachable, _accompanied(reachable, bridged(reachable, _with_targets(reachable, assignment, manner))))
    for mover in _from_the_front(assignment):
        following = _with_spare(reachable, assignment, mover)
        if following is None:
            return None
        assignment = following
    return assignment if assignment.is_complete() else None


def _with_contacts(reachable: ReachablePlaces, assignment: Assignment, manner: Manner) -> Assignment:
    """Place models in base contact, one after the other; those that find no place near the others are asked again later."""
    able = [
        mover for mover in range(len(assignment.placed)) if not assignment.placed[mover] and np.isfinite(reachable.nearest_contact[mover])
    ]
    waiting = _in_order(reachable, able, manner)
    while waiting:
        later = []
        for mover in waiting:
            following = _with_contact(reachable, assignment, mover, manner)
            if following is None:
                later.append(mover)
            else:
                assignment = following
        if len(later) == len(waiting):
            return assignment
        waiting = later
    return assignment


def _in_order(reachable: ReachablePlaces, able: Sequence[int], manner: Manner) -> list[int]:
    spare = [reachable.nearest_contact[mover] * (1.0 + manner.noise * manner.chance.standard_normal()) for mover in able]
    order = np.argsort(spare, kind="stable")
    return [able[place] for place in (order[::-1] if manner.hardest_first else order)]


def _with_contact(reachable: ReachablePlaces, assignment: Assignment, mover: int, manner: Manner) -> Assignment | None:
    found = reachable.contacts(mover)
    if assignment.placed.any():
        found = found.plus(reachable.around(assignment, mover, what="contact"))
    clear, near = assignment.meets(found.candidates)
    usable = clear & found.candidates.touching
    if manner.joined and assignment.placed.any():
        usable &= near.any(axis=1)
    flush = (assignment.gaps_from(found.candidates) <= TOUCHING_GAP).sum(axis=1)
    bias = manner.noise * manner.chance.standard_normal(len(usable)) - manner.tight * flush
    picked = reachable.pick(mover, found, usable, extra=bias)
    return None if picked is None else assignment.put(mover, found.candidates, *picked)


TOUCHING_GAP = 1e-6
"""Inches between models that touch."""


def _with_targets(reachable: ReachablePlaces, assignment: Assignment, manner: Manner) -> Assignment:
    """Place the model that gets there most easily within engagement range of each target that is not engaged yet."""
    for target in reachable.problem.targets:
        if assignment.candidates.engaged[assignment.placed][:, target].any():
            continue
        best: tuple[float, int, Options, int] | None = None
        for mover in np.flatnonzero(~assignment.placed).tolist():
            found = reachable.options[mover]
            clear, near = assignment.meets(found.candidates)
            usable = clear & found.candidates.engaged[:, target]
            if manner.joined and (usable & near.any(axis=1)).any():
                usable &= near.any(axis=1)
            picked = reachable.pick(mover, found, usable)
            if picked is not None and (best is None or picked[1] < best[0]):
                best = (picked[1], mover, found, picked[0])
        if best is not None:
            assignment = assignment.put(best[1], best[2].candidates, best[3], best[0])
    return assignment


def _accompanied(reachable: ReachablePlaces, assignment: Assignment) -> Assignment:
    """Place models beside those placed that have fewer neighbours than they must have; take up again those that none gets to."""
    if not reachable.problem.task.asks("coherent"):
        return assignment
    asked, tried = reachable.problem.situation.coherency.neighbours, set[int]()
    while not assignment.placed.all():
        _, near = assignment.meets(assignment.candidates.of(assignment.who))
        lonely = [one for one in assignment.who[near.sum(axis=1) - 1 < asked].tolist() if one not in tried]
        if not lonely:
            break
        following = _with_neighbour(reachable, assignment, lonely[0], asked)
        if following is None:
            tried.add(lonely[0])
            assignment = assignment if reachable.start.placed[lonely[0]] else assignment.without(lonely[0])
        else:
            assignment = following
    return assignment


def _with_neighbour(reachable: ReachablePlaces, assignment: Assignment, lonely: int, asked: int) -> Assignment | None:
    """Place the model that gets beside a placed one with the least movement, if it can where it has neighbours enough itself."""
    rest, row = np.flatnonzero(~assignment.placed), int(np.flatnonzero(assignment.who == lonely)[0])
    aside = reachable.problem.movers.centres[rest] - assignment.candidates.at[lonely]
    best: tuple[float, Assignment] | None = None
    for mover in rest[np.argsort(np.hypot(aside[:, 0], aside[:, 1]), kind="stable")[:HELPERS_TRIED]].tolist():
        found = reachable.options[mover].plus(reachable.around(assignment, mover))
        clear, near = assignment.meets(found.candidates)
        usable, enough = clear & near[:, row], near.sum(axis=1) >= asked
        picked = reachable.pick(mover, found, usable & enough) or reachable.pick(mover, found, usable)
        if picked is not None and (best is None or picked[1] < best[0]):
            best = (picked[1], assignment.put(mover, found.candidates, *picked))
    return None if best is None else best[1]


HELPERS_TRIED = 4
"""Models, the nearest, that are tried beside one that has too few neighbours."""


def _from_the_front(assignment: Assignment) -> list[int]:
    """Give the models not placed, those nearest to placed ones first."""
    rest = np.flatnonzero(~assignment.placed)
    if not assignment.placed.any():
        return list(rest.tolist())
    apart = assignment.problem.movers.centres[rest][:, None, :] - assignment.candidates.at[assignment.who][None, :, :]
    order = np.argsort(np.hypot(apart[..., 0], apart[..., 1]).min(axis=1), kind="stable")
    return list(rest[order].tolist())


def _with_spare(reachable: ReachablePlaces, assignment: Assignment, mover: int) -> Assignment | None:
    """Place a model that is not in contact: engaged if it can be, near enough to the others, moving least; else near where it begins."""
    special = reachable.options[mover].plus(reachable.around(assignment, mover))
    return _beside(reachable, assignment, mover, special) or _beside(reachable, assignment, mover, pocket(reachable, mover))


def _beside(reachable: ReachablePlaces, assignment: Assignment, mover: int, found: Options) -> Assignment | None:
    """Place a model at one of some places, as far as it is near enough to the others."""
    clear, near = assignment.meets(found.candidates)
    usable = clear.copy()
    if reachable.problem.task.asks("coherent") and assignment.placed.any():
        coherency = reachable.problem.situation.coherency
        asked = min(coherency.neighbours, len(assignment.who))
        enough, some = usable & (near.sum(axis=1) >= asked), usable & near.any(axis=1)
        is_alone = not some.any() and not coherency.is_one_group
        usable = usable if is_alone else enough if enough.any() else some
    picked = None
    if reachable.problem.situation.wants_engaged:
        picked = reachable.pick(mover, found, usable & found.candidates.is_engaged)
    picked = picked or reachable.pick(mover, found, usable)
    return None if picked is None else assignment.put(mover, found.candidates, *picked)
