"""Convex polygons as rings of vertices: signed gaps, separation, edge normals, clipping, convex parts.

A ring is an array (..., n, 2) in inches, counter-clockwise; one vertex is a point, two are a segment. Leading axes
broadcast, so that one call measures many places of a body. Internally the vertices are on the first axis and the bodies
on the last, and x and y are separate arrays: reductions over long rows are ten times faster than over pairs.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tabletop.budget import check_deadline
from tabletop.geometry.arrays import BoolArray, FloatArray, lengths_of
from tabletop.geometry.pose import Point

SEGMENT = 2
"""Number of vertices of a segment, whose two edges are the same line from both sides."""

MOST_CORNERS = 32
"""Largest number of corners of one part."""

HalfPlane = tuple[Point, float]
"""All points p with normal . p <= limit."""


class Sides(NamedTuple):
    """Edges of rings, each array (n, ...): start point x, y and length in inches, unit direction (0 for edges of no
    length).
    """

    x: FloatArray
    y: FloatArray
    along_x: FloatArray
    along_y: FloatArray
    length: FloatArray

    @property
    def height(self) -> FloatArray:
        """Signed distance (n, ...) in inches of each edge's line from the origin: positive where the origin is on the
        inner side.
        """
        return self.x * self.along_y - self.y * self.along_x

    @property
    def start(self) -> FloatArray:
        """Position (n, ...) in inches of each edge's start along its line, measured from the foot of the perpendicular
        from the origin.
        """
        return self.x * self.along_x + self.y * self.along_y

    @property
    def distance_squared(self) -> FloatArray:
        """Squared distance (n, ...) of each edge's start from the origin, in square inches."""
        return self.x * self.x + self.y * self.y


