"""Judging a claimed end: every unit named in the hex and facing of the ruling, or after a miss in any hex that could be
had.
"""

import math
from dataclasses import replace
from typing import Any

import pytest

from tabletop.api import judge
from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement
from tabletop.table.hexes import HexBoard, heading
from tabletop.table.state import Hex
from tests.oracles.battletech.scenes import random_scene
from tests.oracles.battletech.spoiled import misjudged
from tests.systems.battletech.tables import charge, charger, resolve, table, terrain, unit

BOARD = HexBoard.of(15, 17)
HIT = table(
    {"A": charger("0507", tons=10), "B": unit("0506", "S", tons=10)},
    charge(5, dice=[6, 6, 3, 4, 3, 4, 6, 6, 6, 6]),
)
MISS = table(
    {"A": charger("0507", tons=10), "B": unit("0506", "S", tons=10)}, charge(5, dice=[1, 1])
)
REFUSED = table(
    {"A": charger("0507", tons=10, status=["fired"]), "B": unit("0506", "S", tons=10)}, charge(5)
)


def place(at: Hex, facing: int) -> Pose:
    """Return the pose of a hex and a facing."""
    return Pose(*BOARD.centre(at), heading(facing))


def judged(case: Case, **proposal: Pose) -> Judgement:
    """Rule on a claim."""
    claim = replace(case, proposal=proposal)
    return judge(claim, resolve(claim))


def test_the_ruling_itself_is_right() -> None:
    """What the ruling did is right, named whole or in part."""
    assert judged(HIT, A=place((5, 6), 0), B=place((5, 5), 3)).outcome == "success"
    assert judged(HIT, B=place((5, 5), 3)).outcome == "success"


@pytest.mark.parametrize(
    ("proposal", "better"),
    [
        ({"B": place((5, 6), 3)}, {"B": place((5, 5), 3)}),
        ({"B": place((5, 5), 0)}, {"B": place((5, 5), 3)}),
        ({"A": place((5, 7), 0)}, {"A": place((5, 6), 0)}),
        ({"A": place((5, 6), 1)}, {"A": place((5, 6), 0)}),
        (
            {"A": place((6, 6), 0), "B": place((5, 6), 3)},
            {"A": place((5, 6), 0), "B": place((5, 5), 3)},
        ),
    ],
)
def test_another_hex_or_facing_is_wrong(proposal: dict[str, Pose], better: dict[str, Pose]) -> None:
    """A unit elsewhere or turned breaks a rule, and what would be right is told."""
    found = judged(HIT, **proposal)
    assert found.outcome != "success"
    assert found.rule is not None
    assert found.rule.startswith("battletech.")
    assert found.better == better


@pytest.mark.parametrize(
    ("at", "is_right"),
    [((6, 6), True), ((4, 6), True), ((5, 7), False), ((5, 6), False), ((6, 7), False)],
)
def test_any_option_of_a_miss_is_right(at: Hex, *, is_right: bool) -> None:
    """After a miss either side will do; anything else gets the rule by which the charge failed."""
    found = judged(MISS, A=place(at, 0))
    assert (found.outcome == "success") is is_right
    assert is_right or found.rule == "battletech.tohit.roll"


MISSES = {
    "A": charger("0507", tons=10),
    "B": unit("0506", "S", tons=10),
    "C": charger("0306", "NE", tons=10),
    "D": unit("0405", "S", tons=10),
}


@pytest.mark.parametrize(
    ("choice", "proposal", "is_right"),
    [
        ("not_allowed", {"A": place((4, 6), 0)}, False),
        ("not_allowed", {"A": place((4, 6), 0), "C": place((4, 6), 1)}, False),
        ("not_allowed", {"A": place((4, 6), 0), "C": place((3, 5), 1)}, True),
        ("domino", {"A": place((4, 6), 0)}, True),
    ],
)
def test_an_option_of_a_miss_that_is_full_by_now_is_wrong(
    choice: str, proposal: dict[str, Pose], *, is_right: bool
) -> None:
    """A hex beside the target that a later charger went to is open no more, but where that one is claimed elsewhere or
    pushed on.
    """
    later = charge(5, who="C", whom="D", dice=[1, 1])
    found = judged(
        table(MISSES, charge(5, dice=[1, 1]), later, rules={"miss_into_occupied": choice}),
        **proposal,
    )
    assert (found.outcome == "success") is is_right
    assert is_right or found.rule == "battletech.tohit.roll"


def test_a_miss_keeps_the_facing() -> None:
    """Turning while passing is wrong on either side."""
    assert judged(MISS, A=place((4, 6), 1)).outcome != "success"


def test_a_refused_charge_moves_nobody() -> None:
    """Only the table as it was is right; anything else gets the rule that refused."""
    assert judged(REFUSED, A=place((5, 7), 0), B=place((5, 6), 3)).outcome == "success"
    found = judged(REFUSED, A=place((5, 6), 0))
    assert (found.outcome, found.rule) == ("not_allowed", "battletech.declare.no-weapon-attacks")


BLOCKED = table(
    {"A": charger("0502", tons=10), "B": unit("0501", "S", tons=10)},
    charge(5, dice=[6, 6, 3, 4, 3, 4, 6, 6, 6, 6]),
)


def with_bystander(case: Case) -> Case:
    """Put a unit N well aside."""
    far = replace(case.state.units["B"], name="N", pose=place((12, 12), 3))
    return replace(case, state=case.state.with_unit(far))


