"""Import of MegaMek boards: hexes with levels, woods, water, roads and buildings.

A board has the line `size COLUMNS ROWS`, a line `hex NUMBER LEVEL "TERRAIN;TERRAIN" "THEME"` for each hex, and the line
`end`; `#` begins a comment. A terrain is `name:level` or `name:level:exits`, where exits have a bit for each side of
the hex, clockwise from north.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from tabletop.errors import Fault, ScenarioError, naming
from tabletop.importing.imported import FOREIGN_BYTES, GROUND, HINDRANCE, LOOKS, Imported, Remarks
from tabletop.messages import printable, say, shown
from tabletop.registry import find
from tabletop.scenario.limits import TERRAIN_PIECES, TITLE
from tabletop.scenario.parsing import decoded
from tabletop.table.hexes import HEX_FACINGS, neighbour, number
from tabletop.table.state import Hex

SYSTEM_NAME = "battletech"

MAX_BOARD_HEXES = 99
"""Greatest number of columns and rows, since hex numbers have two digits for each."""

LEVELS, DEPTHS, FACTORS = range(-20, 21), range(21), range(1, 151)
"""Levels, depths of water, and construction factors of buildings that a scenario can hold."""

STRUCTURES = {"building": "bldg_cf", "fuel_tank": "fuel_tank_cf"}
"""MegaMek's terrain that becomes a building, with the terrain that holds its construction factor."""

WALL = 5
"""Class of buildings that are walls."""

READ_AS: dict[str, tuple[str, ...]] = {
    "woods": ("light_woods", "heavy_woods"),
    "jungle": ("heavy_woods",),
    "rubble": ("rubble",),
    "rough": ("rough",),
    "swamp": ("rough", "prohibited"),
    "mud": ("rough",),
    "magma": ("rough", "prohibited"),
    "heavy_industrial": ("rough",),
    "snow": ("", "rough"),
    "geyser": ("", "rough", "prohibited"),
    "pavement": ("pavement",),
    "road": ("pavement",),
    "impassable": ("prohibited",),
    "water": ("prohibited",),
    "rapids": ("prohibited",),
    "hazardous_liquid": ("prohibited",),
    "ultra_sublevel": ("prohibited",),
    "space": ("prohibited",),
    "smoke": ("light_smoke", "heavy_smoke", "light_smoke", "heavy_smoke"),
}
"""Kinds of terrain for MegaMek's levels 1, 2, ...; the last also for higher levels, "" if the hex counts as clear.

Terrain without a kind of its own becomes the nearest by movement points and by the units it excludes: jungle costs at
least 2 points and excludes all vehicles. If several cover a hex, the first listed here is kept. Water is listed for
depths below 0, rapids for hexes without water.
"""

EXACT = {"woods": 2, "rubble": 5, "rough": 1, "smoke": 2}
"""Highest level at which terrain is converted exactly."""

ALWAYS = ("pavement", "road", "impassable")
"""Terrain that is converted exactly at any level."""

BESIDE = ("prohibited", "light_smoke", "heavy_smoke")
"""Kinds that a hex can have in addition to its cover."""

BUILDING_CF = {1: 15, 2: 40, 3: 90, 4: 120}
"""MegaMek's default construction factors of buildings by class."""

DEFAULT_DETAILS = {"bldg_basement_type": 1, "bldg_class": 0, "bldg_armor": 0, "foliage_elev": 2}
"""Details of buildings and woods, with their ordinary value."""

_LOOKS = re.compile(r".*fluff|incline_.*|arms|legs|metal_deposit|foliage_elev|sky")
"""Details without effect on charges."""

ROAD = say("roads are read as pavement of the whole hex")

_WORDS = re.compile(r'"([^"]*)"|(#.*)|([^\s"#]+)')

_NUMBER = re.compile(r"[-+]?\d{1,6}", re.ASCII)

_TERRAIN = re.compile(r"([A-Za-z_]{1,40}):([-+]?\d{1,6})(?::(\d{1,6}))?", re.ASCII)

_IGNORED = ("option", "description", "tag", "note", "background")


@dataclass
class _Board:
    """A board being read: size, level and terrain (name to level and exits) of each hex, and names of decoration."""

    columns: int = 0
    rows: int = 0
    levels: dict[Hex, int] = field(default_factory=dict)
    terrain: dict[Hex, dict[str, tuple[int, int | None]]] = field(default_factory=dict)
    looks: dict[str, None] = field(default_factory=dict)
    is_ended: bool = False


