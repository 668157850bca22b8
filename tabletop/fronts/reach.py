"""Which points of a facing a front can reach that goes forward, wheels once and goes forward again.

Branch and bound on the angle of the wheel: an exact slice at one angle proves what can be reached, a relaxed slice bounds what
any angle near it could reach. Angles whose bound brings nothing new are done, the others are split. What remains undecided
below TOLERANCE is left out, so "cannot be reached" is proven to that tolerance.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tabletop.budget import Budget, Searched
from tabletop.errors import NoVerdictError
from tabletop.fronts.approach import PIVOTS, Approach
from tabletop.fronts.landing import Landing, Slices, landings
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Side
from tabletop.optimise.interval import Interval, Intervals, intersection, union, without
from tabletop.units import CONTACT, FLUSH

TOLERANCE = 1e-3
"""Inches on the facing to which a search may leave the ends of what can be reached undecided."""

SETTLED_BY_MIDDLE = 2e-7
"""Inches: cells whose moves differ by no more are settled by their middle alone, within the tolerance of contact."""

GLIDING = 0.02
"""Sine of the angle between heading and facing below which a front glides along the facing."""

LEAST_WHEEL = FLUSH
"""Radians to which the smallest wheel is found: directions nearer to each other are the same."""

NEARBY = 0.05
"""Radians, and inches on the facing: how far around an end of the search a better one is looked for."""

FIRST_CELLS = 10

SPLIT, FINE_SPLIT = 6, 8

MANY_CELLS = 40

MOST_CELLS = 4_000
"""Ranges of wheels among which a smaller one is looked for: more are left only where all miss what is met by less than the tolerance."""

Interest = Callable[[Intervals], Intervals]
"""Given what is known to be reached, the parts of the facing (intervals of u) where reaching more would change the answer."""


@dataclass(frozen=True)
class Witness:
    """A slice that proves that an interval of the facing can be reached: its pivot (0 right, 1 left) and wheel in radians."""

    low: float
    high: float
    side: int
    angle: float


@dataclass(frozen=True)
class Reach(Searched):
    """What is `proven` to be reached on a facing, as intervals of u in inches; nothing else of interest can be if it is complete."""

    proven: Intervals = ()
    witnesses: tuple[Witness, ...] = ()


@dataclass(frozen=True)
class Advance:
    """One forward, wheel, forward move: lengths in inches, the wheel in radians about the `side` front corner."""

    first: float
    side: Side
    wheel: float
    second: float


@dataclass(frozen=True, eq=False)
class WheelRanges:
    """Ranges of wheels: pivots (0 right, 1 left), least and greatest angle in radians, (n,) each."""

    side: np.ndarray
    low: FloatArray
    high: FloatArray

    @property
    def middle(self) -> FloatArray:
        """The wheels in the middle, (n,)."""
        middle: FloatArray = (self.low + self.high) / 2
        return middle

    def middles(self) -> Slices:
        """Ask for the middles exactly."""
        return Slices(self.side, self.middle, np.zeros(len(self)))

    def relaxed(self) -> Slices:
        """Ask for all cells, relaxed to their half-width."""
        return Slices(self.side, self.middle, (self.high - self.low) / 2)

    def rows(self) -> Slices:
        """Ask for the middles exactly, then for all cells relaxed."""
        middles, relaxed = self.middles(), self.relaxed()
        return Slices(np.tile(self.side, 2), np.tile(middles.angle, 2), np.concatenate([middles.slack, relaxed.slack]))

    def are_finest(self, approach: Approach) -> np.ndarray:
        """Tell which cells are left to their middle, (n,): their moves hardly differ, or by the tolerance and glide along the facing.

        Where the heading is nearly along the facing, a landing cannot be bounded as finely as elsewhere: the least turn shifts it far.
        """
        halves, normal = approach.halves, approach.halves.normal[self.side]
        glides = np.abs(normal[:, 0] * np.sin(self.middle) + normal[:, 1] * np.cos(self.middle)) < GLIDING
        differ = (self.high - self.low) * halves.reach[self.side]
        finest: np.ndarray = differ <= np.where(glides, TOLERANCE, SETTLED_BY_MIDDLE)
        return finest

    def take(self, which: np.ndarray) -> "WheelRanges":
        """Give some of the cells."""
        return WheelRanges(self.side[which], self.low[which], self.high[which])

    def split(self, which: list[int], parts: int) -> "WheelRanges":
        """Give the parts of some cells."""
        steps = np.arange(parts + 1) / parts
        edges = self.low[which, None] + (self.high - self.low)[which, None] * steps
        return WheelRanges(np.repeat(self.side[which], parts), edges[:, :-1].ravel(), edges[:, 1:].ravel())

    def __len__(self) -> int:
        return len(self.side)


def reach(approach: Approach, *, interest: Interest, budget: Budget) -> Reach:
    """Find the points of the facing at which the front can meet the target first, as far as they are of interest."""
    witnesses = _witnesses(approach, _special_rows(approach))
    cells, work = _first_cells(approach), 0
    while len(cells) and intersection(interest(_proven(witnesses)), approach.open_facing):
        work += len(cells) * len(approach.halves.needed)
        if budget.is_spent(work):
            return Reach(_proven(witnesses), tuple(witnesses), limit=budget.limit)
        exact, bounds = _by_cell(approach, cells)
        witnesses += exact
        wanted = intersection(interest(_proven(witnesses)), approach.open_facing)
        is_finest = cells.are_finest(approach)
        open_cells = [cell for cell, spans in bounds.items() if _overlap(spans, wanted) and not is_finest[cell]]
        cells = cells.split(open_cells, SPLIT)
    return Reach(_proven(witnesses), tuple(witnesses))


def _witnesses(approach: Approach, rows: Slices) -> list[Witness]:
    return [_witness(approach, rows, landing) for landing in landings(approach, rows)]


def _witness(approach: Approach, rows: Slices, landing: Landing) -> Witness:
    return Witness(*landing.span(approach.facing.length), int(rows.side[landing.row]), float(rows.angle[landing.row]))


def _proven(witnesses: Sequence[Witness]) -> Intervals:
    return union((witness.low, witness.high) for witness in witnesses)


def sharpened(approach: Approach, found: Reach, *, where: Intervals) -> Reach:
    """Bring ends of what is reached, those at which `where` begins, from the search's tolerance to about 1e-9 in."""
    length = approach.facing.length
    better = [
        _extended(approach, witness, is_high=is_high)
        for low, high in found.proven
        for is_high, end in ((False, low), (True, high))
        if CONTACT < end < length - CONTACT and any(abs((part[0] if is_high else part[1]) - end) <= TOLERANCE for part in where)
        for witness in (_at_end(found.witnesses, end, is_high=is_high),)
    ]
    witnesses = (*found.witnesses, *better)
    return Reach(_proven(witnesses), witnesses, limit=found.limit)


