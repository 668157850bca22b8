"""Marks of a ruling's evidence: arcs, facings, contacts, measured lengths, lines of sight, zones, links and notes.

Lengths are in table inches, angles in radians. Positions of notes in hexes are in multiples of a hex's width.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import shapely

from plots.marks.mark import (
    MIN_LENGTH,
    Arrows,
    DimensionLine,
    DrawnMark,
    Label,
    Lines,
    PointMark,
    Points,
    Printed,
    Rings,
    filled,
    identifier,
    part_of,
    points,
    points_along,
)
from plots.marks.units import hex_unit_bodies
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape
from tabletop.language.language import climb_words, current_language
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Dimension, Evidence, Note, Stage, Zone
from tabletop.table.hexes import HexBoard, hex_board
from tabletop.table.state import Board, Regiment, State

ASIDE, BEYOND = 0.8, 0.3
"""Offset in table inches of a dimension line from a leg of the move beside it, and of its words from the line."""

BAR = 0.4
"""Half length in inches of the bar across a blocked line of sight."""

LIKE_A_LEG, TURNED = 0.006, math.radians(1.0)
"""Differences in inches and radians below which a measured length and a leg of the move look the same."""

ASTRAY = 0.35
"""Angles in radians from an arc's middle at which its name may stand."""

ARC_SEGMENTS = 24
"""Segments per quarter circle in outlines of regions."""

COST = "cost"
"""Role of the number at the start of a hex's note."""

COST_SPOTS = ((0.4, 0.0), (-0.4, 0.0), (0.36, -0.24), (-0.36, -0.24), (0.36, 0.2), (-0.36, 0.2))

COST_HALF, COST_ROOM, ON_MODEL, BEYOND_HEX = 0.13, 0.47, 10.0, 20.0
"""Positions in a hex for a note's number, best first; half the room it needs; longest diagonal; costs of covering a
model or leaving the hex relative to covering a path. In multiples of a hex's width."""

NEAR_HEX = 1.5
"""Size, in multiples of the hex, of the area for labels that fit nowhere else; they must begin in the hex."""


def arc_marks(evidence: Evidence, state: State[Any]) -> tuple[DrawnMark, ...]:
    """Return the marks of the target's arcs: rays that separate them, up to the board's edge, and their names clear of
    units.
    """
    board = state.board
    marks: list[DrawnMark] = [
        Lines(f"arc.{place + 1}", "ray", (_ray(*ray, to_edge(*ray, board)),))
        for place, ray in enumerate(evidence.arc_rays)
    ]
    if evidence.arc_centre is not None:
        names = dict(evidence.arc_names)
        spots = {name: _outwards(evidence, bearing) for name, bearing in names.items()}
        rings = {name: _arc_ring(evidence, board, some) for name, some in spots.items()}
        off = _bodies(state)
        marks += [
            Label(
                identifier("arc", name),
                "arc_name",
                current_language().known("arc", name),
                spots[name],
                rank=7,
                within=rings[name],
                off=off,
            )
            for name in names
        ]
    return tuple(marks)


def _arc_ring(evidence: Evidence, board: Board, spots: Points) -> Points:
    """Return the ring of the part of the board that belongs to an arc, found by its name's positions; () if it is off
    the board.
    """
    table = shapely.box(0.0, 0.0, board.width, board.depth)
    far = board.width + board.depth
    lines = [shapely.LineString(_ray(origin, way, far)) for origin, way in evidence.arc_rays]
    body = shapely.MultiPoint([origin for origin, _ in evidence.arc_rays]).convex_hull
    cut = shapely.union_all(
        [
            table.boundary,
            *(shapely.intersection(line, table) for line in lines),
            shapely.boundary(body),
        ]
    )
    parts = [
        part
        for part in shapely.get_parts(shapely.polygonize([*shapely.get_parts(cut)]))
        if _holds_any(part, spots[:2])
    ]
    return points(shapely.get_coordinates(parts[0].exterior)[:-1]) if parts else ()


