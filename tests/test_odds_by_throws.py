"""Odds over several charges, in all four games: what resolving every throw of all dice one by one counts to."""

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from tabletop.api import odds
from tabletop.ruling.odds import Odds
from tabletop.ruling.system import Case
from tabletop.scenario import read_case
from tabletop.scenario.reading import case_from_tables
from tests import tables as conquest
from tests.systems.battletech import tables as battletech
from tests.systems.wh40k import tables as wh40k
from tests.throws import Thrown, own_total, tallied, thrown, with_faces

Entry = dict[str, Any]
FACES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "t9a": ((1,), (6,)),
    "conquest": ((1, 1), (6, 6, 6)),
    "wh40k": ((1,), (6, 6, 6)),
    "battletech": ((1, 1), (6, 6)),
}
"""Faces that a file may give."""


def corridor(first: Entry | None = None, **second: Any) -> Case:
    """Two vehicles before a corridor 3.2 in wide that leads to T: once A is in it, B never gets there."""
    vehicle: Entry = {"side": "blue", "base": "80mm round", "keywords": ["vehicle"]}
    walls = (
        wh40k.piece("impassable", 3, 1.6, 20, 4, name="North"),
        wh40k.piece("impassable", 3, -4, 20, -1.6, name="South"),
    )
    a = wh40k.unit([(0, 3)], **vehicle)
    b = wh40k.unit([(-0.5, -2)], **vehicle)
    return with_charges(
        wh40k.table(a, {"B": b, "T": wh40k.unit([(10, 0)], base="32mm round")}, terrain=walls),
        ("A", "T", first or {}),
        ("B", "T", second),
    )


def lane() -> Case:
    """Three discs in a lane 2 in wide: two of them are room enough for T."""
    walls = (
        wh40k.piece("impassable", -8, 1, 20, 3, name="North"),
        wh40k.piece("impassable", -8, -3, 20, -1, name="South"),
    )
    units = {name: wh40k.unit([(x, 0)], side="blue") for name, x in (("B", 1.0), ("C", 0.0))}
    return with_charges(
        wh40k.table(wh40k.unit([(2.5, 0)]), {**units, "T": wh40k.unit([(10, 0)])}, terrain=walls),
        *((name, "T", {}) for name in "ABC"),
    )


def gone_out_of_range(**more: Any) -> Case:
    """T charges B, and is out of C's range if it gets there."""
    units = {
        "B": wh40k.unit([(8, 0)], side="blue"),
        "C": wh40k.unit([(-11.0, 4)], side="blue"),
        "T": wh40k.unit([(0, 0)]),
    }
    return with_charges(wh40k.table(wh40k.unit([(0, 30)]), units), ("T", "B", {}), ("C", "T", more))


def shot_at() -> Case:
    """Two of three models are left to A when it comes; one of them dies in the end, and B goes where there is room."""
    a = wh40k.unit([(0, 0), (-1.5, 0), (-3, 0)])
    b = wh40k.unit([(0, 3), (-1.5, 3)], side="blue", charge_bonus=-1)
    lost = {"overwatch": {"before": [0], "after": [2]}}
    walls = (wh40k.piece("impassable", 4, 0.8, 9, 1.2, name="North"),)
    return with_charges(
        wh40k.table(a, {"B": b, "T": wh40k.unit([(7, 0)])}, terrain=walls),
        ("A", "T", lost),
        ("B", "T", {}),
    )


def with_charges(file: Entry, *charges: tuple[str, str, Entry]) -> Case:
    """Read a file with other charges, without faces."""
    return case_from_tables(
        {
            **file,
            "charges": [{"charger": who, "targets": [whom], **more} for who, whom, more in charges],
        }
    )


def charged_before_it_charges() -> Case:
    """Let A charge B, which may then charge F only if A did not get there; B rolls again."""
    units = {
        "A": conquest.charger((31, 18), 180),
        "B": conquest.unit((20, 18), 270, reroll=True),
        "F": conquest.unit((20, 9), 90, side="blue"),
    }
    file = conquest.scenario(units, dice=None)
    return with_charges(file, ("A", "B", {}), ("B", "F", {}))


