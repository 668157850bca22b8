"""Curves of contact cut into cells: they hold all of the curves, and lead around several foes in one line."""

import math

import numpy as np
import pytest

from tabletop.geometry.arrangement import circles, tracks
from tabletop.geometry.curve import configuration_obstacle
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import disc, rectangle
from tabletop.placement.loci import cut, joined_cells


def test_cells_hold_a_circle() -> None:
    """Every place of a circle lies within the half length of a cell's middle, and the cells add up to its length."""
    cells = cut(circles(np.array([[1.0, 2.0]]), np.array([1.5])), 0.1)
    angles = np.linspace(0.0, math.tau, 500)
    places = np.array([1.0, 2.0]) + 1.5 * np.column_stack([np.cos(angles), np.sin(angles)])
    aside = np.hypot(*(places[:, None] - cells.middles[None]).transpose(2, 0, 1))
    assert (aside <= cells.halves + 1e-12).any(axis=1).all()
    assert 2.0 * cells.along.sum() == pytest.approx(1.5 * math.tau)
    assert cells.halves.max() <= 0.05


def test_cells_of_a_rounded_rectangle_follow_each_other() -> None:
    """Around a rectangle grown by a disc each cell begins where the one before it ends, arcs and edges in turn."""
    body = rectangle(Pose(0.0, 0.0, 0.3), 3.0, 1.0)
    cells = cut(tracks(configuration_obstacle(body, disc((0.0, 0.0), 0.5))), 0.1)
    assert 2.0 * cells.along.sum() == pytest.approx(8.0 + math.pi)
    steps = np.hypot(*(cells.ends[cells.following] - cells.middles).T)
    assert steps == pytest.approx(cells.halves, abs=1e-2)
    assert sorted(cells.following) == list(range(len(cells)))


def test_cells_of_two_curves_keep_to_their_own() -> None:
    """What follows the last cell of a curve is the first of the same, and two sets of curves keep their own numbers."""
    one = cut(circles(np.array([[0.0, 0.0], [9.0, 0.0]]), np.array([1.0, 2.0])), 0.3)
    both = joined_cells([one, one])
    assert (both.owners[both.following] == both.owners).all()
    assert np.unique(both.owners).tolist() == [0, 1, 2, 3]


def test_no_curves_have_no_cells() -> None:
    """Of nothing there are no cells, and none that follow."""
    cells = cut(circles(np.empty((0, 2)), np.empty(0)), 0.1)
    assert (len(cells), len(cells.following), cells.lines(np.empty(0, dtype=bool))) == (0, 0, [])


def test_the_line_around_two_foes_is_one_ring() -> None:
    """Two circles that cross make one ring without the parts inside, in which each cell is near the one before."""
    centres = np.array([[0.0, 0.0], [1.4, 0.0]])
    radii = np.array([1.26, 1.26])
    cells = cut(circles(centres, radii), 0.05)
    apart = np.hypot(*(cells.middles[:, None] - centres[None]).transpose(2, 0, 1)) - radii
    ((line, is_ring),) = cells.lines((apart >= -cells.halves[:, None] - 1e-9).all(axis=1))
    assert is_ring
    assert len(line) < len(cells)
    assert np.hypot(*(cells.middles[line] - cells.middles[np.roll(line, 1)]).T).max() < 0.15


def test_a_circle_alone_is_a_ring_and_a_part_of_it_is_not() -> None:
    """With all cells open a circle closes; with some shut it is a line that begins behind them."""
    cells = cut(circles(np.zeros((1, 2)), np.ones(1)), 0.1)
    is_open = np.ones(len(cells), dtype=bool)
    assert cells.lines(is_open)[0][1]
    is_open[10:20] = False
    ((line, is_ring),) = cells.lines(is_open)
    assert not is_ring
    assert line.tolist() == [*range(20, len(cells)), *range(10)]
