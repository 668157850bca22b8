"""Bases that keep their facing, and gaps between many places of them and to others.

Gaps are exact only where it matters, for exact ones of ovals take long.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tabletop.geometry.arrangement import BoolArray, IntArray
from tabletop.geometry.pose import FloatArray, Pose
from tabletop.geometry.shape import Shape, disc, gaps
from tabletop.table.crowd import Crowd
from tabletop.table.squad import Footing, Hull, Model, OvalBase, RoundBase, footprint
from tabletop.units import CONTACT

MEASURED_WITHIN = 1e-4
"""Inches from a gap at which something changes within which the gap is measured exactly."""


@dataclass(frozen=True)
class Kind:
    """A base with a facing in radians; that of a round base is always 0."""

    base: Footing
    heading: float

    @cached_property
    def shape(self) -> Shape:
        """The footprint with its place at the origin."""
        return footprint(self.base, Pose(0.0, 0.0, self.heading))

    @cached_property
    def outer(self) -> float:
        """Radius in inches of the least disc about the place that holds the footprint: an oval's outline has both its ends."""
        return self.shape.radius if self.is_round else float(np.hypot(*self.shape.outline().T).max())

    @cached_property
    def inner(self) -> float:
        """Radius in inches of a disc about the place that the footprint holds; 0 if its place is not inside."""
        if self.is_round:
            return self.shape.radius
        point = np.zeros((1, 2))
        return max(0.0, -float(gaps(disc((0.0, 0.0), 0.0), point, self.shape)[0]))

    @property
    def is_round(self) -> bool:
        """Whether the footprint is a disc."""
        return isinstance(self.base, RoundBase)


def kind_of(model: Model) -> Kind:
    """Give the kind in which a model stands."""
    return Kind(model.base, 0.0 if isinstance(model.base, RoundBase) else model.pose.heading)


def corner_turns(base: Footing) -> list[float]:
    """Give the angles in radians by which a base turns from where it looks to have a corner there that is farthest from its place."""
    if isinstance(base, OvalBase):
        return []
    kind = Kind(base, 0.0)
    turns = [-math.atan2(y, x) for x, y in kind.shape.outline().tolist() if math.hypot(x, y) >= kind.outer - CONTACT]
    return turns if isinstance(base, Hull) else [turn for turn in turns if abs(turn) < math.pi / 2.0]  # it looks the same turned about


@dataclass(frozen=True, eq=False)
class Separations:
    """What measures gaps of places (k, 2) of some kinds.

    Attributes
    ----------
    kinds
        The bases with their facings, by number.
    farthest
        Inches up to which gaps to other units are measured exactly; greater ones may be told too small.
    linked
        The gap in inches up to which two places are linked.
    """

    kinds: tuple[Kind, ...]
    farthest: float
    linked: float
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

        Those that surely lie to one side of 0 and of `linked` may be told as any number there.
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
        asked = _doubtful(between, apart - kind.inner - other.inner, (0.0, self.linked))
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
