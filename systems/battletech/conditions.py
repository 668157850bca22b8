"""The limits on declaring a charge and on its path, in the order of the rules; everything that is broken is reported.

First who may charge whom; then the path's steps, hexes and last hex, what lies ahead there, and the movement points
(MP) it needs.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from systems.battletech.move import (
    MOST_LISTED,
    Aim,
    ChargePath,
    HexPath,
    PathSearchResult,
    enemy_hexes,
    faces_target,
    is_passable,
    is_wet,
    steepest,
    straight_way,
)
from systems.battletech.play import in_hexes
from systems.battletech.rules import PREFIX
from systems.battletech.scene import CombatUnit, Declared, Gait
from systems.battletech.words import AIRBORNE, Kind
from tabletop.messages import counted, listed, say, word
from tabletop.ruling.evidence import Mark, Segment
from tabletop.ruling.finding import Finding
from tabletop.table.hexes import HEX_FACINGS, direction, distance, neighbour, number
from tabletop.table.state import Hex

HELD = {"immobile": say("is immobile"), "stuck": say("is stuck"), "stunned": say("is stunned")}
"""Status words that keep a charger from moving, with their texts."""

PACES = {"jump": say("jumps"), "sprint": say("sprints"), "evade": say("evades")}
"""Texts about chargers that neither walk nor run."""

GAITS: Mapping[Gait, str] = {"walk": say("a walk"), "run": say("a run")}

UNIT_TYPE_WORDS: Mapping[Kind, str] = {
    "mech": say("a 'Mech"),
    "vehicle": say("a vehicle"),
    "vtol": say("a VTOL"),
    "wige": say("a WiGE vehicle"),
    "infantry": say("an infantry unit"),
    "protomech": say("a ProtoMech"),
    "dropship": say("a DropShip"),
    "airship": say("an airship"),
    "fixed_wing_support": say("a fixed wing support"),
}
"""Types of units, each as one of its kind."""


@dataclass(frozen=True)
class DeclaredAttack:
    """A declared charge with what its limits ask: earlier declarations, and the units that charge after it in the file.

    `plan` is the charger's path, given or found, None if there is none; `search` the result of the search for a path,
    None if none was made.
    """

    aim: Aim
    earlier: tuple[Declared, ...] = ()
    later: frozenset[str] = frozenset()
    plan: ChargePath | None = None
    search: PathSearchResult | None = None


Measure = Callable[[DeclaredAttack], Finding | None]


def finding(
    name: str,
    ok: bool,  # noqa: FBT001
    text: str,
    mark: Mark | None = None,
    *,
    measured: int | None = None,
    limit: int | None = None,
) -> Finding:
    """Return the finding of a rule by its short name; its mark is shown if it is broken, or in figures about the rule.

    If both numbers are given, `measured` must not exceed `limit`, and the margin is their difference.
    """
    margin = None if measured is None or limit is None else limit - measured
    is_shown = mark is not None and (not ok or mark.is_for_point)
    return Finding(
        PREFIX + name, ok, text, measured, limit, margin, mark=mark if is_shown else None
    )


def _at_charger(aim: Aim, words: str) -> Mark:
    return aim.table.mark(words, aim.charger.hex)


def _at_target(aim: Aim, words: str) -> Mark:
    return aim.table.mark(words, aim.target_hex)


def _around_target(aim: Aim, words: str) -> Mark:
    return aim.table.mark(words, aim.target_hex, aim.table.outline(aim.target_hex))


# Who may charge whom.


def _movement_phase(asked: DeclaredAttack) -> Finding:
    aim = asked.aim
    name = aim.charger.name
    phase = aim.keys.declared_in
    if phase != "movement":
        text = say(
            "The charge is declared in the {phase} phase, not while {name} moves, as it must be.",
            phase=word(phase),
            name=name,
        )
        return finding(
            "declare.movement-phase",
            ok=False,
            text=text,
            mark=_at_charger(aim, say("declares in the {phase} phase", phase=word(phase))),
        )
    if "moved" in aim.charger.status or any(other.charger == name for other in asked.earlier):
        text = say(
            "{name} has already ended its movement; a charge must be declared before.", name=name
        )
        return finding(
            "declare.movement-phase",
            ok=False,
            text=text,
            mark=_at_charger(aim, say("has moved already")),
        )
    return finding(
        "declare.movement-phase",
        ok=True,
        text=say("{name} has not yet ended its movement.", name=name),
    )


def charger_type(asked: DeclaredAttack) -> Finding:
    """Return the finding of battletech.declare.charger-type: whether the charger is a 'Mech or a ground vehicle."""
    charger = asked.aim.charger
    name = charger.name
    kind = UNIT_TYPE_WORDS[charger.profile.type]
    if charger.is_mech or charger.profile.type == "vehicle":
        return finding(
            "declare.charger-type",
            ok=True,
            text=say("{unit} is {kind}, which may charge.", unit=name, kind=kind),
        )
    text = say("{charger} is {kind}, which may never charge.", charger=name, kind=kind)
    mark = say("{kind} never charges", kind=kind)
    return finding("declare.charger-type", ok=False, text=text, mark=_at_charger(asked.aim, mark))


