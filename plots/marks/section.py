"""Choice of the part of the board that a picture shows, its section: the action, the room around it, and neighbours."""

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
"""Lengths in table inches: margin around the action, distance of neighbours shown whole, least side of a section, strip
shown beyond the board's edge."""

FILLED, DEARER, WIDEST, HIGHEST, FLATTEST = 0.62, 1.35, 0.9, 0.7, 0.3
"""Share of a section that the action fills; greatest growth for the sake of neighbours, relative to the action's side
and to its other side; least ratio of the two sides."""

HEX_ROOM, LEAST_HEXES, HEX_WIDTH, BROADEST = 0.6, 3.0, 0.65, 1.8
"""The same for hex boards, in multiples of a hex's width: margin and least side; least ratio of width to height, and
the greatest when a page has more room."""

REGIONS = ("zone", "uncertain", "overlap", "beyond", "deciding_area", "goal_area")
"""First words of the roles of regions."""

LARGEST_CUT = 2.0
"""Width in inches of the largest base that is shown whole instead of cut at the edge."""


@dataclass(frozen=True)
class Rect:
    """Axis-aligned rectangle: a section of the table in inches on the table, or a box on a panel or page in inches on
    the page.
    """

    west: float
    south: float
    east: float
    north: float

    @classmethod
    def about(cls, middle: Point, wide: float, high: float) -> "Rect":
        """Return the rectangle about a point with half extents `wide` along x and `high` along y."""
        return cls(middle[0] - wide, middle[1] - high, middle[0] + wide, middle[1] + high)

    @property
    def width(self) -> float:
        """Extent along x, in inches."""
        return self.east - self.west

    @property
    def height(self) -> float:
        """Extent along y, in inches."""
        return self.north - self.south

    @property
    def middle(self) -> Point:
        """Centre of the rectangle."""
        return ((self.west + self.east) / 2, (self.south + self.north) / 2)

    @property
    def corners(self) -> Points:
        """Four corners, counter-clockwise from the lower left."""
        return (
            (self.west, self.south),
            (self.east, self.south),
            (self.east, self.north),
            (self.west, self.north),
        )

    @property
    def sides(self) -> tuple[float, float, float, float]:
        """Bounds as (west, south, east, north), in inches."""
        return (self.west, self.south, self.east, self.north)

    def grown(self, by: float) -> "Rect":
        """Return the rectangle grown by a margin on every side, in inches."""
        return Rect(self.west - by, self.south - by, self.east + by, self.north + by)

    def shifted(self, right: float, up: float) -> "Rect":
        """Return the rectangle shifted to the right and up, in inches."""
        return Rect(self.west + right, self.south + up, self.east + right, self.north + up)

    def joined(self, other: "Rect") -> "Rect":
        """Return the bounding rectangle of this and another rectangle."""
        return Rect(
            min(self.west, other.west),
            min(self.south, other.south),
            max(self.east, other.east),
            max(self.north, other.north),
        )

    def within(self, other: "Rect") -> "Rect":
        """Return the intersection with another rectangle; if they are apart, a degenerate rectangle on the edge of the
        other.
        """
        return Rect(
            *other.nearest((self.west, self.south)), *other.nearest((self.east, self.north))
        )

    def share_of(self, other: "Rect") -> float:
        """Return the share of another's width or height that this rectangle covers, whichever is greater, from 0
        to 1.
        """
        seen = self.within(other)
        return max(seen.width / other.width, seen.height / other.height)

    def nearest(self, point: Point) -> Point:
        """Return the point of the rectangle nearest to a point."""
        return (
            min(max(point[0], self.west), self.east),
            min(max(point[1], self.south), self.north),
        )

    def holds(self, point: Point) -> bool:
        """Return whether a point is inside or on the edge."""
        return self.west <= point[0] <= self.east and self.south <= point[1] <= self.north

    def overlaps(self, other: "Rect") -> bool:
        """Return whether two rectangles overlap with an area above 0."""
        return (
            self.west < other.east
            and other.west < self.east
            and self.south < other.north
            and other.south < self.north
        )


def around(points: Iterable[Point]) -> Rect:
    """Return the bounding rectangle of points."""
    array = np.array(list(points), dtype=float)
    west, south = array.min(axis=0).tolist()
    east, north = array.max(axis=0).tolist()
    return Rect(west, south, east, north)


def whole_board(board: Board) -> Rect:
    """Return the section that shows the whole board with a strip beyond its edges."""
    return Rect(0.0, 0.0, board.width, board.depth).grown(OFF_BOARD)


