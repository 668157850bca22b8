"""Assignments against all possibilities."""

from itertools import permutations

import numpy as np
import pytest

from tabletop.placement.partial_plan import min_cost_assignment


def test_the_cheapest_assignment_is_the_cheapest_of_all() -> None:
    """Of random costs, some forbidden, none of all orders costs less."""
    chance = np.random.default_rng(6)
    for _ in range(30):
        costs = chance.random((5, 5))
        costs[chance.random((5, 5)) < 0.3] = np.inf
        sums = [
            sum(costs[row, column] for row, column in enumerate(order))
            for order in permutations(range(5))
        ]
        taken = min_cost_assignment(costs)
        if taken is None:
            assert not np.isfinite(min(sums))
        else:
            assert costs[np.arange(5), taken].sum() == pytest.approx(min(sums))


def test_nothing_is_assigned_where_a_row_has_no_column() -> None:
    """A row of forbidden costs makes it impossible."""
    assert min_cost_assignment(np.array([[1.0, 2.0], [np.inf, np.inf]])) is None
