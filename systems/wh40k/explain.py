"""Rulings of single charges: refused, failed or completed."""

from collections.abc import Sequence
from dataclasses import replace

from systems.wh40k.attempt import Attempt
from systems.wh40k.conditions import has_stayed
from systems.wh40k.deciding import dice_of, failing, reached, refusing
from systems.wh40k.declare import DECLARE_RULES, Declaration
from systems.wh40k.evidence import evidence_after, evidence_before, models_touched
from systems.wh40k.move import ChargeMove, Moved
from systems.wh40k.prospects import RULE_OF_LEVEL
from systems.wh40k.reasons import completed_findings, level_findings, lost_text
from systems.wh40k.roll import told
from tabletop.budget import Proof
from tabletop.placement.task import Plan
from tabletop.ruling.charge import Metric, Step
from tabletop.ruling.finding import Finding, weakest
from tabletop.ruling.verdict import Ruling
from tabletop.words import counted


def refused(declaration: Declaration) -> Ruling:
    """Rule that a charge may not be declared."""
    charge, broken = declaration.charge, declaration.refused_by
    reason = broken.text if broken is not None else ""
    return Ruling(
        charge,
        "not_allowed",
        f"{charge.charger} may not declare this charge. {reason}",
        rule=None if broken is None else broken.rule,
        findings=declaration.findings,
        metrics={"distance": declaration.distance, "chance": 0.0, "chance_fraction": "0"},
        steps=(_declare_step(declaration),),
        evidence=replace(evidence_before(declaration), deciding=refusing(declaration)),
    )


def failed(attempt: Attempt) -> Ruling:
    """Rule that a charge fails because no legal move exists at its distance."""
    level = attempt.prospects.first_missing(attempt.distance) or "closer"
    rule = RULE_OF_LEVEL[level]
    answers = level_findings(attempt.prospects, attempt.distance)
    return _failed(attempt, rule, answers[-1].text, answers)


def failed_after_overwatch(attempt: Attempt) -> Ruling:
    """Rule that a charge fails because the survivors of Overwatch cannot complete it."""
    rule, survivors = "wh40k.overwatch.retest", attempt.survivors
    lost = told(attempt.declaration.charge).overwatch.before
    before = Finding("wh40k.overwatch.before", ok=True, text=f"{lost_text(lost)} to Overwatch before the move.")
    if survivors is None or not survivors.scene.charger.models:
        reasons, text = [], "Nobody is left to complete the charge."
    else:
        reasons = level_findings(survivors, attempt.distance)
        text = f"The survivors cannot complete the charge: {_lower(reasons[-1].text)}"
    retest = Finding(rule, ok=False, text=text)
    ruling = _failed(attempt, rule, text, [*level_findings(attempt.prospects, attempt.distance), before, retest, *reasons])
    return replace(ruling, steps=(*ruling.steps, _overwatch_step(attempt, "before", lost)))


def completed(attempt: Attempt, move: ChargeMove, plan: Plan, *, note: str = "") -> Ruling:
    """Rule that a charge is completed."""
    charge, contacts = attempt.declaration.charge, len(move.contacts)
    targets = ", ".join(charge.targets)
    models = counted(contacts, "models")
    text = f"{charge.charger} charges {targets}: {models} of {len(move.moves)} in base contact, {len(move.engaged)} engaged."
    lost = told(charge).overwatch
    return Ruling(
        charge,
        "success",
        text,
        shortest_roll=attempt.shortest_roll,
        chance_success=attempt.chance,
        findings=tuple(completed_findings(attempt, move, plan, note)),
        metrics={**_metrics(attempt), **_move_metrics(move, plan)},
        steps=(
            _declare_step(attempt.declaration),
            *(roll.step for roll in attempt.rolls),
            *([_overwatch_step(attempt, "before", lost.before)] if lost.before else []),
            *(move_step(move, one) for one in move.moves),
            *([_overwatch_step(attempt, "after", lost.after)] if lost.after else []),
            _bonus_step(charge.charger),
        ),
        choices=plan.choices,
        proof=_proof(attempt, plan.proof),
        evidence=replace(evidence_after(attempt.declaration, move), deciding=(reached(move),), dice=dice_of(attempt.rolls)),
    )