def import_board(data: bytes, label: str) -> Imported:
    """Return the scenario of a MegaMek board file, without units and charges; `label` is the file's name.

    Raises
    ------
    ScenarioError
        If the file is no MegaMek board, or exceeds the limits of scenario files.
    """
    remarks = Remarks()
    with naming(label):
        board = _read(decoded(data, most=FOREIGN_BYTES), remarks)
    pieces = [*_levels(board), *_pieces(board, remarks)]
    for name in board.looks:
        remarks.add(say("decoration, left out"), name, LOOKS)
    title = printable(PurePath(label).stem)[:TITLE]
    system = find(SYSTEM_NAME)
    tables = {
        "system": SYSTEM_NAME,
        "edition": system.editions[0],
        "title": title,
        "board": {"columns": board.columns, "rows": board.rows},
        "terrain": pieces,
    }
    read = (
        f"The board {title} of MegaMek, {board.columns} by {board.rows} hexes. It has no units and no charges yet.",
    )
    return Imported(
        system, {key: value for key, value in tables.items() if value}, read, remarks.lines()
    )


def _read(text: str, remarks: Remarks) -> _Board:
    board = _Board()
    for line_number, line in enumerate(text.splitlines(), 1):
        words = [
            word.group(1) if word.group(1) is not None else word.group(3)
            for word in _WORDS.finditer(line)
            if word.group(2) is None
        ]
        if not words:
            continue
        first = words[0].lower()
        rest = words[1:]
        if first == "end":
            board.is_ended = True
            break
        if first == "size" and not board.columns:
            board.columns, board.rows = _size(rest, line_number)
        elif first == "hex" and board.columns:
            _read_hex(board, rest, line_number, remarks)
        elif not board.columns:
            break
        elif first in _IGNORED:
            remarks.add(say("{name}: left out", name=first), say("line {line}", line=line_number))
        else:
            remarks.add(say("lines that are not understood"), say("line {line}", line=line_number))
    if not board.levels:
        message = 'expected a board of MegaMek: a line such as size 16 17, then lines such as hex 0101 0 "woods:1" ""'
        raise ScenarioError(Fault.of("", message))
    _missing(board, remarks)
    return board


def _size(words: Sequence[str], line_number: int) -> tuple[int, int]:
    if not re.fullmatch(r"\d{1,6} \d{1,6}", " ".join(words), re.ASCII) or not all(map(int, words)):
        message = say(
            "expected a size from 1 1 to {most} {most}, given {given}",
            most=MAX_BOARD_HEXES,
            given=shown(" ".join(words)),
        )
        raise ScenarioError(Fault("", message, line_number))
    columns, rows = map(int, words)
    if max(columns, rows) > MAX_BOARD_HEXES:
        message = (
            "a board of {columns} by {rows} hexes: expected at most {most} by {most}, since hex numbers have "
            "two digits for each"
        )
        raise ScenarioError(
            Fault("", say(message, columns=columns, rows=rows, most=MAX_BOARD_HEXES), line_number)
        )
    return columns, rows


def _read_hex(board: _Board, words: Sequence[str], line_number: int, remarks: Remarks) -> None:
    """Add a hex to the board from the words after `hex`: number, level, terrain, theme; unreadable lines become
    remarks.
    """
    told, level, terrain, theme = (*words, "", "", "", "")[:4]
    if not re.fullmatch(r"[0-9]{4}", told) or not _NUMBER.fullmatch(level):
        remarks.add(say("lines that are not understood"), say("line {line}", line=line_number))
        return
    place = int(told[:2]), int(told[2:])
    if not (1 <= place[0] <= board.columns and 1 <= place[1] <= board.rows):
        remarks.add(say("hexes off the board are left out"), told)
        return
    if place in board.levels:
        remarks.add(say("hexes listed twice: the last line counts"), told)
    board.levels[place] = int(level)
    board.terrain[place] = {}
    for part in filter(None, (part.strip() for part in terrain.split(";"))):
        _read_terrain(board.terrain[place], part, told, remarks)
    if theme:
        board.looks[say("theme {theme}", theme=shown(theme))] = None


