"""Entering building hexes, on the way and in the place of the target."""

from functools import partial

from systems.battletech.harming import divided_up, entry_number, grouped, tons_points
from systems.battletech.hurting import hurt, roll_motive
from systems.battletech.locations import table_of
from systems.battletech.play import Play, Task
from systems.battletech.roll import Check, Roller, check
from systems.battletech.scene import Combatant
from systems.battletech.tale import Tale, rolled, rules
from tabletop.ruling.assumption import assumed
from tabletop.ruling.charge import Step
from tabletop.table.hexes import number as hex_number
from tabletop.table.state import Hex
from tabletop.words import counted


def path_tasks(play: Play) -> tuple[Task, ...]:
    """Give an entry roll for every building hex of the path."""
    hexes = enumerate(play.declared.path, 1)
    return tuple((enter, (place, entered, False)) for entered, place in hexes if play.table.at(place).is_building)


def enter(play: Play, roller: Roller, place: Hex, entered: int, is_target: bool) -> Play:  # noqa: FBT001 - given by position on the agenda
    """Let the charger enter a building hex, the last of so many entered; a building without CF has collapsed."""
    table, unit = play.table, play.charger
    if play.cf(place) <= 0:
        return play
    what = f"{unit.name} entering the building in {hex_number(place)}"
    number = entry_number(table, unit, place=place, entered=entered, is_target=is_target)
    roll = roller.pick(check(number), what)
    points = 0 if roll.is_passed else divided_up(table.at(place).cf, table.book.cf_per_absorbed_point)
    told = play.worn(place, tons_points(table, unit)).telling(partial(_tell_entry, unit, place, roll, points, is_target))
    if roll.is_passed:
        return told
    motive: tuple[Task, ...] = ((roll_motive, (unit.name, "front")),) if unit.is_vehicle else ()
    hurting: Task = (hurt, (unit.name, grouped(table, points), "front", table_of(unit)))
    return (told.taken(unit.name, points) if is_target else told).then(hurting, *motive)


def enter_behind(play: Play, roller: Roller) -> Play:
    """Let a charger that took its target's place enter the building there."""
    if play.push != "moved" or not play.table.at(play.charger.hex).is_building:
        return play
    return enter(play, roller, play.charger.hex, play.declared.hexes_entered + 1, is_target=True)


def _tell_entry(unit: Combatant, place: Hex, roll: Check, points: int, is_target: bool, journal: Tale) -> Tale:  # noqa: FBT001 - as above
    name, rule = unit.name, "building.entry-roll" if is_target else "building.path-rolls"
    harm = f", {counted(points, 'points')}" if points else ""
    text = f"{name} enters the building in {hex_number(place)}: {rolled(roll)}{harm}."
    told = journal.step(Step("building_roll", name, rules=rules(rule), text=text))
    told = told.finding(rule, text, measured=roll.total, limit=roll.number, using=assumed(unit, "piloting"))
    return told.with_metrics(entry_psr=roll.number, entry_failed=not roll.is_passed) if is_target else told
