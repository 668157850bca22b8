"""Declaring a charge: every refusal, and every reason of a refusal."""

import math
import re
from collections.abc import Iterator
from typing import Any

import pytest

from systems.t9a import barring
from tabletop.errors import NoVerdictError
from tabletop.geometry.pose import Point
from tabletop.messages import names_in
from tabletop.ruling.verdict import Ruling
from tabletop.table.state import Regiment, Terrain
from tabletop.units import inches
from tests.scenes import (
    box,
    case,
    charge,
    charger,
    finding,
    has_finding,
    regiment,
    resolve,
    rule_on,
    table,
    target,
)


def ruling_rule(*bodies: Regiment | Terrain, **choices: Any) -> str:
    """Return what decided A's charge of T: a rule's name, or the outcome."""
    ruling = rule_on(*bodies, **choices)
    return ruling.rule or ruling.outcome


def test_declare_once_by_status() -> None:
    """A unit that has declared a charge this phase declares no other."""
    ruling = rule_on(target(), charger((50, 150), status=["charging"]))
    assert (ruling.outcome, ruling.rule) == ("not_allowed", "t9a.declare.once")
    assert not finding(ruling, "t9a.declare.once").ok


def test_declare_once_by_an_earlier_entry() -> None:
    """The second entry of a charger whose first was allowed is refused."""
    other = regiment("S", (250, 0))
    state = table(target(), charger((150, 150)), other)
    rulings = resolve(case(state, charge(), charge("A", "S"))).rulings
    assert [ruling.rule for ruling in rulings] == [None, "t9a.declare.once"]


def test_declare_once_after_a_refused_entry() -> None:
    """A refused declaration does not count."""
    far = regiment("S", (250, -500))
    state = table(target(), charger((150, 150)), far)
    rulings = resolve(case(state, charge("A", "S"), charge())).rulings
    assert [ruling.rule for ruling in rulings] == ["t9a.declare.max-range", None]


def test_declare_not_engaged_by_status() -> None:
    """A unit in combat declares no charge."""
    ruling = rule_on(target(), charger((50, 150), status=["engaged"]))
    assert (ruling.outcome, ruling.rule) == ("not_allowed", "t9a.declare.not-engaged")


def test_declare_not_engaged_with_friends() -> None:
    """Touching a friend is no combat."""
    behind = regiment("X", (50, 190), heading=270, side="blue")
    assert ruling_rule(target(), charger((50, 150)), behind) == "success"


def test_declare_not_shaken() -> None:
    """A shaken unit declares no charge."""
    ruling = rule_on(target(), charger((50, 150), status=["shaken"]))
    assert (ruling.outcome, ruling.rule) == ("not_allowed", "t9a.declare.not-shaken")


@pytest.mark.parametrize(("kind", "is_seen"), [("opaque", False), ("open", True)])
def test_declare_line_of_sight_through_terrain(kind: str, is_seen: bool) -> None:
    """Opaque terrain across the whole field of view stops sight; open terrain does not."""
    assert (
        ruling_rule(target(), charger((50, 200)), box((-600, 700), (100, 110), kind=kind))
        == "success"
    ) is is_seen


def test_declare_line_of_sight_is_stopped_by_impassable_terrain() -> None:
    """Impassable terrain is opaque too."""
    ruling = rule_on(target(), charger((50, 200)), box((-600, 700), (100, 110)))
    assert ruling.rule == "t9a.declare.line-of-sight"
    found = next(finding for finding in ruling.findings if finding.rule == ruling.rule)
    assert (found.measured, found.limit, found.margin) == pytest.approx(
        (inches(90), inches(200), inches(-110))
    ), "90 of 200 mm are clear"


@pytest.mark.parametrize("is_stopped", [True, False])
def test_where_sight_is_stopped_is_shown(*, is_stopped: bool) -> None:
    """A figure shows a line of sight in any case, and where it meets the near side of what stops it."""
    evidence = rule_on(
        target(), charger((50, 200)), *([box((-600, 700), (100, 110))] if is_stopped else [])
    ).evidence
    assert evidence.sight is not None
    (_, start), (_, end) = evidence.sight
    assert start - end == pytest.approx(inches(200))
    assert (evidence.sight_stop is not None) == is_stopped
    assert evidence.sight_stop is None or evidence.sight_stop[1] - end == pytest.approx(inches(110))


