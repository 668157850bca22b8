"""Whether turns are free, many at once, each of its own body."""

import numpy as np
import pytest

from tabletop.motion import blocked_turns
from tabletop.pose import FloatArray
from tabletop.rings import padded, ring_gap, turned
from tabletop.solve.turns import are_blocked

COUNT = 120


def a_scene(number: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Give bodies with the origin on their front edge, rings about them, gaps needed and turns."""
    dice = np.random.default_rng(number)
    left, width, depth = dice.uniform(-4.0, 0.0, COUNT), dice.uniform(4.0, 6.0, COUNT), dice.uniform(1.0, 4.0, COUNT)
    corners = [(left, -depth), (left + width, -depth), (left + width, 0.0 * depth), (left, 0.0 * depth)]
    bodies = np.stack([np.column_stack(corner) for corner in corners], axis=1)
    rings = []
    for _ in range(COUNT):
        angles = np.sort(dice.uniform(0.0, 2 * np.pi, int(dice.choice([1, 3, 4]))))
        rings.append(np.column_stack([np.cos(angles), np.sin(angles)]) * dice.uniform(0.3, 2.0) + dice.uniform(-7.0, 7.0, 2))
    needed = dice.choice([-1e-6, 0.001, 1.0], COUNT)
    return bodies, padded(rings), needed, dice.choice([0.0, 0.3, 1.0, 1.5], COUNT)


@pytest.mark.parametrize("number", range(6))
def test_are_blocked_as_one_by_one(number: int) -> None:
    """Each answer is that of the scalar question."""
    bodies, rings, needed, until = a_scene(number)
    found = are_blocked(bodies, rings, needed=needed, until=until)
    for body, ring, gap, angle, is_blocked in zip(bodies, rings, needed.tolist(), until.tolist(), found, strict=True):
        one = ring[:1] if len(np.unique(ring, axis=0)) == 1 else ring
        stretches = blocked_turns(body, one, pivot=(0.0, 0.0), needed=gap, until=max(angle, 1e-9))
        starts_blocked = float(ring_gap(body, ring)) < gap - 1e-6
        assert is_blocked == (bool(stretches) or starts_blocked)


@pytest.mark.parametrize("number", range(3))
def test_at_the_end_only(number: int) -> None:
    """Only where the turn ends the gap must be kept."""
    bodies, rings, needed, until = a_scene(number)
    found = are_blocked(bodies, rings, needed=needed, until=until, at_end_only=True)
    assert found.tolist() == (ring_gap(turned(bodies, until), rings) < needed - 1e-11).tolist()


def test_a_corner_that_swings_out_and_back_is_seen() -> None:
    """Free at both ends, too near only on the way: by a thousandth of an inch, however small the post."""
    body = np.array([[-3.0, -4.0], [3.0, -4.0], [3.0, 0.0], [-3.0, 0.0]])
    post = 5.0 * np.array([[np.cos(-0.6), np.sin(-0.6)]])
    posts = np.stack([post * (1.0 - 1e-3), post * (1.0 + 1e-3)])
    found = are_blocked(np.stack([body, body]), posts, needed=np.zeros(2), until=np.full(2, 0.7))
    assert found.tolist() == [True, False]
