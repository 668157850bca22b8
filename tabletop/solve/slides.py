"""Where along a facing does a flush front stand best? All critical placements compared, exactly.

A slide is the coordinate u0 at which a front begins on a facing. Counts of models in contact change only where an edge of a
model on one side meets an edge on the other, so it is enough to look at those places, at the ends of what is free, and at one
point between each two neighbours. Sampling does not work: the best slide is often a single point.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.pose import FloatArray
from tabletop.solve.intervals import Interval, Intervals, union
from tabletop.units import CONTACT

Goals = Callable[[FloatArray], Sequence[FloatArray]]
Measure = Callable[[FloatArray], FloatArray]
"""A quantity of slides: takes u0, shape (n,), in inches, gives shape (n,)."""


@dataclass(frozen=True)
class Lineup:
    """The models of two facing lines, as intervals in inches along the facing.

    Attributes
    ----------
    shown
        Intervals (n, 2) of the models that the facing shows, in order.
    front
        Intervals (m, 2) of the attacker's front-rank models in order, measured from the start of the front.
    overlap
        Common length (n,) in inches that each shown model needs to be in contact: 0 where a single point is enough,
        below 0 where a space between the two still counts as meeting.
    """

    shown: FloatArray
    front: FloatArray
    overlap: FloatArray

    def shown_met(self, slides: FloatArray) -> np.ndarray:
        """Tell which shown models are in contact at slides (k,): booleans (k, n)."""
        lows, highs = self._meeting(slides)
        first = np.searchsorted(self.front[:, 1], lows, side="left")
        last = np.searchsorted(self.front[:, 0], highs, side="right")
        result: np.ndarray = last > first
        return result

    def shown_in_contact(self, slides: FloatArray) -> FloatArray:
        """Count the shown models in contact at slides (k,)."""
        counts: FloatArray = np.count_nonzero(self.shown_met(slides), axis=1).astype(float)
        return counts

    def front_in_contact(self, slides: FloatArray) -> FloatArray:
        """Count the front-rank models in contact at slides (k,)."""
        lows, highs = self._meeting(np.zeros(1))
        first = np.searchsorted(highs[0], slides[:, None] + self.front[:, 0], side="left")
        last = np.searchsorted(lows[0], slides[:, None] + self.front[:, 1], side="right")
        counts: FloatArray = np.count_nonzero(last > first, axis=1).astype(float)
        return counts

    def pairs(self, slide: float) -> np.ndarray:
        """Tell which shown model meets which front model at one slide: booleans (n, m)."""
        lows, highs = self._meeting(np.array([slide]))
        result: np.ndarray = (self.front[None, :, 1] >= lows[0][:, None]) & (self.front[None, :, 0] <= highs[0][:, None])
        return result

    def _meeting(self, slides: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Give what a front model must reach at least, and may begin at most, to meet each shown model: (k, n) each."""
        need = self.overlap - CONTACT
        return self.shown[:, 0] + need - slides[:, None], self.shown[:, 1] - need - slides[:, None]

    def breakpoints(self) -> FloatArray:
        """Give every slide (k,) at which some pair begins or ceases to be in contact, in inches, sorted."""
        first = self.shown[:, None, 0] + self.overlap[:, None] - self.front[None, :, 1]
        last = self.shown[:, None, 1] - self.overlap[:, None] - self.front[None, :, 0]
        return _distinct(np.concatenate([first.ravel(), last.ravel()]))


@dataclass(frozen=True)
class BestSlides:
    """The slides that no other slide beats: their goal values, and the disjoint stretches (or points) they form."""

    values: tuple[float, ...]
    stretches: Intervals


@dataclass(frozen=True, eq=False)
class CriticalSlides:
    """The critical slides of some places with the values of the goals there.

    `runs` holds, for each place, its critical slides in order with the midpoint between each two; `values` the goals at
    them, (k, goals) for each run.
    """

    runs: tuple[FloatArray, ...]
    values: tuple[FloatArray, ...]

    @classmethod
    def of(cls, places: Sequence[Interval], breakpoints: FloatArray, goals: Goals) -> "CriticalSlides":
        """List the critical slides within closed places.

        `breakpoints` are all slides at which a goal may change, in inches and sorted. `goals` gives one array per goal, in
        the order of their priority; greater is better, values are counts.
        """
        runs = tuple(_critical(low, high, breakpoints) for low, high in places)
        values = np.stack(goals(np.concatenate(runs)), axis=1) if runs else np.empty((0, 1))
        return cls(runs, tuple(np.split(values, np.cumsum([len(run) for run in runs])[:-1])))

    def best(self) -> tuple[float, ...]:
        """Give the best values, the first goal before the second and so on; there must be a place."""
        return max(tuple(row) for values in self.values for row in values.tolist())

    def at_least(self, floor: tuple[float, ...] | None) -> Intervals:
        """Give the stretches (or single points) of slides whose values are no worse than `floor`; None: all of them."""
        stretches: list[Interval] = []
        for run, values in zip(self.runs, self.values, strict=True):
            stretches += _stretches(run, _no_worse(values, floor))
        return union(stretches)


def best_slides(places: Sequence[Interval], breakpoints: FloatArray, goals: Goals) -> BestSlides:
    """Find the slides within closed `places` (at least one) that serve the goals best; arguments as in CriticalSlides.of."""
    critical = CriticalSlides.of(places, breakpoints, goals)
    best = critical.best()
    return BestSlides(best, critical.at_least(best))


def _no_worse(values: FloatArray, floor: tuple[float, ...] | None) -> np.ndarray:
    result = np.ones(len(values), dtype=bool)
    for column, bound in reversed(list(zip(values.T, floor or (), strict=False))):
        result = (column > bound) | ((column == bound) & result)
    return result


def preferred(stretches: Sequence[Interval], special: Sequence[float], criteria: Sequence[Measure]) -> float:
    """Choose one slide among equally good stretches by criteria in order, greatest first; then the least u0.

    `special` names the slides at which a criterion may have its greatest value inside a stretch. Values that differ by at
    most 1e-6 count as equal.
    """
    inside = [u for u in special for low, high in stretches if low <= u <= high]
    slides = np.array(sorted({end for stretch in stretches for end in stretch} | set(inside)))
    for criterion in criteria:
        values = criterion(slides)
        slides = slides[values >= values.max() - CONTACT]
    return float(slides[0])


def _distinct(values: FloatArray) -> FloatArray:
    ordered = np.sort(values)
    return ordered[np.concatenate([[True], np.diff(ordered) > CONTACT / 1000])] if len(ordered) else ordered


def _critical(low: float, high: float, breakpoints: FloatArray) -> FloatArray:
    """Critical slides of one place, each followed by the midpoint to the next: odd positions are midpoints."""
    inner = breakpoints[(breakpoints > low + CONTACT / 1000) & (breakpoints < high - CONTACT / 1000)]
    points = np.concatenate([[low], inner, [high]]) if high > low else np.array([low])
    run = np.empty(2 * len(points) - 1)
    run[::2] = points
    run[1::2] = (points[:-1] + points[1:]) / 2
    return run


def _stretches(run: FloatArray, is_best: np.ndarray) -> list[Interval]:
    """Join neighbouring best entries of one place; a best midpoint brings the whole space between its neighbours."""
    found: list[Interval] = []
    position = 0
    while position < len(run):
        if not is_best[position]:
            position += 1
            continue
        start = position
        while position < len(run) and is_best[position]:
            position += 1
        first = start - 1 if start % 2 else start
        last = position if (position - 1) % 2 else position - 1
        found.append((float(run[first]), float(run[last])))
    return found
