"""The snaking move: its parts, what counts on the way, first contact, flying."""

import math
from typing import Any

import pytest
import shapely

from tabletop.errors import NoVerdictError
from tabletop.ruling import Ruling
from tabletop.shapes import gap
from tabletop.state import Regiment, Terrain
from tests.scenes import box, case, charger, finding, pillar, regiment, resolve, rule_on, table, target

QUARTERLY = math.radians(1)


def steps_of(ruling: Ruling) -> list[str]:
    """Give the kinds of the steps of the charger, the declaration left out."""
    return [step.kind for step in ruling.steps if step.kind != "declare"]


def test_move_snaking() -> None:
    """A charge straight ahead is one forward move and the align; lengths are not limited by the range."""
    ruling = rule_on(target(), charger((50, 150)))
    assert steps_of(ruling) == ["forward", "align"]
    assert ruling.steps[-2].length == pytest.approx(150 / 25.4, abs=1e-6)
    assert finding(ruling, "t9a.move.snaking").ok


def past_a_wall() -> tuple[Regiment | Terrain, ...]:
    """Make a charger that must go forward past a wall before it wheels towards a flank, and forward again."""
    return target(at=(50, 0)), charger((230, 180)), box((-60, 175), (60, 250), kind="impassable", name="wall")


def test_move_initial_forward() -> None:
    """The initial forward is the first part; its length is along the original heading."""
    ruling = rule_on(*past_a_wall())
    first = next(step for step in ruling.steps if step.kind == "forward")
    assert "t9a.move.initial-forward" in first.rules
    assert first.end.at == pytest.approx(first.start.advanced(first.length).at, abs=1e-9)
    assert finding(ruling, "t9a.move.initial-forward").ok


def test_move_wheel() -> None:
    """The wheel keeps one front corner in place, is counted as width times its sine, and is at most 90 degrees."""
    ruling = rule_on(target(), charger((60, 150), heading=250))
    wheel = next(step for step in ruling.steps if step.kind == "wheel")
    assert "t9a.move.wheel" in wheel.rules
    attacker = charger((60, 150), heading=250)
    corner = "front_left" if wheel.angle > 0 else "front_right"
    assert getattr(attacker.at(wheel.start), corner) == pytest.approx(getattr(attacker.at(wheel.end), corner), abs=1e-9)
    assert wheel.length == pytest.approx(attacker.width * math.sin(abs(wheel.angle)), abs=1e-9)
    said = finding(ruling, "t9a.move.wheel")
    assert said.ok
    assert said.limit == pytest.approx(90)
    assert said.measured == pytest.approx(math.degrees(abs(wheel.angle)), abs=1e-6)


def test_move_concluding_forward() -> None:
    """After the wheel the front goes straight ahead until it meets the target."""
    ruling = rule_on(*past_a_wall())
    kinds = steps_of(ruling)
    assert kinds == ["forward", "wheel", "forward", "align"]
    last = ruling.steps[-2]
    assert "t9a.move.concluding-forward" in last.rules
    assert last.end.heading == pytest.approx(last.start.heading, abs=1e-12)


def test_move_path_has_the_smallest_wheel() -> None:
    """Where no wheel is needed for the best place, none is shown."""
    ruling = rule_on(target(), charger((70, 150), heading=262))
    assert "wheel" not in steps_of(ruling)


def test_move_front_only() -> None:
    """The body may sweep over what the front edge does not meet."""
    attacker = charger((230, 120), heading=210, files=3, models=24)
    post = pillar((262, 205), 4)
    free = rule_on(target(), attacker)
    bodies = [attacker.at(step.end).boundary for step in free.steps if step.kind in ("forward", "wheel")]
    assert min(gap(body, post.shape) for body in bodies) < 0 < gap(attacker.boundary, post.shape)
    ruling = rule_on(target(), attacker, post)
    assert ruling.outcome == "success"
    assert [step.end for step in ruling.steps] == [step.end for step in free.steps]
    assert finding(ruling, "t9a.move.front-only").ok


def test_move_first_contact() -> None:
    """At the end of the move the front edge touches the Target Facing and nothing else of the target was met before."""
    attacker = charger((160, 120), heading=250)
    ruling = rule_on(target(), attacker)
    assert finding(ruling, "t9a.move.first-contact").ok
    met = next(step.end for step in ruling.steps if step.kind == "align" for step in [ruling.steps[-2]])
    front = shapely.LineString([attacker.at(met).front_left, attacker.at(met).front_right])
    assert front.distance(shapely.LineString([target().front_left, target().front_right])) <= 1e-6


def test_move_first_contact_is_impossible() -> None:
    """Where every move meets something else first, the finding is broken."""
    screen = regiment("E", (50, 25), files=40, models=40, height=0)
    assert not finding(rule_on(target(), charger((50, 150)), screen), "t9a.move.first-contact").ok


def screened(**profile: Any) -> Any:
    """Bar the way with a wide enemy that leaves room to stand behind it."""
    return table(target(), charger((50, 200), **profile), regiment("E", (50, 110), files=60, models=60, height=0))


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
    with pytest.raises(NoVerdictError):
        resolve(case(state))


def test_move_room() -> None:
    """A charge that had room when declared fails if a friend's charge has taken it."""
    friend = regiment("F", (50, 150), side="blue", heading=270, files=40, models=40, height=0)
    state = table(target(), charger((50, 250)), friend, regiment("S", (180, 60)))
    from tests.scenes import charge

    ruling = resolve(case(state, charge("F", "S"), charge())).rulings[1]
    assert (ruling.outcome, ruling.rule) == ("failed", "t9a.move.room")
    assert not finding(ruling, "t9a.move.room").ok
