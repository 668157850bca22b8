"""Skirmish: fighters on round bases run straight at an enemy.

They must touch it, and other enemies as well if they can.

This module is the complete game. It uses only `tabletop.kit`; docs/new-game.md of tabletop explains it.
"""

import math
import tomllib
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from tabletop.kit import (
    CONTACT,
    Case,
    Charge,
    Entry,
    Fault,
    Field,
    Finding,
    Goal,
    Limit,
    Looks,
    Placement,
    Pose,
    Rule,
    Squad,
    StatedSystem,
    Table,
    Variable,
    Vocabulary,
    body,
    gap_between,
    margin_inside,
    models_in_contact,
    moved_to,
    of_each,
    say,
    way_gap,
)


class Profile(Entry):
    """Profile of a fighter."""

    move: Annotated[float, Field(ge=0, le=20)] = 4.0
    """Inches that a fighter runs beside the die."""


class Choices(Entry):
    """Reading of the one unclear rule."""

    tired: Literal["may-run", "may-not-run"] = "may-not-run"
    """Whether a tired fighter may run at somebody."""


class Declarations(Entry):
    """A run has no keys besides its target."""


@dataclass(frozen=True)
class Book:
    """Numbers of the rules."""

    sight: float = field(default=18.0, metadata={"unit": "in", "source": "seeing"})


def problems(table: Table, charges: Any) -> list[Fault]:
    """Return the faults of a set-up: units of several fighters, and runs at several targets."""
    crowds = [
        Fault(f"units.{name}.models", "expected one fighter")
        for name, unit in table.units.items()
        if len(unit.models) > 1
    ]
    return crowds + [
        Fault(f"charges[{number}].targets", "expected one target")
        for number, charge in charges
        if len(charge.targets) > 1
    ]


def enemies(table: Table, fighter: Squad) -> list[Squad]:
    """Return the units of other sides."""
    return [unit for unit in table.units.values() if unit.side != fighter.side]


def solid(table: Table, *besides: str) -> list[Any]:
    """Return the bodies of walls and of all units except those named."""
    walls = [piece.shape for piece in table.terrain if piece.kind == "wall"]
    return [
        *walls,
        *(
            shape
            for name, unit in table.units.items()
            if name not in besides
            for shape in body(unit)
        ),
    ]


def radius(fighter: Squad) -> float:
    """Return the radius of a fighter's base in inches."""
    return fighter.models[0].base.diameter / 2


