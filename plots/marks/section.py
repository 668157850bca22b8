"""Which part of the board a picture shows: the action, the room around it, and neighbours worth seeing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plots.marks.mark import Area, Mark, PointMark, Points, Ray, points
from plots.marks.strokes import strokes
from plots.marks.units import extremes
from tabletop.geometry.pose import Point
from tabletop.ruling.verdict import Ruling
from tabletop.table.hexes import HexBoard
from tabletop.table.state import Board, HexTerrain, State

ROOM, NEAR, LEAST, EASY, OFF_BOARD = 1.0, 3.0, 9.0, 19.0, 0.5
"""Inches on the table: room around the action, how near a neighbour is shown whole, the least side of a section, the side
up to which neighbours cost no legibility, how much is shown beyond the board's edge."""
HEX_ROOM, LEAST_HEXES = 1.2, 5.0
"""The same on a board of hexes, in flats of a hex: room around the action, and the least side."""


@dataclass(frozen=True)
class Section:
    """A rectangle of the table, in inches."""

    west: float
    south: float
    east: float
    north: float

    @property
    def width(self) -> float:
        """Extent along x."""
        return self.east - self.west

    @property
    def height(self) -> float:
        """Extent along y."""
        return self.north - self.south

    def grown(self, by: float) -> "Section":
        """Move every side outwards by so many inches."""
        return Section(self.west - by, self.south - by, self.east + by, self.north + by)

    def joined(self, other: "Section") -> "Section":
        """Give the least section that holds both."""
        return Section(min(self.west, other.west), min(self.south, other.south), max(self.east, other.east), max(self.north, other.north))

    def within(self, other: "Section") -> "Section":
        """Give the part that lies in another."""
        west, east = (min(max(side, other.west), other.east) for side in (self.west, self.east))
        south, north = (min(max(side, other.south), other.north) for side in (self.south, self.north))
        return Section(west, south, east, north)

    def holds(self, point: Point) -> bool:
        """Tell whether a point is shown."""
        return self.west <= point[0] <= self.east and self.south <= point[1] <= self.north

    def overlaps(self, other: "Section") -> bool:
        """Tell whether the two share an area."""
        return self.west < other.east and other.west < self.east and self.south < other.north and other.south < self.north


def around(points: Iterable[Point]) -> Section:
    """Give the least section that holds all points."""
    array = np.array(list(points), dtype=float)
    west, south = array.min(axis=0).tolist()
    east, north = array.max(axis=0).tolist()
    return Section(west, south, east, north)


def whole_board(board: Board) -> Section:
    """Give the section that shows the board with a strip beyond its edges."""
    return Section(0.0, 0.0, board.width, board.depth).grown(OFF_BOARD)


def section_of_action(states: Sequence[State[Any]], rulings: Sequence[Ruling], marks: Iterable[Mark]) -> Section:
    """Choose the section that shows who charges and who is charged, at every moment, and all marks of the action."""
    named = {name for ruling in rulings for name in (ruling.charge.charger, *ruling.charge.targets)}
    corners = [point for state in states for name, unit in state.units.items() if name in named for point in extremes(unit, state.board)]
    corners += [point for piece in states[0].hex_terrain if piece.name in named for point in _hexes(piece, states[0].board)]
    drawn = [point for mark in marks for point in extent(mark)]
    if not corners and not drawn:
        return whole_board(states[0].board)
    action, board = around([*corners, *drawn]), states[0].board
    if isinstance(board, HexBoard):
        return _with_whole_hexes(within(action.grown(HEX_ROOM * board.hex_inches), board, LEAST_HEXES * board.hex_inches), states)
    return within(_with_neighbours(action, states).grown(ROOM), board, LEAST)


def _sections_of_units(states: Sequence[State[Any]]) -> list[Section]:
    corners = (extremes(unit, state.board) for state in states for unit in state.units.values())
    return [around(points) for points in corners if points]


def _with_whole_hexes(section: Section, states: Sequence[State[Any]]) -> Section:
    """Take in the hexes of all units of which a part is seen."""
    for one in _sections_of_units(states):
        section = section.joined(one) if one.overlaps(section) else section
    return section


def _with_neighbours(action: Section, states: Sequence[State[Any]]) -> Section:
    """Take in every unit or piece of terrain that comes near, along each axis on which that costs little scale."""
    section = action
    for bounds in (*_sections_of_units(states), *(Section(*piece.shape.bounds) for piece in states[0].terrain)):
        if bounds.overlaps(action.grown(NEAR)):
            joined = section.joined(bounds)
            across = joined if joined.width <= max(1.35 * action.width, EASY) else section
            along = joined if joined.height <= max(1.35 * action.height, EASY) else section
            section = Section(across.west, along.south, across.east, along.north)
    return section


def within(section: Section, board: Board, least: float) -> Section:
    """Keep to the board and a strip around it, not smaller than the least side where the board allows."""
    whole = whole_board(board)
    west, east = fitted(section.west, section.east, least, (whole.west, whole.east))
    south, north = fitted(section.south, section.north, least, (whole.south, whole.north))
    return Section(west, south, east, north)


def fitted(low: float, high: float, least: float, limits: tuple[float, float]) -> tuple[float, float]:
    """Stretch an interval about its middle to `least`, then shift and cut it to the limits.

    Examples
    --------
    >>> fitted(0.0, 2.0, 6.0, (0.0, 10.0))
    (0.0, 6.0)
    """
    length = min(max(high - low, least), limits[1] - limits[0])
    start = min(max((low + high - length) / 2, limits[0]), limits[1] - length)
    return start, start + length


def _hexes(piece: HexTerrain, board: Board) -> Points:
    """Give the corners of the hexes that a piece of terrain fills."""
    return tuple(corner for place in piece.hexes for corner in points(board.outline(place))) if isinstance(board, HexBoard) else ()


def extent(mark: Mark) -> Points:
    """Give points whose hull a mark of the action lies in; rays, regions and texts go as far as there is room."""
    if isinstance(mark, Ray | Area):
        return ()
    return mark.points if isinstance(mark, PointMark) else tuple(point for stroke in strokes(mark) for point in stroke)
