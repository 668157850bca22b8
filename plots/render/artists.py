"""From marks to matplotlib: a few collections per panel, never one patch per model.

Coordinates stay table inches; a pattern, which has a size on the page, is divided by the frame's scale.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import shapely
from matplotlib.artist import Artist
from matplotlib.collections import PathCollection
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text

from plots.layout.frame import Frame
from plots.layout.labels import KEY_RADIUS, Placed
from plots.layout.paths import closed, paths_of, together
from plots.marks import text
from plots.marks.looks import style
from plots.marks.mark import Area, GridMark, LineMark, LinesMark, Mark, Outline, Ray
from plots.marks.patterns import DOTS, pattern_paths
from plots.marks.section import Section
from plots.marks.theme import SCREEN, SMALL, Style, Theme, face
from plots.marks.typeface import font
from plots.render.lettering import halo
from tabletop.geometry.pose import Point

WORDS = 12.0
"""Layer of words and of the paper behind them, which belong together."""
BEYOND = 0.25
"""Inches on the page beyond a section to which patterns are drawn: more than is between their lines."""


def artists(marks: Iterable[Mark], frame: Frame, theme: Theme = SCREEN) -> tuple[Artist, ...]:
    """Make the artists of marks other than labels, each with the mark's id as its group in SVG."""
    made: list[Artist] = []
    for mark in marks:
        look = style(mark.role, theme)
        paths = paths_of(mark, frame)
        if paths:
            drawn = _collection(mark.id, paths, look, is_open=_is_open(mark))
            made += [*_halo(mark, paths, look, theme), drawn, *_core(mark, paths, look, theme), *_pattern(mark, look, frame, theme.zoom)]
    return tuple(made)


def _halo(mark: Mark, paths: Sequence[Path], look: Style, theme: Theme) -> tuple[Artist, ...]:
    """Make the paper on both sides of a line that crosses dark things."""
    if not look.halo:
        return ()
    return (_patch(f"{mark.id}.halo", together(paths), Style(look.layer - 0.05, theme.page, look.width + 2 * look.halo), is_open=True),)


def _core(mark: Mark, paths: Sequence[Path], look: Style, theme: Theme) -> tuple[Artist, ...]:
    """Make the paper within a line of two strokes."""
    if not look.core:
        return ()
    return (_patch(f"{mark.id}.core", together(paths), Style(look.layer + 0.02, theme.page, look.core), is_open=True),)


def _is_open(mark: Mark) -> bool:
    return isinstance(mark, LineMark | LinesMark | Ray)


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


def _pattern(mark: Mark, look: Style, frame: Frame, zoom: float) -> tuple[Artist, ...]:
    """Make the pattern over a filled mark: true lines or dots, cut to its shape, alike in SVG, PDF and PNG."""
    if not look.pattern or not isinstance(mark, Outline | GridMark | Area):
        return ()
    region = region_of(mark)
    paths = pattern_paths(look.pattern, _near(region, frame), frame.scale)
    width, fill = (0.0, look.pattern_colour) if look.pattern in DOTS else (0.6 * zoom, None)
    drawn = Style(look.layer + 0.1, look.pattern_colour if width else None, width, fill)
    return (_collection(f"{mark.id}.pattern", paths, drawn),) if paths else ()


def _near(region: shapely.Geometry, frame: Frame) -> shapely.Geometry:
    """Give a region, or of one far larger than the section the part seen: a pattern on thousands of inches would fill the memory."""
    if shapely.covers(_box(frame.section.grown(max(frame.section.width, frame.section.height))), region):
        return region
    return shapely.intersection(region, _box(frame.section.grown(BEYOND / frame.scale)))


def _box(section: Section) -> shapely.Polygon:
    return shapely.box(section.west, section.south, section.east, section.north)


