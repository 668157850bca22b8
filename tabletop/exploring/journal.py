"""Results on disk: written as they come, found again by their keys, and set in order into a table when all are there.

While work is under way the rows stand in `OUT.part`, a line of JSON for each case, in the order in which they came. A last
line that was cut off when the program was stopped is left out. When all are there the table OUT is written beside it and put
in its place in one go.
"""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.errors import UsageError
from tabletop.exploring.axes import Grid
from tabletop.exploring.base import Base
from tabletop.exploring.rows import Row
from tabletop.exploring.table import read_rows, write_table

Short = NDArray[np.uint64]

OTHERS = "holds other cases (another scenario, grid or version), or something else; name another file, or remove it"
_BEGIN = b'[{"key":"'
"""How every line of a run begins."""


class Journal:
    """The cases of a grid that are done, on disk; `missing` gives the numbers of those that are not.

    Raises
    ------
    UsageError
        If the table, or what is left of an earlier run, holds cases of another scenario or grid, or anything else; if there are more
        cases than memory holds, or the table cannot be written.
    """

    def __init__(self, out: Path, base: Base, grid: Grid) -> None:
        self.out, self.part = out, out.with_name(out.name + ".part")
        self.base, self._grid = base, grid
        try:
            self._keys = np.fromiter((_short(base.key(values)) for values in grid), dtype=np.uint64, count=len(grid))
            self.is_finished = self._has_table()
            count = 0 if self.is_finished else len(grid)
            self._places, self._by_key = np.full(count, -1, dtype=np.int64), np.argsort(self._keys[:count])
        except MemoryError:
            raise UsageError(f"that is {len(grid):,} cases, more than memory holds here; vary less at once") from None
        if not self.is_finished:
            with self._writing():
                self.part.open("ab").close()
            self._recover()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise UsageError(f"{self.out}: cannot be written: {error.strerror}") from error

    def _has_table(self) -> bool:
        """Tell whether the table is there, with exactly the cases of this grid."""
        if not self.out.exists():
            return False
        keys = (row["key"] for row in read_rows(self.out, ["key"]))
        try:
            found = np.fromiter(map(_short, keys), dtype=np.uint64)
        except (TypeError, ValueError, OverflowError) as error:
            raise error if isinstance(error, UsageError) else UsageError(f"{self.out} {OTHERS}") from None
        if not np.array_equal(_distinct(found), _distinct(self._keys.copy())):
            raise UsageError(f"{self.out} {OTHERS}")
        return True

    def _recover(self) -> None:
        """Find what an earlier run has written, and cut off a line it could not finish; leave no empty file."""
        with self.part.open("rb+") as file:
            place = 0
            for line in file:
                if not line.endswith(b"\n"):
                    if not line.startswith(_BEGIN[: len(line)]):
                        raise UsageError(f"{self.part} {OTHERS}")
                    break
                self._note(self._noted_key(line), place)
                place += len(line)
            file.truncate(place)
        if not place:
            self.part.unlink()

    def _noted_key(self, line: bytes) -> int:
        """Give the key of the case that a line tells of."""
        try:
            rows = json.loads(line)
            told = [(_short(row["key"]), int(row["charge"])) for row in rows]
            return told[0][0]
        except (ValueError, TypeError, KeyError, IndexError, OverflowError):
            raise UsageError(f"{self.part} {OTHERS}") from None

    def _note(self, key: int, place: int) -> None:
        at = int(np.searchsorted(self._keys, np.uint64(key), sorter=self._by_key))
        number = int(self._by_key[min(at, len(self._by_key) - 1)]) if len(self._by_key) else -1
        if number < 0 or self._keys[number] != key:
            raise UsageError(f"{self.part} {OTHERS}")
        while at < len(self._by_key) and self._keys[self._by_key[at]] == key:
            self._places[self._by_key[at]] = place
            at += 1

    @property
    def missing(self) -> NDArray[np.int64]:
        """Numbers of the cases that are not done."""
        if self.is_finished:
            return np.empty(0, dtype=np.int64)
        return np.flatnonzero(self._places < 0).astype(np.int64)

    def add(self, cases: Iterable[list[Row]]) -> None:
        """Write the rows of some cases to disk before it returns."""
        with self._writing(), self.part.open("ab") as file:
            for rows in cases:
                place = file.tell()
                file.write(json.dumps(rows, separators=(",", ":")).encode() + b"\n")
                self._note(_short(rows[0]["key"]), place)
            file.flush()
            os.fsync(file.fileno())

    def finish(self) -> None:
        """Write the table in the order of the grid, and put it in its place."""
        if self.is_finished:
            return
        with self._writing():
            write_table(self.out, self._grid.keys, self.rows)
        self.part.unlink(missing_ok=True)
        self.is_finished = True

    def rows(self) -> Iterator[Row]:
        """Give the rows of all cases in the order of the grid, with the values of the varied keys."""
        with self.part.open("rb") as file:
            for place, values in zip(self._places, self._grid, strict=True):
                file.seek(int(place))
                told: list[dict[str, Any]] = json.loads(file.readline())
                for row in told:
                    yield {**dict(zip(self._grid.keys, values, strict=True)), **row}


def _distinct(keys: Short) -> Short:
    """Sort keys where they stand, and give each of them once."""
    keys.sort()
    is_first = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    return keys if is_first.all() else keys[is_first]


def _short(key: str) -> int:
    """Give the first 64 bits of a key, by which cases are told apart in memory."""
    return int(key[:16], 16)
