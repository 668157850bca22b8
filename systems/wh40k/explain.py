"""Rulings on single charges, refused, failed or completed: their findings, metrics, steps and sentences."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from systems.wh40k.conditions import (
    Ends,
    closer_findings,
    coherency_of,
    condition_findings,
    engagement_of,
    limit_finding,
    tightest,
)
from systems.wh40k.declare import DECLARE_RULES, Declaration
from systems.wh40k.evidence import (
    bridging,
    dice_of,
    evidence_after,
    evidence_before,
    lost_mark,
    no_place,
    reached,
    too_short,
)
from systems.wh40k.feasibility import (
    REQUIREMENTS,
    RULE_OF_REQUIREMENT,
    ChargeFeasibility,
    Requirement,
    RolledCharge,
)
from systems.wh40k.move import ChargeMove, Moved, move_findings
from systems.wh40k.points import with_points
from systems.wh40k.roll import MOST_NEEDED, declarations_of
from systems.wh40k.scene import Scene
from systems.wh40k.spared import SparedModels
from tabletop.budget import deadline_passed, explains
from tabletop.messages import because, counted, listed, say
from tabletop.placement.search import LEAST_DISTANCE_TOLERANCE
from tabletop.ruling.charge import Metric, Outcome, Step
from tabletop.ruling.evidence import TWO_DECIMALS_FROM, Evidence, Mark
from tabletop.ruling.finding import Finding, weakest_proof
from tabletop.ruling.odds import told_of_roll
from tabletop.ruling.verdict import Ruling
from tabletop.table.models import crowd, from_one, gap_matrix
from tabletop.units import CONTACT

DEMANDS: dict[Requirement, str] = {
    "engaged": say("the unit ends within engagement range of every target"),
    "grounded": say("the unit also has no model part-way up a climb"),
    "apart": say("the unit also stays out of engagement range of enemy units that are not targets"),
    "coherent": say("the unit also ends in coherency"),
    "closer": say("every model that must also ends closer to a target"),
}


def refused(charge: RolledCharge, broken: Finding) -> Ruling:
    """Return the ruling on a charge that may not be declared, because of the finding `broken`."""
    declaration = charge.declaration
    return Ruling(
        declaration.charge,
        "not_allowed",
        say(
            "{charger} may not declare this charge. {reason}",
            charger=declaration.charge.charger,
            reason=broken.text,
        ),
        rule=broken.rule,
        findings=declaration.findings,
        metrics={"distance": declaration.distance, "chance": 0.0, "chance_fraction": "0"},
        steps=(_declare_step(declaration),),
        evidence=evidence_before(declaration),
        attempt=charge if explains() else None,
    )


def _declare_step(declaration: Declaration) -> Step:
    charge = declaration.charge
    parts = {
        "charger": charge.charger,
        "targets": listed(charge.targets, ", "),
        "distance": declaration.distance,
    }
    text = say("{charger} declares a charge against {targets}, {distance:.2f} in away.", **parts)
    more = {
        finding.rule for finding in declaration.findings if finding.rule == "wh40k.targets.aircraft"
    }
    return Step("declare", charge.charger, rules=(*DECLARE_RULES, *more), text=text)


def failed(rolled: RolledCharge) -> Ruling:
    """Return the ruling on a charge that fails because no legal move of its charge distance completes it."""
    unmet = rolled.feasibility.first_unmet(rolled.distance) or "closer"
    answers = requirement_findings(rolled.feasibility, rolled.distance, rolled.declaration)
    return _failed(
        replace(rolled, unmet=unmet), RULE_OF_REQUIREMENT[unmet], answers[-1].text, answers
    )


def requirement_findings(
    feasibility: ChargeFeasibility, distance: int, declaration: Declaration | None = None
) -> list[Finding]:
    """Return the findings of the nested requirements, in order, up to the first that is not met at a charge distance in
    inches.

    If all are met, only the last one, which includes the others, is reported. Requirements whose answer is not known
    are left out. If the `declaration` is given, the unmet one has a mark for figures.
    """
    found: list[Finding] = []
    unsettled = ""
    for requirement in (
        REQUIREMENTS if not feasibility.is_possible_at(distance) else REQUIREMENTS[-1:]
    ):
        verdict = feasibility.is_possible_at(distance, requirement)
        if verdict is None:
            unsettled = unsettled or say(
                " Whether there is one with which {demand} is undecided.",
                demand=DEMANDS[requirement],
            )
            continue
        if not verdict:
            unmet = _unmet(feasibility, distance, requirement, declaration)
            return [*found, replace(unmet, text=unmet.text + unsettled + _least_text(feasibility))]
        text = say(
            "There is a move of at most {distance:g} in with which {demand}.",
            distance=distance,
            demand=DEMANDS[requirement],
        )
        found.append(Finding(RULE_OF_REQUIREMENT[requirement], ok=True, text=text))
    return found


def _unmet(
    feasibility: ChargeFeasibility,
    distance: int,
    requirement: Requirement,
    declaration: Declaration | None,
) -> Finding:
    rule = RULE_OF_REQUIREMENT[requirement]
    least = feasibility.least(requirement)
    scene = feasibility.scene
    text = say(
        "There is no move of at most {distance:g} in with which {demand}",
        distance=distance,
        demand=DEMANDS[requirement],
    )
    is_never = math.isinf(least.bound)
    far = (
        feasibility.out_of_reach(MOST_NEEDED if is_never else distance)
        if requirement == "engaged"
        else ()
    )
    named = (
        say(
            " Targets out of reach: {targets}.",
            targets=listed([target.name for target in far], ", "),
        )
        if far
        else ""
    )
    is_sure = least.proof != "best_found"
    needed = least.distance if is_sure else least.bound
    if is_never or needed <= distance + LEAST_DISTANCE_TOLERANCE:
        told = (
            say("{text}, and none up to {most} in either.", text=text, most=MOST_NEEDED)
            if is_never
            else say("{text}.", text=text)
        )
        found = Finding(
            rule,
            ok=False,
            text=told + named,
            mark=None if declaration is None else no_place(scene, requirement),
        )
        if is_never and requirement == "engaged" and len(scene.targets) == 1:
            from systems.wh40k.corridor import by_gap

            return by_gap(feasibility, found)
        return _spanning(scene, requirement, found) if is_never else found
    parts = {"text": text, "needed": needed}
    told = say(
        "{text}; it would need {needed:.4f} in."
        if is_sure
        else "{text}; it would need at least {needed:.4f} in.",
        **parts,
    )
    if is_sure and needed < distance + TWO_DECIMALS_FROM:
        told = say("{text}; it would need more than {distance:g} in.", text=text, distance=distance)
    mark = (
        None
        if declaration is None
        else too_short(declaration, requirement, distance, needed=needed, far=far)
    )
    return Finding(
        rule,
        ok=False,
        text=told + named,
        measured=float(distance),
        limit=needed,
        margin=distance - needed,
        mark=mark,
    )


def _spanning(scene: Scene, requirement: Requirement, never: Finding) -> Finding:
    """Return the finding `never`, extended by the two targets that are too far apart for the unit at any distance, if
    there are any.

    A unit spans at most its bases, one coherency link between each two of them, and the engagement range at both ends.
    """
    models = crowd(scene.charger.models)
    count = len(models.models)
    span = (
        coherency_of(scene, count).span(2.0 * models.radii) + 2.0 * engagement_of(scene).ranges[-1]
    )
    pairs = (
        (gap_matrix(crowd(one.models), crowd(other.models)), one, other)
        for one, other in combinations(scene.targets, 2)
    )
    apart, first, second = max(
        ((float(gaps.min()), one.name, other.name) for gaps, one, other in pairs),
        default=(0.0, "", ""),
    )
    if apart <= span + CONTACT or (count > 1 and requirement not in ("coherent", "closer")):
        return never
    parts = {"text": never.text, "first": first, "second": second, "apart": apart, "span": span}
    if count > 1:
        left, bridged = bridging(scene, apart)
        message = (
            "{text} {left:.4g} in lie between the ranges of {first} and {second}; {count} bases in coherency bridge "
            "{bridged:.4g} in."
        )
        text = say(message, count=count, left=left, bridged=bridged, **parts)
        return replace(
            never,
            text=text,
            measured=left,
            limit=bridged,
            margin=bridged - left,
            between=(first, second),
        )
    text = say(
        "{text} {first} and {second} are {apart:.4g} in apart; a base with engagement range on both sides "
        "spans {span:.4g} in.",
        **parts,
    )
    return replace(
        never, text=text, measured=apart, limit=span, margin=span - apart, between=(first, second)
    )


def _least_text(feasibility: ChargeFeasibility) -> str:
    """Return a sentence on the bounds of the least charge distance that suffices; empty if that is known exactly or not
    bounded.
    """
    enough = feasibility.needed_between[1]
    low, high = (0.0, 0.0) if enough is None else feasibility.needed_distance_range
    if not LEAST_DISTANCE_TOLERANCE < high - low < math.inf:
        return ""
    return say(
        " The shortest distance found to be enough is {enough:.4f} in; less than {bound:.4f} in is not enough.",
        enough=high,
        bound=low,
    )


def _failed(
    rolled: RolledCharge, rule: str, reason: str, answers: Sequence[Finding], *lost: Step
) -> Ruling:
    stay = Finding(
        "wh40k.possible.stay",
        ok=True,
        text=say("The charge fails, so no model of {name} moves.", name=rolled.name),
    )
    text = say(
        "{name} fails its charge with a charge distance of {distance} in and does not move. {reason}",
        name=rolled.name,
        distance=rolled.distance,
        reason=reason,
    )
    evidence = evidence_before(rolled.declaration, reach=float(rolled.distance))
    return replace(_ruling(rolled, "failed", text, [*answers, stay], lost, evidence), rule=rule)


def _ruling(
    rolled: RolledCharge,
    outcome: Outcome,
    text: str,
    findings: Iterable[Finding],
    steps: Iterable[Step],
    evidence: Evidence,
) -> Ruling:
    """Return the ruling on a rolled charge: `findings` follow those of declaration and rolls, `steps` those of
    declaring and rolling.
    """
    declaration = rolled.declaration
    return Ruling(
        declaration.charge,
        outcome,
        text,
        **told_of_roll(rolled.shortest_rolls, rolled.chances),
        findings=(*declaration.findings, *(roll.finding for roll in rolled.rolls), *findings),
        metrics={
            "distance": declaration.distance,
            "charge_distance": rolled.distance,
            **rolled.needs,
            **chance_metrics(rolled.chances),
        },
        steps=(_declare_step(declaration), *(roll.step for roll in rolled.rolls), *steps),
        proof=weakest_proof(
            *(one.proof for one in (rolled.feasibility, rolled.survivors) if one is not None)
        ),
        evidence=replace(evidence, dice=dice_of(rolled.rolls)),
        attempt=rolled if explains() else None,
    )


def chance_metrics(chances: tuple[Fraction, Fraction]) -> dict[str, Metric]:
    """Return the chance of success as metrics, a number and a fraction, if its lower and upper bound are equal; else no
    metrics.
    """
    return (
        {"chance": float(chances[0]), "chance_fraction": str(chances[0])}
        if chances[0] == chances[1]
        else {}
    )


def failed_after_overwatch(rolled: RolledCharge) -> Ruling:
    """Return the ruling on a charge that fails because the survivors of Overwatch cannot complete it."""
    rule = "wh40k.overwatch.retest"
    survivors = rolled.survivors
    reasons = list[Finding]()
    retest = Finding(rule, ok=False, text=say("No model is left to complete the charge."))
    if survivors is not None and survivors.scene.charger.models:
        reasons = requirement_findings(survivors, rolled.distance)
        retest = replace(
            reasons[-1],
            rule=rule,
            text=say(
                "The survivors cannot complete the charge: {why:within}", why=reasons[-1].text
            ),
        )
    retest = replace(retest, mark=lost_mark(rolled))
    lost = declarations_of(rolled.declaration.charge).overwatch.before
    found = [
        *requirement_findings(rolled.feasibility, rolled.distance),
        _lost_before(rolled.name, lost),
        retest,
        *reasons,
    ]
    return _failed(rolled, rule, retest.text, found, _overwatch_step(rolled, "before", lost))


def _lost_before(charger: str, lost: Sequence[int]) -> Finding:
    return Finding(
        "wh40k.overwatch.before",
        ok=True,
        text=say("{lost} to Overwatch before the move.", lost=lost_text(charger, lost)),
    )


def lost_text(charger: str, numbers: Sequence[int]) -> str:
    """Return the words that say which models of the charger are lost, by number."""
    names = listed((str(from_one(number)) for number in numbers), ", ")
    return (
        say("{charger}'s models {numbers} are lost", charger=charger, numbers=names)
        if len(numbers) > 1
        else say("{charger}'s model {number} is lost", charger=charger, number=names)
    )


def _overwatch_step(rolled: RolledCharge, when: str, lost: Sequence[int]) -> Step:
    text = say("{lost} to Overwatch.", lost=lost_text(rolled.name, lost))
    return Step(f"overwatch_{when}", rolled.name, rules=(f"wh40k.overwatch.{when}",), text=text)


def completed(rolled: RolledCharge, move: ChargeMove, *, note: str = "") -> Ruling:
    """Return the ruling on a completed charge; `note` is appended to the sentence on base contacts."""
    charge = rolled.declaration.charge
    contacts = len(move.ends.in_contact)
    name = rolled.name
    targets = listed(charge.targets, ", ")
    parts = {
        "charger": name,
        "targets": targets,
        "count": len(move.moves),
        "engaged": len(move.ends.engaged),
    }
    text = say(
        "{charger} charges {targets}: 1 model of {count} in base contact, {engaged} engaged.",
        **parts,
    )
    result = say(
        "1 model of {count} in base contact, {engaged} engaged.",
        count=parts["count"],
        engaged=parts["engaged"],
    )
    if contacts != 1:
        parts["contacts"] = contacts
        text = say(
            "{charger} charges {targets}: {contacts} models of {count} in base contact, {engaged} engaged.",
            **parts,
        )
        result = say("{contacts} models of {count} in base contact, {engaged} engaged.", **parts)
    lost = declarations_of(charge).overwatch
    steps = (
        *([_overwatch_step(rolled, "before", lost.before)] if lost.before else []),
        *(move_step(one, move.ends) for one in move.moves),
        *([_overwatch_step(rolled, "after", lost.after)] if lost.after else []),
        Step(
            "fights_first",
            name,
            rules=("wh40k.bonus.fights-first",),
            text=say("{name} has Fights First.", name=name),
        ),
    )
    ruling = _ruling(
        replace(rolled, move=move),
        "success",
        text,
        with_points(_completed_findings(rolled, move, note), move.ends, move.moves),
        steps,
        evidence_after(rolled.declaration, move),
    )
    metrics = {**ruling.metrics, **_move_metrics(move)}
    return replace(
        ruling,
        metrics=metrics,
        choices=move.plan.choices,
        proof=weakest_proof(ruling.proof, move.plan.proof),
        result=result,
    )


def _completed_findings(rolled: RolledCharge, move: ChargeMove, note: str) -> Iterator[Finding]:
    """Yield the findings of every rule that applies after the roll of a completed charge, in order."""
    charge = rolled.declaration.charge
    lost = declarations_of(rolled.declaration.charge).overwatch
    if lost.before:
        yield _lost_before(rolled.name, lost.before)
        yield Finding(
            "wh40k.overwatch.retest",
            ok=True,
            text=say("The survivors can still complete the charge."),
        )
    yield from condition_findings(move.ends)
    limit = limit_finding(move.ends)
    yield replace(limit, text=limit.text + _least_text(rolled.moving))
    mark = reached(move, lost.after)
    spared = SparedModels(rolled.moving.solver, move.ends)
    yield from _goal_findings(move, note, None if lost.after else mark, spared)
    yield from move_findings(move)
    if lost.after:
        text = because(
            say("{lost} to Overwatch after the move", lost=lost_text(rolled.name, lost.after)),
            say("the charge remains completed."),
        )
        yield Finding("wh40k.overwatch.after", ok=True, text=text, mark=mark)
    bonus = say("{charger} has Fights First until the turn ends.", charger=charge.charger)
    yield Finding("wh40k.bonus.fights-first", ok=True, text=bonus)


def _goal_findings(
    move: ChargeMove, note: str, mark: Mark | None, spared: SparedModels
) -> Iterator[Finding]:
    plan = move.plan
    contacts = len(move.ends.in_contact)
    engaged = len(move.ends.engaged)
    count = len(move.moves)
    charger = move.scene.charger.name
    numbers = listed((str(from_one(one.end.number)) for one in move.moves), ", ")
    order = say(
        "The models of {charger} move in this order, those that end in base contact first: {order}.",
        charger=charger,
        order=numbers,
    )
    yield Finding("wh40k.move.order", ok=True, text=order)
    more = say("no legal move brings more")
    if contacts < plan.most_contacts:
        more = say(
            "at most {most} might be possible, more than were found", most=plan.most_contacts
        )
    met = say(
        "{contacts} of {models} of {charger} in base contact",
        charger=charger,
        contacts=contacts,
        models=counted(count, "models"),
    )
    yield Finding(
        "wh40k.move.contact",
        ok=True,
        text=because(met, say("{more}.", more=more) + note),
        measured=contacts,
        mark=mark,
    )
    yield from tightest(closer_findings(move.ends).values())
    if contacts < count:
        text = say(
            "{models} of {charger} did not end in base contact.",
            charger=charger,
            models=counted(count - contacts, "models"),
        )
        yield Finding(
            "wh40k.move.override",
            ok=True,
            text=text + (spared.text if explains() and not deadline_passed() else ""),
        )
    if move.scene.choices.spare_models == "engage":
        more = say("no legal move with as many models in base contact has more")
        if engaged < plan.most_engaged:
            more = say(
                "at most {most} might be possible, more than were found", most=plan.most_engaged
            )
        text = say(
            "{models} of {charger} engaged with a target; {more}.",
            charger=charger,
            models=counted(engaged, "models"),
            more=more,
        )
        yield Finding("wh40k.move.most-engaged", ok=True, text=text, measured=engaged)
    sure = (
        say("the smallest total possible")
        if plan.shortest != "best_found"
        else say("the smallest total that was found")
    )
    text = say(
        "All models of {charger} together move {total:.4f} in, {sure}.",
        charger=charger,
        total=move.total,
        sure=sure,
    )
    yield Finding("wh40k.move.shortest", ok=True, text=text, measured=move.total)


def _move_metrics(move: ChargeMove) -> dict[str, Metric]:
    ends = move.ends
    contacts = len(move.ends.in_contact)
    return {
        "models_engaged": len(ends.engaged),
        "models_in_base_contact": contacts,
        "most_in_base_contact": contacts,
        **(
            {}
            if move.most_contacts == contacts
            else {"most_in_base_contact_at_most": move.plan.most_contacts}
        ),
        "target_models_in_contact": sum(
            len(ends.to(target).touched) for target in move.scene.targets
        ),
        "targets_engaged": len(move.scene.targets),
        "longest_move": float(ends.lengths.max()),
        "total_move": move.total,
    }


def move_step(one: Moved, ends: Ends) -> Step:
    """Return the step of the move of one of the models of `ends`, with its path and where it leads."""
    row = ends.models.index(one.end)
    rules = (
        ()
        if one.has_stayed
        else ("wh40k.move.contact",)
        if ends.touching[row]
        else ("wh40k.move.closer",)
    )
    text = say("{where}.", where=where_to(ends, row))
    unit = ends.scene.charger.name
    return Step(
        "move",
        unit,
        one.start.pose,
        one.end.pose,
        one.way.length,
        rules=rules,
        text=text,
        model=one.end.number,
        path=one.way.path,
    )


def where_to(ends: Ends, row: int) -> str:
    """Return words on where the move of the model of row `row` leads: into base contact, closer to a target or not, or
    nowhere.
    """
    if ends.models[row].stands_like(ends.starts.models[row]):
        return say("Stays in place")
    if ends.touching[row]:
        return say("Into base contact")
    return say("Closer to a target") if ends.gains[row] > 0.0 else say("No closer to any target")
