"""Whether a table on disk holds exactly the answers to the cases of a grid: in any order, each once, nothing else."""

import math
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.errors import UsageError
from tabletop.exploring.known import Known, short
from tabletop.exploring.table import numbered_rows
from tabletop.ruling.charge import OUTCOMES

OTHER_CASES = "holds other cases (another scenario, grid or version), or something else; name another file, or remove it"
CHECKED_COLUMNS = ("key", "charge", "outcome", "shortest_roll", "chance", "margin")
"""Columns whose values are looked at."""
ALONE = ("invalid", "no_verdict")
"""Outcomes of a case without an answer: its one row stands for all charges."""
_BOUNDS = {"shortest_roll": (0.0, math.inf), "chance": (0.0, 1.0), "margin": (-math.inf, math.inf)}
MOST_CHARGES = 1_000


def refuse_unless_whole(path: Path, known: Known) -> None:
    """Refuse a table that is not the whole answer, and name the line where that shows.

    Raises
    ------
    UsageError
        If it holds other cases, lacks some or a part of their answers, gives two answers to one, or holds values that are none.
    """
    keys, charges, answered = _gathered(path)
    strange = np.flatnonzero(~np.isin(keys, known.keys))
    if len(strange):
        raise UsageError(f"{path} {OTHER_CASES} ({_place(path, int(strange[0]))})")
    order = np.lexsort((charges, keys))
    keys, charges = keys[order], charges[order]
    is_new = np.append(True, (keys[1:] != keys[:-1]) | (charges[1:] != charges[:-1]))[: len(keys)]
    if not is_new.all():
        _refuse_contradictions(path, set(keys[~is_new].tolist()))
        keys, charges, order = keys[is_new], charges[is_new], order[is_new]
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    counts = np.diff(np.append(first, len(keys)))
    lacking = len(np.unique(known.keys)) - len(first)
    if lacking:
        raise UsageError(f"{path} lacks {lacking:,} of the {len(known):,} cases: rows are gone, or it is of a smaller grid; remove it")
    most = counts[answered[order[first]]].max(initial=0)
    is_short = (charges[first + counts - 1] != counts - 1) | (answered[order[first]] & (counts != most))
    if is_short.any():
        row = int(order[first[np.flatnonzero(is_short)[0]]])
        raise UsageError(f"{path}, {_place(path, row)}: the rows of this case's other charges are gone; remove the table, or mend it")


def _gathered(path: Path) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.bool_]]:
    """Give key, charge and whether there is an answer of each row."""
    keys, charges, answered = array("Q"), array("q"), array("b")
    for place, row in numbered_rows(path, CHECKED_COLUMNS):
        try:
            keys.append(short(str(row["key"])))
        except ValueError:
            raise UsageError(f"{path} {OTHER_CASES} ({place})") from None
        charges.append(_charge(path, place, row))
        answered.append(row["outcome"] not in ALONE)
        _refuse_values(path, place, row)
    return np.array(keys, dtype=np.uint64), np.array(charges, dtype=np.int64), np.array(answered, dtype=bool)


def _charge(path: Path, place: str, row: dict[str, Any]) -> int:
    number = str(row["charge"])
    if not (number.isdecimal() and number.isascii() and len(number) < len(str(MOST_CHARGES))):
        raise _damaged(path, place, "charge", row)
    return int(number)


def _refuse_values(path: Path, place: str, row: dict[str, Any]) -> None:
    if row["outcome"] not in (*OUTCOMES, *ALONE, None):
        raise _damaged(path, place, "outcome", row)
    for name, (least, most) in _BOUNDS.items():
        if row.get(name) is not None:
            try:
                is_sound = least <= float(row[name]) <= most
            except ValueError:
                is_sound = False
            if not is_sound:
                raise _damaged(path, place, name, row)


def _damaged(path: Path, place: str, column: str, row: dict[str, Any]) -> UsageError:
    return UsageError(f"{path} is not a table of results: {place}: {row[column]!r} is no {column.replace('_', ' ')}; name another file")


def _refuse_contradictions(path: Path, doubled: set[int]) -> None:
    """Refuse two rows of one charge of one case that do not say the same."""
    seen: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {}
    for place, row in numbered_rows(path):
        if short(str(row["key"])) in doubled:
            before, first = seen.setdefault((str(row["key"]), str(row["charge"])), (place, row))
            if row != first:
                raise UsageError(f"{path}, {place}: tells of the case of {before}, and something else; remove one of the two rows")


def _place(path: Path, number: int) -> str:
    """Name the place of a row by its number."""
    places: Iterator[tuple[str, Any]] = numbered_rows(path, ("key",))
    return next(place for count, (place, _) in enumerate(places) if count == number)
