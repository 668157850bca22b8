"""Marks: plain data with stable, distinct ids, and the lines that they draw."""

import math
from dataclasses import replace

import numpy as np
import pytest

from plots.marks.mark import (
    Arrows,
    DimensionLine,
    DrawnMark,
    Label,
    Lines,
    PointMark,
    Printed,
    Rings,
    arc_points,
    identifier,
    part_of,
    under,
    with_distinct_ids,
)
from plots.marks.section import extent


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("before", "unit", "A"), "before.unit.A"),
        (("after", "unit", "Spear Men"), "after.unit.Spear_Men"),
        (("x", 'Ä"<b>&'), "x.Ä__b__"),
    ],
)
def test_ids_are_fit_for_svg(words: tuple[str, ...], expected: str) -> None:
    """An id keeps letters of any script and replaces what XML or CSS would trip over."""
    assert identifier(*words) == expected


def test_equal_ids_are_numbered_and_the_rest_kept() -> None:
    """Two units whose names differ only in what an id cannot hold still get two ids."""
    marks = (
        PointMark("a", "pivot.0", ((1.0, 2.0),)),
        Label("a", "text", "words", ((0.0, 0.0),)),
        Rings("b", "board", ((),)),
    )
    assert [mark.id for mark in with_distinct_ids(marks)] == ["a", "a-2", "b"]
    assert with_distinct_ids(marks)[1] == Label("a-2", "text", "words", ((0.0, 0.0),))


def test_ids_are_local_to_what_marks_are_part_of() -> None:
    """A thing, a charge and the panel put their names before ids, of labels in the stead of words, too; the thing is
    the owner.
    """
    label = Label("label", "name.0", "A", LEG)
    marks = (
        Rings("", "unit.0", (SQUARE,)),
        Printed("letter", "letter", (), label),
        Rings("", "board", (SQUARE,)),
    )
    body, letter = part_of("unit.A", marks[:2])
    made = with_distinct_ids(under("charge2", (body, letter, *under("board", marks[2:]))), "before")
    assert [mark.id for mark in made] == [
        "before.charge2.unit.A",
        "before.charge2.unit.A.letter",
        "before.charge2.board",
    ]
    assert [mark.owner for mark in made] == ["before.charge2.unit.A", "before.charge2.unit.A", ""]
    assert isinstance(made[1], Printed)
    assert made[1].instead == replace(
        label, id="before.charge2.unit.A.label", owner="before.charge2.unit.A"
    )
    assert under("", marks) == marks


def test_dimension_line_stands_aside_at_a_right_angle() -> None:
    """The line drawn is the measured one shifted to its left, as long as before."""
    start, end = DimensionLine("d", "dimension", (1.0, 1.0), (4.0, 5.0), aside=0.5).drawn
    assert math.dist(start, end) == pytest.approx(5.0)
    assert start == pytest.approx((1.0 - 0.4, 1.0 + 0.3))


def test_dimension_of_no_length_stays_a_point() -> None:
    """A length of nothing divides by nothing."""
    assert DimensionLine("d", "dimension", (1.0, 1.0), (1.0, 1.0), aside=0.5).drawn == (
        (1.0, 1.0),
        (1.0, 1.0),
    )


SQUARE = ((1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 3.0))
ROUND = tuple((math.cos(turn), math.sin(turn)) for turn in range(6))
CLOSED = (*SQUARE, SQUARE[0])
LEG = ((0.0, 0.0), (4.0, 3.0))


@pytest.mark.parametrize(
    ("mark", "lines"),
    [
        (Rings("o", "unit.0", (SQUARE,)), (CLOSED,)),
        (Rings("g", "loose.0", (ROUND,)), ((*ROUND, ROUND[0]),)),
        (Rings("a", "zone.target", (SQUARE,), holes=(ROUND,)), (CLOSED, (*ROUND, ROUND[0]))),
        (Lines("l", "link", (LEG,)), (LEG,)),
        (Arrows("w", "path.0", (LEG,)), (LEG,)),
        (DimensionLine("d", "dimension", *LEG), (LEG,)),
        (PointMark("p", "contact_point", LEG), ()),
        (Label("t", "text", "words", LEG), ()),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, DrawnMark) else "",
)
def test_polylines_are_what_a_mark_draws(
    mark: DrawnMark, lines: tuple[tuple[tuple[float, float], ...], ...]
) -> None:
    """Rings are closed, lines are as they are, symbols and words draw no lines."""
    assert [len(line) for line in mark.polylines()] == [len(line) for line in lines]
    assert all(
        np.allclose(drawn, line) for drawn, line in zip(mark.polylines(), lines, strict=True)
    )


def test_an_arc_runs_from_its_start_by_its_sweep() -> None:
    """Both ends of the arc and its middle lie where angle and radius say."""
    arc = arc_points((1.0, 1.0), (3.0, 1.0), math.pi / 2)
    assert (*arc[0], *arc[-1]) == pytest.approx((3.0, 1.0, 1.0, 3.0))
    assert math.dist(arc[len(arc) // 2], (1.0, 1.0)) == pytest.approx(2.0)


def test_every_point_of_a_mark_is_moved() -> None:
    """What is turned upside down draws its lines so, and its symbols stand there."""
    marks = (
        Rings("r", "zone.target", (SQUARE,), holes=(ROUND,)),
        Lines("l", "link", (LEG,)),
        Arrows("a", "path.0", (LEG,)),
    )
    for mark in (*marks, DimensionLine("d", "dimension", *LEG)):
        drawn = tuple(tuple((x, -y) for x, y in line) for line in mark.polylines())
        assert mark.mapped(lambda at: (at[0], -at[1])).polylines() == drawn
    assert PointMark("p", "pivot.0", LEG).mapped(lambda at: (at[1], at[0])).points == (
        (0.0, 0.0),
        (3.0, 4.0),
    )


def test_extent_is_that_of_the_action() -> None:
    """Points and lines count; rays, regions and texts go as far as there is room."""
    assert extent(PointMark("p", "contact_point", LEG)) == LEG
    assert set(extent(Rings("g", "models.0", (ROUND,)))) == set(ROUND)
    assert extent(Rings("a", "zone.target", (SQUARE,))) == extent(Lines("r", "ray", (LEG,))) == ()
