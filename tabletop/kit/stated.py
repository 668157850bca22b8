"""Games that state their rules as limits and goals of a placement; the engine resolves, judges and computes odds from them.

A place is the table as it would be afterwards, so that limits and goals are asked of tables, whoever stands on them.
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, ClassVar

import numpy as np

from tabletop.budget import Budget, Proof
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
from tabletop.ruling.judge import JudgedUnit, Referee, Turn, distance_off, judged, no_exact_place, standing_rule
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
    """A placement to be found: where a charge may end.

    Attributes
    ----------
    variables
        The numbers that are chosen.
    place
        Gives the table afterwards for numbers (k,).
    limits
        What must hold of the table afterwards.
    goals
        What is to be served, the most important first.
    """

    variables: tuple[Variable, ...]
    place: Callable[[FloatArray], Table]
    limits: tuple[Limit[Table], ...]
    goals: tuple[Goal[Sequence[Table]], ...]

    @property
    def problem(self) -> Problem[Table]:
        """The same as a problem for any solver."""
        return Problem(self.variables, self.place, self.limits, self.goals)

    def values(self, table: Table) -> tuple[float, ...]:
        """Return a table's value for each goal."""
        return self.problem.values(table)


@dataclass(frozen=True)
class Ended:
    """The end of a charge on one table with one total: the findings, the table afterwards, and the placement solved."""

    outcome: Outcome
    findings: tuple[Finding, ...]
    table: Table
    placement: Placement | None = None

    @property
    def rule(self) -> str | None:
        """The rule that decided against success."""
        return next((finding.rule for finding in self.findings if not finding.ok), None)


def told(goal: Goal[Any], value: float) -> float:
    """Return the amount of a goal that a value stands for: an integer if counted."""
    amount = goal.amount(value)
    return round(amount) if goal.is_counted else amount


MOST_THROWS = 7_776
"""Largest number of throws of one charge's dice that are enumerated: those of five six-sided dice."""


class StatedSystem(Stating):
    """A game system defined by what it demands; resolving, odds, judging and a second opinion follow from it.

    A game gives its names, its vocabulary, its book, and the methods `declared` and `placement`; the others have defaults. Whatever they
    are given is the table when the turn of the charge comes, not the one of the file.
    """

    proof: ClassVar[Proof] = "best_found"
    """Proof word of a place that `solve` returns."""

    @abstractmethod
    def declared(self, case: Case, table: Table, charge: Charge) -> tuple[Finding, ...]:
        """Return the findings of a charge before any roll; the first broken one refuses it."""

    @abstractmethod
    def placement(self, case: Case, table: Table, charge: Charge, total: int) -> Placement:
        """Return the placement of a charge that reaches its target with a total: limits and goals of the table afterwards."""

    def dice(self, case: Case, table: Table, charge: Charge) -> int:
        """Return how many dice a charge rolls; by default none."""
        del case, table, charge
        return 0

    def total(self, faces: Sequence[int]) -> int:
        """Return the total of the faces: by default their sum."""
        return sum(faces)

    def reached(self, case: Case, table: Table, charge: Charge, total: int) -> tuple[Finding, ...]:
        """Return the findings that a total decides before any move; the first broken one makes the charge fail where it stands."""
        del case, table, charge, total
        return ()

    def steps(self, case: Case, before: Table, after: Table, charge: Charge) -> tuple[Step, ...]:
        """Return the moves of a charge; by default straight moves of all that moved."""
        del case, charge
        return steps_between(before, after)

    def evidence(self, case: Case, before: Table, after: Table, charge: Charge) -> Evidence:
        """Return what figures can show beside units and moves; by default contacts at the end."""
        del case, before
        charger, met = after.units[charge.charger], dict[str, tuple[int, ...]]()
        for name in charge.targets:
            ours, theirs = models_in_contact(charger, after.units[name])
            met |= {charger.name: tuple(sorted({*met.get(charger.name, ()), *ours})), name: theirs}
        return Evidence(models_in_contact={name: numbers for name, numbers in met.items() if numbers})

    def solve(self, placement: Placement, *, budget: Budget, is_any_enough: bool = False) -> Table | None:
        """Return the best table found, None if none was found; with `is_any_enough` any. By default SciPy searches."""
        found = solved(placement.problem, budget=budget, is_any_enough=is_any_enough)
        return None if found is None else found.place

    def phase(self, case: Case, budget: Budget) -> "StatedPhase":
        """Return the charge phase of a case."""
        return StatedPhase(self, case, budget)

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Judge the proposed places by the limits, then by the goals, of each placement."""
        return judged(StatedJudge(case, resolution, budget, self))

    def statement(self, case: Case, resolution: Resolution, ruling: Ruling) -> SolvedProblem[Table] | None:
        """Return the placement of a successful charge, for a second opinion."""
        table, after = resolution.tables_of(ruling)
        placement = self.placement(case, table, ruling.charge, int(ruling.metrics.get("total", 0)))
        moved = tuple(name for name in table.units if after.units[name].place != table.units[name].place)
        return SolvedProblem(placement.problem, placement.values(after), 0, partial(_places, moved))

    def ended(self, case: Case, table: Table, charge: Charge, total: int, *, budget: Budget, is_any_enough: bool = False) -> Ended:
        """Return the end of a charge on a table with a total; with `is_any_enough` its outcome only, not the best place.

        Raises
        ------
        NoVerdictError
            If the charge reaches, and no place was found.
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
            found.append(Finding(goal.rule, ok=True, text=say("The goal reaches {amount}.", amount=served), measured=amount))
        return Ended("success", (*findings, *kept, *found), after, placement)

    def totals(self, count: int) -> dict[int, Fraction]:
        """Return the chance of each total of a number of dice, smallest first.

        Raises
        ------
        NoVerdictError
            If they are too many to go through.
        """
        if self.vocabulary.sides**count > MOST_THROWS:
            raise NoVerdictError("{count} dice have more possible throws than the {most:,} that are tried", count=count, most=MOST_THROWS)
        throws = [self.total(faces) for faces in product(range(1, self.vocabulary.sides + 1), repeat=count)]
        return {total: Fraction(throws.count(total), len(throws)) for total in sorted(set(throws))}

    def summary(self, charge: Charge, ended: Ended) -> str:
        """Return the ruling in a sentence."""
        whom = listed(charge.targets, ", ")
        broken = next((finding for finding in ended.findings if not finding.ok), None)
        if broken is None:
            return say("{charger} charges {whom}.", charger=charge.charger, whom=whom)
        if ended.outcome == "not_allowed":
            return say("{charger} may not charge {whom}: {why}", charger=charge.charger, whom=whom, why=broken.text)
        return say("{charger} does not reach {whom}: {why}", charger=charge.charger, whom=whom, why=broken.text)


