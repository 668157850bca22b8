"""The page that plays a charge: valid, alone in the world, readable without its script; its pictures are painted in
tests/page/browser.
"""

import base64
import io
import json
import math
import re
from dataclasses import replace
from functools import cache
from html import escape
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from fontTools.ttLib import TTFont

from plots.export.film import Film, film
from plots.export.player import MOVE_SAMPLES, bodies_of, player
from plots.layout.setting import setting
from plots.layout.text import clean
from plots.marks.theme import OUTCOME_NAMES
from tabletop.geometry.pose import Pose
from tests.plots import hexed, loose, scenes

VOID = {"meta", "input", "br", "img", "link", "hr"}


@cache
def film_of(module: object, title: str = "") -> Film:
    """Lay out the film of a scene made by hand."""
    resolution = module.charge_resolution()  # type: ignore[attr-defined]
    return film(
        scenes.case_of(resolution.before, resolution.rulings[0].charge, title=title), resolution
    )


@cache
def page_of(module: object, title: str = "") -> str:
    """Write the page of a scene made by hand."""
    return player(film_of(module, title))


def data_of(text: str) -> Any:
    """Read what the script of a page paints."""
    return json.loads(text.partition('id="film">')[2].partition("</script>")[0])


class Page(HTMLParser):
    """Collects the elements of a page, and checks that each is closed in turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.found.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), f"an attribute twice: {tag} {attrs}"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that closes itself."""
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Close the last element."""
        assert self.open.pop() == tag

    def of(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of all elements of a kind."""
        return [attributes for name, attributes in self.found if name == tag]


@pytest.mark.parametrize("module", [scenes, loose, hexed])
def test_the_page_is_whole(module: object) -> None:
    """Every element is closed, every id is there once, every reference leads to one, every picture has title and
    description.
    """
    made = film_of(module, "Corners & <edges>")
    text = page_of(module, "Corners & <edges>")
    page = Page(text)
    ids = [attributes["id"] for _, attributes in page.found if attributes.get("id")]
    assert len(ids) == len(set(ids))
    pictures = [attributes for attributes in page.of("svg") if "role" in attributes]
    assert {
        name for attributes in pictures for name in (attributes["aria-labelledby"] or "").split()
    } <= set(ids)
    data = data_of(text)
    assert all(mark < len(data["marks"]) for shot in data["shots"] for mark in shot["marks"])
    assert {mark["role"] for mark in data["marks"]} <= data["roles"]["light"].keys()
    assert (
        len(pictures)
        == len(page.of("desc"))
        == len(page.of("h2"))
        == len(data["shots"])
        == len(made.shots)
    )
    assert all(attributes["role"] == "img" for attributes in pictures)
    assert page.of("html") == [{"lang": "en"}]
    assert "<title>Corners &amp; &lt;edges&gt;</title>" in text


def test_words_of_every_outcome_can_be_read() -> None:
    """They are white, so that each has a ground of its own."""
    grounds = dict(re.findall(r"[.](\w+) strong { background: (#\w+); }", page_of(scenes)))
    assert grounds.keys() == set(OUTCOME_NAMES)
    assert len(set(grounds.values())) == len(OUTCOME_NAMES)


