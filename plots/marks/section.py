"""Which part of the board a picture shows: the action, the room around it, and neighbours worth seeing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely

from plots.marks.mark import MIN_LENGTH, DrawnMark, FacingMark, PointMark, Points, Rings, points
from plots.marks.units import extremes
from tabletop.geometry.pose import Point
from tabletop.messages import names_in
from tabletop.ruling.verdict import Ruling
from tabletop.table.hexes import HexBoard
from tabletop.table.models import Squad
from tabletop.table.state import Board, HexTerrain, State

ROOM, NEAR, LEAST, OFF_BOARD = 1.0, 3.0, 4.0, 0.5
"""Inches on the table: room around the action, how near a neighbour is shown whole, the least side of a section, how much is shown
beyond the board's edge."""

FILLED, DEARER, WIDEST, HIGHEST, FLATTEST = 0.62, 1.35, 0.9, 0.7, 0.3
"""The share of a section's width or height that the action takes; how many times the action's side a section may have for the sake of
neighbours, or how many times its other side, in width and in height; and the least of the two sides against the other."""

HEX_ROOM, LEAST_HEXES, HEX_WIDTH, BROADEST = 0.6, 3.0, 0.65, 1.8
"""The same on a board of hexes, in flats of a hex: room around the action, and the least side; and the least of its width against its
height, and the most up to which a page with more room shows more."""

REGIONS = ("zone", "uncertain", "overlap", "beyond", "deciding_area")
"""Roles of regions, the first word of each."""

LARGEST_CUT = 2.0
"""Inches of the largest base that is rather shown whole than cut by the edge of a section."""


@dataclass(frozen=True)
class Rect:
    """A rectangle along the axes: a section of the table, in inches of it, or a box on a panel or a page, in inches of the paper."""

    west: float
    south: float
    east: float
    north: float

    @classmethod
    def about(cls, middle: Point, wide: float, high: float) -> "Rect":
        """Return the rectangle that reaches so far to either side of a point, and up and down from it."""
        return cls(middle[0] - wide, middle[1] - high, middle[0] + wide, middle[1] + high)

    @property
    def width(self) -> float:
        """Extent along x."""
        return self.east - self.west

    @property
    def height(self) -> float:
        """Extent along y."""
        return self.north - self.south

    @property
    def middle(self) -> Point:
        """The centre."""
        return ((self.west + self.east) / 2, (self.south + self.north) / 2)

    @property
    def corners(self) -> Points:
        """The corners, from the lower left, counter-clockwise."""
        return ((self.west, self.south), (self.east, self.south), (self.east, self.north), (self.west, self.north))

    @property
    def sides(self) -> tuple[float, float, float, float]:
        """West, south, east and north."""
        return (self.west, self.south, self.east, self.north)

    def grown(self, by: float) -> "Rect":
        """Return the rectangle with every side moved outwards by so many inches."""
        return Rect(self.west - by, self.south - by, self.east + by, self.north + by)

    def shifted(self, right: float, up: float) -> "Rect":
        """Return the rectangle so far to the right and up."""
        return Rect(self.west + right, self.south + up, self.east + right, self.north + up)

    def joined(self, other: "Rect") -> "Rect":
        """Return the least rectangle that holds both."""
        return Rect(min(self.west, other.west), min(self.south, other.south), max(self.east, other.east), max(self.north, other.north))

    def within(self, other: "Rect") -> "Rect":
        """Return the part that lies in another."""
        return Rect(*other.nearest((self.west, self.south)), *other.nearest((self.east, self.north)))

    def share_of(self, other: "Rect") -> float:
        """Return how much of another's width or height this takes, whichever is more; of this only what the other shows counts."""
        seen = self.within(other)
        return max(seen.width / other.width, seen.height / other.height)

    def nearest(self, point: Point) -> Point:
        """Return the point of the rectangle nearest to a point."""
        return (min(max(point[0], self.west), self.east), min(max(point[1], self.south), self.north))

    def holds(self, point: Point) -> bool:
        """Whether a point is in it."""
        return self.west <= point[0] <= self.east and self.south <= point[1] <= self.north

    def overlaps(self, other: "Rect") -> bool:
        """Whether the two share an area."""
        return self.west < other.east and other.west < self.east and self.south < other.north and other.south < self.north


