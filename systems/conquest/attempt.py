"""A declared charge as a search for its wheel: the result of every face of the die, the end of one wheel, and the
attempt with the face kept.
"""

import math
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Literal

import numpy as np
import shapely

from systems.conquest.alignment import Alignment, Kind
from systems.conquest.book import Book
from systems.conquest.candidates import WheelCandidates
from systems.conquest.corner import Corner, WheelLimits
from systems.conquest.declare import Declaration
from systems.conquest.move import (
    FailedMove,
    Leg,
    Legs,
    Mired,
    crossed,
    march_legs,
    stopped_in_friends,
)
from systems.conquest.roll import Roll
from systems.conquest.scene import ChargedFacing, Scene
from systems.conquest.search import Choice, SampledWheels, Wheel, WheelSearch, WheelWorth
from systems.conquest.words import Choices
from tabletop.budget import Budget
from tabletop.fronts.obstacle import ConvexObstacle
from tabletop.geometry.distance import gap
from tabletop.geometry.motion import GAP_ROUNDING
from tabletop.geometry.pose import Point, Pose, Side
from tabletop.geometry.shape import Shape
from tabletop.ruling.charge import Charge
from tabletop.table.dice import SIDES
from tabletop.table.facing import Facing, facing_of, shown_models
from tabletop.table.state import Regiment, State
from tabletop.units import CONTACT, FLUSH

OutcomeKind = Kind | Literal["misses", "blocked", "too-far", "stuck"]

END_KINDS: tuple[Kind, ...] = ("own", "turned", "push", "mired")

WORTH_KINDS: tuple[Kind, ...] = (*END_KINDS, "touch")

HOSTILE = ("conquest.path.enemy", "conquest.path.garrison")
"""Rules of the obstacles that a charge which ends near them did not charge."""

FAILURE_RULES = {
    "misses": "conquest.facing.reach",
    "too-far": "conquest.move.charge-distance",
    "mired": "conquest.through.clear",
}


