"""The best flush placements of a front along a facing, found exactly by comparing all critical placements.

A slide is the coordinate u0 along the facing, in inches, at which a flush front begins. Counts of models in contact
change only where an edge of a model on one side meets an edge on the other, so it is enough to compare those slides,
the ends of the permitted intervals, and one point between each two neighbours. Sampling would fail: the best slide is
often a single point.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from tabletop.geometry.arrays import FloatArray
from tabletop.optimise.interval import Interval, Intervals, union
from tabletop.units import CONTACT

Goals = Callable[[FloatArray], Sequence[FloatArray]]

Measure = Callable[[FloatArray], FloatArray]
"""A quantity of slides: maps u0 (n,), in inches, to values (n,)."""

MOST_COUNTED = 4096.0
"""Larger than any count, since a file holds at most 500 models."""

SAME_SLIDE = CONTACT / 1000
"""Slides closer than this, in inches, are the same."""


@dataclass(frozen=True)
class ContactIntervals:
    """Models along a facing and along a front that lies flush on it, as intervals in inches.

    Attributes
    ----------
    shown
        Intervals (n, 2) of the models that the facing shows, in order, measured along the facing.
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
        """Return which of the target's shown models are in contact if the front begins at slides (k,), in inches:
        booleans (k, n).
        """
        lows, highs = self._meeting(slides)
        first = np.searchsorted(self.front[:, 1], lows, side="left")
        last = np.searchsorted(self.front[:, 0], highs, side="right")
        result: np.ndarray = last > first
        return result

    def shown_in_contact(self, slides: FloatArray) -> FloatArray:
        """Return the number (k,) of the target's shown models in contact if the front begins at slides (k,), in
        inches.
        """
        counts: FloatArray = self.shown_met(slides).sum(axis=1)
        return counts

    def front_in_contact(self, slides: FloatArray) -> FloatArray:
        """Return the number (k,) of front-rank models in contact if the front begins at slides (k,), in inches."""
        lows, highs = self._meeting(np.zeros(1))
        first = np.searchsorted(highs[0], slides[:, None] + self.front[:, 0], side="left")
        last = np.searchsorted(lows[0], slides[:, None] + self.front[:, 1], side="right")
        counts: FloatArray = (last > first).sum(axis=1)
        return counts

    def pairs(self, slide: float) -> np.ndarray:
        """Return which shown model (rows) touches which front model (columns) if the front begins at `slide` inches:
        booleans (n, m).
        """
        lows, highs = self._meeting(np.array([slide]))
        result: np.ndarray = (self.front[None, :, 1] >= lows[0][:, None]) & (
            self.front[None, :, 0] <= highs[0][:, None]
        )
        return result

    def _meeting(self, slides: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return bounds low and high (k, n), in inches from the start of the front, within which each shown model is
        touched.

        A front model that covers [a, b] touches shown model j at a slide if b >= low[j] and a <= high[j].
        """
        need = self.overlap - CONTACT
        return self.shown[:, 0] + need - slides[:, None], self.shown[:, 1] - need - slides[:, None]

    def breakpoints(self) -> FloatArray:
        """Return all slides (k,), in inches and sorted, at which some pair of a shown and a front model begins or
        ceases to touch.
        """
        first = self.shown[:, None, 0] + self.overlap[:, None] - self.front[None, :, 1]
        last = self.shown[:, None, 1] - self.overlap[:, None] - self.front[None, :, 0]
        ordered = np.sort(np.concatenate([first.ravel(), last.ravel()]))
        is_new = np.ones(len(ordered), dtype=bool)
        np.greater(ordered[1:] - ordered[:-1], SAME_SLIDE, out=is_new[1:])
        return ordered[is_new]


@dataclass(frozen=True)
class BestSlides:
    """The optimal slides of a front: their objective values in order of priority, and the disjoint intervals (or
    points) they form.
    """

    values: tuple[float, ...]
    stretches: Intervals


@dataclass(frozen=True, eq=False)
class CriticalSlides:
    """Critical slides of several closed intervals of slides, with the values of all objectives there.

    Attributes
    ----------
    runs
        For each interval, its critical slides in inches and in order, with the midpoint between each two.
    values
        For each objective, its values (k,) at all slides of all runs, one run after the other.
    """

    runs: tuple[FloatArray, ...]
    values: tuple[FloatArray, ...]

    @classmethod
    def of(
        cls, places: Sequence[Interval], breakpoints: FloatArray, goals: Goals
    ) -> "CriticalSlides":
        """Return the critical slides within the closed intervals `places`, evaluated.

        `breakpoints` are all slides at which an objective may change, in inches and sorted. `goals` maps slides (k,) to
        one array (k,) per objective, in the order of priority; greater is better, values are counts.
        """
        runs = tuple(_critical(low, high, breakpoints) for low, high in places)
        if not runs:
            return cls((), ())
        return cls(runs, tuple(goals(runs[0] if len(runs) == 1 else np.concatenate(runs))))

    @cached_property
    def rank(self) -> FloatArray:
        """One number per slide (k,) whose order is the lexicographic order of the objectives' values: greater is
        better.
        """
        rank = self.values[0]
        for column in self.values[1:]:
            rank = rank * MOST_COUNTED + column
        return rank

    def best(self) -> BestSlides:
        """Return the slides with the lexicographically greatest objective values; fails if there is no interval of
        slides.
        """
        first = int(self.rank.argmax())
        values = tuple(float(column[first]) for column in self.values)
        return BestSlides(values, self.at_least(values))

    def at_least(self, floor: tuple[float, ...] | None) -> Intervals:
        """Return the intervals (or points) of slides whose values are lexicographically at least `floor`; all slides if
        it is None.
        """
        if not self.runs:
            return ()
        good = (
            self.rank
            >= (
                -np.inf
                if floor is None
                else reduce(lambda rank, value: rank * MOST_COUNTED + value, floor)
            )
        ).tolist()
        stretches: list[Interval] = []
        start = 0
        for run in self.runs:
            stretches += _stretches(run.tolist(), good[start : start + len(run)])
            start += len(run)
        return union(stretches)


def preferred(
    stretches: Sequence[Interval], special: Sequence[float], criteria: Sequence[Measure]
) -> float:
    """Return the slide, in inches, that is preferred among equally good intervals of slides.

    Each criterion in order keeps the slides with its greatest value, where values that differ by at most 1e-6 count as
    equal; of those left the smallest is returned. Candidates are the ends of the intervals and those of the slides
    `special` that lie in them: the ones at which a criterion may be greatest inside an interval.
    """
    inside = [u for u in special for low, high in stretches if low <= u <= high]
    slides = np.array(sorted({end for stretch in stretches for end in stretch} | set(inside)))
    for criterion in criteria:
        values = criterion(slides)
        slides = slides[values >= values.max() - CONTACT]
    return float(slides[0])


def _critical(low: float, high: float, breakpoints: FloatArray) -> FloatArray:
    """Return the critical slides of the interval [low, high] in order, with the midpoint between each two at the odd
    indices.
    """
    if high <= low:
        return np.array([low])
    first, last = np.searchsorted(breakpoints, (low + SAME_SLIDE, high - SAME_SLIDE)).tolist()
    run = np.empty(2 * (last - first) + 3)
    run[0] = low
    run[-1] = high
    run[2:-1:2] = breakpoints[first:last]
    run[1::2] = (run[:-1:2] + run[2::2]) / 2
    return run


def _stretches(run: Sequence[float], is_best: Sequence[bool]) -> list[Interval]:
    """Return the intervals formed by neighbouring entries of one run that are best; a best midpoint includes its whole
    subinterval.
    """
    found: list[Interval] = []
    start = None
    for position, good in enumerate([*is_best, False]):
        if good and start is None:
            start = position
        elif not good and start is not None:
            found.append((run[start - start % 2], run[position - position % 2]))
            start = None
    return found
