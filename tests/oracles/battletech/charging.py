"""A charge from the weapon phase to the last fall, on a table where the charger stands in its last hex."""

from tests.oracles.battletech import pushing, skidding
from tests.oracles.battletech.board import Hex, Piece, Tables, read_hex, towards
from tests.oracles.battletech.charts import MOVED, at_least, side_of
from tests.oracles.battletech.play import Play

Verdict = tuple[str, str | None]
SUCCESS: Verdict = ("success", None)


def resolve(play: Play, path: tuple[Hex, ...]) -> Verdict:
    """Play a declared charge to its end."""
    _break_through(play, path)
    target = play.table.units.get(play.charge["targets"][0])
    verdict = _weapon_phase(play, target)
    if verdict is None:
        goal = _goal(play, target)
        verdict = SUCCESS if strike(play, target, goal, harder=0) else ("failed", "tohit.roll")
        if verdict != SUCCESS:
            pushing.miss(play)
    play.log["outcome"] = verdict[0]
    return verdict


def _goal(play: Play, target: Piece | None) -> Hex:
    if target is not None:
        return target.hex
    named = play.charge.get("target_hex")
    return read_hex(named) if named else play.table.names[play.charge["targets"][0]][0]


def _break_through(play: Play, path: tuple[Hex, ...]) -> None:
    added = 3 if play.rule("building_plus_three", "target") == "all" else 0
    for count, place in enumerate(path, start=1):
        ground = play.table.at(place)
        if ground.cover == "building" and ground.cf:
            play.enter_building(place, added, count, ground.cf)


def _weapon_phase(play: Play, target: Piece | None) -> Verdict | None:
    events = play.charge.get("weapon_phase", {})
    charger_fails = _event(play, play.charger, events, "charger")
    target_fails = target is not None and _event(play, target, events, "target")
    if target is not None and target_fails:
        play.fall(target, target.skill + events.get("target_psr_modifier", 1), 0)
    if charger_fails:
        return _lose_feet(play, target, play.charger.skill + events.get("charger_psr_modifier", 1))
    if target_fails:
        return "failed", "weapon.target-fell"
    is_spent = events.get("charger_mp_lost", 0) >= play.charger.profile.get("walk", 99)
    return (
        ("failed", "weapon.mp-loss")
        if is_spent and play.rule("immobile_charger", "charges") == "cancelled"
        else None
    )


def _event(play: Play, unit: Piece, events: Tables, role: str) -> bool:
    event = events.get(f"{role}_psr", "none")
    number = unit.skill + events.get(f"{role}_psr_modifier", 1)
    if event == "roll":
        play.add("psr", unit, [number])
    return bool(event == "failed" or (event == "roll" and not play.passes(number)))


