"""Public functions: resolve a case, judge its proposal, compute its odds."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from numbers import Integral
from typing import Any, NamedTuple

from tabletop.budget import Budget, now
from tabletop.errors import Fault, ScenarioError, UsageError
from tabletop.messages import shown
from tabletop.ruling.odds import Odds
from tabletop.ruling.system import Case, System
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.table.dice import DiceSource

CaseLike = Case | str | os.PathLike[str] | Mapping[str, Any]
"""Ways to give a scenario: a case, a path, the name of a bundled scenario, a link, the text of a file, or its tables."""


class Report(NamedTuple):
    """A case with its resolution and, if it has a proposal, the judgement of that."""

    case: Case
    resolution: Resolution
    judgement: Judgement | None = None


def unresolved(case: Case) -> Report:
    """Return the report of a case before any charge is resolved."""
    return Report(case, Resolution(case.state, (), case.state))


def as_case(asked: CaseLike) -> Case:
    """Return the case itself, or read it if a path, name, link, text or tables are given.

    Raises
    ------
    ScenarioError
        If the file cannot be used.
    TypeError
        If it is none of these.
    """
    if isinstance(asked, Case):
        return asked
    if not isinstance(asked, (str, os.PathLike, Mapping)):
        raise TypeError(f"expected a case, a path, the name of a bundled scenario, the text or the tables of a file, given {shown(asked)}")
    from tabletop.scenario.reading import read_case

    return read_case(asked)


def resolve(
    case: CaseLike,
    *,
    dice: int | Sequence[int] | None = None,
    seed: int = 0,
    max_seconds: float | None = None,
    since: float | None = None,
    second_opinion: bool = False,
    fill: bool = False,
) -> Resolution:
    """Resolve every charge of a scenario.

    Parameters
    ----------
    case
        A case, or any other way to give a scenario (`CaseLike`).
    dice
        Natural faces, dealt in file order to the charges that roll; they replace the faces in the file.
    seed
        Seed of the throws of charges without faces.
    max_seconds
        Limit on the search time, in addition to the limit of work.
    since
        Start of that time, by the clock `time.monotonic`; by default, when the solver of the game is loaded.
    second_opinion
        Search each placement again with SciPy and record how it compares.
    fill
        Accept too few or too many faces: missing ones are thrown from `seed`, surplus ones are ignored.

    `dice` are natural faces, or one, dealt in order to the charges that roll, in place of their own; charges without faces throw
    them from `seed`. `max_seconds` limits the search beside its limit of work; they count from `since`, a time of the clock
    `time.monotonic`, if not from when what solves is loaded. With `second_opinion` SciPy looks for each place once more. With `fill` the
    faces of a charge may be too few or too many: what is missing is thrown from `seed`, what is too much is left.

    Raises
    ------
    ScenarioError
        If there are too few or too many faces.
    NoVerdictError
        If the case is not modelled, or a limit strikes before any answer is found.
    UsageError
        If `dice` are no natural faces, or a second opinion is asked of a system that has none.
    """
    case = as_case(case)
    flat = None if dice is None else _faces(dice, case.system.vocabulary.sides)
    if second_opinion:
        _refuse_without_statement(case.system)
    with _running(case, _limited(case, max_seconds, since)) as budget:
        answer = _answering(case, budget, seed=seed, flat=flat, fill=fill)
        if not second_opinion:
            return _with_certainty(case, answer(case), answer)
        from tabletop.second_opinion import with_second_opinion

        return _with_certainty(case, with_second_opinion(case, answer, budget=budget), answer)


def decide(case: Case, *, dice: Sequence[int] | None = None, seed: int = 0, fill: bool = False) -> Resolution:
    """Resolve one of many cases, without explanations.

    The verdict is that of `resolve`. Findings do not list further reasons against a charge, no uncertainty is computed for measured
    tables, and the proposal does not guide the search. Raises as `resolve` does.
    """
    flat = None if dice is None else _faces(dice, case.system.vocabulary.sides)
    with _running(case, Budget(explains=False)) as budget:
        return _answering(case, budget, seed=seed, flat=flat, fill=fill)(replace(case, proposal=None))


def _answering(
    case: Case, budget: Budget, *, seed: int = 0, flat: tuple[int, ...] | None = None, fill: bool = False
) -> Callable[[Case], Resolution]:
    """Return a function that resolves the case or a variant of it, each time with new throws from the same seed."""

    def answer(asked: Case) -> Resolution:
        """Resolve a case with new throws."""
        throws = DiceSource(seed=seed, flat=flat, fills=fill, sides=asked.system.vocabulary.sides)
        return replace(asked.system.resolve(asked, throws=throws, budget=budget), case=case, throws=throws)

    return answer


def _with_certainty(case: Case, resolution: Resolution, answer: Callable[[Case], Resolution]) -> Resolution:
    """Return the resolution with its uncertainty if the table was measured, else unchanged."""
    if case.measured is None:
        return resolution
    from tabletop.settling.uncertainty import with_uncertainty

    return with_uncertainty(case, resolution, answer)


def _refuse_without_statement(system: System) -> None:
    """Raise unless the system can state its placements as optimisation problems.

    Raises
    ------
    UsageError
        If it does not.
    """
    if not hasattr(system, "statement"):
        message = "no second opinion for {title}: it checks every possible place, so there is nothing to search again"
        raise UsageError(message, title=system.title)


def _faces(dice: int | Sequence[int], sides: int) -> tuple[int, ...]:
    """Return the natural faces as a tuple. Raises UsageError if one of them is not on the die."""
    faces: tuple[Any, ...] = tuple(dice) if isinstance(dice, Iterable) else (dice,)
    if not all(isinstance(face, Integral) and face in range(1, sides + 1) for face in faces):
        message = "dice: expected natural faces, whole numbers from 1 to {sides}, given {faces}"
        raise UsageError(message, sides=sides, faces=shown(list(faces)))
    return faces


def start_time(case: Case) -> float:
    """Return the current time of the clock `time.monotonic`, after loading the solver of the case's system."""
    if hasattr(case.system, "solver"):
        import_module(case.system.solver)
    return now()


