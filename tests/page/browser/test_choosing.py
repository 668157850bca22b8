"""The gallery of bundled scenarios, by pointer and by keys."""

import re
from typing import Any

from tabletop.scenario.sources import bundled_names
from tests.page.browser.hands import scenario
from tests.page.browser.steps import expect


def test_the_gallery_has_every_scenario(page: Any) -> None:
    """All of all games, and those of one."""
    page.click("#scenarios")
    page.locator(".pill", has_text="All").click()
    assert page.locator(".card").evaluate_all(
        "(cards) => cards.map((card) => card.dataset.scenario)"
    ) == list(bundled_names())
    page.locator(".pill", has_text="BattleTech").click()
    names = page.locator(".card").evaluate_all(
        "(cards) => cards.map((card) => card.dataset.scenario)"
    )
    assert names == [name for name in bundled_names() if name.startswith("battletech/")]


def test_a_scenario_is_opened_by_keys_alone(page: Any) -> None:
    """Tab to the button, Enter, arrows from card to card, Enter; Escape closes, and the focus is back."""
    page.focus("#scenarios")
    page.keyboard.press("Enter")
    expect(page.locator(".card").first).to_be_focused()
    first = page.locator(".card").first.get_attribute("data-scenario")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".card").nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_function("() => !document.querySelector('#scenarios-sheet').open")
    title = page.locator(".card").nth(1).locator("strong").text_content()
    assert scenario(page)["title"] == title
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator("#scenarios")).to_be_focused()
    assert scenario(page)["title"] == title
    assert first is not None


def test_scenarios_are_found_by_words(page: Any) -> None:
    """Words of the title or the name; where there are none, a sentence says so."""
    page.click("#scenarios")
    page.locator(".pill", has_text="All").click()
    page.fill("#gallery-words", "barricade")
    assert all(
        "barricade" in (card.text_content() or "").lower() for card in page.locator(".card").all()
    )
    page.fill("#gallery-words", "nothing of that name")
    expect(page.locator("#gallery-count")).to_have_text(re.compile(r"^\D+$"))
    expect(page.locator(".card")).to_have_count(0)


def test_every_card_has_its_picture(page: Any) -> None:
    """Pictures in view are there, and drawn from the scenario."""
    page.click("#scenarios")
    picture = page.locator(".card img").first
    expect(picture).to_be_visible()
    page.wait_for_function("() => document.querySelector('.card img').naturalWidth > 0")
    assert (picture.get_attribute("src") or "").endswith(".svg")
