"""The area swept by a front that goes forward, wheels and goes forward, and the moves that a convex body forbids, in
closed form.

The pivot is at (0, d) after the first part of the move, of length d, and the front extends from it towards -x; the
wheel turns it clockwise by t, so that its far corner goes ahead. All bodies are convex, so each forbids one interval of
d. Where only the way straight ahead is asked for, the left end of the front is the origin and y runs ahead. Arrays
broadcast; lengths in inches, angles in radians.
"""

from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np

from tabletop.budget import check_deadline
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import Sides, sides
from tabletop.units import CONTACT

FLAT = 1e-12

CORNERS_AT_ONCE = 200_000
"""Number of ring corners processed at once; larger inputs are processed in parts while time is left."""

Bounds = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class ConvexRings:
    """Convex rings of k vertices, counter-clockwise, with a gap needed from each.

    Attributes
    ----------
    vertices, after, before
        Vertices (..., k, 2) in inches, and those that follow and precede each.
    normals
        Outward unit normals of the edges from each vertex to the one after, (..., k, 2).
    supports
        Greatest normal . vertex of the ring for each of these normals, (..., k).
    needed
        Gap needed in inches, (...).
    """

    vertices: FloatArray
    after: FloatArray
    before: FloatArray
    normals: FloatArray
    supports: FloatArray
    needed: FloatArray


def wheel_blocks(bodies: ConvexRings, angle: FloatArray, *, width: float) -> Bounds:
    """Return the lengths d of the first part for which a front comes too near to a body while it wheels by `angle`
    (...).

    Returns
    -------
    tuple
        low and high (...), in inches, of the open forbidden interval of d; low > high where nothing is forbidden.
    """
    needed = bodies.needed
    cos = np.cos(angle)
    sin = np.sin(angle)
    x, y = _coordinates(bodies.vertices)
    with np.errstate(invalid="ignore"):
        below, above = _chord(x, (cos, sin), needed, width)
        at_edge = _edge_tangents(bodies, (x, y), angle, width)
        low, high = np.fmin(y - above, at_edge), np.fmax(y - below, at_edge)
    low = np.fmin.reduce(low, axis=0)
    high = np.fmax.reduce(high, axis=0)
    beside = needed - CONTACT
    misses = np.isnan(low) | (x.min(axis=0) >= beside) | (x.max(axis=0) <= -width - beside)
    return np.where(misses, np.inf, low + CONTACT), np.where(misses, -np.inf, high - CONTACT)


def _coordinates(points: FloatArray) -> FloatArray:
    """Return x and y of points (..., k, 2) as one contiguous array (2, k, ...), ten times faster to reduce."""
    return np.ascontiguousarray(np.moveaxis(points, (-1, -2), (0, 1)))


def _chord(x: FloatArray, turn: Bounds, needed: FloatArray, width: float) -> Bounds:
    """Return the smallest and largest y, at abscissa x, of points within `needed` inches of the swept sector; nan where
    there are none.

    `turn` is (cos, sin) of the wheel; the pivot of the sector is the origin.
    """
    cos, sin = turn
    around = width + needed
    far_x = -width * cos
    far_y = width * sin
    square = needed**2
    at_ends = np.fmax(np.sqrt(square - x**2), np.sqrt(square - (x + width) ** 2))
    at_tip = np.sqrt(square - (x - far_x) ** 2)
    along = (needed * sin - x) / np.where(cos > FLAT, cos, np.nan)
    over_wheeled = np.where((along >= 0.0) & (along <= width), along * sin + needed * cos, np.nan)
    over_arc = np.where((x >= -around) & (x <= -around * cos), np.sqrt(around**2 - x**2), np.nan)
    below_start = np.where((x >= -width) & (x <= 0.0), -needed, np.nan)
    bottoms = (-at_ends, far_y - at_tip, below_start)
    tops = (at_ends, far_y + at_tip, over_wheeled, over_arc)
    return reduce(np.fmin, bottoms), reduce(np.fmax, tops)


