"""First parts that a body forbids, against Shapely's distances at many of them, and straight ways against the scalar
slide.
"""

import math

import numpy as np
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.fronts import sweep
from tabletop.fronts.sweep import (
    ConvexRings,
    Strip,
    _near_passage,
    advances,
    clear_intervals,
    first_contact,
    intersect_bounds,
    linear_bound,
    sector_support,
    uncovered_intervals,
    wheel_blocks,
)
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import edge_normals, stack_padded
from tabletop.geometry.motion import blocked_slide
from tabletop.geometry.pose import Point
from tabletop.optimise.interval import Intervals, union, without
from tabletop.units import CONTACT

FINE = 60
"""Sides of the polygon around a sector: at 5 in it is at most 5e-4 in too small."""
SLACK = 5e-4
FIRSTS = np.linspace(-9.0, 9.0, 37)
SHALLOW = 0.42
"""Share of the gap that may be asked too much where only a corner of the strip's start would part it from a body."""
WIDTH = 4.0
FRONT = np.array([[0.0, 0.0], [WIDTH, 0.0]])
AHEAD = (0.0, 1.0)


def ring_of(points: list[Point]) -> FloatArray:
    """Make the convex ring around points, or one point where they are too few."""
    hull = shapely.orient_polygons(shapely.convex_hull(shapely.MultiPoint(points)))
    if isinstance(hull, shapely.Polygon) and hull.area > 0.01:
        corners: FloatArray = shapely.get_coordinates(hull)[:-1]
        return corners
    return np.array(points[:1])


def rounded(least: float, most: float) -> st.SearchStrategy[float]:
    """Draw numbers with four decimals: finer ones are Shapely's trouble, not the solver's."""
    return st.floats(least, most).map(lambda value: round(value, 4))


places = st.tuples(rounded(-6.0, 3.0), rounded(-4.0, 4.0))
rings = st.lists(places, min_size=1, max_size=6).map(ring_of)
needs = st.sampled_from([0.0, 0.01, 0.5, 1.5])
wheels = st.one_of(
    st.sampled_from([0.0, math.pi / 6, math.pi / 4, math.pi / 2]), rounded(0.0, math.pi / 2)
)
scenes = settings(max_examples=60)


def bodies_of(ring: FloatArray, needed: float) -> ConvexRings:
    """Make the one body that the solver is asked about."""
    normals = edge_normals(ring) if len(ring) > 1 else np.array([[0.0, 1.0]])
    return ConvexRings(
        ring,
        np.roll(ring, -1, axis=0),
        np.roll(ring, 1, axis=0),
        normals,
        (normals @ ring.T).max(axis=1),
        np.array(needed),
    )


def asked(ring: FloatArray, needed: float) -> float:
    """Ask some gap of a point: it is the middle of a disc, never a body without a size."""
    return needed if len(ring) > 1 else max(needed, 0.01)


def geometry(ring: FloatArray) -> shapely.Geometry:
    """Make the same body in Shapely."""
    return shapely.Polygon(ring) if len(ring) > 1 else shapely.Point(ring[0])


def is_near(swept: list[FloatArray], ring: FloatArray, needed: float) -> np.ndarray:
    """Return a mask of the swept polygons that are nearer than allowed, or overlap the body."""
    shapes = shapely.polygons(swept)
    body = geometry(ring)
    if needed > 0.0:
        near: np.ndarray = shapely.distance(shapes, body) < needed
        return near
    deep: np.ndarray = shapely.area(shapely.intersection(shapes, body)) > 0.0
    return deep


def sector(angle: float, width: float, *, scale: float = 1.0) -> FloatArray:
    """Return a polygon for what a front sweeps that wheels about the origin, its far corner at `scale` times its
    width.
    """
    turns = np.linspace(0.0, max(angle, 1e-7), FINE)
    return np.vstack(
        [[(0.0, 0.0)], width * scale * np.column_stack([-np.cos(turns), np.sin(turns)])]
    )


@pytest.mark.parametrize(
    ("factor", "limit", "expected"),
    [
        pytest.param(2.0, 3.0, (-np.inf, 1.5), id="from above"),
        pytest.param(-2.0, 3.0, (-1.5, np.inf), id="from below"),
        pytest.param(0.0, 1.0, (-np.inf, np.inf), id="a factor of 0 and room bound nothing"),
        pytest.param(
            0.0, 0.0, (-np.inf, np.inf), id="a factor of 0 and no room to spare bound nothing"
        ),
        pytest.param(1e-14, 0.0, (-np.inf, np.inf), id="nor does a factor of rounding"),
        pytest.param(0.0, -1e-14, (-np.inf, np.inf), id="nor a limit short by rounding"),
        pytest.param(
            0.0, -1e-6, (np.inf, -np.inf), id="a factor of 0 and no room bound everything"
        ),
    ],
)
def test_a_half_line_is_bounded_on_one_side_or_none(
    factor: float, limit: float, expected: tuple[float, float]
) -> None:
    """Where nothing changes along the line, it is all in or all out."""
    assert linear_bound(np.array(factor), np.array(limit)) == pytest.approx(expected, abs=1e-9)


