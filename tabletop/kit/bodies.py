"""Bodies of units, however they stand: what they cover, who touches whom, and how far apart two places of a unit are."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import shapely

from tabletop.geometry.pose import FloatArray, Point, Pose
from tabletop.geometry.shape import Shape, between, gap, rectangle
from tabletop.ruling.charge import Step
from tabletop.table.squad import Formation, RoundBase, Squad
from tabletop.table.state import HexUnit, Regiment, State
from tabletop.units import CONTACT

FINE = 0.05
"""Inches between two places of a body that turns, at most."""


def bodies(unit: Any) -> dict[int, Shape]:
    """Return what each model of a unit covers of the table, by number; of a unit in a hex nothing."""
    if isinstance(unit, Squad):
        return {model.number: model.footprint for model in unit.models}
    if isinstance(unit, Regiment):
        poses = (unit.model_pose(rank, file) for rank, file in unit.places())
        return {number: rectangle(pose, unit.base.width, unit.base.depth) for number, pose in enumerate(poses)}
    return {}


def body(unit: Any) -> tuple[Shape, ...]:
    """Return what a unit keeps others out of: a regiment's boundary, empty places included, or the bases of loose models."""
    return (unit.boundary,) if isinstance(unit, Regiment) else tuple(bodies(unit).values())


def gap_between(first: Iterable[Shape], second: Iterable[Shape]) -> float:
    """Return the least signed gap in inches between two groups of bodies: less than 0 where they overlap, endless where one is empty."""
    others = tuple(second)
    return min((gap(one, other) for one in first for other in others), default=np.inf)


def way_gap(start: Point, end: Point, radius: float, others: Iterable[Shape]) -> float:
    """Return the gap in inches that a disc of some radius keeps to bodies on a straight way, less than 0 where it meets one."""
    way = shapely.LineString([start, end])
    cores = ((shapely.Polygon(other.outline()) if other.ellipse is not None else other.core, other.radius) for other in others)
    return min((float(way.distance(core)) - radius - more for core, more in cores), default=np.inf)


def models_in_contact(first: Any, second: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of the models of two units that touch one of the other, to the tolerance of contact."""
    ours, theirs = bodies(first), bodies(second)
    met = [(one, other) for one, mine in ours.items() for other, its in theirs.items() if abs(gap(mine, its)) <= CONTACT]
    return tuple(dict.fromkeys(one for one, _ in met)), tuple(dict.fromkeys(other for _, other in met))


def margin_inside(shapes: Iterable[Shape], table: State[Any]) -> float:
    """Return how far bodies stay within the board's edge at least, in inches; less than 0 if one reaches beyond."""
    found = np.inf
    for shape in shapes:
        west, south, east, north = shape.bounds
        found = min(found, west, south, table.board.width - east, table.board.depth - north)
    return found


def swept(steps: Iterable[Step], unit: Any) -> Iterator[tuple[Shape, ...]]:
    """Yield what a unit's body covers along its steps, in pieces: of straight moves at once, of wheels every `FINE` inches.

    A regiment that looks elsewhere after a step without a pivot was put down there: of such a step nothing is swept.
    """
    for step in steps:
        if step.start is None or step.end is None or step.unit != unit.name or isinstance(unit, HexUnit):
            continue
        if step.pivot is not None and step.angle is not None:
            yield from (_at(unit, step, pose) for pose in _about(step.start, step.pivot, step.angle))
        elif isinstance(unit, Squad) or step.start.faces_like(step.end):
            spots = [(x, y) for x, y, _ in step.path] or [step.start.at, step.end.at]
            poses = [Pose(x, y, step.end.heading) for x, y in spots]
            for ends in pairwise(_at(unit, step, pose) for pose in poses):
                yield tuple(between(one, other) for one, other in zip(*ends, strict=True))


def _about(start: Pose, pivot: Point, angle: float) -> Iterator[Pose]:
    """Yield poses along a turn, each little after the one before."""
    count = 2 + int(abs(angle) * np.hypot(start.x - pivot[0], start.y - pivot[1]) / FINE)
    yield from (start.turned_about(pivot, angle * share) for share in np.linspace(0.0, 1.0, count))


def _at(unit: Any, step: Step, pose: Pose) -> tuple[Shape, ...]:
    if isinstance(unit, Squad):
        return tuple(model.at(pose).footprint for model in unit.models if model.number == step.model)
    return body(unit.at(pose))


def poses_of(unit: Any) -> tuple[Pose, ...]:
    """Return where each loose model of a unit stands, or the unit as a whole."""
    return unit.place.poses if isinstance(unit, Squad) else (unit.pose,)


def distance_off(unit: Any, other: Any) -> float:
    """Return the most by which a point of a unit at one place is off the same point at another, in inches."""
    first, second = _points(unit), _points(other)
    return float(np.hypot(*(first - second).T).max(initial=0.0))


def _points(unit: Any) -> FloatArray:
    """Return points (n, 2) that tell where a unit stands and looks: corners of a regiment, of a model its middle and how its base lies."""
    if isinstance(unit, Regiment):
        return unit.boundary.outline()
    if isinstance(unit, Squad):
        parts = [[model.pose.at] if isinstance(model.base, RoundBase) else _frame(model.pose) for model in unit.models]
        return np.array([point for part in parts for point in part])
    return np.array(_frame(unit.pose))


def _frame(pose: Pose) -> list[tuple[float, float]]:
    return [pose.at, pose.point(1.0, 0.0), pose.point(0.0, 1.0)]


def steps_between(before: State[Any], after: State[Any], *, kind: str = "move", rules: tuple[str, ...] = ()) -> tuple[Step, ...]:
    """Return the straight moves that lead from one table to another, of each unit or loose model that moved, in the order of the file."""
    found: list[Step] = []
    for name, unit in before.units.items():
        numbers = [model.number for model in unit.models] if isinstance(unit, Squad) else [None]
        moved = after.units[name]
        for number, start, end in zip(numbers, poses_of(unit), poses_of(moved), strict=True):
            if start != end:
                length = float(np.hypot(end.x - start.x, end.y - start.y))
                found.append(Step(kind, name, start, end, length, model=number, rules=rules))
    return tuple(found)


def moved_to(unit: Squad, poses: Iterable[Pose]) -> Squad:
    """Return a unit of loose models with its models at other poses, each at its height."""
    return unit.at(Formation(tuple(poses), unit.place.heights))