def ring_gap(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the signed gap (...) in inches between convex rings (..., n, 2) and (..., m, 2): negative where they
    overlap.

    The depth of an overlap is the length of the least shift that separates the two.

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
    """Return the largest separation (...) in inches of convex rings (..., n, 2) and (..., m, 2) along an edge normal of
    either.

    Where it is negative it equals the signed gap of `ring_gap`, elsewhere it is a lower bound of it. It takes a third
    of the time.
    """
    one, other = _both(first, second)
    greatest: FloatArray = np.maximum(_separation_from(one, other), _separation_from(other, one))
    return greatest


def are_nearer(first: FloatArray, second: FloatArray, *, than: FloatArray) -> BoolArray:
    """Return (N,) whether the signed gap between convex rings i of (N, n, 2) and of (N, m, 2) is less than `than[i]`
    (N,) inches.
    """
    apart = separation(first, second)
    nearer: BoolArray = apart < np.minimum(than, 0.0)
    unsure = np.flatnonzero(~nearer & (apart < than))
    if len(unsure):
        nearer[unsure] = ring_gap(first[unsure], second[unsure]) < than[unsure]
    return nearer


def _both(first: FloatArray, second: FloatArray) -> tuple[Sides, Sides]:
    axes = max(first.ndim, second.ndim)
    return sides(first[(None,) * (axes - first.ndim)]), sides(
        second[(None,) * (axes - second.ndim)]
    )


def sides(ring: FloatArray) -> Sides:
    """Return the edges of rings (..., n, 2), from each vertex to the next, as arrays (n, ...)."""
    axes = ring.ndim
    corners = np.ascontiguousarray(ring.transpose(axes - 1, axes - 2, *range(axes - 2)))
    across = np.empty_like(corners)
    np.subtract(corners[:, 1:], corners[:, :-1], out=across[:, :-1])
    np.subtract(corners[:, 0], corners[:, -1], out=across[:, -1])
    length = np.sqrt(across[0] * across[0] + across[1] * across[1])
    across *= 1.0 / np.where(length > 0.0, length, 1.0)
    return Sides(corners[0], corners[1], across[0], across[1], length)


def _separation_from(ring: Sides, other: Sides) -> FloatArray:
    """Return the largest separation (...) in inches of another ring from a ring along the ring's edge normals; negative
    if none separates.

    The greater of the values for both orders of two rings is positive exactly where they are apart; where they overlap
    it is their signed gap.
    """
    outside = other.x[:, None] * ring.along_y
    outside -= other.y[:, None] * ring.along_x
    between = outside.min(axis=0) - ring.height
    if len(ring.x) == SEGMENT:  # its ends bound it too: collinear segments may lie apart
        beyond = other.x[:, None] * ring.along_x + other.y[:, None] * ring.along_y
        between = np.maximum(between, beyond.min(axis=0) - ring.start - ring.length)
    greatest: FloatArray = np.where(ring.length > 0.0, between, -np.inf).max(axis=0)
    return greatest


def _nearest_squared(points: Sides, ring: Sides) -> FloatArray:
    """Return the least squared distance (...), in square inches, from any vertex of one ring to any edge of the
    other.
    """
    offset_x = points.x[:, None] - ring.x
    offset_y = points.y[:, None] - ring.y
    along = np.minimum(
        np.maximum(offset_x * ring.along_x + offset_y * ring.along_y, 0.0), ring.length
    )
    beyond_x = offset_x - along * ring.along_x
    beyond_y = offset_y - along * ring.along_y
    squared: FloatArray = (beyond_x * beyond_x + beyond_y * beyond_y).min(axis=(0, 1))
    return squared


def edge_normals(ring: FloatArray) -> FloatArray:
    """Return the outward unit normals (n, 2) of a counter-clockwise convex ring (n, 2); none for a single point."""
    if len(ring) < 2:  # noqa: PLR2004
        return np.empty((0, 2))
    edges = next_vertices(ring) - ring
    lengths = lengths_of(edges)
    return (
        np.column_stack([edges[:, 1], -edges[:, 0]])[lengths > 0.0] / lengths[lengths > 0.0, None]
    )


def next_vertices(values: FloatArray) -> FloatArray:
    """Return the array (n, ...) rolled back by one along its first axis, so that entry i holds the vertex after vertex
    i.
    """
    return np.concatenate([values[1:], values[:1]])


def rotated(rings: FloatArray, angles: FloatArray) -> FloatArray:
    """Turn rings (..., n, 2) about the origin counter-clockwise by `angles` (...) in radians; leading axes
    broadcast.
    """
    cos = np.cos(angles)[..., None]
    sin = np.sin(angles)[..., None]
    x = rings[..., 0]
    y = rings[..., 1]
    return np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1)


def reflected(ring: FloatArray) -> FloatArray:
    """Mirror rings (..., n, 2) in the x axis; they stay counter-clockwise."""
    flipped: FloatArray = ring[..., ::-1, :] * np.array([1.0, -1.0])
    return flipped


def stack_padded(rings: Sequence[FloatArray]) -> FloatArray:
    """Stack rings (n_i, 2) into one array (rings, largest n_i, 2), repeating the last vertex of shorter ones."""
    counts = np.array([len(ring) for ring in rings])
    places = (
        np.minimum(np.arange(counts.max()), counts[:, None] - 1)
        + (np.cumsum(counts) - counts)[:, None]
    )
    stacked: FloatArray = np.concatenate(rings)[places]
    return stacked


def clipped(ring: FloatArray, planes: Sequence[HalfPlane]) -> FloatArray:
    """Return the intersection (m, 2) of a convex ring (n, 2) with half-planes; it has no rows if nothing is left."""
    corners: list[Point] = [(float(x), float(y)) for x, y in ring]
    for (normal_x, normal_y), limit in planes:
        outside = [x * normal_x + y * normal_y - limit for x, y in corners]
        kept: list[Point] = []
        for number, (corner, beyond) in enumerate(zip(corners, outside, strict=True)):
            before = corners[number - 1]
            beyond_before = outside[number - 1]
            if (beyond <= 0.0) != (beyond_before <= 0.0):
                share = beyond_before / (beyond_before - beyond)
                kept.append(
                    (
                        before[0] + share * (corner[0] - before[0]),
                        before[1] + share * (corner[1] - before[1]),
                    )
                )
            if beyond <= 0.0:
                kept.append(corner)
        corners = kept
    return np.array(corners).reshape(-1, 2)


