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


def lengths_of(vectors: FloatArray) -> FloatArray:
    """Return the lengths of vectors (x, y), which are the last axis of an array."""
    lengths: FloatArray = np.hypot(vectors[..., 0], vectors[..., 1])
    return lengths


def bearings_of(vectors: FloatArray) -> FloatArray:
    """Return the directions of vectors (x, y), which are the last axis of an array, in radians from +x."""
    bearings: FloatArray = np.arctan2(vectors[..., 1], vectors[..., 0])
    return bearings


def unit_vectors(angles: FloatArray) -> FloatArray:
    """Return the unit vectors (n, 2) in directions (n,), in radians from +x."""
    return np.column_stack([np.cos(angles), np.sin(angles)])


def cross_product(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the cross products of vectors (x, y), which are the last axis of two arrays."""
    product: FloatArray = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return product
