"""Windows of wheels that are equally good: their ends narrowed down, and the wheel that the policy takes."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.conquest.bodies import Flags, SeenBodies
from systems.conquest.corner import MOST_PASSED, Corner
from systems.conquest.fan import Fan
from systems.conquest.settling import Settling
from systems.conquest.wheels import Merit, Wheel, have_merit
from tabletop.geometry.motion import GAP_ROUNDING
from tabletop.geometry.pose import FloatArray
from tabletop.optimise.window import Run, border, crossing
from tabletop.units import CONTACT, FLUSH

NO_LIMIT = 1e6
"""Inches that stand for any distance beyond the table."""

LEAST_RISE = 0.01
"""Inches by which a contact may get longer from one wheel tried to the next without having shown it before."""
PLATEAU = 1e-11
"""Inches within which contacts are equally long on one window."""


@dataclass(frozen=True, eq=False)
class Window:
    """Neighbouring wheels of one merit, a `fan` of a run of the `angles` that were tried; the ends of the run are narrowed down."""

    fan: Fan
    merit: Merit
    most: float
    angles: FloatArray
    run: Run

    @property
    def corner(self) -> Corner:
        """The corner they are about."""
        return self.fan.corner

    @property
    def best(self) -> float:
        """The angle that the policy takes."""
        policy = self.corner.scene.choices.wheel_policy
        if policy == "least-turn":
            return self.low
        return self.high if policy == "widest-turn" else self._longest

    @cached_property
    def hope(self) -> float:
        """The least angle that there may be, the negative of the greatest, or of the longest contact: whatever the policy asks for."""
        policy = self.corner.scene.choices.wheel_policy
        if policy == "most-contact":
            return -max(_may_reach(self.lengths), _may_reach(self.lengths[::-1]), float(self.lengths.max()))
        return min(self.bounds) if policy == "least-turn" else -max(self.bounds)

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
        found = border(self._holds(GAP_ROUNDING), inside, outside, hints=self._hints, guesses=guesses)
        if found is None:
            found = border(self._holds(CONTACT), inside, outside)
        return inside if found is None else found

    @property
    def _hints(self) -> tuple[float, ...]:
        """Wheels at which the front is parallel, the number of stands changes, the advance just passes something, or gets too long."""
        most, corner = self.most, self.corner
        return (abs(corner.lean),) + corner.count_changes + corner.passages + (corner.way_changes(most) if math.isfinite(most) else ())

    def _holds(self, slack: float) -> Callable[[FloatArray], Flags]:
        return lambda angles: have_merit(Fan(self.corner, angles, slack), self.merit, most=self.most)

    @cached_property
    def lengths(self) -> FloatArray:
        """How long the contacts get after the wheels that were tried (k,), in inches."""
        return _lengths(self.fan, self.merit)

    @property
    def _longest(self) -> float:
        """The least angle with the longest contact."""
        longest = self.lengths.max()
        ends = [self.low] if _may_reach(self.lengths) >= longest else []
        ends += [self.high] if _may_reach(self.lengths[::-1]) >= longest else []
        if not ends:
            return self._first(self.fan.angles, self.lengths)
        places, lengths = (np.concatenate(pair) for pair in ((self.fan.angles, ends), (self.lengths, self._lengths(np.array(ends)))))
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
    """Give the best wheels of windows, of those only that may have what the policy asks for first."""
    within, best = CONTACT if policy == "most-contact" else FLUSH, math.inf
    for window in sorted(windows, key=lambda window: window.hope):
        if window.hope <= best + within:
            wheel = _wheel(window.corner, window.best, window.merit)
            best = min(best, {"least-turn": wheel.angle, "widest-turn": -wheel.angle}.get(policy, -wheel.length))
            yield wheel


def _may_reach(lengths: FloatArray) -> float:
    """Give how long the contact may get just before the first of neighbouring wheels: twice as much longer as after it."""
    rise = 2.0 * abs(float(lengths[1] - lengths[0])) if len(lengths) > 1 else math.inf
    return float(lengths[0]) + rise + LEAST_RISE


def _lengths(fan: Fan, merit: Merit) -> FloatArray:
    """Give how long the contact gets (k,); one that only touches has none."""
    return fan.lengths * (merit.kind != "touch")


def _wheel(corner: Corner, angle: float, merit: Merit) -> Wheel:
    fan = Fan(corner, np.array([angle]))
    return Wheel(corner.side, angle, float(_lengths(fan, merit)[0]), float(fan.ways[0]))


def stopping_angles(corner: Corner, inside: float, outside: float) -> Iterator[float]:
    """Give wheels (radians) between two at which the room for the advance, or for the charger's turn, is used up."""
    around = corner.units_around.joined(corner.solid_around)
    for room, bodies in ((_to_turn, around), (_to_end, around), (_to_advance, corner.ahead)):
        if len(bodies.numbers) <= MOST_PASSED:
            before, beyond = room(Fan(corner, np.array([inside, outside]), GAP_ROUNDING), bodies)
            stopping = bodies.part(np.flatnonzero((before >= 0.0) & (before < NO_LIMIT / 2.0) & (beyond < 0.0)))
            if len(stopping.numbers):
                yield crossing(_least(room, corner, stopping), inside, outside)


def _least(room: Callable[[Fan, SeenBodies], FloatArray], corner: Corner, bodies: SeenBodies) -> Callable[[FloatArray], FloatArray]:
    """Give how to measure the least room that is left by some bodies."""
    return lambda angles: np.minimum(room(Fan(corner, angles, GAP_ROUNDING), bodies).min(axis=1), NO_LIMIT)


def _to_turn(fan: Fan, bodies: SeenBodies) -> FloatArray:
    return Settling(fan).turning.room(bodies)


def _to_end(fan: Fan, bodies: SeenBodies) -> FloatArray:
    return Settling(fan).turning.at_end.room(bodies)


def _to_advance(fan: Fan, bodies: SeenBodies) -> FloatArray:
    """Give how much farther than the target bodies are met (k, m), in inches."""
    wheels, numbers = np.indices((len(fan.angles), len(bodies.numbers))).reshape(2, -1)
    advancing = fan.of(wheels)
    met = np.minimum(advancing.stretches(bodies.part(numbers)).low, NO_LIMIT)
    farther: FloatArray = met - np.minimum(advancing.ways, NO_LIMIT)
    return farther.reshape(len(fan.angles), -1)
