"""What is asked at the side: findings, dice, odds, claims, readings; by keyboard, touch, in the dark, and with the
server gone.
"""

import math
import re
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plots.layout.frame import Frame
from plots.marks.entries import entry
from plots.marks.mark import Discs, PointMark
from plots.marks.panels import charge_panels
from plots.marks.section import whole_board
from plots.render.paths import CORNERS, paths_of
from tabletop import api
from tabletop.scenario.reading import read_case
from tests.page.browser.conftest import PHONE, TABLET, WIDE, NewPage, Server
from tests.page.browser.hands import GAMES, depth, drag_by, laid, middle, scenario, settled, verdict

TENTH_OF_A_PIXEL = 0.1 / 40
"""Inches of a table of which one is 40 pixels."""
AXE = Path(__file__).with_name("axe.min.js")


def test_a_finding_shows_itself_on_the_table(page: Any) -> None:
    """A click on a finding lets its mark stand out, or else what it is about: every finding shows something."""
    page.click("#findings .more")
    findings = page.locator("#findings .finding")
    for place in range(findings.count()):
        page.evaluate(
            "document.querySelectorAll('.revealed').forEach((one) => one.classList.remove('revealed'))"
        )
        findings.nth(place).click()
        page.wait_for_selector("#table .revealed", state="attached")
    page.click('#findings li[data-rule="t9a.space.friend"] .finding')
    assert page.locator('.thing[data-key="unit C"] .revealed').count() > 0


def test_all_findings_are_shown_and_folded_again(page: Any) -> None:
    """First what decided and was close, then everything in the order of the rules."""
    few = page.locator("#findings li").count()
    page.click("#findings .more")
    assert page.locator("#findings li").count() > few
    page.click("#findings .more")
    assert page.locator("#findings li").count() == few


def test_dice_are_typed(page: Any) -> None:
    """A digit on a die sets its face, and the verdict follows."""
    page.locator(".one-die").first.focus()
    page.keyboard.press("1")
    settled(page)
    assert scenario(page)["charges"][0]["dice"] == [1]
    assert verdict(page) == "Failed"
    page.keyboard.press("Control+z")
    settled(page)
    assert verdict(page) == "Success"


def test_dice_are_thrown(page: Any) -> None:
    """A throw gives faces that dice have, and is one entry of the history."""
    page.click(".throw")
    settled(page)
    assert all(1 <= face <= 6 for face in scenario(page)["charges"][0]["dice"])
    assert depth(page) <= 1


def test_the_slider_goes_over_the_rolls(page: Any) -> None:
    """Least to greatest total; the dice show what makes it."""
    laid(page, GAMES["wh40k"])
    slider = page.locator("#dice input[type=range]")
    slider.focus()
    page.keyboard.press("Home")
    settled(page)
    assert sum(scenario(page)["charges"][0]["dice"]) == 2
    assert verdict(page) == "Failed"
    page.keyboard.press("End")
    settled(page)
    assert sum(scenario(page)["charges"][0]["dice"]) == 12
    assert verdict(page) == "Success"


def test_a_mech_that_needs_other_dice_gets_them(page: Any) -> None:
    """A miss needs fewer faces than a hit: what is missing is thrown, and the scenario holds exactly the faces that
    were used.
    """
    laid(page, GAMES["battletech"])
    slider = page.locator("#dice input[type=range]")
    slider.focus()
    page.keyboard.press("Home")
    settled(page)
    assert verdict(page) == "Failed"
    assert scenario(page)["charges"][0]["dice"] == page.evaluate(
        "tabletop.store.answer.rolls[0].faces"
    )
    page.keyboard.press("End")
    settled(page)
    assert verdict(page) == "Success"


def test_odds_are_counted_as_bars(page: Any) -> None:
    """Outcomes and totals, and they follow the table."""
    page.click("#tab-odds")
    page.wait_for_selector("#odds .bar")
    assert page.locator('#odds .bar[data-outcome="success"] .bar-value').inner_text() == "83 %"
    assert page.locator("#odds .column").count() == 6


def test_a_claimed_end_is_judged(page: Any) -> None:
    """The ghost laid where the opponent claims is ruled on, and what the rules demand can be laid there."""
    page.click("#tab-judge")
    page.click('[data-act="claim A"]')
    settled(page)
    assert "legal" in verdict(page).lower()
    drag_by(page, "ghost A", (1.0, 0.6))
    assert verdict(page) == "Not allowed"
    demanded = page.locator("#layer-demanded .mark").first.bounding_box()
    assert (
        page.locator("#layer-labels .label", has_text=re.compile(r"\bA\b.*\bdemanded\b")).count()
        == 1
    )
    page.click('[data-act="better"]')
    settled(page)
    assert "legal" in verdict(page).lower()
    assert page.locator("#layer-demanded > *").count() == 0
    ghost = page.locator('.thing[data-key="ghost A"] .mark').first.bounding_box()
    assert [ghost[side] for side in ghost] == pytest.approx(
        [demanded[side] for side in ghost], abs=2
    )
    page.click('[data-act="stop"]')
    settled(page)
    assert verdict(page) == "Success"
    assert "proposal" not in scenario(page)


