"""Games that state their rules as limits and goals of a placement; the engine resolves, judges and computes odds from
them.

A placement is described by the whole table after the charge: limits and goals are functions of tables, so that they may
concern any unit.
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, ClassVar, cast

import numpy as np

from tabletop.budget import Budget, Proof, explains
from tabletop.errors import NoVerdictError
from tabletop.geometry.arrays import FloatArray
from tabletop.kit.bodies import models_in_contact, poses_of, steps_between
from tabletop.messages import listed, say, word
from tabletop.optimise.nudge import Measure, nudged
from tabletop.optimise.problem import Problem, SolvedProblem, Variable
from tabletop.optimise.scipy_solver import nearest_miss, solved
from tabletop.ruling.charge import Charge, Outcome, Step
from tabletop.ruling.evidence import Dice, Evidence, Mark
from tabletop.ruling.finding import Finding, Goal, Limit, of_each, weakest_proof
from tabletop.ruling.judge import (
    JudgedUnit,
    Referee,
    Turn,
    distance_off,
    judged,
    no_exact_place,
    standing_rule,
)
from tabletop.ruling.odds import Ending, by_total, charge_odds, told_of_roll
from tabletop.ruling.phase import BranchingPhase, Ways
from tabletop.ruling.system import Case, Stating
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.table.dice import DiceSource
from tabletop.table.state import State
from tabletop.units import CONTACT, HAND, MEANT

Table = State[Any]


@dataclass(frozen=True)
class Placement:
    """An optimisation problem: where the units that a charge moves may be placed at its end.

    Attributes
    ----------
    variables
        The k variables.
    place
        Function that returns the table after the charge for values (k,) of the variables.
    limits
        Rules that must hold on that table.
    goals
        Objectives to be maximised on that table, the most important first; a later one only decides between equals in
        all earlier ones.
    """

    variables: tuple[Variable, ...]
    place: Callable[[FloatArray], Table]
    limits: tuple[Limit[Table], ...]
    goals: tuple[Goal[Sequence[Table]], ...]

    @property
    def problem(self) -> Problem[Table]:
        """The same placement as a `Problem`, the form that solvers take."""
        return Problem(self.variables, self.place, self.limits, self.goals)

    def values(self, table: Table) -> tuple[float, ...]:
        """Return the value of each goal on a table, the most important goal first; the greater, the better."""
        return self.problem.values(table)


@dataclass(frozen=True)
class Ended:
    """The end of a charge on one table with one total of its dice.

    `findings` are those of all rules that were asked, `table` is the table afterwards, and `placement` the problem that
    was solved for a success, None for a charge that failed or was not allowed.
    """

    outcome: Outcome
    findings: tuple[Finding, ...]
    table: Table
    placement: Placement | None = None

    @property
    def broken(self) -> Finding | None:
        """The first broken finding, which decided against success; None for a success."""
        return next((finding for finding in self.findings if not finding.ok), None)

    @property
    def rule(self) -> str | None:
        """Name of the rule of the first broken finding; None for a success."""
        return None if self.broken is None else self.broken.rule


@dataclass(frozen=True, eq=False)
class Attempt:
    """A charge with its total, and its end on one table: what its ruling is made from.

    Attributes
    ----------
    case
        The case whose charge it is.
    charge, total
        The charge, and the total of its dice; 0 if none is rolled.
    table
        The table before the charge.
    ended
        How the charge ends on it.
    """

    case: Case
    charge: Charge
    total: int
    table: Table
    ended: Ended

    def on(self, table: Table, budget: Budget) -> "Attempt":
        """Return the same charge with the same total on another table; on an equal table itself."""
        if table is self.table or table == self.table:
            return self
        game = cast("StatedSystem", self.case.system)
        ended = game.ended(self.case, table, self.charge, self.total, budget=budget)
        return replace(self, table=table, ended=ended)


def told(goal: Goal[Any], value: float) -> float:
    """Return the amount that a goal reports for its value: the value, or its negative if it is to be minimised; rounded
    if counted.
    """
    amount = goal.amount(value)
    return round(amount) if goal.is_counted else amount


MOST_THROWS = 7_776
"""Largest number of throws of one charge's dice that are enumerated: those of five six-sided dice."""


