"""Writing of figures: SVG, PDF, PNG, WebP and PGF, byte for byte reproducible, with title and description inside.

Files are written completely or not at all.
"""

import io
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, IdentityTransform
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from plots.layout import text
from plots.layout.backend import as_shipped
from plots.layout.page import FigureContent
from plots.layout.setting import DEFAULT, Setting
from plots.layout.tiles import sheets_of
from plots.render.artists import PanelView, paint
from plots.render.svg import RASTER_DPI, Name, SvgRenderer
from tabletop.atomic import atomic_write
from tabletop.errors import UsageError, cause_of
from tabletop.messages import say
from tabletop.scenario.embedded import KEYWORD

MOST_PIXELS, MOST_WEBP = 80_000_000, 16_383
"""Greatest number of pixels, for 250 MB of memory; greatest side of a WebP."""

FILE_KINDS = ("svg", "pdf", "png", "webp", "pgf")

XMP_NAMES = "tabletop:scenario"
"""XML namespace of the metadata in a WebP."""


def format_of(path: Path) -> str:
    """Return the format for a file's suffix: svg, pdf, png, webp or pgf.

    Raises
    ------
    UsageError
        If the suffix is none of these.
    """
    ending = path.suffix.lower().removeprefix(".")
    if ending not in FILE_KINDS:
        ending = repr(path.suffix) if path.suffix else say("'a file without ending'")
        raise UsageError(
            "{path}: a figure is written as .svg, .pdf, .png, .webp or .pgf, not as {ending}",
            path=path,
            ending=ending,
        )
    return ending


def save(
    figure: Figure,
    path: Path,
    *,
    title: str,
    description: str,
    setting: Setting = DEFAULT,
    names: Mapping[str, Name] | None = None,
    scenario: str | None = None,
) -> None:
    """Write a figure to a file in the format of its suffix, completely or not at all.

    In SVG, title and description carry their language's code and groups have their `names`. SVG, PNG and WebP contain
    the link of the `scenario`.

    Raises
    ------
    UsageError
        If the figure is too large for pixels, or the file cannot be written.
    """
    kind = format_of(path)
    with as_shipped(), text.boxes_for_missing_letters():
        if kind == "svg":
            data = svg_of(
                figure,
                title=title,
                description=description,
                setting=setting,
                names=names,
                scenario=scenario,
            ).encode()
        elif kind == "png":
            words = {
                "Title": title,
                "Description": description,
                **({KEYWORD: scenario} if scenario else {}),
            }
            data = _png(_pixels(figure, setting.dpi), words, setting.dpi)
        elif kind == "webp":
            data = _webp(_pixels(figure, setting.dpi), title, description, scenario)
        elif kind == "pgf":
            data = macros(figure, title=title, description=description)
        else:
            buffer = io.BytesIO()
            figure.savefig(
                buffer,
                format=kind,
                facecolor=figure.get_facecolor(),
                metadata=pdf_words(title, description),
            )
            data = buffer.getvalue()
    write_beside(path, data)


def pdf_words(title: str, description: str) -> dict[str, str | None]:
    """Return the metadata of a PDF, without date and library versions, so that its bytes are reproducible."""
    return {
        "Title": title,
        "Subject": description,
        "Creator": "tabletop",
        "Producer": "tabletop",
        "CreationDate": None,
    }


def svg_of(
    figure: Figure,
    *,
    title: str,
    description: str,
    setting: Setting = DEFAULT,
    names: Mapping[str, Name] | None = None,
    scenario: str | None = None,
) -> str:
    """Return a figure as the text of an SVG document, with live text and its font embedded, or with text as
    outlines.
    """
    figure.set_dpi(72)
    width, height = figure.get_size_inches()
    with as_shipped(), text.boxes_for_missing_letters():
        renderer = SvgRenderer(72 * width, 72 * height, names or {}, is_text=setting.is_text)
        mixed: Any = MixedModeRenderer(figure, width, height, RASTER_DPI, renderer)  # type: ignore[no-untyped-call]
        figure.draw(mixed)
    return renderer.document(title, description, setting.language.code, scenario=scenario)


def _pixels(figure: Figure, dpi: int) -> Image.Image:
    """Return a figure as an RGB image at a resolution in dots per inch; raise UsageError if it is too large."""
    wide, high = (round(side * dpi) for side in figure.get_size_inches())
    if wide * high > MOST_PIXELS:
        remedy = say(".svg or .pdf have any size, or take a smaller --dpi or --scale")
        raise UsageError(
            "a picture of {wide} x {high} pixels is too large: {remedy}",
            wide=wide,
            high=high,
            remedy=remedy,
        )
    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    size, coloured = canvas.get_width_height(), canvas.buffer_rgba()  # type: ignore[no-untyped-call]
    return Image.frombuffer("RGBA", size, coloured, "raw", "RGBA", 0, 1).convert("RGB")