def test_the_ghost_itself_begins_a_claim(page: Any) -> None:
    """Whoever takes hold of the ghost claims: one drag, one undo."""
    before = scenario(page)
    drag_by(page, "ghost A", (1.5, 1.0))
    assert "A" in scenario(page)["proposal"]["units"]
    assert verdict(page) == "Not allowed"
    page.keyboard.press("Control+z")
    settled(page)
    assert scenario(page) == before


def test_two_readings_stand_side_by_side(page: Any) -> None:
    """Where a rule leaves something open, the verdict under another reading is asked for beside that of this one."""
    page.click("#readings summary")
    page.locator("#readings .second button").first.click()
    page.wait_for_selector("#second-reading .reading >> nth=1")
    assert page.locator("#second-reading .badge").count() == 2


def test_everything_by_keyboard_alone(page: Any) -> None:
    """From the skip link to the table, to a unit, an inch up, a degree round, and the verdict spoken."""
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.locator("#table").focus()
    keys = []
    for _ in range(12):
        page.keyboard.press("Tab")
        keys.append(page.evaluate("document.activeElement.dataset?.key ?? ''"))
        if keys[-1] == "unit A":
            break
    assert keys[-1] == "unit A"
    before = scenario(page)["units"]["A"]
    for key in ("Shift+ArrowUp", "ArrowLeft", "["):
        page.keyboard.press(key)
    settled(page)
    after = scenario(page)["units"]["A"]
    assert after["facing_deg"] == before["facing_deg"] + 1
    assert after["at"][1] > before["at"][1] + 0.5
    page.wait_for_function(
        "/\\bA\\b.*\\bB\\b/.test(document.getElementById('verdict-live').textContent)"
    )


def test_panels_are_walked_with_arrow_keys(page: Any) -> None:
    """Tabs as screen readers know them."""
    page.locator("#tab-ruling").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#panel-odds").is_visible()
    page.keyboard.press("Home")
    assert page.locator("#panel-ruling").is_visible()


def test_a_unit_is_dragged_by_touch_on_a_phone(phone: Any) -> None:
    """A finger moves a unit, and the page does not scroll away under it."""
    before = scenario(phone)["units"]["A"]["at"]
    x, y = middle(phone, "unit A")
    hand = phone.context.new_cdp_session(phone)
    spots = [[{"x": x + 6 * step, "y": y + 3 * step}] for step in range(6)]
    events: list[tuple[str, list[dict[str, float]]]] = [
        ("touchStart", spots[0]),
        *(("touchMove", spot) for spot in spots[1:]),
        ("touchEnd", []),
    ]
    for kind, points in events:
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    settled(phone)
    assert scenario(phone)["units"]["A"]["at"] != before
    assert phone.evaluate("scrollY") == 0


@pytest.mark.parametrize("viewport", [WIDE, TABLET, PHONE], ids=["wide", "tablet", "phone"])
def test_nothing_is_wider_than_the_screen(new_page: NewPage, viewport: dict[str, int]) -> None:
    """On a desk, a tablet and a phone nothing has to be scrolled sideways, and the table has more than a third of the
    screen.
    """
    page = new_page(viewport=viewport)
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    assert page.locator("#table").bounding_box()["height"] > viewport["height"] / 3


@pytest.mark.parametrize("name", [*GAMES.values(), "t9a/judged-one-short"])
def test_marks_have_the_paths_of_figures(page: Any, name: str) -> None:
    """What the page paints of a mark goes through the points of the paths that a figure of the same scale draws of
    it.
    """
    case = read_case(name)
    resolution = api.resolve(case)
    marks = [mark for panel in charge_panels(resolution) for mark in panel.marks]
    drawn = page.evaluate(
        """async (marks) => {
            const { shapesOf } = await import("/static/painter.js");
            return marks.map((mark) => shapesOf(mark, 40).map(({ d }) => d));
        }""",
        [entry(mark) for mark in marks],
    )
    asked = 0
    for mark, shapes in zip(marks, drawn, strict=True):
        if isinstance(mark, Discs) or (isinstance(mark, PointMark) and mark.role not in CORNERS):
            continue  # discs have no corners
        painted = {
            (round(float(x), 3), round(float(y), 3))
            for d in shapes
            for x, y in re.findall(r"(-?[\d.e-]+) (-?[\d.e-]+)", d)
        }
        for path in paths_of(mark, Frame(whole_board(case.state.board), 40 / 96)):
            for point in np.asarray(path.vertices):
                assert min(math.dist(point, other) for other in painted) < TENTH_OF_A_PIXEL, mark
                asked += 1
    assert asked > len(marks)


