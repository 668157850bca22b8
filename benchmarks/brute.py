"""Brute force for a charge in plain Shapely: all snaking moves and all slides on a grid.

It shares only the table with the engine. Initial forwards are tried every 0.05 in and wheels every degree about both
corners, with the swept area tested against every body; then slides every 0.05 in. Its result is legal but perhaps not
optimal.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from tabletop.geometry.pose import Point, Pose
from tabletop.ruling.system import Case
from tabletop.table.facing import Facing, FacingName, facing_of, shown_models
from tabletop.table.state import Regiment

STEP = 0.05
TOUCH = 1e-6
FAR = 100.0
"""Length in inches beyond any path on the table."""


@dataclass(frozen=True)
class Search:
    """Charge on one facing of its target."""

    case: Case
    facing_name: FacingName

    @cached_property
    def charger(self) -> Regiment:
        """The unit that charges."""
        charger: Regiment = self.case.state.units[self.case.charges[0].charger]
        return charger

    @cached_property
    def target(self) -> Regiment:
        """The unit that is charged."""
        target: Regiment = self.case.state.units[self.case.charges[0].targets[0]]
        return target

    @cached_property
    def facing(self) -> Facing:
        """Facing that is charged."""
        return facing_of(self.target, self.facing_name)

    @cached_property
    def bodies(self) -> tuple[np.ndarray, np.ndarray]:
        """Bodies that the move must avoid, with the distance in inches."""
        state = self.case.state
        clearance = self.case.choices.clearance
        others = [unit for unit in state.units.values() if unit not in (self.charger, self.target)]
        cores = [unit.boundary.core for unit in others] + [
            item.shape.core for item in state.terrain if item.kind == "impassable"
        ]
        gaps = [0.0 if unit.side == self.charger.side else clearance for unit in others]
        gaps += [
            item.shape.radius + clearance for item in state.terrain if item.kind == "impassable"
        ]
        return np.array(cores), np.array(gaps)

    @cached_property
    def board(self) -> shapely.Polygon:
        """Board, tolerance of contact included."""
        return shapely.box(
            -TOUCH, -TOUCH, self.case.state.board.width + TOUCH, self.case.state.board.depth + TOUCH
        )

    def best_counts(self) -> tuple[int, int] | None:
        """Return the best (target models, charger models) in contact, or None if no charge was found."""
        touched = sorted(self.touched())
        slides = np.arange(-self.charger.width, self.facing.length + STEP, STEP).tolist()
        held = [
            slide
            for slide in slides
            if any(slide <= u <= slide + self.charger.width for u in touched)
        ]
        return max(
            (self.counts(slide) for slide in held if self.is_free(self.at(slide))), default=None
        )

    def touched(self) -> set[float]:
        """Return the points u of the facing at which moves on the grid first make contact."""
        return {u for pose in self.wheeled() for u in self.landing(pose)}

    def wheeled(self) -> Iterator[Pose]:
        """Yield poses of forwards and wheels on the grid until something blocks them."""
        start = self.charger.pose
        width = self.charger.width
        for number in range(int(FAR / STEP)):
            ahead = start.advanced(number * STEP)
            if not self.is_free(_strip(start, width, number * STEP)) or self.hits(
                _strip(start, width, number * STEP)
            ):
                return
            yield ahead
            for side in ("left", "right"):
                before = ahead
                for degrees in range(1, 91):
                    after = ahead.wheeled(side, math.radians(degrees), width=width)
                    swept = shapely.MultiPoint(
                        [*_ends(before, width), *_ends(after, width)]
                    ).convex_hull
                    if not self.is_free(swept) or self.hits(swept):
                        break
                    yield after
                    before = after

    def landing(self, pose: Pose) -> list[float]:
        """Return the points of the facing that the front meets first when moving straight ahead; empty if it makes no
        contact.
        """
        meeting = shapely.get_coordinates(
            _strip(pose, self.charger.width, FAR).intersection(self.target.boundary.core)
        )
        if not len(meeting):
            return []
        distances = (meeting - np.array(pose.at)) @ np.array(pose.forward)
        first = float(distances.min())
        points = [
            self.facing.coordinates((float(x), float(y)))
            for x, y in meeting[distances <= first + TOUCH]
        ]
        on_facing = [
            u for u, v in points if abs(v) <= TOUCH and -TOUCH <= u <= self.facing.length + TOUCH
        ]
        return (
            on_facing
            if on_facing and self.is_free(_strip(pose, self.charger.width, max(first, 0.0)))
            else []
        )

    def is_free(self, shape: shapely.Geometry) -> bool:
        """Return whether a shape is on the board and keeps the required distances."""
        cores, gaps = self.bodies
        near = shapely.distance(cores, shape)
        return bool(
            (near >= gaps - TOUCH).all()
            and self.board.covers(shape)
            and not self.overlaps(shape, near)
        )

    def overlaps(self, shape: shapely.Geometry, near: np.ndarray) -> bool:
        """Return whether a shape overlaps a body that it may only touch."""
        return any(
            core.buffer(-TOUCH, join_style="mitre").intersects(shape)
            for core in self.bodies[0][near <= 0.0]
        )

    def hits(self, shape: shapely.Geometry) -> bool:
        """Return whether a shape overlaps the target."""
        return bool(shape.distance(self.inside) == 0.0)

    @cached_property
    def inside(self) -> shapely.Geometry:
        """Target shrunk by the tolerance of contact."""
        return self.target.boundary.core.buffer(-TOUCH, join_style="mitre")

    def at(self, slide: float) -> shapely.Polygon:
        """Return the charger's boundary at a slide."""
        return self.charger.at(self.facing.flush_pose(slide, self.charger.width)).boundary.core

    def counts(self, slide: float) -> tuple[int, int]:
        """Count the models in contact at a slide."""
        base = self.charger.base.width
        pitch = self.charger.base.width + self.charger.spacing
        ours = [
            (slide + file * pitch, slide + file * pitch + base)
            for file in range(self.charger.files)
        ]
        theirs = [(model.low, model.high) for model in shown_models(self.target, self.facing_name)]
        meets = [[low <= b + TOUCH and a <= high + TOUCH for a, b in ours] for low, high in theirs]
        return sum(map(any, meets)), sum(map(any, zip(*meets, strict=True)))


def _ends(pose: Pose, width: float) -> tuple[Point, Point]:
    return pose.point(-width / 2, 0.0), pose.point(width / 2, 0.0)


def _strip(pose: Pose, width: float, length: float) -> shapely.Geometry:
    """Return the area that a front sweeps when moving straight ahead."""
    left, right = _ends(pose, width)
    far_left, far_right = _ends(pose.advanced(length), width)
    return (
        shapely.Polygon([left, right, far_right, far_left])
        if length > 0.0
        else shapely.LineString([left, right])
    )
