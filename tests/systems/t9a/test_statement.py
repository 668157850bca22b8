"""The stated problem of a combined charge: what the exact search answers is a place of it, worth what is told, and not
bettered.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from systems.t9a.combined.group import Combination, goals_of, values_of, weights_of
from systems.t9a.combined.order import ReachCache
from systems.t9a.combined.search import Search
from systems.t9a.scene import totals_of
from systems.t9a.statement import PutDownTogether
from systems.t9a.system import SYSTEM
from systems.t9a.words import Choices
from tabletop import second_opinion
from tabletop.budget import Budget
from tabletop.cli.report import resolution_text
from tabletop.fronts.packing import Packing
from tabletop.geometry.arrays import FloatArray
from tabletop.optimise.problem import Problem, SolvedProblem
from tabletop.optimise.scipy_solver import FeasiblePoint
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tabletop.second_opinion import with_second_opinion
from tabletop.table.facing import facing_of
from tabletop.table.state import State
from tabletop.testing.answers import resolved
from tabletop.units import CONTACT
from tests.oracles.groups import random_group
from tests.scenes import case as case_of
from tests.scenes import resolve
from tests.systems.t9a.test_combined import CORNER, CORRIDOR, CROWD, PAIR, charges, totals

COMBINED = (
    "front-and-flank-at-a-corner",
    "one-has-no-room",
    "seam-between-two",
    "short-in-between",
    "three-on-one-front",
    "judged-seam",
)
GROUPS = (0, 1, 2, 3, 6)


def combined_case(state: State, **choices: Any) -> Case:
    """Return the case in which all blue units of a table charge T."""
    return case_of(state, *charges(state), **choices)


def stated(case: Case, resolution: Resolution) -> SolvedProblem[PutDownTogether] | None:
    """State the combined charge of a resolution, told by the first that completes it."""
    told = (one for one in resolution.rulings if "total_target_models_in_contact" in one.metrics)
    return next((SYSTEM.statement(case, resolution, one) for one in told), None)


def point_of(
    resolution: Resolution, problem: Problem[Any], order: Sequence[str] = ()
) -> FloatArray:
    """Write the answer as a point: the order, and of each that completes its way as its steps tell it, and its
    slide.
    """
    turns = [one.charge.charger for one in resolution.turns]
    ends = {one.charge.charger: one for one in resolution.rulings}
    point = []
    for variable in problem.variables:
        word = variable.name.replace("turn of", "turn").split(" ")[0]
        name = variable.name.split(" ")[-1]
        ruling = ends[name]
        unit = resolution.after.units[name]
        target = resolution.after.units[ruling.charge.targets[0]]
        wheel = next((step for step in ruling.steps if step.kind == "wheel"), None)
        ahead = next((step for step in ruling.steps if step.kind == "forward"), None)
        is_first = ahead is not None and (
            wheel is None or ruling.steps.index(ahead) < ruling.steps.index(wheel)
        )
        point.append(
            {
                "turn": float((order or turns).index(name)) / len(turns),
                "first": (ahead.length or 0.0) if ahead is not None and is_first else 0.0,
                "wheel": 0.0 if wheel is None else wheel.angle or 0.0,
                "slide": facing_of(target, ruling.metrics["target_facing"]).coordinates(
                    unit.front_right
                )[0],
            }[word]
        )
    return np.array(point)


def held(
    case: Case, resolution: Resolution
) -> tuple[SolvedProblem[PutDownTogether], PutDownTogether] | None:
    """Return the stated problem with the answer inserted."""
    statement = stated(case, resolution)
    return (
        None
        if statement is None
        else (statement, statement.problem.place(point_of(resolution, statement.problem)))
    )


def assert_answer_is_a_place(case: Case, resolution: Resolution) -> None:
    """Hold the answer against the limits and the goals that are stated."""
    found = held(case, resolution)
    if found is None:
        return
    statement, place = found
    broken = [
        (limit.rule, limit.slack(place))
        for limit in statement.problem.limits
        if limit.slack(place) < -2.0 * CONTACT
    ]
    assert broken == []
    assert statement.problem.values(place) == statement.answer
    for name, pose in statement.units(place).items():
        assert pose.at == pytest.approx(resolution.after.units[name].pose.at, abs=2e-6)
    assert set(statement.together) == set(statement.units(place))


@pytest.mark.parametrize("name", COMBINED)
def test_the_answer_of_a_scenario_is_a_place_of_what_is_stated(name: str) -> None:
    """Order, ways and places of the exact answer keep every limit that is stated, and are worth what its totals say."""
    case, resolution = resolved(f"t9a/{name}")
    assert stated(case, resolution) is not None
    assert_answer_is_a_place(case, resolution)


@pytest.mark.parametrize("number", GROUPS)
def test_the_answer_of_a_random_table_is_a_place_of_what_is_stated(number: int) -> None:
    """So it is on random tables, failed moves in between included."""
    case = random_group(number)
    assert_answer_is_a_place(case, resolve(case))


def test_each_is_held_against_the_others_at_its_turn() -> None:
    """In a corridor the one behind cannot be put down first: in that order the same ways and places break a limit."""
    case = combined_case(CORRIDOR)
    resolution = resolve(case)
    statement = stated(case, resolution)
    assert statement is not None
    places = [
        statement.problem.place(point_of(resolution, statement.problem, order))
        for order in ("AB", "BA")
    ]
    assert [statement.problem.missing(place) > 2.0 * CONTACT for place in places] == [False, True]


def test_a_model_met_by_two_counts_once() -> None:
    """Totals are those of both sides as the rules count them, not sums over the chargers."""
    case = combined_case(CORNER)
    found = held(case, resolve(case))
    assert found is not None
    alone = [totals_of([(put.way.front, put.slide)])[0] for put in found[1].puts]
    assert found[1].totals[0] == sum(alone) - 1


def test_more_that_complete_are_excluded_where_that_is_proved() -> None:
    """Of three for whom there is no room no place of all three may be found; of two that both complete nothing is left
    out.
    """
    crowd = combined_case(CROWD)
    pair = combined_case(PAIR)
    few = stated(crowd, resolve(crowd))
    all_of_them = stated(pair, resolve(pair))
    assert few is not None
    assert all_of_them is not None
    assert list(few.excluded) == ["t9a.combined.order"]
    assert len(few.excluded["t9a.combined.order"].place(np.full(12, 0.5)).puts) == 3
    assert all_of_them.excluded == {}


def test_one_by_one_is_not_stated() -> None:
    """Where each takes its own best in turn nothing is chosen together."""
    case = combined_case(CORRIDOR, combined_lookahead="one-by-one")
    assert stated(case, resolve(case)) is None


def test_the_text_says_why_several_have_no_second_opinion() -> None:
    """Placed one after another, they are no one problem; a charge that fails places nobody."""
    case = combined_case(CORRIDOR, combined_lookahead="one-by-one")
    text = resolution_text(case, resolve(case), second_opinion=True)
    assert "several units are placed one after the other" in text
    failed = combined_case(CORRIDOR)
    text = resolution_text(failed, resolve(failed, dice=(1, 1)), second_opinion=True)
    assert "no unit is placed" in text


@pytest.mark.parametrize("goal", ["target-first", "sum"])
def test_search_and_goals_compare_alike(goal: Any) -> None:
    """The number by which the exact search compares orders totals as the goals do."""
    choices = Choices(combined_goal=goal)
    many = [(body, own) for body in range(4) for own in range(4)]
    assert sorted(many, key=lambda totals: values_of(totals, choices)) == sorted(
        many, key=lambda totals: weights_of(choices).value(*totals)
    )
    assert goals_of(choices)[0].rule == "t9a.combined.totals"


def test_others_may_complete_and_are_judged_as_if_they_had() -> None:
    """Which two of three share the front is not decided by the goals alone: places of another two are judged in their
    own order.
    """
    case = combined_case(CROWD)
    resolution = resolve(case)
    statement = stated(case, resolution)
    assert statement is not None
    assert statement.resolved is not None
    outcomes = set()
    for pair in (one for one in combinations("ABD", 2) if set(one) != set(statement.together)):
        other = replace(case, charges=tuple(one for one in case.charges if one.charger in pair))
        found = resolve(other)
        assert [one.outcome for one in found.rulings] == ["success", "success"]
        place = statement.problem.place(_among_all(found, statement.problem, pair))
        assert statement.problem.missing(place) <= 2.0 * CONTACT
        judgement = SYSTEM.judge(
            replace(case, proposal=statement.units(place)),
            statement.resolved(place),
            budget=Budget(),
        )
        assert (judgement.outcome == "success") is (
            statement.problem.values(place) == statement.answer
        )
        assert judgement.outcome == "success" or judgement.rule == "t9a.combined.totals"
        outcomes.add(judgement.outcome)
    assert outcomes


def _among_all(found: Resolution, problem: Problem[Any], pair: Sequence[str]) -> FloatArray:
    """Write the answer of two as a point of three: the third has its turn last."""
    few = [one for one in problem.variables if one.name.split(" ")[-1] in pair]
    values = dict(
        zip(
            (one.name for one in few),
            point_of(found, replace(problem, variables=tuple(few))).tolist(),
            strict=True,
        )
    )
    return np.array([values.get(one.name, 1.0) for one in problem.variables])


def test_what_is_found_is_said_of_all_and_takes_the_place_of_what_is_not_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the search gives up before it finds that both can complete with most models, both end where SciPy puts
    them.
    """
    case = combined_case(PAIR)
    best = resolve(case)
    statement = stated(case, best)
    assert statement is not None
    point = point_of(best, statement.problem)

    def lazy(search: Search, turns: ReachCache) -> tuple[Packing, Combination]:
        """Send each to the left end of the facing or beside the other, and say that more was not looked at."""
        search.unfinished.append("before it began")
        group = search.group
        slides = {"A": -group.alone["A"].width + 0.5, "B": group.alone["B"].facing.length - 0.5}
        packing = Packing(
            slides, totals_of([(group.alone[name], slide) for name, slide in slides.items()]), ()
        )
        turn = turns.play(("A", "B"), packing)
        return packing, Combination(("A", "B"), turn.places, packing.totals, "tolerance")

    monkeypatch.setattr(Search, "_best_of_sets", lazy)
    monkeypatch.setattr(
        second_opinion,
        "solved",
        lambda problem, **_: FeasiblePoint(
            point, problem.place(point), problem.values(problem.place(point))
        ),
    )
    poor = resolve(case)
    assert poor.rulings[0].proof == "best_found"
    assert totals(poor) < totals(best)
    answered = with_second_opinion(case, resolve, budget=Budget())
    opinions = [ruling.second_opinion for ruling in answered.rulings]
    assert [one and (one.verdict, one.goal, one.is_fault) for one in opinions] == [
        ("scipy_better", "t9a.combined.totals", False)
    ] * 2
    assert totals(answered) == totals(best)
