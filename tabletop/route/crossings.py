"""Where the boundaries of convex bodies cross each other and the edges of the board."""

import math
from typing import NamedTuple

import numpy as np

from tabletop.pose import FloatArray
from tabletop.route.bodies import DUST, Bodies, Indices
from tabletop.route.columns import joined, spread, taken

Box = tuple[float, float, float, float]

EDGE = -1
"""Stands for the board where a number of a body is asked."""


class Crossings(NamedTuple):
    """Points (n, 2) on two boundaries: the bodies, the second perhaps `EDGE`, the positions on them in inches.

    `cosines` are those of the angles between the outward normals: 1 where one boundary touches the other from inside, -1 from outside.
    """

    points: FloatArray
    first: Indices
    first_positions: FloatArray
    second: Indices
    second_positions: FloatArray
    cosines: FloatArray


class Straights(NamedTuple):
    """Straight pieces of boundaries: start (n, 2), unit direction (n, 2), length, body and the position of the start."""

    starts: FloatArray
    ways: FloatArray
    lengths: FloatArray
    owner: Indices
    positions: FloatArray


def crossings(bodies: Bodies, box: Box) -> Crossings:
    """Find where boundaries of different bodies cross or touch, and where they cross the edges of a box."""
    edges, sides = _edges(bodies), _sides(box)
    found = [_rounds(bodies), *(_round_straights(bodies, straights) for straights in (edges, sides))]
    found += [_straights(edges, straights) for straights in (edges, sides)]
    return Crossings(*joined(found))


def _edges(bodies: Bodies) -> Straights:
    along = np.column_stack([-bodies.edge_normals[:, 1], bodies.edge_normals[:, 0]])
    kept = bodies.edge_lengths > DUST
    columns = (bodies.edge_starts, along, bodies.edge_lengths, bodies.owner, bodies.edge_positions)
    return Straights(*taken(columns, kept))


def _sides(box: Box) -> Straights:
    west, south, east, north = box
    corners = np.array([[west, south], [east, south], [east, north], [west, north]])
    ways = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(ways[:, 0], ways[:, 1])
    safe = np.where(lengths > 0.0, lengths, 1.0)[:, None]
    return Straights(corners, ways / safe, lengths, np.full(4, EDGE), np.zeros(4))


def _rounds(bodies: Bodies) -> Crossings:
    """Crossings of arcs with arcs: on the line across that of the centres where the circles' powers are equal."""
    near, far = _near_arcs(bodies)
    way = bodies.centres[far] - bodies.centres[near]
    apart, radius, other = np.hypot(way[:, 0], way[:, 1]), bodies.radii[near], bodies.radii[far]
    kept = (apart > DUST) & (apart <= radius + other + DUST) & (apart >= np.abs(radius - other) - DUST)
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
    return Crossings(*joined(found))


def _near_arcs(bodies: Bodies) -> tuple[Indices, Indices]:
    """Give pairs of arcs of different bodies, neither without a radius, whose own surroundings meet, each pair once."""
    turned = bodies.starts + bodies.spans / 2.0
    half = np.minimum(bodies.spans / 2.0, math.pi / 2)
    middles = bodies.centres + (bodies.radii * np.where(bodies.spans > math.pi, 0.0, 1.0))[:, None] * np.column_stack(
        [np.cos(turned), np.sin(turned)]
    )
    sizes = np.where(bodies.spans > math.pi, bodies.radii, 2.0 * bodies.radii * np.sin(half / 2.0))
    apart = np.hypot(*(bodies.middles[:, None] - bodies.middles).transpose(2, 0, 1))
    first, second = np.nonzero(np.triu(apart <= bodies.reaches[:, None] + bodies.reaches + DUST, 1))
    (pair, near), (other, far) = (_arcs_near(bodies, *both, middles, sizes) for both in ((first, second), (second, first)))
    begins, counts = np.searchsorted(other, np.arange(len(first))), np.bincount(other, minlength=len(first))
    place, step = spread(counts[pair])
    near, far = near[place], far[begins[pair][place] + step]
    way = middles[near] - middles[far]
    meets = np.hypot(way[:, 0], way[:, 1]) <= sizes[near] + sizes[far] + DUST
    return near[meets], far[meets]


