"""What the places of several chargers of one target serve together, written once: the statement, the findings and the judge read it."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from systems.t9a.words import Choices
from tabletop.fronts.contender import Weights
from tabletop.geometry.pose import FloatArray
from tabletop.ruling.finding import Goal

Totals = tuple[int, int]
"""Models in contact: of the target, each once, and of all its chargers."""

MOST_COMPLETED = "t9a.combined.order"
"""The rule that asks for most completed charges, before any total."""

TOTALS = "t9a.combined.totals"


def goals_of(choices: Choices) -> tuple[Goal[Sequence[Totals]], ...]:
    """Return what totals serve, the higher priority first."""
    if choices.combined_goal == "sum":
        return Goal(TOTALS, "models of both sides", _both), Goal("t9a.align.target-models", "models of the target", _of(0))
    return Goal(TOTALS, "models of the target", _of(0)), Goal("t9a.align.charger-models", "models of the chargers", _of(1))


def weights_of(choices: Choices) -> Weights:
    """Return the same as one number, by which the exact search compares many at once."""
    return Weights(is_sum=choices.combined_goal == "sum")


def values_of(totals: Totals, choices: Choices) -> tuple[float, ...]:
    """Return what totals are worth, goal by goal."""
    return tuple(float(goal.value([totals])[0]) for goal in goals_of(choices))


def _of(side: int) -> Callable[[Sequence[Totals]], FloatArray]:
    return partial(_column, side)


def _column(side: int, many: Sequence[Totals]) -> FloatArray:
    return np.array([totals[side] for totals in many], dtype=float)


def _both(many: Sequence[Totals]) -> FloatArray:
    return np.array([sum(totals) for totals in many], dtype=float)
