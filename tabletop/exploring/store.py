"""Results on disk: written as they come, found again by their keys, and set in order into a table when all are there.

While work is under way the rows stand in `OUT.part`, a line of JSON for each case, in the order in which they came, and one process
alone may write them. A last line that was cut off when the program was stopped is left out. When all are there the table OUT is
written beside it and put in its place in one go.
"""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
from numpy.typing import NDArray

from tabletop.errors import TableError, UsageError, cause_of
from tabletop.exploring.export import write_table
from tabletop.exploring.grid import Grid
from tabletop.exploring.known import Known, short
from tabletop.exploring.lock import one_writer
from tabletop.exploring.varied import ANSWER, Row, VariedScenario
from tabletop.exploring.wholeness import foreign, refuse_unless_whole, refuse_values
from tabletop.messages import say

_BEGIN = b'[{"key":"'
"""How every line of a run begins."""


class ResultStore:
    """The cases of a grid that are done, on disk; `missing` gives the numbers of those that are not.

    A table that is there is only read. To write one, enter the journal: until it is left no other process may.

    Raises
    ------
    UsageError
        If the table, or what is left of an earlier run, holds cases of another scenario or grid, or anything else; if there are more
        cases than memory holds, another process writes the table, or it cannot be written.
    TableError
        If beside cases of these there is anything else in it.
    """

    def __init__(self, out: Path, base: VariedScenario, grid: Grid) -> None:
        if out.exists() and not (out.is_file() or out.is_dir()):  # what a device holds has no end
            raise UsageError("{out}: expected the name of a file, this is a device or a pipe", out=out)
        self.out, self.part = out, out.with_name(out.name + ".part")
        self.base, self._grid = base, grid
        self._lock = ExitStack()
        try:
            self.known = Known(base, grid)
            self.is_finished = self._has_table()
            self._places = np.full(0 if self.is_finished else len(grid), -1, dtype=np.int64)
        except MemoryError:
            raise UsageError("that is {count:,} cases, more than memory holds here; vary less at once", count=len(grid)) from None

    def __enter__(self) -> Self:
        if not self.is_finished:
            with self._writing():
                self._lock.enter_context(one_writer(self.out))
            try:
                self.is_finished = self._has_table()
                if not self.is_finished:
                    self._recover()
            except BaseException:
                self._lock.close()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise UsageError("{path}: cannot be written: {reason}", path=self.out, reason=cause_of(error)) from error

    def _has_table(self) -> bool:
        """Tell whether the table is there, with exactly the cases of this grid."""
        if not self.out.exists():
            return False
        refuse_unless_whole(self.out, self.known)
        return True

    def _opened(self, mode: str) -> IO[bytes]:
        """Open what is left of a run; a link would lead to somebody else's file."""
        if self.part.is_symlink():
            raise UsageError("{path} is a link to another file; remove it, or name another table", path=self.part)
        return open(self.part, mode, opener=_without_links)

    def _recover(self) -> None:
        """Find what an earlier run has written, and cut off a line it could not finish; leave no empty file of our own."""
        is_new = not self.part.exists()
        with self._writing():
            self._opened("ab").close()
        with self._opened("rb+") as file:
            place = 0
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    if not line.startswith(_BEGIN[: len(line)]):
                        raise self._foreign(number)
                    break
                self._note(self._noted_key(line, number), place, number)
                place += len(line)
            file.truncate(place)
        if is_new:
            self.part.unlink()

    def _noted_key(self, line: bytes, number: int) -> int:
        """Give the key of the case that a line tells of."""
        try:
            rows = json.loads(line)
            told = [(short(row["key"]), int(row["charge"])) for row in rows]
            for row in rows:
                refuse_values(self.part, f"line {number}", {**dict.fromkeys(ANSWER), **row})
                _ = {**row.get("metrics", {}), **row.get("places", {})}  # tables, if they are there
            return told[0][0]
        except TableError:
            raise
        except (ValueError, TypeError, KeyError, IndexError, OverflowError, AttributeError, RecursionError):
            raise self._foreign(number) from None

    def _note(self, key: int, place: int, line: int) -> None:
        numbers = self.known.numbers(key)
        if not numbers:
            raise self._foreign(line)
        self._places[numbers] = place

    def _foreign(self, line: int) -> UsageError:
        """Say that a line is of no case: behind others of ours it is damaged, as in a table."""
        return foreign(self.part, say("line {line}", line=line), has_known=bool((self._places >= 0).any()))

    @property
    def missing(self) -> NDArray[np.int64]:
        """Numbers of the cases that are not done."""
        if self.is_finished:
            return np.empty(0, dtype=np.int64)
        return np.flatnonzero(self._places < 0).astype(np.int64)

    def add(self, cases: Iterable[list[Row]]) -> None:
        """Write the rows of some cases to disk before it returns."""
        with self._writing(), self._opened("ab") as file:
            for rows in cases:
                place = file.tell()
                file.write(json.dumps(rows, separators=(",", ":")).encode() + b"\n")
                self._note(short(rows[0]["key"]), place, 0)
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


def _without_links(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)
