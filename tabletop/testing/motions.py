"""Whole tables moved, turned and mirrored, renamed, with terrain cut in parts: changes that must not matter to any
game.
"""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import shapely
from shapely.ops import split

from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape
from tabletop.ruling.charge import Charge
from tabletop.ruling.system import Case
from tabletop.table.models import Formation, Hull, Model, Squad
from tabletop.table.state import HexTerrain, Regiment, State, Terrain
from tabletop.units import CONTACT

BOARD_CENTRE = (36.0, 24.0)

FAR, CUT = 1000.0, 0.7
"""Inches and radians of the line along which terrain is cut."""

HANDS = {"left": "right", "right": "left"}

Motion = Callable[[Point], Point]

Turn = Callable[[float], float]

Value = TypeVar("Value")


def shifted(state: State[Any], dx: float, dy: float) -> State[Any]:
    """Return a table with units and terrain shifted by (dx, dy) inches; the board stays."""
    return carried(state, lambda point: (point[0] + dx, point[1] + dy), lambda heading: heading)


def turned(state: State[Any], angle: float, about: Point = BOARD_CENTRE) -> State[Any]:
    """Return a table with units and terrain turned by radians, counter-clockwise about a table point; the board
    stays.
    """
    return carried(
        state, lambda point: turned_point(point, angle, about), lambda heading: heading + angle
    )


def turned_point(point: Point, angle: float, about: Point = BOARD_CENTRE) -> Point:
    """Return a table point turned by radians, counter-clockwise about another."""
    pose = Pose(point[0], point[1], 0.0).turned_about(about, angle)
    return pose.at


def mirrored(state: State[Any]) -> State[Any]:
    """Return a table mirrored left to right about the middle of its board, with the hands of hulls and rear ranks
    swapped.
    """
    swapped = carried(
        state,
        lambda point: (state.board.width - point[0], point[1]),
        lambda heading: math.pi - heading,
    )
    units = {name: _other_hand(unit) for name, unit in swapped.units.items()}
    return replace(swapped, units=units)


def mirrored_case(case: Case) -> Case:
    """Return a case with its table mirrored left to right, and the words left and right swapped in what its charges
    declare.
    """
    return replace(
        case,
        state=mirrored(case.state),
        charges=tuple(_reworded(charge, HANDS) for charge in case.charges),
    )


def renamed(case: Case) -> Case:
    """Return a case in which every unit and piece of terrain called NAME is called "the NAME"."""
    state = case.state
    names = {
        name: f"the {name}" for name in [*state.units, *(piece.name for piece in state.terrain)]
    }
    units = {names[name]: replace(unit, name=names[name]) for name, unit in state.units.items()}
    terrain = tuple(replace(piece, name=names[piece.name]) for piece in state.terrain)
    return replace(
        case,
        state=replace(state, units=units, terrain=terrain),
        charges=tuple(
            replace(
                _reworded(charge, names),
                charger=names[charge.charger],
                targets=tuple(names[name] for name in charge.targets),
            )
            for charge in case.charges
        ),
    )


def _reworded(charge: Charge, words: Mapping[str, str]) -> Charge:
    declared = charge.declarations
    return replace(
        charge,
        declarations=type(declared).model_validate(
            _exchanged(declared.model_dump(exclude_unset=True), words)
        ),
    )


def _exchanged(value: Any, words: Mapping[str, str]) -> Any:
    """Return a value with keys and texts exchanged as `words` maps them, at any depth of mappings and lists."""
    if isinstance(value, Mapping):
        return {words.get(key, key): _exchanged(item, words) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_exchanged(item, words) for item in value]
    return words.get(value, value) if isinstance(value, str) else value


def _other_hand(unit: Any) -> Any:
    if isinstance(unit, Squad):
        return replace(unit, models=tuple(map(_mirrored_base, unit.models)))
    if isinstance(unit, Regiment) and unit.rear_rank != "centre":
        other: Any = HANDS[unit.rear_rank]
        return replace(unit, rear_rank=other, profile=_with_rear_rank(unit.profile, other))
    return unit


