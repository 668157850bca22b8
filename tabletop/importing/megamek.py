"""Boards of MegaMek: hexes with levels, woods, water, roads and buildings.

A board is lines of words: `size COLUMNS ROWS`, then for every hex `hex NUMBER LEVEL "TERRAIN;TERRAIN" "THEME"`, and `end`; `#` begins a
comment. A terrain is `name:level` or `name:level:exits`, where exits are a bit for each side of the hex, clockwise from north.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from tabletop.errors import Fault, ScenarioError
from tabletop.importing.imported import FOREIGN_BYTES, Imported, Remarks
from tabletop.messages import say
from tabletop.registry import find
from tabletop.scenario.limits import TERRAIN_PIECES, TITLE
from tabletop.scenario.parsing import decoded
from tabletop.table.hexes import FACINGS, neighbour, number
from tabletop.table.state import Hex
from tabletop.words import printable, shown

SYSTEM = "battletech"

MOST_LINES = 99
"""Columns and rows of a board: hexes have two digits for each."""

LEVELS, DEPTHS, FACTORS = range(-20, 21), range(21), range(1, 151)
"""What a scenario can hold of levels, depths of water, and construction factors of buildings."""

COVERS: dict[str, dict[int, str]] = {
    "woods": {1: "light_woods", 2: "heavy_woods"},
    "rubble": dict.fromkeys(range(1, 6), "rubble"),
    "rough": {1: "rough"},
    "pavement": {1: "pavement"},
    "road": {1: "pavement"},
}
"""Terrain of MegaMek by name and level, and what covers the hex; of those in one hex the first named here stays."""

OTHERS: dict[str, dict[int, str]] = {"smoke": {1: "light_smoke", 2: "heavy_smoke"}, "impassable": {1: "prohibited"}}

FIRST = ("building", "water", *COVERS)

BUILDING_CF = {1: 15, 2: 40, 3: 90, 4: 120}
"""Construction factor of a building that gives none, by its class, as MegaMek has it."""

PLAIN = {"bldg_basement_type": 1, "bldg_class": 0, "bldg_armor": 0, "foliage_elev": 2}
"""Details of buildings and woods, with the value that says that there is nothing special."""

ROAD = say("roads are read as pavement of the whole hex")

_WORDS = re.compile(r'"([^"]*)"|(#.*)|([^\s"#]+)')

_NUMBER = re.compile(r"[-+]?\d{1,6}", re.ASCII)

_TERRAIN = re.compile(r"([A-Za-z_]{1,40}):([-+]?\d{1,6})(?::(\d{1,6}))?", re.ASCII)

_IGNORED = ("option", "description", "tag", "note", "background")


@dataclass
class _Board:
    """A board under way: its size, and of each hex the level and the terrain by name, with level and exits."""

    columns: int = 0
    rows: int = 0
    levels: dict[Hex, int] = field(default_factory=dict)
    terrain: dict[Hex, dict[str, tuple[int, int | None]]] = field(default_factory=dict)
    is_ended: bool = False


def import_board(data: bytes, label: str) -> Imported:
    """Return the scenario that the bytes of a board come to; `label` is what its file is called.

    Raises
    ------
    ScenarioError
        If it is no board of MegaMek, or one beyond the limits of scenario files.
    """
    remarks = Remarks()
    try:
        board = _read(decoded(data, most=FOREIGN_BYTES), remarks)
    except ScenarioError as error:
        raise error.in_file(label) from None
    pieces = [*_levels(board, remarks), *_pieces(board, remarks)]
    title = printable(PurePath(label).stem)[:TITLE]
    system = find(SYSTEM)
    tables = {
        "system": SYSTEM,
        "edition": system.editions[0],
        "title": title,
        "board": {"columns": board.columns, "rows": board.rows},
        "terrain": pieces,
    }
    read = (f"The board {title} of MegaMek, {board.columns} by {board.rows} hexes. It has no units and no charges yet.",)
    return Imported(system, {key: value for key, value in tables.items() if value}, read, remarks.lines())


def _read(text: str, remarks: Remarks) -> _Board:
    board = _Board()
    for line_number, line in enumerate(text.splitlines(), 1):
        words = [word.group(1) if word.group(1) is not None else word.group(3) for word in _WORDS.finditer(line) if word.group(2) is None]
        if not words:
            continue
        first, rest = words[0].lower(), words[1:]
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
    if not re.fullmatch(r"\d{1,2} \d{1,2}", " ".join(words), re.ASCII) or "0" in words or "00" in words:
        message = say("expected a size from 1 1 to {most} {most}, given {given}", most=MOST_LINES, given=shown(" ".join(words)))
        raise ScenarioError(Fault("", message, line_number))
    columns, rows = words
    return int(columns), int(rows)


def _read_hex(board: _Board, words: Sequence[str], line_number: int, remarks: Remarks) -> None:
    """Read the words after `hex`; hexes are called by their numbers, and a line that cannot be read leaves none."""
    told, level, terrain, theme = (*words, "", "", "", "")[:4]
    if not re.fullmatch(r"[0-9]{4}", told) or not _NUMBER.fullmatch(level):
        remarks.add(say("lines that are not understood"), say("line {line}", line=line_number))
        return
    place = int(told[:2]), int(told[2:])
    if not (1 <= place[0] <= board.columns and 1 <= place[1] <= board.rows):
        remarks.add(say("hexes off the board are left out"), told)
        return
    if place in board.levels:
        remarks.add(say("hexes told twice are as they are told last"), told)
    board.levels[place] = int(level)
    board.terrain[place] = {}
    for part in filter(None, (part.strip() for part in terrain.split(";"))):
        _read_terrain(board.terrain[place], part, told, remarks)
    if theme:
        remarks.add(say("theme {theme}: left out", theme=shown(theme)), told)


def _read_terrain(terrain: dict[str, tuple[int, int | None]], part: str, where: str, remarks: Remarks) -> None:
    match = _TERRAIN.fullmatch(part)
    if match is None:
        remarks.add(say("terrain {part}: left out", part=shown(part)), where)
        return
    name, level, exits = match.groups()
    if name.lower() in terrain:
        remarks.add(say("{name} twice in a hex: as it is told last", name=name), where)
    terrain[name.lower()] = int(level), None if exits is None else int(exits)


def _missing(board: _Board, remarks: Remarks) -> None:
    everywhere = ((column, row) for row in range(1, board.rows + 1) for column in range(1, board.columns + 1))
    for place in everywhere:
        if place not in board.levels:
            remarks.add(say("hexes that the file does not tell are clear, at level 0"), number(place))
    if not board.is_ended:
        remarks.add(say("the file has no line that says end: is it cut short?"))


def _levels(board: _Board, remarks: Remarks) -> Iterator[dict[str, Any]]:
    """Give a piece of terrain for each level but 0."""
    hexes: dict[int, list[Hex]] = defaultdict(list)
    for place, level in board.levels.items():
        if level in LEVELS:
            hexes[level].append(place)
        else:
            message = "level {level}: only {least} to {most} can be told, so it lies at 0"
            remarks.add(say(message, level=level, least=LEVELS[0], most=LEVELS[-1]), number(place))
    hexes.pop(0, None)
    yield from ({"kind": "level", "level": level, "hexes": _numbers(hexes[level])} for level in sorted(hexes))


def _pieces(board: _Board, remarks: Remarks) -> list[dict[str, Any]]:
    """Give the pieces of terrain that cover hexes: one for each kind and depth, and one for each building."""
    hexes: dict[tuple[str, int | None], list[Hex]] = defaultdict(list)
    factors: dict[Hex, int] = {}
    for place, terrain in board.terrain.items():
        covers = _covers(place, terrain, remarks)
        for name, kind, value in covers[:1]:
            if kind == "building":
                factors[place] = value or 0
            else:
                hexes[kind, value].append(place)
            if name == "road":
                remarks.add(ROAD, number(place))
        for name, kind, _ in covers[1:]:
            if kind != covers[0][1]:
                message = "{name} where there is {other}, of which a hex holds one: left out"
                remarks.add(say(message, name=name, other=covers[0][0]), number(place))
        for kind in _others(place, terrain, remarks):
            hexes[kind, None].append(place)
    plain = [
        {"kind": kind, **({} if depth is None else {"depth": depth}), "hexes": _numbers(places)}
        for (kind, depth), places in sorted(hexes.items(), key=lambda one: (one[0][0], one[0][1] or 0))
    ]
    return [*plain, *_buildings(factors, board, len(plain), remarks)]


Terrain = Mapping[str, tuple[int, int | None]]


def _covers(place: Hex, terrain: Terrain, remarks: Remarks) -> list[tuple[str, str, int | None]]:
    """Give what could cover a hex, the first to stay: MegaMek's name, the kind, and depth or construction factor."""
    found: list[tuple[str, str, int | None]] = []
    for name in (name for name in FIRST if name in terrain):
        level = terrain[name][0]
        if name == "water" and level in DEPTHS:
            found.append((name, name, level))
        elif name == "building" and (factor := _factor(place, terrain, remarks)) is not None:
            found.append((name, name, factor))
        elif level in COVERS.get(name, {}):
            found.append((name, COVERS[name][level], None))
        elif name != "building":
            remarks.add(say("{name}: left out", name=f"{name}:{level}"), number(place))
    return found


