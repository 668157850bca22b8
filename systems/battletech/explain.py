"""Rulings: charges that may not be declared, and what came of those that were."""

from systems.battletech.deciding import refusing
from systems.battletech.declared import DeclaredCharge, metrics_of, notes_of
from systems.battletech.rules import RULES
from systems.battletech.scene import Chances, Resolved
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Evidence
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Ruling

RULE_ORDER = {rule.name: place for place, rule in enumerate(RULES)}


def refused(claim: DeclaredCharge) -> Ruling:
    """Rule that a charge may not be declared."""
    broken = claim.refusals[0]
    aim = claim.asked.aim
    more = len(claim.refusals) - 1
    others = f" {more} more {'rule is' if more == 1 else 'rules are'} broken." if more else ""
    return Ruling(
        claim.charge,
        "not_allowed",
        f"{aim.charger.name} may not charge {aim.name}. {broken.text}{others}",
        rule=broken.rule,
        findings=in_order(claim.findings),
        metrics=metrics_of(claim),
        choices=1,
        evidence=Evidence(notes=notes_of(claim), deciding=refusing(claim.asked, claim.refusals)),
    )


def ruled(claim: DeclaredCharge, resolved: Resolved, chances: Chances, ways: tuple[Step, ...]) -> Ruling:
    """Rule on a charge that was declared and resolved.

    `chances` are those it had when its turn came, `ways` the steps of chargers to their last hexes that go before.
    """
    return Ruling(
        claim.charge,
        resolved.outcome,
        resolved.summary,
        rule=resolved.rule,
        shortest_roll=chances.shortest_roll,
        chance_success=chances.success,
        findings=in_order((*claim.findings, *resolved.findings)),
        metrics={**metrics_of(claim), **resolved.metrics, **chances.metrics},
        steps=(*ways, *resolved.steps),
        choices=resolved.choices,
        evidence=Evidence(notes=notes_of(claim), deciding=resolved.deciding, dice=resolved.dice),
    )


def in_order(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Put findings into the order of the rules; those of one rule keep theirs."""
    return tuple(sorted(findings, key=lambda one: RULE_ORDER[one.rule]))
