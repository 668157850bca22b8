"""What no plan can do better than: how far some model must move, and how many can be in contact, whatever the others do."""

import math
from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from tabletop.geometry.arrangement import BoolArray
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.shape import disc, gap
from tabletop.placement.reachable import ReachablePlaces
from tabletop.placement.spanning_tree_bound import SpanningTrees
from tabletop.units import CONTACT

MOST_TARGETS = 4
"""Targets that are shared among models in all ways; of more, each is looked at alone."""


def reach_bound(reachable: ReachablePlaces) -> float:
    """Give a distance below which no models can engage all targets, each model looked at alone; infinite if they never can."""
    costs = np.minimum(engaging(reachable), _flown_to_engage(reachable))
    if len(reachable.problem.targets) > MOST_TARGETS:
        alone = np.minimum(costs, _turned(reachable))
        return float(alone.min(axis=0).max())
    nearest, turned = costs.copy(), _turned(reachable)
    for number, targets in enumerate(_sets(reachable)):
        nearest[:, number] = np.minimum(costs[:, number], turned[:, targets].max(axis=1, initial=0.0))
    return min((longest for longest, _ in _sharings(reachable, nearest)), default=math.inf)


def straight_bound(reachable: ReachablePlaces) -> float:
    """Give a distance below which no plan is possible even if nothing stands in any way; infinite if there is none at all."""
    targets, turned = reachable.problem.targets, _turned(reachable)
    nearest = [
        [float(options.lengths[options.candidates.engaged[:, target]].min(initial=math.inf)) for options in reachable.options]
        for target in targets
    ]
    return float(np.minimum(np.array(nearest).T, turned).min(axis=0).max())


def _flown_to_engage(reachable: ReachablePlaces) -> FloatArray:
    """Bound the lengths (n, sets) in inches at which each model engages at least the targets of a set by flying."""
    sets = _sets(reachable)
    engaged = [options.candidates.engaged for options in reachable.options]
    return np.array([[flown(reachable, mover, np.asarray(one[:, own].all(axis=1))) for own in sets] for mover, one in enumerate(engaged)])


def flown(reachable: ReachablePlaces, mover: int, usable: BoolArray) -> float:
    """Bound the length in inches of a model's moves through the air to where its options are usable; infinite if it flies to none.

    Over what stands in between the least way may end beside all special places; the least straight line ends at one.
    """
    problem, candidates = reachable.problem, reachable.options[mover].candidates
    situation, begun = problem.situation, float(problem.movers.heights[mover])
    if reachable.start.placed[mover] or not situation.flies:
        return math.inf
    is_air = situation.air == "anywhere" or begun > CONTACT
    flies = usable & (is_air | (candidates.z > CONTACT))
    aside = candidates.at[flies] - problem.movers.centres[mover]
    return float(np.sqrt((aside**2).sum(axis=1) + (candidates.z[flies] - begun) ** 2).min(initial=np.inf))


def _turned(reachable: ReachablePlaces, *, is_contact: bool = False) -> FloatArray:
    """Bound the lengths (n, targets) in inches at which models engage targets, or touch them, if they turn as suits them best.

    Infinite for discs, which have nothing to gain by it.
    """
    problem = reachable.problem
    engagement = problem.situation.engagement
    found = np.full((len(problem.movers.models), len(problem.targets)), np.inf)
    for mover, model in enumerate(problem.movers.models):
        kind = problem.kinds[problem.kind_numbers[mover]]
        if kind.is_round or reachable.start.placed[mover]:
            continue
        around = disc(model.pose.at, kind.outer)
        foes = [foe.footprint for foe in problem.foes.models.models]
        ways = np.array([gap(around, foe) if is_contact else engagement.least_way(around, foe) for foe in foes])
        ways = np.maximum(ways, 0.0) + problem.situation.pivots[mover]
        found[mover] = [ways[problem.target_of == target].min() for target in problem.targets]
    return found


def engagers(reachable: ReachablePlaces) -> list[tuple[float, list[tuple[int, list[int]]]]]:
    """Give ways to share the targets among models, shortest first: the longest move, and each model with its targets."""
    costs = engaging(reachable)
    if len(reachable.problem.targets) <= MOST_TARGETS:
        return _sharings(reachable, costs)
    nearest = costs.argmin(axis=0).tolist()
    shared = {mover: [target for target, other in enumerate(nearest) if other == mover] for mover in nearest}
    return [(float(costs.min(axis=0).max()), list(shared.items()))]


def _sharings(reachable: ReachablePlaces, costs: FloatArray) -> list[tuple[float, list[tuple[int, list[int]]]]]:
    """Share the targets among models in all ways, with the lengths (n, sets) at which each engages at least those of a set."""
    shared = [way for parts in partitions(reachable.problem.targets) if (way := _shared(costs, parts)) is not None]
    sets = _sets(reachable)
    return sorted(((longest, [(mover, sets[part]) for mover, part in way]) for longest, way in shared), key=lambda way: way[0])


