"""Settings: words of the command line become values, and pages keep to them."""

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from PIL import Image

from plots.layout import text
from plots.layout.page import Page, lay_out
from plots.layout.setting import DOUBLE, SINGLE, SIZES, SLIDE, ratio_of, setting, size_of
from plots.marks.mark import Rings
from plots.marks.panels import View
from plots.marks.theme import SCREEN, THEMES
from plots.render.figure import draw, picture
from plots.render.odds import odds_page
from tabletop.errors import UsageError
from tabletop.ruling.verdict import Resolution
from tests.plots import hexed, loose
from tests.plots.layout.test_page import box
from tests.plots.marks.test_language import odds_of
from tests.plots.scenes import case_of, charge_resolution, failed_resolution

POINTS = 72.0
MM = 25.4
WIDE = {
    "single-column": 3.5,
    "double-column": 7.0,
    "slide": 40 / 3,
    "180x240mm": 180 / MM,
    "9x8in": 9.0,
}


def page_of(resolution: Resolution, view: View = "charge", **words: Any) -> Page:
    """Lay out a page of a resolution in a setting."""
    case = case_of(
        resolution.before,
        resolution.rulings[0].charge,
        note="A note that says what is to be seen here. " * 3,
    )
    return lay_out(picture(case, resolution, view=view, setting=setting(**words)))


def corners(data: str) -> list[tuple[float, float]]:
    """Return the corners of the path of an SVG, as somebody else reads it."""
    pen = RecordingPen()
    parse_path(data, pen)
    return [places[0] for word, places in pen.value if word in ("moveTo", "lineTo")]


def drawn(path: Path, resolution: Resolution, **words: Any) -> Path:
    """Draw a resolution in a setting."""
    draw(
        case_of(resolution.before, resolution.rulings[0].charge),
        resolution,
        path,
        setting=setting(**words),
    )
    return path


@pytest.mark.parametrize(
    ("word", "size"), [("single-column", SINGLE), ("double-column", DOUBLE), ("slide", SLIDE)]
)
def test_sizes_have_names(word: str, size: object) -> None:
    """The named sizes are a column, two columns and a slide."""
    assert size_of(word) == size


@pytest.mark.parametrize("word", ["6x4", "6x4in", "152.4x101.6mm"])
def test_a_size_is_inches_unless_it_says_millimetres(word: str) -> None:
    """Width and height have one unit, at their end."""
    assert (size_of(word).width, size_of(word).height) == pytest.approx((6.0, 4.0))


@pytest.mark.parametrize(
    ("word", "width"), [("127mm", 5.0), ("12.7cm", 5.0), ("5in", 5.0), ("127 mm", 5.0)]
)
def test_a_width_leaves_the_height_free(word: str, width: float) -> None:
    """The page is as wide as asked, as high as needed, and does not grow."""
    size = setting(width=word).size
    assert size.width == pytest.approx(width)
    assert size.height is None
    assert not size.may_grow


@pytest.mark.parametrize(
    "words",
    [
        *(
            {"width": word}
            for word in (
                "",
                "120",
                "mm",
                "120x90mm",
                "1in",
                "6000mm",
                "-3in",
                "7ft",
                "slide",
                "1e2mm",
            )
        ),
        *(
            {"size": word}
            for word in (
                "",
                "6",
                "x4",
                "6x",
                "6cm",
                "6x4cm",
                "-6x4",
                "1x1",
                "6x1e3",
                "300x4",
                "nanx4",
                "Slide!",
                "6 x 4",
            )
        ),
        *(
            {"scale": word}
            for word in (
                "",
                "1",
                "1:0",
                "2:1",
                "1:-2",
                "1:nan",
                "1:5000",
                "1:0.01",
                "true",
                "1:\N{ARABIC-INDIC DIGIT ONE}",
            )
        ),
        *({"theme": word} for word in ("", "Screen", "darkest")),
        *({"language": word} for word in ("", "latin", "nowhere.toml")),
    ],
    ids=str,
)
def test_words_that_mean_nothing_are_refused(words: dict[str, Any]) -> None:
    """Each wrong word is one error that names the option."""
    with pytest.raises(UsageError, match=f"--{next(iter(words))} "):
        setting(**words)


