"""One footprint's ways at one facing: straight in the open, around a single disc, and only else by a search."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
import shapely

from tabletop.geometry.curve import Curve
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.shape import Shape
from tabletop.routes.configuration_space import Barrier, ConfigurationSpace
from tabletop.routes.detour import Bends
from tabletop.routes.flight import air_lengths, through_the_air
from tabletop.ruling.charge import Spot
from tabletop.table.crowd import TOUCHING_LINE, BoolArray, line_gaps
from tabletop.units import CONTACT


@dataclass(frozen=True, eq=False)
class FootprintWays:
    """The ground as a footprint at one facing meets it.

    Attributes
    ----------
    ground
        All that hinders it.
    air
        From and to where it may go through the air as well.
    is_taut
        Whether a way through the air bends round the edges of what lies below it.
    low
        Inches: going up to a place no higher, or down from it, costs nothing on foot.
    """

    ground: ConfigurationSpace
    air: Literal["nowhere", "terrain", "anywhere"] = "nowhere"
    is_taut: bool = True
    low: float = 0.0
    _known: dict[Spot, dict[Spot, float]] = field(default_factory=dict, init=False, repr=False)

    def lengths(self, start: Spot, ends: FloatArray) -> FloatArray:
        """Measure the lengths (n,) in inches of ways from a place to others (n, 3); inf where there is none within reach."""
        lengths = self._on_foot(self._lowered(start), np.column_stack([ends[:, :2], np.where(ends[:, 2] <= self.low, 0.0, ends[:, 2])]))
        flies = self._flies(start, ends)
        if flies.any():
            lengths[flies] = np.minimum(lengths[flies], air_lengths(self.ground.land, start, ends[flies], is_taut=self.is_taut))
        return lengths

    def are_straight(self, start: Spot, ends: FloatArray) -> BoolArray:
        """Tell to which places (n, 3) nothing is near a straight way along the ground."""
        return np.asarray(~self._obstructed(start, ends)[0].any(axis=1))

    def path(self, start: Spot, end: Spot) -> tuple[float, tuple[Spot, ...]]:
        """Give the length in inches and the points of the shortest way between two places; inf and none if there is none."""
        on_foot = self._path_on_foot(self._lowered(start), self._lowered(end))
        if on_foot[1]:
            on_foot = (on_foot[0], tuple(dict.fromkeys((start, *on_foot[1], end))))
        if not self._flies(start, np.array([end]))[0]:
            return on_foot
        points = through_the_air(self.ground.land, start, end, is_taut=self.is_taut)
        if points is None:
            return on_foot
        return min(on_foot, (float(np.sqrt((np.diff(points, axis=0) ** 2).sum(axis=1)).sum()), points))

    def _lowered(self, spot: Spot) -> Spot:
        """Put a place on the table that is no higher than what costs nothing."""
        return (spot[0], spot[1], 0.0) if spot[2] <= self.low else spot

    def _flies(self, start: Spot, ends: FloatArray) -> BoolArray:
        """Tell to which places (n, 3) the way may lead through the air."""
        if self.air == "terrain":
            return np.asarray(np.maximum(ends[:, 2], start[2]) > CONTACT)
        return np.full(len(ends), self.air == "anywhere")

    def _on_foot(self, start: Spot, ends: FloatArray) -> FloatArray:
        """Measure ways (n,) along the ground, climbs included."""
        away = ends - np.array(start)
        lengths: FloatArray = np.hypot(away[:, 0], away[:, 1]) + np.abs(away[:, 2])
        blocked, single = self._obstructed(start, ends)
        if single.any():
            bends = self._bends(start, ends[single], blocked[single])
            lengths[single] = bends.lengths
            single[single] = bends.are_clear(*self._discs, blocked[single].argmax(axis=1))
        hard = blocked.any(axis=1) & ~single
        if hard.any():
            lengths[hard] = self._searched(start, ends[hard])
        return lengths

    def _searched(self, start: Spot, ends: FloatArray) -> FloatArray:
        """Measure ways (n,) by a search; what was measured is kept, for the same places are asked about again and again."""
        known = self._known.setdefault(start, {})
        places = [(x, y, z) for x, y, z in ends.tolist()]
        asked = list(dict.fromkeys(place for place in places if place not in known))
        if asked:
            known.update(zip(asked, self.ground.lengths(start, np.array(asked)).tolist(), strict=True))
        return np.array([known[place] for place in places])

    def _path_on_foot(self, start: Spot, end: Spot) -> tuple[float, tuple[Spot, ...]]:
        ends = np.array([end])
        blocked, single = self._obstructed(start, ends)
        if not blocked.any():
            return math.dist(start, end), (start, end)
        bends = self._bends(start, ends, blocked) if single[0] else None
        if bends is not None and bends.are_clear(*self._discs, blocked.argmax(axis=1))[0]:
            return float(bends.lengths[0]), tuple((x, y, 0.0) for x, y in bends.path(0))
        way = self.ground.way(start, end)
        return (math.inf, ()) if way is None else (way.length, way.points)

    def _obstructed(self, start: Spot, ends: FloatArray) -> tuple[BoolArray, BoolArray]:
        """Tell which discs (n, m) about hindrances a straight way meets, and of which ways (n,) a single true disc is all that they meet.

        Ways that are not on the level meet everything.
        """
        centres, radii = self._discs
        blocked = line_gaps(np.array(start[:2]), ends[:, :2], centres) < radii - TOUCHING_LINE
        is_level = (ends[:, 2] == 0.0) & (start[2] == 0.0)
        blocked |= ~is_level[:, None]
        starts_out = np.hypot(*(centres - np.array(start[:2])).T) >= radii - CONTACT
        ends_out = np.hypot(*(ends[:, None, :2] - centres).transpose(2, 0, 1)) >= radii - CONTACT
        single = is_level & (blocked.sum(axis=1) == 1) & ~(blocked & ~(self._is_disc & starts_out & ends_out)).any(axis=1)
        return blocked, single

    def _bends(self, start: Spot, ends: FloatArray, blocked: BoolArray) -> Bends:
        """Give the ways around the discs that are in the way, one for each end."""
        centres, radii = self._discs
        which = blocked.argmax(axis=1)
        return Bends(np.array(start[:2]), ends[:, :2], centres[which], radii[which])

    @cached_property
    def _rows(self) -> FloatArray:
        """Discs (m, 4) about all that hinders, grown by the footprint: centre and radius in inches, and 1 where it is what hinders."""
        x, y, own = _disc_around(self.ground.footprint)
        is_round = _is_round(self.ground.footprint) and x == y == 0.0
        rows = [(*_disc_around(piece.shape), 0.0) for piece in self.ground.solids]
        for wall in self.ground.barriers:
            around = _disc_around(wall.shape)
            rows.append((around[0], around[1], around[2] + wall.needed, float(is_round and _is_true(wall))))
        if self.ground.solids or self.ground.shut:
            rows = [(*row[:3], 0.0) for row in rows]
        discs = np.array(rows).reshape(-1, 4)
        discs[:, 2] += own + math.hypot(x, y)
        parts = [(*_disc_over(part.curve), 0.0) for part in self.ground.shut]
        return np.concatenate([discs, np.array(parts).reshape(-1, 4)])

    @property
    def _discs(self) -> tuple[FloatArray, FloatArray]:
        return self._rows[:, :2], self._rows[:, 2]

    @property
    def _is_disc(self) -> BoolArray:
        return np.asarray(self._rows[:, 3] > 0.0)


def _is_round(shape: Shape) -> bool:
    return isinstance(shape.core, shapely.Point)


def _is_true(wall: Barrier) -> bool:
    """Tell whether a barrier is a disc that hinders on the table."""
    return _is_round(wall.shape) and wall.low <= 0.0 <= wall.high


def _disc_over(curve: Curve) -> tuple[float, float, float]:
    """Give a disc that holds a curve's region: centre and radius in inches."""
    low, high = (curve.centres - curve.radii[:, None]).min(axis=0), (curve.centres + curve.radii[:, None]).max(axis=0)
    x, y = (low + high) / 2.0
    return float(x), float(y), float(np.hypot(*(high - low))) / 2.0


def _disc_around(shape: Shape) -> tuple[float, float, float]:
    """Give a disc that holds a shape: centre and radius in inches."""
    if isinstance(shape.core, shapely.Point):
        return shape.core.x, shape.core.y, shape.radius
    west, south, east, north = shape.bounds
    return (west + east) / 2, (south + north) / 2, math.hypot(east - west, north - south) / 2
