"""Many convex bodies in flat arrays, and where straight lines run inside them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.pose import FloatArray
from tabletop.route.columns import joined, taken
from tabletop.route.curves import Curve
from tabletop.units import CONTACT

Indices = NDArray[np.intp]

DUST = 1e-9
"""Inches and radians by which rounding may move a crossing."""


class Hits(NamedTuple):
    """Where lines run inside bodies: number of the line, of the body, and from where to where in inches from its start."""

    line: Indices
    body: Indices
    start: FloatArray
    end: FloatArray

    def of(self, chosen: NDArray[np.bool_]) -> "Hits":
        """Keep some of them."""
        return Hits(*taken(self, chosen))


@dataclass(frozen=True, eq=False)
class Lines:
    """Straight pieces from `tails` (n, 2) to `heads` (n, 2), in inches."""

    tails: FloatArray
    heads: FloatArray

    @cached_property
    def lengths(self) -> FloatArray:
        """Length (n,) in inches."""
        way = self.heads - self.tails
        return np.asarray(np.hypot(way[:, 0], way[:, 1]))

    @cached_property
    def directions(self) -> FloatArray:
        """Unit vectors (n, 2); along x where there is no length."""
        has_length = self.lengths > 0.0
        safe = np.where(has_length, self.lengths, 1.0)[:, None]
        return np.where(has_length[:, None], (self.heads - self.tails) / safe, np.array([1.0, 0.0]))

    def of(self, chosen: Indices | NDArray[np.bool_]) -> "Lines":
        """Keep some of them."""
        return Lines(self.tails[chosen], self.heads[chosen])


@dataclass(frozen=True, eq=False)
class Bodies:
    """Convex bodies as arcs and the edges that follow them; arc k belongs to body `owner[k]`, and so does edge k.

    Positions on a body's boundary are inches, counter-clockwise from the start of its first arc.
    """

    centres: FloatArray
    radii: FloatArray
    starts: FloatArray
    spans: FloatArray
    owner: Indices
    positions: FloatArray
    edge_starts: FloatArray
    edge_lengths: FloatArray
    edge_normals: FloatArray
    first: Indices
    counts: Indices
    perimeters: FloatArray
    middles: FloatArray
    reaches: FloatArray
    slack: FloatArray

    @property
    def number(self) -> int:
        """How many bodies there are."""
        return len(self.first)

    @cached_property
    def edge_positions(self) -> FloatArray:
        """Positions (n,) at which the edges start."""
        return self.positions + self.radii * self.spans

    def points(self, body: Indices, position: FloatArray) -> FloatArray:
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

    def keys(self, body: Indices, position: FloatArray) -> FloatArray:
        """Give numbers (n,) that increase with body and position."""
        keys: FloatArray = self._keys[body] + position
        return keys

    def hits(self, lines: Lines, *, among: Indices, depth: float = CONTACT) -> Hits:
        """Find where lines run deeper than `depth` inches inside bodies `among` (and what those may be off); if negative, so near."""
        offset_x = self.middles[among, 0] - lines.tails[:, :1]
        offset_y = self.middles[among, 1] - lines.tails[:, 1:]
        way_x, way_y = lines.directions[:, :1], lines.directions[:, 1:]
        along, aside = offset_x * way_x + offset_y * way_y, offset_y * way_x - offset_x * way_y
        reach = self.reaches[among] - depth - np.sign(depth) * self.slack[among]
        half = reach * reach - aside * aside
        line, place = np.nonzero((half > 0.0) & (reach > 0.0))
        root = np.sqrt(half[line, place])
        hits = Hits(line, among[place], along[line, place] - root, along[line, place] + root)
        hits = hits.of((hits.end > DUST) & (hits.start < np.maximum(lines.lengths[line], CONTACT) - DUST))
        is_round = self.counts[hits.body] == 1
        exact = self._crossed(lines, hits.of(~is_round), depth)
        found = Hits(*joined([hits.of(is_round), exact]))
        return found.of((found.end > DUST) & (found.start < lines.lengths[found.line] - DUST) & (found.end - found.start > DUST))

    def _crossed(self, lines: Lines, hits: Hits, depth: float) -> Hits:
        """Narrow hits of the circles about bodies down to the bodies: from the first to the last crossing of the boundary."""
        if not len(hits.line):
            return hits
        inset = depth + np.sign(depth) * self.slack[hits.body]
        tails, ways = lines.tails[hits.line], lines.directions[hits.line]
        start, end = np.full(len(hits.line), np.inf), np.full(len(hits.line), -np.inf)
        for sense in (1.0, -1.0):
            arc = self._arcs_crossed(hits.body, tails, ways, inset, sense)
            low, high = self._arc_crossings(arc, tails, ways, inset)
            edge = self._edge_crossings(arc, tails, ways, inset)
            start, end = np.fmin(start, np.fmin(low, edge)), np.fmax(end, np.fmax(high, edge))
        return Hits(hits.line, hits.body, start, end)

    def _arcs_crossed(self, body: Indices, tails: FloatArray, ways: FloatArray, inset: FloatArray, sense: float) -> Indices:
        """Find the arcs of bodies, set in, that a line crosses, or their edges: on the way in where `sense` is -1, else out.

        Round the boundary from where it is farthest on one side of the line to the other side it only comes down; so bisect.
        """
        across = sense * np.column_stack([-ways[:, 1], ways[:, 0]])
        bearing = np.arctan2(across[:, 1], across[:, 0])
        first, last = self.arcs_at(body, bearing + math.pi), self.arcs_at(body, bearing)
        joints, normals = self._joints
        low, high = np.zeros(len(body), dtype=np.intp), (last - first) % self.counts[body]
        while (low < high).any():
            middle = (low + high + 1) // 2
            arc = self.first[body] + (first - self.first[body] + middle) % self.counts[body]
            height = ((joints[arc] - inset[:, None] * normals[arc] - tails) * across).sum(axis=1)
            is_before = height <= 0.0
            low, high = np.where(is_before, middle, low), np.where(is_before, high, middle - 1)
        found: Indices = self.first[body] + (first - self.first[body] + low) % self.counts[body]
        return found

    @cached_property
    def _joints(self) -> tuple[FloatArray, FloatArray]:
        """Points and unit normals (n, 2) where the arcs start."""
        return self.arc_ends(0.0)

    @cached_property
    def _normal_keys(self) -> FloatArray:
        """The normals at which arcs start as one increasing sequence, body after body."""
        return np.asarray(self.starts + 2.0 * math.tau * self.owner)

    def arcs_at(self, body: Indices, normal: FloatArray) -> Indices:
        """Give the arcs of bodies that hold outward normals (n,), in radians."""
        key = normal % math.tau + 2.0 * math.tau * body
        arc = np.searchsorted(self._normal_keys, key, side="right") - 1
        found: Indices = np.where(arc < self.first[body], self.first[body] + self.counts[body] - 1, arc)
        return found

    def _arc_crossings(self, arc: Indices, tails: FloatArray, ways: FloatArray, inset: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Give the first and last inches at which lines cross arcs set in by `inset`; inf and -inf where they do not."""
        radius = self.radii[arc] - inset
        offset = self.centres[arc] - tails
        along = offset[:, 0] * ways[:, 0] + offset[:, 1] * ways[:, 1]
        aside = offset[:, 1] * ways[:, 0] - offset[:, 0] * ways[:, 1]
        half = radius * radius - aside * aside
        is_met = (half >= 0.0) & (radius > 0.0)
        root = np.sqrt(np.where(is_met, half, 0.0))
        low, high = np.full(len(arc), np.inf), np.full(len(arc), -np.inf)
        for place in (along - root, along + root):
            normal = np.arctan2(place * ways[:, 1] - offset[:, 1], place * ways[:, 0] - offset[:, 0])
            is_on = is_met & self.has_normal(arc, normal)
            low, high = np.where(is_on, np.minimum(low, place), low), np.where(is_on, np.maximum(high, place), high)
        return low, high

    def _edge_crossings(self, arc: Indices, tails: FloatArray, ways: FloatArray, inset: FloatArray) -> FloatArray:
        """Give the inches at which lines cross edges set in by `inset`; nan where they do not."""
        normal, length = self.edge_normals[arc], self.edge_lengths[arc]
        offset = self.edge_starts[arc] - inset[:, None] * normal - tails
        across = ways[:, 0] * normal[:, 0] + ways[:, 1] * normal[:, 1]
        is_met = (np.abs(across) > DUST * DUST) & (length > 0.0)
        place = (offset[:, 0] * normal[:, 0] + offset[:, 1] * normal[:, 1]) / np.where(is_met, across, 1.0)
        beyond = place[:, None] * ways - offset
        along = beyond[:, 1] * normal[:, 0] - beyond[:, 0] * normal[:, 1]
        crossing: FloatArray = np.where(is_met & (along >= -DUST) & (along <= length + DUST), place, np.nan)
        return crossing

    def arc_ends(self, end: float) -> tuple[FloatArray, FloatArray]:
        """Give points (n, 2) and unit normals (n, 2) at the start of all arcs, where `end` is 0, or at their end, where it is 1."""
        angles = self.starts + end * self.spans
        normals = np.column_stack([np.cos(angles), np.sin(angles)])
        return self.centres + self.radii[:, None] * normals, normals

    def has_normal(self, arc: Indices, normal: FloatArray) -> NDArray[np.bool_]:
        """Tell which arcs hold an outward normal, given in radians."""
        beyond = (normal - self.starts[arc]) % math.tau
        holds: NDArray[np.bool_] = (beyond <= self.spans[arc] + DUST) | (beyond >= math.tau - DUST)
        return holds

    def position_at(self, arc: Indices, normal: FloatArray) -> FloatArray:
        """Give the positions (n,) of points of arcs with an outward normal that they hold, in radians."""
        beyond = (normal - self.starts[arc]) % math.tau
        beyond = np.where(beyond >= math.tau - DUST, 0.0, beyond)
        position: FloatArray = self.positions[arc] + self.radii[arc] * np.minimum(beyond, self.spans[arc])
        return position

    def holding(self, points: FloatArray, *, depth: float = CONTACT) -> NDArray[np.bool_]:
        """Tell which points (n, 2) lie deeper than `depth` inside which bodies: (n, bodies)."""
        rays = Lines(points - np.array([CONTACT, 0.0]), points + np.array([CONTACT, 0.0]))
        hits = self.hits(rays, among=np.arange(self.number), depth=depth)
        inside = np.zeros((len(points), self.number), dtype=bool)
        is_held = (hits.start < CONTACT) & (hits.end > CONTACT)
        inside[hits.line[is_held], hits.body[is_held]] = True
        return inside