def _arcs_near(bodies: Bodies, first: Indices, second: Indices, middles: FloatArray, sizes: FloatArray) -> tuple[Indices, Indices]:
    """Give for pairs of bodies the arcs of the first that meet the circle about the second: the pair, and the arc."""
    pair, step = spread(bodies.counts[first])
    arc = bodies.first[first][pair] + step
    way = middles[arc] - bodies.middles[second][pair]
    kept = (np.hypot(way[:, 0], way[:, 1]) <= sizes[arc] + bodies.reaches[second][pair] + DUST) & (bodies.radii[arc] > 0.0)
    return pair[kept], arc[kept]


def _round_straights(bodies: Bodies, straights: Straights) -> Crossings:
    """Crossings of arcs with straight pieces of other bodies or of the board."""
    offset_x = bodies.centres[:, :1] - straights.starts[:, 0]
    offset_y = bodies.centres[:, 1:] - straights.starts[:, 1]
    along = offset_x * straights.ways[:, 0] + offset_y * straights.ways[:, 1]
    aside = offset_y * straights.ways[:, 0] - offset_x * straights.ways[:, 1]
    radii = bodies.radii[:, None]
    is_met = (np.abs(aside) <= radii + DUST) & (radii > 0.0) & (bodies.owner[:, None] != straights.owner)
    arc, straight = np.nonzero(is_met & (along >= -radii - DUST) & (along <= straights.lengths + radii + DUST))
    along, aside = along[arc, straight], aside[arc, straight]
    half = np.sqrt(np.maximum(bodies.radii[arc] ** 2 - aside * aside, 0.0))
    found = []
    for sense in (1.0, -1.0):
        place = along + sense * half
        points = straights.starts[straight] + place[:, None] * straights.ways[straight]
        offset = points - bodies.centres[arc]
        normal = np.arctan2(offset[:, 1], offset[:, 0])
        length = straights.lengths[straight]
        on = bodies.has_normal(arc, normal) & (place >= -DUST) & (place <= length + DUST)
        theirs = straights.positions[straight][on] + np.clip(place[on], 0.0, length[on])
        mine = bodies.position_at(arc[on], normal[on])
        way = straights.ways[straight[on]]
        cosines = np.cos(normal[on]) * way[:, 1] - np.sin(normal[on]) * way[:, 0]
        found.append(Crossings(points[on], bodies.owner[arc[on]], mine, straights.owner[straight[on]], theirs, cosines))
    return Crossings(*joined(found))


def _straights(edges: Straights, others: Straights) -> Crossings:
    """Crossings of edges with straight pieces of other bodies or of the board; parallel ones do not cross."""
    offset = others.starts - edges.starts[:, None]
    turn = edges.ways[:, None, 0] * others.ways[:, 1] - edges.ways[:, None, 1] * others.ways[:, 0]
    crosses = np.abs(turn) > DUST
    safe = np.where(crosses, turn, 1.0)
    mine = (offset[..., 0] * others.ways[:, 1] - offset[..., 1] * others.ways[:, 0]) / safe
    theirs = (offset[..., 0] * edges.ways[:, None, 1] - offset[..., 1] * edges.ways[:, None, 0]) / safe
    is_on = (mine >= -DUST) & (mine <= edges.lengths[:, None] + DUST) & (theirs >= -DUST) & (theirs <= others.lengths + DUST)
    edge, other = np.nonzero(crosses & is_on & ((edges.owner[:, None] < others.owner) | (others.owner == EDGE)))
    place, their_place = mine[edge, other], theirs[edge, other]
    points = edges.starts[edge] + place[:, None] * edges.ways[edge]
    here = edges.positions[edge] + np.clip(place, 0.0, edges.lengths[edge])
    there = others.positions[other] + np.clip(their_place, 0.0, others.lengths[other])
    cosines = (edges.ways[edge] * others.ways[other]).sum(axis=1)
    return Crossings(points, edges.owner[edge], here, others.owner[other], there, cosines)
