"""Many convex bodies in flat arrays: positions on their boundaries, and where these cross each other or the board.

A body is a closed curve of arcs, each followed by a straight edge. The arcs of all bodies are concatenated, so that one
call treats all of them; pieces of boundaries that lie far apart are never compared.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tabletop.budget import check_deadline
from tabletop.geometry.arrangement import (
    ArcPieces,
    Meetings,
    cross_arcs,
    cross_arcs_and_edges,
    cross_edges,
    polyline,
)
from tabletop.geometry.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    bearings_of,
    concatenate,
    cross_product,
    lengths_of,
    repeat_numbered,
    unit_vectors,
)
from tabletop.geometry.curve import ArcCurve

CROSSING_ROUNDING = 1e-9
"""Inches and radians by which rounding may move a crossing."""

BOARD = -1
"""Index that means the board, or no body, where the index of a body is expected."""

Box = tuple[float, float, float, float]

Locate = Callable[[IntArray, FloatArray], tuple[IntArray, FloatArray, FloatArray]]
"""Function from points (n, 2) on boundary pieces (n,) to the bodies, the positions in inches and the normals in
radians."""


@dataclass(frozen=True, eq=False)
class ArcBodies(ArcPieces):
    """Convex bodies in flat arrays of arcs and edges: edge k follows arc k, and both belong to body `arc_owner[k]`.

    Positions on a body's boundary are inches, counter-clockwise from the start of its first arc; arc k starts at
    `positions[k]`. Edge k has length `edge_lengths[k]` and the outward unit normal `edge_normals[k]`. Body b has
    `counts[b]` arcs from number `first[b]` on and a boundary of `perimeters[b]` inches; `circle_centres` and
    `circle_radii` are circles about the bodies, and `slack` is by how many inches their boundaries may be off.
    """

    positions: FloatArray
    edge_lengths: FloatArray
    edge_normals: FloatArray
    first: IntArray
    counts: IntArray
    perimeters: FloatArray
    circle_centres: FloatArray
    circle_radii: FloatArray
    slack: FloatArray

    @property
    def number(self) -> int:
        """Number of convex bodies, as distinct from that of their arcs."""
        return len(self.first)

    def points(self, body: IntArray, position: FloatArray) -> FloatArray:
        """Return the boundary points (n, 2) of bodies `body` (n,) at positions (n,) in inches, taken modulo the
        perimeter.
        """
        key = self._keys[body] + position % self.perimeters[body]
        arc = np.searchsorted(self._keys[self.arc_owner] + self.positions, key, side="right") - 1
        beyond = position % self.perimeters[body] - self.positions[arc]
        on_arc = np.minimum(beyond, self.radii[arc] * self.spans[arc])
        angles = self.starts[arc] + on_arc / np.where(self.radii[arc] > 0.0, self.radii[arc], 1.0)
        round_part = self.centres[arc] + self.radii[arc, None] * unit_vectors(angles)
        along = np.column_stack([-self.edge_normals[arc, 1], self.edge_normals[arc, 0]])
        straight = self.tails[arc] + (beyond - on_arc)[:, None] * along
        points: FloatArray = np.where((beyond > on_arc)[:, None], straight, round_part)
        return points

    @cached_property
    def _keys(self) -> FloatArray:
        """Offsets (bodies + 1,) in inches that turn positions on different bodies into one increasing sequence."""
        return np.asarray(np.concatenate([[0.0], np.cumsum(self.perimeters + 1.0)]))

    def keys(self, body: IntArray, position: FloatArray) -> FloatArray:
        """Return keys (n,) that sort positions by body, then along its boundary."""
        keys: FloatArray = self._keys[body] + position
        return keys

    @cached_property
    def joints(self) -> tuple[FloatArray, FloatArray]:
        """Points (n, 2) and outward unit normals (n, 2) at the starts of all arcs."""
        return self.arc_ends(0.0)

    @cached_property
    def _normal_keys(self) -> FloatArray:
        """Angles (n,) of the normals at the starts of the arcs, offset by 4 pi per body so that they increase body
        after body.
        """
        return np.asarray(self.starts + 2.0 * math.tau * self.arc_owner)

    def arcs_at(self, body: IntArray, normal: FloatArray) -> IntArray:
        """Return the arc (n,) of each body in `body` (n,) whose range of outward normals contains `normal` (n,), in
        radians.
        """
        key = normal % math.tau + 2.0 * math.tau * body
        arc = np.searchsorted(self._normal_keys, key, side="right") - 1
        found: IntArray = np.where(
            arc < self.first[body], self.first[body] + self.counts[body] - 1, arc
        )
        return found

    def arc_ends(self, end: float) -> tuple[FloatArray, FloatArray]:
        """Return the points (n, 2) and outward unit normals (n, 2) at the start (`end` 0) or at the end (`end` 1) of
        all arcs.
        """
        angles = self.starts + end * self.spans
        normals = unit_vectors(angles)
        return self.centres + self.radii[:, None] * normals, normals

    def has_normal(self, arc: IntArray, normal: FloatArray) -> BoolArray:
        """Return (n,) whether the range of outward normals of each arc in `arc` (n,) contains `normal` (n,), in
        radians.
        """
        beyond = (normal - self.starts[arc]) % math.tau
        holds: BoolArray = (beyond <= self.spans[arc] + CROSSING_ROUNDING) | (
            beyond >= math.tau - CROSSING_ROUNDING
        )
        return holds

    def position_at(self, arc: IntArray, normal: FloatArray) -> FloatArray:
        """Return the positions (n,), in inches along boundaries, at which arcs `arc` (n,) have outward normals `normal`
        (n,) in radians.
        """
        beyond = (normal - self.starts[arc]) % math.tau
        before_start = np.maximum(beyond - self.spans[arc], CROSSING_ROUNDING) >= math.tau - beyond
        beyond = np.where(before_start, 0.0, beyond)
        position: FloatArray = self.positions[arc] + self.radii[arc] * np.minimum(
            beyond, self.spans[arc]
        )
        return position

    def on_arcs(self, arc: IntArray, points: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
        """Return the bodies, positions in inches and outward normals in radians, each (n,), of points (n, 2) on arcs
        `arc` (n,).
        """
        offset = points - self.centres[arc]
        normal = bearings_of(offset)
        return self.arc_owner[arc], self.position_at(arc, normal), normal

    def on_edges(
        self, edge: IntArray, points: FloatArray
    ) -> tuple[IntArray, FloatArray, FloatArray]:
        """Return the bodies, positions in inches and outward normals in radians, each (n,), of points (n, 2) on edges
        `edge` (n,).
        """
        normal = self.edge_normals[edge]
        beyond = points - self.tails[edge]
        along = np.clip(cross_product(normal, beyond), 0.0, self.edge_lengths[edge])
        position = self.positions[edge] + self.radii[edge] * self.spans[edge] + along
        return self.arc_owner[edge], position, bearings_of(normal)


def flatten(curves: Sequence[ArcCurve]) -> ArcBodies:
    """Return curves, each the boundary of one convex body, as flat arrays of arcs and edges."""
    parts = [curve.from_least() for curve in curves]
    empty = [ArcCurve(np.empty((0, 2)), np.empty(0), np.empty(0))] if not parts else []
    centres, radii, starts, spans = (
        np.concatenate([getattr(curve, name) for curve in (*parts, *empty)])
        for name in ("centres", "radii", "starts", "spans")
    )
    counts = np.array([len(curve.starts) for curve in parts], dtype=np.intp)
    first = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.intp)[: len(parts)]
    owner = np.repeat(np.arange(len(parts)), counts)
    following = np.arange(len(owner)) + 1
    following[(first + counts - 1)] = first
    turned = starts + spans
    normals = unit_vectors(turned)
    tails = centres + radii[:, None] * normals
    heads = centres[following] + radii[following, None] * normals
    lengths = np.where(counts[owner] > 1, np.hypot(*(heads - tails).T), 0.0)
    ends = np.cumsum(radii * spans + lengths)
    before = ends - (radii * spans + lengths)
    positions = before - before[first][owner]
    perimeters = ends[first + counts - 1] - before[first]
    middles, reaches = _circles(centres, radii, owner, counts)
    slack = np.array([2.0 * curve.error for curve in parts])
    arcs = centres, radii, starts, spans, owner, tails, heads, owner
    return ArcBodies(
        *arcs, positions, lengths, normals, first, counts, perimeters, middles, reaches, slack
    )


def _circles(
    centres: FloatArray, radii: FloatArray, owner: IntArray, counts: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return circles about the bodies as centres (bodies, 2) and radii (bodies,) in inches."""
    number = len(counts)
    low = np.full((number, 2), np.inf)
    high = np.full((number, 2), -np.inf)
    np.minimum.at(low, owner, centres)
    np.maximum.at(high, owner, centres)
    middles = (low + high) / 2.0
    reaches = np.zeros(number)
    np.maximum.at(reaches, owner, np.hypot(*(centres - middles[owner]).T) + radii)
    return middles, reaches


