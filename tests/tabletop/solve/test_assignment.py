"""Assignments and bounds against all possibilities."""

from itertools import permutations

import numpy as np
import pytest

from tabletop.solve.assignment import cheapest, most_served


def test_the_cheapest_assignment_is_the_cheapest_of_all() -> None:
    """Of random costs, some forbidden, none of all orders costs less."""
    chance = np.random.default_rng(6)
    for _ in range(30):
        costs = chance.random((5, 5))
        costs[chance.random((5, 5)) < 0.3] = np.inf
        sums = [sum(costs[row, column] for row, column in enumerate(order)) for order in permutations(range(5))]
        taken = cheapest(costs)
        if taken is None:
            assert not np.isfinite(min(sums))
        else:
            assert costs[np.arange(5), taken].sum() == pytest.approx(min(sums))


def test_nothing_is_assigned_where_a_row_has_no_column() -> None:
    """A row of forbidden costs makes it impossible."""
    assert cheapest(np.array([[1.0, 2.0], [np.inf, np.inf]])) is None


def _most(usable: np.ndarray, cliques: list[np.ndarray]) -> int:
    """Try everything: each in turn takes a place that is free, or none."""
    best = 0
    stack: list[tuple[int, frozenset[int]]] = [(0, frozenset())]
    while stack:
        who, taken = stack.pop()
        best = max(best, len(taken))
        if who == len(usable):
            continue
        stack.append((who + 1, taken))
        barred = {place for clique in cliques if taken & set(clique.tolist()) for place in clique.tolist()}
        stack += [(who + 1, taken | {place}) for place in np.flatnonzero(usable[who]).tolist() if place not in barred | taken]
    return best


def test_a_bound_is_never_below_what_can_be_served() -> None:
    """Places on a line shut out their neighbours; the bound with whole places is exact, with shares it is no less."""
    chance = np.random.default_rng(7)
    for _ in range(25):
        usable = chance.random((4, 7)) < 0.4
        cliques = [np.arange(start, start + 3) for start in range(5)]
        most = _most(usable, cliques)
        assert most_served(usable, cliques) >= most
        assert most_served(usable, cliques, nodes=100) == most


def test_nobody_is_served_where_no_place_is_usable() -> None:
    """Without usable places the bound is 0."""
    assert most_served(np.zeros((3, 4), dtype=bool), [np.arange(4)]) == 0
