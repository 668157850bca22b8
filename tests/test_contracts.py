"""What every game system promises, asked of the four systems of this project, whatever else is installed."""

import pytest

from tabletop.registry import BUILT_IN
from tabletop.testing import Contract, contracts
from tests.bundled import marks_of

CONTRACTS = [
    pytest.param(
        contract,
        id=str(contract),
        marks=marks_of(contract.scenario),
    )
    for system in BUILT_IN
    for contract in contracts(system)
]


@pytest.mark.parametrize("contract", CONTRACTS)
def test_contract(contract: Contract) -> None:
    """Each is kept on each bundled scenario."""
    contract()
