"""Loose models and the units they make up."""

import pytest

from tabletop.geometry.pose import Pose
from tabletop.table.models import Formation, Model, RoundBase, Squad

HERE, THERE = Pose(1.0, 2.0, 0.5), Pose(4.0, -3.0, 2.0)


@pytest.mark.parametrize(("height", "z"), [((), 0.0), ((2.5,), 2.5)])
def test_a_model_put_elsewhere_stands_on_the_table_unless_a_height_is_told(height: tuple[float, ...], z: float) -> None:
    """It leaves the height that it had, and keeps its number and its base."""
    assert Model(7, HERE, RoundBase(1.0), 3.0, "leader").at(THERE, *height) == Model(7, THERE, RoundBase(1.0), z, "leader")


def test_a_unit_put_elsewhere_keeps_the_order_of_its_models() -> None:
    """Poses and heights of a formation are given out one by one."""
    squad = Squad("A", "blue", tuple(Model(number, HERE, RoundBase(1.0)) for number in range(2)))
    place = Formation((THERE, HERE), (0.0, 1.5))
    assert squad.at(place).place == place
    assert [model.number for model in squad.at(place).models] == [0, 1]