@dataclass(frozen=True)
class Window:
    """Section of the table that a picture shows, and the action in it: charger, target, paths and evidence, in
    inches.
    """

    section: Rect
    action: Rect

    @property
    def share(self) -> float:
        """Share of the section's width or height that the action fills, whichever is greater."""
        return self.action.share_of(self.section)


def window_of_action(
    states: Sequence[State[Any]], rulings: Sequence[Ruling], marks: Iterable[DrawnMark]
) -> Window:
    """Return the section that shows chargers, targets and all marks of the action at every moment, with that action.

    Neighbours are included while the action fills at least `FILLED` of the section's width or height.
    """
    board = states[0].board
    drawn = list(marks)
    corners = [
        *_corners_of_named(states, rulings),
        *(point for mark in drawn for point in extent(mark)),
    ]
    if not corners:
        return Window(whole_board(board), whole_board(board))
    action = around([*corners, *_corners_of_forbidding(rulings, around(corners))])
    if isinstance(board, HexBoard):
        section = within(
            action.grown(HEX_ROOM * board.hex_inches), board, LEAST_HEXES * board.hex_inches
        )
        section = _with_whole_hexes(section, action, states)
        whole = whole_board(board)
        if action.height >= FILLED * section.height:
            west, east = fitted(
                section.west,
                section.east,
                max(section.width, HEX_WIDTH * section.height),
                (whole.west, whole.east),
            )
            section = _without_slivers(
                Rect(west, section.south, east, section.north), action, states
            )
        return Window(section, action)
    wished = [
        around(ring)
        for mark in drawn
        if isinstance(mark, Rings) and _is_region(mark)
        for ring in mark.rings
    ]
    wished += [bounds for bounds in _things(states) if bounds.overlaps(action.grown(NEAR))]
    section = _with_others(action.grown(ROOM), action, wished)
    least = max(LEAST, FLATTEST * max(section.width, section.height))
    return Window(_with_whole_models(within(section, board, least), states), action)


def _corners_of_named(states: Sequence[State[Any]], rulings: Sequence[Ruling]) -> list[Point]:
    """Return the corners of chargers, targets, and units and hex terrain that the rulings' sentences name."""
    board = states[0].board
    first = states[0]
    known = {
        *first.units,
        *(piece.name for piece in first.terrain),
        *(piece.name for piece in first.hex_terrain),
    }
    named = {name for ruling in rulings for name in (ruling.charge.charger, *ruling.charge.targets)}
    named |= {name for ruling in rulings for name in names_in(ruling.summary) & known}
    corners = [
        point
        for state in states
        for name, unit in state.units.items()
        if name in named
        for point in extremes(unit, board)
    ]
    corners += [
        point
        for piece in first.hex_terrain
        if piece.name in named
        for point in _hexes(piece, board)
    ]
    charged = {name for ruling in rulings for name in ruling.charge.targets}
    bounds = [piece.shape.bounds for piece in first.terrain if piece.name in charged]
    corners += [
        corner for west, south, east, north in bounds for corner in ((west, south), (east, north))
    ]
    return corners


def _corners_of_forbidding(rulings: Sequence[Ruling], action: Rect) -> list[Point]:
    """Return the corners of the bodies whose no-entry range comes near the action."""
    shapes = [
        zone.shape
        for ruling in rulings
        for zone in ruling.evidence.zones
        if zone.role == "forbidden"
    ]
    bounds = [
        shape.core.bounds for shape in shapes if Rect(*shape.bounds).overlaps(action.grown(NEAR))
    ]
    return [
        corner for west, south, east, north in bounds for corner in ((west, south), (east, north))
    ]


def _things(states: Sequence[State[Any]]) -> list[Rect]:
    return [
        *_sections_of_units(states),
        *(Rect(*piece.shape.bounds) for piece in states[0].terrain),
    ]


def _sections_of_units(states: Sequence[State[Any]]) -> list[Rect]:
    corners = (extremes(unit, state.board) for state in states for unit in state.units.values())
    return [around(points) for points in corners if points]


def _with_whole_hexes(section: Rect, action: Rect, states: Sequence[State[Any]]) -> Rect:
    """Return the section grown to show whole hexes of partly visible units, while the action stays large."""
    for one in _sections_of_units(states):
        joined = section.joined(one)
        section = joined if one.overlaps(section) and action.share_of(joined) >= FILLED else section
    return section


