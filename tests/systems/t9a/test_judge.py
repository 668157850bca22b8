"""Judging somebody else's placement: what a hand can place is accepted, the first broken rule is named, the better
place given.
"""

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.geometry.pose import Pose
from tabletop.messages import names_in
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement
from tabletop.scenario.reading import case_from_tables
from tabletop.table.dice import DiceSource
from tabletop.table.facing import FacingName, facing_of
from tabletop.table.state import State
from tests.scenes import box, case, charge, charger, judge, place, regiment, resolve, table, target
from tests.systems.said import numbers


def verdict(
    state: State, pose: Pose, *, dice: tuple[int, ...] = (6,), **choices: Any
) -> tuple[str, str | None, Mapping[str, Pose]]:
    """Judge a proposed pose of A; give the outcome, the rule, and the better poses."""
    judgement = judge(case(state, charge(dice=dice), proposal={"A": pose}, **choices))
    return judgement.outcome, judgement.rule, judgement.better


def slid(
    state: State, u0: float, *, away: float = 0.0, turn: float = 0.0, facing: FacingName = "front"
) -> Pose:
    """Return A's pose with its right front corner at u0 millimetres on a facing, `away` inches off it, turned by
    radians.
    """
    edge = facing_of(state.units["T"], facing)
    flush = edge.flush_pose(u0 / 25.4, state.units["A"].width)
    return Pose(*flush.advanced(-away).at, flush.heading + turn)


SEVEN = (target(files=7), charger((70, 150)))
SIX = (target(files=6), charger((95, 150), files=3, base=(25, 25)))


def test_judge_accepts_the_right_place() -> None:
    """The place that the rules demand is legal and best."""
    state = table(*SEVEN)
    assert verdict(state, resolve(case(state)).after.units["A"].pose) == ("success", None, {})


@pytest.mark.parametrize("u0", [5.0, 12.0, 20.0, 25.0, 33.0, 40.0])
def test_judge_accepts_every_equally_good_place(u0: float) -> None:
    """The owner's free choice is free: any slide of either stretch is right."""
    state = table(*SIX)
    assert verdict(state, slid(state, u0))[:2] == ("success", None)


@pytest.mark.parametrize("u0", [22.5, 4.9, 40.1])
def test_judge_misses_target_models(u0: float) -> None:
    """Between and beyond the stretches one target model less is touched."""
    state = table(*SIX)
    outcome, rule, better = verdict(state, slid(state, u0))
    assert (outcome, rule) == ("not_allowed", "t9a.align.target-models")
    assert better["A"] == resolve(case(state)).after.units["A"].pose


def test_judge_asks_no_goal_after_one_that_is_missed() -> None:
    """Whether as many of the charger's own models are in contact is idle then, and not told."""
    state = table(*SIX)
    judgement = judge(case(state, charge(dice=(6,)), proposal={"A": slid(state, 22.5)}))
    rules = [finding.rule for finding in judgement.findings]
    assert rules[-1] == "t9a.align.target-models"
    assert "t9a.align.charger-models" not in rules


def test_judge_misses_charger_models() -> None:
    """As many target models, but one of the charger's left out."""
    state = table(target(files=5, models=20), charger((226.2, 101.6), models=5, charge_speed=0))
    pose = slid(state, 5.0, facing="right")
    assert verdict(state, pose, dice=(1,))[:2] == ("not_allowed", "t9a.align.charger-models")


@pytest.mark.parametrize(
    ("off", "outcome"),
    [
        (0.0, "success"),
        (0.9e-3, "success"),
        (-0.9e-3, "success"),
        (1.2e-3, "not_allowed"),
        (-1.2e-3, "not_allowed"),
    ],
)
def test_judge_lets_a_hand_place_an_isolated_best(off: float, outcome: str) -> None:
    """A place that is best at one point only may be missed by a thousandth of an inch."""
    state = table(*SEVEN)
    assert verdict(state, slid(state, 20 + 25.4 * off))[0] == outcome


@pytest.mark.parametrize(
    ("beyond", "away", "outcome"),
    [(0.00095, 0.0, "success"), (0.0006, 0.0006, "success"), (0.00095, 0.0006, "not_allowed")],
)
def test_judge_forgives_a_hand_once(beyond: float, away: float, outcome: str) -> None:
    """A place within a thousandth of an inch must serve as well: what is off by almost that along the facing may not be
    off it as well.
    """
    state = table(*SIX)
    judgement = judge(
        case(state, charge(dice=(6,)), proposal={"A": slid(state, 40.0 + 25.4 * beyond, away=away)})
    )
    assert judgement.outcome == outcome
    if outcome == "not_allowed":
        assert judgement.rule == "t9a.align.target-models"
        assert "0.001" in numbers(judgement.findings[-1].text)


