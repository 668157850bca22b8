"""Where along a line a body may be put down that stands at very many places: the slides at which it keeps away from hazards."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.fronts.manoeuvre import DISC_SIDES, clipped_rays
from tabletop.fronts.meeting import Mask, Numbers
from tabletop.fronts.obstacle import Hazard
from tabletop.fronts.sweep import Bounds
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import edge_normals
from tabletop.table.state import Board


@dataclass(frozen=True, eq=False)
class Slots:
    """Free slides of a body at n places.

    Attributes
    ----------
    slides
        Slides (k,), evenly spaced, in inches.
    free
        The least free slide from each of them on, (n, k); inf if there is none.
    """

    slides: FloatArray
    free: FloatArray

    def has_between(self, places: Numbers, low: FloatArray, high: FloatArray) -> Mask:
        """Tell of places (m,) whether some slide in [low, high] (m, d) is free; what lies before the next of `slides` may be missed."""
        step, last = float(self.slides[1] - self.slides[0]), len(self.slides) - 1
        number = np.clip(np.ceil((low - self.slides[0]) / step), 0, last).astype(int)
        least = np.take_along_axis(self.free[places], number, axis=1)
        found: Mask = (least <= high) & (self.slides[number] >= low)
        return found

    def may_have_between(self, low: FloatArray, high: FloatArray) -> Mask:
        """Tell of all places whether some slide in [low, high] (d,) may be free, (n, d); one shortly before them may count too."""
        step, last = float(self.slides[1] - self.slides[0]), len(self.slides) - 1
        may: Mask = self.free[:, np.clip(np.floor((low - self.slides[0]) / step), 0, last).astype(int)] <= high
        return may

    def take(self, places: Numbers) -> "Slots":
        """Give those of some places."""
        return Slots(self.slides, self.free[places])


@dataclass(frozen=True, eq=False)
class Slider:
    """A convex body (k, 2) that is shifted and slid `along` a unit vector, among hazards and on a board, with `slack` inches to spare."""

    body: FloatArray
    along: FloatArray
    hazards: Sequence[Hazard]
    board: Board
    slack: float

    def slots(self, shifts: FloatArray, slides: FloatArray) -> Slots:
        """Look for free slides at shifts (n, 2)."""
        low, high = self._on_board(shifts)
        free = np.maximum(slides, low[:, None])
        blocked = [self._blocked(shifts, hazard) for hazard in self.hazards]
        blocked = [(start, end) for start, end in blocked if ((start < end) & (end > slides[0]) & (start < slides[-1])).any()]
        for _ in range(len(blocked) + 1):
            before = free.copy()
            for start, end in blocked:
                np.copyto(free, end[:, None], where=(free > start[:, None]) & (free < end[:, None]))
            if np.array_equal(before, free):
                break
        return Slots(slides, np.where(free <= np.minimum(high, slides[-1])[:, None], free, np.inf))

    def _on_board(self, shifts: FloatArray) -> Bounds:
        """Give the least and the greatest slide (n,) with all of the body on the board."""
        normals = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
        limits = np.array([self.board.width, 0.0, self.board.depth, 0.0]) - (normals @ self.body.T).max(axis=1) - self.slack
        return clipped_rays(limits - shifts @ normals.T, np.broadcast_to(normals @ self.along, (len(shifts), 4)))

    def _blocked(self, shifts: FloatArray, hazard: Hazard) -> Bounds:
        """Give bounds (n,) of the slides nearer to a hazard than needed, its corners taken as mitred, a disc as the polygon about it."""
        turns = np.arange(DISC_SIDES) * (math.tau / DISC_SIDES)
        around = [np.stack([np.cos(turns), np.sin(turns)], axis=1)] if len(hazard.ring) == 1 else []
        normals = np.concatenate([edge_normals(hazard.ring), -edge_normals(self.body), *around])
        limits = (normals @ hazard.ring.T).max(axis=1) - (normals @ self.body.T).min(axis=1) + hazard.needed + self.slack
        return clipped_rays(limits - shifts @ normals.T, np.broadcast_to(normals @ self.along, (len(shifts), len(normals))))
