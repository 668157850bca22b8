"""The first screen: what a person wants to know of rulings and judgements, in at most 16 lines of 80 columns for one charge."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from tabletop.cli.report import (
    COLOURS,
    OUTCOME_WORDS,
    accuracy_hint,
    charge_words,
    percent,
    rolls_words,
    span_lines,
    sure_words,
)
from tabletop.cli.speech import edition, step_words, translated
from tabletop.errors import NoVerdictError, message_of
from tabletop.geometry.pose import Point, Pose
from tabletop.messages import Digits, counted, listed, say, word
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

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 80
"""Columns of a screen."""

MOST_LINES = 16
"""Lines of the first screen for each charge, its claim included."""

LABEL_WIDTH = 10
"""Columns of a row's label."""

MOST_CLOSEST = 2
"""Limits with the smallest margins that are shown."""

MOST_BROKEN = 2
"""Broken rules that are shown, the deciding one first."""

MOST_PLACES = 3
"""Loose models whose right places are written out."""

LEAST_SHIFT = 0.005
"""Inches or degrees below which a part of a shift is not mentioned."""

LEAST_TURNED = 0.05
"""Degrees below which a turn is not mentioned as part of a move."""

LEAST_TURN = 1e-4
"""Radians from which on a front counts as turned away from a facing."""

PROOFS = {
    "exact": say("exact"),
    "tolerance": say("within tolerance"),
    "best_found": say("no, the best that was found"),
}
"""How sure it is that nothing better exists, in words."""


class Row(NamedTuple):
    """A row of the screen: its label, its text, the order in which rows are left out (0: never, then the greatest first), and a colour."""

    label: str
    text: str
    spare: int = 0
    colour: str | None = None


@dataclass(frozen=True)
class Block:
    """What is shown of a charge or a claim: a headline, in which the outcome has a colour, and rows."""

    who: str
    outcome: str
    words: str
    result: str
    rows: tuple[Row, ...]


def resolution_screen(
    case: Case, resolution: Resolution, judgement: Judgement | None = None, no_verdict: NoVerdictError | None = None
) -> str:
    """Return title and rulings of a case as text, and the judgement on its claim, or why there is none."""
    blocks = [_charge_block(ruling, number, resolution, case) for number, ruling in enumerate(resolution.rulings)]
    if judgement is not None:
        blocks.append(_claim_block(judgement, resolution, case))
    if no_verdict is not None:
        reason = Row(say("Why"), message_of(no_verdict))
        blocks.append(Block(translated(say("Claim")), "undecided", say("no verdict"), "", (reason,)))
    return _screen(case, blocks, len(resolution.rulings))


def judgement_screen(case: Case, resolution: Resolution, judgement: Judgement) -> str:
    """Return title of a case and judgement on its claim as text."""
    return _screen(case, [_claim_block(judgement, resolution, case)], 1)


def _screen(case: Case, blocks: Sequence[Block], charges: int) -> str:
    """Return title and blocks as text, without as many of the rows that can be spared as do not fit on the screens of the charges."""
    written = [_title(case)]
    written += [_heading_lines(block) for block in blocks]
    rows = [[(row, _row_lines(row)) for row in block.rows] for block in blocks]
    left = MOST_LINES * max(charges, 1) - sum(map(len, written)) - len(blocks) + 1
    spared = sorted({row.spare for some in rows for row, _ in some if row.spare})
    while spared and sum(len(lines) for some in rows for _, lines in some) > left:
        last = spared.pop()
        rows = [[(row, lines) for row, lines in some if row.spare != last] for some in rows]
    texts = ["\n".join((*head, *(line for _, lines in some for line in lines))) for head, some in zip(written[1:], rows, strict=True)]
    return "\n".join([*written[0], "\n\n".join(texts) or translated(say("No charges."))])


def _title(case: Case) -> list[str]:
    """Return the lines of the title: with game and edition at the right edge if there is room, else on the next line."""
    title, game = case.title or translated(say("Untitled")), f"{case.system.title}, {edition(case)}"
    lines = _wrapped(title, WIDTH)
    room = WIDTH - _width(lines[-1]) - _width(game)
    styled = [typer.style(line, bold=True) for line in lines]
    if room <= 1:
        return [*styled, *_wrapped(game, WIDTH)]
    return [*styled[:-1], f"{styled[-1]}{' ' * room}{game}"]


