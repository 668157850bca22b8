"""Text output of rulings, judgements and odds: `*_text` in full, `*_line` and `*_lines` with one line per answer."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import typer

from tabletop.geometry.pose import Pose
from tabletop.language.speech import CONTRAST_WORDS, edition, step_words, translated, words
from tabletop.messages import Digits, say
from tabletop.ruling.charge import Charge, OddsOutcome, Step
from tabletop.ruling.contrast import Contrast
from tabletop.ruling.finding import Finding
from tabletop.ruling.odds import ChargeOdds, Odds, TotalOdds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.bases import is_number
from tabletop.scenario.cases import place_entry
from tabletop.scenario.checks import BY_HAND
from tabletop.table.models import Formation, RoundBase, from_one
from tabletop.units import MARGINAL

OUTCOME_WORDS = {
    "success": say("success"),
    "legal": say("legal"),
    "failed": say("failed"),
    "not_allowed": say("not allowed"),
    "undecided": say("undecided"),
}

ODDS_WORDS = {**OUTCOME_WORDS, "undecided": say("not proved")}
"""Names of outcomes in odds, where "undecided" means not proved."""

LEAST_PRINTED = Fraction(1, 20000)
"""Chances below this are printed as <0.01%, those as near to 1 as >99.99%."""

ROWS_PRINTED = 32
"""Rows of joint outcomes that are printed; JSON has all."""

VERDICTS: dict[str, Callable[..., str]] = {
    "equal": partial(say, "as good as the answer"),
    "exact_better": partial(say, "less good than the answer, by {goal}"),
    "scipy_better": partial(say, "better than the answer, by {goal}"),
    "not_found": partial(say, "no place was found; that proves nothing"),
}
"""Texts for the result of a second opinion; `goal` is the rule in which the two places differ."""

NO_CHARGES = say("No charges.")
PROPOSAL = say("Proposal")

COLOURS = {
    "success": typer.colors.GREEN,
    "legal": typer.colors.GREEN,
    "failed": typer.colors.YELLOW,
    "not_allowed": typer.colors.RED,
    "undecided": typer.colors.BLUE,
}

_STYLE = re.compile(r"\x1b\[[\d;]*m")


def resolution_text(case: Case, resolution: Resolution, *, second_opinion: bool = False) -> str:
    """Return title and all rulings of a case as text in full, optionally with second opinions."""
    parts = [_heading(case)]
    parts += [
        _ruling_text(ruling, case, second_opinion=second_opinion) for ruling in resolution.rulings
    ] or [translated(NO_CHARGES)]
    return "\n\n".join(parts)


def _heading(case: Case) -> str:
    """Return the title of a case and, below it, game and edition."""
    title = typer.style(case.title or translated(say("Untitled")), bold=True)
    return f"{title}\n{case.system.title}, {edition(case)}"


def _ruling_text(ruling: Ruling, case: Case, *, second_opinion: bool) -> str:
    lines = [
        f"{charge_words(ruling.charge)}: {_outcome(ruling.outcome, ruling.rule)}",
        *_indented(_summary(ruling)),
    ]
    lines += _section(
        say("Steps"),
        (f"{number}. {_step_line(step, case)}" for number, step in enumerate(ruling.steps, 1)),
    )
    lines += _section(say("Findings"), map(_finding_line, ruling.findings))
    lines += _section(say("Metrics"), metric_lines(ruling.metrics))
    lines += _section(say("Certainty"), _certainty_lines(ruling))
    lines += _section(say("Alternatives"), (_contrast_line(one) for one in ruling.contrast or ()))
    lines += (
        _section(say("Second opinion, by SciPy"), _opinion_lines(ruling, case))
        if second_opinion
        else []
    )
    return "\n".join(lines)


def _contrast_line(contrast: Contrast) -> str:
    """Return a contrast as a line: why it is not taken, its rule and its sentence."""
    return translated(
        say(
            "{kind}  {rule}: {text}",
            kind=CONTRAST_WORDS[contrast.kind],
            rule=contrast.finding.rule,
            text=contrast.finding.text,
        )
    )


def _summary(answer: Ruling | Judgement) -> Iterator[str]:
    """Yield the summary of an answer and, if a finding closer than 0.001 in decided, a hint on the key `accuracy`."""
    yield answer.summary
    yield from map(translated, accuracy_hint(answer))


def accuracy_hint(answer: Ruling | Judgement) -> Iterator[str]:
    """Yield a hint on the key `accuracy` if a finding closer than 0.001 in decided."""
    broken = [
        finding for finding in answer.findings if finding.rule == answer.rule and not finding.ok
    ]
    if answer.open is None and broken and all(finding.is_marginal for finding in broken):
        message = (
            "The deciding margin is below {hand:g}, finer than models are placed by hand: "
            "with accuracy = {accuracy} in the file the answer says what stays open."
        )
        yield say(message, hand=MARGINAL, accuracy=str(BY_HAND))


def charge_words(charge: Charge) -> str:
    """Return who charges whom, in the current language."""
    return translated(
        say(
            "{charger} charges {targets}", charger=charge.charger, targets=", ".join(charge.targets)
        )
    )


def _certainty_lines(ruling: Ruling) -> Iterator[str]:
    least, most = ruling.chances
    chance = say("chance {share} ({number:.3f})", share=str(least), number=float(least))
    if least < most:
        numbers = {"least": str(least), "most": str(most), "from": float(least), "to": float(most)}
        chance = say("chance {least} to {most} ({from:.3f} to {to:.3f})", **numbers)
    if least < most or ruling.shortest_roll is not None:
        yield translated(
            say(
                "shortest roll that succeeds: {roll}; {chance}",
                roll=rolls_words(ruling.shortest_rolls),
                chance=chance,
            )
        )
    yield from span_lines(ruling)
    if ruling.open:
        yield _open_rules(ruling.open)
    if ruling.choices is not None:
        yield translated(say("equally good end positions: {choices}", choices=ruling.choices))
    yield translated(say("proof: {proof}", proof=words(ruling.proof)))


def _opinion_lines(ruling: Ruling, case: Case) -> Iterator[str]:
    opinion = ruling.second_opinion
    if opinion is None:
        is_placed = ruling.outcome == "success"
        alone = (
            say("none: several units are placed one after the other")
            if is_placed
            else say("none: no unit is placed")
        )
        yield translated(alone)
        return
    yield translated(VERDICTS[opinion.verdict](goal=opinion.goal))
    for rule, (exact, second) in opinion.goals.items():
        other = "-" if second is None else _number(second)
        yield translated(
            say(
                "{rule}: answer {exact}, SciPy {second}",
                rule=rule,
                exact=_number(exact),
                second=other,
            )
        )
    for name, place in opinion.units.items():
        yield _placed(name, place, case)


def judgement_text(judgement: Judgement, case: Case) -> str:
    """Return the judgement of a proposal as text in full: outcome, findings, and what would be right."""
    lines = [
        f"{translated(PROPOSAL)}: {_outcome(judgement.outcome, judgement.rule)}",
        *_indented(_summary(judgement)),
    ]
    lines += _section(
        say("Findings"), [*map(_finding_line, judgement.findings), *_allowance_lines(judgement)]
    )
    taken = (
        (_placed(name, judgement.meant[name], case), _number(away))
        for name, away in judgement.moved.items()
    )
    away = "{place}, {away} in from where it was measured"
    lines += _section(
        say("Taken for"),
        (translated(say(away, place=place, away=inches)) for place, inches in taken),
    )
    lines += _section(
        say("What would be right"),
        (_placed(name, place, case) for name, place in judgement.better.items()),
    )
    return "\n".join(lines)


def _allowance_lines(judgement: Judgement) -> Iterator[str]:
    """Yield a line on the tolerance that limits grant for models placed by hand, if one does."""
    hand = max((finding.allowance for finding in judgement.findings), default=0.0)
    if hand > 0.0:
        yield translated(
            say("A limit may be missed by {hand:g} in, since models are placed by hand.", hand=hand)
        )


def odds_text(case: Case, odds: Odds) -> str:
    """Return the odds of all charges as text under the case's title; several charges also have joint odds."""
    parts = [_heading(case)]
    parts += [_charge_text(one) for one in odds.charges] or [translated(NO_CHARGES)]
    if len(odds.charges) > 1:
        chargers = ", ".join(one.charge.charger for one in odds.charges)
        parts.append(
            "\n".join(
                [
                    translated(say("Joint outcomes, in the order {chargers}", chargers=chargers)),
                    *_joint_lines(odds.joint),
                ]
            )
        )
    return "\n\n".join(parts)


