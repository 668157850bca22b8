"""Which points of a facing a front can reach by a forward, wheel, forward move: branch and bound over the angle of the
wheel.

An exact slice at one angle proves what can be reached, a relaxed slice of a range of angles bounds what any of them
could reach. Ranges whose bound brings nothing new are dropped, the others are divided. Parts of the facing shorter than
TOLERANCE that remain undecided are left out, so "cannot be reached" is proven to that tolerance.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np

from tabletop.budget import Budget, Searched
from tabletop.errors import NoVerdictError
from tabletop.fronts.approach import PIVOTS, Approach
from tabletop.fronts.landing import Landings, WheelCells, landings
from tabletop.geometry.arrays import BoolArray, concatenate, take
from tabletop.geometry.pose import Side
from tabletop.optimise.interval import Interval, Intervals, intersection, union, without
from tabletop.units import CONTACT, FLUSH

TOLERANCE = 1e-3
"""Tolerance of the ends of what can be reached, in inches on the facing."""

SETTLED_BY_MIDDLE = 2e-7
"""Cells whose moves differ by at most this, in inches, are represented by their centre, within the tolerance of
contact."""

GLIDING = 0.02
"""Sine of the angle between heading and facing below which a front glides along the facing."""

LEAST_WHEEL = FLUSH
"""Tolerance of the smallest wheel, in radians."""

NEARBY = 0.05
"""Radians, and inches on the facing, around the end of a search within which a better one is looked for."""

STEPS, FINEST_TURN = 20, 1e-11
"""Number of steps to either side in each refinement, and the turn in radians at which refinement ends."""

FIRST_CELLS = 10

SPLIT = 6
FINE_SPLIT = 8

MANY_CELLS = 40

MOST_CELLS = 4_000
"""Largest number of cells in the search for a smaller wheel; more remain only where all miss by less than the
tolerance."""

_KNOWN: WeakKeyDictionary[Approach, dict[bytes, Landings]] = WeakKeyDictionary()
"""Cached landings of the cells of an approach, by the cells' bytes."""

WantedParts = Callable[[Intervals], Intervals]
"""Function from what is known to be reached to the parts of the facing (intervals of u) that would still change the
answer."""


@dataclass(frozen=True)
class Witness:
    """A wheel that proves that the front can reach part of the facing.

    Attributes
    ----------
    low, high
        Interval of u that is reached, in inches along the facing.
    side
        Pivot, 0 for the right front corner and 1 for the left.
    angle
        Wheel in radians.
    """

    low: float
    high: float
    side: int
    angle: float


@dataclass(frozen=True)
class Reach(Searched):
    """Intervals of u, in inches along the facing, `proven` to be reached, with the wheels that prove it.

    If the search is complete, no other wanted point of the facing can be reached.
    """

    proven: Intervals = ()
    witnesses: tuple[Witness, ...] = ()


@dataclass(frozen=True)
class Advance:
    """One forward, wheel, forward move: straight lengths in inches, and the wheel in radians about the `side` front
    corner.
    """

    first: float
    side: Side
    wheel: float
    second: float


def reach(approach: Approach, *, interest: WantedParts, budget: Budget) -> Reach:
    """Return the points of the facing that the front can meet first, as intervals of u in inches, for one pose of the
    target.

    `interest` maps the intervals reached so far to those still wanted; the search ends when nothing wanted can be
    reached any more.
    """
    return reach_each(approach, [interest], budget=budget)[0]