def _heading_lines(block: Block) -> list[str]:
    word = translated(block.words).upper()
    text = say("{who}: {outcome}", who=block.who, outcome=word)
    if block.result:
        text = say("{who}: {outcome}. {result}", who=block.who, outcome=word, result=block.result)
    lines = _wrapped(translated(text), WIDTH)
    styled = typer.style(word, fg=COLOURS[block.outcome], bold=True)
    place = next((place for place, line in enumerate(lines) if word in line), None)
    if place is not None:
        before, _, after = lines[place].rpartition(word)
        lines[place] = f"{before}{styled}{after}"
    return lines


def _row_lines(row: Row) -> list[str]:
    """Return the lines of a row: its label, and its text with a hanging indent."""
    label = translated(row.label)
    gap = " " * max(LABEL_WIDTH - _width(label), 1)
    indent = " " * (2 + LABEL_WIDTH)
    first, *rest = _wrapped(translated(row.text), WIDTH - 2 - max(LABEL_WIDTH, _width(label) + 1))
    return [f"  {typer.style(label, fg=row.colour, bold=True)}{gap}{first}", *(f"{indent}{line}" for line in rest)]


def _console() -> "Console":
    from rich.console import Console

    return Console(width=WIDTH)


def _wrapped(text: str, width: int) -> list[str]:
    """Return a text broken into lines of at most so many columns, in which wide characters take two."""
    from rich.text import Text

    return [line.plain.rstrip() for line in Text(text).wrap(_console(), width)] or [""]


def _width(text: str) -> int:
    """Return the columns that a text takes on a terminal."""
    from rich.cells import cell_len

    return cell_len(text)


# Rulings


def _charge_block(ruling: Ruling, number: int, resolution: Resolution, case: Case) -> Block:
    """Return the block of the ruling with this number in a resolution."""
    tables = resolution.tables[number] if resolution.tables else (resolution.before, resolution.after)
    rows = (
        *_open(ruling),
        *_broken(ruling),
        *_would_do(ruling),
        *_roll(ruling),
        *_move(ruling, case),
        *_ends(ruling, *tables, case),
        *_sums(ruling),
        *_decided(ruling),
        *(_closest(ruling, case) if ruling.outcome == "success" else ()),
        *_else(ruling),
        *(Row(say("Note"), text, 6) for text in accuracy_hint(ruling)),
        _proved(ruling),
    )
    who, words = charge_words(ruling.charge), OUTCOME_WORDS[ruling.outcome]
    if ruling.open:
        nearest = say("On the table nearest to what was measured: {outcome}.", outcome=words)
        return Block(who, "undecided", OUTCOME_WORDS["undecided"], translated(nearest), rows)
    is_said_below = any(one.rule == ruling.rule and not one.ok for one in ruling.findings)
    return Block(who, ruling.outcome, words, ruling.result or ("" if is_said_below else ruling.summary), rows)


def _open(answer: Ruling | Judgement, *, spare: int = 0) -> Iterator[Row]:
    """Yield the first rule that the accuracy leaves open, or the names of all, and what to measure again, which can be spared."""
    if not answer.open:
        return
    first = next((one for one in answer.findings if one.rule == answer.open[0]), None)
    yield Row(say("Open"), ", ".join(answer.open) if first is None else _finding(first), 0, COLOURS["undecided"])
    if answer.decides is not None:
        yield Row("", answer.decides.text, spare)


def _broken(ruling: Ruling) -> Iterator[Row]:
    """Yield the broken rules of a refused or failed charge: the deciding one, then in the order in which figures number them."""
    if ruling.open or ruling.rule is None:
        return
    from plots.marks.deciding import decided_by

    order = [ruling.rule, *(one.rule for one in decided_by(ruling)[0]), *(one.rule for one in ruling.findings)]
    broken = {one.rule: one for one in reversed(ruling.findings) if not one.ok}
    found = [broken[rule] for rule in dict.fromkeys(order) if rule in broken]
    for place, finding in enumerate(found[:MOST_BROKEN]):
        yield Row(say("Broken") if place == 0 else "", _finding(finding), 5 * place, COLOURS[ruling.outcome])


def _finding(finding: Finding, *, with_margin: bool = False) -> str:
    """Return the rule of a finding with its sentence; with its margin if that has an uncertainty, or if asked."""
    if finding.margin is None or (finding.uncertainty is None and not with_margin):
        return say("{rule}: {text}", rule=finding.rule, text=finding.text)
    margin = Digits(f"{finding.margin:+z.2f}")
    return say("{rule} (margin {margin}{sure}): {text}", rule=finding.rule, text=finding.text, margin=margin, sure=sure_words(finding))


