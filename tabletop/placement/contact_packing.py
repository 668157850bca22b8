"""Plans with as many models in base contact as possible, and a number of contacts that no plan exceeds.

`filled` takes turns between two means. `ContactPacking` takes places one after the other, those of the farthest models first: each place
taken bars those that overlap it and offers new ones that touch it and a foe; only straight ways are looked at, and chance decides among
places of nearly the same worth. `LineBound` cuts the curves of contact into cells (`ContactCells`), asks which models can get into
which by true ways, and packs the lines of cells: that bounds the contacts from above, and its packings become plans where they stand.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tabletop.budget import Budget
from tabletop.geometry.arrangement import circles, crossings
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.placement.bounds import most_contacts
from tabletop.placement.candidates import Solver
from tabletop.placement.clearance import OVAL_CURVES_OFF, clearances, obstacles
from tabletop.placement.construct import completed, greedy_plan, orderings
from tabletop.placement.line_packing import LineSlots, max_packing
from tabletop.placement.loci import LocusCells, cut, joined_rims
from tabletop.placement.partial_plan import PartialPlan
from tabletop.placement.problem import Candidates
from tabletop.units import CONTACT, FAR_OFF

CELL_LENGTHS = (0.05, 0.016, 0.005, 0.0017)
"""Inches of a cell, tried in turn until the bound is as low as a plan that is known."""

QUICK = 0.03
"""Inches of a cell for a first plan."""

PACKINGS = 12
"""Most packings by chance."""

BETWEEN = 3
"""Packings by chance before each lines of cells."""

FINER = 4.0
"""How much longer finer cells take: where so many seconds are not left they are not begun."""

MOST_FAILURES = 5
"""Packings that could not be completed to plans before no more are tried."""

NEW_PLACES = 8
"""Places kept of those that one model placed offers to the next, for each kind."""

WEIGHTS = ((1.0, 0.05, 0.0), (2.0, 0.3, 0.3), (4.0, 0.3, 1.0), (1.0, 1.0, 0.3), (2.0, 0.05, 1.0), (4.0, 1.0, 0.0))
"""How places are weighed, in turn: what each inch of a model's nearest contact counts, inches of chance, worth of touching a model."""

COHERENCY_WORTH = (0.0, 4.0, 100.0)
"""Inches that a place within coherency of models placed before is worth, in turn."""

CELLS_TOLD_BY_ONE = 12
"""Cells one after the other of which the way to the middle one tells something of the ways to all."""


def packed_plans(solver: Solver, budget: Budget) -> tuple[list[PartialPlan], int]:
    """Give plans, each with more contacts than those before it, and a number of contacts that no plan exceeds."""
    found, most, failures = list[PartialPlan](), most_contacts(solver), 0
    for work, (packing, bound) in enumerate(_packings(solver, budget)):
        most = min(most, bound)
        if packing and failures < MOST_FAILURES and all(packing.values[0] > assignment.values[0] for assignment in found):
            plan = (greedy_plan if work == 0 else completed)(solver, packing, orderings(1)[0])
            failures += plan is None
            found += [] if plan is None else [plan]
        if solver.is_spent(budget) or any(assignment.values[0] >= most for assignment in found):
            break
    return found, most


def _packings(solver: Solver, budget: Budget) -> Iterator[tuple[PartialPlan | None, int]]:
    """Give assignments with many models in contact, and with each a bound on them: by chance, and by lines of cells in turn."""
    packing, chance, count = ContactPacking(solver), np.random.default_rng(1), len(solver.options)
    rounds = iter(range(PACKINGS if packing.applies else 0))
    for number, length in enumerate(CELL_LENGTHS if solver.legality.is_round else ()):
        if number == 0:
            yield LineBound(contact_cells(solver, QUICK)).fullest(is_quick=True), count
        lineup = LineBound(contact_cells(solver, length))
        for turn, _ in zip(rounds, range(BETWEEN), strict=False):
            yield packing.packed(chance, turn), count
        left = budget.seconds_left
        yield None, lineup.most
        yield lineup.fullest(), count
        if budget.seconds_left < FINER * (left - budget.seconds_left):
            return
    for turn in rounds:
        yield packing.packed(chance, turn), count


