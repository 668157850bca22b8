"""Tables as named tuples of arrays of one length: some of the rows, the rows of several tables, rows that are there many times."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Where a body stands and looks, and the three ways in which a block moves: forward, wheel, turn.

FloatArray = NDArray[np.float64]

# Curves on which something stands at a given gap from something else, many at once: where they cross, what is nearest on them.

IntArray = NDArray[np.intp]

BoolArray = NDArray[np.bool_]

# Many loose models at once: the gaps between all of some and all of others.


def taken(table: Iterable[Any], rows: Any) -> Iterator[Any]:
    """Give each column with some of its rows, chosen by number or by a mask."""
    return (column[rows] for column in table)


def joined(tables: Sequence[Iterable[Any]]) -> Iterator[Any]:
    """Give each column of several tables as one."""
    return (np.concatenate(columns) for columns in zip(*tables, strict=True))


def spread(counts: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Give for things that are `counts` times there which one each is, and its number among its likes from 0."""
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
