"""The words of a figure, all taken from the ruling: badges, caption and footer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plots.marks.language import ENGLISH, Language
from plots.marks.reader import headline, plain, sentences
from tabletop.ruling.charge import Charge
from tabletop.ruling.evidence import Dice
from tabletop.ruling.finding import Finding
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling

Audience = Literal["reader", "judge"]
"""For whom a figure is: who reads rules is told in plain words, who judges is told rules and margins."""
AUDIENCES: tuple[Audience, ...] = ("reader", "judge")
SHOWN_RULES = 4
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Badge:
    """An outcome in words, and what it is about. `outcome` chooses the colour, which says nothing that the words do not."""

    id: str
    outcome: str
    words: str
    about: str
    dice: Dice | None = None


def ruling_badge(ruling: Ruling, number: int, language: Language = ENGLISH, audience: Audience = "reader") -> Badge:
    """Say how a charge came out: to a reader with what decided, to a judge with the rule that decided and its margin."""
    told, roll, certain = about(ruling.charge, language), ruling.shortest_roll, ruling.chance_success == 1
    parts = [headline(ruling, language)] if audience == "reader" else []
    if roll is not None:
        needs = language.say("badge.needs", roll=roll, chance=ruling.chance_success)
        parts.append(language.words["badge.every_roll"] if certain else needs)
    if ruling.open and audience == "judge":
        parts = [language.say("badge.open_rules", rules=", ".join(ruling.open))]
    elif ruling.open:
        parts = [language.words["badge.open_accuracy"]]
    if any(parts):
        told = language.say("badge.told", about=told, words="; ".join(filter(None, parts)))
    if ruling.open:
        return Badge(f"outcome.{number + 1}", "undecided", outcome_words("undecided", language), told, ruling.evidence.dice)
    words = _verdict(ruling.outcome, ruling.rule, ruling.findings, language, audience)
    return Badge(f"outcome.{number + 1}", ruling.outcome, words, told, ruling.evidence.dice)


def about(charge: Charge, language: Language = ENGLISH) -> str:
    """Say who charges whom."""
    return language.say("badge.about", charger=charge.charger, targets=language.listed(charge.targets))


def outcome_words(outcome: str, language: Language = ENGLISH) -> str:
    """Name an outcome."""
    return language.words[f"outcome.{outcome}"]


def judgement_badge(judgement: Judgement, language: Language = ENGLISH, audience: Audience = "reader") -> Badge:
    """Say whether the proposed end position stands."""
    words, told = judged_words(judgement, language), language.words["badge.proposal"]
    if judgement.outcome != "success":
        words = _verdict(judgement.outcome, judgement.rule, judgement.findings, language, audience)
    if judgement.outcome == "not_allowed" and audience == "reader" and judgement.broken is not None:
        told = language.say("badge.told", about=told, words=plain(judgement.broken.text).rstrip("."))
    return Badge("outcome.proposal", judgement.outcome, words, told)


def judged_words(judgement: Judgement, language: Language = ENGLISH) -> str:
    """Name the outcome of a judgement; best is only what is proved to be."""
    if judgement.outcome != "success":
        return outcome_words(judgement.outcome, language)
    return language.words["badge.legal" if judgement.proof != "best_found" else "badge.legal_found"]


def badges(
    resolution: Resolution, judgement: Judgement | None, language: Language = ENGLISH, audience: Audience = "reader"
) -> tuple[Badge, ...]:
    """Say how the charges came out; of a proposal first whether it stands, then only what of the charges is not sure to succeed."""
    told = tuple(ruling_badge(ruling, number, language, audience) for number, ruling in enumerate(resolution.rulings))
    if judgement is None:
        return told
    others = (badge for badge, ruling in zip(told, resolution.rulings, strict=True) if ruling.outcome != "success")
    return (judgement_badge(judgement, language, audience), *others)


def _verdict(outcome: str, rule: str | None, findings: Sequence[Finding], language: Language, audience: Audience) -> str:
    if rule is None or audience == "reader":
        return outcome_words(outcome, language)
    finding = next((one for one in findings if one.rule == rule and not one.ok), None)
    verdict = language.say("badge.decided", outcome=outcome_words(outcome, language), rule=rule)
    if finding is None or finding.margin is None:
        return verdict
    return language.say("badge.margin", verdict=verdict, margin=language.written(signed(finding.margin)))


def _margin(finding: Finding, language: Language) -> str:
    return "" if finding.margin is None else f" ({language.written(signed(finding.margin))})"


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


def caption(
    case: Case,
    resolution: Resolution,
    judgement: Judgement | None = None,
    *,
    language: Language = ENGLISH,
    audience: Audience = "reader",
) -> tuple[str, ...]:
    """Give the caption's paragraphs: what happened, to a judge the rules that decided and by how much, and the author's own note."""
    told = [ruling.summary for ruling in resolution.rulings] if audience == "judge" else sentences(resolution)
    if judgement is not None:
        told = [judgement.summary, *_demanded(resolution, judgement, language)]
    first = " ".join(filter(None, told))
    paragraphs = [first, rules_line(resolution, judgement, language)] if audience == "judge" else [plain(first)]
    return tuple(paragraph for paragraph in (*paragraphs, note(case, language)) if paragraph)


def _demanded(resolution: Resolution, judgement: Judgement, language: Language) -> list[str]:
    """Say what the rules demand in place of a proposal; if it is not wrong, only which charges did not succeed."""
    if judgement.outcome in ("success", "undecided"):
        return [ruling.summary for ruling in resolution.rulings if ruling.outcome != "success"]
    summaries = " ".join(filter(None, (ruling.summary for ruling in resolution.rulings)))
    return [language.say("caption.demanded", summary=summaries)] if summaries else []


def note(case: Case, language: Language = ENGLISH) -> str:
    """Give the author's own note, and what the case illustrates."""
    return " ".join(filter(None, [case.note, illustrated(case, language)]))


def illustrated(case: Case, language: Language = ENGLISH) -> str:
    """Name the passage of the rules that a case illustrates, if it does."""
    return language.say("caption.illustrates", source=case.source) if case.source else ""


def rules_line(resolution: Resolution, judgement: Judgement | None = None, language: Language = ENGLISH) -> str:
    """Name the rules that decided, with their margins: the small print of a reader's figure."""
    findings = [finding for ruling in resolution.rulings for finding in ruling.findings] if judgement is None else judgement.findings
    listed = "; ".join(f"{finding.rule}{_margin(finding, language)}" for finding in most_telling(findings))
    return language.say("caption.rules", minus=MINUS, rules=listed) if listed else ""


def most_telling(findings: Sequence[Finding]) -> tuple[Finding, ...]:
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
