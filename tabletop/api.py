"""Public functions: resolve a case, judge its proposal, compute its odds."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from numbers import Integral
from typing import Any, NamedTuple

from tabletop.budget import Budget, now
from tabletop.errors import Fault, NoVerdictError, ScenarioError, UsageError
from tabletop.messages import shown
from tabletop.ruling.contrast import Contrast
from tabletop.ruling.odds import Odds
from tabletop.ruling.system import Case, System
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.table.dice import DiceSource

CaseLike = Case | str | os.PathLike[str] | Mapping[str, Any]
"""Ways to give a scenario: a case, a path, the name of a bundled scenario, a link, the text of a file, or its
tables."""


class Report(NamedTuple):
    """A case with its resolution and the judgement on the places that it claims; None if it claims none."""

    case: Case
    resolution: Resolution
    judgement: Judgement | None = None


def unresolved(case: Case) -> Report:
    """Return the report of a case before any charge is resolved: no rulings, and the table afterwards is the table of
    the file.
    """
    return Report(case, Resolution(case.state, (), case.state))


def as_case(asked: CaseLike) -> Case:
    """Return a case as it is, or read it from whatever else is given: a path, the name of a bundled scenario, a link,
    text, or tables.

    Raises
    ------
    ScenarioError
        If the scenario cannot be read or has faults.
    TypeError
        If what is given is none of these.
    """
    if isinstance(asked, Case):
        return asked
    if not isinstance(asked, (str, os.PathLike, Mapping)):
        raise TypeError(
            "expected a case, a path, the name of a bundled scenario, the text or the tables of a file, "
            f"given {shown(asked)}"
        )
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
    contrast: bool = True,
    fill: bool = False,
) -> Resolution:
    """Resolve every charge of a scenario: what it comes to, by which rules, with its moves and its chance.

    Parameters
    ----------
    case
        A case, or any other way to give a scenario (`CaseLike`).
    dice
        Natural faces (a single one may be given as a number), dealt in file order to the charges that roll; they
        replace the faces in the file.
    seed
        Seed of the throws of charges without faces.
    max_seconds
        Limit on the search time in seconds, in addition to the limit of work.
    since
        Start of that time, by the clock `time.monotonic`; by default, when the solver of the game is loaded.
    second_opinion
        Search each placement again with SciPy and record in each ruling how the two compare.
    contrast
        Add to each ruling the nearest alternatives that may not, or need not, be taken.
    fill
        Accept too few or too many faces: missing ones are thrown from `seed`, surplus ones are ignored.

    Returns
    -------
    Resolution
        A ruling for each charge in file order, and the tables before and after all charges.

    Raises
    ------
    ScenarioError
        If the scenario has faults, or there are too few or too many faces.
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
            resolution = _with_certainty(case, answer(case), answer)
        else:
            from tabletop.second_opinion import with_second_opinion

            resolution = _with_certainty(
                case, with_second_opinion(case, answer, budget=budget), answer
            )
        return _with_contrast(case, resolution, budget) if contrast else resolution


def decide(
    case: Case, *, dice: Sequence[int] | None = None, seed: int = 0, fill: bool = False
) -> Resolution:
    """Resolve one of many cases, without explanations: outcomes, rules and chances are those of `resolve`.

    Findings do not list further reasons against a charge, no uncertainty is computed for measured tables, and the
    proposal does not guide the search. Raises as `resolve` does.
    """
    flat = None if dice is None else _faces(dice, case.system.vocabulary.sides)
    with _running(case, Budget(explains=False)) as budget:
        return _answering(case, budget, seed=seed, flat=flat, fill=fill)(
            replace(case, proposal=None)
        )


def _answering(
    case: Case,
    budget: Budget,
    *,
    seed: int = 0,
    flat: tuple[int, ...] | None = None,
    fill: bool = False,
) -> Callable[[Case], Resolution]:
    """Return a function that resolves the case, or a variant of it, with dice dealt or thrown anew from the same faces
    and seed.
    """

    def answer(asked: Case) -> Resolution:
        """Resolve a case, or a variant of it, with a new source of dice."""
        throws = DiceSource(seed=seed, flat=flat, fills=fill, sides=asked.system.vocabulary.sides)
        resolution = asked.system.resolve(asked, throws=throws, budget=budget)
        rulings = tuple(
            replace(ruling, point=case.point, case=case) for ruling in resolution.rulings
        )
        return replace(resolution, rulings=rulings, case=case, throws=throws)

    return answer


