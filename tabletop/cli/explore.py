"""The command `explore`: resolve many variants, with progress, a table of results and a map."""

import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np

from tabletop.budget import Budget
from tabletop.cli.errors import ExitCode
from tabletop.cli.options import ExploredFile, ExploreOptions, load_plots, refuse_unwritable
from tabletop.cli.output import is_terminal, print_text, say_json, warn_of_unresolved
from tabletop.errors import ScenarioError, UsageError, naming
from tabletop.exploring.explore import (
    MOST_WORKERS,
    Sweep,
    mapped,
    refuse_hopeless,
    run_sweep,
    sweep_of,
)
from tabletop.exploring.grid import MOST_VALUES
from tabletop.exploring.jitter import Jitter, accuracy_of
from tabletop.exploring.key_paths import path_of, with_values
from tabletop.exploring.questions import (
    MOST_FACINGS,
    QUESTIONS,
    Name,
    Question,
    answered,
    case_as_it_stands,
    steadiness,
)
from tabletop.exploring.running import CORES, Execution, Progress
from tabletop.exploring.sampling import region_of
from tabletop.exploring.survey import Survey
from tabletop.language.speech import in_its_terms, translated, words
from tabletop.messages import listed, say
from tabletop.ruling.system import Case
from tabletop.scenario.reading import case_from_tables, value_of
from tabletop.scenario.sources import is_file, label_of

MOST_UNASKED = 1_000_000
"""Cases beyond which `--yes` is needed."""

SUMMED_UP = ("outcome", "chance")
"""Columns that the summary needs."""

OF_JITTER = ("rule", "tightest")
"""Columns that the question "jitter" also needs; kept out otherwise, since reasons take much memory in large runs."""

_MAPS = ("threat", "safe", "start")

ASKED_BY: dict[str, tuple[str, ...]] = {
    "unit": _MAPS,
    "step": _MAPS,
    "facings": _MAPS,
    "within": ("jitter",),
    "accuracy": ("jitter",),
    "samples": ("jitter",),
    "full": ("threat", "safe"),
}
"""Questions on which each option has an effect."""


def explore(asked: ExploredFile, plan: ExploreOptions, *, as_json: bool) -> ExitCode:
    """Resolve the cases that the table of results lacks, draw a map if asked for, print a summary, and return the exit
    code.
    """
    _refuse_idle(plan)
    question = question_of(plan)
    if plan.figure is not None:
        refuse_unwritable(plan.figure)
        _refuse_source(asked.file, plan.figure)
    if (plan.workers or 1) > MOST_WORKERS:
        raise UsageError(
            "--workers {workers}: expected no more than {most:,}",
            workers=plan.workers,
            most=MOST_WORKERS,
        )
    with naming(label_of(asked.file)):
        what = sweep_of(
            asked.file,
            plan.vary or (),
            question=question,
            step=Question.step if plan.step is None else plan.step,
            overrides=asked.overrides,
            dice=asked.faces(),
            seed=asked.seed,
            region=region_of(plan.region),
        )
        if plan.all_tables and not what.grid.sampled:
            raise UsageError(
                "--all-tables has no effect without random tables: add --vary units.NAME=random:N"
            )
        if len(what.grid) > MOST_UNASKED and not plan.yes:
            shape = listed((say("{count:,}", count=count) for count in what.grid.shape), " x ")
            message = "{count:,} cases ({shape}): confirm with --yes, or take a larger step"
            raise UsageError(message, count=len(what.grid), shape=shape)
        _warn_of(asked, what)
        how = Execution(
            plan.workers or CORES, plan.scheduler, limit=Budget(seconds=asked.max_seconds)
        )
        try:
            if what.grid.sampled and not plan.all_tables:
                with _progress(len(what.grid.axes[0].values)) as progress:
                    what = what.with_legal_tables(replace(how, progress=progress))
            with _progress(len(what.grid)) as progress:
                whole = _found(what, plan, question, replace(how, progress=progress))
        except KeyboardInterrupt:
            raise KeyboardInterrupt(_kept(plan.out)) from None
        refuse_hopeless(what, whole)
        survey = whole if question is None else answered(question, whole)
        if plan.show is not None:
            survey.column(plan.show)  # raises for an unknown column even if nothing is drawn
        # from tables, since standard input cannot be read twice
        case = case_as_it_stands(what.tables, asked.overrides)
        if plan.figure is not None:
            load_plots().draw_map(
                case,
                survey,
                plan.figure,
                show=plan.show,
                question=plan.question,
                setting=plan.look.setting(),
            )
    summary = _summary(what, plan, whole, survey)
    if as_json:
        say_json(summary)
    else:
        print_text(_answer(case, survey, plan))
        print_text("\n".join(_lines(summary)))
    return ExitCode.DONE


