"""The search for the wheel that the rules choose: sampled wheels, intervals of equally good ones, and the choice.

The order is lexicographic: the kind of end, then the number of stands, then `wheel_policy`. Angles are sampled with critical angles
added, and the ends of intervals are refined between samples. Angles are in radians, lengths in inches.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from systems.conquest.alignment import Alignment, Kind
from systems.conquest.candidates import WheelCandidates
from systems.conquest.corner import CORNER_SIDES, MOST_PASSED, BodyArray, Corner, WheelLimits
from systems.conquest.scene import ChargedFacing, Scene
from tabletop.budget import Proof
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.geometry.motion import GAP_ROUNDING
from tabletop.geometry.pose import Side
from tabletop.optimise.univariate import Run, bisect_boundary, consecutive_runs, find_root, sample_grid
from tabletop.units import CONTACT, FLUSH

WHEEL_STEP = 9e-4
"""Step between sampled wheels, in radians: no interval of a thousandth of a radian is missed."""

WHEELS_SPREAD = 1746
"""Number of wheels sampled for the least one that reaches the facing, if all touch the target on the way."""

NO_LIMIT = 1e6
"""Length that is larger than any table, in inches."""

LEAST_RISE = 0.01
"""Increase of the length of contact between neighbouring samples, in inches, that counts as unforeseen."""

PLATEAU = 1e-11
"""Tolerance of equal lengths of contact on one interval, in inches."""

LONGEST, LEAST, WIDEST = ("length", -1.0, CONTACT), ("angle", 1.0, FLUSH), ("angle", -1.0, FLUSH)

POLICIES = {"most-contact": (LONGEST, LEAST), "least-turn": (LEAST, LONGEST), "widest-turn": (WIDEST, LONGEST)}
"""Comparisons of each `wheel_policy` in order: the wheel's field, sense (-1 maximise, 1 minimise), and tolerance."""

# The wheels that are tried,  whatever is rolled,  and what they are worth.


@dataclass(frozen=True)
class WheelWorth:
    """Worth of a wheel before the policy is applied."""

    kind: Kind
    stands: int


@dataclass(frozen=True)
class Wheel:
    """A wheel about the `side` front corner by `angle` radians: how long the contact gets, and how far the advance is, in inches."""

    side: Side
    angle: float
    length: float
    way: float


@dataclass(frozen=True, eq=False)
class SampledWheels:
    """Sampled wheels of a charge against one facing, for any roll; `extra` angles, in radians, are included."""

    wheel_limits: WheelLimits
    charged: ChargedFacing
    extra: tuple[float, ...] = ()

    @property
    def scene(self) -> Scene:
        """The charge in its surroundings."""
        return self.wheel_limits.scene

    @cached_property
    def corners(self) -> Sequence[Corner]:
        """Both front corners, the left one first."""
        return tuple(Corner(self.wheel_limits, self.charged, side) for side in CORNER_SIDES)

    def corner(self, side: Side) -> Corner:
        """Return one front corner."""
        return next(corner for corner in self.corners if corner.side == side)

    @cached_property
    def fans(self) -> tuple[WheelCandidates, ...]:
        """Sampled wheels about each corner that keep all needed gaps while they turn."""
        return tuple(WheelCandidates(corner, _angles(corner, max(corner.limit.exact, 0.0), self.extra)) for corner in self.corners)

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """Numbers of stands that some wheel brings, in descending order."""
        return tuple(sorted({int(count) for fan in self.fans for count in set(fan.reaching.tolist()) if count}, reverse=True))

    @cached_property
    def is_reached(self) -> bool:
        """Whether some wheel brings a stand to the facing, obstacles ignored; a facing shorter than `overlap` is never reached."""
        if self.charged.facing.length < self.scene.choices.overlap - 2.0 * CONTACT:
            return False
        if any(len(some.numbers) for stands in self.levels for some in self.reaching(stands)):
            return True
        limit = self.scene.book.wheel_limit
        return any(bool(WheelCandidates(corner, _angles(corner, limit)).reaches.any()) for corner in self.corners)

    @cached_property
    def reaching(self) -> Callable[[int], list["CandidateSubset"]]:
        """Return, for a number of stands, the wheels about each corner that bring so many and first touch on the facing."""
        return cache(lambda stands: [reaching(fan, stands) for fan in self.fans])

    @cached_property
    def free(self) -> Callable[[int], list["CandidateSubset"]]:
        """Return those of them whose advance is free."""
        return cache(lambda stands: [some.where(some.fan.is_free) for some in self.reaching(stands)])

    @cached_property
    def free_wheel(self) -> tuple[Side, float]:
        """Corner and angle that would be chosen if only charger and target existed, without a Charge Distance.

        If every wheel would touch the target, the least one that reaches the facing.
        """
        bare = WheelSearch(SampledWheels(WheelLimits(self.scene.bare), self.charged), math.inf).choice
        if bare is not None:
            return bare.wheel.side, bare.wheel.angle
        fans = [WheelCandidates(corner, np.linspace(0.0, self.scene.book.wheel_limit, WHEELS_SPREAD)) for corner in self.corners]
        angle, side = min((float(fan.angles[fan.reaches].min(initial=math.inf)), fan.corner.side) for fan in fans)
        return side, angle


