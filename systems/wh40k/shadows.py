"""Where a barricade lengthens the engagement range of an enemy: the places behind it, seen from that enemy.

A disc that ends or passes there is joined to the enemy's disc by a shortest segment that meets the barricade. Seen in polar
coordinates about the enemy, the places begin where that segment reaches the barricade and end where it is longer than the range.
They are told as slices that overlap a little and hold all of them; of bases that are not round it is not asked on the way.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tabletop.pose import FloatArray, Point
from tabletop.route.curves import Curve
from tabletop.shapes import Shape

SLICE = math.radians(8.0)
"""Radians that one slice spans at most: where it begins it is off by little more than a thousandth of an inch."""

NARROWEST = math.radians(0.5)
"""Radians below which no slice is divided further."""

STEEP = 0.25
"""Inches by which the two sides of a slice may begin at different distances."""

DUST = 1e-7
"""Radians by which rays pass a corner, and the share of an edge by which rounding may make them miss it."""

LAP = 1e-4
"""Radians by which a slice reaches into the next."""


@dataclass(frozen=True)
class Lookout:
    """An enemy's disc with the radius of the discs that come near, and the range across a barricade; all in inches."""

    centre: Point
    radius: float
    mover: float
    reach: float
    clearance: float = 0.0

    def shadows(self, barricade: Shape) -> Iterator[Curve]:
        """Give regions that hold all places of the mover behind a barricade and within range."""
        for piece in barricade.pieces:
            ring = piece if len(piece) > 1 else barricade.outline()
            yield from self._behind(ring - np.array(self.centre))

    def _behind(self, ring: FloatArray) -> Iterator[Curve]:
        """Give the regions behind a convex ring (n, 2) about the enemy's centre."""
        if _holds_origin(ring):
            return
        outer = self.radius + self.reach + self.clearance
        for first, last in _slices(ring):
            crossed = [_crossed(ring, angle) for angle in (first + DUST, last - DUST)]
            if min(entry for entry, _ in crossed) < outer and max(leave for _, leave in crossed) >= self.radius:
                near = [min(max(entry, self.radius) + self.mover - self.clearance, outer + self.mover - DUST) for entry, _ in crossed]
                yield self._slice((near[0], first - LAP), (near[1], last + LAP), outer + self.mover)

    def _slice(self, first: tuple[float, float], last: tuple[float, float], far: float) -> Curve:
        """Give the region between two rays, each begun at a distance and an angle, and a circle at distance `far`."""
        (near, start), (other, end) = first, last
        corners = [self._point(near, start), self._point(far, start), self.centre, self._point(far, end), self._point(other, end)]
        back = np.array(corners[0]) - np.array(corners[4])
        normals = [math.atan2(-back[0], back[1]), start - math.pi / 2, start, end, end + math.pi / 2]
        return Curve(np.array(corners), np.array([0.0, 0.0, far, 0.0, 0.0]), np.array(normals) % math.tau)

    def _point(self, distance: float, angle: float) -> Point:
        return (self.centre[0] + distance * math.cos(angle), self.centre[1] + distance * math.sin(angle))


def _slices(ring: FloatArray) -> Iterator[tuple[float, float]]:
    """Divide the directions in which a convex ring lies, seen from the origin, at its corners and further; in radians."""
    middle = math.atan2(*ring.mean(axis=0)[::-1])
    off = np.remainder(np.arctan2(ring[:, 1], ring[:, 0]) - middle + math.pi, math.tau) - math.pi
    for first, last in pairwise(np.unique(off).tolist()):
        yield from _divided(ring, middle + first, middle + last)


def _divided(ring: FloatArray, first: float, last: float) -> Iterator[tuple[float, float]]:
    """Divide a slice until it is narrow, and over its width the ring's near side is about equally far."""
    near, far = (_crossed(ring, angle)[0] for angle in (first + DUST, last - DUST))
    if last - first <= NARROWEST or (last - first <= SLICE and abs(near - far) <= STEEP):
        yield first, last
        return
    yield from _divided(ring, first, (first + last) / 2.0)
    yield from _divided(ring, (first + last) / 2.0, last)


def _crossed(ring: FloatArray, angle: float) -> tuple[float, float]:
    """Give how far from the origin a ray enters and leaves a convex ring (n, 2); along its flank it may only just meet it."""
    direction = np.array([math.cos(angle), math.sin(angle)])
    following = np.roll(ring, -1, axis=0)
    edges = following - ring
    across = direction[0] * edges[:, 1] - direction[1] * edges[:, 0]
    safe = np.where(across == 0.0, 1.0, across)
    along = (ring[:, 0] * edges[:, 1] - ring[:, 1] * edges[:, 0]) / safe
    share = (ring[:, 0] * direction[1] - ring[:, 1] * direction[0]) / safe
    met = (across != 0.0) & (share >= -DUST) & (share <= 1.0 + DUST) & (along > 0.0)
    return float(along[met].min(initial=math.inf)), float(along[met].max(initial=0.0))


def _holds_origin(ring: FloatArray) -> bool:
    """Tell whether the origin lies in a convex ring, counter-clockwise."""
    following = np.roll(ring, -1, axis=0)
    return bool((ring[:, 0] * following[:, 1] - ring[:, 1] * following[:, 0] >= 0.0).all())
