"""Files: complete or absent, the same bytes in every process, readable without eyes."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from plots import draw, draw_map, draw_odds
from plots.marks.panels import View
from plots.render.files import write_beside
from tabletop.api import odds
from tabletop.errors import UsageError
from tabletop.exploring.survey import Survey
from tabletop.ruling.verdict import Resolution
from tabletop.scenario.reading import read_case
from tests.plots import hexed, loose
from tests.plots.scenes import case_of, charge_resolution, failed_resolution, refused_resolution

ROOT = Path(__file__).resolve().parents[3]
SVG = "{http://www.w3.org/2000/svg}"
PROGRAM = """
import sys
from plots import draw
from tests.plots import hexed, loose, scenes
for path in sys.argv[1:]:
    for module in (scenes, loose, hexed):
        resolution = module.charge_resolution()
        case = scenes.case_of(resolution.before, resolution.rulings[0].charge, title="T")
        draw(case, resolution, path.replace("figure", module.__name__))
"""


def drawn(resolution: Resolution, path: Path, **words: str) -> Path:
    """Draw a resolution into a file."""
    draw(case_of(resolution.before, resolution.rulings[0].charge, **words), resolution, path)
    return path


def test_bytes_do_not_depend_on_the_process(tmp_path: Path) -> None:
    """Two processes with different hash seeds, zones and places write the same SVG, PDF and PNG."""
    written = []
    for seed, zone in (("1", "UTC"), ("77", "Asia/Tokyo")):
        folder = tmp_path / seed
        folder.mkdir()
        paths = [folder / f"figure.{kind}" for kind in ("svg", "pdf", "png")]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "PYTHONPATH": str(ROOT)}
        subprocess.run(
            [sys.executable, "-c", PROGRAM, *map(str, paths)],
            check=True,
            env=environment,
            cwd=folder,
        )
        written.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert len(written[0]) == 9
    assert written[0] == written[1]


def test_svg_speaks_and_keeps_its_ids(tmp_path: Path) -> None:
    """The SVG has a role, a title, a description made from the ruling, and a group per unit and contact, each id
    once.
    """
    root = ET.fromstring(  # noqa: S314
        drawn(charge_resolution(), tmp_path / "a.svg", title="Corner & <edge>").read_text()
    )
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "figure.title figure.description"
    assert root.findtext(f"{SVG}title") == "Corner & <edge>"
    assert "ends flush" in (root.findtext(f"{SVG}desc") or "")
    names = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(names) == len(set(names))
    assert {"unit-A", "unit-B", "after-unit-B-contact", "after-unit-A-contact", "contact-P"} <= set(
        names
    )


@pytest.mark.parametrize("module", [loose, hexed])
def test_svg_of_loose_models_and_hexes_keeps_its_ids(tmp_path: Path, module: ModuleType) -> None:
    """Every group of the SVG has its id once, numbers and halos included."""
    root = ET.fromstring(drawn(module.charge_resolution(), tmp_path / "a.svg").read_text())  # noqa: S314
    names = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(names) == len(set(names))
    wanted = {
        loose: {"unit-A-numbers", "after-links", "path-A"},
        hexed: {"hexes", "after-unit-B-letter", "path-B"},
    }
    assert wanted[module] <= set(names)


@pytest.mark.parametrize(
    "resolution",
    [charge_resolution(), failed_resolution(), refused_resolution(), hexed.charge_resolution()],
)
@pytest.mark.parametrize(
    ("kind", "magic"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")]
)
def test_the_ending_decides_the_format(
    tmp_path: Path, resolution: Resolution, kind: str, magic: bytes
) -> None:
    """Each outcome is written in each format, and nothing else is left in the folder."""
    path = drawn(resolution, tmp_path / f"figure.{kind}")
    assert path.read_bytes().startswith(magic)
    assert list(tmp_path.iterdir()) == [path]


def test_png_tells_its_size_and_words(tmp_path: Path) -> None:
    """A PNG is seven inches wide by its own resolution, and carries title and description."""
    with Image.open(drawn(charge_resolution(), tmp_path / "a.png", title="Title")) as image:
        assert image.width / image.info["dpi"][0] == pytest.approx(7.0, abs=0.01)
        assert image.info["Title"] == "Title"
        assert "ends flush" in image.info["Description"]


@pytest.mark.parametrize("name", ["figure.gif", "figure", "figure.svgz"])
def test_other_endings_are_refused(tmp_path: Path, name: str) -> None:
    """An ending that cannot be written is named, and nothing is written."""
    with pytest.raises(UsageError, match=r"\.svg, \.pdf, \.png, \.webp or \.pgf"):
        drawn(charge_resolution(), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A figure cannot be written into a folder that does not exist."""
    with pytest.raises(UsageError, match=r"none/a\.svg: .*No such"):
        drawn(charge_resolution(), tmp_path / "none" / "a.svg")


