"""What collisions do to units and buildings: groups of damage and motive damage, rolls not to fall, falls, and entering buildings."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from systems.battletech.damage import (
    DRIVING,
    FALL_SIDES,
    Hit,
    Motive,
    Side,
    TableName,
    charge_numbers,
    column_of,
    divided_up,
    entry_number,
    grouped,
    motive_draw,
    piloting,
    table_of,
    tons_points,
)
from systems.battletech.play import Play, Task, rolled
from systems.battletech.roll import FACE, ChargeReport, Check, Draw, Roller, check
from systems.battletech.scene import Combatant
from tabletop.messages import counted, listed, say, word
from tabletop.ruling.finding import assumed
from tabletop.table.hexes import number as hex_number
from tabletop.table.state import Hex


def hurt(
    play: Play,
    roller: Roller,
    name: str,
    groups: tuple[int, ...],
    side: Side,
    table: TableName | None,
    metric: str = "",
    calls_motive: bool = True,  # noqa: FBT001, FBT002 - given by position on the agenda
) -> Play:
    """Locate groups of damage one by one on a unit; `metric` is the list that takes their places, if any does.

    A location `calls_motive` rolls but where the damage has its own motive roll.
    """
    if not groups:
        return play
    unit = play.table.units[name]
    motor = Motor.of(unit)
    if table is not None:
        column = column_of(unit, table, side=side, choices=play.table.choices)
        locating = Locating(column, motive_draw(side, unit.profile.motion) if calls_motive else None, name)
        motor = roller.repeat(locating, motor, times=len(groups), is_reported=not _is_asked(play, unit))
    if roller.report:
        _report_damage(roller.report, name, groups, side, motor.hits, metric)
        for result in motor.motives:
            _report_motive(roller.report, play, name, result)
    return play.with_unit(motor.fitted(unit)) if motor.motives else play


def _is_asked(play: Play, unit: Combatant) -> bool:
    """Tell whether anything may come of where damage lands: of motive damage, to the charger or for later charges."""
    return unit.is_vehicle and (unit.name == play.declared.charger or unit.name in play.keep)


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
    """Rolls for the place of one group on a unit, and for the motive damage that it calls for, if it may."""

    column: Draw[Hit]
    motive: Draw[Motive] | None
    name: str

    def __call__(self, state: Motor, roller: Roller) -> Motor:
        """Give the state after one more group."""
        hit = roller.pick(self.column, say("location of a group on {name}", name=self.name))
        told = replace(state, hits=(*state.hits, hit))
        if self.motive is None or not hit.is_motive:
            return told
        return told.slowed(roller.pick(self.motive, say("motive damage of {name}", name=self.name)))


def _report_damage(report: ChargeReport, name: str, groups: tuple[int, ...], side: Side, hits: tuple[Hit, ...], metric: str) -> None:
    """Report where groups of damage landed; `metric` is the list that takes their places, if any does."""
    parts = {"name": name, "points": counted(sum(groups), "points"), "side": word(side)}
    text = say("{name} takes {points} on its {side}.", **parts)
    if hits:
        places = listed((say("{points} {place}", points=group, place=hit.text) for group, hit in zip(groups, hits, strict=True)), ", ")
        text = say("{name} takes {points} on its {side}: {places}.", places=places, **parts)
        report.finding("damage.location", text)
    report.step("damage", name, "damage.groups", "damage.location", text=text)
    if metric and hits:
        report.extend(f"locations_{metric}", *(hit.code for hit in hits))
        report.add(f"criticals_{metric}", sum(hit.is_critical for hit in hits))


def role(play: Play, name: str) -> str | None:
    """Give the part that a unit plays in what is told: charger, target, or none."""
    return {play.declared.charger: "charger", play.struck: "target"}.get(name)


def roll_motive_at_once(play: Play, roller: Roller, name: str, side: Side) -> Play:
    """Roll for the motive damage that a charge does by itself; other units than vehicles have none."""
    if not play.table.units[name].is_vehicle:
        return play
    if roller.report:
        text = say("{name} is a vehicle in a charge that hit: it rolls for motive damage at once.", name=name)
        roller.report.finding("motive.immediate", text)
    return roll_motive(play, roller, name, side)


def roll_motive(play: Play, roller: Roller, name: str, side: Side) -> Play:
    """Roll for motive damage of a vehicle hit on one side."""
    unit = play.table.units[name]
    result = roller.pick(motive_draw(side, unit.profile.motion), say("motive damage of {name}", name=name))
    if roller.report:
        _report_motive(roller.report, play, name, result)
    return play.with_unit(Motor.of(unit).slowed(result).fitted(unit))


def _report_motive(report: ChargeReport, play: Play, name: str, result: Motive) -> None:
    text = say("{name} takes {kind} motive damage.", name=name, kind=word(result))
    if result == "none":
        text = say("{name} takes no motive damage.", name=name)
    report.step("motive", name, "motive.immediate", text=text)
    if part := role(play, name):
        report.extend(f"motive_{part}", result)


# Rolls not to fall, falls, and what they do to pilots.


def keep_feet(play: Play, roller: Roller, name: str) -> Play:
    """Let a standing 'Mech roll after a hit, and fall at the first roll that fails: once it lies it rolls no more."""
    unit = play.table.units[name]
    if not unit.is_mech or unit.is_prone:
        if roller.report:
            roller.report.extend(f"psr_{role(play, name)}")
        return play
    numbers = charge_numbers(play.table, unit, points=play.points(name))
    checks: list[Check] = []
    for number in numbers:
        checks.append(roller.pick(check(number), say("{name} keeping its feet", name=name)))
        if not checks[-1].is_passed:
            break
    if roller.report:
        _report_rolls(play, roller.report, unit, numbers, checks)
    return play if checks[-1].is_passed else play.then((fall, (name, checks[-1].number, 0)))


