"""Rolls to keep one's feet after a charge, falls, and what they do to pilots."""

from functools import partial

from systems.battletech.harming import charge_numbers, grouped, piloting, tons_points
from systems.battletech.hurting import hurt, role
from systems.battletech.locations import FALL_SIDES, Side, table_of
from systems.battletech.play import Play
from systems.battletech.roll import FACE, Check, Roller, check
from systems.battletech.scene import Combatant
from systems.battletech.tale import Tale, rolled, rules
from tabletop.geometry.pose import Pose
from tabletop.ruling.assumption import assumed
from tabletop.ruling.charge import Step
from tabletop.words import counted


def keep_feet(play: Play, roller: Roller, name: str) -> Play:
    """Let a standing 'Mech roll after a hit, and fall at the first roll that fails: once it lies it rolls no more."""
    unit = play.table.units[name]
    if not unit.is_mech or unit.is_prone:
        return play.telling(partial(_tell_no_rolls, role(play, name)))
    numbers = charge_numbers(play.table, unit, points=play.points(name))
    checks: list[Check] = []
    for number in numbers:
        checks.append(roller.pick(check(number), f"{name} keeping its feet"))
        if not checks[-1].is_passed:
            break
    told = play.telling(partial(_tell_rolls, unit, role(play, name), numbers, tuple(checks), play.points(name)))
    return told if checks[-1].is_passed else told.then((fall, (name, checks[-1].number, 0)))


def fall(play: Play, roller: Roller, name: str, number: int | None, levels: int) -> Play:
    """Let a unit fall: after a roll that needed `number`, or without one; down so many levels."""
    unit = play.table.units[name]
    face = roller.pick(FACE, f"the side that {name} falls on")
    side = FALL_SIDES[face - 1]
    points = tons_points(play.table, unit) * (levels + 1)
    down = unit.at(unit.hex, unit.facing + face - 1).with_status("prone") if unit.is_mech else unit
    poses = play.table.pose(unit), play.table.pose(down)
    told = play.with_unit(down).fallen(name).telling(partial(_tell_fall, name, role(play, name), points, side, levels, poses))
    pilot = ((_pilot, (name, piloting(unit) if number is None else number, levels)),) if unit.is_mech else ()
    return told.then((hurt, (name, grouped(play.table, points), side, table_of(unit))), *pilot)


def _pilot(play: Play, roller: Roller, name: str, number: int, levels: int) -> Play:
    """Let the pilot of a 'Mech that fell roll not to be hurt."""
    harder = levels if play.table.choices.pilot_levels == "levels" else max(levels - 1, 0)
    roll = roller.pick(check(number + harder), f"the pilot of {name}", is_told=True)
    return play.telling(partial(_tell_pilot, play.table.units[name], role(play, name), roll))


def _tell_no_rolls(part: str | None, journal: Tale) -> Tale:
    return journal.listed(f"psr_{part}")


def _tell_rolls(unit: Combatant, part: str | None, numbers: tuple[int, ...], checks: tuple[Check, ...], points: int, journal: Tale) -> Tale:
    """Tell of the rolls that were made, and of the numbers of all that were owed."""
    name, (first, *rest) = unit.name, checks
    text = f"{name} {rolled(first)}."
    told = journal.step(*(Step("psr", name, rules=rules("psr.charge"), text=f"{name} {rolled(one)}.") for one in checks))
    told = told.listed(f"psr_{part}", *numbers)
    told = told.finding("psr.charge", text, measured=first.total, limit=first.number, using=assumed(unit, "piloting"))
    if len(numbers) == 1:
        return told
    rolls = f"it rolls twice: {rolled(rest[0])}" if rest else "two rolls are due: after the first it lies, and makes no second"
    return told.finding("psr.heavy-damage", f"{name} took {points} points in this charge, so {rolls}.", measured=points)


def _tell_fall(name: str, part: str | None, points: int, side: Side, levels: int, poses: tuple[Pose, Pose], journal: Tale) -> Tale:
    down = f" down {counted(levels, 'levels')}" if levels else ""
    text = f"{name} falls{down} on its {side} and takes {counted(points, 'points')}."
    told = journal.step(Step("fall", name, *poses, rules=rules("fall"), text=text)).finding("fall", text, measured=points)
    told = told.fallen(name)
    return told.counted(f"fall_damage_{part}", points) if part else told


def _tell_pilot(unit: Combatant, part: str | None, roll: Check, journal: Tale) -> Tale:
    text = f"The pilot of {unit.name} {rolled(roll)}{'' if roll.is_passed else ', and is hurt'}."
    told = journal.step(Step("pilot", unit.name, rules=rules("fall"), text=text))
    told = told.finding("fall", text, measured=roll.total, limit=roll.number, using=assumed(unit, "piloting"))
    return told.counted(f"pilot_hits_{part}", int(not roll.is_passed)) if part else told