def _at_end(witnesses: Sequence[Witness], end: float, *, is_high: bool) -> Witness:
    return min(witnesses, key=lambda witness: abs((witness.high if is_high else witness.low) - end))


def _extended(approach: Approach, witness: Witness, *, is_high: bool) -> Witness:
    """Turn a little more or less to where the end of what a witness reaches goes farthest: coarse steps, then SciPy's Brent."""
    from scipy.optimize import minimize_scalar

    def best_near(angles: FloatArray) -> list[Witness]:
        rows = Slices(np.full(len(angles), witness.side), angles, np.zeros(len(angles)))
        found = _witnesses(approach, rows)
        return [other for other in found if other.low <= witness.high + NEARBY and other.high >= witness.low - NEARBY]

    def shortfall(angle: float) -> float:
        found = best_near(np.array([angle]))
        return min((-other.high if is_high else other.low for other in found), default=approach.facing.length)

    steps = np.clip(witness.angle + np.linspace(-NEARBY, NEARBY, 41), 0.0, approach.wheel_limit)
    best = min([witness, *best_near(steps)], key=lambda other: -other.high if is_high else other.low)
    step = NEARBY / 20
    bounds = (max(0.0, best.angle - step), min(approach.wheel_limit, best.angle + step))
    peak = minimize_scalar(shortfall, bounds=bounds, method="bounded", options={"xatol": 1e-12}).x
    return min([best, *best_near(np.array([peak]))], key=lambda other: -other.high if is_high else other.low)


def _overlap(first: Sequence[Interval], second: Sequence[Interval]) -> bool:
    return any(low <= other_high and other_low <= high for low, high in first for other_low, other_high in second)


def unreached(reached: Intervals, *, length: float) -> Intervals:
    """Take interest in everything that is not reached yet, on a facing of `length` inches."""
    return without([(0.0, length)], [(low - TOLERANCE, high + TOLERANCE) for low, high in reached], slack=0.0)


def _by_cell(approach: Approach, cells: WheelRanges) -> tuple[list[Witness], dict[int, list[Interval]]]:
    """Give what the cells' middles prove, and for each cell that may land at all the bounds on where."""
    exact: list[Witness] = []
    bounds: dict[int, list[Interval]] = {}
    rows = cells.rows()
    for landing in landings(approach, rows):
        if landing.row < len(cells):
            exact.append(_witness(approach, rows, landing))
        elif (span := landing.span(approach.facing.length))[0] <= span[1]:
            bounds.setdefault(landing.row - len(cells), []).append(span)
    return exact, bounds


