"""From the steps of a ruling to marks: legs, wheels, the ways of loose models, paths through hexes, and where each ends."""

import math
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

import shapely
import shapely.ops

from plots.marks.kinds import step_kind
from plots.marks.language import ENGLISH, Language
from plots.marks.mark import Arrow, Label, LinesMark, Mark, PointMark, Points, WaysMark, WheelArc, points
from plots.marks.measures import SHORTEST, along, climb_words, number
from plots.marks.moments import has_moved, with_model_moved
from plots.marks.strokes import strokes
from plots.marks.text import HEIGHT_SIGN, UNBREAKING
from plots.marks.units import Look, stop_marks
from tabletop.geometry.pose import Point
from tabletop.ruling.charge import Step
from tabletop.table.squad import Squad
from tabletop.table.state import HexUnit, Regiment

LENGTHS_WRITTEN = 4
"""Ways up to which each has its length written beside it."""
LIKE_DRAWN = 0.006
"""Inches by which a way's length and what is drawn of it may differ in a number of two decimals."""
SAME_OUTLINE = 0.02
"""Inches within which two dashed outlines read as one line."""
HIDDEN = 0.3
"""Of a step between hexes, the part that a model hides."""
Units = Mapping[str, Any]


def path_marks(steps: Sequence[Step], units: Units, prefix: str, *, looks: Mapping[str, Look]) -> tuple[Mark, ...]:
    """Draw all legs of a move with a dashed ghost where each ends; what an align does is left to the picture after it."""
    marks: list[Mark] = []
    moved = [(place, step) for place, step in enumerate(steps) if has_moved(step) and step_kind(step.kind).role != "align"]
    for place, step in moved:
        unit = units[step.unit or ""]
        if isinstance(unit, Regiment) and step.end is not None:
            look, name = looks[unit.name], f"{prefix}.path.{place + 1}"
            marks += [
                *step_marks(step, unit, name, tone=look.tone, language=look.language),
                *_beside(stop_marks(unit, unit.at(step.end), f"{name}.stop", look), marks),
            ]
    steps = [step for _, step in moved]
    return (*marks, *ways_marks(steps, units, prefix, looks=looks), *_stops(steps, units, prefix, looks))


