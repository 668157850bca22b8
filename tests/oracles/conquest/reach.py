"""What a wheel comes to, as if nothing else stood on the table: stands that reach, the advance, the point of contact,
the turn.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tests.oracles.conquest.bodies import Flags, Floats, Frames, Which, direction, to_right, wrapped
from tests.oracles.conquest.table import Table, TargetSide

SAME = 1e-9
"""Inches: points of the target that are as near as this to the front are touched together."""


@dataclass(frozen=True)
class Wheels:
    """Many wheels: `side` (n,) is 1 for the left pivot, -1 for the right one; angles (n,) in radians."""

    side: Floats
    angle: Floats

    def __len__(self) -> int:
        return len(self.angle)

    def take(self, which: Flags | Which) -> "Wheels":
        """Keep some of the wheels."""
        return Wheels(self.side[which], self.angle[which])


@dataclass(frozen=True)
class Reached:
    """Many wheels, each followed by the advance to first contact, seen against one side of the target."""

    table: Table
    goal: TargetSide
    wheels: Wheels

    @cached_property
    def frames(self) -> Frames:
        """The frames after the wheel."""
        start = self.table.frame
        pivots = np.where(
            (self.wheels.side > 0)[:, None], start.left, start.left + start.width * start.right
        )
        return start.take(np.zeros(len(self.wheels), dtype=int)).turned(
            pivots, self.wheels.side * self.wheels.angle
        )

    def _local(self, points: Floats) -> tuple[Floats, Floats]:
        """Return table points (k, 2) seen from each front: inches from its left end to the right, inches ahead; (n,
        k).
        """
        offsets = points[None, :, :] - self.frames.left[:, None, :]
        return np.einsum("nkj,nj->nk", offsets, self.frames.right), np.einsum(
            "nkj,nj->nk", offsets, self.frames.ahead
        )

    @cached_property
    def stands(self) -> Floats:
        """N: how many front-rank stands reach the side, (n,)."""
        across, ahead = self._local(self.goal.ends)
        part = np.clip(
            np.divide(
                ahead,
                ahead - ahead[:, ::-1],
                out=np.zeros_like(ahead),
                where=ahead != ahead[:, ::-1],
            ),
            0.0,
            1.0,
        )
        shown = np.where(ahead >= 0.0, across, across + part * (across[:, ::-1] - across))
        low = shown.min(axis=1)
        high = shown.max(axis=1)
        left = np.arange(self.table.charger.files) * self.table.charger.base.width
        covered = np.minimum(high[:, None], left + self.table.charger.base.width) - np.maximum(
            low[:, None], left
        )
        count = (covered >= self.table.choices.overlap - self.table.touch).sum(axis=1)
        faces = np.cos(self.frames.heading - self.goal.normal) < 0.0
        return np.where(faces & (ahead.max(axis=1) > 0.0), count, 0)

    @cached_property
    def _touched(self) -> tuple[Floats, Floats]:
        """Where each strip ahead meets the target: candidates across and ahead (n, k), infinitely far where there is
        none.
        """
        across, ahead = self._local(self.table.ring)
        width = self.table.charger.width
        inside = np.where((across >= 0.0) & (across <= width), ahead, np.inf)
        cuts = [_crossing(across, ahead, bound) for bound in (0.0, width)]
        return (
            np.hstack([across, *(np.full_like(across, bound) for bound in (0.0, width))]),
            np.hstack([inside, *cuts]),
        )

    @cached_property
    def advance(self) -> Floats:
        """The straight move s in inches, infinite where it never meets the target or already overlaps it."""
        least = self._touched[1].min(axis=1)
        return np.where(least >= -SAME, np.maximum(least, 0.0), np.inf)

    @cached_property
    def _across(self) -> Floats:
        """How far from the left end of the front P lies; a point of the charged side, if it is touched at all."""
        across, ahead = self._touched
        length = math.dist(*self.goal.ends)
        along = (self.goal.ends[1] - self.goal.ends[0]) / length
        advance = np.where(np.isfinite(self.advance), self.advance, 0.0)
        points = self.frames.left[:, None, :] + across[..., None] * self.frames.right[:, None, :]
        points = points + advance[:, None, None] * self.frames.ahead[:, None, :]
        offsets = points - self.goal.ends[0]
        beyond = np.abs(offsets @ along - length / 2) - length / 2
        off = np.maximum(np.abs(offsets @ to_right(along)), beyond)
        is_touched = np.isfinite(ahead) & (ahead <= advance[:, None] + SAME)
        off = np.where(is_touched, off, np.inf)
        best = np.argmin(off, axis=1)[:, None]
        return np.hstack(
            [np.take_along_axis(across, best, axis=1), np.take_along_axis(off, best, axis=1)]
        )

    @cached_property
    def is_on_side(self) -> Flags:
        """Whether stands reach the side and P lies on it."""
        return (
            (self.stands >= 1)
            & np.isfinite(self.advance)
            & (self._across[:, 1] <= self.table.touch)
        )

    @cached_property
    def arrived(self) -> Frames:
        """The frames at first contact."""
        return self.frames.moved(np.where(np.isfinite(self.advance), self.advance, 0.0))

    @cached_property
    def point(self) -> Floats:
        """P on the table, (n, 2)."""
        arrived = self.arrived
        return np.asarray(arrived.left + self._across[:, :1] * arrived.right)

    @cached_property
    def turn(self) -> Floats:
        """The alignment phi in radians, counter-clockwise positive."""
        return wrapped(self.goal.normal + math.pi - self.frames.heading)

    @cached_property
    def contact(self) -> Floats:
        """The common stretch of front and side once flush, in inches."""
        to_the_right = to_right(direction(np.array(self.goal.normal + math.pi)))
        ends = np.sort((self.goal.ends[None, :, :] - self.point[:, None, :]) @ to_the_right, axis=1)
        left = self._across[:, 0]
        width = self.table.charger.width
        return np.asarray(np.minimum(width - left, ends[:, 1]) - np.maximum(-left, ends[:, 0]))


def _crossing(across: Floats, ahead: Floats, bound: float) -> Floats:
    """Return where each edge of the target crosses one side of the strip ahead: inches forward, or infinity."""
    here = across - bound
    there = np.roll(across, -1, axis=1) - bound
    crosses = here * there < 0.0
    share = np.divide(here, here - there, out=np.zeros_like(here), where=crosses)
    return np.where(crosses, ahead + share * (np.roll(ahead, -1, axis=1) - ahead), np.inf)
