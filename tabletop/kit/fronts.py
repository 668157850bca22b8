"""Moves of a front: straight ahead, a turn about a point of its own, straight ahead; and the arcs of whom it charges, for figures."""

import math
from collections.abc import Sequence
from dataclasses import replace

from tabletop.geometry.pose import Point, Pose
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Evidence
from tabletop.table.arc import arc_names, arc_rays
from tabletop.table.facing import FacingName, facing_of
from tabletop.table.state import Regiment
from tabletop.units import CONTACT, MARGINAL

PARALLEL = 1e-9
"""Radians between two headings that are one."""


def legs(start: Pose, end: Pose, about: Point) -> tuple[float, float] | None:
    """Return how far ahead a front goes before and after it turns about a point of its own, in inches, less than 0 if back.

    Parameters
    ----------
    start, end
        The middle of the front, and where it looks, before and after.
    about
        The point that it turns about, to the right of the middle of its front and ahead of it, in inches: half its width to a side for a
        corner, (0, 0) for the middle of its front, (0, -depth / 2) for its own middle.

    Returns
    -------
    tuple[float, float] or None
        None where it looks as before and no straight way leads there: no turn brings it aside.
    """
    turn = math.remainder(end.heading - start.heading, math.tau)
    (x, y), (to_x, to_y) = start.point(*about), end.point(*about)
    dx, dy = to_x - x, to_y - y
    (ax, ay), (bx, by) = start.forward, end.forward
    if abs(math.sin(turn)) <= PARALLEL:
        is_ahead = abs(turn) < 1.0 and abs(ax * dy - ay * dx) <= CONTACT
        return (ax * dx + ay * dy, 0.0) if is_ahead else None
    area = ax * by - ay * bx
    return (dx * by - dy * bx) / area, (ax * dy - ay * dx) / area


def march(unit: Regiment, end: Pose, about: Point, *, kinds: Sequence[str] = ("forward", "wheel", "forward")) -> tuple[Step, ...] | None:
    """Return the way of a regiment to a place: ahead, a turn about a point of its own, ahead; legs that no hand can measure are left out.

    Those are shorter than a thousandth of an inch: a search that ends a hair beside a straight way makes no leg of it. The length of the
    turn is the arc of the front corner that goes farthest. None where no such way leads there, or one that goes back.
    """
    found = legs(unit.pose, end, about)
    if found is None or min(found) < -CONTACT:
        return None
    first, second = (max(0.0, leg) for leg in found)
    turn, half = math.remainder(end.heading - unit.pose.heading, math.tau), unit.width / 2
    ahead = unit.pose.advanced(first)
    pivot = ahead.point(*about)
    turned = ahead.turned_about(pivot, turn)
    arc = abs(turn) * max(math.dist(ahead.point(side, 0.0), pivot) for side in (half, -half))
    steps = (
        Step(kinds[0], unit.name, unit.pose, ahead, first),
        Step(kinds[1], unit.name, ahead, turned, arc, angle=turn, pivot=pivot),
        Step(kinds[2], unit.name, turned, end, second),
    )
    has_leg = (first > MARGINAL, abs(turn) > PARALLEL, second > MARGINAL)
    left = [step for step, is_one in zip(steps, has_leg, strict=True) if is_one]
    if left:  # what was left out is a hair, by which the way would begin or end beside its places
        left[0] = replace(left[0], start=unit.pose)
        left[-1] = replace(left[-1], end=end)
    return tuple(left)


def arcs_shown(target: Regiment, charged: FacingName | None = None, *, after: Regiment | None = None) -> Evidence:
    """Return what figures may show of a charged regiment: its arcs, and the side that is charged, before and where it stands `after`."""
    shown = Evidence(arc_rays=arc_rays(target.boundary.outline()), arc_centre=target.centre, arc_names=arc_names(target))
    if charged is None:
        return shown
    there = facing_of(target if after is None else after, charged)
    return replace(shown, facing=facing_of(target, charged).ends, facing_after=there.ends)
