"""Facings, arcs, what shows on a facing, and who touches whom, with the cases on the line."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import area, clipped
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import polygon, rectangle
from tabletop.table.facing import (
    FACINGS,
    FacingName,
    arc,
    arc_rays,
    arcs_of,
    bisectors,
    facing_of,
    is_engaged,
    shown_models,
    touches,
)
from tabletop.table.state import Base, Board, RearRank, Regiment, State

UP = Pose(10.0, 10.0, math.pi / 2)
BLOCK = Regiment("A", "blue", UP, files=5, models=12, base=Base(1.0, 2.0))
"""Its boundary is 7.5 to 12.5 across and 4 to 10 up the table."""
FAR = 100.0
poses = st.builds(
    Pose, st.floats(-30.0, 30.0), st.floats(-30.0, 30.0), st.floats(-math.pi, math.pi)
)
RING = rectangle(Pose(0.0, 0.0, math.pi / 2), 6.0, 4.0).pieces[0]
"""Its corners: rear left, rear right, front right, front left; it looks up the table from y = 0."""
TRIANGLE = polygon([(0.0, 0.0), (4.0, 0.0), (0.0, 3.0)]).pieces[0]


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        pytest.param("front", (7.5, 10.0), (12.5, 10.0), id="front"),
        pytest.param("right", (12.5, 10.0), (12.5, 4.0), id="right"),
        pytest.param("rear", (12.5, 4.0), (7.5, 4.0), id="rear"),
        pytest.param("left", (7.5, 4.0), (7.5, 10.0), id="left"),
    ],
)
def test_facings_go_around_the_boundary_clockwise(
    name: FacingName, start: Point, end: Point
) -> None:
    """Each begins where an attacker who looks at it has his right, and the next begins where it ends."""
    facing = facing_of(BLOCK, name)
    assert facing.point(0.0) == facing.ends[0] == pytest.approx(start)
    assert facing.ends[1] == pytest.approx(end)
    assert facing.length == pytest.approx(math.dist(start, end))


@given(
    pose=poses, name=st.sampled_from(FACINGS), start=st.floats(-8.0, 8.0), width=st.floats(0.5, 8.0)
)
def test_a_flush_front_covers_the_facing_from_its_right_corner_on(
    pose: Pose, name: FacingName, start: float, width: float
) -> None:
    """The front's right corner is at u = start, its left at start + width, and its body lies outside of the facing."""
    facing = facing_of(BLOCK.at(pose), name)
    front = facing.flush_pose(start, width)
    assert facing.coordinates(front.point(width / 2, 0.0)) == pytest.approx((start, 0.0), abs=1e-9)
    assert facing.coordinates(front.point(-width / 2, 0.0)) == pytest.approx(
        (start + width, 0.0), abs=1e-9
    )
    assert facing.coordinates(front.advanced(-1.0).at) == pytest.approx(
        (start + width / 2, 1.0), abs=1e-9
    )


@given(pose=poses, name=st.sampled_from(FACINGS), u=st.floats(-8.0, 8.0), v=st.floats(-8.0, 8.0))
def test_coordinates_on_a_facing_go_there_and_back(
    pose: Pose, name: FacingName, u: float, v: float
) -> None:
    """A point made of (u, v) has the coordinates (u, v)."""
    facing = facing_of(BLOCK.at(pose), name)
    assert facing.coordinates(facing.point(u, v)) == pytest.approx((u, v), abs=1e-9)


@pytest.mark.parametrize(
    ("point", "arcs"),
    [
        pytest.param((10.0, 30.0), ("front",), id="straight ahead"),
        pytest.param((10.0, -3.0), ("rear",), id="straight behind"),
        pytest.param((30.0, 7.0), ("right",), id="square to the right flank"),
        pytest.param((0.0, 7.0), ("left",), id="square to the left flank"),
        pytest.param(
            (15.5, 13.0), ("front", "right"), id="on the line from the right front corner"
        ),
        pytest.param(
            (15.5, 13.0 + 1e-7), ("front", "right"), id="a tenth of the tolerance off that line"
        ),
        pytest.param((15.5, 13.0 + 1e-5), ("front",), id="ten tolerances to the front of it"),
        pytest.param((15.5, 13.0 - 1e-5), ("right",), id="ten tolerances to the flank of it"),
        pytest.param(
            (15.5, 13.0 + 1.3e-6), ("front", "right"), id="the line is measured square to it"
        ),
        pytest.param((4.5, 13.0), ("front", "left"), id="on the line from the left front corner"),
        pytest.param((15.5, 1.0), ("right", "rear"), id="on the line from the right rear corner"),
        pytest.param((4.5, 1.0), ("left", "rear"), id="on the line from the left rear corner"),
        pytest.param((4.5, 1.0 - 1e-5), ("rear",), id="ten tolerances to the rear of it"),
        pytest.param((12.5, 10.0), ("front", "right"), id="the corner itself"),
        pytest.param((12.4, 10.0), ("front",), id="on the front edge"),
    ],
)
def test_arcs_are_divided_at_135_degrees(point: Point, arcs: tuple[FacingName, ...]) -> None:
    """One arc holds a point, or two on whose dividing line it lies."""
    assert arcs_of(BLOCK, point) == arcs


