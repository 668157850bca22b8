"""What no plan can do better than: how far some model must move, and how many can be in contact, whatever the others do."""

import math
from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from systems.wh40k.yard import Yard
from tabletop.pose import FloatArray

MOST_TARGETS = 4
"""Targets that are shared among models in all ways; of more, each is looked at alone."""


def reach_bound(yard: Yard) -> float:
    """Give the least distance at which models can engage all targets, each model looked at alone; infinite if they cannot."""
    costs = engaging(yard)
    targets = len(yard.arena.task.scene.targets)
    if targets > MOST_TARGETS:
        return float(np.max([costs[:, 1 << target].min() for target in range(targets)]))
    return min((_shared(costs, parts) for parts in partitions(range(targets))), default=math.inf)


def engaging(yard: Yard) -> FloatArray:
    """Give the lengths (n, 2^targets) in inches at which each model engages at least the targets of a set, given as bits."""
    targets = len(yard.arena.task.scene.targets)
    wanted = np.array([[bool(number >> target & 1) for target in range(targets)] for number in range(1 << targets)])
    placed = yard.start
    rows = []
    for mover, options in enumerate(yard.options):
        if placed.placed[mover]:
            serves = ~(wanted & ~placed.spots.engaged[mover]).any(axis=1)
            rows.append(np.where(serves, 0.0, np.inf))
            continue
        serves = ~(wanted[None, :, :] & ~options.spots.engaged[:, None, :]).any(axis=2)
        rows.append(np.where(serves, options.lengths[:, None], np.inf).min(axis=0, initial=np.inf))
    return np.array(rows)


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


def _shared(costs: FloatArray, parts: Sequence[int]) -> float:
    """Give the least longest move if different models serve the parts."""
    if len(parts) > len(costs):
        return math.inf
    cheapest = [np.argsort(costs[:, part], kind="stable")[: len(parts)] for part in parts]
    best = math.inf
    for order in permutations(range(len(parts))):
        taken: list[int] = []
        worst = 0.0
        for place in order:
            mover = next(int(one) for one in cheapest[place] if int(one) not in taken)
            taken.append(mover)
            worst = max(worst, float(costs[mover, parts[place]]))
        best = min(best, worst)
    return best


def most_contacts(yard: Yard) -> int:
    """Count the models that reach base contact, each looked at alone."""
    able = np.isfinite(yard.nearest_contact)
    placed = yard.start
    return int(np.where(placed.placed, placed.spots.touching, able).sum())