def test_bounds_meet_in_the_narrower_of_both() -> None:
    """The greater of the lows, the lesser of the highs."""
    low, high = intersect_bounds(
        (np.array([0.0, 1.0]), np.array([5.0, 6.0])), (np.array([2.0, -1.0]), np.array([9.0, 3.0]))
    )
    assert (low.tolist(), high.tolist()) == ([2.0, 1.0], [5.0, 3.0])


@scenes
@example(bearing=math.pi - 0.5, angle=1.2, width=4.0)
@given(bearing=rounded(-math.pi, math.pi), angle=wheels, width=rounded(0.5, 6.0))
def test_the_support_of_a_sector_is_its_farthest_point(
    bearing: float, angle: float, width: float
) -> None:
    """No sample of the sector lies farther along the direction, and one lies as far but for the sampling."""
    direction = np.array([math.cos(bearing), math.sin(bearing)])
    farthest = (sector(angle, width) @ direction).max()
    support = float(sector_support(direction, np.array(angle), width))
    assert farthest - 1e-6 <= support <= farthest + width * (angle / FINE) ** 2 + 1e-6


@scenes
@given(ring=rings, needed=needs, angle=wheels, width=rounded(0.5, 5.0))
def test_a_wheel_is_forbidden_exactly_where_it_comes_too_near(
    ring: FloatArray, needed: float, angle: float, width: float
) -> None:
    """First parts inside the interval bring the sector nearer than needed, all others do not, but for a hair at its
    ends.
    """
    needed = asked(ring, needed)
    low, high = (
        float(bound)
        for bound in wheel_blocks(bodies_of(ring, needed), np.array(angle), width=width)
    )
    inner = [sector(angle, width) + np.array([0.0, first]) for first in FIRSTS]
    outer = [
        sector(angle, width, scale=1.0 / math.cos(angle / 2 / (FINE - 1))) + np.array([0.0, first])
        for first in FIRSTS
    ]
    near_for_sure = is_near(inner, ring, needed - SLACK)
    far_for_sure = ~is_near(outer, ring, needed)
    is_forbidden = (low < FIRSTS) & (high > FIRSTS)
    at_end = np.minimum(np.abs(FIRSTS - low), np.abs(FIRSTS - high)) <= 2 * CONTACT
    if needed > SLACK:
        assert (is_forbidden | ~near_for_sure).all()
    assert (~is_forbidden | ~far_for_sure | at_end).all()


@pytest.mark.parametrize(
    ("x", "needed", "expected"),
    [
        pytest.param(-2.0, 0.0, None, id="a point without a gap"),
        pytest.param(
            -2.0, 1.0, (2.0, 6.0), id="a disc under the front and over the far corner's arc"
        ),
        pytest.param(-4.0, 1.0, (4.0, 6.0), id="a disc at the far end"),
        pytest.param(-5.0, 1.0, None, id="a disc that the far end grazes"),
        pytest.param(
            -5.0 + 1e-7,
            1.0,
            None,
            id="a disc that the far end grazes a tenth of the tolerance too near",
        ),
        pytest.param(1.0, 1.0, None, id="a disc that the pivot grazes"),
        pytest.param(0.0, 1.0, (4.0, 6.0), id="a disc ahead of the pivot"),
    ],
)
def test_a_front_that_does_not_wheel_is_blocked_where_it_stands(
    x: float, needed: float, expected: tuple[float, float] | None
) -> None:
    """A front of 4 in passes a disc at y = 5 on a straight way; grazing is free."""
    low, high = wheel_blocks(bodies_of(np.array([[x, 5.0]]), needed), np.array(0.0), width=4.0)
    if expected is None:
        assert low >= high
    else:
        reach = 1.0 if x in {-4.0, 0.0} else needed
        assert (float(low), float(high)) == pytest.approx(
            (5.0 - reach, 5.0 + reach), abs=2 * CONTACT
        )


@pytest.mark.parametrize(
    ("x", "expected"), [(0.0, (0.0, 6.0)), (-3.0, (1.0, 6.0)), (-4.0, (2.0, 6.0))]
)
def test_a_quarter_wheel_is_blocked_by_a_disc_over_its_arc(
    x: float, expected: tuple[float, float]
) -> None:
    """A front of 4 in wheels by 90 degrees past a disc of 1 in at y = 5: the far corner passes it on a circle of 5
    in.
    """
    low, high = wheel_blocks(bodies_of(np.array([[x, 5.0]]), 1.0), np.array(math.pi / 2), width=4.0)
    assert (float(low), float(high)) == pytest.approx(expected, abs=2 * CONTACT)


