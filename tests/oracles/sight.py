"""Brute force for line of sight: segments between points every 0.1 in of the models' front edges and of the target's
boundary.
"""

import math
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tests.oracles.plane import Flags, Floats, Scene, body

STEP = 0.1
HALF_ANGLE = math.pi / 4
HAIR = 1e-6


def sees(scene: Scene) -> bool:
    """Return whether some sampled line of sight is clear: true is certain, false is likely."""
    starts = _starts(scene)
    ends = _ends(scene)
    first = np.repeat(starts, len(ends), axis=0)
    second = np.tile(ends, (len(starts), 1))
    return bool(are_clear(scene, first, second).any())


def are_clear(scene: Scene, starts: Floats, ends: Floats) -> Flags:
    """Return a mask of segments, end points (n, 2), within 45 degrees of the heading that cross nothing opaque."""
    across, ahead = _local(scene, ends - starts)
    clear = np.abs(np.arctan2(across, ahead)) <= HALF_ANGLE + HAIR / 10
    segments: NDArray[Any] = np.asarray(shapely.linestrings(np.stack([starts, ends], axis=1)))
    for core in _units(scene):
        clear &= ~shapely.intersects(core.buffer(-HAIR, join_style="mitre"), segments)
    for core in _pieces(scene):
        exempt = shapely.dwithin(core, shapely.points(starts), HAIR) | shapely.dwithin(
            core, shapely.points(ends), HAIR
        )
        clear &= exempt | ~shapely.intersects(core.buffer(-HAIR, join_style="mitre"), segments)
    return clear


def _local(scene: Scene, vectors: Floats) -> tuple[Floats, Floats]:
    """Return how far vectors (n, 2) go to the right and ahead of the charger."""
    heading = scene.charger.pose.heading
    ahead = np.array([math.cos(heading), math.sin(heading)])
    return vectors @ np.array([ahead[1], -ahead[0]]), vectors @ ahead


def _units(scene: Scene) -> list[shapely.Geometry]:
    least = max(scene.charger.profile.height, scene.target.profile.height)
    others = (
        unit
        for unit in scene.state.units.values()
        if unit.name not in (scene.charger.name, scene.target.name)
    )
    return [unit.boundary.core for unit in others if unit.profile.height >= least]


def _pieces(scene: Scene) -> list[shapely.Geometry]:
    opaque = (piece for piece in scene.state.terrain if piece.kind in ("opaque", "impassable"))
    return [
        piece.shape.core.buffer(piece.shape.radius * _OUTSIDE, quad_segs=64)
        if piece.shape.radius
        else piece.shape.core
        for piece in opaque
    ]


_OUTSIDE = 1 / math.cos(math.pi / 256)
"""Makes the polygon drawn for a disc lie around it, so that no segment through the disc is called clear."""


def _starts(scene: Scene) -> Floats:
    unit = scene.charger
    bases = [unit.model_pose(0, file) for file in range(unit.files)]
    half = unit.base.width / 2
    return np.vstack(
        [_points(np.array([pose.point(-half, 0.0), pose.point(half, 0.0)])) for pose in bases]
    )


def _ends(scene: Scene) -> Floats:
    ring = body(scene.target, scene.target.pose)
    return np.vstack(
        [_points(np.array([ring[index], ring[(index + 1) % 4]])) for index in range(4)]
    )


def _points(segment: Floats) -> Floats:
    pieces = max(math.ceil(math.dist(*segment) / STEP), 1)
    shares = np.linspace(0.0, 1.0, pieces + 1)[:, None]
    return np.asarray(segment[0] + shares * (segment[1] - segment[0]))