def wedge(unit: Regiment, name: FacingName) -> shapely.Polygon:
    """Make the region of one arc as a big polygon."""
    facing = facing_of(unit, name)
    corners = [
        facing.point(0.0),
        facing.point(-FAR, FAR),
        facing.point(facing.length + FAR, FAR),
        facing.point(facing.length),
    ]
    return shapely.Polygon(corners)


@given(pose=poses, point=st.tuples(st.floats(-40.0, 40.0), st.floats(-40.0, 40.0)))
def test_arcs_are_the_regions_between_the_dividing_lines(pose: Pose, point: Point) -> None:
    """A point outside of the boundary lies in, or within rounding of, the region of each arc named, and in no other."""
    unit = BLOCK.at(pose)
    spot = shapely.Point(point)
    distances = {name: wedge(unit, name).distance(spot) for name in FACINGS}
    named = arcs_of(unit, point)
    if not unit.boundary.core.contains(spot):
        assert all(distances[name] <= 1.1e-6 for name in named)
        assert all(distances[name] > 0.9e-6 for name in FACINGS if name not in named)


SHOWN: dict[tuple[FacingName, RearRank], list[tuple[float, float, int, bool]]] = {
    ("front", "left"): [
        (0.0, 1.0, 0, False),
        (1.0, 2.0, 1, False),
        (2.0, 3.0, 2, False),
        (3.0, 4.0, 3, False),
        (4.0, 5.0, 4, False),
    ],
    ("rear", "left"): [
        (0.0, 1.0, 9, True),
        (1.0, 2.0, 8, True),
        (2.0, 3.0, 7, True),
        (3.0, 4.0, 11, False),
        (4.0, 5.0, 10, False),
    ],
    ("rear", "right"): [
        (0.0, 1.0, 11, False),
        (1.0, 2.0, 10, False),
        (2.0, 3.0, 7, True),
        (3.0, 4.0, 6, True),
        (4.0, 5.0, 5, True),
    ],
    ("rear", "centre"): [
        (0.0, 1.0, 9, True),
        (1.0, 2.0, 8, True),
        (2.0, 3.0, 11, False),
        (3.0, 4.0, 10, False),
        (4.0, 5.0, 5, True),
    ],
    ("right", "left"): [(0.0, 2.0, 4, False), (2.0, 4.0, 9, False), (4.0, 6.0, 11, True)],
    ("right", "right"): [(0.0, 2.0, 4, False), (2.0, 4.0, 9, False), (4.0, 6.0, 11, False)],
    ("left", "left"): [(0.0, 2.0, 10, False), (2.0, 4.0, 5, False), (4.0, 6.0, 0, False)],
    ("left", "centre"): [(0.0, 2.0, 10, True), (2.0, 4.0, 5, False), (4.0, 6.0, 0, False)],
}


@pytest.mark.parametrize(("name", "rear_rank"), SHOWN)
def test_a_facing_shows_the_models_first_met_looking_inward(
    name: FacingName, rear_rank: RearRank
) -> None:
    """Their intervals on u, their numbers, and who stands behind empty places of an incomplete rear rank."""
    shown = shown_models(replace(BLOCK, rear_rank=rear_rank), name)
    assert [(model.low, model.high, model.number, model.is_set_back) for model in shown] == SHOWN[
        name, rear_rank
    ]


@pytest.mark.parametrize("name", FACINGS)
def test_spaces_lie_between_the_models_shown(name: FacingName) -> None:
    """Intervals are as long as the bases, spaces apart, and fill the facing from end to end."""
    loose = replace(BLOCK, spacing=0.5, models=15)
    shown = shown_models(loose, name)
    facing = facing_of(loose, name)
    assert (shown[0].low, shown[-1].high) == pytest.approx((0.0, facing.length))
    assert [after.low - before.high for before, after in pairwise(shown)] == pytest.approx(
        [0.5] * (len(shown) - 1)
    )


@settings(max_examples=40)
@given(
    pose=poses,
    name=st.sampled_from(FACINGS),
    rear_rank=st.sampled_from(["left", "right", "centre"]),
    files=st.integers(1, 6),
    models=st.integers(1, 20),
)
def test_a_shown_model_lies_square_behind_its_interval(
    pose: Pose, name: FacingName, rear_rank: RearRank, files: int, models: int
) -> None:
    """The base of each model shown spans its interval on u, and touches the facing unless it is set back."""
    unit = Regiment(
        "A",
        "blue",
        pose,
        files=min(files, models),
        models=models,
        base=Base(1.0, 2.0),
        spacing=0.25,
        rear_rank=rear_rank,
    )
    facing = facing_of(unit, name)
    half = unit.base.width / 2
    for model in shown_models(unit, name):
        place = unit.model_pose(*unit.places()[model.number])
        corners = [
            facing.coordinates(place.point(right, ahead))
            for right in (-half, half)
            for ahead in (0.0, -unit.base.depth)
        ]
        along, outward = zip(*corners, strict=True)
        assert (min(along), max(along)) == pytest.approx((model.low, model.high), abs=1e-9)
        assert (max(outward) < -0.2) == model.is_set_back