@pytest.mark.parametrize(
    ("x", "top"), [(0.0, 2.0), (-1.0, 2.0 + math.sqrt(3.0)), (-2.0, 1.0 + math.sqrt(12.0))]
)
def test_a_wheel_is_blocked_by_a_disc_over_the_wheeled_front(x: float, top: float) -> None:
    """A front of 4 in wheels by 60 degrees under a disc of 1 in at y = 5: it is met by the line an inch ahead, or by
    the far corner.
    """
    low, high = wheel_blocks(bodies_of(np.array([[x, 5.0]]), 1.0), np.array(math.pi / 3), width=4.0)
    assert (float(low), float(high)) == pytest.approx((5.0 - top, 6.0), abs=2 * CONTACT)


@pytest.mark.parametrize(
    ("place", "rates", "expected"),
    [
        pytest.param((0.3, 0.0), (0.0, 1.0), (-0.4, 0.4), id="it passes beside the corner"),
        pytest.param((0.3, 2.0), (0.0, 1.0), (1.6, 2.4), id="it passes later"),
        pytest.param((0.6, 0.0), (0.0, 1.0), (np.inf, -np.inf), id="it passes too far off"),
        pytest.param((0.27, 0.36), (0.0, 0.0), (-np.inf, np.inf), id="it stays where it is near"),
        pytest.param(
            (0.36, 0.48), (0.0, 0.0), (np.inf, -np.inf), id="it stays where it is not near"
        ),
    ],
)
def test_a_point_that_passes_a_corner_is_near_for_a_while(
    place: Point, rates: Point, expected: Point
) -> None:
    """Within half an inch of the corner: from when to when, always or never."""
    passage = _near_passage(*(np.array(value) for value in (*place, *rates, 0.5)))
    assert tuple(map(float, passage)) == pytest.approx(expected)


@scenes
@given(
    ring=rings,
    needed=needs,
    angle=wheels,
    width=rounded(0.5, 5.0),
    way=rounded(0.1, 6.0),
    rate=rounded(-2.0, 2.0),
)
def test_a_strip_is_free_where_a_proof_says_so(
    ring: FloatArray, needed: float, angle: float, width: float, way: float, rate: float
) -> None:
    """No strip that a proof frees comes nearer than needed, and every strip that keeps well away has a proof."""
    needed = asked(ring, needed)
    firsts = FIRSTS[way + (rate - math.cos(angle)) * FIRSTS >= 0.0]
    strip = Strip(
        np.array(angle),
        width,
        np.array(0.0),
        np.cos(np.array(angle)),
        np.array(way),
        np.array(rate),
    )
    lows, highs = clear_intervals(bodies_of(ring, needed), strip)
    is_free = ((lows <= firsts[:, None]) & (firsts[:, None] <= highs)).any(axis=1)
    swept = [corners(angle, width, first, way + rate * first) for first in firsts]
    if not len(firsts):
        return
    behind = (
        np.array([geometry(ring).distance(shapely.LineString(corner[:2])) for corner in swept])
        < needed + CONTACT
    )
    near = (
        is_near(swept, ring, max(needed - 2 * CONTACT, 0.0))
        if needed > 0.0
        else np.zeros(len(firsts), dtype=bool)
    )
    assert (~is_free | ~near | behind).all()
    assert (is_free | is_near(swept, ring, needed / (1.0 - SHALLOW) + 1e-9)).all()


def corners(angle: float, width: float, first: float, end: float) -> FloatArray:
    """Return the corners of a strip in the pivot's coordinates: start edge, then end edge."""
    along = np.array([-math.cos(angle), math.sin(angle)])
    ahead = np.array([math.sin(angle), math.cos(angle)])
    pairs = [
        (0.0, first * math.cos(angle)),
        (width, first * math.cos(angle)),
        (width, end),
        (0.0, end),
    ]
    return np.array([(first * math.sin(angle) + s) * along + r * ahead for s, r in pairs])


