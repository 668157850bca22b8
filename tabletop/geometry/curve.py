"""Convex bodies as closed curves of circular arcs, joined by straight edges, and the bodies that footprints make of
obstacles.

A footprint that keeps its facing overlaps an obstacle exactly where its place lies in the Minkowski sum of the obstacle
and the reflected footprint. For convex bodies bounded by arcs this is again one: where both have the same outward
normal, centres and radii add. Corners are arcs of radius 0. An ellipse is approximated by arcs that agree with it in
place and direction at their joints and deviate between them by about 4e-6 of its long half axis; a curve records how
much (`error`).
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product

import numpy as np

from tabletop.budget import check_deadline
from tabletop.geometry.arrays import FloatArray, cross_product, lengths_of, unit_vectors
from tabletop.geometry.convex import convex_parts
from tabletop.geometry.ellipse import Ellipse, point_gaps
from tabletop.geometry.shape import Shape

OVAL_ARCS = 128
"""Number of arcs of an ellipse; a multiple of four."""

OVALS = 1024
"""Number of ovals whose curves are cached."""

WORST = 1.5
"""Factor by which the error of an ellipse's arcs may exceed that at their middles; at most 1.25."""

SAME_NORMAL = 1e-12
"""Normals of two bodies closer than this, in radians, are equal."""


@dataclass(frozen=True, eq=False)
class ArcCurve:
    """A closed convex curve of circular arcs, counter-clockwise, each followed by a straight edge, perhaps of length 0.

    `centres` (n, 2) and `radii` (n,) are in inches, `starts` (n,) are the angles of the outward normals at which the
    arcs begin, in radians; an arc ends at the normal at which the next one begins. A single arc is a full circle, an
    arc of radius 0 a corner. `error` is by how many inches the curve may deviate from the true body.
    """

    centres: FloatArray
    radii: FloatArray
    starts: FloatArray
    error: float = 0.0

    @cached_property
    def spans(self) -> FloatArray:
        """Angle (n,) in radians through which the outward normal turns on each arc."""
        if len(self.starts) == 1:
            return np.array([math.tau])
        turns = (np.roll(self.starts, -1) - self.starts) % math.tau
        return np.where(turns > math.tau - SAME_NORMAL, 0.0, turns)

    def from_least(self) -> "ArcCurve":
        """Return the same curve with `starts` reduced to [0, 2 pi) radians and the arcs sorted by them."""
        starts = self.starts % math.tau
        order = np.argsort(starts, kind="stable")
        return ArcCurve(self.centres[order], self.radii[order], starts[order], self.error)

    def grown(self, radius: float) -> "ArcCurve":
        """Return the curve moved outward everywhere by `radius` inches (inward if negative): all radii change by as
        much.
        """
        return ArcCurve(self.centres, self.radii + radius, self.starts, self.error)

    def reflected(self) -> "ArcCurve":
        """Return the curve reflected through the origin, which is a half turn about it."""
        return ArcCurve(-self.centres, self.radii, (self.starts + math.pi) % math.tau, self.error)

    def plus(self, other: "ArcCurve") -> "ArcCurve":
        """Return the boundary of the Minkowski sum of this body and another one; their errors add."""
        if len(self.starts) == 1:
            return ArcCurve(
                other.centres + self.centres,
                other.radii + self.radii,
                other.starts,
                other.error + self.error,
            )
        if len(other.starts) == 1:
            return other.plus(self)
        joints = np.sort(np.concatenate([self.starts, other.starts]) % math.tau)
        joints = joints[np.diff(joints, prepend=joints[-1] - math.tau) > SAME_NORMAL]
        middles = joints + ((np.roll(joints, -1) - joints) % math.tau) / 2.0
        mine = self.arcs_at(middles)
        its = other.arcs_at(middles)
        return ArcCurve(
            self.centres[mine] + other.centres[its],
            self.radii[mine] + other.radii[its],
            joints,
            self.error + other.error,
        )

    def arcs_at(self, normals: FloatArray) -> np.ndarray:
        """Return the index (k,) of the arc whose range of outward normals contains each of `normals` (k,), in
        radians.
        """
        order = np.argsort(self.starts % math.tau, kind="stable")
        place = np.searchsorted(self.starts[order] % math.tau, normals % math.tau, side="right") - 1
        return order[place]


