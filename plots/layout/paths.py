"""From marks to paths on the table: every mark as open and closed lines, in table inches.

What has a size on the page (heads, symbols) is divided by the frame's scale.
"""

import math
from collections.abc import Sequence
from functools import singledispatch

import numpy as np
import shapely
import shapely.ops
from matplotlib.path import Path

from plots.layout.frame import Frame
from plots.marks.mark import (
    Area,
    Arrow,
    DimensionLine,
    FacingMark,
    GridMark,
    LineMark,
    LinesMark,
    Mark,
    Outline,
    PointMark,
    Points,
    Ray,
    WaysMark,
    WheelArc,
)
from plots.marks.strokes import arc_points
from tabletop.geometry.pose import Point

HEAD, HEAD_HALF, TRIANGLE, TRIANGLE_HALF, LEAST_HALF = 0.085, 0.032, 0.1, 0.052, 0.02
"""Inches on the page: length and half width of an arrow's head, height, half width and least half width of a facing mark."""
TIP, BAR = 0.06, 0.035
"""Inches on the page: length of the heads of a dimension line, and half that of its bars."""
SYMBOL_RADII = {"pivot": 0.035, "contact_point": 0.05, "climb": 0.03, "spot": 0.04}
CORNERS = {"contact_point": 4, "spot.failed": 3, "spot.not_allowed": 4, "spot.no_verdict": 3, "spot.invalid": 4}
"""Corners of symbols that are no discs, the first at the top: told apart without colour."""
SYMBOL_RADII |= {"spot.failed": 0.05, "spot.no_verdict": 0.05}


@singledispatch
def paths_of(mark: Mark, frame: Frame) -> list[Path]:
    """Give the paths of a mark: closed ones are filled, open ones are lines. A mark of words has none."""
    del mark, frame
    return []


@paths_of.register
def _(mark: Outline, frame: Frame) -> list[Path]:
    del frame
    return [closed(mark.ring)]


@paths_of.register
def _(mark: GridMark, frame: Frame) -> list[Path]:
    del frame
    return [together([closed(ring) for ring in mark.rings])]


@paths_of.register
def _(mark: Area, frame: Frame) -> list[Path]:
    del frame
    return [together([closed(ring) for ring in (*mark.rings, *mark.holes)])]


@paths_of.register
def _(mark: LineMark, frame: Frame) -> list[Path]:
    del frame
    return [Path(mark.points)]


@paths_of.register
def _(mark: LinesMark, frame: Frame) -> list[Path]:
    del frame
    return [together([Path(line) for line in mark.lines])]


@paths_of.register
def _(mark: Ray, frame: Frame) -> list[Path]:
    del frame
    return [Path([mark.origin, mark.end])]


@paths_of.register
def _(mark: FacingMark, frame: Frame) -> list[Path]:
    return [_triangle(mark, frame)]


@paths_of.register
def _(mark: PointMark, frame: Frame) -> list[Path]:
    return [_symbol(mark.role, point, frame) for point in mark.points]


@paths_of.register
def _(mark: Arrow, frame: Frame) -> list[Path]:
    return arrow(mark.start, mark.end, frame)


@paths_of.register
def _(mark: WaysMark, frame: Frame) -> list[Path]:
    """Give the shafts of all ways, and their heads."""
    parts = [_way(line, frame) for line in mark.lines]
    return [together([shaft for shaft, _ in parts]), together([tip for _, tip in parts])]


def _way(line: Points, frame: Frame) -> tuple[Path, Path]:
    """Give shaft and head of one way; the head looks along the chord of its own length, for the last leg may be a piece of an arc."""
    track = shapely.LineString(line)
    length = min(HEAD / frame.scale, 0.6 * track.length)
    back = shapely.line_interpolate_point(track, track.length - length)
    bearing = math.atan2(line[-1][1] - back.y, line[-1][0] - back.x)
    shaft = shapely.ops.substring(track, 0.0, track.length - 0.8 * length)
    return Path(list(shaft.coords)), head(line[-1], bearing, length)


def closed(ring: Points) -> Path:
    """Make the path of a closed ring."""
    codes = [Path.MOVETO] + [Path.LINETO] * (len(ring) - 1) + [Path.CLOSEPOLY]
    return Path([*ring, ring[0]], codes)


