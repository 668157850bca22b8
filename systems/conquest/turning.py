"""Turns about points of contact, as seen from a front that lies flush on the charged facing: whom they come too near to.

Frame: the point of contact is the origin, x runs to the right along a flush front, y ahead. All arrays have one row for each wheel.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from systems.conquest.corner import Bodies, Flags, Numbers
from tabletop.pose import FloatArray
from tabletop.rings import mirrored, separation
from tabletop.solve.turns import are_blocked


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

    def meets(self, bodies: Bodies) -> Flags:
        """Tell which bodies (k, m) it comes too near to."""
        met = np.zeros((len(self.turns), len(bodies.numbers)), dtype=bool)
        wheels, numbers = self._near(bodies)
        if len(wheels):
            met[wheels, numbers] = self.part(wheels)._are_met(bodies.part(numbers))  # noqa: SLF001 - of some of these turns
        return met

    def overlaps(self, bodies: Bodies) -> Flags:
        """Tell which bodies (k, m) it overlaps before it turns."""
        overlapped = np.zeros((len(self.turns), len(bodies.numbers)), dtype=bool)
        wheels, numbers = self._near(bodies)
        if len(wheels):
            rings = bodies.rings[numbers] - self.contacts[wheels, None]
            overlapped[wheels, numbers] = separation(self.body[wheels], rings) < -self.slack
        return overlapped

    def are_clear(self, bodies: Bodies, wheels: Flags) -> Flags:
        """Tell of which of some wheels (k,) it comes near to none of some bodies; of no wheel that meets one more is asked."""
        clear = wheels.copy()
        for some in bodies.batches(len(clear)):
            left = np.flatnonzero(clear)
            clear[left] = ~np.logical_or.reduce(self.part(left).meets(some), axis=1)
        return clear

    @cached_property
    def _radii(self) -> FloatArray:
        """How far the body extends from the points of contact (k,)."""
        radii: FloatArray = np.hypot(self.body[..., 0], self.body[..., 1]).max(axis=1)
        return radii

    def _near(self, bodies: Bodies) -> tuple[Numbers, Numbers]:
        """Give wheels and bodies whose boxes lie within what may be swept, and the gap needed."""
        low, high = (corner - self.contacts[:, None] for corner in bodies.boxes)
        nearest = np.maximum(low, 0.0) + np.minimum(high, 0.0)
        reach = self._radii[:, None] + np.maximum(bodies.needed, 0.0)
        wheels, numbers = np.nonzero(nearest[..., 0] ** 2 + nearest[..., 1] ** 2 <= reach * reach)
        return wheels, numbers

    def _are_met(self, bodies: Bodies) -> Flags:
        """Tell of each turn whether it comes too near to its own one of k bodies."""
        rings, clockwise = bodies.rings - self.contacts[:, None], (self.turns < 0.0)[:, None, None]
        body, rings = (np.where(clockwise, mirrored(ring), ring) for ring in (self.body, rings))
        until, needed = np.abs(self.turns), bodies.needed - self.slack
        met: Flags = are_blocked(body, rings, needed=needed, until=until, at_end_only=not self.is_whole)
        return met
