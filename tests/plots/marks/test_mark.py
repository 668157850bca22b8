"""Marks: plain data with stable, distinct ids."""

import math

import pytest

from plots.marks.mark import DimensionLine, Label, Outline, PointMark, Ray, identifier, with_distinct_ids


@pytest.mark.parametrize(
    ("words", "expected"),
    [(("before", "unit", "A"), "before.unit.A"), (("after", "unit", "Spear Men"), "after.unit.Spear_Men"), (("x", 'Ä"<b>&'), "x.Ä__b__")],
)
def test_ids_are_fit_for_svg(words: tuple[str, ...], expected: str) -> None:
    """An id keeps letters of any script and replaces what XML or CSS would trip over."""
    assert identifier(*words) == expected


def test_equal_ids_are_numbered_and_the_rest_kept() -> None:
    """Two units whose names differ only in what an id cannot hold still get two ids."""
    marks = (PointMark("a", "pivot.0", ((1.0, 2.0),)), Label("a", "text", "words", ((0.0, 0.0),)), Outline("b", "board", ()))
    assert [mark.id for mark in with_distinct_ids(marks)] == ["a", "a-2", "b"]
    assert with_distinct_ids(marks)[1] == Label("a-2", "text", "words", ((0.0, 0.0),))


def test_dimension_line_stands_aside_at_a_right_angle() -> None:
    """The line drawn is the measured one shifted to its left, as long as before."""
    start, end = DimensionLine("d", "dimension", (1.0, 1.0), (4.0, 5.0), aside=0.5).drawn
    assert math.dist(start, end) == pytest.approx(5.0)
    assert start == pytest.approx((1.0 - 0.4, 1.0 + 0.3))


def test_dimension_of_no_length_stays_a_point() -> None:
    """A length of nothing divides by nothing."""
    assert DimensionLine("d", "dimension", (1.0, 1.0), (1.0, 1.0), aside=0.5).drawn == ((1.0, 1.0), (1.0, 1.0))


def test_ray_ends_at_its_reach() -> None:
    """A ray is as long as it says."""
    assert Ray("r", "ray", (1.0, 2.0), (0.6, 0.8), 10.0).end == pytest.approx((7.0, 10.0))
