"""What a charge move must keep away from: enemies, friends, impassable terrain, the board's edge.

The neighbour stands where seven models can only be reached touching it, or a clearance away from it.
"""

from typing import Any

import pytest

from tabletop.ruling.verdict import Ruling
from tests.scenes import box, case, charger, finding, regiment, resolve, rule_on, table, target


def models(ruling: Ruling) -> Any:
    """Return target models in contact."""
    return ruling.metrics["target_models_in_contact"]


def beside(side: str) -> Ruling:
    """Place a unit of a side, two files wide and three ranks deep, flush beside the place, looking away from the
    target.
    """
    neighbour = regiment("N", (140, 62), side=side, heading=90, files=2, models=6)
    return rule_on(target(files=7), charger((70, 150)), neighbour)


def test_space_enemy_is_not_touched() -> None:
    """Seven are not to be had by touching another enemy."""
    ruling = beside("red")
    assert models(ruling) == 6
    assert finding(ruling, "t9a.space.enemy").limit == pytest.approx(0.001)


def test_space_friend() -> None:
    """Friends may be touched."""
    ruling = beside("blue")
    assert models(ruling) == 7
    assert finding(ruling, "t9a.space.friend").ok


@pytest.mark.parametrize("kind", ["open", "opaque"])
def test_space_other_terrain_is_no_obstacle(kind: str) -> None:
    """Terrain of the other kinds may be stood on."""
    wood = box((110, 170), (-10, 60), kind=kind)
    assert models(rule_on(target(files=7), charger((70, 150)), wood)) == 7


def test_space_never_needs_more_than_at_the_start() -> None:
    """Who starts nearer to a wall than the clearance may keep that gap."""
    left = box((-900, -0.01), (50, 200), name="left")
    right = box((100.01, 900), (50, 200), name="right")
    assert (
        resolve(case(table(target(), charger((50, 150)), left, right))).rulings[0].outcome
        == "success"
    )
