"""Collisions: the to-hit roll and its consequences, falls to weapon fire before it, and skids on pavement.

A hit brings damage, motive damage, displacement and rolls not to fall. Between declaring a charge and making it, in the
Weapon Attack Phase, units may fall, skid and lose movement points (MP).

Most functions here are tasks: they take the state of the charge and a roller, roll what is due, report it if the roller
reports, and return the new state, perhaps with more tasks to do.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from systems.battletech.damage import (
    Damage,
    damage_by_hill,
    damage_to_building,
    damage_to_unit,
    divided_up,
    grouped,
    has_bulldozer,
    is_weightless,
    piloting,
    shield_of,
    side_of,
    table_of,
    tons_points,
)
from systems.battletech.displacement import place_missed, push
from systems.battletech.effects import (
    enter,
    enter_behind,
    fall,
    hurt,
    keep_feet,
    roll_motive_at_once,
)
from systems.battletech.play import (
    ChargeState,
    Skid,
    Strike,
    Task,
    in_hexes,
    rolled,
    shown_fall,
    shown_roll,
)
from systems.battletech.roll import ChargeReport, Check, Roller, check
from systems.battletech.scene import CombatUnit, Declared, Gait, Table
from tabletop.messages import counted, listed, say, word
from tabletop.ruling.finding import Assumed, assumed
from tabletop.table.hexes import number as hex_number
from tabletop.table.state import Hex

ITEM_WORDS = {
    "difference": "piloting difference",
    "movement": "own movement",
    "target_movement": "target movement",
}
"""Modifiers to hit that are written in other words than their names."""

TO_HIT = say("to-hit")
"""Name of the to-hit roll."""

TARGET_MOVEMENT = ((25, 6), (18, 5), (10, 4), (7, 3), (5, 2), (3, 1))
"""Hexes that a target moved at least, and the modifier for them."""

# The roll to hit, and what a hit sets going.


def charge_target(state: ChargeState, roller: Roller) -> ChargeState:
    """Return the state after the charge at its declared target, a unit (with a to-hit roll) or a building hex
    (without).
    """
    if state.declared.target is None:
        return strike_building(state, roller, state.declared.target_hex)
    return roll_to_hit(state, roller, state.declared.target, is_unintentional=False)


@dataclass(frozen=True)
class ToHit:
    """Modifiers of a to-hit number by reason, in the order of the rules, zeros included.

    `assumed` are the defaults used for values that profiles leave out.
    """

    items: Mapping[str, int]
    assumed: tuple[Assumed, ...] = ()

    @property
    def number(self) -> int:
        """The number that the total of two dice must reach to hit: the sum of the modifiers."""
        return sum(self.items.values())

    @property
    def text(self) -> str:
        """The number with its sum in words, such as "7 (Piloting 5, ...)", without modifiers of 0."""
        shown = [
            (word(ITEM_WORDS.get(name, name)), value)
            for name, value in self.items.items()
            if value and name != "piloting"
        ]
        added = [say("{reason} {value:+d}", reason=reason, value=value) for reason, value in shown]
        return say(
            "{number} ({sum})",
            number=self.number,
            sum=listed([say("Piloting {piloting}", piloting=self.items["piloting"]), *added], ", "),
        )


def roll_to_hit(
    state: ChargeState,
    roller: Roller,
    name: str,
    is_unintentional: bool,  # noqa: FBT001 - by position on the agenda
) -> ChargeState:
    """Return the state after a to-hit roll against a unit: with a hit and its consequences as tasks, or with a miss.

    A declared charge that misses also places the charger beside its target; an unintentional one, in a skid, does not.
    """
    declared = state.declared
    target = state.table.units[name]
    aimed = to_hit_number(
        state.table,
        state.charger,
        target=target,
        gait=declared.gait,
        modifiers=declared.keys.modifiers,
        is_unintentional=is_unintentional,
    )
    roll = roller.pick(check(aimed.number), TO_HIT)
    if roller.report:
        _report_to_hit(state, roller.report, target, aimed, roll, is_unintentional=is_unintentional)
    if roll.is_passed:
        return _hit(state, roller, target, roll, is_unintentional=is_unintentional)
    missed = state.with_strike(Strike("unit", name, target.hex, roll, None, is_unintentional))
    return missed if is_unintentional else missed.but(rule="tohit.roll").then((place_missed, ()))


def to_hit_number(
    table: Table,
    charger: CombatUnit,
    *,
    target: CombatUnit,
    gait: Gait,
    modifiers: Mapping[str, int],
    is_unintentional: bool = False,
) -> ToHit:
    """Return the to-hit number of a charge against a unit, with its modifiers; `modifiers` are those that the file
    declares, by reason.
    """
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


def target_movement(table: Table, target: CombatUnit) -> int:
    """Return the to-hit modifier for a target's own movement: hexes moved, a jump, a skid."""
    moved = next(
        (modifier for least, modifier in TARGET_MOVEMENT if target.profile.hexes_moved >= least), 0
    )
    jumped = table.book.jumped_to_hit * ("jumped" in target.status)
    return moved + jumped + table.book.skidded_to_hit * ("skidded" in target.status)