def around(points: Iterable[Point]) -> Rect:
    """Return the least section that holds all points."""
    array = np.array(list(points), dtype=float)
    west, south = array.min(axis=0).tolist()
    east, north = array.max(axis=0).tolist()
    return Rect(west, south, east, north)


def whole_board(board: Board) -> Rect:
    """Return the section that shows the board with a strip beyond its edges."""
    return Rect(0.0, 0.0, board.width, board.depth).grown(OFF_BOARD)


@dataclass(frozen=True)
class Window:
    """What a picture shows, and of it the action: charger, target, way, what decided and what the ruling names."""

    section: Rect
    action: Rect

    @property
    def share(self) -> float:
        """How much of the width or of the height the action takes, whichever is more."""
        return self.action.share_of(self.section)


def window_of_action(states: Sequence[State[Any]], rulings: Sequence[Ruling], marks: Iterable[DrawnMark]) -> Window:
    """Choose the section that shows who charges and who is charged, at every moment, and all marks of the action.

    What stands near is shown too as long as the action stays `FILLED` of the section's width or height.
    """
    board, drawn = states[0].board, list(marks)
    corners = [*_corners_of_named(states, rulings), *(point for mark in drawn for point in extent(mark))]
    if not corners:
        return Window(whole_board(board), whole_board(board))
    action = around([*corners, *_corners_of_forbidding(rulings, around(corners))])
    if isinstance(board, HexBoard):
        section = within(action.grown(HEX_ROOM * board.hex_inches), board, LEAST_HEXES * board.hex_inches)
        section, whole = _with_whole_hexes(section, action, states), whole_board(board)
        if action.height >= FILLED * section.height:
            west, east = fitted(section.west, section.east, max(section.width, HEX_WIDTH * section.height), (whole.west, whole.east))
            section = _without_slivers(Rect(west, section.south, east, section.north), action, states)
        return Window(section, action)
    wished = [around(ring) for mark in drawn if isinstance(mark, Rings) and _is_region(mark) for ring in mark.rings]
    wished += [bounds for bounds in _things(states) if bounds.overlaps(action.grown(NEAR))]
    section = _with_others(action.grown(ROOM), action, wished)
    least = max(LEAST, FLATTEST * max(section.width, section.height))
    return Window(_with_whole_models(within(section, board, least), states), action)


def _corners_of_named(states: Sequence[State[Any]], rulings: Sequence[Ruling]) -> list[Point]:
    """Return the corners of who charges, who is charged, and what the sentences of the rulings name."""
    board, first = states[0].board, states[0]
    known = {*first.units, *(piece.name for piece in first.terrain), *(piece.name for piece in first.hex_terrain)}
    named = {name for ruling in rulings for name in (ruling.charge.charger, *ruling.charge.targets)}
    named |= {name for ruling in rulings for name in names_in(ruling.summary) & known}
    corners = [point for state in states for name, unit in state.units.items() if name in named for point in extremes(unit, board)]
    corners += [point for piece in first.hex_terrain if piece.name in named for point in _hexes(piece, board)]
    charged = {name for ruling in rulings for name in ruling.charge.targets}
    bounds = [piece.shape.bounds for piece in first.terrain if piece.name in charged]
    corners += [corner for west, south, east, north in bounds for corner in ((west, south), (east, north))]
    return corners


def _corners_of_forbidding(rulings: Sequence[Ruling], action: Rect) -> list[Point]:
    """Return the corners of bodies about which nobody may end, where that range comes near the action."""
    shapes = [zone.shape for ruling in rulings for zone in ruling.evidence.zones if zone.role == "forbidden"]
    bounds = [shape.core.bounds for shape in shapes if Rect(*shape.bounds).overlaps(action.grown(NEAR))]
    return [corner for west, south, east, north in bounds for corner in ((west, south), (east, north))]


def _things(states: Sequence[State[Any]]) -> list[Rect]:
    return [*_sections_of_units(states), *(Rect(*piece.shape.bounds) for piece in states[0].terrain)]


