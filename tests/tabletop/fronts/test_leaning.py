"""Rectangles that stand with a corner on a facing, turned away, at many places: against all that a fine grid of stands finds free."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.fronts.leaning import LAST_PARTS, Leaning, Stands
from tabletop.fronts.minimal_rotation import Tilting
from tabletop.geometry.convex import ring_gap
from tabletop.table.facing import Facing
from tabletop.table.state import Board
from tests.tabletop.fronts.places import with_places

DEPTH = 1.5
SLACK = 0.01
COUNT = 25
"""Points of the facing, and angles, of the grid: every eighth part of the facing begins with one."""

Flags = NDArray[np.bool_]


def leaning(seed: int) -> Leaning:
    """Let the front of a random scene be that of a rectangle."""
    scene, shifts = with_places(seed, count=12)
    return Leaning(scene.facing, scene.width, DEPTH, scene.hazards, scene.board, shifts)


def sampled(scene: Leaning, *, slack: float) -> Flags:
    """Tell where (n, u) some stand of a grid keeps all gaps and stays on the board, with `slack` inches more."""
    u, angle = (np.linspace(0.0, most, COUNT) for most in (scene.facing.length, np.pi / 2))
    grid = np.meshgrid(np.arange(len(scene.shifts)), u, [1, -1], angle[1:-1], indexing="ij")
    place, u, sense, angle = (part.ravel() for part in grid)
    rings = scene.rings(Stands(place, sense, u, angle))
    room = np.array([scene.board.width, scene.board.depth])
    free = ((rings >= slack) & (rings <= room - slack)).all(axis=(1, 2))
    for hazard in scene.hazards:
        free &= ring_gap(rings, hazard.ring) >= hazard.needed + slack
    return np.asarray(free.reshape(len(scene.shifts), COUNT, -1).any(axis=2))


@pytest.mark.parametrize("seed", range(12))
def test_in_parts_where_it_can_stand_nowhere_no_sample_can(seed: int) -> None:
    """Parts of the facing that are ruled out hold no free stand of a grid; points between two parts belong to both."""
    scene = leaning(seed)
    may = np.pad(scene.may_stand(), ((0, 0), (1, 1)))
    parts = np.linspace(0, LAST_PARTS, COUNT).astype(int)
    assert not (sampled(scene, slack=0.0) & ~(may[:, parts] | may[:, parts + 1])).any()


@pytest.mark.parametrize("seed", range(12))
def test_where_it_can_stand_it_is_not_ruled_out(seed: int) -> None:
    """A stand found free at a point keeps its gaps, and its part of the facing is none where it can stand nowhere."""
    scene = leaning(seed)
    places = np.arange(len(scene.shifts))
    found = scene.somewhere(places, np.full(len(places), scene.facing.length / 3), slack=SLACK)
    assert scene.may_stand()[found][:, [LAST_PARTS // 3 - 1, LAST_PARTS // 3]].any(axis=1).all()


@pytest.mark.parametrize("seed", range(4))
def test_where_a_grid_of_stands_has_room_one_is_found(seed: int) -> None:
    """With either corner: a witness is found at every point of the facing where a sample keeps all gaps with room to spare."""
    scene, third = leaning(seed), (COUNT - 1) // 3
    places = np.arange(len(scene.shifts))
    found = scene.somewhere(places, np.full(len(places), scene.facing.length / 3), slack=SLACK)
    assert found[sampled(scene, slack=0.1)[:, third]].all()


@pytest.mark.parametrize(("behind", "may"), [(1.0, False), (2.5, True)])
def test_where_the_board_ends_too_soon_behind_the_facing_it_can_stand_nowhere(behind: float, *, may: bool) -> None:
    """A rectangle of 2 by 1.5 in needs more than an inch at whatever angle, on either corner; where there is room it may stand."""
    facing = Facing("rear", (4.0, 20.0 - behind), (1.0, 0.0), (0.0, 1.0), 4.0)
    scene = Leaning(facing, 2.0, DEPTH, (), Board(20.0, 20.0), np.zeros((1, 2)))
    assert scene.may_stand().any() == may


def test_stands_are_those_of_a_tilting_front() -> None:
    """Both corners, two angles: the rectangle is the one behind the pose of a tilting front."""
    scene = leaning(3)
    for corner, sense in (("right", 1), ("left", -1)):
        for angle in (0.4, 1.2):
            tilting = Tilting(scene.facing, scene.width, DEPTH, corner, (), scene.board)  # type: ignore[arg-type]
            pose = tilting.pose(0.5, angle)
            corners = [pose.point(x, -y) for x in (-scene.width / 2, scene.width / 2) for y in (0.0, DEPTH)]
            ring = scene.rings(Stands(*(np.array([value]) for value in (0, sense, 0.5, angle))))[0] - scene.shifts[0]
            assert sorted(map(tuple, np.round(ring, 9).tolist())) == sorted(map(tuple, np.round(corners, 9).tolist()))


def test_four_quarters_make_up_a_range_of_stands() -> None:
    """Their middles lie a quarter of the range off to both sides in u and in angle, at the same place and corner."""
    quarters = Stands(np.array([3, 5]), np.array([1, -1]), np.array([2.0, 6.0]), np.array([0.5, 1.0])).quarters(0.25, 0.125)
    found = sorted(zip(quarters.place.tolist(), quarters.sense.tolist(), quarters.u.tolist(), quarters.angle.tolist(), strict=True))
    first = [(3, 1, u, angle) for u in (1.75, 2.25) for angle in (0.375, 0.625)]
    assert found == [*first, *((5, -1, u, angle) for u in (5.75, 6.25) for angle in (0.875, 1.125))]
