"""Set-up checks of BattleTech scenarios beyond the types of values."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from systems.battletech.book import Book
from systems.battletech.scene import CombatUnit, combat_units
from systems.battletech.words import (
    AIRBORNE,
    COVERS,
    FOR,
    FOUR,
    LOOKS,
    SMOKES,
    STATUS,
    TERRAIN_KINDS,
    WEIGHTLESS,
    Choices,
    Declarations,
    HexTerrainKeys,
    Profile,
    step_of,
)
from tabletop.errors import UNKNOWN_UNIT, Fault
from tabletop.messages import key_path, nearest, quoted, say, shown
from tabletop.ruling.charge import Charge
from tabletop.scenario.fields import hex_of
from tabletop.scenario.vocabulary import Vocabulary
from tabletop.table.hexes import HexBoard, number
from tabletop.table.state import Hex, HexTerrain, State

KEYS = {"level": "level", "water": "depth", "building": "cf"}
"""Kinds of terrain and the key that each requires."""

KEY_HOMES = {"level": "level", "depth": "water", "cf": "building", FOR: "prohibited"}

EXCLUSIVE = (("level",), COVERS, SMOKES)
"""Groups of kinds of which a hex has at most one."""


def problems(state: State[Any], charges: Sequence[tuple[int, Charge]]) -> list[Fault]:
    """Return the faults of a set-up and of its charges, which are given with their numbers in the file."""
    units = combat_units(state)
    ground = [*_keys(state.hex_terrain), *_clashes(state.hex_terrain)]
    return [*ground, *_profiles(units), *stacks(units, most=2), *_charges(state, units, charges)]


def doubts(
    state: State[Any], charges: Sequence[tuple[int, Charge]], choices: Choices
) -> list[Fault]:
    """Return warnings about four-legged 'Mechs whose profiles repeat the modifier that four legs imply."""
    del charges, choices
    legs = Book().four_legs_modifier
    message = "legs = 4 already implies {legs}: leave this out"
    units = [
        unit
        for unit in combat_units(state).values()
        if unit.is_mech and unit.profile.legs == FOUR and unit.profile.psr_modifier == legs
    ]
    return [
        Fault.of(key_path(["units", unit.name, "profile", "psr_modifier"]), message, legs=legs)
        for unit in units
    ]


def _keys(pieces: Sequence[HexTerrain]) -> Iterator[Fault]:
    for index, piece in enumerate(pieces):
        needed = KEYS.get(piece.kind)
        if needed is not None and getattr(piece.data, needed) is None:
            yield Fault.of(
                f"terrain[{index}].{needed}",
                "is missing: {kind} needs its {needed}",
                kind=piece.kind,
                needed=needed,
            )
        for key, kind in KEY_HOMES.items():
            if piece.kind != kind and getattr(piece.data, key) is not None:
                message = "belongs to terrain of kind {kind}, not {other_kind}"
                yield Fault.of(f"terrain[{index}].{key}", message, kind=kind, other_kind=piece.kind)


def _clashes(pieces: Sequence[HexTerrain]) -> Iterator[Fault]:
    """Yield the faults of hexes on which two pieces of terrain of exclusive kinds are laid."""
    first: dict[tuple[Hex, int], HexTerrain] = {}
    for index, piece in enumerate(pieces):
        group = next(
            (number_ for number_, kinds in enumerate(EXCLUSIVE) if piece.kind in kinds), None
        )
        if group is None:
            continue
        for place_index, place in enumerate(piece.hexes):
            other = first.setdefault((place, group), piece)
            if other is not piece:
                message = "{kind} excludes {other_kind}, which {other} lays in hex {number} already"
                key = f"terrain[{index}].hexes[{place_index}]"
                told = shown(other.name)
                yield Fault.of(
                    key,
                    message,
                    kind=piece.kind,
                    other_kind=other.kind,
                    other=told,
                    number=number(place),
                )