def _ray(origin: Point, direction: Point, length: float) -> Points:
    """Return the segment, `length` inches long, that leaves a point along a unit vector."""
    return (origin, (origin[0] + length * direction[0], origin[1] + length * direction[1]))


def to_edge(origin: Point, direction: Point, board: Board) -> float:
    """Return the distance in inches from a point to the board's edge along a unit vector."""
    sides = ((origin[0], direction[0], board.width), (origin[1], direction[1], board.depth))
    reaches = [
        ((length if along > 0 else 0.0) - place) / along
        for place, along, length in sides
        if abs(along) > 1e-12  # noqa: PLR2004
    ]
    return max(0.0, min(reaches))


def _holds_any(part: shapely.Geometry, spots: Points) -> bool:
    return any(shapely.contains_xy(part, *spot) for spot in spots)


def _outwards(evidence: Evidence, bearing: float) -> Points:
    """Return positions for an arc's name, best first: along its middle direction, in radians, then to both sides of
    it.
    """
    x, y = evidence.arc_centre or (0.0, 0.0)
    least = max((math.dist((x, y), origin) for origin, _ in evidence.arc_rays), default=1.0)
    reaches = [least * share for share in (1.1, 1.4, 0.9, 1.8, 2.4)]
    ways = [bearing + turn for turn in (0.0, ASTRAY, -ASTRAY)]
    return tuple(
        (x + reach * math.cos(way), y + reach * math.sin(way)) for way in ways for reach in reaches
    )


def evidence_marks(
    evidence: Evidence,
    stage: Stage,
    *,
    steps: Sequence[Step] = (),
    gone: Step | None = None,
    owner: str = "",
) -> tuple[DrawnMark, ...]:
    """Return the marks of a stage's evidence, except arcs and contacts; the parameters are those of
    `dimension_marks`.
    """
    is_after = stage == "after"
    return (
        *facing_mark(evidence.facing_after if is_after else evidence.facing),
        *(() if is_after else sight_marks(evidence)),
        *dimension_marks(evidence, stage, steps=steps, gone=gone, owner=owner),
        *zone_marks(evidence.zones, stage),
        *((*link_marks(evidence.links), *note_marks(evidence.notes, stage)) if is_after else ()),
    )


def facing_mark(facing: tuple[Point, Point] | None) -> tuple[DrawnMark, ...]:
    """Return the mark of the charged facing of the target, a segment; empty for None."""
    return (Lines("target-facing", "facing", (facing,)),) if facing else ()


def contact_marks(contacts: Sequence[Point], state: State[Any]) -> tuple[DrawnMark, ...]:
    """Return the marks of the points of initial contact, labelled P, or P1, P2, ..., where there is room beside
    units.
    """
    marks: list[DrawnMark] = []
    for place, point in enumerate(contacts):
        text = "P" if len(contacts) == 1 else f"P{place + 1}"
        label = Label("label", "strong", text, (point,), rank=1, off=_bodies(state))
        marks += part_of(f"contact.{text}", [PointMark("", "contact_point", (point,)), label])
    return tuple(marks)


def _bodies(state: State[Any]) -> tuple[Points, ...]:
    """Return the outlines of the regiments on the table."""
    return tuple(
        points(unit.boundary.outline())
        for unit in state.units.values()
        if isinstance(unit, Regiment)
    )


def dimension_marks(
    evidence: Evidence,
    stage: Stage,
    *,
    steps: Sequence[Step] = (),
    gone: Step | None = None,
    owner: str = "",
) -> tuple[DrawnMark, ...]:
    """Return the marks of the measured lengths of a stage: dimension lines with the ruling's words after `owner`, a
    prefix.

    A line that would coincide with a leg of the move in `steps` is drawn beside it; one that repeats the step `gone` is
    left out. The label of a sloping length gives its horizontal and its vertical part.
    """
    marks: list[DrawnMark] = []
    legs = [
        (step.start.at, step.end.at)
        for step in steps
        if step.start is not None and step.end is not None and not step.pivot
    ]
    for place, dimension in enumerate(one for one in evidence.dimensions if one.stage == stage):
        if gone is not None and is_told_by(gone, dimension):
            continue
        line = DimensionLine("", "dimension", dimension.start, dimension.end)
        line = replace(line, aside=ASIDE) if any(_runs_along(line, leg) for leg in legs) else line
        beyond = replace(line, aside=line.aside + BEYOND) if line.aside else line
        across = math.dist(dimension.start, dimension.end)
        words = climb_words(across, dimension.rise) if dimension.rise else dimension.label
        label = Label("label", "text", f"{owner}{words}", points_along(*beyond.drawn), rank=3)
        marks += part_of(f"dimension.{place + 1}", [line, label])
    return tuple(marks)


