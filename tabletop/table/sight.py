"""Lines of sight: whether a clear straight segment leads from a front to a body, for one place of the body or many.

If any clear segment exists, one exists that is determined by two constraints: it passes through corners of what is in
the way, ends of the fronts or corners of the target, is tangent to a disc, or lies at the limit of the angle. Those
critical lines are finitely many, and all are tried. For very many places of a body a few of them show where sight is
surely clear, and separating lines where it surely is not; in between `clear_sight` must be called.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import shapely

from tabletop.budget import check_deadline
from tabletop.geometry.arrays import BoolArray, FloatArray, lengths_of, unit_vectors
from tabletop.geometry.convex import edge_normals, ring_gap, separation
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape
from tabletop.units import CONTACT

Segment = tuple[Point, Point]

GRAZING_SIGHT = 3 * CONTACT

AT_ONCE, MOST_AT_ONCE, FEWEST_AT_ONCE = 64, 8192, 8
"""Number of shortest segments tested against the blockers first, then doubled; with very many corners always few."""

MOST_POINTS = 500
"""Number of points up to which lines through every two are tested; above, only lines that a sight line may contain."""

LINES_AT_ONCE = 1_000_000
"""Number of pairs of such points processed at once."""

SIGHT_SPARE = 1e-3
"""Inches by which a line must be clear, stopped, or outside the arc."""

SIGHT_POINTS = (0.5, 0.0, 1.0, 0.25, 0.75)
"""Points of a front edge from which sample lines are drawn."""


@dataclass(frozen=True)
class Blocker:
    """A body whose interior blocks sight; with `is_ignored_inside` not the sight from or to a point in it."""

    shape: Shape
    is_ignored_inside: bool


@dataclass(frozen=True)
class View:
    """What is looked from, where, and at what.

    Attributes
    ----------
    fronts
        Front edges, as segments on one line of the table.
    heading, arc
        Direction ahead, and the largest angle to each side of it, in radians.
    target
        Corners (n, 2) of the body looked for, counter-clockwise, in inches.
    """

    fronts: tuple[Segment, ...]
    heading: float
    arc: float
    target: FloatArray

    @property
    def ends(self) -> FloatArray:
        """Ends (n, 2) of the front edges, in inches."""
        return np.array(self.fronts).reshape(-1, 2)


def clear_sight(view: View, blockers: Sequence[Blocker]) -> Segment | None:
    """Return a segment from a front to the target, within the arc, that crosses no blocker's interior; None if there is
    none.

    Touching a blocker's boundary is allowed. A few obvious segments are tried first; only if all are blocked is the
    result the shortest one.
    """
    ends = view.ends
    obvious = _through(np.vstack([ends, ends.mean(axis=0), view.target, view.target.mean(axis=0)]))
    found = _first_clear(view, blockers, obvious)
    if found is None and blockers:
        clear = (_first_clear(view, blockers, lines) for lines in _critical_lines(view, blockers))
        found = min(
            (segment for segment in clear if segment is not None),
            key=lambda segment: math.dist(*segment),
            default=None,
        )
    return found


def _first_clear(view: View, blockers: Sequence[Blocker], lines: FloatArray) -> Segment | None:
    segments = _seen(view, lines)
    return shortest_clear(
        segments[_in_arc(view, segments[:, 1] - segments[:, 0], CONTACT)], blockers
    )


def shortest_clear(segments: FloatArray, blockers: Sequence[Blocker]) -> Segment | None:
    """Return the shortest of the segments (n, 2, 2) that crosses no blocker's interior; None if all do.

    Touching a blocker's boundary is allowed.
    """
    order = np.argsort(np.hypot(*(segments[:, 1] - segments[:, 0]).T), kind="stable")
    corners = max(
        (int(shapely.get_num_coordinates(blocker.shape.core)) for blocker in blockers), default=1
    )
    most = max(min(MOST_AT_ONCE, LINES_AT_ONCE // corners**2), FEWEST_AT_ONCE)
    start = 0
    size = min(AT_ONCE, most)
    while start < len(order):
        some = segments[order[start : start + size]]
        start = start + size
        size = min(2 * size, most)
        for blocker in blockers:
            check_deadline()
            some = some[~_crosses(blocker, some)] if len(some) else some
        if len(some):
            (x, y), (to_x, to_y) = some[0].tolist()
            return (x, y), (to_x, to_y)
    return None


def first_blocked_point(sight: Segment, blockers: Sequence[Blocker]) -> Point | None:
    """Return the table point at which a segment first enters a blocker that stops sight along it; None if none does."""
    line = np.array(sight)
    stoppers = [blocker.shape for blocker in blockers if _crosses(blocker, line[None])[0]]
    if not stoppers:
        return None
    shares = np.concatenate(
        [
            [
                0.0 if _depths(shape, shapely.points(line[:1]))[0] > 0.0 else 1.0,
                *_entries(line, shape),
            ]
            for shape in stoppers
        ]
    )
    x, y = (line[0] + shares[shares >= 0.0].min() * (line[1] - line[0])).tolist()
    return x, y


def _through(points: FloatArray) -> FloatArray:
    """Return lines (n, 2, 2), each a point and a direction, through every two of some points (m, 2) that do not
    coincide.
    """
    first, second = np.triu_indices(len(points), 1)
    lines = np.stack([points[first], points[second] - points[first]], axis=1)
    return lines[np.hypot(lines[:, 1, 0], lines[:, 1, 1]) > CONTACT]


def _critical_lines(view: View, blockers: Sequence[Blocker]) -> Iterator[FloatArray]:
    """Yield the critical lines (n, 2, 2), each a point and a direction, that two constraints determine.

    They come in one array, or for very many points in several that fit into memory.
    """
    corners = [view.ends, view.target, *_standing_inside(view, blockers)]
    corners += [blocker.shape.outline() for blocker in blockers if blocker.shape.radius == 0.0]
    points = np.vstack(corners)
    few = points if len(points) <= MOST_POINTS else _between(view, points)
    discs = [blocker.shape for blocker in blockers if blocker.shape.radius > 0.0]
    limits = _rays(view)
    at_limits = np.stack([np.repeat(few, 2, axis=0), np.tile(limits, (len(few), 1))], axis=1)
    tangents = [_tangents(disc, few) for disc in discs] + [
        _limit_tangents(disc, limits) for disc in discs
    ]
    bitangents = [_bitangents(first, second) for first, second in combinations(discs, 2)]
    others = [at_limits, *tangents, *bitangents]
    if few is points:
        yield np.concatenate([_through(points), *others])
    else:
        yield np.concatenate(others)
        yield from _through_many(view, few)


def _rays(view: View) -> FloatArray:
    """Return the unit directions (2, 2) of the limits of the arc, the right one first."""
    return np.array(
        [
            [math.cos(view.heading + turn), math.sin(view.heading + turn)]
            for turn in (-view.arc, view.arc)
        ]
    )


def _between(view: View, points: FloatArray) -> FloatArray:
    """Return those of the points (n, 2) that a segment from a front to the target may contain: the ones in the convex
    hull of both.
    """
    hull = shapely.MultiPoint(np.vstack([view.ends, view.target])).convex_hull
    shapely.prepare(hull)
    kept: FloatArray = np.unique(
        points[shapely.dwithin(hull, shapely.points(points), CONTACT)], axis=0
    )
    return kept


def _through_many(view: View, points: FloatArray) -> Iterator[FloatArray]:
    """Yield lines (n, 2, 2) through every two of very many points (m, 2), without those that miss all fronts or the
    target.
    """
    size = max(LINES_AT_ONCE // len(points), 1)
    fronts = [np.array(front) for front in view.fronts]
    for start in range(0, len(points), size):
        check_deadline()
        some = points[start : start + size, None]
        along = points - some
        is_met = _are_parted(some, along, view.target) & np.any(
            [_are_parted(some, along, front) for front in fronts], axis=0
        )
        is_met &= lengths_of(along) > CONTACT
        is_met &= np.arange(len(points)) > np.arange(start, start + len(some))[:, None]
        first, second = np.nonzero(is_met)
        if len(first):
            yield np.stack([points[start + first], along[first, second]], axis=1)


def _are_parted(points: FloatArray, along: FloatArray, ring: FloatArray) -> np.ndarray:
    """Return (n, m) whether lines from points (n, 1, 2) along vectors (n, m, 2) have corners of a ring on both sides or
    near them.
    """
    sides = [
        along[..., 0] * (corner - points)[..., 1] - along[..., 1] * (corner - points)[..., 0]
        for corner in ring
    ]
    near = 2.0 * CONTACT * lengths_of(along)
    parted: np.ndarray = (np.minimum.reduce(sides) <= near) & (np.maximum.reduce(sides) >= -near)
    return parted


def _standing_inside(view: View, blockers: Sequence[Blocker]) -> list[FloatArray]:
    """Return points (k, 2) just inside and outside of blockers that units in them see through, where fronts or the
    target's sides enter.

    One array for each such segment and blocker.
    """
    ring = [
        tuple(map(tuple, pair))
        for pair in zip(view.target, np.roll(view.target, -1, axis=0), strict=True)
    ]
    points = []
    for start, end in [*view.fronts, *ring]:
        line = np.array([start, end])
        for blocker in blockers:
            if blocker.is_ignored_inside:
                cuts = _entries(line, blocker.shape)
                span = float(np.hypot(*(line[1] - line[0])))
                shares = (
                    np.concatenate([cuts - GRAZING_SIGHT / span, cuts + GRAZING_SIGHT / span])
                    if len(cuts)
                    else cuts
                )
                points.append(line[0] + np.clip(shares, 0.0, 1.0)[:, None] * (line[1] - line[0]))
    return points


def _entries(line: FloatArray, shape: Shape) -> FloatArray:
    """Return the fractions (k,) of a segment, from its start, at which the line meets a shape's boundary."""
    outline = shapely.LinearRing(shape.outline()) if shape.radius == 0.0 else None
    along = line[1] - line[0]
    if outline is not None:
        crossings = shapely.get_coordinates(shapely.LineString(line).intersection(outline))
        return (crossings - line[0]) @ along / (along @ along) if len(crossings) else np.empty(0)
    offset = line[0] - shapely.get_coordinates(shape.core)[0]
    a = along @ along
    b = offset @ along
    c = offset @ offset - shape.radius**2
    root = b * b - a * c
    return (
        np.array([(-b - math.sqrt(root)) / a, (-b + math.sqrt(root)) / a])
        if root > 0.0
        else np.empty(0)
    )


