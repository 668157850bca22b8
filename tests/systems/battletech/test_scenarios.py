"""The bundled scenarios are what they say they are."""

import pytest

from tabletop.cli.checking import differences_in
from tabletop.registry import scenarios
from tabletop.scenario import read_case

NAMES = tuple(name for name, _ in scenarios("battletech"))


def test_there_are_enough() -> None:
    """Sixteen and more of them show the rules."""
    assert len(NAMES) >= 16


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