@dataclass(frozen=True, eq=False)
class Places:
    """Centres (k, 2), heights (k,) and kinds (k,) of places in contact."""

    at: FloatArray
    z: FloatArray
    kind: IntArray


@dataclass(frozen=True, eq=False)
class ContactPacking:
    """Reachable places of discs whose models press towards contact."""

    solver: Solver

    @property
    def applies(self) -> bool:
        """Whether all bodies are discs."""
        return self.solver.legality.is_round and self.solver.problem.target_models.models.is_round

    @cached_property
    def places(self) -> Places:
        """The places in contact that do not depend on the other models, of all kinds."""
        pools = [pool.of(pool.touching) for pool in self.solver.pools]
        at, z, kind = (np.concatenate([getattr(pool, name) for pool in pools]) for name in ("at", "z", "kind"))
        return Places(at, z, kind)

    @cached_property
    def able(self) -> BoolArray:
        """Which models (n,) may take a place: those that reach contact and stand nowhere yet."""
        return np.isfinite(self.solver.nearest_contact) & ~self.solver.start.placed

    @cached_property
    def lengths(self) -> FloatArray:
        """Straight ways (n, k) in inches to the places, infinite where a model cannot take one."""
        return self.straight(self.places.at, self.places.kind)

    def straight(self, at: FloatArray, kinds: IntArray) -> FloatArray:
        """Give straight ways (n, k) in inches, infinite where the kind is not the model's or the limit is too short."""
        starts, legality = self.solver.problem.models.centres, self.solver.legality
        x, y = starts[:, :1] - at[:, 0], starts[:, 1:] - at[:, 1]
        lengths = np.sqrt(x * x + y * y)
        lengths[(lengths > self.solver.limit + CONTACT) | (legality.kind_numbers[:, None] != kinds) | ~self.able[:, None]] = np.inf
        return lengths

    def packed(self, chance: np.random.Generator, number: int) -> PartialPlan:
        """Give an assignment with as many models in contact as one round of taking places brings there."""
        crowd, assignment = _GreedyPacking(self, chance, number), self.solver.start
        while (best := crowd.cheapest()) is not None:
            mover, place = best
            candidates = self.solver.legality.measured(int(crowd.kind[place]), crowd.at[[place]], crowd.z[[place]])
            length = self._length(mover, place, candidates)
            if np.isfinite(length):
                crowd.take(mover, place)
                assignment = assignment.with_model_at(mover, candidates, 0, length)
            else:
                crowd.costs[mover, place] = np.inf
        return assignment

    def _length(self, mover: int, place: int, candidates: Candidates) -> float:
        """Measure a model's way to a place; what is blocked is kept in mind for the next round."""
        length = float(self.solver.move_costs(mover, candidates)[0])
        if not np.isfinite(length) and place < len(self.places.kind):
            self.lengths[mover, place] = np.inf
        return length


