"""Two models that engage different targets: how far apart the places are where they can, held against what links span at most.

Each is a lens, what its model reaches and what is near enough to a foe, or what lies between the lenses of a target's foes. Of many
directions it is asked how far two of them are apart that way: they are at least as far apart as the greatest of these.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from tabletop.geometry.pose import FloatArray
from tabletop.placement.reachable import ReachablePlaces
from tabletop.units import CONTACT

LENS_DIRECTIONS = 720
"""Directions that are looked in, an even number."""


@dataclass(frozen=True, eq=False)
class TwoTargetBound:
    """A unit that must be coherent, with the places from which its models can engage targets."""

    reachable: ReachablePlaces

    @cached_property
    def _ahead(self) -> FloatArray:
        """The directions (k, 2)."""
        turns = math.tau / LENS_DIRECTIONS * np.arange(LENS_DIRECTIONS)
        return np.column_stack([np.cos(turns), np.sin(turns)])

    @cached_property
    def _outer(self) -> FloatArray:
        """The radii (n,) in inches of discs about the models' places that hold them."""
        return np.array([self.reachable.problem.kinds[number].outer for number in self.reachable.problem.kind_numbers])

    @cached_property
    def _spans(self) -> FloatArray:
        """How far apart (n, n) in inches each two models may end from middle to middle, a model and itself not at all."""
        spans = self.reachable.problem.situation.coherency.span(2.0 * self._outer) - self._outer[:, None] - self._outer[None, :]
        np.fill_diagonal(spans, 0.0)
        return np.asarray(spans)

    def allow(self, limit: float) -> bool:
        """Tell whether of each two targets some models, or one alone, might engage both near enough to each other."""
        targets = self.reachable.problem.targets
        if len(targets) == 1 or np.isinf(self._spans).any():
            return True
        ends = [self._ends(target, limit) for target in targets]
        return all(bool((_apart(ends[one], ends[other]) <= self._spans + CONTACT).any()) for one, other in combinations(targets, 2))

    def _ends(self, target: int, limit: float) -> FloatArray:
        """Measure how far (n, k) each direction leads to the farthest place where a model can engage a target; -inf if it cannot."""
        problem = self.reachable.problem
        own, foes = problem.target_of == target, problem.foes.models
        radii = foes.radii[own][None, :] + self._outer[:, None] + problem.situation.longest_ranges[own][None, :]
        starts, reach = problem.movers.centres[:, None, :], np.minimum(self.reachable.rooms, limit)[:, None]
        return np.asarray(_farthest(starts, reach, foes.centres[own][None, :, :], radii, self._ahead).max(axis=1))


def _apart(first: FloatArray, second: FloatArray) -> FloatArray:
    """Bound from below how far apart (n, n) convex sets are, given how far (n, k) each direction leads in them."""
    back = np.roll(second, LENS_DIRECTIONS // 2, axis=1)
    return np.asarray(np.max(-first[:, None, :] - back[None, :, :], axis=2))


def _farthest(centres: FloatArray, radius: FloatArray, others: FloatArray, radii: FloatArray, ahead: FloatArray) -> FloatArray:
    """Measure how far (n, m, k) directions (k, 2) lead in what discs (n, 1) and others (n, m) share; -inf where that is nothing."""
    between = others - centres
    apart = np.hypot(between[..., 0], between[..., 1])
    along = (apart**2 + radius**2 - radii**2) / (2.0 * np.maximum(apart, CONTACT))
    aside = np.sqrt(np.maximum(radius**2 - along**2, 0.0))
    towards = between / np.maximum(apart, CONTACT)[..., None]
    left = np.stack([-towards[..., 1], towards[..., 0]], axis=-1)
    corners = [centres + along[..., None] * towards + side * aside[..., None] * left for side in (1.0, -1.0)]
    tops = [centres[..., None, :] + radius[..., None, None] * ahead, others[..., None, :] + radii[..., None, None] * ahead]
    lengths = [(top * ahead).sum(axis=-1) for top in tops]
    is_inside = [
        np.hypot(*np.moveaxis(top - centre[..., None, :], -1, 0)) <= reach + CONTACT
        for top, centre, reach in zip(tops, (others, centres), (radii[..., None], radius[..., None]), strict=True)
    ]
    farthest = np.max([corner @ ahead.T for corner in corners], axis=0)
    farthest = np.where(is_inside[1], lengths[1], farthest)
    farthest = np.where(is_inside[0], lengths[0], farthest)
    holds = apart <= np.abs(radius - radii)  # one disc lies in the other
    farthest = np.where(holds[..., None], np.minimum(*lengths), farthest)
    return np.asarray(np.where((apart <= radius + radii + CONTACT)[..., None], farthest, -np.inf))
