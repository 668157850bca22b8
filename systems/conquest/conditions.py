"""Findings on the path of a charge: its gaps to everything that it must keep clear of, what stops it, and where."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from systems.conquest.attempt import WheelOutcome, mired_charge
from systems.conquest.move import Leg, Legs, least_gaps, swept
from systems.conquest.scene import overlap_hazards
from systems.conquest.shown import (
    RING,
    SMALL_GAP,
    body_of,
    clipped,
    few_digits,
    front,
    middle,
    nearest,
    overlap_areas,
    ring,
    shared,
)
from tabletop.budget import explains
from tabletop.fronts.obstacle import BOARD_EDGE, Clearance, ConvexObstacle
from tabletop.geometry.convex import ring_gap, stack_padded
from tabletop.geometry.distance import closest
from tabletop.geometry.shape import Shape, disc
from tabletop.messages import because, listed, say
from tabletop.ruling.evidence import Mark, Stage
from tabletop.ruling.finding import Finding, room_needed
from tabletop.units import CONTACT

PATHS = {
    "conquest.path.enemy": say("enemy other than the target"),
    "conquest.path.garrison": say("garrison other than the target"),
    "conquest.path.impassable": say("impassable terrain"),
    "conquest.path.friend": say("friend in contact with an enemy"),
    "conquest.path.board": say("edge of the board"),
}

PATH_RULES = tuple(PATHS)


def path_findings(trial: WheelOutcome) -> tuple[Finding, ...]:
    """Return the findings on the least gaps of wheel, advance and alignment: one per kind of hazard, and one on wheel
    and target.

    The charger's turn at the end counts only with the choice `align_sweep` = "whole"; regiments that are pushed do not
    count.
    """
    scene = trial.scene
    target = ConvexObstacle(scene.target.ring, scene.choices.clearance, scene.target.name)
    legs = (
        (*trial.charge_legs, *trial.align_legs)
        if scene.choices.align_sweep == "whole"
        else trial.charge_legs
    )
    hazards = [hazard for hazard in scene.hazards if hazard.name not in trial.pushed]
    near = _near(
        legs,
        hazards,
        np.array([PATH_RULES.index(scene.rule_of(hazard)) for hazard in hazards], dtype=np.intp),
    )
    gaps = least_gaps(legs, [*near, target])
    found = [
        (scene.rule_of(hazard), Clearance(gap, hazard))
        for gap, hazard in zip(gaps.min(axis=0).tolist(), near, strict=False)
    ]
    nearest = {
        rule: min(
            (one for of, one in found if of == rule), key=lambda one: one.margin, default=None
        )
        for rule in PATHS
    }
    return (
        *(_kept(rule, PATHS[rule], nearest[rule], legs) for rule in PATHS),
        _wheel_finding(trial, Clearance(float(gaps[0, -1]), target)),
    )


def _near(
    legs: Legs, hazards: Sequence[ConvexObstacle], groups: NDArray[np.intp]
) -> list[ConvexObstacle]:
    """Return the hazards that may be the nearest of their group to a path of legs.

    A bound on how far any point moves on a leg excludes the others. `groups` (m,) is the index of each hazard's rule in
    PATH_RULES.
    """
    if not hazards:
        return []
    rings = stack_padded([hazard.ring for hazard in hazards])
    needed = np.array([hazard.needed for hazard in hazards])
    starts = ring_gap(np.stack([leg.body for leg in legs])[:, None], rings) - needed
    least = np.full(len(PATHS), np.inf)
    np.minimum.at(least, groups, starts.min(axis=0))
    may_be = (starts - np.array([[leg.extent] for leg in legs]) <= least[groups]).any(axis=0)
    return [hazards[number] for number in np.flatnonzero(may_be).tolist()]


def _kept(rule: str, kind: str, nearest: Clearance | None, legs: Legs) -> Finding:
    """Return the finding on the gap of a path of legs to the nearest obstacle of a kind; fulfilled if there is none."""
    charger = legs[0].unit.name
    if nearest is None:
        return Finding(
            rule,
            ok=True,
            text=say("There is no {kind} near {charger}'s path.", kind=kind, charger=charger),
        )
    found = kept(rule, nearest, charger=charger)
    return replace(found, mark=_passed(legs, nearest)) if found.ok and explains() else found


def _passed(legs: Legs, nearest: Clearance) -> Mark | None:
    """Return a mark of the gap that a straight part of a path leaves to an obstacle; None if there is none, or a turn
    comes nearer.
    """
    hazard = nearest.hazard
    tight = [
        leg
        for leg in legs
        if leg.pivot is None and float(least_gaps((leg,), [hazard])[0, 0]) <= nearest.gap + CONTACT
    ]
    if not tight or nearest.gap <= CONTACT or len(hazard.ring) == 1:
        return None
    way = closest(Shape(swept(tight[:1])), Shape(body_of(hazard)))
    words = say("{gap} in past {hazard}", gap=few_digits(nearest.gap), hazard=hazard.name)
    return Mark(words, way.far, lines=((way.near, way.far),), is_for_point=True)


def kept(rule: str, nearest: Clearance, *, charger: str) -> Finding:
    """Return the finding on the gap of a charger's path to an obstacle: fulfilled if it is not less than the gap
    needed.
    """
    hazard = nearest.hazard
    margin = nearest.margin
    told = {"charger": charger, "gap": abs(nearest.gap), "hazard": hazard.name}
    text = say(
        "{charger}'s path passes {gap:.4f} in from {hazard}{needed}.",
        needed=room_needed(hazard.needed) if nearest.gap < SMALL_GAP else "",
        **told,
    )
    if nearest.gap < -CONTACT:
        text = say(
            "{charger}'s path overlaps {hazard} by {gap:.4f} in; it must keep clear.", **told
        )
    return Finding(rule, margin >= -CONTACT, text, nearest.gap, hazard.needed, margin)


def _wheel_finding(trial: WheelOutcome, nearest: Clearance) -> Finding:
    """Return the finding on the least gap, in inches, between the charger and the target during the wheel alone."""
    rule = "conquest.path.target"
    if trial.angle == 0.0:
        return Finding(
            rule,
            ok=True,
            text=say(
                "{charger} does not wheel, so its wheel cannot touch {target}.",
                charger=trial.scene.charger.name,
                target=trial.scene.target.name,
            ),
        )
    return kept(rule, nearest, charger=trial.scene.charger.name)


def broken_path(trial: WheelOutcome, hazard: ConvexObstacle) -> Finding:
    """Return the finding on a blocked wheel: the least gap, in inches, to the first obstacle in the way; negative if
    overlapped.

    Its sentence says how far along the path the obstacle is met.
    """
    rule = trial.scene.rule_of(hazard)
    legs = trial.charge_legs
    least = least_gaps(legs[:1] if rule == "conquest.path.target" else legs, [hazard])
    found = kept(rule, Clearance(float(least.min()), hazard), charger=trial.scene.charger.name)
    leg, met = _met(trial, hazard)
    if met is None or float(least.min()) >= -CONTACT:
        return found
    told: dict[str, Any] = {"charger": trial.scene.charger.name, "hazard": hazard.name}
    if leg.pivot is None:
        told |= {"free": met, "whole": leg.amount}
        text = say(
            "{charger}'s straight move of {whole:.4f} in runs into {hazard} after {free:.4f} in.",
            **told,
        )
    else:
        told |= {"free": math.degrees(met), "whole": math.degrees(abs(leg.amount))}
        text = say(
            "{charger}'s wheel of {whole:.4f} degrees runs into {hazard} after {free:.4f} degrees.",
            **told,
        )
    return replace(found, text=text)


def _met(trial: WheelOutcome, hazard: ConvexObstacle) -> tuple[Leg, float | None]:
    """Return the leg of a charge that first meets an obstacle, and how far along it does; the last leg and None if none
    does.
    """
    legs = trial.charge_legs[:1] if trial.angle > trial.corner.limit.farthest else trial.charge_legs
    return next(
        ((leg, met) for leg in legs if (met := leg.meets(hazard)) is not None), (legs[-1], None)
    )


# What stops a wheel, with marks of the place.


def reached(trial: WheelOutcome) -> Finding:
    """Return the finding that some wheel brings a stand of the charger to the charged facing; it is always
    fulfilled.
    """
    text = say(
        "At least one wheel brings a stand of {charger} to the {side} of {target}.",
        side=trial.charged.label,
        charger=trial.scene.charger.name,
        target=trial.scene.target.name,
    )
    return Finding("conquest.facing.reach", ok=True, text=text)


def distance_finding(trial: WheelOutcome) -> Finding:
    """Return the finding whether the straight move is at most the Charge Distance, in inches.

    If it is too long, marks show the missing length and where the front would stop.
    """
    rule = "conquest.move.charge-distance"
    margin = trial.most - trial.way
    told = {"way": trial.way, "most": trial.most}
    if not math.isfinite(trial.most):
        text = say("The Charge Roll is enough, so the length of the straight move is not limited.")
        return Finding(rule, ok=True, text=text, measured=trial.way)
    text = say("The straight move needs {way:.4f} in; the Charge Distance is {most:g} in.", **told)
    if margin >= -CONTACT:
        return Finding(
            rule, ok=True, text=text, measured=trial.way, limit=trial.most, margin=margin
        )
    contact = trial.contact
    end = trial.wheeled.advanced(trial.most)
    along = trial.at_contact.local(contact)[0]
    start = trial.wheeled.point(along, 0.0)
    stop = end.point(along, 0.0)
    lengths = {
        "length": few_digits(-margin),
        **{name: few_digits(length) for name, length in told.items()},
    }
    words = say("{length} in short: {way} in to go, {most} in allowed", **lengths)
    fronts = (front(trial.scene.charger, end),)
    mark = Mark(words, stop, ((stop, contact),), ((start, stop),), fronts, ring(stop, contact))
    return Finding(
        rule, ok=False, text=text, measured=trial.way, limit=trial.most, margin=margin, mark=mark
    )


def blocking_findings(trial: WheelOutcome) -> tuple[Finding, ...]:
    """Return the findings on what stops a wheel that does not complete the charge.

    That is a hazard in the way, a straight move that is too long, a side that is missed, friends, or no room to turn
    flush.
    """
    if trial.kind == "blocked" and trial.stopped_by is not None:
        found = broken_path(trial, trial.stopped_by)
        return (
            replace(found, mark=_blocked(trial, trial.stopped_by, found) if explains() else None),
        )
    if trial.kind == "too-far":
        return (*path_findings(trial), distance_finding(trial))
    if trial.kind == "misses":
        return (_missed(trial),)
    if trial.kind == "mired":
        return tuple(finding for finding in mired_charge(trial).findings() if not finding.ok)
    return _no_turn(trial)


def _blocked(trial: WheelOutcome, hazard: ConvexObstacle, found: Finding) -> Mark:
    """Return a mark of the part of a hazard in the way, of the front where it must stop, and of how much of the move is
    free.
    """
    legs = trial.charge_legs[:1] if trial.angle > trial.corner.limit.farthest else trial.charge_legs
    what = say("{name} in the way", name=hazard.name)
    region = swept(legs)
    margin = found.margin or 0.0
    if hazard.name == BOARD_EDGE:
        what = say("off the board")
    elif hazard.name == trial.scene.target.name:
        what = say("the wheel runs into {name}", name=hazard.name)
    elif hazard.name in {unit.name for unit in trial.scene.uncrossable}:
        what = say("{name}, held, in the way", name=hazard.name)
    areas = overlap_areas(region, [hazard]) or (disc(nearest(region, hazard), RING),)
    leg, met = _met(trial, hazard)
    if met is None or abs(margin) < SMALL_GAP:
        return Mark(
            say("{what} by {length} in", what=what, length=few_digits(abs(margin))),
            middle(areas),
            areas=areas,
        )
    if leg.pivot is None:
        free = say("{free} of {whole} in free", free=few_digits(met), whole=few_digits(leg.amount))
    else:
        turns = {
            "free": few_digits(math.degrees(met)),
            "whole": few_digits(math.degrees(abs(leg.amount))),
        }
        free = say("{free}\N{DEGREE SIGN} of {whole}\N{DEGREE SIGN} free", **turns)
    fronts = (front(trial.scene.charger, leg.at(met)),)
    return Mark(
        say("{what}: {free}", what=what, free=free), middle(areas), fronts=fronts, areas=areas
    )


def _missed(trial: WheelOutcome) -> Finding:
    """Return the finding that after the wheel the front misses the charged side, with marks of that side and the lines
    straight ahead.
    """
    facing = trial.charged.facing
    charger = trial.scene.charger
    target = trial.scene.target.name
    text = say(
        "After that wheel {charger}'s front does not reach the {side} of {target}.",
        charger=trial.scene.charger.name,
        side=trial.charged.label,
        target=target,
    )
    centre = facing.point(facing.length / 2)
    pose = trial.wheeled
    ahead = max(math.dist(pose.at, centre), charger.depth)
    half = charger.width / 2
    sides = tuple((pose.point(side, 0.0), pose.point(side, ahead)) for side in (-half, half))
    words = say("after this wheel the front goes past this side of {target}", target=target)
    mark = Mark(words, centre, lines=(facing.ends,), limits=sides)
    return Finding(
        "conquest.facing.reach",
        ok=False,
        text=text,
        measured=trial.stands,
        limit=1,
        margin=trial.stands - 1,
        mark=mark,
    )


def _no_turn(trial: WheelOutcome) -> tuple[Finding, ...]:
    """Return the findings that neither charger nor target can turn flush.

    They name the tightest obstacle and the length that is missing beside it, or the enemy that has no place to be
    pushed to.
    """
    degrees = math.degrees(abs(trial.turn))
    names = {"charger": trial.scene.charger.name, "target": trial.scene.target.name}
    text = say(
        "Neither {charger} nor {target} has room to turn {angle:.4f} degrees about the point of contact",
        angle=degrees,
        **names,
    )
    flush = Finding(
        "conquest.align.flush", ok=False, text=say("{sentence}.", sentence=text), measured=degrees
    )
    if (short := _least_short(trial)) is not None:
        unit, nearest = short
        told = {"unit": unit, "short": -nearest.margin, "other": nearest.hazard.name}
        text = because(
            text, say("{unit} lacks at least {short:.4f} in of room beside {other}.", **told)
        )
        flush = replace(
            flush,
            text=text,
            measured=nearest.gap,
            limit=nearest.hazard.needed,
            margin=nearest.margin,
        )
    if trial.alignment.needs_push[0]:
        text = say(
            "{charger} can be flush with {target} only if enemies in its way are pushed.", **names
        )
        return (replace(flush, text=text), _no_push(trial))
    return (replace(flush, mark=no_room(trial, "before")),)


def _turns_until_flush(trial: WheelOutcome) -> Iterator[tuple[Leg, list[ConvexObstacle]]]:
    """Yield the charger's turn until it is flush, then the target's unless that one is possible, each with the hazards
    it may meet.
    """
    scene = trial.scene
    target = trial.scene.target.unit
    friends = overlap_hazards(scene.crossable)
    yield (
        Leg(scene.charger, trial.at_contact, trial.turn, pivot=trial.contact),
        [*scene.hazards, *friends],
    )
    if target is not None and trial.kind != "turned":
        around = [*overlap_hazards((*scene.enemies, *scene.uncrossable)), *friends, *scene.solid]
        yield Leg(target, target.pose, -trial.turn, pivot=trial.contact), around


def _least_short(trial: WheelOutcome) -> tuple[str, Clearance] | None:
    """Return which of charger and target lacks least room to turn flush, and its gap to what is in the way; None if
    nothing is.

    Other enemies count only if nothing else blocks the turn.
    """
    scene = trial.scene
    found = list[tuple[str, Clearance]]()
    for leg, hazards in _turns_until_flush(trial):
        turn = (
            leg
            if scene.choices.align_sweep == "whole"
            else replace(leg, start=leg.at(abs(leg.amount)), amount=0.0)
        )
        ways = [
            Clearance(gap, hazard)
            for gap, hazard in zip(
                least_gaps((turn,), hazards).min(axis=0).tolist(), hazards, strict=True
            )
        ]
        barring = [way for way in ways if way.margin < -CONTACT]
        firm = [
            way for way in barring if way.hazard.name not in {enemy.name for enemy in scene.enemies}
        ]
        found += (
            [(leg.unit.name, min(firm or barring, key=lambda way: way.margin))] if barring else []
        )
    return max(found, key=lambda way: way[1].margin, default=None)


def no_room(trial: WheelOutcome, stage: Stage) -> Mark | None:
    """Return a mark of what is in the way of the turns until flush, and of the fronts before and after the charger's
    turn.

    The target's turn is included if that is not possible either. None if the budget asks for no explanations.
    """
    if not explains():
        return None
    charger = trial.scene.charger
    contact = trial.contact
    turns = list(_turns_until_flush(trial))
    is_whole = trial.scene.choices.align_sweep == "whole"
    regions = [swept((leg,)) if is_whole else leg.frame(abs(leg.amount)) for leg, _ in turns]
    areas = [
        area
        for region, (_, hazards) in zip(regions, turns, strict=True)
        for area in overlap_areas(region, hazards)
    ]
    angle = few_digits(math.degrees(abs(trial.turn)))
    names = [leg.unit.name for leg, _ in turns]
    words = say(
        "no room for {names} to turn {angle}\N{DEGREE SIGN}",
        names=listed(names, " or "),
        angle=angle,
    )
    fronts = (
        front(charger, trial.at_contact),
        front(charger, trial.at_contact.turned_about(contact, trial.turn)),
    )
    return Mark(
        words,
        middle(areas) if areas else contact,
        fronts=fronts,
        areas=tuple(areas),
        stage=stage,
        is_met=False,
    )


def _no_push(trial: WheelOutcome) -> Finding:
    """Return the finding on an enemy that has no free place to be pushed to, and what blocks its best place.

    The mark shows the part of the enemy too near to the charger's end, the charger's front there, and the gap needed.
    """
    scene = trial.scene
    pushes = trial.alignment.pushes
    away = trial.scene.book.push_gap
    enemy = scene.enemies[int(pushes.without_room[0])]
    other, room, length = pushes.nearest_to_free
    told = {
        "enemy": enemy.name,
        "away": away,
        "charger": scene.charger.name,
        "length": length,
        "depth": -room,
        "other": other,
    }
    text = say(
        "{enemy} cannot be pushed out of the way: no place {away:g} in from {charger} is free. The best place, "
        "{length:.2f} in away, overlaps {other} by {depth:.4f} in.",
        **told,
    )
    end = trial.at_contact.turned_about(trial.contact, trial.turn)
    band = shapely.buffer(scene.charger.at(end).boundary.core, away, join_style="mitre")
    areas = shared(enemy.boundary.core, [band]) or (enemy.boundary,)
    limits = tuple(
        filter(
            None, (clipped(edge, enemy.boundary.core) for edge in pairwise(band.exterior.coords))
        )
    )
    words = say(
        "{enemy} must be {length} in away: no free place", enemy=enemy.name, length=few_digits(away)
    )
    mark = Mark(
        words, middle(areas), limits=limits, fronts=(front(scene.charger, end),), areas=areas
    )
    return Finding(
        "conquest.push.room", ok=False, text=text, measured=room, limit=0.0, margin=room, mark=mark
    )
