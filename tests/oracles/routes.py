"""Shortest ways by brute force: a grid of places on every level, straight steps that are checked at samples, and
Dijkstra.

Run over many random scenes with `python -m tests.oracles.routes COUNT [FIRST]`. Obstacles are Shapely polygons with
fine outlines here, grown by hulls of sums of corners: nothing is shared with the graph of tangents.
"""

import functools
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
import shapely
from numpy.typing import NDArray

from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, oval, polygon, rectangle
from tabletop.routes.configuration_space import ConfigurationSpace
from tabletop.routes.heights import Place
from tabletop.routes.hindrances import Barrier, Platform, Solid
from tabletop.routes.shortest_path import ShortestPath
from tests.oracles.running import Held, run

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
REACH = 4
"""Steps lead to places at most so many rows and columns away."""
SAMPLES = 15
"""Places at which each step is checked."""
BITE = 0.02
"""Inches by which steps may cut a corner between samples, and chords of a bend a boundary."""


@dataclass(frozen=True)
class Scene:
    """A ground and the places on it between which ways are asked for."""

    ground: ConfigurationSpace
    start: Place
    ends: tuple[Place, ...]


@dataclass(frozen=True)
class Plan:
    """The regions of a ground: with each its height, or the heights between which it is closed."""

    ground: ConfigurationSpace

    @cached_property
    def solids(self) -> list[tuple[shapely.Geometry, float]]:
        """Where the footprint overlaps solids."""
        return [
            (grown(solid.shape, self.ground.footprint), solid.height)
            for solid in self.ground.solids
        ]

    @cached_property
    def platforms(self) -> list[tuple[shapely.Geometry, float]]:
        """Where the footprint overlaps platforms."""
        return [
            (grown(floor.shape, self.ground.footprint), floor.height)
            for floor in self.ground.platforms
        ]

    @cached_property
    def barriers(self) -> list[tuple[shapely.Geometry, float, float]]:
        """Where the footprint is too near to barriers."""
        return [
            (grown(wall.shape, self.ground.footprint, wall.needed), wall.low, wall.high)
            for wall in self.ground.barriers
        ]

    @cached_property
    def levels(self) -> list[float]:
        """All heights at which the footprint may stand."""
        return sorted(
            {0.0, *(height for _, height in self.solids), *(height for _, height in self.platforms)}
        )

    def open_levels(self, points: Floats, *, bite: float = 1e-9) -> Flags:
        """Return a mask (n, levels) of the levels at which the footprint may be at positions (n, 2)."""
        opened = np.zeros((len(points), len(self.levels)), dtype=bool)
        base = np.zeros(len(points), dtype=int)
        for region, height in self.solids:
            base = np.where(
                _inside(region, points, bite), np.maximum(base, self.levels.index(height)), base
            )
        opened[np.arange(len(points)), base] = True
        for region, height in self.platforms:
            opened[_inside(region, points, bite), self.levels.index(height)] = True
        for region, low, high in self.barriers:
            shut = [low - 1e-9 <= level <= high + 1e-9 for level in self.levels]
            opened[np.outer(_inside(region, points, bite), shut)] = False
        return opened

    def is_nearly_open(self, points: Floats, height: float) -> Flags:
        """Return a mask of positions (n, 2) where the footprint may be at a height, with regions off by up to `BITE`
        inches.
        """
        above = [_inside(region, points, BITE) for region, top in self.solids if top > height]
        shut = [
            _inside(region, points, BITE)
            for region, low, high in self.barriers
            if low - 1e-9 <= height <= high + 1e-9
        ]
        tops = [_inside(region, points, -BITE) for region, top in self.solids if top == height]
        floors = [
            _inside(region, points, -BITE) for region, level in self.platforms if level == height
        ]
        on_solid = ~np.any([np.zeros(len(points), dtype=bool), *above], axis=0)
        stands = np.any([np.full(len(points), height == 0.0), *tops], axis=0)
        on_floor = np.any([np.zeros(len(points), dtype=bool), *floors], axis=0)
        return np.asarray(
            (on_floor | on_solid & stands)
            & ~np.any([np.zeros(len(points), dtype=bool), *shut], axis=0)
        )

    def stuck(self, points: Floats) -> Flags:
        """Return a mask (n, levels - 1) of the climbs between adjacent levels that barriers forbid at positions (n,
        2).
        """
        stuck = np.zeros((len(points), len(self.levels) - 1), dtype=bool)
        for region, low, high in self.barriers:
            meets = [
                low - 1e-9 <= above and high + 1e-9 >= below
                for below, above in pairwise(self.levels)
            ]
            stuck |= np.outer(_inside(region, points, 1e-9), np.array(meets, dtype=bool))
        return stuck


