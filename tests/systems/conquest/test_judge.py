"""Judging somebody else's placement: equal wheels are right, worse ones are not, failures leave one place."""

import math
from dataclasses import replace
from typing import Any

import pytest

from systems.conquest.explain import COMPLETED_BY
from tabletop.api import judge as asked_to_judge
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.geometry.pose import Pose
from tabletop.messages import names_in
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement
from tabletop.scenario.reading import case_from_tables
from tests.oracles.conquest import spoiled
from tests.oracles.conquest.judged import misjudged
from tests.oracles.conquest.scenes import random_case
from tests.systems.said import numbers
from tests.tables import (
    Entry,
    box,
    case,
    charger,
    end,
    finding,
    judge,
    read,
    resolve,
    scenario,
    unit,
)

ASIDE = {"B": unit((28, 18), 270)}
AHEAD = {"B": unit((20, 18), 270)}


def verdict(units: dict[str, Entry], proposal: dict[str, Pose], **rest: Any) -> Judgement:
    """Judge where units are claimed to stand."""
    return judge(case(units, proposal=proposal, **rest))


def flush_after(angle_deg: float) -> Pose:
    """Work out where A stands after a right wheel by an angle: flush on B's front, having turned about its corner (25,
    18).
    """
    angle = math.radians(angle_deg)
    return Pose(22 - 2 * math.cos(angle) + 8 * math.sin(angle), 18.0, math.pi / 2)


def test_judge_the_place_the_rules_demand() -> None:
    """What the rules demand is right."""
    judged = verdict(ASIDE, {"A": end(case(ASIDE, dice=(4,)))}, dice=(4,))
    assert (judged.outcome, judged.rule, judged.better) == ("success", None, {})


@pytest.mark.parametrize("angle", [43.2, 48.0, 55.0])
def test_judge_wheel_policy(angle: float) -> None:
    """Any wheel that is as good but for the policy is right, and the finding says what the policy would take."""
    judged = verdict(ASIDE, {"A": flush_after(angle)}, dice=(4,))
    assert judged.outcome == "success"
    assert finding(judged, "conquest.wheel.policy").ok


@pytest.mark.parametrize("angle", [30.0, 42.0, 57.0])
def test_judge_wheel_most_stands(angle: float) -> None:
    """Where a wheel with fewer stands ends is wrong, and the better place is given."""
    judged = verdict(ASIDE, {"A": flush_after(angle)}, dice=(4,))
    assert (judged.outcome, judged.rule) == ("not_allowed", "conquest.wheel.most-stands")
    assert judged.better["A"].at == pytest.approx(end(case(ASIDE, dice=(4,))).at)


@pytest.mark.parametrize(
    ("off", "outcome"),
    [
        (0.0, "success"),
        (0.0009, "success"),
        (-0.0009, "success"),
        (0.0012, "not_allowed"),
        (0.1, "not_allowed"),
    ],
)
def test_judge_by_hand(off: float, outcome: str) -> None:
    """A hand may miss by a thousandth of an inch."""
    assert verdict(AHEAD, {"A": Pose(20.0, 18.0 - off, math.pi / 2)}).outcome == outcome


@pytest.mark.parametrize(
    ("beside", "away", "is_right"),
    [(0.9e-3, 0.0, True), (0.0, 0.9e-3, True), (1.1e-3, 0.0, False), (0.9e-3, 0.6e-3, False)],
)
def test_judge_forgives_a_hand_once(beside: float, away: float, *, is_right: bool) -> None:
    """The best wheels end with a third stand a thousandth of an inch before B, or farther: such an end must lie within
    a hand.
    """
    judged = verdict(ASIDE, {"A": Pose(26.001 - beside, 18.0 - away, math.pi / 2)}, dice=(4,))
    assert judged.is_right is is_right, judged.findings


def test_judge_a_tilted_front() -> None:
    """A front that is not flush is wrong."""
    assert verdict(AHEAD, {"A": Pose(20.0, 17.7, math.pi / 2 + 0.05)}).outcome == "not_allowed"