def test_target_that_is_a_folder_leaves_no_rest(tmp_path: Path) -> None:
    """When the rename fails the file beside is taken away again."""
    (tmp_path / "a.svg").mkdir()
    with pytest.raises(UsageError, match=r"a\.svg: .*\bdirectory\b"):
        write_beside(tmp_path / "a.svg", b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]


def test_old_figure_is_replaced_whole(tmp_path: Path) -> None:
    """A file that is there already is replaced, with the rights that a new file gets."""
    path = tmp_path / "a.svg"
    fresh = tmp_path / "fresh"
    path.write_text("old")
    fresh.write_text("")
    write_beside(path, b"new")
    assert path.read_text() == "new"
    assert path.stat().st_mode == fresh.stat().st_mode


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_letters_that_no_font_has_are_drawn_as_boxes(tmp_path: Path, kind: str) -> None:
    """Names in scripts that the fonts of this machine may lack are no error and no flood of warnings."""
    assert (
        drawn(charge_resolution(names=("日本の槍", "Дракон 🐉 עברית")), tmp_path / f"a.{kind}")
        .stat()
        .st_size
        > 1000
    )


def spoken_by(path: Path) -> tuple[str, str]:
    """Return the title and the description that a file holds, whatever its format."""
    data = path.read_bytes()
    if path.suffix == ".svg":
        root = ET.fromstring(data)  # noqa: S314 - written by the test
        assert root.get("role") == "img"
        return root.findtext(f"{SVG}title") or "", root.findtext(f"{SVG}desc") or ""
    if path.suffix == ".png":
        with Image.open(path) as image:
            return image.info["Title"], image.info["Description"]
    found = [
        re.search(rb"/%s \((.*?[^\\])\)" % key, data, flags=re.DOTALL)
        for key in (b"Title", b"Subject")
    ]
    words = [re.sub(rb"\\(.)", rb"\1", one[1]) if one else b"" for one in found]
    title, subject = (
        word.decode("utf-16" if word.startswith(b"\xfe\xff") else "latin-1") for word in words
    )
    return title, subject


@pytest.mark.parametrize("view", ["charge", "steps", "board"])
@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_every_view_speaks_in_every_format(tmp_path: Path, view: View, ending: str) -> None:
    """All views carry the case's title and a description of where everything stands."""
    resolution = charge_resolution()
    path = tmp_path / f"a.{ending}"
    draw(
        case_of(resolution.before, resolution.rulings[0].charge, title="One (of) two"),
        resolution,
        path,
        view=view,
    )
    title, description = spoken_by(path)
    assert "One" in title
    assert " board " in description
    assert "A (blue" in description


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_odds_and_maps_speak_in_every_format(tmp_path: Path, ending: str) -> None:
    """Figures of odds and maps carry title and description too."""
    case = read_case("t9a/wheel-and-align")
    draw_odds(case, odds(case), tmp_path / f"odds.{ending}")
    places = {"units.B.x": np.array([30.5, 31.5]), "units.B.y": np.array([20.5, 21.5])}
    survey = Survey(places, {"chance": np.array([[0.0, 0.5], [1.0, 0.5]])})
    draw_map(case, survey, tmp_path / f"map.{ending}", question="threat")
    assert "chance" in spoken_by(tmp_path / f"odds.{ending}")[1]
    title, description = spoken_by(tmp_path / f"map.{ending}")
    assert re.search(r"\bA\b.*\bB\b\D*\b3\b\D*\b4\b", title)
    assert re.search(r"\b75\.0% \D*\b4\b", description)
