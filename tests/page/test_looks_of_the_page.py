"""What the page writes down of how marks look a second time, in JavaScript: the same numbers as those of figures."""

import json
import math
import re
from typing import Any

import httpx
import pytest

from plots.layout.text import POINT_SIZE
from plots.render import paths
from plots.render.paths import DOTS, GROWN, LARGER, PATTERN_ANGLES, SPACING, STRAY
from tabletop.page.app import PAINTER_SCRIPT, STATIC, STATIC_FILES

INCH = 96
"""Pixels of the screen in an inch of a page, by which browsers measure."""


def constant(name: str) -> Any:
    """Return the value of a constant of `painter.js`; lengths in pixels are given in inches."""
    found = re.search(
        rf"^const {re.escape(name)} = (.*?)( \* INCH)?;", PAINTER_SCRIPT.read_text(), re.MULTILINE
    )
    assert found is not None, name
    return json.loads(re.sub(r'([{,]\s*)"?([\w.]+)"?:', r'\1"\2":', found[1]))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HEAD", paths.HEAD),
        ("HEAD_HALF", paths.HEAD_HALF),
        ("TRIANGLE", paths.TRIANGLE),
        ("TRIANGLE_HALF", paths.TRIANGLE_HALF),
        ("LEAST_HALF", paths.LEAST_HALF),
        ("TIP", paths.TIP),
        ("BAR", paths.BAR),
        ("RADII", paths.SYMBOL_RADII),
        ("CORNERS", paths.CORNERS),
        ("INCH", INCH),
    ],
)
def test_sizes_of_heads_and_symbols(name: str, value: Any) -> None:
    """Arrows, facing marks, dimension lines and symbols are as large on the screen as on paper."""
    assert constant(name) == value


def test_patterns() -> None:
    """Stripes and dots are as far apart, as thick and as slanted."""
    assert constant("SPACING") == SPACING
    assert constant("DOTS") == DOTS
    assert constant("GROWN") == list(GROWN)
    assert constant("WHIMS") == [STRAY, LARGER]
    turns = {
        pattern: [round(math.degrees(angle)) for angle in angles]
        for pattern, angles in PATTERN_ANGLES.items()
    }
    assert constant("TURNS") == turns


@pytest.mark.xdist_group("page")
def test_modules_are_loaded_at_once(server: httpx.Client) -> None:
    """The page names every module that it loads: a browser that finds them one by the other waits for each in turn."""
    page = server.get("/").text
    assert sorted(re.findall(r'(?:href|src)="/static/([\w-]+\.js)"', page)) == sorted(
        name for name in STATIC_FILES if name.endswith(".js")
    )


def test_style_sheets_are_whole() -> None:
    """Every rule of a style sheet has a selector that a browser can read, and its braces."""
    for path in STATIC.glob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        assert text.count("{") == text.count("}")
        assert not re.search(r"[<=>]{2,}|^\s*[<>=]", text, re.MULTILINE)


def test_a_point_is_a_point() -> None:
    """Widths of lines and sizes of letters are points of an inch that has 96 pixels."""
    assert "const POINT = 96 / 72;" in PAINTER_SCRIPT.read_text()
    assert pytest.approx(96 / 72) == POINT_SIZE * INCH
