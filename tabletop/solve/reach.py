"""Which points of a facing can a front reach that goes forward, wheels once and goes forward again?

Branch and bound on the angle of the wheel: an exact slice at one angle proves what can be reached, a relaxed slice bounds what
any angle near it could reach. Angles whose bound brings nothing new are done, the others are split. What remains undecided
below TOLERANCE is left out, so "cannot be reached" is proven to that tolerance.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.errors import NoVerdictError
from tabletop.pose import FloatArray, Side
from tabletop.solve.approach import SIDES, Approach
from tabletop.solve.budget import Budget
from tabletop.solve.intervals import Interval, Intervals, union, without
from tabletop.solve.landings import Landing, Rows, landings
from tabletop.units import CONTACT

TOLERANCE = 1e-3
"""Inches on the facing to which a search may leave the ends of what can be reached undecided."""

FINEST = 2e-7
"""Inches: cells whose moves differ by no more are settled by their middle alone, within the tolerance of contact."""

FIRST_CELLS = 10
SPLIT = 6


Interest = Callable[[Intervals], Intervals]
"""Given what is known to be reached, the parts of the facing (intervals of u) where reaching more would change the answer."""


@dataclass(frozen=True)
class Reach:
    """What is proven to be reached on a facing, as intervals of u in inches.

    If `is_complete`, nothing else of interest can be reached; if not, the budget ended the search.
    """

    intervals: Intervals
    is_complete: bool


@dataclass(frozen=True)
class Advance:
    """One forward, wheel, forward move: lengths in inches, the wheel in radians about the `side` front corner."""

    first: float
    side: Side
    wheel: float
    second: float


@dataclass(frozen=True, eq=False)
class _Cells:
    """Ranges of wheels: pivots (0 right, 1 left), least and greatest angle in radians, (n,) each."""

    side: np.ndarray
    low: FloatArray
    high: FloatArray

    def rows(self) -> Rows:
        """The middles exactly, then all cells relaxed to their half-width."""
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        return Rows(np.tile(self.side, 2), np.tile(middle, 2), np.concatenate([np.zeros(len(half)), half]))

    def split(self, which: list[int]) -> "_Cells":
        """Give the parts of some cells."""
        steps = np.arange(SPLIT + 1) / SPLIT
        edges = self.low[which, None] + (self.high - self.low)[which, None] * steps
        return _Cells(np.repeat(self.side[which], SPLIT), edges[:, :-1].ravel(), edges[:, 1:].ravel())

    def __len__(self) -> int:
        return len(self.side)


def reach(approach: Approach, *, interest: Interest, budget: Budget) -> Reach:
    """Find the points of the facing at which the front can meet the target first, as far as they are of interest."""
    length = approach.facing.length
    reached = union(landing.span(length) for landing in landings(approach, _special_rows(approach)))
    cells, work = _first_cells(approach), 0
    while len(cells) and (wanted := interest(reached)):
        work += len(cells) * len(approach.halves.needed)
        if budget.is_spent(work):
            return Reach(reached, is_complete=False)
        exact, bounds = _by_cell(approach, cells)
        reached = union([*reached, *(landing.span(length) for landing in exact)])
        wanted = interest(reached)
        cells = cells.split([cell for cell, spans in bounds.items() if _overlap(spans, wanted) and not _is_finest(approach, cells, cell)])
    return Reach(reached, is_complete=True)


def _overlap(first: Sequence[Interval], second: Sequence[Interval]) -> bool:
    return any(low <= other_high and other_low <= high for low, high in first for other_low, other_high in second)


def beyond(reached: Intervals, *, length: float) -> Intervals:
    """Take interest in everything that is not reached yet, on a facing of `length` inches."""
    return without([(0.0, length)], [(low - TOLERANCE, high + TOLERANCE) for low, high in reached])


def _is_finest(approach: Approach, cells: _Cells, cell: int) -> bool:
    return bool((cells.high[cell] - cells.low[cell]) * approach.halves.reach[cells.side[cell]] <= FINEST)


def _by_cell(approach: Approach, cells: _Cells) -> tuple[list[Landing], dict[int, list[Interval]]]:
    """Landings of the cells' middles, and for each cell that may land at all the bounds on where."""
    exact: list[Landing] = []
    bounds: dict[int, list[Interval]] = {}
    for landing in landings(approach, cells.rows()):
        if landing.row < len(cells):
            exact.append(landing)
            continue
        low, high = landing.span(approach.facing.length)
        if low <= high:
            bounds.setdefault(landing.row - len(cells), []).append((low, high))
    return exact, bounds


