"""One approach with its target at many places, and what the search says of each place alone."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tabletop.budget import Budget
from tabletop.fronts.approach import Approach
from tabletop.fronts.reach import reach
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import ring_gap
from tabletop.optimise.interval import Intervals, intersection
from tests.tabletop.fronts.sampling import random_scene

APART = 0.3
"""Inches between front and target at the start, at least."""


def with_places(seed: int, count: int = 24) -> tuple[Approach, FloatArray]:
    """Make a random scene and shifts (n, 2) of its target that leave it away from the front."""
    scene, rng = random_scene(seed), np.random.default_rng(seed)
    shifts = rng.uniform(-4.0, 4.0, (count, 2))
    front = np.array([scene.corner("left"), scene.corner("right")])
    return scene, shifts[ring_gap(scene.target + shifts[:, None], front) > APART]


def at_place(scene: Approach, shift: FloatArray) -> Approach:
    """Shift the target of a scene."""
    x, y = scene.facing.origin
    facing = replace(scene.facing, origin=(x + float(shift[0]), y + float(shift[1])))
    return replace(scene, target=scene.target + shift, facing=facing)


def is_reached(scene: Approach, shifts: FloatArray) -> NDArray[np.bool_]:
    """Search for a move that meets the facing, place by place."""
    return np.array([is_part_reached(scene, shift, 0.0, scene.facing.length) for shift in shifts], dtype=bool)


def is_part_reached(scene: Approach, shift: FloatArray, low: float, high: float) -> bool:
    """Search for a move that meets a part of the facing (u, inches) at one place."""

    def interest(found: Intervals) -> Intervals:
        return () if intersection(found, [(low, high)]) else ((low, high),)

    return not interest(reach(at_place(scene, shift), interest=interest, budget=Budget()).proven)
