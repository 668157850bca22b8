"""Lengths of shortest ways: worked out by hand, moved and mirrored, and against a grid search."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.curve import curves
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, oval, polygon, rectangle
from tabletop.routes.configuration_space import ConfigurationSpace
from tabletop.routes.heights import Place
from tabletop.routes.hindrances import Barrier, ForbiddenRegion, Platform, Solid, closed_gaps
from tests.oracles.routes import complaints

BASE = disc((0, 0), 0.5)
HERE = (20.0, 20.0, 0.0)


def at(x: float, y: float, z: float = 0.0) -> Place:
    """Return a place by how far it is from `HERE`."""
    return (20.0 + x, 20.0 + y, z)


def box(west: float, south: float, east: float, north: float) -> Shape:
    """Make an upright rectangle about `HERE`."""
    return polygon(
        [
            (20 + west, 20 + south),
            (20 + east, 20 + south),
            (20 + east, 20 + north),
            (20 + west, 20 + north),
        ]
    )


def body(x: float, y: float, z: float = 0.0, radius: float = 0.5) -> Barrier:
    """Make a body that is in the way at its own height only."""
    return Barrier(disc((20 + x, 20 + y), radius), 0.0, z, z)


def ground(
    *,
    solids: tuple[Solid, ...] = (),
    platforms: tuple[Platform, ...] = (),
    barriers: tuple[Barrier, ...] = (),
) -> ConfigurationSpace:
    """Make a board of 72 by 48 in for a round base of 1 in."""
    return ConfigurationSpace(BASE, 72.0, 48.0, solids, platforms, barriers)


def around(x: float, y: float, radius: float) -> FloatArray:
    """Return 7,201 places on the table around one."""
    angles = np.linspace(-math.pi, math.pi, 7201)
    return np.column_stack(
        [20 + x + radius * np.cos(angles), 20 + y + radius * np.sin(angles), 0.0 * angles]
    )


WALL = Solid(box(3, -3, 3.5, 3), 5.0)
BLOCK = Solid(box(4, -2, 8, 2), 3.0)


def test_in_the_open_ways_are_straight() -> None:
    """On the table, and inf to where the base would hang over the edge."""
    lengths = ground().lengths(
        (10.0, 10.0, 0.0), np.array([[13.0, 14.0, 0.0], [0.4, 10.0, 0.0], [71.5, 47.5, 0.0]])
    )
    assert lengths.tolist() == pytest.approx([5.0, math.inf, math.hypot(61.5, 37.5)])


@pytest.mark.parametrize("off", [0.0, 1e-5])
def test_no_way_ends_over_an_edge_of_the_board(off: float) -> None:
    """On all four sides the whole footprint stays on: a block off its own middle ends where its sides meet the
    edges.
    """
    board = ConfigurationSpace(
        polygon([(-0.25, -0.5), (0.75, -0.5), (0.75, 1.5), (-0.25, 1.5)]), 72.0, 48.0
    )
    ends = np.array(
        [
            [0.25 - off, 9.0, 0.0],
            [9.0, 0.5 - off, 0.0],
            [71.25 + off, 9.0, 0.0],
            [9.0, 46.5 + off, 0.0],
        ]
    )
    assert np.isfinite(board.lengths((9.0, 9.0, 0.0), ends)).tolist() == [not off] * 4


def test_round_a_disc_a_way_is_two_tangents_and_an_arc() -> None:
    """To the far side, and to contact on the far side, where it follows the disc to the end."""
    one = ground(barriers=(body(10, 0),))
    arc = 2 * math.asin(0.1)
    assert one.length(HERE, at(20, 0)) == pytest.approx(2 * math.sqrt(99) + arc, abs=1e-9)
    assert one.length(HERE, at(11, 0)) == pytest.approx(
        math.sqrt(99) + math.pi / 2 + arc / 2, abs=1e-9
    )
    assert math.isinf(one.length(HERE, at(10.5, 0)))


@pytest.mark.parametrize(("low", "is_shut"), [(-1.0, True), (1.0, False)])
def test_what_is_shut_is_gone_round_at_its_heights_only(low: float, *, is_shut: bool) -> None:
    """On a table without anything else: a disc that is shut costs what a body as wide costs, and nothing from an inch
    up.
    """
    part = ForbiddenRegion(curves(disc((30, 20), 1.0))[0], low=low)
    round_it = 2 * math.sqrt(99) + 2 * math.asin(0.1)
    one = ConfigurationSpace(BASE, 72.0, 48.0, shut=[part])
    assert one.length(HERE, at(20, 0)) == pytest.approx(round_it if is_shut else 20.0, abs=1e-9)
    assert math.isinf(one.length(HERE, at(10, 0))) is is_shut


def test_round_a_wall_to_a_body_behind_it() -> None:
    """Over it costs 10; around the grown corner it is 7.540 to within 1 in of the body, 8.540 to contact."""
    one = ground(solids=(WALL,), barriers=(body(6, 0),))
    engaged = one.lengths(HERE, around(6, 0, 2.0))
    contact = one.lengths(HERE, around(6, 0, 1.0))
    assert engaged.min() == pytest.approx(7.540, abs=5e-4)
    assert contact.min() == pytest.approx(8.540, abs=5e-4)
    assert one.length(HERE, at(4, 0)) == pytest.approx(8.9502, abs=1e-3)
    assert ground(solids=(Solid(WALL.shape, 2.2),)).length(HERE, at(4, 0)) == pytest.approx(8.4)


def test_up_a_block_to_a_body_on_it() -> None:
    """The climb counts: 3 in beside 4.5826; a base half on the edge needs 4 in the plan; the foot of the block is on
    the table.
    """
    one = ground(solids=(BLOCK,), barriers=(body(5, 0, 3.0),))
    assert one.length(HERE, at(4.5, math.sqrt(0.75), 3.0)) == pytest.approx(7.5826, abs=5e-5)
    assert one.length(HERE, at(4, 0, 3.0)) == pytest.approx(7.0)
    assert one.length(HERE, at(3, 0)) == pytest.approx(3.0)
    assert one.length(HERE, at(3.5, 0, 1.25)) == pytest.approx(4.75), "part-way up beside the block"
    assert math.isinf(one.length(HERE, at(6, 0))), "inside the block"


def test_a_zone_is_kept_out_of_on_the_way_and_at_the_end() -> None:
    """The shortest contact bends round the zone of a neighbour to 5.158."""
    zone = Barrier(disc((25.2, 21.5), 0.5), 1.0001, -5.0, 5.0)
    one = ConfigurationSpace(BASE, 72, 48, barriers=(body(6, 0), zone), give=1e-6)
    lengths = one.lengths(HERE, around(6, 0, 1.0))
    assert lengths.min() == pytest.approx(5.158, abs=5e-4)
    assert around(6, 0, 1.0)[lengths.argmin(), :2] - 20 == pytest.approx(
        [5.1334, -0.4990], abs=2e-3
    )
    assert math.isinf(one.length(HERE, at(4, 0)))


def test_a_gap_as_wide_as_the_base_lets_it_through() -> None:
    """Touching is not crossing: between two bodies exactly 1 in apart, and between two walls; a hair less does not."""
    for half, length in ((1.0, 6.0), (1.0 - 1e-5, None)):
        bodies = ground(barriers=(body(3, half), body(3, -half)))
        walls = ground(
            barriers=(Barrier(box(2, half - 0.5, 4, 9)), Barrier(box(2, -9, 4, 0.5 - half)))
        )
        for one in (bodies, walls):
            found = one.length(HERE, at(6, 0))
            assert found == pytest.approx(length, abs=1e-9) if length else found > 6.1


def test_an_enemy_is_in_the_way_at_its_own_height_only() -> None:
    """A body on the block does not hinder on the table beside it, nor one on the table on top of it."""
    around_it = at(9.5, 0)
    on_top = at(7, 0, 3.0)
    free = ground(solids=(BLOCK,))
    low = ground(solids=(BLOCK,), barriers=(body(5.2, 0.0),))
    high = ground(solids=(BLOCK,), barriers=(body(5.2, 0.0, 3.0),))
    assert low.length(HERE, on_top) == pytest.approx(free.length(HERE, on_top))
    assert high.length(HERE, around_it) == pytest.approx(free.length(HERE, around_it))
    assert high.length(HERE, on_top) > free.length(HERE, on_top) + 0.1


def test_one_may_not_climb_through_a_zone() -> None:
    """A zone between 3 and 8 in of height that covers the face of a tower: climbing past it is as if on the way through
    it.
    """
    tower = Solid(box(4, -2, 8, 2), 12.0)
    one = ground(solids=(tower,), barriers=(Barrier(disc((23.5, 20.0), 0.5), 1.0, 3.0, 8.0),))
    straight = ground(solids=(tower,)).length(HERE, at(6, 0, 12.0))
    assert straight == pytest.approx(18.0)
    assert 18.1 < one.length(HERE, at(6, 0, 12.0)) < 20.0


def test_from_one_solid_to_the_next_one_steps_where_they_meet() -> None:
    """Grown by the base they touch along a line: past its end there is a gap, so the way bends there."""
    low = Solid(box(0.5, 0, 3, 6), 2.0)
    high = Solid(box(4, 0, 6, 3), 3.0)
    one = ground(solids=(low, high))
    way = math.hypot(2.5, 1.5) + 1.0 + math.hypot(2, 0.5)
    assert one.length(at(1, 4.5, 2.0), at(5.5, 2.5, 3.0)) == pytest.approx(way, abs=1e-7)


def test_between_two_blocks_that_touch_one_stays_on_top() -> None:
    """An L of two blocks: on top the way bends at its inner corner and never comes down."""
    one = ground(solids=(Solid(box(0, 0, 8, 2), 4.0), Solid(box(0, 2, 2, 8), 4.0)))
    way = math.hypot(7 - 2.5, 1 - 2.5) + math.hypot(1 - 2.5, 7 - 2.5)
    assert one.length(at(7, 1, 4.0), at(1, 7, 4.0)) == pytest.approx(way, abs=1e-9)
    concave = ground(
        solids=(Solid(polygon([(20, 20), (28, 20), (28, 22), (22, 22), (22, 28), (20, 28)]), 4.0),)
    )
    assert concave.length(at(7, 1, 4.0), at(1, 7, 4.0)) == pytest.approx(way, abs=1e-9)


def test_a_platform_may_be_walked_on_and_under() -> None:
    """Up at any place of it, and over a body on the table; it hinders nobody below."""
    floor = Platform(box(2, -3, 8, 3), 3.0)
    one = ground(platforms=(floor,), barriers=(Barrier(box(4, -9, 5, 9)),))
    assert math.isinf(ground(barriers=(Barrier(box(4, -30, 5, 30)),)).length(HERE, at(7, 0)))
    assert one.length(HERE, at(3, 0, 3.0)) == pytest.approx(6.0)
    closed = ground(platforms=(floor,), barriers=(Barrier(box(4, -30, 5, 30), 0.0, 0.0, 0.0),))
    assert closed.length(HERE, at(7, 0)) == pytest.approx(7.0 + 6.0)
    assert ground(platforms=(floor,)).length(HERE, at(7, 0)) == pytest.approx(7.0)


def test_one_gets_down_between_two_barriers_under_a_platform() -> None:
    """Over two bodies from a platform the way bends where their boundaries cross, if only there is a place to get
    down.
    """
    bodies = (
        Barrier(disc((24.0, 21.0), 1.5), 0.0, 0.0, 0.0),
        Barrier(disc((24.0, 19.0), 1.5), 0.0, 0.0, 0.0),
    )
    one = ground(platforms=(Platform(disc((22.5, 20.0), 2.8), 1.0),), barriers=bodies)
    exit_x = 4.0 + math.sqrt(2.0**2 - 1.0)
    assert one.length(at(2, 0, 1.0), at(9, 0)) == pytest.approx(
        exit_x - 2 + 9 - exit_x + 1.0, abs=1e-9
    )
    ends = np.array([at(6.5, y) for y in (-2.5, 2.5)])
    assert one.lengths(at(2, 0, 1.0), ends) == pytest.approx(
        exit_x - 2 + 1.0 + math.hypot(6.5 - exit_x, 2.5), abs=0.3
    )


def test_turned_footprints_keep_their_facing() -> None:
    """A 1 by 3 in base fits lengthwise through a gap of 1 in and not across; an oval as well."""
    walls = (Barrier(box(4, 0.5, 6, 9)), Barrier(box(4, -9, 6, -0.5)))
    shapes: tuple[Callable[[float], Shape], ...] = (
        lambda angle: rectangle(Pose(0, 0, angle).advanced(1.5), 1, 3),
        lambda angle: oval(Pose(0, 0, angle), 3, 1),
    )
    for shape in shapes:
        lengthwise = ConfigurationSpace(shape(0.0), 72, 48, barriers=walls)
        across = ConfigurationSpace(shape(math.pi / 2), 72, 48, barriers=walls)
        assert lengthwise.length(HERE, at(10, 0)) == pytest.approx(10.0, abs=1e-4)
        assert across.length(HERE, at(10, 0)) > 15.0


def test_ways_around_an_oval_are_right_to_a_ten_thousandth() -> None:
    """A tiny base from one end of an oval to the other follows half of it; a polygon with 100,000 corners measures
    that.
    """
    one = ConfigurationSpace(
        disc((0, 0), 0.001), 72, 48, barriers=[Barrier(oval(Pose(20, 20, 0.0), 4, 2))]
    )
    shares = np.linspace(0.0, math.pi, 100_001)
    outline = np.column_stack([2 * np.cos(shares), np.sin(shares)])
    half = np.hypot(*np.diff(outline, axis=0).T).sum() + 0.001 * math.pi
    assert one.length(at(-2.001, 0), at(2.001, 0)) == pytest.approx(half, abs=1e-4)


def test_places_a_little_inside_what_they_touch_count_as_touching() -> None:
    """Ends and starts given to three decimals: of a body, and at the foot of a block; a hundredth is too deep."""
    one = ground(solids=(BLOCK,), barriers=(body(0, 6),))
    assert one.length(HERE, at(0, 5.0004)) == pytest.approx(5.0, abs=1e-3)
    assert one.length(HERE, at(3.5004, 0)) == pytest.approx(3.5, abs=1e-3)
    assert one.length(at(3.5004, 0), at(3.5, 2)) == pytest.approx(2.0, abs=1e-3)
    assert math.isinf(one.length(HERE, at(0, 5.01)))


def test_limits_and_regions_cut_what_is_too_far() -> None:
    """A way as long as the limit is found, a longer one is not; what lies outside of the region is as if absent."""
    one = ground(barriers=(body(3, 0),))
    length = one.length(HERE, at(6, 0))
    assert one.length(HERE, at(6, 0), limit=length) == length
    assert math.isinf(one.length(HERE, at(6, 0), limit=length - 1e-5))
    near = ConfigurationSpace(
        BASE, 72, 48, barriers=one.barriers, reach=length, region=(19.0, 19.0, 21.0, 21.0)
    )
    assert near.length(HERE, at(6, 0)) == pytest.approx(6.0)
    assert (
        ConfigurationSpace(BASE, 72, 48, barriers=one.barriers, reach=length).length(HERE, at(6, 0))
        == length
    )


MOTIONS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "moved": lambda points: points + np.array([3.0, -2.0]),
    "turned": lambda points: (points - 20) @ np.array([[0.6, 0.8], [-0.8, 0.6]]) + 20,
    "mirrored": lambda points: points * np.array([-1.0, 1.0]) + np.array([40.0, 0.0]),
}


@pytest.mark.parametrize("motion", MOTIONS)
def test_lengths_stay_when_the_whole_table_moves(motion: str) -> None:
    """Bodies, blocks, zones and a floor, moved, turned and mirrored; and there is as far as back.

    Ways may cut a corner by the millionth that counts as touching, and where solids meet rounding decides whether they
    do.
    """

    def scene(carry: Callable[[FloatArray], FloatArray]) -> tuple[ConfigurationSpace, FloatArray]:
        def shape(*points: tuple[float, float]) -> Shape:
            return polygon(carry(np.array(points) + 20))

        def round_one(x: float, y: float, radius: float) -> Shape:
            centre = carry(np.array([[20 + x, 20 + y]]))[0]
            return disc((float(centre[0]), float(centre[1])), radius)

        solids = (
            Solid(shape((2, -1), (3, -1), (3, 4), (2, 4)), 2.5),
            Solid(shape((4, 0), (7, 1), (6, 4), (4, 3)), 1.0),
        )
        barriers = (
            Barrier(round_one(1, -2, 0.6), 0, 0, 0),
            Barrier(round_one(5, -2, 0.5), 1.0, -5, 1.5),
        )
        one = ConfigurationSpace(
            BASE, 72, 48, solids, (Platform(shape((0, 2), (3, 2), (3, 6), (0, 6)), 2.0),), barriers
        )
        xy = carry(
            np.array([[0, 0], [8, 0], [3.6, 5], [1, 4], [5.5, 2.5], [4, -4.5], [1.4, 1]]) + 20.0
        )
        return one, np.column_stack([xy, [0, 0, 0, 2, 1, 0, 0]])

    (one, places), (other, moved) = scene(lambda points: points), scene(MOTIONS[motion])
    for start, carried in zip(places, moved, strict=True):
        lengths = one.lengths(tuple(start), places)
        assert other.lengths(tuple(carried), moved) == pytest.approx(lengths, abs=1e-7)
        assert [one.length(tuple(end), tuple(start)) for end in places] == pytest.approx(
            lengths, abs=1e-7
        )


@pytest.mark.parametrize("number", [2, 5, 14])  # their passages are wide enough for a coarse grid
def test_random_ways_are_legal_and_no_grid_finds_shorter_ones(number: int) -> None:
    """Looked at every 0.02 in, and against all steps of a grid, every level and climb included."""
    assert list(complaints(number, spacing=0.22)) == []


@pytest.mark.oracle
@pytest.mark.parametrize("number", range(100, 140))
def test_many_random_ways_against_a_fine_grid(number: int) -> None:
    """The same with steps on a grid of a tenth of an inch."""
    assert list(complaints(number)) == []


@pytest.mark.parametrize("deep", [0.0, 1e-6, 5e-4, 9e-4])
def test_a_way_is_as_long_as_to_where_its_ends_are_given(deep: float) -> None:
    """Places given a little inside what they touch are reached, and what they are inside counts as way."""
    ground = ConfigurationSpace(disc((0, 0), 0.5), 40, 20, barriers=[Barrier(disc((20, 10), 1.0))])
    given = (18.5 + deep, 10.0, 0.0)
    other = (10.0, 10.0, 0.0)
    for way in (ground.way(other, given), ground.way(given, other)):
        assert way is not None
        assert way.length == pytest.approx(math.dist(other, given), abs=2e-6)
    assert ground.length(other, given) == pytest.approx(math.dist(other, given), abs=2e-6)


@pytest.mark.parametrize(
    ("wide", "is_shut"),
    [(0.9, True), (1.01, False), (0.5, False)],
    ids=["closed", "passed", "too narrow anyway"],
)
def test_gaps_that_only_the_smaller_disc_passes_are_shut(wide: float, *, is_shut: bool) -> None:
    """A disc of 1 in that has lost 0.2 all around: between two bodies of 1 in its place keeps sqrt(1 - 0.95^2) - 0.2
    from their line.
    """
    barriers = (body(0.0, 0.0), body(1.0 + wide, 0.0))
    room = math.sqrt(1.0 - ((1.0 + wide) / 2.0) ** 2) - 0.2 if is_shut else 0.0
    found = list(closed_gaps(barriers, 0.3, 0.2))
    assert [shut.curve.radii.tolist() for shut in found] == [
        pytest.approx([room, room], abs=1e-5) for _ in found
    ]
    small = ConfigurationSpace(disc((0, 0), 0.3), 72.0, 48.0, barriers=barriers)
    open_, shut = (
        ConfigurationSpace(small.footprint, 72.0, 48.0, barriers=barriers, shut=some).length(
            at(0.95, -2.0), at(0.95, 2.0)
        )
        for some in ((), tuple(found))
    )
    assert (shut > open_ + 0.1) == is_shut == bool(found)
