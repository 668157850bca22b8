"""Holding a claimed place against the one that is demanded."""

import math

import pytest

from tabletop.judging import HAND, corners_off, must_stand
from tabletop.pose import Pose
from tabletop.state import Base, Regiment

BLOCK = Regiment("A", "blue", Pose(0.0, 0.0, math.pi / 2), files=3, models=6, base=Base(2.0, 2.0))


def test_corners_off_by_a_shift() -> None:
    """Every corner is as far off as the unit is moved."""
    assert corners_off(BLOCK, Pose(3.0, 4.0, math.pi / 2), BLOCK.pose) == pytest.approx(5.0)


def test_corners_off_by_a_turn() -> None:
    """The corner farthest from the point that stays counts: here the rear ones, 5 in from the middle of the front."""
    angle = 0.1
    assert corners_off(BLOCK, Pose(0.0, 0.0, math.pi / 2 + angle), BLOCK.pose) == pytest.approx(2 * 5.0 * math.sin(angle / 2))


@pytest.mark.parametrize(("off", "ok"), [(0.0, True), (HAND, True), (HAND + 1e-6, False)])
def test_must_stand(off: float, ok: bool) -> None:
    """A hand may miss the place by a thousandth of an inch; the finding says by how much it does."""
    finding = must_stand(BLOCK, Pose(off, 0.0, math.pi / 2), BLOCK.pose, rule="x.rule", where="where it stood")
    assert (finding.rule, finding.ok) == ("x.rule", ok)
    assert finding.measured == pytest.approx(off, abs=1e-12)
    assert finding.margin == pytest.approx(HAND - off, abs=1e-12)
    assert "must stand where it stood" in finding.text
