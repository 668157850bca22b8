"""Columns of results in little memory: values that repeat stand in a list once, many different numbers as plain floats."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_KINDS = 256
"""Values that one byte tells apart; a column of more different numbers is kept as floats."""


class Column:
    """One value for each of `count` cases, put in one after another; None until then.

    Numbers that turn out to be words after all can no longer be told as they were written: then the column `is_mixed`, and must be
    filled again as one that `has_words`.
    """

    def __init__(self, count: int, *, has_words: bool = False) -> None:
        self._codes: NDArray[Any] = np.zeros(count, dtype=np.uint8)
        self._known: dict[Any, int] = {None: 0}
        self._floats: NDArray[np.float64] | None = None
        self._has_words, self.is_mixed = has_words, False

    def put(self, case: int, value: Any) -> None:
        """Keep the value of a case, by its number."""
        code = self._code_of(value)
        if self._floats is None:
            self._codes[case] = code
        else:
            number = _number(value)
            self.is_mixed |= number is None
            self._floats[case] = np.nan if number is None else number

    def _code_of(self, value: Any) -> int:
        """Give the code of a value, as long as there are codes."""
        if self._floats is None and value not in self._known:
            self._known[value] = len(self._known)
            self._has_words = self._has_words or _number(value) is None
            self._make_room()
        return self._known.get(value, 0)

    def _make_room(self) -> None:
        """Take wider codes for more words, and none for more numbers."""
        if len(self._known) <= np.iinfo(self._codes.dtype).max + 1:
            return
        if self._has_words:
            self._codes = self._codes.astype(np.uint16 if len(self._known) <= MOST_KINDS**2 else np.uint32)
        else:
            self._floats = self.values()
            self._codes, self._known = np.zeros(0, dtype=np.uint8), {}

    def values(self) -> NDArray[Any]:
        """Give floats where everything that is there is a number (nan where nothing is), texts elsewhere."""
        if self._floats is not None:
            return self._floats
        if self._has_words:
            known = np.array(["" if value is None else str(value) for value in self._known], dtype=object)
        else:
            known = np.array([_number(value) for value in self._known], dtype=float)
        spread: NDArray[Any] = known[self._codes]
        return spread


def _number(value: Any) -> float | None:
    """Give a number as such, nan for nothing, None for a word."""
    if value is None:
        return np.nan
    try:
        return {"True": 1.0, "False": 0.0}[value] if value in ("True", "False") else float(value)
    except ValueError:
        return None


class Columns(Mapping[str, NDArray[Any]]):
    """Columns by name, each spread out into an array of a grid's shape when it is asked for, beside those that are `known` already."""

    def __init__(self, columns: Mapping[str, Column], shape: tuple[int, ...], known: Mapping[str, NDArray[Any]]) -> None:
        self._columns, self._shape, self._known = columns, shape, known

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._known[name] if name in self._known else self._columns[name].values().reshape(self._shape)

    def __iter__(self) -> Iterator[str]:
        return chain(self._columns, self._known)

    def __len__(self) -> int:
        return len(self._columns) + len(self._known)