def _terrain(table: Table, target: CombatUnit) -> int:
    """Return the sum of the to-hit modifiers for woods and smoke in the target's hex."""
    book = table.book
    ground = table.at(target.hex)
    woods = {"light_woods": book.light_woods_to_hit, "heavy_woods": book.heavy_woods_to_hit}.get(
        ground.cover, 0
    )
    smoke = {"light_smoke": book.light_smoke_to_hit, "heavy_smoke": book.heavy_smoke_to_hit}.get(
        ground.smoke or "", 0
    )
    return woods + smoke


def _report_to_hit(
    state: ChargeState,
    report: ChargeReport,
    target: CombatUnit,
    aimed: ToHit,
    roll: Check,
    *,
    is_unintentional: bool,
) -> None:
    name = target.name
    place = target.hex
    report.drop_aim(at_another=name != state.struck)
    text = say(
        "To hit {name}, {charger} {rolled}.",
        name=name,
        charger=state.charger.name,
        rolled=rolled(roll),
    )
    report.step("to_hit", state.charger.name, "tohit.number", "tohit.roll", text=text)
    report.metrics |= {
        "tn": aimed.number,
        **{f"to_hit_{item}": value for item, value in aimed.items.items()},
    }
    number = say("The number needed to hit {name} is {sum}.", name=name, sum=aimed.text)
    report.finding("tohit.number", number, measured=aimed.number, using=aimed.assumed)
    if roll.total is not None:
        report.metrics["roll"] = roll.total
    is_missed = not is_unintentional and not roll.is_passed
    mark = (
        state.table.mark(shown_roll(roll), place, state.table.outline(place), stage="after")
        if is_missed
        else None
    )
    report.finding(
        "tohit.roll",
        text,
        ok=not is_missed,
        measured=roll.total,
        limit=roll.number,
        has_margin=not is_unintentional,
        mark=mark,
    )
    if is_unintentional:
        report.metrics["unintentional"] = True
        text = say(
            "The skid runs into {name}, which counts as an unintentional charge, with a penalty to hit.",
            name=name,
        )
        words = say(
            "skids into {name}: {more:+d} to hit",
            name=name,
            more=state.table.book.unintentional_to_hit,
        )
        side = (state.table.hexside(state.charger.hex, place),)
        mark = replace(state.table.mark(words, place, side), is_for_point=True, is_met=False)
        report.finding("weapon.unintentional-charge", text, mark=mark)


def _hit(
    state: ChargeState, roller: Roller, target: CombatUnit, roll: Check, *, is_unintentional: bool
) -> ChargeState:
    """Return the state after a hit on a unit, with its consequences as tasks in the order in which their dice are
    rolled.
    """
    charger = state.charger
    side = side_of(target, state.forward + 3)
    located = table_of(target, is_kick=charger.is_vehicle and not target.is_prone)
    damage = damage_to_unit(
        state.table,
        charger,
        target=target,
        hexes=state.declared.hexes_entered,
        side=side,
        located=located,
    )
    strike = Strike("unit", target.name, target.hex, roll, damage, is_unintentional)
    hit = (
        state.with_strike(strike)
        .with_points(charger.name, damage.charger_points)
        .with_points(target.name, sum(damage.target_groups))
    )
    if damage.is_shielded:
        hit = hit.with_cf_loss(target.hex, damage.absorbed)
    if roller.report:
        _report_hit(state.table, roller.report, charger, target, damage)
    return hit.then(
        *_charger_hurt(charger, damage),
        (roll_motive_at_once, (target.name, side)),
        (hurt, (target.name, damage.target_groups, side, located, "target")),
        (push, (target.name,)),
        (enter_behind, ()),
        (keep_feet, (charger.name,)),
        (keep_feet, (target.name,)),
    )


