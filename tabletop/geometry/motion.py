"""Moves of convex bodies in closed form: slides and turns, and where they first come too near to something.

Bodies are rings as in `tabletop.geometry.ring`, a front edge a ring of two vertices. A disc is its centre, its radius added to
`needed`, the gap in inches that must be kept. Angles are radians, `sense` +1 turns counter-clockwise, -1 clockwise. Only a
move that would come nearer than `needed` by more than `CONTACT` is blocked, and then from where the gap is exactly `needed`.
"""

import math
from collections.abc import Sequence

import numpy as np

from tabletop.geometry.pose import FloatArray, Point
from tabletop.geometry.ring import mirrored, ring_gap, sides, turned
from tabletop.units import CONTACT

GAP_ROUNDING = 1e-11
"""Inches. Rounding of lengths on a table: a gap within this of `needed` is `needed`."""

Stretch = tuple[float, float]
Ring = list[tuple[float, float]]
Edge = tuple[float, float, float, float]


def blocked_slide(moving: FloatArray, fixed: FloatArray, *, direction: Point, needed: float) -> Stretch | None:
    """Give the open interval of inches along the unit vector `direction` on which a slide is nearer than `needed`, or None.

    Both bodies are convex, so it is one interval. With `needed` 0 their interiors overlap in it; with less, by so much.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> blocked_slide(square, square + [5.0, 0.5], direction=(1.0, 0.0), needed=0.25)
    (3.75, 6.25)
    >>> blocked_slide(square, square + [5.0, 1.25], direction=(1.0, 0.0), needed=0.25) is None
    True
    """
    there, here, touch = _along(fixed, direction), _along(moving, direction), needed - CONTACT
    if _passes_beside(there, here, max(touch, 0.0)):
        return None
    apart = _differences(there, here)
    if needed <= 0.0:
        return _inset_stretch(apart, needed)
    if touch <= 0.0 and _inset_stretch(apart, needed) is None:
        return None
    return _rounded_stretch(apart, needed)


def _along(ring: FloatArray, direction: Point) -> Ring:
    """Give a ring's vertices as (height, way) across and along `direction`: so few plain floats are faster than arrays."""
    along_x, along_y = direction
    return [(y * along_x - x * along_y, x * along_x + y * along_y) for x, y in ring.tolist()]


def _passes_beside(there: Ring, here: Ring, distance: float) -> bool:
    """Tell whether a slide along the x axis never comes nearer than `distance`."""
    return max(min(there)[0] - max(here)[0], min(here)[0] - max(there)[0]) >= distance


def _differences(first: Ring, second: Ring) -> list[Edge]:
    """Give the convex ring of all vectors from a point of `second` to one of `first`, edge by edge."""
    (right_y, right_x), (low_y, low_x) = min(first), max(second)
    x, y = right_x - low_x, right_y - low_y
    apart = []
    for _, side_x, side_y in sorted(_bearings(first, 1.0) + _bearings(second, -1.0)) or [(0.0, 0.0, 0.0)]:
        apart.append((x, y, side_x, side_y))
        x, y = x + side_x, y + side_y
    return apart


def _bearings(ring: Ring, sign: float) -> list[tuple[float, float, float]]:
    """Give a ring's edges as (bearing in [0, 2 pi), x, y), turned about where `sign` is -1."""
    found = []
    for (y, x), (next_y, next_x) in zip(ring, ring[1:] + ring[:1], strict=True):
        side_x, side_y = sign * (next_x - x), sign * (next_y - y)
        if side_x or side_y:
            found.append((math.atan2(side_y, side_x) % math.tau, side_x, side_y))
    return found


def _inset_stretch(ring: Sequence[Edge], distance: float) -> Stretch | None:
    """Cut the x axis with a ring shrunk by -`distance` inches, edge by edge; None if nothing is left a touch deeper."""
    start, end, deep_start, deep_end = -math.inf, math.inf, -math.inf, math.inf
    for x, y, side_x, side_y in ring:
        length = math.hypot(side_x, side_y)
        level = distance * length + x * side_y - y * side_x
        deep = level - CONTACT * length
        if side_y < 0.0:
            start, deep_start = max(start, level / side_y), max(deep_start, deep / side_y)
        elif side_y > 0.0:
            end, deep_end = min(end, level / side_y), min(deep_end, deep / side_y)
        elif deep <= 0.0:
            return None
    return (start, end) if deep_start < deep_end else None


