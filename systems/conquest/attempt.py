"""A declared charge: the result of every face of the die, one wheel carried out to its end, and the table after it."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Literal

import numpy as np
import shapely

from systems.conquest.alignment import Alignment, Kind
from systems.conquest.candidates import WheelCandidates
from systems.conquest.corner import Corner, WheelLimits
from systems.conquest.declare import Declaration
from systems.conquest.move import Leg, Legs, Mired, crossed, march_legs, stopped_in_friends
from systems.conquest.scene import ChargedFacing, Scene
from systems.conquest.search import Choice, SampledWheels, Wheel, WheelSearch, WheelWorth
from tabletop.fronts.obstacle import ConvexObstacle
from tabletop.geometry.distance import gap
from tabletop.geometry.motion import GAP_ROUNDING
from tabletop.geometry.pose import Point, Pose, Side
from tabletop.geometry.shape import Shape
from tabletop.table.dice import SIDES
from tabletop.table.facing import Facing, facing_of, shown_models
from tabletop.table.state import Regiment, State
from tabletop.units import CONTACT, FLUSH

OutcomeKind = Kind | Literal["misses", "blocked", "too-far", "stuck"]

END_KINDS: tuple[Kind, ...] = ("own", "turned", "push", "mired")

WORTH_KINDS: tuple[Kind, ...] = (*END_KINDS, "touch")

FAILURE_RULES = {
    "misses": "conquest.facing.reach",
    "too-far": "conquest.move.charge-distance",
    "mired": "conquest.through.clear",
}


@dataclass(frozen=True, eq=False)
class WheelOutcome:
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
    def charged(self) -> ChargedFacing:
        """The charged facing."""
        return self.corner.charged

    @property
    def side(self) -> Side:
        """Which front corner stays."""
        return self.corner.side

    @cached_property
    def fan(self) -> WheelCandidates:
        """The wheel alone."""
        return WheelCandidates(self.corner, np.array([self.angle]), self.slack)

    @cached_property
    def alignment(self) -> Alignment:
        """Alignment after a free advance."""
        return Alignment(self.fan)

    @cached_property
    def kind(self) -> OutcomeKind:
        """Kind of end, the first that applies."""
        if not self.fan.reaches[0] and not self.is_in_target:
            return "misses"
        if self.is_in_target or not self.fan.is_free[0]:
            return "blocked"
        if not self.fan.is_near_enough(self.most)[0]:
            return "too-far"
        found: OutcomeKind | None = next((kind for kind in END_KINDS if self.alignment.of_kind(kind)[0]), None)
        if found is None and self.scene.choices.deadlock == "touch" and self.alignment.touch[0]:
            return "touch"
        return found or "stuck"

    @property
    def is_in_target(self) -> bool:
        """Whether the wheel ends in the target, so that there is no advance that could miss it."""
        return bool(self.fan.reaching[0] and self.fan.ways[0] < -CONTACT and self.angle > self.corner.limit.farthest)

    @property
    def worth(self) -> WheelWorth | None:
        """Worth of the wheel, if it completes, touches or is mired, else None."""
        kind = next((kind for kind in WORTH_KINDS if kind == self.kind), None)
        return WheelWorth(kind, self.stands) if kind is not None else None

    @property
    def stands(self) -> int:
        """Number of front stands that reach the charged facing."""
        return int(self.fan.reaching[0])

    @cached_property
    def stopped_by(self) -> ConvexObstacle | None:
        """First hazard on wheel or advance to which the gap is too small."""
        if self.angle > self.corner.limit.farthest:
            return self.corner.limit.hazard
        ahead = self.corner.ahead
        alone = self.fan.of(np.zeros(len(ahead.numbers), dtype=np.intp))
        stretches = alone.stretches(ahead)
        breached = np.flatnonzero(stretches.blocks(alone.ways) & ~alone.met_together(ahead, stretches))
        if not len(breached):
            return None
        first = breached[np.maximum(stretches.low[breached], 0.0).argmin()]
        return self.scene.hazards[int(ahead.numbers[first])]

    @property
    def rule(self) -> str | None:
        """Name of the rule that stops the wheel, or None."""
        if self.kind == "blocked" and self.stopped_by is not None:
            return self.scene.rule_of(self.stopped_by)
        if self.kind == "stuck":
            return "conquest.push.room" if self.alignment.needs_push[0] else "conquest.align.flush"
        return FAILURE_RULES.get(self.kind)

    @property
    def wheel(self) -> float:
        """The wheel in radians on the table, counter-clockwise positive."""
        return self.angle if self.side == "left" else -self.angle

    @property
    def pivot(self) -> Point:
        """Corner that stays in place."""
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
        return float(self.fan.lengths[0]) if self.kind != "touch" or abs(self.turn) <= FLUSH else 0.0

    @cached_property
    def end(self) -> Pose:
        """The charger at the end of a charge that completes or touches."""
        if self.kind not in ("own", "push") or self.turn == 0.0:
            return self.at_contact
        return self.at_contact.turned_about(self.contact, self.turn)

    @cached_property
    def target_end(self) -> Pose | None:
        """The target at the end, None for a garrison."""
        unit = self.scene.target.unit
        if unit is None or self.kind != "turned":
            return unit.pose if unit else None
        return unit.pose.turned_about(self.contact, -self.turn)

    @cached_property
    def pushed(self) -> Mapping[str, Pose]:
        """Where the regiments that are pushed end, in file order."""
        if self.kind != "push":
            return {}
        pushes, wheeled = self.alignment.pushes, self.wheeled
        places = {}
        for number in np.flatnonzero(pushes.offenders[0]).tolist():
            sideways, ahead = pushes.shifts[0, number].tolist()
            enemy = self.scene.enemies[number]
            x, y = Pose(*enemy.pose.at, wheeled.heading).point(sideways * self.corner.view.sense, ahead)
            places[enemy.name] = Pose(x, y, enemy.pose.heading)
        return places

    @cached_property
    def charge_legs(self) -> Legs:
        """Wheel and advance, legs of length 0 included, so that a charge without movement also has a way."""
        charger = self.scene.charger
        wheel = (Leg(charger, charger.pose, self.wheel, pivot=self.pivot),) if self.angle > 0.0 else ()
        return (*wheel, Leg(charger, self.wheeled, self.way, direction=self.wheeled.forward))

    @cached_property
    def align_legs(self) -> Legs:
        """The charger's own turn at the end, nothing if it makes none."""
        if self.kind not in ("own", "push") or self.turn == 0.0:
            return ()
        return (Leg(self.scene.charger, self.at_contact, self.turn, pivot=self.contact),)

    @property
    def overlapped(self) -> tuple[Regiment, ...]:
        """The friends that are overlapped at first contact."""
        numbers = self.corner.friends.numbers[self.alignment.is_overlapped[0]]
        return tuple(self.scene.crossable[number] for number in numbers.tolist())


