"""The solver against the brute force: it is never beaten, and every claim is confirmed by small samples."""

import pytest

from tests.oracles.combined_referee import referee_combined
from tests.oracles.groups import random_group
from tests.oracles.referee import referee
from tests.oracles.scenes import random_case
from tests.oracles.spoiled import misjudged

IN_EVERY_RUN = 60
REMEMBERED = (
    78,
    81,
    93,
    107,
    139,
    159,
    241,
    343,
    455,
    497,
    725,
    1050,
    1063,
    1210,
    1265,
    9026,
    23206,
)
"""Scenes of longer runs that once found a fault."""


@pytest.mark.parametrize("number", [*range(IN_EVERY_RUN), *REMEMBERED])
def test_solver_against_brute_force(number: int) -> None:
    """A ruling on a random table holds against snaking moves and slides tried one by one."""
    assert referee(random_case(number)).complaints == ()


COMBINED = (1, 2, 5, 7, 9, 12)
COMBINED_REMEMBERED = (4, 26, 28, 30, 31, 34, 42, 43, 47)


@pytest.mark.parametrize("number", [*COMBINED, *COMBINED_REMEMBERED])
def test_combined_charges_against_brute_force(number: int) -> None:
    """No order and no places tried one by one beat a combined charge, and each of its moves holds by itself."""
    assert referee_combined(random_group(number)).complaints == ()


@pytest.mark.parametrize("number", range(300, 330))
def test_judge_against_spoiled_places(number: int) -> None:
    """Places lifted off, turned or slid to where the brute force finds them wrong are refused; as good ones are
    accepted.
    """
    assert list(misjudged(random_case(number), number)) == []
