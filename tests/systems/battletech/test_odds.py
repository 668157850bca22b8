"""Exact chances: tables of locations and motive damage, chances of one charge and of several, all as fractions."""

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import Any

import pytest

from systems.battletech import joint
from systems.battletech.declarations import declare_all
from systems.battletech.locations import Motive, Side, column_of, motive_draw
from systems.battletech.odds import odds_of as odds_of_one
from systems.battletech.resolving import resolve_declared
from systems.battletech.rolling import Draw, chance_to_pass
from systems.battletech.situation import Combatant
from systems.battletech.vocabulary import Choices, Motion, Profile
from tabletop.asking import odds as odds_of
from tabletop.dice import Throws
from tabletop.errors import NoVerdictError
from tabletop.ruling import Case
from tests.systems.battletech.tables import Entry, charge, charger, odds, ruling, table, terrain, unit

FRONT = {"CT": 7, "RA": 5, "LA": 5, "RT": 5, "LT": 5, "RL": 4, "LL": 4, "HD": 1}
RIGHT = {"RL": 7, "RA": 7, "RT": 7, "CT": 5, "LT": 4, "LA": 3, "LL": 2, "HD": 1}
LEFT = {"LL": 7, "LA": 7, "LT": 7, "CT": 5, "RT": 4, "RA": 3, "RL": 2, "HD": 1}
MOTIVE: tuple[Motive, ...] = ("none", "minor", "moderate", "heavy", "immobile")


def combatant(**profile: Any) -> Combatant:
    """Make a unit of which only the profile matters."""
    return Combatant("B", "red", (5, 5), 0, Profile(**{"type": "mech", "tons": 50, **profile}))


def share_of(draw: Draw[Any], name: str) -> Fraction:
    """Give the chance of a location or of a motive result."""
    return draw.share(lambda one: getattr(one, "code", one) == name)


def shares(draw: Draw[Any]) -> dict[str, Fraction]:
    """Give the chances of the locations of a column, in 36ths."""
    return {code: 36 * share_of(draw, code) for code in {hit.code for hit in draw.results}}


@pytest.mark.parametrize(("side", "counts"), [("front", FRONT), ("rear", FRONT), ("right", RIGHT), ("left", LEFT)])
def test_locations_of_mechs(side: Side, counts: Mapping[str, int]) -> None:
    """battletech.damage.location: how many throws of 36 put a group where."""
    assert shares(column_of(combatant(), "mech", side=side, choices=Choices())) == counts


def test_locations_of_four_legged_mechs() -> None:
    """battletech.damage.location: front legs stand in the place of arms, rear legs in that of legs."""
    names = {"LA": "FLL", "RA": "FRL", "LL": "RLL", "RL": "RRL"}
    found = shares(column_of(combatant(legs=4), "mech", side="front", choices=Choices()))
    assert found == {names.get(code, code): count for code, count in FRONT.items()}


@pytest.mark.parametrize(
    ("side", "turret", "counts", "motive"),
    [
        ("front", True, {"FR": 1 + 2 + 3 + 5 + 6 + 5, "RS": 4, "LS": 4, "TU": 6}, 2 + 3 + 4 + 4),
        ("rear", True, {"RR": 22, "LS": 4, "RS": 4, "TU": 6}, 13),
        ("right", True, {"RS": 22, "FR": 4, "RR": 4, "TU": 6}, 13),
        ("left", True, {"LS": 22, "FR": 4, "RR": 4, "TU": 6}, 13),
        ("left", False, {"LS": 28, "FR": 4, "RR": 4}, 13),
    ],
)
def test_locations_of_vehicles(side: Side, turret: bool, counts: Mapping[str, int], motive: int) -> None:
    """battletech.damage.location: without a turret its hits go to the side attacked; 13 throws of 36 ask for a motive roll."""
    column = column_of(combatant(type="vehicle", turret=turret), "vehicle", side=side, choices=Choices())
    assert shares(column) == counts
    assert column.share(lambda hit: hit.is_motive) == Fraction(motive, 36)