@pytest.mark.parametrize("name", [*GAMES.values(), "t9a/judged-one-short"])
def test_no_label_is_cut_at_the_edge(phone: Any, name: str) -> None:
    """What is said of a place that is seen is read whole on a phone, too, and no tool lies over it; also after a finger
    moved the view.
    """
    laid(phone, name)
    cut = """() => {
        const board = tabletop.table.svg.getBoundingClientRect();
        const tools = document.getElementById("toolbar").getBoundingClientRect();
        const drawn = [tabletop.store.answer, tabletop.store.table].flatMap(({figure}) => figure.marks);
        const marks = new Map(drawn.map((mark) => [mark.id, mark]));
        const isSeen = ([x, y]) => x > 0 && y > tools.bottom - board.top && x < board.width && y < board.height;
        return [...document.querySelectorAll("#layer-labels .label")].filter((label) => {
            const spots = marks.get(label.dataset.mark)?.spots ?? [];
            const box = label.querySelector(".paper, text").getBoundingClientRect();
            const isAcross = box.left >= board.left - 1 && box.right <= board.right + 1;
            const isWhole = isAcross && box.top >= tools.bottom - 1 && box.bottom <= board.bottom + 1;
            return spots.length && spots.every((spot) => isSeen(tabletop.table.toScreen(spot))) && !isWhole;
        }).map((label) => label.textContent);
    }"""
    assert phone.evaluate(cut) == []
    for way in ("[60, 0]", "[-120, 20]"):
        phone.evaluate(f"tabletop.table.panBy(...{way})")
        phone.wait_for_function(f"() => ({cut})().length === 0")


@pytest.mark.parametrize(
    "look",
    [
        {"color_scheme": "light"},
        {"color_scheme": "dark"},
        {"viewport": TABLET},
        {"viewport": PHONE},
        {"reduced_motion": "reduce"},
    ],
    ids=str,
)
def test_no_serious_finding_of_axe(new_page: NewPage, look: dict[str, Any]) -> None:
    """Contrast, names, roles: nothing serious in any look, on no panel, in no dialog, and not in what is told."""
    page = new_page(**look)
    page.add_script_tag(path=str(AXE))

    def hold(shown: str) -> None:
        found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
        serious = {
            one["id"]: [node["target"] for node in one["nodes"]][:4]
            for one in found
            if one["impact"] in {"serious", "critical"}
        }
        assert not serious, shown

    page.click("text=How the rules are read")
    page.click(".why")
    for panel in ("ruling", "odds", "judge", "edit", "add", "layers"):
        page.click(f"#tab-{panel}")
        hold(panel)
    for opens in ("#scenarios", "#text", "#link", "#export", "#photo-file"):
        if opens == "#photo-file":
            page.set_input_files(opens, AXE.parents[3] / "docs" / "page.png")
        else:
            page.click(opens)
        page.wait_for_selector("dialog[open]")
        hold(opens)
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="detached")
    page.locator('.thing[data-key="unit A"]').focus()
    page.click("#tab-judge")
    page.click("#judging button.main")
    drag_by(page, "ghost A", (1.0, 0.6))
    hold("a claim")
    page.evaluate("location.hash = '#tt1.AAAA'")
    page.wait_for_selector("#notice[data-kind=warning]")
    hold("a warning")


def test_two_pages_go_their_own_ways(new_page: NewPage) -> None:
    """What is dragged on one page is not dragged on the other, and both are answered."""
    first = new_page()
    second = new_page()
    drag_by(first, "unit A", (-2.0, 1.0))
    drag_by(second, "unit B", (0.0, -1.0))
    assert scenario(first)["units"]["B"] == scenario(second)["units"]["B"] | {
        "at": scenario(first)["units"]["B"]["at"]
    }
    assert scenario(first)["units"]["A"] != scenario(second)["units"]["A"]


def test_a_page_loaded_again_has_its_table_still(page: Any) -> None:
    """Nothing that was drawn is lost by loading again."""
    drag_by(page, "unit A", (-1.0, 1.0))
    before = scenario(page)
    page.reload()
    page.wait_for_function("globalThis.tabletop?.store.answer && !tabletop.store.isStale")
    assert scenario(page) == before


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_the_server_is_ended_and_comes_back(new_page: NewPage, how: int) -> None:
    """The page says that it is gone, what is dragged meanwhile stays, and it is ruled on once the server is back."""
    own = Server()
    own.start()
    try:
        page = new_page(address=own.address)
        own.stop(how)
        page.locator('.thing[data-key="unit A"]').focus()
        page.keyboard.press("Shift+ArrowUp")
        page.wait_for_selector('#notice[data-kind="gone"]')
        page.keyboard.press("Shift+ArrowUp")
        moved = scenario(page)
        own.start()
        settled(page)
        assert scenario(page) == moved
        assert verdict(page) in {"Success", "Failed", "Not allowed"}
        assert page.evaluate("tabletop.store.answered === tabletop.store.revision")
    finally:
        own.stop()


def test_the_page_keeps_to_its_own_policy(new_page: NewPage) -> None:
    """Under the policy that the server sends nothing of the page is refused: no script, style, font or picture."""
    page = new_page(bypass_csp=False, wait=False)
    refused: list[str] = []
    page.on(
        "console",
        lambda message: (
            refused.append(message.text) if "Content Security Policy" in message.text else None
        ),
    )
    page.reload()
    page.wait_for_selector("#verdict-more .badge")
    page.click("#tab-odds")
    page.wait_for_selector("#odds .bar")
    assert not refused
