"""Heights on the way: at which levels a footprint may be where, and what a straight piece costs from level to level.

Inside solids it is at the height of the tallest; inside a platform it may also be at the platform's height; along a solid's face
it may be at the foot or at the top. Barriers close some levels. A change of level costs its height.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.pose import FloatArray
from tabletop.route.bodies import DUST, Bodies, Hits, Indices, Lines
from tabletop.route.columns import joined, taken
from tabletop.units import CONTACT

Booleans = NDArray[np.bool_]

CHUNK = 2000
"""Straight pieces that are cut in sections at once."""


class Legs(NamedTuple):
    """What straight pieces cost in inches, climbs included: number of the line, levels at its tail and its head, cost."""

    line: Indices
    tail: Indices
    head: Indices
    cost: FloatArray


@dataclass(frozen=True, eq=False)
class Land:
    """Bodies with their parts: `tops` and `platforms` give the level (-1: none), `lows` and `highs` between which a barrier closes.

    `heights` are the levels in inches, increasing, 0 among them. A body that is no barrier has lows above highs.
    """

    bodies: Bodies
    heights: FloatArray
    tops: Indices
    platforms: Indices
    lows: FloatArray
    highs: FloatArray

    @cached_property
    def ground(self) -> int:
        """The level of the table."""
        return int(np.argmin(np.abs(self.heights)))

    @cached_property
    def closed(self) -> Booleans:
        """At which levels each body is a barrier: (bodies, levels)."""
        return (self.lows[:, None] <= self.heights + CONTACT) & (self.highs[:, None] >= self.heights - CONTACT)

    @cached_property
    def stuck(self) -> Booleans:
        """Through which climbs, each from a level to the next, each body is a barrier: (bodies, levels - 1)."""
        return (self.lows[:, None] <= self.heights[1:] + CONTACT) & (self.highs[:, None] >= self.heights[:-1] - CONTACT)

    @cached_property
    def raised(self) -> Indices:
        """Bodies that are solids or platforms."""
        return np.flatnonzero((self.tops >= 0) | (self.platforms >= 0))

    @cached_property
    def flat_barriers(self) -> Indices:
        """Bodies that are barriers on the table."""
        return np.flatnonzero(self.closed[:, self.ground])

    def open_levels(self, points: FloatArray, own: Indices) -> Booleans:
        """Tell at which levels one may be at points (n, 2) on the boundaries of bodies `own`, outside or just inside: (n, levels)."""
        inside = self.bodies.holding(points)
        inside[np.arange(len(points)), own] = False
        beside = np.eye(self.bodies.number, dtype=bool)[own]
        return self._levels(inside, beside, np.arange(self.bodies.number)) & ~_any(inside, self.closed)

    def refusing(self, places: FloatArray, *, depth: float = CONTACT) -> Booleans:
        """Tell which barriers, and taller solids unless one is on a platform, hold places (n, 3) deeper than `depth`: (n, bodies)."""
        height, inside = places[:, 2, None], self.bodies.holding(places[:, :2], depth=depth)
        is_shut = (self.lows <= height + CONTACT) & (self.highs >= height - CONTACT)
        is_low = (self.tops >= 0) & (height < self.heights[self.tops] - CONTACT)
        is_floor = (self.platforms >= 0) & (np.abs(height - self.heights[self.platforms]) <= CONTACT)
        stands = np.any(inside & is_floor, axis=1)[:, None]
        return np.asarray(inside & (is_shut | is_low & ~stands))

    def is_on_platform(self, points: FloatArray) -> Booleans:
        """Tell which points (n, 2) lie inside platforms."""
        return np.asarray(np.any(self.bodies.holding(points) & (self.platforms >= 0), axis=1))

    def is_covered(self, points: FloatArray, bodies: tuple[Indices, Indices]) -> Booleans:
        """Tell which points (n, 2) on the boundaries of two bodies each lie inside a solid that is at least as tall as both."""
        inside = self.bodies.holding(points)
        around = np.where(inside & (self.tops >= 0), self.tops, -1).max(axis=1, initial=-1)
        tallest = np.maximum(self.tops[bodies[0]], self.tops[bodies[1]])
        is_platform = np.maximum(self.platforms[bodies[0]], self.platforms[bodies[1]]) >= 0
        return np.asarray((around >= tallest) & (around >= 0) & ~is_platform)

    def closed_at(self, points: FloatArray) -> Booleans:
        """Tell which levels barriers close at points (n, 2): (n, levels)."""
        return _any(self.bodies.holding(points), self.closed)

    def stuck_at(self, points: FloatArray) -> Booleans:
        """Tell which climbs, each from a level to the next, barriers forbid at points (n, 2): (n, levels - 1)."""
        return _any(self.bodies.holding(points), self.stuck)

    def _levels(self, inside: Booleans, beside: Booleans, bodies: Indices) -> Booleans:
        """Tell which levels there are inside some `bodies` (..., k) and beside others."""
        tops, platforms = self.tops[bodies], self.platforms[bodies]
        base = np.where(inside, tops, self.ground).max(axis=-1, initial=self.ground)[..., None]
        floors = np.where(inside, platforms, -1)[..., None]
        ledges = np.where(beside & (tops > base), tops, -1)[..., None]
        levels = np.arange(len(self.heights))
        allowed: Booleans = (base == levels) | (floors == levels).any(axis=-2) | (ledges == levels).any(axis=-2)
        return allowed

    def legs(self, lines: Lines, tails: Indices, heads: Indices, *, reach: FloatArray | float = np.inf) -> Legs:
        """Find what straight pieces (n,) cost between which levels, up to `reach` (n,); `tails`, `heads`: bodies that they only touch."""
        is_point, limit = lines.lengths <= DUST, np.broadcast_to(reach, len(lines.lengths)) + CONTACT
        raised = self._met(lines, self.raised, tails, heads, -CONTACT)
        is_steep = _marked(raised.line, len(is_point)) & ~is_point
        flat = np.flatnonzero(~is_steep & ~is_point)
        free = flat[~_marked(self._met(lines.of(flat), self.flat_barriers, tails[flat], heads[flat], CONTACT).line, len(flat))]
        grounds = np.full(len(free), self.ground)
        level, point = (column.reshape(-1) for column in np.indices((len(self.heights), int(is_point.sum()))))
        staying = Legs(np.flatnonzero(is_point)[point], level, level, np.zeros(len(level)))
        steep = np.flatnonzero(is_steep)
        steep = steep[lines.lengths[steep] + self._least_climbs(lines, steep, tails, heads) <= limit[steep]]
        parts = [staying, Legs(free, grounds, grounds, lines.lengths[free]), *self._climbs(lines, steep, tails, heads)]
        legs = Legs(*joined(parts))
        return Legs(*taken(legs, legs.cost <= limit[legs.line]))

    def _least_climbs(self, lines: Lines, chosen: Indices, tails: Indices, heads: Indices) -> FloatArray:
        """Bound from below how many inches chosen lines climb: to the tallest solid on them, from what stands at their ends."""
        some, solid, heights = lines.of(chosen), np.append(self.tops, np.array([-1])), np.append(self.heights, np.array([-np.inf]))
        deep = self._met(some, self.raised, tails[chosen], heads[chosen], CONTACT)
        near = self._met(some, self.raised, tails[chosen], heads[chosen], -CONTACT)
        highest, first, last = (np.zeros(len(chosen)) for _ in range(3))
        np.maximum.at(highest, deep.line, heights[solid[deep.body]])
        for level, ends, is_there in (
            (first, tails, near.start <= CONTACT),
            (last, heads, near.end >= some.lengths[near.line] - CONTACT),
        ):
            here = near.of(is_there)
            np.maximum.at(level, here.line, heights[np.maximum(self.tops, self.platforms)[here.body]])
            np.maximum(level, heights[solid[ends[chosen]]], out=level)
        highest[near.line[self.platforms[near.body] >= 0]] = 0.0  # on a platform one may pass through a taller solid
        return np.asarray(np.maximum(highest - first, 0.0) + np.maximum(highest - last, 0.0))

    def _met(self, lines: Lines, among: Indices, tails: Indices, heads: Indices, depth: float) -> Hits:
        """Find hits of bodies other than those at the ends of the lines."""
        if not len(among) or not len(lines.lengths):
            return Hits(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0), np.empty(0))
        hits = self.bodies.hits(lines, among=among, depth=depth)
        return hits.of((hits.body != tails[hits.line]) & (hits.body != heads[hits.line]))

    def _climbs(self, lines: Lines, chosen: Indices, tails: Indices, heads: Indices) -> Iterator[Legs]:
        for start in range(0, len(chosen), CHUNK):
            part = chosen[start : start + CHUNK]
            costs = self.sections(lines.of(part), tails[part], heads[part]).costs()[-1]
            line, tail, head = np.nonzero(np.isfinite(costs))
            yield Legs(part[line], tail, head, costs[line, tail, head] + lines.lengths[part[line]])

    def crossed(self, lines: Lines, tails: Indices, heads: Indices) -> Hits:
        """Find which bodies lines cross, other than those at their ends, each from boundary to boundary."""
        everything = np.arange(self.bodies.number)
        deep, whole = (self._met(lines, everything, tails, heads, depth) for depth in (CONTACT, 0.0))
        number = self.bodies.number
        return whole.of(np.isin(whole.line * number + whole.body, deep.line * number + deep.body))

    def sections(self, lines: Lines, tails: Indices, heads: Indices) -> "Sections":
        """Cut straight pieces where they enter or leave bodies."""
        deep = self.crossed(lines, tails, heads)
        near = self._met(lines, self.raised, tails, heads, -CONTACT)
        slots, places = _slots(np.concatenate([deep.line, near.line]), np.concatenate([deep.body, near.body]), len(lines.lengths))
        starts, ends = (np.full(slots.shape, end) for end in (np.inf, -np.inf))
        is_deep = np.zeros(slots.shape, dtype=bool)
        for hits, place in ((near, places[len(deep.line) :]), (deep, places[: len(deep.line)])):
            starts[hits.line, place], ends[hits.line, place] = hits.start, hits.end
        is_deep[deep.line, places[: len(deep.line)]] = True
        lengths = lines.lengths[:, None]
        cuts = np.clip(np.concatenate([starts, ends], axis=1), 0.0, lengths)
        cuts = np.sort(np.concatenate([0.0 * lengths, cuts, lengths], axis=1), axis=1)
        middles = ((cuts[:, 1:] + cuts[:, :-1]) / 2.0)[..., None]
        met = (starts[:, None] < middles) & (middles < ends[:, None])
        inside, beside, bodies = met & is_deep[:, None], met & ~is_deep[:, None], slots[:, None]
        is_point = np.diff(cuts, axis=1)[..., None] <= DUST
        levels = np.asarray(self._levels(inside, beside, bodies) & ~_any(inside, self.closed[bodies]) | is_point)
        between = cuts[:, 1:-1, None]
        within = (starts[:, None] + CONTACT < between) & (between < ends[:, None] - CONTACT) & is_deep[:, None]
        return Sections(cuts, levels, _any(within, self.stuck[bodies]), self.heights)


def _marked(chosen: Indices, number: int) -> Booleans:
    """Turn numbers into a mask (number,)."""
    mask = np.zeros(number, dtype=bool)
    mask[chosen] = True
    return mask


def _slots(lines: Indices, bodies: Indices, number: int) -> tuple[Indices, Indices]:
    """Lay out which bodies each line meets, (lines, most that one meets), filled up with body 0, and give the place of each meeting."""
    width = int(bodies.max(initial=0)) + 1
    met, which = np.unique(lines * width + bodies, return_inverse=True)
    line = met // width
    place = np.arange(len(met)) - np.searchsorted(line, line)
    slots = np.zeros((number, int(place.max(initial=-1)) + 1), dtype=np.intp)
    slots[line, place] = met % width
    return slots, place[which]


def _any(chosen: Booleans, features: Booleans) -> Booleans:
    """Tell which features (..., bodies, k) any of the chosen bodies (..., bodies) has: (..., k)."""
    return np.asarray(np.any(chosen[..., None] & features, axis=-2))


@dataclass(frozen=True, eq=False)
class Sections:
    """Straight pieces in sections: `cuts` (n, k + 1) in inches, open `levels` (n, k, levels), climbs that are `stuck` between sections."""

    cuts: FloatArray
    levels: Booleans
    stuck: Booleans
    heights: FloatArray

    def costs(self) -> list[FloatArray]:
        """Give, section by section, the least climb from each level at the tail to each level there: (n, levels, levels)."""
        number, sections, levels = self.levels.shape
        start = np.where(np.eye(levels, dtype=bool), 0.0, np.inf)
        costs = [np.where(self.levels[:, 0, None, :], np.broadcast_to(start, (number, levels, levels)), np.inf)]
        for section in range(1, sections):
            climbed = relaxed(costs[-1], self.heights, self.stuck[:, section - 1, None, :])
            costs.append(np.where(self.levels[:, section, None, :], climbed, np.inf))
        return costs


def relaxed(costs: FloatArray, heights: FloatArray, stuck: Booleans) -> FloatArray:
    """Give the least costs (..., levels) after climbs up and down on the spot, which may be `stuck` (..., levels - 1)."""
    result = costs.copy()
    steps = np.diff(heights)
    for level, step in enumerate(steps):
        climbed = np.where(stuck[..., level], np.inf, result[..., level] + step)
        result[..., level + 1] = np.minimum(result[..., level + 1], climbed)
    for level in range(len(steps) - 1, -1, -1):
        climbed = np.where(stuck[..., level], np.inf, result[..., level + 1] + steps[level])
        result[..., level] = np.minimum(result[..., level], climbed)
    return result
