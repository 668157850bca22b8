"""Holding a claimed end position against one that is demanded."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tabletop.budget import Proof
from tabletop.errors import NoVerdictError
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.distance import gap, shortest_segment
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape
from tabletop.messages import listed, say
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Angle, Breach, Dimension, Evidence
from tabletop.ruling.finding import Finding, weakest
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.table.state import Regiment
from tabletop.units import CONTACT, FLUSH, wrapped

HAND = 1e-3
"""Inches by which a unit or a model put down by hand may miss its place."""

MEANT = HAND + CONTACT
"""Inches within which a place counts as the one that is meant: what a hand may miss by, and what every comparison allows."""

SEEN = 0.01
"""Inches from which two decimals tell a length."""

HALFWAY = 90.0
"""Degrees off the flush heading from which on a front looks away from a facing."""


@dataclass(frozen=True)
class JudgedUnit:
    """What is found of the claimed place of a unit, what a figure may show of it, and the moves that lead to it where they are known.

    `in_contact` are the models in contact by unit, `links` pairs of points of models that hold the unit together; a unit that completes
    no charge `is_elsewhere` if it is put down where nothing leaves it. `meant` is the exact place within a hand of the claim that is right,
    if one is known.
    """

    findings: tuple[Finding, ...]
    in_contact: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    links: tuple[tuple[Point, Point], ...] = ()
    steps: tuple[Step, ...] = ()
    proof: Proof = "exact"
    is_elsewhere: bool = False
    meant: Any = None


def no_exact_place(names: Iterable[str]) -> NoVerdictError:
    """Say that nothing is known of a claim that keeps every limit within what a hand may miss by, each by itself."""
    message = "no place within {hand:g} in of where {names} are claimed was found that keeps all limits and serves as well"
    return NoVerdictError(message, hand=HAND, names=listed(names, " and "))


def judged_left(name: str, finding: Finding, place: Any) -> JudgedUnit:
    """Give what is found of a unit that completes no charge and stands where it is left, at `place`, or not."""
    return JudgedUnit(seen(name, [finding]), is_elsewhere=not finding.ok, meant=place)


def seen(name: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Give findings of a unit, each broken one with where that is seen: if nothing else shows it, at the unit as a whole."""
    whole = Breach(models={name: ()})
    return tuple(one if one.ok or one.breach is not None else replace(one, breach=whole) for one in findings)


