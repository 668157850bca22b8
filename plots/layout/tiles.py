"""Tiling of a panel onto overlapping sheets of paper with crop marks, preceded by a map of the sheets."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from plots.layout import text
from plots.layout.blocks import TextLine, paragraph, rectangle, stack
from plots.layout.frame import Frame
from plots.layout.key import paper_ruler
from plots.layout.page import FigureContent, Page, shown_in
from plots.layout.setting import PAPERS, Sheet
from plots.marks.deciding import circled
from plots.marks.mark import Lines, Points
from plots.marks.section import Rect
from plots.marks.theme import NAME, SMALL, TITLE
from tabletop.errors import UsageError
from tabletop.language.language import current_language
from tabletop.units import MM_PER_INCH

EDGE, FOOT, OVERLAP = (millimetres / MM_PER_INCH for millimetres in (10, 6, 10))
"""Inches: unprintable margin of a sheet, height of its text, overlap of neighbouring sheets."""

NEAR, FAR = 0.04, 0.2
"""Start and end of a crop mark, in inches from the corner."""

MOST_SHEETS = 100


@dataclass(frozen=True)
class Tile:
    """A sheet of a tiling: name, row and column from the upper left, and its section of the table in inches."""

    name: str
    row: int
    column: int
    section: Rect


@dataclass(frozen=True)
class Tiling:
    """Sheets that cover a section of the table at the scale 1 : `ratio` on paper of `width` by `height` inches."""

    width: float
    height: float
    ratio: float
    rows: int
    columns: int
    tiles: tuple[Tile, ...]


def tiling(section: Rect, ratio: float, paper: tuple[float, float]) -> Tiling:
    """Return the tiling of a section with the fewest sheets, portrait or landscape, all of equal size on the table.

    Raises
    ------
    UsageError
        If there would be more than `MOST_SHEETS`.
    """
    upright = _parted(section, ratio, paper)
    across = _parted(section, ratio, (paper[1], paper[0]))
    best = upright if upright.rows * upright.columns <= across.rows * across.columns else across
    if best.rows * best.columns > MOST_SHEETS:
        message = "--sheet: it would be {sheets} sheets, at most {most} are printed: take a smaller --scale"
        raise UsageError(message, sheets=best.rows * best.columns, most=MOST_SHEETS)
    return best


def _parted(section: Rect, ratio: float, paper: tuple[float, float]) -> Tiling:
    wide = (paper[0] - 2 * EDGE) * ratio
    high = (paper[1] - 2 * EDGE - FOOT) * ratio
    both = OVERLAP * ratio
    columns, rows = (
        max(1, math.ceil((whole - both) / (part - both) - 1e-9))
        for whole, part in ((section.width, wide), (section.height, high))
    )
    wide = (section.width + (columns - 1) * both) / columns
    high = (section.height + (rows - 1) * both) / rows
    tiles = []
    for row in range(min(rows, MOST_SHEETS + 1)):
        for column in range(min(columns, MOST_SHEETS + 1)):
            west = section.west + column * (wide - both)
            north = section.north - row * (high - both)
            tiles.append(
                Tile(
                    f"{_letter(column)}{row + 1}",
                    row,
                    column,
                    Rect(west, north - high, west + wide, north),
                )
            )
    return Tiling(*paper, ratio, rows, columns, tuple(tiles))


def _letter(column: int) -> str:
    return (
        chr(ord("A") + column)
        if column < 26  # noqa: PLR2004 - letters
        else f"{_letter(column // 26 - 1)}{_letter(column % 26)}"
    )


def sheets_of(picture: FigureContent) -> Iterator[Page]:
    """Yield the pages that tile a figure's first panel on paper: the ruling with a map of the sheets, then the sheets
    by rows.

    A single sheet of a bare figure has no map.

    Raises
    ------
    UsageError
        If there would be more than `MOST_SHEETS`.
    """
    setting = picture.setting
    panel = picture.panels[0]
    parted = tiling(panel.section, setting.ratio or 1.0, PAPERS[setting.paper or "a4"])
    if len(parted.tiles) > 1 or not setting.is_bare:
        yield _map(picture, parted)
    for number, tile in enumerate(parted.tiles, start=1):
        yield _sheet(picture, parted, tile, number)


def _map(picture: FigureContent, parted: Tiling) -> Page:
    """Return the first page: the ruling, and the panel scaled to fit with the edges and names of the sheets."""
    panel = picture.panels[0]
    language = current_language()
    space = parted.width - 2 * EDGE
    said = language.say(
        "sheets.map" if len(parted.tiles) > 1 else "sheets.single",
        count=len(parted.tiles),
        ratio=language.number(parted.ratio, "g"),
        panel=panel.heading or panel.name,
        overlap=language.number(OVERLAP * MM_PER_INCH, "g"),
    )
    told = [*([] if picture.setting.is_bare else _ruled(picture)), said]
    captions = (
        paragraph(f"caption.{number}", line, space, most=None)
        for number, line in enumerate(told, start=1)
    )
    block = stack(
        (paragraph("title", picture.title, space, size=TITLE, typeface="title", most=2), *captions),
        0.08,
    ).at(EDGE, EDGE)
    bar = paper_ruler(Sheet(parted.width, parted.height), EDGE).at(0.0, block.height + 0.12)
    top = block.height + 0.12 + 0.25
    scale = min(
        space / panel.section.width,
        (parted.height - EDGE - top) / panel.section.height,
        1.0 / parted.ratio,
    )
    frame = Frame(panel.section, scale, EDGE, top)
    words = [*block.words, *bar.words]
    marks = [*bar.marks]
    for tile in parted.tiles:
        part = tile.section
        west, south = frame.to_panel((part.west, part.south))
        east, north = frame.to_panel((part.east, part.north))
        upper = (frame.x + west, frame.bottom - north)
        lower = (frame.x + east, frame.bottom - south)
        marks.append(rectangle(f"sheet.{tile.name}", "sheet", upper, lower))
        corner = (upper[0] + 0.06, upper[1] + 0.06 + text.ascent(NAME))
        words.append(TextLine(f"sheet.{tile.name}.name", tile.name, corner, NAME, typeface="bold"))
    return Page(
        parted.width,
        parted.height,
        (shown_in(panel, frame),),
        tuple(words),
        tuple(marks),
        scale,
        picture.setting.theme,
    )


def _ruled(picture: FigureContent) -> Iterator[str]:
    """Yield the texts of the ruling on the first page: outcomes, callouts numbered on the sheets, and caption."""
    yield from (f"{badge.words}: {badge.about}" for badge in picture.badges)
    panel = picture.panels[0]
    yield from (f"{circled(number - 1)} {sentence}" for number, sentence in panel.callouts.items())
    if panel.text:
        yield f"{circled(panel.key - 1)} {panel.text}" if panel.key else panel.text
    yield from picture.caption


def _sheet(picture: FigureContent, parted: Tiling, tile: Tile, number: int) -> Page:
    """Return the page of a sheet: its part of the panel, crop marks, and the names of its neighbours."""
    language = current_language()
    frame = Frame(tile.section, 1.0 / parted.ratio, EDGE, EDGE)
    neighbours = {(other.row, other.column): other.name for other in parted.tiles}
    beside = [
        language.say(f"sheets.{side}", sheet=neighbours[place])
        for side, place in (
            ("left", (tile.row, tile.column - 1)),
            ("right", (tile.row, tile.column + 1)),
            ("above", (tile.row - 1, tile.column)),
            ("below", (tile.row + 1, tile.column)),
        )
        if place in neighbours
    ]
    said = language.say(
        "sheets.sheet",
        sheet=tile.name,
        number=number,
        count=len(parted.tiles),
        ratio=language.number(parted.ratio, "g"),
    )
    line = text.wrapped(", ".join([said, *beside]), parted.width - 2 * EDGE, SMALL, most=1)[0]
    words = TextLine("footer.sheet", line, (EDGE, parted.height - EDGE), SMALL, colour="grey")
    marks = Lines("crop", "crop", tuple(_crop(frame, tile, parted)))
    return Page(
        parted.width,
        parted.height,
        (shown_in(picture.panels[0], frame),),
        (words,),
        (marks,),
        frame.scale,
        picture.setting.theme,
    )


def _crop(frame: Frame, tile: Tile, parted: Tiling) -> Iterator[Points]:
    """Yield the lines of crop marks at a sheet's corners and at the edges of its neighbours, in inches on the page."""
    west = frame.x
    north = frame.y
    east = west + frame.width
    south = north + frame.height
    upright = [
        west,
        east,
        *([east - OVERLAP] if tile.column + 1 < parted.columns else []),
        *([west + OVERLAP] if tile.column else []),
    ]
    level = [
        north,
        south,
        *([south - OVERLAP] if tile.row + 1 < parted.rows else []),
        *([north + OVERLAP] if tile.row else []),
    ]
    for x in upright:
        yield ((x, north - FAR), (x, north - NEAR))
        yield ((x, south + NEAR), (x, south + FAR))
    for y in level:
        yield ((west - FAR, y), (west - NEAR, y))
        yield ((east + NEAR, y), (east + FAR, y))
