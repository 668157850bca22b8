"""Ask a case's own system for its answer."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar, cast

from tabletop.dice import Throws
from tabletop.errors import Problem, ScenarioError
from tabletop.ruling import Case, Judgement, Odds, Resolution
from tabletop.solve.budget import Budget

Ask = TypeVar("Ask", bound=Callable[..., Any])


def _with_lines(ask: Ask) -> Ask:
    """Tell problems that only asking brings to light with the lines of the case's file, too."""

    @wraps(ask)
    def asked(case: Case, *args: Any, **kwargs: Any) -> Any:
        try:
            return ask(case, *args, **kwargs)
        except ScenarioError as error:
            raise (error if case.lines is None else case.lines.told(error)) from None

    return cast("Ask", asked)


@_with_lines
def resolve(
    case: Case, *, dice: Sequence[int] | None = None, seed: int = 0, max_seconds: float | None = None, since: float | None = None
) -> Resolution:
    """Resolve every charge of a case.

    `dice` are natural faces dealt in order to the charges that roll, in place of their own; charges without faces throw
    them from `seed`. `max_seconds` limits the search beside its limit of work; they count from `since`, a time of the clock
    `time.monotonic`, if not from now.

    Raises
    ------
    ScenarioError
        If there are too few or too many faces.
    NoVerdictError
        If the case is not modelled, or a limit strikes before any answer is found.
    """
    throws = Throws(seed=seed, flat=None if dice is None else tuple(dice))
    budget = _budget(max_seconds, since)
    with budget.running():
        return replace(case.system.resolve(case, throws=throws, budget=budget), case=case)


def _budget(max_seconds: float | None, since: float | None) -> Budget:
    return Budget(seconds=max_seconds, started=time.monotonic() if since is None else since)


@_with_lines
def judge(case: Case, resolution: Resolution | None = None, *, max_seconds: float | None = None, since: float | None = None) -> Judgement:
    """Rule on the case's proposal: is it legal, and the best the rules demand? `resolution` saves resolving again.

    `max_seconds` and `since` are those of `resolve`, for both together.

    Raises
    ------
    ScenarioError
        If the case has no proposal.
    """
    if case.proposal is None:
        raise ScenarioError(Problem("proposal", "is missing: there is nothing to judge"))
    budget = _budget(max_seconds, since)
    with budget.running():
        if resolution is None:
            resolution = replace(case.system.resolve(case, throws=Throws(), budget=budget), case=case)
        return case.system.judge(case, resolution, budget=budget)


@_with_lines
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
