"""Discs in line along curves: never fewer than trying everything finds, and as many where only neighbours are in the
way.
"""

import math
from itertools import combinations

import numpy as np
import pytest

from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.placement.line_packing import LineSlots, max_packing


def _arc(count: int, turn: float, radius: float) -> FloatArray:
    angles = np.arange(count) * turn / count
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def _line(usable: BoolArray, at: FloatArray, *, radius: float, is_ring: bool = False) -> LineSlots:
    return LineSlots(usable, at, np.full(len(at), radius), is_ring)


def _tried(usable: BoolArray, at: FloatArray, radius: float) -> int:
    """Return the most that can stand at once, by trying all choices of places, each with all who may be there."""
    apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) >= 2 * radius
    for size in range(len(usable), 0, -1):
        for chosen in combinations(range(len(at)), size):
            if all(apart[one, other] for one, other in combinations(chosen, 2)) and _served(
                usable[:, list(chosen)]
            ):
                return size
    return 0


def _served(usable: BoolArray) -> bool:
    """Return whether each of some places (columns) can be given to another of those who may use it."""
    if not usable.shape[1]:
        return True
    return any(
        _served(np.delete(usable, who, axis=0)[:, 1:]) for who in np.flatnonzero(usable[:, 0])
    )


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("is_ring", [False, True])
def test_as_many_stand_on_an_arc_as_trying_all_finds(seed: int, *, is_ring: bool) -> None:
    """On half a circle or a whole one, with places open to some by chance, the count is that of all choices, and its
    places fit.
    """
    chance = np.random.default_rng(seed)
    count = 10
    at = _arc(count, math.tau if is_ring else math.pi, 1.0)
    usable = chance.random((4, count)) < 0.5
    radius = float(chance.uniform(0.15, 0.6))
    most, taken = max_packing([_line(usable, at, radius=radius, is_ring=is_ring)])
    assert most == len(taken) == _tried(usable, at, radius)
    assert all(usable[who, place] for who, _, place in taken)
    assert len({who for who, _, _ in taken}) == most
    spots = at[[place for _, _, place in taken]]
    assert all(math.dist(one, other) >= 2 * radius for one, other in combinations(spots, 2))


def test_discs_with_nothing_left_of_them_shut_out_nobody() -> None:
    """What is to spare may be more than a radius: then all places in a row can be had, however close."""
    at = np.array([[0.05 * number, 0.0] for number in range(4)])
    most, _ = max_packing([_line(np.ones((4, 4), dtype=bool), at, radius=-0.2)])
    assert most == 4


def test_who_is_placed_in_one_line_is_not_in_another() -> None:
    """Two models and two lines with two places each: two stand, not four."""
    lines = [
        _line(np.ones((2, 2), dtype=bool), np.array([[0.0, y], [5.0, y]]), radius=1.0)
        for y in (0.0, 9.0)
    ]
    most, taken = max_packing(lines)
    assert most == 2
    assert {who for who, _, _ in taken} == {0, 1}


def test_a_ring_that_is_full_takes_no_more_than_fit_around() -> None:
    """Six equal discs fit around one of their size, also if the first of a hundred places is a little off."""
    for shift in (0.0, 0.01):
        angles = np.arange(96) * math.tau / 96 + shift
        at = 2.0 * np.column_stack([np.cos(angles), np.sin(angles)])
        line = _line(np.ones((9, 96), dtype=bool), at, radius=1.0 - 1e-9, is_ring=True)
        assert max_packing([line])[0] == 6


@pytest.mark.parametrize("scale", [0.05, 0.3, 40.0])
def test_as_many_fit_around_at_any_size(scale: float) -> None:
    """Of a ring all lengths may be tiny or huge: six equal discs fit around one of their size."""
    angles = np.arange(96) * math.tau / 96
    at = scale * 2.0 * np.column_stack([np.cos(angles), np.sin(angles)])
    line = _line(np.ones((9, 96), dtype=bool), at, radius=scale * (1.0 - 1e-9), is_ring=True)
    assert max_packing([line])[0] == 6


def test_many_with_places_of_their_own_are_bounded() -> None:
    """Thirty models, each with other places: states are put together, and no fewer are counted than can stand."""
    places = 60
    at = np.column_stack([np.arange(places) * 1.0, np.zeros(places)])
    usable = np.zeros((30, places), dtype=bool)
    for who in range(30):
        usable[who, 2 * who : 2 * who + 3] = True
    assert 30 >= max_packing([_line(usable, at, radius=0.9)])[0] >= 29


def test_nobody_stands_where_there_is_no_place() -> None:
    """No lines, or none that anybody may use: none stand there."""
    assert max_packing([]) == (0, [])
    assert max_packing([_line(np.zeros((3, 4), dtype=bool), _arc(4, 1.0, 5.0), radius=0.1)]) == (
        0,
        [],
    )
