"""The typeface inside a document: fonts that are kept ready hold what is cut anew, and what they lack is cut."""

import base64
import io
import re
from typing import Any

import pytest
from fontTools.ttLib import TTFont

from plots.layout.text import OURS, SPARE, TITLES
from plots.marks.theme import Typeface
from plots.render.svg import DEFAULT_LETTERS, SIGNS, style_of, style_of_page, subset, usual_file


def faces(style: str) -> list[bytes]:
    """Return the fonts in a style."""
    return [base64.b64decode(data) for data in re.findall(r"base64,([^)]+)\)", style)]


def drawn(data: bytes) -> tuple[Any, ...]:
    """Return what a font draws: the glyph of each letter, how wide each is, and their outlines."""
    with TTFont(io.BytesIO(data)) as font:
        glyphs = font["glyf"]
        outlines = {
            name: [list(part) for part in glyphs[name].getCoordinates(glyphs)]
            for name in font.getGlyphOrder()
        }
        return font.getBestCmap(), font["hmtx"].metrics, outlines, font["head"].unitsPerEm


@pytest.mark.parametrize(("typeface", "name"), [("plain", OURS), ("bold", OURS), ("title", TITLES)])
def test_the_fonts_kept_ready_are_those_of_the_usual_letters(typeface: Typeface, name: str) -> None:
    """`python -m plots.render.svg` would write the same: each letter, its width and its outline."""
    kept = usual_file(typeface, name).read_bytes()
    assert drawn(kept) == drawn(subset(sorted(DEFAULT_LETTERS), typeface, name))
    assert set(drawn(kept)[0]) == {ord(letter) for letter in DEFAULT_LETTERS}


@pytest.mark.parametrize("typeface", ["plain", "bold"])
def test_the_prepared_signs_are_those_of_the_fallback_font(typeface: Typeface) -> None:
    """The tick and the cross are embedded from a prepared file, in the weight that has one of them; with another letter
    the font is cut.
    """
    kept = usual_file(typeface, SPARE).read_bytes()
    assert set(drawn(kept)[0]) == {ord(letter) for letter in SIGNS}
    letters = f"{DEFAULT_LETTERS}{SIGNS[0]}"
    assert faces(style_of({typeface: letters})) == [usual_file(typeface).read_bytes(), kept]
    anew = faces(style_of({typeface: f"{letters}\N{UPWARDS ARROW}"}))[1]
    assert {ord(SIGNS[0]), ord("\N{UPWARDS ARROW}")} == set(drawn(anew)[0])


def test_usual_words_take_the_fonts_kept_ready() -> None:
    """Line breaks are no letters; with a letter more in one weight the font of that weight is cut anew and holds it."""
    kept = [usual_file("plain").read_bytes(), usual_file("bold").read_bytes()]
    assert faces(style_of({"plain": f"{DEFAULT_LETTERS}\n", "bold": DEFAULT_LETTERS})) == kept
    plain, bold = faces(style_of({"plain": f"{DEFAULT_LETTERS}é", "bold": DEFAULT_LETTERS}))
    assert bold == kept[1]
    assert ord("é") in drawn(plain)[0]
    assert faces(style_of_page("<p>Über\t3 in</p>\n")) == kept
