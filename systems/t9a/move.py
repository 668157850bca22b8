"""Moves of a charger: the forward, wheel, forward move of a charge, and the failed charge move.

Both have legs, end poses and findings. A failed charge move wheels towards the facing charged and goes forward, 4
inches in all, without coming into contact with anything.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from systems.t9a.scene import Front, Scene, profile_of
from tabletop.budget import Budget
from tabletop.fronts.obstacle import (
    ConvexObstacle,
    convex_parts_of,
    free_slide,
    free_turn,
    outside_board,
)
from tabletop.fronts.reach import Advance, Witness, smallest_wheel_path
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import stack_padded
from tabletop.geometry.distance import gap
from tabletop.geometry.motion import GAP_ROUNDING, blocked_slide, blocked_turns
from tabletop.geometry.pose import Point, Pose, Side
from tabletop.geometry.shape import Shape
from tabletop.messages import listed, say, word
from tabletop.optimise.interval import Interval
from tabletop.ruling.charge import Step
from tabletop.ruling.finding import Finding
from tabletop.table.facing import FacingName, facing_of
from tabletop.table.state import Regiment
from tabletop.units import CONTACT

LEG_ROUNDING = 1e-9
"""Length of a leg, in inches, up to which it is rounding error."""


@dataclass(frozen=True)
class ChargeMove:
    """A charger's move to a facing, until first contact.

    Attributes
    ----------
    front
        Charger and facing.
    kept
        Interval of u, in inches along the facing, within which the point of first contact stays in contact at the end.
    path
        Lengths and wheel of the move.
    """

    front: Front
    kept: Interval
    path: Advance

    @property
    def poses(self) -> tuple[Pose, Pose, Pose, Pose]:
        """Poses before the move, after the first leg forward, after the wheel, and at first contact."""
        charger = self.front.scene.charger
        ahead = charger.pose.advanced(self.path.first)
        wheeled = ahead.wheeled(self.path.side, self.path.wheel, width=charger.width)
        return charger.pose, ahead, wheeled, wheeled.advanced(self.path.second)

    @property
    def length(self) -> float:
        """Length of the move as the rules count it, in inches: of the wheel, the sideways distance of its outer
        corner.
        """
        return (
            self.path.first
            + self.front.scene.charger.width * math.sin(self.path.wheel)
            + self.path.second
        )

    def free_until(self, hazards: Sequence[ConvexObstacle]) -> float:
        """Return the length, in inches, that the front moves before it is too near to one of `hazards`; at most that of
        the move.
        """
        charger = self.front.scene.charger
        start, ahead, wheeled, _ = self.poses
        first = free_slide(_front(charger, start), hazards, direction=start.forward).free
        if first < self.path.first:
            return first
        turning = charger.at(ahead)
        pivot, sense = (
            (turning.front_right, -1) if self.path.side == "right" else (turning.front_left, 1)
        )
        turn = free_turn(
            _front(charger, ahead), hazards, pivot=pivot, sense=sense, until=self.path.wheel
        ).free
        if turn < self.path.wheel:
            return self.path.first + charger.width * math.sin(turn)
        second = free_slide(_front(charger, wheeled), hazards, direction=wheeled.forward).free
        return self.length - max(self.path.second - second, 0.0)

    @property
    def landing(self) -> tuple[Point, Point]:
        """Right and left front corner at first contact, in coordinates (u, v) of the facing, in inches."""
        facing = self.front.facing
        charger = self.front.scene.charger.at(self.poses[3])
        return facing.coordinates(charger.front_right), facing.coordinates(charger.front_left)

    @property
    def is_along_a_line(self) -> bool:
        """Whether the front is parallel to the facing at first contact, so that it touches along a line."""
        (_, right), (_, left) = self.landing
        return abs(right - left) <= CONTACT

    @property
    def contact(self) -> Point:
        """Table point of first contact, in inches; for contact along a line the point nearest to the middle of
        `kept`.
        """
        facing = self.front.facing
        (u_right, v_right), (u_left, v_left) = self.landing
        if self.is_along_a_line:
            u = min(max(sum(self.kept) / 2, u_right), u_left)
        elif min(v_right, v_left) < -CONTACT:
            u = 0.0 if v_right < v_left else facing.length
        else:
            u = u_right if v_right < v_left else u_left
        return facing.point(min(max(u, 0.0), facing.length))


def charge_move(
    front: Front, kept: Interval, *, hints: Sequence[Witness], enough: float = 0.0, budget: Budget
) -> ChargeMove:
    """Return the move to show: of all that first meet the facing within `kept`, the one with the smallest wheel, then
    the shortest.

    Parameters
    ----------
    front
        Charger and facing.
    kept
        Interval of u, in inches along the facing.
    hints
        Wheels known to reach the facing.
    enough
        Angle in radians: a wheel of at most this is not minimised further.
    budget
        Limit of the search.
    """
    first, last = front.counting
    span = _met((max(kept[0], first), min(kept[1], last)), hints)
    return ChargeMove(
        front,
        span,
        _drop_empty_legs(
            smallest_wheel_path(front.way, span, hints=hints, enough=enough, budget=budget), front
        ),
    )


def _met(span: Interval, hints: Sequence[Witness]) -> Interval:
    """Return an interval of u, widened to the nearest reached point if it misses that by no more than the tolerance of
    contact.
    """
    missed, nearest = min(
        ((max(hint.low - span[1], span[0] - hint.high), hint) for hint in hints),
        key=lambda pair: pair[0],
        default=(0.0, None),
    )
    if nearest is None or not 0.0 < missed <= CONTACT:
        return span
    return min(span[0], nearest.high), max(span[1], nearest.low)


def _drop_empty_legs(path: Advance, front: Front) -> Advance:
    """Return the move without legs that are rounding error; a move without a wheel becomes a single leg forward.

    A last leg within the tolerance of contact is left out, too, unless the charger flies: then only the end must keep
    clear of obstacles, and the leg may matter.
    """
    if path.wheel * front.width <= LEG_ROUNDING:
        return replace(path, first=path.first + path.second, wheel=0.0, second=0.0)
    least = LEG_ROUNDING if front.approach.ignores_way else CONTACT
    return replace(
        path,
        first=path.first if path.first > LEG_ROUNDING else 0.0,
        second=path.second if path.second > least else 0.0,
    )


def path_steps(move: ChargeMove) -> tuple[Step, ...]:
    """Return the steps of a charge move, without legs of length 0."""
    charger = move.front.scene.charger
    start, ahead, wheeled, contact = move.poses
    path = move.path
    name = charger.name
    target = move.front.scene.target.name
    steps = list[Step]()
    if path.first > 0.0:
        text = say("{name} moves {length:.2f} in forward.", name=name, length=path.first)
        text = text if path.wheel > 0.0 else _until(path.first, name, target)
        steps.append(
            Step(
                "forward",
                name,
                start,
                ahead,
                path.first,
                rules=("t9a.move.initial-forward",),
                text=text,
            )
        )
    if path.wheel > 0.0:
        angle = -path.wheel if path.side == "right" else path.wheel
        turning = charger.at(ahead)
        pivot = turning.front_right if path.side == "right" else turning.front_left
        degrees = math.degrees(path.wheel)
        corner = word(path.side)
        text = say(
            "{name} wheels {angle:.2f} degrees about its {corner} front corner.",
            name=name,
            angle=degrees,
            corner=corner,
        )
        length = charger.width * math.sin(path.wheel)
        steps.append(
            Step("wheel", name, ahead, wheeled, length, angle, pivot, ("t9a.move.wheel",), text)
        )
    if path.second > 0.0:
        text = _until(path.second, name, target)
        steps.append(
            Step(
                "forward",
                name,
                wheeled,
                contact,
                path.second,
                rules=("t9a.move.concluding-forward",),
                text=text,
            )
        )
    return tuple(steps)


def _until(length: float, name: str, target: str) -> str:
    """Return the sentence on a leg, in inches, that ends at first contact with the target."""
    return say(
        "{name} moves {length:.2f} in forward until it first touches {target}.",
        name=name,
        length=length,
        target=target,
    )


def path_findings(move: ChargeMove) -> list[Finding]:
    """Return the findings on a charge move: its parts and lengths, the greatest wheel, and first contact."""
    path = move.path
    scene = move.front.scene
    charger = scene.charger.name
    limit = scene.book.wheel_limit_deg
    wheel = math.degrees(move.path.wheel)
    legs = {
        say("{length:.2f} in forward", length=path.first): path.first,
        say(
            "a wheel of {angle:.2f} degrees to the {side}", angle=wheel, side=word(path.side)
        ): path.wheel,
        say("then {length:.2f} in forward", length=path.second): path.second,
    }
    way = listed((text for text, size in legs.items() if size > 0.0), ", ") or say("no move at all")
    first = say(
        "{charger} first moves {length:.2f} in straight forward.",
        charger=charger,
        length=path.first,
    )
    last = say(
        "{charger} finally moves {length:.2f} in straight forward.",
        charger=charger,
        length=path.second,
    )
    if path.first <= 0.0:
        first = say("{charger} does not move straight forward before wheeling.", charger=charger)
    if path.second <= 0.0:
        last = say("{charger} does not move forward after wheeling.", charger=charger)
    turned = say(
        "{charger} wheels once, by {angle:.2f} degrees; up to {limit:g} are allowed.",
        charger=charger,
        angle=wheel,
        limit=limit,
    )
    if wheel <= 0.0:
        turned = say(
            "{charger} does not wheel; a wheel of up to {limit:g} degrees is allowed.",
            charger=charger,
            limit=limit,
        )
    met = say(
        "{charger}'s front first touches the {facing} of {target}.",
        charger=charger,
        target=scene.target.name,
        facing=move.front.label,
    )
    found = [
        Finding(
            "t9a.move.room",
            ok=True,
            text=say(
                "A legal charge move still exists when {charger} comes to move.", charger=charger
            ),
        ),
        Finding(
            "t9a.move.snaking",
            ok=True,
            text=say(
                "The whole charge move: {way}; its length is {total:.2f} in.",
                way=way,
                total=move.length,
            ),
            measured=move.length,
        ),
        Finding("t9a.move.initial-forward", ok=True, text=first, measured=path.first),
        Finding("t9a.move.wheel", wheel <= limit, turned, wheel, limit, limit - wheel),
        Finding("t9a.move.concluding-forward", ok=True, text=last, measured=path.second),
        Finding(
            "t9a.move.front-only",
            ok=True,
            text=say(
                "During the move only {charger}'s front edge must keep clear of obstacles and stay on the board.",
                charger=charger,
            ),
        ),
        Finding("t9a.move.first-contact", ok=True, text=met),
    ]
    if move.is_along_a_line:
        text = say(
            "{charger}'s front first touches along a line; of that line a point counts as the first contact that is "
            "still in contact at the end.",
            charger=charger,
        )
        found.append(Finding("t9a.align.line-contact", ok=True, text=text))
    if profile_of(scene.charger).fly:
        text = say(
            "{charger} flies over obstacles; only the place where it lands must be free.",
            charger=charger,
        )
        found.append(Finding("t9a.move.fly", ok=True, text=text))
    return found


@dataclass(frozen=True)
class FailedMove:
    """A failed charge move: a wheel, then straight ahead.

    Attributes
    ----------
    start
        The charger before the move.
    side
        Front corner about which it wheels.
    wheel
        Wheel in radians, at least 0.
    forward
        Length of the straight move in inches.
    stopped_by
        Words for what ends the move.
    """

    start: Regiment
    side: Side
    wheel: float
    forward: float
    stopped_by: str

    @property
    def wheel_length(self) -> float:
        """Length of the wheel as the rules count it, in inches: the outer corner's advance in the original
        direction.
        """
        return self.start.width * math.sin(self.wheel)

    @property
    def moved(self) -> float:
        """Length of the whole move as the rules count it, in inches."""
        return self.wheel_length + self.forward

    @property
    def wheeled(self) -> Pose:
        """Pose of the charger after the wheel."""
        return self.start.pose.wheeled(self.side, self.wheel, width=self.start.width)

    @property
    def end(self) -> Pose:
        """Pose of the charger at the end of the move."""
        return self.wheeled.advanced(self.forward)

    def steps(self) -> tuple[Step, ...]:
        """Return the steps of the failed charge move, without parts of length 0."""
        steps = []
        if self.wheel > 0.0:
            angle = -self.wheel if self.side == "right" else self.wheel
            pivot = self.start.front_right if self.side == "right" else self.start.front_left
            degrees = math.degrees(self.wheel)
            corner = word(self.side)
            text = say(
                "Failed charge: {name} wheels {angle:.2f} degrees about its {corner} front corner.",
                name=self.start.name,
                angle=degrees,
                corner=corner,
            )
            unit = self.start
            rule = "t9a.failed.wheel"
            steps.append(
                Step(
                    "wheel",
                    unit.name,
                    unit.pose,
                    self.wheeled,
                    self.wheel_length,
                    angle,
                    pivot,
                    (rule,),
                    text,
                )
            )
        if self.forward > 0.0:
            text = say(
                "Failed charge: {name} moves {length:.2f} in forward.",
                name=self.start.name,
                length=self.forward,
            )
            steps.append(
                Step(
                    "forward",
                    self.start.name,
                    self.wheeled,
                    self.end,
                    self.forward,
                    rules=("t9a.failed.forward",),
                    text=text,
                )
            )
        return tuple(steps)

    def findings(self) -> list[Finding]:
        """Return the findings on wheel and straight move, and on what ended them."""
        name = self.start.name
        angle = math.degrees(self.wheel)
        told = {"corner": word(self.side), "length": self.wheel_length}
        wheel = say(
            "{name} does not wheel: it already faces the right way, or has no room to turn.",
            name=name,
        )
        if self.wheel > 0.0:
            wheel = say(
                "{name} wheels {angle:.4f} degrees about its {corner} front corner, which uses {length:.4f} in of the "
                "failed charge move.",
                name=name,
                angle=angle,
                **told,
            )
        forward = say(
            "{name} then moves {length:.4f} in forward; {stopped}.",
            name=name,
            length=self.forward,
            stopped=self.stopped_by,
        )
        return [
            Finding("t9a.failed.wheel", ok=True, text=wheel, measured=angle),
            Finding("t9a.failed.forward", ok=True, text=forward, measured=self.forward),
        ]


def failed_move(scene: Scene, name: FacingName) -> FailedMove:
    """Return the failed charge move towards the middle of the facing called `name`, short of contact with
    everything.
    """
    facing = facing_of(scene.target, name)
    side, aim = _aim(scene.charger, facing.point(facing.length / 2))
    length_used_up = math.asin(min(1.0, scene.book.failed_move / scene.charger.width))
    wheel = min(aim, math.radians(scene.book.wheel_limit_deg), length_used_up)
    move = FailedMove(scene.charger, side, min(wheel, _free_turn(scene, side, wheel)), 0.0, "")
    left = max(0.0, scene.book.failed_move - move.wheel_length)
    stop = free_slide(
        _front(scene.charger, move.wheeled), _hazards(scene), direction=move.wheeled.forward
    )
    ahead = stop.free
    by = stop.hazard.name if stop.hazard else ""
    stopped_by = (
        say("then all {inches:g} in are used up", inches=scene.book.failed_move)
        if left <= ahead
        else say("it stops before it would hit {by}", by=by)
    )
    return _standing(scene, replace(move, forward=min(left, ahead), stopped_by=stopped_by))


def _aim(charger: Regiment, middle: tuple[float, float]) -> tuple[Side, float]:
    """Return the corner to wheel about, and the wheel in radians after which the charger looks straight at a point.

    The wheel is inf if the point is too near to be looked at.
    """
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
    """Return the left and right front corner (2, 2) of a unit in a pose, in inches."""
    moved = unit.at(pose)
    return np.array([moved.front_left, moved.front_right])


def _free_turn(scene: Scene, side: Side, wheel: float) -> float:
    """Return the angle, in radians, by which the front can wheel before it is too near to an obstacle or the board's
    edge.

    It is inf if the whole `wheel` is free.
    """
    charger = scene.charger
    pivot, sense = (charger.front_right, -1) if side == "right" else (charger.front_left, 1)
    return free_turn(
        _front(charger, charger.pose), _hazards(scene), pivot=pivot, sense=sense, until=wheel
    ).free


def _hazards(scene: Scene) -> tuple[ConvexObstacle, ...]:
    """Return the obstacles of a failed charge move as convex bodies, the target and the outside of the board
    included.
    """
    charger = scene.charger
    return (
        *convex_parts_of(scene.failed_obstacles),
        *outside_board(scene.state.board, margin=charger.width + charger.depth),
    )


def _standing(scene: Scene, move: FailedMove) -> FailedMove:
    """Return the move shortened to the last point of its path where the charger's whole boundary is free and on the
    board.
    """
    body: Shape = scene.charger.at(move.end).boundary
    if scene.state.board.room(body) >= -CONTACT and all(
        gap(body, obstacle.shape) >= obstacle.needed - CONTACT
        for obstacle in scene.failed_obstacles
    ):
        return move
    short = replace(
        move, stopped_by=say("farther on, part of its boundary would overlap something")
    )
    forward = _last_free(_blocked_ahead(scene, move), move.forward)
    if forward is not None:
        return replace(short, forward=forward)
    return replace(
        short, wheel=_last_free(_blocked_turning(scene, move), move.wheel) or 0.0, forward=0.0
    )


def _last_free(blocked: list[tuple[float, float]], most: float) -> float | None:
    """Return the greatest value less than `most` outside of all open intervals, None if there is none.

    `most` itself is known not to be free.
    """
    value = most - GAP_ROUNDING
    for low, high in sorted(blocked, key=lambda stretch: -stretch[1]):
        if low < value < high:
            value = low
    return value if value >= 0.0 else None


def _blocked_ahead(scene: Scene, move: FailedMove) -> list[tuple[float, float]]:
    """Return the lengths of the straight move, as open intervals in inches, at which the charger's boundary is not
    free.
    """
    body = move.start.at(move.wheeled).boundary.pieces[0]
    return [
        stretch
        for hazard in _hazards(scene)
        if (
            stretch := blocked_slide(
                body, hazard.ring, direction=move.wheeled.forward, needed=hazard.needed
            )
        )
    ]


def _blocked_turning(scene: Scene, move: FailedMove) -> list[tuple[float, float]]:
    """Return the angles of the wheel, as open intervals in radians, at which the charger's boundary is not free."""
    body = move.start.boundary.pieces[0]
    pivot, sense = (
        (move.start.front_right, -1) if move.side == "right" else (move.start.front_left, 1)
    )
    hazards = _hazards(scene)
    rings = stack_padded([hazard.ring for hazard in hazards])
    needed = np.array([hazard.needed for hazard in hazards])
    found = blocked_turns(body, rings, needed=needed, until=move.wheel, pivot=pivot, sense=sense)
    return list(zip(found.low.tolist(), found.high.tolist(), strict=True))
