"""Barricades: the longer engagement range across one, and the places behind it from which an enemy is in that range.

`BarricadeRange` lengthens the engagement range where the shortest segment between two models meets a barricade.
`BarricadeShadow` gives the region behind a barricade, seen from an enemy's round base, as convex curves that paths must
avoid. That region is described in polar coordinates about the enemy, angles in radians and distances in inches: it is
cut into sectors (`ShadowSector`), each between two rays, from a near boundary (`NearSide`: a conchoid or a circle) to
the end of the range.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import shapely

from systems.wh40k.scene import Scene
from tabletop.budget import check_deadline
from tabletop.geometry.arrangement import ArcPieces, segments
from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.geometry.convex import edge_normals
from tabletop.geometry.curve import ArcCurve, biarcs
from tabletop.geometry.distance import gap, gaps_at_shifts, shortest_segments_region
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape, disc
from tabletop.placement.problem import CROSSED_BY
from tabletop.table.models import ModelArray
from tabletop.units import CONTACT

POINT_SHAPE = disc((0.0, 0.0), 0.0)

HOLLOW = math.radians(10.0)
"""Radians between two tangents that approximate a concave curve."""

NARROWEST = 1e-4
"""Radians below which a concave curve is not divided further."""

CURVE_ERROR = 1e-7
"""Inches by which the arcs that approximate a convex curve may be off it."""

MOST_ARCS = 128
"""Number of arcs of one convex curve."""

LAP, LEAN = 1e-5, 0.05
"""Radians by which a sector overlaps the next, and the reduction where it is thin, as a share of its depth."""

THIN = 1e-6
"""Least distance in inches of a joint of two tangents from the end of the range."""

TIP = 1e-7
"""Depth in inches below which the last tip of a region is left out."""

LEAST_ANGLE = 1e-9
"""Radians below which a sector is left out."""

Polar = tuple[float, float]
"""An angle and a distance."""

Row = tuple[FloatArray, float, float]
"""An arc of a curve: its centre, its radius, and the normal at which it starts."""


@dataclass(frozen=True, eq=False)
class BarricadeRange:
    """The longer engagement range that applies where a shortest segment between two models meets a barricade."""

    scene: Scene

    @property
    def range(self) -> float:
        """The engagement range across a barricade, in inches."""
        return self.scene.book.barricade_engagement

    def may_count(self, foe: Shape) -> bool:
        """Return whether any barricade lies within this range of a foe's footprint, so that the longer range can
        matter.
        """
        return any(gap(foe, piece.shape) <= self.range + CONTACT for piece in self.scene.barricades)

    def counts(self, body: Shape, foe: Shape, *, spare: float) -> bool:
        """Return whether a shortest segment between two footprints meets a barricade, or comes within `spare` inches of
        one.
        """
        return is_across_barricade(self.scene, body, foe, spare=spare)

    def borders(
        self, seers: ModelArray, outer: float, *, aside: Sequence[float]
    ) -> list[ArcPieces]:
        """Return segments on rays from the `seers`' centres past corners of barricades, one `ArcPieces` for each value
        of `aside`.

        Each ray passes its corner so that the corner lies `aside` inches to the ray's right (negative: to its left).
        The segment begins beside the corner and leads away from the seer; its length in inches is the seer's radius
        plus `outer` plus the range across barricades. Corners farther than that from the seer are left out.
        """
        return [self._rays(seers, outer, shift) for shift in aside]

    def _rays(self, seers: ModelArray, outer: float, shift: float) -> ArcPieces:
        reaches = seers.radii + outer + self.range + CROSSED_BY
        corners = np.concatenate(
            [piece for barricade in self.scene.barricades for piece in barricade.shape.pieces]
        )
        ahead = corners[None, :, :] - seers.centres[:, None, :]
        apart = np.hypot(ahead[..., 0], ahead[..., 1])
        seen, corner = np.nonzero((apart <= reaches[:, None]) & (apart > abs(shift) + CROSSED_BY))
        far = apart[seen, corner][:, None]
        left = np.column_stack([-ahead[seen, corner, 1], ahead[seen, corner, 0]]) / far
        tails = corners[corner] + shift / np.sqrt(1.0 - (shift / far) ** 2) * left
        ways = tails - seers.centres[seen]
        return segments(
            tails, tails + ways / np.hypot(ways[:, 0], ways[:, 1])[:, None] * reaches[seen][:, None]
        )

    def least_way(self, around: Shape, foe: Shape) -> float:
        """Return a lower bound, in inches, on the move of a body within the disc `around` until it engages a foe across
        a barricade.

        A shortest segment that crosses a barricade is at least as long as the sum of the distances of its ends from the
        barricade. inf if no barricade is within range of the foe.
        """
        apart = gap(around, foe)
        ways = [math.inf]
        for piece in self.scene.barricades:
            left = self.range - max(gap(foe, piece.shape), 0.0) + CONTACT
            if left >= 0.0:
                ways.append(max(apart - self.range, gap(around, piece.shape) - left))
        return min(ways)

    def may_count_near(
        self,
        body: Shape,
        at: FloatArray,
        foe: Shape,
        between: FloatArray,
        *,
        off: float,
        is_flat: bool,
    ) -> BoolArray:
        """Return near which places (k, 2) a shortest segment to a foe may meet a barricade, as booleans (k,).

        `at` are shifts of `body`, `between` (k,) its gaps to the foe there, and `off` the inches by which places near
        these may differ from them. If all bodies stand on the table (`is_flat`), the segment must meet the barricade's
        rim, so some point of the rim nearly lies on it; otherwise all are true.
        """
        is_met = np.zeros(len(at), dtype=bool)
        for shape in (piece.shape for piece in self.scene.barricades):
            if not is_flat or not isinstance(shape.core, shapely.Polygon):
                return np.ones(len(at), dtype=bool)
            rim = shapely.get_coordinates(shapely.segmentize(shape.core.exterior, 2.0 * off))
            rest = np.maximum(gaps_at_shifts(POINT_SHAPE, rim, foe), 0.0)
            near = rest <= self.range + 2.0 * off
            if near.any():
                first = np.maximum(
                    gaps_at_shifts(POINT_SHAPE, rim[near] - at[:, None, :], body), 0.0
                )
                is_met |= (first + rest[near] - between[:, None] <= 4.0 * off + CONTACT).any(axis=1)
        return is_met


def is_across_barricade(
    scene: Scene, first: Shape, second: Shape, *, spare: float = CONTACT
) -> bool:
    """Return whether a shortest segment between two footprints meets a barricade, or comes within `spare` inches of
    one.
    """
    check_deadline()
    boxes = np.array([first.bounds, second.bounds])
    # all that joins the two lies in it
    around = shapely.box(*boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0))
    near = [
        piece.shape
        for piece in scene.barricades
        if around.distance(shapely.box(*piece.shape.bounds)) <= spare + CONTACT
    ]
    between = shortest_segments_region(first, second) if near else None
    return between is not None and any(
        float(between.distance(shape.core)) <= shape.radius + spare for shape in near
    )


@dataclass(frozen=True)
class NearSide:
    """Near boundary of a sector in polar coordinates: `offset` inches beyond a line (a conchoid), or beyond a circle.

    `distance` is that of the line, or the radius of the circle, in inches; `foot` the angle in radians of the line's
    nearest point, None for a circle.
    """

    distance: float
    foot: float | None
    offset: float

    def radius(self, angle: FloatArray | float) -> Any:
        """Return the distance in inches of the boundary from the origin, at an angle or an array of angles in
        radians.
        """
        return self.offset + (
            self.distance if self.foot is None else self.distance / np.cos(angle - self.foot)
        )

    def slope(self, angle: FloatArray | float) -> Any:
        """Return the derivative of `radius` with respect to the angle, in inches per radian."""
        return (
            0.0
            if self.foot is None
            else self.distance * np.tan(angle - self.foot) / np.cos(angle - self.foot)
        )

    def normal(self, angle: FloatArray | float) -> Any:
        """Return the direction in radians of the boundary's normal on the side of the origin, at an angle or an array
        of angles.
        """
        return angle + np.arctan2(self.radius(angle), self.slope(angle)) + math.pi / 2.0

    def is_bulging(self, angle: float) -> bool:
        """Return whether the boundary is convex towards the origin at an angle in radians, so that paths bend round
        it.
        """
        return (
            self.foot is not None and abs(math.remainder(angle - self.foot, math.tau)) > self.bend
        )

    @cached_property
    def bend(self) -> float:
        """The inflection of a conchoid: the angle in radians from `foot` beyond which it is convex towards the origin.

        There k c^3 + 3 c^2 = 2, with c the cosine of the angle and k the ratio of the offset to the distance; only one
        root is positive.
        """
        return math.acos(np.roots([self.offset / self.distance, 3.0, 0.0, -2.0]).real.max())

    def arcs(self, first: float, last: float) -> list[Row]:
        """Return circular arcs that approximate the boundary where it is convex, from the angle `last` to the angle
        `first` (radians).

        They deviate by at most `CURVE_ERROR` inches, unless that would take more than `MOST_ARCS` arcs.
        """
        count = 2
        while True:
            angles = np.linspace(last, first, count + 1)
            normals = self.normal(angles)
            centres, radii, starts = biarcs(
                self.radius(angles)[:, None] * np.column_stack([np.cos(angles), np.sin(angles)]),
                normals,
            )
            middles = starts + np.diff([*starts, normals[-1]]) / 2.0
            x, y = (
                centres + radii[:, None] * np.column_stack([np.cos(middles), np.sin(middles)])
            ).T
            angle = np.arctan2(y, x)
            off = (np.hypot(x, y) - self.radius(angle)) / np.hypot(
                1.0, self.slope(angle) / self.radius(angle)
            )
            if count >= MOST_ARCS or np.abs(off).max() <= CURVE_ERROR:
                return list(zip(centres, radii.tolist(), starts.tolist(), strict=True))
            count *= 2


@dataclass(frozen=True)
class ShadowSector:
    """The region between the angles `first` and `last` (radians, less than half a turn apart), from `near` out to `far`
    inches.
    """

    first: float
    last: float
    near: NearSide
    far: float

    def curves(self, centre: Point, *, is_joined: tuple[bool, bool]) -> Iterator[ArcCurve]:
        """Yield convex regions on the table, about the origin `centre`, that together cover the sector.

        They extend a little into the sectors that adjoin it, as `is_joined` says for the first and the last angle.
        """
        if self.is_bulging:
            whole = (self._end(self.first), self._end(self.last))
            yield self._curve(whole, self.near.arcs(self.first, self.last), centre, is_joined)
            return
        corners = self._hollow()
        for number, ends in enumerate(pairwise(corners)):
            joined = (is_joined[0] or number > 0, is_joined[1] or number + 2 < len(corners))
            yield self._curve(ends, [], centre, joined)

    @property
    def is_bulging(self) -> bool:
        """Whether the near boundary is convex towards the origin."""
        return self.near.is_bulging((self.first + self.last) / 2.0)

    def goes_on(self, following: "ShadowSector") -> bool:
        """Return whether the sector that begins at this one's last angle has the same near boundary, curved in the same
        sense.
        """
        return (self.near, self.is_bulging) == (following.near, following.is_bulging)

    def _end(self, angle: float) -> Polar:
        return angle, float(self.near.radius(angle))

    def _hollow(self) -> list[Polar]:
        """Return polar corners of a chain of tangents that approximates a concave near boundary, its two ends
        included.
        """
        corners = [self._end(self.first)]
        waiting = [(self.first, self.last)]
        while waiting:
            first, last = waiting.pop()
            joint = self._joint(first, last)
            if joint is None or last - first > HOLLOW:
                middle = (first + last) / 2.0
                if last - first > NARROWEST:
                    waiting += [(middle, last), (first, middle)]
                    continue
                joint = self._end(middle)
            corners.append(joint)
        return [*corners, self._end(self.last)]

    def _joint(self, first: float, last: float) -> Polar | None:
        """Return the polar point where the tangents at two angles meet; None if it is not between the angles, or not
        within the range.
        """
        ends = (first, last)
        normals = np.array([_point((self.near.normal(angle), 1.0)) for angle in (first, last)])
        if abs(np.linalg.det(normals)) <= CURVE_ERROR:
            return None
        x, y = np.linalg.solve(
            normals,
            [
                normal @ _point(self._end(angle))
                for normal, angle in zip(normals, ends, strict=True)
            ],
        ).tolist()
        angle = first + math.remainder(math.atan2(y, x) - first, math.tau)
        distance = math.hypot(x, y)
        return (angle, distance) if first < angle < last and distance < self.far - THIN else None

    def _curve(
        self, ends: Sequence[Polar], arcs: list[Row], centre: Point, is_joined: tuple[bool, bool]
    ) -> ArcCurve:
        """Return the convex region on the table between two polar near corners and the far circle.

        Its near boundary is `arcs`, or straight without any; it overlaps the next region where `is_joined` is true.
        """
        laps = [
            min(LAP, LEAN * (self.far - distance) / self.far) if joined else 0.0
            for (_, distance), joined in zip(ends, is_joined, strict=True)
        ]
        first, last = (_point(end) for end in ends)
        low = ends[0][0] - laps[0]
        high = ends[1][0] + laps[1]
        outer = [_point((angle, self.far)) for angle in (low, high)]
        last_normal = self.near.normal(ends[0][0]) if arcs else _normal(last, first)
        rows: list[Row] = [
            (np.zeros(2), self.far, low),
            (outer[1], 0.0, high),
            (last, 0.0, _normal(outer[1], last)),
            *arcs,
            (first, 0.0, last_normal),
            (outer[0], 0.0, _normal(first, outer[0])),
        ]
        centres, radii, starts = zip(*rows, strict=True)
        return ArcCurve(
            np.array(centres) + np.array(centre), np.array(radii), np.array(starts) % math.tau
        )


def _point(end: Polar) -> FloatArray:
    return end[1] * np.array([math.cos(end[0]), math.sin(end[0])])


def _normal(tail: FloatArray, head: FloatArray) -> float:
    """Return the direction in radians of the normal to the right of a segment."""
    return math.atan2(tail[0] - head[0], head[1] - tail[1])


@dataclass(frozen=True)
class BarricadeShadow:
    """The region behind barricades, seen from an enemy's round base, from which a round mover is in range across a
    barricade.

    All lengths are in inches: `radius` is that of the enemy's base and `mover` that of the mover's, `reach` the
    engagement range across a barricade. `clearance` is added to the range, and the barricade is taken to be wider by
    it.
    """

    centre: Point
    radius: float
    mover: float
    reach: float
    clearance: float = 0.0

    @property
    def outer(self) -> float:
        """Distance in inches from the enemy's centre within which an edge of the mover's base is in range across a
        barricade.
        """
        return self.radius + self.reach + self.clearance

    def shadows(self, barricade: Shape) -> Iterator[ArcCurve]:
        """Yield regions that together contain all centres of the mover behind a barricade and within range of the
        enemy.

        Slivers along concave near boundaries are left out: no shortest path leads into them from outside.
        """
        for piece in barricade.pieces:
            ring = piece if len(piece) > 1 else barricade.outline()
            yield from self._behind(ring - self.centre)

    def _behind(self, ring: FloatArray) -> Iterator[ArcCurve]:
        """Yield the regions behind a convex ring (n, 2) of corners, counter-clockwise, relative to the enemy's
        centre.
        """
        normals = edge_normals(ring)
        is_side = np.hypot(*(np.roll(ring, -1, axis=0) - ring).T) > 0.0
        distances = (normals * ring[is_side]).sum(axis=1) + self.clearance
        sides = np.column_stack([distances, np.arctan2(normals[:, 1], normals[:, 0])])
        parts = list[ShadowSector | None]()
        for first, last in pairwise(self._breaks(ring, sides)):
            part = self._part(first, last, sides) if last - first > LEAST_ANGLE else None
            if part is not None and parts and parts[-1] is not None and parts[-1].goes_on(part):
                parts[-1] = replace(parts[-1], last=part.last)
            elif last - first > LEAST_ANGLE:
                parts.append(part)
        is_ring = bool((sides[:, 0] >= 0.0).all())  # the enemy stands within all sides
        for number, part in enumerate(parts):
            before = parts[number - 1] if number or is_ring else None
            after = parts[(number + 1) % len(parts)] if number + 1 < len(parts) or is_ring else None
            if part is not None:
                yield from part.curves(
                    self.centre, is_joined=(before is not None, after is not None)
                )

    def _part(self, first: float, last: float, sides: FloatArray) -> ShadowSector | None:
        """Return the sector of the region between two angles in radians within which its near boundary is one curve;
        None if it is empty.

        `sides` (n, 2) holds the distance in inches and the direction of the normal of each side of the barricade.
        """
        middle = (first + last) / 2.0
        cosines = np.cos(middle - sides[:, 1])
        ahead = cosines > 0.0
        leave = float((sides[ahead, 0] / cosines[ahead]).min(initial=math.inf))
        entries = np.where(
            ahead, -math.inf, sides[:, 0] / np.where(ahead, 1.0, np.minimum(cosines, -LEAST_ANGLE))
        )
        entry = int(entries.argmax())
        if entries[entry] >= self.outer - TIP or leave < max(self.radius, float(entries[entry])):
            return None
        near = NearSide(self.radius, None, self.mover)
        if entries[entry] > self.radius:
            near = NearSide(-float(sides[entry, 0]), float(sides[entry, 1]) + math.pi, self.mover)
        return ShadowSector(first, last, near, self.outer + self.mover)

    def _breaks(self, ring: FloatArray, sides: FloatArray) -> list[float]:
        """Return the angles in radians, ascending, between which the near boundary is a single curve or absent.

        `ring` (n, 2) are the corners; `sides` (n, 2) the distance and the direction of the normal of each side.
        """
        apart = np.hypot(ring[:, 0], ring[:, 1])
        wider = np.arcsin(np.minimum(self.clearance / np.maximum(apart, LEAST_ANGLE), 1.0))
        corners = np.arctan2(ring[:, 1], ring[:, 0])
        if (sides[:, 0] >= 0.0).all():
            first = float(corners[0])
            last = float(corners[0]) + math.tau
        else:
            middle = math.atan2(*ring.mean(axis=0)[::-1])
            off = np.remainder(corners - middle + math.pi, math.tau) - math.pi
            first = middle + float((off - wider).min())
            last = middle + float((off + wider).max())
        inner = [first + (angle - first) % math.tau for angle in self._bends(sides)]
        return [first, *sorted(angle for angle in inner if angle < last), last]

    def _bends(self, sides: FloatArray) -> Iterator[float]:
        """Yield the angles in radians at which the near boundary may change from one curve to another."""
        following = np.roll(sides, -1, axis=0)
        for (distance, normal), (other, its) in zip(
            sides.tolist(), following.tolist(), strict=True
        ):
            x = distance * math.sin(its) - other * math.sin(normal)
            y = other * math.cos(normal) - distance * math.cos(its)
            yield math.atan2(y, x)  # where two sides meet
            foot = normal if distance > 0.0 else normal + math.pi
            off = [
                math.acos(abs(distance) / limit)
                for limit in (self.radius, self.outer - TIP)
                if abs(distance) < limit
            ]
            off += [NearSide(-distance, foot, self.mover).bend] if distance < 0.0 else []
            yield from (foot + sign * one for one in off for sign in (-1.0, 1.0))
