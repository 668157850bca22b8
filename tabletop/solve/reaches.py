"""What a front can reach of a facing at very many places: branch and bound on the wheel, as in `tabletop.solve.reach`, for all at once.

The body charged only shifts. Each place brings two front corners of its own, seen from which it stands elsewhere; the slices
are the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from tabletop.pose import FloatArray
from tabletop.solve.approach import Approach, Halves
from tabletop.solve.intervals import Interval
from tabletop.solve.landings import Landing, Rows, landings
from tabletop.solve.maps import Mask, Numbers, local_shifts
from tabletop.solve.reach import FINEST, GLIDING, TOLERANCE, Cells, special_angles
from tabletop.solve.sweeps import Bounds

SPLIT = 4
BROAD = 2e-3
"""Inches of first part that a slice must leave for its landing to be told: ten thousand times what a search by halves may miss."""


@dataclass(frozen=True, eq=False)
class Shifted(Approach):
    """The approach to the same target at places shifted by (n, 2) inches; place k has the pivots 2 k (right) and 2 k + 1 (left)."""

    shifts: FloatArray = field(default_factory=lambda: np.zeros((1, 2)))

    @classmethod
    def of(cls, approach: Approach, shifts: FloatArray) -> "Shifted":
        """Shift the target of an approach."""
        return cls(**{part.name: getattr(approach, part.name) for part in fields(Approach)}, shifts=shifts)

    @cached_property
    def halves(self) -> Halves:
        """The picture seen from both front corners of one place after the other."""
        one, local = Halves.of(self), local_shifts(self, self.shifts).swapaxes(0, 1)
        every = {part.name: _repeated(getattr(one, part.name), len(local)) for part in fields(Halves) if part.name != "needed"}
        for name in ("vertices", "after", "before"):
            every[name][:, :, 0] += local[:, :, None]
        every["supports"][:, :, 0] += np.einsum("nskj,nsj->nsk", every["normals"][:, :, 0], local)
        every["ends"] += local[:, :, None]
        every["reach"] = np.hypot(self.width, np.linalg.norm(every["ends"], axis=3).max(axis=2))
        return Halves(needed=one.needed, **{name: part.reshape(-1, *part.shape[2:]) for name, part in every.items()})


def _repeated(part: FloatArray, count: int) -> Any:
    return np.repeat(part[None], count, axis=0)


@dataclass(frozen=True, eq=False)
class Reached:
    """Places (n,) whose facing can be met, and parts of the facing met there: numbers of places, least and greatest u (m,)."""

    is_met: Mask
    place: Numbers
    low: FloatArray
    high: FloatArray


def reached(approach: Approach, shifts: FloatArray, place: Numbers, cells: Cells, *, counting: Interval | Bounds) -> Reached:
    """Tell at which shifts (n, 2) of the target some move of the cells, each for the place in `place`, meets `counting` (u, inches).

    That part of the facing may be another one, (n,), for each shift. Where none is met it is proven as `reach` proves it: ranges of
    wheels that hardly differ are left to their middle.
    """
    moves, is_met, found = Shifted.of(approach, shifts), np.zeros(len(shifts), dtype=bool), list[tuple[int, float, float]]()
    cells, ends = _parted(approach, place, cells), [np.broadcast_to(end, len(shifts)) for end in counting]
    while len(cells):
        middle, half = (cells.low + cells.high) / 2, (cells.high - cells.low) / 2
        relaxed = landings(moves, Rows(cells.side, middle, half), _part(ends, cells))
        hopeful = np.array(sorted({landing.row for landing in relaxed}), dtype=int)
        cells, middle = cells.take(hopeful), middle[hopeful]
        exact = landings(moves, Rows(cells.side, middle, np.zeros(len(middle))), _part(ends, cells))
        found += _told(exact, cells, ends, moves.facing.length)
        is_met[cells.side[[landing.row for landing in exact]] // 2] = True
        differ = (cells.high - cells.low) * moves.halves.reach[cells.side]
        is_open = ~is_met[cells.side // 2] & (differ > np.where(_glides(moves, cells), TOLERANCE, FINEST))
        cells = cells.split(np.flatnonzero(is_open).tolist(), SPLIT)
    told = np.array(found).reshape(-1, 3)
    return Reached(is_met, told[:, 0].astype(int), told[:, 1], told[:, 2])


def _part(ends: Sequence[FloatArray], cells: Cells) -> Bounds:
    """Give the part of the facing that each cell must meet."""
    low, high = (end[cells.side // 2] for end in ends)
    return low, high


def _parted(approach: Approach, place: Numbers, cells: Cells) -> Cells:
    """Give all places pivots of their own, and cut the cells at wheels that no cell may straddle."""
    pivot, low, high = 2 * place + cells.side, cells.low, cells.high
    for side in (0, 1):
        for angle in special_angles(approach, side):
            cut = np.flatnonzero((pivot % 2 == side) & (low < angle) & (high > angle))
            pivot, low = np.concatenate([pivot, pivot[cut]]), np.concatenate([low, np.full(len(cut), angle)])
            high = np.concatenate([high, high[cut]])
            high[cut] = angle
    return Cells(pivot, low, high)


def _glides(moves: Approach, cells: Cells) -> Mask:
    """Tell which cells turn the front nearly along the facing."""
    middle, normal = (cells.low + cells.high) / 2, moves.halves.normal[cells.side]
    glides: Mask = np.abs(normal[:, 0] * np.sin(middle) + normal[:, 1] * np.cos(middle)) < GLIDING
    return glides


def _told(exact: list[Landing], cells: Cells, ends: Sequence[FloatArray], length: float) -> Iterator[tuple[int, float, float]]:
    """Give place and part met of the landings that are broad enough."""
    for landing in exact:
        if landing.most - landing.least >= BROAD:
            place, (low, high) = int(cells.side[landing.row]) // 2, landing.span(length)
            yield place, max(low, float(ends[0][place])), min(high, float(ends[1][place]))
