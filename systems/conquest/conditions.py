"""What is said of the way of a charge: how near it comes to everything that must be kept clear of."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from systems.conquest.attempt import WheelOutcome
from systems.conquest.move import Legs, least_gaps
from tabletop.fronts.obstacle import Hazard, Nearest
from tabletop.geometry.convex import ring_gap, stack_padded
from tabletop.messages import say
from tabletop.ruling.finding import Finding, room_needed
from tabletop.units import CONTACT

PATHS = {
    "conquest.path.enemy": say("other enemy"),
    "conquest.path.garrison": say("other garrison"),
    "conquest.path.impassable": say("impassable terrain"),
    "conquest.path.friend": say("friend in contact with an enemy"),
    "conquest.path.board": say("edge of the board"),
}

RULES = tuple(PATHS)


def path_findings(trial: WheelOutcome) -> tuple[Finding, ...]:
    """Measure how near wheel, advance and alignment come to everything that must be kept clear of."""
    scene = trial.scene
    target = Hazard(scene.target.ring, scene.choices.clearance, scene.target.name)
    legs = (*trial.charge_legs, *trial.align_legs) if scene.choices.align_sweep == "whole" else trial.charge_legs
    hazards = [hazard for hazard in scene.hazards if hazard.name not in trial.pushed]
    near = _near(legs, hazards, np.array([RULES.index(scene.rule_of(hazard)) for hazard in hazards], dtype=np.intp))
    gaps = least_gaps(legs, [*near, target])
    found = [(scene.rule_of(hazard), Nearest(gap, hazard)) for gap, hazard in zip(gaps.min(axis=0).tolist(), near, strict=False)]
    nearest = {rule: min((one for of, one in found if of == rule), key=lambda one: one.margin, default=None) for rule in PATHS}
    return (*(_kept(rule, PATHS[rule], nearest[rule]) for rule in PATHS), _wheel_finding(trial, Nearest(float(gaps[0, -1]), target)))


def _near(legs: Legs, hazards: Sequence[Hazard], groups: NDArray[np.intp]) -> list[Hazard]:
    """Keep of each group the hazards that may leave least room, by how far anything moves on a leg from where it starts."""
    if not hazards:
        return []
    rings, needed = stack_padded([hazard.ring for hazard in hazards]), np.array([hazard.needed for hazard in hazards])
    starts = ring_gap(np.stack([leg.body for leg in legs])[:, None], rings) - needed
    least = np.full(len(PATHS), np.inf)
    np.minimum.at(least, groups, starts.min(axis=0))
    may_be = (starts - np.array([[leg.extent] for leg in legs]) <= least[groups]).any(axis=0)
    return [hazards[number] for number in np.flatnonzero(may_be).tolist()]


def _kept(rule: str, kind: str, nearest: Nearest | None) -> Finding:
    if nearest is None:
        return Finding(rule, ok=True, text=say("There is no {kind}.", kind=kind))
    return kept(rule, nearest)


def kept(rule: str, nearest: Nearest) -> Finding:
    """Say how near a way comes to what it leaves least room."""
    hazard, margin = nearest.hazard, nearest.margin
    told = {"gap": abs(nearest.gap), "hazard": hazard.name, "needed": room_needed(hazard.needed)}
    text = say("The way leads {gap:.4f} in away from {hazard}{needed}.", **told)
    if nearest.gap < -CONTACT:
        text = say("The way leads {gap:.4f} in into {hazard}{needed}.", **told)
    return Finding(rule, margin >= -CONTACT, text, nearest.gap, hazard.needed, margin)


def _wheel_finding(trial: WheelOutcome, nearest: Nearest) -> Finding:
    """Say how near the wheel alone comes to the target."""
    rule = "conquest.path.target"
    if trial.angle == 0.0:
        return Finding(rule, ok=True, text=say("There is no wheel that could touch the target."))
    return kept(rule, nearest)


def broken_path(trial: WheelOutcome, hazard: Hazard) -> Finding:
    """Say of a wheel that is blocked how far what stops it first is in the way."""
    rule, legs = trial.scene.rule_of(hazard), trial.charge_legs
    least = least_gaps(legs[:1] if rule == "conquest.path.target" else legs, [hazard])
    return kept(rule, Nearest(float(least.min()), hazard))
