"""Many convex bodies in flat arrays: positions on their boundaries, and where these cross each other or the board.

A body is a closed curve of arcs, each followed by a straight edge. All arcs of all bodies stand one after the other, so that one call
answers for all of them; pieces of boundaries that lie far apart are never held against each other.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tabletop.budget import keep_time
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray, concatenate, repeat_numbered, take
from tabletop.geometry.curve import ArcCurve

CROSSING_ROUNDING = 1e-9
"""Inches and radians by which rounding may move a crossing."""

BOARD = -1
"""Stands for the board where a number of a body is asked."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class ArcBodies:
    """Convex bodies as arcs and the edges that follow them; arc k belongs to body `owner[k]`, and so does edge k.

    Positions on a body's boundary are inches, counter-clockwise from the start of its first arc.
    """

    centres: FloatArray
    radii: FloatArray
    starts: FloatArray
    spans: FloatArray
    owner: IntArray
    positions: FloatArray
    edge_starts: FloatArray
    edge_lengths: FloatArray
    edge_normals: FloatArray
    first: IntArray
    counts: IntArray
    perimeters: FloatArray
    bounding_centres: FloatArray
    bounding_radii: FloatArray
    slack: FloatArray

    @property
    def number(self) -> int:
        """How many bodies there are."""
        return len(self.first)

    def points(self, body: IntArray, position: FloatArray) -> FloatArray:
        """Give the boundary's points (n, 2) at positions (n,)."""
        key = self._keys[body] + position % self.perimeters[body]
        arc = np.searchsorted(self._keys[self.owner] + self.positions, key, side="right") - 1
        beyond = position % self.perimeters[body] - self.positions[arc]
        on_arc = np.minimum(beyond, self.radii[arc] * self.spans[arc])
        angles = self.starts[arc] + on_arc / np.where(self.radii[arc] > 0.0, self.radii[arc], 1.0)
        round_part = self.centres[arc] + self.radii[arc, None] * np.column_stack([np.cos(angles), np.sin(angles)])
        along = np.column_stack([-self.edge_normals[arc, 1], self.edge_normals[arc, 0]])
        straight = self.edge_starts[arc] + (beyond - on_arc)[:, None] * along
        points: FloatArray = np.where((beyond > on_arc)[:, None], straight, round_part)
        return points

    @cached_property
    def _keys(self) -> FloatArray:
        """Offsets (bodies,) that make positions on different bodies one increasing sequence."""
        return np.asarray(np.concatenate([[0.0], np.cumsum(self.perimeters + 1.0)]))

    def keys(self, body: IntArray, position: FloatArray) -> FloatArray:
        """Give numbers (n,) that increase with body and position."""
        keys: FloatArray = self._keys[body] + position
        return keys

    @cached_property
    def joints(self) -> tuple[FloatArray, FloatArray]:
        """Points and unit normals (n, 2) where the arcs start."""
        return self.arc_ends(0.0)

    @cached_property
    def _normal_keys(self) -> FloatArray:
        """The normals at which arcs start as one increasing sequence, body after body."""
        return np.asarray(self.starts + 2.0 * math.tau * self.owner)

    def arcs_at(self, body: IntArray, normal: FloatArray) -> IntArray:
        """Give the arcs of bodies that hold outward normals (n,), in radians."""
        key = normal % math.tau + 2.0 * math.tau * body
        arc = np.searchsorted(self._normal_keys, key, side="right") - 1
        found: IntArray = np.where(arc < self.first[body], self.first[body] + self.counts[body] - 1, arc)
        return found

    def arc_ends(self, end: float) -> tuple[FloatArray, FloatArray]:
        """Give points (n, 2) and unit normals (n, 2) at the start of all arcs, where `end` is 0, or at their end, where it is 1."""
        angles = self.starts + end * self.spans
        normals = np.column_stack([np.cos(angles), np.sin(angles)])
        return self.centres + self.radii[:, None] * normals, normals

    def has_normal(self, arc: IntArray, normal: FloatArray) -> BoolArray:
        """Tell which arcs hold an outward normal, given in radians."""
        beyond = (normal - self.starts[arc]) % math.tau
        holds: BoolArray = (beyond <= self.spans[arc] + CROSSING_ROUNDING) | (beyond >= math.tau - CROSSING_ROUNDING)
        return holds

    def position_at(self, arc: IntArray, normal: FloatArray) -> FloatArray:
        """Give the positions (n,) of points of arcs with an outward normal that they hold, in radians."""
        beyond = (normal - self.starts[arc]) % math.tau
        beyond = np.where(beyond >= math.tau - CROSSING_ROUNDING, 0.0, beyond)
        position: FloatArray = self.positions[arc] + self.radii[arc] * np.minimum(beyond, self.spans[arc])
        return position


