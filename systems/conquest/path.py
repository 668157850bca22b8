"""The way a charger takes, leg by leg: whom it crosses and where it first meets somebody, and what it keeps away from."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from systems.conquest.scene import Scene
from systems.conquest.trial import Trial
from tabletop.motion import DUST
from tabletop.obstacles import Hazard, Nearest, free_slide, free_turn, gaps_on_slide, gaps_on_turn
from tabletop.pose import FloatArray, Point, Pose
from tabletop.rings import mirrored, padded, ring_gap
from tabletop.ruling import Finding
from tabletop.solve.turns import blocked_turns_of
from tabletop.state import Regiment
from tabletop.units import CONTACT


@dataclass(frozen=True, eq=False)
class Leg:
    """A part of the way of a unit: a slide by `amount` inches along `direction`, or a turn by `amount` radians about `pivot`."""

    unit: Regiment
    start: Pose
    amount: float
    direction: Point | None = None
    pivot: Point | None = None

    @property
    def body(self) -> FloatArray:
        """The frame at the start."""
        return self.unit.at(self.start).boundary.pieces[0]

    @property
    def extent(self) -> float:
        """No point of the frame moves farther on it, in inches."""
        if self.pivot is None:
            return self.amount
        return abs(self.amount) * float(np.hypot(*(self.body - np.array(self.pivot)).T).max())

    def at(self, amount: float) -> Pose:
        """Give the pose after a part of it."""
        if self.pivot is not None:
            return self.start.turned_about(self.pivot, math.copysign(amount, self.amount))
        x, y = self.direction or (0.0, 0.0)
        return Pose(self.start.x + amount * x, self.start.y + amount * y, self.start.heading)

    def meets(self, hazard: Hazard) -> float | None:
        """Give after which part of it it first comes too near to a hazard, None if it never does."""
        size = abs(self.amount)
        if self.pivot is not None:
            free = free_turn(self.body, [hazard], pivot=self.pivot, sense=1 if self.amount > 0.0 else -1, until=size).free
        else:
            free = free_slide(self.body, [hazard], direction=self.direction or (0.0, 0.0)).free
        return free if free < size - DUST else None

    def crosses(self, hazards: Sequence[Hazard]) -> list[int]:
        """Give the numbers of the hazards that it comes too near to."""
        if self.pivot is None or not hazards:
            return [number for number, hazard in enumerate(hazards) if self.meets(hazard) is not None]
        centre, sense = np.array(self.pivot), mirrored if self.amount < 0.0 else np.array
        body, rings = sense(self.body - centre), sense(padded([hazard.ring for hazard in hazards]) - centre)
        needed = np.array([hazard.needed for hazard in hazards])
        found: list[int] = blocked_turns_of(body, rings, needed=needed, until=abs(self.amount)).pair.tolist()
        return found

    def gaps(self, hazards: Sequence[Hazard]) -> FloatArray:
        """Give the least gap (m,) to each of some hazards on it, in inches."""
        if self.pivot is not None:
            return gaps_on_turn(self.body, hazards, pivot=self.pivot, angle=self.amount)
        return gaps_on_slide(self.body, hazards, direction=self.direction or (0.0, 0.0), length=self.amount)


Legs = tuple[Leg, ...]


def march_legs(scene: Scene) -> Legs:
    """Give the March before the charge, nothing if there was none."""
    marched, pose = scene.declarations.marched, scene.charger.pose
    return (Leg(scene.charger, pose.advanced(-marched), marched, direction=pose.forward),) if marched > 0.0 else ()


def charge_legs(trial: Trial) -> Legs:
    """Give wheel and advance; with nothing left out, so that a charge that does not move has a way too."""
    charger = trial.scene.charger
    wheel = (Leg(charger, charger.pose, trial.wheel, pivot=trial.pivot),) if trial.angle > 0.0 else ()
    return (*wheel, Leg(charger, trial.wheeled, trial.way, direction=trial.wheeled.forward))


def align_legs(trial: Trial) -> Legs:
    """Give the charger's own turn at the end, nothing if it makes none."""
    if trial.fate not in ("own", "push") or trial.turn == 0.0:
        return ()
    return (Leg(trial.scene.charger, trial.at_contact, trial.turn, pivot=trial.contact),)


@dataclass(frozen=True, eq=False)
class Meeting:
    """Where a way first leads into a friend: which, and the last pose before."""

    friend: Regiment
    pose: Pose


def first_meeting(legs: Legs, friends: Iterable[Regiment]) -> Meeting | None:
    """Find the friend whom a way leads into first."""
    found = [(number, met, friend) for friend in friends for number, met in _meetings(legs, friend)]
    if not found:
        return None
    number, met, friend = min(found, key=lambda one: one[:2])
    return Meeting(friend, legs[number].at(met))


