"""Rulings, judgements and chances as text for people: `*_text` at length, `*_line` and `*_lines` in a line for each charge."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import typer

from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Charge, Outcome, Step
from tabletop.ruling.finding import Finding
from tabletop.ruling.odds import ChargeOdds, Odds, TotalOdds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.cases import place_entry
from tabletop.table.models import Formation, RoundBase
from tabletop.words import edition_words

OUTCOME_WORDS = {"success": "success", "failed": "failed", "not_allowed": "not allowed", "undecided": "cannot be told"}

LEAST_PRINTED = Fraction(1, 20000)
"""Chances below this are printed as less than 0.01%, and those as near to 1 as more than 99.99%."""

ROWS_PRINTED = 32
"""Rows of joint outcomes that are printed; JSON has all of them."""

VERDICTS = {
    "equal": "as good as the answer",
    "exact_better": "less good than the answer, by {goal}",
    "scipy_better": "better than the answer, by {goal}",
    "not_found": "no place was found; that proves nothing",
}
"""What a second opinion comes to; `goal` is the rule in which the two places differ."""

_COLOURS = {"success": typer.colors.GREEN, "failed": typer.colors.YELLOW, "not_allowed": typer.colors.RED, "undecided": typer.colors.BLUE}

_STYLE = re.compile(r"\x1b\[[\d;]*m")


def resolution_text(case: Case, resolution: Resolution, *, second_opinion: bool = False) -> str:
    """Write all rulings of a case under its title; with a second opinion also where there is none."""
    parts = [_heading(case)]
    parts += [_ruling_text(ruling, case, second_opinion=second_opinion) for ruling in resolution.rulings] or ["No charges."]
    return "\n\n".join(parts)


def _heading(case: Case) -> str:
    """Write the title of a case, and below it which game it is of."""
    title = typer.style(case.title or "Untitled", bold=True)
    return f"{title}\n{case.system.title}, {edition_words(case.edition)}"


def _ruling_text(ruling: Ruling, case: Case, *, second_opinion: bool) -> str:
    lines = [f"{_charge_words(ruling.charge)}: {_outcome(ruling.outcome, ruling.rule)}", *_indented([ruling.summary])]
    lines += _section("Steps", (f"{number}. {_step_line(step, case)}" for number, step in enumerate(ruling.steps, 1)))
    lines += _section("Findings", map(_finding_line, ruling.findings))
    lines += _section("Metrics", metric_lines(ruling.metrics))
    lines += _section("Certainty", _certainty_lines(ruling))
    lines += _section("Second opinion, by SciPy", _opinion_lines(ruling, case)) if second_opinion else []
    return "\n".join(lines)


def _charge_words(charge: Charge) -> str:
    return f"{charge.charger} charges {', '.join(charge.targets)}"


def _certainty_lines(ruling: Ruling) -> Iterator[str]:
    if ruling.shortest_roll is not None:
        chance = f"chance {ruling.chance_success} ({float(ruling.chance_success):.3f})"
        yield f"shortest roll that succeeds: {ruling.shortest_roll}; {chance}"
    if ruling.shortest_roll_range is not None:
        yield span_words(ruling.shortest_roll_range)
    if ruling.open:
        yield f"open at this accuracy: {', '.join(ruling.open)}"
    if ruling.choices is not None:
        yield f"equally good end positions: {ruling.choices}"
    yield f"proof: {ruling.proof.replace('_', ' ')}"


def _opinion_lines(ruling: Ruling, case: Case) -> Iterator[str]:
    opinion = ruling.second_opinion
    if opinion is None:
        together = "total_target_models_in_contact" in ruling.metrics
        yield "none: several units take their own best places one by one" if together else "none: this ruling places nobody"
        return
    yield VERDICTS[opinion.verdict].format(goal=opinion.goal)
    for rule, (exact, second) in opinion.goals.items():
        yield f"{rule}: answer {_number(exact)}, SciPy {'-' if second is None else _number(second)}"
    for name, place in opinion.units.items():
        yield _placed(name, place, case)


def judgement_text(judgement: Judgement, case: Case) -> str:
    """Write the verdict on a proposal."""
    lines = [f"Proposal: {_outcome(judgement.outcome, judgement.rule)}", *_indented([judgement.summary])]
    lines += _section("Findings", map(_finding_line, judgement.findings))
    lines += _section("Taken for", (_meant_line(name, place, judgement, case) for name, place in judgement.meant.items()))
    lines += _section("What would be right", (_placed(name, place, case) for name, place in judgement.better.items()))
    return "\n".join(lines)


def _meant_line(name: str, place: Any, judgement: Judgement, case: Case) -> str:
    return f"{_placed(name, place, case)}, {_number(judgement.moved[name])} in from where it was measured"


def odds_text(case: Case, odds: Odds) -> str:
    """Write all chances of a case under its title, and of several charges those of their outcomes together."""
    parts = [_heading(case)]
    parts += [_charge_text(one) for one in odds.charges] or ["No charges."]
    if len(odds.charges) > 1:
        chargers = ", ".join(one.charge.charger for one in odds.charges)
        parts.append("\n".join([f"All together, in the order {chargers}", *_joint_lines(odds.joint)]))
    return "\n\n".join(parts)


def _charge_text(one: ChargeOdds) -> str:
    lines = [typer.style(_charge_words(one.charge), bold=True)]
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


def resolution_lines(resolution: Resolution) -> str:
    """Write each ruling in a line, in the order of the file."""
    return "\n".join(map(_ruling_line, resolution.rulings)) or "No charges."


def _ruling_line(ruling: Ruling) -> str:
    """Write a ruling; of a success the first of what decided which place is best."""
    told = next(iter(ruling.evidence.deciding), None) if ruling.rule is None else None
    decided = _decided(ruling.rule, ruling.findings) if told is None else f" ({told.rule}: {told.words})"
    return f"{_charge_words(ruling.charge)}: {OUTCOME_WORDS[ruling.outcome]}{decided}"


def judgement_line(judgement: Judgement) -> str:
    """Write the verdict on a proposal in a line."""
    return f"Proposal: {OUTCOME_WORDS[judgement.outcome]}{_decided(judgement.rule, judgement.findings)}"


def _decided(rule: str | None, findings: Sequence[Finding]) -> str:
    """Write the rule that decided, with the margin of the finding that breaks it worst, where one was measured."""
    if rule is None:
        return ""
    margins = [finding.margin for finding in findings if finding.rule == rule and finding.margin is not None]
    return f" ({rule}, margin {min(margins):+.4g})" if margins else f" ({rule})"


def odds_lines(odds: Odds) -> str:
    """Write the chance of each charge's success in a line, with the likeliest rule against it."""
    return "\n".join(map(_chance_line, odds.charges)) or "No charges."


