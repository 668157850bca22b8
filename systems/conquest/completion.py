"""Charges that complete: the steps, what the rules say of them, and what is counted."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import shapely

from systems.conquest.choosing import Choice
from systems.conquest.move import crossed, march_legs
from systems.conquest.trial import Trial
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape, gap
from tabletop.ruling.charge import Metric, Step
from tabletop.table.facing import Facing, facing_of, shown_models
from tabletop.table.state import State
from tabletop.units import CONTACT


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
        legs = (*march_legs(trial.scene), *trial.charge_legs, *trial.align_legs)
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


def evidence_contacts(done: Completion) -> Mapping[str, tuple[int, ...]]:
    """Give the stands in contact at the end, by unit."""
    scene = done.trial.scene
    target = {scene.target.name: done.target_in_contact} if scene.target.unit is not None else {}
    return {scene.charger.name: done.charger_in_contact, **target}
