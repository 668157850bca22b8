"""How far links lead at most: over all small graphs, and on tables whose targets they can or cannot join."""

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from systems.wh40k.conditions import chain_span, most_links
from systems.wh40k.placement.assignment import groups
from tests.systems.wh40k.tables import Spots, case, ruling, unit
from tests.systems.wh40k.test_regions import scene_of_case

SMALL = range(2, 7)
"""Models of which all graphs are looked at: 32,768 of six."""


def longest_ways(count: int) -> dict[int, int]:
    """Give the most links between two of so many models in any connected graph, by the least number of neighbours any has."""
    pairs = list(combinations(range(count), 2))
    bits = (np.arange(1 << len(pairs))[:, None] >> np.arange(len(pairs))) & 1
    linked = np.zeros((len(bits), count, count), dtype=np.int64)
    for number, (one, other) in enumerate(pairs):
        linked[:, one, other] = linked[:, other, one] = bits[:, number]
    reached, steps = np.tile(np.eye(count, dtype=np.int64), (len(bits), 1, 1)), np.zeros(len(bits), dtype=np.int64)
    for step in range(1, count):
        following = np.minimum(reached + reached @ linked, 1)
        steps[(following != reached).any(axis=(1, 2))] = step
        reached = following
    is_joined, poorest = reached.all(axis=(1, 2)), linked.sum(axis=2).min(axis=1)
    return {asked: int(steps[is_joined & (poorest >= asked)].max(initial=0)) for asked in (1, 2)}


@pytest.mark.parametrize("count", SMALL)
def test_no_graph_has_a_longer_way(count: int) -> None:
    """One neighbour each: a chain of all. Two each: 1 link of three models, 2 of four, from five on three fewer than there are models."""
    found = longest_ways(count)
    loose, tight = (scene_of_case(case(unit([(0, 0)]), {"T": unit([(6, 0)])}, rules={"coherency_large": large})) for large in (7, 3))
    assert most_links(loose, count) == found[1] == count - 1
    if count > 2:
        assert most_links(tight, count) == found[2] == {3: 1, 4: 2}.get(count, count - 3)


def test_a_way_as_long_as_that_can_be_had() -> None:
    """A chain whose last models but one stand two abreast: of seven the ends are four links apart, and each has two neighbours."""
    ends = np.array([(0, 0), (2.5, 1.5), (3, 0), (6, 0), (9, 0), (9.5, 1.5), (12, 0)])
    linked = np.hypot(*(ends[:, None] - ends[None]).transpose(2, 0, 1)) <= 3.0
    np.fill_diagonal(linked, val=False)
    assert linked.sum(axis=1).min() == 2
    assert groups(linked).max() == 0


def test_links_bound_nothing_where_any_group_will_do() -> None:
    """With `single_group = false` four models may be two pairs; two or three who must have a neighbour are one group all the same."""
    scene = scene_of_case(case(unit([(0, 0)]), {"T": unit([(6, 0)])}, rules={"single_group": False}))
    assert [most_links(scene, count) for count in (2, 3, 4, 7)] == [1, 2, math.inf, math.inf]


def test_a_chain_takes_the_widest_models() -> None:
    """Three models, each as wide as said, two links of 2 in; of four with two neighbours each only the three widest count."""
    loose, tight = (scene_of_case(case(unit([(0, 0)]), {"T": unit([(6, 0)])}, rules={"coherency_large": large})) for large in (7, 3))
    assert chain_span(loose, np.array([1.0, 2.0, 1.0])) == pytest.approx(8.0)
    assert chain_span(tight, np.array([1.0, 2.0, 1.0, 0.5])) == pytest.approx(8.0)


COLUMN: Spots = [(0.0, 4.0 + 1.5 * number) for number in range(7)]


@pytest.mark.parametrize("apart", [12.001, 13, 14, 17, 18])
@pytest.mark.parametrize("total", [2, 6, 7, 12, 24])
def test_seven_cannot_join_what_five_in_a_chain_cannot(apart: float, total: int) -> None:
    """Zones farther apart than four links of 3 in are too far at every total, and that is proved."""
    others = {"T": unit([(6, 0)]), "U": unit([(6, 4 + apart)])}
    bonus: dict[str, Any] = {"charge_bonus": 12} if total > 12 else {}
    dice = [min(6, total - 1), total - min(6, total - 1)] if total <= 12 else [6, total - 18]
    found = ruling(unit(COLUMN, **bonus), others, targets=("T", "U"), dice=dice)
    assert (found.outcome, found.metrics.get("needed"), found.proof) == ("failed", None, "exact")
    reach = max(math.dist(COLUMN[0], (6, 0)), math.dist(COLUMN[-1], (6, 4 + apart))) - 2.0
    assert found.rule == ("wh40k.possible.engage-all" if total < reach else "wh40k.possible.coherency")


def test_links_as_long_as_the_zones_are_apart_are_enough() -> None:
    """A zone apart a little less than 12 in: the charge is possible, the ends stand four links from each other."""
    others = {"T": unit([(6, 0)]), "U": unit([(6, 15.5)])}
    assert ruling(unit(COLUMN), others, total=8, targets=("T", "U")).outcome == "success"


def test_two_groups_may_serve_two_targets() -> None:
    """Seven without a single group: three at one target, four at the other, 17 in away."""
    others = {"T": unit([(6, 0)]), "U": unit([(6, 17)])}
    far: Spots = [(0, 0), (0, 1.5), (0, 3), (0, 12.5), (0, 14), (0, 15.5), (0, 17)]
    found = ruling(unit(far), others, total=8, targets=("T", "U"), rules={"single_group": False})
    assert found.outcome == "success"


def test_the_living_are_counted() -> None:
    """Seven of whom one is lost: six need one neighbour each, and five links of 3 in join zones 13 in apart."""
    others = {"T": unit([(6, 0)]), "U": unit([(6, 17)])}
    found = ruling(unit(COLUMN), others, total=12, targets=("T", "U"), overwatch={"before": [3]})
    assert (found.outcome, found.rule) == ("failed", "wh40k.possible.coherency")
    six = ruling(unit([*COLUMN[:3], *COLUMN[4:]]), others, total=12, targets=("T", "U"))
    assert six.outcome == "success"


@pytest.mark.parametrize(("base", "width"), [("60x35mm oval", 60 / 25.4), ("25x50mm", math.hypot(25, 50) / 25.4)])
def test_bases_that_are_not_round_span_what_discs_about_them_do(base: str, width: float) -> None:
    """However ovals and rectangles turn: of two with the targets' discs farther apart than both, and 2 in, no proof is missing."""
    one = unit([(0, 0), (0, 2.5)], base=base, facing_deg=90)
    apart = 2.0 * width + 2.0 + 2.0 * 1.5
    found = ruling(one, {"T": unit([(6, 0)]), "U": unit([(6, apart + 0.01)])}, total=12, targets=("T", "U"))
    assert (found.outcome, found.rule, found.proof) == ("failed", "wh40k.possible.coherency", "tolerance")
