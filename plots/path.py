"""From the steps and the evidence of a ruling to marks: legs, wheels, ghosts, rays, contacts, lengths."""

import math
from collections.abc import Sequence
from dataclasses import replace

from plots.marks import Arrow, DimensionLine, Label, Line, Mark, PointMark, Points, Ray, WheelArc
from plots.scene import stop
from plots.text import UNBREAKING
from tabletop.pose import Point
from tabletop.ruling import Evidence, Step
from tabletop.state import Board, Regiment

ALIGNS = ("align", "special_align")
ASIDE = 0.8
"""Inches on the table by which a dimension line keeps aside of a leg of the move."""
SHORTEST = 1e-6
"""Inches. A leg shorter than this leaves nothing to draw."""


def number(value: float, unit: str) -> str:
    r"""Write a measure with at most two decimals and its unit, held together by a space that does not break.

    Examples
    --------
    >>> number(3.0, "in"), number(7.456, "in"), number(-30.0, "°")
    ('3\xa0in', '7.46\xa0in', '-30°')
    """
    digits = f"{value:.2f}".rstrip("0").rstrip(".")
    return f"{'0' if digits == '-0' else digits}{'' if unit == '°' else UNBREAKING}{unit}"


def has_moved(step: Step) -> bool:
    """Tell whether a unit stands elsewhere, or looks elsewhere, after a step."""
    return step.start is not None and step.end is not None and step.start != step.end


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
    text = f"wheel{UNBREAKING}{number(abs(math.degrees(step.angle)), '°')}"
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
        if step.unit is None or step.end is None or step.kind in ALIGNS or not has_moved(step):
            continue
        name = f"{prefix}.path.{place + 1}"
        unit = units[step.unit]
        marks += [*step_marks(step, unit, name, tone=tone[step.unit]), stop(unit, step.end, f"{name}.stop", tone=tone[step.unit])]
    return tuple(marks)


def arc_marks(evidence: Evidence, board: Board, prefix: str) -> tuple[Mark, ...]:
    """Draw the rays that part the target's arcs, as far as the board goes, and the arcs' names."""
    marks: list[Mark] = [Ray(f"{prefix}.arc.{place + 1}", "ray", *ray, to_edge(*ray, board)) for place, ray in enumerate(evidence.arc_rays)]
    if evidence.arc_centre is not None:
        names = dict(evidence.arc_names)
        marks += [Label(f"{prefix}.arc.{name}", "arc_name", name, _outwards(evidence, bearing), rank=7) for name, bearing in names.items()]
    return tuple(marks)


def to_edge(origin: Point, direction: Point, board: Board) -> float:
    """Measure from a point of the board along a unit vector to the board's edge."""
    sides = ((origin[0], direction[0], board.width), (origin[1], direction[1], board.depth))
    reaches = [((length if along > 0 else 0.0) - place) / along for place, along, length in sides if abs(along) > 1e-12]  # noqa: PLR2004
    return max(0.0, min(reaches))


def _outwards(evidence: Evidence, bearing: float) -> Points:
    """Places along an arc's middle direction, beginning just outside the ends of the rays."""
    x, y = evidence.arc_centre or (0.0, 0.0)
    least = max((math.dist((x, y), origin) for origin, _ in evidence.arc_rays), default=1.0)
    reaches = [least * share for share in (1.1, 1.4, 0.9, 1.8, 2.4)]
    return tuple((x + reach * math.cos(bearing), y + reach * math.sin(bearing)) for reach in reaches)


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


def dimension_marks(evidence: Evidence, prefix: str, stage: str, *, steps: Sequence[Step] = ()) -> tuple[Mark, ...]:
    """Draw the lengths that the ruling names for one stage of the charge, with the ruling's own words.

    A line that would run along a leg of the move stands aside of it.
    """
    marks: list[Mark] = []
    legs = [(step.start.at, step.end.at) for step in steps if step.start is not None and step.end is not None and not step.pivot]
    for place, dimension in enumerate(one for one in evidence.dimensions if one.stage == stage):
        name = f"{prefix}.dimension.{place + 1}"
        line = DimensionLine(name, "dimension", dimension.start, dimension.end)
        line = replace(line, aside=ASIDE) if any(_runs_along(line, leg) for leg in legs) else line
        marks += [line, Label(f"{name}.label", "text", dimension.label, along(*line.drawn), rank=3)]
    return tuple(marks)


def _runs_along(line: DimensionLine, leg: tuple[Point, Point]) -> bool:
    """Tell whether a dimension line and a leg lie so close along each other that they read as one."""
    length, reach = math.dist(line.start, line.end), math.dist(*leg)
    if length < SHORTEST or reach < SHORTEST:
        return False
    (x, y), (dx, dy) = line.start, ((line.end[0] - line.start[0]) / length, (line.end[1] - line.start[1]) / length)
    across = [abs((px - x) * dy - (py - y) * dx) for px, py in leg]
    shares = sorted(((px - x) * dx + (py - y) * dy) / length for px, py in leg)
    return max(across) < ASIDE / 2 and shares[0] < 1.0 and shares[1] > 0.0


def sight_mark(sight: tuple[Point, Point] | None, prefix: str) -> tuple[Mark, ...]:
    """Draw a clear line of sight."""
    return (Line(f"{prefix}.sight", "sight", sight),) if sight else ()
