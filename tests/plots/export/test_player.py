"""The page that plays a charge: valid, alone in the world, readable without its script."""

import math
import re
from functools import cache
from html import escape
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from plots.export.film import Film, film
from plots.export.player import MOVE_SAMPLES, inline, movers, player
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
    return film(scenes.case_of(resolution.before, resolution.rulings[0].charge, title=title), resolution)


@cache
def page_of(module: object, title: str = "") -> str:
    """Write the page of a scene made by hand."""
    return player(film_of(module, title))


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
        """Give the attributes of all elements of a kind."""
        return [attributes for name, attributes in self.found if name == tag]


@pytest.mark.parametrize("module", [scenes, loose, hexed])
def test_the_page_is_whole(module: object) -> None:
    """Every element is closed, every id is there once, every reference leads to one, every picture has title and description."""
    made = film_of(module, "Corners & <edges>")
    text = page_of(module, "Corners & <edges>")
    page = Page(text)
    ids = [attributes["id"] for _, attributes in page.found if attributes.get("id")]
    assert len(ids) == len(set(ids))
    used = {*re.findall(r"url\(#([^)]+)\)", text), *re.findall(r'xlink:href="#([^"]+)"', text)}
    used |= {name for attributes in page.of("svg") for name in (attributes["aria-labelledby"] or "").split()}
    assert used <= set(ids)
    assert len(page.of("svg")) == len(page.of("desc")) == len(page.of("h2")) == len(made.shots)
    assert all(attributes["role"] == "img" for attributes in page.of("svg"))
    assert page.of("html") == [{"lang": "en"}]
    assert "<title>Corners &amp; &lt;edges&gt;</title>" in text


def test_words_of_every_outcome_can_be_read() -> None:
    """They are white, so that each has a ground of its own."""
    grounds = dict(re.findall(r"[.](\w+) strong { background: (#\w+); }", page_of(scenes)))
    assert grounds.keys() == set(OUTCOME_NAMES)
    assert len(set(grounds.values())) == len(OUTCOME_NAMES)


def test_the_page_needs_no_network_and_no_script() -> None:
    """Nothing is loaded, nothing may be; without the script every step is in sight, with words and outcome."""
    text = page_of(scenes)
    page = Page(text)
    assert not [tag for tag, attributes in page.found if {"src", "href"} & attributes.keys()]
    outside = set(re.findall(r'https?://[^\s"<]+', text))
    assert outside <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "default-src 'none'" in text
    assert not [attributes for attributes in page.of("li") if "hidden" in attributes or "style" in attributes]
    shown = re.findall(r"<figcaption>.*?<p>([^<]*)</p></figcaption>", text, flags=re.DOTALL)
    told = [escape(clean(shot.panel.text)) for shot in film_of(scenes).shots]
    assert len(told) > 3
    assert shown == [words for words in told if words]
    assert '<p class="outcome success"><strong>Success</strong>' in text
    assert "prefers-reduced-motion: reduce" in text
    assert {attributes["data-do"] for attributes in page.of("button")} == {"first", "back", "play", "next", "last"}


@pytest.mark.parametrize("module", [scenes, loose, hexed])
def test_what_moves_goes_where_the_engine_moves_it(module: object) -> None:
    """The places of each mover begin and end at those of its steps, in points of the page, and headings never jump."""
    made = film_of(module)
    frame = made.bare.shown[0].frame
    found = re.findall(r'data-places="([^"]+)"', page_of(module))
    steps = [move.step for shot in made.shots for one in movers(shot) for _, move in one.moves]
    ways = [way for words in found for way in words.split("|")]
    assert len(ways) == len(steps) > 0
    for step, way in zip(steps, ways, strict=True):
        places = np.array([[float(part) for part in place.split(",")] for place in way.split(" ")])
        assert places.shape == (MOVE_SAMPLES + 1, 3)
        for pose, place in ((step.start, places[0]), (step.end, places[-1])):
            assert isinstance(pose, Pose)
            x, y = frame.to_panel(pose.at)
            assert place[:2] == pytest.approx([72 * (frame.x + x), 72 * (frame.y + frame.height - y)], abs=0.01)
            assert math.remainder(math.radians(place[2]) + pose.heading, math.tau) == pytest.approx(0.0, abs=1e-3)
        assert np.abs(np.diff(places[:, 2])).max() < 30.0


