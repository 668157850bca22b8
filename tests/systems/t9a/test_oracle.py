"""The solver against the brute force: it is never beaten, and every claim is confirmed by small samples."""

import pytest

from tests.oracles.referee import referee
from tests.oracles.scenes import random_case

IN_EVERY_RUN = 60
REMEMBERED = (78, 81, 93, 107, 139, 159, 241, 343, 455, 497, 725, 1050, 1063, 1210, 1265)
"""Scenes of longer runs that once found a fault."""


@pytest.mark.parametrize("number", [*range(IN_EVERY_RUN), *REMEMBERED])
def test_solver_against_brute_force(number: int) -> None:
    """A ruling on a random table holds against snaking moves and slides tried one by one."""
    assert referee(random_case(number)).complaints == ()
