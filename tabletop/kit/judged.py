"""Judging places by the placement that is stated: its limits first, then its goals, the most important first."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.geometry.pose import FloatArray
from tabletop.kit.bodies import distance_off
from tabletop.kit.placing import Ended, Table, told
from tabletop.optimise.problem import Problem
from tabletop.optimise.scipy_solver import solved
from tabletop.ruling.evidence import Breach
from tabletop.ruling.finding import Finding, Goal, of_each
from tabletop.ruling.proposal import HAND, MEANT, JudgedUnit, judged_left, judgement_of, seen, standing_rule
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.table.state import State
from tabletop.units import CONTACT, MARGINAL

if TYPE_CHECKING:
    from tabletop.kit.stated import StatedSystem


def judged(system: "StatedSystem", case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
    """Rule on the proposed places of units, each charge on the table that the claims before it leave.

    Raises
    ------
    NoVerdictError
        If the time is used up, or a placement of which the claim is a part has no place that was found.
    """
    proposal, table, units = case.proposal or {}, resolution.before, dict[str, JudgedUnit]()
    for ruling in resolution.rulings:
        if budget.is_spent(0):
            raise NoVerdictError(f"the time was used up before the charge of {ruling.charge.charger} was judged")
        ended = system.ended(case, table, ruling.charge, int(ruling.metrics.get("total", 0)), budget=budget)
        moved = [name for name, unit in table.units.items() if ended.table.units[name].place != unit.place]
        claimed = {name: proposal[name] for name in (*moved, ruling.charge.charger) if name in proposal}
        if ended.placement is not None and claimed:
            claim = as_meant(ended, _claimed(ended.table, claimed), claimed, budget)
            findings = seen(ruling.charge.charger, (*_kept(ended, claim), *_served(ended, claim)))
            units |= {name: JudgedUnit(findings if place == 0 else (), proof=ruling.proof) for place, name in enumerate(claimed)}
            table = claim
        else:
            table = ended.table
    for name in proposal:
        if name not in units:
            units[name] = judged_left(name, _left(system, name, _claimed(table, {name: proposal[name]}), table, resolution))
    sure = all(unit.proof != "best_found" for unit in units.values())
    proved, found = "no place serves the rules better", "no place was found that serves the rules better"
    right = f"The proposal is legal, and {proved if sure else found}."
    return judgement_of(units, right=right, better={name: resolution.after.units[name].place for name in proposal})


def as_meant(ended: "Ended", claim: "Table", claimed: Mapping[str, Any], budget: Budget) -> "Table":
    """Return the place of the placement that a claim stands for: the nearest, where it is that as far as a hand can tell."""

    def off(table: State[Any]) -> float:
        return max(distance_off(table.units[name], claim.units[name]) for name in claimed)

    if off(ended.table) <= MEANT:
        return ended.table
    if ended.placement is None:
        return claim
    problem = ended.placement.problem
    nearest = Goal[Any]("nearest", "in", of_each(lambda table: -(off(table) ** 2)), is_counted=False, is_least=True)
    found = solved(Problem(problem.variables, problem.place, (), (nearest,)), budget=budget)
    meant = None if found is None or off(found.place) > MEANT else _on_marks(problem, found.point, off)
    return claim if meant is None else meant


def _on_marks(problem: Problem["Table"], point: FloatArray, off: Any) -> "Table":
    """Return the place of a point, with each variable put on the mark nearest to it where that is meant as well: worth may jump there."""
    for column, variable in enumerate(problem.variables):
        for mark in sorted(variable.marks, key=lambda mark: abs(mark - point[column])):
            there = np.where(np.arange(len(point)) == column, mark, point)
            if off(problem.place(there)) <= MEANT:
                point = there
                break
    return problem.place(point)


def _claimed(table: "Table", claimed: Mapping[str, Any]) -> "Table":
    return replace(table, units={**table.units, **{name: table.units[name].at(place) for name, place in claimed.items()}})


def _kept(ended: "Ended", claim: "Table") -> list[Finding]:
    """Return what each limit finds of a claim; a hand may miss by a thousandth of an inch."""
    limits = () if ended.placement is None else ended.placement.limits
    findings = [limit.measure(claim) for limit in limits]
    return [replace(one, ok=True) if not one.ok and one.margin is not None and one.margin >= -MEANT else one for one in findings]


def _served(ended: "Ended", claim: "Table") -> list[Finding]:
    """Return how far a claim serves each goal, beside what can be; the first that falls short decides."""
    if ended.placement is None:
        return []
    found, is_decided = list[Finding](), False
    best, values = ended.placement.values(ended.table), ended.placement.values(claim)
    for goal, most, value in zip(ended.placement.goals, best, values, strict=True):
        short = most - value
        falls = not is_decided and short > (0.0 if goal.is_counted else MARGINAL)
        is_decided = is_decided or abs(short) > (0.0 if goal.is_counted else CONTACT)
        there, here = (told(goal, one) for one in (most, value))
        text = f"The place has {here:g} where {there:g} can be." if falls else f"No place has more than its {here:g}."
        found.append(Finding(goal.rule, ok=not falls, text=text, measured=here, limit=there))
    return found


def _left(system: "StatedSystem", name: str, claim: "Table", table: "Table", resolution: Resolution) -> Finding:
    """Ask a unit that completes no charge to stand where these charges leave it."""
    off = distance_off(claim.units[name], table.units[name])
    rule, text = (
        standing_rule(resolution, name, system=system.name),
        f"{name} must stand where these charges leave it; it is {off:.4f} in off.",
    )
    return Finding(rule, off <= MEANT, text, off, HAND, HAND - off, breach=None if off <= MEANT else Breach(models={name: ()}))
