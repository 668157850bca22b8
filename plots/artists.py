"""From marks to matplotlib: a few collections per panel, never one patch per model.

Coordinates stay table inches; what has a size on the page (heads, symbols, patterns) is divided by the frame's scale.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np
import shapely
from matplotlib.artist import Artist
from matplotlib.collections import PathCollection
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text

from plots import text
from plots.frame import Frame
from plots.labels import Placed
from plots.marks import Arrow, DimensionLine, FacingMark, Grid, Line, Mark, Outline, PointMark, Points, Ray, WheelArc
from plots.patterns import pattern_paths
from plots.section import arc_points
from plots.theme import Style, face, style
from tabletop.pose import Point

HEAD, HEAD_HALF, TRIANGLE, TRIANGLE_HALF, LEAST_HALF = 0.085, 0.032, 0.078, 0.037, 0.02
"""Inches on the page: length and half width of an arrow's head, height, half width and least half width of a facing mark."""
RADII = {"pivot": 0.035, "contact_point": 0.05, "touching": 0.017}


def artists(marks: Iterable[Mark], frame: Frame) -> tuple[Artist, ...]:
    """Make the artists of marks other than labels, each with the mark's id as its group in SVG."""
    made: list[Artist] = []
    for mark in marks:
        look = style(mark.role)
        paths = _paths(mark, frame)
        if paths:
            made += [_collection(mark.id, paths, look, is_open=_is_open(mark)), *_pattern(mark, look, frame)]
    return tuple(made)


def _is_open(mark: Mark) -> bool:
    return isinstance(mark, Line | Ray)


def _collection(name: str, paths: Sequence[Path], look: Style, *, is_open: bool = False) -> Artist:
    """Make one artist of one path or more. Fills go to closed paths only: a filled open polyline would show its chord."""
    if len(paths) == 1:
        return _patch(name, paths[0], look, is_open=is_open)
    fills = [look.fill or "none" if _is_closed(path) and not is_open else "none" for path in paths]
    dashes = [(0.0, look.dash) if look.dash and not (_is_closed(path) and look.fill) else "solid" for path in paths]
    collection = PathCollection(
        list(paths),
        facecolors=fills,
        edgecolors=look.edge or "none",
        linewidths=look.width,
        linestyles=dashes,
        alpha=None if look.alpha == 1.0 else look.alpha,
        zorder=look.layer,
        capstyle="butt",
        joinstyle="miter",
    )
    collection.set_gid(name)
    return collection


def _patch(name: str, path: Path, look: Style, *, is_open: bool) -> PathPatch:
    """Make the artist of a single path, at a third of the cost of a collection."""
    is_filled = look.fill is not None and _is_closed(path) and not is_open
    patch = PathPatch(
        path,
        facecolor=look.fill if is_filled else "none",
        edgecolor=look.edge or "none",
        linewidth=look.width,
        linestyle=(0.0, look.dash) if look.dash and not is_filled else "solid",
        alpha=None if look.alpha == 1.0 else look.alpha,
        zorder=look.layer,
        capstyle="butt",
        joinstyle="miter",
    )
    patch.set_gid(name)
    return patch


def _is_closed(path: Path) -> bool:
    codes = np.asarray(() if path.codes is None else path.codes)
    return bool(codes.size) and int(codes[-1]) == int(Path.CLOSEPOLY)


def _pattern(mark: Mark, look: Style, frame: Frame) -> tuple[Artist, ...]:
    """Make the pattern over a filled mark: true lines or dots, cut to its shape, alike in SVG, PDF and PNG."""
    if not look.pattern or not isinstance(mark, Outline | Grid):
        return ()
    rings = mark.rings if isinstance(mark, Grid) else (mark.ring,)
    region = shapely.union_all(shapely.polygons([shapely.linearrings(ring) for ring in rings]))
    paths = pattern_paths(look.pattern, region, frame.scale)
    width, fill = (0.0, look.pattern_colour) if look.pattern == "dots" else (0.6, None)
    drawn = Style(look.layer + 0.1, look.pattern_colour if width else None, width, fill)
    return (_collection(f"{mark.id}.pattern", paths, drawn),) if paths else ()


