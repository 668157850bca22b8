"""Settings of a figure: theme, page size, scale of panels, language, and paper for tiled output.

Sizes are in inches; a scale is the N of 1:N.
"""

import math
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar, get_args

from plots.marks.panels import View
from plots.marks.theme import SCREEN, THEMES, Theme
from tabletop.catalogue import AUDIENCES, Audience
from tabletop.errors import UsageError
from tabletop.figure_options import FigureOptions
from tabletop.language.language import ENGLISH, Language, speaking
from tabletop.language.language import language as read_language
from tabletop.messages import nearest, quoted, say, shown
from tabletop.units import MM_PER_INCH

LEAST_SIDE, MOST_SIDE, MOST_RATIO = 2.0, 200.0, 1000.0
"""Least and greatest side of a page in inches, and greatest N of a scale 1:N."""

NUMBER = r"\d{1,5}(?:\.\d{1,6})?"

PER_INCH = {"mm": MM_PER_INCH, "cm": MM_PER_INCH / 10.0, "in": 1.0}
"""How many of a unit of length are an inch."""

LEAST_DPI = 20
MOST_DPI = 2400

TEXTS = ("text", "outlines")

PAPERS = {"a4": (210 / MM_PER_INCH, 297 / MM_PER_INCH), "letter": (8.5, 11.0)}
"""Width and height of paper sizes, in inches."""

MARGIN, STEP = 0.1, 0.2
"""Margin in inches, and the step by which the zoom is reduced."""


Asked = ParamSpec("Asked")
Drawn = TypeVar("Drawn")


@dataclass(frozen=True)
class Size:
    """Size of a page in inches, as high as needed if `height` is None; `zoom` is the greatest enlargement of lines and
    letters.

    A page that `may_grow` is widened where panels at a given scale need it.
    """

    width: float
    height: float | None = None
    zoom: float = 1.0
    may_grow: bool = False


SINGLE, DOUBLE, SLIDE = Size(3.5), Size(7.0), Size(40 / 3, 7.5, zoom=2.0)

SIZES = {"single-column": SINGLE, "double-column": DOUBLE, "slide": SLIDE}
"""Width of one and of two columns of a printed page, and a 16:9 slide."""


@dataclass(frozen=True, repr=False)
class Setting:
    """Settings of a figure: theme, page, language, audience and, if given, the scale of panels as the N of 1:N.

    With `panel`, only that panel is shown; with `is_bare`, only panels. `is_text` keeps words of an SVG as text instead
    of outlines. `dpi` is the resolution of pixel formats. With `paper`, the first panel is tiled on sheets of that
    size.
    """

    theme: Theme = SCREEN
    size: Size = field(default=replace(DOUBLE, may_grow=True))
    ratio: float | None = None
    language: Language = ENGLISH
    audience: Audience = "reader"
    panel: str | None = None
    is_bare: bool = False
    is_text: bool = True
    dpi: int = 200
    paper: str | None = None

    def __repr__(self) -> str:
        """Name what differs from the defaults, so that signatures that show a setting fit a screen."""
        own = [
            f"{name}={value!r}"
            for name, value in vars(self).items()
            if value != getattr(DEFAULT, name)
        ]
        return f"Setting({', '.join(own)})"


DEFAULT = Setting()


def setting(options: FigureOptions | None = None, /, **words: Any) -> Setting:
    """Return the settings of a figure from words as used on the command line.

    Parameters
    ----------
    options
        Options of figures, such as those of a command; None if `words` are all that is asked for.
    words
        Values that replace those of `options`, named as by `tabletop.draw`: theme="dark", width="120mm",
        audience="judge".

    Raises
    ------
    UsageError
        If a value is unknown, or two of `size`, `width` and `sheet` are given.
    """
    asked = options or FigureOptions()
    if words:
        asked = replace(asked, **words)
    if sum(one is not None for one in (asked.size, asked.width, asked.sheet)) > 1:
        raise UsageError(
            "--size, --width and --sheet exclude each other: each gives the size of the page"
        )
    return Setting(
        theme=SCREEN if asked.theme is None else THEMES[_one_of("--theme", asked.theme, THEMES)],
        size=_page(asked),
        ratio=None if asked.scale is None else ratio_of(asked.scale),
        language=ENGLISH if asked.language is None else read_language(str(asked.language)),
        audience=DEFAULT.audience if asked.audience is None else _audience(asked.audience),
        panel=asked.panel,
        is_bare=asked.bare,
        is_text=asked.text is None or _one_of("--text", asked.text, TEXTS) == "text",
        dpi=DEFAULT.dpi if asked.dpi is None else _dots(asked.dpi),
        paper=None if asked.sheet is None else _one_of("--sheet", asked.sheet, PAPERS),
    )


def _page(asked: FigureOptions) -> Size:
    if asked.size is not None:
        return size_of(asked.size)
    return DEFAULT.size if asked.width is None else width_of(asked.width)


def _audience(word: str) -> Audience:
    _one_of("--for", word, AUDIENCES)
    return "judge" if word == "judge" else "reader"


