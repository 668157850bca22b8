"""Commands on a single case: `resolve`, `judge`, `draw` and `odds`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from tabletop import api
from tabletop.api import Report
from tabletop.cli.errors import ExitCode
from tabletop.cli.first_screen import judgement_screen, resolution_screen
from tabletop.cli.options import (
    FIGURE_SUFFIXES,
    AnswerOptions,
    CaseQuery,
    Look,
    OutputOptions,
    Query,
    load_plots,
    refuse_unwritable,
)
from tabletop.cli.output import (
    PATIENCE,
    note,
    patience,
    print_error,
    print_text,
    progress,
    say_json,
    warn_of,
    warn_of_unresolved,
)
from tabletop.cli.report import (
    judgement_line,
    judgement_text,
    odds_lines,
    odds_text,
    resolution_lines,
    resolution_text,
)
from tabletop.errors import NoVerdictError, ScenarioError, UsageError, message_of, naming
from tabletop.language.speech import spoken
from tabletop.messages import say
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tabletop.scenario.results import odds_result, result
from tabletop.scenario.sources import label_of
from tabletop.show import MOVING

CARRYING = (".svg", ".png", ".webp")
"""Suffixes of figures that contain their scenario."""

View = Literal["charge", "steps", "board"]


def spoken_report(report: Report) -> Report:
    """Return a report with the texts of its resolution and judgement in the current language."""
    return Report(report.case, *spoken(*report))


def resolve(
    query: Query,
    output: AnswerOptions,
    figures: Sequence[Path],
    look: Look,
    *,
    all_paths: bool,
    second_opinion: bool,
) -> ExitCode:
    """Resolve the charges of a file, print the answer, draw the figures asked for, and return the exit code.

    A claim without a verdict leaves the rulings as they are.
    """
    no_verdict: NoVerdictError | None = None
    with drawn_if_refused(figures, look):
        try:
            answer = answered(query, detail=all_paths, second_opinion=second_opinion)
        except NoVerdictError as error:
            if error.report is None:
                raise
            answer = error.report
            no_verdict = error
    warn_of(query.file, (answer.case, answer.resolution.rulings))
    for figure in figures:
        _draw(answer, figure, look, view="charge")
    said = spoken_report(answer)
    is_full = output.all or all_paths or second_opinion
    if output.json:
        say_json(result(*answer))
    elif output.brief or is_full:
        print_text(
            resolution_lines(said.resolution)
            if output.brief
            else resolution_text(*said[:2], second_opinion=second_opinion)
        )
        if said.judgement is not None:
            print_text(
                judgement_line(said.judgement)
                if output.brief
                else f"\n{judgement_text(said.judgement, said.case)}"
            )
    else:
        print_text(resolution_screen(*said, no_verdict))
    if second_opinion and (
        without := [
            one.charge.charger for one in answer.resolution.rulings if one.second_opinion is None
        ]
    ):
        note(
            say(
                "no second opinion on {chargers}: no unit is placed, or several one after the other",
                chargers=", ".join(without),
            )
        )
    code = _code_of(answer.resolution)
    if no_verdict is not None and (output.brief or is_full or output.json):
        raise no_verdict
    return code if no_verdict is None else ExitCode.NO_VERDICT


def _code_of(resolution: Resolution) -> ExitCode:
    """Return the exit code of a resolution: `BUG` if a second opinion contradicts a proof, which is reported, else
    `DONE`.

    The time of second opinions is printed, too.
    """
    opinions = [
        (one.charge.charger, one.second_opinion)
        for one in resolution.rulings
        if one.second_opinion is not None
    ]
    if opinions:
        note(
            say(
                "second opinion: {seconds:.1f} s",
                seconds=sum(opinion.seconds for _, opinion in opinions),
            )
        )
    chargers = ", ".join(charger for charger, opinion in opinions if opinion.is_fault)
    if not chargers:
        return ExitCode.DONE
    bug = say("a bug in tabletop, please report it")
    print_error(
        say(
            "SciPy found a better place for {chargers} than the one called proved: {bug}",
            chargers=chargers,
            bug=bug,
        )
    )
    return ExitCode.BUG


def judge(query: Query, output: AnswerOptions, figures: Sequence[Path], look: Look) -> ExitCode:
    """Judge the proposal of a file, print the judgement, draw the figures asked for, and return the exit code."""
    with drawn_if_refused(figures, look), naming(label_of(query.file)):
        answer = answered(query)
        judgement = answer.judgement or api.judge(answer.case, answer.resolution)
    warn_of(query.file, (answer.case, answer.resolution.rulings))
    for figure in figures:
        _draw(answer, figure, look, view="charge")
    if output.json:
        say_json(result(answer.case, answer.resolution, judgement))
    else:
        said = spoken(*answer)[1] or judgement
        text = (
            judgement_text(said, answer.case)
            if output.all
            else judgement_screen(answer.case, answer.resolution, said)
        )
        print_text(judgement_line(said) if output.brief else text)
    return {"success": ExitCode.DONE, "legal": ExitCode.DONE, "undecided": ExitCode.UNDECIDED}.get(
        judgement.outcome, ExitCode.ANSWER_IS_NO
    )


def draw(query: Query, out: Path, *, steps: bool, board: bool, look: Look) -> ExitCode:
    """Draw the case of a file, still or animated by the suffix of `out`, print the verdict drawn, and return the exit
    code.

    With `board` nothing is resolved, and nothing printed.
    """
    if steps and board:
        raise UsageError("--steps and --board exclude each other")
    view: View = "steps" if steps else "board" if board else "charge"
    is_moving = out.suffix.lower() in MOVING
    with drawn_if_refused([out], look, (*FIGURE_SUFFIXES, *MOVING)):
        if is_moving and view != "charge":
            raise UsageError(
                "animations show every step: --steps and --board are only for {endings}",
                endings=", ".join(FIGURE_SUFFIXES),
            )
        with patience(PATIENCE):
            answer = api.unresolved(query.case()) if board else answered(query)
            warn_of(query.file, (answer.case, answer.resolution.rulings))
            if not is_moving:
                _draw(answer, out, look, view=view)
        if is_moving:
            plots = load_plots()
            with progress(PATIENCE) as told:
                plots.animate(
                    answer.case,
                    answer.resolution,
                    out,
                    judgement=answer.judgement,
                    setting=look.setting(),
                    told=told,
                )
    if not board:
        said = spoken_report(answer)
        print_text(
            resolution_lines(said.resolution)
            if said.judgement is None
            else judgement_line(said.judgement)
        )
    return ExitCode.DONE


def odds(
    asked: CaseQuery,
    output: OutputOptions,
    figures: Sequence[Path],
    look: Look,
    *,
    everything: bool,
) -> ExitCode:
    """Print the odds of a file's charges, draw the figures asked for, and return the exit code."""
    for figure in figures:
        refuse_unwritable(figure)
    case = asked.case(detail=everything)
    since = api.start_time(case)
    with naming(label_of(asked.file)):
        found = api.odds(case, max_seconds=asked.max_seconds, since=since)
    warn_of_unresolved(asked.file, case, max_seconds=asked.max_seconds, since=since)
    for figure in figures:
        plots = load_plots()
        plots.draw_odds(case, found, figure, setting=look.setting())
        remark_if_bare(case, figure)
    if output.json:
        say_json(odds_result(found))
    else:
        print_text(odds_lines(found) if output.brief else odds_text(case, found))
    return ExitCode.DONE


