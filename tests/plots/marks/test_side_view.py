"""Heights from the side: the stretched way is as long as the way, heights are heights, and nothing is shown where all
is flat.
"""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import shapely

from plots.layout.page import lay_out
from plots.marks.mark import Arrows, DimensionLine, DrawnMark, Label, Points, Rings
from plots.marks.panels import Panel
from plots.marks.side_view import THICK, side_panel
from plots.render.figure import picture
from tabletop.api import resolve
from tabletop.ruling.verdict import Resolution
from tabletop.scenario.reading import case_from_tables, read_case
from tabletop.table.hexes import HexBoard
from tabletop.testing.answers import resolved
from tests.bundled import EACH
from tests.plots import hexed, loose
from tests.plots.scenes import case_of, charge_resolution
from tests.systems.wh40k.tables import table, unit


def shown(name: str) -> tuple[Panel, Resolution]:
    """Resolve a bundled scenario and give its side view."""
    case = read_case(name)
    resolution = resolve(case)
    panel = side_panel(resolution)
    assert panel is not None
    return panel, resolution


def marks_of(panel: Panel) -> dict[str, DrawnMark]:
    """Return the marks of a panel by their ids."""
    return {mark.id: mark for mark in panel.marks}


def test_flat_charges_have_no_side_view() -> None:
    """Regiments, and loose models that stay on the table, are shown from above only."""
    assert side_panel(charge_resolution()) is None
    assert side_panel(resolve(read_case("wh40k/second-chance"))) is None


def test_the_way_is_stretched_to_its_length() -> None:
    """A climb of three inches in a way seen from the side: as far along as from above, as high as the model stands."""
    panel, resolution = shown("wh40k/up-on-the-block")
    way = marks_of(panel)["side.path.A"]
    assert isinstance(way, Arrows)
    (line,) = way.lines
    step = next(step for step in resolution.rulings[0].steps if len(step.path) > 1)
    flat = sum(math.dist(a[:2], b[:2]) for a, b in pairwise(step.path))
    assert line[-1][0] - line[0][0] == pytest.approx(flat)
    assert line[-1][1] - line[0][1] == pytest.approx(3.0)
    label = marks_of(panel)["side.path.A.label"]
    assert isinstance(label, Label)
    assert label.text == f"{step.length:.2f}\N{NO-BREAK SPACE}in"
    assert "side.path.A.label" not in marks_of(shown("wh40k/onto-the-crate")[0])


@EACH
def test_no_way_runs_inside_a_solid(name: str) -> None:
    """A way leads over what stands from the ground up, or along it; through walls only infantry and beasts go."""
    resolution = resolved(name)[1]
    panel = side_panel(resolution)
    if panel is None or isinstance(resolution.before.board, HexBoard):
        return
    charger = resolution.before.units[
        next(mark.id for mark in panel.marks if mark.id.startswith("side.unit.")).split(".")[2]
    ]
    passed = (
        ("floor", "wall") if {"infantry", "beasts"} & set(charger.profile.keywords) else ("floor",)
    )
    solids = [
        mark.rings[0]
        for mark in panel.marks
        if isinstance(mark, Rings)
        and ".terrain." in mark.id
        and mark.role.split(".")[1] not in passed
    ]
    assert [
        mark.id
        for mark in panel.marks
        if isinstance(mark, Arrows)
        for line in mark.lines
        for ring in solids
        if is_inside(line, ring)
    ] == []


def is_inside(line: Points, ring: Points) -> bool:
    """Return whether some of a way, drawn half the thickness of a base above where it leads, lies inside an outline."""
    low = shapely.LineString([(x, y - THICK / 2) for x, y in line])
    return (
        float(shapely.intersection(low, shapely.buffer(shapely.Polygon(ring), -1e-6)).length) > 0.0
    )


LOW_CRATE = {
    "name": "Crate",
    "kind": "block",
    "height": 2,
    "polygon": [[18, 18], [22, 18], [22, 22], [18, 22]],
}


@pytest.mark.parametrize("air", ["instead", "shorter"])
def test_a_way_off_a_low_block_leads_over_its_edge(air: str) -> None:
    """Straight down through the air, or by a step that costs nothing: it goes along the top and down beside it."""
    units = {"A": unit([(0, 0, 2)], keywords=["fly"]), "T": unit([(8, 0)])}
    tables = table(units.pop("A"), units, total=9, terrain=(LOW_CRATE,), rules={"fly_air": air})
    panel = side_panel(resolve(case_from_tables(tables)))
    assert panel is not None
    way = marks_of(panel)["side.path.A"]
    assert isinstance(way, Arrows)
    edge = 2.0 * 5 / 7 if air == "instead" else 0.0
    expected = [(0, 2), (2, 2), (2, edge), (7, 0)]
    assert np.array(way.lines[0]) == pytest.approx(
        np.array([(x, y + THICK / 2) for x, y in expected])
    )


