"""Who can get into which cells of contact by true ways, and so how many models can stand in line along the foes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tabletop.geometry.arrangement import BoolArray, IntArray
from tabletop.geometry.pose import FloatArray
from tabletop.placement.assignment import Assignment
from tabletop.placement.contact_bound import ContactCells
from tabletop.placement.line_packing import LinePlaces, most_lined_up
from tabletop.units import CONTACT, FAR_OFF

CELLS_TOLD_BY_ONE = 12
"""Cells one after the other of which the way to the middle one tells something of the ways to all."""


@dataclass(frozen=True, eq=False)
class LineBound:
    """Cells of contact, and the models that press into them."""

    cells: ContactCells

    @cached_property
    def most(self) -> int:
        """No plan has more models in contact."""
        start, rim = self.cells.reachable.start, self.cells.rim
        placed = int((start.candidates.touching & start.placed).sum())
        return placed + most_lined_up(self._lines(self._reached[1], rim.halves + CONTACT))[0]

    def fullest(self, *, is_quick: bool = False) -> Assignment:
        """Place as many models in contact as are found to have room; those that are in the way of others are left out.

        With `is_quick` only ways that lead straight to the foes and on along them are looked at, which takes less time.
        """
        cells, reachable = self.cells, self.cells.reachable
        usable = self._walked() if is_quick else self._reached[0]
        ordered, assignment = cells.ordered(usable), reachable.start
        for mover, line, place in most_lined_up(self._lines(usable, np.zeros(len(cells.rim))))[1]:
            cell = int(ordered[line][0][place])
            candidates = reachable.problem.candidates(int(cells.kinds[cell]), cells.rim.middles[[cell]], cells.heights[[cell]])
            length = float(reachable.costs(mover, candidates)[0]) if len(candidates) and assignment.meets(candidates)[0][0] else np.inf
            assignment = assignment.put(mover, candidates, 0, length) if np.isfinite(length) else assignment
        return assignment

    def _walked(self) -> BoolArray:
        """Tell which models (n) seem to get to the middles of which cells (c): straight to one of them, and on along the foes."""
        cells, lengths = self.cells, self._straight()
        open_cells = cells.room >= -cells.rim.halves
        walked = np.full(lengths.shape, np.inf)
        for own, is_ring in cells.lines:
            around = np.concatenate([own, own]) if is_ring else own
            steps = np.hypot(*np.diff(cells.rim.middles[around], axis=0).T)
            run = np.cumsum(np.append(0.0, np.where(open_cells[around][1:] & open_cells[around][:-1], steps, FAR_OFF)))
            ahead = run + np.minimum.accumulate(lengths[:, around] - run, axis=1)
            back = np.minimum.accumulate((lengths[:, around] + run)[:, ::-1], axis=1)[:, ::-1] - run
            both = np.minimum(ahead, back)
            walked[:, own] = np.minimum(both[:, : len(own)], both[:, -len(own) :])
        limit = cells.reachable.problem.task.limit
        return np.asarray(cells.usable & (cells.room >= -CONTACT) & (walked <= limit))

    def _straight(self) -> FloatArray:
        """Measure the straight ways (n, c) of models to the middles of cells, infinite where something is near them."""
        cells, problem = self.cells, self.cells.reachable.problem
        lengths = np.full(cells.usable.shape, np.inf)
        for mover in np.flatnonzero(cells.usable.any(axis=1)).tolist():
            asked = np.flatnonzero(cells.usable[mover] & (cells.room >= -CONTACT))
            ends = np.column_stack([cells.rim.middles[asked], cells.heights[asked]])
            aside = np.hypot(*(cells.rim.middles[asked] - problem.movers.centres[mover]).T)
            lengths[mover, asked] = np.where(problem.ways.are_straight(problem.movers.models[mover], ends), aside, np.inf)
        return lengths

    def _lines(self, usable: BoolArray, spare: FloatArray) -> list[LinePlaces]:
        """Give the lines of cells (c,) that models (n) may use, discs in them smaller by what is to spare (c,)."""
        radii, middles = self.cells.reachable.problem.radii[self.cells.kinds] - spare, self.cells.rim.middles
        return [LinePlaces(usable[:, own], middles[own], radii[own], is_ring) for own, is_ring in self.cells.ordered(usable)]

    @cached_property
    def _reached(self) -> tuple[BoolArray, BoolArray]:
        """Tell which models (n) surely get to the middles of which cells (c), and which may get to some place in them.

        Along cells on the ground that are clear a model goes on from one to the next; on heights straight ways tell what may be.
        """
        usable, along, limit = self.cells.usable, self.cells.rim.along, self.cells.reachable.problem.task.limit + CONTACT
        surely, perhaps = np.zeros_like(usable), np.zeros_like(usable)
        for mover in np.flatnonzero(usable.any(axis=1)).tolist():
            asked = np.flatnonzero(usable[mover])
            low, high = self._from_blocks(mover, asked)
            clear = self._blocks[asked] >= 0
            rough = ~clear & (self.cells.heights[asked] == 0.0)
            low[rough] = self._past_hindrances(mover, asked[rough])
            doubtful = (low - along[asked] <= limit) & (high > limit) & (self.cells.room[asked] >= -CONTACT)
            high[doubtful] = self._lengths(mover, asked[doubtful])
            low[doubtful & clear] = high[doubtful & clear]
            surely[mover, asked] = high <= limit
            perhaps[mover, asked] = low - along[asked] <= limit
        return surely, perhaps

    def _from_blocks(self, mover: int, asked: IntArray) -> tuple[FloatArray, FloatArray]:
        """Bound the lengths (k,) of ways to the middles of cells by those to the middle of the block that each is in."""
        low, high = np.zeros(len(asked)), np.full(len(asked), np.inf)
        inside = self._blocks[asked] >= 0
        first = self._blocks[asked[inside]]
        middles, place = np.unique(first, return_inverse=True)
        lengths = self._lengths(mover, middles)[place]
        aside = np.abs(self._run[asked[inside]] - self._run[first])
        low[inside] = np.minimum(lengths, self.cells.reachable.problem.task.limit) - aside
        high[inside] = lengths + aside
        return low, high

    @cached_property
    def _run(self) -> FloatArray:
        """How far (c,) the middles lie along the curves, in inches, all curves one after the other."""
        along = self.cells.rim.along
        return np.asarray(np.cumsum(2.0 * along) - along)

    @cached_property
    def _blocks(self) -> IntArray:
        """The middle cell (c,) of the block of cells in which each lies, all of them clear; -1 for cells that are not."""
        cells, rim = self.cells, self.cells.rim
        clear = (cells.room >= rim.halves) & (cells.heights == 0.0)
        goes_on = clear[:-1] & clear[1:] & (rim.owners[:-1] == rim.owners[1:])
        begins = np.append(np.ones(min(1, len(rim)), dtype=bool), ~goes_on)
        inside = np.arange(len(rim)) - np.flatnonzero(begins)[np.cumsum(begins) - 1]
        begins |= inside % CELLS_TOLD_BY_ONE == 0
        first = np.flatnonzero(begins)
        middle = (first + np.append(first[1:], len(rim))) // 2
        return np.where(clear, middle[np.cumsum(begins) - 1], -1)

    def _past_hindrances(self, mover: int, asked: IntArray) -> FloatArray:
        """Bound the ways (k,) of a model from below that lead to the middles of cells into which something juts.

        From a place where the model can stand it goes on to where the cell begins or ends, past whatever may dip into the cell if
        it is a little smaller; or, where it can stand neither here nor there, to the middle if it is smaller by half the cell.
        """
        cells, rim = self.cells, self.cells.rim
        half, dip = float(rim.halves.max(initial=0.0)), float(cells.dips.max(initial=0.0))
        found, closed = np.full(len(asked), np.inf), np.ones(len(asked), dtype=bool)
        for ends in (asked, rim.following[asked]):
            stands = cells.room_at_ends[ends].min(axis=1, initial=np.inf) >= -dip
            lengths = self._ways(mover, rim.ends[ends[stands]], cells.heights[asked[stands]], smaller=dip)
            found[stands] = np.minimum(found[stands], lengths - rim.along[asked[stands]])
            closed &= ~stands
        found[closed] = self._lengths(mover, asked[closed], smaller=half)
        return found

    def _lengths(self, mover: int, asked: IntArray, *, smaller: float = 0.0) -> FloatArray:
        """Measure the ways (k,) of a model to the middles of cells, as if it were smaller by so many inches all around."""
        return self._ways(mover, self.cells.rim.middles[asked], self.cells.heights[asked], smaller=smaller)

    def _ways(self, mover: int, at: FloatArray, z: FloatArray, *, smaller: float) -> FloatArray:
        """Measure the ways (k,) of a model to places (k, 2) at heights (k,), as if it were smaller by so many inches all around."""
        problem = self.cells.reachable.problem
        return problem.shrunk_lengths(
            mover, at, z, by=smaller, limit=problem.task.limit + float(self.cells.rim.along.max(initial=0.0)) + smaller
        )
