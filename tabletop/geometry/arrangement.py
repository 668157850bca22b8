"""Arrangements of arcs and edges: where many curves cross, and which of their points are nearest to something.

`ArcPieces` holds curves of circular arcs and straight edges as flat arrays, so that one call treats all pieces of all
curves. Such a curve is, for instance, the set of places at which the centre of a base has a given gap from an obstacle.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

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
    unit_vectors,
)
from tabletop.geometry.curve import ArcCurve

GRAZING = 1e-9
"""Inches by which two arcs or edges may miss each other, or a point the end of one, and still meet."""

MANY_PAIRS = 20_000
"""Number of pairs of arcs above which a spatial index (STR tree) finds those near each other."""

PAIRS_AT_ONCE = 300_000
"""Number of pairs of pieces, or of pieces and points, processed at once."""

CURVES = 1024
"""Number of curves whose edges are cached."""


@dataclass(frozen=True, eq=False)
class ArcPieces:
    """Pieces of plane curves in flat arrays: circular arcs and straight edges, each with the number of its curve.

    Arcs have `centres` (a, 2) and `radii` (a,) in inches; the outward normal of an arc begins at the angle `starts`
    (a,) and turns counter- clockwise through `spans` (a,), in radians. Edges lead from `tails` (e, 2) to `heads` (e,
    2). `arc_owner` (a,) and `edge_owner` (e,) are the numbers of the curves.
    """

    centres: FloatArray
    radii: FloatArray
    starts: FloatArray
    spans: FloatArray
    arc_owner: IntArray
    tails: FloatArray
    heads: FloatArray
    edge_owner: IntArray

    @cached_property
    def count(self) -> int:
        """Number of pieces, arcs and edges together."""
        return len(self.radii) + len(self.tails)

    def near(self, point: FloatArray, radius: float) -> "ArcPieces":
        """Return the arcs and edges that come within `radius` inches of `point` (2,).

        Edges are tested exactly, arcs by their bounding discs, so that a few arcs more may be returned.
        """
        aside = self.bounding_centres - point
        arcs = lengths_of(aside) <= radius + self.bounding_radii
        if not len(self.tails):
            return self.part(arcs, slice(0))
        run = self.heads - self.tails
        share = ((point - self.tails) * run).sum(axis=1) / np.maximum(
            (run * run).sum(axis=1), GRAZING * GRAZING
        )
        edges = (
            np.hypot(*(self.tails + np.clip(share, 0.0, 1.0)[:, None] * run - point).T) <= radius
        )
        return self.part(arcs, edges)

    def part(self, arcs: BoolArray | slice, edges: BoolArray | slice) -> "ArcPieces":
        """Return the pieces selected by two masks or slices, one for the arcs and one for the edges."""
        rounds = (
            self.centres[arcs],
            self.radii[arcs],
            self.starts[arcs],
            self.spans[arcs],
            self.arc_owner[arcs],
        )
        return ArcPieces(*rounds, self.tails[edges], self.heads[edges], self.edge_owner[edges])

    @property
    def columns(self) -> list[NDArray[Any]]:
        """All eight arrays in the order of the fields, those of the arcs before those of the edges."""
        rounds = [self.centres, self.radii, self.starts, self.spans, self.arc_owner]
        return [*rounds, self.tails, self.heads, self.edge_owner]

    @cached_property
    def bounding_centres(self) -> FloatArray:
        """Centres (a, 2) of bounding discs of the arcs: an arc's middle point, or its own centre where it spans pi
        radians or more.
        """
        angles = self.starts + self.spans / 2.0
        out = np.where(self.spans < math.pi, self.radii, 0.0)
        return np.asarray(self.centres + out[:, None] * unit_vectors(angles))

    @cached_property
    def bounding_radii(self) -> FloatArray:
        """Radii (a,) in inches of the bounding discs of the arcs about `bounding_centres`."""
        return np.asarray(
            np.where(self.spans < math.pi, 2.0 * self.radii * np.sin(self.spans / 4.0), self.radii)
        )


def circles(centres: FloatArray, radii: FloatArray) -> ArcPieces:
    """Return full circles about `centres` (n, 2) with `radii` (n,) in inches; circle i is curve number i."""
    count = len(centres)
    whole = np.full(count, math.tau)
    none = np.empty((0, 2))
    return ArcPieces(
        centres,
        radii,
        np.zeros(count),
        whole,
        np.arange(count),
        none,
        none,
        np.empty(0, dtype=np.intp),
    )


def tracks(curves: Sequence[ArcCurve], shifts: FloatArray | None = None) -> ArcPieces:
    """Return the arcs and edges of curves; those of curve i are shifted by row i of `shifts` (n, 2), in inches, and
    numbered i.
    """
    moved = np.zeros((len(curves), 2)) if shifts is None else shifts
    parts = [_pieces(curve) for curve in curves]
    if not parts:
        return circles(np.empty((0, 2)), np.empty(0))
    arcs = np.repeat(np.arange(len(curves)), [len(curve.radii) for curve in curves])
    edges = np.repeat(np.arange(len(curves)), [len(part[0]) for part in parts])
    return ArcPieces(
        np.concatenate([curve.centres for curve in curves]) + moved[arcs],
        np.concatenate([curve.radii for curve in curves]),
        np.concatenate([curve.starts for curve in curves]),
        np.concatenate([curve.spans for curve in curves]),
        arcs,
        np.concatenate([part[0] for part in parts]) + moved[edges],
        np.concatenate([part[1] for part in parts]) + moved[edges],
        edges,
    )


def polyline(points: FloatArray) -> ArcPieces:
    """Return the edges of the closed ring through `points` (n, 2), the last one leading back to the first point; all of
    curve 0.
    """
    return segments(points, np.roll(points, -1, axis=0))


def segments(tails: FloatArray, heads: FloatArray) -> ArcPieces:
    """Return straight edges from `tails` (n, 2) to `heads` (n, 2), all of curve 0."""
    return replace(
        circles(np.empty((0, 2)), np.empty(0)),
        tails=tails,
        heads=heads,
        edge_owner=np.zeros(len(tails), dtype=np.intp),
    )


def join_tracks(parts: Sequence[ArcPieces]) -> ArcPieces:
    """Concatenate sets of pieces into one; the curves of each set are numbered on from those of the sets before it."""
    counts = [
        1 + int(max(part.arc_owner.max(initial=-1), part.edge_owner.max(initial=-1)))
        for part in parts
    ]
    centres, radii, starts, spans, arcs, tails, heads, edges = concatenate(
        [part.columns for part in parts]
    )
    offsets = np.cumsum([0, *counts[:-1]])
    arcs = arcs + np.repeat(offsets, [len(part.arc_owner) for part in parts])
    edges = edges + np.repeat(offsets, [len(part.edge_owner) for part in parts])
    return ArcPieces(centres, radii, starts, spans, arcs, tails, heads, edges)


def numbered(parts: Sequence[ArcPieces]) -> ArcPieces:
    """Concatenate sets of pieces into one; all pieces of set i are numbered as curve i."""
    own = [
        replace(
            part,
            arc_owner=np.full(len(part.radii), number),
            edge_owner=np.full(len(part.tails), number),
        )
        for number, part in enumerate(parts)
    ]
    return ArcPieces(*concatenate([part.columns for part in own]))


@lru_cache(maxsize=CURVES)
def _pieces(curve: ArcCurve) -> tuple[FloatArray, FloatArray]:
    """Return the tails and heads, each (e, 2), of the edges of a curve, which lead from the end of each arc to the
    start of the next.

    Edges of no length are left out; a full circle has none.
    """
    check_deadline()
    if len(curve.radii) == 1:
        return np.empty((0, 2)), np.empty((0, 2))
    order = np.argsort(curve.starts % math.tau, kind="stable")
    centres = curve.centres[order]
    radii = curve.radii[order]
    starts = curve.starts[order]
    normals = unit_vectors(np.roll(starts, -1))
    tails = centres + radii[:, None] * normals
    heads = np.roll(centres, -1, axis=0) + np.roll(radii, -1)[:, None] * normals
    is_long = np.hypot(*(heads - tails).T) > GRAZING
    return tails[is_long], heads[is_long]


Meetings = tuple[FloatArray, IntArray, IntArray]

NO_MEETINGS: Meetings = (np.empty((0, 2)), np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp))


def _blocks(track: ArcPieces, others: int) -> Iterator[ArcPieces]:
    """Yield the pieces in blocks whose pairs with `others` pieces or points fit into memory, checking the deadline
    before each.
    """
    arcs = len(track.radii)
    edges = len(track.tails)
    size = max(PAIRS_AT_ONCE // max(others, 1), 1)
    for start in range(0, max(arcs, edges, 1), size):
        check_deadline()
        yield (
            track
            if size >= max(arcs, edges)
            else track.part(slice(start, start + size), slice(start, start + size))
        )


def _gathered(found: Iterable[Meetings]) -> Meetings:
    points, one, other = zip(*found, strict=True)
    return _joined(points), _joined(one), _joined(other)


def _joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Concatenate arrays along the first axis, checking the deadline before each: for millions of points this takes a
    second.
    """
    if len(parts) == 1:
        return parts[0]
    whole = np.empty((sum(map(len, parts)), *parts[0].shape[1:]), np.result_type(*parts))
    start = 0
    for part in parts:
        check_deadline()
        whole[start : start + len(part)] = part
        start += len(part)
    return whole


