"""Stretches found by sampling and narrowed down to rounding."""

import math

import numpy as np
import pytest

from tabletop.pose import FloatArray
from tabletop.solve.windows import Flags, Run, border, peak, runs, samples


def test_samples_hold_both_ends_and_no_wider_step() -> None:
    """Values in between that are asked for are there, those outside are not."""
    values = samples(0.0, 1.0, step=0.3, more=(0.5, 2.0, -1.0))
    assert values[[0, -1]].tolist() == [0.0, 1.0]
    assert np.diff(values).max() <= 0.3
    assert 0.5 in values
    assert samples(0.0, 0.0, step=0.3).tolist() == [0.0]


def test_runs_of_nothing_and_of_everything() -> None:
    """There is no run where nothing holds, and one where everything does."""
    assert runs(np.arange(0)) == ()
    assert runs(np.arange(3)) == (Run(0, 2),)


@pytest.mark.parametrize(("inside", "outside"), [(0.2, 0.9), (0.9, 0.2)])
def test_a_border_is_narrowed_to_rounding(inside: float, outside: float) -> None:
    """From either side, the last value that holds is found."""
    limit, sign = math.sqrt(0.3), math.copysign(1.0, outside - inside)
    found = border(lambda values: sign * values <= sign * limit, inside, outside)
    assert found == pytest.approx(limit, abs=1e-12)
    assert found is not None
    assert sign * found <= sign * limit


def test_a_border_that_is_a_hint_is_exact() -> None:
    """The hint itself is given, and nothing is asked after it; a hint that is no border misleads nobody."""
    calls: list[FloatArray] = []

    def holds(values: FloatArray) -> Flags:
        calls.append(values)
        return values <= 0.5

    assert border(holds, 0.2, 0.9, hints=(0.3, 0.5, 5.0)) == 0.5
    assert len(calls) == 1
    assert border(lambda values: values <= 0.61, 0.2, 0.9, hints=(0.5,)) == pytest.approx(0.61, abs=1e-12)


def test_there_is_no_border_where_it_does_not_hold_inside() -> None:
    """The caller is told so."""
    assert border(lambda values: values > 5.0, 0.2, 0.9) is None


def test_a_peak_is_found() -> None:
    """A kink is found to rounding."""
    assert peak(lambda values: -np.abs(values - math.sqrt(0.2)), 0.1, 0.9) == pytest.approx(math.sqrt(0.2), abs=1e-12)
    assert peak(lambda values: values, 0.1, 0.9) == pytest.approx(0.9, abs=1e-12)
