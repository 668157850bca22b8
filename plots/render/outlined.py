"""Words as outlines: a figure for TeX needs no fonts then, is set alike everywhere, and can be written without TeX."""

import io

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_pgf import FigureCanvasPgf
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, IdentityTransform

from plots.marks import text


def macros(figure: Figure, *, title: str, description: str) -> bytes:
    r"""Give a figure as PGF macros for `\input`, with all letters as outlines, title and description in comments."""
    outline_words(figure)
    canvas, buffer = FigureCanvasPgf(figure), io.StringIO()
    canvas.print_figure(buffer, format="pgf", facecolor=figure.get_facecolor(), dpi=figure.dpi)
    return f"% {title}\n% {description}\n{buffer.getvalue()}".encode()


def outline_words(figure: Figure) -> None:
    """Put outlines in the place of all words of a figure."""
    owners: list[Figure | Axes] = [figure, *figure.axes]
    for owner in owners:
        for artist in [one for one in owner.get_children() if isinstance(one, Text) and one.get_text()]:
            owner.add_artist(_outlined(artist, figure.dpi))
            artist.remove()


def _outlined(words: Text, dpi: float) -> Artist:
    """Give the outlines of a text where it stands, in its size."""
    line, size, bold = words.get_text(), float(words.get_fontsize()), words.get_fontproperties().get_weight() == "bold"
    wide, (x, y) = text.drawn_width(line, size, bold=bold), words.get_transform().transform(words.get_position())
    shift = {"left": wide / 2, "center": 0.0, "right": -wide / 2}[words.get_horizontalalignment()]
    placed = Affine2D().translate(shift, text.DIGIT / 2 * size * text.POINT_SIZE).scale(dpi).translate(x, y)
    path = text.outline(line, size, bold=bold).transformed(placed)
    return PathPatch(path, facecolor=words.get_color(), linewidth=0.0, zorder=words.get_zorder(), transform=IdentityTransform())
