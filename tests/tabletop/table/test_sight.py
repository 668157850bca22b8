"""Lines of sight against dense sampling of segments, at the limit of the arc, out of woods, past discs, and for many
places.
"""

import math
import random
import tracemalloc
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
import shapely

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape, disc, polygon, rectangle
from tabletop.table.sight import (
    Blocker,
    Segment,
    View,
    _bitangents,
    _entries,
    certainly_visible,
    clear_sight,
    first_blocked_point,
    shortest_clear,
    surely_unseen,
)
from tests.oracles.extreme import forms

AHEAD = math.pi / 2
ARC = math.pi / 4
FRONT: Segment = ((-2.0, 0.0), (2.0, 0.0))
HAIR = 1e-5
FINE = 25
"""Places on the front and on each side of the target between which sight is sampled."""


def box(west: float, south: float, east: float, north: float) -> Shape:
    """Make a box with sides along the axes."""
    return polygon([(west, south), (east, south), (east, north), (west, north)])


def seen(
    target: Shape,
    *blockers: Blocker | Shape,
    fronts: tuple[Segment, ...] = (FRONT,),
    heading: float = AHEAD,
) -> Segment | None:
    """Look from fronts for a target; a bare shape blocks also whoever stands in it."""
    stops = [
        blocker if isinstance(blocker, Blocker) else Blocker(blocker, is_ignored_inside=False)
        for blocker in blockers
    ]
    return clear_sight(View(fronts, heading, ARC, target.pieces[0]), stops)


