"""Who is engaged with whom: models within a range across, and up and down; a longer one where something between them lengthens it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tabletop.geometry.arrangement import BoolArray, Tracks
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.shape import Shape, gap, gaps
from tabletop.table.crowd import Crowd
from tabletop.units import CONTACT

CROSSED_BY = 4e-6
"""Inches to either side of a line at which it is surely crossed or missed."""


class Lengthening(Protocol):
    """Something on the table that lengthens the range of engagement between some bodies."""

    @property
    def range(self) -> float:
        """The range across in inches that counts there."""
        ...

    def may_count(self, foe: Shape) -> bool:
        """Tell whether that range may count anywhere about a foe."""
        ...

    def counts(self, body: Shape, foe: Shape, *, spare: float) -> bool:
        """Tell whether it counts between two bodies, or would if it were `spare` inches nearer to what joins them."""
        ...

    def borders(self, seers: Crowd, outer: float, *, aside: Sequence[float]) -> list[Tracks]:
        """Return lines at which it begins to count between some models and a body within `outer` inches of its place.

        Of each line there is one for each number of inches to its right in `aside`.
        """
        ...

    def least_way(self, around: Shape, foe: Shape) -> float:
        """Return a number of inches that a body within a disc must go at least for it to count; infinite if it nowhere does."""
        ...

    def may_count_near(self, body: Shape, at: FloatArray, foe: Shape, between: FloatArray, *, off: float, is_flat: bool) -> BoolArray:
        """Tell near which places (k, 2) of a body, so far from a foe (k,), it may count: no point is more than `off` inches away.

        Where it `is_flat` all bodies stand on the table itself.
        """
        ...


@dataclass(frozen=True, eq=False)
class Engagement:
    """Two models are engaged within `horizontal` inches of each other across, and `vertical` inches up and down."""

    horizontal: float
    vertical: float
    lengthening: Lengthening | None = None

    @property
    def ranges(self) -> tuple[float, ...]:
        """All ranges across in inches, the shortest first."""
        return (self.horizontal,) if self.lengthening is None else tuple(sorted({self.horizontal, self.lengthening.range}))

    def margins(
        self,
        between: FloatArray,
        up: FloatArray,
        bodies: Callable[[int, int], tuple[Shape, Shape]],
        *,
        spare: float = CONTACT,
        beyond: float,
    ) -> tuple[FloatArray, FloatArray]:
        """Measure how far (n, m) models are within range of others, across, and up and down; negative: outside.

        Parameters
        ----------
        between, up
            Gaps (n, m) in inches across, and up and down.
        bodies
            Returns the footprints of a pair.
        spare
            A longer range counts where it would if a pair were so many inches nearer to what lengthens it.
        beyond
            Of pairs farther apart than the longer range and so many inches it is not asked whether it counts: they are outside anyway.
        """
        across: FloatArray = self.horizontal - between
        if self.lengthening is not None:
            longer = self.lengthening.range - between
            for one, other in np.argwhere((across < 0.0) & (longer >= -beyond)):
                if self.lengthening.counts(*bodies(one, other), spare=spare):
                    across[one, other] = longer[one, other]
        return across, self.vertical - up

    def longest_to(self, foe: Shape) -> float:
        """Return the longest range across in inches from which a foe may be engaged."""
        return self.ranges[-1] if self.lengthening is not None and self.lengthening.may_count(foe) else self.horizontal

    def least_way(self, around: Shape, foe: Shape) -> float:
        """Return a number of inches that a body within a disc must go at least to engage a foe."""
        longer = math.inf if self.lengthening is None else self.lengthening.least_way(around, foe)
        return min(gap(around, foe) - self.horizontal, longer)

    def borders(self, seers: Crowd, outer: float, *, aside: Sequence[float]) -> list[Tracks]:
        """Return lines at which another range begins to count: those of what lengthens it."""
        return [] if self.lengthening is None else self.lengthening.borders(seers, outer, aside=aside)

    def may_hold(self, body: Shape, at: FloatArray, foe: Shape, *, off: float, is_flat: bool) -> BoolArray:
        """Tell near which places (k, 2) of a body, no point of it more than `off` inches away, it may be engaged with a foe across."""
        between = gaps(body, at, foe)
        near = np.asarray(between <= self.horizontal + off + CONTACT)
        if self.lengthening is not None:
            rows = np.flatnonzero(~near & (between <= self.lengthening.range + off + CONTACT))
            near[rows] = self.lengthening.may_count_near(body, at[rows], foe, between[rows], off=off, is_flat=is_flat)
        return near


def rises(heights: FloatArray, tall: float, others: FloatArray, others_tall: float | FloatArray) -> FloatArray:
    """Measure the vertical gaps (n, m) in inches between bodies, so `tall`, that stand at `heights` (n,) and `others` (m,)."""
    rise: FloatArray = heights[:, None] - others[None, :]
    return np.maximum(np.maximum(rise - others_tall, -rise - tall), 0.0)
