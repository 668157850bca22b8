"""Windows of wheels that are equally good: their ends narrowed down, and the wheel that the policy takes."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.conquest.borders import stopping_angles
from systems.conquest.corner import Corner, Flags
from systems.conquest.fan import Fan
from systems.conquest.wheels import Merit, Wheel, have_merit
from tabletop.motion import DUST
from tabletop.pose import FloatArray
from tabletop.solve.windows import Run, border
from tabletop.units import CONTACT, FLUSH

LEAST_RISE = 0.01
"""Inches by which a contact may get longer from one wheel tried to the next without having shown it before."""
PLATEAU = 1e-11
"""Inches within which contacts are equally long on one window."""


@dataclass(frozen=True, eq=False)
class Window:
    """Neighbouring wheels of one merit: the run of `angles` that were tried, whose ends are narrowed down."""

    corner: Corner
    merit: Merit
    most: float
    angles: FloatArray
    run: Run

    @property
    def best(self) -> float:
        """The angle that the policy takes."""
        policy = self.corner.scene.choices.wheel_policy
        if policy == "least-turn":
            return self.low
        return self.high if policy == "widest-turn" else self._longest

    @cached_property
    def low(self) -> float:
        """The least angle."""
        return self._border(self.run.first, -1)

    @cached_property
    def high(self) -> float:
        """The greatest angle."""
        return self._border(self.run.last, 1)

    @property
    def bounds(self) -> tuple[float, float]:
        """Angles between which the ends must be: those of the wheels tried next to the run."""
        return float(self.angles[max(self.run.first - 1, 0)]), float(self.angles[min(self.run.last + 1, len(self.angles) - 1)])

    def _border(self, number: int, step: int) -> float:
        """Narrow a border down; where the limits are kept exactly inside, to where they are just kept exactly."""
        if not 0 <= number + step < len(self.angles):
            return float(self.angles[number])
        inside, outside = float(self.angles[number]), float(self.angles[number + step])
        guesses = stopping_angles(self.corner, inside, outside)
        found = border(self._holds(DUST), inside, outside, hints=(inside, *self._hints), guesses=guesses)
        if found is None:
            found = border(self._holds(CONTACT), inside, outside)
        return inside if found is None else found

    @property
    def _hints(self) -> tuple[float, ...]:
        """Wheels at which the number of stands changes, the advance just passes something, or gets too long."""
        most, corner = self.most, self.corner
        return corner.count_changes + corner.passages + (corner.way_changes(most) if math.isfinite(most) else ())

    def _holds(self, slack: float) -> Callable[[FloatArray], Flags]:
        return lambda angles: have_merit(Fan(self.corner, angles, slack), self.merit, most=self.most)

    @property
    def _longest(self) -> float:
        """The least angle with the longest contact."""
        places = self.angles[self.run.first : self.run.last + 1]
        lengths = self._lengths(places)
        ends = [self.low] if _may_rise(lengths) else []
        ends += [self.high] if _may_rise(lengths[::-1]) else []
        places = np.unique(np.concatenate([places, ends]))
        lengths = self._lengths(places)
        return self._first(places, lengths)

    def _first(self, places: FloatArray, lengths: FloatArray) -> float:
        """Narrow down the least angle with the greatest of the lengths at some angles."""
        most = lengths.max() - PLATEAU
        first = float(places[lengths >= most].min())
        before = places[places < first].max(initial=-1.0)
        if before < 0.0:
            return first
        hints = (first, *self.corner.length_changes)
        found = border(lambda angles: self._lengths(angles) >= most, first, float(before), hints=hints)
        return first if found is None else found

    def _lengths(self, angles: FloatArray) -> FloatArray:
        return _lengths(Fan(self.corner, angles), self.merit)


def hopeful(windows: Sequence[Window], policy: str) -> Iterator[Wheel]:
    """Give the best wheels of windows; where the angle decides, only of those that may have the best angle."""
    sign = {"least-turn": 1.0, "widest-turn": -1.0}.get(policy, 0.0)
    best = math.inf
    for window in sorted(windows, key=lambda window: min(sign * angle for angle in window.bounds)):
        if min(sign * angle for angle in window.bounds) <= best + FLUSH:
            wheel = _wheel(window.corner, window.best, window.merit)
            best = min(best, sign * wheel.angle)
            yield wheel


def _may_rise(lengths: FloatArray) -> bool:
    """Tell whether the contact may get longest just before the first of neighbouring wheels: by twice as much as after it."""
    rise = 2.0 * abs(float(lengths[1] - lengths[0])) if len(lengths) > 1 else math.inf
    return bool(lengths[0] + rise + LEAST_RISE >= lengths.max())


def _lengths(fan: Fan, merit: Merit) -> FloatArray:
    """Give how long the contact gets (k,); one that only touches has none."""
    return fan.lengths * (merit.kind != "touch")


def _wheel(corner: Corner, angle: float, merit: Merit) -> Wheel:
    fan = Fan(corner, np.array([angle]))
    return Wheel(corner.side, angle, float(_lengths(fan, merit)[0]), float(fan.ways[0]))
