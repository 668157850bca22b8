"""Collisions: the roll to hit and what a hit sets going, falls to weapon fire before it, and skids on pavement into whatever is there.

A hit brings damage, motive damage, displacement and rolls not to fall. Between declaring a charge and making it, in the Weapon Attack
Phase, units may fall, skid and lose MP.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from systems.battletech.damage import (
    Blow,
    blow_on_building,
    blow_on_hill,
    blow_on_unit,
    divided_up,
    grouped,
    is_weightless,
    piloting,
    side_of,
    table_of,
    tons_points,
)
from systems.battletech.displacement import place_missed, push
from systems.battletech.effects import enter, enter_behind, fall, hurt, keep_feet, roll_motive_at_once
from systems.battletech.play import Play, Skid, Strike, Tale, Task, in_hexes, rolled, rules
from systems.battletech.roll import Check, Roller, check
from systems.battletech.scene import Combatant, Declared, Gait, Table
from systems.battletech.words import Event
from tabletop.geometry.pose import Pose
from tabletop.messages import counted, listed, say, word
from tabletop.ruling.charge import Step
from tabletop.ruling.finding import Assumed, assumed
from tabletop.table.hexes import number as hex_number
from tabletop.table.state import Hex

TO_HIT = say("to-hit")
"""What a roll to hit is called."""

TARGET_MOVEMENT = ((25, 6), (18, 5), (10, 4), (7, 3), (5, 2), (3, 1))
"""Hexes that a target moved at least, and what they add."""

# The roll to hit, and what a hit sets going.


def charge_target(play: Play, roller: Roller) -> Play:
    """Charge what was declared, which is in the hex in front."""
    if play.declared.target is None:
        return strike_building(play, roller, play.declared.target_hex)
    return roll_to_hit(play, roller, play.declared.target, is_unintentional=False)


@dataclass(frozen=True)
class ToHit:
    """The items of a number to hit, in the order of the rules, those of 0 included; `assumed` are numbers that no profile gives."""

    items: Mapping[str, int]
    assumed: tuple[Assumed, ...] = ()

    @property
    def number(self) -> int:
        """What two dice must reach."""
        return sum(self.items.values())

    @property
    def text(self) -> str:
        """The sum in words, items of 0 left out."""
        shown = [(word(name.replace("_", " ")), value) for name, value in self.items.items() if value and name != "piloting"]
        added = [say("{reason} {value:+d}", reason=reason, value=value) for reason, value in shown]
        return say("{number} = {sum}", number=self.number, sum=listed([say("{piloting}", piloting=self.items["piloting"]), *added], ", "))


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
    told = play.telling(partial(_tell_to_hit, play.charger.name, name, aimed, roll, is_unintentional, name != play.struck))
    if roll.is_passed:
        return _hit(told, target, aimed.number, is_unintentional=is_unintentional)
    missed = told.met(Strike("unit", name, target.hex, aimed.number, None, is_unintentional))
    return missed if is_unintentional else missed.but(rule="tohit.roll").then((place_missed, ()))


def aim(
    table: Table,
    charger: Combatant,
    *,
    target: Combatant,
    gait: Gait,
    modifiers: Mapping[str, int],
    is_unintentional: bool = False,
) -> ToHit:
    """Sum up the number that a charge needs to hit a unit; `modifiers` are those that the charge declares by their reasons."""
    book = table.book
    return ToHit(
        {
            "piloting": charger.profile.piloting,
            "difference": charger.profile.piloting - target.profile.piloting,
            "movement": book.walk_to_hit if gait == "walk" else book.run_to_hit,
            "target_movement": target_movement(table, target),
            "terrain": _terrain(table, target),
            "prone": book.prone_to_hit * target.is_prone,
            "immobile": book.immobile_to_hit * target.is_immobile,
            "spotting": book.spotting_to_hit * ("spotting" in charger.status),
            "unintentional": book.unintentional_to_hit * is_unintentional,
            "other": sum(modifiers.values()),
        },
        (*assumed(charger, "piloting"), *assumed(target, "piloting", "hexes_moved")),
    )


def target_movement(table: Table, target: Combatant) -> int:
    """Give what a target's own movement adds to the number to hit it."""
    moved = next((modifier for least, modifier in TARGET_MOVEMENT if target.profile.hexes_moved >= least), 0)
    jumped = table.book.jumped_to_hit * ("jumped" in target.status)
    return moved + jumped + table.book.skidded_to_hit * ("skidded" in target.status)


