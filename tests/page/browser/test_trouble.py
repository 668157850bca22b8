"""What goes wrong around the page, and what it then says: servers that go away half-way, and other pages that ask."""

import json
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from tests.page.browser.conftest import NewPage, Server
from tests.page.browser.hands import drag_by, laid, scenario, settled
from tests.page.browser.steps import LONG, expect

GONE = '#notice[data-kind="gone"]'


@pytest.fixture
def own() -> Iterator[Server]:
    """Run a server that a test may end."""
    one = Server()
    one.start()
    yield one
    one.stop()


def is_uppermost(page: Any, selector: str) -> bool:
    """Return whether nothing lies over the middle of what is shown."""
    script = """(selector) => {
        const box = document.querySelector(selector).getBoundingClientRect();
        return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2).closest(selector) !== null;
    }"""
    return bool(page.evaluate(script, selector))


def test_a_figure_is_saved_once_the_server_is_back(new_page: NewPage, own: Server) -> None:
    """The dialog does not hide what is wrong; the figure comes when there is a server again."""
    page = new_page(address=own.address)
    drag_by(page, "unit A", (-1.0, 0.5))
    before = scenario(page)
    page.click("#export")
    own.stop(signal.SIGKILL)
    with page.expect_download(timeout=LONG) as download:
        page.click("#draw-save")
        page.wait_for_selector(GONE)
        assert is_uppermost(page, "#notice")
        own.start()
    assert download.value.suggested_filename.endswith(".svg")
    page.keyboard.press("Escape")
    # the next is seen without the dialog
    page.wait_for_function("() => document.getElementById('notice').parentNode === document.body")
    assert scenario(page) == before


def test_a_text_that_was_changed_is_kept_until_the_server_is_back(
    new_page: NewPage, own: Server
) -> None:
    """What was typed stays, and is used then."""
    page = new_page(address=own.address)
    page.click("#text")
    area = page.locator("#toml")
    area.fill(area.input_value().replace("files = 5", "files = 4"))
    own.stop(signal.SIGKILL)
    page.click("button:text('Use this text')")
    page.wait_for_selector(GONE)
    assert "files = 4" in area.input_value()
    own.start()
    page.wait_for_function("() => tabletop.store.scenario.units.A.files === 4")


def test_a_map_that_the_server_leaves_is_told(new_page: NewPage, own: Server) -> None:
    """A map that was under way is to be asked for again; the table is as it was."""
    page = new_page(address=own.address)
    laid(page, "wh40k/ten-against-ten")
    before = scenario(page)
    page.click("#tab-layers")
    page.select_option("#map-question", "start")
    page.select_option("#map-step", "0.5")
    page.click("#map-ask")
    expect(page.locator("#map-done")).to_contain_text("places", timeout=LONG)
    own.stop(signal.SIGKILL)
    expect(page.locator("#map-fault")).to_contain_text("server", timeout=LONG)
    own.start()
    settled(page)
    assert scenario(page) == before


def test_a_page_of_elsewhere_learns_and_changes_nothing(new_page: NewPage, server: Server) -> None:
    """Another page in the same browser is refused whatever it asks, and cannot put this one into a frame."""
    page = new_page()
    before = scenario(page)
    other = page.context.new_page()
    other.route(
        "http://elsewhere.test/",
        lambda route: route.fulfill(content_type="text/html", body="<title>elsewhere</title>"),
    )
    statuses: dict[str, int] = {}
    other.on("response", lambda answer: statuses.update({answer.url: answer.status}))
    other.goto("http://elsewhere.test/")
    asked = """async ([address, body]) => {
        const told = [];
        const questions = [
            ["api/start", {}], ["api/resolve", { method: "POST", body }], ["api/read", { method: "POST", body: "{}" }],
        ];
        for (const [path, how] of questions) {
            for (const mode of ["cors", "no-cors"]) {
                try {
                    const answer = await fetch(address + path, { ...how, mode });
                    told.push(await answer.text());
                } catch { /* the browser lets nothing through */ }
            }
        }
        const frame = document.createElement("iframe");
        frame.src = address;
        document.body.append(frame);
        await new Promise((loaded) => { frame.onload = loaded; });
        return told.join("");
    }"""
    assert other.evaluate(asked, [server.address, json.dumps({"scenario": before})]) == ""
    assert {status for url, status in statuses.items() if "/api/" in url} <= {403}
    assert all(frame.query_selector("#table") is None for frame in other.frames[1:])
    settled(page)
    assert scenario(page) == before
