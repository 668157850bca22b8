"""Marks of moves: legs and wheels of regiments, paths of loose models and through hexes, and end positions.

A leg is a straight part of a move. Lengths are in inches on the table.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

import shapely
import shapely.ops

from plots.marks.mark import (
    HEIGHT_SIGN,
    MIN_LENGTH,
    Arrows,
    DrawnMark,
    Label,
    Lines,
    PointMark,
    Points,
    Printed,
    arc_points,
    identifier,
    part_of,
    points,
    points_along,
)
from plots.marks.steps import with_model_moved
from plots.marks.units import FREE, UnitStyle, across, stop_marks
from tabletop.geometry.pose import Point
from tabletop.language.language import climb_words, current_language
from tabletop.messages import UNBREAKING
from tabletop.ruling.charge import Step, is_moving
from tabletop.ruling.looks import APPROACH
from tabletop.ruling.verdict import Shown
from tabletop.table.hexes import HexBoard
from tabletop.table.models import Squad, from_one
from tabletop.table.state import HexUnit, Regiment, State

Units = Mapping[str, Any]

MAX_WHOLE_PATHS = 4
"""Number of paths up to which each is drawn whole, with its length."""

CLOSE_PATHS = 1.2
"""Distance in inches between two paths below which their lengths name their models."""

LIKE_DRAWN = 0.006
"""Greatest difference in inches between a path's length and its drawing that rounds away at two decimals."""

SAME_OUTLINE = 0.02
"""Distance in inches within which two dashed outlines look like one line."""

HIDDEN = 0.3
"""Share of a step between hexes that a model hides."""

TWO_WAY_OFFSET = 0.12
"""Sideways offset of a path taken in both directions, as a share of a step between hexes."""


def path_marks(
    steps: Sequence[Step], units: Units, *, looks: Mapping[str, UnitStyle], is_gone: bool = False
) -> tuple[DrawnMark, ...]:
    """Return the marks of the steps of a move, with a dashed outline where each ends; steps that align are left out.

    If the move is already made (`is_gone`), steps that align are drawn too and end outlines are left out. Paths of
    regiments carry the numbers of their steps unless the move is made.
    """
    marks: list[DrawnMark] = []
    own = (
        (place, step)
        for place, step in enumerate(steps, start=1)
        if is_moving(step) and step.unit in units
    )
    moved = [
        (place, step)
        for place, step in own
        if is_gone or current_language().step(step).role != "align"
    ]
    for place, step in moved:
        unit = units[step.unit or ""]
        if isinstance(unit, Regiment) and step.end is not None:
            look = looks[unit.name]
            stops = () if is_gone else _beside(stop_marks(unit, unit.at(step.end), look), marks)
            way = step_marks(step, unit, tone=look.tone)
            marks += part_of("path" if is_gone else f"path.{place}", (*way, *stops))
    steps = [step for _, step in moved]
    return (
        *marks,
        *ways_marks(steps, units, looks=looks),
        *(() if is_gone else _stops(steps, units, looks)),
    )


def _beside(stops: tuple[DrawnMark, ...], marks: Sequence[DrawnMark]) -> tuple[DrawnMark, ...]:
    """Return end outlines without the parts they share with earlier ones, since overlapping dashes look like a solid
    line.
    """
    earlier = [
        shapely.LineString(line)
        for mark in marks
        if mark.role == stops[0].role
        for line in mark.polylines()
    ]
    if not earlier:
        return stops
    drawn = shapely.buffer(shapely.union_all(earlier), SAME_OUTLINE)
    rest = [
        shapely.difference(shapely.LineString(line), drawn)
        for mark in stops
        for line in mark.polylines()
    ]
    parts = [
        part
        for part in shapely.get_parts(shapely.line_merge(shapely.union_all(rest)))
        if part.length > SAME_OUTLINE
    ]
    return (
        (
            Lines(
                stops[0].id,
                stops[0].role,
                tuple(points(shapely.get_coordinates(part)) for part in parts),
            ),
        )
        if parts
        else ()
    )


