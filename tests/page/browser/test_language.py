"""The page as a German browser shows it: no English word on it but those of who wrote the scenario."""

import re
from typing import Any

import pytest

from tests.page.browser.steps import expect

ENGLISH = re.compile(
    r"(?<![\w.-])(the|of|and|is|are|with|by|or|a|needs|charges|unit|table|place|none|every|choose|leave out)(?![\w.-])"
)
TEXTS = """() => {
  const own = "#title, #note, script, style, [hidden], .card";
  const all = [...document.body.querySelectorAll("*")].filter((one) => !one.closest(own));
  const parts = all.flatMap((one) => [...one.childNodes]).filter((node) => node.nodeType === 3);
  const texts = parts.map((node) => node.textContent);
  const names = ["title", "aria-label", "placeholder", "alt"];
  const attributes = all.flatMap((one) => names.map((name) => one.getAttribute(name)));
  return [...texts, ...attributes].filter((text) => text?.trim());
}"""


def english(page: Any) -> list[str]:
    """Return what stands on the page in English."""
    return [text for text in page.evaluate(TEXTS) if ENGLISH.search(text)]


@pytest.fixture
def german(new_page: Any) -> Any:
    """Open a page in a browser that asks for German."""
    return new_page(locale="de-DE")


def test_every_panel_is_german(german: Any) -> None:
    """Verdict, findings, readings, odds, the judge's panel, the form of a unit and its meanings, what can be added, the
    layers.
    """
    assert german.locator("html").get_attribute("lang") == "de"
    expect(german.locator("#verdict .badge").first).to_have_text("Erfolg")
    german.locator("#readings summary").click()
    german.locator("#findings .more").click()
    german.locator(".why").click()
    assert english(german) == []
    for panel in ("odds", "judge", "edit", "add", "layers"):
        german.click(f"#tab-{panel}")
        german.wait_for_timeout(700)
        assert english(german) == [], panel


def test_what_is_wrong_is_told_in_german(german: Any) -> None:
    """A unit on another, by what the server says; and numbers with a comma."""
    german.evaluate(
        "() => tabletop.store.change((scenario) => { scenario.units.A.at = scenario.units.B.at; }, 'x')"
    )
    expect(german.locator("#verdict .outcome")).to_have_attribute("data-outcome", "refused")
    assert english(german) == []
    assert re.search(r"\d,\d", german.locator("body").inner_text())
