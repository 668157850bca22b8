"""Where a file is told to be wrong."""

import pytest

from systems.wh40k.setup import _key
from tabletop.geometry.pose import Pose
from tabletop.table.models import Model, RoundBase, Squad


@pytest.mark.parametrize(
    ("diameters", "name", "form"),
    [((1.0, 1.0), "", "at"), ((1.0, 2.0), "", "models"), ((1.0, 1.0), "leader", "models")],
)
def test_a_place_is_named_as_its_unit_is_usually_written(
    diameters: tuple[float, float], name: str, form: str
) -> None:
    """Models that are all alike are a list of places, others a list of models."""
    first, second = (RoundBase(diameter) for diameter in diameters)
    unit = Squad(
        "A", "blue", (Model(0, Pose(5, 5, 0), first, name=name), Model(1, Pose(9, 5, 0), second))
    )
    assert _key(unit, 1) == f"units.A.{form}[1]"
