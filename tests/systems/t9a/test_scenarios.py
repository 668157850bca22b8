"""The bundled scenarios are what they say they are."""

import pytest

from tabletop.cli.checking import differences_in
from tabletop.registry import scenarios
from tabletop.scenario import read_case
from tests.oracles.referee import referee

NAMES = tuple(name for name, _ in scenarios("t9a"))


@pytest.mark.parametrize("name", NAMES)
def test_scenario_is_as_expected(name: str) -> None:
    """Resolving a bundled scenario gives what its file expects."""
    assert [str(difference) for difference in differences_in(name)] == []


@pytest.mark.parametrize("name", NAMES)
def test_scenario_explains_itself(name: str) -> None:
    """A bundled scenario has a title, a note, a source and an expectation for every charge."""
    case = read_case(name)
    assert case.title
    assert case.note
    assert case.source
    assert len(case.expect) == len(case.charges)


@pytest.mark.parametrize("name", NAMES)
def test_scenario_holds_against_brute_force(name: str) -> None:
    """The first charge of a bundled scenario, alone on its table, holds against the brute force."""
    case = read_case(name)
    if len(case.charges) == 1:
        assert referee(case).complaints == ()
