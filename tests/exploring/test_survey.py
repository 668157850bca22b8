"""Results read back: what each column holds, and how little of it stays in memory."""

import csv
import tracemalloc
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.exploring.grid import Axis, Grid
from tabletop.exploring.survey import Survey, survey_of
from tests.exploring.tables import read_rows

CASES = 5_000


def surveyed(values: list[Any], **others: Any) -> Survey:
    """Read one column back, of cases with one charge each."""
    grid = Grid((Axis("a", range(len(values))),))
    rows = [
        {"key": "", "a": number, "charge": 0, "outcome": "success", "b": value, **others}
        for number, value in enumerate(values)
    ]
    return survey_of(grid, partial(iter, rows))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "2.5", None], [1.0, 2.5, np.nan]),
        (["True", "False", None], [1.0, 0.0, np.nan]),
        ([True, False, None], [1.0, 0.0, np.nan]),
        ([None, None, None], [np.nan, np.nan, np.nan]),
        (["5/6", "1", None], ["5/6", "1", ""]),
        (["007", None, "x"], ["007", "", "x"]),
    ],
)
def test_numbers_are_numbers_and_words_are_words(values: list[Any], expected: list[Any]) -> None:
    """A column is of floats where everything that is there is a number; else every value is the text that stands
    there.
    """
    found = surveyed(values).column("b")
    assert found.dtype.kind == ("f" if isinstance(expected[0], float) else "O")
    np.testing.assert_array_equal(found, np.array(expected, dtype=found.dtype))


def test_columns_of_many_different_values() -> None:
    """Numbers and words come back as they were, however many different ones there are."""
    numbers, words = ([form.format(case) for case in range(70_000)] for form in ("{}", "w{}"))
    assert surveyed(numbers).column("b").tolist() == list(range(70_000))
    assert surveyed(words).column("b").tolist() == words


def test_words_after_very_many_numbers() -> None:
    """Then all is told as it is written."""
    values = [f"{number}.50" for number in range(400)] + ["n/a"]
    assert surveyed(values).column("b").tolist() == values


def test_the_rows_of_one_charge() -> None:
    """Of several charges the one asked for is kept; a case without an answer stands for all, and what is not told is
    missing.
    """
    grid = Grid((Axis("a", (1, 2)),))
    rows = [
        {"a": 1, "charge": "0", "outcome": "failed", "chance": "0.5"},
        {"a": 1, "charge": "1", "outcome": "success", "chance": "1.0"},
        {"a": 2, "charge": "0", "outcome": "invalid", "rule": "too near"},
    ]
    survey = survey_of(grid, partial(iter, rows), charge=1)
    assert survey.column("outcome").tolist() == ["success", "invalid"]
    assert survey.column("rule").tolist() == ["", "too near"]
    np.testing.assert_array_equal(survey.column("chance"), [1.0, np.nan])
    assert list(survey.values) == ["charge", "outcome", "chance", "rule"]


def _row(number: int) -> dict[str, Any]:
    """Write a row as The Ninth Age does: four words, three numbers of few values, four of very many."""
    odds = number % 7
    away = number * 1e-3
    words = {
        "charger": "A",
        "outcome": ("success", "failed")[odds % 2],
        "chance_fraction": f"{odds}/6",
    }
    return {
        "key": f"{number:032x}",
        "a": number,
        "charge": 0,
        **words,
        "shortest_roll": odds,
        "chance": odds / 6,
        "models": odds,
        **dict.fromkeys("wxyz", away),
    }


@pytest.mark.parametrize(("only", "most"), [(None, 100), (("outcome", "chance"), 50)])
def test_results_are_read_back_in_little_memory(
    tmp_path: Path, only: tuple[str, ...] | None, most: int
) -> None:
    """While a table is read, and columns of it are asked for, a case takes eight bytes for each number that is another
    everywhere.

    Ten million cases take less than a gibibyte so, and of a map half of that.
    """
    table = tmp_path / "many.csv"
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, _row(0))
        writer.writeheader()
        writer.writerows(map(_row, range(CASES)))
    grid = Grid((Axis("a", range(CASES)),))
    tracemalloc.start()
    survey = survey_of(grid, partial(read_rows, table), only=only)
    assert survey.column("outcome").tolist().count("failed") == sum(
        number % 7 % 2 for number in range(CASES)
    )
    assert survey.column("chance").sum() > 0.0
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 100_000 + most * CASES
