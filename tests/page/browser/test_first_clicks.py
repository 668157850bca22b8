"""What a first visitor clicks, looked at in pixels or done by keys alone: each of these once went wrong."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.page.browser.conftest import NewPage
from tests.page.browser.hands import GAMES, drag, laid, middle, on_screen, scenario, settled
from tests.page.browser.steps import expect
from tests.page.browser.test_photo import CORNERS, DEPTH, SQUARE, WIDTH, photographed, placed

DARK = 80
"""Brightness under which a pixel belongs to the dark square of the photo, even where the photo is faded."""


def pixels(page: Any, selector: str = "#board") -> NDArray[np.int64]:
    """Return what is seen of an element, as brightness, rows from the top."""
    return np.asarray(Image.open(io.BytesIO(page.locator(selector).screenshot())).convert("L")).astype(np.int64)


def straightened(page: Any, path: Path) -> None:
    """Lay a photo behind the table."""
    page.click("#tab-layers")
    page.set_input_files("#photo-file", photographed(path))
    placed(page, CORNERS)
    page.click("#photo-straighten")
    settled(page)


@pytest.mark.parametrize("system", GAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_photo_is_seen_behind_the_table(new_page: NewPage, tmp_path: Path, system: str, scheme: str) -> None:
    """The dark square of the photo lies dark on the screen, and its green beside it is green: no ground is painted over them."""
    page = new_page(color_scheme=scheme)
    laid(page, GAMES[system])
    straightened(page, tmp_path / "photo.jpg")
    page.click("#toolbar button:text('Board')")
    settled(page)
    (west, south, east, north), (wide, deep) = SQUARE, page.evaluate("tabletop.store.table.figure.section.slice(2)")
    x, y = on_screen(page, ((west + east) / 2 * wide / WIDTH, (south + north) / 2 * deep / DEPTH))
    seen = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    square = seen.crop((int(x) - 6, int(y) - 6, int(x) + 7, int(y) + 7))
    assert np.median(np.asarray(square)) < DARK
    red, green, blue = np.median(np.asarray(seen.crop((int(x) + 90, int(y) + 90, int(x) + 110, int(y) + 110))), axis=(0, 1))
    assert green > max(red, blue) + 20


def test_a_photo_is_set_straight_only_by_four_corners(page: Any, tmp_path: Path) -> None:
    """Until each of them was clicked, dragged or moved by keys, nothing says where the table is."""
    page.click("#tab-layers")
    page.set_input_files("#photo-file", photographed(tmp_path / "photo.jpg"))
    placed(page, CORNERS[:1])
    done, told = page.locator("#photo-straighten"), page.locator("#corners-told")
    expect(told).to_contain_text("1 of 4")
    expect(done).to_be_disabled()
    box = page.locator(".corner").nth(1).bounding_box()
    drag(page, (box["x"] + 22, box["y"] + 22), (box["x"] + 42, box["y"] + 32))
    page.locator(".corner").nth(2).press("ArrowUp")
    expect(told).to_contain_text("3 of 4")
    expect(done).to_be_disabled()
    placed(page, CORNERS[3:])
    expect(done).to_be_enabled()
    assert page.locator("#layer-photo image").count() == 0


def test_a_photo_that_is_taken_away_takes_its_accuracy(page: Any, tmp_path: Path) -> None:
    """The table has the accuracy it had before; one that was written since stays."""
    page.evaluate("tabletop.store.change((draft) => { draft.accuracy = 0.3; }, 'measured')")
    for _ in range(2):  # a second photo takes the place of the first
        straightened(page, tmp_path / "photo.jpg")
        assert scenario(page)["accuracy"] != 0.3
    page.click("#photo-clear")
    assert scenario(page)["accuracy"] == 0.3
    straightened(page, tmp_path / "photo.jpg")
    page.evaluate("tabletop.store.change((draft) => { draft.accuracy = 0.5; }, 'measured')")
    page.click("#photo-clear")
    assert scenario(page)["accuracy"] == 0.5
    page.evaluate("tabletop.store.change((draft) => { delete draft.accuracy; }, 'exact')")
    straightened(page, tmp_path / "photo.jpg")
    page.click("#photo-clear")
    assert "accuracy" not in scenario(page)


@pytest.mark.parametrize("system", GAMES)
def test_a_drag_takes_hold_of_the_unit_under_a_ghost(page: Any, system: str) -> None:
    """Whatever end position is drawn over a unit, its body is that of the unit; nothing is claimed."""
    laid(page, GAMES[system])
    for name in scenario(page)["units"]:
        before = scenario(page)["units"]
        x, y = middle(page, f"unit {name}")
        page.keyboard.down("Alt")
        drag(page, (x, y), (x + 130, y + 60))
        page.keyboard.up("Alt")
        now = scenario(page)
        assert {one for one in before if now["units"][one] != before[one]} == {name}
        assert "proposal" not in now
        page.keyboard.press("Control+z")
        page.evaluate("tabletop.store.select(null)")
        settled(page)


def test_a_ghost_that_was_chosen_is_dragged_over_a_unit(page: Any) -> None:
    """Take hold of it in the panel, and the next drag moves it, though it lies over its target's hex."""
    laid(page, GAMES["battletech"])
    page.click("#tab-judge")
    page.click("#judging button.main")
    settled(page)
    page.click("#judging button[data-act^=hold]")
    x, y = middle(page, "ghost A")
    before = scenario(page)
    drag(page, (x, y), (x + 130, y + 60))
    assert scenario(page)["proposal"]["units"]["A"]["hex"] != before["proposal"]["units"]["A"]["hex"]
    assert scenario(page)["units"] == before["units"]