@pytest.mark.parametrize(
    ("apart", "expected"),
    [
        pytest.param(-0.5, True, id="overlapping"),
        pytest.param(0.0, True, id="edge to edge"),
        pytest.param(1e-7, True, id="within the tolerance"),
        pytest.param(1e-5, False, id="beyond the tolerance"),
    ],
)
@pytest.mark.parametrize("aside", [0.0, 3.0, 5.0])
@pytest.mark.parametrize("turn", [0.0, 0.4])
def test_boundaries_touch_within_the_tolerance(
    apart: float, expected: bool, aside: float, turn: float
) -> None:
    """Edge to edge, in part, and corner to corner; straight or turned."""
    other = replace(BLOCK, name="B").at(Pose(10.0 + aside, 16.0 + apart, math.pi / 2))
    first, second = (unit.at(unit.pose.turned_about((3.0, 2.0), turn)) for unit in (BLOCK, other))
    assert touches(first, second) is expected
    assert touches(second, first) is expected


@pytest.mark.parametrize(
    ("side", "apart", "expected"),
    [
        pytest.param("red", 0.0, True, id="an enemy in contact"),
        pytest.param("red", 1e-5, False, id="an enemy a hair away"),
        pytest.param("blue", 0.0, False, id="a friend in contact"),
    ],
)
def test_only_enemies_engage(side: str, apart: float, expected: bool) -> None:
    """Who touches an enemy is engaged; who touches a friend is not, nor does a unit engage itself."""
    other = replace(BLOCK, name="B", side=side).at(Pose(10.0, 16.0 + apart, math.pi / 2))
    assert is_engaged(State(Board(72.0, 48.0), {"A": BLOCK, "B": other}), BLOCK) is expected


def test_rays_of_a_rectangle_leave_at_135_degrees_to_both_sides() -> None:
    """Each lies midway between the normals of its two sides."""
    root = math.sqrt(0.5)
    assert bisectors(RING) == pytest.approx(
        np.array([[-root, -root], [root, -root], [root, root], [-root, root]])
    )
    assert [origin for origin, _ in arc_rays(RING)] == [tuple(corner) for corner in RING.tolist()]


@pytest.mark.parametrize(
    ("pose", "areas"),
    [
        pytest.param(Pose(0.0, 9.0, -math.pi / 2), (0.0, 0.0, 4.0, 0.0), id="before the front"),
        pytest.param(Pose(0.0, -9.0, math.pi / 2), (4.0, 0.0, 0.0, 0.0), id="behind the rear"),
        pytest.param(Pose(9.0, -2.0, math.pi), (0.0, 4.0, 0.0, 0.0), id="beside the right flank"),
        pytest.param(Pose(5.0, 2.0, -3 * math.pi / 4), (0.0, 2.0, 2.0, 0.0), id="astride a ray"),
    ],
)
def test_area_in_each_arc(pose: Pose, areas: tuple[float, ...]) -> None:
    """Arcs in the order of the sides: rear, right, front, left."""
    square = rectangle(pose, 2.0, 2.0).pieces[0]
    assert [area(clipped(square, arc(RING, side))) for side in range(4)] == pytest.approx(areas)


@given(
    ring=st.sampled_from([RING, TRIANGLE]),
    place=st.tuples(st.floats(-15, 15), st.floats(-15, 15)).filter(
        lambda place: math.hypot(*place) > 9.5
    ),
    facing=st.floats(-math.pi, math.pi),
)
def test_the_arcs_divide_the_table(
    ring: FloatArray, place: tuple[float, float], facing: float
) -> None:
    """Whatever lies outside of a body lies in its arcs, and nothing in two of them."""
    body = rectangle(Pose(*place, facing), 2.0, 1.0).pieces[0]
    assert sum(area(clipped(body, arc(ring, side))) for side in range(len(ring))) == pytest.approx(
        2.0, abs=1e-9
    )


def test_an_arc_is_closed_and_may_be_widened() -> None:
    """A body that just misses the ray is not in the arc, unless it misses by no more than the slack."""
    corner = np.array([[3.0 + 1e-3, 0.0], [4.0, -1.0], [4.0, 0.0]])
    assert len(clipped(corner, arc(RING, 2, slack=1e-9))) == 0
    assert len(clipped(corner, arc(RING, 2, slack=1e-2))) > 0
    assert area(np.empty((0, 2))) == 0.0