def _inside(region: shapely.Geometry, points: Floats, bite: float) -> Flags:
    return np.asarray(shapely.contains_xy(_shrunk(region, bite), points[:, 0], points[:, 1]))


@functools.lru_cache(maxsize=64)
def _shrunk(region: shapely.Geometry, bite: float) -> shapely.Geometry:
    inner = region.buffer(-bite)
    shapely.prepare(inner)
    return inner


def grown(shape: Shape, footprint: Shape, needed: float = 0.0) -> shapely.Geometry:
    """Return the region of places at which a footprint is nearer to a shape than `needed` inches."""
    core, radius = _core(shape)
    own, own_radius = _core(footprint)
    parts = (
        shapely.constrained_delaunay_triangles(core).geoms
        if isinstance(core, shapely.Polygon)
        else [core]
    )
    corners = shapely.get_coordinates(own)
    sums = [
        shapely.MultiPoint(
            (shapely.get_coordinates(part)[:, None] - corners).reshape(-1, 2)
        ).convex_hull.buffer(radius + own_radius + needed, quad_segs=256)
        for part in parts
    ]
    return shapely.union_all(sums)


def _core(shape: Shape) -> tuple[shapely.Geometry, float]:
    return (
        (shapely.Polygon(shape.outline(400)), shape.radius)
        if shape.ellipse
        else (shape.core, shape.radius)
    )


def grid_lengths(scene: Scene, spacing: float) -> Floats:
    """Return the lengths of the shortest ways of steps between places `spacing` inches apart, start and ends among
    them.
    """
    plan = Plan(scene.ground)
    places, rows, columns = _places(scene, spacing)
    tails, heads = _steps(places, rows * columns, columns, spacing)
    levels = len(plan.levels)
    cost = np.hypot(*(places[tails] - places[heads]).T)
    shares = np.linspace(0.0, 1.0, SAMPLES + 2)[1:-1]
    free = np.logical_and.reduce(
        [
            plan.open_levels(places[tails] + share * (places[heads] - places[tails]))
            for share in shares
        ]
    )
    step, level = np.nonzero(free)
    node, climb = np.nonzero(~plan.stuck(places))
    first = np.concatenate([tails[step] * levels + level, node * levels + climb])
    second = np.concatenate([heads[step] * levels + level, node * levels + climb + 1])
    weights = np.concatenate([cost[step], np.diff(plan.levels)[climb]])
    matrix = scipy.sparse.csr_matrix(
        (weights, (first, second)), shape=(len(places) * levels, len(places) * levels)
    )
    states = rows * columns * levels + np.arange(1 + len(scene.ends)) * levels
    states += [plan.levels.index(place[2]) for place in (scene.start, *scene.ends)]
    lengths = scipy.sparse.csgraph.dijkstra(matrix, directed=False, indices=states[0])
    return np.asarray(lengths[states[1:]])


def _places(scene: Scene, spacing: float) -> tuple[Floats, int, int]:
    west, south, east, north = scene.ground.box
    x = np.arange(west, east + 1e-9, spacing)
    y = np.arange(south, north + 1e-9, spacing)
    grid = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    return np.vstack([grid, [scene.start[:2]], [end[:2] for end in scene.ends]]), len(x), len(y)


