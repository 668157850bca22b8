"""Magnified pieces of a panel: its own marks once more, larger, cut to a disc."""

import math
from collections.abc import Sequence

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from plots.layout.frame import Frame
from plots.layout.lenses import APART, Lens, rim
from plots.marks.looks import style
from plots.marks.mark import Label, LineMark, Magnifier, Mark, Outline, Points, Printed
from plots.marks.section import Section
from plots.marks.theme import LABEL, Theme
from plots.render.artists import artists, words
from tabletop.geometry.pose import Point

PARTS, ABOVE, DEEP = 48, 14.0, 0.05
"""Corners of a circle, the layer over everything else, and how much of a layer what is in a lens has."""
SOURCE = 0.05
"""Inches on the page: the least radius of the ring about what is magnified."""


def add_lens(axes: Axes, lens: Lens, marks: Sequence[Mark], frame: Frame, theme: Theme) -> None:
    """Put a lens onto a panel: a ring about the place, a line from it, and in a disc the same marks as many times larger."""
    for artist in artists(_around(lens, frame), frame, theme):
        artist.set_zorder(ABOVE + DEEP * artist.get_zorder() / 20)
        axes.add_artist(artist)
    (x, y), centre = frame.to_table(lens.at), lens.mark.centre
    larger = Affine2D().translate(-centre[0], -centre[1]).scale(lens.mark.factor).translate(x, y)
    disc = Path.circle((x, y), lens.radius / frame.scale)
    for artist in _inside(lens, marks, frame, theme):
        artist.set_transform(larger + axes.transData)
        artist.set_clip_path(disc, axes.transData)
        artist.set_zorder(ABOVE + 1.0 + DEEP * artist.get_zorder())
        artist.set_gid(f"{lens.mark.id}.{artist.get_gid()}")
        axes.add_artist(artist)
    for artist in (*artists([_ring(f"{lens.mark.id}.rim", lens.at, lens.radius, frame)], frame, theme), _number(lens, frame, theme)):
        artist.set_zorder(ABOVE + 3.0)
        if hasattr(artist, "set_facecolor"):
            artist.set_facecolor("none")
        axes.add_artist(artist)


def _inside(lens: Lens, marks: Sequence[Mark], frame: Frame, theme: Theme) -> tuple[Artist, ...]:
    """Make what is seen in a lens, with heads and patterns of their size on the page; a ring that only marks the place is not."""
    reach = lens.radius / frame.scale / lens.mark.factor
    (x, y) = lens.mark.centre
    near = Frame(Section(x - reach, y - reach, x + reach, y + reach), frame.scale * lens.mark.factor)
    shown = [mark for mark in marks if not isinstance(mark, Label | Printed | Magnifier) and mark.role != "deciding_area"]
    return artists(shown, near, theme)


def _around(lens: Lens, frame: Frame) -> tuple[Mark, ...]:
    """Draw the disc, the ring about the place and the line between them."""
    source = max(lens.mark.radius * frame.scale, SOURCE)
    spot = frame.to_panel(lens.mark.centre)
    line = (frame.to_table(rim(spot, lens.at, source)), frame.to_table(rim(lens.at, spot, lens.radius)))
    name = lens.mark.id
    place = LineMark(f"{name}.place", "magnified", _closed(_circle(spot, source, frame)))
    return (_ring(name, lens.at, lens.radius, frame), place, LineMark(f"{name}.line", "magnified", line))


def _ring(name: str, middle: Point, radius: float, frame: Frame) -> Mark:
    return Outline(name, "magnifier", _circle(middle, radius, frame))


def _circle(middle: Point, radius: float, frame: Frame) -> Points:
    turns = (math.tau * part / PARTS for part in range(PARTS))
    return tuple(frame.to_table((middle[0] + radius * math.cos(turn), middle[1] + radius * math.sin(turn))) for turn in turns)


def _closed(ring: Points) -> Points:
    return (*ring, ring[0])


def _number(lens: Lens, frame: Frame, theme: Theme) -> Artist:
    """Write the length at the lower rim of a lens."""
    low = (lens.at[0], lens.at[1] - lens.radius + APART)
    written = words(
        f"{lens.mark.id}.number",
        lens.mark.text,
        frame.to_table(low),
        size=theme.zoom * LABEL,
        bold=True,
        colour=theme.word_colour("accent"),
        align="center",
    )
    written.set_bbox({"facecolor": style("magnifier", theme).fill, "edgecolor": "none", "pad": 1.0, "alpha": 0.9})
    return written