@dataclass(frozen=True, eq=False)
class CandidateSubset:
    """A subset of wheel candidates: their indices (k,), and the candidates alone."""

    numbers: IntArray
    fan: WheelCandidates

    def where(self, flags: BoolArray) -> "CandidateSubset":
        """Return the subset selected by a mask (k,)."""
        return self if flags.all() else CandidateSubset(self.numbers[flags], self.fan.of(flags))


def reaching(fan: WheelCandidates, stands: int) -> CandidateSubset:
    """Return the wheels that bring so many stands to the facing, and the first contact onto it."""
    numbers = np.flatnonzero(fan.reaching == stands)
    some = CandidateSubset(numbers, fan.of(numbers))
    return some.where(some.fan.meets)


def have_worth(fan: WheelCandidates, worth: WheelWorth, *, most: float) -> BoolArray:
    """Return which wheels have a worth, with a straight move of at most so many inches."""
    some = reaching(fan, worth.stands)
    some = some.where(some.fan.is_near_enough(most))
    some = some.where(some.fan.is_free)
    found = np.zeros(len(fan.angles), dtype=bool)
    found[some.numbers] = Alignment(some.fan).of_kind(worth.kind)
    return found


def _angles(corner: Corner, limit: float, extra: tuple[float, ...] = ()) -> FloatArray:
    """Return wheels up to a limit in radians, among them those at which something is known to change or to fit exactly."""
    return sample_grid(
        0.0, limit, step=WHEEL_STEP, more=(abs(corner.lean), *extra, *corner.count_changes, *corner.passages, *corner.length_changes)
    )


# Intervals of equally good wheels.


@dataclass(frozen=True, eq=False)
class WheelInterval:
    """An interval of wheels of equal worth: a run of the sampled `angles` whose ends are refined."""

    fan: WheelCandidates
    worth: WheelWorth
    most: float
    angles: FloatArray
    run: Run

    @property
    def corner(self) -> Corner:
        """The corner they are about."""
        return self.fan.corner

    @property
    def best(self) -> float:
        """Angle that the policy takes, in radians."""
        policy = self.corner.scene.choices.wheel_policy
        if policy == "least-turn":
            return self.low
        return self.high if policy == "widest-turn" else self._longest

    @cached_property
    def bound(self) -> float:
        """Lower bound of the policy's objective: least angle, negative greatest angle, or negative longest contact."""
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
        """Brackets of the ends: the run and the neighbouring samples."""
        return float(self.angles[max(self.run.first - 1, 0)]), float(self.angles[min(self.run.last + 1, len(self.angles) - 1)])

    def _border(self, number: int, step: int) -> float:
        """Return an end of the interval, refined by bisection between a good and a bad angle."""
        if not 0 <= number + step < len(self.angles):
            return float(self.angles[number])
        inside, outside = float(self.angles[number]), float(self.angles[number + step])
        guesses = stopping_angles(self.corner, inside, outside)
        found = bisect_boundary(self._holds(GAP_ROUNDING), inside, outside, hints=self._hints, guesses=guesses)
        if found is None:
            found = bisect_boundary(self._holds(CONTACT), inside, outside)
        return inside if found is None else found

    @property
    def _hints(self) -> tuple[float, ...]:
        """Critical angles: front parallel, number of stands changes, advance just passes something or gets too long."""
        most, corner = self.most, self.corner
        return (abs(corner.lean),) + corner.count_changes + corner.passages + (corner.way_changes(most) if math.isfinite(most) else ())

    def _holds(self, slack: float) -> Callable[[FloatArray], BoolArray]:
        return lambda angles: have_worth(WheelCandidates(self.corner, angles, slack), self.worth, most=self.most)

    @cached_property
    def lengths(self) -> FloatArray:
        """Lengths of contact after the sampled wheels (k,), in inches."""
        return _lengths(self.fan, self.worth)

    @property
    def _longest(self) -> float:
        """Least angle with the longest contact, in radians."""
        longest = self.lengths.max()
        ends = [self.low] if _may_reach(self.lengths) >= longest else []
        ends += [self.high] if _may_reach(self.lengths[::-1]) >= longest else []
        if not ends:
            return self._first(self.fan.angles, self.lengths)
        places, lengths = (np.concatenate(pair) for pair in ((self.fan.angles, ends), (self.lengths, self._lengths(np.array(ends)))))
        return self._first(places, lengths)

    def _first(self, places: FloatArray, lengths: FloatArray) -> float:
        """Return the least angle, refined, at which the length is greatest."""
        most = lengths.max() - PLATEAU
        first = float(places[lengths >= most].min())
        before = places[places < first].max(initial=-1.0)
        if before < 0.0:
            return first
        hints = (first, *self.corner.length_changes)
        found = bisect_boundary(lambda angles: self._lengths(angles) >= most, first, float(before), hints=hints)
        return first if found is None else found

    def _lengths(self, angles: FloatArray) -> FloatArray:
        return _lengths(WheelCandidates(self.corner, angles), self.worth)