def _steps(
    places: Floats, number: int, columns: int, spacing: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return pairs of places between which a step leads: on the grid in coprime directions, from others to all near
    them.
    """
    row, column = np.divmod(np.arange(number), columns)
    tails = []
    heads = []
    for down in range(REACH + 1):
        for right in range(-REACH, REACH + 1):
            if (down, right) > (0, 0) and math.gcd(down, right) == 1:
                kept = (row + down <= row[-1]) & (column + right >= 0) & (column + right < columns)
                tails.append(np.flatnonzero(kept))
                heads.append(tails[-1] + down * columns + right)
    for extra in range(number, len(places)):
        near = np.flatnonzero(np.hypot(*(places - places[extra]).T) < REACH * spacing)
        tails.append(np.full(len(near), extra))
        heads.append(near)
    return np.concatenate(tails), np.concatenate(heads)


def faults(scene: Scene, way: ShortestPath, end: Place) -> Iterator[str]:
    """Yield the errors of a path, sampled every 0.02 in."""
    plan = Plan(scene.ground)
    points = np.array(way.points)
    moves = np.diff(points, axis=0)
    length = float(np.hypot(moves[:, 0], moves[:, 1]).sum() + np.abs(moves[:, 2]).sum())
    if way.points[0] != scene.start or way.points[-1] != end:
        yield "it starts or ends elsewhere"
    if not length - 1e-9 <= way.length <= length + BITE:
        yield f"its points make {length}, not {way.length}"
    for tail, head in pairwise(points):
        if tail[2] != head[2]:
            if np.hypot(*(head - tail)[:2]) > 1e-9:
                yield f"it climbs on the move at {tail}"
            continue
        shares = np.linspace(0.01, 0.99, 2 + int(np.hypot(*(head - tail)[:2]) / BITE))[:, None]
        samples = tail[:2] + shares * (head - tail)[:2]
        is_open = plan.is_nearly_open(samples, float(tail[2]))
        if not is_open.all():
            yield f"it may not be at height {tail[2]} near {samples[~is_open][0]}"


def random_scene(number: int) -> Scene:
    """Make a table of 12 by 10 in with a footprint, solids, perhaps a platform, barriers, and nine places."""
    random = np.random.default_rng(number)
    footprints = (
        disc((0, 0), 0.4),
        oval(Pose(0, 0, random.uniform(0, 3)), 1.4, 0.7),
        rectangle(Pose(0, 0.3, math.pi / 2), 0.8, 0.6),
        disc((0, 0), 0.63),
    )
    solids = [
        Solid(_piece(random), float(random.choice([1.0, 2.5])))
        for _ in range(random.integers(0, 4))
    ]
    platforms = [Platform(_piece(random), 1.7) for _ in range(random.integers(0, 2))]
    barriers = [_barrier(random) for _ in range(random.integers(0, 5))]
    ground = ConfigurationSpace(
        footprints[random.integers(len(footprints))], 12.0, 10.0, solids, platforms, barriers
    )
    places = list(_standing(ground, random))
    return Scene(ground, places[0], tuple(places[1:]))


def _piece(random: np.random.Generator) -> Shape:
    x, y = random.uniform([2.0, 1.5], [10.0, 8.5]).tolist()
    pose = Pose(x, y, random.uniform(0, math.tau))
    kinds = (
        disc(pose.at, random.uniform(0.3, 1.2)),
        oval(pose, random.uniform(1, 3), random.uniform(0.4, 0.9)),
        polygon(
            pose.to_table(
                np.array([(0, 0), (2.5, 0), (2.5, 0.6), (0.6, 0.6), (0.6, 2.4), (0, 2.4)]) - 1.0
            )
        ),
        rectangle(pose, random.uniform(0.4, 4), random.uniform(0.3, 1.5)),
    )
    return kinds[random.integers(len(kinds))]


def _barrier(random: np.random.Generator) -> Barrier:
    x, y = random.uniform([2.0, 1.5], [10.0, 8.5]).tolist()
    body = disc((x, y), random.uniform(0.2, 0.6))
    kinds = (
        Barrier(_piece(random)),
        Barrier(body, 0.0, 0.0, 0.0),
        Barrier(body, random.uniform(0.2, 0.8), -0.5, 1.5),
    )
    return kinds[random.integers(len(kinds))]


def _standing(ground: ConfigurationSpace, random: np.random.Generator) -> Iterator[Place]:
    """Yield nine places at which the footprint may stand, farther than 1e-3 in from every boundary."""
    plan = Plan(ground)
    found = 0
    west, south, east, north = ground.box
    while found < 9:
        point = random.uniform([west, south], [east, north])
        here = plan.open_levels(point[None], bite=1e-3)[0]
        there = plan.open_levels(point[None], bite=-1e-3)[0]
        if (here == there).all() and here.any():
            found += 1
            yield (
                float(point[0]),
                float(point[1]),
                plan.levels[int(random.choice(np.flatnonzero(here)))],
            )


def complaints(number: int, spacing: float = 0.1) -> Iterator[str]:
    """Yield the errors of paths in a random scene: illegal, longer than the grid's, or much shorter."""
    scene = random_scene(number)
    ends = np.array(scene.ends)
    lengths = scene.ground.lengths(scene.start, ends)
    coarse = grid_lengths(scene, spacing)
    for end, length, other in zip(scene.ends, lengths.tolist(), coarse.tolist(), strict=True):
        way = scene.ground.way(scene.start, end)
        if other < length - BITE:
            yield f"{end}: {length}, but {other} on the grid"
        if math.isfinite(length) and other > 1.03 * length + REACH * spacing:
            yield f"{end}: {length}, and only {other} on the grid"
        if (way is None) != math.isinf(length):
            yield f"{end}: a length without a way, or a way without a length"
        yield from (f"{end}: {fault}" for fault in (faults(scene, way, end) if way else ()))


def held(number: int) -> Held:
    """Hold the ways of one scene against the grid."""
    return Held("asked", tuple(complaints(number)))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], held, count=100))