def _would_do(ruling: Ruling) -> Iterator[Row]:
    """Yield what a refused or failed charge lacks."""
    yield from (Row(say("Would do"), one.text) for one in ruling.contrast or () if one.kind == "missing")


def _roll(ruling: Ruling) -> Iterator[Row]:
    """Yield the roll as it is added up, the distance, and the smallest roll that does with its chance, unless `_would_do` has it."""
    dice, distance = ruling.evidence.dice, ruling.metrics.get("distance")
    if dice is None:
        return
    parts = [dice.told or say("{faces} {words}.", faces=" + ".join(map(str, dice.faces)), words=dice.words)]
    if distance is not None:
        targets = ruling.charge.targets
        near = say("The nearest target") if len(targets) > 1 else targets[0]
        parts.append(say("{target} is {distance:.2f} in away.", target=near, distance=distance))
    if not any(_would_do(ruling)):
        spans = [say("{text:capital}.", text=line) for line in span_lines(ruling)]
        parts += spans if len({*(ruling.shortest_roll_range or ())}) > 1 else [_needed(ruling)]
    yield Row(say("Roll"), listed(filter(None, parts), " "))


def _needed(ruling: Ruling) -> str:
    """Return the smallest roll that succeeds with its chance as a sentence; "" where it is not known."""
    least, most = ruling.chances
    if least == most and least in (0, 1):
        return say("Every roll is enough.") if least else say("No roll is enough.")
    rolls = rolls_words(ruling.shortest_rolls)
    if rolls is None:
        return ""
    if least < most:
        span = {"least": percent(least), "most": percent(most)}
        return say("Needs {rolls}; the chance is {least} to {most}.", rolls=rolls, **span)
    return say("Needs {roll} or more: {chance} = {percent}.", roll=rolls, chance=str(least), percent=percent(least))


def _move(ruling: Ruling, case: Case) -> Iterator[Row]:
    """Yield the way of the charger in one sentence."""
    steps = [step for step in ruling.steps if is_moving(step) and step.unit == ruling.charge.charger]
    lengths = [step.length for step in steps if step.model is not None and step.length is not None]
    if lengths:
        models = counted(len(lengths), "models")
        yield Row(say("Move"), say("{models}, at most {length:.2f} in", models=models, length=max(lengths)), 4)
    elif steps:
        alike = groupby(steps, key=lambda step: (step.kind, step.angle is None, step.length is None))
        parts = [part for _, some in alike for part in _legs(list(some), case)]
        yield from (Row(say("Move"), told, 4) for told in [listed(parts, ", ")] if told)


def _legs(steps: Sequence[Step], case: Case) -> Iterator[str]:
    """Yield the names of steps of one kind with their angles or lengths, or once with all hexes."""
    kind = step_words(steps[0].kind, case)
    ends = [place_entry(step.end, case) for step in steps]
    if "hex" in ends[0]:
        turns = [step.start is not None and step.end is not None and step.start.at == step.end.at for step in steps]
        places = [str(end["facing"] if is_turn else end["hex"]) for end, is_turn in zip(ends, turns, strict=True)]
        yield say("{kind} {places}", kind=kind, places=", ".join(places))
        return
    yield from (_leg(step, kind) for step in steps if _is_noticed(step))


def _is_noticed(step: Step) -> bool:
    """Return whether a step is more than a touch: it turns, or goes as far, as a person can see."""
    if step.angle is not None:
        return math.degrees(abs(step.angle)) >= LEAST_TURNED
    return step.length is None or step.length >= LEAST_SHIFT


def _leg(step: Step, kind: str) -> str:
    """Return a step as its name with its angle or length."""
    if step.angle is not None:
        told = {"kind": kind, "angle": math.degrees(abs(step.angle))}
        return say("{kind} {angle:.1f}° left", **told) if step.angle > 0 else say("{kind} {angle:.1f}° right", **told)
    return kind if step.length is None else say("{kind} {length:.2f} in", kind=kind, length=step.length)


