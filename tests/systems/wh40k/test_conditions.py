"""At which heights a model may end, and how a broken rule of standing is told."""

import math

import pytest

from systems.wh40k.book import Book
from systems.wh40k.conditions import _broken, surfaces
from systems.wh40k.scene import scene_of
from tabletop.units import CONTACT
from tests.systems.wh40k.tables import case, unit


def test_on_the_table_one_stands_at_its_height() -> None:
    """With no terrain there is one height, that of the table."""
    question = case(unit([(0, 0)]), {"T": unit([(0, 9)])})
    scene = scene_of(question.state, "A", ["T"], choices=question.choices, book=Book())
    assert surfaces(scene, question.state.units["A"].models[0]) == (0.0,)


@pytest.mark.parametrize(("measured", "margin"), [(math.inf, None), (0.25, -0.25)])
def test_a_broken_rule_is_told_with_what_can_be_measured(measured: float, margin: float | None) -> None:
    """It is broken also where there is nothing to measure."""
    found = _broken("wh40k.terrain.support", "Nothing holds it", measured, CONTACT)
    assert (found.ok, found.margin) == (False, margin)