@pytest.mark.parametrize("turn", [180.0, -180.0, 120.0])
def test_judge_a_front_that_looks_away(turn: float) -> None:
    """Of a front on the target's line with its heading turned round that is what is wrong."""
    judged = verdict(
        AHEAD, {"A": Pose(20.0, 18.0, math.pi / 2).turned_about((20.0, 18.0), math.radians(turn))}
    )
    assert judged.rule == "conquest.align.flush"
    if abs(turn) == 180.0:
        assert "180.0000 degrees" in finding(judged, "conquest.align.flush").text


def touched_after(angle_deg: float) -> Pose:
    """Work out where A touches B's corner (25, 18) after a right wheel by an angle: its front as wheeled, not turned
    flush.
    """
    angle = math.radians(90 - angle_deg)
    flush = flush_after(angle_deg)
    return flush.turned_about((25.0, 18.0), angle - math.pi / 2)


@pytest.mark.parametrize("angle", [43.2, 48.0, 55.0])
def test_judge_a_front_that_is_not_turned_flush(angle: float) -> None:
    """Where a wheel as good as the best touches the target, the charger must still turn flush."""
    judged = verdict(ASIDE, {"A": touched_after(angle)}, dice=(4,))
    assert (judged.outcome, judged.rule) == ("not_allowed", "conquest.align.flush")
    assert not finding(judged, "conquest.align.flush").ok


def test_judge_a_place_that_no_wheel_leads_to() -> None:
    """A front on the target's line far beside it is where no charge ends."""
    assert verdict(AHEAD, {"A": Pose(40.0, 18.0, math.pi / 2)}).rule == "conquest.wheel.free"


@pytest.mark.parametrize(
    ("rock", "angle", "rule"),
    [
        (25.0, 43.2, "conquest.path.impassable"),
        (27.0, 55.0, "conquest.path.impassable"),
        (27.0, 43.2, "conquest.align.target-wheels"),
    ],
)
def test_judge_a_wheel_that_is_barred(rock: float, angle: float, rule: str) -> None:
    """A rock beside the target bars some wheels, and leaves no room to turn flush after others."""
    question = case(
        ASIDE, [box((rock, rock + 0.5), (13, 14))], proposal={"A": flush_after(angle)}, dice=(4,)
    )
    assert judge(question).rule == rule


def test_judge_a_charge_that_another_claim_stops() -> None:
    """Where the first charger stands as well but in the way of the second, this one cannot end as resolved, named or
    not.
    """
    tables = scenario(
        {**ASIDE, "C": unit((30.05, 13), 90, 1, side="blue")},
        [box((31.1, 33), (8, 17))],
        dice=(4,),
        wheel_policy="least-turn",
    )
    tables["charges"].append({"charger": "C", "targets": ["B"], "dice": [6]})
    resolution = resolve(read(tables))
    assert [ruling.outcome for ruling in resolution.rulings] == ["success", "success"]
    claimed = {"A": flush_after(55.0), "C": resolution.after.units["C"].pose}
    rules = {
        judge(replace(read(tables), proposal=claim)).rule
        for claim in (claimed, {"A": claimed["A"]})
    }
    assert rules == {"conquest.path.friend"}
    judged = judge(replace(read(tables), proposal=claimed))
    broken = next(
        found
        for unit in ("A", "C")
        for found in judged.findings
        if not found.ok and unit in found.text
    )
    assert broken.rule == "conquest.path.friend"
    assert broken.text in judged.summary
    assert set(judged.better) == {"A", "C"}


def test_judge_in_no_time() -> None:
    """What is not judged in time has no verdict."""
    question = case(AHEAD, proposal={"A": end(case(AHEAD))})
    resolution = resolve(question)
    with pytest.raises(NoVerdictError, match=r"time .*\b1\b"):
        question.system.judge(question, resolution, budget=Budget(seconds=0.0, started=0.0))