def gathered(curves: Sequence[Curve]) -> Bodies:
    """Lay the arcs of curves out in flat arrays."""
    parts = [curve.from_least() for curve in curves]
    empty = [Curve(np.empty((0, 2)), np.empty(0), np.empty(0))] if not parts else []
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
    return Bodies(
        centres, radii, starts, spans, owner, positions, edge_starts, lengths, normals, first, counts, perimeters, middles, reaches, slack
    )


def _positions(lengths: FloatArray, owner: Indices, first: Indices, counts: Indices) -> tuple[FloatArray, FloatArray]:
    """Give where each arc starts on its body's boundary, and how long the boundaries are, in inches."""
    ends = np.cumsum(lengths)
    before = ends - lengths
    last = first + counts - 1
    return before - before[first][owner], ends[last] - before[first]


def _circles(centres: FloatArray, radii: FloatArray, owner: Indices, counts: Indices) -> tuple[FloatArray, FloatArray]:
    """Give circles about bodies: their centres (n, 2) and radii (n,) in inches, exact where the body is a circle."""
    number = len(counts)
    low, high = np.full((number, 2), np.inf), np.full((number, 2), -np.inf)
    np.minimum.at(low, owner, centres)
    np.maximum.at(high, owner, centres)
    middles = (low + high) / 2.0
    reaches = np.zeros(number)
    np.maximum.at(reaches, owner, np.hypot(*(centres - middles[owner]).T) + radii)
    return middles, reaches
