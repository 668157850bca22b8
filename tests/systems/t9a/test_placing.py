"""What is measured of a place, held against its limit: how far off the line, off the initial contact, and from the board's edge."""

from dataclasses import replace

import pytest

from tabletop.pose import Pose
from tabletop.ruling import Finding
from tabletop.state import Board, State
from tests.scenes import case, charge, charger, judge, resolve, table, target

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
    """On a board that ends just behind where the charger started, the margin is what it went on, and what was left behind it."""
    unit = STATE.units["A"]
    north = unit.pose.y + unit.depth
    found = measured("t9a.space.board", state=replace(STATE, board=Board(STATE.board.width, north + room)))
    assert found.ok
    assert found.margin == pytest.approx(unit.pose.y - RIGHT.y + room)
