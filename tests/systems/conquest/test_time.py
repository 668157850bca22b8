"""A limit of time: it may leave a charge without a verdict, and never makes it fail."""

import time
from itertools import count

import pytest

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.ruling.system import Case
from tabletop.table.dice import DiceSource
from tests.tables import box, case, charger, resolve, unit


def crowded() -> Case:
    """Return a charge that completes past a wall, beside a friend."""
    units = {"A": charger(march=7), "B": unit((23, 18), 265), "F": charger((15, 14))}
    return case(units, [box((26, 27), (10, 14))], dice=(6,))


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return a clock that advances by a second at every reading."""
    seconds = count()
    monkeypatch.setattr(time, "monotonic", lambda: float(next(seconds)))


@pytest.mark.usefixtures("ticks")
@pytest.mark.parametrize("seconds", range(8))
def test_time_that_is_used_up_is_no_verdict(seconds: int) -> None:
    """Wherever in the search the time is used up, what is said is that it was, and whose charge was left open."""
    item = crowded()
    with pytest.raises(NoVerdictError, match="time"):
        item.system.resolve(
            item, throws=DiceSource(), budget=Budget(seconds=float(seconds), started=0.0)
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
        item.system.odds(item, budget=Budget(seconds=5.0, started=0.0))
