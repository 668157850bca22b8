"""Contracts find what is wrong with a game: a judge who always says yes, a charge through a tower, a charger an inch off."""

from collections.abc import Iterator

import pytest

from tabletop.errors import UsageError
from tabletop.registry import BUILT_IN
from tabletop.testing import Contract, answers, contracts, invariances
from tests.faulty import SYSTEMS

BROKEN = {
    "kept": set(),
    "yes": {"nonsense_is_refused", "a_success_spoiled_by_a_hundredth_is_refused", "a_claim_is_forgiven_one_hand"},
    "through": {"no_step_goes_through_what_is_solid", "scenario_is_as_expected"},
    "short": {"declared_contact_is_real"},
}
"""By game the contracts that it breaks."""


@pytest.fixture
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Let the game be one of the four."""
    monkeypatch.setitem(BUILT_IN, "ram", "tests.faulty:SYSTEM")
    monkeypatch.setattr("tests.faulty.SYSTEM", SYSTEMS[request.param])
    _forget()
    yield request.param
    _forget()


def _forget() -> None:
    for kept in (answers.resolved, answers.judged, answers.chances, invariances.roomy):
        kept.cache_clear()


def _is_kept(contract: Contract) -> bool:
    try:
        contract()
    except AssertionError:
        return False
    return True


@pytest.mark.parametrize("kind", BROKEN, indirect=True)
def test_contracts_that_a_game_breaks(kind: str) -> None:
    """Just those that it is made to break, and none of a game that is right."""
    asked = contracts("ram")
    assert {contract.promise.__name__ for contract in asked if not _is_kept(contract)} == BROKEN[kind]
    assert len(asked) > 40


@pytest.mark.parametrize("kind", ["kept"], indirect=True)
def test_a_game_without_scenarios_is_asked_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Contracts that ask nothing would pass."""
    del kind
    monkeypatch.setattr("tabletop.testing.scenarios", lambda _: ())
    with pytest.raises(UsageError, match=r"'ram' .*\bscenario\b"):
        contracts("ram")
