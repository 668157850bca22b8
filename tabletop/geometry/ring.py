"""Convex bodies as rings of vertices: arrays (..., n, 2) in inches, counter-clockwise; one vertex is a point, two a segment.

Leading axes broadcast, so that one call answers for many places of a body. Inside, the axes are turned about, vertices
first and bodies last, and x and y kept apart: reductions over long rows are ten times faster than over pairs.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.geometry.pose import FloatArray

SEGMENT = 2
"""Vertices of a segment: its two edges are the same line seen from both sides."""


class Sides(NamedTuple):
    """Edges of rings, each array (n, ...): where they start, their unit direction (0 if they have no length), their length."""

    x: FloatArray
    y: FloatArray
    along_x: FloatArray
    along_y: FloatArray
    length: FloatArray

    @property
    def height(self) -> FloatArray:
        """Distance in inches by which the origin lies behind the edge's line."""
        return self.x * self.along_y - self.y * self.along_x

    @property
    def start(self) -> FloatArray:
        """Where the edge starts along its line, in inches from the foot of the origin."""
        return self.x * self.along_x + self.y * self.along_y

    @property
    def distance_squared(self) -> FloatArray:
        """Square of the distance in inches from the origin to where the edge starts."""
        return self.x * self.x + self.y * self.y


def following(values: FloatArray) -> FloatArray:
    """Give the vertices of a ring (n, ...), or numbers of them, each in the place of the one before: of so few `np.roll` is slow."""
    return np.concatenate([values[1:], values[:1]])


def ring_gap(first: FloatArray, second: FloatArray) -> FloatArray:
    """Measure the signed gap in inches of convex rings (..., n, 2) and (..., m, 2): negative the least shift that parts them.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> ring_gap(square, np.stack([square + 0.75, square + [4.0, 5.0]])).tolist()
    [-0.25, 5.0]
    """
    one, other = _both(first, second)
    separation = np.maximum(_separation_from(one, other), _separation_from(other, one))
    apart = np.sqrt(np.minimum(_nearest_squared(one, other), _nearest_squared(other, one)))
    return np.where(np.isfinite(separation) & (separation < 0.0), separation, apart)


def separation(first: FloatArray, second: FloatArray) -> FloatArray:
    """Measure by how much the best line along an edge parts convex rings (..., n, 2) and (..., m, 2), in inches.

    Where it is negative it is their gap; where not, their gap is at least that. It takes a third of the time.
    """
    one, other = _both(first, second)
    greatest: FloatArray = np.maximum(_separation_from(one, other), _separation_from(other, one))
    return greatest


def _both(first: FloatArray, second: FloatArray) -> tuple[Sides, Sides]:
    axes = max(first.ndim, second.ndim)
    return sides(first[(None,) * (axes - first.ndim)]), sides(second[(None,) * (axes - second.ndim)])


def are_nearer(first: FloatArray, second: FloatArray, *, than: FloatArray) -> NDArray[np.bool_]:
    """Tell of each two rings (N, n, 2) and (N, m, 2) whether their gap is less than `than` (N,) inches."""
    apart = separation(first, second)
    nearer: NDArray[np.bool_] = apart < np.minimum(than, 0.0)
    unsure = np.flatnonzero(~nearer & (apart < than))
    if len(unsure):
        nearer[unsure] = ring_gap(first[unsure], second[unsure]) < than[unsure]
    return nearer


def sides(ring: FloatArray) -> Sides:
    """Give the edges of rings (..., n, 2), the vertices as first axis."""
    axes = ring.ndim
    corners = np.ascontiguousarray(ring.transpose(axes - 1, axes - 2, *range(axes - 2)))
    across = np.empty_like(corners)
    np.subtract(corners[:, 1:], corners[:, :-1], out=across[:, :-1])
    np.subtract(corners[:, 0], corners[:, -1], out=across[:, -1])
    length = np.sqrt(across[0] * across[0] + across[1] * across[1])
    across *= 1.0 / np.where(length > 0.0, length, 1.0)
    return Sides(corners[0], corners[1], across[0], across[1], length)


def _separation_from(ring: Sides, other: Sides) -> FloatArray:
    """Give the greatest distance in inches by which all of the other lies outside one of a ring's edges, negative if it cuts all.

    The greater of it both ways is above 0 exactly where two rings are apart, and where they overlap it is their signed gap.
    """
    outside = other.x[:, None] * ring.along_y
    outside -= other.y[:, None] * ring.along_x
    between = outside.min(axis=0) - ring.height
    if len(ring.x) == SEGMENT:  # its ends bound it too: collinear segments may lie apart
        beyond = other.x[:, None] * ring.along_x + other.y[:, None] * ring.along_y
        between = np.maximum(between, beyond.min(axis=0) - ring.start - ring.length)
    greatest: FloatArray = np.where(ring.length > 0.0, between, -np.inf).max(axis=0)
    return greatest


def turned(rings: FloatArray, angles: FloatArray) -> FloatArray:
    """Turn rings (..., n, 2) about the origin counter-clockwise by `angles` (...) in radians; leading axes broadcast."""
    cos, sin = np.cos(angles)[..., None], np.sin(angles)[..., None]
    x, y = rings[..., 0], rings[..., 1]
    return np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1)


def mirrored(ring: FloatArray) -> FloatArray:
    """Mirror rings (..., n, 2) in the x axis; they stay counter-clockwise."""
    flipped: FloatArray = ring[..., ::-1, :] * np.array([1.0, -1.0])
    return flipped


def padded(rings: Sequence[FloatArray]) -> FloatArray:
    """Stack rings into one array (n, m, 2), shorter ones with their last vertex repeated."""
    counts = np.array([len(ring) for ring in rings])
    places = np.minimum(np.arange(counts.max()), counts[:, None] - 1) + (np.cumsum(counts) - counts)[:, None]
    stacked: FloatArray = np.concatenate(rings)[places]
    return stacked


def _nearest_squared(points: Sides, ring: Sides) -> FloatArray:
    """Give the squared distance from the nearest vertex of one ring to the edges of the other, seen from outside."""
    offset_x, offset_y = points.x[:, None] - ring.x, points.y[:, None] - ring.y
    along = np.minimum(np.maximum(offset_x * ring.along_x + offset_y * ring.along_y, 0.0), ring.length)
    beyond_x, beyond_y = offset_x - along * ring.along_x, offset_y - along * ring.along_y
    squared: FloatArray = (beyond_x * beyond_x + beyond_y * beyond_y).min(axis=(0, 1))
    return squared
