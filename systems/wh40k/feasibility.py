"""Which charge distance does what: the charge as a problem of placement, and its nested questions.

`problem_of` states the ends of a charging unit's models for `tabletop.placement`; each of the questions (`LEVELS`) is answered once
(`Prospects`), and of a charge that is rolled for (`Attempt`) also after Overwatch.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Literal

import numpy as np

from systems.wh40k.conditions import coherency_of, engagement_of, stands_by_centre
from systems.wh40k.declare import Declaration
from systems.wh40k.paths import ANY_HINDRANCE, Ways
from systems.wh40k.roll import LEAST, MOST, MOST_NEEDED, Roll, chance_completed, distance_of
from systems.wh40k.scene import Scene, top_of
from tabletop.budget import Budget, Proof, is_explained
from tabletop.errors import NoVerdictError
from tabletop.placement.candidates import Solver
from tabletop.placement.claims import offer
from tabletop.placement.problem import Answer, Condition, End, Least, ModelGroup, Piece, PlacementProblem, Surface
from tabletop.placement.search import LEAST_DISTANCE_TOLERANCE, best, farther, find, is_too_short, least_distance
from tabletop.ruling.charge import Metric
from tabletop.table.models import Formation, Squad, crowd
from tabletop.units import CONTACT, MEANT

Level = Literal["engaged", "grounded", "apart", "coherent", "closer"]
"""How much is asked of the ends: each level asks all that the ones before it ask, and one thing more."""

LEVELS: tuple[Level, ...] = ("engaged", "grounded", "apart", "coherent", "closer")
"""Every target engaged, ends part-way up allowed; no end part-way up; apart from other enemies; coherent; closer to a target."""

CONDITIONS: tuple[Condition, ...] = ("grounded", "apart", "coherent", "closer")

RULE_OF_LEVEL: Mapping[Level, str] = {
    "engaged": "wh40k.possible.engage-all",
    "grounded": "wh40k.terrain.mid-climb",
    "apart": "wh40k.possible.avoid-others",
    "coherent": "wh40k.possible.coherency",
    "closer": "wh40k.move.closer",
}
"""What each question adds to those before it, and so the rule of a charge that fails by it."""

OPEN_DISTANCES = 3
"""Distances at which a search finds neither a plan nor that there is none, before the rest is left open without a search."""


def conditions_of(level: Level) -> frozenset[Condition]:
    """Return the conditions on the ends that a level asks, beside that every target is engaged."""
    return frozenset(CONDITIONS[: LEVELS.index(level)])


def problem_of(scene: Scene) -> PlacementProblem:
    """Return the charge on a scene as a problem of placement."""
    choices, charger = scene.choices, scene.charger

    def paths(reach: float, is_apart: bool) -> Ways:  # noqa: FBT001
        return Ways(scene, reach=reach, hindrances=ANY_HINDRANCE if is_apart else ANY_HINDRANCE - {"zones"})

    return PlacementProblem(
        models=crowd(charger.models),
        own_height=scene.body_height(charger),
        pivots=tuple(scene.pivot_value(model) for model in charger.models),
        targets=tuple(_raised(scene, [target]) for target in scene.targets),
        keep_out=_raised(scene, scene.non_targets),
        bodies=scene.bodies,
        board=scene.state.board,
        solids=tuple(Piece(piece.shape, top_of(piece)) for piece in scene.solids),
        climbed=tuple(Piece(piece.shape, piece.height) for piece in scene.climbed),
        surfaces=(
            Surface(0.0),
            *(Surface(piece.height, piece.shape, stands_by_centre(scene, piece)) for piece in (*scene.blocks, *scene.floors)),
        ),
        free_height=scene.lowest_climb,
        air=scene.air,
        engagement=engagement_of(scene),
        coherency=coherency_of(scene, len(charger.models)),
        clearance=choices.clearance,
        paths=paths,
        farthest=float(MOST_NEEDED),
        all_closer=choices.closer_scope == "all",
        wants_engaged=choices.spare_models == "engage",
    )


def _raised(scene: Scene, units: Iterable[Squad]) -> ModelGroup:
    """Gather the models of units, with the heights that they count for in vertical gaps."""
    models = [(model, scene.body_height(unit)) for unit in units for model in unit.models]
    return ModelGroup(crowd([model for model, _ in models]), np.array([tall for _, tall in models], dtype=float))


class Prospects:
    """What the living models of a scene's charger can do at which distance; nothing is asked before it is needed.

    `claim` is where somebody claims that they end, by number: if that keeps all conditions, every search begins with it.
    """

    def __init__(self, scene: Scene, budget: Budget, claim: Mapping[int, End] | None = None) -> None:
        self.scene = scene
        self.budget = budget
        self._claim = claim
        self._least: dict[Level, Least] = {}
        self._asked: dict[tuple[Level, float], bool | None] = {}
        self._best: dict[float, Answer] = {}

    @cached_property
    def solver(self) -> Solver:
        """The state of the search for places, with all that it worked out so far."""
        return Solver(problem_of(self.scene))

    @cached_property
    def claimed(self) -> float:
        """The longest move of the claimed ends in inches, infinite where nobody claims ends that keep all conditions."""
        return offer(self.solver, self._claim, slack=MEANT) if self._claim else math.inf

    def best(self, distance: float) -> Answer:
        """Give the best plan at a distance in inches, if need be one that moves less far: then it is not known to be the best."""
        if distance not in self._best:
            self._note_claim()
            answer = best(self.solver.at(distance), budget=self.budget)
            self._note("closer", distance, answer)
            self._best[distance] = answer if answer.proof != "best_found" or answer.plan is not None else self._shorter(distance, answer)
        return self._best[distance]

    def _shorter(self, distance: float, answer: Answer) -> Answer:
        """Look for a plan at shorter distances that are known to do, the longest first; give the answer there is if that finds none."""
        for shorter in self._doing(distance) if self.verdict(distance) else ():
            found = best(self.solver.at(shorter), budget=self.budget)
            if found.plan is not None:
                plan = farther(found.plan, self.solver.at(distance))
                return replace(found, plan=plan, proof=plan.proof)
        return answer

    def _doing(self, distance: float) -> list[float]:
        known = [asked for (level, asked), verdict in self._asked.items() if level == "closer" and verdict]
        return sorted((one for one in (*known, self.least().distance + CONTACT) if one < distance), reverse=True)

    def least(self, level: Level = "closer") -> Least:
        """Give the least distance at which a question is answered yes; for nobody there is none."""
        if not self.scene.charger.models:
            return Least(math.inf, math.inf, "exact")
        if level not in self._least:
            solver = self.solver.at(math.inf, conditions_of(level))
            self._note_claim()
            self._least[level] = least_distance(solver, budget=self.budget, enough=self.enough(level))
            self._refuse_contradiction(self._least[level].bound)
        return self._least[level]

    def enough(self, level: Level = "closer") -> float:
        """Give the least distance that is known to do, without a search: what serves a question serves those before it."""
        asked = LEVELS.index(level)
        known = [distance for (other, distance), verdict in self._asked.items() if verdict and LEVELS.index(other) >= asked]
        found = [least.distance for other, least in self._least.items() if LEVELS.index(other) >= asked]
        return min((*known, *found), default=math.inf)

    def verdict(self, distance: float, level: Level = "closer") -> bool | None:
        """Tell whether a question is answered yes at a distance in inches; None if the search ended before that was known."""
        if not self.scene.charger.models:
            return False
        if self._asked.get((level, distance)) is None:
            self._asked[level, distance] = self._known(distance, level, is_asked=(level, distance) in self._asked)
        return self._asked[level, distance]

    def _known(self, distance: float, level: Level, *, is_asked: bool) -> bool | None:
        """Tell what other answers say of a question that was asked in vain, or ask it."""
        asked = LEVELS.index(level)
        too_short = (least for (other, least), verdict in self._asked.items() if verdict is False and LEVELS.index(other) <= asked)
        if distance <= max(too_short, default=-math.inf):
            return False
        if not is_asked:
            return self._verdict(distance, level)
        return True if distance >= min(self.enough(level), self._longest) else None

    @property
    def _longest(self) -> float:
        """The longest move in inches of a plan that was found to be best at some distance, the shortest of those; infinite without any."""
        plans = (answer.plan for answer in self._best.values() if answer.plan is not None)
        return min((max(plan.lengths.values()) for plan in plans), default=math.inf)

    def _verdict(self, distance: float, level: Level) -> bool | None:
        if distance >= self.enough(level) or distance >= self.least(level).distance - CONTACT:
            return True
        if distance < self.least(level).bound - LEAST_DISTANCE_TOLERANCE:
            return False
        if not self._is_hopeless(level):
            self._note(level, distance, find(self.solver.at(distance, conditions_of(level)), budget=self.budget))
        verdict = self._asked.get((level, distance))
        return True if verdict is None and distance > 1.0 and self.verdict(distance - 1.0, level) else verdict

    def _is_hopeless(self, level: Level) -> bool:
        """Tell whether another search for a question is not worth its time: there is none left, or others led nowhere."""
        doubts = sum(verdict is None for (other, _), verdict in self._asked.items() if other == level)
        return self.budget.is_spent(0) or doubts >= OPEN_DISTANCES

    def _note(self, level: Level, distance: float, answer: Answer) -> None:
        """Keep what an answer says about a question, if it is sure."""
        if answer.plan is not None or answer.proof != "best_found":
            self._asked[level, distance] = answer.plan is not None
            self._refuse_contradiction(0.0 if answer.plan else distance)

    def _note_claim(self) -> None:
        """Keep that a claimed plan does at its longest move."""
        if math.isfinite(self.claimed):
            self._asked["closer", self.claimed] = True

    def _refuse_contradiction(self, bound: float) -> None:
        """Let no bound below which there should be no plan stand beside a claim that is one: one of the two is a fault of ours.

        Raises
        ------
        RuntimeError
            If the claimed plan moves less far.
        """
        if bound > self.claimed + LEAST_DISTANCE_TOLERANCE:
            name = self.scene.charger.name
            raise RuntimeError(f"{name}: below {bound:.4f} in no move is legal, it was proved, but one of {self.claimed:.4f} in is claimed")

    def is_enough(self, distance: float, level: Level = "closer") -> bool:
        """Tell whether a question is known to be answered yes at a distance in inches."""
        return self.verdict(distance, level) is True

    def out_of_reach(self, distance: float) -> tuple[Squad, ...]:
        """Give those of several targets with which the unit surely cannot end engaged at a distance in inches, were each the only one."""
        several = self.scene.targets if len(self.scene.targets) > 1 and is_explained() else ()
        alone = (Solver(problem_of(replace(self.scene, targets=(target,)))) for target in several)
        too_far = [is_too_short(one.at(distance, conditions_of("engaged"))) for one in alone]
        return tuple(target for target, is_far in zip(several, too_far, strict=True) if is_far)

    def is_possible(self, distance: float) -> bool:
        """Tell whether the charge can be completed at a distance in inches.

        Raises
        ------
        NoVerdictError
            If the search ended before that was known.
        """
        verdict = self.verdict(distance)
        if verdict is None:
            message = "the search ended at {limit}: it found no way to complete {name}'s charge at {distance:g} in, and no proof of none"
            raise NoVerdictError(message, limit=self.budget.limit, name=self.scene.charger.name, distance=distance)
        return verdict

    def first_missing(self, distance: float) -> Level | None:
        """Give the first question that is known to be answered no at a distance in inches."""
        return next((level for level in LEVELS if self.verdict(distance, level) is False), None)

    @property
    def needed_between(self) -> tuple[int | None, int | None]:
        """The smallest whole distance that may make the charge possible, and that is known to, up to 24 inches; None: none is."""
        first = max(1, math.ceil(min(self.least().bound, MOST_NEEDED + 1.0) - LEAST_DISTANCE_TOLERANCE))
        enough = next((total for total in range(first, MOST_NEEDED + 1) if self.is_enough(total)), None)
        last = MOST_NEEDED if enough is None else enough
        return next((total for total in range(first, last + 1) if self.verdict(total) is not False), None), enough

    @property
    def needed(self) -> int | None:
        """The smallest whole distance that makes the charge possible; None where none does, or it is not proved which."""
        least, enough = self.needed_between
        return enough if least == enough else None

    @property
    def needed_distance(self) -> float | None:
        """The least distance in inches that makes the charge possible, where it is known to a thousandth; None where none does."""
        low, high = self._needed_between
        return high if math.isfinite(high) and high - low <= LEAST_DISTANCE_TOLERANCE else None

    @property
    def needed_distance_range(self) -> tuple[float, float] | None:
        """Distances in inches between which the least is that makes the charge possible, where it is not known to a thousandth."""
        low, high = self._needed_between
        return (low, high) if math.isfinite(high) and high - low > LEAST_DISTANCE_TOLERANCE else None

    @property
    def _needed_between(self) -> tuple[float, float]:
        """A distance in inches below which the charge is impossible, and one at which it is possible, infinite if none is known."""
        bound = self.least().bound
        too_short = [distance for (_, distance), verdict in self._asked.items() if verdict is False]
        return float(max(bound, *too_short, 0.0)), float(min(self.enough(), self._longest))

    @property
    def needed_metrics(self) -> dict[str, Metric]:
        """What is known of the least distance that makes the charge possible: whole, and to a thousandth or between which two it is."""
        needed, least, between = self.needed, self.needed_distance, self.needed_distance_range
        if self.needed_between[1] is None:
            return {}
        return {
            **({} if needed is None else {"needed": needed}),
            **({} if least is None else {"needed_distance": least}),
            **({} if between is None else {"needed_distance_range": list(between)}),
        }

    @property
    def proof(self) -> Proof:
        """How sure all the answers given so far are: those about distances that were asked for, and the whole ones needed."""
        if None in self._asked.values():
            return "best_found"
        is_exact = all(least.proof == "exact" for least in self._least.values())
        return "exact" if is_exact else "tolerance"


@dataclass(frozen=True, eq=False)
class Attempt:
    """A charge that may be declared, with its rolls; `survivors` are the prospects of those left after Overwatch, where it was fired.

    `known` is where its models may end as somebody says.
    """

    declaration: Declaration
    rolls: tuple[Roll, ...]
    prospects: Prospects
    survivors: Prospects | None = None
    known: Formation | None = None

    @property
    def distance(self) -> int:
        """The charge distance in inches."""
        return self.rolls[-1].distance

    @property
    def name(self) -> str:
        """The charger's name."""
        return self.declaration.charge.charger

    @property
    def is_possible(self) -> bool:
        """Whether a move completes the charge, casualties left aside; raises as `Prospects.is_possible` does."""
        has_plan = self.survivors is None and self.prospects.best(self.distance).plan is not None
        return has_plan or self.prospects.is_possible(self.distance)

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest that the chance of the charge being completed may be, over all dice."""
        before, after = self._totals(self.prospects), self._totals(self.survivors or self.prospects)
        pairs = product(before, after) if self.survivors is not None else zip(before, before, strict=True)
        chances = [chance_completed(self.declaration.charge, first, both) for first, both in pairs]
        return min(chances), max(chances)

    @property
    def shortest_rolls(self) -> tuple[int | None, int | None]:
        """The least charge distance that dice can give and that may complete the charge, and that is known to; None: none does."""
        spans = [self._totals(prospects) for prospects in (self.prospects, self.survivors) if prospects is not None]
        ends = max(span[0] for span in spans), max(span[-1] for span in spans)
        least, greatest = (None if total > MOST else distance_of(total, self.prospects.scene.distance_bonus) for total in ends)
        return least, greatest

    def _totals(self, prospects: Prospects) -> range:
        """Give the totals of the dice each of which may be the least that is enough; beyond the most: none is."""
        bonus = prospects.scene.distance_bonus
        ends = [MOST + 1 if needed is None else min(max(LEAST, needed - bonus), MOST + 1) for needed in prospects.needed_between]
        return range(ends[0], ends[1] + 1)
