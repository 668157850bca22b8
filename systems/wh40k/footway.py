"""One footprint's ways at one facing, straight lines in the open first: most are, and those need no search."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from tabletop.crowds import clear_lines
from tabletop.pose import FloatArray
from tabletop.route.ground import Ground
from tabletop.ruling import Spot
from tabletop.shapes import Shape


@dataclass(frozen=True, eq=False)
class Footway:
    """The ground as a footprint at one facing meets it."""

    ground: Ground

    def lengths(self, start: Spot, ends: FloatArray) -> FloatArray:
        """Measure the lengths (n,) in inches of ways from a place to others (n, 3); inf where there is none within reach."""
        away = ends - np.array(start)
        lengths: FloatArray = np.hypot(away[:, 0], away[:, 1]) + np.abs(away[:, 2])
        blocked = ~self._is_clear(start, ends)
        if blocked.any():
            lengths[blocked] = self.ground.lengths(start, ends[blocked])
        return lengths

    def path(self, start: Spot, end: Spot) -> tuple[float, tuple[Spot, ...]]:
        """Give the length in inches and the points of the shortest way between two places; inf and none if there is none."""
        if self._is_clear(start, np.array([end]))[0]:
            return math.dist(start, end), (start, end)
        way = self.ground.way(start, end)
        return (math.inf, ()) if way is None else (way.length, way.points)

    def _is_clear(self, start: Spot, ends: FloatArray) -> np.ndarray:
        """Tell which ends (n,) are reached straight and on the level, clear of discs about everything that hinders."""
        is_level = (ends[:, 2] == 0.0) & (start[2] == 0.0)
        return np.asarray(is_level & clear_lines(np.array(start[:2]), ends[:, :2], self._hindrances[:, :2], self._hindrances[:, 2]))

    @cached_property
    def _hindrances(self) -> FloatArray:
        """Discs (m, 3) about all that hinders, grown by the footprint: centre and radius in inches."""
        x, y, own = _disc_around(self.ground.footprint)
        rows = [_disc_around(piece.shape) for piece in self.ground.solids]
        rows += [(*around[:2], around[2] + wall.needed) for wall in self.ground.barriers for around in [_disc_around(wall.shape)]]
        discs = np.array(rows).reshape(-1, 3)
        discs[:, 2] += own + math.hypot(x, y)
        return discs


def _disc_around(shape: Shape) -> tuple[float, float, float]:
    """Give a disc that holds a shape: centre and radius in inches."""
    if isinstance(shape.core, shapely.Point):
        return shape.core.x, shape.core.y, shape.radius
    west, south, east, north = shape.bounds
    return (west + east) / 2, (south + north) / 2, math.hypot(east - west, north - south) / 2