def crossings(first: ArcPieces, second: ArcPieces) -> Meetings:
    """Return the points (k, 2) where curves of two sets cross or touch, and the numbers (k,) of the first and of the
    second curve at each.

    Pieces meet if they miss each other by at most `GRAZING` inches. A point may occur more than once, as where curves
    touch.
    """
    found: list[Meetings] = []
    for some in _blocks(first, second.count):
        arcs = bool(len(some.radii))
        edges = bool(len(some.tails))
        others = bool(len(second.radii))
        other_edges = bool(len(second.tails))
        met = (
            cross_arcs(some, second, *_near_arcs(some, second)) if arcs and others else NO_MEETINGS
        )
        found.append((met[0], some.arc_owner[met[1]], second.arc_owner[met[2]]))
        met = (
            cross_arcs_and_edges(some, second, *_every(len(some.radii), len(second.tails)))
            if arcs and other_edges
            else NO_MEETINGS
        )
        found.append((met[0], some.arc_owner[met[1]], second.edge_owner[met[2]]))
        met = (
            cross_arcs_and_edges(second, some, *_every(len(second.radii), len(some.tails)))
            if others and edges
            else NO_MEETINGS
        )
        found.append((met[0], some.edge_owner[met[2]], second.arc_owner[met[1]]))
        met = (
            cross_edges(some, second, *_every(len(some.tails), len(second.tails)))
            if edges and other_edges
            else NO_MEETINGS
        )
        found.append((met[0], some.edge_owner[met[1]], second.edge_owner[met[2]]))
    return _gathered(found)


