"""Collisions: the roll to hit and what a hit sets going, falls to weapon fire before it, and skids on pavement into whatever is there.

A hit brings damage, motive damage, displacement and rolls not to fall. Between declaring a charge and making it, in the Weapon Attack
Phase, units may fall, skid and lose MP.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

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
from systems.battletech.play import Play, Skid, Strike, Task, in_hexes, rolled
from systems.battletech.roll import ChargeReport, Check, Roller, check
from systems.battletech.scene import Combatant, Declared, Gait, Table
from tabletop.messages import counted, listed, say, word
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
    if roller.report:
        _report_to_hit(play, roller.report, name, aimed, roll, is_unintentional=is_unintentional)
    if roll.is_passed:
        return _hit(play, roller, target, aimed.number, is_unintentional=is_unintentional)
    missed = play.met(Strike("unit", name, target.hex, aimed.number, None, is_unintentional))
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


def _report_to_hit(play: Play, report: ChargeReport, name: str, aimed: ToHit, roll: Check, *, is_unintentional: bool) -> None:
    report.drop_aim(at_another=name != play.struck)
    text = say("The charge on {name} {rolled}.", name=name, rolled=rolled(roll))
    report.step("to_hit", play.charger.name, "tohit.number", "tohit.roll", text=text)
    report.metrics |= {"tn": aimed.number, **{f"to_hit_{item}": value for item, value in aimed.items.items()}}
    number = say("The number to hit {name} is {sum}.", name=name, sum=aimed.text)
    report.finding("tohit.number", number, measured=aimed.number, using=aimed.assumed)
    if roll.total is not None:
        report.metrics["roll"] = roll.total
    is_missed = not is_unintentional and not roll.is_passed
    report.finding("tohit.roll", text, ok=not is_missed, measured=roll.total, limit=roll.number, has_margin=not is_unintentional)
    if is_unintentional:
        report.metrics["unintentional"] = True
        text = say("The skid runs into {name}, which is a charge, and harder to hit with.", name=name)
        report.finding("weapon.unintentional-charge", text)


def _hit(play: Play, roller: Roller, target: Combatant, number: int, *, is_unintentional: bool) -> Play:
    """Do what a hit on a unit does, in the order in which its dice are rolled."""
    charger = play.charger
    side = side_of(target, play.forward + 3)
    located = table_of(target, is_kick=charger.is_vehicle and not target.is_prone)
    blow = blow_on_unit(play.table, charger, target=target, hexes=play.declared.hexes_entered, side=side, located=located)
    strike = Strike("unit", target.name, target.hex, number, blow, is_unintentional)
    hit = play.met(strike).taken(charger.name, blow.charger_points).taken(target.name, sum(blow.target_groups))
    if blow.is_shielded:
        hit = hit.worn(target.hex, blow.absorbed)
    if roller.report:
        _report_blow(roller.report, charger, target, blow)
    return hit.then(
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


def _report_blow(report: ChargeReport, charger: Combatant, target: Combatant, blow: Blow) -> None:
    """Report the damage of a hit on a unit."""
    name = target.name
    text = say("{unit} takes {points}.", unit=name, points=counted(blow.target_points, "points"))
    if blow.is_shielded:
        text = say("The hit on {unit} is worth {points}.", unit=name, points=counted(blow.target_points, "points"))
    report.finding("damage.target", text, measured=blow.target_points)
    report.metrics |= {"damage_target": blow.target_points, "groups_target": list(blow.target_groups), "side_target": blow.side}
    if blow.table is not None:
        report.metrics |= {"table_target": blow.table, "locations_target": [], "criticals_target": 0}
    if blow.table == "kick":
        text = say("{charger} is a vehicle and {target} stands: the kick table is used.", charger=charger.name, target=name)
        report.finding("damage.kick", text)
    if blow.is_shielded:
        points = counted(blow.absorbed, "points")
        text = say("The building of {target} takes {points}, {through} come through.", target=name, points=points, through=blow.reaching)
        report.finding("building.absorbs", text, measured=blow.absorbed)
        report.metrics |= {"absorbed": blow.absorbed, "damage_through": blow.reaching}
    _report_own(report, charger, blow, "unusual.damage" if is_weightless(target) else "damage.charger")


def _report_own(report: ChargeReport, charger: Combatant, blow: Blow, rule: str) -> None:
    """Report what the charger takes."""
    name, points = charger.name, counted(blow.charger_points, "points")
    text = say("{unit} takes {points}.", unit=name, points=points)
    if rule == "unusual.damage":
        text = say("{unit} takes {points}, by its own weight.", unit=name, points=points)
    report.finding(rule, text, measured=blow.charger_points)
    groups = list(blow.charger_groups)
    report.metrics |= {"damage_charger": blow.charger_points, "groups_charger": groups, "locations_charger": [], "criticals_charger": 0}
    count = counted(len(blow.target_groups) + len(groups), "groups")
    report.finding("damage.groups", say("The damage comes in {groups} of at most 5 points.", groups=count))


def strike_building(play: Play, roller: Roller, place: Hex) -> Play:
    """Charge a building hex; the charger goes in by choice, but not at the end of a skid."""
    charger = play.charger
    blow = blow_on_building(play.table, charger, hexes=play.declared.hexes_entered)
    hit = play.met(Strike("building", None, place, None, blow, play.skid is not None))
    hit = hit.taken(charger.name, blow.charger_points).worn(place, blow.target_points)
    is_entered = play.skid is None and play.table.choices.building_charge_advance == "enter"
    if roller.report:
        roller.report.drop_aim(at_another=bool(play.strikes))
        roller.report.finding("tohit.number", say("The building in {place} is hit without a roll.", place=hex_number(place)))
        parts = {"place": hex_number(place), "points": blow.target_points}
        text = say("The building in {place} is always hit, and loses {points} CF.", **parts)
        roller.report.finding("unusual.building", text, measured=blow.target_points)
        roller.report.metrics["damage_target"] = blow.target_points
        _report_own(roller.report, charger, blow, "unusual.damage")
    return hit.then(
        *_charger_hurt(charger, blow),
        *(((_go_in, (place,)),) if is_entered else ()),
        (keep_feet, (charger.name,)),
    )


def _go_in(play: Play, roller: Roller, place: Hex) -> Play:
    """Let a charger enter the building hex that it charged, if stacking suffers it there."""
    crowd = play.table.crowding(place, play.charger)
    before, after = play.charger, play.charger.at(place)
    if crowd is not None:
        if roller.report:
            text = say("{name} stays before the building: there is no room beside {crowd}.", name=before.name, crowd=crowd.name)
            roller.report.finding("unusual.building", text)
        return play
    if roller.report:
        roller.report.step("advance", before.name, "unusual.building", poses=(play.table.pose(before), play.table.pose(after)))
        roller.report.finding("unusual.building", say("{name} goes on into the building.", name=before.name))
    return enter(play.with_unit(after), roller, place, play.declared.hexes_entered + 1, is_target=True)


def strike_hill(play: Play, roller: Roller, place: Hex) -> Play:
    """Run into a hill in a skid: it hurts the skidder only."""
    charger = play.charger
    blow = blow_on_hill(play.table, charger)
    hit = play.met(Strike("hill", None, place, None, blow, is_unintentional=True))
    if roller.report:
        roller.report.drop_aim(at_another=bool(play.strikes))
        roller.report.finding("tohit.number", say("The hill in {place} is hit without a roll.", place=hex_number(place)))
        parts = {"place": hex_number(place), "charger": charger.name}
        roller.report.finding("unusual.hill", say("The skid ends at the hill in {place}, which hurts {charger} only.", **parts))
        _report_own(roller.report, charger, blow, "unusual.damage")
    return hit.then(*_charger_hurt(charger, blow))


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
    if roller.report:
        part = "charger" if is_charger else "target"
        text = say("{name} passed the roll that weapon damage forced.", name=unit.name)
        if not roll.is_passed:
            text = say("{name} failed the roll that weapon damage forced.", name=unit.name)
        if event == "roll":
            text = say("{name} {rolled}.", name=unit.name, rolled=rolled(roll))
            roller.report.extend(f"psr_{part}", number)
        roller.report.step("weapon_roll", unit.name, f"weapon.{part}-fell", text=text)
        using = assumed(unit, "piloting")
        roller.report.finding(f"weapon.{part}-fell", text, measured=roll.total, limit=number, using=using)
    return play if roll.is_passed else play.but(failed=(*play.failed, (unit.name, number)))


def after_weapons(play: Play, roller: Roller, *to_do: Task) -> Play:
    """Let those fall who failed, the target first; a charger on pavement skids. If neither fell the charge goes on as `to_do`."""
    failed = dict(play.failed)
    target, charger = play.declared.target, play.declared.charger
    tasks: list[Task] = [(fall, (target, failed[target], 0))] if target is not None and target in failed else []
    if charger in failed:
        return play.then(*tasks, *_charger_down(play, failed[charger]))
    if tasks:
        if roller.report:
            text = say("{name} fell to weapon fire, and the charge is not made.", name=target)
            roller.report.finding("weapon.target-fell", text, ok=False)
        return play.but(rule="weapon.target-fell").then(*tasks)
    lost = play.declared.keys.weapon_phase.charger_mp_lost
    walk = play.charger.profile.walk
    is_cancelled = lost > 0 and play.table.choices.immobile_charger == "cancelled" and walk is not None and lost >= walk
    if lost and roller.report:
        text = say("{name} lost {lost} MP to weapon fire, which does not matter.", name=charger, lost=lost)
        if is_cancelled:
            text = say("{name} lost {lost} MP to weapon fire, all it had.", name=charger, lost=lost)
        roller.report.finding("weapon.mp-loss", text, ok=not is_cancelled, measured=lost)
    return play.but(rule="weapon.mp-loss") if is_cancelled else play.then(*to_do)


def _charger_down(play: Play, number: int) -> tuple[Task, ...]:
    """Give what a charger does that failed its roll."""
    if skid_limit(play):
        return ((skid, (number,)),)
    placing: tuple[Task, ...] = ((place_missed, ()),) if play.table.choices.auto_miss_placement == "side" else ()
    return ((fall, (play.declared.charger, number, 0)), (_miss, ()), *placing)


def _miss(play: Play, roller: Roller) -> Play:  # noqa: ARG001 - nothing is rolled
    """Let a charger that fell miss."""
    return play.but(rule="weapon.charger-fell")


# Skids.


def skid(play: Play, roller: Roller, number: int) -> Play:
    """Let the charger lie down and skid, after a roll that needed `number`."""
    down = play.charger.with_status("prone")
    limit = skid_limit(play)
    if roller.report:
        text = say("{name} falls on pavement and skids up to {hexes} straight on.", name=down.name, hexes=in_hexes(limit))
        roller.report.step("fall", down.name, "weapon.skid", text=text)
        roller.report.finding("weapon.skid", text, measured=limit)
        roller.report.metrics |= {"skid_limit": limit, "unintentional": False}
    return slide(play.but(skid=Skid(limit, (down.hex,), number)).with_unit(down).fallen(down.name), roller)


def skid_limit(play: Play) -> int:
    """Give how many hexes the charger skids at most if it falls: half of those it entered, if it stands on pavement."""
    return on_pavement(play.declared, play.table) if play.table.at(play.charger.hex).is_paved else 0


def on_pavement(declared: Declared, table: Table) -> int:
    """Give how many hexes a charger would skid at most if it stood on pavement."""
    return divided_up(declared.hexes_entered, 2) if table.choices.skid_rounding == "up" else declared.hexes_entered // 2


def slide(play: Play, roller: Roller) -> Play:
    """Skid into the next hex, or come to rest."""
    table, unit, place = play.table, play.charger, play.front
    if play.skid is None or play.skid.entered >= play.skid.limit or not table.board.holds(place):
        return play.then((come_to_rest, ()))
    if table.rise(unit.hex, place, unit) > 0:
        return strike_hill(play.then((come_to_rest, ())), roller, place)
    if table.is_prohibited(place, unit):
        points = divided_up(unit.profile.tons or 0, table.book.prohibited_skid_tons)
        if roller.report:
            text = say("The skid of {name} ends before {place}, which is prohibited to it.", name=unit.name, place=hex_number(place))
            roller.report.finding("weapon.skid", text)
        return play.then(_skid_damage(play, points), (come_to_rest, ()))
    met = _met(play, place)
    if met is None:
        return pass_into(play, roller, place)
    return play.then((roll_to_hit, (met.name, True)), (_go_on, (place,)))


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
    if roller.report:
        roller.report.step("skid", before.name, "weapon.skid", poses=(play.table.pose(before), play.table.pose(after)))
    gone = _entering(play.with_unit(after), place)
    if levels < play.table.book.drop_levels:
        return gone.then((slide, ()))
    return gone.then((fall, (before.name, None, levels)), (come_to_rest, ()))


def _entering(play: Play, place: Hex) -> Play:
    """Count a hex entered by skidding."""
    return play if play.skid is None else play.but(skid=replace(play.skid, hexes=(*play.skid.hexes, place)))


def come_to_rest(play: Play, roller: Roller) -> Play:
    """End a skid: back to the last hex that suffers the charger, then the damage of skidding."""
    if play.skid is None:
        return play
    table, unit, skidded = play.table, play.charger, play.skid
    back = next((place for place in reversed(skidded.hexes) if table.crowding(place, unit) is None), skidded.hexes[0])
    points = skidded.entered * divided_up(tons_points(table, unit), 2)
    rested = play.with_unit(unit.at(back))
    if roller.report:
        poses = table.pose(unit), table.pose(unit.at(back))
        if poses[0] != poses[1]:
            roller.report.step("skid", unit.name, "weapon.skid", poses=poses, text=say("{name} is put back.", name=unit.name))
        parts = {"name": unit.name, "hexes": in_hexes(skidded.entered), "points": counted(points, "points")}
        roller.report.finding("weapon.skid", say("{name} comes to rest after {hexes} and takes {points}.", **parts), measured=points)
        roller.report.metrics |= {"skid_hexes": skidded.entered, "skid_damage": points}
    falls = table.choices.skid_damage == "per_hex_and_fall"
    decided = rested if rested.is_success else rested.but(rule="weapon.charger-fell")
    return decided.then(_skid_damage(play, points), *(((fall, (unit.name, skidded.number, 0)),) if falls else ()))


def _skid_damage(play: Play, points: int) -> Task:
    """Give the damage that the charger takes on its front by skidding."""
    return hurt, (play.charger.name, grouped(play.table, points), "front", table_of(play.charger))