def mired_charge(trial: WheelOutcome) -> Mired:
    """Return where a charger stops if its wheel ends in friends."""
    legs = (*march_legs(trial.scene), *trial.charge_legs)
    return stopped_in_friends(trial.scene, legs, trial.scene.charger.at(trial.at_contact).boundary, trial.overlapped)


@dataclass(frozen=True, eq=False)
class ChargeSearch:
    """Search for the wheel of a declared charge, for any roll."""

    declaration: Declaration

    @property
    def scene(self) -> Scene:
        """The charge in its surroundings."""
        return self.declaration.scene

    @cached_property
    def tried(self) -> SampledWheels | None:
        """Sampled wheels against the charged facing, the first that any wheel reaches; None if none is reached."""
        sides = self.declaration.facings
        if self.scene.choices.facing_out_of_reach == "fail":
            sides = sides[:1]
        wheel_limits = WheelLimits(self.scene)
        for side in sides:
            self.scene.check_deadline()
            tried = SampledWheels(wheel_limits, side)
            if tried.is_reached:
                return tried
        return None

    def most(self, face: int) -> float:
        """Return the limit of the straight move for a face of the die, in inches."""
        return math.inf if self.scene.choices.reach == "roll-decides" else self.declaration.measured.march + face

    @cached_property
    def search(self) -> Callable[[SampledWheels, float], WheelSearch]:
        """Return the search among the sampled wheels for a limit of the straight move, in inches."""
        return cache(self._searched)

    def _searched(self, tried: SampledWheels, most: float) -> WheelSearch:
        """Return the search among sampled wheels; if none completes, with the free wheel and the player's own added."""
        search, own = WheelSearch(tried, most), self.scene.declarations.wheel
        if search.can_complete:
            return search
        wheels = [tried.free_wheel, *([(own.pivot, math.radians(own.angle_deg))] if own is not None else [])]
        extra = tuple(angle for side, angle in wheels if WheelOutcome(tried.corner(side), angle, most).worth not in (None, search.best))
        return WheelSearch(replace(tried, extra=extra), most) if extra else search

    def own(self, tried: SampledWheels, most: float) -> WheelOutcome | None:
        """Return the outcome of the player's own wheel, if any, for a limit of the straight move in inches."""
        wheel = self.scene.declarations.wheel
        return None if wheel is None else WheelOutcome(tried.corner(wheel.pivot), math.radians(wheel.angle_deg), most)

    def settled(self, face: int) -> "FaceResult | None":
        """Return the result of a sufficient face of the die; None where no facing is reached."""
        return None if self.tried is None else FaceResult(self, self.tried, face)

    def faces(self, kept: int) -> tuple[int, ...]:
        """Return the faces of the die that complete the charge; the face rolled is tested first."""
        enough = [face for face in range(1, SIDES + 1) if self.declaration.measured.reaches(face)]
        if self.tried is None or not enough:
            return ()
        if self.scene.declarations.wheel is not None:
            return tuple(face for face in enough if FaceResult(self, self.tried, face).completes)
        first = kept if kept in enough and self.search(self.tried, self.most(kept)).can_complete else SIDES
        return tuple(face for face in enough if face >= self._least_face(self.tried, enough, first))

    def _least_face(self, tried: SampledWheels, enough: list[int], first: int) -> int:
        """Return the least face that completes the charge; a larger face allows every wheel that a smaller one does."""
        least = SIDES + 1
        while first >= enough[0] and (search := self.search(tried, self.most(first))).can_complete:
            least = next(face for face in enough if search.least_way <= self.most(face) + CONTACT)
            first = least - 1
        return least


