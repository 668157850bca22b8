"""Types of NumPy arrays, and tables kept as named tuples of columns of one length."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

IntArray = NDArray[np.intp]

BoolArray = NDArray[np.bool_]


def take(table: Iterable[Any], rows: Any) -> Iterator[Any]:
    """Return each column with some of its rows, chosen by number or by a mask."""
    return (column[rows] for column in table)


def concatenate(tables: Sequence[Iterable[Any]]) -> Iterator[Any]:
    """Return each column of several tables as one."""
    return (np.concatenate(columns) for columns in zip(*tables, strict=True))


def repeat_numbered(counts: IntArray) -> tuple[IntArray, IntArray]:
    """Return for groups of sizes `counts` the group of each element, and its index within the group from 0."""
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
