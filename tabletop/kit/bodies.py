"""Bodies of units of any kind, what a unit keeps clear of, and moves of fronts.

Lengths are in inches, angles in radians, counter-clockwise when positive; poses are in the frame of the table.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import shapely

from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape, convex_hull_of, rectangle
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Evidence
from tabletop.table.facing import FacingName, arc_names, arc_rays, facing_of
from tabletop.table.models import Formation, Squad
from tabletop.table.state import HexUnit, Regiment, State
from tabletop.units import CONTACT, MARGINAL

FINE = 0.05
"""Largest distance in inches between two sampled places of a turning body."""


def bodies(unit: Any) -> dict[int, Shape]:
    """Return the footprint of each model of a unit, by number; empty for a unit in a hex."""
    if isinstance(unit, Squad):
        return {model.number: model.footprint for model in unit.models}
    if isinstance(unit, Regiment):
        poses = (unit.model_pose(rank, file) for rank, file in unit.places())
        return {number: rectangle(pose, unit.base.width, unit.base.depth) for number, pose in enumerate(poses)}
    return {}


def body(unit: Any) -> tuple[Shape, ...]:
    """Return the area that a unit keeps others out of: a regiment's boundary, empty places included, or the bases of loose models."""
    return (unit.boundary,) if isinstance(unit, Regiment) else tuple(bodies(unit).values())


def gap_between(first: Iterable[Shape], second: Iterable[Shape]) -> float:
    """Return the smallest signed gap in inches between two groups of bodies: negative where they overlap, inf if one is empty."""
    others = tuple(second)
    return min((gap(one, other) for one in first for other in others), default=np.inf)


def way_gap(start: Point, end: Point, radius: float, others: Iterable[Shape]) -> float:
    """Return the gap in inches between a moving disc and bodies on a straight path, negative where it meets one."""
    way = shapely.LineString([start, end])
    cores = ((shapely.Polygon(other.outline()) if other.ellipse is not None else other.core, other.radius) for other in others)
    return min((float(way.distance(core)) - radius - more for core, more in cores), default=np.inf)


