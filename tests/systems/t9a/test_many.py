"""Many chargers of one target: what they come to without every order being tried, and where the search ends."""

import math
from dataclasses import replace
from typing import Any

import pytest

from systems.t9a.attempt import Attempt
from systems.t9a.combined import search
from systems.t9a.combined.group import ChargerGroup
from systems.t9a.combined.order import PackingOrderSearch, ReachCache
from systems.t9a.resolve import declare_all, move_all
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.state import State
from tabletop.testing.motions import mirrored, turned
from tests.oracles.combined_referee import referee_combined
from tests.scenes import case, charge, finding, judge, metric, regiment, resolve, table, target


def abreast(count: int, *, files: int = 2) -> State:
    """Place chargers side by side before a target as wide as all of them."""
    width = files * 20.0
    units = [
        regiment(f"C{n}", (width * (n + 0.5), 150.0), side="blue", heading=270.0, files=files)
        for n in range(count)
    ]
    return table(target(files * count), *units)


def behind(count: int, *, is_last_first: bool = False) -> State:
    """Place chargers behind each other before a wide target, each taller than those before it, the file beginning at
    either end.
    """
    places = [(60.0 + 45.0 * (n + 1), n) for n in range(count)]
    ordered = reversed(places) if is_last_first else places
    units = [
        regiment(f"C{n}", (200.0, y), side="blue", heading=270.0, files=2, height=height)
        for n, (y, height) in enumerate(ordered)
    ]
    return table(target(20), *units)


def crowded(count: int) -> State:
    """Place more chargers before a target of four files than can stand at it."""
    units = [
        regiment(f"C{n}", (50.0 * n - 85.0, 170.0), side="blue", heading=270.0, files=2)
        for n in range(count)
    ]
    return table(target(4), *units)


def charges_of(state: State, **choices: Any) -> Case:
    """Make every blue unit charge T with a six."""
    return case(
        state,
        *(charge(name, dice=(6,)) for name, unit in state.units.items() if unit.side == "blue"),
        **choices,
    )


def completed(resolution: Resolution) -> list[str]:
    """Name the chargers that complete."""
    return [ruling.charge.charger for ruling in resolution.rulings if ruling.outcome == "success"]


def totals(resolution: Resolution) -> tuple[int, int]:
    """Return the totals of the first charger that completes."""
    done = next(ruling for ruling in resolution.rulings if ruling.outcome == "success")
    return metric(done, "total_target_models_in_contact"), metric(
        done, "total_charger_models_in_contact"
    )


def ordered(ruling: Ruling) -> str:
    """Return what is said of the order."""
    return str(finding(ruling, "t9a.combined.order").text)


@pytest.mark.parametrize("count", [5, 8, 20])
def test_many_abreast_all_complete_straight_ahead(count: int) -> None:
    """Each takes the place before it: all models of both fronts are in contact, and nothing could be better."""
    resolution = resolve(charges_of(abreast(count)))
    assert completed(resolution) == [f"C{n}" for n in range(count)]
    assert totals(resolution)[0] == 2 * count
    assert {ruling.proof for ruling in resolution.rulings} == {"exact"}


def test_many_in_a_column_move_from_the_front() -> None:
    """Who stands behind others waits for them; all complete."""
    resolution = resolve(charges_of(behind(5)))
    assert len(completed(resolution)) == 5
    assert resolution.order == (0, 1, 2, 3, 4)


def test_many_before_a_narrow_front_complete_as_far_as_they_fit() -> None:
    """Two within four files, and one beyond each end: brute force over all sets finds no more."""
    resolution = resolve(charges_of(crowded(5)))
    assert len(completed(resolution)) == 4
    assert sum(ruling.rule == "t9a.combined.room" for ruling in resolution.rulings) == 1


@pytest.mark.parametrize("state", [abreast(4), behind(4)], ids=["abreast", "behind"])
def test_many_hold_against_brute_force(state: State) -> None:
    """Ways, places and totals are confirmed step by step, with one of the four standing by."""
    report = referee_combined(replace(charges_of(state), charges=charges_of(state).charges[:3]))
    assert report.complaints == ()


