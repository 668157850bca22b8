"""Marks of units: bases, models in contact, facing, numbers, name and status, and outlines where a unit started or
stops.

`unit_marks`, `start_marks` and `stop_marks` accept regiments, squads of loose models and units in hexes. Lengths are in
inches on the table, silhouettes in hexes in multiples of a hex's width; `tone` is the palette index of a side.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import shapely

from plots.marks.mark import (
    DISC_SIDES,
    HEIGHT_SIGN,
    Discs,
    DrawnMark,
    FacingMark,
    Label,
    Lines,
    Points,
    Printed,
    Rings,
    identifier,
    part_of,
    points,
    shifted,
)
from plots.marks.silhouettes import drawn_as, figures, fitted
from tabletop.geometry.pose import Point, Pose
from tabletop.language.language import current_language
from tabletop.table.hexes import HexBoard, hex_board
from tabletop.table.models import Model, RoundBase, Squad, from_one
from tabletop.table.state import Board, HexUnit, Regiment, Silhouette, silhouette_of

Unit = Any
"""Regiment, squad of loose models, or unit in a hex."""

TRAY_SHADOW = 0.08
"""Offset of a tray's shadow to the right and down, in table inches."""

ALWAYS_NUMBERED = 12
"""Number of models up to which they are numbered wherever there is room."""

RAISED = ("raised", "raised_contact")

INNER, TICK, FREE, BESIDE_TICK, COUNTED = 0.8, 0.2, 0.88, 0.7, 0.85
"""Shares of a base's size: inner ring of raised models, facing mark, width for its number, width beside a facing mark,
and width for a count."""

FILLS = 0.7
"""Share of a hex's width that a silhouette fills."""

PRONE_LINES = (((-0.28, -0.39), (0.28, -0.39)), ((-0.18, -0.44), (0.18, -0.44)))
"""Lines behind a prone unit, in multiples of a hex's width: to the right, ahead."""

LETTER_AT, LETTER_ROOM, BESIDE = -0.025, 0.52, ((0.36, 0.0), (-0.36, 0.0), (0.0, -0.36))
"""Position of a unit's name on its hex, its greatest width, and its alternative positions; in multiples of a hex's
width: to the right, ahead."""

CROWDED, ASIDE = 0.62, 0.25
"""Size of models that share a hex and their distance from its centre, in multiples of its width."""

IN_HEX = 0.8
"""Position of a unit's status in a hex, as a share of the way to the hex's edge."""


@dataclass(frozen=True)
class UnitStyle:
    """Style of a unit: palette index, board, numbers of its models in contact, and whether models are numbered.

    `counts` are the numbers shown on the models of a regiment that are in contact.
    """

    tone: int
    board: Board
    contact: frozenset[int] = frozenset()
    is_numbered: bool = False
    counts: Mapping[int, int] = field(default_factory=dict, hash=False)


def unit_marks(
    unit: Unit, look: UnitStyle, *, others: Sequence[Unit] = ()
) -> tuple[DrawnMark, ...]:
    """Return the marks of a unit with its name and status; `others` are all units, of which some may share its hex."""
    return part_of(
        identifier("unit", unit.name),
        (*_body_marks(unit, look, others), *_status_marks(unit, look)),
    )


def _body_marks(unit: Unit, look: UnitStyle, others: Sequence[Unit]) -> tuple[DrawnMark, ...]:
    if isinstance(unit, Squad):
        return squad_marks(unit, tone=look.tone, contact=look.contact, is_numbered=look.is_numbered)
    if isinstance(unit, HexUnit):
        return hex_unit_marks(unit, tone=look.tone, board=look.board, others=others)
    return regiment_marks(unit, tone=look.tone, contact=look.contact, counts=look.counts)


