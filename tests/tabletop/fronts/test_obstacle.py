"""What a move keeps away from, and how far it goes freely."""

import math

import numpy as np
import pytest
import shapely

from tabletop.fronts.obstacle import (
    BOARD_EDGE,
    ConvexObstacle,
    Obstacle,
    convex_parts_of,
    free_slide,
    free_turn,
    gaps_on_slide,
    outside_board,
)
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import ring_gap, rotated, stack_padded
from tabletop.geometry.motion import gaps_on_turns
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import disc
from tabletop.table.state import Board

BOARD = Board(60.0, 60.0)
SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def test_beyond_the_board_lies_a_body_on_each_side() -> None:
    """The four bodies touch the board and do not reach into it."""
    inside = np.array([[0.0, 0.0], [60.0, 0.0], [60.0, 60.0], [0.0, 60.0]])
    assert [float(ring_gap(inside, wall.ring)) for wall in outside_board(BOARD, margin=1.0)] == [
        0.0
    ] * 4


def test_a_slide_ends_at_the_nearest_obstacle() -> None:
    """A disc keeps its radius and the gap asked for; what lies behind stops nothing."""
    obstacles = [
        Obstacle("pillar", "rule", disc((5.5, 0.5), 1.0), 0.25),
        Obstacle("behind", "rule", disc((-3.0, 0.5), 1.0), 0.25),
    ]
    stop = free_slide(SQUARE, convex_parts_of(obstacles), direction=(1.0, 0.0))
    assert stop.free == pytest.approx(3.25)
    assert stop.hazard is not None
    assert stop.hazard.name == "pillar"


def test_a_slide_is_free_where_nothing_stands() -> None:
    """Without anything in the way it goes on for ever."""
    assert free_slide(SQUARE, (), direction=(1.0, 0.0)).free == math.inf


def test_a_turn_ends_at_the_edge_of_the_board() -> None:
    """A unit square in the corner of the board cannot turn about its outer corner, but a body one side away can."""
    body = SQUARE + np.array([1.0, 0.0])
    stop = free_turn(
        body, outside_board(BOARD, margin=2.0), pivot=(1.0, 0.0), sense=1, until=math.pi
    )
    assert stop.free == pytest.approx(math.pi / 2)
    assert stop.hazard is not None
    assert stop.hazard.name == BOARD_EDGE
    assert (
        free_turn(
            body, (ConvexObstacle(SQUARE + 8.0, 0.5),), pivot=(1.0, 0.0), sense=1, until=math.pi
        ).free
        == math.inf
    )


def _some_hazards(number: int) -> list[ConvexObstacle]:
    dice = np.random.default_rng(number)
    hazards = []
    for _ in range(12):
        angles = np.sort(dice.uniform(0.0, math.tau, int(dice.choice([1, 3, 4]))))
        ring = np.column_stack([np.cos(angles), np.sin(angles)]) * dice.uniform(
            0.3, 2.0
        ) + dice.uniform(-9.0, 9.0, 2)
        hazards.append(ConvexObstacle(ring, 0.0))
    return hazards


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("angle", [1.2, -0.7])
def test_the_least_gap_of_a_turn(number: int, angle: float) -> None:
    """No sample of the turn is nearer, and the nearest of many is hardly farther; overlaps are told as such."""
    body = np.array([[-1.0, -2.0], [3.0, -2.0], [3.0, 0.0], [-1.0, 0.0]])
    hazards = _some_hazards(number)
    rings = stack_padded([hazard.ring for hazard in hazards])
    found = gaps_on_turns(
        np.repeat(body[None], len(rings), axis=0), rings, np.full(len(rings), angle)
    )
    around = rotated(body, np.linspace(0.0, angle, 2001))
    for gap, hazard in zip(found.tolist(), hazards, strict=True):
        sampled = float(ring_gap(around, hazard.ring).min())
        if sampled > 1e-3:
            assert sampled - 1e-5 <= gap <= sampled + 1e-12
        else:
            assert gap <= 1e-2


