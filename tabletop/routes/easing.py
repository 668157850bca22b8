"""Places that are given a little inside what they should only touch: eased out to its boundary, before ways are asked for."""

import numpy as np

from tabletop.geometry.pose import FloatArray
from tabletop.routes.bodies import Bodies, Indices
from tabletop.routes.chord import holding
from tabletop.routes.heights import Booleans, Land
from tabletop.units import CONTACT

ROUNDS = 4
"""How often a place is eased out of one body after another."""


def eased(land: Land, places: FloatArray, *, give: float) -> FloatArray:
    """Move places (n, 3) that lie up to `give` inches inside bodies which they may not be in at their height to the boundaries."""
    result = places.copy()
    for _ in range(ROUNDS):
        is_deep = np.any(_refused(land, result, give), axis=1, keepdims=True)
        place, body = np.nonzero(_refused(land, result, CONTACT) & ~is_deep)
        if not len(place):
            break
        normals, depths = ways_out(land.bodies, result[place, :2], body)
        result[place, :2] += depths[:, None] * normals
    return result


def _refused(land: Land, places: FloatArray, depth: float) -> Booleans:
    return land.refusing(places, holding(land.bodies, places[:, :2], depth=depth))


def ways_out(bodies: Bodies, points: FloatArray, body: Indices) -> tuple[FloatArray, FloatArray]:
    """Give the unit vectors (n, 2) from points inside bodies to the nearest points of their boundaries, and the distances (n,)."""
    normals, depths = np.zeros((len(points), 2)), np.zeros(len(points))
    for number, (point, one) in enumerate(zip(points, body, strict=True)):
        arcs = np.arange(bodies.first[one], bodies.first[one] + bodies.counts[one])
        offset = point - bodies.centres[arcs]
        apart = np.hypot(offset[:, 0], offset[:, 1])
        is_on = bodies.has_normal(arcs, np.arctan2(offset[:, 1], offset[:, 0])) & (apart > 0.0) & (bodies.radii[arcs] > 0.0)
        to_arcs = np.where(is_on, bodies.radii[arcs] - apart, np.inf)
        behind = ((bodies.edge_starts[arcs] - point) * bodies.edge_normals[arcs]).sum(axis=1)
        to_edges = np.where(bodies.edge_lengths[arcs] > 0.0, behind, np.inf)
        nearest = int(np.minimum(to_arcs, to_edges).argmin())
        is_edge = to_edges[nearest] < to_arcs[nearest]
        normals[number] = bodies.edge_normals[arcs[nearest]] if is_edge else offset[nearest] / max(float(apart[nearest]), CONTACT)
        depths[number] = min(to_arcs[nearest], to_edges[nearest])
    return normals, depths