def _read_terrain(
    terrain: dict[str, tuple[int, int | None]], part: str, where: str, remarks: Remarks
) -> None:
    match = _TERRAIN.fullmatch(part)
    if match is None:
        remarks.add(say("terrain {part}: left out", part=shown(part)), where, HINDRANCE)
        return
    name, level, exits = match.groups()
    if name.lower() in terrain:
        remarks.add(say("{name} twice in a hex: the last one counts", name=name), where, HINDRANCE)
    terrain[name.lower()] = int(level), None if exits is None else int(exits)


def _missing(board: _Board, remarks: Remarks) -> None:
    everywhere = (
        (column, row) for row in range(1, board.rows + 1) for column in range(1, board.columns + 1)
    )
    for place in everywhere:
        if place not in board.levels:
            remarks.add(
                say("missing from the file, taken as clear at level 0"), number(place), HINDRANCE
            )
    if not board.is_ended:
        remarks.add(say("the file has no last line end: is it cut short?"))


def _levels(board: _Board) -> Iterator[dict[str, Any]]:
    """Yield a piece of terrain for each level but 0; levels out of range are clamped."""
    hexes: dict[int, list[Hex]] = defaultdict(list)
    for place, level in board.levels.items():
        hexes[min(max(level, LEVELS[0]), LEVELS[-1])].append(place)
    hexes.pop(0, None)
    yield from (
        {"kind": "level", "level": level, "hexes": _numbers(hexes[level])}
        for level in sorted(hexes)
    )


Terrain = Mapping[str, tuple[int, int | None]]

Reading = tuple[str, str, int | None]
"""MegaMek's name, the kind it becomes, and its depth or construction factor."""


def _pieces(board: _Board, remarks: Remarks) -> list[dict[str, Any]]:
    """Return the entries of all terrain that covers hexes: one per kind and depth, and one per building."""
    hexes: dict[tuple[str, int | None], set[Hex]] = defaultdict(set)
    structures: dict[Hex, tuple[str, int]] = {}
    for place, level in board.levels.items():
        readings = [*_readings(place, board, remarks)]
        if level not in LEVELS:
            message = "level {level} (supported: {least} to {most})"
            beyond = say(message, level=level, least=LEVELS[0], most=LEVELS[-1])
            readings.append(_taken(beyond, "prohibited", place, remarks))
        covers = [reading for reading in readings if reading[1] not in BESIDE]
        for name, kind, value in (
            *covers[:1],
            *(reading for reading in readings if reading[1] in BESIDE),
        ):
            if kind == "building":
                structures[place] = name, value or 0
            else:
                hexes[kind, value].add(place)
            if name == "road":
                remarks.add(ROAD, number(place), GROUND)
        for name, kind, _ in covers[1:]:
            if kind != covers[0][1]:
                message = "{name} in a hex with {other}, which can hold only one: left out"
                remarks.add(say(message, name=name, other=covers[0][0]), number(place), GROUND)
    plain = [
        {"kind": kind, **({} if depth is None else {"depth": depth}), "hexes": _numbers(places)}
        for (kind, depth), places in sorted(
            hexes.items(), key=lambda one: (one[0][0], one[0][1] or 0)
        )
    ]
    return [*plain, *_buildings(structures, board, len(plain), remarks)]


def _readings(place: Hex, board: _Board, remarks: Remarks) -> Iterator[Reading]:
    """Yield the conversion of each terrain in a hex, as (name, kind, depth or factor), the cover that is kept first."""
    terrain = board.terrain[place]
    first = [name for name in (*STRUCTURES, "water", *READ_AS) if name in terrain]
    for name in dict.fromkeys((*first, *terrain)):
        level = terrain[name][0]
        told = f"{name}:{level}"
        if name in STRUCTURES:
            yield _structure(name, place, terrain, remarks)
        elif name == "water" and level in DEPTHS:
            yield name, name, level
        elif name == "water" and level > DEPTHS[-1]:
            yield *_taken(told, name, place, remarks)[:2], DEPTHS[-1]
        elif name == "rapids" and terrain.get("water", (-1,))[0] >= 0:
            _taken(told, "water", place, remarks)
        elif name in READ_AS and (
            kind := READ_AS[name][min(max(level, 1), len(READ_AS[name])) - 1]
        ):
            is_exact = name in ALWAYS or 1 <= level <= EXACT.get(name, 0)
            yield (name, kind, None) if is_exact else _taken(told, kind, place, remarks)
        else:
            _leave_out(name, place, board, remarks)