def _marked(charge: Charge, ended: Ended) -> tuple[Finding, ...]:
    """Return the findings; if no mark shows what decided, the first broken one, or the first goal, is marked at the charger."""
    is_success = ended.outcome == "success"
    decided = next((finding for finding in ended.findings if not finding.ok), _served_first(ended))
    said = [finding.mark for finding in ended.findings if finding.ok is is_success and finding.mark is not None]
    if decided is None or any(mark.at is not None for mark in said):
        return ended.findings
    at = poses_of(ended.table.units[charge.charger])[0].at
    units = {goal.rule: word(goal.unit) for goal in ended.placement.goals} if ended.placement is not None else {}
    words = _few_words(decided)
    if decided.rule in units:
        words = say("{amount} {unit}", amount=words, unit=units[decided.rule])
    mark = replace(decided.mark or Mark(), words=words, at=at, stage="after" if is_success else "before")
    return tuple(replace(finding, mark=mark) if finding is decided else finding for finding in ended.findings)


def _no_place(charge: Charge, placement: Placement, budget: Budget) -> str:
    """Return the sentence for a charge without a place: the rule that the nearest place breaks, and by how much."""
    nearest = nearest_miss(placement.problem, budget=budget)
    findings = [] if nearest is None else [limit.measure(nearest) for limit in placement.limits]
    broken = sorted((one for one in findings if not one.ok), key=lambda one: -math.inf if one.margin is None else one.margin)
    why = ""
    if broken:
        by = "" if broken[0].margin is None else say(" by {margin:.3g}", margin=-broken[0].margin)
        why = say(": the nearest one breaks {rule}{by} ({text})", rule=broken[0].rule, by=by, text=broken[0].text.rstrip("."))
    nowhere = "{charger} reaches its target, but no position was found that keeps all rules{why}; it is not proved that there is none"
    return say(nowhere, charger=charge.charger, why=why)


def _served_first(ended: Ended) -> Finding | None:
    """Return the finding of the most important goal; without goals, the last finding."""
    goals = {goal.rule for goal in ended.placement.goals[:1]} if ended.placement is not None else set()
    return next((finding for finding in ended.findings if finding.rule in goals), ended.findings[-1] if ended.findings else None)


def _few_words(finding: Finding) -> str:
    """Return what decided with its number, or its sentence."""
    if finding.measured is None:
        return finding.text
    measured = say("{amount:g}" if isinstance(finding.measured, int) else "{amount:.2f}", amount=finding.measured)
    if finding.limit is None:
        return measured
    if finding.ok:
        return say("{measured}, of {limit:g}", measured=measured, limit=finding.limit)
    return say("{measured}, not {limit:g}", measured=measured, limit=finding.limit)