def _factor(place: Hex, terrain: Terrain, remarks: Remarks) -> int | None:
    """Give the construction factor of a building, or None and a remark if it is none that can be told."""
    rank = terrain["building"][0]
    if rank not in BUILDING_CF:
        remarks.add(say("{name}: left out", name=f"building:{rank}"), number(place))
        return None
    if "bldg_cf" not in terrain:
        remarks.add(say("building:{rank} without bldg_cf has MegaMek's {factor}", rank=rank, factor=BUILDING_CF[rank]), number(place))
        return BUILDING_CF[rank]
    factor = terrain["bldg_cf"][0]
    if factor not in FACTORS:
        message = "building of CF {factor}, of which only {least} to {most} can be told: left out"
        remarks.add(say(message, factor=factor, least=FACTORS[0], most=FACTORS[-1]), number(place))
        return None
    return factor


def _others(place: Hex, terrain: Terrain, remarks: Remarks) -> Iterator[str]:
    """Give what lies in a hex beside its cover, and remark on the rest."""
    for name, (level, _) in terrain.items():
        if level in OTHERS.get(name, {}):
            yield OTHERS[name][level]
        elif name == "bldg_elev" and "building" in terrain:
            remarks.add(say("heights of buildings (bldg_elev): left out"), number(place))
        elif name not in FIRST and not (name == "bldg_cf" and "building" in terrain) and PLAIN.get(name) != level:
            remarks.add(say("{name}: left out", name=f"{name}:{level}"), number(place))


