"""Slides and turns of convex bodies in closed form: on which stretch of a move a body is too near to another.

Bodies are rings as in `tabletop.geometry.convex`, a front edge a ring of two vertices. A disc is given by its centre,
its radius being added to `needed`, the gap in inches that must be kept. Angles are radians, `sense` +1 turns
counter-clockwise, -1 clockwise. Only a move that would come nearer than `needed` by more than `CONTACT` is blocked, and
then from where the gap is exactly `needed`. The same rules hold for arrays of bodies.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tabletop.budget import check_deadline
from tabletop.geometry.arrays import FloatArray, IntArray, concatenate, lengths_of
from tabletop.geometry.convex import (
    Sides,
    are_nearer,
    reflected,
    ring_gap,
    rotated,
    separation,
    sides,
)
from tabletop.geometry.pose import Point
from tabletop.units import CONTACT, MARGINAL

GAP_ROUNDING = 1e-11
"""Inches. Rounding of lengths on a table: a gap within this of `needed` is `needed`."""

MAX_DEPTH_LINES = 64
"""Number of lines through the pivot at which overlap depth is measured: all there are between bodies of four
corners."""

CORNERS_OF_EDGE = 2
"""Number of corners of a body that is an edge, without an interior."""

HALVED = 0.5 ** np.arange(1, 21)

BESIDE_ENDS = np.concatenate([HALVED, 1.0 - HALVED])
"""Shares of a turn, ever nearer to its ends, at which an edge that touches there is tested for overlap."""

MOST_NUMBERS = 2_000_000
"""Size limit of an array of pairs times corners times corners."""

PASSING_ANGLES = 12
"""Angles of a corner and another at which a gap may pass through one of two levels."""

MOST_ASKED, TOLD = 1024, 64
"""Number of angles up to which each gap is computed; of more, first one of so many neighbours, which bounds the
others."""

Stretch = tuple[float, float]

Ring = list[tuple[float, float]]

Edge = tuple[float, float, float, float]


def blocked_slide(
    moving: FloatArray, fixed: FloatArray, *, direction: Point, needed: float
) -> Stretch | None:
    """Return the open interval of distances, in inches along a unit vector, at which a sliding body is too near to
    another; None if never.

    `moving` (n, 2) and `fixed` (m, 2) are convex rings; too near is a gap of less than `needed` inches. It is one
    interval because both are convex. With `needed` 0 their interiors overlap in it; with a negative value they overlap
    by more than that depth.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> blocked_slide(square, square + [5.0, 0.5], direction=(1.0, 0.0), needed=0.25)
    (3.75, 6.25)
    >>> blocked_slide(square, square + [5.0, 1.25], direction=(1.0, 0.0), needed=0.25) is None
    True
    """
    return SlideBlock.of(moving, fixed, direction=direction, needed=needed).at(0.0, 0.0)


@dataclass(eq=False)
class SlideBlock:
    """Slides of one convex body past another, in a frame with x along the slide: blocked intervals for any start.

    The vertices of the moving body (`here`) and of the fixed one (`there`) are pairs (y, x); `needed` is the gap to
    keep; all in inches.
    """

    here: Ring
    there: Ring
    needed: float

    @classmethod
    def of(
        cls, moving: FloatArray, fixed: FloatArray, *, direction: Point, needed: float
    ) -> "SlideBlock":
        """Return the object for slides of the ring `moving` (n, 2) along the unit vector `direction` past the ring
        `fixed` (m, 2).
        """
        return cls(_along(moving, direction), _along(fixed, direction), needed)

    @cached_property
    def _beside(self) -> Stretch:
        """Signed distances in inches, across the slide, by which the moving body lies to the right of the fixed one,
        and to its left.
        """
        return min(self.there)[0] - max(self.here)[0], min(self.here)[0] - max(self.there)[0]

    @cached_property
    def _apart(self) -> list[Edge]:
        return _differences(self.there, self.here)

    def at(self, across: float, along: float) -> Stretch | None:
        """Return the open interval of the slide, in inches from its start, on which it is blocked; None if it is not.

        The moving body starts `across` inches to the left of, and `along` inches ahead of, the place where it was
        given.
        """
        below, above, touch = *self._beside, self.needed - CONTACT
        if max(below - across, above + across) >= max(touch, 0.0):  # it passes beside
            return None
        apart = [(x, y - across, side_x, side_y) for x, y, side_x, side_y in self._apart]
        stretch = _inset_stretch(apart, self.needed) if touch <= 0.0 else (0.0, 0.0)
        if self.needed > 0.0 and stretch is not None:
            stretch = _rounded_stretch(apart, self.needed)
        return None if stretch is None else (stretch[0] - along, stretch[1] - along)


def _along(ring: FloatArray, direction: Point) -> Ring:
    """Return a ring's vertices as inches (to the left, ahead) with respect to `direction`, as plain floats for
    speed.
    """
    along_x, along_y = direction
    return [(y * along_x - x * along_y, x * along_x + y * along_y) for x, y in ring.tolist()]


def _differences(first: Ring, second: Ring) -> list[Edge]:
    """Return the edges of the Minkowski difference of two convex rings: all vectors from a point of `second` to one of
    `first`.

    Each edge is (x, y, side_x, side_y): its start and the vector to its end. They are in counter-clockwise order.
    """
    right_y, right_x = min(first)
    low_y, low_x = max(second)
    x = right_x - low_x
    y = right_y - low_y
    apart = []
    for _, side_x, side_y in sorted(_edge_bearings(first, 1.0) + _edge_bearings(second, -1.0)) or [
        (0.0, 0.0, 0.0)
    ]:
        apart.append((x, y, side_x, side_y))
        x = x + side_x
        y = y + side_y
    return apart


def _edge_bearings(ring: Ring, sign: float) -> list[tuple[float, float, float]]:
    """Return a ring's edges as (bearing in radians in [0, 2 pi), x, y), their vectors multiplied by `sign`, 1 or -1."""
    found = []
    for (y, x), (next_y, next_x) in zip(ring, ring[1:] + ring[:1], strict=True):
        side_x = sign * (next_x - x)
        side_y = sign * (next_y - y)
        if side_x or side_y:
            found.append((math.atan2(side_y, side_x) % math.tau, side_x, side_y))
    return found