def test_judge_a_pushed_regiment() -> None:
    """Who is pushed stands where the least displacement puts it, nowhere else."""
    units = {"B": unit((21, 18), 270, 1), "L": unit((17, 18), 270), "R": unit((25, 18), 270)}
    right = {"A": Pose(20.0, 18.0, math.pi / 2), "L": Pose(17.0, 19.0, 1.5 * math.pi)}
    assert verdict(units, right, wheel_policy="least-turn").outcome == "success"
    wrong = {**right, "L": Pose(13.0, 18.0, 1.5 * math.pi)}
    assert verdict(units, wrong, wheel_policy="least-turn").rule == "conquest.push"


def test_judge_a_turned_target() -> None:
    """Where the target turns, the target's place is judged too."""
    from tests.systems.conquest.test_align import AT_THE_END, SLANTED, WALLS

    question = case(
        SLANTED,
        [*WALLS, AT_THE_END],
        wheel_policy="least-turn",
        proposal={"B": Pose(20.0, 18.0, 1.5 * math.pi)},
    )
    assert judge(question).outcome == "success"
    still = case(
        SLANTED,
        [*WALLS, AT_THE_END],
        wheel_policy="least-turn",
        proposal={"B": question.state.units["B"].pose},
    )
    assert judge(still).rule == "conquest.align.target-wheels"


@pytest.mark.parametrize(("off", "rule"), [(0.0, None), (0.0009, None), (0.01, "conquest.range")])
def test_judge_a_failed_charge(off: float, rule: str | None) -> None:
    """If the charge fails only the failed move's end is right, to a thousandth of an inch."""
    assert verdict(AHEAD, {"A": Pose(20.0, 12.0 + off, math.pi / 2)}, dice=(2,)).rule == rule


def test_judge_a_refused_charge() -> None:
    """If the charge is refused the regiment stays where it is."""
    units = {"A": charger(status=["done"]), **AHEAD}
    assert verdict(units, {"A": Pose(20.0, 10.0, math.pi / 2)}).outcome == "success"
    judged = verdict(units, {"A": Pose(20.0, 18.0, math.pi / 2)})
    assert (judged.outcome, judged.rule) == ("not_allowed", "conquest.declare.actions")
    assert judged.better["A"].at == pytest.approx((20, 10))


def test_judge_a_failed_charge_after_a_refused_one() -> None:
    """Of a regiment's two charges the one that failed says where it must stand, not the one before that was refused."""
    tables = scenario(
        {**AHEAD, "C": unit((20, 2), 90)}, dice=(2,), proposal={"A": Pose(20.0, 12.3, math.pi / 2)}
    )
    tables["charges"].insert(0, {"charger": "A", "targets": ["C"], "dice": [2]})
    assert [ruling.outcome for ruling in resolve(read(tables)).rulings] == ["not_allowed", "failed"]
    assert judge(read(tables)).rule == "conquest.range"


def test_judge_a_charge_that_completes_after_a_refused_one() -> None:
    """What was refused before it changes nothing: it ends where it would alone."""
    tables = scenario(
        {**AHEAD, "C": unit((20, 2), 90)}, proposal={"A": Pose(20.0, 18.0, math.pi / 2)}
    )
    tables["charges"].insert(0, {"charger": "A", "targets": ["C"], "dice": [2]})
    assert [ruling.outcome for ruling in resolve(read(tables)).rulings] == [
        "not_allowed",
        "success",
    ]
    assert judge(read(tables)).outcome == "success"


BYSTANDERS = {"X": unit((40, 18), 270), "F": unit((40, 4), 90, side="blue")}


def moved(question: Case, name: str, *, by: float = 0.01) -> str | None:
    """Judge where all regiments end, but for one that is claimed a little ahead of that."""
    resolution = resolve(question)
    ends = {key: one.pose for key, one in resolution.after.units.items()}
    return judge(replace(question, proposal={**ends, name: ends[name].advanced(by)})).rule


