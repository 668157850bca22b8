"""Which base contacts are owed: those of models that can touch a foe at their turn while those after them complete the move.

What was claimed nearly shows how: the model goes into contact, and those after it stay where they are claimed to end, or are
placed anew around it, or are pulled along. Where it finds no place, or no links could join its unit, that is known for sure.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tabletop.budget import Budget, Proof
from tabletop.geometry.arrangement import IntArray
from tabletop.geometry.pose import FloatArray
from tabletop.placement.assignment import Assignment, keeping
from tabletop.placement.candidates import Candidates
from tabletop.placement.problem import PlacementProblem
from tabletop.placement.reachable import ReachablePlaces
from tabletop.placement.repair import ModelTurn, can_be_joined, mended
from tabletop.placement.task import End, Situation, Task
from tabletop.table.squad import Model
from tabletop.units import CONTACT

OPEN_DEBTS = 2
"""Models of which it stays open whether they owe contact, before it is asked of the rest less thoroughly."""

ENTRIES = 6
"""Places in contact around which those after a model are placed anew, where none goes with where they are claimed to end."""


@dataclass(frozen=True)
class Debt:
    """Where a model could be in base contact at its turn, None if nowhere; `proof` says how sure that is.

    `plan` is an assignment of the whole unit in which it is; lengths of moves in it are not measured. A model `would_leave` its unit
    if it stood out of coherency wherever it touched a foe.
    """

    end: End | None
    proof: Proof
    plan: Assignment | None = None
    would_leave: bool = False


@dataclass(frozen=True, eq=False)
class Owing:
    """A claimed move: the situation, the limit in inches, and the models where they are claimed to end, in order of moving."""

    situation: Situation
    distance: float
    ends: tuple[Model, ...]

    @cached_property
    def reachable(self) -> ReachablePlaces:
        """The reachable places of all turns; its start is the whole claim."""
        claimed = {model.number: End(model.pose, model.z) for model in self.ends}
        return ReachablePlaces(PlacementProblem(Task(self.situation, self.distance, placed=claimed)))

    @cached_property
    def rows(self) -> Mapping[int, int]:
        """The row of each model in the reachable places by its number."""
        return {model.number: row for row, model in enumerate(self.reachable.problem.movers.models)}

    @cached_property
    def order(self) -> IntArray:
        """The rows of the models in the order of moving."""
        return np.array([self.rows[model.number] for model in self.ends], dtype=np.intp)

    @cached_property
    def fair(self) -> IntArray:
        """The rows of the models that end closer to a target, or need not."""
        return np.array(
            [row for row, model in zip(self.order.tolist(), self.ends, strict=True) if self._is_fair(row, model)], dtype=np.intp
        )

    def _is_fair(self, row: int, model: Model) -> bool:
        problem = self.reachable.problem
        if problem.task.may_stay and model.stands_like(problem.movers.models[row]):
            return True
        return bool(problem.gained(row, self.reachable.start.candidates.of(np.array([row])))[0])

    def contact(self, turn: int, *, budget: Budget, is_quick: bool = False) -> Debt:
        """Find where the model that moves after `turn` others could be in base contact, so that the unit still completes its move.

        If it is to be quick, few places are tried, and all models after it are not pulled along.
        """
        reachable = ModelTurn(self.reachable.problem, self.reachable, self.order[:turn], int(self.order[turn]))
        claimed = self._as_claimed(reachable)
        if claimed is not None:
            return self._owed(reachable, claimed)
        lengths = reachable.costs(reachable.row, reachable.entries.candidates)
        reached = np.flatnonzero(np.isfinite(lengths))
        if not len(reached) or len(self.ends) == 1:
            return Debt(None, "exact" if self._is_sure(reachable.row) else "best_found")
        if turn == len(self.ends) - 1 and self._would_leave(reachable.row):
            return Debt(None, "exact", would_leave=True)
        starts = [reachable.entered(entry, float(lengths[entry])) for entry in spread(reachable.entries.candidates, lengths, reached)]
        plans = mended(reachable, starts, later=np.setdiff1d(self.fair, reachable.fixed), is_quick=is_quick)
        return self._first(reachable, plans, budget)

    def _is_sure(self, row: int) -> bool:
        """Tell whether a model that finds no place in contact has none.

        Bases that are not round may turn farther than is looked at, and the shortest way over a top may end where nobody looks,
        unless all foes are out of reach anyway.
        """
        problem = self.reachable.problem
        is_searched = problem.is_round and not (self.situation.flies and self.situation.climbed)
        foes, reach = problem.foes.models, float(problem.movers.radii[row]) + self.distance
        apart = np.hypot(*(foes.centres - problem.movers.centres[row]).T) - foes.radii
        return is_searched or bool((apart > reach + CONTACT).all())

    def _would_leave(self, row: int) -> bool:
        """Tell whether a model that moves last, all others at their claimed ends, is too far from each of them wherever it touches a foe.

        Between bodies it is no nearer than between the circles about them, and a model beside a foe lies within its own width of it.
        """
        problem, claimed = self.reachable.problem, self.reachable.start.candidates
        radii, foes = problem.movers.radii, problem.foes.models
        within = np.hypot(*(foes.centres - problem.movers.centres[row]).T) - foes.radii <= radii[row] + self.distance + CONTACT
        others = np.setdiff1d(self.order, [row])
        aside = claimed.at[others][:, None, :] - foes.centres[within][None, :, :]
        apart = np.hypot(aside[..., 0], aside[..., 1]) - radii[others][:, None] - foes.radii[within][None, :]
        return bool((apart - 2 * radii[row] > self.situation.coherency.horizontal + CONTACT).all())

    def _as_claimed(self, reachable: ModelTurn) -> Assignment | None:
        """Find a place in contact that goes with where all others are claimed to end."""
        if len(self.fair) < len(self.ends):
            return None
        candidates = reachable.entries.candidates
        picked = reachable.pick(reachable.row, reachable.entries, keeping(self.reachable.start, reachable.row, candidates))
        return None if picked is None else self.reachable.start.put(reachable.row, candidates, *picked)

    def _first(self, reachable: ModelTurn, plans: Iterable[Assignment | None], budget: Budget) -> Debt:
        """Give where the first plan there is has the model in contact."""
        for work, assignment in enumerate(plans):
            if assignment is not None and assignment.candidates.touching[reachable.row]:
                return self._owed(reachable, assignment)
            if budget.is_spent(work):
                break
        return Debt(None, "best_found" if can_be_joined(reachable) else "exact")

    def _owed(self, reachable: ModelTurn, plan: Assignment) -> Debt:
        model = self.reachable.problem.model_at(reachable.row, plan.candidates, reachable.row)
        return Debt(End(model.pose, model.z), "exact", plan)


def spread(candidates: Candidates, lengths: FloatArray, reached: IntArray) -> list[int]:
    """Choose a few of the places reached: the nearest, then always the one farthest from those chosen."""
    chosen = [int(reached[np.argmin(lengths[reached])])]
    while len(chosen) < min(ENTRIES, len(reached)):
        aside = candidates.at[reached][:, None, :] - candidates.at[chosen][None, :, :]
        chosen.append(int(reached[np.argmax(np.hypot(aside[..., 0], aside[..., 1]).min(axis=1))]))
    return list(dict.fromkeys(chosen))
