"""How far a charger may wheel, by its gaps alone."""

import math

import pytest

from systems.conquest.corner import WheelLimits
from systems.conquest.scene import Scene
from tabletop.units import CONTACT
from tests.tables import box, case, unit


def test_a_wheel_ends_at_a_rock_and_as_far_on_as_lengths_can_be_told_apart() -> None:
    """The far corner meets the rock's side, or the front its corner; by the tolerance of contact either may go a little
    into it.
    """
    question = case({"B": unit((20, 24), 270)}, [box((22.5, 23.0), (11.0, 12.0))])
    scene = Scene.of(
        question.state, question.charges[0], choices=question.choices, book=question.book
    )
    limits = WheelLimits(scene).limits
    left = limits["left"]
    right = limits["right"]
    assert (left.exact, left.farthest) == pytest.approx(
        (math.asin(1 / 6), math.asin((1 + CONTACT) / 6)), abs=1e-11
    )
    assert (right.exact, right.farthest) == pytest.approx(
        (math.atan(2), math.atan(2) + CONTACT / math.hypot(0.5, 1.0)), abs=1e-11
    )
    assert [limit.hazard.name for limit in (left, right) if limit.hazard is not None] == [
        "rock",
        "rock",
    ]


def test_in_the_open_only_the_book_ends_a_wheel() -> None:
    """With nothing near it may be a quarter of a turn to both sides."""
    question = case({"B": unit((20, 40), 270)})
    scene = Scene.of(
        question.state, question.charges[0], choices=question.choices, book=question.book
    )
    assert {limit.exact for limit in WheelLimits(scene).limits.values()} == {math.pi / 2}
    assert {limit.farthest for limit in WheelLimits(scene).limits.values()} == {math.pi / 2}
