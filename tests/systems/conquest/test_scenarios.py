"""The bundled scenarios are what they say they are."""

import pytest

from tabletop.registry import scenarios
from tabletop.scenario import read_case
from tests.oracles.conquest.referee import referee

NAMES = tuple(name for name, _ in scenarios("conquest"))


def test_there_are_enough() -> None:
    """A dozen and more of them show the rules."""
    assert len(NAMES) >= 14


@pytest.mark.parametrize("name", NAMES)
def test_scenario_holds_against_brute_force(name: str) -> None:
    """The charge of a bundled scenario, if it is the only one and follows the policy, holds against the brute force."""
    case = read_case(name)
    if len(case.charges) == 1 and case.charges[0].declarations.wheel is None:
        assert referee(case).complaints == ()
