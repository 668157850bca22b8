"""A rectangle that stands with a front corner on a facing, turned away from it: whether it can stand so at very many places.

The facing shifts with its body, hazards stay. Lengths in inches; the rectangle is turned by 0 to 90 degrees from flush, about
its right front corner counter-clockwise, about its left one clockwise.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tabletop.fronts.branch_and_bound import within
from tabletop.fronts.meeting import Mask, Numbers
from tabletop.fronts.obstacle import Hazard
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import ring_gap, separation
from tabletop.table.facing import Facing
from tabletop.table.state import Board
from tabletop.units import CONTACT, RIGHT_ANGLE

FIRST_PARTS = 12
"""Parts of the facing, and of the right angle, into which places are divided at first."""

LEANING_ROUNDS = 5
"""Times that they are looked at, and quartered in between."""

LAST_PARTS = FIRST_PARTS * 2 ** (LEANING_ROUNDS - 1)
"""Parts of the facing at last."""

MOST_BOXES = 300_000
"""Boxes looked at once more."""

WITNESS_ANGLES = 90
"""Angles tried for a witness."""


@dataclass(frozen=True, eq=False)
class Leaning:
    """A rectangle of `width` and `depth` on a facing, among hazards and on a board; places are shifts (n, 2) of the facing."""

    facing: Facing
    width: float
    depth: float
    hazards: Sequence[Hazard]
    board: Board
    shifts: FloatArray

    def rings(self, stands: "Stands") -> FloatArray:
        """Give the rectangles (q, 4, 2)."""
        along, normal = np.array(self.facing.along), np.array(self.facing.normal)
        cos, sin = stands.sense * np.cos(stands.angle), np.sin(stands.angle)
        front = self.width * (cos[:, None] * along + sin[:, None] * normal)
        back = self.depth * (np.abs(cos)[:, None] * normal - (stands.sense * sin)[:, None] * along)
        corner = np.array(self.facing.origin) + self.shifts[stands.place] + stands.u[:, None] * along
        ring = np.stack([corner, corner + front, corner + front + back, corner + back], axis=1)
        turned: FloatArray = np.where((stands.sense > 0)[:, None, None], ring, ring[:, ::-1])
        return turned

    def may_stand(self) -> Mask:
        """Tell at which places, and in which of `LAST_PARTS` equal parts of the facing, its corner may stand so: (n, LAST_PARTS).

        In the others it surely cannot, whatever the corner, the point and the angle.
        """
        lenient = replace(self, hazards=tuple(Hazard(within(hazard), 0.0) for hazard in self.hazards))
        half_u, half_angle = self.facing.length / FIRST_PARTS / 2, RIGHT_ANGLE / FIRST_PARTS / 2
        stands = Stands.everywhere(len(self.shifts), half_u, half_angle)
        for level in range(LEANING_ROUNDS):
            if level:
                if not 0 < len(stands.place) <= MOST_BOXES / 4:
                    break
                half_u, half_angle = half_u / 2, half_angle / 2
                stands = stands.quarters(half_u, half_angle)
            stray = half_u + half_angle * math.hypot(self.width, self.depth)
            stands = stands.take(np.flatnonzero(~lenient.blocked(stands, -stray - CONTACT)))
        count = round(self.facing.length / half_u / 2)
        found = np.zeros((len(self.shifts), count), dtype=bool)
        found[stands.place, (stands.u / half_u / 2).astype(int)] = True
        return np.repeat(found, LAST_PARTS // count, axis=1)

    def somewhere(self, place: Numbers, u: FloatArray, *, slack: float) -> Mask:
        """Tell of places and points u (m,) whether it surely can stand so there, with `slack` inches more than needed to spare."""
        angles = np.linspace(0.0, RIGHT_ANGLE, WITNESS_ANGLES + 2)[1:-1]
        count = 2 * len(angles)
        stands = Stands(
            np.repeat(place, count), np.tile(np.repeat([1, -1], len(angles)), len(u)), np.repeat(u, count), np.tile(angles, 2 * len(u))
        )
        free: Mask = ~np.all(self.blocked(stands, slack).reshape(len(u), count), axis=1)
        return free

    def blocked(self, stands: "Stands", slack: float) -> Mask:
        """Tell where it is nearer than needed and `slack` inches more to a hazard or the board's edge."""
        rings = self.rings(stands)
        low, high = rings.min(axis=1), rings.max(axis=1)
        room = np.array([self.board.width, self.board.depth])
        blocked: Mask = np.any((low < slack) | (high > room - slack), axis=1)
        for hazard in self.hazards:
            needed = hazard.needed + slack
            beside = np.maximum(low - hazard.ring.max(axis=0), hazard.ring.min(axis=0) - high).max(axis=1)
            near = np.flatnonzero(~blocked & (beside < max(needed, 0.0)))
            apart = separation(rings[near], hazard.ring) if needed <= 0.0 else ring_gap(rings[near], hazard.ring)
            blocked[near] = apart < needed
        return blocked


@dataclass(frozen=True, eq=False)
class Stands:
    """Ways to stand, (q,) each: the place, +1 for the right corner and -1 for the left, its u on the facing, the angle in radians."""

    place: Numbers
    sense: Numbers
    u: FloatArray
    angle: FloatArray

    def take(self, which: Numbers) -> "Stands":
        """Give some of them."""
        return Stands(self.place[which], self.sense[which], self.u[which], self.angle[which])

    def quarters(self, half_u: float, half_angle: float) -> "Stands":
        """Give the four quarters around each."""
        u = self.u[:, None] + half_u * np.array([-1.0, -1.0, 1.0, 1.0])
        angle = self.angle[:, None] + half_angle * np.array([-1.0, 1.0, -1.0, 1.0])
        return Stands(np.repeat(self.place, 4), np.repeat(self.sense, 4), u.ravel(), angle.ravel())

    @classmethod
    def everywhere(cls, places: int, half_u: float, half_angle: float) -> "Stands":
        """Give the middles of all parts of all places."""
        middles = 2 * np.arange(FIRST_PARTS) + 1
        grid = np.meshgrid(np.arange(places), [1, -1], half_u * middles, half_angle * middles, indexing="ij")
        return cls(*(part.ravel() for part in grid))
