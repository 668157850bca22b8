"""Explore a scenario from Python: vary keys, resolve every case, get labelled arrays."""

import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tabletop.asking import resolve
from tabletop.budget import Budget
from tabletop.errors import Fault, NoVerdictError, ScenarioError, UsageError
from tabletop.exploring.axes import Grid, grid_of
from tabletop.exploring.base import BaseScenario
from tabletop.exploring.journal import Journal
from tabletop.exploring.known import Known
from tabletop.exploring.questions import Name, Question, answered, asked
from tabletop.exploring.running import UNLIMITED, Done, run
from tabletop.exploring.survey import Survey, survey_of
from tabletop.exploring.table import read_rows, refuse_table
from tabletop.exploring.threats import safety_map, threat_map
from tabletop.exploring.understood import refuse_misread
from tabletop.scenario.reading import case_from_tables, read_tables

__all__ = ["Done", "Expedition", "expedition", "explore", "undertake"]


@dataclass(frozen=True)
class Expedition:
    """A scenario with the grid of what is varied; `tables` are those of its file, whatever a question makes of them."""

    base: BaseScenario
    grid: Grid
    tables: Mapping[str, Any]


def expedition(
    source: str | Path,
    vary: Sequence[str] = (),
    *,
    question: Question | None = None,
    step: float = 1.0,
    overrides: Sequence[str] = (),
    dice: Sequence[int] | None = None,
    seed: int = 0,
) -> Expedition:
    """Read a scenario and what is varied in it, by keys or by a question with a name.

    Raises
    ------
    UsageError
        If something varied is no key of the scenario, a value means nothing to its key, or the file has no charges.
    ScenarioError
        If the file cannot be used.
    """
    tables = read_tables(source)
    base = BaseScenario(tables, (), tuple(overrides), None if dice is None else tuple(dice), seed)
    if question is not None:
        if vary:
            raise UsageError("--question says itself what is varied; leave --vary out")
        return _tried(Expedition(*asked(question, base), tables))
    grid = grid_of(vary, tables, step=step)
    refuse_misread(grid.axes, tables)
    return _tried(Expedition(replace(base, keys=grid.keys), grid, tables))


def _tried(what: Expedition) -> Expedition:
    """Refuse keys that no scenario has before thousands of cases are refused one by one; a place that cannot be is no such key."""
    if not what.base.tables.get("charges"):
        raise UsageError("there is nothing to resolve; the file has no [[charges]]")
    try:
        what.base.case(what.grid[0])
    except ScenarioError as error:
        unknown = [problem for problem in error.problems if "unknown key" in problem.message]
        if unknown:
            raise UsageError("\n".join(f"--vary {problem}" for problem in unknown)) from None
    return what


def refuse_hopeless(what: Expedition, whole: Survey) -> None:
    """Refuse results of which every one says that its case cannot be.

    Raises
    ------
    ScenarioError
        With what is wrong with the first of them.
    """
    told = "outcome" in whole.values
    if not (whole.column("outcome") == "invalid" if told else np.isnan(whole.column("chance"))).all():
        return
    with suppress(NoVerdictError):
        try:
            resolve(what.base.case(what.grid[0]), dice=what.base.dice, seed=what.base.seed)
        except ScenarioError as error:
            first = error.problems[0]
            raise ScenarioError(Fault(first.key, f"{first.message} (in the first case, and none of the others can be either)")) from None


def explore(  # noqa: PLR0913 - each is an option of the command too
    source: str | Path,
    vary: Sequence[str] = (),
    *,
    question: Question | Name | None = None,
    out: str | Path | None = None,
    step: float = 1.0,
    overrides: Sequence[str] = (),
    dice: Sequence[int] | None = None,
    seed: int = 0,
    charge: int = 0,
    workers: int | None = None,
    scheduler: str | None = None,
    done: Done | None = None,
    full: bool = False,
    max_seconds: float | None = None,
) -> Survey:
    """Resolve a scenario for all values of some keys.

    Parameters
    ----------
    source
        A scenario file or a bundled scenario's name.
    vary
        What is varied, as `--vary` takes it: `units.B.at.0=10:20:0.25`, `rules.tie=centre,least-slide`, `units.B=board`.
    question
        A question with a name instead, or its name alone; the results are then reduced to its answer.
    out
        Table to write (.csv or .parquet); what stands there already is not resolved again. Left out: nothing is kept.
    step
        Inches between the positions of `units.NAME=board`.
    charge
        Number of the charge in the file whose answers are given.
    workers
        Processes; 1 resolves here, one case after another. Left out: one for each core.
    scheduler
        Address of a Dask scheduler whose workers do the work.
    done
        Told how many cases came in, whenever some did.
    full
        Resolve every case of the questions `threat` and `safe`, for all columns, also where the system tells chances at many places
        at once.
    max_seconds
        Seconds for all cases together; when they are over what is done is kept in `out`, and asking again goes on.

    Returns
    -------
    Survey
        Arrays with one dimension for each key varied.

    Raises
    ------
    ScenarioError
        If the file cannot be used.
    UsageError
        If something varied is no key of the scenario, or a value means nothing to its key.
    NoVerdictError
        If the seconds are over before all cases are resolved.
    """
    if isinstance(vary, str):
        raise TypeError(f"expected a list of what is varied, as in [{vary!r}]")
    question = Question(question, step=step) if isinstance(question, str) else question
    what = expedition(source, vary, question=question, step=step, overrides=overrides, dice=dice, seed=seed)
    limit = Budget(seconds=max_seconds)
    if question is not None and not full:
        found = mapped(question, what, None if out is None else Path(out), workers=workers, scheduler=scheduler, done=done, limit=limit)
        if found is not None:
            return answered(question, found)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "results.csv") if out is None else Path(out)
        known = undertake(what, table, workers=workers, scheduler=scheduler, done=done, limit=limit)
        survey = survey_of(what.grid, partial(read_rows, table), charge=charge, known=known)
        told = survey if question is None else answered(question, survey)
    case = case_from_tables(what.tables, overrides=overrides)
    return replace(told, case=case, question=None if question is None else question.name)


def mapped(
    question: Question,
    what: Expedition,
    out: Path | None,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    done: Done | None = None,
    limit: Budget = UNLIMITED,
) -> Survey | None:
    """Give chances and shortest rolls alone, where the system tells them at many places at once; None where it does not."""
    count = workers or os.cpu_count() or 1
    if question.name == "threat":
        return threat_map(what.base, what.grid, out=out, workers=count, scheduler=scheduler, done=done, limit=limit)
    if question.name == "safe" and out is None:
        return safety_map(what.base, what.grid, workers=count, scheduler=scheduler, done=done, limit=limit)
    return None


def undertake(
    what: Expedition,
    table: Path,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    done: Done | None = None,
    limit: Budget = UNLIMITED,
) -> Known:
    """Resolve whatever is not in the table yet, and finish it; give what its rows are known by."""
    refuse_table(table)
    with Journal(table, what.base, what.grid) as journal:
        if done is not None:
            done(len(what.grid) - len(journal.missing))
        run(what.base, what.grid, journal, workers=workers or os.cpu_count() or 1, scheduler=scheduler, done=done, limit=limit)
        return journal.known
