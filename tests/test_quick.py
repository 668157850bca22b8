"""What `make test` asks grows with what is new, not with the number of scenarios."""

from collections import Counter

import pytest

from tests.bundled import FOUR, NAMES, SAMPLE, scenario_of

MOST = 2
"""Quick tests of a scenario, on average: its ruling, and what was written for it."""


def test_scenarios_but_four_are_asked_few_quick_tests(request: pytest.FixtureRequest) -> None:
    """What is asked of many scenarios is asked of four by quick tests."""
    quick = Counter(
        scenario_of(item)
        for item in request.session.items
        if item.get_closest_marker("slow") is None
    )
    assert sum(quick[name] for name in NAMES if name not in FOUR) <= MOST * len(NAMES)


def test_a_sample_is_small_and_has_every_game() -> None:
    """Less than half of the scenarios stand for all, four of them among those."""
    assert {name.split("/")[0] for name in SAMPLE} == {name.split("/")[0] for name in NAMES}
    assert set(FOUR) <= SAMPLE
    assert len(SAMPLE) < len(NAMES) / 2
