"""Slides and turns, one or many at once, against Shapely's distances along the way, and where bodies only just
touch.
"""

import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import reflected, ring_gap, rotated, stack_padded
from tabletop.geometry.motion import are_blocked, blocked_slide, blocked_turns
from tabletop.geometry.pose import Point
from tabletop.units import CONTACT

FRONT = np.array([[0.0, 0.0], [4.0, 0.0]])
QUARTER = math.pi / 2
SAMPLES = 181
bearings = st.floats(-math.pi, math.pi)
needs = st.sampled_from([0.0, 0.001, 0.25, 1.0, 2.5])
coordinates = st.one_of(
    st.integers(-4, 4).map(float), st.floats(-4.0, 4.0).map(lambda value: round(value, 3))
)
places = st.tuples(coordinates, coordinates)
COUNT = 120


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


def stretches_of(
    moving: FloatArray,
    fixed: FloatArray,
    *,
    pivot: Point = (0.0, 0.0),
    needed: float = 0.0,
    until: float = QUARTER,
    sense: int = 1,
) -> list[Point]:
    """Return the stretches on which a turn is too near to one ring, each as its first and last angle."""
    found = blocked_turns(
        moving, fixed[None], needed=np.array([needed]), until=until, pivot=pivot, sense=sense
    )
    return list(zip(found.low.tolist(), found.high.tolist(), strict=True))


def first_contact(
    moving: FloatArray,
    fixed: FloatArray,
    *,
    pivot: Point,
    needed: float,
    until: float = QUARTER,
    sense: int = 1,
) -> float:
    """Return the least turn at which the bodies are nearer than needed, inf if they never are."""
    stretches = stretches_of(moving, fixed, pivot=pivot, needed=needed, until=until, sense=sense)
    return stretches[0][0] if stretches else math.inf


def bodies(places_of_ring: FloatArray) -> FloatArray:
    """Make Shapely bodies of a ring at many places, (k, n, 2)."""
    makers = {1: lambda ring: shapely.points(ring[:, 0]), 2: shapely.linestrings}
    made: FloatArray = makers.get(places_of_ring.shape[1], shapely.polygons)(places_of_ring)
    return made


def slid(ring: FloatArray, bearing: float, distances: FloatArray) -> FloatArray:
    """Return Shapely bodies of a ring slid along a bearing."""
    return bodies(
        ring + distances[:, None, None] * np.array([math.cos(bearing), math.sin(bearing)])
    )


def wheeled(ring: FloatArray, pivot: Point, turns: FloatArray) -> FloatArray:
    """Return Shapely bodies of a ring turned about a pivot."""
    return bodies(rotated(ring - np.array(pivot), turns) + np.array(pivot))


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
    stretch = blocked_slide(
        moving, fixed, direction=(math.cos(bearing), math.sin(bearing)), needed=needed
    )
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
    body = bodies(fixed[None])[0]
    ring = rotated(moving, np.array([start]))[0]
    stretches = stretches_of(ring, fixed, pivot=pivot, needed=needed, until=math.tau)
    turns = np.linspace(0.0, math.tau, SAMPLES)
    is_inside = np.zeros(SAMPLES, dtype=bool)
    for first, last in stretches:
        ends = np.array([angle for angle in (first, last) if 0.0 < angle < math.tau])
        assert shapely.distance(wheeled(ring, pivot, ends), body) == pytest.approx(needed, abs=1e-9)
        is_inside |= (turns >= first) & (turns <= last)
    assert_nearer(wheeled(ring, pivot, turns[is_inside]), body, needed=needed)
    assert_kept(wheeled(ring, pivot, turns[~is_inside]), body, needed=needed)


def test_a_turn_that_ends_where_it_began_is_blocked_up_to_its_end() -> None:
    """A triangle with a corner on a point comes down on it again in the last eighth of its turn: free at first, blocked
    to the end.
    """
    triangle = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    ((first, last),) = stretches_of(
        triangle, spot(0.0, 0.0), pivot=(0.0, 1.0), needed=0.0, until=math.tau
    )
    assert first == pytest.approx(1.75 * math.pi, abs=1e-9)
    assert math.tau - CONTACT <= last <= math.tau


