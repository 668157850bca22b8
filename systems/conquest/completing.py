"""Charges that complete: the steps, what the rules say of them, and what is counted."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import shapely

from systems.conquest.choosing import Choice
from systems.conquest.path import align_legs, charge_legs, crossed, march_legs, path_findings
from systems.conquest.trial import Trial
from tabletop.contact import Facing, facing_of, shown_models
from tabletop.pose import Point
from tabletop.ruling import Finding, Metric, Step
from tabletop.shapes import Shape, gap
from tabletop.state import State
from tabletop.units import CONTACT
from tabletop.words import counted

QUARTER = 90.0
"""Degrees that a turn until flush stays below."""
FATES = {"own": "its own turn", "turned": "a turn of the target", "push": "a push", "touch": "a mere touch"}


@dataclass(frozen=True, eq=False)
class Completion:
    """A wheel that ends as a successful charge, and the choice it was made by."""

    trial: Trial
    choice: Choice

    @cached_property
    def after(self) -> State:
        """The table afterwards."""
        trial, scene = self.trial, self.trial.scene
        state = scene.state.with_unit(scene.charger.at(trial.end).with_status("charged", "inspired"))
        if scene.target.unit is not None and trial.target_end is not None:
            state = state.with_unit(scene.target.unit.at(trial.target_end))
        for name, pose in trial.pushed.items():
            state = state.with_unit(state.units[name].at(pose))
        return state

    @cached_property
    def body(self) -> Shape:
        """The charger's frame at the end."""
        return self.trial.scene.charger.at(self.trial.end).boundary

    @property
    def target_body(self) -> Shape:
        """The target's frame at the end."""
        unit = self.trial.scene.target.unit
        return self.after.units[unit.name].boundary if unit is not None else self.trial.scene.target.shape

    @property
    def facing(self) -> Facing:
        """The charged facing at the end."""
        charged, unit = self.trial.charged, self.trial.scene.target.unit
        return charged.facing if unit is None or charged.name is None else facing_of(self.after.units[unit.name], charged.name)

    @property
    def _is_counted_at_a_point(self) -> bool:
        return bool(self.trial.scene.choices.corner_contact == "counts")

    @cached_property
    def charger_in_contact(self) -> tuple[int, ...]:
        """Numbers of the front stands whose front edge is in contact with the target."""
        charger = self.trial.scene.charger.at(self.trial.end)
        edges = [
            (-charger.width / 2 + n * charger.base.width, -charger.width / 2 + (n + 1) * charger.base.width) for n in range(charger.files)
        ]
        lines = [(charger.pose.point(low, 0.0), charger.pose.point(high, 0.0)) for low, high in edges]
        return tuple(number for number, line in enumerate(lines) if self._touches(line, self.target_body))

    @cached_property
    def target_in_contact(self) -> tuple[int, ...]:
        """Numbers of the target's stands that show on the parts of the charged facing in contact with the charger."""
        unit, name = self.trial.scene.target.unit, self.trial.charged.name
        if unit is None or name is None:
            return ()
        parts = shown_models(unit, name)
        return tuple(part.number for part in parts if self._touches((self.facing.point(part.low), self.facing.point(part.high)), self.body))

    def _touches(self, line: tuple[Point, Point], body: Shape) -> bool:
        """Tell whether an edge is in contact with a body, by the choice in more than a point."""
        scene = self.trial.scene
        apart = float(shapely.LineString(line).distance(body.core))
        if not scene.is_in_contact(apart):
            return False
        return self._is_counted_at_a_point or self._common(line) > CONTACT

    def _common(self, line: tuple[Point, Point]) -> float:
        """Give how much of an edge on the line of contact lies on both front and facing, in inches."""
        if self.trial.fate == "touch" and self.trial.turn != 0.0:
            return 0.0
        charger, facing = self.trial.scene.charger.at(self.trial.end), self.facing
        stretches = [(0.0, facing.length)]
        for ends in ((charger.front_left, charger.front_right), line):
            low, high = sorted(facing.coordinates(end)[0] for end in ends)
            stretches.append((low, high))
        return min(high for _, high in stretches) - max(low for low, _ in stretches)

    @property
    def push_distance(self) -> float:
        """Inches by which others are pushed in all."""
        units = self.trial.scene.state.units
        return sum(math.dist(units[name].pose.at, pose.at) for name, pose in self.trial.pushed.items())

    @cached_property
    def crossed(self) -> tuple[str, ...]:
        """Names of the friends that were crossed."""
        trial = self.trial
        legs = (*march_legs(trial.scene), *charge_legs(trial), *align_legs(trial))
        return crossed(legs, trial.scene.crossable)

    @cached_property
    def nearest_other(self) -> tuple[float, str] | None:
        """Least gap of the charger's end frame to another enemy, garrison or impassable terrain, and whose it is."""
        return min(self.gaps(("enemy", "garrison", "impassable")), default=None)

    def gaps(self, kinds: tuple[str, ...]) -> Iterator[tuple[float, str]]:
        """Measure from the charger's end frame to others of some kinds (inches), with their names."""
        for obstacle in self.trial.scene.obstacles:
            if obstacle.rule.rpartition(".")[2] in kinds:
                unit = self.after.units.get(obstacle.name)
                yield gap(self.body, unit.boundary if unit is not None else obstacle.shape), obstacle.name