def _rounded_stretch(ring: Sequence[Edge], radius: float) -> Stretch:
    """Cut the x axis with a ring grown by `radius` inches: with its edges moved outward and the circles about its vertices."""
    found = []
    for x, y, side_x, side_y in ring:
        if abs(y) <= radius:
            half = math.sqrt((radius - y) * (radius + y))
            found += [x - half, x + half]
        outward = radius / (math.hypot(side_x, side_y) or 1.0)
        below = y - outward * side_x
        if side_y != 0.0 and below * (below + side_y) <= 0.0:
            found.append(x + outward * side_y - below / side_y * side_x)
    return min(found), max(found)


def blocked_turns(
    moving: FloatArray, fixed: FloatArray, *, pivot: Point, needed: float = 0.0, until: float = math.pi / 2, sense: int = 1
) -> tuple[Stretch, ...]:
    """Give the stretches of [0, `until`] on which a turn about `pivot` is nearer than `needed`, each as its first and last angle."""
    here, there = _about(pivot, moving, sense=sense), _about(pivot, fixed, sense=sense)
    if _is_out_of_reach(here, there, needed):
        return ()
    passed = _contact_angles(here, there, np.array([needed, needed - CONTACT]))
    angles = np.concatenate([[0.0], np.sort(passed[(passed > 0.0) & (passed < until)]), [until]])
    gaps = ring_gap(turned(here, (angles[1:] + angles[:-1]) / 2.0), there) - needed
    changes = np.flatnonzero(np.diff(np.concatenate([[False], gaps < -GAP_ROUNDING, [False]]).astype(np.int8)))
    return tuple((float(angles[first]), float(angles[last])) for first, last in changes.reshape(-1, 2) if gaps[first:last].min() < -CONTACT)


def _contact_angles(here: FloatArray, there: FloatArray, levels: FloatArray) -> FloatArray:
    found = [_turns_to_edges(here, there, levels), -_turns_to_edges(there, here, levels)]
    if levels.max() > 0.0:
        found.append(_turns_to_vertices(here, there, levels[levels > 0.0]))
    angles = np.concatenate(found) % math.tau
    return np.where(angles < math.tau, angles, 0.0)


def _turns_to_edges(points: FloatArray, ring: FloatArray, levels: FloatArray) -> FloatArray:
    """Turn points (n, 2) about the origin until they are at one of `levels` inches outside an edge, if negative inside its line."""
    edges = sides(ring)
    radii, heights = np.hypot(points[:, 0], points[:, 1])[:, None, None], edges.height[:, None] + levels
    point, edge, level = np.nonzero((radii >= np.abs(heights)) & (radii > 0.0) & (edges.length > 0.0)[:, None])
    radius, height = radii[point, 0, 0], heights[edge, level]
    half, foot = np.arccos(height / radius), np.sqrt((radius - height) * (radius + height))
    middle = np.arctan2(-edges.along_x, edges.along_y)[edge] - np.arctan2(points[:, 1], points[:, 0])[point]
    start, end = (edges.start - CONTACT)[edge], (edges.start + edges.length + CONTACT)[edge]
    is_inside = levels[level] < 0.0
    ahead, behind = is_inside | (start <= foot) & (foot <= end), is_inside | (start <= -foot) & (-foot <= end)
    return np.concatenate([(middle + half)[ahead], (middle - half)[behind]])


def _turns_to_vertices(points: FloatArray, others: FloatArray, levels: FloatArray) -> FloatArray:
    """Turn points (n, 2) about the origin until they are at one of `levels` inches from other points (m, 2)."""
    radii, reaches = np.hypot(points[:, 0], points[:, 1])[:, None, None], np.hypot(others[:, 0], others[:, 1])[:, None]
    is_met = (np.abs(radii - reaches) <= levels) & (radii + reaches >= levels) & (radii * reaches > 0.0)
    point, other, level = np.nonzero(is_met)
    radius, reach = radii[point, 0, 0], reaches[other, 0]
    half = np.arccos(np.clip((radius * radius + reach * reach - levels[level] ** 2) / (2.0 * radius * reach), -1.0, 1.0))
    middle = np.arctan2(others[:, 1], others[:, 0])[other] - np.arctan2(points[:, 1], points[:, 0])[point]
    return np.concatenate([middle + half, middle - half])


def _about(pivot: Point | FloatArray, ring: FloatArray, *, sense: int = 1) -> FloatArray:
    """Give rings with the pivot as origin, mirrored for a clockwise turn so that it becomes counter-clockwise."""
    centred = ring - np.asarray(pivot)
    return centred if sense > 0 else mirrored(centred)


def _is_out_of_reach(here: FloatArray, there: FloatArray, needed: float) -> bool:
    """Tell whether the circle that `here` sweeps about the origin stays farther than `needed` from the box around `there`."""
    reach = math.sqrt(float((here * here).sum(axis=1).max())) + max(needed, 0.0)
    nearest = np.clip(0.0, there.min(axis=0), there.max(axis=0))
    return float(nearest @ nearest) > reach * reach
