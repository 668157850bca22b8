"""Rulings on charges that may not be declared, and on those that were resolved."""

from systems.battletech.course import Resolved
from systems.battletech.declare import DeclaredCharge, metrics_of, notes_of
from systems.battletech.rules import RULES
from systems.battletech.scene import Chances
from tabletop.messages import say
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Evidence
from tabletop.ruling.finding import in_order
from tabletop.ruling.verdict import Ruling


def refused(claim: DeclaredCharge) -> Ruling:
    """Return the ruling on a charge that may not be declared."""
    broken = claim.refusals[0]
    aim = claim.asked.aim
    more = len(claim.refusals) - 1
    text = say(
        "{charger} may not charge {aim}. {reason}",
        charger=aim.charger.name,
        aim=aim.name,
        reason=broken.text,
    )
    if more:
        text += (
            say(" 1 more rule is broken.")
            if more == 1
            else say(" {more} more rules are broken.", more=more)
        )
    return Ruling(
        claim.charge,
        "not_allowed",
        text,
        rule=broken.rule,
        findings=in_order(claim.findings, RULES),
        metrics=metrics_of(claim),
        choices=1,
        evidence=Evidence(notes=notes_of(claim)),
    )


def ruled(
    claim: DeclaredCharge, resolved: Resolved, chances: Chances, ways: tuple[Step, ...]
) -> Ruling:
    """Return the ruling on a charge that was declared and resolved.

    `chances` are those of the charge at its turn; `ways` are the steps of chargers to their last hexes, put before
    those of the charge.
    """
    options = resolved.end.options
    return Ruling(
        claim.charge,
        resolved.outcome,
        resolved.summary,
        rule=resolved.rule,
        result=resolved.summary,
        shortest_roll=chances.shortest_roll,
        chance_success=chances.success,
        findings=in_order((*claim.findings, *resolved.findings), RULES),
        metrics={**metrics_of(claim), **resolved.metrics, **chances.metrics},
        steps=(*ways, *resolved.steps),
        choices=1 if options is None else len(options),
        evidence=Evidence(notes=notes_of(claim), dice=resolved.dice),
    )