def completed_steps(done: Completion) -> tuple[Step, ...]:
    """Give wheel, advance, pushes, and the turn of charger or target, those that are nothing left out."""
    return tuple(_steps(done))


def _steps(done: Completion) -> Iterator[Step]:
    trial, scene = done.trial, done.trial.scene
    charger, target = scene.charger, scene.target
    if trial.angle > 0.0:
        text = f"{charger.name} wheels {math.degrees(trial.angle):.2f} degrees about its {trial.side} front corner."
        yield Step(
            "wheel", charger.name, charger.pose, trial.wheeled, None, trial.wheel, trial.pivot,
            ("conquest.wheel.free", "conquest.wheel.most-stands", "conquest.wheel.policy"), text,
        )  # fmt: skip
    text = f"{charger.name} goes {trial.way:.2f} in straight ahead until it touches {target.name}."
    yield Step(
        "advance", charger.name, trial.wheeled, trial.at_contact, trial.way, rules=("conquest.move.straight", "conquest.stop"), text=text
    )
    for name, pose in trial.pushed.items():
        start = scene.state.units[name].pose
        away = math.dist(start.at, pose.at)
        yield Step("push", name, start, pose, away, rules=("conquest.push",), text=f"{name} is pushed {away:.2f} in out of the way.")
    if trial.end != trial.at_contact:
        text = f"{charger.name} turns {math.degrees(abs(trial.turn)):.2f} degrees about the point of contact until it is flush."
        yield Step("align", charger.name, trial.at_contact, trial.end, None, trial.turn, trial.contact, ("conquest.align.flush",), text)
    if trial.fate == "turned" and target.unit is not None:
        text = f"{target.name} turns {math.degrees(abs(trial.turn)):.2f} degrees about the point of contact, for the charger cannot."
        rules = ("conquest.align.target-wheels",)
        yield Step("target_wheel", target.name, target.unit.pose, trial.target_end, None, -trial.turn, trial.contact, rules, text)


