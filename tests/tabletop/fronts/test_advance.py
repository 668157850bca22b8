"""Straight ways of a front, many at once, against the scalar slide."""

import numpy as np
import pytest

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.fronts import sweep
from tabletop.fronts.sweep import advances, first_touch
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import padded
from tabletop.geometry.motion import blocked_slide

WIDTH = 4.0
FRONT = np.array([[0.0, 0.0], [WIDTH, 0.0]])
AHEAD = (0.0, 1.0)


def some_rings(number: int, count: int = 60) -> FloatArray:
    """Give convex rings and points, before, beside and behind the front."""
    dice = np.random.default_rng(number)
    rings = []
    for _ in range(count):
        angles = np.sort(dice.uniform(0.0, 2 * np.pi, int(dice.choice([1, 3, 4, 6]))))
        ring = np.column_stack([np.cos(angles), np.sin(angles)]) * dice.uniform(0.2, 3.0)
        rings.append(ring + dice.uniform([-4.0, -6.0], [8.0, 8.0]))
    return padded(rings)


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("level", [0.001, 0.5])
def test_advances_as_slides_one_by_one(number: int, level: float) -> None:
    """Each stretch is that of the scalar question."""
    rings = some_rings(number)
    found = advances(rings, WIDTH, level=np.full(len(rings), level))
    for ring, low, high in zip(rings, found.low, found.high, strict=True):
        stretch = blocked_slide(FRONT, ring, direction=AHEAD, needed=level)
        if stretch is not None and stretch[1] - stretch[0] > 1e-3:
            assert (low, high) == pytest.approx(stretch, abs=1e-9)
        else:
            assert high - low < 1e-1


@pytest.mark.parametrize("number", range(6))
def test_the_first_touch_is_where_the_slide_ends(number: int) -> None:
    """The way is that of the scalar question, and the place lies on the ring that far ahead."""
    rings = some_rings(number)
    rings = rings[rings[:, :, 1].min(axis=1) > 0.0]
    found = first_touch(rings, WIDTH)
    for ring, way, place in zip(rings, found.way, found.place, strict=True):
        stretch = blocked_slide(FRONT, ring, direction=AHEAD, needed=0.0)
        if stretch is not None:
            assert way == pytest.approx(stretch[0], abs=1e-9)
            assert 0.0 <= place <= WIDTH


def test_a_body_beside_is_passed_at_just_the_level() -> None:
    """Passing at exactly the distance asked for is free, a hair nearer is not; an overlap as deep as the level is let pass."""
    beside = np.array([[5.0, 3.0], [6.0, 3.0], [6.0, 4.0], [5.0, 4.0]])
    levels = np.array([1.0, 1.0 + 1e-9])
    assert advances(np.stack([beside, beside]), WIDTH, level=levels).blocks(np.array([9.0, 9.0])).tolist() == [False, True]
    deep = np.stack([beside - [1.0 + depth, 0.0] for depth in (1e-7, 1e-5)])
    assert advances(deep, WIDTH, level=np.full(2, -1e-6)).blocks(np.array([9.0, 9.0])).tolist() == [False, True]


def test_what_lies_behind_blocks_nothing() -> None:
    """Only stretches that are not passed already count, and ways that lead into them."""
    square = np.array([[1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0]])
    up = np.array([0.0, 3.0])
    rings = np.stack([square - up, square + up, square + up])
    assert advances(rings, WIDTH, level=np.zeros(3)).blocks(np.array([9.0, 9.0, 2.0])).tolist() == [False, True, False]


def test_many_rings_are_taken_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts give what all at once give, to the bit, and a limit of time that has passed ends them."""
    rings = some_rings(1, 12)
    rings = rings.reshape(4, 3, *rings.shape[1:])
    whole = first_touch(rings, WIDTH)
    monkeypatch.setattr(sweep, "CORNERS_AT_ONCE", 2 * rings.shape[-2])
    parts = first_touch(rings, WIDTH)
    assert parts.way.tobytes() == whole.way.tobytes()
    assert parts.place.tobytes() == whole.place.tobytes()
    assert parts.way.shape == (4, 3)
    with Budget(seconds=1e-9, started=-10.0).running(), pytest.raises(NoVerdictError):
        first_touch(rings, WIDTH)
