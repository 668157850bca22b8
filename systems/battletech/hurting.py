"""Groups of damage: where they land, and the motive damage that they call for."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import partial

from systems.battletech.harming import divided_up
from systems.battletech.locations import DRIVING, Hit, Motive, Side, TableName, column_of, motive_draw
from systems.battletech.play import Play
from systems.battletech.rolling import Draw, Roller
from systems.battletech.situation import Combatant
from systems.battletech.told import Journal, rules
from systems.battletech.vocabulary import Choices
from tabletop.ruling import Step
from tabletop.words import counted


def hurt(play: Play, roller: Roller, name: str, groups: tuple[int, ...], side: Side, table: TableName | None, metric: str = "") -> Play:
    """Locate groups of damage one by one on a unit; `metric` is the list that takes their places, if any does."""
    unit = play.table.units[name]
    if not groups or table is None:
        return play.telling(partial(_tell_damage, name, groups, side, (), metric))
    column = column_of(unit, table, side=side, choices=play.table.choices)
    step = partial(_locate, column=column, side=side)
    located = roller.repeat(step, Located(unit), times=len(groups), matters=partial(_matters, choices=play.table.choices))
    told = play.telling(partial(_tell_damage, name, groups, side, located.hits, metric))
    return told.with_unit(located.unit).telling(*(partial(_tell_motive, name, result, role(play, name)) for result in located.motives))


@dataclass(frozen=True)
class Located:
    """A unit on which some groups of damage have been located, where they landed, and the motive damage they did."""

    unit: Combatant
    hits: tuple[Hit, ...] = ()
    motives: tuple[Motive, ...] = ()


def _locate(state: Located, roller: Roller, *, column: Draw[Hit], side: Side) -> Located:
    """Roll for the place of one group, and for the motive damage that it calls for."""
    unit = state.unit
    hit = roller.pick(column, f"location of a group on {unit.name}", is_told=not unit.is_vehicle)
    hits = (*state.hits, hit)
    if not hit.is_motive:
        return Located(unit, hits, state.motives)
    result = roller.pick(motive_draw(side, unit.profile.motion), f"motive damage of {unit.name}")
    return Located(slowed(unit, result), hits, (*state.motives, result))


def _matters(state: Located, *, choices: Choices) -> Hashable:
    """Give all of a unit that groups of damage may change; how fast it is only where it is asked for."""
    unit = state.unit
    return unit.motive, unit.is_immobile, unit.profile.walk if choices.immobile_charger == "cancelled" else None


def roll_motive_at_once(play: Play, roller: Roller, name: str, side: Side) -> Play:
    """Roll for the motive damage that a charge does by itself; other units than vehicles have none."""
    if not play.table.units[name].is_vehicle:
        return play
    return roll_motive(play.telling(partial(_tell_immediate, name)), roller, name, side)


def roll_motive(play: Play, roller: Roller, name: str, side: Side) -> Play:
    """Roll for motive damage of a vehicle hit on one side."""
    unit = play.table.units[name]
    result = roller.pick(motive_draw(side, unit.profile.motion), f"motive damage of {name}")
    return play.with_unit(slowed(unit, result)).telling(partial(_tell_motive, name, result, role(play, name)))


def role(play: Play, name: str) -> str | None:
    """Give the part that a unit plays in what is told: charger, target, or none."""
    return {play.declared.charger: "charger", play.struck: "target"}.get(name)


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


def _tell_damage(name: str, groups: tuple[int, ...], side: Side, hits: tuple[Hit, ...], metric: str, journal: Journal) -> Journal:
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


def _tell_immediate(name: str, journal: Journal) -> Journal:
    return journal.finding("motive.immediate", f"{name} is a vehicle in a charge that hit: it rolls for motive damage at once.")


def _tell_motive(name: str, result: Motive, role: str | None, journal: Journal) -> Journal:
    text = f"{name} takes {'no' if result == 'none' else result} motive damage."
    told = journal.step(Step("motive", name, rules=rules("motive.immediate"), text=text))
    return told.listed(f"motive_{role}", result) if role else told