def _with_certainty(
    case: Case, resolution: Resolution, answer: Callable[[Case], Resolution]
) -> Resolution:
    """Return the resolution with its uncertainty if the table was measured, else unchanged.

    `answer` resolves the other tables that the measured one may be.
    """
    if case.measured is None:
        return resolution
    from tabletop.settling.uncertainty import with_uncertainty

    return with_uncertainty(case, resolution, answer)


def _with_contrast(
    case: Case, resolution: Resolution, budget: Budget, judgement: Judgement | None = None
) -> Resolution:
    """Return the resolution with the contrasts of its rulings: None for a ruling where a limit ends their search.

    Systems get the case with the exact places that it claims if the `judgement` finds them right, else without claims.
    """
    is_right = judgement is not None and judgement.outcome == "success" and case.measured is None
    case = replace(case, proposal=case.claimed(resolution) if is_right else None)
    rulings = []
    for ruling in resolution.rulings:
        found: tuple[Contrast, ...] | None = None
        with suppress(NoVerdictError):
            found = (
                *case.system.missing(ruling),
                *case.system.contrasts(case, resolution, ruling, budget=budget),
            )
        rulings.append(replace(ruling, contrast=found))
    return replace(resolution, rulings=tuple(rulings))


def _refuse_without_statement(system: System) -> None:
    """Raise unless the system can state its placements as optimisation problems, which a second opinion solves.

    Raises
    ------
    UsageError
        If it cannot.
    """
    if not hasattr(system, "statement"):
        message = "no second opinion for {title}: it checks every possible place, so there is nothing to search again"
        raise UsageError(message, title=system.title)


def _faces(dice: int | Sequence[int], sides: int) -> tuple[int, ...]:
    """Return natural faces as a tuple of integers; a single face becomes a tuple of one.

    Raises
    ------
    UsageError
        If one of them is no whole number from 1 to `sides`.
    """
    faces: tuple[Any, ...] = tuple(dice) if isinstance(dice, Iterable) else (dice,)
    if not all(isinstance(face, Integral) and face in range(1, sides + 1) for face in faces):
        message = "dice: expected natural faces, whole numbers from 1 to {sides}, given {faces}"
        raise UsageError(message, sides=sides, faces=shown(list(faces)))
    return faces


def start_time(case: Case) -> float:
    """Return the current time in seconds of the clock `time.monotonic`, after loading the solver of the case's
    system.
    """
    if hasattr(case.system, "solver"):
        import_module(case.system.solver)
    return now()


def _limited(case: Case, max_seconds: float | None, since: float | None = None) -> Budget:
    """Return a budget with the default limit of work and, unless `max_seconds` is None, a limit in seconds counted from
    `since`.

    By default the seconds count from when the solver of the case's system is loaded.
    """
    if max_seconds is None:
        return Budget()
    return Budget(seconds=max_seconds, started=start_time(case) if since is None else since)


@contextmanager
def _running(case: Case, budget: Budget) -> Iterator[Budget]:
    """Make a budget the current one in a `with` block, and give scenario errors raised in it the lines of the case's
    file.

    An attempt of a third-party system to end the program becomes a RuntimeError.
    """
    try:
        with budget.running():
            yield budget
    except ScenarioError as error:
        raise (error if case.lines is None else case.lines.with_lines(error)) from None
    except SystemExit as stopped:  # a third-party package must not end its user's program
        ended = RuntimeError(f"the system {case.system.name!r} tried to end the program: {stopped}")
        raise ended.with_traceback(stopped.__traceback__) from None


