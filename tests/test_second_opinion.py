"""A second opinion: SciPy on the same statement, beside the answer of each system whose places are continuous."""

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tabletop
from systems.wh40k.feasibility import ChargeFeasibility
from tabletop.budget import Budget
from tabletop.cli import main
from tabletop.errors import UsageError
from tabletop.optimise.problem import Problem, SolvedProblem
from tabletop.optimise.scipy_solver import FeasiblePoint
from tabletop.placement.problem import Answer
from tabletop.ruling.finding import Goal
from tabletop.second_opinion import compared, with_second_opinion
from tabletop.testing.answers import resolved

COUNT = Goal[Any]("game.count", "models", lambda many: np.array(many, dtype=float))
LENGTH = Goal[Any]("game.length", "in", lambda many: np.array(many, dtype=float), is_counted=False)


def opinion_on(name: str) -> Any:
    """Ask for a second opinion on the first charge of a bundled scenario."""
    case, resolution = resolved(name)
    return (
        with_second_opinion(case, lambda _: resolution, budget=Budget()).rulings[0].second_opinion
    )


@pytest.mark.parametrize(
    "name",
    ["t9a/isolated-best-slide", "t9a/slot-too-narrow", "t9a/front-and-flank-at-a-corner", "conquest/the-target-turns",
     "conquest/the-longest-contact", "wh40k/onto-the-crate", "wh40k/one-corridor-for-two"],
)  # fmt: skip
def test_scipy_finds_what_the_systems_prove(name: str) -> None:
    """Aligned and tilted fronts, wheels, and loose models: the plain search comes to a place that is as good."""
    found = opinion_on(name)
    assert found.verdict == "equal"
    assert found.goal is None
    assert not found.is_fault
    for exact, second in found.goals.values():
        assert second == pytest.approx(exact, abs=1e-2)


def test_its_place_is_legal() -> None:
    """What it gives is where its units stand: as a proposal the judge accepts it."""
    case, _ = resolved("t9a/wheel-and-align")
    units = opinion_on("t9a/wheel-and-align").units
    assert tabletop.judge(replace(case, proposal=units)).outcome == "success"


def test_who_fails_is_given_none() -> None:
    """A ruling that places nobody has nothing to be looked for."""
    assert opinion_on("t9a/long-shot-failed") is None


def test_whoever_has_none_is_told_why(capsys: pytest.CaptureFixture[str]) -> None:
    """Where nobody is placed there is a line that says so, in text and beside JSON."""
    for more in ([], ["--json"]):
        assert main(["resolve", "t9a/long-shot-failed", "--second-opinion", *more]) == 0
        printed = capsys.readouterr()
        assert re.search(r"\bsecond opinion\b.*\bA\b", printed.err)
        assert ("none: " in printed.out) is not bool(more)


def statement(answer: tuple[float, ...], *, proved: int) -> SolvedProblem[Any]:
    """Make a statement of a count and a length."""
    return SolvedProblem(
        Problem((), lambda point: point, (), (COUNT, LENGTH)), answer, proved, lambda _: {}
    )


@pytest.mark.parametrize(
    ("second", "verdict", "goal"),
    [
        ((4.0, 2.0), "equal", None),
        ((4.0, 2.0009), "equal", None),
        ((4.0, 1.9991), "equal", None),
        ((4.0, 2.0011), "scipy_better", "game.length"),
        ((4.0, 1.9989), "exact_better", "game.length"),
        ((5.0, 0.0), "scipy_better", "game.count"),
        ((3.0, 9.0), "exact_better", "game.count"),
    ],
)
def test_worth_is_compared_goal_by_goal(
    second: tuple[float, float], verdict: str, goal: str | None
) -> None:
    """Counts differ by one, lengths by more than a thousandth; an earlier goal decides."""
    assert compared(statement((4.0, 2.0), proved=2), FeasiblePoint(np.zeros(0), None, second)) == (
        verdict,
        goal,
    )


def test_a_length_given_up_within_the_tolerance_buys_nothing() -> None:
    """Who falls short of an earlier goal by less than a thousandth is no better for more of a later one."""
    problem = Problem[Any]((), lambda point: point, (), (LENGTH, COUNT))
    behind = SolvedProblem(problem, (2.0, 4.0), 2, lambda _: {})
    assert compared(behind, FeasiblePoint(np.zeros(0), None, (1.9995, 5.0))) == (
        "exact_better",
        "game.length",
    )


