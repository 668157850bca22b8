"""The failed charge move: wheel towards the Target Facing, then forward, 4 inches in all, short of contact with everything."""

import math
from dataclasses import dataclass, replace

import numpy as np

from systems.t9a.scene import Scene
from tabletop.contact import FacingName, facing_of
from tabletop.motion import DUST, blocked_slide, blocked_turns
from tabletop.pose import FloatArray, Pose, Side
from tabletop.ruling import Finding, Step
from tabletop.shapes import Shape, gap
from tabletop.state import Regiment
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
    pivot = charger.front_right if side == "right" else charger.front_left
    sense = -1 if side == "right" else 1
    front = _front(charger, charger.pose)
    stretches = [
        stretch
        for obstacle in scene.failed_obstacles
        for piece in obstacle.shape.pieces
        for stretch in blocked_turns(front, piece, pivot=pivot, needed=obstacle.needed + obstacle.shape.radius, until=wheel, sense=sense)
    ]
    for wall in _edges(scene):
        stretches += blocked_turns(front, wall, pivot=pivot, needed=0.0, until=wheel, sense=sense)
    return min((low for low, _ in stretches), default=math.inf)


def _free_way(scene: Scene, pose: Pose) -> tuple[float, str]:
    """How far the front can go straight ahead, in inches, and what stops it."""
    front = _front(scene.charger, pose)
    bodies = [(o.name, piece, o.needed + o.shape.radius) for o in scene.failed_obstacles for piece in o.shape.pieces]
    bodies += [("the board's edge", wall, 0.0) for wall in _edges(scene)]
    best, by = math.inf, ""
    for name, piece, needed in bodies:
        stretch = blocked_slide(front, piece, direction=pose.forward, needed=needed)
        if stretch is not None and stretch[1] > CONTACT and max(0.0, stretch[0]) < best:
            best, by = max(0.0, stretch[0]), name
    return best, by


def _edges(scene: Scene) -> list[FloatArray]:
    """Give the four sides of what lies beyond the board, as bodies."""
    width, depth = scene.state.board.width, scene.state.board.depth
    far = 4 * (width + depth + scene.charger.width + scene.charger.depth)
    boxes = [
        (-far, -far, 0.0, depth + far),
        (width, -far, width + far, depth + far),
        (-far, -far, width + far, 0.0),
        (-far, depth, width + far, depth + far),
    ]
    return [np.array([(west, south), (east, south), (east, north), (west, north)]) for west, south, east, north in boxes]


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
    value = most - DUST
    for low, high in sorted(blocked, key=lambda stretch: -stretch[1]):
        if low < value < high:
            value = low
    return value if value >= 0.0 else None


def _blocked_ahead(scene: Scene, move: FailedMove) -> list[tuple[float, float]]:
    body = move.start.at(move.wheeled).boundary.pieces[0]
    return [
        stretch for ring, needed in _bodies(scene) if (stretch := blocked_slide(body, ring, direction=move.wheeled.forward, needed=needed))
    ]


def _blocked_turning(scene: Scene, move: FailedMove) -> list[tuple[float, float]]:
    body = move.start.boundary.pieces[0]
    pivot, sense = (move.start.front_right, -1) if move.side == "right" else (move.start.front_left, 1)
    return [
        stretch
        for ring, needed in _bodies(scene)
        for stretch in blocked_turns(body, ring, pivot=pivot, needed=needed, until=move.wheel, sense=sense)
    ]


def _bodies(scene: Scene) -> list[tuple[FloatArray, float]]:
    """Everything the whole boundary must not come too near to, the target and the world beyond the board included."""
    bodies = [(piece, o.needed + o.shape.radius) for o in scene.failed_obstacles for piece in o.shape.pieces]
    return [*bodies, *((wall, 0.0) for wall in _edges(scene))]


def _is_free(scene: Scene, pose: Pose) -> bool:
    body: Shape = scene.charger.at(pose).boundary
    west, south, east, north = body.bounds
    board = scene.state.board
    on_board = min(west, south, board.width - east, board.depth - north) >= -CONTACT
    return on_board and all(gap(body, obstacle.shape) >= obstacle.needed - CONTACT for obstacle in scene.failed_obstacles)
