"""Marks of errors: where a proposal breaks rules, and what makes a table impossible.

Models at fault are ringed, lengths and angles measured, overlaps hatched. For measured tables, the measured positions
are shown too. Lengths are in inches on the table.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import shapely

from plots.marks.deciding import decision_marks
from plots.marks.evidence import hatched, region
from plots.marks.mark import (
    DimensionLine,
    DrawnMark,
    Label,
    Lines,
    Points,
    Rings,
    identifier,
    part_of,
    points,
    points_along,
    under,
)
from plots.marks.units import base_rings, extremes, model_rings
from tabletop.errors import Fault
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape
from tabletop.language.language import current_language
from tabletop.ruling.charge import AskedCase
from tabletop.ruling.evidence import Angle, Mark
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Judgement
from tabletop.settling.bodies import bodies_of
from tabletop.table.accuracy import Measured
from tabletop.table.hexes import HexBoard
from tabletop.table.models import Squad
from tabletop.table.state import Board, HexUnit, Regiment, State
from tabletop.units import CONTACT

SMALLEST_VISIBLE = 0.02
"""Shift in inches below which a moved position is not shown."""

ROUND_MODEL, ROUND_UNIT, LEGS, PARTS = 0.12, 0.25, 4.0, 24
"""Offsets in table inches of rings around a loose model and a unit; length of an angle's legs; segments of its arc."""


def judged_marks(state: State[Any], judgement: Judgement) -> tuple[DrawnMark, ...]:
    """Return the marks of the rules that a proposal breaks; empty if it is right, undecided, or nothing can be
    shown.
    """
    found = enumerate(broken_findings(judgement))
    return tuple(
        mark for place, broken in found for mark in broken_marks(state, broken, fault_id(place))
    )


def broken_findings(judgement: Judgement | None) -> tuple[Finding, ...]:
    """Return the findings of the rules that a proposal breaks, each once, the deciding one first; none if it is
    undecided or None.
    """
    if judgement is None or judgement.broken is None or judgement.outcome == "undecided":
        return ()
    broken = (judgement.broken, *(finding for finding in judgement.findings if not finding.ok))
    return tuple({(one.rule, one.text): one for one in broken}.values())


def fault_id(place: int) -> str:
    """Return the id of the marks of a broken rule, by its index among `broken_findings`."""
    return f"fault{place + 1}" if place else "fault"


def broken_marks(state: State[Any], broken: Finding, name: str = "fault") -> tuple[DrawnMark, ...]:
    """Return the marks of where a broken rule's finding says that it is broken; empty if the finding has no mark.

    Marks get the id `name`. Without a measured length or angle they get a label of a few words, or an empty one that a
    callout may number.
    """
    mark = broken.mark
    if mark is None:
        return ()
    overlaps = [_shared(one, other) for one, other in mark.overlaps]
    marks: list[DrawnMark] = []
    if mark.places:
        shapes = tuple(points(shape.outline()) for shape in mark.places)
        marks.append(Rings("place", "owed", shapes))
    for unit, numbers in mark.models.items():
        rings = _rings(state, unit, numbers)
        marks += [Rings(identifier(unit), "fault", rings)] if rings else []
    for place, length in enumerate(mark.dimensions, start=1):
        line = DimensionLine(f"length.{place}", "fault", length.start, length.end)
        marks += [
            line,
            Label(
                f"length.{place}.label",
                "strong",
                length.label,
                points_along(length.start, length.end),
                rank=3,
            ),
        ]
    for place, angle in enumerate(mark.angles, start=1):
        marks += under(f"angle.{place}", _angle(angle))
    marks += under("shown", decision_marks(mark))
    areas = (*hatched(overlaps), *hatched(_beyond(state.board, mark.beyond), "beyond"))
    areas += (
        hatched([region(area) for area in mark.areas], "deciding_area") if mark.at is None else ()
    )
    corners = tuple(
        point for drawn in (*areas, *marks) for line in drawn.polylines() for point in line
    )
    if corners and not any(isinstance(drawn, Label) for drawn in marks):
        marks.append(Label("label", "strong", _words(state.board, mark), _sides(corners), rank=3))
    return (*areas, *part_of(name, marks))


def _shared(one: Shape, other: Shape) -> shapely.Geometry:
    """Return the area that two bodies share, wide enough to be seen where they only touch."""
    shared = shapely.intersection(region(one), region(other))
    if shapely.area(shared) > SMALLEST_VISIBLE**2:
        return shared
    return shapely.intersection(
        *(shapely.buffer(region(shape), SMALLEST_VISIBLE / 2) for shape in (one, other))
    )


def _words(board: Board, mark: Mark) -> str:
    """Return the words of a mark, or how far bodies overlap or reach beyond the board; "" if neither tells anything."""
    language = current_language()
    if mark.words:
        return mark.words
    for one, other in mark.overlaps:
        depth = -gap(one, other)
        return (
            language.say("fault.overlap", length=language.small(depth))
            if depth > CONTACT
            else language.words["fault.touch"]
        )
    for shape in mark.beyond:
        return language.say("fault.beyond", length=language.small(-board.room(shape)))
    return ""


def _sides(corners: Points) -> Points:
    """Return the extreme points of some corners: east, west, north and south."""
    return (
        max(corners),
        min(corners),
        max(corners, key=lambda at: at[1]),
        min(corners, key=lambda at: at[1]),
    )


