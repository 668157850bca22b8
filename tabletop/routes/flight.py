"""Ways that need no graph: through the air, and around a single disc.

The way through the air is straight in plan; in height it is a taut line over the tops of all that lies below it, or straight through.
The way around a disc is a tangent, an arc, and a tangent again; whether other discs are clear of it is told as well.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.geometry.distance import TOUCHING_LINE, line_gaps
from tabletop.routes.bodies import BOARD
from tabletop.routes.heights import HeightField, Place
from tabletop.routes.lines import Hits, Segments
from tabletop.routes.shortest_path import CHORD
from tabletop.units import CONTACT

ARC_GRAZE = 1e-8
"""Radians by which rounding may bring the end of an arc into a disc that it touches."""

Corner = tuple[float, float]
"""Inches along the way in plan, and height."""


def air_lengths(land: HeightField, start: Place, ends: FloatArray, *, is_taut: bool = True) -> FloatArray:
    """Give the lengths (n,) in inches of the lines `through_the_air` to places (n, 3); inf where a barrier is in the way."""
    away = ends - np.array(start)
    lengths: FloatArray = np.sqrt((away * away).sum(axis=1))
    lines = Segments(np.repeat([start[:2]], len(ends), axis=0), ends[:, :2])
    nobody = np.full(len(ends), BOARD)
    for number in np.unique(land.crossed(lines, nobody, nobody).line):
        points = through_the_air(land, start, (float(ends[number, 0]), float(ends[number, 1]), float(ends[number, 2])), is_taut=is_taut)
        lengths[number] = np.inf if points is None else np.sqrt((np.diff(points, axis=0) ** 2).sum(axis=1)).sum()
    return lengths


def through_the_air(land: HeightField, start: Place, end: Place, *, is_taut: bool = True) -> tuple[Place, ...] | None:
    """Give the points of the shortest line over the straight way between two places; None if a barrier is in its way.

    If it `is_taut` it is nowhere lower than what the footprint overlaps there, else it goes straight, whatever lies below. A barrier
    is in its way where the line, between entering and leaving the barrier in plan, comes to a height that the barrier closes.
    """
    line = Segments(np.array([start[:2]]), np.array([end[:2]]))
    nobody = np.array([BOARD])
    hits = land.crossed(line, nobody, nobody)
    tops = _tops(land, hits, float(line.lengths[0])) if is_taut else []
    string = taut_string((0.0, start[2]), (float(line.lengths[0]), end[2]), tops)
    if _is_stopped(land, hits, np.array(string)):
        return None
    points = line.tails[0] + np.array(string)[:, :1] * line.directions[0]
    return (start, *((float(x), float(y), z) for (x, y), (_, z) in zip(points[1:-1], string[1:-1], strict=True)), end)


def _tops(land: HeightField, hits: Hits, length: float) -> list[Corner]:
    """Give the corners of what the line must pass over: where the way enters and leaves solids."""
    corners = []
    for body, enters, leaves in zip(hits.body, hits.start, hits.end, strict=True):
        if land.tops[body] >= 0:
            height = float(land.heights[land.tops[body]])
            corners += [(max(float(enters), 0.0), height), (min(float(leaves), length), height)]
    return corners


def taut_string(first: Corner, last: Corner, corners: list[Corner]) -> list[Corner]:
    """Give the shortest line from first to last that passes over all corners between them: those that stand out above.

    Examples
    --------
    >>> taut_string((0.0, 0.0), (10.0, 0.0), [(4.0, 3.0), (6.0, 3.0), (5.0, 1.0)])
    [(0.0, 0.0), (4.0, 3.0), (6.0, 3.0), (10.0, 0.0)]
    """
    string: list[Corner] = []
    for corner in [first, *sorted(corners, key=lambda corner: (corner[0], corner[1] if corner[0] <= first[0] else -corner[1])), last]:
        while len(string) > 1:
            before, middle = string[-2:]
            if (middle[1] - before[1]) * (corner[0] - middle[0]) > (corner[1] - middle[1]) * (middle[0] - before[0]):
                break  # it bends down in the middle
            string.pop()
        string.append(corner)
    return string


def _is_stopped(land: HeightField, hits: Hits, string: FloatArray) -> bool:
    """Tell whether a line comes to a closed height inside a barrier."""
    for body, enters, leaves in zip(hits.body, hits.start, hits.end, strict=True):
        inner = string[(string[:, 0] > enters) & (string[:, 0] < leaves), 1]
        heights = np.concatenate([inner, np.interp(np.clip([enters, leaves], 0.0, string[-1, 0]), string[:, 0], string[:, 1])])
        if land.lows[body] <= heights.max() + CONTACT and land.highs[body] >= heights.min() - CONTACT:
            return True
    return False


@dataclass(frozen=True, eq=False)
class Bends:
    """Ways from a point (2,) to `ends` (n, 2) around one disc each: tangent to it, along it, and off it by the shorter side."""

    start: FloatArray
    ends: FloatArray
    centres: FloatArray
    radii: FloatArray

    @cached_property
    def _polar(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Distances of start and ends from the centres, the direction of the start, and the turn from there to the end."""
        out, back = self.start - self.centres, self.ends - self.centres
        near, far = np.hypot(out[:, 0], out[:, 1]), np.hypot(back[:, 0], back[:, 1])
        turn = np.arctan2(out[:, 0] * back[:, 1] - out[:, 1] * back[:, 0], (out * back).sum(axis=1))
        return np.maximum(near, self.radii), np.maximum(far, self.radii), np.arctan2(out[:, 1], out[:, 0]), turn

    @cached_property
    def arcs(self) -> tuple[FloatArray, FloatArray]:
        """Where on the discs the arcs start, and how far they turn, in radians, counter-clockwise when positive."""
        near, far, direction, turn = self._polar
        sense = np.where(turn < 0.0, -1.0, 1.0)
        on, off = np.arccos(self.radii / near), np.arccos(self.radii / far)
        return direction + sense * on, sense * np.maximum(np.abs(turn) - on - off, 0.0)

    @cached_property
    def lengths(self) -> FloatArray:
        """Lengths (n,) of the ways, in inches."""
        near, far, _, _ = self._polar
        tangents = np.sqrt(near * near - self.radii**2) + np.sqrt(far * far - self.radii**2)
        lengths: FloatArray = tangents + self.radii * np.abs(self.arcs[1])
        return lengths

    def points(self, share: float) -> FloatArray:
        """Give points (n, 2) of the arcs: where they start at 0, where they end at 1."""
        angles = self.arcs[0] + share * self.arcs[1]
        on_circle: FloatArray = self.centres + self.radii[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
        return on_circle

    def path(self, number: int) -> tuple[tuple[float, float], ...]:
        """Give points of one way from its start to its end, its arc as short chords."""
        count = max(1, math.ceil(abs(float(self.arcs[1][number])) / CHORD))
        inner = [self.points(step / count)[number] for step in range(count + 1)]
        return tuple((float(x), float(y)) for x, y in (self.start, *inner, self.ends[number]))

    def are_clear(self, centres: FloatArray, radii: FloatArray, own: IntArray) -> BoolArray:
        """Tell which ways (n,) keep out of all discs (m, 2) but their own, number `own` (n,) of them."""
        onto = line_gaps(self.start, self.points(0.0), centres) < radii - TOUCHING_LINE
        off = line_gaps(self.points(1.0), self.ends, centres) < radii - TOUCHING_LINE
        blocked = onto | off | self._arcs_meet(centres, radii)
        blocked[np.arange(len(own)), own] = False
        return np.asarray(~blocked.any(axis=1))

    def _arcs_meet(self, centres: FloatArray, radii: FloatArray) -> BoolArray:
        """Tell which arcs (n,) come into which discs (m, 2): these cover a stretch of the arc's circle that it reaches."""
        away, radius = centres - self.centres[:, None], self.radii[:, None]
        apart = np.maximum(np.hypot(away[..., 0], away[..., 1]), ARC_GRAZE)
        cosine = (apart**2 + radius**2 - radii**2) / (2.0 * apart * radius)
        covered = np.arccos(np.clip(cosine, -1.0, 1.0))
        middle, half = self.arcs[0] + self.arcs[1] / 2.0, np.abs(self.arcs[1]) / 2.0
        off = np.abs(np.remainder(np.arctan2(away[..., 1], away[..., 0]) - middle[:, None] + math.pi, math.tau) - math.pi)
        return np.asarray((cosine < 1.0) & (off < covered + half[:, None] - ARC_GRAZE))
