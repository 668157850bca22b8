"""Regiments as marks: every number of a mark is one of the engine's."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import shapely

from plots.marks.mark import FacingMark, Rings
from plots.marks.units import base_rings, regiment_marks, regiment_start
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import rectangle
from tabletop.table.state import Base
from tests.plots.scenes import regiment

UNIT = regiment(
    "A",
    "blue",
    Pose(30.0, 10.0, math.radians(70)),
    files=4,
    models=10,
    spacing=0.25,
    rear_rank="centre",
)


def test_base_rings_are_the_engines_models() -> None:
    """Each ring is the rectangle at the pose that the engine gives this model, in the order of its places."""
    for ring, place in zip(base_rings(UNIT), UNIT.places(), strict=True):
        expected = rectangle(UNIT.model_pose(*place), UNIT.base.width, UNIT.base.depth).outline()
        for corner in ring:
            assert np.hypot(*(expected - corner).T).min() < 1e-12


def test_unit_has_boundary_bases_facing_and_name() -> None:
    """The outline is the boundary, empty places included; the facing mark stands at the pose and looks along it."""
    marks = {mark.id: mark for mark in regiment_marks(UNIT, tone=0)}
    outline = marks[""]
    facing = marks["facing"]
    assert isinstance(outline, Rings)
    assert isinstance(facing, FacingMark)
    assert np.allclose(np.array(outline.rings[0]), UNIT.boundary.outline())
    assert (facing.at, facing.heading) == (UNIT.pose.at, UNIT.pose.heading)
    tray = marks["tray"]
    assert isinstance(tray, Rings)
    assert tray.rings[0] == outline.rings[0]
    assert marks.keys() == {"", "shadow", "tray", "models", "figures", "facing", "label"}


@pytest.mark.parametrize(("silhouette", "count"), [(None, 2), ("foot", 8), ("monster", 1)])
def test_every_base_bears_what_its_unit_looks_like(silhouette: str | None, count: int) -> None:
    """Somebody on foot or what the statistics say stands within each base; models in contact are in a group of their
    own, base and all.
    """
    unit = replace(UNIT, profile=SimpleNamespace(silhouette=silhouette))
    marks = {mark.id: mark for mark in regiment_marks(unit, tone=1, contact=(0, 3))}
    contact, figures, touching = (marks[f"{part}"] for part in ("contact", "figures", "touching"))
    assert isinstance(contact, Rings)
    assert isinstance(figures, Rings)
    assert isinstance(touching, Rings)
    assert contact.rings == (base_rings(UNIT)[0], base_rings(UNIT)[3])
    others = [ring for number, ring in enumerate(base_rings(UNIT)) if number not in (0, 3)]
    for bases, rings in ((contact.rings, touching.rings), (others, figures.rings)):
        assert len(rings) == count * len(bases)
        for number, ring in enumerate(rings):
            assert shapely.Polygon(bases[number // count]).contains(shapely.Polygon(ring))


def test_a_figure_on_a_long_base_is_long_and_looks_ahead() -> None:
    """What stands on a base twice as deep as wide is longer ahead than to the sides."""
    rider = regiment("Rider", "blue", Pose(5.0, 5.0, 0.0), files=1, models=1, base=Base(1.0, 2.0))
    (mark,) = [mark for mark in regiment_marks(rider, tone=0) if mark.id.endswith("figures")]
    assert isinstance(mark, Rings)
    west, south, east, north = shapely.Polygon(mark.rings[0]).bounds
    assert east - west > 1.5 * (north - south)


def test_single_model_is_drawn() -> None:
    """One model in one file is a unit."""
    lone = regiment("Hero", "red", Pose(5.0, 5.0, 0.0), files=1, models=1, base=Base(2.0, 3.0))
    assert len(base_rings(lone)) == 1


def test_start_is_the_boundary_at_the_other_pose() -> None:
    """The dashed start has the corners of the unit moved there."""
    pose = Pose(1.0, 2.0, 3.0)
    outline = regiment_start(UNIT, pose, tone=0)[0]
    assert isinstance(outline, Rings)
    assert np.allclose(np.array(outline.rings[0]), UNIT.at(pose).boundary.outline())


def test_a_large_base_of_which_nobody_says_anything_bears_a_disc() -> None:
    """On square bases of two inches it is as wide as it is long."""
    large = regiment("Ogres", "blue", Pose(5.0, 5.0, 0.0), files=1, models=1, base=Base(2.0, 2.0))
    (mark,) = [mark for mark in regiment_marks(large, tone=0) if mark.id.endswith("figures")]
    assert isinstance(mark, Rings)
    west, south, east, north = shapely.Polygon(*mark.rings).bounds
    assert east - west == pytest.approx(north - south)