def _stops(
    steps: Sequence[Step], units: Units, looks: Mapping[str, UnitStyle]
) -> tuple[DrawnMark, ...]:
    """Return the dashed outlines of loose models where their steps end, and their numbers if there are many paths."""
    marks: list[DrawnMark] = []
    for name in dict.fromkeys(step.unit or "" for step in steps):
        then = units[name]
        if isinstance(then, Squad):
            for step in steps:
                then = with_model_moved(then, step) if step.unit == name else then
            own = list(stop_marks(units[name], then, looks[name]))
            ways = _numbered(_ways([step for step in steps if step.unit == name]))
            own += (
                [Printed("numbers", "number", place_words(ways, units[name]))]
                if len(ways) > MAX_WHOLE_PATHS
                else []
            )
            marks += part_of(identifier("path", name), own)
    return tuple(marks)


def ways_marks(
    steps: Sequence[Step], units: Units, *, looks: Mapping[str, UnitStyle]
) -> tuple[DrawnMark, ...]:
    """Return the paths of loose models, grouped by unit, and paths through hexes, joined while their style is the
    same.
    """
    marks: list[DrawnMark] = []
    for (name, role), run in groupby(
        steps, key=lambda step: (step.unit or "", current_language().step(step).role)
    ):
        unit = units[name]
        look = looks[name]
        together = [step for step in run if is_moving(step)]
        if isinstance(unit, Squad):
            marks += part_of(identifier("path", name), _loose(together, unit, look))
        if isinstance(unit, HexUnit) and (ways := _through(together)):
            drawn = tuple(
                _between_models(way, units.values(), HIDDEN * math.dist(*way[:2])) for way in ways
            )
            own = role if role == "align" else f"{role}.{look.tone}"
            marks += part_of(identifier("path", name), [Arrows("", own, drawn)])
    return tuple(marks)


def _loose(steps: Sequence[Step], squad: Squad, look: UnitStyle) -> list[DrawnMark]:
    """Return the marks of the paths of loose models from centre to centre, with climbs, and with lengths if there are
    few paths.

    If there are many, paths end before the final positions, in which the models' numbers are printed.
    """
    ways = _ways(steps)
    if not ways:
        return []
    lines = (
        before_places(_numbered(ways), squad)
        if len(ways) > MAX_WHOLE_PATHS
        else tuple(ways.values())
    )
    marks: list[DrawnMark] = [Arrows("", f"path.{look.tone}", lines), *_climbs(steps, look)]
    measured = (
        [(step, way) for step, way in ways.items() if step.length is not None]
        if len(ways) <= MAX_WHOLE_PATHS
        else []
    )
    tracks = {step: shapely.LineString(way) for step, way in ways.items()}
    near = {
        step
        for step in tracks
        if any(
            tracks[step].distance(track) < CLOSE_PATHS
            for one, track in tracks.items()
            if one is not step
        )
    }
    return marks + [
        Label(
            f"{step.model}.label",
            "text",
            f"{_whose(step) if step in near else ''}{_length_words(step, way)}",
            _middle_first(way),
            rank=4,
        )
        for step, way in measured
    ]


def _ways(steps: Sequence[Step]) -> dict[Step, Points]:
    """Return the paths seen from above of the steps that move a model, by step."""
    return {step: way for step in steps if len(way := _plan(step)) > 1}


def _numbered(ways: Mapping[Step, Points]) -> dict[int, Points]:
    return {step.model: way for step, way in ways.items() if step.model is not None}


def _plan(step: Step) -> Points:
    """Return a model's path seen from above, without repeated points."""
    ends = (step.start, step.end)
    spots = [(x, y) for x, y, _ in step.path] or [pose.at for pose in ends if pose is not None]
    return tuple(
        spot
        for place, spot in enumerate(spots)
        if place == 0 or math.dist(spot, spots[place - 1]) > MIN_LENGTH
    )


def before_places(ways: Mapping[int, Points], squad: Squad) -> tuple[Points, ...]:
    """Return the paths, given by model number, cut at the edges of the bases at their ends; short paths are halved."""
    tracks = [
        (shapely.LineString(ways[model.number]), across(model) / 2)
        for model in squad.models
        if model.number in ways
    ]
    return tuple(
        points(
            shapely.get_coordinates(
                shapely.ops.substring(way, 0.0, way.length - min(half, way.length / 2))
            )
        )
        for way, half in tracks
    )