@scenes
@given(moving=fronts, fixed=rings, pivot=places, needed=needs)
def test_a_clockwise_wheel_is_the_mirrored_one(
    moving: FloatArray, fixed: FloatArray, pivot: Point, needed: float
) -> None:
    """Turning the other way in the mirrored scene gives the same angle to the last bit."""
    here = first_contact(moving, fixed, pivot=pivot, needed=needed)
    there = first_contact(
        reflected(moving), reflected(fixed), pivot=(pivot[0], -pivot[1]), needed=needed, sense=-1
    )
    assert here == there


@scenes
@given(moving=fronts, fixed=fronts, turn=bearings)
def test_turning_the_whole_table_changes_no_angle(
    moving: FloatArray, fixed: FloatArray, turn: float
) -> None:
    """A wheel about the first corner stops at the same angle wherever the table looks, unless a hair decides whether it
    touches.
    """

    def contact(angle: float, needed: float) -> float:
        here, there = (rotated(ring - moving[0], np.array([angle]))[0] for ring in (moving, fixed))
        return first_contact(here, there, pivot=(0.0, 0.0), needed=needed)

    assume(contact(0.0, 0.3 - 1e-5) == pytest.approx(contact(0.0, 0.3 + 1e-5), abs=1e-2))
    assert contact(turn, 0.3) == pytest.approx(contact(0.0, 0.3), abs=1e-9)


@pytest.mark.parametrize(
    ("moving", "fixed", "needed", "expected"),
    [
        pytest.param(box(0.0, 0.0), box(5.0, 0.5), 0.0, (4.0, 6.0), id="face to face"),
        pytest.param(box(0.0, 0.0), box(5.0, 0.0), 0.25, (3.75, 6.25), id="flush corners"),
        pytest.param(box(0.0, 0.0), box(5.0, 1.0), 0.0, None, id="sliding flush along an edge"),
        pytest.param(
            box(0.0, 0.0), box(5.0, 1.25), 0.25, None, id="passing at exactly the needed gap"
        ),
        pytest.param(
            box(0.0, 0.0), box(5.0, 1.25 - 0.9e-6), 0.25, None, id="passing a touch nearer"
        ),
        pytest.param(
            box(0.0, 0.0), box(5.0, 1.3), 0.5, (5.0 - 1.4, 5.0 + 1.4), id="corner circles"
        ),
        pytest.param(spot(0.0, 0.0), spot(5.0, 3.0), 5.0, (1.0, 9.0), id="two discs"),
        pytest.param(spot(0.0, 0.0), spot(5.0, 3.0), 3.0, None, id="two discs that graze"),
        pytest.param(spot(0.0, 0.0), spot(5.0, 0.0), 0.0, None, id="points have no inside"),
        pytest.param(FRONT, spot(7.0, 0.0), 1.0, (2.0, 8.0), id="a front end on to a disc"),
        pytest.param(FRONT, box(7.0, 0.0)[:2], 0.0, None, id="a front along its own line"),
        pytest.param(
            box(0.0, 0.0), box(5.0, 0.5), -0.25, (4.25, 5.75), id="overlap allowed by a quarter"
        ),
        pytest.param(box(0.0, 0.0), box(5.0, 0.8), -0.25, None, id="never so deep"),
    ],
)
def test_slides_that_only_just_touch(
    moving: FloatArray, fixed: FloatArray, needed: float, expected: tuple[float, float] | None
) -> None:
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
        pytest.param(
            box(-4.0, 3.0, width=8.0), 2.0, math.asin(0.25), id="a wall whose gap is in the way"
        ),
        pytest.param(
            box(-1.0, 0.0), 0.0, QUARTER, id="touching behind the pivot: free until flush"
        ),
        pytest.param(spot(0.0, 0.0), 0.0, math.inf, id="the pivot on a point"),
        pytest.param(spot(0.0, 3.0), 1.0, QUARTER - math.asin(1 / 3), id="a disc"),
        pytest.param(spot(0.0, 5.0), 1.0, math.inf, id="a disc that the end grazes"),
        pytest.param(spot(5.0, 0.0), 2.0, 0.0, id="nearer than needed already"),
        pytest.param(spot(9.0, 0.0), 0.5, math.inf, id="out of reach"),
    ],
)
def test_wheels_that_only_just_touch(fixed: FloatArray, needed: float, expected: float) -> None:
    """A front of 4 in that wheels about its left end, up to 100 degrees, stops at the exact angle; a graze stops
    nothing.
    """
    angle = first_contact(FRONT, fixed, pivot=(0.0, 0.0), needed=needed, until=math.radians(100))
    assert angle == pytest.approx(expected, abs=1e-9)


