"""The free wheel: its limit, the stands that reach, the policy among equals, the player's own wheel."""

import math
import re
from typing import Any

import pytest

from tabletop.ruling.verdict import Ruling
from tests.systems.conquest.test_facing import PASSED
from tests.systems.said import numbers
from tests.tables import Entry, box, charger, finding, rule_on, unit

LEAST: dict[str, Any] = {"wheel_policy": "least-turn"}
ASIDE = {"B": unit((28, 18), 270)}
"""Eight inches to the charger's right: the third stand reaches from 43.06 to 55.18 degrees of a right wheel."""
FIRST = math.degrees(math.atan2(2, 8) + math.asin(4.001 / math.sqrt(68)))
LAST = math.degrees(math.pi / 4 + math.asin(1.999 / math.sqrt(128)))


def aside(**rest: Any) -> Ruling:
    """Rule on the charge of a target that stands aside."""
    return rule_on(ASIDE, **{"dice": (4,), **rest})


def own(pivot: str, angle: float, **rest: Any) -> Ruling:
    """Rule on the same charge with the player's own wheel."""
    return aside(charge={"wheel": {"pivot": pivot, "angle_deg": angle}}, **rest)


def test_wheel_free() -> None:
    """The wheel is one turn about a front corner, of no more than a right angle, and costs nothing."""
    ruling = aside()
    said = finding(ruling, "conquest.wheel.free")
    assert said.ok
    assert said.limit == pytest.approx(90.0)
    assert said.measured == pytest.approx(LAST, abs=1e-4)
    step = next(step for step in ruling.steps if step.kind == "wheel")
    assert step.pivot == pytest.approx((23, 10))
    assert ruling.metrics["advance"] < 9


def test_wheel_most_stands() -> None:
    """More stands come before less turning: at fewer degrees only two would reach."""
    ruling = aside(**LEAST)
    assert ruling.metrics["stands_reaching"] == 3
    assert finding(ruling, "conquest.wheel.most-stands").measured == pytest.approx(3)
    assert own("right", FIRST - 1).rule == "conquest.wheel.most-stands"


@pytest.mark.parametrize(
    ("policy", "angle"), [("least-turn", FIRST), ("most-contact", LAST), ("widest-turn", LAST)]
)
def test_wheel_policy(policy: str, angle: float) -> None:
    """Among equally good wheels the choice is the least turn, the longest contact, or the widest turn."""
    ruling = aside(wheel_policy=policy)
    assert ruling.metrics["wheel_deg"] == pytest.approx(-angle, abs=1e-4)
    assert finding(ruling, "conquest.wheel.policy").ok


@pytest.mark.parametrize("overlap", [1e-5, 0.1, 0.5])
def test_wheel_most_stands_by_overlap(overlap: float) -> None:
    """How much of a stand's width must look at the side is a choice."""
    angle = math.degrees(math.atan2(2, 8) + math.asin((4 + overlap) / math.sqrt(68)))
    assert aside(overlap=overlap, **LEAST).metrics["wheel_deg"] == pytest.approx(-angle, abs=1e-4)


def test_wheel_policy_tie_of_the_pivots() -> None:
    """A post straight ahead is passed as well on the left as on the right: the left pivot, and two choices."""
    post = box((19.9, 20.1), (14, 15), name="post")
    ruling = rule_on(
        {"A": charger(files=1), "B": unit((20, 18), 270, 6)}, [post], dice=(6,), **LEAST
    )
    assert ruling.outcome == "success"
    assert ruling.metrics["wheel_deg"] > 0
    assert ruling.choices == 2


@pytest.mark.parametrize(
    ("files", "reach"), [(1, r"\b1 (front )?stand\b"), (2, r"\b2 (front )?stands\b")]
)
def test_wheel_tells_of_one_stand_as_of_one(files: int, reach: str) -> None:
    """One reaches, several reach."""
    found = finding(
        rule_on({"A": charger(files=files), "B": unit((20, 18), 270)}), "conquest.wheel.most-stands"
    )
    assert re.search(reach, found.text)


