"""Regiments in ranks and files, and the table that holds them."""

import math
from typing import Literal

import pytest

from tabletop.geometry.pose import Pose
from tabletop.table.state import Base, Board, Regiment, State

UP = Pose(10.0, 10.0, math.pi / 2)
BLOCK = Regiment("A", "blue", UP, files=5, models=12, base=Base(1.0, 2.0))


def test_the_boundary_holds_empty_places_too() -> None:
    """Twelve models in fives stand in three ranks, whose rectangle lies behind the front edge."""
    assert (BLOCK.ranks, BLOCK.width, BLOCK.depth) == (3, 5.0, 6.0)
    assert BLOCK.boundary.bounds == pytest.approx((7.5, 4.0, 12.5, 10.0))
    assert BLOCK.centre == pytest.approx((10.0, 7.0))
    assert BLOCK.front_left == pytest.approx((7.5, 10.0))
    assert BLOCK.front_right == pytest.approx((12.5, 10.0))


def test_spacing_lies_between_the_models_only() -> None:
    """Four spaces between five files, two between three ranks."""
    loose = Regiment("A", "blue", UP, files=5, models=12, base=Base(1.0, 2.0), spacing=0.5)
    assert (loose.width, loose.depth) == (7.0, 7.0)
    assert loose.model_pose(1, 4).at == pytest.approx((13.0, 7.5))


@pytest.mark.parametrize(
    ("rear_rank", "files"), [("left", [0, 1]), ("centre", [1, 2]), ("right", [3, 4])]
)
def test_the_rear_rank_stands_where_it_is_told(
    rear_rank: Literal["left", "centre", "right"], files: list[int]
) -> None:
    """Two models of five places: left, in the middle (the odd empty place on the right), right."""
    block = Regiment("A", "blue", UP, files=5, models=12, base=Base(1.0, 2.0), rear_rank=rear_rank)
    assert [file for rank, file in block.places() if rank == 2] == files
    assert len(block.places()) == 12


@pytest.mark.parametrize(
    ("models", "right"),
    [(14, [-1.5, -0.5, 0.5, 1.5]), (13, [-1.0, 0.0, 1.0]), (12, [-0.5, 0.5]), (11, [0.0])],
)
def test_a_rear_rank_may_halve_files(models: int, right: list[float]) -> None:
    """One to four models of five places, exactly in the middle behind full ranks of files half a base off."""
    block = Regiment(
        "A",
        "blue",
        UP,
        files=5,
        models=models,
        base=Base(1.0, 2.0),
        rear_rank="centre",
        halves_files=True,
    )
    rear = [block.model_pose(*place) for place in block.places() if place[0] == 2]
    assert [pose.at for pose in rear] == [pytest.approx((10.0 + across, 6.0)) for across in right]
    assert block.model_pose(0, 0).at == pytest.approx((8.0, 10.0))


def test_a_full_rear_rank_has_no_empty_places() -> None:
    """Ten models in fives fill two ranks, in order."""
    block = Regiment("A", "blue", UP, files=5, models=10, base=Base(1.0, 1.0), rear_rank="right")
    assert block.places() == tuple((rank, file) for rank in range(2) for file in range(5))


def test_status_words_are_added_once_and_taken_away() -> None:
    """The order is that of their coming."""
    unit = BLOCK.with_status("charging", "shaken", "charging")
    assert unit.status == ("charging", "shaken")
    assert unit.with_status("engaged", without=("charging",)).status == ("shaken", "engaged")


def test_a_table_with_another_unit_leaves_the_first_alone() -> None:
    """Values in, values out: the old table still has the unit where it was, in its place in the order."""
    before = State(Board(72.0, 48.0), {"A": BLOCK, "B": BLOCK})
    after = before.with_unit(BLOCK.at(Pose(1.0, 2.0, 0.0)))
    assert before.units["A"].pose == UP
    assert after.units["A"].pose == Pose(1.0, 2.0, 0.0)
    assert list(after.units) == ["A", "B"]
