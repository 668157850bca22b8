"""Answers in a line each, for eyes in a hurry and for logs: the verdict, the rule that decided, and by how much."""

from collections.abc import Sequence

from tabletop.cli.readable import OUTCOME_WORDS, percent
from tabletop.ruling.charge import Charge
from tabletop.ruling.finding import Finding
from tabletop.ruling.odds import ChargeOdds, Odds
from tabletop.ruling.verdict import Judgement, Resolution, Ruling


def resolution_lines(resolution: Resolution) -> str:
    """Write each ruling in a line, in the order of the file."""
    return "\n".join(map(_ruling_line, resolution.rulings)) or "No charges."


def judgement_line(judgement: Judgement) -> str:
    """Write the verdict on a proposal in a line."""
    return f"Proposal: {OUTCOME_WORDS[judgement.outcome]}{_decided(judgement.rule, judgement.findings)}"


def odds_lines(odds: Odds) -> str:
    """Write the chance of each charge's success in a line, with the likeliest rule against it."""
    return "\n".join(map(_chance_line, odds.charges)) or "No charges."


def _ruling_line(ruling: Ruling) -> str:
    """Write a ruling; of a success the first of what decided which place is best."""
    told = next(iter(ruling.evidence.deciding), None) if ruling.rule is None else None
    decided = _decided(ruling.rule, ruling.findings) if told is None else f" ({told.rule}: {told.words})"
    return f"{_about(ruling.charge)}: {OUTCOME_WORDS[ruling.outcome]}{decided}"


def _decided(rule: str | None, findings: Sequence[Finding]) -> str:
    """Write the rule that decided, with the margin of the finding that breaks it worst, where one was measured."""
    if rule is None:
        return ""
    margins = [finding.margin for finding in findings if finding.rule == rule and finding.margin is not None]
    return f" ({rule}, margin {min(margins):+.4g})" if margins else f" ({rule})"


def _chance_line(one: ChargeOdds) -> str:
    chance = one.outcomes["success"]
    parts = [f"success {chance} ({percent(chance)})"]
    parts += [f"needs {one.shortest_roll} or more"] if one.shortest_roll is not None else []
    parts += [f"{rule} against it {against} ({percent(against)})" for rule, against in [*one.rules.items()][:1]]
    return f"{_about(one.charge)}: {', '.join(parts)}"


def _about(charge: Charge) -> str:
    return f"{charge.charger} charges {', '.join(charge.targets)}"
