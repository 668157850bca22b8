"""Plans that begin with models that have hardly any room, the others placed around them.

A model in a cage or a dead end gets to none of the places at which others engage a target. Whoever is placed first may then be too
far from it; so it is placed first, where it stands or elsewhere in what room it has.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from tabletop.placement.assignment import Assignment
from tabletop.placement.confinement import room_about
from tabletop.placement.construction import completed, grown, manners
from tabletop.placement.pockets import pocket
from tabletop.placement.reachable import Options, ReachablePlaces
from tabletop.placement.spanning_tree_bound import MOST_IN_TREES

ENDS = 4
"""Ends tried of a model that is placed first: the shortest move, that nearest to a foe, and those farthest from these."""

STARTS = 12
"""Ways tried to place all such models first."""


def from_caged(reachable: ReachablePlaces) -> Iterator[Assignment | None]:
    """Make plans that begin with the models that reach no place from which to engage a target, the others placed around them."""
    caged = [mover for mover in range(len(reachable.options)) if not reachable.start.placed[mover] and _is_caged(reachable, mover)]
    if not caged or len(caged) == len(reachable.options):
        return
    manner = manners(1)[0]
    for assignment in _starts(reachable, caged):
        yield grown(reachable, assignment, manner)
        yield completed(reachable, _engaging(reachable, assignment), manner)


def _is_caged(reachable: ReachablePlaces, mover: int) -> bool:
    """Tell whether a model gets hardly anywhere, or, of few, that it can engage nobody: it may be in a dead end."""
    if len(reachable.options) > MOST_IN_TREES:
        return math.isfinite(room_about(reachable.problem, mover, reachable.problem.task.limit))
    return math.isinf(reachable.shortest(mover, reachable.options[mover].candidates.is_engaged))


def _starts(reachable: ReachablePlaces, caged: Sequence[int]) -> Iterator[Assignment]:
    """Place the models that are caged each at one of a few of its ends, in all ways in which they are clear of each other."""
    assignments = [reachable.start]
    for mover in caged:
        found = _ends(reachable, mover)
        assignments = [assignment for before in assignments[:STARTS] for assignment in _with_one(before, mover, found)]
    yield from assignments[:STARTS]


def _with_one(assignment: Assignment, mover: int, found: Options) -> Iterator[Assignment]:
    """Place a model at each of some ends that are clear of the models placed."""
    clear, _ = assignment.meets(found.candidates)
    for end in np.flatnonzero(clear).tolist():
        yield assignment.put(mover, found.candidates, end, float(found.lengths[end]))


def _ends(reachable: ReachablePlaces, mover: int) -> Options:
    """Choose a few ends of a model near it: the shortest move, the one nearest to a foe, then always the farthest from those."""
    found = pocket(reachable, mover)
    lengths = found.lengths.copy()
    lengths[~found.known] = reachable.costs(mover, found.candidates.of(~found.known))
    able = np.flatnonzero(np.isfinite(lengths))
    found = Options(found.candidates.of(able), lengths[able], np.ones(len(able), dtype=bool), found.rows[able])
    if not len(able):
        return found
    foes = reachable.problem.foes.models.centres
    to_foes = np.hypot(*(found.candidates.at[:, None, :] - foes[None, :, :]).transpose(2, 0, 1)).min(axis=1)
    chosen = list(dict.fromkeys([int(np.argmin(found.lengths)), int(np.argmin(to_foes))]))
    while len(chosen) < min(ENDS, len(able)):
        aside = found.candidates.at[:, None, :] - found.candidates.at[chosen][None, :, :]
        chosen.append(int(np.argmax(np.hypot(aside[..., 0], aside[..., 1]).min(axis=1))))
    kept = np.array(list(dict.fromkeys(chosen)))
    return Options(found.candidates.of(kept), found.lengths[kept], found.known[kept], found.rows[kept])


def _engaging(reachable: ReachablePlaces, assignment: Assignment) -> Assignment:
    """Place models that engage the targets nobody engages yet, each within coherency of those placed, moving least."""
    for target in reachable.problem.targets:
        if not assignment.candidates.engaged[assignment.placed][:, target].any():
            assignment = _engaging_one(reachable, assignment, target) or assignment
    return assignment


def _engaging_one(reachable: ReachablePlaces, assignment: Assignment, target: int) -> Assignment | None:
    best: tuple[float, Assignment] | None = None
    for mover in np.flatnonzero(~assignment.placed).tolist():
        found = reachable.options[mover].plus(reachable.around(assignment, mover, what="engagement"))
        clear, near = assignment.meets(found.candidates)
        picked = reachable.pick(mover, found, np.asarray(clear & near.any(axis=1) & found.candidates.engaged[:, target]))
        if picked is not None and (best is None or picked[1] < best[0]):
            best = (picked[1], assignment.put(mover, found.candidates, *picked))
    return None if best is None else best[1]
