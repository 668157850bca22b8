"""Straight lines among convex bodies: the intervals on which they run inside, and common tangents.

The tangents, between two arcs or a point and an arc, are the straight pieces of taut paths. Positions on lines are
inches from their start.
"""

import math
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
    cross_product,
    lengths_of,
    repeat_numbered,
    take,
    unit_vectors,
)
from tabletop.routes.bodies import CROSSING_ROUNDING, ArcBodies
from tabletop.units import CONTACT

PAIRS_CUT_AT_ONCE = 200_000
"""Number of pairs of lines and bodies near them that are cut at once."""

CHORDS_AT_ONCE = 2_000_000
"""Number of pairs of lines and bodies processed at once."""


class Pairs(NamedTuple):
    """Pairs of a line and a body that may meet, as index arrays (k,)."""

    line: IntArray
    body: IntArray

    def of(self, chosen: BoolArray) -> "Pairs":
        """Return the pairs selected by a mask (k,)."""
        return Pairs(*take(self, chosen))


class Hits(NamedTuple):
    """Intervals of lines inside bodies, each (k,): index of the line, of the body, and both ends in inches from the
    line's start.
    """

    line: IntArray
    body: IntArray
    start: FloatArray
    end: FloatArray

    def of(self, chosen: BoolArray | IntArray) -> "Hits":
        """Return the intervals selected by a mask (k,) or by indices."""
        return Hits(*take(self, chosen))


@dataclass(frozen=True, eq=False)
class Segments:
    """Straight segments from `tails` (n, 2) to `heads` (n, 2), in inches."""

    tails: FloatArray
    heads: FloatArray

    @cached_property
    def lengths(self) -> FloatArray:
        """Lengths (n,) of the segments in inches."""
        way = self.heads - self.tails
        return np.asarray(lengths_of(way))

    @cached_property
    def directions(self) -> FloatArray:
        """Unit vectors (n, 2) from tails to heads; (1, 0) for a segment of no length."""
        has_length = self.lengths > 0.0
        safe = np.where(has_length, self.lengths, 1.0)[:, None]
        return np.where(has_length[:, None], (self.heads - self.tails) / safe, np.array([1.0, 0.0]))

    def of(self, chosen: IntArray | BoolArray | slice) -> "Segments":
        """Return the segments selected by indices, a mask or a slice."""
        return Segments(self.tails[chosen], self.heads[chosen])