class Surroundings(NamedTuple):
    """Bounding circles of boundary pieces sorted by body: centres (n, 2), radii (n,) in inches, bodies (n,), indices
    (n,) of the pieces.
    """

    bounding_centres: FloatArray
    sizes: FloatArray
    owner: IntArray
    number: IntArray


class Crossings(NamedTuple):
    """Crossings of boundaries: the points (n, 2), and for both boundaries the body's index and the position on it in
    inches, each (n,).

    `second` is `BOARD` where the boundary crosses the edge of the board. `cosines` (n,) are those of the angles between
    the outward normals: 1 where one boundary touches the other from inside, -1 from outside; nan at the board.
    """

    points: FloatArray
    first: IntArray
    first_positions: FloatArray
    second: IntArray
    second_positions: FloatArray
    cosines: FloatArray


def crossings(bodies: ArcBodies, box: Box) -> Crossings:
    """Return where boundaries of different bodies cross or touch, and where they cross the sides of `box`: west, south,
    east, north.
    """
    west, south, east, north = box
    sides = polyline(np.array([[west, south], [east, south], [east, north], [west, north]]))
    arc = np.flatnonzero(bodies.radii > 0.0)
    edge = np.flatnonzero(bodies.edge_lengths > CROSSING_ROUNDING)
    arcs = Surroundings(
        bodies.bounding_centres[arc], bodies.bounding_radii[arc], bodies.arc_owner[arc], arc
    )
    edges = Surroundings(
        (bodies.tails + bodies.heads)[edge] / 2.0,
        bodies.edge_lengths[edge] / 2.0,
        bodies.arc_owner[edge],
        edge,
    )
    on_arcs = bodies.on_arcs
    on_edges = bodies.on_edges
    side = np.arange(4)
    found = [
        _located(
            cross_arcs(bodies, bodies, *near_pieces(bodies, arcs, arcs, once=True)),
            on_arcs,
            on_arcs,
        ),
        _located(
            cross_arcs_and_edges(bodies, bodies, *near_pieces(bodies, arcs, edges, once=False)),
            on_arcs,
            on_edges,
        ),
        _located(cross_arcs_and_edges(bodies, sides, arc[:, None], side), on_arcs, _on_board),
        _located(
            cross_edges(bodies, bodies, *near_pieces(bodies, edges, edges, once=True)),
            on_edges,
            on_edges,
        ),
        _located(cross_edges(bodies, sides, edge[:, None], side), on_edges, _on_board),
    ]
    return Crossings(*concatenate(found))