def _tangents(disc: Shape, points: FloatArray) -> FloatArray:
    """Return lines (n, 2, 2), each a point and a direction, through points outside a disc and tangent to it."""
    to_centre = shapely.get_coordinates(disc.core)[0] - points
    distance = lengths_of(to_centre)
    outside = distance > disc.radius - CONTACT
    spread = np.arcsin(np.minimum(disc.radius / distance[outside], 1.0))
    bearing = np.arctan2(to_centre[outside, 1], to_centre[outside, 0])
    angles = np.concatenate([bearing - spread, bearing + spread])
    return np.stack(
        [np.tile(points[outside], (2, 1)), unit_vectors(angles)],
        axis=1,
    )


def _limit_tangents(disc: Shape, limits: FloatArray) -> FloatArray:
    """Return lines (4, 2, 2), each a point and a direction, along the two limits of the arc and tangent to a disc."""
    centre = shapely.get_coordinates(disc.core)[0]
    aside = np.column_stack([-limits[:, 1], limits[:, 0]]) * disc.radius
    return np.stack(
        [np.concatenate([centre + aside, centre - aside]), np.tile(limits, (2, 1))], axis=1
    )


def _bitangents(first: Shape, second: Shape) -> FloatArray:
    """Return the common tangents (n, 2, 2) of two discs, each a point and a unit direction; at most four."""
    centre = shapely.get_coordinates(first.core)[0]
    other = shapely.get_coordinates(second.core)[0]
    apart = float(np.hypot(*(other - centre)))
    bearing = math.atan2(*(other - centre)[::-1])
    lines = []
    for sense in (-1.0, 1.0):
        for partner in (-1.0, 1.0):
            across = partner * second.radius - sense * first.radius
            if apart > 0.0 and abs(across) <= apart + CONTACT:
                angle = bearing + math.asin(min(max(across / apart, -1.0), 1.0))
                aside = np.array([-math.sin(angle), math.cos(angle)])
                lines.append(
                    [
                        centre + sense * first.radius * aside,
                        np.array([math.cos(angle), math.sin(angle)]),
                    ]
                )
    return np.array(lines).reshape(-1, 2, 2)


