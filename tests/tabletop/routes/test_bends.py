"""Ways around a single disc, held against the search among all bodies."""

import math

import numpy as np
import pytest

from tabletop.geometry.shape import disc
from tabletop.routes.bends import Bends
from tabletop.routes.configuration_space import ConfigurationSpace
from tabletop.routes.hindrances import Barrier


def bends(ends: list[tuple[float, float]], *, radius: float = 1.0) -> Bends:
    """Make ways from (-3, 0) to ends around a disc about the origin."""
    count = len(ends)
    return Bends(
        np.array([-3.0, 0.0]),
        np.array(ends, dtype=float),
        np.zeros((count, 2)),
        np.full(count, radius),
    )


def test_a_way_round_a_disc_is_tangent_arc_tangent() -> None:
    """Straight opposite the way is two tangents and the arc between them, whichever side; on the far rim it ends with
    the arc.
    """
    tangent = math.sqrt(8.0)
    turn = math.acos(1.0 / 3.0)
    lengths = bends([(3.0, 0.0), (1.0, 0.0)]).lengths
    assert lengths == pytest.approx(
        [2 * tangent + math.pi - 2 * turn, tangent + math.pi - turn], abs=1e-12
    )


def test_the_path_is_as_long_as_the_way() -> None:
    """The path starts and ends where the way does, keeps out of the disc, and its chords are hardly shorter."""
    way = bends([(2.0, -0.5)])
    path = np.array(way.path(0))
    assert path[0].tolist() == [-3.0, 0.0]
    assert path[-1].tolist() == [2.0, -0.5]
    assert np.hypot(*np.diff(path, axis=0).T).sum() == pytest.approx(way.lengths[0], abs=1e-3)
    assert (np.hypot(*path.T) >= 1.0 - 1e-9).all()


@pytest.mark.parametrize(
    ("at", "is_clear"),
    [((0.0, 1.8), False), ((0.0, 2.2), True), ((-2.0, 0.9), False), ((2.0, -3.0), True)],
)
def test_other_discs_may_be_in_the_way(at: tuple[float, float], is_clear: bool) -> None:
    """A way is clear if neither its straight pieces nor its arc come into another disc; touching is clear."""
    centres = np.array([(0.0, 0.0), at])
    radii = np.array([1.0, 1.0])
    assert bends([(3.0, 0.1)]).are_clear(centres, radii, np.array([0])).tolist() == [is_clear]


def test_clear_ways_are_the_shortest() -> None:
    """Among scattered discs, a clear way around the only one that the straight line meets is what a search finds."""
    chance = np.random.default_rng(7)
    checked = 0
    for _ in range(20):
        centres = 10.0 + 8.0 * chance.random((5, 2))
        radii = 0.6 + chance.random(5)
        ends = np.column_stack([19.0 + 3.0 * chance.random(12), 8.0 + 12.0 * chance.random(12)])
        start = (8.0, 14.0, 0.0)
        ways = [
            Bends(
                np.array(start[:2]),
                ends,
                np.repeat(centres[[n]], 12, axis=0),
                np.full(12, radii[n]),
            )
            for n in range(5)
        ]
        ground = ConfigurationSpace(
            disc((0.0, 0.0), 0.0),
            40.0,
            40.0,
            barriers=[
                Barrier(disc((x, y), r))
                for (x, y), r in zip(centres.tolist(), radii.tolist(), strict=True)
            ],
        )
        found = ground.lengths(start, np.column_stack([ends, np.zeros(12)]))
        for number, way in enumerate(ways):
            usable = (way.arcs[1] != 0.0) & way.are_clear(centres, radii, np.full(12, number))
            assert way.lengths[usable] == pytest.approx(found[usable], abs=1e-7)
            checked += int(usable.sum())
    assert checked > 20
