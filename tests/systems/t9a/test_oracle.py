"""The solver against the brute force: it is never beaten, and every claim is confirmed by small samples."""

import pytest

from tests.oracles.referee import referee
from tests.oracles.scenes import random_case

IN_EVERY_RUN = 60


@pytest.mark.parametrize("number", range(IN_EVERY_RUN))
def test_solver_against_brute_force(number: int) -> None:
    """A ruling on a random table holds against snaking moves and slides tried one by one."""
    assert referee(random_case(number)).complaints == ()