@dataclass(frozen=True, eq=False)
class WheelOutcome:
    """Where a charge goes that begins with one given wheel, and how it ends.

    Attributes
    ----------
    corner
        Front corner about which the charger wheels.
    angle
        Wheel in radians, at least 0.
    most
        Limit of the straight move after the wheel, in inches.
    slack
        Tolerance on every limit, in inches.
    """

    corner: Corner
    angle: float
    most: float
    slack: float = CONTACT

    @property
    def scene(self) -> Scene:
        """The charge with all regiments and terrain around it."""
        return self.corner.scene

    @property
    def charged(self) -> ChargedFacing:
        """The side of the target that is charged."""
        return self.corner.charged

    @property
    def side(self) -> Side:
        """The front corner that stays in place: "left" or "right"."""
        return self.corner.side

    @cached_property
    def fan(self) -> WheelCandidates:
        """The wheel as the only candidate (arrays with one row), with its advance."""
        return WheelCandidates(self.corner, np.array([self.angle]), self.slack)

    @cached_property
    def alignment(self) -> Alignment:
        """The ways in which the charge may end after the advance, if that is free (arrays with one row)."""
        return Alignment(self.fan)

    @cached_property
    def kind(self) -> OutcomeKind:
        """How the charge ends, as a word: the first of the following that applies.

        "misses": the front does not reach the charged facing; "blocked": something is in the way; "too-far": the
        straight move is too long; "own": the charger turns flush itself; "turned": the target turns; "push": enemies
        are pushed; "mired": the charger ends in friends; "touch": it stays as it touches; "stuck": nobody can turn
        flush.
        """
        if not self.fan.reaches[0] and not self.is_in_target:
            return "misses"
        if self.is_in_target or not self.fan.is_free[0]:
            return "blocked"
        if not self.fan.is_near_enough(self.most)[0]:
            return "too-far"
        found: OutcomeKind | None = next(
            (kind for kind in END_KINDS if self.alignment.of_kind(kind)[0]), None
        )
        if found is None and self.scene.choices.deadlock == "touch" and self.alignment.touch[0]:
            return "touch"
        return found or "stuck"

    @property
    def is_in_target(self) -> bool:
        """Whether the charger overlaps the target at the end of the wheel, so that there is no advance that could miss
        it.
        """
        return bool(
            self.fan.reaching[0]
            and self.fan.ways[0] < -CONTACT
            and self.angle > self.corner.limit.farthest
        )

    @property
    def worth(self) -> WheelWorth | None:
        """Worth of the wheel (how it ends, number of stands), None if it does not complete, touch or end mired."""
        kind = next((kind for kind in WORTH_KINDS if kind == self.kind), None)
        return WheelWorth(kind, self.stands) if kind is not None else None

    @property
    def stands(self) -> int:
        """Number of front stands (bases of the first rank) that reach the charged facing after the wheel."""
        return int(self.fan.reaching[0])

    @cached_property
    def stopped_by(self) -> ConvexObstacle | None:
        """First hazard to which wheel or advance come too near, None if there is none."""
        if self.angle > self.corner.limit.farthest:
            return self.corner.limit.hazard
        ahead = self.corner.ahead
        alone = self.fan.of(np.zeros(len(ahead.numbers), dtype=np.intp))
        stretches = alone.stretches(ahead)
        breached = np.flatnonzero(
            stretches.blocks(alone.ways) & ~alone.met_together(ahead, stretches)
        )
        if not len(breached):
            return None
        first = breached[np.maximum(stretches.low[breached], 0.0).argmin()]
        return self.scene.hazards[int(ahead.numbers[first])]

    @property
    def rule(self) -> str | None:
        """Name of the rule because of which the wheel does not complete the charge, None if it does."""
        if self.kind == "blocked" and self.stopped_by is not None:
            return self.scene.rule_of(self.stopped_by)
        if self.kind == "stuck":
            return "conquest.push.room" if self.alignment.needs_push[0] else "conquest.align.flush"
        return FAILURE_RULES.get(self.kind)

    @property
    def wheel(self) -> float:
        """The wheel in radians as a turn on the table, counter-clockwise when positive."""
        return self.angle if self.side == "left" else -self.angle

    @property
    def pivot(self) -> Point:
        """Table point, in inches, of the front corner about which the charger wheels."""
        return (
            self.scene.charger.front_left if self.side == "left" else self.scene.charger.front_right
        )

    @property
    def way(self) -> float:
        """Length of the advance straight ahead to first contact, in inches; inf if the target is never met."""
        return float(self.fan.ways[0])

    @property
    def wheeled(self) -> Pose:
        """Pose of the charger after the wheel."""
        return self.corner.pose(self.angle)

    @property
    def at_contact(self) -> Pose:
        """Pose of the charger after wheel and advance, at first contact with the target."""
        return self.corner.pose(self.angle, self.way)

    @property
    def contact(self) -> Point:
        """Table point, in inches, of the contact about which charger or target turn flush."""
        across = float(self.fan.places[0]) - self.fan.width / 2.0
        return self.at_contact.point(across * self.corner.view.sense, 0.0)

    @property
    def turn(self) -> float:
        """Turn of the charger that makes its front flush, in radians on the table, counter-clockwise when positive."""
        return float(self.fan.turns[0]) * self.corner.view.sense

    @property
    def length(self) -> float:
        """Common length of front and charged facing at the end, in inches; 0 if the charger only touches at an
        angle.
        """
        return (
            float(self.fan.lengths[0]) if self.kind != "touch" or abs(self.turn) <= FLUSH else 0.0
        )

    @cached_property
    def end(self) -> Pose:
        """Pose of the charger at the end of a charge that completes or touches."""
        if self.kind not in ("own", "push") or self.turn == 0.0:
            return self.at_contact
        return self.at_contact.turned_about(self.contact, self.turn)

    @cached_property
    def target_end(self) -> Pose | None:
        """Pose of the target at the end, turned if it is the target that turns flush; None for a garrison."""
        unit = self.scene.target.unit
        if unit is None or self.kind != "turned":
            return unit.pose if unit else None
        return unit.pose.turned_about(self.contact, -self.turn)

    @cached_property
    def pushed(self) -> Mapping[str, Pose]:
        """Poses at the end of the regiments that are pushed, by name, in the order of the file."""
        if self.kind != "push":
            return {}
        pushes = self.alignment.pushes
        wheeled = self.wheeled
        places = {}
        for number in np.flatnonzero(pushes.offenders[0]).tolist():
            sideways, ahead = pushes.shifts[0, number].tolist()
            enemy = self.scene.enemies[number]
            x, y = Pose(*enemy.pose.at, wheeled.heading).point(
                sideways * self.corner.view.sense, ahead
            )
            places[enemy.name] = Pose(x, y, enemy.pose.heading)
        return places

    @cached_property
    def charge_legs(self) -> Legs:
        """Wheel and advance as legs of a path.

        The advance is included even if it is 0 inches long, so that there is always a leg; the wheel only if its angle
        is above 0.
        """
        charger = self.scene.charger
        wheel = (
            (Leg(charger, charger.pose, self.wheel, pivot=self.pivot),) if self.angle > 0.0 else ()
        )
        return (*wheel, Leg(charger, self.wheeled, self.way, direction=self.wheeled.forward))

    @cached_property
    def align_legs(self) -> Legs:
        """The charger's own turn at the end as a leg of a path; empty if it makes none."""
        if self.kind not in ("own", "push") or self.turn == 0.0:
            return ()
        return (Leg(self.scene.charger, self.at_contact, self.turn, pivot=self.contact),)

    @property
    def overlapped(self) -> tuple[Regiment, ...]:
        """Friends that the charger overlaps at first contact."""
        numbers = self.corner.friends.numbers[self.alignment.is_overlapped[0]]
        return tuple(self.scene.crossable[number] for number in numbers.tolist())


