"""Groups of damage: where they land, and the motive damage that they call for."""

from functools import partial

from systems.battletech.locations import Hit, Motive, Side, TableName, column_of, motive_draw
from systems.battletech.motors import Locating, Motor
from systems.battletech.play import Play
from systems.battletech.roll import Roller
from systems.battletech.scene import Combatant
from systems.battletech.tale import Tale, rules
from tabletop.ruling.charge import Step
from tabletop.words import counted


def hurt(play: Play, roller: Roller, name: str, groups: tuple[int, ...], side: Side, table: TableName | None, metric: str = "") -> Play:
    """Locate groups of damage one by one on a unit; `metric` is the list that takes their places, if any does."""
    unit = play.table.units[name]
    if not groups or table is None:
        return play.telling(partial(_tell_damage, name, groups, side, (), metric))
    column = column_of(unit, table, side=side, choices=play.table.choices)
    locating = Locating(column, motive_draw(side, unit.profile.motion), name)
    motor = roller.repeat(locating, Motor.of(unit), times=len(groups), is_told=not _is_asked(play, unit))
    told = play.telling(partial(_tell_damage, name, groups, side, motor.hits, metric))
    if not motor.motives:
        return told
    return told.with_unit(motor.fitted(unit)).telling(*(partial(_tell_motive, name, result, role(play, name)) for result in motor.motives))


def _is_asked(play: Play, unit: Combatant) -> bool:
    """Tell whether anything may come of where damage lands: of motive damage, to the charger or for later charges."""
    return unit.is_vehicle and (unit.name == play.declared.charger or unit.name in play.keep)


def roll_motive_at_once(play: Play, roller: Roller, name: str, side: Side) -> Play:
    """Roll for the motive damage that a charge does by itself; other units than vehicles have none."""
    if not play.table.units[name].is_vehicle:
        return play
    return roll_motive(play.telling(partial(_tell_immediate, name)), roller, name, side)


def roll_motive(play: Play, roller: Roller, name: str, side: Side) -> Play:
    """Roll for motive damage of a vehicle hit on one side."""
    unit = play.table.units[name]
    result = roller.pick(motive_draw(side, unit.profile.motion), f"motive damage of {name}")
    return play.with_unit(Motor.of(unit).slowed(result).fitted(unit)).telling(partial(_tell_motive, name, result, role(play, name)))


def role(play: Play, name: str) -> str | None:
    """Give the part that a unit plays in what is told: charger, target, or none."""
    return {play.declared.charger: "charger", play.struck: "target"}.get(name)


def _tell_damage(name: str, groups: tuple[int, ...], side: Side, hits: tuple[Hit, ...], metric: str, journal: Tale) -> Tale:
    """Tell where groups of damage landed; `metric` is the list that takes their places, if any does."""
    if not groups:
        return journal
    where = f": {', '.join(f'{points} {hit.text}' for points, hit in zip(groups, hits, strict=True))}" if hits else ""
    text = f"{name} takes {counted(sum(groups), 'points')} on its {side}{where}."
    told = journal.step(Step("damage", name, rules=rules("damage.groups", "damage.location"), text=text))
    if metric and hits:
        told = told.listed(f"locations_{metric}", *(hit.code for hit in hits))
        told = told.counted(f"criticals_{metric}", sum(hit.is_critical for hit in hits))
    return told.finding("damage.location", text) if hits else told


def _tell_immediate(name: str, journal: Tale) -> Tale:
    return journal.finding("motive.immediate", f"{name} is a vehicle in a charge that hit: it rolls for motive damage at once.")


def _tell_motive(name: str, result: Motive, role: str | None, journal: Tale) -> Tale:
    text = f"{name} takes {'no' if result == 'none' else result} motive damage."
    told = journal.step(Step("motive", name, rules=rules("motive.immediate"), text=text))
    return told.listed(f"motive_{role}", result) if role else told
