"""Second opinions: the placement problem of a ruling, solved by SciPy and compared with the system's answer."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.optimise.problem import SolvedProblem
from tabletop.optimise.scipy_solver import FeasiblePoint, solved
from tabletop.ruling.system import Case, Stating
from tabletop.ruling.verdict import Agreement, Resolution, Ruling, SecondOpinion
from tabletop.units import CONTACT, MARGINAL


def with_second_opinion(
    case: Case, answer: Callable[[Case], Resolution], *, budget: Budget
) -> Resolution:
    """Return the resolution of a case with a second opinion in each ruling whose placement problem the system states.

    A second opinion is the solution that SciPy finds for the same problem. If it is better than an answer that is not
    proved optimal, the case is resolved again with that place as a known solution, so that the system can take it.

    Parameters
    ----------
    case
        The case to resolve.
    answer
        Function that resolves a case.
    budget
        Limits of each search.
    """
    resolution = answer(case)
    opinions: dict[int, SecondOpinion] = {}
    for number in range(len(resolution.rulings)):
        started = time.monotonic()
        found = (
            None
            if number in opinions
            else _opinion(case, resolution, resolution.rulings[number], budget)
        )
        if found is None:
            continue
        opinion, together = found
        opinions[number] = replace(opinion, seconds=time.monotonic() - started)
        opinions |= {other: opinion for other in _numbers(resolution, together) if other != number}
        if opinion.verdict == "scipy_better" and not opinion.is_fault:
            case = replace(case, known={**case.known, **opinion.units})
            resolution = answer(case)
    rulings = (
        replace(ruling, second_opinion=opinions.get(number))
        for number, ruling in enumerate(resolution.rulings)
    )
    return replace(resolution, rulings=tuple(rulings))


def _numbers(resolution: Resolution, chargers: Sequence[str]) -> Iterator[int]:
    """Yield the indices of the successful rulings whose charger is among the named ones."""
    return (
        number
        for number, one in enumerate(resolution.rulings)
        if one.charge.charger in chargers and one.outcome == "success"
    )


def _opinion(
    case: Case, resolution: Resolution, ruling: Ruling, budget: Budget
) -> tuple[SecondOpinion, Sequence[str]] | None:
    """Return the second opinion on a ruling, and the names of other chargers that the same problem places.

    None if the ruling is no success or the system states no problem. If the time is used up, the opinion is
    "not_found".
    """
    system = cast("Stating", case.system)
    together = tuple[str, ...]()
    try:
        statement: SolvedProblem[Any] | None = (
            system.statement(case, resolution, ruling) if ruling.outcome == "success" else None
        )
        if statement is None:
            return None
        together = statement.together
        return _looked_for(case, resolution, statement, budget), together
    except NoVerdictError:  # the time is up; the answer itself stands
        return SecondOpinion("not_found", None, {}, {}), together


def _looked_for(
    case: Case, resolution: Resolution, statement: SolvedProblem[Any], budget: Budget
) -> SecondOpinion:
    for rule, problem in statement.excluded.items():
        if solved(problem, budget=budget) is not None:
            return SecondOpinion("scipy_better", rule, {rule: (0.0, 1.0)}, {}, is_fault=True)
    found = solved(statement.problem, budget=budget)
    goals = statement.problem.goals
    rules = [goal.rule for goal in statement.problem.goals]
    exact = [goal.amount(value) for goal, value in zip(goals, statement.answer, strict=True)]
    units = {} if found is None else dict(statement.units(found.place))
    as_found = (
        resolution
        if found is None or statement.resolved is None
        else statement.resolved(found.place)
    )
    if found is None or not _is_legal(case, as_found, units, rules, budget):
        return SecondOpinion(
            "not_found",
            None,
            {rule: (amount, None) for rule, amount in zip(rules, exact, strict=True)},
            {},
        )
    verdict, goal = compared(statement, found)
    second = [goal.amount(value) for goal, value in zip(goals, found.values, strict=True)]
    is_fault = verdict == "scipy_better" and goal in rules[: statement.proved]
    return SecondOpinion(
        verdict,
        goal,
        dict(zip(rules, zip(exact, second, strict=True), strict=True)),
        units,
        is_fault,
    )


def compared(
    statement: SolvedProblem[Any], found: FeasiblePoint[Any]
) -> tuple[Agreement, str | None]:
    """Compare the answer with a second solution, goal by goal: counts exactly, lengths to 0.001 in.

    Returns
    -------
    tuple[Agreement, str or None]
        "equal" and None, or which of the two is better and the rule of the goal that decides. A second solution that is
        behind in an earlier goal, if only by less than 0.001 in, cannot be better by a later one.
    """
    behind = None
    for goal, exact, second in zip(
        statement.problem.goals, statement.answer, found.values, strict=True
    ):
        equal = 0.0 if goal.is_counted else MARGINAL
        if second < exact - equal:
            return "exact_better", goal.rule
        if second > exact + equal:
            return ("scipy_better", goal.rule) if behind is None else ("exact_better", behind)
        if behind is None and second < exact - CONTACT:
            behind = goal.rule
    return "equal", None


def _is_legal(
    case: Case, resolution: Resolution, units: Mapping[str, Any], goals: list[str], budget: Budget
) -> bool:
    """Return whether the system's judge finds the places `units` legal: no rule broken but that of a goal served less
    than possible.

    False, too, if the judge reaches no verdict.
    """
    try:
        judgement = case.system.judge(replace(case, proposal=units), resolution, budget=budget)
    except NoVerdictError:
        return False
    return judgement.is_right or judgement.rule in goals
