"""The wheels that are tried, whatever is rolled, and what they are worth."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.conquest.bodies import Flags, Numbers
from systems.conquest.charged_facing import Charged
from systems.conquest.corner import Corner, corners
from systems.conquest.fan import Fan
from systems.conquest.scene import Scene
from systems.conquest.settling import Kind, Settling
from tabletop.geometry.pose import FloatArray, Side
from tabletop.optimise.window import samples
from tabletop.units import CONTACT

WHEEL_STEP = 9e-4
"""Radians between the wheels tried: no window of a thousandth of a radian is missed."""


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


@dataclass(frozen=True, eq=False)
class Tried:
    """The wheels of a charge against one facing that are tried, whatever is rolled; `extra` angles in radians among them."""

    scene: Scene
    charged: Charged
    extra: tuple[float, ...] = ()

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
        return tuple(Fan(corner, _angles(corner, max(corner.limit.exact, 0.0), self.extra)) for corner in self.corners)

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The numbers of stands that wheels bring, most first."""
        return tuple(sorted({int(count) for fan in self.fans for count in np.unique(fan.reaching) if count}, reverse=True))

    @cached_property
    def is_reached(self) -> bool:
        """Whether some wheel brings a stand to the facing, obstacles ignored; none does to one that is shorter than it must cover."""
        if self.charged.facing.length < self.scene.choices.overlap - 2.0 * CONTACT:
            return False
        if any(len(some.numbers) for stands in self.levels for some in self.reaching(stands)):
            return True
        limit = self.scene.book.wheel_limit
        return any(bool(Fan(corner, _angles(corner, limit)).reaches.any()) for corner in self.corners)

    def reaching(self, stands: int) -> list["Sifted"]:
        """Give the wheels about each corner that bring so many stands to the facing, and the first contact onto it."""
        if stands not in self._reaching:
            self._reaching[stands] = [reaching(fan, stands) for fan in self.fans]
        return self._reaching[stands]

    def free(self, stands: int) -> list["Sifted"]:
        """Give those of them whose advance is free."""
        if stands not in self._free:
            self._free[stands] = [some.where(some.fan.is_free) for some in self.reaching(stands)]
        return self._free[stands]

    @cached_property
    def _reaching(self) -> dict[int, list["Sifted"]]:
        return {}

    @cached_property
    def _free(self) -> dict[int, list["Sifted"]]:
        return {}


@dataclass(frozen=True, eq=False)
class Sifted:
    """Some wheels of a fan: their numbers in it (k,), and a fan of them alone."""

    numbers: Numbers
    fan: Fan

    def where(self, flags: Flags) -> "Sifted":
        """Keep some of them (k,)."""
        return self if flags.all() else Sifted(self.numbers[flags], self.fan.of(flags))


def reaching(fan: Fan, stands: int) -> Sifted:
    """Give the wheels that bring so many stands to the facing, and the first contact onto it."""
    numbers = np.flatnonzero(fan.reaching == stands)
    some = Sifted(numbers, fan.of(numbers))
    return some.where(some.fan.meets)


def have_merit(fan: Fan, merit: Merit, *, most: float) -> Flags:
    """Tell which wheels have a merit, going straight ahead by at most so many inches."""
    some = reaching(fan, merit.stands)
    some = some.where(some.fan.is_near_enough(most))
    some = some.where(some.fan.is_free)
    found = np.zeros(len(fan.angles), dtype=bool)
    found[some.numbers] = Settling(some.fan).of_kind(merit.kind)
    return found


def _angles(corner: Corner, limit: float, extra: tuple[float, ...] = ()) -> FloatArray:
    """Give wheels up to a limit in radians, among them those at which something is known to change or to fit exactly."""
    return samples(
        0.0, limit, step=WHEEL_STEP, more=(abs(corner.lean), *extra, *corner.count_changes, *corner.passages, *corner.length_changes)
    )