def _charger_hurt(charger: CombatUnit, damage: Damage) -> tuple[Task, ...]:
    return (
        (roll_motive_at_once, (charger.name, "front")),
        (hurt, (charger.name, damage.charger_groups, "front", table_of(charger), "charger")),
    )


def _report_hit(
    table: Table, report: ChargeReport, charger: CombatUnit, target: CombatUnit, damage: Damage
) -> None:
    """Report the damage of a hit on a unit, to both units, as findings and metrics."""
    name = target.name
    text = say(
        "{unit} takes {points} of damage.",
        unit=name,
        points=counted(damage.target_points, "points"),
    )
    if damage.is_shielded:
        text = say(
            "The hit on {unit} causes {points} of damage.",
            unit=name,
            points=counted(damage.target_points, "points"),
        )
    report.finding("damage.target", text, measured=damage.target_points)
    report.metrics |= {
        "damage_target": damage.target_points,
        "groups_target": list(damage.target_groups),
        "side_target": damage.side,
    }
    if damage.table is not None:
        report.metrics |= {
            "table_target": damage.table,
            "locations_target": [],
            "criticals_target": 0,
        }
    if damage.table == "kick":
        text = say(
            "{charger} is a vehicle and {target} is standing, so hits are located on the kick table.",
            charger=charger.name,
            target=name,
        )
        report.finding("damage.kick", text)
    if damage.is_shielded:
        points = counted(damage.absorbed, "points")
        text = say(
            "The building around {target} absorbs {points} of damage; {through} reach {target}.",
            target=name,
            points=points,
            through=damage.reaching,
        )
        told = {
            "absorbed": damage.absorbed,
            "points": damage.target_points,
            "size": table.book.group_points,
        }
        words = say(
            "{absorbed} of {points} points absorbed: {part} of each {size}",
            part=shield_of(table, target),
            **told,
        )
        mark = replace(table.mark(words, target.hex), is_for_point=True, is_met=False)
        report.finding("building.absorbs", text, measured=damage.absorbed, mark=mark)
        report.metrics |= {"absorbed": damage.absorbed, "damage_through": damage.reaching}
    _report_own(
        report, charger, damage, "unusual.damage" if is_weightless(target) else "damage.charger"
    )


def _report_own(report: ChargeReport, charger: CombatUnit, damage: Damage, rule: str) -> None:
    """Report the damage to the charger by a rule, and the number of damage groups of both units, as findings and
    metrics.
    """
    name = charger.name
    points = counted(damage.charger_points, "points")
    text = say("{unit} takes {points} of damage.", unit=name, points=points)
    if rule == "unusual.damage":
        text = say(
            "{unit} takes {points} of damage, based on its own weight.", unit=name, points=points
        )
    report.finding(rule, text, measured=damage.charger_points)
    groups = list(damage.charger_groups)
    report.metrics |= {
        "damage_charger": damage.charger_points,
        "groups_charger": groups,
        "locations_charger": [],
        "criticals_charger": 0,
    }
    count = counted(len(damage.target_groups) + len(groups), "groups")
    report.finding(
        "damage.groups",
        say("The damage is divided into {groups} of at most 5 points.", groups=count),
    )


