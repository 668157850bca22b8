"""Matplotlib artists of marks, texts and pages: a few collections per panel instead of a patch per model, without
pyplot.

Coordinates are in inches on the table. Sizes of patterns, which are fixed on the page, are divided by the frame's
scale.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import shapely
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import (
    Affine2D,
    Bbox,
    BboxBase,
    BboxTransformFrom,
    BboxTransformTo,
    Transform,
    TransformedBbox,
)

from plots.layout import text
from plots.layout.blocks import TextLine
from plots.layout.frame import Frame
from plots.layout.labels import APART, KEY_RADIUS, PLATE, Lens, PlacedLabel, Stamped
from plots.layout.page import Page, PlacedPanel, shown_in
from plots.marks.mark import Discs, DrawnMark, Label, Lines, Magnifier, Points, Printed, Rings
from plots.marks.mark import closed as mark_closed
from plots.marks.panels import Panel
from plots.marks.section import Rect
from plots.marks.styles import style
from plots.marks.theme import LABEL, SCREEN, SMALL, Style, Theme, Typeface, face
from plots.render.paths import DOTS, closed, paths_of, pattern_paths, together
from plots.render.svg import words_looks
from tabletop.geometry.pose import Point

TEXT_LAYER = 12.0
"""Painting layer of texts and their backgrounds."""

HATCH_MARGIN = 0.25
"""Distance in page inches beyond a section to which patterns are drawn, more than their line spacing."""

TOP_LAYER = 14.0
"""Top layer."""

SHIELD_POINT = 0.045
"""Height of the point of a name's shield, in page inches."""

SOURCE = 0.05
"""Least half side of the square around a magnified spot, in page inches."""


def paint(page: Page) -> Figure:
    """Return the Matplotlib figure of a page, at its size in inches enlarged by the theme's zoom."""
    zoom = page.theme.zoom
    figure = Figure(figsize=(zoom * page.width, zoom * page.height), facecolor=page.theme.page)
    figure.set_gid("figure")
    figure.patch.set_gid("page")
    for shown in page.shown:
        frame = shown.frame
        width = page.width
        height = page.height
        place = Bbox.from_bounds(
            frame.x / width,
            1.0 - frame.bottom / height,
            frame.width / width,
            frame.height / height,
        )
        edge = TransformedBbox(place, figure.transSubfigure)
        window = PanelView(
            shown.panel.name,
            BboxTransformFrom(Bbox.from_extents(*frame.section.sides)) + BboxTransformTo(edge),
            edge,
        )
        figure.add_artist(window)
        _add(window, shown, page.theme)
    for artist in _around_panels(page):
        artist.set_transform(Affine2D().scale(zoom) + figure.dpi_scale_trans)
        figure.add_artist(artist)
    return figure


class PanelView(Artist):
    """A section of the table on a figure: artists in inches on the table, clipped at its edge.

    Real axes would take more time than all models.
    """

    def __init__(self, name: str, placed: Transform, edge: BboxBase) -> None:
        super().__init__()
        self.set_gid(name)
        self.transData = placed
        self._edge = edge
        self._children: list[Artist] = []

    def add_artist(self, artist: Artist) -> None:
        """Add an artist to the section, as `place` does, and keep it."""
        self.place(artist)
        self._children.append(artist)

    def place(self, artist: Artist) -> None:
        """Set an artist's transform to inches on the table unless it has one, and clip it to the section."""
        if not artist.is_transform_set():
            artist.set_transform(self.transData)
        artist.set_clip_box(self._edge)
        self._own(artist)

    def set_figure(self, fig: Any) -> None:
        """Set the figure of the section and of its artists."""
        super().set_figure(fig)
        for artist in self._children:
            self._own(artist)

    def _own(self, artist: Artist) -> None:
        figure: Any = self.get_figure()
        if figure is not None:
            artist.set_figure(figure)

    def get_children(self) -> list[Artist]:
        """Return the artists in the section."""
        return self._children

    def draw(self, renderer: Any) -> None:
        """Draw the artists that are not animated, lowest layers first."""
        renderer.open_group("axes", self.get_gid())
        for artist in sorted(
            (one for one in self._children if not one.get_animated()), key=Artist.get_zorder
        ):
            artist.draw(renderer)
        renderer.close_group("axes")


