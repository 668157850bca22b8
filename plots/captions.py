"""The words of a figure, all taken from the ruling: badges, caption, footer and the description for those who cannot see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.hexes import FACINGS, HexBoard, facing_of, number
from tabletop.ruling import Case, Finding, Judgement, Resolution, Ruling
from tabletop.squads import Squad
from tabletop.state import Board, Regiment, State
from tabletop.units import facing_degrees
from tabletop.words import edition_words

SHOWN_RULES = 4
MINUS = "\N{MINUS SIGN}"
OUTCOME_WORDS = {"success": "Success", "failed": "Failed", "not_allowed": "Not allowed"}


@dataclass(frozen=True)
class Badge:
    """An outcome in words, and what it is about. `outcome` chooses the colour, which says nothing that the words do not."""

    id: str
    outcome: str
    words: str
    about: str


def ruling_badge(ruling: Ruling, number: int) -> Badge:
    """Say how a charge came out, with the rule that decided and its margin."""
    about = f"{ruling.charge.charger} charges {_joined(ruling.charge.targets)}"
    roll = ruling.shortest_roll
    chance = "every roll is enough" if ruling.chance_success == 1 else f"needs a roll of {roll} or more, chance {ruling.chance_success}"
    needed = f": {chance}" if roll is not None else ""
    return Badge(f"outcome.{number + 1}", ruling.outcome, _verdict(ruling.outcome, ruling.rule, ruling.findings), about + needed)


def judgement_badge(judgement: Judgement) -> Badge:
    """Say whether the proposed end position stands."""
    words = "Legal and best" if judgement.outcome == "success" else _verdict("not_allowed", judgement.rule, judgement.findings)
    return Badge("outcome.proposal", judgement.outcome, words, "the proposed end position")


def _verdict(outcome: str, rule: str | None, findings: Sequence[Finding]) -> str:
    if rule is None:
        return OUTCOME_WORDS[outcome]
    finding = next((one for one in findings if one.rule == rule and not one.ok), None)
    margin = f", margin {signed(finding.margin)}" if finding is not None and finding.margin is not None else ""
    return f"{OUTCOME_WORDS[outcome]}: {rule}{margin}"


def _margin(finding: Finding | None) -> str:
    if finding is None or finding.margin is None:
        return ""
    return f" ({signed(finding.margin)})"


def signed(margin: float) -> str:
    """Write a margin with its sign, a true minus, and enough digits that it never reads as nothing.

    Examples
    --------
    >>> signed(1.5), signed(0.0004), signed(0.0)
    ('+1.5', '+0.0004', '0')
    """
    digits = 2 if abs(margin) >= 0.005 else 4  # noqa: PLR2004 - two decimals would show 0
    text = f"{abs(margin):.{digits}f}".rstrip("0").rstrip(".")
    return text if text == "0" else f"{'+' if margin > 0 else MINUS}{text}"


def caption(case: Case, resolution: Resolution, judgement: Judgement | None = None) -> tuple[str, ...]:
    """Give the caption's paragraphs: what happened, which rules decided and by how much, and the author's own note."""
    findings = [finding for ruling in resolution.rulings for finding in ruling.findings]
    spoken = [ruling.summary for ruling in resolution.rulings]
    if judgement is not None:
        findings = list(judgement.findings)
        spoken.append(judgement.summary)
    source = f"Illustrates: {case.source}." if case.source else ""
    paragraphs = (" ".join(filter(None, spoken)), _rules_line(findings), " ".join(filter(None, [case.note, source])))
    return tuple(paragraph for paragraph in paragraphs if paragraph)


def _rules_line(findings: Sequence[Finding]) -> str:
    listed = "; ".join(f"{finding.rule}{_margin(finding)}" for finding in deciding(findings))
    return f"Rules, with the margin by which each is kept (+) or broken ({MINUS}): {listed}." if listed else ""


def deciding(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Choose the findings a reader asks for first: broken, then those with the least room, each rule once."""
    broken = [finding for finding in findings if not finding.ok]
    close = sorted((one for one in findings if one.ok and one.margin is not None), key=lambda one: abs(one.margin or 0.0))
    once = {finding.rule: finding for finding in reversed([*broken, *close])}
    ordered = [finding for finding in (*broken, *close) if once[finding.rule] is finding]
    return tuple(ordered[:SHOWN_RULES])


def title(case: Case) -> str:
    """Give the figure's title: the case's own, else who charges whom."""
    if case.title:
        return case.title
    return ", ".join(f"{charge.charger} charges {_joined(charge.targets)}" for charge in case.charges) or "The table"


def footer(case: Case) -> str:
    """Name the game and the edition of its rules."""
    edition = f", {edition_words(case.edition)}" if case.edition else ""
    return f"{case.system.title}{edition}"


def description(case: Case, resolution: Resolution, judgement: Judgement | None = None) -> str:
    """Describe the figure in words: the table, where each unit stands before and after, and the ruling."""
    before, after = resolution.before, resolution.after
    parts = [_board(before.board)]
    parts += [f"{_placed(before, name)}{_moved(before, after, name)}." for name in before.units]
    kinds = [*((piece.name, piece.kind) for piece in before.terrain), *((piece.name, piece.kind) for piece in before.hex_terrain)]
    pieces = [f"{name} ({kind.replace('_', ' ')})" for name, kind in kinds]
    parts += [f"Terrain: {', '.join(pieces)}."] if pieces else []
    badges = [ruling_badge(ruling, place) for place, ruling in enumerate(resolution.rulings)]
    parts += [f"{badge.words}: {badge.about}." for badge in badges]
    return " ".join([*parts, *caption(case, resolution, judgement)])


def _placed(state: State[Any], name: str) -> str:
    unit = state.units[name]
    return f"{name} ({unit.side}{_counted(unit)}) {_place(unit, state.board)}"


def _counted(unit: Any) -> str:
    """Say how many models a unit has, and in what order."""
    if isinstance(unit, Squad):
        return f", {len(unit.models)} model{'s' if len(unit.models) > 1 else ''}"
    return f", {unit.models} models in {unit.files} files" if isinstance(unit, Regiment) else ""


def _place(unit: Any, board: Board) -> str:
    """Say where a unit stands: its pose, its hex and facing, or the middle of its models."""
    if isinstance(unit, Squad):
        x, y = unit.centres.mean(axis=0).tolist() if unit.models else (0.0, 0.0)
        return f"around ({x:.2f}, {y:.2f})"
    if isinstance(board, HexBoard):
        return f"in hex {number(board.hex_at(unit.pose.at))} facing {FACINGS[facing_of(unit.pose.heading)]}"
    return f"at ({unit.pose.x:.2f}, {unit.pose.y:.2f}) facing {facing_degrees(unit.pose.heading):.4g}°"


def _moved(before: State[Any], after: State[Any], name: str) -> str:
    if name not in after.units:
        return ", is removed"
    unit = after.units[name]
    return "" if unit.place == before.units[name].place else f", ends {_place(unit, after.board)}"


def _board(board: Board) -> str:
    if isinstance(board, HexBoard):
        return f"A board of {board.columns} by {board.rows} hexes, {board.hex_inches:g} inches across."
    return f"A board of {board.width:g} by {board.depth:g} inches."


def _joined(names: Sequence[str]) -> str:
    return " and ".join(names)
