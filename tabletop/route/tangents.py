"""Straight pieces of taut ways: between two arcs, or a point and an arc, along a common tangent.

A way that bends round an arc counter-clockwise has the arc on its left: its line keeps the arc's radius to the left of it, a way
the other round to the right. So the direction of the line between two arcs is that between their centres, turned by the angle
whose sine is the difference of those signed radii by the distance of the centres. A point is an arc without radius.
"""

import math
from dataclasses import dataclass

import numpy as np

from tabletop.pose import FloatArray
from tabletop.route.bodies import DUST, Bodies, Indices, Lines
from tabletop.route.columns import joined
from tabletop.units import CONTACT


@dataclass(frozen=True, eq=False)
class Tangents:
    """Tangents (n,) that arrive at arcs: from which origin, at which arc, the normal there in radians, and the lines."""

    origin: Indices
    arc: Indices
    normals: FloatArray
    lines: Lines


@dataclass(frozen=True, eq=False)
class Bitangents:
    """Tangents (n,) between arcs of two bodies: the arcs and their normals at both ends, and the lines."""

    tail_arc: Indices
    head_arc: Indices
    tail_normals: FloatArray
    head_normals: FloatArray
    lines: Lines


def tangents_from(points: FloatArray, bodies: Bodies, *, reach: FloatArray) -> Tangents:
    """Find the tangents of length at most `reach` (n,) from points (n, 2) to all arcs, on both sides.

    A point within `CONTACT` inside an arc counts as on it.
    """
    found = []
    apart_x, apart_y = bodies.centres[:, 0] - points[:, :1], bodies.centres[:, 1] - points[:, 1:]
    apart = np.hypot(apart_x, apart_y)
    limit = reach[:, None] + bodies.radii
    point, arc = np.nonzero((apart >= bodies.radii - _yielding(bodies)) & (apart <= limit + CONTACT))
    apart, bearing, radius = apart[point, arc], np.arctan2(apart_y[point, arc], apart_x[point, arc]), bodies.radii[arc]
    turn = np.arcsin(np.minimum(radius / np.maximum(apart, CONTACT * CONTACT), 1.0))
    for sense in (1.0, -1.0):
        normal = bearing - sense * turn - sense * math.pi / 2
        is_on = bodies.has_normal(arc, normal)
        found.append((point[is_on], arc[is_on], normal[is_on]))
    origin, arc, normals = joined(found)
    return Tangents(origin, arc, normals, Lines(points[origin], _on(bodies, arc, normals)))


def _yielding(bodies: Bodies) -> FloatArray:
    """Give by how much a point may lie inside an arc and still count as on it, in inches."""
    yielding: FloatArray = 2.0 * CONTACT + bodies.slack[bodies.owner]
    return yielding


def bitangents(bodies: Bodies, *, reach: float) -> Bitangents:
    """Find all tangents between arcs of different bodies that are not longer than `reach` inches."""
    tail, head = _pairs(bodies, reach)
    facing = bodies.starts + bodies.spans / 2.0
    turn, spread = facing[head] - facing[tail], (bodies.spans[tail] + bodies.spans[head]) / 2.0 + DUST
    found = []
    for leaving, arriving in ((1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)):
        opposite = 0.0 if leaving == arriving else math.pi
        near = np.abs((turn + opposite + math.pi) % math.tau - math.pi) <= spread
        found.append(_common(bodies, tail[near], head[near], leaving, arriving))
    tails, heads, tail_normals, head_normals = joined(found)
    lines = Lines(_on(bodies, tails, tail_normals), _on(bodies, heads, head_normals))
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


def _pairs(bodies: Bodies, reach: float) -> tuple[Indices, Indices]:
    """Give pairs of arcs of different bodies whose bodies are within `reach`, each pair once."""
    apart = np.hypot(*(bodies.middles[:, None] - bodies.middles).transpose(2, 0, 1))
    is_near = np.triu(apart - bodies.reaches[:, None] - bodies.reaches <= reach, 1)
    tail, head = np.nonzero(is_near[np.ix_(bodies.owner, bodies.owner)])
    return tail, head


def _on(bodies: Bodies, arc: Indices, normals: FloatArray) -> FloatArray:
    """Give the points (n, 2) of arcs with normals (n,)."""
    points: FloatArray = bodies.centres[arc] + bodies.radii[arc, None] * np.column_stack([np.cos(normals), np.sin(normals)])
    return points
