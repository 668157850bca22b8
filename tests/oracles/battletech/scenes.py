"""Random tables: a charger before its target, or some hexes away, with all that may stand or lie around."""

import random
from typing import Any

from tests.oracles.battletech.board import FACINGS, Hex, Tables, apart, printed, read_hex, step

COLUMNS = 9
ROWS = 9
READINGS: dict[str, tuple[str, ...]] = {
    "level_difference": ("climb", "one"),
    "damage_rounding": ("product", "per_ten"),
    "submerged_charger": ("full", "halved"),
    "vehicle_front_5": ("right", "left"),
    "building_with_units": ("allowed", "refused"),
    "building_plus_three": ("target", "all"),
    "building_speed_row": ("off", "on"),
    "building_charge_advance": ("enter", "stay"),
    "skid_rounding": ("up", "down"),
    "skid_damage": ("per_hex", "per_hex_and_fall"),
    "immobile_charger": ("charges", "cancelled"),
    "heavy_damage_psr": ("shared", "separate", "off"),
    "pilot_levels": ("levels", "levels_minus_one"),
    "stacking": ("total_warfare", "single"),
    "miss_hexes": ("front_sides", "rear_sides"),
    "miss_into_occupied": ("not_allowed", "domino"),
}
FLYING = ("vtol", "wige", "airship", "fixed_wing_support")
COVERS = ("light_woods", "heavy_woods", "rough", "rubble", "pavement", "water", "building")
Source = random.Random


def random_scene(number: int) -> Tables:
    """Return a charge of a unit that stands before its target, or is a few hexes away."""
    source = Source(number)
    start = source.randint(3, 7), source.randint(3, 7)
    facing = source.randrange(6)
    target = step(start, facing)
    away = source.random() < 0.25
    units = {
        "A": _unit(source, start, facing, "blue"),
        "B": _unit(source, target, source.randrange(6), "red"),
    }
    if units["A"]["profile"]["type"] == "mech" and units["B"]["profile"]["type"] != "mech":
        units["A"]["profile"]["type"] = "vehicle"
    _others(source, units, target, facing)
    ground = _ground(source, start)
    charge: Tables = {"charger": "A", "targets": ["B"]}
    charge |= (
        _afar(source, units)
        if away
        else {"hexes_moved": source.randint(0, 9), "movement": source.choice(["walk", "run"])}
    )
    charge |= _said(source, units)
    if away and source.random() < 0.4:
        charge["path"] = _path(source, units)
    if not away and source.random() < 0.15:
        charge["targets"] = _building(source, ground, target, units)
    if charge["targets"] != ["B"]:
        charge["weapon_phase"].pop("target_psr", None)
    rules = {
        name: source.choice(values) for name, values in READINGS.items() if source.random() < 0.3
    }
    return {
        "system": "battletech",
        "board": {"columns": COLUMNS, "rows": ROWS},
        "units": units,
        "terrain": ground,
        "rules": rules,
        "charges": [charge],
    }


def _afar(source: Source, units: Tables) -> Tables:
    place = int(units["B"]["hex"][:2]), int(units["B"]["hex"][2:])
    taken = {entry["hex"] for name, entry in units.items() if name != "B"}
    for _ in range(source.randint(0, 2)):
        on = step(place, source.randrange(6))
        if 1 <= on[0] <= COLUMNS and 1 <= on[1] <= ROWS and printed(on) not in taken:
            place = on
    units["B"]["hex"] = printed(place)
    walk = source.randint(1, 4)
    units["A"]["profile"]["walk"] = walk
    if source.random() < 0.3:
        units["A"]["profile"]["run"] = walk + source.randint(0, 2)
    return {"movement": source.choice(["auto", "auto", "walk", "run"])}


def _path(source: Source, units: Tables) -> list[str]:
    """Walk towards the target, now and then astray."""
    place, goal = (read_hex(units[name]["hex"]) for name in "AB")
    path: list[Hex] = []
    for _ in range(4):
        ahead = sorted(
            (step(place, direction) for direction in range(6)), key=lambda end: apart(end, goal)
        )
        if ahead[0] == goal:
            break
        place = ahead[0] if source.random() < 0.8 else source.choice(ahead)
        if not (1 <= place[0] <= COLUMNS and 1 <= place[1] <= ROWS):
            break
        path.append(place)
    return [printed(one) for one in path]


def _building(source: Source, ground: list[Tables], target: Hex, units: Tables) -> list[str]:
    """Charge a building in the target's hex instead; whoever was in it stays or goes."""
    ground[:] = [
        piece
        for piece in ground
        if piece["kind"] not in COVERS or piece["hexes"] != [printed(target)]
    ]
    ground.append(_cover(source, target, "building"))
    if source.random() < 0.5:
        del units["B"]
    return [ground[-1]["name"]]