def completed_metrics(done: Completion) -> dict[str, Metric]:
    """Give what is counted and measured of a charge that completes."""
    trial = done.trial
    turns: dict[str, Metric] = {
        "own": {"align_deg": trial.turn},
        "push": {"align_deg": trial.turn},
        "turned": {"target_wheel_deg": -trial.turn},
    }
    target = {"target_stands_in_contact": len(done.target_in_contact)} if trial.scene.target.unit is not None else {}
    nearest = {} if done.nearest_other is None else {"nearest_other": done.nearest_other[0]}
    return {
        **wheel_metrics(trial),
        **{key: math.degrees(turn) + 0.0 for key, turn in turns.get(trial.fate, {}).items()},
        "contact_length": trial.length,
        "charger_stands_in_contact": len(done.charger_in_contact),
        **target,
        "pushed": len(trial.pushed),
        "push_distance": done.push_distance,
        **nearest,
        "broken": 0,
        "inspired": 1,
        "inspire_wasted": int(trial.scene.declarations.actions_after == 0),
    }


def wheel_metrics(trial: Trial) -> dict[str, Metric]:
    """Give what is counted and measured of wheel and advance."""
    return {"stands_reaching": trial.stands, "wheel_deg": math.degrees(trial.wheel), "advance": trial.way}


def wheel_findings(trial: Trial, choice: Choice) -> tuple[Finding, ...]:
    """Say what decided the wheel."""
    scene, degrees = trial.scene, math.degrees(trial.angle)
    limit = scene.book.wheel_limit_deg
    most, stands = choice.merit.stands, counted(trial.stands, "front stands")
    fates = f"; it completes by {FATES[trial.fate]}" if trial.fate in FATES else ""
    best = "no wheel that is as good in other respects brings more" if trial.stands >= most else f"another wheel brings {most}"
    return (
        Finding(
            "conquest.wheel.free",
            degrees <= limit,
            f"One wheel of {degrees:.4f} degrees; {limit:g} are allowed.",
            degrees,
            limit,
            limit - degrees,
        ),
        Finding(
            "conquest.wheel.most-stands",
            ok=True,
            text=f"{stands} reach the {trial.charged.label}; {best}{fates}.",
            measured=float(trial.stands),
        ),
        Finding("conquest.wheel.policy", ok=True, text=_policy(trial, choice)),
    )


def _policy(trial: Trial, choice: Choice) -> str:
    words = {"most-contact": "the longest contact", "least-turn": "the smallest wheel", "widest-turn": "the widest wheel"}
    policy = trial.scene.choices.wheel_policy
    best = choice.wheel
    text = f"Of the wheels that are equally good, '{policy}' takes {words[policy]}"
    if abs(best.angle - trial.angle) <= CONTACT and best.side == trial.side:
        return f"{text}: a contact of {trial.length:.4f} in."
    return f"{text}; that would be {math.degrees(best.angle):.4f} degrees about the {best.side} corner. The player's own wheel is as good."


def completed_findings(done: Completion) -> tuple[Finding, ...]:
    """Name the rules that shaped way, contact and end, with what was measured."""
    trial, scene = done.trial, done.trial.scene
    return (
        *wheel_findings(trial, done.choice),
        *path_findings(trial),
        Finding("conquest.move.straight", ok=True, text=f"{trial.way:.4f} in straight ahead.", measured=trial.way),
        distance_finding(trial),
        *_near(done),
        Finding("conquest.through.friends", ok=True, text=_through(done)),
        Finding(
            "conquest.stop", ok=True, text=f"The advance stops at first contact with {scene.target.name}, on its {trial.charged.label}."
        ),
        *_aligned(done),
        Finding("conquest.through.clear", ok=True, text=_through(done, "and is clear of all of them at the end")),
        Finding("conquest.contact.only-by-charge", ok=True, text=f"{scene.charger.name} is in contact by a charge that completed."),
        *_inspire(done),
    )


def distance_finding(trial: Trial) -> Finding:
    """Say whether the straight move is within the Charge Distance."""
    rule = "conquest.move.charge-distance"
    if not math.isfinite(trial.most):
        return Finding(rule, ok=True, text="Once the roll is enough the length of the straight move does not matter.", measured=trial.way)
    margin = trial.most - trial.way
    text = f"The straight move is {trial.way:.4f} in of the {trial.most:g} in of the Charge Distance."
    return Finding(rule, margin >= -CONTACT, text, trial.way, trial.most, margin)


