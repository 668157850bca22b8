"""The command `odds`: exact chances as text, as JSON and as a figure."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import typer

from tabletop.asking import odds as odds_of
from tabletop.cli.answering import AskedFile, refuse_both, refuse_unwritable, remark_if_bare, seconds_allowed
from tabletop.cli.brief import odds_lines
from tabletop.cli.guard import ExitCode, in_file
from tabletop.cli.looking import PLAIN_WORDS, FigureWords
from tabletop.cli.output import say, say_json
from tabletop.cli.readable import OUTCOME_WORDS, metric_lines, percent, span_words
from tabletop.ruling.charge import Outcome
from tabletop.ruling.odds import ChargeOdds, Odds, TotalOdds
from tabletop.ruling.system import Case
from tabletop.scenario.results import odds_result
from tabletop.words import edition_words

ROWS_PRINTED = 32
"""Rows of joint outcomes that are printed; JSON has all of them."""


def odds(
    question: AskedFile, *, as_json: bool, is_brief: bool = False, figures: Sequence[Path], look: FigureWords = PLAIN_WORDS
) -> ExitCode:
    """Tell the chances of the charges, and draw the figures asked for."""
    refuse_both(as_json=as_json, is_brief=is_brief)
    for figure in figures:
        refuse_unwritable(figure)
    look.checked()
    seconds = seconds_allowed(question.max_seconds)
    case = question.case()
    with in_file(question.file):
        found = odds_of(case, max_seconds=seconds)
    for figure in figures:
        _draw(case, found, figure, look)
    if as_json:
        say_json(odds_result(found))
    else:
        say(odds_lines(found) if is_brief else odds_text(case, found))
    return ExitCode.DONE


def odds_text(case: Case, odds: Odds) -> str:
    """Write all chances of a case under its title, and of several charges those of their outcomes together."""
    heading = typer.style(case.title or "Untitled", bold=True)
    parts = [f"{heading}\n{case.system.title}, {edition_words(case.edition)}"]
    parts += [_charge_text(one) for one in odds.charges] or ["No charges."]
    if len(odds.charges) > 1:
        chargers = ", ".join(one.charge.charger for one in odds.charges)
        parts.append("\n".join([f"All together, in the order {chargers}", *_joint_lines(odds.joint)]))
    return "\n\n".join(parts)


def _draw(case: Case, odds: Odds, path: Path, look: FigureWords) -> None:
    import plots

    plots.draw_odds(case, odds, path, setting=look.setting())
    remark_if_bare(case, path)


def _charge_text(one: ChargeOdds) -> str:
    lines = [typer.style(f"{one.charge.charger} charges {', '.join(one.charge.targets)}", bold=True)]
    possible = [(OUTCOME_WORDS[outcome], chance) for outcome, chance in one.outcomes.items() if chance]
    lines += ["  Outcomes", *_table((word, str(chance), percent(chance)) for word, chance in possible)]
    if one.rules:
        lines += [
            "  Rules that decide against success",
            *_table((rule, str(chance), percent(chance)) for rule, chance in one.rules.items()),
        ]
    if one.by_total:
        lines += ["  Rolls", *_table(map(_total_row, one.by_total))]
        least = one.shortest_roll
        lines.append(f"  {'no roll succeeds' if least is None else f'shortest roll that succeeds: {least}'}")
        lines += [f"  {span_words(one.shortest_roll_range)}"] if one.shortest_roll_range is not None else []
    if one.metrics:
        lines += ["  Chances", *(f"    {line}" for line in metric_lines(one.metrics))]
    return "\n".join(lines)


def _total_row(one: TotalOdds) -> tuple[str, str, str, str]:
    possible = {outcome: chance for outcome, chance in one.outcomes.items() if chance}
    words = [OUTCOME_WORDS[outcome] + (f" {chance}" if len(possible) > 1 else "") for outcome, chance in possible.items()]
    return str(one.total), str(one.chance), percent(one.chance), ", ".join(words)


def _joint_lines(joint: Mapping[tuple[Outcome, ...], Fraction]) -> list[str]:
    rows = [(", ".join(OUTCOME_WORDS[outcome] for outcome in row), str(chance), percent(chance)) for row, chance in joint.items()]
    rest = [f"    ... and {len(rows) - ROWS_PRINTED} more, all of them in --json"] if len(rows) > ROWS_PRINTED else []
    return [*_table(rows[:ROWS_PRINTED]), *rest]


def _table(rows: Iterable[Sequence[str]]) -> list[str]:
    """Set rows in columns: words to the left, fractions and percentages to the right."""
    cells = list(rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [f"    {'  '.join(map(_padded, row, widths, range(len(row))))}".rstrip() for row in cells]


def _padded(cell: str, width: int, column: int) -> str:
    return cell.rjust(width) if column in (1, 2) else cell.ljust(width)
