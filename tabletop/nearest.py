"""The nearest of some discs to very many points: exact gaps, block by block so that arrays stay in the processor's cache."""

import numpy as np
from numpy.typing import NDArray

from tabletop.pose import FloatArray

BLOCK = 8192
"""Points that are looked at together."""


def nearest_discs(points: FloatArray, centres: FloatArray, radii: FloatArray) -> tuple[FloatArray, NDArray[np.intp]]:
    """Give the gap (n,) in inches from each point (n, 2) to the nearest of discs about `centres` (m, 2), and the number of that disc.

    Examples
    --------
    >>> nearest_discs(np.array([[0.0, 0.0]]), np.array([[5.0, 0.0], [0.0, 7.0]]), np.array([1.0, 4.0]))
    (array([3.]), array([1]))
    """
    gaps, numbers = np.empty(len(points)), np.empty(len(points), dtype=np.intp)
    for start in range(0, len(points), BLOCK):
        x, y = np.ascontiguousarray(points[start : start + BLOCK].T)
        least = _gap(x, y, centres[0], radii[0])
        number = np.zeros(len(x), dtype=np.intp)
        for other in range(1, len(centres)):
            gap = _gap(x, y, centres[other], radii[other])
            number[gap < least] = other
            np.minimum(least, gap, out=least)
        gaps[start : start + BLOCK], numbers[start : start + BLOCK] = least, number
    return gaps, numbers


def _gap(x: FloatArray, y: FloatArray, centre: FloatArray, radius: float) -> FloatArray:
    away: FloatArray = x - centre[0]
    away *= away
    ahead = y - centre[1]
    ahead *= ahead
    away += ahead
    np.sqrt(away, out=away)
    away -= radius
    return away


def least_gaps(points: FloatArray, centres: FloatArray, radii: FloatArray) -> FloatArray:
    """Give the gap (n,) in inches from each point (n, 2) to the nearest of discs about `centres` (m, 2); equal discs are faster.

    Examples
    --------
    >>> least_gaps(np.array([[0.0, 0.0]]), np.array([[5.0, 0.0], [0.0, 7.0]]), np.array([1.0, 1.0]))
    array([4.])
    """
    if (radii != radii[0]).any():
        return nearest_discs(points, centres, radii)[0]
    gaps = np.empty(len(points))
    for start in range(0, len(points), BLOCK):
        x, y = np.ascontiguousarray(points[start : start + BLOCK].T)
        least = np.full(len(x), np.inf)
        away, ahead = np.empty_like(x), np.empty_like(x)
        for centre_x, centre_y in centres.tolist():
            np.subtract(x, centre_x, out=away)
            np.multiply(away, away, out=away)
            np.subtract(y, centre_y, out=ahead)
            np.multiply(ahead, ahead, out=ahead)
            np.add(away, ahead, out=away)
            np.minimum(least, away, out=least)
        gaps[start : start + BLOCK] = np.sqrt(least) - radii[0]
    return gaps