def _meetings(legs: Legs, friend: Regiment) -> Iterator[tuple[int, float]]:
    hazard = Hazard(friend.boundary.pieces[0], 0.0, friend.name)
    for number, leg in enumerate(legs):
        met = leg.meets(hazard)
        if met is not None:
            yield number, met


def crossed(legs: Legs, friends: Sequence[Regiment]) -> tuple[str, ...]:
    """Name the friends whom a way leads through."""
    hazards = [Hazard(friend.boundary.pieces[0], 0.0, friend.name) for friend in friends]
    met = {number for leg in legs for number in leg.crosses(hazards)}
    return tuple(friend.name for number, friend in enumerate(friends) if number in met)


PATHS = {
    "conquest.path.enemy": "other enemy",
    "conquest.path.garrison": "other garrison",
    "conquest.path.impassable": "impassable terrain",
    "conquest.path.friend": "friend in contact with an enemy",
    "conquest.path.board": "edge of the board",
}
RULES = tuple(PATHS)


def path_findings(trial: Trial) -> tuple[Finding, ...]:
    """Measure how near wheel, advance and alignment come to everything that must be kept clear of."""
    scene = trial.scene
    legs = (*charge_legs(trial), *align_legs(trial)) if scene.choices.align_sweep == "whole" else charge_legs(trial)
    hazards = [hazard for hazard in scene.hazards if hazard.name not in trial.pushed]
    near = _near(legs, hazards, np.array([RULES.index(scene.rule_of(hazard)) for hazard in hazards], dtype=np.intp))
    found = [(scene.rule_of(nearest.hazard), nearest) for nearest in _least(legs, near)]
    nearest = {rule: min((one for of, one in found if of == rule), key=lambda one: one.margin, default=None) for rule in PATHS}
    return (*(_kept(rule, PATHS[rule], nearest[rule]) for rule in PATHS), target_finding(trial))


def _near(legs: Legs, hazards: Sequence[Hazard], groups: NDArray[np.intp]) -> list[Hazard]:
    """Keep of each group the hazards that may leave least room, by how far anything moves on a leg from where it starts."""
    if not hazards:
        return []
    rings, needed = padded([hazard.ring for hazard in hazards]), np.array([hazard.needed for hazard in hazards])
    starts = np.array([ring_gap(leg.body, rings) - needed for leg in legs])
    least = np.full(len(PATHS), np.inf)
    np.minimum.at(least, groups, starts.min(axis=0))
    may_be = (starts - np.array([[leg.extent] for leg in legs]) <= least[groups]).any(axis=0)
    return [hazards[number] for number in np.flatnonzero(may_be).tolist()]


def _least(legs: Legs, hazards: Sequence[Hazard]) -> list[Nearest]:
    """Measure how near a way comes to each of some hazards."""
    gaps = np.min([leg.gaps(hazards) for leg in legs], axis=0)
    return [Nearest(gap, hazard) for gap, hazard in zip(gaps.tolist(), hazards, strict=True)]


def _kept(rule: str, kind: str, nearest: Nearest | None) -> Finding:
    if nearest is None:
        return Finding(rule, ok=True, text=f"There is no {kind}.")
    return kept(rule, nearest)


def kept(rule: str, nearest: Nearest) -> Finding:
    """Say how near a way comes to what it leaves least room."""
    hazard, margin = nearest.hazard, nearest.margin
    side = "away from" if nearest.gap >= -CONTACT else "into"
    text = f"The way leads {abs(nearest.gap):.4f} in {side} {hazard.name}; {hazard.needed:g} in is needed."
    return Finding(rule, margin >= -CONTACT, text, nearest.gap, hazard.needed, margin)


def target_finding(trial: Trial) -> Finding:
    """Say how near the wheel alone comes to the target."""
    scene, rule = trial.scene, "conquest.path.target"
    if trial.angle == 0.0:
        return Finding(rule, ok=True, text="There is no wheel that could touch the target.")
    (nearest,) = _least(charge_legs(trial)[:1], [Hazard(scene.target.ring, scene.choices.clearance, scene.target.name)])
    return kept(rule, nearest)


def broken_path(trial: Trial, hazard: Hazard) -> Finding:
    """Say of a wheel that is blocked how far what stops it first is in the way."""
    rule, legs = trial.scene.rule_of(hazard), charge_legs(trial)
    (nearest,) = _least(legs[:1] if rule == "conquest.path.target" else legs, [hazard])
    return kept(rule, nearest)
