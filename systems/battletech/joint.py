"""Several charges in one file: every table that the earlier ones may leave to the later ones, as far as those can tell them apart."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from systems.battletech.exploring import ends_of
from systems.battletech.play import Play, stamp
from systems.battletech.resolving import after, course
from systems.battletech.situation import Attempt, Combatant, Declared, Table
from systems.battletech.zones import asked_by, zones_of
from tabletop.errors import NoVerdictError
from tabletop.ruling import Outcome
from tabletop.state import Hex

MOST_WORLDS = 20_000
"""Tables, with the outcomes that led to them, that are kept at a time."""

Ends = Sequence[tuple[Play, Fraction]]


@dataclass(frozen=True)
class World:
    """A table that may be left, what the charges to come see of it, what came of those before, and its chance."""

    table: Table
    seen: Hashable
    outcomes: tuple[Outcome, ...]
    chance: Fraction


@dataclass(frozen=True)
class Change:
    """What a charge leaves behind: units as they are then, CF of building hexes, what the charges to come see, with the chance."""

    units: tuple[Combatant, ...]
    cf: tuple[tuple[Hex, int], ...]
    seen: Hashable
    outcome: Outcome
    chance: Fraction


@dataclass(frozen=True)
class Turn:
    """The turn of one charge: all ends that it may come to on each table that it may find, with that table's chance."""

    attempt: Attempt
    worlds: tuple[tuple[Ends, Fraction], ...] = ()


def turns_of(attempts: Sequence[Attempt], table: Table) -> tuple[tuple[Turn, ...], Mapping[tuple[Outcome, ...], Fraction]]:
    """Give the turns of all charges, and the chances of whole rows of outcomes, likeliest first.

    Raises
    ------
    NoVerdictError
        If the tables are too many.
    """
    ahead = [[other.declared for other in attempts[number:] if other.declared is not None] for number in range(len(attempts) + 1)]
    worlds = [World(table, _seen(table, ahead[0]), (), Fraction(1))]
    turns = []
    for attempt, later in zip(attempts, ahead[1:], strict=True):
        turn, worlds = _turn(attempt, worlds, later)
        turns.append(turn)
    rows: dict[tuple[Outcome, ...], Fraction] = {}
    for world in worlds:
        rows[world.outcomes] = rows.get(world.outcomes, Fraction(0)) + world.chance
    return tuple(turns), dict(sorted(rows.items(), key=lambda row: -row[1]))


def _turn(attempt: Attempt, worlds: Sequence[World], later: Sequence[Declared]) -> tuple[Turn, list[World]]:
    """Let one charge have its turn in every world; those that look alike to it and to the later ones go through it once."""
    declared = attempt.declared
    if declared is None:
        return Turn(attempt), [replace(world, outcomes=(*world.outcomes, "not_allowed")) for world in worlds]
    shares: dict[Hashable, Fraction] = {}
    ends: dict[Hashable, Ends] = {}
    changes: dict[Hashable, tuple[Change, ...]] = {}
    found: dict[Hashable, World] = {}
    for world in worlds:
        if world.seen not in ends:
            ends[world.seen] = ends_of(course(declared, world.table, keep=asked_by(later, world.table, running=declared)))
            changes[world.seen] = _changes(world.table, ends[world.seen], later)
        shares[world.seen] = shares.get(world.seen, Fraction(0)) + world.chance
        for left in _left(world, changes[world.seen]):
            key = left.outcomes, left.seen
            found[key] = replace(left, chance=left.chance + found[key].chance) if key in found else left
    if len(found) > MOST_WORLDS:
        raise NoVerdictError(f"the charges of this file depend on each other in more than {MOST_WORLDS} ways")
    return Turn(attempt, tuple((ends[seen], share) for seen, share in shares.items())), list(found.values())


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


def _left(world: World, changes: Sequence[Change]) -> Iterator[World]:
    """Give the worlds that a charge leaves of one; what it did not touch stays as it is."""
    for change in changes:
        table = replace(world.table, units={**world.table.units, **{unit.name: unit for unit in change.units}})
        for place, cf in change.cf:
            table = table.with_cf(place, cf)
        yield World(table, change.seen, (*world.outcomes, change.outcome), world.chance * change.chance)


def _seen(table: Table, charges: Sequence[Declared]) -> Hashable:
    """Give all that may matter to charges: which units stand in their zones, or anywhere, and all of those that they ask more of."""
    if not charges:
        return None
    hexes, asked = zones_of(table, charges), asked_by(charges, table)
    there = (unit for unit in table.units.values() if hexes is None or unit.hex in hexes or unit.name in asked)
    units = tuple((unit.name, stamp(unit) if unit.name in asked else unit.hex) for unit in there)
    return units, tuple(ground.cf for ground in table.ground.hexes.values() if ground.cover == "building")
