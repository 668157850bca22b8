"""Moves of a front: straight ahead, a turn about a point of its own, straight ahead; and the room that a way leaves."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape
from tabletop.kit.bodies import gap_between, swept
from tabletop.ruling.charge import Step
from tabletop.table.state import Regiment
from tabletop.units import CONTACT

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
    """Return the way of a regiment to a place: ahead, a turn about a point of its own, ahead; legs of no length are left out.

    The length of the turn is the arc of the front corner that goes farthest. None where no such way leads there, or one that goes back.
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
    return tuple(step for step, size in zip(steps, (first, abs(turn), second), strict=True) if size > PARALLEL)


def room_on_way(steps: Iterable[Step], unit: Any, others: Iterable[Shape]) -> float:
    """Return the gap in inches that a unit keeps to bodies on its way, less than 0 where it goes into one; endless where none is there."""
    bodies = tuple(others)
    return min((gap_between(place, bodies) for place in swept(steps, unit)), default=math.inf)
