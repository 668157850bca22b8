"""Exact slices of a forward, wheel, forward move: for one pivot and angle, every first part that is legal and where it lands.

For one corner and one angle a move is settled by its first part d: the front passes a rectangle, a sector and a strip, until it
meets the target. It meets the facing with the middle of the front at one of the facing's ends, or with a corner of the front (or
flush) between them; each of these three regimes is linear in d, and what is in the way forbids intervals of d.
"""

from collections import defaultdict
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from tabletop.budget import keep_time
from tabletop.fronts.approach import Approach
from tabletop.fronts.sweep import FLAT, Bounds, Strip, half_line, holes, meet, sector_support, strip_frees, wheel_blocks
from tabletop.geometry.arrays import FloatArray, IntArray
from tabletop.optimise.interval import Interval, union, without
from tabletop.units import CONTACT

FIRST_PART_ROUNDING = 1e-12
"""Inches of first part: rounding. Tolerance belongs to gaps; here it could shift a shallow landing by a thousand times as much."""

PASSING_SINE = 1e-6
"""Sine of the angle between heading and facing below which the front passes the facing by instead of landing on it."""

MISSED_PART = CONTACT / 1000
"""Inches by which a part that is wanted of the facing may be missed: rounding. At an end of the facing it is the tolerance of contact."""

MOST_COORDINATES = 200_000
"""Numbers in an array of rows times coordinates of obstacles; a table of twenty bodies never comes near."""


@dataclass(frozen=True, eq=False)
class Slices:
    """The slices asked for: the pivot (0 right, 1 left), the wheel in radians, and how far to relax it, arrays (n,).

    A slice relaxed by `slack` radians holds every landing of every wheel within `slack` of `angle`, and a little more.
    """

    side: IntArray
    angle: FloatArray
    slack: FloatArray


@dataclass(frozen=True)
class Landing:
    """A family of legal moves of one row: the first part is from `least` to `most` inches.

    With first part d the front meets the facing on [start + rate d, start + rate d + extent], give or take `blur`, and the
    second part is travel + travel_rate d inches long.
    """

    row: int
    least: float
    most: float
    start: float
    rate: float
    extent: float
    blur: float
    travel: float
    travel_rate: float

    def span(self, length: float) -> Interval:
        """Give the least and the greatest u met on a facing of `length` inches."""
        ends = self.start + self.rate * self.least, self.start + self.rate * self.most
        low, high = min(ends) - self.blur, max(ends) + self.extent + self.blur
        return min(max(low, 0.0), length), max(min(high, length), 0.0)


