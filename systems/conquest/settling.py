"""What becomes of wheels whose advance is free: the charger turns flush, the target does, others are pushed, or nothing helps.

Frame: that of the fan, moved so that the point of contact is the origin. All arrays have one row for each wheel.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from systems.conquest.corner import MOST_PAIRS, Bodies, Flags, Numbers
from systems.conquest.fan import Fan, some
from systems.conquest.pushing import WAYS, Around, Pushes
from tabletop.pose import FloatArray
from tabletop.rings import mirrored, separation, turned
from tabletop.solve.turns import are_blocked

Kind = Literal["own", "turned", "push", "touch", "mired"]


@dataclass(frozen=True, eq=False)
class Settling:
    """A fan of wheels that reach the facing freely; `ignores_overlapped` leaves out friends overlapped at the contact."""

    fan: Fan
    ignores_overlapped: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether a turn needs its whole sweep free."""
        return bool(self.fan.corner.scene.choices.align_sweep == "whole")

    @cached_property
    def contacts(self) -> FloatArray:
        """The points of contact (k, 2) in the frame of the fan."""
        return np.column_stack([self.fan.places, self.fan.ways])

    def about(self, rings: FloatArray) -> FloatArray:
        """Move rings (k, n, 2) or (k, m, n, 2) of the fan to the points of contact."""
        shift = self.contacts[:, None] if rings.ndim == 3 else self.contacts[:, None, None]  # noqa: PLR2004 - axes
        result: FloatArray = rings - shift
        return result

    @cached_property
    def charger(self) -> FloatArray:
        """The charger's frame at contact (k, 4, 2)."""
        left, right = -self.fan.places, self.fan.width - self.fan.places
        back, front = np.full_like(left, -self.fan.corner.scene.charger.depth), np.zeros_like(left)
        corners = ((left, back), (right, back), (right, front), (left, front))
        return np.stack([np.stack(corner, axis=-1) for corner in corners], axis=1)

    def seen(self, bodies: Bodies) -> FloatArray:
        """Give the corners (k, m, n, 2) of bodies about the points of contact."""
        return self.about(self.fan.seen(bodies.rings))

    def levels(self, bodies: Bodies) -> FloatArray:
        """Give the least gaps to bodies (m,) that are let pass."""
        return bodies.needed - self.fan.slack

    @cached_property
    def friends(self) -> FloatArray:
        """The corners of friends that may be crossed (k, f, 4, 2)."""
        return self.seen(self.fan.corner.friends)

    @cached_property
    def is_overlapped(self) -> Flags:
        """Which friends (k, f) are overlapped at the point of contact."""
        result: Flags = separation(self.charger[:, None], self.friends) < -self.fan.slack
        return result

    @cached_property
    def _units_met(self) -> Flags:
        """Which enemies around, and behind them which friends, the charger's turn comes too near to (k, e + f)."""
        return self.meets(self.charger, self.fan.corner.units_around, self.fan.turns, whole=self.is_whole)

    @cached_property
    def _is_free_of_solid(self) -> Flags:
        """Whether the charger's turn keeps all needed gaps but those to enemies, and overlaps no friend (k,)."""
        return self._are_clear(self.charger, self.fan.corner.solid_around, self.fan.turns, ~some(self._friends_met))

    @property
    def _friends_met(self) -> Flags:
        """Which friends it overlaps (k, f); one overlapped at the contact already is asked at the end only."""
        met = self._units_met[:, len(self.fan.corner.enemies_around.numbers) :]
        if not self.is_overlapped.any():
            return met
        at_end = self.meets(self.charger, self.fan.corner.friends, self.fan.turns, whole=False)
        return np.where(self.is_overlapped, at_end & (not self.ignores_overlapped), met)

    @property
    def meets_enemies(self) -> Flags:
        """Which enemies around (k, e) come into contact during the charger's turn."""
        return self._units_met[:, : len(self.fan.corner.enemies_around.numbers)]

    def meets(self, body: FloatArray, bodies: Bodies, turns: FloatArray, *, whole: bool) -> Flags:
        """Tell which bodies (k, m) another (k, n, 2) comes too near to on its turns (k,), or at their ends only."""
        return turns_into(body, self.seen(bodies), turns, levels=self.levels(bodies), whole=whole)

    def _are_clear(self, body: FloatArray, bodies: Bodies, turns: FloatArray, wheels: Flags) -> Flags:
        """Tell of which of some wheels (k,) the turns of a body (k, n, 2) come near to none of some bodies."""

        def meet(left: Numbers, some_bodies: Bodies) -> Flags:
            return self.part(left).meets(body[left], some_bodies, turns[left], whole=self.is_whole)

        return bodies.are_none_met(wheels, meet)

    def of_kind(self, kind: Kind) -> Flags:
        """Tell which wheels are of a kind, whatever else they may be."""
        flags: Flags = getattr(self, kind)
        return flags

    @cached_property
    def own(self) -> Flags:
        """Which wheels complete by the charger's own turn."""
        return self._is_free_of_solid & ~self.fan.offends & ~some(self.meets_enemies)

    def part(self, which: Flags | Numbers) -> "Settling":
        """Give some of the wheels."""
        return Settling(self.fan.of(which), self.ignores_overlapped)

    @cached_property
    def turned(self) -> Flags:
        """Which wheels complete by a turn of the target."""
        if self.fan.corner.scene.target.unit is None:
            return np.zeros(len(self.contacts), dtype=bool)
        overlapped = some(self.is_overlapped) & (not self.ignores_overlapped)
        free = ~self.fan.offends & ~overlapped
        free[free] = ~self.part(free).target_meets
        return free

    @cached_property
    def target_meets(self) -> Flags:
        """Whether the target, turning the other way, overlaps a regiment other than the charger, solid terrain or the board's edge."""
        corner, target, turns = self.fan.corner, self.about(self.fan.target), -self.fan.turns
        into = self.meets(target, corner.friends, turns, whole=self.is_whole) & ~(self.is_overlapped & self.ignores_overlapped)
        return ~self._are_clear(target, corner.walls, turns, ~some(into))

    @cached_property
    def offenders(self) -> Flags:
        """Which enemies (k, e) are in the way of the charger's turn: at the contact, on the turn, or at its end."""
        corner, enemies = self.fan.corner, self.fan.corner.enemies_around
        at_contact = self.meets(self.charger, enemies, np.zeros(len(self.contacts)), whole=False)
        offenders = np.zeros((len(self.contacts), len(corner.enemies.numbers)), dtype=bool)
        offenders[:, enemies.numbers] = self.meets_enemies | at_contact
        return offenders

    @cached_property
    def pushes(self) -> Pushes:
        """How they are pushed."""
        corner = self.fan.corner
        enemies, fixed = self.seen(corner.enemies), self.seen(corner.fixed)
        around = Around(turned(self.charger, self.fan.turns), enemies, fixed, self.levels(corner.fixed), self._ignored)
        return Pushes(self.fan, around, self.offenders)

    @property
    def _ignored(self) -> Flags:
        """What of the fixed bodies (k, w) a push need not look at: friends that are ignored."""
        corner, scene = self.fan.corner, self.fan.corner.scene
        names = [unit.name for unit in scene.friends]
        ignored = np.zeros((len(self.contacts), len(names)), dtype=bool)
        columns = [names.index(scene.crossable[number].name) for number in corner.friends.numbers.tolist()]
        ignored[:, columns] = self.is_overlapped & self.ignores_overlapped
        numbers = corner.fixed.numbers
        listed = ignored[:, np.minimum(numbers, max(len(names) - 1, 0))] if names else np.zeros((len(ignored), len(numbers)), dtype=bool)
        return listed & (numbers < len(names))

    @cached_property
    def wants_push(self) -> Flags:
        """Which wheels need nothing but other enemies out of the way (k,)."""
        free = self._is_free_of_solid.copy()
        free[free] = some(self.part(free).offenders) if free.any() else False
        return free

    @cached_property
    def push(self) -> Flags:
        """Which wheels complete by pushing enemies away."""
        wanted, corner = self.wants_push.copy(), self.fan.corner
        at_once = max(MOST_PAIRS // (WAYS * (len(corner.fixed.numbers) + len(corner.enemies.numbers) + 1)), 1)
        rows = np.flatnonzero(wanted)
        for start in range(0, len(rows), at_once):
            some_rows = rows[start : start + at_once]
            wanted[some_rows] = self.part(some_rows).pushes.have_room
        return wanted

    @cached_property
    def mired(self) -> Flags:
        """Which wheels would complete but for friends overlapped at the point of contact."""
        over = some(self.is_overlapped)
        if over.any():
            apart = Settling(self.fan.of(over), ignores_overlapped=True)
            over[over] = apart.own | apart.turned | apart.push
        return over

    @cached_property
    def touch(self) -> Flags:
        """Which wheels touch the target with nobody else met and no friend overlapped."""
        result: Flags = ~self.fan.offends & ~some(self.is_overlapped)
        return result


def turns_into(bodies: FloatArray, rings: FloatArray, turns: FloatArray, *, levels: FloatArray, whole: bool) -> Flags:
    """Tell which rings (k, m, n, 2) bodies (k, b, 2) come nearer to than `levels` (m,), in inches, on their turns (k,) about the origin.

    Turns in radians, counter-clockwise when positive; unless `whole`, only their ends are asked.
    """
    count, many = rings.shape[:2]
    if not count * many:
        return np.zeros((count, many), dtype=bool)
    clockwise = turns < 0.0
    bodies = np.where(clockwise[:, None, None], mirrored(bodies), bodies)
    rings = np.where(clockwise[:, None, None, None], mirrored(rings), rings)
    body, ring = np.repeat(bodies, many, axis=0), rings.reshape(-1, *rings.shape[2:])
    until, level = np.repeat(np.abs(turns), many), np.tile(levels, count)
    return are_blocked(body, ring, needed=level, until=until, at_end_only=not whole).reshape(count, many)
