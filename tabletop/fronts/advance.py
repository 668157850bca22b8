"""How far a front can go straight ahead before it meets a body, for many places of the front at once.

Frame: the front lies on x from 0 to its width and looks along +y. Bodies are rings as in `tabletop.geometry.ring`, seen from it.
"""

from typing import NamedTuple

import numpy as np

from tabletop.budget import keep_time
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.ring import Sides, sides

CORNERS_AT_ONCE = 200_000
"""Corners of rings whose contacts are looked for at once: more are taken part by part, as long as there is time."""


class Advances(NamedTuple):
    """The open stretch of a straight way (inches) on which a front is nearer to a body than asked; low > high if it never is."""

    low: FloatArray
    high: FloatArray

    def blocks(self, ways: FloatArray) -> np.ndarray:
        """Tell which ways (inches ahead, from where the front stands) lead into the stretch."""
        result: np.ndarray = (self.low < ways) & (self.high > 0.0)
        return result


class Touch(NamedTuple):
    """Where a front first meets a body: inches ahead (inf if never), and inches along the front."""

    way: FloatArray
    place: FloatArray


def advances(rings: FloatArray, width: float, *, level: FloatArray) -> Advances:
    """Give on which stretch of its way a front is nearer than `level` (...) inches to rings (..., n, 2); if negative, so deep in them.

    A front that only passes beside a ring at just that distance is not nearer.
    """
    inset = np.maximum(-level, 0.0)
    low_end, high_end, out = inset, width - inset, np.maximum(level, 0.0)
    edges = sides(rings)
    beyond = np.maximum(np.maximum(low_end - edges.x, edges.x - high_end), 0.0)
    half = np.sqrt(np.maximum(out * out - beyond * beyond, 0.0))
    is_beside = (beyond >= out) & (beyond > 0.0)
    lows = [np.where(is_beside, np.inf, edges.y - half)]
    highs = [np.where(is_beside, -np.inf, edges.y + half)]
    for end in (low_end, high_end):
        crossed = _edge_crossings(edges, end, out)
        lows.append(np.where(np.isnan(crossed), np.inf, crossed))
        highs.append(np.where(np.isnan(crossed), -np.inf, crossed))
    low, high = np.concatenate(lows).min(axis=0) + inset, np.concatenate(highs).max(axis=0) - inset
    passes = (edges.x.min(axis=0) >= high_end + out) | (edges.x.max(axis=0) <= low_end - out)
    return Advances(np.where(passes, np.inf, low), np.where(passes, -np.inf, high))


def _edge_crossings(edges: Sides, end: FloatArray, out: FloatArray) -> FloatArray:
    """Give how far ahead the end of a front is `out` inches outside each edge (n, ...), nan where it passes beside the edge."""
    normal_x, normal_y = edges.along_y, -edges.along_x
    has_slope = (edges.length > 0.0) & (np.abs(normal_y) > 0.0)
    ahead = (edges.height + out - normal_x * end) / np.where(has_slope, normal_y, np.nan)
    along = (end - out * normal_x - edges.x) * edges.along_x + (ahead - out * normal_y - edges.y) * edges.along_y
    return np.where((along >= 0.0) & (along <= edges.length), ahead, np.nan)


def first_touch(rings: FloatArray, width: float) -> Touch:
    """Give where the front first touches rings (..., n, 2) that lie ahead: at a corner of theirs, or with one of its own ends."""
    flat = rings.reshape(-1, *rings.shape[-2:])
    size = max(CORNERS_AT_ONCE // max(rings.shape[-2], 1), 1)
    if len(flat) > size:
        parts = [_first_touch(flat[start : start + size], width) for start in range(0, len(flat), size)]
        way, place = (np.concatenate(one).reshape(rings.shape[:-2]) for one in zip(*parts, strict=True))
        return Touch(way, place)
    return _first_touch(rings, width)


def _first_touch(rings: FloatArray, width: float) -> Touch:
    keep_time()
    edges = sides(rings)
    is_over = (edges.x >= 0.0) & (edges.x <= width)
    ways, places = [np.where(is_over, edges.y, np.inf)], [edges.x]
    for end in (0.0, width):
        crossed = _edge_crossings(edges, np.asarray(end), np.asarray(0.0))
        ways.append(np.where(np.isnan(crossed), np.inf, crossed))
        places.append(np.full_like(crossed, end))
    way, place = np.concatenate(ways), np.concatenate(places)
    first = way.argmin(axis=0)[None]
    return Touch(np.take_along_axis(way, first, axis=0)[0], np.take_along_axis(place, first, axis=0)[0])
