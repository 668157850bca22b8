"""Wheels of a front past a body, in batches: python-fcl's continuous collision detection against ours.

A front turns about its right corner by up to a quarter turn, beside a convex obstacle with five vertices. fcl gets
prebuilt bodies and the fastest settings that miss nothing: conservative advancement on a screw motion with its own GJK,
to about 1e-3 rad of contact. It answers whether a wheel from the initial position meets the obstacle; ours returns all
forward distances from which the wheel meets it, as every search for a charge move needs.
"""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from benchmarks.protocol import Promise, interleaved, report
from tabletop.fronts.sweep import Bounds, ConvexRings, wheel_blocks
from tabletop.geometry.arrays import FloatArray
from tabletop.units import CONTACT

FRONTS = 10
WHEELS = 1500
QUARTER = math.pi / 2
THIN = 1e-3
"""Depth in inches of fcl's front, which cannot be a segment."""

ALLOWED = 1e-9
"""Tolerance in inches of the ends of forbidden intervals."""

DIRECTIONS, CLOSER, ROUNDS = 90, 20, 9
"""Number of directions tried for a separating line, again around the best one, and number of refinements, each at 1/10
the spacing."""


@dataclass(frozen=True, eq=False)
class Scene:
    """Front of `width` inches with its right corner at the origin, and wheels in radians (n,), each with an obstacle
    (n, 5, 2).
    """

    width: float
    angles: FloatArray
    obstacles: FloatArray


def measure() -> tuple[Promise, ...]:
    """Time both on the same scenes and check every answer of ours."""
    if find_spec("fcl") is None:
        sys.exit(
            "python-fcl is missing, the peer of this benchmark: pip install 'tabletop-charges[bench]'"
        )
    some = scenes()
    count = FRONTS * WHEELS
    theirs, ours = interleaved(continuous_collisions(some), blocks(some))
    found = blocks(some)()
    wrong = sum(
        int(is_wrong(scene, stretch).sum()) for scene, stretch in zip(some, found, strict=True)
    )
    met = sum(int(((low < 0.0) & (high > 0.0)).sum()) for low, high in found)
    return (
        Promise(
            name="wheels past a body: python-fcl / ours",
            value=theirs / ours,
            sense="at least",
            limit=8.0,
            unit=" x",
            gate=f"{wrong} of {count} wrong by more than {ALLOWED:g} in, hits missed or invented included",
            is_gate_passed=wrong == 0,
            detail=(
                f"{theirs / count * 1e6:.2f} / {ours / count * 1e6:.2f} us a wheel; {met} meet the body from where "
                "the front stands"
            ),
        ),
    )


def scenes(seed: int = 2) -> list[Scene]:
    """Return random fronts and obstacles."""
    random = np.random.default_rng(seed)
    return [_scene(random) for _ in range(FRONTS)]


def _scene(random: np.random.Generator) -> Scene:
    bearing = random.uniform(0.0, 3 * QUARTER, WHEELS)
    distance = random.uniform(2.5, 9.0, WHEELS)
    around = np.sort(random.uniform(0.0, math.tau, (WHEELS, 5)), axis=1)
    offsets = np.stack([np.cos(around), np.sin(around)], axis=-1) * random.uniform(
        0.5, 2.5, (WHEELS, 1, 1)
    )
    centres = distance[:, None] * np.column_stack([np.cos(bearing), np.sin(bearing)])
    return Scene(
        random.uniform(2.0, 8.0), random.uniform(0.0, QUARTER, WHEELS), centres[:, None] + offsets
    )


def blocks(some: list[Scene]) -> Callable[[], list[Bounds]]:
    """Return a function for the forward distances from which each wheel meets its obstacle; bodies are prepared once,
    as in a search.
    """
    bodies = [_rings(scene.obstacles) for scene in some]

    def run() -> list[Bounds]:
        return [
            wheel_blocks(rings, scene.angles, width=scene.width)
            for rings, scene in zip(bodies, some, strict=True)
        ]

    return run


def _rings(vertices: FloatArray) -> ConvexRings:
    after = np.roll(vertices, -1, axis=1)
    before = np.roll(vertices, 1, axis=1)
    along = after - vertices
    normals = np.stack([along[..., 1], -along[..., 0]], axis=-1) / np.linalg.norm(
        along, axis=-1, keepdims=True
    )
    return ConvexRings(
        vertices,
        after,
        before,
        normals,
        np.einsum("nkj,nkj->nk", normals, vertices),
        np.zeros(len(vertices)),
    )


