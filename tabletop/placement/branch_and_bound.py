"""Branch and bound over places: distances below which no plan is possible.

The places are cut into cells, and cells in which no place may do are left out; the rest are parted further. Every rounding of a place
to the middle of its cell is given away, so what no cell allows no plan does.

- `PlaneSearch`: a few discs that must end in one group and engage all targets; squares of the plane, joined by links;
- `TurningSearch`: a single model whose base is not round; cells of places and headings.

Lengths are in inches, headings in radians.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product

import numpy as np

from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.geometry.distance import gaps_at_shifts
from tabletop.placement.candidates import Solver
from tabletop.placement.clearance import QUARTERS, clearances, may_stand
from tabletop.placement.legality import OrientedBase
from tabletop.table.models import Hull
from tabletop.units import CONTACT

SQUARE_SIDE = 0.5
"""Inches of the first squares."""

SQUARE_HALVINGS = 5
"""Times that squares are parted into four where they may do."""

MOST_SQUARES = 2000
"""Squares of all models and two targets beyond which they are not parted any more."""

MOST_MODELS = 5
"""Models of larger units are too many to look at each two of them."""

CELL_SIDE = 0.4
"""Inches of the sides of the first cells."""

TURN_PARTS = 8
"""Parts of half a turn in the first cells."""

CELL_HALVINGS = 7
"""Times that cells are parted into eight where they may do."""

MOST_STANCES = 3000
"""Stances beyond which they are not parted any more."""


@dataclass(frozen=True, eq=False)
class Squares:
    """Squares, with their middles (k, 2) and heights (k,), in which a model may end; no shorter move (k,) gets to any place in them."""

    middles: FloatArray
    heights: FloatArray
    lows: FloatArray

    def __len__(self) -> int:
        return len(self.lows)

    def of(self, kept: BoolArray) -> "Squares":
        """Keep some of them."""
        return Squares(self.middles[kept], self.heights[kept], self.lows[kept])

    def quartered(self, side: float) -> "Squares":
        """Part squares whose sides are so many inches into four each."""
        shifts = side / 4.0 * QUARTERS
        middles = (self.middles[:, None, :] + shifts[None, :, :]).reshape(-1, 2)
        return Squares(middles, np.repeat(self.heights, 4), np.repeat(self.lows, 4))


Key = tuple[int, int | None]
"""A model and the target that it engages; None: it may end anywhere."""

Found = dict[Key, Squares]


@dataclass(frozen=True, eq=False)
class PlaneSearch:
    """A unit of discs that must end in one group and engage its targets."""

    solver: Solver

    @property
    def applies(self) -> bool:
        """Whether the unit is one of few discs that must end in one group, none of them placed yet."""
        solver, count = self.solver, len(self.solver.options)
        is_linked = solver.asks("coherent") and solver.problem.coherency.is_one_group and not self.solver.start.placed.any()
        # where tops hold a part of it, a smaller disc may find none where a whole one does
        is_whole = not any(surface.by_centre for surface in solver.problem.surfaces)
        return is_linked and is_whole and self.solver.legality.is_round and 1 < count <= MOST_MODELS

    def least_distance(self, longest: float) -> float:
        """Give a distance below which no plan is possible, or `longest` if that is not less."""
        least, targets = 0.0, self.solver.problem.target_numbers
        pairs = list(combinations(targets, 2))
        for asked, is_followed in (
            *((pair, False) for pair in pairs), *(((target,), True) for target in targets), *((pair, True) for pair in pairs)
        ):  # fmt: skip
            least = max(least, self._least_of(asked, longest, is_followed=is_followed))
            if least >= longest:
                return longest
        return least

    def _least_of(self, targets: tuple[int, ...], longest: float, *, is_followed: bool) -> float:
        """Give a distance below which no two models, nor one alone, engage one or two targets so that links can join them.

        Asked whether they are followed, it is that below which links cannot join them with each of the others, wherever these end.
        """
        keys: list[Key] = [(mover, target) for mover in range(self._count) for target in (*targets, *([None] if is_followed else []))]
        found, side, least = {key: self._begun(*key, longest) for key in keys}, SQUARE_SIDE, 0.0
        for _ in range(SQUARE_HALVINGS + 1):
            found = {key: self._able(*key, squares, side, longest) for key, squares in found.items()}
            least, found = self._joined(found, targets, side, longest)
            if least >= longest or sum(map(len, found.values())) > MOST_SQUARES:
                break
            found = {key: squares.quartered(side) for key, squares in found.items()}
            side /= 2.0
        return least

    def _begun(self, mover: int, target: int | None, longest: float) -> Squares:
        """Give squares that cover all places at which a model may engage a target, or all within `longest` inches."""
        problem = self.solver.problem
        middles = _within(problem.models.centres[mover], longest) if target is None else lattice(self.solver, mover, target, SQUARE_SIDE)
        heights = [surface.z for surface in problem.surfaces]
        count = len(middles)
        return Squares(np.tile(middles, (len(heights), 1)), np.repeat(heights, count), np.zeros(count * len(heights)))

    def _able(self, mover: int, target: int | None, squares: Squares, side: float, longest: float) -> Squares:
        """Leave out squares in which a model cannot end, not engaged with a target, or not within `longest` inches."""
        problem, off = self.solver.problem, side / math.sqrt(2.0)
        aside = np.hypot(*(squares.middles - problem.models.centres[mover]).T)
        squares = squares.of(aside <= longest + off + CONTACT)
        squares = squares if target is None else squares.of(self._engaging(mover, target, squares, off))
        squares = squares.of(may_stand(self.solver.legality, mover, squares.middles, squares.heights, off=off))
        lows, is_whole = squares.lows.copy(), self._are_whole(mover, squares, off)
        shrunk = np.flatnonzero(~is_whole if off <= self._most_off(mover) else np.zeros(len(squares), dtype=bool))
        for rows, by in ((np.flatnonzero(is_whole), 0.0), (shrunk, off)):
            lengths = self.solver.shrunk_lengths(
                mover, squares.middles[rows], squares.heights[rows], by=by, limit=longest + off, are_shut=True
            )
            lows[rows] = np.maximum(lows[rows], lengths - off)
        return replace(squares, lows=lows).of(lows <= longest + CONTACT)

    def _are_whole(self, mover: int, squares: Squares, off: float) -> BoolArray:
        """Tell in which squares a model may stand everywhere, and so goes straight from its middle to any place of one."""
        problem, legality, kind = self.solver.problem, self.solver.legality, int(self.solver.legality.kind_numbers[mover])
        if not problem.is_level or problem.engagement.lengthening is not None:
            return np.zeros(len(squares), dtype=bool)
        (x, y), board = squares.middles.T, problem.board
        edges = np.min([x, y, board.width - x, board.depth - y], axis=0) - float(legality.radii[kind])
        rooms = np.column_stack([
            clearances(legality, kind, squares.middles, squares.heights), edges,
            legality.gaps.gaps_to(legality.kinds[kind], squares.middles, problem.bodies),
        ])  # fmt: skip
        return np.asarray((rooms >= off).all(axis=1))

    def _most_off(self, mover: int) -> float:
        """Give how much smaller a disc may be taken for it to have ways."""
        legality = self.solver.legality
        return 0.9 * float(legality.radii[legality.kind_numbers[mover]])

    def _engaging(self, mover: int, target: int, squares: Squares, off: float) -> BoolArray:
        problem, legality = self.solver.problem, self.solver.legality
        kind = legality.kinds[legality.kind_numbers[mover]]
        near = legality.gaps.gaps_to(kind, squares.middles, problem.target_models.models) <= problem.longest_ranges + off + CONTACT
        near &= problem.rises(squares.heights, problem.target_models) <= problem.engagement.vertical + CONTACT
        return np.asarray(near[:, problem.target_index == target].any(axis=1))

    def _joined(self, found: Found, targets: tuple[int, ...], side: float, longest: float) -> tuple[float, Found]:
        """Give the least longest move to squares that links can join, and the squares that serve some such pair."""
        kept, least = {key: np.zeros(len(squares), dtype=bool) for key, squares in found.items()}, longest
        company = {key: self._company(found, key, side) for key in found if key[1] is not None}
        for mover, mate in product(range(self._count), repeat=2):
            if mover != mate and len(targets) == 1:
                continue
            one, other = (mover, targets[0]), (mate, targets[-1])
            is_joined = self._may_link(mover, mate, found[one], found[other], side)
            if mover == mate:
                is_joined &= found[one].heights[:, None] == found[other].heights[None, :]
            others = [row for row in range(self._count) if row not in (mover, mate)]
            first, second = (np.maximum(found[key].lows, company[key][others].max(axis=0, initial=0.0)) for key in (one, other))
            longer = np.where(is_joined, np.maximum(first[:, None], second[None, :]), np.inf)
            least = min(least, float(longer.min(initial=np.inf)))
            kept[one] |= np.isfinite(longer).any(axis=1)
            kept[other] |= np.isfinite(longer).any(axis=0)
        for mate, target in found:
            for key in company if target is None else ():
                if key[0] != mate:
                    is_near = self._may_link(key[0], mate, found[key].of(kept[key]), found[mate, None], side)
                    kept[mate, None] |= is_near.any(axis=0)
        return least, {key: squares.of(kept[key]) for key, squares in found.items()}

    def _company(self, found: Found, key: Key, side: float) -> FloatArray:
        """Give the least moves (n, k) of all models with which links can join them with a model in each of its squares."""
        lows = np.zeros((self._count, len(found[key])))
        for mate in range(self._count):
            if mate != key[0] and (mate, None) in found:
                is_near = self._may_link(key[0], mate, found[key], found[mate, None], side)
                lows[mate] = np.where(is_near, found[mate, None].lows, np.inf).min(axis=1, initial=np.inf)
        return lows

    def _may_link(self, mover: int, mate: int, first: Squares, second: Squares, side: float) -> BoolArray:
        """Tell (k, m) of squares of two models whether links of the unit can join some places in them."""
        aside = first.middles[:, None, :] - second.middles[None, :, :]
        link = (self._spans[mover, mate] + 2.0 * side / math.sqrt(2.0) if mover != mate else 0.0) + CONTACT
        return np.asarray(np.hypot(aside[..., 0], aside[..., 1]) <= link)

    @property
    def _count(self) -> int:
        return len(self.solver.options)

    @cached_property
    def _spans(self) -> FloatArray:
        """How far apart (n, n) from middle to middle two models may be that all others between them link, in inches."""
        problem, legality = self.solver.problem, self.solver.legality
        radii = legality.radii[legality.kind_numbers]
        return np.asarray(problem.coherency.span(2.0 * radii) - radii[:, None] - radii[None, :])


def _within(point: FloatArray, reach: float) -> FloatArray:
    """Give the points (k, 2) at whole steps of squares within some inches of a point and around."""
    steps = SQUARE_SIDE * np.arange(-math.ceil(reach / SQUARE_SIDE) - 1, math.ceil(reach / SQUARE_SIDE) + 2)
    return np.asarray(point + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2))


def lattice(solver: Solver, mover: int, target: int, step: float) -> FloatArray:
    """Give the points (k, 2) at whole steps in inches among and around the places at which a model may engage a target."""
    problem = solver.problem
    own, foes = problem.target_index == target, problem.target_models.models
    reach = (foes.radii[own] + float(problem.models.radii[mover]) + problem.longest_ranges[own] + step)[:, None]
    low, high = (foes.centres[own] - reach).min(axis=0), (foes.centres[own] + reach).max(axis=0)
    xs, ys = (step * np.arange(math.floor(start / step), math.ceil(end / step) + 1) for start, end in zip(low, high, strict=True))
    return np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)


@dataclass(frozen=True, eq=False)
class Stances:
    """Stances about middles (k, 2) and facings (k,) in radians, of one size: `side` inches and `step` radians."""

    middles: FloatArray
    headings: FloatArray
    side: float
    step: float

    def __len__(self) -> int:
        return len(self.headings)

    def of(self, kept: BoolArray) -> "Stances":
        """Keep some of them."""
        return Stances(self.middles[kept], self.headings[kept], self.side, self.step)

    def parted(self) -> "Stances":
        """Part each into eight."""
        shifts = self.side / 4.0 * QUARTERS
        middles = np.repeat((self.middles[:, None, :] + shifts).reshape(-1, 2), 2, axis=0)
        headings = np.repeat(self.headings, 8) + self.step / 4.0 * np.tile([-1.0, 1.0], 4 * len(self))
        return Stances(middles, headings, self.side / 2.0, self.step / 2.0)

    def off(self, outer: float) -> float:
        """Give by how many inches no point of a body within `outer` inches of its place is farther off than at the middle of its cell."""
        return self.side / math.sqrt(2.0) + outer * self.step / 2.0

    def lows(self, start: FloatArray) -> FloatArray:
        """Give lengths (k,) in inches that no way from a place to one in a cell falls short of."""
        return np.asarray(np.maximum(np.hypot(*(self.middles - start).T) - self.side / math.sqrt(2.0), 0.0))


@dataclass(frozen=True, eq=False)
class TurningSearch:
    """A single model that may end in any facing."""

    solver: Solver

    @property
    def applies(self) -> bool:
        """Whether there is only one model, not placed yet, and its base is not round."""
        return len(self.solver.options) == 1 and not self.solver.start.placed.any() and not self._kind.is_round

    def least_distance(self, longest: float) -> float:
        """Give a distance below which no plan is possible, or `longest` if that is not less."""
        pivot = self.solver.problem.pivots[0]
        own = self.solver.shortest(0, np.asarray(self.solver.options[0].candidates.engaged.all(axis=1)))
        longest = min(longest, own)
        cells = self._begun(longest - pivot)
        for _ in range(CELL_HALVINGS + 1):
            cells = self._able(cells, longest - pivot)
            if not len(cells):
                return longest
            if len(cells) > MOST_STANCES:
                break
            cells = cells.parted()
        return min(longest, pivot + float(cells.lows(self._start).min()))

    @property
    def _kind(self) -> OrientedBase:
        return self.solver.legality.kinds[int(self.solver.legality.kind_numbers[0])]

    @property
    def _start(self) -> FloatArray:
        return np.asarray(self.solver.problem.models.centres[0])

    def _begun(self, reach: float) -> Stances:
        """Give cells that hold all places within `reach` inches, with all facings that are different."""
        parts = TURN_PARTS * (2 if isinstance(self._kind.base, Hull) else 1)  # all other bases look the same turned about
        headings = (np.arange(parts) + 0.5) * math.pi / TURN_PARTS
        steps = np.arange(-math.ceil(max(reach, 0.0) / CELL_SIDE), math.ceil(max(reach, 0.0) / CELL_SIDE) + 1)
        middles = self._start + CELL_SIDE * np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        return Stances(np.tile(middles, (parts, 1)), np.repeat(headings, len(middles)), CELL_SIDE, math.pi / TURN_PARTS)

    def _able(self, cells: Stances, reach: float) -> Stances:
        """Leave out cells that are beyond reach, or in which the model cannot engage every target, or not stand."""
        cells = cells.of(cells.lows(self._start) <= reach + CONTACT)
        off, able = cells.off(self._kind.outer), np.zeros(len(cells), dtype=bool)
        for heading in np.unique(cells.headings):
            rows, kind = np.flatnonzero(cells.headings == heading), OrientedBase(self._kind.base, float(heading))
            rows = rows[self._is_free(kind, cells.middles[rows], off)] if self._is_flat else rows
            able[rows] = self._engages(kind, cells.middles[rows], off)
        return cells.of(able)

    @cached_property
    def _is_flat(self) -> bool:
        """Whether all ends are on the table."""
        problem = self.solver.problem
        return len(problem.surfaces) == 1 and (self.solver.asks("grounded") or not problem.climbed)

    def _is_free(self, kind: OrientedBase, at: FloatArray, off: float) -> BoolArray:
        """Tell which places (k, 2) may be clear of bodies, solid terrain and ranges to keep out of, and on the board."""
        problem, legality = self.solver.problem, self.solver.legality
        rise = problem.rises(np.zeros(1), legality.keep_out)[0]
        keep_out = [model for model, up in zip(legality.keep_out.models.models, rise, strict=True) if up <= problem.engagement.vertical]
        bodies = [model for model in problem.bodies.models if abs(model.z) <= CONTACT]
        kept = [(model.footprint, problem.engagement.horizontal) for model in keep_out]
        kept += [(shape, 0.0) for shape in (*(model.footprint for model in bodies), *(piece.shape for piece in problem.solids))]
        board, (west, south, east, north) = problem.board, kind.shape.bounds
        low, high = at + np.array([west, south]), at + np.array([east, north]) - np.array([board.width, board.depth])
        is_free: BoolArray = (low >= -off - CONTACT).all(axis=1) & (high <= off + CONTACT).all(axis=1)
        for shape, needed in kept:
            rows = np.flatnonzero(is_free)
            is_free[rows] = gaps_at_shifts(kind.shape, at[rows], shape) >= needed - off - CONTACT
        return is_free

    def _engages(self, kind: OrientedBase, at: FloatArray, off: float) -> BoolArray:
        """Tell at which places (k, 2) every target may be engaged."""
        problem = self.solver.problem
        able, engagement = np.ones(len(at), dtype=bool), problem.engagement
        for target in problem.target_numbers:
            rows = np.flatnonzero(able)
            foes = [problem.target_models.models.models[foe].footprint for foe in np.flatnonzero(problem.target_index == target)]
            able[rows] = np.any([engagement.may_hold(kind.shape, at[rows], foe, off=off, is_flat=self._is_flat) for foe in foes], axis=0)
        return able
