"""Limits of work and of time."""

import time

import pytest

from tabletop.solve.budget import Budget


@pytest.mark.parametrize(("work", "expected"), [(0, False), (99, False), (100, False), (101, True)])
def test_work_is_spent_beyond_the_limit(work: int, expected: bool) -> None:
    """Exactly as much as is allowed may be done."""
    assert Budget(work=100).is_spent(work) is expected


@pytest.mark.parametrize(("elapsed", "expected"), [(1.0, False), (3.0, True)])
def test_seconds_are_counted_from_when_the_budget_was_made(elapsed: float, expected: bool) -> None:
    """They end a search whatever its work; without them time does not count."""
    started = time.monotonic() - elapsed
    assert Budget(seconds=2.0, started=started).is_spent(0) is expected
    assert not Budget(started=started).is_spent(0)
