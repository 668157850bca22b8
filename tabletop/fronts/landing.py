"""Exact and relaxed slices of a forward, wheel, forward move: for one pivot and wheel, all legal first parts and where
they land.

For one corner and one angle a move is determined by the length d of its first part, in inches: the front sweeps a
rectangle, a sector and a strip, until it meets the target. It meets the facing with the middle of the front at one of
the facing's ends, or with a corner of the front (or flush) between them; each of these three cases is linear in d, and
each obstacle forbids intervals of d.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tabletop.budget import check_deadline
from tabletop.fronts.approach import Approach
from tabletop.fronts.sweep import (
    FLAT,
    Bounds,
    Strip,
    clear_intervals,
    intersect_bounds,
    linear_bound,
    sector_support,
    uncovered_intervals,
    wheel_blocks,
)
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray, concatenate, take
from tabletop.optimise.interval import Interval, union, without
from tabletop.units import CONTACT

FIRST_PART_ROUNDING = 1e-12
"""Rounding of first parts, in inches. The tolerance belongs to gaps: here it could shift a shallow landing a thousand
times as far."""

PASSING_SINE = 1e-6
"""Sine of the angle between heading and facing below which the front passes the facing instead of landing on it."""

MISSED_PART = CONTACT / 1000
"""Inches by which a wanted part of the facing may be missed: rounding inside, the tolerance of contact at the facing's
ends."""

MOST_COORDINATES = 200_000
"""Size limit of an array of rows times coordinates of obstacles; a table of twenty bodies stays far below."""


class WheelCells(NamedTuple):
    """Cells of a search: ranges of wheel angles, one per row, each for one pivot and one pose of the target.

    A cell whose angles are equal is an exact slice. A wider cell is relaxed: its landings include those of all its
    angles, and a few more.

    Attributes
    ----------
    pose
        Index of the target's pose, (m,).
    side
        Pivot, 0 for the right front corner and 1 for the left, (m,).
    low, high
        Smallest and largest wheel in radians, (m,).
    """

    pose: IntArray
    side: IntArray
    low: FloatArray
    high: FloatArray

    @classmethod
    def exact(cls, side: IntArray, angle: FloatArray) -> "WheelCells":
        """Return cells of a single angle each, for pivots (m,) and wheels (m,) in radians, at the first pose of the
        target.
        """
        return cls(np.zeros(len(angle), dtype=int), side, angle, angle)

    @property
    def angle(self) -> FloatArray:
        """Wheel in the middle of each cell, in radians, (m,)."""
        angle: FloatArray = (self.low + self.high) / 2
        return angle

    def middles(self) -> "WheelCells":
        """Return the exact slices at the middle angles of the cells, in the same order."""
        return self._replace(low=self.angle, high=self.angle)

    def take(self, which: IntArray | BoolArray | slice) -> "WheelCells":
        """Return some of the cells, selected by indices, a mask or a slice."""
        return WheelCells(*take(self, which))

    def split(self, which: list[int], parts: int) -> "WheelCells":
        """Return the cells with indices `which`, each divided into `parts` cells of equal range."""
        steps = np.arange(parts + 1) / parts
        edges = self.low[which, None] + (self.high - self.low)[which, None] * steps
        pose, side = (np.repeat(column[which], parts) for column in (self.pose, self.side))
        return WheelCells(pose, side, edges[:, :-1].ravel(), edges[:, 1:].ravel())


class Landings(NamedTuple):
    """Families of legal moves that end on the facing, one per row (q,), each with a range of lengths d of the first
    part.

    With first part d, in inches, the front meets the facing on u in [start + rate d, start + rate d + extent], give or
    take `blur`, and the second part is travel + travel_rate d inches long.

    Attributes
    ----------
    row
        Index of the cell of wheels.
    least, most
        Smallest and largest d in inches.
    start, rate, extent, blur
        Coefficients of the part of the facing met, in inches; the blur is 0 for exact slices.
    travel, travel_rate
        Coefficients of the length of the second part, in inches.
    """

    row: IntArray
    least: FloatArray
    most: FloatArray
    start: FloatArray
    rate: FloatArray
    extent: FloatArray
    blur: FloatArray
    travel: FloatArray
    travel_rate: FloatArray

    def spans(self, length: float) -> Bounds:
        """Return the smallest and largest u (q,), in inches, that each family meets on a facing of `length` inches."""
        ends = self.start + self.rate * self.least, self.start + self.rate * self.most
        low = np.minimum(*ends) - self.blur
        high = np.maximum(*ends) + self.extent + self.blur
        return np.minimum(np.maximum(low, 0.0), length), np.maximum(np.minimum(high, length), 0.0)


class _ContactCases(NamedTuple):
    """Ways to meet the facing before obstacles are considered, one per row (m,).

    Attributes
    ----------
    row
        Index of the cell of wheels.
    low, high
        Range of the length d of the first part, in inches.
    end, end_rate
        The second part ends where the front is end + end_rate d inches ahead of the pivot's origin (coordinate r).
    drop
        Inches by which that end is relaxed.
    start, rate, extent, blur
        Coefficients of the part of the facing met, as in `Landings`.
    """

    row: IntArray
    low: FloatArray
    high: FloatArray
    end: FloatArray
    end_rate: FloatArray
    drop: FloatArray
    start: FloatArray
    rate: FloatArray
    extent: FloatArray
    blur: FloatArray


def landings(
    approach: Approach, cells: WheelCells, span: Interval | Bounds | None = None
) -> Landings:
    """Return all legal landings of some cells of wheels on part of the facing.

    Parameters
    ----------
    approach
        The charge move.
    cells
        Cells (m,); those of a single angle give exact landings, wider ones a relaxation.
    span
        Interval of u, in inches, that landings must meet: one, or low and high (m,) for each cell; by default the whole
        facing.
    """
    low, high = (
        np.broadcast_to(end, len(cells.side)) for end in span or (0.0, approach.facing.length)
    )
    found = [Landings(*(np.empty(0, dtype=kind) for kind in (int, *(float,) * 8)))]
    count = max(
        1, MOST_COORDINATES // ((1 + len(approach.hazards)) * approach.frames.vertices[0].size)
    )
    for start in range(0, len(cells.side), count):
        check_deadline()
        some = slice(start, start + count)
        few = _Slices(approach, cells.take(some), (low[some], high[some])).landings()
        found.append(few._replace(row=few.row + start))
    return Landings(*concatenate(found))


@dataclass(frozen=True, eq=False)
class _Slices:
    """A batch of cells of wheels, the interval of the facing wanted for each, and values computed once for the
    batch.
    """

    approach: Approach
    cells: WheelCells
    wanted: Bounds

    @cached_property
    def angle(self) -> FloatArray:
        """Wheel in the middle of each cell, in radians, (n,)."""
        return self.cells.angle

    @cached_property
    def along(self) -> FloatArray:
        """Unit vectors (n, 2) along the wheeled front, away from the pivot, in the pivot's frame."""
        return np.stack([-np.cos(self.angle), np.sin(self.angle)], axis=1)

    @cached_property
    def ahead(self) -> FloatArray:
        """Unit vectors (n, 2) ahead of the wheeled front, in the pivot's frame."""
        return np.stack([np.sin(self.angle), np.cos(self.angle)], axis=1)

    @cached_property
    def half_width(self) -> FloatArray:
        """Half the range of each cell in radians, (n,)."""
        half_width: FloatArray = (self.cells.high - self.cells.low) / 2
        return half_width

    @cached_property
    def away(self) -> FloatArray:
        """Relaxation (n,) in inches: how far any point of a move in the cell may be from its place in the central
        slice.
        """
        away: FloatArray = (
            self.half_width * self.approach.frames.reach[self.cells.side, self.cells.pose]
        )
        return away

    @cached_property
    def least_angle(self) -> FloatArray:
        """Smallest wheel of each cell (n,), in radians: the sector swept by it is part of those swept by all others."""
        return np.maximum(self.angle - self.half_width, 0.0)

    @cached_property
    def rows(self) -> IntArray:
        """Indices (n, 1 + h) of the target (column 0) and the hazards in the table of bodies of `PivotFrames`, per
        cell.
        """
        return self.approach.frames.rows(self.cells.side, self.cells.pose)

    def landings(self) -> Landings:
        """Return the legal landings of the cells: contact cases minus the first parts that obstacles forbid."""
        cases = self._allowed(
            _ContactCases(*concatenate([self._at_end(0), self._at_end(1), self._between()]))
        )
        blocked: defaultdict[int, list[Interval]] = defaultdict(list)
        for which, low, high in (*self._wheel_blocks(cases), *self._strip_blocks(cases)):
            blocked[which].append((low, high))
        found = list[int]()
        parts = list[Interval]()
        for which, whole in enumerate(
            zip(cases.low.tolist(), np.maximum(cases.low, cases.high).tolist(), strict=True)
        ):
            left = (
                without(
                    [whole],
                    union(blocked[which], slack=-FIRST_PART_ROUNDING),
                    slack=FIRST_PART_ROUNDING,
                )
                if which in blocked
                else (whole,)
            )
            found += [which] * len(left)
            parts += left
        least, most = np.array(parts).reshape(-1, 2).T
        of = _ContactCases(*take(cases, np.array(found, dtype=int)))
        travel_rate = of.end_rate - np.cos(self.angle[of.row])
        return Landings(
            of.row, least, most, of.start, of.rate, of.extent, of.blur, of.end, travel_rate
        )

    @cached_property
    def _ends(self) -> tuple[FloatArray, FloatArray, np.ndarray, np.ndarray]:
        """Coordinates s and r (n, 2) of the facing's ends, masks of the ends nearest to the front (n, 2), and of flush
        facings (n,).

        An end is nearest if no point of the target lies less far ahead; the facing is flush (parallel to the front) if
        both ends are.
        """
        frames = self.approach.frames
        cells = self.cells
        ends = frames.ends[cells.side, cells.pose]
        s, r = (np.einsum("nij,nj->ni", ends, axis) for axis in (self.along, self.ahead))
        nearest = np.einsum("nij,nj->ni", frames.vertices[self.rows[:, 0]], self.ahead).min(axis=1)
        is_nearest = r <= nearest[:, None] + CONTACT
        return s, r, is_nearest, is_nearest.all(axis=1)

    def _at_end(self, end: int) -> _ContactCases:
        """Return the contact cases at one end of the facing, u = 0 (`end` 0) or u = length (1).

        Only cells where no other point of the target comes first have one: the end is nearest to the front, and the
        facing is not flush.
        """
        s, r, is_nearest, is_flush = self._ends
        shift = np.sin(self.angle)
        zero = np.zeros(len(s))
        slack = self.away + CONTACT
        low, high = intersect_bounds(
            linear_bound(-shift, self.approach.width + slack - s[:, end]),
            linear_bound(shift, s[:, end] + slack),
        )
        u = zero + end * self.approach.facing.length
        cases = _ContactCases(
            np.arange(len(s)),
            low,
            high,
            r[:, end] - self.away,
            zero,
            self.away,
            u,
            zero,
            zero,
            zero,
        )
        return _ContactCases(*take(cases, is_nearest[:, end] & ~is_flush))

    def _between(self) -> _ContactCases:
        """Return the contact cases inside the facing: with the pivot, with the far corner of the front, or with a flush
        front.
        """
        s, r, is_nearest, is_flush = self._ends
        width = self.approach.width
        length = self.approach.facing.length
        shift = np.sin(self.angle)
        index = np.arange(len(s))
        near = np.where(is_nearest[:, 0], 0, 1)
        s_near = s[index, near]
        s_far = s[index, 1 - near]
        r_near = r[index, near]
        r_far = r[index, 1 - near]
        run = s_far - s_near
        run = np.where(np.abs(run) > FLAT, run, FLAT)
        slope = np.where(is_flush, 0.0, (r_far - r_near) / run)
        u_slope = np.where(near == 0, length, -length) / run
        corner = np.where((run > 0.0) | is_flush, 0.0, width)
        slack = self.away + CONTACT * np.abs(run) / length
        least = np.minimum(s_near, s_far) - np.where(is_flush, width, corner) - slack
        most = np.maximum(s_near, s_far) - corner + slack
        low, high = intersect_bounds(linear_bound(-shift, -least), linear_bound(shift, most))
        steep = 1.0 + np.abs(slope)
        u = (
            near * length
            + (corner - s_near) * u_slope
            - np.where(is_flush & (u_slope < 0.0), width, 0.0)
        )
        end = r_near + (corner - s_near) * slope - self.away * steep
        extent = np.where(is_flush, width, 0.0)
        cases = _ContactCases(
            index,
            low,
            high,
            end,
            slope * shift,
            self.away * steep,
            u,
            u_slope * shift,
            extent,
            self.away * (1.0 + steep),
        )
        faces_us = (
            -np.einsum("nj,nj->n", self.approach.frames.normal[self.cells.side], self.ahead)
            > PASSING_SINE
        )
        return _ContactCases(*take(cases, faces_us))

    def _allowed(self, cases: _ContactCases) -> _ContactCases:
        """Return the cases with their first parts d limited, empty ones dropped.

        Limits are the free straight path, the board, contact with the wanted part of the facing, and a second part of
        at least 0 inches.
        """
        row = cases.row
        angle = self.angle[cases.row]
        low = np.maximum(cases.low, 0.0)
        high = np.minimum(
            cases.high,
            np.where(
                angle <= FLAT,
                0.0,
                self.approach.straight_limits[self.cells.side[row], self.cells.pose[row]],
            ),
        )
        bounds = intersect_bounds(
            (low, high),
            linear_bound(
                np.cos(angle) - cases.end_rate, cases.end + 2.0 * cases.drop + MISSED_PART
            ),
        )
        least, most = (wanted[row] for wanted in self.wanted)
        before, behind = (
            np.where(is_end, CONTACT, MISSED_PART)
            for is_end in (least <= 0.0, most >= self.approach.facing.length)
        )
        bounds = intersect_bounds(
            bounds, linear_bound(cases.rate, most + behind + cases.blur - cases.start)
        )
        bounds = intersect_bounds(
            bounds,
            linear_bound(-cases.rate, cases.start + cases.extent + cases.blur + before - least),
        )
        bounds = intersect_bounds(bounds, self._on_board(cases))
        changed = cases._replace(low=bounds[0], high=bounds[1])
        return _ContactCases(*take(changed, bounds[0] <= bounds[1] + FIRST_PART_ROUNDING))

    def _on_board(self, cases: _ContactCases) -> Bounds:
        """Return low and high (m,) of the first parts d, in inches, for which wheel and final front stay within the
        board.
        """
        frames = self.approach.frames
        width = self.approach.width
        row = cases.row
        side = self.cells.side[row]
        shift = np.sin(self.angle[row])[:, None]
        normals = frames.board_normals[side]
        room = frames.board_limits[side] + CONTACT
        n_s, n_r = (
            np.einsum("nej,nj->ne", normals, axis[row]) for axis in (self.along, self.ahead)
        )
        in_wheel = linear_bound(
            normals[..., 1], room - sector_support(normals, self.least_angle[row, None], width)
        )
        at_end = (
            room
            + (self.away[row] + cases.drop)[:, None]
            - np.maximum(n_s * width, 0.0)
            - n_r * cases.end[:, None]
        )
        low, high = intersect_bounds(
            in_wheel, linear_bound(n_s * shift + n_r * cases.end_rate[:, None], at_end)
        )
        return low.max(axis=1), high.min(axis=1)

    def _wheel_blocks(self, cases: _ContactCases) -> list[tuple[int, float, float]]:
        """Return the intervals of d, in inches, in which the wheel hits the target or a hazard: (index of the case,
        low, high) each.
        """
        which, body = self._near_wheel(cases)
        row = cases.row[which]
        low, high = wheel_blocks(
            self.approach.frames.bodies(body), self.least_angle[row], width=self.approach.width
        )
        found = np.flatnonzero(
            (low < high) & (high >= cases.low[which]) & (low <= cases.high[which])
        )
        return list(
            zip(which[found].tolist(), low[found].tolist(), high[found].tolist(), strict=True)
        )

    def _near_wheel(self, cases: _ContactCases) -> tuple[IntArray, IntArray]:
        """Return pairs of cases and bodies for which the body's bounding disc comes near the area that the wheel may
        sweep.

        Two arrays of one length: indices of the cases, and rows of the bodies in the table of `PivotFrames`.
        """
        frames = self.approach.frames
        rows = self.rows[cases.row, : 1 if self.approach.ignores_way else None]
        centres, radii = frames.discs
        width = self.approach.width
        x, y = np.moveaxis(centres[rows], 2, 0)
        reach = radii[rows] + frames.needed[rows] + CONTACT
        is_beside = (x - reach > 0.0) | (x + reach < -width)
        is_beyond = (y - reach > cases.high[:, None] + width) | (y + reach < cases.low[:, None])
        case, body = np.nonzero(~is_beside & ~is_beyond)
        return case, rows[case, body]

    def _strip_blocks(self, cases: _ContactCases) -> list[tuple[int, float, float]]:
        """Return the intervals of d, in inches, in which the second part hits a hazard: (index of the case, low, high)
        each.

        If the way is ignored, only the end of the second part counts.
        """
        strip, gap = self._strip(cases)
        which, hazard = self._near_strip(cases, strip, gap)
        bodies = self.approach.frames.bodies(hazard, gap[which])
        index, low, high = uncovered_intervals(
            clear_intervals(bodies, strip.take(which)), cases.low[which], cases.high[which]
        )
        return list(zip(which[index].tolist(), low.tolist(), high.tolist(), strict=True))

    def _strip(self, cases: _ContactCases) -> tuple[Strip, FloatArray]:
        """Return the strips swept in the second part (m,), and the inches (m,) to add to the gap that a hazard needs
        from them.

        The addition is negative for relaxed cells, 0 for exact ones.
        """
        angle = self.angle[cases.row]
        away = self.away[cases.row]
        width = self.approach.width
        end = cases.end
        end_rate = cases.end_rate
        drop = cases.drop
        if self.approach.ignores_way:
            return Strip(
                angle, width, end + drop, end_rate, end + drop, end_rate, is_end_only=True
            ), -away - drop
        return Strip(angle, width, away, np.cos(angle), end, end_rate), -away

    def _near_strip(
        self, cases: _ContactCases, strip: Strip, gap: FloatArray
    ) -> tuple[IntArray, IntArray]:
        """Return pairs of cases and hazards that no line along or square to the front separates from the strip for
        every d.

        Two arrays of one length: indices of the cases, and rows of the hazards in the table of `PivotFrames`.
        """
        frames = self.approach.frames
        rows = self.rows[cases.row, 1:]
        centres, radii = frames.discs
        s, r = strip.axes(centres[rows])
        reach = radii[rows] + frames.needed[rows] + gap[:, None] + CONTACT
        first = np.sin(strip.angle) * cases.low
        last = np.sin(strip.angle) * cases.high + strip.width
        is_beside = (s - reach > last[:, None]) | (s + reach < first[:, None])
        begins = strip.start + np.minimum(
            strip.start_rate * cases.low, strip.start_rate * cases.high
        )
        ends = strip.end + np.maximum(strip.end_rate * cases.low, strip.end_rate * cases.high)
        behind = np.maximum(reach, radii[rows] + CONTACT)
        case, hazard = np.nonzero(
            ~is_beside & (r - reach <= ends[:, None]) & (r + behind >= begins[:, None])
        )
        return case, rows[case, hazard]
