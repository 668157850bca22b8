"""Holding a claimed end position against one that is demanded."""

import numpy as np

from tabletop.pose import Pose
from tabletop.ruling import Finding
from tabletop.state import Regiment
from tabletop.units import CONTACT

HAND = 1e-3
"""Inches by which a unit or a model put down by hand may miss its place."""

MEANT = HAND + CONTACT
"""Inches within which a place counts as the one that is meant: what a hand may miss by, and what every comparison allows."""


def corners_off(unit: Regiment, pose: Pose, other: Pose) -> float:
    """Give the greatest distance between the same corners of a regiment in two poses, in inches."""
    half, depth = unit.width / 2, unit.depth
    corners = np.array([[-half, 0.0], [half, 0.0], [half, -depth], [-half, -depth]])
    return float(np.hypot(*(pose.to_table(corners) - other.to_table(corners)).T).max())


def must_stand(unit: Regiment, pose: Pose, demanded: Pose, *, rule: str, where: str) -> Finding:
    """Ask a regiment to stand just where the rules leave it; `where` completes "must stand"."""
    off = corners_off(unit, pose, demanded)
    text = f"{unit.name} must stand {where}; a corner of the proposal is {off:.4f} in off."
    return Finding(rule, off <= MEANT, text, off, HAND, HAND - off)
