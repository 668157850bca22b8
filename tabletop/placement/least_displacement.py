"""Points moved as little as possible while distances stay within limits: a last polish of plans that other means have found.

The minimiser is local and may end anywhere: whoever calls it checks what comes back.
"""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize, nnls

from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray

SMALL = 1e-9
"""Inches below which a distance has no direction."""

ACTIVE = 1e-3
"""Inches from a limit, or from the longest move, at which one is taken to decide."""

MOST_STEPS = 80
"""Steps of the minimiser."""

ALIKE = 12
"""Decimals of inches to which its points are rounded: the last digits of its sums hang on the number of threads."""


@dataclass(frozen=True, eq=False)
class DistanceConstraints:
    """Distances that must stay within limits: between points `first` and `second` (k,), from `low` to `high` (k,) inches.

    Points are numbered; those from the number of moved points on stand still.
    """

    first: IntArray
    second: IntArray
    low: FloatArray
    high: FloatArray

    def slacks(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Measure by how many inches (k,) distances exceed their lower limits and fall short of their upper ones."""
        aside = points[self.first] - points[self.second]
        apart = np.hypot(aside[:, 0], aside[:, 1])
        return apart - self.low, self.high - apart


@dataclass(frozen=True, eq=False)
class Cuts:
    """Half planes in which points must stay: `normals` (k, 2) times places of `points` (k,), plus `offsets` (k,), are not below 0.

    Of those that are `timed` (k,) the longest move is added to that, where it is to be least.
    """

    points: IntArray
    normals: FloatArray
    offsets: FloatArray
    timed: BoolArray

    def slacks(self, points: FloatArray, longest: float) -> FloatArray:
        """Measure how far (k,) in inches places (n, 2) are inside."""
        return np.asarray((self.normals * points[self.points]).sum(axis=1) + self.offsets + longest * self.timed)

    def slopes(self, count: int) -> FloatArray:
        """Give the derivatives (k, 2n) of that by the coordinates of the places."""
        rows = np.zeros((len(self.points), 2 * count))
        for axis in (0, 1):
            rows[np.arange(len(rows)), 2 * self.points + axis] = self.normals[:, axis]
        return rows

    def joined(self, other: "Cuts") -> "Cuts":
        """Add others."""
        own, others = ((one.points, one.normals, one.offsets, one.timed) for one in (self, other))
        return Cuts(*(np.concatenate(pair) for pair in zip(own, others, strict=True)))


NO_CUTS = Cuts(np.empty(0, dtype=np.intp), np.empty((0, 2)), np.empty(0), np.empty(0, dtype=bool))


def least_displacement(
    starts: FloatArray,
    guess: FloatArray,
    fixed: FloatArray,
    links: DistanceConstraints,
    *,
    furthest: bool = False,
    cuts: Cuts = NO_CUTS,
    within: float | None = None,
    steps: int = MOST_STEPS,
) -> FloatArray:
    """Move points (n, 2) from `starts` so that their moves add up to least, or that the longest is least, within all limits.

    `guess` is where the search begins, `fixed` (m, 2) are points that stand still; limits that are infinite or not above 0 are not
    asked, and where both are the same that distance is. Points stay on the near side of `cuts`, and `within` so many inches of the guess
    along both axes. Gives the points (n, 2), which may miss limits.
    """
    count = len(starts)
    exact = np.flatnonzero(links.low == links.high)
    lows = np.flatnonzero((links.low > 0.0) & (links.low < links.high))
    highs = np.flatnonzero(np.isfinite(links.high) & (links.low < links.high))
    extra = np.array([_moves(guess, starts).max(initial=0.0)]) if furthest else np.empty(0)

    def limits(values: FloatArray) -> FloatArray:
        points = np.concatenate([values[: 2 * count].reshape(-1, 2), fixed])
        above, below = links.slacks(points)
        own = values[-1] - _moves(points[:count], starts) if furthest else np.empty(0)
        return np.concatenate([above[lows], below[highs], own, cuts.slacks(points, values[-1])])

    def slopes(values: FloatArray) -> FloatArray:
        points = np.concatenate([values[: 2 * count].reshape(-1, 2), fixed])
        rows = [_slopes(points, links, lows, count), -_slopes(points, links, highs, count)]
        if furthest:
            own = np.zeros((count, 2 * count))
            own[np.repeat(np.arange(count), 2), np.arange(2 * count)] = -_ahead(points[:count], starts).ravel()
            rows = [np.hstack([row, np.zeros((len(row), 1))]) for row in rows] + [np.hstack([own, np.ones((count, 1))])]
        sides = cuts.slopes(count)
        return np.concatenate([*rows, np.column_stack([sides, cuts.timed]) if furthest else sides])

    def misses(values: FloatArray) -> FloatArray:
        return links.slacks(np.concatenate([values[: 2 * count].reshape(-1, 2), fixed]))[0][exact]

    def miss_slopes(values: FloatArray) -> FloatArray:
        rows = _slopes(np.concatenate([values[: 2 * count].reshape(-1, 2), fixed]), links, exact, count)
        return np.hstack([rows, np.zeros((len(rows), 1))]) if furthest else rows

    def cost(values: FloatArray) -> tuple[float, FloatArray]:
        if furthest:
            return float(values[-1]), np.append(np.zeros(2 * count), 1.0)
        points = values.reshape(-1, 2)
        return float(_moves(points, starts).sum()), _ahead(points, starts).ravel()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = minimize(
            cost,
            np.concatenate([guess.ravel(), extra]),
            jac=True,
            method="SLSQP",
            bounds=None if within is None else [(one - within, one + within) for one in guess.ravel()] + [(0.0, None)] * len(extra),
            constraints=[{"type": "ineq", "fun": limits, "jac": slopes}, {"type": "eq", "fun": misses, "jac": miss_slopes}],
            options={"maxiter": steps, "ftol": 1e-12},
        )
    return np.asarray(found.x[: 2 * count].reshape(-1, 2)).round(ALIKE)


def _moves(points: FloatArray, starts: FloatArray) -> FloatArray:
    aside = points - starts
    return np.asarray(np.hypot(aside[:, 0], aside[:, 1]))


def _ahead(points: FloatArray, starts: FloatArray) -> FloatArray:
    """Give the directions (n, 2) in which points move away from their starts, 0 where they stand."""
    aside = points - starts
    return np.asarray(aside / np.maximum(np.hypot(aside[:, 0], aside[:, 1]), SMALL)[:, None])


def _slopes(points: FloatArray, links: DistanceConstraints, which: IntArray, count: int) -> FloatArray:
    """Give the derivatives (k, 2n) of some of the distances by the coordinates of the points that move."""
    first, second = links.first[which], links.second[which]
    ahead = _ahead(points[first], points[second])
    rows = np.zeros((len(which), 2 * len(points)))
    place = np.arange(len(which))
    for axis in (0, 1):
        rows[place, 2 * first + axis] += ahead[:, axis]
        rows[place, 2 * second + axis] -= ahead[:, axis]
    return rows[:, : 2 * count]


def longest_move_bound(starts: FloatArray, points: FloatArray, fixed: FloatArray, links: DistanceConstraints, *, reach: float) -> float:
    """Return a length in inches that the longest of moves from `starts` (n, 2) is at least, wherever they end within the upper limits.

    `points` (n, 2) are ends thought to be best. The multipliers that fit them give a sum of convex functions that no ends make
    less than its tangent there, whether they are best or not: the worse they are, the less is promised. It is at most `reach`.
    """
    everything, moves = np.concatenate([points, fixed]), _moves(points, starts)
    slack = links.slacks(everything)[1]
    tight, far = np.flatnonzero(slack < ACTIVE), np.flatnonzero((moves > moves.max() - ACTIVE) & (moves > SMALL))
    if not len(far):
        return 0.0
    ahead = np.zeros((len(far), len(points), 2))
    ahead[np.arange(len(far)), far] = _ahead(points, starts)[far]
    slopes = np.concatenate([ahead.reshape(len(far), -1), _slopes(everything, links, tight, len(points))])
    sums = np.append(np.ones(len(far)), np.zeros(len(tight)))
    weights, _ = nnls(np.vstack([slopes.T, sums]), np.append(np.zeros(2 * len(points)), 1.0))
    total = float(weights[: len(far)].sum())
    if total <= SMALL:
        return 0.0
    weights /= total
    left = np.hypot(*(weights @ slopes).reshape(-1, 2).T)
    value = float(weights @ np.append(moves[far], -slack[tight]) - left @ (reach + moves))
    return min(max(value, 0.0), reach)


def total_move_bound(starts: FloatArray, points: FloatArray, fixed: FloatArray, links: DistanceConstraints, *, reach: float) -> float:
    """Return a length in inches that moves from `starts` (n, 2) add up to at least, wherever they end within the upper limits.

    As in `longest_move_bound`, `points` (n, 2) are ends thought to be best. Who stays may as well be about to go anywhere.
    """
    everything, moves = np.concatenate([points, fixed]), _moves(points, starts)
    slack = links.slacks(everything)[1]
    tight, goes = np.flatnonzero(slack < ACTIVE), moves > SMALL
    slopes = _slopes(everything, links, tight, len(points))
    ahead = _ahead(points, starts)
    own = np.repeat(goes, 2)
    weights = nnls(slopes[:, own].T, -ahead.ravel()[own])[0] if len(tight) and goes.any() else np.zeros(len(tight))
    left = np.hypot(*(weights @ slopes + ahead.ravel()).reshape(-1, 2).T)
    left = np.where(goes, left, np.maximum(left - 1.0, 0.0))
    return max(float(moves.sum() - weights @ slack[tight] - left @ (reach + moves)), 0.0)
