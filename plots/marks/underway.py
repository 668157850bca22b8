"""Where a unit or a model is in the middle of a step: the engine's own motions, never the straight line between their ends.

A share is that of the step that is done, from 0 to 1. Along a path it is a share of the length, climbs included; of a turn it is
a share of the angle.
"""

import math
from dataclasses import replace
from itertools import accumulate, pairwise

from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Spot, Step

SIXTH = math.pi / 3
"""Radians from one facing of a hex to the next."""


def pose_underway(step: Step, share: float) -> Pose:
    """Give the pose at a share of a step that moves something.

    A step with a pivot turns about it, one with a path follows it, one that only changes the place runs straight. What turns
    and changes its place without a pivot, as a unit that is picked up and put down aligned, turns about the one point of the
    table that such a move leaves where it is.

    Raises
    ------
    ValueError
        If the step moves nothing.
    """
    start, end = step.start, step.end
    if start is None or end is None:
        raise ValueError(f"a step of kind {step.kind} moves nothing")
    if share <= 0.0:
        return start
    if share >= 1.0:
        return end
    if step.pivot is not None and step.angle:
        return start.turned_about(step.pivot, share * step.angle)
    angle = _turn(step, start, end)
    if len(step.path) > 1:
        x, y, _ = path_underway(step.path, share)[-1]
        return Pose(x, y, start.heading + share * angle)
    return _screwed(start, end, angle, share)


def _turn(step: Step, start: Pose, end: Pose) -> float:
    """Give the signed angle of a step: its own, else the short way round."""
    return step.angle if step.angle is not None else math.remainder(end.heading - start.heading, math.tau)


def _screwed(start: Pose, end: Pose, angle: float, share: float) -> Pose:
    """Go along the arc that leads from one place to the other while the heading turns by `angle`; without a turn it is straight.

    The chord up to a share of an arc has this bearing and length against the whole chord, also where the middle is far away.
    """
    half = angle / 2
    length = math.sin(share * half) / math.sin(half) if abs(math.sin(half)) > 1e-9 else share  # noqa: PLR2004 - the limit is the share
    bearing = (share - 1.0) * half
    dx, dy = end.x - start.x, end.y - start.y
    cos, sin = length * math.cos(bearing), length * math.sin(bearing)
    return Pose(start.x + dx * cos - dy * sin, start.y + dx * sin + dy * cos, start.heading + share * angle)


def path_underway(path: tuple[Spot, ...], share: float) -> tuple[Spot, ...]:
    """Give the beginning of a path, up to a share of its length; its last point is where the model is."""
    ways = [0.0, *accumulate(math.dist(*leg) for leg in pairwise(path))]
    done = min(max(share, 0.0), 1.0) * ways[-1]
    legs = [number for number, (near, far) in enumerate(pairwise(ways)) if near < done <= far]
    if not legs:
        return path[:1]
    leg = legs[0]
    part = (done - ways[leg]) / (ways[leg + 1] - ways[leg])
    x, y, z = (before + part * (after - before) for before, after in zip(path[leg], path[leg + 1], strict=True))
    return (*path[: leg + 1], (x, y, z))


def step_underway(step: Step, share: float) -> Step:
    """Give a step as far as it is done: it ends where the unit is by then."""
    path = path_underway(step.path, share) if step.path else ()
    return replace(step, end=pose_underway(step, share), path=path)


def beats(step: Step) -> int:
    """Count the parts of a step that are seen one by one: a turn goes facing by facing where its angle is a number of facings.

    Only turns on the spot go so; a wheel is one sweep.
    """
    if step.start is None or step.end is None or step.pivot is not None or step.start.at != step.end.at:
        return 1
    turns = abs(_turn(step, step.start, step.end)) / SIXTH
    return max(1, round(turns)) if abs(turns - round(turns)) < 1e-6 else 1  # noqa: PLR2004 - rounding of degrees


def eased(share: float, count: int = 1) -> float:
    """Give how far a motion in so many beats is after a share of its time: each beat begins and ends gently.

    Examples
    --------
    >>> eased(0.0), eased(0.5), eased(1.0), eased(0.25, 2), eased(0.5, 2)
    (0.0, 0.5, 1.0, 0.25, 0.5)
    """
    beat, part = divmod(min(max(share, 0.0), 1.0) * count, 1.0)
    return (beat + part * part * (3.0 - 2.0 * part)) / count