def reach_each(
    approach: Approach, interests: Sequence[WantedParts], *, budget: Budget
) -> list[Reach]:
    """Return what the front can reach for each pose of the target (`approach.shifts`), with a function of wanted parts
    for each.

    The result at a pose, and the work spent on it, do not depend on the other poses.
    """
    count = len(interests)
    witnesses: list[list[Witness]] = [[] for _ in interests]
    limits = [""] * count
    work = np.zeros(count, dtype=int)

    def prove(cells: WheelCells, found: Landings) -> None:
        """Add the landings of exact slices to the witnesses of their poses."""
        for pose, witness in zip(
            cells.pose[found.row].tolist(), _witnesses(approach, cells, found), strict=True
        ):
            witnesses[pose].append(witness)

    def wanted_of(poses: Iterable[int]) -> dict[int, Intervals]:
        """Return the intervals of u still wanted at some poses, by pose; poses where nothing is wanted are left out."""
        parts = {
            pose: intersection(
                interests[pose](_proven(witnesses[pose])), approach.open_facing[pose]
            )
            for pose in poses
        }
        return {pose: some for pose, some in parts.items() if some}

    special = _special_cells(approach)
    prove(special, _landings(approach, special))
    wanted = wanted_of(range(count))
    cells = _of_poses(_first_cells(approach), wanted, count)
    while len(cells.pose):
        work += np.bincount(cells.pose, minlength=count) * (1 + len(approach.hazards))
        for pose in [pose for pose in wanted if budget.is_spent(work[pose])]:
            limits[pose] = budget.limit
            del wanted[pose]
        cells = _of_poses(cells, wanted, count)
        middles = cells.middles()
        is_few = len(cells.pose) <= MANY_CELLS
        found = _landings(
            approach, WheelCells(*concatenate([middles, cells])) if is_few else middles
        )
        is_exact = found.row < len(middles.pose)
        prove(middles, Landings(*take(found, is_exact)))
        wanted = wanted_of(wanted)
        if is_few:
            found = Landings(*take(found, ~is_exact))
            found = found._replace(row=found.row - len(cells.pose))
        else:
            cells = _of_poses(cells, wanted, count)
            found = _landings(approach, cells)
        cells = cells.split(_open_cells(approach, cells, found, wanted), SPLIT)
    return [
        Reach(_proven(some), tuple(some), limit=limit)
        for some, limit in zip(witnesses, limits, strict=True)
    ]


def _landings(approach: Approach, cells: WheelCells) -> Landings:
    """Return the landings of cells, from a cache if the target has only one pose: several searches ask for the same
    cells.
    """
    if len(approach.shifts) > 1:
        return landings(approach, cells)
    known = _KNOWN.setdefault(approach, {})
    key = b"".join(column.tobytes() for column in cells)
    if key not in known:
        known[key] = landings(approach, cells)
    return known[key]


def _of_poses(cells: WheelCells, poses: Iterable[int], count: int) -> WheelCells:
    """Return the cells that belong to some of the `count` poses of the target."""
    is_asked = np.zeros(count, dtype=bool)
    is_asked[list(poses)] = True
    return cells.take(is_asked[cells.pose])


def _open_cells(
    approach: Approach, cells: WheelCells, found: Landings, wanted: Mapping[int, Intervals]
) -> list[int]:
    """Return the indices of the cells to divide: their relaxed landings meet a wanted interval of their pose, and they
    are not finest.
    """
    low, high = found.spans(approach.facing.length)
    which = (low <= high) & ~_are_finest(approach, cells)[found.row]
    columns = (found.row[which], cells.pose[found.row[which]], low[which], high[which])
    spans = zip(*(column.tolist() for column in columns), strict=True)
    return list(
        dict.fromkeys(
            row
            for row, pose, least, most in spans
            if any(a <= most and least <= b for a, b in wanted.get(pose, ()))
        )
    )


def _are_finest(approach: Approach, cells: WheelCells) -> BoolArray:
    """Return a mask (m,) of the cells that need no further division: their moves differ by less than the tolerance.

    Where the heading is nearly along the facing the tolerance is larger, because the least turn shifts the landing far.
    """
    frames = approach.frames
    normal = approach.frames.normal[cells.side]
    glides = (
        np.abs(normal[:, 0] * np.sin(cells.angle) + normal[:, 1] * np.cos(cells.angle)) < GLIDING
    )
    differ = (cells.high - cells.low) * frames.reach[cells.side, cells.pose]
    finest: BoolArray = differ <= np.where(glides, TOLERANCE, SETTLED_BY_MIDDLE)
    return finest