def cross_arcs(first: ArcPieces, second: ArcPieces, one: IntArray, other: IntArray) -> Meetings:
    """Return the intersections of arcs `one` (p,) of `first` with arcs `other` (p,) of `second`: points (k, 2), both
    indices (k,).

    A pair of arcs has up to two points, and twice the same one where it touches; concentric arcs have none.
    """
    check_deadline()
    apart = second.centres[other] - first.centres[one]
    between = lengths_of(apart)
    radius = first.radii[one]
    its = second.radii[other]
    met = (
        (between <= radius + its + GRAZING)
        & (between > GRAZING)
        & (between >= np.abs(radius - its) - GRAZING)
    )
    one = one[met]
    other = other[met]
    apart = apart[met]
    between = between[met]
    radius = radius[met]
    its = its[met]
    along = (between * between + (radius - its) * (radius + its)) / (2.0 * between)
    aside = np.sqrt(np.maximum((radius - along) * (radius + along), 0.0))
    ahead = apart / between[:, None]
    left = np.column_stack([-ahead[:, 1], ahead[:, 0]])
    foot = first.centres[one] + along[:, None] * ahead
    points = np.concatenate([foot + aside[:, None] * left, foot - aside[:, None] * left])
    one = np.tile(one, 2)
    other = np.tile(other, 2)
    kept = _on_arc(points, first, one) & _on_arc(points, second, other)
    return points[kept], one[kept], other[kept]


