"""How much drawing a text would cover: a raster of the panel with sums over any box in constant time."""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from plots.frame import Frame
from plots.marks import Arrow, DimensionLine, FacingMark, Grid, Line, Mark, Outline, PointMark, Points, Ray, WheelArc
from plots.section import arc_points
from tabletop.pose import FloatArray

CELL, STEP, SYMBOL = 0.02, 0.03, 0.05
"""Inches on the page: side of a cell, distance of the samples along a line, radius of a symbol."""
WEIGHTS = {
    "board": 0.05,
    "terrain": 0.03,
    "start": 0.03,
    "ghost": 0.045,
    "ray": 0.05,
    "unit": 0.15,
    "sight": 0.15,
    "facing": 0.2,
    "align": 0.3,
    "path": 0.5,
}
GRID_WEIGHT, DEFAULT_WEIGHT, POINT_WEIGHT, FACING_WEIGHT = 0.022, 0.3, 0.5, 0.5
"""Cost of covering a sample of a line of bases, of another line, a picked-out point, a facing mark."""


class Ink:
    """The cost of covering what marks draw on a panel, summed over boxes given in page inches."""

    def __init__(self, marks: Iterable[Mark], frame: Frame) -> None:
        shape = (int(frame.height / CELL) + 2, int(frame.width / CELL) + 2)
        raster = np.zeros(shape)
        for mark in marks:
            samples, weight = _samples(mark, frame)
            cells = np.floor(samples / CELL).astype(int)
            inside = (cells >= 0).all(axis=1) & (cells[:, 1] < shape[0]) & (cells[:, 0] < shape[1])
            np.add.at(raster, (cells[inside, 1], cells[inside, 0]), weight)
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


def _samples(mark: Mark, frame: Frame) -> tuple[FloatArray, float]:  # noqa: PLR0911 - one kind of mark, one line
    """Give points along what a mark draws, in page inches, and what covering one of them costs."""
    weight = WEIGHTS.get(mark.role.partition(".")[0], DEFAULT_WEIGHT)
    match mark:
        case Outline(ring=ring):
            return _along((*ring, ring[0]), frame), weight
        case Grid(rings=rings):
            return np.vstack([_along((*ring[:3],), frame) for ring in rings]), GRID_WEIGHT
        case Line(points=points):
            return _along(points, frame), weight
        case Arrow(start=start, end=end):
            return _along((start, end), frame), weight
        case DimensionLine():
            return _along(mark.drawn, frame), weight
        case Ray(origin=origin):
            return _along((origin, mark.end), frame), weight
        case WheelArc():
            return _along(arc_points(mark, 24), frame), weight
        case PointMark(points=points):
            return _around(points, frame), 0.03 if mark.role.startswith("touching") else POINT_WEIGHT
        case FacingMark(at=at):
            return frame.all_to_panel(np.array([at])), FACING_WEIGHT
        case _:
            return np.empty((0, 2)), 0.0


def _around(points: Points, frame: Frame) -> FloatArray:
    """Sample the symbol at each point: its middle and a ring about it."""
    bearings = np.arange(8) * np.pi / 4
    ring = np.vstack([np.zeros((1, 2)), SYMBOL * np.column_stack([np.cos(bearings), np.sin(bearings)])])
    return (frame.all_to_panel(np.array(points))[:, None, :] + ring[None, :, :]).reshape(-1, 2)


def _along(points: Points, frame: Frame) -> FloatArray:
    """Sample a polyline on the page at equal steps."""
    vertices = frame.all_to_panel(np.array(points, dtype=float))
    parts = []
    for start, end in pairwise(vertices):
        count = int(np.hypot(*(end - start)) / STEP) + 2
        parts.append(start + np.linspace(0.0, 1.0, count)[:, None] * (end - start))
    return np.vstack(parts)