def paint_on(axes: Axes, panel: Panel, theme: Theme) -> None:
    """Draw a panel on axes, with texts placed for the size that the axes have on the figure now."""
    section = panel.section
    box = axes.get_window_extent()
    wide = box.width / axes.figure.dpi
    high = box.height / axes.figure.dpi
    frame = Frame(section, min(wide / section.width, high / section.height))
    axes.set(xlim=(section.west, section.east), ylim=(section.south, section.north), aspect="equal")
    axes.set_axis_off()
    _add(axes, shown_in(panel, frame), theme)


def _add(axes: Axes | PanelView, shown: PlacedPanel, theme: Theme) -> None:
    frame = shown.frame
    marks = [mark for mark in shown.panel.marks if not isinstance(mark, Label)]
    over = (
        *printed_artists(shown.printed, frame, theme),
        *label_artists(shown.labels, frame, theme),
    )
    for artist in (*artists(marks, frame, theme), *over):
        axes.add_artist(artist)
    for lens in shown.lenses:
        add_lens(axes, lens, marks, frame, theme)


def _around_panels(page: Page) -> tuple[Artist, ...]:
    """Return the artists around the panels, in inches on the page; axes for them would take more time than the
    artists.
    """
    frame = Frame(Rect(0.0, 0.0, page.width, page.height), 1.0)
    upright = (
        mark.mapped(lambda at: (at[0], page.height - at[1])) for mark in page.marks
    )  # the figure's clip, not the axes', keeps the slant of patterns
    marks = artists(upright, frame, page.theme)
    return (*marks, *(_line(one, page) for one in page.words))


def _line(one: TextLine, page: Page) -> Artist:
    x, y = one.at
    theme = page.theme
    size = theme.zoom * one.size
    colour = theme.word_colour(one.colour)
    return words(
        one.id,
        one.text,
        (x, page.height - y),
        size=size,
        typeface=one.typeface,
        colour=colour,
        align=one.align,
    )


# Marks.


def artists(marks: Iterable[DrawnMark], frame: Frame, theme: Theme = SCREEN) -> tuple[Artist, ...]:
    """Return the artists of all marks except labels; each has the mark's id as its group id in SVG."""
    made: list[Artist] = []
    for mark in marks:
        look = style(mark.role, theme)
        paths = paths_of(mark, frame)
        if paths:
            drawn = _collection(mark.id, paths, look)
            halo, core = _paper(mark, paths, look, theme)
            made += filter(None, (halo, drawn, core))
            made += _pattern(mark, look, frame, theme.zoom)
    return tuple(made)


def _paper(
    mark: DrawnMark, paths: Sequence[Path], look: Style, theme: Theme
) -> tuple[Artist | None, Artist | None]:
    """Return the artists of the paper beside lines that cross dark things and of that within a double line, where the
    style has such.
    """
    halo = Style(look.layer - 0.05, theme.page, look.width + 2 * look.halo)
    core = Style(look.layer + 0.02, theme.page, look.core)
    whole = together(paths)
    return (
        _patch(f"{mark.id}.halo", whole, halo, is_open=True) if look.halo else None,
        _patch(f"{mark.id}.core", whole, core, is_open=True) if look.core else None,
    )


def _collection(name: str, paths: Sequence[Path], look: Style, *, is_open: bool = False) -> Artist:
    """Return one artist for some paths; only closed ones are filled, as filling an open polyline would show its
    chord.
    """
    if len(paths) == 1:
        return _patch(name, paths[0], look, is_open=is_open)
    fills = [look.fill or "none" if _is_closed(path) and not is_open else "none" for path in paths]
    dashes = [
        (0.0, look.dash) if look.dash and not (_is_closed(path) and look.fill) else "solid"
        for path in paths
    ]
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
    """Return the artist of a single path, which takes a third of the time of a collection."""
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


def _pattern(mark: DrawnMark, look: Style, frame: Frame, zoom: float) -> tuple[Artist, ...]:
    """Return the artist of a filled mark's pattern, lines or dots clipped to its shape, so that SVG, PDF and PNG agree.

    Empty for marks without a pattern.
    """
    if not look.pattern or not isinstance(mark, Rings | Discs):
        return ()
    region = region_of(mark)
    paths = pattern_paths(look.pattern, _near(region, frame), frame.scale)
    width, fill = (0.0, look.pattern_colour) if look.pattern in DOTS else (0.6 * zoom, None)
    drawn = Style(look.layer + 0.1, look.pattern_colour if width else None, width, fill)
    return (_collection(f"{mark.id}.pattern", paths, drawn),) if paths else ()


