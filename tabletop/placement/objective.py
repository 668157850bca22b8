"""What the ends of loose models are to reach, as one value: which models count, in which order, then least movement.

The bounds and constructions know the amounts by nature; their order, and which of them count, stand here alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from tabletop.geometry.arrays import BoolArray, IntArray

Counted = Literal["contact", "engagement"]
"""What may be counted: models in base contact with a target, or models engaged with one."""

GAIN = 1e-7
"""Inches by which a plan must be shorter to count as better."""


class Values(NamedTuple):
    """What a plan reaches: models in base contact, models engaged, and the total move in inches."""

    contacts: int
    engaged: int
    move: float


@dataclass(frozen=True)
class PlacementObjective:
    """Order in which plans are compared: the models `counted`, the most important first, then the smaller total
    move.
    """

    counted: tuple[Counted, ...]

    @cached_property
    def wants_contacts(self) -> bool:
        """Whether models in base contact count."""
        return "contact" in self.counted

    @cached_property
    def wants_engaged(self) -> bool:
        """Whether models that are not in contact should end engaged."""
        return "engagement" in self.counted

    def counts(self, values: Values) -> tuple[int, ...]:
        """Return the numbers of models that count, the most important first: lexicographically greater is better."""
        return tuple(
            values.contacts if goal == "contact" else values.engaged for goal in self.counted
        )

    def key(self, values: Values) -> tuple[float, ...]:
        """Return the sort key of a plan: lexicographically greater is better."""
        return (*self.counts(values), -values.move)

    def is_better(self, one: Values, other: Values) -> bool:
        """Return whether a plan counts more than another, or as much with a move that is shorter by `GAIN`."""
        ours = self.counts(one)
        theirs = self.counts(other)
        return one.move < other.move - GAIN if ours == theirs else ours > theirs


def exceeding(numbers: Sequence[IntArray], above: Sequence[int]) -> BoolArray:
    """Return where counts, an array for each kind in order, are lexicographically greater than `above`."""
    is_greater = np.zeros((), dtype=bool)
    for number, least in reversed(list(zip(numbers, above, strict=True))):
        is_greater = (number > least) | ((number == least) & is_greater)
    return is_greater
