"""How near a single model whose base is not round gets to all its targets, however it turns: cells of places and facings.

Of each cell it is asked whether some place and facing in it may do: all by which a body in it may be off its middle is given away.
So a distance from which no cell is left is one below which there is no plan. Ways are taken to be straight.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tabletop.geometry.arrangement import BoolArray
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.shape import gaps
from tabletop.placement.reachable import ReachablePlaces
from tabletop.placement.separation import Kind
from tabletop.table.squad import Hull
from tabletop.units import CONTACT

CELL_SIDE = 0.4
"""Inches of the sides of the first cells."""

TURN_PARTS = 8
"""Parts of half a turn in the first cells."""

CELL_HALVINGS = 7
"""Times that cells are parted into eight where they may do."""

MOST_STANCES = 3000
"""Stances beyond which they are not parted any more."""


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
        shifts = self.side / 4.0 * np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
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

    reachable: ReachablePlaces

    @property
    def can_be_asked(self) -> bool:
        """Whether there is only one model, not placed yet, and its base is not round."""
        return len(self.reachable.options) == 1 and not self.reachable.start.placed.any() and not self._kind.is_round

    def least_distance(self, longest: float) -> float:
        """Give a distance below which no plan is possible, or `longest` if that is not less."""
        pivot = self.reachable.problem.situation.pivots[0]
        own = self.reachable.shortest(0, np.asarray(self.reachable.options[0].candidates.engaged.all(axis=1)))
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
    def _kind(self) -> Kind:
        return self.reachable.problem.kinds[int(self.reachable.problem.kind_numbers[0])]

    @property
    def _start(self) -> FloatArray:
        return np.asarray(self.reachable.problem.movers.centres[0])

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
            rows, kind = np.flatnonzero(cells.headings == heading), Kind(self._kind.base, float(heading))
            rows = rows[self._is_free(kind, cells.middles[rows], off)] if self._is_flat else rows
            able[rows] = self._engages(kind, cells.middles[rows], off)
        return cells.of(able)

    @cached_property
    def _is_flat(self) -> bool:
        """Whether all ends are on the table."""
        task, problem = self.reachable.problem.task, self.reachable.problem
        return len(problem.situation.surfaces) == 1 and (task.asks("grounded") or not task.situation.climbed)

    def _is_free(self, kind: Kind, at: FloatArray, off: float) -> BoolArray:
        """Tell which places (k, 2) may be clear of bodies, solid terrain and ranges to keep out of, and on the board."""
        problem, situation = self.reachable.problem, self.reachable.problem.situation
        rise = problem.rises(np.zeros(1), problem.shunned)[0]
        shunned = [model for model, up in zip(problem.shunned.models.models, rise, strict=True) if up <= situation.engagement.vertical]
        bodies = [model for model in situation.bodies.models if abs(model.z) <= CONTACT]
        kept = [(model.footprint, situation.engagement.horizontal) for model in shunned]
        kept += [(shape, 0.0) for shape in (*(model.footprint for model in bodies), *(piece.shape for piece in situation.solids))]
        board, (west, south, east, north) = situation.board, kind.shape.bounds
        low, high = at + np.array([west, south]), at + np.array([east, north]) - np.array([board.width, board.depth])
        is_free: BoolArray = (low >= -off - CONTACT).all(axis=1) & (high <= off + CONTACT).all(axis=1)
        for shape, needed in kept:
            rows = np.flatnonzero(is_free)
            is_free[rows] = gaps(kind.shape, at[rows], shape) >= needed - off - CONTACT
        return is_free

    def _engages(self, kind: Kind, at: FloatArray, off: float) -> BoolArray:
        """Tell at which places (k, 2) every target may be engaged."""
        problem = self.reachable.problem
        able, engagement = np.ones(len(at), dtype=bool), problem.situation.engagement
        for target in problem.targets:
            rows = np.flatnonzero(able)
            foes = [problem.foes.models.models[foe].footprint for foe in np.flatnonzero(problem.target_of == target)]
            able[rows] = np.any([engagement.may_hold(kind.shape, at[rows], foe, off=off, is_flat=self._is_flat) for foe in foes], axis=0)
        return able
