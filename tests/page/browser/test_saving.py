"""Tables are saved, opened, dropped, pasted and linked; whatever cannot be read leaves what was drawn as it was."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tabletop.scenario.embedded import link_of, linked
from tabletop.scenario.reading import read_scenario
from tabletop.scenario.sources import bundled_text
from tabletop.scenario.writing import content
from tests.page.browser.hands import laid, scenario, settled
from tests.page.browser.steps import canonical, expect, saved

GAMES = (
    "t9a/wheel-and-align",
    "conquest/the-least-turn",
    "wh40k/ten-against-ten",
    "battletech/through-a-house",
)


def told(arguments: list[str]) -> Any:
    """Return what a command prints as JSON."""
    answer = subprocess.run(
        [sys.executable, "-m", "tabletop", *arguments, "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(answer.stdout)


def dropped(page: Any, name: str, data: str) -> None:
    """Drop a file of a name on the page."""
    script = """([name, data]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([data], name));
        const drop = {dataTransfer: transfer, bubbles: true, cancelable: true};
        for (const kind of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, drop));
    }"""
    page.evaluate(script, [name, data])


def kept(page: Any, sentence: str | re.Pattern[str], before: dict[str, Any]) -> None:
    """Hold that a sentence is shown, and that the table is as it was."""
    expect(page.locator("#notice")).to_contain_text(sentence)
    expect(page.locator("#notice")).to_have_attribute("data-kind", "warning")
    assert scenario(page) == before


def test_what_is_saved_the_command_line_rules_alike(page: Any, tmp_path: Path) -> None:
    """The TOML of a changed table gives the ruling that the page shows."""
    page.evaluate("tabletop.store.change((draft) => { draft.units.A.at = [28.5, 33]; }, 'moved')")
    settled(page)
    path = saved(page, "#save", tmp_path / "saved.toml")
    assert told(["resolve", str(path)])["rulings"] == page.evaluate("tabletop.store.answer.rulings")


@pytest.mark.parametrize("name", GAMES)
def test_what_is_saved_opens_as_it_was(page: Any, tmp_path: Path, name: str) -> None:
    """A file that is saved and opened again is the same table, in every game."""
    laid(page, name)
    before = scenario(page)
    path = saved(page, "#save", tmp_path / "saved.toml")
    page.evaluate("tabletop.store.change((draft) => { draft.title = 'another'; }, 'other title')")
    page.set_input_files("#file", path)
    page.wait_for_function(
        "(title) => tabletop.store.scenario.title === title", arg=before["title"]
    )
    assert canonical(scenario(page)) == canonical(before)


def test_a_bundled_file_is_dropped(page: Any) -> None:
    """A file dropped anywhere on the page is open; undo brings the table before it back."""
    before = scenario(page)
    dropped(page, "charge.toml", bundled_text("wh40k/onto-the-crate"))
    page.wait_for_function("() => tabletop.store.scenario.system === 'wh40k'")
    page.evaluate("tabletop.store.undo()")
    assert scenario(page) == before


@pytest.mark.parametrize("ending", ["svg", "png", "webp"])
def test_a_figure_opens_as_the_table_that_it_carries(
    page: Any, tmp_path: Path, ending: str
) -> None:
    """Figures are files, here too."""
    figure = tmp_path / f"figure.{ending}"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "tabletop",
            "draw",
            "conquest/the-least-turn",
            "-o",
            str(figure),
            "--dpi",
            "40",
        ],
        check=True,
    )
    page.set_input_files("#file", figure)
    page.wait_for_function("() => tabletop.store.scenario.system === 'conquest'")
    assert canonical(scenario(page)) == content(read_scenario("conquest/the-least-turn"))


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("notes.txt", "milk\nbread\n", "notes.txt"),
        ("broken.toml", "system = 't9a'\nboard = {", "TOML"),
        ("other.toml", "system = 'chess'\n", "chess"),
        ("picture.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", "picture.svg: "),
        ("large.toml", "# " + "x" * 2**20, re.compile(r"large\.toml: .*\b1 MB\b")),
    ],
)
def test_a_file_that_is_none_has_its_sentence(
    page: Any, name: str, data: str, sentence: str
) -> None:
    """What cannot be read is told, and nothing is lost."""
    before = scenario(page)
    dropped(page, name, data)
    kept(page, sentence, before)


def test_a_file_that_is_no_text_has_its_sentence(page: Any, tmp_path: Path) -> None:
    """Bytes that are no text, too."""
    before = scenario(page)
    path = tmp_path / "odd.toml"
    path.write_bytes(b"\xff\xfe\x00" * 50)
    page.set_input_files("#file", path)
    kept(page, "UTF-8", before)


def test_the_table_as_text_can_be_changed_there(page: Any) -> None:
    """The text is that of the file; a mistake in it is told with its line, and put right it is taken."""
    page.click("#text")
    area = page.locator("#toml")
    text = area.input_value()
    assert 'title = "Past the tower' in text
    area.fill(text.replace("files = 5", "files = 'five'"))
    page.click("button:text('Use this text')")
    expect(page.locator(".sheet .fault")).to_contain_text("units.A.files")
    area.fill(text.replace("files = 5", "files = 4"))
    page.click("button:text('Use this text')")
    page.wait_for_function("() => tabletop.store.scenario.units.A.files === 4")
    expect(page.locator("#toml")).to_have_count(0)


@pytest.mark.parametrize("name", GAMES)
def test_the_command_line_reads_the_link_of_the_page(page: Any, name: str) -> None:
    """The line and the address that the page makes hold the whole table."""
    laid(page, name)
    page.click("#link")
    line = page.input_value("#link-line")
    assert canonical(json.loads(linked(line))) == content(read_scenario(name))
    assert page.input_value("#link-address").partition("#")[2] == line


def test_the_page_reads_the_link_of_the_command_line(page: Any) -> None:
    """A link in the address is open at once, and leaves the address, so that loading again shows what was drawn
    since.
    """
    line = subprocess.run(
        [sys.executable, "-m", "tabletop", "link", "battletech/straight-run"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url + (request.post_data or "")))
    page.evaluate("(line) => { location.hash = line; }", line)
    page.wait_for_function("() => tabletop.store.scenario.system === 'battletech'")
    assert canonical(scenario(page)) == content(read_scenario("battletech/straight-run"))
    assert "#" not in page.url
    settled(page)
    assert not [url for url in asked if line in url]  # the link itself is sent nowhere


def test_a_link_is_there_before_anything_else(page: Any) -> None:
    """A page that is opened with a link shows its table first."""
    line = link_of(json.dumps(content(read_scenario("wh40k/ten-against-ten"))))
    other = page.context.new_page()
    other.goto(f"{page.url}#{line}")
    other.wait_for_function("() => tabletop.store.table")
    assert scenario(other)["system"] == "wh40k"


@pytest.mark.parametrize(
    ("spoiled", "sentence"),
    [
        (lambda line: line[:-40], "cut"),
        (lambda line: line[:50] + ("A" if line[50] != "A" else "B") + line[51:], "damaged"),
        (lambda line: line.replace("tt1.", "tt2."), "tt2."),
        (lambda line: line.replace("tt1.", "TT1."), "TT1."),
        (lambda _: "tt1", "cut"),
        (lambda _: "tt2.abcdefgh", "tt2."),
    ],
)
def test_a_link_that_cannot_be_read_has_its_sentence(
    page: Any, spoiled: Any, sentence: str
) -> None:
    """One that was cut, damaged or is of another format."""
    before = scenario(page)
    line = link_of(json.dumps(content(read_scenario("t9a/align-corner"))))
    page.evaluate("(line) => { location.hash = line; }", spoiled(line))
    kept(page, sentence, before)


def test_a_link_packs_any_letters(page: Any) -> None:
    """Names of all scripts come back as they were."""
    page.evaluate(
        "tabletop.store.change((draft) => { draft.title = 'Fluß, 城, \\u{1F409}'; }, 'title')"
    )
    page.click("#link")
    assert json.loads(linked(page.input_value("#link-line")))["title"] == "Fluß, 城, \U0001f409"


def test_a_pasted_link_is_opened(page: Any) -> None:
    """A link pasted onto the page opens; one pasted into a field is text."""
    line = link_of(json.dumps(content(read_scenario("conquest/the-least-turn"))))
    script = """(line) => {
        const data = new DataTransfer();
        data.setData("text/plain", line);
        document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
    }"""
    page.evaluate(script, line)
    page.wait_for_function("() => tabletop.store.scenario.system === 'conquest'")