def _places(names: Sequence[str], table: Table) -> dict[str, Any]:
    """Return where units stand."""
    return {name: table.units[name].place for name in names}


class StatedPhase(BranchingPhase[Table, Ways[Table]]):
    """The charges of a case in a stated game, each on every table that the earlier ones may leave."""

    case: Case

    def __init__(self, system: StatedSystem, case: Case, budget: Budget) -> None:
        super().__init__(case, budget, case.state)
        self.system = system

    def rule(
        self, turn: Sequence[int], table: Table, dice: DiceSource, earlier: Mapping[int, Ruling]
    ) -> tuple[Mapping[int, Ruling], Table]:
        """Roll for a charge that may be declared, and rule on it; no verdict if it reaches and no place was found."""
        del earlier
        system, case, (number,) = self.system, self.case, turn
        charge = self.charges[number]
        hand = dice.stream(number, charge.dice)
        faces = hand.take(self._count(table, charge), say("the charge of {charger}", charger=charge.charger))
        total = system.total(faces) if faces else 0
        ended = system.ended(case, table, charge, total, budget=self.budget)
        if ended.outcome != "not_allowed":  # who may not charge rolls nothing, whatever faces are given
            hand.close()
        ways = self._ways(table, charge, is_last=True)
        odds = charge_odds(charge, ways.endings, by_total(ways.endings, {}))
        steps, evidence = tuple[Step, ...](), Evidence()
        if ended.outcome == "success":
            steps, evidence = system.steps(case, table, ended.table, charge), system.evidence(case, table, ended.table, charge)
        ruling = Ruling(
            charge,
            ended.outcome,
            system.summary(charge, ended),
            rule=ended.rule,
            **told_of_roll(odds.shortest_rolls if faces or not odds.chances[1] else (0, 0), odds.chances),
            findings=_marked(charge, ended),
            metrics={"dice": list(faces), "total": total} if faces else {},
            steps=steps,
            proof=weakest_proof(system.proof if ended.outcome == "success" else "exact", *(() if odds.is_proved else ("best_found",))),
            evidence=replace(evidence, dice=Dice(faces, f"{total}", sides=system.vocabulary.sides) if faces else None),
        )
        return {number: ruling}, ended.table

    def _count(self, table: Table, charge: Charge) -> int:
        """Return how many dice are rolled: none for a charge that may not be declared."""
        declared = self.system.declared(self.case, table, charge)
        return self.system.dice(self.case, table, charge) if all(finding.ok for finding in declared) else 0

    def ways(self, number: int, table: Table) -> Ways[Table]:
        """Return all endings of a charge, by total; for the last charge only whether there is a place."""
        return self._ways(table, self.charges[number], is_last=number == len(self.charges) - 1)

    def _ways(self, table: Table, charge: Charge, *, is_last: bool) -> Ways[Table]:
        """Return all endings of a charge on a table.

        Raises
        ------
        NoVerdictError
            If of no total it was found out what it comes to; of some only, they are undecided.
        """
        count, found, open_by = self._count(table, charge), list[tuple[Ending, Table]](), list[NoVerdictError]()
        totals: dict[int | None, Fraction] = {None: Fraction(1)}
        if count:
            totals = dict(self.system.totals(count).items())
        for total, chance in totals.items():
            try:
                ended = self.system.ended(self.case, table, charge, total or 0, budget=self.budget, is_any_enough=is_last)
            except NoVerdictError as error:
                open_by.append(error)
                found.append((Ending("undecided", None, chance, total), table))
            else:
                found.append((Ending(ended.outcome, ended.rule, chance, total), ended.table))
        if len(open_by) == len(totals):
            raise open_by[0]
        return Ways(*zip(*found, strict=True))

    def totals(self, charge: Charge) -> Mapping[int, Fraction]:
        """Return the chances of the totals of one roll, on the table of the file."""
        count = self.system.dice(self.case, self.case.state, charge)
        return self.system.totals(count) if count else {}


# The judge: a claimed place is held against the limits of the placement, then against its goals in their order.


