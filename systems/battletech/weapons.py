"""What happens between declaring a charge and making it: falls and skids in the Weapon Attack Phase, and MP that are lost."""

from functools import partial

from systems.battletech.falling import fall
from systems.battletech.harming import piloting
from systems.battletech.missing import place_missed
from systems.battletech.play import Play, Task
from systems.battletech.roll import Check, Roller, check
from systems.battletech.scene import Combatant
from systems.battletech.skidding import skid, skid_limit
from systems.battletech.tale import Tale, rolled, rules
from systems.battletech.words import Event
from tabletop.ruling.assumption import assumed
from tabletop.ruling.charge import Step


def weapon_roll(play: Play, roller: Roller, is_charger: bool) -> Play:  # noqa: FBT001 - given by position on the agenda
    """Let the charger or the target make the roll that weapon damage forces, if it does; it may be known how it ends."""
    keys = play.declared.keys.weapon_phase
    event = keys.charger_psr if is_charger else keys.target_psr
    unit = play.charger if is_charger else play.target
    if event == "none" or unit is None or not unit.is_mech or unit.is_prone:
        return play
    number = piloting(unit) + (keys.charger_psr_modifier if is_charger else keys.target_psr_modifier)
    roll = roller.pick(check(number), f"{unit.name} keeping its feet in the weapon phase") if event == "roll" else _known(event, number)
    told = play.telling(partial(_tell_weapon_roll, unit, "charger" if is_charger else "target", roll, event))
    return told if roll.is_passed else told.but(failed=(*play.failed, (unit.name, number)))


def _known(event: Event, number: int) -> Check:
    return Check(number, event == "passed")


def after_weapons(play: Play, roller: Roller, *to_do: Task) -> Play:  # noqa: ARG001 - rolls come later
    """Let those fall who failed, the target first; a charger on pavement skids. If neither fell the charge goes on as `to_do`."""
    failed = dict(play.failed)
    target, charger = play.declared.target, play.declared.charger
    tasks: list[Task] = [(fall, (target, failed[target], 0))] if target is not None and target in failed else []
    if charger in failed:
        return play.then(*tasks, *_charger_down(play, failed[charger]))
    if tasks:
        return play.but(rule="weapon.target-fell").telling(partial(_tell_down, "weapon.target-fell", str(target))).then(*tasks)
    return _with_mp_lost(play, to_do)


def _charger_down(play: Play, number: int) -> tuple[Task, ...]:
    """Give what a charger does that failed its roll."""
    if skid_limit(play):
        return ((skid, (number,)),)
    placing: tuple[Task, ...] = ((place_missed, ()),) if play.table.choices.auto_miss_placement == "side" else ()
    return ((fall, (play.declared.charger, number, 0)), (_miss, ()), *placing)


def _miss(play: Play, roller: Roller) -> Play:  # noqa: ARG001 - nothing is rolled
    """Let a charger that fell miss."""
    return play.but(rule="weapon.charger-fell")


def _with_mp_lost(play: Play, to_do: tuple[Task, ...]) -> Play:
    """Go on in spite of MP that are lost; by choice not if none are left."""
    lost = play.declared.keys.weapon_phase.charger_mp_lost
    walk = play.charger.profile.walk
    is_cancelled = lost > 0 and play.table.choices.immobile_charger == "cancelled" and walk is not None and lost >= walk
    told = play.telling(partial(_tell_mp_lost, play.charger.name, lost, is_cancelled)) if lost else play
    return told.but(rule="weapon.mp-loss") if is_cancelled else told.then(*to_do)


def _tell_weapon_roll(unit: Combatant, part: str, roll: Check, event: Event, journal: Tale) -> Tale:
    rule, name = f"weapon.{part}-fell", unit.name
    text = f"{name} {rolled(roll)}." if event == "roll" else f"{name} {event} the roll that weapon damage forced."
    told = journal.step(Step("weapon_roll", name, rules=rules(rule), text=text))
    if event == "roll":
        told = told.listed(f"psr_{part}", roll.number)
    return told.finding(rule, text, measured=roll.total, limit=roll.number, using=assumed(unit, "piloting"))


def _tell_down(rule: str, name: str, journal: Tale) -> Tale:
    return journal.finding(rule, f"{name} fell to weapon fire, and the charge is not made.", ok=False)


def _tell_mp_lost(name: str, lost: int, is_cancelled: bool, journal: Tale) -> Tale:  # noqa: FBT001 - an event's own
    text = f"{name} lost {lost} MP to weapon fire, {'all it had' if is_cancelled else 'which does not matter'}."
    return journal.finding("weapon.mp-loss", text, ok=not is_cancelled, measured=lost)
