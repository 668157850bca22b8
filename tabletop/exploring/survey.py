"""The results of a grid as labelled arrays."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.errors import UsageError
from tabletop.exploring.columns import Column, Columns
from tabletop.exploring.grid import Grid
from tabletop.exploring.known import Known, short
from tabletop.messages import nearest, quoted
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Pictured, Tabular, in_line

Row = Mapping[str, Any]

Rows = Callable[[], Iterable[Row]]


@dataclass(frozen=True)
class Survey(Pictured, Tabular):
    """What was found for each combination of the varied keys.

    Attributes
    ----------
    axes
        The values of each varied key, in the order of the dimensions.
    values
        Arrays by column name, each of the grid's shape: numbers as floats (nan where there is none), everything else as
        texts. Those of very many cases are spread out when they are asked for.
    case, question
        What was varied, and the name of the question if one was asked, known where `tabletop.explore` has answered.
    drawn
        Names of the columns that hold what was drawn at random, if anything was: places and numbers of each table. The axis `random`
        counts the tables.
    """

    axes: Mapping[str, NDArray[Any]]
    values: Mapping[str, NDArray[Any]]
    case: Case | None = field(default=None, compare=False)
    question: str | None = field(default=None, compare=False)
    drawn: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return in_line(self, [" x ".join(f"{key} ({len(values)})" for key, values in self.axes.items()), ", ".join(self.values)])

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values of each axis."""
        return tuple(len(values) for values in self.axes.values())

    def column(self, name: str) -> NDArray[Any]:
        """Give one column by name.

        Raises
        ------
        UsageError
            If there is none of that name.
        """
        if name not in self.values:
            message = "no column is called {name}{hint} (there are: {known})"
            raise UsageError(message, name=repr(name), hint=nearest(name, self.values), known=quoted(self.values))
        return self.values[name]

    def best(self, axis: str, column: str, *, is_least: bool = False) -> "Survey":
        """Keep, for every combination of the other keys, the value of `axis` with the greatest (or least) number in `column`.

        The value kept becomes a column named after the axis; of equal numbers the first counts.
        """
        place = list(self.axes).index(axis)
        numbers = self.column(column)
        ranked = np.where(np.isnan(numbers), np.inf, numbers if is_least else -numbers)
        chosen = np.expand_dims(ranked.argmin(axis=place), place)
        kept = {name: np.take_along_axis(values, chosen, place).squeeze(place) for name, values in self.values.items()}
        kept[axis] = self.axes[axis][chosen.squeeze(place)]
        return replace(self, axes={key: values for key, values in self.axes.items() if key != axis}, values=kept)


def survey_of(grid: Grid, rows: Rows, *, charge: int = 0, only: Collection[str] | None = None, known: Known | None = None) -> Survey:
    """Gather the rows of one charge; a row of a case without answer stands for all of its charges.

    Cases are `known` by their keys, in whatever order their rows come; without that they come in the order of the grid.

    `rows` is asked once more where words come late in a column of numbers. `only` names the columns to keep, if not all: one of many
    different numbers takes eight bytes of memory for each case, one of few values or words hardly more than one.
    """
    columns = _filled(grid, _picked(rows(), grid, only), charge, frozenset(), known)
    mixed = frozenset(name for name, column in columns.items() if column.is_mixed)
    if mixed:
        columns = _filled(grid, _picked(rows(), grid, only), charge, mixed, known)
    axes = {axis.key: np.arange(len(axis.values)) if axis.jointly else np.array(axis.values) for axis in grid.axes}
    return Survey(axes, Columns(columns, grid.shape, _drawn(grid)), drawn=grid.sampled)


def _drawn(grid: Grid) -> dict[str, NDArray[Any]]:
    """Give the columns of what is drawn, spread over all else without more memory."""
    columns: dict[str, NDArray[Any]] = {}
    for place, axis in enumerate(grid.axes):
        if axis.jointly:
            along = [-1 if place == other else 1 for other in range(len(grid.axes))]
            for key, told in zip(axis.keys, zip(*axis.values, strict=True), strict=True):
                values = np.array(told, dtype=object if isinstance(told[0], str) else None)
                columns[key] = np.broadcast_to(values.reshape(along), grid.shape)
    return columns


def _picked(rows: Iterable[Row], grid: Grid, only: Collection[str] | None) -> Iterator[tuple[Row, list[str]]]:
    """Give rows with the names of the columns to keep: never what the axes tell already, nor the keys by which cases are known on disk."""
    left_out = {*grid.keys, "key"}
    for row in rows:
        yield row, [name for name in row if name not in left_out and (only is None or name in only)]


def _filled(
    grid: Grid, rows: Iterable[tuple[Row, list[str]]], charge: int, words: AbstractSet[str], known: Known | None
) -> dict[str, Column]:
    """Put the rows into columns."""
    columns: dict[str, Column] = {}
    case = -1
    for row, names in rows:
        number = int(row["charge"])
        case += number == 0
        if number == charge or row["outcome"] in ("invalid", "no_verdict"):
            cases = (case,) if known is None else known.numbers(short(row["key"]), case)
            for name in names:
                if name not in columns:
                    columns[name] = Column(len(grid), has_words=name in words)
                for one in cases:
                    columns[name].put(one, row[name])
    return columns
