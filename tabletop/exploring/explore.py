"""Explore a scenario from Python: vary keys, resolve every case, get labelled arrays."""

import math
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np

from tabletop.api import resolve
from tabletop.budget import Budget
from tabletop.errors import UNKNOWN_KEY, Fault, NoVerdictError, ScenarioError, UsageError, naming
from tabletop.exploring.export import refuse_table
from tabletop.exploring.grid import Grid, check_values, expect, expect_texts, expect_whole, grid_of
from tabletop.exploring.key_paths import path_of
from tabletop.exploring.questions import (
    QUESTIONS,
    Name,
    Question,
    answered,
    asked,
    case_as_it_stands,
)
from tabletop.exploring.running import CORES, Execution, Progress, ignored, run
from tabletop.exploring.sampling import Region, is_random, keep_legal, sampled_axis
from tabletop.exploring.store import ResultStore
from tabletop.exploring.survey import Survey, survey_of
from tabletop.exploring.threats import safety_map, threat_map
from tabletop.exploring.varied import ANSWER, VariedScenario
from tabletop.messages import listed, say, says, shown
from tabletop.registry import named
from tabletop.ruling.system import Case
from tabletop.scenario.limits import CHARGES
from tabletop.scenario.reading import Source, read_tables, split
from tabletop.scenario.sources import label_of
from tabletop.table.dice import SIDES

MOST_WORKERS = 1_000
"""Processes of one machine."""


@dataclass(frozen=True)
class Sweep:
    """A scenario to vary, with the grid of the values that its keys take.

    Attributes
    ----------
    base
        The scenario as it is resolved; a question may have changed its charges.
    grid
        The varied keys and their values. Tables drawn at random are the first ones drawn, possible or not, until
        `with_legal_tables` replaces those that are impossible.
    tables
        Tables of the scenario file as read, without changes made by a question.
    """

    base: VariedScenario
    grid: Grid
    tables: Mapping[str, Any]

    def with_legal_tables(self, how: Execution) -> "Sweep":
        """Return this sweep with its randomly drawn tables replaced by possible ones; itself if nothing is drawn at
        random.

        A table is possible if no case of it is refused, say for overlapping models. Raises the errors of
        `sampling.keep_legal`.
        """
        if not self.grid.sampled:
            return self
        # what is wrong wherever things stand is told at once
        case_as_it_stands(self.tables, self.base.overrides)
        return replace(self, grid=keep_legal(self.base, self.grid, how))


def sweep_of(
    source: Source,
    vary: Sequence[str] = (),
    *,
    question: Question | None = None,
    step: float = 1.0,
    overrides: Sequence[str] = (),
    dice: Sequence[int] | None = None,
    seed: int = 0,
    region: Region | None = None,
) -> Sweep:
    """Return the sweep of a scenario over the values of `--vary` arguments, or over the cases of a named question.

    `step` is the spacing in inches of `units.NAME=board`, `overrides` are `--set` arguments, `dice` natural faces for
    every case. `region` bounds random places: least x and y, greatest x and y in inches, or first and last column and
    row of hexes.

    Raises
    ------
    UsageError
        If something varied is no key of the scenario, a value means nothing to its key, or the file has no charges.
    ScenarioError
        If the file cannot be used.
    """
    tables = read_tables(source)
    base = VariedScenario(tables, (), tuple(overrides), _faces(dice, tables), int(seed))
    if question is not None:
        if vary:
            raise UsageError("--question already determines what is varied; leave --vary out")
        sampled_axis((), tables, seed=seed, region=region)
        return _tried(Sweep(*asked(question, base), tables))
    sampled = sampled_axis(
        [text for text in vary if is_random(text)], tables, seed=seed, region=region
    )
    grid = grid_of(
        [text for text in vary if not is_random(text)], tables, step=step, sampled=sampled
    )
    check_values(grid.axes, tables)
    rooms = dict(zip(("rules", "system"), split(overrides), strict=True))
    for key in grid.keys:
        room, *parts = path_of(key)
        is_set = bool(parts) and parts[0] in rooms.get(room, ())
        if is_set or (dice is not None and room == "charges" and parts[1:2] == ["dice"]):
            message = "--vary {key}: {option} sets the same key; leave one of the two out"
            raise UsageError(message, key=key, option="--set" if is_set else "--dice")
    return _tried(Sweep(replace(base, keys=grid.keys), grid, tables))


