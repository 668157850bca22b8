"""Rectangles that stand with a corner on a facing, turned away, at many places: against all that a fine grid of stands finds free."""

import numpy as np
import pytest

from tabletop.pose import FloatArray
from tabletop.rings import ring_gap
from tabletop.solve.leaning import Leaning, Stands
from tabletop.solve.tilts import Tilting
from tests.tabletop.solve.places import with_places

DEPTH = 1.5
SLACK = 0.01


def leaning(seed: int) -> Leaning:
    """Let the front of a random scene be that of a rectangle."""
    scene, shifts = with_places(seed, count=12)
    return Leaning(scene.facing, scene.width, DEPTH, scene.hazards, scene.board, shifts)


def sampled(scene: Leaning, *, slack: float) -> FloatArray:
    """Tell at which places some stand of a grid keeps all gaps and stays on the board, with `slack` inches more."""
    u, angle = (np.linspace(0.0, most, 25) for most in (scene.facing.length, np.pi / 2))
    grid = np.meshgrid(np.arange(len(scene.shifts)), [1, -1], u, angle[1:-1], indexing="ij")
    stands = Stands(*(part.ravel() for part in grid))
    rings = scene.rings(stands)
    room = np.array([scene.board.width, scene.board.depth])
    free = ((rings >= slack) & (rings <= room - slack)).all(axis=(1, 2))
    for hazard in scene.hazards:
        free &= ring_gap(rings, hazard.ring) >= hazard.needed + slack
    return np.asarray(free.reshape(len(scene.shifts), -1).any(axis=1))


@pytest.mark.parametrize("seed", range(12))
def test_where_it_can_stand_nowhere_no_sample_can(seed: int) -> None:
    """Places ruled out hold no free stand of a grid."""
    scene = leaning(seed)
    assert not sampled(scene, slack=0.0)[scene.nowhere()].any()


@pytest.mark.parametrize("seed", range(12))
def test_where_it_can_stand_it_is_not_ruled_out(seed: int) -> None:
    """A stand found free at a point keeps its gaps, and its place is none where it can stand nowhere."""
    scene = leaning(seed)
    places = np.arange(len(scene.shifts))
    found = scene.somewhere(places, np.full(len(places), scene.facing.length / 3), slack=SLACK)
    assert not scene.nowhere()[found].any()


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
