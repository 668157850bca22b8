"""Sight of a body at many places, against the search for a line at each place alone."""

from dataclasses import replace

import numpy as np
import pytest

from tabletop.sight import clear_sight
from tabletop.sightings import surely_seen, surely_unseen
from tests.tabletop.test_sight import random_view


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