def _tried(what: Sweep) -> Sweep:
    """Return a sweep unchanged, after checking its first case for unknown keys and its file for charges.

    Raises UsageError if the file has no charges or a varied key does not exist. Other errors of the case, such as
    overlapping models, are not raised: they concern that case alone.
    """
    if not what.base.tables.get("charges"):
        raise UsageError("there is nothing to resolve, because the file has no [[charges]]")
    try:
        what.base.case(what.grid[0])
    except ScenarioError as error:
        unknown = [problem for problem in error.problems if says(problem.message, UNKNOWN_KEY)]
        if unknown:
            raise UsageError(
                listed(
                    (say("--vary {problem}", problem=problem.sentence) for problem in unknown), "\n"
                )
            ) from None
    return what


def refuse_hopeless(what: Sweep, whole: Survey) -> None:
    """Raise ScenarioError if every case of a survey is invalid and has no chance, so that the scenario itself is at
    fault.

    The first case is resolved again for its fault; nothing is raised if that succeeds.

    Raises
    ------
    ScenarioError
        With what is wrong with the first of them.
    """
    if (
        not np.isin(whole.column("outcome"), ("", "invalid")).all()
        or not np.isnan(whole.column("chance")).all()
    ):
        return
    with suppress(NoVerdictError):
        try:
            resolve(
                what.base.case(what.grid[0]),
                dice=what.base.dice,
                seed=what.base.seed,
                contrast=False,
            )
        except ScenarioError as error:
            first = error.problems[0]
            alike = (
                "{message} (in the first case; none of the other cases is a possible table either)"
            )
            raise ScenarioError(Fault.of(first.key, alike, message=first.message)) from None


def explore(  # noqa: PLR0913 - each is an option of the command too
    source: Source | Case,
    vary: Sequence[str] | Mapping[str, Iterable[float | str]] = (),
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
    done: Progress | None = None,
    full: bool = False,
    max_seconds: float | None = None,
    region: Region | None = None,
    all_tables: bool = False,
) -> Survey:
    """Resolve a scenario for every combination of values of its varied keys, and return the answers as labelled arrays.

    Parameters
    ----------
    source
        A case, a scenario file, a bundled scenario's name, a link, the text of a file, or its tables.
    vary
        What is varied, as `--vary` takes it: `units.B.at.0=10:20:0.25`, `rules.tie=centre,least-slide`,
        `units.B=board`, `units.B=random:500` (places), `units.B.facing_deg=random:500:0:360` (numbers). All that is
        random is drawn together, and has one axis, `random`, which counts the tables; what was drawn is in columns
        named by the keys, as `units.B.x`. Or a dictionary with an array, or a list of numbers or words, for each key.
    question
        A named question, or its name, in place of `vary`; the results are then reduced to its answer.
    out
        Table to write (.csv or .parquet); cases it already holds are not resolved again. Left out: nothing is written.
    step
        Inches between the positions of `units.NAME=board`.
    seed
        Seed of what is drawn at random, and of dice that the file leaves out.
    charge
        Number, from 0, of the charge in the file whose answers are returned.
    workers
        Number of processes; 1 resolves in this process, one case after another. Left out: one per core.
    scheduler
        Address of a Dask scheduler whose workers do the work.
    done
        Function called with the number of newly resolved cases whenever some arrive.
    full
        Resolve every case of the questions `threat` and `safe`, with all columns and metrics. By default a table in
        `out` has no metrics, and without `out` only chances and shortest rolls are computed where the system does so
        for many places at once.
    max_seconds
        Limit in seconds for all cases together; when it is reached, finished cases are kept in `out`, and the same call
        resumes.
    region
        Where random places lie: least x, least y, greatest x, greatest y, in inches, or first and last column and row
        of hexes. Left out: the whole board.
    all_tables
        Keep the first random tables even if impossible (outcome `invalid`); by default impossible tables are drawn
        anew.

    Returns
    -------
    Survey
        Arrays with one dimension for each key varied, and one for all that is random.

    Raises
    ------
    ScenarioError
        If the file cannot be used, or too few possible random tables are found; with the fault of the first impossible
        one.
    UsageError
        If something varied is no key of the scenario, or a value means nothing to its key or to an argument.
    TypeError
        If an argument has the wrong type.
    TableError
        If the table in `out` is damaged.
    NoVerdictError
        If `max_seconds` is reached before all cases are resolved.
    """
    if isinstance(vary, Mapping):
        vary = [
            f"{key}={','.join(str(value) for value in np.ravel(np.asarray(values)).tolist())}"
            for key, values in vary.items()
        ]
    expect_texts("vary", vary, "what is varied")
    expect_texts("overrides", overrides, "what is set")
    expect(
        "question",
        question,
        (str, Question),
        f"a Question or the name of one ({', '.join(QUESTIONS)})",
        or_none=True,
    )
    expect("out", out, (str, os.PathLike), "the path of a table", or_none=True)
    expect("step", step, Real, "inches")
    expect("seed", seed, Integral, "a whole number")
    expect("scheduler", scheduler, str, "the address of a scheduler", or_none=True)
    expect("done", done, Callable, "a function that takes a number", or_none=True)
    expect("max_seconds", max_seconds, Real, "seconds", or_none=True)
    expect_whole("workers", workers, 1, MOST_WORKERS, or_none=True)
    expect_whole("charge", charge, 0, CHARGES - 1)
    if max_seconds is not None and not 0 < max_seconds < math.inf:
        raise UsageError(
            "max_seconds: expected seconds greater than 0, given {max_seconds}",
            max_seconds=str(max_seconds),
        )
    how = Execution(workers or CORES, scheduler, done or ignored, Budget(seconds=max_seconds))
    question = Question(question, step=step) if isinstance(question, str) else question
    if isinstance(source, Case):
        if source.tables is None:
            raise UsageError(
                "this case was changed after it was read, or uses changed numbers of the book; pass its file or "
                "its tables instead"
            )
        source = source.tables
    with naming(label_of(source)):
        what = sweep_of(
            source,
            vary,
            question=question,
            step=step,
            overrides=overrides,
            dice=dice,
            seed=seed,
            region=region,
        )
        _refuse_charge(charge, what.tables)
        what = what if all_tables else what.with_legal_tables(how)
    path = None if out is None else Path(out)
    found = None if question is None or full else mapped(question, what, path, how)
    found = run_sweep(what, path, how, charge=charge) if found is None else found
    with naming(label_of(source)):
        # with the case and the name of the question results can be drawn
        case = case_as_it_stands(what.tables, overrides)
    if question is None:
        return replace(found, case=case)
    return replace(answered(question, found), case=case, question=question.name)


