"""The typeface inside a document: the letters that it needs, of each weight a font that holds just these.

`python -m plots.render.embedded` writes the fonts that most documents have, with the usual letters, beside those that they are cut from.
"""

import base64
import io
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import unescape
from pathlib import Path
from string import ascii_letters, digits, punctuation

from plots.marks.typeface import FAMILIES, OURS, SPARE, font_file, lacking

FALLBACKS = ", ".join((*(f'"{family}"' for family in FAMILIES.values()), '"Noto Sans"', '"Segoe UI"', "sans-serif"))
"""The fonts of all words, in the order in which a viewer tries them: the letters of the first two are embedded, the next are like them."""
SIGNS = "\N{MINUS SIGN}\N{PLUS-MINUS SIGN}\N{MULTIPLICATION SIGN}\N{DEGREE SIGN}\N{HORIZONTAL ELLIPSIS}\N{NO-BREAK SPACE}"
USUAL = f"{ascii_letters}äöüÄÖÜß{digits} {punctuation}{SIGNS}"
"""Letters that are always there, so that words can be changed: those of the figures of all bundled scenarios."""
UNUSED = ["FFTM", "GDEF", "GPOS", "GSUB", "MATH", "gasp"]
"""Tables of the font that a line of words does without."""


def letters_of(svg: str) -> tuple[str, str]:
    """Give the letters of the text of a document, plain and bold, with all that are in English, so that words may be changed."""
    plain, bold = set(USUAL), set(USUAL)
    for tag, inside in re.findall(r"(<g [^>]*>|<text[^>]*>)([^<]*)", svg):
        (bold if 'font-weight="bold"' in tag else plain).update(unescape(inside))
    for _, inside in re.findall(r'(<g [^>]*font-weight="bold"[^>]*>)((?:\s*<text[^>]*>[^<]*</text>)+)', svg):
        bold.update(unescape(re.sub(r"<[^>]*>", "", inside)))
    return "".join(sorted(plain)), "".join(sorted(bold))


def style_of_page(html: str) -> str:
    """Give the style of a page of HTML in which SVG may stand: all its words are in the typeface of figures, which holds their letters."""
    letters = "".join(sorted({*USUAL, *filter(str.isprintable, unescape(html))}))
    return f"\nbody {{ font-family: {FALLBACKS}; }}{style_of((letters, letters))}"


def style_of(letters: tuple[str, str]) -> str:
    """Give the style of all text: the font with those letters, plain and bold, what it lacks, and the one rule that names them."""
    faces = [face for place, words in enumerate(letters) if words.strip() for face in _faces(words, is_bold=place == 1)]
    return "\n".join(["", *faces, f"text {{ font-family: {FALLBACKS}; }}", ""])


def _faces(letters: str, *, is_bold: bool) -> Iterator[str]:
    """Give the fonts of letters in one weight: our own, and another for the letters that it lacks if that has them."""
    weight, left = "bold" if is_bold else "normal", lacking(letters, bold=is_bold)
    is_spare = lacking(left, bold=is_bold, name=SPARE) != left
    own = "".join(sorted(set(letters) - set(left)))
    for name, words in ((OURS, own), *([(SPARE, left)] if is_spare else [])):
        source = f"url(data:font/woff;base64,{_coded(words, is_bold, name)})"
        yield f'@font-face {{ font-family: "{FAMILIES[name]}"; font-weight: {weight}; src: {source} format("woff"); }}'


@lru_cache(maxsize=64)
def _coded(letters: str, is_bold: bool, name: str) -> str:  # noqa: FBT001 - a key of the cache
    """Give a font with letters in base 64; those that it lacks are left to the viewer."""
    is_usual = name == OURS and set(letters) == set(USUAL)
    return base64.b64encode(usual_file(is_bold=is_bold).read_bytes() if is_usual else subset(letters, is_bold=is_bold, name=name)).decode()


def usual_file(*, is_bold: bool) -> Path:
    """Return the file of the font with the usual letters: what cuts fonts takes as long to load as a figure to lay out."""
    return Path(font_file(bold=is_bold)).with_suffix(".woff")


def subset(letters: Iterable[str], *, is_bold: bool, name: str = OURS) -> bytes:
    """Give the letters of a font as a font of their own, a file in WOFF."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    options = Options(layout_features=[], hinting=False, name_IDs=[1, 2, 14], glyph_names=False)
    options.drop_tables += UNUSED
    subsetter, buffer = Subsetter(options), io.BytesIO()
    subsetter.populate(text="".join(letters))
    with TTFont(font_file(bold=is_bold, name=name), recalcTimestamp=False, lazy=True) as drawn:
        subsetter.subset(drawn)
        drawn.flavor = "woff"
        drawn.save(buffer)
    return buffer.getvalue()


if __name__ == "__main__":
    for weight in (False, True):
        usual_file(is_bold=weight).write_bytes(subset(sorted(USUAL), is_bold=weight))