@pytest.mark.parametrize("name", ["B", "X", "F"])
def test_judge_stand(name: str) -> None:
    """Whom a charge that completes neither turns nor pushes, its target or somebody else, may not be claimed elsewhere:
    conquest.stand.
    """
    question = case({**AHEAD, **BYSTANDERS})
    assert moved(question, name, by=0.0) is None
    assert moved(question, name) == "conquest.stand"


@pytest.mark.parametrize("name", ["A", "B", "X", "F"])
def test_judge_others_after_a_failed_charge(name: str) -> None:
    """Where the only charge fails, it decides where everybody stands."""
    assert moved(case({**AHEAD, **BYSTANDERS}, dice=(2,)), name) == "conquest.range"


@pytest.mark.parametrize("name", ["A", "B", "X", "F"])
def test_judge_others_after_a_refused_charge(name: str) -> None:
    """Where the only charge is refused, that decides where everybody stands."""
    assert (
        moved(case({**AHEAD, **BYSTANDERS, "A": charger(status=["done"])}), name)
        == "conquest.declare.actions"
    )


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("B", "conquest.stand"),
        ("X", "conquest.stand"),
        ("C", "conquest.range"),
        ("U", "conquest.range"),
    ],
)
def test_judge_others_where_some_charges_fail(name: str, rule: str) -> None:
    """A charge that fails decides of those it names, though another completes; of nobody else."""
    tables = scenario(
        {**AHEAD, **BYSTANDERS, "C": unit((55, 10), 90, side="blue"), "U": unit((55, 20), 270)}
    )
    tables["charges"].append({"charger": "C", "targets": ["U"], "dice": [1]})
    assert [ruling.outcome for ruling in resolve(read(tables)).rulings] == ["success", "failed"]
    assert moved(read(tables), name) == rule


def test_judge_others_after_a_push() -> None:
    """Who is pushed is to stand where the push leaves it, by that rule; who is not stands."""
    units = {
        "B": unit((21, 18), 270, 1),
        "L": unit((17, 18), 270),
        "R": unit((25, 18), 270),
        "X": unit((40, 18), 270),
    }
    question = case(units, wheel_policy="least-turn")
    rules = {name: moved(question, name) for name in units}
    assert rules == {
        "B": "conquest.stand",
        "L": "conquest.push",
        "R": "conquest.push",
        "X": "conquest.stand",
    }


PUSHED_LATER = {
    "A": charger(),
    "D": unit((15, 17.9), 90, 1, side="blue"),
    "B": unit((21, 18), 270, 1),
    "L": unit((17, 19), 270),
    "R": unit((25, 18), 270),
}


def charged(units: dict[str, Entry], *charges: tuple[str, str, int]) -> Case:
    """Make units charge others, each with a die, one after the other."""
    tables = scenario(units, wheel_policy="least-turn")
    tables["charges"] = [
        {"charger": name, "targets": [target], "dice": [die]} for name, target, die in charges
    ]
    return read(tables)


def test_judge_a_charger_that_a_later_charge_pushes() -> None:
    """A proposal is the table after all charges: a charger that is pushed once it has charged is to stand where the
    push leaves it.
    """
    question = charged(PUSHED_LATER, ("L", "D", 3), ("A", "B", 3))
    resolution = resolve(question)
    left = resolution.after.units["L"].pose
    assert [ruling.outcome for ruling in resolution.rulings] == ["success", "success"]
    assert left.x == pytest.approx(17.0, abs=0.01)
    assert left.x != 17.0
    right = judge(replace(question, proposal={"L": left}))
    assert (right.outcome, [found.rule for found in right.findings]) == (
        "success",
        ["conquest.push"],
    )
    assert "L" in names_in(right.findings[0].text)
    before = judge(replace(question, proposal={"L": Pose(17.0, 17.9, left.heading)}))
    assert (before.outcome, before.rule) == ("not_allowed", "conquest.push")