@pytest.mark.parametrize("angle", [math.pi / 2, 0.3])
def test_many_turned(angle: float) -> None:
    """Turning the table turns the answer."""
    here = resolve(charges_of(abreast(6)))
    there = resolve(charges_of(turned(abreast(6), angle)))
    assert completed(here) == completed(there)
    assert totals(here) == totals(there)


def test_many_mirrored() -> None:
    """Swapping left and right keeps who completes and the totals."""
    here = resolve(charges_of(behind(5)))
    there = resolve(charges_of(mirrored(behind(5))))
    assert completed(here) == completed(there)
    assert totals(here) == totals(there)


def test_many_judged() -> None:
    """Where many end is right; a seam opened is not."""
    asked = charges_of(abreast(6))
    after = resolve(asked).after.units
    poses = {name: after[name].pose for name in after if name != "T"}
    assert judge(replace(asked, proposal=poses)).outcome == "success"


def limited(monkeypatch: pytest.MonkeyPatch, looks: int) -> None:
    """Limit the search for many chargers to a number of reach queries."""
    monkeypatch.setattr(search, "LOOKS_EACH", 0)
    monkeypatch.setattr(search, "LOOKS_SHARED", looks * 25)


def test_many_at_the_limit_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found by then is told as that, with the limit, and nothing is said to be impossible."""
    limited(monkeypatch, 12)
    resolution = resolve(charges_of(crowded(5)))
    assert completed(resolution)
    assert {ruling.proof for ruling in resolution.rulings} == {"best_found"}
    assert all("limit" in ordered(ruling) for ruling in resolution.rulings)


def test_odds_count_nobody_as_failed_for_whom_no_room_was_found_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the search ended at its limit, whether the one left out has room is open: so are the chances."""
    limited(monkeypatch, 12)
    asked = charges_of(crowded(5))
    with pytest.raises(NoVerdictError, match=r"\bC\d\b"):
        asked.system.odds(asked, budget=Budget())


def attempts_of(asked: Case) -> tuple[Attempt, ...]:
    """Return the charges of a case, each with a six, on the table before any moves."""
    return tuple(
        Attempt(charge, declaration, (6,), declaration.scene.on(asked.state))
        for charge, declaration in zip(asked.charges, declare_all(asked, Budget()), strict=True)
    )


def test_many_of_whom_none_is_placed_in_time_are_no_verdict() -> None:
    """A search that found nothing before its time was up proves nothing."""
    attempts = attempts_of(charges_of(behind(4)))
    with pytest.raises(NoVerdictError, match="1e-09 s"):
        move_all(attempts, budget=Budget(seconds=1e-9))


def test_many_one_by_one_end_at_a_number_of_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where each takes its own best place in turn, the orders tried are limited, and that is told."""
    monkeypatch.setattr(search, "MOST_IN_TURN", 2)
    resolution = resolve(charges_of(abreast(4), combined_lookahead="one-by-one"))
    assert len(completed(resolution)) == 4
    assert all("limit" in ordered(ruling) for ruling in resolution.rulings)


def ordering(state: State, slides: dict[str, float]) -> PackingOrderSearch:
    """Look for an order in which all take given slides."""
    from tabletop.fronts.packing import Packing

    group = ChargerGroup(state, attempts_of(charges_of(state)), Budget())
    return PackingOrderSearch(ReachCache(group, 10_000), Packing(slides, (0, 0), ()))


def test_who_bars_whom_is_learned_and_saves_orders() -> None:
    """In a column each is barred by the one before it; that is known after a few looks, not after all orders."""
    slides = {f"C{n}": (60.0 * n + 20.0) / 25.4 for n in range(6)}
    found = ordering(behind(6, is_last_first=True), slides)
    assert found.first() == ("C5", "C4", "C3", "C2", "C1", "C0")
    assert found.turns.effort < 100
    assert found.before["C0"] & {"C1", "C2", "C3"}