def _charge_text(one: ChargeOdds) -> str:
    lines = [typer.style(charge_words(one.charge), bold=True)]
    possible = [
        _chance_row(translated(ODDS_WORDS[outcome]), chance)
        for outcome, chance in one.outcomes.items()
        if chance
    ]
    lines += [f"  {translated(say('Outcomes'))}", *_table(possible)]
    against = [_chance_row(rule, chance) for rule, chance in one.rules.items()]
    lines += (
        [f"  {translated(say('Rules that decide against success'))}", *_table(against)]
        if against
        else []
    )
    if one.by_total:
        lines += [f"  {translated(say('Rolls'))}", *_table(map(_total_row, one.by_total))]
        rolls = rolls_words(one.shortest_rolls)
        shortest = (
            say("no roll succeeds")
            if rolls is None
            else say("shortest roll that succeeds: {roll}", roll=rolls)
        )
        lines.append(f"  {translated(shortest)}")
        lines += [f"  {line}" for line in span_lines(one)]
    lines += _section(say("Chances"), metric_lines(one.metrics))
    return "\n".join(lines)


def _chance_row(name: str, chance: Fraction) -> tuple[str, str, str]:
    return name, str(chance), translated(percent(chance))


def _total_row(one: TotalOdds) -> tuple[str, str, str, str]:
    possible = {outcome: chance for outcome, chance in one.outcomes.items() if chance}
    words = [
        translated(ODDS_WORDS[outcome]) + (f" {chance}" if len(possible) > 1 else "")
        for outcome, chance in possible.items()
    ]
    return *_chance_row(str(one.total), one.chance), ", ".join(words)


