"""Why a ruling is as it is: its alternatives beside it, and the one that has a place as a ghost on the table."""

import json
import re
from typing import Any

import pytest

from tabletop import api
from tabletop.scenario.reading import read_case
from tests.page.browser.conftest import NewPage
from tests.page.browser.hands import drag_by, laid, middle, settled
from tests.page.browser.steps import expect

GHOST = "#layer-contrast .mark"


def contrasts(page: Any) -> list[Any]:
    """Return the alternatives to the first ruling that the page holds; None where they were not asked for."""
    found: list[Any] = page.evaluate(
        "tabletop.store.answer.rulings.map((ruling) => ruling.contrast ?? null)"
    )
    return found


@pytest.mark.parametrize(
    ("name", "has_ghost"),
    [
        ("t9a/compulsory-contact", True),
        ("t9a/wheel-and-align", True),
        ("conquest/past-a-corner", True),
        ("conquest/the-players-own-wheel", False),
        ("battletech/behind-a-wall", False),
    ],
)
def test_the_alternatives_are_listed_and_one_is_drawn(
    page: Any, name: str, *, has_ghost: bool
) -> None:
    """A sentence each, as the command line prints it; the outline, its way and its words are gone when it is pressed
    again.
    """
    laid(page, name)
    why = page.locator(".why")
    lines = page.locator(".alternative")
    expect(lines.first).to_be_hidden()
    assert page.locator(GHOST).count() == 0
    why.click()
    expect(why).to_have_attribute("aria-pressed", "true")
    found = api.resolve(name).rulings[0].contrast or ()
    assert lines.count() == len(found)
    for line, one in zip(lines.all(), found, strict=True):
        expect(line).to_contain_text(
            re.sub(r"\.(\d*?)0+(?= )", lambda found: found[1] and f".{found[1]}", one.finding.text)
        )
        expect(line).to_be_visible()
    assert (page.locator(GHOST).count() > 0) == has_ghost
    settled(page)
    words = page.locator("#layer-labels .label", has_text="✗")
    assert words.count() == has_ghost
    if has_ghost:
        case = read_case(name)
        moved = {
            unit
            for one in found
            for unit, place in one.units.items()
            if place != case.state.units[unit].place
        }
        drawn = page.eval_on_selector_all(
            f"{GHOST}[data-owner]", "(all) => all.map((one) => one.dataset.owner)"
        )
        assert {owner.removeprefix("ghost ") for owner in drawn} == moved
    why.click()
    expect(why).to_have_attribute("aria-pressed", "false")
    expect(lines.first).to_be_hidden()
    settled(page)
    assert page.locator(GHOST).count() == words.count() == 0


def test_a_change_of_the_table_hides_the_ghost(page: Any) -> None:
    """It belongs to the table that was ruled; undo brings that back, and the button with it."""
    page.click(".why")
    assert page.locator(GHOST).count() > 0
    drag_by(page, "unit A", (-0.5, 0.2))
    assert page.locator(GHOST).count() == 0
    assert page.locator('.why[aria-pressed="true"]').count() == 0
    page.keyboard.press("Control+z")
    settled(page)
    expect(page.locator(".why")).to_have_attribute("aria-pressed", "false")
    page.click(".why")
    assert page.locator(GHOST).count() > 0


def test_alternatives_are_asked_for_once_a_drag_has_ended(page: Any) -> None:
    """On the way each ruling comes without them, however long the hand rests; the ruling that stays has them."""
    asked: list[bool] = []

    def heard(question: Any) -> None:
        if question.url.endswith("/api/resolve"):
            asked.append(json.loads(question.post_data)["options"].get("contrast", True))

    page.on("request", heard)
    x, y = middle(page, "unit A")
    page.keyboard.down("Alt")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y + 5, steps=6)
    settled(page)
    assert asked
    assert not any(asked)
    assert contrasts(page) == [None]
    page.mouse.up()
    page.keyboard.up("Alt")
    settled(page)
    assert asked[-1]
    assert None not in contrasts(page)


def test_why_by_keyboard(page: Any) -> None:
    """The button has a name of its own for each charge, and the focus stays on it, over an undo too."""
    page.evaluate("tabletop.store.change((draft) => { draft.units.A.at[0] += 0.1; }, 'moved')")
    settled(page)
    why = page.get_by_role("button", name=re.compile(r"^Why\?.*\bA\b"))
    why.focus()
    page.keyboard.press("Enter")
    expect(why).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Control+z")
    settled(page)
    expect(why).to_be_focused()
    expect(why).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Space")
    expect(page.locator(".alternative").first).to_be_visible()


def test_where_there_is_no_alternative_there_is_no_button(page: Any) -> None:
    """A plain success has none, and of two charges only that with an alternative has one."""
    laid(page, "wh40k/second-chance")
    assert contrasts(page) == [[]]
    assert page.locator(".why").count() == 0
    laid(page, "t9a/room-taken")
    assert [bool(one) for one in contrasts(page)] == [True, False]
    page.click(".why")
    assert page.locator(GHOST).count() > 0


@pytest.mark.parametrize(
    ("locale", "words", "heading"),
    [("de-DE", "Warum?", "Nicht genug: "), ("fr-FR", "Pourquoi ?", "Pas assez : ")],
)
def test_why_is_asked_and_answered_in_the_language_of_the_browser(
    new_page: NewPage, locale: str, words: str, heading: str
) -> None:
    """Button, headings, sentences, and the words on the table."""
    page = new_page(locale=locale)
    laid(page, "t9a/compulsory-contact")
    why = page.locator(".why")
    expect(why).to_have_text(words)
    why.click()
    expect(page.locator(".alternative b")).to_contain_text(heading)
    settled(page)
    assert "only" not in page.locator("#layer-labels .label", has_text="✗").text_content()
