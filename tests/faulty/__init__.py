"""A small game of regiments that keeps all contracts, and three that do not: what the contracts are for."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tabletop.budget import Budget
from tabletop.kit import (
    CONTACT,
    Case,
    Charge,
    Entry,
    Finding,
    Goal,
    Limit,
    Placement,
    Rule,
    StatedSystem,
    Table,
    Variable,
    Vocabulary,
    body,
    gap_between,
    of_each,
    say,
)
from tabletop.ruling.verdict import Judgement, Resolution


class Profile(Entry):
    """Nothing tells one regiment from another."""


class Choices(Entry):
    """Nothing is open."""


class Declarations(Entry):
    """Nothing is said beside the target."""


@dataclass(frozen=True)
class Book:
    """There are no numbers but the dice."""


class Ram(StatedSystem):
    """Regiments run straight ahead into whoever stands there."""

    name: ClassVar[str] = "ram"
    title: ClassVar[str] = "Ram"
    editions: ClassVar[tuple[str, ...]] = ("1st",)
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule("ram.side", "a target is an enemy", "limit", "declaring"),
        Rule("ram.reach", "the dice reach the target", "limit", "running"),
        Rule("ram.way", "nothing solid is in the way", "limit", "running"),
        Rule("ram.touch", "it ends in contact", "limit", "running"),
        Rule(
            "ram.straight", "it looks as it did, and leaves its line by nothing", "limit", "running"
        ),
        Rule("ram.near", "it goes as near as it can", "goal", "running"),
        Rule("ram.stand", "nobody else moves", "limit", "running"),
    )
    vocabulary: ClassVar[Vocabulary] = Vocabulary(
        profile=Profile,
        choices=Choices,
        declarations=Declarations,
        terrain_kinds=("tower", "grass"),
        status=(),
        problems=lambda *_: [],
        solid=("tower",),
        heights=(("tower", 5.0),),
    )
    book: ClassVar[Book] = Book()

    def declared(self, case: Case, table: Table, charge: Charge) -> tuple[Finding, ...]:
        """Ask whether the target is an enemy."""
        del case
        ours = table.units[charge.charger].side
        theirs = table.units[charge.targets[0]].side
        text = say(
            "{charger} is {side}, {target} {other}.",
            charger=charge.charger,
            side=ours,
            target=charge.targets[0],
            other=theirs,
        )
        return (Finding("ram.side", ours != theirs, text),)

    def dice(self, case: Case, table: Table, charge: Charge) -> int:
        """Roll two."""
        del case, table, charge
        return 2

    def needed(self, table: Table, charge: Charge) -> float:
        """Return the way in inches to a target that stands parallel to the charger, endless where it does not stand
        ahead.
        """
        unit = table.units[charge.charger]
        target = table.units[charge.targets[0]]
        corners = [unit.pose.local((x, y)) for x, y in target.boundary.outline().tolist()]
        is_ahead = (
            min(x for x, _ in corners) < unit.width / 2
            and max(x for x, _ in corners) > -unit.width / 2
        )
        return min(y for _, y in corners) if is_ahead else math.inf

    def reached(self, case: Case, table: Table, charge: Charge, total: int) -> tuple[Finding, ...]:
        """Compare the way with the dice, and look whether a tower is in it."""
        del case
        needed = self.needed(table, charge)
        if math.isinf(needed):
            return (
                Finding(
                    "ram.reach",
                    ok=False,
                    text=say("{target} is not straight ahead.", target=charge.targets[0]),
                ),
            )
        text = say("{needed:.2f} in of {total} in.", needed=needed, total=total)
        reach = Finding(
            "ram.reach", needed <= total + CONTACT, text, needed, float(total), total - needed
        )
        return (reach, *self.barred(table, charge, needed))

    def barred(self, table: Table, charge: Charge, needed: float) -> tuple[Finding, ...]:
        """Return what is found of towers in the way."""
        unit = table.units[charge.charger]
        towers = [piece.shape for piece in table.terrain if piece.kind == "tower"]
        if not towers:
            return ()
        ways = (needed * share / 40 for share in range(41))
        room = min(gap_between(body(unit.at(unit.pose.advanced(way))), towers) for way in ways)
        text = say("The way keeps {room:.2f} in to towers.", room=room)
        return (Finding("ram.way", room >= -CONTACT, text, room, 0.0, room),)

    short = 0.0
    """Inches from its target at which a charger stops."""

    def placement(self, case: Case, table: Table, charge: Charge, total: int) -> Placement:
        """State where the charger ends: so many inches ahead."""
        del case
        unit = table.units[charge.charger]
        target = table.units[charge.targets[0]]
        needed = self.needed(table, charge) - self.short

        def end(after: Table) -> Any:
            return after.units[unit.name]

        def touch(after: Table) -> Finding:
            gap = abs(gap_between(body(end(after)), body(target)) - self.short)
            text = say("It ends {gap:.4f} in from {name}.", gap=gap, name=target.name)
            return Finding("ram.touch", gap <= CONTACT, text, gap, 0.0, -gap)

        def straight(after: Table) -> Finding:
            aside = abs(unit.pose.local(end(after).pose.at)[0]) + abs(
                math.remainder(end(after).pose.heading - unit.pose.heading, math.tau)
            )
            text = say("It ends {aside:.4f} in aside.", aside=aside)
            return Finding("ram.straight", aside <= CONTACT, text, aside, 0.0, -aside)

        def ahead_of(after: Table) -> float:
            return float(unit.pose.local(end(after).pose.at)[1])

        ahead = Variable("ahead", 0.0, float(total), "in", marks=(needed,))
        return Placement(
            variables=(ahead,),
            place=lambda point: table.with_unit(
                unit.at(
                    unit.pose.advanced(needed if abs(point[0] - needed) < 1.0 else float(point[0]))
                )
            ),
            limits=(Limit("ram.touch", touch), Limit("ram.straight", straight)),
            goals=(
                Goal(
                    "ram.near",
                    "in",
                    of_each(lambda after: -unit.pose.local(end(after).pose.at)[1]),
                    is_counted=False,
                    is_least=True,
                ),
            ),
        )


class Yes(Ram):
    """Its judge finds everything right."""

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Say yes."""
        del case, resolution, budget
        return Judgement("success", None, (), say("Fine."))


class Through(Ram):
    """It charges through towers."""

    def barred(self, table: Table, charge: Charge, needed: float) -> tuple[Finding, ...]:
        """Find nothing."""
        del table, charge, needed
        return ()


class Short(Ram):
    """It stops an inch off, and says that it is in contact."""

    short = 1.0

    def evidence(self, case: Case, before: Table, after: Table, charge: Charge) -> Any:
        """Say that the front ranks touch."""
        found = super().evidence(case, before, after, charge)
        return replace(found, models_in_contact={charge.charger: (0,), charge.targets[0]: (0,)})


SYSTEMS = {"kept": Ram(), "yes": Yes(), "through": Through(), "short": Short()}
SYSTEM = SYSTEMS["kept"]