def chain() -> Case:
    """Three charges of steady pilots at fast targets: the first pushes all three targets on, and the others find nobody
    then.
    """
    steady: Entry = {"piloting": 0, "tons": 20}
    units = {
        "A": battletech.charger("0508", **steady),
        "B": battletech.unit("0507", **steady, hexes_moved=20),
        "C": battletech.unit("0506", **steady, hexes_moved=10),
        "D": battletech.charger("0406", "NE", **steady),
        "E": battletech.charger("0605", "NW", **steady),
        "F": battletech.unit("0505", **steady, hexes_moved=7),
    }
    return battletech.table(
        units,
        battletech.charge(2),
        battletech.charge(1, who="D", whom="C"),
        battletech.charge(3, who="E", whom="F"),
    )


MADE = {
    "wh40k corridor": corridor,
    "wh40k gone out of range": gone_out_of_range,
    "wh40k shot at": shot_at,
    "conquest charged before it charges": charged_before_it_charges,
    "battletech chain": chain,
}
SHORT = (
    "wh40k gone out of range",
    "conquest charged before it charges",
    "battletech chain",
    "t9a/failed-charge-comes-last",
    "t9a/odds-in-the-way",
    "conquest/one-after-the-other",
)
LONG = (
    "wh40k corridor",
    "wh40k shot at",
    "conquest/over-the-wood-from-a-hill",
    "t9a/front-and-flank-at-a-corner",
    "t9a/one-has-no-room",
    "t9a/out-of-the-corridor",
    "t9a/room-taken",
    "t9a/seam-between-two",
    "t9a/short-in-between",
    "t9a/three-on-one-front",
)
"""More of the same, of which resolving every throw takes longer."""
EACH = pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in SHORT),
        *(
            pytest.param(name, marks=[pytest.mark.xdist_group(name), pytest.mark.oracle])
            for name in LONG
        ),
    ],
)


@cache
def asked(name: str) -> Case:
    """Make or read a case."""
    return MADE[name]() if name in MADE else read_case(name)


@cache
def throws_of(name: str) -> tuple[Thrown, ...]:
    """Resolve all throws of a case, once in a process."""
    return tuple(thrown(asked(name)))


@cache
def odds_of(name: str) -> Odds:
    """Ask for the odds of a case, once in a process."""
    return odds(asked(name))


@EACH
def test_rows_are_those_of_all_throws(name: str) -> None:
    """The joint chances, and those of each charge with the rules that decide, are the throws counted."""
    found = odds_of(name)
    throws = throws_of(name)
    assert sum(throw.chance for throw in throws) == 1
    assert dict(found.joint) == tallied((throw.outcomes, throw.chance) for throw in throws)
    for number, one in enumerate(found.charges):
        counted = tallied((throw.outcomes[number], throw.chance) for throw in throws)
        assert {outcome: chance for outcome, chance in one.outcomes.items() if chance} == counted
        decided = ((throw.rulings[number].rule, throw.chance) for throw in throws)
        assert dict(one.rules) == tallied(
            (str(rule), chance) for rule, chance in decided if rule is not None
        )


@EACH
def test_totals_are_those_of_all_throws(name: str) -> None:
    """What each total comes to is counted from the same throws; where the charge may not be declared its dice are still
    there.
    """
    case = asked(name)
    throws = throws_of(name)
    for number, one in enumerate(odds_of(name).charges):
        for outcome, chance in one.outcomes.items():
            assert (
                sum(total.outcomes[outcome] for total in one.by_total) == chance or not one.by_total
            )
        if case.system.name == "battletech":
            continue
        counted = tallied(
            ((own_total(case, throw, number), throw.outcomes[number]), throw.chance)
            for throw in throws
        )
        told = {
            (total.total, outcome): chance
            for total in one.by_total
            for outcome, chance in total.outcomes.items()
            if chance
        }
        assert told == (counted if one.by_total else {})


