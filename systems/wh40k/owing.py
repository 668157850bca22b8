"""Which base contacts are owed: those of models that can touch a foe at their turn while those after them complete the charge.

What was claimed nearly shows how: the model goes into contact, and those after it stay where they are claimed to end, or are
placed anew around it, or are pulled along. Where it finds no place, or no links could join its unit, that is known for sure.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.wh40k.conditions import gains, owes_closer
from systems.wh40k.placement.assignment import Layout, keeping
from systems.wh40k.placement.candidates import IntArray, Spots
from systems.wh40k.placement.problem import Arena
from systems.wh40k.placement.reachable import Yard
from systems.wh40k.placement.repair import Turn, can_be_joined, mended
from systems.wh40k.placement.task import End, Task
from systems.wh40k.scene import Scene
from tabletop.budget import Budget
from tabletop.geometry.pose import FloatArray
from tabletop.ruling.finding import Proof
from tabletop.table.crowd import crowd
from tabletop.table.squad import Model
from tabletop.units import CONTACT

MOST_DOUBTS = 2
"""Models of which it stays open whether they owe contact, before it is asked of the rest less thoroughly."""

ENTRIES = 6
"""Places in contact around which those after a model are placed anew, where none goes with where they are claimed to end."""


@dataclass(frozen=True)
class Debt:
    """Where a model could be in base contact at its turn, None if nowhere; `proof` says how sure that is.

    `plan` is a layout of the whole unit in which it is; lengths of moves in it are not measured.
    """

    end: End | None
    proof: Proof
    plan: Layout | None = None


@dataclass(frozen=True, eq=False)
class Owing:
    """A claimed move: the scene, the charge distance in inches, and the models where they are claimed to end, in order of moving."""

    scene: Scene
    distance: float
    ends: tuple[Model, ...]

    @cached_property
    def yard(self) -> Yard:
        """The yard of all turns; its start is the whole claim."""
        claimed = {model.number: End(model.pose, model.z) for model in self.ends}
        return Yard(Arena(Task(self.scene, self.distance, placed=claimed)))

    @cached_property
    def rows(self) -> Mapping[int, int]:
        """The row of each model in the yard by its number."""
        return {model.number: row for row, model in enumerate(self.yard.arena.movers.models)}

    @cached_property
    def order(self) -> IntArray:
        """The rows of the models in the order of moving."""
        return np.array([self.rows[model.number] for model in self.ends], dtype=np.intp)

    @cached_property
    def fair(self) -> IntArray:
        """The rows of the models that end closer to a target, or need not."""
        gained = gains(self.scene, crowd(self.ends)).tolist()
        kept = [gain > CONTACT or not owes_closer(self.scene, model) for model, gain in zip(self.ends, gained, strict=True)]
        return self.order[kept]

    def contact(self, turn: int, *, budget: Budget, is_quick: bool = False) -> Debt:
        """Find where the model that moves after `turn` others could be in base contact, so that the unit still completes its charge.

        If it is to be quick, few places are tried, and all models after it are not pulled along.
        """
        yard = Turn(self.yard.arena, self.yard, self.order[:turn], int(self.order[turn]))
        claimed = self._as_claimed(yard)
        if claimed is not None:
            return self._owed(yard, claimed)
        lengths = yard.costs(yard.row, yard.entries.spots)
        reached = np.flatnonzero(np.isfinite(lengths))
        if not len(reached) or len(self.ends) == 1:
            return Debt(None, "exact" if self._is_sure(yard.row) else "best_found")
        starts = [yard.entered(entry, float(lengths[entry])) for entry in spread(yard.entries.spots, lengths, reached)]
        plans = mended(yard, starts, later=np.setdiff1d(self.fair, yard.fixed), is_quick=is_quick)
        return self._first(yard, plans, budget)

    def _is_sure(self, row: int) -> bool:
        """Tell whether a model that finds no place in contact has none.

        Bases that are not round may turn farther than is looked at, and the shortest way over a top may end where nobody looks,
        unless all foes are out of reach anyway.
        """
        arena = self.yard.arena
        is_searched = arena.is_round and not (self.scene.is_flyer and self.scene.climbed)
        foes, reach = arena.foes.models, float(arena.movers.radii[row]) + self.distance
        apart = np.hypot(*(foes.centres - arena.movers.centres[row]).T) - foes.radii
        return is_searched or bool((apart > reach + CONTACT).all())

    def _as_claimed(self, yard: Turn) -> Layout | None:
        """Find a place in contact that goes with where all others are claimed to end."""
        if len(self.fair) < len(self.ends):
            return None
        spots = yard.entries.spots
        picked = yard.pick(yard.row, yard.entries, keeping(self.yard.start, yard.row, spots))
        return None if picked is None else self.yard.start.put(yard.row, spots, *picked)

    def _first(self, yard: Turn, plans: Iterable[Layout | None], budget: Budget) -> Debt:
        """Give where the first plan there is has the model in contact."""
        for work, layout in enumerate(plans):
            if layout is not None and layout.spots.touching[yard.row]:
                return self._owed(yard, layout)
            if budget.is_spent(work):
                break
        return Debt(None, "best_found" if can_be_joined(yard) else "exact")

    def _owed(self, yard: Turn, plan: Layout) -> Debt:
        model = self.yard.arena.model_at(yard.row, plan.spots, yard.row)
        return Debt(End(model.pose, model.z), "exact", plan)


def spread(spots: Spots, lengths: FloatArray, reached: IntArray) -> list[int]:
    """Choose a few of the places reached: the nearest, then always the one farthest from those chosen."""
    chosen = [int(reached[np.argmin(lengths[reached])])]
    while len(chosen) < min(ENTRIES, len(reached)):
        aside = spots.at[reached][:, None, :] - spots.at[chosen][None, :, :]
        chosen.append(int(reached[np.argmax(np.hypot(aside[..., 0], aside[..., 1]).min(axis=1))]))
    return list(dict.fromkeys(chosen))
