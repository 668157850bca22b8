"""What a first visitor clicks, looked at in pixels or done by keys alone: each of these once went wrong."""

import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.page.browser.conftest import NewPage
from tests.page.browser.hands import (
    GAMES,
    drag,
    laid,
    middle,
    on_screen,
    scenario,
    settled,
    verdict,
)
from tests.page.browser.steps import expect
from tests.page.browser.test_journeys import FINGER, tabbed
from tests.page.browser.test_photo import CORNERS, DEPTH, SQUARE, WIDTH, photographed, placed

DARK = 80
"""Brightness under which a pixel belongs to the dark square of the photo, even where the photo is faded."""


def pixels(page: Any, selector: str = "#board") -> NDArray[np.int64]:
    """Return what is seen of an element, as brightness, rows from the top."""
    return np.asarray(
        Image.open(io.BytesIO(page.locator(selector).screenshot())).convert("L")
    ).astype(np.int64)


def straightened(page: Any, path: Path) -> None:
    """Lay a photo behind the table."""
    page.click("#tab-layers")
    page.set_input_files("#photo-file", photographed(path))
    placed(page, CORNERS)
    page.click("#photo-straighten")
    settled(page)


@pytest.mark.parametrize("system", GAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_photo_is_seen_behind_the_table(
    new_page: NewPage, tmp_path: Path, system: str, scheme: str
) -> None:
    """The dark square of the photo lies dark on the screen, and its green beside it is green: no ground is painted over
    them.
    """
    page = new_page(color_scheme=scheme)
    laid(page, GAMES[system])
    straightened(page, tmp_path / "photo.jpg")
    page.click("#toolbar button:text('Board')")
    settled(page)
    west, south, east, north = SQUARE
    wide, deep = page.evaluate("tabletop.store.table.figure.section.slice(2)")
    x, y = on_screen(page, ((west + east) / 2 * wide / WIDTH, (south + north) / 2 * deep / DEPTH))
    seen = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    square = seen.crop((int(x) - 6, int(y) - 6, int(x) + 7, int(y) + 7))
    assert np.median(np.asarray(square)) < DARK
    red, green, blue = np.median(
        np.asarray(seen.crop((int(x) + 90, int(y) + 90, int(x) + 110, int(y) + 110))), axis=(0, 1)
    )
    assert green > max(red, blue) + 20


def test_a_photo_is_set_straight_only_by_four_corners(page: Any, tmp_path: Path) -> None:
    """Until each of them was clicked, dragged or moved by keys, nothing says where the table is."""
    page.click("#tab-layers")
    page.set_input_files("#photo-file", photographed(tmp_path / "photo.jpg"))
    placed(page, CORNERS[:1])
    done = page.locator("#photo-straighten")
    told = page.locator("#corners-told")
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


@pytest.mark.parametrize("look", [{}, FINGER], ids=["mouse", "finger"])
def test_a_press_chooses_the_unit_under_a_ghost(new_page: NewPage, look: dict[str, Any]) -> None:
    """It is chosen and has the focus, so that keys that follow move it and not the ghost."""
    page = new_page(**look)
    laid(page, GAMES["battletech"])
    x, y = middle(page, "unit B")
    page.touchscreen.tap(x, y) if look else page.mouse.click(x, y)
    settled(page)
    assert page.evaluate("tabletop.store.selection") == {"kind": "unit", "name": "B"}
    expect(page.locator('.thing[data-key="unit B"]')).to_be_focused()


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
    assert (
        scenario(page)["proposal"]["units"]["A"]["hex"] != before["proposal"]["units"]["A"]["hex"]
    )
    assert scenario(page)["units"] == before["units"]


def test_a_refused_table_has_no_dice(page: Any) -> None:
    """Those of the table before it are gone with its findings, and no slider writes a roll; the next table has its
    own.
    """
    laid(page, GAMES["wh40k"])
    slider = page.locator("#dice input[type=range]")
    expect(slider).to_be_visible()
    before = scenario(page)["charges"]
    slider.focus()
    page.evaluate(
        "tabletop.store.change((draft) => { draft.units.A.at = draft.units.T.at; }, 'overlap')"
    )
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
    units = {
        "A": {"side": "blue", "base": "32mm round", "at": [[20, 20]]},
        "T": {"side": "red", "base": "32mm round", "at": [[24.26, 20]]},
    }
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
    assert page.locator("#side").inner_text().count("Check whether A and T touch") == 1


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
            "[...document.querySelectorAll('#table .revealed path')].every((one) => "
            "getComputedStyle(one).filter === 'none')"
        )


