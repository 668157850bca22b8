"""Charges that may be declared, and what each face that may be kept leads to."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from systems.conquest.choosing import Choice, WheelSearch
from systems.conquest.declare import Declaration
from systems.conquest.fan import Fan
from systems.conquest.scene import Scene
from systems.conquest.trial import Trial
from systems.conquest.wheels import Tried, Wheel
from tabletop.geometry.motion import GAP_ROUNDING
from tabletop.geometry.pose import Side
from tabletop.table.dice import SIDES
from tabletop.units import CONTACT

WHEELS_SPREAD = 1746
"""Wheels among which the least that reaches the facing is sought where every one touches the target on the way."""


@dataclass(frozen=True, eq=False)
class Attempt:
    """A charge that may be declared, with whatever its roll may be."""

    declaration: Declaration

    @property
    def scene(self) -> Scene:
        """The charge in its surroundings."""
        return self.declaration.scene

    @cached_property
    def tried(self) -> Tried | None:
        """The wheels against the charged facing, the first that some wheel reaches; None where none is reached."""
        sides = self.declaration.facings
        if self.scene.choices.facing_out_of_reach == "fail":
            sides = sides[:1]
        for side in sides:
            self.scene.keep_time()
            tried = Tried(self.scene, side)
            if tried.is_reached:
                return tried
        return None

    def most(self, face: int) -> float:
        """Give how far the straight move may go with a face, in inches."""
        return math.inf if self.scene.choices.reach == "roll-decides" else self.declaration.measured.march + face

    @cached_property
    def _searches(self) -> dict[float, WheelSearch]:
        return {}

    def search(self, tried: Tried, face: int) -> WheelSearch:
        """Give the search for the wheel with a face that is enough."""
        most = self.most(face)
        if most not in self._searches:
            self._searches[most] = self._searched(tried, most)
        return self._searches[most]

    def _searched(self, tried: Tried, most: float) -> WheelSearch:
        """Search among the wheels tried, and if none of them completes the charge, among them and the free wheel."""
        search = WheelSearch(tried, most)
        if search.can_complete:
            return search
        side, angle = self.free_wheel(tried)
        merit = Trial(tried.corner(side), angle, most).merit
        return search if merit in (None, search.best) else WheelSearch(replace(tried, extra=(angle,)), most)

    def free_wheel(self, tried: Tried) -> tuple[Side, float]:
        """Give the wheel chosen as if only charger and target existed, without Charge Distance: its corner and its angle."""
        if not self._free_wheels:
            self._free_wheels.append(_free_wheel(tried))
        return self._free_wheels[0]

    @cached_property
    def _free_wheels(self) -> list[tuple[Side, float]]:
        return []

    def settled(self, face: int) -> "Settled | None":
        """Say what a face that is enough leads to; None where no facing is reached."""
        return None if self.tried is None else Settled(self, self.tried, face)

    def faces(self, kept: int) -> tuple[int, ...]:
        """Give the faces that complete the charge when they are kept; the one that is kept is looked at first."""
        enough = [face for face in range(1, SIDES + 1) if self.declaration.measured.reaches(face)]
        if self.tried is None or not enough:
            return ()
        if self.scene.declarations.wheel is not None:
            return tuple(face for face in enough if Settled(self, self.tried, face).completes)
        first = kept if kept in enough and self.search(self.tried, kept).can_complete else SIDES
        return tuple(face for face in enough if face >= self._least_face(self.tried, enough, first))

    def _least_face(self, tried: Tried, enough: list[int], first: int) -> int:
        """Give the least face that completes the charge: with a larger one every wheel is still there."""
        least = SIDES + 1
        while first >= enough[0] and (search := self.search(tried, first)).can_complete:
            least = next(face for face in enough if search.least_way <= self.most(face) + CONTACT)
            first = least - 1
        return least


@dataclass(frozen=True, eq=False)
class Settled:
    """What a kept face that is enough leads to."""

    attempt: Attempt
    tried: Tried
    face: int

    @cached_property
    def search(self) -> WheelSearch:
        """The search for the wheel."""
        return self.attempt.search(self.tried, self.face)

    def trial(self, wheel: Wheel, *, slack: float = CONTACT) -> Trial:
        """Try a wheel to its end."""
        return Trial(self.tried.corner(wheel.side), wheel.angle, self.search.most, slack)

    def chosen(self, choice: Choice) -> Trial:
        """Try the wheel chosen, which may have its merit only just: as it is, or with what is only just allowed left out."""
        trials = [self.trial(choice.wheel, slack=slack) for slack in (CONTACT, GAP_ROUNDING)]
        return next((trial for trial in trials if trial.merit == choice.merit), trials[0])

    @cached_property
    def own(self) -> Trial | None:
        """The player's own wheel, if there is one."""
        wheel = self.tried.scene.declarations.wheel
        if wheel is None:
            return None
        return Trial(self.tried.corner(wheel.pivot), math.radians(wheel.angle_deg), self.search.most)

    @property
    def is_own_worse(self) -> bool:
        """Whether the player's own wheel is worse than the best."""
        if self.own is None or self.search.best is None:
            return False
        return self.own.merit is None or self.search.rank(self.own.merit) > self.search.rank(self.search.best)

    @property
    def completes(self) -> bool:
        """Whether the charge completes."""
        return self.search.can_complete and not self.is_own_worse

    @property
    def free_wheel(self) -> Trial:
        """The free wheel, tried where all else stands too."""
        side, angle = self.attempt.free_wheel(self.tried)
        return Trial(self.tried.corner(side), angle, self.search.most)


def _free_wheel(tried: Tried) -> tuple[Side, float]:
    """Choose a wheel as if only charger and target existed; where each would touch the target, the least that reaches the facing."""
    bare = WheelSearch(Tried(tried.scene.bare, tried.charged), math.inf).choice
    if bare is not None:
        return bare.wheel.side, bare.wheel.angle
    fans = [Fan(corner, np.linspace(0.0, tried.scene.book.wheel_limit, WHEELS_SPREAD)) for corner in tried.corners]
    least = [(float(fan.angles[fan.reaches].min(initial=math.inf)), fan.corner.side) for fan in fans]
    angle, side = min(least)
    return side, angle
