"""Models in hexes as marks: where they stand, what they look at, and who shares a hex."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from plots.marks.mark import Lines, Points, Printed, Rings
from plots.marks.silhouettes import DRAWN
from plots.marks.units import FILLS, hex_unit_marks, hex_unit_ring, hex_unit_start
from tabletop.table.state import SILHOUETTES, Board, HexUnit, silhouette_of
from tests.plots.hexed import BOARD, table, unit


@pytest.mark.parametrize("facing", range(6))
def test_the_roof_points_at_the_side_faced(facing: int) -> None:
    """Of a unit of which nothing is known the corner farthest ahead lies on the line to the middle of the side that is
    faced.
    """
    one = unit("A", "blue", (5, 8), facing)
    tips = [one.pose.local(corner) for corner in bodies(one)[0]]
    ahead = max(tips, key=lambda corner: corner[1])
    assert ahead[0] == pytest.approx(0.0, abs=1e-12)
    assert 0.0 < ahead[1] < BOARD.hex_inches / 2


@pytest.mark.parametrize("silhouette", SILHOUETTES)
@pytest.mark.parametrize("facing", range(6))
def test_a_silhouette_is_turned_to_the_side_faced_and_stays_in_its_hex(
    silhouette: str, facing: int
) -> None:
    """Seen from the unit itself it is the drawing of the table, whichever side it faces; no corner of it lies in
    another hex.
    """
    one = replace(unit("A", "blue", (5, 8), facing), profile=SimpleNamespace(silhouette=silhouette))
    drawn = DRAWN[silhouette_of(one) or "walker"]
    for ring, expected in zip(bodies(one), drawn.bodies, strict=True):
        seen = np.array([one.pose.local(corner) for corner in ring]) / (FILLS * BOARD.hex_inches)
        assert np.allclose(seen, expected)
        assert {BOARD.hex_at(corner) for corner in ring} == {BOARD.hex_at(one.pose.at)}


def bodies(one: HexUnit, others: tuple[HexUnit, ...] = ()) -> tuple[Points, ...]:
    """Return the rings that a unit is drawn with."""
    outline = hex_unit_marks(one, tone=0, board=BOARD, others=others)[0]
    assert isinstance(outline, Rings)
    return outline.rings


def test_models_stay_inside_their_hex() -> None:
    """Every corner is nearer to the hex's middle than its sides are."""
    for one in table().units.values():
        for ring in bodies(one, tuple(table().units.values())):
            assert {BOARD.hex_at(corner) for corner in ring} == {BOARD.hex_at(one.pose.at)}


def test_two_in_a_hex_stand_side_by_side() -> None:
    """Those that share a hex are drawn smaller and apart; a third elsewhere is not moved."""
    others = tuple(table().units.values())
    drawn = [
        hex_unit_marks(one, tone=0, board=BOARD, others=others)[0]
        for one in others
        if one.name in "DE"
    ]
    (_, east), (west, _) = [
        (min(xs), max(xs))
        for mark in drawn
        if isinstance(mark, Rings)
        for xs in [[x for x, _ in mark.rings[0]]]
    ]
    assert east < west
    alone = hex_unit_marks(others[0], tone=0, board=BOARD, others=others)[0]
    assert alone == hex_unit_marks(others[0], tone=0, board=BOARD)[0]


def test_who_lies_is_crossed() -> None:
    """A fallen model lies over a double line, others have none."""
    marks = {mark.id: mark for mark in hex_unit_marks(table().units["Locust"], tone=1, board=BOARD)}
    assert isinstance(marks["lying"], Lines)
    standing = {mark.id for mark in hex_unit_marks(table().units["A"], tone=0, board=BOARD)}
    assert standing == {"", "letter"}


def test_a_name_is_printed_inside_or_placed_beside() -> None:
    """The name has its room in the outline, and a label that stands for it where it does not fit."""
    letter = hex_unit_marks(table().units["Locust"], tone=1, board=BOARD)[2]
    assert isinstance(letter, Printed)
    assert letter.words[0][1] == "Locust"
    assert letter.instead is not None
    assert letter.instead.text == "Locust"


def test_start_is_the_outline_where_it_stood() -> None:
    """The dashed start has the corners that the model has when it stands alone."""
    one = unit("A", "blue", (5, 8), 1)
    start = hex_unit_start(one, tone=0, board=BOARD)[0]
    drawn = hex_unit_marks(one, tone=0, board=BOARD)[0]
    assert isinstance(start, Rings)
    assert isinstance(drawn, Rings)
    assert start.rings == drawn.rings


def test_ring_is_the_hex() -> None:
    """The ring of a model is its hex, whose corners are a radius from the middle."""
    one = unit("A", "blue", (4, 3), 1)
    radii = [math.dist(corner, one.pose.at) for corner in hex_unit_ring(one, BOARD)]
    assert radii == [pytest.approx(BOARD.hex_inches / math.sqrt(3))] * 6


def test_models_of_hexes_need_a_board_of_hexes() -> None:
    """On a board without hexes such a model cannot be drawn."""
    with pytest.raises(TypeError, match="hexes"):
        hex_unit_marks(table().units["A"], tone=0, board=Board(10.0, 10.0))