@pytest.mark.parametrize(
    ("away", "rule"),
    [(0.9e-3, None), (-0.9e-3, None), (1.1e-3, "t9a.align.flush"), (0.01, "t9a.align.flush")],
)
def test_judge_flush_by_hand(away: float, rule: str | None) -> None:
    """A front that the facing's line passes within a thousandth of an inch counts as flush."""
    state = table(*SEVEN)
    assert verdict(state, slid(state, 20, away=away))[1] == rule


@pytest.mark.parametrize(
    ("turn", "rule"),
    [
        (0.9e-3 / 1.97, None),
        (-0.9e-3 / 1.97, None),
        (2e-3, "t9a.align.flush"),
        (math.radians(5), "t9a.align.flush"),
    ],
)
def test_judge_tilted(turn: float, rule: str | None) -> None:
    """A tilted front is not flush where an aligned place exists, unless a hand could not tell."""
    state = table(*SEVEN)
    assert verdict(state, slid(state, 20, turn=turn))[1] == rule


def test_judge_initial_contact() -> None:
    """A place that keeps no point of initial contact is not allowed, be it flush on the facing's line."""
    state = table(*SEVEN)
    assert verdict(state, slid(state, 145))[1] == "t9a.align.initial-contact"


@pytest.mark.parametrize("u0", [145, 400])
def test_judge_tells_no_distance_that_is_none(u0: float) -> None:
    """A front beside the facing misses by no number of inches, where nothing near it can be touched: what is told is
    finite.
    """
    state = table(*SEVEN)
    judged = judge(case(state, charge(dice=(6,)), proposal={"A": slid(state, u0)}))
    numbers = [
        number
        for finding in judged.findings
        for number in (finding.measured, finding.limit, finding.margin)
        if number is not None
    ]
    assert judged.rule == "t9a.align.initial-contact"
    assert all(map(math.isfinite, numbers))


def test_judge_board() -> None:
    """The board comes first."""
    edge = 36 * 25.4
    state = table(regiment("T", (edge - 50, 0), files=3), charger((edge - 80, 150)))
    assert verdict(state, slid(state, -10))[1] == "t9a.space.board"


@pytest.mark.parametrize(
    ("side", "rule"), [("red", "t9a.space.enemy"), ("blue", "t9a.space.friend")]
)
def test_judge_units_in_the_way(side: str, rule: str | None) -> None:
    """Overlapping a third unit breaks the rule of its side."""
    state = table(*SEVEN, regiment("N", (150, 62), side=side, files=2, models=6))
    assert verdict(state, slid(state, 35))[1] == rule


def test_judge_impassable() -> None:
    """Standing in impassable terrain breaks its rule."""
    state = table(*SEVEN, box((130, 170), (2, 60)))
    assert verdict(state, slid(state, 35))[1] == "t9a.space.impassable"


@pytest.mark.parametrize(
    ("off", "rule"), [(0.0, "success"), (0.9e-3, "success"), (0.01, "t9a.range")]
)
def test_judge_a_failed_charge(off: float, rule: str | None) -> None:
    """If the charge fails, only the failed charge move is right, to a thousandth of an inch."""
    state = table(target(), charger((50, 180), charge_speed=0))
    right = resolve(case(state, charge(dice=(1,)))).after.units["A"].pose
    outcome, decided, _ = verdict(state, Pose(right.x + off, right.y, right.heading), dice=(1,))
    assert (decided or outcome) == rule


def test_judge_a_refused_charge() -> None:
    """If the charge is refused, the unit stays where it is."""
    state = table(target(), charger((50, 150), status=["shaken"]))
    assert verdict(state, state.units["A"].pose)[0] == "success"
    outcome, rule, better = verdict(state, Pose(*place(50, 0), math.radians(270)))
    assert (outcome, rule) == ("not_allowed", "t9a.declare.not-shaken")
    assert better["A"] == state.units["A"].pose


BYSTANDERS = (
    regiment("E", (350, 0), side="red", files=2, models=4),
    regiment("F", (350, 200), side="blue", files=2, models=4),
)


