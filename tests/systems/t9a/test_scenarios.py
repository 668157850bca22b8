"""The bundled scenarios are what they say they are."""

import pytest

from tabletop.registry import scenarios
from tabletop.scenario import read_case
from tests.oracles.referee import referee

NAMES = tuple(name for name, _ in scenarios("t9a"))


@pytest.mark.parametrize("name", NAMES)
def test_scenario_holds_against_brute_force(name: str) -> None:
    """The first charge of a bundled scenario, alone on its table, holds against the brute force."""
    case = read_case(name)
    if len(case.charges) == 1:
        assert referee(case).complaints == ()