def _status_marks(unit: Unit, look: UnitStyle) -> tuple[DrawnMark, ...]:
    """Return a label with the status words that a figure shows, at the unit's edges; empty if there are none."""
    words = ", ".join(
        current_language().known("status", word) for word in current_language().told(unit.status)
    )
    corners = extremes(unit, look.board)
    if not words or not corners:
        return ()
    (west, south), (east, north) = corners
    x = (west + east) / 2
    y = (south + north) / 2
    edges = ((east, y), (west, y), (x, south), (x, north))
    inner = tuple((x + IN_HEX * (right - x), y + IN_HEX * (up - y)) for right, up in edges)
    spots = inner if isinstance(unit, HexUnit) else edges
    return (Label("status", "text", words, spots, rank=6),)


def start_marks(
    unit: Unit, now: Unit | None, look: UnitStyle, *, lost_from: Unit | None = None
) -> tuple[DrawnMark, ...]:
    """Return the dashed outlines, at the start, of the parts of a unit that have moved; `now` is the unit now, None if
    it is removed.

    Lost models are crossed at their positions in `lost_from`, the complete unit, or else where they started.
    """
    marks: tuple[DrawnMark, ...] = ()
    if isinstance(unit, Squad):
        marks = squad_start(unit, now, tone=look.tone, lost_from=lost_from)
    elif now is not None and unit.place != now.place:
        is_hexed = isinstance(unit, HexUnit)
        marks = (
            hex_unit_start(unit, tone=look.tone, board=look.board)
            if is_hexed
            else regiment_start(unit, unit.pose, tone=look.tone)
        )
    return part_of(identifier("start", unit.name), marks)


def stop_marks(unit: Unit, then: Unit, look: UnitStyle) -> tuple[DrawnMark, ...]:
    """Return the dashed outlines, over everything else, of the parts of a unit that have moved from `unit` to `then`;
    none in hexes.
    """
    if isinstance(unit, Squad):
        return squad_stop(unit, then, tone=look.tone)
    if isinstance(unit, HexUnit):
        return ()
    return (regiment_stop(unit, then.pose, tone=look.tone),)


def extremes(unit: Unit, board: Board) -> Points:
    """Return the lower left and upper right corners of a unit's bounding box; empty if it has no models."""
    if isinstance(unit, Squad):
        boxes = [model.footprint.bounds for model in unit.models]
    elif isinstance(unit, HexUnit) and isinstance(board, HexBoard):
        xs, ys = zip(*hex_unit_ring(unit, board), strict=True)
        boxes = [(min(xs), min(ys), max(xs), max(ys))]
    else:
        boxes = [unit.boundary.bounds]
    if not boxes:
        return ()
    wests, souths, easts, norths = zip(*boxes, strict=True)
    return ((min(wests), min(souths)), (max(easts), max(norths)))


# Regiments.


def regiment_marks(
    unit: Regiment,
    *,
    tone: int,
    contact: Collection[int] = (),
    counts: Mapping[int, int] | None = None,
) -> tuple[DrawnMark, ...]:
    """Return the marks of a regiment: tray, bases with figures, models in `contact` with their `counts`, boundary,
    facing and name.
    """
    rings = base_rings(unit)
    numbers = tuple(number for number in range(len(rings)) if number in contact)
    touching = tuple(rings[number] for number in numbers)
    ring = points(unit.boundary.outline())
    tray = Rings("tray", f"tray.{tone}", (ring,))
    shadow = Rings("shadow", "shadow", (shifted(ring, TRAY_SHADOW),))
    marks: list[DrawnMark] = [
        shadow,
        tray,
        Rings("models", f"models.{tone}", rings, tuple(range(len(rings)))),
    ]
    others = tuple(ring for number, ring in enumerate(rings) if number not in contact)
    marks += [Rings("figures", f"figures.{tone}", _figures(unit, others))] if others else []
    if touching:
        marks += [
            Rings("contact", f"contact.{tone}", touching, numbers),
            Rings("touching", f"touching.{tone}", _figures(unit, touching)),
        ]
    counted = {number: count for number, count in (counts or {}).items() if number in numbers}
    if counted:
        room = COUNTED * min(unit.base.width, unit.base.depth)
        words = tuple(
            (centre_of(rings[number]), str(count), room) for number, count in counted.items()
        )
        marks.append(Printed("counts", "count", words, plate=f"touching.{tone}"))
    return (*marks, *_unit_frame(unit, tone))


