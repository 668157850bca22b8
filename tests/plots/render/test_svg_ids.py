"""Names in SVG files: each once, stable, and one element for each model."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from plots.layout.page import lay_out
from plots.marks.mark import identifier
from plots.marks.panels import View
from plots.render.figure import draw, picture
from plots.render.svg import names_of
from tabletop.ruling.verdict import Resolution
from tabletop.table.models import Squad
from tabletop.table.state import Regiment
from tabletop.testing.answers import resolved
from tests.bundled import NAMES, each_of
from tests.plots import hexed, loose
from tests.plots.scenes import case_of, charge_resolution, failed_resolution

SVG = "{http://www.w3.org/2000/svg}"
RESOLUTIONS = [
    charge_resolution(),
    failed_resolution(),
    loose.charge_resolution(),
    hexed.charge_resolution(),
]


def root_of(resolution: Resolution, folder: Path, view: View = "charge") -> ET.Element:
    """Draw a resolution and parse the file."""
    draw(
        case_of(resolution.before, resolution.rulings[0].charge),
        resolution,
        folder / "a.svg",
        view=view,
    )
    return ET.fromstring((folder / "a.svg").read_text())  # noqa: S314 - written by the test


def ids(root: ET.Element) -> list[str]:
    """Return all ids but those of letters and clips."""
    return [
        name
        for element in root.iter()
        if (name := element.get("id")) and not re.match(r"OpenSans|DejaVu|p[0-9a-f]{10}", name)
    ]


@pytest.mark.parametrize("view", ["charge", "steps", "board"])
@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_ids_are_each_there_once_and_fit_for_css(
    resolution: Resolution, view: View, tmp_path: Path
) -> None:
    """No id stands twice, and none needs to be escaped in a style sheet."""
    found = ids(root_of(resolution, tmp_path, view))
    assert len(found) == len(set(found))
    spoken = {"figure.title", "figure.description"}
    assert all(re.fullmatch(r"[A-Za-z][\w-]*", name) for name in found if name not in spoken)


@pytest.mark.parametrize("view", ["charge", "board"])
@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_every_model_is_an_element(resolution: Resolution, view: View, tmp_path: Path) -> None:
    """Each model of each unit before the charge has its own id in the first panel, and its ring."""
    root = root_of(resolution, tmp_path, view)
    elements = {element.get("id"): element for element in root.iter()}
    for name, unit in resolution.before.units.items():
        squad = [model.number for model in unit.models] if isinstance(unit, Squad) else []
        numbers = list(range(unit.models)) if isinstance(unit, Regiment) else squad
        for number in numbers:
            element = elements[f"model-{name}-{number}"]
            is_round = isinstance(unit, Squad) and element.tag == f"{SVG}circle"
            assert (
                float(element.get("r", "0")) > 0
                if is_round
                else element.get("d", "").startswith("M")
            )
        assert f"unit-{name}" in elements or f"unit-{name}-models" in elements


def test_a_later_panel_names_itself(tmp_path: Path) -> None:
    """The second panel's ids begin with its name; the bare name is a class in both."""
    root = root_of(charge_resolution(), tmp_path)
    units = [
        element
        for element in root.iter(f"{SVG}g")
        if {"unit", "unit-A"} <= set((element.get("class") or "").split())
    ]
    assert [element.get("id") for element in units] == ["unit-A", "after-unit-A"]
    assert all("side-1" in (element.get("class") or "").split() for element in units)


@each_of(NAMES[::8])
def test_the_body_of_a_unit_is_one_group_and_its_class_reaches_the_rest(
    name: str, tmp_path: Path
) -> None:
    """Bases and facing of each charger and target are one group of the first panel; what has its name, in any panel,
    has its class.
    """
    case, resolution = resolved(name)
    draw(case, resolution, tmp_path / "a.svg")
    root = ET.fromstring((tmp_path / "a.svg").read_text())  # noqa: S314 - written by the test
    elements = {element.get("id", ""): element for element in root.iter()}
    for unit in {
        name for charge in case.charges for name in (charge.charger, *charge.targets)
    } & resolution.before.units.keys():
        start = f"unit-{identifier(unit)}"
        within = {element.get("id") for element in elements[start].iter()}
        assert any(
            element.tag in (f"{SVG}path", f"{SVG}circle") for element in elements[start].iter()
        )
        assert {
            f"{start}-{part}" for part in ("models", "contact", "facing", "tray")
        } & elements.keys() <= within
        named = [
            element for key, element in elements.items() if re.search(rf"(^|-){start}(-|$)", key)
        ]
        reached = {
            inner
            for element in named
            if start in (element.get("class") or "").split()
            for inner in element.iter()
        }
        assert set(named) <= reached
        assert unit in {element.text for element in reached if element.tag == f"{SVG}text"}


@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_what_stands_around_panels_is_grouped_by_kind(
    resolution: Resolution, tmp_path: Path
) -> None:
    """The small print is one group, and so is a line of the key with its words."""
    root = root_of(resolution, tmp_path)
    groups = {element.get("id"): element for element in root.iter(f"{SVG}g")}
    assert any("text" in element.tag for element in groups["footer"].iter())
    words = [name for name in groups if name and re.fullmatch("key-.*-text", name)]
    assert words
    assert all(
        name in {inner.get("id") for inner in groups[name.removesuffix("-text")].iter()}
        for name in words
    )


def test_what_lay_over_still_does(tmp_path: Path) -> None:
    """Groups stand in the order of painting: the board is below all, the facing charged over its unit."""
    panel = next(
        element
        for element in root_of(charge_resolution(), tmp_path).iter()
        if element.get("id") == "before"
    )
    order = [child.get("id") for child in panel]
    assert order.index("board") < order.index("unit-B") < order.index("target-facing")


def test_dimension_lines_are_counted_through_the_figure(tmp_path: Path) -> None:
    """The first dimension is dim-1 wherever it stands, and its words belong to it."""
    assert {"dim-1", "dim-1-label"} <= set(ids(root_of(charge_resolution(), tmp_path)))


def test_names_that_would_be_alike_are_numbered() -> None:
    """A unit that is called like a part of another gets an id of its own."""
    resolution = charge_resolution(names=("A", "A.models"))
    page = lay_out(picture(case_of(resolution.before, resolution.rulings[0].charge), resolution))
    names = [name.id for name in names_of(page).values()]
    assert len(names) == len(set(names))


def test_ids_stay_the_same_from_file_to_file(tmp_path: Path) -> None:
    """Two drawings have the same ids in the same order."""
    assert ids(root_of(charge_resolution(), tmp_path)) == ids(
        root_of(charge_resolution(), tmp_path)
    )