def region_of(mark: Outline | GridMark | Area) -> shapely.Geometry:
    """Give what a filled mark covers of the table."""
    rings = (mark.ring,) if isinstance(mark, Outline) else mark.rings
    region = shapely.union_all(shapely.polygons([shapely.linearrings(ring) for ring in rings]))
    holes = mark.holes if isinstance(mark, Area) else ()
    return shapely.difference(region, shapely.union_all([shapely.Polygon(ring) for ring in holes])) if holes else region


def label_artists(placed: Sequence[Placed], frame: Frame, theme: Theme = SCREEN) -> tuple[Artist, ...]:
    """Make the artists of placed labels: leaders, paper behind the words, the words."""
    made: list[Artist] = []
    for one in placed:
        made += _leader(one, frame, theme)
        said = [_behind(one, frame, theme), *_words(one, frame, theme)] if one.lines else []
        made += [*said, *_key(one, frame, theme)]
    return tuple(made)


def _key(one: Placed, frame: Frame, theme: Theme) -> tuple[Artist, ...]:
    """Make the disc of a label's number, and the number in it."""
    if one.disc is None:
        return ()
    (x, y), name = one.disc, f"{one.label.id}.key"
    disc = Path.circle(frame.to_table((x, y)), KEY_RADIUS / frame.scale)
    base = frame.to_table((x, y - text.DIGIT / 2 * SMALL * text.POINT_SIZE))
    size = theme.zoom * SMALL
    digit = words(f"{name}.number", str(one.label.key), base, size=size, bold=True, colour=theme.word_colour("page"), align="center")
    return (_collection(name, [disc], replace(style("key", theme), layer=WORDS)), digit)


def _behind(one: Placed, frame: Frame, theme: Theme) -> Artist:
    """Make the paper behind words, or where their look has an edge alone a line of that colour about their letters."""
    look = style(one.label.role, theme)
    if look.fill is None and look.edge is not None:
        size = face(one.label.role)[0]
        lines = [(line, (x, y + text.DIGIT / 2 * size * text.POINT_SIZE)) for line, (x, y) in zip(one.lines, _bases(one), strict=True)]
        return halo(f"{one.label.id}.halo", lines, one.label.role, frame, theme)
    paper = closed(tuple(frame.to_table(corner) for corner in one.box.corners))
    return _collection(f"{one.label.id}.paper", [paper], replace(look, layer=WORDS))


def _leader(one: Placed, frame: Frame, theme: Theme) -> tuple[Artist, ...]:
    if one.leader is None:
        return ()
    path = Path([frame.to_table(point) for point in one.leader])
    return (_collection(f"{one.label.id}.leader", [path], style("leader", theme), is_open=True),)


def _words(one: Placed, frame: Frame, theme: Theme) -> tuple[Artist, ...]:
    size, bold, tone = face(one.label.role)
    large, colour = theme.zoom * size, theme.word_colour(tone)
    names = [one.label.id, *(f"{one.label.id}.{number}" for number in range(2, len(one.lines) + 1))]
    return tuple(
        words(name, line, frame.to_table(middle), size=large, bold=bold, colour=colour, align="center")
        for name, line, middle in zip(names, one.lines, _bases(one), strict=True)
    )


def _bases(one: Placed) -> list[Point]:
    """Give the middles of the lines of a label on their baselines, in inches of the panel."""
    size = face(one.label.role)[0]
    top = (one.box.north + one.box.south + text.height(len(one.lines), size)) / 2 - text.ASCENT * size * text.POINT_SIZE
    return [(one.middle[0], top - number * text.LINE * size * text.POINT_SIZE) for number in range(len(one.lines))]


def words(name: str, line: str, at: Point, *, size: float, bold: bool, colour: str, align: str) -> Text:
    """Make one line of text with its baseline at a point; a dollar sign in it is a dollar sign."""
    properties = font(line, bold=bold)
    properties.set_size(size)
    made = Text(*at, line, fontproperties=properties, color=colour, ha=align, va="baseline", parse_math=False, zorder=WORDS)
    made.set_gid(name)
    return made
