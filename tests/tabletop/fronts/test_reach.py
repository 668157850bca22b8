"""What a forward, wheel, forward move can reach: moves followed step by step, grids of moves, exact fits, mirrored and
turned tables.
"""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.fronts.approach import PIVOTS, Approach
from tabletop.fronts.landing import WheelCells, landings
from tabletop.fronts.obstacle import ConvexObstacle
from tabletop.fronts.reach import (
    TOLERANCE,
    Advance,
    Reach,
    Witness,
    reach,
    reach_each,
    refine_ends,
    smallest_wheel_path,
    unreached,
)
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import ring_gap
from tabletop.geometry.pose import Pose
from tabletop.optimise.interval import Interval, Intervals, intersection
from tabletop.table.facing import facing_of
from tests.tabletop.fronts.sampling import (
    approach_to,
    faults,
    grid,
    landed,
    mirrored,
    random_scene,
    target_at,
    turned_scene,
)

SEEDS = [*range(2, 23), 101, 104, 107, 110]
OUT_OF_REACH = (4, 7, 10, 11, 19, 21, 101)
"""Scenes in which no legal move meets the facing."""

MOST = 6
"""Witnesses of one scene that are followed step by step."""

UP = math.pi / 2


def explored(scene: Approach, *, work: int = 1_000_000) -> Reach:
    """Find everything that a front can reach."""
    return reach(
        scene,
        interest=lambda reached: unreached(reached, length=scene.facing.length),
        budget=Budget(work=work),
    )


def some(witnesses: tuple[Witness, ...]) -> list[Witness]:
    """Take a few witnesses, those at the ends among them."""
    ordered = sorted(witnesses, key=lambda witness: (witness.low, witness.high))
    picks = {round(pick) for pick in np.linspace(0, len(ordered) - 1, MOST)} if ordered else set()
    return [
        *(ordered[pick] for pick in sorted(picks)),
        *sorted(ordered, key=lambda witness: witness.high)[-1:],
    ]


def moves_to(scene: Approach, witness: Witness, u: float) -> list[Advance]:
    """Return moves that a slice claims to be legal and to meet u, the shortest and the longest first part of each
    family.
    """
    found = landings(
        scene, WheelCells.exact(np.array([witness.side]), np.array([witness.angle])), (u, u)
    )
    first = np.concatenate([found.least, found.most])
    second = np.tile(found.travel, 2) + np.tile(found.travel_rate, 2) * first
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return [
        Advance(max(one, 0.0), PIVOTS[witness.side], witness.angle, max(other, 0.0))
        for one, other in pairs
    ]


def wrong_moves(scene: Approach, witness: Witness) -> list[object]:
    """Follow moves to both ends and the middle of what a witness claims to be reached; give those that are not
    legal.
    """
    wrong: list[object] = []
    for u in {witness.low, (witness.low + witness.high) / 2, witness.high}:
        moves = moves_to(scene, witness, u)
        wrong += [] if moves else [(witness, u, "no move")]
        wrong += [(move, u, found) for move in moves if (found := faults(scene, move, u))]
    return wrong


