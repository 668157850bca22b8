"""Marks of what figures are about: the number is that of the table, worked out by hand from the places in the file."""

import math
from dataclasses import replace

import numpy as np
import pytest

import tabletop
from systems.wh40k.paths import Paths
from systems.wh40k.scene import scene_of
from tabletop.geometry.shape import polygon
from tabletop.ruling.contrast import Contrast
from tabletop.testing.answers import resolved
from tests.systems.said import numbers


def other(name: str, kind: str) -> Contrast:
    """Return the first alternative of a kind of a bundled scenario."""
    return next(
        one for one in resolved(f"wh40k/{name}")[1].rulings[0].contrast or () if one.kind == kind
    )


@pytest.mark.parametrize(
    ("name", "said", "lengths"),
    [
        ("across-a-barricade", ["2", "2"], [2.0]),
        ("chain-just-long-enough", ["4", "3", "2", "9"], [2.0, 2.0, 2.0, 9.0]),
        ("contact-is-a-duty", ["5", "6"], []),
        ("oval-seen-from-the-side", ["6.54"], []),
        ("past-a-bystander", ["1"], [1.0]),
        ("ten-against-ten", ["2.23"], [2.2283]),
        ("onto-the-crate", ["1.5", "0"], []),
        ("walker-turns", ["4.93", "7"], []),
        ("through-friends-and-turned", ["3.89", "0"], []),
        ("round-the-ruin", ["8.54", "9"], []),
    ],
)
def test_the_mark_of_the_point_of_a_success(
    name: str, said: list[str], lengths: list[float]
) -> None:
    """Its words give the number, its lines are as long, and it is shown only where the file names its rule."""
    told = resolved(f"wh40k/{name}")[1].rulings[0].pointed
    assert told is not None
    assert told.mark is not None
    assert (told.ok, told.mark.is_for_point, numbers(told.mark.words)) == (True, True, said)
    assert [math.dist(*line) for line in told.mark.lines] == pytest.approx(lengths, abs=2e-4)


def test_the_last_model_of_a_proposal_is_within_reach_of_the_others() -> None:
    """wh40k.possible.coherency, judged: model 6 is 1.74 in from model 5, where base contact would be 2.73 in away."""
    case, resolution = resolved("wh40k/judged-in-six-moves")
    kept = next(one for one in tabletop.judge(case, resolution).findings if one.rule == case.point)
    assert kept.mark is not None
    assert numbers(kept.mark.words) == ["1.74", "2"]


def test_over_the_wall_is_as_far_as_over_a_wall_without_an_end() -> None:
    """The path over a wall as long as the table is 5 in across, 5 in up and 5 in down."""
    case, resolution = resolved("wh40k/round-the-ruin")
    found = other("round-the-ruin", "other")
    long = replace(
        case.state.terrain[0], shape=polygon([(23.0, 0.0), (23.5, 0.0), (23.5, 40.0), (23.0, 40.0)])
    )
    state = replace(case.state, terrain=(long,))
    scene = scene_of(state, "A", ("T",), choices=case.choices, book=case.book)
    (pose,) = found.units["A"].poses
    (length,) = Paths(scene).lengths(scene.charger.models[0], np.array([[*pose.at, 0.0]]))
    assert found.finding.measured == pytest.approx(float(length), abs=1e-6)
    assert [term.value for term in found.terms] == pytest.approx([5.0, 5.0, 5.0, 15.0])
    assert resolution.rulings[0].outcome == "success"


def test_the_circle_about_an_oval_is_nearer() -> None:
    """wh40k.measure.base-or-hull: from a base of 32 mm to a circle of 75 mm with 8 in between their middles."""
    found = other("oval-seen-from-the-side", "other")
    assert found.finding.mark is not None
    assert math.dist(*found.finding.mark.lines[0]) == pytest.approx(
        8.0 - (32.0 + 75.0) / 2.0 / 25.4, abs=1e-6
    )
    assert numbers(found.finding.mark.words) == ["5.89", "6.54"]


def test_the_climb_is_added_to_the_way() -> None:
    """wh40k.terrain.climb: up to the edge of the tower beside T, and six inches up."""
    across = math.hypot(4.5, math.sqrt(1.0 - 0.1**2))
    assert [
        term.value for term in other("hanging-on-the-wall", "mechanism").terms
    ] == pytest.approx([across, 6.0, across + 6.0], abs=0.006)


def test_a_barred_way_is_drawn_with_what_bars_it() -> None:
    """wh40k.possible.avoid-others: the straight way of 5 in that ends in N's range, and that range, an inch about its
    base.
    """
    found = other("past-a-bystander", "barred")
    assert [step.length for step in found.steps] == pytest.approx([5.0])
    assert found.finding.mark is not None
    assert [area.radius for area in found.finding.mark.areas] == pytest.approx([1.5])
