"""Options of figures, declared once for the command line, Python, documents and the page.

This module imports neither figures nor Typer: whoever takes the options makes its own form of them.
"""

from dataclasses import dataclass
from typing import Annotated, NamedTuple


class FigureOption(NamedTuple):
    """How the command line names an option and its value, and its help."""

    flag: str
    metavar: str | None
    help: str


@dataclass(frozen=True)
class FigureOptions:
    """Options for the look of figures, as words; None means the default. `plots.setting` reads them."""

    theme: Annotated[
        str | None,
        FigureOption(
            "--theme",
            "NAME",
            "Theme of figures: screen, print (black and grey) or dark.",
        ),
    ] = None
    size: Annotated[
        str | None,
        FigureOption(
            "--size",
            "SIZE",
            "Page size of figures: single-column, double-column, slide, or such as 180x160mm or 8x6in.",
        ),
    ] = None
    width: Annotated[
        str | None,
        FigureOption(
            "--width",
            "WIDTH",
            "Page width of figures, such as 120mm, 12cm or 7in, as high as needed.",
        ),
    ] = None
    scale: Annotated[
        str | None,
        FigureOption("--scale", "1:N", "Scale of figures; 1:1 is the true size on the table."),
    ] = None
    language: Annotated[
        str | None,
        FigureOption(
            "--language",
            "NAME",
            "Language of output and figures: english, french, german, or a TOML file.",
        ),
    ] = None
    panel: Annotated[
        str | None,
        FigureOption(
            "--panel",
            "NAME",
            "Draw one panel only: before, contrast, after, proposed, demanded, or the number of a step.",
        ),
    ] = None
    bare: Annotated[
        bool,
        FigureOption(
            "--bare", None, "Draw without title, outcome, caption, ruler, key and footer."
        ),
    ] = False
    text: Annotated[
        str | None,
        FigureOption(
            "--text",
            "KIND",
            "Text in an SVG: text with an embedded font (the default), or outlines.",
        ),
    ] = None
    dpi: Annotated[
        int | None,
        FigureOption("--dpi", "N", "Dots per inch of .png and .webp; 200 by default."),
    ] = None
    sheet: Annotated[
        str | None,
        FigureOption(
            "--sheet",
            "PAPER",
            "Tile the first panel, or --panel, at 1:1 or --scale over sheets of a4 or letter (.pdf only).",
        ),
    ] = None
    audience: Annotated[
        str | None,
        FigureOption(
            "--for",
            "WHOM",
            "Texts of figures for: reader (plain sentences, the default) or judge (with rules and margins).",
        ),
    ] = None