@pytest.mark.parametrize(("y", "where"), [((190, 215), "charger"), ((-60, 10), "target")])
def test_declare_line_of_sight_from_within_a_piece(y: Point, where: str) -> None:
    """A piece that holds an end of the line does not stop it."""
    assert (
        ruling_rule(target(), charger((50, 200)), box((-600, 700), y, kind="opaque", name=where))
        == "success"
    )


@pytest.mark.parametrize(
    ("heights", "is_seen"),
    [
        ((1, 1, 1), False),
        ((1, 1, 0), True),
        ((2, 1, 1), True),
        ((1, 2, 1), True),
        ((2, 1, 2), False),
    ],
)
def test_declare_line_of_sight_over_units(heights: tuple[int, int, int], is_seen: bool) -> None:
    """A third unit stops sight if it is as high as both; heights are the charger's, the target's, its own."""
    mine, theirs, third = heights
    screen = regiment("E", (50, 120), files=60, models=60, height=third)
    decided = ruling_rule(target(height=theirs), charger((50, 200), height=mine), screen)
    assert (decided != "t9a.declare.line-of-sight") is is_seen


def screened(**rest: Any) -> Any:
    """Place a low, wide enemy 5 mm before the target's front: seen over, but neither passed nor stood upon."""
    return target(**rest), regiment("E", (50, 25), files=40, models=40, height=0)


def test_declare_room() -> None:
    """Where no charge move can reach the facing, the charge is refused, and the finding says that no contact can be
    made.
    """
    ruling = rule_on(*screened(), charger((50, 150)))
    assert (ruling.outcome, ruling.rule) == ("not_allowed", "t9a.declare.room")
    assert not finding(ruling, "t9a.declare.room").ok
    assert not finding(ruling, "t9a.move.first-contact").ok


def test_declare_gives_every_reason() -> None:
    """A refusal collects all broken rules; the first in the rules' order decides."""
    ruling = rule_on(target(), charger((50, 500), charge_speed=0, status=["shaken", "engaged"]))
    broken = [item.rule for item in ruling.findings if not item.ok]
    assert broken[:3] == [
        "t9a.declare.not-engaged",
        "t9a.declare.not-shaken",
        "t9a.declare.max-range",
    ]
    assert ruling.rule == "t9a.declare.not-engaged"


def test_declare_lists_rules_that_did_not_bind() -> None:
    """An allowed charge shows every rule of declaring as kept."""
    ruling = rule_on(target(), charger((50, 150)))
    names = ("once", "not-engaged", "not-shaken", "line-of-sight", "max-range", "room")
    assert all(finding(ruling, f"t9a.declare.{name}").ok for name in names)


def test_declare_refusal_has_only_these_metrics() -> None:
    """What is refused is not rolled: distance, needed roll and chances are all that is said."""
    ruling = rule_on(target(), charger((50, 150), status=["shaken"]))
    chances = {"success_chance", "success_chance_fraction", "range_chance", "range_chance_fraction"}
    assert set(ruling.metrics) == {"distance", "needed_roll", *chances}
    assert ruling.choices is None
    assert not has_finding(ruling, "t9a.range")


def behind_a_friend(**choices: Any) -> Ruling:
    """Return the ruling on A after: a wide friend charge S first, from between A and T."""
    friend = regiment("F", (50, 150), side="blue", heading=270, files=40, models=40, height=0)
    state = table(target(), charger((50, 250)), friend, regiment("S", (180, 60)))
    return resolve(case(state, charge("F", "S"), charge(), **choices)).rulings[1]


def test_declare_room_leaves_out_friends_that_declared_earlier() -> None:
    """Who has declared a charge will be gone: it does not bar a declaration, but may still bar the move."""
    ruling = behind_a_friend()
    assert finding(ruling, "t9a.declare.room").ok
    assert (ruling.outcome, ruling.rule) == ("failed", "t9a.move.room")


def test_declare_room_with_friends_as_they_stand() -> None:
    """With the other reading the friend still stands where it is when room is judged."""
    ruling = behind_a_friend(declare_room="as-they-stand")
    assert (ruling.outcome, ruling.rule) == ("not_allowed", "t9a.declare.room")