def moved(
    state: State, name: str, *, dice: tuple[int, ...] = (6,), by: float = 0.01
) -> tuple[str, str | None]:
    """Judge where all units end, but for one that is claimed a little ahead of that."""
    question = case(state, charge(dice=dice))
    ends = {key: unit.pose for key, unit in resolve(question).after.units.items()}
    judgement = judge(replace(question, proposal={**ends, name: ends[name].advanced(by)}))
    return judgement.outcome, judgement.rule


@pytest.mark.parametrize("name", ["T", "E", "F"])
def test_judge_stand(name: str) -> None:
    """Whom a charge that completes does not move, its target or somebody else, may not be claimed elsewhere:
    t9a.stand.
    """
    state = table(*SEVEN, *BYSTANDERS)
    assert moved(state, name, by=0.0) == ("success", None)
    assert moved(state, name) == ("not_allowed", "t9a.stand")


@pytest.mark.parametrize("name", ["A", "T", "E", "F"])
def test_judge_others_after_a_failed_charge(name: str) -> None:
    """Where the only charge fails, it decides where everybody stands."""
    state = table(target(), charger((50, 180), charge_speed=0), *BYSTANDERS)
    assert moved(state, name, dice=(1,)) == ("not_allowed", "t9a.range")


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("E", "t9a.stand"),
        ("T", "t9a.stand"),
        ("U", "t9a.range"),
        ("C", "t9a.range"),
        ("B", "t9a.declare.not-shaken"),
    ],
)
def test_judge_others_where_some_charges_fail(name: str, rule: str) -> None:
    """A charge that does not complete decides of those it names, though another completes; of nobody else."""
    second = (
        regiment("U", (350, -200), files=1, models=2),
        regiment("C", (350, -20), side="blue", heading=270, charge_speed=0),
    )
    shaken = regiment("B", (-350, 0), side="blue", status=["shaken"])
    state = table(*SEVEN, BYSTANDERS[0].at(Pose(*place(350, 200), 0.0)), *second, shaken)
    question = case(state, charge(), charge("C", "U", dice=(1,)), charge("B", "U"))
    resolution = resolve(question)
    assert [ruling.outcome for ruling in resolution.rulings] == ["success", "failed", "not_allowed"]
    pose = resolution.after.units[name].pose.advanced(0.01)
    expected = "t9a.declare.not-shaken" if name == "U" else rule
    assert judge(replace(question, proposal={name: pose})).rule == expected


def test_judge_a_charge_that_completes_beside_one_that_is_refused() -> None:
    """A unit whose second charge is refused is free to stand anywhere that is as good as where its first one ends."""
    other = regiment("U", (350, 0), files=1, models=2)
    state = table(*SIX, other)
    question = case(state, charge(), charge("A", "U"))
    assert [ruling.outcome for ruling in resolve(question).rulings] == ["success", "not_allowed"]
    assert judge(replace(question, proposal={"A": slid(state, 12.0)})).outcome == "success"


def test_judge_a_charge_in_whose_place_another_is_claimed() -> None:
    """Where an earlier charger is claimed to stand just where a later one ends, the earlier claim is what is wrong."""
    second = (
        regiment("U", (350, 0), files=1, models=2),
        regiment("C", (350, 150), side="blue", heading=270, files=5),
    )
    question = case(table(*SEVEN, *second), charge(), charge("C", "U"))
    place_of_c = resolve(question).after.units["C"].pose
    judgement = judge(replace(question, proposal={"A": place_of_c, "C": place_of_c}))
    assert judgement.outcome == "not_allowed"
    assert judgement.rule == judge(replace(question, proposal={"A": place_of_c})).rule
    assert set(judgement.better) == {"A", "C"}


