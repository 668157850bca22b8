"""Ways through the air, and ways around a single disc held against the search among all bodies."""

import math

import numpy as np
import pytest

from tabletop.geometry.shape import disc, polygon
from tabletop.routes.configuration_space import Barrier, ConfigurationSpace, Solid
from tabletop.routes.flight import Bends, taut_string, through_the_air

BASE = disc((0, 0), 0.5)
TOWER = Solid(polygon([(14, 8), (18, 8), (18, 12), (14, 12)]), 3.0)
STEP = Solid(polygon([(20, 8), (21, 8), (21, 12), (20, 12)]), 1.0)
START = (10.0, 10.0, 0.0)


@pytest.mark.parametrize(
    ("end", "length"),
    [
        pytest.param((22.0, 10.0, 0.0), 2 * math.hypot(3.5, 3) + 5, id="over a tower"),
        pytest.param((16.0, 10.0, 3.0), math.hypot(3.5, 3) + 2.5, id="onto its top"),
        pytest.param((13.5, 10.0, 0.0), 3.5, id="to its foot"),
        pytest.param((10.0, 15.0, 0.0), 5.0, id="past it"),
        pytest.param((12.0, 10.0, 2.0), math.hypot(2, 2), id="up in the open"),
    ],
)
def test_lengths_are_those_of_a_taut_string(end: tuple[float, float, float], length: float) -> None:
    """The whole base counts: the string leaves half a base before the wall."""
    one = ConfigurationSpace(BASE, 40, 20, [TOWER])
    assert float(one.air_lengths(START, np.array([end]))[0]) == pytest.approx(length, abs=1e-9)
    points = through_the_air(one.land, START, end)
    assert points is not None
    assert np.sqrt((np.diff(points, axis=0) ** 2).sum(axis=1)).sum() == pytest.approx(length)


def test_the_string_passes_high_over_what_is_low() -> None:
    """From the tower's top to the table the step below does not touch it; walking up from its foot is straight up."""
    one = ConfigurationSpace(BASE, 40, 20, [TOWER, STEP])
    assert float(one.air_lengths((16.0, 10.0, 3.0), np.array([[26.0, 10.0, 0.0]]))[0]) == pytest.approx(2.5 + math.hypot(7.5, 3))
    assert float(one.air_lengths((13.5, 10.0, 0.0), np.array([[16.0, 10.0, 3.0]]))[0]) == pytest.approx(5.5)


def test_nobody_flies_through_what_is_impassable() -> None:
    """A barrier without heights stops every string; one with heights those that come to them; the board's edge holds."""
    ends = np.array([[22.0, 10.0, 0.0], [10.0, 19.9, 0.0]])
    assert np.isinf(ConfigurationSpace(BASE, 40, 20, barriers=[Barrier(TOWER.shape)]).air_lengths(START, ends)).all()
    low, high = Barrier(disc((16, 10), 0.5), 1.0, -2.0, 2.0), Barrier(disc((16, 10), 0.5), 1.0, -5.0, 5.0)
    assert np.isfinite(ConfigurationSpace(BASE, 40, 20, [TOWER], barriers=[low]).air_lengths(START, ends[:1])).all()
    assert np.isinf(ConfigurationSpace(BASE, 40, 20, [TOWER], barriers=[high]).air_lengths(START, ends[:1])).all()


@pytest.mark.parametrize(
    ("corners", "string"),
    [
        pytest.param([], [(0.0, 1.0), (8.0, 0.0)], id="nothing"),
        pytest.param([(2.0, 0.0), (5.0, 0.3)], [(0.0, 1.0), (8.0, 0.0)], id="all below"),
        pytest.param([(0.0, 4.0), (3.0, 4.0)], [(0.0, 1.0), (0.0, 4.0), (3.0, 4.0), (8.0, 0.0)], id="from the foot of a wall"),
        pytest.param([(6.0, 4.0), (8.0, 4.0)], [(0.0, 1.0), (6.0, 4.0), (8.0, 4.0), (8.0, 0.0)], id="to the foot of a wall"),
    ],
)
def test_strings_are_convex_from_above(corners: list[tuple[float, float]], string: list[tuple[float, float]]) -> None:
    """Only what stands out bends them."""
    assert taut_string((0.0, 1.0), (8.0, 0.0), corners) == string


def bends(ends: list[tuple[float, float]], *, radius: float = 1.0) -> Bends:
    """Make ways from (-3, 0) to ends around a disc about the origin."""
    count = len(ends)
    return Bends(np.array([-3.0, 0.0]), np.array(ends, dtype=float), np.zeros((count, 2)), np.full(count, radius))


def test_a_way_round_a_disc_is_tangent_arc_tangent() -> None:
    """Straight opposite the way is two tangents and the arc between them, whichever side; on the far rim it ends with the arc."""
    tangent, turn = math.sqrt(8.0), math.acos(1.0 / 3.0)
    lengths = bends([(3.0, 0.0), (1.0, 0.0)]).lengths
    assert lengths == pytest.approx([2 * tangent + math.pi - 2 * turn, tangent + math.pi - turn], abs=1e-12)


def test_the_path_is_as_long_as_the_way() -> None:
    """The path starts and ends where the way does, keeps out of the disc, and its chords are hardly shorter."""
    way = bends([(2.0, -0.5)])
    path = np.array(way.path(0))
    assert path[0].tolist() == [-3.0, 0.0]
    assert path[-1].tolist() == [2.0, -0.5]
    assert np.hypot(*np.diff(path, axis=0).T).sum() == pytest.approx(way.lengths[0], abs=1e-3)
    assert (np.hypot(*path.T) >= 1.0 - 1e-9).all()


@pytest.mark.parametrize(("at", "is_clear"), [((0.0, 1.8), False), ((0.0, 2.2), True), ((-2.0, 0.9), False), ((2.0, -3.0), True)])
def test_other_discs_may_be_in_the_way(at: tuple[float, float], is_clear: bool) -> None:
    """A way is clear if neither its straight pieces nor its arc come into another disc; touching is clear."""
    centres, radii = np.array([(0.0, 0.0), at]), np.array([1.0, 1.0])
    assert bends([(3.0, 0.1)]).are_clear(centres, radii, np.array([0])).tolist() == [is_clear]


def test_clear_ways_are_the_shortest() -> None:
    """Among scattered discs, a clear way around the only one that the straight line meets is what a search finds."""
    chance = np.random.default_rng(7)
    checked = 0
    for _ in range(20):
        centres, radii = 10.0 + 8.0 * chance.random((5, 2)), 0.6 + chance.random(5)
        ends = np.column_stack([19.0 + 3.0 * chance.random(12), 8.0 + 12.0 * chance.random(12)])
        start = (8.0, 14.0, 0.0)
        ways = [Bends(np.array(start[:2]), ends, np.repeat(centres[[n]], 12, axis=0), np.full(12, radii[n])) for n in range(5)]
        ground = ConfigurationSpace(
            disc((0.0, 0.0), 0.0),
            40.0,
            40.0,
            barriers=[Barrier(disc((x, y), r)) for (x, y), r in zip(centres.tolist(), radii.tolist(), strict=True)],
        )
        found = ground.lengths(start, np.column_stack([ends, np.zeros(12)]))
        for number, way in enumerate(ways):
            usable = (way.arcs[1] != 0.0) & way.are_clear(centres, radii, np.full(12, number))
            assert way.lengths[usable] == pytest.approx(found[usable], abs=1e-7)
            checked += int(usable.sum())
    assert checked > 20