def _near(done: Completion) -> tuple[Finding, ...]:
    scene = done.trial.scene
    near, limit = scene.book.near_gap, scene.choices.clearance
    others = min(done.gaps(("enemy", "garrison")), default=None)
    text = "There is nothing else to come near to."
    if done.nearest_other is not None:
        least, name = done.nearest_other
        text = f"It ends {least:.4f} in from {name}; coming within {near:g} in is no fault."
    inch = Finding("conquest.near.inch", ok=True, text=text, measured=done.nearest_other[0] if done.nearest_other else None)
    if others is None:
        return inch, Finding("conquest.near.no-contact", ok=True, text="There is no other enemy or garrison.")
    least, name = others
    text = f"It ends {least:.4f} in from {name}, which it did not charge."
    return inch, Finding("conquest.near.no-contact", least - limit >= -CONTACT, text, least, limit, least - limit)


def _through(done: Completion, end: str = "") -> str:
    if not done.crossed:
        return "It crosses no friends."
    return f"It crosses {', '.join(done.crossed)}{' ' if end else ''}{end}."


def _aligned(done: Completion) -> Iterator[Finding]:
    trial, scene = done.trial, done.trial.scene
    charger, target, degrees = scene.charger.name, scene.target.name, math.degrees(abs(trial.turn))
    label = trial.charged.label
    if trial.fate == "touch":
        yield Finding("conquest.align.flush", ok=True, text=f"Nobody can turn flush; {charger} stays where it touched {target}.")
    elif trial.fate == "turned":
        yield Finding(
            "conquest.align.flush", ok=True, text=f"{charger} has no room to turn {degrees:.4f} degrees itself.", measured=degrees
        )
        text = f"{target} turns {degrees:.4f} degrees about the point of contact, and is flush."
        yield Finding("conquest.align.target-wheels", ok=True, text=text, measured=degrees)
    else:
        text = f"{charger} turns {degrees:.4f} degrees about the point of contact, and is flush on the {label} of {target}."
        yield Finding("conquest.align.flush", degrees <= QUARTER, text, degrees, QUARTER, QUARTER - degrees)
    if is_at_corner(trial):
        yield Finding("conquest.facing.corner", ok=True, text=f"It touches a corner of {target}; the {label} is the side charged.")
    if trial.fate == "push":
        names = ", ".join(trial.pushed)
        text = f"Contact is impossible without {names}, moved {done.push_distance:.4f} in in all, the least there is room for."
        yield Finding("conquest.push", ok=True, text=text, measured=done.push_distance)
        yield Finding("conquest.push.room", ok=True, text=f"There is a free place for {names}.")


def is_at_corner(trial: Trial) -> bool:
    """Tell whether the contact is at an end of the charged facing, while the front is not flush on it."""
    along = float(trial.fan.along[0])
    return trial.turn != 0.0 and min(along, trial.charged.facing.length - along) <= CONTACT


def _inspire(done: Completion) -> Iterator[Finding]:
    scene = done.trial.scene
    name = scene.charger.name
    yield Finding("conquest.inspire", ok=True, text=f"{name} is inspired: a free Inspire.")
    if scene.profile.impact:
        yield Finding("conquest.inspire.impact", ok=True, text="It is of no use to its Impact Attacks.")
    if scene.declarations.actions_after == 0:
        yield Finding("conquest.inspire.wasted", ok=True, text=f"{name} has no action left to use it with: it is wasted.")


def evidence_contacts(done: Completion) -> Mapping[str, tuple[int, ...]]:
    """Give the stands in contact at the end, by unit."""
    scene = done.trial.scene
    target = {scene.target.name: done.target_in_contact} if scene.target.unit is not None else {}
    return {scene.charger.name: done.charger_in_contact, **target}
