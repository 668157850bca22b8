"""Plain geometry for the brute force: facings, arcs, obstacles and counts, written from the rules page alone."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
import shapely
from numpy.typing import NDArray

from tabletop.geometry.pose import Pose
from tabletop.table.state import Board, Regiment, State

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Facing = Literal["front", "right", "rear", "left"]
TOUCH = 1e-6
ROUNDING = 1e-9
FACINGS: tuple[Facing, ...] = ("front", "right", "rear", "left")


@dataclass(frozen=True)
class Line:
    """One facing of a target: `start` is its u = 0, `along` grows with u, `outward` with v; `length` in inches."""

    start: Floats
    along: Floats
    outward: Floats
    length: float

    def coordinates(self, points: Floats) -> Floats:
        """Return (u, v) of table points, shape (..., 2)."""
        result: Floats = (points - self.start) @ np.column_stack([self.along, self.outward])
        return result

    def landing(self, u0: float, width: float) -> Pose:
        """Return the pose of a front of `width` inches flush on [u0, u0 + width]."""
        x, y = self.start + (u0 + width / 2) * self.along
        return Pose(float(x), float(y), math.atan2(-self.outward[1], -self.outward[0]))


def line(unit: Regiment, facing: Facing) -> Line:
    """Return the line of one facing of a unit in table coordinates."""
    quarter = FACINGS.index(facing)
    angle = unit.pose.heading - quarter * math.pi / 2
    outward = np.array([math.cos(angle), math.sin(angle)])
    along = np.array([outward[1], -outward[0]])
    length, across = (unit.width, unit.depth) if quarter % 2 == 0 else (unit.depth, unit.width)
    ahead = np.array([math.cos(unit.pose.heading), math.sin(unit.pose.heading)])
    centre = np.array([unit.pose.x, unit.pose.y]) - unit.depth / 2 * ahead
    return Line(centre + across / 2 * outward - length / 2 * along, along, outward, length)


def arcs(target: Regiment, point: tuple[float, float]) -> tuple[Facing, ...]:
    """Name the facing whose arc holds a table point; two of them on a dividing line."""
    beyond = [float(line(target, facing).coordinates(np.array(point))[1]) for facing in FACINGS]
    sideways: Facing = "right" if beyond[1] >= beyond[3] else "left"
    lengthways: Facing = "front" if beyond[0] >= beyond[2] else "rear"
    apart = max(beyond[0], beyond[2]) - max(beyond[1], beyond[3])
    if abs(apart) / math.sqrt(2) <= TOUCH:
        return (lengthways, sideways)
    return (lengthways,) if apart > 0 else (sideways,)


@dataclass(frozen=True)
class Obstacle:
    """Something to keep `gap` inches away from; `core` with `radius` around it is its body."""

    name: str
    core: shapely.Geometry
    radius: float
    gap: float

    @cached_property
    def _kept(self) -> tuple[shapely.Geometry, float]:
        reach = self.radius + self.gap - TOUCH - ROUNDING
        core = self.core if reach > 0 else self.core.buffer(-2 * TOUCH, join_style="mitre")
        shapely.prepare(core)
        return core, max(reach, 0.0)

    def is_hit(self, geometries: Any) -> Flags:
        """Return a mask of the geometries that come too near."""
        core, reach = self._kept
        hit = (
            shapely.dwithin(core, geometries, reach)
            if reach > 0
            else shapely.intersects(core, geometries)
        )
        return np.asarray(hit)


@dataclass(frozen=True)
class Readings:
    """The named choices of the rules page that change what the brute force may do; lengths in inches."""

    clearance: float = 0.001
    corners: Literal["both", "neither"] = "both"
    friend_touch: bool = True
    impassable_touch: bool = False
    gap_graze: bool = True
    contact_slack: float = 0.0


@dataclass(frozen=True)
class Scene:
    """A charger, its target and everything else, seen by the brute force."""

    state: State
    charger: Regiment
    target: Regiment
    readings: Readings = field(default_factory=Readings)

    @cached_property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """What a charge move must keep away from, with the gap that it needs."""
        needed = self.readings.clearance
        friend = 0.0 if self.readings.friend_touch else needed
        units = (
            self._obstacle(
                unit.name,
                unit.boundary.core,
                0.0,
                friend if unit.side == self.charger.side else needed,
            )
            for unit in self.state.units.values()
            if unit.name not in (self.charger.name, self.target.name)
        )
        return (*units, *self._walls(0.0 if self.readings.impassable_touch else needed))

    @cached_property
    def everything(self) -> tuple[Obstacle, ...]:
        """What a failed charge move must keep away from: every other body, the target too."""
        needed = self.readings.clearance
        units = (unit for unit in self.state.units.values() if unit.name != self.charger.name)
        return (
            *(self._obstacle(unit.name, unit.boundary.core, 0.0, needed) for unit in units),
            *self._walls(needed),
        )

    def _walls(self, gap: float) -> tuple[Obstacle, ...]:
        walls = (piece for piece in self.state.terrain if piece.kind == "impassable")
        return tuple(
            self._obstacle(piece.name, piece.shape.core, piece.shape.radius, gap) for piece in walls
        )

    def _obstacle(self, name: str, core: shapely.Geometry, radius: float, gap: float) -> Obstacle:
        start = float(shapely.distance(self.charger.boundary.core, core)) - radius
        return Obstacle(name, core, radius, max(min(gap, start), 0.0))

    @property
    def facings(self) -> tuple[Facing, ...]:
        """The Target Facing, or both of a dividing line."""
        return arcs(self.target, (self.charger.pose.x, self.charger.pose.y))


def is_free(obstacles: Iterable[Obstacle], geometries: NDArray[Any]) -> Flags:
    """Return a mask of the geometries clear of all obstacles."""
    free = np.ones(np.shape(geometries), dtype=bool)
    for obstacle in obstacles:
        free[free] = ~obstacle.is_hit(geometries[free])
    return free


def is_on(board: Board, points: Floats) -> Flags:
    """Return a mask of point sets, shape (..., n, 2), of which all n points are on the closed board."""
    size = np.array([board.width, board.depth])
    inside = (points >= -TOUCH) & (points <= size + TOUCH)
    return np.asarray(inside.all(axis=(-1, -2)))


def outlines(corners: Floats) -> NDArray[Any]:
    """Make polygons of corners with shape (..., n, 2)."""
    return np.asarray(shapely.polygons(corners))


def body(unit: Regiment, pose: Pose) -> Floats:
    """Return the corners (4, 2) of a unit's boundary: front right, front left, rear left, rear right."""
    ahead = np.array([math.cos(pose.heading), math.sin(pose.heading)])
    right = np.array([ahead[1], -ahead[0]])
    front = np.array([pose.x, pose.y])
    half = unit.width / 2 * right
    depth = unit.depth * ahead
    return np.array([front + half, front - half, front - half - depth, front + half - depth])