@pytest.mark.parametrize(
    ("case", "name", "rule"),
    [
        (HIT, "A", "battletech.displace.advance"),
        (HIT, "B", "battletech.displace.push"),
        (HIT, "N", "battletech.stand"),
        (BLOCKED, "A", "battletech.displace.blocked"),
        (BLOCKED, "B", "battletech.stand"),
        (BLOCKED, "N", "battletech.stand"),
        (MISS, "B", "battletech.tohit.roll"),
        (MISS, "N", "battletech.tohit.roll"),
        (REFUSED, "B", "battletech.declare.no-weapon-attacks"),
        (REFUSED, "N", "battletech.declare.no-weapon-attacks"),
    ],
)
def test_judge_stand(case: Case, name: str, rule: str) -> None:
    """Whom a hit moves is to stand where it moves it, others where they stood: battletech.stand; else by the rule of
    that charge.
    """
    case = with_bystander(case)
    unit_ = resolve(case).after.units[name]
    assert judged(case, **{name: unit_.pose}).outcome == "success"
    turned = replace(unit_.pose, heading=unit_.pose.heading + math.radians(60))
    assert judged(case, **{name: turned}).rule == rule


PUSHED_DOWN = table(
    {"A": charger("0507", tons=10), "B": unit("0506", "S", tons=10)},
    charge(5, dice=[6, 6, 3, 4, 3, 4, 6, 6, 1, 1, 2, 3, 4, 6, 6]),
)
ADVANCED_DOWN = table(
    {"A": charger("0507", tons=10), "B": unit("0506", "S", tons=10)},
    charge(5, dice=[6, 6, 3, 4, 3, 4, 1, 1, 2, 3, 4, 6, 6, 6, 6]),
)
BLOCKED_DOWN = table(
    {"A": charger("0502", tons=10), "B": unit("0501", "S", tons=10)},
    charge(5, dice=[6, 6, 3, 4, 3, 4, 1, 1, 2, 3, 4, 6, 6, 6, 6]),
)


@pytest.mark.parametrize(
    ("case", "name", "hex_rule", "facing_rule"),
    [
        (PUSHED_DOWN, "B", "battletech.displace.push", "battletech.fall"),
        (ADVANCED_DOWN, "A", "battletech.displace.advance", "battletech.fall"),
        (BLOCKED_DOWN, "A", "battletech.displace.blocked", "battletech.fall"),
    ],
)
def test_judge_names_what_moved_or_turned(
    case: Case, name: str, hex_rule: str, facing_rule: str
) -> None:
    """A wrong hex is told by the last rule that moved the unit or held it back, a wrong facing by the last that turned
    it.
    """
    pose = resolve(case).after.units[name].pose
    elsewhere = place((12, 12), 0)
    turned = pose.heading + math.radians(60)
    assert judged(case, **{name: pose}).outcome == "success"
    assert judged(case, **{name: replace(elsewhere, heading=pose.heading)}).rule == hex_rule
    assert judged(case, **{name: replace(elsewhere, heading=turned)}).rule == hex_rule
    assert judged(case, **{name: replace(pose, heading=turned)}).rule == facing_rule


HOUSE = terrain("building", "0503", cf=40)
HOUSED = {"A": charger("0508", "NE", tons=65, walk=6), "B": unit("0503", "S")}


def into_house(*dice: int, **keys: Any) -> Case:
    """Let A charge a building in which B stands, so that it stays before it."""
    return table(HOUSED, charge(whom="building 0503", dice=list(dice), **keys), ground=[HOUSE])


@pytest.mark.parametrize(
    ("dice", "hex_rule", "facing_rule"),
    [
        ([3, 4, 3, 4, 6, 6], "battletech.mp.target-hex", "battletech.mp.target-hex"),
        ([3, 4, 3, 4, 1, 1, 2, 3, 4, 3, 4, 6, 6], "battletech.mp.target-hex", "battletech.fall"),
    ],
    ids=["stands", "falls"],
)
def test_judge_names_the_way_of_a_charger_that_waits(
    dice: list[int], hex_rule: str, facing_rule: str
) -> None:
    """battletech.mp.target-hex: a charger that hits and goes no further stands where its way ended, before the target's
    hex.
    """
    case = into_house(*dice, path=["0507", "0506", "0505", "0504"])
    pose = resolve(case).after.units["A"].pose
    assert judged(case, A=pose).outcome == "success"
    assert judged(case, A=replace(place((5, 8), 0), heading=pose.heading)).rule == hex_rule
    assert (
        judged(case, A=replace(pose, heading=pose.heading + math.radians(60))).rule == facing_rule
    )


def test_judge_stand_of_a_charger_without_a_way() -> None:
    """battletech.stand: a charger that stood before the building already, and stays there, is moved by nothing."""
    units = {**HOUSED, "A": charger("0504", tons=10)}
    case = table(units, charge(4, whom="building 0503", dice=[3, 4, 6, 6]), ground=[HOUSE])
    assert judged(case, A=place((5, 5), 0)).rule == "battletech.stand"


@pytest.mark.parametrize("number", range(12))
def test_judge_against_spoilt_ends(number: int) -> None:
    """On a random table no unit may end in another hex or facing than the second implementation says, but a charger
    that missed.
    """
    assert misjudged(random_scene(number), number).complaints == ()