def _edge_tangents(
    bodies: ConvexRings, start: Bounds, angle: FloatArray, width: float
) -> FloatArray:
    """Return the first parts d at which the sector, grown by the needed gap, is tangent to an edge; nan where it misses
    the edge.
    """
    needed = bodies.needed
    x, y = start
    end_x, end_y = _coordinates(bodies.after)
    towards_x, towards_y = -_coordinates(bodies.normals)
    far_x = -width * np.cos(angle)
    far_y = width * np.sin(angle)
    along_far = towards_x * far_x + towards_y * far_y
    at_tip = along_far > np.maximum(0.0, -width * towards_x)
    q_x = np.where(at_tip, far_x, np.where(towards_x >= 0.0, 0.0, -width))
    q_y = np.where(at_tip, far_y, 0.0)
    on_arc = _on_arc(towards_x, towards_y, angle)
    q_x = np.where(on_arc, width * towards_x, q_x) + needed * towards_x
    q_y = np.where(on_arc, width * towards_y, q_y) + needed * towards_y
    run = end_x - x
    share = (q_x - x) / np.where(np.abs(run) > FLAT, run, np.nan)
    on_edge = (share >= 0.0) & (share <= 1.0)
    return np.where(on_edge, y + share * (end_y - y) - q_y, np.nan)


def _on_arc(x: FloatArray, y: FloatArray, angle: FloatArray) -> np.ndarray:
    """Return whether directions (x, y), drawn from the pivot, point into the sector swept by a wheel of `angle`
    radians.
    """
    turned = np.arctan2(y, -x)
    result: np.ndarray = (turned >= 0.0) & (turned <= angle)
    return result


def sector_support(direction: FloatArray, angle: FloatArray, width: float) -> FloatArray:
    """Return the support, in inches, of the sector that a front of `width` inches sweeps when it wheels by `angle`.

    That is the greatest direction . p over its points p, for unit vectors `direction` (..., 2), with the pivot at the
    origin (d = 0).
    """
    x = direction[..., 0]
    y = direction[..., 1]
    end = width * (-x * np.cos(angle) + y * np.sin(angle))
    on_arc = _on_arc(x, y, angle)
    result: FloatArray = np.maximum(
        np.maximum(0.0, -width * x), np.maximum(end, np.where(on_arc, width, -np.inf))
    )
    return result


@dataclass(frozen=True, eq=False)
class Strip:
    """The strip swept by the second part of the move, after a wheel by `angle`; everything is linear in the first part
    d.

    In the axes of the wheeled front (s along it from the pivot, r ahead) it covers s from d sin(angle) to d
    sin(angle) + width, and r from start + start_rate d to end + end_rate d. All arrays have shape (...). Behind its
    start, where the wheel has passed, a gap is needed only if `is_end_only`.
    """

    angle: FloatArray
    width: float
    start: FloatArray
    start_rate: FloatArray
    end: FloatArray
    end_rate: FloatArray
    is_end_only: bool = False

    def take(self, which: np.ndarray) -> "Strip":
        """Return some of the strips, selected by indices or a mask."""
        bounds = (self.start[which], self.start_rate[which], self.end[which], self.end_rate[which])
        return Strip(self.angle[which], self.width, *bounds, self.is_end_only)

    def axes(self, vectors: FloatArray) -> Bounds:
        """Return vectors (..., k, 2) in the axes of the wheeled front: components along it (s) and ahead of it (r),
        (..., k) each.
        """
        cos = np.cos(self.angle)[..., None]
        sin = np.sin(self.angle)[..., None]
        return vectors[..., 1] * sin - vectors[..., 0] * cos, vectors[..., 0] * sin + vectors[
            ..., 1
        ] * cos