class StatedSystem(Stating):
    """Base of a game system that states what a charge demands; resolving, odds, judging and a second opinion follow
    from it.

    A subclass defines its names, its vocabulary, its book of numbers, and the methods `declared` and `placement`; the
    other methods have defaults. The `table` that a method is given is the table at the turn of the charge, after all
    earlier charges, rather than the table of the file.
    """

    keeps_attempts: ClassVar[bool] = True
    proof: ClassVar[Proof] = "best_found"
    """Proof word of a place that `solve` returns."""

    @abstractmethod
    def declared(self, case: Case, table: Table, charge: Charge) -> tuple[Finding, ...]:
        """Return the findings on a charge before any roll; if one is broken, the charge is not allowed, by the first
        broken one.
        """

    @abstractmethod
    def placement(self, case: Case, table: Table, charge: Charge, total: int) -> Placement:
        """Return the placement problem of a charge that reaches its target with a total: its variables, limits and
        goals.

        `total` is the total of the dice, 0 if none is rolled.
        """

    def dice(self, case: Case, table: Table, charge: Charge) -> int:
        """Return the number of dice that a charge rolls; by default 0."""
        del case, table, charge
        return 0

    def total(self, faces: Sequence[int]) -> int:
        """Return the total that natural faces count as: by default their sum."""
        return sum(faces)

    def reached(self, case: Case, table: Table, charge: Charge, total: int) -> tuple[Finding, ...]:
        """Return the findings that the total decides before any move; if one is broken, the charge fails and nothing
        moves.

        By default there are none. `total` is 0 if no dice are rolled.
        """
        del case, table, charge, total
        return ()

    def steps(self, case: Case, before: Table, after: Table, charge: Charge) -> tuple[Step, ...]:
        """Return the steps of a successful charge, for reports and figures.

        By default one straight step for each unit, or loose model, whose pose differs between the tables `before` and
        `after` the charge.
        """
        del case, charge
        return steps_between(before, after)

    def evidence(self, case: Case, before: Table, after: Table, charge: Charge) -> Evidence:
        """Return what figures show of a successful charge beside units and steps.

        By default the numbers of the models of charger and targets that touch each other on the table `after` the
        charge.
        """
        del case, before
        charger = after.units[charge.charger]
        met = dict[str, tuple[int, ...]]()
        for name in charge.targets:
            ours, theirs = models_in_contact(charger, after.units[name])
            met |= {charger.name: tuple(sorted({*met.get(charger.name, ()), *ours})), name: theirs}
        return Evidence(
            models_in_contact={name: numbers for name, numbers in met.items() if numbers}
        )

    def solve(
        self, placement: Placement, *, budget: Budget, is_any_enough: bool = False
    ) -> Table | None:
        """Return the table after the charge at the best place found, or None if no place was found that keeps all
        limits.

        With `is_any_enough` any table that keeps all limits will do. By default a general search with SciPy looks for
        it.
        """
        found = solved(placement.problem, budget=budget, is_any_enough=is_any_enough)
        return None if found is None else found.place

    def phase(self, case: Case, budget: Budget) -> "StatedPhase":
        """Return the charge phase of a case, which resolves its charges and computes their odds within the budget."""
        return StatedPhase(self, case, budget)

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Judge the claimed places of a case: whether they keep each placement's limits and serve its goals as well as
        the resolution.
        """
        return judged(StatedJudge(case, resolution, budget))

    def statement(
        self,
        case: Case,  # noqa: ARG002
        resolution: Resolution,  # noqa: ARG002
        ruling: Ruling,
    ) -> SolvedProblem[Table] | None:
        """Return the placement problem of a successful charge with the answer's goal values, to be solved again for a
        second opinion.

        None of the goals counts as proved.
        """
        attempt: Attempt = ruling.attempt
        placement = attempt.ended.placement
        if placement is None:
            return None
        before = attempt.table.units
        after = attempt.ended.table
        moved = tuple(name for name in before if after.units[name].place != before[name].place)
        return SolvedProblem(placement.problem, placement.values(after), 0, partial(_places, moved))

    def ended(
        self,
        case: Case,
        table: Table,
        charge: Charge,
        total: int,
        *,
        budget: Budget,
        is_any_enough: bool = False,
    ) -> Ended:
        """Return the end of a charge on a table with a total: the outcome, the findings of all rules asked, and the
        table afterwards.

        With `is_any_enough` only the outcome is exact: the place need not be the best one.

        Raises
        ------
        NoVerdictError
            If the charge reaches its target, but no place was found that keeps all limits.
        """
        declared = self.declared(case, table, charge)
        if not all(finding.ok for finding in declared):
            return Ended("not_allowed", declared, table)
        findings = (*declared, *self.reached(case, table, charge, total))
        if not all(finding.ok for finding in findings):
            return Ended("failed", findings, table)
        placement = self.placement(case, table, charge, total)
        after = self.solve(placement, budget=budget, is_any_enough=is_any_enough)
        if after is None:
            raise NoVerdictError(_no_place(charge, placement, budget))
        kept = (limit.measure(after) for limit in placement.limits)
        found = []
        for goal, value in zip(placement.goals, placement.values(after), strict=True):
            amount = told(goal, value)
            served = say("{length:g} {unit}", length=amount, unit=word(goal.unit))
            found.append(
                Finding(
                    goal.rule,
                    ok=True,
                    text=say("The goal reaches {amount}.", amount=served),
                    measured=amount,
                )
            )
        return Ended("success", (*findings, *kept, *found), after, placement)

    def totals(self, count: int) -> dict[int, Fraction]:
        """Return the chance of each total that `count` dice can have, in increasing order of totals, by going through
        all throws.

        Raises
        ------
        NoVerdictError
            If there are more than `MOST_THROWS` throws.
        """
        if self.vocabulary.sides**count > MOST_THROWS:
            raise NoVerdictError(
                "{count} dice have more possible throws than the {most:,} that are tried",
                count=count,
                most=MOST_THROWS,
            )
        throws = [
            self.total(faces)
            for faces in product(range(1, self.vocabulary.sides + 1), repeat=count)
        ]
        return {total: Fraction(throws.count(total), len(throws)) for total in sorted(set(throws))}

    def summary(self, charge: Charge, ended: Ended) -> str:
        """Return the sentence that sums up a ruling: that the charger charges, may not charge, or does not reach its
        targets, and why.
        """
        whom = listed(charge.targets, ", ")
        broken = ended.broken
        if broken is None:
            return say("{charger} charges {whom}.", charger=charge.charger, whom=whom)
        if ended.outcome == "not_allowed":
            return say(
                "{charger} may not charge {whom}: {why}",
                charger=charge.charger,
                whom=whom,
                why=broken.text,
            )
        return say(
            "{charger} does not reach {whom}: {why}",
            charger=charge.charger,
            whom=whom,
            why=broken.text,
        )


def _marked(charge: Charge, ended: Ended) -> tuple[Finding, ...]:
    """Return the findings of a charge, one of them with words at the charger if no finding that decided has a mark with
    words.

    That one is the first broken finding, or for a success the finding of the most important goal. A mark is what
    figures show of a finding.
    """
    is_success = ended.outcome == "success"
    goals = () if ended.placement is None else ended.placement.goals
    goal = next(iter(goals), None)
    served = next((one for one in ended.findings if goal and one.rule == goal.rule), None)
    decided = ended.broken or served or next(reversed(ended.findings), None)
    said = [
        finding.mark
        for finding in ended.findings
        if finding.ok is is_success and finding.mark is not None
    ]
    if decided is None or any(mark.at is not None for mark in said):
        return ended.findings
    at = poses_of(ended.table.units[charge.charger])[0].at
    words = _few_words(decided)
    if goal is not None and decided is served:
        words = say("{amount} {unit}", amount=words, unit=word(goal.unit))
    mark = replace(
        decided.mark or Mark(), words=words, at=at, stage="after" if is_success else "before"
    )
    return tuple(
        replace(finding, mark=mark) if finding is decided else finding for finding in ended.findings
    )


def _rolled(faces: tuple[int, ...], total: int, sides: int) -> Dice:
    """Return the dice of a charge with what they come to."""
    return Dice(
        faces,
        f"{total}",
        sides=sides,
        told=say("Dice {faces}: {total} in all.", faces=", ".join(map(str, faces)), total=total),
    )


def _no_place(charge: Charge, placement: Placement, budget: Budget) -> str:
    """Return the sentence for a charge without a place: the rule broken most at the place that breaks all least, and by
    how much.
    """
    nearest = nearest_miss(placement.problem, budget=budget)
    findings = [] if nearest is None else [limit.measure(nearest) for limit in placement.limits]
    broken = sorted(
        (one for one in findings if not one.ok),
        key=lambda one: -math.inf if one.margin is None else one.margin,
    )
    why = ""
    if broken:
        by = "" if broken[0].margin is None else say(" by {margin:.3g}", margin=-broken[0].margin)
        why = say(
            ": the nearest one breaks {rule}{by} ({text})",
            rule=broken[0].rule,
            by=by,
            text=broken[0].text.rstrip("."),
        )
    nowhere = (
        "{charger} reaches its target, but no position was found that keeps all rules{why}; it is not proved "
        "that there is none"
    )
    return say(nowhere, charger=charge.charger, why=why)


def _few_words(finding: Finding) -> str:
    """Return the label of a finding in figures: what was measured and, if there is one, its limit; the sentence if
    nothing was measured.
    """
    if finding.measured is None:
        return finding.text
    measured = say(
        "{amount:g}" if isinstance(finding.measured, int) else "{amount:.2f}",
        amount=finding.measured,
    )
    if finding.limit is None:
        return measured
    if finding.ok:
        return say("{measured}, of {limit:g}", measured=measured, limit=finding.limit)
    return say("{measured}, not {limit:g}", measured=measured, limit=finding.limit)


def _places(names: Sequence[str], table: Table) -> dict[str, Any]:
    """Return the places of the named units on a table, by name: a pose, or the formation of loose models."""
    return {name: table.units[name].place for name in names}


class StatedPhase(BranchingPhase[Table, Ways[Table]]):
    """The charge phase of a stated game: resolves each charge, and for odds on every table that the earlier charges may
    leave.
    """

    case: Case

    def __init__(self, system: StatedSystem, case: Case, budget: Budget) -> None:
        super().__init__(case, budget, case.state)
        self.system = system

    def rule(
        self, turn: Sequence[int], table: Table, dice: DiceSource, earlier: Mapping[int, Ruling]
    ) -> tuple[Mapping[int, Ruling], Table]:
        """Return the ruling on the charge whose number is in `turn`, by that number, and the table afterwards; dice are
        rolled if needed.

        Raises
        ------
        NoVerdictError
            If the charge reaches its target, but no place was found that keeps all limits.
        """
        del earlier
        system = self.system
        case = self.case
        (number,) = turn
        charge = self.charges[number]
        hand = dice.stream(number, charge.dice)
        faces = hand.take(
            self._count(table, charge), say("the charge of {charger}", charger=charge.charger)
        )
        total = system.total(faces) if faces else 0
        ended = system.ended(case, table, charge, total, budget=self.budget)
        # who may not charge rolls nothing, whatever faces are given
        if ended.outcome != "not_allowed":
            hand.close()
        ways = self._ways(table, charge, is_last=True)
        odds = charge_odds(charge, ways.endings, by_total(ways.endings, {}))
        steps = tuple[Step, ...]()
        evidence = Evidence()
        if ended.outcome == "success":
            steps = system.steps(case, table, ended.table, charge)
            evidence = system.evidence(case, table, ended.table, charge)
        ruling = Ruling(
            charge,
            ended.outcome,
            system.summary(charge, ended),
            rule=ended.rule,
            **told_of_roll(
                odds.shortest_rolls if faces or not odds.chances[1] else (0, 0), odds.chances
            ),
            findings=_marked(charge, ended),
            metrics={"dice": list(faces), "total": total} if faces else {},
            steps=steps,
            proof=weakest_proof(
                system.proof if ended.outcome == "success" else "exact",
                *(() if odds.is_proved else ("best_found",)),
            ),
            evidence=replace(
                evidence, dice=_rolled(faces, total, system.vocabulary.sides) if faces else None
            ),
            attempt=Attempt(case, charge, total, table, ended) if explains() else None,
        )
        return {number: ruling}, ended.table

    def _count(self, table: Table, charge: Charge) -> int:
        """Return the number of dice that a charge rolls on a table: 0 if it is not allowed."""
        declared = self.system.declared(self.case, table, charge)
        return (
            self.system.dice(self.case, table, charge)
            if all(finding.ok for finding in declared)
            else 0
        )

    def ways(self, number: int, table: Table) -> Ways[Table]:
        """Return all possible endings of a charge on a table, one for each total of its dice, with the table after
        each.

        For the last charge any place that keeps all limits will do, since no later charge depends on it.
        """
        return self._ways(table, self.charges[number], is_last=number == len(self.charges) - 1)

    def _ways(self, table: Table, charge: Charge, *, is_last: bool) -> Ways[Table]:
        """Return all possible endings of a charge on a table, one for each total, with the table after each.

        With `is_last` any place that keeps all limits will do. A total whose outcome was not found is an ending
        "undecided".

        Raises
        ------
        NoVerdictError
            If the outcome was found for none of the totals.
        """
        count = self._count(table, charge)
        found = list[tuple[Ending, Table]]()
        open_by = list[NoVerdictError]()
        totals: dict[int | None, Fraction] = {None: Fraction(1)}
        if count:
            totals = dict(self.system.totals(count).items())
        for total, chance in totals.items():
            try:
                ended = self.system.ended(
                    self.case, table, charge, total or 0, budget=self.budget, is_any_enough=is_last
                )
            except NoVerdictError as error:
                open_by.append(error)
                found.append((Ending("undecided", None, chance, total), table))
            else:
                found.append((Ending(ended.outcome, ended.rule, chance, total), ended.table))
        if len(open_by) == len(totals):
            raise open_by[0]
        return Ways(*zip(*found, strict=True))

    def totals(self, charge: Charge) -> Mapping[int, Fraction]:
        """Return the chance of each total of a charge's dice, with the number of dice on the table of the file; empty
        if none is rolled.
        """
        count = self.system.dice(self.case, self.case.state, charge)
        return self.system.totals(count) if count else {}


# The judge: a claimed place is held against the limits of the placement, then against its goals in their order.


@dataclass(frozen=True)
class StatedJudge(Referee):
    """Judge of claimed places in a stated game: checks the limits of each charge's placement, then its goals."""

    right = say("The proposal is legal, and no position serves the rules better.")
    perhaps_right = say(
        "The proposal is legal, and no position was found that serves the rules better."
    )

    def ends(self, ruling: Ruling) -> Mapping[str, Any]:
        """Return the places at which a charge left the units that it moved, by name, the charger first, on the table
        after all charges.
        """
        moved = [
            step.unit for step in ruling.steps if step.unit is not None and step.end != step.start
        ]
        return {
            name: self.resolution.after.units[name].place
            for name in (ruling.charge.charger, *moved)
        }

    def held(self, turn: Turn) -> tuple[JudgedUnit, Table]:
        """Check the places of a turn against the limits of its placement, and claimed ones also against its goals.

        Returns the judgement and the table with the units at these places. Claimed places are right if they serve every
        goal as well as the resolved ones, since other solutions may be as good.

        Raises
        ------
        NoVerdictError
            If the claim is within 0.001 in of keeping everything, but no exact place near it was found that does.
        """
        ended = turn.ruling.attempt.on(turn.table, self.budget).ended
        if ended.placement is None:
            return JudgedUnit(ended.findings if turn.places else ()), ended.table
        after = ended.table.units
        place = replace(
            ended.table,
            units={**after, **{name: after[name].at(place) for name, place in turn.places.items()}},
        )
        typed, exact = (
            snapped(ended, ended.placement, place, turn.claim, self.budget)
            if turn.claim
            else (place, place)
        )
        table = typed if exact is None else exact
        kept = _kept(ended.placement, table, hand=exact is None or not turn.claim)
        findings = (*kept, *(_served(ended, table) if turn.claim else ()))
        if exact is None and all(finding.ok for finding in findings):
            raise no_exact_place(turn.claim)
        meant = None if exact is None else exact.units[turn.name].place
        return JudgedUnit(findings, proof=turn.ruling.proof, meant=meant), table

    def left(self, turn: Turn) -> Table:
        """Return the table after a charge that ends as resolved, with the total that it rolled."""
        after: Table = turn.ruling.attempt.on(turn.table, self.budget).ended.table
        return after

    def standing(
        self,
        name: str,
        place: Any,
        table: Table,
        mover: Ruling | None,  # noqa: ARG002
    ) -> tuple[Finding, Any]:
        """Judge the claimed place of a unit that completes no charge: it must be where the charges leave it, to 0.001
        in.

        Returns the finding, and the place where the charges leave the unit.
        """
        unit = table.units[name]
        off = distance_off(unit, place, unit.place)
        rule = standing_rule(self.resolution, name, system=self.case.system.name)
        text = say(
            "{unit} must stand where these charges leave it; in the proposal it is {off:.4f} in away from there.",
            unit=name,
            off=off,
        )
        return Finding(rule, off <= MEANT, text, off, 0.0, 0.0 - off, allowance=HAND), unit.place