@pytest.mark.parametrize("seed", SEEDS)
def test_every_point_reached_is_reached_by_a_legal_move(seed: int) -> None:
    """Followed in small steps, the front keeps every gap, stays on the board and meets the target first where it is
    said.
    """
    scene = random_scene(seed)
    assert not [
        wrong
        for witness in some(explored(scene).witnesses)
        for wrong in wrong_moves(scene, witness)
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_move_of_a_grid_reaches_anything_else(seed: int) -> None:
    """Legal moves every quarter of an inch and every 2 degrees end within what the search found, to twice its
    tolerance.
    """
    scene = random_scene(seed)
    found = explored(scene)
    assert found.is_complete
    assert bool(found.proven) is (seed not in OUT_OF_REACH)
    for side in PIVOTS:
        sampled = landed(grid(scene, side))
        outside = [
            span
            for span in zip(sampled.low.tolist(), sampled.high.tolist(), strict=True)
            if not lies_in(span, found.proven)
        ]
        assert not outside


def lies_in(span: Interval, intervals: Intervals) -> bool:
    """Return whether a span lies in one of the intervals, to twice the tolerance of the search."""
    return any(
        low - 2 * TOLERANCE <= span[0] and span[1] <= high + 2 * TOLERANCE
        for low, high in intervals
    )


def corridor(room: float, *, turn: float, tilt: float, needed: float = 0.5) -> Approach:
    """Put two boxes before a target so that a corridor between them leaves a 3 in front `room` inches to spare besides
    its gaps.

    The corridor leads up the board, the front must turn right by `turn` to look along it, and the facing is tilted by
    `tilt`.
    """
    target = target_at(Pose(50.0, 50.0, UP + tilt), 8.0, 2.0)
    half = 1.5 + needed + room / 2
    boxes = [
        np.array([[west, 41.0], [west + 3.0, 41.0], [west + 3.0, 44.0], [west, 44.0]])
        for west in (50.0 - half - 3.0, 50.0 + half)
    ]
    wheeled = Pose(50.0, 38.0, UP)
    start = wheeled.turned_about(wheeled.point(1.5, 0.0), turn).advanced(-2.0)
    hazards = tuple(ConvexObstacle(box, needed) for box in boxes)
    return approach_to(target, facing_of(target, "rear"), start, width=3.0, hazards=hazards)


@pytest.mark.parametrize(
    ("room", "is_reached"),
    [(1e-3, True), (1e-5, True), (0.0, True), (-1e-7, True), (-1e-5, False), (-1e-3, False)],
)
@pytest.mark.parametrize("needed", [0.0, 0.5])
@pytest.mark.parametrize("tilt", [0.0, -0.35], ids=["facing square", "facing tilted"])
@pytest.mark.parametrize("turn", [0.0, math.radians(30.0)], ids=["straight", "after a wheel"])
def test_a_corridor_may_be_just_as_wide_as_the_front(
    room: float, is_reached: bool, needed: float, tilt: float, turn: float
) -> None:
    """The one wheel and the one first part that fit are found; a hair too narrow beyond the tolerance, and nothing
    fits.
    """
    scene = corridor(room, turn=turn, tilt=tilt, needed=needed)
    found = explored(scene, work=100_000)
    through = [
        witness
        for witness in found.witnesses
        if witness.high >= 1.0 and witness.low <= scene.facing.length - 1.0
    ]
    assert bool(through) is is_reached
    assert not [
        wrong for witness in some(tuple(through))[:2] for wrong in wrong_moves(scene, witness)
    ]


@pytest.mark.parametrize("seed", SEEDS[::2])
def test_a_mirrored_table_gives_the_mirrored_answer(seed: int) -> None:
    """Points reached are the same, counted from the facing's other end."""
    scene = random_scene(seed)
    length = scene.facing.length
    there = tuple(
        (length - high, length - low) for low, high in reversed(explored(mirrored(scene)).proven)
    )
    here = explored(scene).proven
    assert len(here) == len(there)
    assert np.array(here) == pytest.approx(np.array(there), abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS[1::2])
def test_a_turned_table_gives_the_same_answer(seed: int) -> None:
    """Turned by any angle and moved, on boards without edges near: the same points are reached."""
    scene = turned_scene(random_scene(seed), 0.0)
    here, there = (explored(one).proven for one in (scene, turned_scene(random_scene(seed), 1.234)))
    assert len(here) == len(there)
    assert np.array(here) == pytest.approx(np.array(there), abs=1e-9)


@pytest.mark.parametrize("seed", [seed for seed in SEEDS if seed not in OUT_OF_REACH])
def test_the_smallest_wheel_is_legal_and_none_is_smaller(seed: int) -> None:
    """Its move is followed step by step; no legal move of a grid meets the span with a wheel smaller by a
    thousandth.
    """
    scene = random_scene(seed)
    found = explored(scene)
    low, high = max(found.proven, key=lambda part: part[1] - part[0])
    span = (low + (high - low) / 3, high)
    move = smallest_wheel_path(scene, span, budget=Budget())
    sampled = [landed(grid(scene, side)) for side in PIVOTS]
    smaller = [
        one.wheel[(one.low <= span[1]) & (one.high >= span[0]) & (one.wheel < move.wheel - 1e-3)]
        for one in sampled
    ]
    assert met_in(scene, move, span)
    assert not np.concatenate(smaller).size


def met_in(scene: Approach, move: Advance, span: Interval) -> bool:
    """Return whether a move, followed step by step, is legal and meets some point of a span."""
    end = (
        scene.pose.advanced(move.first)
        .wheeled(move.side, move.wheel, width=scene.width)
        .advanced(move.second)
    )
    front = [
        scene.facing.coordinates(end.point(half, 0.0))[0]
        for half in (scene.width / 2, -scene.width / 2)
    ]
    places = [min(max(u, span[0]), span[1]) for u in (*front, *span, 0.0, scene.facing.length)]
    return any(not faults(scene, move, u) for u in places)


@pytest.mark.parametrize("seed", [5, 6, 8, 14, 18, 22])
def test_the_ends_of_what_is_reached_are_sharpened_to_where_no_wheel_goes_farther(
    seed: int,
) -> None:
    """What is added is legal, and two thousand wheels about each of them reach no farther along the facing."""
    scene = random_scene(seed)
    length = scene.facing.length
    rough = explored(scene)
    found = refine_ends(scene, rough, where=unreached(rough.proven, length=length))
    added = found.witnesses[len(rough.witnesses) :]
    assert added
    assert not [wrong for witness in added for wrong in wrong_moves(scene, witness)]
    for witness in added:
        angles = np.clip(witness.angle + np.linspace(-1e-2, 1e-2, 2001), 0.0, scene.wheel_limit)
        low, high = landings(
            scene, WheelCells.exact(np.full(len(angles), witness.side), angles)
        ).spans(length)
        assert low.min() >= found.proven[0][0] - 1e-7
        assert high.max() <= found.proven[-1][1] + 1e-7


def test_a_search_without_work_left_says_that_it_is_not_complete() -> None:
    """What it has found by then stands; a path that it has not found by then is no verdict."""
    scene = corridor(0.0, turn=math.radians(30.0), tilt=-0.35)
    found = explored(scene, work=10)
    assert not found.is_complete
    assert not found.proven
    with pytest.raises(NoVerdictError, match="work"):
        smallest_wheel_path(scene, (1.0, 7.0), budget=Budget(work=10))


def test_a_search_ends_where_nothing_is_of_interest() -> None:
    """With no interest at all only the special wheels are looked at, within any budget."""
    found = reach(corridor(0.0, turn=0.0, tilt=-0.35), interest=lambda _: (), budget=Budget(work=0))
    assert found.is_complete


@pytest.mark.parametrize(
    "hair", [1e-3, 1e-4, 1e-5, 3e-6, 1.13e-6, 1.07e-6, 1.02e-6, 3e-7, 1e-8, 1e-10]
)
def test_a_front_that_glides_along_the_facing_keeps_its_gaps(hair: float) -> None:
    """Wheeled to within a hair of square to the facing it meets it at a slant of a millionfold; a disc in the way still
    stops it.
    """
    target = target_at(Pose(15.0, 14.0, UP), 6.0, 2.0)
    disc = ConvexObstacle(np.array([[14.1, 9.2]]), 1.0)
    scene = approach_to(
        target, facing_of(target, "rear"), Pose(10.0, 8.0, UP), width=2.5, hazards=(disc,)
    )
    found = landings(scene, WheelCells.exact(np.zeros(1, dtype=int), np.array([UP - hair])))
    low, high = found.spans(scene.facing.length)
    witnesses = [
        Witness(*span, 0, UP - hair) for span in zip(low.tolist(), high.tolist(), strict=True)
    ]
    ends = [12.0 + 6.0 - 14.1 + math.sqrt(1.0 - 0.3**2), 6.0] if hair > 1e-6 else [6.0, 6.0]
    assert [min(one.low for one in witnesses), max(one.high for one in witnesses)] == pytest.approx(
        ends, abs=3 * hair + 2e-6
    )
    assert not [wrong for witness in witnesses for wrong in wrong_moves(scene, witness)]


@pytest.mark.parametrize("seed", range(16))
def test_many_poses_of_the_target_are_searched_as_each_alone(seed: int) -> None:
    """What is reached, its witnesses and the work that a limit allows are at each of several shifts those of a search
    for it alone.
    """
    scene = random_scene(seed)
    rng = np.random.default_rng(seed)
    shifts = rng.uniform(-4.0, 4.0, (8, 2))
    front = np.array([scene.corner("left"), scene.corner("right")])
    shifts = shifts[ring_gap(scene.target + shifts[:, None], front) > 0.3]
    low, high = np.sort(rng.uniform(0.0, scene.facing.length, (2, len(shifts))), axis=0).tolist()
    interests = [partial(first_in, span) for span in zip(low, high, strict=True)]
    for work in (1_000_000, 200):
        found = reach_each(replace(scene, shifts=shifts), interests, budget=Budget(work=work))
        for one, shift, interest in zip(found, shifts, interests, strict=True):
            alone = reach(at_shift(scene, shift), interest=interest, budget=Budget(work=work))
            assert one.is_complete is alone.is_complete
            assert len(one.witnesses) == len(alone.witnesses)
            assert np.array(one.proven) == pytest.approx(np.array(alone.proven), abs=1e-9)


def first_in(span: Interval, reached: Intervals) -> Intervals:
    """Take interest in a part of the facing until some of it is reached."""
    return () if intersection(reached, [span]) else (span,)


def at_shift(scene: Approach, shift: FloatArray) -> Approach:
    """Shift the target of a scene and its facing."""
    x, y = scene.facing.origin
    facing = replace(scene.facing, origin=(x + float(shift[0]), y + float(shift[1])))
    return replace(scene, target=scene.target + shift, facing=facing)
