"""Bodies of units of any kind, what a unit keeps clear of, and moves of fronts.

A body is the area of the table that a unit or model covers, as a `Shape`. Lengths are in inches, angles in radians,
counter-clockwise when positive; poses are in the frame of the table.
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
    """Return the footprint of each model of a unit as a shape on the table, by the model's number; empty for a unit on
    a hex.

    Models of a squad keep their numbers in the file; those of a regiment are numbered from 0 in the order of
    `Regiment.places`.
    """
    if isinstance(unit, Squad):
        return {model.number: model.footprint for model in unit.models}
    if isinstance(unit, Regiment):
        poses = (unit.model_pose(rank, file) for rank, file in unit.places())
        return {
            number: rectangle(pose, unit.base.width, unit.base.depth)
            for number, pose in enumerate(poses)
        }
    return {}


def body(unit: Any) -> tuple[Shape, ...]:
    """Return the shapes that no other unit may enter: a regiment's boundary, empty places included, or the bases of
    loose models.

    A unit on a hex has none: the result is empty.
    """
    return (unit.boundary,) if isinstance(unit, Regiment) else tuple(bodies(unit).values())


def gap_between(first: Iterable[Shape], second: Iterable[Shape]) -> float:
    """Return the smallest signed gap in inches between a shape of one group and a shape of the other: negative where
    they overlap.

    It is inf if one of the groups is empty.
    """
    others = tuple(second)
    return min((gap(one, other) for one in first for other in others), default=np.inf)


def way_gap(start: Point, end: Point, radius: float, others: Iterable[Shape]) -> float:
    """Return the smallest gap in inches between a disc that moves straight from one table point to another and some
    shapes.

    The disc has a radius of `radius` inches. The gap is negative, down to minus the sum of the radii, where the disc
    meets a shape on its way, and inf if there are no shapes.
    """
    way = shapely.LineString([start, end])
    cores = (
        (
            shapely.Polygon(other.outline()) if other.ellipse is not None else other.core,
            other.radius,
        )
        for other in others
    )
    return min((float(way.distance(core)) - radius - more for core, more in cores), default=np.inf)


def models_in_contact(first: Any, second: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of the models of two units that touch a model of the other unit: (those of the first, those of
    the second).

    Two models touch if the signed gap between their footprints is 0 to the tolerance `CONTACT` (1e-6 in); numbers are
    the keys of `bodies`.
    """
    ours = bodies(first)
    theirs = bodies(second)
    met = [
        (one, other)
        for one, mine in ours.items()
        for other, its in theirs.items()
        if abs(gap(mine, its)) <= CONTACT
    ]
    return tuple(dict.fromkeys(one for one, _ in met)), tuple(
        dict.fromkeys(other for _, other in met)
    )


def margin_inside(shapes: Iterable[Shape], table: State[Any]) -> float:
    """Return the smallest signed distance in inches from some shapes to the edges of the board; negative if one reaches
    beyond an edge.

    It is inf without shapes.
    """
    return min((table.board.room(shape) for shape in shapes), default=np.inf)


def swept(steps: Iterable[Step], unit: Any) -> Iterator[tuple[Shape, ...]]:
    """Yield, piece by piece, the shapes that a unit sweeps along its steps; steps of other units are skipped.

    A straight move is one piece for each straight stretch of its way: the convex hull of each body at both its ends. A
    turn about a pivot is sampled at places at most about `FINE` inches apart along the arc of the unit's pose. Nothing
    is swept by a regiment's step without a pivot that changes its heading: the regiment is lifted and put down.
    """
    for step in steps:
        if (
            step.start is None
            or step.end is None
            or step.unit != unit.name
            or isinstance(unit, HexUnit)
        ):
            continue
        if step.pivot is not None and step.angle is not None:
            yield from (
                _at(unit, step, pose) for pose in _about(step.start, step.pivot, step.angle)
            )
        elif isinstance(unit, Squad) or step.start.faces_like(step.end):
            spots = [(x, y) for x, y, _ in step.path] or [step.start.at, step.end.at]
            poses = [Pose(x, y, step.end.heading) for x, y in spots]
            for ends in pairwise(_at(unit, step, pose) for pose in poses):
                yield tuple(convex_hull_of(one, other) for one, other in zip(*ends, strict=True))


def _about(start: Pose, pivot: Point, angle: float) -> Iterator[Pose]:
    """Yield poses along a turn of a pose by `angle` radians about `pivot`, at most `FINE` inches apart, both ends
    included.
    """
    count = 2 + int(abs(angle) * np.hypot(start.x - pivot[0], start.y - pivot[1]) / FINE)
    yield from (start.turned_about(pivot, angle * share) for share in np.linspace(0.0, 1.0, count))


def _at(unit: Any, step: Step, pose: Pose) -> tuple[Shape, ...]:
    if isinstance(unit, Squad):
        return tuple(
            model.at(pose).footprint for model in unit.models if model.number == step.model
        )
    return body(unit.at(pose))


def poses_of(unit: Any) -> tuple[Pose, ...]:
    """Return the poses of a unit's loose models in file order, or the single pose of a regiment or a unit on a hex."""
    return unit.place.poses if isinstance(unit, Squad) else (unit.pose,)


def steps_between(
    before: State[Any], after: State[Any], *, kind: str = "move", rules: tuple[str, ...] = ()
) -> tuple[Step, ...]:
    """Return straight steps that lead from one table to another: one for each unit, or loose model, whose pose differs,
    in file order.

    Each step has the given kind and rules, and the length in inches of the straight line between both positions. Both
    tables must hold the same units and models.
    """
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
    """Return a squad of loose models placed at other poses, in the order of its models; each keeps its height above the
    table.
    """
    return unit.at(Formation(tuple(poses), unit.place.heights))


