"""Choosing the free wheel: the first group that any wheel has, in it most stands, then the charger's own turn, then the policy."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.conquest.corner import Corner, corners
from systems.conquest.facing import Charged
from systems.conquest.fan import Fan, Flags
from systems.conquest.scene import Scene
from systems.conquest.settling import Kind, Settling
from tabletop.motion import DUST
from tabletop.pose import FloatArray, Side
from tabletop.ruling import Proof
from tabletop.solve.windows import Run, border, peak, runs, samples
from tabletop.units import CONTACT, FLUSH

STEP = 9e-4
"""Radians between the wheels tried: no window of a thousandth of a radian is missed."""
LEAST_RISE = 0.01
"""Inches by which a contact may get longer from one wheel tried to the next without having shown it before."""
PLATEAU = 1e-11
"""Inches within which contacts are equally long on one window."""


@dataclass(frozen=True)
class Merit:
    """What a wheel is worth before the policy is asked."""

    kind: Kind
    stands: int


@dataclass(frozen=True)
class Wheel:
    """A wheel about the `side` front corner by `angle` radians: how long the contact gets, and how far the advance is, in inches."""

    side: Side
    angle: float
    length: float
    way: float


@dataclass(frozen=True)
class Choice:
    """The wheel the rules choose: its merit, how many are equally good, and how sure it is."""

    merit: Merit
    wheel: Wheel
    choices: int
    proof: Proof


@dataclass(frozen=True, eq=False)
class Tried:
    """The wheels of a charge against one facing that are tried, whatever is rolled."""

    scene: Scene
    charged: Charged

    @cached_property
    def corners(self) -> Sequence[Corner]:
        """Both front corners."""
        return corners(self.scene, self.charged)

    def corner(self, side: Side) -> Corner:
        """Give one front corner."""
        return next(corner for corner in self.corners if corner.side == side)

    @cached_property
    def fans(self) -> tuple[Fan, ...]:
        """The wheels tried about each corner: those that keep all needed gaps while they turn."""
        return tuple(Fan(corner, _angles(corner, corner.limit[0])) for corner in self.corners)

    @cached_property
    def is_reached(self) -> bool:
        """Whether some wheel brings a stand to the facing, obstacles ignored."""
        if any(bool(fan.reaches.any()) for fan in self.fans):
            return True
        limit = self.scene.book.wheel_limit
        return any(bool(Fan(corner, _angles(corner, limit)).reaches.any()) for corner in self.corners)

    @cached_property
    def free(self) -> tuple[Flags, ...]:
        """Which of the wheels tried reach the facing on a free advance."""
        return tuple(_free(fan) for fan in self.fans)


def _free(fan: Fan) -> Flags:
    """Tell which wheels reach the facing on a free advance."""
    free = fan.reaches.copy()
    free[free] = fan.of(free).is_free
    return free


@dataclass(frozen=True, eq=False)
class Search:
    """The search for the wheel that the rules choose; `most` is how far the straight move may go, in inches."""

    tried: Tried
    most: float

    @property
    def scene(self) -> Scene:
        """The charge in its surroundings."""
        return self.tried.scene

    @cached_property
    def usable(self) -> tuple[Flags, ...]:
        """Which of the wheels tried reach the facing, are free, and near enough."""
        pairs = zip(self.tried.fans, self.tried.free, strict=True)
        return tuple(free & fan.is_near_enough(self.most) for fan, free in pairs)

    def has(self, merit: Merit, fan: Fan) -> Flags:
        """Tell which wheels have a merit."""
        found: Flags = fan.reaching == merit.stands
        found[found] = self._is_usable(fan.of(found))
        found[found] = Settling(fan.of(found)).of_kind(merit.kind)
        return found

    def _is_usable(self, fan: Fan) -> Flags:
        usable: Flags = _free(fan) & fan.is_near_enough(self.most)
        return usable

    @property
    def can_complete(self) -> bool:
        """Whether some wheel completes the charge."""
        return self.best is not None and self.best.kind != "mired"

    @cached_property
    def least_way(self) -> float:
        """The shortest advance of the wheels tried that have the best merit, in inches."""
        if self.best is None:
            return math.inf
        settled = zip(self.tried.fans, self._settled(self.best.kind, self.best.stands), strict=True)
        return min(float(fan.ways[flags].min(initial=math.inf)) for fan, flags in settled)

    @cached_property
    def groups(self) -> tuple[tuple[Kind, ...], ...]:
        """The kinds of wheels that complete or touch, or are mired, in the order in which they count."""
        completed: tuple[tuple[Kind, ...], ...] = (("own", "turned"), ("push",))
        if self.scene.choices.push == "most-stands":
            completed = (("own", "turned", "push"),)
        touch: tuple[tuple[Kind, ...], ...] = (("touch",),) if self.scene.choices.deadlock == "touch" else ()
        return (*completed, *touch, ("mired",))

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The numbers of stands that usable wheels bring, most first."""
        found = {int(count) for fan, usable in zip(self.tried.fans, self.usable, strict=True) for count in np.unique(fan.reaching[usable])}
        return tuple(sorted(found, reverse=True))

    @cached_property
    def best(self) -> Merit | None:
        """The best merit that any wheel has."""
        return next((merit for group in self.groups for stands in self.levels for merit in self._merits(group, stands)), None)

    def _merits(self, group: tuple[Kind, ...], stands: int) -> Iterator[Merit]:
        """Give the merits of a group that some wheel with so many stands has."""
        for kind in group:
            if any(flags.any() for flags in self._settled(kind, stands)):
                yield Merit(kind, stands)

    def _settled(self, kind: Kind, stands: int) -> Iterator[Flags]:
        """Tell of the wheels tried about each corner which have a merit."""
        for settling, at in self._levels(stands):
            flags = np.zeros(len(at), dtype=bool)
            flags[at] = settling.of_kind(kind)
            yield flags

    def _levels(self, stands: int) -> list[tuple[Settling, Flags]]:
        """Give the usable wheels that bring so many stands, and which they are, for each corner."""
        if stands not in self._known:
            at = [usable & (fan.reaching == stands) for fan, usable in zip(self.tried.fans, self.usable, strict=True)]
            self._known[stands] = [(Settling(fan.of(which)), which) for fan, which in zip(self.tried.fans, at, strict=True)]
        return self._known[stands]

    @cached_property
    def _known(self) -> dict[int, list[tuple[Settling, Flags]]]:
        return {}

    @cached_property
    def choice(self) -> Choice | None:
        """The wheel that the rules choose, or None where no wheel has any of the groups."""
        if self.best is None:
            return None
        windows = [self.window(number, run) for number, run in self.best_runs]
        return _chosen(self, self.best, list(_hopeful(windows, self.scene.choices.wheel_policy)))

    @cached_property
    def best_runs(self) -> tuple[tuple[int, Run], ...]:
        """The runs of wheels tried that have the best merit, with the numbers of their corners."""
        if self.best is None:
            return ()
        settled = enumerate(self._settled(self.best.kind, self.best.stands))
        return tuple((number, run) for number, flags in settled for run in runs(flags))

    def window(self, number: int, run: Run) -> "Window":
        """Give the wheels of the best merit from a run on."""
        if self.best is None:
            raise AssertionError("without a best merit nothing has it")
        return Window(self, self.tried.corners[number], self.best, self.tried.fans[number].angles, run)