def test_front_of_vehicles_by_choice() -> None:
    """battletech.damage.location: a 5 on the front hits the right side, or the left by choice; a 9 the left in both."""
    right, left = (
        column_of(combatant(type="vehicle"), "vehicle", side="front", choices=Choices(vehicle_front_5=side)).results
        for side in ("right", "left")
    )
    assert (right[3].code, left[3].code, right[7].code, left[7].code) == ("RS", "LS", "LS", "LS")


@pytest.mark.parametrize(
    ("side", "motion", "counts"),
    [
        ("front", "tracked", (10, 11, 9, 5, 1)),
        ("rear", "tracked", (6, 9, 11, 7, 3)),
        ("left", "tracked", (3, 7, 11, 9, 6)),
        ("front", "wheeled", (3, 7, 11, 9, 6)),
        ("front", "hover", (1, 5, 9, 11, 10)),
        ("right", "wheeled", (0, 3, 7, 11, 15)),
        ("right", "hover", (0, 1, 5, 9, 21)),
    ],
)
def test_motive_results(side: Side, motion: Motion, counts: tuple[int, ...]) -> None:
    """battletech.motive.immediate: how many throws of 36 give each result, by side and motion."""
    draw = motive_draw(side, motion)
    assert tuple(36 * share_of(draw, result) for result in MOTIVE) == counts


def test_rolls_against_a_number() -> None:
    """Two dice reach 2 to 12 in so many throws of 36; lower numbers are sure, higher ones hopeless."""
    assert [36 * chance_to_pass(number) for number in range(1, 14)] == [36, 36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1, 0]


PLAIN = {"A": charger("0507"), "B": unit("0506")}


def weapons(**events: Any) -> Entry:
    """Write a charge of 4 hexes with weapon-phase events."""
    return charge(4, weapon_phase=events)


@pytest.mark.parametrize(
    ("events", "success"),
    [
        ({}, Fraction(21, 36)),
        ({"charger_psr": "roll"}, Fraction(26, 36) * Fraction(21, 36)),
        ({"charger_psr": "roll", "target_psr": "roll", "target_psr_modifier": 3}, Fraction(26, 36) * Fraction(15, 36) * Fraction(21, 36)),
        ({"charger_psr": "failed"}, Fraction(0)),
        ({"target_psr": "failed"}, Fraction(0)),
        ({"charger_psr": "passed", "target_psr": "passed"}, Fraction(21, 36)),
    ],
)
def test_success_over_everything(events: Mapping[str, Any], success: Fraction) -> None:
    """The chance of success takes weapon-phase rolls in, and what is declared as certain; the roll to hit alone does not."""
    one = odds(table(PLAIN, weapons(**events)))
    assert one.outcomes == {"success": success, "failed": 1 - success, "not_allowed": 0}
    assert sum(one.rules.values()) == 1 - success
    assert one.metrics.get("p_hit_fraction") == ("7/12" if success else None)
    assert one.shortest_roll == (7 if success else None)


def test_falls_over_everything() -> None:
    """A charger that rolls in the weapon phase may fall there, or after a hit: 10/36 + 26/36 x 21/36 x 15/36."""
    one = odds(table(PLAIN, weapons(charger_psr="roll")))
    expected = Fraction(10, 36) + Fraction(26, 36) * Fraction(21, 36) * Fraction(15, 36)
    assert one.metrics["p_charger_falls_fraction"] == f"{expected.numerator}/{expected.denominator}"
    assert one.metrics["p_charger_falls_if_hit_fraction"] == "5/12"


def test_totals_share_their_chances() -> None:
    """By total: below the number nothing hits, from it on all do that come so far; the chances of all add up to one."""
    one = odds(table(PLAIN, weapons(charger_psr="roll")))
    assert sum(total.chance for total in one.by_total) == 1
    for total in one.by_total:
        reached = Fraction(26, 36) if total.total >= 7 else 0
        assert total.outcomes["success"] == total.chance * reached
        assert sum(total.outcomes.values()) == total.chance


