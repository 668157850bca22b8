"""What a charge move must keep away from: enemies, friends, impassable terrain, the board's edge.

The neighbour stands where seven models can only be reached touching it, or a clearance away from it.
"""

from typing import Any

import pytest

from tabletop.ruling import Ruling
from tabletop.state import State, Terrain
from tests.scenes import MIDDLE, box, case, charger, finding, regiment, resolve, rule_on, table, target

CLEARANCE_MM = 0.0254


def models(ruling: Ruling) -> Any:
    """Give target models in contact."""
    return ruling.metrics["target_models_in_contact"]


def beside_enemy(apart_mm: float, **choices: Any) -> Ruling:
    """Put an enemy two files wide and three ranks deep beside the place, looking away from the target."""
    neighbour = regiment("N", (120 + apart_mm + 20, 62), heading=90, files=2, models=6)
    return rule_on(target(files=7), charger((70, 150)), neighbour, **choices)


def beside_friend(apart_mm: float, **choices: Any) -> Ruling:
    """Put such a friend there."""
    neighbour = regiment("N", (120 + apart_mm + 20, 62), side="blue", heading=90, files=2, models=6)
    return rule_on(target(files=7), charger((70, 150)), neighbour, **choices)


@pytest.mark.parametrize(("change", "counted"), [(0.0, 7), (-1e-7, 7), (1e-5, 7), (-1e-5, 6)])
def test_space_enemy(change: float, counted: int) -> None:
    """An enemy beside the place is cleared by a thousandth of an inch; less, and the best place is lost."""
    ruling = beside_enemy(CLEARANCE_MM + 25.4 * change)
    assert models(ruling) == counted
    said = finding(ruling, "t9a.space.enemy")
    assert said.ok
    assert said.limit == pytest.approx(0.001)


def test_space_enemy_is_not_touched() -> None:
    """Seven are not to be had by touching another enemy."""
    assert models(beside_enemy(0.0)) == 6


def test_space_friend() -> None:
    """Friends may be touched."""
    ruling = beside_friend(0.0)
    assert models(ruling) == 7
    assert finding(ruling, "t9a.space.friend").ok


@pytest.mark.parametrize(("change", "counted"), [(1e-7, 7), (-1e-7, 7), (-1e-5, 6)])
def test_space_friend_is_not_overlapped(change: float, counted: int) -> None:
    """Friends may not be overlapped; the tolerance is a millionth of an inch."""
    assert models(beside_friend(25.4 * change)) == counted


def test_space_friend_at_a_distance() -> None:
    """With the other reading friends are cleared as everything else is."""
    assert models(beside_friend(0.0, friend_touch=False)) == 6
    assert models(beside_friend(CLEARANCE_MM, friend_touch=False)) == 7


def wall_beside(apart_mm: float) -> Terrain:
    """Make impassable terrain beside the place."""
    return box((120 + apart_mm, 170), (2, 60))


@pytest.mark.parametrize(("change", "counted"), [(0.0, 7), (-1e-7, 7), (1e-5, 7), (-1e-5, 6)])
def test_space_impassable(change: float, counted: int) -> None:
    """Impassable terrain is cleared by a thousandth of an inch."""
    ruling = rule_on(target(files=7), charger((70, 150)), wall_beside(CLEARANCE_MM + 25.4 * change))
    assert models(ruling) == counted
    assert finding(ruling, "t9a.space.impassable").ok


def test_space_impassable_may_be_touched_by_choice() -> None:
    """With the other reading impassable terrain may be touched, but not entered."""
    touched, entered = (rule_on(target(files=7), charger((70, 150)), wall_beside(apart), impassable_touch=True) for apart in (0.0, -0.001))
    assert (models(touched), models(entered)) == (7, 6)


@pytest.mark.parametrize("kind", ["open", "opaque"])
def test_space_other_terrain_is_no_obstacle(kind: str) -> None:
    """Terrain of the other kinds may be stood on."""
    wood = box((110, 170), (-10, 60), kind=kind)
    assert models(rule_on(target(files=7), charger((70, 150)), wood)) == 7


def test_space_clearance_is_a_choice() -> None:
    """A greater clearance moves the threshold."""
    state = table(target(files=7), charger((70, 150)), wall_beside(1.27))
    counted = [models(resolve(case(state, clearance=clearance)).rulings[0]) for clearance in (0.05, 0.0501)]
    assert counted == [7, 6]


def corridor(spare_inches: float) -> State:
    """Leave the target's front only to a corridor as wide as the charger, two clearances and a little more."""
    side = CLEARANCE_MM + 12.7 * spare_inches
    left, right = box((-900, -side), (50, 100), name="left"), box((100 + side, 900), (50, 100), name="right")
    return table(target(), charger((50, 150)), left, right)


@pytest.mark.parametrize("spare", [1e-5, 0.0, -1e-7])
def test_space_on_the_way(spare: float) -> None:
    """The front edge keeps its gaps on the way: a corridor with just the clearance on both sides is wide enough."""
    ruling = resolve(case(corridor(spare))).rulings[0]
    assert ruling.outcome == "success"
    assert [step.kind for step in ruling.steps if step.kind not in ("declare", "align")] == ["forward"]


def test_space_on_the_way_too_narrow() -> None:
    """A hundred-thousandth of an inch less closes the corridor."""
    ruling = resolve(case(corridor(-1e-5 * 2))).rulings[0]
    assert (ruling.outcome, ruling.rule) == ("not_allowed", "t9a.declare.room")


def test_space_never_needs_more_than_at_the_start() -> None:
    """Who starts nearer to a wall than the clearance may keep that gap."""
    left, right = box((-900, -0.01), (50, 200), name="left"), box((100.01, 900), (50, 200), name="right")
    assert resolve(case(table(target(), charger((50, 150)), left, right))).rulings[0].outcome == "success"


@pytest.mark.parametrize(("change", "counted"), [(0.0, 5), (1e-7, 5), (-1e-7, 5), (-1e-5, 5), (1e-5, 4)])
def test_space_board(change: float, counted: int) -> None:
    """The final boundary lies on the closed board: against three models, five have contact only if the last ends on the edge."""
    edge = (72.0 - MIDDLE[0]) * 25.4
    goal = regiment("T", (edge - 50 + 25.4 * change, 0), files=3)
    ruling = rule_on(goal, charger((edge - 80, 150)))
    assert ruling.metrics["target_models_in_contact"] == 3
    assert ruling.metrics["charger_models_in_contact"] == counted
    assert finding(ruling, "t9a.space.board").ok