def clear_intervals(bodies: ConvexRings, strip: Strip) -> Bounds:
    """Return the first parts d for which the second part of the move stays clear of a body: one interval per separating
    line.

    Separating axis test: a line separates the strip from the body by the gap needed. It runs along an edge of either,
    or square to the line between a corner of the body and a corner of the front where it ends. For corners at the
    strip's start no line is tried: where only such a line would separate the two, up to 0.42 of the gap too much is
    asked.

    Returns
    -------
    tuple
        low and high, (..., lines), of closed intervals of d in inches; d is forbidden if no interval contains it.
    """
    sin = np.sin(strip.angle)[..., None]
    end = strip.end[..., None]
    rate = strip.end_rate[..., None]
    gap = bodies.needed[..., None] - CONTACT
    s, r = strip.axes(bodies.vertices)
    s_low, s_high, r_low, r_high = (
        edge[..., None] for edge in (s.min(axis=-1), s.max(axis=-1), r.min(axis=-1), r.max(axis=-1))
    )
    proofs = [
        linear_bound(sin, s_low - strip.width - gap),
        linear_bound(-sin, -s_high - gap),
        linear_bound(rate, r_low - gap - end),
        linear_bound(
            -strip.start_rate[..., None],
            strip.start[..., None] - r_high - (gap if strip.is_end_only else -CONTACT),
        ),
        _edge_proofs(bodies, strip, gap),
        *_corner_proofs(bodies, strip, gap),
    ]
    found = np.empty((2, *s.shape[:-1], sum(low.shape[-1] for low, _ in proofs)))
    column = 0
    for bounds in proofs:
        count = bounds[0].shape[-1]
        found[0, ..., column : column + count], found[1, ..., column : column + count] = bounds
        column += count
    return found[0], found[1]


def _edge_proofs(bodies: ConvexRings, strip: Strip, gap: FloatArray) -> Bounds:
    """Return the intervals of d in which a line along an edge of the body separates it from the strip by `gap`:
    (..., k) each.
    """
    n_s, n_r = strip.axes(bodies.normals)
    sin = np.sin(strip.angle)[..., None]
    least = np.minimum(n_s * strip.width, 0.0) - bodies.supports - gap
    ends = ((strip.start, strip.start_rate), (strip.end, strip.end_rate))
    bounds = [
        linear_bound(-(n_s * sin + n_r * rate[..., None]), n_r * at[..., None] + least)
        for at, rate in ends
    ]
    return intersect_bounds(*bounds)


def _corner_proofs(bodies: ConvexRings, strip: Strip, gap: FloatArray) -> list[Bounds]:
    """Return the intervals of d in which a line between a corner of the body and a corner of the final front separates
    them.

    Four pairs of bounds (..., k): for either corner of the front, before and after it passes the corner of the body.
    """
    s, r = strip.axes(bodies.vertices)
    sin = np.sin(strip.angle)[..., None]
    end = strip.end[..., None]
    rate = strip.end_rate[..., None]
    sense = np.array([[[1.0]], [[-1.0]]])
    offset = np.array([[[0.0]], [[strip.width]]])
    across = s - offset
    ahead = r - end
    low, high = linear_bound(-sense * sin, -sense * across)
    if not strip.is_end_only:
        low, high = intersect_bounds((low, high), linear_bound(rate, ahead))
    for neighbours in (bodies.after, bodies.before):
        to_s, to_r = (
            theirs - own for theirs, own in zip(strip.axes(neighbours), (s, r), strict=True)
        )
        low, high = intersect_bounds(
            (low, high), linear_bound(to_s * sin + to_r * rate, to_s * across + to_r * ahead)
        )
    # Corners that coincide have no way between them, and no line square to it: edges alone must part them.
    first, last = _near_passage(across, ahead, sin, rate, np.maximum(gap, CONTACT))
    before = (low, np.minimum(high, first))
    after = (np.maximum(low, last), high)
    return [
        (bounds[0][corner], bounds[1][corner]) for corner in (0, 1) for bounds in (before, after)
    ]


