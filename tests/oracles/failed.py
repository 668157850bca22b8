"""Brute force for a failed charge move: the wheel and the forward move made in small steps, stopping before the first
illegal one.
"""

import math
from dataclasses import dataclass

import numpy as np
import shapely

from tabletop.geometry.pose import Pose, Side
from tabletop.table.state import Regiment
from tests.oracles.plane import (
    TOUCH,
    Facing,
    Flags,
    Floats,
    Scene,
    body,
    is_free,
    is_on,
    line,
    outlines,
)

LENGTH_STEP = 0.002
ANGLE_STEP = math.radians(0.02)
ALLOWED = 4.0


@dataclass(frozen=True)
class Stop:
    """Where a failed charge ends: the pose, the wheel in radians (counter-clockwise positive), and the inches used."""

    pose: Pose
    wheel: float
    moved: float


def failed_move(scene: Scene, facing: Facing) -> Stop:
    """Move the charger towards the middle of a facing of its target as a failed charge does."""
    edge = line(scene.target, facing)
    aim = edge.start + edge.length / 2 * edge.along
    wheels = _wheels(scene, aim)
    used = scene.charger.width * abs(math.sin(wheels[-1].heading - scene.charger.pose.heading))
    poses = wheels + _forwards(scene, wheels[-1], ALLOWED - used)
    last = int(np.flatnonzero(_stands(scene, poses))[-1])
    return _stop(scene.charger, poses[last])


def _stop(unit: Regiment, pose: Pose) -> Stop:
    turn = pose.heading - unit.pose.heading
    pivoted = unit.pose.wheeled("right" if turn < 0 else "left", abs(turn), width=unit.width)
    return Stop(pose, turn, unit.width * abs(math.sin(turn)) + math.dist(pivoted.at, pose.at))


def _wheels(scene: Scene, aim: Floats) -> list[Pose]:
    """Return the poses of the wheel up to its stop, the start among them."""
    unit = scene.charger
    aside = _aside(unit, unit.pose, aim)[0]
    if abs(aside) <= TOUCH:
        return [unit.pose]
    side: Side = "right" if aside > 0 else "left"
    limit = math.pi / 2 if unit.width <= ALLOWED else math.asin(ALLOWED / unit.width)
    turns = np.append(np.arange(0.0, limit, ANGLE_STEP), limit)
    poses = [unit.pose.wheeled(side, float(turn), width=unit.width) for turn in turns]
    legal = _fronts_free(scene, poses)
    past = [_is_past(unit, pose, aim, aside) for pose in poses]
    return poses[: max(_first(~legal | np.array(past)), 1)]


def _is_past(unit: Regiment, pose: Pose, aim: Floats, aside: float) -> bool:
    """Return whether the line ahead through the unit's middle has swept over the aim."""
    across, ahead = _aside(unit, pose, aim)
    return across * aside <= 0 and ahead > 0


def _aside(unit: Regiment, pose: Pose, aim: Floats) -> tuple[float, float]:
    across, ahead = pose.local((float(aim[0]), float(aim[1])))
    return across, ahead + unit.depth / 2


def _forwards(scene: Scene, pose: Pose, length: float) -> list[Pose]:
    poses = [
        pose.advanced(float(step))
        for step in np.append(np.arange(0.0, max(length, 0.0), LENGTH_STEP), max(length, 0.0))
    ]
    return poses[1 : max(_first(~_fronts_free(scene, poses)), 1)]


def _first(flags: Flags) -> int:
    return int(np.argmax(flags)) if flags.any() else len(flags)


def _fronts_free(scene: Scene, poses: list[Pose]) -> Flags:
    fronts = np.array([body(scene.charger, pose)[:2] for pose in poses])
    return is_free(scene.everything, np.asarray(shapely.linestrings(fronts))) & is_on(
        scene.state.board, fronts
    )


def _stands(scene: Scene, poses: list[Pose]) -> Flags:
    corners = np.array([body(scene.charger, pose) for pose in poses])
    return is_free(scene.everything, outlines(corners)) & is_on(scene.state.board, corners)
