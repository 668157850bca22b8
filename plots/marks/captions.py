"""The words of a figure, all taken from the ruling: badges, caption, footer and the description for those who cannot see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plots.marks.claimed import shown_resolution
from plots.marks.language import ENGLISH, Language
from tabletop.ruling.charge import Charge
from tabletop.ruling.finding import Finding
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.table.hexes import FACINGS, HexBoard, facing_of, number
from tabletop.table.squad import Squad
from tabletop.table.state import Board, HexTerrain, Regiment, State, Terrain
from tabletop.units import facing_degrees

SHOWN_RULES = 4
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Badge:
    """An outcome in words, and what it is about. `outcome` chooses the colour, which says nothing that the words do not."""

    id: str
    outcome: str
    words: str
    about: str


def ruling_badge(ruling: Ruling, number: int, language: Language = ENGLISH) -> Badge:
    """Say how a charge came out, with the rule that decided and its margin."""
    told, roll, certain = about(ruling.charge, language), ruling.shortest_roll, ruling.chance_success == 1
    if roll is not None:
        needs = language.say("badge.needs", roll=roll, chance=ruling.chance_success)
        told = language.say("badge.told", about=told, chance=language.words["badge.every_roll"] if certain else needs)
    if ruling.open:
        told = language.say("badge.hangs", about=about(ruling.charge, language), rules=", ".join(ruling.open))
    return Badge(f"outcome.{number + 1}", ruling.outcome, _verdict(ruling.outcome, ruling.rule, ruling.findings, language), told)


def about(charge: Charge, language: Language = ENGLISH) -> str:
    """Say who charges whom."""
    return language.say("badge.about", charger=charge.charger, targets=language.listed(charge.targets))


def outcome_words(outcome: str, language: Language = ENGLISH) -> str:
    """Name an outcome."""
    return language.words[f"outcome.{outcome}"]


def judgement_badge(judgement: Judgement, language: Language = ENGLISH) -> Badge:
    """Say whether the proposed end position stands."""
    legal = judgement.outcome == "success"
    words = judged_words(judgement, language) if legal else _verdict(judgement.outcome, judgement.rule, judgement.findings, language)
    return Badge("outcome.proposal", judgement.outcome, words, language.words["badge.proposal"])


def judged_words(judgement: Judgement, language: Language = ENGLISH) -> str:
    """Name the outcome of a judgement; best is only what is proved to be."""
    if judgement.outcome != "success":
        return outcome_words(judgement.outcome, language)
    return language.words["badge.legal" if judgement.proof != "best_found" else "badge.legal_found"]


def badges(resolution: Resolution, judgement: Judgement | None, language: Language = ENGLISH) -> tuple[Badge, ...]:
    """Say how the charges came out; of a proposal first whether it stands, then only what of the charges is not sure to succeed."""
    told = tuple(ruling_badge(ruling, number, language) for number, ruling in enumerate(resolution.rulings))
    if judgement is None:
        return told
    others = (badge for badge, ruling in zip(told, resolution.rulings, strict=True) if ruling.outcome != "success")
    return (judgement_badge(judgement, language), *others)


def _verdict(outcome: str, rule: str | None, findings: Sequence[Finding], language: Language) -> str:
    if rule is None:
        return outcome_words(outcome, language)
    finding = next((one for one in findings if one.rule == rule and not one.ok), None)
    verdict = language.say("badge.decided", outcome=outcome_words(outcome, language), rule=rule)
    if finding is None or finding.margin is None:
        return verdict
    return language.say("badge.margin", verdict=verdict, margin=signed(finding.margin))


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


def caption(case: Case, resolution: Resolution, judgement: Judgement | None = None, *, language: Language = ENGLISH) -> tuple[str, ...]:
    """Give the caption's paragraphs: what happened, which rules decided and by how much, and the author's own note."""
    findings = [finding for ruling in resolution.rulings for finding in ruling.findings]
    spoken = [ruling.summary for ruling in resolution.rulings]
    if judgement is not None:
        findings = list(judgement.findings)
        spoken = [judgement.summary, *_demanded(resolution, judgement, language)]
    paragraphs = (" ".join(filter(None, spoken)), _rules_line(findings, language), note(case, language))
    return tuple(paragraph for paragraph in paragraphs if paragraph)


def _demanded(resolution: Resolution, judgement: Judgement, language: Language) -> list[str]:
    """Say what the rules demand in place of a proposal; if it is not wrong, only which charges did not succeed."""
    if judgement.outcome in ("success", "undecided"):
        return [ruling.summary for ruling in resolution.rulings if ruling.outcome != "success"]
    summaries = " ".join(filter(None, (ruling.summary for ruling in resolution.rulings)))
    return [language.say("caption.demanded", summary=summaries)] if summaries else []


def note(case: Case, language: Language = ENGLISH) -> str:
    """Give the author's own note, and what the case illustrates."""
    source = language.say("caption.illustrates", source=case.source) if case.source else ""
    return " ".join(filter(None, [case.note, source]))


