"""Figures saved by the page are those of the command; maps lie over the table, and can be stopped."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.page.browser.hands import laid, settled
from tests.page.browser.steps import expect, saved


@pytest.mark.parametrize(
    ("ending", "chosen", "words"),
    [
        ("svg", {}, ()),
        ("pdf", {"theme": "print", "shows": "steps"}, ("--theme", "print", "--steps")),
        (
            "png",
            {"audience": "judge", "language": "german", "panel": "after"},
            ("--for", "judge", "--language", "german", "--panel", "after"),
        ),
        (
            "webp",
            {"theme": "dark", "size": "single-column", "shows": "board"},
            ("--theme", "dark", "--size", "single-column", "--board"),
        ),
        ("gif", {}, ()),
        ("svg", {"text": "outlines", "scale": "1:20"}, ("--text", "outlines", "--scale", "1:20")),
        (
            "pdf",
            {"sheet": "a4", "scale": "1:4", "panel": "after"},
            ("--sheet", "a4", "--scale", "1:4", "--panel", "after"),
        ),
    ],
)
def test_a_figure_has_the_bytes_of_the_command(
    page: Any, tmp_path: Path, ending: str, chosen: dict[str, str], words: tuple[str, ...]
) -> None:
    """Every format, with themes, panels, scales, sheets, languages and for whom it is."""
    laid(page, "conquest/the-least-turn")
    file = saved(page, "#save", tmp_path / "table.toml")
    page.click("#export")
    page.select_option("#draw-format", ending)
    for name, value in chosen.items():
        if name == "scale":
            page.fill("#draw-scale", value)
        else:
            page.select_option(f"#draw-{name}", value)
    figure = saved(page, "#draw-save", tmp_path / f"page.{ending}")
    drawn = tmp_path / f"command.{ending}"
    subprocess.run(
        [sys.executable, "-m", "tabletop", "draw", str(file), "-o", str(drawn), *words], check=True
    )
    assert figure.read_bytes() == drawn.read_bytes()


def test_a_figure_that_cannot_be_has_its_sentence(page: Any) -> None:
    """What the command refuses is told in the dialog, and nothing is saved."""
    page.click("#export")
    page.select_option("#draw-panel", "proposed")
    page.click("#draw-save")
    expect(page.locator("#draw .fault")).to_contain_text("proposed")
    page.select_option("#draw-panel", "")
    page.fill("#draw-scale", "small")
    page.click("#draw-save")
    expect(page.locator("#draw .fault")).to_contain_text("1:N")
    page.fill("#draw-scale", "")
    page.select_option("#draw-format", "png")
    page.fill("#draw-dpi", "many")
    page.click("#draw-save")
    expect(page.locator("#draw .fault")).to_contain_text(re.compile(r"\b20\b.*\b2400\b"))


def test_a_map_lies_over_the_table(page: Any) -> None:
    """Threat of the first charge: areas, what they mean, the answer in words; it says when the table has changed, and
    goes when told.
    """
    page.click("#tab-layers")
    page.click("#map-ask")
    expect(page.locator("#map-told")).to_be_visible(timeout=60_000)
    assert page.locator("#layer-map path, #layer-map polygon").count() > 0
    assert page.locator("#map-legend li").count() > 0
    expect(page.locator("#layer-labels .label:has-text('%')").first).to_be_attached()
    expect(page.locator("#map-answer")).to_contain_text("%")
    expect(page.locator("#map-old")).to_be_hidden()
    page.fill("#map-opacity", "30")
    assert page.evaluate("document.getElementById('layer-map').style.opacity") == "0.3"
    page.evaluate("tabletop.store.change((draft) => { draft.units.A.at = [28, 33]; }, 'moved')")
    expect(page.locator("#map-old")).to_be_visible()
    settled(page)
    page.click("#map-clear")
    assert page.locator("#layer-map > *").count() == 0
    expect(page.locator("#layer-labels .label:has-text('%')")).to_have_count(0)


def test_a_map_is_stopped(page: Any) -> None:
    """A map of many places is given up at once; the table goes on, and another map can be asked."""
    laid(page, "wh40k/ten-against-ten")
    page.click("#tab-layers")
    page.select_option("#map-question", "start")
    page.select_option("#map-step", "0.5")
    page.click("#map-ask")
    expect(page.locator("#map-done")).to_contain_text("places", timeout=60_000)
    page.click("#map-stop")
    expect(page.locator("#map-fault")).to_contain_text("Stopped")
    expect(page.locator("#map-ask")).to_be_visible()
    assert page.locator("#layer-map > *").count() == 0
    page.evaluate("tabletop.store.change((draft) => { draft.title = 'goes on'; }, 'title')")
    settled(page)


def test_a_map_without_a_charge_has_its_sentence(page: Any) -> None:
    """Nothing is asked about a table on which nobody charges."""
    page.evaluate(
        "tabletop.store.change((draft) => { delete draft.charges; delete draft.expect; }, 'no charge')"
    )
    page.click("#tab-layers")
    expect(page.locator("#map-fault")).to_contain_text("charge")
    expect(page.locator("#map-ask")).to_be_disabled()
