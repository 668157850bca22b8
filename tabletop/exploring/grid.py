"""Grids of varied keys: the values that each key of a scenario takes, and all their combinations.

Values are checked against their keys before any case is resolved (`check_values`), since a misspelt word would silently
make all its cases invalid. Arguments of Python callers are checked by `expect`, `expect_whole` and `expect_texts`.
"""

import math
import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import chain, product
from numbers import Integral
from typing import Any, TypeVar, get_args, get_type_hints

from pydantic_core.core_schema import ErrorType

from tabletop import registry
from tabletop.errors import UNKNOWN_NAME, UNKNOWN_UNIT, Fault, ScenarioError, UsageError
from tabletop.exploring.key_paths import (
    board_of,
    path_of,
    paths_set_by,
    unit_key,
    unit_named,
    with_values,
)
from tabletop.messages import key_path, say, says, shown
from tabletop.ruling.system import System
from tabletop.scenario.bases import is_number
from tabletop.scenario.document import scenario_model
from tabletop.scenario.reading import case_from_tables, value_of, with_numbers
from tabletop.scenario.validation import validated
from tabletop.table.hexes import HexBoard, number

T = TypeVar("T")

MOST_VALUES = 10**9
"""Number of values of one axis above which an argument is taken for a slip."""

MAX_GRID_CASES = 10**15
"""Cases of one grid."""

FORM = say(
    "expected KEY=START:STOP:STEP, KEY=a,b,c, KEY=random:N:LOW:HIGH, units.NAME=board or units.NAME=random:N"
)

TOLERATED = re.compile(
    r"greater_than|less_than|multiple_of|too_(short|long)|string_too|edition$|text$|name$|extra_forbidden|missing"
)
"""Kinds of errors of values that are understood (beyond a limit, too long, not implemented): they make invalid
cases."""

WHOLE = ("int_type", "int_from_float")
"""Kinds of errors of a fractional number where an integer is expected."""

VALUE_ERRORS = frozenset(get_args(ErrorType))
"""Kinds of problems that a value has by itself; all others come of what else the file says."""

LIST = "list_type"

TABLE_ERRORS = ("model_type", "dict_type", "tuple_type", LIST, "model_attributes_type")


class Made(Sequence[T]):
    """A sequence whose values are computed when asked for: `made(i)` returns the value at index i, 0 <= i <
    `length`.
    """

    length: int

    @abstractmethod
    def made(self, number: int) -> T:
        """Return the value at index `number`, counted from 0."""

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return tuple(self[one] for one in range(*place.indices(self.length)))
        if not -self.length <= place < self.length:
            raise IndexError(place)
        return self.made(place % self.length)


@dataclass(frozen=True)
class DecimalRange(Made[float]):
    """Evenly spaced numbers start + i * step, for i from 0 to `length` - 1, computed in decimal arithmetic; none
    exceeds `most`.
    """

    start: Decimal
    step: Decimal
    length: int
    most: float = math.inf

    def made(self, number: int) -> float:
        """Return start + number * step as a float, or `most` if that is less."""
        return min(float(self.start + number * self.step), self.most)


