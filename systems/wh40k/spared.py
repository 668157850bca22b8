"""Why models end a charge without base contact: out of reach, no way, no room, or a condition that they would break
there.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from systems.wh40k.conditions import Ends
from systems.wh40k.declare import shown_inches
from tabletop.messages import listed, say
from tabletop.placement.candidates import Solver
from tabletop.placement.mandatory_contact import ModelTurn
from tabletop.placement.partial_plan import completing
from tabletop.placement.problem import ALL, End
from tabletop.table.models import from_one
from tabletop.units import CONTACT

NO_WAY = say("No way that is short enough leads into base contact")
NO_ROOM = say("No room is left in base contact beside the others")

APART = say("lie within engagement range of units that are not targets")
ENGAGE = say("leave a target out of engagement range")
COHERENCY = say("break the unit's coherency")


@dataclass(frozen=True, eq=False)
class SparedModels:
    """The models of a completed charge that end without base contact, and what keeps each from it, given where the
    others end.

    `solver` is one of the charge's problem. Nothing is told of a model where a place in contact might do, or where not
    all places are examined: bases that are not round may turn, and a flight over terrain may end anywhere.
    """

    solver: Solver
    ends: Ends

    @property
    def text(self) -> str:
        """Sentences on what keeps which models from contact; empty if nothing is proved."""
        kept = dict[str, list[str]]()
        for row in np.flatnonzero(~self.ends.touching).tolist():
            needed = self.needed(row)
            model = say("model {number}", number=from_one(self.ends.models[row].number))
            if needed is None:
                what = self.kept_from(row)
            else:
                what = say("Out of reach with {distance:g} in", distance=self.ends.distance)
                parts = {"model": model, "length": shown_inches(needed[0])}
                model = say(
                    "{model} needs {length}" if needed[1] else "{model} needs at least {length}",
                    **parts,
                )
            if what:
                kept.setdefault(what, []).append(model)
        return listed(
            (
                say(" {what}: {models}.", what=what, models=listed(models, ", "))
                for what, models in kept.items()
            ),
            "",
        )

    @cached_property
    def _free(self) -> Solver:
        """The solver with all models where they end, and no regard to units that are not targets."""
        ends = {model.number: End(model.pose, model.z) for model in self.ends.models}
        return self.solver.at(self.ends.distance, ALL - {"apart"}).with_fixed(ends)

    @property
    def _is_searched(self) -> bool:
        problem = self.solver.problem
        return self._free.legality.is_round and not (problem.flies and problem.climbed)

    def needed(self, row: int) -> tuple[float, bool] | None:
        """Return for a model that is out of reach of contact, with nobody of its unit in the way, the length that its
        move would need.

        The length is in inches; the other value is False where it is a lower bound. None if the model is not known to
        be out of reach.
        """
        problem = self.solver.problem
        apart = min(
            float(self.ends.starts.to(target).across[row].min())
            for target in self.ends.scene.targets
        )
        is_far = apart > self.ends.distance + CONTACT
        if is_far or (self._is_searched and math.isinf(_nearest(self._free, row))):
            shortest = _nearest(self.solver.at(problem.farthest, ALL - {"apart"}), row)
            if self._is_searched and problem.is_level and math.isfinite(shortest):
                return shortest, True
        return (apart, False) if is_far else None

    def kept_from(self, row: int) -> str:
        """Return what keeps a model that is not out of reach from contact, in words: no way, no room, or what its
        contact would break.

        Empty if that is not known.
        """
        if not self._is_searched:
            return ""
        if math.isinf(_nearest(self._free, row)):
            return NO_WAY
        mates = np.setdiff1d(np.arange(len(self.ends.models)), [row])
        places = ModelTurn(self._free, mates, row).entries.candidates
        places = places.of(np.isfinite(self._free.move_costs(row, places)))
        if not len(places):
            return NO_ROOM
        plan = self._free.start
        strict = self.solver.at(self.ends.distance).with_fixed(self._free.fixed)
        missing = ~plan.without(row).placed_candidates.engaged.any(axis=0)
        is_clear = strict.legality.keep_clear(
            strict.legality.kinds[places.kind[0]], places.at, places.z
        )
        kept = {
            ENGAGE: places.engaged[:, missing].all(axis=1),
            APART: is_clear & np.isfinite(strict.move_costs(row, places)),
            COHERENCY: completing(plan, row, replace(places, engaged=np.ones_like(places.engaged))),
        }
        if np.all(list(kept.values()), axis=0).any():
            return ""
        # one that bars all places is enough
        alone = [what for what, is_kept in kept.items() if not is_kept.any()]
        rest = [what for what, is_kept in kept.items() if not is_kept.all()]
        return say("Base contact would {what}", what=listed(alone[:1] or rest, " or "))


def _nearest(solver: Solver, row: int) -> float:
    """Return the length in inches of a model's shortest way into contact; infinite if there is none within the solver's
    limit.
    """
    return solver.shortest(row, solver.options[row].candidates.touching)