def snapped(
    ended: Ended, placement: Placement, claim: Table, claimed: Mapping[str, Any], budget: Budget
) -> tuple[Table, Table | None]:
    """Return the solution of a placement nearest to a claim, and an exact one near the claim that is right, or None.

    A claim may be off by 0.001 in, the tolerance for models placed by hand. The first table is the nearest solution
    within that distance, limits ignored; it is `claim` itself if there is none. The second keeps all limits, is as good
    in each goal as the resolution, and has each claimed unit within 0.001 in of its claimed place.

    Parameters
    ----------
    ended, placement
        The end of the charge as resolved, and its placement problem.
    claim
        The table with the claimed units at their claimed places.
    claimed
        The claimed places by unit name.
    budget
        Limits of the search.

    Raises
    ------
    NoVerdictError
        If the budget ended the search for the nearest solution.
    """

    def off(table: State[Any]) -> float:
        """Return the largest distance, in inches, of a point of a claimed unit from where it would be at its claimed
        place.
        """
        return max(
            distance_off(table.units[name], table.units[name].place, place)
            for name, place in claimed.items()
        )

    if off(ended.table) <= MEANT:
        return ended.table, ended.table
    problem = placement.problem
    nearest = Goal[Any](
        "nearest",
        "in",
        of_each(lambda table: -((off(table) / HAND) ** 2)),
        is_counted=False,
        is_least=True,
    )
    found = solved(Problem(problem.variables, problem.place, (), (nearest,)), budget=budget)
    if found is None or off(found.place) > MEANT:
        if budget.is_spent(0):
            message = "which position is meant for {names} could not be determined: the search ended at {limit}"
            raise NoVerdictError(message, names=listed(claimed, " and "), limit=budget.limit)
        return claim, None
    marked = _on_marks(problem, found.point, off)
    for start in (marked, found.point):
        place = _nudged(ended, placement, start, off)
        if place is not None:
            return place, place
    return problem.place(marked), None


