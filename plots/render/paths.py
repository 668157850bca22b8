"""Matplotlib paths of marks and patterns, open and closed, in inches on the table.

Sizes fixed on the page (arrowheads, symbols, spacing and dots of patterns) are divided by the frame's scale. Patterns
are real lines and dots clipped to a shape, so that SVG, PDF and PNG agree.
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
    Arrows,
    DimensionLine,
    Discs,
    DrawnMark,
    FacingMark,
    Lines,
    PointMark,
    Points,
    Rings,
)
from plots.marks.theme import Pattern
from tabletop.geometry.pose import Point

HEAD, HEAD_HALF, TRIANGLE, TRIANGLE_HALF, LEAST_HALF = 0.085, 0.032, 0.1, 0.052, 0.02
"""Page inches: length and half width of an arrowhead; height, half width and least half width of a facing mark."""

TIP, BAR = 0.06, 0.035
"""Page inches: length of a dimension line's heads, and half length of its bars."""

SYMBOL_RADII = {"pivot": 0.035, "contact_point": 0.05, "climb": 0.03, "spot": 0.04}

CORNERS = {
    "contact_point": 4,
    "spot.failed": 3,
    "spot.not_allowed": 4,
    "spot.no_verdict": 3,
    "spot.invalid": 4,
}
"""Number of vertices of symbols that are not discs, the first at the top, so that they differ without colour."""

SYMBOL_RADII |= {"spot.failed": 0.05, "spot.no_verdict": 0.05}

SPACING: dict[Pattern, float] = {
    "stripes": 0.055,
    "counter_stripes": 0.07,
    "crossed": 0.075,
    "rows": 0.06,
    "columns": 0.05,
    "squares": 0.09,
    "dots": 0.06,
    "specks": 0.068,
    "crowns": 0.08,
}
"""Spacing of a pattern's lines or dots, in page inches."""

DOTS: dict[Pattern, float] = {"dots": 0.0085, "specks": 0.0125, "crowns": 0.025}
"""Radii of a pattern's dots, in page inches."""

GROWN, STRAY, LARGER = ("crowns",), 0.3, 0.35
"""Natural patterns with irregular dots; greatest offset of their dots as a share of the spacing, greatest change of
radius as a share of it."""

DOT = 6
"""Number of vertices of a dot, enough for its size and small in files."""

FEW_DOT_ROWS = 3
"""Number of rows of dots below which a region counts as small."""

PATTERN_ANGLES: dict[Pattern, tuple[float, ...]] = {
    "stripes": (math.pi / 4,),
    "counter_stripes": (-math.pi / 4,),
    "crossed": (math.pi / 4, -math.pi / 4),
    "rows": (0.0,),
    "columns": (math.pi / 2,),
    "squares": (0.0, math.pi / 2),
}


@singledispatch
def paths_of(mark: DrawnMark, frame: Frame) -> list[Path]:
    """Return the paths of a mark in a frame: closed ones are to be filled, open ones are lines; empty for texts."""
    del mark, frame
    return []


@paths_of.register(Rings)
@paths_of.register(Discs)
def _(mark: Rings | Discs, frame: Frame) -> list[Path]:
    del frame
    return [together([closed(ring) for ring in (*mark.rings, *mark.holes)])]


@paths_of.register
def _(mark: Lines, frame: Frame) -> list[Path]:
    del frame
    return [together([Path(line) for line in mark.lines])]


@paths_of.register
def _(mark: Arrows, frame: Frame) -> list[Path]:
    """Return the shafts of all arrows, and their heads."""
    parts = [_arrow(line, frame) for line in mark.lines]
    return [together([shaft for shaft, _ in parts]), together([tip for _, tip in parts])]


def _arrow(line: Points, frame: Frame) -> tuple[Path, Path]:
    """Return shaft and head of an arrow along a line.

    The head follows the chord over its own length, as the last leg may be a short piece of an arc.
    """
    track = shapely.LineString(line)
    length = min(HEAD / frame.scale, 0.6 * track.length)
    back = shapely.line_interpolate_point(track, track.length - length)
    bearing = math.atan2(line[-1][1] - back.y, line[-1][0] - back.x)
    shaft = shapely.ops.substring(track, 0.0, track.length - 0.8 * length)
    return Path(list(shaft.coords)), head(line[-1], bearing, length)


