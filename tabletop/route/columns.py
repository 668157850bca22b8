"""Tables as named tuples of arrays of one length: some of the rows, and the rows of several tables."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np


def taken(table: Iterable[Any], rows: Any) -> Iterator[Any]:
    """Give each column with some of its rows, chosen by number or by a mask."""
    return (column[rows] for column in table)


def joined(tables: Sequence[Iterable[Any]]) -> Iterator[Any]:
    """Give each column of several tables as one."""
    return (np.concatenate(columns) for columns in zip(*tables, strict=True))