def _limited(case: Case, max_seconds: float | None, since: float | None = None) -> Budget:
    """Return the budget with a limit in seconds, if there is one."""
    if max_seconds is None:
        return Budget()
    return Budget(seconds=max_seconds, started=start_time(case) if since is None else since)


@contextmanager
def _running(case: Case, budget: Budget) -> Iterator[Budget]:
    """Run a budget's clock, and add line numbers of the case's file to scenario errors raised meanwhile."""
    try:
        with budget.running():
            yield budget
    except ScenarioError as error:
        raise (error if case.lines is None else case.lines.with_lines(error)) from None
    except SystemExit as stopped:  # a third-party package must not end its user's program
        ended = RuntimeError(f"the system {case.system.name!r} tried to end the program: {stopped}")
        raise ended.with_traceback(stopped.__traceback__) from None


def judge(
    case: CaseLike, resolution: Resolution | None = None, *, max_seconds: float | None = None, since: float | None = None
) -> Judgement:
    """Judge the proposal of a scenario: whether it is legal, and as good as the rules demand.

    Parameters
    ----------
    case
        A case, or any other way to give a scenario (`CaseLike`).
    resolution
        Its resolution, if known; saves resolving it again.
    max_seconds, since
        As for `resolve`; one limit for resolving and judging together.

    Is it legal, and the best the rules demand? `resolution` saves resolving again.

    `max_seconds` and `since` are those of `resolve`, for both together.

    Raises
    ------
    ScenarioError
        If the case has no proposal.
    """
    case = as_case(case)
    if not (resolution is None or isinstance(resolution, Resolution)):
        raise TypeError(f"resolution: expected what tabletop.resolve returned for this case, given {shown(resolution)}")
    if case.proposal is None:
        raise ScenarioError(Fault.of("proposal", "is missing: a file to judge needs a [proposal] with the places claimed"))
    with _running(case, _limited(case, max_seconds, since)) as budget:
        if resolution is None:
            answer = _answering(case, budget)
            resolution = _with_certainty(case, answer(case), answer)
        claimed = replace(case, proposal=case.claimed(resolution))
        if case.measured is None:
            return replace(case.system.judge(claimed, resolution, budget=budget), case=case)
        from tabletop.settling.judging import judged_measured

        judged = judged_measured(claimed, resolution, lambda asked, answer: asked.system.judge(asked, answer, budget=budget))
        return replace(judged, case=case)


def answer(
    case: CaseLike,
    *,
    dice: int | Sequence[int] | None = None,
    seed: int = 0,
    max_seconds: float | None = None,
    second_opinion: bool = False,
    fill: bool = False,
) -> Report:
    """Resolve every charge and, if there is a proposal, judge it, both within `max_seconds`. Raises as `resolve` does."""
    case = as_case(case)
    limit: dict[str, float | None] = {"max_seconds": max_seconds, "since": start_time(case)}
    resolution = resolve(case, dice=dice, seed=seed, second_opinion=second_opinion, fill=fill, **limit)
    return Report(case, resolution, None if case.proposal is None else judge(case, resolution, **limit))


def odds(case: CaseLike, *, max_seconds: float | None = None) -> Odds:
    """Return the exact chances of every charge of a scenario over all dice; faces in the file are ignored.

    Raises
    ------
    NoVerdictError
        If the case is not modelled, or a limit strikes before every throw is settled.
    """
    case = as_case(case)
    with _running(case, _limited(case, max_seconds)) as budget:
        found = replace(case.system.odds(case, budget=budget), case=case)
        if case.measured is None:
            return found
        from tabletop.settling.uncertainty import with_range

        return with_range(case, found, lambda asked: asked.system.odds(asked, budget=budget))
