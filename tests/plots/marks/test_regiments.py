"""Regiments as marks: every number of a mark is one of the engine's."""

import math

import numpy as np

from plots.marks.mark import FacingMark, GridMark, Outline, PointMark
from plots.marks.regiments import base_rings, regiment_marks, regiment_start
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import rectangle
from tabletop.table.state import Base
from tests.plots.scenes import regiment

UNIT = regiment("A", "blue", Pose(30.0, 10.0, math.radians(70)), files=4, models=10, spacing=0.25, rear_rank="centre")


def test_base_rings_are_the_engines_models() -> None:
    """Each ring is the rectangle at the pose that the engine gives this model, in the order of its places."""
    for ring, place in zip(base_rings(UNIT), UNIT.places(), strict=True):
        expected = rectangle(UNIT.model_pose(*place), UNIT.base.width, UNIT.base.depth).outline()
        for corner in ring:
            assert np.hypot(*(expected - corner).T).min() < 1e-12


def test_unit_has_boundary_bases_facing_and_name() -> None:
    """The outline is the boundary, empty places included; the facing mark stands at the pose and looks along it."""
    marks = {mark.id: mark for mark in regiment_marks(UNIT, "before", tone=0)}
    outline, facing = marks["before.unit.A"], marks["before.unit.A.facing"]
    assert isinstance(outline, Outline)
    assert isinstance(facing, FacingMark)
    assert np.allclose(np.array(outline.ring), UNIT.boundary.outline())
    assert (facing.at, facing.heading) == (UNIT.pose.at, UNIT.pose.heading)
    assert set(marks) == {"before.unit.A", "before.unit.A.models", "before.unit.A.facing", "before.unit.A.label"}


def test_models_in_contact_are_drawn_twice_and_dotted_inside() -> None:
    """Bases in contact get a group of their own, and a dot inside each."""
    marks = {mark.id: mark for mark in regiment_marks(UNIT, "after", tone=1, contact=(0, 3))}
    contact, dots = marks["after.unit.A.contact"], marks["after.unit.A.touching"]
    assert isinstance(contact, GridMark)
    assert isinstance(dots, PointMark)
    assert contact.rings == (base_rings(UNIT)[0], base_rings(UNIT)[3])
    for number, dot in zip((0, 3), dots.points, strict=True):
        assert rectangle(UNIT.model_pose(*UNIT.places()[number]), UNIT.base.width, UNIT.base.depth).holds(dot, depth=0.1)


def test_single_model_is_drawn() -> None:
    """One model in one file is a unit."""
    lone = regiment("Hero", "red", Pose(5.0, 5.0, 0.0), files=1, models=1, base=Base(2.0, 3.0))
    assert len(base_rings(lone)) == 1


def test_start_is_the_boundary_at_the_other_pose() -> None:
    """The dashed start has the corners of the unit moved there."""
    pose = Pose(1.0, 2.0, 3.0)
    outline = regiment_start(UNIT, pose, "after.start.A", tone=0)[0]
    assert isinstance(outline, Outline)
    assert np.allclose(np.array(outline.ring), UNIT.at(pose).boundary.outline())
