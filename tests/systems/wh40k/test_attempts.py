"""Rolled charges that rulings are made from: the same on an equal table, searched anew on another, late or not."""

import math
import pickle
from dataclasses import replace
from typing import Any

import pytest

import tabletop
from systems.wh40k.feasibility import RolledCharge
from tabletop.budget import Budget
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tabletop.table.state import State
from tabletop.testing.answers import judged
from tests.systems.wh40k.tables import case, unit

CLAIMED = ("judged-in-six-moves", "judged-on-a-friend", "judged-off-the-table", "judged-too-far")


def two_charges() -> tuple[Case, Resolution]:
    """Let A and then C charge T from two sides; each has two models, so that some must touch and others follow."""
    one = case(
        unit([(0, 0), (0, 1.5)]),
        {
            "T": unit([(6, 0), (6, 1.5)]),
            "C": unit([(12, 0), (12, 1.5)], side="blue"),
        },
        total=8,
    )
    first = one.charges[0]
    both = replace(one, charges=(first, replace(first, charger="C")))
    return both, tabletop.resolve(both)


def attempt_of(resolution: Resolution, number: int = 0) -> RolledCharge:
    """Return what a ruling was made from."""
    attempt = resolution.rulings[number].attempt
    assert isinstance(attempt, RolledCharge)
    return attempt


def test_an_equal_table_keeps_all_that_is_found() -> None:
    """Equality decides, not identity; on a table that differs the same rolls count, and nothing is known yet."""
    _, resolution = two_charges()
    attempt = attempt_of(resolution, 1)
    table = attempt.table
    copy: State[Any] = replace(table, units=dict(table.units))
    assert copy is not table
    assert attempt.on(copy, Budget()) is attempt
    there = attempt.on(resolution.after, Budget())
    assert there.table is resolution.after
    assert (there.rolls, there.move, there.distance) == (attempt.rolls, None, attempt.distance)


@pytest.mark.parametrize("off", [0.0, 0.0005, 0.01])
def test_later_claims_are_judged_on_the_table_that_the_first_leaves(off: float) -> None:
    """Whether the first ends as resolved or a little aside, the judge says the same with attempts and without."""
    both, resolution = two_charges()
    places = {one.charge.charger: one.attempt.move.formation for one in resolution.rulings}
    aside = [replace(pose, y=pose.y + off) for pose in places["A"].poses]
    claims = {**places, "A": replace(places["A"], poses=tuple(aside))}
    claimed = replace(both, proposal=claims)
    copy = pickle.loads(pickle.dumps(resolution))  # noqa: S301
    assert tabletop.judge(claimed, resolution) == tabletop.judge(claimed, copy)


@pytest.mark.parametrize("name", CLAIMED)
def test_a_late_judge_has_its_own_time(name: str) -> None:
    """The time of the resolution is up long since; the judge searches with its own, and with all that was found."""
    question = tabletop.read_case(f"wh40k/{name}")
    spent = Budget(seconds=0.0, started=-math.inf)
    late = tabletop.resolve(question)
    for ruling in late.rulings:
        ruling.attempt.moving.budget = spent
    assert tabletop.judge(question, late, max_seconds=60.0) == judged(f"wh40k/{name}")


def test_many_cases_keep_nothing() -> None:
    """Without explanations no ruling holds its search."""
    question, _ = two_charges()
    rulings = tabletop.api.decide(question).rulings
    assert [ruling.attempt for ruling in rulings] == [None, None]
