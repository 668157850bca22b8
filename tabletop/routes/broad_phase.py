"""Which pieces of boundaries may meet: those whose surroundings do, body by body."""

import math
from typing import NamedTuple

import numpy as np

from tabletop.geometry.pose import FloatArray
from tabletop.routes.bodies import CROSSING_ROUNDING, Bodies, Indices
from tabletop.routes.columns import spread


class Surroundings(NamedTuple):
    """Circles about pieces of boundaries, body after body: centres (n, 2), radii in inches, the bodies, and the pieces' numbers."""

    middles: FloatArray
    sizes: FloatArray
    owner: Indices
    number: Indices


def around_arcs(bodies: Bodies) -> Surroundings:
    """Give circles about all arcs that have a radius."""
    is_wide = bodies.spans > math.pi
    turned = bodies.starts + bodies.spans / 2.0
    way = np.where(is_wide, 0.0, bodies.radii)[:, None] * np.column_stack([np.cos(turned), np.sin(turned)])
    sizes = np.where(is_wide, bodies.radii, 2.0 * bodies.radii * np.sin(np.minimum(bodies.spans, math.pi) / 4.0))
    kept = np.flatnonzero(bodies.radii > 0.0)
    return Surroundings((bodies.centres + way)[kept], sizes[kept], bodies.owner[kept], kept)


def meeting(bodies: Bodies, first: Surroundings, second: Surroundings, *, once: bool) -> tuple[Indices, Indices]:
    """Give numbers of pieces of different bodies whose surroundings meet; of each two bodies both ways, or only `once`."""
    apart = np.hypot(*(bodies.middles[:, None] - bodies.middles).transpose(2, 0, 1))
    is_near = apart <= bodies.reaches[:, None] + bodies.reaches + CROSSING_ROUNDING
    one, other = np.nonzero(np.triu(is_near, 1) if once else is_near & ~np.eye(bodies.number, dtype=bool))
    (pair, near), (its_pair, far) = _close(bodies, first, one, other), _close(bodies, second, other, one)
    begins, counts = np.searchsorted(its_pair, np.arange(len(one))), np.bincount(its_pair, minlength=len(one))
    place, step = spread(counts[pair])
    near, far = near[place], far[begins[pair][place] + step]
    way = first.middles[near] - second.middles[far]
    meets = np.hypot(way[:, 0], way[:, 1]) <= first.sizes[near] + second.sizes[far] + CROSSING_ROUNDING
    return first.number[near[meets]], second.number[far[meets]]


def _close(bodies: Bodies, pieces: Surroundings, own: Indices, other: Indices) -> tuple[Indices, Indices]:
    """Give for pairs of bodies the pieces of the one whose surroundings meet the circle about the other: the pair, and the row."""
    begins, ends = (np.searchsorted(pieces.owner, own, side=side) for side in ("left", "right"))
    pair, step = spread(ends - begins)
    row = begins[pair] + step
    way = pieces.middles[row] - bodies.middles[other][pair]
    kept = np.hypot(way[:, 0], way[:, 1]) <= pieces.sizes[row] + bodies.reaches[other][pair] + CROSSING_ROUNDING
    return pair[kept], row[kept]