@dataclass(frozen=True)
class StatedJudge(Referee):
    """Judge of claimed places in a stated game."""

    game: StatedSystem
    right = say("The proposal is legal, and no position serves the rules better.")
    perhaps_right = say("The proposal is legal, and no position was found that serves the rules better.")

    def ends(self, ruling: Ruling) -> Mapping[str, Any]:
        """Return where the units that a charge moved were resolved to end, charger first."""
        moved = [step.unit for step in ruling.steps if step.unit is not None and step.end != step.start]
        return {name: self.resolution.after.units[name].place for name in (ruling.charge.charger, *moved)}

    def held(self, turn: Turn) -> tuple[JudgedUnit, Table]:
        """Check places against the limits of the placement, then claims against its goals, since other solutions may be as good."""
        ended = self._ended(turn)
        if ended.placement is None:
            return JudgedUnit(ended.findings if turn.places else ()), ended.table
        after = ended.table.units
        place = replace(ended.table, units={**after, **{name: after[name].at(place) for name, place in turn.places.items()}})
        typed, exact = snapped(ended, ended.placement, place, turn.claim, self.budget) if turn.claim else (place, place)
        table = typed if exact is None else exact
        kept = _kept(ended.placement, table, hand=exact is None or not turn.claim)
        findings = (*kept, *(_served(ended, table) if turn.claim else ()))
        if exact is None and all(finding.ok for finding in findings):
            raise no_exact_place(turn.claim)
        meant = None if exact is None else exact.units[turn.name].place
        return JudgedUnit(findings, proof=turn.ruling.proof, meant=meant), table

    def left(self, turn: Turn) -> Table:
        """Return the table after a charge with its total."""
        return self._ended(turn).table

    def _ended(self, turn: Turn) -> Ended:
        total = int(turn.ruling.metrics.get("total", 0))
        return self.game.ended(self.case, turn.table, turn.ruling.charge, total, budget=self.budget)

    def standing(self, name: str, place: Any, table: Table, mover: Ruling | None) -> tuple[Finding, Any]:  # noqa: ARG002
        """Judge the claim for a unit that completes no charge: it must stand where these charges leave it."""
        unit = table.units[name]
        off, rule = distance_off(unit, place, unit.place), standing_rule(self.resolution, name, system=self.game.name)
        text = say(
            "{unit} must stand where these charges leave it; in the proposal it is {off:.4f} in away from there.", unit=name, off=off
        )
        return Finding(rule, off <= MEANT, text, off, HAND, HAND - off), unit.place


def snapped(ended: Ended, placement: Placement, claim: Table, claimed: Mapping[str, Any], budget: Budget) -> tuple[Table, Table | None]:
    """Return the place of the placement nearest to a claim within a hand, and one as near that is right, or None.

    The latter keeps all limits and serves the goals as well as what was resolved; None where none was found.
    """

    def off(table: State[Any]) -> float:
        return max(distance_off(table.units[name], table.units[name].place, place) for name, place in claimed.items())

    if off(ended.table) <= MEANT:
        return ended.table, ended.table
    problem = placement.problem
    nearest = Goal[Any]("nearest", "in", of_each(lambda table: -((off(table) / HAND) ** 2)), is_counted=False, is_least=True)
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


def _nudged(ended: Ended, placement: Placement, start: FloatArray, off: Callable[[Table], float]) -> Table | None:
    """Return the place nearest to a point, within a hand of a claim, that keeps all limits and serves the goals, if one is found."""
    best = placement.values(ended.table)

    def asked(value: Callable[[Table], float], low: float, high: float = math.inf) -> Measure:
        return Measure(tuple(range(len(start))), lambda moves: value(placement.place(start + moves[:, 0])), low, high)

    limits = [asked(limit.slack, 0.0) for limit in placement.limits]
    goals = [
        asked(lambda table, goal=goal: float(goal.value([table])[0]), most)  # type: ignore[misc]
        for goal, most in zip(placement.goals, best, strict=True)
        if not goal.is_counted
    ]
    moves = nudged(len(start), [*limits, *goals, asked(off, -math.inf, HAND)], dimensions=1)
    place = None if moves is None else placement.place(start + moves[:, 0])
    return place if place is not None and all(finding.ok for finding in _served(ended, place)) else None


def _on_marks(problem: Problem[Table], point: FloatArray, off: Any) -> FloatArray:
    """Return a point with each variable moved to its nearest mark within a hand, since goals may jump there."""
    for column, variable in enumerate(problem.variables):
        for mark in sorted(variable.marks, key=lambda mark: abs(mark - point[column])):
            there = np.where(np.arange(len(point)) == column, mark, point)
            if off(problem.place(there)) <= MEANT:
                point = there
                break
    return point


def _kept(placement: Placement, table: Table, *, hand: bool) -> list[Finding]:
    """Return the findings of each limit for a table; with `hand` each is kept to a thousandth of an inch."""
    findings = [limit.measure(table) for limit in placement.limits]
    return [replace(one, ok=True) if hand and not one.ok and one.slack >= -MEANT else one for one in findings]


def _served(ended: Ended, claim: Table) -> list[Finding]:
    """Return how far a claim serves each goal, compared with the best; the first that falls short decides."""
    if ended.placement is None:
        return []
    found, is_decided = list[Finding](), False
    best, values = ended.placement.values(ended.table), ended.placement.values(claim)
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
