"""Typeface of figures and text on the page: widths, outlines and line breaking, in inches.

Text is in Open Sans in two weights, titles are in Pagella, both bundled with the package; missing letters come from
DejaVu Sans. Sizes are measured from the fonts' outlines, so they do not depend on the machine. Layouts leave a little
slack, as live text in an SVG may be shown in another font.
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

from plots.marks.theme import TYPEFACE, Typeface
from tabletop.messages import UNBREAKING

OURS, SPARE, TITLES = TYPEFACE

FAMILIES = {OURS: "Open Sans", SPARE: "DejaVu Sans", TITLES: "Pagella Titles"}
"""Family names used in documents."""

OTHER_FONTS = (
    *(
        "Noto Sans CJK JP",
        "Noto Sans CJK SC",
        "Noto Sans CJK KR",
        "Source Han Sans",
        "Hiragino Sans",
        "PingFang SC",
        "Yu Gothic",
    ),
    *(
        "Microsoft YaHei",
        "Malgun Gothic",
        "WenQuanYi Zen Hei",
        "Arial Unicode MS",
        "Noto Sans Symbols2",
        "Segoe UI Symbol",
    ),
)
"""Common fonts for letters that both lack."""

_OWN = pathlib.Path(__file__).parents[1] / "fonts"
_MATPLOTLIB = pathlib.Path(mpl.get_data_path()) / "fonts" / "ttf"

_FILES = {
    (OURS, 400): _OWN / "OpenSans-Regular.ttf",
    (OURS, 700): _OWN / "OpenSans-Bold.ttf",
    (SPARE, 400): _MATPLOTLIB / "DejaVuSans.ttf",
    (SPARE, 700): _MATPLOTLIB / "DejaVuSans-Bold.ttf",
    (TITLES, 700): _OWN / "PagellaTitles-Bold.ttf",
}
"""Font files by name and weight."""

WEIGHTS: dict[Typeface, int] = {"plain": 400, "bold": 700, "title": 700}

POINT_SIZE = 1 / 72

ASCENT, DESCENT, LINE, DIGIT = 0.80, 0.24, 1.28, 0.72
"""Height above the baseline, depth below it, line spacing, and height of a digit, in multiples of the text size."""

LETTERS = 8
"""Letters measured per text height of line width; letters of a word average at least an eighth of the size."""

HALVINGS = 5
"""Number of bisection steps to even out line widths."""

LONELY = 0.3
"""Share of a line below which a last word is not left alone on its line."""

BREAKS = re.compile(r"(?<!\d) | (?!(?:in|Zoll|po)\b)")
"""Line break opportunities: spaces, except between a number and its unit "in"."""

ROOM_TO_SPARE = 1.05
"""Space reserved for a line, as a multiple of its width in the bundled font."""


def font_file(typeface: Typeface = "plain", name: str = OURS) -> str:
    """Return the path of a bundled font by its name, in the weight of a typeface."""
    return str(_FILES[name, WEIGHTS[typeface]])


fontManager.ttflist.extend(
    FontEntry(str(path), name=name, weight=weight, size="scalable")
    for (name, weight), path in _FILES.items()
)


def font_names(typeface: Typeface) -> tuple[str, ...]:
    """Return the names of the bundled fonts of a typeface, each the fallback of those before it."""
    return (TITLES, OURS, SPARE) if typeface == "title" else (OURS, SPARE)


def typeface_of(properties: FontProperties) -> Typeface:
    """Return the typeface of a font that `font` returned."""
    if properties.get_family()[0] == TITLES:
        return "title"
    return "bold" if properties.get_weight() == "bold" else "plain"


def font(text: str, *, typeface: Typeface = "plain") -> FontProperties:
    """Return the font for a text: the bundled ones; installed fonts are added only for letters that these lack."""
    families = list[str]()
    left = text
    for name in font_names(typeface):
        if left or not families:
            families = [*families, name]
            left = lacking(left, typeface, name)
    families += _installed() if left else []
    return FontProperties(
        family=families, weight="normal" if typeface == "plain" else "bold", size=10.0
    )


def lacking(text: Iterable[str], typeface: Typeface = "plain", name: str = OURS) -> str:
    """Return the letters of a text that a bundled font lacks; `name` is the font's name in Matplotlib."""
    known = _letters(font_file(typeface, name))
    return "".join(letter for letter in text if ord(letter) not in known)


@lru_cache(maxsize=8)
def _letters(path: str) -> frozenset[int]:
    return frozenset(get_font(path).get_charmap())


@lru_cache(maxsize=1)
def _installed() -> tuple[str, ...]:
    names = {entry.name for entry in fontManager.ttflist}
    return tuple(name for name in OTHER_FONTS if name in names)


