"""The worked examples: values that can be had by hand."""

import math
from fractions import Fraction
from typing import Any

import pytest

from tests.systems.wh40k.tables import Spots, ends, piece, ruling, unit, verdict

ONE = unit([(0, 0)])
T6 = {"T": unit([(6, 0)])}
COLUMN = unit([(0, 3), (0, 6), (0, 9)])
LONG_COLUMN = unit([(0, 1.5), (0, 4.5), (0, 7.5), (0, 10.5)])
FAR_PAIR = {"T": unit([(6, 0)]), "U": unit([(6, 12)])}
NEAR_PAIR = {"T": unit([(6, 0)]), "U": unit([(6, 8.8)])}
THREE = unit([(0, 0), (0, 2.9), (0, 5.8)])
BOTH = ("T", "U")
WALL = (piece("wall", 3, -3, 3.5, 3, height=5),)
BLOCK = (piece("block", 4, -2, 8, 2, height=3),)
ON_BLOCK = {"T": unit([(5, 0, 3)])}


def test_one_model_against_one() -> None:
    """Distance 5: engaged from 4 on, in contact from 5 on, and then it must be."""
    found = ruling(ONE, T6, total=3)
    assert (found.outcome, found.rule) == ("failed", "wh40k.possible.engage-all")
    assert found.metrics["distance"] == pytest.approx(5.0)
    assert (found.metrics["needed"], found.chance_success) == (4, Fraction(33, 36))
    assert found.metrics["needed_distance"] == pytest.approx(4.0, abs=1e-3)
    assert ends(ONE, T6, total=4) == [pytest.approx((4, 0, 0), abs=1e-6)]
    for total in (5, 8, 12):
        assert ends(ONE, T6, total=total) == [pytest.approx((5, 0, 0), abs=1e-6)]


def test_one_model_against_two_targets() -> None:
    """Where two engagement ranges just meet one model serves both; where they do not no roll helps."""
    near = {"T": unit([(5, 1.8)]), "U": unit([(5, -1.8)])}
    assert ruling(ONE, near, total=4, targets=BOTH).rule == "wh40k.possible.engage-all"
    assert ends(ONE, near, total=5, targets=BOTH) == [
        pytest.approx((5 - math.sqrt(4 - 3.24), 0, 0), abs=1e-5)
    ]
    assert ruling(ONE, near, total=5, targets=BOTH).metrics["models_in_base_contact"] == 0
    far = {"T": unit([(5, 2.1)]), "U": unit([(5, -2.1)])}
    for total in (4, 8, 12):
        found = ruling(ONE, far, total=total, targets=BOTH)
        assert (found.rule, "needed" in found.metrics, found.shortest_roll) == (
            "wh40k.possible.engage-all",
            False,
            None,
        )


@pytest.mark.parametrize(
    ("total", "rule"), [(4, "engage-all"), (5, "coherency"), (8, "coherency"), (12, "coherency")]
)
def test_three_models_cannot_bridge(total: int, rule: str) -> None:
    """Two hops bridge 6 of the 8 inches between the zones, whatever is rolled."""
    found = ruling(COLUMN, FAR_PAIR, total=total, targets=BOTH)
    assert (found.outcome, found.rule) == ("failed", f"wh40k.possible.{rule}")
    assert "needed" not in found.metrics


def test_four_models_bridge() -> None:
    """Three hops bridge 9: from 6 - sqrt(1.75) on."""
    found = ruling(LONG_COLUMN, FAR_PAIR, total=5, targets=BOTH)
    assert (found.outcome, found.metrics["needed"], found.metrics["models_in_base_contact"]) == (
        "success",
        5,
        0,
    )
    assert found.metrics["needed_distance"] == pytest.approx(6 - math.sqrt(1.75), abs=1e-3)


@pytest.mark.parametrize(("total", "contacts"), [(5, 0), (6, 1), (9, 1), (12, 1)])
def test_one_contact_of_two(total: int, contacts: int) -> None:
    """Contacts with both targets would part the unit: exactly one can be made."""
    found = ruling(THREE, NEAR_PAIR, total=total, targets=BOTH)
    assert (found.outcome, found.metrics["models_in_base_contact"]) == ("success", contacts)


def test_who_moves_first_owes_the_contact() -> None:
    """A plan without contacts breaks the duty of whoever moves first."""
    idle: Spots = [(4.6, 1.42), (4.6, 4.4), (4.6, 7.38)]
    judged = verdict(idle, THREE, NEAR_PAIR, total=10, targets=BOTH)
    assert (judged.outcome, judged.rule) == ("not_allowed", "wh40k.move.contact")


@pytest.mark.parametrize(
    ("keywords", "total", "end"),
    [
        (["infantry"], 4, (4, 0)),
        (["infantry"], 5, (5, 0)),
        (["cavalry"], 8, None),
        (["cavalry"], 9, None),
    ],
)
def test_through_or_round_the_wall(
    keywords: list[str], total: int, end: tuple[float, float] | None
) -> None:
    """Infantry goes through; cavalry goes round the corner, which costs it 7.540, and 8.540 to contact."""
    rider = unit([(0, 0)], keywords=keywords)
    found = ruling(rider, T6, total=total, terrain=WALL)
    assert found.outcome == "success"
    assert found.metrics["needed"] == (4 if keywords == ["infantry"] else 8)
    assert found.metrics["models_in_base_contact"] == (0 if total in (4, 8) else 1)
    if end is not None:
        assert ends(rider, T6, total=total, terrain=WALL) == [pytest.approx((*end, 0), abs=1e-6)]
    if keywords == ["cavalry"]:
        assert found.metrics["needed_distance"] == pytest.approx(7.540, abs=1e-3)
        assert ruling(rider, T6, total=7, terrain=WALL).outcome == "failed"


