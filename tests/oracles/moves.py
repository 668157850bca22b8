"""Brute force over snaking moves: initial forwards at 0.05 in, wheels at 1 degree, the rest by straight lines and
bisection.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tests.oracles.plane import Flags, Floats, Line, Scene, body, is_free, is_on, outlines

Shapes = NDArray[Any]
STEP = 0.05
TINY = 1e-9
"""Inches: far below every tolerance of the rules, far above rounding."""


@dataclass(frozen=True)
class Fronts:
    """The front edge where the charger starts: right and left corner, unit vector ahead, width in inches."""

    right: Floats
    left: Floats
    ahead: Floats
    width: float

    @classmethod
    def at_start(cls, scene: Scene) -> "Fronts":
        """Take the front edge of the charger as it stands."""
        corners = body(scene.charger, scene.charger.pose)
        heading = scene.charger.pose.heading
        return cls(
            corners[0],
            corners[1],
            np.array([math.cos(heading), math.sin(heading)]),
            scene.charger.width,
        )

    def pivot(self, d1: Floats, turn: Floats) -> Floats:
        """Return the corners (n, 2) about which signed wheels turn: the right one for clockwise, negative turns."""
        return np.where((turn < 0)[:, None], self.right, self.left) + d1[:, None] * self.ahead

    def spread(self, turn: Floats) -> Floats:
        """Return the vectors (n, 2) from the pivot to the outer corner before the turn."""
        across = self.left - self.right
        return np.where((turn < 0)[:, None], across, -across)

    def after(self, d1: Floats, turn: Floats) -> "Landed":
        """Return the fronts after an initial forward and a signed wheel each."""
        pivot = self.pivot(d1, turn)
        outer = pivot + rotated(self.spread(turn), turn)
        is_right = (turn < 0)[:, None]
        ahead = rotated(np.broadcast_to(self.ahead, pivot.shape), turn)
        return Landed(
            np.where(is_right, pivot, outer), np.where(is_right, outer, pivot), ahead, self.width
        )


@dataclass(frozen=True)
class Landed:
    """Many fronts: right corners, left corners, directions, each (n, 2)."""

    right: Floats
    left: Floats
    ahead: Floats
    width: float

    def advanced(self, distance: Floats) -> "Landed":
        """Move each straight ahead."""
        shift = distance[:, None] * self.ahead
        return Landed(self.right + shift, self.left + shift, self.ahead, self.width)

    def seen(self, ring: Floats) -> tuple[Floats, Floats]:
        """Return the points of a convex ring within each strip ahead, (n, k, 2), and how far ahead each is (infinite:
        none).
        """
        along = (self.left - self.right) / self.width
        offsets = ring[None, :, :] - self.right[:, None, :]
        across = np.einsum("nkj,nj->nk", offsets, along)
        forward = np.einsum("nkj,nj->nk", offsets, self.ahead)
        inside = np.where((across >= 0.0) & (across <= self.width), forward, np.inf)
        distance = np.hstack(
            [inside, _crossing(across, forward, 0.0), _crossing(across, forward, self.width)]
        )
        sideways = np.hstack([across, np.zeros_like(across), np.full_like(across, self.width)])
        reach = np.where(np.isfinite(distance), distance, 0.0)
        points = (
            self.right[:, None, :]
            + sideways[..., None] * along[:, None, :]
            + reach[..., None] * self.ahead[:, None, :]
        )
        return points, distance


def rotated(vectors: Floats, angles: Floats) -> Floats:
    """Turn vectors (n, 2) by angles (n,), counter-clockwise."""
    cos = np.cos(angles)
    sin = np.sin(angles)
    return np.column_stack(
        [vectors[:, 0] * cos - vectors[:, 1] * sin, vectors[:, 0] * sin + vectors[:, 1] * cos]
    )


def _crossing(across: Floats, forward: Floats, bound: float) -> Floats:
    """Return where each edge of a ring crosses one side of the strip ahead: the distance forward, or infinity."""
    here = across - bound
    there = np.roll(across, -1, axis=1) - bound
    crosses = (here * there <= 0.0) & (np.abs(here - there) > TINY)
    share = np.divide(here, here - there, out=np.zeros_like(here), where=crosses)
    return np.where(crosses, forward + share * (np.roll(forward, -1, axis=1) - forward), np.inf)


def nearest(fronts: Landed, ring: Floats) -> Floats:
    """Return how far each front goes straight ahead until it meets a convex ring, infinite where it never does."""
    least: Floats = fronts.seen(ring)[1].min(axis=1)
    return np.where(least >= -TINY, least, np.inf)


def reachable(scene: Scene, edge: Line) -> Floats:
    """Find initial contacts on a facing: rows (least u, greatest u, d1, signed wheel, d2)."""
    fronts = Fronts.at_start(scene)
    d1, contact = _initial(scene, fronts)
    rows = (
        [_contacts(scene, edge, fronts, np.array([[0.0, 0.0, contact]]))]
        if math.isfinite(contact)
        else []
    )
    for side in (-1.0, 1.0):
        rows += _wheeled(scene, edge, fronts, d1, _turns(scene, edge, side))
    return np.vstack([np.empty((0, 5)), *rows])


def _initial(scene: Scene, fronts: Fronts) -> tuple[Floats, float]:
    """Return the legal initial forwards on the grid that stay short of the target, and the one that meets it (or
    infinity).
    """
    zero = np.zeros(1)
    contact = float(nearest(fronts.after(zero, zero), body(scene.target, scene.target.pose))[0])
    far = min(contact, math.hypot(scene.state.board.width, scene.state.board.depth))
    d1 = np.append(np.arange(0.0, far, STEP), far)
    legal = _strips_free(scene, fronts.after(np.zeros_like(d1), np.zeros_like(d1)), d1)
    return d1[:-1][legal[:-1]], contact if legal[-1] else math.inf


def _strips_free(scene: Scene, fronts: Landed, distance: Floats) -> Flags:
    """Return a mask of the straight moves of fronts that keep their gaps and stay on the board."""
    ended = fronts.advanced(distance)
    return _swept_free(
        scene, np.stack([fronts.right, fronts.left, ended.left, ended.right], axis=1)
    )


def _swept_free(scene: Scene, corners: Floats) -> Flags:
    """Return a mask of the swept regions, vertices (n, k, 2), that are on the board and keep their gaps; flyers need
    only the board.
    """
    legal = is_on(scene.state.board, corners)
    if not scene.charger.profile.fly:
        legal[legal] = is_free(scene.obstacles, outlines(corners[legal]))
    return legal


def _turns(scene: Scene, edge: Line, side: float) -> Floats:
    """Return the signed wheels tried on one side: every degree, and the one that ends square to the facing."""
    square = side * math.remainder(
        math.atan2(-edge.outward[1], -edge.outward[0]) - scene.charger.pose.heading, math.tau
    )
    extra = [square] if 0 < square < math.pi / 2 else []
    return side * np.unique(np.append(np.radians(np.arange(0.0, 91.0)), extra))


def _wheeled(scene: Scene, edge: Line, fronts: Fronts, d1: Floats, turns: Floats) -> list[Floats]:
    """Follow every wheel of one side after every initial forward; contacts met in the wheel, and after it."""
    slices = len(turns) - 1
    start = np.repeat(d1, slices)
    low = np.tile(turns[:-1], len(d1))
    high = np.tile(turns[1:], len(d1))
    swept = fan(fronts, start, low, high)
    meets = _meets(scene, outlines(swept)).reshape(-1, slices)
    free = _swept_free(scene, swept).reshape(-1, slices)
    clear = np.logical_and.accumulate(free & ~meets, axis=1)
    first = meets & np.hstack([np.ones((len(d1), 1), dtype=bool), clear[:, :-1]])
    in_wheel = _bisected(scene, fronts, *(values[first.ravel()] for values in (start, low, high)))
    ended = np.column_stack([start, high])[clear.ravel()]
    return [
        _contacts(scene, edge, fronts, in_wheel),
        _contacts(scene, edge, fronts, _concluded(scene, fronts, ended)),
    ]


def fan(fronts: Fronts, d1: Floats, low: Floats, high: Floats) -> Floats:
    """Return corners (n, 4, 2) of a region that covers what a front sweeps while wheeling from `low` to `high`."""
    pivot = fronts.pivot(d1, high)
    spread = fronts.spread(high)
    # The tip is where the tangents at both ends meet: the region holds the arc, so nothing swept is overlooked.
    tip = rotated(spread, (low + high) / 2) / np.cos((high - low) / 2)[:, None]
    return np.stack(
        [pivot, pivot + rotated(spread, low), pivot + tip, pivot + rotated(spread, high)], axis=1
    )


def _meets(scene: Scene, shapes: object) -> Flags:
    ring = shapely.Polygon(body(scene.target, scene.target.pose))
    shapely.prepare(ring)
    return np.asarray(shapely.intersects(ring, shapes))


def _edges(fronts: Landed) -> Shapes:
    result: Shapes = shapely.linestrings(np.stack([fronts.right, fronts.left], axis=1))
    return result


def _bisected(scene: Scene, fronts: Fronts, d1: Floats, low: Floats, high: Floats) -> Floats:
    """Find where wheels meet the target between `low` and `high`; rows (d1, wheel, 0) of those that do and sweep
    freely.
    """
    start = low
    met = _meets(scene, _edges(fronts.after(d1, high)))
    for _ in range(60):
        middle = (low + high) / 2
        hit = _meets(scene, _edges(fronts.after(d1, middle)))
        low = np.where(hit, low, middle)
        high = np.where(hit, middle, high)
    legal = met & _swept_free(scene, fan(fronts, d1, start, high))
    return np.column_stack([d1, high, np.zeros_like(d1)])[legal]


def _concluded(scene: Scene, fronts: Fronts, moves: Floats) -> Floats:
    """Go straight ahead after (d1, wheel) until the target is met; rows (d1, wheel, d2) of the legal ones."""
    wheeled = fronts.after(moves[:, 0], moves[:, 1])
    d2 = nearest(wheeled, body(scene.target, scene.target.pose))
    hits = np.isfinite(d2)
    ahead = fronts.after(*moves[hits].T)
    moves = moves[hits]
    d2 = d2[hits]
    return np.column_stack([moves, d2])[_strips_free(scene, ahead, d2)]


def _contacts(scene: Scene, edge: Line, fronts: Fronts, moves: Floats) -> Floats:
    """Return for moves (d1, wheel, d2) the stretch of the facing that is met, as rows (least u, greatest u, d1, wheel,
    d2).
    """
    ended = fronts.after(moves[:, 0], moves[:, 1]).advanced(moves[:, 2])
    points, distance = ended.seen(body(scene.target, scene.target.pose))
    u, v = np.moveaxis(edge.coordinates(points), -1, 0)
    inset = scene.readings.clearance if scene.readings.corners == "neither" else -TINY
    met = (
        (np.abs(distance) <= TINY * 10)
        & (np.abs(v) <= TINY * 100)
        & (u >= -TINY * 100)
        & (u <= edge.length + TINY * 100)
    )
    low = np.where(met, u, np.inf).min(axis=1)
    high = np.where(met, u, -np.inf).max(axis=1)
    low = np.maximum(low, inset)
    high = np.minimum(high, edge.length - inset)
    kept = met.any(axis=1) & (low <= high)
    kept[kept] = is_free(
        scene.obstacles,
        _edges(Landed(ended.right[kept], ended.left[kept], ended.ahead[kept], ended.width)),
    )
    return np.asarray(np.column_stack([low, high, moves])[kept], dtype=np.float64)
