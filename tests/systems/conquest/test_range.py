"""The Charge Roll: the face kept, re-rolls, the Charge Distance, and whether it is enough."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from tabletop.errors import ScenarioError
from tabletop.ruling.verdict import Ruling
from tests.tables import case, charger, finding, resolve, rule_on, unit


def straight(inches: float, *, dice: tuple[int, ...], **rest: Any) -> Ruling:
    """Rule on a charge straight ahead over a distance, with a March of 5."""
    return rule_on({"A": charger(**rest), "B": unit((20, 10 + inches), 270)}, dice=dice)


def test_roll() -> None:
    """One face is rolled and kept."""
    ruling = straight(8, dice=(4,))
    assert ruling.metrics["roll"] == 4
    assert finding(ruling, "conquest.roll").measured == pytest.approx(4)


@pytest.mark.parametrize(
    ("dice", "kept", "outcome"),
    [((3,), 3, "success"), ((2, 3), 3, "success"), ((2, 1), 1, "failed"), ((6,), 6, "success")],
)
def test_roll_again(dice: tuple[int, ...], kept: int, outcome: str) -> None:
    """With a re-roll a face that is not enough is rolled again, and the second stands."""
    ruling = straight(8, dice=dice, reroll=True)
    assert (ruling.metrics["roll"], ruling.outcome) == (kept, outcome)


@pytest.mark.parametrize(
    ("dice", "reroll"),
    [((), False), ((3, 3), False), ((2,), True), ((3, 6, 1), True), ((2, 2, 6), True)],
)
def test_roll_wants_exactly_its_faces(dice: tuple[int, ...], reroll: bool) -> None:
    """A missing face, a second one without a re-roll, and a third are errors."""
    with pytest.raises(ScenarioError):
        straight(8, dice=dice, reroll=reroll)


def test_roll_lets_a_face_for_the_re_roll_lie() -> None:
    """A profile that may re-roll can use two faces; where the first is enough the second is not rolled."""
    ruling = straight(8, dice=(3, 6), reroll=True)
    assert (ruling.metrics["roll"], ruling.outcome) == (3, "success")


def test_roll_names_the_missing_one() -> None:
    """A first face that is not enough and no second: the message says which is missing."""
    with pytest.raises(ScenarioError, match="re-roll"):
        straight(8, dice=(2,), reroll=True)


def test_roll_flat_faces() -> None:
    """A flat list is dealt to the charges one after the other, each taking what it rolls."""
    units = {
        "A": charger(reroll=True),
        "B": unit((20, 18), 270),
        "C": charger((40, 10)),
        "D": unit((40, 18), 270),
    }
    question = case(units, dice=None)
    second = replace(question.charges[0], charger="C", targets=("D",))
    rulings = resolve(
        replace(question, charges=(*question.charges, second)), flat=(1, 5, 4)
    ).rulings
    assert [ruling.metrics["roll"] for ruling in rulings] == [5, 4]


@pytest.mark.parametrize(("march", "face", "reach"), [(5, 3, 8.0), (0.5, 6, 6.5), (30, 1, 31.0)])
def test_charge_distance(march: float, face: int, reach: float) -> None:
    """The Charge Distance is March and face together."""
    ruling = straight(5, dice=(face,), march=march)
    assert ruling.metrics["charge_distance"] == pytest.approx(reach)
    assert finding(ruling, "conquest.charge-distance").measured == pytest.approx(reach)


@pytest.mark.parametrize(
    ("inches", "needed"),
    [(4.5, 1), (6.0, 1), (6.0000005, 1), (6.00001, 2), (8.5, 4), (11.0, 6), (11.00001, None)],
)
def test_range_least_face(inches: float, needed: int | None) -> None:
    """The least face that is enough is one at least, and left out where none is."""
    ruling = straight(inches, dice=(6,))
    assert ruling.metrics.get("roll_needed") == needed
    assert ruling.shortest_roll == needed


@pytest.mark.parametrize("needed", range(1, 8))
@pytest.mark.parametrize("reroll", [False, True])
def test_range_chance(needed: int, reroll: bool) -> None:
    """The chance of the roll is the closed form, once or twice tried."""
    once = Fraction(7 - needed, 6)
    chance = 1 - (1 - once) ** 2 if reroll else once
    ruling = straight(
        4.5 + needed, dice=(6,) if needed < 7 or not reroll else (6, 6), reroll=reroll
    )
    assert ruling.metrics["chance_roll"] == pytest.approx(float(chance), abs=1e-12)
    assert ruling.metrics["chance_roll_fraction"] == str(chance)
    assert ruling.chance_success == chance
