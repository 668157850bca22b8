"""The failed charge move: wheel towards the Target Facing, then forward, 4 inches in all, short of contact with everything."""

import math
from dataclasses import dataclass, replace

import numpy as np

from systems.t9a.scene import Scene
from tabletop.fronts.obstacle import Hazard, beyond, free_slide, free_turn, hazards_of
from tabletop.geometry.motion import GAP_ROUNDING, blocked_slide, blocked_turns
from tabletop.geometry.pose import FloatArray, Pose, Side
from tabletop.geometry.shape import Shape, gap
from tabletop.ruling.charge import Step
from tabletop.ruling.finding import Finding
from tabletop.table.facing import FacingName, facing_of
from tabletop.table.state import Regiment
from tabletop.units import CONTACT


@dataclass(frozen=True)
class FailedMove:
    """A failed charge move: the wheel in radians about the `side` corner, its length as the rules count it, the inches ahead."""

    start: Regiment
    side: Side
    wheel: float
    forward: float
    stopped_by: str

    @property
    def wheel_length(self) -> float:
        """How far the outer corner gets in the unit's original direction, in inches."""
        return self.start.width * math.sin(self.wheel)

    @property
    def moved(self) -> float:
        """Inches used in all."""
        return self.wheel_length + self.forward

    @property
    def wheeled(self) -> Pose:
        """The pose after the wheel."""
        return self.start.pose.wheeled(self.side, self.wheel, width=self.start.width)

    @property
    def end(self) -> Pose:
        """The pose at the end."""
        return self.wheeled.advanced(self.forward)

    def steps(self) -> tuple[Step, ...]:
        """Give the parts of the move that are not nothing."""
        steps = []
        if self.wheel > 0.0:
            angle = -self.wheel if self.side == "right" else self.wheel
            pivot = self.start.front_right if self.side == "right" else self.start.front_left
            wheel = Step(
                "wheel", self.start.name, self.start.pose, self.wheeled, self.wheel_length, angle, pivot, ("t9a.failed.wheel",),
                f"Failed charge: wheel {math.degrees(self.wheel):.2f} degrees about the {self.side} front corner.",
            )  # fmt: skip
            steps.append(wheel)
        if self.forward > 0.0:
            text = f"Failed charge: forward {self.forward:.2f} in."
            steps.append(Step("forward", self.start.name, self.wheeled, self.end, self.forward, rules=("t9a.failed.forward",), text=text))
        return tuple(steps)

    def findings(self) -> list[Finding]:
        """Name the parts of the move and what ended them."""
        angle = math.degrees(self.wheel)
        wheel = f"Wheels {angle:.4f} degrees about the {self.side} front corner, which uses {self.wheel_length:.4f} in."
        forward = f"Goes forward {self.forward:.4f} in; {self.stopped_by}."
        return [
            Finding("t9a.failed.wheel", ok=True, text=wheel if self.wheel > 0.0 else "No wheel: nothing to turn towards.", measured=angle),
            Finding("t9a.failed.forward", ok=True, text=forward, measured=self.forward),
        ]


def failed_move(scene: Scene, name: FacingName) -> FailedMove:
    """Make the failed charge move towards the middle of the Target Facing."""
    facing = facing_of(scene.target, name)
    side, aim = _aim(scene.charger, facing.point(facing.length / 2))
    length_used_up = math.asin(min(1.0, scene.book.failed_move / scene.charger.width))
    wheel = min(aim, math.radians(scene.book.wheel_limit_deg), length_used_up)
    move = FailedMove(scene.charger, side, min(wheel, _free_turn(scene, side, wheel)), 0.0, "")
    left = max(0.0, scene.book.failed_move - move.wheel_length)
    ahead, by = _free_way(scene, move.wheeled)
    stopped_by = f"the {scene.book.failed_move:g} inches are used up" if left <= ahead else f"stopped short of {by}"
    return _standing(scene, replace(move, forward=min(left, ahead), stopped_by=stopped_by))