def near_pairs(bodies: ArcBodies, lines: Segments) -> Pairs:
    """Return all pairs of a line and a body whose bounding circle it meets or almost meets."""
    size = max(1, CHORDS_AT_ONCE // max(1, bodies.number))
    starts = range(0, len(lines.lengths), size) or range(1)
    parts = []
    for start in starts:
        check_deadline()
        parts.append((start, _near_pairs(bodies, lines.of(slice(start, start + size)))))
    return Pairs(*concatenate([(pairs.line + start, pairs.body) for start, pairs in parts]))


def _near_pairs(bodies: ArcBodies, lines: Segments) -> Pairs:
    offset_x = bodies.circle_centres[:, 0] - lines.tails[:, :1]
    offset_y = bodies.circle_centres[:, 1] - lines.tails[:, 1:]
    way_x = lines.directions[:, :1]
    way_y = lines.directions[:, 1:]
    along = offset_x * way_x + offset_y * way_y
    aside = offset_y * way_x - offset_x * way_y
    beyond = np.maximum(np.maximum(-along, along - lines.lengths[:, None]), 0.0)
    reach = bodies.circle_radii + bodies.slack + CONTACT
    return Pairs(*np.nonzero(aside * aside + beyond * beyond < reach * reach))


def chords(bodies: ArcBodies, lines: Segments, pairs: Pairs, *, depth: float) -> Hits:
    """Return the intervals, for some pairs, in which lines run deeper than `depth` inches plus the boundaries' error
    inside bodies.

    With a negative `depth` they are the intervals in which lines come nearer to bodies than that many inches plus the
    error.
    """
    count = len(pairs.line)
    if not count:
        return Hits(pairs.line, pairs.body, np.empty(0), np.empty(0))
    some = (
        Pairs(*(column[start : start + PAIRS_CUT_AT_ONCE] for column in pairs))
        for start in range(0, count, PAIRS_CUT_AT_ONCE)
    )
    return Hits(*concatenate([_chords(bodies, lines, part, depth) for part in some]))


def _chords(bodies: ArcBodies, lines: Segments, pairs: Pairs, depth: float) -> Hits:
    check_deadline()
    is_round = bodies.counts[pairs.body] == 1
    inset = depth + np.sign(depth) * bodies.slack[pairs.body]
    parts = [
        find(bodies, lines, pairs.of(chosen), inset[chosen])
        for find, chosen in ((_round_chords, is_round), (_curve_chords, ~is_round))
    ]
    found = Hits(*concatenate(parts))
    return found.of(
        (found.end > CROSSING_ROUNDING)
        & (found.start < lines.lengths[found.line] - CROSSING_ROUNDING)
        & (found.end - found.start > CROSSING_ROUNDING)
    )


def _round_chords(bodies: ArcBodies, lines: Segments, pairs: Pairs, inset: FloatArray) -> Hits:
    offset = bodies.circle_centres[pairs.body] - lines.tails[pairs.line]
    way = lines.directions[pairs.line]
    along = offset[:, 0] * way[:, 0] + offset[:, 1] * way[:, 1]
    aside = cross_product(way, offset)
    radius = bodies.circle_radii[pairs.body] - inset
    half = radius * radius - aside * aside
    met = (half > 0.0) & (radius > 0.0)
    root = np.sqrt(half[met])
    return Hits(pairs.line[met], pairs.body[met], along[met] - root, along[met] + root)


def _curve_chords(bodies: ArcBodies, lines: Segments, pairs: Pairs, inset: FloatArray) -> Hits:
    """Return the intervals of lines inside bodies inset by `inset` (k,) inches: the boundary is crossed twice, on an
    arc or edge.
    """
    if not len(pairs.line):
        return Hits(pairs.line, pairs.body, inset, inset)
    line, body, inset = (np.concatenate([column, column]) for column in (*pairs, inset))
    tails = lines.tails[line]
    ways = lines.directions[line]
    across = np.column_stack([-ways[:, 1], ways[:, 0]])
    across[: len(pairs.line)] *= -1.0
    arc = _arcs_crossed(bodies, body, tails, across, inset)
    low, high = _arc_crossings(bodies, arc, tails, ways, inset)
    edge = _edge_crossings(bodies, arc, tails, ways, inset)
    start = np.fmin(low, edge).reshape(2, -1).min(axis=0)
    end = np.fmax(high, edge).reshape(2, -1).max(axis=0)
    met = start < end
    return Hits(pairs.line[met], pairs.body[met], start[met], end[met])


def _arcs_crossed(
    bodies: ArcBodies, body: IntArray, tails: FloatArray, across: FloatArray, inset: FloatArray
) -> IntArray:
    """Return the inset arcs of bodies on which, or on whose edges, the boundaries rise through lines, with `across`
    (n, 2) upward.

    From its lowest to its highest point a boundary only rises, so the arc is found by bisection.
    """
    bearing = bearings_of(across)
    begin = bodies.first[body]
    counts = bodies.counts[body]
    first = bodies.arcs_at(body, bearing + math.pi) - begin
    last = bodies.arcs_at(body, bearing) - begin
    joints, normals = bodies.joints
    level = (tails * across).sum(axis=1)
    low = np.zeros(len(body), dtype=np.intp)
    high = (last - first) % counts
    while (low < high).any():
        middle = (low + high + 1) // 2
        arc = begin + (first + middle) % counts
        is_below = ((joints[arc] - inset[:, None] * normals[arc]) * across).sum(axis=1) <= level
        low = np.where(is_below, middle, low)
        high = np.where(is_below, high, middle - 1)
    found: IntArray = begin + (first + low) % counts
    return found


def _arc_crossings(
    bodies: ArcBodies, arc: IntArray, tails: FloatArray, ways: FloatArray, inset: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the least and the greatest distance (n,) in inches along lines at which they cross inset arcs; inf and
    -inf for none.
    """
    radius = bodies.radii[arc] - inset
    offset = bodies.centres[arc] - tails
    along = offset[:, 0] * ways[:, 0] + offset[:, 1] * ways[:, 1]
    aside = cross_product(ways, offset)
    half = radius * radius - aside * aside
    is_met = (half >= 0.0) & (radius > 0.0)
    root = np.sqrt(np.where(is_met, half, 0.0))
    low = np.full(len(arc), np.inf)
    high = np.full(len(arc), -np.inf)
    for place in (along - root, along + root):
        normal = np.arctan2(place * ways[:, 1] - offset[:, 1], place * ways[:, 0] - offset[:, 0])
        is_on = is_met & bodies.has_normal(arc, normal)
        low = np.where(is_on, np.minimum(low, place), low)
        high = np.where(is_on, np.maximum(high, place), high)
    return low, high


def _edge_crossings(
    bodies: ArcBodies, arc: IntArray, tails: FloatArray, ways: FloatArray, inset: FloatArray
) -> FloatArray:
    """Return the distances (n,) in inches along lines at which they cross inset edges; nan for none."""
    normal = bodies.edge_normals[arc]
    length = bodies.edge_lengths[arc]
    offset = bodies.tails[arc] - inset[:, None] * normal - tails
    across = ways[:, 0] * normal[:, 0] + ways[:, 1] * normal[:, 1]
    is_met = (np.abs(across) > CROSSING_ROUNDING * CROSSING_ROUNDING) & (length > 0.0)
    place = (offset[:, 0] * normal[:, 0] + offset[:, 1] * normal[:, 1]) / np.where(
        is_met, across, 1.0
    )
    beyond = place[:, None] * ways - offset
    along = cross_product(normal, beyond)
    crossing: FloatArray = np.where(
        is_met & (along >= -CROSSING_ROUNDING) & (along <= length + CROSSING_ROUNDING),
        place,
        np.nan,
    )
    return crossing


def bodies_containing(
    bodies: ArcBodies, points: FloatArray, *, depth: float = CONTACT
) -> BoolArray:
    """Return (n, bodies) which points (n, 2) lie deeper than `depth` inches inside which bodies."""
    rays = Segments(points - np.array([CONTACT, 0.0]), points + np.array([CONTACT, 0.0]))
    hits = chords(bodies, rays, near_pairs(bodies, rays), depth=depth)
    inside = np.zeros((len(points), bodies.number), dtype=bool)
    is_held = (hits.start < CONTACT) & (hits.end > CONTACT)
    inside[hits.line[is_held], hits.body[is_held]] = True
    return inside


@dataclass(frozen=True, eq=False)
class Tangents:
    """Tangents (n,) from points to arcs: indices of the points (`origin`) and arcs, outward normals there in radians,
    and the segments.
    """

    origin: IntArray
    arc: IntArray
    normals: FloatArray
    lines: Segments


@dataclass(frozen=True, eq=False)
class Bitangents:
    """Common tangents (n,) of arcs of two bodies: the arcs' indices and outward normals in radians at both ends, and
    the segments.
    """

    tail_arc: IntArray
    head_arc: IntArray
    tail_normals: FloatArray
    head_normals: FloatArray
    lines: Segments


def tangents_from(points: FloatArray, bodies: ArcBodies, *, reach: FloatArray) -> Tangents:
    """Return the tangents from points (n, 2) to all arcs, on both sides, that are at most `reach` (n,) inches long.

    A point within `CONTACT` inside an arc counts as on it.
    """
    point, arc = _seen_aslant(points, bodies)
    offset = bodies.centres[arc] - points[point]
    apart = lengths_of(offset)
    radius = bodies.radii[arc]
    kept = (apart >= radius - _yielding(bodies)[arc]) & (apart <= reach[point] + radius + CONTACT)
    point = point[kept]
    arc = arc[kept]
    apart = apart[kept]
    radius = radius[kept]
    bearing = np.arctan2(offset[kept, 1], offset[kept, 0])
    turn = np.arcsin(np.minimum(radius / np.maximum(apart, CONTACT * CONTACT), 1.0))
    found = []
    for sense in (1.0, -1.0):
        normal = bearing - sense * turn - sense * math.pi / 2
        is_on = bodies.has_normal(arc, normal)
        found.append((point[is_on], arc[is_on], normal[is_on]))
    origin, arc, normals = concatenate(found)
    return Tangents(origin, arc, normals, Segments(points[origin], _on(bodies, arc, normals)))


def _seen_aslant(points: FloatArray, bodies: ArcBodies) -> tuple[IntArray, IntArray]:
    """Return index pairs of points (n, 2) and arcs between which a tangent is possible: not where the arc faces or
    turns away entirely.

    A point has no tangent if it lies above the tangent lines at both ends of the arc, or below both, by more than the
    arc rises between.
    """
    rise = bodies.radii * (1.0 - np.cos(np.minimum(bodies.spans, math.pi))) + _yielding(bodies)
    before, behind = (_heights(points, *bodies.arc_ends(end)) for end in (0.0, 1.0))
    is_seen = (before > rise) & (behind > rise) | (before < -rise) & (behind < -rise)
    point, arc = np.nonzero(~is_seen | (bodies.spans > math.pi))
    return point, arc


def _heights(points: FloatArray, places: FloatArray, normals: FloatArray) -> FloatArray:
    """Return the signed distances (n, m) in inches of points (n, 2) from lines through `places` (m, 2) with unit
    normals (m, 2).
    """
    heights: FloatArray = points @ normals.T - (places * normals).sum(axis=1)
    return heights


def _yielding(bodies: ArcBodies) -> FloatArray:
    """Return by how many inches (arcs,) a point may lie inside each arc and still count as on it."""
    yielding: FloatArray = 2.0 * CONTACT + bodies.slack[bodies.arc_owner]
    return yielding


def _on(bodies: ArcBodies, arc: IntArray, normals: FloatArray) -> FloatArray:
    """Return the points (n, 2) at which arcs `arc` (n,) have the outward normals `normals` (n,), in radians."""
    points: FloatArray = bodies.centres[arc] + bodies.radii[arc, None] * unit_vectors(normals)
    return points


def bitangents(bodies: ArcBodies, *, reach: float) -> Bitangents:
    """Return all common tangents, at most `reach` inches long, of arcs of different bodies."""
    apart = lengths_of(bodies.circle_centres[:, None] - bodies.circle_centres)
    first, second = np.nonzero(
        np.triu(apart - bodies.circle_radii[:, None] - bodies.circle_radii <= reach, 1)
    )
    near = first, second
    found = []
    for leaving, arriving in ((1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)):
        tail, head = _facing_arcs(bodies, *near, 0.0 if leaving == arriving else math.pi)
        found.append(_common(bodies, tail, head, leaving, arriving))
    tails, heads, tail_normals, head_normals = concatenate(found)
    lines = Segments(_on(bodies, tails, tail_normals), _on(bodies, heads, head_normals))
    return Bitangents(tails, heads, tail_normals, head_normals, lines)


def _facing_arcs(
    bodies: ArcBodies, first: IntArray, second: IntArray, turn: float
) -> tuple[IntArray, IntArray]:
    """Return index pairs of arcs of bodies `first` and `second` (p,) that have a normal in common, the first's turned
    by `turn` radians.
    """
    pair, tail = repeat_numbered(bodies.counts[first])
    tail = bodies.first[first][pair] + tail
    start = bodies.starts[tail] + turn - CROSSING_ROUNDING
    end = bodies.starts[tail] + bodies.spans[tail] + turn + CROSSING_ROUNDING
    other = second[pair]
    low = bodies.arcs_at(other, start)
    number = bodies.counts[other]
    many = np.where(
        bodies.spans[tail] + 2.0 * CROSSING_ROUNDING >= math.tau,
        number,
        (bodies.arcs_at(other, end) - low) % number + 1,
    )
    place, step = repeat_numbered(many)
    begin = bodies.first[other]
    return tail[place], begin[place] + ((low - begin)[place] + step) % number[place]


def _common(
    bodies: ArcBodies, tail: IntArray, head: IntArray, leaving: float, arriving: float
) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """Return the common tangents of arcs that leave `tail` and arrive at `head` (p,) in given senses: 1
    counter-clockwise, -1 clockwise.

    Returns the indices of the arcs and the outward normals in radians at both ends, each (k,), where there is one.
    """
    way = bodies.centres[head] - bodies.centres[tail]
    apart = lengths_of(way)
    bearing = bearings_of(way)
    across = leaving * bodies.radii[tail] - arriving * bodies.radii[head]
    heading = bearing + np.arcsin(np.clip(across / np.maximum(apart, CONTACT * CONTACT), -1.0, 1.0))
    first = heading - leaving * math.pi / 2
    last = heading - arriving * math.pi / 2
    chosen = (
        (np.abs(across) <= apart + 2.0 * CONTACT)
        & bodies.has_normal(tail, first)
        & bodies.has_normal(head, last)
    )
    return tail[chosen], head[chosen], first[chosen], last[chosen]
