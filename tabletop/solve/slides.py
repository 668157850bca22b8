"""Where along a facing does a flush front stand best? All critical placements compared, exactly.

A slide is the coordinate u0 at which a front begins on a facing. Counts of models in contact change only where an edge of a
model on one side meets an edge on the other, so it is enough to look at those places, at the ends of what is free, and at one
point between each two neighbours. Sampling does not work: the best slide is often a single point.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.pose import FloatArray
from tabletop.solve.intervals import Interval, Intervals
from tabletop.units import CONTACT

Measure = Callable[[FloatArray], FloatArray]
"""A quantity of slides: takes u0, shape (n,), in inches, gives shape (n,)."""


@dataclass(frozen=True)
class Lineup:
    """The models of two facing lines, as intervals in inches along the facing.

    Attributes
    ----------
    shown
        Intervals (n, 2) of the models that the facing shows.
    front
        Intervals (m, 2) of the attacker's front-rank models, measured from the start of the front.
    overlap
        Common length (n,) in inches that each shown model needs to be in contact: 0 where a single point is enough,
        below 0 where a space between the two still counts as meeting.
    """

    shown: FloatArray
    front: FloatArray
    overlap: FloatArray

    def meets(self, slides: FloatArray) -> np.ndarray:
        """Tell which pairs are in contact: booleans (len(slides), n, m)."""
        front = slides[:, None, None, None] + self.front[None, None]
        shown = self.shown[None, :, None]
        common = np.minimum(shown[..., 1], front[..., 1]) - np.maximum(shown[..., 0], front[..., 0])
        result: np.ndarray = common >= self.overlap[None, :, None] - CONTACT
        return result

    def counts(self, slides: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Count shown models and front models in contact at each slide, two arrays of shape (len(slides),)."""
        meets = self.meets(slides)
        return meets.any(axis=2).sum(axis=1).astype(float), meets.any(axis=1).sum(axis=1).astype(float)

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


def best_slides(places: Sequence[Interval], breakpoints: FloatArray, goals: Callable[[FloatArray], Sequence[FloatArray]]) -> BestSlides:
    """Find the slides within `places` that serve the goals best, the first goal before the second and so on.

    Parameters
    ----------
    places
        Closed intervals of u0 that may be taken, at least one, in inches.
    breakpoints
        Every u0 at which a goal may change, in inches.
    goals
        Gives, for slides (n,), one array (n,) per goal in the order of their priority; greater is better, values are counts.
    """
    runs = [_critical(low, high, breakpoints) for low, high in places]
    slides = np.concatenate(runs)
    values = np.stack(goals(slides), axis=1)
    best = max(map(tuple, values.tolist()))
    is_best = (values == np.array(best)).all(axis=1)
    stretches: list[Interval] = []
    start = 0
    for run in runs:
        stretches += _stretches(run, is_best[start : start + len(run)])
        start += len(run)
    return BestSlides(tuple(best), tuple(_joined(stretches)))


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


def _joined(stretches: list[Interval]) -> list[Interval]:
    """Drop what repeats: stretches closer than CONTACT are one."""
    joined: list[Interval] = []
    for low, high in sorted(stretches):
        if joined and low <= joined[-1][1] + CONTACT:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return joined