def test_battletech_has_no_second_opinion(capsys: pytest.CaptureFixture[str]) -> None:
    """Its places are hexes, all of which are looked at: exit 2, and why."""
    assert main(["resolve", "battletech/a-wall-comes-down", "--second-opinion"]) == 2
    assert "BattleTech" in capsys.readouterr().err
    with pytest.raises(UsageError):
        tabletop.resolve("battletech/a-wall-comes-down", second_opinion=True)


def test_it_is_printed_as_text_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Both name the verdict and the goals; the keys are those of the contract."""
    assert main(["resolve", "conquest/exactly-far-enough", "--second-opinion"]) == 0
    printed = capsys.readouterr()
    assert "SciPy" in printed.out
    assert re.search(r"\bsecond opinion\b.*\b\d+\.\d s\b", printed.err)
    assert main(["resolve", "conquest/exactly-far-enough", "--second-opinion", "--json"]) == 0
    entry = json.loads(capsys.readouterr().out)["rulings"][0]["second_opinion"]
    assert list(entry) == ["verdict", "goal", "goals", "units"]
    assert entry["verdict"] == "equal"
    assert entry["goals"]["conquest.wheel.most-stands"] == [3.0, 3.0]
    assert "A" in entry["units"]


def test_without_the_option_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither key nor section appears unasked."""
    assert main(["resolve", "conquest/exactly-far-enough", "--json"]) == 0
    assert "second_opinion" not in json.loads(capsys.readouterr().out)["rulings"][0]


def test_a_contradiction_is_a_bug_of_the_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where SciPy finds more than is proved the answer is printed, and the exit code is that of a bug."""
    from systems.conquest import statement as module

    stated = module.statement_of

    def worse(*asked: Any) -> Any:
        found = stated(*asked)
        return (
            None
            if found is None
            else replace(found, answer=(found.answer[0], found.answer[1] - 1.0, *found.answer[2:]))
        )

    monkeypatch.setattr(module, "statement_of", worse)
    assert main(["resolve", "conquest/exactly-far-enough", "--second-opinion"]) == 5
    printed = capsys.readouterr()
    assert re.search(r"\bbetter\b.*\bconquest\.wheel\.most-stands\b", printed.out)
    assert re.search(r"\bSciPy\b.*\breport\b", printed.err)


def test_a_limit_of_time_takes_nothing_from_the_answer() -> None:
    """Whatever time is left for it, the ruling stands."""
    case, resolution = resolved("wh40k/ten-against-ten")
    budget = Budget(seconds=0.05)
    with budget.running():
        found = with_second_opinion(case, lambda _: resolution, budget=budget).rulings[0]
    assert found.second_opinion is not None
    assert found.second_opinion.verdict in ("not_found", "exact_better")
    assert replace(found, second_opinion=None) == resolution.rulings[0]


def test_a_better_place_takes_that_of_an_answer_that_is_not_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the answer moves more in all than it must, and that is not called proved, the ruling is that of SciPy's
    place.
    """
    best_of = ChargeFeasibility.best

    def clumsy(feasibility: ChargeFeasibility, distance: float) -> Answer:
        """Move the only model a fifth of an inch farther than it need go."""
        answer = best_of(feasibility, distance)
        assert answer.plan is not None
        end = answer.plan.ends[0]
        farther = replace(
            answer.plan,
            ends={0: replace(end, pose=replace(end.pose, x=end.pose.x + 0.2))},
            prove=lambda: "best_found",
        )
        return replace(answer, plan=replace(farther, lengths={0: 2.8}))

    best = resolved("wh40k/across-a-barricade")[1].rulings[0].metrics["total_move"]
    monkeypatch.setattr(ChargeFeasibility, "best", clumsy)
    worse = tabletop.resolve("wh40k/across-a-barricade").rulings[0].metrics["total_move"]
    ruling = tabletop.resolve("wh40k/across-a-barricade", second_opinion=True).rulings[0]
    assert ruling.second_opinion is not None
    assert (ruling.second_opinion.verdict, ruling.second_opinion.goal) == (
        "scipy_better",
        "wh40k.move.shortest",
    )
    assert worse > ruling.metrics["total_move"] + 1e-3
    assert ruling.metrics["total_move"] == pytest.approx(best, abs=1e-5)