def shown(target: Regiment, facing: Facing) -> list[tuple[float, float, bool]]:
    """Return the interval on u of each model met first from a facing, and whether it stands on the boundary."""
    columns: dict[int, list[int]] = {}
    for rank, file in target.places():
        lengthways = facing in ("front", "rear")
        columns.setdefault(file if lengthways else rank, []).append(rank if lengthways else file)
    if facing in ("front", "rear"):
        return [_file_shown(target, file, ranks, facing) for file, ranks in sorted(columns.items())]
    return [_rank_shown(target, rank, files, facing) for rank, files in sorted(columns.items())]


def _file_shown(
    target: Regiment, file: int, ranks: list[int], facing: Facing
) -> tuple[float, float, bool]:
    low = file * (target.base.width + target.spacing)
    high = low + target.base.width
    if facing == "front":
        return (low, high, 0 in ranks)
    return (target.width - high, target.width - low, target.ranks - 1 in ranks)


def _rank_shown(
    target: Regiment, rank: int, files: list[int], facing: Facing
) -> tuple[float, float, bool]:
    low = rank * (target.base.depth + target.spacing)
    high = low + target.base.depth
    if facing == "right":
        return (low, high, target.files - 1 in files)
    return (target.depth - high, target.depth - low, 0 in files)


def counts(scene: Scene, facing: Facing, places: Floats) -> NDArray[np.int_]:
    """Count (target models, charger models) in contact for right front corners at u = `places`; shape (n, 2)."""
    charger = scene.charger
    readings = scene.readings
    theirs = shown(scene.target, facing)
    left = (
        places[:, None, None]
        + (np.arange(charger.files) * (charger.base.width + charger.spacing))[None, :, None]
    )
    low = np.array([item[0] for item in theirs])
    high = np.array([item[1] for item in theirs])
    common = np.minimum(left + charger.base.width, high) - np.maximum(left, low)
    needed = np.full(len(theirs), -TOUCH - readings.contact_slack)
    if not readings.gap_graze:
        needed[[not item[2] for item in theirs]] = readings.clearance - TOUCH
    meets = common >= needed
    return np.column_stack([meets.any(axis=1).sum(axis=1), meets.any(axis=2).sum(axis=1)])
