"""SVG as a document: words as text with their font, circles as circles, and few bytes."""

import base64
import io
import math
import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont
from matplotlib.path import Path as Curve

from plots import animate, draw, setting
from plots.layout import text
from plots.render.vector import circle_of, edited, relative
from tabletop.api import resolve
from tabletop.ruling.verdict import Resolution
from tabletop.scenario.reading import read_case
from tabletop.table.models import RoundBase, Squad
from tests.plots import hexed, loose
from tests.plots.scenes import case_of, charge_resolution

SVG = "{http://www.w3.org/2000/svg}"
HEXES = "battletech/behind-a-wall"
"""The bundled scenario with the most hexes in the most steps."""


def written(resolution: Resolution, folder: Path, *, text: str | None = None) -> str:
    """Draw a resolution and give the document."""
    case = case_of(resolution.before, resolution.rulings[0].charge, title="Títle & <b>")
    draw(case, resolution, folder / "a.svg", setting=setting(text=text))
    return (folder / "a.svg").read_text("utf-8")


@pytest.mark.parametrize("resolution", [charge_resolution(), loose.charge_resolution(), hexed.charge_resolution()])
def test_words_are_text_and_their_letters_are_in_the_file(resolution: Resolution, tmp_path: Path) -> None:
    """Every line can be searched and edited, its font is named in one rule, and a subset of it holds all letters in both weights."""
    svg = written(resolution, tmp_path)
    root = ET.fromstring(svg)  # noqa: S314 - written by the test
    assert "Títle & <b>" in {element.text for element in root.iter(f"{SVG}text")}
    faces = re.findall(r'font-family: "([\w ]+)"; font-weight: (\w+); src: url\(data:font/woff;base64,([^)]+)\)', svg)
    spare = [weight for family, weight, _ in faces if family == "DejaVu Sans"]
    assert [weight for family, weight, _ in faces if family == "Open Sans"] == ["normal", "bold"]
    assert svg.count("font-family: ") == 3 + len(spare), "the faces and the rule that names them"
    assert svg.count("@font-face") == 2 + ("normal" in spare) == 2 + ("\N{UPWARDS ARROW}" in svg)
    known: dict[str, set[int]] = {"normal": set(), "bold": set()}
    for _, weight, data in faces:
        with TTFont(io.BytesIO(base64.b64decode(data))) as font:
            known[weight] |= set(font.getBestCmap())
            assert len(font["glyf"].glyphs) < 150
    for element in root.iter(f"{SVG}g"):
        for line in element.findall(f"{SVG}text"):
            weight = line.get("font-weight", element.get("font-weight", "normal"))
            assert {ord(letter) for letter in line.text or ""} <= known[weight]
    assert not [element for element in root.iter(f"{SVG}use") if "DejaVu" in str(element.attrib)]


def test_a_style_sheet_changes_all_words() -> None:
    """No text has a style of its own: its looks are attributes, which any rule overrules."""
    looks = "font: 700 8px 'DejaVu Sans'; text-anchor: middle; fill: #595959"
    old = f'<g id="text_1">\n<text style="{looks}" x="1" y="2" transform="rotate(-0 1 2)">A</text>\n</g>'
    new = '<text style="font-size: 7px; font-family: \'DejaVu Sans\'; text-anchor: start" transform="translate(3 4) rotate(-90)">B</text>'
    found = edited(f"{old}{new}", {}, is_text=True)
    assert found == (
        '<text font-weight="bold" font-size="8" text-anchor="middle" fill="#595959" x="1" y="2">A</text>'
        '<text font-size="7" transform="translate(3 4) rotate(-90)">B</text>'
    )


def test_a_file_says_everything_once(tmp_path: Path) -> None:
    """Looks are attributes, a panel is cut as a whole, and there is neither a document type nor a name space that nothing is of."""
    svg = written(charge_resolution(), tmp_path)
    assert " style=" not in svg
    assert re.findall(r'<g id="([^"]*)"[^>]* clip-path=', svg) == ["before", "after"]
    assert svg.count("clip-path=") == 2
    assert not re.findall(r"<!DOCTYPE|rdf:|xlink", svg)
    assert 'stroke-width="0' not in svg


def test_words_may_be_outlines(tmp_path: Path) -> None:
    """As outlines they need no font, and there is none."""
    svg = written(hexed.charge_resolution(), tmp_path, text="outlines")
    assert "<text" not in svg
    assert "@font-face" not in svg
    assert len(svg) > 2 * len(written(hexed.charge_resolution(), tmp_path))


def test_a_label_is_one_group(tmp_path: Path) -> None:
    """Its paper and its words are moved together, and keep their names."""
    root = ET.fromstring(written(charge_resolution(), tmp_path))  # noqa: S314 - written by the test
    label = next(element for element in root.iter() if element.get("id") == "unit-A-label")
    assert [child.get("id") for child in label] == ["unit-A-label-paper", None]
    assert [element.text for element in label.iter(f"{SVG}text")] == ["A"]


def test_lines_have_room_to_spare() -> None:
    """What is laid out is five per cent wider than our own font: others differ."""
    line = "Rules, with the margin by which each is kept"
    assert text.width(line, 8.0) == pytest.approx(1.05 * text.drawn_width(line, 8.0))
    outline = text.outline(line, 8.0).get_extents()
    assert outline.width == pytest.approx(text.drawn_width(line, 8.0), rel=0.02)