def _charger_able(asked: DeclaredAttack) -> Finding:
    name = asked.aim.charger.name
    reasons = _hindrances(asked.aim)
    if not reasons:
        return finding(
            "declare.charger-able",
            ok=True,
            text=say("{name} can move at a walk or a run.", name=name),
        )
    words = listed(reasons, " and ")
    text = say("{name} {reasons}; a charger must walk or run.", name=name, reasons=words)
    return finding("declare.charger-able", ok=False, text=text, mark=_at_charger(asked.aim, words))


def _hindrances(aim: Aim) -> tuple[str, ...]:
    """Return, as predicates such as "is immobile", the reasons that keep a charger from walking or running."""
    reasons = [told for state, told in HELD.items() if state in aim.charger.status]
    if aim.charger.profile.walk == 0:
        reasons.append(say("has no MP"))
    if not aim.is_on_foot:
        reasons.append(PACES[aim.keys.movement])
    return tuple(reasons)


def _no_weapon_attacks(asked: DeclaredAttack) -> Finding:
    charger = asked.aim.charger
    fires = "fired" in asked.aim.charger.status
    text = say(
        "{charger} fires its weapons this turn; a unit that charges may not."
        if fires
        else "{charger} fires no weapon this turn.",
        charger=charger.name,
    )
    return finding(
        "declare.no-weapon-attacks",
        not fires,
        text,
        _at_charger(asked.aim, say("fires its weapons")),
    )


def of_target(measure: Callable[[DeclaredAttack, CombatUnit], Finding]) -> Measure:
    """Return a limit of a charge from a limit of its target unit; it has no finding (None) where a building is
    charged.
    """
    return lambda asked: None if asked.aim.target is None else measure(asked, asked.aim.target)


def _target_finished(asked: DeclaredAttack, target: CombatUnit) -> Finding:
    name = target.name
    waits = "unmoved" in target.status or name in asked.later
    if (
        waits
        and target.is_immobile
        and asked.aim.table.choices.unmoved_immobile_target == "allowed"
    ):
        return finding(
            "declare.target-finished",
            ok=True,
            text=say("{target} has not moved, but is immobile.", target=name),
        )
    text = say(
        "{target} has not ended its movement; only a unit that has may be charged.", target=name
    )
    mark = say("has not moved yet")
    if name in asked.later:
        text = say(
            "{target} will itself make a charge later in this turn; only a unit that has moved may be charged.",
            target=name,
        )
        mark = say("will itself charge later")
    if not waits:
        text = say("{target} has ended its movement.", target=name)
    return finding("declare.target-finished", not waits, text, _at_target(asked.aim, mark))


def _target_charging(asked: DeclaredAttack, target: CombatUnit) -> Finding:
    charges = "charging" in target.status or any(
        other.charger == target.name for other in asked.earlier
    )
    text = say(
        "{target} is itself making a charge; such a unit may not be charged."
        if charges
        else "{target} is not itself making a charge.",
        target=target.name,
    )
    return finding(
        "declare.target-charging", not charges, text, _at_target(asked.aim, say("charges itself"))
    )


