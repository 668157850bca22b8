"""Several charges in one file: every table that the earlier ones may leave to the later ones, as far as those can tell them apart."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from systems.battletech.branches import ends_of
from systems.battletech.course import after, course
from systems.battletech.play import Play, stamp
from systems.battletech.scene import Attempt, Combatant, Declared, Table
from systems.battletech.zones import asked_by, zones_of
from tabletop.budget import Budget
from tabletop.ruling.branching import Branching, World
from tabletop.ruling.charge import Outcome
from tabletop.table.state import Hex

MOST_WORLDS = 20_000
"""Tables, with the outcomes that led to them, that are kept at a time."""

Ends = Sequence[tuple[Play, Fraction]]


@dataclass(frozen=True)
class Change:
    """What a charge leaves behind: units as they are then, CF of building hexes, what the charges to come see, with the chance."""

    units: tuple[Combatant, ...]
    cf: tuple[tuple[Hex, int], ...]
    seen: Hashable
    outcome: Outcome
    chance: Fraction


@dataclass(frozen=True)
class Endings:
    """All ends that a charge may come to on one table, and what they leave behind; a charge that may not be declared has no ends."""

    ends: Ends
    changes: tuple[Change, ...]


class Joint(Branching[Table, Endings]):
    """The charges of a file, of which all are declared before the first is resolved."""

    def __init__(self, attempts: Sequence[Attempt], budget: Budget) -> None:
        self.charges = [attempt.charge for attempt in attempts]
        self.budget, self.most_worlds = budget, MOST_WORLDS
        self._declared = [attempt.declared for attempt in attempts]

    def ways(self, number: int, table: Table) -> Endings:
        """Follow a charge to all its ends."""
        declared, later = self._declared[number], self._ahead(number + 1)
        if declared is None:
            return Endings((), ())
        ends = ends_of(course(declared, table, keep=asked_by(later, table, running=declared)))
        return Endings(ends, _changes(table, ends, later))

    def left(self, number: int, ways: Endings, world: World[Table]) -> Iterator[World[Table]]:
        """Put what a charge changes on a table; what it did not touch stays as it is."""
        if self._declared[number] is None:
            yield world.left("not_allowed", Fraction(1), world.table, seen=world.seen)
        for change in ways.changes:
            table = replace(world.table, units={**world.table.units, **{unit.name: unit for unit in change.units}})
            for place, cf in change.cf:
                table = table.with_cf(place, cf)
            yield world.left(change.outcome, change.chance, table, seen=change.seen)

    def seen(self, number: int, table: Table) -> Hashable:
        """Give all that may matter to the charges from a number on."""
        return _seen(table, self._ahead(number))

    def _ahead(self, number: int) -> list[Declared]:
        return [declared for declared in self._declared[number:] if declared is not None]


def _changes(start: Table, ends: Ends, later: Sequence[Declared]) -> tuple[Change, ...]:
    """Give what the ends of a charge leave behind; those that look alike to the later ones are one."""
    found: dict[Hashable, Change] = {}
    for play, chance in ends:
        table = after(play)
        seen, outcome = _seen(table, later), _outcome(play)
        before = found[outcome, seen].chance if (outcome, seen) in found else Fraction(0)
        units = tuple(unit for name, unit in table.units.items() if unit is not start.units[name])
        worn = tuple((place, table.at(place).cf) for place, _ in play.wear)
        found[outcome, seen] = Change(units, worn, seen, outcome, before + chance)
    return tuple(found.values())


def _outcome(play: Play) -> Outcome:
    return "success" if play.is_success else "failed"


def _seen(table: Table, charges: Sequence[Declared]) -> Hashable:
    """Give all that may matter to charges: which units stand in their zones, or anywhere, and all of those that they ask more of."""
    if not charges:
        return None
    hexes, asked = zones_of(table, charges), asked_by(charges, table)
    there = (unit for unit in table.units.values() if hexes is None or unit.hex in hexes or unit.name in asked)
    units = tuple((unit.name, stamp(unit) if unit.name in asked else unit.hex) for unit in there)
    return units, tuple(ground.cf for ground in table.ground.hexes.values() if ground.cover == "building")
