"""Placing of texts: none over another, none cut off, the same on every run."""

import math
from dataclasses import replace
from itertools import combinations

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from plots.layout.frame import Frame
from plots.layout.labels import Ink, place
from plots.layout.page import lay_out
from plots.marks.mark import Label, Lines, PointMark, Rings
from plots.marks.panels import View
from plots.marks.section import Rect
from plots.marks.units import model_rings
from plots.render.figure import picture
from tabletop.geometry.pose import Pose
from tabletop.ruling.verdict import Resolution
from tests.plots import hexed, loose
from tests.plots.scenes import (
    case_of,
    charge_resolution,
    failed_resolution,
    refused_resolution,
    regiment,
)

FRAME = Frame(Rect(0.0, 0.0, 20.0, 12.0), 0.17)


def crowded() -> Resolution:
    """Add eight more units with long names around the charge."""
    whole = charge_resolution(
        names=("Royal Guard of the Ancient Forest", "Ünïcode Wächter $x^2$ & <b>")
    )
    before = whole.before
    after = whole.after
    for number in range(8):
        pose = Pose(
            26.0 + (number % 4) * 6.0, 4.0 if number < 4 else 30.0, math.pi / 2 + 0.3 * number
        )
        unit = regiment(
            f"Company number {number + 1}",
            ("green", "purple")[number % 2],
            pose,
            files=4,
            models=7 + number,
        )
        before = before.with_unit(unit)
        after = after.with_unit(unit)
    return Resolution(before, whole.rulings, after)


SCENES = [
    *(
        charge_resolution(),
        charge_resolution(side="left"),
        failed_resolution(),
        refused_resolution(),
        crowded(),
    ),
    *(loose.charge_resolution(), loose.charge_resolution(20), hexed.charge_resolution()),
]


@pytest.mark.parametrize("view", ["charge", "steps", "board"])
@pytest.mark.parametrize("resolution", SCENES)
def test_no_text_covers_another_and_none_is_cut_off(resolution: Resolution, view: View) -> None:
    """On every panel the boxes of all texts are apart and inside the panel."""
    page = lay_out(
        picture(case_of(resolution.before, resolution.rulings[0].charge), resolution, view=view)
    )
    for shown in page.shown:
        boxes = [
            *(placed.box for placed in shown.labels),
            *(box for one in shown.printed for _, box in one.words),
        ]
        assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]
        for box in boxes:
            assert min(box.west, box.south) >= 0.0
            assert box.east <= shown.frame.width
            assert box.north <= shown.frame.height


@pytest.mark.parametrize(
    "resolution", [crowded(), loose.charge_resolution(), hexed.charge_resolution()]
)
def test_every_unit_in_sight_is_named(resolution: Resolution) -> None:
    """No unit on the panels of a crowded table loses its name."""
    page = lay_out(
        picture(case_of(resolution.before, resolution.rulings[0].charge), resolution, view="board")
    )
    (shown,) = page.shown
    named = {placed.label.text for placed in shown.labels} | {
        word for one in shown.printed for word, _ in one.words
    }
    assert named >= set(resolution.before.units)


def test_a_name_of_terrain_without_room_is_left_out() -> None:
    """A piece of terrain hemmed in by kept boxes goes without its name, a unit's name is set farther away."""
    labels = (
        Label("t", "text", "Wood", ((10.0, 6.0),), rank=6),
        Label("u", "name.0", "Unit", ((10.0, 6.0),), rank=2),
    )
    blocked = Rect(1.2, 0.6, 2.2, 1.5)
    assert [one.label.id for one in place(labels, FRAME, Ink((), FRAME), kept=[blocked])] == ["u"]


def test_text_keeps_off_the_drawing() -> None:
    """With room all around, a text covers no ink at all."""
    marks = (
        Lines("l", "path.0", (((2.0, 6.0), (18.0, 6.0)),)),
        PointMark("p", "contact_point", ((10.0, 6.0),)),
    )
    ink = Ink(marks, FRAME)
    (placed,) = place((Label("t", "text", "6.00 in", ((10.0, 6.0),)),), FRAME, ink)
    box = placed.box
    assert not box.south < 6.0 * FRAME.scale < box.north


def test_name_that_fits_stands_inside_its_unit() -> None:
    """A letter on an empty block stands on it, without a leader."""
    home = ((5.0, 3.0), (12.0, 3.0), (12.0, 8.0), (5.0, 8.0))
    (placed,) = place((Label("n", "name.0", "A", ((8.5, 5.5),), home=home),), FRAME, Ink((), FRAME))
    assert FRAME.to_table(placed.box.middle) == pytest.approx((8.5, 5.5))
    assert placed.leader is None


