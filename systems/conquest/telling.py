"""What the rules say of a charge that completes: its wheel, its way, its end and what follows."""

import math
from collections.abc import Iterator

from systems.conquest.choosing import Choice
from systems.conquest.completion import Completion
from systems.conquest.conditions import path_findings
from systems.conquest.trial import Trial
from tabletop.ruling.finding import Finding
from tabletop.units import CONTACT
from tabletop.words import counted

QUARTER = 90.0
"""Degrees that a turn until flush stays below."""
FATES = {"own": "its own turn", "turned": "a turn of the target", "push": "a push", "touch": "a mere touch"}


def wheel_findings(trial: Trial, choice: Choice) -> tuple[Finding, ...]:
    """Say what decided the wheel."""
    scene, degrees = trial.scene, math.degrees(trial.angle)
    limit = scene.book.wheel_limit_deg
    most, stands = choice.merit.stands, counted(trial.stands, "front stands")
    fates = f"; it completes by {FATES[trial.fate]}" if trial.fate in FATES else ""
    best = "no wheel that is as good in other respects brings more" if trial.stands >= most else f"another wheel brings {most}"
    return (
        Finding(
            "conquest.wheel.free",
            limit - degrees >= -CONTACT,
            f"One wheel of {degrees:.4f} degrees; {limit:g} are allowed.",
            degrees,
            limit,
            limit - degrees,
        ),
        Finding(
            "conquest.wheel.most-stands",
            ok=True,
            text=f"{stands} reach the {trial.charged.label} of {scene.target.name}; {best}{fates}.",
            measured=trial.stands,
        ),
        Finding("conquest.wheel.policy", ok=True, text=_policy(trial, choice)),
    )


def _policy(trial: Trial, choice: Choice) -> str:
    words = {"most-contact": "the longest contact", "least-turn": "the smallest wheel", "widest-turn": "the widest wheel"}
    policy = trial.scene.choices.wheel_policy
    best = choice.wheel
    text = f"Of the wheels that are equally good, '{policy}' takes {words[policy]}"
    if abs(best.angle - trial.angle) <= CONTACT and best.side == trial.side:
        return f"{text}: a contact of {trial.length:.4f} in."
    return f"{text}; that would be {math.degrees(best.angle):.4f} degrees about the {best.side} corner. The player's own wheel is as good."


def completed_findings(done: Completion) -> tuple[Finding, ...]:
    """Name the rules that shaped way, contact and end, with what was measured."""
    trial, scene = done.trial, done.trial.scene
    return (
        *wheel_findings(trial, done.choice),
        *path_findings(trial),
        Finding("conquest.move.straight", ok=True, text=f"{trial.way:.4f} in straight ahead.", measured=trial.way),
        distance_finding(trial),
        *_near(done),
        Finding("conquest.through.friends", ok=True, text=_through(done)),
        Finding(
            "conquest.stop", ok=True, text=f"The advance stops at first contact with {scene.target.name}, on its {trial.charged.label}."
        ),
        *_aligned(done),
        Finding("conquest.through.clear", ok=True, text=_through(done, "and is clear of all of them at the end")),
        Finding("conquest.contact.only-by-charge", ok=True, text=f"{scene.charger.name} is in contact by a charge that completed."),
        *_inspire(done),
    )


def distance_finding(trial: Trial) -> Finding:
    """Say whether the straight move is within the Charge Distance."""
    rule = "conquest.move.charge-distance"
    if not math.isfinite(trial.most):
        return Finding(rule, ok=True, text="Once the roll is enough the length of the straight move does not matter.", measured=trial.way)
    margin = trial.most - trial.way
    text = f"The straight move needs {trial.way:.4f} in; the Charge Distance is {trial.most:g} in."
    return Finding(rule, margin >= -CONTACT, text, trial.way, trial.most, margin)


def _near(done: Completion) -> tuple[Finding, ...]:
    scene = done.trial.scene
    near, limit = scene.book.near_gap, scene.choices.clearance
    others = min(done.gaps(("enemy", "garrison")), default=None)
    text = "There is nothing else to come near to."
    if done.nearest_other is not None:
        least, name = done.nearest_other
        text = f"It ends {abs(least):.4f} in from {name}; coming within {near:g} in is no fault."
    inch = Finding("conquest.near.inch", ok=True, text=text, measured=done.nearest_other[0] if done.nearest_other else None)
    if others is None:
        return inch, Finding("conquest.near.no-contact", ok=True, text="There is no other enemy or garrison.")
    least, name = others
    text = f"It ends {abs(least):.4f} in from {name}, which it did not charge."
    return inch, Finding("conquest.near.no-contact", least - limit >= -CONTACT, text, least, limit, least - limit)


def _through(done: Completion, end: str = "") -> str:
    if not done.crossed:
        return "It crosses no friends."
    return f"It crosses {', '.join(done.crossed)}{' ' if end else ''}{end}."


def _aligned(done: Completion) -> Iterator[Finding]:
    trial, scene = done.trial, done.trial.scene
    charger, target, degrees = scene.charger.name, scene.target.name, math.degrees(abs(trial.turn))
    label = trial.charged.label
    if trial.fate == "touch":
        yield Finding("conquest.align.flush", ok=True, text=f"Nobody can turn flush; {charger} stays where it touched {target}.")
    elif trial.fate == "turned":
        yield Finding(
            "conquest.align.flush", ok=True, text=f"{charger} has no room to turn {degrees:.4f} degrees itself.", measured=degrees
        )
        text = f"{target} turns {degrees:.4f} degrees about the point of contact, and is flush."
        yield Finding("conquest.align.target-wheels", ok=True, text=text, measured=degrees)
    else:
        text = f"{charger} turns {degrees:.4f} degrees about the point of contact, and is flush on the {label} of {target}."
        yield Finding("conquest.align.flush", degrees <= QUARTER, text, degrees, QUARTER, QUARTER - degrees)
    if is_at_corner(trial):
        yield Finding("conquest.facing.corner", ok=True, text=f"It touches a corner of {target}; the {label} is the side charged.")
    if trial.fate == "push":
        names = ", ".join(trial.pushed)
        text = f"Contact is impossible without {names}, moved {done.push_distance:.4f} in in all, the least there is room for."
        yield Finding("conquest.push", ok=True, text=text, measured=done.push_distance)
        yield Finding("conquest.push.room", ok=True, text=f"There is a free place for {names}.")


def is_at_corner(trial: Trial) -> bool:
    """Tell whether the contact is at an end of the charged facing, while the front is not flush on it."""
    along = float(trial.fan.along[0])
    return trial.turn != 0.0 and min(along, trial.charged.facing.length - along) <= CONTACT


def _inspire(done: Completion) -> Iterator[Finding]:
    scene = done.trial.scene
    name = scene.charger.name
    yield Finding("conquest.inspire", ok=True, text=f"{name} is inspired: a free Inspire.")
    if scene.profile.impact:
        yield Finding("conquest.inspire.impact", ok=True, text="It is of no use to its Impact Attacks.")
    if scene.declarations.actions_after == 0:
        yield Finding("conquest.inspire.wasted", ok=True, text=f"{name} has no action left to use it with: it is wasted.")
