"""Types of NumPy arrays, and tables kept as named tuples of columns of one length."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

IntArray = NDArray[np.intp]

BoolArray = NDArray[np.bool_]


def take(table: Iterable[Any], rows: Any) -> Iterator[Any]:
    """Return an iterator over the columns of a table, each reduced to `rows`, given as indices, a mask or a slice."""
    return (column[rows] for column in table)


def concatenate(tables: Sequence[Iterable[Any]]) -> Iterator[Any]:
    """Return an iterator over the columns of the concatenation of several tables of the same fields, row blocks one
    after the other.
    """
    return (np.concatenate(columns) for columns in zip(*tables, strict=True))


def repeat_numbered(counts: IntArray) -> tuple[IntArray, IntArray]:
    """Return, for consecutive groups of sizes `counts` (g,), the group of each element and its index within that
    group.
    """
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