@dataclass(frozen=True)
class Axis:
    """One dimension of a grid: a key of the scenario and the values it takes, in order.

    Attributes
    ----------
    key
        Key path such as `units.B.x`; for keys sampled jointly only a name for the axis.
    values
        Values of the key; for keys sampled jointly tuples with one value per key.
    are_sure
        Whether the values were derived from the board or sampled, so that they need no check.
    jointly
        Keys that are sampled together along this axis; empty for an axis of one key.
    """

    key: str
    values: Sequence[Any]
    are_sure: bool = False
    jointly: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the scenario that this axis sets: the jointly sampled keys, or the one key."""
        return self.jointly or (self.key,)

    def told(self, value: Any) -> tuple[Any, ...]:
        """Return a value of this axis as a tuple with one value for each of `keys`."""
        return value if self.jointly else (value,)


@dataclass(frozen=True)
class Grid:
    """The grid of all combinations of the axes' values; the last axis varies fastest.

    Raises
    ------
    UsageError
        If there are more than `MAX_GRID_CASES`.
    """

    axes: tuple[Axis, ...]

    def __post_init__(self) -> None:
        if (count := math.prod(self.shape)) > MAX_GRID_CASES:
            message = (
                "that is {count:,} cases; more than {most:,} cannot be counted, let alone resolved"
            )
            raise UsageError(message, count=count, most=MAX_GRID_CASES)

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values of each axis, in the order of the axes."""
        return tuple(len(axis.values) for axis in self.axes)

    @property
    def keys(self) -> tuple[str, ...]:
        """All varied keys of the scenario, in the order of the axes."""
        return tuple(key for axis in self.axes for key in axis.keys)

    @property
    def sampled(self) -> tuple[str, ...]:
        """Keys whose values are sampled at random; empty if there are none."""
        return tuple(key for axis in self.axes for key in axis.jointly)

    def __len__(self) -> int:
        return math.prod(self.shape)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        if not self.axes:
            return iter([()])
        first, *rest = (axis.values for axis in self.axes)
        cases = ((value, *others) for value in first for others in product(*rest))
        if not self.sampled:
            return cases
        return (
            tuple(
                chain.from_iterable(
                    axis.told(value) for axis, value in zip(self.axes, case, strict=True)
                )
            )
            for case in cases
        )

    def __getitem__(self, case: int) -> tuple[Any, ...]:
        """Return the values of case number `case`, one for each of `keys`; cases count from 0 in the order of
        iteration.
        """
        values: list[Any] = []
        for axis in reversed(self.axes):
            case, place = divmod(case, len(axis.values))
            values.extend(reversed(axis.told(axis.values[place])))
        return tuple(reversed(values))


def grid_of(
    vary: Sequence[str], tables: Mapping[str, Any], *, step: float, sampled: Axis | None = None
) -> Grid:
    """Return the grid of `--vary` arguments, with the axis of random values, if given as `sampled`, first.

    `step` is the spacing in inches of the positions of `units.NAME=board`.

    Raises
    ------
    UsageError
        If an argument cannot be read, names no unit, varies a key twice or nothing at all.
    """
    axes = [
        *(() if sampled is None else (sampled,)),
        *(axis for text in vary for axis in _axes(text, tables, step)),
    ]
    known: dict[tuple[str, ...], str] = {}
    for key in (key for axis in axes for key in axis.keys):
        for path in paths_set_by(key, tables):
            if path in known:
                message = "--vary {key}: varied twice{also}"
                raise UsageError(
                    message,
                    key=key,
                    also="" if known[path] == key else say(", as {other} too", other=known[path]),
                )
            known[path] = key
    if not axes:
        raise UsageError("nothing is varied: add --vary KEY=START:STOP:STEP or --question NAME")
    return Grid(tuple(axes))


def _axes(text: str, tables: Mapping[str, Any], step: float) -> tuple[Axis, ...]:
    key, equals, values = (part.strip() for part in text.partition("="))
    if not key or not equals or not values:
        raise UsageError("--vary {text}: {form}", text=text, form=FORM)
    if values == "board":
        return board_axes(unit_named(key, tables), tables, step=step)
    return (Axis(key, _range(text, values) if values.count(":") == 2 else _list(text, values)),)  # noqa: PLR2004


def board_axes(unit: str, tables: Mapping[str, Any], *, step: float) -> tuple[Axis, ...]:
    """Return the axes over all positions of a unit on the board: x and y in inches, or one axis of hex numbers.

    Positions on a board in inches are the centres of squares with sides of `step` inches.
    """
    if not 0.0 < step < math.inf:
        raise UsageError("--step {step}: expected inches greater than 0", step=step)
    board = board_of(tables)
    if isinstance(board, HexBoard):
        columns = range(1, board.columns + 1)
        rows = range(1, board.rows + 1)
        return (
            Axis(
                unit_key(unit, "hex"),
                tuple(number((column, row)) for column in columns for row in rows),
                are_sure=True,
            ),
        )
    return tuple(
        Axis(unit_key(unit, name), _middles(side, step))
        for name, side in (("x", board.width), ("y", board.depth))
    )


