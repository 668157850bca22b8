"""The arcs of convex bodies: from each corner a ray midway between the normals of its two sides; between the rays a side's arc."""

import math
from collections.abc import Sequence

import numpy as np

from tabletop.geometry.pose import FloatArray, Point
from tabletop.geometry.shape import edge_normals
from tabletop.table.state import Regiment

Rays = tuple[tuple[Point, Point], ...]
HalfPlane = tuple[Point, float]
"""All points p with normal . p <= limit."""


def bisectors(ring: FloatArray) -> FloatArray:
    """Give the unit directions (n, 2) of the rays from the corners of a counter-clockwise convex ring (n, 2)."""
    normals = edge_normals(ring)
    between = normals + np.roll(normals, 1, axis=0)
    return between / np.hypot(between[:, 0], between[:, 1])[:, None]


def arc_rays(ring: FloatArray) -> Rays:
    """Give the rays between the arcs of a ring, as origin and unit direction, in the order of its corners."""
    return tuple(
        ((float(x), float(y)), (float(along_x), float(along_y)))
        for (x, y), (along_x, along_y) in zip(ring.tolist(), bisectors(ring).tolist(), strict=True)
    )


def arc_names(unit: Regiment) -> tuple[tuple[str, float], ...]:
    """Give the names of a regiment's arcs with the directions (radians) in which they lie."""
    turns = (("front", 0.0), ("left", math.pi / 2), ("rear", math.pi), ("right", -math.pi / 2))
    return tuple((name, unit.pose.heading + turn) for name, turn in turns)


def arc(ring: FloatArray, side: int, *, slack: float = 0.0) -> tuple[HalfPlane, ...]:
    """Give the arc of the side that leaves corner `side`, widened by `slack` inches, as the half-planes whose common part it is."""
    return between_rays(ring, side, normals=edge_normals(ring), rays=bisectors(ring), slack=slack)


def between_rays(ring: FloatArray, side: int, *, normals: FloatArray, rays: FloatArray, slack: float = 0.0) -> tuple[HalfPlane, ...]:
    """Give that arc where the ring's normals (n, 2) and bisectors (n, 2) are known."""
    following, normal = (side + 1) % len(ring), normals[side]
    (left_x, left_y), (right_x, right_y) = rays[side], rays[following]
    outward = ((ring[side], (-normal[0], -normal[1])), (ring[side], (left_y, -left_x)), (ring[following], (-right_y, right_x)))
    return tuple(((float(x), float(y)), float(at[0] * x + at[1] * y) + slack) for at, (x, y) in outward)


def clipped(ring: FloatArray, planes: Sequence[HalfPlane]) -> FloatArray:
    """Cut a convex ring (n, 2) with half-planes; the result (m, 2) is empty if nothing is left."""
    corners: list[Point] = [(float(x), float(y)) for x, y in ring]
    for (normal_x, normal_y), limit in planes:
        outside = [x * normal_x + y * normal_y - limit for x, y in corners]
        kept: list[Point] = []
        for number, (corner, beyond) in enumerate(zip(corners, outside, strict=True)):
            before, beyond_before = corners[number - 1], outside[number - 1]
            if (beyond <= 0.0) != (beyond_before <= 0.0):
                share = beyond_before / (beyond_before - beyond)
                kept.append((before[0] + share * (corner[0] - before[0]), before[1] + share * (corner[1] - before[1])))
            if beyond <= 0.0:
                kept.append(corner)
        corners = kept
    return np.array(corners).reshape(-1, 2)


def area(ring: FloatArray) -> float:
    """Give the area of a counter-clockwise ring (n, 2) in square inches; 0 if it has less than three corners.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> area(square), area(clipped(square, arc(square - [0.0, 3.0], 2)))
    (4.0, 4.0)
    """
    if not len(ring):
        return 0.0
    x, y = (ring - ring[0]).T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2.0