def mired_charge(trial: WheelOutcome) -> Mired:
    """Return where a charger stops whose wheel ends in friends, and which regiments become Broken."""
    legs = (*march_legs(trial.scene), *trial.charge_legs)
    return stopped_in_friends(
        trial.scene, legs, trial.scene.charger.at(trial.at_contact).boundary, trial.overlapped
    )


@dataclass(frozen=True, eq=False)
class ChargeSearch:
    """Search for the wheel of a declared charge, for every face of the die."""

    declaration: Declaration

    @property
    def scene(self) -> Scene:
        """The charge with all regiments and terrain around it."""
        return self.declaration.scene

    @cached_property
    def tried(self) -> SampledWheels | None:
        """Sampled wheels against the first side of the target that any wheel reaches; None if no side is reached.

        With the choice `facing_out_of_reach` = "fail" only the first side is tried.
        """
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
        """Return the limit of the straight move, in inches, for a face of the die; inf if the roll alone decides."""
        return (
            math.inf
            if self.scene.choices.reach == "roll-decides"
            else self.declaration.measured.march + face
        )

    @cached_property
    def search(self) -> Callable[[SampledWheels, float], WheelSearch]:
        """Function that returns the search among sampled wheels with a limit of the straight move in inches; its
        results are cached.
        """
        return cache(self._searched)

    def _searched(self, tried: SampledWheels, most: float) -> WheelSearch:
        """Return the search among sampled wheels with a limit of the straight move in inches.

        If no sampled wheel completes the charge, the wheel of the bare table and the player's own are added to the
        samples.
        """
        search = WheelSearch(tried, most)
        own = self.scene.declarations.wheel
        if search.can_complete:
            return search
        wheels = [
            tried.free_wheel,
            *([(own.pivot, math.radians(own.angle_deg))] if own is not None else []),
        ]
        extra = tuple(
            angle
            for side, angle in wheels
            if WheelOutcome(tried.corner(side), angle, most).worth not in (None, search.best)
        )
        return WheelSearch(replace(tried, extra=extra), most) if extra else search

    def own(self, tried: SampledWheels, most: float) -> WheelOutcome | None:
        """Return the outcome of the wheel that the player declares, None if none is declared.

        `most` is the limit of the straight move, in inches.
        """
        wheel = self.scene.declarations.wheel
        return (
            None
            if wheel is None
            else WheelOutcome(tried.corner(wheel.pivot), math.radians(wheel.angle_deg), most)
        )

    def result_of(self, face: int) -> "FaceResult | None":
        """Return the result of a face of the die that is sufficient for the distance; None if no wheel reaches a side
        of the target.
        """
        return None if self.tried is None else FaceResult(self, self.tried, face)

    def faces(self, kept: int) -> tuple[int, ...]:
        """Return the faces of the die with which the charge completes, in ascending order; `kept`, the face rolled, is
        tested first.
        """
        enough = [face for face in range(1, SIDES + 1) if self.declaration.measured.reaches(face)]
        if self.tried is None or not enough:
            return ()
        if self.scene.declarations.wheel is not None:
            return tuple(face for face in enough if FaceResult(self, self.tried, face).completes)
        first = (
            kept
            if kept in enough and self.search(self.tried, self.most(kept)).can_complete
            else SIDES
        )
        return tuple(face for face in enough if face >= self._least_face(self.tried, enough, first))

    def _least_face(self, tried: SampledWheels, enough: list[int], first: int) -> int:
        """Return the least of the faces `enough` that completes the charge, one more than the greatest face if none
        does.

        The search begins at the face `first` and goes down: a larger face allows every wheel that a smaller one does.
        """
        least = SIDES + 1
        while first >= enough[0] and (search := self.search(tried, self.most(first))).can_complete:
            least = next(face for face in enough if search.least_way <= self.most(face) + CONTACT)
            first = least - 1
        return least


