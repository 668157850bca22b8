"""Results of a grid as labelled arrays, one per column."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.errors import UsageError
from tabletop.exploring.grid import Grid
from tabletop.exploring.varied import ANSWER, METRIC, UNANSWERED_OUTCOMES
from tabletop.messages import nearest, quoted
from tabletop.ruling.presented import ImageRepr, TableRepr
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import in_line

Row = Mapping[str, Any]

Rows = Callable[[], Iterable[Row]]


@dataclass(frozen=True)
class Survey(ImageRepr, TableRepr):
    """Results for every combination of the varied keys, as labelled arrays with one dimension per key.

    Attributes
    ----------
    axes
        Values of each varied key, shape (n,), in the order of the dimensions.
    values
        Arrays by column name, each of the grid's shape: numbers as floats (nan where there is none), everything else as
        texts.
    case, question
        The unvaried case, and the name of the question if one was asked; set by `tabletop.explore`, else None.
    drawn
        Names of the columns with randomly drawn places and numbers; empty if nothing was random. The axis `random`
        numbers the random tables.
    """

    axes: Mapping[str, NDArray[Any]]
    values: Mapping[str, NDArray[Any]]
    case: Case | None = field(default=None, compare=False)
    question: str | None = field(default=None, compare=False)
    drawn: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return in_line(
            self,
            [
                " x ".join(f"{key} ({len(values)})" for key, values in self.axes.items()),
                ", ".join(self.values),
            ],
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values of each varied key."""
        return tuple(len(values) for values in self.axes.values())

    def column(self, name: str) -> NDArray[Any]:
        """Return one column as an array of the grid's shape: floats, nan where there is no number, or texts.

        Raises
        ------
        UsageError
            If no column has that name.
        """
        if name not in self.values:
            message = "no column is called {name}{hint} (there are: {known})"
            raise UsageError(
                message, name=repr(name), hint=nearest(name, self.values), known=quoted(self.values)
            )
        return self.values[name]

    def best(self, axis: str, column: str, *, is_least: bool = False) -> "Survey":
        """Return a survey without `axis`: all columns at the place along it where `column` is largest (or least).

        The place's value of the removed axis becomes a column named after it. Of equal values the first counts, and nan
        counts last.
        """
        place = list(self.axes).index(axis)
        numbers = self.column(column)
        ranked = np.where(np.isnan(numbers), np.inf, numbers if is_least else -numbers)
        chosen = np.expand_dims(ranked.argmin(axis=place), place)
        kept = {
            name: np.take_along_axis(values, chosen, place).squeeze(place)
            for name, values in self.values.items()
        }
        kept[axis] = self.axes[axis][chosen.squeeze(place)]
        return replace(
            self,
            axes={key: values for key, values in self.axes.items() if key != axis},
            values=kept,
        )


def survey_of(
    grid: Grid, rows: Rows, *, charge: int = 0, only: Collection[str] | None = None
) -> Survey:
    """Return the survey of the answers to one charge, from rows in the order of the grid.

    `rows` is called twice: first to find which columns hold words. `only` names the columns to keep, by default all;
    each takes eight bytes of memory per case. A case without an answer has one row, which counts for each of its
    charges.
    """
    axes = {
        axis.key: np.arange(len(axis.values)) if axis.jointly else np.array(axis.values)
        for axis in grid.axes
    }
    has_words: dict[str, bool] = {}
    left_out = {*grid.keys, "key"}
    for row in rows():
        for name, value in row.items():
            if not has_words.get(name):
                has_words[name] = _is_of(row, charge) and _number(value) is None
    names = [
        name
        for name in sorted(has_words, key=_place)
        if name not in left_out and (only is None or name in only)
    ]
    columns = {
        name: np.full(len(grid), "", dtype=object)
        if has_words[name]
        else np.full(len(grid), np.nan)
        for name in names
    }
    texts: dict[str, str] = {}
    case = -1
    for row in rows():
        case += int(row["charge"]) == 0
        for name in names if _is_of(row, charge) else ():
            value = row.get(name)
            if value is not None:
                columns[name][case] = (
                    texts.setdefault(text := str(value), text)
                    if has_words[name]
                    else _number(value)
                )
    shaped = {name: values.reshape(grid.shape) for name, values in columns.items()}
    return Survey(axes, {**shaped, **_sampled(grid)}, drawn=grid.sampled)


def _is_of(row: Row, charge: int) -> bool:
    return int(row["charge"]) == charge or row["outcome"] in UNANSWERED_OUTCOMES


def _place(name: str) -> tuple[int, str]:
    """Return the sort key of a column's name: places first, then the answer's columns in order, then metrics by
    name.
    """
    return (2, name) if name.startswith(METRIC) else (int(name in ANSWER), "")


_TRUTHS = {"True": "1", "False": "0"}


def _number(value: Any) -> float | None:
    """Return a cell as a float: nan for None or "", 1 or 0 for a truth value, and None for any other text."""
    if isinstance(value, float):
        return value
    if value is None or value == "":
        return np.nan
    text = str(value)
    try:
        return float(_TRUTHS.get(text, text))
    except ValueError:
        return None


def _sampled(grid: Grid) -> dict[str, NDArray[Any]]:
    """Return the columns of sampled values by key, broadcast to the grid's shape without copying."""
    columns: dict[str, NDArray[Any]] = {}
    for place, axis in enumerate(grid.axes):
        if axis.jointly:
            along = [-1 if place == other else 1 for other in range(len(grid.axes))]
            for key, told in zip(axis.keys, zip(*axis.values, strict=True), strict=True):
                values = np.array(told, dtype=object if isinstance(told[0], str) else None)
                columns[key] = np.broadcast_to(values.reshape(along), grid.shape)
    return columns