def _one_per_target(asked: DeclaredAttack) -> Finding:
    aim = asked.aim
    others = [other.charger for other in asked.earlier if _same_target(aim, other)]
    taken = others or (aim.target is not None and "targeted" in aim.target.status)
    another = "{aim:capital} is the target of another charge or attack from above; it may be that of one in a turn."
    text = say(
        another
        if taken
        else "{aim:capital} is not the target of another charge or attack from above.",
        aim=aim.name,
    )
    words = (
        say("{charger} charges it already", charger=others[0]) if others else say("charged already")
    )
    return finding("declare.one-per-target", not taken, text, _at_target(aim, words))


def _same_target(aim: Aim, other: Declared) -> bool:
    if aim.target is None:
        return other.target is None and other.target_hex == aim.target_hex
    return other.target == aim.target.name


def _target_enemy(asked: DeclaredAttack, target: CombatUnit) -> Finding:
    is_enemy = asked.aim.charger.side != target.side
    may = is_enemy or asked.aim.table.choices.friendly_target == "allowed"
    text = say(
        "{target} is an enemy of {charger}."
        if is_enemy
        else "{target} is on the same side as {charger}.",
        target=target.name,
        charger=asked.aim.charger.name,
    )
    if not may:
        text = say("{told} Only enemies may be charged.", told=text)
    return finding(
        "declare.target-enemy",
        may,
        text,
        _at_target(asked.aim, say("on the side of {charger}", charger=asked.aim.charger.name)),
    )


def _target_airborne(asked: DeclaredAttack, target: CombatUnit) -> Finding:
    if target.is_landed:
        text = say(
            "{target} is {kind} that has landed.",
            target=target.name,
            kind=UNIT_TYPE_WORDS[target.profile.type],
        )
        return finding("declare.target-airborne", ok=True, text=text)
    return _not_of_type("declare.target-airborne", AIRBORNE, asked, target)


def _not_of_type(
    rule: str, types: tuple[str, ...], asked: DeclaredAttack, target: CombatUnit
) -> Finding:
    name = target.name
    kind = UNIT_TYPE_WORDS[target.profile.type]
    if target.profile.type not in types:
        return finding(
            rule, ok=True, text=say("{unit} is {kind}, which may be charged.", unit=name, kind=kind)
        )
    if types == AIRBORNE:
        text = say(
            "{unit} is {kind}, which may be charged only after it has landed.", unit=name, kind=kind
        )
        return finding(rule, ok=False, text=text, mark=_at_target(asked.aim, say("in the air")))
    text = say("{unit} is {kind}, which may never be charged.", unit=name, kind=kind)
    mark = say("{kind} is never charged", kind=kind)
    return finding(rule, ok=False, text=text, mark=_at_target(asked.aim, mark))


def _mech_vs_vehicle(asked: DeclaredAttack, target: CombatUnit) -> Finding:
    charger = asked.aim.charger
    clashes = charger.is_mech and target.is_vehicle
    kinds = {
        "charger_kind": UNIT_TYPE_WORDS[charger.profile.type],
        "target_kind": UNIT_TYPE_WORDS[target.profile.type],
    }
    told = {"charger": charger.name, "target": target.name, **kinds}
    text = say("{charger}, {charger_kind}, charges {target}, {target_kind}.", **told)
    if clashes:
        text = say(
            "{charger}, {charger_kind}, may not charge {target}, {target_kind}; only vehicles may.",
            **told,
        )
    mark = say("{kind}, no target for 'Mechs", kind=kinds["target_kind"])
    return finding("declare.mech-vs-vehicle", not clashes, text, _at_target(asked.aim, mark))


def _target_prone(asked: DeclaredAttack, target: CombatUnit) -> Finding:
    clashes = asked.aim.charger.is_mech and target.is_prone
    may = not clashes or asked.aim.table.choices.mech_charges_prone == "allowed"
    text = say(
        "{target} is prone." if target.is_prone else "{target} is not prone.", target=target.name
    )
    if not may:
        text = say("{target} is prone; a 'Mech may not charge a prone 'Mech.", target=target.name)
    return finding("declare.target-prone", may, text, _at_target(asked.aim, say("is prone")))


