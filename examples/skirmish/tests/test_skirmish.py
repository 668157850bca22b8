"""The game keeps every contract, and does what its rules say."""

import pytest

import tabletop
from tabletop.testing import Contract, contracts


@pytest.mark.parametrize("contract", contracts("skirmish"), ids=str)
def test_contract(contract: Contract) -> None:
    """Each holds on each bundled scenario."""
    contract()


def test_as_many_as_can_be_are_touched() -> None:
    """Whoever touches one where two can be touched is told so."""
    tables = dict(tabletop.case("skirmish/two-at-once").tables)
    tables["proposal"] = {"units": {"Anna": {"at": [[13 - 25 / 25.4, 8]]}}}
    judged = tabletop.judge(tables)
    assert (judged.outcome, judged.rule) == ("not_allowed", "skirmish.most")


def test_a_plain_search_finds_the_same() -> None:
    """The second opinion is as good."""
    ruling = tabletop.resolve("skirmish/two-at-once", second_opinion=True).rulings[0]
    assert ruling.second_opinion is not None
    assert ruling.second_opinion.verdict == "equal"
