"""The ground of a hex board as marks: hexes with their numbers, levels and what fills them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import shapely

from plots.marks.evidence import note_marks
from plots.marks.hexes import hex_unit_bodies
from plots.marks.kinds import HIGHEST, LOWEST, hex_kind
from plots.marks.language import ENGLISH, Language
from plots.marks.mark import GridMark, Label, LinesMark, Mark, Points, Printed, WaysMark, identifier, points, shifted
from plots.marks.section import Section
from tabletop.geometry.pose import Point
from tabletop.ruling.evidence import Note
from tabletop.table.hexes import HexBoard, hex_board, number
from tabletop.table.state import Board, Hex, HexTerrain, State

SHADOW = 0.045
"""Flats of a hex that a shadow falls to the right and down."""
LEVEL = "level"
"""The kind, and the key, of terrain that is nothing but high or low."""
NUMBER_AT, TAG_AT, ROOM, TAG_ROOM = 0.385, -0.41, 0.74, 0.8
"""Flats of a hex: how far above its middle its number stands, and a tag below it, and how wide they may be."""

COST = "cost"
"""The role of the number that a hex's note begins with."""
COST_SPOTS = ((0.4, 0.0), (-0.4, 0.0), (0.36, -0.24), (-0.36, -0.24), (0.36, 0.2), (-0.36, 0.2))
COST_HALF, COST_ROOM, ON_MODEL, BEYOND = 0.1, 0.47, 10.0, 20.0
"""Where the number of a note stands in its hex, in flats from its middle: beside a model, best at its right; half the room that it takes,
how long its diagonal may be, and what it costs to lie on a model or beyond the hex, of a flat's square, against a flat of a way."""
ON_HEXES = {"text": "hex_text", "strong": "hex_strong", "decided": "hex_decided"}
"""Roles of texts that stand on a board of hexes."""
NEAR_HEX = 1.5
"""How many times as large as its hex the room is in which words must stand that find no place of their own: they begin in the hex."""


def hex_ground_marks(
    board: HexBoard,
    terrain: Sequence[HexTerrain],
    prefix: str,
    section: Section,
    *,
    named: Collection[str] = (),
    language: Language = ENGLISH,
) -> tuple[Mark, ...]:
    """Draw the hexes that a section shows; `named` terrain has its name written at it."""
    shown = [place for place in _hexes(board) if _is_shown(place, board, section)]
    levels = levels_of(terrain)
    flat = [place for place in shown if not levels.get(place)]
    marks: list[Mark] = [GridMark(f"{prefix}.board", "level.0", _outlines(flat, board))] if flat else []
    for level in sorted({levels[place] for place in shown if levels.get(place)}):
        rings = _outlines((place for place in shown if levels.get(place) == level), board)
        marks.append(GridMark(f"{prefix}.level.{level}", f"level.{min(max(level, LOWEST), HIGHEST)}", rings))
    seen = set(shown)
    for kind in dict.fromkeys(piece.kind for piece in terrain if piece.kind != LEVEL):
        hexes = [place for piece in terrain if piece.kind == kind for place in piece.hexes if place in seen]
        marks += _filled(kind, hexes, board, prefix, language) if hexes else []
    names = (mark for piece in terrain if piece.name in named for mark in _name(piece, board, prefix))
    return (*marks, *_numbers(shown, board, prefix), *_tagged(shown, terrain, board, prefix, language), *names)


def _hexes(board: HexBoard) -> Iterable[Hex]:
    return ((column, row) for column in range(1, board.columns + 1) for row in range(1, board.rows + 1))


def _is_shown(place: Hex, board: HexBoard, section: Section) -> bool:
    x, y = board.centre(place)
    half = board.hex_inches * 0.57
    return section.west - half < x < section.east + half and section.south - half < y < section.north + half


def _outlines(places: Iterable[Hex], board: HexBoard) -> tuple[Points, ...]:
    return tuple(points(board.outline(place)) for place in places)