def _aim(charger: Regiment, middle: tuple[float, float]) -> tuple[Side, float]:
    """Give the corner to wheel about, and the wheel after which the line through the unit's centre passes the point ahead."""
    across, _ = charger.pose.local(middle)
    side: Side = "right" if across > 0.0 else "left"
    if abs(across) <= CONTACT:
        return side, 0.0
    half = charger.width / 2
    pivot = charger.pose.point(half if side == "right" else -half, 0.0)
    local = Pose(*pivot, charger.pose.heading).local(middle)
    sideways = local[0] if side == "right" else -local[0]
    apart = math.hypot(*local)
    if apart < half:
        return side, math.inf
    return side, math.atan2(sideways, local[1]) + math.asin(half / apart)


def _front(unit: Regiment, pose: Pose) -> FloatArray:
    moved = unit.at(pose)
    return np.array([moved.front_left, moved.front_right])


def _free_turn(scene: Scene, side: Side, wheel: float) -> float:
    """How far the front can wheel before it comes too near to something or to the board's edge, in radians."""
    charger = scene.charger
    pivot, sense = (charger.front_right, -1) if side == "right" else (charger.front_left, 1)
    return free_turn(_front(charger, charger.pose), _hazards(scene), pivot=pivot, sense=sense, until=wheel).free


def _free_way(scene: Scene, pose: Pose) -> tuple[float, str]:
    """How far the front can go straight ahead, in inches, and what stops it."""
    stop = free_slide(_front(scene.charger, pose), _hazards(scene), direction=pose.forward)
    return stop.free, stop.hazard.name if stop.hazard else ""


def _hazards(scene: Scene) -> tuple[Hazard, ...]:
    """Everything that a failed charge move must not come too near to, the target and the world beyond the board included."""
    charger = scene.charger
    return (*hazards_of(scene.failed_obstacles), *beyond(scene.state.board, margin=charger.width + charger.depth))


def _standing(scene: Scene, move: FailedMove) -> FailedMove:
    """Shorten the move to the last point of its path where the whole boundary is free and on the board."""
    if _is_free(scene, move.end):
        return move
    short = replace(move, stopped_by="farther on its whole boundary would not stand free")
    forward = _last_free(_blocked_ahead(scene, move), move.forward)
    if forward is not None:
        return replace(short, forward=forward)
    return replace(short, wheel=_last_free(_blocked_turning(scene, move), move.wheel) or 0.0, forward=0.0)


def _last_free(blocked: list[tuple[float, float]], most: float) -> float | None:
    """Give the greatest value short of `most` outside of open stretches, or None; `most` itself is known not to be free."""
    value = most - GAP_ROUNDING
    for low, high in sorted(blocked, key=lambda stretch: -stretch[1]):
        if low < value < high:
            value = low
    return value if value >= 0.0 else None


def _blocked_ahead(scene: Scene, move: FailedMove) -> list[tuple[float, float]]:
    body = move.start.at(move.wheeled).boundary.pieces[0]
    return [
        stretch
        for hazard in _hazards(scene)
        if (stretch := blocked_slide(body, hazard.ring, direction=move.wheeled.forward, needed=hazard.needed))
    ]


def _blocked_turning(scene: Scene, move: FailedMove) -> list[tuple[float, float]]:
    body = move.start.boundary.pieces[0]
    pivot, sense = (move.start.front_right, -1) if move.side == "right" else (move.start.front_left, 1)
    return [
        stretch
        for hazard in _hazards(scene)
        for stretch in blocked_turns(body, hazard.ring, pivot=pivot, needed=hazard.needed, until=move.wheel, sense=sense)
    ]


def _is_free(scene: Scene, pose: Pose) -> bool:
    body: Shape = scene.charger.at(pose).boundary
    west, south, east, north = body.bounds
    board = scene.state.board
    on_board = min(west, south, board.width - east, board.depth - north) >= -CONTACT
    return on_board and all(gap(body, obstacle.shape) >= obstacle.needed - CONTACT for obstacle in scene.failed_obstacles)
