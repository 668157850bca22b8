"""One wheel tried to its end: what becomes of it, which rule stops it, and where everybody stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from systems.conquest.charged_facing import Charged
from systems.conquest.corner import Corner
from systems.conquest.fan import Fan
from systems.conquest.move import Leg, Legs
from systems.conquest.scene import Scene
from systems.conquest.settling import Kind, Settling
from systems.conquest.wheels import Merit
from tabletop.fronts.obstacle import Hazard
from tabletop.geometry.pose import Point, Pose, Side
from tabletop.table.state import Regiment
from tabletop.units import CONTACT, FLUSH

Fate = Kind | Literal["misses", "blocked", "too-far", "stuck"]
END_KINDS: tuple[Kind, ...] = ("own", "turned", "push", "mired")
RULES = {
    "misses": "conquest.facing.reach",
    "too-far": "conquest.move.charge-distance",
    "mired": "conquest.through.clear",
}
MERITS: tuple[Kind, ...] = (*END_KINDS, "touch")


@dataclass(frozen=True, eq=False)
class Trial:
    """A wheel about a front corner by `angle` radians, with a straight move of at most `most` inches after it.

    `slack` inches are allowed to every limit.
    """

    corner: Corner
    angle: float
    most: float
    slack: float = CONTACT

    @property
    def scene(self) -> Scene:
        """The charge in its surroundings."""
        return self.corner.scene

    @property
    def charged(self) -> Charged:
        """The charged facing."""
        return self.corner.charged

    @property
    def side(self) -> Side:
        """Which front corner stays."""
        return self.corner.side

    @cached_property
    def fan(self) -> Fan:
        """The wheel alone."""
        return Fan(self.corner, np.array([self.angle]), self.slack)

    @cached_property
    def settling(self) -> Settling:
        """What becomes of it after a free advance."""
        return Settling(self.fan)

    @cached_property
    def fate(self) -> Fate:
        """What becomes of it: the first that applies."""
        if not self.fan.reaches[0] and not self.is_in_target:
            return "misses"
        if self.is_in_target or not self.fan.is_free[0]:
            return "blocked"
        if not self.fan.is_near_enough(self.most)[0]:
            return "too-far"
        found: Fate | None = next((kind for kind in END_KINDS if self.settling.of_kind(kind)[0]), None)
        if found is None and self.scene.choices.deadlock == "touch" and self.settling.touch[0]:
            return "touch"
        return found or "stuck"

    @property
    def is_in_target(self) -> bool:
        """Whether the wheel ends in the target, so that there is no advance that could miss it."""
        return bool(self.fan.reaching[0] and self.fan.ways[0] < -CONTACT and self.angle > self.corner.limit.farthest)

    @property
    def merit(self) -> Merit | None:
        """Its merit, if it completes, touches or is mired."""
        kind = next((kind for kind in MERITS if kind == self.fate), None)
        return Merit(kind, self.stands) if kind is not None else None

    @property
    def stands(self) -> int:
        """How many front stands reach the charged facing."""
        return int(self.fan.reaching[0])

    @cached_property
    def stopped_by(self) -> Hazard | None:
        """What breaks a needed gap first, on the wheel or on the advance."""
        if self.angle > self.corner.limit.farthest:
            return self.corner.limit.hazard
        ahead = self.corner.ahead
        alone = self.fan.of(np.zeros(len(ahead.numbers), dtype=np.intp))
        stretches = alone.stretches(ahead)
        breached = np.flatnonzero(stretches.blocks(alone.ways) & ~alone.offending(ahead, stretches))
        if not len(breached):
            return None
        first = breached[np.maximum(stretches.low[breached], 0.0).argmin()]
        return self.scene.hazards[int(ahead.numbers[first])]

    @property
    def rule(self) -> str | None:
        """The rule that stops it, if one does by name."""
        if self.fate == "blocked" and self.stopped_by is not None:
            return self.scene.rule_of(self.stopped_by)
        if self.fate == "stuck":
            return "conquest.push.room" if self.settling.wants_push[0] else "conquest.align.flush"
        return RULES.get(self.fate)

    @property
    def wheel(self) -> float:
        """The wheel in radians on the table, counter-clockwise positive."""
        return self.angle if self.side == "left" else -self.angle

    @property
    def pivot(self) -> Point:
        """The corner that stays."""
        return self.scene.charger.front_left if self.side == "left" else self.scene.charger.front_right

    @property
    def way(self) -> float:
        """The advance in inches."""
        return float(self.fan.ways[0])

    @property
    def wheeled(self) -> Pose:
        """The charger after the wheel."""
        return self.corner.pose(self.angle)

    @property
    def at_contact(self) -> Pose:
        """The charger at first contact."""
        return self.corner.pose(self.angle, self.way)

    @property
    def contact(self) -> Point:
        """The point about which it turns flush."""
        across = float(self.fan.places[0]) - self.fan.width / 2.0
        return self.at_contact.point(across * self.corner.view.sense, 0.0)

    @property
    def turn(self) -> float:
        """The turn of the charger that makes it flush, in radians on the table, counter-clockwise positive."""
        return float(self.fan.turns[0]) * self.corner.view.sense

    @property
    def length(self) -> float:
        """The common stretch of front and facing at the end, in inches."""
        return float(self.fan.lengths[0]) if self.fate != "touch" or abs(self.turn) <= FLUSH else 0.0

    @cached_property
    def end(self) -> Pose:
        """The charger at the end of a charge that completes or touches."""
        if self.fate not in ("own", "push") or self.turn == 0.0:
            return self.at_contact
        return self.at_contact.turned_about(self.contact, self.turn)

    @cached_property
    def target_end(self) -> Pose | None:
        """The target at the end, None for a garrison."""
        unit = self.scene.target.unit
        if unit is None or self.fate != "turned":
            return unit.pose if unit else None
        return unit.pose.turned_about(self.contact, -self.turn)

    @cached_property
    def pushed(self) -> Mapping[str, Pose]:
        """Where the regiments that are pushed end, in file order."""
        if self.fate != "push":
            return {}
        pushes, wheeled = self.settling.pushes, self.wheeled
        places = {}
        for number in np.flatnonzero(pushes.offenders[0]).tolist():
            sideways, ahead = pushes.shifts[0, number].tolist()
            enemy = self.scene.enemies[number]
            x, y = Pose(*enemy.pose.at, wheeled.heading).point(sideways * self.corner.view.sense, ahead)
            places[enemy.name] = Pose(x, y, enemy.pose.heading)
        return places

    @cached_property
    def charge_legs(self) -> Legs:
        """Wheel and advance; with nothing left out, so that a charge that does not move has a way too."""
        charger = self.scene.charger
        wheel = (Leg(charger, charger.pose, self.wheel, pivot=self.pivot),) if self.angle > 0.0 else ()
        return (*wheel, Leg(charger, self.wheeled, self.way, direction=self.wheeled.forward))

    @cached_property
    def align_legs(self) -> Legs:
        """The charger's own turn at the end, nothing if it makes none."""
        if self.fate not in ("own", "push") or self.turn == 0.0:
            return ()
        return (Leg(self.scene.charger, self.at_contact, self.turn, pivot=self.contact),)

    @property
    def overlapped(self) -> tuple[Regiment, ...]:
        """The friends that are overlapped at first contact."""
        numbers = self.corner.friends.numbers[self.settling.is_overlapped[0]]
        return tuple(self.scene.crossable[number] for number in numbers.tolist())