@dataclass(frozen=True, eq=False)
class FaceResult:
    """Result of a declared charge for one face of the die that is sufficient for the distance.

    Attributes
    ----------
    charge
        The search for the wheel, for every face.
    tried
        Sampled wheels against the charged facing.
    face
        The face of the die.
    """

    charge: ChargeSearch
    tried: SampledWheels
    face: int

    @cached_property
    def search(self) -> WheelSearch:
        """The search among sampled wheels with the limit of the straight move that this face allows."""
        return self.charge.search(self.tried, self.charge.most(self.face))

    def trial(self, wheel: Wheel, *, slack: float = CONTACT) -> WheelOutcome:
        """Return where the charge goes after a given wheel, with a tolerance of `slack` inches on every limit."""
        return WheelOutcome(self.tried.corner(wheel.side), wheel.angle, self.search.most, slack)

    def chosen(self, choice: Choice) -> WheelOutcome:
        """Return where the charge goes after the chosen wheel.

        Of two tolerances the first is used with which the wheel has the worth found by the search: rounding may put it
        just outside a limit.
        """
        trials = [self.trial(choice.wheel, slack=slack) for slack in (CONTACT, GAP_ROUNDING)]
        return next((trial for trial in trials if trial.worth == choice.worth), trials[0])

    @cached_property
    def own(self) -> WheelOutcome | None:
        """Outcome of the wheel that the player declares, None if none is declared."""
        return self.charge.own(self.tried, self.search.most)

    @cached_property
    def is_own_worse(self) -> bool:
        """Whether the player's own wheel is worse than the best wheel; false if there is no own or no best one."""
        if self.own is None or self.search.best is None:
            return False
        return self.own.worth is None or self.search.rank(self.own.worth) > self.search.rank(
            self.search.best
        )

    @property
    def completes(self) -> bool:
        """Whether the charge completes with this face: some wheel completes, and the player's own is not worse."""
        return self.search.can_complete and not self.is_own_worse

    @property
    def free_wheel(self) -> WheelOutcome:
        """Outcome, on the full table, of the wheel that would be chosen if only charger and target existed."""
        side, angle = self.tried.free_wheel
        return WheelOutcome(self.tried.corner(side), angle, self.search.most)