def test_text_in_a_corner_is_pushed_in() -> None:
    """A text whose spot is the panel's corner moves in whole."""
    (placed,) = place(
        (Label("t", "text", "distance 12.00 in", ((20.0, 12.0),)),), FRAME, Ink((), FRAME)
    )
    assert placed.box.east <= FRAME.width
    assert placed.box.north <= FRAME.height


def test_full_panel_leaves_out_what_has_no_room() -> None:
    """On a panel the size of a stamp the first text stands and the rest is left out rather than printed over it."""
    stamp = Frame(Rect(0.0, 0.0, 4.0, 1.2), 0.17)
    labels = tuple(Label(f"t{number}", "text", "7.33 in", ((2.0, 0.6),)) for number in range(4))
    assert len(place(labels, stamp, Ink((), stamp))) == 1


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(0, 20), st.floats(0, 12)), min_size=1, max_size=25))
def test_texts_never_overlap_wherever_their_spots_are(spots: list[tuple[float, float]]) -> None:
    """Whatever is to be labelled, boxes stay apart and on the panel, and a second run gives the same."""
    labels = tuple(
        Label(f"t{number}", "text", f"{number}.25 in", (spot,)) for number, spot in enumerate(spots)
    )
    placed = place(labels, FRAME, Ink((), FRAME))
    assert placed == place(labels, FRAME, Ink((), FRAME))
    assert not [
        pair for pair in combinations([one.box for one in placed], 2) if pair[0].overlaps(pair[1])
    ]


def test_a_name_of_terrain_never_hides_models() -> None:
    """Under a crowd of bases a piece of terrain goes without its name; where there is room it has one."""
    crowd = loose.squad("A", "blue", loose.rows(150, 15, (0.8, 0.8), gap=0.05))
    label = Label("t", "text", "Ruin of the old mill", ((10.0, 6.0),), rank=6)
    assert (
        place((label,), FRAME, Ink((Rings("g", "loose.0", model_rings(crowd.models)),), FRAME))
        == ()
    )
    assert len(place((label,), FRAME, Ink((), FRAME))) == 1


def test_a_text_keeps_within_its_ring_and_off_others() -> None:
    """A name that may only stand in a part of the panel stands there whole, off what it may not cover, or is left
    out.
    """
    left = ((0.0, 0.0), (10.0, 0.0), (10.0, 20.0), (0.0, 20.0))
    block = ((0.0, 8.0), (6.0, 8.0), (6.0, 12.0), (0.0, 12.0))
    frame = Frame(Rect(0.0, 0.0, 20.0, 20.0), 0.1)
    label = Label(
        "arc", "arc_name", "rear", ((9.5, 10.0), (5.0, 10.0)), rank=7, within=left, off=(block,)
    )
    (placed,) = place((label,), frame, Ink((), frame))
    corners = [frame.to_table(corner) for corner in placed.box.corners]
    assert max(x for x, _ in corners) <= 10.0
    assert not shapely.box(*corners[0], *corners[2]).intersects(shapely.Polygon(block))
    assert (
        place((replace(label, within=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))),), frame, Ink((), frame))
        == ()
    )


def test_what_decided_stands_off_the_units() -> None:
    """Words of what decided in the middle of a unit stand beside it."""
    ring = ((6.0, 4.0), (14.0, 4.0), (14.0, 8.0), (6.0, 8.0))
    (placed,) = place(
        [Label("why", "decided", "5 models in contact", ((10.0, 5.0),))],
        FRAME,
        Ink((), FRAME),
        bodies=[ring],
    )
    box = Rect(*FRAME.to_panel(ring[0]), *FRAME.to_panel(ring[2]))
    assert not placed.box.overlaps(box)


def test_a_name_stands_in_the_middle_of_what_is_seen_of_its_unit() -> None:
    """Of a unit that the panel cuts off the name stands on what is left, not at the cut."""
    home = ((10.0, 3.0), (60.0, 3.0), (60.0, 8.0), (10.0, 8.0))
    (placed,) = place(
        (Label("n", "name.0", "A", ((35.0, 5.0),), home=home),), FRAME, Ink((), FRAME)
    )
    assert FRAME.to_table(placed.box.middle) == pytest.approx((15.0, 5.5))


def test_what_decided_stands_off_walls() -> None:
    """Beside a wall the words stand on the open table, though over it they would be no farther away."""
    wall = ((10.2, 0.0), (20.0, 0.0), (20.0, 12.0), (10.2, 12.0))
    label = Label("a.deciding", "decided", "engaged", ((10.0, 6.0),), rank=1)
    frame = Frame(Rect(0.0, 0.0, 20.0, 12.0), 0.2)
    (free,) = place((label,), frame, Ink((), frame))
    (placed,) = place((label,), frame, Ink((), frame), grounds=(wall,))
    edge = frame.to_panel(wall[0])[0]
    assert free.box.east > edge
    assert placed.box.east <= edge