def _special_angles(approach: Approach, side: int) -> list[float]:
    """Wheels that no cell may straddle: none, flush or square to the target's sides, and the greatest."""
    normal = approach.halves.normal[side]
    flush = math.atan2(-normal[0], -normal[1]) % (math.pi / 2)
    inside = [angle for angle in (flush, flush + math.pi / 2) if 1e-9 < angle < approach.wheel_limit - 1e-9]
    return [0.0, *inside, approach.wheel_limit]


def _special_rows(approach: Approach) -> Rows:
    pairs = [(side, angle) for side in (0, 1) for angle in _special_angles(approach, side)]
    sides, angles = np.array([side for side, _ in pairs]), np.array([angle for _, angle in pairs])
    return Rows(sides, angles, np.zeros(len(pairs)))


def _first_cells(approach: Approach) -> _Cells:
    side, low, high = [], [], []
    for number in (0, 1):
        angles = _special_angles(approach, number)
        for start, end in zip(angles, angles[1:], strict=False):
            count = max(1, math.ceil((end - start) / approach.wheel_limit * FIRST_CELLS))
            edges = np.linspace(start, end, count + 1).tolist()
            side += [number] * count
            low += edges[:-1]
            high += edges[1:]
    return _Cells(np.array(side), np.array(low), np.array(high))


def least_wheel(approach: Approach, span: Interval, *, budget: Budget) -> Advance:
    """Find, of all legal moves that meet `span` of the facing, the one with the smallest wheel, then the shortest.

    Raises
    ------
    NoVerdictError
        If the budget ends the search before any such move is found.
    """
    found = _shortest(approach, _special_rows(approach), span)
    cells, work = _first_cells(approach), 0
    while len(cells):
        work += len(cells) * len(approach.halves.needed)
        if budget.is_spent(work):
            break
        rows = cells.rows()
        best, hopeful = _least_in_cells(approach, cells, rows, span)
        if best is not None and (found is None or best.wheel < found.wheel):
            found = best
        limit = math.inf if found is None else found.wheel
        cells = cells.split([cell for cell in hopeful if cells.low[cell] < limit and cells.high[cell] - cells.low[cell] > 1e-11])  # noqa: PLR2004
    if found is None:
        raise NoVerdictError("the search for a charge path ended before one was found; allow more work")
    return found


def _least_in_cells(approach: Approach, cells: _Cells, rows: Rows, span: Interval) -> tuple[Advance | None, list[int]]:
    count = len(cells)
    meeting = [(landing, firsts) for landing in landings(approach, rows) if (firsts := landing.firsts(span)) is not None]
    exact = [(landing, firsts) for landing, firsts in meeting if landing.row < count]
    hopeful = sorted({landing.row - count for landing, _ in meeting if landing.row >= count})
    return _least(rows, exact), hopeful


def _shortest(approach: Approach, rows: Rows, span: Interval) -> Advance | None:
    meeting = [(landing, firsts) for landing in landings(approach, rows) if (firsts := landing.firsts(span)) is not None]
    return _least(rows, meeting)


def _least(rows: Rows, meeting: list[tuple[Landing, Interval]]) -> Advance | None:
    """Of landings with the first parts that serve, the smallest wheel, then the least way, then the right corner."""
    moves = []
    for landing, firsts in meeting:
        first = firsts[0] if 1.0 + landing.travel_rate >= 0.0 else firsts[1]
        second = max(0.0, landing.travel + landing.travel_rate * first)
        side = int(rows.side[landing.row])
        wheel = float(rows.angle[landing.row])
        moves.append((wheel, round(first + second, 9), side, Advance(max(0.0, first), SIDES[side], wheel, second)))
    return min(moves, key=lambda move: move[:3])[3] if moves else None