def test_the_page_needs_no_network_and_no_script() -> None:
    """Nothing is loaded, nothing may be; without the script the words of every step are in sight, the outcome, and the
    last picture.
    """
    text = page_of(scenes)
    page = Page(text)
    (picture,) = page.of("img")
    assert (picture["src"] or "").startswith("data:image/svg+xml;base64,")
    assert picture["alt"]
    assert not [
        tag
        for tag, attributes in page.found
        if {"src", "href"} & attributes.keys() and tag != "img"
    ]
    assert set(re.findall(r'https?://[^\s"<]+', text)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text
    assert not [
        attributes
        for attributes in page.of("li")
        if "hidden" in attributes or "style" in attributes
    ]
    shown = re.findall(r"<figcaption>.*?<p>([^<]*)</p></figcaption>", text, flags=re.DOTALL)
    told = [escape(clean(shot.panel.text)) for shot in film_of(scenes).shots]
    assert len(told) > 3
    assert shown == [words for words in told if words]
    assert '<p class="outcome success"><strong>Success</strong>' in text
    assert "prefers-reduced-motion: reduce" in text
    assert {attributes["data-do"] for attributes in page.of("button")} == {
        "first",
        "back",
        "play",
        "next",
        "last",
    }


@pytest.mark.parametrize("module", [scenes, loose, hexed])
def test_what_moves_goes_where_the_engine_moves_it(module: object) -> None:
    """The places of each mover begin and end at those of its steps, in points of the page, and headings never jump."""
    made = film_of(module)
    shots = data_of(page_of(module))["shots"]
    told = [
        (number, move)
        for shot in shots
        for body in shot["bodies"]
        for number, move in body["moves"]
    ]
    meant = [
        (number, move)
        for shot in made.shots
        for body in bodies_of(shot)
        for number, move in body.moves
    ]
    assert [number for number, _ in told] == [number for number, _ in meant]
    assert len(told) > 0
    for (_, way), (_, step) in zip(told, meant, strict=True):
        places = np.array(way)
        assert places.shape == (MOVE_SAMPLES + 1, 3)
        for pose, place in ((step.start, places[0]), (step.end, places[-1])):
            assert isinstance(pose, Pose)
            assert place[:2] == pytest.approx(pose.at, abs=1e-4)
            assert math.remainder(math.radians(place[2]) - pose.heading, math.tau) == pytest.approx(
                0.0, abs=1e-5
            )
        assert np.abs(np.diff(places[:, 2])).max() < 30.0


def test_bodies_stand_where_their_unit_does() -> None:
    """The outline of a regiment that moves is its boundary at the beginning of the shot, told once, however many moves
    follow.
    """
    made = film_of(scenes)
    shots = [shot for shot in made.shots if shot.moves]
    told = [shot for shot in data_of(page_of(scenes))["shots"] if shot["bodies"]]
    assert len(told) == len(shots) > 0
    for shot, data in zip(shots, told, strict=True):
        (body,) = data["bodies"]
        unit = shot.first.units["A"]
        assert (body["name"], data["count"]) == ("A", len(shot.moves))
        assert body["at"][:2] == pytest.approx(unit.pose.at, abs=1e-4)
        corners = np.array(unit.boundary.outline())
        rings = [
            np.array(ring)
            for mark in body["marks"]
            for ring in mark.get("rings", ())
            if len(ring) == len(corners)
        ]
        assert any(np.allclose(ring, corners, atol=1e-4) for ring in rings)


def test_letters_of_all_words_are_in_the_font() -> None:
    """Also those of the footer, which no picture has."""
    made = film_of(scenes)
    text = player(
        replace(made, picture=replace(made.picture, footer="\N{GREEK CAPITAL LETTER OMEGA}mega"))
    )
    fonts = [
        TTFont(io.BytesIO(base64.b64decode(font)))
        for font in re.findall(r"font/woff;base64,([^)]+)", text.partition("</style>")[0])
    ]
    assert any(ord("\N{GREEK CAPITAL LETTER OMEGA}") in font.getBestCmap() for font in fonts)


def test_the_page_speaks_the_language_and_wears_the_theme() -> None:
    """Buttons and their help are words of the catalogue, colours those of the theme."""
    resolution = scenes.failed_resolution()
    case = scenes.case_of(resolution.before, resolution.rulings[0].charge)
    text = player(film(case, resolution, setting=setting(language="german", theme="dark")))
    page = Page(text)
    assert page.of("html") == [{"lang": "de"}]
    assert {"Erster Schritt", "Nächster Schritt"} <= {
        attributes.get("aria-label") for attributes in page.of("button")
    }
    assert "Schritt {number} von {count}" in text
    assert "color-scheme: dark" in text
    assert "Next step" not in text


def test_names_are_names_whatever_they_look_like() -> None:
    """What looks like HTML, a formula, a script or a command to a terminal is a name, in pictures, words and what
    moves.
    """
    names = ('A"<b>&', "</script>$x$\x1b[1m\u202e")
    resolution = scenes.charge_resolution(names=names)
    case = scenes.case_of(
        resolution.before, resolution.rulings[0].charge, title="<img src=x onerror=alert(1)>"
    )
    made = film(case, resolution)
    text = player(made)
    page = Page(text)
    assert [attributes["src"] for attributes in page.of("img")] != ["x"]
    assert not page.of("b")
    assert [attributes.get("type") for attributes in page.of("script")] == [
        "application/json",
        "module",
    ]
    assert "\x1b" not in text
    assert [shot.actors for shot in made.shots if shot.moves] == [(names[0],)] * 4
    data = data_of(text)
    assert any(mark.get("of") == ["unit", names[0]] for mark in data["marks"])
    assert all(body["name"] == names[0] for shot in data["shots"] for body in shot["bodies"])