@pytest.mark.parametrize(("x", "rule"), [(35.52, "t9a.space.friend"), (36.46063, None)])
def test_judge_what_a_claim_leaves_to_a_charger_that_none_names(x: float, rule: str | None) -> None:
    """A second charger stands as resolved: a claim of the first one that takes its room is no more legal than if both
    were named.
    """
    one = {
        "side": "blue",
        "facing_deg": 270,
        "files": 5,
        "models": 10,
        "base": "25x25mm",
        "profile": {"charge_speed": 8},
    }
    tables = {
        "system": "t9a",
        "board": {"width": 72.0, "depth": 48.0},
        "units": {
            "A": {**one, "at": [34.0, 36.0]},
            "F": {**one, "at": [28.0, 36.0]},
            "O": {
                **one,
                "side": "red",
                "at": [34.0, 24.0],
                "facing_deg": 90,
                "files": 10,
                "models": 20,
            },
        },
        "charges": [{"charger": name, "targets": ["O"], "dice": [4]} for name in "AF"],
        "proposal": {"units": {"A": {"at": [x, 24.0], "facing_deg": 270}}},
    }
    question = case_from_tables(tables)
    resolved = resolve(question)
    found = judge(question)
    both = judge(
        replace(
            question, proposal={**(question.proposal or {}), "F": resolved.after.units["F"].pose}
        )
    )
    assert found.rule == both.rule == rule
    broken = [finding for finding in found.findings if not finding.ok]
    overlap = resolved.after.units["F"].front_left[0] - (x - 2.5 * 25 / 25.4)
    assert [finding.measured for finding in broken] == (
        [] if rule is None else [pytest.approx(-overlap)]
    )
    assert all("F" in names_in(finding.text) for finding in broken)


@pytest.mark.parametrize(("x", "rule"), [(39.5433, "t9a.space.friend"), (32.4567, None)])
@pytest.mark.parametrize("named", ["A", "AF"])
def test_judge_a_claim_in_the_end_of_a_failed_charge(
    x: float, rule: str | None, named: str
) -> None:
    """A later charge that falls short ends where it was resolved to, named or not: no claim before it may lie there."""
    one = {"side": "blue", "base": "20x20mm", "files": 1, "models": 2}
    tables = {
        "system": "t9a",
        "board": {"width": 72.0, "depth": 48.0},
        "units": {
            "A": {
                **one,
                "at": [36.0, 30.0],
                "facing_deg": 270,
                "files": 3,
                "models": 12,
                "profile": {"charge_speed": 5},
            },
            "F": {**one, "at": [44.0, 26.5], "facing_deg": 180, "profile": {"charge_speed": 10}},
            "T": {
                **one,
                "side": "red",
                "at": [36.0, 24.0],
                "facing_deg": 90,
                "files": 14,
                "models": 28,
            },
            "U": {**one, "side": "red", "at": [28.0, 26.5], "facing_deg": 0},
        },
        "charges": [
            {"charger": "A", "targets": ["T"], "dice": [6]},
            {"charger": "F", "targets": ["U"], "dice": [1]},
        ],
    }
    question = case_from_tables(tables)
    places = {"A": Pose(x, 24.0, math.radians(270.0)), "F": resolve(question).after.units["F"].pose}
    found = judge(replace(question, proposal={name: places[name] for name in named}))
    assert found.rule == rule
    assert [
        "F" in names_in(one.text) and " 0.72" in one.text for one in found.findings if not one.ok
    ] == [True] * (rule is not None)


@pytest.mark.parametrize(
    ("first", "second", "corner", "files", "rule"),
    [
        ((30.2, 3, 4), (29.9, 32.1, 285, 2), (33.5, 28.7), 4, "t9a.align.initial-contact"),
        ((31.1, 5, 4), (35.0, 28.4, 285, 4), (36.8, 26.1), 2, "t9a.move.room"),
        ((31.1, 5, 4), (35.0, 28.4, 285, 4), (36.8, 26.1), 0, None),
    ],
)
def test_judge_what_a_claim_leaves_of_another_ones_way(
    first: tuple[float, int, int],
    second: tuple[float, float, float, int],
    corner: tuple[float, float],
    files: int,
    rule: str | None,
) -> None:
    """A claim some files to the right, as good, bars a later charger's way to its place, or every way: named or not,
    that is told.
    """
    one = {"side": "blue", "base": "20x20mm"}
    x, wide, ranks = first
    to_x, to_y, facing, others = second
    west, south = corner
    tables = {
        "system": "t9a",
        "board": {"width": 72.0, "depth": 48.0},
        "units": {
            "A": {
                **one,
                "at": [x, 28.0],
                "facing_deg": 270,
                "files": wide,
                "models": ranks * wide,
                "profile": {"charge_speed": 8},
            },
            "F": {
                **one,
                "at": [to_x, to_y],
                "facing_deg": facing,
                "files": others,
                "models": 2 * others,
                "profile": {"charge_speed": 8},
            },
            "T": {
                **one,
                "side": "red",
                "at": [30.0, 23.0],
                "facing_deg": 90,
                "files": 14,
                "models": 28,
            },
            "U": {
                **one,
                "side": "red",
                "at": [38.5, 23.0],
                "facing_deg": 90,
                "files": 5,
                "models": 10,
            },
        },
        "terrain": [
            {
                "kind": "impassable",
                "rectangle": {"centre": [west + 4.0, south + 3.0], "width": 8.0, "depth": 6.0},
            }
        ],
        "charges": [
            {"charger": "A", "targets": ["T"], "dice": [6]},
            {"charger": "F", "targets": ["U"], "dice": [6]},
        ],
    }
    question = case_from_tables(tables)
    ends = {name: resolve(question).after.units[name].pose for name in "AF"}
    claimed = replace(ends["A"], x=ends["A"].x + files * 20.0 / 25.4)
    alone, both = (judge(replace(question, proposal={**more, "A": claimed})) for more in ({}, ends))
    assert alone.rule == both.rule == rule
    assert ["F" in names_in(found.text) for found in alone.findings if not found.ok] == (
        [] if rule is None else [True]
    )


