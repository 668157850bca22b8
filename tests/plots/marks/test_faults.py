"""What is wrong with a proposal is marked where it is: rings, lengths, angles, hatched overlaps, and no crosses."""

import math
from dataclasses import replace
from typing import Any

import pytest
import shapely

from plots.marks.faults import broken_marks
from plots.marks.mark import DimensionLine, Label, Lines, Rings
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import disc
from tabletop.ruling.evidence import Angle, Mark, length_between
from tabletop.ruling.finding import Finding
from tests.plots import hexed, loose
from tests.plots.scenes import charge_resolution


def broken(**seen: Any) -> Finding:
    """Make a finding of a broken rule that is seen somewhere."""
    return Finding("game.rule", ok=False, text="", mark=Mark(**seen))


def test_overlaps_are_hatched_and_not_crossed() -> None:
    """The area is what both cover; a cross says that a model is lost, and is not drawn."""
    after = charge_resolution().after
    pushed = after.units["A"].at(after.units["A"].pose.advanced(0.4))
    (area, _) = broken_marks(
        after, broken(overlaps=((pushed.boundary, after.units["B"].boundary),))
    )
    assert isinstance(area, Rings)
    shared = shapely.intersection(pushed.boundary.core, after.units["B"].boundary.core)
    assert sum(shapely.Polygon(ring).area for ring in area.rings) == pytest.approx(shared.area)


def test_what_lies_beyond_the_board_is_hatched() -> None:
    """Half a disc on the edge is hatched, that outside."""
    (area, _) = broken_marks(charge_resolution().after, broken(beyond=(disc((0.0, 20.0), 1.0),)))
    assert isinstance(area, Rings)
    assert all(x <= 1e-9 for x, _ in area.rings[0])


def test_models_that_lack_something_are_ringed() -> None:
    """Loose models one by one with room around their number, bases on their tray, units as a whole; a model in its
    hex.
    """
    squad = loose.charge_resolution().after
    (ring, _) = broken_marks(squad, broken(models={"A": (3,)}))
    model = next(one for one in squad.units["A"].models if one.number == 3)
    assert isinstance(ring, Rings)
    assert shapely.Polygon(ring.rings[0]).contains(shapely.Polygon(model.footprint.outline()))
    regiment = charge_resolution().after
    (bases, _) = broken_marks(regiment, broken(models={"B": (1, 2)}))
    (whole, _) = broken_marks(regiment, broken(models={"B": ()}))
    assert isinstance(bases, Rings)
    assert isinstance(whole, Rings)
    assert (len(bases.rings), len(whole.rings)) == (2, 1)
    assert shapely.Polygon(whole.rings[0]).contains(
        shapely.Polygon(regiment.units["B"].boundary.outline())
    )
    (around, _) = broken_marks(hexed.charge_resolution().after, broken(models={"B": ()}))
    assert isinstance(around, Rings)


def test_lengths_and_angles_are_measured() -> None:
    """A length has its line and its number, an angle two legs, the arc between them and its number."""
    state = charge_resolution().after
    length = length_between((3.0, 4.0), (3.0, 4.5))
    line, label = broken_marks(state, broken(dimensions=(length,)))
    assert isinstance(line, DimensionLine)
    assert isinstance(label, Label)
    assert label.text == "0.50 in"
    legs, arc, told = broken_marks(
        state, broken(angles=(Angle((1.0, 1.0), 0.0, math.pi / 6, "30°"),))
    )
    assert isinstance(legs, Lines)
    assert isinstance(arc, Lines)
    assert isinstance(told, Label)
    bearings = [math.atan2(y - 1.0, x - 1.0) for x, y in arc.lines[0]]
    assert (bearings[0], told.text) == (0.0, "30°")
    assert bearings[-1] == pytest.approx(math.pi / 6)


def test_a_place_that_is_owed_is_dashed() -> None:
    """Where a model could be has a look of its own."""
    (place, _) = broken_marks(
        loose.charge_resolution().after, broken(places=(disc((5.0, 5.0), 0.5),))
    )
    assert place.role == "owed"


def test_units_that_are_gone_are_not_marked() -> None:
    """Nothing is ringed that is not on the table."""
    state = charge_resolution().after
    gone = replace(state, units={name: unit for name, unit in state.units.items() if name != "B"})
    assert broken_marks(gone, broken(models={"B": ()})) == ()
    assert gone.units["A"].pose != Pose(0.0, 0.0, 0.0)
