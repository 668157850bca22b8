"""The same charge against a body at very many places: where a front surely meets one of its facings.

The body only shifts, so what is in the way stays as it is, and free moves are worked out once. Lengths in inches, angles in
radians; coordinates are those of `tabletop.fronts.approach`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabletop.fronts.approach import PIVOTS, Approach, CornerView
from tabletop.fronts.manoeuvre import Manoeuvres
from tabletop.fronts.sweep import Bounds
from tabletop.geometry.arrays import FloatArray

Mask = NDArray[np.bool_]
Numbers = NDArray[np.intp]
Usable = Callable[[Numbers, FloatArray], Mask]
"""Given numbers of places (m,) and points u of the facing there (m, d), whether contact at them is of use, (m, d)."""

UNSURE_SINE = 0.02
"""Sine of the angle between heading and facing below which nothing is said of where the front meets the facing."""

WHEEL_SPREAD = 0.38
"""Share of all wheels by which those that are tried one after the other differ."""


def local_shifts(approach: Approach, shifts: FloatArray) -> FloatArray:
    """Give shifts (n, 2) on the table in the coordinates of both front corners, (2, n, 2)."""
    return np.stack([shifts @ CornerView.of(approach.pose, side, width=approach.width).axes.T for side in PIVOTS])


@dataclass(frozen=True, eq=False)
class Meeting:
    """Where wheeled fronts meet a facing when they go on: arrays that broadcast.

    Attributes
    ----------
    share
        Of the facing, from its nearer end: the front meets it there.
    way
        Inches of the second part.
    beside
        Inches of the front, and of the facing, that lie in each other's way.
    ahead
        Inches by which all of the target lies ahead of where the fronts begin.
    """

    share: FloatArray
    way: FloatArray
    beside: FloatArray
    ahead: FloatArray


def meeting(near: Bounds, beyond: Bounds, start: Bounds, *, width: float) -> Meeting:
    """Let fronts of `width` inches go on to a facing that looks towards them.

    `near` is its nearer end along the front and ahead (s, r), `beyond` the way from there to the other end, `start` where the
    fronts begin. Of a rectangle that nearer end is the point that lies least ahead.
    """
    (s, r), (run, rise), (low, done) = near, beyond, start
    offset = low - s
    high = offset + width
    share = np.where(run > 0.0, np.maximum(offset, 0.0), np.minimum(high, 0.0)) / run
    beside = np.where(run > 0.0, np.minimum(high, run - offset), np.minimum(-offset, high - run))
    return Meeting(share, r + share * rise - done, beside, r - done)


def met(approach: Approach, moves: Manoeuvres, shifts: FloatArray, usable: Usable, *, slack: float) -> Mask:
    """Tell for which shifts (n, 2) of the target some move surely meets the facing first, at a point that is of use.

    All of the target lies ahead of the wheel by `slack` inches then, and the way is free for as much longer. Behind the line of
    the wheeled front lies all that the move has swept before, so that the target cannot have been met there.
    """
    local = local_shifts(approach, shifts)
    found = np.zeros(len(shifts), dtype=bool)
    for number in _spread(len(moves.wheels.side)):
        left = np.flatnonzero(~found)
        if not len(left):
            break
        if (moves.longest[number] < slack).all() or _is_edge_on(approach, moves, number):
            continue
        u, is_met = _contacts(approach, moves, number, local[moves.wheels.side[number], left], slack)
        hopeful = np.flatnonzero(is_met.any(axis=1))
        is_met = is_met[hopeful] & usable(left[hopeful], u[hopeful])
        found[left[hopeful]] = is_met.any(axis=1)
    return found


def _spread(count: int) -> list[int]:
    """Order numbers so that neighbours come late: most places are settled by a few moves that differ much."""
    first = max(1, round(count * WHEEL_SPREAD))
    stride = next(step for step in range(first, first + count + 1) if math.gcd(step, count) == 1)
    return [place * stride % count for place in range(count)]


def _is_edge_on(approach: Approach, moves: Manoeuvres, number: int) -> bool:
    """Tell whether a wheel does not turn the front towards the facing."""
    return bool(approach.halves.normal[moves.wheels.side[number]] @ moves.wheels.ahead[number] > -UNSURE_SINE)


def _contacts(approach: Approach, moves: Manoeuvres, number: int, shifts: FloatArray, slack: float) -> tuple[FloatArray, Mask]:
    """Give where (n, d) on the facing the moves of one wheel meet it, and whether they do with `slack` to spare."""
    wheels, first = moves.wheels, moves.first[number]
    axes = np.stack([wheels.along[number], wheels.ahead[number]])
    ends = approach.halves.ends[wheels.side[number]] @ axes.T
    near = int(ends[1, 1] < ends[0, 1])
    s, r = (ends[near] + shifts @ axes.T).T
    run, rise = ends[1 - near] - ends[near]
    found = meeting((s[:, None], r[:, None]), (run, rise), (first * axes[0, 1], first * axes[1, 1]), width=approach.width)
    is_met = (np.minimum(found.beside, found.ahead) > slack) & (found.way < moves.longest[number] - slack)
    if approach.ignores_way:
        is_met &= ~is_between(found.way, moves.enter[number] - slack, moves.leave[number] + slack)
    return (found.share if near == 0 else 1.0 - found.share) * approach.facing.length, is_met


def is_between(way: FloatArray, enter: FloatArray, leave: FloatArray) -> Mask:
    """Tell whether second parts (...) end where a hazard of (..., hazards) is too near."""
    return np.asarray(((way[..., None] > enter) & (way[..., None] < leave)).any(axis=-1))