def _inset_stretch(ring: Sequence[Edge], distance: float) -> Stretch | None:
    """Return the interval of the x axis inside a convex ring shrunk by -`distance` inches; None if nothing deeper than
    CONTACT is left.
    """
    start = -math.inf
    end = math.inf
    deep_start = -math.inf
    deep_end = math.inf
    for x, y, side_x, side_y in ring:
        length = math.hypot(side_x, side_y)
        level = distance * length + x * side_y - y * side_x
        deep = level - CONTACT * length
        if side_y < 0.0:
            start = max(start, level / side_y)
            deep_start = max(deep_start, deep / side_y)
        elif side_y > 0.0:
            end = min(end, level / side_y)
            deep_end = min(deep_end, deep / side_y)
        elif deep <= 0.0:
            return None
    return (start, end) if deep_start < deep_end else None


def _rounded_stretch(ring: Sequence[Edge], radius: float) -> Stretch:
    """Return the interval of the x axis inside a convex ring grown by `radius` inches: edges moved outward, circles
    about vertices.
    """
    found = []
    for x, y, side_x, side_y in ring:
        if abs(y) <= radius:
            half = math.sqrt((radius - y) * (radius + y))
            found += [x - half, x + half]
        outward = radius / (math.hypot(side_x, side_y) or 1.0)
        below = y - outward * side_x
        if side_y != 0.0 and below * (below + side_y) <= 0.0:
            found.append(x + outward * side_y - below / side_y * side_x)
    return min(found), max(found)


class Stretches(NamedTuple):
    """Intervals of turns on which pairs of bodies are too near, each (k,): the pair's index, and the first and last
    angle in radians.
    """

    pair: IntArray
    low: FloatArray
    high: FloatArray


