"""The picture seen from both front corners: distances kept, mirrored for the left, and how far the way ahead is
free.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tabletop.fronts.approach import PIVOTS, Approach, CornerView
from tabletop.fronts.landing import WheelCells, landings
from tabletop.fronts.obstacle import ConvexObstacle
from tabletop.geometry.pose import Pose, Side
from tabletop.geometry.shape import rectangle
from tabletop.table.facing import facing_of
from tabletop.table.state import Board
from tests.tabletop.fronts.sampling import (
    approach_to,
    landed_straight,
    mirrored,
    random_scene,
    target_at,
)

UP = math.pi / 2
FAR = [(90.0 * math.cos(turn), 90.0 * math.sin(turn)) for turn in range(6)]
TARGET = target_at(Pose(50.0, 64.0, UP), 6.0, 2.0)
poses = st.builds(
    Pose, st.floats(-30.0, 30.0), st.floats(-30.0, 30.0), st.floats(-math.pi, math.pi)
)
sides = st.sampled_from(["left", "right"])


def ahead_of(
    hazard: ConvexObstacle | None = None, *, board: Board | None = None, x: float = 50.0
) -> Approach:
    """Make a front 4 in wide that looks up the board at a facing 12 in away."""
    scene = approach_to(
        TARGET,
        facing_of(TARGET, "rear"),
        Pose(x, 50.0, UP),
        width=4.0,
        hazards=(hazard,) if hazard else (),
    )
    return replace(scene, board=board) if board else scene


@pytest.mark.parametrize("seed", range(1, 9))
def test_each_corner_sees_the_same_distances(seed: int) -> None:
    """Every vertex is as far from the pivot as on the table, ends of the facing and edges of the board too."""
    scene = random_scene(seed)
    frames = scene.frames
    for number, side in enumerate(PIVOTS):
        corner = np.array(scene.corner(side))
        rows = frames.rows(np.array([number]), np.array([0]))[0]
        for row, ring in zip(
            rows, [scene.target, *(hazard.ring for hazard in scene.hazards)], strict=True
        ):
            seen = np.linalg.norm(frames.vertices[row, : len(ring)], axis=1)
            assert np.sort(seen) == pytest.approx(np.sort(np.linalg.norm(ring - corner, axis=1)))
        assert np.linalg.norm(frames.ends[number, 0], axis=1) == pytest.approx(
            np.linalg.norm(np.array(scene.facing.ends) - corner, axis=1)
        )
        edges = [scene.board.width - corner[0], corner[0], scene.board.depth - corner[1], corner[1]]
        assert frames.board_limits[number] == pytest.approx(np.array(edges))


@pytest.mark.parametrize("seed", range(1, 9))
def test_the_left_corner_sees_what_the_right_one_sees_in_the_mirror(seed: int) -> None:
    """The facing's ends change places, everything else is the same picture."""
    scene = random_scene(seed)
    here = scene.frames
    there = mirrored(scene).frames
    assert here.ends[1, 0] == pytest.approx(there.ends[0, 0][::-1], abs=1e-9)
    assert here.normal[1] == pytest.approx(there.normal[0], abs=1e-9)
    assert here.reach[1] == pytest.approx(there.reach[0], abs=1e-9)
    left, right = (
        frames.rows(np.array([side]), np.array([0]))[0] for frames, side in ((here, 1), (there, 0))
    )
    for one, other in zip(here.vertices[left], there.vertices[right], strict=True):
        assert {tuple(point) for point in one.round(6)} == {
            tuple(point) for point in other.round(6)
        }


@pytest.mark.parametrize("seed", range(1, 25))
def test_what_is_far_from_the_way_changes_nothing(seed: int) -> None:
    """Bodies behind the front, and beyond where it ends, are left out, and every slice lands as it did."""
    scene = random_scene(seed)
    x, y = scene.pose.at
    far = [ConvexObstacle(np.array([(x + right, y + up)]), 0.1) for right, up in FAR]
    crowded = replace(scene, hazards=(*scene.hazards, *far))
    cells = WheelCells.exact(
        np.repeat([0, 1], 40), np.tile(np.linspace(0.0, scene.wheel_limit, 40), 2)
    )
    near = crowded.to_nearby()
    assert len(near.hazards) < len(crowded.hazards)
    assert set(near.hazards) <= set(crowded.hazards)
    for some, every in ((near, crowded), (scene.to_nearby(), scene)):
        np.testing.assert_array_equal(landings(some, cells), landings(every, cells))


@pytest.mark.parametrize("seed", range(1, 9))
def test_rings_stay_counter_clockwise_and_their_normals_outward(seed: int) -> None:
    """No vertex of a body lies beyond the support along any of its normals, and one vertex lies on it."""
    frames = random_scene(seed).frames
    along = np.einsum("bkj,bnj->bkn", frames.normals, frames.vertices)
    assert along.max(axis=2) == pytest.approx(frames.supports)
    for ring in frames.vertices[-2:]:
        x, y = ring[:4].T
        assert x @ np.roll(y, -1) - y @ np.roll(x, -1) > 0.0