def _figures(unit: Regiment, rings: Sequence[Points]) -> tuple[Points, ...]:
    """Return the rings of the regiment's figure on each of the given bases."""
    shapes = [
        np.array(ring) for ring in figures(silhouette_of(unit), unit.base.width, unit.base.depth)
    ]
    turned = [unit.pose.to_table(shape) - unit.pose.at for shape in shapes]
    middles = np.array(rings).mean(axis=1)
    placed = [(middles[:, None, :] + shape[None, :, :]).tolist() for shape in turned]
    return tuple(
        tuple((x, y) for x, y in ring) for of_base in zip(*placed, strict=True) for ring in of_base
    )


def _unit_frame(unit: Regiment, tone: int) -> tuple[DrawnMark, ...]:
    ring = points(unit.boundary.outline())
    return (
        Rings("", f"unit.{tone}", (ring,)),
        FacingMark(
            "facing",
            f"front.{tone}",
            unit.pose.at,
            unit.pose.heading,
            unit.width / 2,
            unit.base.depth / 2,
        ),
        Label("label", f"name.{tone}", unit.name, spots=_regiment_name_spots(unit), rank=2),
    )


def _regiment_name_spots(unit: Regiment) -> Points:
    """Return positions for a regiment's name beside its rear and flanks, best first."""
    half = unit.width / 2
    low = -unit.depth
    edges = (
        (0.0, low),
        (-half / 2, low),
        (half / 2, low),
        (-half, low),
        (half, low),
        (-half, 0.6 * low),
        (half, 0.6 * low),
    )
    return tuple(unit.pose.point(right, ahead) for right, ahead in edges)


def base_rings(unit: Regiment) -> tuple[Points, ...]:
    """Return the corners of every base, in the order of `Regiment.places`."""
    places = np.array(unit.places(), dtype=float)
    right = places[:, 1] * (unit.base.width + unit.spacing) - unit.width / 2
    ahead = -places[:, 0] * (unit.base.depth + unit.spacing)
    across = np.array([0.0, 1.0, 1.0, 0.0]) * unit.base.width
    along = np.array([-1.0, -1.0, 0.0, 0.0]) * unit.base.depth
    body = np.stack([right[:, None] + across, ahead[:, None] + along], axis=-1)
    return tuple(tuple((x, y) for x, y in ring) for ring in unit.pose.to_table(body).tolist())


def regiment_start(unit: Regiment, pose: Pose, *, tone: int) -> tuple[DrawnMark, ...]:
    """Return a regiment's dashed boundary at a starting pose, under everything else, with a hollow facing mark."""
    moved = unit.at(pose)
    return (
        Rings("", f"start.{tone}", (points(moved.boundary.outline()),)),
        FacingMark(
            "facing", f"hollow.{tone}", pose.at, pose.heading, unit.width / 2, unit.base.depth / 2
        ),
    )


def regiment_stop(unit: Regiment, pose: Pose, *, tone: int) -> DrawnMark:
    """Return a regiment's dashed boundary at the pose where a leg of its move ends, over everything else."""
    return Rings("stop", f"ghost.{tone}", (points(unit.at(pose).boundary.outline()),))


# Squads of loose models.


