"""Search for the wheel that the rules choose: sampled wheels, intervals of equally good ones, and the choice among
these.

The order is lexicographic: how the charge ends, then the number of stands, then `wheel_policy`. Angles are sampled,
with critical angles added, and the ends of intervals are refined between samples. Angles are in radians, lengths in
inches.
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
from tabletop.optimise.univariate import (
    Run,
    bisect_boundary,
    consecutive_runs,
    find_root,
    sample_grid,
)
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

LONGEST = ("length", -1.0, CONTACT)
LEAST = ("angle", 1.0, FLUSH)
WIDEST = ("angle", -1.0, FLUSH)

POLICIES = {
    "most-contact": (LONGEST, LEAST),
    "least-turn": (LEAST, LONGEST),
    "widest-turn": (WIDEST, LONGEST),
}
"""Comparisons of each `wheel_policy` in order: the wheel's field, sense (-1 maximise, 1 minimise), and tolerance."""

# The wheels that are tried,  whatever is rolled,  and what they are worth.


@dataclass(frozen=True)
class WheelWorth:
    """Worth of a wheel before the policy is applied: how the charge ends, and the number of front stands that reach the
    facing.
    """

    kind: Kind
    stands: int


@dataclass(frozen=True)
class Wheel:
    """A wheel about one front corner.

    Attributes
    ----------
    side
        Front corner about which the charger wheels.
    angle
        Wheel in radians, at least 0.
    length
        Length of the contact at the end, in inches.
    way
        Length of the advance, in inches.
    """

    side: Side
    angle: float
    length: float
    way: float


@dataclass(frozen=True, eq=False)
class SampledWheels:
    """Sampled wheels of a charge against one side of the target, whatever is rolled.

    Attributes
    ----------
    wheel_limits
        Greatest wheels about both corners.
    charged
        Side of the target that is charged.
    extra
        Angles in radians that are sampled in addition.
    """

    wheel_limits: WheelLimits
    charged: ChargedFacing
    extra: tuple[float, ...] = ()

    @property
    def scene(self) -> Scene:
        """The charge with all regiments and terrain around it."""
        return self.wheel_limits.scene

    @cached_property
    def corners(self) -> Sequence[Corner]:
        """Both front corners of the charger, the left one first."""
        return tuple(Corner(self.wheel_limits, self.charged, side) for side in CORNER_SIDES)

    def corner(self, side: Side) -> Corner:
        """Return the left or right front corner of the charger, with the bodies around."""
        return next(corner for corner in self.corners if corner.side == side)

    @cached_property
    def fans(self) -> tuple[WheelCandidates, ...]:
        """Sampled wheels about each front corner that keep all needed gaps while they turn."""
        return tuple(
            WheelCandidates(corner, _angles(corner, max(corner.limit.exact, 0.0), self.extra))
            for corner in self.corners
        )

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """Numbers of stands, above 0, that some sampled wheel brings to the charged side, in descending order."""
        return tuple(
            sorted(
                {int(count) for fan in self.fans for count in set(fan.reaching.tolist()) if count},
                reverse=True,
            )
        )

    @cached_property
    def is_reached(self) -> bool:
        """Whether some wheel brings a stand to the charged side and first touches it there, other bodies than the
        target ignored.

        A side shorter than the choice `overlap` is never reached.
        """
        if self.charged.facing.length < self.scene.choices.overlap - 2.0 * CONTACT:
            return False
        if any(len(some.numbers) for stands in self.levels for some in self.reaching(stands)):
            return True
        limit = self.scene.book.wheel_limit
        return any(
            bool(WheelCandidates(corner, _angles(corner, limit)).reaches.any())
            for corner in self.corners
        )

    @cached_property
    def reaching(self) -> Callable[[int], list["CandidateSubset"]]:
        """Function of a number of stands: the sampled wheels about each corner that bring so many and first touch on
        the facing.
        """
        return cache(lambda stands: [reaching(fan, stands) for fan in self.fans])

    @cached_property
    def free(self) -> Callable[[int], list["CandidateSubset"]]:
        """Function of a number of stands: those wheels of `reaching` whose advance is free."""
        return cache(
            lambda stands: [some.where(some.fan.is_free) for some in self.reaching(stands)]
        )

    @cached_property
    def free_wheel(self) -> tuple[Side, float]:
        """Front corner and angle in radians that would be chosen if only charger and target existed, with any length of
        the advance.

        If every such wheel would touch the target, the least one that reaches the facing.
        """
        bare = WheelSearch(
            SampledWheels(WheelLimits(self.scene.bare), self.charged), math.inf
        ).choice
        if bare is not None:
            return bare.wheel.side, bare.wheel.angle
        fans = [
            WheelCandidates(corner, np.linspace(0.0, self.scene.book.wheel_limit, WHEELS_SPREAD))
            for corner in self.corners
        ]
        angle, side = min(
            (float(fan.angles[fan.reaches].min(initial=math.inf)), fan.corner.side) for fan in fans
        )
        return side, angle


