"""Ellipses, exact: the signed gap to points, to convex rings and to each other, all in inches.

The signed gap of two convex bodies is the greatest value, over all unit vectors u, of the least u . (point of the
other) less the greatest u . (point of the ellipse): the width of the widest strip between them. Apart, that is the
distance; overlapping, minus the least shift that separates them. So the best direction u is searched for, and an error
in it costs only its square. Leading axes of points and rings broadcast: one call measures many places of a body.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point

FIRST_NORMALS = 48
"""Number of initial normals of each ellipse in the search for the best direction."""

MOST_SEARCH_STEPS = 40
"""Largest number of search steps; a few suffice, except for points on the long axis between the foci."""

STEP_SETTLED = 1e-8
"""Relative step at which a search ends; convergence is quadratic."""

TURNED = 1e-5
"""Turn in radians at which a search for a direction ends; the error of the gap is of fourth order."""

PAIRS_KEPT = 4096
"""Number of pairs of forms whose directions are cached."""

SAME_AXES_TOLERANCE = 1e-12
"""Radians between the long axes of ellipses that look the same way, and share by which their axes may differ in
ratio."""

AXIS = 1e-13
"""Share of the short half axis by which points are moved off the long axis, where two feet are equally near."""


@dataclass(frozen=True)
class Ellipse:
    """An ellipse on the table: centre and half axes in inches, the long axis along `heading` (radians,
    counter-clockwise from +x).
    """

    centre: Point
    half_length: float
    half_width: float
    heading: float

    @property
    def along(self) -> FloatArray:
        """Unit vector (2,) along the long axis."""
        return np.array([math.cos(self.heading), math.sin(self.heading)])

    def local(self, points: FloatArray) -> FloatArray:
        """Return table points (..., 2), in inches, in the ellipse's frame: origin at its centre, x along its long
        axis.
        """
        ahead = self.along
        result: FloatArray = (points - self.centre) @ np.array([ahead, [-ahead[1], ahead[0]]]).T
        return result

    def reach(self, angles: FloatArray) -> FloatArray:
        """Return the support function in directions `angles`, in radians: how far the ellipse reaches from its centre,
        in inches.
        """
        angle = angles - self.heading
        reach: FloatArray = np.hypot(
            self.half_length * np.cos(angle), self.half_width * np.sin(angle)
        )
        return reach

    def normals(self, count: int) -> FloatArray:
        """Return the angles (count,) in radians of outward normals at points evenly spaced in the parameter: denser
        where it is flat.
        """
        share = np.linspace(0.0, math.tau, count, endpoint=False)
        result: FloatArray = self.heading + np.arctan2(
            self.half_length * np.sin(share), self.half_width * np.cos(share)
        )
        return result

    def outline(self, segments: int) -> FloatArray:
        """Return `segments` points (n, 2) of the boundary, counter-clockwise from the end of the long axis."""
        share = np.linspace(0.0, math.tau, segments, endpoint=False)
        ahead = self.along
        x = self.half_length * np.cos(share)
        y = self.half_width * np.sin(share)
        points: FloatArray = self.centre + np.column_stack(
            [x * ahead[0] - y * ahead[1], x * ahead[1] + y * ahead[0]]
        )
        return points

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Bounding box: least x, least y, greatest x, greatest y, in inches."""
        x, y = self.centre
        wide, high = self.reach(np.array([0.0, math.pi / 2])).tolist()
        return (x - wide, y - high, x + wide, y + high)


def point_gaps(oval: Ellipse, points: FloatArray) -> FloatArray:
    """Return the signed gaps (...) in inches of points (..., 2) to an ellipse: the distance outside it, minus the depth
    inside.

    Examples
    --------
    >>> flat = Ellipse((0.0, 0.0), 2.0, 1.0, 0.0)
    >>> point_gaps(flat, np.array([[3.0, 0.0], [0.0, 0.5], [0.0, 0.0], [2.0, 0.0]])).round(9).tolist()
    [1.0, -0.5, -1.0, 0.0]
    """
    across, slope_x, slope_y = _feet(oval, np.abs(oval.local(points)))
    gaps: FloatArray = (across - oval.half_width**2) * np.hypot(slope_x, slope_y)
    return gaps