def _with_rear_rank(profile: Any, hand: str) -> Any:
    return (
        profile.model_copy(update={"rear_rank": hand}) if hasattr(profile, "rear_rank") else profile
    )


def _mirrored_base(model: Model) -> Model:
    if not isinstance(model.base, Hull):
        return model
    return replace(model, base=Hull(tuple((ahead, -left) for ahead, left in model.base.points)))


def carried(state: State[Any], point: Motion, heading: Turn) -> State[Any]:
    """Return a table with units and terrain moved by a motion of the plane.

    `point` maps table points, `heading` maps headings in radians.
    """
    units = {
        name: unit.at(carried_place(unit.place, point, heading))
        for name, unit in state.units.items()
    }
    terrain = tuple(
        replace(item, shape=_carried_shape(item.shape, point)) for item in state.terrain
    )
    return replace(state, units=units, terrain=terrain)


def carried_place(place: Value, point: Motion, heading: Turn) -> Value:
    """Return a unit's place moved by a motion of the plane: a pose, or the poses of all models of a formation."""
    if isinstance(place, Formation):
        return replace(
            place, poses=tuple(carried_place(pose, point, heading) for pose in place.poses)
        )
    if not isinstance(place, Pose):
        raise TypeError(f"expected a pose or a formation, given {place!r}")
    return type(place)(*point(place.at), heading(place.heading))


def _carried_shape(shape: Shape, point: Motion) -> Shape:
    core = shapely.transform(
        shape.core, lambda points: np.array([point((float(x), float(y))) for x, y in points])
    )
    return Shape(core, shape.radius)


def cut(state: State[Any], names: Collection[str]) -> State[Any]:
    """Return a table with the named terrain cut in parts: polygons in parts along a line through them, hex terrain in
    single hexes.
    """
    terrain = [
        part
        for piece in state.terrain
        for part in (_halves(piece) if piece.name in names else [piece])
    ]
    hexes: list[HexTerrain] = []
    for piece in state.hex_terrain:
        single = [
            replace(piece, name=f"{piece.name} {number}", hexes=(place,))
            for number, place in enumerate(piece.hexes)
        ]
        hexes += single if piece.name in names else [piece]
    return replace(state, terrain=tuple(terrain), hex_terrain=tuple(hexes))


def _halves(piece: Terrain) -> list[Terrain]:
    x, y = piece.shape.core.representative_point().coords[0]
    line = shapely.LineString(
        [
            (x - FAR * math.cos(CUT), y - FAR * math.sin(CUT)),
            (x + FAR * math.cos(CUT), y + FAR * math.sin(CUT)),
        ]
    )
    parts = split(piece.shape.core, line).geoms
    return [
        replace(piece, name=f"{piece.name} {number}", shape=Shape(part))
        for number, part in enumerate(parts)
    ]


def cuttable(state: State[Any], bodies: Collection[Shape]) -> list[str]:
    """Return the names of pieces of terrain that `cut` can cut and that none of the bodies touches."""
    polygons = [
        piece
        for piece in state.terrain
        if isinstance(piece.shape.core, shapely.Polygon) and not piece.shape.radius
    ]
    free = [
        piece.name for piece in polygons if all(gap(piece.shape, body) > CONTACT for body in bodies)
    ]
    return free + [piece.name for piece in state.hex_terrain if len(piece.hexes) > 1]


def bodies_of(state: State[Any]) -> list[Shape]:
    """Return the footprints on a free table: bases of loose models, then boundaries of regiments."""
    squads = [
        model.footprint
        for unit in state.units.values()
        if isinstance(unit, Squad)
        for model in unit.models
    ]
    return squads + [unit.boundary for unit in state.units.values() if isinstance(unit, Regiment)]


SAME_POSE_TOLERANCE = 1e-9
"""Inches and radians within which poses are equal."""


def near(one: float, other: float, *, by: float = SAME_POSE_TOLERANCE) -> bool:
    """Return whether two numbers differ by at most `by`."""
    return one == other or abs(one - other) <= by


def near_points(one: Point, other: Point) -> bool:
    """Return whether two points differ by at most 1e-9 in in x and in y."""
    return near(one[0], other[0]) and near(one[1], other[1])
