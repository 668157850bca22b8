"""Whether a table on disk holds exactly the answers to the cases of a grid: in any order, each once, nothing else, and none damaged."""

import math
import re
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from tabletop.budget import Proof
from tabletop.errors import TableError, UsageError
from tabletop.exploring.export import numbered_rows
from tabletop.exploring.key_paths import path_of
from tabletop.exploring.known import Known, short
from tabletop.exploring.varied import ANSWER, metrics_of, rows_of
from tabletop.messages import say, shown
from tabletop.ruling.charge import OUTCOMES

METRIC = "metrics."
"""How the names of columns of metrics begin."""
PROOFS = get_args(Proof)
CLOSE = 1e-9
"""Share by which a number may differ that a spreadsheet has written again: it keeps 15 digits."""
MOST_ODD = 10
"""Cases of a column that are resolved again where numbers and words are mixed."""
ALONE = ("invalid", "no_verdict")
"""Outcomes of a case without an answer: its one row stands for all charges."""
_BOUNDS = {"shortest_roll": (0.0, math.inf), "chance": (0.0, 1.0), "margin": (-math.inf, math.inf)}
_TOLD_ALONE: dict[Any, tuple[str, ...]] = {"invalid": ("rule",), "no_verdict": ("rule",), None: ("shortest_roll", "chance")}
"""What a row without an answer, or of a chance alone, tells."""
_ANSWERS = [name for name in ANSWER if name not in ("charge", "outcome")]
_DATE = re.compile(r"\d{1,4}[-. ]+\w{2,9}\.?([-. ]+\d{2,4})?|\w{3,9}[-. ]\d{2,4}|\d{1,4}([/.-])\d{1,2}\2\d{1,4}")
"""What spreadsheets make of 1/2."""
_ALWAYS = ("charger", "proof")
"""What every answer tells; its chances only where they are proved, and else it is the best that was found."""
MOST_CHARGES = 1_000

_Place = tuple[int, str, Mapping[str, Any]]
"""The number of a case, and the place of a row of it with what it tells."""


def refuse_unless_whole(path: Path, known: Known) -> None:
    """Refuse a table that is not the whole answer, and name the line where that shows.

    Raises
    ------
    UsageError
        If it holds other cases, or lacks some.
    TableError
        If it lacks a part of the answers to a case, gives two answers to one, or holds values that are none.
    """
    keys, charges, answered, unlike = _gathered(path, known)
    strange = np.flatnonzero(~np.isin(keys, known.keys))
    if len(strange):
        raise foreign(path, _place(path, int(strange[0])), has_known=len(strange) < len(keys))
    order = np.lexsort((charges, keys))
    keys, charges = keys[order], charges[order]
    is_new = np.append(True, (keys[1:] != keys[:-1]) | (charges[1:] != charges[:-1]))[: len(keys)]
    if not is_new.all():
        _refuse_contradictions(path, set(keys[~is_new].tolist()))
        keys, charges, order = keys[is_new], charges[is_new], order[is_new]
    if unlike:
        raise unlike[0]
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    counts = np.diff(np.append(first, len(keys)))
    lacking = len(np.unique(known.keys)) - len(first)
    if lacking:
        message = "{path} lacks {lacking:,} of the {count:,} cases: rows are gone, or it is of a smaller grid; remove it"
        raise UsageError(message, path=path, lacking=lacking, count=len(known))
    most = counts[answered[order[first]]].max(initial=0)
    is_short = (charges[first + counts - 1] != counts - 1) | (answered[order[first]] & (counts != most))
    if is_short.any():
        row = int(order[first[np.flatnonzero(is_short)[0]]])
        message = "{path}, {place}: the rows of this case's other charges are gone; remove the table, or mend it"
        raise TableError(message, path=path, place=_place(path, row))