def _middles(length: float, step: float) -> Sequence[float]:
    count = max(1, math.ceil(length / step - 1e-9))
    if count > MOST_VALUES:
        raise UsageError(
            "--step {step}: this gives {count:,} places in a row, more than the limit of {most:,}; use a larger step",
            step=step,
            count=count,
            most=MOST_VALUES,
        )
    whole = Decimal(repr(step))
    return DecimalRange(whole / 2, whole, count, length)


def _range(text: str, values: str) -> Sequence[float]:
    try:
        start, stop, step = (Decimal(part.strip()) for part in values.split(":"))
    except InvalidOperation:
        raise UsageError(
            "--vary {text}: expected three numbers, START:STOP:STEP", text=text
        ) from None
    if (
        not (start.is_finite() and stop.is_finite() and step.is_finite())
        or step == 0
        or (stop - start) / step < 0
    ):
        raise UsageError("--vary {text}: STEP must lead from START to STOP", text=text)
    count = int((stop - start) / step) + 1
    if count > MOST_VALUES:
        raise UsageError(
            "--vary {text}: {count:,} values are more than {most:,}",
            text=text,
            count=count,
            most=MOST_VALUES,
        )
    if all(number == number.to_integral_value() for number in (start, step)):
        return range(int(start), int(start) + count * int(step), int(step))
    return DecimalRange(start, step, count)


def _list(text: str, values: str) -> tuple[Any, ...]:
    parts = [part.strip() for part in values.split(",")]
    if not all(parts):
        raise UsageError("--vary {text}: {form}", text=text, form=FORM)
    return tuple(map(value_of, parts))


def check_values(axes: Sequence[Axis], tables: Mapping[str, Any]) -> None:
    """Raise UsageError if a value of an axis has another type than its key expects, or is an unknown word.

    Nothing is checked if the tables name no known system.

    Raises
    ------
    UsageError
        Naming key, value, what was expected, and the nearest word.
    """
    system = registry.named(tables)
    if system is None:
        return
    before = frozenset((fault.key, fault.kind) for fault in _faults(tables, system))
    for key, value in _looked_at(axes):
        _refuse_value(key, value, tables, system, before)


def _looked_at(axes: Sequence[Axis]) -> Iterator[tuple[str, Any]]:
    """Yield the (key, value) pairs to check: all distinct listed values, but only the first of sampled or evenly spaced
    ones.
    """
    for axis in axes:
        if axis.jointly:
            yield from zip(axis.keys, axis.values[0], strict=True)
        elif not axis.are_sure:
            is_even = isinstance(axis.values, (DecimalRange, range))
            different = (
                axis.values[:1]
                if is_even
                else {repr(value): value for value in axis.values}.values()
            )
            yield from ((axis.key, value) for value in different)


def _refuse_value(
    key: str,
    value: Any,
    tables: Mapping[str, Any],
    system: System,
    before: frozenset[tuple[str, str]],
) -> None:
    """Raise UsageError if setting a key to a value gives a fault of its type or an unknown word.

    Faults in `before`, pairs of key and kind found in the unchanged tables, are ignored.
    """
    path = path_of(key)
    if path[0] == "system" and len(path) > 1:
        with_numbers(system.book, {path[1]: value}, option="--vary")
        return
    changed = with_values(tables, (key,), (value,))
    own = _own_key(path, changed)
    wrong = (
        one
        for one in _faults(changed, system)
        if (one.key, one.kind) not in before and _is_misread(own, value, one)
    )
    if (fault := next(wrong, None)) is None:
        why = _unknown_name(own, value, changed)
    elif fault.kind in TABLE_ERRORS and fault.key == own:
        hint = say("vary what is in it, as in units.B.at.0, or units.B=board")
        why = say(
            "{given} is not a table or list, which is expected here; {hint}",
            given=shown(value),
            hint=hint,
        )
    else:
        why = fault.message
    if why is not None:
        spans = (
            say("; spans are START:STOP:STEP") if isinstance(value, str) and ":" in value else ""
        )
        raise UsageError("--vary {key}: {why}{spans}", key=key, why=why, spans=spans)