def cross_arcs_and_edges(
    arcs: ArcPieces, edges: ArcPieces, one: IntArray, other: IntArray
) -> Meetings:
    """Return the intersections of arcs `one` with edges `other`: points (k, 2), indices (k,) of the arcs, indices (k,)
    of the edges.

    The index arrays `one` and `other` broadcast against each other.
    """
    check_deadline()
    run = edges.heads - edges.tails
    length = lengths_of(run)
    ahead = run / np.where(length > 0.0, length, 1.0)[:, None]
    seen = arcs.centres[one] - edges.tails[other]
    way = ahead[other]
    along = seen[..., 0] * way[..., 0] + seen[..., 1] * way[..., 1]
    aside = cross_product(way, seen)
    met = np.abs(aside) <= arcs.radii[one] + GRAZING
    one, other, along, aside = *_kept(one, other, met), along[met], aside[met]
    half = np.sqrt(np.maximum(arcs.radii[one] ** 2 - aside**2, 0.0))
    steps = np.concatenate([along - half, along + half])
    one = np.tile(one, 2)
    other = np.tile(other, 2)
    points = edges.tails[other] + steps[:, None] * ahead[other]
    kept = (steps >= -GRAZING) & (steps <= length[other] + GRAZING) & _on_arc(points, arcs, one)
    return points[kept], one[kept], other[kept]


def cross_edges(first: ArcPieces, second: ArcPieces, one: IntArray, other: IntArray) -> Meetings:
    """Return the intersections of edges `one` of `first` with edges `other` of `second`: points (k, 2) and both indices
    (k,).

    The index arrays `one` and `other` broadcast against each other. Parallel edges have no intersection.
    """
    check_deadline()
    run = (first.heads - first.tails)[one]
    its = (second.heads - second.tails)[other]
    across = cross_product(run, its)
    from_tail = second.tails[other] - first.tails[one]
    parallel = np.abs(across) <= GRAZING * lengths_of(run) * lengths_of(its)
    divisor = np.where(parallel, 1.0, across)
    share = (cross_product(from_tail, its)) / divisor
    other_share = (cross_product(from_tail, run)) / divisor
    met = (
        ~parallel
        & (np.abs(share - 0.5) <= 0.5 + GRAZING)
        & (np.abs(other_share - 0.5) <= 0.5 + GRAZING)
    )
    one, other = _kept(one, other, met)
    return first.tails[one] + share[met][:, None] * (first.heads - first.tails)[one], one, other


def _every(count: int, others: int) -> tuple[IntArray, IntArray]:
    """Return index arrays (count, 1) and (others,), which broadcast to all pairs of `count` things with `others`
    things.
    """
    return np.arange(count)[:, None], np.arange(others)


def _kept(one: IntArray, other: IntArray, met: BoolArray) -> tuple[IntArray, IntArray]:
    """Return the indices (k,) of both members of the pairs that `met` selects, given two index arrays (p,) or those of
    `_every`.
    """
    rows = np.nonzero(met)
    return one.ravel()[rows[0]], other[rows[-1]]


