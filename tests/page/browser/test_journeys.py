"""The way of a new user, from the first look to a disputed align move judged, its figure saved: by mouse, by keys
alone, by touch.
"""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabletop.scenario.reading import read_scenario
from tabletop.scenario.writing import content
from tests.page.browser.conftest import PHONE, NewPage
from tests.page.browser.hands import drag_by, scenario, settled, verdict
from tests.page.browser.steps import LONG

LIMIT = 180.0
"""Seconds that a journey may take."""
FINGER = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
REACH = 60
"""Presses of Tab after which something counts as out of reach."""


def tabbed(page: Any, selector: str, *, back: bool = False) -> None:
    """Press Tab until what is looked for has the focus."""
    for _ in range(REACH):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Shift+Tab" if back else "Tab")
    pytest.fail(f"{selector} is not reached by Tab")


def tapped(page: Any, selector: str, shown: str) -> None:
    """Tap until what a tap brings is there: a browser on a busy machine drops one."""
    while page.locator(shown).count() == 0:
        page.tap(selector)
        page.wait_for_timeout(300)


def by_mouse(page: Any) -> None:
    """Open the scenario, claim an end, drag its ghost aside."""
    page.click("#scenarios")
    page.fill("#gallery-words", "align-corner")
    page.click('.card[data-scenario="t9a/align-corner"]')
    opened(page)
    page.click("#tab-judge")
    page.click("#judging button.main")
    settled(page)
    drag_by(page, "ghost A", (1.0, 0.0))


def by_keys(page: Any) -> None:
    """Do the same without a pointer."""
    tabbed(page, "#scenarios")
    page.keyboard.press("Enter")
    page.wait_for_selector("#gallery-words")
    page.wait_for_function("() => document.activeElement.matches('.card')")
    tabbed(page, "#gallery-words", back=True)
    page.keyboard.type("align-corner")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => document.activeElement.dataset.scenario === 't9a/align-corner'")
    page.keyboard.press("Enter")
    opened(page)
    tabbed(page, "#tab-ruling")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    tabbed(page, "#judging button.main")
    page.keyboard.press("Enter")
    settled(page)
    tabbed(page, "#judging button[data-act^=hold]")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+ArrowRight")
    settled(page)


def by_touch(page: Any) -> None:
    """Do the same with a finger."""
    tapped(page, "#scenarios", "#gallery-words")
    page.fill("#gallery-words", "align-corner")
    page.tap('.card[data-scenario="t9a/align-corner"]')
    opened(page)
    tapped(page, "#tab-judge", "#tab-judge[aria-selected=true]")
    tapped(page, "#judging button.main", "#judging button[data-act^=hold]")
    settled(page)
    page.tap("#judging button[data-act^=hold]")
    box = page.locator('.thing[data-key="ghost A"] .hit').first.bounding_box()
    x = box["x"] + box["width"] / 2
    y = box["y"] + box["height"] / 2
    scale = page.evaluate("tabletop.table.scale")
    hand = page.context.new_cdp_session(page)
    for kind, step in (
        ("touchStart", 0),
        *(("touchMove", step) for step in range(1, 7)),
        ("touchEnd", None),
    ):
        points = [] if step is None else [{"x": x + scale * step / 6, "y": y}]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    settled(page)


def opened(page: Any) -> None:
    """Wait until the scenario lies there, ruled on."""
    page.wait_for_function(
        "() => tabletop.store.scenario.title === 'Two of five in contact by a corner only'"
    )
    settled(page)


@pytest.mark.parametrize(
    ("way", "look"),
    [(by_mouse, {}), (by_keys, {"color_scheme": "dark"}), (by_touch, FINGER)],
    ids=["mouse", "keys", "touch"],
)
def test_a_disputed_align_move_is_judged_and_its_figure_saved(
    new_page: NewPage, tmp_path: Path, way: Callable[[Any], None], look: dict[str, Any]
) -> None:
    """In less than three minutes: one model short of contact is told, shown, and saved as a figure that carries the
    claim.
    """
    began = time.monotonic()
    page = new_page(**look)
    way(page)
    assert verdict(page) == "Not allowed"
    assert re.search(r"\b[34] .*\bcharger\b.*\b5\b", page.locator("#verdict-more").inner_text())
    assert page.locator("#layer-demanded .mark").count() > 0
    claimed = scenario(page)["proposal"]["units"]["A"]["at"]
    if way is by_keys:
        tabbed(page, "#export", back=True)
        page.keyboard.press("Enter")
        tabbed(page, "#draw-save")
    else:
        press = (
            page.click
            if way is by_mouse
            else lambda selector: tapped(page, selector, "#exporting[open]")
        )
        press("#export")
    with page.expect_download(timeout=LONG) as download:
        if way is by_keys:
            page.keyboard.press("Enter")
        else:
            page.click("#draw-save")
    download.value.save_as(tmp_path / "figure.svg")
    assert time.monotonic() - began < LIMIT
    carried = content(read_scenario(str(tmp_path / "figure.svg")))
    assert carried["proposal"]["units"]["A"]["at"] == pytest.approx(claimed)
