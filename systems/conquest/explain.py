"""Rulings of single charges: refused, failed or completed, with findings, metrics, steps and evidence for figures."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely

from systems.conquest.attempt import (
    HOSTILE,
    Attempt,
    ChargeSearch,
    CompletedWheel,
    FaceResult,
    WheelOutcome,
    evidence_contacts,
)
from systems.conquest.conditions import (
    blocking_findings,
    distance_finding,
    no_room,
    path_findings,
    reached,
)
from systems.conquest.move import Mired
from systems.conquest.roll import range_metrics, roll_findings, roll_metrics, roll_steps
from systems.conquest.rules import RULES
from systems.conquest.scene import AREA, ChargedFacing, Scene
from systems.conquest.search import Choice
from systems.conquest.shown import clipped, few_digits, front, middle
from tabletop.budget import Proof, explains
from tabletop.errors import NoVerdictError
from tabletop.geometry.pose import Side
from tabletop.geometry.shape import Shape
from tabletop.messages import because, counted, listed, say, word
from tabletop.ruling.charge import Metric, Step
from tabletop.ruling.evidence import Angle, Evidence, Mark
from tabletop.ruling.finding import Finding, Taken, in_order
from tabletop.ruling.verdict import Ruling
from tabletop.table.facing import arc_names, arc_rays, off_dividing_line
from tabletop.units import CONTACT, facing_degrees

COMPLETED_BY = {
    "own": say("rotating until it is flush"),
    "turned": say("making the target rotate until it is flush"),
    "push": say("pushing others out of the way"),
    "touch": say("touching without being flush"),
}

NOT_COMPLETED = say("no means")
"""End of a wheel that does not complete."""

QUARTER = 90.0
"""Upper bound of a turn until flush, in degrees."""

AREAS = ("area_front", "area_right", "area_rear", "area_left")


def refused(search: ChargeSearch) -> Ruling:
    """Return the ruling of a charge that may not be declared, with the first limit that forbids it."""
    declaration = search.declaration
    broken = next(finding for finding in declaration.findings if not finding.ok)
    charger = declaration.scene.charger.name
    target = declaration.scene.target.name
    return Ruling(
        declaration.charge,
        "not_allowed",
        say(
            "{charger} may not declare a charge against {target}: {why}",
            charger=charger,
            target=target,
            why=broken.text,
        ),
        rule=broken.rule,
        findings=declaration.findings,
        metrics=range_metrics(declaration.measured),
        steps=(declaration.step,),
        choices=0,
        evidence=_evidence(search),
    )


@dataclass(frozen=True, eq=False)
class Reason:
    """Why a declared charge does not complete: the name of the broken rule, the findings that show it, and the strength
    of proof.
    """

    rule: str
    findings: tuple[Finding, ...] = ()
    proof: Proof = "tolerance"


def completed(attempt: Attempt, done: CompletedWheel) -> Ruling:
    """Return the ruling of a charge that completes, without its dice."""
    trial = done.trial
    scene = trial.scene
    contacts = evidence_contacts(done)
    stands = [
        counted(len(numbers), "stands of {unit}", unit=name) for name, numbers in contacts.items()
    ]
    ruling = _declared(attempt, trial.charged)
    told = {
        "charger": scene.charger.name,
        "side": trial.charged.label,
        "target": scene.target.name,
        "stands": listed(stands, " and "),
    }
    told["how"] = (
        "" if trial.kind == "own" else say(", completed by {fate}", fate=COMPLETED_BY[trial.kind])
    )
    summary = say("{charger} charges the {side} of {target}{how}: {stands} in contact.", **told)
    result = say("{stands} in contact{how}.", stands=told["stands"], how=told["how"])
    return replace(
        ruling,
        outcome="success",
        summary=summary,
        result=result,
        findings=in_order((*ruling.findings, reached(trial), *completed_findings(done)), RULES),
        metrics={**ruling.metrics, **completed_metrics(done)},
        steps=(*ruling.steps, *completed_steps(done)),
        choices=done.choice.choices,
        proof=done.choice.proof,
        evidence=replace(
            _evidence(attempt.search, trial.charged),
            facing_after=done.facing.ends,
            contacts=(trial.contact,),
            models_in_contact=contacts,
        ),
    )


def worse(attempt: Attempt, result: FaceResult) -> Ruling:
    """Return the ruling that the player's own wheel is not allowed because a better wheel exists."""
    own = result.own
    choice = result.search.choice
    assert own is not None and choice is not None  # noqa: S101, PT018
    rule = own.rule or "conquest.wheel.most-stands"
    ruling = _declared(attempt, own.charged)
    told: dict[str, Any] = {
        "corner": word(choice.wheel.side),
        "stands": counted(choice.worth.stands, "stands"),
    }
    told |= {
        "angle": math.degrees(choice.wheel.angle),
        "fate": COMPLETED_BY.get(choice.worth.kind, NOT_COMPLETED),
    }
    better = say(
        "A wheel of {angle:.4f} degrees about the {corner} front corner is better: it brings {stands} and completes "
        "the charge by {fate}.",
        **told,
    )
    most = choice.worth.stands
    lacks = say(
        "this wheel brings {stands}, {most} can reach",
        stands=counted(own.stands, "stands"),
        most=most,
    )
    if own.stands >= most:
        lacks = say(
            "a wheel of {angle:.2f}\N{DEGREE SIGN} completes in a better way",
            angle=math.degrees(choice.wheel.angle),
        )
    lines, fronts = (
        (front(one.scene.charger, one.at_contact),) for one in (own, result.chosen(choice))
    )
    mark = Mark(lacks, own.contact, lines=lines, fronts=fronts)
    fewer = Finding(
        rule,
        ok=False,
        text=better,
        measured=own.stands,
        limit=most,
        margin=own.stands - most,
        mark=mark,
    )
    found = blocking_findings(own) if own.rule else (fewer,)
    text = listed(
        dict.fromkeys((*(finding.text for finding in found if not finding.ok), better)), " "
    )
    return replace(
        ruling,
        outcome="not_allowed",
        summary=say(
            "The wheel that {charger} declares is not allowed: {text}",
            charger=own.scene.charger.name,
            text=text,
        ),
        rule=rule,
        findings=in_order((*ruling.findings, *found), RULES),
        metrics=range_metrics(attempt.roll.ranging),
        evidence=_evidence(attempt.search, own.charged),
    )