def _ends(ruling: Ruling, before: State[Any], after: State[Any], case: Case) -> Iterator[Row]:
    """Yield where the units end that moved: the charger first, relative to what it touches, then its place."""
    charger = ruling.charge.charger
    chargers = {charge.charger for charge in case.charges}
    moved = [name for name, unit in after.units.items() if name in before.units and unit.place != before.units[name].place]
    others = [_ended(name, after, case) for name in moved if name not in chargers and not isinstance(after.units[name], Squad)]
    if charger in moved:
        own = after.units[charger]
        parts = [_contacts(ruling, own) if isinstance(own, Squad) else _against(ruling, after)]
        if not isinstance(own, Squad) or len(own.models) == 1:
            parts.append(_place(own.models[0].pose if isinstance(own, Squad) else own.pose, case))
        yield Row(say("Ends"), listed([*filter(None, parts), *others], "; "))
    elif ruling.outcome == "failed":
        yield Row(say("Ends"), listed([say("{charger} stays where it is", charger=charger), *others], "; "))
    elif others:
        yield Row(say("Ends"), listed(others, "; "))


def _ended(name: str, after: State[Any], case: Case) -> str:
    return say("{unit} {place}", unit=name, place=_place(after.units[name].pose, case))


def _contacts(ruling: Ruling, unit: Squad) -> str:
    """Return which loose models touch a target, and which do not."""
    touching = set(ruling.evidence.models_in_contact.get(unit.name, ()))
    if not touching or len(unit.models) == 1:
        return say("in base contact") if touching else say("no base contact")
    left = [model.number for model in unit.models if model.number not in touching]
    told = say("in base contact: {models}", models=_numbers(touching))
    return say("{told}; not: {models}", told=told, models=_numbers(left)) if left else told


