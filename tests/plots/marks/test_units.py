"""Units as marks, however they stand: what all of them share."""

import math
from typing import Any

import pytest

from plots.marks.mark import Label
from plots.marks.units import UnitStyle, extremes, start_marks, stop_marks, unit_marks
from tabletop.geometry.pose import Pose
from tabletop.language.language import ENGLISH, speaking
from tabletop.ruling.looks import Looks
from tests.plots import hexed, loose
from tests.plots.scenes import regiment

REGIMENT = regiment("A", "blue", Pose(30.0, 10.0, math.pi / 2))
SQUAD = loose.squad("A", "blue", ((10.0, 10.0), (12.0, 10.0)))
HEXED = hexed.unit("A", "blue", (5, 8), 0)
LOOK = UnitStyle(0, hexed.BOARD)
UNITS = pytest.mark.parametrize("unit", [REGIMENT, SQUAD, HEXED], ids=["regiment", "squad", "hex"])


def moved(unit: Any) -> Any:
    """Move a unit."""
    if unit is SQUAD:
        return loose.squad("A", "blue", ((10.0, 10.0), (12.0, 14.0)))
    return unit.at(hexed.BOARD.pose((5, 7), 1))


@UNITS
def test_every_unit_is_drawn_named_and_inside_its_extremes(unit: Any) -> None:
    """Each kind of unit has marks under its name, and corners around its place."""
    assert all(mark.id.startswith("unit.A") for mark in unit_marks(unit, LOOK))
    (west, south), (east, north) = extremes(unit, hexed.BOARD)
    x, y = unit.models[0].pose.at if unit is SQUAD else unit.pose.at
    assert west <= x <= east
    assert south <= y <= north


@UNITS
def test_what_has_moved_is_dashed_and_what_has_not_is_not(unit: Any) -> None:
    """A start is drawn for a unit that stands elsewhere, none for one that stands where it stood."""
    assert start_marks(unit, moved(unit), LOOK)
    assert start_marks(unit, unit, LOOK) == ()


def test_stops_are_drawn_of_regiments_and_squads() -> None:
    """Where a leg ends is dashed; of a hex the way's end says as much."""
    assert stop_marks(REGIMENT, moved(REGIMENT), LOOK)
    assert stop_marks(SQUAD, moved(SQUAD), LOOK)
    assert stop_marks(HEXED, moved(HEXED), LOOK) == ()


@UNITS
def test_what_has_become_of_a_unit_is_written_beside_it(unit: Any) -> None:
    """Of the status words those are written that a figure shows."""
    with speaking(ENGLISH.of(Looks(status={"done": "hidden"}))):
        marks = unit_marks(unit.with_status("done", "broken"), LOOK)
    labels = [mark for mark in marks if mark.id == "unit.A.status"]
    assert [mark.text for mark in labels if isinstance(mark, Label)] == ["broken"]


def test_a_squad_without_models_has_no_extent() -> None:
    """What is gone takes no room."""
    assert extremes(SQUAD.without({0, 1}), hexed.BOARD) == ()
    assert unit_marks(SQUAD.without({0, 1}).with_status("broken"), LOOK) == ()