@dataclass(frozen=True, eq=False)
class _Regimes:
    """Ways to meet the facing, (m,) each: its row, the first parts [low, high], the end of the strip, the part of u met.

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

    def take(self, which: IntArray) -> "_Regimes":
        return _Regimes(*(getattr(self, name)[which] for name in PARTS))

    @staticmethod
    def join(parts: list["_Regimes"]) -> "_Regimes":
        return _Regimes(*(np.concatenate([getattr(part, name) for part in parts]) for name in PARTS))


PARTS = tuple(field.name for field in fields(_Regimes))


def landings(approach: Approach, rows: Slices, span: Interval | Bounds | None = None) -> list[Landing]:
    """List the legal landings of every row that meet `span` of the facing (u, inches; default: any of it), one for all or one each."""
    low, high = (np.broadcast_to(end, len(rows.side)) for end in span or (0.0, approach.facing.length))
    found: list[Landing] = []
    count = max(1, MOST_COORDINATES // approach.halves.vertices[0].size)
    for start in range(0, len(rows.side), count):
        keep_time()
        some = slice(start, start + count)
        few = Slices(rows.side[some], rows.angle[some], rows.slack[some])
        found += _Slices(approach, few, (low[some], high[some])).landings(start)
    return found


@dataclass(frozen=True, eq=False)
class _Slices:
    """One call's work: the approach, a few rows, the part of the facing wanted, and what they share."""

    approach: Approach
    rows: Slices
    wanted: Bounds

    @cached_property
    def along(self) -> FloatArray:
        """Unit vectors along the wheeled front, away from the pivot, (n, 2)."""
        return np.stack([-np.cos(self.rows.angle), np.sin(self.rows.angle)], axis=1)

    @cached_property
    def ahead(self) -> FloatArray:
        """Unit vectors ahead of the wheeled front, (n, 2)."""
        return np.stack([np.sin(self.rows.angle), np.cos(self.rows.angle)], axis=1)

    @cached_property
    def away(self) -> FloatArray:
        """How far any point of a move within the slack may lie from its place in the slice, in inches, (n,)."""
        away: FloatArray = self.rows.slack * self.approach.halves.reach[self.rows.side]
        return away

    @cached_property
    def least_angle(self) -> FloatArray:
        """The least wheel within the slack: its sector is part of all the others."""
        return np.maximum(self.rows.angle - self.rows.slack, 0.0)

    def landings(self, start: int) -> list[Landing]:
        """List the legal landings; the rows are numbered from `start`."""
        regimes = self._allowed(_Regimes.join([self._at_end(0), self._at_end(1), self._between()]))
        blocked: defaultdict[int, list[Interval]] = defaultdict(list)
        for which, low, high in (*self._wheel_blocks(regimes), *self._strip_blocks(regimes)):
            blocked[which].append((low, high))
        found = []
        travel_rate = regimes.end_rate - np.cos(self.rows.angle[regimes.row])
        met = (regimes.start, regimes.rate, regimes.extent, regimes.blur, regimes.end, travel_rate)
        columns = (column.tolist() for column in (regimes.row, regimes.low, regimes.high, *met))
        for which, (row, low, high, *rest) in enumerate(zip(*columns, strict=True)):
            whole = (low, max(low, high))
            parts = (
                without([whole], union(blocked[which], slack=-FIRST_PART_ROUNDING), slack=FIRST_PART_ROUNDING)
                if which in blocked
                else (whole,)
            )
            for least, most in parts:
                found.append(Landing(start + row, least, most, *rest))
        return found

    @cached_property
    def _ends(self) -> tuple[FloatArray, FloatArray, np.ndarray, np.ndarray]:
        """The facing's ends as s and r, (n, 2) each; whether each end is nearest of the target; whether the facing is flush."""
        halves, side = self.approach.halves, self.rows.side
        ends = halves.ends[side]
        s, r = (np.einsum("nij,nj->ni", ends, axis) for axis in (self.along, self.ahead))
        nearest = np.einsum("nij,nj->ni", halves.vertices[side, 0], self.ahead).min(axis=1)
        is_nearest = r <= nearest[:, None] + CONTACT
        return s, r, is_nearest, is_nearest.all(axis=1)

    def _at_end(self, end: int) -> _Regimes:
        """Let the front meet the facing at u = 0 or u = length, an end that no other point of the target hides."""
        s, r, is_nearest, is_flush = self._ends
        shift, zero, slack = np.sin(self.rows.angle), np.zeros(len(s)), self.away + CONTACT
        low, high = meet(half_line(-shift, self.approach.width + slack - s[:, end]), half_line(shift, s[:, end] + slack))
        u = zero + end * self.approach.facing.length
        regimes = _Regimes(np.arange(len(s)), low, high, r[:, end] - self.away, zero, self.away, u, zero, zero, zero)
        return regimes.take(np.flatnonzero(is_nearest[:, end] & ~is_flush))

    def _between(self) -> _Regimes:
        """Let the front meet the facing with its pivot or its far corner, or lie flush against it."""
        s, r, is_nearest, is_flush = self._ends
        width, length, shift = self.approach.width, self.approach.facing.length, np.sin(self.rows.angle)
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
        low, high = meet(half_line(-shift, -least), half_line(shift, most))
        steep = 1.0 + np.abs(slope)
        u = near * length + (corner - s_near) * u_slope - np.where(is_flush & (u_slope < 0.0), width, 0.0)
        end = r_near + (corner - s_near) * slope - self.away * steep
        extent = np.where(is_flush, width, 0.0)
        regimes = _Regimes(index, low, high, end, slope * shift, self.away * steep, u, u_slope * shift, extent, self.away * (1.0 + steep))
        faces_us = -np.einsum("nj,nj->n", self.approach.halves.normal[self.rows.side], self.ahead) > PASSING_SINE
        return regimes.take(np.flatnonzero(faces_us))

    def _allowed(self, regimes: _Regimes) -> _Regimes:
        """Keep the first parts that the straight way, the board, what is wanted and a second part not negative leave."""
        row, angle = regimes.row, self.rows.angle[regimes.row]
        low = np.maximum(regimes.low, 0.0)
        high = np.minimum(regimes.high, np.where(angle <= FLAT, 0.0, self.approach.straight_limits[self.rows.side[row]]))
        bounds = meet((low, high), half_line(np.cos(angle) - regimes.end_rate, regimes.end + 2.0 * regimes.drop + MISSED_PART))
        least, most = (wanted[row] for wanted in self.wanted)
        before, behind = (np.where(is_end, CONTACT, MISSED_PART) for is_end in (least <= 0.0, most >= self.approach.facing.length))
        bounds = meet(bounds, half_line(regimes.rate, most + behind + regimes.blur - regimes.start))
        bounds = meet(bounds, half_line(-regimes.rate, regimes.start + regimes.extent + regimes.blur + before - least))
        bounds = meet(bounds, self._on_board(regimes))
        changed = _Regimes(row, *bounds, *(getattr(regimes, name) for name in PARTS[3:]))
        return changed.take(np.flatnonzero(bounds[0] <= bounds[1] + FIRST_PART_ROUNDING))

    def _on_board(self, regimes: _Regimes) -> Bounds:
        """First parts with which the wheel, and the front where it meets the facing, stay inside every edge of the board."""
        halves, width, row = self.approach.halves, self.approach.width, regimes.row
        side, shift = self.rows.side[row], np.sin(self.rows.angle[row])[:, None]
        normals, room = halves.board_normals[side], halves.board_limits[side] + CONTACT
        n_s, n_r = (np.einsum("nej,nj->ne", normals, axis[row]) for axis in (self.along, self.ahead))
        in_wheel = half_line(normals[..., 1], room - sector_support(normals, self.least_angle[row, None], width))
        at_end = room + (self.away[row] + regimes.drop)[:, None] - np.maximum(n_s * width, 0.0) - n_r * regimes.end[:, None]
        low, high = meet(in_wheel, half_line(n_s * shift + n_r * regimes.end_rate[:, None], at_end))
        return low.max(axis=1), high.min(axis=1)

    def _wheel_blocks(self, regimes: _Regimes) -> list[tuple[int, float, float]]:
        """List what forbids first parts because of the wheel, target included: (number of the regime, low, high)."""
        which, body = self._near_wheel(regimes)
        halves, row = self.approach.halves, regimes.row[which]
        bodies = halves.bodies(self.rows.side[row], body, halves.needed[body])
        low, high = wheel_blocks(bodies, self.least_angle[row], width=self.approach.width)
        found = np.flatnonzero((low < high) & (high >= regimes.low[which]) & (low <= regimes.high[which]))
        return list(zip(which[found].tolist(), low[found].tolist(), high[found].tolist(), strict=True))

    def _near_wheel(self, regimes: _Regimes) -> tuple[IntArray, IntArray]:
        """Give regimes and bodies, by number, where the disc about the body comes near enough to what wheels may sweep at all."""
        halves, side = self.approach.halves, self.rows.side[regimes.row]
        which = slice(0, 1 if self.approach.ignores_way else None)
        (centres, radii), width = halves.discs, self.approach.width
        x, y = np.moveaxis(centres[side, which], 2, 0)
        reach = radii[side, which] + halves.needed[which] + CONTACT
        is_beside = (x - reach > 0.0) | (x + reach < -width)
        is_beyond = (y - reach > regimes.high[:, None] + width) | (y + reach < regimes.low[:, None])
        regime, body = np.nonzero(~is_beside & ~is_beyond)
        return regime, body

    def _strip_blocks(self, regimes: _Regimes) -> list[tuple[int, float, float]]:
        """List what forbids first parts because of the second part of the move, or only of its end."""
        strip, gap = self._strip(regimes)
        which, hazard = self._near_strip(regimes, strip, gap)
        halves, row = self.approach.halves, regimes.row[which]
        bodies = halves.bodies(self.rows.side[row], 1 + hazard, halves.needed[1 + hazard] + gap[which])
        index, low, high = holes(strip_frees(bodies, strip.take(which)), regimes.low[which], regimes.high[which])
        return list(zip(which[index].tolist(), low.tolist(), high.tolist(), strict=True))

    def _strip(self, regimes: _Regimes) -> tuple[Strip, FloatArray]:
        """Give what the fronts sweep going on (n,), and how much more than its own gap a hazard then needs."""
        angle, away, width = self.rows.angle[regimes.row], self.away[regimes.row], self.approach.width
        end, end_rate, drop = regimes.end, regimes.end_rate, regimes.drop
        if self.approach.ignores_way:
            return Strip(angle, width, end + drop, end_rate, end + drop, end_rate, is_end_only=True), -away - drop
        return Strip(angle, width, away, np.cos(angle), end, end_rate), -away

    def _near_strip(self, regimes: _Regimes, strip: Strip, gap: FloatArray) -> tuple[IntArray, IntArray]:
        """Give regimes and hazards, by number, where no line along the front or square to it parts strip and disc for all first parts."""
        halves, side = self.approach.halves, self.rows.side[regimes.row]
        centres, radii = halves.discs
        s, r = strip.axes(centres[side, 1:])
        reach = radii[side, 1:] + halves.needed[1:] + gap[:, None] + CONTACT
        first, last = np.sin(strip.angle) * regimes.low, np.sin(strip.angle) * regimes.high + strip.width
        is_beside = (s - reach > last[:, None]) | (s + reach < first[:, None])
        begins = strip.start + np.minimum(strip.start_rate * regimes.low, strip.start_rate * regimes.high)
        ends = strip.end + np.maximum(strip.end_rate * regimes.low, strip.end_rate * regimes.high)
        behind = np.maximum(reach, radii[side, 1:] + CONTACT)
        regime, hazard = np.nonzero(~is_beside & (r - reach <= ends[:, None]) & (r + behind >= begins[:, None]))
        return regime, hazard
