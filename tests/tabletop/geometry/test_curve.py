"""Bodies as curves of arcs, and their sums."""

import math
import time

import numpy as np
import pytest

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import convex_parts
from tabletop.geometry.curve import ArcCurve, configuration_obstacle, curves, oval_curve
from tabletop.geometry.distance import gaps_at_shifts
from tabletop.geometry.ellipse import Ellipse
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, oval, polygon, rectangle

DIRECTIONS = np.linspace(0.0, math.tau, 1441)
SHAPES = {
    "disc": disc((1, 2), 0.7),
    "block": rectangle(Pose(-1, 0.5, 0.3), 2, 1),
    "oval": oval(Pose(0.5, 1, 2.0), 3, 1.2),
    "triangle": polygon([(0, 0), (3, 0.5), (1, 2)]),
}


def reach(curve: ArcCurve) -> FloatArray:
    """Return how far a curve reaches in `DIRECTIONS`."""
    arc = curve.arcs_at(DIRECTIONS)
    unit = np.column_stack([np.cos(DIRECTIONS), np.sin(DIRECTIONS)])
    return np.asarray((curve.centres[arc] * unit).sum(axis=1) + curve.radii[arc])


@pytest.mark.parametrize("first", SHAPES)
@pytest.mark.parametrize("second", SHAPES)
def test_reaches_of_a_sum_are_sums_of_reaches(first: str, second: str) -> None:
    """In every direction, whatever is added to what."""
    one = curves(SHAPES[first])[0]
    other = curves(SHAPES[second])[0]
    assert reach(one.plus(other)) == pytest.approx(reach(one) + reach(other), abs=1e-9)
    assert reach(one.reflected()) == pytest.approx(
        np.roll(reach(one)[:-1], 720)[np.arange(1441) % 1440], abs=1e-9
    )


@pytest.mark.parametrize("obstacle", SHAPES)
@pytest.mark.parametrize("footprint", SHAPES)
def test_on_the_boundary_a_footprint_has_the_needed_gap(obstacle: str, footprint: str) -> None:
    """Points of the curve, put where the footprint's place is."""
    shape = SHAPES[footprint]
    (curve,) = configuration_obstacle(SHAPES[obstacle], shape, needed=0.25)
    normals = curve.starts + curve.spans / 2
    places = curve.centres + curve.radii[:, None] * np.column_stack(
        [np.cos(normals), np.sin(normals)]
    )
    assert gaps_at_shifts(shape, places, SHAPES[obstacle]) == pytest.approx(
        np.full(len(places), 0.25), abs=2 * curve.error + 1e-9
    )


@pytest.mark.parametrize("axes", [(75, 42), (75, 25), (120, 92), (170, 105), (60, 35)])
def test_arcs_follow_an_oval_and_know_how_closely(axes: tuple[float, float]) -> None:
    """For all sizes of oval bases the error is below 1e-5 of the long half axis, and not more than the curve says."""
    one = Ellipse((1.0, -2.0), axes[0] / 50.8, axes[1] / 50.8, 0.7)
    curve = oval_curve(one)
    unit = np.column_stack([np.cos(DIRECTIONS), np.sin(DIRECTIONS)])
    error = np.abs(reach(curve) - unit @ np.array(one.centre) - one.reach(DIRECTIONS)).max()
    assert error <= curve.error <= 1e-5 * one.half_length


@pytest.mark.parametrize(
    ("shape", "number"),
    [
        (polygon([(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)]), 2),
        (polygon([(0, 0), (6, 0), (6, 3), (5, 3), (5, 1), (1, 1), (1, 3), (0, 3)]), 3),
        (SHAPES["block"], 1),
    ],
)
def test_concave_shapes_become_few_convex_parts(shape: Shape, number: int) -> None:
    """An L is two, a U three, and together they have the same area."""
    rings = convex_parts(shape.pieces)
    assert len(rings) == number
    areas = [
        0.5
        * float(np.sum(ring[:, 0] * np.roll(ring[:, 1], -1) - ring[:, 1] * np.roll(ring[:, 0], -1)))
        for ring in rings
    ]
    assert sum(areas) == pytest.approx(shape.core.area)


def test_putting_rings_together_keeps_to_the_time() -> None:
    """A piece of terrain may have 2,000 corners: their rings take most of a second."""
    pieces = polygon([(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)]).pieces
    with (
        Budget(seconds=1.0, started=time.monotonic() - 3.0).running(),
        pytest.raises(NoVerdictError, match=r"\b1 s\b"),
    ):
        convex_parts(pieces)
