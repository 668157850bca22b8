"""The results of a grid as labelled arrays."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.errors import UsageError
from tabletop.exploring.axes import Grid
from tabletop.ruling import Case
from tabletop.show import Pictured
from tabletop.words import listed, nearest


@dataclass(frozen=True)
class Survey(Pictured):
    """What was found for each combination of the varied keys.

    Attributes
    ----------
    axes
        The values of each varied key, in the order of the dimensions.
    values
        Arrays by column name, each of the grid's shape: numbers as floats (nan where there is none), everything else as texts.
    case, question
        What was varied, and the name of the question if one was asked, known where `tabletop.explore` has answered.
    """

    axes: Mapping[str, NDArray[Any]]
    values: Mapping[str, NDArray[Any]]
    case: Case | None = field(default=None, compare=False, repr=False)
    question: str | None = field(default=None, compare=False, repr=False)

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
            raise UsageError(f"no column is called {name!r}{nearest(name, self.values)} (there are: {listed(self.values)})")
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


def survey_of(grid: Grid, rows: Iterable[Mapping[str, Any]], *, charge: int = 0) -> Survey:
    """Gather the rows of one charge, given in the order of the grid; a row of a case without answer stands for all of its charges."""
    cases: list[Mapping[str, Any]] = []
    last = None
    for row in rows:
        if row["key"] != last:
            cases.append({})
            last = row["key"]
        if int(row["charge"]) == charge or row["outcome"] in ("invalid", "no_verdict"):
            cases[-1] = row
    names = dict.fromkeys(name for row in cases for name in row if name not in grid.keys)
    columns = {name: _array([row.get(name) for row in cases], grid.shape) for name in names}
    return Survey({axis.key: np.array(axis.values) for axis in grid.axes}, columns)


def _array(values: Sequence[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Give numbers where everything that is there is one, texts elsewhere."""
    try:
        return np.array([np.nan if value is None else _number(value) for value in values], dtype=float).reshape(shape)
    except ValueError:
        return np.array(["" if value is None else str(value) for value in values]).reshape(shape)


def _number(value: Any) -> float:
    return {"True": 1.0, "False": 0.0}[value] if value in ("True", "False") else float(value)