def _rules_line(findings: Sequence[Finding], language: Language) -> str:
    listed = "; ".join(f"{finding.rule}{_margin(finding)}" for finding in deciding(findings))
    return language.say("caption.rules", minus=MINUS, rules=listed) if listed else ""


def deciding(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Choose the findings a reader asks for first: broken, then measured with the least room, then counted, each rule once."""
    broken = [finding for finding in findings if not finding.ok]
    close = sorted((one for one in findings if one.ok and one.margin is not None), key=_room)
    once = {finding.rule: finding for finding in reversed([*broken, *close])}
    ordered = [finding for finding in (*broken, *close) if once[finding.rule] is finding]
    return tuple(ordered[:SHOWN_RULES])


def _room(finding: Finding) -> tuple[bool, float]:
    """Order by what is left; a count with nothing to spare, such as one target of one, says less than a length."""
    return not isinstance(finding.margin, float), abs(finding.margin or 0.0)


def title(case: Case, language: Language = ENGLISH) -> str:
    """Give the figure's title: the case's own, else who charges whom."""
    if case.title:
        return case.title
    return ", ".join(about(charge, language) for charge in case.charges) or language.words["caption.table"]


def footer(case: Case, language: Language = ENGLISH) -> str:
    """Name the game and the edition of its rules."""
    edition = f", {language.edition(case.edition)}" if case.edition else ""
    return f"{case.system.title}{edition}"


def description(case: Case, resolution: Resolution, judgement: Judgement | None = None, *, language: Language = ENGLISH) -> str:
    """Describe the figure in words: the table, where each unit stands before and after, and the ruling."""
    before, after = resolution.before, shown_resolution(case, resolution, judgement).after
    parts = [_board(before.board, language)]
    parts += [_described(before, after, name, language) for name in before.units]
    terrain: list[Terrain | HexTerrain] = [*before.terrain, *before.hex_terrain]
    pieces = [_piece(piece, language) for piece in terrain]
    parts += [language.say("describe.terrain", pieces=", ".join(pieces))] if pieces else []
    parts += [f"{badge.words}: {badge.about}." for badge in badges(resolution, judgement, language)]
    return " ".join([*parts, *caption(case, resolution, judgement, language=language)])


def _piece(piece: Terrain | HexTerrain, language: Language) -> str:
    group = "key.terrain" if isinstance(piece, Terrain) else "key.hexes"
    return f"{piece.name} ({language.known(group, piece.kind)})"


def _described(before: State[Any], after: State[Any], name: str, language: Language) -> str:
    """Say where a unit stands, and where it ends if that is elsewhere."""
    unit = before.units[name]
    place, count = _place(unit, before.board, language), _counted(unit, language)
    if name not in after.units:
        place = language.say("describe.removed", place=place)
    elif after.units[name].place != unit.place:
        place = language.say("describe.moved", place=place, end=_place(after.units[name], after.board, language))
    side = language.say("describe.counted", side=unit.side, count=count) if count else unit.side
    return language.say("describe.unit", name=name, side=side, place=place)


def _counted(unit: Any, language: Language) -> str:
    """Say how many models a unit has, and in what order."""
    if isinstance(unit, Squad):
        return language.say("describe.models", count=len(unit.models)) if len(unit.models) > 1 else language.words["describe.model"]
    return language.say("describe.files", count=unit.models, files=unit.files) if isinstance(unit, Regiment) else ""


def _place(unit: Any, board: Board, language: Language) -> str:
    """Say where a unit stands: its pose, its hex and facing, or the middle of its models."""
    if isinstance(unit, Squad):
        x, y = unit.centres.mean(axis=0).tolist() if unit.models else (0.0, 0.0)
        return language.say("describe.around", x=f"{x:.2f}", y=f"{y:.2f}")
    if isinstance(board, HexBoard):
        facing = language.known("compass", FACINGS[facing_of(unit.pose.heading)])
        return language.say("describe.hex", hex=number(board.hex_at(unit.pose.at)), facing=facing)
    facing = f"{facing_degrees(unit.pose.heading):.4g}"
    return language.say("describe.at", x=f"{unit.pose.x:.2f}", y=f"{unit.pose.y:.2f}", facing=facing)


def _board(board: Board, language: Language) -> str:
    if isinstance(board, HexBoard):
        return language.say("describe.hexes", columns=board.columns, rows=board.rows, size=f"{board.hex_inches:g}")
    return language.say("describe.board", width=f"{board.width:g}", depth=f"{board.depth:g}")
