"""Charges by Blocked Path: who has the target straight ahead and cannot reach the facing that must be charged takes
another.
"""

from typing import Any

from tabletop.ruling.verdict import Ruling
from tabletop.table.state import Regiment, State
from tests.scenes import (
    box,
    case,
    charge,
    charger,
    finding,
    has_finding,
    regiment,
    resolve,
    table,
    target,
)

NO_CORNERS: dict[str, Any] = {"corners": "neither"}
"""Corners alone are no contact, or the flank could be touched at its end."""


def beside(*more: Regiment, apart: float = 0.01, is_friend: bool = False) -> State:
    """Close the target's right flank with a wall, or a friend of the charger, who stands in the flank's arc and looks
    at the front.
    """
    attacker = charger((190, 60), heading=200, files=1, models=1)
    shut = (
        regiment("F", (100 + apart, -30), side="blue", heading=180, files=3, models=3)
        if is_friend
        else box((100 + apart, 130), (-60, 0))
    )
    return table(target(), attacker, shut, *more)


def rule_on(state: State, **choices: Any) -> Ruling:
    """Resolve the one charge."""
    return resolve(case(state, **NO_CORNERS, **choices)).rulings[0]


def test_blocked_any_facing_is_charged() -> None:
    """The front is charged although the charger stands in the arc of the flank, whether the wall touches the flank or
    not.
    """
    for apart in (0.01, 0.0):
        ruling = rule_on(beside(apart=apart))
        assert (ruling.outcome, ruling.metrics["target_facing"]) == ("success", "front")
        assert finding(ruling, "t9a.blocked.any-facing").ok


def test_blocked_first_obstacle_must_be_the_target() -> None:
    """Something else that would be hit first bars Blocked Path."""
    ruling = rule_on(beside(regiment("E", (140, 41), heading=20, files=1, models=1, height=0)))
    assert (ruling.outcome, ruling.rule) == ("not_allowed", "t9a.declare.room")
    assert not has_finding(ruling, "t9a.blocked.any-facing")
    assert finding(rule_on(beside()), "t9a.blocked.first-obstacle").ok


def test_blocked_unreachable_is_asked_first() -> None:
    """Where the flank can be reached it must be charged."""
    ruling = rule_on(beside(apart=60))
    assert ruling.metrics["target_facing"] == "right"
    assert not has_finding(ruling, "t9a.blocked.unreachable")
    assert finding(rule_on(beside()), "t9a.blocked.unreachable").ok


def test_blocked_by_friends_is_a_choice() -> None:
    """A friend in the way counts like anything else, or does not if the flank is free without it."""
    shut = beside(is_friend=True, apart=0.0)
    assert rule_on(shut).metrics["target_facing"] == "front"
    refused = rule_on(shut, blocked_by_friends=False)
    assert (refused.outcome, refused.rule) == ("not_allowed", "t9a.declare.room")


def test_blocked_facing_is_a_choice() -> None:
    """Of the facings beside the one denied the nearer one, or the best of all others."""
    assert [
        rule_on(beside(), blocked_facing=choice).metrics["target_facing"]
        for choice in ("best", "adjacent")
    ] == ["front", "front"]


def test_blocked_path_in_a_combined_charge_is_a_choice() -> None:
    """Who needs Blocked Path may join a combined charge, or not after another has declared."""
    state = beside(regiment("B", (50, 150), side="blue", heading=270))
    both = charge("B", "T"), charge("A", "T")
    joined = resolve(case(state, *both, **NO_CORNERS))
    assert [ruling.outcome for ruling in joined.rulings] == ["success", "success"]
    apart = resolve(case(state, *both, **NO_CORNERS, combined_blocked_path=False))
    assert [ruling.rule for ruling in apart.rulings] == [None, "t9a.declare.room"]
    assert (
        resolve(case(state, *reversed(both), **NO_CORNERS, combined_blocked_path=False))
        .rulings[1]
        .outcome
        == "success"
    )
