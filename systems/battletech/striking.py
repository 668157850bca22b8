"""The roll to hit, and what a hit sets going: damage, motive damage, displacement, rolls to keep one's feet."""

from functools import partial

from systems.battletech.buildings import enter, enter_behind
from systems.battletech.falling import keep_feet
from systems.battletech.harming import Blow, blow_on_building, blow_on_hill, blow_on_unit
from systems.battletech.hitting import TO_HIT, aim
from systems.battletech.hurting import hurt, roll_motive_at_once
from systems.battletech.locations import side_of, table_of
from systems.battletech.missing import place_missed
from systems.battletech.play import Play, Strike, Task
from systems.battletech.pushing import push
from systems.battletech.roll import Roller, check
from systems.battletech.scene import Combatant
from systems.battletech.telling import tell_blow, tell_building, tell_going_in, tell_hill, tell_staying_out, tell_to_hit
from tabletop.table.state import Hex


def charge_target(play: Play, roller: Roller) -> Play:
    """Charge what was declared, which is in the hex in front."""
    if play.declared.target is None:
        return strike_building(play, roller, play.declared.target_hex)
    return roll_to_hit(play, roller, play.declared.target, is_unintentional=False)


def roll_to_hit(play: Play, roller: Roller, name: str, is_unintentional: bool) -> Play:  # noqa: FBT001 - given by position on the agenda
    """Roll to hit a unit; a charge as declared that misses goes beside its target."""
    declared, target = play.declared, play.table.units[name]
    aimed = aim(
        play.table,
        play.charger,
        target=target,
        gait=declared.gait,
        modifiers=declared.keys.modifiers,
        is_unintentional=is_unintentional,
    )
    roll = roller.pick(check(aimed.number), TO_HIT)
    told = play.telling(partial(tell_to_hit, play.charger.name, name, aimed, roll, is_unintentional, name != play.struck))
    if roll.is_passed:
        return _hit(told, target, aimed.number, is_unintentional=is_unintentional)
    missed = told.met(Strike("unit", name, target.hex, aimed.number, None, is_unintentional))
    return missed if is_unintentional else missed.but(rule="tohit.roll").then((place_missed, ()))


def _hit(play: Play, target: Combatant, number: int, *, is_unintentional: bool) -> Play:
    """Do what a hit on a unit does, in the order in which its dice are rolled."""
    charger = play.charger
    side = side_of(target, play.forward + 3)
    located = table_of(target, is_kick=charger.is_vehicle and not target.is_prone)
    blow = blow_on_unit(play.table, charger, target=target, hexes=play.declared.hexes_entered, side=side, located=located)
    strike = Strike("unit", target.name, target.hex, number, blow, is_unintentional)
    hit = play.met(strike).taken(charger.name, blow.charger_points).taken(target.name, sum(blow.target_groups))
    if blow.is_shielded:
        hit = hit.worn(target.hex, blow.absorbed)
    return hit.telling(partial(tell_blow, charger, target, blow)).then(
        *_charger_hurt(charger, blow),
        (roll_motive_at_once, (target.name, side)),
        (hurt, (target.name, blow.target_groups, side, located, "target")),
        (push, (target.name,)),
        (enter_behind, ()),
        (keep_feet, (charger.name,)),
        (keep_feet, (target.name,)),
    )


def _charger_hurt(charger: Combatant, blow: Blow) -> tuple[Task, ...]:
    return (
        (roll_motive_at_once, (charger.name, "front")),
        (hurt, (charger.name, blow.charger_groups, "front", table_of(charger), "charger")),
    )


def strike_building(play: Play, roller: Roller, place: Hex) -> Play:  # noqa: ARG001 - a building is always hit
    """Charge a building hex; the charger goes in by choice, but not at the end of a skid."""
    charger = play.charger
    blow = blow_on_building(play.table, charger, hexes=play.declared.hexes_entered)
    hit = play.met(Strike("building", None, place, None, blow, play.skid is not None))
    hit = hit.taken(charger.name, blow.charger_points).worn(place, blow.target_points)
    is_entered = play.skid is None and play.table.choices.building_charge_advance == "enter"
    return hit.telling(partial(tell_building, charger, place, blow, bool(play.strikes))).then(
        *_charger_hurt(charger, blow),
        *(((_go_in, (place,)),) if is_entered else ()),
        (keep_feet, (charger.name,)),
    )


def _go_in(play: Play, roller: Roller, place: Hex) -> Play:
    """Let a charger enter the building hex that it charged, if stacking suffers it there."""
    crowd = play.table.crowding(place, play.charger)
    if crowd is not None:
        return play.telling(partial(tell_staying_out, play.charger.name, crowd.name))
    before, after = play.charger, play.charger.at(place)
    poses = play.table.pose(before), play.table.pose(after)
    gone = play.with_unit(after).telling(partial(tell_going_in, before.name, *poses))
    return enter(gone, roller, place, play.declared.hexes_entered + 1, is_target=True)


def strike_hill(play: Play, roller: Roller, place: Hex) -> Play:  # noqa: ARG001 - a hill is always hit
    """Run into a hill in a skid: it hurts the skidder only."""
    charger = play.charger
    blow = blow_on_hill(play.table, charger)
    hit = play.met(Strike("hill", None, place, None, blow, is_unintentional=True))
    return hit.telling(partial(tell_hill, charger, place, blow, bool(play.strikes))).then(*_charger_hurt(charger, blow))