def _building(asked: DeclaredAttack) -> Finding:
    aim = asked.aim
    if aim.target is None:
        inside = [
            unit.name
            for unit in aim.table.units.values()
            if unit.hex == aim.target_hex and unit.name != aim.charger.name
        ]
        may = not inside or aim.table.choices.building_with_units == "allowed"
        place = number(aim.target_hex)
        text = (
            say("{unit} is in hex {place}.", unit=inside[0], place=place)
            if inside
            else say("No unit is in hex {place}.", place=place)
        )
        if len(inside) > 1:
            text = say("{units} are in hex {place}.", units=listed(inside, " and "), place=place)
        if not may:
            units = listed(inside, " and ")
            text = say(
                "A building with units inside may not be charged; in hex {place}: {units}.",
                units=units,
                place=place,
            )
        return finding("declare.building", may, text, _around_target(aim, say("units inside")))
    is_building = aim.table.at(aim.target_hex).is_building
    may = not is_building or aim.table.choices.charge_into_building == "allowed"
    text = say(
        "{target} is in a building." if is_building else "{target} is not in a building.",
        target=aim.target.name,
    )
    if not may:
        text = say(
            "{target} is in a building, where it may not be charged.", target=aim.target.name
        )
    return finding(
        "declare.building",
        may,
        text,
        _around_target(aim, say("{unit} is in a building", unit=aim.name)),
    )


def _prohibited_terrain(asked: DeclaredAttack) -> Finding:
    aim = asked.aim
    is_barred = aim.table.is_prohibited(aim.target_hex, aim.charger)
    told = {"place": number(aim.target_hex), "charger": aim.charger.name}
    text = say(
        "{charger} may not enter hex {place}, which is prohibited to it."
        if is_barred
        else "Hex {place} is not prohibited to {charger}.",
        **told,
    )
    mark = (
        _around_target(aim, say("prohibited to {charger}", charger=aim.charger.name))
        if is_barred
        else None
    )
    return finding("declare.prohibited-terrain", not is_barred, text, mark)


def _hex_before(aim: Aim) -> Hex | None:
    """Return the last hex before the target.

    If the path is yet to be found it is the neighbour of the target's hex, on the board and such that the charger looks
    at the target with the declared facing (if any), whose level is nearest to the target's; None if there is no such
    hex.
    """
    if aim.is_search:
        behind = aim.end_facing
        facings = range(len(HEX_FACINGS)) if behind is None else (behind,)
        hexes = [
            place
            for facing in facings
            if aim.table.board.holds(place := neighbour(aim.target_hex, facing + 3))
        ]
    else:
        last = aim.entries[-1][1] if aim.entries else aim.charger.hex
        hexes = [last] if direction(last, aim.target_hex) is not None else []
    return min(
        hexes,
        key=lambda place: abs(aim.table.rise(place, aim.target_hex, aim.charger)),
        default=None,
    )


def level_difference(asked: DeclaredAttack) -> Finding | None:
    """Return the finding of battletech.declare.level-difference: whether the last step up or down is not too high; None
    if no hex before the target's is known.
    """
    aim = asked.aim
    last = _hex_before(asked.aim)
    if last is None:
        return None
    rise = aim.table.rise(last, aim.target_hex, aim.charger)
    most = steepest(aim.table, aim.charger)
    place = number(aim.target_hex)
    before = number(last)
    name = aim.charger.name
    levels = counted(abs(rise), "levels")
    way = (
        say("{levels} above", levels=levels)
        if rise > 0
        else say("{levels} below", levels=levels)
        if rise
        else say("at the same level as")
    )
    text = say(
        "Hex {place} is {way} hex {last}; {charger} may go up or down at most {most} in one step.",
        place=place,
        way=way,
        last=before,
        charger=name,
        most=counted(most, "levels"),
    )
    words = say("{levels} up, at most {most} possible", levels=levels, most=most)
    if rise < 0:
        words = say("{levels} down, at most {most} possible", levels=levels, most=most)
    mark = aim.table.mark(words, aim.target_hex, (aim.table.hexside(last, aim.target_hex),))
    return finding(
        "declare.level-difference", abs(rise) <= most, text, mark, measured=abs(rise), limit=most
    )


ELIGIBILITY_LIMITS: tuple[Measure, ...] = (
    _movement_phase,
    charger_type,
    _charger_able,
    _no_weapon_attacks,
    of_target(_target_finished),
    of_target(_target_charging),
    _one_per_target,
    of_target(_target_enemy),
    of_target(partial(_not_of_type, "declare.target-infantry", ("infantry",))),
    of_target(partial(_not_of_type, "declare.target-protomech", ("protomech",))),
    of_target(_target_airborne),
    of_target(_mech_vs_vehicle),
    of_target(_target_prone),
    _building,
    _prohibited_terrain,
    level_difference,
)
"""All limits on declaring that are known before the path is."""

