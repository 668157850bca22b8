"""Rulings of single charges, refused, failed or completed: their findings, metrics, steps and words."""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from systems.wh40k.conditions import closer_findings, condition_findings, limit_finding, target_span, tightest
from systems.wh40k.declare import DECLARE_RULES, Declaration
from systems.wh40k.evidence import SEEN, dice_of, evidence_after, evidence_before, lost_mark, no_place, reached, too_short
from systems.wh40k.feasibility import REQUIREMENTS, RULE_OF_REQUIREMENT, ChargeFeasibility, Requirement, RolledCharge
from systems.wh40k.move import ChargeMove, Moved, move_findings
from systems.wh40k.roll import MOST_NEEDED, declarations_of
from tabletop.budget import Proof
from tabletop.messages import because, counted, listed, say
from tabletop.placement.problem import Plan
from tabletop.placement.search import LEAST_DISTANCE_TOLERANCE
from tabletop.ruling.charge import Metric, Step
from tabletop.ruling.evidence import Mark
from tabletop.ruling.finding import Finding, weakest
from tabletop.ruling.odds import told_of_roll
from tabletop.ruling.verdict import Ruling
from tabletop.table.models import crowd
from tabletop.units import CONTACT

DEMANDS: dict[Requirement, str] = {
    "engaged": say("the unit ends engaged with every target"),
    "grounded": say("it does so without ending part-way up"),
    "apart": say("it also keeps out of engagement range of enemy units that are no targets"),
    "coherent": say("it also ends in coherency"),
    "closer": say("its models also end closer to a target"),
}


def refused(declaration: Declaration) -> Ruling:
    """Rule that a charge may not be declared."""
    charge, broken = declaration.charge, declaration.refused_by
    reason = broken.text if broken is not None else ""
    return Ruling(
        charge,
        "not_allowed",
        say("{charger} may not declare this charge. {reason}", charger=charge.charger, reason=reason),
        rule=None if broken is None else broken.rule,
        findings=declaration.findings,
        metrics={"distance": declaration.distance, "chance": 0.0, "chance_fraction": "0"},
        steps=(_declare_step(declaration),),
        evidence=evidence_before(declaration),
    )


def _declare_step(declaration: Declaration) -> Step:
    charge = declaration.charge
    parts = {"charger": charge.charger, "targets": listed(charge.targets, ", "), "distance": declaration.distance}
    text = say("{charger} declares a charge against {targets}, {distance:.2f} in away.", **parts)
    more = {finding.rule for finding in declaration.findings if finding.rule == "wh40k.targets.aircraft"}
    return Step("declare", charge.charger, rules=(*DECLARE_RULES, *more), text=text)


def failed(rolled: RolledCharge) -> Ruling:
    """Rule that a charge fails because no legal move exists at its distance."""
    requirement = rolled.feasibility.first_unmet(rolled.distance) or "closer"
    rule = RULE_OF_REQUIREMENT[requirement]
    answers = requirement_findings(rolled.feasibility, rolled.distance, rolled.declaration)
    return _failed(rolled, rule, answers[-1].text, answers)


def requirement_findings(feasibility: ChargeFeasibility, distance: int, declaration: Declaration | None = None) -> list[Finding]:
    """Answer the nested questions in their order, up to the first that is answered no; it names the first that stays open.

    Where the `declaration` is given what is answered no has its mark.
    """
    found: list[Finding] = []
    unsettled = ""
    for requirement in REQUIREMENTS if not feasibility.is_enough(distance) else REQUIREMENTS[-1:]:
        verdict = feasibility.is_possible_at(distance, requirement)
        if verdict is None:
            unsettled = unsettled or say(" It is not settled whether there is one after which {demand}.", demand=DEMANDS[requirement])
            continue
        finding = _requirement_finding(feasibility, distance, requirement, declaration, is_enough=verdict)
        if verdict is False:
            return [*found, replace(finding, text=finding.text + unsettled + _least_text(feasibility))]
        found.append(finding)
    return found