def _sections_of_units(states: Sequence[State[Any]]) -> list[Rect]:
    corners = (extremes(unit, state.board) for state in states for unit in state.units.values())
    return [around(points) for points in corners if points]


def _with_whole_hexes(section: Rect, action: Rect, states: Sequence[State[Any]]) -> Rect:
    """Take in the hexes of all units of which a part is seen, as long as the action stays large."""
    for one in _sections_of_units(states):
        joined = section.joined(one)
        section = joined if one.overlaps(section) and action.share_of(joined) >= FILLED else section
    return section


def _without_slivers(section: Rect, action: Rect, states: Sequence[State[Any]]) -> Rect:
    """Leave out to the left and right the hexes of units of which only a part would be seen, as far as they lie beside the action."""
    for one in _sections_of_units(states):
        if one.overlaps(section) and one.west < section.west and one.east <= action.west:
            section = replace(section, west=one.east)
        if one.overlaps(section) and one.east > section.east and one.west >= action.east:
            section = replace(section, east=one.west)
    return section


def _with_whole_models(section: Rect, states: Sequence[State[Any]]) -> Rect:
    """Take in the loose models that an edge cuts: half a base looks like a fault of the print."""
    squads = [unit for state in states for unit in state.units.values() if isinstance(unit, Squad)]
    bounds = [Rect(*model.footprint.bounds) for squad in squads for model in squad.models]
    whole = section
    for one in bounds:
        whole = whole.joined(one) if one.overlaps(section) and max(one.width, one.height) <= LARGEST_CUT else whole
    return whole


def _with_others(section: Rect, action: Rect, others: Iterable[Rect]) -> Rect:
    """Take in regions and neighbours along each axis on which that costs little scale, as long as the action stays large."""
    for bounds in others:
        joined = section.joined(bounds)
        across = joined if joined.width <= max(DEARER * action.width, WIDEST * section.height) else section
        along = joined if joined.height <= max(DEARER * action.height, HIGHEST * section.width) else section
        taken = Rect(across.west, along.south, across.east, along.north)
        section = taken if action.share_of(taken) >= FILLED else section
    return section


def within(section: Rect, board: Board, least: float) -> Rect:
    """Keep to the board and a strip around it, not smaller than the least side where the board allows."""
    whole = whole_board(board)
    west, east = fitted(section.west, section.east, least, (whole.west, whole.east))
    south, north = fitted(section.south, section.north, least, (whole.south, whole.north))
    return Rect(west, south, east, north)


def broadened(section: Rect, board: Board, width: float) -> Rect:
    """Extend the section on both sides to a width where there is table to show; with hexes to less than twice its height."""
    whole = whole_board(board)
    limits = (min(whole.west, section.west), max(whole.east, section.east))
    width = min(width, BROADEST * section.height) if isinstance(board, HexBoard) else width
    west, east = fitted(section.west, section.east, max(width, section.width), limits)
    return replace(section, west=west, east=east)


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
    """Return the corners of the hexes that a piece of terrain fills."""
    return tuple(corner for place in piece.hexes for corner in points(board.outline(place))) if isinstance(board, HexBoard) else ()


def is_shown(mark: DrawnMark, section: Rect) -> bool:
    """Return whether something of a mark lies in a section: of the board its edge."""
    if isinstance(mark, FacingMark):
        return section.holds(mark.at)
    if isinstance(mark, PointMark):
        return any(section.holds(point) for point in mark.points)
    if mark.role == "board":
        window = shapely.box(*section.sides)
        return any(shapely.intersects(shapely.LineString(line), window) for line in mark.polylines())
    return any(around(line).grown(MIN_LENGTH).overlaps(section) for line in mark.polylines())


def extent(mark: DrawnMark) -> Points:
    """Return points whose hull a mark of the action lies in; rays, regions and texts go as far as there is room."""
    if mark.role == "ray" or _is_region(mark):
        return ()
    return mark.points if isinstance(mark, PointMark) else tuple(point for line in mark.polylines() for point in line)


def _is_region(mark: DrawnMark) -> bool:
    """Return whether a mark fills a region of the table: a range, a band, what overlaps or lies beyond the board."""
    return mark.role.partition(".")[0] in REGIONS
