"""Contracts find what is wrong with a game: a judge who always says yes, a charge through a tower, a charger an inch
off.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from tabletop.errors import UsageError
from tabletop.registry import BUILT_IN
from tabletop.ruling.system import Case
from tabletop.testing import Contract, answers, contracts, invariances, promises
from tests.faulty import SYSTEMS

BROKEN = {
    "kept": set(),
    "yes": {
        "nonsense_is_refused",
        "a_success_spoiled_by_a_hundredth_is_refused",
        "a_claim_is_forgiven_one_hand",
    },
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
    for kept in (answers.answered, answers.chances, invariances.roomy):
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
    assert {contract.promise.__name__ for contract in asked if not _is_kept(contract)} == BROKEN[
        kind
    ]
    assert len(asked) > 40


@pytest.mark.parametrize(
    ("promise", "spoiled", "told"),
    [
        (
            promises.scenario_explains_itself,
            lambda case: replace(case, title="", source=""),
            "no title, source: add",
        ),
        (
            promises.scenario_explains_itself,
            lambda case: replace(case, expect=()),
            r"1 \[\[charges\]\] and 0 \[\[expect\]\]: add one",
        ),
        (
            promises.scenario_is_as_expected,
            lambda case: replace(case, expect=(replace(case.expect[0], outcome="failed"),)),
            "outcome.*failed",
        ),
    ],
)
@pytest.mark.parametrize("kind", ["kept"], indirect=True)
def test_a_contract_says_what_is_missing(
    kind: str,
    promise: Callable[[str], None],
    spoiled: Callable[[Case], Case],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A failure names what a scenario lacks and what to do, and its note the scenario and what is asked."""
    del kind
    contract = next(one for one in contracts("ram") if one.promise is promise)
    case, resolution = answers.resolved(contract.scenario)
    monkeypatch.setattr(promises, "resolved", lambda _: (spoiled(case), resolution))
    with pytest.raises(AssertionError, match=told) as failed:
        contract()
    assert failed.value.__notes__[-1].startswith(f"{contract.scenario}: Check that")


@pytest.mark.parametrize("kind", ["kept"], indirect=True)
def test_a_game_without_scenarios_is_asked_nothing(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Contracts that ask nothing would pass."""
    del kind
    monkeypatch.setattr("tabletop.testing.scenarios", lambda _: ())
    with pytest.raises(UsageError, match=r"'ram' .*\bscenario\b"):
        contracts("ram")