def _seen(view: View, lines: FloatArray) -> FloatArray:
    """Return segments (n, 2, 2) of lines from each front that they cross to the first point of the target, ahead or
    behind.
    """
    found = []
    for start, end in view.fronts:
        origin, _ = _crossing(lines, np.array(start), np.array(end))
        origins = lines[:, 0] + origin[:, None] * lines[:, 1]
        rays = np.stack([origins, lines[:, 1]], axis=1)
        edges = zip(view.target, np.roll(view.target, -1, axis=0), strict=True)
        met = [_crossing(rays, corner, following)[0] for corner, following in edges]
        for sense in (1.0, -1.0):
            distance = np.full(len(lines), np.inf)
            for along in met:
                distance = np.fmin(distance, np.where(sense * along >= 0.0, sense * along, np.inf))
            usable = np.isfinite(distance) & np.isfinite(origin)
            found.append(
                np.stack(
                    [
                        origins[usable],
                        origins[usable] + sense * distance[usable, None] * lines[usable, 1],
                    ],
                    axis=1,
                )
            )
    return np.concatenate(found)


def _crossing(
    lines: FloatArray, start: FloatArray, end: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return where lines (n, 2, 2) cross a segment: the parameters (n,) along the lines, and the fractions (n,) of the
    segment.

    Both are nan where a line misses the segment by more than `CONTACT` or is parallel to it.
    """
    along = end - start
    offset = start - lines[:, 0]
    span = float(np.hypot(*along))
    cross = lines[:, 1, 0] * along[1] - lines[:, 1, 1] * along[0]
    safe = np.where(np.abs(cross) > CONTACT * CONTACT, cross, np.nan)
    share = (offset[:, 0] * lines[:, 1, 1] - offset[:, 1] * lines[:, 1, 0]) / safe
    share = np.where(
        (share >= -CONTACT / span) & (share <= 1.0 + CONTACT / span),
        np.clip(share, 0.0, 1.0),
        np.nan,
    )
    on_segment = offset + share[:, None] * along
    return np.einsum("nj,nj->n", on_segment, lines[:, 1]) / np.einsum(
        "nj,nj->n", lines[:, 1], lines[:, 1]
    ), share


def _in_arc(view: View, ways: FloatArray, slack: float) -> BoolArray:
    """Return whether each vector (n, 2) lies within the arc about straight ahead, to `slack` inches at its end."""
    ahead = ways @ np.array([math.cos(view.heading), math.sin(view.heading)])
    aside = np.abs(ways @ np.array([-math.sin(view.heading), math.cos(view.heading)]))
    within: BoolArray = (aside * math.cos(view.arc) - ahead * math.sin(view.arc) <= slack) & (
        ahead >= -slack
    )
    return within


def _crosses(blocker: Blocker, segments: FloatArray) -> np.ndarray:
    """Return whether each segment (n, 2, 2) passes through a blocker's interior, deeper than `CONTACT`."""
    shape = blocker.shape
    lines = shapely.linestrings(segments)
    if shape.radius > 0.0:
        through: np.ndarray = shapely.distance(lines, shape.core) < shape.radius - CONTACT
    else:
        through = np.zeros(len(segments), dtype=bool)
        if not shapely.intersects(lines, shape.core).any():
            return through
        parts, owner = shapely.get_parts(shapely.intersection(lines, shape.core), return_index=True)
        is_stretch = shapely.length(parts) > 0.0
        parts = parts[is_stretch]
        owner = owner[is_stretch]
        for share in (0.5, 0.23, 0.81):
            middles = shapely.line_interpolate_point(parts, share, normalized=True)
            through[owner[shapely.distance(middles, shape.core.boundary) > CONTACT]] = True
    if blocker.is_ignored_inside:
        ends = shapely.points(segments)
        depth = _depths(shape, ends)
        through &= ~(depth > CONTACT).any(axis=1)
    return through


def _depths(shape: Shape, points: np.ndarray) -> FloatArray:
    """Return the depths in inches of points inside a shape; 0 or less outside."""
    if shape.radius > 0.0:
        inward: FloatArray = shape.radius - shapely.distance(points, shape.core)
        return inward
    depths: FloatArray = np.where(
        shapely.contains(shape.core, points), shapely.distance(points, shape.core.boundary), 0.0
    )
    return depths


def certainly_visible(view: View, blockers: Sequence[Blocker], shifts: FloatArray) -> BoolArray:
    """Return for each shift (n, 2) of the target, in inches, whether one of a few sight lines to it is surely clear.

    False does not mean that sight is blocked.
    """
    seen = np.zeros(len(shifts), dtype=bool)
    for start, end in _lines(view):
        left = np.flatnonzero(~seen)
        ends = end + shifts[left]
        left, ends = left[within := _in_arc(view, ends - start, -SIGHT_SPARE)], ends[within]
        if len(left):
            segments = np.stack([np.broadcast_to(start, ends.shape), ends], axis=1)
            seen[left] = _are_clear(segments, blockers)
    return seen


def _lines(view: View) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield sample lines (start, end) from the fronts to corners and middles of sides of the target."""
    aims = np.concatenate([view.target, (view.target + np.roll(view.target, -1, axis=0)) / 2])
    for share in SIGHT_POINTS:
        for start, end in view.fronts:
            for aim in aims:
                yield np.array(start) + share * (np.array(end) - start), aim


def _are_clear(segments: FloatArray, blockers: Sequence[Blocker]) -> BoolArray:
    clear = np.ones(len(segments), dtype=bool)
    for blocker in blockers:
        left = np.flatnonzero(clear)
        is_past = np.ones(len(left), dtype=bool)
        for piece in blocker.shape.parts:
            is_past &= separation(segments[left], piece) > blocker.shape.radius + SIGHT_SPARE
        if blocker.is_ignored_inside:
            is_past |= _are_inside(segments[left, 0], blocker.shape) | _are_inside(
                segments[left, 1], blocker.shape
            )
        clear[left] = is_past
    return clear


def _are_inside(points: FloatArray, shape: Shape) -> BoolArray:
    """Return whether each point (n, 2) lies at least `SIGHT_SPARE` inches inside a convex part of a shape."""
    inside = np.zeros(len(points), dtype=bool)
    for piece in shape.parts:
        inside |= ring_gap(points[:, None], piece) < shape.radius - SIGHT_SPARE
    return inside


def surely_unseen(view: View, blockers: Sequence[Blocker], shifts: FloatArray) -> BoolArray:
    """Return for each shift (n, 2) of the target, in inches, whether it is surely not visible.

    That is so if the target is wholly outside the arc, or if a single blocker stops every line to it. False does not
    mean that it is visible.
    """
    unseen = _outside_arc(view, shifts)
    for blocker in blockers:
        left = np.flatnonzero(~unseen)
        if len(left):
            unseen[left] = _are_stopped(view, blocker, shifts[left])
    return unseen


def _outside_arc(view: View, shifts: FloatArray) -> BoolArray:
    """Return for each shift (n, 2) whether a line separates the target from all that lies within the arc, by
    `SIGHT_SPARE` inches.
    """
    front = _hull(view)
    rays = _rays(view)
    normals = np.array(
        [
            [rays[0, 1], -rays[0, 0]],
            [-rays[1, 1], rays[1, 0]],
            [-math.cos(view.heading), -math.sin(view.heading)],
        ]
    )
    beyond = (
        (normals @ view.target.T).min(axis=1) + shifts @ normals.T - (normals @ front.T).max(axis=1)
    )
    outside: BoolArray = (beyond > SIGHT_SPARE).any(axis=1)
    for normal, limit in zip(
        own := edge_normals(view.target), (own @ view.target.T).max(axis=1), strict=True
    ):
        if (rays @ normal >= 0.0).all():
            outside |= (front @ normal).min() > limit + shifts @ normal + SIGHT_SPARE
    return outside


def _hull(view: View) -> FloatArray:
    """Return the right and the left end (2, 2) of all the fronts together, which lie on one line."""
    ends = view.ends
    places = ends @ np.array([math.sin(view.heading), -math.cos(view.heading)])
    return ends[[places.argmax(), places.argmin()]]


def _are_stopped(view: View, blocker: Blocker, shifts: FloatArray) -> BoolArray:
    """Return for each shift (n, 2) whether one convex part of a blocker stops the lines from both ends of the fronts to
    all corners.

    Then it stops all lines to the target. If it stops the lines from one point to both ends of an edge it contains a
    point of each, and the segment between these, which it contains too, crosses every line from the point to the edge.
    So, corner by corner, it stops the lines from either end to the whole target, and from there likewise those from all
    points between the ends.
    """
    front = _hull(view)
    stopped = np.zeros(len(shifts), dtype=bool)
    for piece in blocker.shape.parts:
        all_stopped = np.ones(len(shifts), dtype=bool)
        for start in front:
            for corner in view.target:
                left = np.flatnonzero(all_stopped)
                segments = np.stack(
                    [np.broadcast_to(start, (len(left), 2)), corner + shifts[left]], axis=1
                )
                all_stopped[left] = ring_gap(segments, piece) < blocker.shape.radius - SIGHT_SPARE
        stopped |= all_stopped
    if blocker.is_ignored_inside:
        for piece in blocker.shape.parts:
            stopped &= ring_gap(front, piece) > blocker.shape.radius + SIGHT_SPARE
            stopped &= (
                ring_gap(view.target + shifts[:, None], piece) > blocker.shape.radius + SIGHT_SPARE
            )
    return stopped
