"""Declaring a charge: who may charge whom, in the order of the rules; all that is broken is reported.

A limit gives no finding where its question makes no sense: of buildings nobody asks whose they are.
"""

from collections.abc import Callable
from dataclasses import dataclass

from systems.battletech.plan import ChargePath, Encounter, Found
from systems.battletech.rules import PREFIX
from systems.battletech.scene import Declared
from systems.battletech.search import steepest
from systems.battletech.words import AIRBORNE, WEIGHTLESS
from tabletop.ruling.finding import Finding
from tabletop.table.hexes import FACINGS, direction, neighbour, number
from tabletop.table.state import Hex
from tabletop.words import with_article

HELD = ("immobile", "stuck", "stunned")


@dataclass(frozen=True)
class Declaration:
    """A charge as it is declared: what it would do, what was declared before, and who charges after it in the file.

    `plan` is the way of the charger, given or found, `search` what was found if a path was looked for.
    """

    aim: Encounter
    earlier: tuple[Declared, ...] = ()
    later: frozenset[str] = frozenset()
    plan: ChargePath | None = None
    search: Found | None = None


Measure = Callable[[Declaration], Finding | None]


def finding(name: str, ok: bool, text: str, *, measured: int | None = None, limit: int | None = None) -> Finding:  # noqa: FBT001
    """Make the finding of a rule; where both are given, `measured` must not exceed `limit`."""
    margin = None if measured is None or limit is None else limit - measured
    return Finding(PREFIX + name, ok, text, measured, limit, margin)


def _movement_phase(asked: Declaration) -> Finding:
    aim = asked.aim
    name, phase = aim.charger.name, aim.keys.declared_in
    if phase != "movement":
        return finding("declare.movement-phase", ok=False, text=f"The charge is declared in the {phase} phase, not while {name} moves.")
    has_moved = "moved" in aim.charger.status or any(other.charger == name for other in asked.earlier)
    text = f"{name} has {'ended its movement already' if has_moved else 'not ended its movement yet'}."
    return finding("declare.movement-phase", not has_moved, text)


def _charger_type(asked: Declaration) -> Finding:
    charger = asked.aim.charger
    may = charger.is_mech or charger.profile.type == "vehicle"
    return finding(
        "declare.charger-type", may, f"{charger.name} is {spoken(charger.profile.type)}{'' if may else ', which never charges'}."
    )


def hindrances(aim: Encounter) -> tuple[str, ...]:
    """Say what keeps a charger from walking or running, such as "is immobile"."""
    reasons = [f"is {word}" for word in HELD if word in aim.charger.status]
    if aim.charger.profile.walk == 0:
        reasons.append("has no MP")
    if not aim.is_on_foot:
        reasons.append({"jump": "jumps", "sprint": "sprints", "evade": "evades"}[aim.keys.movement])
    return tuple(reasons)


def _charger_able(asked: Declaration) -> Finding:
    name, reasons = asked.aim.charger.name, hindrances(asked.aim)
    text = f"{name} {' and '.join(reasons)}." if reasons else f"{name} can move at a walk or a run."
    return finding("declare.charger-able", not reasons, text)


def _no_weapon_attacks(asked: Declaration) -> Finding:
    charger = asked.aim.charger
    fires = "fired" in charger.status
    return finding(
        "declare.no-weapon-attacks", not fires, f"{charger.name} {'fires its weapons' if fires else 'fires no weapon'} this turn."
    )


def _target_finished(asked: Declaration) -> Finding | None:
    target = asked.aim.target
    if target is None:
        return None
    waits = "unmoved" in target.status or target.name in asked.later
    if waits and target.is_immobile and asked.aim.table.choices.unmoved_immobile_target == "allowed":
        return finding("declare.target-finished", ok=True, text=f"{target.name} has not moved, but is immobile.")
    reason = "charges later itself" if target.name in asked.later else "has not ended its movement"
    return finding("declare.target-finished", not waits, f"{target.name} {reason if waits else 'has ended its movement'}.")


def _target_charging(asked: Declaration) -> Finding | None:
    target = asked.aim.target
    if target is None:
        return None
    charges = "charging" in target.status or any(other.charger == target.name for other in asked.earlier)
    return finding("declare.target-charging", not charges, f"{target.name} is {'' if charges else 'not '}charging itself.")


def _one_per_target(asked: Declaration) -> Finding:
    aim = asked.aim
    taken = aim.target is not None and "targeted" in aim.target.status
    taken = taken or any(_same_target(aim, other) for other in asked.earlier)
    text = f"{aim.name} is {'' if taken else 'not '}the target of another charge or attack from above."
    return finding("declare.one-per-target", not taken, text[0].upper() + text[1:])


def _same_target(aim: Encounter, other: Declared) -> bool:
    if aim.target is None:
        return other.target is None and other.target_hex == aim.target_hex
    return other.target == aim.target.name


def _target_enemy(asked: Declaration) -> Finding | None:
    charger, target = asked.aim.charger, asked.aim.target
    if target is None:
        return None
    is_enemy = charger.side != target.side
    may = is_enemy or asked.aim.table.choices.friendly_target == "allowed"
    return finding("declare.target-enemy", may, f"{target.name} is {'an enemy' if is_enemy else 'on the same side'}.")


