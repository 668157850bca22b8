"""The configuration space of one footprint at one facing: obstacles grown by the footprint, and its shortest paths.

The path of a footprint is that of its place; its length is that of the path in plan plus that of all climbs up and
down. At each place the footprint is at the height of the tallest solid that it overlaps, else on the table; where it
overlaps a platform, it may be at the platform's height. It may move along what it must keep out of: touching is not
crossing.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tabletop.geometry.arrays import BoolArray, FloatArray, lengths_of
from tabletop.geometry.curve import ArcCurve, configuration_obstacle
from tabletop.geometry.shape import Shape
from tabletop.routes.bodies import Box, flatten
from tabletop.routes.flight import air_lengths
from tabletop.routes.heights import HeightField, Place, project_to_boundary
from tabletop.routes.hindrances import Hindrances
from tabletop.routes.lines import bodies_containing
from tabletop.routes.shortest_path import ShortestPath, ShortestPaths, Tracer
from tabletop.routes.visibility_graph import Boundaries, Graph
from tabletop.units import CONTACT, MARGINAL


@dataclass(frozen=True, eq=False)
class ConfigurationSpace(Hindrances):
    """The obstacles of a footprint with its shortest paths among them.

    Starts and ends that lie up to `give` inches inside what they may only touch count as touching it: places are often
    given to three or four decimals.
    """

    give: float = MARGINAL
    _ways: dict[Place, ShortestPaths] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def box(self) -> Box:
        """Range of the footprint's place on the board: least x, least y, greatest x, greatest y, in inches."""
        west, south, east, north = self.footprint.bounds
        return (-west, -south, self.width - east, self.depth - north)

    @cached_property
    def land(self) -> HeightField:
        """Height field of the obstacles over the footprint's place: the obstacles grown by the reflected footprint,
        with their heights.
        """
        heights = np.unique(
            [
                0.0,
                *(solid.height for solid in self.solids),
                *(floor.height for floor in self.platforms),
            ]
        )
        rows: list[tuple[ArcCurve, int, int, float, float]] = []
        for solid in self.solids:
            rows += [
                (curve, _level(heights, solid.height), -1, math.inf, -math.inf)
                for curve in self._curves(solid.shape)
            ]
        for floor in self.platforms:
            rows += [
                (curve, -1, _level(heights, floor.height), math.inf, -math.inf)
                for curve in self._curves(floor.shape)
            ]
        for wall in self.barriers:
            rows += [
                (curve, -1, -1, wall.low, wall.high)
                for curve in self._curves(wall.shape, wall.needed)
            ]
        for part in self.shut:
            rows += [(curve, -1, -1, part.low, part.high) for curve in self._near([part.curve])]
        curves, *columns = zip(*rows, strict=True) if rows else ((), (), (), (), ())
        tops, platforms, lows, highs = (np.array(column) for column in columns)
        return HeightField(
            flatten(curves), heights, tops.astype(np.intp), platforms.astype(np.intp), lows, highs
        )

    def _curves(self, shape: Shape, needed: float = 0.0) -> list[ArcCurve]:
        """Return the boundaries of a shape grown by the reflected footprint and by `needed` inches, where they meet
        `region`.
        """
        return self._near(configuration_obstacle(shape, self.footprint, needed=needed))

    def _near(self, all_curves: Iterable[ArcCurve]) -> list[ArcCurve]:
        """Return the curves whose bounding boxes meet `region`."""
        west, south, east, north = self.region
        curves = []
        for curve in all_curves:
            low = (curve.centres - curve.radii[:, None]).min(axis=0)
            high = (curve.centres + curve.radii[:, None]).max(axis=0)
            if low[0] <= east and low[1] <= north and high[0] >= west and high[1] >= south:
                curves.append(curve)
        return curves

    @cached_property
    def graph(self) -> Graph:
        """Visibility graph of all taut paths of the footprint's place."""
        return Graph(Boundaries(self.land, self.box), self.reach)

    def lengths(self, start: Place, ends: FloatArray, *, limit: float = math.inf) -> FloatArray:
        """Return the lengths (n,) in inches of the shortest paths from `start` to places `ends` (n, 3); inf for more
        than `limit`.
        """
        away = ends - start
        limit = min(limit, self.reach)
        is_near = lengths_of(away) + np.abs(away[:, 2]) <= limit + self.give + CONTACT
        lengths = np.full(len(ends), np.inf)
        asked = np.flatnonzero(is_near & self.graph.rims.is_within(ends[:, :2]))
        places, inside = self._admitted(ends[asked])
        if len(asked):
            ways = self._ways_from(start)
            lengths[asked] = (
                ways.lengths(places, inside, limit=limit)
                + _moved(ends[asked], places)
                + _moved(start, ways.start)
            )
        return lengths

    def _admitted(self, places: FloatArray) -> tuple[FloatArray, BoolArray]:
        """Return places (n, 3) moved out of what they may only touch, and which bodies (n, bodies) contain them
        afterwards.
        """
        inside = bodies_containing(self.land.bodies, places[:, :2])
        refused = np.flatnonzero(self.land.refusing(places, inside).any(axis=1))
        if len(refused):
            places[refused] = project_to_boundary(self.land, places[refused], give=self.give)
            inside[refused] = bodies_containing(self.land.bodies, places[refused, :2])
        return places, inside

    def _ways_from(self, start: Place) -> ShortestPaths:
        if start not in self._ways:
            x, y, z = project_to_boundary(self.land, np.array([start]), give=self.give)[0].tolist()
            self._ways[start] = ShortestPaths(self.graph, (x, y, z))
        return self._ways[start]

    def way(self, start: Place, end: Place) -> ShortestPath | None:
        """Return the shortest path between two places (x, y, z), with its points; None if none is up to `reach` inches
        long.
        """
        place = np.array([end])
        if not self.graph.rims.is_within(place[:, :2])[0]:
            return None
        x, y, z = project_to_boundary(self.land, place, give=self.give)[0].tolist()
        ways = self._ways_from(start)
        way = Tracer(ways).way((x, y, z), limit=self.reach)
        return way and ShortestPath(
            (start, *way.points[1:-1], end),
            way.length + float(_moved(end, (x, y, z)) + _moved(start, ways.start)),
        )

    def length(self, start: Place, end: Place, *, limit: float = math.inf) -> float:
        """Return the length in inches of the shortest path between two places (x, y, z); inf if none is up to `limit`
        inches long.
        """
        return float(self.lengths(start, np.array([end]), limit=limit)[0])

    def air_lengths(self, start: Place, ends: FloatArray) -> FloatArray:
        """Return the lengths (n,) in inches of flights, straight in plan, from `start` to `ends` (n, 3), places x, y,
        z.

        They are inf where a barrier stops the flight or the end is off the board.
        """
        lengths = air_lengths(self.land, start, ends)
        return np.where(self.graph.rims.is_within(ends[:, :2]), lengths, np.inf)


def _moved(given: Place | FloatArray, eased_: Place | FloatArray) -> FloatArray:
    """Return by how many inches in plan (n,) places (n, 3) differ; 0 within twice the tolerance of contact."""
    aside: FloatArray = np.hypot(*np.moveaxis(np.subtract(eased_, given)[..., :2], -1, 0))
    return np.where(aside > 2.0 * CONTACT, aside, 0.0)


def _level(heights: FloatArray, height: float) -> int:
    return int(np.searchsorted(heights, height - CONTACT))