def takes_whole_numbers(key: str, low: float, tables: Mapping[str, Any]) -> bool:
    """Return whether a key accepts only integers, tested by setting it to a fraction near `low`; False if the system is
    unknown.
    """
    path = path_of(key)
    system = registry.named(tables)
    if system is None:
        return False
    part = math.floor(low) + 0.5
    if path[0] == "system" and len(path) > 1:
        return get_type_hints(type(system.book)).get(path[1]) is int
    changed = with_values(tables, (key,), (part,))
    own = _own_key(path, changed)
    return any(
        fault.kind in WHOLE and _is_misread(own, part, fault) for fault in _faults(changed, system)
    )


def _faults(tables: Mapping[str, Any], system: System) -> list[Fault]:
    return validated(scenario_model(system), tables)[1]


def _own_key(path: Sequence[str], tables: Mapping[str, Any]) -> str:
    """Return a path into the tables as error messages write it, such as `charges[0].charger`."""
    parts: list[str | int] = []
    inner: Any = tables
    for part in path:
        parts.append(int(part) if isinstance(inner, list) else part)
        inner = (
            inner[int(part)]
            if isinstance(inner, list)
            else inner.get(part)
            if isinstance(inner, Mapping)
            else None
        )
    return key_path(parts)


def _is_misread(own: str, value: Any, fault: Fault) -> bool:
    """Return whether a fault means that a value has the wrong type for its key `own`, or for something inside it.

    Numbers out of range, or in conflict with other keys, are read correctly: for them the result is False.
    """
    is_here = (
        fault.key == own
        or fault.key.startswith((f"{own}.", f"{own}["))
        or (fault.kind == LIST and own.startswith(f"{fault.key}["))
    )
    return (
        is_here
        and not TOLERATED.match(fault.kind)
        and not (is_number(value) and fault.kind not in VALUE_ERRORS)
    )


def _unknown_name(own: str, value: Any, changed: Mapping[str, Any]) -> str | None:
    """Return the error message if a charge's key is set to a name that no unit has; None otherwise.

    `own` is the key that was set and `changed` are the tables with that value.
    """
    if not own.startswith("charges[") or not isinstance(value, str):
        return None
    try:
        case_from_tables(changed)
    except ScenarioError as error:
        told = (problem.message for problem in error.problems if problem.key == own)
        return next(
            (message for message in told if says(message, UNKNOWN_UNIT, UNKNOWN_NAME)), None
        )
    return None


def expect(name: str, value: Any, kind: Any, words: str, *, or_none: bool = False) -> None:
    """Raise TypeError unless an argument is an instance of `kind`, or None if `or_none`; a boolean does not count as a
    number.

    Raises
    ------
    TypeError
        Naming the argument, what was expected in `words`, and what was given.
    """
    if not (
        (or_none and value is None)
        or (isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool))
    ):
        raise TypeError(f"{name}: expected {words}, given {shown(value)}")


def expect_whole(name: str, value: Any, least: int, most: int, *, or_none: bool = False) -> None:
    """Raise an error unless an argument is an integer from `least` to `most`, or None if `or_none`.

    Raises
    ------
    TypeError
        If it is no whole number.
    UsageError
        If it is below `least` or above `most`.
    """
    expect(name, value, Integral, "a whole number", or_none=or_none)
    if value is not None and not least <= value <= most:
        raise UsageError(
            "{name}: expected {least:,} to {most:,}, given {value}",
            name=name,
            least=least,
            most=most,
            value=value,
        )


def expect_texts(name: str, value: Any, words: str) -> None:
    """Raise TypeError unless an argument is a sequence of strings; a single string is refused too.

    Raises
    ------
    TypeError
        If it is one text, or anything else.
    """
    if isinstance(value, str):
        raise TypeError(f"expected a list of {words}, as in [{value!r}]")
    if not isinstance(value, Sequence) or not all(isinstance(text, str) for text in value):
        raise TypeError(f"{name}: expected a list of {words}, given {shown(value)}")
