"""What no plan of a few models can do better than, found from all ways in which links can join them into one group.

Of each tree of links, and each way to share contacts and targets among the models, a relaxed question is asked: foes and reach
as balls that ends lie in, links that bridge so much and no more, nothing else in the way. Discs only.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np

from tabletop.geometry.pose import FloatArray
from tabletop.placement.least_moved import Links, least_moved, longest_bound
from tabletop.placement.reachable import ReachablePlaces
from tabletop.units import CONTACT, FAR_OFF, MARGINAL

MOST_IN_TREES = 4
"""Models of which all trees are looked at."""

MOST_FOES = 12
"""Foes of a target beyond which trees are not looked at."""

MOST_CHOICES = 64
"""Choices of foes for one share of which each is looked at."""

Tree = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Share:
    """What one model does in a plan: it touches a target, or none, and it engages some of the targets."""

    touched: int | None
    targets: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class SpanningTrees:
    """A few models, all trees of links that join them, and the balls in which they end."""

    reachable: ReachablePlaces

    @property
    def can_be_asked(self) -> bool:
        """Whether the unit is small enough, and of discs that must end in one group."""
        problem = self.reachable.problem
        situation = problem.situation
        is_plain = bool((situation.longest_ranges <= situation.engagement.horizontal).all())
        is_linked = problem.task.asks("coherent") and situation.coherency.is_one_group and is_plain
        is_flat = problem.is_round and problem.foes.models.is_round
        return is_linked and is_flat and 1 < self.count <= MOST_IN_TREES and len(problem.foes.models.models) <= MOST_FOES

    @property
    def count(self) -> int:
        """How many models there are."""
        return len(self.reachable.problem.movers.models)

    @cached_property
    def link(self) -> float:
        """How far apart linked models may be, from middle to middle, in inches."""
        problem = self.reachable.problem
        return float(2.0 * problem.radii.max() + problem.situation.coherency.horizontal)

    @cached_property
    def all(self) -> list[tuple[Tree, FloatArray]]:
        """All trees on the models, with the number of links (n, n) between each two."""
        pairs = list(combinations(range(self.count), 2))
        trees = []
        for tree in combinations(pairs, self.count - 1):
            hops = _hops(tree, self.count)
            if np.isfinite(hops).all():
                trees.append((tree, hops))
        return trees

    def shares(self, contacts: int) -> Iterator[tuple[Share, ...]]:
        """Give all ways to share so many contacts and the targets that each model could do its part, looked at alone."""
        targets = self.reachable.problem.targets
        for touching, touched in product(combinations(range(self.count), contacts), product(targets, repeat=contacts)):
            touches = dict(zip(touching, touched, strict=True))
            for owners in product(range(self.count), repeat=len(targets)):
                if any(owners[target] != min(one for one in touches if touches[one] == target) for target in set(touched)):
                    continue
                share = [Share(touches.get(one), tuple(target for target in targets if owners[target] == one)) for one in range(self.count)]
                if all(self._can(one, part) for one, part in enumerate(share)):
                    yield tuple(share)

    def _can(self, mover: int, share: Share) -> bool:
        """Tell whether a model does its share at some place, looked at alone; who has none may end anywhere."""
        if share.touched is None and not share.targets:
            return True
        placed = self.reachable.start.placed[mover]
        candidates = self.reachable.start.candidates.of(np.array([mover])) if placed else self.reachable.options[mover].candidates
        does = np.asarray(candidates.engaged[:, list(share.targets)].all(axis=1))
        if share.touched is not None:
            does &= candidates.touching & candidates.engaged[:, share.touched]
        return bool(does.any() and (placed or math.isfinite(self.reachable.shortest(mover, does))))

    def balls(self, mover: int, share: Share) -> list[tuple[FloatArray, FloatArray]]:
        """Give sets of balls, centres (k, 2) and radii (k,) in inches: a model that does its share ends in one ball of each set."""
        problem = self.reachable.problem
        radius, foes = float(problem.radii[problem.kind_numbers[mover]]), problem.foes.models
        sets = [(problem.movers.centres[[mover]], np.minimum(self.reachable.rooms[[mover]], problem.task.limit))]
        if self.reachable.start.placed[mover]:
            sets = [(self.reachable.start.candidates.at[[mover]], np.zeros(1))]
        for target in share.targets:
            own = problem.target_of == target
            sets.append((foes.centres[own], foes.radii[own] + radius + problem.situation.engagement.horizontal))
        if share.touched is not None:
            own = problem.target_of == share.touched
            sets.append((foes.centres[own], foes.radii[own] + radius))
        return sets

    def needs(self, share: Sequence[Share]) -> FloatArray:
        """Give the least length (n, n) in inches that links between each two models must bridge."""
        sets = [self.balls(mover, part) for mover, part in enumerate(share)]
        needs = np.zeros((self.count, self.count))
        for one, other in combinations(range(self.count), 2):
            needs[one, other] = max(_apart(first, second) for first in sets[one] for second in sets[other])
        for one in range(self.count):
            needs[one, one] = max((_apart(first, second) for first, second in combinations(sets[one], 2)), default=0.0)
        return needs

    def allows(self, contacts: int) -> bool:
        """Tell whether so many contacts may be possible; if not, no plan has as many."""
        limit = self.reachable.problem.task.limit
        for share in self.shares(contacts):
            needs = self.needs(share)
            for tree, hops in self.all:
                if (needs <= hops * self.link + CONTACT).all() and self._tightest(tree, share, limit) <= limit + MARGINAL:
                    return True
        return False

    def most_contacts(self, most: int) -> int:
        """Give the greatest number of contacts, up to `most`, that may be possible."""
        return next((contacts for contacts in range(most, 0, -1) if self.allows(contacts)), 0)

    def least_distance(self, longest: float) -> float:
        """Give a distance below which no plan is possible, or `longest` if that is not less."""
        least = longest
        for share in self.shares(0):
            needs = self.needs(share)
            for tree, hops in self.all:
                if (needs <= hops * self.link + CONTACT).all():
                    least = min(least, self._tightest(tree, share, longest))
        return least

    def _tightest(self, tree: Tree, share: Sequence[Share], longest: float) -> float:
        """Give the least longest move with which a tree does its share, up to `longest`; 0 if that takes too much to find out."""
        longest = min(longest, FAR_OFF)
        near = self._foes(share, longest)
        if math.prod(len(foes) for foes in near) > MOST_CHOICES:
            return 0.0
        return min((self._tight(tree, chosen, longest) for chosen in product(*near)), default=math.inf)

    def _foes(self, share: Sequence[Share], longest: float) -> list[list[tuple[int, int, float]]]:
        """List for each contact and engagement the foes that will do, within `longest` inches of moving: model, foe, greatest gap."""
        engagement = self.reachable.problem.situation.engagement.horizontal
        wanted = [(mover, target, engagement) for mover, part in enumerate(share) for target in part.targets if target != part.touched]
        wanted += [(mover, part.touched, 0.0) for mover, part in enumerate(share) if part.touched is not None]
        return [[(mover, foe, gap) for foe in self._within(mover, target, gap + longest)] for mover, target, gap in wanted]

    def _within(self, mover: int, target: int, gap: float) -> list[int]:
        """Give the foes of a target within a gap of where a model begins."""
        problem = self.reachable.problem
        aside = problem.foes.models.centres - problem.movers.centres[mover]
        gaps = np.hypot(aside[:, 0], aside[:, 1]) - problem.foes.models.radii - problem.radii[problem.kind_numbers[mover]]
        return [int(foe) for foe in np.flatnonzero((gaps <= gap + CONTACT) & (problem.target_of == target))]

    def _tight(self, tree: Tree, near: Sequence[tuple[int, int, float]], longest: float) -> float:
        """Bound the longest move with which a tree of links comes near all its foes, nothing else in the way; at most `longest`."""
        problem = self.reachable.problem
        foes, starts, radii = problem.foes.models, problem.movers.centres, problem.radii[problem.kind_numbers]
        rows = [(one, other, self.link) for one, other in tree]
        rows += [(mover, len(starts) + foe, float(radii[mover] + foes.radii[foe] + gap)) for mover, foe, gap in near]
        fixed = np.concatenate([foes.centres, starts])
        rooms = self.reachable.rooms
        rows += [(mover, len(fixed) + mover, float(rooms[mover])) for mover in np.flatnonzero(np.isfinite(rooms)).tolist()]
        first, second, high = (np.array(column) for column in zip(*rows, strict=True))
        links = Links(first, second, np.zeros(len(rows)), high)
        points = least_moved(starts, starts, fixed, links, furthest=True)
        return longest_bound(starts, points, fixed, links, reach=longest)


def _hops(tree: Tree, count: int) -> FloatArray:
    """Count the links (n, n) between each two models of a tree, infinite where none lead."""
    # csgraph.shortest_path takes 40 times as long for up to six models: 1.9 ms.
    hops = np.full((count, count), np.inf)
    np.fill_diagonal(hops, 0.0)
    for one, other in tree:
        hops[one, other] = hops[other, one] = 1.0
    for middle in range(count):
        hops = np.minimum(hops, hops[:, middle, None] + hops[None, middle, :])
    return hops


def _apart(first: tuple[FloatArray, FloatArray], second: tuple[FloatArray, FloatArray]) -> float:
    """Give the least distance in inches between a ball of one set and a ball of another."""
    aside = first[0][:, None, :] - second[0][None, :, :]
    return max(0.0, float((np.hypot(aside[..., 0], aside[..., 1]) - first[1][:, None] - second[1][None, :]).min(initial=np.inf)))
