"""From the steps and the evidence of a ruling to marks: legs, wheels, ghosts, rays, contacts, lengths."""

import math
from collections.abc import Sequence

from plots.marks import Arrow, DimensionLine, Label, Line, Mark, PointMark, Points, Ray, WheelArc
from plots.scene import ghost
from tabletop.pose import Point
from tabletop.ruling import Evidence, Step
from tabletop.state import Regiment

ALIGNS = ("align", "special_align")
SHORTEST = 1e-6
"""Inches. A leg shorter than this leaves nothing to draw."""


def number(value: float, unit: str) -> str:
    """Write a measure with at most two decimals and its unit.

    Examples
    --------
    >>> number(3.0, "in"), number(7.456, "in"), number(-30.0, "°")
    ('3 in', '7.46 in', '-30°')
    """
    digits = f"{value:.2f}".rstrip("0").rstrip(".")
    return f"{'0' if digits == '-0' else digits}{'' if unit == '°' else ' '}{unit}"


def step_marks(step: Step, unit: Regiment, name: str, *, tone: int) -> tuple[Mark, ...]:
    """Draw the way of one step of a regiment: a wheel as an arc about its pivot, everything else as an arrow."""
    if step.start is None or step.end is None:
        return ()
    if step.kind not in ALIGNS and step.pivot is not None and step.angle:
        return _wheel(step, unit.at(step.start), name, tone)
    if math.dist(step.start.at, step.end.at) < SHORTEST:
        return ()
    role = "align" if step.kind in ALIGNS else f"path.{tone}"
    arrow = Arrow(name, role, step.start.at, step.end.at)
    return (arrow, *_length_label(step, name, (step.start.at, step.end.at)))


def _wheel(step: Step, unit: Regiment, name: str, tone: int) -> tuple[Mark, ...]:
    """Draw the arc of the front corner that is farther from the pivot, whose length the rules count by."""
    if step.pivot is None or step.angle is None:
        return ()
    pivot = step.pivot
    corner = max((unit.front_left, unit.front_right), key=lambda point: math.dist(point, pivot))
    radius, start = math.dist(corner, pivot), math.atan2(corner[1] - pivot[1], corner[0] - pivot[0])
    bearings = [start + share * step.angle for share in (0.5, 0.3, 0.7, 0.1, 0.9)]
    spots = tuple((pivot[0] + radius * math.cos(bearing), pivot[1] + radius * math.sin(bearing)) for bearing in bearings)
    text = f"wheel {number(abs(math.degrees(step.angle)), '°')}"
    length = f", {number(step.length, 'in')}" if step.length is not None else ""
    return (
        WheelArc(name, f"path.{tone}", pivot, radius, start, step.angle),
        PointMark(f"{name}.pivot", f"pivot.{tone}", (pivot,)),
        Label(f"{name}.label", "text", text + length, spots, rank=4),
    )


def _length_label(step: Step, name: str, ends: tuple[Point, Point]) -> tuple[Mark, ...]:
    if step.length is None or step.kind in ALIGNS:
        return ()
    return (Label(f"{name}.label", "text", number(step.length, "in"), along(*ends), rank=4),)


def along(start: Point, end: Point) -> Points:
    """Give places along a line, the middle first."""
    return tuple((start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])) for share in (0.5, 0.4, 0.6, 0.3, 0.7))


def path_marks(steps: Sequence[Step], units: dict[str, Regiment], prefix: str, *, tone: dict[str, int]) -> tuple[Mark, ...]:
    """Draw all legs of a move with a dashed ghost where each ends; what an align does is left to the picture after it."""
    marks: list[Mark] = []
    for place, step in enumerate(steps):
        if step.unit is None or step.end is None or step.kind in ALIGNS:
            continue
        name = f"{prefix}.path.{place + 1}"
        unit = units[step.unit]
        marks += [*step_marks(step, unit, name, tone=tone[step.unit]), ghost(unit, step.end, f"{name}.ghost", tone=tone[step.unit])[0]]
    return tuple(marks)


def arc_marks(evidence: Evidence, prefix: str) -> tuple[Mark, ...]:
    """Draw the rays that part the target's arcs, and the arcs' names."""
    marks: list[Mark] = [Ray(f"{prefix}.arc.{place + 1}", "ray", *ray) for place, ray in enumerate(evidence.arc_rays)]
    if evidence.arc_centre is not None:
        names = dict(evidence.arc_names)
        marks += [Label(f"{prefix}.arc.{name}", "arc_name", name, _outwards(evidence, bearing), rank=7) for name, bearing in names.items()]
    return tuple(marks)


def _outwards(evidence: Evidence, bearing: float) -> Points:
    """Places along an arc's middle direction, beginning just outside the ends of the rays."""
    x, y = evidence.arc_centre or (0.0, 0.0)
    least = max((math.dist((x, y), origin) for origin, _ in evidence.arc_rays), default=1.0)
    return tuple((x + reach * math.cos(bearing), y + reach * math.sin(bearing)) for reach in (least * share for share in (1.1, 1.4, 0.9, 1.8, 2.4)))


def facing_mark(facing: tuple[Point, Point] | None, prefix: str) -> tuple[Mark, ...]:
    """Draw the facing that is charged."""
    return (Line(f"{prefix}.target-facing", "facing", facing),) if facing else ()


def contact_marks(contacts: Sequence[Point], prefix: str) -> tuple[Mark, ...]:
    """Pick out the points of initial contact and letter them P, numbered if there are several."""
    marks: list[Mark] = []
    for place, point in enumerate(contacts):
        text = "P" if len(contacts) == 1 else f"P{place + 1}"
        name = f"{prefix}.contact.{text}"
        marks += [PointMark(name, "contact_point", (point,)), Label(f"{name}.label", "strong", text, (point,), rank=1)]
    return tuple(marks)


def dimension_marks(evidence: Evidence, prefix: str, stage: str) -> tuple[Mark, ...]:
    """Draw the lengths that the ruling names for one stage of the charge, with the ruling's own words."""
    marks: list[Mark] = []
    for place, dimension in enumerate(one for one in evidence.dimensions if one.stage == stage):
        name = f"{prefix}.dimension.{place + 1}"
        marks += [
            DimensionLine(name, "dimension", dimension.start, dimension.end),
            Label(f"{name}.label", "text", dimension.label, along(dimension.start, dimension.end), rank=3),
        ]
    return tuple(marks)


def sight_mark(sight: tuple[Point, Point] | None, prefix: str) -> tuple[Mark, ...]:
    """Draw a clear line of sight."""
    return (Line(f"{prefix}.sight", "sight", sight),) if sight else ()
