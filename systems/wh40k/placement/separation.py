"""Gaps between many places of the charging models, and to others: exact only where it matters, for exact ones of ovals take long."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from systems.wh40k.placement.candidates import BoolArray, IntArray, Kind, kind_of
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.shape import gaps
from tabletop.table.crowd import Crowd

MEASURED_WITHIN = 1e-4
"""Inches from a gap at which something changes within which the gap is measured exactly."""


@dataclass(frozen=True, eq=False)
class Separations:
    """What measures gaps of places (k, 2) of some kinds.

    Attributes
    ----------
    kinds
        The bases with their facings, by number.
    farthest
        Inches up to which gaps to other units are measured exactly; greater ones may be told too small.
    coherency
        The gap in inches that neighbours may have.
    """

    kinds: tuple[Kind, ...]
    farthest: float
    coherency: float
    _inner: dict[Crowd, FloatArray] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def is_round(self) -> bool:
        """Whether all kinds are discs."""
        return all(kind.is_round for kind in self.kinds)

    @cached_property
    def radii(self) -> FloatArray:
        """The radii in inches of the kinds' discs."""
        return np.array([kind.shape.radius for kind in self.kinds])

    def gaps_to(self, kind: Kind, at: FloatArray, group: Crowd, *, marks: Sequence[float] = ()) -> FloatArray:
        """Measure the gaps (k, m) in inches of places of a kind to the models of a group.

        If `marks` are given, gaps that surely lie to one side of each of them may be told as any number there.
        """
        apart = _apart(at, group.centres)
        between: FloatArray = apart - group.radii - kind.outer
        if (kind.is_round and group.is_round) or not group.models:
            return between
        asked = between <= self.farthest
        if marks:
            asked &= _doubtful(between, apart - self._inner_radii(group) - kind.inner, marks)
        for column in np.flatnonzero(asked.any(axis=0)).tolist():
            rows = np.flatnonzero(asked[:, column])
            between[rows, column] = gaps(kind.shape, at[rows], group.models[column].footprint)
        return between

    def farthest_gaps(self, kind: Kind, at: FloatArray, group: Crowd) -> FloatArray:
        """Give numbers (k, m) of inches that the gaps of places of a kind to the models of a group do not exceed."""
        return np.asarray(_apart(at, group.centres) - self._inner_radii(group) - kind.inner)

    def _inner_radii(self, group: Crowd) -> FloatArray:
        """Give the radii (m,) in inches of discs about the places of a group's models that these hold."""
        if group not in self._inner:
            self._inner[group] = np.array([kind_of(model).inner for model in group.models])
        return self._inner[group]

    def pair_gaps(self, kinds: IntArray, at: FloatArray, other_kinds: IntArray, other_at: FloatArray) -> FloatArray:
        """Measure the gaps (k, m) in inches between places of several kinds and others.

        Those that surely lie to one side of 0 and of coherency may be told as any number there.
        """
        if self.is_round:
            return np.asarray(_apart(at, other_at) - self.radii[kinds][:, None] - self.radii[other_kinds])
        between = np.empty((len(at), len(other_at)))
        for one in np.unique(kinds):
            for other in np.unique(other_kinds):
                rows, columns = np.flatnonzero(kinds == one), np.flatnonzero(other_kinds == other)
                aside = at[rows][:, None, :] - other_at[columns][None, :, :]
                between[np.ix_(rows, columns)] = self._kind_gaps(self.kinds[one], aside, self.kinds[other])
        return between

    def _kind_gaps(self, kind: Kind, aside: FloatArray, other: Kind) -> FloatArray:
        """Measure gaps (k, m) of a kind moved by (k, m, 2) from another."""
        apart = np.hypot(aside[..., 0], aside[..., 1])
        between: FloatArray = apart - kind.outer - other.outer
        asked = _doubtful(between, apart - kind.inner - other.inner, (0.0, self.coherency))
        between[asked] = gaps(kind.shape, aside[asked], other.shape)
        return between


def _apart(at: FloatArray, others: FloatArray) -> FloatArray:
    """Measure how far (k, m) places are from others, in inches."""
    x, y = at[:, :1] - others[:, 0], at[:, 1:] - others[:, 1]
    apart: FloatArray = np.sqrt(x * x + y * y)
    return apart


def _doubtful(low: FloatArray, high: FloatArray, marks: Sequence[float]) -> BoolArray:
    """Tell of numbers between `low` and `high` (k, m) which may lie to either side of a mark."""
    return np.asarray(np.any([(low <= mark + MEASURED_WITHIN) & (high >= mark - MEASURED_WITHIN) for mark in marks], axis=0))