def test_wheel_policy_without_a_tie() -> None:
    """No wheel is the same about both corners: one choice."""
    assert rule_on({"B": unit((20, 18), 270)}).choices == 1


@pytest.mark.parametrize("angle", [FIRST + 0.01, 50.0, LAST - 0.01])
def test_own_wheel_need_not_follow_the_policy(angle: float) -> None:
    """The player may take any wheel that is as good but for the policy."""
    ruling = own("right", angle)
    assert ruling.outcome == "success"
    assert ruling.metrics["wheel_deg"] == pytest.approx(-angle, abs=1e-9)


@pytest.mark.parametrize(
    ("pivot", "angle", "rule"),
    [
        ("right", 30.0, "conquest.wheel.most-stands"),
        ("left", 50.0, "conquest.facing.reach"),
        ("right", 0.0, "conquest.facing.reach"),
        ("right", 70.0, "conquest.wheel.most-stands"),
    ],
)
def test_own_wheel_that_is_worse(pivot: str, angle: float, rule: str) -> None:
    """A worse wheel is not allowed, and what stops it is said first: the roll stands, and nothing moves."""
    ruling = own(pivot, angle)
    assert (ruling.outcome, ruling.rule) == ("not_allowed", rule)
    assert finding(ruling, rule).text in ruling.summary
    assert "3" in numbers(ruling.summary)
    assert all(step.start == step.end for step in ruling.steps)


def test_path_target() -> None:
    """The wheel itself may not touch the target."""
    near: dict[str, Entry] = {"B": unit((20, 12), 270)}
    ruling = rule_on(near, charge={"wheel": {"pivot": "left", "angle_deg": 40}})
    assert (ruling.outcome, ruling.rule) == ("not_allowed", "conquest.path.target")


WALLS = [
    box((14, 16.9), (4, 14), name="left"),
    box((23.1, 26), (4, 14), name="right"),
    box((17, 23), (14, 15), name="ahead"),
]
"""Beside the charger, which cannot wheel by a degree then, and before it."""


@pytest.mark.parametrize(("target", "walls", "reading", "face"), [
    ({"B": unit((20, 18), 270)}, WALLS, {}, 6),
    (PASSED, [], {"facing_out_of_reach": "fail"}, 6),
    ({"B": unit((20, 18), 270)}, WALLS[:1], {}, 1),
    (PASSED, [], {"facing_out_of_reach": "fail"}, 1),
], ids=["walled in", "out of reach", "walled in and short", "out of reach and short"])  # fmt: skip
def test_own_wheel_where_none_completes(
    target: dict[str, Entry], walls: list[Entry], reading: Entry, face: int
) -> None:
    """A wheel that the player declares and that cannot be made is named, with what stops it, where no other completes
    either.
    """
    wheel = {"wheel": {"pivot": "left", "angle_deg": 12}}
    plain, ruling = (
        rule_on(target, walls, charge=keys, dice=(face,), **reading) for keys in ({}, wheel)
    )
    assert (ruling.outcome, ruling.rule, ruling.summary) == ("failed", plain.rule, plain.summary)
    told = [one for one in ruling.findings if one not in plain.findings]
    assert [one.ok for one in told] == [False]
    assert numbers(told[0].text)[0] == "12.0000"
    assert "left" in told[0].text
    assert len(ruling.findings) == len(plain.findings) + 1


def test_own_wheel_that_only_the_roll_is_short_of() -> None:
    """It could be made with a longer roll: nothing is said of it."""
    target: dict[str, Entry] = {"B": unit((20, 18), 270)}
    plain, ruling = (
        rule_on(target, charge=keys, dice=(1,))
        for keys in ({}, {"wheel": {"pivot": "left", "angle_deg": 0}})
    )
    assert ruling.rule == "conquest.range"
    assert ruling.findings == plain.findings
