"""Convex parts of polygons with very many corners: few parts, each of few corners.

What is asked of convex bodies takes time by the product of their corners, and bodies that are asked together are padded to the
corners of the greatest. So a ring of 2,000 corners is cut into slices, and triangles are joined where they stay convex.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from tabletop.geometry.pose import FloatArray

Corner = tuple[float, float]

MOST_CORNERS = 32
"""Corners of one part; polygons that have no more are parted as they always were."""


def slices(ring: FloatArray) -> Iterator[FloatArray]:
    """Cut a convex ring (n, 2) into convex rings of at most MOST_CORNERS corners: slices along its boundary, and what is inside of them.

    A body that overlaps the whole by little overlaps one of them by as much: slices are thick, and where they meet the inside has
    a corner.

    Examples
    --------
    >>> angles = np.linspace(0.0, 6.0, 100)
    >>> [len(part) for part in slices(np.column_stack([np.cos(angles), np.sin(angles)]))]
    [32, 32, 32, 8, 4]
    """
    while len(ring) > MOST_CORNERS:
        starts = range(0, len(ring), MOST_CORNERS - 1)
        for start in starts:
            part = np.take(ring, range(start, min(start + MOST_CORNERS, len(ring) + 1)), axis=0, mode="wrap")
            if len(part) > 2:  # noqa: PLR2004 - two corners are an edge of what is inside
                yield part
        ring = ring[starts]
    if len(ring) > 2:  # noqa: PLR2004
        yield ring


def joined(triangles: FloatArray) -> list[FloatArray]:
    """Join triangles (n, 3, 2) of one polygon, counter-clockwise, over sides they share: convex rings of at most MOST_CORNERS corners.

    Examples
    --------
    >>> square = np.array([[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]])
    >>> [len(ring) for ring in joined(square)]
    [4]
    """
    rings: dict[int, list[Corner]] = {number: [(x, y) for x, y in ring] for number, ring in enumerate(triangles.tolist())}
    owner = {side: number for number, ring in rings.items() for side in pairwise([*ring, ring[0]])}
    for start, end in list(owner):
        one, other = owner[start, end], owner.get((end, start), -1)
        if start < end and other not in (-1, one) and (ring := _over(rings[one], rings[other], start, end)) is not None:
            owner |= dict.fromkeys(pairwise([*rings[other], rings[other][0]]), one)
            rings[one] = ring
            del rings[other]
    return [np.array(ring) for ring in rings.values()]


def _over(first: list[Corner], second: list[Corner], start: Corner, end: Corner) -> list[Corner] | None:
    """Join two convex rings over the side from `start` to `end` of the first; None where that is not convex, or has too many corners."""
    if len(first) + len(second) - 2 > MOST_CORNERS:
        return None
    here, there = first.index(end), second.index(start)
    # From `end` all round the first to `start`, then on along the second, back to `end`.
    ring = [*first[here:], *first[:here], *second[there + 1 :], *second[:there]][:-1]
    at_start, at_end = len(first) - 1, 0
    corners = [(ring[place - 1], ring[place], ring[(place + 1) % len(ring)]) for place in (at_start, at_end)]
    return ring if all(_turns_left(*corner) for corner in corners) else None


def _turns_left(before: Corner, here: Corner, after: Corner) -> bool:
    return (here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (after[0] - here[0]) >= 0.0