def _witnesses(approach: Approach, cells: WheelCells, found: Landings) -> list[Witness]:
    """Return one witness per landing: the interval of u that it reaches, its pivot and its wheel."""
    columns = (*found.spans(approach.facing.length), cells.side[found.row], cells.angle[found.row])
    return [Witness(*one) for one in zip(*(column.tolist() for column in columns), strict=True)]


def _proven(witnesses: Sequence[Witness]) -> Intervals:
    """Return the union of the intervals of u that witnesses prove to be reached."""
    return union((witness.low, witness.high) for witness in witnesses)


def refine_ends(approach: Approach, found: Reach, *, where: Intervals) -> Reach:
    """Return the reach with its ends refined from the search's tolerance to about 1e-9 in, next to the intervals
    `where`.

    Only ends of `found.proven` are refined at which an interval of `where` begins or ends (within TOLERANCE), ends of
    the facing excluded.
    """
    length = approach.facing.length
    ends = [
        (_at_end(found.witnesses, end, is_high=is_high), is_high)
        for low, high in found.proven
        for is_high, end in ((False, low), (True, high))
        if CONTACT < end < length - CONTACT
        and any(abs((part[0] if is_high else part[1]) - end) <= TOLERANCE for part in where)
    ]
    witnesses = (*found.witnesses, *(_extended(approach, ends) if ends else ()))
    return Reach(_proven(witnesses), witnesses, limit=found.limit)


def _at_end(witnesses: Sequence[Witness], end: float, *, is_high: bool) -> Witness:
    """Return the witness whose upper (`is_high`) or lower end is nearest to `end` inches."""
    return min(witnesses, key=lambda witness: abs((witness.high if is_high else witness.low) - end))


