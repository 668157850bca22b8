"""Paths through the air: straight in plan, and in height either a taut line over the tops of all that lies below, or
straight.

The strings of many flights are computed at once: their corners are (inches along the path in plan, height).
"""

import numpy as np

from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.routes.bodies import BOARD
from tabletop.routes.heights import HeightField, Place
from tabletop.routes.lines import Hits, Segments
from tabletop.units import CONTACT


def air_lengths(
    land: HeightField,
    start: Place,
    ends: FloatArray,
    *,
    is_taut: bool = True,
    is_reduced: bool = False,
) -> FloatArray:
    """Return the lengths (n,) in inches of flights from `start` to `ends` (n, 3), places x, y, z; inf where a barrier
    is in the way.

    See `through_the_air` for the flight and `is_taut`. If it `is_reduced`, for a lower bound, only barriers that close
    all heights are in the way: the flight of a larger footprint may pass higher over what lies below.
    """
    away = ends - start
    lengths: FloatArray = np.sqrt((away * away).sum(axis=1))
    lines = Segments(np.repeat([start[:2]], len(ends), axis=0), ends[:, :2])
    hits = _crossed(land, lines)
    met = np.unique(hits.line)
    if len(met):
        hits = hits._replace(line=np.searchsorted(met, hits.line))
        is_wall = land.is_barrier & (np.isinf(land.lows) & np.isinf(land.highs) | (not is_reduced))
        strings = _strings(land, hits, lines.lengths[met], start[2], ends[met, 2], is_taut=is_taut)
        legs = np.diff(strings, axis=1)
        flown = np.sqrt((legs * legs).sum(axis=2)).sum(axis=1)
        lengths[met] = np.where(
            _are_stopped(land, hits.of(is_wall[hits.body]), strings), np.inf, flown
        )
    return lengths


def through_the_air(
    land: HeightField, start: Place, end: Place, *, is_taut: bool = True
) -> tuple[Place, ...] | None:
    """Return the points (x, y, z) of the flight, straight in plan, between two places; None if a barrier is in its way.

    If it `is_taut` it is the shortest line that is nowhere lower than the solids below it, else a straight line,
    whatever lies below. A barrier is in its way if the line, between entering and leaving the barrier in plan, comes to
    a height that the barrier closes.
    """
    line = Segments(np.array([start[:2]]), np.array([end[:2]]))
    hits = _crossed(land, line)
    strings = _strings(land, hits, line.lengths, start[2], np.array([end[2]]), is_taut=is_taut)
    if _are_stopped(land, hits.of(land.is_barrier[hits.body]), strings)[0]:
        return None
    string = np.array(list(dict.fromkeys(map(tuple, strings[0].tolist()))))
    points = line.tails[0] + string[:, :1] * line.directions[0]
    inner = np.column_stack([points, string[:, 1]])[1:-1].tolist()
    return (start, *((x, y, z) for x, y, z in inner), end)


def _crossed(land: HeightField, lines: Segments) -> Hits:
    nobody = np.full(len(lines.lengths), BOARD)
    return land.crossed(lines, nobody, nobody)


def _strings(
    land: HeightField,
    hits: Hits,
    lengths: FloatArray,
    height: float,
    heights: FloatArray,
    *,
    is_taut: bool,
) -> FloatArray:
    """Return the strings (n, k, 2) of flights, `lengths` (n,) inches long in plan, from a height to others (n,).

    Those that are taut must pass over the corners where the paths enter and leave solids.
    """
    firsts = np.column_stack([np.zeros(len(lengths)), np.full(len(lengths), height)])
    lasts = np.column_stack([lengths, heights])
    if not is_taut:
        return np.stack([firsts, lasts], axis=1)
    over = hits.of(land.tops[hits.body] >= 0)
    over = over.of(np.argsort(over.line, kind="stable"))
    place = np.arange(len(over.line)) - np.searchsorted(over.line, over.line)
    corners = np.repeat(lasts[:, None], 2 * int(place.max(initial=-1)) + 2, axis=1)
    for end, along in enumerate((over.start, over.end)):
        corners[over.line, 2 * place + end, 0] = np.clip(along, 0.0, lengths[over.line])
        corners[over.line, 2 * place + end, 1] = land.heights[land.tops[over.body]]
    return taut_strings(firsts, lasts, corners)