def _feet(oval: Ellipse, corner: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Find the boundary points nearest to points (..., 2) in the first quadrant of the ellipse's frame by a monotone
    Newton search.

    The foot f obeys point - f = t (f_x / a^2, f_y / b^2). The search is for t + b^2, which keeps its digits near 0; it
    is done on the inverse length of (f_x / a, f_y / b), which is nearly linear. Returns t + b^2 and the x and y
    components of the outward normal, not of unit length, each (...).
    """
    a = oval.half_length
    b = oval.half_width
    x = corner[..., 0]
    y = np.maximum(corner[..., 1], AXIS * b)
    focal = a * a - b * b
    root = np.maximum(b * y, a * x - focal)
    for _ in range(MOST_SEARCH_STEPS):
        share_x = a * x / (root + focal)
        share_y = b * y / root
        squared = share_x * share_x + share_y * share_y
        step = (
            (np.sqrt(squared) - 1.0)
            * squared
            / (share_x * share_x / (root + focal) + share_y * share_y / root)
        )
        root = root + step
        if np.all(np.abs(step) <= STEP_SETTLED * root):
            break
    return root, x / (root + focal), y / root


def ring_gaps(oval: Ellipse, rings: FloatArray) -> FloatArray:
    """Return the signed gaps (...) in inches of convex rings (..., n, 2), counter-clockwise, to an ellipse; one vertex
    is a point.

    The direction of the gap is that from the ellipse to a vertex, or that of an edge's normal.

    Examples
    --------
    >>> square = np.array([[0.0, -1.0], [2.0, -1.0], [2.0, 1.0], [0.0, 1.0]])
    >>> ring_gaps(Ellipse((0.0, 0.0), 2.0, 1.0, 0.0), square + np.array([[[5.0, 0.0]], [[1.5, 0.0]]])).round(9).tolist()
    [3.0, -0.5]
    """
    if rings.shape[-2] == 1:
        return point_gaps(oval, rings[..., 0, :])
    seen = oval.local(rings)
    edges = np.roll(seen, -1, axis=-2) - seen
    inward = np.arctan2(edges[..., 0], -edges[..., 1])
    angles = np.concatenate([_towards(oval, seen), _beyond(oval, seen), inward], axis=-1)
    cos = np.cos(angles)
    sin = np.sin(angles)
    nearest = (seen[..., None, :, 0] * cos[..., None] + seen[..., None, :, 1] * sin[..., None]).min(
        axis=-1
    )
    gaps: FloatArray = (nearest - np.hypot(oval.half_length * cos, oval.half_width * sin)).max(
        axis=-1
    )
    return gaps


def _towards(oval: Ellipse, seen: FloatArray) -> FloatArray:
    """Return the angles (...) of the ellipse's outward normals at its boundary points nearest to points (..., 2), all
    in its frame.
    """
    _, slope_x, slope_y = _feet(oval, np.abs(seen))
    angles: FloatArray = np.arctan2(
        np.copysign(slope_y, seen[..., 1]), np.copysign(slope_x, seen[..., 0])
    )
    return angles


def _beyond(oval: Ellipse, seen: FloatArray) -> FloatArray:
    """Return the angles (...) of the other directions in which the separation of points (..., 2) is stationary, across
    the long axis.
    """
    return _climbed(oval, None, seen[..., None, :], -_towards(oval, seen)[..., None], math.pi / 4)[
        ..., 0
    ]


def oval_gaps(first: Ellipse, second: Ellipse, shifts: FloatArray) -> FloatArray:
    """Return the signed gaps (...) in inches between an ellipse and a second one shifted by each of `shifts` (..., 2).

    Examples
    --------
    >>> flat, tall = Ellipse((0.0, 0.0), 2.0, 1.0, 0.0), Ellipse((5.0, 0.0), 2.0, 1.0, math.pi / 2)
    >>> oval_gaps(flat, tall, np.array([[0.0, 0.0], [-2.5, 0.0]])).round(9).tolist()
    [2.0, -0.5]
    """
    # ellipses that differ in size and place only make a third of that form, grown by each other
    is_parallel = abs(math.sin(first.heading - second.heading)) <= SAME_AXES_TOLERANCE
    product = first.half_length * second.half_width
    if (
        is_parallel
        and abs(product - second.half_length * first.half_width) <= SAME_AXES_TOLERANCE * product
    ):
        both = Ellipse(
            first.centre,
            first.half_length + second.half_length,
            first.half_width + second.half_width,
            first.heading,
        )
        return point_gaps(both, second.centre + shifts)
    apart = first.local(second.centre + shifts).reshape(-1, 2)
    other = Ellipse(
        (0.0, 0.0), second.half_length, second.half_width, second.heading - first.heading
    )
    fan = _fan(Ellipse((0.0, 0.0), first.half_length, first.half_width, 0.0), other)
    values = apart @ fan.out - fan.width
    scene, place = _peaks(values)
    starts = fan.angles[place][:, None]
    centres = apart[scene][:, None, :]
    best = _strip(
        first, other, centres, _climbed(first, other, centres, starts, fan.spread[place][:, None])
    )[:, 0]
    gaps = np.full(len(values), -np.inf)
    np.maximum.at(gaps, scene, best)
    return gaps.reshape(shifts.shape[:-1])


@dataclass(frozen=True, eq=False)
class _Fan:
    """Directions (n,) in radians from which the search for the best one between two ellipses starts.

    `out` holds them as unit vectors (2, n), `width` (n,) the sum of both support functions in inches, `spread` (n,) the
    angle to the farther neighbour.
    """

    angles: FloatArray
    out: FloatArray
    width: FloatArray
    spread: FloatArray


@lru_cache(maxsize=PAIRS_KEPT)
def _fan(first: Ellipse, other: Ellipse) -> _Fan:
    """Return starting directions for the search between two ellipses centred on the origin, the first with its long
    axis along x.
    """
    angles = np.sort(
        np.concatenate([first.normals(FIRST_NORMALS), other.normals(FIRST_NORMALS)]) % math.tau
    )
    ahead = (np.roll(angles, -1) - angles) % math.tau
    behind = (angles - np.roll(angles, 1)) % math.tau
    out = np.stack([np.cos(angles), np.sin(angles)])
    return _Fan(angles, out, first.reach(angles) + other.reach(angles), np.maximum(ahead, behind))


def _peaks(values: FloatArray) -> tuple[np.ndarray, np.ndarray]:
    """Return row and column indices of the directions to refine, given the separations (k, n) of k pairs in n
    directions about the circle.

    For pairs that are apart it is the best direction, for overlapping ones every local maximum.
    """
    first = values.argmax(axis=1)
    is_apart = values[np.arange(len(values)), first] > 0.0
    apart = np.flatnonzero(is_apart)
    deep = np.flatnonzero(~is_apart)
    if not len(deep):
        return apart, first
    inside = values[deep]
    row, column = np.nonzero(
        (inside >= np.roll(inside, 1, axis=-1)) & (inside >= np.roll(inside, -1, axis=-1))
    )
    return np.concatenate([apart, deep[row]]), np.concatenate([first[apart], column])


def _strip(oval: Ellipse, other: Ellipse, apart: FloatArray, angles: FloatArray) -> FloatArray:
    """Return the separation (...) in inches of two ellipses in directions `angles`, the width of the strip between
    them; negative if none.

    The frame is that of the first ellipse; the centre of the other is at `apart` (..., 2).
    """
    towards = apart[..., 0] * np.cos(angles) + apart[..., 1] * np.sin(angles)
    width: FloatArray = (
        towards
        - np.hypot(oval.half_length * np.cos(angles), oval.half_width * np.sin(angles))
        - other.reach(angles)
    )
    return width


def _climbed(
    oval: Ellipse,
    other: Ellipse | None,
    apart: FloatArray,
    starts: FloatArray,
    spread: FloatArray | float,
) -> FloatArray:
    """Return directions (..., k) of locally greatest separation, by Newton steps from `starts`, none farther than
    `spread` radians from it.

    The frame is that of the ellipse; `apart` is the centre of the other ellipse, or a point if there is no other.
    """
    angles = starts
    for _ in range(MOST_SEARCH_STEPS):
        cos = np.cos(angles)
        sin = np.sin(angles)
        slopes, bends = _reach_bends(oval, cos, sin)
        slope = apart[..., 1] * cos - apart[..., 0] * sin - slopes
        bend = -(apart[..., 0] * cos + apart[..., 1] * sin) - bends
        if other is not None:
            slopes, bends = _reach_bends(
                other, np.cos(angles - other.heading), np.sin(angles - other.heading)
            )
            slope = slope - slopes
            bend = bend - bends
        step = np.where(
            bend < 0.0, -slope / np.where(bend < 0.0, bend, 1.0), np.sign(slope) * spread
        )
        moved = np.clip(angles + step, starts - spread, starts + spread)
        is_settled = bool(np.all(np.abs(moved - angles) <= TURNED))
        angles = moved
        if is_settled:
            break
    return angles


def _reach_bends(oval: Ellipse, cos: FloatArray, sin: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the first and second derivatives of an ellipse's support function by the angle from its long axis, given
    its cosine and sine.

    The second is the radius of curvature less the support function.
    """
    a = oval.half_length
    b = oval.half_width
    reach = np.hypot(a * cos, b * sin)
    slope: FloatArray = (b * b - a * a) * cos * sin / reach
    bend: FloatArray = (a * b) ** 2 / reach**3 - reach
    return slope, bend