@EACH
def test_the_chance_of_a_ruling_is_that_on_the_table_as_it_stands(name: str) -> None:
    """Over all throws the chances that rulings state come to those of the odds; targets of several chargers in The
    Ninth Age aside.
    """
    case = asked(name)
    throws = throws_of(name)
    if case.system.name == "t9a" and len({charge.targets for charge in case.charges}) < len(
        case.charges
    ):
        pytest.skip(
            "those who charge one target move in the order that serves best, not each in its turn"
        )
    for number, one in enumerate(odds_of(name).charges):
        assert (
            sum(throw.chance * throw.rulings[number].chances[0] for throw in throws)
            == one.chances[0]
        )


@EACH
def test_faces_of_the_file_change_nothing(name: str) -> None:
    """Whatever faces the charges have in the file, the odds are the same."""
    case = asked(name)
    found = odds_of(name)
    low, high = FACES[case.system.name]
    for faces in ([low] * len(case.charges), [None, *[high] * (len(case.charges) - 1)]):
        assert told(odds(with_faces(case, faces))) == told(found)


def told(found: Odds) -> list[Any]:
    """Return all that odds tell, without the faces of the charges."""
    return [
        found.joint,
        *((one.outcomes, one.rules, one.by_total, one.metrics) for one in found.charges),
    ]


def two_dice(least: int) -> Fraction:
    """Count the throws of two dice that show at least so much."""
    return Fraction(
        sum(first + second >= least for first in range(1, 7) for second in range(1, 7)), 36
    )


def test_two_never_get_through_one_corridor() -> None:
    """A needs 9 and B needs 8, and B nothing any more once A is there."""
    first = two_dice(9)
    second = two_dice(8)
    assert odds_of("wh40k corridor").joint == {
        ("success", "failed"): first,
        ("failed", "success"): (1 - first) * second,
        ("failed", "failed"): (1 - first) * (1 - second),
    }


def test_a_second_throw_counts_on_every_table_of_its_own() -> None:
    """B rolls again where that can help, and in vain where A stands in the corridor."""
    first = two_dice(9)
    second = two_dice(8)
    again = second + (1 - second) * second
    found = odds(corridor(reroll="if_failed"))
    assert found.joint["success", "failed"] == first
    assert found.charges[1].outcomes["success"] == (1 - first) * again
    assert sum(total.chance for total in found.charges[1].by_total) == 1


def test_who_dies_on_arrival_is_in_nobodys_way() -> None:
    """Where A loses its only model at the end of its charge the corridor is free again."""
    first = two_dice(9)
    second = two_dice(8)
    assert (
        odds(corridor({"overwatch": {"after": [0]}})).joint["success", "success"] == first * second
    )


def test_three_in_a_lane() -> None:
    """A stops at 8 with a 6 and at 9 with more; whoever comes next needs the place behind it, or that between it and
    the target.
    """
    found = odds(lane())
    far = two_dice(7)
    six = two_dice(6) - two_dice(7)
    fails = 1 - two_dice(6)
    seven = two_dice(7)
    eight = two_dice(8)
    nine = two_dice(9)
    assert found.joint == {
        ("success", "success", "failed"): far * seven + six * eight,
        ("success", "failed", "success"): far * (1 - seven) * eight + six * (1 - eight) * nine,
        ("success", "failed", "failed"): far * (1 - seven) * (1 - eight)
        + six * (1 - eight) * (1 - nine),
        ("failed", "success", "success"): fails * ((seven - eight) * nine + eight * eight),
        ("failed", "success", "failed"): fails
        * ((seven - eight) * (1 - nine) + eight * (1 - eight)),
        ("failed", "failed", "success"): fails * (1 - seven) * eight,
        ("failed", "failed", "failed"): fails * (1 - seven) * (1 - eight),
    }
    assert "needed" not in found.charges[2].metrics
    assert found.charges[2].shortest_roll == 8