@pytest.mark.parametrize(
    ("frees", "expected"),
    [
        pytest.param(
            [(0.0, 4.0), (4.0, 10.0)], ((0.0, 10.0),), id="proofs that meet leave no hole"
        ),
        pytest.param(
            [(4.0, 10.0), (0.0, 3.0)], ((0.0, 3.0), (4.0, 10.0)), id="a hole between two proofs"
        ),
        pytest.param(
            [(0.0, 8.0), (1.0, 2.0), (9.0, 10.0)],
            ((0.0, 8.0), (9.0, 10.0)),
            id="a proof inside another",
        ),
        pytest.param([(2.0, 12.0)], ((2.0, 10.0),), id="a hole that begins outside of the range"),
        pytest.param([(8.0, 3.0)], (), id="an interval that ends before it begins proves nothing"),
        pytest.param([(5.0, 5.0)], ((5.0, 5.0),), id="a single point"),
        pytest.param(
            [(-np.inf, 5.0), (5.0 + 1e-13, np.inf)], ((0.0, 10.0),), id="rounding is no hole"
        ),
    ],
)
def test_holes_are_what_no_proof_covers(
    frees: list[tuple[float, float]], expected: Intervals
) -> None:
    """Without them a range from 0 to 10 is what the proofs cover of it."""
    lows, highs = np.array(frees).T
    row, low, high = uncovered_intervals(
        (lows[None], highs[None]), np.array([0.0]), np.array([10.0])
    )
    assert not row.any()
    assert (
        without(
            [(0.0, 10.0)],
            union(zip(low.tolist(), high.tolist(), strict=True), slack=-1e-12),
            slack=1e-12,
        )
        == expected
    )


def some_rings(number: int, count: int = 60) -> FloatArray:
    """Return convex rings and points, before, beside and behind the front."""
    dice = np.random.default_rng(number)
    rings = []
    for _ in range(count):
        angles = np.sort(dice.uniform(0.0, 2 * np.pi, int(dice.choice([1, 3, 4, 6]))))
        ring = np.column_stack([np.cos(angles), np.sin(angles)]) * dice.uniform(0.2, 3.0)
        rings.append(ring + dice.uniform([-4.0, -6.0], [8.0, 8.0]))
    return stack_padded(rings)


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("level", [0.001, 0.5])
def test_advances_as_slides_one_by_one(number: int, level: float) -> None:
    """Each stretch is that of the scalar question."""
    rings = some_rings(number)
    found = advances(rings, WIDTH, level=np.full(len(rings), level))
    for ring, low, high in zip(rings, found.low, found.high, strict=True):
        stretch = blocked_slide(FRONT, ring, direction=AHEAD, needed=level)
        if stretch is not None and stretch[1] - stretch[0] > 1e-3:
            assert (low, high) == pytest.approx(stretch, abs=1e-9)
        else:
            assert high - low < 1e-1


@pytest.mark.parametrize("number", range(6))
def test_the_first_touch_is_where_the_slide_ends(number: int) -> None:
    """The way is that of the scalar question, and the place lies on the ring that far ahead."""
    rings = some_rings(number)
    rings = rings[rings[:, :, 1].min(axis=1) > 0.0]
    found = first_contact(rings, WIDTH)
    for ring, way, place in zip(rings, found.way, found.place, strict=True):
        stretch = blocked_slide(FRONT, ring, direction=AHEAD, needed=0.0)
        if stretch is not None:
            assert way == pytest.approx(stretch[0], abs=1e-9)
            assert 0.0 <= place <= WIDTH


def test_a_body_beside_is_passed_at_just_the_level() -> None:
    """Passing at exactly the distance asked for is free, a hair nearer is not; an overlap as deep as the level is let
    pass.
    """
    beside = np.array([[5.0, 3.0], [6.0, 3.0], [6.0, 4.0], [5.0, 4.0]])
    levels = np.array([1.0, 1.0 + 1e-9])
    assert advances(np.stack([beside, beside]), WIDTH, level=levels).blocks(
        np.array([9.0, 9.0])
    ).tolist() == [False, True]
    deep = np.stack([beside - [1.0 + depth, 0.0] for depth in (1e-7, 1e-5)])
    assert advances(deep, WIDTH, level=np.full(2, -1e-6)).blocks(np.array([9.0, 9.0])).tolist() == [
        False,
        True,
    ]


def test_what_lies_behind_blocks_nothing() -> None:
    """Only stretches that are not passed already count, and ways that lead into them."""
    square = np.array([[1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0]])
    up = np.array([0.0, 3.0])
    rings = np.stack([square - up, square + up, square + up])
    assert advances(rings, WIDTH, level=np.zeros(3)).blocks(np.array([9.0, 9.0, 2.0])).tolist() == [
        False,
        True,
        False,
    ]


def test_many_rings_are_taken_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts give what all at once give, to the bit, and a limit of time that has passed ends them."""
    rings = some_rings(1, 12)
    rings = rings.reshape(4, 3, *rings.shape[1:])
    whole = first_contact(rings, WIDTH)
    monkeypatch.setattr(sweep, "CORNERS_AT_ONCE", 2 * rings.shape[-2])
    parts = first_contact(rings, WIDTH)
    assert parts.way.tobytes() == whole.way.tobytes()
    assert parts.place.tobytes() == whole.place.tobytes()
    assert parts.way.shape == (4, 3)
    with Budget(seconds=1e-9, started=-10.0).running(), pytest.raises(NoVerdictError):
        first_contact(rings, WIDTH)