@pytest.mark.parametrize(("modifier", "success", "shortest"), [(-9, 1, 2), (9, 0, None)])
def test_sure_and_hopeless_rolls(modifier: int, success: int, shortest: int | None) -> None:
    """battletech.tohit.roll: 2 or less always hits and over 12 never does, without a roll."""
    case = table(PLAIN, charge(4, modifiers={"Luck": modifier}))
    one, found = odds(case), ruling(case)
    assert one.outcomes["success"] == found.chance_success == success
    assert one.shortest_roll == found.shortest_roll == shortest
    assert "roll" not in found.metrics
    assert found.metrics["p_hit"] == success


def test_a_building_is_always_hit() -> None:
    """battletech.tohit.number: no roll, chance 1; the charger still may fall."""
    case = table({"A": charger("0507")}, charge(4, whom="building 0506"), ground=[terrain("building", "0506", cf=90)])
    one = odds(case)
    assert one.outcomes["success"] == 1
    assert (one.metrics["p_hit_fraction"], one.metrics["p_charger_falls_fraction"]) == ("1/1", "5/12")
    assert "p_target_falls" not in one.metrics


def test_heavy_drop_is_a_sure_fall() -> None:
    """battletech.displace.drop: a target pushed down falls for certain once it is hit."""
    one = odds(table(PLAIN, charge(4), ground=[terrain("level", "0505", level=-3)]))
    assert (one.metrics["p_target_falls_if_hit_fraction"], one.metrics["p_target_falls_fraction"]) == ("1/1", "7/12")


DUEL = {"A": charger("0507"), "B": unit("0506"), "C": charger("1007", piloting=4), "D": unit("1006")}


def test_charges_apart_multiply() -> None:
    """Charges out of each other's way are independent: whole rows of outcomes are products."""
    found = odds_of(table(DUEL, charge(4), charge(3, who="C", whom="D")))
    one, other = (entry.outcomes for entry in found.charges)
    assert found.joint == {
        (first, second): one[first] * other[second] for first in ("success", "failed") for second in ("success", "failed")
    }


ENTANGLED = {
    "A": charger("0507", tons=65, piloting=4),
    "B": unit("0506", "S", tons=55),
    "C": unit("0505", "NE", unspent_mp=2),
    "D": charger("0404", "NE", tons=70),
    "E": unit("0504", "S", tons=50),
}


def entangled(**target: Any) -> Case:
    """Set up two charges of which the first may push the target of the second out of its way."""
    units = {**ENTANGLED, "B": {**ENTANGLED["B"], **target}}
    charges = charge(4, domino={"C": "forward"}), charge(5, who="D", whom="E")
    return table(units, *charges, rules={"mech_charges_prone": "allowed"})


def test_charges_in_each_others_way() -> None:
    """battletech.resolve.front-hex: C steps aside on a 5, or is pushed with E: the target of the second charge is gone then."""
    found = odds_of(entangled())
    gone = Fraction(30, 36) * Fraction(6, 36)
    assert found.charges[1].rules["battletech.resolve.front-hex"] == gone
    assert found.charges[1].outcomes["success"] == (1 - gone) * Fraction(21, 36)
    assert sum(found.joint.values()) == 1


def test_tables_told_apart_more_finely(monkeypatch: pytest.MonkeyPatch) -> None:
    """What later charges do not ask for may be forgotten: remembering everything of every unit gives the same."""
    found = odds_of(entangled(status=["prone"]))
    monkeypatch.setattr(joint, "asked_by", lambda _, whole: frozenset(whole.units))
    monkeypatch.setattr(joint, "zones_of", lambda *_: None)
    again = odds_of(entangled(status=["prone"]))
    assert again.joint == found.joint
    assert [one.metrics for one in again.charges] == [one.metrics for one in found.charges]