OWN = {
    "t9a": ("Infantry, 25 mm", "Cavalry"),
    "conquest": ("Infantry", "Brutes"),
    "wh40k": ("Infantry", "Heavy infantry"),
    "battletech": ("Medium 'Mech", "Heavy 'Mech"),
}
"""Units of the tray that charge, and those that are charged."""
HANDLES_OVER_OTHERS = """() => [...document.querySelectorAll("#layer-handles .knob .touch")].flatMap((knob) => {
    const box = knob.getBoundingClientRect();
    const [x, y, reach] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2, box.width / 2];
    return [...document.querySelectorAll(".thing.unit")].filter((thing) => {
        if (thing.getAttribute("aria-pressed") === "true") return false;
        return [...thing.querySelectorAll("[data-mark$='.models'] path, .hit")].some((one) => {
            const body = one.getBoundingClientRect();
            const across = Math.max(body.left + 7 - x, x - body.right + 7, 0);
            return Math.hypot(across, Math.max(body.top + 7 - y, y - body.bottom + 7, 0)) < reach;
        });
    }).map((thing) => thing.dataset.key);
})"""
"""Which other units lie under a handle of the chosen one, by its touched circle; outlines are seven pixels wider than
bodies."""


def new_table(page: Any, system: str, press: Any) -> None:
    """Lay an empty table of a game."""
    press("#new")
    page.select_option("#new-game", system)
    press("#new-lay")
    settled(page)


@pytest.mark.parametrize("system", OWN)
@pytest.mark.parametrize("look", [{}, FINGER], ids=["desk", "phone"])
def test_units_of_the_tray_lie_clear_and_a_charge_apart(
    new_page: NewPage, system: str, look: dict[str, Any]
) -> None:
    """Two friends and an enemy, one press each: no handle lies over another unit, and one charges the other, seen whole
    and large.
    """
    page = new_page(**look)
    new_table(page, system, page.click)
    charger, target = OWN[system]
    page.click(f'[data-offer="{charger}"]')
    page.click(f'[data-offer="{charger}"]')  # at once: the place of the first is not told yet
    settled(page)
    page.check('#tray input[value="red"]')
    page.click(f'[data-offer="{target}"]')
    settled(page)
    page.evaluate("scrollTo(0, 0)")
    for name in ("A", "B", "C"):
        page.evaluate("(name) => tabletop.store.select({ kind: 'unit', name })", name)
        settled(page)
        assert page.evaluate(HANDLES_OVER_OTHERS) == []
    gaps = page.evaluate(
        "tabletop.store.table.gaps.filter((one) => one.between.includes('A') || one.between.includes('B'))"
    )
    away = min(one["gap"] for one in gaps)
    assert (away == 4) if system == "battletech" else 6.9 < away < 7.1
    near = next(one["between"][1] for one in gaps if one["gap"] == away)
    scale = page.evaluate("tabletop.table.scale")
    page.evaluate("(name) => tabletop.store.select({ kind: 'unit', name })", near)
    page.click("#place button:text('Charge')")
    page.evaluate("scrollTo(0, 0)")
    x, y = middle(page, "unit C")
    page.touchscreen.tap(x, y) if look else page.mouse.click(x, y)
    settled(page)
    assert verdict(page) in {"Success", "Failed"}
    assert page.evaluate("tabletop.table.scale") > scale
    box = page.locator('.thing[data-key="unit C"]').bounding_box()
    board = page.locator("#table").bounding_box()
    assert board["x"] <= box["x"]
    assert box["x"] + box["width"] <= board["x"] + board["width"]
    assert board["y"] <= box["y"]
    assert box["width"] > board["width"] / 12


def test_what_is_opened_comes_into_view_on_a_phone(new_page: NewPage) -> None:
    """Add units shows the units, and a charge that is declared its form, from the top of the page."""
    phone = new_page(**{**FINGER, "viewport": {"width": 390, "height": 844}})
    new_table(phone, "t9a", phone.click)
    phone.click("#tab-ruling")
    press = (
        "(words) => { scrollTo(0, 0); [...document.querySelectorAll('button')].find((one) => one.textContent === "
        "words).click(); }"
    )
    phone.evaluate(press, "Add units")
    expect(phone.locator("#tab-add")).to_have_attribute("aria-selected", "true")
    for number in range(6):
        expect(phone.locator(".offer").nth(number)).to_be_in_viewport(ratio=1)
    laid(phone, "t9a/wheel-and-align")
    phone.evaluate("tabletop.store.change((draft) => { delete draft.charges; }, 'none')")
    settled(phone)
    phone.evaluate(press, "Declare a charge")
    expect(phone.locator("#forms summary").first).to_be_in_viewport(ratio=1)


