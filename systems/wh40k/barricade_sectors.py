"""Parts of the region behind a barricade, seen from an enemy: between two rays, from a conchoid or a circle to the end of the range.

Everything is told in polar coordinates about the enemy: angles in radians, distances in inches.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tabletop.geometry.curve import Curve
from tabletop.geometry.pose import FloatArray, Point

HOLLOW = math.radians(10.0)
"""Radians between two tangents that stand for a hollow curve."""

NARROWEST = 1e-4
"""Radians below which a hollow curve is not divided further."""

CURVE_ERROR = 1e-7
"""Inches by which the arcs that stand for a bulging curve may be off it."""

MOST_ARCS = 128
"""Arcs of one bulging curve."""

LAP, LEAN = 1e-5, 0.05
"""Radians by which a part reaches into the next, and by how much less where it is thin, as a share of how deep it is there."""

THIN = 1e-6
"""Inches: no joint of two tangents lies nearer than this to the end of the range."""

Polar = tuple[float, float]
"""An angle and a distance."""

Row = tuple[FloatArray, float, float]
"""An arc of a curve: its centre, its radius, and the normal at which it starts."""


@dataclass(frozen=True)
class Near:
    """Where a part begins: `offset` inches beyond a line whose foot is `distance` inches away at an angle, or beyond a circle."""

    distance: float
    foot: float | None
    offset: float

    def radius(self, angle: float) -> float:
        """Give how far away it begins at an angle."""
        return self.offset + (self.distance if self.foot is None else self.distance / math.cos(angle - self.foot))

    def slope(self, angle: float) -> float:
        """Give by how many inches per radian that grows."""
        return 0.0 if self.foot is None else self.distance * math.tan(angle - self.foot) / math.cos(angle - self.foot)

    def is_bulging(self, angle: float) -> bool:
        """Tell whether it bulges towards the origin at an angle, so that ways bend round it."""
        return self.foot is not None and abs(math.remainder(angle - self.foot, math.tau)) > self.bend

    @property
    def bend(self) -> float:
        """The angle from the foot of a line at which its conchoid turns from hollow to bulging.

        There k c^3 + 3 c^2 = 2, with the angle's cosine c and the share k of the offset in the distance: found by Newton's method,
        which comes down on it from where there is no offset.
        """
        share, cosine = self.offset / self.distance, math.sqrt(2.0 / 3.0)
        for _ in range(60):
            cosine -= (share * cosine**3 + 3.0 * cosine**2 - 2.0) / (3.0 * share * cosine**2 + 6.0 * cosine)
        return math.acos(cosine)

    def point(self, angle: float) -> FloatArray:
        """Give its point at an angle, about the origin."""
        return _point((angle, self.radius(angle)))

    def tangent(self, angle: float) -> FloatArray:
        """Give the direction in which it runs with growing angles."""
        along, across = self.slope(angle), self.radius(angle)
        ahead = np.array([math.cos(angle), math.sin(angle)])
        way = along * ahead + across * np.array([-ahead[1], ahead[0]])
        return np.asarray(way / math.hypot(along, across))

    def arcs(self, first: float, last: float) -> list[Row]:
        """Give arcs that stand for it where it bulges, from the last angle to the first."""
        count = 2
        while True:
            rows = self._arcs(np.linspace(last, first, count + 1))
            if count >= MOST_ARCS or max(self._off(row, following) for row, following in pairwise(rows)) <= CURVE_ERROR:
                return rows[:-1]
            count *= 2

    def _arcs(self, angles: FloatArray) -> list[Row]:
        """Give pairs of arcs that agree with it in place and direction at angles, then an empty one that holds the last normal."""
        points, normals = [self.point(angle) for angle in angles], [_left(self.tangent(angle)) for angle in angles]
        rows: list[Row] = []
        for (tail, head), (start, end) in zip(pairwise(points), pairwise(normals), strict=True):
            middle = (start + end) / math.hypot(*(start + end))
            early, late = np.linalg.solve(np.column_stack([middle - start, end - middle]), head - tail).tolist()
            rows += [(tail - early * start, early, _angle(start)), (head - late * end, late, _angle(middle))]
        return [*rows, (points[-1], 0.0, _angle(normals[-1]))]

    def _off(self, row: Row, following: Row) -> float:
        """Measure how far the middle of an arc is off it."""
        normal = row[2] + ((following[2] - row[2]) % math.tau) / 2.0
        x, y = (row[0] + row[1] * np.array([math.cos(normal), math.sin(normal)])).tolist()
        angle = math.atan2(y, x)
        return abs(math.hypot(x, y) - self.radius(angle)) / math.hypot(1.0, self.slope(angle) / self.radius(angle))


@dataclass(frozen=True)
class Sector:
    """The part between two angles, less than half a turn apart, from `near` up to `far` inches away."""

    first: float
    last: float
    near: Near
    far: float

    def curves(self, centre: Point, *, is_joined: tuple[bool, bool]) -> Iterator[Curve]:
        """Give convex regions for it about a place; where it is joined to the part before it or after it, they reach into that."""
        if self.near.is_bulging((self.first + self.last) / 2.0):
            whole = (self._end(self.first), self._end(self.last))
            yield self._curve(whole, self.near.arcs(self.first, self.last), centre, is_joined)
            return
        corners = self._hollow()
        for number, ends in enumerate(pairwise(corners)):
            joined = (is_joined[0] or number > 0, is_joined[1] or number + 2 < len(corners))
            yield self._curve(ends, [], centre, joined)

    def goes_on(self, following: "Sector") -> bool:
        """Tell whether another part, at the last angle of this one, begins along the same curve, hollow or bulging like this one."""
        middles = ((part.first + part.last) / 2.0 for part in (self, following))
        is_bulging, other = (self.near.is_bulging(middle) for middle in middles)
        return self.near == following.near and is_bulging == other

    def _end(self, angle: float) -> Polar:
        return angle, self.near.radius(angle)

    def _hollow(self) -> list[Polar]:
        """Give the corners of tangents at angles that stand for a hollow near side."""
        corners = [self._end(self.first)]
        waiting = [(self.first, self.last)]
        while waiting:
            first, last = waiting.pop()
            joint = self._joint(first, last)
            if joint is None or last - first > HOLLOW:
                middle = (first + last) / 2.0
                if last - first > NARROWEST:
                    waiting += [(middle, last), (first, middle)]
                    continue
                joint = self._end(middle)
            corners.append(joint)
        return [*corners, self._end(self.last)]

    def _joint(self, first: float, last: float) -> Polar | None:
        """Give where the tangents at two angles meet; None if that is not between the angles, or beyond the range."""
        ways = np.column_stack([self.near.tangent(first), -self.near.tangent(last)])
        tail = self.near.point(first)
        if abs(np.linalg.det(ways)) <= CURVE_ERROR:
            return None
        x, y = (tail + np.linalg.solve(ways, self.near.point(last) - tail)[0] * ways[:, 0]).tolist()
        angle = first + math.remainder(math.atan2(y, x) - first, math.tau)
        distance = math.hypot(x, y)
        return (angle, distance) if first < angle < last and distance < self.far - THIN else None

    def _curve(self, ends: Sequence[Polar], arcs: list[Row], centre: Point, is_joined: tuple[bool, bool]) -> Curve:
        """Give the convex region between two near corners and the far circle; its near side is straight, or arcs."""
        (first, last), (low, high) = (_point(end) for end in ends), self._laps(ends, is_joined)
        outer = [_point((angle, self.far)) for angle in (low, high)]
        last_normal = _angle(_left(self.near.tangent(ends[0][0]))) if arcs else _normal(last, first)
        rows: list[Row] = [
            (np.zeros(2), self.far, low),
            (outer[1], 0.0, high),
            (last, 0.0, _normal(outer[1], last)),
            *arcs,
            (first, 0.0, last_normal),
            (outer[0], 0.0, _normal(first, outer[0])),
        ]
        centres, radii, starts = zip(*rows, strict=True)
        return Curve(np.array(centres) + np.array(centre), np.array(radii), np.array(starts) % math.tau)

    def _laps(self, ends: Sequence[Polar], is_joined: tuple[bool, bool]) -> Polar:
        """Give the angles at which a region ends at the far circle."""
        laps = [
            min(LAP, LEAN * (self.far - distance) / self.far) if joined else 0.0
            for (_, distance), joined in zip(ends, is_joined, strict=True)
        ]
        return ends[0][0] - laps[0], ends[1][0] + laps[1]


def _point(end: Polar) -> FloatArray:
    return end[1] * np.array([math.cos(end[0]), math.sin(end[0])])


def _left(way: FloatArray) -> FloatArray:
    return np.array([-way[1], way[0]])


def _angle(way: FloatArray) -> float:
    return math.atan2(way[1], way[0])


def _normal(tail: FloatArray, head: FloatArray) -> float:
    """Give the normal to the right of the way from one point to another."""
    return math.atan2(tail[0] - head[0], head[1] - tail[1])
