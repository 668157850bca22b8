"""Holding a claimed end position against one that is demanded."""

import math

import numpy as np

from tabletop.geometry.pose import Pose
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Resolution
from tabletop.table.state import Regiment
from tabletop.units import CONTACT, wrapped

HAND = 1e-3
"""Inches by which a unit or a model put down by hand may miss its place."""

MEANT = HAND + CONTACT
"""Inches within which a place counts as the one that is meant: what a hand may miss by, and what every comparison allows."""

HALFWAY = 90.0
"""Degrees off the flush heading from which on a front looks away from a facing."""


def corners_off(unit: Regiment, pose: Pose, other: Pose) -> float:
    """Give the greatest distance between the same corners of a regiment in two poses, in inches."""
    half, depth = unit.width / 2, unit.depth
    corners = np.array([[-half, 0.0], [half, 0.0], [half, -depth], [-half, -depth]])
    return float(np.hypot(*(pose.to_table(corners) - other.to_table(corners)).T).max())


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
    where = "where its failed charge ends" if "failed" in own else "where it stood" if own else "where these charges leave it"
    return must_stand(unit, pose, unit.pose, rule=standing_rule(resolution, unit.name, system=system, moved_by=moved_by), where=where)


def looks_away(pose: Pose, flush: float, *, rule: str, facing: str) -> Finding | None:
    """Say so of a front that looks away from a facing, wherever it stands; None if it looks at it.

    `flush` is the heading in radians of a front that is flush with the facing.
    """
    turned = math.degrees(abs(wrapped(pose.heading - flush)))
    if turned < HALFWAY:
        return None
    text = f"The front looks away from {facing}: its heading is {turned:.4f} degrees off the one that is flush."
    return Finding(rule, ok=False, text=text, measured=turned, limit=HALFWAY, margin=HALFWAY - turned)


def must_stand(unit: Regiment, pose: Pose, demanded: Pose, *, rule: str, where: str) -> Finding:
    """Ask a regiment to stand just where the rules leave it; `where` completes "must stand"."""
    off = corners_off(unit, pose, demanded)
    text = f"{unit.name} must stand {where}; a corner of the proposal is {off:.4f} in off."
    return Finding(rule, off <= MEANT, text, off, HAND, HAND - off)