def area(ring: FloatArray) -> float:
    """Return the area of a counter-clockwise ring (n, 2) in square inches; 0 if it has less than three corners.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> area(square), area(clipped(square, [((1.0, 0.0), 0.5)]))
    (4.0, 1.0)
    """
    if not len(ring):
        return 0.0
    x, y = (ring - ring[0]).T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2.0


def split_ring(ring: FloatArray) -> Iterator[FloatArray]:
    """Split a convex ring (n, 2) into convex rings of at most MOST_CORNERS corners: slices along its boundary, and the
    interior.

    A body that overlaps the ring by a small depth overlaps one of the parts by the same depth: slices are thick, and
    where two of them meet the interior has a corner.

    Examples
    --------
    >>> angles = np.linspace(0.0, 6.0, 100)
    >>> [len(part) for part in split_ring(np.column_stack([np.cos(angles), np.sin(angles)]))]
    [32, 32, 32, 8, 4]
    """
    while len(ring) > MOST_CORNERS:
        starts = range(0, len(ring), MOST_CORNERS - 1)
        for start in starts:
            part = np.take(
                ring, range(start, min(start + MOST_CORNERS, len(ring) + 1)), axis=0, mode="wrap"
            )
            if len(part) > 2:  # noqa: PLR2004 - two corners are an edge of what is inside
                yield part
        ring = ring[starts]
    if len(ring) > 2:  # noqa: PLR2004
        yield ring


def convex_parts(pieces: Sequence[FloatArray]) -> Sequence[FloatArray]:
    """Merge convex counter-clockwise pieces (n, 2) of a polygon across shared sides where the union is convex, and
    return the parts.

    A part has at most MOST_CORNERS corners unless it is a piece that has more.

    Notes
    -----
    Hertel and Mehlhorn, "Fast triangulation of simple polygons" (1983): at most four times as many parts as are needed.

    Examples
    --------
    >>> square = np.array([[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]])
    >>> [len(part) for part in convex_parts(square)]
    [4]
    """
    if len(pieces) == 1:
        return pieces
    check_deadline()
    rings: dict[int, list[Point]] = {
        number: [(x, y) for x, y in ring.tolist()] for number, ring in enumerate(pieces)
    }
    owner = {side: number for number, ring in rings.items() for side in pairwise([*ring, ring[0]])}
    for start, end in list(owner):
        one = owner[start, end]
        other = owner.get((end, start), -1)
        if (
            start < end
            and other not in (-1, one)
            and (ring := _over(rings[one], rings[other], start, end)) is not None
        ):
            owner |= dict.fromkeys(pairwise([*rings[other], rings[other][0]]), one)
            rings[one] = ring
            del rings[other]
    return [np.array(ring) for ring in rings.values()]


def _over(first: list[Point], second: list[Point], start: Point, end: Point) -> list[Point] | None:
    """Return the union of two convex rings across their side from `start` to `end`; None if it is not convex or has too
    many corners.
    """
    if len(first) + len(second) - 2 > MOST_CORNERS:
        return None
    here = first.index(end)
    there = second.index(start)
    # From `end` all round the first to `start`, then on along the second, back to `end`.
    ring = [*first[here:], *first[:here], *second[there + 1 :], *second[:there]][:-1]
    at_start = len(first) - 1
    at_end = 0
    corners = [
        (ring[place - 1], ring[place], ring[(place + 1) % len(ring)])
        for place in (at_start, at_end)
    ]
    is_convex = all(
        (x - x0) * (y1 - y) - (y - y0) * (x1 - x) >= 0.0 for (x0, y0), (x, y), (x1, y1) in corners
    )
    return ring if is_convex else None
