"""Groups of damage: where they land, and the motive damage that they call for."""

from dataclasses import dataclass, field, replace
from functools import partial

from systems.battletech.harming import divided_up
from systems.battletech.locations import DRIVING, Hit, Motive, Side, TableName, column_of, motive_draw
from systems.battletech.play import Play
from systems.battletech.roll import Draw, Roller
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


@dataclass(frozen=True)
class Motor:
    """How a vehicle moves, with the groups that were located and the motive rolls that they called for.

    `kinds` of motive damage made driving worse.
    """

    kinds: tuple[str, ...]
    is_immobile: bool
    walk: int | None
    hits: tuple[Hit, ...] = field(default=(), compare=False)
    motives: tuple[Motive, ...] = field(default=(), compare=False)

    @classmethod
    def of(cls, unit: Combatant) -> "Motor":
        """Give how a unit moves before it is hurt."""
        return cls(unit.motive, unit.is_immobile, unit.profile.walk)

    def slowed(self, result: Motive) -> "Motor":
        """Give it after one motive roll."""
        told = replace(self, motives=(*self.motives, result))
        if result in ("none", "immobile"):
            return replace(told, is_immobile=self.is_immobile or result == "immobile")
        return replace(told, kinds=tuple(sorted({*self.kinds, result})), walk=_slower(self.walk, result))

    def fitted(self, unit: Combatant) -> Combatant:
        """Give the unit that moves like this: worse to drive, once by each kind."""
        worse = sum(points for kind, points in DRIVING.items() if kind in self.kinds and kind not in unit.motive)
        profile = unit.profile
        if worse or self.walk != profile.walk:
            profile = profile.model_copy(update={"piloting": profile.piloting + worse, "walk": self.walk})
        status = ("immobile",) if self.is_immobile else ()
        return replace(unit.with_status(*status), profile=profile, motive=self.kinds)


def _slower(walk: int | None, result: Motive) -> int | None:
    if walk is None or result == "minor":
        return walk
    return max(walk - 1, 0) if result == "moderate" else divided_up(walk, 2)


@dataclass(frozen=True)
class Locating:
    """Rolls for the place of one group on a unit, and for the motive damage that it calls for."""

    column: Draw[Hit]
    motive: Draw[Motive]
    name: str

    def __call__(self, state: Motor, roller: Roller) -> Motor:
        """Give the state after one more group."""
        hit = roller.pick(self.column, f"location of a group on {self.name}")
        told = replace(state, hits=(*state.hits, hit))
        return told.slowed(roller.pick(self.motive, f"motive damage of {self.name}")) if hit.is_motive else told
