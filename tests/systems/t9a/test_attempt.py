"""What rulings of The Ninth Age are made from, and what judge and contrasts read in it."""

import pickle
import time
from dataclasses import replace

import pytest

import tabletop
from systems.t9a.attempt import Attempt
from systems.t9a.combined.group import CombinedAttempt
from systems.t9a.unaligned import UnalignedPlace
from tabletop.budget import Budget
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import DiceSource
from tabletop.testing.answers import resolved
from tests.bundled import NAMES, each_of
from tests.scenes import case, charge, charger, judge, regiment, resolve, table, target

CLAIMED = tuple(name for name in NAMES if name.startswith("t9a/judged"))
FEW = ("t9a/judged-one-short", "t9a/judged-seam", "t9a/judged-angle-too-wide")
ASIDE = 0.3
"""Inches by which claims are moved."""


def attempt_of(ruling: Ruling) -> Attempt:
    """Return what a ruling was made from."""
    attempt = ruling.attempt
    assert isinstance(attempt, Attempt)
    return attempt


def pushed_aside() -> Case:
    """Return the case of A on the line between two arcs of T, after F took most of the room at its front."""
    friend = regiment("F", (150, 55), side="blue", heading=180.0, models=20)
    other = regiment("U", (-10, 55), side="red", heading=0.0)
    state = table(target(models=20), other, friend, charger((300, 200), heading=225.0))
    return case(state, charge("F", "U"), charge("A", "T"))


def test_each_game_table_gives_the_attempt_of_its_turn() -> None:
    """Refused, failed, aligned, unaligned and combined charges keep theirs, on the table before their turn."""
    kinds = {
        "t9a/three-reasons": (Attempt, None),
        "t9a/long-shot-failed": (Attempt, None),
        "t9a/slot-too-narrow": (Attempt, UnalignedPlace),
        "t9a/seam-between-two": (CombinedAttempt, object),
    }
    for name, (kind, place) in kinds.items():
        _, resolution = resolved(name)
        for ruling, tables in zip(resolution.rulings, resolution.tables, strict=True):
            attempt = attempt_of(ruling)
            assert type(attempt) is kind
            assert attempt.table == tables[0]
            assert attempt.done is None if place is None else attempt.done is not None
            assert place is None or isinstance(attempt.done and attempt.done.place, place)


def test_nothing_is_kept_where_nothing_is_explained() -> None:
    """A search for outcomes alone holds no attempts."""
    for name in ("t9a/three-reasons", "t9a/seam-between-two", "t9a/wheel-and-align"):
        question, _ = resolved(name)
        with Budget(explains=False).running():
            rulings = question.system.resolve(
                question, throws=DiceSource(), budget=Budget(explains=False)
            ).rulings
        assert all(ruling.attempt is None for ruling in rulings)


def test_on_an_equal_table_it_is_itself_and_on_another_searched_anew() -> None:
    """A friend in the way changes the place; the same table does not."""
    question = case(table(target(), charger((50, 150))))
    attempt = attempt_of(resolve(question).rulings[0])
    same = replace(attempt.table, units={**attempt.table.units})
    assert attempt.on(same, Budget()) is attempt
    beside = regiment("F", (150, -30), side="blue", heading=270.0)
    blocked = attempt.on(attempt.table.with_unit(beside), Budget())
    assert blocked.solution is not None
    assert blocked.done is None
    assert blocked.solution.fronts[0].scene.state.units["F"] == beside
    assert blocked.on(attempt.table, Budget()).solution == attempt.solution


def test_what_a_limit_ended_is_searched_again() -> None:
    """A judge with more work than the resolution had proves what that left open."""
    question, resolution = resolved("t9a/judged-one-short")
    attempt = attempt_of(resolution.rulings[0])
    assert attempt.solution is not None
    assert attempt.solution.place is not None
    place = replace(attempt.solution.place, proof="best_found")
    open_attempt = replace(attempt, solution=replace(attempt.solution, place=place))
    again = open_attempt.on(attempt.table, Budget())
    assert again is not open_attempt
    assert again.solution == attempt.solution
    ruling = replace(resolution.rulings[0], attempt=open_attempt)
    left_open = replace(resolution, rulings=(ruling,))
    assert tabletop.judge(question, left_open) == tabletop.judge(question, resolution)


@pytest.mark.parametrize("name", FEW)
def test_a_late_judge_has_its_own_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the resolution has run out when the claims are judged, as given and moved aside."""
    question, _ = resolved(name)
    resolution = tabletop.resolve(question, max_seconds=600.0)
    clock = time.monotonic
    monkeypatch.setattr("time.monotonic", lambda: clock() + 10_000.0)
    for asked in (question, moved_aside(question)):
        late = tabletop.judge(asked, resolution, max_seconds=600.0)
        assert late == tabletop.judge(asked, resolution)


def moved_aside(question: Case) -> Case:
    """Return a case whose claims are off, so that no later charge has the table on which it was resolved."""
    claims = question.proposal or {}
    aside = {name: pose.advanced(-ASIDE) for name, pose in claims.items()}
    return replace(question, proposal=aside)


@each_of(CLAIMED, quick=FEW)
def test_claims_moved_aside_are_judged_the_same_without_attempts(name: str) -> None:
    """On tables other than those of the resolution nothing stale is read."""
    question, resolution = resolved(name)
    asked = moved_aside(question)
    copy = pickle.loads(pickle.dumps(resolution))  # noqa: S301
    assert tabletop.judge(asked, resolution) == tabletop.judge(asked, copy)


def test_a_facing_taken_when_the_charger_moves_is_told() -> None:
    """On the line between two arcs a friend takes the room at the front: the flank is charged, told and judged."""
    question = pushed_aside()
    ruling = resolve(question).rulings[1]
    declared = attempt_of(ruling).declaration.solution
    assert declared is not None
    assert declared.place is not None
    assert declared.place.front.label == "front"
    assert "right flank of T" in ruling.summary
    assert ruling.metrics["target_facing"] == "right"
    ends = resolve(question).after.units
    claimed = replace(question, proposal={name: ends[name].pose for name in "FA"})
    assert judge(claimed).outcome == "success"
    answered = tabletop.resolve(question).rulings[1]
    assert [
        one.finding.text
        for one in answered.contrast or ()
        if "Against the front" in one.finding.text
    ]
