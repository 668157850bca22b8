"""One-variable searches: intervals on which a condition holds, boundaries, roots and maxima."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray

BORDER_WIDTH = 1e-13
"""Width to which boundaries are bisected."""

BEYOND_HINT = 1e-10
"""Distance beyond a hint at which the condition must fail."""

BESIDE_GUESS = np.concatenate(
    [np.linspace(-5e-13, 5e-13, 12), 10.0 ** np.arange(-12, -8), -(10.0 ** np.arange(-12, -8))]
)
"""Distance about a guess within which a boundary is looked for."""

VALUES_AT_ONCE = 64
"""Number of values evaluated at once while a boundary is narrowed."""

PARTS, MOST_SECANTS = 9, 6
"""Number of values evaluated first, and of secant steps that narrow a root."""

ABOUT = np.array([-1e-1, -1e-2, -1e-4, -1e-6, 1e-6, 1e-4, 1e-2, 1e-1])
"""Positions about a secant's root at which the measure is evaluated, as shares of the remaining interval."""


class Run(NamedTuple):
    """A run of consecutive indices: the first and the last of them."""

    first: int
    last: int


def sample_grid(low: float, high: float, *, step: float, more: Sequence[float] = ()) -> FloatArray:
    """Return sorted values from `low` to `high`, at most `step` apart, including both ends and values of `more` between
    them.
    """
    count = max(int(np.ceil((high - low) / step)), 1) + 1
    return np.array(
        sorted(
            {
                *np.linspace(low, high, count).tolist(),
                *(value for value in more if low < value < high),
            }
        )
    )


def consecutive_runs(numbers: IntArray) -> tuple[Run, ...]:
    """Return the runs of consecutive indices in an ascending array (k,).

    Examples
    --------
    >>> consecutive_runs(np.array([0, 2, 3]))
    (Run(first=0, last=0), Run(first=2, last=3))
    """
    ends = np.flatnonzero(np.diff(numbers) > 1)
    firsts = numbers[np.concatenate([[0], ends + 1])[: len(numbers)]]
    lasts = numbers[np.concatenate([ends, [-1]])[: len(numbers)]]
    return tuple(
        Run(first, last) for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True)
    )


def bisect_boundary(
    holds: Callable[[FloatArray], BoolArray],
    inside: float,
    outside: float,
    *,
    hints: Sequence[float] = (),
    guesses: Iterable[float] = (),
) -> float | None:
    """Return the last value, from `inside` towards `outside`, at which a condition holds; None if it does not hold
    inside.

    `holds` evaluates an array of values; it is True at `inside` and False at `outside`, which may be the smaller one.
    The boundary is found at once where it is one of `hints`. Then `guesses`, which may be expensive to compute, are
    tried one by one, and at last it is narrowed down to `BORDER_WIDTH`.
    """
    low, high = sorted((inside, outside))
    between = [hint for hint in hints if low <= hint <= high and hint != outside]
    is_inside, found = _hinted(holds, inside, outside, between) if between else (True, None)
    if found is not None or not is_inside:
        return found
    for guess in guesses:
        values = guess + math.copysign(1.0, outside - inside) * np.sort(BESIDE_GUESS)
        inside, outside = _drawn_in(
            holds, np.concatenate([[inside], _between(values, inside, outside), [outside]])
        )
        if abs(outside - inside) <= BEYOND_HINT:
            break
    return _narrowed(holds, inside, outside)


def _hinted(
    holds: Callable[[FloatArray], BoolArray], inside: float, outside: float, hints: Sequence[float]
) -> tuple[bool, float | None]:
    """Return whether the condition holds at `inside`, and which hint is the boundary; None if no hint is."""
    between = np.array(hints)
    step = math.copysign(BEYOND_HINT, outside - inside)
    is_inside, *is_last = holds(np.concatenate([[inside], between, between + step])).tolist()
    at, beyond = np.array(is_last, dtype=bool).reshape(2, -1)
    found = between[at & ~beyond]
    return is_inside, float(found[np.abs(found - inside).argmin()]) if len(found) else None


def _between(values: FloatArray, inside: float, outside: float) -> FloatArray:
    between: FloatArray = values[
        (np.minimum(inside, outside) < values) & (values < np.maximum(inside, outside))
    ]
    return between


def _drawn_in(holds: Callable[[FloatArray], BoolArray], values: FloatArray) -> tuple[float, float]:
    """Return the last value at which the condition holds before it first fails, and that at which it fails, from
    ordered values.
    """
    fails = np.flatnonzero(~holds(values[:-1]))
    last = int(fails[0]) if len(fails) else len(values) - 1
    return float(values[max(last - 1, 0)]), float(values[last])


def _narrowed(
    holds: Callable[[FloatArray], BoolArray], inside: float, outside: float
) -> float | None:
    """Return the last value at which the condition holds, by evaluating many values at once, repeatedly; None if it
    fails at `inside`.
    """
    while abs(outside - inside) > BORDER_WIDTH:
        ends = inside, outside
        inside, outside = _drawn_in(holds, np.linspace(inside, outside, VALUES_AT_ONCE + 2))
        if (inside, outside) == ends:
            break
    return inside if inside != outside else None


def find_root(measure: Callable[[FloatArray], FloatArray], inside: float, outside: float) -> float:
    """Return approximately where a continuous measure becomes negative between `inside`, where it is not, and
    `outside`, where it is.

    The interval is narrowed about the zeros of secants, also of those on either side alone, because the measure may
    have a kink there.
    """
    # brentq, one value at a time, takes 1.8 times as long in charges of Conquest, elementwise.find_root 6.7 times.
    values = np.linspace(inside, outside, PARTS)
    for _ in range(MOST_SECANTS):
        measures = measure(values)
        last = max(int((measures < 0.0).argmax()), 1)
        inside, outside = values[last - 1 : last + 1].tolist()
        if abs(outside - inside) <= BORDER_WIDTH:
            break
        near = slice(max(last - 2, 0), last + 2)
        places = values[near]
        rise = np.diff(measures[near])
        zeros = places[:-1] - measures[near][:-1] * np.diff(places) / np.where(
            rise == 0.0, np.inf, rise
        )
        about = zeros[:, None] + (outside - inside) * ABOUT
        between = np.sort(_between(about, inside, outside))[:: 1 if inside < outside else -1]
        values = np.concatenate([[inside], between, [outside]])
    return (inside + outside) / 2.0


def maximise_unimodal(value: Callable[[FloatArray], FloatArray], low: float, high: float) -> float:
    """Return the argument from `low` to `high` at which a function with a single peak is largest; on a plateau the
    smallest one.
    """
    # elementwise.find_minimum takes 7.5 ms where this takes 0.12, and needs a value between that is greater than both
    # ends.
    while high - low > BORDER_WIDTH:
        places = np.linspace(low, high, VALUES_AT_ONCE + 2)
        best = int(value(places).argmax())
        narrower = float(places[max(best - 1, 0)]), float(places[min(best + 1, VALUES_AT_ONCE + 1)])
        if narrower == (low, high):
            break
        low, high = narrower
    return (low + high) / 2.0
