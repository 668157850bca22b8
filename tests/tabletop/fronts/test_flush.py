"""Counts of models in contact and the slides that serve them best, against plain counting at very many slides."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.fronts.flush import ContactIntervals, CriticalSlides, preferred
from tabletop.geometry.arrays import FloatArray
from tabletop.optimise.interval import Interval, Intervals

QUARTERS = st.integers(0, 24).map(lambda value: value / 4)
HAIR = 1e-7
WIDE = 1e-5


def line_of(sizes: list[float], spacing: float) -> FloatArray:
    """Lay models of some sizes in a row from 0 on."""
    starts = np.cumsum([0.0, *(size + spacing for size in sizes[:-1])])
    return np.column_stack([starts, starts + np.array(sizes)])


sizes = st.lists(st.integers(1, 6).map(lambda value: value / 4), min_size=1, max_size=6)
spacings = st.sampled_from([0.0, 0.25, 0.5])


@st.composite
def lineups(draw: st.DrawFn) -> ContactIntervals:
    """Draw two rows of models on a grid of quarters; some of those shown need an overlap of an eighth."""
    shown, front = (line_of(draw(sizes), draw(spacings)) for _ in range(2))
    overlap = draw(
        st.lists(st.sampled_from([0.0, 0.125]), min_size=len(shown), max_size=len(shown))
    )
    return ContactIntervals(shown, front, np.array(overlap))


def counted(lineup: ContactIntervals, slide: float) -> tuple[float, float]:
    """Count both sides, exact in sixteenths: a pair is in contact if what it shares is as long as needed, a point
    included.
    """
    pairs = [
        [
            min(high, slide + their_high) - max(low, slide + their_low) >= need
            for their_low, their_high in lineup.front.tolist()
        ]
        for (low, high), need in zip(lineup.shown.tolist(), lineup.overlap.tolist(), strict=True)
    ]
    return float(sum(map(any, pairs))), float(sum(map(any, zip(*pairs, strict=True))))


@settings(max_examples=40)
@given(lineup=lineups())
def test_models_are_counted_where_their_intervals_meet(lineup: ContactIntervals) -> None:
    """At every sixteenth of an inch, where edges meet exactly and between; pair by pair and in all."""
    slides = np.arange(-10.0, 16.0, 1 / 16)
    expected = np.array([counted(lineup, float(slide)) for slide in slides])
    assert lineup.shown_in_contact(slides).tolist() == expected[:, 0].tolist()
    assert lineup.front_in_contact(slides).tolist() == expected[:, 1].tolist()
    for slide in slides[::16]:
        pairs = lineup.pairs(float(slide))
        assert (pairs.any(axis=1).sum(), pairs.any(axis=0).sum()) == counted(lineup, float(slide))


@settings(max_examples=40)
@given(lineup=lineups(), ends=st.tuples(QUARTERS, QUARTERS), start=QUARTERS)
def test_no_slide_of_a_grid_serves_better(
    lineup: ContactIntervals, ends: tuple[float, float], start: float
) -> None:
    """The best values are those of the grid, and the stretches hold exactly the slides of the grid that have them."""
    places: Intervals = ((-start - 1.0, -1.0), (min(ends), max(ends)))
    found = CriticalSlides.of(
        places,
        lineup.breakpoints(),
        lambda slides: [lineup.shown_in_contact(slides), lineup.front_in_contact(slides)],
    ).best()
    grid = [
        slide
        for slide in np.arange(-10.0, 16.0, 1 / 16).tolist()
        if any(low <= slide <= high for low, high in places)
    ]
    values = {slide: counted(lineup, slide) for slide in grid}
    best = max(values.values())
    assert found.values == best
    for slide, value in values.items():
        assert any(low <= slide <= high for low, high in found.stretches) is (value == best)


@pytest.mark.parametrize(
    ("apart", "need", "expected"),
    [
        pytest.param(0.0, 0.0, 1.0, id="edge to edge"),
        pytest.param(HAIR, 0.0, 1.0, id="a tenth of the tolerance apart"),
        pytest.param(WIDE, 0.0, 0.0, id="ten tolerances apart"),
        pytest.param(0.0, 0.125, 0.0, id="a point where an overlap is needed"),
        pytest.param(-0.125, 0.125, 1.0, id="just the overlap needed"),
        pytest.param(-0.125 + HAIR, 0.125, 1.0, id="a tenth of the tolerance less"),
        pytest.param(-0.125 + WIDE, 0.125, 0.0, id="ten tolerances less"),
        pytest.param(0.25, -0.25, 1.0, id="a space that still counts as meeting"),
        pytest.param(0.25 + WIDE, -0.25, 0.0, id="a space too wide for that"),
    ],
)
def test_contact_is_decided_to_the_tolerance(apart: float, need: float, expected: float) -> None:
    """One model of an inch beside another, on either side."""
    lineup = ContactIntervals(np.array([[0.0, 1.0]]), np.array([[0.0, 1.0]]), np.array([need]))
    slides = np.array([1.0 + apart, -1.0 - apart])
    assert (
        lineup.shown_in_contact(slides).tolist()
        == lineup.front_in_contact(slides).tolist()
        == [expected, expected]
    )


def test_the_best_slide_may_be_a_single_point() -> None:
    """Three models of an inch meet five at one slide only where both their ends just touch."""
    lineup = ContactIntervals(line_of([1.0] * 5, 0.0), line_of([1.0] * 3, 0.0), np.zeros(5))
    found = CriticalSlides.of(
        [(0.25, 1.75)], lineup.breakpoints(), lambda slides: [lineup.shown_in_contact(slides)]
    ).best()
    assert found.values == (5.0,)
    assert found.stretches == ((1.0, 1.0),)


@pytest.mark.parametrize(
    ("floor", "expected"),
    [
        pytest.param(None, ((0.0, 4.0),), id="everything"),
        pytest.param((1.0, 0.0), ((1.0, 3.0),), id="the first goal alone"),
        pytest.param((1.0, 1.0), ((2.0, 2.0), (3.0, 3.0)), id="both"),
        pytest.param((2.0, 0.0), (), id="more than there is"),
    ],
)
def test_slides_no_worse_than_a_floor_form_stretches(
    floor: tuple[float, ...] | None, expected: Intervals
) -> None:
    """The first goal holds from 1 to 3, the second at 2 and at 3 only."""

    def values(slides: FloatArray) -> list[FloatArray]:
        return [
            ((slides >= 1.0) & (slides <= 3.0)).astype(float),
            np.isin(slides, [2.0, 3.0]).astype(float),
        ]

    critical = CriticalSlides.of([(0.0, 4.0)], np.array([1.0, 2.0, 3.0]), values)
    assert critical.at_least(floor) == expected


def test_without_places_nothing_is_critical() -> None:
    """No place, no stretch."""
    assert CriticalSlides.of([], np.array([1.0]), lambda slides: [slides]).at_least(None) == ()


@pytest.mark.parametrize(
    ("stretches", "aim", "expected"),
    [
        pytest.param([(0.0, 4.0)], 3.0, 3.0, id="inside"),
        pytest.param([(0.0, 4.0)], 9.0, 4.0, id="beyond an end"),
        pytest.param(
            [(0.0, 1.0), (5.0, 6.0)], 3.0, 1.0, id="as near from both sides: the least slide"
        ),
        pytest.param(
            [(0.0, 1.0), (5.0 - HAIR, 6.0)],
            3.0,
            1.0,
            id="nearer by less than the tolerance is as near",
        ),
        pytest.param(
            [(0.0, 1.0), (5.0 - WIDE, 6.0)], 3.0, 5.0 - WIDE, id="nearer by ten tolerances"
        ),
        pytest.param([(2.0, 2.0)], 3.0, 2.0, id="a single point"),
    ],
)
def test_the_slide_nearest_to_an_aim_is_preferred(
    stretches: list[Interval], aim: float, expected: float
) -> None:
    """Criteria come in order; what they leave equal is decided by the least slide."""

    def indifference(slides: FloatArray) -> FloatArray:
        return np.zeros(len(slides))

    def nearness(slides: FloatArray) -> FloatArray:
        return -np.abs(slides - aim)

    assert math.isclose(preferred(stretches, [aim], [indifference, nearness]), expected)