def no_side_reached(search: ChargeSearch) -> Reason:
    """Return the reason of a charge of which no wheel reaches a side that may be charged."""
    found = _unreached(search)
    return Reason(found.rule, (found, *_of_own_wheel(search, (found,))))


def no_wheel_completes(result: FaceResult) -> Reason:
    """Return why no wheel completes the charge: the rule that breaks the wheel chosen as if only charger and target
    existed.

    Raises
    ------
    NoVerdictError
        If that wheel completes the charge, although the search found none that does.
    """
    trial = result.free_wheel
    rule = trial.rule
    if rule is None:
        raise NoVerdictError(
            "the free wheel of {angle:.4f} degrees completes, but the search found no wheel that does",
            angle=math.degrees(trial.angle),
        )
    own = () if result.own is None else _of_own_wheel(result.charge, blocking_findings(result.own))
    return Reason(rule, (reached(trial), _free(trial), *blocking_findings(trial), *own))


def _wheel(degrees: float, corner: Side) -> str:
    """Return a wheel as words: its angle in degrees and the front corner."""
    return say(
        "{angle:.4f} degrees about the {corner} front corner", angle=degrees, corner=word(corner)
    )


def _free(trial: WheelOutcome) -> Finding:
    """Return the finding on the wheel that would be chosen if only charger and target existed: its angle in degrees and
    the greatest.
    """
    degrees = math.degrees(trial.angle)
    limit = trial.scene.book.wheel_limit_deg
    target = trial.scene.target.name
    wheel = _wheel(degrees, trial.side) if trial.angle > 0.0 else say("unnecessary")
    text = say(
        "No wheel completes the charge. If only {target} were on the table, the wheel would be {wheel}.",
        target=target,
        wheel=wheel,
    )
    return Finding(
        "conquest.wheel.free", limit - degrees >= -CONTACT, text, degrees, limit, limit - degrees
    )


def of_short_wheel(search: ChargeSearch) -> tuple[Finding, ...]:
    """Return the findings on what, beside its length, stops the player's own wheel, where the roll is too short for any
    wheel.
    """
    if search.scene.declarations.wheel is None:
        return ()
    own = None if search.tried is None else search.own(search.tried, math.inf)
    if own is None:
        return _of_own_wheel(search, (_unreached(search),))
    return _of_own_wheel(search, blocking_findings(own)) if own.worth is None else ()


