"""Rulings of single charges: refused, failed or completed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from systems.wh40k.applied import move_findings
from systems.wh40k.conditions import has_stayed
from systems.wh40k.declare import DECLARE_RULES, Declaration
from systems.wh40k.evidence import evidence_after, evidence_before, models_touched
from systems.wh40k.measures import closer_findings, closest_call, condition_findings
from systems.wh40k.moved import ChargeMove, Moved
from systems.wh40k.prospects import GRAIN, RULE_OF_LEVEL, Prospects, weakest
from systems.wh40k.questions import LEVELS, Level, Plan
from systems.wh40k.rolling import LEAST, MOST, Roll, chance_completed, distance_of, told
from tabletop.ruling import Finding, Metric, Proof, Ruling, Step
from tabletop.units import CONTACT
from tabletop.words import counted


@dataclass(frozen=True, eq=False)
class Attempt:
    """A charge that may be declared, with its rolls; `survivors` are the prospects of those left after Overwatch, where it was fired."""

    declaration: Declaration
    rolls: tuple[Roll, ...]
    prospects: Prospects
    survivors: Prospects | None = None

    @property
    def distance(self) -> int:
        """The charge distance in inches."""
        return self.rolls[-1].distance

    @property
    def name(self) -> str:
        """The charger's name."""
        return self.declaration.charge.charger

    @property
    def needed(self) -> int | None:
        """The smallest whole distance that completes the charge."""
        own = self.prospects.needed
        if self.survivors is None or own is None:
            return own
        after = self.survivors.needed
        return None if after is None else max(own, after)

    @property
    def chance(self) -> Fraction:
        """Chance that the charge is completed, over all dice."""
        bonus = self.prospects.scene.distance_bonus
        first = math.inf if self.prospects.needed is None else self.prospects.needed - bonus
        both = math.inf if self.needed is None else self.needed - bonus
        return chance_completed(self.declaration.charge, first, both)

    @property
    def shortest_roll(self) -> int | None:
        """The least charge distance that dice can give and that completes the charge."""
        bonus = self.prospects.scene.distance_bonus
        totals = [distance_of(total, bonus) for total in range(LEAST, MOST + 1)]
        return next((total for total in totals if self.needed is not None and total >= self.needed), None)


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
        evidence=evidence_before(declaration),
    )


def failed(attempt: Attempt) -> Ruling:
    """Rule that a charge fails because no legal move exists at its distance."""
    level = attempt.prospects.first_missing(attempt.distance) or "closer"
    rule = RULE_OF_LEVEL[level]
    answers = _level_findings(attempt.prospects, attempt.distance)
    return _failed(attempt, rule, answers[-1].text, answers)


def failed_after_overwatch(attempt: Attempt) -> Ruling:
    """Rule that a charge fails because the survivors of Overwatch cannot complete it."""
    rule, survivors = "wh40k.overwatch.retest", attempt.survivors
    lost = told(attempt.declaration.charge).overwatch.before
    before = Finding("wh40k.overwatch.before", ok=True, text=f"{_lost(lost)} to Overwatch before the move.")
    if survivors is None or not survivors.scene.charger.models:
        reasons, text = [], "Nobody is left to complete the charge."
    else:
        reasons = _level_findings(survivors, attempt.distance)
        text = f"The survivors cannot complete the charge: {_lower(reasons[-1].text)}"
    retest = Finding(rule, ok=False, text=text)
    ruling = _failed(attempt, rule, text, [*_level_findings(attempt.prospects, attempt.distance), before, retest, *reasons])
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
        findings=tuple(_completed_findings(attempt, move, plan, note)),
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
        evidence=evidence_after(attempt.declaration, move),
    )


def _failed(attempt: Attempt, rule: str, reason: str, answers: Sequence[Finding]) -> Ruling:
    name = attempt.name
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
        evidence=evidence_before(attempt.declaration, reach=float(attempt.distance)),
    )


def _proof(attempt: Attempt, *proofs: Proof) -> Proof:
    after = [] if attempt.survivors is None else [attempt.survivors.proof]
    return weakest(attempt.prospects.proof, *after, *proofs)


def _level_findings(prospects: Prospects, distance: float) -> list[Finding]:
    """Answer the nested questions in their order, up to the first that is answered no."""
    found: list[Finding] = []
    for level in LEVELS if not prospects.is_enough(distance) else LEVELS[-1:]:
        is_enough = prospects.is_enough(distance, level)
        found.append(_level_finding(prospects, distance, level, is_enough=is_enough))
        if not is_enough:
            break
    return found


DEMANDS: dict[Level, str] = {
    "engaged": "the unit ends engaged with every target",
    "grounded": "it does so without ending part-way up",
    "apart": "it also keeps out of engagement range of enemy units that are no targets",
    "coherent": "it also ends in coherency",
    "closer": "its models also end closer to a target",
}


