"""A limit of time: it may leave a charge without a verdict, and never makes it fail."""

import time
from dataclasses import replace
from itertools import count

import pytest

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.table.dice import DiceSource
from tests.tables import box, case, charger, resolve, unit


def crowded() -> Case:
    """Return a charge that completes past a wall, beside a friend."""
    units = {"A": charger(march=7), "B": unit((23, 18), 265), "F": charger((15, 14))}
    return case(units, [box((26, 27), (10, 14))], dice=(6,))


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return a clock that advances by a hundredth of a second at every reading."""
    hundredths = count()
    monkeypatch.setattr(time, "monotonic", lambda: next(hundredths) / 100)


@pytest.mark.usefixtures("ticks")
@pytest.mark.parametrize("hundredths", range(0, 27, 3))
def test_time_that_is_used_up_is_no_verdict(hundredths: int) -> None:
    """Wherever in the search the time is used up, what is said is that it was, and whose charge was left open."""
    item = crowded()
    with pytest.raises(NoVerdictError, match="time"):
        item.system.resolve(
            item, throws=DiceSource(), budget=Budget(seconds=hundredths / 100, started=0.0)
        )


@pytest.mark.usefixtures("ticks")
def test_time_that_is_enough_changes_nothing() -> None:
    """With time to spare the ruling is the one without a limit."""
    item = crowded()
    limited = item.system.resolve(
        item, throws=DiceSource(), budget=Budget(seconds=1e6, started=0.0)
    )
    assert limited.rulings[0].outcome == "success"
    assert limited.rulings[0].metrics == resolve(item).rulings[0].metrics


@pytest.mark.usefixtures("ticks")
def test_time_for_odds_is_limited_too() -> None:
    """Chances are not told of some faces only."""
    item = crowded()
    with pytest.raises(NoVerdictError, match="time"):
        item.system.odds(item, budget=Budget(seconds=0.05, started=0.0))


def test_a_claim_is_judged_in_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of the ruling, used up since, does not end the search for a wheel that leads to a claim; its own
    does.
    """
    item = replace(crowded(), proposal={"A": Pose(24.0, 16.0, 1.4)})
    whole = item.system.judge(item, resolve(item), budget=Budget())
    seconds = count()
    monkeypatch.setattr(time, "monotonic", lambda: next(seconds) / 100)
    resolution = item.system.resolve(
        item, throws=DiceSource(), budget=Budget(seconds=0.4, started=0.0)
    )
    monkeypatch.setattr(time, "monotonic", lambda: 1e6 + next(seconds) / 100)
    assert item.system.judge(item, resolution, budget=Budget()) == whole
    assert item.system.judge(item, resolution, budget=Budget(seconds=10.0)) == whole
    with pytest.raises(NoVerdictError, match="time"):
        item.system.judge(item, resolution, budget=Budget(seconds=0.02))
