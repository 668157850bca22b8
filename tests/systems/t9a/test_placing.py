"""What is measured of a place, held against its limit: how far off the line, off the initial contact, and from the
board's edge.
"""

import math
from dataclasses import replace

import pytest

from tabletop.geometry.pose import Pose
from tabletop.ruling.finding import Finding
from tabletop.table.state import Board, State
from tabletop.units import HAND
from tests.scenes import case, charge, charger, judge, regiment, resolve, table, target

STATE = table(target(files=7), charger((70, 150)))
RIGHT: Pose = resolve(case(STATE)).after.units["A"].pose


def measured(rule: str, pose: Pose = RIGHT, *, state: State = STATE) -> Finding:
    """Judge a place of A, and give the finding of a rule."""
    judgement = judge(case(state, charge(dice=(6,)), proposal={"A": pose}))
    return next(finding for finding in judgement.findings if finding.rule == rule)


@pytest.mark.parametrize("away", [0.01, 0.2])
def test_what_is_off_the_line_is_off_by_its_distance(away: float) -> None:
    """The limit is the line itself: the margin is what the front lies before it."""
    found = measured("t9a.align.flush", RIGHT.advanced(-away))
    assert not found.ok
    assert found.limit == 0.0
    assert [found.measured, found.margin] == pytest.approx([away, -away])


def test_a_front_on_the_initial_contact_has_room() -> None:
    """The margin is how far the front reaches over the nearest point that can be touched first."""
    found = measured("t9a.align.initial-contact")
    assert found.ok
    assert found.margin is not None
    assert found.margin > 0.0


@pytest.mark.parametrize("room", [0.25, 1.0])
def test_the_edge_behind_counts_as_the_others_do(room: float) -> None:
    """On a board that ends just behind where the charger started, the margin is what it went on, and what was left
    behind it.
    """
    unit = STATE.units["A"]
    north = unit.pose.y + unit.depth
    found = measured(
        "t9a.space.board", state=replace(STATE, board=Board(STATE.board.width, north + room))
    )
    assert found.ok
    assert found.measured == pytest.approx(unit.pose.y - RIGHT.y + room)
    assert (found.margin, found.allowance) == pytest.approx((unit.pose.y - RIGHT.y + room, HAND))


@pytest.mark.parametrize(("off", "is_right"), [(0.0, True), (0.9e-3, True), (1.2e-3, False)])
@pytest.mark.parametrize(
    ("side", "rule", "needed"),
    [("red", "t9a.space.enemy", 1e-3), ("blue", "t9a.space.friend", 0.0)],
)
def test_a_hand_may_miss_the_room_beside_others(
    side: str, rule: str, needed: float, off: float, *, is_right: bool
) -> None:
    """A place with just the room that is needed may be missed by a thousandth of an inch towards who stands beside
    it.
    """
    beside = 120 + 25.4 * needed
    state = table(
        target(files=7),
        charger((70, 150)),
        regiment("N", (beside + 20, 62), side=side, files=2, models=6),
    )
    found = measured(rule, Pose(RIGHT.x + off, RIGHT.y, RIGHT.heading), state=state)
    assert found.ok is is_right
    assert (found.limit, found.allowance) == pytest.approx((needed, HAND))
    assert found.measured == pytest.approx(needed - off, abs=1e-9)
    assert ("hand" in found.text.split("; ")[-1]) is (0.0 < off < HAND)


@pytest.mark.parametrize(
    ("off", "rule"), [(0.9e-3, "t9a.align.flush"), (1.2e-3, "t9a.space.friend")]
)
def test_a_hand_may_miss_the_room_where_the_front_is_not_flush(off: float, rule: str) -> None:
    """A front that lies off the line is told that, not of a friend whom no hand can tell it stands in."""
    state = table(
        target(files=7),
        charger((70, 150)),
        regiment("N", (140, 62), side="blue", files=2, models=6),
    )
    judgement = judge(
        case(
            state,
            charge(dice=(6,)),
            proposal={"A": Pose(RIGHT.x + off, RIGHT.y + 0.01, RIGHT.heading)},
        )
    )
    assert (judgement.outcome, judgement.rule) == ("not_allowed", rule)


@pytest.mark.parametrize(("off", "is_right"), [(0.0, True), (0.9e-3, True), (1.2e-3, False)])
def test_a_hand_may_miss_the_edge(off: float, *, is_right: bool) -> None:
    """On a board that ends where the charger does it may be put a thousandth of an inch beyond the edge."""
    state = replace(STATE, board=Board(RIGHT.x + 50 / 25.4, STATE.board.depth))
    found = measured("t9a.space.board", Pose(RIGHT.x + off, RIGHT.y, RIGHT.heading), state=state)
    assert found.ok is is_right
    assert (found.limit, found.allowance) == pytest.approx((0.0, HAND))


@pytest.mark.parametrize("turn", [math.pi, -math.pi, math.radians(91.0), math.radians(-120.0)])
def test_a_front_that_looks_away(turn: float) -> None:
    """Of a front on the facing's line with its heading turned round the heading is what is wrong, not how far it is off
    the line.
    """
    found = measured("t9a.align.flush", RIGHT.turned_about(RIGHT.at, turn))
    assert not found.ok
    assert found.measured == pytest.approx(math.degrees(abs(turn)))
    assert found.limit == 90.0
    assert f" {math.degrees(abs(turn)):.4f} degrees" in found.text


def test_a_front_that_looks_away_before_all_else() -> None:
    """Where its body lies is idle then, be it on a friend behind the target."""
    state = table(
        target(files=7),
        charger((70, 150)),
        regiment("N", (70, -45), side="blue", files=2, models=6),
    )
    judgement = judge(
        case(state, charge(dice=(6,)), proposal={"A": RIGHT.turned_about(RIGHT.at, math.pi)})
    )
    assert [finding.rule for finding in judgement.findings] == ["t9a.align.flush"]
