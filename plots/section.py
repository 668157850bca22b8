"""Which part of the board a picture shows: the action, the room around it, and neighbours worth seeing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from plots.marks import Arrow, DimensionLine, Line, Mark, Outline, PointMark, Points, WheelArc
from tabletop.pose import Point
from tabletop.ruling import Ruling
from tabletop.state import Board, State

ROOM, NEAR, LEAST, EASY, OFF_BOARD = 1.0, 3.0, 9.0, 19.0, 0.5
"""Inches on the table: room around the action, how near a neighbour is shown whole, the least side of a section, the side
up to which neighbours cost no legibility, how much is shown beyond the board's edge."""


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


def section_of_action(states: Sequence[State], rulings: Sequence[Ruling], marks: Iterable[Mark]) -> Section:
    """Choose the section that shows who charges and who is charged, at every moment, and all marks of the action."""
    named = {name for ruling in rulings for name in (ruling.charge.charger, *ruling.charge.targets)}
    units = [unit for state in states for name, unit in state.units.items() if name in named]
    corners = [point for unit in units for point in _ring(unit.boundary.bounds)]
    drawn = [point for mark in marks for point in extent(mark)]
    if not corners and not drawn:
        return whole_board(states[0].board)
    action = around([*corners, *drawn])
    return _within(_with_neighbours(action, states).grown(ROOM), states[0].board)


def _with_neighbours(action: Section, states: Sequence[State]) -> Section:
    """Take in every unit or piece of terrain that comes near, along each axis on which that costs little scale."""
    shapes = [unit.boundary for state in states for unit in state.units.values()] + [piece.shape for piece in states[0].terrain]
    section = action
    for shape in shapes:
        bounds = Section(*shape.bounds)
        if bounds.overlaps(action.grown(NEAR)):
            joined = section.joined(bounds)
            across = joined if joined.width <= max(1.35 * action.width, EASY) else section
            along = joined if joined.height <= max(1.35 * action.height, EASY) else section
            section = Section(across.west, along.south, across.east, along.north)
    return section


def _within(section: Section, board: Board) -> Section:
    """Keep to the board and a strip around it, not smaller than the least side where the board allows."""
    whole = whole_board(board)
    west, east = fitted(section.west, section.east, LEAST, (whole.west, whole.east))
    south, north = fitted(section.south, section.north, LEAST, (whole.south, whole.north))
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


def _ring(bounds: tuple[float, float, float, float]) -> Points:
    return ((bounds[0], bounds[1]), (bounds[2], bounds[3]))


def extent(mark: Mark) -> Points:
    """Give points whose hull a mark of the action lies in; rays and texts go as far as there is room."""
    match mark:
        case Outline(ring=ring):
            return () if mark.role == "board" or mark.role.startswith("terrain.") else ring
        case Arrow(start=start, end=end):
            return (start, end)
        case DimensionLine():
            return mark.drawn
        case Line(points=points) | PointMark(points=points):
            return points
        case WheelArc():
            return arc_points(mark, 12)
        case _:
            return ()


def arc_points(arc: WheelArc, count: int) -> Points:
    """Give `count` + 1 points along an arc, both ends included."""
    bearings = arc.start + arc.sweep * np.linspace(0.0, 1.0, count + 1)
    xs, ys = arc.pivot[0] + arc.radius * np.cos(bearings), arc.pivot[1] + arc.radius * np.sin(bearings)
    return tuple(zip(xs.tolist(), ys.tolist(), strict=True))