def judge(
    case: CaseLike,
    resolution: Resolution | None = None,
    *,
    max_seconds: float | None = None,
    since: float | None = None,
) -> Judgement:
    """Judge the proposal of a scenario: whether the claimed places are legal, and as good as the rules demand.

    Parameters
    ----------
    case
        A case, or any other way to give a scenario (`CaseLike`).
    resolution
        What `resolve` returned for this case, if known; saves resolving it again.
    max_seconds, since
        As for `resolve`; one limit for resolving and judging together.

    Returns
    -------
    Judgement
        The verdict with the findings on each claimed unit and, if a claim is wrong, a place that would be right.

    Raises
    ------
    ScenarioError
        If the scenario has faults, or no proposal.
    NoVerdictError
        If a limit strikes before there is a verdict.
    TypeError
        If `resolution` is no resolution.
    """
    case = as_case(case)
    if not (resolution is None or isinstance(resolution, Resolution)):
        raise TypeError(
            f"resolution: expected what tabletop.resolve returned for this case, given {shown(resolution)}"
        )
    if case.proposal is None:
        raise ScenarioError(
            Fault.of(
                "proposal", "is missing: a file to judge needs a [proposal] with the places claimed"
            )
        )
    with _running(case, _limited(case, max_seconds, since)) as budget:
        if resolution is None:
            answer = _answering(case, budget)
            resolution = _with_certainty(case, answer(case), answer)
        claimed = replace(case, proposal=case.claimed(resolution))
        if case.measured is None:
            return replace(_judged(claimed, resolution, budget), case=case)
        from tabletop.settling.judging import judged_measured

        judged = judged_measured(claimed, resolution, partial(_judged, budget=budget))
        return replace(judged, case=case)


def _judged(case: Case, resolution: Resolution, budget: Budget) -> Judgement:
    """Return the judgement of the game on the claims of a case.

    The attempts of a resolution that was pickled are made again, with the faces that were rolled.
    """
    system = case.system
    if system.keeps_attempts and any(ruling.attempt is None for ruling in resolution.rulings):
        throws = (resolution.throws or DiceSource()).again()
        asked = replace(case, state=resolution.before)
        made = system.resolve(asked, throws=throws, budget=budget).rulings
        rulings = (
            replace(ruling, attempt=again.attempt)
            for ruling, again in zip(resolution.rulings, made, strict=True)
        )
        resolution = replace(resolution, rulings=tuple(rulings))
    return system.judge(case, resolution, budget=budget)


def answer(
    case: CaseLike,
    *,
    dice: int | Sequence[int] | None = None,
    seed: int = 0,
    max_seconds: float | None = None,
    second_opinion: bool = False,
    contrast: bool = True,
    fill: bool = False,
) -> Report:
    """Resolve every charge and, if places are claimed, judge them, both within `max_seconds`; options are those of
    `resolve`.

    Where claimed places are right, contrasts may be alternatives to them rather than to the resolved ones. Raises as
    `resolve` and `judge` do. A NoVerdictError of `judge` has the report without a judgement.
    """
    case = as_case(case)
    limit: dict[str, float | None] = {"max_seconds": max_seconds, "since": start_time(case)}
    resolution = resolve(
        case,
        dice=dice,
        seed=seed,
        second_opinion=second_opinion,
        contrast=False,
        fill=fill,
        **limit,
    )
    judgement = None
    error = None
    if case.proposal is not None:
        try:
            judgement = judge(case, resolution, **limit)
        except NoVerdictError as stopped:
            error = stopped
    if contrast:
        with _running(case, _limited(case, **limit)) as budget:
            resolution = _with_contrast(case, resolution, budget, judgement)
    if error is not None:
        error.report = Report(case, resolution)
        raise error
    return Report(case, resolution, judgement)


def odds(case: CaseLike, *, max_seconds: float | None = None, since: float | None = None) -> Odds:
    """Return the exact chances of every charge of a scenario over all dice, as fractions; faces in the file are
    ignored.

    For a measured table also the ranges of chances over other tables within the accuracy.

    Parameters
    ----------
    case
        A case, or any other way to give a scenario (`CaseLike`).
    max_seconds, since
        As for `resolve`.

    Raises
    ------
    ScenarioError
        If the scenario has faults.
    NoVerdictError
        If the case is not modelled, or a limit strikes before the outcome of every throw is known.
    """
    case = as_case(case)
    with _running(case, _limited(case, max_seconds, since)) as budget:
        found = replace(case.system.odds(case, budget=budget), case=case)
        if case.measured is None:
            return found
        from tabletop.settling.uncertainty import with_range

        return with_range(case, found, lambda asked: asked.system.odds(asked, budget=budget))