def test_the_least_gaps_of_turns_of_many_bodies() -> None:
    """Each body turns by its own angle; each answer is that of the body alone, but for how deep an overlap is."""
    hazards = _some_hazards(3)
    dice = np.random.default_rng(3)
    bodies = SQUARE * dice.uniform(1.0, 4.0, (len(hazards), 1, 1)) - dice.uniform(
        0.0, 1.0, (len(hazards), 1, 2)
    )
    turns = dice.uniform(-1.5, 1.5, len(hazards))
    found = gaps_on_turns(bodies, stack_padded([hazard.ring for hazard in hazards]), turns)
    alone = [
        float(gaps_on_turns(body[None], hazard.ring[None], np.array([angle]))[0])
        for body, hazard, angle in zip(bodies, hazards, turns.tolist(), strict=True)
    ]
    assert np.maximum(found, 0.0).tolist() == pytest.approx(
        np.maximum(alone, 0.0).tolist(), abs=1e-12
    )
    assert (found < 0.0).tolist() == (np.array(alone) < 0.0).tolist()


@pytest.mark.parametrize(
    "body", [SQUARE, SQUARE[:2], np.array([[0.0, 0.0], [2.0, -1.0], [3.0, 2.0]])]
)
@pytest.mark.parametrize("direction", [(1.0, 0.0), (-0.8, 0.6), (0.0, -1.0)])
def test_what_a_slide_covers(body: FloatArray, direction: Point) -> None:
    """Points beside, behind and ahead of a slide are as far away as from the hull of its two ends."""
    posts = [
        ConvexObstacle(np.array([[x, y]]), 0.0) for x in (-9.0, 0.3, 9.0) for y in (-9.0, 0.2, 9.0)
    ]
    moved = np.vstack([body, body + 4.0 * np.array(direction)])
    hull = shapely.MultiPoint(moved).convex_hull
    found = gaps_on_slide(body, posts, direction=direction, length=4.0)
    expected = [hull.distance(shapely.Point(post.ring[0])) for post in posts]
    assert np.maximum(found, 0.0).tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("number", range(4))
def test_the_least_gap_of_a_slide(number: int) -> None:
    """It is that of what the body sweeps."""
    hazards = _some_hazards(number)
    found = gaps_on_slide(SQUARE, hazards, direction=(0.6, 0.8), length=5.0)
    steps = SQUARE + np.linspace(0.0, 5.0, 4001)[:, None, None] * np.array([0.6, 0.8])
    for gap, hazard in zip(found.tolist(), hazards, strict=True):
        sampled = float(ring_gap(steps, hazard.ring).min())
        assert gap == pytest.approx(sampled, abs=1e-5) if sampled > 0.0 else gap <= 0.0


def test_without_hazards_there_is_no_gap() -> None:
    """Nothing is measured to nothing."""
    assert len(gaps_on_slide(SQUARE, [], direction=(1.0, 0.0), length=1.0)) == 0


@pytest.mark.parametrize("start", [0.0, 1e-12, 2e-6, 5e-4])
@pytest.mark.parametrize("is_mirrored", [False, True])
@pytest.mark.parametrize("is_reversed", [False, True])
def test_an_edge_that_is_flush_at_an_end_of_a_turn_is_seen_in_the_ring_beside_it(
    start: float, is_mirrored: bool, is_reversed: bool
) -> None:
    """It touches where it starts, goes right through a corner of the ring, and is just out of it where it ends."""
    ring = np.array([[2.0, start], [5.0, start], [5.0, 6.0], [2.0, 6.0]])
    edge = np.array([[3.0, 0.0], [0.0, 0.0]])
    angle = math.acos(2.0 / 3.0)
    if is_mirrored:
        ring = ring[::-1] * [1.0, -1.0]
        angle = -angle
    if is_reversed:
        edge = rotated(edge, np.array([angle]))[0]
        angle = -angle
    found = float(gaps_on_turns(edge[None], ring[None], np.array([angle]))[0])
    sampled = float(ring_gap(rotated(edge, np.linspace(0.0, angle, 2001)), ring).min())
    assert sampled < -0.2
    assert found < -0.1
