"""The typeface of figures, and text on the page: widths, outlines and lines broken to a width, in inches.

The typeface is Open Sans in two weights, which comes with the package; what it lacks is set in DejaVu Sans. Sizes are measured on
the font's own outlines, the same on every machine. Whatever is laid out has a little room to spare: words that are text in an SVG
may be set in another font where it is looked at.
"""

import pathlib
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache

import matplotlib as mpl
import numpy as np
from matplotlib.font_manager import FontEntry, FontProperties, fontManager, get_font
from matplotlib.path import Path
from matplotlib.textpath import text_to_path

from plots.marks.mark import UNBREAKING
from plots.marks.theme import TYPEFACE

OURS, SPARE = TYPEFACE

FAMILIES = {OURS: "Open Sans", SPARE: "DejaVu Sans"}
"""What documents call them."""

OTHER_FONTS = (
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans CJK KR", "Source Han Sans", "Hiragino Sans", "PingFang SC", "Yu Gothic"),
    *("Microsoft YaHei", "Malgun Gothic", "WenQuanYi Zen Hei", "Arial Unicode MS", "Noto Sans Symbols2", "Segoe UI Symbol"),
)
"""Fonts that many machines have for letters that both lack."""

_FOLDERS = {OURS: pathlib.Path(__file__).parents[1] / "fonts", SPARE: pathlib.Path(mpl.get_data_path()) / "fonts" / "ttf"}

