"""Stretches found by sampling and narrowed down to rounding."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.optimise.univariate import (
    Run,
    bisect_boundary,
    consecutive_runs,
    find_root,
    maximise_unimodal,
    sample_grid,
)


def test_samples_hold_both_ends_and_no_wider_step() -> None:
    """Values in between that are asked for are there, those outside are not."""
    values = sample_grid(0.0, 1.0, step=0.3, more=(0.5, 2.0, -1.0))
    assert values[[0, -1]].tolist() == [0.0, 1.0]
    assert np.diff(values).max() <= 0.3
    assert 0.5 in values
    assert sample_grid(0.0, 0.0, step=0.3).tolist() == [0.0]


def test_runs_of_nothing_and_of_everything() -> None:
    """There is no run where nothing holds, and one where everything does."""
    assert consecutive_runs(np.arange(0)) == ()
    assert consecutive_runs(np.arange(3)) == (Run(0, 2),)


@pytest.mark.parametrize(("inside", "outside"), [(0.2, 0.9), (0.9, 0.2)])
def test_a_border_is_narrowed_to_rounding(inside: float, outside: float) -> None:
    """From either side, the last value that holds is found."""
    limit = math.sqrt(0.3)
    sign = math.copysign(1.0, outside - inside)
    found = bisect_boundary(lambda values: sign * values <= sign * limit, inside, outside)
    assert found == pytest.approx(limit, abs=1e-12)
    assert found is not None
    assert sign * found <= sign * limit


def test_a_border_that_is_a_hint_is_exact() -> None:
    """The hint itself is given, and nothing is asked after it; a hint that is no border misleads nobody."""
    calls: list[FloatArray] = []

    def holds(values: FloatArray) -> BoolArray:
        calls.append(values)
        return values <= 0.5

    assert bisect_boundary(holds, 0.2, 0.9, hints=(0.3, 0.5, 5.0)) == 0.5
    assert len(calls) == 1
    assert bisect_boundary(lambda values: values <= 0.61, 0.2, 0.9, hints=(0.5,)) == pytest.approx(
        0.61, abs=1e-12
    )


def test_a_border_that_is_guessed_is_narrowed_about_the_guess() -> None:
    """A good guess spares most questions, a bad one misleads nobody, and none is asked for where a hint is the
    border.
    """
    calls: list[FloatArray] = []

    def holds(values: FloatArray) -> BoolArray:
        calls.append(values)
        return values <= 0.61

    for guess, most in ((0.61 + 3e-12, 4), (0.61 - 1e-15, 2), (0.3, 12), (7.0, 12)):
        calls.clear()
        assert bisect_boundary(holds, 0.2, 0.9, guesses=[guess]) == pytest.approx(0.61, abs=2e-13)
        assert len(calls) <= most

    asked: list[float] = []

    def dear() -> Iterator[float]:
        asked.append(0.61)
        yield 0.61

    assert bisect_boundary(holds, 0.2, 0.9, hints=(0.61,), guesses=dear()) == 0.61
    assert asked == []


@pytest.mark.parametrize(("inside", "outside"), [(0.2, 0.9), (0.9, 0.2)])
@pytest.mark.parametrize("below", [1.0, 3.0])
def test_a_crossing_is_found_in_few_steps(inside: float, outside: float, below: float) -> None:
    """A measure may bend, and do so just where it falls below 0."""
    calls: list[FloatArray] = []
    zero = math.sqrt(0.3)
    sign = math.copysign(1.0, outside - inside)

    def measure(values: FloatArray) -> FloatArray:
        calls.append(values)
        left = sign * (zero - values)
        return np.where(left < 0.0, below, 1.0) * left * (1.0 + left * left)

    assert find_root(measure, inside, outside) == pytest.approx(zero, abs=1e-12)
    assert len(calls) <= 6


def test_no_more_is_asked_once_a_crossing_is_found() -> None:
    """Of a straight measure the first secant leads there: it is not asked again and again."""
    calls: list[FloatArray] = []

    def measure(values: FloatArray) -> FloatArray:
        calls.append(values)
        return math.sqrt(0.3) - values

    assert find_root(measure, 0.2, 0.9) == pytest.approx(math.sqrt(0.3), abs=1e-12)
    assert len(calls) <= 4


def test_a_measure_that_rounding_keeps_at_0_has_its_crossing_within() -> None:
    """It falls below 0 nowhere: wherever that is said to be, it is no error."""
    assert 0.2 <= find_root(np.zeros_like, 0.2, 0.9) <= 0.9


def test_there_is_no_border_where_it_does_not_hold_inside() -> None:
    """The caller is told so."""
    assert bisect_boundary(lambda values: values > 5.0, 0.2, 0.9) is None


def test_a_peak_is_found() -> None:
    """A kink is found to rounding."""
    assert maximise_unimodal(
        lambda values: -np.abs(values - math.sqrt(0.2)), 0.1, 0.9
    ) == pytest.approx(math.sqrt(0.2), abs=1e-12)
    assert maximise_unimodal(lambda values: values, 0.1, 0.9) == pytest.approx(0.9, abs=1e-12)
