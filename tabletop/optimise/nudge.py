"""Small moves of points that bring measures within their limits, by successive linear programming."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from tabletop.geometry.arrays import FloatArray, unit_vectors
from tabletop.units import CONTACT

NUDGE_DECIMALS = 12
"""Decimals of inches to which moves are rounded."""

MAX_LINEAR_PROGRAMS = 4
"""Number of successive linear programs."""

DERIVATIVE_STEP = 1e-5
"""Step in inches for central differences of a measure."""

DIRECTIONS = 16
"""Number of sides of the polygon that first approximates the circle of moves."""

CUTS = 12
"""Number of linear programs that cut this polygon to the circle where moves end."""


@dataclass(frozen=True, eq=False)
class Measure:
    """A function of the moves (k, d), in inches, of the points with the indices `points`, and the limits of its
    value.
    """

    points: tuple[int, ...]
    value: Callable[[FloatArray], float]
    low: float = -math.inf
    high: float = math.inf

    def slopes(self, moves: FloatArray) -> FloatArray:
        """Return the derivatives (k, d) of the value by the moves (k, d), as central differences."""
        found = np.zeros_like(moves)
        for place in np.ndindex(*moves.shape):
            aside = np.zeros_like(moves)
            aside[place] = DERIVATIVE_STEP
            found[place] = (self.value(moves + aside) - self.value(moves - aside)) / (
                2.0 * DERIVATIVE_STEP
            )
        return found


def nudged(count: int, measures: Sequence[Measure], *, dimensions: int = 2) -> FloatArray | None:
    """Return small moves (`count`, `dimensions`), in inches, that bring all measures within their limits; None if none
    were found.

    The longest of the moves is made as short as possible, by successive linear programming.
    """
    moves = np.zeros((count, dimensions))
    for _ in range(MAX_LINEAR_PROGRAMS):
        values = np.array([one.value(moves[list(one.points)]) for one in measures])
        within = [
            one.low - CONTACT / 2 <= value <= one.high + CONTACT / 2
            for one, value in zip(measures, values, strict=True)
        ]
        if all(within):
            return moves
        found = _least_step(moves, measures, values)
        if found is None:
            return None
        moves = found
    return None


def _least_step(
    moves: FloatArray, measures: Sequence[Measure], values: FloatArray
) -> FloatArray | None:
    """Return the moves (n, d) that bring the measures, linearised at `moves`, within their limits; None if there are
    none.

    The longest of them is as short as possible.
    """
    count = moves.size
    rows = list[FloatArray]()
    most = list[float]()
    for one, value in zip(measures, values.tolist(), strict=True):
        own = moves[list(one.points)]
        slopes = one.slopes(own)
        row = np.zeros_like(moves)
        row[list(one.points)] = slopes
        start = value - float((slopes * own).sum())
        for sign, limit in ((1.0, one.high), (-1.0, -one.low)):
            if math.isfinite(limit) and np.isfinite(slopes).all():
                rows.append(np.append(sign * row.ravel(), 0.0))
                most.append(limit - sign * start)
    angles = math.tau * np.arange(DIRECTIONS) / DIRECTIONS
    width = moves.shape[1]
    ways = unit_vectors(angles) if width > 1 else np.array([[1.0], [-1.0]])
    rows += [_longest(point, way, count) for point in range(len(moves)) for way in ways]
    goal = np.append(np.zeros(count), 1.0)
    free = [(None, None)] * (count + 1)
    for _ in range(CUTS):
        limits = np.concatenate([most, np.zeros(len(rows) - len(most))])
        found = linprog(goal, A_ub=np.array(rows), b_ub=limits, bounds=free, method="highs")
        if found.status != 0:
            return None
        step = np.asarray(found.x[:count]).reshape(moves.shape)
        longest = float(found.x[count])
        lengths = np.linalg.norm(step, axis=1)
        beyond = np.flatnonzero(lengths > longest + CONTACT / 10).tolist()
        rows += [_longest(point, step[point] / lengths[point], count) for point in beyond]
        if not beyond:
            break
    return step.round(NUDGE_DECIMALS)


def _longest(point: int, way: FloatArray, count: int) -> FloatArray:
    """Return the constraint row that limits a point's move in direction `way` to the longest move, which is the last
    variable.
    """
    row = np.append(np.zeros(count), -1.0)
    row[len(way) * point : len(way) * (point + 1)] = way
    return row
