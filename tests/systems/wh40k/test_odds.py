"""Odds of several charges: what a charge can feel of a table, what is told where tables differ, and where there are too
many.
"""

from dataclasses import replace
from typing import Any

import pytest

from systems.wh40k import resolve
from systems.wh40k.odds import RelevantTable
from tabletop import api
from tabletop.api import odds
from tabletop.errors import NoVerdictError
from tabletop.ruling.odds import Odds
from tabletop.ruling.system import Case
from tabletop.scenario.reading import case_from_tables
from tests.oracles.wh40k.scenes import small_case
from tests.systems.wh40k.tables import table, unit


def several(*charges: tuple[str, str], units: dict[str, dict[str, Any]], **more: Any) -> Case:
    """Read a file of several charges without faces."""
    file = table(unit([(0, 0)]), units, **more)
    return case_from_tables(
        {**file, "charges": [{"charger": who, "targets": [whom]} for who, whom in charges]}
    )


def far_apart(gap: float = 40.0) -> Case:
    """Let A charge T, and B charge U so far from there; A needs 5 for a place and 6 for contact, B 7."""
    units = {
        "T": unit([(6, -1)]),
        "B": unit([(0, gap - 20)], side="blue"),
        "U": unit([(8, gap - 20)]),
    }
    return several(("A", "T"), ("B", "U"), units=units)


def asked(case: Case, monkeypatch: pytest.MonkeyPatch) -> tuple[Odds, int]:
    """Ask for the odds, and count the charges that were put on a table."""
    count = 0

    declared = resolve.Phase.declared

    def counting(phase: resolve.Phase, number: int, state: Any) -> Any:
        nonlocal count
        count += 1
        return declared(phase, number, state)

    with monkeypatch.context() as patch:
        patch.setattr(resolve.Phase, "declared", counting)
        return odds(case), count


def test_a_charge_that_feels_nothing_of_another_is_asked_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Charges far from each other are independent, and put on one table each."""
    found, count = asked(far_apart(), monkeypatch)
    first, second = (one.outcomes["success"] for one in found.charges)
    assert found.joint["success", "success"] == first * second
    assert count == 2
    assert "needed_distance" in found.charges[1].metrics


def test_a_charge_beside_another_is_asked_on_every_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Near enough to be met, it is asked once for each table that differs: A stays, stops short of contact, or is in
    contact.
    """
    found, count = asked(far_apart(22.0), monkeypatch)
    assert count > 2
    first, second = (one.outcomes["success"] for one in found.charges)
    assert found.joint["success", "success"] == first * second


@pytest.mark.parametrize(("distance", "is_felt"), [(14.4, True), (14.9, True), (15.6, False)])
def test_what_stands_beyond_all_reach_is_not_felt(distance: float, is_felt: bool) -> None:
    """Twelve inches of a charge, two of an engagement across a barricade, and what bases of an inch may reach."""
    case = several(("A", "T"), units={"T": unit([(6, 0)]), "N": unit([(-distance, 0)])})
    moved = case.state.with_unit(case.state.units["N"].with_status("selected"))
    assert (RelevantTable(case).key(0, case.state) == RelevantTable(case).key(0, moved)) is True
    gone = case.state.without_unit("N")
    assert (RelevantTable(case).key(0, case.state) != RelevantTable(case).key(0, gone)) is is_felt


def test_a_charger_that_is_gone_feels_nothing() -> None:
    """A unit without models left is not on the table."""
    case = far_apart()
    assert RelevantTable(case).key(0, case.state.without_unit("A")) is None


def test_a_longer_reach_feels_farther() -> None:
    """The bonus of a charge counts."""
    units = {"T": unit([(6, 0)]), "N": unit([(-16, 0)])}
    near, far = (
        case_from_tables(table(unit([(0, 0)], charge_bonus=bonus), units)) for bonus in (0, 3)
    )
    names = [
        [name for name, _ in RelevantTable(case).key(0, case.state)[1]]  # type: ignore[index]
        for case in (near, far)
    ]
    assert names == [["A", "T"], ["A", "T", "N"]]


def test_a_charge_that_is_chosen_twice_is_refused_the_second_time() -> None:
    """wh40k.phase.once: once its first charge was declared, whatever came of it."""
    found = odds(several(("A", "T"), ("A", "T"), units={"T": unit([(6, 0)])}))
    assert found.charges[1].outcomes["not_allowed"] == 1
    assert found.charges[1].rules == {"wh40k.phase.once": 1}
    assert found.charges[1].by_total == ()
    assert found.charges[1].metrics == {}


def test_most_contacts_are_those_of_the_best_table() -> None:
    """With all details a later charge tells for each distance the most contacts that any table leaves it."""
    units = {"T": unit([(6, 0)]), "B": unit([(0, 1.5)], side="blue")}
    file = table(unit([(0, 0)]), units)
    case = case_from_tables(
        {**file, "charges": [{"charger": who, "targets": ["T"]} for who in "AB"]}
    )
    (_, second) = odds(replace(case, detail=True)).charges
    assert second.metrics["most_contacts"]["12"] == 1
    assert list(second.metrics["most_contacts"]) == [
        str(total.total) for total in second.by_total if total.outcomes["success"]
    ]


def test_too_many_tables_are_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """The charge that finds too many tables is named, with their count."""
    monkeypatch.setattr(resolve.Phase, "most_tables", 2)
    with pytest.raises(NoVerdictError, match=r"charges\[1\] \(B .*U\) .*\b\d .* 2\b"):
        odds(far_apart(22.0))


def test_odds_tell_the_whole_inch_that_rulings_tell() -> None:
    """The needed distance itself, 4.0974 in of this table, odds tell only as far as the whole inch needs it."""
    one = small_case(3002)
    (asked,), (ruled,) = odds(one).charges, api.resolve(one, contrast=False).rulings
    low, high = asked.metrics["needed_distance_range"]
    assert asked.metrics["needed"] == ruled.metrics["needed"] == 5
    assert 4.0 < low <= ruled.metrics["needed_distance"] <= high < 5.0
