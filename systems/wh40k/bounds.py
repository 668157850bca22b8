"""What no plan can do better than: how far some model must move, and how many can be in contact, whatever the others do."""

import math
from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from systems.wh40k.trees import Trees
from systems.wh40k.yard import Yard
from tabletop.pose import FloatArray
from tabletop.units import CONTACT

MOST_TARGETS = 4
"""Targets that are shared among models in all ways; of more, each is looked at alone."""


def reach_bound(yard: Yard) -> float:
    """Give the least distance at which models can engage all targets, each model looked at alone; infinite if they cannot."""
    return min((longest for longest, _ in engagers(yard)), default=math.inf)


def straight_bound(yard: Yard) -> float:
    """Give a distance below which no plan is possible even if nothing stands in any way; infinite if there is none at all."""
    targets = range(len(yard.arena.task.scene.targets))
    nearest = [
        [float(options.lengths[options.spots.engaged[:, target]].min(initial=math.inf)) for options in yard.options] for target in targets
    ]
    return max(min(row) for row in nearest)


def engagers(yard: Yard) -> list[tuple[float, list[tuple[int, list[int]]]]]:
    """Give ways to share the targets among models, shortest first: the longest move, and each model with its targets."""
    costs, targets = engaging(yard), range(len(yard.arena.task.scene.targets))
    ways = [[1 << target for target in targets]] if len(targets) > MOST_TARGETS else partitions(targets)
    shared = [way for parts in ways if (way := _shared(costs, parts)) is not None]
    told = [(longest, [(mover, [target for target in targets if part >> target & 1]) for mover, part in way]) for longest, way in shared]
    return sorted(told, key=lambda way: way[0])


def engaging(yard: Yard) -> FloatArray:
    """Give the lengths (n, 2^targets) in inches at which each model engages at least the targets of a set, given as bits."""
    targets = len(yard.arena.task.scene.targets)
    wanted = np.array([[bool(number >> target & 1) for target in range(targets)] for number in range(1 << targets)])
    placed = yard.start
    costs = np.full((len(yard.options), len(wanted)), np.inf)
    for mover, options in enumerate(yard.options):
        for number, engaged in enumerate(wanted):
            if placed.placed[mover]:
                costs[mover, number] = 0.0 if (placed.spots.engaged[mover] | ~engaged).all() else np.inf
            else:
                costs[mover, number] = yard.shortest(mover, (options.spots.engaged | ~engaged).all(axis=1))
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


def chain_bound(yard: Yard) -> float:
    """Give 0, or infinity if two targets are too far apart for the unit to join them: each link bridges so much and no more."""
    arena = yard.arena
    task, book = arena.task, arena.task.scene.book
    if not task.asks("coherent") or not task.scene.choices.single_group:
        return 0.0
    ranges = max(book.engagement_horizontal, book.barricade_engagement if task.scene.barricades else 0.0)
    width = 2.0 * float(arena.movers.radii.max())
    chain = width + (len(arena.movers.models) - 1) * (book.coherency_horizontal + width) + 2.0 * ranges
    foes = arena.foes.models
    for target in range(len(task.scene.targets)):
        for other in range(target):
            own, its = arena.target_of == target, arena.target_of == other
            aside = foes.centres[own][:, None, :] - foes.centres[its][None, :, :]
            apart = np.hypot(aside[..., 0], aside[..., 1]) - foes.radii[own][:, None] - foes.radii[its][None, :]
            if float(apart.min()) > chain + CONTACT:
                return math.inf
    return 0.0


def most_contacts(yard: Yard) -> int:
    """Bound the models in contact by those that reach it, each looked at alone."""
    able, placed = np.isfinite(yard.nearest_contact), yard.start
    if len(able) == 1 and not placed.placed[0]:
        spots = yard.options[0].spots
        return int(math.isfinite(yard.shortest(0, spots.touching & spots.engaged.all(axis=1))))
    return int(np.where(placed.placed, placed.spots.touching, able).sum())


def tree_bound(yard: Yard, most: int, known: int) -> int:
    """Bound the models in contact of a small unit, at most `most` and `known` in some plan, by the links that must join it."""
    trees = Trees(yard)
    return max(known, trees.most_contacts(most)) if trees.can_be_asked else most