def _numbers(numbers: Iterable[int]) -> str:
    """Return numbers of models as text, counted from 1, in order: runs of three and more as ranges, such as "1-4, 7"."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0])]
    return ", ".join(
        f"{from_one(run[0])}-{from_one(run[-1])}" if len(run) > 2 else ", ".join(str(from_one(number)) for number in run)  # noqa: PLR2004
        for run in runs
    )


def _against(ruling: Ruling, after: State[Any]) -> str:
    """Return where a front ends on the facing that it charged: flush or turned, and how far from the middle; "" if there is none."""
    charger, targets = after.units[ruling.charge.charger], [after.units.get(name) for name in ruling.charge.targets]
    ends = ruling.evidence.facing_after
    if ends is None or not isinstance(charger, Regiment):
        return ""
    sides = [(unit, facing_of(unit, name)) for unit in targets if isinstance(unit, Regiment) for name in FACINGS]
    charged = [pair for pair in sides if math.dist(*map(_middle, (pair[1].ends, ends))) < AS_RESOLVED]
    if not charged:
        return ""
    unit, side = charged[0]
    told: dict[str, Any] = {"target": unit.name, "facing": FACING_WORDS[side.name]}
    turned = abs(wrapped(charger.pose.heading - math.atan2(-side.normal[1], -side.normal[0])))
    if turned > LEAST_TURN:
        return say("touching the {facing} of {target}, turned {angle:.2f}° away from it", angle=math.degrees(turned), **told)
    offset = side.coordinates(charger.pose.at)[0] - side.length / 2
    told["length"] = abs(offset)
    if abs(offset) < LEAST_SHIFT:
        return say("flush with the {facing} of {target}, middle to middle", target=unit.name, facing=told["facing"])
    if offset < 0:
        return say("flush with the {facing} of {target}, {length:.2f} in left of its middle", **told)
    return say("flush with the {facing} of {target}, {length:.2f} in right of its middle", **told)


def _middle(ends: tuple[Point, Point]) -> Point:
    (x, y), (to_x, to_y) = ends
    return ((x + to_x) / 2, (y + to_y) / 2)


def _place(pose: Pose, case: Case) -> str:
    """Return a pose or a hex as text, coordinates with two decimals."""
    keys = place_entry(pose, case)
    if "hex" in keys:
        return say("in hex {hex} facing {facing}", hex=str(keys["hex"]), facing=str(keys["facing"]))
    x, y = keys["at"]
    return say("at ({x:.2f}, {y:.2f}), facing {facing:g}°", x=x, y=y, facing=round(keys["facing_deg"], 1))


def _sums(ruling: Ruling) -> Iterator[Row]:
    """Yield the sums that a rule works out, such as damage."""
    for place, one in enumerate(one for one in ruling.contrast or () if one.kind == "mechanism"):
        yield Row(say("Sum") if place == 0 else "", one.text, 2)


def _decided(ruling: Ruling) -> Iterator[Row]:
    """Yield the goal or limit on which a success hangs, which is the first that figures draw, unless its sum is shown."""
    if ruling.outcome != "success" or ruling.open:
        return
    from plots.marks.deciding import deciding

    summed = {one.rule for one in ruling.contrast or () if one.kind == "mechanism"}
    marks = [one.mark for one in deciding(ruling)[1][:1] if one.rule not in summed]
    yield from (Row(say("Decided"), _finding(one), 3) for one in ruling.findings if any(one.mark is mark for mark in marks))


def _closest(ruling: Ruling, case: Case) -> Iterator[Row]:
    """Yield the limits that hold with the smallest margins, counts left out."""
    decided = [row.text for row in _decided(ruling)]
    closest = [one for one in _by_margin(ruling.findings, case) if _finding(one) not in decided]
    for place, one in enumerate(closest[:MOST_CLOSEST]):
        yield Row(say("Closest") if place == 0 else "", _finding(one, with_margin=True), 8 + place)


def _by_margin(findings: Iterable[Finding], case: Case) -> list[Finding]:
    """Return the findings of limits that hold, by margin."""
    limits = {rule.name for rule in case.system.rules if rule.nature == "limit"}
    held = [one for one in findings if one.ok and one.rule in limits and isinstance(one.margin, float)]
    return sorted(held, key=lambda one: abs(one.margin or 0.0))


def _else(ruling: Ruling) -> Iterator[Row]:
    """Yield the alternative that figures draw, else the first, with what tells against it."""
    from plots.marks.deciding import drawn_contrast

    others = (one for one in ruling.contrast or () if one.kind not in ("missing", "mechanism"))
    first = drawn_contrast(ruling) or next(others, None)
    if first is not None:
        yield Row(say("Else"), first.text, 7)


def _proved(ruling: Ruling) -> Row:
    """Return how sure the answer is, and where more stands."""
    broken = sum(not one.ok for one in ruling.findings)
    told = {"proof": PROOFS[ruling.proof], "findings": counted(len(ruling.findings), "findings")}
    told["broken"] = counted(broken, "broken") if broken else say("none broken")
    return Row(say("Proved"), say("{proof}. {findings}, {broken}: see --all; --figure FILE draws it.", **told), 2)


# Claims


def _claim_block(judgement: Judgement, resolution: Resolution, case: Case) -> Block:
    """Return the block of the judgement on a case's claim."""
    broken = judgement.broken
    is_told = judgement.outcome not in ("not_allowed", "undecided") or (broken is None and not judgement.open)
    goals = {rule.name for rule in case.system.rules if rule.nature == "goal"}
    rows = [*_open(judgement, spare=1)]
    if broken is not None and not judgement.open:
        rows.append(Row(say("Broken"), _finding(broken), 0, COLOURS["not_allowed"]))
    rows += [Row(say("Taken for"), text, 1) for text in _taken(judgement, case)]
    rows += [Row("" if place else say("Right"), text) for place, text in enumerate(_corrections(judgement, resolution, case))]
    rows += [Row(say("Note"), text, 6) for text in accuracy_hint(judgement)]
    rows += _checked(judgement, case)
    result = say("A better place exists.") if broken is not None and broken.rule in goals else ""
    text = judgement.summary if is_told else translated(result)
    return Block(translated(say("Claim")), judgement.outcome, OUTCOME_WORDS[judgement.outcome], text, tuple(rows))


def _checked(judgement: Judgement, case: Case) -> Iterator[Row]:
    """Yield how many limits hold, and the one with the smallest margin."""
    held = sum(one.ok for one in judgement.findings)
    if not held:
        return
    closest = [say("closest: {finding}", finding=_finding(one, with_margin=True)) for one in _by_margin(judgement.findings, case)[:1]]
    yield Row(say("Checked"), listed([say("{findings} without fault", findings=counted(held, "findings")), *closest], "; "), 4)


def _taken(judgement: Judgement, case: Case) -> Iterator[str]:
    """Yield the exact places that measured claims were taken for."""
    for name, away in judgement.moved.items():
        place = judgement.meant[name]
        where = say("its models") if isinstance(place, Formation) else _place(place, case)
        yield say("{unit} {place}, {away:.3f} in from where it was measured", unit=name, place=where, away=away)


