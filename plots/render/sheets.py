"""A panel on sheets of paper, as the pages of one PDF."""

import io
from pathlib import Path

from plots.layout.page import Picture
from plots.layout.tiles import sheets_of
from plots.marks.typeface import boxes_for_missing_letters
from plots.render.defaults import as_shipped
from plots.render.files import metadata, write_beside
from plots.render.paint import paint


def save_sheets(picture: Picture, path: Path, *, title: str, description: str) -> None:
    """Write the sheets of a picture's first panel as pages of a PDF, which is there complete or not at all.

    Raises
    ------
    UsageError
        If there would be too many, or the file cannot be written.
    """
    from matplotlib.backends.backend_pdf import PdfPages

    buffer = io.BytesIO()
    with as_shipped(), boxes_for_missing_letters(), PdfPages(buffer, metadata=metadata("pdf", title, description)) as pages:
        for page in sheets_of(picture):
            figure = paint(page)
            pages.savefig(figure, facecolor=figure.get_facecolor())
    write_beside(path, buffer.getvalue())