class _GreedyPacking:
    """One round of taking places, in arrays with room for all places that may be offered."""

    def __init__(self, packing: ContactPacking, chance: np.random.Generator, number: int) -> None:
        hard, noise, tight = WEIGHTS[number % len(WEIGHTS)]
        self.packing, self.legality, self.chance, self.noise, self.tight = packing, packing.solver.legality, chance, noise, tight
        nearest = packing.solver.nearest_contact
        self.merit = np.where(np.isfinite(nearest), nearest, 0.0)[:, None] * (1.0 + hard)
        models, self.count = packing.lengths.shape
        room = self.count + NEW_PLACES * len(self.legality.kinds) * models
        self.costs = np.full((models, room), np.inf)
        self.at, self.z, self.kind = np.full((room, 2), np.inf), np.zeros(room), np.zeros(room, dtype=np.intp)
        self.at[: self.count], self.z[: self.count], self.kind[: self.count] = packing.places.at, packing.places.z, packing.places.kind
        by_chance = noise * (chance.random((1, self.count)) + chance.random((models, self.count)))
        self.costs[:, : self.count] = packing.lengths - self.merit + by_chance
        self.is_far = np.ones(room, dtype=bool)
        self.reward = COHERENCY_WORTH[number % len(COHERENCY_WORTH)]
        self.taken: list[int] = []
        start = packing.solver.start
        self.stood = [(start.candidates.at[row], float(self.legality.radii[start.candidates.kind[row]])) for row in start.placed_rows]
        for at, radius in self.stood:
            self._bar(at, radius)
            self._near(at, radius)

    def cheapest(self) -> tuple[int, int] | None:
        """Give the model and the place that come next."""
        if not self.count:
            return None
        mover, place = divmod(int(np.argmin(self.costs[:, : self.count])), self.count)
        return (mover, place) if np.isfinite(self.costs[mover, place]) else None

    def take(self, mover: int, place: int) -> None:
        """Put a model into a place."""
        at, radius = self.at[place], float(self.legality.radii[self.kind[place]])
        self.taken.append(mover)
        self.stood.append((at, radius))
        self.costs[mover] = np.inf
        self._bar(at, radius)
        self._near(at, radius)
        if len(self.taken) < int(self.packing.able.sum()):
            self._offer(at, radius, float(self.z[place]))

    def _bar(self, at: FloatArray, radius: float) -> None:
        """Bar the places that overlap a disc."""
        x, y = self.at[: self.count, 0] - at[0], self.at[: self.count, 1] - at[1]
        near = x * x + y * y < (self.legality.radii[self.kind[: self.count]] + radius - CONTACT) ** 2
        self.costs[:, : self.count][:, near] = np.inf

    def _near(self, at: FloatArray, radius: float) -> None:
        """Make the places within coherency of a disc worth more, once."""
        x, y = self.at[: self.count, 0] - at[0], self.at[: self.count, 1] - at[1]
        reach = self.legality.radii[self.kind[: self.count]] + radius + self.legality.problem.coherency.horizontal
        near = (x * x + y * y <= reach * reach) & self.is_far[: self.count]
        self.costs[:, : self.count][:, near] -= self.reward
        self.is_far[: self.count][near] = False

    def _offer(self, at: FloatArray, radius: float, z: float) -> None:
        """Offer the places that touch a disc, and a foe."""
        for number, loci in enumerate(self.packing.solver.loci):
            level = next(locus for locus in loci if abs(locus.surface.z - z) <= CONTACT)
            points = crossings(circles(at[None], np.array([radius + self.legality.radii[number]])), level.contact)[0]
            points = points[self._is_free(points, float(self.legality.radii[number]))]
            points = points[self.legality.are_legal(self.legality.kinds[number], points, np.full(len(points), z))][:NEW_PLACES]
            if len(points):
                self._add(points, z, number)

    def _is_free(self, points: FloatArray, radius: float) -> BoolArray:
        """Tell which points (k, 2) leave a disc clear of those that have been placed."""
        at, radii = np.array([at for at, _ in self.stood]), np.array([radius for _, radius in self.stood])
        x, y = points[:, :1] - at[:, 0], points[:, 1:] - at[:, 1]
        return np.asarray((x * x + y * y >= (radii + radius - CONTACT) ** 2).all(axis=1))

    def _add(self, points: FloatArray, z: float, kind: int) -> None:
        first, last = self.count, self.count + len(points)
        self.at[first:last], self.z[first:last], self.kind[first:last] = points, z, kind
        lengths = self.packing.straight(points, self.kind[first:last])
        lengths[self.taken] = np.inf
        self.costs[:, first:last] = lengths - self.merit - self.tight - self.reward + self.noise * self.chance.random(lengths.shape)
        self.is_far[first:last] = False
        self.count = last


