"""Whether turns are free, many at once, each of its own body."""

import numpy as np
import pytest

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import padded, ring_gap, turned
from tabletop.geometry.motion import are_blocked, blocked_turns, blocked_turns_of

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


@pytest.mark.parametrize("at_end_only", [False, True])
def test_a_turn_that_ends_with_just_the_gap_needed_is_free(*, at_end_only: bool) -> None:
    """A block that has turned by a right angle stands 1 in from another: that is enough where 1 in is needed, a hair more is not."""
    body = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [0.0, 1.0]])
    ring = np.array([[-3.0, 0.0], [-2.0, 0.0], [-2.0, 1.0], [-3.0, 1.0]])
    asked = {"needed": np.array([1.0, 1.0 + 1e-5]), "until": np.full(2, np.pi / 2)}
    assert are_blocked(np.stack([body, body]), np.stack([ring, ring]), **asked, at_end_only=at_end_only).tolist() == [False, True]


def test_a_corner_that_swings_out_and_back_is_seen() -> None:
    """Free at both ends, too near only on the way: by a thousandth of an inch, however small the post."""
    body = np.array([[-3.0, -4.0], [3.0, -4.0], [3.0, 0.0], [-3.0, 0.0]])
    post = 5.0 * np.array([[np.cos(-0.6), np.sin(-0.6)]])
    posts = np.stack([post * (1.0 - 1e-3), post * (1.0 + 1e-3)])
    found = are_blocked(np.stack([body, body]), posts, needed=np.zeros(2), until=np.full(2, 0.7))
    assert found.tolist() == [True, False]


@pytest.mark.parametrize("corners", [400, 4])
@pytest.mark.parametrize("away", [5.9, 6.2, 6.5])
def test_rings_of_very_many_corners(corners: int, away: float) -> None:
    """A turn past a ring of hundreds of corners, or among them, is blocked where each corner and edge on its own says."""
    body = np.array([[-6.0, -2.0], [0.0, -2.0], [0.0, 0.0], [-6.0, 0.0]])
    angles = np.linspace(0.0, 2 * np.pi, corners, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) + away * np.array([-np.cos(0.7), -np.sin(0.7)])
    found = blocked_turns_of(body, ring[None], needed=np.array([0.001]), until=np.pi / 2)
    alone = blocked_turns(body, ring, pivot=(0.0, 0.0), needed=0.001)
    assert np.column_stack([found.low, found.high]).ravel().tolist() == pytest.approx(np.ravel(alone).tolist(), abs=1e-9)


def test_a_turn_along_a_ring_at_the_gap_needed_is_free() -> None:
    """Where all of a ring is at the gap needed, nothing tells of its neighbours, and each is asked."""
    angles = np.linspace(0.0, 2 * np.pi, 300, endpoint=False)
    wall = np.array([[5.0, 0.0], [5.0, 0.0]]) + np.array([[0.0, -9.0], [0.0, 9.0]])
    wheel = np.column_stack([np.cos(angles), np.sin(angles)]) * 5.0
    free = blocked_turns_of(wheel, wall[None], needed=np.zeros(1), until=1.0)
    assert len(free.low) == 0
    assert len(blocked_turns_of(wheel, wall[None] - [1e-3, 0.0], needed=np.zeros(1), until=1.0).low) >= 1


@pytest.mark.parametrize("number", range(2))
def test_stretches_of_many_pairs_are_those_of_each_alone(number: int) -> None:
    """Each body is held against its own ring only, and whatever follows without a gap is one stretch."""
    bodies, rings, needed, _ = a_scene(number)
    found = blocked_turns_of(bodies, rings, needed=needed, until=1.5)
    for pair, (body, ring, gap) in enumerate(zip(bodies, rings, needed.tolist(), strict=True)):
        one, own = ring[:1] if len(np.unique(ring, axis=0)) == 1 else ring, found.pair == pair
        alone = blocked_turns(body, one, pivot=(0.0, 0.0), needed=gap, until=1.5)
        assert np.column_stack([found.low[own], found.high[own]]).ravel().tolist() == pytest.approx(np.ravel(alone).tolist(), abs=1e-9)
