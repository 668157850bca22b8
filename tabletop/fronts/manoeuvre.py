"""Forward, wheel, forward moves of a front among hazards, very many at once: how long the second part may be at most.

Moves are numbered by their wheel (pivot and angle) and their first part; neither knows of a target. Coordinates are those of
`tabletop.fronts.approach`. Hazards are taken a little too large where they need a gap: convex bodies with their edges moved
outward and mitred corners, discs as the polygons about them. So a move told to be free is free.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tabletop.fronts.approach import Approach
from tabletop.fronts.sweep import FLAT, Bounds, Rings, sector_support, wheel_blocks
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import ring_gap
from tabletop.units import CONTACT

DISC_SIDES = 16
"""Sides of the polygon about a disc."""

ROUND_BEYOND = 0.2
"""Inches of gap beyond which mitred corners would take too much: such bodies are held off in many directions."""


@dataclass(frozen=True, eq=False)
class Wheels:
    """Wheels about a front corner: the pivot (0 right, 1 left) and the angle in radians, (p,) each."""

    side: np.ndarray
    angle: FloatArray

    @property
    def along(self) -> FloatArray:
        """Unit vectors along the wheeled front, away from the pivot, (p, 2)."""
        return np.stack([-np.cos(self.angle), np.sin(self.angle)], axis=1)

    @property
    def ahead(self) -> FloatArray:
        """Unit vectors ahead of the wheeled front, (p, 2)."""
        return np.stack([np.sin(self.angle), np.cos(self.angle)], axis=1)


@dataclass(frozen=True, eq=False)
class Manoeuvres:
    """Moves of p wheels with d first parts each.

    Attributes
    ----------
    first
        The first parts, (p, d).
    longest
        Inches that the second part may be long, (p, d); negative where the move is not free until then.
    enter, leave
        Second parts between which the front, where it ends, would be too near to a hazard, (p, d, hazards).
    """

    wheels: Wheels
    first: FloatArray
    longest: FloatArray
    enter: FloatArray
    leave: FloatArray


@dataclass(frozen=True, eq=False)
class FrontAmongHazards:
    """A front among hazards, for asking about wheels (p,) with first parts (p, d); `approach` names them, its target counts nothing.

    Attributes
    ----------
    needed
        Gaps asked of the hazards, (hazards,), in inches.
    margin
        Inches that the front must keep from the board's edge.
    """

    approach: Approach
    needed: FloatArray
    margin: float = 0.0

    @classmethod
    def careful(cls, approach: Approach, *, slack: float) -> "FrontAmongHazards":
        """Ask for `slack` inches more than needed; of a hazard near to the front at the start for no more than half of the gap there."""
        front = np.array([approach.corner("left"), approach.corner("right")])
        gaps = np.array([float(ring_gap(front, hazard.ring)) for hazard in approach.hazards])
        needed = np.array([hazard.needed for hazard in approach.hazards])
        return cls(approach, needed + np.clip((gaps - needed) / 2, 0.0, slack), slack)

    @cached_property
    def bodies(self) -> Rings:
        """The hazards as seen from both front corners."""
        return self.approach.halves.bodies(np.arange(2), slice(1, None), np.broadcast_to(self.needed, (2, len(self.needed))))

    @cached_property
    def planes(self) -> tuple[FloatArray, FloatArray]:
        """Normals (2, b, n, 2) and limits (2, b, n) of half-planes that hold the hazards, the gaps needed left out."""
        bodies = self.bodies
        if not (self.needed > ROUND_BEYOND).any():
            return bodies.normals, bodies.supports
        turns = np.arange(DISC_SIDES) * (math.tau / DISC_SIDES)
        around = np.broadcast_to(np.stack([np.cos(turns), np.sin(turns)], axis=1), (*bodies.normals.shape[:2], DISC_SIDES, 2))
        supports = np.einsum("sbnj,sbkj->sbnk", around, bodies.vertices).max(axis=3)
        return np.concatenate([bodies.normals, around], axis=2), np.concatenate([bodies.supports, supports], axis=2)

    @cached_property
    def straight(self) -> FloatArray:
        """Inches that the front may go straight ahead before it meets a hazard, for both pivots."""
        low, high = wheel_blocks(self.bodies, np.zeros_like(self.bodies.needed), width=self.approach.width)
        way: FloatArray = np.maximum(np.where((low < high) & (high > CONTACT), low, np.inf).min(axis=1, initial=np.inf), 0.0)
        return way

    def in_wheel(self, wheels: Wheels) -> Bounds:
        """First parts between which each hazard is met by the wheel, (p, hazards)."""
        known, which = np.unique(wheels.angle + wheels.side * math.tau, return_index=True, return_inverse=True)[1:]
        side, angle = wheels.side[known], wheels.angle[known]
        asked = np.broadcast_to(self.needed, (len(side), len(self.needed)))
        bodies = self.approach.halves.bodies(side, slice(1, None), asked)
        low, high = wheel_blocks(bodies, np.broadcast_to(angle[:, None], asked.shape), width=self.approach.width)
        return low[which], high[which]

    def is_free(self, wheels: Wheels, first: FloatArray) -> np.ndarray:
        """Tell which moves (p, d) are free, and on the board, until the wheel is done."""
        normals, room = self.approach.halves.board_normals[wheels.side], self.approach.halves.board_limits[wheels.side] - self.margin
        spare = (room - sector_support(normals, wheels.angle[:, None], self.approach.width))[..., None]
        free: np.ndarray = (normals[..., 1:] * first[:, None] <= spare).all(axis=1)
        if not self.approach.ignores_way:
            low, high = self.in_wheel(wheels)
            blocked = (first[:, None] > low[..., None]) & (first[:, None] < high[..., None])
            free &= (first <= self.straight[wheels.side][:, None]) & ~blocked.any(axis=1)
        return free

    def to_the_edge(self, wheels: Wheels, first: FloatArray, margin: FloatArray | float) -> FloatArray:
        """Give how far the wheeled front may go on (p, d) until it is `margin` inches (p, 1) from the board's edge."""
        normals, room = self.approach.halves.board_normals[wheels.side], self.approach.halves.board_limits[wheels.side] - margin
        along, rate = np.einsum("pej,pj->pe", normals, wheels.along), np.einsum("pej,pj->pe", normals, wheels.ahead)
        left = (room - np.maximum(0.0, self.approach.width * along))[..., None] - normals[..., 1:] * first[:, None]
        way: FloatArray = np.where(rate[..., None] > FLAT, left / np.maximum(rate, FLAT)[..., None], np.inf).min(axis=1)
        return way

    def stretches(self, wheels: Wheels, first: FloatArray, needed: FloatArray) -> Bounds:
        """Give the second parts between which the wheeled front is nearer than `needed` (p or 1, hazards) to each hazard.

        Two arrays (p, d, hazards); low > high where it never is.
        """
        if not len(self.needed):
            return np.empty((*first.shape, 0)), np.empty((*first.shape, 0))
        normals, limits = (part[wheels.side] for part in self.planes)
        x, y = normals[..., 0], normals[..., 1]
        (along_x, along_y), (ahead_x, ahead_y) = (part.T[..., None, None] for part in (wheels.along, wheels.ahead))
        limits = limits + needed[..., None] + np.maximum(0.0, -self.approach.width * (x * along_x + y * along_y))
        rates, drift = x * ahead_x + y * ahead_y, y
        low, high = _clipped_fans(limits, drift, rates, first)
        places = np.einsum("pbkj,pj->pbk", self.bodies.vertices[wheels.side], wheels.ahead)
        start = (first * wheels.ahead[:, 1:])[:, None]
        np.maximum(low, (places.min(axis=2) - needed)[..., None] - start, out=low)
        np.minimum(high, (places.max(axis=2) + needed)[..., None] - start, out=high)
        return low.swapaxes(1, 2), high.swapaxes(1, 2)

    def moves(self, wheels: Wheels, first: FloatArray) -> Manoeuvres:
        """Tell how far each move may go."""
        enter, leave = self.stretches(wheels, first, self.needed[None])
        longest = self.to_the_edge(wheels, first, self.margin)
        if not self.approach.ignores_way:
            longest = np.minimum(longest, stopped_at(enter, leave))
        return Manoeuvres(wheels, first, np.where(self.is_free(wheels, first), longest, -np.inf), enter, leave)