def _terrain(table: Table, target: Combatant) -> int:
    """Give what woods and smoke in the target's hex add."""
    book, ground = table.book, table.at(target.hex)
    woods = {"light_woods": book.light_woods_to_hit, "heavy_woods": book.heavy_woods_to_hit}.get(ground.cover, 0)
    smoke = {"light_smoke": book.light_smoke_to_hit, "heavy_smoke": book.heavy_smoke_to_hit}.get(ground.smoke or "", 0)
    return woods + smoke


def _tell_to_hit(
    charger: str,
    name: str,
    aimed: ToHit,
    roll: Check,
    is_unintentional: bool,  # noqa: FBT001 - an event's own
    is_another: bool,  # noqa: FBT001 - an event's own
    journal: Tale,
) -> Tale:
    """Tell of a roll to hit a unit; it `is_another` than the target, or than the one met before."""
    text = say("The charge on {name} {rolled}.", name=name, rolled=rolled(roll))
    items = {f"to_hit_{item}": value for item, value in aimed.items.items()}
    told = (
        journal.unaimed(at_another=is_another)
        .step(Step("to_hit", charger, rules=rules("tohit.number", "tohit.roll"), text=text))
        .with_metrics(tn=aimed.number, **items)
    )
    number = say("The number to hit {name} is {sum}.", name=name, sum=aimed.text)
    told = told.finding("tohit.number", number, measured=aimed.number, using=aimed.assumed)
    if roll.total is not None:
        told = told.with_metrics(roll=roll.total)
    if not is_unintentional:
        return told.finding("tohit.roll", text, ok=roll.is_passed, measured=roll.total, limit=roll.number, has_margin=True)
    told = told.with_metrics(unintentional=True).finding("tohit.roll", text, measured=roll.total, limit=roll.number)
    text = say("The skid runs into {name}, which is a charge, and harder to hit with.", name=name)
    return told.finding("weapon.unintentional-charge", text)


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
    return hit.telling(partial(_tell_blow, charger, target, blow)).then(
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


def _tell_blow(charger: Combatant, target: Combatant, blow: Blow, journal: Tale) -> Tale:
    """Tell of the damage of a hit on a unit."""
    text = say("{unit} takes {points}.", unit=target.name, points=counted(blow.target_points, "points"))
    if blow.is_shielded:
        text = say("The hit on {unit} is worth {points}.", unit=target.name, points=counted(blow.target_points, "points"))
    told = journal.finding("damage.target", text, measured=blow.target_points)
    told = told.with_metrics(damage_target=blow.target_points, groups_target=list(blow.target_groups), side_target=blow.side)
    if blow.table is not None:
        told = told.with_metrics(table_target=blow.table, locations_target=[], criticals_target=0)
    if blow.table == "kick":
        text = say("{charger} is a vehicle and {target} stands: the kick table is used.", charger=charger.name, target=target.name)
        told = told.finding("damage.kick", text)
    if blow.is_shielded:
        through, points = blow.target_points - blow.absorbed, counted(blow.absorbed, "points")
        text = say("The building of {target} takes {points}, {through} come through.", target=target.name, points=points, through=through)
        told = told.finding("building.absorbs", text, measured=blow.absorbed).with_metrics(absorbed=blow.absorbed, damage_through=through)
    return _tell_own(charger, blow, "unusual.damage" if is_weightless(target) else "damage.charger", told)


def _tell_own(charger: Combatant, blow: Blow, rule: str, journal: Tale) -> Tale:
    """Tell of what the charger takes."""
    name, points = charger.name, counted(blow.charger_points, "points")
    text = say("{unit} takes {points}.", unit=name, points=points)
    if rule == "unusual.damage":
        text = say("{unit} takes {points}, by its own weight.", unit=name, points=points)
    told = journal.finding(rule, text, measured=blow.charger_points).with_metrics(
        damage_charger=blow.charger_points, groups_charger=list(blow.charger_groups), locations_charger=[], criticals_charger=0
    )
    groups = (*blow.target_groups, *blow.charger_groups)
    return told.finding("damage.groups", say("The damage comes in {groups} of at most 5 points.", groups=counted(len(groups), "groups")))


def strike_building(play: Play, roller: Roller, place: Hex) -> Play:  # noqa: ARG001 - a building is always hit
    """Charge a building hex; the charger goes in by choice, but not at the end of a skid."""
    charger = play.charger
    blow = blow_on_building(play.table, charger, hexes=play.declared.hexes_entered)
    hit = play.met(Strike("building", None, place, None, blow, play.skid is not None))
    hit = hit.taken(charger.name, blow.charger_points).worn(place, blow.target_points)
    is_entered = play.skid is None and play.table.choices.building_charge_advance == "enter"
    return hit.telling(partial(_tell_building, charger, place, blow, bool(play.strikes))).then(
        *_charger_hurt(charger, blow),
        *(((_go_in, (place,)),) if is_entered else ()),
        (keep_feet, (charger.name,)),
    )


def _tell_building(charger: Combatant, place: Hex, blow: Blow, is_another: bool, journal: Tale) -> Tale:  # noqa: FBT001 - an event's own
    """Tell of the damage of a charge on a building hex; it `is_another` thing than the charger met before."""
    text = say("The building in {place} is always hit, and loses {points} CF.", place=hex_number(place), points=blow.target_points)
    sure = say("The building in {place} is hit without a roll.", place=hex_number(place))
    told = journal.unaimed(at_another=is_another).finding("tohit.number", sure)
    told = told.finding("unusual.building", text, measured=blow.target_points)
    told = told.with_metrics(damage_target=blow.target_points)
    return _tell_own(charger, blow, "unusual.damage", told)


def _go_in(play: Play, roller: Roller, place: Hex) -> Play:
    """Let a charger enter the building hex that it charged, if stacking suffers it there."""
    crowd = play.table.crowding(place, play.charger)
    if crowd is not None:
        return play.telling(partial(_tell_staying_out, play.charger.name, crowd.name))
    before, after = play.charger, play.charger.at(place)
    poses = play.table.pose(before), play.table.pose(after)
    gone = play.with_unit(after).telling(partial(_tell_going_in, before.name, *poses))
    return enter(gone, roller, place, play.declared.hexes_entered + 1, is_target=True)


def _tell_going_in(name: str, before: Pose, after: Pose, journal: Tale) -> Tale:
    """Tell of a charger that goes into the building hex that it charged."""
    told = journal.step(Step("advance", name, before, after, rules=rules("unusual.building")))
    return told.finding("unusual.building", say("{name} goes on into the building.", name=name))


def _tell_staying_out(name: str, crowd: str, journal: Tale) -> Tale:
    """Tell of a charger for which there is no room in the building hex that it charged."""
    text = say("{name} stays before the building: there is no room beside {crowd}.", name=name, crowd=crowd)
    return journal.finding("unusual.building", text)


def strike_hill(play: Play, roller: Roller, place: Hex) -> Play:  # noqa: ARG001 - a hill is always hit
    """Run into a hill in a skid: it hurts the skidder only."""
    charger = play.charger
    blow = blow_on_hill(play.table, charger)
    hit = play.met(Strike("hill", None, place, None, blow, is_unintentional=True))
    return hit.telling(partial(_tell_hill, charger, place, blow, bool(play.strikes))).then(*_charger_hurt(charger, blow))


def _tell_hill(charger: Combatant, place: Hex, blow: Blow, is_another: bool, journal: Tale) -> Tale:  # noqa: FBT001 - an event's own
    """Tell of a skid that runs into a hill; it `is_another` thing than the charger met before."""
    sure = say("The hill in {place} is hit without a roll.", place=hex_number(place))
    text = say("The skid ends at the hill in {place}, which hurts {charger} only.", place=hex_number(place), charger=charger.name)
    told = journal.unaimed(at_another=is_another).finding("tohit.number", sure).finding("unusual.hill", text)
    return _tell_own(charger, blow, "unusual.damage", told)


# The Weapon Attack Phase.


def weapon_roll(play: Play, roller: Roller, is_charger: bool) -> Play:  # noqa: FBT001 - given by position on the agenda
    """Let the charger or the target make the roll that weapon damage forces, if it does; it may be known how it ends."""
    keys = play.declared.keys.weapon_phase
    event = keys.charger_psr if is_charger else keys.target_psr
    unit = play.charger if is_charger else play.target
    if event == "none" or unit is None or not unit.is_mech or unit.is_prone:
        return play
    number = piloting(play.table, unit) + (keys.charger_psr_modifier if is_charger else keys.target_psr_modifier)
    if event == "roll":
        roll = roller.pick(check(number), say("{unit} keeping its feet in the weapon phase", unit=unit.name))
    else:
        roll = Check(number, event == "passed")
    told = play.telling(partial(_tell_weapon_roll, unit, "charger" if is_charger else "target", roll, event))
    return told if roll.is_passed else told.but(failed=(*play.failed, (unit.name, number)))


def _tell_weapon_roll(unit: Combatant, part: str, roll: Check, event: Event, journal: Tale) -> Tale:
    rule, name = f"weapon.{part}-fell", unit.name
    known = say("{name} passed the roll that weapon damage forced.", name=name)
    if not roll.is_passed:
        known = say("{name} failed the roll that weapon damage forced.", name=name)
    text = say("{name} {rolled}.", name=name, rolled=rolled(roll)) if event == "roll" else known
    told = journal.step(Step("weapon_roll", name, rules=rules(rule), text=text))
    if event == "roll":
        told = told.listed(f"psr_{part}", roll.number)
    return told.finding(rule, text, measured=roll.total, limit=roll.number, using=assumed(unit, "piloting"))


def after_weapons(play: Play, roller: Roller, *to_do: Task) -> Play:  # noqa: ARG001 - rolls come later
    """Let those fall who failed, the target first; a charger on pavement skids. If neither fell the charge goes on as `to_do`."""
    failed = dict(play.failed)
    target, charger = play.declared.target, play.declared.charger
    tasks: list[Task] = [(fall, (target, failed[target], 0))] if target is not None and target in failed else []
    if charger in failed:
        return play.then(*tasks, *_charger_down(play, failed[charger]))
    if tasks:
        return play.but(rule="weapon.target-fell").telling(partial(_tell_down, "weapon.target-fell", str(target))).then(*tasks)
    lost = play.declared.keys.weapon_phase.charger_mp_lost
    walk = play.charger.profile.walk
    is_cancelled = lost > 0 and play.table.choices.immobile_charger == "cancelled" and walk is not None and lost >= walk
    told = play.telling(partial(_tell_mp_lost, play.charger.name, lost, is_cancelled)) if lost else play
    return told.but(rule="weapon.mp-loss") if is_cancelled else told.then(*to_do)


def _charger_down(play: Play, number: int) -> tuple[Task, ...]:
    """Give what a charger does that failed its roll."""
    if skid_limit(play):
        return ((skid, (number,)),)
    placing: tuple[Task, ...] = ((place_missed, ()),) if play.table.choices.auto_miss_placement == "side" else ()
    return ((fall, (play.declared.charger, number, 0)), (_miss, ()), *placing)


def _miss(play: Play, roller: Roller) -> Play:  # noqa: ARG001 - nothing is rolled
    """Let a charger that fell miss."""
    return play.but(rule="weapon.charger-fell")


def _tell_down(rule: str, name: str, journal: Tale) -> Tale:
    return journal.finding(rule, say("{name} fell to weapon fire, and the charge is not made.", name=name), ok=False)


def _tell_mp_lost(name: str, lost: int, is_cancelled: bool, journal: Tale) -> Tale:  # noqa: FBT001 - an event's own
    text = say("{name} lost {lost} MP to weapon fire, which does not matter.", name=name, lost=lost)
    if is_cancelled:
        text = say("{name} lost {lost} MP to weapon fire, all it had.", name=name, lost=lost)
    return journal.finding("weapon.mp-loss", text, ok=not is_cancelled, measured=lost)


# Skids.


def skid(play: Play, roller: Roller, number: int) -> Play:
    """Let the charger lie down and skid, after a roll that needed `number`."""
    down = play.charger.with_status("prone")
    limit = skid_limit(play)
    skidding = play.but(skid=Skid(limit, (down.hex,), number)).with_unit(down).fallen(down.name)
    return slide(skidding.telling(partial(_tell_skid, down.name, limit)), roller)


def skid_limit(play: Play) -> int:
    """Give how many hexes the charger skids at most if it falls: half of those it entered, if it stands on pavement."""
    return on_pavement(play.declared, play.table) if play.table.at(play.charger.hex).is_paved else 0


def on_pavement(declared: Declared, table: Table) -> int:
    """Give how many hexes a charger would skid at most if it stood on pavement."""
    return divided_up(declared.hexes_entered, 2) if table.choices.skid_rounding == "up" else declared.hexes_entered // 2


def _tell_skid(name: str, limit: int, journal: Tale) -> Tale:
    text = say("{name} falls on pavement and skids up to {hexes} straight on.", name=name, hexes=in_hexes(limit))
    told = journal.step(Step("fall", name, rules=rules("weapon.skid"), text=text)).fallen(name)
    return told.finding("weapon.skid", text, measured=limit).with_metrics(skid_limit=limit, unintentional=False)


def slide(play: Play, roller: Roller) -> Play:
    """Skid into the next hex, or come to rest."""
    table, unit, place = play.table, play.charger, play.front
    if play.skid is None or play.skid.entered >= play.skid.limit or not table.board.holds(place):
        return play.then((come_to_rest, ()))
    if table.rise(unit.hex, place, unit) > 0:
        return strike_hill(play.then((come_to_rest, ())), roller, place)
    if table.is_prohibited(place, unit):
        points = divided_up(unit.profile.tons or 0, table.book.prohibited_skid_tons)
        stopped = play.telling(partial(_tell_stop, unit.name, place))
        return stopped.then(_skid_damage(play, points), (come_to_rest, ()))
    met = _met(play, place)
    if met is None:
        return pass_into(play, roller, place)
    return play.then((roll_to_hit, (met.name, True)), (_go_on, (place,)))


def _tell_stop(name: str, place: Hex, journal: Tale) -> Tale:
    text = say("The skid of {name} ends before {place}, which is prohibited to it.", name=name, place=hex_number(place))
    return journal.finding("weapon.skid", text)


def _met(play: Play, place: Hex) -> Combatant | None:
    """Give the unit that the skid runs into: the target if it is there, else the first of the file."""
    there = play.table.units_in(place, without=(play.declared.charger,))
    return next((unit for unit in there if unit.name == play.declared.target), there[0] if there else None)


def _go_on(play: Play, roller: Roller, place: Hex) -> Play:
    """Come to rest after a hit, in the hex of what was hit if that was pushed on; slide on after a miss."""
    if not play.strikes[-1].is_hit:
        return pass_into(play, roller, place)
    return (_entering(play, place) if play.charger.hex == place else play).then((come_to_rest, ()))


def pass_into(play: Play, roller: Roller, place: Hex) -> Play:
    """Skid into a hex in which nothing, or nothing any more, is in the way of the charger but a building."""
    if play.cf(place) > 0:
        return strike_building(play.then((come_to_rest, ())), roller, place)
    before = play.charger
    after = before.at(place)
    levels = -play.table.rise(before.hex, place, before)
    poses = play.table.pose(before), play.table.pose(after)
    gone = _entering(play.with_unit(after), place).telling(partial(_tell_slide, before.name, *poses))
    if levels < play.table.book.drop_levels:
        return gone.then((slide, ()))
    return gone.then((fall, (before.name, None, levels)), (come_to_rest, ()))


def _tell_slide(name: str, before: Pose, after: Pose, journal: Tale) -> Tale:
    return journal.step(Step("skid", name, before, after, rules=rules("weapon.skid")))


def _entering(play: Play, place: Hex) -> Play:
    """Count a hex entered by skidding."""
    return play if play.skid is None else play.but(skid=replace(play.skid, hexes=(*play.skid.hexes, place)))


def come_to_rest(play: Play, roller: Roller) -> Play:  # noqa: ARG001 - rolls come later
    """End a skid: back to the last hex that suffers the charger, then the damage of skidding."""
    if play.skid is None:
        return play
    table, unit, skidded = play.table, play.charger, play.skid
    back = next((place for place in reversed(skidded.hexes) if table.crowding(place, unit) is None), skidded.hexes[0])
    poses = table.pose(unit), table.pose(unit.at(back))
    points = skidded.entered * divided_up(tons_points(table, unit), 2)
    rested = play.with_unit(unit.at(back)).telling(partial(_tell_rest, unit.name, skidded, points, poses))
    falls = table.choices.skid_damage == "per_hex_and_fall"
    decided = rested if rested.is_success else rested.but(rule="weapon.charger-fell")
    return decided.then(_skid_damage(play, points), *(((fall, (unit.name, skidded.number, 0)),) if falls else ()))


def _tell_rest(name: str, skidded: Skid, points: int, poses: tuple[Pose, Pose], journal: Tale) -> Tale:
    hexes, taken = in_hexes(skidded.entered), counted(points, "points")
    text = say("{name} comes to rest after {hexes} and takes {points}.", name=name, hexes=hexes, points=taken)
    back = Step("skid", name, *poses, rules=rules("weapon.skid"), text=say("{name} is put back.", name=name))
    told = journal.step(*((back,) if poses[0] != poses[1] else ())).finding("weapon.skid", text, measured=points)
    return told.with_metrics(skid_hexes=skidded.entered, skid_damage=points)


def _skid_damage(play: Play, points: int) -> Task:
    """Give the damage that the charger takes on its front by skidding."""
    return hurt, (play.charger.name, grouped(play.table, points), "front", table_of(play.charger))
