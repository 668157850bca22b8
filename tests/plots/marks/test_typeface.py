"""The typeface: which letters it has, what stands in for it, and that no font of the machine does."""

import string
from pathlib import Path

import pytest
from matplotlib.font_manager import FontEntry, findfont, fontManager

from plots.layout import text as layout_text
from plots.layout.text import OURS, SPARE, WEIGHTS, font, font_file, lacking

ROOT = Path(__file__).resolve().parents[3]
EUROPEAN = "".join(
    chr(code) for first, last in ((0xC0, 0x17F), (0x391, 0x3A1), (0x3A3, 0x3CE), (0x400, 0x45F)) for code in range(first, last)
)
SIGNS = "\N{MINUS SIGN}\N{PLUS-MINUS SIGN}\N{MULTIPLICATION SIGN}\N{DEGREE SIGN}\N{EN DASH}\N{HORIZONTAL ELLIPSIS}\N{NO-BREAK SPACE}"


@pytest.mark.parametrize("bold", [False, True])
def test_the_languages_of_europe_are_written_in_our_own_font(bold: bool) -> None:
    """Latin with its accents, Greek and Cyrillic, digits and the signs of lengths and sentences need no other font."""
    assert lacking(EUROPEAN + string.ascii_letters + string.digits + string.punctuation + SIGNS, bold=bold) == ""
    assert font(EUROPEAN, bold=bold).get_family() == [OURS]


def test_what_it_lacks_is_set_in_the_font_that_comes_with_matplotlib() -> None:
    """An arrow is in the second font; no installed one is asked for it."""
    assert lacking("5 \N{UPWARDS ARROW}") == "\N{UPWARDS ARROW}"
    assert font("5 \N{UPWARDS ARROW}").get_family() == [OURS, SPARE]


@pytest.mark.parametrize(("place", "name"), [(place, name) for place in (0, 1) for name in (OURS, SPARE)])
def test_a_font_of_the_machine_is_never_taken_for_ours(place: int, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With another Open Sans installed the file is still that of the package."""
    other = FontEntry("/other.ttf", name=layout_text.FAMILIES[name], weight=WEIGHTS[place])
    monkeypatch.setattr(fontManager, "ttflist", [other, *fontManager.ttflist])
    properties = font("A", bold=bool(place))
    properties.set_family([name])
    assert Path(findfont(properties)).resolve() == Path(font_file(bold=bool(place), name=name)).resolve()


def test_digits_are_as_wide_as_each_other() -> None:
    """Numbers stand below each other."""
    from plots.layout import text

    for bold in (False, True):
        assert len({text.drawn_width(digit, 10.0, bold=bold) for digit in string.digits}) == 1


def test_its_licence_is_beside_it() -> None:
    """Whoever has the font has the licence."""
    folder = Path(font_file()).parent
    assert folder == ROOT / "plots" / "fonts"
    assert "Apache License" in (folder / "LICENSE.txt").read_text("utf-8")
    assert sum(file.stat().st_size for file in folder.iterdir()) < 1_000_000
