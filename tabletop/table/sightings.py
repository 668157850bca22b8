"""Sight of a body at very many places: where it surely is clear, and where it surely is not. In between, ask `tabletop.table.sight`."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from tabletop.geometry.pose import FloatArray
from tabletop.geometry.ring import ring_gap, separation
from tabletop.geometry.shape import Shape, edge_normals
from tabletop.table.sight import Blocker, View

Mask = np.ndarray

SIGHT_SPARE = 1e-3
"""Inches to which a line must be clear, or stopped, or outside the arc."""

SHARES = (0.5, 0.0, 1.0, 0.25, 0.75)
"""Points of a front edge that lines are drawn from."""


def surely_seen(view: View, blockers: Sequence[Blocker], shifts: FloatArray) -> Mask:
    """Tell for which shifts (n, 2) in inches of the view's target one of a few lines to it is clear."""
    seen = np.zeros(len(shifts), dtype=bool)
    for start, end in _lines(view):
        left = np.flatnonzero(~seen)
        ends = end + shifts[left]
        left, ends = left[within := _in_arc(view, start, ends)], ends[within]
        if len(left):
            segments = np.stack([np.broadcast_to(start, ends.shape), ends], axis=1)
            seen[left] = _are_clear(segments, blockers)
    return seen


def _lines(view: View) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Give lines from the fronts to corners and to middles of the sides of the target, those that differ most first."""
    aims = np.concatenate([view.target, (view.target + np.roll(view.target, -1, axis=0)) / 2])
    for share in SHARES:
        for start, end in view.fronts:
            for aim in aims:
                yield np.array(start) + share * (np.array(end) - start), aim


def _in_arc(view: View, start: FloatArray, ends: FloatArray) -> Mask:
    ahead = np.array([math.cos(view.heading), math.sin(view.heading)])
    forward, aside = (ends - start) @ ahead, np.abs((ends - start) @ np.array([-ahead[1], ahead[0]]))
    within: Mask = (aside * math.cos(view.arc) - forward * math.sin(view.arc) < -SIGHT_SPARE) & (forward > SIGHT_SPARE)
    return within


def _are_clear(segments: FloatArray, blockers: Sequence[Blocker]) -> Mask:
    clear = np.ones(len(segments), dtype=bool)
    for blocker in blockers:
        left = np.flatnonzero(clear)
        is_past = np.ones(len(left), dtype=bool)
        for piece in blocker.shape.parts:
            is_past &= separation(segments[left], piece) > blocker.shape.radius + SIGHT_SPARE
        if blocker.is_ignored_inside:
            is_past |= _are_inside(segments[left, 0], blocker.shape) | _are_inside(segments[left, 1], blocker.shape)
        clear[left] = is_past
    return clear


def _are_inside(points: FloatArray, shape: Shape) -> Mask:
    """Tell which points (n, 2) surely lie inside a convex part of a shape."""
    inside = np.zeros(len(points), dtype=bool)
    for piece in shape.parts:
        inside |= ring_gap(points[:, None], piece) < shape.radius - SIGHT_SPARE
    return inside


def surely_unseen(view: View, blockers: Sequence[Blocker], shifts: FloatArray) -> Mask:
    """Tell for which shifts (n, 2) in inches the target is wholly outside the arc, or one blocker stops every line to it."""
    unseen = _outside_arc(view, shifts)
    for blocker in blockers:
        left = np.flatnonzero(~unseen)
        if len(left):
            unseen[left] = _are_stopped(view, blocker, shifts[left])
    return unseen


def _outside_arc(view: View, shifts: FloatArray) -> Mask:
    """Part the target by a line from the region that the fronts see: it is convex, two rays and the edge between the outer ends."""
    front, rays = _hull(view), _rays(view)
    normals = np.array([[rays[0, 1], -rays[0, 0]], [-rays[1, 1], rays[1, 0]], [-math.cos(view.heading), -math.sin(view.heading)]])
    beyond = (normals @ view.target.T).min(axis=1) + shifts @ normals.T - (normals @ front.T).max(axis=1)
    outside: Mask = (beyond > SIGHT_SPARE).any(axis=1)
    for normal, limit in zip(own := edge_normals(view.target), (own @ view.target.T).max(axis=1), strict=True):
        if (rays @ normal >= 0.0).all():
            outside |= (front @ normal).min() > limit + shifts @ normal + SIGHT_SPARE
    return outside


def _hull(view: View) -> FloatArray:
    """Give the right and the left end of all the fronts, which lie on one line."""
    ends = np.array(view.fronts).reshape(-1, 2)
    places = ends @ np.array([math.sin(view.heading), -math.cos(view.heading)])
    return ends[[places.argmax(), places.argmin()]]


def _rays(view: View) -> FloatArray:
    """Give the directions of the arc's limits, right and left."""
    return np.array([[math.cos(view.heading + turn), math.sin(view.heading + turn)] for turn in (-view.arc, view.arc)])


def _are_stopped(view: View, blocker: Blocker, shifts: FloatArray) -> Mask:
    """Tell whether one convex part of a blocker stops the lines from both ends of the fronts to all corners of the target.

    Then it stops all lines. Where it stops those from one point to both ends of an edge it holds a point of each, and the
    segment between these, which it holds too, crosses every line from the point to the edge. So, corner by corner, it stops the
    lines from either end to the whole target, and from there in the same way those from all points between the ends.
    """
    front = _hull(view)
    stopped = np.zeros(len(shifts), dtype=bool)
    for piece in blocker.shape.parts:
        all_stopped = np.ones(len(shifts), dtype=bool)
        for start in front:
            for corner in view.target:
                left = np.flatnonzero(all_stopped)
                segments = np.stack([np.broadcast_to(start, (len(left), 2)), corner + shifts[left]], axis=1)
                all_stopped[left] = ring_gap(segments, piece) < blocker.shape.radius - SIGHT_SPARE
        stopped |= all_stopped
    if blocker.is_ignored_inside:
        for piece in blocker.shape.parts:
            stopped &= ring_gap(front, piece) > blocker.shape.radius + SIGHT_SPARE
            stopped &= ring_gap(view.target + shifts[:, None], piece) > blocker.shape.radius + SIGHT_SPARE
    return stopped