def place_words(ways: Mapping[int, Points], squad: Squad) -> tuple[tuple[Point, str, float], ...]:
    """Return (position, number, available width in inches) for the number of each model at the end of its path."""
    return tuple(
        (ways[model.number][-1], str(from_one(model.number)), FREE * across(model))
        for model in squad.models
        if model.number in ways
    )


def _climbs(steps: Sequence[Step], look: UnitStyle) -> list[DrawnMark]:
    """Return marks where paths change height, and a label for each height reached, in inches."""
    spots = {
        (end[0], end[1]): end[2]
        for step in steps
        for start, end in pairwise(step.path)
        if abs(end[2] - start[2]) > MIN_LENGTH
    }
    if not spots:
        return []
    reached = {
        z: tuple(spot for spot, own in spots.items() if own == z) for z in spots.values() if z
    }
    labels = [
        Label(
            f"climb.{place + 1}",
            "text",
            f"{HEIGHT_SIGN}{current_language().number(z, 'g')}",
            places,
            rank=5,
        )
        for place, (z, places) in enumerate(reached.items())
    ]
    return [PointMark("climbs", f"climb.{look.tone}", tuple(spots)), *labels]


def _whose(step: Step) -> str:
    """Return the model's number as a prefix of a length, ending in a no-break space."""
    return (
        current_language()
        .say("badge.owner", name=str(from_one(step.model or 0)), words="")
        .rstrip()
        + UNBREAKING
    )


def _length_words(step: Step, way: Points) -> str:
    """Return the length of the drawn path in words, with the height climbed if the path is longer than its drawing."""
    across = sum(math.dist(*leg) for leg in pairwise(way))
    length = step.length or 0.0
    if abs(length - across) <= LIKE_DRAWN:
        return current_language().measure(length, "in")
    return climb_words(
        across, sum(max(0.0, end[2] - start[2]) for start, end in pairwise(step.path))
    )


def _middle_first(way: Points) -> Points:
    legs = sorted(pairwise(way), key=lambda leg: -math.dist(*leg))
    return tuple(spot for leg in legs[:2] for spot in points_along(*leg))


def _through(steps: Sequence[Step]) -> tuple[Points, ...]:
    """Return the paths through hex centres of a run of steps, split where a model changes between forwards and
    backwards.

    Turns on the spot are left out. Where a model retraces its path, both directions are shifted to their right, side by
    side.
    """
    moves = [
        (step.start, step.end) for step in steps if step.start is not None and step.end is not None
    ]
    legs = [
        (start.at, end.at, start.local(end.at)[1] >= -MIN_LENGTH)
        for start, end in moves
        if math.dist(start.at, end.at) > MIN_LENGTH
    ]
    runs = [[*run] for _, run in groupby(legs, key=lambda leg: leg[2])]
    ways = [(run[0][0], *(end for _, end, _ in run)) for run in runs]
    gone = [leg[:2] for leg in legs]
    is_retraced = any((end, start) in gone for start, end in gone)
    return tuple(_keeping_right(way) for way in ways) if is_retraced else tuple(ways)


def _keeping_right(way: Points) -> Points:
    """Return a path shifted to its right by a share of its first leg."""
    track = shapely.offset_curve(
        shapely.LineString(way), -TWO_WAY_OFFSET * math.dist(*way[:2]), join_style="mitre"
    )
    return points(shapely.get_coordinates(track))


def _between_models(way: Points, units: Iterable[Any], reach: float) -> Points:
    """Return a path through hexes without `reach` inches at each end that a model hides; whole if little would be
    left.
    """
    first, last = (
        reach if any(math.dist(unit.pose.at, end) < reach for unit in units) else 0.0
        for end in (way[0], way[-1])
    )
    # keep the ends if little else would be left
    track = shapely.LineString(way)
    if track.length < 1.5 * (first + last):
        return way
    return points(shapely.get_coordinates(shapely.ops.substring(track, first, track.length - last)))