@dataclass(frozen=True, eq=False)
class Window:
    """Neighbouring wheels of one merit: the run of `angles` that were tried, whose ends are narrowed down."""

    search: Search
    corner: Corner
    merit: Merit
    angles: FloatArray
    run: Run

    @property
    def best(self) -> float:
        """The angle that the policy takes."""
        policy = self.search.scene.choices.wheel_policy
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
        found = border(self._holds(DUST), inside, outside, hints=self._hints)
        if found is None:
            found = border(self._holds(CONTACT), inside, outside)
        return inside if found is None else found

    @property
    def _hints(self) -> tuple[float, ...]:
        """Wheels at which the number of stands changes, the advance just passes something, or gets too long."""
        most, corner = self.search.most, self.corner
        return corner.count_changes + corner.passages + (corner.way_changes(most) if math.isfinite(most) else ())

    def _holds(self, slack: float) -> Callable[[FloatArray], Flags]:
        return lambda angles: self.search.has(self.merit, Fan(self.corner, angles, slack))

    @property
    def _longest(self) -> float:
        """The least angle with the longest contact."""
        places = self.angles[self.run.first : self.run.last + 1]
        lengths = self._lengths(places)
        ends = [self.low] if _may_rise(lengths) else []
        ends += [self.high] if _may_rise(lengths[::-1]) else []
        places = np.unique(np.concatenate([places, ends]))
        lengths = self._lengths(places)
        top, charger = int(lengths.argmax()), self.corner.scene.charger
        if lengths[top] >= min(charger.width, self.corner.charged.facing.length) - PLATEAU:
            return self._first(places, lengths)
        angle = peak(self._lengths, float(places[max(top - 1, 0)]), float(places[min(top + 1, len(places) - 1)]))
        places, lengths = np.append(places, angle), np.append(lengths, self._lengths(np.array([angle])))
        return self._first(places, lengths)

    def _first(self, places: FloatArray, lengths: FloatArray) -> float:
        """Narrow down the least angle with the greatest of the lengths at some angles."""
        most = lengths.max() - PLATEAU
        first = float(places[lengths >= most].min())
        before = places[places < first].max(initial=-1.0)
        found = border(lambda angles: self._lengths(angles) >= most, first, float(before)) if before >= 0.0 else None
        return first if found is None else found

    def _lengths(self, angles: FloatArray) -> FloatArray:
        return _lengths(Fan(self.corner, angles), self.merit)