@paths_of.register
def _(mark: FacingMark, frame: Frame) -> list[Path]:
    most = TRIANGLE_HALF / frame.scale
    least = LEAST_HALF / frame.scale
    half = max(min(most, mark.width / 2, mark.depth * TRIANGLE_HALF / TRIANGLE), least)
    return [head(mark.at, mark.heading, half * TRIANGLE / TRIANGLE_HALF, half)]


@paths_of.register
def _(mark: PointMark, frame: Frame) -> list[Path]:
    return [_symbol(mark.role, point, frame) for point in mark.points]


@paths_of.register
def _(mark: DimensionLine, frame: Frame) -> list[Path]:
    """Return a dimension line with heads and bars, with extension lines if it is offset; short ones have no heads."""
    start, end = mark.drawn
    length = math.dist(start, end)
    bearing = math.atan2(end[1] - start[1], end[0] - start[0])
    tip = TIP / frame.scale
    bar = BAR / frame.scale
    aside = (-bar * math.sin(bearing), bar * math.cos(bearing))
    tails = (
        (mark.start, mark.end)
        if mark.aside
        else tuple((x - aside[0], y - aside[1]) for x, y in (start, end))
    )
    bars = [
        Path([tail, (x + aside[0], y + aside[1])])
        for tail, (x, y) in zip(tails, (start, end), strict=True)
    ]
    if length < 3 * tip:
        return [Path([start, end]), *bars]
    heads = [head(end, bearing, tip, tip / 3), head(start, bearing + math.pi, tip, tip / 3)]
    return [Path([start, end]), *bars, *heads]


def _symbol(role: str, centre: Point, frame: Frame) -> Path:
    """Return the path of a symbol about a point: a disc or, for some roles, a polygon, so that they differ without
    colour.
    """
    radius = SYMBOL_RADII.get(role, SYMBOL_RADII.get(role.partition(".")[0], 0.0)) / frame.scale
    if corners := CORNERS.get(role):
        turns = (math.pi / 2 + math.tau * number / corners for number in range(corners))
        return closed(
            tuple(
                (centre[0] + radius * math.cos(turn), centre[1] + radius * math.sin(turn))
                for turn in turns
            )
        )
    return Path.circle(centre, radius)


def head(tip: Point, bearing: float, length: float, half: float | None = None) -> Path:
    """Return the triangle of an arrowhead with its tip at a point, as a closed path.

    `bearing` is in radians; `length` and the half width `half` are in inches on the table.
    """
    side = length * HEAD_HALF / HEAD if half is None else half
    cos = math.cos(bearing)
    sin = math.sin(bearing)
    back = (tip[0] - length * cos, tip[1] - length * sin)
    return closed(
        (
            tip,
            (back[0] - side * sin, back[1] + side * cos),
            (back[0] + side * sin, back[1] - side * cos),
        )
    )


def closed(ring: Points) -> Path:
    """Return the closed path of a ring."""
    return Path([*ring, ring[0]], closed=True)


def together(paths: Sequence[Path]) -> Path:
    """Return one compound path of several paths of the same style."""
    if len(paths) == 1:
        return paths[0]
    return Path.make_compound_path(*paths)


def pattern_paths(pattern: Pattern, region: shapely.Geometry, scale: float) -> list[Path]:
    """Return the paths of a pattern on a region, at `scale` inches on the page per inch on the table; may be empty."""
    if not pattern or region.is_empty:
        return []
    spacing = SPACING[pattern] / scale
    if pattern in DOTS:
        return _dots(region, spacing, DOTS[pattern] / scale, is_grown=pattern in GROWN)
    return [path for angle in PATTERN_ANGLES[pattern] for path in _stripes(region, angle, spacing)]