def _png(pixels: Image.Image, words: Mapping[str, str], dpi: int) -> bytes:
    information = PngInfo()
    buffer = io.BytesIO()
    for key, value in words.items():
        information.add_text(key, value)
    pixels.save(buffer, format="png", dpi=(dpi, dpi), compress_level=1, pnginfo=information)
    return buffer.getvalue()


def _webp(pixels: Image.Image, title: str, description: str, scenario: str | None) -> bytes:
    """Return an image as the bytes of a WebP, with title and description in an XMP packet.

    Raises
    ------
    UsageError
        If a side is longer than the format allows.
    """
    if max(pixels.size) > MOST_WEBP:
        wide, high = pixels.size
        message = "a WebP has at most {most} pixels a side, this would be {wide} x {high}: take .png or a smaller --dpi"
        raise UsageError(message, most=MOST_WEBP, wide=wide, high=high)
    carried = (
        f'<tabletop:{KEYWORD} xmlns:tabletop="{XMP_NAMES}">{scenario}</tabletop:{KEYWORD}>'
        if scenario
        else ""
    )
    told = "".join(
        f'<dc:{key}><rdf:Alt><rdf:li xml:lang="x-default">{escape(words, quote=False)}</rdf:li></rdf:Alt></dc:{key}>'
        for key, words in (("title", title), ("description", description))
    )
    packet = (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/">{carried}{told}</rdf:Description></rdf:RDF></x:xmpmeta>'
    )
    buffer = io.BytesIO()
    pixels.save(buffer, format="webp", lossless=True, quality=50, method=3, xmp=packet.encode())
    return buffer.getvalue()


def macros(figure: Figure, *, title: str, description: str) -> bytes:
    r"""Return a figure as PGF macros for `\\input`, with letters as outlines, and title and description in comments."""
    from matplotlib.backends.backend_pgf import FigureCanvasPgf

    outline_words(figure)
    canvas = FigureCanvasPgf(figure)
    buffer = io.StringIO()
    canvas.print_figure(buffer, format="pgf", facecolor=figure.get_facecolor(), dpi=figure.dpi)
    return f"% {title}\n% {description}\n{buffer.getvalue()}".encode()


def outline_words(figure: Figure) -> None:
    """Replace all text of a figure by outlines, in place."""
    owners: list[Any] = [figure, *figure.findobj(PanelView)]
    for owner in owners:
        for artist in [
            one for one in owner.get_children() if isinstance(one, Text) and one.get_text()
        ]:
            owner.add_artist(_outlined(artist, figure.dpi))
            artist.set_text("")


def _outlined(words: Text, dpi: float) -> Artist:
    """Return the artist of a text's outlines, at its position and size."""
    line = words.get_text()
    size = float(words.get_fontsize())
    typeface = text.typeface_of(words.get_fontproperties())
    wide = text.drawn_width(line, size, typeface=typeface)
    x, y = words.get_transform().transform(words.get_position())
    shift = {"left": wide / 2, "center": 0.0, "right": -wide / 2}[words.get_horizontalalignment()]
    placed = Affine2D().translate(shift, text.half_digit(size)).scale(dpi).translate(x, y)
    path = text.outline(line, size, typeface=typeface).transformed(placed)
    return PathPatch(
        path,
        facecolor=words.get_color(),
        linewidth=0.0,
        zorder=words.get_zorder(),
        transform=IdentityTransform(),
    )


def save_sheets(picture: FigureContent, path: Path, *, title: str, description: str) -> None:
    """Write the sheets that tile a figure's first panel as the pages of a PDF, completely or not at all.

    Raises
    ------
    UsageError
        If there would be too many sheets, or the file cannot be written.
    """
    from matplotlib.backends.backend_pdf import PdfPages

    buffer = io.BytesIO()
    with (
        as_shipped(),
        text.boxes_for_missing_letters(),
        PdfPages(buffer, metadata=pdf_words(title, description)) as pages,
    ):
        for page in sheets_of(picture):
            figure = paint(page)
            pages.savefig(figure, facecolor=figure.get_facecolor())
    write_beside(path, buffer.getvalue())


def write_beside(path: Path, data: bytes) -> None:
    """Write bytes to a temporary file beside the target and rename it, so that no reader sees a partial file.

    Raises
    ------
    UsageError
        If the file cannot be written there.
    """
    try:
        with atomic_write(path) as beside:
            beside.write_bytes(data)
    except OSError as error:
        raise UsageError(
            "{path}: cannot be written: {reason}", path=path, reason=cause_of(error)
        ) from error