@pytest.mark.parametrize("number", range(30))
def test_lines_through_very_many_corners_are_found_in_parts(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looked at in parts, and through what lies between only, the corners let the same be seen."""
    source = random.Random(number)  # noqa: S311 - scenes, not secrets
    target = box(-3.0, 9.0, source.uniform(-2.0, 3.0), 11.0)
    rings = [
        forms.gear(source.randint(4, 40), source.uniform(0.3, 2.5), source.choice((0.0, 0.3, 0.8)))
        for _ in range(source.randint(2, 7))
    ]
    blockers = [
        polygon(
            np.array(forms.turned(ring, 0.3, (source.uniform(-5.0, 5.0), source.uniform(2.0, 8.0))))
        )
        for ring in rings
    ]
    whole = seen(target, *blockers)
    monkeypatch.setattr("tabletop.table.sight.MOST_POINTS", 0)
    monkeypatch.setattr("tabletop.table.sight.LINES_AT_ONCE", 300)
    parts = seen(target, *blockers)
    assert (whole is None) is (parts is None)
    if parts is not None:
        assert is_clear(
            np.array([parts]),
            [Blocker(blocker, is_ignored_inside=False) for blocker in blockers],
            depth=1e-5,
        )[0]


def test_sight_past_very_many_corners_takes_little_memory() -> None:
    """Eight stars of 2,000 corners in the way: 128 million lines through every two of them, of which few are in memory
    at a time.
    """
    stars = [
        polygon(np.array(forms.turned(forms.gear(2000, 1.5, 0.1), 0.0, (-4.0 + 1.1 * number, 5.0))))
        for number in range(8)
    ]
    tracemalloc.start()
    with Budget(seconds=0.3).running(), suppress(NoVerdictError):
        seen(box(-3.0, 9.0, 3.0, 11.0), *stars)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 400e6


def is_clear(
    segments: FloatArray, blockers: list[Blocker], *, depth: float, heading: float = AHEAD
) -> np.ndarray:
    """Return a mask of the segments (n, 2, 2) that stay within the arc and nowhere enter a blocker deeper than
    `depth`.
    """
    to = segments[:, 1] - segments[:, 0]
    off = np.abs((np.arctan2(to[:, 1], to[:, 0]) - heading + math.pi) % math.tau - math.pi)
    clear = off <= ARC + depth
    lines = shapely.linestrings(segments)
    ends = shapely.points(segments)
    for blocker in blockers:
        is_through = shapely.intersects(lines, grown(blocker.shape, -depth))
        stands_inside = shapely.intersects(grown(blocker.shape, depth), ends).any(axis=1)
        clear &= ~is_through | (stands_inside & blocker.is_ignored_inside)
    return np.asarray(clear)


def grown(shape: Shape, by: float) -> shapely.Geometry:
    """Grow a shape, or shrink it where `by` is negative, by inches."""
    return (
        shape.core.buffer(shape.radius + by, 256)
        if shape.radius
        else shape.core.buffer(by, join_style="mitre")
    )


def samples(fronts: tuple[Segment, ...], target: FloatArray) -> FloatArray:
    """Lay segments (n, 2, 2) between many places of the fronts and of the target's boundary."""
    shares = np.linspace(0.0, 1.0, FINE)[:, None]
    starts = np.concatenate(
        [np.array(start) + shares * (np.array(end) - np.array(start)) for start, end in fronts]
    )
    ends = np.concatenate(
        [
            here + shares * (there - here)
            for here, there in zip(target, np.roll(target, -1, axis=0), strict=True)
        ]
    )
    return np.stack([np.repeat(starts, len(ends), axis=0), np.tile(ends, (len(starts), 1))], axis=1)


def random_view(seed: int) -> tuple[View, list[Blocker]]:
    """Make one or two fronts, a target ahead, and up to seven blockers in between; every third scene on a grid of half
    inches.
    """
    rng = np.random.default_rng(seed)

    def drawn(least: float, most: float) -> float:
        value = float(rng.uniform(least, most))
        return round(value * 2) / 2 if seed % 3 == 0 else value

    fronts = (FRONT, ((3.0, 0.0), (4.0, 0.0)))[: int(rng.integers(1, 3))]
    width = drawn(1.0, 4.0)
    depth = drawn(1.0, 4.0)
    turn = 0.0 if seed % 3 == 0 else drawn(-3.0, 3.0)
    target = rectangle(Pose(drawn(-9.0, 9.0), drawn(8.0, 12.0), AHEAD + turn), width, depth)
    blockers = []
    for _ in range(int(rng.integers(1, 8))):
        x = drawn(-7.0, 7.0)
        y = drawn(0.0, 9.0)
        is_wood = bool(rng.integers(2))
        size = [max(drawn(0.5, 3.0), 0.5) for _ in range(2)]
        shape = (
            disc((x, y), size[0])
            if rng.integers(3) == 0
            else rectangle(Pose(x, y, 0.0 if seed % 3 == 0 else drawn(-3.0, 3.0)), *size)
        )
        blockers.append(Blocker(shape, is_ignored_inside=is_wood))
    return View(fronts, AHEAD, ARC, target.pieces[0]), blockers


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_sight_is_found_wherever_a_sampled_line_is_clear(first: int) -> None:
    """Lines found are clear to a hair; where none is found no sample is clear by a hair."""
    for seed in range(first, first + 20):
        view, blockers = random_view(seed)
        found = clear_sight(view, blockers)
        if found is None:
            assert not is_clear(samples(view.fronts, view.target), blockers, depth=-HAIR).any(), (
                seed
            )
        else:
            assert is_clear(np.array([found]), blockers, depth=HAIR).all(), seed
            starts = shapely.MultiLineString(view.fronts)
            ring = shapely.LinearRing(view.target)
            assert starts.distance(shapely.Point(found[0])) <= HAIR, seed
            assert ring.distance(shapely.Point(found[1])) <= HAIR, seed


@pytest.mark.parametrize("side", [-1.0, 1.0], ids=["left", "right"])
@pytest.mark.parametrize(
    ("beyond", "is_seen"), [(-1e-3, True), (0.0, True), (1e-7, True), (1e-5, False), (1e-3, False)]
)
def test_the_limit_of_the_arc_belongs_to_it(beyond: float, is_seen: bool, side: float) -> None:
    """A target that only its near corner brings to 45 degrees, give or take a hair of inches."""
    near = 2.0 + 10.0 + beyond * math.sqrt(2)
    far = 20.0
    target = box(min(side * near, side * far), 5.0, max(side * near, side * far), 10.0)
    assert (seen(target) is not None) is is_seen


@pytest.mark.parametrize(
    ("gap", "is_seen"),
    [
        pytest.param(1e-3, True, id="a slit"),
        pytest.param(0.0, True, id="two boxes that touch: along the seam"),
        pytest.param(-1e-7, True, id="lapping over by less than the tolerance"),
        pytest.param(-1e-5, False, id="lapping over by ten tolerances"),
    ],
)
def test_sight_passes_between_boxes_that_touch(gap: float, is_seen: bool) -> None:
    """Grazing is free on both sides at once."""
    left = box(-20.0, 3.0, -gap / 2, 6.0)
    right = box(gap / 2, 3.0, 20.0, 6.0)
    assert (seen(box(-1.0, 9.0, 1.0, 11.0), left, right) is not None) is is_seen


@pytest.mark.parametrize(
    ("gap", "is_seen"), [(1e-3, True), (0.0, True), (-1e-7, True), (-1e-4, False)]
)
def test_sight_passes_between_discs_that_touch(gap: float, is_seen: bool) -> None:
    """Only the tangent that both share is clear; it has no other point to be found by."""
    walls = box(-20.0, 3.0, -3.0, 6.0), box(3.0, 3.0, 20.0, 6.0)
    discs = disc((-2.0 - gap / 2, 4.5), 2.0), disc((2.0 + gap / 2, 4.5), 2.0)
    assert (seen(box(-1.0, 9.0, 1.0, 11.0), *walls, *discs) is not None) is is_seen


@pytest.mark.parametrize(
    ("gap", "is_seen"), [(1e-3, True), (0.0, True), (-1e-7, True), (-1e-4, False)]
)
def test_sight_passes_aslant_between_two_discs(gap: float, is_seen: bool) -> None:
    """Discs that touch side by side, turned by 15 degrees: no corner lies on the line between them."""
    walls = box(-30.0, 5.5, -2.8, 5.7), box(2.8, 6.3, 30.0, 6.5)
    across = (
        (1.5 + gap / 2) * math.cos(math.radians(15.0)),
        (1.5 + gap / 2) * math.sin(math.radians(15.0)),
    )
    discs = disc((-across[0], 6.0 - across[1]), 1.5), disc((across[0], 6.0 + across[1]), 1.5)
    assert (seen(box(-2.0, 12.0, 2.0, 14.0), *walls, *discs) is not None) is is_seen


@pytest.mark.parametrize(
    ("middle", "radius", "count"),
    [
        pytest.param((7.0, 2.0), 2.0, 4, id="apart, equal"),
        pytest.param((7.0, 2.0), 0.5, 4, id="apart, not equal"),
        pytest.param((-3.0, -4.0), 3.0, 4, id="touching"),
        pytest.param((2.0, 2.5), 2.5, 2, id="overlapping"),
        pytest.param((0.5, 0.5), 0.5, 0, id="one inside the other"),
        pytest.param((0.0, 0.0), 2.0, 0, id="one middle"),
    ],
)
def test_lines_along_two_discs_touch_both(middle: Point, radius: float, count: int) -> None:
    """Each is as far from both middles as their radii say."""
    lines = _bitangents(disc((0.0, 0.0), 2.0), disc(middle, radius))
    assert len(lines) == count
    for (x, y), (to_x, to_y) in lines:
        assert abs(x * to_y - y * to_x) == pytest.approx(2.0, abs=1e-7)
        assert abs((x - middle[0]) * to_y - (y - middle[1]) * to_x) == pytest.approx(
            radius, abs=1e-7
        )


@pytest.mark.parametrize(
    ("gap", "is_seen"), [(1e-3, True), (0.0, True), (-1e-7, True), (-1e-4, False)]
)
@pytest.mark.parametrize("bearing", [8.0, 15.0, 30.0])
def test_sight_passes_between_a_corner_and_the_disc_that_it_touches(
    gap: float, is_seen: bool, bearing: float
) -> None:
    """Only the tangent of the disc at that corner is clear."""
    turn = math.radians(bearing)
    corner = (0.0, 6.0)
    wedge = polygon([corner, (-30.0, 5.0), (-30.0, 6.5)])
    middle = ((1.5 + gap) * math.cos(turn), 6.0 + (1.5 + gap) * math.sin(turn))
    wall = box(middle[0] + 1.4, middle[1] - 0.1, 30.0, middle[1] + 0.1)
    front = ((6.0 * math.tan(turn) - 1.0, 0.0), (6.0 * math.tan(turn) + 0.5, 0.0))
    target = box(-6.0 * math.tan(turn) - 1.0, 12.0, -6.0 * math.tan(turn) + 0.5, 14.0)
    assert (seen(target, wedge, wall, disc(middle, 1.5), fronts=(front,)) is not None) is is_seen


@pytest.mark.parametrize(
    ("wood", "is_ignored_inside", "is_seen"),
    [
        pytest.param(box(-9.0, 2.0, 9.0, 5.0), True, False, id="a wood in between"),
        pytest.param(box(-9.0, -1.0, 9.0, 5.0), True, True, id="out of a wood"),
        pytest.param(
            box(-9.0, -1.0, 9.0, 5.0), False, False, id="a hill does not open to who stands on it"
        ),
        pytest.param(box(-9.0, 0.0, 9.0, 5.0), True, False, id="the front only touches the wood"),
        pytest.param(
            box(-9.0, -1e-7, 9.0, 5.0), True, False, id="or stands in it by less than the tolerance"
        ),
        pytest.param(
            box(-9.0, -1.0, -1.0, 5.0), True, True, id="part of the front in it, the rest beside it"
        ),
        pytest.param(
            box(-9.0, 2.0, 9.0, 9.5),
            True,
            True,
            id="the target's sides reach out of the wood, its front is in it",
        ),
        pytest.param(
            box(-9.0, 2.0, 9.0, 8.0), True, False, id="the wood ends at the target's front"
        ),
    ],
)
def test_woods_are_looked_out_of_and_into(
    wood: Shape, is_ignored_inside: bool, is_seen: bool
) -> None:
    """A blocker that is ignored inside lets those see who stand in its interior, and those be seen."""
    target = box(-1.0, 8.0, 1.0, 10.0)
    assert (seen(target, Blocker(wood, is_ignored_inside=is_ignored_inside)) is not None) is is_seen


def test_a_round_wood_is_looked_out_of_too() -> None:
    """The front's middle stands in it, its ends do not, and everything else is walled off."""
    wood = Blocker(disc((0.0, 1.0), 1.5), is_ignored_inside=True)
    walls = box(-30.0, 0.5, -1.2, 3.0), box(1.2, 0.5, 30.0, 3.0)
    assert seen(box(-1.0, 9.0, 1.0, 11.0), wood, *walls) is not None
    assert seen(box(-1.0, 9.0, 1.0, 11.0), wood.shape, *walls) is None


def test_the_shortest_of_the_obvious_lines_is_shown() -> None:
    """Nothing in the way: straight ahead."""
    found = seen(box(-2.0, 8.0, 2.0, 10.0))
    assert found is not None
    assert math.dist(*found) == pytest.approx(8.0)


def test_one_front_of_several_is_enough() -> None:
    """The first is walled off, the second sees past the wall."""
    wall = box(-6.0, 1.0, 2.5, 2.0)
    other = ((3.0, 0.0), (4.0, 0.0))
    target = box(-1.0, 8.0, 1.0, 10.0)
    assert seen(target, wall, fronts=((FRONT[0], (-1.0, 0.0)),)) is None
    assert seen(target, wall, fronts=((FRONT[0], (-1.0, 0.0)), other)) is not None


def test_the_shortest_clear_segment() -> None:
    """Of many segments the shortest that nothing blocks is found, however many shorter ones are blocked."""
    wall = Blocker(rectangle(Pose(0.0, 5.0, math.pi / 2), 40.0, 1.0), is_ignored_inside=False)
    starts = np.linspace(-19.0, 30.0, 500)
    segments = np.stack(
        [
            np.column_stack([starts, np.zeros(500)]),
            np.column_stack([starts, np.full(500, 9.0) + np.abs(starts) / 100]),
        ],
        axis=1,
    )
    found = shortest_clear(segments, [wall])
    assert found is not None
    assert found[0][0] == pytest.approx(starts[starts > 20.0].min())
    assert shortest_clear(segments[starts < 20.0], [wall]) is None
    assert shortest_clear(segments[:0], [wall]) is None


@pytest.mark.parametrize(
    "grazed", [(0.5, 0.81), (0.5, 0.23), (0.23, 0.81), (0.5, 0.19), (0.77, 0.19)], ids=str
)
def test_notches_that_come_up_to_a_line_let_nobody_see_through(grazed: tuple[float, float]) -> None:
    """A line along which a block of 6 in is cut in from the side all but so far, wherever, still passes through what is
    left of it.
    """
    notches = [
        point
        for share in sorted(grazed)
        for point in ((6.0 * share - 0.1, 2.0), (6.0 * share, 1e-7), (6.0 * share + 0.1, 2.0))
    ]
    block = polygon([(0.0, -2.0), (6.0, -2.0), (6.0, 2.0), *reversed(notches), (0.0, 2.0)])
    assert (
        shortest_clear(
            np.array([[[-1.0, 0.0], [7.0, 0.0]]]), [Blocker(block, is_ignored_inside=False)]
        )
        is None
    )


@pytest.mark.parametrize(
    ("stoppers", "at"),
    [
        ([], None),
        ([box(-1.0, 6.0, 1.0, 7.0), box(-1.0, 4.0, 1.0, 5.0)], 4.0),
        ([disc((0.0, 5.0), 1.0)], 4.0),
        ([box(0.0, 4.0, 1.0, 5.0)], None),
        ([disc((1.0, 5.0), 1.0)], None),
        ([box(-1.0, -1.0, 1.0, 2.0)], 0.0),
        ([disc((0.0, 0.0), 2.0)], 0.0),
        ([box(-1.0, -1.0, 1.0, 0.0), box(-1.0, 3.0, 1.0, 9.0)], 3.0),
    ],
    ids=[
        "nothing",
        "the nearer of two boxes",
        "a disc",
        "grazed box",
        "grazed disc",
        "out of a box",
        "out of a disc",
        "a box behind",
    ],
)
def test_a_line_of_sight_is_stopped_where_it_first_enters_what_stops_it(
    stoppers: list[Shape], at: float | None
) -> None:
    """A line of 8 in straight ahead ends at the near side of the first body it passes through; grazing stops
    nothing.
    """
    stop = first_blocked_point(
        ((0.0, 0.0), (0.0, 8.0)), [Blocker(shape, is_ignored_inside=False) for shape in stoppers]
    )
    assert stop == (None if at is None else pytest.approx((0.0, at), abs=1e-9))


@pytest.mark.parametrize(
    ("line", "shares"),
    [
        ([(0.0, 0.0), (10.0, 0.0)], [0.2, 0.8]),
        ([(0.0, 0.0), (4.0, 0.0)], [0.5, 2.0]),
        ([(5.0, 0.0), (5.0, 9.0)], [-1 / 3, 1 / 3]),
        ([(0.0, 3.0), (10.0, 3.0)], []),
    ],
    ids=["right through", "the line goes on", "from inside", "a graze is none"],
)
def test_a_line_enters_and_leaves_a_disc(
    line: list[tuple[float, float]], shares: list[float]
) -> None:
    """Both crossings are told as shares of the segment, also where they lie off its ends."""
    assert _entries(np.array(line), disc((5.0, 0.0), 3.0)) == pytest.approx(np.array(shares))


@pytest.mark.parametrize("seed", range(24))
def test_what_is_sure_is_so(seed: int) -> None:
    """Places surely seen are seen, places surely unseen are not; most places are one or the other."""
    view, blockers = random_view(seed)
    shifts = np.random.default_rng(seed).uniform((-14.0, -6.0), (14.0, 6.0), (40, 2))
    expected = np.array(
        [
            clear_sight(replace(view, target=view.target + shift), blockers) is not None
            for shift in shifts
        ]
    )
    seen = certainly_visible(view, blockers, shifts)
    unseen = surely_unseen(view, blockers, shifts)
    assert expected[seen].all()
    assert not expected[unseen].any()
    assert (seen | unseen).mean() >= 0.6


@pytest.mark.parametrize(
    ("inside", "is_unseen"),
    [
        pytest.param(-2e-3, True, id="outside"),
        pytest.param(-5e-4, False, id="hardly outside"),
        pytest.param(5e-4, False, id="hardly inside"),
        pytest.param(2e-3, False, id="inside"),
    ],
)
def test_a_thousandth_of_an_inch_from_the_limit_of_the_arc_nothing_is_sure(
    inside: float, *, is_unseen: bool
) -> None:
    """A body beside the limit, one of its sides along that but for a hair: so many inches of it lie within."""
    angle = AHEAD - ARC - 2e-5
    along = np.array([math.cos(angle), math.sin(angle)])
    normal = np.array([-math.sin(angle), math.cos(angle)])
    near, far = (np.array(FRONT[1]) + inside * normal + away * along for away in (3.0, 5.0))
    view = View((FRONT,), AHEAD, ARC, np.array([far, near, near - normal, far - normal]))
    assert surely_unseen(view, (), np.zeros((1, 2))).tolist() == [is_unseen]
    assert not certainly_visible(view, (), np.zeros((1, 2))).any() or inside > 1e-3
    assert (clear_sight(view, ()) is not None) == (inside > 0.0)
