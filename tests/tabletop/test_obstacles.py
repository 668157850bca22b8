"""What a move keeps away from, and how far it goes freely."""

import math

import numpy as np
import pytest

from tabletop.obstacles import BOARD_EDGE, Hazard, Obstacle, beyond, free_slide, free_turn, hazards_of
from tabletop.rings import ring_gap
from tabletop.shapes import disc
from tabletop.state import Board

BOARD = Board(60.0, 60.0)
SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def test_beyond_the_board_lies_a_body_on_each_side() -> None:
    """The four bodies touch the board and do not reach into it."""
    inside = np.array([[0.0, 0.0], [60.0, 0.0], [60.0, 60.0], [0.0, 60.0]])
    assert [float(ring_gap(inside, wall.ring)) for wall in beyond(BOARD, margin=1.0)] == [0.0] * 4


def test_a_slide_ends_at_the_nearest_obstacle() -> None:
    """A disc keeps its radius and the gap asked for; what lies behind stops nothing."""
    obstacles = [Obstacle("pillar", "rule", disc((5.5, 0.5), 1.0), 0.25), Obstacle("behind", "rule", disc((-3.0, 0.5), 1.0), 0.25)]
    stop = free_slide(SQUARE, hazards_of(obstacles), direction=(1.0, 0.0))
    assert stop.free == pytest.approx(3.25)
    assert stop.hazard is not None
    assert stop.hazard.name == "pillar"


def test_a_slide_is_free_where_nothing_stands() -> None:
    """Without anything in the way it goes on for ever."""
    assert free_slide(SQUARE, (), direction=(1.0, 0.0)).free == math.inf


def test_a_turn_ends_at_the_edge_of_the_board() -> None:
    """A unit square in the corner of the board cannot turn about its outer corner, but a body one side away can."""
    body = SQUARE + np.array([1.0, 0.0])
    stop = free_turn(body, beyond(BOARD, margin=2.0), pivot=(1.0, 0.0), sense=1, until=math.pi)
    assert stop.free == pytest.approx(math.pi / 2)
    assert stop.hazard is not None
    assert stop.hazard.name == BOARD_EDGE
    assert free_turn(body, (Hazard(SQUARE + 8.0, 0.5),), pivot=(1.0, 0.0), sense=1, until=math.pi).free == math.inf
