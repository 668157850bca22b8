"""The language of the page: that which the browser asks for, whole, in what stands in its files and in what its server
says.
"""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest

from tabletop.catalogue import translates
from tabletop.language.language import GAMES, PAGE
from tabletop.language.speech import asked_by
from tabletop.messages import key_of
from tabletop.page import answers
from tabletop.page.app import SAID, STATIC
from tests.languages import LANGUAGE, said_by_part
from tests.page.conftest import served
from tests.page.test_routes import scenario

SAYING = re.compile(r"\bsay`((?:[^`\\]|\\.)*)`")
FILLED = re.compile(r"\$\{[^{}`]*\}")
GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}


def templates(source: str) -> set[str]:
    """Return the keys of what a module of the page says."""
    found = set()
    for text in SAYING.findall(source):
        places = iter(range(1, 100))
        key = FILLED.sub(lambda _: f"{{{next(places)}}}", text)  # noqa: B023 - it is called here and now
        assert "${" not in key, f"what is filled in is too long to be read: {text}"
        found.add(re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), key))
    return found


def labels(node: Any) -> set[str]:
    """Return the keys of scenario files, and the words that they may be, of a JSON Schema."""
    if isinstance(node, list):
        return set().union(*map(labels, node))
    if not isinstance(node, dict):
        return set()
    own = {
        *node.get("properties", {}),
        *(one for one in node.get("enum", ()) if isinstance(one, str)),
    }
    return own.union(*map(labels, node.values()))


def said_by_the_page() -> set[str]:
    """Return the keys of all that the page says."""
    scripts = (path.read_text("utf-8") for path in sorted(STATIC.glob("*.js")))
    page = set(SAID.findall((STATIC / "index.html").read_text("utf-8")))
    return page.union(*map(templates, scripts))


def known_labels() -> set[str]:
    """Return all keys and words of scenario files that the page's form may show."""
    readings = [reading for game in GAMES for reading in answers.readings(game)]
    values = {
        value for reading in readings for value in reading["values"] or () if isinstance(value, str)
    }
    return labels(answers.schema()) | {reading["key"] for reading in readings} | values


@LANGUAGE
def test_all_that_the_page_says_has_a_translation(language: str) -> None:
    """Whatever a script may show, whether a test comes there or not."""
    said = said_by_the_page()
    assert len(said) > 300
    assert sorted(said - said_by_part(language, PAGE).keys()) == []


@LANGUAGE
def test_translations_are_of_what_the_page_says(language: str) -> None:
    """Of its texts, and of keys and words of scenario files; each fills in what its text does."""
    known = said_by_part(language, PAGE)
    names = known_labels() | {"bulldozer"}  # the only value of its key
    values = {f"{key}.{value}" for key in names for value in names}  # of one key alone
    assert sorted(known.keys() - said_by_the_page() - names - values) == []
    assert [
        key for key, told in known.items() if not translates(told, key, {}) or key_of(key) != key
    ] == []


@LANGUAGE
def test_labels_have_translations(language: str) -> None:
    """A form shows no English label, unless the word is the same."""
    assert sorted(known_labels() - said_by_part(language, PAGE).keys()) == []


def test_no_text_stands_bare_in_the_page() -> None:
    """What a person reads of `index.html` stands between braces, so that it can be said in other languages."""
    bare: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            del tag
            bare.extend(
                value
                for key, value in attrs
                if key in ("title", "aria-label", "data-label", "placeholder") and value
            )

        def handle_data(self, data: str) -> None:
            bare.append(data.strip())

    Reader().feed((STATIC / "index.html").read_text("utf-8"))
    assert {text for text in bare if text and not SAID.fullmatch(text)} == {
        "tabletop",
        '{"said": {}, "decimal": "."}',
    }


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de", "german"),
        ("de-CH", "german"),
        ("DE;q=0.9, nl", "german"),
        ("nl, de;q=0.2, en;q=0.1", "german"),
        ("en-GB,en;q=0.9,de;q=0.8", None),
        ("de;q=0.1, en", None),
        ("de;q=0", None),
        ("fr-CA, de;q=0.8", "french"),
        ("nl", None),
        ("*", None),
        ("", None),
        (";;q=,,=de=;q=9" * 50, "german"),
    ],
)
def test_languages_are_chosen_as_browsers_rank_them(header: str, language: str | None) -> None:
    """The one that is wanted most of those that there are; whatever else a caller sends is no error."""
    assert asked_by(header) == language


@pytest.mark.xdist_group("page")
def test_every_answer_is_in_the_language_of_who_asks(server: httpx.Client) -> None:
    """The page itself, rulings, figures, what is wrong with a table, and what is refused; the next asks in English and
    is answered so.
    """
    table = scenario(server)
    page = server.get("/", headers=GERMAN).text
    assert '<html lang="de">' in page
    assert "Zum Tisch" in page
    assert "{{" not in page
    told = server.post("/api/resolve", json={"scenario": table}, headers=GERMAN).json()
    assert told["badges"][0]["words"] == "Erfolg"
    assert told["badges"][0]["who"] == "A greift B an"
    assert told["sentences"][0].startswith("A greift die Front von B an")
    assert "Erfolg" in told["figure"]["alt"]
    assert "Kontakt" in told["rulings"][0]["findings"][0]["text"] + told["badges"][0]["why"]
    wrong = server.post(
        "/api/resolve", json={"scenario": {**table, "board": 3}}, headers=GERMAN
    ).json()
    assert wrong["error"].startswith("board: erwartet:")
    assert wrong["faults"][0]["message"].startswith("erwartet:")
    assert (
        server.get("/api/nothing", headers=GERMAN).json()["error"]
        == "unter dieser Adresse ist nichts"
    )
    assert (
        server.get("/api/scenarios/t9a/nothing", headers=GERMAN)
        .json()["error"]
        .startswith("kein mitgeliefertes Szenario")
    )
    assert (
        server.get("/api/health", headers={**GERMAN, "Host": "elsewhere"})
        .json()["error"]
        .startswith("dieser Server")
    )
    english = server.post("/api/resolve", json={"scenario": table}).json()
    assert english["badges"][0]["words"] == "Success"
    assert '<html lang="en">' in server.get("/").text


@pytest.mark.slow
def test_the_language_of_the_command_goes_before_that_of_the_browser(tmp_path: Path) -> None:
    """Also one of a file of one's own: what it does not have stays English."""
    own = tmp_path / "words.toml"
    english = (
        Path("tabletop/language/english.toml")
        .read_text("utf-8")
        .replace('code = "en"', 'code = "nl"')
    )
    own.write_text(english + '\n[said]\n"Skip to the table" = "Naar de tafel"\n', "utf-8")
    with (
        served("--language", str(own)) as (_, address),
        httpx.Client(base_url=address, timeout=60.0) as client,
    ):
        page = client.get("/", headers=GERMAN).text
        assert '<html lang="nl">' in page
        assert "Naar de tafel" in page
        assert "Ruling and tools" in page