def _refuse_charge(charge: int, tables: Mapping[str, Any]) -> None:
    """Raise UsageError if the file has no charge of the number `charge`, counted from 0."""
    charges = tables["charges"]
    count = len(charges) if isinstance(charges, list) else CHARGES
    if charge >= count:
        message = "charge: expected the number of one of the file's {count} charges, counted from 0, given {charge}"
        raise UsageError(message, count=count, charge=charge)


def _faces(dice: Iterable[int] | None, tables: Mapping[str, Any]) -> tuple[int, ...] | None:
    """Return natural dice faces as a tuple of integers, or None if `dice` is None.

    Faces must lie between 1 and the sides of the system's dice, or 6 if the file names no system. Raises TypeError or
    UsageError.
    """
    if dice is None:
        return None
    if isinstance(dice, (str, bytes)) or not isinstance(dice, Iterable):
        raise TypeError(
            f"dice: expected a list of natural faces, as in [4, 2], given {shown(dice)}"
        )
    faces = tuple(dice)
    system = named(tables)
    sides = SIDES if system is None else system.vocabulary.sides
    for face in faces:
        expect("dice", face, Integral, "a whole number")
        if not 1 <= face <= sides:
            raise UsageError(
                "dice: expected faces from 1 to {sides}, given {face}", sides=sides, face=face
            )
    return tuple(map(int, faces))


def mapped(question: Question, what: Sweep, out: Path | None, how: Execution) -> Survey | None:
    """Answer the question `threat` or `safe` without metrics; None for other questions, and where every case must be
    resolved.

    Without a table `out` the survey holds only chances and shortest rolls, from systems that compute them at many
    places at once; with a table every place is resolved and written.
    """
    if question.name not in ("threat", "safe"):
        return None
    if out is None:
        return (threat_map if question.name == "threat" else safety_map)(what.base, what.grid, how)
    return run_sweep(replace(what, base=replace(what.base, has_metrics=False)), out, how)


def run_sweep(
    what: Sweep,
    out: Path | None,
    how: Execution,
    *,
    charge: int = 0,
    only: Collection[str] | None = None,
) -> Survey:
    """Resolve the cases that the table `out` lacks, complete the table, and return the answers to one charge as a
    survey.

    `only` limits the survey to these columns; if one of them does not exist, all columns are returned. Raises the
    errors of `ResultStore` and `run`.
    """
    if out is not None:
        refuse_table(out)
    with ResultStore(out, what.base, what.grid) as store:
        how.progress(len(what.grid) - len(store.missing))
        run(what.base, what.grid, store, how)
        store.finish()
        rows = partial(store.answers, has_details=only is None or not set(ANSWER).issuperset(only))
        found = survey_of(what.grid, rows, charge=charge, only=only)
        return (
            found
            if found.values.keys() >= set(only or ())
            else survey_of(what.grid, store.answers, charge=charge)
        )
