"""Slides and turns against Shapely's distances along the way, and the cases in which bodies only just touch."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import mirrored, turned
from tabletop.geometry.motion import blocked_slide, blocked_turns
from tabletop.geometry.pose import Point
from tabletop.units import CONTACT

FRONT = np.array([[0.0, 0.0], [4.0, 0.0]])
QUARTER = math.pi / 2
SAMPLES = 181

bearings = st.floats(-math.pi, math.pi)
needs = st.sampled_from([0.0, 0.001, 0.25, 1.0, 2.5])
coordinates = st.one_of(st.integers(-4, 4).map(float), st.floats(-4.0, 4.0).map(lambda value: round(value, 3)))
places = st.tuples(coordinates, coordinates)


def ring_of(points: list[Point]) -> FloatArray:
    """Make the convex ring around some points."""
    hull = shapely.orient_polygons(shapely.convex_hull(shapely.MultiPoint(points)))
    corners: FloatArray = shapely.get_coordinates(hull)
    return corners[:-1] if isinstance(hull, shapely.Polygon) else corners


rings = st.lists(places, min_size=1, max_size=7, unique=True).map(ring_of)
fronts = st.lists(places, min_size=2, max_size=7, unique=True).map(ring_of)
scenes = settings(max_examples=60)


def box(x: float, y: float, *, width: float = 1.0) -> FloatArray:
    """Make a box 1 in deep with its lower left corner at a place."""
    return np.array([[x, y], [x + width, y], [x + width, y + 1.0], [x, y + 1.0]])


def spot(x: float, y: float) -> FloatArray:
    """Make a single point, the core of a disc."""
    return np.array([[x, y]])


def first_contact(moving: FloatArray, fixed: FloatArray, *, pivot: Point, needed: float, until: float = QUARTER, sense: int = 1) -> float:
    """Give the least turn at which the bodies are nearer than needed, inf if they never are."""
    stretches = blocked_turns(moving, fixed, pivot=pivot, needed=needed, until=until, sense=sense)
    return stretches[0][0] if stretches else math.inf


def bodies(places_of_ring: FloatArray) -> FloatArray:
    """Make Shapely bodies of a ring at many places, (k, n, 2)."""
    makers = {1: lambda ring: shapely.points(ring[:, 0]), 2: shapely.linestrings}
    made: FloatArray = makers.get(places_of_ring.shape[1], shapely.polygons)(places_of_ring)
    return made


def slid(ring: FloatArray, bearing: float, distances: FloatArray) -> FloatArray:
    """Give Shapely bodies of a ring slid along a bearing."""
    return bodies(ring + distances[:, None, None] * np.array([math.cos(bearing), math.sin(bearing)]))


def wheeled(ring: FloatArray, pivot: Point, turns: FloatArray) -> FloatArray:
    """Give Shapely bodies of a ring turned about a pivot."""
    return bodies(turned(ring - np.array(pivot), turns) + np.array(pivot))


def assert_nearer(moving: FloatArray, fixed: FloatArray, *, needed: float) -> None:
    """Assert that every moving body is nearer than `needed` to the fixed one, or overlaps it."""
    assert (shapely.distance(moving, fixed) < needed + 1e-9).all()


def assert_kept(moving: FloatArray, fixed: FloatArray, *, needed: float) -> None:
    """Assert that no moving body is nearer than `needed` to the fixed one, or overlaps it, by more than a touch."""
    assert (shapely.distance(moving, fixed) >= needed - CONTACT - 1e-9).all()
    assert (shapely.area(shapely.intersection(moving, fixed)) <= 20.0 * CONTACT).all()


@scenes
@given(moving=rings, fixed=rings, bearing=bearings, needed=needs)
def test_a_slide_is_blocked_exactly_where_the_bodies_are_too_near(
    moving: FloatArray, fixed: FloatArray, bearing: float, needed: float
) -> None:
    """Samples inside the stretch are nearer than needed, its ends are at needed, and all others keep the gap."""
    body = bodies(fixed[None])[0]
    stretch = blocked_slide(moving, fixed, direction=(math.cos(bearing), math.sin(bearing)), needed=needed)
    distances = np.linspace(-18.0, 18.0, SAMPLES)
    if stretch is None:
        return assert_kept(slid(moving, bearing, distances), body, needed=needed)
    ends = np.array(stretch)
    is_inside = (distances > ends[0]) & (distances < ends[1])
    assert shapely.distance(slid(moving, bearing, ends), body) == pytest.approx(needed, abs=1e-9)
    assert_nearer(slid(moving, bearing, distances[is_inside]), body, needed=needed)
    return assert_kept(slid(moving, bearing, distances[~is_inside]), body, needed=needed)


@scenes
@given(moving=fronts, fixed=rings, pivot=places, needed=needs, start=bearings)
def test_a_turn_is_blocked_exactly_where_the_bodies_are_too_near(
    moving: FloatArray, fixed: FloatArray, pivot: Point, needed: float, start: float
) -> None:
    """Samples inside the stretches are nearer than needed, their ends are at needed, and all others keep the gap."""
    body, ring = bodies(fixed[None])[0], turned(moving, np.array([start]))[0]
    stretches = blocked_turns(ring, fixed, pivot=pivot, needed=needed, until=math.tau)
    turns = np.linspace(0.0, math.tau, SAMPLES)
    is_inside = np.zeros(SAMPLES, dtype=bool)
    for first, last in stretches:
        ends = np.array([angle for angle in (first, last) if 0.0 < angle < math.tau])
        assert shapely.distance(wheeled(ring, pivot, ends), body) == pytest.approx(needed, abs=1e-9)
        is_inside |= (turns >= first) & (turns <= last)
    assert_nearer(wheeled(ring, pivot, turns[is_inside]), body, needed=needed)
    assert_kept(wheeled(ring, pivot, turns[~is_inside]), body, needed=needed)


def test_a_turn_that_ends_where_it_began_is_blocked_up_to_its_end() -> None:
    """A triangle with a corner on a point comes down on it again in the last eighth of its turn: free at first, blocked to the end."""
    triangle = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    ((first, last),) = blocked_turns(triangle, spot(0.0, 0.0), pivot=(0.0, 1.0), needed=0.0, until=math.tau)
    assert first == pytest.approx(1.75 * math.pi, abs=1e-9)
    assert math.tau - CONTACT <= last <= math.tau


@scenes
@given(moving=fronts, fixed=rings, pivot=places, needed=needs)
def test_a_clockwise_wheel_is_the_mirrored_one(moving: FloatArray, fixed: FloatArray, pivot: Point, needed: float) -> None:
    """Turning the other way in the mirrored scene gives the same angle to the last bit."""
    here = first_contact(moving, fixed, pivot=pivot, needed=needed)
    there = first_contact(mirrored(moving), mirrored(fixed), pivot=(pivot[0], -pivot[1]), needed=needed, sense=-1)
    assert here == there


@scenes
@given(moving=fronts, fixed=fronts, turn=bearings)
def test_turning_the_whole_table_changes_no_angle(moving: FloatArray, fixed: FloatArray, turn: float) -> None:
    """A wheel about the first corner stops at the same angle wherever the table looks, unless a hair decides whether it touches."""

    def contact(angle: float, needed: float) -> float:
        here, there = (turned(ring - moving[0], np.array([angle]))[0] for ring in (moving, fixed))
        return first_contact(here, there, pivot=(0.0, 0.0), needed=needed)

    assume(contact(0.0, 0.3 - 1e-5) == pytest.approx(contact(0.0, 0.3 + 1e-5), abs=1e-2))
    assert contact(turn, 0.3) == pytest.approx(contact(0.0, 0.3), abs=1e-9)


@pytest.mark.parametrize(
    ("moving", "fixed", "needed", "expected"),
    [
        pytest.param(box(0.0, 0.0), box(5.0, 0.5), 0.0, (4.0, 6.0), id="face to face"),
        pytest.param(box(0.0, 0.0), box(5.0, 0.0), 0.25, (3.75, 6.25), id="flush corners"),
        pytest.param(box(0.0, 0.0), box(5.0, 1.0), 0.0, None, id="sliding flush along an edge"),
        pytest.param(box(0.0, 0.0), box(5.0, 1.25), 0.25, None, id="passing at exactly the needed gap"),
        pytest.param(box(0.0, 0.0), box(5.0, 1.25 - 0.9e-6), 0.25, None, id="passing a touch nearer"),
        pytest.param(box(0.0, 0.0), box(5.0, 1.3), 0.5, (5.0 - 1.4, 5.0 + 1.4), id="corner circles"),
        pytest.param(spot(0.0, 0.0), spot(5.0, 3.0), 5.0, (1.0, 9.0), id="two discs"),
        pytest.param(spot(0.0, 0.0), spot(5.0, 3.0), 3.0, None, id="two discs that graze"),
        pytest.param(spot(0.0, 0.0), spot(5.0, 0.0), 0.0, None, id="points have no inside"),
        pytest.param(FRONT, spot(7.0, 0.0), 1.0, (2.0, 8.0), id="a front end on to a disc"),
        pytest.param(FRONT, box(7.0, 0.0)[:2], 0.0, None, id="a front along its own line"),
        pytest.param(box(0.0, 0.0), box(5.0, 0.5), -0.25, (4.25, 5.75), id="overlap allowed by a quarter"),
        pytest.param(box(0.0, 0.0), box(5.0, 0.8), -0.25, None, id="never so deep"),
    ],
)
def test_slides_that_only_just_touch(moving: FloatArray, fixed: FloatArray, needed: float, expected: tuple[float, float] | None) -> None:
    """Grazes block nothing; everything else gives its stretch along +x exactly."""
    stretch = blocked_slide(moving, fixed, direction=(1.0, 0.0), needed=needed)
    assert stretch == (None if expected is None else pytest.approx(expected, abs=1e-12))


@pytest.mark.parametrize(
    ("fixed", "needed", "expected"),
    [
        pytest.param(box(0.0, 4.0), 0.0, math.inf, id="a corner that the end grazes"),
        pytest.param(box(2.0, 2.0), 0.0, math.atan2(2, 3), id="a corner in the way"),
        pytest.param(box(2.0, 0.0), 0.0, 0.0, id="flush ahead"),
        pytest.param(box(2.0, -1.0), 0.0, math.inf, id="flush behind"),
        pytest.param(box(4.0, 0.0), 0.0, math.inf, id="beside the end, which leaves it"),
        pytest.param(box(4.0, -1.0), 0.0, math.inf, id="corner to corner"),
        pytest.param(box(-4.0, 4.0, width=8.0), 0.0, math.inf, id="a wall that the circle grazes"),
        pytest.param(box(-4.0, 2.0, width=8.0), 0.0, math.pi / 6, id="a wall in the way"),
        pytest.param(box(-4.0, 5.0, width=8.0), 1.0, math.inf, id="a wall whose gap is grazed"),
        pytest.param(box(-4.0, 3.0, width=8.0), 2.0, math.asin(0.25), id="a wall whose gap is in the way"),
        pytest.param(box(-1.0, 0.0), 0.0, QUARTER, id="touching behind the pivot: free until flush"),
        pytest.param(spot(0.0, 0.0), 0.0, math.inf, id="the pivot on a point"),
        pytest.param(spot(0.0, 3.0), 1.0, QUARTER - math.asin(1 / 3), id="a disc"),
        pytest.param(spot(0.0, 5.0), 1.0, math.inf, id="a disc that the end grazes"),
        pytest.param(spot(5.0, 0.0), 2.0, 0.0, id="nearer than needed already"),
        pytest.param(spot(9.0, 0.0), 0.5, math.inf, id="out of reach"),
    ],
)
def test_wheels_that_only_just_touch(fixed: FloatArray, needed: float, expected: float) -> None:
    """A front of 4 in that wheels about its left end, up to 100 degrees, stops at the exact angle; a graze stops nothing."""
    angle = first_contact(FRONT, fixed, pivot=(0.0, 0.0), needed=needed, until=math.radians(100))
    assert angle == pytest.approx(expected, abs=1e-9)


def test_a_turn_is_free_again_behind_a_body() -> None:
    """A front that would cut through a square is free again behind it."""
    ((first, last),) = blocked_turns(FRONT, box(2.0, 2.0), pivot=(0.0, 0.0), until=math.pi)
    assert (first, last) == pytest.approx((math.atan2(2, 3), math.atan2(3, 2)), abs=1e-12)