def models_in_contact(first: Any, second: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of the models of two units that touch the other unit, to the tolerance of contact."""
    ours, theirs = bodies(first), bodies(second)
    met = [(one, other) for one, mine in ours.items() for other, its in theirs.items() if abs(gap(mine, its)) <= CONTACT]
    return tuple(dict.fromkeys(one for one, _ in met)), tuple(dict.fromkeys(other for _, other in met))


def margin_inside(shapes: Iterable[Shape], table: State[Any]) -> float:
    """Return the smallest distance of bodies from the board's edge, in inches; negative if one extends beyond."""
    return min((table.board.room(shape) for shape in shapes), default=np.inf)


def swept(steps: Iterable[Step], unit: Any) -> Iterator[tuple[Shape, ...]]:
    """Yield the area that a unit sweeps along its steps, in pieces: straight moves whole, wheels every `FINE` inches.

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
                yield tuple(convex_hull_of(one, other) for one, other in zip(*ends, strict=True))


def _about(start: Pose, pivot: Point, angle: float) -> Iterator[Pose]:
    """Yield poses along a turn, in small steps."""
    count = 2 + int(abs(angle) * np.hypot(start.x - pivot[0], start.y - pivot[1]) / FINE)
    yield from (start.turned_about(pivot, angle * share) for share in np.linspace(0.0, 1.0, count))


def _at(unit: Any, step: Step, pose: Pose) -> tuple[Shape, ...]:
    if isinstance(unit, Squad):
        return tuple(model.at(pose).footprint for model in unit.models if model.number == step.model)
    return body(unit.at(pose))


def poses_of(unit: Any) -> tuple[Pose, ...]:
    """Return the pose of each loose model of a unit, or of the unit as a whole."""
    return unit.place.poses if isinstance(unit, Squad) else (unit.pose,)


def steps_between(before: State[Any], after: State[Any], *, kind: str = "move", rules: tuple[str, ...] = ()) -> tuple[Step, ...]:
    """Return the straight moves that lead from one table to another, of each unit or model that moved, in file order."""
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
    """Return a unit of loose models at other poses, each at its height."""
    return unit.at(Formation(tuple(poses), unit.place.heights))


# What a unit keeps clear of: bodies of others and terrain, each with the least gap that the rules of a game ask for.

NO_GAPS: Mapping[str, float] = {}


@dataclass(frozen=True)
class Around:
    """A body that a unit keeps clear of, and by how many inches: its owner, or the piece of terrain."""

    name: str
    shape: Shape
    needed: float = 0.0


def surroundings(
    table: State[Any],
    unit: Any,
    *,
    friends: float = 0.0,
    enemies: float = 0.0,
    terrain: Mapping[str, float] = NO_GAPS,
    besides: Iterable[str] = (),
) -> tuple[Around, ...]:
    """Return what a unit keeps clear of, each with the gap needed.

    Parameters
    ----------
    table, unit
        The table, and who moves on it: it is not among its own surroundings.
    friends, enemies
        Inches to units of the same side, and to others.
    terrain
        Inches to terrain, by its kinds; a kind that is not named is in nobody's way.
    besides
        Names of units that are not looked at, such as the target of a charge.
    """
    left_out = {unit.name, *besides}
    units = [other for other in table.units.values() if other.name not in left_out]
    bodies = [Around(other.name, shape, friends if other.side == unit.side else enemies) for other in units for shape in body(other)]
    return (*bodies, *(Around(piece.name, piece.shape, terrain[piece.kind]) for piece in table.terrain if piece.kind in terrain))


def room_at(unit: Any, others: Iterable[Shape | Around]) -> float:
    """Return the excess of a unit's smallest gap over the gap needed, in inches; inf without other bodies."""
    return _room(body(unit), tuple(others))


def room_on_way(steps: Iterable[Step], unit: Any, others: Iterable[Shape | Around]) -> float:
    """Return the same excess along a unit's steps: negative where it comes too near.

    Endless where nobody is there. Of a bare shape no gap is needed.
    """
    bodies = tuple(others)
    return min((_room(place, bodies) for place in swept(steps, unit)), default=math.inf)


def _room(shapes: Iterable[Shape], others: tuple[Shape | Around, ...]) -> float:
    bodies = [(other.shape, other.needed) if isinstance(other, Around) else (other, 0.0) for other in others]
    return min((gap(shape, other) - needed for shape in shapes for other, needed in bodies), default=math.inf)


# Moves of fronts: straight ahead, a turn about a point of their own, straight ahead.

PARALLEL = 1e-9
"""Headings closer than this, in radians, are equal."""


def legs(start: Pose, end: Pose, about: Point) -> tuple[float, float] | None:
    """Return how far a front goes ahead before and after it turns about a point of its own, in inches, negative if back.

    Parameters
    ----------
    start, end
        The middle of the front, and where it looks, before and after.
    about
        The point that it turns about, to the right of the middle of its front and ahead of it, in inches: half its width to a side for a
        corner, (0, 0) for the middle of its front, (0, -depth / 2) for its own middle.

    Returns
    -------
    tuple[float, float] or None
        None where it looks as before and no straight way leads there: no turn brings it aside.
    """
    turn = math.remainder(end.heading - start.heading, math.tau)
    (x, y), (to_x, to_y) = start.point(*about), end.point(*about)
    dx, dy = to_x - x, to_y - y
    (ax, ay), (bx, by) = start.forward, end.forward
    if abs(math.sin(turn)) <= PARALLEL:
        is_ahead = abs(turn) < 1.0 and abs(ax * dy - ay * dx) <= CONTACT
        return (ax * dx + ay * dy, 0.0) if is_ahead else None
    area = ax * by - ay * bx
    return (dx * by - dy * bx) / area, (ax * dy - ay * dx) / area


def march(unit: Regiment, end: Pose, about: Point, *, kinds: Sequence[str] = ("forward", "wheel", "forward")) -> tuple[Step, ...] | None:
    """Return a regiment's march to a place: ahead, a turn about a point of its own, ahead; without legs too short to measure.

    Those are shorter than a thousandth of an inch: a search that ends a hair beside a straight way makes no leg of it. The length of the
    turn is the arc of the front corner that goes farthest. None where no such way leads there, or one that goes back.
    """
    found = legs(unit.pose, end, about)
    if found is None or min(found) < -CONTACT:
        return None
    first, second = (max(0.0, leg) for leg in found)
    turn, half = math.remainder(end.heading - unit.pose.heading, math.tau), unit.width / 2
    ahead = unit.pose.advanced(first)
    pivot = ahead.point(*about)
    turned = ahead.turned_about(pivot, turn)
    arc = abs(turn) * max(math.dist(ahead.point(side, 0.0), pivot) for side in (half, -half))
    steps = (
        Step(kinds[0], unit.name, unit.pose, ahead, first),
        Step(kinds[1], unit.name, ahead, turned, arc, angle=turn, pivot=pivot),
        Step(kinds[2], unit.name, turned, end, second),
    )
    has_leg = (first > MARGINAL, abs(turn) > PARALLEL, second > MARGINAL)
    left = [step for step, is_one in zip(steps, has_leg, strict=True) if is_one]
    if left:  # what was left out is a hair, by which the way would begin or end beside its places
        left[0] = replace(left[0], start=unit.pose)
        left[-1] = replace(left[-1], end=end)
    return tuple(left)


def arcs_shown(target: Regiment, charged: FacingName | None = None, *, after: Regiment | None = None) -> Evidence:
    """Return what figures can show of a charged regiment: its arcs and its charged side, before and where it stands `after`."""
    shown = Evidence(arc_rays=arc_rays(target.boundary.outline()), arc_centre=target.centre, arc_names=arc_names(target))
    if charged is None:
        return shown
    there = facing_of(target if after is None else after, charged)
    return replace(shown, facing=facing_of(target, charged).ends, facing_after=there.ends)