def _of_own_wheel(search: ChargeSearch, found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return the findings `found`, reworded as what stops the player's own wheel; empty if the player declares none."""
    own = search.scene.declarations.wheel
    if own is None:
        return ()
    told = {"charger": search.scene.charger.name, "wheel": _wheel(own.angle_deg, own.pivot)}
    texts = [
        say(
            "The wheel that {charger} declares, {wheel}, cannot be made: {text}",
            text=finding.text,
            **told,
        )
        for finding in found
    ]
    return tuple(
        replace(finding, text=text, mark=None) for finding, text in zip(found, texts, strict=True)
    )


def failed(attempt: Attempt, reason: Reason) -> Ruling:
    """Return the ruling of a charge that fails without a wheel, with its failed move or the mired charger."""
    search = attempt.search
    charged = search.tried.charged if search.tried is not None else search.declaration.facings[0]
    ruling = _declared(attempt, charged)
    move = attempt.failed_move
    mired = attempt.mired
    findings = (*move.findings(), *(mired.findings() if mired else ()))
    metrics: dict[str, Metric] = (
        {"broken": len(mired.broken)} if mired else {"failed_move": move.length, "broken": 0}
    )
    found = (*ruling.findings, *reason.findings)
    broken = next(finding for finding in found if finding.rule == reason.rule)
    shown = _evidence(search, charged)
    moved = (
        say("it makes a failed move of {length:.2f} in", length=move.length)
        if move.length > CONTACT
        else say("it stays where it is")
    )
    after = say("it is mired") if mired else moved
    return replace(
        ruling,
        summary=say(
            "{charger} fails: {text} So {after}.",
            charger=search.scene.charger.name,
            text=broken.text,
            after=after,
        ),
        rule=reason.rule,
        findings=in_order((*found, *findings), RULES),
        metrics={**ruling.metrics, **metrics},
        steps=(*ruling.steps, mired.step if mired else move.step),
        proof=reason.proof,
        evidence=replace(shown, dimensions=(*shown.dimensions, *filter(None, (move.line,)))),
    )


def ended_in_friends(attempt: Attempt, done: CompletedWheel, mired: Mired) -> Ruling:
    """Return the ruling of a charge whose wheel ends in friends."""
    trial = done.trial
    ruling = _declared(attempt, trial.charged)
    found = (
        reached(trial),
        *wheel_findings(trial, done.choice),
        *path_findings(trial),
        distance_finding(trial),
        *mired.findings(),
    )
    return replace(
        ruling,
        summary=say(
            "{charger} cannot end clear of {friend}, which it crosses, and is mired.",
            charger=trial.scene.charger.name,
            friend=mired.meeting.friend.name,
        ),
        rule="conquest.through.clear",
        findings=in_order((*ruling.findings, *found), RULES),
        metrics={**ruling.metrics, **wheel_metrics(trial), "broken": len(mired.broken)},
        steps=(*ruling.steps, mired.step),
        proof=done.choice.proof,
        evidence=_evidence(attempt.search, trial.charged),
    )


def _declared(attempt: Attempt, charged: ChargedFacing) -> Ruling:
    """Return the fields that all rulings after a roll share; the outcome is "failed" and the summary empty, for callers
    to replace.
    """
    search = attempt.search
    declaration = search.declaration
    roll = attempt.roll
    areas = {
        f"area_{side.name}": side.area for side in declaration.facings if side.name is not None
    }
    facing: dict[str, Metric] = {"charged_facing": charged.name} if charged.name is not None else {}
    faces = search.faces(roll.kept)
    return Ruling(
        declaration.charge,
        "failed",
        "",
        shortest_roll=min(faces, default=None),
        chance_success=roll.ranging.chance_of(faces),
        findings=(
            *declaration.findings,
            *roll_findings(roll, search.scene.target.name),
            _charged(search, charged),
        ),
        metrics={
            **range_metrics(roll.ranging),
            **roll_metrics(roll),
            **dict(sorted(areas.items(), key=lambda one: AREAS.index(one[0]))),
            **facing,
            "charged_normal_deg": facing_degrees(charged.bearing),
        },
        steps=(declaration.step, *roll_steps(roll)),
        choices=0,
    )


def _charged(search: ChargeSearch, charged: ChargedFacing) -> Finding:
    """Return the finding on which side of the target is charged, with the area of the charger in its arc in square
    inches.
    """
    scene = search.scene
    first = search.declaration.facings[0]
    told = {
        "area": charged.area,
        "charger": scene.charger.name,
        "side": charged.label,
        "target": scene.target.name,
        "other": "",
    }
    if charged is not first and charged.facing != first.facing:
        told["other"] = say(
            "; the {side}, whose arc contains {area:.4f} square inches, cannot be reached by any wheel",
            side=first.label,
            area=first.area,
        )
    text = say(
        "{area:.4f} square inches of {charger} are in the arc of {target}'s {side}, so that side is charged{other}.",
        **told,
    )
    mark = _split(search, charged)
    return Finding(
        "conquest.facing.charged",
        ok=True,
        text=text,
        measured=charged.area,
        taken=_taken(search, charged),
        mark=mark,
    )


def _split(search: ChargeSearch, charged: ChargedFacing) -> Mark | None:
    """Return a mark of the charger's part in the arc of the charged side, with the area in the next arc; None if it is
    in one arc only.
    """
    scene, (first, second, *_) = search.scene, search.declaration.facings
    if second.area <= AREA or not explains():
        return None
    other = second if charged is first else first
    told = {
        "side": charged.label,
        "area": few_digits(charged.area),
        "other": other.label,
        "rest": few_digits(other.area),
    }
    words = say("{side} {area} sq in, {other} {rest} sq in", **told)
    if charged is not first:
        words = say("{side} {area} sq in; {other} {rest} sq in, out of reach", **told)
    body = scene.charger.boundary.core
    far = math.hypot(scene.state.board.width, scene.state.board.depth)
    ways = (
        (ray, (ray[0] + far * x, ray[1] + far * y)) for ray, (x, y) in arc_rays(scene.target.ring)
    )
    areas = (Shape(shapely.Polygon(charged.part)),)
    limits = tuple(filter(None, (clipped(way, body) for way in ways)))
    return Mark(words, middle(areas), limits=limits, areas=areas, is_for_point=True)


def _taken(search: ChargeSearch, charged: ChargedFacing) -> Taken:
    """Return the side charged, and the distance in inches of the charger's middle from the nearest line between arcs.

    A line through its middle halves the charger's area, so this distance decides if no third arc contains a part of the
    charger; else it is None.
    """
    scene, (first, second, *others) = search.scene, search.declaration.facings
    told = {
        "charger": scene.charger.name,
        "target": scene.target.name,
        "first": first.label,
        "second": second.label,
    }
    between = say(
        "the middle of {charger} and the line between the {first} and the {second} arc of {target}",
        **told,
    )
    if charged.name is None:
        between = say(
            "the middle of {charger} and the line between the arcs of the {first} and the {second} of {target}",
            **told,
        )
    is_halved = (
        charged is first and second.area > 0.0 and not any(side.area > 0.0 for side in others)
    )
    off = abs(
        off_dividing_line(
            scene.charger.pose.point(0.0, -scene.charger.depth / 2), first.facing, second.facing
        )
    )
    what = say("the {side} of {target}", side=charged.label, target=scene.target.name)
    return Taken(
        what,
        between,
        off if is_halved else None,
        None if charged.name else scene.corner_of(charged.facing),
    )


def _unreached(search: ChargeSearch) -> Finding:
    """Return the finding that no wheel brings a stand of the charger to the sides of the target."""
    charger = search.scene.charger.name
    target = search.scene.target.name
    text = say(
        "No wheel brings a stand of {charger} to the side of {target} that it must charge.",
        charger=charger,
        target=target,
    )
    limit = search.scene.book.wheel_limit_deg
    facing = search.declaration.facings[0].facing
    words = say("no wheel up to {limit:g}\N{DEGREE SIGN} brings a stand to this side", limit=limit)
    mark = Mark(words, facing.point(facing.length / 2), lines=(facing.ends,))
    return Finding(
        "conquest.facing.reach", ok=False, text=text, measured=0, limit=1, margin=-1, mark=mark
    )


def _evidence(search: ChargeSearch, charged: ChargedFacing | None = None) -> Evidence:
    """Return what figures show of every charge: arcs, line of sight, distance to the target, and the charged side if it
    is known.
    """
    if not explains():
        return Evidence()
    declaration = search.declaration
    target = search.scene.target
    x, y = target.shape.core.centroid.coords[0]
    sight, stop = declaration.shown_sight
    return Evidence(
        facing=charged.facing.ends if charged is not None else None,
        arc_rays=arc_rays(np.roll(target.ring, -2, axis=0)),
        arc_centre=(x, y),
        arc_names=arc_names(target.unit) if target.unit is not None else (),
        sight=sight,
        sight_stop=stop,
        dimensions=(declaration.measured.line,),
    )


# A charge that completes.


def completed_steps(done: CompletedWheel) -> Iterator[Step]:
    """Yield the steps of a completed charge: wheel, advance, pushes, and the turn of charger or target.

    A wheel or a turn by 0 is left out.
    """
    trial = done.trial
    scene = done.trial.scene
    charger = scene.charger
    target = scene.target
    turn = math.degrees(abs(trial.turn))
    if trial.angle > 0.0:
        told = {
            "charger": charger.name,
            "angle": math.degrees(trial.angle),
            "corner": word(trial.side),
        }
        text = say("{charger} wheels {angle:.2f} degrees about its {corner} front corner.", **told)
        yield Step(
            "wheel", charger.name, charger.pose, trial.wheeled, None, trial.wheel, trial.pivot,
            ("conquest.wheel.free", "conquest.wheel.most-stands", "conquest.wheel.policy"), text,
        )  # fmt: skip
    told = {"charger": charger.name, "way": trial.way, "target": target.name}
    text = say("{charger} moves {way:.2f} in straight ahead until it touches {target}.", **told)
    yield Step(
        "advance",
        charger.name,
        trial.wheeled,
        trial.at_contact,
        trial.way,
        rules=("conquest.move.straight", "conquest.stop"),
        text=text,
    )
    for name, pose in trial.pushed.items():
        start = scene.state.units[name].pose
        away = math.dist(start.at, pose.at)
        text = say("{name} is pushed {away:.2f} in out of the way.", name=name, away=away)
        yield Step("push", name, start, pose, away, rules=("conquest.push",), text=text)
    if trial.end != trial.at_contact:
        text = say(
            "{charger} turns {angle:.2f} degrees about the point of contact until it is flush.",
            charger=charger.name,
            angle=turn,
        )
        yield Step(
            "align",
            charger.name,
            trial.at_contact,
            trial.end,
            None,
            trial.turn,
            trial.contact,
            ("conquest.align.flush",),
            text,
        )
    if trial.kind == "turned" and target.unit is not None:
        text = say(
            "{target} turns {angle:.2f} degrees about the point of contact, because the charger cannot.",
            target=target.name,
            angle=turn,
        )
        rules = ("conquest.align.target-wheels",)
        yield Step(
            "target_wheel",
            target.name,
            target.unit.pose,
            trial.target_end,
            None,
            -trial.turn,
            trial.contact,
            rules,
            text,
        )


def completed_metrics(done: CompletedWheel) -> dict[str, Metric]:
    """Return the metrics of a completed charge by name: angles in degrees, lengths in inches, numbers of stands and
    regiments.
    """
    trial = done.trial
    turns: dict[str, Metric] = {
        "own": {"align_deg": trial.turn},
        "push": {"align_deg": trial.turn},
        "turned": {"target_wheel_deg": -trial.turn},
    }
    target = (
        {"target_stands_in_contact": len(done.target_in_contact)}
        if trial.scene.target.unit is not None
        else {}
    )
    nearest = {} if done.nearest_other is None else {"nearest_other": done.nearest_other[0]}
    return {
        **wheel_metrics(trial),
        **{key: math.degrees(turn) + 0.0 for key, turn in turns.get(trial.kind, {}).items()},
        "contact_length": trial.length,
        "charger_stands_in_contact": len(done.charger_in_contact),
        **target,
        "pushed": len(trial.pushed),
        "push_distance": done.push_distance,
        **nearest,
        "broken": 0,
        "inspired": 1,
        "inspire_wasted": int(trial.scene.declarations.actions_after == 0),
    }


def wheel_metrics(trial: WheelOutcome) -> dict[str, Metric]:
    """Return the metrics of wheel and advance by name: stands that reach, the wheel in degrees, the advance in
    inches.
    """
    return {
        "stands_reaching": trial.stands,
        "wheel_deg": math.degrees(trial.wheel),
        "advance": trial.way,
    }


def completed_findings(done: CompletedWheel) -> tuple[Finding, ...]:
    """Return all findings on a completed charge from its wheel on: path, contact, and where it ends."""
    trial = done.trial
    charger = done.trial.scene.charger.name
    target = done.trial.scene.target.name
    way = say("{charger} moves {way:.4f} in straight ahead.", charger=charger, way=trial.way)
    stop = say(
        "{charger} stops at its first contact with {target}, on the {side} of {target}.",
        charger=charger,
        target=target,
        side=trial.charged.label,
    )
    contact = say(
        "{charger} is in contact with {target} because its charge was completed.",
        charger=charger,
        target=target,
    )
    through = clear = say("{charger} crosses no friends.", charger=charger)
    if done.crossed:
        friends = listed(done.crossed, ", ")
        through = say("{charger} crosses {friends}.", charger=charger, friends=friends)
        clear = say(
            "{charger} crosses {friends} and overlaps none of them at the end.",
            charger=charger,
            friends=friends,
        )
    return (
        *wheel_findings(
            trial, done.choice, None if trial.kind == "touch" else _served(done), _preferred(done)
        ),
        *path_findings(trial),
        Finding("conquest.move.straight", ok=True, text=way, measured=trial.way),
        distance_finding(trial),
        *_near(done),
        Finding("conquest.through.friends", ok=True, text=through),
        Finding("conquest.stop", ok=True, text=stop),
        *_aligned(done),
        Finding("conquest.through.clear", ok=True, text=clear),
        Finding("conquest.contact.only-by-charge", ok=True, text=contact),
        *_inspire(done),
    )


def wheel_findings(
    trial: WheelOutcome, choice: Choice, mark: Mark | None = None, preferred: Mark | None = None
) -> tuple[Finding, ...]:
    """Return the findings that decide the wheel: its angle, the stands that reach, and the policy.

    `mark` is drawn for the stands, `preferred` for the policy.
    """
    scene = trial.scene
    degrees = math.degrees(trial.angle)
    limit = scene.book.wheel_limit_deg
    charger = scene.charger.name
    free = say(
        "{charger} wheels once, by {angle:.4f} degrees; up to {limit:g} are allowed.",
        charger=charger,
        angle=degrees,
        limit=limit,
    )
    if trial.angle == 0.0:
        free = say(
            "{charger} does not wheel; a wheel of up to {limit:g} degrees is allowed.",
            charger=charger,
            limit=limit,
        )
    return (
        Finding(
            "conquest.wheel.free",
            limit - degrees >= -CONTACT,
            free,
            degrees,
            limit,
            limit - degrees,
        ),
        Finding(
            "conquest.wheel.most-stands",
            ok=True,
            text=_reaching(trial, choice.worth.stands),
            measured=trial.stands,
            mark=mark,
        ),
        Finding("conquest.wheel.policy", ok=True, text=_policy(trial, choice), mark=preferred),
    )


def _preferred(done: CompletedWheel) -> Mark | None:
    """Return a mark of the contact with its length and the wheel that was preferred; None without a wheel or a length
    of contact.
    """
    trial = done.trial
    scene = done.trial.scene
    facing = done.facing
    if trial.angle == 0.0 or trial.length <= CONTACT:
        return None
    words = say("{length} in of contact", length=few_digits(trial.length))
    if scene.declarations.wheel is None and scene.choices.wheel_policy == "most-contact":
        words = say("longest contact: {length} in", length=few_digits(trial.length))
    low, high = _along(done)
    at = facing.point((low + high) / 2, scene.charger.depth)
    return Mark(
        words,
        at,
        lines=((facing.point(low), facing.point(high)),),
        stage="after",
        is_for_point=True,
    )


def _along(done: CompletedWheel) -> tuple[float, float]:
    """Return where on the charged side, in inches from its origin, the charger's front begins and ends."""
    ends = [
        done.facing.coordinates(end)[0] for end in front(done.trial.scene.charger, done.trial.end)
    ]
    return max(min(ends), 0.0), min(max(ends), done.facing.length)


def _served(done: CompletedWheel) -> Mark:
    """Return a mark along the contact with the number of stands that reach and the value that the policy compares.

    Its label is placed behind the target.
    """
    trial = done.trial
    scene = done.trial.scene
    facing = done.facing
    label = trial.charged.label
    target = scene.target.name
    charger = scene.charger.name
    side = (
        say("the {side} of {target}", side=label, target=target) if trial.charged.name else target
    )
    stands = counted(trial.stands, "stands")
    words = say("{stands} of {charger} reach {side}", stands=stands, charger=charger, side=side)
    if trial.stands == 1:
        words = say(
            "{stands} of {charger} reaches {side}", stands=stands, charger=charger, side=side
        )
    wheel = say("wheel {angle}\N{DEGREE SIGN}", angle=few_digits(math.degrees(trial.angle)))
    if scene.declarations.wheel is not None:
        words += say(", own {wheel}", wheel=wheel)
    elif scene.choices.wheel_policy == "most-contact" and trial.length > CONTACT:
        words += say(", {length} in of contact", length=few_digits(trial.length))
    elif scene.choices.wheel_policy != "most-contact" and trial.angle > 0.0:
        words += (
            say(", least {wheel}", wheel=wheel)
            if scene.choices.wheel_policy == "least-turn"
            else say(", widest {wheel}", wheel=wheel)
        )
    low, high = _along(done)
    behind = min(facing.coordinates(corner)[1] for corner in done.target_body.outline().tolist())
    lines = ((facing.point(low), facing.point(high)),) if trial.length > CONTACT else ()
    models = {charger: evidence_contacts(done)[charger]}
    return Mark(
        words, facing.point((low + high) / 2, behind), lines=lines, stage="after", models=models
    )


def stands_reach(count: int) -> str:
    """Return the number of front stands that reach as words, such as "3 front stands reach"."""
    return (
        say("1 front stand reaches")
        if count == 1
        else say("{count} front stands reach", count=count)
    )


def _reaching(trial: WheelOutcome, most: int) -> str:
    """Return the sentence that says how many stands reach, why no more do, and after a wheel how the charge completes.

    `most` is the number of stands that the best wheel brings.
    """
    charger = trial.scene.charger
    is_told = trial.kind in COMPLETED_BY and (trial.kind != "own" or trial.end != trial.at_contact)
    told = {
        "reach": stands_reach(trial.stands),
        "side": trial.charged.label,
        "target": trial.scene.target.name,
    }
    reach = say("{reach} the {side} of {target}", **told)
    best = say("no wheel that completes the charge equally well brings more stands")
    end = (
        say(
            "; {charger} completes the charge by {fate}",
            charger=charger.name,
            fate=COMPLETED_BY[trial.kind],
        )
        if is_told
        else ""
    )
    if trial.angle == 0.0:
        reach = say("Without a wheel, {reach} the {side} of {target}", **told)
        best = (
            say("no wheel brings more stands")
            if trial.stands == charger.files
            else say("no wheel is better")
        )
        end = ""
    if trial.stands < most:
        best = say("another wheel brings {most} stands", most=most)
    return because(reach, say("{best}{end}.", best=best, end=end))


def _policy(trial: WheelOutcome, choice: Choice) -> str:
    """Return the sentence that says which of equally good wheels `wheel_policy` chooses, and the player's own if that
    is another.
    """
    takes = {
        "most-contact": say("the longest contact"),
        "least-turn": say("the smallest wheel"),
        "widest-turn": say("the widest wheel"),
    }
    policy = trial.scene.choices.wheel_policy
    best = choice.wheel
    which = takes[policy]
    if abs(best.angle - trial.angle) <= CONTACT and best.side == trial.side:
        length = trial.length
        return say(
            "Among equally good wheels {which} is chosen; here the contact is {length:.4f} in long.",
            which=which,
            length=length,
        )
    return say(
        "Among equally good wheels {which} is chosen if the player declares none; that would be {angle:.4f} degrees "
        "about the {corner} front corner. The wheel that the player declared is as good.",
        which=which,
        angle=math.degrees(best.angle),
        corner=word(best.side),
    )


def _near(done: CompletedWheel) -> tuple[Finding, ...]:
    """Return the findings on the gaps, in inches, between the charger's end and other regiments and terrain."""
    scene = done.trial.scene
    near = scene.book.near_gap
    limit = scene.choices.clearance
    others = min(done.gaps(HOSTILE), default=None)
    text = say("There is no other regiment or terrain near {charger}.", charger=scene.charger.name)
    if done.nearest_other is not None:
        least, name = done.nearest_other
        text = say(
            "{charger} ends {least:.4f} in from {name}; a charge may end within {near:g} in of others.",
            charger=scene.charger.name,
            least=abs(least),
            name=name,
            near=near,
        )
    inch = Finding(
        "conquest.near.inch",
        ok=True,
        text=text,
        measured=done.nearest_other[0] if done.nearest_other else None,
    )
    if others is None:
        return inch, Finding(
            "conquest.near.no-contact",
            ok=True,
            text=say("There is no enemy or garrison other than the target."),
        )
    least, name = others
    text = say(
        "{charger} ends {least:.4f} in from {name}, which it did not charge.",
        charger=scene.charger.name,
        least=abs(least),
        name=name,
    )
    return inch, Finding(
        "conquest.near.no-contact", least - limit >= -CONTACT, text, least, limit, least - limit
    )


def _aligned(done: CompletedWheel) -> Iterator[Finding]:
    """Yield the findings on how charger or target ends flush, on a corner that is touched, and on pushed regiments."""
    trial = done.trial
    side = done.trial.charged.label
    flush = "conquest.align.flush"
    charger = trial.scene.charger.name
    target = trial.scene.target.name
    degrees = math.degrees(abs(trial.turn))
    if trial.kind == "touch":
        stays = say("{charger} stays where it touched {target}.", charger=charger, target=target)
        yield Finding(
            flush,
            ok=True,
            text=because(say("Neither regiment can turn flush"), stays),
            mark=no_room(trial, "after"),
        )
    elif trial.kind == "turned":
        text = say(
            "{charger} has no room to turn {angle:.4f} degrees itself.",
            charger=charger,
            angle=degrees,
        )
        yield Finding(flush, ok=True, text=text, measured=degrees, mark=no_room(trial, "after"))
        text = say(
            "{target} turns {angle:.4f} degrees about the point of contact, and is flush.",
            target=target,
            angle=degrees,
        )
        yield Finding("conquest.align.target-wheels", ok=True, text=text, measured=degrees)
    else:
        told = {"charger": charger, "angle": degrees, "side": side, "target": target}
        text = say(
            "{charger} turns {angle:.4f} degrees about the point of contact, and is flush on the {side} of {target}.",
            **told,
        )
        if degrees == 0.0:
            text = say(
                "{charger} is already flush with the {side} of {target}, without turning.",
                charger=charger,
                side=side,
                target=target,
            )
        yield Finding(
            flush,
            degrees <= QUARTER,
            text,
            degrees,
            QUARTER,
            QUARTER - degrees,
            mark=_turned(trial),
        )
    along = float(trial.fan.along[0])
    if trial.turn != 0.0 and min(along, trial.charged.facing.length - along) <= CONTACT:
        text = say(
            "{charger} touches a corner of {target}; the side that counts as charged is the {side}.",
            charger=charger,
            target=target,
            side=side,
        )
        yield Finding("conquest.facing.corner", ok=True, text=text)
    if trial.kind == "push":
        names = listed(trial.pushed, ", ")
        length = done.push_distance
        without = (
            "{names} must be pushed aside to make contact possible, {length:.4f} in in total: the shortest push for "
            "which there is room."
        )
        text = say(without, names=names, length=length)
        lines = {
            name: (trial.scene.state.units[name].pose.at, pose.at)
            for name, pose in trial.pushed.items()
        }
        pushes = (
            say("{name} {length} in", name=name, length=few_digits(math.dist(*way)))
            for name, way in lines.items()
        )
        words = say("pushed {pushes}: the least", pushes=listed(pushes, ", "))
        ways = tuple(lines.values())
        yield Finding(
            "conquest.push",
            ok=True,
            text=text,
            measured=length,
            mark=Mark(words, ways[0][1], lines=ways, stage="after"),
        )
        yield Finding(
            "conquest.push.room",
            ok=True,
            text=say("There is a free place for {names}.", names=names),
        )


def _turned(trial: WheelOutcome) -> Mark | None:
    """Return a mark of the charger's turn about the point of contact; None if it does not turn."""
    if trial.turn == 0.0:
        return None
    x, y = trial.contact
    far_x, far_y = max(
        front(trial.scene.charger, trial.at_contact), key=lambda end: math.dist(end, trial.contact)
    )
    angle = few_digits(math.degrees(abs(trial.turn)))
    turn = Angle(trial.contact, math.atan2(far_y - y, far_x - x), trial.turn, angle)
    return Mark(
        say("turns {angle}\N{DEGREE SIGN} about P", angle=angle),
        trial.contact,
        angles=(turn,),
        is_for_point=True,
    )


def _inspire(done: CompletedWheel) -> Iterator[Finding]:
    """Yield the findings on the free Inspire of a completed charge."""
    scene = done.trial.scene
    name = scene.charger.name
    yield Finding(
        "conquest.inspire",
        ok=True,
        text=say(
            "{name} is Inspired without spending an action, because its charge was completed.",
            name=name,
        ),
    )
    if scene.profile.impact:
        yield Finding(
            "conquest.inspire.impact",
            ok=True,
            text=say("Being Inspired does not improve {name}'s Impact Attacks.", name=name),
        )
    if scene.declarations.actions_after == 0:
        yield Finding(
            "conquest.inspire.wasted",
            ok=True,
            text=say(
                "{name} has no action left in which to use the Inspire, so it is wasted.", name=name
            ),
            mark=_wasted(scene),
        )


def _wasted(scene: Scene) -> Mark:
    """Return a mark of the March before the charge, at the charger's rear, or of the charger if it did not march."""
    charger = scene.charger
    marched = scene.declarations.marched
    words = say("0 actions left: Inspire wasted")
    if marched == 0.0:
        return Mark(words, charger.centre, is_for_point=True, is_met=False)
    rear = charger.pose.advanced(-charger.depth)
    half = charger.width / 2
    way = (rear.advanced(-marched).at, rear.at)
    words = say("{length} in marched, 0 actions left: Inspire wasted", length=few_digits(marched))
    return Mark(
        words, rear.point(half / 2, -marched / 2), lines=(way,), is_for_point=True, is_met=False
    )