def _without_slivers(section: Rect, action: Rect, states: Sequence[State[Any]]) -> Rect:
    """Return the section cut at the left and right where it shows only part of a unit's hex beside the action."""
    for one in _sections_of_units(states):
        if one.overlaps(section) and one.west < section.west and one.east <= action.west:
            section = replace(section, west=one.east)
        if one.overlaps(section) and one.east > section.east and one.west >= action.east:
            section = replace(section, east=one.west)
    return section


def _with_whole_models(section: Rect, states: Sequence[State[Any]]) -> Rect:
    """Return the section grown to show whole the loose models that its edge would cut, if they are small."""
    squads = [unit for state in states for unit in state.units.values() if isinstance(unit, Squad)]
    bounds = [Rect(*model.footprint.bounds) for squad in squads for model in squad.models]
    whole = section
    for one in bounds:
        whole = (
            whole.joined(one)
            if one.overlaps(section) and max(one.width, one.height) <= LARGEST_CUT
            else whole
        )
    return whole


def _with_others(section: Rect, action: Rect, others: Iterable[Rect]) -> Rect:
    """Return the section grown along each axis by regions and neighbours in `others`, where that costs little scale."""
    for bounds in others:
        joined = section.joined(bounds)
        across = (
            joined
            if joined.width <= max(DEARER * action.width, WIDEST * section.height)
            else section
        )
        along = (
            joined
            if joined.height <= max(DEARER * action.height, HIGHEST * section.width)
            else section
        )
        taken = Rect(across.west, along.south, across.east, along.north)
        section = taken if action.share_of(taken) >= FILLED else section
    return section


def within(section: Rect, board: Board, least: float) -> Rect:
    """Return the section limited to the board with a strip around it, its sides at least `least` inches where the board
    allows.
    """
    whole = whole_board(board)
    west, east = fitted(section.west, section.east, least, (whole.west, whole.east))
    south, north = fitted(section.south, section.north, least, (whole.south, whole.north))
    return Rect(west, south, east, north)


def broadened(section: Rect, board: Board, width: float) -> Rect:
    """Return the section widened on both sides to `width` inches or the board; on hex boards to less than twice its
    height.
    """
    whole = whole_board(board)
    limits = (min(whole.west, section.west), max(whole.east, section.east))
    width = min(width, BROADEST * section.height) if isinstance(board, HexBoard) else width
    west, east = fitted(section.west, section.east, max(width, section.width), limits)
    return replace(section, west=west, east=east)


def fitted(
    low: float, high: float, least: float, limits: tuple[float, float]
) -> tuple[float, float]:
    """Return the interval (low, high) stretched about its midpoint to length `least`, then shifted and clipped to the
    limits.

    Examples
    --------
    >>> fitted(0.0, 2.0, 6.0, (0.0, 10.0))
    (0.0, 6.0)
    """
    length = min(max(high - low, least), limits[1] - limits[0])
    start = min(max((low + high - length) / 2, limits[0]), limits[1] - length)
    return start, start + length


def _hexes(piece: HexTerrain, board: Board) -> Points:
    """Return the corners of the hexes of a piece of terrain; empty if the board has no hexes."""
    return (
        tuple(corner for place in piece.hexes for corner in points(board.outline(place)))
        if isinstance(board, HexBoard)
        else ()
    )


def is_shown(mark: DrawnMark, section: Rect) -> bool:
    """Return whether a mark is visible in a section; for the board, whether its edge is."""
    if isinstance(mark, FacingMark):
        return section.holds(mark.at)
    if isinstance(mark, PointMark):
        return any(section.holds(point) for point in mark.points)
    if mark.role == "board":
        window = shapely.box(*section.sides)
        return any(
            shapely.intersects(shapely.LineString(line), window) for line in mark.polylines()
        )
    return any(around(line).grown(MIN_LENGTH).overlaps(section) for line in mark.polylines())


def extent(mark: DrawnMark) -> Points:
    """Return points whose convex hull contains a mark; empty for rays, regions and texts, which adapt to the
    section.
    """
    if mark.role == "ray" or _is_region(mark):
        return ()
    return (
        mark.points
        if isinstance(mark, PointMark)
        else tuple(point for line in mark.polylines() for point in line)
    )


def _is_region(mark: DrawnMark) -> bool:
    """Return whether a mark fills a region of the table: a range, a band, an overlap, or a part beyond the board."""
    return mark.role.partition(".")[0] in REGIONS
