"""Brute force for one aligned charge: snaking moves on a grid, then slides on a grid of 0.05 in and where edges
coincide.

It may miss the best place, since it samples, but whatever it finds is legal: a solver must never do worse.
"""

import math
from dataclasses import dataclass

import numpy as np

from tests.oracles.moves import STEP, Fronts, nearest, reachable
from tests.oracles.plane import (
    TOUCH,
    Facing,
    Flags,
    Floats,
    Line,
    Scene,
    body,
    counts,
    is_free,
    is_on,
    line,
    outlines,
    shown,
)


@dataclass(frozen=True)
class Place:
    """An aligned place: right front corner at `u0` on `facing`, the counts, and the lengths of the free choice in
    inches.
    """

    facing: Facing
    u0: float
    targets: int
    chargers: int
    length: float
    offset: float
    travel: float

    @property
    def counts(self) -> tuple[int, int]:
        """Models in contact: of the target, of the charger."""
        return (self.targets, self.chargers)


@dataclass(frozen=True)
class Found:
    """All contacts found on one facing, rows (least u, greatest u, d1, signed wheel, d2), and the aligned places."""

    facing: Facing
    contacts: Floats
    places: tuple[Place, ...]

    def least_wheel(self, u0: float, width: float) -> float:
        """Return the smallest wheel in radians among the moves found that allow a place; infinite if none does."""
        allowed = (self.contacts[:, 0] <= u0 + width) & (self.contacts[:, 1] >= u0)
        return float(np.abs(self.contacts[allowed, 3]).min(initial=math.inf))


def search(scene: Scene) -> tuple[Found, ...]:
    """Search the Target Facing, or both facings of a dividing line."""
    return tuple(_on_facing(scene, facing) for facing in scene.facings)


def best_counts(found: tuple[Found, ...]) -> tuple[int, int] | None:
    """Return the best (target models, charger models) in contact; None if no aligned place was found."""
    return max((place.counts for item in found for place in item.places), default=None)


def is_first_ahead(scene: Scene) -> bool:
    """Return whether the front, moved straight ahead, meets the target before any other unit or impassable terrain."""
    start = Fronts.at_start(scene).after(np.zeros(1), np.zeros(1))
    distance = nearest(start, body(scene.target, scene.target.pose)) - 2 * TOUCH
    if not math.isfinite(distance[0]):
        return False
    ended = start.advanced(distance)
    strip = outlines(np.stack([start.right, start.left, ended.left, ended.right], axis=1))[0]
    others = (item for item in scene.everything if item.name != scene.target.name)
    return all(strip.distance(item.core) > item.radius for item in others)


def _on_facing(scene: Scene, facing: Facing) -> Found:
    edge = line(scene.target, facing)
    contacts = reachable(scene, edge)
    slides = _slides(scene, facing, edge, contacts) if len(contacts) else np.empty(0)
    return Found(facing, contacts, _places(scene, facing, edge, slides))


def _slides(scene: Scene, facing: Facing, edge: Line, contacts: Floats) -> Floats:
    """Return the slides tried that keep an initial contact and stand free."""
    width = scene.charger.width
    grid = np.arange(-width, edge.length, STEP)
    low, high = _ends(np.sort(contacts[:, :2].ravel()))
    tried = np.unique(
        np.concatenate(
            [
                grid,
                coincidences(scene, facing),
                low,
                high - width,
                centred(scene, edge),
                limits(scene, edge, grid),
            ]
        )
    )
    tried = tried[keeps(tried, width, contacts)]
    return tried[stands(scene, edge, tried)]


def _ends(points: Floats) -> tuple[Floats, Floats]:
    """Return the first and last points of runs with gaps of no more than one step."""
    jumps = np.diff(points) > STEP
    return points[np.append(True, jumps)], points[np.append(jumps, True)]


def limits(scene: Scene, edge: Line, grid: Floats) -> Floats:
    """Bisect the slides at which the boundary begins or ceases to stand free, between neighbours on the grid."""
    legal = stands(scene, edge, grid)
    changes = np.flatnonzero(legal[:-1] != legal[1:])
    good = np.where(legal[changes], grid[changes], grid[changes + 1])
    bad = np.where(legal[changes], grid[changes + 1], grid[changes])
    for _ in range(40):
        middle = (good + bad) / 2
        free = stands(scene, edge, middle)
        good = np.where(free, middle, good)
        bad = np.where(free, bad, middle)
    return good


def coincidences(scene: Scene, facing: Facing) -> Floats:
    """Return the slides at which an edge of a shown target model meets one of a charger's model."""
    charger = scene.charger
    theirs = np.array(
        [bound for low, high, _ in shown(scene.target, facing) for bound in (low, high)]
    )
    left = np.arange(charger.files) * (charger.base.width + charger.spacing)
    ours = np.concatenate([left, left + charger.base.width])
    return np.unique((theirs[:, None] - ours[None, :]).ravel())


def centred(scene: Scene, edge: Line) -> Floats:
    """Return the slides that the free choice may prefer: centred, flush with either end, and straight ahead of the
    start.
    """
    width = scene.charger.width
    ahead = edge.coordinates(np.array([scene.charger.pose.x, scene.charger.pose.y]))[0] - width / 2
    return np.array([(edge.length - width) / 2, 0.0, edge.length - width, ahead])


def keeps(slides: Floats, width: float, contacts: Floats) -> Flags:
    """Return a mask of the slides with one of the contacts within the front."""
    points = np.sort(contacts[:, :2].ravel())
    first = np.searchsorted(points, slides - TOUCH)
    near = np.append(points, np.inf)[first] <= slides + width + TOUCH
    spans = np.unique(np.round(contacts[contacts[:, 1] - contacts[:, 0] > TOUCH, :2], 9), axis=0)
    over = (spans[None, :, 0] <= slides[:, None]) & (spans[None, :, 1] >= slides[:, None] + width)
    return np.asarray(near | over.any(axis=1))


def stands(scene: Scene, edge: Line, slides: Floats) -> Flags:
    """Return a mask of the slides whose whole boundary is on the board and keeps its gaps."""
    width = scene.charger.width
    depth = scene.charger.depth
    front = edge.start + slides[:, None] * edge.along
    back = front + depth * edge.outward
    corners = np.stack([front, front + width * edge.along, back + width * edge.along, back], axis=1)
    legal = is_on(scene.state.board, corners)
    legal[legal] = is_free(scene.obstacles, outlines(corners[legal]))
    return legal


def _places(scene: Scene, facing: Facing, edge: Line, slides: Floats) -> tuple[Place, ...]:
    models = counts(scene, facing, slides)
    return tuple(
        Place(facing, float(u0), int(theirs), int(ours), *_lengths(scene, edge, float(u0)))
        for u0, (theirs, ours) in zip(slides, models, strict=True)
    )


def _lengths(scene: Scene, edge: Line, u0: float) -> tuple[float, float, float]:
    """Return contact length, distance of the middles, and distance from where the front's middle started, in inches."""
    width = scene.charger.width
    start = scene.charger.pose
    pose = edge.landing(u0, width)
    length = max(min(u0 + width, edge.length) - max(u0, 0.0), 0.0)
    return length, u0 + width / 2 - edge.length / 2, math.hypot(pose.x - start.x, pose.y - start.y)