def _failed(attempt: Attempt, rule: str, reason: str, answers: Sequence[Finding]) -> Ruling:
    name = attempt.name
    broken = next((finding for finding in answers if finding.rule == rule and not finding.ok), answers[-1])
    shown = replace(
        evidence_before(attempt.declaration, reach=float(attempt.distance)),
        deciding=(failing(attempt, broken),),
        dice=dice_of(attempt.rolls),
    )
    stay = Finding("wh40k.possible.stay", ok=True, text=f"The charge fails: no model of {name} moves.")
    return Ruling(
        attempt.declaration.charge,
        "failed",
        f"{name} fails its charge at {attempt.distance} in and stays. {reason}",
        rule=rule,
        shortest_roll=attempt.shortest_roll,
        chance_success=attempt.chance,
        findings=(*attempt.declaration.findings, *(roll.finding for roll in attempt.rolls), *answers, stay),
        metrics=_metrics(attempt),
        steps=(_declare_step(attempt.declaration), *(roll.step for roll in attempt.rolls)),
        proof=_proof(attempt),
        evidence=shown,
    )


def _proof(attempt: Attempt, *proofs: Proof) -> Proof:
    after = [] if attempt.survivors is None else [attempt.survivors.proof]
    return weakest(attempt.prospects.proof, *after, *proofs)


def _metrics(attempt: Attempt) -> dict[str, Metric]:
    survivors = attempt.survivors
    after = None if survivors is None else survivors.needed
    return {
        "distance": attempt.declaration.distance,
        "charge_distance": attempt.distance,
        **attempt.prospects.needed_metrics,
        **({} if after is None else {"needed_after_overwatch": after}),
        "chance": float(attempt.chance),
        "chance_fraction": str(attempt.chance),
    }


def _move_metrics(move: ChargeMove, plan: Plan) -> dict[str, Metric]:
    touched = sum(len(models_touched(move.ends, target)) for target in move.scene.targets)
    return {
        "models_engaged": len(move.engaged),
        "models_in_base_contact": len(move.contacts),
        "most_in_base_contact": len(move.contacts),
        **({} if plan.most_contacts <= len(move.contacts) else {"most_in_base_contact_at_most": plan.most_contacts}),
        "target_models_in_contact": touched,
        "targets_engaged": len(move.scene.targets),
        "longest_move": move.longest,
        "total_move": move.total,
    }


def _declare_step(declaration: Declaration) -> Step:
    charge = declaration.charge
    text = f"{charge.charger} declares a charge against {', '.join(charge.targets)}, {declaration.distance:.2f} in away."
    return Step("declare", charge.charger, rules=DECLARE_RULES, text=text)


def move_step(move: ChargeMove, one: Moved) -> Step:
    """Give the step of one model's move."""
    is_touching = one.end.number in move.contacts
    rules = () if has_stayed(move.scene, one.end) else ("wh40k.move.contact",) if is_touching else ("wh40k.move.closer",)
    text = "Stays." if not rules else "Into base contact." if is_touching else "Closer."
    name, path = move.scene.charger.name, one.way.path
    return Step("move", name, one.start.pose, one.end.pose, one.way.length, rules=rules, text=text, model=one.end.number, path=path)


def _overwatch_step(attempt: Attempt, when: str, lost: Sequence[int]) -> Step:
    return Step(f"overwatch_{when}", attempt.name, rules=(f"wh40k.overwatch.{when}",), text=f"{lost_text(lost)} to Overwatch.")


def _bonus_step(name: str) -> Step:
    return Step("fights_first", name, rules=("wh40k.bonus.fights-first",), text=f"{name} has Fights First.")


def _lower(text: str) -> str:
    """Let a sentence go on after a colon."""
    return text[0].lower() + text[1:]