def _gathered(path: Path, known: Known) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.bool_], list[TableError]]:
    """Give key, charge and whether there is an answer of each row, and what to say of the first whose chances do not agree."""
    keys, charges, answered = array("Q"), array("q"), array("b")
    kinds, unlike, chargers = _Kinds(), list[TableError](), _chargers(known)
    for guess, (place, row) in enumerate(numbered_rows(path)):
        try:
            keys.append(short(str(row["key"])))
        except ValueError:
            raise foreign(path, place, has_known=any(known.numbers(key) for key in set(keys))) from None
        number = str(row["charge"])
        if not (number.isdecimal() and number.isascii() and len(number) < len(str(MOST_CHARGES))):
            raise _damaged(path, place, "charge", row)
        charges.append(int(number))
        answered.append(row["outcome"] not in ALONE)
        refuse_values(path, place, row)
        if not unlike and row.get("chance_fraction") is not None and not _is_fraction(row["chance_fraction"], row.get("chance")):
            unlike.append(_damaged(path, place, "chance_fraction", row))
        if numbers := known.numbers(keys[-1], guess):
            _refuse_other_values(path, place, row, dict(zip(known.grid.keys, known.grid[numbers[0]], strict=True)))
            kinds.note(numbers[0], place, row)
        if row.get("charger") is not None and row["charger"] != chargers.get(charges[-1], row["charger"]):
            raise _damaged(path, place, "charger", row)
    _refuse_odd_kinds(path, kinds, known)
    return np.array(keys, dtype=np.uint64), np.array(charges, dtype=np.int64), np.array(answered, dtype=bool), unlike


def _chargers(known: Known) -> dict[int, Any]:
    """Give who charges, by the number of the charge, unless that is varied."""
    if any(path_of(key)[-1] == "charger" for key in known.grid.keys):
        return {}
    charges = known.base.tables.get("charges")
    return {number: charge.get("charger") for number, charge in enumerate(charges or []) if isinstance(charge, Mapping)}


def foreign(path: Path, place: str, *, has_known: bool) -> UsageError:
    """Say that a row is of no case; a table that has cases of ours too is damaged, any other is somebody else's."""
    what = say("holds other cases (another scenario, grid or version), or something else; name another file, or remove it")
    return (TableError if has_known else UsageError)("{path} {what} ({place})", path=path, what=what, place=place)


def refuse_values(path: Path, place: str, row: Mapping[str, Any]) -> None:
    """Refuse a row whose values are none that an answer has.

    Raises
    ------
    TableError
        Naming the file, the place of the row, and the value.
    """
    if row["outcome"] not in (*OUTCOMES, *ALONE, None):
        raise _damaged(path, place, "outcome", row)
    for name, (least, most) in _BOUNDS.items():
        value = row.get(name)
        number = math.nan if value is None else number_of(value)
        if value is not None and (number is None or not least <= number <= most or (name == "shortest_roll" and number % 1.0)):
            raise _damaged(path, place, name, row)
    is_full = row["outcome"] in OUTCOMES
    for name in _ANSWERS:
        if row.get(name) is not None and not is_full and name not in _TOLD_ALONE[row["outcome"]]:
            raise _damaged(path, place, "outcome" if row["outcome"] is None else name, row)
        is_told = name in _ALWAYS or (name in ("chance", "chance_fraction") and row["proof"] != "best_found")
        if row.get(name) is None and is_full and is_told:
            raise _damaged(path, place, name, row)
    if is_full and row["proof"] not in PROOFS:
        raise _damaged(path, place, "proof", row)


def number_of(value: Any) -> float | None:
    """Give a number as it stands in a table; None where it is none."""
    is_written = isinstance(value, str) and value.isascii() and "_" not in value
    if isinstance(value, bool) or not (is_written or isinstance(value, (int, float))):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def _is_fraction(text: Any, chance: Any) -> bool:
    """Tell whether a fraction is that of a chance; one that a spreadsheet has taken for a date is nobody's fault, and nobody reads it."""
    parts = re.fullmatch(r"(\d{1,1000})(?:/(\d{1,1000}))?", str(text), re.ASCII)
    if parts is None:
        return bool(_DATE.fullmatch(str(text)))
    number = number_of(chance)
    return number is not None and abs(int(parts[1]) - number * int(parts[2] or 1)) <= CLOSE * int(parts[2] or 1)


