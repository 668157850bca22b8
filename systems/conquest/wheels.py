"""The wheels that are tried, whatever is rolled, and what they are worth."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.conquest.corner import Corner, Flags, corners
from systems.conquest.facing import Charged
from systems.conquest.fan import Fan
from systems.conquest.scene import Scene
from systems.conquest.settling import Kind, Settling
from tabletop.pose import FloatArray, Side
from tabletop.solve.windows import samples

STEP = 9e-4
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
        return tuple(Fan(corner, _angles(corner, corner.limit[0], self.extra)) for corner in self.corners)

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
        return tuple(free_of(fan) for fan in self.fans)


def free_of(fan: Fan) -> Flags:
    """Tell which wheels reach the facing on a free advance."""
    free = fan.reaches.copy()
    free[free] = fan.of(free).is_free
    return free


def have_merit(fan: Fan, merit: Merit, *, most: float) -> Flags:
    """Tell which wheels have a merit, going straight ahead by at most so many inches."""
    found: Flags = fan.reaching == merit.stands
    found[found] = _are_usable(fan.of(found), most)
    found[found] = Settling(fan.of(found)).of_kind(merit.kind)
    return found


def _are_usable(fan: Fan, most: float) -> Flags:
    usable: Flags = free_of(fan) & fan.is_near_enough(most)
    return usable


def _angles(corner: Corner, limit: float, extra: tuple[float, ...] = ()) -> FloatArray:
    """Give wheels up to a limit in radians, among them those at which something is known to change or to fit exactly."""
    parallel = abs(float(Fan(corner, np.array([0.0])).turns[0]))
    return samples(0.0, limit, step=STEP, more=(parallel, *extra, *corner.count_changes, *corner.passages, *corner.length_changes))