def _nudged(
    ended: Ended, placement: Placement, start: FloatArray, off: Callable[[Table], float]
) -> Table | None:
    """Return a table near a point of the variables that keeps all limits, serves the goals, and is within 0.001 in of a
    claim, or None.

    To serve the goals is to be as good in each of them as the end as resolved.

    Parameters
    ----------
    ended, placement
        The end of the charge as resolved, and its placement problem.
    start
        The values (k,) of the variables from which to search.
    off
        Function that returns the distance in inches of a table from the claim.
    """
    best = placement.values(ended.table)

    def asked(value: Callable[[Table], float], low: float, high: float = math.inf) -> Measure:
        """Return a constraint: a function of the table has values from `low` to `high`."""
        return Measure(
            tuple(range(len(start))),
            lambda moves: value(placement.place(start + moves[:, 0])),
            low,
            high,
        )

    limits = [asked(limit.slack, 0.0) for limit in placement.limits]
    goals = [
        asked(lambda table, goal=goal: float(goal.value([table])[0]), most)  # type: ignore[misc]
        for goal, most in zip(placement.goals, best, strict=True)
        if not goal.is_counted
    ]
    moves = nudged(len(start), [*limits, *goals, asked(off, -math.inf, HAND)], dimensions=1)
    place = None if moves is None else placement.place(start + moves[:, 0])
    return (
        place
        if place is not None and all(finding.ok for finding in _served(ended, place))
        else None
    )