def test_near_misses_are_named() -> None:
    """A word with a slip in it gets the right one suggested."""
    with pytest.raises(UsageError, match="did you mean 'dark'"):
        setting(theme="dakr")
    with pytest.raises(UsageError, match="did you mean 'single-column'"):
        setting(size="single-colum")


def test_nothing_said_is_the_setting_of_always() -> None:
    """Without words a figure is two columns wide, of the theme for screens, in English, at a scale that fits."""
    assert (setting().theme, setting().size.width, setting().ratio, setting().language.code) == (
        SCREEN,
        7.0,
        None,
        "en",
    )


@pytest.mark.parametrize("word", WIDE)
@pytest.mark.parametrize("view", ["charge", "steps", "board"])
@pytest.mark.parametrize(
    "resolution", [charge_resolution(), loose.charge_resolution(), hexed.charge_resolution()]
)
def test_pages_keep_to_their_size(resolution: Resolution, view: View, word: str) -> None:
    """In every size the page is as wide and high as asked, no text leaves it or covers another, and none is under 7
    points.
    """
    page = page_of(resolution, view, size=word)
    size = size_of(word)
    zoom = page.theme.zoom
    assert page.width * zoom == pytest.approx(WIDE[word])
    assert size.height is None or page.height * zoom == pytest.approx(size.height)
    boxes = [box(words) for words in page.words]
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]
    assert min(one.west for one in boxes) >= 0.0
    assert max(one.east for one in boxes) <= page.width
    assert max(one.north for one in boxes) <= page.height + 1e-9
    assert min(words.size for words in page.words) * zoom >= 7.0
    assert all(
        shown.frame.x >= 0.0 and shown.frame.x + shown.frame.width <= page.width + 1e-9
        for shown in page.shown
    )


@pytest.mark.parametrize("word", [*SIZES, "5x6in"])
def test_odds_keep_to_their_size(word: str) -> None:
    """Columns, rows and words of a figure of odds lie inside a page of any size, also in a long language."""
    resolution = charge_resolution()
    case = case_of(resolution.before, resolution.rulings[0].charge)
    page = odds_page(case, odds_of(resolution), setting=setting(size=word, language="german"))
    assert page.width * page.theme.zoom == pytest.approx(size_of(word).width)
    rings = [mark.rings[0] for mark in page.marks if isinstance(mark, Rings)]
    assert max(x for ring in rings for x, _ in ring) <= page.width - 0.05
    boxes = [box(words) for words in page.words]
    assert max(one.east for one in boxes) <= page.width
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


def test_a_slide_has_larger_letters() -> None:
    """On a slide letters are larger than in print, and lines heavier."""
    assert page_of(charge_resolution(), size="slide").theme.zoom >= 1.4


@pytest.mark.parametrize("word", ["2x2", "3x2"])
def test_what_does_not_fit_says_what_would(tmp_path: Path, word: str) -> None:
    """A page too small is refused with the size that is needed, which then is enough, and nothing is written."""
    with pytest.raises(UsageError, match=r"^--size: ") as refused:
        drawn(tmp_path / "a.svg", charge_resolution(), size=word)
    assert not list(tmp_path.iterdir())
    *_, (width, height) = re.findall(r"([\d.]+) x ([\d.]+) in\b", str(refused.value))
    assert drawn(tmp_path / "a.svg", charge_resolution(), size=f"{width}x{height}").exists()


@pytest.mark.parametrize("ratio", [1.0, 2.0, 7.5])
def test_pdf_has_the_size_of_the_page(tmp_path: Path, ratio: float) -> None:
    """The MediaBox of a PDF at a given scale is the page to 0.1 mm, and the page as wide as what it shows."""
    page = page_of(charge_resolution(), scale=f"1:{ratio:g}")
    path = drawn(tmp_path / "a.pdf", charge_resolution(), scale=f"1:{ratio:g}")
    found = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", path.read_bytes())
    assert found is not None
    wide = float(found[1]) / POINTS * MM
    assert wide == pytest.approx(page.width * MM, abs=0.1)
    assert page.scale == pytest.approx(1 / ratio)
    assert page.width >= page.shown[0].frame.section.width / ratio