@pytest.mark.parametrize(
    ("place", "needed", "expected"),
    [
        pytest.param((50.0, 58.0), 1.0, 7.0, id="a disc ahead"),
        pytest.param((52.0, 58.0), 1.0, 7.0, id="a disc ahead of the corner"),
        pytest.param((52.6, 58.0), 1.0, 7.2, id="a disc beside, met by its rim"),
        pytest.param((53.0, 58.0), 1.0, 12.0, id="a disc that is grazed"),
        pytest.param((53.0 - 1e-7, 58.0), 1.0, 12.0, id="grazed a tenth of the tolerance too near"),
        pytest.param(
            (53.0 - 1e-4, 58.0),
            1.0,
            8.0 - math.sqrt(1.0 - (1.0 - 1e-4) ** 2),
            id="a little too near",
        ),
        pytest.param((50.0, 48.9), 1.0, 12.0, id="a disc behind"),
        pytest.param((50.0, 49.0), 1.0, 12.0, id="a disc behind, its gap just kept at the start"),
        pytest.param((50.0, 70.0), 1.0, 12.0, id="a disc behind the target's front"),
    ],
)
def test_the_way_straight_ahead_is_free_up_to_the_first_body(
    place: tuple[float, float], needed: float, expected: float
) -> None:
    """From either corner the same way, at most up to the target."""
    limits = ahead_of(ConvexObstacle(np.array([place]), needed)).straight_limits
    assert limits[:, 0] == pytest.approx(np.array([expected, expected]), abs=5e-6)


@pytest.mark.parametrize(
    ("board", "x", "expected"),
    [
        pytest.param(Board(100.0, 57.0), 50.0, 7.0, id="the edge ahead"),
        pytest.param(Board(52.0, 100.0), 50.0, 12.0, id="along the edge"),
        pytest.param(Board(52.0 - 1e-4, 100.0), 50.0, 0.0, id="beyond the edge"),
    ],
)
def test_the_way_straight_ahead_ends_at_the_edge_of_the_board(
    board: Board, x: float, expected: float
) -> None:
    """A front may stand on the edge, not beyond it."""
    assert ahead_of(board=board, x=x).straight_limits[:, 0] == pytest.approx(
        np.array([expected, expected]), abs=5e-6
    )


def test_who_ignores_the_way_is_stopped_by_the_target_only() -> None:
    """A disc ahead does not matter, the target does."""
    scene = replace(ahead_of(ConvexObstacle(np.array([[50.0, 58.0]]), 1.0)), ignores_way=True)
    assert scene.straight_limits[:, 0] == pytest.approx(np.array([12.0, 12.0]), abs=5e-6)


@pytest.mark.parametrize("seed", range(1, 25))
def test_straight_limits_agree_with_samples(seed: int) -> None:
    """Straight moves every hundredth of an inch are legal up to the limit and not beyond it."""
    scene = random_scene(seed)
    limit = scene.straight_limits[0, 0]
    firsts = np.arange(0.0, 20.0, 0.01)
    legal = landed_straight(scene, firsts)
    assert legal[firsts < limit - 1e-5].all()
    assert not legal[firsts > limit + 1e-5].any()


@given(pose=poses, side=sides)
def test_the_front_lies_on_x_to_the_corner(pose: Pose, side: Side) -> None:
    """From both corners the rest of the front lies at negative x, and ahead is y."""
    view = CornerView.of(pose, side, width=4.0)
    ring = view.ring(rectangle(pose, 4.0, 2.0).pieces[0])
    assert sorted(map(tuple, np.round(ring, 9).tolist())) == [
        (-4.0, -2.0),
        (-4.0, 0.0),
        (0.0, -2.0),
        (0.0, 0.0),
    ]
    assert shapely.is_ccw(shapely.linearrings(ring))


@given(pose=poses, side=sides, angle=st.floats(0.01, 1.5))
def test_a_wheel_is_clockwise_here(pose: Pose, side: Side, angle: float) -> None:
    """A wheel forward about either corner turns the picture of the front by the same angle; the sense tells how on the
    table.
    """
    view = CornerView.of(pose, side, width=4.0)
    wheeled = pose.wheeled(side, angle, width=4.0)
    far = view.points(np.array(wheeled.point(2.0 if side == "left" else -2.0, 0.0)))
    assert far == pytest.approx(4.0 * np.array([-math.cos(angle), math.sin(angle)]), abs=1e-9)
    assert wheeled.heading - pose.heading == pytest.approx(-view.sense * angle)
