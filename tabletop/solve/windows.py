"""Stretches of one variable on which something holds, found by sampling and narrowed down to rounding."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.pose import FloatArray

Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]
FINEST = 1e-13
"""Borders are narrowed down to this."""
BESIDE = 1e-10
"""How far beyond a hint something must no longer hold."""
AT_ONCE = 64
"""Values that are asked at once while a border is narrowed."""


class Run(NamedTuple):
    """Neighbouring samples at which something holds: the numbers of the first and the last."""

    first: int
    last: int


def samples(low: float, high: float, *, step: float, more: Sequence[float] = ()) -> FloatArray:
    """Give sorted values from `low` to `high`, at most `step` apart, both ends and those of `more` that lie between among them."""
    count = max(int(np.ceil((high - low) / step)), 1) + 1
    between = [value for value in more if low < value < high]
    return np.unique(np.concatenate([np.linspace(low, high, count), between]))


def runs(numbers: Indices) -> tuple[Run, ...]:
    """Give the runs of neighbours among the ascending numbers (k,) of samples at which something holds.

    Examples
    --------
    >>> runs(np.array([0, 2, 3]))
    (Run(first=0, last=0), Run(first=2, last=3))
    """
    ends = np.flatnonzero(np.diff(numbers) > 1)
    firsts, lasts = numbers[np.concatenate([[0], ends + 1])[: len(numbers)]], numbers[np.concatenate([ends, [-1]])[: len(numbers)]]
    return tuple(Run(first, last) for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True))


def border(holds: Callable[[FloatArray], Flags], inside: float, outside: float, *, hints: Sequence[float] = ()) -> float | None:
    """Narrow the border between a value at which something holds and one at which it does not.

    Gives the last that holds, None if it does not hold inside. It is found at once where it is one of `hints`.
    """
    low, high = sorted((inside, outside))
    between = np.array([hint for hint in hints if low <= hint <= high and hint != outside])
    step = math.copysign(BESIDE, outside - inside)
    is_inside, *is_last = holds(np.concatenate([[inside], between, between + step]))
    if not is_inside:
        return None
    at, beyond = np.array(is_last, dtype=bool).reshape(2, -1)
    found = between[at & ~beyond]
    if len(found):
        return float(found[np.abs(found - inside).argmin()])
    while abs(outside - inside) > FINEST:
        values = np.linspace(inside, outside, AT_ONCE + 2)
        fails = np.flatnonzero(~holds(values[1:-1]))
        last = int(fails[0]) if len(fails) else AT_ONCE
        if values[last] == inside and values[last + 1] == outside:
            break
        inside, outside = float(values[last]), float(values[last + 1])
    return inside


def peak(value: Callable[[FloatArray], FloatArray], low: float, high: float) -> float:
    """Find where a function with one peak between `low` and `high` is greatest, its least such place if it is flat there."""
    while high - low > FINEST:
        places = np.linspace(low, high, AT_ONCE + 2)
        best = int(value(places).argmax())
        narrower = float(places[max(best - 1, 0)]), float(places[min(best + 1, AT_ONCE + 1)])
        if narrower == (low, high):
            break
        low, high = narrower
    return (low + high) / 2.0
