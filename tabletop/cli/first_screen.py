"""The first screen: what a person wants to know of rulings and judgements, in at most 16 lines of 80 columns for one
charge.
"""

import math
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple
from unicodedata import east_asian_width

import typer

from tabletop.cli.report import (
    COLOURS,
    OUTCOME_WORDS,
    accuracy_hint,
    chance_words,
    charge_words,
    model_numbers,
    span_lines,
    sure_words,
)
from tabletop.errors import NoVerdictError, message_of
from tabletop.geometry.pose import Pose
from tabletop.language.language import speaking
from tabletop.language.speech import edition, language_of, step_words, translated
from tabletop.messages import Digits, counted, listed, say
from tabletop.ruling.charge import Step, is_moving
from tabletop.ruling.claimed import AS_RESOLVED
from tabletop.ruling.finding import Finding
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.cases import place_entry
from tabletop.table.facing import FACING_WORDS, FACINGS, facing_of
from tabletop.table.models import Formation, Squad, from_one
from tabletop.table.state import Regiment, State
from tabletop.units import wrapped

WIDTH = 80
"""Columns of a screen."""

MOST_LINES = 16
"""Lines of the first screen for each charge, its claim included."""

LABEL_WIDTH = 10
"""Columns of a row's label."""

MOST_BROKEN = 3
"""Broken rules that are shown."""

MOST_CLOSEST = 2
"""Limits with the smallest margins that are shown."""

LEAST_SHIFT = 0.005
"""Inches or degrees below which a part of a move or a shift is not mentioned."""

LEAST_TURN = 1e-4
"""Radians from which on a front counts as turned away from a facing."""

FILL = "\0"
"""Character that no text has."""

NONE_SPARED, ALL_SPARED = 9, 0
"""Rows with a greater number are left out: none of them, or all that can be."""

PROOF_WORDS = {
    "exact": say("exact"),
    "tolerance": say("within tolerance"),
    "best_found": say("none, the best that was found"),
}
"""How sure it is that nothing better exists, in words."""


class ScreenRow(NamedTuple):
    """A row of the screen: label, text, when it is left out (0: never, else the greatest first), and the colour of the
    label.
    """

    label: str
    text: str
    spare: int = ALL_SPARED
    colour: str | None = None


Block = tuple[str, list[ScreenRow]]
"""What is shown of a charge or a claim: its headline in lines, and its rows."""


def resolution_screen(
    case: Case,
    resolution: Resolution,
    judgement: Judgement | None = None,
    no_verdict: NoVerdictError | None = None,
) -> str:
    """Return title and rulings of a case as text, and the judgement on its claim, or why there is none."""
    blocks = [
        _charge_block(ruling, number, resolution, case)
        for number, ruling in enumerate(resolution.rulings)
    ]
    if judgement is not None:
        blocks.append(_claim_block(judgement, resolution, case))
    if no_verdict is not None:
        blocks.append(
            (
                _headline(say("Claim"), "undecided", say("no verdict"), ""),
                _rows(say("Why"), [message_of(no_verdict)]),
            )
        )
    return _screen(case, blocks, len(resolution.rulings))


def judgement_screen(case: Case, resolution: Resolution, judgement: Judgement) -> str:
    """Return title of a case and judgement on its claim as text."""
    return _screen(case, [_claim_block(judgement, resolution, case)], 1)


def _screen(case: Case, blocks: Sequence[Block], charges: int) -> str:
    """Return title and blocks as text, without the rows for which there is no room."""
    text = ""
    for spared in range(NONE_SPARED, ALL_SPARED - 1, -1):
        shown = (
            "\n".join([head, *(_lines_of(row) for row in rows if row.spare <= spared)])
            for head, rows in blocks
        )
        text = "\n".join([_title(case), "\n\n".join(shown) or translated(say("No charges."))])
        if text.count("\n") < MOST_LINES * max(charges, 1):
            break
    return text


def _title(case: Case) -> str:
    """Return the title, with game and edition at the right edge if there is room, else on the next line."""
    title = case.title or translated(say("Untitled"))
    game = f"{case.system.title}, {edition(case)}"
    gap = WIDTH - len(_filled(title + game))
    lines = [typer.style(line, bold=True) for line in _wrapped(title)]
    return f"{lines[0]}{' ' * gap}{game}" if gap > 1 else "\n".join([*lines, *_wrapped(game)])


