"""Convex bodies and the gaps between them, by the widest strip that parts them: nothing of the engine's geometry is
used.

Two convex bodies are as far apart as the widest of all strips between them; if they overlap, no strip parts them, and
the least negative one says how deep. Strips are tried in all directions, and the best direction is narrowed down.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import shapely
import shapely.ops
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DIRECTIONS = 180
NARROWINGS = 40
TINY = 1e-18
"""Square inches, so that a way without length divides nothing by 0."""
HAIR = 1e-6
"""Inches by which lines may differ that are equally short."""
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True)
class Form:
    """A convex outline about its own place, +x ahead, in inches: all sums of a corner, a point of an oval and a point
    of a disc.
    """

    corners: tuple[tuple[float, float], ...] = ((0.0, 0.0),)
    axes: tuple[float, float] = (0.0, 0.0)
    radius: float = 0.0

    @property
    def is_disc(self) -> bool:
        """Whether it is a disc about its place."""
        return self.corners == ((0.0, 0.0),) and self.axes == (0.0, 0.0)

    @property
    def bends(self) -> Floats:
        """Least and greatest radius (2,) in inches to which its outline is bent, corners and edges left out."""
        a = max(self.axes)
        b = min(self.axes)
        return np.array([self.radius, self.radius]) + (
            np.array([b * b / a, a * a / b]) if b else 0.0
        )

    def reach(self, heading: float, ways: Floats) -> Floats:
        """Return how far (k,) it reaches from its place towards directions (k, 2), when it looks `heading` radians from
        +x.
        """
        ahead, aside = _frame(heading)
        along = ways @ ahead
        across = ways @ aside
        corners = np.array(self.corners)
        far: Floats = (np.outer(along, corners[:, 0]) + np.outer(across, corners[:, 1])).max(axis=1)
        return far + np.hypot(self.axes[0] * along, self.axes[1] * across) + self.radius

    def outline(self, at: Floats, heading: float) -> shapely.Geometry:
        """Return the corners' hull where it stands: all of a polygon, the middle of a disc or an oval."""
        ahead, aside = _frame(heading)
        points = np.array(self.corners) @ np.array([ahead, aside]) + at
        return shapely.MultiPoint(points).convex_hull

    def normals(self, heading: float) -> Floats:
        """Return the directions (k,) in radians that its edges face."""
        corners = np.array(self.corners)
        edges = np.roll(corners, -1, axis=0) - corners
        turned = np.arctan2(edges[:, 1], edges[:, 0]) + heading
        return (
            np.concatenate([turned - math.pi / 2, turned + math.pi / 2])
            if len(corners) > 1
            else np.empty(0)
        )


def _frame(heading: float) -> tuple[Floats, Floats]:
    return np.array([math.cos(heading), math.sin(heading)]), np.array(
        [-math.sin(heading), math.cos(heading)]
    )


Turned = tuple[Form, float]
"""A form and where it looks, in radians."""


def parted(first: Turned, other: Turned, aside: Floats, until: Floats | None = None) -> Floats:
    """Measure the gaps (k,) between two forms, the other `aside` (k, 2) of the first; the least on the way to `until`
    (k, 2) if given.
    """
    until = aside if until is None else until
    if first[0].is_disc and other[0].is_disc:
        return _discs(aside, until) - first[0].radius - other[0].radius
    if first[0].is_disc and max(other[0].axes) == 0.0:
        gaps = _from_discs(other, aside, until) - first[0].radius - other[0].radius
        met = np.flatnonzero(gaps <= -first[0].radius - other[0].radius)
        gaps[met] = _narrowed(first, other, aside[met], until[met])
        return gaps
    return _narrowed(first, other, aside, until)


def _discs(aside: Floats, until: Floats) -> Floats:
    """Measure how near (k,) to the origin straight ways lead."""
    run = until - aside
    share = np.clip(
        -(aside * run).sum(axis=1) / np.maximum((run * run).sum(axis=1), TINY), 0.0, 1.0
    )
    near: Floats = np.hypot(*(aside + share[:, None] * run).T)
    return near


