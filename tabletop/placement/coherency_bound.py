"""What coherency alone forbids: whoever engages a target must have company there, and the rest of the unit must be able to follow.

Starts, reach and engagement ranges are taken as discs, nothing stands in any way, and what links bridge is all that is asked:
what is impossible even so is impossible.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tabletop.geometry.arrangement import BoolArray
from tabletop.geometry.pose import FloatArray
from tabletop.placement.reachable import ReachablePlaces
from tabletop.placement.two_target_bound import TwoTargetBound
from tabletop.units import CONTACT

SPAN_TOLD_TO = 1e-4
"""Inches to which the least distance is told."""


@dataclass(frozen=True, eq=False)
class CoherencyBound:
    """A unit and the foes that it must engage, as discs that hold them."""

    reachable: ReachablePlaces

    @property
    def is_asked(self) -> bool:
        """Whether the unit must be coherent at all."""
        return self.reachable.problem.task.asks("coherent") and len(self.reachable.options) > 1

    def allows(self, limit: float) -> bool:
        """Tell whether every target can be engaged at a distance by a model that has company there, and links can join such models."""
        targets = self.reachable.problem.targets
        return all(self._is_engaged(target, limit) for target in targets) and self._lenses.allow(limit)

    @cached_property
    def _lenses(self) -> TwoTargetBound:
        return TwoTargetBound(self.reachable)

    def least_distance(self, low: float, high: float) -> float:
        """Give a distance from `low` to `high` below which no plan is possible."""
        if self.allows(low):
            return low
        if not self.allows(high):
            return high
        while high - low > SPAN_TOLD_TO:
            middle = (low + high) / 2.0
            low, high = (low, middle) if self.allows(middle) else (middle, high)
        return low

    def _is_engaged(self, target: int, limit: float) -> bool:
        """Tell whether some model can engage a target so that the others can be near enough."""
        return any(self._has_company(apart) for apart in self._from_ends(target, limit))

    def _has_company(self, apart: FloatArray) -> bool:
        """Tell whether others that come no nearer (n-1,) to where a model may end can be its neighbours, and the rest follow."""
        problem, count = self.reachable.problem, len(apart)
        hops = np.maximum(np.ceil((np.sort(apart) - CONTACT) / self._link), 0.0)
        coherency = problem.situation.coherency
        asked = coherency.neighbours
        is_company = bool(hops[asked - 1] <= 1.0)
        if not coherency.is_one_group:
            return is_company
        most = np.minimum(np.maximum(np.arange(1, count + 1) - asked + 1, 1), coherency.most_links)
        return is_company and bool((hops <= most).all())

    @property
    def _link(self) -> float:
        """How far apart from middle to middle neighbours may be, in inches."""
        outer = max(kind.outer for kind in self.reachable.problem.kinds)
        return float(2.0 * outer + self.reachable.problem.situation.coherency.horizontal)

    def _from_ends(self, target: int, limit: float) -> list[FloatArray]:
        """Give for each model that may engage a target how near (n-1,) the others come to the nearest place where it can end so."""
        problem, found, reach = self.reachable.problem, list[FloatArray](), np.minimum(self.reachable.rooms, limit)
        own = problem.target_of == target
        foes, starts = problem.foes.models, problem.movers.centres
        for mover, start in enumerate(starts):
            radii = foes.radii[own] + problem.kinds[problem.kind_numbers[mover]].outer + problem.situation.longest_ranges[own]
            its = float(reach[mover])
            apart = np.min(
                [_to_lens(starts, foe, radius, start, its) for foe, radius in zip(foes.centres[own], radii, strict=True)], axis=0
            )
            if np.isfinite(apart[mover]):
                found.append(np.delete(apart - reach, mover))
        return found


def _to_lens(points: FloatArray, first: FloatArray, radius: float, second: FloatArray, other: float) -> FloatArray:
    """Measure how far (n,) points (n, 2) are from where two discs overlap; infinite if they do not."""
    between = math.dist(first, second)
    if between > radius + other + CONTACT:
        return np.full(len(points), np.inf)
    apart, aside = (np.hypot(*(points - centre).T) for centre in (first, second))
    inside: BoolArray = (apart <= radius) & (aside <= other)
    found = np.where(inside, 0.0, np.inf)
    for centre, reach, length, its, limit in ((first, radius, apart, second, other), (second, other, aside, first, radius)):
        nearest = centre + (points - centre) * (reach / np.maximum(length, max(reach, CONTACT)))[:, None]
        is_within = np.hypot(*(nearest - its).T) <= limit + CONTACT
        found = np.where(is_within, np.minimum(found, length - reach), found)
    found = np.maximum(found, 0.0)
    for corner in _corners(first, radius, second, other, between):
        found = np.minimum(found, np.hypot(*(points - corner).T))
    return found


def _corners(first: FloatArray, radius: float, second: FloatArray, other: float, between: float) -> list[FloatArray]:
    """Give the points where two circles meet, if they do."""
    if between < abs(radius - other) - CONTACT or between <= CONTACT:
        return []
    along = min(radius, (between**2 + radius**2 - other**2) / (2.0 * between))
    aside = math.sqrt(max(0.0, radius**2 - along**2))
    ahead = (second - first) / between
    left = np.array([-ahead[1], ahead[0]])
    return [first + along * ahead + side * aside * left for side in (1.0, -1.0)]
