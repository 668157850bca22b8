"""Words that stand where they are, printed into models and hexes: outlines, all of one mark at once, or in an SVG text."""

import math
from collections.abc import Iterator, Sequence

from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from plots.layout.boxes import Box
from plots.layout.frame import Frame
from plots.layout.paths import together
from plots.layout.printed import Stamped
from plots.marks import text
from plots.marks.looks import style
from plots.marks.theme import SCREEN, Theme, face
from plots.marks.typeface import font
from tabletop.geometry.pose import Point

PLATE = 1.1
"""Radius of the disc below a word, of half the word's diagonal."""


class Lettering(PathPatch):
    """The outlines of words, which may be drawn as text: `halo` is the colour and the width of a line about their letters."""

    def __init__(self, path: Path, words: Sequence[Text], *, fill: str, halo: tuple[str, float] | None, layer: float) -> None:
        edge, width = halo or ("none", 0.0)
        super().__init__(path, facecolor="none" if halo else fill, edgecolor=edge, linewidth=width, zorder=layer, joinstyle="round")
        self.words, self.halo, self.is_text = tuple(words), halo, False

    def draw(self, renderer: object) -> None:
        """Draw the outlines, or if this is text the words one by one."""
        if not self.is_text:
            super().draw(renderer)  # type: ignore[arg-type]
            return
        renderer.open_group("lettering", self.get_gid())  # type: ignore[attr-defined]
        for word in self.words:
            word.set_figure(self.get_figure())  # type: ignore[arg-type]
            word.set_transform(self.get_transform())
            word.draw(renderer)  # type: ignore[arg-type]
        renderer.close_group("lettering")  # type: ignore[attr-defined]


def lettering_of(figure: Figure) -> Iterator[Lettering]:
    """Give all printed words of a figure."""
    return (artist for axes in figure.axes for artist in axes.get_children() if isinstance(artist, Lettering))


def printed_artists(printed: Sequence[Stamped], frame: Frame, theme: Theme = SCREEN) -> tuple[Artist, ...]:
    """Make the artists of printed words: where the look has an edge, a halo under all of them, and their letters."""
    made: list[Artist] = []
    for one in printed:
        look = style(one.mark.role, theme)
        words = [(word, box.middle) for word, box in one.words]
        if one.mark.plate:
            made.append(_plates(one, frame, theme))
        if look.edge:
            made.append(halo(f"{one.mark.id}.halo", words, one.mark.role, frame, theme))
        outlines = together([_outlined(word, middle, one.mark.role, frame) for word, middle in words])
        fill = look.fill or theme.ink
        texts = [_text(word, middle, one.mark.role, frame, fill, theme) for word, middle in words]
        made.append(_named(one.mark.id, Lettering(outlines, texts, fill=look.fill or "none", halo=None, layer=look.layer + 0.05)))
    return tuple(made)


def halo(name: str, words: Sequence[tuple[str, Point]], role: str, frame: Frame, theme: Theme = SCREEN) -> Artist:
    """Make a line about the letters of words, each with its middle in inches of the panel, in the colour of its look's edge."""
    look = style(role, theme)
    colour = look.edge or theme.table
    outlines = together([_outlined(word, middle, role, frame) for word, middle in words])
    texts = [_text(word, middle, role, frame, colour, theme) for word, middle in words]
    return _named(name, Lettering(outlines, texts, fill=colour, halo=(colour, look.width), layer=look.layer))


def _plates(one: Stamped, frame: Frame, theme: Theme) -> Artist:
    """Make a disc below each of some words, as large as they are."""
    discs = together([Path.circle(frame.to_table(box.middle), _reach(box) / frame.scale) for _, box in one.words])
    fill, layer = style(one.mark.plate, theme).fill or theme.table, style(one.mark.role, theme).layer - 0.02
    return _named(f"{one.mark.id}.plates", PathPatch(discs, facecolor=fill, edgecolor="none", zorder=layer))


def _reach(box: Box) -> float:
    """Give the radius of the disc behind a word: it may show a little of a word's corners, which are empty."""
    return PLATE * math.hypot(box.east - box.west, box.north - box.south) / 2


def _named(name: str, artist: Artist) -> Artist:
    artist.set_gid(name)
    return artist


def _outlined(word: str, middle: Point, role: str, frame: Frame) -> Path:
    size, bold, _ = face(role)
    placed = Affine2D().scale(1 / frame.scale).translate(*frame.to_table(middle))
    return text.outline(word, size, bold=bold).transformed(placed)


def _text(word: str, middle: Point, role: str, frame: Frame, colour: str, theme: Theme) -> Text:
    size, bold, _ = face(role)
    x, y = middle
    properties = font(word, bold=bold)
    properties.set_size(theme.zoom * size)
    low = frame.to_table((x, y - text.DIGIT / 2 * size * text.POINT_SIZE))
    return Text(*low, word, fontproperties=properties, color=colour, ha="center", va="baseline", parse_math=False)
