"""Limits of work and of time."""

import time

import pytest

from tabletop.budget import CLOSING_SECONDS, Budget, check_deadline, deadline_passed
from tabletop.errors import NoVerdictError


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


def test_loops_far_from_a_search_end_after_its_time_and_the_grace() -> None:
    """While a budget runs its seconds and the grace are kept; afterwards, and without one, there is no limit."""
    late = Budget(seconds=2.0, started=time.monotonic() - 2.0 - 2.0 * CLOSING_SECONDS)
    check_deadline()
    with late.running():
        with pytest.raises(NoVerdictError, match=r"\b2 s\b"):
            check_deadline()
        with Budget().running():
            check_deadline()
        with pytest.raises(NoVerdictError):
            check_deadline()
    check_deadline()


def test_in_the_grace_a_search_may_still_answer() -> None:
    """A search sees that its time is up before what it calls is stopped."""
    budget = Budget(seconds=2.0, started=time.monotonic() - 2.0 - CLOSING_SECONDS / 2.0)
    with budget.running():
        assert budget.is_spent(0)
        check_deadline()


@pytest.mark.parametrize(("elapsed", "expected"), [(1.0, False), (2.1, True)])
def test_what_an_answer_can_do_without_ends_with_the_time(elapsed: float, expected: bool) -> None:
    """No grace for it; without a budget, or one of seconds, it is never late."""
    started = time.monotonic() - elapsed
    with Budget(seconds=2.0, started=started).running():
        assert deadline_passed() is expected
    with Budget(started=started).running():
        assert not deadline_passed()
    assert not deadline_passed()
