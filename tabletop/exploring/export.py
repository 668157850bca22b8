"""Write and read tables of results: CSV, or Parquet if pyarrow is installed.

Rows are streamed, and files are written atomically: a table is complete or does not exist. As others may have edited a
table, reading validates every value and names the line of an impossible one.
"""

import csv
import math
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from tabletop.atomic import atomic_write
from tabletop.budget import PROOFS
from tabletop.distribution import install_line
from tabletop.errors import TableError, UsageError, cause_of, message_of
from tabletop.exploring.varied import ANSWER, METRIC, UNANSWERED_OUTCOMES, Row
from tabletop.messages import listed, say, shown
from tabletop.ruling.charge import OUTCOMES

TABLE_SUFFIXES = (".csv", ".parquet")

ROW_GROUP = 10_000
"""Rows of a Parquet row group."""

NEEDED = ("key", "charge", "outcome")
"""Columns that every table has."""

MOST_CHARGES = 1_000

_TYPES = {"charge": "int64", "shortest_roll": "int64", "chance": "float64", "margin": "float64"}

_BOUNDS = {
    "charge": (0.0, MOST_CHARGES - 1.0),
    "shortest_roll": (0.0, 2.0**53),
    "chance": (0.0, 1.0),
    "margin": (-math.inf, math.inf),
}
_WORDS = {"outcome": (*OUTCOMES, *UNANSWERED_OUTCOMES), "proof": (*PROOFS, None)}


def refuse_table(path: Path) -> None:
    """Raise UsageError unless a path ends in .csv or .parquet, or if it ends in .parquet and pyarrow is not
    installed.
    """
    if path.suffix.lower() not in TABLE_SUFFIXES:
        raise UsageError(
            "{path}: a table's name must end in {endings}",
            path=path,
            endings=listed(TABLE_SUFFIXES, " or "),
        )
    if path.suffix.lower() == ".parquet":
        _arrow()


def _arrow() -> Any:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError(
            "Parquet needs pyarrow: {command}, or name a .csv file", command=install_line("explore")
        ) from None
    return pa, pq


def write_table(path: Path, keys: Collection[str], rows: Callable[[], Iterator[Row]]) -> None:
    """Write all rows to a CSV or Parquet file, chosen by the suffix of `path`, atomically.

    Columns are the case's key, the varied `keys`, places, the answer's columns and the metrics. `rows` is called twice:
    first to find the columns of metrics and places with their types, then to write.
    """
    kinds: dict[str, type] = {}
    for row in rows():
        for name, value in row.items():
            if kinds.get(name) is not type(value):
                kinds[name] = _wider(kinds.get(name), type(value))
    kinds = {name: kind for name, kind in kinds.items() if name not in ANSWER}
    details = [name for name in kinds if name != "key" and name not in keys]
    metrics = sorted(name for name in details if name.startswith(METRIC))
    columns = ["key", *keys, *(name for name in details if name not in metrics), *ANSWER, *metrics]
    write = _write_csv if path.suffix.lower() == ".csv" else _write_parquet
    with atomic_write(path) as beside:
        write(beside, columns, kinds, ({name: row.get(name) for name in columns} for row in rows()))


def _wider(known: type | None, kind: type) -> type:
    """Return the type of a column that holds values of types `known` and `kind`: float for int and float, else str if
    they differ.

    `known` is None for the first value.
    """
    if known is None or known is kind:
        return kind
    return float if {known, kind} == {int, float} else str


def _write_csv(
    path: Path, columns: Sequence[str], kinds: dict[str, type], rows: Iterable[Row]
) -> None:
    del kinds
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _write_parquet(
    path: Path, columns: Sequence[str], kinds: dict[str, type], rows: Iterable[Row]
) -> None:
    pa, pq = _arrow()
    names = {bool: "bool", int: "int64", float: "float64"}
    fields = [
        (name, getattr(pa, _TYPES.get(name) or names.get(kinds.get(name, str), "string"))())
        for name in columns
    ]
    schema = pa.schema(fields)
    rest = iter(rows)
    with pq.ParquetWriter(path, schema) as writer:
        while batch := list(islice(rest, ROW_GROUP)):
            plain = {
                name: [_fitting(row[name], kinds.get(name)) for row in batch] for name in columns
            }
            writer.write_table(pa.table(plain, schema=schema))


def _fitting(value: Any, kind: type | None) -> Any:
    return value if value is None or kind not in (str, float) else kind(value)


