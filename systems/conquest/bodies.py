"""Convex bodies as they are seen from somewhere, many at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tabletop.fronts.corner import CornerView
from tabletop.fronts.obstacle import Hazard
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.ring import padded, ring_gap
from tabletop.units import CONTACT

Numbers = NDArray[np.intp]
Flags = NDArray[np.bool_]
MOST_PAIRS, CORNERS = 200_000, 4
"""Pairs of a wheel and a body of so many corners that are worked on at once."""


@dataclass(frozen=True, eq=False)
class SeenBodies:
    """Convex bodies as seen from a corner.

    Attributes
    ----------
    rings
        Their corners (m, n, 2), shorter ones with one repeated.
    needed
        The gaps to be kept from them (m,), in inches.
    numbers
        Their places in the list that they come from (m,).
    """

    rings: FloatArray
    needed: FloatArray
    numbers: Numbers

    @classmethod
    def of(cls, hazards: Sequence[Hazard], view: CornerView) -> "SeenBodies":
        """See hazards from a corner."""
        rings = view.points(padded([hazard.ring for hazard in hazards]) if hazards else np.empty((0, 1, 2)))
        needed, numbers = np.array([hazard.needed for hazard in hazards]), np.arange(len(hazards))
        return cls(rings[:, ::-1] if view.is_mirrored else rings, needed, numbers)

    def near(self, ring: FloatArray, *, reach: float) -> "SeenBodies":
        """Keep those that are no farther than `reach` inches and their needed gap from a ring."""
        if not len(self.rings):
            return self
        return self.part(np.flatnonzero(ring_gap(self.rings, ring) <= reach + self.needed + CONTACT))

    def part(self, which: Numbers | slice) -> "SeenBodies":
        """Keep some of them."""
        return SeenBodies(self.rings[which], self.needed[which], self.numbers[which])

    def batches(self, wheels: int) -> Iterator["SeenBodies"]:
        """Give them in parts, each of as many as fit into memory with so many wheels."""
        size = self.at_once(wheels)
        return (self.part(slice(start, start + size)) for start in range(0, len(self.numbers), size))

    def at_once(self, wheels: int) -> int:
        """Give how many of them fit into memory with so many wheels, at least one."""
        corners: int = self.rings.shape[1]
        return max(MOST_PAIRS * CORNERS // (max(wheels, 1) * max(corners, CORNERS)), 1)

    @cached_property
    def circles(self) -> tuple[FloatArray, FloatArray]:
        """Circles around them: centres (m, 2) and radii (m,), in inches."""
        low, high = self.boxes
        return (low + high) / 2.0, np.hypot(*(high - low).T) / 2.0

    @cached_property
    def boxes(self) -> tuple[FloatArray, FloatArray]:
        """Boxes around them: the corners (m, 2) with least and with greatest coordinates."""
        return self.rings.min(axis=1), self.rings.max(axis=1)

    def seen(self, view: CornerView) -> "SeenBodies":
        """See them in other coordinates, not mirrored."""
        return SeenBodies(view.points(self.rings), self.needed, self.numbers)

    def joined(self, other: "SeenBodies") -> "SeenBodies":
        """Put others behind them."""
        size = max(self.rings.shape[1], other.rings.shape[1])
        rings = [
            np.concatenate([some.rings, np.repeat(some.rings[:, -1:], size - some.rings.shape[1], axis=1)], axis=1)
            for some in (self, other)
        ]
        needed, numbers = np.concatenate([self.needed, other.needed]), np.concatenate([self.numbers, other.numbers])
        return SeenBodies(np.concatenate(rings), needed, numbers)
