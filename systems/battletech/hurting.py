"""Groups of damage: where they land, and the motive damage that they call for."""

from dataclasses import replace
from functools import partial

from systems.battletech.harming import divided_up
from systems.battletech.locations import DRIVING, Hit, Motive, Side, TableName, column_of, motive_draw
from systems.battletech.play import Play
from systems.battletech.rolling import Roller
from systems.battletech.situation import Combatant
from systems.battletech.told import Journal, placed, rules
from tabletop.ruling import Step
from tabletop.words import counted


def hurt(play: Play, roller: Roller, name: str, groups: tuple[int, ...], side: Side, table: TableName | None, metric: str = "") -> Play:
    """Locate groups of damage one by one on a unit; `metric` is the list that takes their places, if any does."""
    unit = play.table.units[name]
    if not groups or table is None:
        return play.telling(partial(_tell_damage, name, groups, side))
    column = column_of(unit, table, side=side, choices=play.table.choices)
    what = f"location of a group on {name}"
    if not unit.is_vehicle:
        hits = tuple(roller.pick(column, what, is_told=True) for _ in groups)
        return play.telling(*(partial(_note_hit, points, hit, metric) for points, hit in zip(groups, hits, strict=True))).telling(
            partial(_tell_damage, name, groups, side)
        )
    return play.then((_hurt_vehicle, (name, groups, 0, side, table, metric)))


def _hurt_vehicle(
    play: Play, roller: Roller, name: str, groups: tuple[int, ...], number: int, side: Side, table: TableName, metric: str
) -> Play:
    """Locate one group on a vehicle, and the rest after the motive roll that it calls for."""
    if number == len(groups):
        return play.telling(partial(_tell_damage, name, groups, side))
    column = column_of(play.table.units[name], table, side=side, choices=play.table.choices)
    hit = roller.pick(column, f"location of a group on {name}")
    rest = play.then((_hurt_vehicle, (name, groups, number + 1, side, table, metric))).telling(
        partial(_note_hit, groups[number], hit, metric)
    )
    return rest.then((roll_motive, (name, side))) if hit.is_motive else rest


def roll_motive_at_once(play: Play, roller: Roller, name: str, side: Side) -> Play:
    """Roll for the motive damage that a charge does by itself; other units than vehicles have none."""
    if not play.table.units[name].is_vehicle:
        return play
    return roll_motive(play.telling(partial(_tell_immediate, name)), roller, name, side)


def roll_motive(play: Play, roller: Roller, name: str, side: Side) -> Play:
    """Roll for motive damage of a vehicle hit on one side."""
    unit = play.table.units[name]
    result = roller.pick(motive_draw(side, unit.profile.motion), f"motive damage of {name}")
    role = {play.declared.charger: "charger", play.struck: "target"}.get(name)
    return play.with_unit(slowed(unit, result)).telling(partial(_tell_motive, name, result, role))


def slowed(unit: Combatant, result: Motive) -> Combatant:
    """Give a vehicle after motive damage: worse to drive, once by each kind, and slower."""
    if result == "none":
        return unit
    if result == "immobile":
        return unit.with_status("immobile")
    worse = 0 if result in unit.motive else DRIVING[result]
    walk = unit.profile.walk
    left = walk if walk is None or result == "minor" else max(walk - 1, 0) if result == "moderate" else divided_up(walk, 2)
    profile = unit.profile.model_copy(update={"piloting": unit.profile.piloting + worse, "walk": left})
    return replace(unit, profile=profile, motive=tuple(sorted({*unit.motive, result})))


def _note_hit(points: int, hit: Hit, metric: str, journal: Journal) -> Journal:
    noted = replace(journal, pending=(*journal.pending, (points, hit)))
    if not metric:
        return noted
    return noted.listed(f"locations_{metric}", hit.code).counted(f"criticals_{metric}", int(hit.is_critical))


def _tell_damage(name: str, groups: tuple[int, ...], side: Side, journal: Journal) -> Journal:
    """Tell of all groups at once where they landed."""
    if not groups:
        return journal
    where = f": {placed(journal.pending)}" if journal.pending else ""
    text = f"{name} takes {counted(sum(groups), 'points')} on its {side}{where}."
    told = replace(journal, pending=()).step(Step("damage", name, rules=rules("damage.groups", "damage.location"), text=text))
    return told.finding("damage.location", text) if where else told


def _tell_immediate(name: str, journal: Journal) -> Journal:
    return journal.finding("motive.immediate", f"{name} is a vehicle in a charge that hit: it rolls for motive damage at once.")


def _tell_motive(name: str, result: Motive, role: str | None, journal: Journal) -> Journal:
    text = f"{name} takes {'no' if result == 'none' else result} motive damage."
    told = journal.step(Step("motive", name, rules=rules("motive.immediate"), text=text))
    return told.listed(f"motive_{role}", result) if role else told