@dataclass(frozen=True, eq=False)
class CompletedWheel:
    """A wheel that ends as a charge, and the choice of the rules that it is compared with."""

    trial: WheelOutcome
    choice: Choice

    @cached_property
    def after(self) -> State:
        """The table after the charge: charger, target and pushed regiments moved, the charger marked as charged and
        inspired.
        """
        trial = self.trial
        scene = self.trial.scene
        state = scene.state.with_unit(
            scene.charger.at(trial.end).with_status("charged", "inspired")
        )
        if scene.target.unit is not None and trial.target_end is not None:
            state = state.with_unit(scene.target.unit.at(trial.target_end))
        for name, pose in trial.pushed.items():
            state = state.with_unit(state.units[name].at(pose))
        return state

    @cached_property
    def body(self) -> Shape:
        """Boundary of the charger at the end of the charge."""
        return self.trial.scene.charger.at(self.trial.end).boundary

    @property
    def target_body(self) -> Shape:
        """Boundary of the target at the end of the charge, or the shape of a garrison."""
        unit = self.trial.scene.target.unit
        return (
            self.after.units[unit.name].boundary
            if unit is not None
            else self.trial.scene.target.shape
        )

    @property
    def facing(self) -> Facing:
        """The charged side of the target as a line, at the end of the charge."""
        charged = self.trial.charged
        unit = self.trial.scene.target.unit
        return (
            charged.facing
            if unit is None or charged.name is None
            else facing_of(self.after.units[unit.name], charged.name)
        )

    @cached_property
    def charger_in_contact(self) -> tuple[int, ...]:
        """Numbers (from 0, left to right) of the front stands whose front edge is in contact with the target at the
        end.
        """
        charger = self.trial.scene.charger.at(self.trial.end)
        edges = [
            (
                -charger.width / 2 + n * charger.base.width,
                -charger.width / 2 + (n + 1) * charger.base.width,
            )
            for n in range(charger.files)
        ]
        lines = [
            (charger.pose.point(low, 0.0), charger.pose.point(high, 0.0)) for low, high in edges
        ]
        return tuple(
            number for number, line in enumerate(lines) if self._touches(line, self.target_body)
        )

    @cached_property
    def target_in_contact(self) -> tuple[int, ...]:
        """Numbers of the target's stands along the charged facing that are in contact with the charger; empty for a
        garrison.
        """
        unit = self.trial.scene.target.unit
        name = self.trial.charged.name
        if unit is None or name is None:
            return ()
        parts = shown_models(unit, name)
        return tuple(
            part.number
            for part in parts
            if self._touches((self.facing.point(part.low), self.facing.point(part.high)), self.body)
        )

    def _touches(self, line: tuple[Point, Point], body: Shape) -> bool:
        """Return whether a segment is in contact with a body.

        If the choice `corner_contact` ignores contact at a point, some length of it must lie on both front and facing.
        """
        scene = self.trial.scene
        apart = float(shapely.LineString(line).distance(body.core))
        if not scene.is_in_contact(apart):
            return False
        return scene.choices.corner_contact == "counts" or self._common(line) > CONTACT

    def _common(self, line: tuple[Point, Point]) -> float:
        """Return the length of a segment that lies on both front and charged facing at the end, in inches; negative if
        apart.
        """
        if self.trial.kind == "touch" and self.trial.turn != 0.0:
            return 0.0
        charger = self.trial.scene.charger.at(self.trial.end)
        facing = self.facing
        stretches = [(0.0, facing.length)]
        for ends in ((charger.front_left, charger.front_right), line):
            low, high = sorted(facing.coordinates(end)[0] for end in ends)
            stretches.append((low, high))
        return min(high for _, high in stretches) - max(low for low, _ in stretches)

    @property
    def push_distance(self) -> float:
        """Sum of the lengths of all pushes, in inches."""
        units = self.trial.scene.state.units
        return sum(
            math.dist(units[name].pose.at, pose.at) for name, pose in self.trial.pushed.items()
        )

    @cached_property
    def crossed(self) -> tuple[str, ...]:
        """Names of the friends that the charger crosses from March to alignment."""
        trial = self.trial
        legs = (*march_legs(trial.scene), *trial.charge_legs, *trial.align_legs)
        return crossed(legs, trial.scene.crossable)

    @cached_property
    def nearest_other(self) -> tuple[float, str] | None:
        """Least gap in inches from the charger's end to an enemy other than the target, garrison or impassable terrain,
        and its name.

        None if there is none.
        """
        return min(self.gaps((*HOSTILE, "conquest.path.impassable")), default=None)

    def gaps(self, rules: Container[str]) -> Iterator[tuple[float, str]]:
        """Yield the gaps, in inches, from the charger's end to obstacles, with their names.

        `rules` are the names of the rules that forbid coming near the obstacles.
        """
        for obstacle in self.trial.scene.obstacles:
            if obstacle.rule in rules:
                unit = self.after.units.get(obstacle.name)
                yield (
                    gap(self.body, unit.boundary if unit is not None else obstacle.shape),
                    obstacle.name,
                )


