"""Pages of units in ranks: nobody who charged is cut off, words lie off the bodies, what is compared stands in line,
nothing twice.
"""

import math
from collections.abc import Iterator

import pytest
import shapely

from plots.layout.page import PlacedPanel
from plots.marks.evidence import is_told_by
from plots.marks.mark import DimensionLine, Label, Rings
from plots.marks.section import Rect, around
from tabletop.ruling.charge import is_moving
from tabletop.testing.answers import judged, resolved
from tests.bundled import NAMES, each_of
from tests.plots.pages import page_of

RANKED = [name for name in NAMES if name.startswith(("t9a/", "conquest/"))]
JUDGED = [name for name in RANKED if "/judged-" in name]
EACH_RANKED = each_of(RANKED)
ENDS = ("after", "proposed", "demanded")


def bodies(shown: PlacedPanel) -> Iterator[Rings]:
    """Return the outlines of the units of a panel."""
    return (
        mark
        for mark in shown.panel.marks
        if isinstance(mark, Rings) and mark.role.startswith("unit.")
    )


@EACH_RANKED
def test_who_charged_is_whole_where_it_ends(name: str) -> None:
    """A cropped picture of the end cuts neither chargers nor targets, and of where they stood shows no sliver."""
    charges = [ruling.charge for ruling in resolved(name)[1].rulings]
    named = {word for charge in charges for word in (charge.charger, *charge.targets)}
    for shown in (one for one in page_of(name).shown if one.panel.name in ENDS):
        section = shown.frame.section.grown(1e-6)
        boxes = {
            mark.id: around(mark.rings[0])
            for mark in bodies(shown)
            if mark.id.removeprefix(f"{shown.panel.name}.unit.") in named
        }
        assert [one for one, box in boxes.items() if box.within(section) != box] == []
        starts = [
            around(mark.rings[0])
            for mark in shown.panel.marks
            if isinstance(mark, Rings) and mark.role.startswith("start.")
        ]
        assert all(area(box.within(section)) > area(box) / 2 for box in starts)


def area(box: Rect) -> float:
    """Return the area of a section."""
    return box.width * box.height


@EACH_RANKED
def test_what_decided_is_written_beside_the_bodies(name: str) -> None:
    """Words in the accent cover next to nothing of units at the end of a charge."""
    for shown in (one for one in page_of(name).shown if one.panel.name in ENDS):
        covered = shapely.union_all(
            [
                shapely.Polygon([shown.frame.to_panel(at) for at in mark.rings[0]])
                for mark in bodies(shown)
            ]
        )
        for placed in (one for one in shown.labels if one.label.role.endswith("decided")):
            box = shapely.box(*placed.box.sides)
            assert shapely.intersection(box, covered).area <= 0.2 * box.area, placed.label.text


@pytest.mark.parametrize("name", JUDGED)
def test_what_is_compared_stands_in_line(name: str) -> None:
    """What is proposed and what is demanded stand beside or below each other, never aslant."""
    frames = {shown.panel.name: shown.frame for shown in page_of(name).shown}
    if "demanded" in frames:
        one = frames["proposed"]
        other = frames["demanded"]
        assert one.x == pytest.approx(other.x) or one.y == pytest.approx(other.y)


@pytest.mark.parametrize("name", JUDGED)
def test_nothing_is_gained_by_what_is_refused(name: str) -> None:
    """The picture of a refused proposal says what is wrong, and of no goal that it was served."""
    judgement = judged(name)
    refused = judgement is not None and judgement.outcome == "not_allowed"
    (proposed,) = [shown.panel for shown in page_of(name).shown if shown.panel.name == "proposed"]
    assert not [
        mark.id
        for mark in proposed.marks
        if refused and isinstance(mark, Label) and ".deciding." in mark.id
    ]


@EACH_RANKED
def test_a_length_is_drawn_once(name: str) -> None:
    """Of a measured length and a first move of that length and direction the picture has the move alone, and its
    sentence tells both.
    """
    page = page_of(name)
    for ruling in (one for one in resolved(name)[1].rulings if one.outcome == "success"):
        first = next((step for step in ruling.steps if is_moving(step)), None)
        told = [
            one
            for one in ruling.evidence.dimensions
            if one.stage == "before" and first is not None and is_told_by(first, one)
        ]
        lines = [
            mark
            for shown in page.shown
            for mark in shown.panel.marks
            if isinstance(mark, DimensionLine)
        ]
        ways = [
            mark
            for shown in page.shown
            for mark in shown.panel.marks
            if isinstance(mark, Label) and ".path." in mark.id
        ]
        for one in told if ways else ():
            assert not [
                line.id
                for line in lines
                if math.dist(line.start, one.start) + math.dist(line.end, one.end) < 1e-9
            ]
