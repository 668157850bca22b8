"""Cases told apart by their keys, wherever their rows stand."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tabletop.exploring.grid import Grid
from tabletop.exploring.varied import VariedScenario

Keys = NDArray[np.uint64]


def short(key: str) -> int:
    """Give the first 64 bits of a key, by which cases are told apart in memory.

    Raises
    ------
    ValueError
        If it is no key.
    """
    if len(key) != 32 or not key.isalnum():  # noqa: PLR2004 - hexadecimal digits of a key
        raise ValueError(key)
    return int(key[:16], 16)


class Known:
    """The numbers of a grid's cases by their keys; values given twice for a key of the scenario make cases of the same key."""

    def __init__(self, base: VariedScenario, grid: Grid) -> None:
        self.base, self.grid = base, grid
        self.keys: Keys = np.fromiter((short(base.key(values)) for values in grid), dtype=np.uint64, count=len(grid))

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Numbers of the cases in the order of their keys."""
        return np.argsort(self.keys, kind="stable")

    @cached_property
    def has_twins(self) -> bool:
        """Whether several cases have the same key."""
        ordered = np.sort(self.keys)
        return bool((ordered[1:] == ordered[:-1]).any())

    def numbers(self, key: int, guess: int = -1) -> Sequence[int]:
        """Give the numbers of the cases with a key, none if there are none; `guess` is where it would stand in a table in order."""
        if 0 <= guess < len(self.keys) and self.keys[guess] == key and not self.has_twins:
            return (guess,)
        first, last = (int(np.searchsorted(self.keys, np.uint64(key), side=side, sorter=self.order)) for side in ("left", "right"))
        found: list[int] = self.order[first:last].tolist()
        return found