def test_a_turn_is_free_again_behind_a_body() -> None:
    """A front that would cut through a square is free again behind it."""
    ((first, last),) = stretches_of(FRONT, box(2.0, 2.0), pivot=(0.0, 0.0), until=math.pi)
    assert (first, last) == pytest.approx((math.atan2(2, 3), math.atan2(3, 2)), abs=1e-12)


def a_scene(number: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return bodies with the origin on their front edge, rings about them, gaps needed and turns."""
    dice = np.random.default_rng(number)
    left = dice.uniform(-4.0, 0.0, COUNT)
    width = dice.uniform(4.0, 6.0, COUNT)
    depth = dice.uniform(1.0, 4.0, COUNT)
    corners = [
        (left, -depth),
        (left + width, -depth),
        (left + width, 0.0 * depth),
        (left, 0.0 * depth),
    ]
    bodies = np.stack([np.column_stack(corner) for corner in corners], axis=1)
    rings = []
    for _ in range(COUNT):
        angles = np.sort(dice.uniform(0.0, 2 * np.pi, int(dice.choice([1, 3, 4]))))
        rings.append(
            np.column_stack([np.cos(angles), np.sin(angles)]) * dice.uniform(0.3, 2.0)
            + dice.uniform(-7.0, 7.0, 2)
        )
    needed = dice.choice([-1e-6, 0.001, 1.0], COUNT)
    return bodies, stack_padded(rings), needed, dice.choice([0.0, 0.3, 1.0, 1.5], COUNT)


@pytest.mark.parametrize("number", range(6))
def test_are_blocked_as_one_by_one(number: int) -> None:
    """Each answer is that of the scalar question."""
    bodies, rings, needed, until = a_scene(number)
    found = are_blocked(bodies, rings, needed=needed, until=until)
    for body, ring, gap, angle, is_blocked in zip(
        bodies, rings, needed.tolist(), until.tolist(), found, strict=True
    ):
        one = ring[:1] if len(np.unique(ring, axis=0)) == 1 else ring
        stretches = stretches_of(body, one, needed=gap, until=max(angle, 1e-9))
        starts_blocked = float(ring_gap(body, ring)) < gap - 1e-6
        assert is_blocked == (bool(stretches) or starts_blocked)


@pytest.mark.parametrize("number", range(3))
def test_at_the_end_only(number: int) -> None:
    """Only where the turn ends the gap must be kept."""
    bodies, rings, needed, until = a_scene(number)
    found = are_blocked(bodies, rings, needed=needed, until=until, at_end_only=True)
    assert found.tolist() == (ring_gap(rotated(bodies, until), rings) < needed - 1e-11).tolist()


@pytest.mark.parametrize("at_end_only", [False, True])
def test_a_turn_that_ends_with_just_the_gap_needed_is_free(*, at_end_only: bool) -> None:
    """A block that has turned by a right angle stands 1 in from another: that is enough where 1 in is needed, a hair
    more is not.
    """
    body = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [0.0, 1.0]])
    ring = np.array([[-3.0, 0.0], [-2.0, 0.0], [-2.0, 1.0], [-3.0, 1.0]])
    asked = {"needed": np.array([1.0, 1.0 + 1e-5]), "until": np.full(2, np.pi / 2)}
    assert are_blocked(
        np.stack([body, body]), np.stack([ring, ring]), **asked, at_end_only=at_end_only
    ).tolist() == [False, True]


def test_a_corner_that_swings_out_and_back_is_seen() -> None:
    """Free at both ends, too near only on the way: by a thousandth of an inch, however small the post."""
    body = np.array([[-3.0, -4.0], [3.0, -4.0], [3.0, 0.0], [-3.0, 0.0]])
    post = 5.0 * np.array([[np.cos(-0.6), np.sin(-0.6)]])
    posts = np.stack([post * (1.0 - 1e-3), post * (1.0 + 1e-3)])
    found = are_blocked(np.stack([body, body]), posts, needed=np.zeros(2), until=np.full(2, 0.7))
    assert found.tolist() == [True, False]


@pytest.mark.parametrize("corners", [400, 4])
@pytest.mark.parametrize("away", [5.9, 6.2, 6.5])
def test_rings_of_very_many_corners(corners: int, away: float) -> None:
    """A turn past a ring of hundreds of corners, or among them, is blocked where each corner and edge on its own
    says.
    """
    body = np.array([[-6.0, -2.0], [0.0, -2.0], [0.0, 0.0], [-6.0, 0.0]])
    angles = np.linspace(0.0, 2 * np.pi, corners, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) + away * np.array(
        [-np.cos(0.7), -np.sin(0.7)]
    )
    stretches = stretches_of(body, ring, needed=0.001)
    fixed = shapely.Polygon(ring)
    turns = np.linspace(0.0, QUARTER, SAMPLES)
    is_inside = np.any(
        [(turns > first) & (turns < last) for first, last in stretches]
        or [np.zeros(SAMPLES, dtype=bool)],
        axis=0,
    )
    ends = np.array([angle for stretch in stretches for angle in stretch if 0.0 < angle < QUARTER])
    assert shapely.distance(wheeled(body, (0.0, 0.0), ends), fixed) == pytest.approx(
        0.001, abs=1e-9
    )
    assert_nearer(wheeled(body, (0.0, 0.0), turns[is_inside]), fixed, needed=0.001)
    assert_kept(wheeled(body, (0.0, 0.0), turns[~is_inside]), fixed, needed=0.001)


def test_a_turn_along_a_ring_at_the_gap_needed_is_free() -> None:
    """Where all of a ring is at the gap needed, nothing tells of its neighbours, and each is asked."""
    angles = np.linspace(0.0, 2 * np.pi, 300, endpoint=False)
    wall = np.array([[5.0, 0.0], [5.0, 0.0]]) + np.array([[0.0, -9.0], [0.0, 9.0]])
    wheel = np.column_stack([np.cos(angles), np.sin(angles)]) * 5.0
    free = blocked_turns(wheel, wall[None], needed=np.zeros(1), until=1.0)
    assert len(free.low) == 0
    assert (
        len(blocked_turns(wheel, wall[None] - [1e-3, 0.0], needed=np.zeros(1), until=1.0).low) >= 1
    )


@pytest.mark.parametrize("number", range(2))
def test_stretches_of_many_pairs_are_those_of_each_alone(number: int) -> None:
    """Each body is held against its own ring only, and whatever follows without a gap is one stretch."""
    bodies, rings, needed, _ = a_scene(number)
    found = blocked_turns(bodies, rings, needed=needed, until=1.5)
    for pair, (body, ring, gap) in enumerate(zip(bodies, rings, needed.tolist(), strict=True)):
        one = ring[:1] if len(np.unique(ring, axis=0)) == 1 else ring
        own = found.pair == pair
        alone = stretches_of(body, one, needed=gap, until=1.5)
        assert np.column_stack([found.low[own], found.high[own]]).ravel().tolist() == pytest.approx(
            np.ravel(alone).tolist(), abs=1e-9
        )
