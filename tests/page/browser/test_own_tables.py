"""Tables of one's own: begun empty, or made of a bundled one, whose story then stays behind; and charges declared on
them.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabletop.scenario.embedded import link_of
from tabletop.scenario.reading import read_scenario
from tabletop.scenario.sources import bundled_text
from tabletop.scenario.writing import content
from tests.page.browser.hands import drag_by, laid, middle, scenario, settled, verdict
from tests.page.browser.steps import editing, expect, field, saved
from tests.page.browser.test_saving import dropped

STORY = {"note", "source", "expect"}
OTHER = "t9a/align-corner"


def opened(page: Any, name: str) -> None:
    """Wait until a bundled scenario lies there, ruled on."""
    page.wait_for_function(
        "(title) => tabletop.store.scenario.title === title", arg=read_scenario(name).title
    )
    settled(page)


def nudged(page: Any) -> None:
    """Move a unit by a key."""
    page.evaluate("document.activeElement.blur()")
    page.locator('.thing[data-key="unit A"]').focus()
    page.keyboard.press("ArrowLeft")
    settled(page)


def test_a_bundled_scene_that_is_changed_is_told_as_ones_own(page: Any, tmp_path: Path) -> None:
    """However it was opened: its story goes with the first change, what is saved breaks no expectation, and one undo
    brings all back.
    """
    link = link_of(json.dumps(content(read_scenario(OTHER))))
    ways: dict[str, Callable[[], Any]] = {
        "t9a/wheel-and-align": page.reload,
        "conquest/push-of-two": lambda: page.click('#games [data-system="conquest"]'),
        OTHER: lambda: page.evaluate("(line) => { location.hash = line; }", link),
        "wh40k/past-a-bystander": lambda: dropped(
            page, "charge.toml", bundled_text("wh40k/past-a-bystander")
        ),
    }
    for name, way in ways.items():
        way()
        page.wait_for_function("() => globalThis.tabletop?.store.answer")
        opened(page, name)
        before = scenario(page)
        heading = page.locator("#heading").bounding_box()
        assert set(before) >= STORY
        nudged(page)
        changed = scenario(page)
        assert not STORY & set(changed), name
        assert changed["title"] == f"{before['title']}, changed"
        expect(page.locator("#title")).to_have_text(changed["title"])
        expect(page.locator("#note")).to_contain_text("undo")
        assert page.locator("#heading").bounding_box() == heading, "nothing moves under the hand"
        page.keyboard.press("Control+z")
        settled(page)
        assert scenario(page) == before
        page.keyboard.press("Control+Shift+z")
        settled(page)
    path = saved(page, "#save", tmp_path / "own.toml")
    assert (
        subprocess.run(
            [sys.executable, "-m", "tabletop", "resolve", str(path)],
            capture_output=True,
            check=False,
        ).returncode
        == 0
    )


def test_what_one_writes_oneself_stays(page: Any) -> None:
    """A title or note that is typed, and expectations of a file of one's own; the text of a bundled table may be
    changed in parts.
    """
    before = scenario(page)
    page.click("#text")
    text = page.locator("#toml").input_value()
    page.click("button:text('Use this text')")
    assert scenario(page) == before
    page.click("#text")
    page.locator("#toml").fill(
        text.replace("files = 5", "files = 4").replace(before["source"], "a house rule")
    )
    page.click("button:text('Use this text')")
    # the server reads the text first
    page.wait_for_function("() => tabletop.store.scenario.source === 'a house rule'")
    settled(page)
    own = scenario(page)
    assert (own["title"], own["source"]) == (f"{before['title']}, changed", "a house rule")
    assert not {"note", "expect"} & set(own)
    page.evaluate("tabletop.store.undo()")
    editing(page, "Title, board, notes")
    page.fill(field("title"), "At our club")
    assert {**before, "title": "At our club"}.items() >= scenario(page).items()
    assert not STORY & set(scenario(page))
    page.evaluate("(own) => tabletop.store.replace(own, 'mine')", {**before, "title": "Mine"})
    settled(page)
    nudged(page)
    assert {key: scenario(page)[key] for key in STORY} == {key: before[key] for key in STORY}


@pytest.mark.parametrize("is_phone", [False, True])
def test_an_empty_table_and_a_charge_in_two_clicks(new_page: Any, *, is_phone: bool) -> None:
    """New, a game and a size; a unit for each side; Charge and the enemy; nothing is told that was not laid there."""
    page = (
        new_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
        if is_phone
        else new_page()
    )
    press = page.tap if is_phone else page.click
    press("#new")
    page.select_option("#new-game", "conquest")
    page.select_option("#new-board", label="60 x 44 in")
    press("#new-lay")
    settled(page)
    assert scenario(page) == {"system": "conquest", "board": {"width": 60, "depth": 44}}
    expect(page.locator("#title")).to_contain_text("Untitled")
    expect(page.locator("#verdict")).to_contain_text("units")
    press('[data-offer="Brutes"]')
    page.check('#tray input[value="red"]')
    press('[data-offer="Monster"]')
    page.get_by_label("y, inches").fill("38")
    page.get_by_label("y, inches").press("Enter")
    page.evaluate("scrollTo(0, 0)")
    settled(page)
    x, y = middle(page, "unit A")
    page.touchscreen.tap(x, y) if is_phone else page.mouse.click(x, y)
    press("#place button:text('Charge')")
    expect(page.locator("#notice")).to_contain_text(re.compile(r"\btarget\b.*\bA\b"))
    page.evaluate("scrollTo(0, 0)")
    x, y = middle(page, "unit B")
    page.touchscreen.tap(x, y) if is_phone else page.mouse.click(x, y)
    settled(page)
    assert [(charge["charger"], charge["targets"]) for charge in scenario(page)["charges"]] == [
        ("A", ["B"])
    ]
    assert verdict(page) in {"Success", "Failed", "Not allowed"}
    assert page.evaluate("tabletop.store.selection.name") == "A"
    assert "picking" not in page.locator("#table").get_attribute("class")
    page.evaluate("tabletop.store.undo()")
    assert "charges" not in scenario(page)


def test_an_enemy_under_a_handle_of_the_charger_is_chosen(page: Any) -> None:
    """While somebody to charge is chosen there are no handles: that which turns a unit lies before its front, where
    enemies stand.
    """
    front = {"files": 5, "models": 5, "base": "25x25mm"}
    units = {
        "A": {
            "side": "blue",
            "at": [36, 20],
            "facing_deg": 90,
            **front,
            "profile": {"charge_speed": 6},
        },
        "B": {"side": "red", "at": [36, 30], "facing_deg": 270, **front},
    }
    page.evaluate(
        "(scenario) => tabletop.store.replace(scenario, 'two')",
        {"system": "t9a", "board": {"width": 72, "depth": 48}, "units": units},
    )
    settled(page)
    page.click("#toolbar button:text('Board')")
    page.mouse.click(*middle(page, "unit A"))
    settled(page)
    box = page.locator('[data-handle="turn"]').first.bounding_box()
    x, y = middle(page, "unit B")
    top = box["y"] + box["height"] / 2
    drag_by(page, "unit B", (0.0, (y - top) / page.evaluate("tabletop.table.scale")))
    page.evaluate("tabletop.store.select(null)")
    page.mouse.click(*middle(page, "unit A"))
    page.click("#place button:text('Charge')")
    assert middle(page, "unit B") == pytest.approx((x, top), abs=3)
    page.mouse.click(x, top)
    settled(page)
    assert [(charge["charger"], charge["targets"]) for charge in scenario(page)["charges"]] == [
        ("A", ["B"])
    ]


def test_whom_a_unit_charges_is_chosen_by_keys_and_changed(page: Any) -> None:
    """Enter chooses; a friend is no target; with Shift one more is; another target takes the place of the one before,
    and the dice stay.
    """
    laid(page, "wh40k/held-back-by-coherency")
    another = """(draft) => {
        const target = draft.units[draft.charges[0].targets[0]];
        draft.units.V = { ...target, at: target.at.map(([x, y]) => [x, y + 9]) };
    }"""
    page.evaluate(f"tabletop.store.change({another}, 'one more')")
    settled(page)
    before = scenario(page)["charges"][0]
    charger = before["charger"]
    (target,) = before["targets"]

    def choose(name: str, key: str) -> None:
        page.evaluate("(name) => tabletop.store.select({ kind: 'unit', name })", charger)
        page.locator("#place button").focus()
        page.keyboard.press("Enter")
        page.locator(f'.thing[data-key="unit {name}"]').focus()
        page.keyboard.press(key)
        settled(page)

    choose(charger, "Enter")
    page.keyboard.press("Escape")
    assert scenario(page)["charges"] == [before]
    choose("V", "Enter")
    assert scenario(page)["charges"] == [
        {"charger": charger, "targets": ["V"], "dice": before["dice"]}
    ]
    choose(target, "Shift+Enter")
    assert scenario(page)["charges"][0]["targets"] == ["V", target]
    choose("V", "Shift+Enter")
    assert scenario(page)["charges"] == [before]


def test_the_form_of_a_charge_says_what_is_true(page: Any) -> None:
    """A charger that is chosen anew keeps no friend and not itself as a target; title and choices are those of the
    charge as it is.
    """
    laid(page, "t9a/wheel-and-align")
    editing(page, "Charges (1)")
    summary = page.locator("#forms .item > summary").first
    offered = page.locator('#forms [data-key="charges[0].targets"] label')
    page.select_option(field("charges[0].charger"), "B")
    settled(page)
    charge = scenario(page)["charges"][0]
    assert charge["charger"] == "B"
    assert charge["targets"] in (["A"], ["C"])
    expect(summary).to_have_text(re.compile(rf"^B\b.*\b{charge['targets'][0]}$"))
    assert offered.all_inner_texts() == ["A", "C"]
    expect(page.locator("#verdict .outcome").first).not_to_have_attribute("data-outcome", "refused")
    page.click("#forms button:text('Swap charger and target')")
    settled(page)
    assert (scenario(page)["charges"][0]["charger"], scenario(page)["charges"][0]["targets"]) == (
        charge["targets"][0],
        ["B"],
    )
    expect(summary).to_have_text(re.compile(rf"^{charge['targets'][0]}\b.*\bB$"))
    assert offered.all_inner_texts() == ["B"]
    page.evaluate(
        "tabletop.store.change((draft) => { draft.charges[0] = { charger: 'C', targets: ['B'] }; }, 'elsewhere')"
    )
    expect(summary).to_have_text("C charges B")
    drag_by(page, "unit C", (0.0, 0.5))
    page.click("#tab-edit")