# A limit that ends the search for where a front can land proves nothing.

WORKS = (1, 3, 10, 30, 100, 300, 1000)


def outcomes(question: Case) -> tuple[str, set[str]]:
    """Judge a claim without a limit, and under limits of work: what it is then, beside no verdict."""
    found = set[str]()
    for work in WORKS:
        with suppress(NoVerdictError):
            found.add(judged_within(question, work).outcome)
    return judge(question).outcome, found


def judged_within(question: Case, work: int) -> Judgement:
    """Resolve a claim and judge it under a limit of work: what a resolution without one has found is known."""
    budget = Budget(work=work)
    resolution = question.system.resolve(question, throws=DiceSource(), budget=budget)
    return question.system.judge(question, resolution, budget=budget)


def test_judge_says_nothing_of_a_contact_that_a_limit_left_open() -> None:
    """A front of ten narrow files flies past a wide one: that it can touch it where it is claimed takes long to find
    out.
    """
    speed = {"charge_speed": 5}
    them = {
        "at": [36, 24],
        "facing_deg": 270,
        "files": 5,
        "models": 20,
        "base": "40x40mm",
        "side": "red",
        "profile": speed,
    }
    us = {
        "at": [34.606299, 23.223607],
        "facing_deg": 90,
        "files": 10,
        "models": 30,
        "base": "1x1mm",
        "side": "blue",
    }
    tables = {
        "system": "t9a",
        "board": {"width": 72, "depth": 48},
        "units": {"T": them, "A": {**us, "profile": {**speed, "fly": True}}},
        "charges": [{"charger": "A", "targets": ["T"], "dice": [2]}],
        "proposal": {"units": {"A": {"at": [35.409449, 24], "facing_deg": 90}}},
    }
    question = case_from_tables(tables)
    assert outcomes(question) == ("success", {"success"})
    with pytest.raises(NoVerdictError, match=r"\bA\b.*\bT\b.*limit"):
        judged_within(question, 10)


@pytest.mark.parametrize("number", range(16, 30))
def test_judge_never_answers_otherwise_under_a_limit(number: int) -> None:
    """Random chargers beside and behind walls, claimed where they end and aside of that: the answer without a limit, or
    none.

    What is right may be called legal, where the search for a better place ended.
    """
    dice = np.random.default_rng(number)
    heading = float(dice.uniform(200.0, 340.0))
    files = int(dice.integers(1, 9))
    corners = dice.uniform([-80.0, 20.0], [160.0, 60.0], (2, 2))
    walls = [
        box((x, x + 20.0), (y, y + 15.0), name=f"wall {place}")
        for place, (x, y) in enumerate(corners)
    ]
    base = float(dice.choice([1.0, 5.0, 20.0]))
    at = (float(dice.uniform(-60.0, 160.0)), float(dice.uniform(5.0, 90.0)))
    front = charger(at, heading, files=files, base=(base, base), fly=bool(number % 2))
    state = table(target(files=int(dice.integers(1, 8))), front, *walls)
    end = resolve(case(state)).after.units["A"].pose
    for off in (0.0, *dice.uniform(-2.0, 2.0, 5)):
        along = Pose(
            end.x - off * math.sin(end.heading), end.y + off * math.cos(end.heading), end.heading
        )
        right, found = outcomes(case(state, proposal={"A": along}))
        assert found <= ({"success", "legal"} if right == "success" else {right})
