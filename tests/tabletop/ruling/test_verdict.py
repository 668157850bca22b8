"""What rulings say of themselves: marginal findings, the order of turns, the likeliest outcome, the shortest roll."""

from fractions import Fraction

import pytest

from tabletop.ruling.charge import Charge, OddsOutcome
from tabletop.ruling.finding import Finding
from tabletop.ruling.odds import ChargeOdds, TotalOdds
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.state import Board, State

TABLE = State(Board(72.0, 48.0))
RULINGS = tuple(Ruling(Charge(name, ("T",)), "success", "done") for name in "ABC")


@pytest.mark.parametrize(
    ("margin", "expected"),
    [
        (None, False),
        (0.0, True),
        (1e-3, True),
        (-1e-3, True),
        (1e-3 + 1e-7, False),
        (-1e-3 - 1e-7, False),
        (-4.0, False),
        (0, False),
    ],
)
def test_a_margin_within_a_thousandth_is_marginal(margin: float | None, expected: bool) -> None:
    """On either side of the limit, the limit included; where nothing is measured, or things are counted, nothing is
    marginal.
    """
    assert Finding("t9a.range", ok=True, text="", margin=margin).is_marginal is expected


@pytest.mark.parametrize(
    ("order", "expected"), [((), "ABC"), ((2, 0, 1), "CAB"), ((0, 1, 2), "ABC")]
)
def test_turns_are_taken_in_file_order_unless_another_is_given(
    order: tuple[int, ...], expected: str
) -> None:
    """The order names rulings by their place in the file."""
    assert (
        "".join(ruling.charge.charger for ruling in Resolution(TABLE, RULINGS, TABLE, order).turns)
        == expected
    )


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        pytest.param(
            {"success": Fraction(1, 3), "failed": Fraction(2, 3)}, "failed", id="the likelier"
        ),
        pytest.param(
            {"failed": Fraction(1, 2), "success": Fraction(1, 2)},
            "success",
            id="of equals the better",
        ),
        pytest.param({"not_allowed": Fraction(1)}, "not_allowed", id="the only one"),
    ],
)
def test_a_total_stands_for_its_likeliest_outcome(
    outcomes: dict[OddsOutcome, Fraction], expected: OddsOutcome
) -> None:
    """Equally likely ones are taken in the order success, failed, not allowed."""
    assert TotalOdds(7, Fraction(1, 6), outcomes).outcome == expected


@pytest.mark.parametrize(
    ("chances", "expected"),
    [
        pytest.param([], None, id="nothing rolled"),
        pytest.param([0, 0, 0], None, id="never"),
        pytest.param([0, 1, 1], 3, id="from a total on"),
        pytest.param([0, Fraction(1, 36), 0], 3, id="at one total, and seldom"),
    ],
)
def test_the_shortest_roll_is_the_least_total_with_a_chance(
    chances: list[Fraction], expected: int | None
) -> None:
    """A total that may succeed counts, however unlikely; one that holds success with chance 0 does not."""
    totals = tuple(
        TotalOdds(2 + number, Fraction(1, 6), {"success": Fraction(chance)})
        for number, chance in enumerate(chances)
    )
    assert ChargeOdds(RULINGS[0].charge, {}, by_total=totals).shortest_roll == expected