@dataclass(frozen=True, eq=False)
class CandidateSubset:
    """A subset of wheel candidates: their indices (k,) among all, and the candidates of the subset."""

    numbers: IntArray
    fan: WheelCandidates

    def where(self, flags: BoolArray) -> "CandidateSubset":
        """Return the part of the subset for which a mask (k,) is true."""
        return self if flags.all() else CandidateSubset(self.numbers[flags], self.fan.of(flags))


def reaching(fan: WheelCandidates, stands: int) -> CandidateSubset:
    """Return the wheels that bring exactly so many stands to the charged facing and first touch the target on it."""
    numbers = np.flatnonzero(fan.reaching == stands)
    some = CandidateSubset(numbers, fan.of(numbers))
    return some.where(some.fan.meets)


def have_worth(fan: WheelCandidates, worth: WheelWorth, *, most: float) -> BoolArray:
    """Return a mask of the wheels (k,) that have a given worth with a straight move of at most `most` inches."""
    some = reaching(fan, worth.stands)
    some = some.where(some.fan.is_near_enough(most))
    some = some.where(some.fan.is_free)
    found = np.zeros(len(fan.angles), dtype=bool)
    found[some.numbers] = Alignment(some.fan).of_kind(worth.kind)
    return found


def _angles(corner: Corner, limit: float, extra: tuple[float, ...] = ()) -> FloatArray:
    """Return the angles to sample from 0 to a limit, in radians: a grid and the angles at which something is known to
    change.
    """
    return sample_grid(
        0.0,
        limit,
        step=WHEEL_STEP,
        more=(
            abs(corner.lean),
            *extra,
            *corner.count_changes,
            *corner.passages,
            *corner.length_changes,
        ),
    )


# Intervals of equally good wheels.


