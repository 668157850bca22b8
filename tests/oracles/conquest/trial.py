"""The trial of wheels: the class of each, line by line as the procedure gives them."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tabletop.table.state import Regiment
from tests.oracles.conquest.bodies import (
    Body,
    Edge,
    Flags,
    Floats,
    Frames,
    Obstacle,
    Which,
    body_of,
    frames_of,
)
from tests.oracles.conquest.pushing import Pushes, pushes
from tests.oracles.conquest.reach import Reached, Wheels
from tests.oracles.conquest.sweeps import slide_breach, turns_keep, wheel_breach
from tests.oracles.conquest.table import Table, TargetSide

Kinds = NDArray[np.object_]
QUARTER = math.pi / 2
MET = 10.0
"""Clearances: an enemy met when the target is as near as this is met together with it."""


@dataclass(frozen=True)
class Trier:
    """Tries wheels against one side of the target."""

    table: Table
    goal: TargetSide
    limits: dict[float, float] = field(default_factory=dict)

    def limit(self, sign: float) -> float:
        """Return the first angle at which a wheel about the left (1) or right (-1) corner breaks a gap."""
        if sign not in self.limits:
            self.limits[sign] = min(angle for angle, _ in self.wheel_breaches(sign, QUARTER))
        return self.limits[sign]

    def wheel_breaches(self, sign: float, end: float) -> list[tuple[float, Obstacle]]:
        """Return for each obstacle, the target too, the first angle up to `end` at which its gap breaks."""
        frame = self.table.frame
        touch = self.table.touch
        pivot = frame.left[0] if sign > 0 else (frame.left + frame.width * frame.right)[0]
        return [
            (
                wheel_breach(
                    frame, pivot, obstacle, level=obstacle.needed - touch, sign=sign, end=end
                ),
                obstacle,
            )
            for obstacle in (self.table.goal, *self.table.obstacles)
        ]

    def tried(self, wheels: Wheels) -> "Trials":
        """Follow wheels to the target."""
        return Trials(self, Reached(self.table, self.goal, wheels))

    @property
    def bodies(self) -> tuple[Obstacle, ...]:
        """What the charger keeps away from, other enemies left out."""
        return tuple(item for item in self.table.obstacles if item.role != "enemy")

    @property
    def enemies(self) -> tuple[Body, ...]:
        """Enemies that are not the target."""
        return tuple(
            item for item in self.table.obstacles if isinstance(item, Body) and item.role == "enemy"
        )


@dataclass(frozen=True)
class Trials:
    """Many wheels and what comes of each."""

    trier: Trier
    reached: Reached

    @property
    def table(self) -> Table:
        """The table they are tried on."""
        return self.trier.table

    def __len__(self) -> int:
        return len(self.reached.wheels)

    @cached_property
    def blocked(self) -> Flags:
        """Whether something in the way is met alone."""
        wheels = self.reached.wheels
        limits = np.where(wheels.side > 0, self.trier.limit(1.0), self.trier.limit(-1.0))
        strips = self.reached.frames.strips(self._lengths)
        barred = wheels.angle >= limits
        for obstacle in self.trier.bodies:
            barred |= obstacle.gaps(strips) < obstacle.needed - self.table.touch
        met = np.flatnonzero(~barred & self.offended.any(axis=1))
        barred[met] = self.take(met).is_met_alone
        return np.asarray(barred)

    @property
    def is_met_alone(self) -> Flags:
        """Whether an enemy is met while the target is more than ten clearances away."""
        before = self.reached.frames.strips(self.before)
        met = np.zeros(len(self), dtype=bool)
        for enemy in self.trier.enemies:
            met |= enemy.gaps(before) < enemy.needed - self.table.touch
        return met

    @cached_property
    def _lengths(self) -> Floats:
        return np.where(np.isfinite(self.reached.advance), self.reached.advance, 0.0)

    @cached_property
    def before(self) -> Floats:
        """How far each advances until the gap to the target is ten clearances; by bisection, since it only shrinks."""
        near = MET * self.table.choices.clearance
        low = np.zeros(len(self))
        high = self._lengths.copy()
        for _ in range(45):
            middle = (low + high) / 2
            is_near = self.table.goal.gaps(self.reached.frames.moved(middle).corners) <= near
            low = np.where(is_near, low, middle)
            high = np.where(is_near, middle, high)
        return np.where(self.table.goal.gaps(self.reached.frames.corners) <= near, 0.0, low)

    @cached_property
    def offended(self) -> Flags:
        """Which enemies are met together with the target, (n, enemies)."""
        strips = self.reached.frames.strips(self._lengths)
        touch = self.table.touch
        met = [enemy.gaps(strips) < enemy.needed - touch for enemy in self.trier.enemies]
        return np.stack(met, axis=1) if met else np.zeros((len(self), 0), dtype=bool)

    @cached_property
    def under(self) -> Flags:
        """Which crossable friends are overlapped at P, (n, friends)."""
        corners = self.reached.arrived.corners
        found = [friend.gaps(corners) < -self.table.touch for friend in self.table.crossable]
        return np.stack(found, axis=1) if found else np.zeros((len(self), 0), dtype=bool)

    def _turn_keeps(self, obstacle: Obstacle, *, is_whole: bool) -> Flags:
        level = obstacle.needed - self.table.touch
        return turns_keep(
            self.reached.arrived,
            self.reached.point,
            self.reached.turn,
            obstacle,
            level=level,
            is_whole=is_whole,
        )

    @property
    def _is_whole(self) -> bool:
        return bool(self.table.choices.align_sweep == "whole")

    @cached_property
    def _solid(self) -> Flags:
        """Whether the alignment keeps its gaps to all but other enemies and friends that may be crossed."""
        kept = np.ones(len(self), dtype=bool)
        for obstacle in self.trier.bodies:
            kept &= self._turn_keeps(obstacle, is_whole=self._is_whole)
        return kept

    def _friendly(self, *, ignored: bool) -> Flags:
        """Whether the alignment overlaps no friend; those overlapped at P are asked at the end only, or ignored."""
        kept = np.ones(len(self), dtype=bool)
        for number, friend in enumerate(self.table.crossable):
            at_end = self._turn_keeps(friend, is_whole=False)
            whole = self._turn_keeps(friend, is_whole=self._is_whole)
            kept &= np.where(self.under[:, number], at_end | ignored, whole)
        return kept

    @cached_property
    def _enemies_kept(self) -> Flags:
        kept = np.ones(len(self), dtype=bool)
        for enemy in self.trier.enemies:
            kept &= self._turn_keeps(enemy, is_whole=self._is_whole)
        return kept

    def _is_own(self, *, ignored: bool) -> Flags:
        return (
            ~self.offended.any(axis=1)
            & self._solid
            & self._enemies_kept
            & self._friendly(ignored=ignored)
        )

    def _is_turned(self, *, ignored: bool) -> Flags:
        if not self.table.is_regiment:
            return np.zeros(len(self), dtype=bool)
        free: Flags = np.asarray(~self.offended.any(axis=1) & (ignored | ~self.under.any(axis=1)))
        which = np.flatnonzero(free)
        kept = np.ones(len(which), dtype=bool)
        for obstacle, is_ignored in self._around_target(which, ignored=ignored):
            kept &= is_ignored | self._target_keeps(obstacle, which)
        free[which] = kept
        return free

    def _around_target(self, which: Which, *, ignored: bool) -> list[tuple[Obstacle, Flags]]:
        """Return all that a turning target must not overlap, and for which wheels that is ignored."""
        never = np.zeros(len(which), dtype=bool)
        if self.table.is_empty:
            return []
        crossable = [friend.name for friend in self.table.crossable]
        units: list[tuple[Obstacle, Flags]] = [
            (
                body_of(unit, "friend", 0.0),
                self.under[which, crossable.index(unit.name)]
                if ignored and unit.name in crossable
                else never,
            )
            for unit in self.table.others
        ]
        fixed: list[Obstacle] = [
            *self.table.terrain,
            Edge(self.table.board.width, self.table.board.depth),
        ]
        return [*units, *((item, never) for item in fixed)]

    def _target_keeps(self, obstacle: Obstacle, which: Which) -> Flags:
        target = self.table.target
        assert isinstance(target, Regiment)
        frames = frames_of(target).take(np.zeros(len(which), dtype=int))
        turns = -self.reached.turn[which]
        points = self.reached.point[which]
        plain = (
            obstacle
            if isinstance(obstacle, Edge)
            else Body(obstacle.name, obstacle.role, obstacle.core, obstacle.radius, 0.0)
        )
        return turns_keep(
            frames, points, turns, plain, level=-self.table.touch, is_whole=self._is_whole
        )

    @cached_property
    def offends(self) -> dict[str, Flags]:
        """Which enemies the alignment comes into contact with, by name: at P, on the way where that must be free, or at
        its end.
        """
        return {
            enemy.name: ~(
                self._stands_off(enemy) & self._turn_keeps(enemy, is_whole=self._is_whole)
            )
            for enemy in self.trier.enemies
        }

    def _stands_off(self, enemy: Obstacle) -> Flags:
        return np.asarray(
            enemy.gaps(self.reached.arrived.corners) >= enemy.needed - self.table.touch
        )

    @cached_property
    def ends(self) -> Frames:
        """The charger's frames once it is flush."""
        return self.reached.arrived.turned(self.reached.point, self.reached.turn)

    @cached_property
    def pushes(self) -> Pushes:
        """What is pushed where each alignment comes into contact with others."""
        return pushes(self.table, self.ends, self.offends)

    def is_push(self, *, ignored: bool = False) -> Flags:
        """Return a mask of the wheels whose alignment only enemies that can be pushed obstruct."""
        free = self._solid & self._friendly(ignored=ignored)
        free[free] = self.take(free).pushes.has_room
        return free

    @property
    def is_mired(self) -> Flags:
        """Return a mask of the wheels that only friends overlapped at P obstruct."""
        under: Flags = np.asarray(self.under.any(axis=1))
        some = self.take(under)
        under[under] = (
            some._is_own(ignored=True) | some._is_turned(ignored=True) | some.is_push(ignored=True)
        )
        return under

    def take(self, which: Flags | Which) -> "Trials":
        """Keep some of the wheels."""
        return self.trier.tried(self.reached.wheels.take(which))

    @cached_property
    def kinds(self) -> Kinds:
        """The classes as far as they need no pushing, `rest` where only that can tell."""
        kinds = np.full(len(self), "rest", dtype=object)
        kinds[~self.reached.is_on_side] = "misses"
        self._mark(kinds, "blocked", lambda some: some.blocked)
        self._mark(kinds, "too-far", lambda some: some._is_too_far)
        self._mark(kinds, "own", lambda some: some._is_own(ignored=False))
        self._mark(kinds, "turned", lambda some: some._is_turned(ignored=False))
        return kinds

    def _mark(self, kinds: Kinds, kind: str, test: Callable[["Trials"], Flags]) -> None:
        """Name those that are not named yet and pass a test."""
        left = np.flatnonzero(kinds == "rest")
        kinds[left[test(self.take(left))]] = kind

    @property
    def _is_too_far(self) -> Flags:
        is_limited = self.table.choices.reach == "limit" and not self.table.is_empty
        return np.asarray(
            is_limited & (self.reached.advance > self.table.distance_limit + self.table.touch)
        )

    @property
    def may_touch(self) -> Flags:
        """Return a mask of the stuck wheels that may count as a success where they touched."""
        return np.asarray(~self.offended.any(axis=1) & ~self.under.any(axis=1))

    @property
    def stuck_rule(self) -> str:
        """Name the rule by which the first of the wheels is stuck."""
        return (
            "conquest.push.room"
            if (self._solid & self._friendly(ignored=False))[0]
            else "conquest.align.flush"
        )

    def first_breaches(self, number: int) -> list[tuple[int, float, Obstacle]]:
        """Return what one wheel breaks on its way: 0 while it wheels and 1 while it advances, the radians or inches,
        the obstacle.
        """
        wheel = self.reached.wheels.take(np.array([number]))
        frame = self.reached.frames.take(np.array([number]))
        angle = float(wheel.angle[0])
        length = float(self._lengths[number])
        turning = [
            (0, at, item) for at, item in self.trier.wheel_breaches(float(wheel.side[0]), angle)
        ]
        going = [
            (
                1,
                slide_breach(
                    frame, frame.ahead[0], item, level=item.needed - self.table.touch, end=length
                ),
                item,
            )
            for item in self.table.obstacles
        ]
        return sorted(
            [item for item in (*turning, *going) if math.isfinite(item[1])],
            key=lambda item: item[:2],
        )