def evidence_contacts(done: CompletedWheel) -> Mapping[str, tuple[int, ...]]:
    """Return the numbers of the stands in contact at the end, by the names of charger and target regiment."""
    scene = done.trial.scene
    target = {scene.target.name: done.target_in_contact} if scene.target.unit is not None else {}
    return {scene.charger.name: done.charger_in_contact, **target}


@dataclass(frozen=True, eq=False)
class Attempt:
    """A charge with the faces rolled for it: what its ruling is made from.

    Attributes
    ----------
    search
        The search for its wheel, for every face of the die.
    faces
        The faces of the Charge Roll, the last of which is kept; empty if the charge may not be declared.
    """

    search: ChargeSearch
    faces: tuple[int, ...]

    @property
    def table(self) -> State:
        """The table before the charge."""
        return self.search.scene.state

    def on(self, table: State, budget: Budget) -> "Attempt":  # noqa: ARG002 - see the docstring
        """Return the same charge with the same faces on another table; on an equal table itself, with all that is
        worked out.

        The searches of both ask whichever budget is current when they run.
        """
        if table is self.table or table == self.table:
            return self
        scene = self.search.scene
        charge = self.search.declaration.charge
        return Attempt(search_of(charge, table, choices=scene.choices, book=scene.book), self.faces)

    @property
    def roll(self) -> Roll:
        """The Charge Roll of a charge that may be declared."""
        return Roll(self.search.declaration.measured, self.faces)

    @cached_property
    def result(self) -> FaceResult | None:
        """The result of the face kept; None if it is not sufficient, or no wheel reaches a side of the target."""
        if self.search.declaration.broken is not None or not self.roll.reaches:
            return None
        return self.search.result_of(self.roll.kept)

    @property
    def is_allowed(self) -> bool:
        """Whether the charge may be declared, and no wheel is better than the player's own."""
        is_own_worse = self.result is not None and self.result.is_own_worse
        return self.search.declaration.broken is None and not is_own_worse

    @cached_property
    def done(self) -> CompletedWheel | None:
        """The wheel that is made, the player's own or the chosen one; None if none is."""
        result = self.result
        if result is None or result.is_own_worse or result.search.choice is None:
            return None
        choice = result.search.choice
        return CompletedWheel(result.own or result.chosen(choice), choice)

    @cached_property
    def failed_move(self) -> FailedMove:
        """The move of the charger if it makes no wheel."""
        return FailedMove(self.search.scene, self.roll.kept)

    @cached_property
    def mired(self) -> Mired | None:
        """The charger stopped at a friend, if the wheel or the failed move of an allowed charge ends there; else
        None.
        """
        if self.done is None:
            return self.failed_move.mired
        return mired_charge(self.done.trial) if self.done.trial.kind == "mired" else None

    @property
    def after(self) -> State:
        """The table after the charge; a charger that marched and then did not charge is marked as "marched".

        Such a regiment may overlap a friend.
        """
        if not self.is_allowed:
            state = self.table
        elif self.mired is not None:
            state = self.mired.after
        elif self.done is None:
            state = self.failed_move.after
        else:
            return self.done.after
        scene = self.search.scene
        if scene.declarations.marched == 0.0:
            return state
        return state.with_unit(state.units[scene.charger.name].with_status("marched"))


def search_of(charge: Charge, table: State, *, choices: Choices, book: Book) -> ChargeSearch:
    """Return the search for the wheel of a charge on a table."""
    scene = Scene.of(table, charge, choices=choices, book=book)
    return ChargeSearch(Declaration(charge, scene))