def test_refused_charges_have_no_chance() -> None:
    """A charge that may not be declared is not allowed for certain, by its first refusal; the others are told as ever."""
    found = odds_of(table(DUEL, charge(4, declared_in="physical"), charge(3, who="C", whom="D")))
    refused, allowed = found.charges
    assert refused.outcomes == {"success": 0, "failed": 0, "not_allowed": 1}
    assert refused.rules == {"battletech.declare.movement-phase": 1}
    assert (refused.by_total, refused.metrics) == ((), {})
    assert set(found.joint) == {("not_allowed", "success"), ("not_allowed", "failed")}
    assert allowed.outcomes["success"] == Fraction(30, 36)


def test_ten_duels() -> None:
    """Ten charges apart: a thousand rows of outcomes, each the product of its own."""
    places = [(1 + 3 * (number % 5), 4 + 6 * (number // 5)) for number in range(10)]
    units = {f"A{number}": charger(f"{column:02d}{row:02d}") for number, (column, row) in enumerate(places)}
    units |= {f"B{number}": unit(f"{column:02d}{row - 1:02d}") for number, (column, row) in enumerate(places)}
    found = odds_of(table(units, *(charge(4, who=f"A{number}", whom=f"B{number}") for number in range(10))))
    assert len(found.joint) == 2**10
    chances = {"success": Fraction(7, 12), "failed": Fraction(5, 12)}
    assert all(chance == prod(chances[outcome] for outcome in row) for row, chance in found.joint.items())


def test_damage_beyond_reckoning() -> None:
    """A collision of more groups than are reckoned with is no bug, but no verdict."""
    case = table({"A": charger("0507", type="vehicle", tons=20000), "B": unit("0506")}, charge(60))
    with pytest.raises(NoVerdictError, match="more than 500 groups"):
        odds(case)


MIXED: list[tuple[dict[str, Entry], Entry, list[Entry]]] = [
    (ENTANGLED, charge(4, domino={"C": "forward"}, weapon_phase={"charger_psr": "roll", "target_psr": "roll"}), []),
    ({"A": charger("0507", type="vehicle", motion="hover"), "B": unit("0506", "SE", legs=4)}, charge(7), []),
    (
        {"A": charger("0507", type="vehicle", tons=60), "B": unit("0506", type="vehicle", tons=40)},
        charge(5),
        [terrain("building", "0506", cf=60)],
    ),
    (
        {"A": charger("0507", tons=80), "B": unit("0505", piloting=3), "C": unit("0506")},
        charge(7, whom="C", weapon_phase={"charger_psr": "roll", "charger_psr_modifier": 3}),
        [terrain("pavement", "0507"), terrain("level", "0504", level=-2)],
    ),
]


@pytest.mark.parametrize(("units", "charged", "ground"), MIXED)
def test_chances_are_those_of_the_dice(units: dict[str, Entry], charged: Entry, ground: list[Entry]) -> None:
    """Five hundred seeded throws agree with the exact chances within four and a half standard deviations."""
    claims, whole = declare_all(table(units, charged, ground=ground))
    declared = claims[0].declared
    assert declared is not None
    chances, throws = odds_of_one(declared, whole).metrics, 500
    found = [resolve_declared(declared, whole, Throws(seed).cup().hand(0, None)) for seed in range(throws)]
    counts = {
        "p_success": sum(one.outcome == "success" for one in found),
        "p_charger_falls": sum(charged["charger"] in one.metrics["fell"] for one in found),
        "p_target_falls": sum(charged["targets"][0] in one.metrics["fell"] for one in found),
        "p_displaced": sum(one.metrics["displacement"] == "moved" for one in found),
    }
    deviations = {name: (throws * chances[name] * (1 - chances[name])) ** 0.5 for name in counts}
    assert not [name for name, count in counts.items() if abs(count - throws * chances[name]) > 4.5 * deviations[name] + 1e-9]
