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
from plots.render.svg import circle_of, data_of
from tabletop.api import resolve
from tabletop.ruling.verdict import Resolution
from tabletop.scenario.reading import read_case
from tabletop.table.models import RoundBase, Squad
from tests.plots import hexed, loose
from tests.plots.scenes import case_of, charge_resolution

SVG = "{http://www.w3.org/2000/svg}"
STEPS: list[list[int]] = [[int(Curve.LINETO)], [int(Curve.CURVE3)] * 2, [int(Curve.CURVE4)] * 3]
LETTER = {
    Curve.MOVETO: "M",
    Curve.LINETO: "L",
    Curve.CURVE3: "Q",
    Curve.CURVE4: "C",
    Curve.CLOSEPOLY: "z",
}
HEXES = "battletech/behind-a-wall"
"""The bundled scenario with the most hexes in the most steps."""


def written(resolution: Resolution, folder: Path, *, text: str | None = None) -> str:
    """Draw a resolution and give the document."""
    case = case_of(resolution.before, resolution.rulings[0].charge, title="Títle & <b>")
    draw(case, resolution, folder / "a.svg", setting=setting(text=text))
    return (folder / "a.svg").read_text("utf-8")


@pytest.mark.parametrize(
    "resolution", [charge_resolution(), loose.charge_resolution(), hexed.charge_resolution()]
)
def test_words_are_text_and_their_letters_are_in_the_file(
    resolution: Resolution, tmp_path: Path
) -> None:
    """Every line can be searched and edited, its font is named in one rule, and a subset of it holds all letters in
    both weights.
    """
    svg = written(resolution, tmp_path)
    root = ET.fromstring(svg)  # noqa: S314 - written by the test
    assert "Títle & <b>" in {element.text for element in root.iter(f"{SVG}text")}
    faces = re.findall(
        r'font-family: "([\w ]+)"; font-weight: (\w+); src: url\(data:font/woff;base64,([^)]+)\)',
        svg,
    )
    spare = [weight for family, weight, _ in faces if family == "DejaVu Sans"]
    assert [weight for family, weight, _ in faces if family == "Open Sans"] == ["normal", "bold"]
    assert [weight for family, weight, _ in faces if family == "Pagella Titles"] == ["bold"]
    assert svg.count("font-family: ") == 5 + len(spare), (
        "the faces and the two rules that name them"
    )
    assert svg.count("@font-face") == 3 + ("normal" in spare) == 3 + ("\N{UPWARDS ARROW}" in svg)
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


def test_a_style_sheet_changes_all_words(tmp_path: Path) -> None:
    """No text has a style or a font of its own: its looks are attributes, which any rule overrules."""
    root = ET.fromstring(written(charge_resolution(), tmp_path))  # noqa: S314 - written by the test
    words = list(root.iter(f"{SVG}text"))
    assert len(words) > 10
    assert not [word for word in words if {"style", "font-family", "font"} & word.attrib.keys()]
    assert {word.get("class") for word in words} == {None, "title-face"}, (
        "the serif of titles is a rule of a class"
    )


def test_a_file_says_everything_once(tmp_path: Path) -> None:
    """Looks are attributes, a panel is cut as a whole, and there is neither a document type nor a name space that
    nothing is of.
    """
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
    bases = [
        (unit.name, model.number, model.base)
        for unit in squads
        for model in unit.models
        if isinstance(model.base, RoundBase)
    ]
    assert bases
    for name, number, base in bases:
        circle = elements[f"model-{name}-{number}"]
        assert circle.tag == f"{SVG}circle"
        assert float(circle.get("r", "")) == pytest.approx(
            base.diameter / 2 / float(found[1]) * 72, abs=0.02
        )


def ring(corners: int, *, squeezed: float = 1.0, share: float = 1.0) -> Curve:
    """Make a polygon with its corners on an ellipse, or on a part of it."""
    turns = [share * math.tau * number / corners for number in range(corners)]
    places = [(50 + 20 * math.cos(turn), 60 + 20 * squeezed * math.sin(turn)) for turn in turns]
    return Curve([*places, places[0]], closed=True)


@pytest.mark.parametrize(
    ("path", "is_circle"),
    [
        (ring(40), True),
        (ring(16), True),
        (ring(6), False),
        (ring(40, squeezed=0.98), False),
        (ring(40, share=0.9), False),
        (Curve(ring(40).vertices), False),
        (Curve.circle((50.0, 60.0), 20.0), True),
    ],
)
def test_what_is_round_is_a_circle(path: Curve, *, is_circle: bool) -> None:
    """A polygon of many corners on a circle is one, and so are eight curves; a hexagon, an oval, a piece and an open
    line are not.
    """
    codes = np.full(len(path), Curve.LINETO) if path.codes is None else np.asarray(path.codes)
    found = circle_of(np.asarray(path.vertices), codes)
    assert found == (pytest.approx((50.0, 60.0, 20.0)) if is_circle else None)


def test_a_board_of_hexes_is_small(tmp_path: Path) -> None:
    """All steps on a board of hexes stay under 300 kB, the page that plays them under 1 MB."""
    case = read_case(HEXES)
    resolution = resolve(case)
    draw(case, resolution, tmp_path / "steps.svg", view="steps")
    animate(case, resolution, tmp_path / "play.html")
    assert (tmp_path / "steps.svg").stat().st_size < 300_000
    assert (tmp_path / "play.html").stat().st_size < 1_000_000


def drawn(data: str) -> list[tuple[str, list[tuple[float, float]]]]:
    """Return what a pen draws of a path, as somebody else reads it."""
    pen = RecordingPen()
    parse_path(data, pen)
    return [(word, list(places)) for word, places in pen.value]


def at_random(seed: int) -> Curve:
    """Make a path of lines, curves and ends of all kinds, with steps of no length and of many."""
    chance = random.Random(seed)  # noqa: S311 - a test
    codes: list[int] = []
    for _ in range(chance.randint(1, 3)):
        steps = [code for _ in range(chance.randint(1, 9)) for code in chance.choice(STEPS)]
        codes += [
            int(Curve.MOVETO),
            *steps,
            *([int(Curve.CLOSEPOLY)] if chance.random() < 0.5 else []),
        ]
    places = [
        (chance.choice((-3, 0, 0, 2.5, -0.01, 117.93, 400)), chance.choice((0, 0, 0.25, 80.004)))
        for _ in codes
    ]
    return Curve(places, codes)


@pytest.mark.parametrize("seed", range(60))
def test_a_path_draws_the_same(seed: int) -> None:
    """Whatever its steps are, a pen comes to within half a hundredth of the same places, however long the path is."""
    path = at_random(seed)
    points = np.asarray(path.vertices)
    codes = np.asarray(path.codes)
    letters = [
        LETTER[code] if code != last or code == Curve.MOVETO else ""
        for code, last in zip(codes, [0, *codes[:-1]], strict=True)
    ]
    plain = "".join(
        "z" if letter == "z" else f"{letter} {x} {y} "
        for letter, (x, y) in zip(letters, points.tolist(), strict=True)
    )
    before = drawn(plain)
    after = drawn(data_of(points, codes))
    assert [word for word, _ in after] == [word for word, _ in before]
    for (_, old), (_, new) in zip(before, after, strict=True):
        assert all(math.dist(one, other) < 0.0072 for one, other in zip(old, new, strict=True))
