"""The way a unit takes, leg by leg: whom it crosses, where it first meets somebody, and what it keeps away from."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.conquest.scene import Scene
from tabletop.fronts.obstacle import Hazard, free_slide, free_turn, gaps_on_slide, gaps_on_turns
from tabletop.fronts.turn import blocked_turns_of
from tabletop.geometry.motion import GAP_ROUNDING
from tabletop.geometry.pose import FloatArray, Point, Pose
from tabletop.geometry.ring import mirrored, padded
from tabletop.geometry.shape import rectangle_ring
from tabletop.table.state import Regiment


@dataclass(frozen=True, eq=False)
class Leg:
    """A part of the way of a unit: a slide by `amount` inches along `direction`, or a turn by `amount` radians about `pivot`."""

    unit: Regiment
    start: Pose
    amount: float
    direction: Point | None = None
    pivot: Point | None = None

    @cached_property
    def body(self) -> FloatArray:
        """The frame at the start."""
        return rectangle_ring(self.start, self.unit.width, self.unit.depth)

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
        return free if free < size - GAP_ROUNDING else None

    def crosses(self, hazards: Sequence[Hazard]) -> list[int]:
        """Give the numbers of the hazards that it comes too near to."""
        if self.pivot is None or not hazards:
            return [number for number, hazard in enumerate(hazards) if self.meets(hazard) is not None]
        centre, sense = np.array(self.pivot), mirrored if self.amount < 0.0 else np.array
        body, rings = sense(self.body - centre), sense(padded([hazard.ring for hazard in hazards]) - centre)
        needed = np.array([hazard.needed for hazard in hazards])
        found: list[int] = blocked_turns_of(body, rings, needed=needed, until=abs(self.amount)).pair.tolist()
        return found


Legs = tuple[Leg, ...]


def march_legs(scene: Scene) -> Legs:
    """Give the March before the charge, nothing if there was none."""
    marched, pose = scene.declarations.marched, scene.charger.pose
    return (Leg(scene.charger, pose.advanced(-marched), marched, direction=pose.forward),) if marched > 0.0 else ()


def least_gaps(legs: Legs, hazards: Sequence[Hazard]) -> FloatArray:
    """Give the least gap on each leg to each of some hazards (l, m), in inches."""
    gaps = np.empty((len(legs), len(hazards)))
    turns = [number for number, leg in enumerate(legs) if leg.pivot is not None]
    if turns and hazards:
        gaps[turns] = _gaps_on_turns([legs[number] for number in turns], padded([hazard.ring for hazard in hazards]))
    for number, leg in enumerate(legs):
        if leg.pivot is None:
            gaps[number] = gaps_on_slide(leg.body, hazards, direction=leg.direction or (0.0, 0.0), length=leg.amount)
    return gaps


def _gaps_on_turns(legs: Sequence[Leg], rings: FloatArray) -> FloatArray:
    pivots = np.array([leg.pivot for leg in legs])[:, None, None]
    bodies = np.repeat(np.stack([leg.body for leg in legs]) - pivots[:, 0], len(rings), axis=0)
    about = (rings - pivots).reshape(-1, *rings.shape[1:])
    return gaps_on_turns(bodies, about, np.repeat([leg.amount for leg in legs], len(rings)), is_deepest=True).reshape(len(legs), -1)


@dataclass(frozen=True, eq=False)
class FriendMet:
    """Where a way first leads into a friend: which, and the last pose before."""

    friend: Regiment
    pose: Pose


def first_meeting(legs: Legs, friends: Iterable[Regiment]) -> FriendMet | None:
    """Find the friend whom a way leads into first."""
    found = [(number, met, friend) for friend in friends for number, met in _meetings(legs, friend)]
    if not found:
        return None
    number, met, friend = min(found, key=lambda one: one[:2])
    return FriendMet(friend, legs[number].at(met))


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
