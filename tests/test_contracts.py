"""What every game system promises, asked of the four systems of this project, whatever else is installed."""

import pytest

from tabletop.registry import BUILT_IN
from tabletop.testing import Contract, contracts
from tests.bundled import FOUR_A_GAME

CONTRACTS = [
    pytest.param(
        contract,
        id=str(contract),
        marks=[
            pytest.mark.xdist_group(contract.scenario),
            *(() if contract.scenario in FOUR_A_GAME else (pytest.mark.slow,)),
        ],
    )
    for system in BUILT_IN
    for contract in contracts(system)
]


@pytest.mark.parametrize("contract", CONTRACTS)
def test_contract(contract: Contract) -> None:
    """Each is kept on each bundled scenario."""
    contract()