def _rings(state: State[Any], name: str, numbers: Sequence[int]) -> tuple[Points, ...]:
    """Return rings around the models of a unit with these numbers, or around the whole unit if none are given."""
    unit = state.units.get(name)
    if isinstance(unit, Squad):
        models = [model for model in unit.models if model.number in numbers or not numbers]
        return tuple(_round(ring, ROUND_MODEL) for ring in model_rings(models))
    if isinstance(unit, Regiment):
        bases = base_rings(unit)
        return tuple(bases[number] for number in numbers) or (
            _round(points(unit.boundary.outline()), ROUND_UNIT),
        )
    if unit is None or not isinstance(state.board, HexBoard):
        return ()
    (west, south), (east, north) = extremes(unit, state.board)
    middle = ((west + east) / 2, (south + north) / 2)
    half = (north - south) / 2
    return (
        points(shapely.get_coordinates(shapely.Point(middle).buffer(0.8 * half).exterior)[:-1]),
    )


def _round(ring: Points, by: float) -> Points:
    return points(shapely.get_coordinates(shapely.Polygon(ring).buffer(by).exterior)[:-1])


def _angle(angle: Angle) -> Iterator[DrawnMark]:
    """Yield the marks of an angle: its legs, its arc, and its size as a label."""
    bearings = [angle.start + angle.sweep * part / PARTS for part in range(PARTS + 1)]
    arc = tuple(_off(angle.at, bearing, 0.75 * LEGS) for bearing in bearings)
    yield Lines(
        "legs",
        "fault",
        tuple((angle.at, _off(angle.at, bearing, LEGS)) for bearing in (bearings[0], bearings[-1])),
    )
    yield Lines("", "fault", (arc,))
    yield Label("label", "strong", angle.label, (arc[PARTS // 2], arc[-1], arc[0]), rank=3)


def _off(at: Point, bearing: float, length: float) -> Point:
    return (at[0] + length * math.cos(bearing), at[1] + length * math.sin(bearing))


def fault_marks(state: State[Any], faults: Sequence[Fault]) -> tuple[DrawnMark, ...]:
    """Return hatched areas that make a table impossible: overlaps, shared hexes, and parts of bodies beyond the
    board.
    """
    bodies = _bodies(state)
    found = list[shapely.Geometry]()
    beyond = list[shapely.Geometry]()
    for names in dict.fromkeys(fault.between for fault in faults if fault.between):
        shapes = [bodies.get(name, ()) for name in names]
        if len(names) == 1:
            beyond += _beyond(state.board, shapes[0])
        else:
            found += [
                shapely.intersection(region(one), region(other))
                for one in shapes[0]
                for other in shapes[1]
                if one is not other
            ]
    return (*hatched(found), *hatched(beyond, "beyond"))


def _bodies(state: State[Any]) -> Mapping[str, tuple[Shape, ...]]:
    """Return the shapes of all units and pieces of terrain on the table, by name."""
    units = {
        name: tuple(model.footprint for model in unit.models)
        if isinstance(unit, Squad)
        else (unit.boundary,)
        for name, unit in state.units.items()
        if isinstance(unit, Squad | Regiment)
    }
    board = state.board
    if isinstance(board, HexBoard):
        hexed = [
            (unit.name, board.hex_at(unit.pose.at))
            for unit in state.units.values()
            if isinstance(unit, HexUnit)
        ]
        units |= {name: (Shape(shapely.Polygon(board.outline(place))),) for name, place in hexed}
    return {**units, **{piece.name: (piece.shape,) for piece in state.terrain}}


def _beyond(board: Board, shapes: Sequence[Shape]) -> list[shapely.Geometry]:
    """Return the parts of shapes that lie beyond the board."""
    table = shapely.box(0.0, 0.0, board.width, board.depth)
    return [shapely.difference(region(shape), table) for shape in shapes]


def measured_marks(case: AskedCase | None) -> tuple[DrawnMark, ...]:
    """Return thin outlines of the measured positions of bodies that were moved by `SMALLEST_VISIBLE` or more to settle
    the table.
    """
    if case is None or case.settled is None:
        return ()
    moved = {
        (shift.name, shift.number)
        for shift in case.settled.shifts
        if math.hypot(shift.x, shift.y) >= SMALLEST_VISIBLE
        or abs(shift.turn) * 5 >= SMALLEST_VISIBLE
    }
    rings = tuple(
        _ring(body.shape)
        for body in bodies_of(case.settled.measured, Measured())
        if (body.name, body.number) in moved
    )
    return (Lines("measured", "measured", rings),) if rings else ()


def claim_marks(claimed: State[Any], judgement: Judgement) -> tuple[DrawnMark, ...]:
    """Return thin outlines of measured end positions in `claimed` that differ visibly from the exact positions used
    instead.
    """
    moved = {name for name, off in judgement.moved.items() if off >= SMALLEST_VISIBLE}
    rings = tuple(
        _ring(body.shape) for body in bodies_of(claimed, Measured()) if body.name in moved
    )
    return (Lines("measured", "measured", rings),) if rings else ()


def _ring(shape: Shape) -> Points:
    return points(np.vstack([shape.outline(), shape.outline()[:1]]))