@pytest.mark.parametrize(
    ("reading", "millimetres"), [("boundary", 30.0), ("front", math.hypot(20, 30))]
)
def test_declare_distance_from_boundary_or_front(reading: str, millimetres: float) -> None:
    """A column that has passed the target's corner is nearest with its flank; the other reading measures from its
    front.
    """
    ruling = rule_on(
        target(), charger((-20, 50), heading=180, files=2, models=10), distance_from=reading
    )
    assert ruling.metrics["distance"] == pytest.approx(inches(millimetres), abs=1e-9)
    assert ("front" in finding(ruling, "t9a.range.distance").text) == (reading == "front"), (
        "it says what it was measured from"
    )


@pytest.mark.parametrize("status", [(), ("engaged",)])
def test_whether_the_charger_is_engaged_is_told(status: tuple[str, ...]) -> None:
    """Engaged units may not charge; the sentence agrees with the verdict."""
    found = finding(
        rule_on(target(files=7), charger((70, 150), status=status)), "t9a.declare.not-engaged"
    )
    assert found.ok == ("not" in found.text) == (not status)
    assert names_in(found.text) == {"A"}


def test_declare_line_of_sight_aside_tells_how_far() -> None:
    """T's nearest corner lies 100.1 mm aside and 100 mm ahead of A's."""
    ruling = rule_on(
        regiment("T", (200.1, 75), heading=270, files=4, models=4, base=(25, 25)),
        charger((0, 0), heading=90, files=4, base=(25, 25)),
    )
    found = next(finding for finding in ruling.findings if finding.rule == ruling.rule)
    off = math.degrees(math.atan2(100.1, 100))
    assert ruling.rule == "t9a.declare.line-of-sight"
    assert (found.measured, found.margin) == pytest.approx((off, 45 - off))


def test_declare_room_names_what_bars_the_place() -> None:
    """A wall that leaves 15 mm before the whole of T's front stands 25 mm in A, which is 40 mm deep, wherever that is
    put.
    """
    wall = box((-600, 700), (15, 60), name="wall")
    ruling = rule_on(target(), charger((50, 200)), wall)
    found = next(finding for finding in ruling.findings if finding.rule == "t9a.declare.room")
    assert "wall " in found.text
    assert "0.9843 in" in found.text
    assert (found.measured, found.margin) == pytest.approx((inches(-25), inches(-25) - 0.001))


def test_declare_room_names_all_that_each_bar_the_way() -> None:
    """Of two rocks across the way neither alone has to give way: both are named, and the one before which more of the
    way is missing.
    """
    walls = [
        box((-600, 700), (near, near + 10), name=name)
        for name, near in (("far", 60), ("near", 120))
    ]
    found = finding(rule_on(target(), charger((50, 200)), *walls), "t9a.declare.room")
    words = re.findall(r"\w+", found.text)
    assert (words.count("far"), words.count("near")) == (1, 2)
    assert (found.measured, found.limit) == pytest.approx((inches(70), inches(200)), abs=0.0011)


@pytest.mark.parametrize("asked", range(9))
def test_declare_room_is_refused_wherever_the_time_to_name_what_bars_it_ends(
    asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was asked in vain is not asked again: the verdict stands, and names what was found before."""
    walls = [
        box((-600, 700), (near, near + 10), name=name)
        for name, near in (("far", 60), ("near", 120))
    ]
    bars = barring._bars
    calls = iter(range(asked))

    def limited(*given: Any) -> Iterator[barring.Bar]:
        if next(calls, None) is None:
            raise NoVerdictError("the time is used up")
        return bars(*given)

    monkeypatch.setattr(barring, "_bars", limited)
    assert not finding(rule_on(target(), charger((50, 200)), *walls), "t9a.declare.room").ok


def test_declare_room_names_what_bars_the_way() -> None:
    """A rock across the way to T, 200 mm ahead: the front comes to a thousandth of an inch before its near side."""
    wall = box((-600, 700), (100, 110), name="wall")
    ruling = rule_on(target(), charger((50, 200)), wall)
    found = next(finding for finding in ruling.findings if finding.rule == "t9a.declare.room")
    assert "wall" in names_in(found.text)
    assert (found.measured, found.limit) == pytest.approx((inches(90), inches(200)), abs=0.0011)
