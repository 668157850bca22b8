"""Figures into files: the same bytes from the same input, complete or not at all, and readable without eyes."""

import io
import re
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from plots.marks.text import boxes_for_missing_letters
from plots.render.defaults import as_shipped
from plots.render.ids import Name, named
from tabletop.atomic import written_beside
from tabletop.errors import UsageError
from tabletop.scenario.figures import KEYWORD, PLACE

DPI, MOST_PIXELS = 200, 80_000_000
"""Dots an inch of a PNG, and the most that one may have: 250 megabytes of memory."""
FILE_KINDS = ("svg", "pdf", "png", "pgf")


def format_of(path: Path) -> str:
    """Give the format that a file's ending asks for.

    Raises
    ------
    UsageError
        If it is none of those that can be written.
    """
    ending = path.suffix.lower().removeprefix(".")
    if ending not in FILE_KINDS:
        raise UsageError(f"{path}: a figure is written as .svg, .pdf, .png or .pgf, not as {path.suffix or 'a file without ending'!r}")
    return ending


def save(
    figure: Figure,
    path: Path,
    *,
    title: str,
    description: str,
    language: str = "en",
    names: Mapping[str, Name] | None = None,
    scenario: str | None = None,
) -> None:
    """Write a figure, in the format of the file's ending, so that the file is there complete or not at all.

    In SVG title and description have the code of their language, and groups their `names`; SVG and PNG carry the link of the `scenario`.
    """
    kind = format_of(path)
    data = rendered(figure, kind, title=title, description=description, language=language, scenario=scenario)
    write_beside(path, named(data.decode(), names or {}).encode() if kind == "svg" else data)


def rendered(figure: Figure, kind: str, *, title: str, description: str, language: str = "en", scenario: str | None = None) -> bytes:
    """Give the bytes of a figure as `svg`, `pdf`, `png` or `pgf`, with title and description inside, and in SVG their language's code.

    SVG and PNG carry the link of the `scenario`, if there is one.

    Raises
    ------
    UsageError
        If it is too large for pixels.
    """
    with as_shipped(), boxes_for_missing_letters():
        if kind == "png":
            return _png(figure, {**_metadata(kind, title, description), **({KEYWORD: scenario} if scenario else {})})
        if kind == "pgf":
            from plots.render.outlined import macros

            return macros(figure, title=title, description=description)
        buffer = io.BytesIO()
        figure.savefig(buffer, format=kind, facecolor=figure.get_facecolor(), metadata=_metadata(kind, title, description))
    if kind != "svg":
        return buffer.getvalue()
    svg = accessible(buffer.getvalue().decode(), title=title, description=description, language=language)
    return (_carrying(svg, scenario) if scenario else svg).encode()


def _png(figure: Figure, words: dict[str, str | None]) -> bytes:
    """Write pixels without the alpha channel that matplotlib adds: smaller, and twice as fast at the same colours."""
    wide, high = (round(side * DPI) for side in figure.get_size_inches())
    if wide * high > MOST_PIXELS:
        raise UsageError(f"a picture of {wide} x {high} pixels is too large: .svg or .pdf have any size, or take a smaller --scale")
    figure.set_dpi(DPI)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    information = PngInfo()
    for key, value in words.items():
        information.add_text(key, value or "")
    buffer = io.BytesIO()
    coloured = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    pixels = Image.fromarray(coloured[..., :3])
    pixels.save(buffer, format="png", dpi=(DPI, DPI), compress_level=1, pnginfo=information)
    return buffer.getvalue()


def _metadata(kind: str, title: str, description: str) -> dict[str, str | None]:
    """Give what the file says of itself: no date, and no version of a library, so that the bytes stay the same."""
    if kind == "pdf":
        return {"Title": title, "Subject": description, "Creator": "tabletop", "Producer": "tabletop", "CreationDate": None}
    if kind == "png":
        return {"Title": title, "Description": description}
    return {"Creator": "tabletop", "Date": None}


def accessible(svg: str, *, title: str, description: str, language: str = "en") -> str:
    """Give an SVG document a role, a title and a description, which screen readers speak, and their language."""
    spoken = f'<title id="figure.title">{escape(title)}</title>\n <desc id="figure.description">{escape(description)}</desc>'
    attributes = f'role="img" lang="{escape(language)}" aria-labelledby="figure.title figure.description"'
    return re.sub(r"<svg ([^>]*)>", lambda found: f"<svg {found[1]} {attributes}>\n {spoken}", svg, count=1)


def _carrying(svg: str, scenario: str) -> str:
    """Give an SVG document with the link of a scenario behind its description."""
    return svg.replace("</desc>", f'</desc>\n <metadata id="{PLACE}">{scenario}</metadata>', 1)


def write_beside(path: Path, data: bytes) -> None:
    """Write beside the file and rename, so that nobody ever reads half a file.

    Raises
    ------
    UsageError
        If the file cannot be written there.
    """
    try:
        with written_beside(path) as beside:
            beside.write_bytes(data)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
