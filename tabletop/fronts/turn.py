"""Where a convex body that turns comes too near to others: many turns at once, by the same rules as `tabletop.geometry.motion`.

One call costs about as much as two scalar ones and answers for hundreds of pairs.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.budget import keep_time
from tabletop.fronts.obstacle import gaps_on_turns
from tabletop.geometry.motion import GAP_ROUNDING
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.ring import Sides, are_nearer, ring_gap, separation, sides, turned
from tabletop.units import CONTACT

Indices = NDArray[np.intp]
MOST_NUMBERS = 2_000_000
"""Numbers in an array of pairs times corners times corners."""
PASSING_ANGLES = 12
"""Angles of one corner and another at which a gap may pass through one of two levels."""
MOST_ASKED, TOLD = 1024, 64
"""Angles of which the gaps are worked out at once; of more, one of so many neighbours first."""


class Stretches(NamedTuple):
    """Blocked turns, (k,) each: the pair that is too near, and the first and last angle of the stretch in radians."""

    pair: Indices
    low: FloatArray
    high: FloatArray


def blocked_turns_of(body: FloatArray, rings: FloatArray, *, needed: FloatArray, until: float) -> Stretches:
    """Give the stretches of [0, `until`] on which a counter-clockwise turn of `body` (n, 2) about the origin is too near.

    It is held against each of `rings` (N, m, 2), of which it needs the gaps `needed` (N,), or one body (N, n, 2) against each.
    Rings with fewer vertices repeat one. Only stretches that come nearer than needed by more than CONTACT count, from where the
    gap is exactly as needed.
    """
    near = np.flatnonzero(_is_in_reach(body, rings, needed))
    if not len(near):
        return Stretches(near, np.empty(0), np.empty(0))
    bodies = np.broadcast_to(body, (len(rings), *body.shape[-2:]))
    found = []
    for some in _blocks(near, bodies, rings):
        stretches = _blocked(bodies[some], rings[some], needed[some], until)
        found.append(stretches._replace(pair=some[stretches.pair]))
    return Stretches(*(np.concatenate(part) for part in zip(*found, strict=True)))


def _blocks(pairs: Indices, bodies: FloatArray, rings: FloatArray) -> Iterator[Indices]:
    """Cut pairs into as many at once as fit into memory, as long as there is time."""
    size = max(MOST_NUMBERS // (PASSING_ANGLES * bodies.shape[1] * rings.shape[1]), 1)
    for start in range(0, len(pairs), size):
        keep_time()
        yield pairs[start : start + size]


def are_blocked(bodies: FloatArray, rings: FloatArray, *, needed: FloatArray, until: FloatArray, at_end_only: bool = False) -> np.ndarray:
    """Tell of each of `bodies` (N, n, 2) whether a counter-clockwise turn by `until` (N,) about the origin is too near to its ring.

    Each holds the origin, and is held against one of `rings` (N, m, 2), from which it keeps the gap `needed` (N,) on the whole
    turn, or at its end only.
    """
    blocked = np.zeros(len(bodies), dtype=bool)
    near = np.flatnonzero(_is_in_reach(bodies, rings, needed))
    if not len(near):
        return blocked
    body, ring, level, last = bodies[near], rings[near], needed[near], until[near]
    blocked[near] = are_nearer(turned(body, last), ring, than=level - GAP_ROUNDING)
    undecided = np.flatnonzero(~blocked[near] & (last > 0.0) & (not at_end_only))
    if len(undecided):
        body, ring, level, last = body[undecided], ring[undecided], level[undecided], last[undecided]
        blocked[near[undecided]] = _are_blocked_on_the_way(body, ring, level, last)
    return blocked


def _are_blocked_on_the_way(body: FloatArray, ring: FloatArray, level: FloatArray, last: FloatArray) -> np.ndarray:
    """Ask for the least gap; it tells all but how deep bodies get into each other that overlap less than they may.

    A body that holds the origin reaches every point of a ring first along the line from there: where it overlaps the ring most in
    that direction, one of its corners lies before a corner of the ring, or before the foot of the origin on an edge.
    """
    blocked = np.zeros(len(body), dtype=bool)
    near = np.flatnonzero(_may_be_near(body, ring, level, last))
    if not len(near):
        return blocked
    least = gaps_on_turns(body[near], ring[near], last[near])
    blocked[near] = least < level[near] - GAP_ROUNDING
    left = near[~blocked[near] & (least < 0.0)]
    if len(left):
        blocked[left] = _are_blocked_exactly(body[left], ring[left], level[left], last[left])
    return blocked


def _may_be_near(body: FloatArray, ring: FloatArray, level: FloatArray, last: FloatArray) -> np.ndarray:
    """Tell which turns are not free at first sight: half way the body is so far off that nothing on it gets near before or after."""
    radius = np.hypot(body[..., 0], body[..., 1]).max(axis=1)
    near: np.ndarray = separation(turned(body, last / 2.0), ring) < level + radius * last / 2.0
    return near


def _are_blocked_exactly(body: FloatArray, ring: FloatArray, level: FloatArray, last: FloatArray) -> np.ndarray:
    """Tell which bodies come nearer than `level` between two turns at which a gap may pass through it."""
    blocked = np.zeros(len(body), dtype=bool)
    for some in _blocks(np.arange(len(body)), body, ring):
        pair, low, high = _parts(_events(body[some], ring[some], level[None, some]), last[some])
        of = some[pair]
        is_near = are_nearer(turned(body[of], (low + high) / 2.0), ring[of], than=level[of] - GAP_ROUNDING)
        blocked[of[is_near]] = True
    return blocked


def _is_in_reach(body: FloatArray, rings: FloatArray, needed: FloatArray) -> np.ndarray:
    reach = np.hypot(body[..., 0], body[..., 1]).max(axis=-1) + np.maximum(needed, 0.0)
    nearest = np.clip(0.0, rings.min(axis=1), rings.max(axis=1))
    result: np.ndarray = np.hypot(nearest[:, 0], nearest[:, 1]) <= reach
    return result


def _blocked(bodies: FloatArray, rings: FloatArray, needed: FloatArray, until: float) -> Stretches:
    pair, low, high = _parts(_events(bodies, rings, np.stack([needed, needed - CONTACT])), until)
    gaps = _rooms(bodies, rings, needed, pair, (low + high) / 2.0)
    is_near = gaps < -GAP_ROUNDING
    goes_on = np.concatenate([[False], is_near[:-1] & (pair[1:] == pair[:-1])])
    first = np.flatnonzero(is_near & ~goes_on)
    if not len(first):
        return Stretches(first, np.empty(0), np.empty(0))
    number = np.cumsum(is_near & ~goes_on) - 1
    last, deepest = np.zeros(len(first), dtype=np.intp), np.full(len(first), np.inf)
    inside = np.flatnonzero(is_near)
    np.maximum.at(last, number[inside], inside)
    np.minimum.at(deepest, number[inside], gaps[inside])
    counts = deepest < -CONTACT
    return Stretches(pair[first][counts], low[first][counts], high[last][counts])


def _rooms(bodies: FloatArray, rings: FloatArray, needed: FloatArray, pair: Indices, angles: FloatArray) -> FloatArray:
    """Give what is left of the gaps needed at some angles of pairs (p,); where there are very many, of most a bound that tells as much.

    Nothing on a body moves farther than its radius times the angle: far off, or deep inside, one of many neighbours tells of all.
    """
    if len(pair) <= MOST_ASKED:
        return ring_gap(turned(bodies[pair], angles), rings[pair]) - needed[pair]
    told = np.minimum(np.arange(len(pair)) // TOLD * TOLD + TOLD // 2, len(pair) - 1)
    asked, which = np.unique(told, return_inverse=True)
    rooms: FloatArray = _rooms(bodies, rings, needed, pair[asked], angles[asked])[which]
    moved = np.hypot(bodies[..., 0], bodies[..., 1]).max(axis=1)[pair] * np.abs(angles - angles[told])
    is_told = (pair == pair[told]) & ((rooms - moved > 0.0) | (rooms + moved < -2.0 * CONTACT))
    rooms = np.where(rooms > 0.0, rooms - moved, rooms + moved)
    left = np.flatnonzero(~is_told)
    size = len(left) if 2 * len(left) <= len(pair) else MOST_ASKED
    for some in (left[start : start + size] for start in range(0, len(left), max(size, 1))):
        rooms[some] = _rooms(bodies, rings, needed, pair[some], angles[some])
    return rooms


def _parts(events: FloatArray, until: float | FloatArray) -> Stretches:
    """Cut [0, until] at the events (q, N) of every pair, in order of the pairs."""
    pairs = events.shape[1]
    cuts = np.sort(np.where((events > 0.0) & (events < until), events, until), axis=0)
    cuts = cuts[: int((cuts < until).sum(axis=0).max(initial=0))]
    edges = np.concatenate([np.zeros((1, pairs)), cuts, np.broadcast_to(until, (1, pairs))]).T
    pair, part = np.nonzero(edges[:, 1:] > edges[:, :-1])
    return Stretches(pair, edges[pair, part], edges[pair, part + 1])


def _events(bodies: FloatArray, rings: FloatArray, levels: FloatArray) -> FloatArray:
    """Give the turns (q, N), nan where there is none, at which a gap may pass through one of `levels` (l, N)."""
    here, there = sides(bodies), sides(rings)
    found = [_to_edges(here, there, levels), -_to_edges(there, here, levels), _to_vertices(here, there, levels)]
    return np.concatenate(found) % (2.0 * np.pi)


def _to_edges(points: Sides, ring: Sides, levels: FloatArray) -> FloatArray:
    """Turn points about the origin until they are at one of `levels` inches outside an edge, if negative inside its line."""
    radius, height = np.sqrt(points.distance_squared)[:, None, None], ring.height[:, None] + levels
    is_met = (radius >= np.abs(height)) & (radius > 0.0) & (ring.length > 0.0)[:, None]
    half = np.arccos(np.clip(height / np.where(radius > 0.0, radius, 1.0), -1.0, 1.0))
    foot = np.sqrt(np.maximum((radius - height) * (radius + height), 0.0))
    middle = np.arctan2(-ring.along_x, ring.along_y)[:, None] - np.arctan2(points.y, points.x)[:, None, None]
    start, end, is_inside = (ring.start - CONTACT)[:, None], (ring.start + ring.length + CONTACT)[:, None], levels < 0.0
    ahead = is_met & (is_inside | ((start <= foot) & (foot <= end)))
    behind = is_met & (is_inside | ((start <= -foot) & (-foot <= end)))
    angles = np.stack([np.where(ahead, middle + half, np.nan), np.where(behind, middle - half, np.nan)])
    return angles.reshape(-1, levels.shape[-1])


def _to_vertices(points: Sides, others: Sides, levels: FloatArray) -> FloatArray:
    """Turn points about the origin until they are at one of `levels` inches from other points."""
    radius, reach = np.sqrt(points.distance_squared)[:, None, None], np.sqrt(others.distance_squared)[:, None]
    product = 2.0 * radius * reach
    is_met = (levels > 0.0) & (np.abs(radius - reach) <= levels) & (radius + reach >= levels) & (product > 0.0)
    cosine = (radius * radius + reach * reach - levels * levels) / np.where(product > 0.0, product, 1.0)
    half = np.arccos(np.clip(cosine, -1.0, 1.0))
    middle = np.arctan2(others.y, others.x)[:, None] - np.arctan2(points.y, points.x)[:, None, None]
    angles = np.stack([np.where(is_met, middle + half, np.nan), np.where(is_met, middle - half, np.nan)])
    return angles.reshape(-1, levels.shape[-1])