def _from_discs(other: Turned, aside: Floats, until: Floats) -> Floats:
    """Measure how near (k,) straight ways of a point lead past a polygon; 0 where they meet it."""
    lines = shapely.linestrings(np.stack([-aside, -until], axis=1))
    near: Floats = shapely.distance(lines, other[0].outline(np.zeros(2), other[1]))
    return near


def _narrowed(first: Turned, other: Turned, aside: Floats, until: Floats) -> Floats:
    """Try strips in all directions and narrow the best down."""
    angles = directions(first, other)
    best = _strips(first, other, aside, until, np.broadcast_to(angles, (len(aside), len(angles))))
    middle = angles[best.argmax(axis=1)]
    low = middle - 2 * math.pi / DIRECTIONS
    high = middle + 2 * math.pi / DIRECTIONS
    for _ in range(NARROWINGS):
        one = high - GOLDEN * (high - low)
        two = low + GOLDEN * (high - low)
        both = _strips(first, other, aside, until, np.column_stack([one, two]))
        is_low = both[:, 0] >= both[:, 1]
        low = np.where(is_low, low, one)
        high = np.where(is_low, two, high)
    narrowed = _strips(first, other, aside, until, ((low + high) / 2)[:, None])[:, 0]
    return np.asarray(np.maximum(narrowed, best.max(axis=1)))


@cache
def directions(first: Turned, other: Turned) -> Floats:
    """Return the directions in radians that are tried: all around, and those that edges face."""
    around = np.linspace(-math.pi, math.pi, DIRECTIONS, endpoint=False)
    return np.concatenate([around, first[0].normals(first[1]), other[0].normals(other[1])])


def _strips(first: Turned, other: Turned, aside: Floats, until: Floats, angles: Floats) -> Floats:
    """Measure the strips (k, d) that part the two in directions (k, d)."""
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    flat = ways.reshape(-1, 2)
    filled = (first[0].reach(first[1], flat) + other[0].reach(other[1], -flat)).reshape(
        angles.shape
    )
    nearer = np.minimum((ways * aside[:, None]).sum(axis=-1), (ways * until[:, None]).sum(axis=-1))
    strips: Floats = nearer - filled
    return strips


@dataclass(frozen=True, eq=False)
class Bodies:
    """Models, or pieces of terrain, where they stand: centres (n, 2) and heights (n,) in inches, headings (n,) in
    radians, forms.

    `tall` is the height that each counts for in vertical gaps.
    """

    centres: Floats
    heights: Floats
    headings: Floats
    forms: tuple[Form, ...]
    tall: float = 0.0

    def __len__(self) -> int:
        return len(self.forms)

    @property
    def radii(self) -> Floats:
        """Radii (n,) of discs, in inches."""
        return np.array([form.radius for form in self.forms])

    def turned(self, row: int) -> Turned:
        """Return the form of one, and where it looks; a disc looks nowhere."""
        return self.forms[row], 0.0 if self.forms[row].is_disc else float(self.headings[row])

    def gaps(self, other: "Bodies") -> Floats:
        """Measure the gaps (n, m) in plan."""
        between = np.empty((len(self), len(other)))
        mine = _alike(self)
        its = _alike(other)
        for turned, rows in mine.items():
            for also, columns in its.items():
                aside = other.centres[columns][None] - self.centres[rows][:, None]
                between[np.ix_(rows, columns)] = parted(turned, also, aside.reshape(-1, 2)).reshape(
                    len(rows), len(columns)
                )
        return between

    def rises(self, other: "Bodies") -> Floats:
        """Measure the vertical gaps (n, m)."""
        up = self.heights[:, None] - other.heights[None]
        rises: Floats = np.maximum(np.maximum(up - other.tall, -up - self.tall), 0.0)
        return rises

    def distances(self, other: "Bodies") -> Floats:
        """Measure the least distance (n,) of each to the others."""
        least: Floats = np.hypot(np.maximum(self.gaps(other), 0.0), self.rises(other)).min(
            axis=1, initial=np.inf
        )
        return least

    def at(self, centres: Floats, heights: Floats, headings: Floats | None = None) -> "Bodies":
        """Return the same bodies elsewhere."""
        return Bodies(
            centres, heights, self.headings if headings is None else headings, self.forms, self.tall
        )

    def of(self, rows: Sequence[int]) -> "Bodies":
        """Return some of them."""
        picked = list(rows)
        forms = tuple(self.forms[row] for row in picked)
        return Bodies(
            self.centres[picked], self.heights[picked], self.headings[picked], forms, self.tall
        )