def together(paths: Sequence[Path]) -> Path:
    """Join paths of one look into one, which every format draws at once."""
    if len(paths) == 1:
        return paths[0]
    codes = [np.asarray(path.codes) if path.codes is not None else _line_codes(len(np.asarray(path.vertices))) for path in paths]
    return Path(np.concatenate([np.asarray(path.vertices) for path in paths]), np.concatenate(codes))


def _line_codes(count: int) -> np.ndarray:
    return np.array([Path.MOVETO] + [Path.LINETO] * (count - 1), dtype=Path.code_type)


def arrow(start: Point, end: Point, frame: Frame) -> list[Path]:
    """Give a shaft and a head; the head never takes more than half of a short leg."""
    bearing = math.atan2(end[1] - start[1], end[0] - start[0])
    length = min(HEAD / frame.scale, math.dist(start, end) * 0.6)
    neck = (end[0] - 0.8 * length * math.cos(bearing), end[1] - 0.8 * length * math.sin(bearing))
    return [Path([start, neck]), head(end, bearing, length)]


def head(tip: Point, bearing: float, length: float, half: float | None = None) -> Path:
    """Give the triangle of an arrow's head with its tip at a point."""
    side = length * HEAD_HALF / HEAD if half is None else half
    cos, sin = math.cos(bearing), math.sin(bearing)
    back = (tip[0] - length * cos, tip[1] - length * sin)
    return closed((tip, (back[0] - side * sin, back[1] + side * cos), (back[0] + side * sin, back[1] - side * cos)))


@paths_of.register
def _(arc: WheelArc, frame: Frame) -> list[Path]:
    """Give the arc with its head, which looks along the chord of its own length, and the radius where the wheel ends."""
    length = min(HEAD / frame.scale, 0.6 * abs(arc.sweep) * arc.radius)
    points = arc_points(arc, 48)
    back = arc.start + arc.sweep - math.copysign(length / arc.radius, arc.sweep)
    neck = (arc.pivot[0] + arc.radius * math.cos(back), arc.pivot[1] + arc.radius * math.sin(back))
    bearing = math.atan2(points[-1][1] - neck[1], points[-1][0] - neck[0])
    kept = [point for point in points if math.dist(point, points[-1]) >= 0.8 * length] or [points[0]]
    return [Path([*kept, _between(neck, points[-1], 0.2)]), head(points[-1], bearing, length)]


def _between(start: Point, end: Point, share: float) -> Point:
    return (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))


@paths_of.register
def _(mark: DimensionLine, frame: Frame) -> list[Path]:
    """Give a line with a head and a bar at both ends, from the measured points if it stands aside; short ones have no heads."""
    start, end = mark.drawn
    length, bearing = math.dist(start, end), math.atan2(end[1] - start[1], end[0] - start[0])
    tip, bar = TIP / frame.scale, BAR / frame.scale
    aside = (-bar * math.sin(bearing), bar * math.cos(bearing))
    tails = (mark.start, mark.end) if mark.aside else tuple((x - aside[0], y - aside[1]) for x, y in (start, end))
    bars = [Path([tail, (x + aside[0], y + aside[1])]) for tail, (x, y) in zip(tails, (start, end), strict=True)]
    if length < 3 * tip:
        return [Path([start, end]), *bars]
    heads = [head(end, bearing, tip, tip / 3), head(start, bearing + math.pi, tip, tip / 3)]
    return [Path([start, end]), *bars, *heads]


def _triangle(mark: FacingMark, frame: Frame) -> Path:
    most, least = TRIANGLE_HALF / frame.scale, LEAST_HALF / frame.scale
    half = max(min(most, mark.width / 2, mark.depth * TRIANGLE_HALF / TRIANGLE), least)
    return head(mark.at, mark.heading, half * TRIANGLE / TRIANGLE_HALF, half)


def _symbol(role: str, centre: Point, frame: Frame) -> Path:
    """Give a disc, or for some roles a symbol with corners: told apart without colour."""
    radius = SYMBOL_RADII.get(role, SYMBOL_RADII.get(role.partition(".")[0], 0.0)) / frame.scale
    if corners := CORNERS.get(role):
        turns = (math.pi / 2 + math.tau * number / corners for number in range(corners))
        return closed(tuple((centre[0] + radius * math.cos(turn), centre[1] + radius * math.sin(turn)) for turn in turns))
    return Path.circle(centre, radius)
