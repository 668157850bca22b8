"""What is varied: keys of a scenario with the values they take, and the grid of all their combinations."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import chain, product
from typing import Any

from tabletop.errors import UsageError
from tabletop.exploring import keys
from tabletop.scenario.overrides import value_of
from tabletop.table.hexes import HexBoard, number

MOST_VALUES = 10**9
"""Values of one axis; more are surely a slip."""
MOST_CASES = 10**15
"""Cases of one grid."""
FORM = "expected KEY=START:STOP:STEP, KEY=a,b,c, KEY=random:N:LOW:HIGH, units.NAME=board or units.NAME=random:N"


@dataclass(frozen=True)
class Steps(Sequence[float]):
    """Evenly spaced numbers, from `start` on and never more than `most`, none of them in memory."""

    start: Decimal
    step: Decimal
    length: int
    most: float = math.inf

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return tuple(self[one] for one in range(*place.indices(self.length)))
        if not -self.length <= place < self.length:
            raise IndexError(place)
        return min(float(self.start + place % self.length * self.step), self.most)


@dataclass(frozen=True)
class Axis:
    """A key of the scenario and the values it takes, in order; those that were not typed but found on the board `are_sure`.

    Keys that are drawn `together` have one axis, whose values are tuples of theirs; `key` is then its name alone.
    """

    key: str
    values: Sequence[Any]
    are_sure: bool = False
    together: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the scenario that take the values."""
        return self.together or (self.key,)

    def told(self, value: Any) -> tuple[Any, ...]:
        """Give the value of each key."""
        return value if self.together else (value,)


@dataclass(frozen=True)
class Grid:
    """All combinations of the axes' values; the last axis varies fastest.

    Raises
    ------
    UsageError
        If there are more than `MOST_CASES`.
    """

    axes: tuple[Axis, ...]

    def __post_init__(self) -> None:
        if (count := math.prod(self.shape)) > MOST_CASES:
            raise UsageError(f"that is {count:,} cases; more than {MOST_CASES:,} cannot be counted, let alone resolved")

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values of each axis."""
        return tuple(len(axis.values) for axis in self.axes)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that are varied."""
        return tuple(key for axis in self.axes for key in axis.keys)

    @property
    def drawn(self) -> tuple[str, ...]:
        """Those of them whose values are drawn at random."""
        return tuple(key for axis in self.axes for key in axis.together)

    def __len__(self) -> int:
        return math.prod(self.shape)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        if not self.axes:
            return iter([()])
        first, *rest = (axis.values for axis in self.axes)
        cases = ((value, *others) for value in first for others in product(*rest))
        if not self.drawn:
            return cases
        return (tuple(chain.from_iterable(axis.told(value) for axis, value in zip(self.axes, case, strict=True))) for case in cases)

    def __getitem__(self, case: int) -> tuple[Any, ...]:
        """Give the combination of that number, counted in the order of iteration."""
        values: list[Any] = []
        for axis in reversed(self.axes):
            case, place = divmod(case, len(axis.values))
            values.extend(reversed(axis.told(axis.values[place])))
        return tuple(reversed(values))


def grid_of(vary: Sequence[str], tables: Mapping[str, Any], *, step: float, drawn: Axis | None = None) -> Grid:
    """Read `--vary` arguments; `step` is the spacing in inches of every position of the board, `drawn` what is drawn beside them.

    Raises
    ------
    UsageError
        If an argument cannot be read, names no unit, varies a key twice or nothing at all.
    """
    axes = [*(() if drawn is None else (drawn,)), *(axis for text in vary for axis in _axes(text, tables, step))]
    known: dict[tuple[str, ...], str] = {}
    for key in (key for axis in axes for key in axis.keys):
        for path in keys.set_by(key, tables):
            if path in known:
                raise UsageError(f"--vary {key}: varied twice{'' if known[path] == key else f', as {known[path]} too'}")
            known[path] = key
    if not axes:
        raise UsageError("nothing is varied; give --vary KEY=START:STOP:STEP or a --question")
    return Grid(tuple(axes))


def _axes(text: str, tables: Mapping[str, Any], step: float) -> tuple[Axis, ...]:
    key, equals, values = (part.strip() for part in text.partition("="))
    if not key or not equals or not values:
        raise UsageError(f"--vary {text}: {FORM}")
    if values == "board":
        return board_axes(keys.unit_named(key, tables), tables, step=step)
    return (Axis(key, _range(text, values) if values.count(":") == 2 else _list(text, values)),)  # noqa: PLR2004


def board_axes(unit: str, tables: Mapping[str, Any], *, step: float) -> tuple[Axis, ...]:
    """Give every position of the board for a unit: the middles of squares of `step` inches, or all hexes."""
    if not 0.0 < step < math.inf:
        raise UsageError(f"--step {step}: expected inches greater than 0")
    board = keys.board_of(tables)
    if isinstance(board, HexBoard):
        columns, rows = range(1, board.columns + 1), range(1, board.rows + 1)
        return (Axis(keys.unit_key(unit, "hex"), tuple(number((column, row)) for column in columns for row in rows), are_sure=True),)
    return tuple(Axis(keys.unit_key(unit, name), _middles(side, step)) for name, side in (("x", board.width), ("y", board.depth)))


def _middles(length: float, step: float) -> Sequence[float]:
    count = max(1, math.ceil(length / step - 1e-9))
    if count > MOST_VALUES:
        raise UsageError(f"--step {step}: {count:,} places in a row are more than {MOST_VALUES:,}")
    whole = Decimal(repr(step))
    return Steps(whole / 2, whole, count, length)


def _range(text: str, values: str) -> Sequence[float]:
    try:
        start, stop, step = (Decimal(part.strip()) for part in values.split(":"))
    except InvalidOperation:
        raise UsageError(f"--vary {text}: expected three numbers, START:STOP:STEP") from None
    if not (start.is_finite() and stop.is_finite() and step.is_finite()) or step == 0 or (stop - start) / step < 0:
        raise UsageError(f"--vary {text}: STEP must lead from START to STOP")
    count = int((stop - start) / step) + 1
    if count > MOST_VALUES:
        raise UsageError(f"--vary {text}: {count:,} values are more than {MOST_VALUES:,}")
    if all(number == number.to_integral_value() for number in (start, step)):
        return range(int(start), int(start) + count * int(step), int(step))
    return Steps(start, step, count)


def _list(text: str, values: str) -> tuple[Any, ...]:
    parts = [part.strip() for part in values.split(",")]
    if not all(parts):
        raise UsageError(f"--vary {text}: {FORM}")
    return tuple(map(value_of, parts))
