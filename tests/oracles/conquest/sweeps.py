"""When a moving frame first comes too near, and whether a turn stays free.

A gap changes by no more than a corner travels, so a gap that is large enough in the middle of an interval of a turn
clears all of it; the others are halved. Along a straight line the gap of two convex bodies is a convex function of the
way.
"""

import math
from dataclasses import replace

import numpy as np
import shapely

from tests.oracles.conquest.bodies import Edge, Flags, Floats, Frames, Obstacle

FINEST = 1e-10
"""Radians or inches: how exactly a first breach is found."""
BESIDE = 2e-3
"""Inches: a body that keeps this near to the needed gap from the pivot keeps it through the turn, which no halving
resolves."""
DIP = 4e-4
"""Inches: a turn is not searched for breaches that would show between samples as near as this only."""
COARSE = 1 / 128
"""Share of a turn about a pivot beside a body: enough, since the body leaves or enters the frame's quarter only
once."""


def wheel_breach(
    frame: Frames, pivot: Floats, obstacle: Obstacle, *, level: float, sign: float, end: float
) -> float:
    """Return the least angle in [0, end] at which one frame, turning about a point, has a gap below a level; infinity
    if none.

    `sign` is 1 for a turn counter-clockwise, -1 for one clockwise; angles in radians.
    """

    def gaps(angles: Floats) -> Floats:
        some = np.zeros(len(angles), dtype=int)
        return obstacle.gaps(
            frame.take(some).turned(np.tile(pivot, (len(angles), 1)), sign * angles).corners
        )

    if gaps(np.zeros(1))[0] < level:
        return 0.0
    rate = float(np.hypot(*(frame.corners[0] - pivot).T).max())
    finest = end * COARSE if is_beside(pivot[None, :], obstacle)[0] else FINEST
    edges = np.linspace(0.0, end, math.ceil(end * rate / 0.25) + 1)
    low = edges[:-1]
    high = edges[1:]
    first = end if gaps(np.array([end]))[0] < level else math.inf
    while len(low):
        middle = (low + high) / 2
        half = (high - low) / 2
        measured = gaps(middle)
        first = min(first, float(middle[measured < level].min(initial=math.inf)))
        doubtful = (measured - level < rate * half) & (half > finest)
        is_open = (low < first) & (half > FINEST) & (doubtful | (high >= first))
        low = low[is_open]
        middle = middle[is_open]
        high = high[is_open]
        low = np.concatenate([low, middle])
        high = np.concatenate([middle, high])
        low, high = low[low < first], high[low < first]
    return first


def is_beside(points: Floats, obstacle: Obstacle) -> Flags:
    """Return a mask of the points at about the required distance from an obstacle."""
    return np.abs(obstacle.distances(points) - obstacle.needed) < BESIDE


def turns_keep(
    frames: Frames,
    pivots: Floats,
    turns: Floats,
    obstacle: Obstacle,
    *,
    level: float,
    is_whole: bool = True,
) -> Flags:
    """Return a mask of the frames that keep a gap of at least `level` inches while turning about points, or only at the
    end.
    """
    kept = obstacle.gaps(frames.turned(pivots, turns).corners) >= level
    if not is_whole:
        return np.asarray(kept)
    kept &= obstacle.gaps(frames.corners) >= level
    reach = np.hypot(*(frames.corners - pivots[:, None, :]).transpose(2, 0, 1)).max(
        axis=1
    ) * np.abs(turns)
    finest = np.where(is_beside(pivots, obstacle), COARSE, 0.0)
    which = np.flatnonzero(kept)
    low = np.zeros(len(which))
    high = np.ones(len(which))
    while len(which):
        middle = (low + high) / 2
        half = (high - low) / 2
        measured = obstacle.gaps(
            frames.take(which).turned(pivots[which], middle * turns[which]).corners
        )
        kept[which[measured < level]] = False
        slack = reach[which] * half
        is_open = kept[which] & (measured - level < slack) & (slack > DIP) & (half > finest[which])
        which = which[is_open]
        low = low[is_open]
        middle = middle[is_open]
        high = high[is_open]
        which = np.tile(which, 2)
        low = np.concatenate([low, middle])
        high = np.concatenate([middle, high])
    return np.asarray(kept)


def slide_breach(
    frame: Frames, along: Floats, obstacle: Obstacle, *, level: float, end: float
) -> float:
    """Return the least length in [0, end] at which one frame, slid along a unit vector, has a gap below a level;
    infinity if none.
    """
    if isinstance(obstacle, Edge):
        return _first_below(frame, along, obstacle, level=level, least=end)
    parts = [
        replace(obstacle, core=shapely.MultiPoint(piece).convex_hull) for piece in obstacle.pieces
    ]
    return min(
        _first_below(frame, along, part, level=level, least=_least(frame, along, part, end))
        for part in parts
    )


def _slid(frame: Frames, along: Floats, obstacle: Obstacle, lengths: Floats) -> Floats:
    return obstacle.gaps(
        frame.take(np.zeros(len(lengths), dtype=int)).shifted(lengths[:, None] * along).corners
    )


def _least(frame: Frames, along: Floats, obstacle: Obstacle, end: float) -> float:
    """Find by narrowing at which length a convex gap is least."""
    low = 0.0
    high = end
    while high - low > FINEST:
        grid = np.linspace(low, high, 17)
        best = int(np.argmin(_slid(frame, along, obstacle, grid)))
        low = float(grid[max(best - 1, 0)])
        high = float(grid[min(best + 1, 16)])
    return (low + high) / 2


def _first_below(
    frame: Frames, along: Floats, obstacle: Obstacle, *, level: float, least: float
) -> float:
    """Find the first length below a level, given the one of the least gap."""
    if _slid(frame, along, obstacle, np.array([least]))[0] >= level:
        return math.inf
    low = 0.0
    high = least
    while high - low > FINEST:
        grid = np.linspace(low, high, 17)
        first = int(np.argmax(_slid(frame, along, obstacle, grid) < level))
        if first == 0:
            return low
        low = float(grid[first - 1])
        high = float(grid[first])
    return high