def _target_infantry(asked: Declaration) -> Finding | None:
    return _not_of_type(asked, "declare.target-infantry", ("infantry",))


def _target_protomech(asked: Declaration) -> Finding | None:
    return _not_of_type(asked, "declare.target-protomech", ("protomech",))


def _target_airborne(asked: Declaration) -> Finding | None:
    target = asked.aim.target
    if target is not None and target.is_landed:
        return finding("declare.target-airborne", ok=True, text=f"{target.name} is {spoken(target.profile.type)} that has landed.")
    return _not_of_type(asked, "declare.target-airborne", AIRBORNE, why="which is charged only once it has landed")


def _not_of_type(asked: Declaration, rule: str, types: tuple[str, ...], *, why: str = "which is never charged") -> Finding | None:
    target = asked.aim.target
    if target is None:
        return None
    kind = target.profile.type
    return finding(rule, kind not in types, f"{target.name} is {spoken(kind)}{f', {why}' if kind in types else ''}.")


def _mech_vs_vehicle(asked: Declaration) -> Finding | None:
    charger, target = asked.aim.charger, asked.aim.target
    if target is None:
        return None
    clashes = charger.is_mech and target.is_vehicle
    text = f"{charger.name}, {spoken(charger.profile.type)}, charges {target.name}, {spoken(target.profile.type)}."
    return finding("declare.mech-vs-vehicle", not clashes, text)


def _target_prone(asked: Declaration) -> Finding | None:
    charger, target = asked.aim.charger, asked.aim.target
    if target is None:
        return None
    clashes = charger.is_mech and target.is_prone
    may = not clashes or asked.aim.table.choices.mech_charges_prone == "allowed"
    return finding(
        "declare.target-prone", may, f"{target.name} {'lies on the ground' if target.is_prone else 'does not lie on the ground'}."
    )


def _building(asked: Declaration) -> Finding:
    aim = asked.aim
    if aim.target is None:
        inside = [unit.name for unit in aim.table.units.values() if unit.hex == aim.target_hex and unit.name != aim.charger.name]
        may = not inside or aim.table.choices.building_with_units == "allowed"
        who = f"{' and '.join(inside) or 'No unit'} {'stand' if len(inside) > 1 else 'stands'}"
        return finding("declare.building", may, f"{who} in {number(aim.target_hex)}.")
    is_in = aim.table.at(aim.target_hex).is_building
    may = not is_in or aim.table.choices.charge_into_building == "allowed"
    return finding("declare.building", may, f"{aim.target.name} stands in {'a' if is_in else 'no'} building.")


def _prohibited_terrain(asked: Declaration) -> Finding:
    aim = asked.aim
    barred = aim.table.is_prohibited(aim.target_hex, aim.charger)
    text = f"{number(aim.target_hex)} is {'' if barred else 'not '}prohibited to {aim.charger.name}."
    return finding("declare.prohibited-terrain", not barred, text)


def hex_before(aim: Encounter) -> Hex | None:
    """Give the last hex, or the one whose level is nearest to the target's where the path is to be found; None if none borders it."""
    if aim.is_search:
        behind = aim.end_facing
        facings = range(len(FACINGS)) if behind is None else (behind,)
        hexes = [place for facing in facings if aim.table.board.holds(place := neighbour(aim.target_hex, facing + 3))]
    else:
        last = aim.entries[-1][1] if aim.entries else aim.charger.hex
        hexes = [last] if direction(last, aim.target_hex) is not None else []
    return min(hexes, key=lambda place: abs(aim.table.rise(place, aim.target_hex, aim.charger)), default=None)


def _level_difference(asked: Declaration) -> Finding | None:
    aim, last = asked.aim, hex_before(asked.aim)
    if last is None:
        return None
    rise, most = aim.table.rise(last, aim.target_hex, aim.charger), steepest(aim.table, aim.charger)
    way = "level with" if rise == 0 else f"{abs(rise)} {'level' if abs(rise) == 1 else 'levels'} {'above' if rise > 0 else 'below'}"
    text = f"{number(aim.target_hex)} is {way} {number(last)}; {aim.charger.name} may cross {most}."
    return finding("declare.level-difference", abs(rise) <= most, text, measured=abs(rise), limit=most)


def spoken(kind: str) -> str:
    """Say a type of unit, as one of its kind."""
    names = {"mech": "'Mech", "vtol": "VTOL", "wige": "WiGE vehicle", "protomech": "ProtoMech", "dropship": "DropShip"}
    return with_article(names.get(kind, kind.replace("_", " ") + (" unit" if kind in WEIGHTLESS else "")))


LIMITS: tuple[Measure, ...] = (
    _movement_phase,
    _charger_type,
    _charger_able,
    _no_weapon_attacks,
    _target_finished,
    _target_charging,
    _one_per_target,
    _target_enemy,
    _target_infantry,
    _target_protomech,
    _target_airborne,
    _mech_vs_vehicle,
    _target_prone,
    _building,
    _prohibited_terrain,
    _level_difference,
)
"""Everything about declaring that is known before the way is."""
