"""Where a barricade lengthens the engagement range of an enemy: the places behind it, seen from that enemy.

A disc that ends or passes there is joined to the enemy's disc by a shortest segment that meets the barricade. Seen in polar
coordinates about the enemy, the places begin where that segment reaches the barricade and end where it is longer than the range.
They begin along conchoids of the barricade's edges. Where these are hollow towards the enemy, a taut way never bends, and tangents hold
it back as the curve does; where they bulge towards the enemy they are told as arcs. Of bases that are not round it is not asked on the way.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from systems.wh40k.barricade_sectors import Near, Sector
from tabletop.geometry.curve import Curve
from tabletop.geometry.pose import FloatArray, Point
from tabletop.geometry.shape import Shape, edge_normals

TIP = 1e-7
"""Inches of depth below which the last tip of the places is left out."""

LEAST_ANGLE = 1e-9
"""Radians below which a part of the places is left out."""


@dataclass(frozen=True)
class Lookout:
    """An enemy's disc with the radius of the discs that come near, and the range across a barricade; all in inches.

    `clearance` is by how much more the range counts, and by how much wider the barricade is taken.
    """

    centre: Point
    radius: float
    mover: float
    reach: float
    clearance: float = 0.0

    @property
    def outer(self) -> float:
        """How far from the enemy's centre the range ends, in inches."""
        return self.radius + self.reach + self.clearance

    def shadows(self, barricade: Shape) -> Iterator[Curve]:
        """Give regions that hold all places of the mover behind a barricade and within range.

        Slivers along hollow near sides are left out: no taut way leads into them from outside.
        """
        for piece in barricade.pieces:
            ring = piece if len(piece) > 1 else barricade.outline()
            yield from self._behind(ring - np.array(self.centre))

    def _behind(self, ring: FloatArray) -> Iterator[Curve]:
        """Give the regions behind a convex ring (n, 2), counter-clockwise, about the enemy's centre."""
        sides = _sides(ring, self.clearance)
        parts = list[Sector | None]()
        for first, last in pairwise(self._breaks(ring, sides)):
            part = self._part(first, last, sides) if last - first > LEAST_ANGLE else None
            if part is not None and parts and parts[-1] is not None and parts[-1].goes_on(part):
                parts[-1] = replace(parts[-1], last=part.last)
            elif last - first > LEAST_ANGLE:
                parts.append(part)
        is_ring = _holds_origin(sides)
        for number, part in enumerate(parts):
            before = parts[number - 1] if number or is_ring else None
            after = parts[(number + 1) % len(parts)] if number + 1 < len(parts) or is_ring else None
            if part is not None:
                yield from part.curves(self.centre, is_joined=(before is not None, after is not None))

    def _part(self, first: float, last: float, sides: FloatArray) -> Sector | None:
        """Give the part of the places between two angles, between which they begin along one curve; None where there are none."""
        middle = (first + last) / 2.0
        cosines = np.cos(middle - sides[:, 1])
        ahead = cosines > 0.0
        leave = float((sides[ahead, 0] / cosines[ahead]).min(initial=math.inf))
        entries = np.where(ahead, -math.inf, sides[:, 0] / np.where(ahead, 1.0, np.minimum(cosines, -LEAST_ANGLE)))
        entry = int(entries.argmax())
        if entries[entry] >= self.outer - TIP or leave < max(self.radius, float(entries[entry])):
            return None
        if entries[entry] <= self.radius:
            return Sector(first, last, Near(self.radius, None, self.mover), self.outer + self.mover)
        near = Near(-float(sides[entry, 0]), float(sides[entry, 1]) + math.pi, self.mover)
        return Sector(first, last, near, self.outer + self.mover)

    def _breaks(self, ring: FloatArray, sides: FloatArray) -> list[float]:
        """Give the angles, in order, between which places begin along one curve or not at all."""
        apart = np.hypot(ring[:, 0], ring[:, 1])
        wider = np.arcsin(np.minimum(self.clearance / np.maximum(apart, LEAST_ANGLE), 1.0))
        corners = np.arctan2(ring[:, 1], ring[:, 0])
        if _holds_origin(sides):
            first, last = float(corners[0]), float(corners[0]) + math.tau
        else:
            middle = math.atan2(*ring.mean(axis=0)[::-1])
            off = np.remainder(corners - middle + math.pi, math.tau) - math.pi
            first, last = middle + float((off - wider).min()), middle + float((off + wider).max())
        inner = [first + (angle - first) % math.tau for angle in self._bends(sides)]
        return [first, *sorted(angle for angle in inner if angle < last), last]

    def _bends(self, sides: FloatArray) -> Iterator[float]:
        """Give the angles at which the curve along which places begin may change."""
        following = np.roll(sides, -1, axis=0)
        for (distance, normal), (other, its) in zip(sides.tolist(), following.tolist(), strict=True):
            yield _corner(distance, normal, other, its)
            foot = normal if distance > 0.0 else normal + math.pi
            off = [math.acos(abs(distance) / limit) for limit in (self.radius, self.outer - TIP) if abs(distance) < limit]
            off += [Near(-distance, foot, self.mover).bend] if distance < 0.0 else []
            yield from (foot + sign * one for one in off for sign in (-1.0, 1.0))


def _sides(ring: FloatArray, clearance: float) -> FloatArray:
    """Give the lines (n, 2) along the sides of a convex ring that is made wider: distance from the origin along the normal, its angle."""
    normals = edge_normals(ring)
    is_side = np.hypot(*(np.roll(ring, -1, axis=0) - ring).T) > 0.0
    distances = (normals * ring[is_side]).sum(axis=1) + clearance
    return np.column_stack([distances, np.arctan2(normals[:, 1], normals[:, 0])])


def _corner(distance: float, normal: float, other: float, its: float) -> float:
    """Give the angle at which two lines meet."""
    x = distance * math.sin(its) - other * math.sin(normal)
    y = other * math.cos(normal) - distance * math.cos(its)
    return math.atan2(y, x)


def _holds_origin(sides: FloatArray) -> bool:
    """Tell whether the origin lies within all sides."""
    return bool((sides[:, 0] >= 0.0).all())
