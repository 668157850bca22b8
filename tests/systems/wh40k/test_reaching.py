"""Whether a claimed end can be come to, and by how much not."""

import math

import numpy as np
import pytest

from tabletop.ruling.judge import HAND
from tests.systems.wh40k.tables import Spots, piece, unit, verdict


def test_an_end_too_far_round_is_told_with_the_length_of_the_way() -> None:
    """Right behind its target, 5.6 in off: a tangent and an arc about it, with bases of 1 in."""
    judged = verdict([(0, 6.6)], unit([(0, 0)]), {"T": unit([(0, 5.6)])}, total=5)
    (found,) = (finding for finding in judged.findings if finding.rule == "wh40k.roll.limit")
    length = math.sqrt(5.6**2 - 1.0) + math.pi - math.acos(1.0 / 5.6)
    assert judged.rule == found.rule
    assert (found.measured, found.margin) == pytest.approx((length, 5.0 + HAND - length), abs=1e-9)


def test_an_end_that_several_hindrances_close_in_has_no_way() -> None:
    """In the middle of six models behind four walls: without the walls or without the models alone there would be no way either."""
    ring: Spots = [(math.cos(turn), 10.0 + math.sin(turn)) for turn in np.radians(np.arange(-90.0, 270.0, 60.0)).tolist()]
    sides = [(-1.7, 8.3, 1.7, 8.4), (-1.7, 11.6, 1.7, 11.7), (-1.7, 8.3, -1.6, 11.7), (1.6, 8.3, 1.7, 11.7)]
    walls = tuple(piece("impassable", *side, name=f"Wall {number}") for number, side in enumerate(sides))
    table = unit([(0, 0)]), {"T": unit(ring)}
    assert verdict([(0, 7.8)], *table, total=9, terrain=walls).outcome == "success"
    judged = verdict([(0, 10)], *table, total=9, terrain=walls)
    (found,) = (finding for finding in judged.findings if finding.rule == "wh40k.roll.limit")
    assert (judged.rule, found.ok, found.measured) == ("wh40k.roll.limit", False, None)


@pytest.mark.parametrize(("beyond", "is_clear"), [(0.0, False), (0.5e-6, False), (1.5e-6, True)])
def test_an_end_is_clear_of_a_unit_just_past_the_tolerance(beyond: float, *, is_clear: bool) -> None:
    """An inch from a unit that is no target is within its engagement range; one and a half millionths farther are enough."""
    judged = verdict([(0, 4.6)], unit([(0, 0)]), {"T": unit([(0, 5.6)]), "U": unit([(2.0 + beyond, 4.6)])})
    assert judged.rule == (None if is_clear else "wh40k.possible.avoid-others")