def levels_of(terrain: Sequence[HexTerrain]) -> Mapping[Hex, int]:
    """Give the level of every hex that has one other than 0."""
    levels: dict[Hex, int] = {}
    for piece in terrain:
        level = getattr(piece.data, LEVEL, None)
        levels |= dict.fromkeys(piece.hexes, level) if level else {}
    return levels


def _filled(kind: str, places: Sequence[Hex], board: HexBoard, prefix: str, language: Language) -> list[Mark]:
    """Fill hexes with the ground of a kind, and stand its symbols about their middles."""
    drawn_as, name = language.ground(kind), identifier(prefix, "terrain", kind)
    look = hex_kind(drawn_as)
    marks: list[Mark] = [GridMark(name, f"hexes.{drawn_as}.{kind}", _outlines(places, board))]
    symbols = tuple(_symbol(look.shape, board.centre(place), at, board.hex_inches) for place in places for at in look.places)
    if symbols:
        form = LinesMark if look.is_open else GridMark
        marks += _shadows(symbols, f"{name}.shadows", board) if look.shaded else []
        marks.append(form(f"{name}.symbols", f"symbol.{drawn_as}", symbols))
        lines = tuple(
            _symbol(line, board.centre(place), at, board.hex_inches) for place in places for at in look.places for line in look.lines
        )
        marks += [LinesMark(f"{name}.details", f"detail.{drawn_as}", lines)] if lines else []
    return marks


def _shadows(symbols: Sequence[Points], name: str, board: HexBoard) -> list[Mark]:
    """Throw the shadows of what stands up."""
    return [GridMark(name, "shadow", tuple(shifted(ring, SHADOW * board.hex_inches) for ring in symbols))]


def _symbol(shape: Points, centre: Point, at: Point, flats: float) -> Points:
    return tuple((centre[0] + flats * (at[0] + x), centre[1] + flats * (at[1] + y)) for x, y in shape)


def _numbers(shown: Sequence[Hex], board: HexBoard, prefix: str) -> tuple[Mark, ...]:
    """Print the hexes' numbers."""
    numbers = tuple((_above(place, board, NUMBER_AT), number(place), ROOM * board.hex_inches) for place in shown)
    return (Printed(f"{prefix}.hexes", "hex_number", numbers), Printed(f"{prefix}.hexes.lines", "hex_number", _lines(shown, board)))


def _tagged(shown: Sequence[Hex], terrain: Sequence[HexTerrain], board: HexBoard, prefix: str, language: Language) -> tuple[Mark, ...]:
    """Print what the hexes' terrain counts: level, depth, factor."""
    tags: dict[Hex, list[str]] = defaultdict(list)
    for piece in terrain:
        for place in piece.hexes:
            tags[place] += [tag for tag in _tags(piece, language) if tag not in tags[place]]
    room = TAG_ROOM * board.hex_inches
    words = tuple((_above(place, board, TAG_AT), " ".join(tags[place]), room) for place in shown if tags[place])
    return (Printed(f"{prefix}.hexes.tags", "hex_tag", words),)


def _lines(shown: Sequence[Hex], board: HexBoard) -> tuple[tuple[Point, str, float], ...]:
    """Write the columns at their uppermost hexes and the rows at the left ones, for hexes too small for their own numbers."""
    top: dict[int, int] = {}
    for column, row in shown:
        top[column] = min(row, top.get(column, row))
    columns = [(_above((column, row), board, NUMBER_AT), f"{column:02d}", ROOM) for column, row in top.items()]
    left = min((column for column, _ in shown), default=0)
    rows = [(_above((left, row), board, NUMBER_AT), f"{row:02d}", ROOM) for column, row in shown if column == left and row > top[left]]
    return tuple((at, word, room * board.hex_inches) for at, word, room in (*columns, *rows))


