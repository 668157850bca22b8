"""From the table to marks: the board, its terrain and the units that stand on it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from plots.marks import FacingMark, Grid, Label, Mark, Outline, PointMark, Points, identifier
from plots.theme import tones
from tabletop.pose import FloatArray, Point, Pose
from tabletop.state import Board, Regiment, State, Terrain


@dataclass(frozen=True)
class Scene:
    """One moment of the table: where to draw it, what is known of it beside the state. `prefix` starts every id."""

    prefix: str
    state: State
    contact: Mapping[str, tuple[int, ...]]


def points(array: FloatArray) -> Points:
    """Give an array (n, 2) as plain pairs."""
    return tuple((x, y) for x, y in array.tolist())


def tone_of(state: State) -> dict[str, int]:
    """Give each unit's place in the palette, by its side."""
    sides = tones(tuple(dict.fromkeys(unit.side for unit in state.units.values())))
    return {name: sides[unit.side] for name, unit in state.units.items()}


def scene_marks(scene: Scene) -> tuple[Mark, ...]:
    """Give the marks of everything on the table at one moment."""
    tone = tone_of(scene.state)
    marks: list[Mark] = [board_mark(scene.state.board, scene.prefix)]
    for terrain in scene.state.terrain:
        marks += terrain_marks(terrain, scene.prefix)
    for name, unit in scene.state.units.items():
        marks += unit_marks(unit, scene.prefix, tone=tone[name], contact=scene.contact.get(name, ()))
    return tuple(marks)


def board_mark(board: Board, prefix: str) -> Mark:
    """Outline the board."""
    ring = ((0.0, 0.0), (board.width, 0.0), (board.width, board.depth), (0.0, board.depth))
    return Outline(f"{prefix}.board", "board", ring)


def terrain_marks(terrain: Terrain, prefix: str) -> tuple[Mark, ...]:
    """Outline a piece of terrain and name it."""
    name = identifier(prefix, "terrain", terrain.name)
    ring = points(terrain.shape.outline())
    west, south, east, north = terrain.shape.bounds
    middle = ((west + east) / 2, (south + north) / 2)
    return (
        Outline(name, f"terrain.{terrain.kind}", ring),
        Label(f"{name}.label", "text", terrain.name, spots=(middle, *ring[:: max(1, len(ring) // 12)]), rank=6, home=ring),
    )


def unit_marks(unit: Regiment, prefix: str, *, tone: int, contact: Collection[int] = ()) -> tuple[Mark, ...]:
    """Draw a regiment: bases, those in contact picked out, boundary, facing and name."""
    name = identifier(prefix, "unit", unit.name)
    rings = base_rings(unit)
    touching = tuple(ring for number, ring in enumerate(rings) if number in contact)
    marks: list[Mark] = [Grid(f"{name}.models", f"models.{tone}", rings)]
    if touching:
        dots = tuple(_towards_rear(ring) for ring in touching)
        marks += [Grid(f"{name}.contact", f"contact.{tone}", touching), PointMark(f"{name}.touching", f"touching.{tone}", dots)]
    return (*marks, *_unit_frame(unit, name, tone))


def _towards_rear(ring: Points) -> Point:
    """Give a place on a base's middle line that the facing mark, at its front, leaves free."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = ring
    return (0.36 * (ax + bx) + 0.14 * (cx + dx), 0.36 * (ay + by) + 0.14 * (cy + dy))


def _unit_frame(unit: Regiment, name: str, tone: int) -> tuple[Mark, ...]:
    ring = points(unit.boundary.outline())
    return (
        Outline(name, f"unit.{tone}", ring),
        FacingMark(f"{name}.facing", f"front.{tone}", unit.pose.at, unit.pose.heading, unit.width / 2, unit.base.depth / 2),
        Label(f"{name}.label", f"name.{tone}", unit.name, spots=_name_spots(unit), rank=2, home=ring),
    )


def _name_spots(unit: Regiment) -> Points:
    """Where a unit's name may stand: over its rear half, its middle, its wings, then beside rear and flanks."""
    shares = ((0.0, -0.62), (0.0, -0.5), (0.0, -0.72), (-0.3, -0.55), (0.3, -0.55))
    inside = tuple(unit.pose.point(right * unit.width, ahead * unit.depth) for right, ahead in shares)
    half = unit.width / 2
    edges = ((0.0, -unit.depth), (-half, -unit.depth * 0.6), (half, -unit.depth * 0.6))
    return (*inside, *(unit.pose.point(right, distance) for right, distance in edges))


def base_rings(unit: Regiment) -> tuple[Points, ...]:
    """Give the corners of every base, in the order of `Regiment.places`."""
    places = np.array(unit.places(), dtype=float)
    right = places[:, 1] * (unit.base.width + unit.spacing) - unit.width / 2
    ahead = -places[:, 0] * (unit.base.depth + unit.spacing)
    across, along = np.array([0.0, 1.0, 1.0, 0.0]) * unit.base.width, np.array([-1.0, -1.0, 0.0, 0.0]) * unit.base.depth
    body = np.stack([right[:, None] + across, ahead[:, None] + along], axis=-1)
    return tuple(tuple((x, y) for x, y in ring) for ring in unit.pose.to_table(body).tolist())


def stop(unit: Regiment, pose: Pose, name: str, *, tone: int) -> Mark:
    """Dash the boundary of a unit where a leg of its move ends, over everything that stands there."""
    return Outline(name, f"ghost.{tone}", points(unit.at(pose).boundary.outline()))


def start(unit: Regiment, pose: Pose, name: str, *, tone: int) -> tuple[Mark, ...]:
    """Dash the boundary of a unit where it stood, under everything that stands there, with a hollow facing mark."""
    moved = unit.at(pose)
    return (
        Outline(name, f"start.{tone}", points(moved.boundary.outline())),
        FacingMark(f"{name}.facing", f"hollow.{tone}", pose.at, pose.heading, unit.width / 2, unit.base.depth / 2),
    )
