"""The snaking move: its parts, what counts on the way, first contact, flying."""

import math
from typing import Any

import pytest
import shapely

from systems.t9a.book import Book
from tabletop.geometry.distance import gap
from tabletop.table.state import Regiment, Terrain
from tests.scenes import (
    case,
    charge,
    charger,
    finding,
    parts,
    pillar,
    regiment,
    resolve,
    rule_on,
    table,
    target,
)


def test_move_snaking() -> None:
    """A charge straight ahead is one forward move and the align; lengths are not limited by the range."""
    ruling = rule_on(target(), charger((50, 150)))
    assert [step.kind for step in parts(ruling)] == ["forward", "align"]
    assert parts(ruling)[0].length == pytest.approx(150 / 25.4, abs=1e-6)
    assert finding(ruling, "t9a.move.snaking").ok


WIDE = (190, 150)
"""Where a charger looking down the board passes the target's right end, so that it must wheel."""


def past_a_post() -> tuple[Regiment | Terrain, ...]:
    """Place a post where it bars the wheel that would be the smallest, so that the charger first goes forward past
    it.
    """
    return target(), charger(WIDE), pillar((120, 110), 12)


def test_move_initial_forward() -> None:
    """The initial forward is the first part; its length is along the original heading."""
    ruling = rule_on(*past_a_post())
    first = parts(ruling)[0]
    assert first.kind == "forward"
    assert "t9a.move.initial-forward" in first.rules
    assert first.end.at == pytest.approx(first.start.advanced(first.length).at, abs=1e-9)
    assert finding(ruling, "t9a.move.initial-forward").measured == pytest.approx(
        first.length, abs=1e-9
    )


def test_move_wheel() -> None:
    """The wheel keeps one front corner in place, is counted as width times its sine, and is at most 90 degrees."""
    attacker = charger(WIDE)
    ruling = rule_on(target(), attacker)
    (wheel,) = parts(ruling, "wheel")
    assert wheel.angle < 0
    assert "t9a.move.wheel" in wheel.rules
    assert attacker.at(wheel.start).front_right == pytest.approx(
        attacker.at(wheel.end).front_right, abs=1e-9
    )
    assert wheel.length == pytest.approx(attacker.width * math.sin(-wheel.angle), abs=1e-9)
    said = finding(ruling, "t9a.move.wheel")
    assert said.ok
    assert said.limit == pytest.approx(90)
    assert said.measured == pytest.approx(math.degrees(-wheel.angle), abs=1e-6)


@pytest.mark.parametrize(("limit", "outcome"), [(90.0, "success"), (5.0, "not_allowed")])
def test_move_wheel_limit(limit: float, outcome: str) -> None:
    """The greatest wheel is a number of the book: with 5 degrees this target is out of reach."""
    asked = case(table(target(), charger(WIDE)), book=Book(wheel_limit_deg=limit))
    assert resolve(asked).rulings[0].outcome == outcome


def test_move_concluding_forward() -> None:
    """After the wheel the front goes straight ahead until it meets the target."""
    ruling = rule_on(*past_a_post())
    assert [step.kind for step in parts(ruling)] == ["forward", "wheel", "forward", "align"]
    last = parts(ruling)[2]
    assert "t9a.move.concluding-forward" in last.rules
    assert last.end.heading == pytest.approx(last.start.heading, abs=1e-12)
    assert finding(ruling, "t9a.move.concluding-forward").measured == pytest.approx(
        last.length, abs=1e-9
    )


def test_move_path_has_the_smallest_wheel() -> None:
    """Where no wheel is needed for the best place, none is shown."""
    ruling = rule_on(target(), charger((70, 150), heading=262))
    assert parts(ruling, "wheel") == []


def test_move_front_only() -> None:
    """The body may sweep over what the front edge does not meet."""
    attacker = charger(WIDE, models=25)
    post = pillar((255, 215), 4)
    free = rule_on(target(), attacker)
    bodies = [attacker.at(step.end).boundary for step in parts(free)[:-1]]
    assert min(gap(body, post.shape) for body in bodies) < 0 < gap(attacker.boundary, post.shape)
    ruling = rule_on(target(), attacker, post)
    assert [step.end for step in ruling.steps] == [step.end for step in free.steps]
    assert finding(ruling, "t9a.move.front-only").ok


def test_move_first_contact() -> None:
    """At the end of the move the front edge touches the Target Facing."""
    attacker = charger(WIDE)
    ruling = rule_on(target(), attacker)
    met = attacker.at(parts(ruling)[-1].start)
    front = shapely.LineString([met.front_left, met.front_right])
    assert front.distance(shapely.LineString([target().front_left, target().front_right])) <= 1e-6
    assert finding(ruling, "t9a.move.first-contact").ok


def test_move_first_contact_is_impossible() -> None:
    """Where every move meets something else first, the finding is broken."""
    screen = regiment("E", (50, 25), files=40, models=40, height=0)
    assert not finding(rule_on(target(), charger((50, 150)), screen), "t9a.move.first-contact").ok


def screened(**profile: Any) -> Any:
    """Bar the way with a wide enemy that leaves room to stand behind it."""
    return table(
        target(),
        charger((50, 200), **profile),
        regiment("E", (50, 110), files=60, models=60, height=0),
    )


def test_move_fly() -> None:
    """Whoever flies ignores units on the way; whoever walks does not get there."""
    assert resolve(case(screened())).rulings[0].rule == "t9a.declare.room"
    ruling = resolve(case(screened(fly=True))).rulings[0]
    assert ruling.outcome == "success"
    assert finding(ruling, "t9a.move.fly").ok


def test_move_fly_needs_room_at_the_end() -> None:
    """Flying does not help where the front edge meets the target among others."""
    low = regiment("E", (50, 25), files=40, models=40, height=0)
    state = table(target(), charger((50, 200), fly=True), low)
    ruling = resolve(case(state)).rulings[0]
    assert (ruling.outcome, ruling.rule) == ("not_allowed", "t9a.declare.room")
    assert not finding(ruling, "t9a.align.flush").ok


def test_move_room() -> None:
    """A charge that had room when declared fails if a friend's charge has taken it."""
    friend = regiment("F", (50, 150), side="blue", heading=270, files=40, models=40, height=0)
    state = table(target(), charger((50, 250)), friend, regiment("S", (180, 60)))
    ruling = resolve(case(state, charge("F", "S"), charge())).rulings[1]
    assert (ruling.outcome, ruling.rule) == ("failed", "t9a.move.room")
    assert not finding(ruling, "t9a.move.room").ok
