"""What becomes of wheels whose advance is free: the charger turns flush, the target does, others are pushed, or nothing helps.

Frame: that of the fan, moved so that the point of contact is the origin. All arrays have one row for each wheel.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from systems.conquest.bodies import Flags, Numbers, SeenBodies
from systems.conquest.fan import Fan, some
from systems.conquest.pushing import WAYS, Around, Pushes
from systems.conquest.turning import Turning
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.ring import turned

Kind = Literal["own", "turned", "push", "touch", "mired"]


@dataclass(frozen=True, eq=False)
class Settling:
    """A fan of wheels that reach the facing freely; `ignores_overlapped` leaves out friends overlapped at the contact."""

    fan: Fan
    ignores_overlapped: bool = False

    @cached_property
    def contacts(self) -> FloatArray:
        """The points of contact (k, 2) in the frame of the fan."""
        return np.column_stack([self.fan.places, self.fan.ways])

    @cached_property
    def charger(self) -> FloatArray:
        """The charger's frame at contact (k, 4, 2)."""
        left, right = -self.fan.places, self.fan.width - self.fan.places
        back, front = np.full_like(left, -self.fan.corner.scene.charger.depth), np.zeros_like(left)
        corners = ((left, back), (right, back), (right, front), (left, front))
        return np.stack([np.stack(corner, axis=-1) for corner in corners], axis=1)

    def seen(self, bodies: SeenBodies) -> FloatArray:
        """Give the corners (k, m, n, 2) of bodies about the points of contact."""
        seen: FloatArray = turned(bodies.rings, self.fan.angles[:, None]) + np.array([self.fan.width, 0.0])
        return seen - self.contacts[:, None, None]

    def levels(self, bodies: SeenBodies) -> FloatArray:
        """Give the least gaps to bodies (m,) that are let pass."""
        return bodies.needed - self.fan.slack

    @cached_property
    def turning(self) -> Turning:
        """The charger's turn until it is flush."""
        return self._turning(turned(self.charger, -self.fan.leans), self.fan.turns)

    @cached_property
    def target_turning(self) -> Turning:
        """The target's turn the other way, while the charger stays."""
        corner = self.fan.corner
        return self._turning(corner.front.points(corner.target) - self._flush_contacts[:, None], -self.fan.turns)

    def _turning(self, body: FloatArray, turns: FloatArray) -> Turning:
        is_whole = self.fan.corner.scene.choices.align_sweep == "whole"
        return Turning(body, turns, self._flush_contacts, self.fan.slack, is_whole)

    @property
    def _flush_contacts(self) -> FloatArray:
        """The points of contact (k, 2) in the coordinates of a flush front."""
        along, behind = self.fan.on_facing
        return np.column_stack([-along, behind])

    @cached_property
    def is_overlapped(self) -> Flags:
        """Which friends (k, f) are overlapped at the point of contact."""
        return self.turning.at_start.meets(self.fan.corner.friends)

    @cached_property
    def _units_met(self) -> Flags:
        """Which enemies around, and behind them which friends, the charger's turn comes too near to (k, e + f)."""
        return self.turning.meets(self.fan.corner.units_around)

    @cached_property
    def _is_free_of_solid(self) -> Flags:
        """Whether the charger's turn keeps all needed gaps but those to enemies, and overlaps no friend (k,)."""
        return self.turning.are_clear(self._batches(self.fan.corner.solid_around), ~some(self._friends_met))

    def _batches(self, bodies: SeenBodies) -> Iterator[SeenBodies]:
        """Give bodies in parts, as long as there is time."""
        for some_bodies in bodies.batches(len(self.contacts)):
            self.fan.corner.scene.keep_time()
            yield some_bodies

    @property
    def _friends_met(self) -> Flags:
        """Which friends it overlaps (k, f); one overlapped at the contact already is asked at the end only."""
        met = self._units_met[:, len(self.fan.corner.enemies_around.numbers) :]
        over = some(self.is_overlapped)
        if not over.any():
            return met
        met, is_overlapped, at_end = met.copy(), self.is_overlapped[over], self.turning.part(over).at_end
        met[over] = np.where(is_overlapped, at_end.meets(self.fan.corner.friends) & (not self.ignores_overlapped), met[over])
        return met

    @property
    def meets_enemies(self) -> Flags:
        """Which enemies around (k, e) come into contact during the charger's turn."""
        return self._units_met[:, : len(self.fan.corner.enemies_around.numbers)]

    def of_kind(self, kind: Kind) -> Flags:
        """Tell which wheels are of a kind, whatever else they may be."""
        self.fan.corner.scene.keep_time()
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
        corner, turning = self.fan.corner, self.target_turning
        into = turning.meets(corner.friends) & ~(self.is_overlapped & self.ignores_overlapped)
        return ~turning.are_clear(self._batches(corner.walls), ~some(into))

    @cached_property
    def offenders(self) -> Flags:
        """Which enemies (k, e) are in the way of the charger's turn: at the contact, on the turn, or at its end."""
        corner, enemies = self.fan.corner, self.fan.corner.enemies_around
        at_contact = self.turning.at_start.meets(enemies)
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
        at_once = corner.fixed.at_once(WAYS * (len(corner.fixed.numbers) + len(corner.enemies.numbers) + 1))
        rows = np.flatnonzero(wanted)
        for start in range(0, len(rows), at_once):
            corner.scene.keep_time()
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
