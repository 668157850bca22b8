"""How far links lead at most: over all small graphs."""

import math
from itertools import combinations

import numpy as np
import pytest

from tabletop.placement.partial_plan import groups
from tabletop.placement.problem import Coherency

SMALL = range(2, 7)
"""Models of which all graphs are looked at: 32,768 of six."""


def coherency(count: int, neighbours: int, *, single_group: bool = True) -> Coherency:
    """Ask for so many neighbours within 2 in."""
    return Coherency(count, neighbours, 2.0, 5.0, single_group)


def longest_ways(count: int) -> dict[int, int]:
    """Return the most links between two of so many models in any connected graph, by the least number of neighbours any
    has.
    """
    pairs = list(combinations(range(count), 2))
    bits = (np.arange(1 << len(pairs))[:, None] >> np.arange(len(pairs))) & 1
    linked = np.zeros((len(bits), count, count), dtype=np.int64)
    for number, (one, other) in enumerate(pairs):
        linked[:, one, other] = linked[:, other, one] = bits[:, number]
    reached = np.tile(np.eye(count, dtype=np.int64), (len(bits), 1, 1))
    steps = np.zeros(len(bits), dtype=np.int64)
    for step in range(1, count):
        following = np.minimum(reached + reached @ linked, 1)
        steps[(following != reached).any(axis=(1, 2))] = step
        reached = following
    is_joined = reached.all(axis=(1, 2))
    poorest = linked.sum(axis=2).min(axis=1)
    return {asked: int(steps[is_joined & (poorest >= asked)].max(initial=0)) for asked in (1, 2)}


@pytest.mark.parametrize("count", SMALL)
def test_no_graph_has_a_longer_way(count: int) -> None:
    """One neighbour each: a chain of all.

    Two each: 1 link of three models, 2 of four, from five on three fewer than there are models.
    """
    found = longest_ways(count)
    assert coherency(count, 1).most_links == found[1] == count - 1
    if count > 2:
        assert coherency(count, 2).most_links == found[2] == {3: 1, 4: 2}.get(count, count - 3)


def test_a_way_as_long_as_that_can_be_had() -> None:
    """A chain whose last models but one stand two abreast: of seven the ends are four links apart, and each has two
    neighbours.
    """
    ends = np.array([(0, 0), (2.5, 1.5), (3, 0), (6, 0), (9, 0), (9.5, 1.5), (12, 0)])
    linked = np.hypot(*(ends[:, None] - ends[None]).transpose(2, 0, 1)) <= 3.0
    np.fill_diagonal(linked, val=False)
    assert linked.sum(axis=1).min() == 2
    assert groups(linked).max() == 0


def test_links_bound_nothing_where_any_group_will_do() -> None:
    """Without a single group four models may be two pairs; two or three who must have a neighbour are one group all the
    same.
    """
    unasked = [coherency(count, 1, single_group=False) for count in (2, 3, 4)]
    assert [(one.is_one_group, one.most_links) for one in unasked] == [
        (True, 1),
        (True, 2),
        (False, math.inf),
    ]
    assert unasked[-1].span(np.ones(4)) == math.inf


def test_a_chain_takes_the_widest_models() -> None:
    """Three models, each as wide as said, two links of 2 in; of four with two neighbours each only the three widest
    count.
    """
    assert coherency(3, 1).span(np.array([1.0, 2.0, 1.0])) == pytest.approx(8.0)
    assert coherency(4, 2).span(np.array([1.0, 2.0, 1.0, 0.5])) == pytest.approx(8.0)
