"""What a figure may show of a charge: distances, engagement ranges, the links that hold the unit together, who is in contact."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np
import shapely

from systems.wh40k.conditions import contacts, distances, links
from systems.wh40k.declare import Declaration
from systems.wh40k.move import ChargeMove
from systems.wh40k.roll import told
from systems.wh40k.scene import Scene
from tabletop.budget import is_late
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.shape import Shape
from tabletop.ruling.evidence import Dimension, Evidence, Stage, Zone
from tabletop.table.crowd import Crowd, crowd
from tabletop.table.squad import Squad
from tabletop.units import CONTACT

STEP, TURN = 0.04, math.radians(1.0)
"""Inches along an edge, and radians about a corner, from one ray to the next."""

MOST_SHADED = 200_000
"""Rays times corners of a barricade whose lee is shown; that of more takes seconds, and shading decides nothing."""

FOOTPRINTS = 128
"""Footprints whose rays are kept."""

LEAST_PIECE = 1e-4
"""Square inches below which a piece of the lee is left out."""


def evidence_before(declaration: Declaration, *, reach: float = 0.0, stage: Stage = "before") -> Evidence:
    """Show the distance to the nearest target, and the engagement ranges that a move of `reach` inches may come to."""
    start, end = declaration.closest()
    rise = math.sqrt(max(0.0, declaration.distance**2 - math.dist(start, end) ** 2))
    dimension = Dimension(start, end, f"{declaration.distance:.2f} in", rise=rise if rise > CONTACT else 0.0)
    return Evidence(dimensions=(dimension,), zones=tuple(_zones(declaration.scene, reach, stage)))


def evidence_after(declaration: Declaration, move: ChargeMove) -> Evidence:
    """Show also where the models end: who is in contact, and which models hold the unit together; those lost after the move are gone."""
    lost = told(declaration.charge).overwatch.after
    ends = crowd([model for model in move.ends.models if model.number not in lost])
    joined = [(ends.models[first].pose.at, ends.models[second].pose.at) for first, second in links(move.scene, ends)]
    touched = {target.name: models_touched(ends, target) for target in move.scene.targets}
    touching = {move.scene.charger.name: tuple(number for number in move.contacts if number not in lost), **touched}
    return replace(
        evidence_before(declaration, reach=move.longest, stage="after"),
        models_in_contact={name: numbers for name, numbers in touching.items() if numbers},
        links=tuple(joined),
    )


def models_touched(ends: Crowd, target: Squad, *, slack: float = CONTACT) -> tuple[int, ...]:
    """Give the numbers of the target's models that are in base contact; `slack` in inches."""
    touching = contacts(ends, target, slack=slack)
    return tuple(model.number for column, model in enumerate(target.models) if touching[:, column].any())


def _zones(scene: Scene, reach: float, stage: Stage) -> Iterator[Zone]:
    models = crowd(scene.charger.models)
    farthest = reach + max(scene.book.engagement_horizontal, scene.book.barricade_engagement if scene.barricades else 0.0)
    near = [unit for unit in scene.non_targets if float(distances(scene, models, unit).min()) <= farthest]
    for shape in _footprints(scene.targets):
        yield from (Zone(part, "target", stage) for part in _ranges(scene, shape))
    for shape in _footprints(near):
        yield from (Zone(part, "forbidden", stage) for part in _ranges(scene, shape))


def _ranges(scene: Scene, shape: Shape) -> Iterator[Shape]:
    """Give the engagement range about a footprint, and what a barricade adds to it as long as there is time: shading decides nothing."""
    yield _grown(shape, scene.book.engagement_horizontal)
    if scene.book.barricade_engagement > scene.book.engagement_horizontal:
        for piece in (piece for piece in scene.barricades if not is_late()):
            yield from lee(shape, piece.shape, scene.book.barricade_engagement)


def _footprints(units: Iterable[Squad]) -> Iterator[Shape]:
    return (model.footprint for unit in units for model in unit.models)


def _grown(shape: Shape, radius: float) -> Shape:
    return replace(shape, radius=shape.radius + radius)


def lee(footprint: Shape, barricade: Shape, reach: float) -> tuple[Shape, ...]:
    """Give the parts of the table within `reach` inches of a footprint that a shortest line from it comes to across a barricade."""
    body = shapely.Polygon(barricade.outline())
    if body.distance(shapely.Polygon(footprint.outline())) >= reach:
        return ()
    starts, ways = _rays_of(footprint)
    if len(starts) * shapely.get_num_coordinates(body) > MOST_SHADED:
        return ()
    ends = starts + reach * ways
    met = shapely.intersection(shapely.linestrings(np.stack([starts, ends], axis=1)), body)
    first = shapely.distance(shapely.points(starts), met)
    tails = starts + np.where(np.isfinite(first), first, 0.0)[:, None] * ways
    strips = np.stack([tails, np.roll(tails, -1, axis=0), np.roll(ends, -1, axis=0), ends], axis=1)
    is_met = np.isfinite(first) & np.isfinite(np.roll(first, -1))
    joined = shapely.union_all(shapely.make_valid(shapely.polygons(strips[is_met])))
    parts = (part for part in shapely.get_parts(joined) if isinstance(part, shapely.Polygon) and part.area > LEAST_PIECE)
    return tuple(Shape(part) for part in parts)


@lru_cache(maxsize=FOOTPRINTS)
def _rays_of(footprint: Shape) -> tuple[FloatArray, FloatArray]:
    """Give all rays out of a footprint: starts and directions (k, 2); they are asked for with every barricade."""
    starts, ways = (np.concatenate(part) for part in zip(*_rays(footprint.outline(360)), strict=True))
    return starts, ways


def _rays(ring: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Give the rays out of a ring (n, 2), counter-clockwise: starts and directions (k, 2) of each corner, if it juts out, and each edge."""
    edges = np.roll(ring, -1, axis=0) - ring
    lengths, normals = np.hypot(edges[:, 0], edges[:, 1]), np.arctan2(-edges[:, 0], edges[:, 1])
    for corner, edge, length, before, after in zip(ring, edges, lengths, np.roll(normals, 1), normals, strict=True):
        turn = (after - before) % math.tau
        turn = turn if turn <= math.pi else 0.0
        angles = before + np.linspace(0.0, turn, math.ceil(turn / TURN) + 1)
        yield np.tile(corner, (len(angles), 1)), np.column_stack([np.cos(angles), np.sin(angles)])
        shares = np.linspace(0.0, 1.0, math.ceil(length / STEP) + 1)[1:]
        yield corner + shares[:, None] * edge, np.tile([math.cos(after), math.sin(after)], (len(shares), 1))
