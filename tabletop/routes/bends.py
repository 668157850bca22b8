"""Paths around a single disc, which need no visibility graph: a tangent, an arc and a tangent; and tests against other
discs.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tabletop.geometry.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    bearings_of,
    cross_product,
    lengths_of,
    unit_vectors,
)
from tabletop.geometry.distance import TOUCHING_LINE, line_gaps

CHORD = 0.1
"""Angle of a bend, in radians, that one chord of its polyline spans."""

ARC_GRAZE = 1e-8
"""Radians by which rounding may move the end of an arc into a disc that it touches."""


@dataclass(frozen=True, eq=False)
class Bends:
    """Shortest paths from a point `start` (2,) to `ends` (n, 2), each bent around one disc by the shorter side.

    Path i goes around the disc about `centres[i]` (n, 2) with radius `radii[i]` (n,); all lengths are in inches.
    """

    start: FloatArray
    ends: FloatArray
    centres: FloatArray
    radii: FloatArray

    @cached_property
    def _polar(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Distances (n,) of start and ends from the centres in inches; bearing (n,) of the start and angle (n,) from
        there to the end.
        """
        out = self.start - self.centres
        back = self.ends - self.centres
        near = lengths_of(out)
        far = lengths_of(back)
        turn = np.arctan2(cross_product(out, back), (out * back).sum(axis=1))
        return (
            np.maximum(near, self.radii),
            np.maximum(far, self.radii),
            bearings_of(out),
            turn,
        )

    @cached_property
    def arcs(self) -> tuple[FloatArray, FloatArray]:
        """Start angles (n,) of the arcs on the discs, and the angles (n,) that they span, in radians, positive
        counter-clockwise.
        """
        near, far, direction, turn = self._polar
        sense = np.where(turn < 0.0, -1.0, 1.0)
        on = np.arccos(self.radii / near)
        off = np.arccos(self.radii / far)
        return direction + sense * on, sense * np.maximum(np.abs(turn) - on - off, 0.0)

    @cached_property
    def lengths(self) -> FloatArray:
        """Lengths (n,) of the paths in inches: a tangent, an arc and a tangent."""
        near, far, _, _ = self._polar
        tangents = np.sqrt(near * near - self.radii**2) + np.sqrt(far * far - self.radii**2)
        lengths: FloatArray = tangents + self.radii * np.abs(self.arcs[1])
        return lengths

    def points(self, share: float) -> FloatArray:
        """Return one point (n, 2) of each arc: its start at `share` 0, its end at 1, proportionally in between."""
        angles = self.arcs[0] + share * self.arcs[1]
        on_circle: FloatArray = self.centres + self.radii[:, None] * unit_vectors(angles)
        return on_circle

    def path(self, number: int) -> tuple[tuple[float, float], ...]:
        """Return the points (x, y) of path `number` from its start to its end, its arc replaced by chords of at most
        CHORD radians.
        """
        count = max(1, math.ceil(abs(float(self.arcs[1][number])) / CHORD))
        inner = [self.points(step / count)[number] for step in range(count + 1)]
        return tuple((float(x), float(y)) for x, y in (self.start, *inner, self.ends[number]))

    def are_clear(self, centres: FloatArray, radii: FloatArray, own: IntArray) -> BoolArray:
        """Return (n,) which paths stay out of all discs about `centres` (m, 2) of `radii` (m,), where path i may meet
        disc `own[i]`.
        """
        onto = line_gaps(self.start, self.points(0.0), centres) < radii - TOUCHING_LINE
        off = line_gaps(self.points(1.0), self.ends, centres) < radii - TOUCHING_LINE
        blocked = onto | off | self._arcs_meet(centres, radii)
        blocked[np.arange(len(own)), own] = False
        return np.asarray(~blocked.any(axis=1))

    def _arcs_meet(self, centres: FloatArray, radii: FloatArray) -> BoolArray:
        """Return (n, m) whether the arc of path i enters disc j, from the interval of the arc's circle that the disc
        covers.
        """
        away = centres - self.centres[:, None]
        radius = self.radii[:, None]
        apart = np.maximum(lengths_of(away), ARC_GRAZE)
        cosine = (apart**2 + radius**2 - radii**2) / (2.0 * apart * radius)
        covered = np.arccos(np.clip(cosine, -1.0, 1.0))
        middle = self.arcs[0] + self.arcs[1] / 2.0
        half = np.abs(self.arcs[1]) / 2.0
        off = np.abs(
            np.remainder(bearings_of(away) - middle[:, None] + math.pi, math.tau) - math.pi
        )
        return np.asarray((cosine < 1.0) & (off < covered + half[:, None] - ARC_GRAZE))