def _tags(piece: HexTerrain, language: Language) -> list[str]:
    """Write the numbers that a piece of terrain carries: a level other than 0, and what its game says of its kind."""
    values = {key: getattr(piece.data, key, None) for key in (LEVEL, *language.looks.tags.get(piece.kind, ()))}
    told = {key: value for key, value in values.items() if value is not None and (value or key != LEVEL)}
    return [language.tag(key, value).replace("-", "\N{MINUS SIGN}") for key, value in told.items()]


def _above(place: Hex, board: HexBoard, share: float) -> Point:
    x, y = board.centre(place)
    return (x, y + share * board.hex_inches)


def _name(piece: HexTerrain, board: HexBoard, prefix: str) -> tuple[Mark, ...]:
    spots = tuple(board.centre(place) for place in piece.hexes)
    return (Label(identifier(prefix, "terrain", piece.name, "label"), "text", piece.name, spots, rank=6),)


def over_hexes(marks: Sequence[Mark], board: Board) -> tuple[Mark, ...]:
    """Set texts on a board of hexes without paper behind them, which would erase hexes and what stands in them."""
    if not isinstance(board, HexBoard):
        return tuple(marks)
    return tuple(_bare(mark) for mark in marks)


def _bare(mark: Mark) -> Mark:
    if isinstance(mark, Printed) and mark.instead is not None:
        return replace(mark, instead=replace(mark.instead, role=ON_HEXES.get(mark.instead.role, mark.instead.role)))
    return replace(mark, role=ON_HEXES.get(mark.role, mark.role)) if isinstance(mark, Label) else mark


def notes_on(state: State[Any], notes: Sequence[Note], prefix: str, marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """Write the notes of the stage before: on a board of hexes into the hexes that they are of, off the ways among the marks."""
    if isinstance(state.board, HexBoard):
        return _notes_in_hexes([note for note in notes if note.stage == "before"], prefix, state, marks)
    return note_marks(notes, prefix, "before")


def _notes_in_hexes(notes: Sequence[Note], prefix: str, state: State[Any], marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """Print the number of each note into the hex that it is of, where the ways among the marks, models and the hex's edge leave room.

    What is counted is left to the key; where a hex is too small all of the note stands near its middle.
    """
    board = hex_board(state.board)
    ways = shapely.union_all([shapely.LineString(line) for mark in marks if isinstance(mark, WaysMark) for line in mark.lines])
    taken = shapely.union_all([shapely.Polygon(ring) for unit in state.units.values() for ring in hex_unit_bodies(unit, board)])
    made = []
    for place, note in enumerate(notes, start=1):
        name, flats, half = f"{prefix}.note.{place}", board.hex_inches, COST_HALF * board.hex_inches
        hexagon = shapely.Polygon(board.outline(board.hex_at(note.at)))
        spots = [(note.at[0] + right * flats, note.at[1] + up * flats) for right, up in COST_SPOTS]
        costs = [_crowding(shapely.box(x - half, y - half, x + half, y + half), ways, taken, hexagon) for x, y in spots]
        spot = spots[costs.index(min(costs))]
        label = Label(f"{name}.label", "text", note.text, (spot, note.at), rank=4, within=_grown(hexagon, NEAR_HEX))
        made.append(Printed(name, COST, ((spot, note.text.partition(" ")[0], COST_ROOM * flats),), label))
    return tuple(made)


def _crowding(box: shapely.Geometry, ways: shapely.Geometry, models: shapely.Geometry, hexagon: shapely.Geometry) -> float:
    """Tell by how much a box in a hex lies on ways, on models and beyond the hex; to six digits, so that like places are alike."""
    lying, hidden, out = ways.intersection(box).length, models.intersection(box).area, box.difference(hexagon).area
    return round(float(lying + ON_MODEL * hidden + BEYOND * out), 6)


def _grown(hexagon: shapely.Geometry, times: float) -> Points:
    """Enlarge a hex about its middle."""
    corners, middle = shapely.get_coordinates(hexagon)[:-1], np.array(hexagon.centroid.coords[0])
    return points(middle + times * (corners - middle))
