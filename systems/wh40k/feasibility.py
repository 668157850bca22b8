"""What a charging unit can achieve at which charge distance: the charge as a placement problem, and its nested
requirements.

`problem_of` states the ends of a charging unit's models for `tabletop.placement`; each of the requirements
(`REQUIREMENTS`) is answered once (`ChargeFeasibility`), and for a charge with a roll (`RolledCharge`) also after losses
to Overwatch.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Literal

import numpy as np

from systems.wh40k.conditions import coherency_of, engagement_of, objective_of, stands_by_centre
from systems.wh40k.declare import Declaration
from systems.wh40k.move import ChargeMove
from systems.wh40k.paths import ANY_HINDRANCE, Paths, paths_of
from systems.wh40k.roll import (
    LEAST,
    MOST,
    MOST_NEEDED,
    Roll,
    chance_completed,
    declarations_of,
    distance_of,
    plain_chances,
)
from systems.wh40k.scene import Scene, scene_of, top_of
from tabletop.budget import Budget, Proof, explains
from tabletop.errors import NoVerdictError
from tabletop.placement.candidates import Solver
from tabletop.placement.problem import (
    Answer,
    Condition,
    End,
    Least,
    ModelGroup,
    Piece,
    PlacementProblem,
    Surface,
)
from tabletop.placement.search import (
    LEAST_DISTANCE_TOLERANCE,
    best,
    find,
    is_too_short,
    least_distance,
    offer,
)
from tabletop.ruling.charge import Metric, OddsOutcome
from tabletop.ruling.odds import Ending, added
from tabletop.table.models import Formation, Squad, crowd
from tabletop.table.state import State
from tabletop.units import CONTACT, MEANT

Requirement = Literal["engaged", "grounded", "apart", "coherent", "closer"]
"""A set of conditions on the ends: each requirement includes those before it and adds one."""

REQUIREMENTS: tuple[Requirement, ...] = ("engaged", "grounded", "apart", "coherent", "closer")
"""Every target engaged, ends part-way up allowed; no end part-way up; apart from other enemies; coherent; closer to a
target."""

CONDITION_NAMES: tuple[Condition, ...] = ("grounded", "apart", "coherent", "closer")

RULE_OF_REQUIREMENT: Mapping[Requirement, str] = {
    "engaged": "wh40k.possible.engage-all",
    "grounded": "wh40k.terrain.mid-climb",
    "apart": "wh40k.possible.avoid-others",
    "coherent": "wh40k.possible.coherency",
    "closer": "wh40k.move.closer",
}
"""The rule of what each requirement adds, by which a charge fails that does not meet it."""

ComesTo = tuple[OddsOutcome, str | None]
"""The outcome of a charge, and the rule by which it fails, if known."""

OPEN_DISTANCES = 2
"""Number of distances without result after which the remaining ones are left open without a search."""


def conditions_of(requirement: Requirement) -> frozenset[Condition]:
    """Return the conditions that a requirement puts on the ends, besides engaging every target."""
    return frozenset(CONDITION_NAMES[: REQUIREMENTS.index(requirement)])


def problem_of(scene: Scene) -> PlacementProblem:
    """Return the charge of a scene as a placement problem, with terrain, other models, ranges and paths."""
    choices = scene.choices
    charger = scene.charger

    def paths(reach: float, is_apart: bool) -> Paths:  # noqa: FBT001
        """Return the paths of at most `reach` inches, hindered by the ranges of other enemy units only if
        `is_apart`.
        """
        hindrances = ANY_HINDRANCE if is_apart else ANY_HINDRANCE - {"zones"}
        return paths_of(scene, reach, hindrances=hindrances)

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
            *(
                Surface(piece.height, piece.shape, stands_by_centre(scene, piece))
                for piece in (*scene.blocks, *scene.floors)
            ),
        ),
        free_height=scene.lowest_climb,
        air=scene.air,
        engagement=engagement_of(scene),
        coherency=coherency_of(scene, len(charger.models)),
        clearance=choices.clearance,
        paths=paths,
        farthest=float(MOST_NEEDED),
        all_closer=choices.closer_scope == "all",
        objective=objective_of(scene),
    )


def _raised(scene: Scene, units: Iterable[Squad]) -> ModelGroup:
    """Return all models of some units as one group, with the heights in inches that count for vertical gaps."""
    models = [(model, scene.body_height(unit)) for unit in units for model in unit.models]
    return ModelGroup(
        crowd([model for model, _ in models]), np.array([tall for _, tall in models], dtype=float)
    )


class ChargeFeasibility:
    """What the living models of a charger can achieve at which charge distance; each answer is computed on demand and
    kept.

    `claim` gives ends by model number that a proposal claims: if they satisfy all conditions, every search starts from
    them.
    """

    def __init__(
        self, scene: Scene, budget: Budget, claim: Mapping[int, End] | None = None
    ) -> None:
        self.scene = scene
        self.budget = budget
        self._claim = claim
        self.claimed = math.inf
        self._least: dict[Requirement, Least] = {}
        self._asked: dict[tuple[Requirement, float], bool | None] = {}
        self._best: dict[float, Answer] = {}

    @cached_property
    def solver(self) -> Solver:
        """The state of the search for plans, started from the claimed ends if these are a valid plan."""
        solver = Solver(problem_of(self.scene))
        self.claimed = offer(solver, self._claim, slack=MEANT) if self._claim else math.inf
        return solver

    def best(self, distance: float) -> Answer:
        """Return the best plan at a charge distance in inches, with the strength of its proof."""
        if distance not in self._best:
            answer = best(self.solver.at(distance), budget=self.budget)
            # found on the way
            if (
                answer.plan is None
                and answer.proof == "best_found"
                and self.is_possible_at(distance)
            ):
                answer = best(self.solver.at(distance), budget=self.budget)
            self._note("closer", distance, answer)
            self._best[distance] = answer
        return self._best[distance]

    def least(self, requirement: Requirement = "closer") -> Least:
        """Return the least charge distance that meets a requirement, and its lower bound, in inches; both inf without
        models.
        """
        if not self.scene.charger.models:
            return Least(math.inf, math.inf, "exact")
        if requirement not in self._least:
            solver = self.solver.at(math.inf, conditions_of(requirement))
            self._least[requirement] = least_distance(solver, budget=self.budget)
            self._refuse_contradiction(self._least[requirement].bound)
        return self._least[requirement]

    def known_sufficient(self, requirement: Requirement = "closer") -> float:
        """Return the least charge distance in inches known so far to meet a requirement, without a search; inf if none
        is known.
        """
        found = [
            least.distance
            for other, least in self._least.items()
            if REQUIREMENTS.index(other) >= REQUIREMENTS.index(requirement)
        ]
        return min((self.solver.at(math.inf, conditions_of(requirement)).known_distance, *found))

    def is_possible_at(self, distance: float, requirement: Requirement = "closer") -> bool | None:
        """Return whether a requirement can be met at a charge distance in inches; None if the search ended before that
        was known.
        """
        if not self.scene.charger.models:
            return False
        if self._asked.get((requirement, distance)) is None:
            self._asked[requirement, distance] = self._known(
                distance, requirement, is_asked=(requirement, distance) in self._asked
            )
        return self._asked[requirement, distance]

    def _known(self, distance: float, requirement: Requirement, *, is_asked: bool) -> bool | None:
        """Return whether a requirement can be met at a distance in inches, from earlier answers if possible, else by a
        search.

        If it `is_asked` already, that search had no result and is not repeated: None then means that it remains
        unknown.
        """
        asked = REQUIREMENTS.index(requirement)
        too_short = (
            least
            for (other, least), verdict in self._asked.items()
            if verdict is False and REQUIREMENTS.index(other) <= asked
        )
        if distance <= max(too_short, default=-math.inf):
            return False
        if not is_asked:
            return self._verdict(distance, requirement)
        return True if distance >= self.known_sufficient(requirement) - CONTACT else None

    def _verdict(self, distance: float, requirement: Requirement) -> bool | None:
        if (
            distance
            >= min(self.known_sufficient(requirement), self.least(requirement).distance) - CONTACT
        ):
            return True
        if distance < self.least(requirement).bound - LEAST_DISTANCE_TOLERANCE:
            return False
        if not self._is_hopeless(requirement):
            self._note(
                requirement,
                distance,
                find(self.solver.at(distance, conditions_of(requirement)), budget=self.budget),
            )
        verdict = self._asked.get((requirement, distance))
        return (
            True
            if verdict is None
            and distance > 1.0
            and self.is_possible_at(distance - 1.0, requirement)
            else verdict
        )

    def _is_hopeless(self, requirement: Requirement) -> bool:
        """Return whether another search is pointless: no time is left, or `OPEN_DISTANCES` searches for the requirement
        had no result.
        """
        doubts = sum(
            verdict is None for (other, _), verdict in self._asked.items() if other == requirement
        )
        return self.budget.seconds_left < 0.0 or doubts >= OPEN_DISTANCES

    def _note(self, requirement: Requirement, distance: float, answer: Answer) -> None:
        """Record whether a requirement can be met at a distance in inches, if an answer proves it."""
        if answer.plan is not None or answer.proof != "best_found":
            self._asked[requirement, distance] = answer.plan is not None
            self._refuse_contradiction(0.0 if answer.plan else distance)

    def _refuse_contradiction(self, bound: float) -> None:
        """Raise if a lower bound in inches excludes the valid plan that a proposal claims, since one of the two must be
        a bug.

        Raises
        ------
        RuntimeError
            If the claimed plan needs a smaller charge distance than the bound.
        """
        if bound > self.claimed + LEAST_DISTANCE_TOLERANCE:
            name = self.scene.charger.name
            raise RuntimeError(
                f"{name}: below {bound:.4f} in no move is legal, it was proved, but one of "
                f"{self.claimed:.4f} in is claimed"
            )

    def out_of_reach(self, distance: float) -> tuple[Squad, ...]:
        """Return the targets that the unit provably cannot engage at a charge distance in inches, even if each were the
        only target.

        Empty for a single target, and if no explanations are asked for.
        """
        several = self.scene.targets if len(self.scene.targets) > 1 and explains() else ()
        alone = (Solver(problem_of(replace(self.scene, targets=(target,)))) for target in several)
        too_far = [is_too_short(one.at(distance, conditions_of("engaged"))) for one in alone]
        return tuple(target for target, is_far in zip(several, too_far, strict=True) if is_far)

    def is_possible(self, distance: float) -> bool:
        """Return whether the charge can be completed at a distance in inches.

        Raises
        ------
        NoVerdictError
            If the search ended before that was known.
        """
        verdict = self.is_possible_at(distance)
        if verdict is None:
            message = (
                "the search ended at {limit}: it found no way to complete {name}'s charge with a charge distance of "
                "{distance:g} in, and no proof that there is none"
            )
            raise NoVerdictError(
                message, limit=self.budget.limit, name=self.scene.charger.name, distance=distance
            )
        return verdict

    def first_unmet(self, distance: float) -> Requirement | None:
        """Return the first requirement that is known to be unmet at a charge distance in inches; None if there is
        none.
        """
        return next(
            (
                requirement
                for requirement in REQUIREMENTS
                if self.is_possible_at(distance, requirement) is False
            ),
            None,
        )

    @property
    def needed_between(self) -> tuple[int | None, int | None]:
        """Two whole distances in inches, up to 24: the smallest that may suffice, and the smallest that is known to
        suffice.

        Each is None if there is no such distance; they are equal where the least sufficient distance is proved.
        """
        first = max(
            1, math.ceil(min(self.least().bound, MOST_NEEDED + 1.0) - LEAST_DISTANCE_TOLERANCE)
        )
        enough = next(
            (total for total in range(first, MOST_NEEDED + 1) if self.is_possible_at(total)), None
        )
        last = MOST_NEEDED if enough is None else enough
        return next(
            (total for total in range(first, last + 1) if self.is_possible_at(total) is not False),
            None,
        ), enough

    @property
    def needed(self) -> int | None:
        """The smallest whole charge distance in inches that suffices; None if none does, or if it is not proved
        which.
        """
        least, enough = self.needed_between
        return enough if least == enough else None

    @property
    def needed_distance_range(self) -> tuple[float, float]:
        """Two charge distances in inches: the charge is proved impossible below the first, and possible at the second
        (inf: none known).
        """
        bound = self.least().bound
        too_short = [distance for (_, distance), verdict in self._asked.items() if verdict is False]
        return float(max(bound, *too_short, 0.0)), float(self.known_sufficient())

    @property
    def needed_metrics(self) -> dict[str, Metric]:
        """Metrics of the least distance that suffices: `needed` (whole inches), and `needed_distance` or
        `needed_distance_range`.

        Metrics that are not known are left out.
        """
        if self.needed_between[1] is None:
            return {}
        needed = self.needed
        low, high = self.needed_distance_range
        is_known = high - low <= LEAST_DISTANCE_TOLERANCE
        exact: dict[str, Metric] = (
            {"needed_distance": high} if is_known else {"needed_distance_range": [low, high]}
        )
        return {
            **({} if needed is None else {"needed": needed}),
            **(exact if math.isfinite(high) else {}),
        }

    @property
    def proof(self) -> Proof:
        """The weakest strength of proof of the answers given so far: "exact", "tolerance" or "best_found"."""
        if None in self._asked.values():
            return "best_found"
        is_exact = all(least.proof == "exact" for least in self._least.values())
        return "exact" if is_exact else "tolerance"


@dataclass(frozen=True, eq=False)
class RolledCharge:
    """A declared charge with its rolls, its outcome at each charge distance, and what it came to: the attempt of a
    ruling.

    Attributes
    ----------
    declaration
        The declared charge on its table.
    feasibility
        What the whole unit can achieve.
    survivors
        What the models left after Overwatch can achieve; None if none is lost before the move.
    rolls
        The rolls so far, the one that counts last; empty before the dice are rolled.
    known
        A formation in which the models may end, found elsewhere; None if there is none.
    unmet
        The first requirement that the whole unit does not meet with its roll; None if it meets all, or if it is not
        known.
    move
        The move that completes the charge; None if there is none, or before it is made.
    """

    declaration: Declaration
    feasibility: ChargeFeasibility
    survivors: ChargeFeasibility | None = None
    rolls: tuple[Roll, ...] = ()
    known: Formation | None = None
    unmet: Requirement | None = None
    move: ChargeMove | None = None

    @property
    def table(self) -> State[Squad]:
        """The table before the turn of the charge."""
        return self.declaration.scene.state

    @property
    def moving(self) -> ChargeFeasibility:
        """What the models that move can achieve: the survivors of Overwatch, or the whole unit."""
        return self.survivors or self.feasibility

    def on(self, table: State[Squad], budget: Budget) -> "RolledCharge":
        """Return the same charge with the same rolls on another table, searched within a budget.

        On an equal table it is this one, with all that is found.
        """
        if table == self.table:
            return self
        charge = self.declaration.charge
        before = self.declaration.scene
        scene = scene_of(
            table, charge.charger, charge.targets, choices=before.choices, book=before.book
        )
        there = unrolled(replace(self.declaration, scene=scene), budget, ChargeFeasibility)
        return replace(there, rolls=self.rolls)

    @property
    def distance(self) -> int:
        """The charge distance in inches that was rolled."""
        return self.rolls[-1].distance

    @property
    def name(self) -> str:
        """Name of the charging unit."""
        return self.declaration.charge.charger

    @property
    def is_possible(self) -> bool:
        """Whether some move of the whole unit completes the charge, losses to Overwatch ignored.

        Raises as `ChargeFeasibility.is_possible` does.
        """
        has_plan = self.survivors is None and self.feasibility.best(self.distance).plan is not None
        return has_plan or self.feasibility.is_possible(self.distance)

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """Lower and upper bound of the probability, over all dice, that the charge is completed."""
        before = self._totals(self.feasibility)
        after = self._totals(self.moving)
        pairs = (
            product(before, after)
            if self.survivors is not None
            else zip(before, before, strict=True)
        )
        chances = [chance_completed(self.declaration.charge, first, both) for first, both in pairs]
        return min(chances), max(chances)

    @property
    def shortest_rolls(self) -> tuple[int | None, int | None]:
        """Two charge distances in inches: the smallest that may complete the charge, and the smallest that is known to
        complete it.

        Each is None if no roll of the dice gives such a distance.
        """
        spans = [
            self._totals(feasibility)
            for feasibility in (self.feasibility, self.survivors)
            if feasibility is not None
        ]
        ends = max(span[0] for span in spans), max(span[-1] for span in spans)
        least, greatest = (
            None if total > MOST else distance_of(total, self.feasibility.scene.distance_bonus)
            for total in ends
        )
        return least, greatest

    def _totals(self, feasibility: ChargeFeasibility) -> range:
        """Return the range of dice totals among which the smallest sufficient one lies; one above the greatest total
        stands for none.
        """
        bonus = feasibility.scene.distance_bonus
        ends = [
            MOST + 1 if needed is None else min(max(LEAST, needed - bonus), MOST + 1)
            for needed in feasibility.needed_between
        ]
        return range(ends[0], ends[1] + 1)

    def comes_to(self, distance: int, *, is_possible: bool | None = None) -> ComesTo:
        """Return the outcome at a charge distance in inches, and the rule by which the charge fails (None if it does
        not, or if unknown).

        `is_possible` says whether the whole unit can complete the charge, if known already.
        """
        before = self.feasibility.is_possible_at(distance) if is_possible is None else is_possible
        after = self.survivors is None or self.survivors.is_possible_at(distance)
        if before is False:
            return "failed", RULE_OF_REQUIREMENT[self.feasibility.first_unmet(distance) or "closer"]
        if after is False:
            return "failed", None if before is None else "wh40k.overwatch.retest"
        return ("undecided" if None in (before, after) else "success"), None

    def throws(self) -> Iterator[tuple[tuple[int, ComesTo], Fraction]]:
        """Yield for each throw of the dice ((charge distance, (outcome, rule)), probability), rerolls included.

        Where it is not known whether the first throw suffices, so that it is not known whether the dice are rerolled,
        the outcome is undecided unless both cases have the same outcome.
        """
        single = plain_chances(self.declaration.scene.distance_bonus)
        for first, chance in single.items():
            verdict = self.feasibility.is_possible_at(first)
            if verdict or declarations_of(self.declaration.charge).reroll != "if_failed":
                yield (first, self.comes_to(first)), chance
                continue
            if_kept = None if verdict is False else self.comes_to(first, is_possible=True)[0]
            for again, share in single.items():
                end = self.comes_to(again)
                is_open = if_kept not in (None, end[0])
                yield (first, ("undecided", None)) if is_open else (again, end), chance * share

    def endings(self) -> Iterator[Ending]:
        """Yield an ending for each charge distance and outcome, smallest distance first, with its probability."""
        for (distance, (outcome, rule)), chance in sorted(
            added(self.throws()).items(), key=lambda one: one[0][0]
        ):
            yield Ending(outcome, rule, chance, distance)

    @property
    def needs(self) -> dict[str, Metric]:
        """Metrics of the charge distances needed, by the whole unit and by the survivors of Overwatch, where they are
        known.
        """
        after = None if self.survivors is None else self.survivors.needed
        return {
            **self.feasibility.needed_metrics,
            **({} if after is None else {"needed_after_overwatch": after}),
        }

    def most_contacts(self, distance: int) -> int:
        """Return how many models are in base contact in the best plan found at a charge distance in inches; 0 without a
        plan.
        """
        plan = self.moving.best(distance).plan
        return 0 if plan is None else len(plan.contacts)


def unrolled(
    declaration: Declaration,
    budget: Budget,
    feasibility_of: Callable[[Scene, Budget], ChargeFeasibility],
) -> RolledCharge:
    """Return a declared charge before its dice are rolled, with what its survivors of Overwatch can achieve."""
    scene = declaration.scene
    lost = declarations_of(declaration.charge).overwatch.before
    if not lost:
        return RolledCharge(declaration, feasibility_of(scene, budget))
    # of the whole unit only distances are asked, of the survivors only the whole inch is told
    half = replace(budget, work=budget.work // 2)
    whole_inch = replace(budget, explains=False)
    survivors = scene.with_charger(scene.charger.without(lost))
    return RolledCharge(
        declaration, feasibility_of(scene, half), feasibility_of(survivors, whole_inch)
    )