# What a unit keeps clear of: bodies of others and terrain, each with the least gap that the rules of a game ask for.

NO_GAPS: Mapping[str, float] = {}


@dataclass(frozen=True)
class Around:
    """A shape that a unit must keep clear of, by at least `needed` inches; `name` is the unit or piece of terrain that
    it belongs to.
    """

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
    """Return the shapes on a table that a unit must keep clear of, each with the gap in inches that is needed.

    Parameters
    ----------
    table, unit
        The table, and the unit that moves on it, which is not among its own surroundings.
    friends, enemies
        Gap in inches needed to units of the same side, and to units of other sides.
    terrain
        Gap in inches needed to terrain, by the kind of terrain; terrain of a kind that is not named is left out.
    besides
        Names of units that are left out, such as the target of a charge.
    """
    left_out = {unit.name, *besides}
    units = [other for other in table.units.values() if other.name not in left_out]
    bodies = [
        Around(other.name, shape, friends if other.side == unit.side else enemies)
        for other in units
        for shape in body(other)
    ]
    return (
        *bodies,
        *(
            Around(piece.name, piece.shape, terrain[piece.kind])
            for piece in table.terrain
            if piece.kind in terrain
        ),
    )


def room_at(unit: Any, others: Iterable[Shape | Around]) -> float:
    """Return the least excess, in inches, of the gaps between a unit and other bodies over the gaps needed; inf without
    other bodies.

    It is negative by as much as the unit is too near. To a bare `Shape` a gap of 0 is needed, to an `Around` its
    `needed`.
    """
    return _room(body(unit), tuple(others))


def room_on_way(steps: Iterable[Step], unit: Any, others: Iterable[Shape | Around]) -> float:
    """Return the least excess, in inches, of the gaps along a unit's steps over the gaps needed: negative where it
    comes too near.

    As `room_at`, for all the area that `swept` yields; inf if no other bodies are given or nothing is swept.
    """
    bodies = tuple(others)
    return min((_room(place, bodies) for place in swept(steps, unit)), default=math.inf)


def _room(shapes: Iterable[Shape], others: tuple[Shape | Around, ...]) -> float:
    bodies = [
        (other.shape, other.needed) if isinstance(other, Around) else (other, 0.0)
        for other in others
    ]
    return min(
        (gap(shape, other) - needed for shape in shapes for other, needed in bodies),
        default=math.inf,
    )


# Moves of fronts: straight ahead, a turn about a point of their own, straight ahead.

PARALLEL = 1e-9
"""Headings closer than this, in radians, are equal."""


def legs(start: Pose, end: Pose, about: Point) -> tuple[float, float] | None:
    """Return how far a front advances, in inches, before and after it turns about a point of its own; negative where it
    goes back.

    The move is: straight ahead, a turn on the spot about the point, straight ahead. It is determined by the poses at
    its two ends.

    Parameters
    ----------
    start, end
        Poses of the middle of the front before and after the move.
    about
        The point that the front turns about, in its own frame: inches to the right of its middle, and inches ahead of
        it. A corner of the front is half its width to a side, (0, 0) is the middle of the front, and (0, -depth / 2)
        the middle of the unit.

    Returns
    -------
    tuple[float, float] or None
        The two lengths. Where both headings are equal, the whole way and 0.0, or None if `end` is not straight ahead or
        behind. None, too, where the headings are opposite.
    """
    turn = math.remainder(end.heading - start.heading, math.tau)
    x, y = start.point(*about)
    to_x, to_y = end.point(*about)
    dx = to_x - x
    dy = to_y - y
    ax, ay = start.forward
    bx, by = end.forward
    if abs(math.sin(turn)) <= PARALLEL:
        is_ahead = abs(turn) < 1.0 and abs(ax * dy - ay * dx) <= CONTACT
        return (ax * dx + ay * dy, 0.0) if is_ahead else None
    area = ax * by - ay * bx
    return (dx * by - dy * bx) / area, (ax * dy - ay * dx) / area


def march(
    unit: Regiment,
    end: Pose,
    about: Point,
    *,
    kinds: Sequence[str] = ("forward", "wheel", "forward"),
) -> tuple[Step, ...] | None:
    """Return the steps of a regiment to a pose: ahead, a turn about a point of its own, ahead; None if there is no such
    way.

    It is None, too, if a leg would lead back. `about` is the point in the frame of the front, in inches to the right of
    its middle and ahead of it, as for `legs`; `kinds` are the kinds of the three steps. Straight legs of at most 0.001
    in and turns of at most 1e-9 radians are left out, so that the result may be empty. The length of the turn is the
    arc, in inches, of the front corner that goes farthest.
    """
    found = legs(unit.pose, end, about)
    if found is None or min(found) < -CONTACT:
        return None
    first, second = (max(0.0, leg) for leg in found)
    turn = math.remainder(end.heading - unit.pose.heading, math.tau)
    half = unit.width / 2
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


def arcs_shown(
    target: Regiment, charged: FacingName | None = None, *, after: Regiment | None = None
) -> Evidence:
    """Return what figures show of a charged regiment: its arcs and, if `charged` is given, the end points of that side.

    The arcs are those of `target`. The ends of the charged side are those on `target`, before the charge, and on
    `after`, the regiment after the charge; without `after` the regiment has not moved.
    """
    shown = Evidence(
        arc_rays=arc_rays(target.boundary.outline()),
        arc_centre=target.centre,
        arc_names=arc_names(target),
    )
    if charged is None:
        return shown
    there = facing_of(target if after is None else after, charged)
    return replace(shown, facing=facing_of(target, charged).ends, facing_after=there.ends)
