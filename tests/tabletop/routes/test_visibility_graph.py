"""The graph of taut ways: its pieces are as long as the reach allows, and no longer."""

import numpy as np
import pytest

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.shape import disc, polygon
from tabletop.routes.configuration_space import ConfigurationSpace
from tabletop.routes.hindrances import Solid
from tabletop.routes.visibility_graph import Graph


def crossed(reach: float) -> Graph:
    """Make the graph of two blocks that cross, for a round base of 1 in."""
    blocks = [[(10, 14), (20, 14), (20, 16), (10, 16)], [(14, 10), (16, 10), (16, 20), (14, 20)]]
    ground = ConfigurationSpace(
        disc((0, 0), 0.5), 30.0, 30.0, [Solid(polygon(block), 2.0) for block in blocks], [], []
    )
    return Graph(ground.graph.rims, reach)


def pieces(graph: Graph) -> FloatArray:
    """Return the costs of straight pieces between corners that climb nothing, sorted."""
    edges = graph.whole.edges
    first, second = (graph.whole.nodes[nodes] for nodes in (edges.first, edges.second))
    apart = np.hypot(*(second - first).T)
    is_corner = (
        np.isin(edges.first, graph.corners)
        & np.isin(edges.second, graph.corners)
        & (edges.first != edges.second)
    )
    return np.sort(edges.cost[is_corner & (np.abs(edges.cost - apart) < 1e-9)])


def test_blocks_that_cross_have_four_inner_corners() -> None:
    """They stand on a square as wide as the blocks and the base, joined along its sides and across on top of the
    blocks.
    """
    found = pieces(crossed(100.0))
    assert len(crossed(100.0).corners) == 4
    assert set(found.round(6)) == {3.0, round(3.0 * 2**0.5, 6)}


@pytest.mark.parametrize(("more", "is_there"), [(0.0, True), (-5e-7, True), (-1e-5, False)])
def test_a_piece_as_long_as_the_reach_is_kept(more: float, *, is_there: bool) -> None:
    """To the tolerance of contact: the way across is there with just that reach, and not with less."""
    across = 3.0 * 2**0.5
    assert (pieces(crossed(across + more)).max() > 4.0) == is_there