def _requirement_finding(
    feasibility: ChargeFeasibility, distance: int, requirement: Requirement, declaration: Declaration | None, *, is_enough: bool
) -> Finding:
    rule, least = RULE_OF_REQUIREMENT[requirement], feasibility.least(requirement)
    if is_enough:
        text = say("There is a move of at most {distance:g} in after which {demand}.", distance=distance, demand=DEMANDS[requirement])
        return Finding(rule, ok=True, text=text)
    text = say("There is no move of at most {distance:g} in after which {demand}", distance=distance, demand=DEMANDS[requirement])
    is_never = math.isinf(least.bound)
    far = feasibility.out_of_reach(MOST_NEEDED if is_never else distance) if requirement == "engaged" else ()
    named = say(" Out of reach: {targets}.", targets=listed([target.name for target in far], ", ")) if far else ""
    is_sure = least.proof != "best_found"
    needed = least.distance if is_sure else least.bound
    nowhere = (
        None
        if declaration is None or (not is_never and needed > distance + LEAST_DISTANCE_TOLERANCE)
        else no_place(declaration.scene, requirement)
    )
    if is_never:
        told = say("{text}, nor of any up to {most} in.", text=text, most=MOST_NEEDED)
        never = Finding(rule, ok=False, text=told + named, mark=nowhere)
        return (
            _between(feasibility, never)
            if requirement == "engaged" and len(feasibility.scene.targets) == 1
            else _spanning(feasibility, requirement, never)
        )
    if needed <= distance + LEAST_DISTANCE_TOLERANCE:
        return Finding(rule, ok=False, text=say("{text}.", text=text) + named, mark=nowhere)
    told = say("{text}: at least {needed:.4f} in are needed.", text=text, needed=needed)
    if is_sure:
        told = say("{text}: {needed:.4f} in are needed.", text=text, needed=needed)
    if is_sure and needed < distance + SEEN:
        told = say("{text}: more than {distance:g} in are needed.", text=text, distance=distance)
    mark = None if declaration is None else too_short(declaration, requirement, distance, needed=needed, far=far)
    return Finding(rule, ok=False, text=told + named, measured=float(distance), limit=needed, margin=distance - needed, mark=mark)


def _between(feasibility: ChargeFeasibility, never: Finding) -> Finding:
    """Measure a question that no distance answers by the gap that a single round base would have to pass."""
    from systems.wh40k.corridor import too_narrow

    narrow = too_narrow(feasibility)
    if narrow is None:
        return never
    width = 2.0 * float(crowd(feasibility.scene.charger.models).radii[0])
    parts = {"text": never.text, "first": narrow.first, "second": narrow.second, "gap": narrow.gap, "width": width}
    text = say(
        "{text} {first} and {second} are {gap:.4g} in apart; the base that has to pass between them is {width:.4g} in wide.", **parts
    )
    return replace(never, text=text, measured=narrow.gap, limit=width, margin=narrow.gap - width)


def _spanning(feasibility: ChargeFeasibility, requirement: Requirement, never: Finding) -> Finding:
    """Measure a question that no distance answers by the targets that the unit has to span, where these are too far apart for it."""
    scene, count = feasibility.scene, len(feasibility.scene.charger.models)
    found = target_span(scene) if count == 1 or requirement in ("coherent", "closer") else None
    if found is None or found[0] <= found[1] + CONTACT:
        return never
    apart, span, (first, second) = found
    parts = {"text": never.text, "first": first, "second": second, "apart": apart, "span": span}
    text = say(
        "{text} {first} and {second} are {apart:.4g} in apart; a base with engagement range on both sides spans {span:.4g} in.", **parts
    )
    if count > 1:
        message = (
            "{text} {first} and {second} are {apart:.4g} in apart; {count} bases, their links and engagement range span {span:.4g} in."
        )
        text = say(message, count=count, **parts)
    return replace(never, text=text, measured=apart, limit=span, margin=span - apart, between=(first, second))


def _least_text(feasibility: ChargeFeasibility) -> str:
    """Return what is open about the least distance that completes the charge."""
    between = None if feasibility.needed_between[1] is None else feasibility.needed_distance_range
    if between is None:
        return ""
    bound, enough = between
    return say(" The least that was found to do is {enough:.4f} in; below {bound:.4f} in nothing does.", enough=enough, bound=bound)