def test_contact_round_the_wall_costs() -> None:
    """Contact behind the wall takes 8.540."""
    found = ruling(unit([(0, 0)], keywords=["cavalry"]), T6, total=9, terrain=WALL)
    assert found.metrics["total_move"] == pytest.approx(8.540, abs=1e-3)


@pytest.mark.parametrize(
    ("total", "support", "contacts"),
    [(3, "full", 0), (7, "full", 0), (8, "full", 1), (6, "centre", 0), (7, "centre", 1)],
)
def test_up_on_the_block(total: int, support: str, contacts: int) -> None:
    """From the ground it is engaged for 3; contact on top takes the climb, and room for the whole base unless the
    centre is enough.
    """
    found = ruling(ONE, ON_BLOCK, total=total, terrain=BLOCK, rules={"support": support})
    assert (found.outcome, found.metrics["needed"], found.metrics["models_in_base_contact"]) == (
        "success",
        3,
        contacts,
    )


def test_where_it_stands_on_the_block() -> None:
    """On top it touches in one of two places that mirror each other, for 7.5826."""
    found = ruling(ONE, ON_BLOCK, total=8, terrain=BLOCK)
    assert found.metrics["total_move"] == pytest.approx(7.5826, abs=1e-4)
    assert found.choices == 2
    ((x, y, z),) = ends(ONE, ON_BLOCK, total=8, terrain=BLOCK)
    assert (x, abs(y), z) == pytest.approx((4.5, 0.8660, 3.0), abs=1e-4)
    assert ends(ONE, ON_BLOCK, total=7, terrain=BLOCK, rules={"support": "centre"}) == [
        pytest.approx((4, 0, 3), abs=1e-6)
    ]


PAIR = unit([(2, 0), (0, 0)])
T8 = {"T": unit([(8, 0)])}


def test_the_second_model_follows() -> None:
    """The first takes the contact for 5, the second comes within 2 of it for 4."""
    assert ends(PAIR, T8, total=6) == [
        pytest.approx((7, 0, 0), abs=1e-6),
        pytest.approx((4, 0, 0), abs=1e-6),
    ]
    assert ruling(PAIR, T8, total=6).metrics["total_move"] == pytest.approx(9.0)


@pytest.mark.parametrize(
    ("second", "outcome", "rule"),
    [
        ((6.0, 0.0), "success", None),
        ((4.0, 0.0), "success", None),
        ((3.9, 0.0), "not_allowed", "wh40k.possible.coherency"),
        ((0.0, 0.0), "not_allowed", "wh40k.possible.coherency"),
    ],
)
def test_other_places_for_the_second(
    second: tuple[float, float], outcome: str, rule: str | None
) -> None:
    """Any place from which the unit holds together is legal; farther back it is not."""
    judged = verdict([(7, 0), second], PAIR, T8, total=6)
    assert (judged.outcome, judged.rule) == (outcome, rule)


@pytest.mark.parametrize(
    ("facing", "gap", "needed"), [(0, 5.8937, 5), (45, 6.1989, 6), (90, 6.5433, 6)]
)
def test_ovals_are_measured_exactly(facing: float, gap: float, needed: int) -> None:
    """The distance to an oval depends on how it stands; a circle about it would say less for all."""
    a = unit([(0, 0)], base="32mm round")
    t = {"T": unit([(8, 0)], base="75x42mm oval", facing_deg=facing)}
    found = ruling(a, t, total=needed)
    assert found.metrics["distance"] == pytest.approx(gap, abs=1e-4)
    assert (found.metrics["needed"], found.metrics["models_in_base_contact"]) == (needed, 0)
    assert ruling(a, t, total=needed + 1).metrics["models_in_base_contact"] == 1


@pytest.mark.parametrize(
    ("lost", "outcome", "rule"), [([0], "failed", "wh40k.overwatch.retest"), ([1], "success", None)]
)
def test_overwatch_may_end_a_charge(lost: list[int], outcome: str, rule: str | None) -> None:
    """Who is left must still have a complete plan."""
    a = unit([(0, 0), (-3, 0)])
    found = ruling(a, T6, total=5, overwatch={"before": lost})
    assert (found.outcome, found.rule, found.metrics["needed"]) == (outcome, rule, 4)
    if lost == [0]:
        assert found.metrics["needed_after_overwatch"] == 7
        assert found.chance_success == Fraction(21, 36)
        assert ends(a, T6, total=5, overwatch={"before": lost}) == [pytest.approx((-3, 0, 0))]


BYSTANDER: dict[str, dict[str, Any]] = {**T6, "N": unit([(5.2, 1.5)])}


def test_a_bystander_in_the_way() -> None:
    """Its engagement range must be kept out of: 4 is not enough, and the contact has to be made from the side."""
    assert ruling(ONE, BYSTANDER, total=4).rule == "wh40k.possible.avoid-others"
    found = ruling(ONE, BYSTANDER, total=5)
    assert (found.outcome, found.metrics["needed"], found.metrics["models_in_base_contact"]) == (
        "success",
        5,
        0,
    )
    assert found.metrics["needed_distance"] == pytest.approx(4.0039, abs=1e-3)
    contact = ruling(ONE, BYSTANDER, total=6)
    assert contact.metrics["models_in_base_contact"] == 1
    assert contact.metrics["total_move"] == pytest.approx(5.158, abs=1e-3)
    assert ends(ONE, BYSTANDER, total=6) == [pytest.approx((5.1334, -0.4990, 0), abs=1e-3)]