def promising(windows: Sequence[WheelInterval], policy: str) -> Iterator[Wheel]:
    """Yield the best wheels of the intervals whose bound is not worse than the incumbent."""
    within, best = CONTACT if policy == "most-contact" else FLUSH, math.inf
    for window in sorted(windows, key=lambda window: window.bound):
        if window.bound <= best + within:
            wheel = _wheel(window.corner, window.best, window.worth)
            best = min(best, {"least-turn": wheel.angle, "widest-turn": -wheel.angle}.get(policy, -wheel.length))
            yield wheel


def _may_reach(lengths: FloatArray) -> float:
    """Return an estimate of the contact length just before the first of neighbouring wheels, by doubled extrapolation."""
    rise = 2.0 * abs(float(lengths[1] - lengths[0])) if len(lengths) > 1 else math.inf
    return float(lengths[0]) + rise + LEAST_RISE


def _lengths(fan: WheelCandidates, worth: WheelWorth) -> FloatArray:
    """Return the lengths of contact (k,), in inches; 0 for wheels that only touch."""
    return fan.lengths * (worth.kind != "touch")


def _wheel(corner: Corner, angle: float, worth: WheelWorth) -> Wheel:
    fan = WheelCandidates(corner, np.array([angle]))
    return Wheel(corner.side, angle, float(_lengths(fan, worth)[0]), float(fan.ways[0]))


def stopping_angles(corner: Corner, inside: float, outside: float) -> Iterator[float]:
    """Yield angles, in radians, between two wheels at which the room for the advance or the turn ends."""
    around = corner.units_around.joined(corner.solid_around)
    for room, bodies in ((_to_turn, around), (_to_end, around), (_to_advance, corner.ahead)):
        if len(bodies.numbers) <= MOST_PASSED:
            before, beyond = room(WheelCandidates(corner, np.array([inside, outside]), GAP_ROUNDING), bodies)
            stopping = bodies.part(np.flatnonzero((before >= 0.0) & (before < NO_LIMIT / 2.0) & (beyond < 0.0)))
            if len(stopping.numbers):
                yield find_root(_least(room, corner, stopping), inside, outside)


def _least(
    room: Callable[[WheelCandidates, BodyArray], FloatArray], corner: Corner, bodies: BodyArray
) -> Callable[[FloatArray], FloatArray]:
    """Return a function that measures the least room left by some bodies."""
    return lambda angles: np.minimum(room(WheelCandidates(corner, angles, GAP_ROUNDING), bodies).min(axis=1), NO_LIMIT)


def _to_turn(fan: WheelCandidates, bodies: BodyArray) -> FloatArray:
    return Alignment(fan).turning.room(bodies)


def _to_end(fan: WheelCandidates, bodies: BodyArray) -> FloatArray:
    return Alignment(fan).turning.at_end.room(bodies)


def _to_advance(fan: WheelCandidates, bodies: BodyArray) -> FloatArray:
    """Return how much farther than the target bodies are met (k, m), in inches."""
    wheels, numbers = np.indices((len(fan.angles), len(bodies.numbers))).reshape(2, -1)
    advancing = fan.of(wheels)
    met = np.minimum(advancing.stretches(bodies.part(numbers)).low, NO_LIMIT)
    farther: FloatArray = met - np.minimum(advancing.ways, NO_LIMIT)
    return farther.reshape(len(fan.angles), -1)


# The choice.


@dataclass(frozen=True)
class Choice:
    """The wheel the rules choose: its worth, how many are equally good, and how sure it is."""

    worth: WheelWorth
    wheel: Wheel
    choices: int
    proof: Proof