def _near_arcs(first: ArcPieces, second: ArcPieces) -> tuple[IntArray, IntArray]:
    """Return the index pairs, as two arrays (k,), of arcs of two sets whose bounding discs intersect, so that the arcs
    may meet.
    """
    if len(first.radii) * len(second.radii) <= MANY_PAIRS:
        x, y = (first.bounding_centres[:, None, :] - second.bounding_centres[None, :, :]).transpose(
            2, 0, 1
        )
        reach = first.bounding_radii[:, None] + second.bounding_radii[None, :] + GRAZING
        one, other = np.nonzero(x * x + y * y <= reach * reach)
        return one, other
    one, other = _boxed(_boxes(first), _boxes(second))
    x, y = (second.bounding_centres[other] - first.bounding_centres[one]).T
    reach = first.bounding_radii[one] + second.bounding_radii[other] + GRAZING
    near = x * x + y * y <= reach * reach
    return one[near], other[near]


def _boxes(track: ArcPieces) -> FloatArray:
    """Return the bounding boxes (n, 4), as west, south, east, north in inches, of the bounding discs of the arcs."""
    reach = (track.bounding_radii + GRAZING)[:, None]
    return np.concatenate([track.bounding_centres - reach, track.bounding_centres + reach], axis=1)


def _boxed(first: FloatArray, second: FloatArray) -> tuple[IntArray, IntArray]:
    """Return the index pairs, as two arrays (k,), of boxes (n, 4) that overlap boxes (m, 4), sorted by the first, then
    the second.
    """
    low = first.min(axis=0)
    high = first.max(axis=0)
    near = np.flatnonzero(
        (second[:, :2] <= high[2:]).all(axis=1) & (second[:, 2:] >= low[:2]).all(axis=1)
    )
    one, other = shapely.STRtree(shapely.box(*second[near].T)).query(shapely.box(*first.T))
    order = np.lexsort((other, one))
    return one[order], near[other[order]]


def _on_arc(points: FloatArray, track: ArcPieces, which: IntArray) -> BoolArray:
    """Return (k,) whether each of `points` (k, 2), which lie on the circles of arcs `which` (k,), is on the arc
    itself.
    """
    aside = points - track.centres[which]
    return _holds(track, which, bearings_of(aside))


def perpendicular_feet(track: ArcPieces, points: FloatArray) -> Meetings:
    """Return the feet (k, 2) of perpendiculars from `points` (n, 2) to arcs and edges, and the indices (k,) of their
    points and curves.

    The foot is the point of an arc or edge nearest to the given point; a piece whose nearest point is an end of it has
    none.
    """
    return _gathered(_feet(some, points) for some in _blocks(track, len(points)))


def _feet(track: ArcPieces, points: FloatArray) -> Meetings:
    aside = points[:, None, :] - track.centres[None, :, :]
    apart = np.maximum(lengths_of(aside), GRAZING)
    on_arc = track.centres[None, :, :] + aside * (track.radii / apart)[..., None]
    turn = (bearings_of(aside) - track.starts) % math.tau
    seen, arc = np.nonzero(turn <= track.spans + GRAZING)
    run = track.heads - track.tails
    squared = np.maximum((run * run).sum(axis=1), GRAZING * GRAZING)
    share = ((points[:, None, :] - track.tails[None, :, :]) * run).sum(axis=2) / squared
    viewer, edge = np.nonzero((share >= 0.0) & (share <= 1.0))
    on_edge = track.tails[edge] + share[viewer, edge][:, None] * run[edge]
    found = np.concatenate([on_arc[seen, arc], on_edge])
    return (
        found,
        np.concatenate([seen, viewer]),
        np.concatenate([track.arc_owner[arc], track.edge_owner[edge]]),
    )


def tangent_normals(track: ArcPieces, others: ArcPieces) -> FloatArray:
    """Return the points (k, 2) of the curves in `track` where a tangent of an arc of `others` meets the curve at a
    right angle.

    The shortest path round an obstacle to a curve ends in such a tangent, or where the two meet.
    """
    return np.concatenate([_glancing(some, others) for some in _blocks(track, others.count)])


