"""Curves of contact cut into cells: they hold all of the curves, and lead around several foes in one line."""

import math

import numpy as np
import pytest

from tabletop.geometry.arrangement import circles, tracks
from tabletop.geometry.curve import configuration_obstacle
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import disc, rectangle
from tabletop.placement.loci import cut, joined_rims


def test_cells_hold_a_circle() -> None:
    """Every place of a circle lies within the half length of a cell's middle, and the cells add up to its length."""
    rim = cut(circles(np.array([[1.0, 2.0]]), np.array([1.5])), 0.1)
    angles = np.linspace(0.0, math.tau, 500)
    places = np.array([1.0, 2.0]) + 1.5 * np.column_stack([np.cos(angles), np.sin(angles)])
    aside = np.hypot(*(places[:, None] - rim.middles[None]).transpose(2, 0, 1))
    assert (aside <= rim.halves + 1e-12).any(axis=1).all()
    assert 2.0 * rim.along.sum() == pytest.approx(1.5 * math.tau)
    assert rim.halves.max() <= 0.05


def test_cells_of_a_rounded_rectangle_follow_each_other() -> None:
    """Around a rectangle grown by a disc each cell begins where the one before it ends, arcs and edges in turn."""
    body = rectangle(Pose(0.0, 0.0, 0.3), 3.0, 1.0)
    rim = cut(tracks(configuration_obstacle(body, disc((0.0, 0.0), 0.5))), 0.1)
    assert 2.0 * rim.along.sum() == pytest.approx(8.0 + math.pi)
    steps = np.hypot(*(rim.ends[rim.following] - rim.middles).T)
    assert steps == pytest.approx(rim.halves, abs=1e-2)
    assert sorted(rim.following) == list(range(len(rim)))


def test_cells_of_two_curves_keep_to_their_own() -> None:
    """What follows the last cell of a curve is the first of the same, and two sets of curves keep their own numbers."""
    one = cut(circles(np.array([[0.0, 0.0], [9.0, 0.0]]), np.array([1.0, 2.0])), 0.3)
    both = joined_rims([one, one])
    assert (both.owners[both.following] == both.owners).all()
    assert np.unique(both.owners).tolist() == [0, 1, 2, 3]


def test_no_curves_have_no_cells() -> None:
    """Of nothing there are no cells, and none that follow."""
    rim = cut(circles(np.empty((0, 2)), np.empty(0)), 0.1)
    assert (len(rim), len(rim.following), rim.lines(np.empty(0, dtype=bool))) == (0, 0, [])


def test_the_line_around_two_foes_is_one_ring() -> None:
    """Two circles that cross make one ring without the parts inside, in which each cell is near the one before."""
    centres, radii = np.array([[0.0, 0.0], [1.4, 0.0]]), np.array([1.26, 1.26])
    rim = cut(circles(centres, radii), 0.05)
    apart = np.hypot(*(rim.middles[:, None] - centres[None]).transpose(2, 0, 1)) - radii
    ((cells, is_ring),) = rim.lines((apart >= -rim.halves[:, None] - 1e-9).all(axis=1))
    assert is_ring
    assert len(cells) < len(rim)
    assert np.hypot(*(rim.middles[cells] - rim.middles[np.roll(cells, 1)]).T).max() < 0.15


def test_a_circle_alone_is_a_ring_and_a_part_of_it_is_not() -> None:
    """With all cells open a circle closes; with some shut it is a line that begins behind them."""
    rim = cut(circles(np.zeros((1, 2)), np.ones(1)), 0.1)
    is_open = np.ones(len(rim), dtype=bool)
    assert rim.lines(is_open)[0][1]
    is_open[10:20] = False
    ((cells, is_ring),) = rim.lines(is_open)
    assert not is_ring
    assert cells.tolist() == [*range(20, len(rim)), *range(10)]