def test_round_bases_are_circles(tmp_path: Path) -> None:
    """Each has the diameter of its base at the scale that the figure says."""
    resolution = loose.charge_resolution()
    svg = written(resolution, tmp_path)
    found = re.search(r">Scale 1 : ([\d.]+)<", svg)
    assert found is not None
    elements = {element.get("id"): element for element in ET.fromstring(svg).iter()}  # noqa: S314 - written by the test
    squads = [unit for unit in resolution.before.units.values() if isinstance(unit, Squad)]
    bases = [(unit.name, model.number, model.base) for unit in squads for model in unit.models if isinstance(model.base, RoundBase)]
    assert bases
    for name, number, base in bases:
        circle = elements[f"model-{name}-{number}"]
        assert circle.tag == f"{SVG}circle"
        assert float(circle.get("r", "")) == pytest.approx(base.diameter / 2 / float(found[1]) * 72, abs=0.02)


def ring(corners: int, *, squeezed: float = 1.0, share: float = 1.0) -> str:
    """Write a polygon with its corners on an ellipse, or on a part of it."""
    turns = [share * math.tau * number / corners for number in range(corners)]
    places = [f"{50 + 20 * math.cos(turn):.2f} {60 + 20 * squeezed * math.sin(turn):.2f}" for turn in turns]
    return f"M {' L '.join(places)} z"


@pytest.mark.parametrize(
    ("path", "is_circle"),
    [
        (ring(40), True),
        (ring(16), True),
        (ring(6), False),
        (ring(40, squeezed=0.98), False),
        (ring(40, share=0.9), False),
        (ring(40).removesuffix(" z"), False),
        ("M 0 0 L 1 0 L 1 1 L 0 1 z", False),
    ],
)
def test_what_is_round_is_a_circle(path: str, *, is_circle: bool) -> None:
    """A polygon of many corners on a circle is one; a hexagon, an oval, a piece and an open line are not."""
    assert (circle_of(path) == 'cx="50" cy="60" r="20"') is is_circle


def test_curves_that_make_a_circle_are_one() -> None:
    """The disc that marks a pivot is written as eight curves."""
    disc = Curve.circle((50.0, 60.0), 20.0)
    places = [f"{x:.2f} {y:.2f}" for x, y in np.asarray(disc.vertices).tolist()[:-1]]
    curves = [f"C {' '.join(places[start : start + 3])}" for start in range(1, len(places), 3)]
    assert circle_of(" ".join([f"M {places[0]}", *curves, "z"])) == 'cx="50" cy="60" r="20"'


def test_a_board_of_hexes_is_small(tmp_path: Path) -> None:
    """All steps on a board of hexes stay under 300 kB, the page that plays them under 1 MB."""
    case = read_case(HEXES)
    resolution = resolve(case)
    draw(case, resolution, tmp_path / "steps.svg", view="steps")
    animate(case, resolution, tmp_path / "play.html")
    assert (tmp_path / "steps.svg").stat().st_size < 300_000
    assert (tmp_path / "play.html").stat().st_size < 1_000_000


def drawn(data: str) -> list[tuple[str, list[tuple[float, float]]]]:
    """Give what a pen draws of a path, as somebody else reads it."""
    pen = RecordingPen()
    parse_path(data, pen)
    return [(word, list(places)) for word, places in pen.value]


def at_random(seed: int) -> str:
    """Write a path of absolute commands with all kinds of steps, in hundredths as a document has them."""
    chance = random.Random(seed)  # noqa: S311 - a test

    def places(count: int) -> str:
        return " ".join(f"{chance.choice((-3, 0, 0, 2.5, -0.01, 117.93, 400)) + chance.choice((0, 0, 0.25)):g}" for _ in range(2 * count))

    commands = [("L", 1), ("L", 1), ("L", 1), ("C", 3), ("Q", 2)]
    parts = []
    for _ in range(chance.randint(1, 3)):
        steps = [f"{word} {places(count)}" for word, count in (chance.choice(commands) for _ in range(chance.randint(1, 9)))]
        parts.append(" ".join([f"M {places(1)}", *steps, *(["z"] if chance.random() < 0.5 else [])]))
    return " ".join(parts)


@pytest.mark.parametrize("seed", range(60))
def test_a_path_draws_the_same(seed: int) -> None:
    """Whatever its steps are, a pen comes to the same places, however long the path is."""
    before, after = drawn(at_random(seed)), drawn(relative(at_random(seed)))
    assert [word for word, _ in after] == [word for word, _ in before]
    for (_, old), (_, new) in zip(before, after, strict=True):
        assert all(math.dist(one, other) < 1e-6 for one, other in zip(old, new, strict=True))


@pytest.mark.parametrize(
    ("data", "short"),
    [
        ("M 0 0 L 0 0 z", "M0 0h0z"),
        ("M 1 1 L 1 3 L 1 2 L 5 2", "M1 1v2-1h4"),
        ("M 1 1 L 2 3 z M 4 4 L 3 3 z", "M1 1l1 2zM4 4l-1-1z"),
        ("M 1 1 L 2 3 z L 4 4", "M1 1l1 2zl3 3"),
        ("M 9 9 M 1 1 L 0.5 0.75", "M9 9M1 1l-.5-.25"),
        ("M 1 1 C 2 1 3 2 3 3 C 3 4 2 5 1 5", "M1 1c1 0 2 1 2 2 0 1-1 2-2 2"),
        ("", ""),
    ],
)
def test_a_command_that_goes_on_is_left_out(data: str, short: str) -> None:
    """Level and upright lines have one number; behind its end a path goes on where it began; two moves are never one."""
    assert relative(data) == short