def _glancing(track: ArcPieces, others: ArcPieces) -> FloatArray:
    found = []
    for side in (-1.0, 1.0):
        arc, other = _facing(track, others, side * math.pi / 2.0)
        aside = others.centres[other] - track.centres[arc]
        apart = lengths_of(aside)
        turn = np.arcsin(np.minimum(others.radii[other] / np.maximum(apart, GRAZING), 1.0))
        normals = bearings_of(aside) + side * turn
        met = (
            (apart >= others.radii[other] - GRAZING)
            & _holds(others, other, normals + side * math.pi / 2.0)
            & _holds(track, arc, normals)
        )
        out = unit_vectors(normals[met])
        found.append(track.centres[arc[met]] + track.radii[arc[met], None] * out)
    on_arcs = np.concatenate(found)
    return np.concatenate([on_arcs, _glancing_edges(track, others)])


def _facing(track: ArcPieces, others: ArcPieces, turn: float) -> tuple[IntArray, IntArray]:
    """Return index pairs of arcs whose ranges of normals overlap once those of the first are turned by `turn` radians,
    as two arrays (k,).

    Two ranges overlap where one begins inside the other: curves of many short arcs have few such pairs.
    """
    first = (track.starts - _spare(track) + turn) % math.tau
    second = (others.starts - _spare(others)) % math.tau
    arc, other = _begun(first, track.spans + 2.0 * _spare(track), second)
    that, this = _begun(second, others.spans + 2.0 * _spare(others), first)
    pairs = np.unique(np.concatenate([arc * len(second) + other, this * len(second) + that]))
    return pairs // max(1, len(second)), pairs % max(1, len(second))


def _begun(starts: FloatArray, spans: FloatArray, others: FloatArray) -> tuple[IntArray, IntArray]:
    """Return index pairs of an angle interval and an angle of `others` inside it, as two arrays (k,).

    Interval i begins at `starts[i]` and is `spans[i]` long; all angles are in radians in [0, 2 pi).
    """
    order = np.argsort(others, kind="stable")
    rounds = np.concatenate([others[order] + shift for shift in (0.0, math.tau)])
    low = np.searchsorted(rounds, starts)
    high = np.searchsorted(rounds, starts + spans, side="right")
    counts = np.minimum(high - low, len(others))
    one, step = repeat_numbered(counts)
    return one, order[(low[one] + step) % max(1, len(others))]


def _spare(track: ArcPieces) -> FloatArray:
    """Return the angle (n,) in radians that `GRAZING` inches span on each arc: the tolerance of its range of
    normals.
    """
    return np.asarray(GRAZING / np.maximum(track.radii, GRAZING))


def _holds(track: ArcPieces, which: IntArray, normals: FloatArray) -> BoolArray:
    """Return (k,) whether directions `normals` (k,), in radians, lie in the ranges of normals of arcs `which` (k,),
    within `_spare`.
    """
    turn = (normals - track.starts[which]) % math.tau
    spare = _spare(track)[which]
    inside: BoolArray = (turn <= track.spans[which] + spare) | (turn >= math.tau - spare)
    return inside


def _glancing_edges(track: ArcPieces, others: ArcPieces) -> FloatArray:
    """Return the points (k, 2) of the straight edges of `track` where a tangent of an arc of `others` meets the edge at
    a right angle.
    """
    run = track.heads - track.tails
    length = np.maximum(lengths_of(run), GRAZING)
    along = ((others.centres[None, :, :] - track.tails[:, None, :]) * run[:, None, :]).sum(
        axis=2
    ) / length[:, None]
    found = [np.empty((0, 2))]
    for side in (-1.0, 1.0):
        steps = along + side * others.radii
        edge, other = np.nonzero((steps >= 0.0) & (steps <= length[:, None]))
        is_met = _holds(others, other, np.arctan2(side * run[edge, 1], side * run[edge, 0]))
        edge = edge[is_met]
        other = other[is_met]
        found.append(track.tails[edge] + (steps[edge, other] / length[edge])[:, None] * run[edge])
    return np.concatenate(found)
