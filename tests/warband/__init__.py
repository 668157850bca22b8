"""A small game in which regiments and loose models stand on one table, written with `tabletop.kit` alone."""

import math
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Annotated, Any, ClassVar

from tabletop.kit import (
    CONTACT,
    Case,
    Charge,
    Entry,
    Evidence,
    Fault,
    Field,
    Finding,
    Goal,
    Limit,
    Looks,
    Placement,
    Pose,
    Regiment,
    Rule,
    Squad,
    StatedSystem,
    Step,
    Table,
    Variable,
    Vocabulary,
    arcs_of,
    arcs_shown,
    body,
    facing_of,
    gap_between,
    legs,
    march,
    margin_inside,
    models_in_contact,
    moved_to,
    of_each,
    off_board,
    overlaps,
    poses_of,
    room_on_way,
    say,
    steps_between,
    surroundings,
)

FRONT = (0.0, 0.0)
"""A regiment turns about the middle of its front."""


class Profile(Entry):
    """What a unit is capable of."""

    march: Annotated[float, Field(ge=0, le=20)] = 5.0
    """Inches that a unit goes beside the dice."""


class Choices(Entry):
    """Nothing is open."""


class Declarations(Entry):
    """A charge needs no more words than its target."""


@dataclass(frozen=True)
class Book:
    """The numbers of the rules."""

    turn: float = field(default=math.pi / 2, metadata={"unit": "radians", "source": "marching"})
    friends: float = field(default=0.5, metadata={"unit": "in", "source": "marching"})


def radius_of(model: Any) -> float:
    """Return the radius of a model's round base in inches."""
    return float(model.base.diameter) / 2


def problems(table: Table, charges: Any) -> list[Fault]:
    """Refuse what lies over something else or beyond the edge, charges of several loose models, and charges at several
    units.
    """
    found = [*off_board(table), *overlaps(table, ("rock",))]
    for number, charge in charges:
        if isinstance(unit := table.units[charge.charger], Squad) and len(unit.models) > 1:
            found.append(
                Fault(
                    f"charges[{number}].charger",
                    f"expected a regiment or a single model; {unit.name} is of several",
                )
            )
        if len(charge.targets) > 1:
            found.append(Fault(f"charges[{number}].targets", "expected one target"))
    return found