@dataclass(frozen=True, eq=False)
class WheelInterval:
    """An interval of wheels of equal worth about one corner: a run of the sampled angles whose ends are refined.

    Attributes
    ----------
    fan
        The sampled wheels of the run (k,).
    worth
        Their common worth.
    most
        Limit of the straight move, in inches.
    angles
        All sampled angles about the corner, in radians.
    run
        First and last index of the run among them.
    """

    fan: WheelCandidates
    worth: WheelWorth
    most: float
    angles: FloatArray
    run: Run

    @property
    def corner(self) -> Corner:
        """Front corner about which the wheels of the interval turn."""
        return self.fan.corner

    @property
    def best(self) -> float:
        """Angle of the interval that `wheel_policy` prefers, in radians."""
        policy = self.corner.scene.choices.wheel_policy
        if policy == "least-turn":
            return self.low
        return self.high if policy == "widest-turn" else self._longest

    @cached_property
    def bound(self) -> float:
        """Lower bound of what the policy minimises on the interval.

        That is the angle, its negative, or the negative length of contact, for "least-turn", "widest-turn" and
        "most-contact".
        """
        policy = self.corner.scene.choices.wheel_policy
        if policy == "most-contact":
            return -max(
                _may_reach(self.lengths), _may_reach(self.lengths[::-1]), float(self.lengths.max())
            )
        return min(self.bounds) if policy == "least-turn" else -max(self.bounds)

    @cached_property
    def low(self) -> float:
        """Least angle of the interval, in radians, refined between samples."""
        return self._border(self.run.first, -1)

    @cached_property
    def high(self) -> float:
        """Greatest angle of the interval, in radians, refined between samples."""
        return self._border(self.run.last, 1)

    @property
    def bounds(self) -> tuple[float, float]:
        """Angles in radians between which the whole interval lies: the sampled neighbours of the run."""
        return float(self.angles[max(self.run.first - 1, 0)]), float(
            self.angles[min(self.run.last + 1, len(self.angles) - 1)]
        )

    def _border(self, number: int, step: int) -> float:
        """Return an end of the interval, in radians, refined by bisection between a good angle and its bad neighbour.

        `number` is the index of the good angle, `step` is 1 or -1 towards the neighbour.
        """
        if not 0 <= number + step < len(self.angles):
            return float(self.angles[number])
        inside = float(self.angles[number])
        outside = float(self.angles[number + step])
        guesses = stopping_angles(self.corner, inside, outside)
        found = bisect_boundary(
            self._holds(GAP_ROUNDING), inside, outside, hints=self._hints, guesses=guesses
        )
        if found is None:
            found = bisect_boundary(self._holds(CONTACT), inside, outside)
        return inside if found is None else found

    @property
    def _hints(self) -> tuple[float, ...]:
        """Critical angles in radians at which the interval may end: tried before bisection.

        At them the front is parallel to the facing, the number of stands changes, the advance just passes something, or
        gets too long.
        """
        most = self.most
        corner = self.corner
        return (
            (abs(corner.lean),)
            + corner.count_changes
            + corner.passages
            + (corner.way_changes(most) if math.isfinite(most) else ())
        )

    def _holds(self, slack: float) -> Callable[[FloatArray], BoolArray]:
        """Return a function that maps angles (n,) to a mask (n,) of those with the worth of the interval, with a
        tolerance in inches.
        """
        return lambda angles: have_worth(
            WheelCandidates(self.corner, angles, slack), self.worth, most=self.most
        )

    @cached_property
    def lengths(self) -> FloatArray:
        """Lengths of contact (k,) after the sampled wheels of the interval, in inches."""
        return _lengths(self.fan, self.worth)

    @property
    def _longest(self) -> float:
        """Least angle of the interval with the longest contact, in radians."""
        longest = self.lengths.max()
        ends = [self.low] if _may_reach(self.lengths) >= longest else []
        ends += [self.high] if _may_reach(self.lengths[::-1]) >= longest else []
        if not ends:
            return self._first(self.fan.angles, self.lengths)
        places, lengths = (
            np.concatenate(pair)
            for pair in ((self.fan.angles, ends), (self.lengths, self._lengths(np.array(ends))))
        )
        return self._first(places, lengths)

    def _first(self, places: FloatArray, lengths: FloatArray) -> float:
        """Return the least angle with the greatest of some lengths, in radians, refined by bisection towards the angle
        before it.

        `places` (n,) are angles in radians, `lengths` (n,) the contact in inches after them.
        """
        most = lengths.max() - PLATEAU
        first = float(places[lengths >= most].min())
        before = places[places < first].max(initial=-1.0)
        if before < 0.0:
            return first
        hints = (first, *self.corner.length_changes)
        found = bisect_boundary(
            lambda angles: self._lengths(angles) >= most, first, float(before), hints=hints
        )
        return first if found is None else found

    def _lengths(self, angles: FloatArray) -> FloatArray:
        """Return the lengths of contact (n,), in inches, after wheels by some angles (n,)."""
        return _lengths(WheelCandidates(self.corner, angles), self.worth)


def promising(windows: Sequence[WheelInterval], policy: str) -> Iterator[Wheel]:
    """Yield the best wheel of each interval whose lower bound is not worse than the best wheel found before (branch and
    bound).
    """
    within = CONTACT if policy == "most-contact" else FLUSH
    best = math.inf
    for window in sorted(windows, key=lambda window: window.bound):
        if window.bound <= best + within:
            wheel = _wheel(window.corner, window.best, window.worth)
            best = min(
                best,
                {"least-turn": wheel.angle, "widest-turn": -wheel.angle}.get(policy, -wheel.length),
            )
            yield wheel


def _may_reach(lengths: FloatArray) -> float:
    """Return how long, in inches, the contact may be just before the first of neighbouring wheels: extrapolated with a
    margin.
    """
    rise = 2.0 * abs(float(lengths[1] - lengths[0])) if len(lengths) > 1 else math.inf
    return float(lengths[0]) + rise + LEAST_RISE


def _lengths(fan: WheelCandidates, worth: WheelWorth) -> FloatArray:
    """Return the lengths of contact (k,), in inches; 0 for wheels that only touch."""
    return fan.lengths * (worth.kind != "touch")


def _wheel(corner: Corner, angle: float, worth: WheelWorth) -> Wheel:
    """Return the wheel by an angle in radians, with its length of contact and its advance."""
    fan = WheelCandidates(corner, np.array([angle]))
    return Wheel(corner.side, angle, float(_lengths(fan, worth)[0]), float(fan.ways[0]))


