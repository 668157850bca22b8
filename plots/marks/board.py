"""Marks of the table at one moment: board, terrain, hexes and units.

Lengths are in table inches. On a hex board, sizes of things in a hex are multiples of its width across flats.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import shapely

from plots.marks.mark import (
    HEIGHT_SIGN,
    DrawnMark,
    Label,
    Lines,
    Points,
    Printed,
    Rings,
    identifier,
    part_of,
    points,
    shifted,
)
from plots.marks.section import Rect
from plots.marks.styles import HIGHEST, LOWEST, RISING, SHADED, hex_kind
from plots.marks.theme import tones
from plots.marks.units import UnitStyle, unit_marks
from tabletop.geometry.pose import Point
from tabletop.language.language import current_language
from tabletop.table.hexes import HexBoard, number
from tabletop.table.state import Board, Hex, HexTerrain, State, Terrain

TERRAIN_SHADOW = 0.12
"""Offset of terrain shadows to the right and down, in table inches."""

CONTOUR_POSITIONS = (0.3, 0.6)
"""Positions of contour lines, as shares of the way from a region's edge to its middle."""

HEX_SHADOW = 0.045
"""Offset of hex shadows to the right and down, in multiples of a hex's width."""

LEVEL = "level"
"""Kind of terrain that only changes the level of its hexes; also its key in the catalogue."""

CELLS_ACROSS, BARE_CELLS, PATCH_CORNERS = 14, 0.45, 9
"""Cells of the ground's lattice across a section, share of cells without a patch, and corners of a patch."""

NUMBER_AT, TAG_AT, ROOM, TAG_ROOM = 0.385, -0.41, 0.74, 0.8
"""Offset of a hex's number and of its tag from the hex's centre, and the width available to each, in multiples of a
hex's width."""


def scene_marks(state: State[Any], section: Rect) -> tuple[DrawnMark, ...]:
    """Return the marks of a table without a ruling: board, terrain and units; of a hex board only hexes in
    `section`.
    """
    return (*ground_marks(state, section), *body_marks(state))


def body_marks(
    state: State[Any],
    names: Iterable[str] | None = None,
    *,
    contact: Mapping[str, Sequence[int]] | None = None,
    numbered: Collection[str] = (),
    counts: Mapping[str, Mapping[int, int]] | None = None,
) -> tuple[DrawnMark, ...]:
    """Return the marks of the units in `names`, or of all units if it is None.

    `contact` maps a unit's name to the numbers of its models in contact. Models of the units in `numbered` show their
    numbers, those in contact the numbers that `counts` gives them, by unit.
    """
    tone = tone_of(state)
    touching = contact or {}
    others = tuple(state.units.values())
    marks = list[DrawnMark]()
    for name in state.units if names is None else names:
        own = frozenset(touching.get(name, ()))
        look = UnitStyle(
            tone[name],
            state.board,
            own,
            is_numbered=name in numbered,
            counts=(counts or {}).get(name, {}),
        )
        marks += unit_marks(state.units[name], look, others=others)
    return tuple(marks)


def looks_of(state: State[Any]) -> dict[str, UnitStyle]:
    """Return the default style of each unit by name, in the colour of its side."""
    return {name: UnitStyle(tone, state.board) for name, tone in tone_of(state).items()}


def tone_of(state: State[Any]) -> dict[str, int]:
    """Return the palette index of each unit by name; units of one side share it."""
    sides = tones(tuple(dict.fromkeys(unit.side for unit in state.units.values())))
    return {name: sides[unit.side] for name, unit in state.units.items()}


def ground_marks(
    state: State[Any], section: Rect, *, named: Collection[str] = ()
) -> tuple[DrawnMark, ...]:
    """Return the marks of board and terrain; of a hex board only hexes in `section`, with labels on terrain in `named`
    only.
    """
    if isinstance(state.board, HexBoard):
        return hex_ground_marks(state.board, state.hex_terrain, section, named=named)
    pieces = (mark for terrain in state.terrain for mark in terrain_marks(terrain))
    board = state.board
    ring = ((0.0, 0.0), (board.width, 0.0), (board.width, board.depth), (0.0, board.depth))
    surface = current_language().looks.surface
    patches = Rings("surface.patches", f"patches.{surface}", _patches(section, board))
    return (
        Rings("surface", f"surface.{surface}", (ring,)),
        patches,
        Rings("board", "board", (ring,)),
        *pieces,
    )


