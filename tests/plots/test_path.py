"""The way of a charge as marks: legs, wheels about their pivots, stops, lengths, contacts."""

import math
from dataclasses import replace

import pytest

from plots.evidence import arc_marks, contact_marks, dimension_marks, to_edge
from plots.marks import Arrow, DimensionLine, Label, PointMark, Ray, WheelArc
from plots.path import path_marks
from plots.scene import looks_of
from plots.strokes import arc_points
from tabletop.pose import Pose
from tabletop.ruling import Dimension, Evidence, Step
from tabletop.state import Board
from tests.plots.scenes import charge_resolution, failed_resolution


@pytest.mark.parametrize("side", ["left", "right"])
def test_wheel_is_the_arc_of_the_outer_corner(side: str) -> None:
    """The arc turns about the step's pivot, from the outer corner where the wheel begins to where that corner ends."""
    resolution = charge_resolution(side=side)
    unit, step = resolution.before.units["A"], resolution.rulings[0].steps[2]
    marks = {mark.id: mark for mark in path_marks((step,), {"A": unit}, "before", looks=looks_of(resolution.before))}
    arc, pivot = marks["before.path.1"], marks["before.path.1.pivot"]
    assert isinstance(arc, WheelArc)
    assert isinstance(pivot, PointMark)
    assert step.start is not None
    assert step.end is not None
    first, last = arc_points(arc, 7)[0], arc_points(arc, 7)[-1]
    outer = [unit.at(pose).front_left if side == "right" else unit.at(pose).front_right for pose in (step.start, step.end)]
    assert (*first, *last) == pytest.approx((*outer[0], *outer[1]))
    assert arc.radius == pytest.approx(unit.width)
    assert pivot.points == (step.pivot,)


def test_legs_are_arrows_from_front_to_front_with_the_rules_length() -> None:
    """A straight leg joins the step's poses, and its label is the step's own length."""
    resolution = charge_resolution()
    step = resolution.rulings[0].steps[1]
    arrow, label, *_ = path_marks((step,), dict(resolution.before.units), "before", looks=looks_of(resolution.before))
    assert isinstance(arrow, Arrow)
    assert isinstance(label, Label)
    assert step.start is not None
    assert step.end is not None
    assert (arrow.start, arrow.end) == (step.start.at, step.end.at)
    assert label.text == "3\N{NO-BREAK SPACE}in"


def test_every_leg_leaves_a_stop_and_a_declaration_none() -> None:
    """Three legs leave three dashed stops; a step in which nothing moves leaves nothing, nor does the align."""
    resolution = charge_resolution()
    ruling, unit = resolution.rulings[0], resolution.before.units["A"]
    still = Step("declare", "A", unit.pose, unit.pose)
    marks = path_marks((still, *ruling.steps), dict(resolution.before.units), "before", looks=looks_of(resolution.before))
    assert [mark.id for mark in marks if mark.id.endswith(".stop")] == [f"before.path.{number}.stop" for number in (3, 4, 5)]


def test_failed_move_is_drawn() -> None:
    """The wheel and the forward of a failed charge are a path like any other."""
    resolution = failed_resolution()
    marks = path_marks(resolution.rulings[0].steps, dict(resolution.before.units), "before", looks=looks_of(resolution.before))
    assert {type(mark) for mark in marks} >= {WheelArc, Arrow}


@pytest.mark.parametrize(
    ("origin", "direction", "expected"),
    [((1.0, 1.0), (1.0, 0.0), 9.0), ((1.0, 1.0), (0.0, -1.0), 1.0), ((5.0, 2.0), (-0.6, 0.8), 2.5), ((0.0, 0.0), (-1.0, 0.0), 0.0)],
)
def test_rays_end_at_the_boards_edge(origin: tuple[float, float], direction: tuple[float, float], expected: float) -> None:
    """A ray reaches the first edge of a board of 10 by 4 inches."""
    assert to_edge(origin, direction, Board(10.0, 4.0)) == pytest.approx(expected)


def test_arcs_have_their_rays_and_names() -> None:
    """Every ray and every name of the evidence is drawn, and nothing without evidence."""
    resolution = charge_resolution()
    marks = arc_marks(resolution.rulings[0].evidence, resolution.before.board, "before")
    assert sum(isinstance(mark, Ray) for mark in marks) == 4
    assert [mark.text for mark in marks if isinstance(mark, Label)] == ["front", "rear", "left", "right"]
    assert arc_marks(Evidence(), resolution.before.board, "before") == ()


def test_one_contact_is_p_and_several_are_numbered() -> None:
    """The initial contact is lettered P; several are P1, P2 and so on."""
    assert [mark.text for mark in contact_marks(((1.0, 1.0),), "before") if isinstance(mark, Label)] == ["P"]
    assert [mark.text for mark in contact_marks(((1.0, 1.0), (2.0, 1.0)), "after") if isinstance(mark, Label)] == ["P1", "P2"]


def test_dimension_keeps_aside_of_a_leg_it_would_run_along() -> None:
    """A length measured along the path is drawn beside it; one across it is drawn where it is; the words are the ruling's."""
    evidence = Evidence(dimensions=(Dimension((0.0, 0.0), (0.0, 6.0), "6.00 in"), Dimension((0.0, 3.0), (5.0, 3.0), "5.00 in", "after")))
    step = Step("forward", "A", Pose(0.0, 0.0, math.pi / 2), Pose(0.0, 6.0, math.pi / 2), 6.0)
    line, label = dimension_marks(evidence, "before", "before", steps=(step,))
    across, _ = dimension_marks(evidence, "after", "after", steps=(step,))
    assert isinstance(line, DimensionLine)
    assert isinstance(across, DimensionLine)
    assert isinstance(label, Label)
    assert (line.aside > 0.0, across.aside, label.text) == (True, 0.0, "6.00 in")
    assert dimension_marks(replace(evidence, dimensions=()), "before", "before", steps=(step,)) == ()
