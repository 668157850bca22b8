"""Text on the page: the typeface with what stands in for it, and lines measured, broken and cleaned."""

import string
from itertools import product
from pathlib import Path

import pytest
from matplotlib.font_manager import FontEntry, findfont, fontManager

from plots.layout import text
from plots.layout.text import OURS, SPARE, TITLES, WEIGHTS, font, font_file, lacking
from plots.marks.theme import Typeface

ROOT = Path(__file__).resolve().parents[3]
EUROPEAN = "".join(
    chr(code)
    for first, last in ((0xC0, 0x17F), (0x391, 0x3A1), (0x3A3, 0x3CE), (0x400, 0x45F))
    for code in range(first, last)
)
SIGNS = (
    "\N{MINUS SIGN}\N{PLUS-MINUS SIGN}\N{MULTIPLICATION SIGN}\N{DEGREE SIGN}\N{EN DASH}"
    "\N{HORIZONTAL ELLIPSIS}\N{NO-BREAK SPACE}"
)


@pytest.mark.parametrize("typeface", ["plain", "bold"])
def test_the_languages_of_europe_are_written_in_our_own_font(typeface: Typeface) -> None:
    """Latin with its accents, Greek and Cyrillic, digits and the signs of lengths and sentences need no other font."""
    assert (
        lacking(
            EUROPEAN + string.ascii_letters + string.digits + string.punctuation + SIGNS,
            typeface=typeface,
        )
        == ""
    )
    assert font(EUROPEAN, typeface=typeface).get_family() == [OURS]


def test_what_it_lacks_is_set_in_the_font_that_comes_with_matplotlib() -> None:
    """An arrow is in the second font; no installed one is asked for it."""
    assert lacking("5 \N{UPWARDS ARROW}") == "\N{UPWARDS ARROW}"
    assert font("5 \N{UPWARDS ARROW}").get_family() == [OURS, SPARE]


@pytest.mark.parametrize(
    ("typeface", "name"), [*product(("plain", "bold"), (OURS, SPARE)), ("title", TITLES)]
)
def test_a_font_of_the_machine_is_never_taken_for_ours(
    typeface: Typeface, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With another Open Sans installed the file is still that of the package."""
    other = FontEntry("/other.ttf", name=text.FAMILIES[name], weight=WEIGHTS[typeface])
    monkeypatch.setattr(fontManager, "ttflist", [other, *fontManager.ttflist])
    properties = font("A", typeface=typeface)
    properties.set_family([name])
    assert Path(findfont(properties)).resolve() == Path(font_file(typeface, name)).resolve()


def test_digits_are_as_wide_as_each_other() -> None:
    """Numbers stand below each other."""
    faces: tuple[Typeface, ...] = ("plain", "bold", "title")
    for typeface in faces:
        assert (
            len({text.drawn_width(digit, 10.0, typeface=typeface) for digit in string.digits}) == 1
        )


def test_its_licence_is_beside_it() -> None:
    """Whoever has the font has the licence."""
    folder = Path(font_file()).parent
    assert folder == ROOT / "plots" / "fonts"
    assert "Apache License" in (folder / "LICENSE.txt").read_text("utf-8")
    assert "GUST" in (folder / "LICENSE_PAGELLA.txt").read_text("utf-8")
    assert sum(file.stat().st_size for file in folder.iterdir()) < 1_000_000


def test_width_grows_with_size_and_letters() -> None:
    """Twice the size is twice as wide; more letters are wider; nothing is nothing."""
    assert text.width("Charge", 16.0) == pytest.approx(2 * text.width("Charge", 8.0))
    assert text.width("Charges", 8.0) > text.width("Charge", 8.0) > text.width("", 8.0) == 0.0


@pytest.mark.parametrize(
    "words",
    ["a b c", "Royal Guard of the Ancient Forest", "W" * 200, "ab " * 80, "Ünïcödé $x^2$ <b>"],
)
@pytest.mark.parametrize("limit", [0.4, 1.35, 6.8])
def test_no_line_is_wider_than_asked(words: str, limit: float) -> None:
    """Lines fit, words too long are broken, and no letter is lost."""
    lines = text.wrapped(words, limit, 8.0)
    assert max(text.width(line, 8.0) for line in lines) <= limit + 1e-9
    assert "".join(lines).replace(" ", "") == words.replace(" ", "")


@pytest.mark.parametrize("limit", [1.0, 1.2, 1.45, 1.8, 2.2])
def test_no_short_word_stands_alone_at_the_end(limit: float) -> None:
    """The last line of a sentence is long, or has company; all lines fit and no word is lost."""
    for words in (
        "A goes 6.84 in straight ahead until it touches B.",
        "A Charge Distance of 9 in reaches B at 8.25 in.",
        "It is to hit.",
    ):
        lines = text.wrapped(words, limit, 8.0)
        assert " " in lines[-1] or text.width(lines[-1], 8.0) > 0.3 * limit
        assert max(text.width(line, 8.0) for line in lines) <= limit + 1e-9
        assert " ".join(lines) == words


def test_too_many_lines_end_in_an_ellipsis() -> None:
    """What does not fit into the lines allowed is said to be missing."""
    lines = text.wrapped("one two three four five six seven", 0.5, 8.0, most=2)
    assert len(lines) == 2
    assert lines[-1].endswith("…")


@pytest.mark.parametrize(
    ("given", "cleaned"),
    [
        ("a\nb\t c", "a b c"),
        ("\x00x\x1b[31m", "x [31m"),
        ("3\N{NO-BREAK SPACE}in", "3\N{NO-BREAK SPACE}in"),
        ("", ""),
    ],
)
def test_clean_text_is_one_printable_line(given: str, cleaned: str) -> None:
    """Line ends and control characters, which XML forbids, become spaces."""
    assert text.clean(given) == cleaned


def test_nothing_has_no_lines() -> None:
    """An empty text takes no line and no height."""
    assert text.wrapped("", 2.0, 8.0) == ()
    assert text.height(0, 8.0) == 0.0