def _taken(name: str, kind: str, place: Hex, remarks: Remarks) -> Reading:
    """Remark that terrain is taken as another kind, and return that conversion."""
    remarks.add(say("{name}, taken as {kind}", name=name, kind=kind), number(place), HINDRANCE)
    return name, kind, None


def _structure(name: str, place: Hex, terrain: Terrain, remarks: Remarks) -> Reading:
    """Return the conversion of a building with its construction factor; an unsupported one becomes prohibited terrain,
    with a remark.
    """
    rank = terrain[name][0]
    key = STRUCTURES[name]
    if rank not in BUILDING_CF:
        return _taken(
            say("wall") if rank == WALL else f"{name}:{rank}", "prohibited", place, remarks
        )
    factor = terrain[key][0] if key in terrain else BUILDING_CF[rank]
    if factor not in FACTORS:
        message = "building of CF {factor} (supported: {least} to {most})"
        return _taken(
            say(message, factor=factor, least=FACTORS[0], most=FACTORS[-1]),
            "prohibited",
            place,
            remarks,
        )
    if key not in terrain:
        message = "{name} without {key}, taken as MegaMek's default {factor}"
        remarks.add(
            say(message, name=f"{name}:{rank}", key=key, factor=factor), number(place), HINDRANCE
        )
    if name != "building":
        _taken(name, "building", place, remarks)
    return name, "building", factor


def _leave_out(name: str, place: Hex, board: _Board, remarks: Remarks) -> None:
    """Remark on terrain that is left out, except ordinary details."""
    terrain = board.terrain[place]
    level = terrain[name][0]
    if name == "bridge":
        remarks.add(
            say("bridge, left out: the hex is read as what lies under it"), number(place), HINDRANCE
        )
    elif name in ("bldg_elev", "fuel_tank_elev") and any(
        structure in terrain for structure in STRUCTURES
    ):
        remarks.add(say("heights of buildings ({name}): left out", name=name), number(place))
    elif any(name == key and structure in terrain for structure, key in STRUCTURES.items()):
        pass
    elif DEFAULT_DETAILS.get(name) != level and not (
        name in ("bridge_cf", "bridge_elev") and "bridge" in terrain
    ):
        if _LOOKS.fullmatch(name):
            board.looks[name] = None
        else:
            remarks.add(say("{name}: left out", name=f"{name}:{level}"), number(place), GROUND)


def _buildings(
    structures: Mapping[Hex, tuple[str, int]], board: _Board, others: int, remarks: Remarks
) -> list[dict[str, Any]]:
    """Return an entry for each building: connected hexes with the same name and construction factor."""
    groups = _joined(structures, board)
    if others + sum(len(group) > 1 for group in groups) > TERRAIN_PIECES - len(LEVELS):
        remarks.add(say("buildings are read hex by hex: there are more than a scenario can hold"))
        groups = [[place] for place in structures]
    return [
        {"kind": "building", "cf": structures[group[0]][1], "hexes": _numbers(group)}
        for group in groups
    ]


def _joined(structures: Mapping[Hex, tuple[str, int]], board: _Board) -> list[list[Hex]]:
    """Return the connected groups of hexes of buildings with the same name and construction factor."""
    groups: list[list[Hex]] = []
    left = dict(structures)
    while left:
        start, structure = next(iter(left.items()))
        group = []
        open_ = [start]
        del left[start]
        while open_:
            place = open_.pop()
            group.append(place)
            for side in range(len(HEX_FACINGS)):
                other = neighbour(place, side)
                if left.get(other) == structure and _is_joined(
                    board.terrain[place][structure[0]], board.terrain[other][structure[0]], side
                ):
                    del left[other]
                    open_.append(other)
        groups.append(group)
    return groups


def _is_joined(here: tuple[int, int | None], there: tuple[int, int | None], side: int) -> bool:
    """Return whether a building continues into a neighbouring hex, by the exits of either hex, or else by its class."""
    rank, exits = here
    other_rank, other_exits = there
    back = (side + len(HEX_FACINGS) // 2) % len(HEX_FACINGS)
    says = rank == other_rank if exits is None else bool(exits >> side & 1)
    return says or (rank == other_rank if other_exits is None else bool(other_exits >> back & 1))


def _numbers(places: Iterable[Hex]) -> list[str]:
    return sorted(number(place) for place in places)