def _patches(section: Rect, board: Board) -> tuple[Points, ...]:
    """Return irregular patches of ground on the board in a section, on a lattice of cells that are a power of two
    inches wide.
    """
    cell = 2.0 ** round(math.log2(max(section.width, section.height) / CELLS_ACROSS))
    found = []
    for column in range(math.floor(section.west / cell), math.ceil(section.east / cell)):
        for row in range(math.floor(section.south / cell), math.ceil(section.north / cell)):
            place = np.random.default_rng([column + 1, row + 1]) if min(column, row) >= 0 else None
            if place is None or place.random() < BARE_CELLS:
                continue
            middle = place.random(2)
            wide, high = place.uniform(0.15, 0.5, 2)
            turn = place.uniform(0.0, math.pi)
            angles = np.linspace(0.0, math.tau, PATCH_CORNERS, endpoint=False)
            radii = place.uniform(0.75, 1.15, PATCH_CORNERS)
            x = wide * radii * np.cos(angles)
            y = high * radii * np.sin(angles)
            turned = np.column_stack(
                [x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)]
            )
            ring = cell * (turned + middle + [column, row])
            if (ring > 0.0).all() and (ring < [board.width, board.depth]).all():
                found.append(points(ring))
    return tuple(found)


def terrain_marks(terrain: Terrain) -> tuple[DrawnMark, ...]:
    """Return the marks of a piece of terrain: outline, shadow or contour lines by its kind, and a label with name and
    height.
    """
    language = current_language()
    look = language.ground(terrain.kind)
    ring = points(terrain.shape.outline())
    west, south, east, north = terrain.shape.bounds
    middle = ((west + east) / 2, (south + north) / 2)
    spots: Points = (middle, *ring[:: max(1, len(ring) // 12)])
    text = (
        f"{terrain.name} {HEIGHT_SIGN}{language.number(terrain.height, 'g')}"
        if terrain.height
        else terrain.name
    )
    marks = (
        *([Rings("shadow", "shadow", (shifted(ring, TERRAIN_SHADOW),))] if look in SHADED else []),
        Rings("", f"terrain.{look}.{terrain.kind}", (ring,)),
        *(
            [Rings("contours", "contour", contours)]
            if look in RISING and (contours := _contours(ring))
            else []
        ),
        Label("label", "text", text, spots=spots, rank=6, home=ring),
    )
    return part_of(identifier("terrain", terrain.name), marks)


def _contours(ring: Points) -> tuple[Points, ...]:
    """Return the contour lines of terrain that rises towards its middle, as closed rings inside its outline `ring`."""
    region = shapely.Polygon(ring)
    deepest = shapely.maximum_inscribed_circle(region).length
    inner = (shapely.buffer(region, -share * deepest) for share in CONTOUR_POSITIONS)
    return tuple(
        points(shapely.get_coordinates(part.exterior))
        for piece in inner
        for part in shapely.get_parts(piece)
        if not part.is_empty
    )


# Hexes: ground, levels, numbers and what fills them.


def hex_ground_marks(
    board: HexBoard, terrain: Sequence[HexTerrain], section: Rect, *, named: Collection[str] = ()
) -> tuple[DrawnMark, ...]:
    """Return the marks of the hexes in a section: levels, terrain, numbers and tags; only terrain in `named` is
    labelled.
    """
    shown = [place for place in _hexes(board) if _is_shown(place, board, section)]
    levels = levels_of(terrain)
    flat = [place for place in shown if not levels.get(place)]
    marks: list[DrawnMark] = [Rings("board", "level.0", _outlines(flat, board))] if flat else []
    for level in sorted({levels[place] for place in shown if levels.get(place)}):
        rings = _outlines((place for place in shown if levels.get(place) == level), board)
        marks.append(Rings(f"level.{level}", f"level.{min(max(level, LOWEST), HIGHEST)}", rings))
    seen = set(shown)
    for kind in dict.fromkeys(piece.kind for piece in terrain if piece.kind != LEVEL):
        hexes = [
            place
            for piece in terrain
            if piece.kind == kind
            for place in piece.hexes
            if place in seen
        ]
        marks += _filled(kind, hexes, board) if hexes else []
    names = (mark for piece in terrain if piece.name in named for mark in _name(piece, board))
    return (*marks, *_numbers(shown, board), *_tagged(shown, terrain, board), *names)


def _hexes(board: HexBoard) -> Iterable[Hex]:
    return (
        (column, row) for column in range(1, board.columns + 1) for row in range(1, board.rows + 1)
    )


def _is_shown(place: Hex, board: HexBoard, section: Rect) -> bool:
    x, y = board.centre(place)
    half = board.hex_inches * 0.57
    return (
        section.west - half < x < section.east + half
        and section.south - half < y < section.north + half
    )


def _outlines(places: Iterable[Hex], board: HexBoard) -> tuple[Points, ...]:
    return tuple(points(board.outline(place)) for place in places)


def levels_of(terrain: Sequence[HexTerrain]) -> Mapping[Hex, int]:
    """Return the ground level of each hex; hexes at level 0 are left out."""
    levels: dict[Hex, int] = {}
    for piece in terrain:
        level = getattr(piece.data, LEVEL, None)
        levels |= dict.fromkeys(piece.hexes, level) if level else {}
    return levels


def _filled(kind: str, places: Sequence[Hex], board: HexBoard) -> tuple[DrawnMark, ...]:
    """Return the marks of all hexes of one kind of terrain: their fill and the symbols in them."""
    drawn_as = current_language().ground(kind)
    look = hex_kind(drawn_as)
    marks: list[DrawnMark] = [Rings("", f"hexes.{drawn_as}.{kind}", _outlines(places, board))]
    symbols = tuple(
        _symbol(look.shape, board.centre(place), at, board.hex_inches)
        for place in places
        for at in look.places
    )
    if symbols:
        form = Lines if look.is_open else Rings
        if look.shaded:
            shadows = tuple(shifted(ring, HEX_SHADOW * board.hex_inches) for ring in symbols)
            marks.append(Rings("shadows", "shadow", shadows))
        marks.append(form("symbols", f"symbol.{drawn_as}", symbols))
        lines = tuple(
            _symbol(line, board.centre(place), at, board.hex_inches)
            for place in places
            for at in look.places
            for line in look.lines
        )
        marks += [Lines("details", f"detail.{drawn_as}", lines)] if lines else []
    return part_of(identifier("terrain", kind), marks)


def _symbol(shape: Points, centre: Point, at: Point, flats: float) -> Points:
    return tuple(
        (centre[0] + flats * (at[0] + x), centre[1] + flats * (at[1] + y)) for x, y in shape
    )


def _numbers(shown: Sequence[Hex], board: HexBoard) -> tuple[DrawnMark, ...]:
    """Return the marks of hex numbers: one in each hex, and the column and row numbers used where hexes are too
    small.
    """
    numbers = tuple(
        (_above(place, board, NUMBER_AT), number(place), ROOM * board.hex_inches) for place in shown
    )
    return (
        Printed("hexes", "hex_number", numbers),
        Printed("hexes.lines", "hex_number", _lines(shown, board)),
    )


def _tagged(
    shown: Sequence[Hex], terrain: Sequence[HexTerrain], board: HexBoard
) -> tuple[DrawnMark, ...]:
    """Return the mark of the texts in hexes that give level, depth or factor of their terrain."""
    tags: dict[Hex, list[str]] = defaultdict(list)
    for piece in terrain:
        for place in piece.hexes:
            tags[place] += [tag for tag in _tags(piece) if tag not in tags[place]]
    room = TAG_ROOM * board.hex_inches
    words = tuple(
        (_above(place, board, TAG_AT), " ".join(tags[place]), room)
        for place in shown
        if tags[place]
    )
    return (Printed("hexes.tags", "hex_tag", words),)


def _lines(shown: Sequence[Hex], board: HexBoard) -> tuple[tuple[Point, str, float], ...]:
    """Return (point, text, room in inches) for column and row numbers along the edges, for hexes too small to print
    their own.
    """
    top: dict[int, int] = {}
    for column, row in shown:
        top[column] = min(row, top.get(column, row))
    columns = [
        (_above((column, row), board, NUMBER_AT), f"{column:02d}", ROOM)
        for column, row in top.items()
    ]
    left = min((column for column, _ in shown), default=0)
    rows = [
        (_above((left, row), board, NUMBER_AT), f"{row:02d}", ROOM)
        for column, row in shown
        if column == left and row > top[left]
    ]
    return tuple((at, word, room * board.hex_inches) for at, word, room in (*columns, *rows))


def _tags(piece: HexTerrain) -> list[str]:
    """Return the texts that a piece of terrain prints in its hexes: a level other than 0, and what the system prints
    for its kind.
    """
    language = current_language()
    values = {
        key: getattr(piece.data, key, None)
        for key in (LEVEL, *language.looks.tags.get(piece.kind, ()))
    }
    told = {
        key: value for key, value in values.items() if value is not None and (value or key != LEVEL)
    }
    return [language.tag(key, value).replace("-", "\N{MINUS SIGN}") for key, value in told.items()]


def _above(place: Hex, board: HexBoard, share: float) -> Point:
    x, y = board.centre(place)
    return (x, y + share * board.hex_inches)


def _name(piece: HexTerrain, board: HexBoard) -> tuple[DrawnMark, ...]:
    spots = tuple(board.centre(place) for place in piece.hexes)
    return part_of(
        identifier("terrain", piece.name), [Label("label", "text", piece.name, spots, rank=6)]
    )