def ring_curve(ring: FloatArray) -> ArcCurve:
    """Return a convex counter-clockwise ring (n, 2) as a curve of arcs of radius 0, its corners; one vertex is a circle
    of radius 0.
    """
    edges = np.roll(ring, -1, axis=0) - ring
    kept = ring[lengths_of(edges) > 0.0]
    if not len(kept):
        return ArcCurve(ring[:1], np.zeros(1), np.zeros(1))
    into = kept - np.roll(kept, 1, axis=0)
    normals = np.arctan2(-into[:, 0], into[:, 1]) % math.tau
    turns = (np.roll(normals, -1) - normals) % math.tau
    # rounding may bend a straight side a little either way
    is_corner = (turns > SAME_NORMAL) & (turns < math.tau * 0.75)
    return ArcCurve(kept[is_corner], np.zeros(int(is_corner.sum())), normals[is_corner])


@lru_cache(maxsize=OVALS)
def oval_curve(oval: Ellipse) -> ArcCurve:
    """Return a curve that approximates an ellipse by pairs of arcs (biarcs) between points of it.

    Its `error` is `WORST` times the largest deviation, in inches, measured at the middles of the arcs.
    """
    share = np.linspace(0.0, math.tau, OVAL_ARCS // 2 + 1)
    # joints where the curvature changes: the errors come out even
    stretch = math.sqrt(oval.half_width / oval.half_length)
    joints = np.unwrap(np.arctan2(np.sin(share), stretch * np.cos(share)))
    centres, radii, starts = biarcs(_point(oval, _unit(joints)), joints)
    ahead = oval.along
    placed = centres @ np.array([ahead, [-ahead[1], ahead[0]]]) + oval.centre
    curve = ArcCurve(placed, radii, (starts + oval.heading) % math.tau)
    # a curve leaves the ellipse most near the middles of its arcs
    normals = curve.starts + curve.spans / 2.0
    points = curve.centres + curve.radii[:, None] * unit_vectors(normals)
    return replace(curve, error=WORST * float(np.abs(point_gaps(oval, points)).max()))


def biarcs(points: FloatArray, angles: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return biarcs through `points` (n, 2) at which the outward normals have the given `angles` (n,), in radians.

    A biarc is a pair of arcs between neighbouring points, which meet where the normal has the mean of their angles.
    Returns centres (2n - 2, 2), radii (2n - 2,), and the normals' angles (2n - 2,) at which the arcs start.
    """
    middles = (angles[1:] + angles[:-1]) / 2.0
    start, middle, end = map(_unit, (angles[:-1], middles, angles[1:]))
    first = middle - start
    last = end - middle
    across = points[1:] - points[:-1]
    early = cross_product(across, last) / cross_product(first, last)
    late = cross_product(first, across) / cross_product(first, last)
    centres = np.stack(
        [points[:-1] - early[:, None] * start, points[1:] - late[:, None] * end], axis=1
    ).reshape(-1, 2)
    return (
        centres,
        np.stack([early, late], axis=1).reshape(-1),
        np.stack([angles[:-1], middles], axis=1).reshape(-1),
    )


def _unit(angles: FloatArray) -> FloatArray:
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def _point(oval: Ellipse, normals: FloatArray) -> FloatArray:
    """Return the boundary points (n, 2) of an ellipse with outward unit normals (n, 2), both in the frame of its
    axes.
    """
    axes = np.array([oval.half_length, oval.half_width])
    squared = normals * axes * axes
    point: FloatArray = (
        squared / np.hypot(normals[:, 0] * axes[0], normals[:, 1] * axes[1])[:, None]
    )
    return point


def curves(shape: Shape) -> tuple[ArcCurve, ...]:
    """Return the boundaries of convex bodies whose union is a shape: one for an oval, else one for each convex part."""
    if shape.ellipse is not None:
        return (oval_curve(shape.ellipse).grown(shape.radius),)
    return tuple(ring_curve(ring).grown(shape.radius) for ring in convex_parts(shape.pieces))


def configuration_obstacle(
    obstacle: Shape, footprint: Shape, *, needed: float = 0.0
) -> tuple[ArcCurve, ...]:
    """Return the boundaries inside which the place of a footprint brings it nearer to an obstacle than `needed` inches.

    They bound the Minkowski sums of the obstacle's convex parts with those of the reflected footprint. `footprint` is
    given with its place at the origin and keeps its facing. Curves with an error are grown by it, so that they contain
    the true body.
    """
    reflected = [curve.reflected() for curve in curves(footprint)]
    sums = []
    for one, other in product(curves(obstacle), reflected):
        check_deadline()
        sums.append(one.plus(other))
    return tuple(curve.grown(needed + curve.error) for curve in sums)
