"""Whether a claimed end can be come to, and by how much not."""

import math

import pytest

from tests.systems.wh40k.tables import unit, verdict


def test_an_end_too_far_round_is_told_with_the_length_of_the_way() -> None:
    """Right behind its target, 5.6 in off: a tangent and an arc about it, with bases of 1 in."""
    judged = verdict([(0, 6.6)], unit([(0, 0)]), {"T": unit([(0, 5.6)])}, total=5)
    (found,) = (finding for finding in judged.findings if finding.rule == "wh40k.roll.limit")
    length = math.sqrt(5.6**2 - 1.0) + math.pi - math.acos(1.0 / 5.6)
    assert judged.rule == found.rule
    assert (found.measured, found.margin) == pytest.approx((length, 5.0 - length), abs=1e-9)