def continuous_collisions(some: list[Scene]) -> Callable[[], FloatArray]:
    """Return a function for which wheels meet their obstacles, with fcl's bodies prepared."""
    import fcl

    still = fcl.Transform()
    pairs = []
    for scene in some:
        front = np.array([(-scene.width, -THIN), (0.0, -THIN), (0.0, 0.0), (-scene.width, 0.0)])
        for angle, obstacle in zip(scene.angles.tolist(), scene.obstacles, strict=True):
            cos = math.cos(angle)
            sin = math.sin(angle)
            end = fcl.Transform(
                np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]]), np.zeros(3)
            )
            pairs.append(
                (
                    fcl.CollisionObject(_prism(front), still),
                    end,
                    fcl.CollisionObject(_prism(obstacle), still),
                )
            )
    request = fcl.ContinuousCollisionRequest(
        ccd_motion_type=fcl.CCDMotionType.CCDM_SCREW,
        gjk_solver_type=fcl.GJKSolverType.GST_INDEP,
        ccd_solver_type=fcl.CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT,
    )

    def run() -> FloatArray:
        is_met = np.zeros(len(pairs), dtype=bool)
        for number, (front, end, obstacle) in enumerate(pairs):
            result = fcl.ContinuousCollisionResult()
            fcl.continuousCollide(front, end, obstacle, still, request, result)
            is_met[number] = result.is_collide
        return is_met

    return run


def is_wrong(scene: Scene, found: Bounds) -> np.ndarray:
    """Return which intervals are wrong, by supporting lines alone: no contact at their ends, no collision between, or a
    missing interval.

    By rule, intervals exclude the tolerance of contact at both ends.
    """
    low, high = found
    x = scene.obstacles[..., 0]
    is_told = low < high
    beside = (x.min(axis=1) >= -CONTACT - ALLOWED) | (
        x.max(axis=1) <= CONTACT + ALLOWED - scene.width
    )
    wrong: np.ndarray = ~is_told & ~beside
    which = np.flatnonzero(is_told)
    told = Scene(scene.width, scene.angles[which], scene.obstacles[which])
    first = low[which] - CONTACT
    last = high[which] + CONTACT
    for end in (first, last):
        wrong[which] |= np.abs(parting(told, end)) > ALLOWED
    wrong[which] |= parting(told, (first + last) / 2.0) >= 0.0
    return wrong


def parting(scene: Scene, first: FloatArray) -> FloatArray:
    """Return the separation in inches, shape (n,), of swept areas after an initial part (n,) from obstacles; negative
    is the overlap.

    Both are convex, so the best separating direction is searched: that in which the obstacle begins farthest beyond the
    sector's end.
    """
    step = math.tau / DIRECTIONS
    best = np.zeros(len(first))
    spread = np.arange(DIRECTIONS) * step
    for _ in range(ROUNDS + 1):
        bearings = best[:, None] + spread
        parted = _parted(scene, first, bearings)
        which = parted.argmax(axis=1)[:, None]
        best = np.take_along_axis(bearings, which, axis=1)[:, 0]
        spread = np.linspace(-step, step, CLOSER + 1)
        step = 2.0 * step / CLOSER
    return np.take_along_axis(parted, which, axis=1)[:, 0]


def _parted(scene: Scene, first: FloatArray, bearings: FloatArray) -> FloatArray:
    """Return the separation along each bearing, shape (n, d): the obstacle's start minus the sector's end."""
    x = np.cos(bearings)
    y = np.sin(bearings)
    begins = (
        x[:, :, None] * scene.obstacles[:, None, :, 0]
        + y[:, :, None] * scene.obstacles[:, None, :, 1]
    ).min(axis=2)
    limit = scene.angles[:, None]
    turned = (math.pi - bearings) % math.tau
    farthest = np.where(
        turned <= limit, turned, np.where(turned < (math.tau + limit) / 2.0, limit, 0.0)
    )
    ends = np.maximum(scene.width * (y * np.sin(farthest) - x * np.cos(farthest)), 0.0)
    parted: FloatArray = begins - ends - y * first[:, None]
    return parted


def _prism(ring: FloatArray) -> object:
    import fcl

    count = len(ring)
    vertices = np.vstack(
        [np.column_stack([ring, np.full(count, height)]) for height in (-0.5, 0.5)]
    )
    walls = [
        (4, side, (side + 1) % count, count + (side + 1) % count, count + side)
        for side in range(count)
    ]
    faces = [(count, *reversed(range(count))), (count, *range(count, 2 * count)), *walls]
    return fcl.Convex(vertices, len(faces), np.concatenate(faces).astype(np.int32))


if __name__ == "__main__":
    sys.exit(report([measure]))