def _near(region: shapely.Geometry, frame: Frame) -> shapely.Geometry:
    """Return a region, clipped to the section if it is far larger, since a pattern over thousands of inches would
    exhaust memory.
    """
    if shapely.covers(
        shapely.box(*frame.section.grown(max(frame.section.width, frame.section.height)).sides),
        region,
    ):
        return region
    return shapely.intersection(
        region, shapely.box(*frame.section.grown(HATCH_MARGIN / frame.scale).sides)
    )


def region_of(mark: Rings | Discs) -> shapely.Geometry:
    """Return the region that a filled mark covers: the union of its rings without its holes."""
    region = shapely.union_all(list(map(shapely.Polygon, mark.rings)))
    if not mark.holes:
        return region
    return shapely.difference(region, shapely.union_all(list(map(shapely.Polygon, mark.holes))))


# Labels.


def label_artists(
    placed: Sequence[PlacedLabel], frame: Frame, theme: Theme = SCREEN
) -> tuple[Artist, ...]:
    """Return the artists of placed labels: leaders, backgrounds, numbers and texts."""
    made: list[Artist] = []
    for one in placed:
        made += _leader(one, frame, theme)
        said = [_behind(one, frame, theme), *_words(one, frame, theme)] if one.lines else []
        made += [*said, *_key(one, frame, theme)]
    return tuple(made)


def _key(one: PlacedLabel, frame: Frame, theme: Theme) -> tuple[Artist, ...]:
    """Return the artists of a label's number and its disc; empty if it has none."""
    if one.disc is None:
        return ()
    x, y = one.disc
    name = f"{one.label.id}.key"
    disc = Path.circle(frame.to_table((x, y)), KEY_RADIUS / frame.scale)
    base = frame.to_table((x, y - text.half_digit(SMALL)))
    size = theme.zoom * SMALL
    digit = words(
        f"{name}.number",
        str(one.label.key),
        base,
        size=size,
        typeface="bold",
        colour=theme.word_colour("page"),
        align="center",
    )
    return (_collection(name, [disc], replace(style("key", theme), layer=TEXT_LAYER)), digit)


def _behind(one: PlacedLabel, frame: Frame, theme: Theme) -> Artist:
    """Return the artist of a label's background or, if its style has only an edge, of a halo around its letters."""
    look = style(one.label.role, theme)
    if look.fill is None and look.edge is not None:
        size = face(one.label.role)[0]
        lines = [
            (line, (x, y + text.half_digit(size)))
            for line, (x, y) in zip(one.lines, _bases(one), strict=True)
        ]
        return Lettering(f"{one.label.id}.halo", lines, one.label.role, frame, theme, is_halo=True)
    corners = shield_of(one.box) if one.label.role.startswith("name.") else one.box.corners
    paper = closed(tuple(map(frame.to_table, corners)))
    return _collection(f"{one.label.id}.paper", [paper], replace(look, layer=TEXT_LAYER))


def shield_of(box: Rect) -> Points:
    """Return the corners of the shield behind a name: its box with a point at the lower edge, in inches on the
    panel.
    """
    return (
        (box.west, box.north),
        (box.east, box.north),
        (box.east, box.south),
        (box.middle[0], box.south - SHIELD_POINT),
        (box.west, box.south),
    )


def _leader(one: PlacedLabel, frame: Frame, theme: Theme) -> tuple[Artist, ...]:
    if one.leader is None:
        return ()
    path = Path([frame.to_table(point) for point in one.leader])
    return (_collection(f"{one.label.id}.leader", [path], style("leader", theme), is_open=True),)


def _words(one: PlacedLabel, frame: Frame, theme: Theme) -> tuple[Artist, ...]:
    size, typeface, tone = face(one.label.role)
    large = theme.zoom * size
    colour = theme.word_colour(tone)
    names = [one.label.id, *(f"{one.label.id}.{number}" for number in range(2, len(one.lines) + 1))]
    return tuple(
        words(
            name,
            line,
            frame.to_table(middle),
            size=large,
            typeface=typeface,
            colour=colour,
            align="center",
        )
        for name, line, middle in zip(names, one.lines, _bases(one), strict=True)
    )


def _bases(one: PlacedLabel) -> list[Point]:
    """Return the midpoints of the baselines of a label's lines, in inches on the panel."""
    size = face(one.label.role)[0]
    top = (one.box.north + one.box.south + text.height(len(one.lines), size)) / 2 - text.ascent(
        size
    )
    return [
        (one.middle[0], top - number * text.LINE * size * text.POINT_SIZE)
        for number in range(len(one.lines))
    ]