def _failed(rolled: RolledCharge, rule: str, reason: str, answers: Sequence[Finding]) -> Ruling:
    name = rolled.name
    stay = Finding("wh40k.possible.stay", ok=True, text=say("The charge fails: no model of {name} moves.", name=name))
    return Ruling(
        rolled.declaration.charge,
        "failed",
        say("{name} fails its charge at {distance} in and stays. {reason}", name=name, distance=rolled.distance, reason=reason),
        rule=rule,
        **told_of_roll(rolled.shortest_rolls, rolled.chances),
        findings=(*rolled.declaration.findings, *(roll.finding for roll in rolled.rolls), *answers, stay),
        metrics=_metrics(rolled),
        steps=(_declare_step(rolled.declaration), *(roll.step for roll in rolled.rolls)),
        proof=_proof(rolled),
        evidence=replace(evidence_before(rolled.declaration, reach=float(rolled.distance)), dice=dice_of(rolled.rolls)),
    )


def _proof(rolled: RolledCharge, *proofs: Proof) -> Proof:
    after = [] if rolled.survivors is None else [rolled.survivors.proof]
    return weakest(rolled.feasibility.proof, *after, *proofs)


def _metrics(rolled: RolledCharge) -> dict[str, Metric]:
    return {
        "distance": rolled.declaration.distance,
        "charge_distance": rolled.distance,
        **rolled.needs,
        **chance_metrics(rolled.chances),
    }


def chance_metrics(chances: tuple[Fraction, Fraction]) -> dict[str, Metric]:
    """Return the chance of success as a number and as a fraction, where it is proved."""
    return {"chance": float(chances[0]), "chance_fraction": str(chances[0])} if chances[0] == chances[1] else {}


def failed_after_overwatch(rolled: RolledCharge) -> Ruling:
    """Rule that a charge fails because the survivors of Overwatch cannot complete it."""
    rule, survivors = "wh40k.overwatch.retest", rolled.survivors
    lost = declarations_of(rolled.declaration.charge).overwatch.before
    before = Finding("wh40k.overwatch.before", ok=True, text=say("{lost} to Overwatch before the move.", lost=lost_text(lost)))
    if survivors is None or not survivors.scene.charger.models:
        reasons, text = [], say("Nobody is left to complete the charge.")
        retest = Finding(rule, ok=False, text=text, mark=lost_mark(rolled))
    else:
        reasons = requirement_findings(survivors, rolled.distance)
        text = say("The survivors cannot complete the charge: {why:within}", why=reasons[-1].text)
        retest = replace(reasons[-1], rule=rule, text=text, mark=lost_mark(rolled))
    ruling = _failed(rolled, rule, text, [*requirement_findings(rolled.feasibility, rolled.distance), before, retest, *reasons])
    return replace(ruling, steps=(*ruling.steps, _overwatch_step(rolled, "before", lost)))


def lost_text(numbers: Sequence[int]) -> str:
    """Return which models were lost."""
    names = listed(map(str, numbers), ", ")
    return say("Models {numbers} lost", numbers=names) if len(numbers) > 1 else say("Model {number} lost", number=names)


def _overwatch_step(rolled: RolledCharge, when: str, lost: Sequence[int]) -> Step:
    text = say("{lost} to Overwatch.", lost=lost_text(lost))
    return Step(f"overwatch_{when}", rolled.name, rules=(f"wh40k.overwatch.{when}",), text=text)


def completed(rolled: RolledCharge, move: ChargeMove, plan: Plan, *, note: str = "") -> Ruling:
    """Rule that a charge is completed."""
    charge, contacts = rolled.declaration.charge, len(move.contacts)
    targets = listed(charge.targets, ", ")
    parts = {"charger": charge.charger, "targets": targets, "count": len(move.moves), "engaged": len(move.engaged)}
    text = say("{charger} charges {targets}: 1 model of {count} in base contact, {engaged} engaged.", **parts)
    if contacts != 1:
        parts["contacts"] = contacts
        text = say("{charger} charges {targets}: {contacts} models of {count} in base contact, {engaged} engaged.", **parts)
    lost = declarations_of(charge).overwatch
    return Ruling(
        charge,
        "success",
        text,
        **told_of_roll(rolled.shortest_rolls, rolled.chances),
        findings=tuple(completed_findings(rolled, move, plan, note)),
        metrics={**_metrics(rolled), **_move_metrics(move, plan)},
        steps=(
            _declare_step(rolled.declaration),
            *(roll.step for roll in rolled.rolls),
            *([_overwatch_step(rolled, "before", lost.before)] if lost.before else []),
            *(move_step(move, one) for one in move.moves),
            *([_overwatch_step(rolled, "after", lost.after)] if lost.after else []),
            Step(
                "fights_first",
                charge.charger,
                rules=("wh40k.bonus.fights-first",),
                text=say("{name} has Fights First.", name=charge.charger),
            ),
        ),
        choices=plan.choices,
        proof=_proof(rolled, plan.proof),
        evidence=replace(evidence_after(rolled.declaration, move), dice=dice_of(rolled.rolls)),
    )


