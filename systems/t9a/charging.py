"""A charge that completes: the move shown, what is said of it, and what it leads to."""

import math
from dataclasses import dataclass

from systems.t9a.aligned import AlignedPlace, contact_length, numbers_in_contact
from systems.t9a.placing import Placement, placement_findings
from systems.t9a.scene import profile_of
from tabletop.errors import NoVerdictError
from tabletop.pose import Point, Pose
from tabletop.ruling import Finding, Metric, Step
from tabletop.solve.budget import Budget
from tabletop.solve.reach import Advance, least_wheel
from tabletop.units import CONTACT


@dataclass(frozen=True)
class ChargeMove:
    """An aligned place with the snaking move that is shown for it."""

    place: AlignedPlace
    path: Advance

    @property
    def poses(self) -> tuple[Pose, Pose, Pose, Pose]:
        """The charger before, after the initial forward, after the wheel, and at the first contact."""
        charger = self.place.front.scene.charger
        ahead = charger.pose.advanced(self.path.first)
        wheeled = ahead.wheeled(self.path.side, self.path.wheel, width=charger.width)
        return charger.pose, ahead, wheeled, wheeled.advanced(self.path.second)

    @property
    def contact(self) -> Point:
        """The point of first contact on the facing; of a contact along a line the point nearest to the middle of the final front."""
        facing, charger = self.place.front.facing, self.place.front.scene.charger.at(self.poses[3])
        (u_right, v_right), (u_left, v_left) = facing.coordinates(charger.front_right), facing.coordinates(charger.front_left)
        if abs(v_right - v_left) <= CONTACT:
            low, high = max(u_right, 0.0), min(u_left, facing.length)
            u = min(max(sum(self.place.covered) / 2, low), high)
        elif min(v_right, v_left) < -CONTACT:
            u = 0.0 if v_right < v_left else facing.length
        else:
            u = u_right if v_right < v_left else u_left
        return facing.point(min(max(u, 0.0), facing.length))


def charge_move(place: AlignedPlace, *, budget: Budget) -> ChargeMove:
    """Choose the move shown for a place: the smallest wheel, then the shortest way.

    Raises
    ------
    NoVerdictError
        If the place or the move does not hold against the limits when they are measured again.
    """
    (low, high), (first, last) = place.covered, place.front.counting
    move = ChargeMove(place, least_wheel(place.front.approach, (max(low, first), min(high, last)), budget=budget))
    broken = [finding for finding in place_findings(move) if not finding.ok]
    if broken:
        raise NoVerdictError(f"the placement found does not pass its own check: {broken[0].rule}: {broken[0].text}")
    return move


def place_findings(move: ChargeMove) -> list[Finding]:
    """Measure the final place against the limits again."""
    return placement_findings(Placement(move.place.front, move.place.pose, move.place.reached))


def move_steps(move: ChargeMove) -> tuple[Step, ...]:
    """Give the parts of the charge move, those of length 0 left out, and the align move."""
    charger = move.place.front.scene.charger
    start, ahead, wheeled, contact = move.poses
    path, name, steps = move.path, charger.name, []
    if path.first > CONTACT:
        text = f"{name} moves {path.first:.2f} in forward."
        steps.append(Step("forward", name, start, ahead, path.first, rules=("t9a.move.initial-forward",), text=text))
    if path.wheel > 0.0:
        angle = -path.wheel if path.side == "right" else path.wheel
        corner = charger.at(ahead)
        pivot = corner.front_right if path.side == "right" else corner.front_left
        text = f"It wheels {math.degrees(path.wheel):.2f} degrees about its {path.side} front corner."
        length = charger.width * math.sin(path.wheel)
        steps.append(Step("wheel", name, ahead, wheeled, length, angle, pivot, ("t9a.move.wheel",), text))
    if path.second > CONTACT:
        text = f"It moves {path.second:.2f} in forward until it first touches {move.place.front.scene.target.name}."
        rule = "t9a.move.concluding-forward" if path.wheel > 0.0 or path.first > CONTACT else "t9a.move.initial-forward"
        steps.append(Step("forward", name, wheeled, contact, path.second, rules=(rule,), text=text))
    text = f"It is put down flush against the {move.place.front.name}, {math.dist(contact.at, move.place.pose.at):.2f} in from there."
    rules = ("t9a.align.place", "t9a.align.initial-contact", "t9a.align.flush", "t9a.align.target-models", "t9a.align.charger-models")
    return (*steps, Step("align", name, contact, move.place.pose, math.dist(contact.at, move.place.pose.at), rules=rules, text=text))


