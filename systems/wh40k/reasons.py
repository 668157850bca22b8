"""What decided a charge, in findings: the nested questions, the conditions, the goals."""

import math
from collections.abc import Sequence
from dataclasses import replace

from systems.wh40k.applied import move_findings
from systems.wh40k.attempt import Attempt
from systems.wh40k.measures import closer_findings, closest_call, condition_findings
from systems.wh40k.move import ChargeMove
from systems.wh40k.placement import LEVELS, Level
from systems.wh40k.prospects import RULE_OF_LEVEL, Prospects
from systems.wh40k.roll import MOST_NEEDED, told
from tabletop.placement.least_distance import TOLD_TO
from tabletop.placement.task import Plan
from tabletop.ruling.finding import Finding
from tabletop.units import CONTACT
from tabletop.words import counted

DEMANDS: dict[Level, str] = {
    "engaged": "the unit ends engaged with every target",
    "grounded": "it does so without ending part-way up",
    "apart": "it also keeps out of engagement range of enemy units that are no targets",
    "coherent": "it also ends in coherency",
    "closer": "its models also end closer to a target",
}


def level_findings(prospects: Prospects, distance: float) -> list[Finding]:
    """Answer the nested questions in their order, up to the first that is answered no; it names the first that stays open."""
    found: list[Finding] = []
    unsettled = ""
    for level in LEVELS if not prospects.is_enough(distance) else LEVELS[-1:]:
        verdict = prospects.verdict(distance, level)
        if verdict is None:
            unsettled = unsettled or f" It is not settled whether there is one after which {DEMANDS[level]}."
            continue
        finding = _level_finding(prospects, distance, level, is_enough=verdict)
        if verdict is False:
            return [*found, replace(finding, text=finding.text + unsettled + _least_text(prospects))]
        found.append(finding)
    return found


def _level_finding(prospects: Prospects, distance: float, level: Level, *, is_enough: bool) -> Finding:
    rule, least = RULE_OF_LEVEL[level], prospects.least(level)
    if is_enough:
        return Finding(rule, ok=True, text=f"There is a move of at most {distance:g} in after which {DEMANDS[level]}.")
    text = f"There is no move of at most {distance:g} in after which {DEMANDS[level]}"
    if math.isinf(least.bound):
        return Finding(rule, ok=False, text=f"{text}, nor of any up to {MOST_NEEDED} in.")
    is_sure = least.proof != "best_found"
    needed = least.distance if is_sure else least.bound
    if needed <= distance + TOLD_TO:
        return Finding(rule, ok=False, text=f"{text}.")
    text = f"{text}: {'' if is_sure else 'at least '}{needed:.4f} in are needed."
    return Finding(rule, ok=False, text=text, measured=distance, limit=needed, margin=distance - needed)


def completed_findings(attempt: Attempt, move: ChargeMove, plan: Plan, note: str) -> list[Finding]:
    """Say of a charge that is completed what every rule that was asked says."""
    charge, lost = attempt.declaration.charge, told(attempt.declaration.charge).overwatch
    distance = float(attempt.distance)
    found = [*attempt.declaration.findings, *(roll.finding for roll in attempt.rolls)]
    if lost.before:
        found += [
            Finding("wh40k.overwatch.before", ok=True, text=f"{lost_text(lost.before)} to Overwatch before the move."),
            Finding("wh40k.overwatch.retest", ok=True, text="The survivors can still complete the charge."),
        ]
    found += condition_findings(move.scene, move.ends)
    text = f"The longest move is {move.longest:.4f} in of {distance:g} in.{_least_text(attempt.survivors or attempt.prospects)}"
    margin = distance - move.longest
    found.append(Finding("wh40k.roll.limit", margin >= -CONTACT, text, move.longest, distance, margin))
    found += _goal_findings(move, plan, note)
    found += move_findings(move)
    if lost.after:
        found.append(
            Finding("wh40k.overwatch.after", ok=True, text=f"{lost_text(lost.after)} to Overwatch after the move; the charge stands.")
        )
    bonus = f"{charge.charger} has Fights First until the turn ends."
    return [*found, Finding("wh40k.bonus.fights-first", ok=True, text=bonus)]


def _least_text(prospects: Prospects) -> str:
    """Say what is open about the least distance that completes the charge."""
    between = None if prospects.needed is None else prospects.needed_distance_range
    return "" if between is None else f" The least that was found to do is {between[1]:.4f} in; below {between[0]:.4f} in nothing does."


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
        is_most = len(move.engaged) >= plan.most_engaged
        most = "no legal move with as many contacts has more" if is_most else f"at most {plan.most_engaged} could be, more than were found"
        text = f"{counted(len(move.engaged), 'models')} engaged with a target; {most}."
        found.append(Finding("wh40k.move.most-engaged", ok=True, text=text, measured=len(move.engaged)))
    sure = "the least there is" if plan.shortest != "best_found" else "the least that was found"
    text = f"All models together move {move.total:.4f} in, {sure}."
    return [*found, Finding("wh40k.move.shortest", ok=True, text=text, measured=move.total)]


def lost_text(numbers: Sequence[int]) -> str:
    """Say which models were lost."""
    return f"Model{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))} lost"