@contextmanager
def boxes_for_missing_letters() -> Iterator[None]:
    """Context manager in which letters that no font has are drawn as boxes without warnings."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from font")
        yield


def width(text: str, size: float, *, typeface: Typeface = "plain") -> float:
    """Return the width in inches to reserve for a line of text at `size` points: 5 % more than it takes in the bundled
    font.
    """
    return ROOM_TO_SPARE * drawn_width(text, size, typeface=typeface)


def drawn_width(text: str, size: float, *, typeface: Typeface = "plain") -> float:
    """Return the width in inches of a line of text at `size` points in the bundled font."""
    return _width_at_ten_points(text, typeface) * size / 10.0 * POINT_SIZE


@lru_cache(maxsize=4096)
def _width_at_ten_points(text: str, typeface: Typeface) -> float:
    with boxes_for_missing_letters():
        return float(
            text_to_path.get_text_width_height_descent(
                text, font(text, typeface=typeface), ismath=False
            )[0]
        )


def ascent(size: float) -> float:
    """Return the height in inches of letters at `size` points above their baseline."""
    return ASCENT * size * POINT_SIZE


def half_digit(size: float) -> float:
    """Return half the height in inches of a digit at `size` points."""
    return DIGIT / 2 * size * POINT_SIZE


def height(lines: int, size: float) -> float:
    """Return the height in inches of a number of lines at `size` points; 0 for no line."""
    return ((lines - 1) * LINE + ASCENT + DESCENT) * size * POINT_SIZE if lines else 0.0


@lru_cache(maxsize=1024)
def outline(text: str, size: float, *, typeface: Typeface = "plain") -> Path:
    """Return the outlines of a line of text at `size` points, in inches, centred at the origin by the height of its
    digits.
    """
    with boxes_for_missing_letters():
        vertices, codes = text_to_path.get_text_path(
            font(text, typeface=typeface), text, ismath=False
        )
    scale = size / text_to_path.FONT_SCALE * POINT_SIZE
    middle = np.array([drawn_width(text, size, typeface=typeface) / 2, half_digit(size)])
    return Path(np.asarray(vertices) * scale - middle, codes)


def clean(text: str) -> str:
    """Return text as one line with single spaces and without unprintable characters; no-break spaces are kept."""
    letters = (letter if letter.isprintable() or letter == UNBREAKING else " " for letter in text)
    return " ".join(word for word in "".join(letters).split(" ") if word)


def wrapped(
    text: str, limit: float, size: float, *, typeface: Typeface = "plain", most: int | None = None
) -> tuple[str, ...]:
    """Return text broken into lines of at most `limit` inches, splitting longer words; beyond `most` lines it ends in
    an ellipsis.

    A short last word is not left alone: the word before it moves to its line.

    Examples
    --------
    >>> wrapped("A goes on until it touches B.", 1.45, 8.0)
    ('A goes on until it', 'touches B.')
    """
    space = width("n n", size, typeface=typeface) - 2 * width("n", size, typeface=typeface)
    lines: list[str] = []
    room = 0.0
    for word in _pieces(clean(text), limit, size, typeface=typeface):
        length = width(word, size, typeface=typeface)
        if lines and length + space <= room:
            lines[-1] += f" {word}"
            room -= length + space
        else:
            lines.append(word)
            room = limit - length
    _keep_company(lines, limit, size, typeface=typeface)
    if most is None or len(lines) <= most:
        return tuple(lines)
    last = lines[most - 1]
    last = last[: _fitting(last, limit, size, typeface=typeface, end="…")]
    return (*lines[: most - 1], f"{last.rstrip()}…")


def _pieces(text: str, limit: float, size: float, *, typeface: Typeface) -> Iterator[str]:
    """Yield the words of a text, those wider than `limit` inches split to fit; texts far longer than a line are not
    measured.
    """
    most = int(LETTERS * limit / (size * POINT_SIZE)) + 1
    for word in filter(None, _words(text)):
        rest = word
        while len(rest) > most or width(rest, size, typeface=typeface) > limit:
            fitting = max(_fitting(rest[:most], limit, size, typeface=typeface), 1)
            yield rest[:fitting]
            rest = rest[fitting:]
        if rest:
            yield rest


def _fitting(text: str, limit: float, size: float, *, typeface: Typeface, end: str = "") -> int:
    """Return the number of letters from the start of a text that fit into `limit` inches with a given ending."""
    return bisect_right(
        range(1, len(text) + 1),
        limit,
        key=lambda count: width(text[:count] + end, size, typeface=typeface),
    )


def _keep_company(lines: list[str], limit: float, size: float, *, typeface: Typeface) -> None:
    """Move words, in place, to a last line of one or two short words, unless that leaves one alone on the line
    before.
    """
    while (
        len(lines) > 1
        and len(_words(lines[-1])) <= 2  # noqa: PLR2004 - two words
        and width(lines[-1], size, typeface=typeface) <= LONELY * limit
    ):
        *before, word = _words(lines[-2])
        together = f"{word} {lines[-1]}"
        if len(before) <= 1 or width(together, size, typeface=typeface) > limit:
            return
        lines[-2:] = [" ".join(before), together]


def balanced(
    text: str, limit: float, size: float, *, typeface: Typeface = "plain", most: int
) -> tuple[str, ...]:
    """Return text broken as by `wrapped`, in no more lines but of more equal width.

    Examples
    --------
    >>> wrapped("A would end 0.5 in into Foes", 1.25, 8.0)
    ('A would end 0.5 in', 'into Foes')
    >>> balanced("A would end 0.5 in into Foes", 1.25, 8.0, most=3)
    ('A would end', '0.5 in into Foes')
    """
    lines = wrapped(text, limit, size, typeface=typeface)
    if not 1 < len(lines) <= most:
        return wrapped(text, limit, size, typeface=typeface, most=most)
    low = max(width(word, size, typeface=typeface) for word in _words(" ".join(lines)))
    high = limit
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (
            (low, middle)
            if len(wrapped(text, middle, size, typeface=typeface)) == len(lines)
            else (middle, high)
        )
    return wrapped(text, high, size, typeface=typeface)


def _words(text: str) -> list[str]:
    """Return the words of a text, split at spaces except between a number and its unit "in".

    Examples
    --------
    >>> _words("needs 7 in at least")
    ['needs', '7 in', 'at', 'least']
    """
    return BREAKS.split(text)