@contextmanager
def drawn_if_refused(
    figures: Sequence[Path], look: Look, endings: Sequence[str] = FIGURE_SUFFIXES
) -> Iterator[None]:
    """Context manager that draws the table with its faults marked if the body raises ScenarioError, which is raised
    again.

    Raises UsageError before the body runs if a figure cannot be written.
    """
    for figure in figures:
        refuse_unwritable(figure, endings)
    try:
        yield
    except ScenarioError as error:
        for figure in figures if error.case is not None else ():
            _draw_refused(error, figure, look)
        raise


def _draw_refused(error: ScenarioError, figure: Path, look: Look) -> None:
    if figure.suffix.lower() in MOVING:
        still = figure.with_suffix(".svg")
        note(
            say(
                "an invalid table cannot be animated; a still figure such as {still} shows what is wrong",
                still=str(still),
            )
        )
        return
    plots = load_plots()
    try:
        plots.draw(
            *api.unresolved(error.case)[:2],
            figure,
            view="board",
            faults=error.problems,
            setting=look.setting(),
        )
    except UsageError as problem:  # the faults of the table matter more
        note(say("the table could not be drawn: {problem}", problem=message_of(problem)))
    else:
        note(say("{figure} shows the table with its faults", figure=str(figure)))
        remark_if_bare(error.case, figure)


def answered(query: Query, *, detail: bool = False, second_opinion: bool = False) -> Report:
    """Return the report on a query's file: the case, its resolution and, if it has a proposal, the judgement."""
    case = query.case(detail=detail)
    dice = query.faces(case.system.vocabulary.sides)
    with naming(label_of(query.file)):
        return api.answer(
            case,
            dice=dice,
            seed=query.seed,
            max_seconds=query.max_seconds,
            second_opinion=second_opinion,
            contrast=not query.no_contrast,
        )


def _draw(answer: Report, path: Path, look: Look, *, view: View) -> None:
    plots = load_plots()
    plots.draw(
        answer.case,
        answer.resolution,
        path,
        view=view,
        judgement=answer.judgement,
        setting=look.setting(),
    )
    remark_if_bare(answer.case, path)


def remark_if_bare(case: Case, figure: Path) -> None:
    """Print a note if a figure lacks its scenario because changed book numbers cannot be stored in a file."""
    if figure.suffix.lower() in CARRYING and case.tables is None:
        note(
            say(
                "{figure} contains no scenario: numbers changed by --set system.FIELD cannot be stored in one",
                figure=str(figure),
            )
        )
