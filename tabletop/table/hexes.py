"""Hex boards: flat-top hexes in the same plane as everything else, numbered as printed boards number them.

Columns and rows count from 1, the first hex at the top left, even columns half a hex lower. Corners lie on an integer
lattice, so that hexes that share a corner give exactly the same coordinates for it.
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
    """A board of hexes that are `hex_inches` from one flat side to the opposite one; its lower-left corner is the
    origin of the table.
    """

    columns: int
    rows: int
    hex_inches: float = 1.25

    @classmethod
    def of(cls, columns: int, rows: int, hex_inches: float = 1.25) -> "HexBoard":
        """Return a board that is just as large as its hexes; `hex_inches` is the size of a hex across its flats."""
        width = (3 * columns + 1) * (hex_inches / (2 * math.sqrt(3)))
        return cls(
            width, hex_inches * (rows + (0.5 if columns > 1 else 0.0)), columns, rows, hex_inches
        )

    def holds(self, place: Hex) -> bool:
        """Return whether a hex (column, row) is on the board."""
        return 1 <= place[0] <= self.columns and 1 <= place[1] <= self.rows

    def centre(self, place: Hex) -> Point:
        """Return the table point of the middle of a hex (column, row), in inches."""
        across, down = _lattice(place)
        return self._x(across), self._y(down)

    def outline(self, place: Hex) -> FloatArray:
        """Return the corners (6, 2) of a hex on the table, counter-clockwise, in inches."""
        across, down = _lattice(place)
        return np.array([(self._x(across + right), self._y(down - up)) for right, up in _CORNERS])

    def pose(self, place: Hex, facing: int) -> Pose:
        """Return the pose in the middle of a hex that faces one of its sides; `facing` counts the sides from 0
        clockwise from N.
        """
        return Pose(*self.centre(place), heading(facing))

    def hex_at(self, point: Point) -> Hex:
        """Return the hex (column, row) whose middle is nearest to a table point; it may lie off the board."""
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
    """Return a board unchanged if it has hexes.

    Raises
    ------
    TypeError
        If it has none.
    """
    if not isinstance(board, HexBoard):
        raise TypeError("a board without hexes")
    return board


def _lattice(place: Hex) -> tuple[int, int]:
    """Return the middle of a hex on the lattice: in half radii from the left edge, and half widths across the flats
    from the top.
    """
    column, row = place
    return 3 * column - 1, 2 * row - 1 + (column % 2 == 0)


def heading(facing: int) -> float:
    """Return the heading in radians, in (-pi, pi], of a side of a hex, counted from 0 clockwise from N."""
    return wrapped(math.radians(90.0 - 60.0 * facing))


def side_at(heading_: float) -> int:
    """Return the number of the hex side, from 0 clockwise from N, nearest to a heading in radians."""
    return round((90.0 - math.degrees(heading_)) / 60.0) % len(HEX_FACINGS)


def neighbour(place: Hex, facing: int) -> Hex:
    """Return the hex (column, row) on one side of another, sides counted from 0 clockwise from N; it may lie off the
    board.

    Examples
    --------
    >>> [number(neighbour((5, 7), facing)) for facing in range(6)]
    ['0506', '0606', '0607', '0508', '0407', '0406']
    """
    q, s = _axial(place)
    step_q, step_s = _AXIAL[facing % len(HEX_FACINGS)]
    return q + step_q, s + step_s + (q + step_q + 1) // 2


def direction(start: Hex, end: Hex) -> int | None:
    """Return the side of a hex, counted from 0 clockwise from N, that it shares with another hex; None if the two are
    not neighbours.
    """
    return next(
        (facing for facing in range(len(HEX_FACINGS)) if neighbour(start, facing) == end), None
    )


def distance(first: Hex, second: Hex) -> int:
    """Return the number of steps from one hex to another, each to a neighbour: 0 for the same hex.

    Examples
    --------
    >>> distance((5, 7), (5, 7)), distance((1, 1), (3, 4))
    (0, 4)
    """
    q, s = _axial(first)
    other_q, other_s = _axial(second)
    return max(abs(q - other_q), abs(s - other_s), abs(q + s - other_q - other_s))


def _axial(place: Hex) -> Hex:
    column, row = place
    return column, row - (column + 1) // 2


def number(place: Hex) -> str:
    """Return the number of a hex as printed boards write it: two digits each for column and row.

    Examples
    --------
    >>> number((5, 7))
    '0507'
    """
    return f"{place[0]:02d}{place[1]:02d}"
