"""Patterns as true lines and dots cut to a shape, so that they look alike in SVG, PDF and PNG."""

import math

import numpy as np
import shapely
from matplotlib.path import Path

from plots.marks.theme import Pattern

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
"""Inches on the page between lines or dots."""
DOTS: dict[Pattern, float] = {"dots": 0.0085, "specks": 0.0125, "crowns": 0.025}
"""Radii of dots."""
GROWN, STRAY, LARGER = ("crowns",), 0.3, 0.35
"""Patterns that nobody has planted in rows; by how much of their spacing their dots stray, and of their radius differ."""
DOT = 6
"""Corners of a dot: at its size more are not seen, and every one takes room in a file."""
FEW = 3
"""Rows of dots below which a region has few."""
PATTERN_ANGLES: dict[Pattern, tuple[float, ...]] = {
    "stripes": (math.pi / 4,),
    "counter_stripes": (-math.pi / 4,),
    "crossed": (math.pi / 4, -math.pi / 4),
    "rows": (0.0,),
    "columns": (math.pi / 2,),
    "squares": (0.0, math.pi / 2),
}


def pattern_paths(pattern: Pattern, region: shapely.Geometry, scale: float) -> list[Path]:
    """Give the paths of a pattern on a region of the table drawn at `scale` page inches per table inch."""
    if not pattern or region.is_empty:
        return []
    spacing = SPACING[pattern] / scale
    if pattern in DOTS:
        return _dots(region, spacing, DOTS[pattern] / scale, is_grown=pattern in GROWN)
    return [path for angle in PATTERN_ANGLES[pattern] for path in _stripes(region, angle, spacing)]


def _stripes(region: shapely.Geometry, angle: float, spacing: float) -> list[Path]:
    """Cut parallel lines to the region; they go through the table's origin, so neighbours match."""
    cos, sin = math.cos(angle), math.sin(angle)
    west, south, east, north = region.bounds
    offsets = [y * cos - x * sin for x in (west, east) for y in (south, north)]
    runs = [x * cos + y * sin for x in (west, east) for y in (south, north)]
    steps = np.arange(math.ceil(min(offsets) / spacing), math.floor(max(offsets) / spacing) + 1) * spacing
    starts = np.column_stack([min(runs) * cos - steps * sin, min(runs) * sin + steps * cos])
    ends = np.column_stack([max(runs) * cos - steps * sin, max(runs) * sin + steps * cos])
    cut = shapely.intersection(shapely.linestrings(np.stack([starts, ends], axis=1)), region)
    parts = shapely.get_parts(cut)
    lines = parts[(shapely.get_type_id(parts) == 1) & ~shapely.is_empty(parts)]
    coordinates, owners = shapely.get_coordinates(lines, return_index=True)
    return [_polylines(coordinates, owners)] if len(lines) else []


def _polylines(coordinates: np.ndarray, owners: np.ndarray) -> Path:
    """Join lines into one path, which every format then draws at once."""
    first = np.concatenate([[True], owners[1:] != owners[:-1]])
    return Path(coordinates, np.where(first, Path.MOVETO, Path.LINETO))


def _dots(region: shapely.Geometry, spacing: float, radius: float, *, is_grown: bool = False) -> list[Path]:
    """Give dots on a quincunx that lie in the region whole, about the middle of a region that has room for few.

    What has grown strays from it, by its place alone, so that it is the same in every picture.
    """
    west, south, east, north = region.bounds
    middle = np.array([west + east, south + north]) / 2 if min(east - west, north - south) < FEW * spacing else np.zeros(2)
    (west, south), (east, north) = np.array([west, south]) - middle, np.array([east, north]) - middle
    rows = np.arange(math.ceil(south / spacing), math.floor(north / spacing) + 1)
    columns = np.arange(math.ceil(west / spacing) - 1, math.floor(east / spacing) + 1)
    xs, ys = np.meshgrid(columns, rows)
    centres = middle + np.column_stack([((xs + 0.5 * (ys % 2)) * spacing).ravel(), (ys * spacing).ravel()])
    radii = np.full(len(centres), radius)
    if is_grown:
        whims = np.stack([_whims(xs, ys, seed) for seed in range(3)])
        centres, radii = centres + STRAY * spacing * whims[:2].T, radius * (1.0 + LARGER * whims[2])
    inner = shapely.buffer(region, -1.2 * radius)
    shapely.prepare(inner)
    kept = shapely.contains_xy(inner, centres[:, 0], centres[:, 1])
    return [_circles(centres[kept], radii[kept])] if kept.any() else []


def _whims(columns: np.ndarray, rows: np.ndarray, seed: int) -> np.ndarray:
    """Give a number from -1 to 1 to each place of a grid, in no order that is seen."""
    mixed = (columns.astype(np.int64) * 73856093) ^ (rows.astype(np.int64) * 19349663) ^ (seed * 83492791)
    return ((mixed * 2654435761) % 4294967296 / 2147483648 - 1.0).ravel()


def _circles(centres: np.ndarray, radii: np.ndarray) -> Path:
    turns = np.arange(DOT) * math.tau / DOT
    corners = np.column_stack([np.cos(turns), np.sin(turns)])
    rings = centres[:, None, :] + radii[:, None, None] * np.vstack([corners, corners[:1]])[None, :, :]
    codes = np.tile([Path.MOVETO] + [Path.LINETO] * (DOT - 1) + [Path.CLOSEPOLY], len(centres))
    return Path(rings.reshape(-1, 2), codes)