def _headline(who: str, outcome: str, words: str, result: str) -> str:
    """Return who charges whom, the outcome in its colour, and what it comes to."""
    word = translated(words).upper()
    text = (
        say("{who}: {outcome}. {result}", who=who, outcome=word, result=result)
        if result
        else say("{who}: {outcome}", who=who, outcome=word)
    )
    return "\n".join(_wrapped(translated(text))).replace(
        word, typer.style(word, fg=COLOURS[outcome], bold=True), 1
    )


def _lines_of(row: ScreenRow) -> str:
    """Return a row as lines: its label, and its text with a hanging indent."""
    label = translated(row.label)
    indent = " " * LABEL_WIDTH
    lines = f"\n  {indent}".join(_wrapped(translated(row.text), WIDTH - LABEL_WIDTH - 2))
    return f"  {typer.style(label, fg=row.colour, bold=True)}{indent[len(_filled(label)) :]}{lines}"


def _wrapped(text: str, width: int = WIDTH) -> list[str]:
    """Return a text broken into lines of at most so many columns, in which wide characters take two."""
    lines = textwrap.wrap(_filled(text), width, break_on_hyphens=False)
    return [line.replace(FILL, "") for line in lines] or [""]


def _filled(text: str) -> str:
    """Return a text with a character `FILL` after each that takes two columns on a terminal, so that its length is its
    width.
    """
    return "".join(char + FILL if east_asian_width(char) in "WF" else char for char in text)


def _rows(
    label: str,
    texts: Iterable[str],
    spare: int = ALL_SPARED,
    *,
    more: int = 0,
    colour: str | None = None,
) -> list[ScreenRow]:
    """Return a row for each text that is not empty, the first with the label; those after it are left out sooner by
    `more`.
    """
    return [
        ScreenRow("" if place else label, text, spare + more * place, colour)
        for place, text in enumerate(filter(None, texts))
    ]


# Rulings


def _charge_block(ruling: Ruling, number: int, resolution: Resolution, case: Case) -> Block:
    """Return the block of the ruling with this number in a resolution."""
    tables = (
        resolution.tables[number] if resolution.tables else (resolution.before, resolution.after)
    )
    broken = (
        []
        if ruling.open
        else sorted(
            (one for one in ruling.findings if not one.ok), key=lambda one: one.rule != ruling.rule
        )
    )
    decided = _decided(ruling)
    rows = [
        *_open(ruling),
        *_rows(
            say("Broken"),
            map(_finding, broken[:MOST_BROKEN]),
            more=4,
            colour=COLOURS[ruling.outcome],
        ),
        *_rows(say("Would do"), _told_by(ruling, "missing")),
        *_rows(say("Roll"), [_roll(ruling)]),
        *_rows(say("Move"), [_move(ruling, case)], 4),
        *_rows(say("Ends"), [listed(_ends(ruling, *tables, case), "; ")]),
        *_rows(say("Sum"), _told_by(ruling, "mechanism"), 2),
        *_rows(say("Decided"), map(_finding, decided), 3),
        *_rows(
            say("Closest"),
            _closest(ruling.findings, case, decided) if ruling.outcome == "success" else (),
            8,
            more=1,
        ),
        *_rows(say("Else"), _otherwise(ruling), 7),
        *_rows(say("Note"), accuracy_hint(ruling), 6),
        *_rows(say("Proof"), [_proved(ruling)], 2),
    ]
    who = charge_words(ruling.charge)
    words = OUTCOME_WORDS[ruling.outcome]
    if ruling.open:
        nearest = say("On the table nearest to what was measured: {outcome}.", outcome=words)
        return _headline(who, "undecided", OUTCOME_WORDS["undecided"], nearest), rows
    return _headline(
        who, ruling.outcome, words, ruling.result or ("" if broken or decided else ruling.summary)
    ), rows


def _open(answer: Ruling | Judgement, spare: int = ALL_SPARED) -> list[ScreenRow]:
    """Return the first rule that the accuracy leaves open with its finding, and what to measure again, which is
    `spare`.
    """
    rules = answer.open or ()
    found = [_finding(one) for one in answer.findings if one.rule in rules][:1] or [
        ", ".join(rules)
    ]
    measure = [answer.decides.text] if answer.decides is not None else []
    return _rows(say("Open"), [*found, *measure], more=spare, colour=COLOURS["undecided"])