def test_a_charge_is_declared_by_keys_for_the_unit_one_means(page: Any) -> None:
    """Tab to a unit, Enter goes to its Charge, Enter once more to the nearest enemy; another Enter charges it, Escape
    ends the choice.
    """
    laid(page, GAMES["t9a"])
    page.evaluate("tabletop.store.change((draft) => { delete draft.charges; }, 'none')")
    settled(page)
    page.focus("#table")
    tabbed(page, '.thing[data-key="unit C"]')
    page.keyboard.press("Enter")
    expect(page.locator("#place button:text('Charge')")).to_be_focused()
    expect(page.locator("#place strong")).to_have_text("C")
    page.keyboard.press("Enter")
    expect(page.locator('.thing[data-key="unit B"]')).to_be_focused()
    page.keyboard.press("Escape")
    assert "charges" not in scenario(page)
    assert page.evaluate("tabletop.store.selection.name") == "C"
    tabbed(page, '.thing[data-key="unit A"]', back=True)
    for _ in range(3):
        page.keyboard.press("Enter")
    settled(page)
    assert [(charge["charger"], charge["targets"]) for charge in scenario(page)["charges"]] == [
        ("A", ["B"])
    ]


@pytest.mark.parametrize("system", GAMES)
def test_the_charger_clicked_again_ends_the_choice(page: Any, system: str) -> None:
    """Nothing is charged, nothing is warned of, and the next click only chooses."""
    laid(page, GAMES[system])
    before = scenario(page)["charges"]
    page.mouse.click(*middle(page, "unit A"))
    page.click("#place button:text('Charge')")
    assert "picking" in page.locator("#table").get_attribute("class")
    page.mouse.click(*middle(page, "unit A"))
    assert "picking" not in (page.locator("#table").get_attribute("class") or "")
    expect(page.locator("#notice")).to_be_hidden()
    assert page.evaluate("tabletop.store.selection.name") == "A"
    assert scenario(page)["charges"] == before


@pytest.mark.parametrize("system", ["t9a", "wh40k"])
def test_models_beyond_the_most_are_refused_and_the_table_stays(page: Any, system: str) -> None:
    """What lay on the table is still there, and when the page is loaded again the last table that could be shown is
    back.
    """
    laid(page, GAMES[system])
    before = scenario(page)
    many = (
        "draft.units.B.models = 501"
        if system == "t9a"
        else "draft.units.T.at = Array.from({ length: 501 }, (_, place) => [1 + place / 12, 2])"
    )
    page.evaluate(f"tabletop.store.change((draft) => {{ {many}; }}, 'many')")
    settled(page)
    expect(page.locator("#verdict .outcome")).to_have_attribute("data-outcome", "refused")
    expect(page.locator("#verdict-more")).to_contain_text("500")
    assert page.locator(".thing.unit").count() == len(before["units"])
    page.wait_for_timeout(400)
    page.reload()
    page.wait_for_function("() => globalThis.tabletop?.store.answer && !tabletop.store.isStale")
    settled(page)
    assert page.locator(".thing.unit").count() == len(before["units"])
    assert scenario(page)["units"] == before["units"]


@pytest.mark.parametrize("system", GAMES)
def test_gap_labels_keep_off_other_labels(page: Any, system: str) -> None:
    """No length is written over another text, wherever a unit is dragged."""
    laid(page, GAMES[system])
    x, y = middle(page, "unit A")
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(4):
        page.mouse.move(x + 15 * step + 8, y - 10 * step)
        settled(page)
        boxes = page.evaluate(
            """() => [...document.querySelectorAll("#world .label")].map((one) => {
                const { left, top, right, bottom } = one.getBoundingClientRect();
                return [one.dataset.mark, left, top, right, bottom];
            })"""
        )
        gaps = [box for box in boxes if box[0].startswith("gap.")]
        said = page.locator("#layer-labels .label[data-mark^='gap.']").all_text_contents()
        assert all(
            re.search(r"^\d+ hex(es)?$" if system == "battletech" else r"^\d+\.\d\d in$", words)
            for words in said
        )
        for mark, west, north, east, south in gaps:
            for other, left, top, right, bottom in boxes:
                assert (
                    other == mark
                    or right <= west
                    or left >= east
                    or bottom <= north
                    or top >= south
                ), (mark, other)
    page.mouse.up()