def _corrections(judgement: Judgement, resolution: Resolution, case: Case) -> Iterator[str]:
    """Yield for each unit or model that is claimed wrongly by how much, and the place that would be right."""
    claims = case.claimed(resolution) or {}
    for name, right in judgement.better.items():
        claimed = claims.get(name)
        if isinstance(right, Formation):
            yield from _right_models(name, claimed if isinstance(claimed, Formation) else None, right)
            continue
        if isinstance(claimed, Pose) and "hex" not in place_entry(right, case) and (parts := _shift(claimed, right)):
            told = listed([*parts, *_as_claimed(name, claimed, right, case)], ", ")
            yield say("{unit} {shift}: {place}", unit=name, shift=told, place=_place(right, case))
        elif claimed != right:
            yield say("{unit} {place}", unit=name, place=_place(right, case))


def _shift(claimed: Pose, right: Pose) -> list[str]:
    """Return by how much a place lies aside, ahead and turned of the one that would be right, as the unit looks; empty if they agree."""
    aside, ahead = claimed.local(right.at)
    turned = math.degrees(wrapped(right.heading - claimed.heading))
    parts = []
    if abs(aside) >= LEAST_SHIFT:
        right_or_left = say("{length:.2f} in farther right", length=aside)
        parts.append(right_or_left if aside > 0 else say("{length:.2f} in farther left", length=-aside))
    if abs(ahead) >= LEAST_SHIFT:
        ahead_or_back = say("{length:.2f} in farther ahead", length=ahead)
        parts.append(ahead_or_back if ahead > 0 else say("{length:.2f} in farther back", length=-ahead))
    if abs(turned) >= LEAST_SHIFT:
        parts.append(say("turned {angle:.2f}° left", angle=turned) if turned > 0 else say("turned {angle:.2f}° right", angle=-turned))
    away = math.hypot(aside, ahead)
    return parts or ([say("{length:.4f} in away", length=away)] if away > 0 else [])


def _as_claimed(name: str, claimed: Pose, right: Pose, case: Case) -> Iterator[str]:
    """Yield the numbers with which a place claimed relative to another unit would be right."""
    proposal = (case.tables or {}).get("proposal", {})
    entry = proposal.get("units", {}).get(name, {})
    aside, ahead = claimed.local(right.at)
    if abs(wrapped(right.heading - claimed.heading)) > LEAST_TURN:
        return
    if (flush := entry.get("flush_on")) is not None:
        yield _number_of("offset", flush, -aside)
    if (beside := entry.get("beside")) is not None:
        yield _number_of("gap", beside, aside if beside["side"] == "right" else -aside)
        yield _number_of("shift", beside, ahead)
    if (before := entry.get("ahead_of")) is not None:
        sign = 1 if before.get("facing") == "same" else -1
        yield _number_of("gap", before, sign * ahead)
        yield _number_of("shift", before, sign * aside)


def _number_of(key: str, relation: Mapping[str, Any], more: float) -> str:
    return say("{key} {number:.2f}", key=word(key), number=relation.get(key, 0.0) + more + 0.0)


def _right_models(name: str, claimed: Formation | None, right: Formation) -> Iterator[str]:
    """Yield where the loose models belong that are claimed elsewhere, or else the order in which they must move."""
    spots = [(*pose.at, z) for pose, z in zip(right.poses, right.heights, strict=True)]
    known = [] if claimed is None else [(*pose.at, z) for pose, z in zip(claimed.poses, claimed.heights, strict=True)]
    away = [math.dist(spot, old) for spot, old in zip(spots, known, strict=False)] or [math.inf] * len(spots)
    wrong = [number for number, length in enumerate(away) if length > AS_RESOLVED]
    for number in wrong[:MOST_PLACES]:
        spot = ", ".join(f"{length:.2f}" for length in spots[number][: 3 if spots[number][2] else 2])
        model = say("{unit}'s model {number}", unit=name, number=from_one(number))
        yield say("{model}: {away:.2f} in away, at ({spot})", model=model, away=away[number], spot=Digits(spot))
    if len(wrong) > MOST_PLACES:
        yield say("and {models} of {unit}: --all lists them", models=counted(len(wrong) - MOST_PLACES, "models"), unit=name)
    if claimed is not None and not wrong and right.order not in (None, claimed.order) and len(right.poses) > 1:
        yield say("{unit} moves in the order {order}", unit=name, order=", ".join(str(from_one(number)) for number in right.order))