def stopping_angles(corner: Corner, inside: float, outside: float) -> Iterator[float]:
    """Yield angles, in radians, between two wheels at which the room for the turn, its end or the advance ends (root
    finding).

    `inside` is an angle with room and `outside` one without; only bodies that the first clears and the second does not
    are looked at.
    """
    around = corner.units_around.joined(corner.solid_around)
    for room, bodies in ((_to_turn, around), (_to_end, around), (_to_advance, corner.ahead)):
        if len(bodies.numbers) <= MOST_PASSED:
            before, beyond = room(
                WheelCandidates(corner, np.array([inside, outside]), GAP_ROUNDING), bodies
            )
            stopping = bodies.part(
                np.flatnonzero((before >= 0.0) & (before < NO_LIMIT / 2.0) & (beyond < 0.0))
            )
            if len(stopping.numbers):
                yield find_root(_least(room, corner, stopping), inside, outside)


def _least(
    room: Callable[[WheelCandidates, BodyArray], FloatArray], corner: Corner, bodies: BodyArray
) -> Callable[[FloatArray], FloatArray]:
    """Return a function that maps angles (k,) to the least room, in inches, that some bodies leave there."""
    return lambda angles: np.minimum(
        room(WheelCandidates(corner, angles, GAP_ROUNDING), bodies).min(axis=1), NO_LIMIT
    )


def _to_turn(fan: WheelCandidates, bodies: BodyArray) -> FloatArray:
    """Return the clearance (k, m), in inches, of the whole turn until flush to each body."""
    return Alignment(fan).turning.room(bodies)


def _to_end(fan: WheelCandidates, bodies: BodyArray) -> FloatArray:
    """Return the clearance (k, m), in inches, of the end of the turn until flush to each body."""
    return Alignment(fan).turning.at_end.room(bodies)


def _to_advance(fan: WheelCandidates, bodies: BodyArray) -> FloatArray:
    """Return how much farther the advance could go until it meets each body than until it meets the target (k, m), in
    inches.
    """
    wheels, numbers = np.indices((len(fan.angles), len(bodies.numbers))).reshape(2, -1)
    advancing = fan.of(wheels)
    met = np.minimum(advancing.stretches(bodies.part(numbers)).low, NO_LIMIT)
    farther: FloatArray = met - np.minimum(advancing.ways, NO_LIMIT)
    return farther.reshape(len(fan.angles), -1)


# The choice.


@dataclass(frozen=True)
class Choice:
    """The wheel that the rules choose.

    Attributes
    ----------
    worth
        How the charge ends with it, and how many stands it brings.
    wheel
        The wheel.
    choices
        Number of equally good wheels.
    proof
        Strength of the proof that no wheel is better.
    """

    worth: WheelWorth
    wheel: Wheel
    choices: int
    proof: Proof