def squad_marks(
    squad: Squad, *, tone: int, contact: Collection[int] = (), is_numbered: bool = False
) -> tuple[DrawnMark, ...]:
    """Return the marks of a squad: bases, models in contact, numbers, facings of bases that are not round, heights and
    name.
    """
    if not squad.models:
        return ()
    touching = [model for model in squad.models if model.number in contact]
    marks: list[DrawnMark] = [_bases("models", f"loose.{tone}", squad.models)]
    marks += [_bases("contact", f"contact.{tone}", touching)] if touching else []
    marks += [
        *_seen(squad, tone, contact),
        *_facings(squad, tone),
        *_heights(squad, tone, contact),
    ]
    if is_numbered or len(squad.models) <= ALWAYS_NUMBERED:
        marks += _numbers(squad, tone, contact)
    names = [
        Label(f"{model.number}.name", "text", model.name, around(model), rank=8)
        for model in squad.models
        if model.name
    ]
    return (
        *marks,
        Label("label", f"name.{tone}", squad.name, _squad_name_spots(squad), rank=2),
        *names,
    )


def _bases(name: str, role: str, models: Sequence[Model], *, is_numbered: bool = True) -> DrawnMark:
    """Return the mark of models' bases, as discs if all are round, else as rings."""
    numbers = tuple(model.number for model in models) if is_numbered else ()
    discs = tuple(
        (*model.pose.at, model.base.diameter / 2)
        for model in models
        if isinstance(model.base, RoundBase)
    )
    return (
        Discs(name, role, discs, numbers)
        if len(discs) == len(models)
        else Rings(name, role, model_rings(models), numbers)
    )


def centre_of(ring: Points) -> Point:
    """Return the mean of the vertices of a ring."""
    xs, ys = zip(*ring, strict=True)
    return (sum(xs) / len(ring), sum(ys) / len(ring))


def model_rings(models: Sequence[Model]) -> tuple[Points, ...]:
    """Return the outline of each model's base as a polygon."""
    return tuple(points(model.footprint.outline(DISC_SIDES)) for model in models)


def _numbers(squad: Squad, tone: int, contact: Collection[int]) -> list[DrawnMark]:
    """Return the marks of models' numbers on their bases, light on the dark bases of models in contact; none for a
    single model.
    """
    if len(squad.models) == 1:
        return []
    words = {
        model.number: (_middle(model), str(from_one(model.number)), _room(model))
        for model in squad.models
    }
    dark = tuple(word for number, word in words.items() if number in contact)
    light = tuple(word for number, word in words.items() if number not in contact)
    marks = (
        Printed("numbers", "number", light, plate=f"loose.{tone}"),
        Printed("numbers.contact", "number_light", dark, plate=f"contact.{tone}"),
    )
    return [mark for mark in marks if mark.words]


def _middle(model: Model) -> Point:
    """Return the centre of the bounding box of a model's footprint; the origin of a hull may lie elsewhere."""
    west, south, east, north = model.footprint.bounds
    return ((west + east) / 2, (south + north) / 2)


def _room(model: Model) -> float:
    """Return the width in inches available to a number on a base."""
    return (FREE if isinstance(model.base, RoundBase) else BESIDE_TICK) * across(model)


def across(model: Model) -> float:
    """Return the smaller extent of a model's footprint, in inches."""
    west, south, east, north = model.footprint.bounds
    return min(east - west, north - south)


def _facings(squad: Squad, tone: int) -> list[DrawnMark]:
    """Return facing marks of bases that are not round."""
    ticks = tuple(_tick(model) for model in squad.models if not isinstance(model.base, RoundBase))
    return [Rings("facing", f"front.{tone}", ticks)] if ticks else []


def _seen(squad: Squad, tone: int, contact: Collection[int]) -> list[DrawnMark]:
    """Return the marks of silhouettes on the bases of a squad; models on foot have none."""
    silhouette = silhouette_of(squad)
    if silhouette is None or silhouette == "foot":
        return []
    shown = {"seen": [one for one in squad.models if one.number not in contact]}
    shown["seen_contact"] = [one for one in squad.models if one.number in contact]
    grids = {
        role: tuple(ring for model in models for ring in _standing(model, silhouette))
        for role, models in shown.items()
    }
    return [Rings(role, f"{role}.{tone}", found) for role, found in grids.items() if found]