def test_judge_a_target_that_another_charge_pushes() -> None:
    """The target of a charge that neither turns nor pushes it is pushed by another: the push is the rule by which it
    stands elsewhere.
    """
    units = {**PUSHED_LATER, "D": unit((15, 10), 90, 1, side="blue"), "L": unit((17, 18), 270)}
    assert moved(charged(units, ("D", "L", 3), ("A", "B", 3)), "L") == "conquest.push"


@pytest.mark.parametrize(
    ("second", "target", "x", "rule"),
    [
        (unit((26, 10), 90, 2, side="blue"), "B", 22.65505, "conquest.path.friend"),
        (unit((26, 10), 90, 2, side="blue"), "B", 20.0005, None),
        (unit((31, 15.9), 180, 1, side="blue", march=1), "E", 24.0, "conquest.range"),
        (unit((31, 15.9), 180, 1, side="blue", march=1), "E", 20.0, None),
    ],
)
def test_judge_what_a_claim_leaves_to_a_charger_that_none_names(
    second: Entry, target: str, x: float, rule: str | None
) -> None:
    """A second charger stands as resolved, done or failed: a claim that keeps it from there is no more legal than if
    both were named.
    """
    units = {
        "A": charger(files=2),
        "D": second,
        "B": unit((22, 18), 270, 8),
        "E": unit((8, 15.9), 0, 1),
    }
    question = charged(units, ("A", "B", 6), ("D", target, 6))
    claim = {"A": Pose(x, 18.0, math.pi / 2)}
    alone = judge(replace(question, proposal=claim))
    both = judge(
        replace(question, proposal={**claim, "D": resolve(question).after.units["D"].pose})
    )
    assert alone.rule == both.rule == rule
    assert ["D" in names_in(found.text) for found in alone.findings if not found.ok] == [True] * (
        rule is not None
    )


@pytest.mark.parametrize("number", [1, 2, 5, 7, 10, 13, 20, 22])
def test_judge_against_brute_force(number: int) -> None:
    """On random tables places of wheels as good as the best are right, and those of wheels with fewer stands are
    not.
    """
    assert list(misjudged(random_case(number))) == []


@pytest.mark.parametrize("number", [0, 2, 5, 8, 9])
def test_judge_against_spoilt_places(number: int) -> None:
    """On a random table a regiment a hundredth of an inch or a tenth of a degree off every right place is refused."""
    report = spoiled.misjudged(random_case(number), number)
    assert report.complaints == ()
    assert report.spoilt > 0


def test_a_wheel_that_brings_as_many_stands_says_what_the_better_one_has() -> None:
    """A measured claim beside neighbours: of wheels with three stands some need a push or a turn of the target."""
    base = {"files": 3, "base": "50.8x50.8mm", "profile": {"march": 5}}
    units = {
        "A": {
            "side": "blue",
            "at": [38, 31],
            "facing_deg": 270,
            "stands": 6,
            **base,
            "base": "63x63mm",
            "profile": {"march": 7},
        },
        "B": {"side": "red", "at": [36, 24], "facing_deg": 90, "stands": 9, **base},
        "C": {
            "side": "red",
            "beside": {"unit": "B", "side": "right", "gap": 0.5},
            "stands": 9,
            **base,
        },
        "D": {
            "side": "red",
            "beside": {"unit": "B", "side": "left", "gap": 1.0},
            "stands": 3,
            **base,
            "base": "63x63mm",
        },
    }
    charges = [{"charger": "A", "targets": ["B"], "dice": [3]}]
    told = {
        "system": "conquest",
        "accuracy": 0.1,
        "board": {"width": 72, "depth": 48},
        "units": units,
        "charges": charges,
    }
    claim = {"units": {"A": {"at": [35.7, 24.0], "facing_deg": 270}}}
    judged = asked_to_judge(case_from_tables({**told, "proposal": claim}))
    text = next(
        one.text
        for one in judged.findings
        if one.rule == "conquest.wheel.most-stands" and not one.ok
    )
    assert numbers(text) == ["3"]
    assert COMPLETED_BY["own"] in text.split("wheel")[-1]