@dataclass(frozen=True, eq=False)
class ContactCells:
    """Cells of contact of discs, with their heights (c,) and kinds (c,).

    `lines` holds their rows in the order in which one meets them around the foes, and whether they close to a ring.
    """

    solver: Solver
    rim: LocusCells
    heights: FloatArray
    kinds: IntArray
    lines: tuple[tuple[IntArray, bool], ...]

    @cached_property
    def room(self) -> FloatArray:
        """How far (c,) the middles are clear of all that forbids an end, in inches; negative inside. Foes touched do not count."""
        return np.asarray(self._rooms(self.rim.middles).min(axis=1, initial=np.inf))

    @cached_property
    def room_at_ends(self) -> FloatArray:
        """The same of the places where cells begin, from each single obstacle: (c, obstacles)."""
        return self._rooms(self.rim.ends)

    def _rooms(self, at: FloatArray) -> FloatArray:
        """Measure the room (c, obstacles) of a place of each cell."""
        rooms = np.full((len(at), len(obstacles(self.solver.legality))), np.inf)
        for number in range(len(self.solver.legality.kinds)):
            own = np.flatnonzero(self.kinds == number)
            rooms[own] = clearances(self.solver.legality, number, at[own], self.heights[own])
        return rooms

    @cached_property
    def dips(self) -> FloatArray:
        """How deep (c,) in inches something convex may dip into a cell between two of its places that are clear."""
        return np.asarray(self.rim.along**2 / self.solver.legality.radii[self.kinds] + CONTACT)

    @cached_property
    def _shut(self) -> BoolArray:
        """Which cells (c,) a single convex obstacle covers from end to end."""
        inside = self.room_at_ends < -self.dips[:, None]
        inside &= np.array([len(shape.pieces) == 1 for shape in obstacles(self.solver.legality)], dtype=bool)
        return np.asarray((inside & inside[self.rim.following]).any(axis=1))

    def _taken(self) -> BoolArray:
        """Tell which cells (c,) overlap models that have been placed."""
        start = self.solver.start
        if not start.placed.any():
            return np.zeros(len(self.kinds), dtype=bool)
        who = start.placed_rows
        gaps_to_placed = self.solver.legality.gaps.pair_gaps(
            self.kinds, self.rim.middles, start.candidates.kind[who], start.candidates.at[who]
        )
        level = np.abs(self.heights[:, None] - start.candidates.z[who][None, :]) <= CONTACT
        return np.asarray(((gaps_to_placed < -self.rim.halves[:, None] - CONTACT) & level).any(axis=1))

    @cached_property
    def usable(self) -> BoolArray:
        """Which models (n) may end in which cells (c), as far as straight ways tell."""
        problem, legality = self.solver.problem, self.solver.legality
        aside = problem.models.centres[:, None, :] - self.rim.middles[None, :, :]
        across, low = np.hypot(aside[..., 0], aside[..., 1]), problem.free_height
        begun, ended = (np.where(z > low, z, 0.0) for z in (problem.models.heights, self.heights))
        straight = across + np.abs(begun[:, None] - ended[None, :])
        if problem.flies:
            straight = np.minimum(straight, np.hypot(across, np.abs(problem.models.heights[:, None] - self.heights[None, :])))
        able = np.isfinite(self.solver.nearest_contact) & ~self.solver.start.placed
        near = straight <= self.solver.limit + self.rim.halves + CONTACT
        legal = (self.room >= -self.rim.halves - CONTACT) & ~self._shut & ~self._taken()
        return np.asarray(near & (legality.kind_numbers[:, None] == self.kinds) & legal & able[:, None])

    def ordered(self, usable: BoolArray) -> list[tuple[IntArray, bool]]:
        """Give the cells of each line that some model (n, c) may use, in order, a ring from behind its widest gap on."""
        found = []
        for cells, is_ring in self.lines:
            kept = cells[usable[:, cells].any(axis=0)]
            if is_ring and len(kept):
                aside = self.rim.middles[kept] - self.rim.middles[np.roll(kept, 1)]
                kept = np.roll(kept, -int(np.argmax(np.hypot(aside[:, 0], aside[:, 1]))))
            found.append((kept, is_ring))
        return found


