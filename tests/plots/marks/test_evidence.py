"""The evidence of a ruling as marks: arcs, contacts, lengths, regions, links, notes."""

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely

from plots.marks.evidence import (
    arc_marks,
    contact_marks,
    dimension_marks,
    link_marks,
    note_marks,
    region,
    sight_marks,
    to_edge,
    zone_marks,
)
from plots.marks.mark import DimensionLine, Label, Lines, Rings
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, oval, polygon
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Dimension, Evidence, Note, Zone
from tabletop.table.state import Board
from tabletop.testing.answers import resolved
from tests.plots.scenes import charge_resolution


@pytest.mark.parametrize(
    ("origin", "direction", "expected"),
    [
        ((1.0, 1.0), (1.0, 0.0), 9.0),
        ((1.0, 1.0), (0.0, -1.0), 1.0),
        ((5.0, 2.0), (-0.6, 0.8), 2.5),
        ((0.0, 0.0), (-1.0, 0.0), 0.0),
    ],
)
def test_rays_end_at_the_boards_edge(
    origin: tuple[float, float], direction: tuple[float, float], expected: float
) -> None:
    """A ray reaches the first edge of a board of 10 by 4 inches."""
    assert to_edge(origin, direction, Board(10.0, 4.0)) == pytest.approx(expected)


def test_arcs_have_their_rays_and_names() -> None:
    """Every ray and every name of the evidence is drawn, and nothing without evidence."""
    resolution = charge_resolution()
    marks = arc_marks(resolution.rulings[0].evidence, resolution.before)
    assert sum(isinstance(mark, Lines) for mark in marks) == 4
    assert [mark.text for mark in marks if isinstance(mark, Label)] == [
        "front",
        "rear",
        "left",
        "right",
    ]
    assert arc_marks(Evidence(), resolution.before) == ()


def test_one_contact_is_p_and_several_are_numbered() -> None:
    """The initial contact is lettered P; several are P1, P2 and so on."""
    state = charge_resolution().before
    assert [
        mark.text for mark in contact_marks(((1.0, 1.0),), state) if isinstance(mark, Label)
    ] == ["P"]
    assert [
        mark.text
        for mark in contact_marks(((1.0, 1.0), (2.0, 1.0)), state)
        if isinstance(mark, Label)
    ] == ["P1", "P2"]


def test_dimension_keeps_aside_of_a_leg_it_would_run_along() -> None:
    """A length measured along the path is drawn beside it; one across it is drawn where it is; the words are the
    ruling's.
    """
    evidence = Evidence(
        dimensions=(
            Dimension((0.0, 0.0), (0.0, 6.0), "6.00 in"),
            Dimension((0.0, 3.0), (5.0, 3.0), "5.00 in", "after"),
        )
    )
    step = Step("forward", "A", Pose(0.0, 0.0, math.pi / 2), Pose(0.0, 6.0, math.pi / 2), 6.0)
    line, label = dimension_marks(evidence, "before", steps=(step,))
    across, _ = dimension_marks(evidence, "after", steps=(step,))
    assert isinstance(line, DimensionLine)
    assert isinstance(across, DimensionLine)
    assert isinstance(label, Label)
    assert (line.aside > 0.0, across.aside, label.text) == (True, 0.0, "6.00 in")
    assert dimension_marks(replace(evidence, dimensions=()), "before", steps=(step,)) == ()


def test_regions_of_a_role_are_drawn_as_one() -> None:
    """Two ranges that meet have one outline; a third apart has its own; other roles and stages are drawn by
    themselves.
    """
    zones = (
        *(Zone(disc((x, 5.0), 2.0), "target") for x in (5.0, 7.0, 15.0)),
        Zone(disc((5.0, 5.0), 3.0), "forbidden"),
        Zone(disc((5.0, 5.0), 3.0), "target", "after"),
    )
    target, forbidden = zone_marks(zones, "before")
    assert isinstance(target, Rings)
    assert (target.id, forbidden.id, len(target.rings), target.holes) == (
        "zone.target",
        "zone.forbidden",
        2,
        (),
    )
    joined = shapely.union(*(shapely.Point(x, 5.0).buffer(2.0, quad_segs=64) for x in (5.0, 7.0)))
    assert max(shapely.Polygon(ring).area for ring in target.rings) == pytest.approx(
        float(joined.area), rel=1e-3
    )


def test_regions_keep_their_holes() -> None:
    """Ranges in a circle leave the room in their middle free."""
    around = [
        (10.0 + 4.0 * math.cos(turn), 10.0 + 4.0 * math.sin(turn))
        for turn in np.arange(8) * math.tau / 8
    ]
    (area,) = zone_marks([Zone(disc(place, 2.0), "forbidden") for place in around], "before")
    assert isinstance(area, Rings)
    assert (len(area.rings), len(area.holes)) == (1, 1)


@pytest.mark.parametrize(
    ("shape", "area"),
    [
        (disc((1.0, 2.0), 3.0), 9.0 * math.pi),
        (polygon([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)]), 2.0),
        (Shape(shapely.box(0.0, 0.0, 2.0, 1.0), 0.5), 2.0 + 6.0 * 0.5 + 0.25 * math.pi),
        (oval(Pose(0.0, 0.0, 0.4), 4.0, 2.0), 2.0 * math.pi),
    ],
)
def test_regions_are_all_within_the_radius(shape: Shape, area: float) -> None:
    """The region of a shape has its area, radius and roundness included."""
    assert float(region(shape).area) == pytest.approx(area, rel=2e-3)


def test_links_and_notes_are_drawn_where_they_are() -> None:
    """All links are one mark; a note is a label at its point, on the picture of its stage."""
    (links,) = link_marks((((0.0, 0.0), (1.0, 1.0)), ((2.0, 2.0), (3.0, 3.0))))
    assert isinstance(links, Lines)
    assert links.lines == (((0.0, 0.0), (1.0, 1.0)), ((2.0, 2.0), (3.0, 3.0)))
    (note,) = note_marks((Note((1.0, 2.0), "2 MP"), Note((5.0, 5.0), "later", "after")), "before")
    assert isinstance(note, Label)
    assert (note.text, note.spots) == ("2 MP", ((1.0, 2.0),))
    assert link_marks(()) == note_marks((), "after") == zone_marks((), "after") == ()


def test_a_line_of_sight_has_a_bar_where_something_stops_it() -> None:
    """C's line to B meets the near side of the wood, 5 in ahead of it; A's line is clear and has none."""
    case, resolution = resolved("conquest/over-the-wood-from-a-hill")
    clear, stopped = (sight_marks(ruling.evidence) for ruling in resolution.rulings)
    assert [mark.role for mark in clear] == ["sight"]
    line, bar = stopped
    assert isinstance(bar, Lines)
    wood = next(piece for piece in case.state.terrain if piece.kind == "forest")
    _, y = np.mean(bar.lines[0], axis=0)
    south = wood.shape.bounds[1]
    assert (line.role, y) == ("sight", pytest.approx(south))
