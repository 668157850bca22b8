"""Turns about points of contact, as seen from a front that lies flush on the charged facing: whom they come too near to.

Frame: the point of contact is the origin, x runs to the right along a flush front, y ahead. All arrays have one row for each wheel.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from systems.conquest.bodies import Flags, Numbers, SeenBodies
from tabletop.fronts.obstacle import gaps_on_turns
from tabletop.fronts.turn import are_blocked
from tabletop.geometry.motion import GAP_ROUNDING
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.ring import mirrored, ring_gap, turned
from tabletop.units import CONTACT

MOST_ALONE, CELL = 128, 16
"""Pairs of a wheel and a body up to which each is asked on its own; beyond it so many neighbouring wheels are asked together first."""
UNSURE = 2.0 * CONTACT
"""Inches by which the room beside bodies that overlap less than they may, and rounding, may be put wrong."""


@dataclass(frozen=True, eq=False)
class Turning:
    """A body that turns about the points of contact of some wheels.

    Attributes
    ----------
    body
        Its corners at the contact (k, n, 2).
    turns
        What it turns by (k,), in radians, counter-clockwise when positive.
    contacts
        The points of contact (k, 2) in the coordinates of a flush front (`Corner.front`), in which others are given.
    slack
        Inches that are allowed to every gap.
    is_whole
        Whether the whole turn is asked, or its end only.
    """

    body: FloatArray
    turns: FloatArray
    contacts: FloatArray
    slack: float
    is_whole: bool

    def part(self, which: Flags | Numbers) -> "Turning":
        """Give some of the turns."""
        return Turning(self.body[which], self.turns[which], self.contacts[which], self.slack, self.is_whole)

    @property
    def at_end(self) -> "Turning":
        """The same turns, of which only the ends are asked."""
        return replace(self, is_whole=False)

    @property
    def at_start(self) -> "Turning":
        """No turns at all."""
        return replace(self, turns=np.zeros_like(self.turns), is_whole=False)

    def meets(self, bodies: SeenBodies) -> Flags:
        """Tell which bodies (k, m) it comes too near to."""
        met = np.zeros((len(self.turns), len(bodies.numbers)), dtype=bool)
        wheels, numbers = self._near(bodies)
        if len(wheels) > MOST_ALONE:
            cells = TurnCells(self)
            is_met, is_open = cells.met(bodies, wheels, numbers)
            met[wheels, numbers] = is_met
            wheels, numbers = wheels[is_open], numbers[is_open]
        if len(wheels):
            met[wheels, numbers] = self.part(wheels).are_met(bodies.part(numbers))
        return met

    def room(self, bodies: SeenBodies) -> FloatArray:
        """Give by how much more than the least gap that is let pass it keeps away from bodies (k, m), in inches; inf from those far off."""
        room = np.full((len(self.turns), len(bodies.numbers)), np.inf)
        wheels, numbers = self._near(bodies)
        if len(wheels):
            room[wheels, numbers] = self.part(wheels).rooms(bodies.part(numbers))
        return room

    def rooms(self, bodies: SeenBodies) -> FloatArray:
        """Give that of each turn (k,) to its own one of k bodies; where they overlap, at least so much is missing."""
        rings = bodies.rings - self.contacts[:, None]
        gaps = gaps_on_turns(self.body, rings, self.turns) if self.is_whole else ring_gap(turned(self.body, self.turns), rings)
        return gaps - (bodies.needed - self.slack - GAP_ROUNDING)

    def are_clear(self, batches: Iterable[SeenBodies], wheels: Flags) -> Flags:
        """Tell of which of some wheels (k,) it comes near to none of some bodies; of no wheel that meets one more is asked."""
        clear = wheels.copy()
        for some in batches:
            left = np.flatnonzero(clear)
            clear[left] = ~np.logical_or.reduce(self.part(left).meets(some), axis=1)
        return clear

    @cached_property
    def radii(self) -> FloatArray:
        """How far the body extends from the points of contact (k,)."""
        radii: FloatArray = np.hypot(self.body[..., 0], self.body[..., 1]).max(axis=1)
        return radii

    def _near(self, bodies: SeenBodies) -> tuple[Numbers, Numbers]:
        """Give wheels and bodies whose boxes lie within what may be swept, and the gap needed."""
        low, high = (corner - self.contacts[:, None] for corner in bodies.boxes)
        nearest = np.maximum(low, 0.0) + np.minimum(high, 0.0)
        reach = self.radii[:, None] + np.maximum(bodies.needed, 0.0)
        wheels, numbers = np.nonzero(nearest[..., 0] ** 2 + nearest[..., 1] ** 2 <= reach * reach)
        return wheels, numbers

    def are_met(self, bodies: SeenBodies) -> Flags:
        """Tell of each turn whether it comes too near to its own one of k bodies."""
        rings, clockwise = bodies.rings - self.contacts[:, None], (self.turns < 0.0)[:, None, None]
        body, rings = (np.where(clockwise, mirrored(ring), ring) for ring in (self.body, rings))
        until, needed = np.abs(self.turns), bodies.needed - self.slack
        met: Flags = are_blocked(body, rings, needed=needed, until=until, at_end_only=not self.is_whole)
        return met


@dataclass(frozen=True, eq=False)
class TurnCells:
    """Neighbouring turns asked together: where one of them keeps more than enough away, or far too little, all of them do."""

    turning: Turning

    @cached_property
    def middles(self) -> Numbers:
        """The turn (c,) that stands for each cell."""
        count = len(self.turning.turns)
        return np.minimum(np.arange(0, count, CELL) + CELL // 2, count - 1)

    @cached_property
    def spreads(self) -> FloatArray:
        """No point of what is swept lies farther than this (c,) from what the middle turn of a cell sweeps, nor the other way round.

        Of two turns that end alike the longer one sweeps more only where it begins.
        """
        turning, count = self.turning, len(self.turning.turns)
        of = np.repeat(self.middles, CELL)[:count]
        ends = turned(turning.body, turning.turns)
        apart = np.hypot(*np.moveaxis(ends - ends[of], -1, 0)).max(axis=1) + np.hypot(*(turning.contacts - turning.contacts[of]).T)
        longer = turning.radii * np.abs(turning.turns - turning.turns[of])
        spreads: FloatArray = np.maximum.reduceat(apart + longer, np.arange(0, count, CELL)) + UNSURE
        return spreads

    def met(self, bodies: SeenBodies, wheels: Numbers, numbers: Numbers) -> tuple[Flags, Flags]:
        """Tell of pairs of a turn and a body (p,) which meet, and of which that is left open."""
        pair = wheels // CELL * len(bodies.numbers) + numbers
        asked, which = np.unique(pair, return_inverse=True)
        cells, some = np.divmod(asked, len(bodies.numbers))
        left = self.turning.part(self.middles[cells]).rooms(bodies.part(some))[which]
        spreads = self.spreads[wheels // CELL]
        return left < -spreads, np.abs(left) <= spreads
