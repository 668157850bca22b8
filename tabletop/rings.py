"""Convex bodies as rings of vertices: arrays (..., n, 2) in inches, counter-clockwise; one vertex is a point, two a segment.

Leading axes broadcast, so that one call answers for many places of a body.
"""

import numpy as np

from tabletop.pose import FloatArray

SEGMENT = 2
"""Vertices of a segment: its two edges are the same line seen from both sides."""


def ring_gap(first: FloatArray, second: FloatArray) -> FloatArray:
    """Measure the signed gap in inches of convex rings (..., n, 2) and (..., m, 2): negative the least shift that parts them.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> ring_gap(square, np.stack([square + 0.75, square + [4.0, 5.0]])).tolist()
    [-0.25, 5.0]
    """
    separation = ring_separation(first, second)
    apart = np.sqrt(np.minimum(_nearest_squared(first, second), _nearest_squared(second, first)))
    return np.where(np.isfinite(separation) & (separation < 0.0), separation, apart)


def ring_separation(first: FloatArray, second: FloatArray) -> FloatArray:
    """Give the greatest separation in inches of convex rings along an edge's normal: above 0 exactly where they are apart.

    It is the signed gap where they overlap and a lower bound of it where they are apart; -inf for two points.
    """
    return np.maximum(_separation(first, second), _separation(second, first))


def edges(ring: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the unit directions (..., n, 2) and the lengths (..., n) in inches of a ring's edges; direction 0 where length 0."""
    sides = _sides(ring)
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    return sides / np.where(lengths > 0.0, lengths, 1.0)[..., None], lengths


def outward(directions: FloatArray) -> FloatArray:
    """Turn directions (..., 2) of edges into their outward normals: clockwise by a right angle."""
    return np.stack([directions[..., 1], -directions[..., 0]], axis=-1)


def turned(ring: FloatArray, angles: FloatArray) -> FloatArray:
    """Turn a ring (n, 2) about the origin counter-clockwise by each of `angles` (k,) in radians: (k, n, 2)."""
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x, y = ring[:, 0], ring[:, 1]
    return np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1)


def mirrored(ring: FloatArray) -> FloatArray:
    """Mirror rings (..., n, 2) in the x axis; they stay counter-clockwise."""
    flipped: FloatArray = ring[..., ::-1, :] * np.array([1.0, -1.0])
    return flipped


def _sides(ring: FloatArray) -> FloatArray:
    return np.concatenate([ring[..., 1:, :], ring[..., :1, :]], axis=-2) - ring


def _separation(ring: FloatArray, other: FloatArray) -> FloatArray:
    directions, lengths = edges(ring)
    axes = np.swapaxes(outward(directions), -1, -2)
    if ring.shape[-2] == SEGMENT:  # its ends bound it too: collinear segments may lie apart
        axes = np.concatenate([axes, np.swapaxes(directions, -1, -2)], axis=-1)
        lengths = np.concatenate([lengths, lengths], axis=-1)
    between = (other @ axes).min(axis=-2) - (ring @ axes).max(axis=-2)
    greatest: FloatArray = np.where(lengths > 0.0, between, -np.inf).max(axis=-1)
    return greatest


def _nearest_squared(points: FloatArray, ring: FloatArray) -> FloatArray:
    """Squared distance from the nearest of `points` (..., n, 2) to an edge of a ring (..., m, 2), seen from outside."""
    directions, lengths = edges(ring)
    offsets = points[..., :, None, :] - ring[..., None, :, :]
    along = (offsets * directions[..., None, :, :]).sum(axis=-1)
    beyond = offsets - np.clip(along, 0.0, lengths[..., None, :])[..., None] * directions[..., None, :, :]
    squared: FloatArray = (beyond * beyond).sum(axis=-1).min(axis=(-1, -2))
    return squared
