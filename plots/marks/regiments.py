"""Regiments as marks: bases, boundary, facing and name, and the dashed outlines of where they stood or stop."""

from collections.abc import Collection, Sequence

import numpy as np

from plots.marks.mark import FacingMark, GridMark, Label, Mark, Outline, Points, identifier, points, shifted
from plots.marks.silhouettes import figures
from tabletop.geometry.pose import Pose
from tabletop.table.silhouette import silhouette_of
from tabletop.table.state import Regiment

SHADOW = 0.08
"""Inches of the table that the shadow of a tray falls to the right and down."""


def regiment_marks(unit: Regiment, prefix: str, *, tone: int, contact: Collection[int] = ()) -> tuple[Mark, ...]:
    """Draw a regiment: its tray, bases and what stands on them, those in contact picked out, boundary, facing and name."""
    name = identifier(prefix, "unit", unit.name)
    rings = base_rings(unit)
    numbers = tuple(number for number in range(len(rings)) if number in contact)
    touching = tuple(rings[number] for number in numbers)
    tray = Outline(f"{name}.tray", f"tray.{tone}", points(unit.boundary.outline()))
    shadow = Outline(f"{name}.shadow", "shadow", shifted(tray.ring, SHADOW))
    marks: list[Mark] = [shadow, tray, GridMark(f"{name}.models", f"models.{tone}", rings, tuple(range(len(rings))))]
    others = tuple(ring for number, ring in enumerate(rings) if number not in contact)
    marks += [GridMark(f"{name}.figures", f"figures.{tone}", _figures(unit, others))] if others else []
    if touching:
        marks += [
            GridMark(f"{name}.contact", f"contact.{tone}", touching, numbers),
            GridMark(f"{name}.touching", f"touching.{tone}", _figures(unit, touching)),
        ]
    return (*marks, *_unit_frame(unit, name, tone))


def _figures(unit: Regiment, rings: Sequence[Points]) -> tuple[Points, ...]:
    """Stand on each base what the unit looks like."""
    shapes = [np.array(ring) for ring in figures(silhouette_of(unit), unit.base.width, unit.base.depth)]
    turned = [unit.pose.to_table(shape) - np.array(unit.pose.at) for shape in shapes]
    middles = np.array(rings).mean(axis=1)
    placed = [(middles[:, None, :] + shape[None, :, :]).tolist() for shape in turned]
    return tuple(tuple((x, y) for x, y in ring) for of_base in zip(*placed, strict=True) for ring in of_base)


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


def regiment_stop(unit: Regiment, pose: Pose, name: str, *, tone: int) -> Mark:
    """Dash the boundary of a unit where a leg of its move ends, over everything that stands there."""
    return Outline(name, f"ghost.{tone}", points(unit.at(pose).boundary.outline()))


def regiment_start(unit: Regiment, pose: Pose, name: str, *, tone: int) -> tuple[Mark, ...]:
    """Dash the boundary of a unit where it stood, under everything that stands there, with a hollow facing mark."""
    moved = unit.at(pose)
    return (
        Outline(name, f"start.{tone}", points(moved.boundary.outline())),
        FacingMark(f"{name}.facing", f"hollow.{tone}", pose.at, pose.heading, unit.width / 2, unit.base.depth / 2),
    )
