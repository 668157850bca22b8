"""The odds and `resolve` say the same of every throw: of bundled and of random tables, and of a flyer over a ridge."""

from fractions import Fraction

import pytest

from tabletop.api import odds, resolve
from tabletop.errors import NoVerdictError
from tabletop.scenario import read_case
from tests.bundled import NAMES, each_of
from tests.oracles.agreed import GAMES, LASTING, complaints
from tests.systems.wh40k.test_bounds import over_a_ridge

FEW = [
    ("t9a", 0),
    ("conquest", 0),
    ("battletech", 0),
    ("wh40k-flights", 30),
    *(pytest.param("t9a", number, marks=pytest.mark.slow) for number in range(1, 6)),
    *(pytest.param("conquest", number, marks=pytest.mark.slow) for number in range(1, 8)),
    *(pytest.param("battletech", number, marks=pytest.mark.slow) for number in range(1, 8)),
    *(pytest.param("wh40k-flights", number, marks=pytest.mark.slow) for number in (1, 20, 36)),
]
"""Random tables that take little time, among them flyers of which a search did not finish."""


@each_of([name for name in NAMES if name not in LASTING])
def test_every_throw_of_a_bundled_scenario_comes_to_what_the_odds_tell(name: str) -> None:
    """Rows of outcomes, rules and chances are those of all throws."""
    assert list(complaints(read_case(name))) == []


@pytest.mark.parametrize(("game", "number"), FEW)
def test_every_throw_of_a_random_table_comes_to_what_the_odds_tell(game: str, number: int) -> None:
    """The same, where also what is open in one is open in the other."""
    assert list(complaints(GAMES[game](number))) == []


def test_a_flyer_over_a_ridge() -> None:
    """A search that did not finish proves no failure: 6 to 11 are open of an oval, and 12 is enough, in both
    answers.
    """
    case = over_a_ridge("60x35mm oval")
    told = odds(case).charges[0]
    outcomes = {total.total: total.outcome for total in told.by_total}
    assert [total for total, outcome in outcomes.items() if outcome == "undecided"] == [
        *range(6, 12)
    ]
    assert (outcomes[5], outcomes[12]) == ("failed", "success")
    with pytest.raises(NoVerdictError, match=r"\b11 in\b"):
        resolve(case)
    (ruling,) = resolve(case, dice=(6, 6)).rulings
    assert ruling.outcome == "success"
    assert ruling.chances == told.chances == (Fraction(1, 36), Fraction(26, 36))


@pytest.mark.parametrize(("total", "outcome"), [(11, "failed"), (12, "success")])
def test_a_disc_that_flies_over_a_ridge(total: int, outcome: str) -> None:
    """Its shortest flight is proved to be 11.748 in, so that both answers know every throw."""
    case = over_a_ridge()
    told = odds(case).charges[0]
    assert {one.total: one.outcome for one in told.by_total}[total] == outcome
    (ruling,) = resolve(case, dice=(6, total - 6)).rulings
    assert ruling.outcome == outcome
    assert ruling.chances == told.chances == (Fraction(1, 36), Fraction(1, 36))