@pytest.mark.parametrize("theme", ["screen", "print"])
@pytest.mark.parametrize("module", [scenes, loose, hexed])
def test_no_disc_is_left_without_its_number(module: Any, theme: str) -> None:
    """Of the page of a figure a player keeps ruler, key and the panel's edge: no disc of a sentence, no box, no line of a footer."""
    resolution = module.charge_resolution()
    made = film(scenes.case_of(resolution.before, resolution.rulings[0].charge), resolution, setting=setting(theme=theme))
    assert module is not scenes or any(mark.id.startswith("callout.") for mark in made.bare.marks)
    text = player(made)
    assert not re.findall(r'id="s\d+-(?:callout|caption|outcome|title|footer[.]rule)[^"]*"', text)
    assert len(re.findall(r'id="s\d+-film[.]edge"', text)) == (len(made.shots) if theme == "print" else 0)


def test_bodies_are_drawn_about_their_own_place() -> None:
    """The boundary of a regiment, put back at its pose, has the corners of its rectangle."""
    made = film_of(scenes)
    shot = next(shot for shot in made.shots if shot.moves)
    frame = made.bare.shown[0].frame
    (mover,) = movers(shot)
    assert mover.name == "A"
    element = re.search(r'<g class="mover".*?</g>', page_of(scenes), re.DOTALL)
    assert element is not None
    numbers = [
        np.array([float(part) for part in re.findall(r"-?\d+\.\d+", data)]).reshape(-1, 2)
        for data in re.findall(r' d="([^"]+)"', element[0])
    ]
    unit = shot.scene.state.units["A"]
    half, deep = unit.width / 2 * frame.scale * 72, unit.depth * frame.scale * 72
    corners = {(round(x), round(y)) for ring in numbers for x, y in ring}
    assert {(0, round(half)), (0, round(-half)), (round(-deep), round(half)), (round(-deep), round(-half))} <= corners


def test_an_element_of_html_has_names_of_its_own() -> None:
    """Ids, references and styles of one picture do not meet those of another, and nothing of a file's prologue is left."""
    svg = (
        '<?xml version="1.0"?>\n<!DOCTYPE svg>\n<svg xmlns:xlink="x" width="10pt" height="9pt" viewBox="0 0 10 9" xmlns="y" version="1.1" '
        'role="img" aria-labelledby="a.title a.desc">\n<title id="a.title">T</title><metadata>\n<dc:date/></metadata>'
        '<style type="text/css">*{stroke: red}</style><g id="figure_1"><use xlink:href="#q"/>'
        '<path id="q" d="M 0 0" clip-path="url(#c)"/></g></svg>'
    )
    assert '<path d="" id="s1-space"/>' in inline(svg.replace("<use", '<path id="space"/><use'), "s1")
    element = inline(svg, "s1", top=2.0)
    assert element == (
        '<svg viewBox="0 2 10 7" role="img" aria-labelledby="s1-a.title s1-a.desc">\n<title id="s1-a.title">T</title>'
        '<style>#s1-figure_1 *{stroke: red}</style><g id="s1-figure_1"><use xlink:href="#s1-q"/>'
        '<path id="s1-q" d="M 0 0" clip-path="url(#s1-c)"/></g></svg>'
    )


def test_the_page_speaks_the_language_and_wears_the_theme() -> None:
    """Buttons and their help are words of the catalogue, colours those of the theme."""
    resolution = scenes.failed_resolution()
    case = scenes.case_of(resolution.before, resolution.rulings[0].charge)
    text = player(film(case, resolution, setting=setting(language="german", theme="dark")))
    page = Page(text)
    assert page.of("html") == [{"lang": "de"}]
    assert {"Erster Schritt", "Nächster Schritt"} <= {attributes.get("aria-label") for attributes in page.of("button")}
    assert "Schritt {number} von {count}" in text
    assert "color-scheme: dark" in text
    assert "Next step" not in text


def test_names_are_names_whatever_they_look_like() -> None:
    """What looks like HTML, a formula, a script or a command to a terminal is a name, in pictures, words and what moves."""
    names = ('A"<b>&', "</script>$x$\x1b[1m\u202e")
    resolution = scenes.charge_resolution(names=names)
    case = scenes.case_of(resolution.before, resolution.rulings[0].charge, title="<img src=x onerror=alert(1)>")
    made = film(case, resolution)
    text = player(made)
    page = Page(text)
    assert not page.of("img")
    assert not page.of("b")
    assert len(page.of("script")) == 1
    assert "\x1b" not in text
    assert [shot.actors for shot in made.shots if shot.moves] == [(names[0],)] * 4
    assert len([attributes for attributes in page.of("g") if attributes.get("class") == "actor"]) > 0
