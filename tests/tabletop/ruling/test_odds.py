"""Folding what may happen into exact chances."""

from fractions import Fraction

from tabletop.ruling.charge import Charge
from tabletop.ruling.odds import (
    Ending,
    TotalOdds,
    added,
    by_total,
    charge_odds,
    likeliest_first,
    outcome_chances,
)

THIRD = Fraction(1, 3)
HALF = Fraction(1, 2)
SIXTH = Fraction(1, 6)
CHARGE = Charge("A", ("B",))


def test_chances_of_the_same_thing_are_added() -> None:
    """Each thing is there once, in the order in which it is found, or the likeliest first."""
    found = [("a", SIXTH), ("b", HALF), ("a", SIXTH)]
    assert list(added(found).items()) == [("a", THIRD), ("b", HALF)]
    assert list(likeliest_first(found).items()) == [("b", HALF), ("a", THIRD)]


def test_every_outcome_has_a_chance() -> None:
    """An outcome that never happens has the chance 0."""
    assert outcome_chances([("success", THIRD)]) == {
        "success": THIRD,
        "failed": 0,
        "not_allowed": 0,
    }


def test_odds_of_one_charge() -> None:
    """Outcomes and deciding rules are added up; totals are kept as they are."""
    verdicts = [
        Ending("success", None, HALF),
        Ending("failed", "x.range", THIRD),
        Ending("failed", "x.room", SIXTH),
    ]
    totals = [TotalOdds(6, HALF, {"success": HALF})]
    odds = charge_odds(CHARGE, verdicts, totals)
    assert odds.outcomes == {"success": HALF, "failed": HALF, "not_allowed": 0}
    assert odds.rules == {"x.range": THIRD, "x.room": SIXTH}
    assert odds.by_total == tuple(totals)
    assert odds.shortest_roll == 6


PLAIN = {5: HALF, 6: HALF}


def test_totals_share_their_chances_among_the_outcomes() -> None:
    """Chances with the same total are added, the totals upwards."""
    verdicts = [
        Ending("success", None, HALF, 6),
        Ending("failed", "x.range", THIRD, 5),
        Ending("failed", "x.room", SIXTH, 6),
    ]
    totals = by_total(verdicts, PLAIN)
    assert [(one.total, one.chance) for one in totals] == [(5, THIRD), (6, HALF + SIXTH)]
    assert totals[1].outcomes == {"success": HALF, "failed": SIXTH, "not_allowed": 0}


def test_dice_that_decide_nothing_are_shared_out_as_they_fall() -> None:
    """Where the charge may not be declared on some table its throw is there all the same; where it never may, nothing
    is rolled.
    """
    refused = Ending("not_allowed", "x.once", HALF)
    totals = by_total([refused, Ending("success", None, HALF, 6)], PLAIN)
    assert [one.outcomes["not_allowed"] for one in totals] == [HALF * HALF, HALF * HALF]
    assert sum(one.chance for one in totals) == 1
    assert by_total([refused, refused], PLAIN) == ()