@dataclass(frozen=True, eq=False)
class FaceResult:
    """Result of a sufficient face of the die."""

    attempt: ChargeSearch
    tried: SampledWheels
    face: int

    @cached_property
    def search(self) -> WheelSearch:
        """The search for the wheel."""
        return self.attempt.search(self.tried, self.attempt.most(self.face))

    def trial(self, wheel: Wheel, *, slack: float = CONTACT) -> WheelOutcome:
        """Return the outcome of a wheel."""
        return WheelOutcome(self.tried.corner(wheel.side), wheel.angle, self.search.most, slack)

    def chosen(self, choice: Choice) -> WheelOutcome:
        """Return the outcome of the chosen wheel, with slack if rounding puts it just outside a limit."""
        trials = [self.trial(choice.wheel, slack=slack) for slack in (CONTACT, GAP_ROUNDING)]
        return next((trial for trial in trials if trial.worth == choice.worth), trials[0])

    @cached_property
    def own(self) -> WheelOutcome | None:
        """The player's own wheel, if there is one."""
        return self.attempt.own(self.tried, self.search.most)

    @property
    def is_own_worse(self) -> bool:
        """Whether the player's own wheel is worse than the best."""
        if self.own is None or self.search.best is None:
            return False
        return self.own.worth is None or self.search.rank(self.own.worth) > self.search.rank(self.search.best)

    @property
    def completes(self) -> bool:
        """Whether the charge completes."""
        return self.search.can_complete and not self.is_own_worse

    @property
    def free_wheel(self) -> WheelOutcome:
        """Outcome of the free wheel on the full table."""
        side, angle = self.tried.free_wheel
        return WheelOutcome(self.tried.corner(side), angle, self.search.most)