def _warn_of(asked: ExploredFile, what: Sweep) -> None:
    """Print the doubts about the file as it stands; numbers of profiles that are varied count as given."""
    varied = dict(zip(what.grid.keys, what.grid[0], strict=True))
    given = {key: value for key, value in varied.items() if "profile" in path_of(key)}
    tables = with_values(what.tables, tuple(given), tuple(given.values()))
    with suppress(ScenarioError):  # an impossible table, which the varied values may correct
        warn_of_unresolved(
            asked.file,
            case_from_tables(tables, overrides=asked.overrides),
            max_seconds=asked.max_seconds,
        )


@in_its_terms
def _answer(case: Case, survey: Survey, plan: ExploreOptions) -> str:
    """Return the result of a survey in the words of its figure, after the name of the column if it is not the
    chance.
    """
    from plots.marks.survey_words import column_words, found_words

    found = found_words(case, survey, show=plan.show, question=plan.question)
    return (
        found if plan.show in (None, "chance", "outcome") else f"{column_words(plan.show)}: {found}"
    )


def _refuse_source(file: str, figure: Path) -> None:
    """Raise UsageError if the map would overwrite the scenario file itself, which may be the only copy."""
    source = Path(file)
    if is_file(source) and figure.exists() and source.samefile(figure):
        raise UsageError(
            "{figure} is the scenario itself, which the map would overwrite: name another file",
            figure=figure,
        )


def _kept(table: Path | None) -> str:
    """Return the message on where an interrupted run keeps its finished rows."""
    if table is None:
        return say("nothing is kept, because no file was named with -o")
    return say(
        "finished rows are kept beside {table}; run the same command again to continue",
        table=str(table),
    )


def _found(what: Sweep, plan: ExploreOptions, question: Question | None, how: Execution) -> Survey:
    """Return the survey: only of chances if the system computes them directly and no more is asked for, else of all
    cases.
    """
    found = (
        mapped(question, what, plan.out, how)
        if question is not None and plan.wants_chances
        else None
    )
    if found is not None:
        return found
    jitter = OF_JITTER if plan.question == "jitter" else ()
    shown = () if plan.show is None else (plan.show,)
    return run_sweep(what, plan.out, how, only={*SUMMED_UP, *jitter, *shown})


def _refuse_idle(plan: ExploreOptions) -> None:
    """Raise UsageError if an option has no effect on the question; an unknown question is reported elsewhere."""
    has_board = any(text.partition("=")[2].strip() == "board" for text in plan.vary or ())
    given = {option: getattr(plan, option) for option in ASKED_BY}
    for option, value in given.items() if plan.question in (None, *QUESTIONS) else ():
        more = say(", or --vary units.NAME=board") if option == "step" else ""
        if (
            value is not None
            and value is not False
            and plan.question not in ASKED_BY[option]
            and not (more and has_board)
        ):
            told = f"--{option}" if value is True else f"--{option} {value}"
            message = "{option}: only for --question {questions}{more}"
            raise UsageError(
                message, option=told, questions=listed(ASKED_BY[option], " or "), more=more
            )


def question_of(plan: ExploreOptions) -> Question | None:
    """Return the question that the options ask, with their values; None if there is no `--question`."""
    if plan.accuracy is not None and plan.within is not None:
        raise UsageError(
            "--accuracy {accuracy}: cannot be combined with --within", accuracy=plan.accuracy
        )
    if plan.question is None:
        return None
    given = {
        name: value
        for name in ("step", "facings", "samples")
        if (value := getattr(plan, name)) is not None
    }
    if not (
        1 <= given.get("facings", 1) <= MOST_FACINGS and 1 <= given.get("samples", 1) <= MOST_VALUES
    ):
        message = (
            "--within must be positive, --samples 1 to {most:,}, --facings 1 to {most_facings}"
        )
        raise UsageError(message, most=MOST_VALUES, most_facings=MOST_FACINGS)
    how = (
        _measured(plan.accuracy)
        if plan.accuracy is not None
        else None
        if plan.within is None
        else _within(plan.within)
    )
    return Question(cast("Name", plan.question), plan.unit, jitter=how, **given)


def _measured(accuracy: str) -> Jitter:
    try:
        return accuracy_of(value_of(accuracy.strip()))
    except ValueError:
        message = '--accuracy {accuracy}: expected inches such as 0.1 or 1/16, or "{{ at = 0.1, facing_deg = 2 }}"'
        raise UsageError(message, accuracy=accuracy) from None


def _within(within: str) -> Jitter:
    parts = within.split(",")
    try:
        inches, degrees = (float(part) for part in parts)
    except ValueError:
        raise UsageError(
            "--within {within}: expected inches and degrees with a comma between, as in 0.1,1",
            within=within,
        ) from None
    if not (0 <= inches < math.inf and 0 <= degrees < math.inf):
        raise UsageError("--within {within}: both must be positive", within=within)
    return Jitter(inches, degrees)


@contextmanager
def _progress(cases: int) -> Iterator[Progress]:
    """Yield a function that reports finished cases to a progress bar with rate and remaining time; no bar without a
    terminal.
    """
    if not is_terminal(sys.stderr):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("cases", total=cases, rate="")

        def done(count: int) -> None:
            """Advance the progress bar by a number of finished cases."""
            speed = bar.tasks[0].speed
            bar.update(task, advance=count, rate=f"{speed:,.0f} a second" if speed else "")

        yield done