def special_angles(approach: Approach, side: int) -> list[float]:
    """Wheels that no cell may straddle: none, flush or square to the target's sides, and the greatest."""
    normal = approach.halves.normal[side]
    flush = math.atan2(-normal[0], -normal[1]) % (math.pi / 2)
    inside = [angle for angle in (flush, flush + math.pi / 2) if LEAST_WHEEL < angle < approach.wheel_limit - LEAST_WHEEL]
    return [0.0, *inside, approach.wheel_limit]


def _special_rows(approach: Approach) -> Slices:
    pairs = [(side, angle) for side in (0, 1) for angle in special_angles(approach, side)]
    sides, angles = np.array([side for side, _ in pairs]), np.array([angle for _, angle in pairs])
    return Slices(sides, angles, np.zeros(len(pairs)))


def _first_cells(approach: Approach) -> WheelRanges:
    side, low, high = [], [], []
    for number in (0, 1):
        angles = special_angles(approach, number)
        for start, end in pairwise(angles):
            count = max(1, math.ceil((end - start) / approach.wheel_limit * FIRST_CELLS))
            edges = np.linspace(start, end, count + 1).tolist()
            side += [number] * count
            low += edges[:-1]
            high += edges[1:]
    return WheelRanges(np.array(side), np.array(low), np.array(high))


def least_wheel(approach: Approach, span: Interval, *, hints: Sequence[Witness] = (), budget: Budget) -> Advance:
    """Find, of all legal moves that meet `span` of the facing, the one with the smallest wheel, then the shortest.

    `hints` are slices known to reach the facing: a span that shares only a point with what can be reached is met by no other.

    Raises
    ------
    NoVerdictError
        If the budget ends the search before any such move is found.
    """
    rows = _special_rows(approach)
    useful = [hint for hint in hints if hint.low <= span[1] + CONTACT and hint.high >= span[0] - CONTACT]
    side = np.concatenate([rows.side, [hint.side for hint in useful]]).astype(int)
    angle = np.concatenate([rows.angle, [hint.angle for hint in useful]])
    known = Slices(side, angle, np.zeros(len(angle)))
    found = _least(known, landings(approach, known, span))
    cells, work = _first_cells(approach), 0
    while True:
        cells = cells.take(np.flatnonzero(cells.low < (math.inf if found is None else found.wheel)))
        work += len(cells) * len(approach.halves.needed)
        if not len(cells) or budget.is_spent(work) or (found is not None and len(cells) > MOST_CELLS):
            break
        best, hopeful = _least_in_cells(approach, cells, span)
        if best is not None and (found is None or best.wheel < found.wheel):
            found = best
        cells = cells.split([cell for cell in hopeful if cells.high[cell] - cells.low[cell] > LEAST_WHEEL], FINE_SPLIT)
    if found is None:
        raise NoVerdictError("the search for a charge path ended before one was found; allow more work")
    return found


def _least_in_cells(approach: Approach, cells: WheelRanges, span: Interval) -> tuple[Advance | None, list[int]]:
    """Give the best move of the cells' middles, and the cells that may hold a better one; of many cells only those are looked at."""
    count = len(cells)
    if count > MANY_CELLS:
        hopeful = sorted({landing.row for landing in landings(approach, cells.relaxed(), span)})
        middles = cells.take(np.array(hopeful, dtype=int)).middles()
        return _least(middles, landings(approach, middles, span)) if hopeful else None, hopeful
    rows = cells.rows()
    found = landings(approach, rows, span)
    hopeful = sorted({landing.row - count for landing in found if landing.row >= count})
    return _least(rows, [landing for landing in found if landing.row < count]), hopeful


def _least(rows: Slices, found: Sequence[Landing]) -> Advance | None:
    """Choose the smallest wheel, then the least way, then the right corner."""
    moves = []
    for landing in found:
        saved = -(1.0 + landing.travel_rate) * (landing.most - landing.least)
        first = landing.most if saved > TOLERANCE else landing.least
        second = max(0.0, landing.travel + landing.travel_rate * first)
        side, wheel = int(rows.side[landing.row]), float(rows.angle[landing.row])
        moves.append((wheel, round(first + second, 9), side, Advance(max(0.0, first), PIVOTS[side], wheel, second)))
    return min(moves, key=lambda move: move[:3])[3] if moves else None
