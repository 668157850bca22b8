"""Heights along a path: the levels at which a footprint may be at each place, and the cost of a straight segment
between levels.

Inside solids a footprint is at the height of the tallest; inside a platform it may also be at the platform's height;
along a solid's face it may be at the foot or at the top. Barriers close some levels. A change of level costs its
height. A place that lies a little inside what it may only touch is moved out to the boundary before paths are computed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tabletop.budget import check_deadline
from tabletop.geometry.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    bearings_of,
    concatenate,
    lengths_of,
    take,
)
from tabletop.routes.bodies import CROSSING_ROUNDING, ArcBodies
from tabletop.routes.lines import Hits, Pairs, Segments, bodies_containing, chords, near_pairs
from tabletop.units import CONTACT

Place = tuple[float, float, float]

CHUNK, CELLS = 2000, 4_000_000
"""Number of straight segments cut into sections at once, and size limit of the table by section, body and level."""

MAX_PROJECTIONS = 4
"""Number of times that a place is projected out of one body after another."""


class LevelCosts(NamedTuple):
    """Costs in inches, climbs included, of straight segments between levels, each (k,): segment, level at its tail and
    head, cost.
    """

    line: IntArray
    tail: IntArray
    head: IntArray
    cost: FloatArray


@dataclass(frozen=True, eq=False)
class HeightField:
    """Bodies with their heights: the level of each body's top and platform, and the heights that it closes as a
    barrier.

    `heights` are the levels in inches, increasing, 0 among them; a level is an index into them. `tops` and `platforms`
    (bodies,) are levels, -1 for none. A barrier closes heights from `lows` to `highs` (bodies,) inches; a body that is
    no barrier has lows above highs.
    """

    bodies: ArcBodies
    heights: FloatArray
    tops: IntArray
    platforms: IntArray
    lows: FloatArray
    highs: FloatArray

    @cached_property
    def ground(self) -> int:
        """Index of the level of the table, at height 0."""
        return int(np.argmin(np.abs(self.heights)))

    @cached_property
    def closed(self) -> BoolArray:
        """Whether each body, as a barrier, closes each level: (bodies, levels)."""
        return (self.lows[:, None] <= self.heights + CONTACT) & (
            self.highs[:, None] >= self.heights - CONTACT
        )

    @cached_property
    def stuck(self) -> BoolArray:
        """Whether each body, as a barrier, stops the climb from each level to the next: (bodies, levels - 1)."""
        return (self.lows[:, None] <= self.heights[1:] + CONTACT) & (
            self.highs[:, None] >= self.heights[:-1] - CONTACT
        )

    @cached_property
    def is_barrier(self) -> BoolArray:
        """Which bodies (bodies,) are barriers, that close some heights."""
        return np.asarray(self.lows <= self.highs)

    @cached_property
    def is_raised(self) -> BoolArray:
        """Which bodies (bodies,) are solids or platforms."""
        return np.asarray((self.tops >= 0) | (self.platforms >= 0))

    def open_levels(self, points: FloatArray, own: IntArray) -> BoolArray:
        """Return (n, levels) at which levels a model may be at points (n, 2) on the boundaries of bodies `own` (n,), on
        either side.
        """
        inside = bodies_containing(self.bodies, points)
        inside[np.arange(len(points)), own] = False
        beside = np.eye(self.bodies.number, dtype=bool)[own]
        return self._levels(inside, beside, np.arange(self.bodies.number)) & ~_any(
            inside, self.closed
        )

    def refusing(self, places: FloatArray, inside: BoolArray) -> BoolArray:
        """Return (n, bodies) which of the bodies containing places (n, 3) forbid them: barriers, and taller solids
        unless on a platform.
        """
        height = places[:, 2, None]
        is_shut = (self.lows <= height + CONTACT) & (self.highs >= height - CONTACT)
        is_low = (self.tops >= 0) & (height < self.heights[self.tops] - CONTACT)
        is_floor = (self.platforms >= 0) & (
            np.abs(height - self.heights[self.platforms]) <= CONTACT
        )
        stands = np.any(inside & is_floor, axis=1)[:, None]
        return np.asarray(inside & (is_shut | is_low & ~stands))

    def _levels(self, inside: BoolArray, beside: BoolArray, bodies: IntArray) -> BoolArray:
        """Return (..., levels) which levels exist at places `inside` and `beside` some of `bodies` (..., k), both masks
        (..., k).
        """
        tops = self.tops[bodies]
        platforms = self.platforms[bodies]
        check_deadline()  # of lines past hundreds of bodies each step takes a part of a second
        base = np.where(inside, tops, self.ground).max(axis=-1, initial=self.ground)[..., None]
        floors = np.where(inside, platforms, -1)[..., None]
        ledges = np.where(beside & (tops > base), tops, -1)[..., None]
        levels = np.arange(len(self.heights))
        check_deadline()
        allowed: BoolArray = (
            (base == levels) | (floors == levels).any(axis=-2) | (ledges == levels).any(axis=-2)
        )
        return allowed

    def legs(
        self,
        lines: Segments,
        tails: IntArray,
        heads: IntArray,
        *,
        reach: FloatArray | float = np.inf,
    ) -> LevelCosts:
        """Return the costs in inches of straight segments (n,) between levels, where at most `reach` (n,).

        Bodies `tails` (n,) and `heads` (n,) are those that the segments only touch at their ends, `BOARD` for none.
        """
        is_point = lines.lengths <= CROSSING_ROUNDING
        limit = np.broadcast_to(reach, len(lines.lengths)) + CONTACT
        pairs = self._pairs(lines, tails, heads)
        near = chords(self.bodies, lines, pairs.of(self.is_raised[pairs.body]), depth=-CONTACT)
        is_steep = _marked(near.line, len(is_point)) & ~is_point
        walls = pairs.of(~is_steep[pairs.line] & self.closed[pairs.body, self.ground])
        blocked = _marked(chords(self.bodies, lines, walls, depth=CONTACT).line, len(is_point))
        free = np.flatnonzero(~is_steep & ~is_point & ~blocked)
        grounds = np.full(len(free), self.ground)
        level, point = (
            column.reshape(-1) for column in np.indices((len(self.heights), int(is_point.sum())))
        )
        staying = LevelCosts(np.flatnonzero(is_point)[point], level, level, np.zeros(len(level)))
        is_steep &= lines.lengths + self._least_climbs(lines, near, tails, heads) <= limit
        parts = [
            staying,
            LevelCosts(free, grounds, grounds, lines.lengths[free]),
            *self._climbs(lines, is_steep, pairs, near),
        ]
        legs = LevelCosts(*concatenate(parts))
        return LevelCosts(*take(legs, legs.cost <= limit[legs.line]))

    def _pairs(self, lines: Segments, tails: IntArray, heads: IntArray) -> Pairs:
        """Return pairs of segments and bodies that may meet, without the bodies at the segments' ends."""
        pairs = near_pairs(self.bodies, lines)
        return pairs.of((pairs.body != tails[pairs.line]) & (pairs.body != heads[pairs.line]))

    def _least_climbs(
        self, lines: Segments, near: Hits, tails: IntArray, heads: IntArray
    ) -> FloatArray:
        """Return lower bounds (n,) on the inches that segments climb: up to their tallest solid from one end, and down
        to the other.
        """
        solid = np.append(self.tops, np.array([-1]))
        heights = np.append(self.heights, np.array([-np.inf]))
        deep = chords(self.bodies, lines, Pairs(near.line, near.body), depth=CONTACT)
        highest, first, last = (np.zeros(len(lines.lengths)) for _ in range(3))
        np.maximum.at(highest, deep.line, heights[solid[deep.body]])
        for level, ends, is_there in (
            (first, tails, near.start <= CONTACT),
            (last, heads, near.end >= lines.lengths[near.line] - CONTACT),
        ):
            here = near.of(is_there)
            np.maximum.at(
                level, here.line, heights[np.maximum(self.tops, self.platforms)[here.body]]
            )
            np.maximum(level, heights[solid[ends]], out=level)
        # on a platform one may pass through a taller solid
        highest[near.line[self.platforms[near.body] >= 0]] = 0.0
        return np.asarray(np.maximum(highest - first, 0.0) + np.maximum(highest - last, 0.0))

    def crossed(self, lines: Segments, tails: IntArray, heads: IntArray) -> Hits:
        """Return the intervals in which segments cross bodies, each from boundary to boundary, without the bodies at
        the segments' ends.
        """
        return self._whole(lines, self._pairs(lines, tails, heads))

    def _whole(self, lines: Segments, pairs: Pairs) -> Hits:
        """Return the intervals, from boundary to boundary, of segments in the bodies that they enter deeper than
        `CONTACT`.
        """
        deep = chords(self.bodies, lines, pairs, depth=CONTACT)
        return chords(self.bodies, lines, Pairs(deep.line, deep.body), depth=0.0)

    def _climbs(
        self, lines: Segments, is_chosen: BoolArray, pairs: Pairs, near: Hits
    ) -> Iterator[LevelCosts]:
        """Yield the costs by level of the segments that are chosen, cut into sections, in chunks of bounded size."""
        chosen = np.flatnonzero(is_chosen)
        whole = self._whole(lines, pairs.of(is_chosen[pairs.line]))
        near = near.of(is_chosen[near.line])
        most = int(
            np.bincount(np.concatenate([whole.line, near.line]), minlength=len(lines.lengths)).max(
                initial=0
            )
        )
        # Each body that a line meets may part it in three: the more some line meets, the fewer are cut together.
        at_once = min(CHUNK, max(1, CELLS // ((2 * most + 1) * max(most, 1) * len(self.heights))))
        for start in range(0, len(chosen), at_once):
            check_deadline()
            part = chosen[start : start + at_once]
            met = [hits.of(np.isin(hits.line, part)) for hits in (whole, near)]
            costs = self._cut(
                lines.of(part),
                *(hits._replace(line=np.searchsorted(part, hits.line)) for hits in met),
            ).costs()[-1]
            line, tail, head = np.nonzero(np.isfinite(costs))
            yield LevelCosts(
                part[line], tail, head, costs[line, tail, head] + lines.lengths[part[line]]
            )

    def sections(self, lines: Segments, tails: IntArray, heads: IntArray) -> "Sections":
        """Return straight segments cut into sections where they enter or leave bodies, with the levels that are open in
        each section.
        """
        pairs = self._pairs(lines, tails, heads)
        near = chords(self.bodies, lines, pairs.of(self.is_raised[pairs.body]), depth=-CONTACT)
        return self._cut(lines, self._whole(lines, pairs), near)

    def _cut(self, lines: Segments, whole: Hits, near: Hits) -> "Sections":
        """Return straight segments cut into sections, given their intervals `whole` inside bodies and `near` raised
        ones.

        They are cut where they enter or leave bodies, or run along raised bodies, solids or platforms, that they only
        come near.
        """
        slots, places = _slots(
            np.concatenate([whole.line, near.line]),
            np.concatenate([whole.body, near.body]),
            len(lines.lengths),
        )
        starts, ends = (np.full(slots.shape, end) for end in (np.inf, -np.inf))
        is_deep = np.zeros(slots.shape, dtype=bool)
        for hits, place in ((near, places[len(whole.line) :]), (whole, places[: len(whole.line)])):
            starts[hits.line, place], ends[hits.line, place] = hits.start, hits.end
        is_deep[whole.line, places[: len(whole.line)]] = True
        lengths = lines.lengths[:, None]
        cuts = np.clip(np.concatenate([starts, ends], axis=1), 0.0, lengths)
        cuts = np.sort(np.concatenate([0.0 * lengths, cuts, lengths], axis=1), axis=1)
        middles = ((cuts[:, 1:] + cuts[:, :-1]) / 2.0)[..., None]
        met = (starts[:, None] < middles) & (middles < ends[:, None])
        inside = met & is_deep[:, None]
        beside = met & ~is_deep[:, None]
        bodies = slots[:, None]
        is_point = np.diff(cuts, axis=1)[..., None] <= CROSSING_ROUNDING
        levels = np.asarray(
            self._levels(inside, beside, bodies) & ~_any(inside, self.closed[bodies]) | is_point
        )
        between = cuts[:, 1:-1, None]
        within = (
            (starts[:, None] + CONTACT < between)
            & (between < ends[:, None] - CONTACT)
            & is_deep[:, None]
        )
        return Sections(cuts, levels, _any(within, self.stuck[bodies]), self.heights)


def _marked(chosen: IntArray, number: int) -> BoolArray:
    """Return a mask (number,) that is true at the indices `chosen`."""
    mask = np.zeros(number, dtype=bool)
    mask[chosen] = True
    return mask


def _slots(lines: IntArray, bodies: IntArray, number: int) -> tuple[IntArray, IntArray]:
    """Return the bodies that each segment meets, padded with body 0 to (number, most), and the column (k,) of each
    meeting in it.
    """
    width = int(bodies.max(initial=0)) + 1
    met, which = np.unique(lines * width + bodies, return_inverse=True)
    line = met // width
    place = np.arange(len(met)) - np.searchsorted(line, line)
    slots = np.zeros((number, int(place.max(initial=-1)) + 1), dtype=np.intp)
    slots[line, place] = met % width
    return slots, place[which]


def _any(chosen: BoolArray, features: BoolArray) -> BoolArray:
    """Return which features (..., bodies, k) any of the chosen bodies (..., bodies) has: (..., k)."""
    check_deadline()
    return np.asarray(np.any(chosen[..., None] & features, axis=-2))


@dataclass(frozen=True, eq=False)
class Sections:
    """Straight segments in sections: `cuts` (n, k + 1) in inches along them, and what is possible in each section.

    `levels` (n, k, levels) tells which levels are open in a section, `stuck` (n, k - 1, levels - 1) which climbs
    between sections are not possible; `heights` (levels,) are in inches.
    """

    cuts: FloatArray
    levels: BoolArray
    stuck: BoolArray
    heights: FloatArray

    def costs(self) -> list[FloatArray]:
        """Return for each section the least climb in inches from each level at the tail to each level there: (n,
        levels, levels) each.
        """
        number, sections, levels = self.levels.shape
        start = np.where(np.eye(levels, dtype=bool), 0.0, np.inf)
        costs = [
            np.where(
                self.levels[:, 0, None, :], np.broadcast_to(start, (number, levels, levels)), np.inf
            )
        ]
        for section in range(1, sections):
            check_deadline()
            climbed = relax_climbs(costs[-1], self.heights, self.stuck[:, section - 1, None, :])
            costs.append(np.where(self.levels[:, section, None, :], climbed, np.inf))
        return costs


def relax_climbs(costs: FloatArray, heights: FloatArray, stuck: BoolArray) -> FloatArray:
    """Return the least costs (..., levels) in inches after climbs on the spot; `stuck` (..., levels - 1) tells which
    are impossible.
    """
    result = costs.copy()
    steps = np.diff(heights)
    for level, step in enumerate(steps):
        climbed = np.where(stuck[..., level], np.inf, result[..., level] + step)
        result[..., level + 1] = np.minimum(result[..., level + 1], climbed)
    for level in range(len(steps) - 1, -1, -1):
        climbed = np.where(stuck[..., level], np.inf, result[..., level + 1] + steps[level])
        result[..., level] = np.minimum(result[..., level], climbed)
    return result


def project_to_boundary(land: HeightField, places: FloatArray, *, give: float) -> FloatArray:
    """Return places (n, 3), those up to `give` inches inside bodies that forbid them moved to the bodies'
    boundaries.
    """
    result = places.copy()
    for _ in range(MAX_PROJECTIONS):
        is_deep = np.any(_refused(land, result, give), axis=1, keepdims=True)
        place, body = np.nonzero(_refused(land, result, CONTACT) & ~is_deep)
        if not len(place):
            break
        normals, depths = nearest_exits(land.bodies, result[place, :2], body)
        result[place, :2] += depths[:, None] * normals
    return result


def _refused(land: HeightField, places: FloatArray, depth: float) -> BoolArray:
    return land.refusing(places, bodies_containing(land.bodies, places[:, :2], depth=depth))


def nearest_exits(
    bodies: ArcBodies, points: FloatArray, body: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return the unit vectors (n, 2) from points inside bodies to the nearest boundary points, and the distances
    (n,).
    """
    normals = np.zeros((len(points), 2))
    depths = np.zeros(len(points))
    for number, (point, one) in enumerate(zip(points, body, strict=True)):
        arcs = np.arange(bodies.first[one], bodies.first[one] + bodies.counts[one])
        offset = point - bodies.centres[arcs]
        apart = lengths_of(offset)
        is_on = (
            bodies.has_normal(arcs, bearings_of(offset))
            & (apart > 0.0)
            & (bodies.radii[arcs] > 0.0)
        )
        to_arcs = np.where(is_on, bodies.radii[arcs] - apart, np.inf)
        behind = ((bodies.tails[arcs] - point) * bodies.edge_normals[arcs]).sum(axis=1)
        to_edges = np.where(bodies.edge_lengths[arcs] > 0.0, behind, np.inf)
        nearest = int(np.minimum(to_arcs, to_edges).argmin())
        is_edge = to_edges[nearest] < to_arcs[nearest]
        normals[number] = (
            bodies.edge_normals[arcs[nearest]]
            if is_edge
            else offset[nearest] / max(float(apart[nearest]), CONTACT)
        )
        depths[number] = min(to_arcs[nearest], to_edges[nearest])
    return normals, depths