def _report_rolls(play: Play, report: ChargeReport, unit: Combatant, numbers: tuple[int, ...], checks: Sequence[Check]) -> None:
    """Report the rolls that were made, and the numbers of all that were owed."""
    name, texts = unit.name, [say("{name} {rolled}.", name=unit.name, rolled=rolled(one)) for one in checks]
    for text in texts:
        report.step("psr", name, "psr.charge", text=text)
    report.extend(f"psr_{role(play, name)}", *numbers)
    report.finding("psr.charge", texts[0], measured=checks[0].total, limit=checks[0].number, using=assumed(unit, "piloting"))
    if len(numbers) > 1:
        rolls = say("two rolls are due: after the first it lies, and makes no second")
        if len(checks) > 1:
            rolls = say("it rolls twice: {rolled}", rolled=rolled(checks[1]))
        points = play.points(name)
        text = say("{name} took {points} points in this charge, so {rolls}.", name=name, points=points, rolls=rolls)
        report.finding("psr.heavy-damage", text, measured=points)


def fall(play: Play, roller: Roller, name: str, number: int | None, levels: int) -> Play:
    """Let a unit fall: after a roll that needed `number`, or without one; down so many levels."""
    unit = play.table.units[name]
    face = roller.pick(FACE, say("the side that {name} falls on", name=name))
    side = FALL_SIDES[face - 1]
    points = tons_points(play.table, unit) * (levels + 1)
    down = unit.at(unit.hex, unit.facing + face - 1).with_status("prone") if unit.is_mech else unit
    if roller.report:
        parts = {"name": name, "side": word(side), "points": counted(points, "points")}
        text = say("{name} falls on its {side} and takes {points}.", **parts)
        if levels:
            text = say("{name} falls down {levels} on its {side} and takes {points}.", levels=counted(levels, "levels"), **parts)
        roller.report.step("fall", name, "fall", poses=(play.table.pose(unit), play.table.pose(down)), text=text)
        roller.report.finding("fall", text, measured=points)
        if part := role(play, name):
            roller.report.add(f"fall_damage_{part}", points)
    pilot = ((_pilot, (name, piloting(play.table, unit) if number is None else number, levels)),) if unit.is_mech else ()
    return play.with_unit(down).fallen(name).then((hurt, (name, grouped(play.table, points), side, table_of(unit))), *pilot)


def _pilot(play: Play, roller: Roller, name: str, number: int, levels: int) -> Play:
    """Let the pilot of a 'Mech that fell roll not to be hurt."""
    harder = levels if play.table.choices.pilot_levels == "levels" else max(levels - 1, 0)
    roll = roller.pick(check(number + harder), say("the pilot of {name}", name=name), is_reported=True)
    if roller.report:
        text = say("The pilot of {unit} {rolled}.", unit=name, rolled=rolled(roll))
        if not roll.is_passed:
            text = say("The pilot of {unit} {rolled}, and is hurt.", unit=name, rolled=rolled(roll))
        roller.report.step("pilot", name, "fall", text=text)
        using = assumed(play.table.units[name], "piloting")
        roller.report.finding("fall", text, measured=roll.total, limit=roll.number, using=using)
        if part := role(play, name):
            roller.report.add(f"pilot_hits_{part}", int(not roll.is_passed))
    return play


# Entering building hexes, on the way and in the place of the target.


def path_tasks(play: Play) -> tuple[Task, ...]:
    """Give an entry roll for every building hex of the path."""
    hexes = enumerate(play.declared.path, 1)
    return tuple((enter, (place, entered, False)) for entered, place in hexes if play.table.at(place).is_building)


def enter(play: Play, roller: Roller, place: Hex, entered: int, is_target: bool) -> Play:  # noqa: FBT001 - given by position on the agenda
    """Let the charger enter a building hex, the last of so many entered; a building without CF has collapsed."""
    table, unit = play.table, play.charger
    if play.cf(place) <= 0:
        return play
    what = say("{unit} entering the building in {place}", unit=unit.name, place=hex_number(place))
    number = entry_number(table, unit, place=place, entered=entered, is_target=is_target)
    roll = roller.pick(check(number), what)
    points = 0 if roll.is_passed else divided_up(table.at(place).cf, table.book.cf_per_absorbed_point)
    if roller.report:
        rule = "building.entry-roll" if is_target else "building.path-rolls"
        parts = {"name": unit.name, "place": hex_number(place), "rolled": rolled(roll)}
        text = say("{name} enters the building in {place}: {rolled}.", **parts)
        if points:
            text = say("{name} enters the building in {place}: {rolled}, {points}.", points=counted(points, "points"), **parts)
        roller.report.step("building_roll", unit.name, rule, text=text)
        roller.report.finding(rule, text, measured=roll.total, limit=roll.number, using=assumed(unit, "piloting"))
        if is_target:
            roller.report.metrics |= {"entry_psr": roll.number, "entry_failed": not roll.is_passed}
    entered_it = play.worn(place, tons_points(table, unit))
    if roll.is_passed:
        return entered_it
    motive: tuple[Task, ...] = ((roll_motive, (unit.name, "front")),) if unit.is_vehicle else ()
    hurting: Task = (hurt, (unit.name, grouped(table, points), "front", table_of(unit), "", False))
    return (entered_it.taken(unit.name, points) if is_target else entered_it).then(hurting, *motive)


def enter_behind(play: Play, roller: Roller) -> Play:
    """Let a charger that took its target's place enter the building there."""
    if play.push != "moved" or not play.table.at(play.charger.hex).is_building:
        return play
    return enter(play, roller, play.charger.hex, play.declared.hexes_entered + 1, is_target=True)