def _refuse_other_values(path: Path, place: str, row: Mapping[str, Any], told: Mapping[str, Any]) -> None:
    """Refuse a row whose varied values are not those of its key."""
    for key, value in told.items():
        if key in row and not _is_same(row[key], value):
            why = say("{key} is {given}, but {value} in the case of this row's key", key=key, given=shown(row[key]), value=shown(value))
            raise TableError("{path}, {place}: {why}; mend the row, or remove the table", path=path, place=place, why=why)


def _is_same(cell: Any, value: Any) -> bool:
    """Tell whether a cell holds a value, however a spreadsheet writes it."""
    first, second = number_of(cell), number_of(value)
    if first is not None and second is not None:
        return abs(first - second) <= CLOSE * max(1.0, abs(second))
    return str("" if cell is None else cell).casefold() == str(value).casefold()


class _Kinds:
    """Which columns of metrics hold numbers, and which words: the first rows of either, and how many."""

    def __init__(self) -> None:
        self.rows: dict[str, tuple[list[_Place], list[_Place]]] = {}
        self.counts: dict[str, list[int]] = {}

    def note(self, number: int, place: str, row: Mapping[str, Any]) -> None:
        """Note the kinds of a row's metrics."""
        for name, value in row.items():
            if name.startswith(METRIC) and value is not None:
                is_word = number_of(value) is None and str(value) not in ("True", "False")
                rows = self.rows.setdefault(name, ([], []))[is_word]
                self.counts.setdefault(name, [0, 0])[is_word] += 1
                if len(rows) < MOST_ODD:
                    rows.append((number, place, row))

    def odd(self) -> Iterator[tuple[str, _Place]]:
        """Give rows of columns that hold both, of the kind that is rarer."""
        for name, (numbers, words) in self.rows.items():
            if numbers and words:
                is_word_rarer = self.counts[name][True] <= self.counts[name][False]
                yield from ((name, row) for row in (words if is_word_rarer else numbers))


def _refuse_odd_kinds(path: Path, kinds: _Kinds, known: Known) -> None:
    """Refuse a word among numbers, or a number among words, unless resolving that case gives it."""
    for name, (number, place, row) in kinds.odd():
        answers = rows_of(known.base, known.grid[number])
        told = [dict(metrics_of(answer)).get(name) for answer in answers if str(answer["charge"]) == str(row["charge"])]
        if not told or not _is_same(row[name], told[0]):
            raise _damaged(path, place, name, row)


def _damaged(path: Path, place: str, column: str, row: Mapping[str, Any]) -> TableError:
    told = shown("" if row[column] is None else row[column])
    message = "{path} is not a table of results: {place}: {told} is no {column}; name another file"
    return TableError(message, path=path, place=place, told=told, column=column.replace("_", " "))


def _refuse_contradictions(path: Path, doubled: set[int]) -> None:
    """Refuse two rows of one charge of one case that do not say the same."""
    seen: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {}
    for place, row in numbered_rows(path):
        if short(str(row["key"])) in doubled:
            before, first = seen.setdefault((str(row["key"]), str(row["charge"])), (place, row))
            if row != first:
                message = "{path}, {place}: tells of the case of {before}, and something else; remove one of the two rows"
                raise TableError(message, path=path, place=place, before=before)


def _place(path: Path, number: int) -> str:
    """Name the place of a row by its number."""
    places: Iterator[tuple[str, Any]] = numbered_rows(path, ("key",))
    return next(place for count, (place, _) in enumerate(places) if count == number)
