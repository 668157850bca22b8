"""The typeface of figures, Open Sans in two weights, which comes with the package; what it lacks is set in DejaVu Sans.

Both are made known to matplotlib under names that no font of the machine has: the same files are used everywhere.
"""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import matplotlib as mpl
from matplotlib.font_manager import FontEntry, FontProperties, fontManager, get_font

from plots.marks.theme import TYPEFACE

OURS, SPARE = TYPEFACE
FAMILIES = {OURS: "Open Sans", SPARE: "DejaVu Sans"}
"""What documents call them."""
OTHER_FONTS = (
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans CJK KR", "Source Han Sans", "Hiragino Sans", "PingFang SC", "Yu Gothic"),
    *("Microsoft YaHei", "Malgun Gothic", "WenQuanYi Zen Hei", "Arial Unicode MS", "Noto Sans Symbols2", "Segoe UI Symbol"),
)
"""Fonts that many machines have for letters that both lack."""
_FOLDERS = {OURS: Path(__file__).parents[1] / "fonts", SPARE: Path(mpl.get_data_path()) / "fonts" / "ttf"}
_FILES = {OURS: ("OpenSans-Regular.ttf", "OpenSans-Bold.ttf"), SPARE: ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")}
WEIGHTS = (400, 700)


def font_file(*, bold: bool = False, name: str = OURS) -> str:
    """Return the path of the file of a font that is always there."""
    return str(_FOLDERS[name] / _FILES[name][bold])


fontManager.ttflist.extend(
    FontEntry(
        font_file(bold=bool(place), name=name),
        name=name,
        style="normal",
        variant="normal",
        weight=weight,
        stretch="normal",
        size="scalable",
    )
    for name in (OURS, SPARE)
    for place, weight in enumerate(WEIGHTS)
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
    """Let a letter that no font has be drawn as a box, without a warning for every place it stands at."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from font")
        yield