def _near_passage(
    across: FloatArray,
    ahead: FloatArray,
    across_rate: FloatArray,
    ahead_rate: FloatArray,
    gap: FloatArray,
) -> Bounds:
    """Return the parameters at which a point passing the origin comes within `gap` of it and leaves; (inf, -inf) if
    never.

    The point is at (across, ahead) for parameter 0 and moves against the rates (across_rate, ahead_rate).
    """
    a = across_rate**2 + ahead_rate**2
    b = across * across_rate + ahead * ahead_rate
    # b^2 less a times the squared distance would cancel where a front glides along the facing; their cross product does
    # not.
    is_moving = a > FLAT
    square = a * gap**2 - (across * ahead_rate - ahead * across_rate) ** 2
    root = np.sqrt(np.maximum(square, 0.0))
    safe = np.where(is_moving, a, 1.0)
    stays_near = ~is_moving & (across**2 + ahead**2 < gap**2)
    misses = np.where(is_moving, square <= 0.0, ~stays_near)
    first = np.where(misses, np.inf, np.where(is_moving, (b - root) / safe, -np.inf))
    last = np.where(misses, -np.inf, np.where(is_moving, (b + root) / safe, np.inf))
    return first, last


def uncovered_intervals(
    frees: Bounds, low: FloatArray, high: FloatArray
) -> tuple[np.ndarray, FloatArray, FloatArray]:
    """Return the open intervals that no closed interval of `frees` covers and that meet the range [low, high].

    Parameters
    ----------
    frees
        low and high of the covering intervals, (m, proofs).
    low, high
        Range looked at, (m,).

    Returns
    -------
    tuple
        Index of the row, start and end of each uncovered interval, three arrays of one length; cut off 1 beyond the
        range.
    """
    starts, ends = frees
    usable = starts <= ends
    starts = np.where(usable, starts, np.inf)
    ends = np.where(usable, ends, -np.inf)
    order = np.argsort(starts, axis=-1)
    starts = np.take_along_axis(starts, order, axis=-1)
    ends = np.take_along_axis(ends, order, axis=-1)
    covered = np.maximum.accumulate(ends, axis=-1)
    hole_low = np.concatenate([np.full((len(starts), 1), -np.inf), covered], axis=-1)
    hole_high = np.concatenate([starts, np.full((len(starts), 1), np.inf)], axis=-1)
    hole_low = np.maximum(hole_low, low[:, None] - 1.0)
    hole_high = np.minimum(hole_high, high[:, None] + 1.0)
    is_hole = (
        (hole_high > hole_low + FLAT) & (hole_high >= low[:, None]) & (hole_low <= high[:, None])
    )
    row, which = np.nonzero(is_hole)
    return row, hole_low[row, which], hole_high[row, which]


def linear_bound(factor: FloatArray, limit: FloatArray) -> Bounds:
    """Return the bounds (low, high) of all x with factor * x <= limit, element by element.

    Where the factor is 0, they are (-inf, inf) if the limit is not negative, else (inf, -inf).
    """
    falls = factor < -FLAT
    rises = factor > FLAT
    is_steep = falls | rises
    ratio = (limit + FLAT) / np.where(is_steep, factor, 1.0)
    low = np.where(falls, ratio, -np.inf)
    high = np.where(rises, ratio, np.inf)
    never = (ratio < 0.0) & ~is_steep
    np.putmask(low, never, np.inf)
    np.putmask(high, never, -np.inf)
    return low, high


def intersect_bounds(first: Bounds, second: Bounds) -> Bounds:
    """Return the intersection (low, high) of two arrays of intervals, element by element; low > high where it is
    empty.
    """
    return np.maximum(first[0], second[0]), np.minimum(first[1], second[1])


class Advances(NamedTuple):
    """Open interval of straight forward moves, in inches, at which a front is nearer to a body than allowed; low > high
    if never.
    """

    low: FloatArray
    high: FloatArray

    def blocks(self, ways: FloatArray) -> np.ndarray:
        """Return a mask of the forward moves of `ways` inches that reach the blocked interval before they end."""
        result: np.ndarray = (self.low < ways) & (self.high > 0.0)
        return result