def move_findings(move: ChargeMove) -> list[Finding]:
    """Name every rule that shaped the move and the place, with what was measured."""
    return [*_path_findings(move), *place_findings(move), *_goal_findings(move.place)]


def _path_findings(move: ChargeMove) -> list[Finding]:
    path, scene = move.path, move.place.front.scene
    limit, wheel = scene.book.wheel_limit_deg, math.degrees(move.path.wheel)
    total = path.first + scene.charger.width * math.sin(path.wheel) + path.second
    parts = f"{path.first:.2f} in forward, a wheel of {wheel:.2f} degrees to the {path.side}, {path.second:.2f} in forward"
    found = [
        Finding("t9a.move.room", ok=True, text="A legal charge move exists now that the charger moves."),
        Finding("t9a.move.snaking", ok=True, text=f"{parts}: {total:.2f} in in all.", measured=total),
        Finding("t9a.move.initial-forward", ok=True, text=f"{path.first:.2f} in straight forward first.", measured=path.first),
        Finding("t9a.move.wheel", wheel <= limit, f"One wheel of {wheel:.2f} degrees; {limit:g} are allowed.", wheel, limit, limit - wheel),
        Finding("t9a.move.concluding-forward", ok=True, text=f"{path.second:.2f} in straight forward at the end.", measured=path.second),
        Finding("t9a.move.front-only", ok=True, text="On the way only the front edge was held against obstacles and the board."),
        Finding("t9a.move.first-contact", ok=True, text=f"The front first meets {scene.target.name} on its {move.place.front.name}."),
    ]
    if profile_of(scene.charger).fly:
        found.append(Finding("t9a.move.fly", ok=True, text=f"{scene.charger.name} flies: only where it lands must be free."))
    return found


def _goal_findings(place: AlignedPlace) -> list[Finding]:
    front = place.front
    scene, values = front.scene, place.values
    counts = [
        Finding(goal.rule, ok=True, text=f"{value:.0f} {goal.unit} in contact; no legal place has more{suffix}.", measured=value)
        for goal, value, suffix in zip(front.goals, values, ("", " with as many of the target"), strict=True)
    ]
    meets = numbers_in_contact(front, place.slide)[scene.target.name]
    over_gaps = sum(model.is_set_back and model.number in meets for model in front.shown)
    gaps = (
        f"{over_gaps} of the models counted stand behind empty places." if over_gaps else "No model counted stands behind an empty place."
    )
    free = len(place.stretches)
    choice = f"{free} separate stretches of places are equally good" if free > 1 else "One stretch of places is best"
    return [
        Finding(
            "t9a.align.place", ok=True, text=f"{scene.charger.name} is put down with its front at {place.slide:.4f} in along the facing."
        ),
        Finding("t9a.align.line-contact", ok=True, text="The point named is one that this place keeps in contact."),
        *counts,
        Finding("t9a.align.gaps", ok=True, text=gaps, measured=float(over_gaps)),
        Finding("t9a.align.priority", ok=True, text="More models of the target come before more of the charger."),
        Finding(
            "t9a.align.serve", ok=True, text=f"{len(front.breakpoints)} slides at which a count changes, and all between, were compared."
        ),
        Finding("t9a.align.free-choice", ok=True, text=f"{choice}; taken by '{scene.choices.tie}'.", measured=float(free)),
    ]


def place_metrics(place: AlignedPlace) -> dict[str, Metric]:
    """Give what is counted and measured of a completed charge."""
    return {
        "target_models_in_contact": int(place.values[0]),
        "charger_models_in_contact": int(place.values[1]),
        "contact_length": contact_length(place),
        "offset": place.offset,
        "leeway": place.leeway,
        "remaining_angle_deg": 0.0,
    }