@dataclass(frozen=True, eq=False)
class CompletedWheel:
    """A wheel that ends as a successful charge, and the choice that selected it."""

    trial: WheelOutcome
    choice: Choice

    @cached_property
    def after(self) -> State:
        """The table afterwards."""
        trial, scene = self.trial, self.trial.scene
        state = scene.state.with_unit(scene.charger.at(trial.end).with_status("charged", "inspired"))
        if scene.target.unit is not None and trial.target_end is not None:
            state = state.with_unit(scene.target.unit.at(trial.target_end))
        for name, pose in trial.pushed.items():
            state = state.with_unit(state.units[name].at(pose))
        return state

    @cached_property
    def body(self) -> Shape:
        """The charger's frame at the end."""
        return self.trial.scene.charger.at(self.trial.end).boundary

    @property
    def target_body(self) -> Shape:
        """The target's frame at the end."""
        unit = self.trial.scene.target.unit
        return self.after.units[unit.name].boundary if unit is not None else self.trial.scene.target.shape

    @property
    def facing(self) -> Facing:
        """The charged facing at the end."""
        charged, unit = self.trial.charged, self.trial.scene.target.unit
        return charged.facing if unit is None or charged.name is None else facing_of(self.after.units[unit.name], charged.name)

    @cached_property
    def charger_in_contact(self) -> tuple[int, ...]:
        """Numbers of the front stands whose front edge is in contact with the target."""
        charger = self.trial.scene.charger.at(self.trial.end)
        edges = [
            (-charger.width / 2 + n * charger.base.width, -charger.width / 2 + (n + 1) * charger.base.width) for n in range(charger.files)
        ]
        lines = [(charger.pose.point(low, 0.0), charger.pose.point(high, 0.0)) for low, high in edges]
        return tuple(number for number, line in enumerate(lines) if self._touches(line, self.target_body))

    @cached_property
    def target_in_contact(self) -> tuple[int, ...]:
        """Numbers of the target's stands that show on the parts of the charged facing in contact with the charger."""
        unit, name = self.trial.scene.target.unit, self.trial.charged.name
        if unit is None or name is None:
            return ()
        parts = shown_models(unit, name)
        return tuple(part.number for part in parts if self._touches((self.facing.point(part.low), self.facing.point(part.high)), self.body))

    def _touches(self, line: tuple[Point, Point], body: Shape) -> bool:
        """Return whether an edge is in contact with a body, by the choice in more than a point."""
        scene = self.trial.scene
        apart = float(shapely.LineString(line).distance(body.core))
        if not scene.is_in_contact(apart):
            return False
        return scene.choices.corner_contact == "counts" or self._common(line) > CONTACT

    def _common(self, line: tuple[Point, Point]) -> float:
        """Return how much of an edge on the line of contact lies on both front and facing, in inches."""
        if self.trial.kind == "touch" and self.trial.turn != 0.0:
            return 0.0
        charger, facing = self.trial.scene.charger.at(self.trial.end), self.facing
        stretches = [(0.0, facing.length)]
        for ends in ((charger.front_left, charger.front_right), line):
            low, high = sorted(facing.coordinates(end)[0] for end in ends)
            stretches.append((low, high))
        return min(high for _, high in stretches) - max(low for low, _ in stretches)

    @property
    def push_distance(self) -> float:
        """Total length of all pushes, in inches."""
        units = self.trial.scene.state.units
        return sum(math.dist(units[name].pose.at, pose.at) for name, pose in self.trial.pushed.items())

    @cached_property
    def crossed(self) -> tuple[str, ...]:
        """Names of the friends that were crossed."""
        trial = self.trial
        legs = (*march_legs(trial.scene), *trial.charge_legs, *trial.align_legs)
        return crossed(legs, trial.scene.crossable)

    @cached_property
    def nearest_other(self) -> tuple[float, str] | None:
        """Least gap of the charger's end frame to another enemy, garrison or impassable terrain, and whose it is."""
        return min(self.gaps(("enemy", "garrison", "impassable")), default=None)

    def gaps(self, kinds: tuple[str, ...]) -> Iterator[tuple[float, str]]:
        """Yield the gaps, in inches, from the charger's end frame to hazards of some kinds, with their names."""
        for obstacle in self.trial.scene.obstacles:
            if obstacle.rule.rpartition(".")[2] in kinds:
                unit = self.after.units.get(obstacle.name)
                yield gap(self.body, unit.boundary if unit is not None else obstacle.shape), obstacle.name


def evidence_contacts(done: CompletedWheel) -> Mapping[str, tuple[int, ...]]:
    """Return the stands in contact at the end, by unit."""
    scene = done.trial.scene
    target = {scene.target.name: done.target_in_contact} if scene.target.unit is not None else {}
    return {scene.charger.name: done.charger_in_contact, **target}
