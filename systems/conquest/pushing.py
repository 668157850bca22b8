"""Pushing: enemies in the way of a charger's turn are moved away from its end frame, each by the least displacement there is.

Frame: that of the fan, moved so that the point of contact is the origin. All arrays have one row for each wheel.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.conquest.bodies import Flags, Numbers
from systems.conquest.fan import Fan
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.ring import ring_gap, separation, turned
from tabletop.units import CONTACT, FLUSH

WAYS = 8
"""Directions in which an enemy may be pushed: square to the sides of the charger, and to its own."""


@dataclass(frozen=True, eq=False)
class Around:
    """What stands around the point of contact: all in its frame.

    Attributes
    ----------
    charger
        Its end frame (k, 4, 2).
    enemies
        Other enemies (k, e, 4, 2).
    fixed, needed
        Whatever else must not be overlapped, the target among it (k, w, n, 2), and the gaps needed (w,).
    ignored
        What of that does not count (k, w).
    """

    charger: FloatArray
    enemies: FloatArray
    fixed: FloatArray
    needed: FloatArray
    ignored: Flags


@dataclass(frozen=True, eq=False)
class Pushes:
    """The pushes of the enemies that are `offenders` (k, e), in file order."""

    fan: Fan
    around: Around
    offenders: Flags

    @property
    def have_room(self) -> Flags:
        """Whether all who are pushed find a free place (k,)."""
        return self._found[1]

    @property
    def without_room(self) -> Numbers:
        """The first enemy (k,) who is pushed and finds no free place, -1 where all do."""
        return self._found[2]

    @property
    def shifts(self) -> FloatArray:
        """How far each enemy is moved (k, e, 2); 0 for those who stay."""
        return self._found[0]

    @cached_property
    def _found(self) -> tuple[FloatArray, Flags, Numbers]:
        enemies = self.around.enemies
        shifts, has_room = np.zeros((*enemies.shape[:2], 2)), np.ones(len(enemies), dtype=bool)
        without_room = np.full(len(enemies), -1, dtype=np.intp)
        for number in range(enemies.shape[1]):
            rows = np.flatnonzero(self.offenders[:, number] & has_room)
            if len(rows):
                shift, is_free = self._pushed(number, rows, shifts)
                shifts[rows, number], has_room[rows] = shift, is_free
                without_room[rows[~is_free]] = number
        return shifts, has_room, without_room

    def _pushed(self, number: int, rows: np.ndarray, shifts: FloatArray) -> tuple[FloatArray, Flags]:
        """Push one enemy in some rows: the shift (r, 2), and whether there is a free one (r,)."""
        around, enemy = self.around, self.around.enemies[rows, number]
        axes = self._axes(enemy, rows)
        beyond = np.einsum("raj,rvj->rav", axes, enemy).min(axis=2) - np.einsum("raj,rvj->rav", axes, around.charger[rows]).max(axis=2)
        lengths = np.maximum(self.fan.corner.scene.book.push_gap - beyond, 0.0)  # who is passed and left that far away is not drawn near
        places = enemy[:, None] + (lengths[..., None] * axes)[:, :, None]
        chosen = self._shortest(np.where(self._is_free(places, number, rows, shifts), lengths, np.inf), axes, rows)
        each = np.arange(len(rows))
        length = lengths[each, chosen]
        is_free = self._is_free(places[each, chosen][:, None], number, rows, shifts)[:, 0]
        return length[:, None] * axes[each, chosen], is_free

    def _axes(self, enemy: FloatArray, rows: np.ndarray) -> FloatArray:
        """Give the directions (r, 8, 2): outward normals of the charger's end frame, and those of the enemy's sides."""
        edge = enemy[:, 1] - enemy[:, 0]
        along = edge / np.hypot(edge[:, 0], edge[:, 1])[:, None]
        ahead = self._heading(rows)
        quarters = np.linspace(0.0, 1.5 * np.pi, 4)
        return np.concatenate([turned(np.repeat(one[:, None, None], 4, axis=1), quarters)[:, :, 0] for one in (ahead, along)], axis=1)

    def _heading(self, rows: np.ndarray) -> FloatArray:
        """Give the charger's heading at the end (r, 2)."""
        turns = self.fan.turns[rows]
        return np.column_stack([-np.sin(turns), np.cos(turns)])

    def _shortest(self, lengths: FloatArray, axes: FloatArray, rows: np.ndarray) -> np.ndarray:
        """Choose the shortest of lengths (r, 8): of equal ones the nearest to the charger's heading, then to its left."""
        ahead_x, ahead_y = self._heading(rows).T[:, :, None]
        sideways = (ahead_x * axes[..., 1] - ahead_y * axes[..., 0]) * self.fan.corner.view.sense
        off = np.arctan2(np.abs(sideways), ahead_x * axes[..., 0] + ahead_y * axes[..., 1])
        least = lengths.min(axis=1, keepdims=True)
        nearest = np.where(lengths <= least + CONTACT, off, np.inf)
        tied = nearest <= nearest.min(axis=1, keepdims=True) + FLUSH
        chosen: np.ndarray = np.where(tied, -sideways, np.inf).argmin(axis=1)
        return chosen

    def _is_free(self, places: FloatArray, number: int, rows: np.ndarray, shifts: FloatArray) -> Flags:
        """Tell which places (r, a, 4, 2) of an enemy overlap nothing; enemies still to be pushed do not count."""
        around, slack = self.around, self.fan.slack
        later = self.offenders[rows] & (np.arange(self.offenders.shape[1]) > number)
        later[:, number] = True
        others = around.enemies[rows] + shifts[rows][:, :, None]
        measure = ring_gap if (around.needed > 0.0).any() else separation
        overlaps = [
            _gaps(separation, places, around.charger[rows][:, None]) < -slack,
            (_gaps(separation, places, others) < -slack) & ~later[:, None],
            (_gaps(measure, places, around.fixed[rows]) < around.needed) & ~around.ignored[rows][:, None],
        ]
        free: Flags = ~np.logical_or.reduce(np.concatenate(overlaps, axis=2), axis=2)
        return free


def _gaps(measure: Callable[[FloatArray, FloatArray], FloatArray], places: FloatArray, others: FloatArray) -> FloatArray:
    """Measure (r, a, m) between places (r, a, 4, 2) and rings (r, m, n, 2)."""
    if not others.shape[1]:
        return np.empty((*places.shape[:2], 0))
    return measure(places[:, :, None], others[:, None])