def flatten(curves: Sequence[ArcCurve]) -> ArcBodies:
    """Lay the arcs of curves out in flat arrays."""
    parts = [curve.from_least() for curve in curves]
    empty = [ArcCurve(np.empty((0, 2)), np.empty(0), np.empty(0))] if not parts else []
    centres, radii, starts, spans = (
        np.concatenate([getattr(curve, name) for curve in (*parts, *empty)]) for name in ("centres", "radii", "starts", "spans")
    )
    counts = np.array([len(curve.starts) for curve in parts], dtype=np.intp)
    first = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.intp)[: len(parts)]
    owner = np.repeat(np.arange(len(parts)), counts)
    following = np.arange(len(owner)) + 1
    following[(first + counts - 1)] = first
    turned = starts + spans
    normals = np.column_stack([np.cos(turned), np.sin(turned)])
    edge_starts, edge_ends = centres + radii[:, None] * normals, centres[following] + radii[following, None] * normals
    lengths = np.where(counts[owner] > 1, np.hypot(*(edge_ends - edge_starts).T), 0.0)
    positions, perimeters = _positions(radii * spans + lengths, owner, first, counts)
    middles, reaches = _circles(centres, radii, owner, counts)
    slack = np.array([2.0 * curve.error for curve in parts])
    return ArcBodies(
        centres, radii, starts, spans, owner, positions, edge_starts, lengths, normals, first, counts, perimeters, middles, reaches, slack
    )


def _positions(lengths: FloatArray, owner: IntArray, first: IntArray, counts: IntArray) -> tuple[FloatArray, FloatArray]:
    """Give where each arc starts on its body's boundary, and how long the boundaries are, in inches."""
    ends = np.cumsum(lengths)
    before = ends - lengths
    last = first + counts - 1
    return before - before[first][owner], ends[last] - before[first]


def _circles(centres: FloatArray, radii: FloatArray, owner: IntArray, counts: IntArray) -> tuple[FloatArray, FloatArray]:
    """Give circles about bodies: their centres (n, 2) and radii (n,) in inches, exact where the body is a circle."""
    number = len(counts)
    low, high = np.full((number, 2), np.inf), np.full((number, 2), -np.inf)
    np.minimum.at(low, owner, centres)
    np.maximum.at(high, owner, centres)
    middles = (low + high) / 2.0
    reaches = np.zeros(number)
    np.maximum.at(reaches, owner, np.hypot(*(centres - middles[owner]).T) + radii)
    return middles, reaches


class Surroundings(NamedTuple):
    """Circles about pieces of boundaries, body after body: centres (n, 2), radii in inches, the bodies, and the pieces' numbers."""

    bounding_centres: FloatArray
    sizes: FloatArray
    owner: IntArray
    number: IntArray


class Crossings(NamedTuple):
    """Points (n, 2) on two boundaries: the bodies, the second perhaps `BOARD`, the positions on them in inches.

    `cosines` are those of the angles between the outward normals: 1 where one boundary touches the other from inside, -1 from outside.
    """

    points: FloatArray
    first: IntArray
    first_positions: FloatArray
    second: IntArray
    second_positions: FloatArray
    cosines: FloatArray


class Straights(NamedTuple):
    """Straight pieces of boundaries: start (n, 2), unit direction (n, 2), length, body and the position of the start."""

    starts: FloatArray
    ways: FloatArray
    lengths: FloatArray
    owner: IntArray
    positions: FloatArray

    @property
    def surroundings(self) -> Surroundings:
        """Circles about them."""
        half = self.lengths[:, None] / 2.0
        return Surroundings(self.starts + half * self.ways, half[:, 0], self.owner, np.arange(len(self.owner)))