def _finding(finding: Finding, *, with_margin: bool = False) -> str:
    """Return the rule of a finding with its sentence; with its margin if that has an uncertainty, or if asked."""
    told = {"rule": finding.rule, "text": finding.text}
    if finding.margin is None or (finding.uncertainty is None and not with_margin):
        return say("{rule}: {text}", **told)
    return say(
        "{rule} (margin {margin}{sure}): {text}",
        margin=Digits(f"{finding.margin:+z.2f}"),
        sure=sure_words(finding),
        **told,
    )


def _told_by(ruling: Ruling, kind: str) -> list[str]:
    """Return the sentences of a ruling's contrasts of a kind."""
    return [one.finding.text for one in ruling.contrast or () if one.kind == kind]


def _roll(ruling: Ruling) -> str:
    """Return the roll as it is added up, the distance, and the chance with the smallest roll that does, unless "Would
    do" has them.
    """
    dice = ruling.evidence.dice
    distance = ruling.metrics.get("distance")
    if dice is None:
        return ""
    parts = [
        dice.told
        or say("{faces} {words}.", faces=" + ".join(map(str, dice.faces)), words=dice.words)
    ]
    if distance is not None:
        target, *others = ruling.charge.targets
        parts.append(
            say(
                "{target} is {distance:.2f} in away.",
                target=say("The nearest target") if others else target,
                distance=distance,
            )
        )
    least, most = ruling.chances
    needs: Iterable[str] = ()
    if ruling.open:
        needs = span_lines(ruling)
    elif most == 0:
        needs = [say("no roll succeeds")]
    elif not _told_by(ruling, "missing"):
        needs = [say("every roll succeeds") if least == 1 else listed(chance_words(ruling), ", ")]
    return listed([*parts, *(say("{text:capital}.", text=text) for text in needs)], " ")


def _move(ruling: Ruling, case: Case) -> str:
    """Return the way of the charger: how many loose models move and how far, or each step with its angle, length or
    hex.
    """
    steps = [
        step for step in ruling.steps if is_moving(step) and step.unit == ruling.charge.charger
    ]
    lengths = [step.length for step in steps if step.model is not None and step.length is not None]
    if lengths:
        return say(
            "{models}, at most {length:.2f} in",
            models=counted(len(lengths), "models"),
            length=max(lengths),
        )
    return listed(filter(None, (_leg(step, case) for step in steps)), ", ")


def _leg(step: Step, case: Case) -> str:
    """Return a step as its name with its hex, angle or length; "" if it is too small to be seen."""
    end = place_entry(step.end, case)
    kind = step_words(step.kind, case)
    if "hex" in end:
        return say(
            "{kind} {place}",
            kind=kind,
            place=str(end["facing" if step.angle is not None else "hex"]),
        )
    size = math.degrees(step.angle) if step.angle is not None else step.length
    if size is None or abs(size) < LEAST_SHIFT:
        return kind if size is None else ""
    if step.angle is None:
        return say("{kind} {length:.2f} in", kind=kind, length=size)
    return (
        say("{kind} {angle:.1f}° left", kind=kind, angle=size)
        if size > 0
        else say("{kind} {angle:.1f}° right", kind=kind, angle=-size)
    )


def _ends(ruling: Ruling, before: State[Any], after: State[Any], case: Case) -> Iterator[str]:
    """Yield where the units end that moved: the charger first, relative to what it touches, then its place."""
    name = ruling.charge.charger
    chargers = {charge.charger for charge in case.charges}
    moved = {
        unit.name: unit
        for unit in after.units.values()
        if unit.place != before.units[unit.name].place
    }
    own = moved.get(name)
    if own is None and ruling.outcome == "failed":
        yield say("{charger} stays where it is", charger=name)
    elif isinstance(own, Squad):
        yield _contacts(ruling, own)
        yield from (_place(model.pose, case) for model in own.models if len(own.models) == 1)
    elif own is not None:
        yield from filter(None, (_against(ruling, after), _place(own.pose, case)))
    others = (
        unit for unit in moved.values() if unit.name not in chargers and not isinstance(unit, Squad)
    )
    yield from (
        say("{unit} {place}", unit=unit.name, place=_place(unit.pose, case)) for unit in others
    )