def _sets(reachable: ReachablePlaces) -> list[list[int]]:
    """Give the sets of targets that are looked at: all of them, by their bits, or of many targets each alone."""
    targets = reachable.problem.targets
    if len(targets) > MOST_TARGETS:
        return [[target] for target in targets]
    return [[target for target in targets if number >> target & 1] for number in range(1 << len(targets))]


def engaging(reachable: ReachablePlaces) -> FloatArray:
    """Give the lengths (n, sets) in inches at which each model engages at least the targets of a set."""
    placed, sets = reachable.start, _sets(reachable)
    costs = np.full((len(reachable.options), len(sets)), np.inf)
    for mover, options in enumerate(reachable.options):
        for number, targets in enumerate(sets):
            if placed.placed[mover]:
                costs[mover, number] = 0.0 if placed.candidates.engaged[mover, targets].all() else np.inf
            else:
                costs[mover, number] = reachable.shortest(mover, np.asarray(options.candidates.engaged[:, targets].all(axis=1)))
    return costs


def partitions(items: Sequence[int]) -> Iterator[list[int]]:
    """Give all ways to share items among parts that are not empty, each part as bits."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for parts in partitions(rest):
        yield [1 << first, *parts]
        for place in range(len(parts)):
            yield [*parts[:place], parts[place] | 1 << first, *parts[place + 1 :]]


def _shared(costs: FloatArray, parts: Sequence[int]) -> tuple[float, list[tuple[int, int]]] | None:
    """Give the least longest move if different models serve the parts, and which model serves which part."""
    best: tuple[float, list[tuple[int, int]]] | None = None
    for order in permutations(parts) if len(parts) <= len(costs) else ():
        taken: list[tuple[int, int]] = []
        for part in order:
            free = np.setdiff1d(np.arange(len(costs)), [mover for mover, _ in taken])
            taken.append((int(free[np.argmin(costs[free, part])]), part))
        longest = max(float(costs[mover, part]) for mover, part in taken)
        if math.isfinite(longest) and (best is None or longest < best[0]):
            best = (longest, taken)
    return best


def chain_bound(reachable: ReachablePlaces) -> float:
    """Give 0, or infinity if two targets are too far apart for the unit to join them: each link bridges so much and no more."""
    problem = reachable.problem
    task, foes = problem.task, problem.foes.models
    chain = problem.situation.coherency.span(2.0 * problem.movers.radii) if task.asks("coherent") else math.inf
    for target in problem.targets:
        for other in range(target):
            own, its = problem.target_of == target, problem.target_of == other
            aside = foes.centres[own][:, None, :] - foes.centres[its][None, :, :]
            reaches = foes.radii + problem.situation.longest_ranges
            apart = np.hypot(aside[..., 0], aside[..., 1]) - reaches[own][:, None] - reaches[its][None, :]
            if float(apart.min()) > chain + CONTACT:
                return math.inf
    return 0.0


def most_contacts(reachable: ReachablePlaces) -> int:
    """Bound the models in contact by those that reach it, each looked at alone."""
    placed, turned = reachable.start, _turned(reachable, is_contact=True).min(axis=1)
    by_air = np.array([flown(reachable, mover, options.candidates.touching) for mover, options in enumerate(reachable.options)])
    turned = np.minimum(turned, by_air)
    able = np.isfinite(reachable.nearest_contact) | (turned <= reachable.problem.task.limit + CONTACT)
    if len(able) == 1 and not math.isfinite(by_air[0]) and not placed.placed[0] and reachable.problem.is_round:
        candidates = reachable.options[0].candidates
        return int(math.isfinite(reachable.shortest(0, candidates.touching & candidates.engaged.all(axis=1))))
    return int(np.where(placed.placed, placed.candidates.touching, able).sum())


def most_engaged(reachable: ReachablePlaces) -> int:
    """Bound the models engaged with a target by those that can be, each looked at alone."""
    placed, turned = reachable.start, _turned(reachable).min(axis=1)
    nearest = np.array([reachable.shortest(mover, options.candidates.is_engaged) for mover, options in enumerate(reachable.options)])
    turned = np.minimum(turned, [flown(reachable, mover, options.candidates.is_engaged) for mover, options in enumerate(reachable.options)])
    able = np.isfinite(nearest) | (turned <= reachable.problem.task.limit + CONTACT)
    return int(np.where(placed.placed, placed.candidates.is_engaged, able).sum())


def tree_bound(reachable: ReachablePlaces, most: int, known: int) -> int:
    """Bound the models in contact of a small unit, at most `most` and `known` in some plan, by the links that must join it."""
    trees = SpanningTrees(reachable)
    return max(known, trees.most_contacts(most)) if trees.can_be_asked else most
