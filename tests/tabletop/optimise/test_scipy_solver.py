"""The plain solver: what it finds of problems whose best place is known, and what it leaves alone."""

import ctypes
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import milp

from tabletop.budget import Budget
from tabletop.geometry.arrays import FloatArray
from tabletop.optimise import selection
from tabletop.optimise.problem import Problem, Selection, Variable
from tabletop.optimise.scipy_solver import is_better, solved
from tabletop.optimise.selection import solve_selection
from tabletop.ruling.finding import Finding, Goal, Limit
from tabletop.units import CONTACT

Point = tuple[float, float]
SQUARE = (Variable("x", -2.0, 2.0, "in"), Variable("y", -2.0, 2.0, "in", marks=(0.5,)))


def limit(rule: str, slack: Callable[[Point], float]) -> Limit[Point]:
    """Make a limit of a slack."""
    return Limit(rule, lambda at: Finding(rule, slack(at) >= 0.0, "", margin=slack(at)))


def goal(
    rule: str, value: Callable[[Point], float], *, is_counted: bool = False
) -> Goal[Sequence[Point]]:
    """Make a goal of the value of one place."""
    return Goal(rule, "in", lambda places: np.array([value(place) for place in places]), is_counted)


def pair(point: FloatArray) -> Point:
    """Take a point as a place."""
    return float(point[0]), float(point[1])


DISC = limit("disc", lambda at: 1.0 - math.hypot(*at))


RIM = limit("rim", lambda at: -abs(1.0 - math.hypot(*at)))


@pytest.mark.parametrize("goals", [(), (goal("right", lambda at: at[0]),)], ids=["none", "right"])
def test_a_rim_without_breadth_is_met(goals: tuple[Goal[Sequence[Point]], ...]) -> None:
    """Two coordinates that must lie on a circle are led onto it, and along it where a goal asks for that."""
    found = solved(Problem(SQUARE, pair, (RIM,), goals), budget=Budget())
    assert found is not None
    assert math.hypot(*found.place) == pytest.approx(1.0, abs=1.01 * CONTACT)
    assert all(value == pytest.approx(1.0, abs=1e-4) for value in found.values)


def test_a_smooth_goal_is_served_to_the_rim_of_a_limit() -> None:
    """The point of a disc that lies farthest along a direction is the one where the direction leaves it."""
    found = solved(
        Problem(SQUARE, pair, (DISC,), (goal("far", lambda at: at[0] + at[1]),)), budget=Budget()
    )
    assert found is not None
    assert found.values[0] == pytest.approx(math.sqrt(2.0), abs=1e-5)
    assert DISC.slack(found.place) >= -1e-6


def test_goals_are_served_in_their_order() -> None:
    """A count comes before any length, and a later goal gains only what leaves the earlier ones as they are."""
    half = goal("half", lambda at: float(at[0] >= 0.25), is_counted=True)
    found = solved(
        Problem(SQUARE, pair, (DISC,), (half, goal("left", lambda at: -at[0]))), budget=Budget()
    )
    assert found is not None
    assert found.values[0] == 1.0
    assert found.place[0] == pytest.approx(0.25, abs=1e-3)


def test_a_single_point_is_found_at_a_mark() -> None:
    """What is worth more on a line without breadth has no basin; the mark of its variable is tried."""
    thin = goal("thin", lambda at: float(at[1] == 0.5), is_counted=True)
    found = solved(Problem(SQUARE, pair, (DISC,), (thin,)), budget=Budget())
    assert found is not None
    assert found.values == (1.0,)


def test_where_no_place_keeps_the_limits_nothing_is_found() -> None:
    """Two limits that exclude each other leave no place."""
    beyond = limit("beyond", lambda at: math.hypot(*at) - 1.5)
    assert (
        solved(
            Problem(SQUARE, pair, (DISC, beyond), (goal("far", lambda at: at[0]),)), budget=Budget()
        )
        is None
    )


def test_a_limit_of_time_ends_the_search_with_what_it_has() -> None:
    """With no time at all the first places are looked at, and no more."""
    looked: list[Point] = []

    def place(point: FloatArray) -> Point:
        looked.append(pair(point))
        return looked[-1]

    solved(
        Problem(SQUARE, place, (DISC,), (goal("far", lambda at: at[0]),)),
        budget=Budget(seconds=1e-9),
    )
    assert len(looked) < 200


@dataclass(frozen=True)
class Worth:
    """Values of two goals, the first of them counted."""

    first: float
    second: float


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (Worth(2, 0), Worth(1, 9), True),
        (Worth(1, 9), Worth(2, 0), False),
        (Worth(1, 1 + 5e-7), Worth(1, 1), False),
        (Worth(1, 1 + 5e-6), Worth(1, 1), True),
    ],
)
def test_values_are_compared_in_their_order(one: Worth, other: Worth, expected: bool) -> None:
    """Counts are compared exactly, what is measured within the tolerance of contact."""
    problem = Problem(
        SQUARE,
        pair,
        (),
        (goal("count", lambda at: at[0], is_counted=True), goal("length", lambda at: at[1])),
    )
    assert is_better((one.first, one.second), (other.first, other.second), problem) is expected