def advances(rings: FloatArray, width: float, *, level: FloatArray) -> Advances:
    """Return the interval of forward moves at which a front of `width` inches is nearer than `level` inches (...) to
    rings.

    Rings are (..., n, 2) in the frame of the front, with its left end at the origin and y ahead. A negative level is a
    depth of overlap. A front that passes beside a ring at exactly that distance is not nearer.
    """
    inset = np.maximum(-level, 0.0)
    low_end = inset
    high_end = width - inset
    out = np.maximum(level, 0.0)
    edges = sides(rings)
    beyond = np.maximum(np.maximum(low_end - edges.x, edges.x - high_end), 0.0)
    half = np.sqrt(np.maximum(out * out - beyond * beyond, 0.0))
    is_beside = (beyond >= out) & (beyond > 0.0)
    lows = [np.where(is_beside, np.inf, edges.y - half)]
    highs = [np.where(is_beside, -np.inf, edges.y + half)]
    for end in (low_end, high_end):
        crossed = _edge_crossings(edges, end, out)
        lows.append(np.where(np.isnan(crossed), np.inf, crossed))
        highs.append(np.where(np.isnan(crossed), -np.inf, crossed))
    low = np.concatenate(lows).min(axis=0) + inset
    high = np.concatenate(highs).max(axis=0) - inset
    passes = (edges.x.min(axis=0) >= high_end + out) | (edges.x.max(axis=0) <= low_end - out)
    return Advances(np.where(passes, np.inf, low), np.where(passes, -np.inf, high))


def _edge_crossings(edges: Sides, end: FloatArray, out: FloatArray) -> FloatArray:
    """Return how far ahead, in inches, an end of the front is `out` inches outside each edge (n, ...); nan if it passes
    beside it.

    `end` is the end's abscissa in inches.
    """
    normal_x = edges.along_y
    normal_y = -edges.along_x
    has_slope = (edges.length > 0.0) & (np.abs(normal_y) > 0.0)
    ahead = (edges.height + out - normal_x * end) / np.where(has_slope, normal_y, np.nan)
    along = (end - out * normal_x - edges.x) * edges.along_x + (
        ahead - out * normal_y - edges.y
    ) * edges.along_y
    return np.where((along >= 0.0) & (along <= edges.length), ahead, np.nan)


class FirstContact(NamedTuple):
    """First contact of an advancing front with a body: inches to advance (inf if never), and the place in inches along
    the front.
    """

    way: FloatArray
    place: FloatArray


def first_contact(rings: FloatArray, width: float) -> FirstContact:
    """Return where a front of `width` inches, advancing, first touches rings (..., n, 2) that lie ahead of it.

    Contact is at a corner of the ring or with an end of the front; the left end of the front is the origin, y runs
    ahead.
    """
    flat = rings.reshape(-1, *rings.shape[-2:])
    size = max(CORNERS_AT_ONCE // max(rings.shape[-2], 1), 1)
    if len(flat) > size:
        parts = [
            _first_touch(flat[start : start + size], width) for start in range(0, len(flat), size)
        ]
        way, place = (
            np.concatenate(one).reshape(rings.shape[:-2]) for one in zip(*parts, strict=True)
        )
        return FirstContact(way, place)
    return _first_touch(rings, width)


def _first_touch(rings: FloatArray, width: float) -> FirstContact:
    """Return the first contact of an advancing front with rings (..., n, 2), all computed at once."""
    check_deadline()
    edges = sides(rings)
    is_over = (edges.x >= 0.0) & (edges.x <= width)
    ways = [np.where(is_over, edges.y, np.inf)]
    places = [edges.x]
    for end in (0.0, width):
        crossed = _edge_crossings(edges, np.asarray(end), np.asarray(0.0))
        ways.append(np.where(np.isnan(crossed), np.inf, crossed))
        places.append(np.full_like(crossed, end))
    way = np.concatenate(ways)
    place = np.concatenate(places)
    first = way.argmin(axis=0)[None]
    return FirstContact(
        np.take_along_axis(way, first, axis=0)[0], np.take_along_axis(place, first, axis=0)[0]
    )