def crossings(bodies: ArcBodies, box: Box) -> Crossings:
    """Find where boundaries of different bodies cross or touch, and where they cross the edges of a box."""
    along = np.column_stack([-bodies.edge_normals[:, 1], bodies.edge_normals[:, 0]])
    kept = bodies.edge_lengths > CROSSING_ROUNDING
    columns = (bodies.edge_starts, along, bodies.edge_lengths, bodies.owner, bodies.positions + bodies.radii * bodies.spans)
    edges, sides, arcs = Straights(*take(columns, kept)), _sides(box), around_arcs(bodies)
    about = edges.surroundings
    arc, edge, side = np.arange(len(bodies.owner)), np.arange(len(edges.owner)), np.arange(len(sides.owner))
    found = [
        _rounds(bodies, *meeting(bodies, arcs, arcs, once=True)),
        _round_straights(bodies, edges, *meeting(bodies, arcs, about, once=False)),
        _round_straights(bodies, sides, *_every(arc, side)),
        _straights(edges, edges, *meeting(bodies, about, about, once=True)),
        _straights(edges, sides, *_every(edge, side)),
    ]
    return Crossings(*concatenate(found))


def _every(first: IntArray, second: IntArray) -> tuple[IntArray, IntArray]:
    """Give all pairs of one and one."""
    return np.repeat(first, len(second)), np.tile(second, len(first))


def _sides(box: Box) -> Straights:
    west, south, east, north = box
    corners = np.array([[west, south], [east, south], [east, north], [west, north]])
    ways = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(ways[:, 0], ways[:, 1])
    safe = np.where(lengths > 0.0, lengths, 1.0)[:, None]
    return Straights(corners, ways / safe, lengths, np.full(4, BOARD), np.zeros(4))


def around_arcs(bodies: ArcBodies) -> Surroundings:
    """Give circles about all arcs that have a radius."""
    is_wide = bodies.spans > math.pi
    turned = bodies.starts + bodies.spans / 2.0
    way = np.where(is_wide, 0.0, bodies.radii)[:, None] * np.column_stack([np.cos(turned), np.sin(turned)])
    sizes = np.where(is_wide, bodies.radii, 2.0 * bodies.radii * np.sin(np.minimum(bodies.spans, math.pi) / 4.0))
    kept = np.flatnonzero(bodies.radii > 0.0)
    return Surroundings((bodies.centres + way)[kept], sizes[kept], bodies.owner[kept], kept)


def meeting(bodies: ArcBodies, first: Surroundings, second: Surroundings, *, once: bool) -> tuple[IntArray, IntArray]:
    """Give numbers of pieces of different bodies whose surroundings meet; of each two bodies both ways, or only `once`."""
    keep_time()
    apart = np.hypot(*(bodies.bounding_centres[:, None] - bodies.bounding_centres).transpose(2, 0, 1))
    is_near = apart <= bodies.bounding_radii[:, None] + bodies.bounding_radii + CROSSING_ROUNDING
    one, other = np.nonzero(np.triu(is_near, 1) if once else is_near & ~np.eye(bodies.number, dtype=bool))
    (pair, near), (its_pair, far) = _close(bodies, first, one, other), _close(bodies, second, other, one)
    begins, counts = np.searchsorted(its_pair, np.arange(len(one))), np.bincount(its_pair, minlength=len(one))
    place, step = repeat_numbered(counts[pair])
    near, far = near[place], far[begins[pair][place] + step]
    way = first.bounding_centres[near] - second.bounding_centres[far]
    meets = np.hypot(way[:, 0], way[:, 1]) <= first.sizes[near] + second.sizes[far] + CROSSING_ROUNDING
    return first.number[near[meets]], second.number[far[meets]]


def _close(bodies: ArcBodies, pieces: Surroundings, own: IntArray, other: IntArray) -> tuple[IntArray, IntArray]:
    """Give for pairs of bodies the pieces of the one whose surroundings meet the circle about the other: the pair, and the row."""
    keep_time()
    begins, ends = (np.searchsorted(pieces.owner, own, side=side) for side in ("left", "right"))
    pair, step = repeat_numbered(ends - begins)
    row = begins[pair] + step
    way = pieces.bounding_centres[row] - bodies.bounding_centres[other][pair]
    kept = np.hypot(way[:, 0], way[:, 1]) <= pieces.sizes[row] + bodies.bounding_radii[other][pair] + CROSSING_ROUNDING
    return pair[kept], row[kept]