def _standing(model: Model, silhouette: Silhouette) -> tuple[Points, ...]:
    """Return a silhouette's rings fitted to a model's base; on a round base, whose facing is not drawn, it points
    up.
    """
    pose = (
        replace(model.pose, heading=math.pi / 2)
        if isinstance(model.base, RoundBase)
        else model.pose
    )
    base = tuple(pose.local(point) for point in points(model.footprint.outline(DISC_SIDES)))
    return tuple(tuple(pose.point(*point) for point in ring) for ring in fitted(silhouette, base))


def _tick(model: Model) -> Points:
    """Return a triangle whose tip is where a model's heading leaves its base."""
    ring = model.footprint.outline(DISC_SIDES)
    reach = float(((ring - [model.pose.at]) @ model.pose.forward).max())
    end = model.pose.advanced(2 * reach)
    inside = shapely.intersection(
        shapely.Polygon(ring), shapely.LineString([model.pose.at, end.at])
    )
    front = max(
        (model.pose.local(point)[1] for point in shapely.get_coordinates(inside).tolist()),
        default=reach,
    )
    length = TICK * reach
    return (
        model.pose.point(0.0, front),
        model.pose.point(-0.6 * length, front - length),
        model.pose.point(0.6 * length, front - length),
    )


def _heights(squad: Squad, tone: int, contact: Collection[int]) -> list[DrawnMark]:
    """Return an inner ring for each model above the ground, and one label per height, in inches."""
    raised = [model for model in squad.models if model.z > 0.0]
    if not raised:
        return []
    inner = {
        role: tuple(
            _shrunk(model)
            for model in raised
            if (model.number in contact) is (role == "raised_contact")
        )
        for role in RAISED
    }
    levels = {model.z: [other for other in raised if other.z == model.z] for model in raised}
    high = {z: f"{HEIGHT_SIGN}{current_language().number(z, 'g')}" for z in levels}
    labels = [
        Label(
            f"height.{place + 1}",
            "text",
            high[z],
            tuple(spot for model in models for spot in around(model)),
            rank=4,
        )
        for place, (z, models) in enumerate(levels.items())
    ]
    return [
        *(Rings(role, f"{role}.{tone}", shown) for role, shown in inner.items() if shown),
        *labels,
    ]


def _shrunk(model: Model) -> Points:
    ring = model.footprint.outline(DISC_SIDES)
    middle = _middle(model)
    return points(middle + INNER * (ring - middle))


def around(model: Model) -> Points:
    """Return points on the edges of a model's footprint: right, left, above, below."""
    west, south, east, north = model.footprint.bounds
    x, y = _middle(model)
    return ((east, y), (west, y), (x, north), (x, south))


def _squad_name_spots(squad: Squad) -> Points:
    """Return positions for a unit's name: at its outermost models, then at the first few."""
    by_x = sorted(squad.models, key=lambda model: model.footprint.bounds[0])
    by_y = sorted(squad.models, key=lambda model: model.footprint.bounds[1])
    outer = (around(by_y[-1])[2], around(by_x[0])[1], around(by_x[-1])[0], around(by_y[0])[3])
    return (*outer, *(spot for model in squad.models[:ALWAYS_NUMBERED] for spot in around(model)))


def squad_start(
    squad: Squad, now: Squad | None, *, tone: int, lost_from: Squad | None = None
) -> tuple[DrawnMark, ...]:
    """Return the dashed bases, at the start, of models that have moved; lost ones are crossed in `lost_from`, or at the
    start.
    """
    left = {model.number for model in now.models} if now is not None else set()
    gone = [model for model in (lost_from or squad).models if model.number not in left]
    places = {
        model.number: (model.pose, model.z)
        for model in (*(now.models if now is not None else ()), *gone)
    }
    moved = [model for model in squad.models if places[model.number] != (model.pose, model.z)]
    marks: list[DrawnMark] = (
        [_bases("", f"start.{tone}", moved, is_numbered=False)] if moved else []
    )
    if gone:
        crosses = tuple(line for model in gone for line in _cross(model))
        marks += [
            _bases("lost", f"start.{tone}", gone, is_numbered=False),
            Lines("cross", f"lost.{tone}", crosses),
        ]
    return tuple(marks)


