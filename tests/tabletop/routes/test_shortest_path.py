"""The points of shortest ways."""

import numpy as np
import pytest

from tabletop.geometry.shape import disc, polygon
from tabletop.routes.configuration_space import ConfigurationSpace
from tabletop.routes.hindrances import Barrier, Platform, Solid

BASE = disc((0, 0), 0.5)


def test_a_straight_way_has_two_points() -> None:
    """Just its start and its end, as they were asked for."""
    way = ConfigurationSpace(BASE, 40, 20).way((5.0, 5.0, 0.0), (8.0, 9.0, 0.0))
    assert way is not None
    assert way.points == ((5.0, 5.0, 0.0), (8.0, 9.0, 0.0))
    assert way.length == pytest.approx(5.0)


def test_a_way_to_where_one_stands_is_one_point() -> None:
    """And has no length."""
    way = ConfigurationSpace(BASE, 40, 20).way((5.0, 5.0, 0.0), (5.0, 5.0, 0.0))
    assert way is not None
    assert set(way.points) == {(5.0, 5.0, 0.0)}
    assert way.length == 0.0


def test_a_climb_is_two_points_in_one_place() -> None:
    """Half a base before the block the way goes straight up, and behind it straight down."""
    way = ConfigurationSpace(
        BASE, 40, 20, [Solid(polygon([(14, -5), (18, -5), (18, 25), (14, 25)]), 3.0)]
    ).way((10, 10, 0), (22, 10, 0))
    assert way is not None
    expected = [
        (10, 10, 0),
        (13.5, 10, 0),
        (13.5, 10, 3),
        (18.5, 10, 3),
        (18.5, 10, 0),
        (22, 10, 0),
    ]
    assert np.array(way.points) == pytest.approx(np.array(expected))
    assert way.length == pytest.approx(18.0)


def test_a_bend_is_a_row_of_chords() -> None:
    """All its points keep off the body by half a base, the first and the last of them are where straight lines
    touch.
    """
    way = ConfigurationSpace(BASE, 40, 20, barriers=[Barrier(disc((15, 10), 1.0))]).way(
        (10, 10, 0), (20, 10, 0)
    )
    assert way is not None
    points = np.array(way.points)
    away = np.hypot(points[1:-1, 0] - 15, points[1:-1, 1] - 10)
    assert away == pytest.approx(np.full(len(points) - 2, 1.5))
    assert way.length == pytest.approx(2 * np.sqrt(25 - 2.25) + 1.5 * 2 * np.arcsin(0.3))
    turned = np.hypot(*np.diff(points[:, :2], axis=0).T).sum()
    assert way.length - 1e-3 < turned < way.length


@pytest.mark.parametrize("offset", [1e-2, 2e-3, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7])
def test_straight_legs_keep_off_what_a_bend_leads_round(offset: float) -> None:
    """Even where the bend ends a hair behind a point that divides it: leaving that point out must not let the leg cut
    in.
    """
    middle = np.array([15.0, 10.0])
    radius = 1.5
    ground = ConfigurationSpace(BASE, 40, 20, barriers=[Barrier(disc((15, 10), 1.0))])
    for joint in (np.arange(1, 15) + 0.5) * 2 * np.pi / 63:
        normal = np.array([np.cos(joint - offset), np.sin(joint - offset)])
        goal = middle + radius * normal + 2.0 * np.array([normal[1], -normal[0]])
        way = ground.way((10, 10, 0), (float(goal[0]), float(goal[1]), 0))
        assert way is not None
        start, end = np.array(way.points[-2:])[:, :2]
        along = (end - start) / np.hypot(*(end - start))
        nearest = start + max(0.0, float((middle - start) @ along)) * along
        assert np.hypot(*(nearest - middle)) >= radius - 2e-9


def test_the_way_over_a_barrier_shows_where_it_goes_up_and_down() -> None:
    """On a platform over a wall that is closed on the table only."""
    wall = Barrier(polygon([(14, -5), (15, -5), (15, 30), (14, 30)]), 0.0, 0.0, 0.0)
    floor = Platform(polygon([(12, 8), (18, 8), (18, 12), (12, 12)]), 2.0)
    way = ConfigurationSpace(BASE, 40, 20, platforms=[floor], barriers=[wall]).way(
        (10, 10, 0), (20, 10, 0)
    )
    assert way is not None
    assert way.length == pytest.approx(14.0)
    heights = [point[2] for point in way.points]
    assert heights == [0.0, 0.0, 2.0, 2.0, 0.0, 0.0]
    up = way.points[1][0]
    down = way.points[3][0]
    assert 11.5 <= up <= 13.5
    assert 15.5 <= down <= 18.5


def test_where_no_way_leads_there_is_none() -> None:
    """A place shut in by a wall, and one outside of the board."""
    ring = polygon([(14, -1), (15, -1), (15, 21), (14, 21)])
    one = ConfigurationSpace(BASE, 40, 20, barriers=[Barrier(ring)])
    assert one.way((10, 10, 0), (20, 10, 0)) is None
    assert one.way((10, 10, 0), (10, 19.8, 0)) is None
