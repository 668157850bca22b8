"""How much drawing a text would cover: a raster of the panel with sums over any box in constant time."""

from collections.abc import Iterable

import numpy as np

from plots.layout.boxes import Box
from plots.layout.frame import Frame
from plots.marks.mark import FacingMark, GridMark, Mark, PointMark, Points
from plots.marks.strokes import strokes
from tabletop.geometry.pose import FloatArray

CELL, STEP, SYMBOL = 0.02, 0.03, 0.05
"""Inches on the page: side of a cell, distance of the samples along a line, radius of a symbol."""
WEIGHTS = {
    "board": 0.05,
    "terrain": 0.03,
    "shadow": 0.0,
    "contour": 0.02,
    "detail": 0.03,
    "start": 0.03,
    "ghost": 0.045,
    "ray": 0.05,
    "unit": 0.15,
    "sight": 0.15,
    "facing": 0.2,
    "align": 0.3,
    "backdrop": 0.0,
    "ground": 0.1,
    "path": 0.5,
    "pushed": 0.5,
    "stepped": 0.5,
    "slid": 0.5,
    "aim": 0.3,
    "loose": 1.0,
    "standing": 0.15,
    "parts": 0.1,
    "tray": 0.0,
    "seen": 0.004,
    "seen_contact": 0.004,
    "figures": 0.0,
    "touching": 0.0,
    "level": 0.012,
    "hexes": 0.012,
    "symbol": 0.05,
    "zone": 0.05,
    "link": 0.1,
}
GRID_WEIGHT, DEFAULT_WEIGHT, POINT_WEIGHT, FACING_WEIGHT, WORD_WEIGHT = 0.022, 0.3, 0.5, 0.5, 0.02
"""Cost of covering a sample of a line of bases, of another line, a picked-out point, a facing mark, a cell of a word."""


class Ink:
    """The cost of covering what marks draw on a panel, summed over boxes given in page inches.

    `boxes` are areas of the panel that hold words which may be covered.
    """

    def __init__(self, marks: Iterable[Mark], frame: Frame, *, boxes: Iterable[Box] = ()) -> None:
        shape = (int(frame.height / CELL) + 2, int(frame.width / CELL) + 2)
        raster = np.zeros(shape)
        for mark in marks:
            samples, weight = _samples(mark, frame)
            cells = np.floor(samples / CELL).astype(int)
            inside = (cells >= 0).all(axis=1) & (cells[:, 1] < shape[0]) & (cells[:, 0] < shape[1])
            np.add.at(raster, (cells[inside, 1], cells[inside, 0]), weight)
        for box in boxes:
            west, south, east, north = (max(0, int(edge / CELL)) for edge in (box.west, box.south, box.east, box.north))
            raster[south : north + 1, west : east + 1] += WORD_WEIGHT
        self._sums = np.zeros((shape[0] + 1, shape[1] + 1))
        self._sums[1:, 1:] = raster.cumsum(axis=0).cumsum(axis=1)

    def under(self, centres: FloatArray, half: FloatArray) -> FloatArray:
        """Sum the cost under boxes of half extents `half`, one or one each, about `centres`, shape (n, 2)."""
        low = np.floor((centres - half) / CELL).astype(int)
        high = np.floor((centres + half) / CELL).astype(int) + 1
        limits = np.array(self._sums.shape)[::-1] - 1
        (west, south), (east, north) = np.clip(low, 0, limits).T, np.clip(high, 0, limits).T
        total: FloatArray = self._sums[north, east] - self._sums[south, east] - self._sums[north, west] + self._sums[south, west]
        return total


def _samples(mark: Mark, frame: Frame) -> tuple[FloatArray, float]:
    """Give points along what a mark draws, in page inches, and what covering one of them costs."""
    word = mark.role.partition(".")[0]
    if isinstance(mark, PointMark):
        return _around(mark.points, frame), POINT_WEIGHT
    if isinstance(mark, FacingMark):
        return frame.all_to_panel(np.array([mark.at])), FACING_WEIGHT
    weight = WEIGHTS.get(word, GRID_WEIGHT if isinstance(mark, GridMark) else DEFAULT_WEIGHT)
    lines = [_along(stroke, frame) for stroke in strokes(mark)] if weight else []
    return np.vstack(lines) if lines else np.empty((0, 2)), weight


def _around(points: Points, frame: Frame) -> FloatArray:
    """Sample the symbol at each point: its middle and a ring about it."""
    bearings = np.arange(8) * np.pi / 4
    ring = np.vstack([np.zeros((1, 2)), SYMBOL * np.column_stack([np.cos(bearings), np.sin(bearings)])])
    return (frame.all_to_panel(np.array(points))[:, None, :] + ring[None, :, :]).reshape(-1, 2)


def _along(points: Points, frame: Frame) -> FloatArray:
    """Sample a polyline on the page at equal steps."""
    vertices = frame.all_to_panel(np.array(points, dtype=float))
    run = np.concatenate([[0.0], np.hypot(*np.diff(vertices, axis=0).T).cumsum()])
    steps = np.linspace(0.0, run[-1], int(run[-1] / STEP) + 2)
    return np.column_stack([np.interp(steps, run, vertices[:, axis]) for axis in (0, 1)])
