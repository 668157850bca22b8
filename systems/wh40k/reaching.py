"""Whether a model could get to the place that is claimed for it and may stand there, and if not, which rule alone prevents it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from systems.wh40k.conditions import body_gaps, start_of
from systems.wh40k.measures import clear_finding, closest_call
from systems.wh40k.scene import Scene
from systems.wh40k.standing import standing_faults
from systems.wh40k.ways import ANY_HINDRANCE, ModelWay, Ways, judged_zone
from tabletop.ruling.evidence import Breach
from tabletop.ruling.finding import Finding
from tabletop.ruling.proposal import HAND, MEANT
from tabletop.table.crowd import crowd
from tabletop.table.squad import Model
from tabletop.units import CONTACT

RULE_OF_HINDRANCE = {
    "zones": "wh40k.possible.avoid-others",
    "enemies": "wh40k.path.enemies",
    "vehicles": "wh40k.path.vehicles",
    "impassable": "wh40k.terrain.through",
}
WHAT = {
    "zones": "the engagement range of units that are no targets",
    "enemies": "enemy models",
    "vehicles": "friendly Monsters or Vehicles",
    "impassable": "impassable terrain",
}


@dataclass(frozen=True)
class Reaching:
    """What the models of a scene's charger can reach within a charge distance, in inches, which a hand may miss by `hand`."""

    scene: Scene
    distance: float
    hand: float = 0.0

    @property
    def most(self) -> float:
        """How far a model may have moved as a hand puts it down, in inches."""
        return self.distance + self.hand

    def findings(self, ends: Sequence[Model]) -> list[Finding]:
        """Say of models, in the order of moving, whether they reach their ends, stand there, and are clear of all others."""
        found = [finding for model in ends for finding in self._of(model)]
        clear = clear_finding(self.scene, crowd(ends), hand=HAND)
        broken = [finding for finding in found if not finding.ok]
        limits = closest_call([finding for finding in found if finding.rule == "wh40k.roll.limit"])
        return [*(broken or limits), *(() if clear is None else (clear,))]

    def _of(self, model: Model) -> Iterator[Finding]:
        start = start_of(self.scene, model)
        if model.stands_like(start):
            return
        faults = standing_faults(self.scene, model, slack=MEANT)
        own = {self.scene.charger.name: (model.number,)}
        yield from (replace(fault, breach=replace(fault.breach or Breach(), models=own)) for fault in faults)
        if not faults and float(body_gaps(crowd([model]), self.scene.bodies).min(initial=np.inf)) >= -MEANT:
            found = self._limit(start, model)
            yield found if found.ok else replace(found, breach=Breach(models=own))

    def _limit(self, start: Model, model: Model) -> Finding:
        """wh40k.roll.limit, or the rule that alone makes the way too long."""
        length = self._ways.length(start, model)
        if length <= self.most + CONTACT:
            text = f"Model {model.number} moves {length:.4f} in of {self.distance:g} in."
            return Finding("wh40k.roll.limit", True, text, length, self.most, self.most - length)  # noqa: FBT003
        for hindrance, rule in RULE_OF_HINDRANCE.items():
            if self._without(hindrance).length(start, model) <= self.most + CONTACT:
                text = f"Model {model.number} has no way of at most {self.distance:g} in that keeps clear of {WHAT[hindrance]}."
                return Finding(rule, ok=False, text=text)
        text = f"Model {model.number} would have to move farther than {self.distance:g} in"
        length = Ways(self.scene, zone=judged_zone(self.scene)).length(start, model)
        if math.isinf(length):
            return Finding("wh40k.roll.limit", ok=False, text=f"{text}.")
        return Finding("wh40k.roll.limit", False, f"{text}: {length:.4f} in.", length, self.most, self.most - length)  # noqa: FBT003

    def way(self, model: Model) -> ModelWay:
        """Give the way of a model to its end: the shortest, also where it is too long; straight where there is none at all."""
        start = start_of(self.scene, model)
        for ways in (self._ways, Ways(self.scene, zone=judged_zone(self.scene))):
            if math.isfinite(ways.length(start, model)):
                return ways.way(start, model)
        return ModelWay(((*start.pose.at, start.z), (*model.pose.at, model.z)), math.inf)

    @cached_property
    def _ways(self) -> Ways:
        return Ways(self.scene, reach=self.most, zone=judged_zone(self.scene))

    def _without(self, hindrance: str) -> Ways:
        return Ways(self.scene, reach=self.most, zone=judged_zone(self.scene), hindrances=ANY_HINDRANCE - {hindrance})