# The way.


def _entries(asked: DeclaredAttack) -> tuple[tuple[str, Hex], ...] | None:
    """Return the steps of the path, given or found, as (sense, hex) pairs; None if there is none."""
    if asked.aim.keys.path is not None:
        return asked.aim.entries
    return asked.plan.entries if asked.search is not None and asked.plan is not None else None


def _pairs(aim: Aim, entries: tuple[tuple[str, Hex], ...]) -> Iterator[tuple[str, Hex, Hex]]:
    """Yield each step between neighbouring hexes as (sense, start, end); steps to other hexes are skipped."""
    start = aim.charger.hex
    for sense, place in entries:
        if direction(start, place) is not None:
            yield sense, start, place
        start = place


def _gait(asked: DeclaredAttack) -> Gait | None:
    """Return the charger's movement mode, "walk" or "run"; None if it is not known or is another one."""
    if not asked.aim.is_on_foot:
        return None
    if asked.plan is not None:
        return asked.plan.gait
    return "run" if asked.aim.keys.movement == "run" else None


def _forward_only(asked: DeclaredAttack) -> Finding | None:
    entries = _entries(asked)
    if entries is None:
        return None
    if wrong := list(_wrong_steps(asked)):
        reasons = [
            say("the step into hex {place} is {why}", place=number(place), why=why)
            for _, place, why in wrong
        ]
        words = listed(dict.fromkeys(why for _, _, why in wrong), " and ")
        table = asked.aim.table
        mark = table.mark(
            words, wrong[0][1], table.ways([(start, place) for start, place, _ in wrong])
        )
        told = listed(reasons, ", ")
        text = say("{reasons:capital}; a charge must go forward.", reasons=told)
        if table.choices.backward != "forbidden":
            text = say(
                "{reasons:capital}; a charge must go forward, or back at a walk on one level.",
                reasons=told,
            )
        return finding("path.forward-only", ok=False, text=text, mark=mark)
    text = say("{charger:capital} moves forward at every step.", charger=asked.aim.charger.name)
    if any(sense == "back" for sense, _ in entries):
        text = say(
            "{charger:capital} moves backwards only at a walk and without changing level.",
            charger=asked.aim.charger.name,
        )
    hexes = [place for _, place in entries]
    counts = len(hexes) if asked.plan is None else asked.plan.hexes_entered
    if counts < len(hexes):
        text = say(
            "{text} Of the {entered} hexes entered {counts} count.",
            text=text,
            entered=len(hexes),
            counts=counts,
        )
    return finding("path.forward-only", ok=True, text=text, mark=_counted(asked, hexes))


def _counted(asked: DeclaredAttack, hexes: Sequence[Hex]) -> Mark | None:
    """Return a mark, for figures about the rule, at the last hex of a path that does not count, of those that do; None
    if all count.
    """
    counts = len(hexes) if asked.plan is None else asked.plan.hexes_entered
    table = asked.aim.table
    lost = len(hexes) - counts
    if not lost:
        return None
    words = say(
        "{entered} entered - {lost} = {counts} count", entered=len(hexes), lost=lost, counts=counts
    )
    return replace(
        table.mark(words, hexes[lost - 1]), lines=table.outline(*hexes[lost:]), is_for_point=True
    )


def _wrong_steps(asked: DeclaredAttack) -> Iterator[tuple[Hex, Hex, str]]:
    """Yield each forbidden step of the path as (start, end, reason)."""
    aim = asked.aim
    entries = _entries(asked) or ()
    slopes = {
        (start, place)
        for _, start, place in _pairs(aim, entries)
        if aim.table.rise(start, place, aim.charger)
    }
    start = aim.charger.hex
    for sense, place in entries:
        if sense == "side":
            yield start, place, say("sideways")
        elif sense == "back" and aim.table.choices.backward == "forbidden":
            yield start, place, say("backwards")
        elif sense == "back" and _gait(asked) == "run":
            yield start, place, say("backwards at a run")
        elif sense == "back" and (start, place) in slopes:
            yield start, place, say("backwards to another level")
        start = place


