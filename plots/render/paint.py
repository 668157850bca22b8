"""From a page to a matplotlib figure: one axes per panel, no pyplot."""

from dataclasses import replace

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Affine2D

from plots.layout.frame import Frame
from plots.layout.page import Page, Shown, Words, shown_in
from plots.marks.mark import Arrow, DimensionLine, GridMark, Label, LineMark, LinesMark, Mark, Outline, PointMark, Points
from plots.marks.panel import Panel
from plots.marks.section import Section
from plots.marks.theme import Theme
from plots.render.artists import artists, label_artists, words
from plots.render.lens import add_lens
from plots.render.lettering import printed_artists


def paint(page: Page) -> Figure:
    """Make the figure of a page, at its size in inches."""
    zoom = page.theme.zoom
    figure = Figure(figsize=(zoom * page.width, zoom * page.height), facecolor=page.theme.page)
    for shown in page.shown:
        _paint_panel(figure, shown, page)
    for artist in _around_panels(page):
        artist.set_transform(Affine2D().scale(zoom) + figure.dpi_scale_trans)
        figure.add_artist(artist)
    return figure


def paint_on(axes: Axes, panel: Panel, theme: Theme) -> None:
    """Put a panel onto axes, its words placed for their size on the figure as it is now."""
    section, box = panel.section, axes.get_window_extent()
    wide, high = box.width / axes.figure.dpi, box.height / axes.figure.dpi
    frame = Frame(section, min(wide / section.width, high / section.height))
    axes.set(xlim=(section.west, section.east), ylim=(section.south, section.north), aspect="equal")
    axes.set_axis_off()
    _add(axes, shown_in(panel, frame), theme)


def _add(axes: Axes, shown: Shown, theme: Theme) -> None:
    frame, marks = shown.frame, [mark for mark in shown.panel.marks if not isinstance(mark, Label)]
    over = (*printed_artists(shown.printed, frame, theme), *label_artists(shown.labels, frame, theme))
    for artist in (*artists(marks, frame, theme), *over):
        axes.add_artist(artist)
    for lens in shown.lenses:
        add_lens(axes, lens, marks, frame, theme)


def _around_panels(page: Page) -> tuple[Artist, ...]:
    """Make the artists around the panels, in page inches; axes for them would cost more than all of them."""
    frame = Frame(Section(0.0, 0.0, page.width, page.height), 1.0)
    marks = artists((upright(mark, page.height) for mark in page.marks), frame, page.theme)
    return (*marks, *(_line(one, page) for one in page.words))


def _line(one: Words, page: Page) -> Artist:
    (x, y), theme = one.at, page.theme
    size, colour = theme.zoom * one.size, theme.word_colour(one.colour)
    return words(one.id, one.text, (x, page.height - y), size=size, bold=one.bold, colour=colour, align=one.align)


def upright(mark: Mark, height: float) -> Mark:
    """Turn a mark of the page, whose y counts downwards, into one whose y counts upwards, so that patterns keep their slant."""
    match mark:
        case Outline(ring=ring):
            return replace(mark, ring=_flipped(ring, height))
        case LineMark(points=points) | PointMark(points=points):
            return replace(mark, points=_flipped(points, height))
        case Arrow(start=start, end=end) | DimensionLine(start=start, end=end):
            first, last = _flipped((start, end), height)
            return replace(mark, start=first, end=last)
        case LinesMark(lines=lines):
            return replace(mark, lines=tuple(_flipped(line, height) for line in lines))
        case GridMark(rings=rings):
            return replace(mark, rings=tuple(_flipped(ring, height) for ring in rings))
        case _:
            return mark


def _flipped(points: Points, height: float) -> Points:
    return tuple((x, height - y) for x, y in points)


def _paint_panel(figure: Figure, shown: Shown, page: Page) -> None:
    frame, width, height = shown.frame, page.width, page.height
    place = (frame.x / width, 1.0 - (frame.y + frame.height) / height, frame.width / width, frame.height / height)
    axes = _axes(figure, place, shown.panel.name, frame.section)
    _add(axes, shown, page.theme)


def _axes(figure: Figure, place: tuple[float, float, float, float], name: str, section: Section) -> Axes:
    """Add axes without ticks or frame: those cost more than all the models."""
    axes = figure.add_axes(place, xlim=(section.west, section.east), ylim=(section.south, section.north))
    axes.set_axis_off()
    axes.set_gid(name)
    return axes