def _profiles(units: Mapping[str, CombatUnit]) -> Iterator[Fault]:
    for name, unit in units.items():
        profile = unit.profile
        key = ["units", name, "profile"]
        if profile.tons is None and profile.type not in WEIGHTLESS:
            yield Fault.of(
                key_path([*key, "tons"]),
                "is missing: a unit of type {type} needs its tons",
                type=profile.type,
            )
        if profile.run is not None and profile.run < (profile.walk or 0):
            message = "expected at least as many MP as walk ({walk}), given {run}"
            yield Fault.of(key_path([*key, "run"]), message, walk=profile.walk, run=profile.run)
        yield from _status(unit)


def _status(unit: CombatUnit) -> Iterator[Fault]:
    """Yield the faults of status words that do not apply: only 'Mechs are prone, only flying units have landed."""
    for index, word in enumerate(unit.status):
        if (word == "prone" and not unit.is_mech) or (
            word == "landed" and unit.profile.type not in AIRBORNE
        ):
            message = "expected {word} of {owner} only, and {name} is of type {type}"
            key = key_path(["units", unit.name, "status", index])
            kind = shown(unit.profile.type)
            owner = say("a 'Mech") if word == "prone" else quoted(AIRBORNE)
            yield Fault.of(
                key, message, word=shown(word), owner=owner, name=shown(unit.name), type=kind
            )


def stacks(units: Mapping[str, CombatUnit], *, most: int) -> Iterator[Fault]:
    """Yield the faults of hexes with more than one 'Mech, or more than `most` units in all, infantry aside."""
    counting = [unit for unit in units.values() if not unit.is_infantry]
    for place in dict.fromkeys(unit.hex for unit in counting):
        there = [unit for unit in counting if unit.hex == place]
        if len(there) > most or sum(unit.is_mech for unit in there) > 1:
            names = tuple(unit.name for unit in there)
            key = key_path(["units", there[-1].name, "hex"])
            limit = say("one 'Mech and two units in all") if most > 1 else say("one unit")
            message = "hex {number} holds too many units: {names}; it takes {limit}, infantry aside"
            yield Fault.of(
                key, message, number=number(place), names=quoted(names), limit=limit, between=names
            )


def _charges(
    state: State[Any], units: Mapping[str, CombatUnit], charges: Sequence[tuple[int, Charge]]
) -> Iterator[Fault]:
    for index, charge in charges:
        key = f"charges[{index}]"
        if len(charge.targets) != 1:
            count = len(charge.targets)
            yield Fault.of(
                f"{key}.targets",
                "expected exactly 1 target in {game}, given {count}",
                game="battletech",
                count=count,
            )
        elif charge.targets[0] == charge.charger:
            yield Fault.of(
                f"{key}.targets[0]", "{name} cannot charge itself", name=shown(charge.charger)
            )
        else:
            yield from _aim(key, charge, state, units)
        yield from _way(key, charge, state, units[charge.charger])
        yield from _events(key, charge, units)
        for name in charge.declarations.domino:
            if name not in units:
                key = key_path(["charges", index, "domino", name])
                yield Fault.of(
                    key,
                    UNKNOWN_UNIT,
                    name=shown(name),
                    hint=nearest(name, units),
                    units=quoted(units),
                )


def _aim(
    key: str, charge: Charge, state: State[Any], units: Mapping[str, CombatUnit]
) -> Iterator[Fault]:
    """Yield a fault if it is not clear which hex is charged: the unit's, or which one of the building's."""
    aim = charge.declarations.target_hex
    target = units.get(charge.targets[0])
    hexes = (
        (target.hex,)
        if target
        else next(piece.hexes for piece in state.hex_terrain if piece.name == charge.targets[0])
    )
    name = shown(charge.targets[0])
    choice = quoted(map(number, hexes))
    if aim is None and len(set(hexes)) > 1:
        message = "is missing: {name} has several hexes, of which one is charged: {choice}"
        yield Fault.of(f"{key}.target_hex", message, name=name, choice=choice)
    if aim is not None and hex_of(aim) not in hexes:
        yield Fault.of(
            f"{key}.target_hex",
            "expected a hex of {name} ({choice}), given {aim}",
            name=name,
            choice=choice,
            aim=shown(aim),
        )


