"""From the table to marks: the board, its terrain and the units that stand on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import shapely

from plots.marks.ground import hex_ground_marks
from plots.marks.kinds import RISING, SHADED
from plots.marks.language import ENGLISH, Language
from plots.marks.mark import GridMark, Label, Mark, Outline, Points, identifier, points, shifted
from plots.marks.section import Section
from plots.marks.signs import HEIGHT_SIGN
from plots.marks.theme import tones
from plots.marks.units import Look, unit_marks
from tabletop.table.hexes import HexBoard
from tabletop.table.state import Board, State, Terrain

SHADOW = 0.12
"""Inches of the table that a shadow falls to the right and down."""
HEIGHTS = (0.3, 0.6)
"""Where lines of height stand between the edge of a region and its middle."""


@dataclass(frozen=True)
class Scene:
    """One moment of the table: where to draw it, what is known of it beside the state. `prefix` starts every id.

    `contact` holds the numbers of the models in contact by unit, `numbered` the units whose models are told apart by number,
    `targets` the names of what is charged.
    """

    prefix: str
    state: State[Any]
    contact: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    numbered: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()
    language: Language = ENGLISH


def tone_of(state: State[Any]) -> dict[str, int]:
    """Give each unit's place in the palette, by its side."""
    sides = tones(tuple(dict.fromkeys(unit.side for unit in state.units.values())))
    return {name: sides[unit.side] for name, unit in state.units.items()}


def looks_of(state: State[Any], language: Language = ENGLISH) -> dict[str, Look]:
    """Give how each unit is shown where nothing more is known of it."""
    return {name: Look(tone, state.board, language=language) for name, tone in tone_of(state).items()}


def scene_marks(scene: Scene, section: Section) -> tuple[Mark, ...]:
    """Give the marks of everything on the table at one moment, of hexes those that the section shows."""
    tone, state = tone_of(scene.state), scene.state
    marks = [*ground_marks(scene, section)]
    for name, unit in state.units.items():
        contact = frozenset(scene.contact.get(name, ()))
        look = Look(tone[name], state.board, contact, is_numbered=name in scene.numbered, language=scene.language)
        marks += unit_marks(unit, scene.prefix, look, others=tuple(state.units.values()))
    return tuple(marks)


def ground_marks(scene: Scene, section: Section) -> tuple[Mark, ...]:
    """Draw the board and what lies on it."""
    state, prefix = scene.state, scene.prefix
    if isinstance(state.board, HexBoard):
        return hex_ground_marks(state.board, state.hex_terrain, prefix, section, named=scene.targets, language=scene.language)
    pieces = (mark for terrain in state.terrain for mark in terrain_marks(terrain, prefix, scene.language))
    return (board_mark(state.board, prefix), *pieces)


def board_mark(board: Board, prefix: str) -> Mark:
    """Outline the board."""
    ring = ((0.0, 0.0), (board.width, 0.0), (board.width, board.depth), (0.0, board.depth))
    return Outline(f"{prefix}.board", "board", ring)


def _contours(ring: Points) -> tuple[Points, ...]:
    """Draw lines of height into a region that rises towards its middle."""
    region = shapely.Polygon(ring)
    deepest = shapely.maximum_inscribed_circle(region).length
    inner = (shapely.buffer(region, -share * deepest) for share in HEIGHTS)
    return tuple(
        points(shapely.get_coordinates(part.exterior)) for piece in inner for part in shapely.get_parts(piece) if not part.is_empty
    )


def terrain_marks(terrain: Terrain, prefix: str, language: Language = ENGLISH) -> tuple[Mark, ...]:
    """Outline a piece of terrain and name it, with its height where it has one."""
    name, look = identifier(prefix, "terrain", terrain.name), language.ground(terrain.kind)
    ring = points(terrain.shape.outline())
    west, south, east, north = terrain.shape.bounds
    middle = ((west + east) / 2, (south + north) / 2)
    spots: Points = (middle, *ring[:: max(1, len(ring) // 12)])
    text = f"{terrain.name} {HEIGHT_SIGN}{terrain.height:g}" if terrain.height else terrain.name
    return (
        *([Outline(f"{name}.shadow", "shadow", shifted(ring, SHADOW))] if look in SHADED else []),
        Outline(name, f"terrain.{look}.{terrain.kind}", ring),
        *([GridMark(f"{name}.contours", "contour", contours)] if look in RISING and (contours := _contours(ring)) else []),
        Label(f"{name}.label", "text", text, spots=spots, rank=6, home=ring),
    )
