"""Where models can engage targets, in squares of the plane, and whether links can join those who engage different ones.

Of each square it is asked whether some place in it may do: every rounding of a place to the middle is given away. So a distance
below which no squares are near enough to each other is one below which there is no plan. Discs only.
"""

import math
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np

from tabletop.geometry.arrangement import BoolArray
from tabletop.geometry.pose import FloatArray
from tabletop.placement.clearance import may_stand
from tabletop.placement.reachable import ReachablePlaces
from tabletop.units import CONTACT

SQUARE_SIDE = 0.5
"""Inches of the first squares."""

SQUARE_HALVINGS = 5
"""Times that squares are parted into four where they may do."""

MOST_SQUARES = 2000
"""Squares of all models and two targets beyond which they are not parted any more."""

MOST_MODELS = 5
"""Models of larger units are too many to look at each two of them."""


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
        shifts = side / 4.0 * np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
        middles = (self.middles[:, None, :] + shifts[None, :, :]).reshape(-1, 2)
        return Squares(middles, np.repeat(self.heights, 4), np.repeat(self.lows, 4))


@dataclass(frozen=True, eq=False)
class PlaneSearch:
    """A unit of discs that must end in one group and engage several targets."""

    reachable: ReachablePlaces

    @property
    def can_be_asked(self) -> bool:
        """Whether the unit is one of few discs that must end in one group, none of them placed yet, and has several targets."""
        task, count = self.reachable.problem.task, len(self.reachable.options)
        is_linked = task.asks("coherent") and task.situation.coherency.is_one_group and not self.reachable.start.placed.any()
        # where tops hold a part of it, a smaller disc may find none where a whole one does
        is_whole = not any(surface.by_centre for surface in task.situation.surfaces)
        return is_linked and is_whole and self.reachable.problem.is_round and count <= MOST_MODELS and len(task.situation.targets) > 1

    def least_distance(self, longest: float) -> float:
        """Give a distance below which no plan is possible, or `longest` if that is not less."""
        least = 0.0
        for one, other in combinations(self.reachable.problem.targets, 2):
            least = max(least, self._least_of(one, other, longest))
            if least >= longest:
                return longest
        return least

    def _least_of(self, one: int, other: int, longest: float) -> float:
        """Give a distance below which no two models, nor one alone, engage two targets so that links can join them."""
        movers, side, least = range(len(self.reachable.options)), SQUARE_SIDE, 0.0
        found = {(mover, target): self._begun(mover, target) for mover in movers for target in (one, other)}
        for _ in range(SQUARE_HALVINGS + 1):
            found = {key: self._able(*key, squares, side, longest) for key, squares in found.items()}
            least, found = self._joined(found, one, other, side, longest)
            if least >= longest or sum(map(len, found.values())) > MOST_SQUARES:
                break
            found = {key: squares.quartered(side) for key, squares in found.items()}
            side /= 2.0
        return least

    def _begun(self, mover: int, target: int) -> Squares:
        """Give squares that cover all places at which a model may engage a target."""
        problem = self.reachable.problem
        middles = lattice(self.reachable, mover, target, SQUARE_SIDE)
        heights = [surface.z for surface in problem.situation.surfaces]
        count = len(middles)
        return Squares(np.tile(middles, (len(heights), 1)), np.repeat(heights, count), np.zeros(count * len(heights)))

    def _able(self, mover: int, target: int, squares: Squares, side: float, longest: float) -> Squares:
        """Leave out squares in which a model cannot end engaged with a target, or not within `longest` inches."""
        off = side / math.sqrt(2.0)
        aside = np.hypot(*(squares.middles - self.reachable.problem.movers.centres[mover]).T)
        squares = squares.of((aside <= longest + off + CONTACT) & self._engaging(mover, target, squares, off))
        squares = squares.of(may_stand(self.reachable.problem, mover, squares.middles, squares.heights, off=off))
        if off > self._most_off(mover):
            return squares
        lengths = self.reachable.problem.shrunk_lengths(mover, squares.middles, squares.heights, by=off, limit=longest + off)
        found = replace(squares, lows=np.maximum(squares.lows, lengths - off))
        return found.of(found.lows <= longest + CONTACT)

    def _most_off(self, mover: int) -> float:
        """Give how much smaller a disc may be taken for it to have ways."""
        problem = self.reachable.problem
        return 0.9 * float(problem.radii[problem.kind_numbers[mover]])

    def _engaging(self, mover: int, target: int, squares: Squares, off: float) -> BoolArray:
        problem = self.reachable.problem
        kind = problem.kinds[problem.kind_numbers[mover]]
        near = problem.separations.gaps_to(kind, squares.middles, problem.foes.models) <= problem.situation.longest_ranges + off + CONTACT
        near &= problem.rises(squares.heights, problem.foes) <= problem.situation.engagement.vertical + CONTACT
        return np.asarray(near[:, problem.target_of == target].any(axis=1))

    def _joined(
        self, found: dict[tuple[int, int], Squares], one: int, other: int, side: float, longest: float
    ) -> tuple[float, dict[tuple[int, int], Squares]]:
        """Give the least longest move to squares that links can join, and the squares that serve some such pair."""
        kept = {key: np.zeros(len(squares), dtype=bool) for key, squares in found.items()}
        least, link = longest, self._links + 2.0 * side / math.sqrt(2.0) + CONTACT
        for mover, mate in product(range(len(self.reachable.options)), repeat=2):
            first, second = found[mover, one], found[mate, other]
            aside = first.middles[:, None, :] - second.middles[None, :, :]
            apart = np.hypot(aside[..., 0], aside[..., 1])
            is_joined = apart <= (link if mover != mate else CONTACT)
            if mover == mate:
                is_joined &= first.heights[:, None] == second.heights[None, :]
            if not is_joined.any():
                continue
            longer = np.maximum(first.lows[:, None], second.lows[None, :])
            least = min(least, float(longer[is_joined].min()))
            kept[mover, one] |= is_joined.any(axis=1)
            kept[mate, other] |= is_joined.any(axis=0)
        return least, {key: squares.of(kept[key]) for key, squares in found.items()}

    @property
    def _links(self) -> float:
        """How far apart from middle to middle models may be that all others between them link, in inches."""
        problem = self.reachable.problem
        coherency = problem.situation.coherency
        return coherency.most_links * (2.0 * float(problem.radii.max()) + coherency.horizontal)


def lattice(reachable: ReachablePlaces, mover: int, target: int, step: float) -> FloatArray:
    """Give the points (k, 2) at whole steps in inches among and around the places at which a model may engage a target."""
    problem = reachable.problem
    own, foes = problem.target_of == target, problem.foes.models
    reach = (foes.radii[own] + float(problem.movers.radii[mover]) + problem.situation.longest_ranges[own] + step)[:, None]
    low, high = (foes.centres[own] - reach).min(axis=0), (foes.centres[own] + reach).max(axis=0)
    xs, ys = (step * np.arange(math.floor(start / step), math.ceil(end / step) + 1) for start, end in zip(low, high, strict=True))
    return np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
