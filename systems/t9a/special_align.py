"""The special align move: after an unaligned charge the target turns about the point of contact towards the charger."""

import math

import numpy as np

from systems.t9a.scene import Scene
from tabletop.fronts.obstacle import Hazard, beyond
from tabletop.fronts.turn import blocked_turns_of
from tabletop.geometry.motion import blocked_slide
from tabletop.geometry.pose import FloatArray, Point, Pose
from tabletop.geometry.ring import mirrored, padded, turned
from tabletop.geometry.shape import Shape, gap
from tabletop.optimise.interval import Interval, Intervals, without
from tabletop.table.facing import Facing, touches
from tabletop.units import CONTACT

BEYOND = 1e-3
"""Radians past the turn asked for up to which blocked stretches are looked at, so that one that ends there is seen to end."""


def is_held(scene: Scene) -> bool:
    """Tell whether the target is engaged with another unit, and therefore stays as it stands."""
    target = scene.target
    if scene.choices.engaged_target_turns:
        return False
    return "engaged" in target.status or any(unit.side != target.side and touches(unit, target) for unit in scene.bystanders)


def special_turn(scene: Scene, pivot: Point, *, sense: int, angle: float) -> float:
    """Give how far the target turns about a point, in radians: the most, up to `angle`, that it can stand at.

    `sense` +1 turns counter-clockwise. Only the end has to be free; nothing is swept.
    """
    if is_held(scene):
        return 0.0
    bodies = _bodies(scene)
    centre = np.array(pivot)
    ring, others = scene.target.boundary.pieces[0] - centre, padded([body.ring for body in bodies]) - centre
    if sense < 0:
        ring, others = mirrored(ring), mirrored(others)
    found = blocked_turns_of(ring, others, needed=np.array([body.needed for body in bodies]), until=angle + BEYOND)
    slack = CONTACT / float(np.hypot(ring[:, 0], ring[:, 1]).max())
    free = angle
    for low, high in sorted(zip(found.low.tolist(), found.high.tolist(), strict=True), key=lambda stretch: -stretch[1]):
        if low + slack < free < high - slack:
            free = low
    return free


def full_turn_places(scene: Scene, facing: Facing, within: Interval, *, sense: int, angle: float) -> Intervals:
    """Give the points u of a stretch of the facing about which the target can turn by the whole angle.

    The end of such a turn moves along a straight line as the pivot moves along the facing.
    """
    if is_held(scene):
        return ()
    start = scene.target.boundary.pieces[0] - np.array(facing.origin)
    ring = turned(start, np.array([sense * angle]))[0] + np.array(facing.origin)
    along = np.array(facing.along)
    shift: FloatArray = along - turned(along[None], np.array([sense * angle]))[0, 0]
    rate = math.hypot(*shift)
    direction = (float(shift[0]) / rate, float(shift[1]) / rate)
    slides = [blocked_slide(ring, body.ring, direction=direction, needed=body.needed) for body in _bodies(scene)]
    return without([within], [(low / rate, high / rate) for low, high in (slide for slide in slides if slide is not None)])


def turned_target(scene: Scene, pivot: Point, *, sense: int, angle: float) -> Pose:
    """Give the target's pose after a turn about a point."""
    return scene.target.pose.turned_about(pivot, sense * angle) if angle > 0.0 else scene.target.pose


def _bodies(scene: Scene) -> list[Hazard]:
    """Everything but the charger that the turned target keeps clear of, the world beyond the board included."""
    target, clearance = scene.target, scene.choices.clearance
    shapes: list[Shape] = [unit.boundary for unit in scene.bystanders]
    shapes += [piece.shape for piece in scene.state.terrain if piece.kind == "impassable"]
    bodies = [*beyond(scene.state.board, margin=target.width + target.depth)]
    for shape in shapes:
        needed = max(0.0, min(clearance, gap(target.boundary, shape)))
        bodies += [Hazard(piece, needed + shape.radius) for piece in shape.parts]
    return bodies