def _hopeful(windows: Sequence[Window], policy: str) -> Iterator[Wheel]:
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


def _angles(corner: Corner, limit: float) -> FloatArray:
    """Give wheels up to a limit in radians, among them the one after which the front is parallel to the facing."""
    parallel = abs(float(Fan(corner, np.array([0.0])).turns[0]))
    return samples(0.0, limit, step=STEP, more=(parallel,))


LONGEST, LEAST, WIDEST = ("length", -1.0, CONTACT), ("angle", 1.0, FLUSH), ("angle", -1.0, FLUSH)
POLICIES = {"most-contact": (LONGEST, LEAST), "least-turn": (LEAST, LONGEST), "widest-turn": (WIDEST, LONGEST)}
"""What is compared in which order: the wheel's field, whether more (-1) or less (1) of it is better, and what is equal."""


def _chosen(search: Search, merit: Merit, wheels: Sequence[Wheel]) -> Choice:
    """Choose among the best wheels of all windows: by the policy, then longer contact, shorter advance, and the left corner."""
    left = list(wheels)
    for key, sign, within in (*POLICIES[search.scene.choices.wheel_policy], ("way", 1.0, CONTACT)):
        least = min(sign * getattr(wheel, key) for wheel in left)
        left = [wheel for wheel in left if sign * getattr(wheel, key) <= least + within]
    sides = {wheel.side for wheel in left if wheel.angle > FLUSH}
    return Choice(merit, min(left, key=lambda wheel: wheel.side), max(len(sides), 1), _proof(search, merit, left[0]))


def _proof(search: Search, merit: Merit, wheel: Wheel) -> Proof:
    """Say "exact" where no wheel at all could be better: it has all that the bounds allow, and needs no turn."""
    scene, policy = search.scene, search.scene.choices.wheel_policy
    width, base, facing = scene.charger.width, scene.charger.base.width, search.tried.charged.facing.length
    most = min(scene.charger.files, int((facing - 2 * scene.choices.overlap) / base) + 2)
    is_longest = wheel.length >= min(width, facing) - CONTACT
    is_bound = merit == Merit("own", most) and wheel.angle == 0.0
    return "exact" if is_bound and policy != "widest-turn" and (policy == "least-turn" or is_longest) else "tolerance"
