"""Exact chances over all faces: the closed form, re-rolls, what else may fail, charges one after the other."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from systems.conquest import resolve as module
from tabletop.errors import NoVerdictError
from tabletop.ruling.system import Case
from tests.oracles.conquest.scenes import random_case
from tests.tables import box, case, charger, odds, resolve, unit, with_dice

SIXTH = Fraction(1, 6)


def straight(inches: float, **rest: Any) -> Case:
    """Return a charge straight ahead with a March of 5."""
    return case({"A": charger(**rest), "B": unit((20, 10 + inches), 270)}, dice=None)


@pytest.mark.parametrize("needed", range(1, 8))
@pytest.mark.parametrize("reroll", [False, True])
def test_odds_closed_form(needed: int, reroll: bool) -> None:
    """The chance of success is that of the roll, once or twice tried, to the fraction."""
    once = Fraction(max(0, 7 - needed), 6)
    chance = 1 - (1 - once) ** 2 if reroll else once
    (one,) = odds(straight(4.5 + needed, reroll=reroll)).charges
    assert one.outcomes["success"] == chance
    assert one.rules == ({"conquest.range": 1 - chance} if chance < 1 else {})
    assert one.shortest_roll == (needed if needed < 7 else None)


def test_odds_by_face() -> None:
    """Each face that may be kept has its chance and its outcome."""
    (one,) = odds(straight(8.0, reroll=True)).charges
    assert [total.outcome for total in one.by_total] == ["failed"] * 2 + ["success"] * 4
    assert sum(total.chance for total in one.by_total) == 1
    assert {total.total: total.chance for total in one.by_total}[6] == SIXTH + 2 * SIXTH * SIXTH


def test_odds_of_what_a_longer_roll_brings() -> None:
    """A roll that reaches is not enough where the only way is longer: each rule that fails it has its chance."""
    walls = [box((15, 17), (4, 13), name="west"), box((23, 25), (4, 13), name="east")]
    question = case({"B": unit((23, 18), 225, 8)}, walls, dice=None, wheel_policy="least-turn")
    (one,) = odds(question).charges
    assert one.outcomes == {"success": 4 * SIXTH, "failed": 2 * SIXTH, "not_allowed": 0}
    assert one.rules == {"conquest.move.charge-distance": 2 * SIXTH}
    assert one.shortest_roll == 3


def test_odds_of_a_refused_charge() -> None:
    """What may not be declared is not rolled for."""
    (one,) = odds(straight(8.0, status=["done"])).charges
    assert one.outcomes == {"success": 0, "failed": 0, "not_allowed": 1}
    assert (one.shortest_roll, one.by_total) == (None, ())


def test_odds_set_given_faces_aside() -> None:
    """Faces in the file do not matter."""
    given = case({"B": unit((20, 18), 270)}, dice=(1,))
    assert odds(given).charges[0].outcomes["success"] == 4 * SIXTH


TWICE = {
    "B": unit((20, 18), 270),
    "C": charger((20, 7), 90, 1, size=3, march=7),
}
"""C stands behind A, and has a way to B only through A or past it."""


def two(*faces: int) -> Case:
    """Make A and then C charge B."""
    first = case(TWICE, dice=None, wheel_policy="least-turn")
    charges = (first.charges[0], replace(first.charges[0], charger="C"))
    dice = (
        tuple(replace(charge, dice=(face,)) for charge, face in zip(charges, faces, strict=True))
        if faces
        else charges
    )
    return replace(first, charges=dice)


def test_odds_agree_with_every_throw() -> None:
    """Two charges one after the other: resolving all 36 throws one by one counts to the same chances."""
    rows = [
        tuple(ruling.outcome for ruling in resolve(two(*faces)).rulings)
        for faces in product(range(1, 7), repeat=2)
    ]
    assert odds(two()).joint == {row: Fraction(rows.count(row), 36) for row in rows}


def test_the_second_charge_meets_what_the_first_left() -> None:
    """Where A stands after its charge decides what C finds."""
    assert [ruling.charge.charger for ruling in resolve(two(3, 6)).rulings] == ["A", "C"]
    assert resolve(two(3, 6)).rulings[1].metrics["distance"] == pytest.approx(11.0, abs=1e-9)


def test_odds_of_too_many_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the first charge leaves more tables than are gone through, the second is named with their count."""
    monkeypatch.setattr(module.Phase, "most_tables", 2)
    with pytest.raises(NoVerdictError, match=r"charges\[1\] \(C .*B\) .*\b[3-7] .* 2\b"):
        odds(two())


def test_odds_agree_with_the_ruling() -> None:
    """A ruling states the chance and the shortest roll that the odds give, whatever was rolled."""
    for question in (straight(8.0), straight(8.0, reroll=True), straight(12.0)):
        (one,) = odds(question).charges
        faces = (
            (6, 6)
            if question.state.units["A"].profile.reroll and one.shortest_roll is None
            else (6,)
        )
        ruling = resolve(
            replace(question, charges=(replace(question.charges[0], dice=faces),))
        ).rulings[0]
        assert (ruling.chance_success, ruling.shortest_roll) == (
            one.outcomes["success"],
            one.shortest_roll,
        )


@pytest.mark.parametrize("number", [*range(8), 19, 111, 1232])
def test_odds_resolve_every_face_in_full(number: int) -> None:
    """On random tables the odds, and the chance that a ruling states, are those of resolving the six faces one by
    one.
    """
    question = random_case(number)
    rulings = [resolve(with_dice(question, face)).rulings[0] for face in range(1, 7)]
    (one,) = odds(question).charges
    completed = [face for face, ruling in enumerate(rulings, 1) if ruling.outcome == "success"]
    assert one.outcomes["success"] == Fraction(len(completed), 6)
    assert one.shortest_roll == min(completed, default=None)
    rules = [ruling.rule for ruling in rulings if ruling.outcome == "failed"]
    assert (
        one.rules == {rule: Fraction(rules.count(rule), 6) for rule in rules}
        or rulings[0].outcome == "not_allowed"
    )
    assert {(ruling.chance_success, ruling.shortest_roll) for ruling in rulings} == {
        (one.outcomes["success"], one.shortest_roll)
    }