_FILES = {OURS: ("OpenSans-Regular.ttf", "OpenSans-Bold.ttf"), SPARE: ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")}

FONT_WEIGHTS = (400, 700)

POINT_SIZE = 1 / 72

ASCENT, DESCENT, LINE, DIGIT = 0.80, 0.24, 1.28, 0.72
"""Above the baseline, below it, from line to line, and the height of a digit, in multiples of the size."""

LETTERS = 8
"""Letters that are looked at of a word for as much of a line as one is high: those of one are wider than an eighth of that."""

HALVINGS = 5
"""How often the room between the widest word and the widest line is halved to even out lines."""

LONELY = 0.3
"""The share of a line up to which a word does not stand alone on the last one."""

BREAKS = re.compile(r"(?<!\d) | (?!(?:in|Zoll)\b)")
"""Where a line may end: at spaces, but for those between a number and the inches that it counts."""

ROOM_TO_SPARE = 1.05
"""Room that a line is given, as a multiple of what it fills in our font."""


def font_file(*, bold: bool = False, name: str = OURS) -> str:
    """Return the path of the file of a font that is always there."""
    return str(_FOLDERS[name] / _FILES[name][bold])


fontManager.ttflist.extend(
    FontEntry(font_file(bold=bool(place), name=name), name=name, weight=weight, size="scalable")
    for name in (OURS, SPARE)
    for place, weight in enumerate(FONT_WEIGHTS)
)


def font(text: str, *, bold: bool = False) -> FontProperties:
    """Return the font for a text: installed fonts change only what ours and that of matplotlib cannot write."""
    families = [OURS]
    if left := lacking(text, bold=bold):
        families += [SPARE] if not lacking(left, bold=bold, name=SPARE) else [SPARE, *_installed()]
    return FontProperties(family=families, weight="bold" if bold else "normal", size=10.0)


def lacking(text: Iterable[str], *, bold: bool = False, name: str = OURS) -> str:
    """Return the letters of a text that a font cannot write."""
    known = _letters(bold, name)
    return "".join(letter for letter in text if ord(letter) not in known)


@lru_cache(maxsize=4)
def _letters(bold: bool, name: str) -> frozenset[int]:  # noqa: FBT001 - a key of the cache
    return frozenset(get_font(font_file(bold=bold, name=name)).get_charmap())


@lru_cache(maxsize=1)
def _installed() -> tuple[str, ...]:
    names = {entry.name for entry in fontManager.ttflist}
    return tuple(name for name in OTHER_FONTS if name in names)


@contextmanager
def boxes_for_missing_letters() -> Iterator[None]:
    """Draw a letter that no font has as a box, without a warning for every occurrence."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from font")
        yield


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the room in inches that a line of text set at `size` points needs, a little to spare in it."""
    return ROOM_TO_SPARE * drawn_width(text, size, bold=bold)


def drawn_width(text: str, size: float, *, bold: bool = False) -> float:
    """Measure a line of text set at `size` points in our own font, in inches."""
    return _width_at_ten_points(text, bold) * size / 10.0 * POINT_SIZE


@lru_cache(maxsize=4096)
def _width_at_ten_points(text: str, bold: bool) -> float:  # noqa: FBT001 - a key of the cache
    with boxes_for_missing_letters():
        return float(text_to_path.get_text_width_height_descent(text, font(text, bold=bold), ismath=False)[0])


def height(lines: int, size: float) -> float:
    """Return the height in inches of so many lines set at `size` points."""
    return ((lines - 1) * LINE + ASCENT + DESCENT) * size * POINT_SIZE if lines else 0.0


@lru_cache(maxsize=1024)
def outline(text: str, size: float, *, bold: bool = False) -> Path:
    """Return the outlines of a line of text set at `size` points, in inches, centred at the origin by its digits' height."""
    with boxes_for_missing_letters():
        vertices, codes = text_to_path.get_text_path(font(text, bold=bold), text, ismath=False)
    scale = size / text_to_path.FONT_SCALE * POINT_SIZE
    middle = np.array([drawn_width(text, size, bold=bold) / 2, DIGIT / 2 * size * POINT_SIZE])
    return Path(np.asarray(vertices) * scale - middle, codes)


def clean(text: str) -> str:
    """Return text as one line: what cannot be printed becomes a space, but for the space that does not break."""
    letters = (letter if letter.isprintable() or letter == UNBREAKING else " " for letter in text)
    return " ".join(word for word in "".join(letters).split(" ") if word)


def wrapped(text: str, limit: float, size: float, *, bold: bool = False, most: int | None = None) -> tuple[str, ...]:
    """Break text into lines of at most `limit` inches, words too long included; beyond `most` lines it ends in an ellipsis.

    No short word stands alone on the last line: the one before it comes with it.

    Examples
    --------
    >>> wrapped("A goes on until it touches B.", 1.45, 8.0)
    ('A goes on until it', 'touches B.')
    """
    space = width("n n", size, bold=bold) - 2 * width("n", size, bold=bold)
    lines: list[str] = []
    room = 0.0
    for word in _pieces(clean(text), limit, size, bold=bold):
        length = width(word, size, bold=bold)
        if lines and length + space <= room:
            lines[-1] += f" {word}"
            room -= length + space
        else:
            lines.append(word)
            room = limit - length
    _keep_company(lines, limit, size, bold=bold)
    if most is None or len(lines) <= most:
        return tuple(lines)
    last = lines[most - 1]
    last = last[: _fitting(last, limit, size, bold=bold, end="…")]
    return (*lines[: most - 1], f"{last.rstrip()}…")


def _pieces(text: str, limit: float, size: float, *, bold: bool) -> Iterator[str]:
    """Split at spaces, and a word wider than a line into parts that fit; what is far beyond a line is never measured."""
    most = int(LETTERS * limit / (size * POINT_SIZE)) + 1
    for word in filter(None, _words(text)):
        rest = word
        while len(rest) > most or width(rest, size, bold=bold) > limit:
            fitting = max(_fitting(rest[:most], limit, size, bold=bold), 1)
            yield rest[:fitting]
            rest = rest[fitting:]
        if rest:
            yield rest


def _fitting(text: str, limit: float, size: float, *, bold: bool, end: str = "") -> int:
    """Count the letters at the start of a text that fit into `limit` inches together with an end."""
    return bisect_right(range(1, len(text) + 1), limit, key=lambda count: width(text[:count] + end, size, bold=bold))


def _keep_company(lines: list[str], limit: float, size: float, *, bold: bool) -> None:
    """Take words from the line before to one or two short ones that stand alone on the last line, unless that leaves one alone there."""
    while len(lines) > 1 and len(_words(lines[-1])) <= 2 and width(lines[-1], size, bold=bold) <= LONELY * limit:  # noqa: PLR2004 - two words
        *before, word = _words(lines[-2])
        together = f"{word} {lines[-1]}"
        if len(before) <= 1 or width(together, size, bold=bold) > limit:
            return
        lines[-2:] = [" ".join(before), together]


def balanced(text: str, limit: float, size: float, *, bold: bool = False, most: int) -> tuple[str, ...]:
    """Break text as `wrapped` does, into no more lines, but so that none is much shorter than the others.

    Examples
    --------
    >>> wrapped("A would end 0.5 in into Foes", 1.25, 8.0)
    ('A would end 0.5 in', 'into Foes')
    >>> balanced("A would end 0.5 in into Foes", 1.25, 8.0, most=3)
    ('A would end', '0.5 in into Foes')
    """
    lines = wrapped(text, limit, size, bold=bold)
    if not 1 < len(lines) <= most:
        return wrapped(text, limit, size, bold=bold, most=most)
    low, high = max(width(word, size, bold=bold) for word in _words(" ".join(lines))), limit
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if len(wrapped(text, middle, size, bold=bold)) == len(lines) else (middle, high)
    return wrapped(text, high, size, bold=bold)


def _words(text: str) -> list[str]:
    """Split at spaces, but for those between a number and the inches that it counts.

    Examples
    --------
    >>> _words("needs 7 in at least")
    ['needs', '7 in', 'at', 'least']
    """
    return BREAKS.split(text)
