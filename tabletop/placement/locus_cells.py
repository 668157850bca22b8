"""Cells of closed curves on which bodies touch others, in the order in which one meets them on the way around those."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tabletop.geometry.arrangement import BoolArray, IntArray, Tracks
from tabletop.geometry.pose import FloatArray

CURVES_JOIN = 6.0
"""Half lengths of cells within which the end of one curve goes on as the beginning of another."""


@dataclass(frozen=True, eq=False)
class LocusCells:
    """Curves cut into cells, those of a curve one after the other, in the order in which one meets them.

    Attributes
    ----------
    middles, ends
        The middles (c, 2) of the cells, and the places (c, 2) where they begin.
    halves, along
        How far at most (c,) the places of a cell lie from its middle in inches: straight, and along the curve.
    owners
        The number (c,) of the curve.
    """

    middles: FloatArray
    ends: FloatArray
    halves: FloatArray
    along: FloatArray
    owners: IntArray

    def __len__(self) -> int:
        return len(self.owners)

    @cached_property
    def following(self) -> IntArray:
        """The cell (c,) that follows each on its curve."""
        begins = np.flatnonzero(np.diff(self.owners, prepend=-1))
        following = np.arange(1, len(self) + 1)
        following[np.append(begins[1:], len(self))[: len(begins)] - 1] = begins
        return following

    def spared(self, inches: float) -> "LocusCells":
        """Give the same cells of curves that may be off by so much."""
        return replace(self, halves=self.halves + inches, along=self.along + inches)

    def lines(self, is_open: BoolArray) -> list[tuple[IntArray, bool]]:
        """Give the open cells in lines, and whether each is a ring: from curve to curve where one meets the next."""
        runs, rings = [], []
        for owner in np.unique(self.owners):
            own = np.flatnonzero(self.owners == owner)
            if is_open[own].all():
                rings.append((own, True))
            else:
                runs += _runs(own, is_open[own])
        return [*rings, *self._linked(runs)]

    def _linked(self, runs: list[IntArray]) -> list[tuple[IntArray, bool]]:
        """Join runs of cells where one ends and another begins."""
        following = self._following_runs(runs)
        begun = [run for run in range(len(runs)) if run not in following.values()]
        found, seen = [], set[int]()
        for first in [*begun, *range(len(runs))]:
            if first in seen:
                continue
            chain = [first]
            while (following_run := following.get(chain[-1])) is not None and following_run != first:
                chain.append(following_run)
            seen.update(chain)
            found.append((np.concatenate([runs[run] for run in chain]), following.get(chain[-1]) == first))
        return found

    def _following_runs(self, runs: list[IntArray]) -> dict[int, int]:
        """Give the run that goes on where each run ends, the nearest first; each follows one only."""
        if not runs:
            return {}
        ends, starts = [run[-1] for run in runs], [run[0] for run in runs]
        aside = self.middles[ends][:, None, :] - self.middles[starts][None, :, :]
        apart = np.hypot(aside[..., 0], aside[..., 1])
        near = CURVES_JOIN * (self.halves[ends][:, None] + self.halves[starts][None, :]) / 2.0
        found: dict[int, int] = {}
        for pair in np.argsort(apart, axis=None, kind="stable").tolist():
            one, other = divmod(pair, len(runs))
            if apart[one, other] <= near[one, other] and one not in found and other not in found.values():
                found[one] = other
        return found


def _runs(own: IntArray, is_open: BoolArray) -> list[IntArray]:
    """Part the cells of one curve, not all of which are open, into runs of open ones."""
    first = int(np.flatnonzero(~is_open)[0])
    own, is_open = np.roll(own, -first), np.roll(is_open, -first)
    changes = np.flatnonzero(np.diff(is_open.astype(int))) + 1
    return [run for run, opened in zip(np.split(own, changes), np.split(is_open, changes), strict=True) if opened[0]]


def cut(track: Tracks, length: float) -> LocusCells:
    """Cut closed curves into cells of at most so many inches."""
    arcs = zip(track.centres, track.radii, track.starts, track.spans, track.arc_owner, strict=True)
    edges = zip(track.tails, track.heads, track.edge_owner, strict=True)
    parts = [_cut_arc(*arc, length) for arc in arcs] + [_cut_edge(*edge, length) for edge in edges]
    rows = np.concatenate([np.empty((0, 8)), *parts])
    rows = rows[np.lexsort((rows[:, 7], rows[:, 6]))]
    return LocusCells(rows[:, :2], rows[:, 2:4], rows[:, 4], rows[:, 5], rows[:, 6].astype(np.intp))


def _cut_arc(centre: FloatArray, radius: float, start: float, span: float, owner: int, length: float) -> FloatArray:
    """Cut an arc: rows (c, 8) of middle, beginning, the two half lengths, owner, and the normal at the middle."""
    count = max(1, math.ceil(radius * span / length))
    angles = start + (np.arange(count) + 0.5) * span / count
    middles, ends = (centre + radius * np.column_stack([np.cos(turn), np.sin(turn)]) for turn in (angles, angles - span / count / 2.0))
    same = np.tile([2.0 * radius * math.sin(span / count / 4.0), radius * span / count / 2.0, owner], (count, 1))
    return np.column_stack([middles, ends, same, angles % math.tau])


def _cut_edge(tail: FloatArray, head: FloatArray, owner: int, length: float) -> FloatArray:
    """Cut an edge, in rows as of an arc."""
    run = head - tail
    count = max(1, math.ceil(math.hypot(*run) / length))
    middles, ends = (tail + (np.arange(count) + share)[:, None] / count * run for share in (0.5, 0.0))
    half = math.hypot(*run) / count / 2.0
    return np.column_stack([middles, ends, np.tile([half, half, owner, math.atan2(-run[0], run[1]) % math.tau], (count, 1))])


def joined_rims(rims: Sequence[LocusCells]) -> LocusCells:
    """Put several sets of cells together, the curves numbered on from one to the next."""
    firsts = np.cumsum([0, *(1 + int(rim.owners.max(initial=-1)) for rim in rims)])
    owners = np.concatenate([rim.owners + first for rim, first in zip(rims, firsts, strict=False)])
    middles, ends, halves, along = (np.concatenate([getattr(rim, name) for rim in rims]) for name in ("middles", "ends", "halves", "along"))
    return LocusCells(middles, ends, halves, along, owners)