def _contacts(ruling: Ruling, unit: Squad) -> str:
    """Return which loose models touch a target, and which do not."""
    touching = ruling.evidence.models_in_contact.get(unit.name, ())
    left = [model.number for model in unit.models if model.number not in touching]
    if not touching or not left:
        return say("in base contact") if touching else say("no base contact")
    return say(
        "in base contact: {models}; not: {others}",
        models=model_numbers(sorted(touching)),
        others=model_numbers(left),
    )


def _against(ruling: Ruling, after: State[Any]) -> str:
    """Return where a front ends on the facing that it charged: flush or turned, and how far from the middle; "" if
    there is none.
    """
    charger, target = (
        after.units.get(name) for name in (ruling.charge.charger, ruling.charge.targets[0])
    )
    ends = ruling.evidence.facing_after
    if ends is None or not (isinstance(charger, Regiment) and isinstance(target, Regiment)):
        return ""
    side = min(
        (facing_of(target, name) for name in FACINGS),
        key=lambda one: math.dist(one.origin, ends[0]),
    )
    told: dict[str, Any] = {"target": target.name, "facing": FACING_WORDS[side.name]}
    turned = wrapped(charger.pose.heading - side.flush_pose(0.0, 0.0).heading)
    if abs(turned) > LEAST_TURN:
        return say(
            "touching the {facing} of {target}, turned {angle:.2f}° away from it",
            angle=math.degrees(abs(turned)),
            **told,
        )
    offset = side.coordinates(charger.pose.at)[0] - side.length / 2
    aside = (
        say("{length:.2f} in left of its middle", length=-offset)
        if offset < 0
        else say("{length:.2f} in right of its middle", length=offset)
    )
    told["aside"] = aside if abs(offset) >= LEAST_SHIFT else say("middle to middle")
    return say("flush with the {facing} of {target}, {aside}", **told)


def _place(pose: Pose, case: Case) -> str:
    """Return a pose or a hex as text, coordinates with two decimals."""
    keys = place_entry(pose, case)
    if "hex" in keys:
        return say("in hex {hex} facing {facing}", hex=str(keys["hex"]), facing=str(keys["facing"]))
    return say(
        "at ({x:.2f}, {y:.2f}), facing {facing:g}°",
        x=pose.x,
        y=pose.y,
        facing=round(keys["facing_deg"], 1),
    )


def _decided(ruling: Ruling) -> list[Finding]:
    """Return the finding of the goal or limit on which a success hangs: the first that figures draw, unless its sum is
    shown.
    """
    summed = {one.finding.rule for one in ruling.contrast or () if one.kind == "mechanism"}
    rule, mark = next(iter(ruling.decided.items()), (None, None))
    if ruling.pointed is not None:
        rule = ruling.point
        mark = ruling.pointed.mark
    if ruling.outcome != "success" or ruling.open or rule in summed:
        return []
    return [one for one in ruling.findings if one.rule == rule and one.mark is mark]


def _closest(findings: Iterable[Finding], case: Case, besides: Sequence[Finding] = ()) -> list[str]:
    """Return the limits that hold with the smallest margins, counts left out, with their margins."""
    limits = {rule.name for rule in case.system.rules if rule.nature == "limit"}
    held = [
        one
        for one in findings
        if one.ok and one.rule in limits and isinstance(one.margin, float) and one not in besides
    ]
    return [
        _finding(one, with_margin=True)
        for one in sorted(held, key=lambda one: abs(one.margin or 0.0))[:MOST_CLOSEST]
    ]


def _otherwise(ruling: Ruling) -> list[str]:
    """Return the alternative that figures draw, else the first, with what tells against it."""
    others = (one for one in ruling.contrast or () if one.kind not in ("missing", "mechanism"))
    found = ruling.drawn_contrast or next(others, None)
    return [] if found is None else [found.finding.text]


def _proved(ruling: Ruling) -> str:
    """Return how sure the answer is, and where more stands."""
    broken = sum(not one.ok for one in ruling.findings)
    told = {
        "proof": PROOF_WORDS[ruling.proof],
        "findings": counted(len(ruling.findings), "findings"),
    }
    told["broken"] = counted(broken, "broken") if broken else say("none broken")
    return say("{proof}. {findings}, {broken}: see --all; --figure FILE draws it.", **told)


# Claims


