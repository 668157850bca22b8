"""Many convex bodies in flat arrays, and positions on their boundaries."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tabletop.geometry.curve import Curve
from tabletop.geometry.pose import FloatArray

Indices = NDArray[np.intp]

CROSSING_ROUNDING = 1e-9
"""Inches and radians by which rounding may move a crossing."""


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

    @cached_property
    def joints(self) -> tuple[FloatArray, FloatArray]:
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

    def arc_ends(self, end: float) -> tuple[FloatArray, FloatArray]:
        """Give points (n, 2) and unit normals (n, 2) at the start of all arcs, where `end` is 0, or at their end, where it is 1."""
        angles = self.starts + end * self.spans
        normals = np.column_stack([np.cos(angles), np.sin(angles)])
        return self.centres + self.radii[:, None] * normals, normals

    def has_normal(self, arc: Indices, normal: FloatArray) -> NDArray[np.bool_]:
        """Tell which arcs hold an outward normal, given in radians."""
        beyond = (normal - self.starts[arc]) % math.tau
        holds: NDArray[np.bool_] = (beyond <= self.spans[arc] + CROSSING_ROUNDING) | (beyond >= math.tau - CROSSING_ROUNDING)
        return holds

    def position_at(self, arc: Indices, normal: FloatArray) -> FloatArray:
        """Give the positions (n,) of points of arcs with an outward normal that they hold, in radians."""
        beyond = (normal - self.starts[arc]) % math.tau
        beyond = np.where(beyond >= math.tau - CROSSING_ROUNDING, 0.0, beyond)
        position: FloatArray = self.positions[arc] + self.radii[arc] * np.minimum(beyond, self.spans[arc])
        return position


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