def _located(met: Meetings, on_first: Locate, on_second: Locate) -> Crossings:
    """Return points at which pieces of boundaries meet as crossings; `on_first` and `on_second` locate them, given the
    pieces' indices.
    """
    points, one, other = met
    body, position, normal = on_first(one, points)
    its_body, its_position, its_normal = on_second(other, points)
    return Crossings(points, body, position, its_body, its_position, np.cos(normal - its_normal))


def _on_board(side: IntArray, points: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the body `BOARD`, the position 0 and the normal nan, each (n,), for points (n, 2) on the board's edge."""
    return np.full(len(side), BOARD), np.zeros(len(points)), np.full(len(points), np.nan)


def near_pieces(
    bodies: ArcBodies, first: Surroundings, second: Surroundings, *, once: bool
) -> tuple[IntArray, IntArray]:
    """Return the index pairs, as two arrays (k,), of pieces of different bodies whose bounding circles meet.

    Each two bodies are compared both ways, or only `once`.
    """
    check_deadline()
    apart = lengths_of(bodies.circle_centres[:, None] - bodies.circle_centres)
    is_near = apart <= bodies.circle_radii[:, None] + bodies.circle_radii + CROSSING_ROUNDING
    one, other = np.nonzero(
        np.triu(is_near, 1) if once else is_near & ~np.eye(bodies.number, dtype=bool)
    )
    pair, near = _close(bodies, first, one, other)
    its_pair, far = _close(bodies, second, other, one)
    begins = np.searchsorted(its_pair, np.arange(len(one)))
    counts = np.bincount(its_pair, minlength=len(one))
    place, step = repeat_numbered(counts[pair])
    near = near[place]
    far = far[begins[pair][place] + step]
    way = first.bounding_centres[near] - second.bounding_centres[far]
    meets = lengths_of(way) <= first.sizes[near] + second.sizes[far] + CROSSING_ROUNDING
    return first.number[near[meets]], second.number[far[meets]]


def _close(
    bodies: ArcBodies, pieces: Surroundings, own: IntArray, other: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the pieces of bodies `own` (p,) whose bounding circles meet the circles about bodies `other` (p,).

    Returns two arrays (k,): the index of the pair, and the row of the piece in `pieces`.
    """
    check_deadline()
    begins, ends = (np.searchsorted(pieces.owner, own, side=side) for side in ("left", "right"))
    pair, step = repeat_numbered(ends - begins)
    row = begins[pair] + step
    way = pieces.bounding_centres[row] - bodies.circle_centres[other][pair]
    kept = (
        lengths_of(way) <= pieces.sizes[row] + bodies.circle_radii[other][pair] + CROSSING_ROUNDING
    )
    return pair[kept], row[kept]
