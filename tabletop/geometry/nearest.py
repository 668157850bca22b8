"""The nearest of some discs to very many points: exact gaps."""

import numpy as np
from numpy.typing import NDArray

from tabletop.geometry.pose import FloatArray


def nearest_discs(points: FloatArray, centres: FloatArray, radii: FloatArray) -> tuple[FloatArray, NDArray[np.intp]]:
    """Give the gap (n,) in inches from each point (n, 2) to the nearest of discs about `centres` (m, 2), and that disc's number.

    Examples
    --------
    >>> nearest_discs(np.array([[0.0, 0.0]]), np.array([[5.0, 0.0], [0.0, 7.0]]), np.array([1.0, 4.0]))
    (array([3.]), array([1]))
    """
    x, y = np.ascontiguousarray(points.T)
    gaps, numbers = np.full(len(points), np.inf), np.zeros(len(points), dtype=np.intp)
    for number, ((centre_x, centre_y), radius) in enumerate(zip(centres.tolist(), radii.tolist(), strict=True)):
        gap = np.hypot(x - centre_x, y - centre_y) - radius
        numbers[gap < gaps] = number
        np.minimum(gaps, gap, out=gaps)
    return gaps, numbers


def gaps_on_grid(x: FloatArray, y: FloatArray, centres: FloatArray, radius: float, *, beyond: float) -> FloatArray:
    """Give the gap (p, q) in inches from each point of a grid to the nearest of equal discs about `centres` (m, 2).

    The coordinates `x` (p,) and `y` (q,) rise. A gap greater than `beyond` is told as `beyond`.

    Examples
    --------
    >>> x, y, centres = np.array([0.0, 1.0, 9.0]), np.array([0.0, 4.0]), np.array([[5.0, 0.0], [0.0, 7.0]])
    >>> gaps_on_grid(x, y, centres, 1.0, beyond=3.5).round(2).tolist()
    [[3.5, 2.0], [3.0, 2.16], [3.0, 3.5]]
    """
    reach = beyond + radius
    least = np.full((len(x), len(y)), reach * reach)
    around_x, around_y = (np.searchsorted(line, [at - reach, at + reach]).T for line, at in zip((x, y), centres.T, strict=True))
    for (centre_x, centre_y), (west, east), (south, north) in zip(centres.tolist(), around_x.tolist(), around_y.tolist(), strict=True):
        squared = np.square(x[west:east, None] - centre_x) + np.square(y[south:north] - centre_y)
        window = least[west:east, south:north]
        np.minimum(window, squared, out=window)
    np.sqrt(least, out=least)
    least -= radius
    return least