def blocked_turns(
    body: FloatArray,
    rings: FloatArray,
    *,
    needed: FloatArray,
    until: float,
    pivot: Point = (0.0, 0.0),
    sense: int = 1,
) -> Stretches:
    """Return the intervals of [0, `until`] radians on which a body that turns about `pivot` is too near to other
    bodies.

    `body` (n, 2) is tested against each of `rings` (N, m, 2), or body i of (N, n, 2) against ring i; the gap to ring i
    must be at least `needed[i]` (N,) inches. Rings with fewer vertices repeat one. Only intervals on which the gap
    falls short of `needed` by more than CONTACT are returned; they begin and end where it is exactly `needed`.
    """
    body = body - pivot
    rings = rings - pivot
    if sense < 0:
        body = reflected(body)
        rings = reflected(rings)
    near = np.flatnonzero(_is_in_reach(body, rings, needed))
    if not len(near):
        return Stretches(near, np.empty(0), np.empty(0))
    bodies = np.broadcast_to(body, (len(rings), *body.shape[-2:]))
    found = []
    for some in _blocks(near, bodies, rings):
        stretches = _blocked(bodies[some], rings[some], needed[some], until)
        found.append(stretches._replace(pair=some[stretches.pair]))
    return Stretches(*concatenate(found))


def _is_in_reach(body: FloatArray, rings: FloatArray, needed: FloatArray) -> np.ndarray:
    reach = lengths_of(body).max(axis=-1) + np.maximum(needed, 0.0)
    nearest = np.clip(0.0, rings.min(axis=1), rings.max(axis=1))
    result: np.ndarray = lengths_of(nearest) <= reach
    return result