def _joint_lines(joint: Mapping[tuple[OddsOutcome, ...], Fraction]) -> list[str]:
    rows = [
        _chance_row(", ".join(translated(ODDS_WORDS[outcome]) for outcome in row), chance)
        for row, chance in joint.items()
    ]
    rest = translated(
        say("... and {count} more (--json lists all)", count=len(rows) - ROWS_PRINTED)
    )
    return [*_table(rows[:ROWS_PRINTED]), *([f"    {rest}"] if len(rows) > ROWS_PRINTED else [])]


def _table(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return rows of cells as lines with aligned columns: the second and third to the right, others to the left."""
    cells = list(rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        f"    {'  '.join(map(_padded, row, widths, range(len(row))))}".rstrip() for row in cells
    ]


def _padded(cell: str, width: int, column: int) -> str:
    return cell.rjust(width) if column in (1, 2) else cell.ljust(width)


def resolution_lines(resolution: Resolution) -> str:
    """Return one line per ruling, in file order."""
    return "\n".join(map(_ruling_line, resolution.rulings)) or translated(NO_CHARGES)


def _ruling_line(ruling: Ruling) -> str:
    """Return a ruling as one line, with the rule that decided, for a success the first goal decided, and rules still
    open.
    """
    decided = _decided(ruling.rule, ruling.findings)
    for rule, mark in [*ruling.decided.items()][:1] if ruling.rule is None else ():
        decided = f" ({rule}: {mark.words})"
    left = f"; {_open_rules(ruling.open)}" if ruling.open else ""
    return (
        f"{charge_words(ruling.charge)}: {translated(OUTCOME_WORDS[ruling.outcome])}{decided}{left}"
    )


def _open_rules(rules: Sequence[str]) -> str:
    return translated(say("open at this accuracy: {rules}", rules=", ".join(rules)))


def judgement_line(judgement: Judgement) -> str:
    """Return the judgement of a proposal as one line: outcome, deciding rule and margin."""
    return (
        f"{translated(PROPOSAL)}: "
        f"{translated(OUTCOME_WORDS[judgement.outcome])}{_decided(judgement.rule, judgement.findings)}"
    )


def _decided(rule: str | None, findings: Sequence[Finding]) -> str:
    """Return the deciding rule in parentheses, with its smallest margin if one was measured; "" if `rule` is None."""
    if rule is None:
        return ""
    margins = [
        finding.margin
        for finding in findings
        if finding.rule == rule and finding.margin is not None
    ]
    return (
        f" ({rule}{translated(say(', margin {margin:+.4g}', margin=min(margins)))})"
        if margins
        else f" ({rule})"
    )


def odds_lines(odds: Odds) -> str:
    """Return one line per charge: the chance of success and the likeliest rule against it."""
    return "\n".join(map(_chance_line, odds.charges)) or translated(NO_CHARGES)


def _chance_line(one: ChargeOdds) -> str:
    parts = chance_words(one)
    for rule, against in [*one.rules.items()][:1]:
        parts.append(
            say(
                "{rule} against it {chance} ({percent})",
                rule=rule,
                chance=str(against),
                percent=percent(against),
            )
        )
    return f"{charge_words(one.charge)}: {', '.join(map(translated, parts))}"


def chance_words(one: Ruling | ChargeOdds) -> list[str]:
    """Return the chance of success and, if some roll succeeds, the smallest one, in words."""
    chance, most = one.chances
    parts = [say("success {chance} ({percent})", chance=str(chance), percent=percent(chance))]
    if chance < most:
        span = {"from": percent(chance), "to": percent(most)}
        parts = [
            say(
                "success {chance} to {most} ({from} to {to})",
                chance=str(chance),
                most=str(most),
                **span,
            )
        ]
    if one.shortest_roll is not None:
        parts.append(say("needs {roll} or more", roll=one.shortest_roll))
    elif (rolls := rolls_words(one.shortest_rolls)) is not None:
        parts.append(say("needs {rolls}", rolls=rolls))
    return parts


def _outcome(outcome: str, rule: str | None) -> str:
    told_so = typer.style(translated(OUTCOME_WORDS[outcome]), fg=COLOURS[outcome], bold=True)
    return f"{told_so} ({rule})" if rule else told_so


def _section(heading: str, lines: Iterable[str]) -> list[str]:
    body = _indented(lines)
    return [f"  {translated(heading)}", *(f"  {line}" for line in body)] if body else []


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines if line]


def _step_line(step: Step, case: Case) -> str:
    parts = [] if step.model is None else [say("model {number}", number=from_one(step.model))]
    if step.angle is not None:
        angle = abs(math.degrees(step.angle))
        parts.append(
            say("by {angle:.3f} degrees left", angle=angle)
            if step.angle > 0
            else say("by {angle:.3f} degrees right", angle=angle)
        )
    if step.length is not None:
        parts.append(say("{length:.3f} in", length=step.length))
    if step.end is not None:
        parts.append(
            say("to {place}", place=_place(step.end, case, step.path[-1][2] if step.path else 0.0))
        )
    rules = f"[{', '.join(step.rules)}]" if step.rules else ""
    return "  ".join(
        filter(
            None,
            (step_words(step.kind, case), step.unit, *map(translated, parts), rules, step.text),
        )
    )


def _finding_line(finding: Finding) -> str:
    mark = mark_of(say("ok") if finding.ok else say("NO"), ok=finding.ok)
    numbers = (
        []
        if finding.measured is None
        else [say("measured {number}", number=_number(finding.measured))]
    )
    numbers += (
        [] if finding.limit is None else [say("limit {number}", number=_number(finding.limit))]
    )
    if finding.margin is not None:
        numbers.append(
            say("margin {margin}{sure}", margin=_margin(finding.margin), sure=sure_words(finding))
        )
        numbers += [say("marginal")] if finding.is_marginal else []
    numbers += [say("open")] if finding.is_open else []
    measures = f" ({', '.join(map(translated, numbers))})" if numbers else ""
    return f"{mark}  {finding.rule}: {finding.text}{measures}"


def mark_of(word: str, *, ok: bool) -> str:
    """Return a word translated and styled for a terminal: green if `ok`, else bold red."""
    return typer.style(
        translated(word),
        fg=typer.colors.GREEN if ok else typer.colors.RED,
        bold=None if ok else True,
    )


def sure_words(finding: Finding) -> str:
    """Return the uncertainty of a finding's margin as text; "" if it has none."""
    if finding.uncertainty is None:
        return ""
    off = round(finding.uncertainty, 6)
    return (
        say(" ± {off:.4g} at most", off=off)
        if finding.between
        else say(" ± {off:.4g} searched", off=off)
    )


def _margin(margin: float) -> str:
    """Return a margin as signed text with four significant digits, rounded to a millionth of its unit."""
    return Digits(f"{round(margin, 6):+z.4g}")


def _placed(name: str, place: Any, case: Case) -> str:
    """Return a unit's name and place as text; for loose models also facings, and the order of moves if it matters."""
    where = translated(say("{unit} at {place}", unit=name, place=_place(place, case)))
    if not isinstance(place, Formation):
        return where
    keys = place_entry(place, case)
    if not all(isinstance(model.base, RoundBase) for model in case.state.units[name].models):
        where += translated(
            say(", facing {facings} degrees", facings=f"{_value(keys['facing_deg'])}")
        )
    order = list(keys.get("order") or [])
    return (
        where
        if order == sorted(order)
        else where + translated(say(", moved in the order {order}", order=model_numbers(order)))
    )


def model_numbers(numbers: Iterable[int]) -> str:
    """Return the numbers of models as text, counted from one."""
    return ", ".join(str(from_one(number)) for number in numbers)


def _place(place: Any, case: Case, z: float = 0.0) -> str:
    """Return a pose, a hex or the places of loose models as text, in inches and degrees; of a single pose also its
    height `z`.
    """
    keys = place_entry(place, case)
    if "hex" in keys:
        return translated(
            say("{hex} facing {facing}", hex=str(keys["hex"]), facing=str(keys["facing"]))
        )
    if not isinstance(place, Pose):
        return _value(keys["at"])
    spot = [*keys["at"], *([z] if z else [])]
    return translated(
        say(
            "{spot} facing {facing} degrees",
            spot=_value([spot]),
            facing=_number(keys["facing_deg"]),
        )
    )


def metric_lines(metrics: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each metric, its name and value in aligned columns."""
    width = max(map(len, metrics), default=0)
    for key, value in metrics.items():
        yield f"{key:<{width}}  {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_value(inner)}" for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(
            f"({_value(inner)})" if isinstance(inner, (list, tuple)) else _value(inner)
            for inner in value
        )
    return _number(value) if is_number(value) else str(value)


def _number(value: float) -> str:
    return Digits(
        value if isinstance(value, int) else f"{value:z.6f}".rstrip("0").removesuffix(".")
    )


def span_lines(one: Ruling | ChargeOdds) -> Iterator[str]:
    """Yield a line with the range of the shortest roll over the tables within the accuracy, if it was searched."""
    if one.is_proved and one.shortest_roll_range is not None:
        least, greatest = (
            (say("none") if roll is None else str(roll)) for roll in one.shortest_roll_range
        )
        ends = say("{least} to {greatest}", least=least, greatest=greatest)
        yield translated(
            say("shortest roll on the tables searched within the accuracy: {rolls}", rolls=ends)
        )


def rolls_words(rolls: tuple[int | None, int | None]) -> str | None:
    """Return a range of the shortest successful roll as text, one number if it is exact; None if no roll succeeds."""
    least, greatest = rolls
    if least is None or least == greatest:
        return None if least is None else str(least)
    if greatest is None:
        return say("{least} or more, or none, not proved", least=least)
    if greatest == least + 1:
        return say("{least} or {greatest}, not proved", least=least, greatest=greatest)
    return say("{least} to {greatest}, not proved", least=least, greatest=greatest)


def percent(chance: Fraction) -> str:
    """Return a chance as a percentage with two decimals that reads as 0 % or 100 % only if it is exactly that.

    Examples
    --------
    >>> percent(Fraction(5, 6)), percent(Fraction(1, 10**6)), percent(1 - Fraction(1, 10**6))
    ('83.33%', '<0.01%', '>99.99%')
    """
    if 0 < chance < LEAST_PRINTED:
        return Digits("<0.01%")
    return Digits(">99.99%" if 1 - LEAST_PRINTED < chance < 1 else f"{float(chance):.2%}")


def unstyled(text: str) -> str:
    """Return a text without the escape sequences of terminal styles."""
    return _STYLE.sub("", text)