def _connected(asked: DeclaredAttack) -> Finding | None:
    entries = _entries(asked)
    table = asked.aim.table
    if entries is None:
        return None
    hexes = [asked.aim.charger.hex, *(place for _, place in entries)]
    gaps = [(start, place) for start, place in pairwise(hexes) if direction(start, place) is None]
    if not gaps:
        return finding(
            "path.connected",
            ok=True,
            text=say(
                "Every hex of {charger}'s path is adjacent to the one before it.",
                charger=asked.aim.charger.name,
            ),
        )
    apart = [
        say("hex {place} is not adjacent to hex {start}", place=number(place), start=number(start))
        for start, place in gaps
    ]
    start, end = gaps[0]
    words = say("does not leave {place}", place=number(end))
    if start != end:
        words = say("{start} and {end} do not touch", start=number(start), end=number(end))
    text = say(
        "{reasons:capital}; every step must lead to an adjacent hex.", reasons=listed(apart, "; ")
    )
    return finding(
        "path.connected", ok=False, text=text, mark=table.mark(words, end, table.ways(gaps))
    )


def _enterable(asked: DeclaredAttack) -> Finding | None:
    if _entries(asked) is None:
        return None
    if met := list(_obstacles(asked)):
        reasons = listed(dict.fromkeys(reason for _, reason, _ in met), "; ")
        text = say(
            "{reasons:capital}; the charger must be able to enter every hex.", reasons=reasons
        )
        words = listed(dict.fromkeys(why for _, _, why in met), " and ")
        table = asked.aim.table
        mark = table.mark(words, met[0][0], table.outline(*(place for place, _, _ in met)))
        return finding("path.enterable", ok=False, text=text, mark=mark)
    return finding(
        "path.enterable",
        ok=True,
        text=say("{charger} can enter every hex of its path.", charger=asked.aim.charger.name),
    )


def _obstacles(asked: DeclaredAttack) -> Iterator[tuple[Hex, str, str]]:
    """Yield each hex of the path that cannot be entered, with the reason as a clause for a sentence and as a label for
    figures.
    """
    aim = asked.aim
    table = aim.table
    unit = aim.charger
    enemies = enemy_hexes(aim.table, aim.charger)
    entries = _entries(asked) or ()
    bordering = {(start, place) for _, start, place in _pairs(aim, entries)}
    start = unit.hex
    for _, place in entries:
        here = number(place)
        if place == aim.target_hex:
            yield (
                place,
                say("hex {place} is the hex that is charged", place=here),
                say("goes through the target"),
            )
        elif place in enemies:
            yield place, say("an enemy is in hex {place}", place=here), say("an enemy in the way")
        if table.is_prohibited(place, unit):
            text = say("hex {place} is prohibited to {charger}", place=here, charger=unit.name)
            yield place, text, say("prohibited to {charger}", charger=unit.name)
        elif (start, place) in bordering and not is_passable(table, start, place, unit):
            levels = counted(abs(table.rise(start, place, unit)), "levels")
            text = say(
                "hex {place} is {levels} higher or lower than hex {start}",
                place=here,
                levels=levels,
                start=number(start),
            )
            yield (
                place,
                text,
                say(
                    "{levels} difference, at most {climb} possible",
                    levels=levels,
                    climb=table.climb(unit),
                ),
            )
        if is_wet(table, place, unit) and _gait(asked) == "run":
            depth = table.at(place).depth
            text = say(
                "hex {place} has water of depth {depth}, which may not be entered at a run",
                place=here,
                depth=depth,
            )
            yield place, text, say("no run through water of depth {depth}", depth=depth)
        start = place


def _last_hex(asked: DeclaredAttack) -> Hex:
    """Return the last hex of the path; without a path the charger's own hex."""
    entries = _entries(asked)
    return entries[-1][1] if entries else asked.aim.charger.hex


def _end_hex(asked: DeclaredAttack) -> Finding | None:
    aim = asked.aim
    entries = _entries(asked)
    if entries is None and aim.keys.hexes_moved is None:
        return None
    last = _last_hex(asked)
    name = aim.charger.name
    crowding = aim.table.crowding(last, aim.charger)
    if crowding is None:
        return finding(
            "path.end-hex",
            ok=True,
            text=say("{charger} may stop in hex {last}.", charger=name, last=number(last)),
        )
    text = say(
        "{charger} may not stop in hex {last}, where {unit} already is.",
        charger=name,
        last=number(last),
        unit=crowding.name,
    )
    mark = aim.table.mark(
        say("no room beside {unit}", unit=crowding.name), last, aim.table.outline(last)
    )
    return finding("path.end-hex", ok=False, text=text, mark=mark)


