"""Why models end a charge without base contact: out of reach, no way, no room, or a condition that they would break there."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from systems.wh40k.conditions import Ends
from systems.wh40k.declare import shown_inches
from tabletop.geometry.arrays import BoolArray
from tabletop.messages import listed, say
from tabletop.placement.candidates import Solver
from tabletop.placement.mandatory_contact import ModelTurn
from tabletop.placement.partial_plan import completing
from tabletop.placement.problem import ALL, Candidates, End
from tabletop.table.models import from_one
from tabletop.units import CONTACT

NO_WAY, NO_ROOM = "no way", "no room"

APART = say("lie within engagement range of units that are not targets")
ENGAGE = say("leave a target out of engagement range")
COHERENCY = say("break the unit's coherency")


@dataclass(frozen=True, eq=False)
class SparedModels:
    """The models of a completed charge that end without base contact, and what keeps each from it, given where the others end.

    `solver` is one of the charge's problem. Nothing is told of a model where a place in contact might do, or where not all places are
    examined: bases that are not round may turn, and a flight over terrain may end anywhere.
    """

    solver: Solver
    ends: Ends

    @property
    def text(self) -> str:
        """Sentences on what keeps which models from contact; empty if nothing is proved."""
        far = list[str]()
        kept = dict[str, list[str]]()
        distance = self.ends.distance
        for row in np.flatnonzero(~self.ends.touching).tolist():
            number = str(from_one(self.ends.models[row].number))
            if (needed := self.needed(row)) is not None:
                length, is_sure = needed
                parts = {"number": number, "length": shown_inches(length)}
                far.append(say("model {number} needs {length}" if is_sure else "model {number} needs at least {length}", **parts))
            elif (what := self.kept_from(row)) is not None:
                kept.setdefault(what, []).append(number)
        text = say(" Out of reach with {distance:g} in: {models}.", distance=distance, models=listed(far, ", ")) if far else ""
        for what, numbers in kept.items():
            models = say("models {numbers}", numbers=listed(numbers, ", ")) if numbers[1:] else say("model {number}", number=numbers[0])
            told = say(" Base contact of {models} would {what}.", models=models, what=what)
            if what == NO_WAY:
                told = say(" No way of at most {distance:g} in leads {models} into base contact.", distance=distance, models=models)
            elif what == NO_ROOM:
                told = say(" Beside the others no room is left in base contact for {models}.", models=models)
            text = text + told
        return text

    @cached_property
    def _free(self) -> Solver:
        """The solver with all models where they end, and no regard to units that are not targets."""
        ends = {model.number: End(model.pose, model.z) for model in self.ends.models}
        return self.solver.at(self.ends.distance, ALL - {"apart"}).with_fixed(ends)

    @cached_property
    def _strict(self) -> Solver:
        return self.solver.at(self.ends.distance).with_fixed(self._free.fixed)

    @property
    def _is_searched(self) -> bool:
        problem = self.solver.problem
        return self._free.legality.is_round and not (problem.flies and problem.climbed)

    def needed(self, row: int) -> tuple[float, bool] | None:
        """Return for a model that is out of reach of contact, with nobody of its unit in the way, the length that its move would need.

        The length is in inches; the other value is False where it is a lower bound. None if the model is not known to be out of reach.
        """
        problem, distance = self.solver.problem, self.ends.distance
        apart = min(float(self.ends.starts.to(target).across[row].min()) for target in self.ends.scene.targets)
        is_far = apart > distance + CONTACT
        if not is_far and (not self._is_searched or math.isfinite(_nearest(self._free, row))):
            return None
        if self._is_searched and problem.is_level:
            shortest = _nearest(self.solver.at(problem.farthest, ALL - {"apart"}), row)
            if math.isfinite(shortest):
                return shortest, True
        return (apart, False) if is_far else None

    def kept_from(self, row: int) -> str | None:
        """Return what keeps a model that is not out of reach from contact: no way, no room, or what its contact would break."""
        if not self._is_searched:
            return None
        if math.isinf(_nearest(self._free, row)):
            return NO_WAY
        mates = np.setdiff1d(np.arange(len(self.ends.models)), [row])
        places = ModelTurn(self._free, mates, row).entries.candidates
        places = places.of(np.isfinite(self._free.move_costs(row, places)))
        if not len(places):
            return NO_ROOM
        plan = self._free.start
        missing = ~plan.without(row).placed_candidates.engaged.any(axis=0)
        kept = {
            ENGAGE: places.engaged[:, missing].all(axis=1),
            APART: self._are_apart(row, places),
            COHERENCY: completing(plan, row, replace(places, engaged=np.ones_like(places.engaged))),
        }
        if np.all(list(kept.values()), axis=0).any():
            return None
        # one that bars all places is enough
        alone = [what for what, is_kept in kept.items() if not is_kept.any()]
        return listed(alone[:1] or [what for what, is_kept in kept.items() if not is_kept.all()], " or ")

    def _are_apart(self, row: int, places: Candidates) -> BoolArray:
        """Return (k,) at which places a model is out of range of units that are not targets, and reached by a way that is."""
        kind = self._strict.legality.kinds[self._strict.legality.kind_numbers[row]]
        is_clear = self._strict.legality.keep_clear(kind, places.at, places.z)
        return np.asarray(is_clear & np.isfinite(self._strict.move_costs(row, places)))


def _nearest(solver: Solver, row: int) -> float:
    """Return the length in inches of a model's shortest way into contact; infinite if there is none within the solver's limit."""
    return solver.shortest(row, solver.options[row].candidates.touching)