def chain(count: int, *, asked: int, is_one_group: bool, worth: Sequence[float]) -> Selection:
    """Make places in a row, each beside the next, that any of `count` items may take."""
    places = len(worth)
    beside = np.abs(np.subtract.outer(np.arange(places), np.arange(places))) == 1
    values = (np.tile(np.array(worth, dtype=float), (count, 1)),)
    nothing = np.zeros((places, places), dtype=bool)
    everybody = np.ones((count, places), dtype=bool)
    return Selection(
        everybody, values, nothing, beside, np.ones((1, places), dtype=bool), asked, is_one_group
    )


def test_the_best_places_are_taken_once_each() -> None:
    """Without anything that links them, items take the places that are worth most."""
    picks = solve_selection(
        chain(3, asked=0, is_one_group=False, worth=[5, 1, 4, 1, 3, 1]), budget=Budget()
    )
    assert picks is not None
    assert sorted(picks.tolist()) == [0, 2, 4]


def test_neighbours_are_asked_for() -> None:
    """Who needs one beside it is taken in pairs."""
    picks = solve_selection(
        chain(4, asked=1, is_one_group=False, worth=[5, 1, 0, 0, 0, 2, 5]), budget=Budget()
    )
    assert picks is not None
    assert sorted(picks.tolist()) == [0, 1, 5, 6]


def test_groups_are_linked_where_all_must_hang_together() -> None:
    """Two pairs that are worth most are no one group: the best four in a row are taken."""
    picks = solve_selection(
        chain(4, asked=1, is_one_group=True, worth=[5, 1, 0, 0, 0, 2, 5]), budget=Budget()
    )
    assert picks is not None
    assert sorted(picks.tolist()) == [3, 4, 5, 6]


def test_places_that_exclude_each_other_are_not_both_taken() -> None:
    """Of three places of which any two exclude each other one is taken."""
    selection = chain(2, asked=0, is_one_group=False, worth=[5, 4, 3, 1])
    excludes = np.zeros((4, 4), dtype=bool)
    excludes[:3, :3] = True
    both = Selection(
        selection.usable,
        selection.values,
        excludes,
        selection.supports,
        selection.covers,
        0,
        is_one_group=False,
    )
    picks = solve_selection(both, budget=Budget())
    assert picks is not None
    assert sorted(picks.tolist()) == [0, 3]


@pytest.mark.parametrize(("seconds", "most"), [(None, 2.0), (0.5, 0.5), (60.0, 2.0)])
def test_highs_is_always_given_a_limit(
    monkeypatch: pytest.MonkeyPatch, seconds: float | None, most: float
) -> None:
    """Of the seconds that are left, at most two at once, and so many times in all, however many goals and groups there
    are.
    """
    asked: list[float] = []

    def solve(*args: Any, **kwargs: Any) -> Any:
        asked.append(kwargs["options"]["time_limit"])
        return milp(*args, **kwargs)

    monkeypatch.setattr(selection, "milp", solve)
    far = chain(6, asked=1, is_one_group=True, worth=[9, 9, *[0] * 30, 9, 9, *[0] * 30, 9, 9])
    solve_selection(replace(far, values=far.values * 3), budget=Budget(seconds=seconds))
    assert 0 < len(asked) <= selection.MAX_CUT_ROUNDS
    assert all(0.0 < limit <= most for limit in asked)


def test_an_item_without_a_place_leaves_no_selection() -> None:
    """Everybody needs a place."""
    selection = chain(2, asked=0, is_one_group=False, worth=[1, 1])
    usable = np.array([[True, True], [False, False]])
    nobody = Selection(
        usable,
        selection.values,
        selection.excludes,
        selection.supports,
        selection.covers,
        0,
        is_one_group=False,
    )
    assert solve_selection(nobody, budget=Budget()) is None


needs_posix = pytest.mark.skipif(
    os.name != "posix", reason="the C library is reached by another name"
)


@pytest.fixture
def chatty(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], int]:
    """Have the solver print past Python, as HiGHS does where it mends a solution, whatever it was told; return what
    prints so.
    """
    prints: Callable[[bytes], int] = ctypes.CDLL(None).puts

    def solve(*args: Any, **kwargs: Any) -> Any:
        prints(b"HighsMipSolverData::transformNewIntegerFeasibleSolution tmpSolver.run();")
        return milp(*args, **kwargs)

    monkeypatch.setattr(selection, "milp", solve)
    return prints


@needs_posix
def test_what_highs_prints_is_not_heard(
    chatty: Callable[[bytes], int], capfd: pytest.CaptureFixture[str]
) -> None:
    """What is printed before and afterwards is."""
    chatty(b"before")
    assert (
        solve_selection(chain(2, asked=0, is_one_group=False, worth=[1, 2, 3]), budget=Budget())
        is not None
    )
    chatty(b"afterwards")
    ctypes.CDLL(None).fflush(None)
    assert capfd.readouterr().out.split() == ["before", "afterwards"]


@needs_posix
@pytest.mark.usefixtures("chatty", "capfd")
def test_places_are_chosen_where_standard_output_is_closed() -> None:
    """There is nothing to keep silent then."""
    aside = os.dup(1)
    os.close(1)
    try:
        found = solve_selection(
            chain(2, asked=0, is_one_group=False, worth=[1, 2, 3]), budget=Budget()
        )
    finally:
        os.dup2(aside, 1)
        os.close(aside)
    assert found is not None