class Line(Text):
    """Matplotlib text of one line on its baseline, measured only if a renderer needs its width."""

    def draw(self, renderer: Any) -> None:
        """Draw the line of text with a renderer."""
        is_held = self.get_horizontalalignment() == "left" or getattr(renderer, "is_text", False)
        if not is_held or self.get_bbox_patch() is not None or not self.get_text():
            super().draw(renderer)
            return
        renderer.open_group("text", self.get_gid())
        gc = renderer.new_gc()
        gc.set_foreground(self.get_color())
        gc.set_clip_rectangle(self.get_clip_box())
        x, y = self.get_transform().transform(self.get_position())
        y = renderer.get_canvas_width_height()[1] - y if renderer.flipy() else y
        renderer.draw_text(
            gc, x, y, self.get_text(), self.get_fontproperties(), 0.0, ismath=False, mtext=self
        )
        gc.restore()
        renderer.close_group("text")


def words(
    name: str, line: str, at: Point, *, size: float, typeface: Typeface, colour: str, align: str
) -> Text:
    """Return the artist of a line of text of `size` points with its baseline at a point; dollar signs are literal."""
    properties = text.font(line, typeface=typeface)
    properties.set_size(size)
    made = Line(
        *at,
        line,
        fontproperties=properties,
        color=colour,
        ha=align,
        va="baseline",
        parse_math=False,
        zorder=TEXT_LAYER,
    )
    made.set_gid(name)
    return made


# Printed texts at fixed points: outlines, one path per mark, or live text in an SVG.


class Lettering(Patch):
    """Artist of texts at fixed points, drawn as outlines or as live text in an SVG; as a halo, only strokes around the
    letters.
    """

    def __init__(
        self,
        name: str,
        words: Sequence[tuple[str, Point]],
        role: str,
        frame: Frame,
        theme: Theme,
        *,
        is_halo: bool = False,
    ) -> None:
        look = style(role, theme)
        self._words = words
        self._face = face(role)
        self._frame = frame
        self._zoom = theme.zoom
        self._halo = look.width if is_halo else 0.0
        self._colour = (look.edge or theme.table) if is_halo else (look.fill or theme.ink)
        fill, edge = ("none", self._colour) if is_halo else (look.fill or "none", "none")
        layer = look.layer + (0.0 if is_halo else 0.05)
        super().__init__(
            facecolor=fill, edgecolor=edge, linewidth=self._halo, zorder=layer, joinstyle="round"
        )
        self.set_gid(name)

    def get_path(self) -> Path:
        """Return the outlines of all texts as one path, in inches on the table."""
        size, typeface, _ = self._face
        larger = Affine2D().scale(1 / self._frame.scale)
        return together(
            [
                text.outline(word, size, typeface=typeface).transformed(
                    larger + Affine2D().translate(*self._frame.to_table(at))
                )
                for word, at in self._words
            ]
        )

    def draw(self, renderer: Any) -> None:
        """Draw the outlines with a renderer, or the texts where the renderer keeps text live."""
        if not getattr(renderer, "is_text", False):
            super().draw(renderer)
            return
        (size, typeface, _), (_, height) = self._face, renderer.get_canvas_width_height()
        low = text.half_digit(size)
        places = (
            self.get_transform()
            .transform([self._frame.to_table((x, y - low)) for _, (x, y) in self._words])
            .tolist()
        )
        looks = words_looks(
            self._zoom * size, typeface=typeface, align="center", colour=self._colour
        )
        if self._halo:
            looks |= {
                "stroke": looks["fill"],
                "stroke-width": f"{self._halo:.3g}",
                "stroke-linejoin": "round",
            }
        renderer.open_group("lettering", self.get_gid())
        renderer.write(
            [
                (word, (x, height - y))
                for (word, _), (x, y) in zip(self._words, places, strict=True)
            ],
            looks,
        )
        renderer.close_group("lettering")


def printed_artists(
    printed: Sequence[Stamped], frame: Frame, theme: Theme = SCREEN
) -> tuple[Artist, ...]:
    """Return the artists of printed texts: discs behind them, a halo if the style has an edge, then the letters."""
    made: list[Artist] = []
    for one in printed:
        name = one.mark.id
        role = one.mark.role
        words = [(word, box.middle) for word, box in one.words]
        if one.mark.plate:
            made.append(_plates(one, frame, theme))
        if style(role, theme).edge:
            made.append(Lettering(f"{name}.halo", words, role, frame, theme, is_halo=True))
        made.append(Lettering(name, words, role, frame, theme))
    return tuple(made)