def _buildings(factors: Mapping[Hex, int], board: _Board, others: int, remarks: Remarks) -> list[dict[str, Any]]:
    """Give a piece for each building: hexes that are joined, of one construction factor."""
    groups = _joined(factors, board)
    if others + sum(len(group) > 1 for group in groups) > TERRAIN_PIECES - len(LEVELS):
        remarks.add(say("buildings of several hexes are read hex by hex: there are more than a scenario holds"))
        groups = [[place] for place in factors]
    return [{"kind": "building", "cf": factors[group[0]], "hexes": _numbers(group)} for group in groups]


def _joined(factors: Mapping[Hex, int], board: _Board) -> list[list[Hex]]:
    """Part the hexes of buildings into groups of one construction factor, each joined by exits."""
    groups: list[list[Hex]] = []
    left = dict(factors)
    while left:
        start, factor = next(iter(left.items()))
        group, open_ = [], [start]
        del left[start]
        while open_:
            place = open_.pop()
            group.append(place)
            for side in range(len(FACINGS)):
                other = neighbour(place, side)
                if left.get(other) == factor and _is_joined(board, place, other, side):
                    del left[other]
                    open_.append(other)
        groups.append(group)
    return groups


def _is_joined(board: _Board, place: Hex, other: Hex, side: int) -> bool:
    """Tell whether the building of a hex goes on into its neighbour: either says so by its exits; where they are left out, by its class."""
    (rank, exits), (other_rank, other_exits) = board.terrain[place]["building"], board.terrain[other]["building"]
    back = (side + len(FACINGS) // 2) % len(FACINGS)
    says = rank == other_rank if exits is None else bool(exits >> side & 1)
    return says or (rank == other_rank if other_exits is None else bool(other_exits >> back & 1))


def _numbers(places: Sequence[Hex]) -> list[str]:
    return sorted(number(place) for place in places)