def test_true_size_is_true(tmp_path: Path) -> None:
    """At 1:1 the front of a unit in the file is as long as on the table, and the bar on the paper as it says, both to
    0.1 mm.
    """
    resolution = charge_resolution()
    svg = drawn(tmp_path / "a.svg", resolution, scale="1:1", theme="print").read_text()
    unit = resolution.before.units["A"]
    ring = re.search(r'<g id="unit-A-tray"[^>]*>\s*<path d="([^"]*)"', svg)
    assert ring is not None
    (ax, ay), (bx, by), *_ = corners(ring[1])
    sides = {round(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 / POINTS * MM, 1)}
    assert sides <= {round(unit.width * MM, 1), round(unit.depth * MM, 1)}
    bars = re.findall(r'<g id="paper-bar-\d+"[^>]*>\s*<path d="([^"]*)"', svg)
    xs = [x for bar in bars for x, _ in corners(bar)]
    assert (max(xs) - min(xs)) / POINTS * MM == pytest.approx(100.0, abs=0.1)


def test_a_scale_and_a_size_that_disagree_are_refused(tmp_path: Path) -> None:
    """At 1:1 a charge does not fit into a column."""
    for size in ("single-column", "6x4", "slide"):
        with pytest.raises(UsageError, match="--size"):
            drawn(tmp_path / "a.svg", charge_resolution(), scale="1:1", size=size)


def test_a_picture_of_too_many_pixels_is_refused(tmp_path: Path) -> None:
    """A PNG of a table at ten times its size would fill the memory."""
    with pytest.raises(UsageError, match="pixels"):
        drawn(tmp_path / "a.png", charge_resolution(), scale="1:0.3")


def test_a_page_larger_than_any_paper_is_refused(tmp_path: Path) -> None:
    """Ten times the size of the table is more than a PDF can have."""
    with pytest.raises(UsageError, match=r"--scale: .*\b200 in\b"):
        drawn(tmp_path / "a.pdf", charge_resolution(), scale="1:0.1")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("theme", THEMES)
def test_the_page_has_the_colour_of_its_theme(tmp_path: Path, theme: str) -> None:
    """The first pixel of a PNG, and the background of an SVG, are the theme's page."""
    page = THEMES[theme].page
    with Image.open(drawn(tmp_path / "a.png", failed_resolution(), theme=theme)) as image:
        assert image.crop((0, 0, 1, 1)).tobytes().hex() == page.removeprefix("#")
    short = page.replace("#ffffff", "#fff")
    assert (
        f'fill="{short}"' in drawn(tmp_path / "a.svg", failed_resolution(), theme=theme).read_text()
    )


def test_figures_of_one_process_do_not_disturb_each_other(tmp_path: Path) -> None:
    """A figure drawn after one of another theme and size has the bytes that it has alone."""
    alone = drawn(tmp_path / "a.svg", charge_resolution()).read_bytes()
    drawn(tmp_path / "b.svg", charge_resolution(), theme="dark", size="slide", language="german")
    assert drawn(tmp_path / "c.svg", charge_resolution()).read_bytes() == alone


def test_ratios_are_read() -> None:
    """A scale may have blanks and decimals."""
    assert [ratio_of(word) for word in ("1:1", "1 : 2.5", "1:0.5")] == [1.0, 2.5, 0.5]


def test_every_size_is_wide_enough_for_words() -> None:
    """The longest word of a title is broken rather than cut in the narrowest size."""
    lines = text.wrapped(
        "W" * 120, min(size.width for size in SIZES.values()) - 0.2, 11.5, typeface="bold", most=9
    )
    assert "".join(lines) == "W" * 120
