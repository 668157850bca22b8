"""Free slides of a body at many places, against gaps measured at sampled slides."""

import numpy as np
import pytest

from tabletop.fronts.meeting import Mask
from tabletop.fronts.obstacle import Hazard
from tabletop.fronts.slot import Slider, Slots
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import ring_gap
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import rectangle
from tests.tabletop.fronts.places import with_places

SLACK = 0.01
FINE = np.linspace(-5.0, 5.0, 801)


def sampled(slider: Slider, shifts: FloatArray, *, margin: float) -> Mask:
    """Tell at which of the fine slides (n, k) the body keeps all gaps and stays on the board, by `margin` inches."""
    rings = slider.body + shifts[:, None, None] + FINE[:, None, None] * slider.along
    room = np.array([slider.board.width, slider.board.depth])
    free = ((rings >= margin) & (rings <= room - margin)).all(axis=(2, 3))
    for hazard in slider.hazards:
        free &= ring_gap(rings, hazard.ring) >= hazard.needed + margin
    return np.asarray(free)


@pytest.mark.parametrize("seed", range(10))
def test_slides_told_to_be_free_are_free(seed: int) -> None:
    """The least free slide from each line on keeps its distance; and no sample with more room lies before it."""
    scene, shifts = with_places(seed)
    body = rectangle(Pose(*scene.facing.origin, 0.3), scene.width, 1.5).pieces[0]
    slider = Slider(body, np.array(scene.facing.along), scene.hazards, scene.board, SLACK)
    slots = slider.slots(shifts, np.linspace(-5.0, 5.0, 41))
    roomy = sampled(slider, shifts, margin=3.0 if any(hazard.needed > 0.1 for hazard in scene.hazards) else SLACK + 0.02)
    places = np.arange(len(shifts))
    for low in (-5.0, -1.3, 0.0, 2.2):
        has = slots.has_between(places, np.full((len(places), 1), low), np.full((len(places), 1), 5.0))[:, 0]
        within = low + 0.25 <= FINE
        assert has[roomy[:, within].any(axis=1)].all()
    place, line = np.nonzero(np.isfinite(slots.free))
    shifted = shifts[place] + slots.free[place, line, None] * slider.along
    for hazard in scene.hazards:
        assert (ring_gap(body + shifted[:, None], hazard.ring) >= hazard.needed + SLACK - 1e-9).all()


@pytest.mark.parametrize("seed", range(10))
def test_stretches_told_to_hold_nothing_hold_no_free_sample(seed: int) -> None:
    """Where no slide of a stretch may be free, none of the samples in it is, whatever the corners of hazards take off."""
    scene, shifts = with_places(seed, count=8)
    body = rectangle(Pose(*scene.facing.origin, 0.3), scene.width, 1.5).pieces[0]
    slider = Slider(body, np.array(scene.facing.along), [Hazard(hazard.ring, 0.0) for hazard in scene.hazards], scene.board, 0.0)
    lows = np.linspace(-5.0, 4.0, 31)
    may = slider.slots(shifts, np.linspace(-5.0, 5.0, 41)).may_have_between(lows, lows + 0.4)
    free = sampled(slider, shifts, margin=0.0)
    within = (lows <= FINE[:, None]) & (lows + 0.4 >= FINE[:, None])
    assert not ((free[:, :, None] & within).any(axis=1) & ~may).any()


@pytest.mark.parametrize(
    ("low", "high", "has", "may"),
    [
        (0.0, 0.5, True, True),
        (-1.0, 0.5, True, True),
        (0.1, 0.5, False, True),
        (0.5, 1.6, True, True),
        (1.1, 1.9, False, True),
        (1.1, 1.4, False, False),
    ],
)
def test_a_stretch_is_looked_up_from_the_next_slide_on(low: float, high: float, *, has: bool, may: bool) -> None:
    """Of slides at 0, 1 and 2 that at 0 is free and one at 1.5: surely between the next and the end, perhaps from the one before on."""
    slots = Slots(np.array([0.0, 1.0, 2.0]), np.array([[0.0, 1.5, np.inf]]))
    assert slots.has_between(np.array([0]), np.array([[low]]), np.array([[high]])).tolist() == [[has]]
    assert slots.may_have_between(np.array([low]), np.array([high])).tolist() == [[may]]
