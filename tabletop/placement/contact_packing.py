"""Plans with as many models in base contact as possible, and an upper bound on the number of contacts.

`LineBound` cuts the curves of contact into cells, determines which models can reach which by legal paths, and packs the
lines of cells: that bounds the number of contacts from above, and its packings become plans where they hold.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tabletop.budget import Budget
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.geometry.distance import point_distances
from tabletop.placement.bounds import LeastMoves
from tabletop.placement.candidates import Solver
from tabletop.placement.construct import completed, greedy_plan
from tabletop.placement.legality import OVAL_CURVES_OFF, clearances, obstacles
from tabletop.placement.line_packing import LineSlots, Taken, max_packing
from tabletop.placement.loci import LocusCells, cut, joined_cells
from tabletop.placement.partial_plan import PartialPlan
from tabletop.units import CONTACT, FAR_OFF

CELL_LENGTHS = (0.05, 0.005, 0.0017)
"""Cell lengths in inches, tried in turn until the bound meets a known plan, or finer cells cannot lower it."""

QUICK = 0.03
"""Cell length in inches for a first plan; with the first of the lengths above a sum of moves is 0.6 in longer on
crowded table 60.
"""

FINER = 4.0
"""Estimated growth of time for finer cells; they are not begun with less time left."""

CELLS_TOLD_BY_ONE = 12
"""Number of consecutive cells whose paths are bounded by the path to the middle one."""


def packed_plans(solver: Solver, budget: Budget) -> tuple[list[PartialPlan], int]:
    """Return complete plans with many contacts, and an upper bound on the number of contacts.

    The bound of ever finer cells is asked until a plan meets it. There are no plans for a single model, whose candidate
    places suffice, and none where contacts do not count.
    """
    found = list[PartialPlan]()
    if not solver.problem.objective.wants_contacts:
        return found, 0
    most = LeastMoves(solver).most_contacts
    if not solver.legality.is_round or (~solver.start.placed).sum() <= 1:
        return found, most
    first = greedy_plan(solver, line_bound(solver, QUICK).quick())
    found += [] if first is None else [first]
    for length in CELL_LENGTHS:
        if _is_full(found, most) or solver.is_spent(budget):
            break
        lineup = line_bound(solver, length)
        left = budget.seconds_left
        most = min(most, lineup.most)
        packing = None if _is_full(found, most) else lineup.fullest()
        if packing and all(packing.values.contacts > plan.values.contacts for plan in found):
            plan = (completed if found else greedy_plan)(solver, packing)
            found += [] if plan is None else [plan]
        is_over = budget.seconds_left < FINER * (left - budget.seconds_left)
        if is_over or _is_full(found, most) or lineup.is_tight:
            break
    return found, most


def _is_full(found: list[PartialPlan], most: int) -> bool:
    """Return whether some plan has as many contacts as are possible."""
    return any(plan.values.contacts >= most for plan in found)


@dataclass(frozen=True, eq=False)
class LineBound:
    """Upper bound on contacts of discs: the curves of contact cut into cells, packed line by line.

    `lines` are pairs of the indices of cells in their order around the foes, and whether the line closes to a ring.
    """

    solver: Solver
    cells: LocusCells
    lines: tuple[tuple[IntArray, bool], ...]

    @cached_property
    def most(self) -> int:
        """Upper bound on the number of models in base contact, those placed already included."""
        start = self.solver.start
        return int((start.candidates.touching & start.placed).sum()) + self._most_free

    @property
    def is_tight(self) -> bool:
        """Whether finer cells cannot lower the bound: as many models as it allows certainly have room."""
        return len(self._packing) >= self._most_free

    @cached_property
    def _most_free(self) -> int:
        """Upper bound on the number of models in contact among those not placed yet."""
        return max_packing(self._lines(self._reached[1], self.cells.halves + CONTACT))[0]

    @cached_property
    def _packing(self) -> list[Taken]:
        """A largest packing of models into cells whose centres they certainly reach: triples of model, line and place
        in it.
        """
        return max_packing(self._lines(self._reached[0], np.zeros(len(self.cells))))[1]

    def fullest(self) -> PartialPlan:
        """Return the plan with as many models in contact as have room, leaving out those in the way of others."""
        return self._placed(self._reached[0], self._packing)

    def quick(self) -> PartialPlan:
        """Return such a plan using only straight paths to the foes and along them, which is faster."""
        usable = self._walked()
        return self._placed(usable, max_packing(self._lines(usable, np.zeros(len(self.cells))))[1])

    def _placed(self, usable: BoolArray, packing: list[Taken]) -> PartialPlan:
        """Return the plan with models placed one after the other in cells, without those that cannot arrive or overlap
        others.
        """
        solver = self.solver
        ordered = self.ordered(usable)
        assignment = solver.start
        for mover, line, place in packing:
            cell = int(ordered[line][0][place])
            candidates = solver.legality.candidates(
                int(self.cells.kinds[cell]), self.cells.middles[[cell]], self.cells.heights[[cell]]
            )
            length = (
                float(solver.move_costs(mover, candidates)[0])
                if len(candidates) and assignment.meets(candidates)[0][0]
                else np.inf
            )
            assignment = (
                assignment.with_model_at(mover, candidates, 0, length)
                if np.isfinite(length)
                else assignment
            )
        return assignment

    def _walked(self) -> BoolArray:
        """Return (n, c) which models probably reach the centres of which cells, by a straight path to one and on along
        the foes.
        """
        solver = self.solver
        cells = self.cells
        open_cells = self.room >= -self.cells.halves
        asked = self.usable & (self.room >= -CONTACT)
        lengths, walked = np.full((2, *asked.shape), np.inf)
        for mover in np.flatnonzero(asked.any(axis=1)).tolist():
            rows = np.flatnonzero(asked[mover])
            model = solver.problem.models.models[mover]
            is_straight = solver.paths.is_unobstructed(
                model, np.column_stack([cells.middles[rows], cells.heights[rows]])
            )
            lengths[mover, rows[is_straight]] = np.hypot(
                *(cells.middles[rows[is_straight]] - model.pose.at).T
            )
        for own, is_ring in self.lines:
            around = np.concatenate([own, own]) if is_ring else own
            steps = np.hypot(*np.diff(cells.middles[around], axis=0).T)
            run = np.cumsum(
                np.append(
                    0.0, np.where(open_cells[around][1:] & open_cells[around][:-1], steps, FAR_OFF)
                )
            )
            ahead = run + np.minimum.accumulate(lengths[:, around] - run, axis=1)
            back = np.minimum.accumulate((lengths[:, around] + run)[:, ::-1], axis=1)[:, ::-1] - run
            both = np.minimum(ahead, back)
            walked[:, own] = np.minimum(both[:, : len(own)], both[:, -len(own) :])
        return np.asarray(asked & (walked <= solver.limit))

    def _lines(self, usable: BoolArray, spare: FloatArray) -> list[LineSlots]:
        """Return the lines of cells that models may use, by the mask (n, c), with radii reduced by `spare` (c,)
        inches.
        """
        radii = self.solver.legality.radii[self.cells.kinds] - spare
        middles = self.cells.middles
        return [
            LineSlots(usable[:, own], middles[own], radii[own], is_ring)
            for own, is_ring in self.ordered(usable)
        ]

    @cached_property
    def _reached(self) -> tuple[BoolArray, BoolArray]:
        """Masks (n, c): which models certainly reach the centres of which cells, and which may reach some place in
        them.

        Along clear cells on the table a model moves on from one to the next; on heights straight lines bound what may
        be reached.
        """
        usable = self.usable
        along = self.cells.along
        limit = self.solver.limit + CONTACT
        surely = np.zeros_like(usable)
        perhaps = np.zeros_like(usable)
        for mover in np.flatnonzero(usable.any(axis=1)).tolist():
            asked = np.flatnonzero(usable[mover])
            low, high = self._from_blocks(mover, asked)
            clear = self._blocks[asked] >= 0
            rough = ~clear & (self.cells.heights[asked] == 0.0)
            low[rough] = self._past_hindrances(mover, asked[rough])
            doubtful = (
                (low - along[asked] <= limit) & (high > limit) & (self.room[asked] >= -CONTACT)
            )
            high[doubtful] = self._lengths(mover, asked[doubtful])
            low[doubtful & clear] = high[doubtful & clear]
            low = np.minimum(low, self._flown(mover, asked))
            surely[mover, asked] = high <= limit
            perhaps[mover, asked] = low - along[asked] <= limit
        return surely, perhaps

    def _flown(self, mover: int, asked: IntArray) -> FloatArray:
        """Return lower bounds (k,) in inches on a model's flights to cells; infinite where none may lead.

        Other than on foot, the flight to one place of a cell bounds no flight to others.
        """
        if not self.solver.problem.flies:
            return np.full(len(asked), np.inf)
        half = float(self.cells.halves.max(initial=0.0))
        at = self.cells.middles[asked]
        heights = self.cells.heights[asked]
        limit = self.solver.limit + half
        return self.solver.shrunk_flights(mover, at, heights, by=half, limit=limit) - half

    def _from_blocks(self, mover: int, asked: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper bounds (k,) in inches on a model's paths to cells, from its paths to the middle cells
        of their blocks.
        """
        low = np.zeros(len(asked))
        high = np.full(len(asked), np.inf)
        inside = self._blocks[asked] >= 0
        first = self._blocks[asked[inside]]
        middles, place = np.unique(first, return_inverse=True)
        lengths = self._lengths(mover, middles)[place]
        aside = np.abs(self._run[asked[inside]] - self._run[first])
        low[inside] = np.minimum(lengths, self.solver.limit) - aside
        high[inside] = lengths + aside
        return low, high

    @cached_property
    def _run(self) -> FloatArray:
        """Arc lengths (c,) in inches of the cell centres along the curves, all curves one after the other."""
        along = self.cells.along
        return np.asarray(np.cumsum(2.0 * along) - along)

    @cached_property
    def _blocks(self) -> IntArray:
        """Index (c,) of the middle cell of the block of clear cells that contains each cell; -1 for cells that are not
        clear.
        """
        cells = self.cells
        clear = (self.room >= cells.halves) & (cells.heights == 0.0)
        goes_on = clear[:-1] & clear[1:] & (cells.owners[:-1] == cells.owners[1:])
        begins = np.append(np.ones(min(1, len(cells)), dtype=bool), ~goes_on)
        inside = np.arange(len(cells)) - np.flatnonzero(begins)[np.cumsum(begins) - 1]
        begins |= inside % CELLS_TOLD_BY_ONE == 0
        first = np.flatnonzero(begins)
        middle = (first + np.append(first[1:], len(cells))) // 2
        return np.where(clear, middle[np.cumsum(begins) - 1], -1)

    def _past_hindrances(self, mover: int, asked: IntArray) -> FloatArray:
        """Return lower bounds (k,) in inches on a model's paths to the centres of cells that an obstacle extends into.

        Where the model can stand at an end of the cell, the path leads there, past whatever may dip into the cell, as
        if it were a little smaller; else to the centre, as if it were smaller by half the cell.
        """
        cells = self.cells
        half = float(cells.halves.max(initial=0.0))
        dip = float(self.dips.max(initial=0.0))
        ends = np.stack([asked, cells.following[asked]])
        stands = self.room_at_ends[ends].min(axis=2, initial=np.inf) >= -dip
        different, place = np.unique(ends[stands], return_inverse=True)
        lengths = np.full(ends.shape, np.inf)
        closed = ~stands.any(axis=0)
        lengths[stands] = self._lengths(mover, different, smaller=dip, at_ends=True)[place]
        found = lengths.min(axis=0) - cells.along[asked]
        found[closed] = self._lengths(mover, asked[closed], smaller=half)
        return np.asarray(found)

    def _lengths(
        self, mover: int, asked: IntArray, *, smaller: float = 0.0, at_ends: bool = False
    ) -> FloatArray:
        """Return the lengths (k,) in inches of a model's paths to cell centres, or cell ends, with its radius reduced
        by `smaller`.
        """
        at = self.cells.ends if at_ends else self.cells.middles
        limit = self.solver.limit + float(self.cells.along.max(initial=0.0))
        return self.solver.shrunk_lengths(
            mover, at[asked], self.cells.heights[asked], by=smaller, limit=limit + smaller
        )

    @cached_property
    def room(self) -> FloatArray:
        """Clearance (c,) in inches of the cell centres from everything that forbids an end, negative inside; foes
        touched do not count.
        """
        return np.asarray(self._rooms(self.cells.middles).min(axis=1, initial=np.inf))

    @cached_property
    def room_at_ends(self) -> FloatArray:
        """Clearance (c, obstacles) in inches of the places where cells begin from each obstacle."""
        return self._rooms(self.cells.ends)

    def _rooms(self, at: FloatArray) -> FloatArray:
        """Return the clearance (c, obstacles) in inches of one place `at` (c, 2) of each cell."""
        rooms = np.full((len(at), len(obstacles(self.solver.legality))), np.inf)
        for number in range(len(self.solver.legality.kinds)):
            own = np.flatnonzero(self.cells.kinds == number)
            rooms[own] = clearances(
                self.solver.legality,
                self.solver.legality.kinds[number],
                at[own],
                self.cells.heights[own],
            )
        return rooms

    @cached_property
    def dips(self) -> FloatArray:
        """Greatest depth (c,) in inches to which a convex obstacle can extend into a cell between two clear places of
        it.
        """
        return np.asarray(
            self.cells.along**2 / self.solver.legality.radii[self.cells.kinds] + CONTACT
        )

    @cached_property
    def _shut(self) -> BoolArray:
        """Whether (c,) a single convex obstacle covers a whole cell."""
        inside = self.room_at_ends < -self.dips[:, None]
        inside &= np.array(
            [len(shape.pieces) == 1 for shape in obstacles(self.solver.legality)], dtype=bool
        )
        return np.asarray((inside & inside[self.cells.following]).any(axis=1))

    def _taken(self) -> BoolArray:
        """Return (c,) in which cells every disc would overlap a model placed already."""
        placed = self.solver.start.placed_candidates
        radii = self.solver.legality.radii
        overlap = (
            radii[self.cells.kinds][:, None]
            + radii[placed.kind]
            - point_distances(self.cells.middles, placed.at)
        )
        level = np.abs(self.cells.heights[:, None] - placed.z) <= CONTACT
        return np.asarray(((overlap > self.cells.halves[:, None] + CONTACT) & level).any(axis=1))

    @cached_property
    def usable(self) -> BoolArray:
        """Which models (n, c) may end in which cells, by straight-line paths."""
        problem = self.solver.problem
        legality = self.solver.legality
        across = point_distances(problem.models.centres, self.cells.middles)
        low = problem.free_height
        begun, ended = (
            np.where(z > low, z, 0.0) for z in (problem.models.heights, self.cells.heights)
        )
        straight = across + np.abs(begun[:, None] - ended[None, :])
        if problem.flies:
            straight = np.minimum(
                straight,
                np.hypot(
                    across, np.abs(problem.models.heights[:, None] - self.cells.heights[None, :])
                ),
            )
        is_near = LeastMoves(self.solver).contact <= self.solver.limit + CONTACT
        able = is_near & ~self.solver.start.placed
        near = straight <= self.solver.limit + self.cells.halves + CONTACT
        legal = (self.room >= -self.cells.halves - CONTACT) & ~self._shut & ~self._taken()
        return np.asarray(
            near & (legality.kind_numbers[:, None] == self.cells.kinds) & legal & able[:, None]
        )

    def ordered(self, usable: BoolArray) -> list[tuple[IntArray, bool]]:
        """Return the cells of each line that some model may use, by the mask (n, c), in order, and whether the line is
        a ring.

        Rings start after their widest gap.
        """
        found = []
        for cells, is_ring in self.lines:
            kept = cells[usable[:, cells].any(axis=0)]
            if is_ring and len(kept):
                aside = self.cells.middles[kept] - self.cells.middles[np.roll(kept, 1)]
                kept = np.roll(kept, -int(np.argmax(np.hypot(aside[:, 0], aside[:, 1]))))
            found.append((kept, is_ring))
        return found


def line_bound(solver: Solver, length: float) -> LineBound:
    """Return the bound on contacts for the curves of contact cut into cells of at most `length` inches."""
    parts = list[LocusCells]()
    lines = list[tuple[IntArray, bool]]()
    targets = solver.problem.target_models.models
    slack = 0.0 if targets.is_round else OVAL_CURVES_OFF
    for number, locus in [
        (number, locus) for number, loci in enumerate(solver.loci) for locus in loci
    ]:
        cells = cut(locus.contact, length, height=locus.surface.z, kind=number).spared(slack)
        between = solver.legality.gaps_to(locus.kind, cells.middles, targets)[
            :, np.abs(targets.heights - locus.surface.z) <= CONTACT
        ]
        first = sum(map(len, parts))
        is_open = np.asarray((between >= -cells.halves[:, None] - CONTACT).all(axis=1))
        lines += [(rows + first, is_ring) for rows, is_ring in cells.lines(is_open)]
        parts.append(cells)
    return LineBound(solver, joined_cells(parts), tuple(lines))