def _summary(what: Sweep, plan: ExploreOptions, whole: Survey, survey: Survey) -> dict[str, Any]:
    """Return the summary as JSON data: number of cases by outcome, greatest and least chance, and the question's
    result.
    """
    told: dict[str, Any] = {
        "cases": len(what.grid),
        "axes": {key: len(values) for key, values in whole.axes.items()},
        "outcomes": _outcomes(
            whole, by_chance=plan.wants_chances and plan.question in ("threat", "safe")
        ),
        **({} if plan.out is None else {"table": str(plan.out)}),
    }
    if plan.question == "jitter":
        steady = steadiness(survey)
        return {**told, "jitter": {key: _plain(value) for key, value in vars(steady).items()}}
    return {**told, **_extremes(survey)}


def _outcomes(whole: Survey, *, by_chance: bool) -> dict[str, int]:
    """Return the number of cases by outcome, most frequent first; with `by_chance`, by whether there is a chance of
    success.
    """
    outcomes = whole.values.get("outcome", np.full(whole.shape, ""))
    if by_chance:
        chances = whole.column("chance")
        without = np.where(
            np.isin(outcomes, ("", "invalid")),
            "invalid",
            np.where(outcomes == "no_verdict", "no_verdict", "not_proved"),
        )
        outcomes = np.where(
            np.isnan(chances), without, np.where(chances > 0.0, "some_chance", "no_chance")
        )
    return dict(Counter(outcomes.ravel().tolist()).most_common())


def _plain(value: Any) -> Any:
    return (
        None
        if isinstance(value, float) and math.isnan(value)
        else dict(value)
        if isinstance(value, dict)
        else value
    )


def _extremes(survey: Survey) -> dict[str, Any]:
    """Return chance and place of the first cases with the greatest and the least chance; empty if no case has a
    chance.
    """
    chances = survey.values.get("chance")
    if chances is None or np.isnan(chances).all():
        return {}
    places = {"greatest": np.nanargmax(chances), "least": np.nanargmin(chances)}
    return {
        name: _at(survey, np.unravel_index(place, chances.shape)) for name, place in places.items()
    }


def _at(survey: Survey, place: tuple[Any, ...]) -> dict[str, Any]:
    where = {
        key: values[number].item()
        for (key, values), number in zip(survey.axes.items(), place, strict=True)
    }
    drawn = {key: survey.values[key][place] for key in survey.drawn}
    where |= {
        key: value if isinstance(value, str) else value.item() for key, value in drawn.items()
    }
    return {"chance": float(survey.values["chance"][place]), "at": where}


_EXTREMES = {
    "greatest": partial(say, "greatest chance: {chance:.4f} at {place}"),
    "least": partial(say, "least chance: {chance:.4f} at {place}"),
}


def _lines(summary: dict[str, Any]) -> Iterator[str]:
    """Yield where the table of results is, then how many cases there are, with their outcomes and extremes."""
    if "table" in summary:
        yield translated(say("table: {path}", path=summary["table"]))
    axes = listed(
        (say("{key} ({count})", key=key, count=count) for key, count in summary["axes"].items()),
        ", ",
    )
    yield translated(say("{count:,} cases: {axes}", count=summary["cases"], axes=axes))
    if "jitter" in summary:
        yield from _steady_lines(summary["jitter"])
    else:
        yield from _rows(
            (words(outcome), say("{count:,}", count=count))
            for outcome, count in summary["outcomes"].items()
        )
    for name, say_chance in _EXTREMES.items():
        if name in summary:
            place = ", ".join(
                f"{key} {_short(value)}" for key, value in summary[name]["at"].items()
            )
            yield translated(say_chance(chance=summary[name]["chance"], place=place))


def _short(value: Any) -> Any:
    """Return a value, a random number to a ten-thousandth."""
    return round(value, 4) if isinstance(value, float) else value


def _rows(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield rows of a word and a number as lines with aligned numbers."""
    told = [(translated(word), translated(number)) for word, number in rows]
    width = max((len(word) for word, _ in told), default=0)
    yield from (f"  {word:<{width}}  {number}" for word, number in told)


def _steady_lines(jitter: dict[str, Any]) -> Iterator[str]:
    """Yield the shares of the verdicts on displaced tables, the unchanged one first, and the rule that matters most."""
    share = jitter["share"]
    if share is not None:
        shares = {jitter["verdict"]: share, **jitter["changes"]}
        yield from _rows(
            (verdict, say("{share:.1%}", share=one)) for verdict, one in shares.items()
        )
    if jitter["invalid"]:
        yield translated(
            say("impossible tables (models overlap): {count}", count=jitter["invalid"])
        )
    if jitter["first_to_break"]:
        yield translated(say("first to break: {rule}", rule=jitter["first_to_break"]))
    elif jitter["tightest"] and share == 1.0:
        yield translated(say("nothing breaks it; tightest: {rule}", rule=jitter["tightest"]))