def taut_strings(firsts: FloatArray, lasts: FloatArray, corners: FloatArray) -> FloatArray:
    """Return the shortest lines (n, k, 2) from points `firsts` to `lasts` (n, 2) that pass over `corners` (n, c, 2).

    They are upper convex hulls, with their ends repeated up to equal numbers of points.

    Examples
    --------
    >>> corners = np.array([[(4.0, 3.0), (6.0, 3.0), (5.0, 1.0)]])
    >>> taut_strings(np.array([(0.0, 0.0)]), np.array([(10.0, 0.0)]), corners)[0, 1:4].tolist()
    [[0.0, 0.0], [4.0, 3.0], [6.0, 3.0]]
    """
    rows = np.arange(len(firsts))
    posts = [_lifted(ends, corners) for ends in (firsts, lasts)]
    # of corners on one slope the farthest is the next, so the farthest come first
    order = np.argsort(-corners[..., 0], axis=1, kind="stable")
    corners = np.concatenate([posts[1][:, None], corners[rows[:, None], order]], axis=1)
    at = posts[0]
    string = [firsts, at]
    while (at[:, 0] < lasts[:, 0]).any():
        away = corners - at[:, None]
        is_ahead = away[..., 0] > 0.0
        run = np.where(is_ahead, away[..., 0], 1.0)
        slopes = np.where(is_ahead, away[..., 1] / run, -np.inf)
        at = corners[rows, slopes.argmax(axis=1)]
        string.append(at)
    return np.stack([*string, lasts], axis=1)


def _lifted(ends: FloatArray, corners: FloatArray) -> FloatArray:
    """Return ends (n, 2) of lines lifted to the highest of the corners (n, c, 2) straight above them."""
    is_above = corners[..., 0] == ends[:, :1]
    highest = np.where(is_above, corners[..., 1], -np.inf).max(axis=1, initial=-np.inf)
    return np.column_stack([ends[:, 0], np.maximum(ends[:, 1], highest)])


def _are_stopped(land: HeightField, walls: Hits, strings: FloatArray) -> BoolArray:
    """Return (n,) which lines, strings (n, k, 2), pass through the closed heights of a barrier that they cross."""
    stopped = np.zeros(len(strings), dtype=bool)
    if not len(walls.line):
        return stopped
    along, height = np.moveaxis(strings[walls.line], 2, 0)
    enters, leaves = (
        np.clip(ends, 0.0, along[:, -1])[:, None] for ends in (walls.start, walls.end)
    )
    is_inner = (along > walls.start[:, None]) & (along < walls.end[:, None])
    at_ends = [_heights_at(along, height, ends) for ends in (enters, leaves)]
    highest = np.maximum.reduce([np.where(is_inner, height, -np.inf).max(axis=1), *at_ends])
    lowest = np.minimum.reduce([np.where(is_inner, height, np.inf).min(axis=1), *at_ends])
    is_shut = (land.lows[walls.body] <= highest + CONTACT) & (
        land.highs[walls.body] >= lowest - CONTACT
    )
    stopped[walls.line[is_shut]] = True
    return stopped


def _heights_at(along: FloatArray, height: FloatArray, places: FloatArray) -> FloatArray:
    """Return the heights (n,) of strings, corners at `along` (n, k) with `height` (n, k), at places (n, 1) along them.

    A string is nowhere higher than the lines through its legs, as an upper convex hull.
    """
    run = np.diff(along, axis=1)
    is_leg = run > 0.0
    slopes = np.diff(height, axis=1) / np.where(is_leg, run, 1.0)
    lines = height[:, :-1] + slopes * (places - along[:, :-1])
    lowest = np.where(is_leg, lines, np.inf).min(axis=1)
    return np.where(places[:, 0] < along[:, -1], lowest, height[:, -1])
