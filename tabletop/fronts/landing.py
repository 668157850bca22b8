"""Exact and relaxed slices of a forward, wheel, forward move: for one pivot and wheel, all legal first parts and where they land.

For one corner and one angle a move is settled by its first part d: the front passes a rectangle, a sector and a strip, until it
meets the target. It meets the facing with the middle of the front at one of the facing's ends, or with a corner of the front (or
flush) between them; each of these three cases is linear in d, and what is in the way forbids intervals of d.
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
"""Rounding of first parts, in inches. The tolerance belongs to gaps: here it could shift a shallow landing a thousand times as far."""

PASSING_SINE = 1e-6
"""Sine of the angle between heading and facing below which the front passes the facing instead of landing on it."""

MISSED_PART = CONTACT / 1000
"""Inches by which a wanted part of the facing may be missed: rounding inside, the tolerance of contact at the facing's ends."""

MOST_COORDINATES = 200_000
"""Size limit of an array of rows times coordinates of obstacles; a table of twenty bodies stays far below."""


class WheelCells(NamedTuple):
    """Ranges of wheels: poses of the target, pivots (0 right, 1 left), smallest and largest angle in radians, (m,) each.

    An exact slice is a cell whose angles are equal. A wider cell is relaxed: it holds every landing of all its wheels, and a little more.
    """

    pose: IntArray
    side: IntArray
    low: FloatArray
    high: FloatArray

    @classmethod
    def exact(cls, side: IntArray, angle: FloatArray) -> "WheelCells":
        """Return exact slices at the first pose."""
        return cls(np.zeros(len(angle), dtype=int), side, angle, angle)

    @property
    def angle(self) -> FloatArray:
        """Central wheels, (m,)."""
        angle: FloatArray = (self.low + self.high) / 2
        return angle

    def middles(self) -> "WheelCells":
        """Return the exact slices at the central wheels."""
        return self._replace(low=self.angle, high=self.angle)

    def take(self, which: IntArray | BoolArray | slice) -> "WheelCells":
        """Return a selection of the cells."""
        return WheelCells(*take(self, which))

    def split(self, which: list[int], parts: int) -> "WheelCells":
        """Return some cells split into equal parts."""
        steps = np.arange(parts + 1) / parts
        edges = self.low[which, None] + (self.high - self.low)[which, None] * steps
        pose, side = (np.repeat(column[which], parts) for column in (self.pose, self.side))
        return WheelCells(pose, side, edges[:, :-1].ravel(), edges[:, 1:].ravel())


class Landings(NamedTuple):
    """Families of legal moves, (q,) each: the cell by number, and the first part from `least` to `most` inches.

    With first part d the front meets the facing on [start + rate d, start + rate d + extent], give or take `blur`, and the
    second part is travel + travel_rate d inches long.
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
        """Return the smallest and largest u met on a facing of `length` inches."""
        ends = self.start + self.rate * self.least, self.start + self.rate * self.most
        low, high = np.minimum(*ends) - self.blur, np.maximum(*ends) + self.extent + self.blur
        return np.minimum(np.maximum(low, 0.0), length), np.maximum(np.minimum(high, length), 0.0)


class _ContactCases(NamedTuple):
    """Ways to meet the facing, (m,) each: the cell, the first parts [low, high], the end of the strip, the part of u met.

    `drop` is by how much the end of the strip is relaxed.
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