def is_told_by(step: Step, dimension: Dimension) -> bool:
    """Return whether a straight step has the same length and direction as a measured length, so that drawing one is
    enough.
    """
    length = math.dist(dimension.start, dimension.end)
    if (
        step.start is None
        or step.end is None
        or step.length is None
        or step.pivot is not None
        or dimension.rise
        or length < MIN_LENGTH
    ):
        return False
    x, y = _way(dimension.start, dimension.end)
    across, ahead = _way(step.start.at, step.end.at)
    turn = math.atan2(x * ahead - y * across, x * across + y * ahead)
    return abs(step.length - length) <= LIKE_A_LEG and abs(turn) <= TURNED


def _way(start: Point, end: Point) -> Point:
    return (end[0] - start[0], end[1] - start[1])


def _runs_along(line: DimensionLine, leg: tuple[Point, Point]) -> bool:
    """Return whether a dimension line and a leg of a move are so close that they look like one line."""
    length = math.dist(line.start, line.end)
    reach = math.dist(*leg)
    if length < MIN_LENGTH or reach < MIN_LENGTH:
        return False
    x, y = line.start
    dx = (line.end[0] - line.start[0]) / length
    dy = (line.end[1] - line.start[1]) / length
    across = [abs((px - x) * dy - (py - y) * dx) for px, py in leg]
    shares = sorted(((px - x) * dx + (py - y) * dy) / length for px, py in leg)
    return max(across) < ASIDE / 2 and shares[0] < 1.0 and shares[1] > 0.0


def sight_marks(evidence: Evidence) -> tuple[DrawnMark, ...]:
    """Return the marks of a line of sight: the line, and a bar across it where it is blocked; empty if there is
    none.
    """
    marks: list[DrawnMark] = [Lines("", "sight", (evidence.sight,))] if evidence.sight else []
    if evidence.sight_stop is not None:
        start, end = evidence.sight or (evidence.sight_stop, evidence.sight_stop)
        marks.append(
            Lines(
                "stop",
                "sight_stop",
                (_bar(evidence.sight_stop, (end[0] - start[0], end[1] - start[1])),),
            )
        )
    return part_of("sight", marks)


def _bar(at: Point, way: Point) -> Points:
    """Return the ends of a short segment through a point, perpendicular to the direction `way`."""
    length = math.hypot(*way)
    x, y = (BAR * way[0] / length, BAR * way[1] / length) if length else (0.0, BAR)
    return ((at[0] - y, at[1] + x), (at[0] + y, at[1] - x))


def zone_marks(zones: Sequence[Zone], stage: Stage) -> tuple[DrawnMark, ...]:
    """Return the outlines of a stage's regions, those of one role merged."""
    shown = [zone for zone in zones if zone.stage == stage]
    shared = {
        role: shapely.union_all([region(zone.shape) for zone in shown if zone.role == role])
        for role in (zone.role for zone in shown)
    }
    return tuple(
        mark
        for role, whole in shared.items()
        for mark in filled(identifier("zone", role), f"zone.{role}", whole)
    )


def region(shape: Shape) -> shapely.Geometry:
    """Return a shape's polygon, including its rounding radius; for drawing only."""
    core = (
        shape.core
        if shape.ellipse is None
        else shapely.Polygon(shape.ellipse.outline(4 * ARC_SEGMENTS))
    )
    return shapely.buffer(core, shape.radius, quad_segs=ARC_SEGMENTS) if shape.radius else core