class Skirmish(StatedSystem):
    """The skirmish game."""

    name: ClassVar[str] = "skirmish"
    title: ClassVar[str] = "Skirmish"
    editions: ClassVar[tuple[str, ...]] = ("1st",)
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule("skirmish.ready", "a tired fighter does not run", "limit", "running"),
        Rule(
            "skirmish.sight",
            "a target is no farther than one sees, and no wall is between",
            "limit",
            "seeing",
        ),
        Rule(
            "skirmish.reach", "the die and the move together reach the target", "limit", "running"
        ),
        Rule(
            "skirmish.run",
            "the way is straight, and no longer than the die and the move",
            "limit",
            "running",
        ),
        Rule(
            "skirmish.way",
            "nobody and no wall stands in the way, nor where the run ends",
            "limit",
            "running",
        ),
        Rule("skirmish.board", "nobody leaves the table", "limit", "the table"),
        Rule("skirmish.touch", "a run ends in contact with its target", "limit", "running"),
        Rule("skirmish.most", "as many enemies as can be are touched", "goal", "running"),
        Rule("skirmish.shortest", "the way is as short as it can be", "goal", "running"),
        Rule("skirmish.stand", "nobody else moves", "limit", "running"),
    )
    vocabulary: ClassVar[Vocabulary] = Vocabulary(
        profile=Profile,
        choices=Choices,
        declarations=Declarations,
        terrain_kinds=("wall", "thicket"),
        status=("tired",),
        problems=problems,
        placement="loose",
        heights=(("wall", 3.0),),
        looks=Looks(
            terrain={"thicket": "wood"},
            words={"de": {"terrain.thicket": "Dickicht", "status.tired": "müde"}},
            phrases={
                "de": tomllib.loads(files("skirmish").joinpath("german.toml").read_text("utf-8"))
            },
        ),
    )
    book: ClassVar[Book] = Book()

    def declared(self, case: Case, table: Table, charge: Charge) -> tuple[Finding, ...]:
        """Check whether the fighter is ready and sees the target."""
        fighter = table.units[charge.charger]
        target = table.units[charge.targets[0]]
        is_ready = "tired" not in fighter.status or case.choices.tired == "may-run"
        gap = gap_between(body(fighter), body(target))
        most = case.book.sight
        away = say("{name} is {gap:.2f} in away.", name=target.name, gap=gap)
        return (
            Finding(
                "skirmish.ready",
                is_ready,
                say("{name} is ready." if is_ready else "{name} is tired.", name=fighter.name),
            ),
            Finding("skirmish.sight", gap <= most + CONTACT, away, gap, most, most - gap),
            self._clear(table, fighter, target),
        )

    def _clear(self, table: Table, fighter: Squad, target: Squad) -> Finding:
        walls = [piece.shape for piece in table.terrain if piece.kind == "wall"]
        room = way_gap(fighter.models[0].pose.at, target.models[0].pose.at, 0.0, walls)
        if math.isinf(room):
            return Finding("skirmish.sight", ok=True, text=say("No wall stands on the table."))
        text = say("The line of sight keeps {room:.2f} in to walls.", room=room)
        return Finding("skirmish.sight", room >= -CONTACT, text, room, 0.0, room)

    def dice(self, case: Case, table: Table, charge: Charge) -> int:
        """Roll one die."""
        del case, table, charge
        return 1

    def reached(self, case: Case, table: Table, charge: Charge, total: int) -> tuple[Finding, ...]:
        """Check whether die and move are enough for the straight way."""
        del case
        fighter = table.units[charge.charger]
        target = table.units[charge.targets[0]]
        gap = gap_between(body(fighter), body(target))
        most = total + fighter.profile.move
        text = say("It runs {most:g} in; {gap:.2f} in are needed.", most=most, gap=gap)
        return (Finding("skirmish.reach", gap <= most + CONTACT, text, gap, most, most - gap),)

    def placement(self, case: Case, table: Table, charge: Charge, total: int) -> Placement:
        """State where the fighter may end: in contact with the target, at any bearing from it."""
        del case
        fighter = table.units[charge.charger]
        target = table.units[charge.targets[0]]
        start = fighter.models[0].pose
        x, y = target.models[0].pose.at
        apart = radius(fighter) + radius(target)
        most = total + fighter.profile.move

        def place(point: Any) -> Table:
            bearing = float(point[0])
            end = Pose(
                x + apart * math.cos(bearing), y + apart * math.sin(bearing), bearing + math.pi
            )
            return table.with_unit(moved_to(fighter, [end]).with_status("tired"))

        def end(after: Table) -> Pose:
            return after.units[fighter.name].models[0].pose

        def run(after: Table) -> Finding:
            length = math.dist(start.at, end(after).at)
            text = say("The way is {length:.2f} in.", length=length)
            return Finding(
                "skirmish.run", length <= most + CONTACT, text, length, most, most - length
            )

        def way(after: Table) -> Finding:
            room = way_gap(start.at, end(after).at, radius(fighter), solid(table, fighter.name))
            if math.isinf(room):
                return Finding("skirmish.way", ok=True, text=say("Nothing is there."))
            text = say("The way keeps {room:.2f} in to what is solid.", room=room)
            return Finding("skirmish.way", room >= -CONTACT, text, room, 0.0, room)

        def board(after: Table) -> Finding:
            room = margin_inside(body(after.units[fighter.name]), after)
            text = say("It ends {room:.2f} in within the edge.", room=room)
            return Finding("skirmish.board", room >= -CONTACT, text, room, 0.0, room)

        def touch(after: Table) -> Finding:
            gap = abs(gap_between(body(after.units[fighter.name]), body(after.units[target.name])))
            text = say("It ends {gap:.4f} in from {name}.", gap=gap, name=target.name)
            return Finding("skirmish.touch", gap <= CONTACT, text, gap, 0.0, -gap)

        return Placement(
            variables=(
                Variable(
                    "bearing",
                    -math.pi,
                    math.pi,
                    "rad",
                    marks=self._marks(table, fighter, target, start),
                ),
            ),
            place=place,
            limits=(
                Limit("skirmish.run", run),
                Limit("skirmish.way", way),
                Limit("skirmish.board", board),
                Limit("skirmish.touch", touch),
            ),
            goals=(
                Goal("skirmish.most", "enemies", of_each(partial(self._touched, fighter=fighter))),
                Goal(
                    "skirmish.shortest",
                    "in",
                    of_each(lambda after: -math.dist(start.at, end(after).at)),
                    is_counted=False,
                    is_least=True,
                ),
            ),
        )

    def _touched(self, table: Table, fighter: Squad) -> int:
        """Count the enemies that a fighter touches."""
        return sum(
            bool(models_in_contact(table.units[fighter.name], other)[0])
            for other in enemies(table, fighter)
        )

    def _marks(self, table: Table, fighter: Squad, target: Squad, start: Pose) -> tuple[float, ...]:
        """Return the bearings at which goals may jump: towards the start, and where another enemy is touched as
        well.
        """
        x, y = target.models[0].pose.at
        near = radius(fighter) + radius(target)
        found = [math.atan2(start.y - y, start.x - x)]
        for other in enemies(table, fighter):
            other_x, other_y = other.models[0].pose.at
            far = radius(fighter) + radius(other)
            apart = math.dist((x, y), (other_x, other_y))
            if other is not target and abs(near - far) <= apart <= near + far:
                turn = math.acos(
                    float(np.clip((near**2 + apart**2 - far**2) / (2 * near * apart), -1.0, 1.0))
                )
                towards = math.atan2(other_y - y, other_x - x)
                found += [math.remainder(towards + sign * turn, math.tau) for sign in (1, -1)]
        return tuple(found)


SYSTEM = Skirmish()
