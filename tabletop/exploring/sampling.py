"""Random sampling of units' places and of numbers, reproducible by seed, with rejection of impossible tables."""

import math
import random
import re
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from numbers import Real
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from tabletop.budget import Budget
from tabletop.errors import Fault, NoVerdictError, ScenarioError, UsageError
from tabletop.exploring.grid import MOST_VALUES, Axis, Grid, Made, expect, takes_whole_numbers
from tabletop.exploring.key_paths import board_of, path_of, unit_key, unit_named
from tabletop.exploring.running import Execution, pool_of
from tabletop.exploring.varied import VariedScenario
from tabletop.messages import say, shown
from tabletop.table.hexes import HexBoard, number

RANDOM_KEY = "random"
"""Name of the axis of sampled tables; its values count from 0."""

MOST_TRIES = 100
"""Number of tables tried per table wanted."""

TRIES_AT_ONCE = 50
"""Number of tables that a worker tries before it reports."""

TRIES_WORTH_WORKERS = 400
"""Number of tables above which starting workers pays."""

_FORM = say("expected units.NAME=random:N, or KEY=random:N:LOW:HIGH for a number")

Region = tuple[float, float, float, float]


@dataclass(frozen=True)
class SampledKey:
    """Keys sampled together from a uniform distribution, one number for each from `low` to `high`.

    With `is_whole` the numbers are integers, both ends included. With `is_hex` there is one key, and the two numbers
    are the column and row of its hex. Two numbers are a place: x and y in inches, or a hex.
    """

    keys: tuple[str, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    is_whole: bool = False
    is_hex: bool = False

    @property
    def is_place(self) -> bool:
        """Whether the keys are the place of a unit, rather than one number."""
        return len(self.low) > 1

    def values(self, seed: int, attempt: int) -> tuple[Any, ...]:
        """Return the values drawn in an attempt, one for each key; they depend only on seed, attempt and the first
        key.
        """
        dice = random.Random(f"{seed}/{attempt}/{self.keys[0]}")  # noqa: S311 - sampling, not secrets
        if not self.is_whole:
            return tuple(
                min(low + (high - low) * dice.random(), high)
                for low, high in zip(self.low, self.high, strict=True)
            )
        found = [
            dice.randint(int(low), int(high)) for low, high in zip(self.low, self.high, strict=True)
        ]
        return (number((found[0], found[1])),) if self.is_hex else tuple(found)


@dataclass(frozen=True, eq=False)
class SampledTables(Made[tuple[Any, ...]]):
    """The values of all sampled keys for each random table: of the first `length` attempts, or of the chosen
    `attempts`.
    """

    draws: tuple[SampledKey, ...]
    seed: int
    length: int
    attempts: NDArray[np.int64] | None = None

    def made(self, number: int) -> tuple[Any, ...]:
        """Return the values of table number `number`, one for each sampled key."""
        return self.attempt(number if self.attempts is None else int(self.attempts[number]))

    def attempt(self, attempt: int) -> tuple[Any, ...]:
        """Return the values drawn in an attempt, one for each sampled key, whether its table is possible or not."""
        return tuple(value for draw in self.draws for value in draw.values(self.seed, attempt))


def is_random(text: str) -> bool:
    """Return whether a `--vary` argument asks for values at random."""
    return text.partition("=")[2].strip().split(":")[0] == "random"


def sampled_axis(
    vary: Sequence[str], tables: Mapping[str, Any], *, seed: int, region: Region | None = None
) -> Axis | None:
    """Return the axis of the `--vary` arguments with random values; None if there is none.

    `region` bounds random places: least x, least y, greatest x, greatest y in inches, or first and last column and row
    of hexes; the whole board if it is None.

    Raises
    ------
    UsageError
        If an argument cannot be read, two ask for different numbers of tables, or nothing of the region is on the
        board.
    """
    region = None if region is None else _checked(region)
    asked = [_asked(text, tables, region) for text in vary]
    if region is not None and not any(draw.is_place for _, draw in asked):
        raise UsageError(
            "--region applies only to random places: add --vary units.NAME=random:N, or leave it out"
        )
    if not asked:
        return None
    (count, first), *others = asked
    for other, draw in others:
        if other != count:
            message = (
                "--vary: random keys are drawn together, so all need the same number of tables; {key} has {count:,}, "
                "{other_key} has {other:,}"
            )
            raise UsageError(
                message, key=first.keys[0], count=count, other_key=draw.keys[0], other=other
            )
    draws = tuple(draw for _, draw in asked)
    return Axis(
        RANDOM_KEY,
        SampledTables(draws, seed, count),
        are_sure=True,
        jointly=tuple(key for draw in draws for key in draw.keys),
    )


def _asked(text: str, tables: Mapping[str, Any], region: Region | None) -> tuple[int, SampledKey]:
    """Return the number of tables that a `--vary KEY=random:N...` argument asks for, and the keys that it samples."""
    key, _, values = (part.strip() for part in text.partition("="))
    _, *parts = (part.strip() for part in values.split(":"))
    if (
        not key
        or len(parts) not in (1, 3)
        or not re.fullmatch(r"[0-9_]{1,20}", parts[0])
        or not parts[0].strip("_")
    ):
        raise UsageError("--vary {text}: {form}", text=text, form=_FORM)
    count = int(parts[0].strip("_").replace("_", ""))
    if not 1 <= count <= MOST_VALUES:
        raise UsageError(
            "--vary {text}: expected a number of random tables from 1 to {most:,}",
            text=text,
            most=MOST_VALUES,
        )
    path = path_of(key)
    is_unit = len(path) == 2 and path[0] == "units"  # noqa: PLR2004 - units and its name
    if is_unit and len(parts) > 1:
        raise UsageError(
            "--vary {text}: places have no LOW and HIGH; --region X0,Y0,X1,Y1 says where they lie",
            text=text,
        )
    if is_unit:
        return count, _place(unit_named(key, tables, as_in="random:N"), tables, region)
    if len(parts) == 1:
        message = (
            "--vary {text}: a number is drawn between two, as in {key}=random:{count}:LOW:HIGH"
        )
        raise UsageError(message, text=text, key=key, count=count)
    return count, _number(text, key, parts[1:], tables)


def _number(text: str, key: str, ends: Sequence[str], tables: Mapping[str, Any]) -> SampledKey:
    try:
        low, high = (float(end) for end in ends)
    except ValueError:
        raise UsageError("--vary {text}: expected two numbers, LOW:HIGH", text=text) from None
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        raise UsageError("--vary {text}: HIGH must be a number no less than LOW", text=text)
    if not takes_whole_numbers(key, low, tables):
        return SampledKey((key,), (low,), (high,))
    if math.ceil(low) > math.floor(high):
        message = "--vary {text}: {key} is a whole number, and there is none from {low} to {high}"
        raise UsageError(message, text=text, key=key, low=ends[0], high=ends[1])
    return SampledKey((key,), (math.ceil(low),), (math.floor(high),), is_whole=True)


def _place(unit: str, tables: Mapping[str, Any], region: Region | None) -> SampledKey:
    """Return the sampled keys of a unit's place: x and y in inches, or its hex, on the board or within a region of
    it.
    """
    board = board_of(tables)
    is_hex = isinstance(board, HexBoard)
    low, high = (
        ((1.0, 1.0), (board.columns, board.rows))
        if isinstance(board, HexBoard)
        else ((0.0, 0.0), (board.width, board.depth))
    )
    if region is not None:
        west, south, east, north = region
        low = (max(low[0], west), max(low[1], south))
        high = (min(high[0], east), min(high[1], north))
    if is_hex:
        low = (math.ceil(low[0]), math.ceil(low[1]))
        high = (math.floor(high[0]), math.floor(high[1]))
    if low[0] > high[0] or low[1] > high[1]:
        size = (
            say(
                "columns 1 to {columns} and rows 1 to {rows}",
                columns=board.columns,
                rows=board.rows,
            )
            if isinstance(board, HexBoard)
            else say(
                "{size} inches",
                size=say("{width:g} by {depth:g}", width=board.width, depth=board.depth),
            )
        )
        message = "--region {region}: nothing of it is on the board, which has {size}"
        raise UsageError(message, region=",".join(f"{side:g}" for side in region or ()), size=size)
    keys = (unit_key(unit, "hex"),) if is_hex else (unit_key(unit, "x"), unit_key(unit, "y"))
    return SampledKey(keys, low, high, is_whole=is_hex, is_hex=is_hex)


def region_of(text: str | None) -> Region | None:
    """Return the region (x0, y0, x1, y1) written as `X0,Y0,X1,Y1`; None if `text` is None.

    Raises
    ------
    UsageError
        If the text is not four numbers.
    """
    if text is None:
        return None
    try:
        west, south, east, north = (float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(
            "--region {text}: expected X0,Y0,X1,Y1, as in 0,0,36,24", text=text
        ) from None
    return west, south, east, north


def _checked(region: Any) -> Region:
    """Return a region as four floats (x0, y0, x1, y1); raise TypeError or UsageError unless the lower left corner comes
    first.
    """
    if isinstance(region, str) or not isinstance(region, Sequence) or len(region) != 4:  # noqa: PLR2004 - two corners
        raise TypeError(f"region: expected four numbers, X0, Y0, X1, Y1, given {shown(region)}")
    for side in region:
        expect("region", side, Real, "four numbers, X0, Y0, X1, Y1")
    west, south, east, north = map(float, region)
    if not (all(map(math.isfinite, region)) and west <= east and south <= north):
        told = ",".join(f"{side:g}" for side in region)
        raise UsageError(
            "--region {told}: expected the lower left corner and then the upper right one, X0,Y0,X1,Y1",
            told=told,
        )
    return west, south, east, north


def keep_legal(base: VariedScenario, grid: Grid, how: Execution) -> Grid:
    """Return the grid with its random tables replaced by the first possible ones drawn, as many as before (rejection
    sampling).

    A table is possible if its cases are valid for all values of the other varied keys. `how.progress` is called for
    each table found.

    Raises
    ------
    ScenarioError
        If too few are possible among `MOST_TRIES` tables per table wanted; with the fault of the first impossible one.
    NoVerdictError
        If the time limit is reached before all are found.
    """
    place, axis = next((place, axis) for place, axis in enumerate(grid.axes) if axis.jointly)
    asked = len(axis.values)
    tables = cast("SampledTables", axis.values)
    found: list[int] = []
    faults: list[tuple[int, Fault]] = []
    tries = _tried(base, grid, place, how)
    with closing(tries):
        for attempt, fault in tries:
            if fault is not None:
                faults = faults or [(attempt, fault)]
                continue
            found.append(attempt)
            how.progress(1)
            if len(found) == asked:
                break
    if len(found) < asked:
        raise _no_legal_table(len(found), asked, *faults[0])
    chosen = replace(axis, values=replace(tables, attempts=np.array(found, dtype=np.int64)))
    return Grid((*grid.axes[:place], chosen, *grid.axes[place + 1 :]))


def _no_legal_table(found: int, asked: int, attempt: int, fault: Fault) -> ScenarioError:
    message = "at attempt {attempt:,} of {most:,}; of the {asked:,} possible tables asked for, {found:,} were found"
    found_so = say(message, attempt=attempt + 1, most=MOST_TRIES * asked, asked=asked, found=found)
    told = say(
        "{message} ({found_so}: give the units more room, or use --all-tables to count impossible tables too)",
        message=fault.message,
        found_so=found_so,
    )
    return ScenarioError(replace(fault, message=told))


def _tried(
    base: VariedScenario, grid: Grid, place: int, how: Execution
) -> Generator[tuple[int, Fault | None]]:
    """Yield (attempt, fault) for each table tried, in order; the fault is None if the table is possible."""
    most = MOST_TRIES * len(grid.axes[place].values)
    here = most if how.workers < 2 else min(TRIES_WORTH_WORKERS, most)  # noqa: PLR2004 - one other
    for attempt in range(here):
        if how.limit.seconds_left <= 0.0:
            raise _late(how.limit)
        yield attempt, _fault(base, grid, place, attempt)
    chunks = (
        range(start, min(start + TRIES_AT_ONCE, most)) for start in range(here, most, TRIES_AT_ONCE)
    )
    if here < most:
        with pool_of(how.workers, how.limit) as pool:
            try:
                yield from _tried_on(
                    pool, partial(_faults, base, grid, place), chunks, 2 * how.workers
                )
            except BrokenProcessPool:
                if how.limit.seconds_left > 0.0:
                    raise
                raise _late(how.limit) from None
            finally:
                pool.shutdown(cancel_futures=True)


def _tried_on(
    pool: ProcessPoolExecutor,
    faults: Callable[[range], list[Fault | None]],
    chunks: Iterator[range],
    ahead: int,
) -> Iterator[tuple[int, Fault | None]]:
    """Yield (attempt, fault) for chunks of attempts tried by a process pool, in order, with at most `ahead` chunks
    under way.
    """
    under_way = deque((chunk, pool.submit(faults, chunk)) for chunk in islice(chunks, ahead))
    while under_way:
        chunk, future = under_way.popleft()
        yield from zip(chunk, future.result(), strict=True)
        under_way += [(after, pool.submit(faults, after)) for after in islice(chunks, 1)]


def _late(limit: Budget) -> NoVerdictError:
    return NoVerdictError(
        "stopped at the limit of {seconds:g} s before enough possible tables were found",
        seconds=limit.seconds,
    )


def _faults(
    base: VariedScenario, grid: Grid, place: int, attempts: Sequence[int]
) -> list[Fault | None]:
    return [_fault(base, grid, place, attempt) for attempt in attempts]


def _fault(base: VariedScenario, grid: Grid, place: int, attempt: int) -> Fault | None:
    """Return the first fault found in the cases of an attempt's table; None if all of them are possible."""
    axis = grid.axes[place]
    tables = cast("SampledTables", axis.values)
    one = Grid(
        (
            *grid.axes[:place],
            replace(axis, values=(tables.attempt(attempt),)),
            *grid.axes[place + 1 :],
        )
    )
    for values in one:
        try:
            base.case(values)
        except ScenarioError as error:
            return error.problems[0]
    return None