def _plates(one: Stamped, frame: Frame, theme: Theme) -> Artist:
    """Return the artist of a disc behind each text, within its base; the empty corners of a text's box may stay
    uncovered.
    """
    rooms = {word: room for _, word, room in one.mark.words}
    across = [
        min(PLATE * math.hypot(box.width, box.height) / frame.scale, rooms[word])
        for word, box in one.words
    ]
    discs = together(
        [
            Path.circle(frame.to_table(box.middle), wide / 2)
            for (_, box), wide in zip(one.words, across, strict=True)
        ]
    )
    fill = style(one.mark.plate, theme).fill or theme.table
    layer = style(one.mark.role, theme).layer - 0.02
    gid = f"{one.mark.id}.plates"
    return PathPatch(discs, facecolor=fill, edgecolor="none", zorder=layer, gid=gid)


# Magnifiers: a panel's marks drawn again, enlarged.


def add_lens(
    axes: Axes | PanelView, lens: Lens, marks: Sequence[DrawnMark], frame: Frame, theme: Theme
) -> None:
    """Draw a magnifier on a panel: squares around the spot and around its enlargement, joined by a line."""
    name = lens.mark.id
    spot = frame.to_panel(lens.mark.centre)
    reach = max(lens.mark.radius * frame.scale, SOURCE)
    ends = (_edge(spot, lens.at, reach), _edge(lens.at, spot, lens.radius))
    square = _square(lens.at, lens.radius, frame)
    below = (
        Rings(name, "magnifier", (square,)),
        Lines(f"{name}.place", "magnified", (mark_closed(_square(spot, reach, frame)),)),
        Lines(f"{name}.line", "magnified", (tuple(map(frame.to_table, ends)),)),
    )
    rim = Lines(f"{name}.rim", "magnifier", (mark_closed(square),))
    over = (*artists([rim], frame, theme), _number(lens, frame, theme))
    inside = _magnified(axes, lens, marks, frame, theme)
    for layer, made in (
        (TOP_LAYER, artists(below, frame, theme)),
        (TOP_LAYER + 1.0, [inside]),
        (TOP_LAYER + 2.0, over),
    ):
        for artist in made:
            artist.set_zorder(layer)
            axes.add_artist(artist)


def _magnified(
    axes: Axes | PanelView, lens: Lens, marks: Sequence[DrawnMark], frame: Frame, theme: Theme
) -> PanelView:
    """Return the view of the enlarged marks, with arrowheads and patterns at their usual size on the page.

    Areas that only highlight the spot are left out.
    """
    x, y = lens.mark.centre
    right, up = frame.to_table(lens.at)
    factor = lens.mark.factor
    reach = lens.radius / frame.scale / factor
    near = Frame(Rect.about((x, y), reach, reach), frame.scale * factor)
    larger = Affine2D().translate(-x, -y).scale(factor).translate(right, up) + axes.transData
    window = PanelView(
        f"{lens.mark.id}.window",
        larger,
        TransformedBbox(Bbox.from_extents(*near.section.sides), larger),
    )
    shown = [
        mark
        for mark in marks
        if not isinstance(mark, Label | Printed | Magnifier)
        and mark.role not in ("deciding_area", "goal_area")
    ]
    for artist in artists(shown, near, theme):
        artist.set_gid(f"{lens.mark.id}.{artist.get_gid()}")
        window.add_artist(artist)
    return window


def _square(middle: Point, half: float, frame: Frame) -> Points:
    """Return the corners, on the table, of a square about a point of the panel with half side `half` in inches on the
    panel.
    """
    return tuple(map(frame.to_table, Rect.about(middle, half, half).corners))


def _edge(middle: Point, towards: Point, half: float) -> Point:
    """Return where the line from a square's centre to an outside point leaves the square."""
    x = towards[0] - middle[0]
    y = towards[1] - middle[1]
    share = half / max(abs(x), abs(y))
    return (middle[0] + share * x, middle[1] + share * y)


def _number(lens: Lens, frame: Frame, theme: Theme) -> Artist:
    """Return the artist of the gap's length as text at a magnifier's lower edge."""
    low = (lens.at[0], lens.at[1] - lens.radius + APART)
    written = words(
        f"{lens.mark.id}.number",
        lens.mark.text,
        frame.to_table(low),
        size=theme.zoom * LABEL,
        typeface="bold",
        colour=theme.word_colour("accent"),
        align="center",
    )
    written.set_bbox(
        {"facecolor": style("magnifier", theme).fill, "edgecolor": "none", "pad": 1.0, "alpha": 0.9}
    )
    return written
