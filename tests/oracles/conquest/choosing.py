"""The choice of the wheel: samples closer than a milliradian, the windows of the best class with their ends narrowed,
the policy.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tests.oracles.conquest.bodies import Flags, Floats
from tests.oracles.conquest.reach import Wheels
from tests.oracles.conquest.trial import QUARTER, Trials, Trier

STEP = 9e-4
"""Radians between samples: no window of a milliradian is missed."""
NARROW = 1e-3
SAME_ANGLE = 1e-7
SAME_LENGTH = 1e-6
ROUNDING = 1e-11
NEAR = 64

Best = tuple[str, int]
"""The class that is taken and its N."""


@dataclass(frozen=True)
class Window:
    """Neighbouring wheels of one class about one corner, as good as each other: from `low` to `high` radians."""

    kind: str
    side: float
    low: float
    high: float

    @property
    def is_narrow(self) -> bool:
        """Whether it may be missed."""
        return self.high - self.low < NARROW and self.low > 0.0


@dataclass(frozen=True)
class Choice:
    """The wheel taken: its class and N, side and angle, the windows as good, and what comes of it."""

    kind: str
    stands: int
    side: float
    angle: float
    contact: float
    windows: tuple[Window, ...]
    trials: Trials
    choices: int

    @property
    def is_narrow(self) -> bool:
        """Whether all of its windows are so narrow that they may be missed."""
        return all(window.is_narrow for window in self.windows)


def samples(step: float = STEP) -> Wheels:
    """Return wheels about both corners, no wheel first, every so many radians."""
    angles = np.append(np.arange(1, math.ceil(QUARTER / step)) * step, QUARTER)
    return Wheels(
        np.concatenate([[1.0], np.ones_like(angles), -np.ones_like(angles)]),
        np.concatenate([[0.0], angles, angles]),
    )


def choose(trier: Trier, *, step: float = STEP, same: float = SAME_LENGTH) -> Choice | None:
    """Take the best wheel of all; None if no group has any.

    Contacts of one window are as long as each other within `same` inches.
    """
    wheels = samples(step)
    trials = trier.tried(wheels)
    best = best_of(trials)
    if best is None:
        return None
    windows = tuple(
        window
        for side in (1.0, -1.0)
        for window in _windows(
            best[0], wheels, is_as(trials, best), side, lambda some: is_as(trier.tried(some), best)
        )
    )
    return _by_policy(trier, Choice(*best, 1.0, 0.0, 0.0, windows, trials, 1), same)


def best_of(trials: Trials) -> Best | None:
    """Find the first group that any wheel has, and in it the largest N."""
    own, turned = (_most(trials, kind) for kind in ("own", "turned"))
    free = ("own", own) if own >= turned else ("turned", turned)
    if free[1] and trials.table.choices.push == "last-resort":
        return free
    pushed = _most(trials, "push", above=free[1])
    if pushed or free[1]:
        return ("push", pushed) if pushed else free
    kinds = ("touch", "mired") if trials.table.choices.deadlock == "touch" else ("mired",)
    return next(((kind, count) for kind in kinds if (count := _most(trials, kind))), None)


def _most(trials: Trials, kind: str, *, above: int = 0) -> int:
    """Return the largest N of the wheels of a class that is above a number; 0 if there is none."""
    counts = sorted({int(count) for count in trials.reached.stands if count > above}, reverse=True)
    return next((count for count in counts if is_as(trials, (kind, count)).any()), 0)


def is_as(trials: Trials, best: Best) -> Flags:
    """Return a mask of the wheels with the class and the number of stands of `best`."""
    kind, count = best
    if kind in ("own", "turned"):
        return np.asarray((trials.kinds == kind) & (trials.reached.stands == count))
    flags: Flags = np.asarray((trials.kinds == "rest") & (trials.reached.stands == count))
    some = trials.take(flags)
    if kind == "push":
        flags[flags] = some.is_push()
    else:
        flags[flags] = some.is_mired if kind == "mired" else some.may_touch
    return flags


def _windows(
    kind: str, wheels: Wheels, good: Flags, side: float, is_good: Callable[[Wheels], Flags]
) -> list[Window]:
    """Join neighbouring samples as good, and narrow the ends of each run."""
    which = (wheels.side == side) | (wheels.angle == 0.0)
    angles = wheels.angle[which]
    flags = good[which]
    steps = np.diff(np.concatenate([[False], flags, [False]]).astype(int))
    runs = zip(np.flatnonzero(steps == 1), np.flatnonzero(steps == -1) - 1, strict=True)
    result = []
    for first, last in runs:
        low = _end(side, angles[first], angles[first - 1], is_good) if first else angles[first]
        high = (
            _end(side, angles[last], angles[last + 1], is_good)
            if last + 1 < len(angles)
            else angles[last]
        )
        result.append(Window(kind, side, float(low), float(high)))
    return result


def _end(side: float, inside: float, outside: float, is_good: Callable[[Wheels], Flags]) -> float:
    """Narrow the end of a run between its last sample and the next one."""
    while abs(outside - inside) > 1e-11:
        grid = np.linspace(inside, outside, NEAR + 1)
        bad = ~is_good(Wheels(np.full(NEAR + 1, side), grid))
        bad[0] = False
        bad[-1] = True
        first = int(np.argmax(bad))
        inside = float(grid[first - 1])
        outside = float(grid[first])
    return inside


def _by_policy(trier: Trier, choice: Choice, same: float) -> Choice:
    """Take the policy's wheel from the windows; ties by longer contact, shorter advance, left pivot."""
    policy = trier.table.choices.wheel_policy
    most = [_most_contact(trier, window) for window in choice.windows]
    longest = max(length for length, _ in most)
    picked = []
    for window, (length, angle) in zip(choice.windows, most, strict=True):
        if policy == "most-contact":
            if length >= longest - SAME_LENGTH:
                picked.append((window, _earliest(trier, window, angle, longest - same)))
        else:
            picked.append((window, window.low if policy == "least-turn" else window.high))
    rated = [(window.side, angle, *_measured(trier, window, angle)) for window, angle in picked]
    best = rated[0]
    for other in rated[1:]:
        best = other if _is_better(other, best, policy) else best
    as_good = [
        other
        for other in rated
        if not _is_better(best, other, policy) and not _is_better(other, best, policy)
    ]
    sides = {side for side, angle, *_ in as_good if angle > 0.0} or {1.0}
    side, angle, contact, _ = next(
        other for other in as_good if other[0] == (1.0 if 1.0 in sides else -1.0) or other[1] == 0.0
    )
    return replace(
        choice,
        side=side,
        angle=angle,
        contact=contact,
        choices=len(sides),
        trials=trier.tried(Wheels(np.array([side]), np.array([angle]))),
    )


