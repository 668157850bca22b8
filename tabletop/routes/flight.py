"""Paths through the air: straight in plan, and in height either a taut line over the tops of all that lies below, or
straight.
"""

import numpy as np

from tabletop.geometry.arrays import FloatArray
from tabletop.routes.bodies import BOARD
from tabletop.routes.heights import HeightField, Place
from tabletop.routes.lines import Hits, Segments
from tabletop.units import CONTACT

Corner = tuple[float, float]
"""Inches along the path in plan, and height."""


def air_lengths(
    land: HeightField, start: Place, ends: FloatArray, *, is_taut: bool = True
) -> FloatArray:
    """Return the lengths (n,) in inches of flights from `start` to `ends` (n, 3), places x, y, z; inf where a barrier
    is in the way.

    See `through_the_air` for the flight and `is_taut`.
    """
    away = ends - start
    lengths: FloatArray = np.sqrt((away * away).sum(axis=1))
    lines = Segments(np.repeat([start[:2]], len(ends), axis=0), ends[:, :2])
    nobody = np.full(len(ends), BOARD)
    for number in np.unique(land.crossed(lines, nobody, nobody).line):
        points = through_the_air(
            land,
            start,
            (float(ends[number, 0]), float(ends[number, 1]), float(ends[number, 2])),
            is_taut=is_taut,
        )
        lengths[number] = (
            np.inf if points is None else np.sqrt((np.diff(points, axis=0) ** 2).sum(axis=1)).sum()
        )
    return lengths


def through_the_air(
    land: HeightField, start: Place, end: Place, *, is_taut: bool = True
) -> tuple[Place, ...] | None:
    """Return the points (x, y, z) of the flight, straight in plan, between two places; None if a barrier is in its way.

    If it `is_taut` it is the shortest line that is nowhere lower than the solids below it, else a straight line,
    whatever lies below. A barrier is in its way if the line, between entering and leaving the barrier in plan, comes to
    a height that the barrier closes.
    """
    line = Segments(np.array([start[:2]]), np.array([end[:2]]))
    nobody = np.array([BOARD])
    hits = land.crossed(line, nobody, nobody)
    tops = _tops(land, hits, float(line.lengths[0])) if is_taut else []
    string = taut_string((0.0, start[2]), (float(line.lengths[0]), end[2]), tops)
    if _is_stopped(land, hits, np.array(string)):
        return None
    points = line.tails[0] + np.array(string)[:, :1] * line.directions[0]
    return (
        start,
        *(
            (float(x), float(y), z)
            for (x, y), (_, z) in zip(points[1:-1], string[1:-1], strict=True)
        ),
        end,
    )


def _tops(land: HeightField, hits: Hits, length: float) -> list[Corner]:
    """Return the corners (inches along the path, height) that the line must pass over, where the path enters and leaves
    solids.
    """
    corners = []
    for body, enters, leaves in zip(hits.body, hits.start, hits.end, strict=True):
        if land.tops[body] >= 0:
            height = float(land.heights[land.tops[body]])
            corners += [(max(float(enters), 0.0), height), (min(float(leaves), length), height)]
    return corners


def taut_string(first: Corner, last: Corner, corners: list[Corner]) -> list[Corner]:
    """Return the shortest line from `first` to `last` that passes over all `corners`: the upper convex hull.

    Examples
    --------
    >>> taut_string((0.0, 0.0), (10.0, 0.0), [(4.0, 3.0), (6.0, 3.0), (5.0, 1.0)])
    [(0.0, 0.0), (4.0, 3.0), (6.0, 3.0), (10.0, 0.0)]
    """
    string: list[Corner] = []
    for corner in [
        first,
        *sorted(
            corners,
            key=lambda corner: (corner[0], corner[1] if corner[0] <= first[0] else -corner[1]),
        ),
        last,
    ]:
        while len(string) > 1:
            before, middle = string[-2:]
            if (middle[1] - before[1]) * (corner[0] - middle[0]) > (corner[1] - middle[1]) * (
                middle[0] - before[0]
            ):
                break  # it bends down in the middle
            string.pop()
        string.append(corner)
    return string


def _is_stopped(land: HeightField, hits: Hits, string: FloatArray) -> bool:
    """Return whether a line, points (k, 2) of inches along the path and height, passes through the closed heights of a
    barrier.
    """
    for body, enters, leaves in zip(hits.body, hits.start, hits.end, strict=True):
        inner = string[(string[:, 0] > enters) & (string[:, 0] < leaves), 1]
        heights = np.concatenate(
            [
                inner,
                np.interp(
                    np.clip([enters, leaves], 0.0, string[-1, 0]), string[:, 0], string[:, 1]
                ),
            ]
        )
        if (
            land.lows[body] <= heights.max() + CONTACT
            and land.highs[body] >= heights.min() - CONTACT
        ):
            return True
    return False
