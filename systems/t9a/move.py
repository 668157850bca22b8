"""The snaking move that is shown for a charge: its legs, where they lead, and what is said of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from systems.t9a.aligned import Front
from systems.t9a.scene import profile_of
from tabletop.budget import Budget
from tabletop.fronts.reach import Advance, Witness, least_wheel
from tabletop.geometry.pose import Point, Pose
from tabletop.optimise.interval import Interval
from tabletop.ruling.charge import Step
from tabletop.ruling.finding import Finding
from tabletop.units import CONTACT

LEG_ROUNDING = 1e-9
"""Inches within which a leg is rounding."""


@dataclass(frozen=True)
class ChargeMove:
    """A charger's way to a facing; the point of it that stays in contact lies within `kept` (u, inches)."""

    front: Front
    kept: Interval
    path: Advance

    @property
    def poses(self) -> tuple[Pose, Pose, Pose, Pose]:
        """The charger before, after the initial forward, after the wheel, and at the first contact."""
        charger = self.front.scene.charger
        ahead = charger.pose.advanced(self.path.first)
        wheeled = ahead.wheeled(self.path.side, self.path.wheel, width=charger.width)
        return charger.pose, ahead, wheeled, wheeled.advanced(self.path.second)

    @property
    def landing(self) -> tuple[Point, Point]:
        """The right and the left front corner at the first contact, in (u, v) of the facing."""
        facing, charger = self.front.facing, self.front.scene.charger.at(self.poses[3])
        return facing.coordinates(charger.front_right), facing.coordinates(charger.front_left)

    @property
    def is_along_a_line(self) -> bool:
        """Whether the front meets the facing flush."""
        (_, right), (_, left) = self.landing
        return abs(right - left) <= CONTACT

    @property
    def contact(self) -> Point:
        """The point of first contact on the facing; of a contact along a line the point nearest to the middle of what is kept."""
        facing = self.front.facing
        (u_right, v_right), (u_left, v_left) = self.landing
        if self.is_along_a_line:
            u = min(max(sum(self.kept) / 2, u_right), u_left)
        elif min(v_right, v_left) < -CONTACT:
            u = 0.0 if v_right < v_left else facing.length
        else:
            u = u_right if v_right < v_left else u_left
        return facing.point(min(max(u, 0.0), facing.length))


def charge_move(front: Front, kept: Interval, *, hints: Sequence[Witness], budget: Budget) -> ChargeMove:
    """Choose the move shown: of all that first meet the facing within `kept`, the smallest wheel, then the shortest way.

    `hints` are slices known to reach the facing.
    """
    first, last = front.counting
    span = _met((max(kept[0], first), min(kept[1], last)), hints)
    return ChargeMove(front, span, _without_dust(least_wheel(front.way, span, hints=hints, budget=budget), front))


def _met(span: Interval, hints: Sequence[Witness]) -> Interval:
    """Widen a span that what is reached only just misses, within the tolerance of contact, to the nearest point that is reached."""
    missed, nearest = min(
        ((max(hint.low - span[1], span[0] - hint.high), hint) for hint in hints), key=lambda pair: pair[0], default=(0.0, None)
    )
    if nearest is None or not 0.0 < missed <= CONTACT:
        return span
    return min(span[0], nearest.high), max(span[1], nearest.low)


def _without_dust(path: Advance, front: Front) -> Advance:
    """Leave out legs that are rounding; a move without a wheel is one initial forward.

    A last leg within the tolerance of contact is left out as well where nothing can come nearer by it: not where only the landing
    is held against obstacles.
    """
    if path.wheel * front.width <= LEG_ROUNDING:
        return replace(path, first=path.first + path.second, wheel=0.0, second=0.0)
    least = LEG_ROUNDING if front.approach.ignores_way else CONTACT
    return replace(path, first=path.first if path.first > LEG_ROUNDING else 0.0, second=path.second if path.second > least else 0.0)


def path_steps(move: ChargeMove) -> tuple[Step, ...]:
    """Give the legs of the move, those of length 0 left out."""
    charger = move.front.scene.charger
    start, ahead, wheeled, contact = move.poses
    path, name, steps = move.path, charger.name, list[Step]()
    if path.first > 0.0:
        until = f" until it first touches {move.front.scene.target.name}" if path.wheel <= 0.0 else ""
        text = f"{name} moves {path.first:.2f} in forward{until}."
        steps.append(Step("forward", name, start, ahead, path.first, rules=("t9a.move.initial-forward",), text=text))
    if path.wheel > 0.0:
        angle = -path.wheel if path.side == "right" else path.wheel
        corner = charger.at(ahead)
        pivot = corner.front_right if path.side == "right" else corner.front_left
        text = f"{name} wheels {math.degrees(path.wheel):.2f} degrees about its {path.side} front corner."
        length = charger.width * math.sin(path.wheel)
        steps.append(Step("wheel", name, ahead, wheeled, length, angle, pivot, ("t9a.move.wheel",), text))
    if path.second > 0.0:
        text = f"{name} moves {path.second:.2f} in forward until it first touches {move.front.scene.target.name}."
        steps.append(Step("forward", name, wheeled, contact, path.second, rules=("t9a.move.concluding-forward",), text=text))
    return tuple(steps)


def path_findings(move: ChargeMove) -> list[Finding]:
    """Name the rules that shaped the way, with what was measured."""
    path, scene = move.path, move.front.scene
    limit, wheel = scene.book.wheel_limit_deg, math.degrees(move.path.wheel)
    total = path.first + scene.charger.width * math.sin(path.wheel) + path.second
    legs = {
        f"{path.first:.2f} in forward": path.first,
        f"a wheel of {wheel:.2f} degrees to the {path.side}": path.wheel,
        f"then {path.second:.2f} in forward": path.second,
    }
    parts = ", ".join(text for text, size in legs.items() if size > 0.0) or "no move at all"
    found = [
        Finding("t9a.move.room", ok=True, text="A legal charge move exists now that the charger moves."),
        Finding("t9a.move.snaking", ok=True, text=f"{parts}: {total:.2f} in in all.", measured=total),
        Finding("t9a.move.initial-forward", ok=True, text=f"{path.first:.2f} in straight forward first.", measured=path.first),
        Finding("t9a.move.wheel", wheel <= limit, f"One wheel of {wheel:.2f} degrees; {limit:g} are allowed.", wheel, limit, limit - wheel),
        Finding("t9a.move.concluding-forward", ok=True, text=f"{path.second:.2f} in straight forward at the end.", measured=path.second),
        Finding("t9a.move.front-only", ok=True, text="On the way only the front edge was held against obstacles and the board."),
        Finding("t9a.move.first-contact", ok=True, text=f"The front first meets {scene.target.name} on its {move.front.name}."),
    ]
    if move.is_along_a_line:
        text = "Of the line along which the front touches first, a point is named that the final place keeps in contact."
        found.append(Finding("t9a.align.line-contact", ok=True, text=text))
    if profile_of(scene.charger).fly:
        found.append(Finding("t9a.move.fly", ok=True, text=f"{scene.charger.name} flies: only where it lands must be free."))
    return found
