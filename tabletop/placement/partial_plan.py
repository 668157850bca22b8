"""A plan in the making: where each model stands, which of them are placed, and what a further place would do to the
unit.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import linear_sum_assignment

from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.placement.legality import Legality
from tabletop.placement.objective import Values
from tabletop.placement.problem import Candidates
from tabletop.units import CONTACT


@dataclass(frozen=True, eq=False)
class PartialPlan:
    """A place for each model (row), with the lengths (n,) of their moves in inches; rows not in the mask `placed` (n,)
    do not count yet.
    """

    legality: Legality
    candidates: Candidates
    lengths: FloatArray
    placed: BoolArray

    def with_model_at(
        self, mover: int, candidates: Candidates, choice: int, length: float
    ) -> "PartialPlan":
        """Return the plan with model `mover` placed at row `choice` of some candidates, by a move of `length`
        inches.
        """
        lengths = self.lengths.copy()
        placed = self.placed.copy()
        lengths[mover] = length
        placed[mover] = True
        return PartialPlan(
            self.legality, self.candidates.replaced(mover, candidates, choice), lengths, placed
        )

    def without(self, mover: int) -> "PartialPlan":
        """Return the plan with model `mover` no longer placed; its old place stays in the arrays but does not count."""
        placed = self.placed.copy()
        placed[mover] = False
        return PartialPlan(self.legality, self.candidates, self.lengths, placed)

    @property
    def placed_rows(self) -> IntArray:
        """Rows (k,) of the models that are placed."""
        return np.flatnonzero(self.placed)

    @cached_property
    def placed_candidates(self) -> Candidates:
        """Places of the models that are placed, in the order of their rows."""
        return self.candidates.of(self.placed_rows)

    def gaps_from(self, candidates: Candidates) -> FloatArray:
        """Return the gaps (k, placed) in inches from candidates to the models that are placed."""
        return self.legality.pair_gaps(candidates, self.placed_candidates)

    def meets(self, candidates: Candidates) -> tuple[BoolArray, BoolArray]:
        """Return (k,) which candidates are clear of the placed models, and (k, placed) of which models they are within
        coherency.
        """
        overlaps, near = self.beside(candidates)
        return np.asarray(~overlaps.any(axis=1)), near

    def beside(self, candidates: Candidates) -> tuple[BoolArray, BoolArray]:
        """Return (k, placed) which placed models each candidate would overlap, and of which it would be within
        coherency.
        """
        gaps = self.gaps_from(candidates)
        rise = np.abs(candidates.z[:, None] - self.placed_candidates.z)
        coherency = self.legality.problem.coherency
        near = (
            coherency.margins(gaps, np.maximum(rise - self.legality.problem.own_height, 0.0))
            >= -CONTACT
        )
        return (gaps < -CONTACT) & (rise <= CONTACT), near

    @property
    def longest(self) -> float:
        """Length in inches of the longest move of a model; 0 for a unit without models."""
        return float(self.lengths.max(initial=0.0))

    @property
    def values(self) -> Values:
        """Models in contact and models engaged, 0 of those that do not count, and the total move in inches."""
        objective = self.legality.problem.objective
        return Values(
            int((self.candidates.touching & self.placed & objective.wants_contacts).sum()),
            int((self.candidates.is_engaged & self.placed).sum()) if objective.wants_engaged else 0,
            float(self.lengths[self.placed].sum()),
        )

    @property
    def counts(self) -> tuple[int, ...]:
        """Numbers of the models that count, the most important first."""
        return self.legality.problem.objective.counts(self.values)

    @property
    def key(self) -> tuple[float, ...]:
        """Sort key of the plan: lexicographically greater is better."""
        return self.legality.problem.objective.key(self.values)

    def is_better(self, other: "PartialPlan") -> bool:
        """Return whether the plan is better than another by the objective of its problem."""
        return self.legality.problem.objective.is_better(self.values, other.values)

    @property
    def engages_all(self) -> bool:
        """Whether the models placed engage every target."""
        return bool(self.candidates.engaged[self.placed].any(axis=0).all())

    def is_complete(self) -> bool:
        """Return whether all models are placed, every target is engaged, and the unit is coherent where that is
        asked.
        """
        if not self.placed.all() or not self.engages_all:
            return False
        if not self.legality.asks("coherent"):
            return True
        coherency = self.legality.problem.coherency
        have_company = (self.linked.sum(axis=1) >= coherency.neighbours).all()
        return bool(have_company and not (coherency.single_group and groups(self.linked).any()))

    @cached_property
    def linked(self) -> BoolArray:
        """Which placed models are within coherency of which others: (placed, placed)."""
        _, near = self.meets(self.placed_candidates)
        return near & ~np.eye(len(near), dtype=bool)


def empty(legality: Legality) -> PartialPlan:
    """Return the partial plan in which no model is placed."""
    models = legality.problem.models
    count = len(models.models)
    engaged = np.zeros((count, len(legality.problem.target_numbers)), dtype=bool)
    candidates = Candidates(
        models.centres, models.heights, legality.kind_numbers, np.zeros(count, dtype=bool), engaged
    )
    return PartialPlan(legality, candidates, np.zeros(count), np.zeros(count, dtype=bool))


def groups(linked: BoolArray) -> IntArray:
    """Return the number (n,), from 0, of the connected component to which links (n, n) join each model."""
    # csgraph.connected_components takes 560 us for 5 models and 550 us for 40; this takes 100 and 260.
    number = np.full(len(linked), -1)
    for first in range(len(linked)):
        if number[first] < 0:
            edge = np.arange(len(linked)) == first
            group = number.max(initial=-1) + 1
            while edge.any():
                number[edge] = group
                edge = linked[edge].any(axis=0) & (number < 0)
    return number


def shortest_tree(apart: FloatArray) -> list[tuple[int, int]]:
    """Return the links of the minimum spanning tree of points whose distances are `apart` (n, n), by Prim's
    algorithm.
    """
    inside = np.arange(len(apart)) == 0
    links = list[tuple[int, int]]()
    for _ in range(len(apart) - 1):
        one, other = divmod(
            int(np.argmin(np.where(inside[:, None] & ~inside, apart, np.inf))), len(apart)
        )
        inside[other] = True
        links.append((one, other))
    return links


def completing(assignment: PartialPlan, mover: int, candidates: Candidates) -> BoolArray:
    """Return (k,) which candidates of the last model complete a plan in which all others are placed."""
    others = assignment.without(mover)
    clear, near = others.meets(candidates)
    missing = ~others.placed_candidates.engaged.any(axis=0)
    kept = clear & candidates.engaged[:, missing].all(axis=1)
    if not assignment.legality.asks("coherent") or not others.placed.any():
        return np.asarray(kept)
    coherency = assignment.legality.problem.coherency
    asked = coherency.neighbours
    poor = others.linked.sum(axis=1)
    kept &= (
        (near.sum(axis=1) >= asked)
        & near[:, poor == asked - 1].all(axis=1)
        & bool((poor >= asked - 1).all())
    )
    if coherency.single_group:
        number = groups(others.linked)
        for group in range(number.max(initial=-1) + 1):
            kept &= near[:, number == group].any(axis=1)
    return np.asarray(kept)


def min_cost_assignment(costs: FloatArray) -> IntArray | None:
    """Return the column (n,) for each row that minimises the sum of `costs` (n, n), infinite ones being forbidden; None
    if impossible.
    """
    usable = np.isfinite(costs)
    if not usable.any(axis=1).all():
        return None
    far = float(costs[usable].max(initial=0.0)) * (len(costs) + 1) + 1.0
    rows, columns = linear_sum_assignment(np.where(usable, costs, far))
    return np.asarray(columns) if usable[rows, columns].all() else None