def test_heights_and_lengths_are_the_rulings_own() -> None:
    """The height is measured upright; a slanted length is drawn where its true length is that of the ruling."""
    panel, resolution = shown("wh40k/hanging-on-the-wall")
    lines = [mark for mark in panel.marks if isinstance(mark, DimensionLine)]
    assert math.dist(lines[0].start, lines[0].end) == pytest.approx(6.0)
    assert lines[0].start[0] == lines[0].end[0]
    assert (
        f"{math.dist(lines[1].start, lines[1].end):.2f} in"
        == resolution.rulings[0].evidence.dimensions[0].label
    )


def test_terrain_is_cut_where_the_way_crosses_it() -> None:
    """A wall is as thick along the way as it is, stands on the ground, and a floor lies at its height with room
    below.
    """
    panel, _ = shown("wh40k/up-through-the-floor")
    marks = marks_of(panel)
    wall = marks["side.terrain.Ruin_wall.1"]
    floor = marks["side.terrain.Upper_floor.1"]
    assert isinstance(wall, Rings)
    assert isinstance(floor, Rings)
    assert max(x for x, _ in wall.rings[0]) - min(x for x, _ in wall.rings[0]) == pytest.approx(0.5)
    assert (min(y for _, y in wall.rings[0]), max(y for _, y in wall.rings[0])) == (0.0, 5.0)
    assert min(y for _, y in floor.rings[0]) > 3.0
    assert max(y for _, y in floor.rings[0]) == 4.0


def test_every_unit_is_named_once() -> None:
    """Charger and target have one name each."""
    panel, _ = shown("wh40k/flying-up")
    assert sorted(
        mark.text
        for mark in panel.marks
        if isinstance(mark, Label) and mark.role.startswith("name.")
    ) == ["A", "T"]


def test_levels_of_hexes_are_columns() -> None:
    """Hexes on the way stand as high as their levels, those of one level equally high, and a target pushed down goes
    down.
    """
    panel, _ = shown("battletech/off-the-plateau")
    tops = {
        mark.id: max(y for _, y in mark.rings[0])
        for mark in panel.marks
        if isinstance(mark, Rings) and ".hex." in mark.id
    }
    assert tops["side.hex.0507"] == tops["side.hex.0506"] > tops["side.hex.0505"] == 0.0
    pushed = [
        mark for mark in panel.marks if isinstance(mark, Arrows) and mark.role.startswith("pushed")
    ]
    ((start, end),) = pushed[0].lines
    assert start[1] > end[1]


def test_hexes_of_one_level_are_not_shown_from_the_side() -> None:
    """A board without levels on the way has no side view."""
    resolution = hexed.charge_resolution()
    flat = replace(resolution.before, hex_terrain=())
    assert side_panel(replace(resolution, before=flat)) is None


@pytest.mark.parametrize("name", ["wh40k/up-through-the-floor", "battletech/off-the-plateau"])
def test_the_inset_has_the_scale_of_the_panels(name: str) -> None:
    """Below or beside the panels, at their scale, inside the page, and every text in it apart from the others."""
    case = read_case(name)
    page = lay_out(picture(case, resolve(case)))
    inset = page.shown[-1]
    panel = page.shown[0]
    assert inset.panel.name == "side"
    assert inset.frame.scale == panel.frame.scale
    assert (
        inset.frame.y > panel.frame.y + panel.frame.height
        or inset.frame.x > panel.frame.x + panel.frame.width
    )
    assert inset.frame.x + inset.frame.width <= page.width
    boxes = [placed.box for placed in inset.labels]
    assert not [(a, b) for number, a in enumerate(boxes) for b in boxes[:number] if a.overlaps(b)]
    assert {placed.label.text for placed in inset.labels} >= set(case.charges[0].targets) | {
        case.charges[0].charger
    }


def test_a_side_view_wider_than_the_page_is_set_smaller() -> None:
    """A long way over hills fits between the margins of a narrow page."""
    resolution = loose.charge_resolution()
    case = case_of(resolution.before, resolution.rulings[0].charge)
    whole = picture(case, resolution)
    long = replace(
        shown("wh40k/flying-up")[0],
        section=replace(shown("wh40k/flying-up")[0].section, east=200.0),
    )
    page = lay_out(replace(whole, panels=(*whole.panels, long)))
    assert page.shown[-1].frame.x + page.shown[-1].frame.width <= page.width
