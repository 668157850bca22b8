"""Straight pieces of taut ways: between two arcs, or a point and an arc, along a common tangent.

A way that bends round an arc counter-clockwise has the arc on its left: its line keeps the arc's radius to the left of it, a way
the other round to the right. So the direction of the line between two arcs is that between their centres, turned by the angle
whose sine is the difference of those signed radii by the distance of the centres. A point is an arc without radius.
"""

import math
from dataclasses import dataclass

import numpy as np

from tabletop.geometry.pose import FloatArray
from tabletop.routes.bodies import CROSSING_ROUNDING, Bodies, Indices
from tabletop.routes.chord import Segments
from tabletop.routes.columns import joined, spread
from tabletop.units import CONTACT


@dataclass(frozen=True, eq=False)
class Tangents:
    """Tangents (n,) that arrive at arcs: from which origin, at which arc, the normal there in radians, and the lines."""

    origin: Indices
    arc: Indices
    normals: FloatArray
    lines: Segments


@dataclass(frozen=True, eq=False)
class Bitangents:
    """Tangents (n,) between arcs of two bodies: the arcs and their normals at both ends, and the lines."""

    tail_arc: Indices
    head_arc: Indices
    tail_normals: FloatArray
    head_normals: FloatArray
    lines: Segments


def tangents_from(points: FloatArray, bodies: Bodies, *, reach: FloatArray) -> Tangents:
    """Find the tangents of length at most `reach` (n,) from points (n, 2) to all arcs, on both sides.

    A point within `CONTACT` inside an arc counts as on it.
    """
    point, arc = _seen_aslant(points, bodies)
    offset = bodies.centres[arc] - points[point]
    apart, radius = np.hypot(offset[:, 0], offset[:, 1]), bodies.radii[arc]
    kept = (apart >= radius - _yielding(bodies)[arc]) & (apart <= reach[point] + radius + CONTACT)
    point, arc, apart, radius = point[kept], arc[kept], apart[kept], radius[kept]
    bearing = np.arctan2(offset[kept, 1], offset[kept, 0])
    turn = np.arcsin(np.minimum(radius / np.maximum(apart, CONTACT * CONTACT), 1.0))
    found = []
    for sense in (1.0, -1.0):
        normal = bearing - sense * turn - sense * math.pi / 2
        is_on = bodies.has_normal(arc, normal)
        found.append((point[is_on], arc[is_on], normal[is_on]))
    origin, arc, normals = joined(found)
    return Tangents(origin, arc, normals, Segments(points[origin], _on(bodies, arc, normals)))


def _seen_aslant(points: FloatArray, bodies: Bodies) -> tuple[Indices, Indices]:
    """Give pairs of points (n, 2) and arcs that may have a tangent: not those seen wholly from before or wholly from behind.

    A point is before an arc's end by how far it is above the tangent there. In between it may be higher by what the arc rises.
    """
    rise = bodies.radii * (1.0 - np.cos(np.minimum(bodies.spans, math.pi))) + _yielding(bodies)
    before, behind = (_heights(points, *bodies.arc_ends(end)) for end in (0.0, 1.0))
    is_seen = (before > rise) & (behind > rise) | (before < -rise) & (behind < -rise)
    point, arc = np.nonzero(~is_seen | (bodies.spans > math.pi))
    return point, arc


def _heights(points: FloatArray, places: FloatArray, normals: FloatArray) -> FloatArray:
    """Give how high points (n, 2) are above lines through places (m, 2) across normals (m, 2): (n, m)."""
    heights: FloatArray = points @ normals.T - (places * normals).sum(axis=1)
    return heights


def _yielding(bodies: Bodies) -> FloatArray:
    """Give by how much a point may lie inside an arc and still count as on it, in inches."""
    yielding: FloatArray = 2.0 * CONTACT + bodies.slack[bodies.owner]
    return yielding


def bitangents(bodies: Bodies, *, reach: float) -> Bitangents:
    """Find all tangents between arcs of different bodies that are not longer than `reach` inches."""
    near = _near_bodies(bodies, reach)
    found = []
    for leaving, arriving in ((1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)):
        tail, head = _facing_arcs(bodies, *near, 0.0 if leaving == arriving else math.pi)
        found.append(_common(bodies, tail, head, leaving, arriving))
    tails, heads, tail_normals, head_normals = joined(found)
    lines = Segments(_on(bodies, tails, tail_normals), _on(bodies, heads, head_normals))
    return Bitangents(tails, heads, tail_normals, head_normals, lines)


def _common(
    bodies: Bodies, tail: Indices, head: Indices, leaving: float, arriving: float
) -> tuple[Indices, Indices, FloatArray, FloatArray]:
    """Give the tangents that leave and arrive in the given senses, 1 counter-clockwise: arcs and normals at both ends."""
    way = bodies.centres[head] - bodies.centres[tail]
    apart, bearing = np.hypot(way[:, 0], way[:, 1]), np.arctan2(way[:, 1], way[:, 0])
    across = leaving * bodies.radii[tail] - arriving * bodies.radii[head]
    heading = bearing + np.arcsin(np.clip(across / np.maximum(apart, CONTACT * CONTACT), -1.0, 1.0))
    first, last = heading - leaving * math.pi / 2, heading - arriving * math.pi / 2
    chosen = (np.abs(across) <= apart + 2.0 * CONTACT) & bodies.has_normal(tail, first) & bodies.has_normal(head, last)
    return tail[chosen], head[chosen], first[chosen], last[chosen]


def _near_bodies(bodies: Bodies, reach: float) -> tuple[Indices, Indices]:
    """Give pairs of bodies within `reach` of each other, each pair once."""
    apart = np.hypot(*(bodies.middles[:, None] - bodies.middles).transpose(2, 0, 1))
    first, second = np.nonzero(np.triu(apart - bodies.reaches[:, None] - bodies.reaches <= reach, 1))
    return first, second


def _facing_arcs(bodies: Bodies, first: Indices, second: Indices, turn: float) -> tuple[Indices, Indices]:
    """Give pairs of an arc of one body and one of the other that hold the same normal, the other's turned by `turn` radians."""
    pair, tail = spread(bodies.counts[first])
    tail = bodies.first[first][pair] + tail
    start, end = bodies.starts[tail] + turn - CROSSING_ROUNDING, bodies.starts[tail] + bodies.spans[tail] + turn + CROSSING_ROUNDING
    other = second[pair]
    low, number = bodies.arcs_at(other, start), bodies.counts[other]
    many = np.where(bodies.spans[tail] + 2.0 * CROSSING_ROUNDING >= math.tau, number, (bodies.arcs_at(other, end) - low) % number + 1)
    place, step = spread(many)
    begin = bodies.first[other]
    return tail[place], begin[place] + ((low - begin)[place] + step) % number[place]


def _on(bodies: Bodies, arc: Indices, normals: FloatArray) -> FloatArray:
    """Give the points (n, 2) of arcs with normals (n,)."""
    points: FloatArray = bodies.centres[arc] + bodies.radii[arc, None] * np.column_stack([np.cos(normals), np.sin(normals)])
    return points