def _on_marks(problem: Problem[Table], point: FloatArray, off: Any) -> FloatArray:
    """Return a point (k,) with each variable set to the nearest of its marks from which the claim is within 0.001 in.

    Marks are values at which a goal may jump. A variable without such a mark keeps its value. `off` returns the
    distance of a table from the claim in inches.
    """
    for column, variable in enumerate(problem.variables):
        for mark in sorted(variable.marks, key=lambda mark: abs(mark - point[column])):
            there = np.where(np.arange(len(point)) == column, mark, point)
            if off(problem.place(there)) <= MEANT:
                point = there
                break
    return point


def _kept(placement: Placement, table: Table, *, hand: bool) -> list[Finding]:
    """Return the finding of each limit on a table; with `hand` a limit that is broken by at most 0.001 in counts as
    kept.
    """
    findings = [limit.measure(table) for limit in placement.limits]
    return [
        replace(one, ok=True, allowance=HAND)
        if hand and not one.ok and one.slack >= -MEANT
        else one
        for one in findings
    ]


def _served(ended: Ended, claim: Table) -> list[Finding]:
    """Return for each goal a finding that compares a claimed table with the resolved one; the first goal that differs
    decides.

    A finding is broken if the claim is worse in that goal: in counts at all, in lengths by more than `CONTACT`. Goals
    after the first that differs are never broken.
    """
    if ended.placement is None:
        return []
    found = list[Finding]()
    is_decided = False
    best = ended.placement.values(ended.table)
    values = ended.placement.values(claim)
    for goal, most, value in zip(ended.placement.goals, best, values, strict=True):
        short = most - value
        falls = not is_decided and short > (0.0 if goal.is_counted else CONTACT)
        is_decided = is_decided or abs(short) > (0.0 if goal.is_counted else CONTACT)
        there, here = (told(goal, one) for one in (most, value))
        text = say("No position has more than the {here:g} of this one.", here=here)
        if falls:
            text = say("This position has {here:g}; {there:g} is possible.", here=here, there=there)
        found.append(Finding(goal.rule, ok=not falls, text=text, measured=here, limit=there))
    return found