def _way(key: str, charge: Charge, state: State[Any], charger: CombatUnit) -> Iterator[Fault]:
    board = state.board
    declared = charge.declarations
    for index, text in enumerate(declared.path or ()):
        if isinstance(board, HexBoard) and not board.holds(step_of(text)[1]):
            message = "hex {number} is not on the board: its columns are 01 to {columns:02d}, its rows 01 to {rows:02d}"
            yield Fault.of(
                f"{key}.path[{index}]",
                message,
                number=text[-4:],
                columns=board.columns,
                rows=board.rows,
            )
    if declared.hexes_moved is not None:
        yield from _moved(key, declared)
    elif charger.profile.walk is None:
        message = (
            "is missing: {name} charges along a path, which needs its MP (or hexes_moved in {key})"
        )
        yield Fault.of(
            key_path(["units", charger.name, "profile", "walk"]),
            message,
            name=shown(charger.name),
            key=key,
        )
    elif declared.mp_left is not None:
        yield Fault.of(
            f"{key}.mp_left", "belongs beside hexes_moved; otherwise MP are counted along the path"
        )


def _moved(key: str, declared: Declarations) -> Iterator[Fault]:
    """Yield the faults of a charger that has moved already but states more about its path than how it moved."""
    for other in ("path", "end_facing"):
        if getattr(declared, other) is not None:
            yield Fault.of(
                f"{key}.{other}",
                "cannot be combined with hexes_moved, with which the charger already is in front of its target with "
                "the facing given",
            )
    if declared.movement not in ("walk", "run"):
        message = say(
            "expected 'walk' or 'run' beside hexes_moved, given {movement}",
            movement=shown(declared.movement),
        )
        yield Fault(f"{key}.movement", message)


def _events(key: str, charge: Charge, units: Mapping[str, CombatUnit]) -> Iterator[Fault]:
    phase = charge.declarations.weapon_phase
    charger = units[charge.charger]
    target = units.get(charge.targets[0])
    if phase.charger_psr != "none" and not charger.is_mech:
        yield Fault.of(
            f"{key}.weapon_phase.charger_psr",
            "{name} cannot fall, because only a 'Mech rolls to stay on its feet",
            name=shown(charger.name),
        )
    if phase.target_psr != "none" and (target is None or not target.is_mech or target.is_prone):
        yield Fault.of(
            f"{key}.weapon_phase.target_psr",
            "{name} cannot fall, because only a standing 'Mech rolls to stay on its feet",
            name=shown(charge.targets[0]),
        )


EXAMPLE = {
    "title": "A charge",
    "board": {"columns": 15, "rows": 17},
    "units": {
        "A": {
            "side": "blue",
            "hex": "0508",
            "facing": "N",
            "profile": {"type": "mech", "tons": 65, "piloting": 4, "walk": 4},
        },
        "B": {
            "side": "red",
            "hex": "0503",
            "facing": "S",
            "profile": {"type": "mech", "tons": 55, "hexes_moved": 3, "piloting": 5},
        },
    },
    "charges": [{"charger": "A", "targets": ["B"]}],
}
"""A small file that can be resolved."""

VOCABULARY = Vocabulary(
    profile=Profile,
    choices=Choices,
    declarations=Declarations,
    terrain_kinds=TERRAIN_KINDS,
    status=STATUS,
    problems=problems,
    doubts=doubts,
    placement="hex",
    terrain_keys=HexTerrainKeys,
    chargeable=("building",),
    reserved=("core",),
    looks=LOOKS,
    example=EXAMPLE,
)