def strike_building(state: ChargeState, roller: Roller, place: Hex) -> ChargeState:
    """Return the state after a charge at a building hex, which is always hit.

    If the choices say so, the charger then enters the hex, but not at the end of a skid.
    """
    charger = state.charger
    damage = damage_to_building(state.table, charger, hexes=state.declared.hexes_entered)
    hit = state.with_strike(Strike("building", None, place, None, damage, state.skid is not None))
    hit = hit.with_points(charger.name, damage.charger_points).with_cf_loss(
        place, damage.target_points
    )
    is_entered = state.skid is None and state.table.choices.building_charge_advance == "enter"
    if roller.report:
        roller.report.drop_aim(at_another=bool(state.strikes))
        roller.report.finding(
            "tohit.number",
            say("The building in hex {place} is hit without a roll.", place=hex_number(place)),
        )
        parts = {"place": hex_number(place), "points": damage.target_points}
        text = say("The building in hex {place} is always hit and loses {points} CF.", **parts)
        told = {
            "points": counted(damage.reaching, "points"),
            "target": state.declared.charge.targets[0],
        }
        words = say("{points} to {target}", **told)
        if has_bulldozer(charger):
            words = say("2 x {half} = {points} to {target}", half=damage.reaching // 2, **told)
        mark = state.table.mark(words, place, stage="after")
        roller.report.finding("unusual.building", text, measured=damage.target_points, mark=mark)
        roller.report.metrics["damage_target"] = damage.target_points
        _report_own(roller.report, charger, damage, "unusual.damage")
    return hit.then(
        *_charger_hurt(charger, damage),
        *(((_go_in, (place,)),) if is_entered else ()),
        (keep_feet, (charger.name,)),
    )


def _go_in(state: ChargeState, roller: Roller, place: Hex) -> ChargeState:
    """Return the state with the charger moved into the building hex that it charged; unchanged if stacking leaves no
    room.
    """
    crowd = state.table.crowding(place, state.charger)
    before = state.charger
    after = state.charger.at(place)
    if crowd is not None:
        if roller.report:
            text = say(
                "{name} stays in front of the building, where there is no room for it because of {crowd}.",
                name=before.name,
                crowd=crowd.name,
            )
            roller.report.finding("unusual.building", text)
        return state
    if roller.report:
        roller.report.step(
            "advance",
            before.name,
            "unusual.building",
            poses=(state.table.pose(before), state.table.pose(after)),
        )
        roller.report.finding(
            "unusual.building", say("{name} then moves into the building.", name=before.name)
        )
    return enter(
        state.with_unit(after), roller, place, state.declared.hexes_entered + 1, is_target=True
    )


def strike_hill(state: ChargeState, roller: Roller, place: Hex) -> ChargeState:
    """Return the state after a skid runs into a hill, which damages the skidding unit only."""
    charger = state.charger
    damage = damage_by_hill(state.table, charger)
    hit = state.with_strike(Strike("hill", None, place, None, damage, is_unintentional=True))
    if roller.report:
        roller.report.drop_aim(at_another=bool(state.strikes))
        roller.report.finding(
            "tohit.number",
            say("The hill in hex {place} is hit without a roll.", place=hex_number(place)),
        )
        parts = {"place": hex_number(place), "charger": charger.name}
        roller.report.finding(
            "unusual.hill",
            say("The skid ends at the hill in hex {place}, which damages only {charger}.", **parts),
        )
        _report_own(roller.report, charger, damage, "unusual.damage")
    return hit.then(*_charger_hurt(charger, damage))


# The Weapon Attack Phase.


def weapon_roll(state: ChargeState, roller: Roller, is_charger: bool) -> ChargeState:  # noqa: FBT001 - by position on the agenda
    """Return the state after the piloting roll that weapon damage forces on charger or target, if any; a failure is
    recorded.

    The file may give the result of the roll instead of asking for dice.
    """
    keys = state.declared.keys.weapon_phase
    event = keys.charger_psr if is_charger else keys.target_psr
    unit = state.charger if is_charger else state.target
    if event == "none" or unit is None or not unit.is_mech or unit.is_prone:
        return state
    number = piloting(state.table, unit) + (
        keys.charger_psr_modifier if is_charger else keys.target_psr_modifier
    )
    if event == "roll":
        roll = roller.pick(
            check(number), say("{unit} keeping its feet in the weapon phase", unit=unit.name)
        )
    else:
        roll = Check(number, event == "passed")
    if roller.report:
        part = "charger" if is_charger else "target"
        text = say(
            "{name} passed the piloting roll that weapon damage made necessary.", name=unit.name
        )
        if not roll.is_passed:
            text = say(
                "{name} failed the piloting roll that weapon damage made necessary, so it fell.",
                name=unit.name,
            )
        shown = (
            text
            if roll.is_passed
            else say(
                "{name} failed the piloting roll that weapon damage made necessary.", name=unit.name
            )
        )
        if event == "roll":
            shown = text = say("{name} {rolled}.", name=unit.name, rolled=rolled(roll))
            roller.report.extend(f"psr_{part}", number)
        roller.report.step("weapon_roll", unit.name, f"weapon.{part}-fell", text=shown)
        using = assumed(unit, "piloting")
        roller.report.finding(
            f"weapon.{part}-fell", text, measured=roll.total, limit=number, using=using
        )
    return state if roll.is_passed else state.but(failed=(*state.failed, (unit.name, roll)))


def after_weapons(state: ChargeState, roller: Roller, *to_do: Task) -> ChargeState:
    """Return the state after the Weapon Attack Phase: units that failed their rolls fall, the target first; a charger
    on pavement skids.

    If neither fell and the charger can still move, the tasks `to_do` follow.
    """
    failed = dict(state.failed)
    target = state.declared.target
    charger = state.declared.charger
    tasks: list[Task] = (
        [(fall, (target, failed[target].number, 0))]
        if target is not None and target in failed
        else []
    )
    if charger in failed:
        return state.then(*tasks, *_charger_down(state, failed[charger].number))
    table = state.table
    place = state.declared.target_hex
    if tasks:
        if roller.report and target is not None:
            text = say(
                "{name} fell because of weapon fire, so the charge is not made.", name=target
            )
            mark = table.mark(
                shown_fall(failed[target]), place, table.outline(place), stage="after"
            )
            roll = failed[target]
            roller.report.finding(
                "weapon.target-fell",
                text,
                ok=False,
                measured=roll.total,
                limit=roll.number,
                has_margin=True,
                mark=mark,
            )
        return state.but(rule="weapon.target-fell").then(*tasks)
    lost = state.declared.keys.weapon_phase.charger_mp_lost
    walk = state.charger.profile.walk
    is_cancelled = (
        lost > 0
        and state.table.choices.immobile_charger == "cancelled"
        and walk is not None
        and lost >= walk
    )
    if lost and roller.report:
        text = say(
            "{name} lost {lost} MP to weapon fire, which does not prevent the charge.",
            name=charger,
            lost=lost,
        )
        if is_cancelled:
            text = say(
                "{name} lost {lost} MP to weapon fire, all it had; a charger must be able to move.",
                name=charger,
                lost=lost,
            )
        mark = table.mark(
            say("had {mp} MP, lost {lost:g}", mp=walk, lost=lost), state.charger.hex, stage="after"
        )
        if not is_cancelled:
            words = say(
                "after {hexes}: {lost:+d} MP",
                hexes=in_hexes(state.declared.hexes_entered),
                lost=-lost,
            )
            mark = replace(table.mark(words, state.charger.hex), is_for_point=True, is_met=False)
        roller.report.finding("weapon.mp-loss", text, ok=not is_cancelled, measured=lost, mark=mark)
    return state.but(rule="weapon.mp-loss") if is_cancelled else state.then(*to_do)


def _charger_down(state: ChargeState, number: int) -> tuple[Task, ...]:
    """Return the tasks for a charger that failed its roll against `number`: a skid, or a fall and a miss."""
    if skid_limit(state):
        return ((skid, (number,)),)
    placing: tuple[Task, ...] = (
        ((place_missed, ()),) if state.table.choices.auto_miss_placement == "side" else ()
    )
    return ((fall, (state.declared.charger, number, 0)), (_miss, ()), *placing)


def _miss(state: ChargeState, roller: Roller) -> ChargeState:  # noqa: ARG001 - nothing is rolled
    """Return the state with the charge marked as a miss, because the charger fell to weapon fire."""
    return state.but(rule="weapon.charger-fell")


# Skids.


def skid(state: ChargeState, roller: Roller, number: int) -> ChargeState:
    """Return the state after the charger falls on pavement, by a roll that needed `number`, and begins to skid."""
    down = state.charger.with_status("prone")
    limit = skid_limit(state)
    if roller.report:
        text = say(
            "{name} falls on pavement; its skid straight ahead can be up to {hexes} long.",
            name=down.name,
            hexes=in_hexes(limit),
        )
        roller.report.step("fall", down.name, "weapon.skid", text=text)
        roller.report.finding("weapon.skid", text, measured=limit)
        roller.report.metrics |= {"skid_limit": limit, "unintentional": False}
    return slide(
        state.but(skid=Skid(limit, (down.hex,), number)).with_unit(down).with_fall(down.name),
        roller,
    )


def skid_limit(state: ChargeState) -> int:
    """Return the largest number of hexes that the charger can skid if it falls now: 0 unless it stands on pavement."""
    return (
        on_pavement(state.declared, state.table)
        if state.table.at(state.charger.hex).is_paved
        else 0
    )


def on_pavement(declared: Declared, table: Table) -> int:
    """Return the largest number of hexes that a charger skids on pavement: half of the hexes it entered, rounded as
    chosen.
    """
    return (
        divided_up(declared.hexes_entered, 2)
        if table.choices.skid_rounding == "up"
        else declared.hexes_entered // 2
    )


def slide(state: ChargeState, roller: Roller) -> ChargeState:
    """Return the state after skidding into the next hex, into what is there, or coming to rest."""
    table = state.table
    unit = state.charger
    place = state.front
    if state.skid is None or state.skid.entered >= state.skid.limit or not table.board.holds(place):
        return state.then((come_to_rest, ()))
    if table.rise(unit.hex, place, unit) > 0:
        return strike_hill(state.then((come_to_rest, ())), roller, place)
    if table.is_prohibited(place, unit):
        points = divided_up(unit.profile.tons or 0, table.book.prohibited_skid_tons)
        if roller.report:
            text = say(
                "The skid of {name} ends before hex {place}, which is prohibited to it.",
                name=unit.name,
                place=hex_number(place),
            )
            roller.report.finding("weapon.skid", text)
        return state.then(_skid_damage(state, points), (come_to_rest, ()))
    met = _met(state, place)
    if met is None:
        return pass_into(state, roller, place)
    return state.then((roll_to_hit, (met.name, True)), (_go_on, (place,)))


def _met(state: ChargeState, place: Hex) -> CombatUnit | None:
    """Return the unit that a skid runs into in a hex: the target if it is there, else the first in the file; None if
    the hex is empty.
    """
    there = state.table.units_in(place, without=(state.declared.charger,))
    return next(
        (unit for unit in there if unit.name == state.declared.target), there[0] if there else None
    )


def _go_on(state: ChargeState, roller: Roller, place: Hex) -> ChargeState:
    """Return the state after a skid's collision with a unit: the skid ends after a hit and continues after a miss.

    After a hit the charger is in the other unit's hex if that unit was displaced.
    """
    if not state.strikes[-1].is_hit:
        return pass_into(state, roller, place)
    return (_entering(state, place) if state.charger.hex == place else state).then(
        (come_to_rest, ())
    )


def pass_into(state: ChargeState, roller: Roller, place: Hex) -> ChargeState:
    """Return the state after a skid into a hex without units, hill or prohibition: into its building, on, or down a
    drop that ends it.
    """
    if state.cf(place) > 0:
        return strike_building(state.then((come_to_rest, ())), roller, place)
    before = state.charger
    after = before.at(place)
    levels = -state.table.rise(before.hex, place, before)
    if roller.report:
        roller.report.step(
            "skid",
            before.name,
            "weapon.skid",
            poses=(state.table.pose(before), state.table.pose(after)),
        )
    gone = _entering(state.with_unit(after), place)
    if levels < state.table.book.drop_levels:
        return gone.then((slide, ()))
    return gone.then((fall, (before.name, None, levels)), (come_to_rest, ()))


def _entering(state: ChargeState, place: Hex) -> ChargeState:
    """Return the state with one more hex entered by skidding."""
    return (
        state
        if state.skid is None
        else state.but(skid=replace(state.skid, hexes=(*state.skid.hexes, place)))
    )


def come_to_rest(state: ChargeState, roller: Roller) -> ChargeState:
    """Return the state at the end of a skid: the charger in the last hex with room for it, and skid damage as a
    task.
    """
    if state.skid is None:
        return state
    table = state.table
    unit = state.charger
    skidded = state.skid
    back = next(
        (place for place in reversed(skidded.hexes) if table.crowding(place, unit) is None),
        skidded.hexes[0],
    )
    points = skidded.entered * divided_up(tons_points(table, unit), 2)
    rested = state.with_unit(unit.at(back))
    if roller.report:
        poses = table.pose(unit), table.pose(unit.at(back))
        if poses[0] != poses[1]:
            roller.report.step(
                "skid",
                unit.name,
                "weapon.skid",
                poses=poses,
                text=say("{name} is put back in the hex it came from.", name=unit.name),
            )
        parts = {
            "name": unit.name,
            "hexes": in_hexes(skidded.entered),
            "points": counted(points, "points"),
        }
        roller.report.finding(
            "weapon.skid",
            say("{name} stops skidding after {hexes} and takes {points} of damage.", **parts),
            measured=points,
        )
        roller.report.metrics |= {"skid_hexes": skidded.entered, "skid_damage": points}
    falls = table.choices.skid_damage == "per_hex_and_fall"
    decided = rested if rested.is_success else rested.but(rule="weapon.charger-fell")
    return decided.then(
        _skid_damage(state, points), *(((fall, (unit.name, skidded.number, 0)),) if falls else ())
    )


def _skid_damage(state: ChargeState, points: int) -> Task:
    """Return the task that applies points of skid damage to the charger's front, in groups."""
    return hurt, (
        state.charger.name,
        grouped(state.table, points),
        "front",
        table_of(state.charger),
    )