def _paths(mark: Mark, frame: Frame) -> list[Path]:  # noqa: PLR0911 - one kind of mark, one line
    match mark:
        case Outline(ring=ring):
            return [closed(ring)]
        case Grid(rings=rings):
            return [closed(ring) for ring in rings]
        case Line(points=points):
            return [Path(points)]
        case Ray(origin=origin):
            return [Path([origin, mark.end])]
        case Arrow(start=start, end=end):
            return _arrow(start, end, frame)
        case WheelArc():
            return _wheel(mark, frame)
        case DimensionLine():
            return _dimension(mark, frame)
        case FacingMark():
            return [_triangle(mark, frame)]
        case PointMark(points=points):
            return [_symbol(mark.role, point, frame) for point in points]
        case _:
            return []


def closed(ring: Points) -> Path:
    """Make the path of a closed ring."""
    codes = [Path.MOVETO] + [Path.LINETO] * (len(ring) - 1) + [Path.CLOSEPOLY]
    return Path([*ring, ring[0]], codes)


def _arrow(start: Point, end: Point, frame: Frame) -> list[Path]:
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


def _wheel(arc: WheelArc, frame: Frame) -> list[Path]:
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


def _dimension(mark: DimensionLine, frame: Frame) -> list[Path]:
    """Give a line with a head and a bar at both ends, from the measured points if it stands aside; short ones have no heads."""
    start, end = mark.drawn
    length, bearing = math.dist(start, end), math.atan2(end[1] - start[1], end[0] - start[0])
    tip, bar = 0.06 / frame.scale, 0.035 / frame.scale
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
    """Give a disc, and for the initial contact a diamond: told apart without colour."""
    kind = role.partition(".")[0]
    radius = RADII[kind] / frame.scale
    if kind == "contact_point":
        x, y = centre
        return closed(((x + radius, y), (x, y + radius), (x - radius, y), (x, y - radius)))
    return Path.circle(centre, radius)


def label_artists(placed: Sequence[Placed], frame: Frame) -> tuple[Artist, ...]:
    """Make the artists of placed labels: leaders, paper behind the words, the words."""
    made: list[Artist] = []
    for one in placed:
        made += _leader(one, frame)
        paper = closed(tuple(frame.to_table(corner) for corner in one.box.corners))
        made.append(_collection(f"{one.label.id}.paper", [paper], style(one.label.role)))
        made += _words(one, frame)
    return tuple(made)


def _leader(one: Placed, frame: Frame) -> tuple[Artist, ...]:
    if one.leader is None:
        return ()
    path = Path([frame.to_table(point) for point in one.leader])
    return (_collection(f"{one.label.id}.leader", [path], style("leader"), is_open=True),)


def _words(one: Placed, frame: Frame) -> tuple[Artist, ...]:
    size, bold, colour = face(one.label.role)
    top = (one.box.north + one.box.south + text.height(len(one.lines), size)) / 2 - text.ASCENT * size * text.POINT
    names = [one.label.id, *(f"{one.label.id}.{number}" for number in range(2, len(one.lines) + 1))]
    middles = [(one.box.middle[0], top - number * text.LINE * size * text.POINT) for number in range(len(one.lines))]
    return tuple(
        words(name, line, frame.to_table(middle), size=size, bold=bold, colour=colour, align="center")
        for name, line, middle in zip(names, one.lines, middles, strict=True)
    )


def words(name: str, line: str, at: Point, *, size: float, bold: bool, colour: str, align: str) -> Text:
    """Make one line of text with its baseline at a point; a dollar sign in it is a dollar sign."""
    properties = text.font(line, bold=bold)
    properties.set_size(size)
    made = Text(*at, line, fontproperties=properties, color=colour, ha=align, va="baseline", parse_math=False, zorder=12)
    made.set_gid(name)
    return made