def link_marks(links: Sequence[tuple[Point, Point]]) -> tuple[DrawnMark, ...]:
    """Return the mark of the links between models that keep a unit in coherency; empty if there are none."""
    return (Lines("links", "link", tuple(links)),) if links else ()


def hatched(found: Sequence[shapely.Geometry], role: str = "overlap") -> tuple[DrawnMark, ...]:
    """Return the mark of hatched areas, merged where they meet; the role "overlap" hatches them as overlaps."""
    return filled(role, role, shapely.union_all(list(found)))


# Notes: beside their points or in their hexes.


def notes_on(
    state: State[Any], notes: Sequence[Note], marks: Sequence[DrawnMark]
) -> tuple[DrawnMark, ...]:
    """Return the marks of notes on the stage before the charge: at their points, or on a hex board in their hexes.

    In hexes they keep clear of the paths among `marks`.
    """
    if isinstance(state.board, HexBoard):
        return _notes_in_hexes([note for note in notes if note.stage == "before"], state, marks)
    return note_marks(notes, "before")


def note_marks(notes: Sequence[Note], stage: Stage) -> tuple[DrawnMark, ...]:
    """Return the labels of a stage's notes, at their points."""
    shown = (note for note in notes if note.stage == stage)
    return tuple(
        Label(f"note.{place + 1}", "text", note.text, (note.at,), rank=4)
        for place, note in enumerate(shown)
    )


def _notes_in_hexes(
    notes: Sequence[Note], state: State[Any], marks: Sequence[DrawnMark]
) -> tuple[DrawnMark, ...]:
    """Return the marks of notes in their hexes: each note's first word, clear of paths, models and the hex's edge.

    The figure's key explains what is counted. Where a hex is too small, the whole note is placed near its centre.
    """
    board = hex_board(state.board)
    ways = shapely.union_all(
        [
            shapely.LineString(line)
            for mark in marks
            if isinstance(mark, Arrows)
            for line in mark.lines
        ]
    )
    taken = shapely.union_all(
        [
            shapely.Polygon(ring)
            for unit in state.units.values()
            for ring in hex_unit_bodies(unit, board)
        ]
    )
    made: list[DrawnMark] = []
    if notes:
        made.append(
            Rings(
                "entered",
                "entered",
                tuple(points(board.outline(board.hex_at(note.at))) for note in notes),
            )
        )
    for place, note in enumerate(notes, start=1):
        flats = board.hex_inches
        half = COST_HALF * board.hex_inches
        hexagon = shapely.Polygon(board.outline(board.hex_at(note.at)))
        spots = [(note.at[0] + right * flats, note.at[1] + up * flats) for right, up in COST_SPOTS]
        costs = [
            _crowding(shapely.box(x - half, y - half, x + half, y + half), ways, taken, hexagon)
            for x, y in spots
        ]
        spot = spots[costs.index(min(costs))]
        # the label may extend beyond its hex
        corners = shapely.get_coordinates(hexagon)[:-1]
        middle = np.array(hexagon.centroid.coords[0])
        label = Label(
            "label",
            "text",
            note.text,
            (spot, note.at),
            rank=4,
            within=points(middle + NEAR_HEX * (corners - middle)),
        )
        made += part_of(
            f"note.{place}",
            [Printed("", COST, ((spot, note.text.partition(" ")[0], COST_ROOM * flats),), label)],
        )
    return tuple(made)


def _crowding(
    box: shapely.Geometry,
    ways: shapely.Geometry,
    models: shapely.Geometry,
    hexagon: shapely.Geometry,
) -> float:
    """Return the cost of a box for a label: how much it covers paths and models and leaves its hex, rounded so that
    ties are exact.
    """
    lying = ways.intersection(box).length
    hidden = models.intersection(box).area
    out = box.difference(hexagon).area
    return round(float(lying + ON_MODEL * hidden + BEYOND_HEX * out), 6)
