"""Positions on the boundaries of bodies."""

import numpy as np
import pytest
import shapely

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.curve import kept_out
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import disc, oval, polygon, rectangle
from tabletop.routes.bodies import Bodies, gathered

BASE = disc((0, 0), 0.5)
OBSTACLES = (
    disc((3, 3), 1.0),
    rectangle(Pose(7, 4, 0.4), 3, 1),
    oval(Pose(5, 8, 1.0), 3, 1),
    polygon([(1, 7), (3, 9), (0.5, 9)]),
)
REGIONS = [shapely.Polygon(shape.outline(2000)).buffer(0.5, quad_segs=1000) for shape in OBSTACLES]


def bodies() -> Bodies:
    """Gather what the obstacles are to a round base."""
    return gathered([curve for shape in OBSTACLES for curve in kept_out(shape, BASE)])


def test_positions_run_round_the_boundary() -> None:
    """Evenly spaced positions lie on the boundary, as far apart as they say, and the last inch leads to the first."""
    one = bodies()
    for number, region in enumerate(REGIONS):
        positions = np.linspace(0.0, float(one.perimeters[number]), 2001)
        points = one.points(np.full(2001, number), positions)
        assert shapely.distance(shapely.points(points), region.exterior) == pytest.approx(np.zeros(2001), abs=1e-3)
        steps = np.hypot(*np.diff(points, axis=0).T)
        assert steps.sum() == pytest.approx(float(one.perimeters[number]), rel=1e-4)
        assert steps.max() == pytest.approx(positions[1], rel=1e-3)
        assert float(one.perimeters[number]) == pytest.approx(region.length, rel=1e-4)


def test_positions_of_normals_are_those_of_their_points() -> None:
    """Every arc's middle normal leads to a position, and that to the point on the arc."""
    one = bodies()
    arcs = np.arange(len(one.owner))
    normals = one.starts + one.spans / 2
    positions = one.position_at(arcs, normals)
    expected: FloatArray = one.centres + one.radii[:, None] * np.column_stack([np.cos(normals), np.sin(normals)])
    assert one.points(one.owner, positions) == pytest.approx(expected, abs=1e-9)