def _extended(approach: Approach, ends: Sequence[tuple[Witness, bool]]) -> list[Witness]:
    """Return for each witness the best one found near it: its interval reaches farther up (where true) or down.

    Local search: wheels near the best one are tried in ever finer steps.
    """
    best = [witness for witness, _ in ends]
    near = NEARBY
    while near > FINEST_TURN:
        steps = np.clip(
            np.array([[one.angle] for one in best]) + np.linspace(-near, near, 2 * STEPS + 1),
            0.0,
            approach.wheel_limit,
        )
        cells = WheelCells.exact(
            np.repeat([one.side for one in best], steps.shape[1]), steps.ravel()
        )
        found = landings(approach, cells)
        for number, other in zip(
            (found.row // steps.shape[1]).tolist(), _witnesses(approach, cells, found), strict=True
        ):
            start, is_high = ends[number]
            known = best[number]
            is_near = other.low <= start.high + NEARBY and other.high >= start.low - NEARBY
            if is_near and (other.high > known.high if is_high else other.low < known.low):
                best[number] = other
        near /= STEPS
    return best


def unreached(reached: Intervals, *, length: float) -> Intervals:
    """Return the parts of a facing of `length` inches that are farther than TOLERANCE from everything reached, as
    intervals of u.
    """
    return without(
        [(0.0, length)], [(low - TOLERANCE, high + TOLERANCE) for low, high in reached], slack=0.0
    )


def _special_cells(approach: Approach) -> WheelCells:
    """Return exact slices of the critical wheels of both pivots at every pose of the target."""
    return _at_each_pose(
        approach,
        [(side, angle, angle) for side in (0, 1) for angle in approach.special_angles[side]],
    )


def _first_cells(approach: Approach) -> WheelCells:
    """Return the initial cells of the search at every pose of the target: ranges between the critical wheels,
    divided.
    """
    cells = list[tuple[int, float, float]]()
    for side in (0, 1):
        for start, end in pairwise(approach.special_angles[side]):
            count = max(1, math.ceil((end - start) / approach.wheel_limit * FIRST_CELLS))
            edges = np.linspace(start, end, count + 1).tolist()
            cells += [(side, low, high) for low, high in pairwise(edges)]
    return _at_each_pose(approach, cells)


def _at_each_pose(approach: Approach, cells: Sequence[tuple[int, float, float]]) -> WheelCells:
    """Return cells (side, low, high) repeated for every pose of the target."""
    poses = len(approach.shifts)
    side, low, high = (np.tile(column, poses) for column in zip(*cells, strict=True))
    return WheelCells(np.repeat(np.arange(poses), len(cells)), side, low, high)


def smallest_wheel_path(
    approach: Approach,
    span: Interval,
    *,
    hints: Sequence[Witness] = (),
    enough: float = 0.0,
    budget: Budget,
) -> Advance:
    """Return the legal move to the interval `span` of the facing with the smallest wheel; of equal ones the shortest.

    Parameters
    ----------
    approach
        The charge move.
    span
        Interval of u to be met, in inches.
    hints
        Witnesses to try first. They are needed where `span` shares only a point with what can be reached, which no
        other wheel meets.
    enough
        Angle in radians: a move whose wheel is at most this ends the search.
    budget
        Limit of the search.

    Raises
    ------
    NoVerdictError
        If the budget ends the search before any such move is found.
    """
    special = _special_cells(approach)
    useful = [
        hint for hint in hints if hint.low <= span[1] + CONTACT and hint.high >= span[0] - CONTACT
    ]
    side = np.concatenate([special.side, [hint.side for hint in useful]]).astype(int)
    known = WheelCells.exact(side, np.concatenate([special.low, [hint.angle for hint in useful]]))
    found = _least(known, landings(approach, known, span))
    cells = _first_cells(approach)
    work = 0
    while True:
        least = math.inf if found is None else found.wheel
        cells = cells.take(cells.low < (least if least > enough else 0.0))
        work += len(cells.pose) * (1 + len(approach.hazards))
        if (
            not len(cells.pose)
            or budget.is_spent(work)
            or (found is not None and len(cells.pose) > MOST_CELLS)
        ):
            break
        best, hopeful = _least_in_cells(approach, cells, span)
        if best is not None and (found is None or best.wheel < found.wheel):
            found = best
        cells = cells.split(
            [cell for cell in hopeful if cells.high[cell] - cells.low[cell] > LEAST_WHEEL],
            FINE_SPLIT,
        )
    if found is None:
        raise NoVerdictError(
            "the search for a charge path ended before one was found; allow more work"
        )
    return found


def _least_in_cells(
    approach: Approach, cells: WheelCells, span: Interval
) -> tuple[Advance | None, list[int]]:
    """Return the best move among the middle angles of the cells, if any, and the indices of cells that may contain a
    better one.
    """
    count = len(cells.pose)
    middles = cells.middles()
    if count > MANY_CELLS:
        hopeful = np.flatnonzero(np.bincount(landings(approach, cells, span).row))
        middles = middles.take(hopeful)
        return _least(middles, landings(approach, middles, span)), hopeful.tolist()
    found = landings(approach, WheelCells(*concatenate([middles, cells])), span)
    # np.unique would load numpy.ma
    hopeful = np.flatnonzero(np.bincount(found.row[found.row >= count] - count))
    return _least(middles, Landings(*take(found, found.row < count))), hopeful.tolist()


def _least(cells: WheelCells, found: Landings) -> Advance | None:
    """Return the move with the smallest wheel among landings, then the shortest, then the right pivot; None if there is
    no landing.
    """
    saved = -(1.0 + found.travel_rate) * (found.most - found.least)
    first = np.where(saved > TOLERANCE, found.most, found.least)
    second = np.maximum(0.0, found.travel + found.travel_rate * first)
    side = cells.side[found.row]
    wheel = cells.angle[found.row]
    best = np.lexsort((side, np.round(first + second, 9), wheel))[:1].tolist()
    moves = [
        Advance(
            max(0.0, float(first[one])), PIVOTS[side[one]], float(wheel[one]), float(second[one])
        )
        for one in best
    ]
    return moves[0] if moves else None
