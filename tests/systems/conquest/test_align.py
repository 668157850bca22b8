"""Aligning: the stop at first contact, the turn of the charger, the turn of the target instead, and nobody's."""

import math
from typing import Any

import pytest

from tabletop.ruling.verdict import Ruling
from tests.tables import box, case, charger, finding, kinds, resolve, rule_on, unit

LEAST: dict[str, Any] = {"wheel_policy": "least-turn"}
COS = math.cos(math.pi / 6)
SLANTED = {"A": charger(stands=6), "B": unit((17 + 3 * COS, 19.5), 300)}
"""B's near corner stands at (17, 18), straight ahead of the charger's left end; its front rises by 30 degrees."""
WALLS = (box((15, 17), (4, 14), name="west"), box((23, 25), (4, 14), name="east"))
AT_THE_END = box((23.3, 24), (17.5, 18.5))
ON_THE_WAY = box((23.4, 23.7), (15.4, 15.7))
BEFORE_BOTH = box((22, 22.5), (19, 19.5))


def hemmed(*rocks: Any, **rules: Any) -> Ruling:
    """Rule on the slanted charge between walls that bar any wheel."""
    return rule_on(SLANTED, [*WALLS, *rocks], **LEAST, **rules)


def test_stop() -> None:
    """The advance ends where the front first meets the target."""
    ruling = hemmed()
    (step,) = [step for step in ruling.steps if step.kind == "advance"]
    assert step.length == pytest.approx(8.0, abs=1e-6)
    assert finding(ruling, "conquest.stop").ok
    (contact,) = ruling.evidence.contacts
    assert contact == pytest.approx((17, 18), abs=1e-6)


def test_align_flush() -> None:
    """The charger turns about the point of contact until it is flush."""
    ruling = hemmed()
    said = finding(ruling, "conquest.align.flush")
    assert said.ok
    assert said.measured == pytest.approx(30.0, abs=1e-6)
    assert said.limit == pytest.approx(90.0)
    assert ruling.metrics["align_deg"] == pytest.approx(30.0, abs=1e-6)


def test_align_flush_already() -> None:
    """Who arrives flush turns by nothing, and has no step of turning."""
    ruling = rule_on({"B": unit((20, 18), 270)}, **LEAST)
    assert ruling.metrics["align_deg"] == 0
    assert kinds(ruling) == ["advance"]


def test_align_target_wheels() -> None:
    """A rock where the charger would stand: the target turns by as much the other way."""
    ruling = hemmed(AT_THE_END)
    assert ruling.metrics["target_wheel_deg"] == pytest.approx(-30.0, abs=1e-6)
    assert kinds(ruling) == ["advance", "target_wheel"]
    assert finding(ruling, "conquest.align.target-wheels").ok
    assert ruling.metrics["contact_length"] == pytest.approx(6.0, abs=1e-6)


def test_align_target_wheels_only_where_the_charger_cannot() -> None:
    """Of equally many stands a charger's own turn comes before the target's, be the policy what it may."""
    ruling = rule_on(SLANTED, [AT_THE_END], **LEAST)
    assert "align_deg" in ruling.metrics
    assert ruling.metrics["wheel_deg"] != 0


@pytest.mark.parametrize(("choice", "step"), [("whole", "target_wheel"), ("final", "align")])
def test_align_flush_by_its_sweep(choice: str, step: str) -> None:
    """A rock that only the sweep of the turn meets, not its end, counts or does not, by choice."""
    assert kinds(hemmed(ON_THE_WAY, align_sweep=choice))[-1] == step


def test_align_flush_fails() -> None:
    """A rock between the two bars both turns: the charge fails."""
    ruling = hemmed(BEFORE_BOTH)
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.align.flush")
    flush = finding(ruling, "conquest.align.flush")
    assert not flush.ok
    assert "; B " in flush.text
    assert "1.0000 in" in flush.text
    assert "rock" in flush.text
    # turned, B covers x 17-23, y 18-20; the rock begins at x 22, y 19
    assert flush.margin == pytest.approx(-1, abs=1e-6)


def test_align_flush_deadlock() -> None:
    """With the other reading who touched has charged, and nobody turns."""
    question = case(SLANTED, [*WALLS, BEFORE_BOTH], deadlock="touch", **LEAST)
    ruling = resolve(question).rulings[0]
    assert ruling.outcome == "success"
    assert kinds(ruling) == ["advance"]
    assert not {"align_deg", "target_wheel_deg"} & set(ruling.metrics)
    assert resolve(question).after.units["A"].pose.at == pytest.approx((20, 18), abs=1e-6)


def test_align_target_wheels_never_a_garrison() -> None:
    """Buildings do not turn: where the charger cannot, the charge fails."""
    corner = [17.0, 18.0]
    far = [17 + 6 * COS, 21.0]
    house = {
        "name": "B",
        "kind": "garrison",
        "polygon": [corner, far, [far[0] - 1.5, far[1] + 3 * COS], [15.5, 18 + 3 * COS]],
    }
    ruling = rule_on({"A": charger(stands=6)}, [house, *WALLS, AT_THE_END], **LEAST)
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.align.flush")