def read_answers(path: Path, keys: Collection[str]) -> Iterator[tuple[str, str, Row]]:
    """Yield (place, key, answer) for each row of a table of results in which `keys` are varied.

    `place` is text such as "line 2", `key` the identity of the case, and `answer` holds the columns `ANSWER` and the
    mappings `metrics` and `places`.

    Raises
    ------
    TableError
        If a value is none that an answer has there; as `numbered_rows` does, too.
    """
    for place, row in numbered_rows(path):
        answer = {name: _checked(path, place, name, row.get(name)) for name in ANSWER}
        details = {
            name: value
            for name, value in row.items()
            if name != "key" and name not in keys and name not in ANSWER
        }
        metrics = {
            name.removeprefix(METRIC): value
            for name, value in details.items()
            if name.startswith(METRIC)
        }
        places = {name: value for name, value in details.items() if not name.startswith(METRIC)}
        yield place, str(row["key"]), {**answer, "metrics": metrics, "places": places}


def _checked(path: Path, place: str, name: str, cell: Any) -> Any:
    """Return a cell of an answer as an int, float, str or None by its column; raise TableError if the column cannot
    hold it.
    """
    if name in _BOUNDS and (cell is not None or name == "charge"):
        least, most = _BOUNDS[name]
        value = _number(cell)
        is_whole = _TYPES[name] == "int64"
        if value is not None and least <= value <= most and not (is_whole and value % 1.0):
            return int(value) if is_whole else value
    elif (cell is None or isinstance(cell, str)) and cell in _WORDS.get(name, (cell,)):
        return cell
    told = shown("" if cell is None else cell)
    column = name.replace("_", " ")
    message = "{path} is not a table of results: {place}: {told} is no {column}; name another file"
    raise TableError(message, path=path, place=place, told=told, column=column)


def _number(cell: Any) -> float | None:
    """Return a cell of a table as a float, or None if it is not a number; booleans and digits with underscores are
    none.
    """
    is_written = isinstance(cell, str) and cell.isascii() and "_" not in cell
    if isinstance(cell, bool) or not (is_written or isinstance(cell, (int, float))):
        return None
    try:
        return float(cell)
    except (ValueError, OverflowError):
        return None


def foreign(path: Path, place: str = "", *, has_known: bool = False) -> UsageError:
    """Return the error to raise for a file, or a row at `place`, that belongs to other cases than those resolved now.

    It is a UsageError, or a TableError if the file also holds some of these cases (`has_known`), since then the file is
    damaged.
    """
    what = say(
        "holds other cases (another scenario, grid or version), or something else; name another file, or remove it"
    )
    message = "{path} {what} ({place})" if place else "{path} {what}"
    return (TableError if has_known else UsageError)(message, path=path, what=what, place=place)


def numbered_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (place, row) for each row of a table; `place` is text such as "line 2" for CSV or "row 1" for Parquet.

    Values from CSV are text, or None for an empty cell; values from Parquet have their own types.

    Raises
    ------
    TableError
        If it is no table of results, or not a whole one.
    UsageError
        If it cannot be read here.
    """
    read = _read_csv if path.suffix.lower() == ".csv" else _read_parquet
    try:
        if path.is_file() and path.stat().st_size == 0:
            raise TableError(
                "{path} is not a table of results: it is empty; remove it, or name another file",
                path=path,
            )
        yield from read(path)
    except UsageError:
        raise
    except OSError as error:
        raise UsageError(
            "{path} is not a table of results: {reason}; name another file",
            path=path,
            reason=cause_of(error),
        ) from None
    except (ValueError, csv.Error) as error:
        raise TableError(
            "{path} is not a table of results: {reason}; name another file",
            path=path,
            reason=message_of(error),
        ) from None


def _read_csv(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        if file.read() != b"\n":
            raise ValueError(say("its last line is cut off"))
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        names = _checked_names(reader.fieldnames or ())
        for row in reader:
            if None in row or None in row.values():
                raise ValueError(
                    say(
                        "line {line} does not have as many values as there are columns",
                        line=reader.line_num,
                    )
                )
            yield (
                say("line {line}", line=reader.line_num),
                {name: row[name] or None for name in names},
            )


def _read_parquet(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    pa, pq = _arrow()
    path.open("rb").close()  # what cannot be opened is no damage
    try:
        with pq.ParquetFile(path) as file:
            _checked_names(file.schema_arrow.names)
            rows = (row for batch in file.iter_batches(ROW_GROUP) for row in batch.to_pylist())
            yield from (
                (say("row {number}", number=number), row)
                for number, row in enumerate(rows, start=1)
            )
    # what is damaged is told as a failure to read it, too
    except (pa.ArrowException, OSError) as error:
        raise ValueError(str(error).partition("\n")[0]) from None


def _checked_names(names: Sequence[str]) -> Sequence[str]:
    """Return the names of a table's columns; raise ValueError if a needed column is missing or a name occurs twice."""
    missing = [name for name in NEEDED if name not in names]
    if missing:
        raise ValueError(say("it has no column called {name}", name=repr(missing[0])))
    twice = next((name for name in names if list(names).count(name) > 1), None)
    if twice is not None:
        raise ValueError(say("it has two columns called {name}", name=repr(twice)))
    return names
