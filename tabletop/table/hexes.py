"""Hex boards: flat-top hexes in the same plane as everything else, numbered as printed boards number them.

Columns and rows count from 1, the first hex at the top left, even columns half a hex lower. Corners lie on an integer lattice,
so that hexes that share a corner give the same number to the last bit.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point, Pose
from tabletop.table.state import Board, Hex
from tabletop.units import wrapped

HexFacing = Literal["N", "NE", "SE", "S", "SW", "NW"]

HEX_FACINGS: tuple[HexFacing, ...] = ("N", "NE", "SE", "S", "SW", "NW")
"""The six sides, clockwise."""

_CORNERS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))

_AXIAL = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


@dataclass(frozen=True)
class HexBoard(Board):
    """A board of hexes that are `hex_inches` across the flats; its lower-left corner is the origin."""

    columns: int
    rows: int
    hex_inches: float = 1.25

    @classmethod
    def of(cls, columns: int, rows: int, hex_inches: float = 1.25) -> "HexBoard":
        """Make a board as large as its hexes."""
        width = (3 * columns + 1) * (hex_inches / (2 * math.sqrt(3)))
        return cls(width, hex_inches * (rows + (0.5 if columns > 1 else 0.0)), columns, rows, hex_inches)

    def holds(self, place: Hex) -> bool:
        """Return whether a hex is on the board."""
        return 1 <= place[0] <= self.columns and 1 <= place[1] <= self.rows

    def centre(self, place: Hex) -> Point:
        """Return the middle of a hex on the table, in inches."""
        across, down = _lattice(place)
        return self._x(across), self._y(down)

    def outline(self, place: Hex) -> FloatArray:
        """Return the corners (6, 2) of a hex, counter-clockwise, in inches."""
        across, down = _lattice(place)
        return np.array([(self._x(across + right), self._y(down - up)) for right, up in _CORNERS])

    def pose(self, place: Hex, facing: int) -> Pose:
        """Return the pose in the middle of a hex; `facing` counts sides clockwise from N."""
        return Pose(*self.centre(place), heading(facing))

    def hex_at(self, point: Point) -> Hex:
        """Return the hex whose middle is nearest to a table point; it may lie off the board."""
        column = round((point[0] / self._x(1) + 1) / 3)
        near = [(other, self._row(other, point[1])) for other in (column - 1, column, column + 1)]
        return min(near, key=lambda place: math.dist(self.centre(place), point))

    def _row(self, column: int, y: float) -> int:
        return round(((self.depth - y) / (self.hex_inches / 2) + 1 - (column % 2 == 0)) / 2)

    def _x(self, across: int) -> float:
        return across * (self.hex_inches / (2 * math.sqrt(3)))

    def _y(self, down: int) -> float:
        return self.depth - down * (self.hex_inches / 2)


def hex_board(board: Board) -> HexBoard:
    """Return a board that is known to have hexes."""
    if not isinstance(board, HexBoard):
        raise TypeError("a board without hexes")
    return board


def _lattice(place: Hex) -> tuple[int, int]:
    """Return a hex's middle in half radii from the left and half flats from the top."""
    column, row = place
    return 3 * column - 1, 2 * row - 1 + (column % 2 == 0)


def heading(facing: int) -> float:
    """Return the heading in radians of a side counted clockwise from N."""
    return wrapped(math.radians(90.0 - 60.0 * facing))


def side_at(heading_: float) -> int:
    """Return the side, counted clockwise from N, that a heading in radians points to."""
    return round((90.0 - math.degrees(heading_)) / 60.0) % len(HEX_FACINGS)


def neighbour(place: Hex, facing: int) -> Hex:
    """Return the hex on one side of another; it may lie off the board.

    Examples
    --------
    >>> [number(neighbour((5, 7), facing)) for facing in range(6)]
    ['0506', '0606', '0607', '0508', '0407', '0406']
    """
    q, s = _axial(place)
    step_q, step_s = _AXIAL[facing % len(HEX_FACINGS)]
    return q + step_q, s + step_s + (q + step_q + 1) // 2


def direction(start: Hex, end: Hex) -> int | None:
    """Return the side of a hex, clockwise from N, at which its neighbour lies; None if they are no neighbours."""
    return next((facing for facing in range(len(HEX_FACINGS)) if neighbour(start, facing) == end), None)


def distance(first: Hex, second: Hex) -> int:
    """Count the hexes from one to another, the first left out.

    Examples
    --------
    >>> distance((5, 7), (5, 7)), distance((1, 1), (3, 4))
    (0, 4)
    """
    (q, s), (other_q, other_s) = _axial(first), _axial(second)
    return max(abs(q - other_q), abs(s - other_s), abs(q + s - other_q - other_s))


def _axial(place: Hex) -> Hex:
    column, row = place
    return column, row - (column + 1) // 2


def number(place: Hex) -> str:
    """Write a hex as printed boards do.

    Examples
    --------
    >>> number((5, 7))
    '0507'
    """
    return f"{place[0]:02d}{place[1]:02d}"
