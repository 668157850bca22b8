"""Unaligned and blocked-path charges get no verdict rather than a wrong one."""

import pytest

from tabletop.errors import NoVerdictError
from tests.scenes import box, case, charger, regiment, resolve, table, target


def test_unaligned_when_no_place_is_wide_enough() -> None:
    """Walls leave 170 mm for a front of 200: contact can be made, but no aligned place stands free."""
    goal = regiment("T", (20, 0), files=1, models=1, base=(40, 40))
    attacker = charger((-7.697448, 223.600355), heading=297, files=8, base=(25, 25))
    walls = box((70, 270), (-60, 35), name="right"), box((-300, -100), (-60, 100), name="left")
    with pytest.raises(NoVerdictError, match="align"):
        resolve(case(table(goal, attacker, *walls)))


@pytest.mark.parametrize("apart", [0.01, 0.0])
def test_blocked_path_when_the_facing_is_out_of_reach(apart: float) -> None:
    """The target is the first thing straight ahead, but a wall at the flank that must be hit keeps every front from it."""
    wall = box((100 + apart, 130), (-60, 0))
    attacker = charger((190, 60), heading=200, files=1, models=1)
    with pytest.raises(NoVerdictError, match="Blocked Path"):
        resolve(case(table(target(), attacker, wall), corners="neither"))