def _chance_line(one: ChargeOdds) -> str:
    chance = one.outcomes["success"]
    parts = [f"success {chance} ({percent(chance)})"]
    parts += [f"needs {one.shortest_roll} or more"] if one.shortest_roll is not None else []
    parts += [f"{rule} against it {against} ({percent(against)})" for rule, against in [*one.rules.items()][:1]]
    return f"{_charge_words(one.charge)}: {', '.join(parts)}"


def _outcome(outcome: str, rule: str | None) -> str:
    word = typer.style(OUTCOME_WORDS[outcome], fg=_COLOURS[outcome], bold=True)
    return f"{word} ({rule})" if rule else word


def _section(heading: str, lines: Iterable[str]) -> list[str]:
    body = _indented(lines)
    return [f"  {heading}", *(f"  {line}" for line in body)] if body else []


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines if line]


def _step_line(step: Step, case: Case) -> str:
    model = "" if step.model is None else f"model {step.model}"
    parts = [step.kind.replace("_", " "), step.unit or "", model]
    if step.angle is not None:
        parts.append(f"by {abs(math.degrees(step.angle)):.3f} degrees {'left' if step.angle > 0 else 'right'}")
    if step.length is not None:
        parts.append(f"{step.length:.3f} in")
    if step.end is not None:
        parts.append(f"to {_place(step.end, case, step.path[-1][2] if step.path else 0.0)}")
    parts += [f"[{', '.join(step.rules)}]" if step.rules else "", step.text]
    return "  ".join(part for part in parts if part)