def _stripes(region: shapely.Geometry, angle: float, spacing: float) -> list[Path]:
    """Return parallel lines at an angle in radians, clipped to a region, as one path in a list; empty if none cross it.

    They are aligned to the table's origin, so that neighbouring regions match.
    """
    cos = math.cos(angle)
    sin = math.sin(angle)
    west, south, east, north = region.bounds
    offsets = [y * cos - x * sin for x in (west, east) for y in (south, north)]
    runs = [x * cos + y * sin for x in (west, east) for y in (south, north)]
    steps = (
        np.arange(math.ceil(min(offsets) / spacing), math.floor(max(offsets) / spacing) + 1)
        * spacing
    )
    starts = np.column_stack([min(runs) * cos - steps * sin, min(runs) * sin + steps * cos])
    ends = np.column_stack([max(runs) * cos - steps * sin, max(runs) * sin + steps * cos])
    cut = shapely.intersection(shapely.linestrings(np.stack([starts, ends], axis=1)), region)
    parts = shapely.get_parts(cut)
    lines = parts[(shapely.get_type_id(parts) == 1) & ~shapely.is_empty(parts)]
    coordinates, owners = shapely.get_coordinates(lines, return_index=True)
    return [_polylines(coordinates, owners)] if len(lines) else []


def _polylines(coordinates: np.ndarray, owners: np.ndarray) -> Path:
    """Return one compound path of lines, given their vertices, shape (n, 2), and the index of each vertex's line, shape
    (n,).
    """
    first = np.concatenate([[True], owners[1:] != owners[:-1]])
    return Path(coordinates, np.where(first, Path.MOVETO, Path.LINETO))


def _dots(
    region: shapely.Geometry, spacing: float, radius: float, *, is_grown: bool = False
) -> list[Path]:
    """Return the dots of a staggered grid that lie entirely in a region, as one path in a list; centred on a small
    region.

    Dots of natural patterns are displaced by a hash of their position, so every picture has the same ones.
    """
    west, south, east, north = region.bounds
    middle = (
        np.array([west + east, south + north]) / 2
        if min(east - west, north - south) < FEW_DOT_ROWS * spacing
        else np.zeros(2)
    )
    west, south = np.array([west, south]) - middle
    east, north = np.array([east, north]) - middle
    rows = np.arange(math.ceil(south / spacing), math.floor(north / spacing) + 1)
    columns = np.arange(math.ceil(west / spacing) - 1, math.floor(east / spacing) + 1)
    xs, ys = np.meshgrid(columns, rows)
    centres = middle + np.column_stack(
        [((xs + 0.5 * (ys % 2)) * spacing).ravel(), (ys * spacing).ravel()]
    )
    radii = np.full(len(centres), radius)
    if is_grown:
        whims = np.stack([_whims(xs, ys, seed) for seed in range(3)])
        centres = centres + STRAY * spacing * whims[:2].T
        radii = radius * (1.0 + LARGER * whims[2])
    inner = shapely.buffer(region, -1.2 * radius)
    shapely.prepare(inner)
    kept = shapely.contains_xy(inner, centres[:, 0], centres[:, 1])
    return [_circles(centres[kept], radii[kept])] if kept.any() else []


def _whims(columns: np.ndarray, rows: np.ndarray, seed: int) -> np.ndarray:
    """Return a hash from -1 to 1 for each cell of a grid, flattened, from its column, its row and a seed."""
    mixed = (
        (columns.astype(np.int64) * 73856093)
        ^ (rows.astype(np.int64) * 19349663)
        ^ (seed * 83492791)
    )
    return ((mixed * 2654435761) % 4294967296 / 2147483648 - 1.0).ravel()


def _circles(centres: np.ndarray, radii: np.ndarray) -> Path:
    turns = np.arange(DOT) * math.tau / DOT
    corners = np.column_stack([np.cos(turns), np.sin(turns)])
    rings = (
        centres[:, None, :] + radii[:, None, None] * np.vstack([corners, corners[:1]])[None, :, :]
    )
    codes = np.tile([Path.MOVETO] + [Path.LINETO] * (DOT - 1) + [Path.CLOSEPOLY], len(centres))
    return Path(rings.reshape(-1, 2), codes)
