"""Sight of a body at many places, against the search for a line at each place alone."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tabletop.table.sight import View, clear_sight, surely_seen, surely_unseen
from tests.tabletop.table.test_sight import AHEAD, ARC, FRONT, random_view


@pytest.mark.parametrize("seed", range(24))
def test_what_is_sure_is_so(seed: int) -> None:
    """Places surely seen are seen, places surely unseen are not; most places are one or the other."""
    view, blockers = random_view(seed)
    shifts = np.random.default_rng(seed).uniform((-14.0, -6.0), (14.0, 6.0), (40, 2))
    expected = np.array([clear_sight(replace(view, target=view.target + shift), blockers) is not None for shift in shifts])
    seen, unseen = surely_seen(view, blockers, shifts), surely_unseen(view, blockers, shifts)
    assert expected[seen].all()
    assert not expected[unseen].any()
    assert (seen | unseen).mean() >= 0.6


@pytest.mark.parametrize(
    ("inside", "is_unseen"),
    [
        pytest.param(-2e-3, True, id="outside"),
        pytest.param(-5e-4, False, id="hardly outside"),
        pytest.param(5e-4, False, id="hardly inside"),
        pytest.param(2e-3, False, id="inside"),
    ],
)
def test_a_thousandth_of_an_inch_from_the_limit_of_the_arc_nothing_is_sure(inside: float, *, is_unseen: bool) -> None:
    """A body beside the limit, one of its sides along that but for a hair: so many inches of it lie within."""
    angle = AHEAD - ARC - 2e-5
    along, normal = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
    near, far = (np.array(FRONT[1]) + inside * normal + away * along for away in (3.0, 5.0))
    view = View((FRONT,), AHEAD, ARC, np.array([far, near, near - normal, far - normal]))
    assert surely_unseen(view, (), np.zeros((1, 2))).tolist() == [is_unseen]
    assert not surely_seen(view, (), np.zeros((1, 2))).any() or inside > 1e-3
    assert (clear_sight(view, ()) is not None) == (inside > 0.0)
