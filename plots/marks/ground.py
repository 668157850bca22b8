"""The ground of a hex board as marks: hexes with their numbers, levels and what fills them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from plots.marks.kinds import HIGHEST, LOWEST, TAGS, hex_kind
from plots.marks.language import ENGLISH, Language
from plots.marks.mark import GridMark, Label, LinesMark, Mark, Points, Printed, identifier, points
from plots.marks.section import Section
from tabletop.geometry.pose import Point
from tabletop.table.hexes import HexBoard, number
from tabletop.table.state import Hex, HexTerrain

SHADOW = 0.045
"""Flats of a hex that a shadow falls to the right and down."""
LEVEL = "level"
"""The kind, and the key, of terrain that is nothing but high or low."""
NUMBER_AT, TAG_AT, ROOM, TAG_ROOM = 0.385, -0.375, 0.74, 0.8
"""Flats of a hex: how far above its middle its number stands, and a tag below it, and how wide they may be."""


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
        marks += _filled(kind, hexes, board, prefix) if hexes else []
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


def _filled(kind: str, places: Sequence[Hex], board: HexBoard, prefix: str) -> list[Mark]:
    """Fill hexes with the ground of a kind, and stand its symbols about their middles."""
    look, name = hex_kind(kind), identifier(prefix, "terrain", kind)
    marks: list[Mark] = [GridMark(name, f"hexes.{kind}", _outlines(places, board))]
    symbols = tuple(_symbol(look.shape, board.centre(place), at, board.hex_inches) for place in places for at in look.places)
    if symbols:
        form = LinesMark if look.is_open else GridMark
        marks += _shadows(symbols, f"{name}.shadows", board) if look.shaded else []
        marks.append(form(f"{name}.symbols", f"symbol.{kind}", symbols))
        lines = tuple(
            _symbol(line, board.centre(place), at, board.hex_inches) for place in places for at in look.places for line in look.lines
        )
        marks += [LinesMark(f"{name}.details", f"detail.{kind}", lines)] if lines else []
    return marks


def _shadows(symbols: Sequence[Points], name: str, board: HexBoard) -> list[Mark]:
    """Throw the shadows of what stands up."""
    return [GridMark(name, "shadow", tuple(shifted(ring, SHADOW * board.hex_inches) for ring in symbols))]


def shifted(ring: Points, length: float) -> Points:
    """Give a ring moved as shadows fall: to the lower right."""
    return tuple((x + length, y - length) for x, y in ring)


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
    """Write the numbers that a piece of terrain carries: those of its kind, and a level other than 0."""
    values = {key: getattr(piece.data, key, None) for key in TAGS}
    shown = {key for key in hex_kind(piece.kind).tags if values[key] is not None} | ({LEVEL} if values[LEVEL] else set())
    return [language.words[f"tag.{key}"].format(values[key]).replace("-", "\N{MINUS SIGN}") for key in TAGS if key in shown]


def _above(place: Hex, board: HexBoard, share: float) -> Point:
    x, y = board.centre(place)
    return (x, y + share * board.hex_inches)


def _name(piece: HexTerrain, board: HexBoard, prefix: str) -> tuple[Mark, ...]:
    spots = tuple(board.centre(place) for place in piece.hexes)
    return (Label(identifier(prefix, "terrain", piece.name, "label"), "text", piece.name, spots, rank=6),)