def refuse_other_views(view: object) -> None:
    """Raise UsageError unless a view is one of those that figures have."""
    _one_of("view", view, get_args(View))


def _one_of(option: str, word: Any, words: Collection[str]) -> str:
    if str(word) not in words:
        message = "{option} {word}: expected {known}{hint}"
        raise UsageError(
            message,
            option=option,
            word=shown(word),
            known=quoted(words),
            hint=nearest(str(word), words),
        )
    return str(word)


def _dots(dpi: object) -> int:
    if not (isinstance(dpi, int) and LEAST_DPI <= dpi <= MOST_DPI):
        raise UsageError(
            "--dpi {dpi}: expected dots an inch from {least} to {most}",
            dpi=shown(dpi),
            least=LEAST_DPI,
            most=MOST_DPI,
        )
    return dpi


def size_of(word: str) -> Size:
    """Return a page size from its name, or from width and height with a unit.

    Raises
    ------
    UsageError
        If it is neither.

    Examples
    --------
    >>> size_of("127x63.5mm")
    Size(width=5.0, height=2.5, zoom=1.0, may_grow=False)
    """
    if str(word) in SIZES:
        return SIZES[word]
    found = re.fullmatch(rf"({NUMBER})x({NUMBER})(mm|in|)", str(word), flags=re.ASCII)
    if found is None:
        expected = say(
            "{sizes}, or width x height as in 180x160mm or 8x6in (inches without a unit)",
            sizes=quoted(SIZES),
        )
        raise UsageError(
            "--size {word}: expected {expected}{hint}",
            word=shown(word),
            expected=expected,
            hint=nearest(str(word), SIZES),
        )
    width, height = (float(part) / PER_INCH[found[3] or "in"] for part in found.groups()[:2])
    if not (LEAST_SIDE <= width <= MOST_SIDE and LEAST_SIDE <= height <= MOST_SIDE):
        raise UsageError(
            "--size {word}: sides must be from {least:g} to {most:g} inches",
            word=word,
            least=LEAST_SIDE,
            most=MOST_SIDE,
        )
    return Size(width, height)


def width_of(word: str) -> Size:
    """Return the size of a page as high as needed, from its width with a unit.

    Raises
    ------
    UsageError
        If it is no width with a unit, or less than 2 or more than 200 inches.

    Examples
    --------
    >>> width_of("127mm")
    Size(width=5.0, height=None, zoom=1.0, may_grow=False)
    """
    found = re.fullmatch(rf"({NUMBER}) ?({'|'.join(PER_INCH)})", str(word), flags=re.ASCII)
    width = float(found[1]) / PER_INCH[found[2]] if found else math.nan
    if not LEAST_SIDE <= width <= MOST_SIDE:
        message = (
            "--width {word}: expected a width with its unit, as in 120mm, 12cm or 7in, from {least:g} "
            "to {most:g} inches"
        )
        raise UsageError(message, word=shown(word), least=LEAST_SIDE, most=MOST_SIDE)
    return Size(width)


def ratio_of(word: str) -> float:
    """Return the N of a scale written as 1:N.

    Raises
    ------
    UsageError
        If it is not written as 1:N, or N is not from 0.1 to 1000.

    Examples
    --------
    >>> ratio_of("1:1"), ratio_of("1:2.5")
    (1.0, 2.5)
    """
    found = re.fullmatch(rf"1\s*:\s*({NUMBER})", str(word), flags=re.ASCII)
    ratio = float(found[1]) if found else math.nan
    if not 1 / 10 <= ratio <= MOST_RATIO:
        message = (
            "--scale {word}: expected 1:N, as in 1:1 for true size, with N from 0.1 to {most:g}"
        )
        raise UsageError(message, word=shown(word), most=MOST_RATIO)
    return ratio


@dataclass(frozen=True)
class Sheet:
    """Size of a page in inches before it is enlarged by `zoom`; as high as needed if `height` is None."""

    width: float
    height: float | None = None
    zoom: float = 1.0

    @property
    def space(self) -> float:
        """Width between the margins, in inches."""
        return self.width - 2 * MARGIN

    @property
    def right(self) -> float:
        """Position of the right margin, in inches from the left edge."""
        return self.width - MARGIN


def sheets(size: Size) -> Iterator[Sheet]:
    """Yield the sheets of a size that differ in zoom, the most enlarged first."""
    for number in range(round((size.zoom - 1.0) / STEP), -1, -1):
        zoom = 1.0 + number * STEP
        yield Sheet(size.width / zoom, None if size.height is None else size.height / zoom, zoom)


def speaks(draws: Callable[Asked, Drawn]) -> Callable[Asked, Drawn]:
    """Return a function that draws a case, its first argument, so that it runs in the language of its `setting`.

    Words of the game are those of the case's system.
    """

    @wraps(draws)
    def drawn(*args: Asked.args, **options: Asked.kwargs) -> Drawn:
        case: Any = args[0]
        setting: Any = options.get("setting", DEFAULT)
        with speaking(setting.language.of(case.system.vocabulary.looks)):
            return draws(*args, **options)

    return drawn
