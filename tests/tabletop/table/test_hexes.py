"""Hexes: numbers, places and neighbours."""

import math
from itertools import product

import pytest

from tabletop.table.hexes import (
    HEX_FACINGS,
    HexBoard,
    direction,
    distance,
    heading,
    neighbour,
    number,
    side_at,
)

BOARD = HexBoard.of(15, 17)
PLACES = tuple(product(range(1, 16), range(1, 18)))


@pytest.mark.parametrize(
    ("place", "centre"),
    [((4, 6), (3.96928, 14.375)), ((7, 6), (7.21688, 15.0)), ((6, 5), (6.13435, 15.625))],
    ids=str,
)
def test_centres(place: tuple[int, int], centre: tuple[float, float]) -> None:
    """Hexes stand where the printed numbering says."""
    assert BOARD.centre(place) == pytest.approx(centre, abs=5e-6)


@pytest.mark.parametrize("board", [BOARD, HexBoard.of(1, 1), HexBoard.of(2, 3, 2.0)], ids=str)
def test_board_holds_its_hexes(board: HexBoard) -> None:
    """All corners lie on the board and reach all of its four sides."""
    hexes = product(range(1, board.columns + 1), range(1, board.rows + 1))
    corners = [corner for place in hexes for corner in board.outline(place).tolist()]
    assert min(x for x, _ in corners) == pytest.approx(0.0, abs=1e-12)
    assert min(y for _, y in corners) == pytest.approx(0.0, abs=1e-12)
    assert max(x for x, _ in corners) == pytest.approx(board.width)
    assert max(y for _, y in corners) == pytest.approx(board.depth)


def test_neighbours_share_corners_to_the_last_bit() -> None:
    """Each of the six neighbours has exactly two corners in common."""
    for facing in range(6):
        own, other = (
            set(map(tuple, BOARD.outline(place).tolist()))
            for place in ((5, 7), neighbour((5, 7), facing))
        )
        assert len(own & other) == 2


@pytest.mark.parametrize("facing", range(6))
def test_neighbours_lie_where_they_should(facing: int) -> None:
    """A neighbour is one hex away in the direction of its side, from every hex."""
    for place in PLACES:
        beside = neighbour(place, facing)
        x, y = BOARD.centre(place)
        angle = heading(facing)
        assert BOARD.centre(beside) == pytest.approx(
            (x + 1.25 * math.cos(angle), y + 1.25 * math.sin(angle)), abs=1e-12
        )
        assert (distance(place, beside), direction(place, beside)) == (1, facing)


def test_facings_and_places_come_back() -> None:
    """A heading names its side, and a point near a middle its hex."""
    assert [side_at(heading(facing) + 0.4) for facing in range(6)] == list(range(6))
    assert len(HEX_FACINGS) == 6
    for place in PLACES:
        x, y = BOARD.centre(place)
        assert BOARD.hex_at((x + 0.3, y - 0.4)) == place


def test_distance_is_the_shortest_walk() -> None:
    """Counting outward ring by ring from a hex finds the same numbers."""
    reached = {(5, 7): 0}
    ring = {(5, 7)}
    for step in range(1, 6):
        ring = {neighbour(place, facing) for place in ring for facing in range(6)} - set(reached)
        reached |= dict.fromkeys(ring, step)
    assert all(distance((5, 7), place) == steps for place, steps in reached.items())


def test_others_are_no_neighbours() -> None:
    """There is no side towards a hex farther away, nor towards itself."""
    assert direction((5, 7), (5, 9)) is None
    assert direction((5, 7), (5, 7)) is None
    assert number((12, 3)) == "1203"
