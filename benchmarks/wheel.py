"""First contact of a wheel, in batch: python-fcl's continuous collision / ours.

A rectangle turns a quarter about its own front corner beside a convex obstacle of five corners. The peer gets its bodies
ready made and the fastest of its settings that misses nothing: conservative advancement on a screw motion, its own GJK. It
stops within about 1e-3 rad of the contact. Ours starts from the bare vertices.
"""

import math
import sys
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
import shapely

from benchmarks.protocol import Promise, interleaved, report
from tabletop.geometry.motion import first_wheel_contacts
from tabletop.geometry.pose import FloatArray

SCENES = 15_000
QUARTER = math.pi / 2
ALLOWED = 1e-9
"""Radians by which an angle may be wrong."""


def measure() -> tuple[Promise, ...]:
    """Time both on the same scenes and check every angle of ours."""
    if find_spec("fcl") is None:
        sys.exit("python-fcl is missing, the peer of this benchmark: pip install 'tabletop-charges[bench]'")
    rectangles, obstacles = scenes(SCENES)
    pivots = np.zeros((SCENES, 2))
    theirs, ours = interleaved(
        continuous_collisions(rectangles, obstacles), lambda: first_wheel_contacts(rectangles, obstacles, pivot=pivots)
    )
    angles = first_wheel_contacts(rectangles, obstacles, pivot=pivots)
    wrong = int(is_wrong(rectangles, obstacles, angles).sum())
    hits, starts = int(np.isfinite(angles).sum()), int((angles == 0.0).sum())
    return (
        Promise(
            name="first contact of a wheel: python-fcl / ours",
            value=theirs / ours,
            sense="at least",
            limit=8.0,
            unit=" x",
            gate=f"{wrong} of {SCENES} angles wrong by more than {ALLOWED:g} rad, hits missed or invented included",
            is_gate_passed=wrong == 0,
            detail=f"{theirs / SCENES * 1e6:.2f} / {ours / SCENES * 1e6:.2f} us a wheel; {hits} hits, {starts} of them at the start",
        ),
    )


def scenes(count: int, seed: int = 2) -> tuple[FloatArray, FloatArray]:
    """Give rectangles (count, 4, 2) whose front left corner is the origin, and obstacles (count, 5, 2) around them, inches."""
    random = np.random.default_rng(seed)
    width, depth, none = random.uniform(2.0, 8.0, count), random.uniform(1.0, 6.0, count), np.zeros(count)
    corners = ((none, -depth), (width, -depth), (width, none), (none, none))
    rectangles = np.stack([np.column_stack(corner) for corner in corners], axis=1)
    bearing, distance = random.uniform(-QUARTER, 2 * QUARTER, count), random.uniform(2.5, 9.0, count)
    around = np.sort(random.uniform(0.0, math.tau, (count, 5)), axis=1)
    offsets = np.stack([np.cos(around), np.sin(around)], axis=-1) * random.uniform(0.5, 2.5, (count, 1, 1))
    centres = distance[:, None] * np.column_stack([np.cos(bearing), np.sin(bearing)])
    return rectangles, centres[:, None] + offsets


def continuous_collisions(rectangles: FloatArray, obstacles: FloatArray) -> Callable[[], FloatArray]:
    """Prepare the peer's bodies, and give what finds all its angles, inf where it finds none."""
    import fcl

    pairs = [
        (fcl.CollisionObject(_prism(one), fcl.Transform()), fcl.CollisionObject(_prism(other), fcl.Transform()))
        for one, other in zip(rectangles, obstacles, strict=True)
    ]
    end, still = fcl.Transform(np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), np.zeros(3)), fcl.Transform()
    request = fcl.ContinuousCollisionRequest(
        ccd_motion_type=fcl.CCDMotionType.CCDM_SCREW,
        gjk_solver_type=fcl.GJKSolverType.GST_INDEP,
        ccd_solver_type=fcl.CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT,
    )

    def run() -> FloatArray:
        angles = np.full(len(pairs), np.inf)
        for number, (one, other) in enumerate(pairs):
            result = fcl.ContinuousCollisionResult()
            fcl.continuousCollide(one, end, other, still, request, result)
            if result.is_collide:
                angles[number] = result.time_of_contact * QUARTER
        return angles

    return run


def is_wrong(rectangles: FloatArray, obstacles: FloatArray, angles: FloatArray) -> np.ndarray:
    """Tell which angles are wrong, with Shapely's distances alone: not touching there, or touching before.

    No point moves faster than the longest radius, so a wheel may be turned on by gap / radius without meeting anything.
    """
    bodies, radius = shapely.polygons(obstacles), np.hypot(rectangles[..., 0], rectangles[..., 1]).max(axis=1)
    hit = np.isfinite(angles)
    wrong = np.zeros(len(angles), dtype=bool)
    wrong[hit] = shapely.distance(_turned(rectangles[hit], angles[hit]), bodies[hit]) > 1e-12
    free_until = np.where(hit, angles - ALLOWED, QUARTER)
    turn = np.zeros(len(angles))
    active = np.flatnonzero(free_until > 0.0)
    while len(active):
        gap = shapely.distance(_turned(rectangles[active], turn[active]), bodies[active])
        wrong[active[gap < 1e-15]] = True
        turn[active] += gap / radius[active]
        active = active[(gap >= 1e-15) & (turn[active] < free_until[active])]
    return wrong


def _turned(rings: FloatArray, angles: FloatArray) -> np.ndarray:
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x, y = rings[..., 0], rings[..., 1]
    bodies: np.ndarray = shapely.polygons(np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1))
    return bodies


def _prism(ring: FloatArray) -> object:
    import fcl

    count = len(ring)
    vertices = np.vstack([np.column_stack([ring, np.full(count, height)]) for height in (-0.5, 0.5)])
    walls = [(4, side, (side + 1) % count, count + (side + 1) % count, count + side) for side in range(count)]
    faces = [(count, *reversed(range(count))), (count, *range(count, 2 * count)), *walls]
    return fcl.Convex(vertices, len(faces), np.concatenate(faces).astype(np.int32))


if __name__ == "__main__":
    sys.exit(report([measure]))