def completed_findings(rolled: RolledCharge, move: ChargeMove, plan: Plan, note: str) -> list[Finding]:
    """Return what every rule that was asked says of a charge that is completed."""
    charge, lost = rolled.declaration.charge, declarations_of(rolled.declaration.charge).overwatch
    found = [*rolled.declaration.findings, *(roll.finding for roll in rolled.rolls)]
    if lost.before:
        found += [
            Finding("wh40k.overwatch.before", ok=True, text=say("{lost} to Overwatch before the move.", lost=lost_text(lost.before))),
            Finding("wh40k.overwatch.retest", ok=True, text=say("The survivors can still complete the charge.")),
        ]
    limit = limit_finding(move.ends)
    found += [*condition_findings(move.ends), replace(limit, text=limit.text + _least_text(rolled.survivors or rolled.feasibility))]
    mark = reached(move, lost.after)
    found += _goal_findings(move, plan, note, None if lost.after else mark)
    found += move_findings(move)
    if lost.after:
        text = because(say("{lost} to Overwatch after the move", lost=lost_text(lost.after)), say("the charge stands."))
        found.append(Finding("wh40k.overwatch.after", ok=True, text=text, mark=mark))
    bonus = say("{charger} has Fights First until the turn ends.", charger=charge.charger)
    return [*found, Finding("wh40k.bonus.fights-first", ok=True, text=bonus)]


def _goal_findings(move: ChargeMove, plan: Plan, note: str, mark: Mark | None) -> list[Finding]:
    contacts, count = len(move.contacts), len(move.moves)
    more = say("no legal move has more")
    if contacts < plan.most_contacts:
        more = say("at most {most} could be, more than were found", most=plan.most_contacts)
    more = say("{more}.", more=more) + note
    met = say("{contacts} of {models} in base contact", contacts=contacts, models=counted(count, "models"))
    order = say("Order of moving, those that end in contact first: {order}.", order=listed(map(str, move.order), ", "))
    found = [
        Finding("wh40k.move.order", ok=True, text=order),
        Finding("wh40k.move.contact", ok=True, text=because(met, more), measured=contacts, mark=mark),
        *tightest(closer_findings(move.ends).values()),
    ]
    if contacts < count:
        spared = counted(count - contacts, "models")
        text = say("{models} not in contact: all targets engaged, others avoided and coherency come first.", models=spared)
        found.append(Finding("wh40k.move.override", ok=True, text=text))
    if move.scene.choices.spare_models == "engage":
        more = say("no legal move with as many contacts has more")
        if len(move.engaged) < plan.most_engaged:
            more = say("at most {most} could be, more than were found", most=plan.most_engaged)
        text = say("{models} engaged with a target; {more}.", models=counted(len(move.engaged), "models"), more=more)
        found.append(Finding("wh40k.move.most-engaged", ok=True, text=text, measured=len(move.engaged)))
    sure = say("the least there is") if plan.shortest != "best_found" else say("the least that was found")
    text = say("All models together move {total:.4f} in, {sure}.", total=move.total, sure=sure)
    return [*found, Finding("wh40k.move.shortest", ok=True, text=text, measured=move.total)]


def _move_metrics(move: ChargeMove, plan: Plan) -> dict[str, Metric]:
    touched = sum(len(move.ends.to(target).touched) for target in move.scene.targets)
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


def move_step(move: ChargeMove, one: Moved) -> Step:
    """Return the step of one model's move."""
    is_touching = one.end.number in move.contacts
    rules = () if one.has_stayed else ("wh40k.move.contact",) if is_touching else ("wh40k.move.closer",)
    text = say("Stays.") if not rules else say("Into base contact.") if is_touching else say("Closer.")
    name, path = move.scene.charger.name, one.way.path
    return Step("move", name, one.start.pose, one.end.pose, one.way.length, rules=rules, text=text, model=one.end.number, path=path)
