"""Storage of a sweep's results in SQLite: written as they arrive, found again when a sweep is resumed, exported at the
end.

While work is under way, `OUT.part` is the database, locked by one process. If there is no `OUT`, or `OUT` is finished
already, the database is private and temporary. A connection is used only by the process that opened it, never by its
workers.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tabletop.errors import TableError, UsageError, cause_of, message_of
from tabletop.exploring.export import foreign, read_answers, write_table
from tabletop.exploring.grid import Grid
from tabletop.exploring.varied import ANSWER, Row, VariedScenario, metrics_of, places_of
from tabletop.messages import say

_RUN = "CREATE TABLE run (identity TEXT NOT NULL)"
_ANSWERS = f"""CREATE TABLE answers
("case" INTEGER, {", ".join(ANSWER)}, metrics TEXT, places TEXT, PRIMARY KEY ("case", charge)) WITHOUT ROWID"""
_INSERT = "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INCOMPLETE = """
WITH counted AS (
    SELECT "case", COUNT(*) AS rows, MAX(charge) AS last, MAX(outcome IN ('invalid', 'no_verdict')) AS is_alone
    FROM answers GROUP BY "case"
)
SELECT MIN("case") FROM counted
WHERE last != rows - 1 OR (NOT is_alone AND rows != (SELECT MAX(rows) FROM counted WHERE NOT is_alone))
"""
"""The first case with missing charges: their numbers have a gap, or other cases have more."""

_in_json = json.JSONEncoder(default=str).encode

_MAGIC = b"SQLite format 3\0"


class ResultStore:
    """Results of the cases of a grid, by case number; a context manager that holds the database open.

    An existing table `out` is only read. Only one process at a time can make a table. If `out` is None, results are
    lost at the end.

    Raises
    ------
    UsageError
        If the table, or the database of an interrupted run, holds cases of another scenario or grid, or anything else;
        if there are more cases than memory holds, another process writes the table, or it cannot be written.
    TableError
        If the table, or the database of an interrupted run, is damaged.
    """

    def __init__(self, out: Path | None, base: VariedScenario, grid: Grid) -> None:
        self._out = out
        self._base = base
        self._grid = grid
        self._part = Path() if out is None else out.with_name(out.name + ".part")
        self._files: list[Path] = []
        self._is_private = self._is_whole = False

    def __enter__(self) -> Self:
        try:
            self._is_done = np.zeros(len(self._grid), dtype=bool)
        except MemoryError:
            raise UsageError(
                "that is {count:,} cases, more than fit into this machine's memory; vary less at once",
                count=len(self._grid),
            ) from None
        with self._explained():
            self._open()
        return self

    def __exit__(self, *_: object) -> None:
        is_useless = self._is_whole or not self._is_done.any()
        if is_useless:
            self._discard()
        self._db.close()
        if is_useless:
            self._discard()

    def _discard(self) -> None:
        """Remove the files of the database, while they are locked or, where open files cannot be removed,
        afterwards.
        """
        with suppress(PermissionError):
            while self._files:
                self._files[-1].unlink(missing_ok=True)
                self._files.pop()

    def _open(self) -> None:
        if self._out is not None:
            _refuse_device(self._out)
        self._is_private = self._out is None or self._out.exists()
        if not self._is_private:
            for path in (self._part, _journal(self._part)):
                if path.is_symlink():
                    raise UsageError(
                        "{path} is a link to another file; remove it, or name another table",
                        path=path,
                    )
                _refuse_device(path)
        self._db = sqlite3.connect("" if self._is_private else self._part.absolute(), timeout=0.0)
        try:
            if not self._is_private:
                self._recover()
            else:
                self._db.execute(_ANSWERS)
                if self._out is not None:
                    self._adopt(self._out)
        except BaseException:
            self.__exit__()
            raise

    def _recover(self) -> None:
        """Lock the database, and recover the results of an interrupted run of the same cases or create its tables."""
        self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute("BEGIN EXCLUSIVE")
        tables = {
            sql for (sql,) in self._db.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")
        }
        self._files = [] if tables else [self._part, _journal(self._part)]
        if self._has_changed_hands():
            self.__exit__()
            self._open()
            return
        identity = _identity(self._base, self._grid)
        if not tables:
            self._db.execute(_RUN)
            self._db.execute(_ANSWERS)
            self._db.execute("INSERT INTO run VALUES (?)", [identity])
        elif tables != {_RUN, _ANSWERS} or self._db.execute(
            "SELECT identity FROM run"
        ).fetchall() != [(identity,)]:
            raise foreign(self._part)
        elif self._db.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
            raise self._damaged()
        # what cannot be written is told before any work
        self._db.execute("UPDATE run SET identity = identity")
        self._db.commit()
        self._is_done[
            np.fromiter(
                (case for (case,) in self._db.execute('SELECT DISTINCT "case" FROM answers')),
                dtype=np.int64,
            )
        ] = True
        self._files = [self._part, _journal(self._part)]

    def _has_changed_hands(self) -> bool:
        """Return whether another process finished the table, or removed the database, before this one locked it."""
        return self._out is not None and (self._out.exists() or not self._part.exists())

    def _adopt(self, out: Path) -> None:
        """Read a finished table into the database, its rows in any order or repeated; raise an error unless it holds
        just these cases.
        """
        self._db.execute(
            'CREATE TABLE cases (key TEXT, "case" INTEGER, PRIMARY KEY (key, "case")) WITHOUT ROWID'
        )
        keys = ((self._base.key(values), number) for number, values in enumerate(self._grid))
        self._db.executemany("INSERT INTO cases VALUES (?, ?)", keys)
        strange = ""
        has_known = False
        for place, key, row in read_answers(out, self._grid.keys):
            cases = self._db.execute('SELECT "case" FROM cases WHERE key = ?', [key]).fetchall()
            strange = strange or ("" if cases else place)
            has_known = has_known or bool(cases)
            for (case,) in cases:
                self._adopt_row(out, place, key, _values(case, row))
        if strange:
            raise foreign(out, strange, has_known=has_known)
        [found] = self._db.execute('SELECT COUNT(DISTINCT "case") FROM answers').fetchone()
        if lacking := len(self._grid) - found:
            message = (
                "{path} lacks {lacking:,} of the {count:,} cases: rows were deleted, or it belongs to a "
                "smaller grid; remove it"
            )
            raise UsageError(message, path=out, lacking=lacking, count=len(self._grid))
        [case] = self._db.execute(_INCOMPLETE).fetchone()
        if case is not None:
            [charge] = self._db.execute(
                'SELECT MIN(charge) FROM answers WHERE "case" = ?', [case]
            ).fetchone()
            message = (
                "{path}, {place}: the rows of this case's other charges are missing; remove the table, or "
                "restore the rows"
            )
            raise TableError(
                message, path=out, place=self._place(out, self._base.key(self._grid[case]), charge)
            )
        self._is_whole = True
        self._is_done[:] = True

    def _adopt_row(self, out: Path, place: str, key: str, values: tuple[Any, ...]) -> None:
        try:
            self._db.execute(_INSERT, values)
        except sqlite3.IntegrityError:
            if (
                self._db.execute(
                    'SELECT * FROM answers WHERE "case" = ? AND charge = ?', values[:2]
                ).fetchone()
                != values
            ):
                message = (
                    "{path}, {place}: this row is about the same case as {before} but has other values; remove "
                    "one of the two rows"
                )
                raise TableError(
                    message, path=out, place=place, before=self._place(out, key, values[1])
                ) from None

    def _place(self, out: Path, key: str, charge: int) -> str:
        """Return the place, such as "line 2", of a table's first row with the answer to a charge of the case with
        identity `key`.
        """
        return next(
            place
            for place, found, row in read_answers(out, self._grid.keys)
            if (found, row["charge"]) == (key, charge)
        )

    @property
    def missing(self) -> NDArray[np.int64]:
        """Numbers of the cases whose results are not stored yet, shape (n,)."""
        return np.flatnonzero(~self._is_done).astype(np.int64)

    def add(self, numbers: Sequence[int], cases: Iterable[list[Row]]) -> None:
        """Store the rows of cases by their numbers; with a table `out` they are on disk when this returns."""
        with self._explained(), self._db:
            told = (
                _values(number, row)
                for number, rows in zip(numbers, cases, strict=True)
                for row in rows
            )
            self._db.executemany(_INSERT, told)
        self._is_done[list(numbers)] = True

    def finish(self) -> None:
        """Write all results to the table `out` in the order of the grid, and remove the database; nothing without
        `out`.
        """
        if self._out is None or self._is_whole:
            return
        with self._explained():
            write_table(self._out, self._grid.keys, self._rows)
        self._is_whole = True
        self._discard()

    def answers(self, *, has_details: bool = True) -> Iterator[Row]:
        """Yield the rows of all cases in the order of the grid: the columns `ANSWER` and, with `has_details`, places
        and metrics.
        """
        return (row for _, row in self._numbered(has_details=has_details))

    def _numbered(self, *, has_details: bool = True) -> Iterator[tuple[int, Row]]:
        with self._explained():
            for case, *told, metrics, places in self._db.execute(
                'SELECT * FROM answers ORDER BY "case", charge'
            ):
                row = dict(zip(ANSWER, told, strict=True))
                yield (
                    case,
                    {**json.loads(places), **row, **json.loads(metrics)} if has_details else row,
                )

    def _rows(self) -> Iterator[Row]:
        """Yield the rows of all cases with details, the identity of the case as `key`, and the values of the varied
        keys.
        """
        cases = enumerate(self._grid)
        number = -1
        told = Row()
        for case, row in self._numbered():
            while number < case:
                number, values = next(cases)
                told = {
                    "key": self._base.key(values),
                    **dict(zip(self._grid.keys, values, strict=True)),
                }
            yield {**told, **row}

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Convert errors of the operating system or of SQLite into UsageError or TableError that name the file."""
        path = say("a temporary file") if self._is_private else self._out
        try:
            yield
        except OSError as error:
            raise UsageError(
                "{path}: cannot be written: {reason}", path=path, reason=cause_of(error)
            ) from error
        except json.JSONDecodeError as error:
            raise self._damaged() from error
        except sqlite3.DatabaseError as error:
            # texts that are none have no code
            name = getattr(error, "sqlite_errorname", "SQLITE_CORRUPT")
            if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
                message = "{out} is being written by another process; wait until it is done, or name another file"
                raise UsageError(message, out=path) from error
            if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
                raise (
                    self._damaged() if _is_database(self._part) else foreign(self._part)
                ) from error
            files = (
                (self._part, _journal(self._part))
                if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM"))
                else ()
            )
            reason = next(filter(None, map(_cause, files)), message_of(error))
            raise UsageError(
                "{path}: cannot be written: {reason}", path=path, reason=reason
            ) from error

    def _damaged(self) -> TableError:
        return TableError(
            "{path} is damaged, and what it holds cannot be read; remove it: its cases are resolved again",
            path=self._part,
        )