def _cross(model: Model) -> tuple[Points, Points]:
    west, south, east, north = model.footprint.bounds
    return (((west, south), (east, north)), ((west, north), (east, south)))


def squad_stop(squad: Squad, then: Squad, *, tone: int) -> tuple[DrawnMark, ...]:
    """Return the dashed bases, over everything else, of the models of `then` that have moved since `squad`."""
    places = {model.number: (model.pose, model.z) for model in squad.models}
    moved = [model for model in then.models if places.get(model.number) != (model.pose, model.z)]
    return (_bases("stop", f"ghost.{tone}", moved, is_numbered=False),) if moved else ()


# Units in hexes.


def hex_unit_marks(
    unit: HexUnit, *, tone: int, board: Board, others: Sequence[Any] = ()
) -> tuple[DrawnMark, ...]:
    """Return the marks of a unit in a hex, beside `others` in the same hex; over double lines if it is prone."""
    pose, size = _spot(unit, board, others)
    looks = drawn_as(silhouette_of(unit))
    marks: list[DrawnMark] = [Rings("", f"standing.{tone}", _turned(looks.bodies, pose, size))]
    if looks.parts:
        marks.append(Rings("parts", f"parts.{tone}", _turned(looks.parts, pose, size)))
    if current_language().lying(unit.status):
        marks.append(
            Lines(
                "lying", f"fallen.{tone}", tuple(_drawn(line, pose, size) for line in PRONE_LINES)
            )
        )
    beside = tuple(pose.point(right * size, ahead * size) for right, ahead in BESIDE)
    label = Label("label", f"name.{tone}", unit.name, beside, rank=2)
    marks.append(
        Printed(
            "letter",
            "letter",
            ((pose.point(0.0, LETTER_AT * size), unit.name, LETTER_ROOM * size),),
            label,
            plate=f"touching.{tone}",
        )
    )
    return tuple(marks)


def _spot(unit: HexUnit, board: Board, others: Sequence[Any]) -> tuple[Pose, float]:
    """Return pose and size in inches of a model in its hex: reduced and off-centre if several share the hex."""
    flats = hex_board(board).hex_inches
    sharing = [other.name for other in others if other.pose.at == unit.pose.at]
    if len(sharing) < 2 or unit.name not in sharing:  # noqa: PLR2004 - alone
        return unit.pose, flats
    side = -1.0 + 2.0 * sharing.index(unit.name) / (len(sharing) - 1)
    return Pose(unit.pose.x + side * ASIDE * flats, unit.pose.y, unit.pose.heading), CROWDED * flats


def _turned(rings: Sequence[Points], pose: Pose, size: float) -> tuple[Points, ...]:
    """Return a silhouette's rings at a pose, sized for a hex of width `size` in inches."""
    return tuple(_drawn(ring, pose, FILLS * size) for ring in rings)


def _drawn(shape: Points, pose: Pose, size: float) -> Points:
    return tuple(pose.point(right * size, ahead * size) for right, ahead in shape)


def hex_unit_start(unit: HexUnit, *, tone: int, board: Board) -> tuple[DrawnMark, ...]:
    """Return the dashed silhouette of a unit in a hex where it started."""
    return (Rings("", f"start.{tone}", hex_unit_bodies(unit, hex_board(board))),)


def hex_unit_bodies(unit: HexUnit, board: HexBoard) -> tuple[Points, ...]:
    """Return the body rings of the silhouette of a unit that is alone in its hex."""
    return _turned(drawn_as(silhouette_of(unit)).bodies, unit.pose, board.hex_inches)


def hex_unit_ring(unit: HexUnit, board: HexBoard) -> Points:
    """Return the corners of the hex of a unit."""
    return points(board.outline(board.hex_at(unit.pose.at)))
