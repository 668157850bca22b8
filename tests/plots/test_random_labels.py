"""A thousand labels of all scripts and none: whatever names hold, files are well formed and say it."""

import random
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image

from plots.layout import text
from plots.layout.blocks import TextLine
from plots.layout.frame import Frame
from plots.layout.labels import Ink, place
from plots.layout.page import Page, PlacedPanel
from plots.marks.mark import Label, identifier
from plots.marks.panels import Panel
from plots.marks.section import Rect
from plots.render.artists import paint
from plots.render.figure import draw
from plots.render.files import svg_of
from tabletop.ruling.verdict import Resolution
from tests.plots.scenes import case_of, charge_resolution

SCRIPTS = (
    *(
        "$",
        "$$",
        "$x^2$",
        "\\$",
        "\\frac{1}{2}",
        "{",
        "}",
        "%",
        "#",
        "&amp;",
        "<b>",
        "</svg>",
        "]]>",
        "<!--",
        '"',
        "'",
        "`",
    ),
    *(
        "\x00",
        "\x07",
        "\x1b[31m",
        "\n",
        "\r",
        "\t",
        "\x7f",
        "\x85",
        "\u2028",
        "\ufeff",
        "\u200b",
        "\u202e",
        "\u2066",
        "\ud800",
        "\uffff",
    ),
    *(
        "שלום",
        "مرحبا",
        "ܫܠܡܐ",
        "日本の槍",
        "한국",
        "ไทย",
        "हिन्दी",
        "Ünïcødé",
        "ﬁ",
        "e\u0301\u0323",
        "🐉",
        "👩‍👩‍👧",
        "𝄞",
        "\U0010ffff",
    ),
    *("Royal Guard", "A", "1.5", " ", "  ", "-", ".", "_", "W" * 40),
)
SECTION = Rect(0.0, 0.0, 40.0, 30.0)


def labels(count: int, seed: int = 1) -> list[str]:
    """Make labels of a few pieces each, a few of them very long."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    made = [
        "".join(chance.choice(SCRIPTS) for _ in range(chance.randint(1, 6)))
        for _ in range(count - 4)
    ]
    return [
        *made,
        "",
        "W" * 5000,
        "word " * 1000,
        "".join(chance.choice(SCRIPTS) for _ in range(1500))[:5000],
    ]


def page_of(said: list[str]) -> Page:
    """Set labels as lines of a page, and as many on a panel as there is room for."""
    lines = [line for one in said for line in text.wrapped(one, 6.0, 8.0, most=2)]
    words = tuple(
        TextLine(f"w.{number}", line, (0.1, 0.1 + 0.01 * number))
        for number, line in enumerate(lines)
    )
    frame = Frame(SECTION, 0.16, 0.2, 0.2)
    marks = tuple(
        Label(identifier("p", f"{number}", one), "text", one, ((number % 37, number % 29),))
        for number, one in enumerate(said[:15])
    )
    placed = place([mark for mark in marks if text.clean(mark.text)], frame, Ink((), frame))
    return Page(
        7.0, 20.0, (PlacedPanel(Panel("p", "", "", marks, SECTION), frame, placed),), words, ()
    )


@pytest.mark.parametrize("part", range(10))
def test_a_thousand_labels_give_well_formed_files(part: int) -> None:
    """A hundred at a time: the SVG is XML with an id for each, and no letter breaks out of its element."""
    said = labels(1000)[part::10]
    page = page_of(said)
    title = text.clean(" ".join(said))[:3000]
    root = ET.fromstring(svg_of(paint(page), title=title, description=title))  # noqa: S314 - written by the test
    assert root.findtext("{http://www.w3.org/2000/svg}title") == title
    found = {element.get("id") for element in root.iter()}
    assert {words.id.replace(".", "-") for words in page.words} <= found


def named(name: str) -> Resolution:
    """Name the charger of a charge."""
    return charge_resolution(names=(name, "B"))


@pytest.mark.parametrize(
    "name", [*labels(8, seed=7)[:4], "$x^2$ & <b>", "W" * 5000, "\x07\ufeff", "\ud800x"]
)
def test_units_may_be_called_anything(name: str, tmp_path: Path) -> None:
    """A whole figure with such a name is well formed, with ids each there once, and so are its PDF and PNG."""
    resolution = named(name)
    case = case_of(resolution.before, resolution.rulings[0].charge, title=name, note=name)
    for ending in ("svg", "pdf", "png"):
        draw(case, resolution, tmp_path / f"a.{ending}")
    root = ET.fromstring((tmp_path / "a.svg").read_bytes())  # noqa: S314 - written by the test
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    with Image.open(tmp_path / "a.png") as image:
        assert image.info["Title"] == text.clean(name) or len(name) > 1000