def aim_marks(shown: Shown, state: State[Any]) -> tuple[DrawnMark, ...]:
    """Return an arrow on hexes from the end of a charger's run to its nearest target; empty if a step already shows
    it.
    """
    charger = state.units.get(shown.charge.charger)
    board = state.board
    if not isinstance(charger, HexUnit) or not isinstance(board, HexBoard):
        return ()
    own = [step for step in shown.steps if step.unit == charger.name and step.end is not None]
    places = [state.units[name].pose.at for name in shown.charge.targets if name in state.units]
    places += [
        board.centre(place)
        for piece in state.hex_terrain
        if piece.name in shown.charge.targets
        for place in piece.hexes
    ]
    run = [
        step.end.at
        for step in own
        if current_language().step(step).family == APPROACH and step.end is not None
    ]
    start = run[-1] if run else charger.pose.at
    if not places or any(
        step.end is not None and math.dist(step.end.at, place) < MIN_LENGTH
        for step in own
        for place in places
    ):
        return ()
    end = min(places, key=lambda place: math.dist(place, start))
    return (
        (
            Arrows(
                "aim",
                "aim",
                (_between_models((start, end), state.units.values(), HIDDEN * board.hex_inches),),
            ),
        )
        if start != end
        else ()
    )


def step_marks(step: Step, unit: Regiment, *, tone: int) -> tuple[DrawnMark, ...]:
    """Return the marks of a regiment's step: an arc for a turn about a pivot, else an arrow; empty if nothing moves."""
    if step.start is None or step.end is None:
        return ()
    if step.pivot is not None and step.angle:
        return _turn(step, unit.at(step.start), tone)
    if math.dist(step.start.at, step.end.at) < MIN_LENGTH:
        return ()
    arrow = Arrows("", _role(step, tone), ((step.start.at, step.end.at),))
    return (arrow, *_length_label(step, (step.start.at, step.end.at)))


def _role(step: Step, tone: int) -> str:
    role = current_language().step(step).role
    return role if role == "align" else f"{role}.{tone}"


def _turn(step: Step, unit: Regiment, tone: int) -> tuple[DrawnMark, ...]:
    """Return the marks of a turn: the arc of the front corner farther from the pivot, the pivot, and a label in
    degrees.

    Where the rules measure how far that corner gets ahead, instead of the length of its arc, the label says so.
    """
    language = current_language()
    if step.pivot is None or step.angle is None:
        return ()
    pivot = step.pivot
    corner = max((unit.front_left, unit.front_right), key=lambda point: math.dist(point, pivot))
    radius = math.dist(corner, pivot)
    start = math.atan2(corner[1] - pivot[1], corner[0] - pivot[0])
    bearings = [start + share * step.angle for share in (0.5, 0.3, 0.7, 0.1, 0.9)]
    spots = tuple(
        (pivot[0] + radius * math.cos(bearing), pivot[1] + radius * math.sin(bearing))
        for bearing in bearings
    )
    text = (
        f"{language.known('turn', language.step(step).word)}{UNBREAKING}"
        f"{language.measure(abs(math.degrees(step.angle)), '°')}"
    )
    length = f", {_turn_length(step, radius)}" if step.length else ""
    return (
        Arrows("", _role(step, tone), (arc_points(pivot, corner, step.angle),)),
        PointMark("pivot", f"pivot.{tone}", (pivot,)),
        Label("label", "text", text + length, spots, rank=4),
    )


def _turn_length(step: Step, radius: float) -> str:
    language = current_language()
    length = step.length or 0.0
    angle = abs(step.angle or 0.0)
    written = language.measure(length, "in")
    return (
        written
        if abs(length - radius * angle) <= LIKE_DRAWN
        else language.say("measure.ahead", length=written)
    )


def _length_label(step: Step, ends: tuple[Point, Point]) -> tuple[DrawnMark, ...]:
    language = current_language()
    if step.length is None or language.step(step).role == "align":
        return ()
    return (
        Label("label", "text", language.measure(step.length, "in"), points_along(*ends), rank=4),
    )