def _front_hex(asked: DeclaredAttack) -> Finding | None:
    aim = asked.aim
    entries = _entries(asked)
    if asked.plan is not None:
        last = number(asked.plan.way.last)
        facing = word(HEX_FACINGS[asked.plan.way.end_facing])
        parts = {"last": last, "facing": facing, "charger": aim.charger.name, "aim": aim.name}
        text = say(
            "In hex {last}, facing {facing}, {charger} does not have {aim} straight ahead, as it must.",
            **parts,
        )
        if ok := faces_target(aim, asked.plan):
            text = say(
                "In hex {last}, facing {facing}, {charger} has {aim} straight ahead.", **parts
            )
        return finding("declare.front-hex", ok, text, None if ok else _not_ahead(asked))
    if not entries:
        return None
    last = number(entries[-1][1])
    ahead = direction(entries[-1][1], aim.target_hex)
    ok = ahead is not None and aim.end_facing in (None, ahead)
    text = say(
        "{charger}'s path ends in hex {last}, facing {aim}."
        if ok
        else "{charger}'s path ends in hex {last}, not facing {aim}, as it must.",
        charger=aim.charger.name,
        last=last,
        aim=aim.name,
    )
    return finding("declare.front-hex", ok, text, None if ok else _not_ahead(asked))


def _not_ahead(asked: DeclaredAttack) -> Mark:
    """Return a mark of the hex that the charger faces at its end, and of the direction in which the target lies."""
    aim = asked.aim
    last = _last_hex(asked)
    facing = asked.plan.way.end_facing if asked.plan is not None else aim.end_facing
    towards = direction(last, aim.target_hex)
    if last == aim.target_hex:
        words = say("ends in the hex charged")
    elif towards is None:
        words = say("{hexes} away", hexes=in_hexes(distance(last, aim.target_hex)))
    else:
        words = say(
            "faces {facing}, {aim} lies {way}",
            facing=word(HEX_FACINGS[facing or 0]),
            aim=aim.name,
            way=word(HEX_FACINGS[towards]),
        )
    limits = () if facing is None else aim.table.outline(neighbour(last, facing))
    return aim.table.mark(words, aim.target_hex, aim.table.ways([(last, aim.target_hex)]), limits)


def enough_mp(asked: DeclaredAttack) -> Finding | None:
    """Return the finding of battletech.declare.enough-mp: whether the MP cover the path; None if none count."""
    aim = asked.aim
    if asked.search is not None and asked.plan is None:
        return _no_path(aim, asked.search.fewest)
    if asked.plan is None or asked.plan.way.mp is None or not aim.is_on_foot:
        return None
    # of a charger that has moved, those left; just enough where the file does not say
    known = available_mp(aim)
    needed = asked.plan.way.mp
    limit = known if known is not None else asked.plan.way.mp or 0
    parts = {
        "charger": aim.charger.name,
        "needed": needed,
        "place": number(aim.target_hex),
        "limit": limit,
    }
    text = say(
        "{charger} needs {needed} MP, including those for hex {place}, and has {limit}.", **parts
    )
    mark = _too_far(
        aim, needed, limit, aim.table.ways(_unpaid(asked.plan.way, aim.target_hex, limit))
    )
    if needed <= limit:
        mark = replace(
            aim.table.mark(_spent(asked.plan.way, needed, limit), aim.target_hex), is_for_point=True
        )
    return finding("declare.enough-mp", needed <= limit, text, mark, measured=needed, limit=limit)


def _spent(way: HexPath, needed: int, limit: int) -> str:
    """Return a label with the MP that a path costs, as a sum if standing up is part of it."""
    if not way.rise_mp:
        return say("{mp:g} of {limit:g} MP", mp=needed, limit=limit)
    told = {
        "rise": way.rise_mp,
        "inner": way.mp_to_last - way.rise_mp,
        "last": needed - way.mp_to_last,
    }
    return say(
        "{rise} (up) + {inner} + {last} = {mp:g} of {limit:g} MP", mp=needed, limit=limit, **told
    )