def landings(approach: Approach, cells: WheelCells, span: Interval | Bounds | None = None) -> Landings:
    """Return the legal landings of every cell that meet `span` of the facing (u, inches; default: all of it), one span or one per cell."""
    low, high = (np.broadcast_to(end, len(cells.side)) for end in span or (0.0, approach.facing.length))
    found = [Landings(*(np.empty(0, dtype=kind) for kind in (int, *(float,) * 8)))]
    count = max(1, MOST_COORDINATES // ((1 + len(approach.hazards)) * approach.frames.vertices[0].size))
    for start in range(0, len(cells.side), count):
        check_deadline()
        some = slice(start, start + count)
        few = _Slices(approach, cells.take(some), (low[some], high[some])).landings()
        found.append(few._replace(row=few.row + start))
    return Landings(*concatenate(found))


@dataclass(frozen=True, eq=False)
class _Slices:
    """A few cells, the part of the facing wanted of each, and values they share."""

    approach: Approach
    cells: WheelCells
    wanted: Bounds

    @cached_property
    def angle(self) -> FloatArray:
        """Central wheels of the cells, (n,)."""
        return self.cells.angle

    @cached_property
    def along(self) -> FloatArray:
        """Unit vectors along the wheeled front, away from the pivot, (n, 2)."""
        return np.stack([-np.cos(self.angle), np.sin(self.angle)], axis=1)

    @cached_property
    def ahead(self) -> FloatArray:
        """Unit vectors ahead of the wheeled front, (n, 2)."""
        return np.stack([np.sin(self.angle), np.cos(self.angle)], axis=1)

    @cached_property
    def half_width(self) -> FloatArray:
        """Half the range of each cell in radians, (n,)."""
        half_width: FloatArray = (self.cells.high - self.cells.low) / 2
        return half_width

    @cached_property
    def away(self) -> FloatArray:
        """Relaxation (n,) in inches: how far any point of a move in the cell may be from its place in the central slice."""
        away: FloatArray = self.half_width * self.approach.frames.reach[self.cells.side, self.cells.pose]
        return away

    @cached_property
    def least_angle(self) -> FloatArray:
        """Smallest wheel of each cell; its sector is part of all others."""
        return np.maximum(self.angle - self.half_width, 0.0)

    @cached_property
    def rows(self) -> IntArray:
        """The target (0) and the hazards (from 1) as rows of the frames' table, (n, 1 + h)."""
        return self.approach.frames.rows(self.cells.side, self.cells.pose)

    def landings(self) -> Landings:
        """Return the legal landings."""
        cases = self._allowed(_ContactCases(*concatenate([self._at_end(0), self._at_end(1), self._between()])))
        blocked: defaultdict[int, list[Interval]] = defaultdict(list)
        for which, low, high in (*self._wheel_blocks(cases), *self._strip_blocks(cases)):
            blocked[which].append((low, high))
        found, parts = list[int](), list[Interval]()
        for which, whole in enumerate(zip(cases.low.tolist(), np.maximum(cases.low, cases.high).tolist(), strict=True)):
            left = (
                without([whole], union(blocked[which], slack=-FIRST_PART_ROUNDING), slack=FIRST_PART_ROUNDING)
                if which in blocked
                else (whole,)
            )
            found += [which] * len(left)
            parts += left
        least, most = np.array(parts).reshape(-1, 2).T
        of = _ContactCases(*take(cases, np.array(found, dtype=int)))
        travel_rate = of.end_rate - np.cos(self.angle[of.row])
        return Landings(of.row, least, most, of.start, of.rate, of.extent, of.blur, of.end, travel_rate)

    @cached_property
    def _ends(self) -> tuple[FloatArray, FloatArray, np.ndarray, np.ndarray]:
        """Return the facing's ends as s and r, (n, 2) each; whether each end is the target's nearest point; whether the facing is flush."""
        frames, cells = self.approach.frames, self.cells
        ends = frames.ends[cells.side, cells.pose]
        s, r = (np.einsum("nij,nj->ni", ends, axis) for axis in (self.along, self.ahead))
        nearest = np.einsum("nij,nj->ni", frames.vertices[self.rows[:, 0]], self.ahead).min(axis=1)
        is_nearest = r <= nearest[:, None] + CONTACT
        return s, r, is_nearest, is_nearest.all(axis=1)

    def _at_end(self, end: int) -> _ContactCases:
        """Return the landings at u = 0 or u = length, where no other point of the target comes first."""
        s, r, is_nearest, is_flush = self._ends
        shift, zero, slack = np.sin(self.angle), np.zeros(len(s)), self.away + CONTACT
        low, high = intersect_bounds(linear_bound(-shift, self.approach.width + slack - s[:, end]), linear_bound(shift, s[:, end] + slack))
        u = zero + end * self.approach.facing.length
        cases = _ContactCases(np.arange(len(s)), low, high, r[:, end] - self.away, zero, self.away, u, zero, zero, zero)
        return _ContactCases(*take(cases, is_nearest[:, end] & ~is_flush))

    def _between(self) -> _ContactCases:
        """Return the landings inside the facing: with the pivot, with the far corner, or flush."""
        s, r, is_nearest, is_flush = self._ends
        width, length, shift = self.approach.width, self.approach.facing.length, np.sin(self.angle)
        index, near = np.arange(len(s)), np.where(is_nearest[:, 0], 0, 1)
        s_near, s_far, r_near, r_far = s[index, near], s[index, 1 - near], r[index, near], r[index, 1 - near]
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
        u = near * length + (corner - s_near) * u_slope - np.where(is_flush & (u_slope < 0.0), width, 0.0)
        end = r_near + (corner - s_near) * slope - self.away * steep
        extent = np.where(is_flush, width, 0.0)
        cases = _ContactCases(
            index, low, high, end, slope * shift, self.away * steep, u, u_slope * shift, extent, self.away * (1.0 + steep)
        )
        faces_us = -np.einsum("nj,nj->n", self.approach.frames.normal[self.cells.side], self.ahead) > PASSING_SINE
        return _ContactCases(*take(cases, faces_us))

    def _allowed(self, cases: _ContactCases) -> _ContactCases:
        """Return cases with first parts allowed by the straight path, the board, the wanted span, and a second part of length >= 0."""
        row, angle = cases.row, self.angle[cases.row]
        low = np.maximum(cases.low, 0.0)
        high = np.minimum(
            cases.high, np.where(angle <= FLAT, 0.0, self.approach.straight_limits[self.cells.side[row], self.cells.pose[row]])
        )
        bounds = intersect_bounds((low, high), linear_bound(np.cos(angle) - cases.end_rate, cases.end + 2.0 * cases.drop + MISSED_PART))
        least, most = (wanted[row] for wanted in self.wanted)
        before, behind = (np.where(is_end, CONTACT, MISSED_PART) for is_end in (least <= 0.0, most >= self.approach.facing.length))
        bounds = intersect_bounds(bounds, linear_bound(cases.rate, most + behind + cases.blur - cases.start))
        bounds = intersect_bounds(bounds, linear_bound(-cases.rate, cases.start + cases.extent + cases.blur + before - least))
        bounds = intersect_bounds(bounds, self._on_board(cases))
        changed = cases._replace(low=bounds[0], high=bounds[1])
        return _ContactCases(*take(changed, bounds[0] <= bounds[1] + FIRST_PART_ROUNDING))

    def _on_board(self, cases: _ContactCases) -> Bounds:
        """Return the first parts for which wheel and final front stay inside every edge of the board."""
        frames, width, row = self.approach.frames, self.approach.width, cases.row
        side, shift = self.cells.side[row], np.sin(self.angle[row])[:, None]
        normals, room = frames.board_normals[side], frames.board_limits[side] + CONTACT
        n_s, n_r = (np.einsum("nej,nj->ne", normals, axis[row]) for axis in (self.along, self.ahead))
        in_wheel = linear_bound(normals[..., 1], room - sector_support(normals, self.least_angle[row, None], width))
        at_end = room + (self.away[row] + cases.drop)[:, None] - np.maximum(n_s * width, 0.0) - n_r * cases.end[:, None]
        low, high = intersect_bounds(in_wheel, linear_bound(n_s * shift + n_r * cases.end_rate[:, None], at_end))
        return low.max(axis=1), high.min(axis=1)

    def _wheel_blocks(self, cases: _ContactCases) -> list[tuple[int, float, float]]:
        """Return the first parts forbidden by the wheel, target included: (index of the case, low, high)."""
        which, body = self._near_wheel(cases)
        row = cases.row[which]
        low, high = wheel_blocks(self.approach.frames.bodies(body), self.least_angle[row], width=self.approach.width)
        found = np.flatnonzero((low < high) & (high >= cases.low[which]) & (low <= cases.high[which]))
        return list(zip(which[found].tolist(), low[found].tolist(), high[found].tolist(), strict=True))

    def _near_wheel(self, cases: _ContactCases) -> tuple[IntArray, IntArray]:
        """Return indices of cases and rows of bodies whose bounding disc comes near the area that the wheel may sweep."""
        frames, rows = self.approach.frames, self.rows[cases.row, : 1 if self.approach.ignores_way else None]
        (centres, radii), width = frames.discs, self.approach.width
        x, y = np.moveaxis(centres[rows], 2, 0)
        reach = radii[rows] + frames.needed[rows] + CONTACT
        is_beside = (x - reach > 0.0) | (x + reach < -width)
        is_beyond = (y - reach > cases.high[:, None] + width) | (y + reach < cases.low[:, None])
        case, body = np.nonzero(~is_beside & ~is_beyond)
        return case, rows[case, body]

    def _strip_blocks(self, cases: _ContactCases) -> list[tuple[int, float, float]]:
        """Return the first parts forbidden by the second part of the move, or by its end only."""
        strip, gap = self._strip(cases)
        which, hazard = self._near_strip(cases, strip, gap)
        bodies = self.approach.frames.bodies(hazard, gap[which])
        index, low, high = uncovered_intervals(clear_intervals(bodies, strip.take(which)), cases.low[which], cases.high[which])
        return list(zip(which[index].tolist(), low.tolist(), high.tolist(), strict=True))

    def _strip(self, cases: _ContactCases) -> tuple[Strip, FloatArray]:
        """Return what the fronts sweep in the second part (n,), and how much more than its own gap a hazard then needs."""
        angle, away, width = self.angle[cases.row], self.away[cases.row], self.approach.width
        end, end_rate, drop = cases.end, cases.end_rate, cases.drop
        if self.approach.ignores_way:
            return Strip(angle, width, end + drop, end_rate, end + drop, end_rate, is_end_only=True), -away - drop
        return Strip(angle, width, away, np.cos(angle), end, end_rate), -away

    def _near_strip(self, cases: _ContactCases, strip: Strip, gap: FloatArray) -> tuple[IntArray, IntArray]:
        """Return indices of cases and rows of hazards that no line along or square to the front separates from the strip for all d."""
        frames, rows = self.approach.frames, self.rows[cases.row, 1:]
        centres, radii = frames.discs
        s, r = strip.axes(centres[rows])
        reach = radii[rows] + frames.needed[rows] + gap[:, None] + CONTACT
        first, last = np.sin(strip.angle) * cases.low, np.sin(strip.angle) * cases.high + strip.width
        is_beside = (s - reach > last[:, None]) | (s + reach < first[:, None])
        begins = strip.start + np.minimum(strip.start_rate * cases.low, strip.start_rate * cases.high)
        ends = strip.end + np.maximum(strip.end_rate * cases.low, strip.end_rate * cases.high)
        behind = np.maximum(reach, radii[rows] + CONTACT)
        case, hazard = np.nonzero(~is_beside & (r - reach <= ends[:, None]) & (r + behind >= begins[:, None]))
        return case, rows[case, hazard]
