"""How far a charging unit's models must be able to move: the nested questions, each answered once for all distances."""

import math
from collections.abc import Mapping

from systems.wh40k.placing import find, least_distance
from systems.wh40k.questions import LEVELS, Least, Level, Task
from systems.wh40k.rolling import MOST_NEEDED
from systems.wh40k.scene import Scene
from tabletop.ruling import Proof
from tabletop.solve.budget import Budget
from tabletop.units import CONTACT

RULE_OF_LEVEL: Mapping[Level, str] = {
    "engaged": "wh40k.possible.engage-all",
    "grounded": "wh40k.terrain.mid-climb",
    "apart": "wh40k.possible.avoid-others",
    "coherent": "wh40k.possible.coherency",
    "closer": "wh40k.move.closer",
}
"""What each question adds to those before it, and so the rule of a charge that fails by it."""

GRAIN = 1e-3
"""Inches. How exactly least distances are told; nearer to one than this a distance is asked about itself."""

PROOFS: tuple[Proof, ...] = ("exact", "tolerance", "best_found")


class Prospects:
    """What the living models of a scene's charger can do at which distance; nothing is asked before it is needed."""

    def __init__(self, scene: Scene, budget: Budget) -> None:
        self.scene = scene
        self.budget = budget
        self._least: dict[Level, Least] = {}
        self._asked: dict[tuple[Level, float], bool] = {}

    def least(self, level: Level = "closer") -> Least:
        """Give the least distance at which a question is answered yes; for nobody there is none."""
        if not self.scene.charger.models:
            return Least(math.inf, math.inf, "exact")
        if level not in self._least:
            task = Task(self.scene, math.inf, level)
            self._least[level] = least_distance(task, budget=self.budget)
        return self._least[level]

    def is_enough(self, distance: float, level: Level = "closer") -> bool:
        """Tell whether a question is answered yes at a distance in inches; what suffices at an inch less does so too."""
        least = self.least(level)
        if distance >= least.distance - CONTACT:
            return True
        if distance < least.bound - GRAIN:
            return False
        if (level, distance) not in self._asked:
            found = find(Task(self.scene, distance, level), budget=self.budget)
            self._asked[level, distance] = found.plan is not None or (distance > 1.0 and self.is_enough(distance - 1.0, level))
        return self._asked[level, distance]

    def shorter(self, distance: float) -> list[float]:
        """Give shorter distances at which the charge is possible, the longest first, for a search that finds nothing at this one."""
        known = [asked for (level, asked), is_enough in self._asked.items() if level == "closer" and is_enough]
        return sorted((one for one in (*known, self.least().distance + CONTACT) if one < distance), reverse=True)

    def first_missing(self, distance: float) -> Level | None:
        """Give the first question that is answered no at a distance in inches."""
        if self.is_enough(distance):
            return None
        return next((level for level in LEVELS if not self.is_enough(distance, level)), None)

    @property
    def needed(self) -> int | None:
        """The smallest whole distance that makes the charge possible, up to 24 inches."""
        least = self.least()
        first = max(1, math.ceil(min(least.bound, MOST_NEEDED + 1.0) - GRAIN))
        return next((total for total in range(first, MOST_NEEDED + 1) if self.is_enough(total)), None)

    @property
    def proof(self) -> Proof:
        """How sure all the answers given so far are."""
        return weakest(*(least.proof for least in self._least.values()))


def weakest(*proofs: Proof) -> Proof:
    """Give the least sure of several proofs."""
    return max(proofs, key=PROOFS.index, default="exact")
