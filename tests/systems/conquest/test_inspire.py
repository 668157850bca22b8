"""What a completed charge brings: Inspire, no help to Impact, wasted without actions."""

from typing import Any

import pytest

from tests.tables import case, charger, finding, has_finding, resolve, rule_on, unit

AHEAD = {"B": unit((20, 18), 270)}


def test_inspire() -> None:
    """A completed charge inspires for free, and says so in the status."""
    resolution = resolve(case(AHEAD))
    ruling = resolution.rulings[0]
    assert finding(ruling, "conquest.inspire").ok
    assert ruling.metrics["inspired"] == 1
    assert set(resolution.after.units["A"].status) == {"charged", "inspired"}


def test_inspire_only_on_success() -> None:
    """A failed charge inspires nobody."""
    ruling = rule_on(AHEAD, dice=(1,))
    assert not has_finding(ruling, "conquest.inspire")
    assert "inspired" not in ruling.metrics


@pytest.mark.parametrize("impact", [True, False])
def test_inspire_impact(impact: bool) -> None:
    """Who makes Impact Attacks is told that Inspire does not help them."""
    assert (
        has_finding(rule_on({"A": charger(impact=impact), **AHEAD}), "conquest.inspire.impact")
        is impact
    )


@pytest.mark.parametrize(
    ("keys", "is_wasted"),
    [
        ({}, False),
        ({"actions_left": 0}, True),
        ({"actions_left": 2}, False),
        ({"marched": 2}, True),
        ({"marched": 2, "actions_left": 1}, False),
    ],
)
def test_inspire_wasted(keys: dict[str, Any], is_wasted: bool) -> None:
    """Without an action left it is wasted; after a March none is left unless the file says so."""
    ruling = rule_on(AHEAD, charge=keys)
    assert ruling.metrics["inspire_wasted"] == int(is_wasted)
    assert has_finding(ruling, "conquest.inspire.wasted") is is_wasted


def test_status_is_written_once() -> None:
    """Words that a regiment already has are not repeated."""
    resolution = resolve(case({"A": charger(status=["inspired", "charged"]), **AHEAD}))
    assert sorted(resolution.after.units["A"].status) == ["charged", "inspired"]