def contact_cells(solver: Solver, length: float) -> ContactCells:
    """Cut the curves of contact into cells of at most so many inches."""
    rims, heights, kinds = list[LocusCells](), list[FloatArray](), list[IntArray]()
    lines: list[tuple[IntArray, bool]] = []
    slack = 0.0 if solver.problem.target_models.models.is_round else OVAL_CURVES_OFF
    for number, locus in [(number, locus) for number, loci in enumerate(solver.loci) for locus in loci]:
        rim = cut(locus.contact, length).spared(slack)
        level = np.abs(solver.problem.target_models.models.heights - locus.surface.z) <= CONTACT
        between = solver.legality.gaps.gaps_to(locus.kind, rim.middles, solver.problem.target_models.models)[:, level]
        is_open = np.asarray((between >= -rim.halves[:, None] - CONTACT).all(axis=1))
        first = sum(map(len, rims))
        lines += [(cells + first, is_ring) for cells, is_ring in rim.lines(is_open)]
        rims.append(rim)
        heights.append(np.full(len(rim), locus.surface.z))
        kinds.append(np.full(len(rim), number))
    return ContactCells(solver, joined_rims(rims), np.concatenate(heights), np.concatenate(kinds), tuple(lines))


@dataclass(frozen=True, eq=False)
class LineBound:
    """Cells of contact, and the models that press into them."""

    cells: ContactCells

    @cached_property
    def most(self) -> int:
        """No plan has more models in contact."""
        start, rim = self.cells.solver.start, self.cells.rim
        placed = int((start.candidates.touching & start.placed).sum())
        return placed + max_packing(self._lines(self._reached[1], rim.halves + CONTACT))[0]

    def fullest(self, *, is_quick: bool = False) -> PartialPlan:
        """Place as many models in contact as are found to have room; those that are in the way of others are left out.

        With `is_quick` only ways that lead straight to the foes and on along them are looked at, which takes less time.
        """
        cells, solver = self.cells, self.cells.solver
        usable = self._walked() if is_quick else self._reached[0]
        ordered, assignment = cells.ordered(usable), solver.start
        for mover, line, place in max_packing(self._lines(usable, np.zeros(len(cells.rim))))[1]:
            cell = int(ordered[line][0][place])
            candidates = solver.legality.candidates(int(cells.kinds[cell]), cells.rim.middles[[cell]], cells.heights[[cell]])
            length = float(solver.move_costs(mover, candidates)[0]) if len(candidates) and assignment.meets(candidates)[0][0] else np.inf
            assignment = assignment.with_model_at(mover, candidates, 0, length) if np.isfinite(length) else assignment
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
        limit = cells.solver.limit
        return np.asarray(cells.usable & (cells.room >= -CONTACT) & (walked <= limit))

    def _straight(self) -> FloatArray:
        """Measure the straight ways (n, c) of models to the middles of cells, infinite where something is near them."""
        cells, solver = self.cells, self.cells.solver
        lengths = np.full(cells.usable.shape, np.inf)
        for mover in np.flatnonzero(cells.usable.any(axis=1)).tolist():
            asked = np.flatnonzero(cells.usable[mover] & (cells.room >= -CONTACT))
            ends = np.column_stack([cells.rim.middles[asked], cells.heights[asked]])
            aside = np.hypot(*(cells.rim.middles[asked] - solver.problem.models.centres[mover]).T)
            lengths[mover, asked] = np.where(solver.paths.is_unobstructed(solver.problem.models.models[mover], ends), aside, np.inf)
        return lengths

    def _lines(self, usable: BoolArray, spare: FloatArray) -> list[LineSlots]:
        """Give the lines of cells (c,) that models (n) may use, discs in them smaller by what is to spare (c,)."""
        radii, middles = self.cells.solver.legality.radii[self.cells.kinds] - spare, self.cells.rim.middles
        return [LineSlots(usable[:, own], middles[own], radii[own], is_ring) for own, is_ring in self.cells.ordered(usable)]

    @cached_property
    def _reached(self) -> tuple[BoolArray, BoolArray]:
        """Tell which models (n) surely get to the middles of which cells (c), and which may get to some place in them.

        Along cells on the ground that are clear a model goes on from one to the next; on heights straight ways tell what may be.
        """
        usable, along, limit = self.cells.usable, self.cells.rim.along, self.cells.solver.limit + CONTACT
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
        low[inside] = np.minimum(lengths, self.cells.solver.limit) - aside
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
        solver = self.cells.solver
        return solver.shrunk_lengths(mover, at, z, by=smaller, limit=solver.limit + float(self.cells.rim.along.max(initial=0.0)) + smaller)