def _lose_feet(play: Play, target: Piece | None, number: int) -> Verdict:
    half = -(-play.hexes // 2) if play.rule("skid_rounding", "up") == "up" else play.hexes // 2
    if half and play.table.at(play.charger.hex).cover == "pavement":
        is_hit = skidding.skid(play, target, half, number, strike)
        return SUCCESS if is_hit else ("failed", "weapon.charger-fell")
    play.fall(play.charger, number, 0)
    return "failed", "weapon.charger-fell"


def strike(play: Play, target: Piece | None, place: Hex, *, harder: int) -> bool:
    """Roll to hit and, if it does, settle the collision; a target of nothing is the building in the hex."""
    play.forget()
    if target is None:
        play.meet_ground()
        _into_building(play, place)
        return True
    play.meet(target)
    number = to_hit(play, target, harder)
    play.log["tn"] = number
    is_hit = play.passes(number)
    if is_hit:
        _collide(play, target)
    return is_hit


def to_hit(play: Play, target: Piece, harder: int) -> int:
    """Add up the number to hit."""
    ground = play.table.at(target.hex)
    moved = (
        at_least(target.hexes_moved, MOVED)
        + ("jumped" in target.status)
        + 2 * ("skidded" in target.status)
    )
    woods = {"light_woods": 1, "heavy_woods": 2}.get(ground.cover, 0)
    state = -2 * ("prone" in target.status and target.kind == "mech") - 4 * (
        "immobile" in target.status
    )
    own = (
        play.charger.profile["piloting"] * 2
        - target.profile["piloting"]
        + (1 if play.gait == "walk" else 2)
    )
    said = sum(play.charge.get("modifiers", {}).values()) + ("spotting" in play.charger.status)
    return int(own + moved + woods + ground.smoke + state + said + harder)


def force(play: Play) -> tuple[int, int]:
    """Return points for the target by run-up, as a fraction: the number and what it is divided by."""
    if play.rule("damage_rounding", "product") == "product":
        return play.charger.tons * play.hexes, 10
    return play.charger.tenths * play.hexes, 1


def points_of(play: Play, target: Piece | None) -> tuple[int, int]:
    """Return what a collision costs target and charger."""
    points, parts = force(play)
    own_weight = target is None or target.kind == "dropship"
    back = play.charger.tons if target is None or own_weight else target.tons
    depth = play.table.at(play.charger.hex).depth
    half = 2 if play.rule("submerged_charger", "full") == "halved" and depth >= 2 else 1
    has_blade = "bulldozer" in play.charger.profile.get("equipment", ())
    dealt = -(-points // (parts * half))
    taken = -(-back // (10 * half))
    return dealt * (2 if has_blade and target is None else 1), taken // (2 if has_blade else 1)


def _own_harm(play: Play, points: int) -> None:
    unit = play.charger
    if unit.kind == "vehicle":
        play.log["at_once_charger"] = play.motive(unit, "front")
    codes = play.hurt(unit, points, "front")
    play.log |= _told("charger", codes)


def _told(role: str, codes: list[str]) -> Tables:
    return {
        f"locations_{role}": [code.rstrip("c") for code in codes],
        f"criticals_{role}": sum(code.endswith("c") for code in codes),
    }


def _into_building(play: Play, place: Hex) -> None:
    dealt, taken = points_of(play, None)
    ground = play.table.at(place)
    before = ground.cf
    play.log |= {"damage_target": dealt, "damage_charger": taken}
    ground.cf = max(0, ground.cf - dealt)
    _own_harm(play, taken)
    has_room = play.table.crowding(place, play.charger) is None
    if (
        has_room
        and "prone" not in play.charger.status
        and play.rule("building_charge_advance", "enter") == "enter"
    ):
        play.charger.hex = place
        _enter(play, place, before)
    play.keep_feet(play.charger)


def _enter(play: Play, place: Hex, before: int) -> None:
    if play.table.at(place).cf:
        number, has_failed = play.enter_building(place, 3, play.hexes + 1, before)
        play.log |= {"entry_psr": number, "entry_failed": has_failed}


def _collide(play: Play, target: Piece) -> None:
    place = target.hex
    direction = towards(play.charger.hex, target.hex)
    assert direction is not None
    ground = play.table.at(place)
    before = ground.cf
    dealt, taken = points_of(play, target)
    play.log |= {"damage_target": dealt, "damage_charger": taken}
    _own_harm(play, taken)
    _target_harm(play, target, dealt, side_of(target, direction + 3))
    if pushing.push(play, target, direction):
        play.charger.hex = place
        if ground.cover == "building":
            _enter(play, place, before)
    play.keep_feet(play.charger)
    play.keep_feet(target)


def _target_harm(play: Play, target: Piece, points: int, side: str) -> None:
    if target.kind == "vehicle":
        play.log["at_once_target"] = play.motive(target, side)
    is_kick = play.charger.kind == "vehicle" and target.is_up
    groups = [5] * (points // 5) + ([points % 5] if points % 5 else [])
    groups = _absorbed(play, target, groups)
    play.log |= {"side_target": side, "groups_target": groups}
    codes = play.locate(target, groups, side, is_kick=is_kick)
    if target.kind != "dropship":
        play.log |= _told("target", codes) | {
            "table_target": "kick" if is_kick else "mech" if target.kind == "mech" else "vehicle"
        }


def _absorbed(play: Play, target: Piece, groups: list[int]) -> list[int]:
    ground = play.table.at(target.hex)
    if not ground.cf:
        return groups
    each = -(-ground.cf // 10)
    left = [max(0, group - each) for group in groups]
    play.log |= {"absorbed": sum(groups) - sum(left), "damage_through": sum(left)}
    ground.cf = max(0, ground.cf - (sum(groups) - sum(left)))
    return [group for group in left if group]