def _is_better(one: tuple[float, ...], other: tuple[float, ...], policy: str) -> bool:
    """Compare (side, angle, contact, advance): the policy, then longer contact, then the shorter advance."""
    turn = (1 if policy == "widest-turn" else -1) * (one[1] - other[1])
    contact = one[2] - other[2]
    advance = other[3] - one[3]
    order = (
        [(contact, SAME_LENGTH), (turn, SAME_ANGLE)]
        if policy == "most-contact"
        else [(turn, SAME_ANGLE), (contact, SAME_LENGTH)]
    )
    for difference, same in (*order, (advance, SAME_LENGTH)):
        if abs(difference) > same:
            return difference > 0.0
    return False


def _measured(trier: Trier, window: Window, angle: float) -> tuple[float, float]:
    reached = trier.tried(Wheels(np.array([window.side]), np.array([angle]))).reached
    return float(_contacts(trier, window, np.array([angle]))[0]), float(reached.advance[0])


def _contacts(trier: Trier, window: Window, angles: Floats) -> Floats:
    """Return how long the contacts are at the end; where nobody turns only who arrives flush has any."""
    reached = trier.tried(Wheels(np.full(len(angles), window.side), angles)).reached
    return np.where(
        (window.kind == "touch") & (np.abs(reached.turn) > SAME_ANGLE), 0.0, reached.contact
    )


def _most_contact(trier: Trier, window: Window) -> tuple[float, float]:
    """Find the longest contact in a window and where it is."""
    low = window.low
    high = window.high
    count = max(math.ceil((high - low) / STEP), 2) + 1
    grid = np.linspace(low, high, count)
    while True:
        lengths = _contacts(trier, window, grid)
        best = int(np.argmax(lengths))
        low = float(grid[max(best - 1, 0)])
        high = float(grid[min(best + 1, len(grid) - 1)])
        if high - low < 1e-10:
            return float(lengths[best]), float(grid[best])
        grid = np.unique(np.append(np.linspace(low, high, NEAR + 1), grid[best]))


def _earliest(trier: Trier, window: Window, at: float, enough: float) -> float:
    """Find the smallest angle of a window at which the contact is long enough."""
    grid = np.append(
        np.linspace(window.low, at, max(math.ceil((at - window.low) / STEP), 1) + 1), at
    )
    while True:
        long_enough = _contacts(trier, window, grid) >= enough
        first = int(np.argmax(long_enough))
        if first == 0 or grid[first] - grid[first - 1] < 1e-11:
            return float(grid[first])
        grid = np.linspace(grid[first - 1], grid[first], NEAR + 1)