def _rounds(bodies: ArcBodies, near: IntArray, far: IntArray) -> Crossings:
    """Crossings of arcs with arcs: on the line across that of the centres where the circles' powers are equal."""
    keep_time()
    way = bodies.centres[far] - bodies.centres[near]
    apart, radius, other = np.hypot(way[:, 0], way[:, 1]), bodies.radii[near], bodies.radii[far]
    kept = (
        (apart > CROSSING_ROUNDING) & (apart <= radius + other + CROSSING_ROUNDING) & (apart >= np.abs(radius - other) - CROSSING_ROUNDING)
    )
    near, far, way, apart, radius, other = near[kept], far[kept], way[kept], apart[kept], radius[kept], other[kept]
    along = (apart * apart + radius * radius - other * other) / (2.0 * apart)
    aside = np.sqrt(np.maximum(radius * radius - along * along, 0.0))
    unit = way / apart[:, None]
    found = []
    for sense in (1.0, -1.0):
        offset = along[:, None] * unit + (sense * aside)[:, None] * np.column_stack([-unit[:, 1], unit[:, 0]])
        normal, its = np.arctan2(offset[:, 1], offset[:, 0]), np.arctan2(offset[:, 1] - way[:, 1], offset[:, 0] - way[:, 0])
        on = bodies.has_normal(near, normal) & bodies.has_normal(far, its)
        mine, theirs = bodies.position_at(near[on], normal[on]), bodies.position_at(far[on], its[on])
        points = bodies.centres[near[on]] + offset[on]
        cosines = np.cos(normal[on] - its[on])
        found.append(Crossings(points, bodies.owner[near[on]], mine, bodies.owner[far[on]], theirs, cosines))
    return Crossings(*concatenate(found))


def _round_straights(bodies: ArcBodies, straights: Straights, arc: IntArray, straight: IntArray) -> Crossings:
    """Crossings of arcs with straight pieces of other bodies or of the board."""
    keep_time()
    offset, way = bodies.centres[arc] - straights.starts[straight], straights.ways[straight]
    along, aside = offset[:, 0] * way[:, 0] + offset[:, 1] * way[:, 1], offset[:, 1] * way[:, 0] - offset[:, 0] * way[:, 1]
    kept = (np.abs(aside) <= bodies.radii[arc] + CROSSING_ROUNDING) & (bodies.radii[arc] > 0.0)
    arc, straight, along, aside = arc[kept], straight[kept], along[kept], aside[kept]
    half = np.sqrt(np.maximum(bodies.radii[arc] ** 2 - aside * aside, 0.0))
    found = []
    for sense in (1.0, -1.0):
        place = along + sense * half
        points = straights.starts[straight] + place[:, None] * straights.ways[straight]
        offset = points - bodies.centres[arc]
        normal = np.arctan2(offset[:, 1], offset[:, 0])
        length = straights.lengths[straight]
        on = bodies.has_normal(arc, normal) & (place >= -CROSSING_ROUNDING) & (place <= length + CROSSING_ROUNDING)
        theirs = straights.positions[straight][on] + np.clip(place[on], 0.0, length[on])
        mine = bodies.position_at(arc[on], normal[on])
        way = straights.ways[straight[on]]
        cosines = np.cos(normal[on]) * way[:, 1] - np.sin(normal[on]) * way[:, 0]
        found.append(Crossings(points[on], bodies.owner[arc[on]], mine, straights.owner[straight[on]], theirs, cosines))
    return Crossings(*concatenate(found))


def _straights(edges: Straights, others: Straights, edge: IntArray, other: IntArray) -> Crossings:
    """Crossings of edges with straight pieces of other bodies or of the board; parallel ones do not cross."""
    keep_time()
    offset, way, its = others.starts[other] - edges.starts[edge], edges.ways[edge], others.ways[other]
    turn = way[:, 0] * its[:, 1] - way[:, 1] * its[:, 0]
    crosses = np.abs(turn) > CROSSING_ROUNDING
    safe = np.where(crosses, turn, 1.0)
    place, their_place = (offset[:, 0] * line[:, 1] - offset[:, 1] * line[:, 0] for line in (its, way))
    place, their_place = place / safe, their_place / safe
    length, their_length = edges.lengths[edge], others.lengths[other]
    kept = (
        crosses
        & (place >= -CROSSING_ROUNDING)
        & (place <= length + CROSSING_ROUNDING)
        & (their_place >= -CROSSING_ROUNDING)
        & (their_place <= their_length + CROSSING_ROUNDING)
    )
    points = (edges.starts[edge] + place[:, None] * way)[kept]
    here = (edges.positions[edge] + np.clip(place, 0.0, length))[kept]
    there = (others.positions[other] + np.clip(their_place, 0.0, their_length))[kept]
    return Crossings(points, edges.owner[edge][kept], here, others.owner[other][kept], there, (way * its).sum(axis=1)[kept])
