"""Ask a case's own system for its answer."""

from collections.abc import Sequence
from dataclasses import replace

from tabletop.dice import Throws
from tabletop.errors import Problem, ScenarioError
from tabletop.ruling import Case, Judgement, Odds, Resolution
from tabletop.solve.budget import Budget


def resolve(case: Case, *, dice: Sequence[int] | None = None, seed: int = 0, max_seconds: float | None = None) -> Resolution:
    """Resolve every charge of a case.

    `dice` are natural faces dealt in order to the charges that roll, in place of their own; charges without faces throw
    them from `seed`. `max_seconds` limits the search beside its limit of work.

    Raises
    ------
    ScenarioError
        If there are too few or too many faces.
    NoVerdictError
        If the case is not modelled, or a limit strikes before any answer is found.
    """
    throws = Throws(seed=seed, flat=None if dice is None else tuple(dice))
    budget = Budget(seconds=max_seconds)
    with budget.running():
        return replace(case.system.resolve(case, throws=throws, budget=budget), case=case)


def judge(case: Case, resolution: Resolution | None = None, *, max_seconds: float | None = None) -> Judgement:
    """Rule on the case's proposal: is it legal, and the best the rules demand? `resolution` saves resolving again.

    `max_seconds` limits all that is searched here, resolving too.

    Raises
    ------
    ScenarioError
        If the case has no proposal.
    """
    if case.proposal is None:
        raise ScenarioError(Problem("proposal", "is missing: there is nothing to judge"))
    budget = Budget(seconds=max_seconds)
    with budget.running():
        if resolution is None:
            resolution = replace(case.system.resolve(case, throws=Throws(), budget=budget), case=case)
        return case.system.judge(case, resolution, budget=budget)


def odds(case: Case, *, max_seconds: float | None = None) -> Odds:
    """Give the exact chances of every charge of a case over all dice; faces that the case gives are set aside.

    Raises
    ------
    NoVerdictError
        If the case is not modelled, or a limit strikes before every throw is settled.
    """
    budget = Budget(seconds=max_seconds)
    with budget.running():
        return replace(case.system.odds(case, budget=budget), case=case)