def test_a_refused_table_has_no_dice(page: Any) -> None:
    """Those of the table before it are gone with its findings, and no slider writes a roll; the next table has its own."""
    laid(page, GAMES["wh40k"])
    slider = page.locator("#dice input[type=range]")
    expect(slider).to_be_visible()
    before = scenario(page)["charges"]
    slider.focus()
    page.evaluate("tabletop.store.change((draft) => { draft.units.A.at = draft.units.T.at; }, 'overlap')")
    settled(page)
    expect(page.locator("#verdict .outcome")).to_have_attribute("data-outcome", "refused")
    page.keyboard.press("ArrowRight")
    assert page.locator("#dice *").count() == 0
    assert scenario(page)["charges"] == before
    page.keyboard.press("Control+z")
    page.evaluate("tabletop.store.undo()")
    expect(slider).to_be_visible()


def test_measuring_again_is_said_once(page: Any) -> None:
    """A claim that is open says what to measure in the verdict, and nowhere else."""
    units = {"A": {"side": "blue", "base": "32mm round", "at": [[20, 20]]}, "T": {"side": "red", "base": "32mm round", "at": [[24.26, 20]]}}
    claim = {"units": {"A": {"at": [[22.8, 20]]}}}
    tables = {
        "system": "wh40k",
        "board": {"width": 44, "depth": 40},
        "accuracy": 0.25,
        "units": units,
        "charges": [{"charger": "A", "targets": ["T"], "dice": [4, 3]}],
        "proposal": claim,
    }
    page.evaluate("(tables) => tabletop.store.replace(tables, 'measured')", tables)
    settled(page)
    page.click("#tab-judge")
    expect(page.locator("#verdict .outcome").first).to_have_attribute("data-outcome", "undecided")
    assert page.locator("#side").inner_text().count("Measure again") == 1


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_why_lights_what_it_draws_and_nothing_around(new_page: NewPage, motion: str) -> None:
    """The ground beside the lit marks keeps its colour: no more than the marks and the paled ruling change."""
    page = new_page(reduced_motion=motion)
    page.click(".why")
    page.wait_for_timeout(300)
    lit = pixels(page)
    page.wait_for_function("() => !document.querySelector('#table .revealed')")
    changed = np.abs(lit - pixels(page)) > 2
    assert 0.0 < changed.mean() < 0.05
    page.click(".why")
    for finding in page.locator("#findings .finding").all()[:3]:
        finding.click()
        page.wait_for_timeout(300)
        assert page.evaluate(
            "[...document.querySelectorAll('#table .revealed path')].every((one) => getComputedStyle(one).filter === 'none')"
        )