def _too_far(aim: Aim, needed: int, limit: int, unpaid: tuple[Segment, ...] = ()) -> Mark:
    """Return a mark of the part of the path that the available MP do not cover; without a path, of the target's hex."""
    words = say("needs {mp:g} MP, has {limit:g}", mp=needed, limit=limit)
    return aim.table.mark(words, aim.target_hex, unpaid or aim.table.outline(aim.target_hex))


def _unpaid(way: HexPath, target_hex: Hex, limit: int) -> Iterator[tuple[Hex, Hex]]:
    spent = way.rise_mp
    place = way.start
    for entered, mp in [
        *((leg.hex, leg.mp) for leg in way.legs),
        (target_hex, way.end_turn_mp + (way.target_mp or 0)),
    ]:
        spent += mp
        if spent > limit:
            yield place, entered
        place = entered


def available_mp(aim: Aim) -> int | None:
    """Return the MP (movement points) available in all; None if the charger has moved already and the file does not say
    what is left.
    """
    return aim.limit if aim.keys.hexes_moved is None else aim.keys.mp_left


def _no_path(aim: Aim, fewest: int | None) -> Finding:
    name = aim.charger.name
    if fewest is None:
        text = say(
            "No path of {name} ends facing {aim}, as one must, however many MP it had.",
            name=name,
            aim=aim.name,
        )
        return finding(
            "declare.enough-mp",
            ok=False,
            text=text,
            mark=_around_target(aim, say("no path leads here")),
        )
    limit = aim.limit if fewest > aim.limit else aim.walk
    parts = {"fewest": fewest, "place": number(aim.target_hex), "name": name, "limit": limit}
    text = say(
        "Every path needs at least {fewest} MP, including those for hex {place}; {name} has {limit}.",
        **parts,
    )
    if limit != aim.limit:
        text = say(
            "Every path goes through water, so only at a walk, and needs at least {fewest} MP, including those for hex "
            "{place}; {name} has {limit}.",
            **parts,
        )
    straight = straight_way(aim)
    unpaid = (
        ()
        if straight is None or straight.mp != fewest
        else aim.table.ways(_unpaid(straight, aim.target_hex, limit))
    )
    return finding(
        "declare.enough-mp",
        ok=False,
        text=text,
        mark=_too_far(aim, fewest, limit, unpaid),
        measured=fewest,
        limit=limit,
    )


def _best(asked: DeclaredAttack) -> Finding | None:
    if asked.search is None or asked.plan is None:
        return None
    best = asked.search.options[0]
    total = asked.search.count
    path = " ".join(map(number, asked.plan.way.hexes)) or say("of staying in place")
    parts = {
        "total": counted(total, "paths"),
        "hexes": in_hexes(best.hexes),
        "pace": GAITS[best.gait],
        "mp": best.mp,
        "count": best.count,
    }
    text = say(
        "{total} found. The best enter {hexes} at {pace} for {mp} MP; there are {count} of these, and the path "
        "{path} is taken.",
        **parts,
        path=path,
    )
    cut = (
        say(" The best {most} paths are listed.", most=MOST_LISTED)
        if 0 < len(asked.search.listed) < total
        else ""
    )
    return finding("path.best", ok=True, text=text + cut)


def _target_hex(asked: DeclaredAttack) -> Finding | None:
    if asked.plan is None or asked.plan.way.target_mp is None:
        return None
    aim = asked.aim
    way = asked.plan.way
    parts = {
        "mp": way.target_mp,
        "place": number(aim.target_hex),
        "charger": aim.charger.name,
        "last": number(way.last),
    }
    text = say(
        "The {mp} MP for entering hex {place} are spent whether the charge hits or misses; until it is resolved "
        "{charger} stays in hex {last}.",
        **parts,
    )
    return finding("mp.target-hex", ok=True, text=text)


PATH_LIMITS: tuple[Measure, ...] = (
    _forward_only,
    _connected,
    _enterable,
    _end_hex,
    _front_hex,
    enough_mp,
)
"""All limits on declaring that depend on the path."""

PROCEDURES: tuple[Measure, ...] = (_best, _target_hex)
"""Findings about the path of a legal charge."""