class Warband(StatedSystem):
    """The game."""

    name: ClassVar[str] = "warband"
    title: ClassVar[str] = "Warband"
    editions: ClassVar[tuple[str, ...]] = ("1st",)
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule("warband.enemy", "a target is an enemy", "limit", "declaring"),
        Rule(
            "warband.seen",
            "a regiment charges only who stands before its front",
            "limit",
            "declaring",
        ),
        Rule(
            "warband.reach", "two dice and the march together reach the target", "limit", "marching"
        ),
        Rule(
            "warband.length",
            "the way is no longer than the dice and the march",
            "limit",
            "marching",
        ),
        Rule(
            "warband.ahead",
            "a regiment goes ahead, turns about the middle of its front, and goes ahead",
            "limit",
            "marching",
        ),
        Rule("warband.turn", "it turns by a quarter at most", "limit", "marching"),
        Rule(
            "warband.way",
            "the way is clear of rocks and enemies, and keeps half an inch from friends",
            "limit",
            "marching",
        ),
        Rule("warband.board", "nobody leaves the table", "limit", "the table"),
        Rule("warband.touch", "a charge ends in contact with its target", "limit", "marching"),
        Rule(
            "warband.side",
            "of a regiment that side is met in whose arc the charger stood, by a front flush",
            "limit",
            "marching",
        ),
        Rule("warband.most", "as many models as can be touch each other", "goal", "marching"),
        Rule("warband.shortest", "the way is as short as it can be", "goal", "marching"),
        Rule("warband.stand", "nobody else moves", "limit", "marching"),
    )
    vocabulary: ClassVar[Vocabulary] = Vocabulary(
        profile=Profile,
        choices=Choices,
        declarations=Declarations,
        terrain_kinds=("rock", "briar"),
        status=("winded",),
        problems=problems,
        placement=("regiment", "loose"),
        solid=("rock",),
        heights=(("rock", 2.0),),
        looks=Looks(terrain={"briar": "wood"}, steps={"ahead": "move"}),
    )
    book: ClassVar[Book] = Book()

    def declared(self, case: Case, table: Table, charge: Charge) -> tuple[Finding, ...]:
        """Ask whether the target is an enemy, and of a regiment whether it stands before its front."""
        del case
        unit = table.units[charge.charger]
        target = table.units[charge.targets[0]]
        sides = say(
            "{name} is {side}, {target} {other}.",
            name=unit.name,
            side=unit.side,
            target=target.name,
            other=target.side,
        )
        enemy = Finding("warband.enemy", unit.side != target.side, sides)
        if isinstance(unit, Squad):
            return (enemy,)
        is_seen = any("front" in arcs_of(unit, point) for point in self._points(target))
        stands = (
            "{target} stands before the front of {name}."
            if is_seen
            else "{target} stands not before the front of {name}."
        )
        return enemy, Finding(
            "warband.seen", is_seen, say(stands, target=target.name, name=unit.name)
        )

    def _points(self, target: Any) -> list[tuple[float, float]]:
        return (
            [target.centre]
            if isinstance(target, Regiment)
            else [pose.at for pose in poses_of(target)]
        )

    def dice(self, case: Case, table: Table, charge: Charge) -> int:
        """Roll two."""
        del case, table, charge
        return 2

    def reached(self, case: Case, table: Table, charge: Charge, total: int) -> tuple[Finding, ...]:
        """Compare the gap with the dice and the march."""
        del case
        unit = table.units[charge.charger]
        target = table.units[charge.targets[0]]
        gap = gap_between(body(unit), body(target))
        most = total + unit.profile.march
        text = say("It goes {most:g} in; {gap:.2f} in are between.", most=most, gap=gap)
        return (Finding("warband.reach", gap <= most + CONTACT, text, gap, most, most - gap),)

    def _met(self, table: Table, charge: Charge) -> Any:
        """Return the side of a regiment in whose arc the charger stands; None of loose models."""
        unit = table.units[charge.charger]
        target = table.units[charge.targets[0]]
        return arcs_of(target, poses_of(unit)[0].at)[0] if isinstance(target, Regiment) else None

    def placement(self, case: Case, table: Table, charge: Charge, total: int) -> Placement:
        """State where the charge may end: by where along the target, or by a direction."""
        unit = table.units[charge.charger]
        target = table.units[charge.targets[0]]
        most = total + unit.profile.march
        variables, pose_at = self._ends(table, charge, most)

        def place(point: Any) -> Table:
            end = pose_at(*map(float, point))
            return table.with_unit(
                (moved_to(unit, [end]) if isinstance(unit, Squad) else unit.at(end)).with_status(
                    "winded"
                )
            )

        def length(after: Table) -> Finding:
            way = self._length(case, table, after, charge)
            return Finding(
                "warband.length",
                way <= most + CONTACT,
                say("The way is {way:.2f} in.", way=way),
                way,
                most,
                most - way,
            )

        def turn(after: Table) -> Finding:
            found = abs(
                math.remainder(
                    poses_of(after.units[unit.name])[0].heading - poses_of(unit)[0].heading,
                    math.tau,
                )
            )
            degrees = math.degrees(found)
            limit = math.degrees(case.book.turn)
            text = say("It turns by {degrees:.1f}°.", degrees=degrees)
            return Finding(
                "warband.turn", found <= case.book.turn, text, degrees, limit, limit - degrees
            )

        def ahead(after: Table) -> Finding:
            found = legs(unit.pose, after.units[unit.name].pose, FRONT)
            least = -math.inf if found is None else min(found)
            text = say("It goes ahead by {least:.2f} in at least.", least=least)
            return Finding("warband.ahead", least >= -CONTACT, text, least, 0.0, least)

        def way(after: Table) -> Finding:
            around = surroundings(
                table,
                unit,
                friends=case.book.friends,
                terrain={"rock": 0.0},
                besides=charge.targets,
            )
            room = room_on_way(self.steps(case, table, after, charge), unit, around)
            if math.isinf(room):
                return Finding("warband.way", ok=True, text=say("Nothing is there."))
            text = say("The way keeps {room:.2f} in more than it must.", room=room)
            return Finding("warband.way", room >= -CONTACT, text, room, 0.0, room)

        def board(after: Table) -> Finding:
            room = margin_inside(body(after.units[unit.name]), after)
            text = say("It ends {room:.2f} in within the edge.", room=room)
            return Finding("warband.board", room >= -CONTACT, text, room, 0.0, room)

        def touch(after: Table) -> Finding:
            gap = abs(gap_between(body(after.units[unit.name]), body(after.units[target.name])))
            text = say("It ends {gap:.4f} in from {name}.", gap=gap, name=target.name)
            return Finding("warband.touch", gap <= CONTACT, text, gap, 0.0, -gap)

        limits = (
            Limit("warband.length", length),
            Limit("warband.way", way),
            Limit("warband.board", board),
            Limit("warband.touch", touch),
        )
        most_touched = Goal(
            "warband.most", "models", of_each(partial(self._touched, name=unit.name))
        )

        def nearness(after: Table) -> float:
            return -self._length(case, table, after, charge)

        return Placement(
            variables=variables,
            place=place,
            limits=limits
            if isinstance(unit, Squad)
            else (*limits, Limit("warband.ahead", ahead), Limit("warband.turn", turn)),
            goals=(
                most_touched,
                Goal("warband.shortest", "in", of_each(nearness), is_counted=False, is_least=True),
            ),
        )

    def _length(self, case: Case, before: Table, after: Table, charge: Charge) -> float:
        return sum(step.length or 0.0 for step in self.steps(case, before, after, charge))

    def _touched(self, table: Table, name: str) -> int:
        """Count the models of enemies whom a unit touches, and of a regiment its own who touch them."""
        unit = table.units[name]
        pairs = [
            models_in_contact(unit, other)
            for other in table.units.values()
            if other.side != unit.side
        ]
        return sum(
            len(theirs) + (len(ours) if isinstance(unit, Regiment) else 0) for ours, theirs in pairs
        )

    def _ends(self, table: Table, charge: Charge, most: float) -> tuple[tuple[Variable, ...], Any]:
        """Return the numbers that say where a charge ends, and the pose that they give."""
        unit = table.units[charge.charger]
        target = table.units[charge.targets[0]]
        if isinstance(target, Regiment):
            side = facing_of(target, self._met(table, charge))
            if isinstance(unit, Regiment):
                spare = side.length - unit.width
                starts = Variable(
                    "start", -unit.width, side.length, "in", marks=(0.0, spare / 2, spare)
                )
                return (starts,), lambda start: side.flush_pose(start, unit.width)
            radius = radius_of(unit.models[0])
            looks = math.atan2(-side.normal[1], -side.normal[0])
            return (Variable("along", 0.0, side.length, "in"),), lambda along: Pose(
                *side.point(along, radius), looks
            )
        if isinstance(unit, Regiment):
            return self._ahead(unit, target, most)
        (mine,) = unit.models
        aim = target.models[0]
        apart = radius_of(mine) + radius_of(aim)
        bearing = Variable(
            "bearing",
            -math.pi,
            math.pi,
            "rad",
            marks=(math.atan2(mine.pose.y - aim.pose.y, mine.pose.x - aim.pose.x),),
        )
        return (bearing,), lambda angle: Pose(
            aim.pose.x + apart * math.cos(angle),
            aim.pose.y + apart * math.sin(angle),
            angle + math.pi,
        )

    def _ahead(
        self, unit: Regiment, target: Squad, most: float
    ) -> tuple[tuple[Variable, ...], Any]:
        """Return how far a regiment goes before it turns, and by which angle: then it goes ahead until its front meets
        a loose model.
        """
        discs = [(model.pose.at, radius_of(model)) for model in target.models]

        def end(first: float, turn: float) -> Pose:
            there = unit.pose.advanced(first)
            turned = there.turned_about(there.at, turn)
            ways = []
            for at, radius in discs:
                across, ahead = turned.local(at)
                beside = max(0.0, abs(across) - unit.width / 2)
                if beside <= radius:
                    ways.append(ahead - math.sqrt(radius**2 - beside**2))
            return turned.advanced(max(0.0, min(ways, default=0.0)))

        level = []
        for ((x, y), _), ((to_x, to_y), _) in combinations(discs, 2):
            square = math.atan2(to_y - y, to_x - x) + math.pi / 2
            level += [
                math.remainder(square + half - unit.pose.heading, math.tau)
                for half in (0.0, math.pi)
            ]
        marks = (0.0, *(one for one in level if abs(one) <= math.pi / 2))
        return (
            Variable("first", 0.0, most, "in", marks=(0.0,)),
            Variable("turn", -math.pi / 2, math.pi / 2, "rad", marks=marks),
        ), end

    def steps(self, case: Case, before: Table, after: Table, charge: Charge) -> tuple[Step, ...]:
        """Return a turn and a way ahead of a regiment, where that is how it comes there; else the straight way."""
        del case
        unit = before.units[charge.charger]
        rules = ("warband.length",)
        if isinstance(unit, Squad):
            return steps_between(before, after, kind="ahead", rules=rules)
        found = march(unit, after.units[unit.name].pose, FRONT, kinds=("ahead", "wheel", "ahead"))
        return steps_between(before, after, kind="ahead", rules=rules) if found is None else found

    def evidence(self, case: Case, before: Table, after: Table, charge: Charge) -> Evidence:
        """Show who touches whom, and of a regiment that is charged its arcs."""
        shown = super().evidence(case, before, after, charge)
        target = before.units[charge.targets[0]]
        if not isinstance(target, Regiment):
            return shown
        arcs = arcs_shown(target, self._met(before, charge), after=after.units[target.name])
        return replace(arcs, models_in_contact=shown.models_in_contact)


SYSTEM = Warband()
