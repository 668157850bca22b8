"""The solver against the brute force: it is never beaten, and stands where thousands of wheels say."""

import pytest

from tests.oracles.conquest.referee import referee
from tests.oracles.conquest.scenes import random_case

IN_EVERY_RUN = 40
REMEMBERED = (316, 705, 852, 5058, 5551, 6155, 40086)
"""Scenes of longer runs that once found the two apart."""


@pytest.mark.parametrize("number", [*range(IN_EVERY_RUN), *REMEMBERED])
def test_solver_against_brute_force(number: int) -> None:
    """A ruling on a random table holds against wheels tried one by one, closer than a milliradian."""
    assert referee(random_case(number)).complaints == ()