def _journal(part: Path) -> Path:
    """Return the path of SQLite's journal file for a database."""
    return part.with_name(part.name + "-journal")


def _refuse_device(path: Path) -> None:
    if path.exists() and not (path.is_file() or path.is_dir()):  # what a device holds has no end
        raise UsageError("{out}: expected the name of a file, this is a device or a pipe", out=path)


def _identity(base: VariedScenario, grid: Grid) -> str:
    """Return a hash, 32 hexadecimal digits, of everything that affects the answers and of the varied values in
    order.
    """
    told = blake2b(base.identity, digest_size=16)
    for axis in grid.axes:
        for value in axis.values:
            told.update(json.dumps(value).encode() + b"\n")
        told.update(b"\n")
    return told.hexdigest()


def _values(case: int, row: Row) -> tuple[Any, ...]:
    """Return a row of case number `case` as the tuple of values stored in the database, with metrics and places as
    JSON.
    """
    return case, *map(row.get, ANSWER), _in_json(dict(metrics_of(row))), _in_json(places_of(row))


def _is_database(part: Path) -> bool:
    with part.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _cause(file: Path) -> str:
    """Return the reason why a file cannot be opened for writing, which SQLite does not report; "" if it can."""
    is_new = not file.exists()
    try:
        file.open("ab").close()
    except OSError as error:
        return cause_of(error)
    if is_new:
        file.unlink()
    return ""