def as_resolved(name: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Give what is wrong with where a unit that no claim names was resolved to end, once the claims before it are made."""
    return tuple(replace(one, text=say("{name} stands as resolved. {text}", name=name, text=one.text)) for one in findings if not one.ok)


def judgement_of(units: Mapping[str, JudgedUnit], proposal: Mapping[str, Any], *, right: str, better: Mapping[str, Any]) -> Judgement:
    """Judge a proposal by what is found of its units: `right` says that it is, `better` gives the places that are if it is not."""
    findings = tuple(finding for unit in units.values() for finding in unit.findings)
    broken = next((finding for finding in findings if not finding.ok), None)
    steps = {name: unit.steps for name, unit in units.items() if unit.steps}
    proof = weakest(*(unit.proof for unit in units.values()))
    judgement = Judgement("success", None, findings, right, proof=proof, evidence=evidence_of(units), steps=steps)
    if broken is None:
        meant = {name: units[name].meant for name in proposal if name in units and units[name].meant is not None}
        judgement = replace(judgement, meant={name: place for name, place in meant.items() if not _is_itself(proposal[name], place)})
    if broken is None and proof != "best_found":
        return judgement
    if broken is None:
        text = say("{right} Every limit is kept; that nothing serves the goals better is not proved.", right=right)
        return replace(judgement, outcome="legal", summary=text)
    text = say("The proposal is not what the rules demand. {text}", text=broken.text)
    return replace(judgement, outcome="not_allowed", rule=broken.rule, summary=text, better=better)


def _is_itself(claimed: Any, meant: Any) -> bool:
    """Tell whether an exact place is the claim itself, to the tolerance of contact."""
    pairs = list(zip(poses_in(claimed), poses_in(meant), strict=True))
    return place_moved(claimed, meant) <= CONTACT and all(abs(wrapped(one.heading - other.heading)) <= FLUSH for one, other in pairs)


def poses_in(place: Any) -> tuple[Pose, ...]:
    """Give the poses of which a place is made: one of a regiment, one for each loose model."""
    return (place,) if isinstance(place, Pose) else place.poses


def place_moved(place: Any, other: Any) -> float:
    """Give the greatest distance of a place, or of any model's, from another one in inches."""
    return max((math.dist(one.at, two.at) for one, two in zip(poses_in(place), poses_in(other), strict=True)), default=0.0)


def evidence_of(units: Mapping[str, JudgedUnit]) -> Mapping[str, Evidence]:
    """Give by charger what a figure may show of where it is claimed to end; nobody is in contact with one that is put down elsewhere."""
    elsewhere = {name for name, unit in units.items() if unit.is_elsewhere}
    met = {name: unit.in_contact if elsewhere.isdisjoint(unit.in_contact) else {} for name, unit in units.items()}
    contact = {name: {other: numbers for other, numbers in all_met.items() if numbers} for name, all_met in met.items()}
    return {name: Evidence(models_in_contact=contact[name], links=unit.links) for name, unit in units.items()}


def length_between(start: Point, end: Point) -> Dimension:
    """Give a length at the end of the charges for a dimension line."""
    length = math.dist(start, end)
    label = say("{length:.2f} in", length=length) if length >= SEEN else say("{length:.4f} in", length=length)
    return Dimension(start, end, label, "after")


def too_near(first: Shape, second: Shape) -> Breach:
    """Show that two bodies lie over each other, or the gap between them."""
    if gap(first, second) < 0.0:
        return Breach(overlaps=((first, second),))
    ends = shortest_segment(first, second)
    return Breach(dimensions=() if ends is None else (length_between(*ends),))


def corners_off(unit: Regiment, pose: Pose, other: Pose) -> float:
    """Give the greatest distance between the same corners of a regiment in two poses, in inches."""
    first, second = _corners(unit, pose, other)
    return float(np.hypot(*(first - second).T).max())


def _corners(unit: Regiment, pose: Pose, other: Pose) -> tuple[FloatArray, FloatArray]:
    """Give the corners (4, 2) of a regiment in two poses."""
    half, depth = unit.width / 2, unit.depth
    corners = np.array([[-half, 0.0], [half, 0.0], [half, -depth], [-half, -depth]])
    return pose.to_table(corners), other.to_table(corners)


def as_meant(unit: Regiment, pose: Pose, demanded: Pose) -> Pose:
    """Give the demanded pose if a pose is that as far as a hand can tell, else the pose itself."""
    return demanded if corners_off(unit, pose, demanded) <= MEANT else pose


def standing_rule(resolution: Resolution, name: str, *, system: str, moved_by: str | None = None) -> str:
    """Name the rule by which a unit that completes no charge must stand where it is left.

    That of the last charge that names the unit and did not succeed; if none does and no charge succeeded, that of the first one;
    else `moved_by`, the rule that moved the unit, or the system's `stand` if none did.
    """
    undone = [(ruling.charge, ruling.rule) for ruling in resolution.rulings if ruling.rule is not None]
    for charge, rule in reversed(undone):
        if name in (charge.charger, *charge.targets):
            return rule
    if undone and len(undone) == len(resolution.rulings):
        return undone[0][1]
    return moved_by or f"{system}.stand"


def must_stand_as_left(pose: Pose, unit: Regiment, resolution: Resolution, *, system: str, moved_by: str | None = None) -> Finding:
    """Ask a regiment that completes no charge to stand just where `unit`, as these charges leave it, does."""
    own = {ruling.outcome for ruling in resolution.rulings if ruling.charge.charger == unit.name}
    where = say("where it stood") if own == {"not_allowed"} else say("where these charges leave it")
    where = say("where its failed charge ends") if "failed" in own else where
    return must_stand(unit, pose, unit.pose, rule=standing_rule(resolution, unit.name, system=system, moved_by=moved_by), where=where)


def looks_away(pose: Pose, flush: float, *, rule: str, facing: str) -> Finding | None:
    """Say so of a front that looks away from a facing, wherever it stands; None if it looks at it.

    `flush` is the heading in radians of a front that is flush with the facing.
    """
    turned = math.degrees(abs(wrapped(pose.heading - flush)))
    if turned < HALFWAY:
        return None
    parts = {"facing": facing, "turned": turned}
    text = say("The front looks away from {facing}: its heading is {turned:.4f} degrees off the one that is flush.", **parts)
    breach = Breach(angles=(Angle(pose.at, flush, wrapped(pose.heading - flush), say("{turned:.4g}\N{DEGREE SIGN}", turned=turned)),))
    return Finding(rule, ok=False, text=text, measured=turned, limit=HALFWAY, margin=HALFWAY - turned, breach=breach)


def must_stand(unit: Regiment, pose: Pose, demanded: Pose, *, rule: str, where: str) -> Finding:
    """Ask a regiment to stand just where the rules leave it; `where` completes "must stand"."""
    off = corners_off(unit, pose, demanded)
    text = say("{unit} must stand {where}; a corner of the proposal is {off:.4f} in off.", unit=unit.name, where=where, off=off)
    is_there = off <= MEANT
    return Finding(rule, is_there, text, off, HAND, HAND - off, breach=None if is_there else corner_breach(unit, pose, demanded))


def corner_breach(unit: Regiment, pose: Pose, demanded: Pose) -> Breach:
    """Show the length by which the corner of a regiment that is farthest off is off."""
    first, second = _corners(unit, pose, demanded)
    row = int(np.hypot(*(first - second).T).argmax())
    (x, y), (to_x, to_y) = second[row].tolist(), first[row].tolist()
    return Breach(dimensions=(length_between((x, y), (to_x, to_y)),))