@dataclass(frozen=True, eq=False)
class WheelSearch:
    """Search for the wheel that the rules choose among sampled wheels, with a straight move of at most `most`
    inches.
    """

    tried: SampledWheels
    most: float

    @property
    def scene(self) -> Scene:
        """The charge with all regiments and terrain around it."""
        return self.tried.scene

    @property
    def can_complete(self) -> bool:
        """Whether some wheel completes the charge; wheels that end mired do not."""
        return self.best is not None and self.best.kind != "mired"

    @cached_property
    def least_way(self) -> float:
        """Shortest advance of the sampled wheels that have the best worth, in inches; inf if there are none."""
        if self.best is None:
            return math.inf
        ways = (
            alignment.fan.ways[alignment.of_kind(self.best.kind)]
            for alignment, _ in self._usable(self.best.stands)
        )
        return min(float(some.min(initial=math.inf)) for some in ways)

    @cached_property
    def groups(self) -> tuple[tuple[Kind, ...], ...]:
        """Groups of ways in which a charge may end, the most preferred first; within a group the number of stands
        decides.
        """
        completed: tuple[tuple[Kind, ...], ...] = (("own", "turned"), ("push",))
        if self.scene.choices.push == "most-stands":
            completed = (("own", "turned", "push"),)
        touch: tuple[tuple[Kind, ...], ...] = (
            (("touch",),) if self.scene.choices.deadlock == "touch" else ()
        )
        return (*completed, *touch, ("mired",))

    def rank(self, worth: WheelWorth) -> tuple[int, int, int]:
        """Return the sort key of a worth, smaller is better: group, negative number of stands, place within the
        group.
        """
        place = next(place for place, group in enumerate(self.groups) if worth.kind in group)
        return place, -worth.stands, self.groups[place].index(worth.kind)

    @cached_property
    def best(self) -> WheelWorth | None:
        """Best worth that any sampled wheel has, None if no wheel completes, touches or ends mired."""
        return next(
            (
                worth
                for group in self.groups
                for stands in self.tried.levels
                for worth in self._worths(group, stands)
            ),
            None,
        )

    def _worths(self, group: tuple[Kind, ...], stands: int) -> Iterator[WheelWorth]:
        """Yield the worths of a group that some sampled wheel with exactly so many stands has."""
        for kind in group:
            if any(
                len(numbers) and alignment.of_kind(kind).any()
                for alignment, numbers in self._usable(stands)
            ):
                yield WheelWorth(kind, stands)

    @cached_property
    def _usable(self) -> Callable[[int], list[tuple[Alignment, IntArray]]]:
        """Function of a number of stands: for each corner, the ends of the wheels that bring so many, and their
        indices.

        Only wheels count whose advance is free and short enough.
        """

        def usable(stands: int) -> list[tuple[Alignment, IntArray]]:
            """Return, for each corner, the ends of the usable wheels that bring so many stands, and their indices."""
            near = (
                some.where(some.fan.is_near_enough(self.most)) for some in self.tried.free(stands)
            )
            return [(Alignment(some.fan), some.numbers) for some in near]

        return cache(usable)

    @cached_property
    def choice(self) -> Choice | None:
        """The wheel that the rules choose, None if no wheel completes, touches or ends mired."""
        if self.best is None:
            return None
        wheels = promising(self.windows, self.scene.choices.wheel_policy)
        return _chosen(self, self.best, list(wheels))

    @cached_property
    def windows(self) -> tuple[WheelInterval, ...]:
        """The intervals of wheels of the best worth, one for each of `best_runs`."""
        return tuple(self.window(number, run) for number, run in self.best_runs)

    @cached_property
    def best_runs(self) -> tuple[tuple[int, Run], ...]:
        """Runs of neighbouring sampled wheels that have the best worth, each with the index of its corner."""
        if self.best is None:
            return ()
        some = [
            (corner, *usable)
            for corner, usable in enumerate(self._usable(self.best.stands))
            if len(usable[1])
        ]
        return tuple(
            (corner, run)
            for corner, alignment, numbers in some
            for run in consecutive_runs(numbers[alignment.of_kind(self.best.kind)])
        )

    def window(self, number: int, run: Run) -> WheelInterval:
        """Return the interval of wheels of the best worth that belongs to a run about the corner with index
        `number`.
        """
        if self.best is None:
            raise AssertionError("no wheel has a worth yet")
        alignment, numbers = self._usable(self.best.stands)[number]
        first = int(np.searchsorted(numbers, run.first))
        fan = alignment.fan.of(np.arange(first, first + run.last - run.first + 1))
        return WheelInterval(fan, self.best, self.most, self.tried.fans[number].angles, run)


def _chosen(search: WheelSearch, worth: WheelWorth, wheels: Sequence[Wheel]) -> Choice:
    """Return the choice among the best wheels of all intervals: by policy, then longer contact, shorter advance, and
    the left corner.
    """
    left = list(wheels)
    for key, sign, within in (*POLICIES[search.scene.choices.wheel_policy], ("way", 1.0, CONTACT)):
        least = min(sign * getattr(wheel, key) for wheel in left)
        left = [wheel for wheel in left if sign * getattr(wheel, key) <= least + within]
    sides = {wheel.side for wheel in left if wheel.angle > FLUSH}
    return Choice(
        worth,
        min(left, key=lambda wheel: wheel.side),
        max(len(sides), 1),
        _proof(search, worth, left[0]),
    )


def _proof(search: WheelSearch, worth: WheelWorth, wheel: Wheel) -> Proof:
    """Return "exact" if the chosen wheel attains all upper bounds without a turn, else "tolerance"."""
    scene = search.scene
    policy = search.scene.choices.wheel_policy
    width = scene.charger.width
    base = scene.charger.base.width
    facing = search.tried.charged.facing.length
    most = min(scene.charger.files, int((facing - 2 * scene.choices.overlap) / base) + 2)
    is_longest = wheel.length >= min(width, facing) - CONTACT
    is_bound = worth == WheelWorth("own", most) and wheel.angle == 0.0
    return (
        "exact"
        if is_bound and policy != "widest-turn" and (policy == "least-turn" or is_longest)
        else "tolerance"
    )