def stopped_at(enter: FloatArray, leave: FloatArray) -> FloatArray:
    """Give the second parts (p, d) at which the first hazard of (p, d, hazards) is met."""
    first: FloatArray = np.where((leave > 0.0) & (enter < leave), enter, np.inf).min(axis=2, initial=np.inf)
    return first


def clipped_rays(limits: FloatArray, rates: FloatArray) -> Bounds:
    """Give the bounds (low, high) of x with rates * x < limits for all half-planes on the last axis; low > high if there are none."""
    rates = _no_zeros(rates)
    ends = limits / rates
    return np.where(rates < 0.0, ends, -np.inf).max(axis=-1), np.where(rates > 0.0, ends, np.inf).min(axis=-1)


def _no_zeros(rates: FloatArray) -> FloatArray:
    """Let what stays as it is grow by next to nothing: it is beyond its limit, or comes to it, far off."""
    return np.where(np.abs(rates) <= FLAT, FLAT, rates)


def _clipped_fans(limits: FloatArray, drifts: FloatArray, rates: FloatArray, first: FloatArray) -> Bounds:
    """Clip the rays of first parts (p, d) as `clipped_rays` does: limits, what they lose with each inch of first part, and rates (p, b, n).

    Give bounds (p, b, d). They are linear in the first part, and the greatest and the least of few are found one by one.
    """
    inverse = 1.0 / _no_zeros(rates)
    ends, slopes, is_low = limits * inverse, -drifts * inverse, inverse < 0.0
    low = _extreme(np.where(is_low, ends, -np.inf), np.where(is_low, slopes, 0.0), first, np.maximum)
    return low, _extreme(np.where(is_low, np.inf, ends), np.where(is_low, 0.0, slopes), first, np.minimum)


def _extreme(ends: FloatArray, slopes: FloatArray, first: FloatArray, better: np.ufunc) -> FloatArray:
    """Give the greatest or the least (p, b, d) of ends + slopes * first over the last axis of the former (p, b, n)."""
    found = ends[..., :1] + slopes[..., :1] * first[:, None]
    other = np.empty_like(found)
    for number in range(1, ends.shape[2]):
        np.multiply(slopes[..., number, None], first[:, None], out=other)
        other += ends[..., number, None]
        better(found, other, out=found)
    return found