def _finding_line(finding: Finding) -> str:
    mark = typer.style("ok", fg=typer.colors.GREEN) if finding.ok else typer.style("NO", fg=typer.colors.RED, bold=True)
    named = [("measured", finding.measured), ("limit", finding.limit)]
    numbers = [f"{name} {_number(value)}" for name, value in named if value is not None]
    if finding.margin is not None:
        how = "at most" if finding.between else "searched"
        sure = "" if finding.uncertainty is None else f" ± {round(finding.uncertainty, 6):.4g} {how}"
        numbers.append(f"margin {_margin(finding.margin)}{sure}{', marginal' if finding.is_marginal else ''}")
    numbers += ["open"] if finding.is_open else []
    measures = f" ({', '.join(numbers)})" if numbers else ""
    return f"{mark}  {finding.rule}: {finding.text}{measures}"


def _margin(margin: float) -> str:
    """Write a margin to four digits, and nothing of what is below a millionth."""
    return f"{round(margin, 6):+z.4g}"


def _placed(name: str, place: Any, case: Case) -> str:
    """Write the name of a unit and where it stands: of loose models also how they look, and in which order they moved, if that matters."""
    told = f"{name} at {_place(place, case)}"
    if not isinstance(place, Formation):
        return told
    keys = place_entry(place, case)
    if not all(isinstance(model.base, RoundBase) for model in case.state.units[name].models):
        facings = keys["facing_deg"] if isinstance(keys["facing_deg"], list) else [keys["facing_deg"]]
        told += f", facing {', '.join(map(_number, facings))} degrees"
    order = keys.get("order") or []
    return told if list(order) == sorted(order) else f"{told}, moved in the order {', '.join(map(str, order))}"


def _place(place: Any, case: Case, z: float = 0.0) -> str:
    """Write a pose, a hex or the places of loose models; of a single model also how high it stands."""
    keys = place_entry(place, case)
    if "hex" in keys:
        return f"{keys['hex']} facing {keys['facing']}"
    if not isinstance(place, Pose):
        return ", ".join(map(_spot, keys["at"]))
    return f"{_spot([*keys['at'], *([z] if z else [])])} facing {_number(keys['facing_deg'])} degrees"


def _spot(spot: Sequence[float]) -> str:
    return f"({', '.join(map(_number, spot))})"


def metric_lines(metrics: Mapping[str, Any]) -> Iterator[str]:
    """Write each metric on a line of its own, the values below each other."""
    width = max(map(len, metrics), default=0)
    for key, value in metrics.items():
        yield f"{key:<{width}}  {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float, Sequence, Mapping)) or isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_value(inner)}" for key, inner in value.items())
    return ", ".join(map(_entry, value)) if isinstance(value, Sequence) else _number(value)


def _entry(value: Any) -> str:
    """Write an entry of a list; lists in lists stand in brackets."""
    return f"({_value(value)})" if isinstance(value, Sequence) and not isinstance(value, str) else _value(value)


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:z.6f}".rstrip("0").removesuffix(".")


def span_words(span: tuple[int | None, int | None]) -> str:
    """Say between which totals the shortest roll lies on the tables that a measured one may be."""
    least, greatest = (("none" if roll is None else str(roll)) for roll in span)
    return f"shortest roll on the tables within the accuracy that were searched: {least} to {greatest}"


def percent(chance: Fraction) -> str:
    """Write a chance as a percentage that never reads as none or as certain unless it is.

    Examples
    --------
    >>> percent(Fraction(5, 6)), percent(Fraction(1, 10**6)), percent(1 - Fraction(1, 10**6))
    ('83.33%', '<0.01%', '>99.99%')
    """
    if 0 < chance < LEAST_PRINTED:
        return "<0.01%"
    if 1 - LEAST_PRINTED < chance < 1:
        return ">99.99%"
    return f"{float(chance):.2%}"


def unstyled(text: str) -> str:
    """Take colours and bold letters away from what is written here."""
    return _STYLE.sub("", text)