def _alike(bodies: Bodies) -> dict[Turned, list[int]]:
    """Gather the rows of bodies of one form that look the same way."""
    rows: dict[Turned, list[int]] = {}
    for row in range(len(bodies)):
        rows.setdefault(bodies.turned(row), []).append(row)
    return rows


def joined(parts: Sequence[Bodies], *, tall: float = 0.0) -> Bodies:
    """Return bodies combined; `tall` is their height if there are none."""
    return Bodies(
        np.vstack([np.empty((0, 2)), *(part.centres for part in parts)]),
        np.concatenate([np.empty(0), *(part.heights for part in parts)]),
        np.concatenate([np.empty(0), *(part.headings for part in parts)]),
        tuple(form for part in parts for form in part.forms),
        max((part.tall for part in parts), default=tall),
    )


def shortest(first: Bodies, row: int, other: Bodies, column: int) -> shapely.Geometry:
    """Return the shortest lines between two bodies that are apart: one, or all that join two straight edges face to
    face.

    The outermost of these begin or end in a corner. All are cut at the discs' rims.
    """
    form, heading = first.turned(row)
    its, facing = other.turned(column)
    start = form.outline(first.centres[row], heading)
    end = its.outline(other.centres[column], facing)
    if max(form.axes) > 0.0 or max(its.axes) > 0.0:
        way = _widest(
            (form, heading), (its, facing), (other.centres[column] - first.centres[row])[None]
        )
        start = (
            shapely.Point(first.centres[row] + _tip(form, heading, way))
            if max(form.axes) > 0.0
            else start
        )
        end = (
            shapely.Point(other.centres[column] + _tip(its, facing, -way))
            if max(its.axes) > 0.0
            else end
        )
    lines = [
        shapely.shortest_line(shapely.Point(spot), end) for spot in shapely.get_coordinates(start)
    ]
    lines += [
        shapely.shortest_line(start, shapely.Point(spot)) for spot in shapely.get_coordinates(end)
    ]
    least = min(line.length for line in lines)
    cut = [
        shapely.ops.substring(line, form.radius, line.length - its.radius)
        for line in lines
        if line.length <= least + HAIR
    ]
    return shapely.union_all(cut).convex_hull


def _widest(first: Turned, other: Turned, aside: Floats) -> Floats:
    """Return the direction (2,) of the widest strip between two."""
    angles = np.linspace(-math.pi, math.pi, 20 * DIRECTIONS, endpoint=False)
    for width in (4 * math.pi / (20 * DIRECTIONS), 1e-5, 1e-8):
        best = float(angles[_strips(first, other, aside, aside, angles[None])[0].argmax()])
        angles = best + width * np.linspace(-1.0, 1.0, 801)
    return np.array([math.cos(best), math.sin(best)])


def _tip(form: Form, heading: float, way: Floats) -> Floats:
    """Return the point of an oval or a corner that reaches farthest towards a direction, from its place; discs count as
    points.
    """
    ahead, aside = _frame(heading)
    along = float(way @ ahead)
    across = float(way @ aside)
    a, b = form.axes
    far = math.hypot(a * along, b * across)
    tip: Floats = (a * a * along * ahead + b * b * across * aside) / far if far else np.zeros(2)
    return tip