@dataclass(frozen=True, eq=False)
class WheelSearch:
    """The search for the wheel that the rules choose; `most` is how far the straight move may go, in inches."""

    tried: SampledWheels
    most: float

    @property
    def scene(self) -> Scene:
        """The charge in its surroundings."""
        return self.tried.scene

    @property
    def can_complete(self) -> bool:
        """Whether some wheel completes the charge."""
        return self.best is not None and self.best.kind != "mired"

    @cached_property
    def least_way(self) -> float:
        """The shortest advance of the wheels tried that have the best worth, in inches."""
        if self.best is None:
            return math.inf
        ways = (alignment.fan.ways[alignment.of_kind(self.best.kind)] for alignment, _ in self._usable(self.best.stands))
        return min(float(some.min(initial=math.inf)) for some in ways)

    @cached_property
    def groups(self) -> tuple[tuple[Kind, ...], ...]:
        """The kinds of wheels that complete or touch, or are mired, in the order in which they count."""
        completed: tuple[tuple[Kind, ...], ...] = (("own", "turned"), ("push",))
        if self.scene.choices.push == "most-stands":
            completed = (("own", "turned", "push"),)
        touch: tuple[tuple[Kind, ...], ...] = (("touch",),) if self.scene.choices.deadlock == "touch" else ()
        return (*completed, *touch, ("mired",))

    def rank(self, worth: WheelWorth) -> tuple[int, int, int]:
        """Return the sort key of a worth, smaller is better: group, number of stands, kind within the group."""
        place = next(place for place, group in enumerate(self.groups) if worth.kind in group)
        return place, -worth.stands, self.groups[place].index(worth.kind)

    @cached_property
    def best(self) -> WheelWorth | None:
        """The best worth that any wheel has."""
        return next((worth for group in self.groups for stands in self.tried.levels for worth in self._worths(group, stands)), None)

    def _worths(self, group: tuple[Kind, ...], stands: int) -> Iterator[WheelWorth]:
        """Yield the worths of a group that some wheel with so many stands has."""
        for kind in group:
            if any(len(numbers) and alignment.of_kind(kind).any() for alignment, numbers in self._usable(stands)):
                yield WheelWorth(kind, stands)

    @cached_property
    def _usable(self) -> Callable[[int], list[tuple[Alignment, IntArray]]]:
        """By a number of stands, the wheels about each corner that bring so many, are free and near enough, and their numbers."""

        def usable(stands: int) -> list[tuple[Alignment, IntArray]]:
            near = (some.where(some.fan.is_near_enough(self.most)) for some in self.tried.free(stands))
            return [(Alignment(some.fan), some.numbers) for some in near]

        return cache(usable)

    @cached_property
    def choice(self) -> Choice | None:
        """The wheel that the rules choose, or None where no wheel has any of the groups."""
        if self.best is None:
            return None
        windows = [self.window(number, run) for number, run in self.best_runs]
        return _chosen(self, self.best, list(promising(windows, self.scene.choices.wheel_policy)))

    @cached_property
    def best_runs(self) -> tuple[tuple[int, Run], ...]:
        """The runs of wheels tried that have the best worth, with the numbers of their corners."""
        if self.best is None:
            return ()
        some = [(corner, *usable) for corner, usable in enumerate(self._usable(self.best.stands)) if len(usable[1])]
        return tuple(
            (corner, run) for corner, alignment, numbers in some for run in consecutive_runs(numbers[alignment.of_kind(self.best.kind)])
        )

    def window(self, number: int, run: Run) -> WheelInterval:
        """Return the wheels of the best worth in a run."""
        if self.best is None:
            raise AssertionError("no wheel has a worth yet")
        alignment, numbers = self._usable(self.best.stands)[number]
        first = int(np.searchsorted(numbers, run.first))
        fan = alignment.fan.of(np.arange(first, first + run.last - run.first + 1))
        return WheelInterval(fan, self.best, self.most, self.tried.fans[number].angles, run)


def _chosen(search: WheelSearch, worth: WheelWorth, wheels: Sequence[Wheel]) -> Choice:
    """Choose among the best wheels of all windows: by the policy, then longer contact, shorter advance, and the left corner."""
    left = list(wheels)
    for key, sign, within in (*POLICIES[search.scene.choices.wheel_policy], ("way", 1.0, CONTACT)):
        least = min(sign * getattr(wheel, key) for wheel in left)
        left = [wheel for wheel in left if sign * getattr(wheel, key) <= least + within]
    sides = {wheel.side for wheel in left if wheel.angle > FLUSH}
    return Choice(worth, min(left, key=lambda wheel: wheel.side), max(len(sides), 1), _proof(search, worth, left[0]))


def _proof(search: WheelSearch, worth: WheelWorth, wheel: Wheel) -> Proof:
    """Return the proof word: "exact" if the choice attains all upper bounds and needs no turn."""
    scene, policy = search.scene, search.scene.choices.wheel_policy
    width, base, facing = scene.charger.width, scene.charger.base.width, search.tried.charged.facing.length
    most = min(scene.charger.files, int((facing - 2 * scene.choices.overlap) / base) + 2)
    is_longest = wheel.length >= min(width, facing) - CONTACT
    is_bound = worth == WheelWorth("own", most) and wheel.angle == 0.0
    return "exact" if is_bound and policy != "widest-turn" and (policy == "least-turn" or is_longest) else "tolerance"