def _claim_block(judgement: Judgement, resolution: Resolution, case: Case) -> Block:
    """Return the block of the judgement on a case's claim."""
    from plots.marks.captions import judged_words

    wrong = [judgement.broken] if judgement.broken is not None and not judgement.open else []
    goals = {rule.name for rule in case.system.rules if rule.nature == "goal"}
    kept = sum(one.ok for one in judgement.findings)
    closest = [
        say("closest: {finding}", finding=one) for one in _closest(judgement.findings, case)[:1]
    ]
    rows = [
        *(_open(judgement, 1) if judgement.open else ()),
        *_rows(say("Broken"), map(_finding, wrong), colour=COLOURS["not_allowed"]),
        *_rows(say("Should be"), _corrections(judgement, resolution, case)),
        *_rows(say("Note"), accuracy_hint(judgement), 6),
        *_rows(
            say("Checked"),
            [
                listed(
                    [say("{findings} without fault", findings=counted(kept, "findings")), *closest],
                    "; ",
                )
            ]
            if kept
            else (),
            5,
        ),
    ]
    result = "" if wrong or judgement.open else judgement.summary
    better = say("A better place exists.") if judgement.rule in goals and wrong else result
    with speaking(language_of(case)):
        verdict = judged_words(judgement)
    return _headline(say("Claim"), judgement.outcome, verdict, better), rows


def _corrections(judgement: Judgement, resolution: Resolution, case: Case) -> Iterator[str]:
    """Yield for each unit or model that is claimed wrongly the place that would be right, for fronts also by how
    much.
    """
    claims = case.claimed(resolution) or {}
    for name, right in judgement.better.items():
        claimed = claims.get(name)
        if isinstance(right, Formation):
            yield _right_models(name, claimed, right)
        elif "hex" in place_entry(right, case) or not isinstance(claimed, Pose):
            yield (
                say("{unit} {place}", unit=name, place=_place(right, case))
                if claimed != right
                else ""
            )
        elif parts := [*_shift(claimed, right), *_right_offset(name, claimed, right, case)]:
            yield say(
                "{unit} {shift}: {place}",
                unit=name,
                shift=listed(parts, ", "),
                place=_place(right, case),
            )


def _shift(claimed: Pose, right: Pose) -> list[str]:
    """Return by how much a place lies aside, ahead and turned of the one that would be right, as the unit looks; empty
    if they agree.
    """
    aside, ahead = claimed.local(right.at)
    turned = math.degrees(wrapped(right.heading - claimed.heading))
    parts = {
        say("{length:.2f} in to its right", length=aside): aside,
        say("{length:.2f} in to its left", length=-aside): -aside,
        say("{length:.2f} in ahead", length=ahead): ahead,
        say("{length:.2f} in back", length=-ahead): -ahead,
        say("turned {angle:.2f}° left", angle=turned): turned,
        say("turned {angle:.2f}° right", angle=-turned): -turned,
    }
    return [words for words, length in parts.items() if length >= LEAST_SHIFT]


def _right_offset(name: str, claimed: Pose, right: Pose, case: Case) -> Iterator[str]:
    """Yield the offset with which a claim on a facing would be right."""
    units = (case.tables or {}).get("proposal", {}).get("units", {})
    flush = units.get(name, {}).get("flush_on")
    if flush is not None and claimed.faces_like(right):
        yield say(
            "offset {offset:.2f}", offset=flush.get("offset", 0.0) - claimed.local(right.at)[0]
        )


def _right_models(name: str, claimed: Formation | None, right: Formation) -> str:
    """Return where the loose models belong that are claimed elsewhere, or else the order in which they must move."""
    known = _spots(claimed)
    models = []
    for number, spot in enumerate(_spots(right)):
        if number >= len(known) or math.dist(spot, known[number]) > AS_RESOLVED:
            x, y, z = spot
            height = say(", {z:g}", z=z) if z else ""
            models.append(
                say(
                    "{number} at ({x:.2f}, {y:.2f}{height})",
                    number=from_one(number),
                    x=x,
                    y=y,
                    height=height,
                )
            )
    if models:
        return say("{unit}, model {models}", unit=name, models=listed(models, ", "))
    if claimed is None or right.order in (None, claimed.order) or len(known) == 1:
        return ""
    return say(
        "{unit} moves in the order {order}", unit=name, order=model_numbers(right.order or ())
    )


def _spots(claimed: Formation | None) -> list[tuple[float, float, float]]:
    """Return the places of loose models with their heights; empty if none are claimed."""
    return (
        []
        if claimed is None
        else [(*pose.at, z) for pose, z in zip(claimed.poses, claimed.heights, strict=True)]
    )