def _unit(source: Source, place: Hex, facing: int, side: str) -> Tables:
    kind = "mech" if source.random() < 0.65 else "vehicle"
    profile: dict[str, Any] = {
        "type": kind,
        "tons": source.randint(10, 100),
        "piloting": source.randint(2, 7),
    }
    if source.random() < 0.3:
        profile["psr_modifier"] = source.randint(-2, 3)
    if source.random() < 0.4:
        profile["hexes_moved"] = source.randint(0, 12)
    if kind == "vehicle":
        profile |= {
            "motion": source.choice(["tracked", "wheeled", "hover"]),
            "turret": source.random() < 0.7,
            "walk": source.randint(3, 8),
        }
        if side == "red" and source.random() < 0.25:
            profile["type"] = source.choice(FLYING)
    elif source.random() < 0.2:
        profile["legs"] = 4
    status = ["landed"] if profile["type"] in FLYING else []
    return {
        "side": side,
        "hex": printed(place),
        "facing": FACINGS[facing],
        "status": status,
        "profile": profile,
    }


def _others(source: Source, units: Tables, target: Hex, facing: int) -> None:
    behind = step(target, facing)
    places = [behind, step(behind, facing), *(step(target, source.randrange(6)) for _ in range(2))]
    held = {units["A"]["hex"], units["B"]["hex"]}
    for name, place in zip("CDEF", places, strict=True):
        is_free = 1 <= place[0] <= COLUMNS and 1 <= place[1] <= ROWS and printed(place) not in held
        if source.random() < 0.45 and is_free:
            units[name] = _unit(source, place, source.randrange(6), "red")
            units[name]["profile"]["unspent_mp"] = source.randint(0, 3)
            units[name]["profile"]["ran"] = source.random() < 0.3
            units[name]["status"] += source.choice(
                [
                    [],
                    [],
                    [],
                    ["prone"] if units[name]["profile"]["type"] == "mech" else [],
                    ["jumped"],
                ]
            )
            held.add(printed(place))


def _ground(source: Source, start: Hex) -> list[Tables]:
    pieces: list[Tables] = []
    chance = source.choice([0.0, 0.15, 0.4])
    is_road = source.random() < 0.5
    for place in [(column, row) for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1)]:
        if source.random() < chance:
            pieces.append(
                _cover(
                    source,
                    place,
                    "pavement" if is_road and place == start else source.choice(COVERS),
                )
            )
        elif is_road and place == start:
            pieces.append(_cover(source, place, "pavement"))
        if source.random() < chance:
            pieces.append(
                _piece("level", place, level=source.randint(-1, 3) if source.random() < 0.5 else 1)
            )
        if source.random() < chance / 3:
            pieces.append(_piece(source.choice(["light_smoke", "heavy_smoke"]), place))
        if source.random() < chance / 5:
            pieces.append(
                _piece(
                    "prohibited",
                    place,
                    **source.choice([{}, {"for": ["mech"]}, {"for": ["hover", "wheeled"]}]),
                )
            )
    return pieces


def _cover(source: Source, place: Hex, kind: str) -> Tables:
    keys = {"water": {"depth": source.randint(0, 2)}, "building": {"cf": source.randint(1, 120)}}
    return _piece(kind, place, **keys.get(kind, {}))


def _piece(kind: str, place: Hex, **keys: Any) -> Tables:
    return {"name": f"{kind} {printed(place)}", "kind": kind, "hexes": [printed(place)], **keys}


def _said(source: Source, units: Tables) -> Tables:
    keys: Tables = {"miss": source.choice(["right", "left"])}
    if source.random() < 0.2:
        keys["modifiers"] = {"Reason": source.randint(-3, 3)}
    keys["domino"] = {
        name: source.choice(["forward", "back", "stay"])
        for name in units
        if name not in "AB" and source.random() < 0.7
    }
    is_mech = {name: units[name]["profile"]["type"] == "mech" for name in "AB"}
    phase: Tables = {}
    if is_mech["A"] and source.random() < 0.35:
        phase |= {
            "charger_psr": source.choice(["passed", "failed", "failed", "roll"]),
            "charger_psr_modifier": source.randint(-1, 3),
        }
    if is_mech["B"] and source.random() < 0.15:
        phase |= {"target_psr": source.choice(["passed", "failed", "roll"])}
    if source.random() < 0.1:
        phase["charger_mp_lost"] = source.randint(0, 5)
    return {**keys, "weapon_phase": phase}