def _beside(stops: tuple[Mark, ...], marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """Leave out what dashed outlines share with earlier ones: dashes over dashes would read as a full line."""
    earlier = [shapely.LineString(line) for mark in marks if mark.role == stops[0].role for line in strokes(mark)]
    if not earlier:
        return stops
    drawn = shapely.buffer(shapely.union_all(earlier), SAME_OUTLINE)
    rest = [shapely.difference(shapely.LineString(line), drawn) for mark in stops for line in strokes(mark)]
    parts = [part for part in shapely.get_parts(shapely.line_merge(shapely.union_all(rest))) if part.length > SAME_OUTLINE]
    return (LinesMark(stops[0].id, stops[0].role, tuple(points(shapely.get_coordinates(part)) for part in parts)),) if parts else ()


def _stops(steps: Sequence[Step], units: Units, prefix: str, looks: Mapping[str, Look]) -> tuple[Mark, ...]:
    """Dash the bases of loose models where they end."""
    marks: list[Mark] = []
    for name in dict.fromkeys(step.unit or "" for step in steps):
        then = units[name]
        if isinstance(then, Squad):
            for step in steps:
                then = with_model_moved(then, step) if step.unit == name else then
            marks += stop_marks(units[name], then, f"{prefix}.path.{name}.stop", looks[name])
    return tuple(marks)


def ways_marks(steps: Sequence[Step], units: Units, prefix: str, *, looks: Mapping[str, Look]) -> tuple[Mark, ...]:
    """Draw the ways of loose models, those of a unit together, and paths through hexes, joined as far as they are of one look."""
    marks: list[Mark] = []
    for (name, role), run in groupby(steps, key=lambda step: (step.unit or "", step_kind(step.kind).role)):
        unit = units[name]
        look, together = looks[name], [step for step in run if has_moved(step)]
        if isinstance(unit, Squad):
            marks += _loose(together, f"{prefix}.path.{name}", look)
        if isinstance(unit, HexUnit) and (way := _through(together)):
            own = role if role == "align" else f"{role}.{look.tone}"
            marks.append(WaysMark(f"{prefix}.path.{name}", own, (_shortened(way, *(HIDDEN * math.dist(*way[:2]),) * 2),)))
    return tuple(marks)


def _loose(steps: Sequence[Step], name: str, look: Look) -> list[Mark]:
    """Draw the ways of models from centre to centre, their climbs with the height reached, and their lengths where these are few."""
    ways = {step: way for step in steps if len(way := _plan(step)) > 1}
    if not ways:
        return []
    marks: list[Mark] = [WaysMark(name, f"path.{look.tone}", tuple(ways.values())), *_climbs(steps, name, look.tone)]
    measured = [(step, way) for step, way in ways.items() if step.length is not None] if len(ways) <= LENGTHS_WRITTEN else []
    return marks + [
        Label(f"{name}.{step.model}.label", "text", _length_words(step, way, look.language), _middle_first(way), rank=4)
        for step, way in measured
    ]


def _plan(step: Step) -> Points:
    """Give a model's way seen from above, without standing still."""
    ends = (step.start, step.end)
    spots = [(x, y) for x, y, _ in step.path] or [pose.at for pose in ends if pose is not None]
    return tuple(spot for place, spot in enumerate(spots) if place == 0 or math.dist(spot, spots[place - 1]) > SHORTEST)


def _length_words(step: Step, way: Points, language: Language) -> str:
    """Say how long the drawn way is; where climbing adds to it, how far it climbs, for the plan shows no sum."""
    across, length = sum(math.dist(*leg) for leg in pairwise(way)), step.length or 0.0
    if abs(length - across) <= LIKE_DRAWN:
        return number(length, "in")
    return climb_words(across, sum(max(0.0, end[2] - start[2]) for start, end in pairwise(step.path)), language)


def _shortened(way: Points, first: float, last: float) -> Points:
    """Leave out the beginning and the end of a way, unless little would be left."""
    track = shapely.LineString(way)
    if track.length < 1.5 * (first + last):
        return way
    return points(shapely.get_coordinates(shapely.ops.substring(track, first, track.length - last)))


def _climbs(steps: Sequence[Step], name: str, tone: int) -> list[Mark]:
    """Mark where ways change their height, and say the height reached, once for each place."""
    spots = {(end[0], end[1]): end[2] for step in steps for start, end in pairwise(step.path) if abs(end[2] - start[2]) > SHORTEST}
    if not spots:
        return []
    labels = [
        Label(f"{name}.climb.{place + 1}", "text", f"{HEIGHT_SIGN}{z:g}", (spot,), rank=5)
        for place, (spot, z) in enumerate(spots.items())
        if z
    ]
    return [PointMark(f"{name}.climbs", f"climb.{tone}", tuple(spots)), *labels]


def _middle_first(way: Points) -> Points:
    legs = sorted(pairwise(way), key=lambda leg: -math.dist(*leg))
    return tuple(spot for leg in legs[:2] for spot in along(*leg))


def _through(steps: Sequence[Step]) -> Points:
    """Give the middles of the hexes that a run of steps goes through; turning on the spot adds none."""
    ends = [step.start.at for step in steps[:1] if step.start is not None] + [step.end.at for step in steps if step.end is not None]
    way = tuple(spot for place, spot in enumerate(ends) if place == 0 or math.dist(spot, ends[place - 1]) > SHORTEST)
    return way if len(way) > 1 else ()


def step_marks(step: Step, unit: Regiment, name: str, *, tone: int, language: Language = ENGLISH) -> tuple[Mark, ...]:
    """Draw the way of one step of a regiment: a turn as an arc about its pivot, everything else as an arrow."""
    if step.start is None or step.end is None:
        return ()
    if step.pivot is not None and step.angle:
        return _turn(step, unit.at(step.start), name, tone, language)
    if math.dist(step.start.at, step.end.at) < SHORTEST:
        return ()
    arrow = Arrow(name, _role(step, tone), step.start.at, step.end.at)
    return (arrow, *_length_label(step, name, (step.start.at, step.end.at)))


def _role(step: Step, tone: int) -> str:
    role = step_kind(step.kind).role
    return role if role == "align" else f"{role}.{tone}"


def _turn(step: Step, unit: Regiment, name: str, tone: int, language: Language) -> tuple[Mark, ...]:
    """Draw the arc of the front corner that is farther from the pivot, whose length the rules count by."""
    if step.pivot is None or step.angle is None:
        return ()
    pivot = step.pivot
    corner = max((unit.front_left, unit.front_right), key=lambda point: math.dist(point, pivot))
    radius, start = math.dist(corner, pivot), math.atan2(corner[1] - pivot[1], corner[0] - pivot[0])
    bearings = [start + share * step.angle for share in (0.5, 0.3, 0.7, 0.1, 0.9)]
    spots = tuple((pivot[0] + radius * math.cos(bearing), pivot[1] + radius * math.sin(bearing)) for bearing in bearings)
    text = f"{language.known('turn', step_kind(step.kind).word)}{UNBREAKING}{number(abs(math.degrees(step.angle)), '°')}"
    length = f", {number(step.length, 'in')}" if step.length else ""
    return (
        WheelArc(name, _role(step, tone), pivot, radius, start, step.angle),
        PointMark(f"{name}.pivot", f"pivot.{tone}", (pivot,)),
        Label(f"{name}.label", "text", text + length, spots, rank=4),
    )


def _length_label(step: Step, name: str, ends: tuple[Point, Point]) -> tuple[Mark, ...]:
    if step.length is None or step_kind(step.kind).role == "align":
        return ()
    return (Label(f"{name}.label", "text", number(step.length, "in"), along(*ends), rank=4),)
