"""Points nudged within limits, where the answer can be had by hand."""

import numpy as np
import pytest

from tabletop.optimise.nudge import Measure, nudged


def test_two_points_are_nudged_apart_along_a_line() -> None:
    """Two points a thousandth too near each other give way by half of that each; a third limit holds both on their
    line.
    """
    starts = np.array([(0.0, 0.0), (0.999, 0.0)])
    apart = Measure(
        (0, 1), lambda moves: float(np.hypot(*(starts + moves)[1] - (starts + moves)[0])), low=1.0
    )
    held = [
        Measure((point,), lambda moves: float(moves[0, 1]), low=0.0, high=0.0) for point in (0, 1)
    ]
    assert nudged(2, [apart, *held]) == pytest.approx(
        np.array([(-0.0005, 0.0), (0.0005, 0.0)]), abs=1e-6
    )


def test_nothing_is_nudged_where_limits_are_at_odds() -> None:
    """No move keeps a point both here and there."""
    assert (
        nudged(
            1,
            [
                Measure((0,), lambda moves: float(moves[0, 0]), low=low, high=low)
                for low in (0.0, 0.001)
            ],
        )
        is None
    )


@pytest.mark.parametrize("angle", [0.0, 11.25, 40.0])
def test_no_move_is_longer_than_it_must_be(angle: float) -> None:
    """A point that must give way by a thousandth goes no farther, whichever way that is."""
    way = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    moves = nudged(1, [Measure((0,), lambda moves: float(moves[0] @ way), low=0.001)])
    assert moves is not None
    assert moves[0] @ way == pytest.approx(0.001, abs=1e-6)
    assert np.linalg.norm(moves) == pytest.approx(0.001, abs=1e-6)