def _level_finding(prospects: Prospects, distance: float, level: Level, *, is_enough: bool) -> Finding:
    rule, least = RULE_OF_LEVEL[level], prospects.least(level)
    if is_enough:
        return Finding(rule, ok=True, text=f"There is a move of at most {distance:g} in after which {DEMANDS[level]}.")
    text = f"There is no move of at most {distance:g} in after which {DEMANDS[level]}"
    if math.isinf(least.distance):
        return Finding(rule, ok=False, text=f"{text}, nor of any length.")
    if least.distance <= distance + GRAIN:
        return Finding(rule, ok=False, text=f"{text}.")
    text = f"{text}: {least.distance:.4f} in are needed."
    return Finding(rule, ok=False, text=text, measured=distance, limit=least.distance, margin=distance - least.distance)


def _completed_findings(attempt: Attempt, move: ChargeMove, plan: Plan, note: str) -> list[Finding]:
    charge, lost = attempt.declaration.charge, told(attempt.declaration.charge).overwatch
    distance = float(attempt.distance)
    found = [*attempt.declaration.findings, *(roll.finding for roll in attempt.rolls)]
    if lost.before:
        found += [
            Finding("wh40k.overwatch.before", ok=True, text=f"{_lost(lost.before)} to Overwatch before the move."),
            Finding("wh40k.overwatch.retest", ok=True, text="The survivors can still complete the charge."),
        ]
    found += condition_findings(move.scene, move.ends)
    text = f"The longest move is {move.longest:.4f} in of {distance:g} in."
    margin = distance - move.longest
    found.append(Finding("wh40k.roll.limit", margin >= -CONTACT, text, move.longest, distance, margin))
    found += _goal_findings(move, plan, note)
    found += move_findings(move)
    if lost.after:
        found.append(Finding("wh40k.overwatch.after", ok=True, text=f"{_lost(lost.after)} to Overwatch after the move; the charge stands."))
    bonus = f"{charge.charger} has Fights First until the turn ends."
    return [*found, Finding("wh40k.bonus.fights-first", ok=True, text=bonus)]


def _goal_findings(move: ChargeMove, plan: Plan, note: str) -> list[Finding]:
    contacts, count = len(move.contacts), len(move.moves)
    spare = tuple(number for number in move.order if number not in move.contacts)
    more = "no legal move has more" if contacts >= plan.most_contacts else f"at most {plan.most_contacts} could be, more than were found"
    order = f"Order of moving, those that end in contact first: {', '.join(map(str, move.order))}."
    found = [
        Finding("wh40k.move.order", ok=True, text=order),
        Finding(
            "wh40k.move.contact",
            ok=True,
            text=f"{contacts} of {counted(count, 'models')} in base contact; {more}.{note and ' ' + note}",
            measured=contacts,
        ),
        *closest_call(list(closer_findings(move.scene, move.ends, spare))),
    ]
    if contacts < count:
        text = f"{counted(count - contacts, 'models')} not in contact: all targets engaged, others avoided and coherency come first."
        found.append(Finding("wh40k.move.override", ok=True, text=text))
    if move.scene.choices.spare_models == "engage":
        text = f"{counted(len(move.engaged), 'models')} engaged with a target."
        found.append(Finding("wh40k.move.most-engaged", ok=True, text=text, measured=len(move.engaged)))
    sure = "the least there is" if plan.shortest != "best_found" else "the least that was found"
    text = f"All models together move {move.total:.4f} in, {sure}."
    return [*found, Finding("wh40k.move.shortest", ok=True, text=text, measured=move.total)]


def _metrics(attempt: Attempt) -> dict[str, Metric]:
    least, needed, survivors = attempt.prospects.least(), attempt.prospects.needed, attempt.survivors
    after = None if survivors is None else survivors.needed
    return {
        "distance": attempt.declaration.distance,
        "charge_distance": attempt.distance,
        **({} if needed is None else {"needed": needed}),
        **({} if math.isinf(least.distance) else {"needed_distance": least.distance}),
        **({} if after is None else {"needed_after_overwatch": after}),
        "chance": float(attempt.chance),
        "chance_fraction": str(attempt.chance),
    }


def _move_metrics(move: ChargeMove, plan: Plan) -> dict[str, Metric]:
    touched = sum(len(models_touched(move.ends, target)) for target in move.scene.targets)
    return {
        "models_engaged": len(move.engaged),
        "models_in_base_contact": len(move.contacts),
        "most_in_base_contact": max(len(move.contacts), len(plan.contacts)),
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
    return Step(f"overwatch_{when}", attempt.name, rules=(f"wh40k.overwatch.{when}",), text=f"{_lost(lost)} to Overwatch.")


def _bonus_step(name: str) -> Step:
    return Step("fights_first", name, rules=("wh40k.bonus.fights-first",), text=f"{name} has Fights First.")


def _lost(numbers: Sequence[int]) -> str:
    return f"Model{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))} lost"


def _lower(text: str) -> str:
    """Let a sentence go on after a colon."""
    return text[0].lower() + text[1:]