def _blocks(pairs: IntArray, bodies: FloatArray, rings: FloatArray) -> Iterator[IntArray]:
    """Yield the indices `pairs` in blocks whose arrays fit into memory, checking the deadline before each."""
    size = max(MOST_NUMBERS // (PASSING_ANGLES * bodies.shape[1] * rings.shape[1]), 1)
    for start in range(0, len(pairs), size):
        check_deadline()
        yield pairs[start : start + size]


def _blocked(bodies: FloatArray, rings: FloatArray, needed: FloatArray, until: float) -> Stretches:
    pair, low, high = _parts(_events(bodies, rings, np.stack([needed, needed - CONTACT])), until)
    gaps = _rooms(bodies, rings, needed, pair, (low + high) / 2.0)
    is_near = gaps < -GAP_ROUNDING
    goes_on = np.concatenate([[False], is_near[:-1] & (pair[1:] == pair[:-1])])
    first = np.flatnonzero(is_near & ~goes_on)
    if not len(first):
        return Stretches(first, np.empty(0), np.empty(0))
    number = np.cumsum(is_near & ~goes_on) - 1
    last = np.zeros(len(first), dtype=np.intp)
    deepest = np.full(len(first), np.inf)
    inside = np.flatnonzero(is_near)
    np.maximum.at(last, number[inside], inside)
    np.minimum.at(deepest, number[inside], gaps[inside])
    counts = deepest < -CONTACT
    return Stretches(pair[first][counts], low[first][counts], high[last][counts])


def _rooms(
    bodies: FloatArray, rings: FloatArray, needed: FloatArray, pair: IntArray, angles: FloatArray
) -> FloatArray:
    """Return gaps less `needed` (p,), in inches, of bodies turned by `angles` (p,) radians; for very many pairs, mostly
    bounds of them.

    No point of a body moves farther than its radius times the angle: where a gap is large, or an overlap deep, the
    value at one angle bounds those at neighbouring angles and has the same sign.
    """
    if len(pair) <= MOST_ASKED:
        return ring_gap(rotated(bodies[pair], angles), rings[pair]) - needed[pair]
    told = np.minimum(np.arange(len(pair)) // TOLD * TOLD + TOLD // 2, len(pair) - 1)
    asked, which = np.unique(told, return_inverse=True)
    rooms: FloatArray = _rooms(bodies, rings, needed, pair[asked], angles[asked])[which]
    moved = lengths_of(bodies).max(axis=1)[pair] * np.abs(angles - angles[told])
    is_told = (pair == pair[told]) & ((rooms - moved > 0.0) | (rooms + moved < -2.0 * CONTACT))
    rooms = np.where(rooms > 0.0, rooms - moved, rooms + moved)
    left = np.flatnonzero(~is_told)
    size = len(left) if 2 * len(left) <= len(pair) else MOST_ASKED
    for some in (left[start : start + size] for start in range(0, len(left), max(size, 1))):
        rooms[some] = _rooms(bodies, rings, needed, pair[some], angles[some])
    return rooms


def _parts(events: FloatArray, until: float | FloatArray) -> Stretches:
    """Return the intervals into which `events` (q, N), angles in radians, divide [0, `until`], for each of N pairs."""
    pairs = events.shape[1]
    cuts = np.sort(np.where((events > 0.0) & (events < until), events, until), axis=0)
    cuts = cuts[: int((cuts < until).sum(axis=0).max(initial=0))]
    edges = np.concatenate([np.zeros((1, pairs)), cuts, np.broadcast_to(until, (1, pairs))]).T
    pair, part = np.nonzero(edges[:, 1:] > edges[:, :-1])
    return Stretches(pair, edges[pair, part], edges[pair, part + 1])


def _events(bodies: FloatArray, rings: FloatArray, levels: FloatArray) -> FloatArray:
    """Return the turns (q, N) in radians at which the gap of a pair may pass through one of `levels` (l, N) inches; nan
    for none.
    """
    here = sides(bodies)
    there = sides(rings)
    found = [
        _to_edges(here, there, levels),
        -_to_edges(there, here, levels),
        _to_vertices(here, there, levels),
    ]
    return np.concatenate(found) % (2.0 * np.pi)


def _to_edges(points: Sides, ring: Sides, levels: FloatArray) -> FloatArray:
    """Return the turns (q, N) in radians that bring vertices to `levels` (l, N) inches outside an edge of a ring; nan
    for none.
    """
    radius = np.sqrt(points.distance_squared)[:, None, None]
    height = ring.height[:, None] + levels
    is_met = (radius >= np.abs(height)) & (radius > 0.0) & (ring.length > 0.0)[:, None]
    half = np.arccos(np.clip(height / np.where(radius > 0.0, radius, 1.0), -1.0, 1.0))
    foot = np.sqrt(np.maximum((radius - height) * (radius + height), 0.0))
    middle = (
        np.arctan2(-ring.along_x, ring.along_y)[:, None]
        - np.arctan2(points.y, points.x)[:, None, None]
    )
    start = (ring.start - CONTACT)[:, None]
    end = (ring.start + ring.length + CONTACT)[:, None]
    is_inside = levels < 0.0
    ahead = is_met & (is_inside | ((start <= foot) & (foot <= end)))
    behind = is_met & (is_inside | ((start <= -foot) & (-foot <= end)))
    angles = np.stack(
        [np.where(ahead, middle + half, np.nan), np.where(behind, middle - half, np.nan)]
    )
    return angles.reshape(-1, levels.shape[-1])


def _to_vertices(points: Sides, others: Sides, levels: FloatArray) -> FloatArray:
    """Return the turns (q, N) in radians that bring vertices to `levels` (l, N) inches from vertices of another ring;
    nan for none.
    """
    radius = np.sqrt(points.distance_squared)[:, None, None]
    reach = np.sqrt(others.distance_squared)[:, None]
    product = 2.0 * radius * reach
    is_met = (
        (levels > 0.0)
        & (np.abs(radius - reach) <= levels)
        & (radius + reach >= levels)
        & (product > 0.0)
    )
    cosine = (radius * radius + reach * reach - levels * levels) / np.where(
        product > 0.0, product, 1.0
    )
    half = np.arccos(np.clip(cosine, -1.0, 1.0))
    middle = np.arctan2(others.y, others.x)[:, None] - np.arctan2(points.y, points.x)[:, None, None]
    angles = np.stack(
        [np.where(is_met, middle + half, np.nan), np.where(is_met, middle - half, np.nan)]
    )
    return angles.reshape(-1, levels.shape[-1])


def are_blocked(
    bodies: FloatArray,
    rings: FloatArray,
    *,
    needed: FloatArray,
    until: FloatArray,
    at_end_only: bool = False,
) -> np.ndarray:
    """Return (N,) whether body i, turning counter-clockwise by `until[i]` radians about the origin, comes too near to
    ring i.

    Too near to ring i of `rings` (N, m, 2) is a gap less than `needed[i]` (N,) inches, anywhere on the turn, or with
    `at_end_only` at its end. Each of `bodies` (N, n, 2) must contain the origin.
    """
    blocked = np.zeros(len(bodies), dtype=bool)
    near = np.flatnonzero(_is_in_reach(bodies, rings, needed))
    if not len(near):
        return blocked
    body = bodies[near]
    ring = rings[near]
    level = needed[near]
    last = until[near]
    blocked[near] = are_nearer(rotated(body, last), ring, than=level - GAP_ROUNDING)
    undecided = np.flatnonzero(~blocked[near] & (last > 0.0) & (not at_end_only))
    if len(undecided):
        body = body[undecided]
        ring = ring[undecided]
        level = level[undecided]
        last = last[undecided]
        blocked[near[undecided]] = _are_blocked_on_the_way(body, ring, level, last)
    return blocked


def _are_blocked_on_the_way(
    body: FloatArray, ring: FloatArray, level: FloatArray, last: FloatArray
) -> np.ndarray:
    """Return (k,) which bodies come nearer than `level` (k,) inches to their rings on turns by `last` (k,) radians.

    The smallest gap on the way decides; where bodies overlap, but not clearly too deep, all angles at which the gap may
    pass through `level` are tested. A body that contains the origin reaches every point of a ring first along the line
    from there: where it overlaps the ring most in that direction, one of its corners lies before a corner of the ring,
    or before the foot of the origin on an edge.
    """
    blocked = np.zeros(len(body), dtype=bool)
    # If the body is far off half way, nothing on it gets near before or after.
    radius = lengths_of(body).max(axis=1)
    near = np.flatnonzero(separation(rotated(body, last / 2.0), ring) < level + radius * last / 2.0)
    if not len(near):
        return blocked
    least = gaps_on_turns(body[near], ring[near], last[near])
    blocked[near] = least < level[near] - GAP_ROUNDING
    left = near[~blocked[near] & (least < 0.0)]
    if len(left):
        blocked[left] = _are_blocked_exactly(body[left], ring[left], level[left], last[left])
    return blocked


def _are_blocked_exactly(
    body: FloatArray, ring: FloatArray, level: FloatArray, last: FloatArray
) -> np.ndarray:
    """Return (k,) which bodies come nearer than `level` (k,) inches to their rings, tested between all turns at which a
    gap may pass it.
    """
    blocked = np.zeros(len(body), dtype=bool)
    for some in _blocks(np.arange(len(body)), body, ring):
        pair, low, high = _parts(_events(body[some], ring[some], level[None, some]), last[some])
        of = some[pair]
        is_near = are_nearer(
            rotated(body[of], (low + high) / 2.0), ring[of], than=level[of] - GAP_ROUNDING
        )
        blocked[of[is_near]] = True
    return blocked


def gaps_on_turns(
    bodies: FloatArray, rings: FloatArray, turns: FloatArray, *, is_deepest: bool = False
) -> FloatArray:
    """Return the least gap (N,) in inches between body i, which contains the origin, and ring i while the body turns
    about the origin.

    The bodies (N, n, 2) turn by `turns` (N,) radians, counter-clockwise if positive; the rings (N, m, 2) stay. The gap
    is least at an end of a turn, or where the shortest segment between the two lies on a line through the origin: from
    corner to corner, or perpendicular to an edge. Where they overlap the result is negative: minus the depth where the
    body reaches farthest into the ring as seen from the origin, or with `is_deepest` the greatest depth on all such
    lines. A body of two corners, an edge, may touch at an end of the turn and be in the ring right beside it: that is
    tested as well.
    """
    sense = np.copysign(1.0, turns)
    until = np.abs(turns)
    bearings, rooms = _lines(bodies, rings)
    passed = np.remainder(sense[:, None] * bearings, math.tau)
    passed = np.where(passed < until[:, None], passed, 0.0)
    nearest = np.where(passed > 0.0, rooms, np.inf).argmin(axis=1)
    tried = np.stack(
        [np.zeros_like(until), until, np.take_along_axis(passed, nearest[:, None], axis=1)[:, 0]]
    )
    along = ring_gap(rotated(bodies, sense * tried), rings[None])
    gaps: FloatArray = along.min(axis=0)
    touching = np.flatnonzero(
        (np.abs(along[:2]) <= MARGINAL).any(axis=0) & (bodies.shape[1] == CORNERS_OF_EDGE)
    )
    if len(touching):
        beside = ring_gap(
            rotated(bodies[touching], turns[touching] * BESIDE_ENDS[:, None]), rings[None, touching]
        )
        gaps[touching] = np.minimum(gaps[touching], beside.min(axis=0))
    overlapping = np.flatnonzero(gaps < 0.0) if is_deepest else np.empty(0, dtype=np.intp)
    for number in overlapping.tolist():
        deepest = np.argsort(np.where(passed[number] > 0.0, rooms[number], np.inf), kind="stable")[
            :MAX_DEPTH_LINES
        ]
        angles = sense[number] * passed[number, deepest]
        gaps[number] = min(
            gaps[number], ring_gap(rotated(bodies[number], angles), rings[number]).min()
        )
    return gaps


def _lines(bodies: FloatArray, rings: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the turns (N, q) in radians that bring points of bodies onto rays from the origin to points of rings, and
    the inches between.

    The points are corners, and feet of perpendiculars from the origin on edges; where a foot is not on its edge the
    distance is inf.
    """
    here, reach = _polar_vertices(bodies)
    there, away = _polar_vertices(rings)
    corners = bodies.shape[1]
    edges = rings.shape[1]
    count = len(bodies)
    reach = np.where(np.isinf(reach), -np.inf, reach)
    turns = (
        there[:, :, None] - here[:, None, :corners],
        there[:, :edges, None] - here[:, None, corners:],
    )
    rooms = (
        away[:, :, None] - reach[:, None, :corners],
        away[:, :edges, None] - reach[:, None, corners:],
    )
    first, second = (
        np.concatenate([part.reshape(count, -1) for part in parts], axis=1)
        for parts in (turns, rooms)
    )
    return first, second


def _polar_vertices(rings: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return bearings in radians and distances in inches, each (N, 2 n), of points of rings (N, n, 2) as seen from the
    origin.

    The points are the corners, then the feet of perpendiculars from the origin on the edges; a foot not on its edge is
    at distance inf.
    """
    x = rings[..., 0]
    y = rings[..., 1]
    along_x, along_y = (
        np.concatenate([plane[:, 1:], plane[:, :1]], axis=1) - plane for plane in (x, y)
    )
    height = x * along_y - y * along_x
    start = x * along_x + y * along_y
    squared = along_x * along_x + along_y * along_y
    is_on = (start <= 0.0) & (start + squared >= 0.0) & (squared > 0.0)
    feet = np.where(is_on, np.abs(height) / np.sqrt(np.where(is_on, squared, 1.0)), np.inf)
    bearings = np.concatenate(
        [np.arctan2(y, x), np.arctan2(-height * along_x, height * along_y)], axis=1
    )
    return bearings, np.concatenate([np.hypot(x, y), feet], axis=1)
